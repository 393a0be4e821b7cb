//! The input model: what an input looks like, declared once. Validator, generator, edge cases, coverage check,
//! shrinker, constraint table and function drivers all follow from it. Holds no values; see `input` for those.

use crate::problem::expr::Expr;

/// The declaration of an input: its sizes and its fields, in the order of the text and of the function's parameters.
#[derive(Clone, Debug, Default)]
pub struct InputModel {
    /// Named sizes, read from the input and shared by arrays.
    pub sizes: Vec<Size>,
    /// The fields, in order.
    pub fields: Vec<Field>,
    /// What bounds can't say.
    pub wheres: Vec<Where>,
}

/// A named size. In the text it stands on a line of its own before the first array that uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// The name, as in `n`.
    pub name: String,
    /// Its bounds; never negative, and `max` fits a `u32`.
    pub range: IntRange,
}

/// One field of the input, and one parameter of the function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name, as in `stoneValue`.
    pub name: String,
    /// What it holds.
    pub shape: Shape,
}

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One integer on a line of its own.
    Int(IntRange),
    /// Integers on one line, separated by single spaces.
    Array {
        /// How many.
        len: Len,
        /// The bounds of each.
        item: IntRange,
    },
}

/// The length of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Len {
    /// The size at this index of [`InputModel::sizes`].
    Size(usize),
    /// The same length always; nothing is written for it.
    Fixed(u32),
}

/// Whole numbers from `min` to `max`, both reached, in steps of `step` from `min`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntRange {
    /// The smallest value.
    pub min: i64,
    /// The largest value; a whole number of steps above `min`.
    pub max: i64,
    /// At least 1.
    pub step: u64,
}

/// A condition over the input, and how a generated value that breaks it is mended.
#[derive(Clone, Debug)]
pub struct Where {
    /// The condition; the validator reads only this.
    pub that: Expr,
    /// The condition as it was written, for messages.
    pub text: String,
    /// How to mend a generated value.
    pub repair: Option<Repair>,
}

/// Change one value of a field by an amount until the condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Index of the field in [`InputModel::fields`].
    pub field: usize,
    /// How far one repair step moves one value.
    pub by: i64,
}

impl std::fmt::Display for IntRange {
    /// As in `1 to 100` or `2 to 500 in steps of 2`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { min, max, step } = self;
        match step {
            _ if min == max => write!(f, "{min}"),
            1 => write!(f, "{min} to {max}"),
            _ => write!(f, "{min} to {max} in steps of {step}"),
        }
    }
}

impl IntRange {
    /// How many values the range holds.
    pub fn count(self) -> u128 {
        let width = i128::from(self.max) - i128::from(self.min);
        (width as u128) / u128::from(self.step) + 1
    }

    /// Whether `value` is in the range and on a step.
    pub fn contains(self, value: i64) -> bool {
        // The distance of two `i64` fits a `u64`; 128 bits would be slow where every value of an input passes.
        (self.min..=self.max).contains(&value)
            && (self.step == 1 || (value.wrapping_sub(self.min) as u64).is_multiple_of(self.step))
    }

    /// The value `index` steps above `min`.
    ///
    /// # Panics
    /// When `index` is not below [`IntRange::count`].
    pub fn nth(self, index: u128) -> i64 {
        assert!(index < self.count(), "index {index} is outside a range of {} values", self.count());
        (i128::from(self.min) + (index * u128::from(self.step)) as i128) as i64
    }

    /// The value of the range nearest to `value`; the smaller one when two are as near.
    pub fn nearest(self, value: i64) -> i64 {
        let clamped = i128::from(value.clamp(self.min, self.max));
        let offset = (clamped - i128::from(self.min)) as u128;
        let step = u128::from(self.step);
        let index = (offset + (step - 1) / 2) / step;
        self.nth(index.min(self.count() - 1))
    }
}

impl Shape {
    /// The bounds of the field's numbers.
    pub fn range(self) -> IntRange {
        match self {
            Self::Int(range) | Self::Array { item: range, .. } => range,
        }
    }
}

impl InputModel {
    /// The indices of the fields that are arrays of the size at `size`.
    pub fn arrays_of(&self, size: usize) -> impl Iterator<Item = usize> + '_ {
        self.fields.iter().enumerate().filter_map(move |(index, field)| match field.shape {
            Shape::Array { len: Len::Size(of), .. } if of == size => Some(index),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_count_in_steps_even_over_all_of_i64() {
        let even = IntRange { min: 2, max: 500, step: 2 };
        assert_eq!(even.count(), 250);
        assert!(even.contains(2) && even.contains(500) && !even.contains(3) && !even.contains(502));
        assert_eq!((even.nth(0), even.nth(249)), (2, 500));
        assert_eq!((even.nearest(3), even.nearest(-9), even.nearest(900), even.nearest(5)), (2, 2, 500, 4));
        let all = IntRange { min: i64::MIN, max: i64::MAX, step: 1 };
        assert_eq!(all.count(), 1 << 64);
        assert_eq!((all.nth(0), all.nth((1 << 64) - 1), all.nearest(-7)), (i64::MIN, i64::MAX, -7));
    }
}
