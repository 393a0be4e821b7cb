//! Boards worked out by hand: penalties, ties, the freeze and points, by value.

use super::*;
use Verdict::{Ac, Ce, Je, Rte, Tle, Wa};

const MINUTE_MS: i64 = 60_000;
/// Some evening in March; boards only know what has passed since.
const START_MS: i64 = 1_774_740_600_000;
const PENALTY: Rules = Rules {
    scoring: Scoring::Icpc,
    best: Best::PerSubtask,
    penalty_minutes: 20,
    compile_errors_count: false,
};

fn five_hours(freeze_minute: Option<i64>) -> Schedule {
    Schedule {
        start_ms: START_MS,
        end_ms: START_MS + 300 * MINUTE_MS,
        freeze_ms: freeze_minute.map(|minute| START_MS + minute * MINUTE_MS),
        is_thawed: false,
    }
}

/// Instant of `h:mm:ss.mmm` since the start.
fn at(time: &str) -> i64 {
    let parts: Vec<f64> = time.split(':').map(|part| part.parse().unwrap()).collect();
    START_MS + ((parts[0] * 3600.0 + parts[1] * 60.0 + parts[2]) * 1000.0).round() as i64
}

/// One attempt for each line `team problem time verdict`, numbered from 1; `-` is not judged yet.
fn attempts(teams: &[&str], text: &str) -> Vec<Attempt> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let attempt = |(index, line): (usize, &str)| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let verdict = Verdict::ALL.into_iter().find(|verdict| verdict.short() == words[3]);
        assert!(verdict.is_some() || words[3] == "-", "{line}");
        Attempt {
            id: index as i64 + 1,
            team: teams.iter().position(|team| *team == words[0]).unwrap() as i64,
            problem: usize::from(words[1].as_bytes()[0] - b'A'),
            at_ms: at(words[2]),
            verdict,
            score: None,
            groups: Vec::new(),
        }
    };
    lines.enumerate().map(attempt).collect()
}

fn ids(teams: &[&str]) -> Vec<i64> {
    (0..teams.len() as i64).collect()
}

/// `rank name solved penalty last`, one line each.
fn ranks(board: &Board, teams: &[&str]) -> Vec<String> {
    let line = |row: &Row| {
        let name = teams[row.team as usize];
        format!("{} {name} {} {} {}", row.rank, row.solved, row.penalty_minutes, row.last_minute)
    };
    board.rows.iter().map(line).collect()
}

fn cell(board: &Board, team: i64, problem: usize) -> (u32, u32, Option<u64>) {
    let cell = &board.row(team).unwrap().cells[problem];
    (cell.wrong, cell.pending, cell.solved_minute)
}

const SIX: [&str; 6] = ["Ada", "Bob", "Cleo", "Dan", "Eve", "Finn"];
const PENALTIES_AND_TIES: &str = "
    Ada  A 0:10:59.990 WA
    Ada  A 0:20:59.999 AC
    Ada  A 0:30:00     WA
    Ada  A 0:40:00     AC
    Ada  B 1:00:00     CE
    Ada  B 1:10:30     AC
    Ada  C 2:00:00     WA
    Bob  A 0:00:59.990 AC
    Bob  B 1:10:10     WA
    Bob  B 1:10:20     AC
    Bob  C 4:59:59.999 JE
    Cleo A 0:25:00     AC
    Cleo B 1:05:59     AC
    Dan  A 0:05:00     AC
    Dan  B 1:25:00     AC
    Eve  C 0:01:00     TLE
    Eve  C 0:02:00     RTE
    Finn A 0:05:30     AC
    Finn B 1:25:59     AC";

/// Attempts after the accepted one cost nothing, compile errors neither; minutes are cut for each problem and then
/// added; equal teams share a rank.
#[test]
fn penalties_and_ties_are_by_the_book() {
    let attempts = attempts(&SIX, PENALTIES_AND_TIES);
    let end_ms = at("5:00:00");
    let board = board(&PENALTY, &five_hours(None), &ids(&SIX), 3, &attempts, View::Public, end_ms);
    assert_eq!(
        ranks(&board, &SIX),
        [
            "1 Cleo 2 90 65",
            "2 Bob 2 90 70",
            "3 Dan 2 90 85",
            "3 Finn 2 90 85",
            "5 Ada 2 110 70",
            "6 Eve 0 0 0"
        ]
    );
    assert_eq!(cell(&board, 0, 0), (1, 0, Some(20)));
    assert_eq!(cell(&board, 0, 1), (0, 0, Some(70)), "the compile error is free");
    assert_eq!(cell(&board, 1, 0), (0, 0, Some(0)));
    assert_eq!(cell(&board, 1, 2), (0, 1, None), "a judge error is not judged yet");
    assert_eq!(cell(&board, 4, 2), (2, 0, None));
    let first: Vec<_> = board.columns.iter().map(|column| column.first.map(|first| first.team)).collect();
    assert_eq!(first, [Some(1), Some(2), None]);
    let column = &board.columns[2];
    assert_eq!((column.solved, column.tried, column.attempts), (0, 3, 4));
}

