//! The family `exhaustive`: every input of the smallest sizes over the values of the smallest magnitudes, packed. A wrong
//! rule, a wrong base case, a greedy choice: most faults show on few small numbers, and none of those gets past all of them.

use super::draft::broken;
use super::{GenerateError, MAX_PACK};
use crate::input::{Input, Value};
use crate::problem::{InputModel, IntRange, Len, Shape};

/// How many inputs the family holds unless the problem says otherwise.
const BUDGET: u32 = 4000;

/// One combination of sizes takes at most this part of the budget, so that several get their turn.
const SHARE: u128 = 5;

/// No number takes more different values, where there are several.
const MOST_VALUES: u128 = 21;

/// An input of more numbers is not small, even if each of them can take one value only.
const MAX_CELLS: u64 = 64;

/// All inputs of some sizes over a few values, numbered from 0 to `count`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Class {
    /// A value for each size of the model.
    sizes: Vec<u32>,
    /// How many values each number takes at most.
    values: u128,
    /// How many inputs there are.
    count: u64,
}

/// A pack: some inputs of some classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pack {
    /// As in `n=1..4`; empty when there is nothing to tell.
    pub(super) label: String,
    /// Classes with the numbers of their inputs.
    parts: Vec<(Class, std::ops::Range<u64>)>,
}

/// The packs of the family, in order.
pub(super) fn packs(model: &InputModel, budget: Option<u32>) -> Vec<Pack> {
    let budget = u128::from(budget.unwrap_or(BUDGET));
    let mut packs: Vec<Pack> = Vec::new();
    let mut room = 0;
    for class in classes(model, budget) {
        let mut next = 0;
        // A class that does not fit beside the others begins a pack of its own; one that fits no pack is cut.
        if class.count > room {
            room = 0;
        }
        while next < class.count {
            if room == 0 {
                packs.push(Pack { label: String::new(), parts: Vec::new() });
                room = MAX_PACK as u64;
            }
            let taken = room.min(class.count - next);
            if let Some(pack) = packs.last_mut() {
                pack.parts.push((class.clone(), next..next + taken));
            }
            room -= taken;
            next += taken;
        }
        if class.count > MAX_PACK as u64 {
            room = 0;
        }
    }
    name(model, &mut packs);
    packs
}

/// Classes from small to large, as many as the budget pays for.
fn classes(model: &InputModel, budget: u128) -> Vec<Class> {
    let mut classes = Vec::new();
    let mut left = budget;
    let share = if model.sizes.is_empty() { budget } else { budget / SHARE };
    for total in 0.. {
        let level = of_total(model, total);
        if level.is_empty() {
            return classes;
        }
        for sizes in level {
            let Some((values, count)) = widest(model, &sizes, share.min(left)) else { return classes };
            left -= count;
            classes.push(Class { sizes, values, count: count as u64 });
        }
    }
    classes
}

/// All combinations of sizes that are `total` steps above the smallest; none when no combination is so large.
fn of_total(model: &InputModel, total: u128) -> Vec<Vec<u32>> {
    let mut found = vec![(Vec::new(), total)];
    for (index, size) in model.sizes.iter().enumerate() {
        let is_last = index + 1 == model.sizes.len();
        found = found
            .into_iter()
            .flat_map(|(sizes, left)| {
                let most = left.min(size.range.count() - 1);
                let steps = if is_last { left..=most } else { 0..=most };
                steps.map(move |step| {
                    let mut sizes: Vec<u32> = sizes.clone();
                    // The bounds of a size fit a u32.
                    sizes.push(size.range.nth(step) as u32);
                    (sizes, left - step)
                })
            })
            .collect();
    }
    found.into_iter().filter(|(_, left)| *left == 0).map(|(sizes, _)| sizes).collect()
}

