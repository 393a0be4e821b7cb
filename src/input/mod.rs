//! An input as values: rendered to text, read back by the strict validator, measured for coverage, shrunk.
//! Knows the model; never makes a value by chance (that is `generate`) and never touches a file.

pub mod coverage;
mod digits;
#[cfg(test)]
mod properties;
mod render;
pub mod shrink;
mod validate;

use crate::problem::{InputModel, Len, Shape};
pub use render::render;
pub use validate::{Violation, validate};

/// One input: a value for each field of the model, in order. The sizes are the lengths of the arrays.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Input {
    /// A value for each field of the model.
    pub values: Vec<Value>,
}

/// The value of one field.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Of a [`Shape::Int`](crate::problem::Shape::Int).
    Int(i64),
    /// Of a [`Shape::Array`](crate::problem::Shape::Array).
    Array(Vec<i64>),
}

impl Value {
    /// How many numbers the value holds: 1 for an integer.
    pub fn count(&self) -> usize {
        match self {
            Self::Int(_) => 1,
            Self::Array(items) => items.len(),
        }
    }
}

impl Input {
    /// The value of the size at `size` of the model: the length of the first array that has it, 0 when none has.
    pub fn size(&self, model: &InputModel, size: usize) -> usize {
        let first = model.arrays_of(size).next();
        first.and_then(|field| self.values.get(field)).map_or(0, Value::count)
    }

    /// What of the model's bounds this input breaks first, in the order of the model: lengths, values, then
    /// conditions. For inputs made by hand or by a generator; a text is checked by [`validate()`] instead.
    ///
    /// # Errors
    /// The first thing that does not fit, in words.
    pub fn fits(&self, model: &InputModel) -> Result<(), Unfit> {
        if self.values.len() != model.fields.len() {
            return Err(Unfit::Fields { found: self.values.len(), expected: model.fields.len() });
        }
        for (field, value) in self.values.iter().enumerate() {
            self.fits_field(model, field, value)?;
        }
        Ok(())
    }

    fn fits_field(&self, model: &InputModel, field: usize, value: &Value) -> Result<(), Unfit> {
        let (range, items) = match (model.fields[field].shape, value) {
            (Shape::Int(range), Value::Int(item)) => (range, std::slice::from_ref(item)),
            (Shape::Array { len, item }, Value::Array(items)) => {
                let expected = match len {
                    Len::Fixed(len) => len as usize,
                    Len::Size(size) => self.size(model, size),
                };
                let too_odd =
                    matches!(len, Len::Size(size) if !model.sizes[size].range.contains(items.len() as i64));
                if items.len() != expected || too_odd {
                    return Err(Unfit::Length { field, found: items.len(), expected });
                }
                (item, items.as_slice())
            }
            _ => return Err(Unfit::Kind { field }),
        };
        match items.iter().position(|item| !range.contains(*item)) {
            Some(index) => Err(Unfit::Value { field, index, found: items[index] }),
            None => Ok(()),
        }
    }
}

/// The first thing in an input that does not fit its model. Indices count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// Too few or too many fields.
    Fields {
        /// How many there are.
        found: usize,
        /// How many the model has.
        expected: usize,
    },
    /// An integer where an array belongs, or the other way round.
    Kind {
        /// Index of the field.
        field: usize,
    },
    /// An array's length differs from that of another array of the same size, or is outside the size's bounds.
    Length {
        /// Index of the field.
        field: usize,
        /// Its length.
        found: usize,
        /// The length of the first array of that size, or the fixed length.
        expected: usize,
    },
    /// A number is outside its bounds or off its step.
    Value {
        /// Index of the field.
        field: usize,
        /// Index of the value in the field.
        index: usize,
        /// The number.
        found: i64,
    },
}
