//! Two pipes between a program and a partner of the judge's, and a third that stops the program. The program's ends are
//! handed over once; when the program is gone nobody holds them, so the partner sees the end. Never reads or writes.

use std::fs::File;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::sync::{Mutex, PoisonError};

use nix::fcntl::OFlag;

use super::SandboxError;
use super::link::nonblocking;

/// The program's side.
#[derive(Debug)]
pub struct Talk {
    ends: Mutex<Option<Ends>>,
    stop: OwnedFd,
}

/// What becomes standard input and standard output.
#[derive(Debug)]
pub(crate) struct Ends {
    pub(crate) stdin: OwnedFd,
    pub(crate) stdout: OwnedFd,
}

/// The partner's side. Neither pipe ever blocks.
#[derive(Debug)]
pub struct Partner {
    /// Written here, read by the program.
    pub to_program: File,
    /// Written by the program.
    pub from_program: File,
    /// The program is killed when this is dropped.
    pub stop: OwnedFd,
}

impl Talk {
    /// Both sides of a talk with one run.
    ///
    /// # Errors
    /// When the system gives no pipes.
    pub fn new() -> Result<(Self, Partner), SandboxError> {
        let pipe = || nix::unistd::pipe2(OFlag::O_CLOEXEC).map_err(SandboxError::system("make a pipe"));
        let (stdin, to_program) = pipe()?;
        let (from_program, stdout) = pipe()?;
        let (stop, stop_here) = pipe()?;
        let partner = Partner {
            to_program: nonblocking(to_program)?,
            from_program: nonblocking(from_program)?,
            stop: stop_here,
        };
        Ok((Self { ends: Mutex::new(Some(Ends { stdin, stdout })), stop }, partner))
    }

    /// The program's ends, to be closed here once the program has them; `None` when a run has had them before.
    pub(crate) fn take(&self) -> Option<Ends> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// At its end when the program is to be stopped.
    pub(crate) fn stop(&self) -> BorrowedFd<'_> {
        self.stop.as_fd()
    }
}
