//! `touchstone check`: every mistake in problem.toml, statements and packages at once, with source lines.

use std::path::PathBuf;

use crate::cli::args::ReportArgs;
use crate::cli::{CliError, Context, ExitStatus};

/// Show every mistake in problem.toml, statements and packages at once, with source lines
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Problems by name; all when none is given
    #[arg(value_name = "PROBLEM")]
    pub problems: Vec<String>,
    /// Check this file against the problem's input model instead
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Runs the command.
///
/// # Errors
/// When a problem is not there or cannot be read.
pub fn run(_args: &Args, _context: &Context) -> Result<ExitStatus, CliError> {
    Err(CliError::Wrong("`check` is not there yet".to_owned()))
}
