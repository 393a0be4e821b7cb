//! From attempts to a board. One pass in the order of time; knows nothing of names, pages or databases.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::{Attempt, Best, Board, Cell, Column, FirstSolve, Row, Rules, Schedule, Scoring, View};
use crate::score::Points;
use crate::verdict::Verdict;

/// The board that `view` may see at `now_ms`.
///
/// Attempts count from the start on and before the end, none that is later than `now_ms`, in the order of time and
/// then of number, however they are given. `teams` are the rows, in the order in which equal ones are to stand;
/// attempts of others, and at problems from `problems` on, are left out.
pub fn board(
    rules: &Rules,
    schedule: &Schedule,
    teams: &[i64],
    problems: usize,
    attempts: &[Attempt],
    view: View,
    now_ms: i64,
) -> Board {
    let is_frozen = view != View::Jury && schedule.is_frozen(now_ms);
    let mut tally = Tally::new(rules, schedule, teams, problems);
    for attempt in in_order(attempts).take_while(|attempt| attempt.at_ms <= now_ms) {
        let is_own = view == View::Team(attempt.team);
        let is_hidden = is_frozen && !is_own && schedule.hides(attempt.at_ms, now_ms);
        tally.add(attempt, is_hidden);
    }
    tally.into_board(is_frozen)
}

/// Attempts of a contest moved to another start of it, as ghosts of a virtual one. Others than those that counted are
/// left out.
pub fn replayed(attempts: &[Attempt], schedule: &Schedule, start_ms: i64) -> Vec<Attempt> {
    let counted = attempts.iter().filter(|attempt| schedule.contains(attempt.at_ms));
    let moved = |attempt: &Attempt| {
        let since_start_ms = attempt.at_ms.saturating_sub(schedule.start_ms);
        Attempt { at_ms: start_ms.saturating_add(since_start_ms), ..attempt.clone() }
    };
    counted.map(moved).collect()
}

fn in_order(attempts: &[Attempt]) -> impl Iterator<Item = &Attempt> {
    let key = |attempt: &Attempt| (attempt.at_ms, attempt.id);
    let mut sorted: Vec<&Attempt> = attempts.iter().collect();
    // They mostly come in order, which this finds out in one pass.
    sorted.sort_by_key(|attempt| key(attempt));
    sorted.into_iter()
}

/// A cell while attempts are counted.
#[derive(Clone, Default)]
struct Count<'a> {
    cell: Cell,
    /// The subtasks of the first attempt that won something, until there is another to compare them with.
    first: &'a [(String, Points)],
    /// The best of each subtask, from the second such attempt on.
    groups: Vec<(&'a str, Points)>,
    /// The best attempt as a whole.
    best: Points,
}

struct Tally<'a> {
    rules: &'a Rules,
    schedule: &'a Schedule,
    problems: usize,
    rows: HashMap<i64, usize>,
    teams: Vec<i64>,
    /// Row by row.
    counts: Vec<Count<'a>>,
    columns: Vec<Column>,
    /// By problem: whose attempts are pending and may yet turn out to be the first solve.
    pending: Vec<Pending>,
}

/// Who has pending attempts.
#[derive(Clone, Copy)]
enum Pending {
    Nobody,
    One(i64),
    Several,
}

impl Pending {
    fn with(self, team: i64) -> Self {
        match self {
            Self::Nobody => Self::One(team),
            Self::One(one) if one == team => self,
            Self::One(_) | Self::Several => Self::Several,
        }
    }

    /// Whether somebody else than `team` may yet turn out to have been before it.
    fn is_of_others(self, team: i64) -> bool {
        match self {
            Self::Nobody => false,
            Self::One(one) => one != team,
            Self::Several => true,
        }
    }
}

impl<'a> Tally<'a> {
    fn new(rules: &'a Rules, schedule: &'a Schedule, teams: &[i64], problems: usize) -> Self {
        let mut rows = HashMap::with_capacity(teams.len());
        let mut known = Vec::with_capacity(teams.len());
        for team in teams {
            rows.entry(*team).or_insert_with(|| {
                known.push(*team);
                known.len() - 1
            });
        }
        Self {
            rules,
            schedule,
            problems,
            rows,
            counts: vec![Count::default(); known.len() * problems],
            teams: known,
            columns: vec![Column::default(); problems],
            pending: vec![Pending::Nobody; problems],
        }
    }

