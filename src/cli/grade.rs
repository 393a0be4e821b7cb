//! `touchstone grade`: grades submissions on a problem's package or on loose files, and shows the report.

mod again;
mod sources;

use std::fmt;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::check::{Checker, CheckerError};
use crate::cli::args::{Format, JobsArgs, LimitArgs, ModeChoice, ProgramArgs, ReportArgs, SandboxArgs};
use crate::cli::{CliError, Context, ExitStatus, grading};
use crate::grade::jury::{AfterTalk, Choice, Jury, Protocol, Role};
use crate::grade::{CompileReport, GradeError, Job, Judge, SubmissionReport, TestSet};
use crate::lang::{Language, Mode};
use crate::limits::Limits;
use crate::package::{self, Workspace};
use crate::problem::Problem;
use crate::report::json::{self, GradeDocument};
use crate::report::progress::Progress;
use crate::report::terminal::{self, Graded, Sheet};
use crate::sandbox::{Isolation, interrupt};
use crate::solve::Answers;
use crate::stress::smallest::{self, Budget};
use crate::verdict::Verdict;
use sources::Source;

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
    /// How outputs are compared: tokens, lines, exact, float:1e-6, unordered, or by a program of yours, as in
    /// testlib:check.cpp or kattis:validate.py
    #[arg(long, value_name = "CHECKER", value_parser = Compare::parse)]
    pub checker: Option<Compare>,
    /// A program that talks with the solution, as in testlib:interact.cpp or kattis:interact.py; what one of testlib's
    /// writes --checker then rules on, if there is one
    #[arg(long, value_name = "PROTOCOL:FILE", value_parser = interactor)]
    pub interactor: Option<Choice>,
    /// Stop at the first test that fails
    #[arg(long, conflicts_with = "all")]
    pub fail_fast: bool,
    /// Run every test, after a time limit or a judge error too, and every member of a pack
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

/// How outputs are compared, as it is typed.
#[derive(Clone, Debug)]
pub enum Compare {
    /// By a checker that is built in.
    BuiltIn(Checker),
    /// By a program.
    Program(Choice),
}

impl Compare {
    fn parse(text: &str) -> Result<Self, String> {
        if let Some(choice) = Choice::parse(text) {
            return Ok(Self::Program(choice));
        }
        Checker::parse(text).map(Self::BuiltIn).map_err(|error| match error {
            CheckerError::Unknown(_) => {
                format!("{error}; or a program of yours, as testlib:FILE or kattis:FILE")
            }
            _ => error.to_string(),
        })
    }
}

impl fmt::Display for Compare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(checker) => checker.fmt(f),
            Self::Program(choice) => choice.fmt(f),
        }
    }
}

fn interactor(text: &str) -> Result<Choice, String> {
    Choice::parse(text)
        .ok_or_else(|| format!("`{text}` is no interactor: expected testlib:FILE or kattis:FILE"))
}

/// How long the searches for smallest failing inputs of one command may take together.
const ALL_SEARCHES_MS: u64 = 20_000;

/// What the submissions are graded on.
struct Grounds {
    problem: Option<Problem>,
    /// Where the problem lies.
    workspace: Option<Workspace>,
    tests: TestSet,
    checker: Checker,
    /// Where the right answers to other inputs come from; `None` when no other input is going to be tried.
    answers: Option<Answers>,
}

/// Runs the command.
///
/// # Errors
/// When a program, the problem or the tests are wrong, or the judge fails.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let sources = sources::find(&args.solutions, args.program.language.as_deref())?;
    let workers = args.jobs.count(context.cores);
    let grounds = grounds(args, &sources, workers, context)?;
    let around = grading::workspace(context).ok();
    let workspaces = grounds.workspace.iter().chain(&around).map(Workspace::root);
    let hidden: Vec<&Path> = workspaces.chain(args.tests.as_deref()).collect();
    let judge = grading::judge(&args.sandbox, workers.min(context.cores), &hidden, context)?;
    let isolation = grading::isolation(&judge, context)?;
    let jury = jury(args, context, &judge, &grounds)?;
    let mut jobs: Vec<Job<'_>> = sources
        .iter()
        .map(|source| Job {
            judge: &judge,
            solution: &source.path,
            language: source.language,
            mode: args.program.mode.map(mode),
            problem: grounds.problem.as_ref(),
            tests: &grounds.tests,
            checker: &grounds.checker,
            jury: jury.as_ref(),
            limits: limits(args, grounds.problem.as_ref(), source.language),
            workers,
            fail_fast: args.fail_fast,
            all: args.all,
            only: args.test.as_deref(),
            cache: &context.cache,
            use_known_verdicts: !args.no_cache,
        })
        .collect();
    let tests = if args.test.is_some() { 1 } else { grounds.tests.tests().len() };
    let progress = Progress::new(jobs.len(), tests, context.stderr_is_terminal);
    let reports = grading::grade_all(&mut jobs, workers, &|_, event| progress.observe(event));
    progress.clear();
    #[expect(clippy::disallowed_methods, reason = "the command line may read a clock")]
    let begun = Instant::now();
    let clock_ms = || u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut budget = Budget::new(ALL_SEARCHES_MS, &clock_ms);
    let searching = Progress::searching(context.stderr_is_terminal);
    let mut graded = Vec::with_capacity(jobs.len());
    for (job, report) in jobs.iter().zip(reports) {
        searching.say(&format!("looking for the smallest failing input of {}", job.solution.display()));
        graded.push(graded_of(args, &grounds, job, report, &mut budget)?);
    }
    searching.clear();
    if interrupt::requested() {
        return Err(CliError::Judge("interrupted".to_owned()));
    }
    print(args, context, &grounds, &graded, &isolation)?;
    Ok(graded.iter().map(status).max().unwrap_or(ExitStatus::Success))
}

