//! Generating and writing 100 tests of 50,000 numbers, against a generator in C++ as setters write it and against
//! copying the same bytes; and the whole packages of the nine problems that come with the program, solving included,
//! against copying them. Prints ratios of medians, measured in turns in this very run; judges nothing.

#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;

use touchstone::generate::{make, plan};
use touchstone::input::render;
use touchstone::package::{self, Options, Workspace};
use touchstone::problem::{Problem, parse};
use touchstone::sandbox::{Accounting, Choice};
use touchstone::solve::Runner;

/// Rounds, each of which measures every contestant once.
const ROUNDS: usize = 5;
/// Tests of a round.
const TESTS: usize = 100;

const PROBLEM: &str = r#"
format = 1
title = { en = "Large" }
[limits]
time = "1s"
memory = "256MiB"
[size]
n = { min = 1, max = 50_000 }
[[input]]
name = "stones"
type = "array"
len = "n"
item = { type = "int", min = -1000, max = 1000 }
[answer]
solver = "stone-game-iii"
[families]
exhaustive = { budget = 0 }
small_random = { count = 0 }
max_small_values = { count = 0 }
max_random = { count = 100 }
off = ["edges/*", "edges/*/*"]
"#;

/// A generator in the manner of testlib, written anew: the 48-bit linear congruential generator of java.util.Random
/// seeded from the arguments, draws by rejection, output by printf. It is started once for each test.
const CPP: &str = r#"
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Random {
    unsigned long long state = 3905348978240129619ULL;

    Random(int argc, char** argv) {
        for (int i = 1; i < argc; i++) {
            for (size_t at = 0; at < strlen(argv[i]); at++) {
                state = state * 0x5DEECE66DULL + (unsigned char)argv[i][at] + 0xBULL;
            }
            state += 0x5DEECE66DULL / 0xBULL;
        }
        state &= (1ULL << 48) - 1;
    }
    long long bits(int count) {
        state = (state * 0x5DEECE66DULL + 0xBULL) & ((1ULL << 48) - 1);
        return (long long)(state >> (48 - count));
    }
    long long below(long long n) {
        const long long limit = (1LL << 62) / n * n;
        long long drawn;
        do {
            drawn = (bits(31) << 31) ^ bits(31);
        } while (drawn >= limit);
        return drawn % n;
    }
    int next(int from, int to) { return (int)(below((long long)to - from + 1) + from); }
};

int main(int argc, char** argv) {
    Random random(argc, argv);
    int n = atoi(argv[1]);
    printf("%d\n", n);
    for (int i = 0; i < n; i++) {
        if (i > 0) printf(" ");
        printf("%d", random.next(-1000, 1000));
    }
    printf("\n");
}
"#;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let root = folder.path();
    let Some(generator) = compile(root) else {
        println!("generate: skipped, as g++ is missing");
        return;
    };
    fs::create_dir_all(root.join("problems/large")).expect("a folder");
    fs::write(root.join("problems/large/problem.toml"), PROBLEM).expect("a file");
    let problem = parse("large", PROBLEM).0.expect("the problem is right");
    let mut bytes = 0;
    let mut times: [Vec<Cost>; 7] = Default::default();
    for round in 0..=ROUNDS {
        // New folders each round, all kept to the end: file systems such as ext4 are slow to create files for some
        // seconds after others were removed.
        let folder = root.join(format!("round-{round}"));
        let part = |name: &str| folder.join(name);
        for name in ["cpp", "inputs", "inputs_of_two", "one", "two"] {
            fs::create_dir_all(part(name)).expect("a folder");
        }
        let seed = round as u64;
        let measured = [
            timed(|| in_cpp(&generator, &part("cpp"), round)),
            timed(|| inputs_only(&problem, &part("inputs"), seed, 1)),
            timed(|| inputs_only(&problem, &part("inputs_of_two"), seed, 2)),
            timed(|| whole(root, &problem, &part("one"), 1, seed)),
            timed(|| whole(root, &problem, &part("two"), 2, seed)),
            timed(|| copy(&part("one"), &part("copy"))),
            timed(|| copy(&part("inputs"), &part("copied_inputs"))),
        ];
        // The first round warms the caches.
        if round > 0 {
            for (times, time) in times.iter_mut().zip(measured) {
                times.push(time);
            }
        }
        bytes = size(&part("inputs"));
    }
    report(times.each_ref().map(|costs| median(costs)), bytes);
    the_nine(root);
}

