//! `touchstone verify`: whether kept solutions get their expected verdicts, the tests cover the model, and the solver
//! agrees with brute force.

mod package_faults;
mod unexpected;

use std::io::Write as _;
use std::path::Path;

use crate::cli::args::{Format, JobsArgs, ReportArgs, SandboxArgs};
use crate::cli::{CliError, Context, ExitStatus, grading};
use crate::grade::jury::Jury;
use crate::grade::{GradeError, Job, Judge, SubmissionReport, TestSet};
use crate::lang::{self, Language, Table};
use crate::limits::Limits;
use crate::package::{KeptSolution, Workspace};
use crate::problem::Problem;
use crate::report::json;
use crate::report::progress::Progress;
use crate::report::verification::{self, SolutionRow, Verification, VerifyDocument};
use crate::verdict::Verdict;

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

/// A problem with everything that is verified of it.
struct Candidate {
    problem: Problem,
    tests: TestSet,
    solutions: Vec<(KeptSolution, &'static Language)>,
    /// The problem's own checker or interactor.
    jury: Option<Jury>,
    /// What was found wrong before anything was run.
    faults: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// When a problem is not there or cannot be read, or the judge fails.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let workspace = grading::workspace(context)?;
    let workers = args.jobs.count(context.cores);
    let judge = grading::judge(&args.sandbox, workers.min(context.cores), &[workspace.root()], context)?;
    let mut candidates = Vec::new();
    for problem in grading::problems(&workspace, &args.problems, context)? {
        candidates.push(candidate(args, &workspace, problem, &judge, workers, context)?);
    }
    let isolation = grading::isolation(&judge, context)?;
    let reports = grade(args, &judge, &candidates, workers, context)?;
    let mut verifications = Vec::with_capacity(candidates.len());
    for (candidate, reports) in candidates.iter().zip(reports) {
        verifications.push(verification(args, &workspace, candidate, reports, workers, context)?);
    }
    let text = match args.report.format {
        Format::Json => {
            let document = VerifyDocument { problems: &verifications, isolation: &isolation };
            json::document(&document).map_err(|error| CliError::Judge(error.to_string()))?
        }
        Format::Text => verification::text(&verifications, context.width),
    };
    context.stdout().write_all(text.as_bytes())?;
    Ok(verifications.iter().map(status).max().unwrap_or(ExitStatus::Success))
}

fn candidate(
    args: &Args,
    workspace: &Workspace,
    problem: Problem,
    judge: &Judge,
    workers: usize,
    context: &Context,
) -> Result<Candidate, CliError> {
    let jury = grading::jury(workspace, &problem, judge, context)?;
    let tests = grading::tests(workspace, &problem, workers, &args.sandbox, context)?;
    let kept = workspace.solutions(&problem.slug).map_err(|error| {
        CliError::Wrong(format!("cannot read the solutions of {}: {error}", problem.slug))
    })?;
    let (mut solutions, mut faults) = (Vec::new(), Vec::new());
    for solution in kept {
        match lang::detect(Table::built_in(), &solution.path, None) {
            Ok(language) => solutions.push((solution, language)),
            Err(error) => faults.push(error.to_string()),
        }
    }
    if !solutions.iter().any(|(solution, _)| solution.expected.contains(&Verdict::Ac)) {
        faults.push("no solution is kept that should be accepted".to_owned());
    }
    Ok(Candidate { problem, tests, solutions, jury, faults })
}

/// The reports of all solutions of all problems, by problem.
fn grade(
    args: &Args,
    judge: &Judge,
    candidates: &[Candidate],
    workers: usize,
    context: &Context,
) -> Result<Vec<Vec<Result<SubmissionReport, GradeError>>>, CliError> {
    let mut jobs = Vec::new();
    for candidate in candidates {
        for (solution, language) in &candidate.solutions {
            jobs.push(job(args, judge, candidate, solution, language, context));
        }
    }
    let tests = jobs.iter().map(|job| job.tests.tests().len()).sum();
    let progress = Progress::new(1, tests, context.stderr_is_terminal);
    let mut reports = grading::grade_all(&mut jobs, workers, &|_, event| progress.observe(event)).into_iter();
    progress.clear();
    let of_problem = |candidate: &Candidate| reports.by_ref().take(candidate.solutions.len()).collect();
    let reports: Vec<Vec<_>> = candidates.iter().map(of_problem).collect();
    if reports.iter().flatten().any(|report| matches!(report, Err(GradeError::Interrupted))) {
        return Err(CliError::Judge("interrupted".to_owned()));
    }
    Ok(reports)
}

fn job<'a>(
    args: &Args,
    judge: &'a Judge,
    candidate: &'a Candidate,
    solution: &'a KeptSolution,
    language: &'static Language,
    context: &'a Context,
) -> Job<'a> {
    let limits = candidate.problem.limits;
    Job {
        judge,
        solution: &solution.path,
        language,
        mode: None,
        problem: Some(&candidate.problem),
        tests: &candidate.tests,
        checker: &candidate.problem.checker,
        jury: candidate.jury.as_ref(),
        limits: Limits { time: limits.time.times(language.time_factor), memory: limits.memory },
        workers: 1,
        // The first failure decides the verdict.
        fail_fast: true,
        all: false,
        only: None,
        cache: &context.cache,
        use_known_verdicts: !args.no_cache,
    }
}

