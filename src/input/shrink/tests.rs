//! Shrinking with predicates made up here: what is found, with how many questions, and that nothing smaller is near.

use proptest::prelude::*;

use super::*;
use crate::problem::expr::Expr;
use crate::problem::{Field, Len, Repair, Size, Where};

fn model(len: IntRange, items: &[IntRange], numbers: &[IntRange]) -> InputModel {
    let arrays = items.iter().map(|item| Shape::Array { len: Len::Size(0), item: *item });
    let fields = arrays.chain(numbers.iter().map(|range| Shape::Int(*range)));
    InputModel {
        sizes: vec![Size { name: "n".to_owned(), range: len }],
        fields: fields.enumerate().map(|(at, shape)| Field { name: format!("f{at}"), shape }).collect(),
        wheres: Vec::new(),
    }
}

fn range(min: i64, max: i64) -> IntRange {
    IntRange { min, max, step: 1 }
}

fn array(value: &Value) -> &[i64] {
    match value {
        Value::Array(items) => items,
        Value::Int(_) => &[],
    }
}

fn shrunk(model: &InputModel, input: Input, fails: impl Fn(&Input) -> bool) -> Shrunk {
    let mut probe = |input: &Input| if fails(input) { Probe::Fails } else { Probe::Passes };
    shrink(model, input, &mut probe, 5000)
}

/// A long array with no pattern.
fn noise(len: usize) -> Vec<i64> {
    (0..len as i64).map(|at| (at * 7919 + 13) % 2001 - 1000).collect()
}

#[test]
fn a_few_needed_elements_are_found_in_a_long_array_with_few_questions() {
    let model = model(range(1, 50_000), &[range(-1000, 1000)], &[]);
    let mut items = noise(50_000);
    items[1234] = 997;
    items[40_001] = -998;
    let fails = |input: &Input| {
        let items = array(&input.values[0]);
        let first = items.iter().position(|item| *item >= 990);
        first.is_some_and(|first| items[first..].iter().any(|item| *item <= -990))
    };
    let found = shrunk(&model, Input { values: vec![Value::Array(items)] }, fails);
    assert_eq!(found.input.values, [Value::Array(vec![990, -990])]);
    assert!(found.is_minimal && found.probes < 400, "{} probes", found.probes);
}

#[test]
fn when_length_is_the_fault_the_shortest_length_is_found_with_few_questions() {
    let model = model(range(1, 50_000), &[range(-1000, 1000)], &[]);
    let input = Input { values: vec![Value::Array(noise(50_000))] };
    let found = shrunk(&model, input, |input| input.values[0].count() > 12_345);
    assert_eq!(found.input.values, [Value::Array(vec![0; 12_346])]);
    assert!(found.is_minimal && found.probes < 400, "{} probes", found.probes);
    let input = Input { values: vec![Value::Array(noise(50_000))] };
    let heavy =
        |input: &Input| array(&input.values[0]).iter().map(|item| item.abs()).sum::<i64>() > 4_000_000;
    let mut probe = |input: &Input| if heavy(input) { Probe::Fails } else { Probe::Passes };
    let found = shrink(&model, input, &mut probe, 500);
    assert!(
        heavy(&found.input) && found.input.values[0].count() < 8_100,
        "{}",
        found.input.values[0].count()
    );
}

#[test]
fn arrays_of_one_size_shrink_in_step_and_sizes_keep_their_steps() {
    let len = IntRange { min: 2, max: 500, step: 2 };
    let model = model(len, &[range(1, 100), range(1, 100)], &[range(0, 1000)]);
    let input = Input {
        values: vec![
            Value::Array((0..500).map(|at| at % 100 + 1).collect()),
            Value::Array((0..500).map(|at| 100 - at % 100).collect()),
            Value::Int(700),
        ],
    };
    let fails = |input: &Input| {
        let pairs = array(&input.values[0]).iter().zip(array(&input.values[1]));
        pairs.filter(|(left, right)| left > right).count() >= 3 && input.values[2] >= Value::Int(17)
    };
    let found = shrunk(&model, input, fails);
    assert_eq!(
        found.input.values,
        [Value::Array(vec![1, 2, 2, 2]), Value::Array(vec![1, 1, 1, 1]), Value::Int(17)]
    );
}

