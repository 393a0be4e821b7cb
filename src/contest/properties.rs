//! What holds of every board, whatever the attempts.

use proptest::prelude::*;

use super::*;

const TEAMS: [i64; 4] = [7, 3, 9, 4];
const PROBLEMS: usize = 3;
const SCHEDULE: Schedule =
    Schedule { start_ms: 0, end_ms: 300 * 60_000, freeze_ms: Some(200 * 60_000), is_thawed: false };
const AFTER_MS: i64 = 400 * 60_000;

fn verdicts() -> impl Strategy<Value = Option<Verdict>> {
    prop_oneof![Just(None), prop::sample::select(&Verdict::ALL[..]).prop_map(Some), Just(Some(Verdict::Ac))]
}

/// Few minutes, so that instants meet each other and the edges.
fn attempt() -> impl Strategy<Value = Attempt> {
    let minutes = prop_oneof![0..4_i64, 198..203_i64, 297..303_i64];
    let points = prop::collection::vec(0..4_u64, 2);
    (0..1000_i64, 0..5_usize, 0..4_usize, minutes, verdicts(), points, any::<bool>()).prop_map(
        |(id, team, problem, minute, verdict, points, is_scored)| {
            let points = points.into_iter().map(|points| Points::from_hundredths(points * 1000));
            let groups: Vec<(String, Points)> =
                ["a", "b"].into_iter().map(str::to_owned).zip(points).collect();
            Attempt {
                id,
                team: [7, 3, 9, 4, 1][team],
                problem,
                at_ms: minute * 60_000,
                verdict,
                score: is_scored.then(|| groups.iter().map(|(_, points)| *points).sum()),
                groups: if is_scored { groups } else { Vec::new() },
            }
        },
    )
}

/// Each with a number of its own.
fn attempts() -> impl Strategy<Value = Vec<Attempt>> {
    prop::collection::vec(attempt(), 0..40).prop_map(|mut attempts| {
        attempts.sort_by_key(|attempt| attempt.id);
        attempts.dedup_by_key(|attempt| attempt.id);
        attempts
    })
}

fn rules() -> impl Strategy<Value = Rules> {
    let scorings = prop::sample::select(&[Scoring::Icpc, Scoring::Ioi][..]);
    let bests = prop::sample::select(&[Best::PerSubtask, Best::PerSubmission][..]);
    (scorings, bests, 0..40_u32, any::<bool>()).prop_map(
        |(scoring, best, penalty_minutes, compile_errors_count)| Rules {
            scoring,
            best,
            penalty_minutes,
            compile_errors_count,
        },
    )
}

fn seen(rules: &Rules, attempts: &[Attempt], view: View) -> Board {
    board(rules, &SCHEDULE, &TEAMS, PROBLEMS, attempts, view, AFTER_MS)
}

