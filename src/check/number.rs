//! Numbers as outputs write them, and whether two are near enough: quickly in binary where that is certain, in exact
//! decimal arithmetic near the boundary. Never reads a hexadecimal number, and never rounds a decision.

use std::cmp::Ordering;
use std::fmt;

/// Significant digits of a number that are kept; what is behind them cannot change a decision by more than one part
/// in 10 to this.
const MAX_DIGITS: usize = 4096;
/// Decimal places over which two numbers are lined up. Of numbers further apart the smaller one's last digits go.
const MAX_PLACES: i64 = 3 * MAX_DIGITS as i64;
/// Where exponents stop growing.
const MAX_EXPONENT: i64 = 1 << 50;
/// The longest text of a tolerance.
const MAX_TOLERANCE_BYTES: usize = 40;

/// How far a number may be off, above 0 and below 1, kept as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tolerance {
    text: String,
    value: Decimal,
}

impl Tolerance {
    /// Reads a decimal number above 0 and below 1.
    pub fn parse(text: &str) -> Option<Self> {
        let Reading::Number(value) = read(text.as_bytes()) else { return None };
        let sensible = !value.negative && !value.digits.is_empty() && value.exponent <= 0;
        (sensible && text.len() <= MAX_TOLERANCE_BYTES).then(|| Self { text: text.to_owned(), value })
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A decimal number: `0.d₁d₂d₃… × 10^exponent`, without zeros at either end of the digits. No digits at all is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// `[+-]? (D*.D+ | D+. | D+) ([eE][+-]?D+)?`
    Number(Decimal),
    /// `nan` in any case, with or without a sign.
    Nan,
    /// `inf` or `infinity` in any case.
    Infinite {
        /// With a minus sign.
        negative: bool,
    },
    /// Anything else.
    Text,
}

/// The largest absolute and the largest relative error; one is enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Nearness {
    absolute: Option<Bound>,
    relative: Option<Bound>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Bound {
    exact: Decimal,
    /// The same, rounded: only ever used where the rounding can't matter.
    rounded_bits: u64,
}

impl Nearness {
    pub(super) fn new(absolute: Option<&Tolerance>, relative: Option<&Tolerance>) -> Self {
        let bound = |tolerance: Option<&Tolerance>| {
            tolerance.map(|tolerance| Bound {
                exact: tolerance.value.clone(),
                rounded_bits: tolerance.text.parse::<f64>().unwrap_or(0.0).to_bits(),
            })
        };
        Self { absolute: bound(absolute), relative: bound(relative) }
    }

    /// Whether the number `actual` is near enough to `expected`: an error of exactly the tolerance is. The relative
    /// error is that against `expected`.
    pub(super) fn holds(&self, expected: &[u8], actual: &[u8]) -> bool {
        let rounded =
            |token: &[u8]| std::str::from_utf8(token).ok().and_then(|text| text.parse::<f64>().ok());
        if let (Some(want), Some(got)) = (rounded(expected), rounded(actual))
            && let Some(certain) = self.holds_surely(want, got)
        {
            return certain;
        }
        match (read(expected), read(actual)) {
            (Reading::Number(want), Reading::Number(got)) => self.holds_exactly(&want, &got),
            _ => false,
        }
    }

    /// The answer when binary arithmetic with all its rounding leaves no doubt.
    fn holds_surely(&self, want: f64, got: f64) -> Option<bool> {
        let error = (want - got).abs();
        if !want.is_finite() || !got.is_finite() || !error.is_finite() {
            return None;
        }
        let bound =
            |bound: &Option<Bound>| bound.as_ref().map_or(0.0, |bound| f64::from_bits(bound.rounded_bits));
        let allowed = bound(&self.absolute).max(bound(&self.relative) * want.abs());
        // The last term stands for numbers too small for binary, whose rounding is not relative.
        let doubt = (want.abs() + got.abs() + error + allowed) * (4.0 * f64::EPSILON) + 1e-280;
        if error + doubt < allowed {
            Some(true)
        } else if error - doubt > allowed {
            Some(false)
        } else {
            None
        }
    }

