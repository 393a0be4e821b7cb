//! `touchstone generate`: writes problems' test packages, or compares them with their manifests.

use std::path::PathBuf;

use crate::cli::args::{JobsArgs, ReportArgs};
use crate::cli::{CliError, Context, ExitStatus};

/// Generate test packages: the same seed gives the same bytes, everywhere and for ever
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Problems by name; all when none is given
    #[arg(value_name = "PROBLEM")]
    pub problems: Vec<String>,
    /// Seed of everything random [default: the problem's, else 1]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Where the packages go [default: generated/ of the workspace]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Generate in memory and compare with the manifest; write nothing
    #[arg(long, conflicts_with = "out")]
    pub check: bool,
    /// How many at once.
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Runs the command.
///
/// # Errors
/// When a problem is not there or is wrong, its solver fails, or the package cannot be written.
pub fn run(_args: &Args, _context: &Context) -> Result<ExitStatus, CliError> {
    Err(CliError::Wrong("`generate` is not there yet".to_owned()))
}
