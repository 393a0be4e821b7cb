//! What grading costs: `touchstone grade --no-cache --jobs 1` of a trivial C++ program on 100 small tests, against a
//! shell loop that runs the same binary and compares with `cmp`. Goal: faster than the loop.
//!
//! Both are whole commands, run in turn, so that what the machine does meanwhile meets them alike. The numbers that
//! count are the ratios; the smallest of each is the least disturbed.

use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TESTS: usize = 100;
const ROUNDS: usize = 15;

const SUM: &str =
    "#include <iostream>\nint main() { long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n";

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let desk = folder.path();
    std::fs::create_dir(desk.join("tests")).expect("a folder for the tests");
    for test in 1..=TESTS {
        let write = |ending: &str, text: String| {
            std::fs::write(desk.join(format!("tests/{test}.{ending}")), text).expect("a test");
        };
        write("in", format!("{test} {}\n", 7 * test));
        write("ans", format!("{}\n", 8 * test));
    }
    std::fs::write(desk.join("sum.cpp"), SUM).expect("the program");
    // Compiles, and warms what can be warm.
    timed(&mut grade(desk, "default"));
    let binary = compiled(&desk.join("cache")).expect("the compiled program in the cache");
    let mut script = String::from("set -e\n");
    writeln!(
        script,
        "for t in $(seq {TESTS}); do '{}' < tests/$t.in > out; cmp -s out tests/$t.ans; done",
        binary.display()
    )
    .expect("a string");
    std::fs::write(desk.join("loop.sh"), script).expect("the loop");

    let mut times: [Vec<Duration>; 4] = Default::default();
    for _ in 0..ROUNDS {
        times[0].push(timed(Command::new("sh").arg("loop.sh").current_dir(desk)));
        for (slot, isolation) in [(1, "plain"), (2, "default"), (3, "strict")] {
            times[slot].push(timed(&mut grade(desk, isolation)));
        }
    }
    let mut out = std::io::stdout().lock();
    let names = ["shell loop", "grade, plain", "grade, default", "grade, strict"];
    let base = smallest_and_median(&mut times[0]);
    writeln!(out, "{TESTS} tests of a trivial C++ program, {ROUNDS} rounds").expect("standard output");
    for (name, times) in names.iter().zip(&mut times) {
        let (smallest, median) = smallest_and_median(times);
        let ratio = |time: Duration, base: Duration| time.as_secs_f64() / base.as_secs_f64();
        writeln!(
            out,
            "{name:16} smallest {:7.1} ms ({:.2} × the loop)   median {:7.1} ms ({:.2} ×)",
            smallest.as_secs_f64() * 1e3,
            ratio(smallest, base.0),
            median.as_secs_f64() * 1e3,
            ratio(median, base.1),
        )
        .expect("standard output");
    }
}

fn grade(desk: &Path, isolation: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_touchstone"));
    command
        .args(["grade", "sum.cpp", "--tests", "tests", "--no-cache", "--jobs", "1", "--isolation", isolation])
        .env("XDG_CACHE_HOME", desk.join("cache"))
        .current_dir(desk);
    command
}

fn timed(command: &mut Command) -> Duration {
    command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
    #[expect(clippy::disallowed_methods, reason = "a bench measures time")]
    let begun = Instant::now();
    let status = command.status().expect("the command starts");
    let time = begun.elapsed();
    assert!(status.success(), "{command:?} ended with {status}");
    time
}

/// The largest executable file below `folder`.
fn compiled(folder: &Path) -> Option<PathBuf> {
    let mut open = vec![folder.to_path_buf()];
    let mut found: Option<(u64, PathBuf)> = None;
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).ok()?.flatten() {
            let data = entry.metadata().ok()?;
            if data.is_dir() {
                open.push(entry.path());
            } else if data.permissions().mode() & 0o111 != 0
                && found.as_ref().is_none_or(|(length, _)| data.len() > *length)
            {
                found = Some((data.len(), entry.path()));
            }
        }
    }
    found.map(|(_, path)| path)
}

fn smallest_and_median(times: &mut [Duration]) -> (Duration, Duration) {
    times.sort();
    (times[0], times[times.len() / 2])
}
