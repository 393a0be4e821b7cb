//! Instants and durations as people read them. Knows no clock.

/// As in `1:23:45`; with a minus sign before the start.
pub(crate) fn clock(ms: i64) -> String {
    let seconds = ms.unsigned_abs() / 1000;
    let sign = if ms < 0 { "−" } else { "" };
    format!("{sign}{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// What is left, rounded up, so that it shows 0 only at the end.
pub(crate) fn left(ms: i64) -> String {
    clock(ms.max(0).saturating_add(999))
}

/// An instant as RFC 3339 in UTC, to the second; empty when it is none of our calendar.
pub(crate) fn instant(at_ms: i64) -> String {
    jiff::Timestamp::from_millisecond(at_ms).map(|instant| format!("{instant:.0}")).unwrap_or_default()
}

/// An instant for people who read it without a script that knows their zone, as in `2026-12-01 10:00:00 UTC`.
pub(crate) fn day(at_ms: i64) -> String {
    instant(at_ms).replace('T', " ").replace('Z', " UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_cut_and_what_is_left_is_rounded_up() {
        assert_eq!([0, 59_999, 3_600_000, -1_000].map(clock), ["0:00:00", "0:00:59", "1:00:00", "−0:00:01"]);
        assert_eq!([0, 1, 1000, -5].map(left), ["0:00:00", "0:00:01", "0:00:01", "0:00:00"]);
        assert_eq!(left(i64::MAX).len(), clock(i64::MAX).len());
    }

    #[test]
    fn instants_are_in_utc() {
        assert_eq!(instant(1_774_740_600_999), "2026-03-28T23:30:00Z");
        assert_eq!(day(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(instant(i64::MAX), "");
    }
}
