//! The table of `list`. Shows, decides nothing.

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
    /// How many tests there are; null when they are not generated yet.
    pub tests: Option<usize>,
    /// Kept solutions, right and wrong.
    pub solutions: usize,
    /// The function that a submission may consist of; null when there is none.
    pub function: Option<String>,
}

const COLUMNS: [Column; 7] = [
    Column { title: "problem", right: false, cut: false },
    Column { title: "title", right: false, cut: true },
    Column { title: "time", right: true, cut: false },
    Column { title: "memory", right: true, cut: false },
    Column { title: "tests", right: true, cut: false },
    Column { title: "solutions", right: true, cut: false },
    Column { title: "function", right: false, cut: true },
];

/// The table, with styles as escape sequences; the problems of `unread` have mistakes, nothing else is known of
/// them, and they come last.
pub fn text(lines: &[Line], unread: &[String], width: usize) -> String {
    let rows: Vec<Vec<Cell>> =
        lines.iter().map(row).chain(unread.iter().map(|slug| unread_row(slug))).collect();
    table::render(&COLUMNS, &rows, width)
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
        Cell::plain(time.unwrap_or_default()),
        Cell::plain(memory.unwrap_or_default()),
        Cell::plain(line.tests.map_or_else(|| "—".to_owned(), |tests| tests.to_string())),
        Cell::plain(line.solutions.to_string()),
        Cell::plain(line.function.as_deref().unwrap_or_default()),
    ]
}
