//! `[[subtask]]`: the model with narrower bounds, worth points; or, beside loose tests, some of them by name.

use super::super::Subtask;
use super::super::model::{InputModel, IntRange};
use super::super::pattern::matches;
use super::super::read::{Item, Mistakes, Table};
use crate::diagnostic::{Diagnostic, nearest};
use crate::score::{Group, MAX_GROUPS, Points, Rule};
use std::ops::Range;

/// The longest name.
const MAX_NAME_BYTES: usize = 32;
/// The most patterns that one subtask may list.
const MAX_PATTERNS: usize = 10_000;

/// The names of subtasks so far, with their places.
type Names = Vec<(String, Range<usize>)>;

/// The subtasks; passed over when the model is not whole.
pub(super) fn subtasks(
    root: &mut Table<'_>,
    model: Option<&InputModel>,
    mistakes: &mut Mistakes,
) -> Vec<Subtask> {
    let Some(item) = root.take("subtask") else { return Vec::new() };
    let Some(model) = model else { return Vec::new() };
    let mut subtasks = Vec::new();
    let mut names = Names::new();
    for table in item.tables(MAX_GROUPS, mistakes) {
        subtasks.extend(subtask(table, model, &mut names, mistakes));
    }
    if subtasks.len() == names.len() {
        unneeded(&subtasks, &names, mistakes);
    }
    subtasks
}

fn subtask(
    mut table: Table<'_>,
    model: &InputModel,
    names: &mut Names,
    mistakes: &mut Mistakes,
) -> Option<Subtask> {
    let head = head(&mut table, names, mistakes);
    let sizes: Vec<_> = model.sizes.iter().map(|size| (size.name.as_str(), size.range)).collect();
    let fields: Vec<_> =
        model.fields.iter().map(|field| (field.name.as_str(), field.shape.range())).collect();
    let sizes = narrowed(table.take("size"), "size", &sizes, mistakes);
    let fields = narrowed(table.take("input"), "input", &fields, mistakes);
    table.finish(mistakes);
    let Group { name, points, rule, needs } = head?;
    Some(Subtask { name, points, rule, sizes, fields, needs })
}

/// What every subtask says, wherever its tests come from.
fn head(table: &mut Table<'_>, names: &mut Names, mistakes: &mut Mistakes) -> Option<Group> {
    let name = table.need("name", "`name = \"…\"`");
    let points = table.need("points", "`points = …`");
    let rule = table.take("score").map_or(Some(Rule::default()), |item| self::rule(&item, mistakes));
    let needs = table.take("needs");
    let needs = needs.map_or_else(Vec::new, |item| self::needs(&item, names, mistakes));
    let name = name.and_then(|item| self::name(&item, names, mistakes));
    if let Some(name) = &name {
        table.title = format!("the subtask `{name}`");
    }
    let points = points.and_then(|item| self::points(&item, mistakes));
    Some(Group { name: name?, points: points?, rule: rule?, needs })
}

fn name(item: &Item<'_>, names: &mut Names, mistakes: &mut Mistakes) -> Option<String> {
    let name = item.some_text("the subtask's name", mistakes)?;
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    if name.len() > MAX_NAME_BYTES || !name.bytes().all(fits) {
        let label = format!("expected 1 to {MAX_NAME_BYTES} lower-case letters, digits, `-` and `_`");
        mistakes.add(item.mistake(format!("`{}` cannot name a subtask", name.escape_debug()), label));
    } else if let Some((_, first)) = names.iter().find(|(other, _)| other == name) {
        let mistake = item.mistake(format!("two subtasks are named `{name}`"), "named again here");
        mistakes.add(mistake.at(first.clone(), "first named here"));
    }
    names.push((name.to_owned(), item.span.clone()));
    Some(name.to_owned())
}

