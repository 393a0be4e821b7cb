//! The World Finals as people live them: teams hand in, their open pages follow the live stream and fetch what changed, as
//! the script of the pages does.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use touchstone::contest::config::default_label;

use crate::asker::Asker;
use crate::host::{Host, RUN};
use crate::{FINALS, line, memory, now};

/// How much faster than the contest.
const SPEED: u64 = 10;
/// Pages that are open: at least one of each team's shows what it handed in, the rest the board.
const STREAMS: usize = 300;
/// People who press the button, each for some of the teams.
const SUBMITTERS: usize = 20;
/// In the five hours.
const SUBMISSIONS: usize = 1606;
/// In each of the last ten minutes.
const LAST: [u64; 10] = [14, 15, 16, 18, 20, 22, 25, 30, 36, 80];
const MINUTES: u64 = 300;
const MINUTE_MS: u64 = 60_000;
/// How long a page waits after an event before it fetches itself.
const SOON: Duration = Duration::from_millis(60);

/// A submission that was answered as taken.
#[derive(Clone, Copy)]
struct Taken {
    asked: Instant,
    answered: Instant,
    team: usize,
    problem: usize,
}

/// What was seen, and first when, by the number of the submission.
#[derive(Default)]
struct Seen {
    taken: Mutex<BTreeMap<i64, Taken>>,
    on_stream: Mutex<BTreeMap<i64, Instant>>,
    on_page: Mutex<BTreeMap<i64, Instant>>,
    on_board: Mutex<BTreeMap<i64, Instant>>,
    /// How long fetching a board took.
    boards: Mutex<Vec<Duration>>,
}

/// When each submission comes, in milliseconds: the whole contest, or from its last ten minutes on. In the last second
/// there are six.
fn moments(is_whole: bool) -> Vec<u64> {
    let last: u64 = LAST.iter().sum();
    let early = SUBMISSIONS as u64 - last;
    let early_ms = (MINUTES - LAST.len() as u64) * MINUTE_MS;
    let mut moments: Vec<u64> = (0..early).map(|at| (at + 1) * early_ms / (early + 1)).collect();
    for (minute, count) in (MINUTES - LAST.len() as u64..).zip(LAST) {
        let in_last_second = if minute + 1 == MINUTES { 6 } else { 0 };
        let spread = count - in_last_second;
        moments.extend((0..spread).map(|at| minute * MINUTE_MS + at * (MINUTE_MS - 1000) / spread));
        moments.extend(
            (0..in_last_second).map(|at| (minute + 1) * MINUTE_MS - 1000 + at * 1000 / in_last_second),
        );
    }
    match is_whole {
        true => moments,
        false => moments.into_iter().filter(|at| *at >= early_ms).map(|at| at - early_ms).collect(),
    }
}

/// What `at` is about: every team has its turn, and each tries all problems before it tries one again.
fn team_and_problem(at: usize) -> (usize, usize) {
    (at * 7 % FINALS.teams, at % FINALS.problems)
}

/// Measures, and prints.
pub(crate) fn measure(is_whole: bool) {
    let host = Host::start(if is_whole { "finals" } else { "finals-end" });
    let seen = Arc::new(Seen::default());
    for stream in 0..STREAMS {
        let (address, seen) = (host.address, Arc::clone(&seen));
        thread::spawn(move || follow(address, stream, &seen));
    }
    let (address, watching) = (host.address, Arc::clone(&seen));
    thread::spawn(move || watch(address, &watching));
    thread::sleep(Duration::from_secs(2));
    hand_in(host.address, &moments(is_whole), &seen);
    thread::sleep(Duration::from_secs(3));
    report(&host, &seen, if is_whole { "all five hours" } else { "the last ten minutes" });
    host.stop();
}