#[test]
fn compile_errors_cost_where_the_rules_say_so() {
    let attempts = attempts(&SIX, PENALTIES_AND_TIES);
    let rules = Rules { compile_errors_count: true, ..PENALTY };
    let end_ms = at("5:00:00");
    let board = board(&rules, &five_hours(None), &ids(&SIX), 3, &attempts, View::Public, end_ms);
    assert_eq!(board.row(0).unwrap().penalty_minutes, 130);
}

const THREE: [&str; 3] = ["Ada", "Bob", "Cleo"];
const FREEZE_MUST_NOT_LEAK: &str = "
    Ada  A 0:30:00     AC
    Bob  A 0:31:00     AC
    Ada  B 4:10:00     CE
    Ada  B 4:20:00     AC
    Bob  B 4:15:00     AC
    Bob  B 4:16:00     WA
    Cleo A 3:59:59.999 WA
    Cleo A 4:00:00     WA";

/// A free compile error that left the tries once it was judged would tell its verdict.
#[test]
fn a_frozen_board_tells_nothing_and_a_thawed_one_everything() {
    let attempts = attempts(&THREE, FREEZE_MUST_NOT_LEAK);
    let now_ms = at("4:30:00");
    let seen = |schedule, view| board(&PENALTY, &schedule, &ids(&THREE), 3, &attempts, view, now_ms);
    let frozen = five_hours(Some(240));
    let public = seen(frozen, View::Public);
    assert!(public.is_frozen);
    assert_eq!(ranks(&public, &THREE), ["1 Ada 1 30 30", "2 Bob 1 31 31", "3 Cleo 0 0 0"]);
    assert_eq!(cell(&public, 0, 1), (0, 2, None));
    assert_eq!(cell(&public, 1, 1), (0, 2, None));
    assert_eq!(cell(&public, 2, 0), (1, 1, None));
    assert_eq!((public.columns[1].solved, public.columns[1].first), (0, None));

    let thawed = seen(Schedule { is_thawed: true, ..frozen }, View::Public);
    assert!(!thawed.is_frozen);
    assert_eq!(ranks(&thawed, &THREE), ["1 Bob 2 286 255", "2 Ada 2 290 260", "3 Cleo 0 0 0"]);
    assert_eq!(cell(&thawed, 0, 1), (0, 0, Some(260)));
    assert_eq!(cell(&thawed, 1, 1), (0, 0, Some(255)));
    assert_eq!(cell(&thawed, 2, 0), (2, 0, None));
    assert_eq!(seen(frozen, View::Jury), thawed);

    let own = seen(frozen, View::Team(0));
    assert_eq!(cell(&own, 0, 1), (0, 0, Some(260)));
    assert_eq!(cell(&own, 1, 1), (0, 2, None));
    assert!(!own.row(0).unwrap().cells[1].is_first, "who tried before it may have solved it");
}

#[test]
fn only_the_contest_up_to_now_counts() {
    let attempts =
        attempts(&THREE, "Ada A 0:00:00 AC\nBob A 4:59:59.999 AC\nCleo A 5:00:00 AC\nAda B 5:00:00 WA");
    let mut attempts = attempts;
    attempts.push(Attempt { id: 9, team: 2, at_ms: START_MS - 1, ..attempts[0].clone() });
    attempts.push(Attempt { id: 10, team: 99, problem: 0, ..attempts[0].clone() });
    attempts.push(Attempt { id: 11, team: 2, problem: 3, ..attempts[0].clone() });
    let solved = |now_ms| {
        let board = board(&PENALTY, &five_hours(None), &ids(&THREE), 3, &attempts, View::Public, now_ms);
        (board.columns[0].solved, board.columns[1].attempts)
    };
    assert_eq!(solved(START_MS - 1), (0, 0));
    assert_eq!(solved(START_MS), (1, 0));
    assert_eq!(solved(at("4:59:59.998")), (1, 0));
    assert_eq!(solved(at("6:00:00")), (2, 0));
}

#[test]
fn a_first_solve_waits_for_what_others_did_before() {
    let first = |text: &str| {
        let attempts = attempts(&THREE, text);
        let schedule = five_hours(None);
        let board = board(&PENALTY, &schedule, &ids(&THREE), 1, &attempts, View::Public, at("5:00:00"));
        let starred: Vec<i64> =
            board.rows.iter().filter(|row| row.cells[0].is_first).map(|row| row.team).collect();
        assert_eq!(starred, board.columns[0].first.iter().map(|first| first.team).collect::<Vec<_>>());
        board.columns[0].first.map(|first| (first.team, first.attempt, first.minute))
    };
    assert_eq!(first("Ada A 0:10:00 -\nBob A 0:20:00 AC"), None);
    assert_eq!(first("Ada A 0:10:00 WA\nBob A 0:20:00 AC\nCleo A 0:20:00 AC"), Some((1, 2, 20)));
    assert_eq!(first("Bob A 0:10:00 -\nBob A 0:20:00 AC\nAda A 0:30:00 -"), Some((1, 2, 20)));
    assert_eq!(first("Bob A 0:10:00 -\nAda A 0:11:00 -\nBob A 0:20:00 AC"), None);
    assert_eq!(first("Ada A 0:10:00 JE\nBob A 0:20:00 AC\nCleo A 0:30:00 AC"), None);
}

