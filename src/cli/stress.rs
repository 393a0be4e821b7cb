//! `touchstone stress`: searches for an input on which a solution fails, then shrinks it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rand::TryRng as _;
use rand::rngs::SysRng;

use crate::cli::args::{Format, LimitArgs, ModeChoice, ProgramArgs, ReportArgs, SandboxArgs};
use crate::cli::{CliError, Context, ExitStatus, grading, quote};
use crate::grade::{AskError, GradeError, Job, Judge, Subject, TestSet, subject};
use crate::input::{self, Input, Value};
use crate::lang::{self, Language, Mode, Table};
use crate::limits::{Limits, TimeLimit};
use crate::package::{self, Package, Ready, Workspace};
use crate::problem::Problem;
use crate::report::json;
use crate::report::search::{self, FailureReport, SearchDocument};
use crate::solve::{Answers, TrustedProgram};
use crate::stress::{self, Failure, Searched, Smallest, StressError, World};
use crate::verdict::Verdict;

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
    #[arg(long = "for", value_name = "TIME", value_parser = TimeLimit::parse_duration, default_value = "10s")]
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

/// Shrinking gets as long as the search, but no less and no more than this.
const SHRINK_MS: (u64, u64) = (5_000, 20_000);
/// How often the line on standard error changes.
const TICK: Duration = Duration::from_millis(200);

/// Runs the command.
///
/// # Errors
/// When the program or the problem is wrong, or the judge fails.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    #[expect(clippy::disallowed_methods, reason = "the command line may read a clock")]
    let start = Instant::now();
    let (workspace, slug) = which_problem(args, context)?;
    let problem = grading::problems(&workspace, &[slug], context)?.pop();
    let problem = problem.ok_or_else(|| CliError::Wrong("no problem was given".to_owned()))?;
    let language = lang::detect(Table::built_in(), &args.solution, args.program.language.as_deref())
        .map_err(|error| CliError::Wrong(error.to_string()))?;
    let seed = match args.seed {
        Some(seed) => seed,
        // Short enough to be typed again.
        None => u64::from(SysRng.try_next_u32().map_err(|error| CliError::Judge(error.to_string()))?),
    };
    let judge = grading::judge(&args.sandbox, 1, &[workspace.root()], context)?;
    grading::isolation(&judge, context)?;
    let jury = grading::jury(&workspace, &problem, &judge, context)?;
    let answers = answers(args, context, &workspace, &problem)?;
    let runner = grading::runner(&args.sandbox, context);
    let makers = package::makers(&workspace, &problem, &runner)
        .map_err(|error| grading::package_error(&problem, &error.into()))?;
    let tests = TestSet::new(Package { problem: None, tests: Vec::new(), notes: Vec::new() });
    let job = Job { jury: jury.as_ref(), ..job(args, context, &judge, &problem, language, &tests) };
    let mut mode = Mode::Stdin;
    let outcome = subject(&job, &mut |subject: &mut Subject<'_>| {
        mode = subject.mode;
        let mut made = |round| made(&makers, &problem, seed, round);
        hunt(args, context, (&problem, seed), (&answers, &mut made), subject, start)
    });
    let (found, smallest) = outcome.map_err(|error| grade_error(&error))?.map_err(stress_error)?;
    let document = SearchDocument {
        problem: problem.slug.clone(),
        solution: args.solution.display().to_string(),
        language: language.id.to_string(),
        mode: mode.name().to_owned(),
        against: args.against.as_ref().map(|other| other.display().to_string()),
        checker: problem.judged_by(),
        is_compared: problem.jury.is_none(),
        seed,
        inputs: found.inputs,
        is_exhausted: found.is_exhausted,
        wall_ms: (start.elapsed().as_secs_f64() * 1000.0).round(),
        verdict: smallest.as_ref().map_or(Verdict::Ac, |smallest| smallest.failure.tried.verdict),
        failure: smallest.as_ref().map(|smallest| report(args, &problem, seed, &found, smallest)),
    };
    let text = match args.report.format {
        Format::Json => json::document(&document).map_err(|error| CliError::Judge(error.to_string()))?,
        Format::Text => {
            search::text(&document, &again(args, &problem.slug, seed), context.width, context.color)
        }
    };
    let mut stdout = context.stdout();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(if smallest.is_some() { ExitStatus::Faults } else { ExitStatus::Success })
}

