//! Which tests which programs fail: every program on every test, in parallel, with what is known from before. A time
//! limit passed ends a program's larger tests, as in grading. Never says what a survivor means.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::StrengthError;
use super::known::{Known, Remembered};
use crate::grade::jury::Jury;
use crate::grade::{AskError, GradeError, Job, Judge, Subject, TestSet, program_key, subject};
use crate::lang::Language;
use crate::limits::Limits;
use crate::problem::Problem;
use crate::sandbox::interrupt;
use crate::verdict::Verdict;

/// What is known is written whenever so many programs are done, so that a stopped matrix goes on from there.
const SAVE_EVERY: usize = 16;

/// What all programs of a matrix have in common.
#[derive(Clone, Copy)]
pub struct Bench<'a> {
    /// The sandboxes and the cores.
    pub judge: &'a Judge,
    /// The problem.
    pub problem: &'a Problem,
    /// The tests.
    pub tests: &'a TestSet,
    /// The jury's own program, if the problem has one.
    pub jury: Option<&'a Jury>,
    /// Where compiled programs are kept.
    pub cache: &'a Path,
    /// Mutants have a place of their own, so that they drive out nobody's.
    pub mutants_cache: &'a Path,
    /// Programs at once.
    pub workers: usize,
    /// Whether a verdict that is known stands for a run.
    pub use_known: bool,
}

/// A program of the matrix.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// As reports call it.
    pub name: String,
    /// Its source.
    pub path: PathBuf,
    /// Its language.
    pub language: &'static Language,
    /// Whether it is somebody's, and no mutant.
    pub is_kept: bool,
}

/// What became of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A verdict for each test, none for those that were not run after a TLE.
    Ran(Vec<Option<Verdict>>),
    /// It does not compile.
    Rejected,
    /// This machine lacks its language; why, in words.
    NotRun(String),
}

impl Fate {
    /// The indices of the tests that it fails.
    pub fn killers(&self) -> Vec<usize> {
        match self {
            Self::Ran(row) => (0..row.len()).filter(|&test| row[test].is_some_and(is_kill)).collect(),
            Self::Rejected | Self::NotRun(_) => Vec::new(),
        }
    }

    /// Whether some test fails it.
    pub fn is_killed(&self) -> bool {
        matches!(self, Self::Ran(row) if row.iter().flatten().any(|verdict| is_kill(*verdict)))
    }
}

fn is_kill(verdict: Verdict) -> bool {
    verdict != Verdict::Ac
}

impl<'a> Bench<'a> {
    /// How a program is run: by the problem's limits, with one worker of its own.
    pub fn job(&self, entrant: &'a Entrant) -> Job<'a> {
        let limits = self.problem.limits;
        Job {
            judge: self.judge,
            solution: &entrant.path,
            language: entrant.language,
            mode: None,
            problem: Some(self.problem),
            tests: self.tests,
            checker: &self.problem.checker,
            jury: self.jury,
            limits: Limits { time: limits.time.times(entrant.language.time_factor), memory: limits.memory },
            workers: 1,
            fail_fast: false,
            all: false,
            only: None,
            cache: if entrant.is_kept { self.cache } else { self.mutants_cache },
            use_known_verdicts: false,
        }
    }
}

/// Runs every program on every test; `progress` hears how many programs are done, and the name of the one that was
/// done last. What is found is added to `known`.
///
/// # Errors
/// When the judge fails or is interrupted: a matrix with holes would count survivors that are none.
pub fn run(
    bench: &Bench<'_>,
    entrants: &[Entrant],
    known: &Mutex<Known>,
    progress: &(dyn Fn(usize, &str) + Sync),
) -> Result<Vec<Fate>, StrengthError> {
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let fates: Mutex<Vec<Option<Result<Fate, StrengthError>>>> = Mutex::new(vec![None; entrants.len()]);
    thread::scope(|scope| {
        for _ in 0..bench.workers.clamp(1, entrants.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(entrant) = entrants.get(index) else { return };
                    let fate = one(bench, entrant, known);
                    let failed = fate.is_err();
                    fates.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(fate);
                    if failed {
                        // The others would only fail too.
                        next.store(entrants.len(), Ordering::Relaxed);
                    }
                    let finished = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if finished.is_multiple_of(SAVE_EVERY) {
                        known.lock().unwrap_or_else(PoisonError::into_inner).save();
                    }
                    progress(finished, &entrant.name);
                }
            });
        }
    });
    let fates = fates.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = fates.iter().flatten().find_map(|fate| fate.as_ref().err()) {
        return Err(error.clone());
    }
    fates.into_iter().map(|fate| fate.unwrap_or(Err(StrengthError::Interrupted))).collect()
}

