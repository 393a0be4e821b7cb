//! The smallest input that a failed submission fails on, found from the failing test's input by shrinking it. Gives up
//! in silence when there is none to be had: the report is complete without it.

use crate::grade::excerpt::{self, printable, shorten};
use crate::grade::{AskError, Job, Subject, SubmissionReport, subject};
use crate::input::shrink::{self, Probe, Shrunk};
use crate::input::{self, Input};
use crate::problem::Problem;
use crate::solve::Answers;
use crate::verdict::Verdict;

/// How long one submission's search may take.
const BUDGET_MS: u64 = 5000;
/// Inputs that are tried at most; time runs out long before, but for the quickest of programs.
const MAX_PROBES: usize = 20_000;
/// A failure by time is shrunk only if this many tries fit into the budget.
const MIN_PROBES: u64 = 20;
/// Bytes of an answer that are shown.
const ANSWER_BYTES: usize = 200;

/// The smallest input that a search found a submission to fail on.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SmallestInput {
    /// The input's text, whole.
    pub input: String,
    /// What is expected for it, shortened; `None` where a program says what is right.
    pub expected: Option<String>,
    /// What came, or what happened.
    pub actual: String,
    /// Whether the search was stopped by the clock, so that a smaller one may exist.
    pub is_partial: bool,
}

/// Time for searches.
pub struct Budget<'c> {
    left_ms: u64,
    clock_ms: &'c dyn Fn() -> u64,
}

impl<'c> Budget<'c> {
    /// For one search or many, which take `all_ms` together at most. The clock counts milliseconds since any fixed moment.
    pub fn new(all_ms: u64, clock_ms: &'c dyn Fn() -> u64) -> Self {
        Self { left_ms: all_ms, clock_ms }
    }
}

/// Looks for the smallest input on which the submission of `job` fails as it first did, for a few seconds at most.
pub fn find(
    job: &Job<'_>,
    problem: &Problem,
    answers: &Answers,
    report: &SubmissionReport,
    budget: &mut Budget<'_>,
) -> Option<SmallestInput> {
    let verdict = report.verdict.filter(|verdict| is_worth_it(*verdict, job))?;
    let failing = start(job, problem, report, verdict)?;
    let clock_ms = budget.clock_ms;
    let begun_ms = clock_ms();
    let until_ms = begun_ms + BUDGET_MS.min(budget.left_ms);
    let search = Search { problem, answers, verdict, by_program: job.jury.is_some(), until_ms, clock_ms };
    let found = subject(job, &mut |subject| search.run(subject, failing.clone())).ok().flatten();
    budget.left_ms = budget.left_ms.saturating_sub(clock_ms().saturating_sub(begun_ms));
    found
}

/// The shortest of the inputs that failed with this verdict. Tests that came later may have failed on less.
fn start(job: &Job<'_>, problem: &Problem, report: &SubmissionReport, verdict: Verdict) -> Option<Input> {
    let failed = report.tests.iter().filter(|row| row.verdict == Some(verdict));
    let inputs = failed.filter_map(|row| {
        let test = job.tests.tests().iter().find(|test| test.name == row.name)?;
        Some((&test.input, &test.members.get(row.failing_member?)?.input))
    });
    let (file, range) = inputs.min_by_key(|(_, range)| range.end.saturating_sub(range.start))?;
    input::validate(&problem.model, &excerpt::piece(file, range.clone()).ok()?).ok()
}

/// Whether a search is likely to end in time.
fn is_worth_it(verdict: Verdict, job: &Job<'_>) -> bool {
    match verdict {
        Verdict::Wa | Verdict::Rte | Verdict::Mle | Verdict::Ole => true,
        Verdict::Tle => job.limits.time.ms().saturating_mul(MIN_PROBES) <= BUDGET_MS,
        Verdict::Ac | Verdict::Ce | Verdict::Je => false,
    }
}

struct Search<'a> {
    problem: &'a Problem,
    answers: &'a Answers,
    /// An input counts only if it fails in the same way.
    verdict: Verdict,
    /// A program of the jury's says what is right, so that there may be several right answers, or none that is written.
    by_program: bool,
    until_ms: u64,
    clock_ms: &'a dyn Fn() -> u64,
}

impl Search<'_> {
    fn run(&self, subject: &mut Subject<'_>, failing: Input) -> Option<SmallestInput> {
        // What fails only in company, or not each time, cannot be shrunk.
        if self.ask(subject, &failing) != Probe::Fails {
            return None;
        }
        let mut probe = |input: &Input| {
            if (self.clock_ms)() > self.until_ms { Probe::Stop } else { self.ask(subject, input) }
        };
        let Shrunk { input, is_minimal, .. } =
            shrink::shrink(&self.problem.model, failing, &mut probe, MAX_PROBES);
        let text = self.text(&input);
        let expected = self.answers.answer(&input, &text).ok()?;
        let tried = subject.ask(&input, &expected).ok()?;
        let actual = match tried.verdict {
            Verdict::Wa if !self.by_program => printable(tried.answer.trim_ascii_end()),
            verdict => format!("{}: {}", verdict.long(), tried.message),
        };
        Some(SmallestInput {
            input: printable(&text),
            expected: (!self.by_program)
                .then(|| shorten(&printable(expected.trim_ascii_end()), ANSWER_BYTES)),
            actual: shorten(&actual, ANSWER_BYTES),
            is_partial: !is_minimal,
        })
    }

    fn ask(&self, subject: &mut Subject<'_>, input: &Input) -> Probe {
        let Ok(answer) = self.answers.answer(input, &self.text(input)) else { return Probe::Stop };
        match subject.ask(input, &answer) {
            Ok(tried) if tried.verdict == self.verdict => Probe::Fails,
            Ok(_) => Probe::Passes,
            Err(AskError::Interrupted | AskError::Judge(_)) => Probe::Stop,
        }
    }

    fn text(&self, input: &Input) -> Vec<u8> {
        let mut text = Vec::new();
        input::render(&self.problem.model, input, &mut text);
        text
    }
}
