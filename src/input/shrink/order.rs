//! Which of two inputs is the smaller one, and the step that only puts values in order.

use super::{FINE_LEN, Search};
use crate::input::{Input, Value, render};
use crate::problem::InputModel;

/// What makes an input small, but for its text, which is only looked at when all this is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// Numbers in arrays.
    len: usize,
    /// Sum of the magnitudes of all numbers.
    magnitude: u128,
    /// How many numbers are negative.
    negatives: usize,
}

impl Rank {
    pub(super) fn of(input: &Input) -> Self {
        let mut rank = Self { len: 0, magnitude: 0, negatives: 0 };
        for value in &input.values {
            let items = match value {
                Value::Int(item) => std::slice::from_ref(item),
                Value::Array(items) => {
                    rank.len += items.len();
                    items.as_slice()
                }
            };
            rank.magnitude += items.iter().map(|item| u128::from(item.unsigned_abs())).sum::<u128>();
            rank.negatives += items.iter().filter(|item| **item < 0).count();
        }
        rank
    }

    /// Whether `input` with this rank is smaller than `other` with its.
    pub(super) fn is_smaller(&self, input: &Input, rank: &Self, other: &Input, model: &InputModel) -> bool {
        self.cmp(rank).then_with(|| text(model, input).cmp(&text(model, other))).is_lt()
    }
}

fn text(model: &InputModel, input: &Input) -> Vec<u8> {
    let mut text = Vec::new();
    render(model, input, &mut text);
    text
}

impl Search<'_> {
    /// Lets neighbours change places where that makes the text smaller.
    pub(super) fn sort(&mut self) {
        for field in 0..self.model.fields.len() {
            let mut index = 1;
            while let Value::Array(items) = &self.best.values[field]
                && items.len() <= FINE_LEN
                && index < items.len()
            {
                let moved = self.attempt_change(field, |value| {
                    if let Value::Array(items) = value {
                        items.swap(index - 1, index);
                    }
                });
                // What moved forward may move further.
                index = if moved && index > 1 { index - 1 } else { index + 1 };
            }
        }
    }
}
