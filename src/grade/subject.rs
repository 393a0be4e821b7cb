//! A compiled submission that is asked about inputs of the caller's choice, as a search for failing inputs does.
//! Measured and judged as in grading; nothing is remembered.

use crate::grade::fault::Rules;
use crate::grade::jury::Role;
use crate::grade::trial::{Bench, JudgeFault, Stopped};
use crate::grade::{GradeError, Job, Tried, compile, function_of, log, mode};
use crate::input::{self, Input};
use crate::lang::{CompileFailure, Mode};
use crate::problem::InputModel;
use crate::sandbox::{Stdin, interrupt};
use crate::verdict::Verdict;

/// A submission that can be asked.
pub struct Subject<'a> {
    bench: Bench<'a>,
    model: &'a InputModel,
    /// How it takes its input.
    pub mode: Mode,
}

/// Why a question has no answer. Nothing that the submission is to blame for.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
    /// The judge failed.
    #[error("{0}")]
    Judge(String),
}

impl From<Stopped> for AskError {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Interrupted => Self::Interrupted,
            Stopped::Judge(JudgeFault(message)) => Self::Judge(message),
        }
    }
}

/// Compiles the submission of `job`, whose tests don't matter here, and hands it to `work`.
///
/// # Errors
/// When there is no program to ask, or no problem that says what an input is.
pub fn subject<R>(job: &Job<'_>, work: &mut dyn FnMut(&mut Subject<'_>) -> R) -> Result<R, GradeError> {
    let mode = mode(job)?;
    let function = function_of(job, mode)?;
    let problem =
        job.problem.ok_or(GradeError::Mode("a search needs a problem: give one with `-p PROBLEM`"))?;
    let program = compile(job, mode, function).map_err(|failure| match failure {
        CompileFailure::Rejected { log: text } => GradeError::Rejected(log(&text)),
        CompileFailure::NoToolchain { message } => GradeError::NoToolchain(message),
        CompileFailure::Source { path, cause } => GradeError::Source { path, cause },
        CompileFailure::Judge(_) if interrupt::requested() => GradeError::Interrupted,
        CompileFailure::Judge(message) => GradeError::Judge(message),
    })?;
    let is_out_of_memory = |stderr: &[u8]| program.ran_out_of_memory(stderr);
    let rules = Rules { limits: job.limits, is_out_of_memory: &is_out_of_memory };
    let bench = Bench::new(job, &program, function, rules);
    Ok(work(&mut Subject { bench, model: &problem.model, mode }))
}

impl Subject<'_> {
    /// What the submission makes of one input whose right answer is `answer`, in a process of its own.
    ///
    /// # Errors
    /// When the judge fails or is interrupted.
    pub fn ask(&mut self, input: &Input, answer: &[u8]) -> Result<Tried, AskError> {
        match self.bench.function {
            Some((function, model)) => {
                let mut calls = self.bench.calls(&[input], function, model)?;
                Ok(self.bench.called(&mut calls, 0, input, answer)?)
            }
            None => {
                let mut text = Vec::new();
                input::render(self.model, input, &mut text);
                if let Some(jury) = self.bench.jury.filter(|jury| jury.role() == Role::Interactor) {
                    return Ok(self.bench.talk(jury, &text, answer)?);
                }
                let check = |bench: &mut Bench<'_>, output: &[u8]| bench.check_answer(input, answer, output);
                Ok(self.bench.whole_program(Stdin::Bytes(text.into()), &check)?)
            }
        }
    }

    /// The first of these inputs, each with its right answer, that the submission fails on: its index and what came of
    /// it, in a process of its own. In function mode all are asked in one process first, so many cost little.
    ///
    /// # Errors
    /// When the judge fails or is interrupted.
    pub fn first_failing(&mut self, asked: &[(&Input, &str)]) -> Result<Option<(usize, Tried)>, AskError> {
        let mut from = 0;
        if let Some((function, model)) = self.bench.function {
            let inputs: Vec<&Input> = asked.iter().map(|(input, _)| *input).collect();
            let mut calls = self.bench.calls(&inputs, function, model)?;
            let mut failed = None;
            for (index, (input, answer)) in asked.iter().enumerate() {
                if self.bench.called(&mut calls, index, input, answer.as_bytes())?.verdict != Verdict::Ac {
                    failed = Some(index);
                    break;
                }
            }
            match failed {
                None => return Ok(None),
                Some(index) => from = index,
            }
        }
        for (index, (input, answer)) in asked.iter().enumerate().skip(from) {
            let tried = self.ask(input, answer.as_bytes())?;
            if tried.verdict != Verdict::Ac {
                return Ok(Some((index, tried)));
            }
        }
        Ok(None)
    }
}
