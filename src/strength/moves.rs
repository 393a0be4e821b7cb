//! Steps from one input of a model to another near it, at random but by a seed: values that meet bounds and each
//! other, arrays that grow, repeat and turn round. Pure. What breaks a condition is mended or not made.

use crate::generate::rng::Rng;
use crate::input::{Input, Value, shrink};
use crate::problem::{InputModel, IntRange, Len, Shape};

/// Steps made at once at most.
const MAX_STEPS: u64 = 4;
/// Tries until a step is in the model.
const TRIES: usize = 8;
/// A search grows inputs no further than this by single steps, so that asking about one stays cheap.
const MAX_GROWN: usize = 4000;

/// An input a few steps away; `None` when none of some tries was in the model.
pub(super) fn near(model: &InputModel, input: &Input, rng: &mut Rng) -> Option<Input> {
    for _ in 0..TRIES {
        let mut other = input.clone();
        for _ in 0..=rng.below(MAX_STEPS) {
            step(model, &mut other, rng);
        }
        if other != *input && shrink::mended(model, &mut other) {
            return Some(other);
        }
    }
    None
}

/// Halfway between two inputs of the same sizes; `None` when they have others, or there is nothing between them.
pub(super) fn between(model: &InputModel, one: &Input, other: &Input) -> Option<Input> {
    let half = |range: IntRange, one: i64, other: i64| {
        let half = i128::midpoint(i128::from(one), i128::from(other));
        range.nearest(i64::try_from(half).unwrap_or(one))
    };
    let mut between = one.clone();
    for ((field, value), other) in model.fields.iter().zip(&mut between.values).zip(&other.values) {
        match (value, other, field.shape) {
            (Value::Int(item), Value::Int(other), Shape::Int(range)) => *item = half(range, *item, *other),
            (Value::Array(items), Value::Array(others), Shape::Array { item: range, .. })
                if items.len() == others.len() =>
            {
                for (item, other) in items.iter_mut().zip(others) {
                    *item = half(range, *item, *other);
                }
            }
            _ => return None,
        }
    }
    (between != *one && between != *other && shrink::mended(model, &mut between)).then_some(between)
}

fn step(model: &InputModel, input: &mut Input, rng: &mut Rng) {
    if !model.sizes.is_empty() && rng.below(2) == 0 {
        let size = rng.below(model.sizes.len() as u64) as usize;
        return lengths(model, size, input, rng);
    }
    let field = rng.below(model.fields.len() as u64) as usize;
    match (&mut input.values[field], model.fields[field].shape) {
        (Value::Int(item), Shape::Int(range)) => *item = number(range, *item, None, rng),
        (Value::Array(items), Shape::Array { item, .. }) if !items.is_empty() => values(item, items, rng),
        _ => {}
    }
}

/// Changes all arrays of one size in step, within the bounds of the size.
fn lengths(model: &InputModel, size: usize, input: &mut Input, rng: &mut Rng) {
    let range = model.sizes[size].range;
    let len = input.size(model, size);
    if len == 0 {
        return;
    }
    let start = rng.below(len as u64) as usize;
    let block = 1 + rng.below((len - start) as u64) as usize;
    let kind = rng.below(5);
    let (seed, at) = (rng.bits(), rng.below(len as u64 + 1) as usize);
    let change = |items: &mut Vec<i64>| match kind {
        // A block again, right behind itself; the whole row twice; a block less; backwards; another start.
        0 => {
            let again = items[start..start + block].to_vec();
            items.splice(start..start, again);
        }
        1 => items.extend_from_within(..),
        2 => drop(items.drain(start..start + block)),
        3 => items[start..start + block].reverse(),
        _ => items.rotate_left(at % len),
    };
    let mut grown = input.clone();
    for field in model.arrays_of(size) {
        let Value::Array(items) = &mut grown.values[field] else { continue };
        change(items);
        // Back onto a length that the size may have.
        let fitting = fitting(range, items.len());
        let Shape::Array { item, .. } = model.fields[field].shape else { continue };
        while items.len() < fitting {
            let other = items.get(seed as usize % items.len().max(1)).copied();
            items.push(other.unwrap_or_else(|| item.nearest(0)));
        }
        items.truncate(fitting);
    }
    let shapes_hold =
        model.fields.iter().zip(&grown.values).all(|(field, value)| match (field.shape, value) {
            (Shape::Array { len: Len::Fixed(len), .. }, Value::Array(items)) => items.len() == len as usize,
            _ => true,
        });
    if shapes_hold && (grown.size(model, size) <= MAX_GROWN.max(len)) {
        *input = grown;
    }
}

/// The length that the size may have which is nearest to `len`.
fn fitting(range: IntRange, len: usize) -> usize {
    let nearest = range.nearest(i64::try_from(len).unwrap_or(i64::MAX));
    usize::try_from(nearest).unwrap_or(0)
}

fn values(range: IntRange, items: &mut [i64], rng: &mut Rng) {
    let at = rng.below(items.len() as u64) as usize;
    let neighbour = items[if at > 0 { at - 1 } else { items.len() - 1 }];
    let value = number(range, items[at], Some(neighbour), rng);
    match rng.below(4) {
        // A run of one value, or one value alone.
        0 => {
            let end = at + 1 + rng.below((items.len() - at) as u64) as usize;
            items[at..end].fill(value);
        }
        1 => {
            let other = rng.below(items.len() as u64) as usize;
            items.swap(at, other);
        }
        _ => items[at] = value,
    }
}

/// A number near `from`, or at a place where programs differ.
fn number(range: IntRange, from: i64, neighbour: Option<i64>, rng: &mut Rng) -> i64 {
    let wanted = match rng.below(9) {
        0 => range.min,
        1 => range.max,
        2 => 0,
        3 => from.saturating_add(i64::try_from(range.step).unwrap_or(i64::MAX)),
        4 => from.saturating_sub(i64::try_from(range.step).unwrap_or(i64::MAX)),
        5 => from.saturating_mul(2),
        6 => from / 2,
        7 => neighbour.unwrap_or(from),
        _ => return range_pick(range, rng),
    };
    range.nearest(wanted)
}

fn range_pick(range: IntRange, rng: &mut Rng) -> i64 {
    rng.pick(range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::rng::Key;

    #[test]
    fn every_step_stays_in_the_model_and_is_the_same_again() {
        for (slug, text) in [
            ("stone-game", include_str!("../../problems/stone-game/problem.toml")),
            ("stone-game-iv", include_str!("../../problems/stone-game-iv/problem.toml")),
            ("stone-game-vi", include_str!("../../problems/stone-game-vi/problem.toml")),
        ] {
            let problem = crate::problem::parse(slug, text).0.unwrap();
            let mut rngs = [0, 0].map(|_| Key::of_test(slug, "moves", "test", 1).stream(0));
            let mut input = problem.samples[0].input.clone();
            for _ in 0..300 {
                let [one, two] = rngs.each_mut().map(|rng| near(&problem.model, &input, rng));
                assert_eq!(one, two);
                let Some(other) = one else { continue };
                assert_eq!(other.fits(&problem.model), Ok(()));
                input = other;
            }
        }
    }
}
