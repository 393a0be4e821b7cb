//! Nothing that was accepted is lost, however often the process ends: a store with judge slots on it, in a process of its
//! own, that is killed over and over while people hand in and staff judge again. Nothing is run; verdicts are made up.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use touchstone::contest::config::{Config, ProblemEntry};
use touchstone::contest::{self, Attempt, View};
use touchstone::store::{
    By, Claim, Finish, Kind, Lane, NewAccount, NewSubmission, RejudgeState, Role, Store, SubmissionFilter,
    SubmissionId, Task,
};
use touchstone::verdict::Verdict;
use touchstone::worker::{Clock, Options, Outcome, Slots};

/// How often the process is killed.
const DEATHS: usize = 110;
/// It lives for so long at most, from its first word on.
const MAX_LIFE_MS: u64 = 60;
const TEAMS: usize = 5;
const SLUGS: [&str; 3] = ["a", "b", "c"];

/// The verdict of a submission, the same whoever judges it how often.
fn verdict(id: SubmissionId) -> Verdict {
    [Verdict::Ac, Verdict::Wa, Verdict::Tle, Verdict::Ce, Verdict::Wa][usize::try_from(id.0).unwrap() % 5]
}

/// Every other one takes a while, so that deaths come at all points of a judging.
fn judge(claim: &Claim) -> Outcome {
    std::thread::sleep(Duration::from_millis(claim.submission.0.cast_unsigned() % 4));
    match claim.task {
        Task::Judge => Outcome::Judged(Box::new(Finish::bare(verdict(claim.submission)))),
        Task::Smallest => Outcome::Smallest(None),
    }
}

/// The time stands still: nothing may hang on it.
fn clock() -> Clock {
    Clock { now_ms: Arc::new(|| 2000), mono_ms: Arc::new(|| 0) }
}

fn start(store: &Arc<Store>) -> Slots {
    let work = Arc::new(|claim: &Claim, _: &mut dyn FnMut(_)| judge(claim));
    Slots::start(store.clone(), Options { slots: 2, clock: clock(), work, on_notice: Arc::new(|_| {}) })
        .unwrap()
}

/// Not a test by itself: what [`nothing_that_was_accepted_is_lost`] starts and kills.
#[test]
fn the_server_apart() {
    let Some(path) = std::env::var_os("TOUCHSTONE_TEST_DEATHS") else { return };
    let store = Arc::new(Store::open(Path::new(&path), 2000).unwrap());
    let _slots = start(&store);
    let staff = By::server(2000);
    let accounts: Vec<_> = store.accounts().unwrap().into_iter().map(|account| account.id).collect();
    // One line at a time, whole: what stands there is what the server answered.
    let say = |word: &str, id: i64| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "DEATHS {word} {id}").and_then(|()| out.flush()).expect("the test reads");
    };
    std::thread::scope(|scope| {
        for (index, account) in accounts.into_iter().enumerate() {
            let (store, say) = (&store, &say);
            scope.spawn(move || {
                for turn in index.. {
                    let kind = if turn % 3 == 0 { Kind::Practice } else { Kind::Contest };
                    let new = NewSubmission {
                        account,
                        slug: SLUGS[turn % SLUGS.len()],
                        language: "cpp",
                        mode: None,
                        file_name: "a.cpp",
                        source: b"int main() {}",
                        at_ms: 2000,
                        kind,
                    };
                    say("accepted", store.submit(&new, None).unwrap().0);
                    std::thread::sleep(Duration::from_millis(7));
                }
            });
        }
        scope.spawn(|| {
            loop {
                for rejudge in store.rejudges().unwrap() {
                    if rejudge.state == RejudgeState::Open && rejudge.left == 0 {
                        store.rejudge_apply(rejudge.id, staff).unwrap();
                        say("applied", rejudge.id.0);
                    }
                }
                let any = SubmissionFilter { before: Some(SubmissionId(40)), ..SubmissionFilter::default() };
                let _ = store.rejudge_start(&any, "again", staff);
                std::thread::sleep(Duration::from_millis(11));
            }
        });
    });
}

/// Starts the process and kills it after `life_ms` from its first word on; `None` kills it before it has said any.
fn live_and_die(path: &Path, life_ms: Option<u64>) -> Vec<SubmissionId> {
    let mut server = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "deaths::the_server_apart", "--nocapture"])
        .env("TOUCHSTONE_TEST_DEATHS", path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(server.stdout.take().unwrap()).lines();
    let mut lines = Vec::new();
    match life_ms {
        Some(life_ms) => {
            lines.push(said.next().expect("it says something").unwrap());
            while lines.last().is_some_and(|line| !line.contains("DEATHS")) {
                lines.push(said.next().expect("it hands something in").unwrap());
            }
            std::thread::sleep(Duration::from_millis(life_ms));
        }
        None => std::thread::sleep(Duration::from_millis(15)),
    }
    server.kill().unwrap();
    server.wait().unwrap();
    lines.extend(said.map_while(Result::ok));
    // A line that was cut short was no answer.
    let accepted = |line: &String| line.split("DEATHS accepted ").nth(1)?.parse().ok().map(SubmissionId);
    lines.iter().filter_map(accepted).collect()
}

