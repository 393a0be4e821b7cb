//! The report of `grade` for people: a table with a row for each submission, then what is to be known of each first
//! failure, and the command that repeats it. Reads reports, decides nothing; everything in it is already escaped.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr as _;

use crate::grade::{SubmissionReport, TestReport, excerpt};
use crate::limits::Limits;
use crate::report::table::{self, Cell, Column};
use crate::report::{diff, points, quantity};
use crate::sandbox::Isolation;
use crate::stress::smallest::SmallestInput;
use crate::verdict::Verdict;

/// A graded submission with what its report alone does not say.
#[derive(Clone, Debug)]
pub struct Graded {
    /// The report.
    pub report: SubmissionReport,
    /// The limits in force for its language.
    pub limits: Limits,
    /// The command that repeats its first failing test.
    pub again: Option<String>,
    /// The smallest failing input, when one was looked for.
    pub smallest: Option<SmallestInput>,
    /// Why it has no verdict, when it has none.
    pub problem: Option<String>,
}

/// Everything the report is made of.
#[derive(Clone, Debug)]
pub struct Sheet<'a> {
    /// The problem's slug, or what stands for it.
    pub title: &'a str,
    /// How outputs were compared.
    pub checker: &'a str,
    /// The submissions.
    pub graded: &'a [Graded],
    /// Columns there are.
    pub width: usize,
    /// Whether colours are wanted where they are not simply taken away afterwards.
    pub color: bool,
}

/// Failures that are shown whole; of the others a line says how to see them.
pub(super) const WHOLE_FAILURES: usize = 8;
/// Lines of an input, an output or a log that are shown.
const SHOWN_LINES: usize = 12;
/// Bytes of one such line; more than an excerpt of an input takes, which is not to be cut again.
const LINE_BYTES: usize = 320;
/// The name of what was said with an interactor.
pub(crate) const TALK: &str = "talk (> the submission, < the interactor)";
/// Bytes of a smallest failing input that are shown.
pub(crate) const SMALLEST_BYTES: usize = 1500;
/// How far blocks are set in.
const INDENT: &str = "    ";

const COLUMNS: [Column; 8] = [
    Column { title: "verdict", right: false, cut: false },
    Column { title: "score", right: true, cut: false },
    Column { title: "solution", right: false, cut: true },
    Column { title: "language", right: false, cut: false },
    Column { title: "passed", right: true, cut: false },
    Column { title: "time", right: true, cut: false },
    Column { title: "memory", right: true, cut: false },
    Column { title: "first failure", right: false, cut: true },
];

/// The whole report, with styles as escape sequences.
pub fn grade(sheet: &Sheet<'_>) -> String {
    let mut text = header(sheet);
    let rows: Vec<Vec<Cell>> = sheet.graded.iter().map(row).collect();
    text.push('\n');
    text.push_str(&table::render(&COLUMNS, &rows, sheet.width));
    text.push_str(&points::subtasks(sheet));
    let mut whole = 0;
    for graded in sheet.graded {
        if let Some(block) = failure(sheet, graded, whole < WHOLE_FAILURES) {
            whole += 1;
            text.push('\n');
            text.push_str(&block);
        }
    }
    text
}

/// One line on what isolation the runs had when it is less than what there can be, or `None`.
pub fn weakness(isolation: &Isolation) -> Option<String> {
    let walls = [
        (isolation.namespaces, "own namespaces"),
        (isolation.seccomp, "a filter of system calls"),
        (isolation.landlock, "Landlock"),
        (isolation.network_blocked, "a blocked network"),
    ];
    let mut lacking: Vec<&str> = walls.iter().filter(|(there, _)| !there).map(|(_, name)| *name).collect();
    if isolation.memory == "rlimit" {
        lacking.push("memory control groups");
    }
    (!lacking.is_empty()).then(|| {
        format!("isolation here is without {}; `touchstone doctor` says how to get more", list(&lacking))
    })
}

fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