    /// The answer in decimal arithmetic.
    pub(super) fn holds_exactly(&self, want: &Decimal, got: &Decimal) -> bool {
        let error = want.distance(got);
        let within = |bound: &Option<Bound>, of: Option<&Decimal>| {
            bound.as_ref().is_some_and(|bound| {
                let allowed = of.map_or_else(|| bound.exact.clone(), |of| bound.exact.times(of));
                error.compare_size(&allowed) != Ordering::Greater
            })
        };
        within(&self.absolute, None) || within(&self.relative, Some(want))
    }
}

/// The smaller of the absolute and the relative error, roughly: for messages, not for decisions.
pub(super) fn rough_error(expected: &[u8], actual: &[u8]) -> Option<f64> {
    let rounded = |token: &[u8]| std::str::from_utf8(token).ok()?.parse::<f64>().ok();
    let (want, got) = (rounded(expected)?, rounded(actual)?);
    let absolute = (want - got).abs();
    let error = if want == 0.0 { absolute } else { absolute.min(absolute / want.abs()) };
    error.is_finite().then_some(error)
}

/// What the whole token is.
pub(super) fn read(token: &[u8]) -> Reading {
    let mut reader = NumberReader::default();
    reader.feed(token);
    reader.finish()
}

/// Whether the token is a number by the grammar of [`Reading::Number`]; keeps nothing.
pub(super) fn is_number(token: &[u8]) -> bool {
    let mut state = State::Start;
    token.iter().all(|byte| {
        state = state.next(*byte);
        state != State::Text
    }) && state.is_complete()
}

/// Reads a number in pieces of any size, keeping at most [`MAX_DIGITS`] of it.
#[derive(Clone, Debug)]
pub(super) struct NumberReader {
    state: State,
    value: Decimal,
    power: i64,
    power_negative: bool,
    /// The first bytes, for the words that stand for no number.
    word: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Start,
    Signed,
    Whole,
    /// A point without a digit before it.
    BarePoint,
    Fraction,
    PowerMark,
    PowerSign,
    Power,
    Text,
}

impl State {
    #[inline]
    fn next(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Start, b'+' | b'-') => Self::Signed,
            (Self::Start | Self::Signed | Self::Whole, b'0'..=b'9') => Self::Whole,
            (Self::Start | Self::Signed, b'.') => Self::BarePoint,
            (Self::Whole, b'.') | (Self::BarePoint | Self::Fraction, b'0'..=b'9') => Self::Fraction,
            (Self::Whole | Self::Fraction, b'e' | b'E') => Self::PowerMark,
            (Self::PowerMark, b'+' | b'-') => Self::PowerSign,
            (Self::PowerMark | Self::PowerSign | Self::Power, b'0'..=b'9') => Self::Power,
            _ => Self::Text,
        }
    }

    fn is_complete(self) -> bool {
        matches!(self, Self::Whole | Self::Fraction | Self::Power)
    }
}

impl Default for NumberReader {
    fn default() -> Self {
        Self {
            state: State::Start,
            value: Decimal::default(),
            power: 0,
            power_negative: false,
            word: Vec::new(),
        }
    }
}

impl NumberReader {
    pub(super) fn feed(&mut self, piece: &[u8]) {
        const LONGEST_WORD: usize = "+infinity".len();
        let room = (LONGEST_WORD + 1).saturating_sub(self.word.len()).min(piece.len());
        self.word.extend_from_slice(&piece[..room]);
        for byte in piece {
            if self.state == State::Text {
                return;
            }
            let before = self.state;
            self.state = before.next(*byte);
            match self.state {
                State::Signed => self.value.negative = *byte == b'-',
                State::Whole => self.whole_digit(byte - b'0'),
                State::Fraction if *byte != b'.' => self.fraction_digit(byte - b'0'),
                State::PowerSign => self.power_negative = *byte == b'-',
                State::Power => {
                    self.power = (self.power * 10 + i64::from(byte - b'0')).min(MAX_EXPONENT);
                }
                _ => {}
            }
        }
    }

    fn whole_digit(&mut self, digit: u8) {
        if digit != 0 || !self.value.digits.is_empty() {
            self.value.exponent += 1;
            self.keep(digit);
        }
    }

    fn fraction_digit(&mut self, digit: u8) {
        if digit == 0 && self.value.digits.is_empty() {
            self.value.exponent -= 1;
        } else {
            self.keep(digit);
        }
    }

