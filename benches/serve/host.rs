//! The server that is measured: a contest in a process of its own, whose judging is a stub that sleeps.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};
use touchstone::contest::config::{Config, ProblemEntry, default_color, default_label};
use touchstone::grade::TestSet;
use touchstone::lang::Table;
use touchstone::package::Package;
use touchstone::store::{AccountId, By, Finish, Kind, Lane, NewAccount, NewSubmission, Role, Session, Store};
use touchstone::verdict::Verdict;
use touchstone::web::{self, Catalogue, Served, ServedProblem, Statement};
use touchstone::worker::{Clock, Grounds, Options, Outcome, Progress, Slots};

use crate::{HOURS_MS, Workload, now};

/// Says which workload's server this process is to be.
pub(crate) const SERVER: &str = "TOUCHSTONE_BENCH_SERVER";
/// A run of the stub: two and a half seconds of the contest.
pub(crate) const RUN: Duration = Duration::from_millis(250);
/// Runs at once: enough machines for the contest, so that what is measured is not the queue.
const SLOTS: usize = 12;

#[expect(clippy::disallowed_methods, reason = "a contest has a clock")]
fn now_ms() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis())
        .expect("soon")
}

pub(crate) fn token(team: usize) -> String {
    format!("{team:064x}")
}

pub(crate) fn serve(load: &Workload) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = Arc::new(Store::open(&folder.path().join("contest.db"), now_ms()).expect("a database"));
    let start_ms = now_ms() - load.begun_ms_ago;
    let problems = (0..load.problems).map(|at| ProblemEntry {
        slug: format!("problem-{at}"),
        label: default_label(at),
        color: default_color(at),
    });
    let config = Config {
        start_ms: Some(start_ms),
        problems: problems.collect(),
        max_submissions_per_minute: 1000,
        ..Config::default()
    };
    let teams = fill(&store, load, &config, start_ms);
    for (at, team) in teams.iter().enumerate() {
        let session = Session {
            account: *team,
            created_at_ms: now_ms(),
            seen_at_ms: now_ms(),
            expires_at_ms: now_ms() + 24 * HOURS_MS,
        };
        store.create_session(&Sha256::digest(token(at)).into(), &session, false).expect("a session");
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let begun = now();
    let clock = Clock {
        now_ms: Arc::new(now_ms),
        mono_ms: Arc::new(move || u64::try_from(begun.elapsed().as_millis()).expect("soon")),
    };
    let served = Served {
        store: Arc::clone(&store),
        problems: Arc::new(Catalogue::new(
            config.problems.iter().map(|entry| (entry.slug.clone(), served(&entry.slug))).collect(),
            |slug| Err(format!("{slug} has no files")),
        )),
        languages: Table::built_in().languages().iter().collect(),
        url: format!("http://{address}"),
        is_behind_proxy: false,
        entry: None,
        clock: Arc::clone(&clock.now_ms),
        slots: SLOTS,
        on_trouble: Box::new(|text| panic!("{text}")),
    };
    let work = Arc::new(|claim: &touchstone::store::Claim, on_progress: &mut dyn FnMut(Progress)| {
        for done in 0..5 {
            on_progress(Progress { done, tests: 5 });
            thread::sleep(RUN / 5);
        }
        Outcome::Judged(Box::new(finish(claim.submission.0)))
    });
    let start =
        |on_notice| Slots::start(Arc::clone(&store), Options { slots: SLOTS, clock, work, on_notice });
    let is_stopped = Arc::new(AtomicBool::new(false));
    let heard = Arc::clone(&is_stopped);
    // Whoever started this process closes its input when it is done, or has died.
    thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        heard.store(true, Ordering::Release);
    });
    let mut out = std::io::stdout();
    writeln!(out, "{address}").and_then(|()| out.flush()).expect("standard output");
    web::serve(served, listener, start, &|| is_stopped.load(Ordering::Acquire)).expect("a server");
}

/// Three of seven are accepted.
fn finish(number: i64) -> Finish {
    let verdict =
        [Verdict::Wa, Verdict::Ac, Verdict::Tle, Verdict::Ac, Verdict::Rte, Verdict::Ac, Verdict::Wa];
    Finish::bare(verdict[usize::try_from(number % 7).expect("small")])
}

fn served(slug: &str) -> Arc<ServedProblem> {
    let text = "format = 1\ntitle = { en = \"A problem of the bench\" }\n[limits]\ntime = \"1s\"\nmemory = \"256MiB\"\n\
        [size]\nn = { min = 1, max = 5 }\n[[input]]\nname = \"a\"\ntype = \"array\"\nlen = \"n\"\n\
        item = { type = \"int\", min = 1, max = 3 }\n[answer]\nsolver = \"stone-game-iii\"\n";
    let problem = touchstone::problem::parse(slug, text).0.expect("a problem");
    let tests =
        TestSet::new(Package { problem: Some(slug.to_owned()), tests: Vec::new(), notes: Vec::new() });
    let html = "<p>As long as a statement is, more or less.</p>".repeat(40);
    Arc::new(ServedProblem {
        grounds: Arc::new(Grounds {
            problem,
            tests,
            jury: None,
            answers: None,
            stops_at_first_failure: false,
        }),
        statements: vec![Statement { code: "en".to_owned(), title: slug.to_owned(), html }],
        samples: vec![("1\n1\n".to_owned(), "Alice\n".to_owned()); 3],
        starters: Vec::new(),
    })
}

/// Accounts, and what they handed in before.
fn fill(store: &Store, load: &Workload, config: &Config, start_ms: i64) -> Vec<AccountId> {
    store.apply_config(config, By::server(start_ms)).expect("a contest");
    let account = |at| NewAccount {
        login: format!("team{at}"),
        name: format!("Team number {at} of the university"),
        role: Role::Team,
        password_hash: String::new(),
    };
    let accounts: Vec<NewAccount> = (0..load.teams).map(account).collect();
    let teams = store.create_accounts(&accounts, By::server(start_ms)).expect("accounts");
    for at in 0..load.before {
        let slug = format!("problem-{}", at * 31 % load.problems);
        let step_ms = (load.begun_ms_ago - HOURS_MS / 6) / i64::try_from(load.before).expect("small");
        let new = NewSubmission {
            account: teams[at * 17 % load.teams],
            slug: &slug,
            language: "cpp",
            mode: None,
            file_name: "a.cpp",
            source: b"int main() {}\n",
            at_ms: start_ms + 1 + i64::try_from(at).expect("small") * step_ms,
            kind: Kind::Contest,
        };
        store.submit(&new, None).expect("a submission");
        let claim = store.claim("filler", Lane::Contest, 0).expect("a disk").expect("a job");
        store.finish(claim.lease, &finish(claim.submission.0), new.at_ms + 1).expect("a verdict");
    }
    teams
}

/// A server in a process of its own.
pub(crate) struct Host {
    child: std::process::Child,
    pub(crate) address: SocketAddr,
}

impl Host {
    pub(crate) fn start(which: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .env(SERVER, which)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a server");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("its output")).read_line(&mut line).expect("its address");
        Self { child, address: line.trim().parse().expect("an address") }
    }

    /// What it has in memory now, and had at most, in MiB.
    pub(crate) fn memory(&self) -> (u64, u64) {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(Path::new(&path)).expect("its state");
        let of = |key: &str| {
            let line = status.lines().find(|line| line.starts_with(key)).expect("a line");
            line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).expect("a number") / 1024
        };
        (of("VmRSS:"), of("VmHWM:"))
    }

    pub(crate) fn stop(mut self) {
        drop(self.child.stdin.take());
        self.child.wait().expect("its end");
    }
}
