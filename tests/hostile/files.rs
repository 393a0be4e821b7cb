//! Programs that read, write or leave files: what is not theirs, and more than they may.

use touchstone::sandbox::{Files, Isolation, LimitHit, SandboxError, Spec, Stdin, resolved_behind_walls};

use super::{Fate, check, is_clean_after, kept_by, meets, widget};
use crate::toolchain::skipped;
use crate::walls::{Walls, behind_all_walls, behind_spaces};

behind_all_walls![
    nothing_outside_can_be_read_or_written,
    what_is_hidden_is_not_seen_though_it_lies_in_what_is,
    files_are_bounded,
    a_disk_is_not_filled,
    what_a_run_is_given_cannot_be_changed,
    no_lock_is_a_message,
    nobody_else_is_watched_or_made_to_wait_for_the_disk,
    tools_are_bounded_too,
];
behind_spaces![files_are_counted, no_run_finds_what_another_left];

fn nothing_outside_can_be_read_or_written(walls: Walls) {
    if !walls.has_spaces() && !kept_by(walls, "Landlock", |isolation| isolation.landlock) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("1.ans");
    std::fs::write(&secret, "secret").unwrap();
    let secret = secret.to_str().unwrap();
    let secrets = [secret, "/etc/shadow", "/etc/hostname", "/root", "/proc/1/environ"];
    check(walls, "read", &secrets, Fate::Refused);
    check(walls, "link", &[secret, "/etc/hostname"], Fate::Refused);
    let folders =
        ["/", "/usr", "/etc", "/home", "/var", "/box", "/dev", "/proc/sys/kernel", "/sys/fs/cgroup"];
    check(walls, "write", &folders, Fate::Refused);
    check(walls, "environ", &[], Fate::Refused);
}

fn what_is_hidden_is_not_seen_though_it_lies_in_what_is(walls: Walls) {
    use std::os::unix::fs::PermissionsExt as _;
    if !walls.has_spaces() && !kept_by(walls, "Landlock", |isolation| isolation.landlock) {
        return;
    }
    // Not among temporary files, of which programs have their own: there is no covering a part of what is shown there.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let tool = folder.path().canonicalize().unwrap();
    let work = tool.join("a/work");
    std::fs::create_dir_all(work.join("inside")).unwrap();
    let (shown, secret) = (tool.join("a/shown"), work.join("inside/1.ans"));
    let (needed, link) = (work.join("inside/needed"), tool.join("link"));
    for file in [&shown, &secret, &needed] {
        std::fs::write(file, "bytes").unwrap();
    }
    std::os::unix::fs::symlink(&work, &link).unwrap();
    // As it is named, through a link, and one within the other.
    let mut sandbox = walls.hiding(vec![link.clone(), work.join("inside")]).unwrap();
    let mut tries = |name: &str, path: &std::path::Path, fate| {
        let mut spec = widget(name, &[path.to_str().unwrap()]);
        spec.files =
            Files::Fresh { readable: vec![spec.program.clone(), tool.clone(), link.join("inside/needed")] };
        let outcome = sandbox.run(&spec);
        if walls.has_spaces() && resolved_behind_walls(&tool).is_some() {
            return assert!(matches!(outcome, Err(SandboxError::Unavailable { .. })), "{outcome:?}");
        }
        let outcome = outcome.unwrap();
        assert!(meets(fate, &outcome), "{name} {}: {outcome:?}", path.display());
    };
    tries("read", &secret, Fate::Refused);
    tries("read", &link.join("inside/1.ans"), Fate::Refused);
    tries("link", &secret, Fate::Refused);
    tries("write", &work, Fate::Refused);
    tries("read", &shown, Fate::Allowed);
    tries("read", &needed, Fate::Allowed);
    tries("read", &link.join("inside/needed"), Fate::Allowed);
}

fn files_are_bounded(walls: Walls) {
    check(walls, "big-file", &[], Fate::Hit(LimitHit::File));
    check(walls, "big-file", &["deaf"], Fate::Refused);
    check(walls, "sparse", &[], Fate::Hit(LimitHit::File));
    check(walls, "deep-folders", &[], Fate::Ends);
    check(walls, "odd-files", &[], Fate::Refused);
    check(walls, "swap", &[], Fate::Ends);
    check(walls, "flood", &[], Fate::Hit(LimitHit::Output));
}

