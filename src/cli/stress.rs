//! `touchstone stress`: searches for an input on which a solution fails, then shrinks it.

use std::path::PathBuf;

use crate::cli::args::{LimitArgs, ProgramArgs, ReportArgs, SandboxArgs};
use crate::cli::{CliError, Context, ExitStatus};
use crate::limits::TimeLimit;

/// Search for an input on which a solution fails, then shrink it to the smallest
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The program to be tried
    #[arg(value_name = "SOLUTION")]
    pub solution: PathBuf,
    /// The problem [default: from solutions/PROBLEM/…]
    #[arg(long, short, value_name = "PROBLEM")]
    pub problem: Option<String>,
    /// Compare with this program instead of the problem's solver
    #[arg(long, value_name = "OTHER")]
    pub against: Option<PathBuf>,
    /// How long to search
    #[arg(long = "for", value_name = "TIME", value_parser = TimeLimit::parse, default_value = "10s")]
    pub duration: TimeLimit,
    /// Seed of the search; printed when it is not given
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// Show the input that was found, without shrinking it
    #[arg(long)]
    pub no_shrink: bool,
    /// The program.
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The limits.
    #[command(flatten)]
    pub limits: LimitArgs,
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
/// When the program or the problem is wrong, or the judge fails.
pub fn run(_args: &Args, _context: &Context) -> Result<ExitStatus, CliError> {
    Err(CliError::Wrong("`stress` is not there yet".to_owned()))
}
