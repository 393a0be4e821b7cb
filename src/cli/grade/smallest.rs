//! The smallest input that a failed submission fails on, found from the failing test's input by shrinking it. Gives up
//! in silence when there is none to be had: the report is complete without it.

use std::time::{Duration, Instant};

use crate::grade::excerpt::{self, printable, shorten};
use crate::grade::{AskError, Job, Subject, SubmissionReport, subject};
use crate::input::shrink::{self, Probe, Shrunk};
use crate::input::{self, Input};
use crate::problem::Problem;
use crate::report::terminal::Smallest;
use crate::solve::Answers;
use crate::verdict::Verdict;

/// How long one submission's search may take.
const BUDGET: Duration = Duration::from_secs(5);
/// How long all searches of one command may take together.
const ALL_BUDGETS: Duration = Duration::from_secs(20);
/// Inputs that are tried at most; time runs out long before, but for the quickest of programs.
const MAX_PROBES: usize = 20_000;
/// A failure by time is shrunk only if this many tries fit into the budget.
const MIN_PROBES: u32 = 20;
/// Bytes of an answer that are shown.
const ANSWER_BYTES: usize = 200;

/// The budget of one command, which grades many submissions or one.
pub(crate) struct Budget {
    left: Duration,
}

impl Budget {
    pub(crate) fn of_command() -> Self {
        Self { left: ALL_BUDGETS }
    }
}

/// Looks for the smallest input on which the submission of `job` fails as it first did.
pub(crate) fn find(
    job: &Job<'_>,
    problem: &Problem,
    answers: &Answers,
    report: &SubmissionReport,
    budget: &mut Budget,
) -> Option<Smallest> {
    let verdict = report.verdict.filter(|verdict| is_worth_it(*verdict, job))?;
    let failing = start(job, problem, report, verdict)?;
    let begun = now();
    let by_program = job.jury.is_some();
    let search = Search { problem, answers, verdict, by_program, begun, budget: BUDGET.min(budget.left) };
    let found = subject(job, &mut |subject| search.run(subject, failing.clone())).ok().flatten();
    budget.left = budget.left.saturating_sub(begun.elapsed());
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
        Verdict::Tle => Duration::from_millis(job.limits.time.ms()) * MIN_PROBES <= BUDGET,
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
    begun: Instant,
    budget: Duration,
}

impl Search<'_> {
    fn run(&self, subject: &mut Subject<'_>, failing: Input) -> Option<Smallest> {
        // What fails only in company, or not each time, cannot be shrunk.
        if self.ask(subject, &failing) != Probe::Fails {
            return None;
        }
        let mut probe = |input: &Input| {
            if self.begun.elapsed() > self.budget { Probe::Stop } else { self.ask(subject, input) }
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
        Some(Smallest {
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

fn now() -> Instant {
    #[expect(clippy::disallowed_methods, reason = "the command line may read a clock")]
    Instant::now()
}
