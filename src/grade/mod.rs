//! Runs a submission on a package and says what happened as events, from which the report is made. Never prints.
//!
//! ```text
//! Job ──lang::compile──▶ Program ──line──▶ workers, each with a Bench ──▶ rows ──▶ events in package order ──▶ report
//!                                          trial: one run, measured, then checked
//!                                          pack:  many small inputs, one row
//! ```
//! A failure of the judge's own (sandbox, checker, files) is the verdict JE, never one of the contestant's.

mod cache;
mod calls;
mod difference;
pub(crate) mod excerpt;
mod fault;
mod judge;
pub mod jury;
mod line;
mod pack;
mod ruling;
mod stops;
mod subject;
mod trial;

pub mod event;
pub mod schedule;
pub mod test_set;

use std::path::{Path, PathBuf};

use crate::check::Checker;
use crate::lang::{self, CompileFailure, CompileJob, Language, Mode, Program};
use crate::limits::Limits;
use crate::problem::{Function, InputModel, Problem};
use crate::sandbox::interrupt;
use crate::score::{self, GroupScore, Points};
use crate::verdict::{self, Verdict};
use cache::Known;
pub use event::{CompileReport, Event, Outputs, SubmissionReport, TestReport};
use fault::Rules;
pub use judge::{Judge, Lent};
use jury::{Jury, Role};
pub use subject::{AskError, Subject, program_key, subject};
pub use test_set::TestSet;
use trial::Bench;
pub use trial::{Figures, Tried};

/// One submission, and how it is to be graded.
pub struct Job<'a> {
    /// What gradings share.
    pub judge: &'a Judge,
    /// The program's source.
    pub solution: &'a Path,
    /// Its language.
    pub language: &'a Language,
    /// How it takes its input; found out from its text when `None`.
    pub mode: Option<Mode>,
    /// The problem; `None` for loose tests.
    pub problem: Option<&'a Problem>,
    /// The tests.
    pub tests: &'a TestSet,
    /// How outputs are compared.
    pub checker: &'a Checker,
    /// The jury's own program, which then rules instead of the checker.
    pub jury: Option<&'a Jury>,
    /// Limits of one run or call, as they are in force for this language.
    pub limits: Limits,
    /// How many tests may be on their way at once.
    pub workers: usize,
    /// Stop at the first failure.
    pub fail_fast: bool,
    /// Run every test, after a TLE too, and every member of a pack.
    pub all: bool,
    /// Only the test of this name.
    pub only: Option<&'a str>,
    /// Where compiled programs and known verdicts are kept.
    pub cache: &'a Path,
    /// Whether a known verdict stands for a run.
    pub use_known_verdicts: bool,
}

