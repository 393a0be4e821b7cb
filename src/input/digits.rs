//! Numbers to decimal text, many at a time: three digits a step from a table, and each number put down by stores of a
//! fixed width. Knows nothing of inputs.

/// A text under way. What was written reaches `out` when the writer is finished.
pub(super) struct Digits<'a> {
    out: &'a mut Vec<u8>,
    chunk: [u8; CHUNK_BYTES],
    used: usize,
}

const CHUNK_BYTES: usize = 4096;
/// The longest number with the byte after it, and what its last store may write beyond.
const ROOM_BYTES: usize = 32;

/// For each number below 1000 its three digits, the first in the lowest byte, and in the highest byte how many leading
/// zeros they have; 0 itself keeps one digit.
static TRIPLES: [u32; 1000] = {
    let mut table = [0; 1000];
    let mut number = 0;
    while number < 1000 {
        let digits = [number / 100, number / 10 % 10, number % 10];
        let zeros = if number < 10 {
            2
        } else if number < 100 {
            1
        } else {
            0
        };
        table[number as usize] = u32::from_le_bytes([
            b'0' + digits[0] as u8,
            b'0' + digits[1] as u8,
            b'0' + digits[2] as u8,
            zeros,
        ]);
        number += 1;
    }
    table
};

impl<'a> Digits<'a> {
    pub(super) fn to(out: &'a mut Vec<u8>) -> Self {
        Self { out, chunk: [0; CHUNK_BYTES], used: 0 }
    }

    /// Appends the number and then `after`.
    #[inline]
    pub(super) fn number(&mut self, value: i64, after: u8) {
        if self.used > CHUNK_BYTES - ROOM_BYTES {
            self.flush();
        }
        self.chunk[self.used] = b'-';
        self.used += usize::from(value < 0);
        let magnitude = value.unsigned_abs();
        match magnitude {
            0..1000 => self.first(magnitude),
            1000..1_000_000 => {
                self.first(magnitude / 1000);
                self.next(magnitude % 1000);
            }
            _ => self.long(magnitude),
        }
        self.chunk[self.used] = after;
        self.used += 1;
    }

    /// Appends one byte.
    pub(super) fn byte(&mut self, byte: u8) {
        if self.used > CHUNK_BYTES - ROOM_BYTES {
            self.flush();
        }
        self.chunk[self.used] = byte;
        self.used += 1;
    }

    pub(super) fn finish(mut self) {
        self.flush();
    }

    fn flush(&mut self) {
        self.out.extend_from_slice(&self.chunk[..self.used]);
        self.used = 0;
    }

    /// The leading digits of a number, below 1000, without leading zeros.
    #[inline]
    fn first(&mut self, triple: u64) {
        let digits = TRIPLES[triple as usize];
        let zeros = digits >> 24;
        self.store(digits >> (8 * zeros));
        self.used += 3 - zeros as usize;
    }

    /// Three digits that follow others.
    #[inline]
    fn next(&mut self, triple: u64) {
        self.store(TRIPLES[triple as usize]);
        self.used += 3;
    }

    #[inline]
    fn store(&mut self, digits: u32) {
        self.chunk[self.used..self.used + 4].copy_from_slice(&digits.to_le_bytes());
    }

    fn long(&mut self, magnitude: u64) {
        let mut triples = [0; 7];
        let (mut rest, mut count) = (magnitude, 0);
        while rest > 0 {
            triples[count] = rest % 1000;
            rest /= 1000;
            count += 1;
        }
        self.first(triples[count - 1]);
        for triple in triples[..count - 1].iter().rev() {
            self.next(*triple);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_standard_library_writes_them() {
        let around = |middle: i64| (-2..=2).map(move |step: i64| middle.saturating_add(step));
        let powers = (0..19).flat_map(|power| around(10_i64.pow(power)));
        let ends = [i64::MIN, i64::MAX, 0].into_iter().flat_map(around);
        let mut numbers: Vec<i64> = powers.chain(ends).chain(-2100..2100).collect();
        numbers.extend(numbers.clone().into_iter().map(i64::wrapping_neg));
        let mut text = b"before ".to_vec();
        let mut digits = Digits::to(&mut text);
        digits.byte(b'\n');
        for number in &numbers {
            digits.number(*number, b' ');
        }
        digits.finish();
        let expected: String = numbers.iter().map(|number| format!("{number} ")).collect();
        assert_eq!(String::from_utf8(text).unwrap(), format!("before \n{expected}"));
    }
}
