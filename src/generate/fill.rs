//! Values for one field: windows of few neighbouring values, patterns, mixtures. Knows ranges and lengths, not where
//! they are used and not the conditions of the model.

use super::plateau::{Plateau, stretches};
use super::rng::Rng;
use crate::problem::IntRange;

/// How a field's values are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// One of the patterns of `edges`.
    Pattern(Pattern),
    /// Any of the values of a window, each by itself.
    Window(Width, Place),
    /// One value but for the ends.
    Plateau(Plateau),
    /// Stretches of one value each.
    Stretches,
    /// Extremes, the smallest magnitudes and arbitrary values, mixed.
    Mixture,
    /// This value.
    Exactly(i64),
}

/// How many neighbouring values a window holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// So many, or all if the range has fewer.
    Few(u32),
    /// The whole range.
    Full,
}

/// Where in its range a window lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Around the value of the smallest magnitude.
    Zero,
    /// At the lower end.
    Low,
    /// At the upper end.
    High,
    /// Wherever chance puts it.
    Anywhere,
}

/// A fixed arrangement of values, named for what it looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Pattern {
    AllMin,
    AllMax,
    AllZero,
    AllOne,
    AllMinusOne,
    Alternating,
    Halves,
    Ascending,
    Descending,
    SpikeFirst,
    SpikeLast,
    Period3,
    Period4,
    Geometric,
    Random,
}

impl Pattern {
    /// Every pattern, in the order of the package.
    pub(super) const ALL: [Self; 15] = [
        Self::AllMin,
        Self::AllMax,
        Self::AllZero,
        Self::AllOne,
        Self::AllMinusOne,
        Self::Alternating,
        Self::Halves,
        Self::Ascending,
        Self::Descending,
        Self::SpikeFirst,
        Self::SpikeLast,
        Self::Period3,
        Self::Period4,
        Self::Geometric,
        Self::Random,
    ];

    /// The patterns that are crossed with each other when there are two arrays.
    pub(super) const CROSSED: [Self; 4] = [Self::AllMin, Self::AllMax, Self::Ascending, Self::Descending];

    /// As it stands in a test's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::AllMin => "all_min",
            Self::AllMax => "all_max",
            Self::AllZero => "all_zero",
            Self::AllOne => "all_one",
            Self::AllMinusOne => "all_minus_one",
            Self::Alternating => "alternating",
            Self::Halves => "halves",
            Self::Ascending => "ascending",
            Self::Descending => "descending",
            Self::SpikeFirst => "spike_first",
            Self::SpikeLast => "spike_last",
            Self::Period3 => "period_3",
            Self::Period4 => "period_4",
            Self::Geometric => "geometric",
            Self::Random => "random",
        }
    }

    /// Whether the pattern means something for values of `range`.
    pub(super) fn fits(self, range: IntRange) -> bool {
        match self {
            Self::AllZero => range.contains(0),
            Self::AllOne => range.contains(1),
            Self::AllMinusOne => range.contains(-1),
            Self::Geometric => powers(range).len() > 1,
            _ => true,
        }
    }

    fn values(self, range: IntRange, len: usize, rng: &mut Rng) -> Vec<i64> {
        let (min, max, small) = (range.min, range.max, range.nearest(0));
        let spike = if small == max { min } else { max };
        let cycle = |values: &[i64]| values.iter().copied().cycle().take(len).collect();
        match self {
            Self::AllMin => vec![min; len],
            Self::AllMax => vec![max; len],
            Self::AllZero => vec![range.nearest(0); len],
            Self::AllOne => vec![range.nearest(1); len],
            Self::AllMinusOne => vec![range.nearest(-1); len],
            Self::Alternating => cycle(&[max, min]),
            Self::Halves => {
                let mut values = vec![max; len.div_ceil(2)];
                values.resize(len, min);
                values
            }
            Self::Ascending => ramp(range, len),
            Self::Descending => {
                let mut values = ramp(range, len);
                values.reverse();
                values
            }
            Self::SpikeFirst | Self::SpikeLast => {
                let mut values = vec![small; len];
                let at = if self == Self::SpikeFirst { values.first_mut() } else { values.last_mut() };
                if let Some(at) = at {
                    *at = spike;
                }
                values
            }
            Self::Period3 => cycle(&[1, 2, 3].map(|value| range.nearest(value))),
            Self::Period4 => cycle(&[1, -2, 3, -4].map(|value| range.nearest(value))),
            Self::Geometric => cycle(&powers(range)),
            Self::Random => (0..len).map(|_| rng.pick(range)).collect(),
        }
    }
}

impl Width {
    /// The widths of `small_random`, in order.
    pub(super) const ALL: [Self; 5] = [Self::Few(1), Self::Few(2), Self::Few(3), Self::Few(10), Self::Full];

    /// As it stands in a test's name.
    pub(super) fn name(self) -> String {
        match self {
            Self::Few(width) => width.to_string(),
            Self::Full => "full".to_owned(),
        }
    }
}

impl Fill {
    /// `len` values of `range`.
    pub(super) fn values(self, range: IntRange, len: usize, rng: &mut Rng) -> Vec<i64> {
        match self {
            Self::Pattern(pattern) => pattern.values(range, len, rng),
            Self::Window(width, place) => {
                let window = window(range, width, place, rng);
                (0..len).map(|_| rng.pick(window)).collect()
            }
            Self::Plateau(plateau) => plateau.values(range, len),
            Self::Stretches => stretches(range, len, rng),
            Self::Mixture => {
                let special = [range.min, range.max, range.nearest(0), range.nearest(1), range.nearest(-1)];
                let draw = |rng: &mut Rng| match rng.below(8) {
                    index @ 0..=4 => special[index as usize],
                    _ => rng.pick(range),
                };
                (0..len).map(|_| draw(rng)).collect()
            }
            Self::Exactly(value) => vec![value; len],
        }
    }
}

