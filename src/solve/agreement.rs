//! Holds a solver against its brute force on every small input. Only for tests; knows no problem.

use super::{Field, Solver};
use crate::input::{Input, Value};

/// Every row of `lengths` with values from `values`, as the only field of an input.
pub(super) fn on_every_array(solver: &Solver, lengths: std::ops::RangeInclusive<u32>, values: &[i64]) {
    assert_eq!(solver.fields, [Field::Array]);
    for length in lengths {
        for row in rows(length, values) {
            on(solver, Input { values: vec![Value::Array(row)] });
        }
    }
}

/// Every row of exactly `length` with values from `values`, in the order of counting.
pub(super) fn rows(length: u32, values: &[i64]) -> impl Iterator<Item = Vec<i64>> + '_ {
    let digit = |index: usize, place: u32| values[index / values.len().pow(place) % values.len()];
    (0..values.len().pow(length)).map(move |index| (0..length).map(|place| digit(index, place)).collect())
}

/// One input.
pub(super) fn on(solver: &Solver, input: Input) {
    assert_eq!((solver.solve)(&input), (solver.brute)(&input), "{}: {:?}", solver.name, input.values);
}

/// The answers of the statement, from both.
pub(super) fn on_examples<const N: usize>(solver: &Solver, examples: [(Vec<Value>, &str); N]) {
    for (values, answer) in examples {
        let input = Input { values };
        assert_eq!((solver.solve)(&input), answer, "{}: {:?}", solver.name, input.values);
        assert_eq!((solver.brute)(&input), answer, "{}: {:?}", solver.name, input.values);
    }
}
