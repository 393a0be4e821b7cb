//! What the sandbox costs: runs of a trivial C++ program, linked statically and dynamically, behind each choice of walls,
//! against starting it with nothing around it (the floor: vfork, exec, read its output, wait). Goals, as ratios to the
//! floor: dynamic 1.25 pooled and 1.45 strict; static 1.45 pooled and 1.9 strict; two workers 1.7 times one. Then how late a
//! program is stopped, at most 15 ms of CPU time after its limit, and how long 64 processes take to be gone, at most 20 ms.
//!
//! Everything takes turns within one process, so that what the machine does meanwhile meets all alike; the lower
//! quartile is what counts.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use touchstone::sandbox::{Accounting, Choice, Config, Files, RunLimits, Sandbox, Spec, Stdin};

const ROUNDS: usize = 40;
const RUNS: usize = 10;
const SUM: &str =
    "#include <iostream>\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n";

fn main() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    open_to_all(folder.path());
    let mut out = std::io::stdout().lock();
    for (name, flags) in [("static C++", &["-static"][..]), ("dynamic C++", &[])] {
        let program = compile(folder.path(), flags);
        let mut sandboxes = sandboxes();
        let spec = spec(&program);
        let mut times = vec![Vec::new(); sandboxes.len() + 1];
        for round in 0..=ROUNDS {
            let mut taken = vec![per_run(|| floor(&program))];
            for (_, sandbox) in &mut sandboxes {
                taken.push(per_run(|| {
                    let outcome = sandbox.run(&spec).expect("a run");
                    assert_eq!(outcome.stdout, b"5\n");
                }));
            }
            // The first round warms.
            if round > 0 {
                times.iter_mut().zip(taken).for_each(|(times, taken)| times.push(taken));
            }
        }
        let base = quartile(&mut times[0]);
        writeln!(out, "{name}: floor {:.0} µs", base * 1e6).expect("standard output");
        for ((label, _), times) in sandboxes.iter().zip(&mut times[1..]) {
            let time = quartile(times);
            writeln!(out, "  {label:28} {:6.0} µs  {:.2} × the floor", time * 1e6, time / base)
                .expect("standard output");
        }
        workers(&mut out, &spec);
    }
    for (label, sandbox) in &mut sandboxes() {
        let spin = late(sandbox, "while :; do :; done");
        let many =
            late(sandbox, "i=0; while [ $i -lt 62 ]; do while :; do :; done & i=$((i + 1)); done; wait");
        let gone = gone_after(sandbox);
        writeln!(
            out,
            "{label:28} CPU time past the limit: one busy process {spin:.1} ms, 63 {many:.1} ms; 63 sleeping ones gone {gone:.1} ms \
             after the main one (medians of {STOPS})"
        )
        .expect("standard output");
    }
}

const STOPS: usize = 9;

/// CPU time that a script gets past its limit, in milliseconds.
fn late(sandbox: &mut Sandbox, script: &str) -> f64 {
    let mut spec = shell(script);
    spec.limits.cpu_ms = 300;
    median(|| sandbox.run(&spec).expect("a run").cpu_ms - 300.0)
}

/// How long it takes after the end of a program until all that it left is gone, in milliseconds.
fn gone_after(sandbox: &mut Sandbox) -> f64 {
    let spec = shell("i=0; while [ $i -lt 62 ]; do sleep 60 & i=$((i + 1)); done");
    median(|| {
        let began = now();
        let outcome = sandbox.run(&spec).expect("a run");
        began.elapsed().as_secs_f64() * 1e3 - outcome.wall_ms
    })
}

fn median(measure: impl FnMut() -> f64) -> f64 {
    let mut found: Vec<f64> = std::iter::repeat_with(measure).take(STOPS).collect();
    found.sort_by(f64::total_cmp);
    found[STOPS / 2]
}

fn shell(script: &str) -> Spec {
    let mut spec = spec(Path::new("/bin/sh"));
    spec.args = vec!["-c".into(), script.into()];
    spec.env = vec![("PATH".into(), "/usr/bin:/bin".into())];
    spec
}

