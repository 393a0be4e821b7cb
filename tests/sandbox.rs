//! The sandbox as a whole: what runs in it, what it says of it, and what is left afterwards.

use std::path::PathBuf;

use touchstone::sandbox::{
    Accounting, Choice, Config, Ended, Files, LimitHit, Outcome, RunLimits, Sandbox, SandboxError, Spec,
    Stdin,
};

/// Every choice of walls that this machine gives, each with every means of counting.
pub(crate) fn sandboxes() -> Vec<Sandbox> {
    let mut all = Vec::new();
    for isolation in [Choice::Plain, Choice::Default, Choice::Strict] {
        for accounting in [Accounting::Rlimit, Accounting::Cgroup1, Accounting::Cgroup2] {
            let launcher = PathBuf::from(env!("CARGO_BIN_EXE_touchstone"));
            match Sandbox::start(&Config { launcher, isolation, accounting }) {
                Ok(sandbox) => all.push(sandbox),
                Err(error) if (isolation, accounting) == (Choice::Plain, Accounting::Rlimit) => {
                    panic!("{error}")
                }
                Err(error) => skipped(isolation, accounting, &error),
            }
        }
    }
    all
}

#[expect(clippy::print_stderr, reason = "what was not tested must be said")]
fn skipped(isolation: Choice, accounting: Accounting, error: &SandboxError) {
    eprintln!("SKIPPED: {isolation:?} isolation with {accounting:?} accounting: {error}");
}

pub(crate) const LIMITS: RunLimits = RunLimits {
    cpu_ms: 1000,
    wall_ms: 3000,
    memory_bytes: 256 << 20,
    stdout_bytes: 1 << 20,
    stderr_kept_bytes: 1000,
    file_bytes: 1 << 20,
    processes: 64,
    bound_address_space: true,
};

/// A run of a shell script.
fn shell(script: &str) -> Spec {
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

/// The run's outcomes behind all the walls there are.
fn run(spec: &Spec) -> Vec<Outcome> {
    sandboxes().iter_mut().map(|sandbox| sandbox.run(spec).unwrap()).collect()
}

#[test]
fn input_and_output_are_exact_bytes() {
    let bytes = b"a\r\n\0\xff no final newline";
    let spec = Spec { stdin: Stdin::Bytes(bytes[..].into()), ..shell("cat; echo oops >&2; exit 7") };
    for outcome in run(&spec) {
        assert_eq!(outcome.stdout, bytes);
        assert_eq!(outcome.stderr, b"oops\n");
        assert_eq!((outcome.ended, outcome.limit_hit), (Ended::Exit(7), None));
    }
}

#[test]
fn a_signal_is_shown_as_it_was() {
    for (name, number) in [("ABRT", 6), ("KILL", 9), ("SEGV", 11), ("XCPU", 24), ("TERM", 15)] {
        for outcome in run(&shell(&format!("kill -{name} $$"))) {
            assert_eq!(outcome.ended, Ended::Signal(number));
        }
    }
}

#[test]
fn a_busy_loop_ends_at_the_cpu_limit() {
    let mut spec = shell("while :; do :; done");
    spec.limits.cpu_ms = 200;
    for outcome in run(&spec) {
        assert_eq!(outcome.limit_hit, Some(LimitHit::Cpu));
        assert!(outcome.cpu_ms >= 200.0, "{}", outcome.cpu_ms);
    }
}

#[test]
fn a_sleeper_ends_at_the_wall_limit() {
    let mut spec = shell("sleep 47");
    spec.limits.wall_ms = 200;
    for outcome in run(&spec) {
        assert_eq!(outcome.limit_hit, Some(LimitHit::Wall));
        assert!(outcome.cpu_ms < 100.0 && outcome.wall_ms < 2000.0, "{outcome:?}");
    }
}

#[test]
fn a_flood_of_output_is_cut_and_stopped() {
    for outcome in run(&shell("yes")) {
        assert_eq!(outcome.limit_hit, Some(LimitHit::Output));
        assert_eq!(outcome.stdout.len(), 1 << 20);
    }
}

#[test]
fn a_flood_of_errors_is_cut_and_harmless() {
    for outcome in run(&shell("head -c 3000000 /dev/zero >&2; echo end >&2; echo done")) {
        assert_eq!((outcome.limit_hit, outcome.ended), (None, Ended::Exit(0)));
        assert_eq!(outcome.stdout, b"done\n");
        assert!(outcome.stderr.ends_with(b"\0end\n") && outcome.stderr.len() < 1100);
    }
}

#[test]
fn a_grandchild_that_holds_the_pipe_delays_nothing() {
    for outcome in run(&shell("(setsid sleep 47 &) ; sleep 48 & echo 5")) {
        assert_eq!((outcome.limit_hit, outcome.ended), (None, Ended::Exit(0)));
        assert_eq!(outcome.stdout, b"5\n");
    }
}

#[test]
fn requests_are_answered_in_lock_step() {
    let mut spec = shell("while read line <&3; do echo \"got $line\" >&4; done");
    spec.calls = Some(vec![b"one\n".to_vec(), b"two\n".to_vec(), b"three\n".to_vec()]);
    for outcome in run(&spec) {
        let replies: Vec<_> = outcome.calls.iter().map(|call| call.reply.clone().unwrap()).collect();
        assert_eq!(replies, [b"got one".to_vec(), b"got two".to_vec(), b"got three".to_vec()]);
        assert_eq!(outcome.ended, Ended::Exit(0));
    }
}

#[test]
fn limits_hold_for_each_call() {
    let mut spec = shell("read line <&3; echo 1 >&4; read line <&3; while :; do :; done");
    spec.calls = Some(vec![b"one\n".to_vec(), b"two\n".to_vec(), b"three\n".to_vec()]);
    spec.limits.cpu_ms = 150;
    for outcome in run(&spec) {
        assert_eq!(outcome.limit_hit, Some(LimitHit::Cpu));
        assert_eq!(outcome.calls.len(), 2);
        assert_eq!(outcome.calls[0].reply.as_deref(), Some(&b"1"[..]));
        assert_eq!(outcome.calls[1].reply, None);
        assert!(outcome.calls[1].cpu_ms >= 150.0, "{:?}", outcome.calls);
    }
}

#[test]
fn each_run_finds_an_empty_folder() {
    for mut sandbox in sandboxes() {
        for _ in 0..3 {
            let script = "ls -A; mkdir -p a/b; echo x > a/b/c; ln -s / link; chmod 0 a";
            let outcome = sandbox.run(&shell(script)).unwrap();
            assert_eq!((outcome.ended, &outcome.stdout[..]), (Ended::Exit(0), &b""[..]), "{outcome:?}");
        }
    }
}

#[test]
fn a_program_that_cannot_start_is_the_judges_error() {
    let spec = Spec { program: "/nonexistent".into(), ..shell("") };
    for mut sandbox in sandboxes() {
        let error = sandbox.run(&spec).unwrap_err().to_string();
        assert_eq!(error, "cannot execute `/nonexistent`: No such file or directory (os error 2)");
    }
}

/// A judge of its own: this test binary again, which runs one script behind strict or plain walls and says when.
fn judge_apart(isolation: Choice, script: &str) -> std::process::Child {
    let name = format!("{isolation:?}");
    std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "sandbox::the_judge_apart", "--nocapture"])
        .env("TOUCHSTONE_TEST_APART", format!("{name} {script}"))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap()
}

