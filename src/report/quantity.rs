//! Times and sizes as people read them. Rounds only for showing.

/// A time, as in `0.4 ms`, `12 ms` or `1.25 s`.
pub(crate) fn time(ms: f64) -> String {
    if ms < 9.95 {
        format!("{ms:.1} ms")
    } else if ms < 999.5 {
        format!("{ms:.0} ms")
    } else {
        format!("{:.2} s", ms / 1000.0)
    }
}

/// An amount of memory, as in `640 KiB` or `3.8 MiB`.
pub(crate) fn memory(bytes: u64) -> String {
    let mib = bytes as f64 / f64::from(1 << 20);
    if mib < 1.0 {
        format!("{} KiB", bytes >> 10)
    } else if mib < 99.95 {
        format!("{mib:.1} MiB")
    } else {
        format!("{mib:.0} MiB")
    }
}

/// `1 test`, `2 tests`.
pub(crate) fn count(number: usize, one: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {one}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_suit_the_size() {
        assert_eq!(
            [0.0, 0.44, 9.96, 999.4, 999.6, 61_000.0].map(time),
            ["0.0 ms", "0.4 ms", "10 ms", "999 ms", "1.00 s", "61.00 s"]
        );
        assert_eq!(
            [0, 700 << 10, 3_801_088, 256 << 20].map(memory),
            ["0 KiB", "700 KiB", "3.6 MiB", "256 MiB"]
        );
        assert_eq!((count(1, "test"), count(0, "test")), ("1 test".to_owned(), "0 tests".to_owned()));
    }
}
