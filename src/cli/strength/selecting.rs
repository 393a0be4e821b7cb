//! `--select`: the matrix over all tests there can be, the choice, and its file. What is chosen is generated at once, so
//! that the manifest follows.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use super::Desk;
use super::measured::{Measured, temporary};
use crate::cli::{CliError, grading};
use crate::generate::{FIRST_MEMBERS, Family, plan_all};
use crate::grade::TestSet;
use crate::input::{self, coverage::Coverage};
use crate::package::{self, PackagedTest, layout, selection_text};
use crate::problem::Problem;
use crate::report::strength::SelectionLine;
use crate::strength::{Candidate, GOAL, choose_tests};

/// Chooses tests of `problem`, writes the choice, and makes the package that it gives.
pub(super) fn select(
    desk: &Desk<'_>,
    problem: Problem,
) -> Result<(Problem, Option<SelectionLine>), CliError> {
    let whole = Problem { selection: None, ..problem };
    let folder = temporary(desk)?;
    let mut options = grading::generating(&whole, desk.workers, &desk.args.sandbox, desk.context);
    options.out = Some(folder.path().to_owned());
    package::generate(desk.workspace, &whole, &options, &|_| {})
        .map_err(|error| grading::package_error(&whole, &error))?;
    let tests = package::open(&folder.path().join(&whole.slug))
        .map_err(|error| CliError::Judge(error.to_string()))?;
    let measured = Measured::new(desk, &whole, TestSet::new(tests))?;
    let tests = measured.tests.tests();
    let judge = |message: String| CliError::Judge(format!("{}: {message}", whole.slug));
    let planned = plan_all(&whole).into_iter().filter(|planned| !planned.family.is_by_hand());
    let derived: BTreeSet<String> = planned.map(|planned| planned.name).collect();
    let candidates = tests
        .iter()
        .map(|test| candidate(&whole, test, &derived))
        .collect::<Result<Vec<_>, _>>()
        .map_err(judge)?;
    let mut reasons = measured.killers();
    reasons.extend(goals(&whole, tests).map_err(judge)?);
    let chosen = choose_tests(&candidates, &reasons, GOAL);
    let names: Vec<String> =
        chosen.iter().map(|&index| tests[index].name.clone()).filter(|name| derived.contains(name)).collect();
    let path = layout::selection_file(&desk.workspace.problem(&whole.slug));
    write(&path, &selection_text(&names))?;
    let sum = |of: fn(&Candidate) -> usize| chosen.iter().map(|&index| of(&candidates[index])).sum();
    let line = SelectionLine {
        file: desk.shown(&path),
        before: tests.len(),
        tests: chosen.len(),
        packed_inputs: sum(|candidate| candidate.packed_inputs),
        stdin_runs: sum(|candidate| candidate.stdin_runs),
    };
    drop(measured);
    let selected = Problem { selection: Some(names), ..whole };
    options.out = None;
    package::generate(desk.workspace, &selected, &options, &|_| {})
        .map_err(|error| grading::package_error(&selected, &error))?;
    Ok((selected, Some(line)))
}

/// For each goal of the coverage the tests that reach it: a small set must not lose one either.
fn goals(problem: &Problem, tests: &[PackagedTest]) -> Result<Vec<Vec<usize>>, String> {
    let mut reached: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let none = Coverage::new(problem);
    for (index, test) in tests.iter().enumerate() {
        let mut coverage = none.clone();
        let inputs = std::fs::read(&test.input).map_err(|error| cannot_read(&test.input, &error))?;
        let answers = std::fs::read(&test.answer).map_err(|error| cannot_read(&test.answer, &error))?;
        for member in &test.members {
            let text = part(&inputs, &member.input);
            let input = input::validate(&problem.model, text)
                .map_err(|violation| format!("the test `{}` is no input: {violation}", test.name))?;
            coverage.observe(&input, &String::from_utf8_lossy(part(&answers, &member.answer)));
        }
        let missing: BTreeSet<String> = coverage.missing().into_iter().map(|goal| goal.name).collect();
        for goal in none.missing().into_iter().filter(|goal| !missing.contains(&goal.name)) {
            reached.entry(goal.name).or_default().push(index);
        }
    }
    Ok(reached.into_values().collect())
}

fn part<'b>(bytes: &'b [u8], range: &Range<u64>) -> &'b [u8] {
    let place = usize::try_from(range.start).ok().zip(usize::try_from(range.end).ok());
    place.and_then(|(start, end)| bytes.get(start..end)).unwrap_or_default()
}

/// The widest nets: every small input, and small inputs over the full range, extremes among them. They stay though others
/// kill as much, since what strangers get wrong is nobody's mutant.
fn is_wide(test: &PackagedTest) -> bool {
    test.family == Family::Exhaustive.name() || test.name == "small_random/width=full/01"
}

/// Only tests that the families give may go, but for the widest: samples, cases, and what a problem's own programs make, stay.
fn candidate(
    problem: &Problem,
    test: &PackagedTest,
    derived: &BTreeSet<String>,
) -> Result<Candidate, String> {
    let inputs = test.members.len();
    Ok(Candidate {
        stays: !derived.contains(&test.name) || is_wide(test),
        family: test.family.clone(),
        decade: decade(problem, test)?,
        packed_inputs: if test.pack { inputs } else { 0 },
        stdin_runs: if test.pack { inputs.min(FIRST_MEMBERS) } else { 1 },
    })
}

/// Digits, less one, of the size of the test's largest input: how many numbers it holds, or the number itself where the
/// model has no sizes.
fn decade(problem: &Problem, test: &PackagedTest) -> Result<u32, String> {
    let bytes = std::fs::read(&test.input).map_err(|error| cannot_read(&test.input, &error))?;
    let Some(longest) = test.members.iter().max_by_key(|member| member.input.end - member.input.start) else {
        return Ok(0);
    };
    let text = part(&bytes, &longest.input);
    let words = || text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let size = if problem.model.sizes.is_empty() {
        let numbers = words().filter_map(|word| std::str::from_utf8(word).ok()?.parse::<i64>().ok());
        numbers.map(i64::unsigned_abs).max().unwrap_or(0)
    } else {
        words().count() as u64
    };
    Ok(size.max(1).ilog10())
}

fn cannot_read(path: &Path, error: &std::io::Error) -> String {
    format!("cannot read `{}`: {error}", path.display())
}

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    std::fs::write(path, text)
        .map_err(|error| CliError::Wrong(format!("cannot write `{}`: {error}", path.display())))
}
