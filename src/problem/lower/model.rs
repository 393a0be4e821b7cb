//! The input model of a `problem.toml`: sizes, fields and conditions, with every name resolved.

use super::super::expr::Expr;
use super::super::model::{Field, InputModel, IntRange, Len, Repair, Shape, Size, Where};
use super::super::read::{Item, Mistakes, Table};
use super::value::expression_mistake;
use crate::diagnostic::{Diagnostic, nearest};
use std::ops::Range;

/// The largest size: arrays of more values make tests of more than 100 MB, which no judge should read.
const MAX_SIZE: i64 = 10_000_000;
/// The most sizes, fields and conditions, each by itself.
const MAX_PARTS: usize = 50;
/// Names that mean something else where a field or size could stand.
const RESERVED: [&str; 13] =
    ["name", "why", "and", "or", "not", "in", "true", "false", "self", "super", "crate", "this", "answer"];
const SHAPES: [&str; 2] = ["int", "array"];
/// Shapes that are planned: a better message than "unknown".
const LATER: [&str; 8] = ["float", "bool", "string", "grid", "permutation", "tree", "graph", "char"];

/// Whether the text can name things in every language: a letter, then letters, digits and `_`.
pub(super) fn is_identifier(name: &str) -> bool {
    const MAX_NAME_BYTES: usize = 64;
    name.len() <= MAX_NAME_BYTES
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// A name that is taken, and where.
struct Taken {
    name: String,
    span: Range<usize>,
}

/// The model, and whether every name in it could be read, so that keys can be told right from wrong.
pub(super) fn model(root: &mut Table<'_>, source: &str, mistakes: &mut Mistakes) -> (InputModel, bool) {
    let mut is_whole = true;
    let mut taken = Vec::new();
    let sizes = sizes(root, &mut taken, mistakes);
    let mut model =
        InputModel { sizes: sizes.iter().map(|(size, _)| size.clone()).collect(), ..InputModel::default() };
    let like = "at least one `[[input]]` with `name = \"…\"` and `type = \"int\"` or `\"array\"`";
    if let Some(item) = root.need("input", like) {
        for table in item.tables(MAX_PARTS, mistakes) {
            let field = field(table, &sizes, &mut taken, mistakes);
            is_whole &= field.is_some();
            model.fields.extend(field);
        }
        // A size that nothing uses may be the one that a length means.
        let are_known = has_known_lengths(&model);
        for (index, (size, span)) in sizes.iter().enumerate() {
            if are_known && is_whole && model.arrays_of(index).next().is_none() {
                let message = format!("the size `{}` is the length of nothing", size.name);
                let help = format!("write `len = \"{}\"` in an array, or make it an `[[input]]`", size.name);
                mistakes.missing(Diagnostic::error(message).at(span.clone(), "declared here").help(help));
            }
        }
    } else {
        is_whole = false;
    }
    conditions(root, source, is_whole, &mut model, mistakes);
    let is_whole = is_whole && has_known_lengths(&model);
    (model, is_whole)
}

fn has_known_lengths(model: &InputModel) -> bool {
    model.fields.iter().all(|field| !matches!(field.shape, Shape::Array { len, .. } if len == UNKNOWN))
}

/// `[[where]]`: read whenever the names are known.
fn conditions(
    root: &mut Table<'_>,
    source: &str,
    is_whole: bool,
    model: &mut InputModel,
    mistakes: &mut Mistakes,
) {
    let Some(item) = root.take("where") else { return };
    for mut table in item.tables(MAX_PARTS, mistakes) {
        let that = table.need("that", "`that = \"sum(a) % 2 == 1\"`");
        let repair = table.take("repair");
        table.finish(mistakes);
        if !is_whole {
            continue;
        }
        let repair = repair.and_then(|item| self::repair(&item, model, mistakes));
        let Some(that) = that else { continue };
        let Some(text) = that.text("a condition, as in \"sum(a) % 2 == 1\"", mistakes) else { continue };
        match Expr::parse(text, model) {
            Ok(expr) => model.wheres.push(Where { that: expr, text: text.to_owned(), repair }),
            Err(error) => mistakes.add(expression_mistake(&that, source, error)),
        }
    }
}

fn repair(item: &Item<'_>, model: &InputModel, mistakes: &mut Mistakes) -> Option<Repair> {
    let mut table = item.table("`repair`".to_owned(), "{ change = \"…\", by = 1 }", mistakes)?;
    let change = table.need("change", "`change = \"…\"`, the field to mend");
    let by = table.need("by", "`by = 1`, how far one value moves");
    table.finish(mistakes);
    let change_item = change?;
    let change = change_item.text("the name of a field", mistakes)?;
    let Some(field) = model.fields.iter().position(|field| field.name == change) else {
        let near = nearest(change, model.fields.iter().map(|field| field.name.as_str()));
        let label = near.map_or(String::new(), |near| format!("did you mean `{near}`?"));
        mistakes.add(change_item.mistake(format!("there is no input `{change}` to change"), label));
        return None;
    };
    let by_item = by?;
    let by = by_item.integer(mistakes)?;
    let step = model.fields[field].shape.range().step;
    if by == 0 || by.unsigned_abs() % step != 0 {
        let message = match by {
            0 => "a repair by 0 changes nothing".to_owned(),
            _ => format!("a repair by {by} leaves the steps of {step} of `{change}`"),
        };
        mistakes.add(by_item.mistake(message, ""));
        return None;
    }
    Some(Repair { field, by })
}

fn sizes(root: &mut Table<'_>, taken: &mut Vec<Taken>, mistakes: &mut Mistakes) -> Vec<(Size, Range<usize>)> {
    let Some(item) = root.take("size") else { return Vec::new() };
    let Some(table) = item.table("`[size]`".to_owned(), "a table of sizes", mistakes) else {
        return Vec::new();
    };
    let mut sizes = Vec::new();
    if let Some(item) = table.others().nth(MAX_PARTS) {
        mistakes.add(item.mistake(format!("more than {MAX_PARTS} sizes"), "one too many"));
    }
    for item in table.others().take(MAX_PARTS) {
        claim(item.key, &item.key_span, taken, mistakes);
        let title = format!("the size `{}`", item.key);
        let range = item.table(title, "{ min = …, max = … }", mistakes).and_then(|mut table| {
            let range = range(&mut table, (0, MAX_SIZE), mistakes);
            table.finish(mistakes);
            range
        });
        let range = range.unwrap_or(IntRange { min: 0, max: MAX_SIZE, step: 1 });
        sizes.push((Size { name: item.key.to_owned(), range }, item.key_span));
    }
    sizes
}

/// Takes a name, unless it cannot be one or is taken already, case ignored.
fn claim(name: &str, span: &Range<usize>, taken: &mut Vec<Taken>, mistakes: &mut Mistakes) {
    let at = |message: String, label: &str| Diagnostic::error(message).at(span.clone(), label);
    if !is_identifier(name) {
        let label = "expected a letter, then at most 63 letters, digits and `_`";
        mistakes.add(at(format!("`{}` cannot name a part of the input", name.escape_debug()), label));
    } else if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
        mistakes.add(at(format!("the name `{name}` is reserved"), "choose another"));
    } else if let Some(other) = taken.iter().find(|other| other.name.eq_ignore_ascii_case(name)) {
        let mistake = if other.name == name {
            at(format!("the name `{name}` is taken twice"), "taken again here")
        } else {
            at(format!("the names `{}` and `{name}` differ only in case", other.name), "here")
        };
        mistakes.add(mistake.at(other.span.clone(), "first taken here"));
    }
    taken.push(Taken { name: name.to_owned(), span: span.clone() });
}

