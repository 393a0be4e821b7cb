//! The language of `where`: small, total, in `i128`, with overflow an error. Evaluates values, never runs programs.
//!
//! ```text
//! sum(piles) % 2 == 1            names are sizes and fields; arithmetic is + - * / %
//! a[0] < a[n - 1]                indices count from 0; comparisons are < <= > >= == !=
//! distinct(a) and not sorted(b)  no value twice; never decreasing
//! count(a, 0) <= 3               how often a value occurs
//! min(a) >= 0 or max(k, n) == 7  of an array, or of several integers
//! all(i in 0..n: a[i] <= b[i])   also any, count and sum; the end is left out, and an empty range is true, false, 0, 0
//! ```
//!
//! Division rounds down and a remainder has the sign of its divisor, so that `% 2` is 0 or 1 for negative sums too.
//! Types are checked when the text is read; what can still fail is overflow, division by zero, an index outside its
//! array, `min` or `max` of nothing, and more than [`MAX_STEPS`] steps.

mod evaluate;
mod parse;
mod token;

use super::model::{InputModel, Shape};
use crate::input::{Input, Value};
use evaluate::{Evaluation, Slot};
use std::ops::Range;

/// The longest condition that is read, in bytes.
pub const MAX_TEXT_BYTES: usize = 2000;
/// How deep parentheses, calls and `not` may be nested.
pub const MAX_DEPTH: usize = 50;
/// How many values and operations one evaluation may look at.
pub const MAX_STEPS: u64 = 20_000_000;

/// A parsed condition over an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    root: parse::Bool,
    /// The slots that the condition reads, in the order of the text.
    slots: Vec<usize>,
    sizes: usize,
}

/// A parsed integer over named integers, as the lengths in a `[[case]]` are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    root: parse::Int,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer.
    Int,
    /// An array of integers.
    Array,
}

/// Why a text is no condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {}: {message}", span.start + 1)]
pub struct ExprError {
    /// Where, in bytes of the text.
    pub span: Range<usize>,
    /// What was found and what was expected.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Why a condition has no value for an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// A number left 128 bits.
    #[error("a number grows beyond 128 bits")]
    Overflow,
    /// A division or a remainder by zero.
    #[error("a division by zero")]
    DivisionByZero,
    /// An index outside its array.
    #[error("the index {index} is outside an array of {len}")]
    Index {
        /// The index.
        index: i128,
        /// The length of the array.
        len: usize,
    },
    /// `min` or `max` of an array without values.
    #[error("the least or greatest value of an empty array")]
    Empty,
    /// More than [`MAX_STEPS`] steps.
    #[error("it takes more than {MAX_STEPS} steps")]
    TooLong,
}

impl Expr {
    /// Reads a condition whose names are the sizes and fields of `model`.
    ///
    /// # Errors
    /// The first mistake in the text.
    pub fn parse(text: &str, model: &InputModel) -> Result<Self, ExprError> {
        let sizes = model.sizes.iter().map(|size| (size.name.as_str(), Kind::Int));
        let fields = model.fields.iter().map(|field| match field.shape {
            Shape::Int(_) => (field.name.as_str(), Kind::Int),
            Shape::Array { .. } => (field.name.as_str(), Kind::Array),
        });
        let names: Vec<_> = sizes.chain(fields).collect();
        let (root, slots) = parse::condition(text, &names)?;
        Ok(Self { root, slots, sizes: model.sizes.len() })
    }

    /// Whether the condition holds for an input of the model that it was read for.
    ///
    /// # Errors
    /// When the condition has no value for this input.
    pub fn holds(&self, model: &InputModel, input: &Input) -> Result<bool, EvalError> {
        let sizes = (0..model.sizes.len()).map(|size| Slot::Int(input.size(model, size) as i128));
        let fields = input.values.iter().map(|value| match value {
            Value::Int(value) => Slot::Int((*value).into()),
            Value::Array(items) => Slot::Array(items),
        });
        let slots: Vec<_> = sizes.chain(fields).collect();
        Evaluation::new(&slots).bool(&self.root)
    }

    /// The index of the first field that the condition names, if it names any.
    pub fn first_field(&self) -> Option<usize> {
        self.slots.iter().find_map(|slot| slot.checked_sub(self.sizes))
    }
}

impl Number {
    /// Reads an integer whose names are those given.
    ///
    /// # Errors
    /// The first mistake in the text.
    pub fn parse(text: &str, names: &[&str]) -> Result<Self, ExprError> {
        let names: Vec<_> = names.iter().map(|name| (*name, Kind::Int)).collect();
        Ok(Self { root: parse::number(text, &names)? })
    }

    /// Its value when the names have these values, in the order in which they were given to [`Number::parse`].
    ///
    /// # Errors
    /// When it has no value.
    pub fn evaluate(&self, values: &[i128]) -> Result<i128, EvalError> {
        let slots: Vec<_> = values.iter().map(|value| Slot::Int(*value)).collect();
        Evaluation::new(&slots).int(&self.root)
    }
}

#[cfg(test)]
mod tests;