/// Why a submission has no report. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    /// The source cannot be read.
    #[error("cannot read `{}`: {cause}", path.display())]
    Source {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// Function mode was asked for, and the problem is no function.
    #[error("{0}")]
    Mode(&'static str),
    /// No test has this name.
    #[error("no test is named `{name}`{hint}")]
    NoSuchTest {
        /// As it was asked for.
        name: String,
        /// What may have been meant; begins with `; ` or is empty.
        hint: String,
    },
    /// There is no test at all.
    #[error("there are no tests to grade on")]
    NoTests,
    /// The language's compiler or interpreter is not on this machine.
    #[error("{0}")]
    NoToolchain(String),
    /// A checker or an interactor of the jury's does not compile, or is no program.
    #[error("the {role} `{}` cannot be used: {log}", program.display())]
    Jury {
        /// Its source.
        program: PathBuf,
        /// What it is for.
        role: &'static str,
        /// Why.
        log: String,
    },
    /// It does not compile, where there is no report that could say so.
    #[error("compile error\n{0}")]
    Rejected(String),
    /// The judge failed, where there is no report that could say so.
    #[error("{0}")]
    Judge(String),
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
}

/// Largest source that is read.
const MAX_SOURCE_BYTES: u64 = 16 << 20;

/// Grades one submission: compiles it, runs the tests, tells of each as an event.
///
/// # Errors
/// When nothing can be said of the submission: see [`GradeError`]. Failures of the judge are no error here but the
/// verdict JE.
pub fn grade(job: &Job<'_>, on_event: &mut dyn FnMut(Event)) -> Result<SubmissionReport, GradeError> {
    // To make a sandbox that runs nothing takes as long as one that does, and there may be many submissions to come.
    if interrupt::requested() {
        return Err(GradeError::Interrupted);
    }
    let chosen = chosen(job)?;
    let mode = mode(job)?;
    let function = function_of(job, mode)?;
    let solution = job.solution.display().to_string();
    let mut report = SubmissionReport {
        solution: solution.clone(),
        language: job.language.id.to_string(),
        mode: mode.name().to_owned(),
        verdict: None,
        score: None,
        max_score: max_score(job.tests),
        groups: Vec::new(),
        compile: CompileReport::default(),
        first_failing_test: None,
        tests: Vec::new(),
    };
    on_event(Event::Compiling { solution, language: report.language.clone() });
    let compiled = compile(job, mode, function);
    let tests = if compiled.is_ok() { chosen.len() } else { 0 };
    on_event(Event::Compiled { ok: compiled.is_ok(), tests });
    match compiled {
        Ok(program) => {
            report.compile = CompileReport { ok: true, log: log(&program.log) };
            report.tests = run(job, &program, function, &chosen, on_event)?;
            report.verdict = verdict::of_submission(report.tests.iter().map(|row| row.verdict));
            report.first_failing_test = first_failing(&report.tests);
            // Of a single test nothing follows for its subtask.
            if job.only.is_none() {
                report.groups = group_scores(job.tests, &report.tests);
            }
            // What the judge failed on nobody knows the points of.
            if report.verdict != Some(Verdict::Je) && !report.groups.is_empty() {
                report.score = Some(report.groups.iter().map(|group| group.score).sum());
            }
        }
        Err(CompileFailure::Rejected { log: text }) => {
            report.verdict = Some(Verdict::Ce);
            report.score = report.max_score.map(|_| Points::ZERO);
            report.compile.log = log(&text);
        }
        Err(CompileFailure::NoToolchain { message }) => return Err(GradeError::NoToolchain(message)),
        Err(CompileFailure::Source { path, cause }) => return Err(GradeError::Source { path, cause }),
        Err(CompileFailure::Judge(_)) if interrupt::requested() => return Err(GradeError::Interrupted),
        Err(CompileFailure::Judge(message)) => {
            report.verdict = Some(Verdict::Je);
            report.compile.log = format!("the judge failed: {message}");
        }
    }
    on_event(Event::Done(Box::new(report.clone())));
    Ok(report)
}

/// What all subtasks together are worth; `None` where there are none.
pub fn max_score(tests: &TestSet) -> Option<Points> {
    tests.has_scores().then(|| tests.groups().map(|group| group.points).sum())
}

fn group_scores(tests: &TestSet, rows: &[TestReport]) -> Vec<GroupScore> {
    let row = |row| {
        let TestReport { name, group, verdict, marks, .. }: &TestReport = row;
        score::Row { name, group: group.as_deref(), verdict: *verdict, marks: *marks }
    };
    let rows: Vec<score::Row<'_>> = rows.iter().map(row).collect();
    let groups: Vec<_> = tests.groups().cloned().collect();
    score::of_groups(&groups, &rows)
}

/// The indices of the tests to be run.
fn chosen(job: &Job<'_>) -> Result<Vec<usize>, GradeError> {
    let tests = job.tests.tests();
    let Some(name) = job.only else {
        return if tests.is_empty() { Err(GradeError::NoTests) } else { Ok((0..tests.len()).collect()) };
    };
    match tests.iter().position(|test| test.name == name) {
        Some(index) => Ok(vec![index]),
        None => {
            let near = crate::diagnostic::nearest(name, tests.iter().map(|test| test.name.as_str()));
            let hint = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            Err(GradeError::NoSuchTest { name: name.to_owned(), hint })
        }
    }
}

/// How the submission takes its input: as asked for, else by its text where the problem is also a function.
fn mode(job: &Job<'_>) -> Result<Mode, GradeError> {
    let Some(function) = job.problem.and_then(|problem| problem.function.as_ref()) else {
        return Ok(job.mode.unwrap_or(Mode::Stdin));
    };
    if let Some(mode) = job.mode {
        return Ok(mode);
    }
    let unreadable = |cause| GradeError::Source { path: job.solution.to_path_buf(), cause };
    let source = excerpt::piece(job.solution, 0..MAX_SOURCE_BYTES).map_err(unreadable)?;
    Ok(lang::function::detect(job.language.driver_id(), &String::from_utf8_lossy(&source), function))
}

/// The function to call, in function mode.
fn function_of<'a>(job: &Job<'a>, mode: Mode) -> Result<Option<(&'a Function, &'a InputModel)>, GradeError> {
    if mode == Mode::Stdin {
        return Ok(None);
    }
    if job.jury.is_some_and(|jury| jury.role() == Role::Interactor) {
        return Err(GradeError::Mode(
            "an interactor talks with whole programs: `--mode function` makes no sense",
        ));
    }
    let problem = job.problem.ok_or(GradeError::Mode(
        "function mode needs a problem that says which function to call: give one with `-p PROBLEM`",
    ))?;
    let function = problem.function.as_ref().ok_or(GradeError::Mode(
        "this problem is no function: it has no [function] in its problem.toml, so `--mode function` makes no sense",
    ))?;
    Ok(Some((function, &problem.model)))
}

