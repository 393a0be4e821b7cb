//! `touchstone verify`: whether kept solutions get their expected verdicts, the tests cover the model, and the solver
//! agrees with brute force.

use crate::cli::args::{JobsArgs, ReportArgs, SandboxArgs};
use crate::cli::{CliError, Context, ExitStatus};

/// Verify problems: expected verdicts of kept solutions, coverage of the model, solver against brute force
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Problems by name; all when none is given
    #[arg(value_name = "PROBLEM")]
    pub problems: Vec<String>,
    /// Run again though verdicts are known
    #[arg(long)]
    pub no_cache: bool,
    /// How many at once.
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// The sandbox.
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Runs the command.
///
/// # Errors
/// When a problem is not there or cannot be read.
pub fn run(_args: &Args, _context: &Context) -> Result<ExitStatus, CliError> {
    Err(CliError::Wrong("`verify` is not there yet".to_owned()))
}
