//! Hunts a survivor: the inputs that searches for failures go through first, then a search of its own from input to
//! input near it, towards those that take the program longest for their size. What is caught is shrunk. The trusted
//! answers and the clock come from outside.

use crate::generate::rng::{Key, Rng};
use crate::generate::{self, Family};
use crate::grade::Subject;
use crate::input::{self, Input, Value};
use crate::problem::Problem;
use crate::stress::{self, Answer, Failure, StressError, World};
use crate::verdict::Verdict;

use super::moves;

/// Of the time for one survivor so much in a hundred goes to the inputs of the families.
const FAMILIES_SHARE: u64 = 35;
/// Inputs that the search goes on from.
const POPULATION: usize = 48;
/// Inputs asked about at once.
const BATCH: usize = 32;
/// Numbers in the inputs of one batch at most.
const MAX_BATCH_NUMBERS: usize = 100_000;
/// Of the inputs that the search goes on from, one in so many is any, and not one that took long.
const ANY_EVERY: u64 = 4;
/// What is added to an input's size before its time is divided by it: a start costs something.
const SMALL: f64 = 20.0;
/// Samples that the search begins with, near and far down the stream.
const FIRST_SAMPLES: u64 = 20;
const FAR: u64 = 10_000;

/// What hunting one survivor gave.
#[derive(Clone, Debug)]
pub struct Hunted {
    /// The shrunk failure, if it was caught.
    pub caught: Option<Failure>,
    /// Inputs that were tried.
    pub inputs: u64,
}

/// How a hunt goes.
#[derive(Clone, Copy)]
pub struct Chase<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// What everything random follows from.
    pub seed: u64,
    /// How long the search may take.
    pub search_ms: u64,
    /// How long the shrinking may take.
    pub shrink_ms: u64,
    /// Milliseconds since any fixed moment.
    pub clock_ms: &'a dyn Fn() -> u64,
}

/// An input with the time that it took, for its size.
struct Place {
    input: Input,
    density: f64,
}

/// Hunts the program that `subject` asks. `first` are inputs that caught others.
///
/// # Errors
/// When the trusted side, the judge or the problem is at fault.
pub fn hunt(
    chase: Chase<'_>,
    subject: &mut Subject<'_>,
    answer: &mut Answer<'_>,
    first: &[Input],
) -> Result<Hunted, StressError> {
    let start = (chase.clock_ms)();
    let mut inputs = first.len() as u64;
    let mut caught = ask_one_by_one(chase, subject, answer, first)?;
    if caught.is_some() {
        // It was shrunk for another program.
        return Ok(Hunted { caught, inputs });
    }
    {
        let mut first_failing = |asked: &[(&Input, &str)]| subject.first_failing(asked);
        let mut world =
            World { answer: &mut *answer, first_failing: &mut first_failing, clock_ms: chase.clock_ms };
        let share = chase.search_ms * FAMILIES_SHARE / 100;
        let found = stress::search(
            chase.problem,
            chase.seed,
            share,
            &mut world,
            &mut |_| Ok(Vec::new()),
            &mut |_| {},
        )?;
        inputs += found.inputs;
        caught = found.failure;
    }
    if caught.is_none() {
        let mut search = Search::new(chase)?;
        while caught.is_none() && (chase.clock_ms)().saturating_sub(start) < chase.search_ms {
            let batch = search.batch();
            if batch.is_empty() {
                break;
            }
            inputs += batch.len() as u64;
            caught = search.ask(batch, subject, answer)?;
        }
    }
    let Some(failure) = caught else { return Ok(Hunted { caught: None, inputs }) };
    let mut first_failing = |asked: &[(&Input, &str)]| subject.first_failing(asked);
    let mut world = World { answer, first_failing: &mut first_failing, clock_ms: chase.clock_ms };
    let smallest = stress::shrink(&chase.problem.model, failure, chase.shrink_ms, &mut world)?;
    Ok(Hunted { caught: Some(smallest.failure), inputs: inputs + smallest.probes as u64 })
}

fn ask_one_by_one(
    chase: Chase<'_>,
    subject: &mut Subject<'_>,
    answer: &mut Answer<'_>,
    inputs: &[Input],
) -> Result<Option<Failure>, StressError> {
    for input in inputs {
        let right = right(chase.problem, input, answer)?;
        let tried = subject.ask(input, right.as_bytes())?;
        if tried.verdict != Verdict::Ac {
            return Ok(Some(Failure { input: input.clone(), answer: right, tried }));
        }
    }
    Ok(None)
}