proptest! {
    #[test]
    fn the_order_of_attempts_does_not_matter(
        rules in rules(),
        (attempts, shuffled) in attempts().prop_flat_map(|it| (Just(it.clone()), Just(it).prop_shuffle())),
    ) {
        for view in [View::Public, View::Jury, View::Team(7)] {
            prop_assert_eq!(seen(&rules, &attempts, view), seen(&rules, &shuffled, view));
        }
    }

    /// Nothing that is handed in after the problem was solved moves the board, whatever becomes of it.
    #[test]
    fn whatever_follows_an_accepted_attempt_changes_nothing(
        rules in rules(), attempts in attempts(), verdict in verdicts(), later_minutes in 0..3_i64,
    ) {
        let before = seen(&rules, &attempts, View::Jury);
        let mut solving = attempts.iter().filter(|it| it.verdict == Some(Verdict::Ac));
        if let Some(solving) = solving.next_back() {
            let mut more = attempts.clone();
            let at_ms = solving.at_ms + later_minutes * 60_000;
            more.push(Attempt { id: 5000, at_ms, verdict, ..solving.clone() });
            // The accepted one only counts within the contest.
            prop_assume!(SCHEDULE.contains(solving.at_ms));
            prop_assert_eq!(before, seen(&rules, &more, View::Jury));
        }
    }

    /// Neither the verdict of what is after the freeze nor whether it is in shows to others.
    #[test]
    fn a_frozen_board_knows_no_later_verdict(
        rules in rules(), attempts in attempts(), others in prop::collection::vec(verdicts(), 40),
    ) {
        let mut changed = attempts.clone();
        for (attempt, verdict) in changed.iter_mut().zip(others) {
            if attempt.at_ms >= 200 * 60_000 && attempt.team != 7 {
                *attempt = Attempt { verdict, score: None, groups: Vec::new(), ..attempt.clone() };
            }
        }
        prop_assert_eq!(seen(&rules, &attempts, View::Team(7)), seen(&rules, &changed, View::Team(7)));
        for attempt in changed.iter_mut().filter(|it| it.at_ms >= 200 * 60_000 && it.team == 7) {
            attempt.verdict = None;
        }
        prop_assert_eq!(seen(&rules, &attempts, View::Public), seen(&rules, &changed, View::Public));
    }

    /// A team sees its own row as the jury does, and every other row as everybody does.
    #[test]
    fn a_team_sees_its_own_row_live(rules in rules(), attempts in attempts()) {
        let [own, jury, public] = [View::Team(7), View::Jury, View::Public].map(|view| seen(&rules, &attempts, view));
        // Ranks and firsts depend on other rows.
        let bare = |board: &Board, team: i64| {
            let mut row = board.row(team).cloned().unwrap();
            row.rank = 0;
            row.cells.iter_mut().for_each(|cell| cell.is_first = false);
            row
        };
        prop_assert_eq!(bare(&own, 7), bare(&jury, 7));
        for team in [3, 9, 4] {
            prop_assert_eq!(bare(&own, team), bare(&public, team));
        }
    }

    #[test]
    fn rows_add_up_and_ranks_are_those_of_who_is_better(rules in rules(), attempts in attempts()) {
        let board = seen(&rules, &attempts, View::Jury);
        let mut teams: Vec<i64> = board.rows.iter().map(|row| row.team).collect();
        teams.sort_unstable();
        prop_assert_eq!(teams, vec![3, 4, 7, 9]);
        let worth = |row: &Row| match rules.scoring {
            Scoring::Icpc => (i64::from(row.solved), -(row.penalty_minutes as i64), -(row.last_minute as i64)),
            Scoring::Ioi => (row.score.hundredths() as i64, 0, 0),
        };
        for row in &board.rows {
            let better = board.rows.iter().filter(|other| worth(other) > worth(row)).count();
            prop_assert_eq!(row.rank as usize, better + 1);
            let solved = row.cells.iter().filter_map(|cell| Some((cell.wrong, cell.solved_minute?)));
            let penalty: u64 =
                solved.clone().map(|(wrong, minute)| minute + u64::from(wrong * rules.penalty_minutes)).sum();
            prop_assert_eq!(row.solved as usize, solved.count());
            let is_icpc = rules.scoring == Scoring::Icpc;
            prop_assert_eq!(row.penalty_minutes, if is_icpc { penalty } else { 0 });
            prop_assert_eq!(row.score, row.cells.iter().filter_map(|cell| cell.score).sum::<Points>());
        }
        for (problem, column) in board.columns.iter().enumerate() {
            let cells = || board.rows.iter().map(|row| &row.cells[problem]);
            prop_assert_eq!(column.attempts, cells().map(Cell::tries).sum::<u32>());
            prop_assert_eq!(column.tried as usize, cells().filter(|cell| cell.tries() > 0).count());
            prop_assert_eq!(column.solved as usize, cells().filter(|cell| cell.solved_minute.is_some()).count());
            prop_assert_eq!(cells().filter(|cell| cell.is_first).count(), usize::from(column.first.is_some()));
        }
    }

    #[test]
    fn the_best_of_each_subtask_is_no_less_than_the_best_attempt(attempts in attempts()) {
        let rules = |best| Rules { scoring: Scoring::Ioi, best, ..Rules::default() };
        let subtasks = seen(&rules(Best::PerSubtask), &attempts, View::Jury);
        let attempt = seen(&rules(Best::PerSubmission), &attempts, View::Jury);
        for team in TEAMS {
            prop_assert!(subtasks.row(team).unwrap().score >= attempt.row(team).unwrap().score);
        }
    }

    /// Subtask by subtask, the slow way.
    #[test]
    fn subtasks_are_the_best_of_all_attempts(attempts in attempts()) {
        let rules = Rules { scoring: Scoring::Ioi, ..Rules::default() };
        let board = seen(&rules, &attempts, View::Jury);
        let mut sorted: Vec<&Attempt> = attempts.iter().filter(|it| SCHEDULE.contains(it.at_ms)).collect();
        sorted.sort_by_key(|it| (it.at_ms, it.id));
        for (team, problem) in TEAMS.into_iter().flat_map(|team| (0..PROBLEMS).map(move |it| (team, it))) {
            let own: Vec<&Attempt> =
                sorted.iter().copied().filter(|it| (it.team, it.problem) == (team, problem)).collect();
            let solved = own.iter().position(|it| it.verdict == Some(Verdict::Ac)).unwrap_or(own.len());
            let judged = |it: &&&Attempt| !it.is_pending() && it.verdict != Some(Verdict::Ce);
            let best = own.iter().take(solved + 1).filter(judged).map(|it| it.points()).max();
            let of = |name: &str| {
                let groups = own.iter().take(solved).filter(judged).flat_map(|it| &it.groups);
                groups.filter(|(known, _)| known == name).map(|(_, points)| *points).max().unwrap_or_default()
            };
            let of_subtasks: Points = [of("a"), of("b")].into_iter().sum();
            prop_assert_eq!(board.row(team).unwrap().cells[problem].score, best.map(|best| best.max(of_subtasks)));
        }
    }

    /// A board of the past is the board that was seen then.
    #[test]
    fn what_is_later_than_now_is_not_there(rules in rules(), attempts in attempts(), minute in 0..300_i64) {
        let now_ms = minute * 60_000;
        let past: Vec<Attempt> = attempts.iter().filter(|it| it.at_ms <= now_ms).cloned().collect();
        let at = |attempts: &[Attempt]| {
            board(&rules, &SCHEDULE, &TEAMS, PROBLEMS, attempts, View::Public, now_ms)
        };
        prop_assert_eq!(at(&attempts), at(&past));
    }
}