/// `min`, `max` and `step` of a table, within the bounds given.
fn range(table: &mut Table<'_>, within: (i64, i64), mistakes: &mut Mistakes) -> Option<IntRange> {
    let min_item = table.need("min", "`min = …`");
    let max_item = table.need("max", "`max = …`");
    let step_item = table.take("step");
    let min = min_item.as_ref().and_then(|item| item.integer_in(within.0, within.1, mistakes));
    let max = max_item.as_ref().and_then(|item| item.integer_in(within.0, within.1, mistakes));
    let step = match &step_item {
        Some(item) => item.integer_in(1, i64::MAX, mistakes)?.unsigned_abs(),
        None => 1,
    };
    let (min, max, max_item) = (min?, max?, max_item?);
    if min > max {
        let mistake = max_item.mistake(format!("`min` is {min} and `max` only {max}"), "the smaller one");
        mistakes.add(mistake.at(min_item?.span, "the larger one"));
        return None;
    }
    let range = IntRange { min, max, step };
    if !range.contains(max) {
        let last = i128::from(max) - (i128::from(max) - i128::from(min)) % i128::from(step);
        let message = format!(
            "`max` is not a whole number of steps above `min`: {min} in steps of {step} misses {max}"
        );
        let mistake = max_item.mistake(message, format!("expected {last} or {}", last + i128::from(step)));
        mistakes.add(match step_item {
            Some(item) => mistake.at(item.span, "the step"),
            None => mistake,
        });
        return None;
    }
    Some(range)
}

