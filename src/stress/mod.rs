//! Searches for an input on which a submission fails, and shrinks it on the model. The submission, the trusted answers
//! and the clock come from outside, so that nothing here starts a process by itself. Whatever the trusted side does
//! wrong is an error of this search and never a failure of the submission.

mod case;
pub mod smallest;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

pub use case::case;

use crate::generate::{self, Family, Planned};
use crate::grade::{AskError, Tried};
use crate::input::shrink::{self, Probe};
use crate::input::{self, Input};
use crate::problem::{InputModel, Problem};

/// Inputs asked about at once to begin with.
const FIRST_BATCH: usize = 4;
/// Inputs asked about at once at most; also how many processes a submission may cost that keeps state between calls.
const MAX_BATCH: usize = 500;
/// A batch is made larger while it takes less than this, and smaller when it takes more than four times as long.
const BATCH_MS: u64 = 150;
/// Inputs remembered, so that none is asked about twice.
const MAX_REMEMBERED: usize = 1 << 20;
/// Inputs in a row that were all known: then the model has no others.
const MAX_KNOWN_IN_A_ROW: u64 = 20_000;
/// Numbers in the inputs of one batch at most, but for a batch of one.
const MAX_BATCH_NUMBERS: usize = 200_000;
/// Every other batch is from this far down the stream, where large inputs are among the small ones, and has a test of
/// the package with it.
const FAR: u64 = 10_000;
/// Questions that shrinking may ask.
const MAX_PROBES: usize = 2000;

/// The right answer to an input, whose text is given too; what happened instead, in words.
pub type Answer<'w> = dyn FnMut(&Input, &[u8]) -> Result<Vec<u8>, String> + 'w;

/// The first of these inputs that the submission fails on.
pub type FirstFailing<'w> = dyn FnMut(&[(&Input, &str)]) -> Result<Option<(usize, Tried)>, AskError> + 'w;

/// The inputs that the problem's own programs make in a round, or what one of them does wrong.
pub type Made<'w> = dyn FnMut(u32) -> Result<Vec<Input>, String> + 'w;

/// What a search needs of the world.
pub struct World<'w> {
    /// The trusted side.
    pub answer: &'w mut Answer<'w>,
    /// The submission.
    pub first_failing: &'w mut FirstFailing<'w>,
    /// Milliseconds since any fixed moment.
    pub clock_ms: &'w dyn Fn() -> u64,
}

/// An input that the submission fails on.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The input.
    pub input: Input,
    /// The right answer.
    pub answer: String,
    /// What the submission did.
    pub tried: Tried,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The first failure, if there was one.
    pub failure: Option<Failure>,
    /// How many inputs were tried.
    pub inputs: u64,
    /// No input of the stream is left to try: the model has few.
    pub is_exhausted: bool,
}

/// A shrunk failure.
#[derive(Clone, Debug)]
pub struct Smallest {
    /// The smallest failure that was found.
    pub failure: Failure,
    /// How many inputs were asked about on the way.
    pub probes: usize,
    /// No step makes the input smaller.
    pub is_minimal: bool,
}

/// Why a search ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum StressError {
    /// The problem can't be sampled: it is wrong.
    #[error(transparent)]
    Generate(#[from] generate::GenerateError),
    /// The generator made what the validator refuses.
    #[error("the judge made an input that its own validator refuses: {violation}\n{}", shown(input))]
    Refused {
        /// What the validator says.
        violation: String,
        /// The input's text.
        input: String,
    },
    /// The trusted side failed.
    #[error("the trusted side has no answer to this input: {message}\n{}", shown(input))]
    Unanswered {
        /// What happened.
        message: String,
        /// The input's text.
        input: String,
    },
    /// One of the problem's own programs made no input: it is wrong, not the submission.
    #[error("{0}")]
    Made(String),
    /// The submission could not be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
}

/// Bytes of an input that an error shows.
const SHOWN_BYTES: usize = 2000;

fn shown(input: &str) -> String {
    crate::grade::excerpt::shorten(input, SHOWN_BYTES)
}

/// Tries the inputs of `seed`'s stream, small ones first, and those that programs of the problem's make, until one fails
/// or `for_ms` have passed. `progress` hears how many were tried.
///
/// # Errors
/// When the trusted side, the judge or the problem is at fault.
pub fn search(
    problem: &Problem,
    seed: u64,
    for_ms: u64,
    world: &mut World<'_>,
    made: &mut Made<'_>,
    progress: &mut dyn FnMut(u64),
) -> Result<Searched, StressError> {
    let start = (world.clock_ms)();
    let mut stream = Stream::new(problem, seed);
    let (mut inputs, mut size) = (0, FIRST_BATCH);
    loop {
        let batch = stream.batch(size, made)?;
        if batch.is_empty() {
            return Ok(Searched { failure: None, inputs, is_exhausted: true });
        }
        let before = (world.clock_ms)();
        if let Some(failure) = world.try_all(&problem.model, &batch)? {
            return Ok(Searched {
                failure: Some(failure),
                inputs: inputs + batch.len() as u64,
                is_exhausted: false,
            });
        }
        inputs += batch.len() as u64;
        progress(inputs);
        let now = (world.clock_ms)();
        if now.saturating_sub(start) >= for_ms {
            return Ok(Searched { failure: None, inputs, is_exhausted: false });
        }
        let left = for_ms - now.saturating_sub(start);
        let took = now.saturating_sub(before);
        size = match took {
            _ if took > 4 * BATCH_MS || took > left => (size / 2).max(1),
            _ if took < BATCH_MS && 4 * took < left => (size * 3).min(MAX_BATCH),
            _ => size,
        };
    }
}

