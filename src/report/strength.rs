//! The report of `strength`: what was found, as a document, and the same for people. Reads findings, decides nothing.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::report::quantity;
use crate::report::table::{self, Cell, Column};
use crate::sandbox::Isolation;
use crate::verdict::Verdict;

/// What `strength --format json` prints.
#[derive(Debug, Serialize)]
pub struct StrengthDocument<'a> {
    /// As they were asked for.
    pub problems: &'a [Strength],
    /// What isolation the runs had.
    pub isolation: &'a Isolation,
}

/// How strong the tests of one problem are.
#[derive(Clone, Debug, Serialize)]
pub struct Strength {
    /// The slug.
    pub problem: String,
    /// Accepted solutions that mutants were made of.
    pub sources: usize,
    /// What became of the mutants.
    pub mutants: Counts,
    /// Mutants killed, of those that compile and are not equivalent, in percent; null when there is none.
    pub killed_percent: Option<f64>,
    /// The tests, in package order.
    pub tests: Vec<TestLine>,
    /// So few tests kill all that is killed, chosen greedily.
    pub enough_tests: usize,
    /// A line for each operator that has a mutant here.
    pub operators: Vec<OperatorLine>,
    /// A line for each kept wrong program.
    pub kept: Vec<ProgramLine>,
    /// A line for each mutant that was tried.
    pub programs: Vec<ProgramLine>,
    /// What is wrong, one sentence each: kept programs that survive, entries of strength.toml that do not hold.
    pub faults: Vec<String>,
    /// What `--select` chose; null when it was not asked for.
    pub selection: Option<SelectionLine>,
    /// What `--hunt` found; null when it was not asked for.
    pub hunt: Option<HuntLine>,
}

/// Numbers of mutants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// That the operators make.
    pub made: usize,
    /// Set aside as equal to another by text.
    pub doubles: usize,
    /// Tried, within the budget.
    pub tried: usize,
    /// Set aside because they do not compile.
    pub rejected: usize,
    /// Not run because this machine lacks their language.
    pub not_run: usize,
    /// That compile.
    pub compiled: usize,
    /// Killed by some test.
    pub killed: usize,
    /// Set aside by strength.toml as equivalent.
    pub equivalent: usize,
    /// Neither killed nor equivalent.
    pub survived: usize,
}

/// One test.
#[derive(Clone, Debug, Serialize)]
pub struct TestLine {
    /// Its name.
    pub name: String,
    /// Inputs; more than one only in a pack.
    pub inputs: usize,
    /// Kept programs and mutants that it kills.
    pub kills: usize,
}

/// One operator.
#[derive(Clone, Debug, Serialize)]
pub struct OperatorLine {
    /// Its name.
    pub operator: String,
    /// What it does.
    pub what: String,
    /// Its mutants that compile.
    pub mutants: usize,
    /// Of these, killed.
    pub killed: usize,
    /// Of these, equivalent.
    pub equivalent: usize,
}

/// What came of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// Some test fails it.
    Killed,
    /// No test does.
    Survived,
    /// No test does, and none can: strength.toml says why.
    Equivalent,
    /// It does not compile.
    Rejected,
    /// Its language is not on this machine.
    NotRun,
}

/// One program.
#[derive(Clone, Debug, Serialize)]
pub struct ProgramLine {
    /// A kept program's path below the problem's solutions, or a mutant's id.
    pub program: String,
    /// What came of it.
    pub standing: Standing,
    /// The first test that it fails.
    pub first_killer: Option<String>,
    /// A verdict for each test, in package order; null where it was not run. Empty when nothing was run.
    pub verdicts: Vec<Option<Verdict>>,
    /// Of a mutant: (line, before, after).
    pub diff: Vec<(usize, String, String)>,
    /// What is known besides: the reason in strength.toml, or what a search for a difference found.
    pub note: String,
}

/// What was selected.
#[derive(Clone, Debug, Serialize)]
pub struct SelectionLine {
    /// The file that was written.
    pub file: String,
    /// Tests before.
    pub before: usize,
    /// Tests now.
    pub tests: usize,
    /// Inputs in packs.
    pub packed_inputs: usize,
    /// Runs of a program that reads its standard input.
    pub stdin_runs: usize,
}

/// What was hunted.
#[derive(Clone, Debug, Serialize)]
pub struct HuntLine {
    /// Survivors that were hunted.
    pub hunted: usize,
    /// Inputs that were tried.
    pub inputs: u64,
    /// What was caught.
    pub caught: Vec<CaughtLine>,
}

