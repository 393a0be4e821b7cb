//! Judge slots with real programs: what contestants hand in, through the store and the sandbox, to a verdict. A judge that
//! is killed meanwhile is a process of its own, so that no other test is hit.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use touchstone::contest::config::{Config, ProblemEntry};
use touchstone::grade::{Judge, TestSet};
use touchstone::lang::Toolchains;
use touchstone::package;
use touchstone::sandbox::{self, Accounting, Choice};
use touchstone::solve::{Answers, built_in};
use touchstone::store::{
    By, Judging, Kind, NewAccount, NewSubmission, Role, SmallestInput, State, Store, SubmissionId,
};
use touchstone::verdict::Verdict;
use touchstone::worker::{Clock, Grader, Grounds, Notice, Options, Slots};

use crate::sandbox::open_folder;
use crate::toolchain::require;

const SLUG: &str = "stone-game-iii";
const RIGHT: &str = "
import sys
values = list(map(int, sys.stdin.read().split()))[1:]
best = [0] * (len(values) + 3)
for i in reversed(range(len(values))):
    best[i] = max(sum(values[i:i + k]) - best[i + k] for k in (1, 2, 3) if i + k <= len(values))
print('Alice' if best[0] > 0 else 'Bob' if best[0] < 0 else 'Tie')
";
const WRONG: &str = "print('Alice')\n";
const SLOW: &str = "while True: pass\n";

/// Longer than any of this takes on a machine that does ten other things.
fn wait_until(mut is_so: impl FnMut() -> bool) {
    for _ in 0..30_000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it took too long");
}

/// A contest at one problem with a few small tests, judged for real.
struct Scene {
    store: Arc<Store>,
    slots: Option<Slots>,
    notices: Arc<Mutex<Vec<Notice>>>,
    team: touchstone::store::AccountId,
    _folder: tempfile::TempDir,
}

fn grounds(folder: &Path) -> Grounds {
    for (name, values, answer) in
        [("1", "4\n1 2 3 7", "Bob"), ("2", "4\n1 2 3 -9", "Alice"), ("3", "4\n1 2 3 6", "Tie")]
    {
        std::fs::write(folder.join(format!("{name}.in")), format!("{values}\n")).unwrap();
        std::fs::write(folder.join(format!("{name}.ans")), format!("{answer}\n")).unwrap();
    }
    let text = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems").join(SLUG).join("problem.toml");
    let (problem, mistakes) = touchstone::problem::parse(SLUG, &std::fs::read_to_string(text).unwrap());
    Grounds {
        problem: problem.unwrap_or_else(|| panic!("{mistakes:?}")),
        tests: TestSet::new(package::loose(folder).unwrap()),
        jury: None,
        answers: built_in(SLUG).map(Answers::BuiltIn),
        stops_at_first_failure: true,
    }
}

fn scene() -> Scene {
    let folder = open_folder();
    let store = Arc::new(Store::open(&folder.path().join("contest.db"), 0).unwrap());
    let account = NewAccount {
        login: "team".to_owned(),
        name: "Team".to_owned(),
        role: Role::Team,
        password_hash: String::new(),
    };
    let team = store.create_accounts(&[account], By::server(0)).unwrap()[0];
    let problem = ProblemEntry { slug: SLUG.to_owned(), label: "A".to_owned(), color: "#000000".to_owned() };
    let config = Config { problems: vec![problem], ..Config::default() };
    store.apply_config(&config, By::server(0)).unwrap();
    let tests = folder.path().join("tests");
    std::fs::create_dir(&tests).unwrap();
    let grounds = Arc::new(grounds(&tests));
    let config = sandbox::Config {
        launcher: env!("CARGO_BIN_EXE_touchstone").into(),
        isolation: Choice::Strongest,
        accounting: Accounting::Auto,
        hidden: vec![tests],
    };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let started = std::time::SystemTime::UNIX_EPOCH;
    let clock = Clock {
        now_ms: Arc::new(|| 2000),
        mono_ms: Arc::new(move || u64::try_from(started.elapsed().unwrap().as_millis()).unwrap()),
    };
    let grader = Grader {
        judge: Arc::new(Judge::new(config, Toolchains::ask(&path), 2)),
        grounds: Box::new(move |slug| (slug == SLUG).then(|| grounds.clone())),
        cache: folder.path().join("cache"),
        workers: 1,
        clock: clock.clone(),
    };
    let notices = Arc::new(Mutex::new(Vec::new()));
    let heard = notices.clone();
    let on_notice = Arc::new(move |notice| heard.lock().unwrap().push(notice));
    let options = Options { slots: 2, clock, work: grader.into_work(), on_notice };
    let slots = Some(Slots::start(store.clone(), options).unwrap());
    Scene { store, slots, notices, team, _folder: folder }
}

impl Scene {
    fn submit(&self, slug: &str, language: &str, source: &str, kind: Kind) -> SubmissionId {
        let new = NewSubmission {
            account: self.team,
            slug,
            language,
            mode: None,
            // A name that no file may have.
            file_name: "../решение\u{0}.py",
            source: source.as_bytes(),
            at_ms: 2000,
            kind,
        };
        self.store.submit(&new, None).unwrap()
    }

    fn judging(&self, id: SubmissionId) -> Judging {
        wait_until(|| self.store.submission(id).unwrap().state == State::Judged);
        self.store.submission(id).unwrap().judging.unwrap()
    }

    fn verdict(&self, id: SubmissionId) -> Verdict {
        self.judging(id).verdict
    }

