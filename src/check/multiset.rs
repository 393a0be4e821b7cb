//! Whether two outputs hold the same tokens, each as often, in any order. Memory is bounded: tokens cancel as they are
//! met on both sides, and when too many are waiting the rest is kept as one sum of hashes. A hash is 128 bits wide;
//! nobody can aim at one without knowing the answer, and who knows the answer can print it.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::io;

use sha2::{Digest as _, Sha256};

use super::scan::equal_tokens;
use super::source::{Place, Source, Token};
use super::visible::Excerpt;

/// How many different tokens may wait for their like; about 100 bytes each.
const MAX_WAITING: usize = 1 << 20;
/// How many bytes of a waiting token are kept for a message.
const KEPT_BYTES: usize = 40;

/// What two multisets of tokens have in common.
#[derive(Debug)]
pub(super) struct Balance {
    pub(super) expected: u64,
    pub(super) actual: u64,
    pub(super) same: bool,
    /// The first token of the answer that the output lacks, as far as one is known.
    pub(super) missing: Option<Excerpt>,
    /// The first token of the output that is one too many, and where.
    pub(super) extra: Option<(Excerpt, Place)>,
}

struct Waiting {
    /// Times in the answer minus times in the output.
    surplus: i64,
    /// Which token of its side came first, and where in the output.
    index: u64,
    place: Place,
    len: u64,
    kept_len: u8,
    kept: [u8; KEPT_BYTES],
}

impl Waiting {
    /// The token of `len` bytes at the cursor.
    fn new(source: &mut Source<'_>, side: i64, index: u64, len: usize) -> Self {
        // Of the answer's tokens no place is told.
        let place = if side < 0 { source.place() } else { Place { line: 0, column: 0 } };
        let mut kept = [0; KEPT_BYTES];
        let kept_len = len.min(KEPT_BYTES);
        kept[..kept_len].copy_from_slice(&source.available()[..kept_len]);
        Self { surplus: side, index, place, len: len as u64, kept_len: kept_len as u8, kept }
    }
}

/// The keys are hashes already.
#[derive(Default)]
struct Unhashed(u64);

impl Hasher for Unhashed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u128(&mut self, key: u128) {
        self.0 = key as u64 ^ (key >> 64) as u64;
    }
}

struct Ledger {
    waiting: HashMap<u128, Waiting, BuildHasherDefault<Unhashed>>,
    /// The sum over tokens that found no room to wait, and their number.
    sum: u128,
    overflowed: bool,
    max_waiting: usize,
}

/// Reads both streams to their ends and weighs their tokens against each other.
pub(super) fn weigh(expected: Source<'_>, actual: Source<'_>) -> io::Result<Balance> {
    weigh_within(expected, actual, MAX_WAITING)
}

fn weigh_within(mut expected: Source<'_>, mut actual: Source<'_>, max_waiting: usize) -> io::Result<Balance> {
    let mut ledger = Ledger { waiting: HashMap::default(), sum: 0, overflowed: false, max_waiting };
    let (mut wanted, mut found) = (0, 0);
    // One token of each in turn, so that outputs in about the right order need next to no memory.
    loop {
        // Tokens that stand in the same place on both sides cancel without being entered.
        let (left, right, same) = equal_tokens(expected.available(), actual.available());
        expected.consume(left);
        actual.consume(right);
        (wanted, found) = (wanted + same, found + same);
        let more = ledger.take(&mut expected, 1, &mut wanted)?;
        if !ledger.take(&mut actual, -1, &mut found)? && !more {
            return Ok(ledger.balance(wanted, found));
        }
    }
}

impl Ledger {
    /// Enters the next token of `source`; `false` when there is none.
    fn take(&mut self, source: &mut Source<'_>, side: i64, index: &mut u64) -> io::Result<bool> {
        source.skip_space(&mut |_| {})?;
        let token = source.token()?;
        if token == Token::None {
            return Ok(false);
        }
        *index += 1;
        if let Token::Whole(len) = token {
            let hash = token_hash(&source.available()[..len]);
            if !self.cancel(hash, side) {
                let waiting = Waiting::new(source, side, *index, len);
                self.enter(hash, waiting);
            }
            source.consume(len);
        } else {
            let mut waiting = Waiting::new(source, side, *index, KEPT_BYTES);
            let (hash, len) = long_hash(source)?;
            waiting.len = len;
            if !self.cancel(hash, side) {
                self.enter(hash, waiting);
            }
        }
        Ok(true)
    }

    /// Counts the token against those that wait with the same hash; `false` when there are none.
    fn cancel(&mut self, hash: u128, side: i64) -> bool {
        let Some(waiting) = self.waiting.get_mut(&hash) else { return false };
        waiting.surplus += side;
        if waiting.surplus == 0 {
            self.waiting.remove(&hash);
        }
        true
    }