    fn keep(&mut self, digit: u8) {
        if self.value.digits.len() < MAX_DIGITS {
            self.value.digits.push(digit);
        }
    }

    pub(super) fn finish(mut self) -> Reading {
        if self.state.is_complete() {
            let power = if self.power_negative { -self.power } else { self.power };
            self.value.exponent += power;
            self.value.normalize();
            return Reading::Number(self.value);
        }
        let (negative, word) = match self.word.split_first() {
            Some((b'-', rest)) => (true, rest),
            Some((b'+', rest)) => (false, rest),
            _ => (false, &self.word[..]),
        };
        if word.eq_ignore_ascii_case(b"nan") {
            Reading::Nan
        } else if word.eq_ignore_ascii_case(b"inf") || word.eq_ignore_ascii_case(b"infinity") {
            Reading::Infinite { negative }
        } else {
            Reading::Text
        }
    }
}

impl Decimal {
    fn normalize(&mut self) {
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        self.exponent -= zeros as i64;
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.exponent = 0;
        }
    }

    /// Compares without regard to signs.
    fn compare_size(&self, other: &Self) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self.exponent.cmp(&other.exponent).then_with(|| self.digits.cmp(&other.digits)),
        }
    }

    /// The digit that stands for `10^place`.
    fn digit(&self, place: i64) -> u8 {
        let index = self.exponent - 1 - place;
        usize::try_from(index).ok().and_then(|index| self.digits.get(index)).copied().unwrap_or(0)
    }

    /// `|self - other|`.
    fn distance(&self, other: &Self) -> Self {
        if self.digits.is_empty() || other.digits.is_empty() {
            let rest = if self.digits.is_empty() { other } else { self };
            return Self { negative: false, ..rest.clone() };
        }
        let (large, small) =
            if self.compare_size(other) == Ordering::Less { (other, self) } else { (self, other) };
        let top = large.exponent + 1;
        let lowest = |value: &Self| value.exponent - value.digits.len() as i64;
        let bottom = lowest(large).min(lowest(small)).max(top - MAX_PLACES);
        let subtract = self.negative == other.negative;
        let mut digits = vec![0; usize::try_from(top - bottom).unwrap_or(0)];
        let mut carry = 0;
        for (place, result) in (bottom..top).zip(digits.iter_mut().rev()) {
            let other = small.digit(place) as i8;
            let sum = large.digit(place) as i8 + carry + if subtract { -other } else { other };
            carry = sum.div_euclid(10);
            *result = sum.rem_euclid(10) as u8;
        }
        let mut distance = Self { negative: false, digits, exponent: top };
        distance.normalize();
        distance
    }

    /// `|self × other|`, by long multiplication: one of the two is a tolerance and short.
    fn times(&self, other: &Self) -> Self {
        let mut digits = vec![0_u8; self.digits.len() + other.digits.len()];
        for (index, left) in self.digits.iter().enumerate().rev() {
            let mut carry = 0;
            for (offset, right) in other.digits.iter().enumerate().rev() {
                let cell = &mut digits[index + offset + 1];
                let sum = *cell + left * right + carry;
                *cell = sum % 10;
                carry = sum / 10;
            }
            digits[index] = carry;
        }
        let mut product = Self { negative: false, digits, exponent: self.exponent + other.exponent };
        product.normalize();
        product
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(eps: &str, expected: &str, actual: &str) -> bool {
        let eps = Tolerance::parse(eps).unwrap();
        Nearness::new(Some(&eps), Some(&eps)).holds(expected.as_bytes(), actual.as_bytes())
    }

    #[test]
    fn the_grammar_of_numbers() {
        for text in ["0", "1e5", "1E+05", ".5", "5.", "+3.25", "0003.25", "-0.0", "5.e3", "1e-400"] {
            assert!(is_number(text.as_bytes()), "{text}");
            assert!(matches!(read(text.as_bytes()), Reading::Number(_)), "{text}");
        }
        for text in
            ["", ".", "+", "e5", "1e", "1e+", "0x1", "1,5", "1.0.0", "1_0", "1.0f", "1d0", "--1", "½", ".e1"]
        {
            assert!(!is_number(text.as_bytes()), "{text}");
            assert_eq!(read(text.as_bytes()), Reading::Text, "{text}");
        }
        assert_eq!(read(b"-NaN"), Reading::Nan);
        assert_eq!(read(b"nan(0x1)"), Reading::Text);
        assert_eq!(read(b"-Infinity"), Reading::Infinite { negative: true });
        assert_eq!(read(b"infinityx"), Reading::Text);
    }

    #[test]
    fn an_error_of_exactly_the_tolerance_is_accepted() {
        assert!(near("1e-6", "1.0", "1.000001"));
        assert!(near("1e-6", "0.1", "0.100001000"));
        assert!(!near("1e-6", "0.1", "0.100001000000000000000000000000000000001"));
        assert!(near("1e-6", "331997010.5", "331997342.4970105"));
        assert!(!near("1e-6", "331997010.5", "331997342.49701050000000000001"));
        assert!(near("1e-6", "-1000000", "-1000001"));
        assert!(near("1e-6", "0", "-0.000001") && !near("1e-6", "0", "0.0000010000001"));
    }

    #[test]
    fn numbers_beyond_binary_are_compared_too() {
        assert!(near("1e-6", "1e400", "1.0000005e400") && !near("1e-6", "1e400", "1.000002e400"));
        assert!(near("1e-6", "1e-400", "0") && near("1e-6", "0e999999999999999999999", "0"));
        assert!(!near("1e-6", "2.5", "1e999999999999999999999"));
        assert!(near("1e-6", "2.5e-999999999999999999", "1e-7"));
        let long = format!("-1{}88888{}.000", "0".repeat(30), "0".repeat(135));
        let other = format!("-1{}88888{}1.5", "0".repeat(30), "0".repeat(134));
        assert!(near("1e-6", &long, &other));
        assert!(!near("1e-6", &long, &other[1..]));
    }

    #[test]
    fn a_tolerance_is_between_nothing_and_one() {
        for text in ["1e-6", "0.5", ".001", "9.99e-1"] {
            assert_eq!(Tolerance::parse(text).map(|eps| eps.to_string()).as_deref(), Some(text));
        }
        for text in ["0", "1", "-1e-6", "1e0", "nan", "0x1p-3", "", "1e-6 "] {
            assert_eq!(Tolerance::parse(text), None, "{text}");
        }
    }

    proptest! {
        /// In whole numbers the decision can be computed another way.
        #[test]
        fn decimals_decide_as_whole_numbers_do(
            want in -2_000_000_000_i64..2_000_000_000,
            off in -3_000_i64..3_000,
            places in 0_usize..12,
        ) {
            let got = want + off;
            let write = |value: i64| {
                let digits = format!("{:0>width$}", value.unsigned_abs(), width = places + 1);
                let (whole, fraction) = digits.split_at(digits.len() - places);
                format!("{}{whole}.{fraction}", if value < 0 { "-" } else { "" })
            };
            let scale = 10_i128.pow(places as u32);
            let error = i128::from(off.abs());
            let expected = error * 1_000_000 <= i128::from(want.abs()) || error * 1_000_000 <= scale;
            prop_assert_eq!(near("1e-6", &write(want), &write(got)), expected);
            let (Reading::Number(want), Reading::Number(got)) = (read(write(want).as_bytes()), read(write(got).as_bytes()))
            else { return Err(TestCaseError::fail("not numbers")) };
            let eps = Tolerance::parse("0.000001").unwrap();
            prop_assert_eq!(Nearness::new(Some(&eps), Some(&eps)).holds_exactly(&want, &got), expected);
        }

        #[test]
        fn pieces_read_as_the_whole_does(text in "[+-]?[0-9]{0,9}[.]?[0-9]{0,9}(e[+-]?[0-9]{1,4})?", cut in 0_usize..20) {
            let cut = cut.min(text.len());
            let mut reader = NumberReader::default();
            reader.feed(&text.as_bytes()[..cut]);
            reader.feed(&text.as_bytes()[cut..]);
            prop_assert_eq!(matches!(reader.clone().finish(), Reading::Number(_)), is_number(text.as_bytes()));
            prop_assert_eq!(reader.finish(), read(text.as_bytes()));
        }
    }
}
