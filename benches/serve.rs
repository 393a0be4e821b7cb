//! What serving a contest costs, beside the judging. Two workloads, each with a server of its own process on this machine
//! alone, whose judging is a stub that sleeps:
//!
//! - the last ten minutes of the World Finals, ten times as fast: 130 teams, 11 problems, 1606 submissions, 80 of them in
//!   the last minute, with 300 live streams. Goal: the verdict is on the team's stream at most 200 ms (p95) after it was
//!   handed in, not counting the run.
//! - 1,000 teams × 15 problems, 12,000 submissions. Goal: the first board after a verdict in 50 ms, pages in 20 ms (p95).
//!
//! Ends by itself after about two minutes. `cargo bench --bench serve`.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use sha2::{Digest as _, Sha256};
use touchstone::contest::config::{Config, ProblemEntry, default_color, default_label};
use touchstone::grade::TestSet;
use touchstone::lang::Table;
use touchstone::package::Package;
use touchstone::store::{AccountId, By, Finish, Kind, Lane, NewAccount, NewSubmission, Role, Session, Store};
use touchstone::verdict::Verdict;
use touchstone::web::{self, Served, ServedProblem, Statement};
use touchstone::worker::{Clock, Grounds, Options, Outcome, Progress, Slots};

/// Says which workload's server this process is to be.
const SERVER: &str = "TOUCHSTONE_BENCH_SERVER";
/// How much faster than the contest.
const SPEED: u64 = 10;
/// A run of the stub: two and a half seconds of the contest.
const RUN: Duration = Duration::from_millis(250);
/// Runs at once: enough machines for the contest, so that what is measured is not the queue.
const SLOTS: usize = 12;
const HOURS_MS: i64 = 3_600_000;

struct Workload {
    teams: usize,
    problems: usize,
    /// Judged before the measurement begins.
    before: usize,
}

const FINALS: Workload = Workload { teams: 130, problems: 11, before: 1330 };
const CROWD: Workload = Workload { teams: 1000, problems: 15, before: 12_000 };

fn main() {
    match std::env::var_os(SERVER) {
        Some(which) if which == "finals" => serve(&FINALS),
        Some(_) => serve(&CROWD),
        None => {
            finals();
            crowd();
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a bench measures")]
fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "a contest has a clock")]
fn now_ms() -> i64 {
    i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis())
        .expect("soon")
}

// ---- the server ----

fn token(team: usize) -> String {
    format!("{team:064x}")
}

fn serve(load: &Workload) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = Arc::new(Store::open(&folder.path().join("contest.db"), now_ms()).expect("a database"));
    let start_ms = now_ms() - 4 * HOURS_MS - HOURS_MS / 2;
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
        problems: config.problems.iter().map(|entry| (entry.slug.clone(), served(&entry.slug))).collect(),
        languages: Table::built_in().languages().iter().collect(),
        url: format!("http://{address}"),
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
        let step_ms = 4 * HOURS_MS / i64::try_from(load.before).expect("small");
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
struct Host {
    child: std::process::Child,
    address: SocketAddr,
}

impl Host {
    fn start(which: &str) -> Self {
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
    fn memory(&self) -> (u64, u64) {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(Path::new(&path)).expect("its state");
        let of = |key: &str| {
            let line = status.lines().find(|line| line.starts_with(key)).expect("a line");
            line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).expect("a number") / 1024
        };
        (of("VmRSS:"), of("VmHWM:"))
    }

    fn stop(mut self) {
        drop(self.child.stdin.take());
        self.child.wait().expect("its end");
    }
}

// ---- those who ask ----

/// One connection that is kept, as a browser's is.
struct Asker {
    reader: BufReader<TcpStream>,
    head: String,
}