/// How many of the programs have to be compiled or run: what becomes of the others on these tests is known from before.
pub fn new_programs(bench: &Bench<'_>, entrants: &[Entrant], known: &Known) -> usize {
    let is_known = |entrant: &&Entrant| {
        let job = bench.job(entrant);
        // What can't be compiled here takes no time either.
        let Ok(key) = program_key(&job) else { return true };
        let remembered = known.of(&Known::key(&job, &key)).filter(|_| bench.use_known);
        remembered.is_some_and(|remembered| remembered.fate(bench.tests).is_some())
    };
    entrants.iter().filter(|entrant| !is_known(entrant)).count()
}

fn one(bench: &Bench<'_>, entrant: &Entrant, known: &Mutex<Known>) -> Result<Fate, StrengthError> {
    if interrupt::requested() {
        return Err(StrengthError::Interrupted);
    }
    let job = bench.job(entrant);
    let key = match program_key(&job) {
        Ok(key) => Known::key(&job, &key),
        Err(error) => return without_program(error, entrant),
    };
    let lock = || known.lock().unwrap_or_else(PoisonError::into_inner);
    let remembered = if bench.use_known { lock().of(&key) } else { None };
    if let Some(fate) = remembered.as_ref().and_then(|remembered| remembered.fate(bench.tests)) {
        lock().keep(&key);
        return Ok(fate);
    }
    let before = remembered.unwrap_or_default();
    let ran = subject(&job, &mut |subject: &mut Subject<'_>| all_tests(bench, subject, &before));
    match ran {
        Ok(Ok(row)) => {
            lock().learn(&key, Remembered::of(bench.tests, &row));
            Ok(Fate::Ran(row))
        }
        Ok(Err(AskError::Interrupted)) => Err(StrengthError::Interrupted),
        Ok(Err(AskError::Judge(message))) => {
            Err(StrengthError::Judge { program: entrant.name.clone(), message })
        }
        Err(GradeError::Rejected(_)) => {
            lock().learn(&key, Remembered::rejected());
            Ok(Fate::Rejected)
        }
        Err(error) => without_program(error, entrant),
    }
}

/// The verdict of each test, until a TLE.
fn all_tests(
    bench: &Bench<'_>,
    subject: &mut Subject<'_>,
    before: &Remembered,
) -> Result<Vec<Option<Verdict>>, AskError> {
    let tests = bench.tests.tests();
    let mut row = vec![None; tests.len()];
    subject.hurry();
    for (index, test) in tests.iter().enumerate() {
        let verdict = match before.verdict(bench.tests, index) {
            Some(verdict) => verdict,
            None => {
                let report = subject.run(test)?;
                match report.verdict {
                    Some(Verdict::Je) | None => {
                        return Err(AskError::Judge(format!("test `{}`: {}", test.name, report.message)));
                    }
                    Some(verdict) => verdict,
                }
            }
        };
        row[index] = Some(verdict);
        if verdict == Verdict::Tle {
            break;
        }
    }
    Ok(row)
}

/// Why there is nothing to run.
fn without_program(error: GradeError, entrant: &Entrant) -> Result<Fate, StrengthError> {
    match error {
        GradeError::Rejected(_) => Ok(Fate::Rejected),
        GradeError::NoToolchain(message) => Ok(Fate::NotRun(message)),
        GradeError::Interrupted => Err(StrengthError::Interrupted),
        other => Err(StrengthError::Judge { program: entrant.name.clone(), message: other.to_string() }),
    }
}
