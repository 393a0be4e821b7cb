//! Programs that misbehave on purpose, behind every choice of walls: what stops them, and that nothing is left of them.
//! The programs are the widgets of `touchstone __hostile`.

use touchstone::sandbox::{
    Ended, Files, Isolation, LimitHit, Outcome, Sandbox, SandboxError, Spec, Stdin, resolved_behind_walls,
};

use crate::sandbox::LIMITS;
use crate::toolchain::{lacks, skipped};
use crate::walls::{Walls, behind_all_walls, behind_spaces};

behind_all_walls![
    nothing_outside_can_be_read_or_written,
    what_is_hidden_is_not_seen_though_it_lies_in_what_is,
    nobody_outside_can_be_signalled,
    nobody_outside_can_be_traced_or_killed,
    the_kernel_is_out_of_reach,
    processes_are_bounded_and_none_is_left,
    time_is_counted_wherever_it_is_spent,
    memory_is_counted_wherever_it_is_taken,
    tables_of_pages_are_counted,
    memory_that_a_run_leaves_is_gone_before_the_next,
    files_are_bounded,
    a_disk_is_not_filled,
    signals_help_nobody,
    limits_and_rights_cannot_be_raised,
    nobody_elses_limits_and_rank_can_be_changed,
    no_lock_is_a_message,
    nobody_else_is_watched_or_made_to_wait_for_the_disk,
    tools_are_bounded_too,
    what_a_run_is_given_cannot_be_changed,
    no_service_of_the_machine_is_spoken_to,
    input_that_nobody_reads_and_pages_of_files_are_no_memory_of_the_runs,
    exit_statuses_are_shown_as_they_are,
    two_judges_at_once_do_each_other_no_harm,
];
behind_spaces![
    files_are_counted,
    files_in_memory_are_bounded,
    no_run_finds_what_another_left,
    no_share_of_the_cores_is_had_by_sessions,
];

/// What is to become of a widget.
#[derive(Clone, Copy)]
enum Fate {
    /// It says itself that it was stopped.
    Refused,
    /// A limit stops it.
    Hit(LimitHit),
    /// A signal ends it.
    Signal(i32),
    /// Whatever it does, it does it in time.
    Ends,
    /// It is refused, or the memory limit stops it.
    Bounded,
    /// It may.
    Allowed,
}

/// A run of a widget.
fn widget(name: &str, args: &[&str]) -> Spec {
    let program = std::path::PathBuf::from(env!("CARGO_BIN_EXE_touchstone"));
    let args = ["__hostile", name].iter().chain(args).map(std::ffi::OsString::from).collect();
    Spec {
        args,
        env: Vec::new(),
        files: Files::Fresh { readable: vec![program.clone()] },
        stdin: Stdin::Empty,
        calls: None,
        limits: LIMITS,
        program,
    }
}

fn meets(fate: Fate, outcome: &Outcome) -> bool {
    let says = |word: &str| outcome.stdout.starts_with(word.as_bytes());
    match fate {
        Fate::Refused => outcome.ended == Ended::Exit(0) && outcome.limit_hit.is_none() && says("stopped:"),
        Fate::Allowed => outcome.ended == Ended::Exit(3) && outcome.limit_hit.is_none() && says("through:"),
        Fate::Hit(hit) => outcome.limit_hit == Some(hit),
        Fate::Signal(signal) => outcome.ended == Ended::Signal(signal) && outcome.limit_hit.is_none(),
        Fate::Ends => true,
        Fate::Bounded => meets(Fate::Refused, outcome) || meets(Fate::Hit(LimitHit::Memory), outcome),
    }
}

/// Runs a widget, by every means of counting; afterwards the same sandbox must still run others, and no process may be
/// left.
fn check(walls: Walls, name: &str, args: &[&str], fate: Fate) {
    for mut sandbox in walls.sandboxes() {
        let mut spec = widget(name, args);
        match fate {
            Fate::Hit(LimitHit::Cpu) => spec.limits.cpu_ms = 200,
            Fate::Hit(LimitHit::Wall) => spec.limits.wall_ms = 300,
            // So that it is looked at for no other reason while somebody sleeps in it.
            Fate::Hit(LimitHit::Memory) => (spec.limits.cpu_ms, spec.limits.wall_ms) = (600_000, 1_200_000),
            _ => {}
        }
        let outcome = sandbox.run(&spec).unwrap();
        let said = String::from_utf8_lossy(&outcome.stdout[..outcome.stdout.len().min(200)]).into_owned();
        let shown = (outcome.ended, outcome.limit_hit, outcome.memory_bytes, said);
        let means = sandbox.isolation().memory.clone();
        assert!(meets(fate, &outcome), "{name} behind {walls:?} walls, counted by {means}: {shown:?}");
        // Who is left when another was killed for memory, and would sleep for a minute, is not waited for.
        let is_soon = !matches!(fate, Fate::Hit(LimitHit::Memory)) || outcome.wall_ms < 60_000.0;
        assert!(is_soon, "{name} behind {walls:?} walls, counted by {means}: {} ms", outcome.wall_ms);
        is_clean_after(&mut sandbox, name);
    }
}