fn right(problem: &Problem, input: &Input, answer: &mut Answer<'_>) -> Result<String, StressError> {
    let mut text = Vec::new();
    input::render(&problem.model, input, &mut text);
    let unanswered =
        |message| StressError::Unanswered { message, input: String::from_utf8_lossy(&text).into_owned() };
    let answer = answer(input, &text).map_err(unanswered)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// The search from input to input.
struct Search<'a> {
    chase: Chase<'a>,
    rng: Rng,
    /// Those that took longest for their size first.
    places: Vec<Place>,
    /// Inputs that were not asked about yet, of the beginning.
    fresh: Vec<Input>,
}

impl<'a> Search<'a> {
    fn new(chase: Chase<'a>) -> Result<Self, StressError> {
        let problem = chase.problem;
        let mut fresh: Vec<Input> =
            problem.samples.iter().chain(&problem.cases).map(|case| case.input.clone()).collect();
        for index in 0..FIRST_SAMPLES {
            fresh.push(generate::sample(problem, chase.seed, 50 * index)?);
            fresh.push(generate::sample(problem, chase.seed, FAR + index)?);
        }
        for planned in generate::plan(problem).iter().filter(|it| it.family == Family::Edges) {
            let made = generate::make(problem, chase.seed, planned)?;
            fresh
                .extend(made.members.into_iter().filter(|input| numbers(input) <= MAX_BATCH_NUMBERS / BATCH));
        }
        let rng = Key::of_test(&problem.slug, "strength", "hunt", chase.seed).stream(0);
        Ok(Self { chase, rng, places: Vec::new(), fresh })
    }

    fn batch(&mut self) -> Vec<Input> {
        let (mut batch, mut count) = (Vec::new(), 0);
        while batch.len() < BATCH && count < MAX_BATCH_NUMBERS {
            let input = match self.fresh.pop() {
                Some(input) => input,
                None if self.places.is_empty() => return batch,
                None => {
                    let best = if self.rng.below(ANY_EVERY) == 0 { self.places.len() } else { 8 };
                    let place = self.rng.below(best.min(self.places.len()) as u64) as usize;
                    let from = self.places[place].input.clone();
                    match moves::near(&self.chase.problem.model, &from, &mut self.rng) {
                        Some(input) => input,
                        None => return batch,
                    }
                }
            };
            count += numbers(&input);
            batch.push(input);
        }
        batch
    }

    fn ask(
        &mut self,
        batch: Vec<Input>,
        subject: &mut Subject<'_>,
        answer: &mut Answer<'_>,
    ) -> Result<Option<Failure>, StressError> {
        let mut answers = Vec::with_capacity(batch.len());
        for input in &batch {
            answers.push(right(self.chase.problem, input, answer)?);
        }
        let asked: Vec<(&Input, &str)> = batch.iter().zip(answers.iter().map(String::as_str)).collect();
        let tried = subject.ask_all(&asked)?;
        let times: Vec<f64> = tried.iter().map(|tried| tried.figures.cpu_ms).collect();
        let suspect = tried.iter().position(|tried| tried.verdict != Verdict::Ac);
        if let Some(at) = suspect {
            // Alone it may pass: then an earlier call is at fault.
            let tried = subject.ask(&batch[at], answers[at].as_bytes())?;
            if tried.verdict != Verdict::Ac {
                let answer = answers.swap_remove(at);
                return Ok(Some(Failure { input: batch[at].clone(), answer, tried }));
            }
        }
        for (input, time) in batch.into_iter().zip(times) {
            let density = time / (numbers(&input) as f64 + SMALL);
            self.places.push(Place { input, density });
        }
        self.places.sort_by(|left, right| right.density.total_cmp(&left.density));
        // Some that took little stay too, so that the search does not close in on one corner.
        while self.places.len() > POPULATION {
            let spare = POPULATION / 2 + self.rng.below((self.places.len() - POPULATION / 2) as u64) as usize;
            self.places.remove(spare);
        }
        Ok(None)
    }
}

fn numbers(input: &Input) -> usize {
    input.values.iter().map(Value::count).sum()
}