fn which_problem(args: &Args, context: &Context) -> Result<(Workspace, String), CliError> {
    if let Some(slug) = &args.problem {
        return Ok((grading::workspace(context)?, slug.clone()));
    }
    let absolute = context.working_folder.join(&args.solution);
    let workspace = Workspace::find(&absolute).ok();
    workspace.and_then(|there| there.solution_problem(&absolute).map(|slug| (there, slug))).ok_or_else(|| {
        CliError::Wrong(format!(
            "which problem is `{}` for? It is not under solutions/PROBLEM/ of a workspace: give `-p PROBLEM`",
            args.solution.display()
        ))
    })
}

/// The trusted side: the problem's own solver, or the other program.
fn answers(
    args: &Args,
    context: &Context,
    workspace: &Workspace,
    problem: &Problem,
) -> Result<Answers, CliError> {
    if args.against.is_some() && problem.is_interactive() {
        return Err(CliError::Wrong(format!(
            "the interactor of {} says what is right: `--against` makes no sense here",
            problem.slug
        )));
    }
    let runner = grading::generating(problem, 1, &args.sandbox, context).runner;
    let answers = match &args.against {
        None => Answers::of(problem, workspace.root(), &runner),
        Some(other) => {
            let path = other.display().to_string();
            TrustedProgram::compile(problem, &context.working_folder, &path, &runner)
                .map(|program| Answers::Program(Box::new(program)))
        }
    };
    answers.map_err(|error| {
        if error.is_judges() {
            CliError::Judge(error.to_string())
        } else {
            CliError::Wrong(error.to_string())
        }
    })
}

fn job<'a>(
    args: &'a Args,
    context: &'a Context,
    judge: &'a Judge,
    problem: &'a Problem,
    language: &'a Language,
    tests: &'a TestSet,
) -> Job<'a> {
    Job {
        judge,
        solution: &args.solution,
        language,
        mode: args.program.mode.map(|mode| match mode {
            ModeChoice::Stdin => Mode::Stdin,
            ModeChoice::Function => Mode::Function,
        }),
        problem: Some(problem),
        tests,
        checker: &problem.checker,
        jury: None,
        limits: Limits {
            time: args.limits.time_limit.unwrap_or_else(|| problem.limits.time.times(language.time_factor)),
            memory: args.limits.memory_limit.unwrap_or(problem.limits.memory),
        },
        workers: 1,
        fail_fast: false,
        all: false,
        only: None,
        cache: &context.cache,
        use_known_verdicts: false,
    }
}