/// `generate` of all nine problems with two threads against `cp` of what it wrote.
fn the_nine(root: &Path) {
    let own = Workspace::at(Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf());
    let slugs = own.problems().expect("the problems are listed");
    let problems: Vec<Problem> = slugs.iter().map(|slug| own.load(slug).expect("a problem").0).collect();
    let (mut made, mut copied, mut bytes) = (Vec::new(), Vec::new(), 0);
    let mut each: Vec<Vec<Cost>> = vec![Vec::new(); problems.len()];
    for round in 0..=ROUNDS {
        let out = root.join(format!("nine-{round}"));
        fs::create_dir_all(&out).expect("a folder");
        let mut of_each = Vec::new();
        let all = timed(|| {
            bytes = 0;
            for problem in &problems {
                of_each.push(timed(|| {
                    let options = options(root, &out, 2, problem.seed);
                    let manifest = package::generate(&own, problem, &options, &|_| {});
                    bytes += manifest.expect("a package").bytes();
                }));
            }
        });
        let copy = timed(|| copy(&out, &root.join(format!("nine-{round}-copied"))));
        if round > 0 {
            made.push(all);
            copied.push(copy);
            each.iter_mut().zip(of_each).for_each(|(costs, cost)| costs.push(cost));
        }
    }
    let (made, copied) = (median(&made), median(&copied));
    println!("\ngenerate: the {} problems, {:.1} MB, two threads", problems.len(), bytes as f64 / 1e6);
    for (problem, costs) in problems.iter().zip(&each) {
        let cost = median(costs);
        println!("  {:34} {:10.1} {:10.1}", problem.slug, cost.wall_ms, cost.cpu_ms);
    }
    println!("  {:34} {:10.1} {:10.1}", "all", made.wall_ms, made.cpu_ms);
    println!("  {:34} {:10.1} {:10.1}", "cp of all", copied.wall_ms, copied.cpu_ms);
    let (wall, cpu) = (made.wall_ms / copied.wall_ms, made.cpu_ms / copied.cpu_ms);
    println!("  {wall:.2} x as long, {cpu:.2} x the CPU time (goal: 3)");
}

fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").metadata().expect("metadata").len()).sum()
}

fn report([cpp, inputs, inputs_of_two, one, two, copied, copied_inputs]: [Cost; 7], bytes: u64) {
    let mb = bytes as f64 / 1e6;
    println!("generate: {TESTS} tests of 50,000 numbers, {mb:.1} MB, medians of {ROUNDS} rounds");
    println!("  {:34} {:>10} {:>10}   wall and CPU against", "", "wall ms", "CPU ms");
    let line = |name: &str, cost: Cost, against: &str| {
        println!("  {name:34} {:10.1} {:10.1}   {against}", cost.wall_ms, cost.cpu_ms);
    };
    let faster = |ours: Cost| {
        format!("C++: {:.1} x, {:.1} x as fast", cpp.wall_ms / ours.wall_ms, cpp.cpu_ms / ours.cpu_ms)
    };
    let slower = |ours: Cost, cp: Cost| {
        format!("{:.2} x, {:.2} x as long", ours.wall_ms / cp.wall_ms, ours.cpu_ms / cp.cpu_ms)
    };
    line("C++ like testlib, once a test", cpp, "");
    let both = |ours, cp| format!("{}; cp: {}", faster(ours), slower(ours, cp));
    line("inputs, one thread", inputs, &format!("{} (goals: 6 and 2)", both(inputs, copied_inputs)));
    line("inputs, two threads", inputs_of_two, &both(inputs_of_two, copied_inputs));
    line("package, one thread", one, &both(one, copied));
    line("package, two threads", two, &both(two, copied));
    line("cp of the inputs", copied_inputs, "");
    line("cp of the package", copied, "");
}

