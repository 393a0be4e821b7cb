//! The command line: parses arguments, calls the rooms below, prints, chooses the exit status.

use std::process::ExitCode;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    ExitCode::from(2)
}
