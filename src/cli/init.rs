//! `touchstone init`: a workspace with the problems that come with Touchstone, out of the binary alone. Never changes a
//! file that is there.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use crate::cli::{CliError, Context, ExitStatus, quote};
use crate::package::unpack;
use crate::report::quantity;

/// Make a workspace with the nine Stone Games and their solutions
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Its folder; made if it is not there
    pub dir: PathBuf,
}

/// Files of the user that are named.
const NAMED_FILES: usize = 10;

/// Runs the command.
///
/// # Errors
/// When a file can't be written.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let root = context.working_folder.join(&args.dir);
    let unpacked = unpack(&root).map_err(|(path, error)| {
        CliError::Wrong(format!(
            "cannot write `{}`: {error}; the same command goes on from here",
            path.display()
        ))
    })?;
    for file in unpacked.kept.iter().take(NAMED_FILES) {
        writeln!(context.stderr(), "note: `{}` is another one, and was left as it is", file.display())?;
    }
    if let Some(more) = unpacked.kept.len().checked_sub(NAMED_FILES).filter(|more| *more > 0) {
        writeln!(context.stderr(), "note: so were {}", quantity::count(more, "more file"))?;
    }
    let mut text = format!(
        "{} with {} in {}; {} written\n",
        quantity::count(unpacked.problems, "problem"),
        quantity::count(unpacked.solutions, "solution"),
        args.dir.display(),
        quantity::count(unpacked.written, "file"),
    );
    let _ = writeln!(text, "next: cd {} && touchstone list", quote::path(&args.dir));
    context.stdout().write_all(text.as_bytes())?;
    Ok(ExitStatus::Success)
}
