//! The report of `verify` for people and as JSON. Reads findings, decides nothing.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::report::quantity;
use crate::report::table::{self, Cell, Column};
use crate::report::terminal;
use crate::sandbox::Isolation;
use crate::score::Points;
use crate::verdict::Verdict;

/// What `verify --format json` prints.
#[derive(Debug, Serialize)]
pub struct VerifyDocument<'a> {
    /// In order of their names.
    pub problems: &'a [Verification],
    /// What isolation the runs had.
    pub isolation: &'a Isolation,
}

/// What was found of one problem.
#[derive(Clone, Debug, Serialize)]
pub struct Verification {
    /// The slug.
    pub problem: String,
    /// Tests of the package.
    pub tests: usize,
    /// Inputs in them, members of packs counted one by one.
    pub inputs: usize,
    /// Goals of the coverage.
    pub goals: usize,
    /// Goals that some input reaches.
    pub goals_reached: usize,
    /// Goals that need not be reached.
    pub goals_waived: usize,
    /// Inputs on which brute force was asked; null when the answers don't come from a built-in solver.
    pub brute_forced: Option<usize>,
    /// What is wrong with the problem or its package.
    pub faults: Vec<String>,
    /// A row for each kept solution.
    pub solutions: Vec<SolutionRow>,
}

/// What was found of one kept solution.
#[derive(Clone, Debug, Serialize)]
pub struct SolutionRow {
    /// Its path below the workspace.
    pub solution: String,
    /// The language's id.
    pub language: String,
    /// `stdin` or `function`; null when it was not run.
    pub mode: Option<String>,
    /// Any of these is as expected.
    pub expected: Vec<Verdict>,
    /// What it got.
    pub verdict: Option<Verdict>,
    /// Null when it could not be tried on this machine.
    pub as_expected: Option<bool>,
    /// The first test that it failed.
    pub first_failing_test: Option<String>,
    /// The largest over its tests.
    pub cpu_ms: Option<f64>,
    /// The largest over its tests.
    pub memory_bytes: Option<u64>,
    /// What is said of its first failure, or why it was not run.
    pub message: String,
    /// Its points, where there are subtasks.
    pub score: Option<Points>,
    /// What all subtasks together are worth.
    pub max_score: Option<Points>,
    /// The points that it should get, where that is said.
    pub expected_score: Option<Points>,
    /// In what it did otherwise than it should have.
    pub unexpected: Vec<String>,
}

impl Verification {
    /// Whether nothing is wrong.
    pub fn is_well(&self) -> bool {
        self.faults.is_empty() && self.solutions.iter().all(|row| row.as_expected != Some(false))
    }
}

const COLUMNS: [Column; 8] = [
    Column { title: "", right: false, cut: false },
    Column { title: "verdict", right: false, cut: false },
    Column { title: "expected", right: false, cut: false },
    Column { title: "score", right: true, cut: false },
    Column { title: "solution", right: false, cut: true },
    Column { title: "time", right: true, cut: false },
    Column { title: "memory", right: true, cut: false },
    Column { title: "first failure", right: false, cut: true },
];

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const UNKNOWN: Style = AnsiColor::Yellow.on_default().bold();

/// The whole report, with styles as escape sequences.
pub fn text(problems: &[Verification], width: usize) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail, here and below.
    for problem in problems {
        text.push_str(&of_problem(problem, width));
        text.push('\n');
    }
    let wrong = problems.iter().filter(|problem| !problem.is_well()).count();
    let all = quantity::count(problems.len(), "problem");
    if wrong == 0 {
        let _ = writeln!(text, "{GOOD}{all} verified{GOOD:#}");
    } else {
        let _ = writeln!(text, "{BAD}{wrong} of {all} with faults{BAD:#}");
    }
    text
}

fn of_problem(problem: &Verification, width: usize) -> String {
    let bold = Style::new().bold();
    let Verification { problem: slug, tests, inputs, goals, goals_reached, goals_waived, .. } = problem;
    let brute = problem.brute_forced.map(|inputs| format!(" · {inputs} brute-forced")).unwrap_or_default();
    let waived = if *goals_waived > 0 { format!(", {goals_waived} waived") } else { String::new() };
    let mut text = format!(
        "{bold}{slug}{bold:#} · {}, {} · goals {goals_reached}/{goals}{waived}{brute}\n\n",
        quantity::count(*tests, "test"),
        quantity::count(*inputs, "input"),
    );
    let rows: Vec<Vec<Cell>> = problem.solutions.iter().map(|solution| row(slug, solution)).collect();
    text.push_str(&table::render(&COLUMNS, &rows, width));
    let unexpected = problem.solutions.iter().filter(|row| row.as_expected == Some(false));
    let unexpected = unexpected.map(surprise);
    for fault in problem.faults.iter().cloned().chain(unexpected) {
        let _ = writeln!(text, "{BAD}fault{BAD:#} {fault}");
    }
    for row in problem.solutions.iter().filter(|row| row.as_expected.is_none()) {
        let _ = writeln!(text, "{UNKNOWN}not run{UNKNOWN:#} {}: {}", row.solution, one_line(&row.message));
    }
    text
}

/// What a solution got in place of what is promised of it.
fn surprise(row: &SolutionRow) -> String {
    let what: Vec<String> = row.unexpected.iter().map(|what| one_line(what)).collect();
    format!("{}: {}", row.solution, what.join("; "))
}

fn row(slug: &str, row: &SolutionRow) -> Vec<Cell> {
    // They all lie below the same folder.
    let path = row.solution.strip_prefix(&format!("solutions/{slug}/")).unwrap_or(&row.solution);
    let mark = match row.as_expected {
        Some(true) => Cell::styled("✓", GOOD),
        Some(false) => Cell::styled("✗", BAD),
        None => Cell::styled("?", UNKNOWN),
    };
    let score = match (row.score, row.max_score) {
        (Some(score), Some(most)) => format!("{score}/{most}"),
        _ => String::new(),
    };
    let expected: Vec<&str> = row.expected.iter().map(|verdict| verdict.short()).collect();
    vec![
        mark,
        Cell::styled(row.verdict.map_or("—", Verdict::short), terminal::look(row.verdict)),
        // More would leave no room for the rest of the table.
        Cell::plain(if expected.len() > 2 { "partial".to_owned() } else { expected.join(" or ") }),
        Cell::plain(score),
        Cell::plain(path),
        Cell::plain(row.cpu_ms.map(quantity::time).unwrap_or_default()),
        Cell::plain(row.memory_bytes.map(quantity::memory).unwrap_or_default()),
        Cell::plain(row.first_failing_test.as_deref().unwrap_or_default()),
    ]
}

fn one_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
