//! A contest's rules as pure functions: from attempts to a board, as each viewer may see it. Never reads a clock, a
//! database or a file: every instant comes in as an argument, in unix milliseconds.
//!
//! Contest time is derived (`at_ms - start_ms`) and never stored, so that it cannot disagree with the instant.

mod board;
#[cfg(test)]
mod cases;
#[cfg(feature = "web")]
pub mod config;
pub mod csv;
#[cfg(test)]
mod properties;
pub mod roster;
mod schedule;

use serde::{Deserialize, Serialize};

use crate::score::Points;
use crate::verdict::Verdict;
pub use board::{board, replayed};
pub use schedule::{Phase, Schedule};

/// How attempts make a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scoring {
    /// Problems solved, then penalty, then the minute of the last solved problem.
    #[default]
    Icpc,
    /// Points.
    Ioi,
}

/// What counts of several attempts at a problem that gives points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Best {
    /// The best of each subtask, whichever attempt won it.
    #[default]
    PerSubtask,
    /// The best attempt as a whole.
    PerSubmission,
}

/// How a contest is scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// How attempts make a rank.
    pub scoring: Scoring,
    /// What counts of several attempts; only where points are given.
    pub best: Best,
    /// What each rejected attempt at a problem that is solved later costs.
    pub penalty_minutes: u32,
    /// Whether a compile error is a rejected attempt; else it is as if it had not been handed in.
    pub compile_errors_count: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            scoring: Scoring::default(),
            best: Best::default(),
            penalty_minutes: 20,
            compile_errors_count: false,
        }
    }
}

/// Points of an accepted attempt at a problem that says nothing of points.
pub const POINTS_OF_A_PROBLEM: Points = Points::from_hundredths(10_000);

/// A submission as far as the board is concerned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The submission's number; orders attempts of the same millisecond.
    pub id: i64,
    /// Whose it is.
    pub team: i64,
    /// The problem's place in the contest, from 0.
    pub problem: usize,
    /// When it was handed in. A verdict that comes later counts all the same.
    pub at_ms: i64,
    /// `None` until it is judged. A judge error counts as not judged yet.
    pub verdict: Option<Verdict>,
    /// What it won, where the problem gives points.
    pub score: Option<Points>,
    /// What it won of each subtask, by name.
    pub groups: Vec<(String, Points)>,
}

impl Attempt {
    /// Whether the verdict is not in yet.
    pub fn is_pending(&self) -> bool {
        matches!(self.verdict, None | Some(Verdict::Je))
    }

    /// What it won as a whole: its score, or all points of a problem without points when it was accepted.
    pub fn points(&self) -> Points {
        match (self.score, self.verdict) {
            _ if self.is_pending() => Points::ZERO,
            (Some(score), _) => score,
            (None, Some(Verdict::Ac)) => POINTS_OF_A_PROBLEM,
            (None, _) => Points::ZERO,
        }
    }
}

/// Who looks at a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// Everybody: what is after the freeze shows only as pending.
    Public,
    /// Staff: everything.
    Jury,
    /// A team: as everybody, but its own row is live.
    Team(i64),
}

/// A board at one moment for one viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Board {
    /// Best first; teams of one rank stand in the order in which they were given.
    pub rows: Vec<Row>,
    /// One for each problem, in order.
    pub columns: Vec<Column>,
    /// Whether attempts are shown as pending because of the freeze.
    pub is_frozen: bool,
}

impl Board {
    /// The row of a team.
    pub fn row(&self, team: i64) -> Option<&Row> {
        self.rows.iter().find(|row| row.team == team)
    }
}

/// What became of one problem, as far as the viewer may know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Teams that solved it.
    pub solved: u32,
    /// Teams that tried it.
    pub tried: u32,
    /// Attempts that count, pending ones too.
    pub attempts: u32,
    /// The first solve; absent as long as an attempt that another team made before it is pending.
    pub first: Option<FirstSolve>,
}

/// Who solved a problem first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FirstSolve {
    /// The team.
    pub team: i64,
    /// The accepted attempt.
    pub attempt: i64,
    /// Whole minutes since the start.
    pub minute: u64,
}

/// One team's line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// From 1; equal teams share it, and the next one counts them all.
    pub rank: u32,
    /// The team.
    pub team: i64,
    /// How many problems it solved.
    pub solved: u32,
    /// Minutes of its solved problems with what their rejected attempts cost; 0 where points are given.
    pub penalty_minutes: u64,
    /// The minute of its last solved problem; 0 when there is none.
    pub last_minute: u64,
    /// The sum of its points; 0 where none are given.
    pub score: Points,
    /// One for each problem, in order.
    pub cells: Vec<Cell>,
}

/// What one team did at one problem, up to the attempt that solved it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Rejected attempts.
    pub wrong: u32,
    /// Attempts whose verdict is not in, or not for this viewer.
    pub pending: u32,
    /// Whole minutes from the start to the accepted attempt.
    pub solved_minute: Option<u64>,
    /// Whether this solve was the first of all.
    pub is_first: bool,
    /// Points, where they are given and an attempt was judged.
    pub score: Option<Points>,
}

impl Cell {
    /// Attempts that count: rejected, pending and the accepted one.
    pub fn tries(&self) -> u32 {
        self.wrong + self.pending + u32::from(self.solved_minute.is_some())
    }
}