fn points(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<Points> {
    let text = item.decimal("a number, as in 30 or 33.33", mistakes)?;
    let wrong = |error: crate::score::PointsError| {
        mistakes.add(item.mistake(format!("{text} cannot be points"), error.to_string()));
    };
    Points::parse(&text).map_err(wrong).ok()
}

fn rule(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<Rule> {
    let name = item.text("\"min\" or \"sum\"", mistakes)?;
    let found = Rule::ALL.into_iter().find(|rule| rule.name() == name);
    if found.is_none() {
        let label = "expected \"min\" (all or nothing) or \"sum\" (a part for each test)";
        mistakes.add(item.mistake(format!("points cannot be made by `{}`", name.escape_debug()), label));
    }
    found
}

/// Only subtasks before this one can be needed, so there are no circles.
fn needs(item: &Item<'_>, names: &Names, mistakes: &mut Mistakes) -> Vec<usize> {
    let mut needed = Vec::new();
    for element in item.elements("a list of subtasks' names", mistakes).unwrap_or_default() {
        let Some(name) = element.text("the name of a subtask", mistakes) else { continue };
        match names.iter().position(|(other, _)| other == name) {
            Some(index) if needed.contains(&index) => {
                mistakes.add(element.mistake(format!("`{name}` is needed twice"), ""));
            }
            Some(index) => needed.push(index),
            None => {
                let near = nearest(name, names.iter().map(|(name, _)| name.as_str()));
                let label = near.map_or(String::new(), |near| format!("did you mean `{near}`?"));
                let mistake = element.mistake(format!("there is no subtask `{name}` before this one"), label);
                mistakes.add(mistake.help("a subtask can need only those above it"));
            }
        }
    }
    needed
}

/// Warns of a subtask whose bounds hold all inputs of an earlier one that it does not need: the earlier one's tests
/// belong to that one alone, and the later one could be won without them.
fn unneeded(subtasks: &[Subtask], names: &Names, mistakes: &mut Mistakes) {
    let mut closures: Vec<Vec<usize>> = Vec::new();
    for (later, subtask) in subtasks.iter().enumerate() {
        let deeper = subtask.needs.iter().flat_map(|needed| closures[*needed].clone());
        let closure: Vec<usize> = subtask.needs.iter().copied().chain(deeper).collect();
        let holds = |of: &[IntRange], other: &[IntRange]| {
            of.iter().zip(other).all(|(of, other)| of.min <= other.min && other.max <= of.max)
        };
        let free = (0..later).find(|earlier| {
            let other = &subtasks[*earlier];
            !closure.contains(earlier)
                && holds(&subtask.sizes, &other.sizes)
                && holds(&subtask.fields, &other.fields)
        });
        if let Some(earlier) = free {
            let (name, other) = (&names[later], &names[earlier]);
            let message = format!("`{}` can be won without the smaller inputs of `{}`", name.0, other.0);
            let mistake = Diagnostic::warning(message).at(name.1.clone(), "").at(other.1.clone(), "smaller");
            mistakes.add(
                mistake.help(format!("an input belongs to one subtask; add `needs = [\"{}\"]`", other.0)),
            );
        }
        closures.push(closure);
    }
}

/// The ranges, with those that the table names narrowed.
fn narrowed(
    item: Option<Item<'_>>,
    what: &str,
    ranges: &[(&str, IntRange)],
    mistakes: &mut Mistakes,
) -> Vec<IntRange> {
    let mut result: Vec<IntRange> = ranges.iter().map(|(_, range)| *range).collect();
    let Some(item) = item else { return result };
    let expected = format!("a table, as in {what}.name = {{ max = 1000 }}");
    let Some(table) = item.table(format!("`{what}`"), &expected, mistakes) else { return result };
    for item in table.others() {
        let Some(index) = ranges.iter().position(|(name, _)| *name == item.key) else {
            let near = nearest(item.key, ranges.iter().map(|(name, _)| *name));
            let label = near.map_or(String::new(), |near| format!("did you mean `{near}`?"));
            let mistake = Diagnostic::error(format!("there is no {what} `{}` to narrow", item.key));
            mistakes.add(mistake.at(item.key_span.clone(), label));
            continue;
        };
        if let Some(range) = narrow(&item, result[index], mistakes) {
            result[index] = range;
        }
    }
    result
}

fn narrow(item: &Item<'_>, range: IntRange, mistakes: &mut Mistakes) -> Option<IntRange> {
    let mut table = item.table(format!("`{}`", item.key), "{ min = …, max = … }", mistakes)?;
    let mut bound = |key: &'static str, default: i64| match table.take(key) {
        None => Some(default),
        Some(item) => {
            let value = item.integer(mistakes)?;
            if range.contains(value) {
                return Some(value);
            }
            let message = format!("a subtask cannot widen its bounds: {value} is not in the input model");
            mistakes.add(item.mistake(message, format!("expected {range}")));
            None
        }
    };
    let (min, max) = (bound("min", range.min), bound("max", range.max));
    table.finish(mistakes);
    let (min, max) = (min?, max?);
    if min > max {
        mistakes.add(item.mistake(format!("nothing is left between {min} and {max}"), ""));
        return None;
    }
    Some(IntRange { min, max, ..range })
}

/// Groups of tests that are there already, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestGroups {
    /// The groups, in order.
    pub groups: Vec<Group>,
    /// For each test the index of its group; `None` for one that gives no points.
    pub of_test: Vec<Option<usize>>,
}

