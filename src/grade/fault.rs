//! What an outcome means before any output is compared: which limit was passed, or how the program failed. Never
//! compares an output, and never makes the judge's failure the contestant's.

use nix::sys::signal::Signal;

use crate::grade::excerpt;
use crate::lang::program::{FILE_BYTES, STDOUT_BYTES};
use crate::limits::Limits;
use crate::sandbox::spec::MOST_FILES;
use crate::sandbox::{Ended, LimitHit, Outcome};
use crate::verdict::Verdict;

/// Why a run is not accepted whatever its output says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// TLE, MLE, OLE or RTE.
    pub verdict: Verdict,
    /// What happened, in words.
    pub message: String,
}

/// What decides whether a run has a fault.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    /// The limits in force.
    pub limits: Limits,
    /// Whether these words on standard error say that the runtime gave up for lack of memory.
    pub is_out_of_memory: &'a (dyn Fn(&[u8]) -> bool + Sync),
}

/// Bytes of the last line of standard error that go into a message.
const LAST_LINE_BYTES: usize = 160;

/// The fault of a run, if it has one.
pub(crate) fn of_outcome(outcome: &Outcome, rules: &Rules<'_>) -> Option<Fault> {
    let limits = rules.limits;
    let fault = |verdict, message| Some(Fault { verdict, message });
    match outcome.limit_hit {
        Some(LimitHit::Cpu) => fault(Verdict::Tle, format!("used more than {} of CPU time", limits.time)),
        Some(LimitHit::Wall) => fault(Verdict::Tle, slept(outcome.cpu_ms, outcome.wall_ms)),
        Some(LimitHit::Memory) => fault(Verdict::Mle, format!("used more than {} of memory", limits.memory)),
        Some(LimitHit::Output) => fault(Verdict::Ole, flooded()),
        Some(LimitHit::File) => {
            let most = FILE_BYTES >> 20;
            fault(Verdict::Ole, format!("wrote a file larger than {most} MiB, on disk or in memory"))
        }
        Some(LimitHit::Files) => {
            let message =
                format!("wrote files that are too large together, or more than {MOST_FILES} of them");
            fault(Verdict::Ole, message)
        }
        None => of_end(outcome, rules),
    }
}

/// What to say of a run that printed too much.
pub(crate) fn flooded() -> String {
    format!("printed more than {} MiB, the output limit", STDOUT_BYTES >> 20)
}

/// The fault of how a run ended, with no limit passed.
fn of_end(outcome: &Outcome, rules: &Rules<'_>) -> Option<Fault> {
    let ended = match outcome.ended {
        Ended::Exit(0) => return None,
        Ended::Exit(code) => format!("exit status {code}"),
        Ended::Signal(number) => format!("signal {number} ({})", signal(number)),
    };
    let last_lines = excerpt::last_lines(&outcome.stderr);
    let message = match telling_line(&last_lines) {
        Some(line) => format!("{ended}: {}", excerpt::shorten(line.trim(), LAST_LINE_BYTES)),
        None => ended,
    };
    if (rules.is_out_of_memory)(&outcome.stderr) {
        let message = format!("found no more memory under the limit of {}: {message}", rules.limits.memory);
        return Some(Fault { verdict: Verdict::Mle, message });
    }
    Some(Fault { verdict: Verdict::Rte, message })
}

/// The line of a program's last words that names its fault: runtimes that write the stack after the fault (Java, Node,
/// Go) indent it, so the last line that stands at the margin and speaks of an error; else the last line.
fn telling_line(last_lines: &str) -> Option<&str> {
    let names_fault = |line: &&str| {
        !line.starts_with([' ', '\t'])
            && ["Error", "Exception", "panic", "error:"].iter().any(|word| line.contains(word))
    };
    last_lines.lines().rev().find(names_fault).or_else(|| last_lines.lines().next_back())
}

/// What to say of a run that ended by the clock on the wall.
pub(crate) fn slept(cpu_ms: f64, wall_ms: f64) -> String {
    format!("it used {cpu_ms:.0} ms of CPU in {:.1} s of wall time: it slept or waited", wall_ms / 1000.0)
}