fn hand_in(address: SocketAddr, moments: &[u64], seen: &Arc<Seen>) {
    let begun = now();
    thread::scope(|scope| {
        for of in 0..SUBMITTERS {
            scope.spawn(move || {
                for (at, moment) in moments.iter().enumerate().skip(of).step_by(SUBMITTERS) {
                    thread::sleep(Duration::from_millis(moment / SPEED).saturating_sub(begun.elapsed()));
                    let (team, problem) = team_and_problem(at);
                    let body = serde_json::json!({
                        "problem": default_label(problem), "file_name": "a.cpp", "source": "int main() {}"
                    });
                    let asked = now();
                    let (status, text) =
                        Asker::new(address, team).ask("POST", "/api/submit", &body.to_string());
                    let answered = now();
                    assert_eq!(status, 201, "{text}");
                    let answer: serde_json::Value = serde_json::from_str(&text).expect("JSON");
                    let id = answer["submission"].as_i64().expect("a number");
                    let taken = Taken { asked, answered, team, problem };
                    seen.taken.lock().expect("sound").insert(id, taken);
                }
            });
        }
    });
}

/// A page that is open until the server goes.
fn follow(address: SocketAddr, stream: usize, seen: &Arc<Seen>) {
    let team = stream % FINALS.teams;
    let (happened, happenings) = mpsc::channel::<()>();
    let is_of_team = stream < FINALS.teams;
    let looking = Arc::clone(seen);
    thread::spawn(move || match is_of_team {
        true => show_own(address, team, &looking, &happenings),
        false => show_board(address, stream, &looking, &happenings),
    });
    listen(address, team, |kind, event| {
        if kind == "judged" {
            let id = event["submission"].as_i64().expect("a number");
            seen.on_stream.lock().expect("sound").entry(id).or_insert_with(now);
        }
        let is_wanted =
            if is_of_team { matches!(kind, "submitted" | "judged" | "queue") } else { kind == "board" };
        if is_wanted {
            // That the page is gone is the end of the measurement.
            let _ = happened.send(());
        }
    });
}

/// Calls `hear` with every event of a team's stream until the server goes.
fn listen(address: SocketAddr, team: usize, mut hear: impl FnMut(&str, &serde_json::Value)) {
    let mut stream = Asker::stream(address, team, "/live");
    let mut text = String::new();
    while let Some(chunk) = stream.chunk() {
        text.push_str(std::str::from_utf8(&chunk).expect("text"));
        while let Some((event, rest)) = text.split_once("\n\n") {
            let (event, rest) = (event.to_owned(), rest.to_owned());
            text = rest;
            let Some(data) = event.strip_prefix("data: ") else { continue };
            let value: serde_json::Value = serde_json::from_str(data).expect("JSON");
            hear(value["kind"].as_str().unwrap_or_default(), &value);
        }
    }
}

/// The list of a team's submissions: fetched anew after each event, several at once together.
fn show_own(address: SocketAddr, team: usize, seen: &Seen, happenings: &mpsc::Receiver<()>) {
    let mut asker = Asker::new(address, team);
    while happenings.recv().is_ok() {
        thread::sleep(SOON);
        while happenings.try_recv().is_ok() {}
        let (status, page) = asker.ask("GET", "/submissions", "");
        let at = now();
        assert_eq!(status, 200);
        let mut shown = seen.on_page.lock().expect("sound");
        for cell in page.split("data-verdict=\"").skip(1) {
            let (id, rest) = cell.split_once('"').expect("a number");
            let badge = rest.split("</td>").next().unwrap_or_default();
            if badge.contains("verdict good") || badge.contains("verdict bad") {
                shown.entry(id.parse().expect("a number")).or_insert(at);
            }
        }
    }
}

/// The board, packed as browsers want it, at most once a second.
fn show_board(address: SocketAddr, stream: usize, seen: &Seen, happenings: &mpsc::Receiver<()>) {
    let mut asker = Asker::new(address, stream % FINALS.teams);
    while happenings.recv().is_ok() {
        thread::sleep(Duration::from_millis(200 + stream as u64 * 37 % 800));
        while happenings.try_recv().is_ok() {}
        let asked = now();
        assert_eq!(asker.fetch("/board/table").0, 200);
        seen.boards.lock().expect("sound").push(asked.elapsed());
    }
}

