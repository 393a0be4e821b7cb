//! What a run did wrong of a program that is nobody's submission, a solver or a generator, in words for whoever runs it.
//! Gives no verdict.

use super::log::readable;
use super::program::{FILE_BYTES, STDOUT_BYTES};
use crate::limits::Limits;
use crate::sandbox::{Ended, LimitHit, Outcome};

/// The last characters of standard error that are shown.
const STDERR_CHARS: usize = 400;

/// What the run did wrong and the end of what it wrote to standard error, fit to be shown; `None` when it ended by itself,
/// with status 0 and within its limits.
pub(crate) fn of_run(outcome: &Outcome, limits: &Limits) -> Option<String> {
    let what = match (outcome.limit_hit, outcome.ended) {
        (Some(LimitHit::Cpu), _) => format!("it took more than {} of CPU time", limits.time),
        (Some(LimitHit::Wall), _) => format!(
            "it slept or waited: it took {:.0} ms of CPU time in {:.1} s on the wall",
            outcome.cpu_ms,
            outcome.wall_ms / 1000.0
        ),
        (Some(LimitHit::Memory), _) => format!("it took more than {} of memory", limits.memory),
        (Some(LimitHit::Output), _) => format!("it printed more than {} MiB", STDOUT_BYTES >> 20),
        (Some(LimitHit::File), _) => format!("it wrote a file larger than {} MiB", FILE_BYTES >> 20),
        (Some(LimitHit::Files), _) => {
            "it wrote too many files, or files that are too large together".to_owned()
        }
        (None, Ended::Exit(0)) => return None,
        (None, Ended::Exit(status)) => format!("it ended with exit status {status}"),
        (None, Ended::Signal(signal)) => format!("signal {signal} ended it"),
    };
    let stderr = readable(outcome.stderr.trim_ascii_end());
    let skipped = stderr.chars().count().saturating_sub(STDERR_CHARS);
    let last: String = stderr.chars().skip(skipped).collect();
    Some(if last.is_empty() { what } else { format!("{what}; its standard error ends with:\n{last}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(limit_hit: Option<LimitHit>, ended: Ended, stderr: &[u8]) -> Outcome {
        Outcome {
            ended,
            limit_hit,
            cpu_ms: 30.0,
            wall_ms: 2100.0,
            memory_bytes: 0,
            stdout: Vec::new(),
            stderr: stderr.to_vec(),
            calls: Vec::new(),
        }
    }

    #[test]
    fn each_limit_is_called_by_its_name() {
        let of = |hit| of_run(&outcome(Some(hit), Ended::Signal(9), b""), &Limits::default()).unwrap();
        let all = [LimitHit::Cpu, LimitHit::Wall, LimitHit::Memory, LimitHit::Output, LimitHit::File];
        let words = [
            "CPU time",
            "30 ms of CPU time in 2.1 s on the wall",
            "memory",
            "printed more than 64 MiB",
            "larger than 64 MiB",
        ];
        for (hit, words) in all.into_iter().zip(words) {
            assert!(of(hit).contains(words), "{}", of(hit));
        }
        assert_eq!(of_run(&outcome(None, Ended::Exit(0), b"words"), &Limits::default()), None);
    }

    #[test]
    fn nothing_that_a_terminal_obeys_is_said() {
        let stderr = "Boom \u{1b}[2J\u{1b}]0;x\u{7} a\rb \u{202e}\u{9b}2J\n石\n".as_bytes();
        let said = of_run(&outcome(None, Ended::Exit(7), stderr), &Limits::default()).unwrap();
        assert_eq!(
            said,
            "it ended with exit status 7; its standard error ends with:\n\
             Boom \\u{1b}]0;x\\u{7} a\\u{d}b \\u{202e}\\u{9b}2J\n石"
        );
    }
}