/// The subtasks of a file that groups the tests of these names; each has `tests`, a list of patterns.
pub(super) fn test_groups(root: &mut Table<'_>, tests: &[&str], mistakes: &mut Mistakes) -> TestGroups {
    let like = "`[[subtask]]` with `name`, `points` and `tests = [\"1-*\"]`";
    let mut found = TestGroups { groups: Vec::new(), of_test: vec![None; tests.len()] };
    let Some(item) = root.need("subtask", like) else { return found };
    let mut names = Names::new();
    for mut table in item.tables(MAX_GROUPS, mistakes) {
        let head = head(&mut table, &mut names, mistakes);
        let patterns = table.need("tests", "`tests = [\"1-*\"]`, patterns over the names of tests");
        let place = table.span.clone();
        table.finish(mistakes);
        // A group with a mistake keeps its place, or the indices of the others would be wrong.
        let index = names.len().saturating_sub(1);
        let title = names.last().map_or("", |(name, _)| name).to_owned();
        let own = patterns.and_then(|item| members(&item, tests, mistakes));
        if let Some(own) = own {
            if own.is_empty() {
                let mistake = Diagnostic::error(format!("no test belongs to the subtask `{title}`"));
                mistakes.add(mistake.at(place, "an empty subtask could not be won"));
            }
            for test in own {
                claim(test, index, &title, tests, &mut found.of_test, &names, mistakes);
            }
        }
        found.groups.extend(head);
    }
    found
}

/// The tests that the patterns name, none twice.
fn members(item: &Item<'_>, tests: &[&str], mistakes: &mut Mistakes) -> Option<Vec<usize>> {
    let patterns = item.elements("a list of patterns, as in [\"1-*\"]", mistakes)?;
    let mut is_own = vec![false; tests.len()];
    let mut is_sound = true;
    for element in patterns.iter().take(MAX_PATTERNS) {
        let Some(pattern) = element.some_text("a pattern over the names of tests", mistakes) else {
            is_sound = false;
            continue;
        };
        let mut names_one = false;
        for (test, _) in tests.iter().enumerate().filter(|(_, name)| matches(pattern, name)) {
            is_own[test] = true;
            names_one = true;
        }
        if !names_one {
            is_sound = false;
            let near = nearest(pattern, tests.iter().copied());
            let label = near.map_or(String::new(), |near| format!("did you mean `{near}`?"));
            mistakes.add(element.mistake(format!("no test is named `{}`", pattern.escape_debug()), label));
        }
    }
    is_sound.then(|| (0..tests.len()).filter(|test| is_own[*test]).collect())
}

/// Gives a test to a group, unless it has one.
fn claim(
    test: usize,
    index: usize,
    title: &str,
    tests: &[&str],
    of_test: &mut [Option<usize>],
    names: &Names,
    mistakes: &mut Mistakes,
) {
    match of_test[test] {
        None => of_test[test] = Some(index),
        Some(other) => {
            let other = names.get(other).map_or("", |(name, _)| name);
            let message =
                format!("the test `{}` belongs to two subtasks, `{other}` and `{title}`", tests[test]);
            let mistake = Diagnostic::error(message);
            let at = names.get(index).map(|(_, span)| span.clone()).unwrap_or_default();
            let help =
                format!("keep it in `{other}`, and let `{title}` need that one: `needs = [\"{other}\"]`");
            mistakes.add(mistake.at(at, "").help(help));
        }
    }
}
