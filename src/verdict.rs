//! What an outcome means for a test, and the order in which a submission's verdict is found. Never looks at a process.

use serde::{Deserialize, Serialize};

/// The judge's word on one test, or on a whole submission. A test that was not run has no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// Accepted.
    Ac,
    /// Wrong answer.
    Wa,
    /// Time limit exceeded, in CPU or wall time.
    Tle,
    /// Memory limit exceeded.
    Mle,
    /// Output limit exceeded.
    Ole,
    /// Run-time error: non-zero exit status or a signal.
    Rte,
    /// Compile error.
    Ce,
    /// Judge error: checker, solver or sandbox at fault. Never blamed on the contestant.
    Je,
}

impl Verdict {
    /// Every verdict, in the order of the glossary.
    pub const ALL: [Self; 8] =
        [Self::Ac, Self::Wa, Self::Tle, Self::Mle, Self::Ole, Self::Rte, Self::Ce, Self::Je];

    /// The two or three capital letters that reports use.
    pub fn short(self) -> &'static str {
        match self {
            Self::Ac => "AC",
            Self::Wa => "WA",
            Self::Tle => "TLE",
            Self::Mle => "MLE",
            Self::Ole => "OLE",
            Self::Rte => "RTE",
            Self::Ce => "CE",
            Self::Je => "JE",
        }
    }

    /// The verdict in words.
    pub fn long(self) -> &'static str {
        match self {
            Self::Ac => "accepted",
            Self::Wa => "wrong answer",
            Self::Tle => "time limit exceeded",
            Self::Mle => "memory limit exceeded",
            Self::Ole => "output limit exceeded",
            Self::Rte => "run-time error",
            Self::Ce => "compile error",
            Self::Je => "judge error",
        }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.short())
    }
}

/// A submission's verdict from its tests' verdicts in package order: `JE` if any test is `JE`, else the first that
/// is not `AC`, else `AC`. `None` (skipped) verdicts are passed over; with no verdict at all there is none.
pub fn of_submission(tests: impl IntoIterator<Item = Option<Verdict>>) -> Option<Verdict> {
    let mut found = None;
    for verdict in tests.into_iter().flatten() {
        match (verdict, found) {
            (Verdict::Je, _) => return Some(Verdict::Je),
            (_, None | Some(Verdict::Ac)) => found = Some(verdict),
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_failure_wins_unless_the_judge_failed() {
        use Verdict::*;
        assert_eq!(of_submission([Some(Ac), Some(Wa), Some(Tle)]), Some(Wa));
        assert_eq!(of_submission([Some(Wa), None, Some(Je)]), Some(Je));
        assert_eq!(of_submission([Some(Ac), None]), Some(Ac));
        assert_eq!(of_submission([None, None]), None);
        assert_eq!(of_submission([]), None);
    }

    #[test]
    fn json_words_are_the_short_ones() {
        for verdict in Verdict::ALL {
            assert_eq!(serde_json::to_string(&verdict).unwrap(), format!("\"{verdict}\""));
        }
    }
}
