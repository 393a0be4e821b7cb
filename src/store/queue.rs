//! What becomes of jobs that were not finished: released, given back, taken back, void with their process, quarantined;
//! and what staff see of the queue. No job is ever dropped that a verdict waits for.

use rusqlite::{Connection, OptionalExtension as _, params};

use crate::store::events::About;
use crate::store::leases::{Change, MAX_ATTEMPTS, MAX_DEATHS, SUSPECT_DEATHS};
use crate::store::{
    AccountId, Action, By, EventKind, JobId, Kind, Lane, Lease, RejudgeId, Store, StoreError, SubmissionId,
    Task, Write, finish, jobs,
};

/// The queue at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct QueueReport {
    /// Jobs in line, by lane.
    pub queued: [u64; Lane::ALL.len()],
    /// Jobs that somebody works at: the slot and the submission.
    pub taken: Vec<(String, SubmissionId)>,
    /// Jobs that wait for staff.
    pub quarantined: u64,
    /// Since when the job has waited that has waited longest for a first verdict.
    pub oldest_queued_at_ms: Option<i64>,
}

/// A job that waits for staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quarantined {
    /// The job.
    pub job: JobId,
    /// With what something was to be done.
    pub submission: SubmissionId,
    /// Whose that is.
    pub account: AccountId,
    /// The problem.
    pub slug: String,
    /// The rejudge that it was to be done for.
    pub rejudge: Option<RejudgeId>,
    /// What happened the last time.
    pub trouble: String,
}

/// What the sweeper found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Submissions that had neither a verdict nor a job, and have a job now.
    pub orphans: usize,
}

/// Ends a lease that came to nothing: its job is queued again, or it is the last time that it was tried.
/// Whether the lease was good.
pub(super) fn take_back(
    write: &Write<'_>,
    lease: Lease,
    trouble: &str,
    at_ms: i64,
) -> Result<bool, StoreError> {
    let attempts: Option<u32> = write
        .prepare_cached("SELECT attempts FROM jobs WHERE id = ? AND epoch = ? AND state = 'leased'")?
        .query_row(params![lease.job, lease.epoch], |row| row.get(0))
        .optional()?;
    write.lease_changes.borrow_mut().push(Change::End(lease));
    let Some(attempts) = attempts else { return Ok(false) };
    write.execute("UPDATE jobs SET trouble = ? WHERE id = ?", params![trouble, lease.job])?;
    if attempts < MAX_ATTEMPTS {
        queue_again(write, lease.job)?;
    } else {
        give_up(write, lease.job, at_ms)?;
    }
    Ok(true)
}

fn queue_again(write: &Write<'_>, job: JobId) -> Result<(), StoreError> {
    write.execute("UPDATE jobs SET state = 'queued', epoch = NULL, slot = NULL WHERE id = ?", [job])?;
    Ok(())
}

/// A job that nobody should try again by themselves: staff see it. For a smallest input nobody bothers them.
fn give_up(write: &Write<'_>, job: JobId, at_ms: i64) -> Result<(), StoreError> {
    let (task, submission, rejudge): (Task, SubmissionId, Option<RejudgeId>) =
        write.query_row("SELECT task, submission, rejudge FROM jobs WHERE id = ?", [job], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })?;
    match task {
        Task::Judge => {
            write.execute(
                "UPDATE jobs SET state = 'quarantined', epoch = NULL, slot = NULL WHERE id = ?",
                [job],
            )?;
            tell(write, submission, rejudge, at_ms)
        }
        Task::Smallest => finish::record_smallest(write, job, submission, None, at_ms),
    }
}

/// Tells that a job went into quarantine or came out of it. Of what is judged again its author hears nothing.
fn tell(
    write: &Write<'_>,
    submission: SubmissionId,
    rejudge: Option<RejudgeId>,
    at_ms: i64,
) -> Result<(), StoreError> {
    match rejudge {
        None => finish::tell(write, EventKind::Quarantined, submission, at_ms),
        Some(rejudge) => write.event(EventKind::Rejudge, at_ms, About::subject(rejudge.0)).map(drop),
    }
}

/// Gives submissions a job that have neither a verdict nor a job.
fn adopt_orphans(write: &Write<'_>, at_ms: i64) -> Result<usize, StoreError> {
    let orphans: Vec<(SubmissionId, AccountId, Kind)> = write
        .prepare_cached(
            "SELECT id, account, kind FROM submissions
             WHERE NOT EXISTS (SELECT 1 FROM judgings WHERE submission = submissions.id AND is_current)
               AND NOT EXISTS (SELECT 1 FROM jobs WHERE submission = submissions.id AND task = 'judge' AND rejudge IS NULL)
             ORDER BY id",
        )?
        .query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    for (submission, account, kind) in &orphans {
        jobs::enqueue(write, *submission, *account, Task::Judge, Lane::of(*kind), at_ms)?;
    }
    Ok(orphans.len())
}

