//! What holds for every model and every text: what is rendered is read back, and what is read is what would be rendered.

use super::{Input, Value, render, validate};
use crate::problem::{Field, InputModel, IntRange, Len, Shape, Size};
use proptest::prelude::*;

fn any_range(min: impl Strategy<Value = i64>, count: u64, step: u64) -> impl Strategy<Value = IntRange> {
    (min, 0..count, 1..=step).prop_filter_map("the range fits in 64 bits", |(min, count, step)| {
        let max = i128::from(min) + i128::from(count) * i128::from(step);
        Some(IntRange { min, max: i64::try_from(max).ok()?, step })
    })
}

fn any_item() -> impl Strategy<Value = IntRange> {
    let min = prop_oneof![Just(i64::MIN), -1000..1000_i64, any::<i64>(), Just(0), Just(i64::MAX)];
    prop_oneof![
        any_range(min, 2000, 3),
        Just(IntRange { min: i64::MIN, max: i64::MAX, step: 1 }),
        Just(IntRange { min: -9, max: 9, step: 1 }),
    ]
}

/// Up to three sizes, each with an array, and up to four more fields.
fn any_model() -> impl Strategy<Value = InputModel> {
    let sizes = proptest::collection::vec(any_range(0..4_i64, 5, 3), 0..=3);
    let more = proptest::collection::vec((0..5_u32, any_item()), 0..=4);
    (sizes, proptest::collection::vec(any_item(), 3), more).prop_map(|(sizes, items, more)| {
        let of_sizes = (0..sizes.len()).map(|size| Shape::Array { len: Len::Size(size), item: items[size] });
        let others = more.into_iter().map(|(kind, item)| match kind {
            0 | 1 => Shape::Int(item),
            2 if !sizes.is_empty() => Shape::Array { len: Len::Size(0), item },
            other => Shape::Array { len: Len::Fixed(other.max(1)), item },
        });
        let shapes: Vec<Shape> = of_sizes.chain(others).collect();
        let field = |(index, shape)| Field { name: format!("f{index}"), shape };
        let size = |(index, range)| Size { name: format!("n{index}"), range };
        InputModel {
            fields: shapes.into_iter().enumerate().map(field).collect(),
            sizes: sizes.into_iter().enumerate().map(size).collect(),
            wheres: Vec::new(),
        }
    })
}

/// An input of the model, made from numbers taken one after another.
fn make(model: &InputModel, numbers: &[u64]) -> Input {
    let mut numbers = numbers.iter().cycle();
    let mut pick = |range: IntRange| {
        let number = u128::from(*numbers.next().unwrap()) * 0x9e37_79b9_7f4a_7c15;
        range.nth(number % range.count())
    };
    let sizes: Vec<usize> = model.sizes.iter().map(|size| pick(size.range) as usize).collect();
    let value = |field: &Field| match field.shape {
        Shape::Int(range) => Value::Int(pick(range)),
        Shape::Array { len, item } => {
            let len = match len {
                Len::Size(size) => sizes[size],
                Len::Fixed(len) => len as usize,
            };
            Value::Array((0..len).map(|_| pick(item)).collect())
        }
    };
    Input { values: model.fields.iter().map(value).collect() }
}

fn text(model: &InputModel, input: &Input) -> Vec<u8> {
    let mut text = Vec::new();
    render(model, input, &mut text);
    text
}

proptest! {
    #[test]
    fn what_is_rendered_is_read_back(model in any_model(), numbers in proptest::collection::vec(any::<u64>(), 1..40)) {
        let input = make(&model, &numbers);
        prop_assert_eq!(input.fits(&model), Ok(()));
        prop_assert_eq!(validate(&model, &text(&model, &input)), Ok(input));
    }

    #[test]
    fn what_is_read_is_what_would_be_rendered(
        model in any_model(),
        numbers in proptest::collection::vec(any::<u64>(), 1..40),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0..4_u8, any::<u8>()), 1..4),
    ) {
        let mut text = text(&model, &make(&model, &numbers));
        for (at, kind, byte) in changes {
            let byte = b"0123456789- \n\r\t+.a\0\xc2\xa0"[usize::from(byte) % 21];
            let at = at.index(text.len() + 1);
            match kind {
                0 => text.insert(at, byte),
                1 if at < text.len() => drop(text.remove(at)),
                2 if at < text.len() => text[at] = byte,
                _ => text.truncate(at),
            }
        }
        match validate(&model, &text) {
            Ok(input) => prop_assert_eq!(self::text(&model, &input), text),
            Err(violation) => {
                let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
                let line = lines.get(violation.line - 1);
                prop_assert!(line.is_some_and(|line| violation.column <= line.len() + 1), "{} in {:?}", violation, text);
            }
        }
    }

    #[test]
    fn a_size_that_lies_costs_no_memory(len in 1..u32::MAX) {
        let item = IntRange { min: 0, max: 9, step: 1 };
        let shape = Shape::Array { len: Len::Fixed(len), item };
        let model = InputModel { fields: vec![Field { name: "a".into(), shape }], ..InputModel::default() };
        prop_assert_eq!(validate(&model, b"1 2 3\n").is_ok(), len == 3);
    }
}