fn scored(id: i64, team: i64, groups: &[(&str, u64)]) -> Attempt {
    let groups: Vec<(String, Points)> = groups
        .iter()
        .map(|(name, points)| ((*name).to_owned(), Points::from_hundredths(points * 100)))
        .collect();
    let score: Points = groups.iter().map(|(_, points)| *points).sum();
    let verdict = if score == POINTS_OF_A_PROBLEM { Ac } else { Wa };
    let at_ms = START_MS + id * MINUTE_MS;
    Attempt { id, team, problem: 0, at_ms, verdict: Some(verdict), score: Some(score), groups }
}

#[test]
fn points_are_of_the_best_subtasks_or_the_best_attempt() {
    let attempts = [
        scored(1, 0, &[("small", 30), ("large", 0)]),
        scored(2, 0, &[("small", 0), ("large", 50)]),
        scored(3, 1, &[("small", 30), ("large", 50)]),
        scored(4, 2, &[("small", 30), ("large", 70)]),
        // Nothing is left to win.
        scored(5, 2, &[("small", 0), ("large", 0)]),
        Attempt { verdict: Some(Ce), score: None, groups: Vec::new(), ..scored(6, 3, &[]) },
        Attempt { verdict: Some(Je), ..scored(7, 3, &[("small", 30)]) },
    ];
    let scores = |best| {
        let rules = Rules { scoring: Scoring::Ioi, best, ..PENALTY };
        let schedule = five_hours(None);
        let board = board(&rules, &schedule, &[3, 1, 0, 2], 1, &attempts, View::Jury, at("1:00:00"));
        let line = |row: &Row| format!("{} {} {}", row.rank, row.team, row.score);
        assert_eq!(board.row(3).unwrap().cells[0], Cell { pending: 1, ..Cell::default() });
        assert_eq!(board.row(2).unwrap().penalty_minutes, 0);
        board.rows.iter().map(line).collect::<Vec<_>>()
    };
    assert_eq!(scores(Best::PerSubtask), ["1 2 100", "2 1 80", "2 0 80", "4 3 0"]);
    assert_eq!(scores(Best::PerSubmission), ["1 2 100", "2 1 80", "3 0 50", "4 3 0"]);
}

/// A problem without points is worth as much as any other.
#[test]
fn an_accepted_attempt_without_points_gives_all() {
    let attempts = attempts(&THREE, "Ada A 0:10:00 WA\nAda A 0:20:00 AC\nBob A 0:20:00 TLE");
    let rules = Rules { scoring: Scoring::Ioi, ..PENALTY };
    let board = board(&rules, &five_hours(None), &ids(&THREE), 1, &attempts, View::Public, at("1:00:00"));
    let scores: Vec<_> =
        board.rows.iter().map(|row| row.cells[0].score.map(|score| score.to_string())).collect();
    assert_eq!(scores, [Some("100".to_owned()), Some("0".to_owned()), None]);
    let is_rejected =
        [Wa, Tle, Rte, Ce].map(|verdict| Attempt { verdict: Some(verdict), ..attempts[0].clone() });
    assert!(is_rejected.iter().all(|attempt| attempt.points() == Points::ZERO && !attempt.is_pending()));
}

#[test]
fn ghosts_run_beside_a_virtual_start() {
    let schedule = five_hours(Some(240));
    let mut attempts = attempts(&THREE, "Ada A 0:10:00 AC\nBob A 0:30:00 AC\nBob B 5:30:00 AC");
    let start_ms = at("700:00:00");
    let mut ghosts = replayed(&attempts, &schedule, start_ms);
    assert_eq!(ghosts.len(), 2, "what was after the contest is no part of it");
    attempts[0].at_ms = start_ms + 20 * MINUTE_MS;
    ghosts.push(Attempt { id: 50, team: 2, ..attempts[0].clone() });
    let again = schedule.begun_at(start_ms);
    let ranks_at = |minute: i64| {
        let now_ms = start_ms + minute * MINUTE_MS;
        ranks(&board(&PENALTY, &again, &ids(&THREE), 2, &ghosts, View::Team(2), now_ms), &THREE)
    };
    assert_eq!(ranks_at(25), ["1 Ada 1 10 10", "2 Cleo 1 20 20", "3 Bob 0 0 0"]);
    assert_eq!(ranks_at(290), ["1 Ada 1 10 10", "2 Cleo 1 20 20", "3 Bob 1 30 30"]);
}
