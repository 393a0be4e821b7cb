//! Searching with submissions made up here: no process is started, and the clock counts questions.

use std::cell::Cell;

use proptest::prelude::*;

use super::*;
use crate::input::Value;
use crate::solve;
use crate::verdict::Verdict;

fn problem() -> Problem {
    let (problem, mistakes) = crate::problem::parse("stone-game-iii", TEXT);
    problem.unwrap_or_else(|| panic!("{mistakes:?}"))
}

const TEXT: &str = include_str!("../../problems/stone-game-iii/problem.toml");

fn tried(verdict: Verdict) -> Tried {
    Tried {
        verdict,
        marks: None,
        message: String::new(),
        figures: Default::default(),
        exit_code: Some(0),
        signal: None,
        stderr: String::new(),
        answer: Vec::new(),
        transcript: String::new(),
    }
}

fn right(input: &Input) -> String {
    (solve::built_in("stone-game-iii").unwrap().solve)(input)
}

/// Searches and shrinks with a submission that fails where `fails` says so; a question takes a millisecond.
fn hunt(seed: u64, for_ms: u64, fails: &dyn Fn(&Input) -> bool) -> (Searched, Option<Smallest>) {
    let now = Cell::new(0);
    let problem = problem();
    let mut answer = |input: &Input, _: &[u8]| Ok(right(input).into_bytes());
    let mut first_failing = |asked: &[(&Input, &str)]| {
        now.set(now.get() + asked.len() as u64);
        assert!(asked.iter().all(|(input, answer)| right(input) == *answer));
        Ok(asked.iter().position(|(input, _)| fails(input)).map(|index| (index, tried(Verdict::Wa))))
    };
    let clock = || now.get();
    let mut world = World { answer: &mut answer, first_failing: &mut first_failing, clock_ms: &clock };
    let found = search(&problem, seed, for_ms, &mut world, &mut |_| Ok(Vec::new()), &mut |_| {}).unwrap();
    let failure = found.failure.clone();
    let smallest = failure.map(|failure| shrink(&problem.model, failure, 100_000, &mut world).unwrap());
    (found, smallest)
}

fn row(input: &Input) -> &[i64] {
    match &input.values[0] {
        Value::Array(items) => items,
        Value::Int(_) => &[],
    }
}

#[test]
fn a_program_that_knows_no_tie_fails_on_the_smallest_tie() {
    let (found, smallest) = hunt(7, 10_000, &|input| right(input) == "Tie");
    assert!(found.inputs > 0);
    let smallest = smallest.unwrap();
    assert!(smallest.is_minimal);
    assert_eq!(smallest.failure.input.values, [Value::Array(vec![0])]);
    assert_eq!(smallest.failure.answer, "Tie");
    let (_, again) = hunt(7, 10_000, &|input| right(input) == "Tie");
    assert_eq!(again.unwrap().probes, smallest.probes);
}

#[test]
fn large_inputs_are_reached_and_shrunk() {
    let (_, smallest) = hunt(3, 1_000_000, &|input| row(input).len() > 5000);
    assert_eq!(smallest.unwrap().failure.input.values, [Value::Array(vec![0; 5001])]);
}

#[test]
fn a_search_ends_in_time() {
    let (found, _) = hunt(1, 3000, &|_| false);
    assert!(found.failure.is_none() && (1000..=6000).contains(&found.inputs), "{}", found.inputs);
}

#[test]
fn a_trusted_side_that_fails_is_never_held_against_the_submission() {
    let problem = problem();
    let mut answer = |_: &Input, _: &[u8]| Err("signal 11 ended it".to_owned());
    let mut first_failing =
        |_: &[(&Input, &str)]| -> Result<_, AskError> { Ok(Some((0, tried(Verdict::Wa)))) };
    let mut world = World { answer: &mut answer, first_failing: &mut first_failing, clock_ms: &|| 0 };
    let error =
        search(&problem, 1, 10, &mut world, &mut |_| Ok(Vec::new()), &mut |_| {}).unwrap_err().to_string();
    assert!(
        error.starts_with("the trusted side has no answer to this input: signal 11 ended it\n"),
        "{error}"
    );
    assert!(error.lines().count() >= 3, "the input is shown: {error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_case_is_read_back_as_the_same_input(
        runs in prop::collection::vec((-1000_i64..=1000, 1_usize..40), 1..12),
        name in "[a-z][a-z0-9 ]{0,20}[a-z]",
        why in "[!-~][ -~é\u{1}]{0,40}",
    ) {
        let items = runs.iter().flat_map(|(value, len)| std::iter::repeat_n(*value, *len)).collect();
        let input = Input { values: vec![Value::Array(items)] };
        let case = case(&problem().model, &input, &name, &why);
        let (read, mistakes) = crate::problem::parse("stone-game-iii", &format!("{TEXT}\n{case}"));
        let Some(read) = read else { return Err(TestCaseError::fail(format!("{case}\n{mistakes:?}"))) };
        prop_assert_eq!(read.cases.last().map(|case| &case.input), Some(&input));
    }
}