/// Not a test by itself: what [`judge_apart`] starts.
#[test]
fn the_judge_apart() {
    let Some(asked) = std::env::var_os("TOUCHSTONE_TEST_APART") else { return };
    let asked = asked.into_string().unwrap();
    let (isolation, script) = asked.split_once(' ').unwrap();
    let isolation = if isolation == "Plain" { Choice::Plain } else { Choice::Strongest };
    let launcher = PathBuf::from(env!("CARGO_BIN_EXE_touchstone"));
    touchstone::sandbox::interrupt::install().unwrap();
    let mut sandbox = Sandbox::start(&Config { launcher, isolation, accounting: Accounting::Auto }).unwrap();
    let mut spec = shell(script);
    spec.limits = RunLimits { cpu_ms: 60_000, wall_ms: 60_000, ..LIMITS };
    let error = sandbox.run(&spec).unwrap_err();
    assert!(matches!(error, SandboxError::Interrupted), "{error}");
}

/// Processes whose command line holds `mark`.
fn marked(mark: &str) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let sleeps =
        |line: &Vec<u8>| line.starts_with(b"sleep\0") && String::from_utf8_lossy(line).contains(mark);
    lines.filter(sleeps).count()
}

fn wait_until(mut done: impl FnMut() -> bool) {
    for _ in 0..3000 {
        if done() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("it took too long");
}

#[test]
fn nothing_outlives_a_judge_that_is_killed() {
    for (isolation, mark) in [(Choice::Plain, "4711"), (Choice::Strict, "4712")] {
        let script = format!("sleep {mark} & (setsid sleep {mark} &) ; sleep {mark}");
        let mut judge = judge_apart(isolation, &script);
        wait_until(|| marked(mark) == 3);
        judge.kill().unwrap();
        judge.wait().unwrap();
        wait_until(|| marked(mark) == 0);
    }
}

#[test]
fn an_interrupted_judge_ends_with_everything_it_runs() {
    use nix::sys::signal::{Signal, kill};
    for (isolation, signal, mark) in
        [(Choice::Plain, Signal::SIGINT, "4713"), (Choice::Strict, Signal::SIGTERM, "4714")]
    {
        let mut judge = judge_apart(isolation, &format!("(setsid sleep {mark} &) ; sleep {mark}"));
        wait_until(|| marked(mark) == 2);
        kill(nix::unistd::Pid::from_raw(judge.id().cast_signed()), signal).unwrap();
        // It says itself, by its status, that it was interrupted and saw it.
        assert!(judge.wait().unwrap().success());
        assert_eq!(marked(mark), 0);
    }
}

#[test]
fn many_runs_leak_nothing() {
    const RUNS: usize = 100;
    let descriptors = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    for (index, mut sandbox) in sandboxes().into_iter().enumerate() {
        let mark = format!("48{index}");
        let script = format!("(sleep {mark} &) ; (setsid sleep {mark} &) ; echo > file; kill -KILL $$");
        let spec = Spec { stdin: Stdin::Bytes(b"x"[..].into()), ..shell(&script) };
        let before = descriptors();
        for _ in 0..RUNS {
            assert_eq!(sandbox.run(&spec).unwrap().ended, Ended::Signal(9));
        }
        // Other tests of this process come and go meanwhile: a leak would grow with the number of runs.
        assert!(descriptors() < before + RUNS, "{before} descriptors became {}", descriptors());
        assert_eq!(marked(&mark), 0);
    }
}
