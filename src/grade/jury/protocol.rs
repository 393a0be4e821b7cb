//! What the exit status of a jury's program means. The protocol is a property of the problem and never guessed from
//! the status.
//!
//! | testlib | means | | Kattis | means |
//! |---|---|---|---|---|
//! | 0 | accepted | | 42 | accepted |
//! | 1 | wrong answer | | 43 | wrong answer |
//! | 2, 4, 8 | wrong answer: its form, more or less output than expected | | anything else | judge error |
//! | 3 | judge error: the jury is at fault | | | |
//! | 5, 7 | points, which need a problem with scores | | | |
//! | anything else | judge error | | | |
//!
//! A signal or a limit that was passed is a judge error in both.

use crate::check::Checked;
use crate::problem::Protocol;
use crate::sandbox::{Ended, LimitHit, Outcome};
use crate::verdict::Verdict;

/// Whether a run that ended so accepts.
pub(super) fn accepts(protocol: Protocol, ended: Ended) -> bool {
    let accepted = match protocol {
        Protocol::Testlib => 0,
        Protocol::Kattis => 42,
    };
    ended == Ended::Exit(accepted)
}

/// What a run that ended means, `said` being the program's own words.
///
/// # Errors
/// What the program did wrong, in words that go on after its name.
pub(super) fn ruling(protocol: Protocol, outcome: &Outcome, said: &str) -> Result<Checked, String> {
    let limit = match outcome.limit_hit {
        Some(LimitHit::Cpu) => Some("took too much CPU time"),
        Some(LimitHit::Wall) => Some("waited for too long"),
        Some(LimitHit::Memory) => Some("took too much memory"),
        Some(LimitHit::Output) => Some("wrote too much"),
        Some(LimitHit::File) => Some("wrote a file that was too large"),
        None => None,
    };
    if let Some(limit) = limit {
        return Err(limit.to_owned());
    }
    let status = match outcome.ended {
        Ended::Exit(status) => status,
        Ended::Signal(number) => return Err(format!("crashed with signal {number}{}", name(number))),
    };
    let accepted = || Ok(Checked { verdict: Verdict::Ac, message: said.to_owned() });
    let wrong = |what: &str| {
        let message = if said.is_empty() { what.to_owned() } else { said.to_owned() };
        Ok(Checked { verdict: Verdict::Wa, message })
    };
    match (protocol, status) {
        (Protocol::Testlib, 0) | (Protocol::Kattis, 42) => accepted(),
        (Protocol::Testlib, 1) | (Protocol::Kattis, 43) => wrong("wrong answer, as the checker says"),
        (Protocol::Testlib, 2) => wrong("wrong output format, as the checker says"),
        (Protocol::Testlib, 4) => wrong("more output than expected, as the checker says"),
        (Protocol::Testlib, 8) => wrong("less output than expected, as the checker says"),
        (Protocol::Testlib, 3) => Err("says that the jury is at fault (exit status 3)".to_owned()),
        (Protocol::Testlib, 5 | 7) => {
            Err(format!("gives points (exit status {status}), and this problem has no scores"))
        }
        (Protocol::Testlib, _) => Err(format!(
            "ended with exit status {status}, which means nothing to testlib; expected 0, 1, 2, 3, 4, 7 or 8"
        )),
        (Protocol::Kattis, _) => {
            Err(format!("ended with exit status {status}; expected 42 (accepted) or 43 (wrong answer)"))
        }
    }
}

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
            let ruled = ruling(protocol, &ended(Ended::Exit(status), None), "");
            ruled.map_or(Verdict::Je, |checked| checked.verdict)
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
        for protocol in Protocol::ALL {
            let crashed = ruling(protocol, &ended(Ended::Signal(11), None), "words").unwrap_err();
            assert_eq!(crashed, "crashed with signal 11 (SIGSEGV)");
            let slow = ruling(protocol, &ended(Ended::Signal(9), Some(LimitHit::Cpu)), "").unwrap_err();
            assert_eq!(slow, "took too much CPU time");
        }
        let wrong = ruling(Protocol::Testlib, &ended(Ended::Exit(1), None), "wrong answer 1st words differ");
        assert_eq!(wrong.unwrap().message, "wrong answer 1st words differ");
    }
}
