//! Hunts a survivor: the inputs that searches for failures go through first, then a search of its own from input to
//! input, told by right answers, by other wrong programs and by time. What is caught is shrunk. The trusted answers and the
//! clock come from outside.

use crate::grade::{AskError, Subject};
use crate::input::{self, Input};
use crate::problem::Problem;
use crate::stress::{self, Answer, Failure, StressError, World};
use crate::verdict::Verdict;

use super::search::{Met, Search};

/// Of the time for one survivor so much in a hundred goes to the inputs of the families.
const FAMILIES_SHARE: u64 = 35;
/// On which of these inputs, whose right answers stand beside them, other wrong programs fail: a bit for each program.
pub type Failing<'w> = dyn FnMut(&[(&Input, &str)]) -> Result<Vec<u32>, AskError> + 'w;

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

/// Hunts the program that `subject` asks. `first` are inputs that caught others; `failing` are wrong programs that only few
/// tests kill, so that inputs on which they fail are worth looking around.
///
/// # Errors
/// When the trusted side, the judge or the problem is at fault.
pub fn hunt(
    chase: Chase<'_>,
    subject: &mut Subject<'_>,
    answer: &mut Answer<'_>,
    first: &[Input],
    failing: &mut Failing<'_>,
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
        let mut search = Search::new(chase.problem, chase.seed, first)?;
        while caught.is_none() && (chase.clock_ms)().saturating_sub(start) < chase.search_ms {
            let batch = search.batch();
            if batch.is_empty() {
                break;
            }
            inputs += batch.len() as u64;
            caught = ask(chase.problem, &mut search, batch, subject, answer, failing)?;
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

/// Asks about the inputs of a batch; the failure if there is one, else the search learns what came of them.
fn ask(
    problem: &Problem,
    search: &mut Search<'_>,
    batch: Vec<Input>,
    subject: &mut Subject<'_>,
    answer: &mut Answer<'_>,
    failing: &mut Failing<'_>,
) -> Result<Option<Failure>, StressError> {
    let mut answers = Vec::with_capacity(batch.len());
    for input in &batch {
        answers.push(right(problem, input, answer)?);
    }
    let asked: Vec<(&Input, &str)> = batch.iter().zip(answers.iter().map(String::as_str)).collect();
    let tried = subject.ask_all(&asked)?;
    if let Some(at) = tried.iter().position(|tried| tried.verdict != Verdict::Ac) {
        // Alone it may pass: then an earlier call is at fault.
        let tried = subject.ask(&batch[at], answers[at].as_bytes())?;
        if tried.verdict != Verdict::Ac {
            let answer = answers.swap_remove(at);
            return Ok(Some(Failure { input: batch[at].clone(), answer, tried }));
        }
    }
    let failing = failing(&asked)?;
    let met: Vec<Met<'_>> = tried
        .iter()
        .zip(&answers)
        .zip(failing)
        .map(|((tried, answer), failing)| Met { answer, work: tried.figures.cpu_ms, failing })
        .collect();
    search.learn(batch, &met);
    Ok(None)
}