/// Stands for a length that could not be read; no length that can be read is this one.
const UNKNOWN: Len = Len::Fixed(0);
const ANY: IntRange = IntRange { min: i64::MIN, max: i64::MAX, step: 1 };

fn field(
    mut table: Table<'_>,
    sizes: &[(Size, Range<usize>)],
    taken: &mut Vec<Taken>,
    mistakes: &mut Mistakes,
) -> Option<Field> {
    let name_item = table.need("name", "`name = \"…\"`");
    let kind = table.need("type", "`type = \"int\"` or `type = \"array\"`");
    let name = name_item.as_ref().and_then(|item| item.text("a name", mistakes));
    if let (Some(item), Some(name)) = (&name_item, name) {
        claim(name, &item.span, taken, mistakes);
        table.title = format!("the input `{name}`");
    }
    let shape = kind.and_then(|kind| shape(&kind, &mut table, sizes, mistakes));
    // Keys of a shape that is not known cannot be told right from wrong.
    if shape.is_some() {
        table.finish(mistakes);
    } else {
        table.finish_missing(mistakes);
    }
    Some(Field { name: name?.to_owned(), shape: shape? })
}

fn shape(
    kind: &Item<'_>,
    table: &mut Table<'_>,
    sizes: &[(Size, Range<usize>)],
    mistakes: &mut Mistakes,
) -> Option<Shape> {
    match kind.text("\"int\" or \"array\"", mistakes)? {
        "int" => Some(Shape::Int(range(table, (i64::MIN, i64::MAX), mistakes).unwrap_or(ANY))),
        "array" => {
            let len = table.need("len", "`len = \"n\"`, a size, or `len = 3`, always the same");
            let item = table.need("item", "`item = { type = \"int\", min = …, max = … }`");
            let len = len.and_then(|len| self::len(&len, sizes, mistakes));
            let item = item.and_then(|item| array_item(&item, mistakes)).unwrap_or(ANY);
            Some(Shape::Array { len: len.unwrap_or(UNKNOWN), item })
        }
        other if LATER.contains(&other) => {
            let mistake = kind.mistake(format!("the type `{other}` is planned, but not there yet"), "");
            mistakes.add(mistake.help("`int` and `array` are there"));
            None
        }
        other => {
            let near = nearest(other, SHAPES);
            let label = near.map_or(String::new(), |near| format!("did you mean \"{near}\"?"));
            let mistake = kind.mistake(format!("`{other}` is not a type of input"), label);
            mistakes.add(mistake.help("known: int, array"));
            None
        }
    }
}

fn len(item: &Item<'_>, sizes: &[(Size, Range<usize>)], mistakes: &mut Mistakes) -> Option<Len> {
    if !item.is_text() {
        let len = item.integer_in(1, MAX_SIZE, mistakes)?;
        return u32::try_from(len).ok().map(Len::Fixed);
    }
    let name = item.text("the name of a size", mistakes)?;
    if let Some(index) = sizes.iter().position(|(size, _)| size.name == name) {
        return Some(Len::Size(index));
    }
    let near = nearest(name, sizes.iter().map(|(size, _)| size.name.as_str()));
    let label = near.map_or("not in `[size]`".to_owned(), |near| format!("did you mean `{near}`?"));
    let mistake = item.mistake(format!("there is no size `{name}`"), label);
    mistakes.missing(mistake.help(format!("declare it: `[size]` with `{name} = {{ min = 1, max = … }}`")));
    None
}

fn array_item(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<IntRange> {
    let expected = "{ type = \"int\", min = …, max = … }";
    let mut table = item.table(format!("`{}`", item.path), expected, mistakes)?;
    let kind = table.need("type", "`type = \"int\"`");
    let Some(kind) = kind else {
        table.finish_missing(mistakes);
        return None;
    };
    match kind.text("\"int\"", mistakes)? {
        "int" => {
            let range = range(&mut table, (i64::MIN, i64::MAX), mistakes);
            table.finish(mistakes);
            range
        }
        other => {
            let message = format!("an array of `{other}` is not there yet");
            mistakes.add(kind.mistake(message, "expected \"int\""));
            None
        }
    }
}
