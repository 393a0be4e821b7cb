//! `touchstone list`: the problems that are here, with limits, tests and solutions.

use crate::cli::args::ReportArgs;
use crate::cli::{CliError, Context, ExitStatus};

/// List the problems that are here, with limits, tests and solutions
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Runs the command.
///
/// # Errors
/// When there is no workspace here.
pub fn run(_args: &Args, _context: &Context) -> Result<ExitStatus, CliError> {
    Err(CliError::Wrong("`list` is not there yet".to_owned()))
}