/// The colour of a verdict.
pub(crate) fn look(verdict: Option<Verdict>) -> Style {
    let color = match verdict {
        Some(Verdict::Ac) => AnsiColor::Green,
        Some(Verdict::Wa | Verdict::Rte) => AnsiColor::Red,
        Some(Verdict::Tle | Verdict::Mle | Verdict::Ole) => AnsiColor::Yellow,
        Some(Verdict::Ce) => AnsiColor::Cyan,
        Some(Verdict::Je) | None => AnsiColor::Magenta,
    };
    color.on_default().bold()
}

fn header(sheet: &Sheet<'_>) -> String {
    let bold = Style::new().bold();
    let mut limits: Vec<(Limits, Vec<&str>)> = Vec::new();
    for graded in sheet.graded {
        let language = graded.report.language.as_str();
        match limits.iter_mut().find(|(limits, _)| *limits == graded.limits) {
            Some((_, languages)) if languages.contains(&language) => {}
            Some((_, languages)) => languages.push(language),
            None => limits.push((graded.limits, vec![language])),
        }
    }
    let several = limits.len() > 1;
    let limits: Vec<String> = limits
        .into_iter()
        .map(|(limits, languages)| {
            let of = if several { format!(" ({})", languages.join(", ")) } else { String::new() };
            format!("{}, {}{of}", limits.time, limits.memory)
        })
        .collect();
    format!("{bold}{}{bold:#} · limits {} · {}\n", sheet.title, limits.join("; "), judged_by(sheet.checker))
}

/// What outputs are judged by, with a word for what it is.
pub(crate) fn judged_by(checker: &str) -> String {
    if checker.starts_with("interactor ") { checker.to_owned() } else { format!("checker {checker}") }
}

fn row(graded: &Graded) -> Vec<Cell> {
    let report = &graded.report;
    let most = |of: fn(&TestReport) -> Option<f64>| {
        report
            .tests
            .iter()
            .filter_map(of)
            .fold(None, |most: Option<f64>, next| Some(most.map_or(next, |most| most.max(next))))
    };
    let passed = report.tests.iter().filter(|row| row.verdict == Some(Verdict::Ac)).count();
    let time = most(|row| row.cpu_ms).map(quantity::time).unwrap_or_default();
    let memory = report.tests.iter().filter_map(|row| row.memory_bytes).max().map(quantity::memory);
    let language =
        if report.mode == "function" { format!("{} fn", report.language) } else { report.language.clone() };
    let score = match (report.score, report.max_score) {
        (Some(score), Some(most)) => format!("{score}/{most}"),
        _ => String::new(),
    };
    vec![
        Cell::styled(report.verdict.map_or("—", Verdict::short), look(report.verdict)),
        Cell::plain(score),
        Cell::plain(visible(&report.solution)),
        Cell::plain(language),
        // Where there are points, the tables of subtasks say it.
        Cell::plain(if report.tests.is_empty() || report.max_score.is_some() {
            String::new()
        } else {
            format!("{passed}/{}", report.tests.len())
        }),
        Cell::plain(time),
        Cell::plain(memory.unwrap_or_default()),
        Cell::plain(report.first_failing_test.as_deref().map(visible).unwrap_or_default()),
    ]
}

/// What is to be known of a submission that is not accepted.
fn failure(sheet: &Sheet<'_>, graded: &Graded, whole: bool) -> Option<String> {
    let report = &graded.report;
    let style = look(report.verdict);
    let title = |what: &str| {
        let verdict = report.verdict.map_or("no verdict", Verdict::long);
        format!("{style}{verdict}{style:#} {}{what}\n", visible(&report.solution))
    };
    if let Some(problem) = &graded.problem {
        return Some(title("") + &indented(problem));
    }
    match report.verdict {
        Some(Verdict::Ac) => {
            let remarks: Vec<String> =
                report.tests.iter().filter(|row| !row.message.is_empty()).map(remark).collect();
            return remarks.first().map(|first| title("") + &indented(first));
        }
        Some(Verdict::Ce) | None => return Some(title("") + &indented(&report.compile.log)),
        Some(Verdict::Je) if report.tests.is_empty() => {
            return Some(title("") + &indented(&report.compile.log));
        }
        Some(_) => {}
    }
    let row = report.tests.iter().find(|row| report.first_failing_test.as_ref() == Some(&row.name))?;
    let mut text = title(&format!(" on {}", visible(&row.name)));
    text.push_str(&indented(&row.message));
    if whole {
        text.push_str(&details(sheet, graded, row));
    }
    if let Some(again) = &graded.again {
        text.push_str(&block("again", again));
    }
    Some(text)
}