/// A signal's name, with what it usually comes from.
fn signal(number: i32) -> String {
    let Ok(signal) = Signal::try_from(number) else { return "unknown".to_owned() };
    let cause = match signal {
        Signal::SIGSEGV => ": memory access out of bounds, or recursion without end",
        Signal::SIGBUS => ": memory access that the machine refuses",
        Signal::SIGFPE => ": integer division by zero",
        Signal::SIGABRT => ": failed assertion or uncaught exception",
        Signal::SIGILL => ": instruction that the machine refuses",
        Signal::SIGSYS => ": forbidden system call",
        Signal::SIGKILL => ": killed from outside",
        _ => "",
    };
    format!("{}{cause}", signal.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(ended: Ended, limit_hit: Option<LimitHit>, stderr: &str) -> Outcome {
        Outcome {
            ended,
            limit_hit,
            cpu_ms: 4.2,
            wall_ms: 3_000.0,
            memory_bytes: 0,
            stdout: Vec::new(),
            stderr: stderr.as_bytes().to_vec(),
            calls: Vec::new(),
        }
    }

    #[test]
    fn a_limit_comes_before_the_signal_that_enforced_it() {
        let rules = Rules { limits: Limits::default(), is_out_of_memory: &|_| false };
        let of = |hit| of_outcome(&outcome(Ended::Signal(9), Some(hit), ""), &rules).unwrap();
        assert_eq!(of(LimitHit::Cpu).verdict, Verdict::Tle);
        assert_eq!(of(LimitHit::Memory).verdict, Verdict::Mle);
        assert_eq!(of(LimitHit::Output).message, "printed more than 64 MiB, the output limit");
        assert_eq!(of(LimitHit::File).message, "wrote a file larger than 64 MiB, on disk or in memory");
        let too_large = [LimitHit::Output, LimitHit::File, LimitHit::Files];
        assert_eq!(too_large.map(|hit| of(hit).verdict), [Verdict::Ole; 3]);
        let wall = of(LimitHit::Wall);
        assert_eq!(wall.verdict, Verdict::Tle);
        assert_eq!(wall.message, "it used 4 ms of CPU in 3.0 s of wall time: it slept or waited");
    }

    #[test]
    fn a_failed_run_is_named_with_its_last_words() {
        let words = |stderr: &[u8]| stderr.starts_with(b"java.lang.OutOfMemoryError");
        let rules = Rules { limits: Limits::default(), is_out_of_memory: &words };
        let of = |ended, stderr| of_outcome(&outcome(ended, None, stderr), &rules);
        let heap = of(Ended::Exit(1), "java.lang.OutOfMemoryError: Java heap space\n").unwrap();
        assert_eq!(heap.verdict, Verdict::Mle, "{}", heap.message);
        assert_eq!(of(Ended::Exit(0), "warning"), None);
        assert_eq!(
            of(Ended::Exit(1), "Traceback\nValueError: bad\n").unwrap().message,
            "exit status 1: ValueError: bad"
        );
        let java = "Exception in thread \"main\" java.lang.ArithmeticException: / by zero\n\tat Main.main(Main.java:3)\n";
        assert_eq!(
            of(Ended::Exit(1), java).unwrap().message,
            "exit status 1: Exception in thread \"main\" java.lang.ArithmeticException: / by zero"
        );
        let node = "TypeError: x is not a function\n    at main (a.js:1:2)\n\nNode.js v20.1.0\n";
        assert_eq!(
            of(Ended::Exit(1), node).unwrap().message,
            "exit status 1: TypeError: x is not a function"
        );
        assert_eq!(of(Ended::Exit(3), "a\nb\n").unwrap().message, "exit status 3: b");
        assert!(of(Ended::Signal(11), "").unwrap().message.starts_with("signal 11 (SIGSEGV"));
        assert_eq!(of(Ended::Signal(200), "").unwrap().message, "signal 200 (unknown)");
    }
}