/// The most values a number may take so that there are at most `share` inputs, and how many there are; `None` when
/// even two are too many.
fn widest(model: &InputModel, sizes: &[u32], share: u128) -> Option<(u128, u128)> {
    let ranges = numbers(model, sizes);
    let count = |values: u128| {
        let mut product: u128 = 1;
        for (range, times) in &ranges {
            let choices = range.count().min(values);
            for _ in 0..*times {
                product = product.saturating_mul(choices);
                if choices < 2 || product > share {
                    break;
                }
            }
        }
        product
    };
    let cells: u64 = ranges.iter().map(|(_, times)| u64::from(*times)).sum();
    let several = !model.sizes.is_empty() || cells > 1;
    let most = if several { MOST_VALUES } else { share };
    let widest = ranges.iter().map(|(range, _)| range.count()).max().unwrap_or(1);
    if count(2) > share || share == 0 || cells > MAX_CELLS {
        return None;
    }
    let values = (2..=most.min(widest).max(2)).rev().find(|values| count(*values) <= share)?;
    Some((values, count(values)))
}

/// The ranges of the numbers of an input, each with how often it comes, in the order of the text.
fn numbers(model: &InputModel, sizes: &[u32]) -> Vec<(IntRange, u32)> {
    let of = |shape: &Shape| match *shape {
        Shape::Int(range) => (range, 1),
        Shape::Array { len: Len::Size(size), item } => (item, sizes[size]),
        Shape::Array { len: Len::Fixed(len), item } => (item, len),
    };
    model.fields.iter().map(|field| of(&field.shape)).collect()
}

/// The value that comes at `index` when those of the smallest magnitudes come first, the positive one before the
/// negative.
fn by_magnitude(range: IntRange, index: u128) -> i64 {
    let last = range.count() - 1;
    let offset = (i128::from(range.nearest(0)) - i128::from(range.min)) as u128 / u128::from(range.step);
    let both = offset.min(last - offset);
    if index > 2 * both {
        let further = index - both;
        return range.nth(if offset > both { offset - further } else { offset + further });
    }
    let away = index.div_ceil(2);
    range.nth(if index % 2 == 1 { offset + away } else { offset - away })
}

/// Gives each pack its name: the range of its sizes, or a number when there is not just one size.
fn name(model: &InputModel, packs: &mut [Pack]) {
    let span = |pack: &Pack| {
        let [size] = model.sizes.as_slice() else { return None };
        let (first, last) = (pack.parts.first()?.0.sizes[0], pack.parts.last()?.0.sizes[0]);
        let span = if first == last { first.to_string() } else { format!("{first}..{last}") };
        Some(format!("{}={span}", size.name.to_lowercase()))
    };
    let labels: Vec<Option<String>> = packs.iter().map(span).collect();
    for (index, pack) in packs.iter_mut().enumerate() {
        let alike = labels.iter().filter(|label| **label == labels[index]).count();
        let before = labels[..index].iter().filter(|label| **label == labels[index]).count();
        pack.label = match &labels[index] {
            Some(label) if alike == 1 => label.clone(),
            Some(label) => format!("{label}/{}", before + 1),
            None => (index + 1).to_string(),
        };
    }
}

impl Pack {
    /// The inputs that meet the conditions, in order.
    pub(super) fn inputs(&self, model: &InputModel) -> Result<Vec<Input>, GenerateError> {
        let mut inputs = Vec::new();
        for (class, range) in &self.parts {
            for index in range.clone() {
                let input = class.input(model, index);
                if broken(model, &input)?.is_none() {
                    inputs.push(input);
                }
            }
        }
        Ok(inputs)
    }
}

