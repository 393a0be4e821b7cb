//! What the families make of a model: every bound is reached, every condition holds, and nothing of it ever changes.

use crate::generate::GAME;
use touchstone::generate;
use touchstone::input::{coverage::Coverage, render, validate};
use touchstone::problem::{Problem, parse};
use touchstone::solve::built_in;

fn problem(text: &str) -> Problem {
    let (problem, mistakes) = parse("p", text);
    problem.unwrap_or_else(|| panic!("{mistakes:?}"))
}

/// Makes the whole plan; gives every input with its test's name.
fn everything(problem: &Problem, seed: u64) -> Vec<(String, touchstone::input::Input)> {
    let mut all = Vec::new();
    for planned in generate::plan(problem) {
        let made = generate::make(problem, seed, &planned).unwrap();
        assert_eq!(made.name, planned.name);
        all.extend(made.members.into_iter().map(|input| (made.name.clone(), input)));
    }
    for (name, input) in &all {
        let mut text = Vec::new();
        render(&problem.model, input, &mut text);
        assert_eq!(validate(&problem.model, &text).as_ref(), Ok(input), "{name}");
    }
    all
}

#[test]
fn the_model_of_stone_game_iii_is_covered_whole() {
    let problem = problem(include_str!("../problems/stone-game-iii/problem.toml"));
    let solver = built_in("stone-game-iii").unwrap();
    for seed in [1, 2] {
        let mut coverage = Coverage::new(&problem);
        for (_, input) in everything(&problem, seed) {
            coverage.observe(&input, &(solver.solve)(&input));
        }
        assert_eq!(coverage.missing(), [], "seed {seed}");
    }
}

const TWO_ARRAYS: &str = r#"
format = 1
title = { en = "Two" }
[limits]
time = "1s"
memory = "256MiB"
[size]
n = { min = 2, max = 500, step = 2 }
[[input]]
name = "piles"
type = "array"
len = "n"
item = { type = "int", min = 1, max = 500 }
[[input]]
name = "bonus"
type = "array"
len = "n"
item = { type = "int", min = -9_000_000_000_000_000_000, max = 9_000_000_000_000_000_000 }
[[input]]
name = "k"
type = "int"
min = 0
max = 1_000_000_000
[[where]]
that = "sum(piles) % 2 == 1"
repair = { change = "piles", by = 1 }
[[where]]
that = "k >= n"
repair = { change = "k", by = 7 }
[[subtask]]
name = "small"
points = 30
size.n = { max = 100 }
[[subtask]]
name = "all"
points = 70
[answer]
solver = "stone-game-iii"
"#;

#[test]
fn conditions_are_kept_by_repair_and_subtasks_get_tests_of_their_own() {
    let problem = problem(TWO_ARRAYS);
    let all = everything(&problem, 3);
    assert!(all.iter().any(|(name, _)| name == "edges/n=max/all_min,all_max"));
    let small: Vec<_> = all.iter().filter(|(name, _)| name.starts_with("small/")).collect();
    assert!(small.iter().any(|(name, _)| name == "small/edges/n=max/all_min"));
    for (name, input) in &small {
        let group = generate::group_of(&problem, std::slice::from_ref(input));
        assert_eq!(group.as_deref(), Some("small"), "{name}");
    }
    let large = all.iter().find(|(name, _)| name == "edges/n=max/all_min").unwrap();
    assert_eq!(generate::group_of(&problem, std::slice::from_ref(&large.1)).as_deref(), Some("all"));
    let names: std::collections::BTreeSet<&String> = all.iter().map(|(name, _)| name).collect();
    assert!(names.len() <= generate::MAX_TESTS, "{}", names.len());
}

#[test]
fn a_condition_that_is_too_rare_asks_for_a_repair() {
    let text = TWO_ARRAYS
        .replace("sum(piles) % 2 == 1", "sum(piles) % 257 == 1")
        .replace("repair = { change = \"piles\", by = 1 }", "");
    let problem = problem(&text);
    let errors: Vec<String> = generate::plan(&problem)
        .iter()
        .filter_map(|planned| generate::make(&problem, 1, planned).err())
        .map(|error| error.to_string())
        .collect();
    assert!(!errors.is_empty());
    for error in errors {
        assert!(error.contains("sum(piles) % 257 == 1") && error.contains("give it a `repair`"), "{error}");
    }
}

#[test]
fn the_stream_of_samples_is_endless_small_first_and_never_changes() {
    let game = problem(GAME);
    let two = problem(TWO_ARRAYS);
    for index in (0..4000).chain([u64::MAX]) {
        for problem in [&game, &two] {
            let input = generate::sample(problem, 9, index).unwrap();
            assert_eq!(input.fits(&problem.model), Ok(()), "{index}");
            assert_eq!(Ok(input), generate::sample(problem, 9, index));
        }
        let input = generate::sample(&game, 9, index).unwrap();
        assert!(index >= 200 || input.size(&game.model, 0) <= 3, "{index}");
    }
    assert_ne!(generate::sample(&game, 9, 3000), generate::sample(&game, 10, 3000));
}