    fn add(&mut self, attempt: &'a Attempt, is_hidden: bool) {
        let Some(row) = self.rows.get(&attempt.team) else { return };
        let problem = attempt.problem;
        if problem >= self.problems || !self.schedule.contains(attempt.at_ms) {
            return;
        }
        let count = &mut self.counts[row * self.problems + problem];
        if count.cell.solved_minute.is_some() {
            // Whatever comes after the first accepted attempt changes nothing.
            return;
        }
        // A hidden attempt is pending whatever it is: were a free compile error left out, its verdict would show.
        let is_pending = is_hidden || attempt.is_pending();
        let is_free = attempt.verdict == Some(Verdict::Ce) && !self.rules.compile_errors_count;
        if is_free && !is_pending {
            return;
        }
        let column = &mut self.columns[problem];
        column.attempts += 1;
        column.tried += u32::from(count.cell.tries() == 0);
        if is_pending {
            count.cell.pending += 1;
            self.pending[problem] = self.pending[problem].with(attempt.team);
            return;
        }
        if self.rules.scoring == Scoring::Ioi {
            count.take_points(attempt, self.rules.best);
        }
        if attempt.verdict != Some(Verdict::Ac) {
            count.cell.wrong += 1;
            return;
        }
        let minute = self.schedule.minute(attempt.at_ms);
        count.cell.solved_minute = Some(minute);
        column.solved += 1;
        if column.solved == 1 && !self.pending[problem].is_of_others(attempt.team) {
            count.cell.is_first = true;
            column.first = Some(FirstSolve { team: attempt.team, attempt: attempt.id, minute });
        }
    }

    fn into_board(self, is_frozen: bool) -> Board {
        let mut cells = self.counts.into_iter().map(|count| count.cell);
        let mut rows: Vec<Row> = Vec::with_capacity(self.teams.len());
        for team in self.teams {
            let cells: Vec<Cell> = cells.by_ref().take(self.problems).collect();
            rows.push(row(self.rules, team, cells));
        }
        // Stable, so that equal teams stay as they were given.
        rows.sort_by_key(|row| standing(self.rules, row));
        for at in 0..rows.len() {
            let is_tied = at > 0 && standing(self.rules, &rows[at - 1]) == standing(self.rules, &rows[at]);
            rows[at].rank =
                if is_tied { rows[at - 1].rank } else { u32::try_from(at + 1).unwrap_or(u32::MAX) };
        }
        Board { rows, columns: self.columns, is_frozen }
    }
}

impl<'a> Count<'a> {
    fn take_points(&mut self, attempt: &'a Attempt, best: Best) {
        let points = attempt.points();
        self.best = self.best.max(points);
        // An accepted attempt has all of every subtask, and one without points nothing of any.
        if best == Best::PerSubtask && attempt.verdict != Some(Verdict::Ac) && points > Points::ZERO {
            if self.first.is_empty() {
                self.first = &attempt.groups;
            } else {
                if self.groups.is_empty() {
                    self.take_groups(self.first);
                }
                self.take_groups(&attempt.groups);
            }
        }
        let of_subtasks: Points = self.groups.iter().map(|(_, points)| *points).sum();
        self.cell.score = Some(self.best.max(of_subtasks));
    }

    fn take_groups(&mut self, groups: &'a [(String, Points)]) {
        for (name, points) in groups {
            match self.groups.iter_mut().find(|(known, _)| known == name) {
                Some((_, most)) => *most = (*most).max(*points),
                None => self.groups.push((name, *points)),
            }
        }
    }
}

fn row(rules: &Rules, team: i64, cells: Vec<Cell>) -> Row {
    let solved = || cells.iter().filter_map(|cell| Some((cell, cell.solved_minute?)));
    let cost = |(cell, minute): (&Cell, u64)| {
        minute.saturating_add(u64::from(cell.wrong) * u64::from(rules.penalty_minutes))
    };
    let penalty_minutes = match rules.scoring {
        Scoring::Icpc => solved().map(cost).fold(0, u64::saturating_add),
        Scoring::Ioi => 0,
    };
    Row {
        rank: 0,
        team,
        solved: u32::try_from(solved().count()).unwrap_or(u32::MAX),
        penalty_minutes,
        last_minute: solved().map(|(_, minute)| minute).max().unwrap_or(0),
        score: cells.iter().filter_map(|cell| cell.score).sum(),
        cells,
    }
}

/// What ranks a row, smallest first.
fn standing(rules: &Rules, row: &Row) -> (Reverse<u64>, u64, u64) {
    match rules.scoring {
        Scoring::Icpc => (Reverse(u64::from(row.solved)), row.penalty_minutes, row.last_minute),
        Scoring::Ioi => (Reverse(row.score.hundredths()), 0, 0),
    }
}
