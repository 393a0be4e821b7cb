//! Judge slots: threads that take jobs from the store, do them and record what came of it. Never serves, never ranks, never
//! reads a clock of its own.
//!
//! ```text
//!            ┌ slot 1 ─ claim ─▶ work (grading, or a stub) ─▶ finish ┐
//!  Queue ────┤ slot 2   …                                            ├──▶ notices: progress, judged, trouble
//!            └ keeper ─ heartbeats, leases that ran out, orphans ────┘
//! ```
//!
//! A slot that panics gives its job back and goes on; one that hangs or dies is not heard of, so that its lease runs out.

mod grading;
mod keeper;
mod queue;
mod slots;

#[cfg(test)]
mod tests;

pub use grading::{Grader, Grounds};
pub use queue::Queue;
pub use slots::{Options, SlotReport, Slots};

use std::sync::Arc;

use crate::store::{AccountId, Claim, Finish, SmallestInput, SubmissionId};

/// The time, from outside.
#[derive(Clone)]
pub struct Clock {
    /// The time of day in unix milliseconds, which may jump.
    pub now_ms: Arc<dyn Fn() -> i64 + Send + Sync>,
    /// Milliseconds since any fixed moment, which never jump: leases run out by these.
    pub mono_ms: Arc<dyn Fn() -> u64 + Send + Sync>,
}

/// What slots tell as it happens. None of it has to be heard: what counts is in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A submission is being judged for the first time: so many of its tests are done.
    Progress {
        /// The submission.
        submission: SubmissionId,
        /// Whose it is.
        account: AccountId,
        /// Tests that are done.
        done: usize,
        /// Tests there are; 0 while it is compiled.
        tests: usize,
    },
    /// A submission has its verdict.
    Judged {
        /// The submission.
        submission: SubmissionId,
        /// Whose it is.
        account: AccountId,
    },
    /// Something was taken from the queue or came back to it.
    Queue,
    /// The judge or the disk failed; in words for staff.
    Trouble(String),
}

/// How far a grading has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Tests that are done.
    pub done: usize,
    /// Tests there are; 0 while it is compiled.
    pub tests: usize,
}

/// What came of a job.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A verdict.
    Judged(Box<Finish>),
    /// The smallest failing input, or that there is none to be had.
    Smallest(Option<SmallestInput>),
    /// The judge failed, and may not the next time; the verdict is what stands if it was the last time.
    Failed(Box<Finish>),
    /// The server stops: the job was not done, and that is nobody's fault.
    Interrupted,
}

/// Does a job, telling how far it has come: a [`Grader`], or a stub where nothing is to be run.
pub type Work = dyn Fn(&Claim, &mut dyn FnMut(Progress)) -> Outcome + Send + Sync;

/// Hears notices, on the thread of a slot: must be quick.
pub type OnNotice = dyn Fn(Notice) + Send + Sync;