/// Where a run has a file system of its own that is full, and where it hasn't.
fn a_disk_is_not_filled(walls: Walls) {
    use nix::sys::statfs::{TMPFS_MAGIC, statfs};
    if walls.has_spaces() {
        return fills_less(walls, "fill-disk", &[], Fate::Bounded);
    }
    fills_less(walls, "fill-disk", &[], Fate::Hit(LimitHit::Files));
    fills_less(walls, "many-files", &[], Fate::Hit(LimitHit::Files));
    if statfs(&std::env::temp_dir()).unwrap().filesystem_type() == TMPFS_MAGIC {
        return skipped("files without a name: the disk is in memory");
    }
    fills_less(walls, "fill-disk", &["nameless"], Fate::Hit(LimitHit::Files));
}

/// With little memory, and so few files, lest the disk has much to do.
fn fills_less(walls: Walls, name: &str, args: &[&str], fate: Fate) {
    for mut sandbox in walls.sandboxes() {
        let mut spec = widget(name, args);
        (spec.limits.memory_bytes, spec.limits.files_bytes) = (40 << 20, 40 << 20);
        let outcome = sandbox.run(&spec).unwrap();
        assert!(meets(fate, &outcome), "{name} {args:?}: {:?} {:?}", outcome.ended, outcome.limit_hit);
        is_clean_after(&mut sandbox, name);
    }
}

fn files_are_counted(walls: Walls) {
    check(walls, "many-files", &[], Fate::Refused);
}

fn what_a_run_is_given_cannot_be_changed(walls: Walls) {
    // A program without walls that is the judge's own user may change what is the judge's where there is no Landlock.
    let is_kept = |isolation: &Isolation| isolation.own_user || isolation.landlock;
    if walls.has_spaces() || kept_by(walls, "another user, or Landlock", is_kept) {
        check(walls, "own-binary", &[], Fate::Refused);
    }
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "").unwrap();
    check(walls, "modes", &[secret.to_str().unwrap()], Fate::Refused);
    for mut sandbox in walls.sandboxes() {
        let bytes: std::sync::Arc<[u8]> = b"1 2 3\n"[..].into();
        let spec = Spec { stdin: Stdin::Bytes(bytes), ..widget("own-input", &[]) };
        let outcome = sandbox.run(&spec).unwrap();
        assert!(meets(Fate::Refused, &outcome), "{outcome:?}");
    }
}

fn no_lock_is_a_message(walls: Walls) {
    check(walls, "locks", &[], Fate::Refused);
}

fn nobody_else_is_watched_or_made_to_wait_for_the_disk(walls: Walls) {
    check(walls, "watch", &[], Fate::Refused);
    check(walls, "disk", &[], Fate::Refused);
}

fn no_run_finds_what_another_left(walls: Walls) {
    for mut sandbox in walls.sandboxes() {
        sandbox.run(&widget("leave", &[])).unwrap();
        let outcome = sandbox.run(&widget("found", &[])).unwrap();
        assert!(meets(Fate::Refused, &outcome), "{outcome:?}");
    }
}

/// What a compiler or a jury's program does in a folder of the judge's has bounds like any program's.
fn tools_are_bounded_too(walls: Walls) {
    let fates = [
        ("bomb", Fate::Ends),
        ("daemon", Fate::Refused),
        ("memory", Fate::Hit(LimitHit::Memory)),
        ("big-file", Fate::Hit(LimitHit::File)),
        ("fill-disk", Fate::Hit(LimitHit::Files)),
        ("many-files", Fate::Hit(LimitHit::Files)),
        ("swap", Fate::Ends),
        ("flood", Fate::Hit(LimitHit::Output)),
        ("network", Fate::Refused),
        ("calls", Fate::Refused),
        ("others", Fate::Refused),
    ];
    for (name, fate) in fates {
        let args = if name == "others" { vec![std::process::id().to_string()] } else { Vec::new() };
        let mut spec = widget(name, &args.iter().map(String::as_str).collect::<Vec<_>>());
        for mut sandbox in walls.sandboxes() {
            let folder = crate::sandbox::open_folder();
            let place = folder.path().canonicalize().unwrap();
            spec.files = Files::Folder { folder: place, readable: vec![spec.program.clone()] };
            let outcome = sandbox.run(&spec).unwrap();
            assert!(meets(fate, &outcome), "{name}: {:?} {:?}", outcome.ended, outcome.limit_hit);
            is_clean_after(&mut sandbox, name);
        }
    }
}