fn compile(root: &Path) -> Option<std::path::PathBuf> {
    let (source, program) = (root.join("generator.cpp"), root.join("generator"));
    fs::write(&source, CPP).expect("a file");
    let compiled = Command::new("g++").args(["-O2", "-o"]).arg(&program).arg(&source).status();
    compiled.is_ok_and(|status| status.success()).then_some(program)
}

/// Wall and CPU time in milliseconds. The second holds where others use the machine too: it counts this process and
/// the children that have ended.
#[derive(Clone, Copy)]
struct Cost {
    wall_ms: f64,
    cpu_ms: f64,
}

fn timed(work: impl FnOnce()) -> Cost {
    let cpu = cpu_ms();
    #[expect(clippy::disallowed_methods, reason = "a bench reads a clock")]
    let start = Instant::now();
    work();
    Cost { wall_ms: start.elapsed().as_secs_f64() * 1000.0, cpu_ms: cpu_ms() - cpu }
}

fn cpu_ms() -> f64 {
    [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN]
        .into_iter()
        .map(|who| getrusage(who).expect("the system counts"))
        .flat_map(|usage| [usage.user_time(), usage.system_time()])
        .map(|time| time.num_microseconds() as f64 / 1000.0)
        .sum()
}

fn median(costs: &[Cost]) -> Cost {
    let middle = |of: fn(&Cost) -> f64| {
        let mut times: Vec<f64> = costs.iter().map(of).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    Cost { wall_ms: middle(|cost| cost.wall_ms), cpu_ms: middle(|cost| cost.cpu_ms) }
}

fn in_cpp(generator: &Path, folder: &Path, round: usize) {
    for test in 0..TESTS {
        let file = File::create(folder.join(format!("{test:03}.in"))).expect("a file");
        let status = Command::new(generator)
            .args(["50000", &format!("{round}-{test}")])
            .stdin(Stdio::null())
            .stdout(file)
            .status();
        assert!(status.expect("the generator starts").success());
    }
}

fn inputs_only(problem: &Problem, folder: &Path, seed: u64, threads: usize) {
    let plan = plan(problem);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut text = Vec::new();
                while let Some(test) =
                    Some(next.fetch_add(1, Ordering::Relaxed)).filter(|test| *test < plan.len())
                {
                    text.clear();
                    let made = make(problem, seed, &plan[test]).expect("an input");
                    render(&problem.model, &made.members[0], &mut text);
                    fs::write(folder.join(format!("{test:03}.in")), &text).expect("a file");
                }
            });
        }
    });
}

/// Built-in solvers give the answers, so that nothing is ever run.
fn options(root: &Path, out: &Path, jobs: usize, seed: u64) -> Options {
    let runner = Runner {
        launcher: root.to_path_buf(),
        path: std::ffi::OsString::new(),
        cache: root.to_path_buf(),
        isolation: Choice::Plain,
        accounting: Accounting::Rlimit,
    };
    Options { seed, jobs, out: Some(out.to_path_buf()), runner }
}

fn whole(root: &Path, problem: &Problem, out: &Path, jobs: usize, seed: u64) {
    let options = options(root, out, jobs, seed);
    let manifest = package::generate(&Workspace::at(root.to_path_buf()), problem, &options, &|_| {});
    assert_eq!(manifest.expect("a package").tests.len(), TESTS);
}

fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-r").arg(from).arg(to).status();
    assert!(status.expect("cp starts").success());
}
