//! `--hunt`: the survivors of a problem hunted side by side, and what was caught as cases ready to be kept.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use super::Desk;
use super::measured::Measured;
use crate::cli::{CliError, grading};
use crate::grade::{GradeError, Subject, subject};
use crate::input::Input;
use crate::lang::Mode;
use crate::limits::TimeLimit;
use crate::problem::Problem;
use crate::report::progress::Progress;
use crate::report::strength::{CaughtLine, HuntLine, Standing, Strength};
use crate::solve::Answers;
use crate::strength::{Bench, Chase, Entrant, Failing, Fate, Hunted, hunt};
use crate::stress;
use crate::verdict::Verdict;

/// Each survivor gets at least so long.
const LEAST_MS: u64 = 1500;
/// Shrinking gets as long as the search, but no less and no more than this.
const SHRINK_MS: (u64, u64) = (3_000, 10_000);

/// So many other wrong programs are asked where they fail.
const PROBES: usize = 4;
/// They are in languages that cost little.
const SOON: [&str; 2] = ["cpp", "rust"];

/// What was caught so far.
#[derive(Default)]
struct Bag {
    inputs: Vec<Input>,
    lines: Vec<(usize, CaughtLine)>,
    failed: Option<CliError>,
}

/// Hunts the survivors of `found` for as long in all, on as many workers as there are.
pub(super) fn hunted(
    desk: &Desk<'_>,
    problem: &Problem,
    measured: &Measured<'_>,
    found: &Strength,
    duration: TimeLimit,
) -> Result<HuntLine, CliError> {
    #[expect(clippy::disallowed_methods, reason = "the command line may read a clock")]
    let start = Instant::now();
    let lines = found.kept.iter().chain(&found.programs);
    let survivors: Vec<&Entrant> = measured
        .entrants
        .iter()
        .zip(lines)
        .filter(|(_, line)| line.standing == Standing::Survived)
        .map(|(entrant, _)| entrant)
        .collect();
    if survivors.is_empty() {
        // Neither the solver nor a probe is built for nothing.
        return Ok(HuntLine { hunted: 0, inputs: 0, caught: Vec::new() });
    }
    let workers = desk.workers.clamp(1, survivors.len());
    let share = duration.ms() * workers as u64 / survivors.len() as u64;
    let others = probes(measured);
    let runner = grading::runner(&desk.args.sandbox, desk.context);
    let answers = Answers::of(problem, desk.workspace.root(), &runner)
        .map_err(|error| CliError::Wrong(error.to_string()))?;
    let clock_ms = || u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    let search_ms = share.max(LEAST_MS);
    let (next, inputs, bag) = (AtomicUsize::new(0), AtomicU64::new(0), Mutex::new(Bag::default()));
    let progress = Progress::new(survivors.len(), 1, desk.context.stderr_is_terminal);
    let lock = || bag.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(entrant) = survivors.get(index) else { return };
                    let before = lock().inputs.clone();
                    let chase = Chase {
                        problem,
                        seed: problem.seed,
                        search_ms,
                        shrink_ms: share.clamp(SHRINK_MS.0, SHRINK_MS.1),
                        clock_ms: &clock_ms,
                    };
                    match one(desk, measured, entrant, &others, chase, &answers, &before) {
                        Ok(hunted) => {
                            inputs.fetch_add(hunted.inputs, Ordering::Relaxed);
                            lock().add(problem, index, entrant, hunted);
                        }
                        Err(error) => {
                            lock().failed.get_or_insert(error);
                            next.store(survivors.len(), Ordering::Relaxed);
                        }
                    }
                    progress.step(&entrant.name);
                }
            });
        }
    });
    progress.clear();
    let Bag { mut lines, failed, .. } = bag.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = failed {
        return Err(error);
    }
    lines.sort_by_key(|(index, _)| *index);
    Ok(HuntLine {
        hunted: survivors.len(),
        inputs: inputs.into_inner(),
        caught: lines.into_iter().map(|(_, line)| line).collect(),
    })
}