    fn enter(&mut self, hash: u128, token: Waiting) {
        if self.waiting.len() < self.max_waiting {
            self.waiting.insert(hash, token);
        } else {
            self.overflowed = true;
            self.sum = self.sum.wrapping_add(hash.wrapping_mul(i128::from(token.surplus) as u128));
        }
    }

    fn balance(self, expected: u64, actual: u64) -> Balance {
        let sum = self.waiting.iter().fold(self.sum, |sum, (hash, waiting)| {
            sum.wrapping_add(hash.wrapping_mul(i128::from(waiting.surplus) as u128))
        });
        let same = expected == actual && sum == 0;
        let first = |sign: i64| {
            // What waits may have its like among those that found no room.
            let known = !same && !self.overflowed;
            let of_sign = self.waiting.values().filter(|waiting| known && waiting.surplus.signum() == sign);
            of_sign.min_by_key(|waiting| waiting.index)
        };
        let excerpt = |waiting: &Waiting| Excerpt {
            bytes: waiting.kept[..usize::from(waiting.kept_len)].to_vec(),
            before: 0,
            len: waiting.len,
        };
        let missing = first(1).map(excerpt);
        let extra = first(-1).map(|waiting| (excerpt(waiting), waiting.place));
        Balance { expected, actual, same, missing, extra }
    }
}

/// A hash of a token that is in memory: two lanes of 64-bit multiplications folded together, as wyhash mixes.
pub(crate) fn token_hash(token: &[u8]) -> u128 {
    const KEYS: [u64; 2] = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];
    let mix = |state: u64, word: u64, key: u64| {
        let product = u128::from(state ^ word) * u128::from(key);
        (product as u64 ^ (product >> 64) as u64).wrapping_add(key)
    };
    let (words, last) = token.as_chunks::<8>();
    let mut lanes = [token.len() as u64 ^ KEYS[1], KEYS[0].wrapping_mul(token.len() as u64 | 1)];
    let mut enter = |word: u64| {
        lanes[0] = mix(lanes[0], word, KEYS[0]);
        lanes[1] = mix(lanes[1], word.rotate_left(32), KEYS[1]);
    };
    for word in words {
        enter(u64::from_le_bytes(*word));
    }
    let mut padded = [0; 8];
    padded[..last.len()].copy_from_slice(last);
    enter(u64::from_le_bytes(padded));
    enter(0x5bd1_e995);
    u128::from(lanes[0]) << 64 | u128::from(lanes[1])
}

/// A hash of the long token at the cursor, and its length; the cursor is behind it then.
fn long_hash(source: &mut Source<'_>) -> io::Result<(u128, u64)> {
    let (mut digest, mut len) = (Sha256::new(), 0);
    loop {
        let piece = source.piece()?;
        let bytes = piece.len();
        if bytes == 0 {
            let digest = digest.finalize();
            let half = digest.first_chunk::<16>().copied().unwrap_or_default();
            return Ok((u128::from_le_bytes(half), len));
        }
        digest.update(piece);
        len += bytes as u64;
        source.consume(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balance(expected: &str, actual: &str, max_waiting: usize) -> Balance {
        let (mut left, mut right) = (expected.as_bytes(), actual.as_bytes());
        let source = |reader| Source::with_sizes(reader, 256, 64);
        weigh_within(source(&mut left), source(&mut right), max_waiting).unwrap()
    }

    #[test]
    fn order_does_not_matter_and_number_does_with_little_room_too() {
        let long = "z".repeat(500);
        for room in [0, 1, 2, 100] {
            assert!(balance(&format!("a b {long} a"), &format!("{long} a\na b "), room).same);
            assert!(!balance("a b a", "b a b", room).same);
            assert!(!balance("a", "a a", room).same && !balance("a a", "a", room).same);
            assert!(!balance(&long, &format!("{long}z"), room).same);
            assert!(balance("", " \n", room).same && !balance("a b", "ab", room).same);
        }
    }

    #[test]
    fn one_token_missing_and_one_too_many_are_named() {
        let found = balance("5 6 7 8", "8 9\n7 6", 100);
        let (extra, place) = found.extra.unwrap();
        assert_eq!(found.missing.unwrap().quote(0), "\"5\"");
        assert_eq!((extra.quote(0).as_str(), place), ("\"9\"", Place { line: 1, column: 3 }));
    }

    #[test]
    fn hashes_of_short_tokens_differ() {
        let mut seen = std::collections::HashSet::new();
        for number in 0..20_000_u32 {
            for token in [
                number.to_string(),
                format!("{number:032}"),
                format!("-{number}"),
                "0".repeat(number as usize % 300 + 40),
            ] {
                seen.insert((token_hash(token.as_bytes()), token));
            }
        }
        let hashes: std::collections::HashSet<u128> = seen.iter().map(|(hash, _)| *hash).collect();
        assert_eq!(hashes.len(), seen.len());
    }
}