    fn smallest(&self, id: SubmissionId) -> Option<SmallestInput> {
        let judging = self.judging(id).id;
        wait_until(|| self.store.smallest(judging).unwrap().is_some());
        self.store.smallest(judging).unwrap().unwrap()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if let Some(slots) = self.slots.take() {
            slots.stop();
        }
    }
}

#[test]
fn programs_get_the_verdicts_that_they_deserve() {
    if !require("python") {
        return;
    }
    let scene = scene();
    let python = |source, kind| scene.submit(SLUG, "python", source, kind);
    let (right, wrong, slow) =
        (python(RIGHT, Kind::Contest), python(WRONG, Kind::Contest), python(SLOW, Kind::Contest));
    let practice = python(WRONG, Kind::Practice);
    assert_eq!(scene.verdict(right), Verdict::Ac);
    assert_eq!(scene.verdict(wrong), Verdict::Wa);
    assert_eq!(scene.verdict(slow), Verdict::Tle);
    let tests = scene.store.judged_tests(scene.judging(wrong).id).unwrap();
    assert_eq!(tests[0].verdict, Some(Verdict::Wa));
    assert_eq!(tests[0].expected.as_deref(), Some(&b"Bob\n"[..]));
    assert_eq!(tests[1].verdict, None, "in the contest the first failure is enough");
    assert!(tests[0].input.as_ref().is_some_and(|input| input.contains("1 2 3 7")), "{:?}", tests[0]);
    let tests = scene.store.judged_tests(scene.judging(practice).id).unwrap();
    assert_eq!(
        tests.iter().map(|test| test.verdict).collect::<Vec<_>>(),
        [Some(Verdict::Wa), Some(Verdict::Ac), Some(Verdict::Wa)]
    );
    let smallest = scene.smallest(practice).expect("it fails on one number");
    assert_eq!((smallest.input.as_str(), smallest.actual.as_str()), ("1\n0\n", "Alice"));
    assert!(scene.store.request_smallest(wrong, 3000).unwrap());
    assert_eq!(scene.smallest(wrong), Some(smallest));
    let notices = scene.notices.lock().unwrap();
    let progress = |done| Notice::Progress { submission: right, account: scene.team, done, tests: 3 };
    assert!((0..=3).all(|done| notices.contains(&progress(done))), "{notices:?}");
    assert!(notices.contains(&Notice::Judged { submission: right, account: scene.team }));
}

#[test]
fn what_does_not_compile_and_what_cannot_be_judged() {
    let scene = scene();
    if require("cpp") {
        let broken = scene.submit(SLUG, "cpp", "int main( {", Kind::Contest);
        let judging = scene.judging(broken);
        assert_eq!(judging.verdict, Verdict::Ce);
        assert!(judging.compile_log.contains("error"), "{}", judging.compile_log);
    }
    let (nowhere, unknown) = (
        scene.submit("gone", "python", RIGHT, Kind::Contest),
        scene.submit(SLUG, "cobol", RIGHT, Kind::Contest),
    );
    assert_eq!((scene.verdict(nowhere), scene.verdict(unknown)), (Verdict::Je, Verdict::Je));
    assert!(scene.judging(nowhere).compile_log.contains("`gone` cannot be judged"));
    assert!(scene.judging(unknown).compile_log.contains("no language `cobol`"));
}

/// Not a test by itself: what the next one starts.
#[test]
fn the_judge_apart() {
    if std::env::var_os("TOUCHSTONE_TEST_SLOTS").is_none() {
        return;
    }
    let scene = scene();
    // Long enough on each test to be killed on one.
    let source = format!("import time\ntime.sleep(0.5)\n{RIGHT}");
    let id = scene.submit(SLUG, "python", &source, Kind::Contest);
    let runs = |notice: &Notice| matches!(notice, Notice::Progress { tests: 3, .. });
    wait_until(|| scene.notices.lock().unwrap().iter().any(runs));
    std::thread::sleep(Duration::from_millis(250));
    let own = std::process::id();
    let busy: Vec<u32> = children(own).into_iter().filter(|child| !children(*child).is_empty()).collect();
    assert!(!busy.is_empty(), "a sandbox runs the program");
    for sandbox in busy {
        kill(Pid::from_raw(sandbox.cast_signed()), Signal::SIGKILL).unwrap();
    }
    assert_eq!(scene.verdict(id), Verdict::Ac);
    assert_eq!(scene.store.judgings(id).unwrap().len(), 1);
    // Those that wait for work die too: whoever would have got one of them is judged all the same.
    for sandbox in children(own) {
        kill(Pid::from_raw(sandbox.cast_signed()), Signal::SIGKILL).unwrap();
    }
    let after = [RIGHT, WRONG].map(|source| scene.submit(SLUG, "python", source, Kind::Contest));
    assert_eq!(after.map(|id| scene.verdict(id)), [Verdict::Ac, Verdict::Wa]);
    crate::toolchain::say("SLOTS judged after all");
}

fn children(of: u32) -> Vec<u32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let parent = |number: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse::<u32>().ok()
    };
    numbers.filter(|number| parent(number) == Some(of)).collect()
}

#[test]
fn a_submission_whose_sandbox_is_killed_is_judged_after_all() {
    if !require("python") {
        return;
    }
    let judge = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "slots::the_judge_apart", "--nocapture"])
        .env("TOUCHSTONE_TEST_SLOTS", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&judge.stderr);
    assert!(judge.status.success() && said.contains("SLOTS judged after all"), "{said}");
}
