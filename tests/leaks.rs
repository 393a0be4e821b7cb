//! Many runs, one after another, in one sandbox: nothing of them may add up. Each judge is a process of its own, so that
//! no other test is counted with it.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use touchstone::sandbox::{LimitHit, Sandbox, Stdin};

use crate::sandbox::{groups_of, open_folder, shell};
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![many_runs_leak_nothing];

/// How many; `TOUCHSTONE_TEST_RUNS` takes another number, and what was found is then printed.
const RUNS: usize = 400;
/// Runs before the first count: tables and caches fill.
const WARM_RUNS: usize = 60;
/// Memory may grow by so much in all, and for each run: an allocator is no book-keeper, but a page a run is a leak.
const SLACK_KIB: u64 = 2048;
const SLACK_PER_RUN_KIB: f64 = 0.5;

/// What a judge and everything below it hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    processes: usize,
    descriptors: usize,
    mounts: usize,
    groups: usize,
    files: usize,
    memory_kib: u64,
}

fn many_runs_leak_nothing(walls: Walls) {
    for (_, means) in walls.means() {
        let folder = open_folder();
        let judge = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "leaks::the_judge_apart", "--nocapture"])
            .env("TOUCHSTONE_TEST_LEAKS", format!("{} {means}", walls.flag()))
            .env("TMPDIR", folder.path())
            .stdout(Stdio::piped())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&judge.stdout);
        let shown = said.lines().filter(|line| line.starts_with("LEAKS")).collect::<Vec<_>>().join("\n");
        if std::env::var_os("TOUCHSTONE_TEST_RUNS").is_some() {
            crate::toolchain::say(&shown);
        }
        assert!(judge.status.success(), "{walls:?}, {means}: {}", String::from_utf8_lossy(&judge.stderr));
        assert!(shown.contains("LEAKS"), "{said}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

/// Not a test by itself: what [`many_runs_leak_nothing`] starts.
#[test]
fn the_judge_apart() {
    let Some(asked) = std::env::var_os("TOUCHSTONE_TEST_LEAKS") else { return };
    let asked = asked.into_string().unwrap();
    let (flag, means) = asked.split_once(' ').unwrap();
    let walls = Walls::ALL.into_iter().find(|walls| walls.flag() == flag).unwrap();
    let runs =
        std::env::var_os("TOUCHSTONE_TEST_RUNS").map_or(RUNS, |runs| runs.to_str().unwrap().parse().unwrap());
    let mut sandbox = walls.counted_by(means);
    (0..WARM_RUNS).for_each(|number| run(&mut sandbox, number));
    let before = held();
    (0..runs).for_each(|number| run(&mut sandbox, number));
    let after = held();
    let found = format!("LEAKS {asked}, {runs} runs\nLEAKS   {before:?}\nLEAKS   {after:?}\n");
    std::io::stdout().write_all(found.as_bytes()).unwrap();
    assert_eq!(Held { memory_kib: 0, ..before }, Held { memory_kib: 0, ..after });
    let most_kib = before.memory_kib + SLACK_KIB + (runs as f64 * SLACK_PER_RUN_KIB) as u64;
    assert!(after.memory_kib <= most_kib, "{before:?} became {after:?}");
}

/// Mostly well-behaved programs, and among them such as leave processes, files, and a run that has to be stopped.
fn run(sandbox: &mut Sandbox, number: usize) {
    let mut spec = shell(match number % 20 {
        3 => "(sleep 49 &) ; (setsid sleep 49 &) ; mkdir -p a/b; echo > a/b/file; kill -KILL $$",
        7 => "yes",
        11 => "echo > file; sleep 49",
        13 => "read line <&3; echo 1 >&4; read line <&3; echo 2 >&4",
        17 => "echo > /tmp/file; mkfifo pipe; ln -s / link; exit 3",
        _ => "cat",
    });
    spec.stdin = Stdin::Bytes(b"x"[..].into());
    match number % 20 {
        7 => spec.limits.stdout_bytes = 1000,
        11 => spec.limits.wall_ms = 20,
        13 => spec.calls = Some(vec![b"one\n".to_vec(), b"two\n".to_vec()]),
        _ => {}
    }
    let outcome = sandbox.run(&spec).unwrap();
    let hit = match number % 20 {
        7 => Some(LimitHit::Output),
        11 => Some(LimitHit::Wall),
        _ => None,
    };
    assert_eq!(outcome.limit_hit, hit, "{number}: {outcome:?}");
}

fn held() -> Held {
    let own = std::process::id();
    let mut pids = vec![own];
    // Zombies too: their parents are who should have waited.
    let parents: Vec<(u32, u32)> =
        fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| of_process(&entry.path())).collect();
    let mut next = 0;
    while next < pids.len() {
        let parent = pids[next];
        pids.extend(parents.iter().filter(|(_, above)| *above == parent).map(|(pid, _)| *pid));
        next += 1;
    }
    let lines = |pid: u32, name: &str| fs::read_to_string(format!("/proc/{pid}/{name}")).unwrap_or_default();
    let resident_kib = |pid: u32| {
        let status = lines(pid, "status");
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap_or("0");
        line.split_ascii_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0)
    };
    Held {
        processes: pids.len(),
        descriptors: pids
            .iter()
            .map(|pid| fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count))
            .sum(),
        mounts: pids[1..].iter().map(|pid| lines(*pid, "mountinfo").lines().count()).sum(),
        groups: groups_of(own).len(),
        files: files(&std::env::temp_dir()),
        memory_kib: pids.iter().map(|pid| resident_kib(*pid)).sum(),
    }
}

/// A process and its parent.
fn of_process(folder: &Path) -> Option<(u32, u32)> {
    let stat = fs::read_to_string(folder.join("stat")).ok()?;
    let parent = stat.get(stat.rfind(')')? + 2..)?.split_ascii_whitespace().nth(1)?.parse().ok()?;
    Some((folder.file_name()?.to_str()?.parse().ok()?, parent))
}

fn files(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| 1 + if entry.path().is_dir() { files(&entry.path()) } else { 0 }).sum()
}