/// A survivor that an input kills.
#[derive(Clone, Debug, Serialize)]
pub struct CaughtLine {
    /// The program.
    pub program: String,
    /// What it gets.
    pub verdict: Verdict,
    /// Why.
    pub message: String,
    /// The input as a `[[case]]`, ready to be kept.
    pub case: String,
}

impl Strength {
    /// Whether nothing is wrong. A mutant that survives is no fault by itself.
    pub fn is_well(&self) -> bool {
        self.faults.is_empty()
    }

    /// Inputs of all tests.
    pub fn inputs(&self) -> usize {
        self.tests.iter().map(|test| test.inputs).sum()
    }

    /// Programs that were not run, since this machine lacks their languages.
    pub fn not_run(&self) -> usize {
        let lines = self.kept.iter().chain(&self.programs);
        lines.filter(|line| line.standing == Standing::NotRun).count()
    }

    /// Kept wrong programs that are killed, of those that were run.
    pub fn kept_killed(&self) -> (usize, usize) {
        let run = self.kept.iter().filter(|line| line.standing != Standing::NotRun);
        let killed = run.clone().filter(|line| line.standing == Standing::Killed);
        (killed.count(), run.count())
    }
}

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const UNSURE: Style = AnsiColor::Yellow.on_default().bold();
const BOLD: Style = Style::new().bold();

/// The whole report, with styles as escape sequences.
pub fn text(problems: &[Strength], width: usize) -> String {
    problems.iter().map(|problem| of_problem(problem, width)).collect::<Vec<_>>().join("\n")
}

// Writing to a string cannot fail, here and below.
fn of_problem(strength: &Strength, width: usize) -> String {
    let mut text = format!(
        "{BOLD}{}{BOLD:#} · {}, {}\n\n",
        strength.problem,
        quantity::count(strength.tests.len(), "test"),
        quantity::count(strength.inputs(), "input")
    );
    text.push_str(&numbers(strength, width));
    text.push('\n');
    text.push_str(&operators(strength, width));
    text.push('\n');
    text.push_str(&kept(strength, width));
    text.push_str(&survivors(strength, width));
    text.push_str(&hunted(strength.hunt.as_ref()));
    for fault in &strength.faults {
        let _ = writeln!(text, "{BAD}fault{BAD:#} {fault}");
    }
    text
}

/// Columns before what stands beside the titles.
const BESIDE: usize = 21;

/// Adds lines beside a title.
fn beside(text: &mut String, what: &str, width: usize) {
    for line in wrapped(what, width.saturating_sub(BESIDE)) {
        let _ = writeln!(text, "{}{line}", " ".repeat(BESIDE));
    }
}

fn numbers(strength: &Strength, width: usize) -> String {
    let Counts { tried, rejected, not_run, compiled, killed, equivalent, survived, made, .. } =
        strength.mutants;
    let (kept_killed, kept_run) = strength.kept_killed();
    let style = if kept_killed == kept_run { GOOD } else { BAD };
    let mut text = format!("kept wrong programs  {style}{kept_killed} of {kept_run} killed{style:#}\n");
    let percent = strength.killed_percent.map_or_else(|| "—".to_owned(), |percent| format!("{percent:.1} %"));
    let style = if survived == 0 { GOOD } else { UNSURE };
    let _ = writeln!(
        text,
        "mutants              {style}{killed} of {} killed: {percent}{style:#}",
        compiled - equivalent
    );
    let mut rest = format!("{tried} tried of {made} made of {} solutions", strength.sources);
    for (number, what) in
        [(rejected, "do not compile"), (equivalent, "equivalent"), (not_run, "in languages not here")]
    {
        if number > 0 {
            let _ = write!(rest, ", {number} {what}");
        }
    }
    beside(&mut text, &rest, width);
    let idle = strength.tests.iter().filter(|test| test.kills == 0).count();
    let _ = writeln!(
        text,
        "the killing          {} would do; {idle} of {} kill nothing",
        quantity::count(strength.enough_tests, "test"),
        strength.tests.len()
    );
    if let Some(selection) = &strength.selection {
        let SelectionLine { file, before, tests, packed_inputs, stdin_runs } = selection;
        let _ = writeln!(
            text,
            "selection            {tests} of {before} tests, {packed_inputs} inputs in packs,"
        );
        beside(&mut text, &format!("{stdin_runs} runs of a stdin program"), width);
        let _ = writeln!(text, "{}{file}", " ".repeat(BESIDE));
    }
    text
}

