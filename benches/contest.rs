//! The board of 1,000 teams, 15 problems and 20,000 attempts, against sorting as many rows by time. Prints ratios of
//! medians, measured in turns in this very run; judges nothing.

#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use touchstone::contest::{Attempt, Rules, Schedule, Scoring, View, board};
use touchstone::score::Points;
use touchstone::verdict::Verdict;

/// Rounds, each of which measures everything once.
const ROUNDS: usize = 21;
const TEAMS: i64 = 1000;
const PROBLEMS: usize = 15;
const ATTEMPTS: i64 = 20_000;
const HOUR_MS: i64 = 3_600_000;

fn main() {
    let (attempts, sorted) = (attempts(), sorted());
    let boards = [
        ("icpc, public", Scoring::Icpc, View::Public),
        ("icpc, jury", Scoring::Icpc, View::Jury),
        ("ioi, jury", Scoring::Ioi, View::Jury),
    ];
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); boards.len() + 3];
    for _ in 0..ROUNDS {
        times[0].push(timed(|| sort(&attempts)));
        // As a database gives them.
        times[1].push(timed(|| made(&sorted, Scoring::Icpc, View::Public)));
        times[2].push(timed(|| made(&sorted, Scoring::Ioi, View::Jury)));
        for (index, (_, scoring, view)) in boards.iter().enumerate() {
            times[index + 3].push(timed(|| made(&attempts, *scoring, *view)));
        }
    }
    let medians: Vec<Duration> = times.into_iter().map(median).collect();
    println!("board of {TEAMS} teams, {PROBLEMS} problems, {ATTEMPTS} attempts");
    let names = ["sorting the rows alone", "icpc, in order already", "ioi, in order already"];
    let names = names.into_iter().chain(boards.map(|(name, ..)| name));
    for (name, took) in names.zip(&medians) {
        let ratio = took.as_secs_f64() / medians[0].as_secs_f64();
        println!("  {name:<24} {:>7.2} ms  {ratio:>5.2} × sorting", took.as_secs_f64() * 1000.0);
    }
}

fn made(attempts: &[Attempt], scoring: Scoring, view: View) -> usize {
    let schedule =
        Schedule { start_ms: 0, end_ms: 5 * HOUR_MS, freeze_ms: Some(4 * HOUR_MS), is_thawed: false };
    let teams: Vec<i64> = (0..TEAMS).collect();
    let rules = Rules { scoring, ..Rules::default() };
    let board = board(&rules, &schedule, &teams, PROBLEMS, attempts, view, 5 * HOUR_MS);
    board.rows.iter().map(|row| row.cells.len()).sum()
}

/// The least that any board needs: its attempts in the order of time.
fn sort(attempts: &[Attempt]) -> usize {
    let mut rows: Vec<&Attempt> = attempts.iter().collect();
    rows.sort_by_key(|attempt| (attempt.at_ms, attempt.id));
    rows.first().map_or(0, |attempt| attempt.problem)
}

fn attempts() -> Vec<Attempt> {
    let mut state = 1_u64;
    let mut below = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut attempt = |id: i64| {
        let is_right = below(3) == 0;
        let won = |is_won: bool| Points::from_hundredths(if is_won { 5000 } else { 0 });
        Attempt {
            id,
            team: below(TEAMS as u64) as i64,
            problem: below(PROBLEMS as u64) as usize,
            at_ms: below(5 * HOUR_MS as u64) as i64,
            verdict: Some(if is_right { Verdict::Ac } else { Verdict::Wa }),
            score: Some(Points::from_hundredths(if is_right { 10_000 } else { 5000 })),
            groups: vec![("small".to_owned(), won(true)), ("large".to_owned(), won(is_right))],
        }
    };
    (0..ATTEMPTS).map(&mut attempt).collect()
}

/// In order, and next to each other in memory.
fn sorted() -> Vec<Attempt> {
    let mut attempts = attempts();
    attempts.sort_by_key(|attempt| (attempt.at_ms, attempt.id));
    attempts.to_vec()
}

fn timed(work: impl Fn() -> usize) -> Duration {
    #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
