//! `touchstone doctor`: what isolation, toolchains and timing this machine gives, and how to get more.

use crate::cli::args::ReportArgs;
use crate::cli::{CliError, Context, ExitStatus};

/// Say what isolation, toolchains and timing this machine gives, and how to get more
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Runs the command.
///
/// # Errors
/// When the output cannot be written.
pub fn run(_args: &Args, _context: &Context) -> Result<ExitStatus, CliError> {
    Err(CliError::Wrong("`doctor` is not there yet".to_owned()))
}