const OPERATORS: [Column; 4] = [
    Column { title: "operator", right: false, cut: false },
    Column { title: "mutants", right: true, cut: false },
    Column { title: "killed", right: true, cut: false },
    Column { title: "what it does", right: false, cut: true },
];

fn operators(strength: &Strength, width: usize) -> String {
    let row = |line: &OperatorLine| {
        let style = if line.killed + line.equivalent == line.mutants { GOOD } else { UNSURE };
        vec![
            Cell::plain(&line.operator),
            Cell::plain(line.mutants.to_string()),
            Cell::styled(line.killed.to_string(), style),
            Cell::plain(&line.what),
        ]
    };
    table::render(&OPERATORS, &strength.operators.iter().map(row).collect::<Vec<_>>(), width)
}

const KEPT: [Column; 4] = [
    Column { title: "", right: false, cut: false },
    Column { title: "kept wrong program", right: false, cut: true },
    Column { title: "killed by", right: true, cut: false },
    Column { title: "first", right: false, cut: true },
];

fn kept(strength: &Strength, width: usize) -> String {
    let row = |line: &ProgramLine| {
        let mark = match line.standing {
            Standing::Killed => Cell::styled("✓", GOOD),
            Standing::NotRun => Cell::styled("?", UNSURE),
            _ => Cell::styled("✗", BAD),
        };
        let kills = line.verdicts.iter().flatten().filter(|verdict| **verdict != Verdict::Ac).count();
        vec![
            mark,
            Cell::plain(&line.program),
            Cell::plain(quantity::count(kills, "test")),
            Cell::plain(line.first_killer.as_deref().unwrap_or_default()),
        ]
    };
    if strength.kept.is_empty() {
        return String::new();
    }
    table::render(&KEPT, &strength.kept.iter().map(row).collect::<Vec<_>>(), width)
}

fn survivors(strength: &Strength, width: usize) -> String {
    let mut text = String::new();
    for (standing, title) in [(Standing::Survived, "survivors"), (Standing::Equivalent, "equivalent")] {
        let lines: Vec<&ProgramLine> =
            strength.programs.iter().filter(|line| line.standing == standing).collect();
        if lines.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{BOLD}{title}{BOLD:#}");
        for line in lines {
            let _ = writeln!(text, "  {UNSURE}{}{UNSURE:#}", line.program);
            for (_, before, after) in &line.diff {
                let _ = writeln!(text, "    - {}", cut(before.trim(), width.saturating_sub(6)));
                let _ = writeln!(text, "    + {}", cut(after.trim(), width.saturating_sub(6)));
            }
            for part in wrapped(&line.note, width.saturating_sub(4)) {
                let _ = writeln!(text, "    {part}");
            }
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

fn hunted(hunt: Option<&HuntLine>) -> String {
    let Some(hunt) = hunt else { return String::new() };
    if hunt.hunted == 0 {
        return format!("{BOLD}hunt{BOLD:#} · nothing to hunt: no wrong program survives the tests\n\n");
    }
    let mut text = format!(
        "{BOLD}hunt{BOLD:#} · {} hunted with {} inputs, {} caught\n\n",
        quantity::count(hunt.hunted, "survivor"),
        hunt.inputs,
        hunt.caught.len()
    );
    for caught in &hunt.caught {
        let _ = writeln!(text, "{} {}: {}", caught.verdict.short(), caught.program, caught.message);
        for line in caught.case.lines() {
            let _ = writeln!(text, "    {line}");
        }
        text.push('\n');
    }
    text
}

/// As much of the beginning as fits.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(width.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

/// The words of a text on lines that fit.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_wrapped_and_lines_cut() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("", 8), Vec::<String>::new());
        assert_eq!((cut("abcdef", 4), cut("abc", 4)), ("abc…".to_owned(), "abc".to_owned()));
    }

    #[test]
    fn a_hunt_without_survivors_says_that_there_is_nothing_to_hunt() {
        let hunt = |hunted, inputs| HuntLine { hunted, inputs, caught: Vec::new() };
        let said = |hunt: &HuntLine| anstream::adapter::strip_str(&hunted(Some(hunt))).to_string();
        assert_eq!(said(&hunt(0, 0)), "hunt · nothing to hunt: no wrong program survives the tests\n\n");
        assert_eq!(said(&hunt(1, 20)), "hunt · 1 survivor hunted with 20 inputs, 0 caught\n\n");
        assert_eq!(hunted(None), "");
    }
}
