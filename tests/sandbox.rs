//! The sandbox as a whole: what runs in it, what it says of it, and what is left afterwards.

use std::sync::atomic::{AtomicBool, Ordering};

use touchstone::sandbox::{Ended, Files, LimitHit, Outcome, RunLimits, SandboxError, Spec, Stdin};

use crate::toolchain::skipped;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![
    input_and_output_are_exact_bytes,
    a_signal_is_shown_as_it_was,
    a_busy_loop_ends_at_the_cpu_limit,
    a_sleeper_ends_at_the_wall_limit,
    a_program_kept_from_the_cores_by_others_loses_no_time,
    a_flood_of_output_is_cut_and_stopped,
    a_flood_of_errors_is_cut_and_harmless,
    a_grandchild_that_holds_the_pipe_delays_nothing,
    requests_are_answered_in_lock_step,
    limits_hold_for_each_call,
    each_run_finds_an_empty_folder,
    a_small_program_is_not_charged_with_the_memory_of_the_sandbox,
    a_program_that_cannot_start_is_the_judges_error,
    want_of_memory_around_the_judge_is_no_fault_of_the_programs,
    nothing_outlives_a_judge_that_is_killed,
    an_interrupted_judge_ends_with_everything_it_runs,
];

pub(crate) const LIMITS: RunLimits = RunLimits {
    // Far away, so that a slow or loaded machine never makes them the first to be hit.
    cpu_ms: 60_000,
    wall_ms: 120_000,
    memory_bytes: 256 << 20,
    stdout_bytes: 1 << 20,
    stderr_kept_bytes: 1000,
    file_bytes: 1 << 20,
    files_bytes: 64 << 20,
    files: 1000,
    processes: 64,
    bound_address_space: true,
};

/// A run of a shell script.
pub(crate) fn shell(script: &str) -> Spec {
    Spec {
        program: "/bin/sh".into(),
        args: vec!["-c".into(), script.into()],
        env: vec![("PATH".into(), "/usr/bin:/bin".into())],
        files: Files::Fresh { readable: Vec::new() },
        stdin: Stdin::Empty,
        calls: None,
        limits: LIMITS,
    }
}

/// The run's outcomes behind these walls, by every means of counting.
fn run(walls: Walls, spec: &Spec) -> Vec<Outcome> {
    walls.sandboxes().iter_mut().map(|sandbox| sandbox.run(spec).unwrap()).collect()
}

fn input_and_output_are_exact_bytes(walls: Walls) {
    let bytes = b"a\r\n\0\xff no final newline";
    let spec = Spec { stdin: Stdin::Bytes(bytes[..].into()), ..shell("cat; echo oops >&2; exit 7") };
    for outcome in run(walls, &spec) {
        assert_eq!(outcome.stdout, bytes);
        assert_eq!(outcome.stderr, b"oops\n");
        assert_eq!((outcome.ended, outcome.limit_hit), (Ended::Exit(7), None));
    }
}

fn a_signal_is_shown_as_it_was(walls: Walls) {
    for (name, number) in [("ABRT", 6), ("KILL", 9), ("SEGV", 11), ("XCPU", 24), ("TERM", 15)] {
        for outcome in run(walls, &shell(&format!("kill -{name} $$"))) {
            assert_eq!((outcome.ended, outcome.limit_hit), (Ended::Signal(number), None));
        }
    }
}

fn a_busy_loop_ends_at_the_cpu_limit(walls: Walls) {
    let mut spec = shell("while :; do :; done");
    spec.limits.cpu_ms = 200;
    for outcome in run(walls, &spec) {
        assert_eq!(outcome.limit_hit, Some(LimitHit::Cpu));
        assert!(outcome.cpu_ms >= 200.0, "{}", outcome.cpu_ms);
    }
}

fn a_sleeper_ends_at_the_wall_limit(walls: Walls) {
    let mut spec = shell("sleep 47");
    spec.limits.wall_ms = 200;
    for outcome in run(walls, &spec) {
        assert_eq!(outcome.limit_hit, Some(LimitHit::Wall));
        assert!(
            (200.0..30_000.0).contains(&outcome.wall_ms) && outcome.cpu_ms < outcome.wall_ms,
            "{outcome:?}"
        );
    }
}

