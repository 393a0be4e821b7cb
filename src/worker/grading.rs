//! Doing a job for real: the source becomes a file under a fixed name in a folder of its own, and is graded as on the
//! command line. What its author called it never reaches the disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::grade::jury::Jury;
use crate::grade::{Event, GradeError, Job, Judge, SubmissionReport, TestSet, grade};
use crate::lang::{Language, Table};
use crate::limits::Limits;
use crate::problem::Problem;
use crate::sandbox::interrupt;
use crate::solve::Answers;
use crate::store::{Claim, Finish, Kind, Task};
use crate::stress::smallest::{self, Budget};
use crate::worker::{Clock, Outcome, Progress, Work};

/// What the submissions at one problem are graded on.
pub struct Grounds {
    /// The problem.
    pub problem: Problem,
    /// Its tests.
    pub tests: TestSet,
    /// Its checker or interactor, if it has one.
    pub jury: Option<Jury>,
    /// Where the right answers to other inputs come from; without them there is no smallest failing input.
    pub answers: Option<Answers>,
    /// Stop at the first failure, where nothing but the verdict counts. In practice every test is run all the same.
    pub stops_at_first_failure: bool,
}

/// Finds the grounds of a problem by its slug.
type FindGrounds = dyn Fn(&str) -> Option<Arc<Grounds>> + Send + Sync;

/// Grades submissions.
pub struct Grader {
    /// What gradings share.
    pub judge: Arc<Judge>,
    /// What they are graded on.
    pub grounds: Box<FindGrounds>,
    /// Where compiled programs and known verdicts are kept.
    pub cache: PathBuf,
    /// How many tests of a submission of the contest may be on their way at once; of others one is.
    pub workers: usize,
    /// The time.
    pub clock: Clock,
}

/// The name of the file, but for its ending.
const FILE_STEM: &str = "submission";
/// How long a search for a smallest input may take.
const SEARCH_MS: u64 = 10_000;

impl Grader {
    /// What slots want to do their jobs by.
    pub fn into_work(self) -> Arc<Work> {
        Arc::new(move |claim, on_progress| self.work(claim, on_progress))
    }

    /// Does a job.
    fn work(&self, claim: &Claim, on_progress: &mut dyn FnMut(Progress)) -> Outcome {
        let Some(grounds) = (self.grounds)(&claim.slug) else {
            let message =
                format!("the problem `{}` cannot be judged: it is not there, or has mistakes", claim.slug);
            return failed(claim, &message);
        };
        let Some(language) = Table::built_in().language(&claim.language) else {
            return failed(claim, &format!("there is no language `{}` here", claim.language));
        };
        let folder = match written(claim, language, &self.cache) {
            Ok(folder) => folder,
            Err(error) => return failed(claim, &format!("cannot write the submission to a file: {error}")),
        };
        let solution = path(folder.path(), language);
        let job = self.job(claim, &grounds, language, &solution);
        let report = grade(&job, &mut on_event(on_progress));
        if interrupt::requested() {
            return Outcome::Interrupted;
        }
        match (claim.task, report) {
            (_, Err(GradeError::Interrupted)) => Outcome::Interrupted,
            (Task::Smallest, Ok(report)) => self.smallest(&job, &grounds, &report),
            (_, Err(error)) => failed(claim, &error.to_string()),
            (Task::Judge, Ok(report)) => {
                let finish = Box::new(Finish::from(&report));
                match finish.verdict {
                    crate::verdict::Verdict::Je => Outcome::Failed(finish),
                    _ => Outcome::Judged(finish),
                }
            }
        }
    }

    fn job<'a>(
        &'a self,
        claim: &Claim,
        grounds: &'a Grounds,
        language: &'a Language,
        solution: &'a Path,
    ) -> Job<'a> {
        let problem = &grounds.problem;
        let is_contest = claim.kind == Kind::Contest && claim.rejudge.is_none();
        Job {
            judge: &self.judge,
            solution,
            language,
            mode: claim.mode,
            problem: Some(problem),
            tests: &grounds.tests,
            checker: &problem.checker,
            jury: grounds.jury.as_ref(),
            limits: Limits {
                time: problem.limits.time.times(language.time_factor),
                memory: problem.limits.memory,
            },
            // So that practice and rejudges leave most of the cores to the contest.
            workers: if is_contest { self.workers } else { 1 },
            fail_fast: grounds.stops_at_first_failure && claim.kind != Kind::Practice,
            all: false,
            only: None,
            cache: &self.cache,
            // Whoever judges again doubts what is known.
            use_known_verdicts: claim.rejudge.is_none(),
        }
    }

    fn smallest(&self, job: &Job<'_>, grounds: &Grounds, report: &SubmissionReport) -> Outcome {
        let Some(answers) = &grounds.answers else { return Outcome::Smallest(None) };
        let mut budget = Budget::new(SEARCH_MS, &*self.clock.mono_ms);
        let found = smallest::find(job, &grounds.problem, answers, report, &mut budget);
        if interrupt::requested() { Outcome::Interrupted } else { Outcome::Smallest(found) }
    }
}

/// The judge's failure: of a search nobody hears.
fn failed(claim: &Claim, message: &str) -> Outcome {
    match claim.task {
        Task::Judge => Outcome::Failed(Box::new(Finish::judge_error(message))),
        Task::Smallest => Outcome::Smallest(None),
    }
}

fn path(folder: &Path, language: &Language) -> PathBuf {
    let ending = language.extensions.first().map_or("txt", String::as_str);
    folder.join(FILE_STEM).with_extension(ending)
}

/// A folder with the submission's text in it; gone with the value. It lies where builds are made, since there the cache
/// clears away what a judge left that was killed.
fn written(claim: &Claim, language: &Language, cache: &Path) -> std::io::Result<tempfile::TempDir> {
    let place = cache.join("building");
    fs::create_dir_all(&place)?;
    let folder = tempfile::Builder::new().prefix("submission-").tempdir_in(&place)?;
    fs::write(path(folder.path(), language), &claim.source)?;
    Ok(folder)
}

fn on_event(on_progress: &mut dyn FnMut(Progress)) -> impl FnMut(Event) {
    let mut progress = Progress { done: 0, tests: 0 };
    move |event| {
        match event {
            Event::Compiling { .. } => {}
            Event::Compiled { tests, .. } => progress.tests = tests,
            Event::Finished(_) | Event::Skipped(_) => progress.done += 1,
            Event::Done(_) => return,
        }
        on_progress(progress);
    }
}
