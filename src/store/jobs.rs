//! What is to be done, in which order, and who has taken it.
//!
//! Order: the lane first, then fairly between accounts, then first come, first served. Fair is start-time fair queueing
//! (Goyal, Vin, Cheng, 1996) with every job of the same size: an account's job gets the turn after that of its last one,
//! but not before the turn that its lane has come to. So who hands in thirty things waits behind who hands in one, and
//! nobody saves up turns by waiting. One index gives the next job however many there are.

use rusqlite::{OptionalExtension as _, params};

use crate::lang::Mode;
use crate::store::id::words;
use crate::store::leases::{Change, LEASE_MS, MAX_ATTEMPTS};
use crate::store::submissions::{mode_of, source};
use crate::store::{AccountId, JobId, Kind, RejudgeId, Store, StoreError, SubmissionId, Write};

/// What is to be done with a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Judge it.
    Judge,
    /// Look for the smallest input that it fails on.
    Smallest,
}

words!(Task { Judge = "judge", Smallest = "smallest", });

/// How much haste a job has; what comes first here is done first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lane {
    /// Of the contest.
    Contest,
    /// Of practice and virtual contests.
    Practice,
    /// Of a rejudge.
    Rejudge,
    /// Nobody's verdict waits for it.
    Smallest,
}

impl Lane {
    /// Every lane, most urgent first.
    pub const ALL: [Self; 4] = [Self::Contest, Self::Practice, Self::Rejudge, Self::Smallest];

    /// The lane of a new submission.
    pub fn of(kind: Kind) -> Self {
        match kind {
            Kind::Contest => Self::Contest,
            Kind::Practice | Kind::Virtual => Self::Practice,
        }
    }

    pub(super) fn number(self) -> i64 {
        self as i64
    }
}

/// The right to do one job, for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The job.
    pub job: JobId,
    /// The number of this taking of it; never given twice.
    pub epoch: i64,
}

/// A job that somebody has taken, with all that is needed to do it.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The right to do it.
    pub lease: Lease,
    /// What is to be done.
    pub task: Task,
    /// Which time this is, from 1.
    pub attempt: u32,
    /// With what.
    pub submission: SubmissionId,
    /// Whose that is.
    pub account: AccountId,
    /// The problem.
    pub slug: String,
    /// The language's id.
    pub language: String,
    /// How it takes its input, where its author said so.
    pub mode: Option<Mode>,
    /// What it counts for.
    pub kind: Kind,
    /// The rejudge that it is done for.
    pub rejudge: Option<RejudgeId>,
    /// The submission's text.
    pub source: Vec<u8>,
}

impl Claim {
    /// Whether it is not going to be tried again.
    pub fn is_last_attempt(&self) -> bool {
        self.attempt >= MAX_ATTEMPTS
    }
}

/// Puts a job in line, unless it is there.
pub(super) fn enqueue(
    write: &Write<'_>,
    submission: SubmissionId,
    account: AccountId,
    task: Task,
    lane: Lane,
    at_ms: i64,
) -> Result<(), StoreError> {
    let turn: i64 = write
        .prepare_cached(
            "SELECT max(ifnull((SELECT turn FROM lanes WHERE lane = ?1), 0),
                        ifnull((SELECT turn + 1 FROM turns WHERE lane = ?1 AND account = ?2), 0))",
        )?
        .query_row(params![lane.number(), account], |row| row.get(0))?;
    let queued = write
        .prepare_cached(
            "INSERT INTO jobs (task, submission, lane, turn, state, queued_at_ms) VALUES (?, ?, ?, ?, 'queued', ?)
             ON CONFLICT DO NOTHING",
        )?
        .execute(params![task, submission, lane.number(), turn, at_ms])?;
    if queued == 1 {
        write
            .prepare_cached(
                "INSERT INTO turns (lane, account, turn) VALUES (?, ?, ?)
                 ON CONFLICT (lane, account) DO UPDATE SET turn = excluded.turn",
            )?
            .execute(params![lane.number(), account, turn])?;
    }
    Ok(())
}

/// Whether a job is not to be given out now because a suspected one is on its way, or is one and others are.
fn must_wait(write: &Write<'_>, is_suspect: bool) -> Result<bool, StoreError> {
    // The first condition says nothing more than the second: it is the words of the index.
    let mut statement = write.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM jobs WHERE state <> 'queued' AND state = 'leased' AND (is_suspect OR ?))",
    )?;
    Ok(statement.query_row([is_suspect], |row| row.get(0))?)
}

impl Store {
    /// Takes the next job that is in `lowest` lane or a more urgent one, if there is any. `slot` is the taker's name, for
    /// staff. The lease runs out after [`LEASE_MS`] without [`Store::heartbeat`]. A job under which processes have ended
    /// is done alone: it waits for the others that are on their way, and while it is, nothing else is given out.
    ///
    /// # Errors
    /// When the disk fails; nothing is taken then.
    pub fn claim(&self, slot: &str, lowest: Lane, mono_ms: u64) -> Result<Option<Claim>, StoreError> {
        self.write(|write| {
            let next = write
                .prepare_cached(
                    "SELECT id, task, submission, rejudge, lane, turn, attempts, is_suspect FROM jobs
                     WHERE state = 'queued' AND lane <= ? ORDER BY lane, is_suspect, turn, id LIMIT 1",
                )?
                .query_row([lowest.number()], |row| {
                    let lane_and_turn: (i64, i64) = (row.get(4)?, row.get(5)?);
                    let what: (Task, SubmissionId, Option<RejudgeId>) =
                        (row.get(1)?, row.get(2)?, row.get(3)?);
                    Ok((row.get::<_, JobId>(0)?, what, lane_and_turn, row.get::<_, u32>(6)?, row.get(7)?))
                })
                .optional()?;
            let Some((job, (task, submission, rejudge), (lane, turn), attempts, is_suspect)) = next else {
                return Ok(None);
            };
            if must_wait(write, is_suspect)? {
                return Ok(None);
            }
            let (lease, attempt) = (Lease { job, epoch: write.leases.new_epoch() }, attempts + 1);
            write
                .prepare_cached(
                    "UPDATE jobs SET state = 'leased', epoch = ?, slot = ?, attempts = ? WHERE id = ?",
                )?
                .execute(params![lease.epoch, slot, attempt, job])?;
            write
                .prepare_cached(
                    "INSERT INTO lanes (lane, turn) VALUES (?, ?)
                     ON CONFLICT (lane) DO UPDATE SET turn = max(turn, excluded.turn)",
                )?
                .execute(params![lane, turn])?;
            let claim = write
                .prepare_cached("SELECT account, slug, language, mode, kind FROM submissions WHERE id = ?")?
                .query_row([submission], |row| {
                    let mode: Option<String> = row.get(3)?;
                    Ok(Claim {
                        lease,
                        task,
                        attempt,
                        submission,
                        account: row.get(0)?,
                        slug: row.get(1)?,
                        language: row.get(2)?,
                        mode: mode.as_deref().and_then(mode_of),
                        kind: row.get(4)?,
                        rejudge,
                        source: Vec::new(),
                    })
                })?;
            let claim = Claim { source: source(write, submission)?, ..claim };
            let until_mono_ms = mono_ms.saturating_add(LEASE_MS);
            write.lease_changes.borrow_mut().push(Change::Take { lease, until_mono_ms });
            Ok(Some(claim))
        })
    }
}
