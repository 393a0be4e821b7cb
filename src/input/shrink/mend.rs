//! Brings an input back into the model after a step, or says that it can't.

use crate::input::{Input, Value};
use crate::problem::{InputModel, IntRange, Repair, Shape};

/// How far a repair moves one value, in its own steps, to each side.
const MAX_REPAIR_STEPS: i64 = 8;
/// How many places of an array a repair tries: the first ones.
const MAX_REPAIR_PLACES: usize = 16;

/// Whether `input` is in the model, after its broken conditions were mended where that is possible.
pub(super) fn mend(model: &InputModel, input: &mut Input) -> bool {
    if input.fits(model).is_err() {
        return false;
    }
    for condition in &model.wheres {
        // A condition without a value is broken.
        if condition.that.holds(model, input).unwrap_or(false) {
            continue;
        }
        let Some(repair) = condition.repair else { return false };
        let holds = |input: &Input| condition.that.holds(model, input).unwrap_or(false);
        if !repair_one(model, input, repair, &holds) {
            return false;
        }
    }
    // A repair may have broken a condition before it.
    model.wheres.iter().all(|condition| condition.that.holds(model, input).unwrap_or(false))
}

/// Moves one value by a few steps, the nearest first, until `holds`.
fn repair_one(model: &InputModel, input: &mut Input, repair: Repair, holds: &dyn Fn(&Input) -> bool) -> bool {
    let range = match model.fields[repair.field].shape {
        Shape::Int(range) | Shape::Array { item: range, .. } => range,
    };
    let places = input.values[repair.field].count().min(MAX_REPAIR_PLACES);
    for steps in 1..=MAX_REPAIR_STEPS {
        for by in [repair.by.saturating_mul(-steps), repair.by.saturating_mul(steps)] {
            for place in 0..places {
                let original = *item(&mut input.values[repair.field], place);
                let moved = original.saturating_add(by);
                if !in_range(range, moved) {
                    continue;
                }
                *item(&mut input.values[repair.field], place) = moved;
                if holds(input) {
                    return true;
                }
                *item(&mut input.values[repair.field], place) = original;
            }
        }
    }
    false
}

fn in_range(range: IntRange, value: i64) -> bool {
    range.contains(value)
}

fn item(value: &mut Value, place: usize) -> &mut i64 {
    match value {
        Value::Int(item) => item,
        Value::Array(items) => &mut items[place],
    }
}
