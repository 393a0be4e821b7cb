//! Arrays written by hand, in a small total language:
//!
//! | value | means |
//! |---|---|
//! | `[1, 2, "n - 1"]` | these numbers |
//! | `{ fill = 0, len = "n - 1" }` | one number, so many times |
//! | `{ concat = [{ fill = 0, len = 3 }, [7]] }` | values one after another |
//! | `{ repeat = [1, -1], times = 3 }` | a value, so many times |
//! | `{ repeat = [1, -1], len = "n" }` | a value over and over, cut at the length |
//! | `{ range = [1, "n"], step = 2 }` | from the first number to the second, both reached if the step allows; without `step` by 1 or -1 |
//!
//! A number is an integer, or an expression in quotes over the sizes and integers that the case gives itself.

use super::super::expr::{ExprError, Number};
use super::super::read::{Item, Mistakes, Table, powers};
use crate::diagnostic::Diagnostic;
use std::ops::Range;

/// How many values all cases of a problem may have together.
const MAX_VALUES: usize = 4_000_000;
/// How deep `concat` and `repeat` may be nested.
const MAX_DEPTH: usize = 16;

/// What an array may be.
const EXPECTED: &str = "an array, or { fill | concat | repeat | range = … }";

/// An array with the places in the source from which its values come.
pub(super) struct Built {
    pub(super) values: Vec<i64>,
    whole: Range<usize>,
    /// (index of the first value, place) in order: a place holds until the next begins.
    places: Vec<(usize, Range<usize>)>,
}

/// What values are built with.
pub(super) struct Builder<'s> {
    pub(super) source: &'s str,
    /// Names that expressions may use, with their values.
    pub(super) names: Vec<(String, i128)>,
    /// How many values may still be built.
    left: usize,
    depth: usize,
}

impl Built {
    /// A single number.
    pub(super) fn one(value: i64, place: Range<usize>) -> Self {
        Self { values: vec![value], whole: place, places: Vec::new() }
    }

    /// Values that come from the same place.
    fn all(values: Vec<i64>, item: &Item<'_>) -> Self {
        Self { values, whole: item.span.clone(), places: Vec::new() }
    }

    /// The place of all values together.
    pub(super) fn whole(&self) -> Range<usize> {
        self.whole.clone()
    }

    /// The place that the value at `index` comes from.
    pub(super) fn place(&self, index: usize) -> Range<usize> {
        let after = self.places.partition_point(|(first, _)| *first <= index);
        let found = after.checked_sub(1).map(|at| self.places[at].1.clone());
        found.unwrap_or_else(|| self.whole())
    }
}

impl<'s> Builder<'s> {
    pub(super) fn new(source: &'s str) -> Self {
        Self { source, names: Vec::new(), left: MAX_VALUES, depth: 0 }
    }

    /// An integer, or an expression over the names.
    pub(super) fn number(&self, item: &Item<'_>, mistakes: &mut Mistakes) -> Option<i64> {
        if !item.is_text() {
            return item.integer(mistakes);
        }
        let text = item.text("a number", mistakes)?;
        if powers(text).is_ok() {
            return item.integer(mistakes);
        }
        let names: Vec<&str> = self.names.iter().map(|(name, _)| name.as_str()).collect();
        let values: Vec<i128> = self.names.iter().map(|(_, value)| *value).collect();
        let number = match Number::parse(text, &names) {
            Ok(number) => number,
            Err(error) => {
                mistakes.add(expression_mistake(item, self.source, error));
                return None;
            }
        };
        match number.evaluate(&values).map(i64::try_from) {
            Ok(Ok(value)) => Some(value),
            Ok(Err(_)) => {
                mistakes.add(item.mistake(format!("the value of `{text}` does not fit in 64 bits"), ""));
                None
            }
            Err(error) => {
                mistakes.add(item.mistake(format!("`{text}` has no value: {error}"), ""));
                None
            }
        }
    }

    /// An array in any of its forms.
    pub(super) fn array(&mut self, item: &Item<'_>, mistakes: &mut Mistakes) -> Option<Built> {
        self.depth += 1;
        let built = if self.depth > MAX_DEPTH {
            mistakes.add(item.mistake(format!("nested more than {MAX_DEPTH} levels deep"), ""));
            None
        } else if item.is_array() {
            self.literal(item, mistakes)
        } else {
            item.table(format!("`{}`", item.path), EXPECTED, mistakes)
                .and_then(|table| self.form(item, table, mistakes))
        };
        self.depth -= 1;
        built
    }

    fn literal(&mut self, item: &Item<'_>, mistakes: &mut Mistakes) -> Option<Built> {
        let mut built = Built::all(Vec::new(), item);
        let elements = item.elements(EXPECTED, mistakes)?;
        self.spend(elements.len(), item, mistakes)?;
        let mut whole = true;
        for element in elements {
            if element.is_table() || element.is_array() {
                let mistake = element.mistake("an array of numbers holds something that is no number", "");
                mistakes.add(mistake.help("join arrays: { concat = [[1, 2], { fill = 0, len = 3 }] }"));
                whole = false;
                continue;
            }
            match self.number(&element, mistakes) {
                Some(value) => {
                    built.places.push((built.values.len(), element.span.clone()));
                    built.values.push(value);
                }
                None => whole = false,
            }
        }
        whole.then_some(built)
    }

