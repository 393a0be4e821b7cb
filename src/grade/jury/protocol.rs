//! What the exit status of a jury's program means. The protocol is a property of the problem and never guessed from
//! the status.
//!
//! | testlib | means | | Kattis | means |
//! |---|---|---|---|---|
//! | 0 | accepted | | 42 | accepted |
//! | 1 | wrong answer | | 43 | wrong answer |
//! | 2, 4, 8 | wrong answer: its form, more or less output than expected | | anything else | judge error |
//! | 3 | judge error: the jury is at fault | | | |
//! | 5, 7 | points, `points X` on standard error | | | |
//! | p, 50 + p | a part, `partially correct (p)`, in percent | | | |
//! | anything else | judge error | | | |
//!
//! A signal or a limit that was passed is a judge error in both.

use crate::check::Checked;
use crate::grade::ruling::Ruled;
use crate::problem::Protocol;
use crate::sandbox::{Ended, LimitHit, Outcome};
use crate::score::{Decimal, Marks};
use crate::verdict::Verdict;

/// Whether a run that ended so accepts, wholly or in part.
pub(super) fn accepts(protocol: Protocol, ended: Ended) -> bool {
    match protocol {
        Protocol::Testlib => matches!(ended, Ended::Exit(0 | 5 | 7)),
        Protocol::Kattis => ended == Ended::Exit(42),
    }
}

/// What a Kattis validator wrote into its files of scores.
#[derive(Debug, Default)]
pub(super) struct ScoreFiles {
    /// `score.txt`: points as they are.
    pub(super) score: Option<String>,
    /// `score_multiplier.txt`: a part, from 0 to 1.
    pub(super) multiplier: Option<String>,
}

/// What a run that ended means, `said` being the program's own words. `full` is the number of points that a testlib
/// program calls all, if it counts so.
///
/// # Errors
/// What the program did wrong, in words that go on after its name.
pub(super) fn ruling(
    protocol: Protocol,
    outcome: &Outcome,
    said: &str,
    full: Option<u64>,
    files: &ScoreFiles,
) -> Result<Ruled, String> {
    let status = status(outcome)?;
    let ruled = |verdict, message: &str, marks| {
        let checked = Checked { verdict, message: message.to_owned() };
        Ok(Ruled { checked, marks })
    };
    let wrong = |what: &str| ruled(Verdict::Wa, if said.is_empty() { what } else { said }, None);
    if let Some(share) = (protocol == Protocol::Testlib).then(|| percent(said, status)).flatten() {
        return ruled(Verdict::Ac, said, Some(share?));
    }
    match (protocol, status) {
        (Protocol::Testlib, 0) => ruled(Verdict::Ac, said, None),
        (Protocol::Testlib, 1) => wrong("wrong answer, as the checker says"),
        (Protocol::Testlib, 2) => wrong("wrong output format, as the checker says"),
        (Protocol::Testlib, 4) => wrong("more output than expected, as the checker says"),
        (Protocol::Testlib, 8) => wrong("less output than expected, as the checker says"),
        (Protocol::Testlib, 3) => Err("says that the jury is at fault (exit status 3)".to_owned()),
        (Protocol::Testlib, 5 | 7) => ruled(Verdict::Ac, said, Some(points(said, full)?)),
        (Protocol::Testlib, _) => Err(format!(
            "ended with exit status {status}, which means nothing to testlib; expected 0, 1, 2, 3, 4, 7 or 8"
        )),
        (Protocol::Kattis, 42) => ruled(Verdict::Ac, said, file_marks(files)?),
        (Protocol::Kattis, 43) if files.score.is_some() || files.multiplier.is_some() => {
            Err("writes a score for an output that it refuses".to_owned())
        }
        (Protocol::Kattis, 43) => wrong("wrong answer, as the checker says"),
        (Protocol::Kattis, _) => {
            Err(format!("ended with exit status {status}; expected 42 (accepted) or 43 (wrong answer)"))
        }
    }
}

