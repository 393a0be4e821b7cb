//! The family `plateaus`: rows of one value but for one or two at either end, over the values where programs differ, and
//! long rows of such stretches.
//!
//! On them sums and best leads stay the same for long. A memo table whose mark for "unknown" is that very value forgets
//! it all along the row, which takes exponential time: a few dozen numbers are enough to see it. And what is off at an
//! end shows beside a row that is quiet elsewhere.

use std::collections::BTreeSet;

use super::draft::Draft;
use super::fill::Fill;
use super::rng::Rng;
use crate::problem::{InputModel, IntRange, Len, Shape};

/// Numbers of a row: enough for 2^60 calls.
const LEN: i64 = 64;
/// Numbers of a pack at most: where rows can't be short there are fewer.
const MAX_NUMBERS: u64 = 250_000;
/// How long a stretch of a long row is: from so many numbers, one of so many lengths.
const STRETCH: (u64, u64) = (32, 64);
/// Between two stretches are fewer numbers than this.
const BETWEEN: u64 = 4;
/// With several arrays each is at another place of the list; the steps have no divisor in common with its length.
const STRIDES: [usize; 4] = [1, 7, 11, 13];

/// One value all along, but for two at either end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plateau {
    first: [i64; 2],
    level: i64,
    last: [i64; 2],
}

impl Plateau {
    /// `len` numbers of `range`; in a row too short for both ends the last ones win.
    pub(super) fn values(self, range: IntRange, len: usize) -> Vec<i64> {
        let mut values = vec![range.nearest(self.level); len];
        for (at, end) in values.iter_mut().zip(self.first) {
            *at = range.nearest(end);
        }
        for (at, end) in values.iter_mut().rev().zip(self.last.into_iter().rev()) {
            *at = range.nearest(end);
        }
        values
    }
}

/// Stretches of one value each, with a few numbers between them.
pub(super) fn stretches(range: IntRange, len: usize, rng: &mut Rng) -> Vec<i64> {
    let telling = telling(range);
    let mut values = Vec::with_capacity(len);
    while values.len() < len {
        let level = picked(&telling, rng);
        let (least, lengths) = STRETCH;
        values.extend((0..least + rng.below(lengths)).map(|_| level));
        values.extend((0..rng.below(BETWEEN)).map(|_| picked(&telling, rng)));
    }
    values.truncate(len);
    values
}

/// The short rows of the family: any value at either end of any level, and two numbers at one end of a level that is as
/// near to zero as can be.
pub(super) fn short_rows(model: &InputModel) -> Vec<Draft> {
    let plateaus = |range| [one_at_either_end(range), two_at_one_end(range)].concat();
    let ranges = model.fields.iter().map(|field| match field.shape {
        Shape::Array { item, .. } => Some(item),
        Shape::Int(_) => None,
    });
    let lists: Vec<Option<Vec<Plateau>>> = ranges.map(|range| range.map(plateaus)).collect();
    // The bounds of a size fit a u32.
    let sizes: Vec<u32> = model.sizes.iter().map(|size| size.range.nearest(LEN) as u32).collect();
    let len = |shape: Shape| match shape {
        Shape::Array { len: Len::Size(size), .. } => u64::from(sizes[size]),
        Shape::Array { len: Len::Fixed(len), .. } => u64::from(len),
        Shape::Int(_) => 0,
    };
    let numbers: u64 = model.fields.iter().map(|field| len(field.shape)).sum();
    let room = usize::try_from(MAX_NUMBERS / numbers.max(1)).unwrap_or(usize::MAX);
    let most = lists.iter().flatten().map(Vec::len).max().unwrap_or(0).min(room);
    let draft = |index: usize| {
        let mut strides = STRIDES.into_iter().cycle();
        let fill = |list: &Option<Vec<Plateau>>| match (list, strides.next()) {
            (Some(list), Some(stride)) if !list.is_empty() => {
                Fill::Plateau(list[index * stride % list.len()])
            }
            _ => Fill::Mixture,
        };
        Draft { sizes: sizes.clone(), fills: lists.iter().map(fill).collect() }
    };
    (0..most).map(draft).collect()
}

fn one_at_either_end(range: IntRange) -> Vec<Plateau> {
    let values = telling(range);
    let mut all = Vec::new();
    for &level in &values {
        for &first in &values {
            all.extend(values.iter().map(|&last| Plateau {
                first: [first, level],
                level,
                last: [level, last],
            }));
        }
    }
    all
}

