//! Whether a program answers as the solver does on every small input and on samples: what speaks for a mutant that it
//! is equivalent. A difference is proof that it is not; agreement is none that it is.

use std::sync::{Mutex, PoisonError};

use super::StrengthError;
use super::known::{Known, question};
use super::matrix::{Bench, Entrant};
use crate::generate::{self, Family};
use crate::grade::{AskError, GradeError, Subject, program_key, subject};
use crate::input::{self, Input, Value};
use crate::lang::Mode;
use crate::problem::Problem;
use crate::solve::Answers;

/// Inputs that are gone through: all of the smallest sizes over the smallest values up to a budget, then samples.
#[derive(Clone, Copy)]
struct Extent {
    exhaustive: u32,
    samples: u64,
}

/// A call costs microseconds, a process milliseconds.
const OF_FUNCTIONS: Extent = Extent { exhaustive: 20_000, samples: 2000 };
const OF_PROGRAMS: Extent = Extent { exhaustive: 1500, samples: 300 };
/// Inputs asked about at once.
const BATCH: usize = 500;
/// Every so many samples one comes from far down the stream, where large inputs are.
const FAR_EVERY: u64 = 10;
const FAR: u64 = 10_000;
/// The seed of the samples.
const SEED: u64 = 1;

/// What a search for a difference found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// None, in so many inputs.
    None {
        /// How many were gone through.
        inputs: usize,
    },
    /// The first input on which the program fails.
    Difference {
        /// Its text.
        input: String,
        /// The right answer.
        expected: String,
        /// What is wrong.
        message: String,
    },
}

/// Looks for an input on which the program fails.
///
/// # Errors
/// When the judge or the trusted side fails.
pub fn search(
    bench: &Bench<'_>,
    entrant: &Entrant,
    answers: &Answers,
    known: &Mutex<Known>,
) -> Result<Agreement, StrengthError> {
    let failed = |message: String| StrengthError::Judge { program: entrant.name.clone(), message };
    let job = bench.job(entrant);
    let key =
        program_key(&job).map(|key| Known::key(&job, &key)).map_err(|error| failed(error.to_string()))?;
    let asked =
        question(&key, &[&format!("{:?} {:?}", bench.problem.model, bench.problem.answer), "agreement 1"]);
    let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(inputs) = lock().agreed(&asked).filter(|_| bench.use_known) {
        return Ok(Agreement::None { inputs });
    }
    let found = subject(&job, &mut |subject: &mut Subject<'_>| go_through(bench, subject, answers));
    let agreement = match found {
        Ok(Ok(agreement)) => agreement,
        Ok(Err(Stop::Ask(AskError::Interrupted))) | Err(GradeError::Interrupted) => {
            return Err(StrengthError::Interrupted);
        }
        Ok(Err(Stop::Ask(AskError::Judge(message)) | Stop::Trusted(message))) => return Err(failed(message)),
        Err(error) => return Err(failed(error.to_string())),
    };
    if let Agreement::None { inputs } = agreement {
        lock().learn_agreed(asked, inputs);
    }
    Ok(agreement)
}

enum Stop {
    Ask(AskError),
    Trusted(String),
}

fn go_through(bench: &Bench<'_>, subject: &mut Subject<'_>, answers: &Answers) -> Result<Agreement, Stop> {
    let extent = if subject.mode == Mode::Function { OF_FUNCTIONS } else { OF_PROGRAMS };
    let inputs = inputs(bench.problem, extent).map_err(|error| Stop::Trusted(error.to_string()))?;
    for batch in inputs.chunks(BATCH) {
        let mut right = Vec::with_capacity(batch.len());
        for input in batch {
            let mut text = Vec::new();
            input::render(&bench.problem.model, input, &mut text);
            let answer = answers.answer(input, &text).map_err(|error| Stop::Trusted(error.to_string()))?;
            right.push(String::from_utf8_lossy(&answer).into_owned());
        }
        let asked: Vec<(&Input, &str)> = batch.iter().zip(right.iter().map(String::as_str)).collect();
        if let Some((index, tried)) = subject.first_failing(&asked).map_err(Stop::Ask)? {
            let mut text = Vec::new();
            input::render(&bench.problem.model, &batch[index], &mut text);
            return Ok(Agreement::Difference {
                input: String::from_utf8_lossy(&text).into_owned(),
                expected: right[index].clone(),
                message: tried.message,
            });
        }
    }
    Ok(Agreement::None { inputs: inputs.len() })
}

/// The samples of the problem, the smallest inputs, and some of the stream that searches go through.
fn inputs(problem: &Problem, extent: Extent) -> Result<Vec<Input>, generate::GenerateError> {
    let mut wide = problem.clone();
    wide.selection = None;
    wide.families.off.clear();
    wide.families.exhaustive_budget = Some(extent.exhaustive);
    let mut inputs: Vec<Input> = problem.samples.iter().map(|sample| sample.input.clone()).collect();
    let planned = generate::plan(&wide);
    for planned in planned.iter().filter(|planned| planned.family == Family::Exhaustive) {
        inputs.extend(generate::make(&wide, SEED, planned)?.members);
    }
    // Small ones first: a difference shows on one that can be read.
    inputs.sort_by_key(|input| input.values.iter().map(Value::count).sum::<usize>());
    for index in 0..extent.samples {
        let place = if index % FAR_EVERY == 0 { FAR + index } else { index };
        inputs.push(generate::sample(problem, SEED, place)?);
    }
    Ok(inputs)
}