impl Class {
    /// The input at `index`: its digits, the first number's the most significant.
    fn input(&self, model: &InputModel, index: u64) -> Input {
        let mut rest = u128::from(index);
        let mut values: Vec<Value> = numbers(model, &self.sizes)
            .into_iter()
            .zip(&model.fields)
            .rev()
            .map(|((range, times), field)| {
                let choices = range.count().min(self.values);
                let mut items: Vec<i64> = (0..times)
                    .map(|_| {
                        let value = by_magnitude(range, rest % choices);
                        rest /= choices;
                        value
                    })
                    .collect();
                items.reverse();
                match field.shape {
                    Shape::Int(range) => Value::Int(items.first().copied().unwrap_or(range.min)),
                    Shape::Array { .. } => Value::Array(items),
                }
            })
            .collect();
        values.reverse();
        Input { values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Field, Size};

    fn model(sizes: &[(i64, i64)], fields: &[Shape]) -> InputModel {
        InputModel {
            sizes: sizes
                .iter()
                .zip(["n", "m"])
                .map(|((min, max), name)| Size {
                    name: name.to_owned(),
                    range: IntRange { min: *min, max: *max, step: 1 },
                })
                .collect(),
            fields: fields.iter().map(|shape| Field { name: "x".to_owned(), shape: *shape }).collect(),
            wheres: Vec::new(),
        }
    }

    fn stones() -> InputModel {
        let item = IntRange { min: -1000, max: 1000, step: 1 };
        model(&[(1, 50_000)], &[Shape::Array { len: Len::Size(0), item }])
    }

    #[test]
    fn small_magnitudes_come_first_and_every_value_once() {
        for (min, max, expected) in [
            (-1000, 1000, [0, 1, -1, 2, -2]),
            (1, 9, [1, 2, 3, 4, 5]),
            (-9, -2, [-2, -3, -4, -5, -6]),
            (-1, 9, [0, 1, -1, 2, 3]),
            (-9, 1, [0, 1, -1, -2, -3]),
        ] {
            let range = IntRange { min, max, step: 1 };
            let first: Vec<i64> = (0..5).map(|index| by_magnitude(range, index)).collect();
            assert_eq!(first, expected, "{min}..={max}");
            let mut all: Vec<i64> = (0..range.count()).map(|index| by_magnitude(range, index)).collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(min..=max));
        }
    }

    #[test]
    fn packs_hold_all_rows_of_small_length_once() {
        let model = stones();
        let packs = packs(&model, None);
        let names: Vec<&str> = packs.iter().map(|pack| pack.label.as_str()).collect();
        assert_eq!(names, ["n=1..4", "n=5..9"]);
        let mut inputs: Vec<Input> = packs.iter().flat_map(|pack| pack.inputs(&model).unwrap()).collect();
        assert!(inputs.len() <= 4000, "{}", inputs.len());
        let total = inputs.len();
        // Of length 6 over three values: 3^6.
        let six = inputs.iter().filter(|input| input.size(&model, 0) == 6).count();
        assert_eq!(six, 729);
        inputs.sort();
        inputs.dedup();
        assert_eq!(inputs.len(), total, "an input comes twice");
        assert!(inputs.iter().all(|input| input.fits(&model).is_ok()));
    }

    #[test]
    fn one_number_is_gone_through_to_the_budget() {
        let model = model(&[], &[Shape::Int(IntRange { min: 1, max: 100_000, step: 1 })]);
        let packs = packs(&model, None);
        assert_eq!(packs.iter().map(|pack| pack.label.as_str()).collect::<Vec<_>>(), ["1", "2"]);
        let inputs = packs[1].inputs(&model).unwrap();
        assert_eq!(inputs.first().unwrap().values, [Value::Int(2001)]);
        assert_eq!(inputs.last().unwrap().values, [Value::Int(4000)]);
    }

    #[test]
    fn a_large_budget_cuts_a_class_into_packs_and_a_small_one_makes_none() {
        let model = stones();
        let large = packs(&model, Some(20_000));
        assert!(large.iter().any(|pack| pack.label == "n=5/2"), "{:?}", large.last());
        assert!(large.iter().all(|pack| pack.inputs(&model).unwrap().len() <= MAX_PACK));
        assert_eq!(packs(&model, Some(0)), []);
    }

    #[test]
    fn several_sizes_and_empty_arrays_are_covered_too() {
        let item = IntRange { min: 1, max: 2, step: 1 };
        let array = |size| Shape::Array { len: Len::Size(size), item };
        let model = model(&[(0, 2), (0, 1)], &[array(0), array(1)]);
        let packs = packs(&model, None);
        let inputs: Vec<Input> = packs.iter().flat_map(|pack| pack.inputs(&model).unwrap()).collect();
        // (1 + 2 + 4) rows of the first, (1 + 2) of the second.
        assert_eq!(inputs.len(), 21);
    }
}