    fn form(&mut self, item: &Item<'_>, mut table: Table<'_>, mistakes: &mut Mistakes) -> Option<Built> {
        let forms: Vec<Item<'_>> =
            ["fill", "concat", "repeat", "range"].into_iter().filter_map(|form| table.take(form)).collect();
        let [form] = forms.as_slice() else {
            let known = ["fill", "concat", "repeat", "range", "len", "times", "step"];
            known.into_iter().for_each(|key| drop(table.take(key)));
            table.finish(mistakes);
            let message = match forms.as_slice() {
                [] => "an array needs one of `fill`, `concat`, `repeat` and `range`".to_owned(),
                _ => "an array has only one of `fill`, `concat`, `repeat` and `range`".to_owned(),
            };
            mistakes.add(item.mistake(message, ""));
            return None;
        };
        let built = match form.key {
            "fill" => self.fill(form, &mut table, mistakes),
            "concat" => self.concat(form, mistakes),
            "repeat" => self.repeat(form, &mut table, mistakes),
            _ => self.range(form, &mut table, mistakes),
        };
        table.finish(mistakes);
        built
    }

    fn fill(&mut self, form: &Item<'_>, table: &mut Table<'_>, mistakes: &mut Mistakes) -> Option<Built> {
        let value = self.number(form, mistakes);
        let len = table.need("len", "`len = …`").and_then(|item| self.length(&item, mistakes));
        let (value, len) = (value?, len?);
        self.spend(len, form, mistakes)?;
        Some(Built::all(vec![value; len], form))
    }

    fn concat(&mut self, form: &Item<'_>, mistakes: &mut Mistakes) -> Option<Built> {
        let mut built = Some(Built::all(Vec::new(), form));
        for part in form.elements("a list of arrays", mistakes)? {
            let part = self.array(&part, mistakes);
            built = built.zip(part).map(|(mut built, part)| {
                let start = built.values.len();
                built.values.extend(part.values);
                if part.places.is_empty() {
                    built.places.push((start, part.whole));
                } else {
                    built.places.extend(part.places.into_iter().map(|(first, place)| (start + first, place)));
                }
                built
            });
        }
        built
    }

    fn repeat(&mut self, form: &Item<'_>, table: &mut Table<'_>, mistakes: &mut Mistakes) -> Option<Built> {
        let part = self.array(form, mistakes);
        let (times, len) = (table.take("times"), table.take("len"));
        let item = match (&times, &len) {
            (Some(item), None) | (None, Some(item)) => item,
            (Some(_), Some(len)) => {
                mistakes.add(len.mistake("`repeat` has either `times` or `len`", "one too many"));
                return None;
            }
            (None, None) => {
                let mistake = form.mistake("`repeat` needs `times` or `len`", "");
                mistakes
                    .add(mistake.help("{ repeat = [1, -1], times = 3 }, or len = \"n\" to cut at a length"));
                return None;
            }
        };
        let number = self.length(item, mistakes);
        let (part, number) = (part?, number?);
        let width = part.values.len();
        if len.is_some() && width == 0 && number > 0 {
            mistakes.add(form.mistake("an empty array cannot be repeated to a length", ""));
            return None;
        }
        let total = if len.is_some() { Some(number) } else { width.checked_mul(number) };
        let total = total.unwrap_or(usize::MAX);
        self.spend(total, form, mistakes)?;
        let values = part.values.into_iter().cycle().take(total).collect();
        Some(Built::all(values, form))
    }

    fn range(&mut self, form: &Item<'_>, table: &mut Table<'_>, mistakes: &mut Mistakes) -> Option<Built> {
        const RANGE: &str = "the first number and the last, as in [1, 10]";
        let step_item = table.take("step");
        let step = step_item.as_ref().map(|item| self.number(item, mistakes));
        let ends = form.elements(RANGE, mistakes)?;
        let [from, to] = ends.as_slice() else {
            mistakes.add(
                form.mistake(format!("`range` has {} numbers", ends.len()), format!("expected {RANGE}")),
            );
            return None;
        };
        let (from, to) = (self.number(from, mistakes), self.number(to, mistakes));
        let (from, to) = (i128::from(from?), i128::from(to?));
        let step = match step {
            Some(step) => i128::from(step?),
            None if from <= to => 1,
            None => -1,
        };
        if step == 0 || (to - from).signum() * step.signum() < 0 {
            let item = step_item.as_ref().unwrap_or(form);
            let message = format!("steps of {step} never lead from {from} to {to}");
            mistakes.add(item.mistake(message, ""));
            return None;
        }
        let count = usize::try_from((to - from) / step + 1).unwrap_or(usize::MAX);
        self.spend(count, form, mistakes)?;
        let value = |index: usize| i64::try_from(from + index as i128 * step).ok();
        let values = (0..count).map(value).collect::<Option<Vec<i64>>>()?;
        Some(Built::all(values, form))
    }

    fn length(&self, item: &Item<'_>, mistakes: &mut Mistakes) -> Option<usize> {
        let value = self.number(item, mistakes)?;
        let len = usize::try_from(value).ok();
        if len.is_none() {
            mistakes.add(item.mistake(format!("a length cannot be negative: {value}"), ""));
        }
        len
    }

    fn spend(&mut self, values: usize, item: &Item<'_>, mistakes: &mut Mistakes) -> Option<()> {
        match self.left.checked_sub(values) {
            Some(left) => self.left = left,
            None => {
                let message = format!("the cases together have more than {MAX_VALUES} values");
                mistakes.add(item.mistake(message, "too many here"));
                return None;
            }
        }
        Some(())
    }
}

/// A mistake in an expression, at its column in the source.
pub(super) fn expression_mistake(item: &Item<'_>, source: &str, error: ExprError) -> Diagnostic {
    let column = error.span.start + 1;
    let place = item.place(source, error.span);
    let exact = place != item.span;
    let message =
        if exact { error.message } else { format!("{} (column {column} of the text)", error.message) };
    let mistake = Diagnostic::error(message).at(place, "");
    match error.help {
        Some(help) => mistake.help(help),
        None => mistake,
    }
}