impl Store {
    /// Gives a job back that was not done, through nobody's fault, as when the server stops: it does not count as an
    /// attempt. Whether the lease was good.
    ///
    /// # Errors
    /// When the disk fails; the lease runs out by itself then.
    pub fn release(&self, lease: Lease) -> Result<bool, StoreError> {
        self.write(|write| {
            write.lease_changes.borrow_mut().push(Change::End(lease));
            let released = write.execute(
                "UPDATE jobs SET state = 'queued', epoch = NULL, slot = NULL, attempts = max(attempts - 1, 0)
                 WHERE id = ? AND epoch = ? AND state = 'leased'",
                params![lease.job, lease.epoch],
            )?;
            Ok(released == 1)
        })
    }

    /// Gives a job back because the judge failed, and says how: it is tried again, or quarantined after
    /// [`MAX_ATTEMPTS`]. Whether the lease was good.
    ///
    /// # Errors
    /// When the disk fails; the lease runs out by itself then.
    pub fn give_back(&self, lease: Lease, trouble: &str, at_ms: i64) -> Result<bool, StoreError> {
        self.write(|write| take_back(write, lease, trouble, at_ms))
    }

    /// Ends the leases of the process before this one.
    pub(super) fn void_leases(&self, at_ms: i64) -> Result<usize, StoreError> {
        self.write(|write| {
            let void: Vec<(JobId, u32)> = write
                .prepare("SELECT id, deaths FROM jobs WHERE state = 'leased'")?
                .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<Result<_, _>>()?;
            for (job, deaths) in &void {
                write.execute(
                    "UPDATE jobs SET deaths = deaths + 1, attempts = max(attempts - 1, 0),
                         trouble = 'the server ended while it was judged', is_suspect = deaths + 1 >= ?2 WHERE id = ?1",
                    params![job, SUSPECT_DEATHS],
                )?;
                if deaths + 1 < MAX_DEATHS { queue_again(write, *job)? } else { give_up(write, *job, at_ms)? }
            }
            Ok(void.len())
        })
    }

    /// Looks for submissions that have neither a verdict nor a job, which no known path leads to, and gives them one.
    /// Also forgets sessions that are over.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn sweep(&self, at_ms: i64) -> Result<Swept, StoreError> {
        self.sweep_sessions(at_ms)?;
        let orphans = self.write(|write| adopt_orphans(write, at_ms))?;
        Ok(Swept { orphans })
    }

    /// The queue as it is now.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn queue(&self) -> Result<QueueReport, StoreError> {
        self.read(|connection| {
            let mut report = QueueReport::default();
            for (lane, count) in report.queued.iter_mut().enumerate() {
                let sql = "SELECT count(*) FROM jobs WHERE state = 'queued' AND lane = ?";
                *count = connection.prepare_cached(sql)?.query_row([lane], |row| row.get(0))?;
            }
            report.taken = connection
                .prepare_cached(
                    "SELECT ifnull(slot, ''), submission FROM jobs WHERE state = 'leased' ORDER BY slot",
                )?
                .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<Result<_, _>>()?;
            let sql = "SELECT count(*) FROM jobs WHERE state = 'quarantined'";
            report.quarantined = connection.prepare_cached(sql)?.query_row((), |row| row.get(0))?;
            let sql = "SELECT min(queued_at_ms) FROM jobs WHERE state = 'queued' AND lane <= ?";
            let lowest = Lane::Practice.number();
            report.oldest_queued_at_ms =
                connection.prepare_cached(sql)?.query_row([lowest], |row| row.get(0))?;
            Ok(report)
        })
    }

    /// The jobs that wait for staff, oldest first.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn quarantined(&self) -> Result<Vec<Quarantined>, StoreError> {
        self.read(|connection: &Connection| {
            let mut statement = connection.prepare_cached(
                "SELECT jobs.id, jobs.submission, account, slug, rejudge, ifnull(trouble, '') FROM jobs
                 JOIN submissions ON submissions.id = jobs.submission WHERE state = 'quarantined' ORDER BY jobs.id",
            )?;
            let found = statement.query_map((), |row| {
                Ok(Quarantined {
                    job: row.get(0)?,
                    submission: row.get(1)?,
                    account: row.get(2)?,
                    slug: row.get(3)?,
                    rejudge: row.get(4)?,
                    trouble: row.get(5)?,
                })
            })?;
            Ok(found.collect::<Result<_, _>>()?)
        })
    }

    /// Puts a quarantined job in line again, as if it had never been tried.
    ///
    /// # Errors
    /// When there is no such job in quarantine, or the disk fails.
    pub fn release_quarantined(&self, job: JobId, by: By) -> Result<(), StoreError> {
        self.write(|write| {
            let released: Option<(SubmissionId, Option<RejudgeId>)> = write
                .query_row(
                    "UPDATE jobs SET state = 'queued', attempts = 0, deaths = 0, is_suspect = 0, queued_at_ms = ?
                     WHERE id = ? AND state = 'quarantined' RETURNING submission, rejudge",
                    params![by.at_ms, job],
                    |row| Ok((row.get(0)?, row.get(1)?)),
                )
                .optional()?;
            let (submission, rejudge) = released.ok_or(StoreError::Missing("job in quarantine"))?;
            write.audit(by, Action::Release, &format!("#{submission}"), "")?;
            tell(write, submission, rejudge, by.at_ms)
        })
    }
}

/// What an event about a job's submission says.
pub(super) fn about(id: SubmissionId, of: &(AccountId, String)) -> About<'_> {
    About::submission(id, of.0, &of.1)
}
