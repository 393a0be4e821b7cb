//! The tests of one submission, divided among workers: which are run, when it stops, and in which order the rows come
//! out. Rows do not depend on how many workers there are.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use crate::grade::cache::Known;
use crate::grade::trial::Bench;
use crate::grade::{Event, Job, TestReport};
use crate::sandbox::{SandboxError, interrupt};
use crate::verdict::Verdict;

/// What the workers share.
struct Line<'a> {
    job: &'a Job<'a>,
    /// Indices of the tests that are to be run, in package order.
    chosen: &'a [usize],
    known: &'a Known,
    /// The next place in `chosen` that nobody has taken.
    next: AtomicUsize,
    /// The first place after which nothing needs to be run.
    stop_after: AtomicUsize,
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
    let line =
        Line { job, chosen, known, next: AtomicUsize::new(0), stop_after: AtomicUsize::new(usize::MAX) };
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
        let mut stopped = false;
        for answer in receiver {
            let place = answer.place;
            waiting[place] = Some(answer);
            while let Some(answer) = waiting.get_mut(rows.len()).and_then(Option::take) {
                let test = &job.tests.tests()[chosen[rows.len()]];
                let row = match answer.row.filter(|_| !stopped) {
                    Some(row) => row,
                    None => {
                        TestReport { name: test.name.clone(), group: test.group.clone(), ..<_>::default() }
                    }
                };
                stopped = stopped || stops(job, &row);
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
        let row = if place > line.stop_after.load(Ordering::Relaxed) {
            None
        } else if let Some(row) = line.known.row(line.job.tests, index, line.job.limits.time) {
            Some(row)
        } else {
            match bench.run(&line.job.tests.tests()[index]) {
                Ok(row) => Some(row),
                Err(_interrupted) => return,
            }
        };
        if let Some(row) = &row
            && stops(line.job, row)
        {
            line.stop_after.fetch_min(place, Ordering::Relaxed);
        }
        // Nobody listens any more only when everything is over.
        if interrupt::requested() || sender.send(Answer { place, row }).is_err() {
            return;
        }
    }
}

/// Whether the tests after this row are skipped: the larger ones would only time out too, and a judge that failed once
/// is not to be trusted with more.
fn stops(job: &Job<'_>, row: &TestReport) -> bool {
    match row.verdict {
        None | Some(Verdict::Ac) => false,
        Some(Verdict::Je) => true,
        Some(Verdict::Tle) => !job.all || job.fail_fast,
        Some(_) => job.fail_fast,
    }
}
