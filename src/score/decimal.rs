//! Decimal numbers as people and checkers write them, exactly: points in hundredths, and the finer numbers that a
//! checker gives. Never a float but for showing.

use std::fmt;

use serde::{Serialize, Serializer};

/// Points in hundredths: what a subtask is worth, and what was won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points {
    hundredths: u64,
}

/// Why a number cannot be points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointsError {
    /// It is not written as a plain decimal number.
    #[error("expected a number without sign or exponent, as in 30 or 33.33")]
    Form,
    /// It is finer than a hundredth.
    #[error("expected two decimals at most, as in 33.33")]
    Fine,
    /// It is too large.
    #[error("expected 0 to {}", Points::MAX)]
    Large,
}

impl Points {
    /// No points.
    pub const ZERO: Self = Self { hundredths: 0 };
    /// The most that one subtask may give.
    pub const MAX: Self = Self { hundredths: 100_000_000 };

    /// So many hundredths of a point.
    pub const fn from_hundredths(hundredths: u64) -> Self {
        Self { hundredths }
    }

    /// The number of hundredths.
    pub const fn hundredths(self) -> u64 {
        self.hundredths
    }

    /// Reads `30`, `33.3` or `33.33`.
    ///
    /// # Errors
    /// When it is no such number, or more than [`Points::MAX`].
    pub fn parse(text: &str) -> Result<Self, PointsError> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
        if !is_number(whole) || !is_number(fraction) {
            return Err(PointsError::Form);
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.len() > 2 {
            return Err(PointsError::Fine);
        }
        let hundredths: u64 = format!("{whole}{fraction:0<2}").parse().map_err(|_| PointsError::Large)?;
        let points = Self { hundredths };
        if points > Self::MAX { Err(PointsError::Large) } else { Ok(points) }
    }
}

impl std::iter::Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        Self { hundredths: points.map(|it| it.hundredths).fold(0, u64::saturating_add) }
    }
}

impl fmt::Display for Points {
    /// As in `30`, `0.5`, `33.33`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.hundredths / 100, self.hundredths % 100);
        match rest {
            0 => write!(f, "{whole}"),
            _ if rest.is_multiple_of(10) => write!(f, "{whole}.{}", rest / 10),
            _ => write!(f, "{whole}.{rest:02}"),
        }
    }
}

impl Serialize for Points {
    /// As a number with as many decimals as it needs.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.hundredths % 100 {
            0 => serializer.serialize_u64(self.hundredths / 100),
            // Below 2^53 the quotient is the float nearest to the decimal, which is written as that decimal again.
            _ => serializer.serialize_f64(self.hundredths as f64 / 100.0),
        }
    }
}

/// Decimals of a [`Decimal`]: more than any float prints.
const PLACES: usize = 18;
/// How many of its smallest parts make one.
pub(super) const ONE: u128 = 10_u128.pow(PLACES as u32);
/// The largest number that a checker may give.
const MAX_WHOLE: u128 = 1_000_000_000;
/// The longest number that is read.
const MAX_TEXT_BYTES: usize = 400;

/// A number of a checker's, not negative, exact to 18 decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal {
    pub(super) parts: u128,
}

impl Decimal {
    /// Reads `0.5`, `.5`, `5.`, `12`, `2.5e-1`; what is beyond 18 decimals is cut off. `None` for anything else, a
    /// negative number, or one above a thousand million.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_TEXT_BYTES {
            return None;
        }
        let text = text.strip_prefix('+').unwrap_or(text);
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        // The value is digits × 10^-scale.
        let scale = i64::try_from(fraction.len()).ok()? - i64::from(exponent);
        let digits = digits.trim_start_matches('0');
        let shift = PLACES as i64 - scale;
        let parts = if digits.is_empty() {
            0
        } else if shift < 0 {
            let kept = digits.len().saturating_sub(usize::try_from(-shift).ok()?);
            if kept == 0 { 0 } else { digits[..kept].parse().ok()? }
        } else {
            let digits: u128 = digits.parse().ok()?;
            digits.checked_mul(10_u128.checked_pow(u32::try_from(shift).ok()?)?)?
        };
        (parts <= MAX_WHOLE * ONE).then_some(Self { parts })
    }

    /// Which part of a whole number this is; `None` of nothing.
    pub fn of(self, whole: u64) -> Option<Self> {
        self.parts.checked_div(u128::from(whole)).map(|parts| Self { parts })
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.parts == 0
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.parts / ONE, self.parts % ONE);
        if rest == 0 {
            return write!(f, "{whole}");
        }
        let fraction = format!("{rest:0>PLACES$}");
        write!(f, "{whole}.{}", fraction.trim_end_matches('0'))
    }
}

impl Serialize for Decimal {
    /// As a number, for showing: the nearest that a float holds.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.parts % ONE {
            // Not above a thousand million.
            0 => serializer.serialize_u64((self.parts / ONE) as u64),
            _ => serializer.serialize_f64(self.to_string().parse().unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_and_shown_as_they_are_written() {
        for (text, hundredths, shown) in [
            ("30", 3000, "30"),
            ("33.33", 3333, "33.33"),
            ("0.50", 50, "0.5"),
            ("7.05", 705, "7.05"),
            ("0", 0, "0"),
        ] {
            let points = Points::parse(text).unwrap();
            assert_eq!((points.hundredths(), points.to_string().as_str()), (hundredths, shown));
            assert_eq!(serde_json::to_string(&points).unwrap(), shown);
        }
        for (text, error) in [
            ("-1", PointsError::Form),
            ("1e2", PointsError::Form),
            ("", PointsError::Form),
            (".5", PointsError::Form),
            ("inf", PointsError::Form),
            ("33.333", PointsError::Fine),
            ("1000000.01", PointsError::Large),
            ("99999999999999999999", PointsError::Large),
        ] {
            assert_eq!(Points::parse(text), Err(error), "{text}");
        }
        assert_eq!(Points::parse("1000000"), Ok(Points::MAX));
    }

    #[test]
    fn what_checkers_print_is_read_exactly() {
        for (text, shown) in [
            ("0.5", "0.5"),
            (".5", "0.5"),
            ("5.", "5"),
            ("+12", "12"),
            ("2.5e-1", "0.25"),
            ("1e-05", "0.00001"),
            ("1E2", "100"),
            ("0.30000000000000004", "0.30000000000000004"),
            ("0.1234567890123456789", "0.123456789012345678"),
            ("1e-400", "0"),
            ("0e99999", "0"),
            ("0000000000000000000000000000000000000000000000001", "1"),
        ] {
            assert_eq!(Decimal::parse(text).map(|it| it.to_string()).as_deref(), Some(shown), "{text}");
        }
        for text in ["", ".", "-0.5", "nan", "inf", "0x1", "1,5", "1e", "1e10", "1e99999999999", "1 2", "٣"]
        {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }
}
