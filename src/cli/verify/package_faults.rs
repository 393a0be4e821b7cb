//! What is wrong with a package by itself: inputs that are not of the model, goals of the coverage that no input
//! reaches, answers that brute force contradicts. Runs no submission.

use crate::check::check_bytes;
use crate::grade::TestSet;
use crate::input::coverage::Coverage;
use crate::input::{self, Input, Value};
use crate::package::PackagedTest;
use crate::problem::{Answer, Problem};
use crate::sandbox::interrupt;
use crate::solve::{self, Solver};
use crate::verdict::Verdict;

/// What was found.
pub(super) struct Found {
    pub(super) inputs: usize,
    pub(super) goals: usize,
    pub(super) goals_reached: usize,
    /// How many inputs brute force has answered; `None` when the answers are not a built-in solver's, or not compared.
    pub(super) brute_forced: Option<usize>,
    pub(super) faults: Vec<String>,
}

/// How many faults of one kind are told; more are only counted.
const TOLD: usize = 5;
/// How many inputs brute force is tried on, the smallest ones that the package has.
const BRUTE_FORCED: usize = 20_000;

/// Looks at every input and answer of the package.
/// `None` when it was interrupted.
pub(super) fn find(problem: &Problem, tests: &TestSet) -> Option<Found> {
    let mut found = Found { inputs: 0, goals: 0, goals_reached: 0, brute_forced: None, faults: Vec::new() };
    let mut coverage = Coverage::new(problem);
    let mut small: Vec<(usize, Input, Vec<u8>)> = Vec::new();
    let solver = solver(problem);
    for test in tests.tests() {
        if interrupt::requested() {
            return None;
        }
        let read = read(problem, test, &mut |input, answer| {
            if interrupt::requested() {
                return;
            }
            found.inputs += 1;
            coverage.observe(&input, &String::from_utf8_lossy(answer));
            let size = size(&input);
            if solver.is_some_and(|solver| size <= solver.brute_size) {
                small.push((size, input, answer.to_vec()));
            }
        });
        if let Err(fault) = read {
            found.faults.push(format!("test `{}`: {fault}", test.name));
        }
    }
    (found.goals, found.goals_reached) = coverage.reached();
    let missing: Vec<String> =
        coverage.missing().iter().map(|goal| format!("no test reaches `{}`", goal.name)).collect();
    tell(&mut found.faults, missing);
    let needless = coverage.needless_waivers();
    let needless =
        needless.iter().map(|waiver| format!("`{}` is waived, and a test reaches it", waiver.goal));
    tell(&mut found.faults, needless.collect());
    if let Some(solver) = solver {
        small.sort_by_key(|(size, ..)| *size);
        small.truncate(BRUTE_FORCED);
        found.brute_forced = Some(small.len());
        let contradicted = contradicted(problem, solver, &small);
        tell(&mut found.faults, contradicted);
    }
    (!interrupt::requested()).then_some(found)
}

fn solver(problem: &Problem) -> Option<&'static Solver> {
    match &problem.answer {
        // Where a program says what is right, there may be more than one right answer.
        Answer::Solver(name) if problem.jury.is_none() => solve::built_in(name),
        Answer::Solver(_) | Answer::Program(_) | Answer::None => None,
    }
}

/// The answers that brute force contradicts.
fn contradicted(problem: &Problem, solver: &Solver, small: &[(usize, Input, Vec<u8>)]) -> Vec<String> {
    let mut faults = Vec::new();
    for (_, input, answer) in small {
        if interrupt::requested() {
            break;
        }
        let brute = (solver.brute)(input);
        if check_bytes(&problem.checker, answer, brute.as_bytes()).verdict != Verdict::Ac {
            let mut text = Vec::new();
            input::render(&problem.model, input, &mut text);
            faults.push(format!(
                "brute force says {:?} and the answer is {:?} for the input {:?}",
                brute.trim_end(),
                String::from_utf8_lossy(answer).trim_end(),
                String::from_utf8_lossy(&text).trim_end(),
            ));
        }
    }
    faults
}

fn tell(faults: &mut Vec<String>, found: Vec<String>) {
    let more = found.len().saturating_sub(TOLD);
    faults.extend(found.into_iter().take(TOLD));
    if more > 0 {
        faults.push(format!("and {more} more of this kind"));
    }
}

/// How many values an input holds.
fn size(input: &Input) -> usize {
    let of = |value: &Value| match value {
        Value::Int(_) => 1,
        Value::Array(values) => values.len(),
    };
    input.values.iter().map(of).sum()
}

fn read(problem: &Problem, test: &PackagedTest, observe: &mut dyn FnMut(Input, &[u8])) -> Result<(), String> {
    let file = |path: &std::path::Path| {
        std::fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))
    };
    let (inputs, answers) = (file(&test.input)?, file(&test.answer)?);
    for (index, member) in test.members.iter().enumerate() {
        let part = |bytes: &[u8], range: &std::ops::Range<u64>| -> Option<Vec<u8>> {
            bytes
                .get(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
                .map(<[u8]>::to_vec)
        };
        let text = part(&inputs, &member.input).ok_or("the input file is shorter than its manifest says")?;
        let answer =
            part(&answers, &member.answer).ok_or("the answer file is shorter than its manifest says")?;
        let input = input::validate(&problem.model, &text)
            .map_err(|violation| format!("input {}: {violation}", index + 1))?;
        observe(input, &answer);
    }
    Ok(())
}
