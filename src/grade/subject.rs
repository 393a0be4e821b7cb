//! A compiled submission that is asked about inputs of the caller's choice, as a search for failing inputs does.
//! Measured and judged as in grading; nothing is remembered.

use crate::grade::fault::Rules;
use crate::grade::jury::Role;
use crate::grade::trial::{Bench, JudgeFault, Stopped};
use crate::grade::{GradeError, Job, TestReport, Tried, compile, compile_job, function_of, log, mode};
use crate::input::{self, Input};
use crate::lang::{self, CompileFailure, Mode};
use crate::package::PackagedTest;
use crate::problem::InputModel;
use crate::sandbox::{SandboxError, Stdin, interrupt};
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
            Stopped::Judge(JudgeFault(message)) | Stopped::Unstartable(message) => Self::Judge(message),
        }
    }
}

/// What the program of `job` is known by, as everything that makes it: its source, its language, the tools and how they
/// are called. Compiles nothing.
///
/// # Errors
/// When there can be no program.
pub fn program_key(job: &Job<'_>) -> Result<String, GradeError> {
    let mode = mode(job)?;
    let compile = compile_job(job, mode, function_of(job, mode)?);
    lang::key_of(&compile, job.judge.toolchains()).map_err(no_program)
}

fn no_program(failure: CompileFailure) -> GradeError {
    match failure {
        CompileFailure::Rejected { log: text } => GradeError::Rejected(log(&text)),
        CompileFailure::NoToolchain { message } => GradeError::NoToolchain(message),
        CompileFailure::Source { path, cause } => GradeError::Source { path, cause },
        CompileFailure::Judge(_) if interrupt::requested() => GradeError::Interrupted,
        CompileFailure::Judge(message) => GradeError::Judge(message),
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
    let program = compile(job, mode, function).map_err(no_program)?;
    let is_out_of_memory = |stderr: &[u8]| program.ran_out_of_memory(stderr);
    let rules = Rules { limits: job.limits, is_out_of_memory: &is_out_of_memory };
    let bench = Bench::new(job, &program, function, rules);
    Ok(work(&mut Subject { bench, model: &problem.model, mode }))
}

impl Subject<'_> {
    /// From now on one measurement is enough, though it came near a limit in company, and a time limit passed among other
    /// calls is not tried alone: for programs whose authors hear of no verdict, as mutants.
    pub fn hurry(&mut self) {
        self.bench.is_hasty = true;
    }

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

    /// What the submission makes of each of these inputs, whose right answers stand beside them. In function mode all are
    /// asked in one process, so that a failure may be the fault of an earlier call; the list ends with the input that
    /// ended the process. Times are those of single calls.
    ///
    /// # Errors
    /// When the judge fails or is interrupted.
    pub fn ask_all(&mut self, asked: &[(&Input, &str)]) -> Result<Vec<Tried>, AskError> {
        let mut tried = Vec::with_capacity(asked.len());
        let Some((function, model)) = self.bench.function else {
            for (input, answer) in asked {
                tried.push(self.ask(input, answer.as_bytes())?);
            }
            return Ok(tried);
        };
        let inputs: Vec<&Input> = asked.iter().map(|(input, _)| *input).collect();
        let mut calls = self.bench.calls(&inputs, function, model)?;
        for (index, (input, answer)) in asked.iter().enumerate() {
            let is_answered = calls.is_answered(index);
            tried.push(self.bench.called(&mut calls, index, input, answer.as_bytes())?);
            if !is_answered {
                break;
            }
        }
        Ok(tried)
    }

    /// Runs one test of a package, as grading does. The row may be a JE.
    ///
    /// # Errors
    /// When the user interrupts.
    pub fn run(&mut self, test: &PackagedTest) -> Result<TestReport, AskError> {
        self.bench.run(test).map_err(|error| match error {
            SandboxError::Interrupted => AskError::Interrupted,
            other => AskError::Judge(other.to_string()),
        })
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