fn is_clean_after(sandbox: &mut Sandbox, name: &str) {
    let after = sandbox.run(&widget("descriptors", &[])).unwrap();
    assert!(meets(Fate::Refused, &after), "after {name}: {after:?}");
}

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

fn nobody_outside_can_be_signalled(walls: Walls) {
    // Without spaces it takes another user, or a Landlock that knows of signals, as since Linux 6.12.
    let is_kept = |isolation: &Isolation| isolation.own_user || (isolation.landlock && kernel() >= (6, 12));
    if walls.has_spaces() || kept_by(walls, "another user, or Landlock of Linux 6.12", is_kept) {
        let judge = std::process::id().to_string();
        let parent = nix::unistd::getppid().to_string();
        check(walls, "signal", &[&judge, &parent], Fate::Refused);
    }
}

fn nobody_outside_can_be_traced_or_killed(walls: Walls) {
    check(walls, "ptrace", &[&std::process::id().to_string()], Fate::Refused);
    check(walls, "kill-all", &[], Fate::Refused);
}

/// Whether the machine has what keeps a promise without spaces; said where not.
fn kept_by(walls: Walls, what: &str, is_kept: impl Fn(&Isolation) -> bool) -> bool {
    let is_kept = is_kept(walls.sandbox().isolation());
    if !is_kept {
        lacks(&format!("promise behind {walls:?} walls"), &format!("it takes {what}"));
    }
    is_kept
}

