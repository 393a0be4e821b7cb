//! From sizes and fills to an input of the model: values first, then the conditions, mended where the setter says how
//! and else drawn again. Never gives out an input that breaks a condition.

use super::GenerateError;
use super::fill::Fill;
use super::rng::Rng;
use crate::input::{Input, Value};
use crate::problem::model::{Repair, Where};
use crate::problem::{InputModel, IntRange, Len, Shape};

/// What an input is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    /// A value for each size of the model.
    pub(super) sizes: Vec<u32>,
    /// How each field is filled.
    pub(super) fills: Vec<Fill>,
}

/// A condition that accepts fewer than one draw in so many needs a repair.
const RAREST: u32 = 100;

/// Draws before it is said that a condition is too rare: at one in [`RAREST`], being unlucky for so long has a chance
/// of about 10^-9.
const MAX_DRAWS: u32 = 2000;

/// A repair moves a value step by step so many times each way, at so many places of an array.
const REPAIR_STEPS: i64 = 64;
/// See [`REPAIR_STEPS`].
const REPAIR_PLACES: u64 = 4;

/// How often all conditions are gone through, since mending one may break another.
const REPAIR_ROUNDS: usize = 8;

/// Draws until an input meets the conditions.
#[derive(Debug, Default)]
pub(super) struct Acceptance {
    draws: u32,
    accepted: u32,
}

impl Acceptance {
    /// An input from a draft of its own for each try.
    ///
    /// # Errors
    /// When a condition can't be evaluated, or accepts less than one draw in a hundred.
    pub(super) fn draw(
        &mut self,
        model: &InputModel,
        rng: &mut Rng,
        draft: &mut dyn FnMut(&mut Rng) -> Draft,
    ) -> Result<Input, GenerateError> {
        for _ in 0..MAX_DRAWS {
            let made = draft(rng).make(model, rng);
            self.draws += 1;
            match mended(model, made, rng)? {
                Ok(input) => {
                    self.accepted += 1;
                    return Ok(input);
                }
                Err(condition) if self.draws >= MAX_DRAWS && self.accepted < self.draws / RAREST => {
                    return Err(too_rare(condition, self));
                }
                Err(_) => {}
            }
        }
        // Not one of so many draws, though earlier ones fared better.
        Err(GenerateError::TooRare { text: texts(model), accepted: self.accepted, draws: self.draws })
    }
}

fn too_rare(condition: &Where, acceptance: &Acceptance) -> GenerateError {
    GenerateError::TooRare {
        text: condition.text.clone(),
        accepted: acceptance.accepted,
        draws: acceptance.draws,
    }
}

fn texts(model: &InputModel) -> String {
    model.wheres.iter().map(|condition| condition.text.as_str()).collect::<Vec<_>>().join(" and ")
}

impl Draft {
    /// The input as it is drafted, whether or not the conditions hold.
    fn make(&self, model: &InputModel, rng: &mut Rng) -> Input {
        let value = |(shape, fill): (&Shape, &Fill)| match *shape {
            Shape::Int(range) => Value::Int(fill.values(range, 1, rng).first().copied().unwrap_or(range.min)),
            Shape::Array { len, item } => {
                let len = match len {
                    Len::Size(size) => self.sizes[size],
                    Len::Fixed(len) => len,
                };
                Value::Array(fill.values(item, len as usize, rng))
            }
        };
        let shapes = model.fields.iter().map(|field| &field.shape);
        Input { values: shapes.zip(&self.fills).map(value).collect() }
    }

    /// The one input of this draft, mended if need be; `None` when a condition forbids it.
    ///
    /// # Errors
    /// When a condition can't be evaluated.
    pub(super) fn once(&self, model: &InputModel, rng: &mut Rng) -> Result<Option<Input>, GenerateError> {
        let made = self.make(model, rng);
        Ok(mended(model, made, rng)?.ok())
    }
}

/// The input with every condition made to hold, or the condition that would not.
fn mended<'a>(
    model: &'a InputModel,
    mut input: Input,
    rng: &mut Rng,
) -> Result<Result<Input, &'a Where>, GenerateError> {
    for _ in 0..REPAIR_ROUNDS {
        let Some(broken) = broken(model, &input)? else { return Ok(Ok(input)) };
        let Some(repair) = broken.repair else { return Ok(Err(broken)) };
        if !mend(model, &mut input, broken, repair, rng)? {
            return Ok(Err(broken));
        }
    }
    Ok(broken(model, &input)?.map_or(Ok(input), Err))
}

/// The first condition that does not hold.
pub(super) fn broken<'a>(model: &'a InputModel, input: &Input) -> Result<Option<&'a Where>, GenerateError> {
    for condition in &model.wheres {
        if !holds(model, condition, input)? {
            return Ok(Some(condition));
        }
    }
    Ok(None)
}

fn holds(model: &InputModel, condition: &Where, input: &Input) -> Result<bool, GenerateError> {
    condition
        .that
        .holds(model, input)
        .map_err(|error| GenerateError::Condition { text: condition.text.clone(), error: error.to_string() })
}

/// Moves one value step by step until the condition holds: up first, then down, then the same elsewhere. Leaves the
/// input as it was when that does not help.
fn mend(
    model: &InputModel,
    input: &mut Input,
    condition: &Where,
    repair: Repair,
    rng: &mut Rng,
) -> Result<bool, GenerateError> {
    let range = match model.fields[repair.field].shape {
        Shape::Int(range) => range,
        Shape::Array { item, .. } => item,
    };
    let places = input.values[repair.field].count() as u64;
    if places == 0 {
        return Ok(false);
    }
    let start = rng.below(places);
    for place in (0..places.min(REPAIR_PLACES)).map(|next| ((start + next) % places) as usize) {
        let original = *at(input, repair.field, place);
        for by in [repair.by, repair.by.saturating_neg()] {
            for moved in moves(original, by, range) {
                *at(input, repair.field, place) = moved;
                if holds(model, condition, input)? {
                    return Ok(true);
                }
            }
        }
        *at(input, repair.field, place) = original;
    }
    Ok(false)
}

/// The values that steps of `by` lead to from `start` without leaving the range: one by one at first, as a remainder
/// needs, then twice as far each time, as a threshold may.
fn moves(start: i64, by: i64, range: IntRange) -> impl Iterator<Item = i64> {
    let doubling = std::iter::successors(Some(REPAIR_STEPS), |times| times.checked_mul(2)).skip(1);
    (1..=REPAIR_STEPS)
        .chain(doubling)
        .map_while(move |times| start.checked_add(by.checked_mul(times)?))
        .take_while(move |value| (range.min..=range.max).contains(value))
        .filter(move |value| range.contains(*value))
}

fn at(input: &mut Input, field: usize, place: usize) -> &mut i64 {
    match &mut input.values[field] {
        Value::Int(value) => value,
        Value::Array(items) => &mut items[place],
    }
}