impl Asker {
    fn new(address: SocketAddr, team: usize) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("a socket");
        let head = format!("Host: bench\r\nAuthorization: Bearer {}\r\n", token(team));
        Self { reader: BufReader::new(stream), head }
    }

    /// Status and body.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> (u16, String) {
        let head = &self.head;
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let text =
            format!("{method} {path} HTTP/1.1\r\n{head}{kind}Content-Length: {}\r\n\r\n{body}", body.len());
        self.reader.get_mut().write_all(text.as_bytes()).expect("a request");
        let (status, length) = self.head();
        let mut bytes = Vec::new();
        match length {
            Some(length) => {
                bytes.resize(length, 0);
                self.reader.read_exact(&mut bytes).expect("a body");
            }
            None => {
                while let Some(chunk) = self.chunk() {
                    bytes.extend(chunk);
                }
            }
        }
        (status, String::from_utf8(bytes).expect("text"))
    }

    fn head(&mut self) -> (u16, Option<usize>) {
        let (mut status, mut length) = (0, None);
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line).expect("a head");
            let line = line.trim_end();
            if line.is_empty() {
                return (status, length);
            }
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest[..3].parse().expect("a status");
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().ok();
            }
        }
    }

    fn chunk(&mut self) -> Option<Vec<u8>> {
        let mut line = String::new();
        self.reader.read_line(&mut line).ok()?;
        let length = usize::from_str_radix(line.trim(), 16).ok()?;
        let mut bytes = vec![0; length + 2];
        self.reader.read_exact(&mut bytes).ok()?;
        bytes.truncate(length);
        (length > 0).then_some(bytes)
    }
}

/// When each verdict was seen first on its team's stream, and how often a board was told of.
#[derive(Default)]
struct Seen {
    verdicts: Mutex<HashMap<i64, Instant>>,
    boards: AtomicU64,
}

/// Follows the stream of a team until the server goes, and fetches the board as a browser does, at most every two seconds.
fn follow(address: SocketAddr, team: usize, seen: &Seen, fetches: &Mutex<Vec<Duration>>) {
    let mut stream = Asker::new(address, team);
    let text = format!("GET /live HTTP/1.1\r\n{}\r\n", stream.head);
    stream.reader.get_mut().write_all(text.as_bytes()).expect("a request");
    assert_eq!(stream.head().0, 200);
    let mut asker = Asker::new(address, team);
    let (mut text, mut fetched) = (String::new(), now());
    while let Some(chunk) = stream.chunk() {
        text.push_str(std::str::from_utf8(&chunk).expect("text"));
        while let Some((event, rest)) = text.split_once("\n\n") {
            let (event, rest) = (event.to_owned(), rest.to_owned());
            text = rest;
            let Some(data) = event.strip_prefix("data: ") else { continue };
            let value: serde_json::Value = serde_json::from_str(data).expect("JSON");
            match value["kind"].as_str() {
                Some("judged") => {
                    let id = value["submission"].as_i64().expect("a number");
                    seen.verdicts.lock().expect("sound").entry(id).or_insert_with(now);
                }
                Some("board") => {
                    seen.boards.fetch_add(1, Ordering::Relaxed);
                    if fetched.elapsed() > Duration::from_secs(2) {
                        fetched = now();
                        assert_eq!(asker.ask("GET", "/board/table", "").0, 200);
                        fetches.lock().expect("sound").push(fetched.elapsed());
                    }
                }
                _ => {}
            }
        }
    }
}

/// The moments of the last ten minutes of the finals in milliseconds: 276 submissions, 80 in the last minute.
fn last_ten_minutes() -> Vec<u64> {
    let per_minute = [14, 15, 16, 18, 20, 22, 25, 30, 36, 80];
    let mut moments = Vec::new();
    for (minute, count) in per_minute.into_iter().enumerate() {
        let minute = u64::try_from(minute).expect("small");
        moments.extend((0..count).map(|at| minute * 60_000 + at * 60_000 / count));
    }
    moments
}

