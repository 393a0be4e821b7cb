//! Ctrl-C: a run that is on its way ends with [`SandboxError::Interrupted`](super::SandboxError::Interrupted), its
//! processes killed and its folder removed. Never exits the judge; that is the command line's to do.

use std::io;

use super::linux::signals;

/// Makes SIGINT and SIGTERM end runs in place of the judge. A second one ends the judge as if nothing were installed.
///
/// # Errors
/// When the system refuses a handler or a descriptor.
pub fn install() -> io::Result<()> {
    signals::install().map_err(io::Error::from)
}

/// Whether such a signal has come.
pub fn requested() -> bool {
    signals::requested()
}
