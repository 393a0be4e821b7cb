//! Instants and lengths of time as people write them. Never reads a clock, and never guesses a zone.

use jiff::Timestamp;
use jiff::civil::DateTime;

use crate::contest::roster::excerpt;

/// Why a time could not be read: what was found and what was expected, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct TimeError {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// The longest length of time: somewhat more than a year, for those who set work for a term.
pub const MAX_DURATION_MS: i64 = 400 * 24 * 3_600_000;
/// Longer texts are no times.
const MAX_TEXT_BYTES: usize = 100;
/// 2000-01-01 and 2200-01-01: instants outside are slips of the finger.
const INSTANTS_MS: std::ops::Range<i64> = 946_684_800_000..7_258_118_400_000;
const UNITS: [(&str, i64); 5] =
    [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000), ("ms", 1)];

/// Reads `5h`, `1h30min`, `1h 30min`, `90min`, `2d`, as milliseconds. A bare number is refused, since its unit would
/// be a guess.
///
/// # Errors
/// When it is not written so, when a unit comes twice or after a smaller one, or when it is nothing or too long.
pub fn parse_duration(text: &str) -> Result<i64, TimeError> {
    let error = |what: &str| TimeError {
        message: format!("`{}` is not a length of time: {what}", excerpt(text)),
        help: "write it with its units, as in \"5h\", \"1h30min\" or \"90min\"".to_owned(),
    };
    if text.len() > MAX_TEXT_BYTES {
        return Err(error("it is too long"));
    }
    let (mut rest, mut sum_ms, mut smallest_ms) = (text.trim(), 0_i64, i64::MAX);
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let letters = rest[digits..].trim_start();
        let word = letters.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (number, unit) = (&rest[..digits], &letters[..word]);
        if number.is_empty() {
            return Err(error("expected a whole number, then its unit"));
        }
        let unit = if unit == "m" { "min" } else { unit };
        let Some((_, unit_ms)) = UNITS.iter().find(|(name, _)| *name == unit) else {
            return Err(error("expected a unit out of d, h, min and s after each number"));
        };
        if *unit_ms >= smallest_ms {
            return Err(error("expected the larger unit first, and each one once"));
        }
        smallest_ms = *unit_ms;
        let part_ms = number.parse::<i64>().ok().and_then(|number| number.checked_mul(*unit_ms));
        let longer_ms = part_ms.and_then(|part_ms| sum_ms.checked_add(part_ms));
        sum_ms =
            longer_ms.filter(|sum_ms| *sum_ms <= MAX_DURATION_MS).ok_or_else(|| error("it is too long"))?;
        rest = letters[word..].trim_start();
    }
    if sum_ms == 0 { Err(error("it is nothing")) } else { Ok(sum_ms) }
}

/// A length of time as [`parse_duration`] reads it, as in `1h30min`; `0s` for none.
pub fn duration_text(duration_ms: i64) -> String {
    let mut rest_ms = duration_ms.max(0);
    let mut text = String::new();
    for (unit, unit_ms) in UNITS {
        // Days are for what is long; two of them are still 48 hours to a contestant.
        let is_used = unit != "d" || rest_ms >= 3 * unit_ms;
        if is_used && rest_ms >= unit_ms {
            text.push_str(&(rest_ms / unit_ms).to_string());
            text.push_str(unit);
            rest_ms %= unit_ms;
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

/// Reads an instant in the form of RFC 3339, as in `2026-12-01T10:00:00+03:00`, as unix milliseconds.
///
/// # Errors
/// When it is not written so, has no offset from UTC, or lies outside 2000 to 2199.
pub fn parse_instant(text: &str) -> Result<i64, TimeError> {
    let error = |what: &str, help: String| TimeError {
        message: format!("`{}` is not an instant: {what}", excerpt(text)),
        help,
    };
    let text = text.trim();
    if text.len() <= MAX_TEXT_BYTES {
        if let Ok(instant) = text.parse::<Timestamp>() {
            let at_ms = instant.as_millisecond();
            if INSTANTS_MS.contains(&at_ms) {
                return Ok(at_ms);
            }
            return Err(error("expected one of the years 2000 to 2199", "look at the year again".to_owned()));
        }
        if let Ok(local) = text.parse::<DateTime>() {
            let seconds = if local.second() == 0 { String::new() } else { format!(":{:02}", local.second()) };
            let form = format!("{}T{:02}:{:02}{seconds}", local.date(), local.hour(), local.minute());
            let help = format!(
                "add the offset from UTC that your clocks have then, as in \"{form}+03:00\", or Z for UTC itself: \
                 \"{form}Z\""
            );
            return Err(error("it does not say where this is the time", help));
        }
    }
    let help = "write it as in \"2026-12-01T10:00:00+03:00\"".to_owned();
    Err(error("expected a date, a time and the offset from UTC", help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time_are_read_with_their_units() {
        for (text, duration_ms, shown) in [
            ("5h", 18_000_000, "5h"),
            ("1h30min", 5_400_000, "1h30min"),
            (" 1h 30 min ", 5_400_000, "1h30min"),
            ("90min", 5_400_000, "1h30min"),
            ("90m", 5_400_000, "1h30min"),
            ("2d", 172_800_000, "48h"),
            ("14d", 14 * 86_400_000, "14d"),
            ("1min30s", 90_000, "1min30s"),
            ("1500ms", 1500, "1s500ms"),
            ("400d", MAX_DURATION_MS, "400d"),
        ] {
            assert_eq!(parse_duration(text), Ok(duration_ms), "{text}");
            assert_eq!(duration_text(duration_ms), shown);
        }
        assert_eq!(duration_text(-1), "0s");
    }

    #[test]
    fn what_is_no_length_of_time_is_refused() {
        for (text, what) in [
            ("5", "expected a unit"),
            ("", "it is nothing"),
            ("0h", "it is nothing"),
            ("h", "expected a whole number"),
            ("-5h", "expected a whole number"),
            ("1.5h", "expected a unit"),
            ("30min1h", "larger unit first"),
            ("1h1h", "each one once"),
            ("5 hours", "expected a unit"),
            ("9223372036854775807d", "too long"),
            ("99999999999999999999h", "too long"),
            ("401d", "too long"),
            ("1ч", "expected a unit"),
        ] {
            let error = parse_duration(text).unwrap_err();
            assert!(error.message.contains(what), "{text}: {error}");
        }
    }

    #[test]
    fn an_instant_says_where_it_is_the_time() {
        let at_ms = 1_796_108_400_000;
        for text in [
            "2026-12-01T10:00:00+03:00",
            "2026-12-01T07:00:00Z",
            "2026-12-01 10:00+03:00",
            "2026-12-01T10:00:00.000+03:00",
            "2026-12-01t07:00:00z",
        ] {
            assert_eq!(parse_instant(text), Ok(at_ms), "{text}");
        }
        let error = parse_instant("2026-12-01 10:00").unwrap_err();
        assert_eq!(
            error.to_string(),
            "`2026-12-01 10:00` is not an instant: it does not say where this is the time"
        );
        assert!(error.help.contains("\"2026-12-01T10:00+03:00\""), "{}", error.help);
        for text in
            ["", "tomorrow", "2026-13-01T10:00:00Z", "10:00:00Z", "2026-02-30T10:00:00Z", "1796108400"]
        {
            assert!(parse_instant(text).unwrap_err().message.contains("expected a date"), "{text}");
        }
        assert!(parse_instant("0206-12-01T10:00:00Z").unwrap_err().message.contains("years"));
    }
}
