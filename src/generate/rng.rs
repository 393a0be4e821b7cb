//! Everything random comes from here: the ChaCha8 key stream, and ranges, shuffles and choices of our own on top of
//! it, so that a seed gives the same values with every version of every library. No floats, no clock, no `usize`
//! width, no hash order.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

use crate::problem::IntRange;

/// A source of random values: the same key and stream give the same values for ever.
#[derive(Clone, Debug)]
pub struct Rng {
    source: ChaCha8Rng,
    /// Bits drawn from the source and not given out yet: those from `next` on.
    block: [u64; BLOCK],
    next: usize,
}

/// So many draws are taken from the source at once, which is what it makes at once.
const BLOCK: usize = 32;

/// What one test's randomness follows from. A test has a key of its own, so adding a test moves no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key([u8; 32]);

/// The version of the rules in `generate`. A change of any drawn value needs another.
pub const VERSION: u32 = 1;

impl Key {
    /// The key of the test `name` of `family`: SHA-256 over every part, each preceded by its length, so that no two
    /// different lists of parts give the same bytes.
    pub fn of_test(slug: &str, family: &str, name: &str, seed: u64) -> Self {
        let mut hash = Sha256::new();
        for part in ["touchstone".as_bytes(), &VERSION.to_le_bytes(), slug.as_bytes(), family.as_bytes()]
            .into_iter()
            .chain([name.as_bytes(), &seed.to_le_bytes()])
        {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    /// The values for the input number `stream` of the test.
    pub fn stream(&self, stream: u64) -> Rng {
        let mut source = ChaCha8Rng::from_seed(self.0);
        source.set_stream(stream);
        Rng { source, block: [0; BLOCK], next: BLOCK }
    }

    /// The key as 64 hexadecimal digits, for a generator program.
    pub fn to_hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Rng {
    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        if self.next >= BLOCK {
            self.refill();
        }
        let bits = self.block[self.next];
        self.next += 1;
        bits
    }

    #[cold]
    fn refill(&mut self) {
        let mut bytes = [0; BLOCK * 8];
        self.source.fill_bytes(&mut bytes);
        for (bits, bytes) in self.block.iter_mut().zip(bytes.as_chunks().0) {
            *bits = u64::from_le_bytes(*bytes);
        }
        self.next = 0;
    }

    /// A number below `bound`, each as likely: Lemire, "Fast random integer generation in an interval" (2019), with
    /// one multiplication for nearly every draw.
    ///
    /// # Panics
    /// When `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "no number is below 0");
        let mut product = u128::from(self.bits()) * u128::from(bound);
        if (product as u64) < bound {
            // 2^64 modulo `bound`: so many low halves must be thrown away for every result to be as likely.
            let surplus = bound.wrapping_neg() % bound;
            while (product as u64) < surplus {
                product = u128::from(self.bits()) * u128::from(bound);
            }
        }
        (product >> 64) as u64
    }

    /// A number from `min` to `max`, both included, over all of `i64` if need be.
    ///
    /// # Panics
    /// When `min` is above `max`.
    #[inline]
    pub fn between(&mut self, min: i64, max: i64) -> i64 {
        assert!(min <= max, "no number from {min} to {max}");
        let span = max.wrapping_sub(min) as u64;
        let offset = if span == u64::MAX { self.bits() } else { self.below(span + 1) };
        min.wrapping_add(offset as i64)
    }

    /// A value of the range, on one of its steps.
    #[inline]
    pub fn pick(&mut self, range: IntRange) -> i64 {
        if range.step == 1 {
            return self.between(range.min, range.max);
        }
        // A range of steps of 2 or more holds fewer than 2^64 values.
        let index = self.below(range.count() as u64);
        range.nth(u128::from(index))
    }

    /// Puts the items in any order, each as likely: Fisher and Yates, from the end.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u64 + 1);
            items.swap(last, other as usize);
        }
    }

    /// An index into `weights`, each as likely as its weight says.
    ///
    /// # Panics
    /// When all weights are 0.
    pub fn weighted(&mut self, weights: &[u32]) -> usize {
        let total: u64 = weights.iter().map(|weight| u64::from(*weight)).sum();
        let mut at = self.below(total);
        for (index, weight) in weights.iter().enumerate() {
            match at.checked_sub(u64::from(*weight)) {
                Some(rest) => at = rest,
                None => return index,
            }
        }
        unreachable!("the draw is below the total")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rng(seed: u64) -> Rng {
        Key::of_test("p", "f", "t", seed).stream(0)
    }

    #[test]
    fn parts_of_a_key_never_run_into_each_other() {
        let key = |slug, family, name, seed| Key::of_test(slug, family, name, seed).to_hex();
        let all =
            [key("a", "b", "c", 1), key("ab", "", "c", 1), key("a", "bc", "", 1), key("a", "b", "c", 2)];
        for (index, one) in all.iter().enumerate() {
            assert!(!all[..index].contains(one), "{one}");
        }
    }

    /// The draws of `B102`'s measure: no value outside, mean within five deviations, thirds even (chi-squared).
    fn is_uniform(values: &[i64], min: i64, max: i64) -> Result<(), String> {
        let count = values.len() as i128;
        let width = i128::from(max) - i128::from(min) + 1;
        let (mut sum, mut thirds) = (0_i128, [0_i128; 3]);
        for value in values {
            let offset = i128::from(*value) - i128::from(min);
            if !(0..width).contains(&offset) {
                return Err(format!("{value} is outside"));
            }
            sum += offset;
            thirds[(offset * 3 / width) as usize] += 1;
        }
        // |mean - (width-1)/2| < 5 · width / sqrt(12 · count), squared and without fractions: with
        // d = 2 · sum - (width-1) · count it is 3 · d² < 25 · width² · count. Scaled so that nothing overflows.
        let scale = (width >> 30).max(1);
        let d = (2 * sum - (width - 1) * count) / scale;
        let w = width / scale;
        if 3 * d * d >= 25 * w * w * count {
            return Err(format!("the mean is off by {d} / {count} of {w}"));
        }
        let spread: i128 = thirds.iter().map(|third| (3 * third - count).pow(2)).sum();
        if spread >= 30 * 3 * count {
            return Err(format!("thirds {thirds:?}"));
        }
        Ok(())
    }

    #[test]
    fn ranges_of_any_width_are_even() {
        for seed in 1..=5 {
            for (min, max) in [
                (1, 1_000_000),
                (0, 3 * (1 << 30) - 1),
                (-1_000_000_000_000_000_000, 1_000_000_000_000_000_000),
                (0, 2),
                (i64::MIN, i64::MAX),
                (i64::MIN, i64::MIN / 2),
            ] {
                let mut rng = rng(seed);
                let values: Vec<i64> = (0..200_000).map(|_| rng.between(min, max)).collect();
                assert_eq!(is_uniform(&values, min, max), Ok(()), "seed {seed}, {min}..={max}");
            }
        }
    }

    #[test]
    fn the_measure_catches_a_modulo_and_a_short_source() {
        let mut rng = rng(1);
        let modulo: Vec<i64> = (0..200_000).map(|_| (rng.bits() >> 32) as i64 % (3 * (1 << 30))).collect();
        assert!(is_uniform(&modulo, 0, 3 * (1 << 30) - 1).is_err());
        let short: Vec<i64> = (0..200_000).map(|_| 1 + (rng.bits() >> 49) as i64 % 1_000_000).collect();
        assert!(is_uniform(&short, 1, 1_000_000).is_err());
    }

    #[test]
    fn a_shuffle_moves_everything_far() {
        for seed in 1..=5 {
            let count = 1_000_000_i64;
            let mut items: Vec<i64> = (0..count).collect();
            rng(seed).shuffle(&mut items);
            let moved: i64 =
                items.iter().zip(0..).map(|(item, place): (&i64, i64)| (item - place).abs()).sum();
            // About a third of the length on average, to 2 %.
            assert!((moved / count - count / 3).abs() < count / 50, "seed {seed}: {}", moved / count);
            items.sort_unstable();
            assert!(items.iter().copied().eq(0..count));
        }
    }

    #[test]
    fn steps_and_weights_are_kept() {
        let mut rng = rng(1);
        let range = IntRange { min: -3, max: 9, step: 4 };
        let mut seen = [0; 4];
        for _ in 0..1000 {
            let value = rng.pick(range);
            assert!(range.contains(value), "{value}");
            seen[((value + 3) / 4) as usize] += 1;
        }
        assert!(seen.iter().all(|count| (200..300).contains(count)), "{seen:?}");
        let mut drawn = [0; 4];
        for _ in 0..1000 {
            drawn[rng.weighted(&[1, 0, 3, 0])] += 1;
        }
        assert_eq!((drawn[1], drawn[3]), (0, 0));
        assert!((200..300).contains(&drawn[0]), "{drawn:?}");
    }

    /// These values may never change: packages that people have published follow from them.
    #[test]
    fn golden_draws() {
        let key = Key::of_test("stone-game-iii", "max_random", "max_random/01", 1);
        let mut rng = key.stream(0);
        let bits: Vec<u64> = (0..4).map(|_| rng.bits()).collect();
        let mut rng = key.stream(0);
        let narrow: Vec<i64> = (0..8).map(|_| rng.between(-1000, 1000)).collect();
        let mut rng = key.stream(1);
        let wide: Vec<i64> = (0..3).map(|_| rng.between(i64::MIN, i64::MAX)).collect();
        let mut items: Vec<u8> = (0..10).collect();
        rng.shuffle(&mut items);
        let weights: Vec<usize> = (0..8).map(|_| rng.weighted(&[1, 2, 3])).collect();
        assert_eq!(key.to_hex(), "57255aae90aab58ba8d6939b140ed066bd5fe38ba7a738b6f12aeee76d516be7");
        assert_eq!(
            bits,
            [
                10_765_298_929_310_972_617,
                7_051_190_314_660_928_443,
                18_319_431_355_978_786_873,
                3_034_234_479_018_808_090
            ]
        );
        assert_eq!(narrow, [167, -236, 987, -671, -484, 813, -137, -850]);
        assert_eq!(wide, [8_098_008_373_463_141_724, -3_376_162_996_049_941_173, -6_834_264_313_452_548_100]);
        assert_eq!(items, [8, 7, 9, 2, 6, 5, 1, 0, 3, 4]);
        assert_eq!(weights, [2, 1, 2, 1, 0, 2, 0, 0]);
    }

    /// The published key stream of ChaCha with 8 rounds for a key of zeros (eSTREAM test case 1 with 256 bits), so that
    /// the source is the named one and not just always the same.
    #[test]
    fn the_source_is_chacha8() {
        let mut rng = Key([0; 32]).stream(0);
        let stream: Vec<u8> = (0..4).flat_map(|_| rng.bits().to_le_bytes()).collect();
        let published = [
            0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6, 0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09, 0xa5, 0xa1,
            0x2c, 0x84, 0x0e, 0xc3, 0xce, 0x9a, 0x7f, 0x3b, 0x18, 0x1b, 0xe1, 0x88, 0xef, 0x71, 0x1a, 0x1e,
        ];
        assert_eq!(stream, published);
    }
}