/// Makes the input of a failure smaller as long as the submission fails on it, for `for_ms` at most. Any failure will
/// do, not only the one it began with.
///
/// # Errors
/// When the judge is at fault. A trusted side that fails on a smaller input ends the shrinking there.
pub fn shrink(
    model: &InputModel,
    failure: Failure,
    for_ms: u64,
    world: &mut World<'_>,
) -> Result<Smallest, StressError> {
    let start = (world.clock_ms)();
    let mut best = failure;
    let mut error = None;
    let input = best.input.clone();
    let mut probe = |input: &Input| {
        if (world.clock_ms)().saturating_sub(start) >= for_ms {
            return Probe::Stop;
        }
        match world.try_all(model, std::slice::from_ref(input)) {
            Ok(Some(failure)) => {
                best = failure;
                Probe::Fails
            }
            Ok(None) => Probe::Passes,
            Err(StressError::Unanswered { .. }) => Probe::Stop,
            Err(other) => {
                error = Some(other);
                Probe::Stop
            }
        }
    };
    let shrunk = shrink::shrink(model, input, &mut probe, MAX_PROBES);
    match error {
        Some(error) => Err(error),
        None => Ok(Smallest { failure: best, probes: shrunk.probes, is_minimal: shrunk.is_minimal }),
    }
}

impl World<'_> {
    /// The first input of the batch that the submission fails on. Each input passes the validator first.
    fn try_all(&mut self, model: &InputModel, batch: &[Input]) -> Result<Option<Failure>, StressError> {
        let mut answers = Vec::with_capacity(batch.len());
        for input in batch {
            answers.push(self.answered(model, input)?);
        }
        let asked: Vec<(&Input, &str)> = batch.iter().zip(answers.iter().map(String::as_str)).collect();
        let failed = (self.first_failing)(&asked)?;
        Ok(failed.map(|(index, tried)| Failure {
            input: batch[index].clone(),
            answer: answers.swap_remove(index),
            tried,
        }))
    }

    fn answered(&mut self, model: &InputModel, input: &Input) -> Result<String, StressError> {
        let mut text = Vec::new();
        input::render(model, input, &mut text);
        let readable = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        if let Err(violation) = input::validate(model, &text) {
            return Err(StressError::Refused { violation: violation.to_string(), input: readable(&text) });
        }
        let answer = (self.answer)(input, &text);
        let answer =
            answer.and_then(|answer| String::from_utf8(answer).map_err(|_| "it is no text".to_owned()));
        answer.map_err(|message| StressError::Unanswered { message, input: readable(&text) })
    }
}

/// The inputs of a seed, none twice.
struct Stream<'p> {
    problem: &'p Problem,
    seed: u64,
    /// The next input near the start, where all are small, and the next far down.
    next: [u64; 2],
    batches: usize,
    /// How often the problem's own programs were asked.
    rounds: u32,
    /// Tests of the package that hold one input each, the next one last.
    tests: Vec<Planned>,
    known: HashSet<u64>,
}

impl<'p> Stream<'p> {
    fn new(problem: &'p Problem, seed: u64) -> Self {
        // The largest inputs first: they are what a slow program meets last otherwise.
        let rank = |planned: &Planned| match planned.family {
            Family::MaxRandom => Some(4),
            Family::Cases => Some(3),
            Family::MaxSmallValues => Some(2),
            Family::Samples => Some(1),
            Family::Edges | Family::Plateaus => Some(0),
            Family::Exhaustive | Family::SmallRandom => None,
        };
        let mut tests: Vec<Planned> =
            generate::plan(problem).into_iter().filter(|planned| rank(planned).is_some()).collect();
        tests.sort_by_key(rank);
        Self { problem, seed, next: [0, FAR], batches: 0, rounds: 0, tests, known: HashSet::new() }
    }

    /// The next inputs, fewer when they are large, none when there are no others. The two sides meet after a while;
    /// what one has tried the other passes over.
    fn batch(&mut self, size: usize, made: &mut Made<'_>) -> Result<Vec<Input>, StressError> {
        let (mut batch, mut numbers, mut known_in_a_row) = (Vec::new(), 0, 0);
        let side = self.batches % 2;
        self.batches += 1;
        if side == 1 {
            self.rounds += 1;
            for input in made(self.rounds).map_err(StressError::Made)? {
                if self.remember(&input) {
                    numbers += count(&input);
                    batch.push(input);
                }
            }
        }
        if side == 1
            && let Some(planned) = self.tests.pop()
        {
            let made = generate::make(self.problem, self.seed, &planned)?;
            // Packs are what the stream is made of anyway, but for plateaus.
            for input in made.members.into_iter().filter(|_| !made.pack || made.family == Family::Plateaus) {
                if self.remember(&input) {
                    numbers += count(&input);
                    batch.push(input);
                }
            }
        }
        while batch.len() < size && numbers < MAX_BATCH_NUMBERS && known_in_a_row < MAX_KNOWN_IN_A_ROW {
            let input = generate::sample(self.problem, self.seed, self.next[side])?;
            self.next[side] += 1;
            if self.remember(&input) {
                known_in_a_row = 0;
                numbers += count(&input);
                batch.push(input);
            } else {
                known_in_a_row += 1;
            }
        }
        Ok(batch)
    }

    /// Whether the input is a new one.
    fn remember(&mut self, input: &Input) -> bool {
        let mut hasher = DefaultHasher::new();
        input.hash(&mut hasher);
        match self.known.len() < MAX_REMEMBERED {
            true => self.known.insert(hasher.finish()),
            false => !self.known.contains(&hasher.finish()),
        }
    }
}

/// How many numbers an input holds.
fn count(input: &Input) -> usize {
    input.values.iter().map(input::Value::count).sum()
}

#[cfg(test)]
mod tests;
