//! What grading costs: `touchstone grade --no-cache --jobs 1` of a trivial C++ program on 100 small tests, against loops
//! that run the same binary with no sandbox at all (one in C, one in the shell with `cmp`), and against the graders
//! `oj test` and `dmoj-cli` where those are on the search path.
//!
//! Goals: default faster than the shell's loop; strict at most 1.5 × the C loop, 5 × faster than `oj test` and 8 × faster
//! than `dmoj-cli`. `dmoj-cli` compiles each time it is called, so that its call with one test is measured too: what 99
//! more tests cost it is the difference.
//!
//! All are whole commands, run in turn, so that what the machine does meanwhile meets them alike. The numbers that
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

/// Starts its first argument once for each test with files as input and output, and compares what came with the answer.
const LOOP: &str = r#"
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static size_t content(const char *path, char *to, size_t room) {
    int file = open(path, O_RDONLY);
    ssize_t got = file < 0 ? -1 : read(file, to, room);
    if (got < 0) { perror(path); exit(2); }
    close(file);
    return (size_t)got;
}

int main(int count, char **given) {
    if (count != 3) return 2;
    for (int test = 1; test <= atoi(given[2]); test++) {
        char in[64], answer[64], out[4096], expected[4096];
        snprintf(in, sizeof in, "tests/%d.in", test);
        snprintf(answer, sizeof answer, "tests/%d.ans", test);
        posix_spawn_file_actions_t files;
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_addopen(&files, 0, in, O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&files, 1, "out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        char *arguments[] = {given[1], NULL}, *environment[] = {NULL};
        pid_t child;
        int status;
        if (posix_spawn(&child, given[1], &files, NULL, arguments, environment) != 0) return 3;
        posix_spawn_file_actions_destroy(&files);
        if (waitpid(child, &status, 0) != child || status != 0) return 4;
        size_t got = content("out", out, sizeof out);
        if (got != content(answer, expected, sizeof expected) || memcmp(out, expected, got) != 0) return 5;
    }
    return 0;
}
"#;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let desk = folder.path();
    lay_out(desk);
    // Compiles, and warms what can be warm.
    timed(&mut grade(desk, "default"));
    let binary = compiled(&desk.join("cache")).expect("the compiled program in the cache");

    let mut rows: Vec<(&str, Command)> = vec![
        ("loop in C", looped_in_c(desk, &binary)),
        ("loop in the shell", looped_in_the_shell(desk, &binary)),
        ("grade, plain", grade(desk, "plain")),
        ("grade, default", grade(desk, "default")),
        ("grade, strict", grade(desk, "strict")),
    ];
    let mut absent = Vec::new();
    match oj(desk, &binary) {
        Some(command) => rows.push(("oj test", command)),
        None => absent.push("oj"),
    }
    match (dmoj(desk, TESTS), dmoj(desk, 1)) {
        (Some(whole), Some(one)) => {
            rows.push(("dmoj-cli, compiling", whole));
            rows.push(("dmoj-cli, one test", one));
        }
        _ => absent.push("dmoj-cli"),
    }

    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); rows.len()];
    for _ in 0..ROUNDS {
        for ((_, command), times) in rows.iter_mut().zip(&mut times) {
            times.push(timed(command));
        }
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "{TESTS} tests of a trivial C++ program, {ROUNDS} rounds").expect("standard output");
    let times: Vec<(Duration, Duration)> = times.iter_mut().map(|times| smallest_and_median(times)).collect();
    let base = times[0];
    let ratio = |time: Duration, base: Duration| time.as_secs_f64() / base.as_secs_f64();
    for ((name, _), (smallest, median)) in rows.iter().zip(&times) {
        writeln!(
            out,
            "{name:20} smallest {:7.1} ms ({:5.2} × the C loop)   median {:7.1} ms ({:5.2} ×)",
            smallest.as_secs_f64() * 1e3,
            ratio(*smallest, base.0),
            median.as_secs_f64() * 1e3,
            ratio(*median, base.1),
        )
        .expect("standard output");
    }
    let median_of = |wanted: &str| {
        rows.iter().zip(&times).find(|((name, _), _)| *name == wanted).map(|(_, (_, median))| *median)
    };
    let strict = median_of("grade, strict").expect("the row is always there");
    if let Some(oj) = median_of("oj test") {
        writeln!(out, "strict is {:.1} × as fast as oj test", ratio(oj, strict)).expect("standard output");
    }
    if let (Some(whole), Some(one)) = (median_of("dmoj-cli, compiling"), median_of("dmoj-cli, one test")) {
        writeln!(
            out,
            "strict is {:.1} × as fast as dmoj-cli, {:.1} × as fast as its {} tests alone",
            ratio(whole, strict),
            ratio(whole.saturating_sub(one), strict),
            TESTS - 1,
        )
        .expect("standard output");
    }
    for name in absent {
        writeln!(out, "{name} is not on the search path: not measured").expect("standard output");
    }
}

