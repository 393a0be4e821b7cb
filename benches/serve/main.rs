//! What serving a contest costs, beside the judging. Two workloads, each with a server of its own process on this machine
//! alone, whose judging is a stub that sleeps:
//!
//! - the World Finals, ten times as fast: 130 teams, 11 problems, 1606 submissions, 80 of them in the last minute, with 300
//!   live streams. Goal: at most 200 ms (p95) pass from the answer that a submission was taken until its team's page shows
//!   the verdict, not counting the run.
//! - 1,000 teams × 15 problems, 12,000 submissions. Goal: the first board after a verdict in 50 ms, pages in 20 ms (p95).
//!
//! ```text
//! cargo bench --bench serve               the last ten minutes of the finals, on a board of all before: two minutes
//! cargo bench --bench serve -- --whole    all five hours of them: half an hour
//! ```
//!
//! Ends by itself. Asking and being asked share the machine, so what is measured holds the asking too.

mod asker;
mod finals;
mod host;

use std::io::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use asker::Asker;
use host::{Host, RUN, SERVER};

/// A contest as it stands when the measurement begins.
struct Workload {
    teams: usize,
    problems: usize,
    /// Judged before.
    before: usize,
    /// When it began.
    begun_ms_ago: i64,
}

const HOURS_MS: i64 = 3_600_000;
/// The finals at their beginning, and ten minutes before their end.
const FINALS: Workload = Workload { teams: 130, problems: 11, before: 0, begun_ms_ago: 1000 };
const FINALS_END: Workload = Workload { before: 1330, begun_ms_ago: 9 * HOURS_MS / 2, ..FINALS };
const CROWD: Workload =
    Workload { teams: 1000, problems: 15, before: 12_000, begun_ms_ago: 9 * HOURS_MS / 2 };

fn main() {
    let is_whole = std::env::args().any(|argument| argument == "--whole");
    match std::env::var_os(SERVER) {
        Some(which) if which == "finals" => host::serve(&FINALS),
        Some(which) if which == "finals-end" => host::serve(&FINALS_END),
        Some(_) => host::serve(&CROWD),
        None => {
            finals::measure(is_whole);
            crowd();
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a bench measures")]
fn now() -> Instant {
    Instant::now()
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
        assert_eq!(asker.fetch("/board/table").0, 200);
        updates.push(asked.elapsed());
        let asked = now();
        assert_eq!(asker.fetch("/board/table").0, 200);
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
            assert_eq!(asker.fetch(path).0, 200, "{path}");
            times.push(asked.elapsed());
        }
        line(&mut out, path, &mut times, Some(20));
    }
    memory(&mut out, &host);
    host.stop();
}

fn memory(out: &mut impl std::io::Write, host: &Host) {
    let (now, most) = host.memory();
    writeln!(out, "  memory of the server: {now} MiB now, {most} MiB at most\n").expect("output");
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