fn prepare(path: &Path) {
    let store = Store::open(path, 0).unwrap();
    let account = |n: usize| NewAccount {
        login: format!("team{n}"),
        name: format!("Team {n}"),
        role: Role::Team,
        password_hash: String::new(),
    };
    store.create_accounts(&(0..TEAMS).map(account).collect::<Vec<_>>(), By::server(0)).unwrap();
    let problem = |slug: &&str| ProblemEntry {
        slug: (*slug).to_owned(),
        label: slug.to_uppercase(),
        color: "#000000".to_owned(),
    };
    let problems = SLUGS.iter().map(problem).collect();
    store
        .apply_config(&Config { problems, start_ms: Some(1000), ..Config::default() }, By::server(0))
        .unwrap();
}

#[test]
fn nothing_that_was_accepted_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contest.db");
    prepare(&path);
    let mut rng = ChaCha8Rng::seed_from_u64(47);
    let mut accepted = Vec::new();
    for death in 0..DEATHS {
        let life_ms = (death % 10 != 9).then(|| rng.random_range(0..MAX_LIFE_MS));
        accepted.extend(live_and_die(&path, life_ms));
    }
    assert!(accepted.len() > DEATHS, "{} were accepted", accepted.len());

    let store = Arc::new(Store::open(&path, 2000).unwrap());
    assert_eq!(store.quarantined().unwrap(), [], "nobody was to blame");
    let slots = start(&store);
    let queue = || store.queue().unwrap();
    for _ in 0..60_000 {
        if queue().queued == [0; Lane::ALL.len()] && queue().taken.is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    slots.stop();
    let submissions = store.export().unwrap().submissions;
    let found: HashMap<_, _> = submissions.iter().map(|it| (it.id, it)).collect();
    assert!(accepted.iter().all(|id| found.contains_key(id)), "an accepted submission is not there");
    for submission in &submissions {
        let id = submission.id;
        let current: Vec<_> = store.judgings(id).unwrap().into_iter().filter(|it| it.is_current).collect();
        assert_eq!(current.iter().map(|it| it.verdict).collect::<Vec<_>>(), [verdict(id)], "submission {id}");
    }
    board_is_as_from_scratch(&store, &submissions);
}

/// The board out of what the store gives for boards, against one from what is known here of every submission.
fn board_is_as_from_scratch(store: &Store, submissions: &[touchstone::store::Submission]) {
    let settings = store.settings();
    let (rules, schedule) = (settings.config.as_ref().unwrap().rules, settings.schedule.unwrap());
    let teams: Vec<i64> = store.accounts().unwrap().iter().map(|account| account.id.0).collect();
    let board = |attempts: &[Attempt]| {
        contest::board(&rules, &schedule, &teams, SLUGS.len(), attempts, View::Jury, 3000)
    };
    let from_scratch = submissions.iter().filter(|it| it.kind == Kind::Contest).map(|submission| Attempt {
        id: submission.id.0,
        team: submission.account.0,
        problem: SLUGS.iter().position(|slug| *slug == submission.slug).unwrap(),
        at_ms: submission.at_ms,
        verdict: Some(verdict(submission.id)),
        score: None,
        groups: Vec::new(),
    });
    let (attempts, _) = store.attempts(Kind::Contest).unwrap();
    let found = board(&attempts);
    assert_eq!(found, board(&from_scratch.collect::<Vec<_>>()));
    // And one that somebody kept by events alone, a thousand at a time.
    let kept = Mutex::new(HashMap::new());
    let mut seq = 0;
    loop {
        let (changed, newest) = store.attempts_since(Kind::Contest, seq).unwrap();
        kept.lock().unwrap().extend(changed.into_iter().map(|attempt| (attempt.id, attempt)));
        if seq == newest {
            break;
        }
        seq = newest;
    }
    let mut kept: Vec<Attempt> = kept.into_inner().unwrap().into_values().collect();
    kept.sort_by_key(|attempt| (attempt.at_ms, attempt.id));
    assert_eq!(board(&kept), found);
    assert!(found.rows.iter().any(|row| row.solved > 0));
}
