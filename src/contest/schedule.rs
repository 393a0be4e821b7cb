//! When a contest runs and what its freeze hides. Never reads a clock.

use serde::{Deserialize, Serialize};

/// The instants of a contest, in unix milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// The first instant that belongs to it.
    pub start_ms: i64,
    /// The first instant that does not belong to it any more.
    pub end_ms: i64,
    /// From here on verdicts are hidden; `None` for never.
    pub freeze_ms: Option<i64>,
    /// Whether staff have shown what the freeze hid.
    pub is_thawed: bool,
}

/// Where in a contest an instant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// It has not begun: nothing of its problems may be seen.
    Before,
    /// It runs.
    Running,
    /// It runs, and new verdicts are hidden.
    Frozen,
    /// It is over, and what the freeze hid is hidden still.
    OverFrozen,
    /// It is over and everything may be seen.
    Over,
}

impl Phase {
    /// Whether the contest has begun.
    pub fn has_started(self) -> bool {
        self != Self::Before
    }

    /// Whether submissions count.
    pub fn is_running(self) -> bool {
        matches!(self, Self::Running | Self::Frozen)
    }

    /// Whether it has ended.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Over | Self::OverFrozen)
    }
}

/// Milliseconds of a minute.
const MINUTE_MS: u64 = 60_000;

impl Schedule {
    /// A contest of this length, whose freeze, if any, begins so long before its end, though not before its start.
    pub fn planned(start_ms: i64, duration_ms: i64, freeze_before_end_ms: Option<i64>) -> Self {
        let end_ms = start_ms.saturating_add(duration_ms);
        let freeze_ms = freeze_before_end_ms.map(|before_ms| end_ms.saturating_sub(before_ms).max(start_ms));
        Self { start_ms, end_ms, freeze_ms, is_thawed: false }
    }

    /// Where `now_ms` is.
    pub fn phase(&self, now_ms: i64) -> Phase {
        if now_ms < self.start_ms {
            return Phase::Before;
        }
        match (now_ms < self.end_ms, self.is_frozen(now_ms)) {
            (true, false) => Phase::Running,
            (true, true) => Phase::Frozen,
            (false, true) => Phase::OverFrozen,
            (false, false) => Phase::Over,
        }
    }

    /// Whether an attempt of this instant counts: from the start on, and before the end, to the millisecond.
    pub fn contains(&self, at_ms: i64) -> bool {
        (self.start_ms..self.end_ms).contains(&at_ms)
    }

    /// Whether verdicts are hidden at `now_ms`. A freeze that does not begin before the end hides nothing.
    pub fn is_frozen(&self, now_ms: i64) -> bool {
        !self.is_thawed
            && self.freeze_ms.is_some_and(|freeze_ms| freeze_ms < self.end_ms && freeze_ms <= now_ms)
    }

    /// Whether somebody who looks at `now_ms` may not learn the verdict of an attempt of `at_ms` that is not their own.
    pub fn hides(&self, at_ms: i64, now_ms: i64) -> bool {
        self.is_frozen(now_ms)
            && self.freeze_ms.is_some_and(|freeze_ms| freeze_ms <= at_ms)
            && self.contains(at_ms)
    }

    /// How long it is; never negative.
    pub fn duration_ms(&self) -> i64 {
        self.end_ms.saturating_sub(self.start_ms).max(0)
    }

    /// Whole minutes from the start to `at_ms`; 0 before it.
    pub fn minute(&self, at_ms: i64) -> u64 {
        if at_ms <= self.start_ms { 0 } else { at_ms.abs_diff(self.start_ms) / MINUTE_MS }
    }

    /// The same contest begun at another instant, without a freeze: a virtual start.
    pub fn begun_at(&self, start_ms: i64) -> Self {
        Self::planned(start_ms, self.duration_ms(), None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FROZEN: Schedule =
        Schedule { start_ms: 1000, end_ms: 5000, freeze_ms: Some(4000), is_thawed: false };

    #[test]
    fn every_edge_is_exact() {
        let phases = |schedule: Schedule| {
            [i64::MIN, 999, 1000, 3999, 4000, 4999, 5000, i64::MAX].map(|now_ms| schedule.phase(now_ms))
        };
        use Phase::{Before, Frozen, Over, OverFrozen, Running};
        assert_eq!(
            phases(FROZEN),
            [Before, Before, Running, Running, Frozen, Frozen, OverFrozen, OverFrozen]
        );
        let open = [Before, Before, Running, Running, Running, Running, Over, Over];
        assert_eq!(phases(Schedule { is_thawed: true, ..FROZEN }), open);
        assert_eq!(phases(Schedule { freeze_ms: None, ..FROZEN }), open);
        assert_eq!(phases(Schedule { freeze_ms: Some(5000), ..FROZEN }), open);
        assert!(
            !FROZEN.contains(999) && FROZEN.contains(1000) && FROZEN.contains(4999) && !FROZEN.contains(5000)
        );
    }

    /// Upsolving after the end has nothing to hide.
    #[test]
    fn the_freeze_hides_what_is_in_the_contest_and_after_it() {
        let hidden = [3999, 4000, 4999, 5000].map(|at_ms| FROZEN.hides(at_ms, 6000));
        assert_eq!(hidden, [false, true, true, false]);
        assert!(!FROZEN.hides(4000, 3999));
    }

    #[test]
    fn minutes_are_cut_and_a_virtual_contest_is_as_long() {
        assert_eq!([0, 1000, 60_999, 61_000].map(|at_ms| FROZEN.minute(at_ms)), [0, 0, 0, 1]);
        assert_eq!(FROZEN.minute(i64::MAX), (i64::MAX - 1000).unsigned_abs() / 60_000);
        let again = FROZEN.begun_at(100_000);
        assert_eq!((again.end_ms, again.phase(103_999)), (104_000, Phase::Running));
        assert_eq!(FROZEN.begun_at(i64::MAX).duration_ms(), 0);
    }
}