fn finals() {
    let host = Host::start("finals");
    let (seen, fetches) = (Arc::new(Seen::default()), Arc::new(Mutex::new(Vec::new())));
    for stream in 0..300 {
        let (address, seen, fetches) = (host.address, Arc::clone(&seen), Arc::clone(&fetches));
        thread::spawn(move || follow(address, stream % FINALS.teams, &seen, &fetches));
    }
    thread::sleep(Duration::from_secs(2));
    let moments = last_ten_minutes();
    let taken = Arc::new(Mutex::new(BTreeMap::new()));
    let begun = now();
    let submitters: Vec<_> = (0..20)
        .map(|of| {
            let (address, moments, taken) = (host.address, moments.clone(), Arc::clone(&taken));
            thread::spawn(move || {
                for (at, moment) in moments.iter().enumerate().skip(of).step_by(20) {
                    let mut asker = Asker::new(address, at * 7 % FINALS.teams);
                    let wait = Duration::from_millis(moment / SPEED).saturating_sub(begun.elapsed());
                    thread::sleep(wait);
                    let problem = default_label(at % FINALS.problems);
                    let body = serde_json::json!({ "problem": problem, "file_name": "a.cpp", "source": "int main() {}" });
                    let asked = now();
                    let (status, text) = asker.ask("POST", "/api/submit", &body.to_string());
                    assert_eq!(status, 201, "{text}");
                    let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
                    let id = answer["submission"].as_i64().expect("a number");
                    taken.lock().expect("sound").insert(id, (asked, asked.elapsed()));
                }
            })
        })
        .collect();
    for submitter in submitters {
        submitter.join().expect("somebody who hands in");
    }
    thread::sleep(Duration::from_secs(3));
    let verdicts = seen.verdicts.lock().expect("sound").clone();
    let taken = taken.lock().expect("sound").clone();
    let late = |(id, (asked, _)): (&i64, &(Instant, Duration))| {
        let seen = verdicts.get(id).unwrap_or_else(|| panic!("no verdict of {id} on its team's stream"));
        seen.duration_since(*asked).saturating_sub(RUN)
    };
    let mut latencies: Vec<Duration> = taken.iter().map(late).collect();
    let mut answers: Vec<Duration> = taken.values().map(|(_, answered)| *answered).collect();
    let (now, most) = host.memory();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "World Finals, last ten minutes at {SPEED} × speed: {} submissions, 300 streams",
        taken.len()
    )
    .expect("output");
    line(&mut out, "taken to verdict on the stream, less the run", &mut latencies, Some(200));
    line(&mut out, "answer to who hands in", &mut answers, None);
    line(&mut out, "board after it moved", &mut fetches.lock().expect("sound"), None);
    writeln!(
        out,
        "{} boards were told of; server memory {now} MiB, at most {most} MiB\n",
        seen.boards.load(Ordering::Relaxed)
    )
    .expect("output");
    host.stop();
}

fn crowd() {
    let host = Host::start("crowd");
    let mut asker = Asker::new(host.address, 7);
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} teams × {} problems, {} submissions", CROWD.teams, CROWD.problems, CROWD.before)
        .expect("output");
    let mut updates = Vec::new();
    let mut cached = Vec::new();
    for round in 0..30 {
        let body = serde_json::json!({ "problem": "A", "file_name": "a.cpp", "source": "int main() {}" });
        let (status, text) =
            Asker::new(host.address, 11 * round).ask("POST", "/api/submit", &body.to_string());
        assert_eq!(status, 201, "{text}");
        // Whoever asks first after a change is the one for whom the board is made; the herald may have been quicker.
        let asked = now();
        assert_eq!(asker.ask("GET", "/board/table", "").0, 200);
        updates.push(asked.elapsed());
        let asked = now();
        assert_eq!(asker.ask("GET", "/board/table", "").0, 200);
        cached.push(asked.elapsed());
        thread::sleep(RUN * 2);
    }
    line(&mut out, "board after a change", &mut updates, Some(50));
    line(&mut out, "board again", &mut cached, Some(20));
    for path in ["/problems", "/problems/A", "/submissions", "/submissions/1", "/board", "/clarifications"] {
        let mut times = Vec::new();
        for round in 0..100 {
            let mut asker = Asker::new(host.address, if path.ends_with("/1") { 0 } else { round });
            let asked = now();
            let (status, _) = asker.ask("GET", path, "");
            assert_eq!(status, 200, "{path}");
            times.push(asked.elapsed());
        }
        line(&mut out, path, &mut times, Some(20));
    }
    let (now, most) = host.memory();
    writeln!(out, "server memory {now} MiB, at most {most} MiB").expect("output");
    host.stop();
}

fn line(out: &mut impl std::io::Write, name: &str, times: &mut [Duration], goal_ms: Option<u64>) {
    times.sort();
    if times.is_empty() {
        return;
    }
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    let goal = goal_ms.map_or_else(String::new, |goal| format!("   goal for p95: {goal} ms"));
    writeln!(out, "  {name:46} p50 {:7.1}   p95 {:7.1}   max {:7.1} ms{goal}", at(50), at(95), at(100))
        .expect("output");
}
