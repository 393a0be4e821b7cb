//! `touchstone new`: a problem that verifies at once.

use crate::cli::{CliError, Context, ExitStatus};

/// Make a problem that verifies at once: problem.toml, a statement, two solutions
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The problem's name and folder: lower-case letters, digits and -
    pub slug: String,
}

/// Runs the command.
///
/// # Errors
/// When the name is not a slug, is taken, or the files cannot be written.
pub fn run(_args: &Args, _context: &Context) -> Result<ExitStatus, CliError> {
    Err(CliError::Wrong("`new` is not there yet".to_owned()))
}
