//! Why the sandbox could not do its job. Never the fault of the program that was to run.

use std::io;
use std::path::PathBuf;

/// The judge failed; no outcome can be given.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The zygote (`touchstone __zygote`) did not start.
    #[error("cannot start the sandbox process `{launcher}`: {cause}")]
    Launch {
        /// The binary that was started.
        launcher: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// A named step on the way to the program failed, before the program ran.
    #[error("the sandbox failed at {step}: {cause}")]
    Step {
        /// The step in words.
        step: &'static str,
        /// What the system said.
        cause: io::Error,
    },
    /// The program itself could not be executed.
    #[error("cannot execute `{program}`: {cause}")]
    Execute {
        /// The program.
        program: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// What standard input should read could not be opened or read.
    #[error("cannot read `{path}` for standard input: {cause}")]
    Input {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// A system call of the judge's own side failed.
    #[error("cannot {what}: {cause}")]
    System {
        /// What was being done.
        what: &'static str,
        /// What the system said.
        cause: io::Error,
    },
    /// Command, arguments and environment are larger than one message to the zygote.
    #[error("the command with its environment takes {bytes} bytes, at most {limit} are possible")]
    TooLarge {
        /// Their size.
        bytes: usize,
        /// What is possible.
        limit: usize,
    },
    /// The zygote ended in the middle of a run, or said something that makes no sense.
    #[error("the sandbox process was lost while {what}")]
    Lost {
        /// What was being done.
        what: &'static str,
    },
    /// The kernel killed a process of the run for want of memory though the run was far from its own limit.
    #[error(
        "the machine, or a control group around the judge, ran out of memory while a program ran; give it more, or run fewer \
         programs at once"
    )]
    OutOfMemory,
    /// What was asked for with `--isolation` or `--accounting` cannot be had on this machine.
    #[error("{what} is not possible here: {why}")]
    Unavailable {
        /// What was asked for.
        what: &'static str,
        /// Why not, and what to do.
        why: String,
    },
    /// Ctrl-C, or SIGTERM: everything that ran was killed.
    #[error("interrupted")]
    Interrupted,
}

impl SandboxError {
    /// A failed system call of the judge's own side; made for `map_err`.
    pub(crate) fn system<E: Into<io::Error>>(what: &'static str) -> impl FnOnce(E) -> Self {
        move |cause| Self::System { what, cause: cause.into() }
    }
}
