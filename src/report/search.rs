//! The report of `stress`: the smallest failing input as text, as a `[[case]]`, and expected against actual; for people
//! and as JSON. Reads what was found, decides nothing.

use serde::Serialize;

use crate::report::terminal::{SMALLEST_BYTES, TALK, block, indented, judged_by, look, uncut, visible};
use crate::report::{diff, quantity};
use crate::verdict::Verdict;

/// What `stress --format json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct SearchDocument {
    /// The problem's slug.
    pub problem: String,
    /// The submission's path as it was given.
    pub solution: String,
    /// Its language's id.
    pub language: String,
    /// `stdin` or `function`.
    pub mode: String,
    /// The program it was compared with, when it was not the problem's solver.
    pub against: Option<String>,
    /// How outputs were compared.
    pub checker: String,
    /// Whether a built-in checker compared them, so that a diff shows what is wrong.
    #[serde(skip)]
    pub is_compared: bool,
    /// The seed of the search.
    pub seed: u64,
    /// How many inputs were tried before shrinking.
    pub inputs: u64,
    /// The model has no other inputs than those that were tried.
    pub is_exhausted: bool,
    /// How long all of it took, compiling included.
    pub wall_ms: f64,
    /// `AC` when no input was found.
    pub verdict: Verdict,
    /// The smallest failing input.
    pub failure: Option<FailureReport>,
}

/// The smallest failing input, and what came of it.
#[derive(Clone, Debug, Serialize)]
pub struct FailureReport {
    /// Its whole text.
    pub input: String,
    /// The same as a `[[case]]` for problem.toml.
    pub case: String,
    /// The right answer.
    pub expected: String,
    /// What the submission answered, escaped where it is no text; empty when it did not answer.
    pub actual: String,
    /// What the checker or the judge says.
    pub message: String,
    /// The last lines on standard error, escaped.
    pub stderr: String,
    /// What the submission (`>`) and the interactor (`<`) said, shortened; empty where there is no interactor.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub transcript: String,
    /// Exit status of the program, when it exited.
    pub exit_code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// How many numbers the input has, and how many the one had that was found first.
    pub numbers: usize,
    /// See [`FailureReport::numbers`].
    pub found_numbers: usize,
    /// How many inputs were asked about while shrinking.
    pub probes: usize,
    /// No step makes it smaller; false when shrinking was off or stopped by the clock.
    pub is_minimal: bool,
}

/// The report for people, with styles as escape sequences. `again` is the command that repeats the search.
pub fn text(document: &SearchDocument, again: &str, width: usize, color: bool) -> String {
    let style = look(Some(document.verdict));
    let name = visible(&document.solution);
    let against = document.against.as_deref().map(|other| format!(" · against {}", visible(other)));
    let head = format!(
        "{} · seed {} · {}{}\n\n",
        document.problem,
        document.seed,
        judged_by(&document.checker),
        against.unwrap_or_default()
    );
    let inputs = quantity::count(usize::try_from(document.inputs).unwrap_or(usize::MAX), "input");
    let Some(failure) = &document.failure else {
        let all = if document.is_exhausted { "; the model has no others" } else { "" };
        let took = quantity::time(document.wall_ms);
        return format!(
            "{head}{style}no failure found{style:#} {name}\n{}",
            indented(&format!("{inputs} in {took}{all}"))
        );
    };
    let size = quantity::count(failure.numbers, "number");
    let mut text =
        format!("{head}{style}{}{style:#} {name} on an input of {size}\n", document.verdict.long());
    let shrunk = match (failure.probes, failure.is_minimal) {
        (0, false) => String::new(),
        (probes, is_minimal) => format!(
            ", shrunk from {} by {}{}",
            quantity::count(failure.found_numbers, "number"),
            quantity::count(probes, "try").replace("trys", "tries"),
            if is_minimal { "" } else { " (a smaller one may exist: time was up)" }
        ),
    };
    text += &indented(&format!("found among {inputs}{shrunk}"));
    text += &indented(&failure.message);
    text += &uncut("input", &shown(&failure.input));
    if document.verdict == Verdict::Wa && document.is_compared {
        let (expected, actual) = (failure.expected.as_bytes(), failure.actual.as_bytes());
        let diff = diff::render(expected, actual, width.saturating_sub(4), color);
        text += &block("expected (-) and found (+)", &diff);
    } else if !failure.expected.trim().is_empty() {
        let name = if document.is_compared { "expected" } else { "the jury's answer" };
        text += &block(name, &shown(&failure.expected));
    }
    if !document.is_compared && !failure.actual.trim().is_empty() {
        text += &block("found", &shown(&failure.actual));
    }
    if !failure.transcript.is_empty() {
        text += &block(TALK, &failure.transcript);
    }
    if !failure.stderr.is_empty() {
        text += &block("standard error", &failure.stderr);
    }
    text += &block("as a case for problem.toml", &shown(&failure.case));
    text += &block("again", again);
    text
}

fn shown(text: &str) -> String {
    if text.len() <= SMALLEST_BYTES {
        return text.to_owned();
    }
    let short = crate::grade::excerpt::shorten(text, SMALLEST_BYTES / 4);
    format!("{short}\n(the whole is in the report with --format json)")
}
