//! The end of a job: what came of it, the event and the end of the job are one transaction. To finish twice is to finish
//! once; to finish what one has no lease for any more changes nothing.

use rusqlite::{OptionalExtension as _, ToSql, params};

use crate::contest::config::Feedback;
use crate::store::leases::Change;
use crate::store::submissions::current_verdict;
use crate::store::{
    AccountId, EventKind, Finish, JobId, JudgingId, Kind, Lane, Lease, RejudgeId, Store, StoreError,
    SubmissionId, Task, Write, events, jobs, judgings, queue,
};
use crate::stress::smallest::SmallestInput;
use crate::verdict::Verdict;

/// What became of a finish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finished {
    /// It is recorded; now, or by an earlier call with the same lease.
    Recorded {
        /// As which judging.
        judging: JudgingId,
        /// Whether that is the one that counts.
        is_current: bool,
    },
    /// The lease was none any more: somebody else has the job, or had it, or it is not wanted any more.
    Stale,
}

/// A job that a lease is good for.
struct Held {
    task: Task,
    submission: SubmissionId,
    rejudge: Option<RejudgeId>,
}

fn held(write: &Write<'_>, lease: Lease) -> Result<Option<Held>, StoreError> {
    let mut statement = write.prepare_cached(
        "SELECT task, submission, rejudge FROM jobs WHERE id = ? AND epoch = ? AND state = 'leased'",
    )?;
    let held = statement.query_row(params![lease.job, lease.epoch], |row| {
        Ok(Held { task: row.get(0)?, submission: row.get(1)?, rejudge: row.get(2)? })
    });
    Ok(held.optional()?)
}

/// Ends jobs that `condition` on `?1` means, for good, and the leases on them.
pub(super) fn end_jobs(write: &Write<'_>, condition: &str, value: impl ToSql) -> Result<(), StoreError> {
    let mut statement =
        write.prepare_cached(&format!("DELETE FROM jobs WHERE {condition} RETURNING id, epoch"))?;
    let mut ended = statement.query([value])?;
    while let Some(row) = ended.next()? {
        if let Some(epoch) = row.get(1)? {
            write.lease_changes.borrow_mut().push(Change::End(Lease { job: row.get(0)?, epoch }));
        }
    }
    Ok(())
}

/// Tells of something that happened to a submission.
pub(super) fn tell(
    write: &Write<'_>,
    kind: EventKind,
    submission: SubmissionId,
    at_ms: i64,
) -> Result<(), StoreError> {
    let of: (AccountId, String) = write
        .prepare_cached("SELECT account, slug FROM submissions WHERE id = ?")?
        .query_row([submission], |row| Ok((row.get(0)?, row.get(1)?)))?;
    write.event(kind, at_ms, queue::about(submission, &of))?;
    Ok(())
}

/// Records a smallest input, or that there is none to be had, and ends the job.
pub(super) fn record_smallest(
    write: &Write<'_>,
    job: JobId,
    submission: SubmissionId,
    found: Option<&SmallestInput>,
    at_ms: i64,
) -> Result<(), StoreError> {
    let none =
        SmallestInput { input: String::new(), expected: None, actual: String::new(), is_partial: false };
    let smallest = found.unwrap_or(&none);
    write.execute(
        "INSERT INTO smallest (judging, is_found, input, expected, actual, is_partial)
         SELECT id, ?2, ?3, ?4, ?5, ?6 FROM judgings WHERE submission = ?1 AND is_current
         ON CONFLICT (judging) DO UPDATE SET is_found = excluded.is_found, input = excluded.input,
             expected = excluded.expected, actual = excluded.actual, is_partial = excluded.is_partial",
        params![
            submission,
            found.is_some(),
            smallest.input,
            smallest.expected,
            smallest.actual,
            smallest.is_partial
        ],
    )?;
    end_jobs(write, "id = ?1", job)?;
    tell(write, EventKind::Smallest, submission, at_ms)
}

/// Whether a submission with this verdict has an input that it fails on.
fn may_fail_on_an_input(verdict: Verdict) -> bool {
    match verdict {
        Verdict::Wa | Verdict::Tle | Verdict::Mle | Verdict::Ole | Verdict::Rte => true,
        Verdict::Ac | Verdict::Ce | Verdict::Je => false,
    }
}