/// Major and minor number.
fn kernel() -> (u32, u32) {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
    let mut numbers = release.split('.').map(|part| part.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

fn the_kernel_is_out_of_reach(walls: Walls) {
    check(walls, "network", &[], Fate::Refused);
    check(walls, "spaces", &[], Fate::Refused);
    check(walls, "mount", &[], Fate::Refused);
    check(walls, "calls", &[], Fate::Refused);
    check(walls, "privileges", &[], Fate::Refused);
    check(walls, "descriptors", &[], Fate::Refused);
    check(walls, "foreign", &[], Fate::Signal(libc::SIGSYS));
    check(walls, "short-pointers", &[], Fate::Signal(libc::SIGSYS));
    check(walls, "devices", &[], Fate::Refused);
    check(walls, "groups", &[], Fate::Refused);
    check(walls, "fresh-code", &[], Fate::Allowed);
}

fn processes_are_bounded_and_none_is_left(walls: Walls) {
    check(walls, "bomb", &[], Fate::Ends);
    check(walls, "bomb-sessions", &[], Fate::Ends);
    check(walls, "daemon", &[], Fate::Refused);
    check(walls, "stop", &[], Fate::Hit(LimitHit::Wall));
    check(walls, "abort", &[], Fate::Signal(libc::SIGABRT));
}

fn time_is_counted_wherever_it_is_spent(walls: Walls) {
    check(walls, "spin", &[], Fate::Hit(LimitHit::Cpu));
    check(walls, "threads-cpu", &[], Fate::Hit(LimitHit::Cpu));
    check(walls, "orphan-cpu", &[], Fate::Hit(LimitHit::Cpu));
    check(walls, "ignored-cpu", &[], Fate::Hit(LimitHit::Cpu));
    check(walls, "sleep", &[], Fate::Hit(LimitHit::Wall));
    check(walls, "drip", &[], Fate::Hit(LimitHit::Wall));
}

fn signals_help_nobody(walls: Walls) {
    check(walls, "deaf", &[], Fate::Hit(LimitHit::Cpu));
    check(walls, "timer-storm", &[], Fate::Hit(LimitHit::Cpu));
    check(walls, "fault-loop", &[], Fate::Hit(LimitHit::Cpu));
    let is_kept = |isolation: &Isolation| isolation.own_user || (isolation.landlock && kernel() >= (6, 12));
    if walls.has_spaces() || kept_by(walls, "another user, or Landlock of Linux 6.12", is_kept) {
        check(walls, "parent", &[], Fate::Refused);
    }
}

fn limits_and_rights_cannot_be_raised(walls: Walls) {
    check(walls, "limits", &[], Fate::Refused);
    check(walls, "core", &[], Fate::Refused);
    check(walls, "scheduling", &[], Fate::Refused);
    check(walls, "set-user", &[], Fate::Refused);
    check(walls, "terminal", &[], Fate::Refused);
}

fn nobody_elses_limits_and_rank_can_be_changed(walls: Walls) {
    check(walls, "others", &[&std::process::id().to_string()], Fate::Refused);
}

fn no_lock_is_a_message(walls: Walls) {
    check(walls, "locks", &[], Fate::Refused);
}

fn nobody_else_is_watched_or_made_to_wait_for_the_disk(walls: Walls) {
    check(walls, "watch", &[], Fate::Refused);
    check(walls, "disk", &[], Fate::Refused);
}

/// What a compiler or a jury's program does in a folder of the judge's has bounds like any program's.
fn tools_are_bounded_too(walls: Walls) {
    let fates = [
        ("bomb", Fate::Ends),
        ("daemon", Fate::Refused),
        ("memory", Fate::Hit(LimitHit::Memory)),
        ("big-file", Fate::Hit(LimitHit::File)),
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

fn no_service_of_the_machine_is_spoken_to(walls: Walls) {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
    let folder = tempfile::tempdir().unwrap();
    let open = |path: &std::path::Path| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).unwrap();
    };
    open(folder.path());
    let (stream, packet) = (folder.path().join("stream"), folder.path().join("packet"));
    let _listener = UnixListener::bind(&stream).unwrap();
    let _receiver = UnixDatagram::bind(&packet).unwrap();
    let name = format!("touchstone-test-{}-{walls:?}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let _hidden = UnixListener::bind_addr(&address).unwrap();
    let places = [stream, packet].map(|path| {
        open(&path);
        path.to_str().unwrap().to_owned()
    });
    check(walls, "services", &[&places[0], &places[1], &name], Fate::Refused);
}

fn input_that_nobody_reads_and_pages_of_files_are_no_memory_of_the_runs(walls: Walls) {
    let large: std::sync::Arc<[u8]> = vec![b'1'; 100 << 20].into();
    // Half as much memory as there is input, read or not.
    for script in ["echo 5", "cat > /dev/null; echo 5", "exec < /dev/null; echo 5"] {
        let mut spec = crate::sandbox::shell(script);
        spec.stdin = Stdin::Bytes(large.clone());
        spec.limits.memory_bytes = 50 << 20;
        for mut sandbox in walls.sandboxes() {
            let outcome = sandbox.run(&spec).unwrap();
            assert_eq!((outcome.ended, outcome.limit_hit), (Ended::Exit(0), None), "{script}: {outcome:?}");
            assert_eq!(outcome.stdout, b"5\n");
        }
    }
}

fn exit_statuses_are_shown_as_they_are(walls: Walls) {
    for status in [0, 1, 2, 3, 42, 43, 124, 127, 137, 255] {
        for mut sandbox in walls.sandboxes() {
            let outcome = sandbox.run(&crate::sandbox::shell(&format!("exit {status}"))).unwrap();
            assert_eq!((outcome.ended, outcome.limit_hit), (Ended::Exit(status), None));
        }
    }
}

fn memory_is_counted_wherever_it_is_taken(walls: Walls) {
    check(walls, "memory", &[], Fate::Hit(LimitHit::Memory));
    check(walls, "children-memory", &["90"], Fate::Hit(LimitHit::Memory));
    check(walls, "children-memory", &["90", "closed"], Fate::Hit(LimitHit::Memory));
    check(walls, "stack", &[], Fate::Hit(LimitHit::Memory));
    check(walls, "reserve", &[], Fate::Allowed);
    check(walls, "child-memory", &[], Fate::Hit(LimitHit::Memory));
    check(walls, "child-memory", &["sleep"], Fate::Hit(LimitHit::Memory));
    check(walls, "page-tables", &[], Fate::Bounded);
    check(walls, "pipes", &[], Fate::Refused);
    check(walls, "sockets", &[], Fate::Bounded);
    check(walls, "notes", &[], Fate::Bounded);
    for mut sandbox in walls.sandboxes() {
        let mut spec = widget("files-memory", &[]);
        spec.limits.file_bytes = 8 << 30;
        let outcome = sandbox.run(&spec).unwrap();
        // Who cannot count it gives none.
        let fate =
            if sandbox.isolation().memory == "rlimit" { Fate::Refused } else { Fate::Hit(LimitHit::Memory) };
        assert!(meets(fate, &outcome), "{outcome:?}");
        is_clean_after(&mut sandbox, "files-memory");
        let outcome = sandbox.run(&Spec { args: widget("fresh-program", &[]).args, ..spec }).unwrap();
        let fate = if sandbox.isolation().memory == "rlimit" { Fate::Refused } else { Fate::Allowed };
        assert!(meets(fate, &outcome), "{outcome:?}");
    }
}

/// As a language has it whose runtime reserves more than it uses.
fn tables_of_pages_are_counted(walls: Walls) {
    for mut sandbox in walls.sandboxes() {
        let mut spec = widget("page-tables", &[]);
        spec.limits.bound_address_space = false;
        let outcome = sandbox.run(&spec).unwrap();
        assert!(meets(Fate::Hit(LimitHit::Memory), &outcome), "{outcome:?}");
        is_clean_after(&mut sandbox, "page-tables");
    }
}

/// Nor is it taken from what that run used, or added to what it may use.
fn memory_that_a_run_leaves_is_gone_before_the_next(walls: Walls) {
    for mut sandbox in walls.sandboxes() {
        sandbox.run(&widget("keep", &[])).unwrap();
        // Less than the limit together with what was left.
        let spec = widget("children-memory", &["80"]);
        let outcome = sandbox.run(&spec).unwrap();
        assert!(meets(Fate::Hit(LimitHit::Memory), &outcome), "{walls:?}: {outcome:?}");
    }
}

fn files_are_bounded(walls: Walls) {
    check(walls, "big-file", &[], Fate::Hit(LimitHit::File));
    check(walls, "big-file", &["deaf"], Fate::Refused);
    check(walls, "sparse", &[], Fate::Hit(LimitHit::File));
    check(walls, "deep-folders", &[], Fate::Ends);
    check(walls, "odd-files", &[], Fate::Refused);
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
        spec.limits.memory_bytes = 40 << 20;
        let outcome = sandbox.run(&spec).unwrap();
        assert!(meets(fate, &outcome), "{name} {args:?}: {:?} {:?}", outcome.ended, outcome.limit_hit);
        is_clean_after(&mut sandbox, name);
    }
}

fn files_are_counted(walls: Walls) {
    check(walls, "many-files", &[], Fate::Refused);
}

fn files_in_memory_are_bounded(walls: Walls) {
    check(walls, "tmp-memory", &[], Fate::Bounded);
}

fn no_share_of_the_cores_is_had_by_sessions(walls: Walls) {
    check(walls, "session", &[], Fate::Refused);
}

fn no_run_finds_what_another_left(walls: Walls) {
    for mut sandbox in walls.sandboxes() {
        sandbox.run(&widget("leave", &[])).unwrap();
        let outcome = sandbox.run(&widget("found", &[])).unwrap();
        assert!(meets(Fate::Refused, &outcome), "{outcome:?}");
    }
}

/// What a neighbour runs, again and again: whatever could reach what is not its own.
const NEIGHBOURS: [&str; 6] = ["bomb", "kill-all", "bomb-sessions", "parent", "memory", "daemon"];

/// Another judge on the same machine, as the same user: its programs are killed by the hundred, and it clears away what they
/// leave, while programs of this one start and end processes.
fn two_judges_at_once_do_each_other_no_harm(walls: Walls) {
    for (_, means) in walls.means() {
        let mut sandbox = walls.counted_by(means);
        // A user's threads are counted together where there is nothing else to tell them apart by.
        let skipped = if walls.has_spaces() || sandbox.isolation().own_user { "" } else { "bomb" };
        let mut neighbour = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "hostile::the_neighbour_apart", "--nocapture"])
            .env("TOUCHSTONE_TEST_NEIGHBOUR", format!("{} {means} {skipped}", walls.flag()))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let spec =
            crate::sandbox::shell("for i in 1 2 3 4 5 6 7 8; do echo $i | cat; (:) & done; wait; exit 9");
        let status = loop {
            let outcome = sandbox.run(&spec).unwrap();
            assert_eq!((outcome.ended, outcome.limit_hit), (Ended::Exit(9), None), "{means}: {outcome:?}");
            assert_eq!(outcome.stdout, b"1\n2\n3\n4\n5\n6\n7\n8\n", "{means}: {outcome:?}");
            if let Some(status) = neighbour.try_wait().unwrap() {
                break status;
            }
        };
        assert!(status.success(), "{means}: {status}");
    }
}

/// Not a test by itself: what [`two_judges_at_once_do_each_other_no_harm`] starts.
#[test]
fn the_neighbour_apart() {
    let Some(asked) = std::env::var_os("TOUCHSTONE_TEST_NEIGHBOUR") else { return };
    let asked = asked.into_string().unwrap();
    let mut words = asked.split_ascii_whitespace();
    let (flag, means, skipped) = (words.next().unwrap(), words.next().unwrap(), words.next());
    let walls = Walls::ALL.into_iter().find(|walls| walls.flag() == flag).unwrap();
    let mut sandbox = walls.counted_by(means);
    for name in NEIGHBOURS.iter().filter(|name| skipped.is_none_or(|skipped| !name.starts_with(skipped))) {
        for _ in 0..3 {
            sandbox.run(&widget(name, &[])).unwrap();
        }
    }
}
