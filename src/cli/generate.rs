//! `touchstone generate`: writes problems' test packages, or compares them with their manifests.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::cli::args::{Format, JobsArgs, ReportArgs, SandboxArgs};
use crate::cli::{CliError, Context, ExitStatus, grading};
use crate::package::{self, LoadError, Manifest, Options, PackageError, Progress, Workspace, read_manifest};
use crate::problem::Problem;
use crate::sandbox::interrupt;

/// Generate test packages: the same seed gives the same bytes, everywhere and for ever
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Problems by name; all when none is given
    #[arg(value_name = "PROBLEM")]
    pub problems: Vec<String>,
    /// Seed of everything random [default: the problem's, else 1]
    #[arg(long, value_name = "SEED")]
    pub seed: Option<u64>,
    /// The folder that takes the packages, as DIR/PROBLEM [default: generated/ of the workspace]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Generate in memory and compare with the manifest; write nothing
    #[arg(long, conflicts_with = "out")]
    pub check: bool,
    /// How many at once.
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// Where a program gives the answers, its sandbox.
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// One problem's line of the report.
#[derive(Debug, Serialize)]
struct Line {
    problem: String,
    seed: u64,
    tests: usize,
    inputs: usize,
    bytes: u64,
    wall_ms: f64,
    /// Where the package lies; `null` with `--check`.
    folder: Option<PathBuf>,
    /// With `--check`: what is not as it should be. Empty when all is well.
    differences: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When a problem is not there or is wrong, its solver fails, or the package cannot be written.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let workspace =
        Workspace::find(&context.working_folder).map_err(|error| CliError::Wrong(error.to_string()))?;
    let problems = load_all(&workspace, &args.problems, context)?;
    interrupt::install().map_err(|error| CliError::Judge(format!("cannot catch Ctrl-C: {error}")))?;
    let mut lines = Vec::with_capacity(problems.len());
    for problem in &problems {
        lines.push(one(args, context, &workspace, problem)?);
    }
    let is_well = lines.iter().all(|line| line.differences.is_empty());
    print(args, context, &lines)?;
    Ok(if is_well { ExitStatus::Success } else { ExitStatus::Faults })
}

/// Loads every problem before anything is written, so that all mistakes are told at once.
fn load_all(workspace: &Workspace, slugs: &[String], context: &Context) -> Result<Vec<Problem>, CliError> {
    let mut slugs = slugs.to_vec();
    if slugs.is_empty() {
        slugs = workspace.problems().map_err(|error| {
            CliError::Wrong(format!("cannot list the problems of `{}`: {error}", workspace.root().display()))
        })?;
    }
    if slugs.is_empty() {
        return Err(CliError::Wrong(
            "the workspace has no problem: make one with `touchstone new SLUG`".into(),
        ));
    }
    let (mut problems, mut wrong, mut drawn) = (Vec::new(), Vec::new(), String::new());
    for slug in &slugs {
        match workspace.load(slug) {
            Ok((problem, _)) => problems.push(problem),
            Err(LoadError::Mistakes { path, text, mistakes }) => {
                let file = path.strip_prefix(workspace.root()).unwrap_or(&path).display().to_string();
                drawn += &crate::report::snippet::render(&file, &text, &mistakes, context.color);
            }
            Err(error) => wrong.push(error.to_string()),
        }
    }
    match (wrong.is_empty(), drawn.is_empty()) {
        (true, true) => Ok(problems),
        (false, true) => Err(CliError::Wrong(wrong.join("\n"))),
        (true, false) => Err(CliError::Diagnostics(drawn)),
        (false, false) => Err(CliError::Diagnostics(format!("{drawn}\n{}\n", wrong.join("\n")))),
    }
}

fn one(args: &Args, context: &Context, workspace: &Workspace, problem: &Problem) -> Result<Line, CliError> {
    let told = |error: PackageError| told(&problem.slug, &error);
    let mut options = Options {
        seed: args.seed.unwrap_or(problem.seed),
        jobs: args.jobs.count(context.cores),
        out: args.out.as_ref().map(|out| context.working_folder.join(out)),
        runner: grading::runner(&args.sandbox, context),
    };
    grading::warn_if_huge(problem, context)?;
    let bar = bar(context, &problem.slug);
    let progress = |progress: Progress| {
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
    };
    #[expect(clippy::disallowed_methods, reason = "the command line may read a clock")]
    let start = Instant::now();
    let folder = workspace.generated(&problem.slug);
    let line = |manifest: &Manifest, folder, differences| Line {
        problem: problem.slug.clone(),
        seed: manifest.seed,
        tests: manifest.tests.len(),
        inputs: manifest.inputs(),
        bytes: manifest.bytes(),
        wall_ms: start.elapsed().as_secs_f64() * 1000.0,
        folder,
        differences,
    };
    let line = if args.check {
        let kept = read_manifest(&folder).map_err(|error| told(error.into()))?;
        options.seed = args.seed.unwrap_or(kept.seed);
        let differences = package::verify_against_manifest(workspace, problem, &options, &progress);
        let differences = differences.map_err(told)?.iter().map(ToString::to_string).collect();
        line(&kept, None, differences)
    } else {
        let manifest = package::generate(workspace, problem, &options, &progress).map_err(told)?;
        for note in &manifest.notes {
            writeln!(context.stderr(), "note: {}: {note}", problem.slug)?;
        }
        let folder = options.out.as_ref().map_or(folder, |out| out.join(&problem.slug));
        line(&manifest, Some(folder), Vec::new())
    };
    bar.finish_and_clear();
    Ok(line)
}

/// Who is at fault decides the exit status.
fn told(slug: &str, error: &PackageError) -> CliError {
    let text = format!("{slug}: {error}");
    if error.is_judges() { CliError::Judge(text) } else { CliError::Wrong(text) }
}

fn bar(context: &Context, slug: &str) -> ProgressBar {
    let target =
        if context.stderr_is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(0), target).with_message(slug.to_owned());
    match ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} tests") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// No more differences of one problem are printed as text; the first is what matters.
const SHOWN_DIFFERENCES: usize = 10;

fn print(args: &Args, context: &Context, lines: &[Line]) -> Result<(), CliError> {
    let mut out = context.stdout();
    if args.report.format == Format::Json {
        let text = serde_json::to_string_pretty(&serde_json::json!({ "packages": lines }))
            .map_err(|error| CliError::Judge(format!("cannot write the report: {error}")))?;
        return Ok(writeln!(out, "{text}")?);
    }
    for line in lines {
        let Line { problem, seed, tests, inputs, bytes, wall_ms, folder, differences } = line;
        let size = HumanBytes(*bytes);
        if differences.is_empty() {
            let end = match folder {
                Some(folder) => format!("in {}", shown(folder, context)),
                None => "as the manifest says".to_owned(),
            };
            writeln!(
                out,
                "{problem}: {tests} tests, {inputs} inputs, {size}, seed {seed}, {wall_ms:.0} ms, {end}"
            )?;
        } else {
            writeln!(out, "{problem}: not as the manifest says (seed {seed})")?;
            for difference in differences.iter().take(SHOWN_DIFFERENCES) {
                writeln!(out, "  {difference}")?;
            }
            if differences.len() > SHOWN_DIFFERENCES {
                writeln!(out, "  and {} more", differences.len() - SHOWN_DIFFERENCES)?;
            }
        }
    }
    Ok(())
}

/// A path below the current folder is shown from there.
fn shown(path: &std::path::Path, context: &Context) -> String {
    path.strip_prefix(&context.working_folder).unwrap_or(path).display().to_string()
}
