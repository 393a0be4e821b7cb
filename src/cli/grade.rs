//! `touchstone grade`: grades submissions on a problem's package or on loose files, and shows the report.

use std::path::PathBuf;

use crate::cli::args::{JobsArgs, LimitArgs, ProgramArgs, ReportArgs, SandboxArgs};
use crate::cli::{CliError, Context, ExitStatus};

/// Grade solutions on a problem's tests, or on loose test files
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Programs, or folders of them
    #[arg(value_name = "SOLUTION", required = true)]
    pub solutions: Vec<PathBuf>,
    /// The problem [default: from solutions/PROBLEM/…]
    #[arg(long, short, value_name = "PROBLEM")]
    pub problem: Option<String>,
    /// Loose files N.in with N.ans or N.out, in natural order; no problem needed
    #[arg(long, value_name = "DIR", conflicts_with = "problem")]
    pub tests: Option<PathBuf>,
    /// Only this test
    #[arg(long, value_name = "NAME")]
    pub test: Option<String>,
    /// How outputs are compared: tokens, lines, exact, float:1e-6, unordered, testlib:FILE or kattis:FILE
    #[arg(long, value_name = "CHECKER")]
    pub checker: Option<String>,
    /// Stop at the first test that fails
    #[arg(long, conflicts_with = "all")]
    pub fail_fast: bool,
    /// Run every test, after a time limit too, and every member of a pack
    #[arg(long)]
    pub all: bool,
    /// Run again though the verdict is known
    #[arg(long)]
    pub no_cache: bool,
    /// Don't look for the smallest failing input
    #[arg(long)]
    pub no_shrink: bool,
    /// How many at once.
    #[command(flatten)]
    pub jobs: JobsArgs,
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
/// When a program, the problem or the tests are wrong, or the judge fails.
pub fn run(_args: &Args, _context: &Context) -> Result<ExitStatus, CliError> {
    Err(CliError::Wrong("`grade` is not there yet".to_owned()))
}
