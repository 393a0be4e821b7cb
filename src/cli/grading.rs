//! What commands that grade have in common: a judge as the arguments ask for, a problem's tests generated where they
//! are missing, several submissions at once. Prints one-line notes on standard error, never a report.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crate::cli::args::{AccountingChoice, IsolationChoice, SandboxArgs};
use crate::cli::{CliError, Context};
use crate::grade::jury::{AfterTalk, Choice, Jury, Role};
use crate::grade::{self, Event, GradeError, Job, Judge, SubmissionReport, TestSet};
use crate::lang::Toolchains;
use crate::package::{self, LoadError, PackageError, Workspace};
use crate::problem::{self, Problem};
use crate::report::{snippet, terminal};
use crate::sandbox::{self, Accounting, Config, Isolation, interrupt};
use crate::solve::Runner;

/// A judge as the arguments ask for, and Ctrl-C in its hands. No program that it runs sees `hidden`, where the tests
/// lie, or the cache.
///
/// # Errors
/// When Ctrl-C cannot be caught.
pub(crate) fn judge(
    args: &SandboxArgs,
    cores: usize,
    hidden: &[&Path],
    context: &Context,
) -> Result<Judge, CliError> {
    interrupt::install().map_err(|error| CliError::Judge(format!("cannot catch Ctrl-C: {error}")))?;
    let hidden = hidden.iter().map(|folder| context.working_folder.join(folder));
    let config = Config { hidden: hidden.chain([context.cache.clone()]).collect(), ..config(args, context) };
    Ok(Judge::new(config, Toolchains::find(&context.path, &context.cache), cores))
}

/// The sandbox as the arguments ask for; it hides nothing yet.
fn config(args: &SandboxArgs, context: &Context) -> Config {
    Config {
        launcher: context.launcher.clone(),
        isolation: match args.isolation {
            None => sandbox::Choice::Strongest,
            Some(IsolationChoice::Strict) => sandbox::Choice::Strict,
            Some(IsolationChoice::Default) => sandbox::Choice::Default,
            Some(IsolationChoice::Plain) => sandbox::Choice::Plain,
        },
        accounting: match args.accounting {
            AccountingChoice::Auto => Accounting::Auto,
            AccountingChoice::Cgroup2 => Accounting::Cgroup2,
            AccountingChoice::Cgroup1 => Accounting::Cgroup1,
            AccountingChoice::Rlimit => Accounting::Rlimit,
        },
        hidden: Vec::new(),
    }
}

/// What isolation runs get, with a line on standard error when it is weaker than it could be.
///
/// # Errors
/// When no sandbox can be started as asked for.
pub(crate) fn isolation(judge: &Judge, context: &Context) -> Result<Isolation, CliError> {
    let isolation = judge.isolation().map_err(|error| CliError::Judge(error.to_string()))?;
    if let Some(weakness) = terminal::weakness(&isolation) {
        writeln!(context.stderr(), "note: {weakness}")?;
    }
    Ok(isolation)
}

/// The workspace around the working folder.
///
/// # Errors
/// When there is none.
pub(crate) fn workspace(context: &Context) -> Result<Workspace, CliError> {
    Workspace::find(&context.working_folder).map_err(|error| CliError::Wrong(error.to_string()))
}

/// The problems with these names, or all of the workspace. All mistakes of all of them are told at once.
///
/// # Errors
/// When there is none of such a name, or one has mistakes.
pub(crate) fn problems(
    workspace: &Workspace,
    slugs: &[String],
    context: &Context,
) -> Result<Vec<Problem>, CliError> {
    let (problems, unread) = sound_problems(workspace, slugs, context)?;
    unread.map_or(Ok(problems), |unread| Err(unread.error))
}

/// Problems that cannot be read.
pub(crate) struct Unread {
    pub(crate) slugs: Vec<String>,
    /// What is wrong with them.
    pub(crate) error: CliError,
}

/// The problems that can be read, and those that cannot if there are any.
///
/// # Errors
/// When there is no problem at all.
pub(crate) fn sound_problems(
    workspace: &Workspace,
    slugs: &[String],
    context: &Context,
) -> Result<(Vec<Problem>, Option<Unread>), CliError> {
    let all = || {
        let error = |error| {
            CliError::Wrong(format!("cannot list the problems of `{}`: {error}", workspace.root().display()))
        };
        workspace.problems().map_err(error)
    };
    let slugs = if slugs.is_empty() { all()? } else { slugs.to_vec() };
    if slugs.is_empty() {
        return Err(CliError::Wrong(
            "there is no problem here yet: make one with `touchstone new SLUG`".to_owned(),
        ));
    }
    let (mut problems, mut unread) = (Vec::new(), Vec::new());
    let (mut wrong, mut drawn) = (Vec::new(), String::new());
    for slug in &slugs {
        let loaded = workspace.load(slug);
        if loaded.is_err() {
            unread.push(slug.clone());
        }
        match loaded {
            Ok((problem, _)) => problems.push(problem),
            Err(LoadError::Mistakes { path, text, mistakes }) => {
                let file = path.strip_prefix(&context.working_folder).unwrap_or(&path).display().to_string();
                drawn.push_str(&snippet::render(&file, &text, &mistakes, context.color));
            }
            Err(error) => wrong.push(error.to_string()),
        }
    }
    let error = match (wrong.is_empty(), drawn.is_empty()) {
        (true, true) => None,
        (false, true) => Some(CliError::Wrong(wrong.join("\n       "))),
        (_, false) => Some(CliError::Diagnostics(format!("{drawn}{}", wrong.join("\n")))),
    };
    Ok((problems, error.map(|error| Unread { slugs: unread, error })))
}