fn compile_job<'a>(
    job: &Job<'a>,
    mode: Mode,
    function: Option<(&'a Function, &'a InputModel)>,
) -> CompileJob<'a> {
    CompileJob {
        language: job.language,
        source: job.solution,
        mode,
        function,
        headers: &[],
        cache: job.cache,
    }
}

fn compile(
    job: &Job<'_>,
    mode: Mode,
    function: Option<(&Function, &InputModel)>,
) -> Result<Program, CompileFailure> {
    let mut sandbox = job.judge.sandbox().map_err(|error| CompileFailure::Judge(error.to_string()))?;
    let compile = compile_job(job, mode, function);
    // A compiler beside a measured run would take from its time.
    let _permit = job.judge.cores().one();
    lang::compile(&compile, job.judge.toolchains(), &mut sandbox)
}

fn run(
    job: &Job<'_>,
    program: &Program,
    function: Option<(&Function, &InputModel)>,
    chosen: &[usize],
    on_event: &mut dyn FnMut(Event),
) -> Result<Vec<TestReport>, GradeError> {
    let isolation = job.judge.isolation().ok().and_then(|isolation| serde_json::to_vec(&isolation).ok());
    let checker = job.jury.map_or_else(|| job.checker.to_string(), Jury::key);
    // What a checker's points mean depends on what the tests are worth.
    let worth = match job.jury {
        Some(_) => format!("{:?}", job.tests.groups().collect::<Vec<_>>()),
        None => String::new(),
    };
    let parts: [&[u8]; 6] = [
        program.key.as_bytes(),
        checker.as_bytes(),
        worth.as_bytes(),
        &job.limits.memory.bytes().to_le_bytes(),
        &isolation.unwrap_or_default(),
        // What else decides how a pack is run.
        &[u8::from(function.is_some()), u8::from(job.all)],
    ];
    let mut known = Known::of(job.cache, &parts, job.use_known_verdicts);
    let is_out_of_memory = |stderr: &[u8]| program.ran_out_of_memory(stderr);
    let rules = Rules { limits: job.limits, is_out_of_memory: &is_out_of_memory };
    let bench = || Bench::new(job, program, function, rules);
    let rows = line::run(job, chosen, &mut known, &bench, on_event).map_err(|_| GradeError::Interrupted)?;
    known.save();
    Ok(rows)
}

/// The name of the first row with a verdict other than AC.
fn first_failing(rows: &[TestReport]) -> Option<String> {
    rows.iter()
        .find(|row| row.verdict.is_some_and(|verdict| verdict != Verdict::Ac))
        .map(|row| row.name.clone())
}

fn log(text: &str) -> String {
    excerpt::shorten(&excerpt::printable(text.as_bytes()), excerpt::COMPILE_LOG_BYTES)
}