fn remark(row: &TestReport) -> String {
    format!("{}: {}", visible(&row.name), row.message)
}

fn details(sheet: &Sheet<'_>, graded: &Graded, row: &TestReport) -> String {
    let mut text = String::new();
    let width = sheet.width.saturating_sub(INDENT.len());
    let smallest = graded.smallest.as_ref();
    let is_smallest = smallest.is_some_and(|smallest| row.failing_input.as_ref() == Some(&smallest.input));
    if let Some(input) = &row.failing_input {
        text.push_str(&block("input", &fitted(input, width)));
    }
    if let Some(outputs) = &row.outputs {
        let name = match outputs.first_line {
            1 => "expected (-) and found (+)".to_owned(),
            line => format!("expected (-) and found (+), from line {line} of the output"),
        };
        text.push_str(&block(&name, &diff::render(&outputs.expected, &outputs.actual, width, sheet.color)));
    }
    if !row.transcript.is_empty() {
        text.push_str(&block(TALK, &row.transcript));
    }
    if !row.stderr.is_empty() {
        text.push_str(&block("standard error", &row.stderr));
    }
    if let Some(smallest) = smallest {
        let partial = if smallest.is_partial { " (smaller ones may exist)" } else { "" };
        if is_smallest {
            text.push_str("  no smaller input fails");
            text.push_str(partial);
            text.push('\n');
        } else {
            let input = excerpt::shorten(smallest.input.trim_end(), SMALLEST_BYTES);
            let expected = smallest
                .expected
                .as_ref()
                .map(|expected| format!("expected {expected}\n"))
                .unwrap_or_default();
            let shown = format!("{input}\n{expected}found    {}", smallest.actual);
            text.push_str(&uncut(&format!("smallest failing input{partial}"), &shown));
        }
    }
    text
}

/// An input whose long lines are cut in the middle to so many columns.
fn fitted(input: &str, width: usize) -> String {
    input.lines().map(|line| excerpt::fit(line, width)).collect::<Vec<_>>().join("\n")
}

/// A named block, on one line when it is short.
pub(crate) fn block(name: &str, text: &str) -> String {
    let dim = Style::new().dimmed();
    let text = text.trim_end_matches('\n');
    let is_short = !text.contains('\n') && name.width() + text.width() < 74;
    if is_short && !name.contains('(') {
        return format!("  {dim}{name}{dim:#}  {text}\n");
    }
    format!("  {dim}{name}{dim:#}\n{}", indented(text))
}

/// A named block whose lines are left to the terminal to break, for what people copy.
pub(crate) fn uncut(name: &str, text: &str) -> String {
    let dim = Style::new().dimmed();
    let lines = text.trim_end_matches('\n').lines();
    let lines: String = lines.map(|line| format!("{INDENT}{line}\n")).collect();
    format!("  {dim}{name}{dim:#}\n{lines}")
}

pub(crate) fn indented(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end_matches('\n').lines().collect();
    let mut shown = String::new();
    for line in lines.iter().take(SHOWN_LINES) {
        let line = unturned(&excerpt::shorten(line, LINE_BYTES));
        shown.push_str(format!("{INDENT}{line}").trim_end());
        shown.push('\n');
    }
    if lines.len() > SHOWN_LINES {
        let more = quantity::count(lines.len() - SHOWN_LINES, "more line");
        shown += INDENT;
        shown += "… ";
        shown += &more;
        shown.push('\n');
    }
    shown
}

/// The characters that turn text round or hide in it, which messages and logs may have taken from a program, made visible.
fn unturned(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {
                text.extend(c.escape_unicode());
            }
            _ => text.push(c),
        }
    }
    text
}

/// Names come from files and may hold anything: what a terminal would obey is escaped.
pub(crate) fn visible(text: &str) -> String {
    excerpt::printable(text.as_bytes()).replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_a_program_turns_the_report_round() {
        assert_eq!(indented("found \u{202e}cba, д́ 石"), "    found \\u{202e}cba, д́ 石\n");
    }
}