/// Four busy threads for each core leave the program so little of one that it would be stopped by the clock, had it not
/// the time back that it waited.
fn a_program_kept_from_the_cores_by_others_loses_no_time(walls: Walls) {
    if std::fs::read_to_string("/proc/self/schedstat").is_err() {
        skipped("this kernel does not say how long a program waits for a core");
        return;
    }
    let is_over = AtomicBool::new(false);
    let mut spec = shell("while :; do :; done");
    (spec.limits.cpu_ms, spec.limits.wall_ms) = (400, 1000);
    std::thread::scope(|scope| {
        for _ in 0..4 * std::thread::available_parallelism().unwrap().get() {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let outcomes: Vec<_> = walls.sandboxes().iter_mut().map(|sandbox| sandbox.run(&spec)).collect();
        is_over.store(true, Ordering::Relaxed);
        for outcome in outcomes {
            assert_eq!(outcome.unwrap().limit_hit, Some(LimitHit::Cpu));
        }
    });
}

fn a_flood_of_output_is_cut_and_stopped(walls: Walls) {
    for outcome in run(walls, &shell("yes")) {
        assert_eq!(outcome.limit_hit, Some(LimitHit::Output));
        assert_eq!(outcome.stdout.len(), 1 << 20);
    }
}

fn a_flood_of_errors_is_cut_and_harmless(walls: Walls) {
    for outcome in run(walls, &shell("head -c 3000000 /dev/zero >&2; echo end >&2; echo done")) {
        assert_eq!((outcome.limit_hit, outcome.ended), (None, Ended::Exit(0)));
        assert_eq!(outcome.stdout, b"done\n");
        assert!(outcome.stderr.ends_with(b"\0end\n") && outcome.stderr.len() < 1100);
    }
}

fn a_grandchild_that_holds_the_pipe_delays_nothing(walls: Walls) {
    for outcome in run(walls, &shell("(setsid sleep 47 &) ; sleep 48 & echo 5")) {
        assert_eq!((outcome.limit_hit, outcome.ended), (None, Ended::Exit(0)));
        assert_eq!(outcome.stdout, b"5\n");
    }
}

fn requests_are_answered_in_lock_step(walls: Walls) {
    let mut spec = shell("while read line <&3; do echo \"got $line\" >&4; done");
    spec.calls = Some(vec![b"one\n".to_vec(), b"two\n".to_vec(), b"three\n".to_vec()]);
    for outcome in run(walls, &spec) {
        let replies: Vec<_> = outcome.calls.iter().map(|call| call.reply.clone().unwrap()).collect();
        assert_eq!(replies, [b"got one".to_vec(), b"got two".to_vec(), b"got three".to_vec()]);
        assert_eq!(outcome.ended, Ended::Exit(0));
    }
}

fn limits_hold_for_each_call(walls: Walls) {
    let mut spec = shell("read line <&3; echo 1 >&4; read line <&3; while :; do :; done");
    spec.calls = Some(vec![b"one\n".to_vec(), b"two\n".to_vec(), b"three\n".to_vec()]);
    spec.limits.cpu_ms = 500;
    for outcome in run(walls, &spec) {
        assert_eq!(outcome.limit_hit, Some(LimitHit::Cpu));
        assert_eq!(outcome.calls.len(), 2);
        assert_eq!(outcome.calls[0].reply.as_deref(), Some(&b"1"[..]));
        assert_eq!(outcome.calls[1].reply, None);
        assert!(outcome.calls[1].cpu_ms >= 500.0, "{:?}", outcome.calls);
    }
}

fn each_run_finds_an_empty_folder(walls: Walls) {
    for mut sandbox in walls.sandboxes() {
        for _ in 0..3 {
            // Without walls the judge's own user may change no mode.
            let script =
                "ls -A; mkdir -p a/b; echo x > a/b/c; ln -s / link; chmod 0 a || (umask 777; mkdir a/d)";
            let outcome = sandbox.run(&shell(script)).unwrap();
            assert_eq!((outcome.ended, &outcome.stdout[..]), (Ended::Exit(0), &b""[..]), "{outcome:?}");
        }
    }
}

fn a_small_program_is_not_charged_with_the_memory_of_the_sandbox(walls: Walls) {
    // A shell needs a few hundred KiB of its own besides the C library; the sandbox's own processes need more than this.
    let mut spec = shell("exit 0");
    spec.limits.memory_bytes = 4 << 20;
    for outcome in run(walls, &spec) {
        assert_eq!((outcome.ended, outcome.limit_hit), (Ended::Exit(0), None), "{outcome:?}");
        assert!((1..=4 << 20).contains(&outcome.memory_bytes), "{outcome:?}");
    }
}

fn a_program_that_cannot_start_is_the_judges_error(walls: Walls) {
    let spec = Spec { program: "/nonexistent".into(), ..shell("") };
    for mut sandbox in walls.sandboxes() {
        let error = sandbox.run(&spec).unwrap_err().to_string();
        assert_eq!(error, "cannot execute `/nonexistent`: No such file or directory (os error 2)");
    }
}

/// A judge of its own: this test binary again, which runs one script behind these walls, counted by these means, with
/// its temporary files in this folder.
fn judge_apart(walls: Walls, means: &str, temporary: &std::path::Path, script: &str) -> std::process::Child {
    apart(walls, means, temporary, script).spawn().unwrap()
}

fn apart(walls: Walls, means: &str, temporary: &std::path::Path, script: &str) -> std::process::Command {
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "sandbox::the_judge_apart", "--nocapture"])
        .env("TOUCHSTONE_TEST_APART", format!("{} {means} {script}", walls.flag()))
        .env("TMPDIR", temporary)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null());
    command
}

