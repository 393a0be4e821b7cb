//! The monotonic clock, in nanoseconds: the same for the judge and its zygotes. Never the time of day.

use nix::time::{ClockId, clock_gettime};

/// Nanoseconds in a millisecond.
pub(crate) const MS: u64 = 1_000_000;

/// Now.
pub(crate) fn now_ns() -> u64 {
    clock_gettime(ClockId::CLOCK_MONOTONIC)
        .map(|time| time.tv_sec().cast_unsigned() * 1_000_000_000 + time.tv_nsec().cast_unsigned())
        .unwrap_or(0)
}