fn verification(
    args: &Args,
    workspace: &Workspace,
    candidate: &Candidate,
    reports: Vec<Result<SubmissionReport, GradeError>>,
    workers: usize,
    context: &Context,
) -> Result<Verification, CliError> {
    let problem = &candidate.problem;
    let found = package_faults::find(problem, &candidate.tests);
    let mut found = found.ok_or_else(|| CliError::Judge("interrupted".to_owned()))?;
    let options = grading::generating(problem, workers, &args.sandbox, context);
    let differences = crate::package::verify_against_manifest(workspace, problem, &options, &|_| {})
        .map_err(|error| grading::package_error(problem, &error))?;
    let mut faults = candidate.faults.clone();
    faults.extend(differences.iter().map(ToString::to_string));
    faults.append(&mut found.faults);
    let rows = candidate
        .solutions
        .iter()
        .zip(reports)
        .map(|((solution, language), report)| solution_row(workspace.root(), solution, language, report));
    Ok(Verification {
        problem: problem.slug.clone(),
        tests: candidate.tests.tests().len(),
        inputs: found.inputs,
        goals: found.goals,
        goals_reached: found.goals_reached,
        goals_waived: problem.waivers.len(),
        brute_forced: found.brute_forced,
        faults,
        solutions: rows.collect(),
    })
}

fn solution_row(
    root: &Path,
    kept: &KeptSolution,
    language: &Language,
    report: Result<SubmissionReport, GradeError>,
) -> SolutionRow {
    let path = kept.path.strip_prefix(root).unwrap_or(&kept.path);
    let mut row = SolutionRow {
        solution: path.display().to_string(),
        language: language.id.clone(),
        mode: None,
        expected: kept.expected.clone(),
        verdict: None,
        as_expected: None,
        first_failing_test: None,
        cpu_ms: None,
        memory_bytes: None,
        message: String::new(),
        score: None,
        max_score: None,
        expected_score: kept.expectation.score,
        unexpected: Vec::new(),
    };
    match report {
        Ok(report) => {
            row.verdict = report.verdict;
            row.unexpected = unexpected::find(kept, &report);
            row.as_expected = Some(row.unexpected.is_empty());
            (row.score, row.max_score) = (report.score, report.max_score);
            row.cpu_ms = report.tests.iter().filter_map(|test| test.cpu_ms).reduce(f64::max);
            row.memory_bytes = report.tests.iter().filter_map(|test| test.memory_bytes).max();
            let failing =
                report.tests.iter().find(|test| report.first_failing_test.as_ref() == Some(&test.name));
            row.message = failing.map_or(report.compile.log, |test| test.message.clone());
            row.mode = Some(report.mode);
            row.first_failing_test = report.first_failing_test;
        }
        // A language that this machine lacks says nothing about the problem.
        Err(GradeError::NoToolchain(message)) => row.message = message,
        Err(error) => {
            row.as_expected = Some(false);
            row.message = error.to_string();
            row.unexpected.push(row.message.clone());
        }
    }
    row
}

fn status(verification: &Verification) -> ExitStatus {
    let judge_failed = verification.solutions.iter().any(|row| row.verdict == Some(Verdict::Je));
    match (judge_failed, verification.is_well()) {
        (true, _) => ExitStatus::JudgeFailed,
        (false, false) => ExitStatus::Faults,
        (false, true) => ExitStatus::Success,
    }
}