/// The checker that was asked for, if it is built in.
fn built_in(args: &Args) -> Option<Checker> {
    match &args.checker {
        Some(Compare::BuiltIn(checker)) => Some(checker.clone()),
        _ => None,
    }
}

/// The program that checks, or that talks with the submissions, as it was asked for or as the problem names it;
/// compiled once for all of them.
fn jury(args: &Args, context: &Context, judge: &Judge, grounds: &Grounds) -> Result<Option<Jury>, CliError> {
    let compile = |choice: &Choice, role| grading::compiled(choice.clone(), role, judge, context);
    let first = match (&args.interactor, &args.checker) {
        (Some(choice), _) => compile(choice, Role::Interactor)?,
        (None, Some(Compare::Program(choice))) => return compile(choice, Role::Checker).map(Some),
        (None, Some(Compare::BuiltIn(_))) => return Ok(None),
        (None, None) => {
            let of_problem = grounds.workspace.as_ref().zip(grounds.problem.as_ref());
            return of_problem
                .map_or(Ok(None), |(workspace, problem)| grading::jury(workspace, problem, judge, context));
        }
    };
    Ok(Some(match &args.checker {
        None => first,
        Some(Compare::BuiltIn(checker)) => first.followed_by(AfterTalk::BuiltIn(checker.clone())),
        Some(Compare::Program(choice)) => {
            first.followed_by(AfterTalk::Program(Box::new(compile(choice, Role::Checker)?)))
        }
    }))
}

/// What outputs are compared by, in words.
fn compared_by(args: &Args, grounds: &Grounds) -> String {
    match (&args.checker, &args.interactor, &grounds.problem) {
        (Some(compare), Some(choice), _) => format!("interactor {choice}, checker {compare}"),
        (Some(compare), None, _) => compare.to_string(),
        (None, Some(choice), _) => format!("interactor {choice}"),
        (None, None, Some(problem)) => problem.judged_by(),
        (None, None, None) => grounds.checker.to_string(),
    }
}

/// Finds what is to be graded on.
fn grounds(args: &Args, sources: &[Source], workers: usize, context: &Context) -> Result<Grounds, CliError> {
    if let (Some(_), Some(Choice { protocol: Protocol::Kattis, .. })) = (&args.checker, &args.interactor) {
        let message =
            "a Kattis interactor says by itself what is right: `--checker` makes no sense beside it";
        return Err(CliError::Wrong(message.to_owned()));
    }
    if let Some(folder) = &args.tests {
        let mut package = package::loose(folder).map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            CliError::Wrong(faults.join("\n       "))
        })?;
        let groups = package::group_loose(folder, &mut package)
            .map_err(|error| grading::load_error(&error, &context.working_folder, context.color))?;
        for note in &package.notes {
            writeln!(context.stderr(), "note: {note}")?;
        }
        let checker = built_in(args).unwrap_or(Checker::Tokens);
        let tests = TestSet::with_groups(package, groups);
        return Ok(Grounds { problem: None, workspace: None, tests, checker, answers: None });
    }
    let (workspace, slug) = which_problem(args, sources, context)?;
    let problem = grading::problems(&workspace, &[slug], context)?.pop();
    let problem = problem.ok_or_else(|| CliError::Wrong("no problem was given".to_owned()))?;
    if args.checker.is_some() && args.interactor.is_none() && problem.is_interactive() {
        return Err(CliError::Wrong(format!(
            "the interactor of {} says what is right: `--checker` makes no sense here",
            problem.slug
        )));
    }
    let tests = grading::tests(&workspace, &problem, workers, &args.sandbox, context)?;
    let checker = built_in(args).unwrap_or_else(|| problem.checker.clone());
    let shrinks = !args.no_shrink && args.report.format == Format::Text;
    // Tests are there, so a solver that is not is no reason to stop; there is just no smaller input then.
    let answers = shrinks
        .then(|| Answers::of(&problem, workspace.root(), &grading::runner(&args.sandbox, context)).ok())
        .flatten();
    Ok(Grounds { problem: Some(problem), workspace: Some(workspace), tests, checker, answers })
}