/// The program and its tests in the layouts of all graders: `tests/N.in` with `.ans` (ours) and `.out` (`oj`), and two
/// problems of `dmoj-cli`, one with a single test.
fn lay_out(desk: &Path) {
    let write = |name: &str, text: &str| {
        let path = desk.join(name);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    for test in 1..=TESTS {
        let (input, answer) = (format!("{test} {}\n", 7 * test), format!("{}\n", 8 * test));
        write(&format!("tests/{test}.in"), &input);
        write(&format!("tests/{test}.ans"), &answer);
        write(&format!("oj/{test}.in"), &input);
        write(&format!("oj/{test}.out"), &answer);
        for folder in ["sum100", "sum1"] {
            write(&format!("dmoj/{folder}/{test}.in"), &input);
            write(&format!("dmoj/{folder}/{test}.out"), &answer);
        }
    }
    for tests in [TESTS, 1] {
        let mut list = String::from("test_cases:\n");
        for test in 1..=tests {
            writeln!(list, "- {{in: {test}.in, out: {test}.out, points: 1}}").expect("a string");
        }
        write(&format!("dmoj/sum{tests}/init.yml"), &list);
    }
    write("sum.cpp", SUM);
    write("loop.c", LOOP);
}

fn looped_in_c(desk: &Path, binary: &Path) -> Command {
    let compiled = Command::new("cc")
        .args(["-O2", "-o", "loop", "loop.c"])
        .current_dir(desk)
        .status()
        .expect("a C compiler for the loop");
    assert!(compiled.success(), "the loop in C compiles");
    let mut command = Command::new(desk.join("loop"));
    command.arg(binary).arg(TESTS.to_string()).current_dir(desk);
    command
}

fn looped_in_the_shell(desk: &Path, binary: &Path) -> Command {
    let mut script = String::from("set -e\n");
    writeln!(
        script,
        "for t in $(seq {TESTS}); do '{}' < tests/$t.in > out; cmp -s out tests/$t.ans; done",
        binary.display()
    )
    .expect("a string");
    std::fs::write(desk.join("loop.sh"), script).expect("the loop");
    let mut command = Command::new("sh");
    command.arg("loop.sh").current_dir(desk);
    command
}

fn grade(desk: &Path, isolation: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_touchstone"));
    command
        .args(["grade", "sum.cpp", "--tests", "tests", "--no-cache", "--jobs", "1", "--isolation", isolation])
        .env("XDG_CACHE_HOME", desk.join("cache"))
        .current_dir(desk);
    command
}

fn oj(desk: &Path, binary: &Path) -> Option<Command> {
    let mut command = Command::new(on_path("oj")?);
    command.args(["test", "-d", "oj", "-c"]).arg(binary).current_dir(desk);
    Some(command)
}

fn dmoj(desk: &Path, tests: usize) -> Option<Command> {
    let program = on_path("dmoj-cli")?;
    let compiler = on_path("g++")?;
    let config = format!(
        "problem_storage_globs:\n- {desk}/dmoj/*\nruntime:\n  g++17: {compiler}\ntempdir: {desk}\n",
        desk = desk.display(),
        compiler = compiler.display(),
    );
    std::fs::write(desk.join("judge.yml"), config).expect("a file");
    let mut command = Command::new(program);
    command
        .args(["-c", "judge.yml", "-e", "CPP17", "--skip-self-test", "submit"])
        .args([&format!("sum{tests}"), "CPP17", "sum.cpp"])
        .current_dir(desk);
    Some(command)
}

fn on_path(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|path| path.is_file())
}

fn timed(command: &mut Command) -> Duration {
    command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
    // Cargo's own, which would have every program look for its libraries in folders of many files first.
    command.env_remove("LD_LIBRARY_PATH");
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
