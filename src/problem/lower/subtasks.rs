//! `[[subtask]]`: the model with narrower bounds, worth points.

use super::super::Subtask;
use super::super::model::{InputModel, IntRange};
use super::super::read::{Item, Mistakes, Table};
use crate::diagnostic::{Diagnostic, nearest};
use std::ops::Range;

/// How many subtasks a problem may have.
const MAX_SUBTASKS: usize = 100;
/// The most points that one subtask may give.
const MAX_POINTS: i64 = 1_000_000;
/// The longest name.
const MAX_NAME_BYTES: usize = 32;

/// The subtasks; passed over when the model is not whole.
pub(super) fn subtasks(
    root: &mut Table<'_>,
    model: Option<&InputModel>,
    mistakes: &mut Mistakes,
) -> Vec<Subtask> {
    let Some(item) = root.take("subtask") else { return Vec::new() };
    let Some(model) = model else { return Vec::new() };
    let mut subtasks = Vec::new();
    let mut names: Vec<(String, Range<usize>)> = Vec::new();
    for table in item.tables(MAX_SUBTASKS, mistakes) {
        subtasks.extend(subtask(table, model, &mut names, mistakes));
    }
    subtasks
}

fn subtask(
    mut table: Table<'_>,
    model: &InputModel,
    names: &mut Vec<(String, Range<usize>)>,
    mistakes: &mut Mistakes,
) -> Option<Subtask> {
    let name = table.need("name", "`name = \"…\"`");
    let points = table.need("points", "`points = …`");
    let requires = table.take("requires");
    let requires = requires.map_or_else(Vec::new, |item| self::requires(&item, names, mistakes));
    let name = name.and_then(|item| self::name(&item, names, mistakes));
    if let Some(name) = &name {
        table.title = format!("the subtask `{name}`");
    }
    let points = points.and_then(|item| item.integer_in(0, MAX_POINTS, mistakes));
    let sizes: Vec<_> = model.sizes.iter().map(|size| (size.name.as_str(), size.range)).collect();
    let fields: Vec<_> =
        model.fields.iter().map(|field| (field.name.as_str(), field.shape.range())).collect();
    let sizes = narrowed(table.take("size"), "size", &sizes, mistakes);
    let fields = narrowed(table.take("input"), "input", &fields, mistakes);
    table.finish(mistakes);
    Some(Subtask { name: name?, points: u32::try_from(points?).ok()?, sizes, fields, requires })
}

fn name(item: &Item<'_>, names: &mut Vec<(String, Range<usize>)>, mistakes: &mut Mistakes) -> Option<String> {
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

/// Only subtasks before this one can be required, so there are no circles.
fn requires(item: &Item<'_>, names: &[(String, Range<usize>)], mistakes: &mut Mistakes) -> Vec<usize> {
    let mut required = Vec::new();
    for element in item.elements("a list of subtasks' names", mistakes).unwrap_or_default() {
        let Some(name) = element.text("the name of a subtask", mistakes) else { continue };
        match names.iter().position(|(other, _)| other == name) {
            Some(index) if required.contains(&index) => {
                mistakes.add(element.mistake(format!("`{name}` is required twice"), ""));
            }
            Some(index) => required.push(index),
            None => {
                let near = nearest(name, names.iter().map(|(name, _)| name.as_str()));
                let label = near.map_or(String::new(), |near| format!("did you mean `{near}`?"));
                let mistake = element.mistake(format!("there is no subtask `{name}` before this one"), label);
                mistakes.add(mistake.help("a subtask can require only those above it"));
            }
        }
    }
    required
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