/// Not a test by itself: what [`judge_apart`] starts.
#[test]
fn the_judge_apart() {
    let Some(asked) = std::env::var_os("TOUCHSTONE_TEST_APART") else { return };
    let asked = asked.into_string().unwrap();
    let (flag, rest) = asked.split_once(' ').unwrap();
    let (means, script) = rest.split_once(' ').unwrap();
    let walls = Walls::ALL.into_iter().find(|walls| walls.flag() == flag).unwrap();
    touchstone::sandbox::interrupt::install().unwrap();
    let outer = std::env::var_os("TOUCHSTONE_TEST_OUTER");
    if let Some(outer) = &outer {
        std::fs::write(std::path::Path::new(outer).join("cgroup.procs"), "0").unwrap();
    }
    let mut sandbox = walls.counted_by(means);
    let error = sandbox.run(&shell(script)).unwrap_err();
    let is_wanted = match outer {
        None => matches!(error, SandboxError::Interrupted),
        Some(_) => matches!(error, SandboxError::OutOfMemory),
    };
    assert!(is_wanted, "{error}");
}

/// A judge in a control group that holds less than a program may take: the kernel kills the program there, far from its
/// own limit.
fn want_of_memory_around_the_judge_is_no_fault_of_the_programs(walls: Walls) {
    let means = "cgroup1";
    if !nix::unistd::geteuid().is_root() || !walls.means().iter().any(|(_, name)| *name == means) {
        return skipped("no group around the judge: that takes root and control groups of version 1");
    }
    let own = groups_of_memory();
    let outer = own.join(format!("outer-{}-{}", std::process::id(), walls.flag()));
    std::fs::create_dir(&outer).unwrap();
    std::fs::write(outer.join("memory.limit_in_bytes"), (120_u64 << 20).to_string()).unwrap();
    let folder = open_folder();
    let mut command = apart(walls, means, folder.path(), "head -c 200m /dev/zero | tail > /dev/null; exit 3");
    let status = command.env("TOUCHSTONE_TEST_OUTER", &outer).status().unwrap();
    wait_until(|| std::fs::remove_dir(&outer).is_ok());
    assert!(status.success(), "{status}");
}

/// Where this process's group of version 1 that counts memory lies.
fn groups_of_memory() -> std::path::PathBuf {
    let own = std::fs::read_to_string("/proc/self/cgroup").unwrap();
    let path = own.lines().find_map(|line| line.split_once(":memory:")).unwrap().1;
    std::path::Path::new("/sys/fs/cgroup/memory").join(path.trim_start_matches('/'))
}

/// Processes whose command line holds `mark`.
pub(crate) fn marked(mark: &str) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let sleeps =
        |line: &Vec<u8>| line.starts_with(b"sleep\0") && String::from_utf8_lossy(line).contains(mark);
    lines.filter(sleeps).count()
}

pub(crate) fn wait_until(mut done: impl FnMut() -> bool) {
    for _ in 0..3000 {
        if done() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("it took too long");
}

/// A folder for temporary files that every user may pass through.
pub(crate) fn open_folder() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o711)).unwrap();
    folder
}

fn is_empty(folder: &std::path::Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

/// Control groups that the judge of this number made, wherever groups are mounted.
pub(crate) fn groups_of(judge: u32) -> Vec<std::path::PathBuf> {
    fn look(folder: &std::path::Path, name: &str, found: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if entry.file_name().to_string_lossy().starts_with(name) {
                    found.push(entry.path());
                }
                look(&entry.path(), name, found);
            }
        }
    }
    let mut found = Vec::new();
    look("/sys/fs/cgroup".as_ref(), &format!("touchstone-{judge}-"), &mut found);
    found
}

fn nothing_outlives_a_judge_that_is_killed(walls: Walls) {
    for (index, (_, means)) in walls.means().into_iter().enumerate() {
        let (mark, folder) = (&format!("471{}{index}", walls as u8), open_folder());
        let script = format!("echo > file; sleep {mark} & (setsid sleep {mark} &) ; sleep {mark}");
        let mut judge = judge_apart(walls, means, folder.path(), &script);
        wait_until(|| marked(mark) == 3);
        assert!(!is_empty(folder.path()) && (means == "rlimit" || !groups_of(judge.id()).is_empty()));
        judge.kill().unwrap();
        judge.wait().unwrap();
        wait_until(|| marked(mark) == 0);
        wait_until(|| is_empty(folder.path()));
        wait_until(|| groups_of(judge.id()).is_empty());
    }
}

fn an_interrupted_judge_ends_with_everything_it_runs(walls: Walls) {
    use nix::sys::signal::{Signal, kill};
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        for (index, (_, means)) in walls.means().into_iter().enumerate() {
            let (mark, folder) = (&format!("472{}{index}{}", walls as u8, signal as u8), open_folder());
            let script = format!("echo > file; (setsid sleep {mark} &) ; sleep {mark}");
            let mut judge = judge_apart(walls, means, folder.path(), &script);
            wait_until(|| marked(mark) == 2);
            kill(nix::unistd::Pid::from_raw(judge.id().cast_signed()), signal).unwrap();
            // It says itself, by its status, that it was interrupted and saw it.
            assert!(judge.wait().unwrap().success());
            assert_eq!(marked(mark), 0);
            assert!(is_empty(folder.path()));
            assert_eq!(groups_of(judge.id()), Vec::<std::path::PathBuf>::new());
        }
    }
}
