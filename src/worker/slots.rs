//! The slots: each a thread that takes a job, does it, ends it, and waits for the next. One slot is kept for the contest
//! while it runs, so that practice and rejudges never make a contestant wait for a slot.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::store::{Claim, Finished, Lane, Lease, Store, StoreError, SubmissionId};
use crate::worker::{Clock, Notice, OnNotice, Outcome, Progress, Queue, Work, keeper};

/// How long a slot waits at most before it looks for a job by itself.
const IDLE: Duration = Duration::from_secs(1);
/// How long a slot waits after the disk or the judge failed.
const AFTER_FAILURE: Duration = Duration::from_millis(500);

/// Tries to record something of which only one is worth a word: half a minute.
const TRIES_BETWEEN_WORDS: u64 = 60;

/// How slots are run.
pub struct Options {
    /// How many; as many as runs may be measured at once.
    pub slots: usize,
    /// The time.
    pub clock: Clock,
    /// What does the jobs.
    pub work: Arc<Work>,
    /// Who hears of it.
    pub on_notice: Arc<OnNotice>,
}

/// What a slot does, for staff.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct SlotReport {
    /// Its name.
    pub name: String,
    /// What it works at.
    pub submission: Option<SubmissionId>,
    /// For how long.
    pub busy_ms: u64,
}

/// Running slots. They stop when this is dropped, in their own time; [`Slots::stop`] waits for them.
pub struct Slots {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

/// What a slot works at.
#[derive(Clone, Copy)]
pub(super) struct Busy {
    pub(super) lease: Lease,
    submission: SubmissionId,
    since_mono_ms: u64,
    /// When it last told how far it has come.
    pub(super) heard_mono_ms: u64,
}

/// What slots and keeper share.
pub(super) struct Shared {
    pub(super) store: Arc<Store>,
    queue: Queue,
    pub(super) options: Options,
    slots: Vec<Mutex<Option<Busy>>>,
    is_stopping: AtomicBool,
    /// Counts what may have made a job, so that nobody sleeps past one.
    wakes: Mutex<u64>,
    woken: Condvar,
}

impl Slots {
    /// Starts the slots, and a keeper that looks after their leases.
    ///
    /// # Errors
    /// When the system has no more threads.
    pub fn start(store: Arc<Store>, options: Options) -> std::io::Result<Self> {
        let count = options.slots.max(1);
        let shared = Arc::new(Shared {
            queue: Queue::new(store.clone()),
            slots: (0..count).map(|_| Mutex::new(None)).collect(),
            options,
            is_stopping: AtomicBool::new(false),
            wakes: Mutex::new(0),
            woken: Condvar::new(),
            store,
        });
        let sleeping = Arc::downgrade(&shared);
        shared.store.listen(move |_| {
            if let Some(shared) = sleeping.upgrade() {
                shared.wake();
            }
        });
        let mut slots = Self { shared: shared.clone(), threads: Vec::with_capacity(count + 1) };
        for index in 0..count {
            let shared = shared.clone();
            let name = format!("slot {}", index + 1);
            slots.threads.push(thread::Builder::new().name(name).spawn(move || shared.run(index))?);
        }
        slots
            .threads
            .push(thread::Builder::new().name("keeper".to_owned()).spawn(move || keeper::run(&shared))?);
        Ok(slots)
    }

    /// What each slot does now.
    pub fn report(&self) -> Vec<SlotReport> {
        let now = (self.shared.options.clock.mono_ms)();
        let report = |(index, slot): (usize, &Mutex<Option<Busy>>)| {
            let busy = *lock(slot);
            SlotReport {
                name: slot_name(index),
                submission: busy.map(|busy| busy.submission),
                busy_ms: busy.map_or(0, |busy| now.saturating_sub(busy.since_mono_ms)),
            }
        };
        self.shared.slots.iter().enumerate().map(report).collect()
    }