fn one(
    desk: &Desk<'_>,
    measured: &Measured<'_>,
    entrant: &Entrant,
    others: &[&Entrant],
    chase: Chase<'_>,
    answers: &Answers,
    before: &[Input],
) -> Result<Hunted, CliError> {
    let mut answer =
        |input: &Input, text: &[u8]| answers.answer(input, text).map_err(|error| error.to_string());
    let bench = measured.bench(desk);
    let job = bench.job(entrant);
    let failed = |message: String| CliError::Judge(format!("cannot hunt `{}`: {message}", entrant.name));
    let hunted = subject(&job, &mut |subject: &mut Subject<'_>| {
        let mut none = |asked: &[(&Input, &str)]| Ok(vec![0; asked.len()]);
        asking_too(&bench, others, &mut none, &mut |failing| {
            hunt(chase, subject, &mut answer, before, failing)
        })
    });
    let hunted = hunted.and_then(|hunted| hunted).map_err(|error| failed(error.to_string()))?;
    hunted.map_err(|error| failed(error.to_string()))
}

/// Mutants whose answers only few tests show to be wrong: where they fail, others may.
fn probes<'m>(measured: &'m Measured<'_>) -> Vec<&'m Entrant> {
    let mut killed: Vec<(usize, &Entrant)> = Vec::new();
    for (entrant, fate) in measured.entrants.iter().zip(&measured.fates) {
        let Fate::Ran(row) = fate else { continue };
        let is_quick = row.iter().flatten().all(|verdict| matches!(verdict, Verdict::Ac | Verdict::Wa));
        let killers = fate.killers().len();
        if is_quick && killers > 0 && !entrant.is_kept && SOON.contains(&entrant.language.id.as_str()) {
            killed.push((killers, entrant));
        }
    }
    killed.sort_by_key(|(killers, _)| *killers);
    killed.into_iter().map(|(_, entrant)| entrant).take(PROBES).collect()
}

/// Hands `work` the question on which inputs `others` fail besides those that `failing` asks.
fn asking_too<R>(
    bench: &Bench<'_>,
    others: &[&Entrant],
    failing: &mut Failing<'_>,
    work: &mut dyn FnMut(&mut Failing<'_>) -> R,
) -> Result<R, GradeError> {
    let Some((other, rest)) = others.split_first() else { return Ok(work(failing)) };
    let job = bench.job(other);
    let worked = subject(&job, &mut |subject: &mut Subject<'_>| {
        // A process for each input would cost more than it tells.
        if subject.mode == Mode::Stdin {
            return asking_too(bench, rest, failing, work);
        }
        let mut more = |asked: &[(&Input, &str)]| {
            let mut found = failing(asked)?;
            for (bits, tried) in found.iter_mut().zip(subject.ask_all(asked)?) {
                *bits = *bits << 1 | u32::from(tried.verdict != Verdict::Ac);
            }
            Ok(found)
        };
        asking_too(bench, rest, &mut more, work)
    });
    worked.and_then(|worked| worked)
}

impl Bag {
    fn add(&mut self, problem: &Problem, index: usize, entrant: &Entrant, hunted: Hunted) {
        let Some(failure) = hunted.caught else { return };
        let is_new = !self.inputs.contains(&failure.input);
        let name: String = entrant
            .name
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { ' ' })
            .collect();
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let why = format!("kills {}: {}", entrant.name, failure.tried.message);
        let case =
            if is_new { stress::case(&problem.model, &failure.input, &name, &why) } else { String::new() };
        let line = CaughtLine {
            program: entrant.name.clone(),
            verdict: failure.tried.verdict,
            message: failure.tried.message,
            case,
        };
        if is_new {
            self.inputs.push(failure.input);
        }
        self.lines.push((index, line));
    }
}
