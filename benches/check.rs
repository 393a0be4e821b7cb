//! How fast outputs are compared, as ratios to `cmp` and `diff -w` in the same run: two equal outputs of 100 MB, and two
//! that differ in white space only. Run with `cargo bench --bench check`.

#![expect(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use touchstone::check::{Checker, check};
use touchstone::verdict::Verdict;

/// Size of an output.
const BYTES: usize = 100_000_000;
/// Rounds; the fastest counts, which is the one least disturbed.
const ROUNDS: usize = 7;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| folder.path().join(name);
    let (left, right, spaced, exchanged) = (path("left"), path("right"), path("spaced"), path("exchanged"));
    write(&left, " ", "\n");
    write(&right, " ", "\n");
    write(&spaced, "\t", "\n");
    write(&exchanged, "\n", " ");
    let size = std::fs::metadata(&left).map_or(0, |data| data.len());

    let cmp = fastest(|| ran("cmp", &[], &left, &right));
    println!("two equal outputs of {} MB; cmp takes {:.1} ms", size / 1_000_000, ms(cmp));
    for name in ["exact", "tokens", "lines", "float:1e-6", "unordered"] {
        let took = fastest(|| checked(name, &left, &right));
        println!(
            "  {name:<12} {:>8.1} ms  {:>6.2} × cmp   {:>6.0} MB/s",
            ms(took),
            ratio(took, cmp),
            speed(size, took)
        );
    }
    let diff = fastest_of(2, || ran("diff", &["-w"], &left, &spaced));
    println!("the same with tabs for blanks; diff -w takes {:.1} ms", ms(diff));
    compare_spaced(&left, &spaced, size, diff);
    println!("the same with blanks and line breaks exchanged, which diff -w takes for different");
    compare_spaced(&left, &exchanged, size, diff);
}

fn compare_spaced(left: &Path, right: &Path, size: u64, diff: Duration) {
    for name in ["tokens", "float:1e-6", "unordered"] {
        let took = fastest(|| checked(name, left, right));
        println!(
            "  {name:<12} {:>8.1} ms  {:>6.2} × as fast as diff -w   {:>6.0} MB/s",
            ms(took),
            ratio(diff, took),
            speed(size, took)
        );
    }
}

/// Lines of ten numbers of one to nine digits.
fn write(path: &Path, within: &str, between: &str) {
    let mut file = BufWriter::new(File::create(path).expect("a new file"));
    let (mut state, mut written, mut column) = (1_u64, 0, 0);
    while written < BYTES {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = (state >> 33) % 10_u64.pow(1 + (state >> 60) as u32 % 9);
        column = (column + 1) % 10;
        let token = format!("{number}{}", if column == 0 { between } else { within });
        file.write_all(token.as_bytes()).expect("room for the file");
        written += token.len();
    }
    file.flush().expect("room for the file");
}

fn checked(name: &str, expected: &Path, actual: &Path) {
    let open = |path: &Path| BufReader::new(File::open(path).expect("the file written before"));
    let checker = Checker::parse(name).expect("the name of a checker");
    let checked = check(&checker, &mut open(expected), &mut open(actual)).expect("readable files");
    assert_eq!(checked.verdict, Verdict::Ac, "{}", checked.message);
}

fn ran(program: &str, options: &[&str], left: &Path, right: &Path) {
    let status = Command::new(program).args(options).arg(left).arg(right).stdout(Stdio::null()).status();
    assert!(status.is_ok_and(|status| status.success()), "{program} is needed and finds no difference");
}

fn fastest(work: impl FnMut()) -> Duration {
    fastest_of(ROUNDS, work)
}

fn fastest_of(rounds: usize, mut work: impl FnMut()) -> Duration {
    (0..rounds)
        .map(|_| {
            #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn ratio(time: Duration, to: Duration) -> f64 {
    time.as_secs_f64() / to.as_secs_f64()
}

fn speed(bytes: u64, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}
