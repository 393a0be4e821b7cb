//! `touchstone completions`: a completion script for a shell.

use std::io::Write as _;

use crate::cli::{CliError, Context, ExitStatus};

/// Write a completion script for a shell to standard output
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Runs the command for the command line as `command` defines it.
///
/// # Errors
/// When the output cannot be written.
pub fn run(args: &Args, context: &Context, command: &mut clap::Command) -> Result<ExitStatus, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "touchstone", &mut script);
    context.stdout().write_all(&script)?;
    Ok(ExitStatus::Success)
}