/// The problem that is asked for, or the one whose solutions these are.
fn which_problem(
    args: &Args,
    sources: &[Source],
    context: &Context,
) -> Result<(Workspace, String), CliError> {
    if let Some(slug) = &args.problem {
        return Ok((grading::workspace(context)?, slug.clone()));
    }
    let mut found: Option<(Workspace, String)> = None;
    for source in sources {
        let absolute = context.working_folder.join(&source.path);
        let workspace = Workspace::find(&absolute).ok();
        let Some((workspace, slug)) = workspace
            .and_then(|there| Some((there.solution_problem(&absolute)?, there)))
            .map(|(slug, there)| (there, slug))
        else {
            return Err(CliError::Wrong(format!(
                "which problem is `{}` for? It is not under solutions/PROBLEM/ of a workspace: give `-p PROBLEM`, or \
                 `--tests DIR` for loose files",
                source.path.display()
            )));
        };
        match &found {
            Some((_, other)) if *other != slug => {
                return Err(CliError::Wrong(format!(
                    "these are solutions of different problems, `{other}` and `{slug}`: grade them one problem at a \
                     time, or give `-p PROBLEM`"
                )));
            }
            _ => found = Some((workspace, slug)),
        }
    }
    found.ok_or_else(|| CliError::Wrong("no solution was given".to_owned()))
}

fn mode(choice: ModeChoice) -> Mode {
    match choice {
        ModeChoice::Stdin => Mode::Stdin,
        ModeChoice::Function => Mode::Function,
    }
}

/// What is given is meant as it is; a problem's own limits are those of the reference languages.
fn limits(args: &Args, problem: Option<&Problem>, language: &Language) -> Limits {
    let base = problem.map_or_else(Limits::default, |problem| Limits {
        time: problem.limits.time.times(language.time_factor),
        memory: problem.limits.memory,
    });
    Limits {
        time: args.limits.time_limit.unwrap_or(base.time),
        memory: args.limits.memory_limit.unwrap_or(base.memory),
    }
}

/// A report with what is shown beside it. What keeps one submission from being graded does not stop the others.
fn graded_of(
    args: &Args,
    grounds: &Grounds,
    job: &Job<'_>,
    report: Result<SubmissionReport, GradeError>,
    budget: &mut Budget<'_>,
) -> Result<Graded, CliError> {
    let (report, problem) = match report {
        Ok(report) => (report, None),
        Err(GradeError::Interrupted) => return Err(CliError::Judge("interrupted".to_owned())),
        Err(error @ (GradeError::NoToolchain(_) | GradeError::Source { .. })) => {
            (ungraded(job, &error), Some(error.to_string()))
        }
        Err(error) => return Err(CliError::Wrong(error.to_string())),
    };
    let slug = grounds.problem.as_ref().map(|problem| problem.slug.as_str());
    let smallest = grounds.problem.as_ref().zip(grounds.answers.as_ref());
    let smallest =
        smallest.and_then(|(problem, answers)| smallest::find(job, problem, answers, &report, budget));
    let again =
        report.first_failing_test.as_deref().map(|test| again::command(args, job.solution, slug, test));
    Ok(Graded { report, limits: job.limits, again, smallest, problem })
}

fn ungraded(job: &Job<'_>, error: &GradeError) -> SubmissionReport {
    SubmissionReport {
        solution: job.solution.display().to_string(),
        language: job.language.id.clone(),
        mode: job.mode.unwrap_or(Mode::Stdin).name().to_owned(),
        verdict: None,
        score: None,
        max_score: crate::grade::max_score(job.tests),
        groups: Vec::new(),
        compile: CompileReport { ok: false, log: error.to_string() },
        first_failing_test: None,
        tests: Vec::new(),
    }
}

fn print(
    args: &Args,
    context: &Context,
    grounds: &Grounds,
    graded: &[Graded],
    isolation: &Isolation,
) -> Result<(), CliError> {
    let slug = grounds.problem.as_ref().map(|problem| problem.slug.as_str());
    let text = match args.report.format {
        Format::Json => {
            let submissions = graded.iter().map(|graded| &graded.report).collect();
            let document = GradeDocument { problem: slug, submissions, isolation: Some(isolation) };
            json::document(&document).map_err(|error| CliError::Judge(error.to_string()))?
        }
        Format::Text => {
            let folder = args.tests.as_deref().unwrap_or(Path::new("")).display().to_string();
            terminal::grade(&Sheet {
                title: slug.unwrap_or(&folder),
                checker: &compared_by(args, grounds),
                graded,
                width: context.width,
                color: context.color,
            })
        }
    };
    let mut stdout = context.stdout();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// What a submission's report means for how the program ends.
fn status(graded: &Graded) -> ExitStatus {
    match graded.report.verdict {
        Some(Verdict::Ac) => ExitStatus::Success,
        Some(Verdict::Je) => ExitStatus::JudgeFailed,
        Some(_) => ExitStatus::Faults,
        None => ExitStatus::Wrong,
    }
}
