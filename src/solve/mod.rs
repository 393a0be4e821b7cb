//! Trusted answers. A built-in solver computes them with the best known algorithm, and each is kept beside an
//! independent brute force that follows the statement's own words. Never looks at a submission.
//!
//! To add a problem: one file with a `pub(super) const SOLVER: Solver`, one `mod` line and one line in [`ALL`].

#[cfg(test)]
mod agreement;
mod answers;
mod pool;
mod program;
mod stone_game;
mod stone_game_ii;
mod stone_game_iii;
mod stone_game_iv;
mod stone_game_ix;
mod stone_game_v;
mod stone_game_vi;
mod stone_game_vii;
mod stone_game_viii;

pub use answers::{Answers, AnswersError, Runner};
pub(crate) use pool::Pool;
pub use program::{SolveError, TrustedProgram};

use crate::input::{Input, Value};
use crate::problem::{InputModel, Shape};

/// A trusted solver with its brute force.
#[derive(Debug)]
pub struct Solver {
    /// As `[answer] solver` names it.
    pub name: &'static str,
    /// The fields it reads, in order.
    pub fields: &'static [Field],
    /// The answer's text, without a line break at its end. Only for inputs of a model that it [`fits`](Solver::fits).
    pub solve: fn(&Input) -> String,
    /// The same from the definition alone, in exponential time.
    pub brute: fn(&Input) -> String,
    /// The largest input, counted in values, that `brute` answers in well under a second.
    pub brute_size: usize,
}

/// A field that a solver reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// One integer.
    Int,
    /// An array of integers.
    Array,
}

/// Every built-in solver, by name.
pub const ALL: &[&Solver] = &[
    &stone_game::SOLVER,
    &stone_game_ii::SOLVER,
    &stone_game_iii::SOLVER,
    &stone_game_iv::SOLVER,
    &stone_game_v::SOLVER,
    &stone_game_vi::SOLVER,
    &stone_game_vii::SOLVER,
    &stone_game_viii::SOLVER,
    &stone_game_ix::SOLVER,
];

/// The solver of this name.
pub fn built_in(name: &str) -> Option<&'static Solver> {
    ALL.iter().copied().find(|solver| solver.name == name)
}

/// The total over an input's values must stay below this, so that no solver's sums overflow an `i64`.
const MAX_TOTAL: u128 = 1 << 62;

impl Solver {
    /// Whether inputs of `model` are what this solver reads.
    ///
    /// # Errors
    /// What it expects instead, for a message about `[answer] solver`.
    pub fn fits(&self, model: &InputModel) -> Result<(), String> {
        let same = |(field, shape): (&Field, &Shape)| {
            matches!((field, shape), (Field::Int, Shape::Int(_)) | (Field::Array, Shape::Array { .. }))
        };
        let shapes: Vec<&Shape> = model.fields.iter().map(|field| &field.shape).collect();
        if shapes.len() != self.fields.len() || !self.fields.iter().zip(shapes).all(same) {
            let kinds: Vec<&str> = self
                .fields
                .iter()
                .map(|field| match field {
                    Field::Int => "an int",
                    Field::Array => "an array",
                })
                .collect();
            return Err(format!("the solver `{}` reads {}", self.name, kinds.join(" and ")));
        }
        if total(model) >= MAX_TOTAL {
            return Err(format!("the solver `{}` needs sums of values below 2^62", self.name));
        }
        Ok(())
    }
}

/// The largest sum of absolute values that an input of `model` can have.
fn total(model: &InputModel) -> u128 {
    let largest =
        |range: &crate::problem::IntRange| u128::from(range.min.unsigned_abs().max(range.max.unsigned_abs()));
    let of = |shape: &Shape| match shape {
        Shape::Int(range) => largest(range),
        Shape::Array { len, item } => {
            let longest = match len {
                crate::problem::Len::Size(size) => model.sizes[*size].range.max.unsigned_abs(),
                crate::problem::Len::Fixed(len) => u64::from(*len),
            };
            u128::from(longest) * largest(item)
        }
    };
    model.fields.iter().map(|field| of(&field.shape)).sum()
}

/// The array at `field`; empty when the input has another shape, which [`Solver::fits`] rules out.
fn array(input: &Input, field: usize) -> &[i64] {
    match input.values.get(field) {
        Some(Value::Array(values)) => values,
        _ => &[],
    }
}