/// Rising from the lower to the upper end as evenly as whole steps allow.
fn ramp(range: IntRange, len: usize) -> Vec<i64> {
    let (last_place, last_index) = (len.saturating_sub(1).max(1) as u128, range.count() - 1);
    // Quotient and remainder apart, so that 2^64 values times the length cannot overflow.
    let (whole, rest) = (last_index / last_place, last_index % last_place);
    (0..len as u128).map(|place| range.nth(place * whole + place * rest / last_place)).collect()
}

/// 1, 2, 4, … as far as the range goes, downwards when it holds nothing positive; from its lower end when it begins
/// above 1.
fn powers(range: IntRange) -> Vec<i64> {
    let from = range.min.max(0).saturating_sub(1).max(0);
    let mut values: Vec<i64> = (0..63)
        .map(|exponent| 1_i64 << exponent)
        .map_while(|power| match range.max {
            max if max > 0 => from.checked_add(power).filter(|value| *value <= max),
            _ => Some(-power).filter(|value| *value >= range.min),
        })
        .map(|value| range.nearest(value))
        .collect();
    values.dedup();
    values
}

/// A part of the range.
fn window(range: IntRange, width: Width, place: Place, rng: &mut Rng) -> IntRange {
    let Width::Few(width) = width else { return range };
    let count = range.count();
    let width = u128::from(width).min(count);
    let last_start = count - width;
    let start = match place {
        Place::Low => 0,
        Place::High => last_start,
        // A range of more than 2^64 - 1 starts does not exist, as the window holds one value at least.
        Place::Anywhere => u128::from(rng.below((last_start + 1).min(u128::from(u64::MAX)) as u64)),
        Place::Zero => {
            let offset = i128::from(range.nearest(0)) - i128::from(range.min);
            let centre = offset as u128 / u128::from(range.step);
            centre.saturating_sub((width - 1) / 2).min(last_start)
        }
    };
    IntRange { min: range.nth(start), max: range.nth(start + width - 1), step: range.step }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::rng::Key;

    const STONES: IntRange = IntRange { min: -1000, max: 1000, step: 1 };
    const PILES: IntRange = IntRange { min: 1, max: 500, step: 1 };

    fn rng() -> Rng {
        Key::of_test("p", "f", "t", 1).stream(0)
    }

    #[test]
    fn patterns_look_like_their_names() {
        let mut rng = rng();
        let mut draw = |pattern: Pattern, range, len| pattern.values(range, len, &mut rng);
        assert_eq!(draw(Pattern::Alternating, STONES, 3), [1000, -1000, 1000]);
        assert_eq!(draw(Pattern::Halves, STONES, 3), [1000, 1000, -1000]);
        assert_eq!(draw(Pattern::Ascending, STONES, 5), [-1000, -500, 0, 500, 1000]);
        assert_eq!(draw(Pattern::Descending, PILES, 2), [500, 1]);
        assert_eq!(draw(Pattern::Ascending, PILES, 1), [1]);
        assert_eq!(draw(Pattern::SpikeFirst, STONES, 3), [1000, 0, 0]);
        assert_eq!(draw(Pattern::SpikeLast, IntRange { min: -9, max: 0, step: 1 }, 3), [0, 0, -9]);
        assert_eq!(draw(Pattern::Period4, STONES, 5), [1, -2, 3, -4, 1]);
        assert_eq!(draw(Pattern::Geometric, IntRange { min: 0, max: 9, step: 1 }, 5), [1, 2, 4, 8, 1]);
        assert_eq!(draw(Pattern::Geometric, IntRange { min: -5, max: -1, step: 1 }, 3), [-1, -2, -4]);
        assert_eq!(draw(Pattern::Geometric, IntRange { min: 100, max: 105, step: 1 }, 3), [100, 101, 103]);
    }

    #[test]
    fn every_value_is_in_its_range_whatever_the_range() {
        let mut rng = rng();
        let all = IntRange { min: i64::MIN, max: i64::MAX, step: 1 };
        let odd = IntRange { min: -7, max: 11, step: 6 };
        let one = IntRange { min: 5, max: 5, step: 1 };
        let far = IntRange { min: i64::MAX - 2, max: i64::MAX, step: 2 };
        for range in [STONES, PILES, all, odd, one, far] {
            let patterns = Pattern::ALL.into_iter().filter(|pattern| pattern.fits(range)).map(Fill::Pattern);
            let places = [Place::Zero, Place::Low, Place::High, Place::Anywhere];
            let windows =
                Width::ALL.into_iter().flat_map(|width| places.map(|place| Fill::Window(width, place)));
            for fill in patterns.chain(windows).chain([Fill::Mixture]) {
                for len in [0, 1, 2, 3, 50] {
                    let values = fill.values(range, len, &mut rng);
                    assert_eq!(values.len(), len);
                    assert!(
                        values.iter().all(|value| range.contains(*value)),
                        "{fill:?} {range:?} {values:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_window_around_zero_holds_the_smallest_magnitudes() {
        let mut rng = rng();
        let mut zero = |range, width| window(range, Width::Few(width), Place::Zero, &mut rng);
        assert_eq!(zero(STONES, 3), IntRange { min: -1, max: 1, step: 1 });
        assert_eq!(zero(STONES, 2), IntRange { min: 0, max: 1, step: 1 });
        assert_eq!(zero(PILES, 3), IntRange { min: 1, max: 3, step: 1 });
        assert_eq!(zero(IntRange { min: 5, max: 6, step: 1 }, 10), IntRange { min: 5, max: 6, step: 1 });
    }
}
