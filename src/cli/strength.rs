//! `touchstone strength`: which wrong programs and mutants the tests kill, which survive; chooses a small set of tests,
//! and hunts survivors.

mod hunting;
mod measured;
mod programs;
pub(crate) mod record;
mod selecting;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::cli::args::{Format, JobsArgs, ReportArgs, SandboxArgs};
use crate::cli::{CliError, Context, ExitStatus, grading};
use crate::grade::Judge;
use crate::limits::TimeLimit;
use crate::package::Workspace;
use crate::problem::Problem;
use crate::report::json;
use crate::report::strength::{self as report, Strength, StrengthDocument};
use crate::report::strength_page;
use crate::strength::{self, StrengthError};
use measured::Measured;

/// Measure how strong tests are: kept wrong programs and mutants of accepted ones, and which tests kill them
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Problems by name
    #[arg(value_name = "PROBLEM", required = true)]
    pub problems: Vec<String>,
    /// Search for inputs that kill survivors, for so long, and offer them as cases
    #[arg(long, value_name = "TIME", value_parser = TimeLimit::parse_duration)]
    pub hunt: Option<TimeLimit>,
    /// Choose few tests that kill as much as all, and write them to problems/PROBLEM/selection.toml
    #[arg(long)]
    pub select: bool,
    /// Try at most so many mutants of each problem
    #[arg(long, value_name = "N", default_value_t = strength::BUDGET)]
    pub mutants: usize,
    /// Write the matrix of programs and tests as a page to look at
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
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

/// What the steps of the command share.
struct Desk<'a> {
    args: &'a Args,
    context: &'a Context,
    workspace: &'a Workspace,
    judge: &'a Judge,
    workers: usize,
}

/// Runs the command.
///
/// # Errors
/// When a problem is not there or has mistakes, or the judge fails.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let workspace = grading::workspace(context)?;
    let workers = args.jobs.count(context.cores);
    let problems = grading::problems(&workspace, &args.problems, context)?;
    let judge = grading::judge(&args.sandbox, workers.min(context.cores), &[workspace.root()], context)?;
    let isolation = grading::isolation(&judge, context)?;
    let desk = Desk { args, context, workspace: &workspace, judge: &judge, workers };
    let mut found = Vec::with_capacity(problems.len());
    for problem in problems {
        found.push(desk.one(problem)?);
    }
    if let Some(file) = &args.html {
        let path = context.working_folder.join(file);
        std::fs::write(&path, strength_page::page(&found))
            .map_err(|error| CliError::Wrong(format!("cannot write `{}`: {error}", file.display())))?;
    }
    let text = match args.report.format {
        Format::Json => json::document(&StrengthDocument { problems: &found, isolation: &isolation })
            .map_err(|error| CliError::Judge(error.to_string()))?,
        Format::Text => report::text(&found, context.width),
    };
    context.stdout().write_all(text.as_bytes())?;
    Ok(if found.iter().all(Strength::is_well) { ExitStatus::Success } else { ExitStatus::Faults })
}

impl Desk<'_> {
    fn one(&self, problem: Problem) -> Result<Strength, CliError> {
        let (problem, selection) =
            if self.args.select { selecting::select(self, problem)? } else { (problem, None) };
        let tests = grading::tests(self.workspace, &problem, self.workers, &self.args.sandbox, self.context)?;
        let measured = Measured::new(self, &problem, tests)?;
        let mut found = measured.report(self)?;
        record::keep(self, &problem, &found)?;
        found.selection = selection;
        if let Some(duration) = self.args.hunt {
            found.hunt = Some(hunting::hunted(self, &problem, &measured, &found, duration)?);
        }
        Ok(found)
    }

    /// A path below the workspace as it is reached from the working folder.
    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.context.working_folder).unwrap_or(path).display().to_string()
    }
}

fn strength_error(problem: &Problem, error: &StrengthError) -> CliError {
    match error {
        StrengthError::Interrupted => CliError::Judge("interrupted".to_owned()),
        StrengthError::Judge { .. } => CliError::Judge(format!("{}: {error}", problem.slug)),
    }
}