/// An input of each of the problem's own programs.
fn made(makers: &[Ready<'_>], problem: &Problem, seed: u64, round: u32) -> Result<Vec<Input>, String> {
    let made = |maker: &Ready<'_>| maker.make(round, seed, &problem.model).map(|made| made.input);
    makers.iter().map(made).collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// Searches, then shrinks what was found.
fn hunt(
    args: &Args,
    context: &Context,
    (problem, seed): (&Problem, u64),
    (answers, made): (&Answers, &mut stress::Made<'_>),
    subject: &mut Subject<'_>,
    start: Instant,
) -> Result<(Searched, Option<Smallest>), StressError> {
    let mut answer =
        |input: &Input, text: &[u8]| answers.answer(input, text).map_err(|error| error.to_string());
    let mut first_failing = |asked: &[(&Input, &str)]| subject.first_failing(asked);
    let clock_ms = || u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut world = World { answer: &mut answer, first_failing: &mut first_failing, clock_ms: &clock_ms };
    let bar = indicatif::ProgressBar::with_draw_target(None, draw_target(context));
    if context.stderr_is_terminal {
        bar.enable_steady_tick(TICK);
    }
    let mut progress = |inputs| bar.set_message(format!("{inputs} inputs tried, seed {seed}"));
    let found = stress::search(problem, seed, args.duration.ms(), &mut world, made, &mut progress);
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            bar.finish_and_clear();
            return Err(error);
        }
    };
    let Some(failure) = found.failure.clone() else {
        bar.finish_and_clear();
        return Ok((found, None));
    };
    bar.set_message("shrinking the input");
    let smallest = if args.no_shrink {
        Ok(Smallest { failure, probes: 0, is_minimal: false })
    } else {
        let budget = args.duration.ms().clamp(SHRINK_MS.0, SHRINK_MS.1);
        stress::shrink(&problem.model, failure, budget, &mut world)
    };
    bar.finish_and_clear();
    Ok((found, Some(smallest?)))
}

fn draw_target(context: &Context) -> indicatif::ProgressDrawTarget {
    if context.stderr_is_terminal {
        indicatif::ProgressDrawTarget::stderr()
    } else {
        indicatif::ProgressDrawTarget::hidden()
    }
}

fn report(args: &Args, problem: &Problem, seed: u64, found: &Searched, smallest: &Smallest) -> FailureReport {
    let Failure { input, answer, tried } = &smallest.failure;
    let mut text = Vec::new();
    input::render(&problem.model, input, &mut text);
    let numbers = |input: &Input| input.values.iter().map(Value::count).sum();
    let program = args.solution.file_stem().unwrap_or(args.solution.as_os_str()).to_string_lossy();
    let words = name_of(&program);
    FailureReport {
        case: stress::case(
            &problem.model,
            input,
            &format!("{words} seed {seed}"),
            &format!("{program}: {}", tried.message),
        ),
        input: String::from_utf8_lossy(&text).into_owned(),
        expected: answer.clone(),
        actual: crate::grade::excerpt::printable(&tried.answer),
        message: tried.message.clone(),
        stderr: tried.stderr.clone(),
        transcript: tried.transcript.clone(),
        exit_code: tried.exit_code,
        signal: tried.signal,
        numbers: numbers(input),
        found_numbers: found.failure.as_ref().map_or(0, |failure| numbers(&failure.input)),
        probes: smallest.probes,
        is_minimal: smallest.is_minimal,
    }
}

/// A file's name as words, for a case's name.
fn name_of(stem: &str) -> String {
    let words: String = stem
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { ' ' })
        .collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    if words.is_empty() { "found".to_owned() } else { words.join(" ") }
}

/// The command that repeats the search.
fn again(args: &Args, slug: &str, seed: u64) -> String {
    let mut words = vec!["touchstone".to_owned(), "stress".to_owned(), quote::path(&args.solution)];
    words.extend(["-p".to_owned(), quote::word(slug.as_ref())]);
    let mut option = |name: &str, value: Option<String>| {
        words.extend(value.map(|value| [name.to_owned(), value]).into_iter().flatten());
    };
    option("--against", args.against.as_deref().map(|other: &Path| quote::path(other)));
    option("--time-limit", args.limits.time_limit.map(|limit| limit.to_string()));
    option("--memory-limit", args.limits.memory_limit.map(|limit| limit.to_string()));
    option("--language", args.program.language.as_ref().map(|language| quote::word(language.as_ref())));
    option("--seed", Some(seed.to_string()));
    words.join(" ")
}

fn grade_error(error: &GradeError) -> CliError {
    match error {
        GradeError::Judge(_) | GradeError::Interrupted => CliError::Judge(error.to_string()),
        _ => CliError::Wrong(error.to_string()),
    }
}

fn stress_error(error: StressError) -> CliError {
    match error {
        StressError::Generate(_) | StressError::Made(_) => CliError::Wrong(error.to_string()),
        StressError::Ask(AskError::Interrupted) => CliError::Judge("interrupted".to_owned()),
        _ => CliError::Judge(error.to_string()),
    }
}