/// Runs per second of two workers against those of one.
fn workers(out: &mut dyn std::io::Write, spec: &Spec) {
    const EACH: usize = 400;
    let start = |isolation| Sandbox::start(&config(isolation, Accounting::Auto)).expect("a sandbox");
    let mut ratios = Vec::new();
    for _ in 0..5 {
        let rate = |count: usize| {
            let mut sandboxes: Vec<Sandbox> = (0..count).map(|_| start(Choice::Strict)).collect();
            sandboxes.iter_mut().for_each(|sandbox| drop(sandbox.run(spec).expect("a run")));
            let began = now();
            std::thread::scope(|scope| {
                for sandbox in &mut sandboxes {
                    scope.spawn(move || (0..EACH).for_each(|_| drop(sandbox.run(spec).expect("a run"))));
                }
            });
            (count * EACH) as f64 / began.elapsed().as_secs_f64()
        };
        let one = rate(1);
        ratios.push(rate(2) / one);
    }
    ratios.sort_by(f64::total_cmp);
    writeln!(out, "  two workers, strict: {:.2} × the runs of one (median of 5)", ratios[2])
        .expect("standard output");
}

fn config(isolation: Choice, accounting: Accounting) -> Config {
    Config {
        launcher: PathBuf::from(env!("CARGO_BIN_EXE_touchstone")),
        isolation,
        accounting,
        hidden: Vec::new(),
    }
}

fn sandboxes() -> Vec<(String, Sandbox)> {
    let mut all = Vec::new();
    for isolation in [Choice::Plain, Choice::Default, Choice::Strict] {
        for accounting in [Accounting::Rlimit, Accounting::Auto] {
            if let Ok(sandbox) = Sandbox::start(&config(isolation, accounting)) {
                let label = format!("{isolation:?}, {}", sandbox.isolation().memory).to_lowercase();
                // `cargo bench --bench sandbox -- strict` measures that alone.
                let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
                if wanted.is_none_or(|wanted| label.contains(&wanted)) {
                    all.push((label, sandbox));
                }
            }
        }
    }
    all
}

fn spec(program: &Path) -> Spec {
    Spec {
        program: program.to_owned(),
        args: Vec::new(),
        env: Vec::new(),
        files: Files::Fresh { readable: vec![program.to_owned()] },
        stdin: Stdin::Bytes(b"2 3\n"[..].into()),
        calls: None,
        limits: RunLimits {
            cpu_ms: 2000,
            wall_ms: 10_000,
            memory_bytes: 256 << 20,
            stdout_bytes: 1 << 20,
            stderr_kept_bytes: 1000,
            file_bytes: 1 << 20,
            files_bytes: 1 << 20,
            files: 100,
            processes: 64,
            bound_address_space: true,
        },
    }
}

fn compile(folder: &Path, flags: &[&str]) -> PathBuf {
    let source = folder.join("sum.cpp");
    std::fs::write(&source, SUM).expect("the source");
    std::fs::write(folder.join("in"), "2 3\n").expect("the input");
    let program = folder.join(format!("sum{}", flags.concat()));
    let status = Command::new("g++").args(["-O2", "-o"]).arg(&program).arg(&source).args(flags).status();
    assert!(status.expect("g++").success());
    program
}

fn open_to_all(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).expect("permissions");
}

/// Starts the program with nothing around it. The runtime uses posix_spawn, which is vfork and exec.
fn floor(program: &Path) {
    let input = std::fs::File::open(program.with_file_name("in")).expect("the input");
    let child =
        Command::new(program).env_clear().stdin(input).stdout(Stdio::piped()).spawn().expect("a start");
    assert_eq!(child.wait_with_output().expect("an end").stdout, b"5\n");
}

fn per_run(mut run: impl FnMut()) -> Duration {
    let began = now();
    (0..RUNS).for_each(|_| run());
    began.elapsed() / u32::try_from(RUNS).expect("a small number")
}

#[expect(clippy::disallowed_methods, reason = "a bench measures")]
fn now() -> Instant {
    Instant::now()
}

fn quartile(times: &mut [Duration]) -> f64 {
    times.sort();
    times[times.len() / 4].as_secs_f64()
}
