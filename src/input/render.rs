//! Values to text: each size on a line before its first array, then the values with single spaces between them,
//! one line for each field. The inverse of `validate`; never checks a bound.

use super::digits::Digits;
use super::{Input, Value};
use crate::problem::{InputModel, Len, Shape};

/// Appends the text form of `input` to `out`.
pub fn render(model: &InputModel, input: &Input, out: &mut Vec<u8>) {
    debug_assert_eq!(model.fields.len(), input.values.len(), "an input has a value for each field");
    let mut digits = Digits::to(out);
    for (index, value) in input.values.iter().enumerate() {
        if let Some(size) = size_before(model, index) {
            digits.number(input.size(model, size) as i64, b'\n');
        }
        match value {
            Value::Int(value) => digits.number(*value, b'\n'),
            Value::Array(items) => match items.split_last() {
                Some((last, others)) => {
                    others.iter().for_each(|item| digits.number(*item, b' '));
                    digits.number(*last, b'\n');
                }
                None => digits.byte(b'\n'),
            },
        }
    }
    digits.finish();
}

/// The size that stands on a line of its own before the field: the field is the first array that has it.
pub(super) fn size_before(model: &InputModel, field: usize) -> Option<usize> {
    match model.fields.get(field)?.shape {
        Shape::Array { len: Len::Size(size), .. } if model.arrays_of(size).next() == Some(field) => {
            Some(size)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Field, IntRange, Size};

    #[test]
    fn a_shared_size_is_written_once_and_a_fixed_one_never() {
        let any = IntRange { min: -100, max: 100, step: 1 };
        let array = |len| Shape::Array { len, item: any };
        let field = |name: &str, shape| Field { name: name.to_owned(), shape };
        let model = InputModel {
            sizes: vec![
                Size { name: "n".into(), range: IntRange { min: 0, max: 9, step: 1 } },
                Size { name: "m".into(), range: IntRange { min: 0, max: 9, step: 1 } },
            ],
            fields: vec![
                field("k", Shape::Int(any)),
                field("a", array(Len::Size(0))),
                field("b", array(Len::Size(0))),
                field("pair", array(Len::Fixed(2))),
                field("c", array(Len::Size(1))),
            ],
            wheres: Vec::new(),
        };
        let values = vec![
            Value::Int(-7),
            Value::Array(vec![1, -2, 3]),
            Value::Array(vec![4, 5, 6]),
            Value::Array(vec![8, 9]),
            Value::Array(vec![]),
        ];
        let mut text = Vec::new();
        render(&model, &Input { values }, &mut text);
        assert_eq!(String::from_utf8(text).unwrap(), "-7\n3\n1 -2 3\n4 5 6\n8 9\n0\n\n");
    }
}
