//! The table of `list`. Shows, decides nothing.

use std::fmt::Write as _;

use serde::Serialize;

use crate::limits::{MemoryLimit, TimeLimit};
use crate::report::table::{self, Cell, Column};

/// One problem.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The slug.
    pub problem: String,
    /// In the problem's first language.
    pub title: String,
    /// Of one run, for the reference languages.
    pub time_limit_ms: u64,
    /// Of one run.
    pub memory_limit_bytes: u64,
    /// How many tests there are, on disk or as soon as they are needed; null when none of this `problem.toml` were
    /// generated yet.
    pub tests: Option<usize>,
    /// What the last measurement of these tests came to; null when there was none since something changed.
    pub strength: Option<StrengthNumbers>,
    /// Kept solutions, right and wrong.
    pub solutions: usize,
    /// The function that a submission may consist of; null when there is none.
    pub function: Option<String>,
}

/// How strong tests are.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StrengthNumbers {
    /// Mutants that the tests kill.
    pub killed: usize,
    /// Mutants that compile and are not equivalent.
    pub counted: usize,
    /// The first in percent of the second; null when there is none.
    pub killed_percent: Option<f64>,
    /// Kept wrong programs that the tests kill.
    pub kept_killed: usize,
    /// Kept wrong programs.
    pub kept: usize,
}

const COLUMNS: [Column; 7] = [
    Column { title: "problem", right: false, cut: false },
    Column { title: "title", right: false, cut: true },
    Column { title: "limits", right: true, cut: false },
    Column { title: "tests", right: true, cut: false },
    Column { title: "strength", right: true, cut: false },
    Column { title: "solutions", right: true, cut: false },
    Column { title: "function", right: false, cut: true },
];

/// From so many columns on there is room for functions' names.
const WIDE: usize = 100;

/// The table, with styles as escape sequences; the problems of `unread` have mistakes, nothing else is known of
/// them, and they come last.
pub fn text(lines: &[Line], unread: &[String], width: usize) -> String {
    let mut rows: Vec<Vec<Cell>> =
        lines.iter().map(row).chain(unread.iter().map(|slug| unread_row(slug))).collect();
    if width < WIDE {
        // A column without text is left out.
        rows.iter_mut().filter_map(|row| row.last_mut()).for_each(|function| *function = Cell::plain(""));
    }
    let mut text = table::render(&COLUMNS, &rows, width);
    if let Some(line) = lines.iter().find(|line| line.strength.is_none()) {
        let slug = if lines.len() == 1 { &line.problem } else { "PROBLEM" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n— under strength: not measured; `touchstone strength {slug}` measures it");
    }
    text
}

fn unread_row(slug: &str) -> Vec<Cell> {
    let unknown = ["—"; 4].map(Cell::plain);
    let named = [Cell::plain(slug), Cell::plain("(has mistakes)")];
    named.into_iter().chain(unknown).chain([Cell::plain("")]).collect()
}

fn row(line: &Line) -> Vec<Cell> {
    let time = TimeLimit::from_ms(line.time_limit_ms).map(|limit| limit.to_string());
    let memory = MemoryLimit::from_bytes(line.memory_limit_bytes).map(|limit| limit.to_string());
    vec![
        Cell::plain(&line.problem),
        Cell::plain(&line.title),
        Cell::plain(format!("{} {}", time.unwrap_or_default(), memory.unwrap_or_default())),
        Cell::plain(line.tests.map_or_else(|| "—".to_owned(), |tests| tests.to_string())),
        Cell::plain(line.strength.map_or_else(|| "—".to_owned(), strength)),
        Cell::plain(line.solutions.to_string()),
        Cell::plain(line.function.as_deref().unwrap_or_default()),
    ]
}

fn strength(numbers: StrengthNumbers) -> String {
    let StrengthNumbers { killed, counted, kept_killed, kept, .. } = numbers;
    if kept_killed == kept {
        format!("{killed}/{counted}")
    } else {
        format!("{killed}/{counted}, {kept_killed}/{kept} kept")
    }
}
