//! How large an input is: the sizes that `edges` visits, and their names. A model without sizes but with integers is
//! as large as its integers. Makes no values.

use std::collections::BTreeSet;

use crate::problem::{InputModel, IntRange, Shape};

/// One point among the sizes of a model, or among its integers when it has no sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    /// As in `n=max-1`, or `n=max,m=min`; empty when the model has nothing to vary.
    pub(super) label: String,
    /// A value for each axis.
    pub(super) values: Vec<i64>,
}

/// What a scale varies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Axes {
    /// Name and range of each.
    pub(super) ranges: Vec<(String, IntRange)>,
    /// Whether they are the model's integers and not its sizes.
    pub(super) are_ints: bool,
}

/// Up to this value a scale is small: its inputs lie together in a pack.
pub(super) const SMALL: i64 = 33;

impl Axes {
    /// What can be varied in `model`.
    pub(super) fn of(model: &InputModel) -> Self {
        let sizes: Vec<(String, IntRange)> =
            model.sizes.iter().map(|size| (size.name.clone(), size.range)).collect();
        if !sizes.is_empty() {
            return Self { ranges: sizes, are_ints: false };
        }
        let ints = model.fields.iter().filter_map(|field| match field.shape {
            Shape::Int(range) => Some((field.name.clone(), range)),
            Shape::Array { .. } => None,
        });
        Self { ranges: ints.collect(), are_ints: true }
    }

    /// Every axis at its upper end.
    pub(super) fn largest(&self) -> Scale {
        self.scale(self.ranges.iter().map(|(_, range)| range.max).collect())
    }

    /// The scales of `edges`, from small to large: all axes together at their ends, beside them, and at powers of two
    /// and their neighbours; with several axes also each alone at its upper end and at its lower end.
    pub(super) fn scales(&self) -> Vec<Scale> {
        let columns: Vec<[i64; 4]> = self.ranges.iter().map(|(_, range)| ends(*range)).collect();
        let mut points: BTreeSet<(u128, Vec<i64>)> = BTreeSet::new();
        let mut add = |values: Vec<i64>| {
            let total = values.iter().map(|value| u128::from(value.unsigned_abs())).sum();
            points.insert((total, values));
        };
        for place in 0..4 {
            add(columns.iter().map(|column| column[place]).collect());
        }
        for power in (2..63).map(|exponent| 1_i64 << exponent) {
            for target in [power - 1, power, power + 1] {
                let within = self.ranges.iter().any(|(_, range)| (range.min..=range.max).contains(&target));
                if within {
                    add(self.ranges.iter().map(|(_, range)| range.nearest(target)).collect());
                }
            }
        }
        if self.ranges.len() > 1 {
            for alone in 0..self.ranges.len() {
                for (at, elsewhere) in [(3, 0), (0, 3)] {
                    let end = |axis| if axis == alone { at } else { elsewhere };
                    add(columns.iter().enumerate().map(|(axis, column)| column[end(axis)]).collect());
                }
            }
        }
        points.into_iter().map(|(_, values)| self.scale(values)).collect()
    }

    fn scale(&self, values: Vec<i64>) -> Scale {
        let parts: Vec<String> = self
            .ranges
            .iter()
            .zip(&values)
            .map(|((name, range), value)| format!("{}={}", name.to_lowercase(), name_of(*range, *value)))
            .collect();
        Scale { label: parts.join(","), values }
    }
}

impl Scale {
    /// Whether the scale's inputs are packed together.
    pub(super) fn is_small(&self) -> bool {
        self.values.iter().all(|value| value.abs() <= SMALL)
    }
}

/// The ends of a range and the values next to them, in order; in a range of few values some are the same.
fn ends(range: IntRange) -> [i64; 4] {
    let last = range.count() - 1;
    [0, 1.min(last), last.saturating_sub(1), last].map(|index| range.nth(index))
}

/// A value is named once: `min`, else `max`, else `min+1` or `max-1` where that is true, else its number.
fn name_of(range: IntRange, value: i64) -> String {
    if value == range.min {
        "min".to_owned()
    } else if value == range.max {
        "max".to_owned()
    } else if range.min.checked_add(1) == Some(value) {
        "min+1".to_owned()
    } else if range.max.checked_sub(1) == Some(value) {
        "max-1".to_owned()
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(ranges: &[(&str, i64, i64, u64)]) -> Axes {
        let range = |(name, min, max, step): &(&str, i64, i64, u64)| {
            ((*name).to_owned(), IntRange { min: *min, max: *max, step: *step })
        };
        Axes { ranges: ranges.iter().map(range).collect(), are_ints: false }
    }

    fn labels(ranges: &[(&str, i64, i64, u64)]) -> Vec<String> {
        axes(ranges).scales().into_iter().map(|scale| scale.label).collect()
    }

    #[test]
    fn every_size_has_one_name() {
        assert_eq!(
            labels(&[("n", 1, 20, 1)]),
            [
                "n=min", "n=min+1", "n=3", "n=4", "n=5", "n=7", "n=8", "n=9", "n=15", "n=16", "n=17",
                "n=max-1", "n=max"
            ]
        );
        assert_eq!(labels(&[("n", 1, 3, 1)]), ["n=min", "n=min+1", "n=max"]);
        assert_eq!(labels(&[("n", 1, 2, 1)]), ["n=min", "n=max"]);
        assert_eq!(labels(&[("n", 7, 7, 1)]), ["n=min"]);
        assert_eq!(labels(&[]), [""]);
    }

    #[test]
    fn steps_are_kept_and_names_stay_true() {
        assert_eq!(labels(&[("n", 2, 14, 2)]), ["n=min", "n=4", "n=6", "n=8", "n=12", "n=max"]);
        assert_eq!(labels(&[("n", -2, 3, 1)]), ["n=min+1", "n=min", "n=max-1", "n=max"]);
    }

    #[test]
    fn several_sizes_also_go_apart() {
        let labels = labels(&[("n", 1, 4, 1), ("m", 1, 3, 1)]);
        for expected in ["n=min,m=min", "n=max,m=max", "n=max,m=min", "n=min,m=max", "n=max-1,m=min+1"] {
            assert!(labels.iter().any(|label| label == expected), "{expected}: {labels:?}");
        }
    }
}