/// The exit status of a run that ended by itself and within its limits.
fn status(outcome: &Outcome) -> Result<i32, String> {
    let limit = match outcome.limit_hit {
        Some(LimitHit::Cpu) => Some("took too much CPU time"),
        Some(LimitHit::Wall) => Some("waited for too long"),
        Some(LimitHit::Memory) => Some("took too much memory"),
        Some(LimitHit::Output) => Some("wrote too much"),
        Some(LimitHit::File) => Some("wrote a file that was too large"),
        Some(LimitHit::Files) => Some("wrote too many files, or files that were too large together"),
        None => None,
    };
    match (limit, outcome.ended) {
        (Some(limit), _) => Err(limit.to_owned()),
        (None, Ended::Exit(status)) => Ok(status),
        // No crash: somebody or something ended it, and how long it had run says more than the signal.
        (None, Ended::Signal(libc::SIGKILL)) => Err(format!(
            "was killed (SIGKILL) after {:.1} s of CPU time in {:.1} s of wall time",
            outcome.cpu_ms / 1000.0,
            outcome.wall_ms / 1000.0
        )),
        (None, Ended::Signal(number)) => Err(format!("crashed with signal {number}{}", name(number))),
    }
}

/// What `points X words` gives: X points, or X of those that are all.
fn points(said: &str, full: Option<u64>) -> Result<Marks, String> {
    let mut words = said.split_ascii_whitespace();
    let given = words.next().filter(|word| *word == "points").and(words.next()).and_then(Decimal::parse);
    let marks = match full {
        None => given.map(Marks::Points),
        Some(full) => given.and_then(|points| points.of(full)).map(Marks::Share),
    };
    marks.ok_or_else(|| "gives points, but does not say `points X` with a number".to_owned())
}

/// The percentage of `partially correct (50) words`, if that is what the exit status says too: testlib adds the number to 0
/// or, for ejudge, to 50.
fn percent(said: &str, status: i32) -> Option<Result<Marks, String>> {
    let number = said.strip_prefix("partially correct (")?.split_once(')')?.0;
    let percent: i32 = number.parse().ok()?;
    if status != percent && status != EJUDGE_BASE + percent {
        return None;
    }
    let share = Decimal::parse(number).and_then(|percent| percent.of(100));
    Some(share.map(Marks::Share).ok_or_else(|| format!("gives {percent} of 100")))
}

/// What ejudge adds to a percentage.
const EJUDGE_BASE: i32 = 50;

/// What the files of scores of a validator that accepts say.
fn file_marks(files: &ScoreFiles) -> Result<Option<Marks>, String> {
    let number = |name: &str, text: &str| {
        Decimal::parse(text.trim()).ok_or_else(|| {
            let text = crate::grade::excerpt::shorten(text.trim(), SHOWN_BYTES);
            format!("writes `{text}` to {name}; expected a number that is not negative")
        })
    };
    match (&files.score, &files.multiplier) {
        (None, None) => Ok(None),
        (Some(score), None) => number("score.txt", score).map(|score| Some(Marks::Points(score))),
        (None, Some(share)) => number("score_multiplier.txt", share).map(|share| Some(Marks::Share(share))),
        (Some(_), Some(_)) => Err("writes both score.txt and score_multiplier.txt".to_owned()),
    }
}

/// Bytes of a wrong number that a message shows.
const SHOWN_BYTES: usize = 40;