/// Fetches the board as soon as it is told to have changed, and looks which verdicts it shows, of those that it saw
/// pending before: a cell that is solved already is no news whatever comes.
fn watch(address: SocketAddr, seen: &Arc<Seen>) {
    let (happened, happenings) = mpsc::channel::<()>();
    let looking = Arc::clone(seen);
    thread::spawn(move || {
        let mut asker = Asker::new(address, 0);
        let mut pending = BTreeSet::new();
        // A cell that waits again waits for another submission, and says nothing more of these.
        let mut settled = BTreeSet::new();
        while happenings.recv().is_ok() {
            while happenings.try_recv().is_ok() {}
            let (status, table) = asker.ask("GET", "/board/table", "");
            let at = now();
            assert_eq!(status, 200);
            let judged = judged_cells(&table);
            let mut shown = looking.on_board.lock().expect("sound");
            for (id, taken) in looking.taken.lock().expect("sound").iter() {
                if settled.contains(id) {
                    continue;
                }
                if !judged.contains(&(taken.team, taken.problem)) {
                    pending.insert(*id);
                    continue;
                }
                settled.insert(*id);
                if pending.remove(id) {
                    shown.entry(*id).or_insert(at);
                }
            }
        }
    });
    listen(address, 0, |kind, _| {
        if kind == "board" {
            let _ = happened.send(());
        }
    });
}

/// (team, problem) of the cells where nothing waits for a verdict.
fn judged_cells(table: &str) -> BTreeSet<(usize, usize)> {
    let mut judged = BTreeSet::new();
    for row in table.split("<tr data-team=\"").skip(1) {
        // Accounts are made in order, from 1.
        let team: usize = row.split('"').next().and_then(|id| id.parse().ok()).expect("a number");
        for (problem, cell) in row.split("<td class=\"cell ").skip(1).enumerate() {
            if ["solved", "first", "wrong"].iter().any(|class| cell.starts_with(class)) {
                judged.insert((team - 1, problem));
            }
        }
    }
    judged
}

fn report(host: &Host, seen: &Seen, what: &str) {
    let taken = seen.taken.lock().expect("sound").clone();
    let since =
        |place: &Mutex<BTreeMap<i64, Instant>>, what: &str, from: fn(&Taken) -> Instant| -> Vec<Duration> {
            let found = place.lock().expect("sound").clone();
            let late = |(id, taken): (&i64, &Taken)| {
                let at = found.get(id).unwrap_or_else(|| panic!("{what} never showed the verdict of {id}"));
                at.saturating_duration_since(from(taken)).saturating_sub(RUN)
            };
            taken.iter().map(late).collect()
        };
    // A board shows of a cell that was judged before no more than that: only first tries are looked for there.
    let mut first_tries = BTreeMap::new();
    for (id, taken) in &taken {
        first_tries.entry((taken.team, taken.problem)).or_insert((*id, taken.answered));
    }
    let on_board = seen.on_board.lock().expect("sound").clone();
    let mut boards: Vec<Duration> = Vec::new();
    for (id, answered) in first_tries.into_values() {
        if let Some(at) = on_board.get(&id) {
            boards.push(at.saturating_duration_since(answered + RUN));
        }
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "World Finals, {what} at {SPEED} × speed: {} teams, {} problems, {} submissions, {STREAMS} live streams\n\
         from the answer that it was taken, less the run, until",
        FINALS.teams,
        FINALS.problems,
        taken.len()
    )
    .expect("output");
    let answered = |taken: &Taken| taken.answered;
    line(
        &mut out,
        "  the team's stream tells the verdict",
        &mut since(&seen.on_stream, "the stream", answered),
        None,
    );
    line(&mut out, "  the team's page shows it", &mut since(&seen.on_page, "the page", answered), Some(200));
    let name = format!("  the first board shows it ({} pending)", boards.len());
    line(&mut out, &name, &mut boards, None);
    writeln!(out, "time of").expect("output");
    let mut answers: Vec<Duration> =
        taken.values().map(|taken| taken.answered.duration_since(taken.asked)).collect();
    line(&mut out, "  the answer to who hands in", &mut answers, None);
    let mut boards = seen.boards.lock().expect("sound");
    let name = format!("  {} boards to browsers", boards.len());
    line(&mut out, &name, &mut boards, None);
    memory(&mut out, host);
}