impl Store {
    /// Records what came of judging. The first judging of a submission is the one that counts; one for a rejudge counts
    /// when that is applied.
    ///
    /// # Errors
    /// When the disk fails: nothing is recorded, and it may be tried again.
    pub fn finish(&self, lease: Lease, finish: &Finish, at_ms: i64) -> Result<Finished, StoreError> {
        let settings = self.settings();
        let practice = settings.config.as_ref().map(|config| config.practice);
        let smallest = practice.is_some_and(|it| it.smallest && it.feedback != Feedback::Never);
        self.write(|write| {
            let before = write
                .prepare_cached("SELECT id, is_current FROM judgings WHERE epoch = ?")?
                .query_row([lease.epoch], |row| {
                    Ok(Finished::Recorded { judging: row.get(0)?, is_current: row.get(1)? })
                })
                .optional()?;
            if let Some(before) = before {
                return Ok(before);
            }
            let held = held(write, lease)?;
            let Some(Held { task: Task::Judge, submission, rejudge }) = held else {
                return Ok(Finished::Stale);
            };
            let is_current = rejudge.is_none() && current_verdict(write, submission)?.is_none();
            let judging =
                judgings::insert(write, submission, rejudge, lease.epoch, is_current, finish, at_ms)?;
            end_jobs(write, "id = ?1", lease.job)?;
            match rejudge {
                Some(rejudge) => {
                    write.event(EventKind::Rejudge, at_ms, events::About::subject(rejudge.0))?;
                }
                None => {
                    if is_current && smallest && may_fail_on_an_input(finish.verdict) {
                        want_smallest(write, submission, true, at_ms)?;
                    }
                    tell(write, EventKind::Judged, submission, at_ms)?;
                }
            }
            Ok(Finished::Recorded { judging, is_current })
        })
    }

    /// Records the smallest failing input of a submission's current judging, or that there is none to be had. Whether
    /// the lease was good.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn finish_smallest(
        &self,
        lease: Lease,
        found: Option<&SmallestInput>,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        self.write(|write| {
            let held = held(write, lease)?;
            let Some(Held { task: Task::Smallest, submission, .. }) = held else { return Ok(false) };
            record_smallest(write, lease.job, submission, found, at_ms)?;
            Ok(true)
        })
    }

    /// Has the smallest failing input of a submission looked for when nothing else is to be done. Submissions of practice
    /// have it looked for by themselves where the contest's policy says so; those of the contest when somebody asks,
    /// which is for whoever calls this to allow. Whether it is looked for: not if there is no failure, or it was done.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn request_smallest(&self, submission: SubmissionId, at_ms: i64) -> Result<bool, StoreError> {
        self.write(|write| {
            let verdict = current_verdict(write, submission)?;
            let is_known: bool = write.query_row(
                "SELECT EXISTS (SELECT 1 FROM smallest JOIN judgings ON judgings.id = smallest.judging
                                WHERE submission = ? AND is_current)",
                [submission],
                |row| row.get(0),
            )?;
            if is_known || !verdict.is_some_and(may_fail_on_an_input) {
                return Ok(false);
            }
            want_smallest(write, submission, false, at_ms)?;
            Ok(true)
        })
    }

    /// The smallest failing input of a judging: `None` while nobody knows, `Some(None)` when there is none to be had.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn smallest(&self, judging: JudgingId) -> Result<Option<Option<SmallestInput>>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT is_found, input, expected, actual, is_partial FROM smallest WHERE judging = ?",
            )?;
            let found = statement.query_row([judging], |row| {
                let smallest = SmallestInput {
                    input: row.get(1)?,
                    expected: row.get(2)?,
                    actual: row.get(3)?,
                    is_partial: row.get(4)?,
                };
                Ok(row.get::<_, bool>(0)?.then_some(smallest))
            });
            Ok(found.optional()?)
        })
    }
}

/// Queues the search, not for submissions of the contest if it is nobody's wish.
fn want_smallest(
    write: &Write<'_>,
    submission: SubmissionId,
    only_practice: bool,
    at_ms: i64,
) -> Result<(), StoreError> {
    let (account, kind): (AccountId, Kind) = write
        .prepare_cached("SELECT account, kind FROM submissions WHERE id = ?")?
        .query_row([submission], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if only_practice && kind == Kind::Contest {
        return Ok(());
    }
    jobs::enqueue(write, submission, account, Task::Smallest, Lane::Smallest, at_ms)
}