fn two_at_one_end(range: IntRange) -> Vec<Plateau> {
    let (values, level) = (with_neighbours(range), range.nearest(0));
    let outer: BTreeSet<i64> = [range.min, -1, 1, range.max].map(|value| range.nearest(value)).into();
    let mut all = Vec::new();
    for &one in &outer {
        // Beside the level it would be one number at that end.
        for &two in values.iter().filter(|two| **two != level) {
            let ends = |last: &i64| Plateau { first: [one, two], level, last: [level, *last] };
            all.extend(values.iter().map(ends));
            all.push(Plateau { first: [level; 2], level, last: [two, one] });
        }
    }
    all
}

/// The values of a range where programs differ, in order: its ends, and what is smallest.
fn telling(range: IntRange) -> Vec<i64> {
    let all = [range.min, -2, -1, 0, 1, 2, range.max].map(|value| range.nearest(value));
    BTreeSet::from(all).into_iter().collect()
}

/// The same, and the neighbours of its ends.
fn with_neighbours(range: IntRange) -> Vec<i64> {
    let last = range.count() - 1;
    let beside = [1.min(last), last.saturating_sub(1)].map(|index| range.nth(index));
    let all: BTreeSet<i64> = telling(range).into_iter().chain(beside).collect();
    all.into_iter().collect()
}

fn picked(values: &[i64], rng: &mut Rng) -> i64 {
    values[rng.below(values.len() as u64) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::rng::Key;
    use crate::problem::{Field, Size};

    const STONES: IntRange = IntRange { min: -1000, max: 1000, step: 1 };

    #[test]
    fn a_row_is_its_level_but_for_its_ends() {
        let plateau = Plateau { first: [7, 0], level: 0, last: [-1, -2] };
        assert_eq!(plateau.values(STONES, 6), [7, 0, 0, 0, -1, -2]);
        assert_eq!(plateau.values(STONES, 2), [-1, -2]);
        assert_eq!(plateau.values(STONES, 1), [-2]);
        assert_eq!(plateau.values(STONES, 0), [0_i64; 0]);
    }

    #[test]
    fn what_tells_programs_apart_is_in_the_range() {
        assert_eq!(telling(STONES), [-1000, -2, -1, 0, 1, 2, 1000]);
        assert_eq!(with_neighbours(STONES), [-1000, -999, -2, -1, 0, 1, 2, 999, 1000]);
        assert_eq!(with_neighbours(IntRange { min: 1, max: 500, step: 1 }), [1, 2, 499, 500]);
        assert_eq!(with_neighbours(IntRange { min: 5, max: 5, step: 1 }), [5]);
        let mut rng = Key::of_test("p", "f", "t", 1).stream(0);
        for range in [STONES, IntRange { min: -7, max: 11, step: 6 }, IntRange { min: 3, max: 3, step: 1 }] {
            for len in [0, 1, 3, 500] {
                let plateaus = [one_at_either_end(range), two_at_one_end(range)].concat();
                let rows = plateaus.into_iter().map(|plateau| plateau.values(range, len));
                for row in rows.chain([stretches(range, len, &mut rng)]) {
                    assert!(row.len() == len && row.iter().all(|it| range.contains(*it)), "{row:?}");
                }
            }
        }
    }

    fn rows(model: &InputModel) -> BTreeSet<Vec<i64>> {
        let row = |draft: Draft| match draft.fills[0] {
            Fill::Plateau(plateau) => plateau.values(STONES, 5),
            _ => unreachable!("an array of stones"),
        };
        short_rows(model).into_iter().map(row).collect()
    }

    /// The rows on which best leads are -1 all along, in games where one takes from the front and in such where all that
    /// was taken counts again.
    #[test]
    fn rows_that_keep_a_natural_mark_all_along_are_there_once() {
        let size = Size { name: "n".to_owned(), range: IntRange { min: 1, max: 100_000, step: 1 } };
        let shape = Shape::Array { len: Len::Size(0), item: STONES };
        let field = Field { name: "stones".to_owned(), shape };
        let model = InputModel { sizes: vec![size], fields: vec![field], wheres: Vec::new() };
        let rows = rows(&model);
        for row in [[-2, -2, -2, -2, -1], [-2, 0, 0, 0, 1], [-1000, -999, 0, 0, 1000], [0, 0, 0, -1, -1]] {
            assert!(rows.contains(row.as_slice()), "{row:?}");
        }
        assert_eq!((short_rows(&model).len(), rows.len()), (343 + 320, 343 + 320));
        assert!(short_rows(&model).iter().all(|draft| draft.sizes == [64]));
    }
}