#[test]
fn conditions_are_mended_or_the_step_is_not_taken() {
    let mut model = model(range(1, 100), &[range(1, 500)], &[]);
    let text = "sum(f0) % 2 == 1";
    let that = Expr::parse(text, &model).unwrap();
    model.wheres.push(Where { that, text: text.to_owned(), repair: Some(Repair { field: 0, by: 1 }) });
    let input = Input { values: vec![Value::Array((1..=97).collect())] };
    assert!(model.wheres[0].that.holds(&model, &input).unwrap());
    let found = shrunk(&model, input.clone(), |input| input.values[0].count() >= 4);
    assert_eq!(found.input.values, [Value::Array(vec![1, 1, 1, 2])]);
    model.wheres[0].repair = None;
    let found = shrunk(&model, input, |input| input.values[0].count() >= 4);
    let items = array(&found.input.values[0]);
    assert_eq!(items, [1, 1, 1, 2]);
}

#[test]
fn the_caller_may_stop_at_any_time_and_never_gets_more_questions_than_allowed() {
    let model = model(range(1, 50_000), &[range(-1000, 1000)], &[]);
    let input = Input { values: vec![Value::Array(noise(50_000))] };
    for limit in [0, 1, 10, 50] {
        let mut asked = 0;
        let mut probe = |input: &Input| {
            asked += 1;
            if input.values[0].count() > 100 { Probe::Fails } else { Probe::Passes }
        };
        let found = shrink(&model, input.clone(), &mut probe, limit);
        assert!(!found.is_minimal && asked <= limit && found.probes == asked);
        let mut probe = |_: &Input| Probe::Stop;
        let stopped = shrink(&model, input.clone(), &mut probe, limit);
        assert_eq!(stopped.input, input);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever fails: the result fails, is in the model, is no larger, and no single step makes it smaller.
    #[test]
    fn the_result_is_a_local_minimum(
        items in prop::collection::vec(-50_i64..=50, 1..40),
        number in 3_i64..=90,
        kind in 0..6,
        bound in 0_i64..40,
    ) {
        let model = model(range(1, 60), &[range(-50, 50)], &[IntRange { min: 3, max: 93, step: 3 }]);
        let number = number / 3 * 3;
        let start = Input { values: vec![Value::Array(items), Value::Int(number)] };
        let fails = |input: &Input| {
            let items = array(&input.values[0]);
            let Value::Int(number) = input.values[1] else { return false };
            match kind {
                0 => items.iter().sum::<i64>() > bound,
                1 => items.windows(2).any(|pair| pair[0] > pair[1] + bound),
                2 => items.iter().filter(|item| **item < 0).count() as i64 * 2 > bound.min(10),
                3 => items.iter().any(|item| (item + number) % 7 == bound % 7),
                4 => items.iter().max() != items.first() || number > bound,
                _ => items.len() as i64 * number > bound,
            }
        };
        prop_assume!(fails(&start));
        let found = shrunk(&model, start.clone(), fails);
        let smaller = |left: &Input, right: &Input| Rank::of(left).is_smaller(left, &Rank::of(right), right, &model);
        prop_assert!(fails(&found.input) && found.input.fits(&model).is_ok() && !smaller(&start, &found.input));
        prop_assert!(found.is_minimal);
        let best = &found.input;
        let len = best.values[0].count();
        let mut neighbours = Vec::new();
        for at in 0..len {
            let mut shorter = best.clone();
            let Value::Array(items) = &mut shorter.values[0] else { continue };
            items.remove(at);
            neighbours.push(shorter);
            for value in [0, 1, -1, -50] {
                let mut plainer = best.clone();
                let Value::Array(items) = &mut plainer.values[0] else { continue };
                items[at] = value;
                neighbours.push(plainer);
            }
            if at > 0 {
                let mut swapped = best.clone();
                let Value::Array(items) = &mut swapped.values[0] else { continue };
                items.swap(at - 1, at);
                neighbours.push(swapped);
            }
        }
        neighbours.push(Input { values: vec![best.values[0].clone(), Value::Int(3)] });
        for neighbour in neighbours {
            let is_smaller_failure = neighbour.fits(&model).is_ok() && smaller(&neighbour, best) && fails(&neighbour);
            prop_assert!(!is_smaller_failure, "{:?} is smaller than {:?}", neighbour, best);
        }
        prop_assert_eq!(shrunk(&model, start, fails), found);
    }
}
