//! Programs that misbehave on purpose, behind every choice of walls: what stops them, and that nothing is left of them.
//! The programs are the widgets of `touchstone __hostile`.

use touchstone::sandbox::{Ended, Files, LimitHit, Outcome, Sandbox, Spec, Stdin};

use crate::sandbox::{LIMITS, sandboxes};

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
    /// It may.
    Allowed,
}

/// A run of a widget.
fn widget(name: &str, args: &[&str]) -> Spec {
    let program = std::path::PathBuf::from(env!("CARGO_BIN_EXE_touchstone"));
    let args = ["__hostile", name].iter().chain(args).map(std::ffi::OsString::from).collect();
    let mut limits = LIMITS;
    limits.cpu_ms = 500;
    // Far away, so that a loaded machine never makes it the first to be hit.
    limits.wall_ms = 30_000;
    Spec {
        args,
        env: Vec::new(),
        files: Files::Fresh { readable: vec![program.clone()] },
        stdin: Stdin::Empty,
        calls: None,
        limits,
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
    }
}

/// Runs a widget behind all walls, or behind all but none; afterwards the same sandbox must still run others, and no
/// process may be left.
fn check(name: &str, args: &[&str], fate: Fate, holds_in_plain: bool) {
    for mut sandbox in sandboxes() {
        let has_walls = sandbox.isolation().namespaces;
        if !has_walls && !holds_in_plain {
            continue;
        }
        let mut spec = widget(name, args);
        if matches!(fate, Fate::Hit(LimitHit::Wall)) {
            spec.limits.wall_ms = 300;
        }
        let outcome = sandbox.run(&spec).unwrap();
        let said = String::from_utf8_lossy(&outcome.stdout[..outcome.stdout.len().min(200)]).into_owned();
        let shown = (outcome.ended, outcome.limit_hit, outcome.memory_bytes, said);
        let means = sandbox.isolation().memory.clone();
        assert!(meets(fate, &outcome), "{name} with walls: {has_walls}, counted by {means}: {shown:?}");
        is_clean_after(&mut sandbox, name);
    }
}

fn is_clean_after(sandbox: &mut Sandbox, name: &str) {
    let after = sandbox.run(&widget("descriptors", &[])).unwrap();
    assert!(meets(Fate::Refused, &after), "after {name}: {after:?}");
}

#[test]
fn nothing_outside_can_be_read_or_written() {
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("1.ans");
    std::fs::write(&secret, "secret").unwrap();
    let secret = secret.to_str().unwrap();
    let secrets = [secret, "/etc/shadow", "/etc/hostname", "/root", "/proc/1/environ"];
    check("read", &secrets, Fate::Refused, has_landlock());
    check("link", &[secret, "/etc/hostname"], Fate::Refused, has_landlock());
    check("write", &["/", "/usr", "/etc", "/home", "/var", "/box"], Fate::Refused, has_landlock());
    check("environ", &[], Fate::Refused, has_landlock());
}

#[test]
fn nobody_outside_can_be_signalled_or_traced() {
    let judge = std::process::id().to_string();
    let parent = nix::unistd::getppid().to_string();
    check("signal", &[&judge, &parent], Fate::Refused, has_landlock());
    check("ptrace", &[&judge], Fate::Refused, true);
    check("kill-all", &[], Fate::Refused, true);
}

/// Without walls, some promises are Landlock's.
fn has_landlock() -> bool {
    sandboxes()[0].isolation().landlock
}

#[test]
fn the_kernel_is_out_of_reach() {
    check("network", &[], Fate::Refused, true);
    check("spaces", &[], Fate::Refused, true);
    check("mount", &[], Fate::Refused, true);
    check("calls", &[], Fate::Refused, true);
    check("privileges", &[], Fate::Refused, true);
    check("descriptors", &[], Fate::Refused, true);
    check("foreign", &[], Fate::Signal(libc::SIGSYS), true);
}

#[test]
fn processes_are_bounded_and_none_is_left() {
    check("bomb", &[], Fate::Ends, true);
    check("bomb-sessions", &[], Fate::Ends, true);
    check("daemon", &[], Fate::Refused, true);
    check("stop", &[], Fate::Hit(LimitHit::Wall), true);
    check("abort", &[], Fate::Signal(libc::SIGABRT), true);
}

#[test]
fn time_is_counted_wherever_it_is_spent() {
    check("spin", &[], Fate::Hit(LimitHit::Cpu), true);
    check("threads-cpu", &[], Fate::Hit(LimitHit::Cpu), true);
    check("orphan-cpu", &[], Fate::Hit(LimitHit::Cpu), true);
    check("ignored-cpu", &[], Fate::Hit(LimitHit::Cpu), true);
    check("sleep", &[], Fate::Hit(LimitHit::Wall), true);
}

#[test]
fn memory_is_counted_wherever_it_is_taken() {
    check("memory", &[], Fate::Hit(LimitHit::Memory), true);
    check("children-memory", &["90"], Fate::Hit(LimitHit::Memory), true);
    check("stack", &[], Fate::Hit(LimitHit::Memory), true);
    check("reserve", &[], Fate::Allowed, true);
    for mut sandbox in sandboxes().into_iter().filter(|sandbox| sandbox.isolation().memory != "rlimit") {
        let mut spec = widget("files-memory", &[]);
        spec.limits.file_bytes = 8 << 30;
        let outcome = sandbox.run(&spec).unwrap();
        assert!(meets(Fate::Hit(LimitHit::Memory), &outcome), "{outcome:?}");
        is_clean_after(&mut sandbox, "files-memory");
    }
}

#[test]
fn files_are_bounded() {
    check("big-file", &[], Fate::Hit(LimitHit::Output), true);
    check("many-files", &[], Fate::Refused, false);
    check("deep-folders", &[], Fate::Ends, true);
    check("flood", &[], Fate::Hit(LimitHit::Output), true);
}

#[test]
fn no_run_finds_what_another_left() {
    for mut sandbox in sandboxes() {
        if !sandbox.isolation().namespaces {
            continue;
        }
        sandbox.run(&widget("leave", &[])).unwrap();
        let outcome = sandbox.run(&widget("found", &[])).unwrap();
        assert!(meets(Fate::Refused, &outcome), "{outcome:?}");
    }
}
