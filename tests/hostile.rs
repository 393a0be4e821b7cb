//! Programs that misbehave on purpose, behind every choice of walls: what stops them, and that nothing is left of them.
//! The programs are the widgets of `touchstone __hostile`. What they do to memory and to files, and two judges to each other,
//! has rooms of its own.

mod files;
mod memory;
mod neighbours;

use touchstone::sandbox::{Ended, Files, Isolation, LimitHit, Outcome, Sandbox, Spec, Stdin};

use crate::sandbox::LIMITS;
use crate::toolchain::lacks;
use crate::walls::{Walls, behind_all_walls, behind_spaces};

behind_all_walls![
    nobody_outside_can_be_signalled,
    nobody_outside_can_be_traced_or_killed,
    the_kernel_is_out_of_reach,
    processes_are_bounded_and_none_is_left,
    time_is_counted_wherever_it_is_spent,
    signals_help_nobody,
    limits_and_rights_cannot_be_raised,
    nobody_elses_limits_and_rank_can_be_changed,
    no_service_of_the_machine_is_spoken_to,
    exit_statuses_are_shown_as_they_are,
];
behind_spaces![no_share_of_the_cores_is_had_by_sessions,];

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

fn exit_statuses_are_shown_as_they_are(walls: Walls) {
    for status in [0, 1, 2, 3, 42, 43, 124, 127, 137, 255] {
        for mut sandbox in walls.sandboxes() {
            let outcome = sandbox.run(&crate::sandbox::shell(&format!("exit {status}"))).unwrap();
            assert_eq!((outcome.ended, outcome.limit_hit), (Ended::Exit(status), None));
        }
    }
}

fn no_share_of_the_cores_is_had_by_sessions(walls: Walls) {
    check(walls, "session", &[], Fate::Refused);
}
