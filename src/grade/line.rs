//! The tests of one submission, divided among workers: which are run, when it stops, and in which order the rows come
//! out. Rows do not depend on how many workers there are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use crate::grade::cache::Known;
use crate::grade::stops::Stops;
use crate::grade::trial::Bench;
use crate::grade::{Event, Job, TestReport};
use crate::package::PackagedTest;
use crate::sandbox::{SandboxError, interrupt};

/// What the workers share.
struct Line<'a> {
    job: &'a Job<'a>,
    /// Indices of the tests that are to be run, in package order.
    chosen: &'a [usize],
    known: &'a Known,
    /// The next place in `chosen` that nobody has taken.
    next: AtomicUsize,
    /// What is known so far of tests that need not be run.
    stops: Stops<'a>,
}

/// What a worker says of the test at a place in line.
struct Answer {
    place: usize,
    /// `None` when it was not run because of an earlier one.
    row: Option<TestReport>,
}

/// Runs the chosen tests and tells of them in package order; the rows are those that were told.
///
/// # Errors
/// When the user interrupts.
pub(crate) fn run<'a>(
    job: &Job<'_>,
    chosen: &[usize],
    known: &mut Known,
    bench: &(dyn Fn() -> Bench<'a> + Sync),
    on_event: &mut dyn FnMut(Event),
) -> Result<Vec<TestReport>, SandboxError> {
    let line = Line { job, chosen, known, next: AtomicUsize::new(0), stops: Stops::new(job) };
    let told = Stops::new(job);
    let mut rows = Vec::with_capacity(chosen.len());
    let mut fresh = Vec::new();
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..job.workers.clamp(1, chosen.len().max(1)) {
            let (line, sender) = (&line, sender.clone());
            scope.spawn(move || work(line, bench(), &sender));
        }
        drop(sender);
        let mut waiting: Vec<Option<Answer>> = Vec::new();
        waiting.resize_with(chosen.len(), || None);
        for answer in receiver {
            let place = answer.place;
            waiting[place] = Some(answer);
            while let Some(answer) = waiting.get_mut(rows.len()).and_then(Option::take) {
                let test = &job.tests.tests()[chosen[rows.len()]];
                let why = told.skips(rows.len(), test.group.as_deref());
                let row = match answer.row.filter(|_| why.is_none()) {
                    Some(row) => row,
                    None => skipped(test, why),
                };
                told.hear(rows.len(), &row);
                if row.verdict.is_some() {
                    fresh.push((chosen[rows.len()], rows.len()));
                    on_event(Event::Finished(row.clone()));
                } else {
                    on_event(Event::Skipped(row.clone()));
                }
                rows.push(row);
            }
        }
    });
    if interrupt::requested() || rows.len() < chosen.len() {
        return Err(SandboxError::Interrupted);
    }
    for (test, place) in fresh {
        known.learn(job.tests, test, job.limits.time, &rows[place]);
    }
    Ok(rows)
}

fn work(line: &Line<'_>, mut bench: Bench<'_>, sender: &Sender<Answer>) {
    loop {
        let place = line.next.fetch_add(1, Ordering::Relaxed);
        let Some(&index) = line.chosen.get(place) else { return };
        let row = if line.stops.skips(place, line.job.tests.tests()[index].group.as_deref()).is_some() {
            None
        } else if let Some(row) = line.known.row(line.job.tests, index, line.job.limits.time) {
            Some(row)
        } else {
            match bench.run(&line.job.tests.tests()[index]) {
                Ok(row) => Some(row),
                Err(_interrupted) => return,
            }
        };
        if let Some(row) = &row {
            line.stops.hear(place, row);
        }
        // Nobody listens any more only when everything is over.
        if interrupt::requested() || sender.send(Answer { place, row }).is_err() {
            return;
        }
    }
}

/// The row of a test that was not run.
fn skipped(test: &PackagedTest, why: Option<String>) -> TestReport {
    TestReport {
        name: test.name.clone(),
        group: test.group.clone(),
        message: why.unwrap_or_default(),
        ..TestReport::default()
    }
}