    /// Takes no more jobs, waits for those on their way to end, and ends the threads. When the process was interrupted
    /// (see `sandbox::interrupt`) runs end at once and their jobs are given back.
    pub fn stop(mut self) {
        self.shared.end();
        for thread in self.threads.drain(..) {
            // One that panicked has nothing left to stop.
            let _ = thread.join();
        }
    }
}

impl Drop for Slots {
    fn drop(&mut self) {
        self.shared.end();
    }
}

fn slot_name(index: usize) -> String {
    format!("slot {}", index + 1)
}

/// What is held here is always whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    fn wake(&self) {
        *lock(&self.wakes) += 1;
        self.woken.notify_all();
    }

    fn end(&self) {
        self.is_stopping.store(true, Ordering::SeqCst);
        self.wake();
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::SeqCst)
    }

    /// What the slots work at.
    pub(super) fn busy(&self) -> Vec<Busy> {
        self.slots.iter().filter_map(|slot| *lock(slot)).collect()
    }

    /// Sleeps for `most`, or until the slots stop.
    pub(super) fn rest(&self, most: Duration) {
        let awake = |_: &mut u64| !self.is_stopping();
        drop(
            self.woken
                .wait_timeout_while(lock(&self.wakes), most, awake)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    /// Sleeps until something may have made a job since `seen`, or for `most`.
    fn sleep(&self, seen: u64, most: Duration) {
        let wakes = lock(&self.wakes);
        if *wakes == seen {
            drop(self.woken.wait_timeout(wakes, most).unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn wakes(&self) -> u64 {
        *lock(&self.wakes)
    }

    pub(super) fn tell(&self, notice: Notice) {
        // Whoever listens may fail; judging goes on.
        let _ = catch_unwind(AssertUnwindSafe(|| (self.options.on_notice)(notice)));
    }

    fn now_ms(&self) -> i64 {
        (self.options.clock.now_ms)()
    }

    fn mono_ms(&self) -> u64 {
        (self.options.clock.mono_ms)()
    }

    /// The least urgent lane that a slot serves at present.
    fn lowest_lane(&self, index: usize) -> Lane {
        let is_first_of_many = index == 0 && self.slots.len() > 1;
        let now_ms = self.now_ms();
        let schedule = self.store.settings().schedule;
        let is_running = schedule.is_some_and(|schedule| schedule.phase(now_ms).is_running());
        match (is_first_of_many, is_running) {
            (true, true) => Lane::Contest,
            // A search takes seconds, in which somebody may come who wants a verdict.
            (true, false) => Lane::Rejudge,
            (false, _) => Lane::Smallest,
        }
    }

    fn run(&self, index: usize) {
        while !self.is_stopping() {
            let seen = self.wakes();
            match self.queue.claim(&slot_name(index), self.lowest_lane(index), self.mono_ms()) {
                // The process is ending: there is no use in taking more.
                Ok(Some(claim)) if !self.serve(index, &claim) => return,
                Ok(Some(_)) => {}
                Ok(None) => self.sleep(seen, IDLE),
                Err(error) => {
                    self.tell(Notice::Trouble(format!("cannot take a job: {error}")));
                    self.sleep(seen, AFTER_FAILURE);
                }
            }
        }
    }

    /// Does one job, whatever happens. Whether the slot can go on.
    fn serve(&self, index: usize, claim: &Claim) -> bool {
        let now = self.mono_ms();
        let busy =
            Busy { lease: claim.lease, submission: claim.submission, since_mono_ms: now, heard_mono_ms: now };
        *lock(&self.slots[index]) = Some(busy);
        self.tell(Notice::Queue);
        let mut on_progress = |progress| self.hear(index, claim, progress);
        let outcome = catch_unwind(AssertUnwindSafe(|| (self.options.work)(claim, &mut on_progress)));
        let goes_on = !matches!(outcome, Ok(Outcome::Interrupted));
        self.end_job(claim, outcome);
        *lock(&self.slots[index]) = None;
        self.tell(Notice::Queue);
        goes_on
    }

    fn hear(&self, index: usize, claim: &Claim, Progress { done, tests }: Progress) {
        if let Some(busy) = lock(&self.slots[index]).as_mut() {
            busy.heard_mono_ms = self.mono_ms();
        }
        // Of what is judged again only staff know.
        if claim.rejudge.is_none() && claim.task == crate::store::Task::Judge {
            let Claim { submission, account, .. } = *claim;
            self.tell(Notice::Progress { submission, account, done, tests });
        }
    }

    fn end_job(&self, claim: &Claim, outcome: thread::Result<Outcome>) {
        let lease = claim.lease;
        match outcome {
            Ok(Outcome::Judged(finish)) => self.record(claim, &finish),
            Ok(Outcome::Failed(finish)) if claim.is_last_attempt() => {
                let trouble = format!("submission {}: {}", claim.submission, finish.compile_log);
                self.tell(Notice::Trouble(trouble));
                self.record(claim, &finish);
            }
            Ok(Outcome::Failed(finish)) => {
                let trouble =
                    if finish.compile_log.is_empty() { "the judge failed" } else { &finish.compile_log };
                self.insist(|| self.queue.give_back(lease, trouble, self.now_ms()));
                // What the judge failed by, as a lack of memory, is seldom over at once.
                self.rest(AFTER_FAILURE);
            }
            Ok(Outcome::Smallest(found)) => {
                self.insist(|| self.queue.finish_smallest(lease, found.as_ref(), self.now_ms()));
            }
            Ok(Outcome::Interrupted) => {
                self.insist(|| self.queue.release(lease));
            }
            Err(panic) => {
                let trouble = format!("a judge slot failed: {}", words_of(&*panic));
                self.tell(Notice::Trouble(format!("submission {}: {trouble}", claim.submission)));
                self.insist(|| self.queue.give_back(lease, &trouble, self.now_ms()));
            }
        }
    }

    fn record(&self, claim: &Claim, finish: &crate::store::Finish) {
        let at_ms = self.now_ms();
        let finished = self.insist(|| self.queue.finish(claim.lease, finish, at_ms));
        if let Some(Finished::Recorded { is_current: true, .. }) = finished {
            self.tell(Notice::Judged { submission: claim.submission, account: claim.account });
        }
    }

    /// Tries until the disk takes it, so that no verdict is lost because a disk was full for a while. While the process
    /// is being stopped it is tried once more; the job is done again by the next one.
    fn insist<T>(&self, mut attempt: impl FnMut() -> Result<T, StoreError>) -> Option<T> {
        let mut tries = 0_u64;
        loop {
            let was_stopping = self.is_stopping();
            match attempt() {
                Ok(done) => return Some(done),
                Err(error) if tries.is_multiple_of(TRIES_BETWEEN_WORDS) => {
                    self.tell(Notice::Trouble(format!("cannot record what came of a job: {error}")));
                }
                Err(_) => {}
            }
            if was_stopping {
                return None;
            }
            self.rest(AFTER_FAILURE);
            tries += 1;
        }
    }
}

/// What a panic said.
fn words_of(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref().copied())
        .unwrap_or("panic")
}
