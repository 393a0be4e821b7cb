//! Time and memory limits as types with units: parsing what people type, printing what is in force. Never measures.

use std::fmt;

/// A time limit in whole milliseconds, from 1 ms to 1 hour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeLimit {
    ms: u64,
}

/// A memory limit in bytes, from 1 MiB to 1 TiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemoryLimit {
    bytes: u64,
}

/// Why a limit could not be read. Its text says what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a {what}: expected {expected}")]
pub struct LimitError {
    found: String,
    what: &'static str,
    expected: &'static str,
}

/// The limits of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// CPU time of one run, or of one call in function mode.
    pub time: TimeLimit,
    /// Peak memory of the run's processes together.
    pub memory: MemoryLimit,
}

impl Default for Limits {
    /// The limits without a problem: 2 s and 256 MiB.
    fn default() -> Self {
        Self { time: TimeLimit { ms: 2000 }, memory: MemoryLimit { bytes: 256 << 20 } }
    }
}

const TIME_EXPECTED: &str = "a number with its unit, from 1ms to 1h, as in 1s, 0.5s or 500ms";
const MEMORY_EXPECTED: &str = "a number with its unit, from 1MiB to 1TiB, as in 64MiB, 256MB or 1GiB";

impl TimeLimit {
    /// The longest limit that is accepted.
    pub const MAX: Self = Self { ms: 3_600_000 };

    /// A limit of `ms` milliseconds, or `None` outside 1 ms … 1 h.
    pub fn from_ms(ms: u64) -> Option<Self> {
        (1..=Self::MAX.ms).contains(&ms).then_some(Self { ms })
    }

    /// The limit in milliseconds.
    pub fn ms(self) -> u64 {
        self.ms
    }

    /// Reads `1s`, `0.5s`, `500ms`, `2min`. A bare number is refused, since its unit would be a guess.
    ///
    /// # Errors
    /// When the text is not such a number, is finer than a millisecond, or is outside 1 ms … 1 h.
    pub fn parse(text: &str) -> Result<Self, LimitError> {
        let error = || LimitError { found: text.to_owned(), what: "time limit", expected: TIME_EXPECTED };
        let units = [("ms", 1), ("min", 60_000), ("s", 1000), ("h", 3_600_000)];
        let ms = scaled(text, &units).ok_or_else(error)?;
        Self::from_ms(ms).ok_or_else(error)
    }

    /// Reads how long something may go on, written as a limit is.
    ///
    /// # Errors
    /// As for a limit.
    pub fn parse_duration(text: &str) -> Result<Self, LimitError> {
        Self::parse(text).map_err(|error| LimitError { what: "duration", ..error })
    }

    /// This limit times `factor`, at most [`TimeLimit::MAX`].
    pub fn times(self, factor: f64) -> Self {
        let ms = (self.ms as f64 * factor).ceil() as u64;
        Self { ms: ms.clamp(1, Self::MAX.ms) }
    }
}

impl MemoryLimit {
    /// A limit of `bytes`, or `None` outside 1 MiB … 1 TiB.
    pub fn from_bytes(bytes: u64) -> Option<Self> {
        ((1 << 20)..=(1 << 40)).contains(&bytes).then_some(Self { bytes })
    }

    /// The limit in bytes.
    pub fn bytes(self) -> u64 {
        self.bytes
    }

    /// Reads `64MiB`, `1GiB`, `0.5GiB`, and the decimal `KB`, `MB`, `GB`. A bare number is refused.
    ///
    /// # Errors
    /// When the text is not such a number, or is outside 1 MiB … 1 TiB.
    pub fn parse(text: &str) -> Result<Self, LimitError> {
        let error = || LimitError { found: text.to_owned(), what: "memory limit", expected: MEMORY_EXPECTED };
        let units = [
            ("KiB", 1 << 10),
            ("MiB", 1 << 20),
            ("GiB", 1 << 30),
            ("TiB", 1 << 40),
            ("KB", 1000),
            ("MB", 1_000_000),
            ("GB", 1_000_000_000),
        ];
        let bytes = scaled(text, &units).ok_or_else(error)?;
        Self::from_bytes(bytes).ok_or_else(error)
    }
}

/// `12.5s` with `s` = 1000 is 12500; `None` unless the product is a whole number that fits.
fn scaled(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.' && c != '_')?;
    let (number, unit) = text.split_at(split);
    let scale = units.iter().find(|(name, _)| *name == unit.trim_start())?.1;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |part: &str| -> Option<u128> {
        let part: String = part.chars().filter(|c| *c != '_').collect();
        if part.len() > 18 { None } else { part.parse().ok() }
    };
    let ten = 10u128.pow(u32::try_from(fraction.len().min(18)).ok()?);
    let fraction = if fraction.is_empty() && !number.ends_with('.') { 0 } else { digits(fraction)? };
    let value = (digits(whole)? * ten + fraction) * u128::from(scale);
    if value % ten == 0 { u64::try_from(value / ten).ok() } else { None }
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.ms {
            ms if ms % 1000 == 0 => format!("{}s", ms / 1000),
            ms if ms < 1000 => format!("{ms}ms"),
            ms => format!("{}.{}s", ms / 1000, format!("{:03}", ms % 1000).trim_end_matches('0')),
        };
        f.pad(&text)
    }
}

impl fmt::Display for MemoryLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self.bytes {
            bytes if bytes % (1 << 30) == 0 => format!("{}GiB", bytes >> 30),
            bytes if bytes % (1 << 20) == 0 => format!("{}MiB", bytes >> 20),
            bytes => format!("{:.1}MiB", bytes as f64 / f64::from(1 << 20)),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        for (text, ms) in [
            ("1s", 1000),
            ("0.5s", 500),
            ("500ms", 500),
            ("1.25 s", 1250),
            ("2min", 120_000),
            ("1h", 3_600_000),
        ] {
            assert_eq!(TimeLimit::parse(text).map(TimeLimit::ms), Ok(ms), "{text}");
        }
        for text in [
            "500",
            "",
            "s",
            "-1s",
            "0s",
            "0.0001s",
            "1e3s",
            "1.5.2s",
            "61min",
            "1S",
            "99999999999999999999s",
            "1.s",
        ] {
            assert!(TimeLimit::parse(text).is_err(), "{text}");
            let error = TimeLimit::parse_duration(text).unwrap_err().to_string();
            assert!(error.contains("is not a duration: expected"), "{error}");
        }
    }

    #[test]
    fn memory_is_read_with_its_units() {
        for (text, bytes) in
            [("256MiB", 256 << 20), ("1GiB", 1 << 30), ("0.5GiB", 512 << 20), ("256 MB", 256_000_000)]
        {
            assert_eq!(MemoryLimit::parse(text).map(MemoryLimit::bytes), Ok(bytes), "{text}");
        }
        for text in ["256", "256M", "1KiB", "2TiB", "MiB", "-1MiB"] {
            assert!(MemoryLimit::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_printed_is_read_back() {
        for ms in [1, 500, 999, 1000, 1250, 1_001, 60_000, 3_600_000] {
            let limit = TimeLimit::from_ms(ms).unwrap();
            assert_eq!(TimeLimit::parse(&limit.to_string()), Ok(limit));
        }
        assert_eq!(MemoryLimit::parse("256MiB").unwrap().to_string(), "256MiB");
    }
}
