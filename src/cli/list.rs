//! `touchstone list`: the problems that are here, with limits, tests, strength and solutions.

use std::io::Write as _;

use serde::Serialize;

use crate::cli::args::{Format, ReportArgs};
use crate::cli::strength::record;
use crate::cli::{CliError, Context, ExitStatus, grading};
use crate::package::{self, Workspace};
use crate::problem::Problem;
use crate::report::json;
use crate::report::listing::{self, Line, StrengthNumbers};
use crate::strength::Record;

/// List the problems that are here, with limits, tests, strength and solutions
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// What `list --format json` prints.
#[derive(Serialize)]
struct Document<'a> {
    problems: &'a [Line],
    /// Slugs of those that have mistakes.
    unread: &'a [String],
}

/// Runs the command.
///
/// # Errors
/// When there is no workspace here, or a problem has mistakes: the others are listed all the same.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let workspace = grading::workspace(context)?;
    let (problems, unread) = grading::sound_problems(&workspace, &[], context)?;
    let lines = problems.iter().map(|problem| line(&workspace, problem)).collect::<Result<Vec<_>, _>>()?;
    let slugs = unread.as_ref().map_or(&[][..], |unread| &unread.slugs);
    let text = match args.report.format {
        Format::Json => json::document(&Document { problems: &lines, unread: slugs })
            .map_err(|error| CliError::Judge(error.to_string()))?,
        Format::Text => listing::text(&lines, slugs, context.width),
    };
    context.stdout().write_all(text.as_bytes())?;
    unread.map_or(Ok(ExitStatus::Success), |unread| Err(unread.error))
}

fn line(workspace: &Workspace, problem: &Problem) -> Result<Line, CliError> {
    let solutions = workspace.solutions(&problem.slug).map_err(|error| {
        CliError::Wrong(format!("cannot read the solutions of {}: {error}", problem.slug))
    })?;
    Ok(Line {
        problem: problem.slug.clone(),
        title: problem.titles.first().map(|(_, title)| title.clone()).unwrap_or_default(),
        time_limit_ms: problem.limits.time.ms(),
        memory_limit_bytes: problem.limits.memory.bytes(),
        tests: tests(workspace, problem),
        strength: record::current(workspace, problem).map(numbers),
        solutions: solutions.len(),
        function: problem.function.as_ref().map(|function| function.name.clone()),
    })
}

/// How many tests the manifest names, if it is of this problem. A package that is missing or not whole is made when it is
/// needed.
fn tests(workspace: &Workspace, problem: &Problem) -> Option<usize> {
    let manifest = package::read_manifest(&workspace.generated(&problem.slug)).ok()?;
    package::is_current(workspace, problem, &manifest).ok()?.then_some(manifest.tests.len())
}

fn numbers(record: Record) -> StrengthNumbers {
    let Record { killed, counted, kept_killed, kept } = record;
    let percent = (counted > 0).then(|| 100.0 * killed as f64 / counted as f64);
    StrengthNumbers {
        killed,
        counted,
        killed_percent: percent.map(|percent| (percent * 10.0).round() / 10.0),
        kept_killed,
        kept,
    }
}