/// Mistakes drawn with their source lines, or what else keeps a file from being used.
pub(crate) fn load_error(error: &LoadError, working_folder: &Path, color: bool) -> CliError {
    match error {
        LoadError::Mistakes { path, text, mistakes } => {
            let file = path.strip_prefix(working_folder).unwrap_or(path).display().to_string();
            CliError::Diagnostics(snippet::render(&file, text, mistakes, color))
        }
        error => CliError::Wrong(error.to_string()),
    }
}

/// Tests that may take so much are told of before they are made.
const HUGE_BYTES: u64 = 1 << 30;

/// The problem's package; generated first, with a line on standard error, where it is missing, not whole or not of
/// this `problem.toml`.
///
/// # Errors
/// When it cannot be generated.
pub(crate) fn tests(
    workspace: &Workspace,
    problem: &Problem,
    jobs: usize,
    args: &SandboxArgs,
    context: &Context,
) -> Result<TestSet, CliError> {
    let options = generating(problem, jobs, args, context);
    let told = AtomicBool::new(false);
    let progress = |_| {
        // The first test that is made says that some have to be.
        if !told.swap(true, Ordering::Relaxed) {
            let _ = writeln!(context.stderr(), "note: generating the tests of {}", problem.slug);
        }
    };
    let (package, _) = package::ensure(workspace, problem, &options, &progress)
        .map_err(|error| package_error(problem, &error))?;
    for note in &package.notes {
        writeln!(context.stderr(), "note: {}: {note}", problem.slug)?;
    }
    Ok(TestSet::with_groups(package, problem.groups()))
}

/// The checker or interactor that the problem names, compiled; `None` where it names none.
///
/// # Errors
/// When it cannot be used, or the judge fails.
pub(crate) fn jury(
    workspace: &Workspace,
    problem: &Problem,
    judge: &Judge,
    context: &Context,
) -> Result<Option<Jury>, CliError> {
    let Some(jury) = &problem.jury else { return Ok(None) };
    let folder = workspace.problem(&problem.slug);
    let first = compiled(Choice::of_problem(jury, &folder), jury.role, judge, context)?;
    Ok(Some(match &jury.then {
        None => first,
        Some(problem::AfterTalk::BuiltIn(checker)) => first.followed_by(AfterTalk::BuiltIn(checker.clone())),
        Some(problem::AfterTalk::Program(program)) => {
            let checker = compiled(Choice::of_problem(program, &folder), program.role, judge, context)?;
            first.followed_by(AfterTalk::Program(Box::new(checker)))
        }
    }))
}

/// A program of the jury's, compiled.
///
/// # Errors
/// When it cannot be used, or the judge fails.
pub(crate) fn compiled(
    choice: Choice,
    role: Role,
    judge: &Judge,
    context: &Context,
) -> Result<Jury, CliError> {
    Jury::compile(choice, role, judge, &context.cache).map_err(|error| match error {
        GradeError::Judge(_) | GradeError::Interrupted => CliError::Judge(error.to_string()),
        _ => CliError::Wrong(error.to_string()),
    })
}

/// Who is at fault decides the exit status.
pub(crate) fn package_error(problem: &Problem, error: &PackageError) -> CliError {
    let text = format!("{}: {error}", problem.slug);
    if error.is_judges() { CliError::Judge(text) } else { CliError::Wrong(text) }
}

/// How a package is generated when nobody says otherwise.
pub(crate) fn generating(
    problem: &Problem,
    jobs: usize,
    args: &SandboxArgs,
    context: &Context,
) -> package::Options {
    package::Options { seed: problem.seed, jobs, out: None, runner: runner(args, context) }
}

/// Tells before they are made that the tests are going to be large.
///
/// # Errors
/// When standard error can't be written to.
pub(crate) fn warn_if_huge(problem: &Problem, context: &Context) -> Result<(), CliError> {
    let most = crate::generate::most_bytes(problem);
    if most >= HUGE_BYTES {
        writeln!(
            context.stderr(),
            "note: {}: the tests of the largest sizes take up to {}; a smaller `max`, or fewer tests in [families], \
             would take less",
            problem.slug,
            indicatif::HumanBytes(most)
        )?;
    }
    Ok(())
}

/// How a program that gives the answers is run.
pub(crate) fn runner(args: &SandboxArgs, context: &Context) -> Runner {
    let Config { launcher, isolation, accounting, hidden: _ } = config(args, context);
    Runner { launcher, path: context.path.clone(), cache: context.cache.clone(), isolation, accounting }
}

/// Grades several submissions, `workers` tests at once over all of them, and gives their reports in order.
pub(crate) fn grade_all(
    jobs: &mut [Job<'_>],
    workers: usize,
    on_event: &(dyn Fn(usize, &Event) + Sync),
) -> Vec<Result<SubmissionReport, GradeError>> {
    let lanes = workers.clamp(1, jobs.len().max(1));
    for job in &mut *jobs {
        job.workers = workers.div_ceil(lanes);
    }
    let (next, reports) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    thread::scope(|scope| {
        for _ in 0..lanes {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(job) = jobs.get(index) else { return };
                    let report = grade::grade(job, &mut |event| on_event(index, &event));
                    reports.lock().unwrap_or_else(PoisonError::into_inner).insert(index, report);
                }
            });
        }
    });
    reports.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}
