//! The part of `grade`'s report on subtasks: a small table for each submission. Reads reports, counts nothing.

use anstyle::Style;

use crate::report::table::{self, Cell, Column};
use crate::report::terminal::{Graded, Sheet, WHOLE_FAILURES, look, visible};
use crate::score::GroupScore;
use crate::verdict::Verdict;

/// How far the table is set in.
const INDENT: &str = "  ";

const COLUMNS: [Column; 6] = [
    Column { title: "subtask", right: false, cut: false },
    Column { title: "points", right: true, cut: false },
    Column { title: "", right: false, cut: false },
    Column { title: "passed", right: true, cut: false },
    Column { title: "verdict", right: false, cut: false },
    Column { title: "first failure", right: false, cut: true },
];

/// What came of each subtask, for each of the first submissions; empty where there are no subtasks.
pub(crate) fn subtasks(sheet: &Sheet<'_>) -> String {
    let scored = sheet.graded.iter().filter(|graded| !graded.report.groups.is_empty());
    scored.take(WHOLE_FAILURES).map(|graded| of_one(graded, sheet.width)).collect()
}

fn of_one(graded: &Graded, width: usize) -> String {
    let bold = Style::new().bold();
    let rows: Vec<Vec<Cell>> = graded.report.groups.iter().map(row).collect();
    let table = table::render(&COLUMNS, &rows, width.saturating_sub(INDENT.len()));
    let table: String = table.lines().map(|line| format!("{INDENT}{line}\n")).collect();
    format!("\n{bold}points{bold:#} {}\n{table}", visible(&graded.report.solution))
}

fn row(group: &GroupScore) -> Vec<Cell> {
    vec![
        Cell::plain(&group.name),
        Cell::plain(group.score.to_string()),
        Cell::plain(format!("of {}", group.points)),
        Cell::plain(format!("{}/{}", group.passed, group.tests)),
        Cell::styled(group.verdict.map_or("skipped", Verdict::short), look(group.verdict)),
        Cell::plain(group.first_failing_test.as_deref().map(visible).unwrap_or_default()),
    ]
}