fn name(number: i32) -> String {
    nix::sys::signal::Signal::try_from(number).map_or_else(|_| String::new(), |signal| format!(" ({signal})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(ended: Ended, limit_hit: Option<LimitHit>) -> Outcome {
        Outcome {
            ended,
            limit_hit,
            cpu_ms: 0.0,
            wall_ms: 0.0,
            memory_bytes: 0,
            stdout: Vec::new(),
            stderr: Vec::new(),
            calls: Vec::new(),
        }
    }

    #[test]
    fn each_protocol_has_its_own_table() {
        let verdict = |protocol, status| {
            let ruled = ruling(protocol, &ended(Ended::Exit(status), None), "", None, &ScoreFiles::default());
            ruled.map_or(Verdict::Je, |ruled| ruled.checked.verdict)
        };
        for status in 0..=255 {
            let testlib = match status {
                0 => Verdict::Ac,
                1 | 2 | 4 | 8 => Verdict::Wa,
                _ => Verdict::Je,
            };
            let kattis = match status {
                42 => Verdict::Ac,
                43 => Verdict::Wa,
                _ => Verdict::Je,
            };
            assert_eq!(verdict(Protocol::Testlib, status), testlib, "testlib {status}");
            assert_eq!(verdict(Protocol::Kattis, status), kattis, "kattis {status}");
        }
    }

    #[test]
    fn a_crash_and_a_limit_are_the_jurys_fault_and_its_words_are_kept() {
        let ruling = |protocol, ended: Outcome, said| {
            super::ruling(protocol, &ended, said, None, &ScoreFiles::default())
        };
        for protocol in Protocol::ALL {
            let crashed = ruling(protocol, ended(Ended::Signal(11), None), "words").unwrap_err();
            assert_eq!(crashed, "crashed with signal 11 (SIGSEGV)");
            let slow = ruling(protocol, ended(Ended::Signal(9), Some(LimitHit::Cpu)), "").unwrap_err();
            assert_eq!(slow, "took too much CPU time");
            let killed = ruling(protocol, ended(Ended::Signal(9), None), "").unwrap_err();
            assert!(killed.starts_with("was killed (SIGKILL) after"), "{killed}");
        }
        let words = "wrong answer 1st words differ";
        let wrong = ruling(Protocol::Testlib, ended(Ended::Exit(1), None), words);
        assert_eq!(wrong.unwrap().checked.message, words);
    }

    #[test]
    fn parts_are_read_from_words_and_files() {
        let testlib = |status, said, full| {
            let none = ScoreFiles::default();
            super::ruling(Protocol::Testlib, &ended(Ended::Exit(status), None), said, full, &none)
        };
        let share = |text| Some(Marks::Share(Decimal::parse(text).unwrap()));
        let points = |text| Some(Marks::Points(Decimal::parse(text).unwrap()));
        assert_eq!(testlib(7, "points 12.5 near", None).unwrap().marks, points("12.5"));
        assert_eq!(testlib(5, "points 37", None).unwrap().marks, points("37"));
        assert_eq!(testlib(7, "points 0.25", Some(1)).unwrap().marks, share("0.25"));
        assert_eq!(testlib(7, "points 25", Some(100)).unwrap().marks, share("0.25"));
        assert_eq!(testlib(20, "partially correct (20) some", None).unwrap().marks, share("0.2"));
        assert_eq!(testlib(57, "partially correct (7) some", None).unwrap().marks, share("0.07"));
        for (status, said) in
            [(7, "points"), (7, "points -1"), (7, "0.5"), (7, ""), (21, "partially correct (20)"), (20, "")]
        {
            assert!(testlib(status, said, None).is_err(), "{status} {said}");
        }
        assert_eq!(testlib(1, "partially correct (20)", None).unwrap().checked.verdict, Verdict::Wa);
        let kattis = |status, score: Option<&str>, multiplier: Option<&str>| {
            let files =
                ScoreFiles { score: score.map(str::to_owned), multiplier: multiplier.map(str::to_owned) };
            super::ruling(Protocol::Kattis, &ended(Ended::Exit(status), None), "", None, &files)
        };
        assert_eq!(kattis(42, None, Some("0.5\n")).unwrap().marks, share("0.5"));
        assert_eq!(kattis(42, Some(" 12.5"), None).unwrap().marks, points("12.5"));
        assert_eq!(kattis(42, None, None).unwrap().marks, None);
        assert!(kattis(42, Some("1"), Some("1")).is_err() && kattis(43, Some("1"), None).is_err());
        assert!(kattis(42, None, Some("much")).is_err() && kattis(42, Some("-1"), None).is_err());
    }
}
