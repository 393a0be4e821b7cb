//! Judging again what was judged: begun, looked at, then applied as a whole or cancelled. Until it is applied nobody but
//! staff sees anything of it, and nothing that comes in meanwhile is touched by it. Contestants cannot end it.

use rusqlite::{Connection, OptionalExtension as _, Row, params, params_from_iter};

use crate::score::Points;
use crate::store::events::About;
use crate::store::id::{Word, words};
use crate::store::{
    AccountId, Action, By, EventKind, JudgingId, Lane, RejudgeId, Store, StoreError, SubmissionFilter,
    SubmissionId, Write, finish,
};
use crate::verdict::Verdict;

/// How far a rejudge has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RejudgeState {
    /// Is being judged, or waits to be applied.
    Open,
    /// Counts.
    Applied,
    /// Never counted.
    Cancelled,
}

words!(RejudgeState { Open = "open", Applied = "applied", Cancelled = "cancelled", });

/// A rejudge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejudge {
    /// Its row.
    pub id: RejudgeId,
    /// How far it has come.
    pub state: RejudgeState,
    /// What staff said it is for.
    pub reason: String,
    /// Who began it.
    pub started_by: Option<AccountId>,
    /// When.
    pub started_at_ms: i64,
    /// When it was applied or cancelled.
    pub ended_at_ms: Option<i64>,
    /// How many submissions it is about.
    pub submissions: u64,
    /// How many of them are still to be judged, those in quarantine among them.
    pub left: u64,
}

/// What a rejudge makes of one submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The submission.
    pub submission: SubmissionId,
    /// Whose it is.
    pub account: AccountId,
    /// The problem.
    pub slug: String,
    /// Verdict and score that count now, or counted before it was applied.
    pub old: Option<(Verdict, Option<Points>)>,
    /// The new ones; `None` while it is still to be judged.
    pub new: Option<(Verdict, Option<Points>)>,
    /// The judging that they are from.
    pub judging: Option<JudgingId>,
}

impl Change {
    /// Whether to apply the rejudge changes this verdict or score. A judge error replaces nothing.
    pub fn is_change(&self) -> bool {
        self.new.is_some_and(|new| new.0 != Verdict::Je && self.old != Some(new))
    }
}

const COLUMNS: &str = "id, state, reason, started_by, started_at_ms, ended_at_ms,
    (SELECT count(*) FROM rejudged WHERE rejudge = rejudges.id), (SELECT count(*) FROM jobs WHERE rejudge = rejudges.id)";

fn of_row(row: &Row<'_>) -> rusqlite::Result<Rejudge> {
    Ok(Rejudge {
        id: row.get(0)?,
        state: row.get(1)?,
        reason: row.get(2)?,
        started_by: row.get(3)?,
        started_at_ms: row.get(4)?,
        ended_at_ms: row.get(5)?,
        submissions: row.get(6)?,
        left: row.get(7)?,
    })
}

fn one(connection: &Connection, id: RejudgeId) -> Result<Rejudge, StoreError> {
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM rejudges WHERE id = ?"))?;
    statement.query_row([id], of_row).optional()?.ok_or(StoreError::Missing("rejudge"))
}

fn open(write: &Write<'_>, id: RejudgeId) -> Result<Rejudge, StoreError> {
    let rejudge = one(write, id)?;
    if rejudge.state == RejudgeState::Open { Ok(rejudge) } else { Err(StoreError::Ended) }
}

fn changes(connection: &Connection, id: RejudgeId) -> Result<Vec<Change>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT submissions.id, submissions.account, submissions.slug, old.verdict, old.score_hundredths, new.verdict,
             new.score_hundredths, new.id
         FROM rejudged JOIN submissions ON submissions.id = rejudged.submission
         JOIN rejudges AS this ON this.id = rejudged.rejudge
         LEFT JOIN judgings AS new ON new.rejudge = this.id AND new.submission = submissions.id
         LEFT JOIN judgings AS old ON old.id = CASE WHEN this.state = 'applied' THEN
             (SELECT max(it.id) FROM judgings AS it LEFT JOIN rejudges AS its ON its.id = it.rejudge
              WHERE it.submission = submissions.id AND (it.rejudge IS NULL
                  OR its.state = 'applied' AND (its.ended_at_ms, its.id) < (this.ended_at_ms, this.id)))
             ELSE (SELECT id FROM judgings WHERE submission = submissions.id AND is_current) END
         WHERE rejudged.rejudge = ? ORDER BY submissions.id",
    )?;
    let changes = statement.query_map([id], |row| {
        let side = |at| -> rusqlite::Result<_> {
            let verdict = row.get::<_, Option<Word>>(at)?.map(|word| word.0);
            let score = row.get::<_, Option<u64>>(at + 1)?.map(Points::from_hundredths);
            Ok(verdict.map(|verdict| (verdict, score)))
        };
        Ok(Change {
            submission: row.get(0)?,
            account: row.get(1)?,
            slug: row.get(2)?,
            old: side(3)?,
            new: side(5)?,
            judging: row.get(7)?,
        })
    })?;
    Ok(changes.collect::<Result<_, _>>()?)
}

/// Ends an open rejudge, and whatever was still to be done for it.
fn end(
    write: &Write<'_>,
    id: RejudgeId,
    state: RejudgeState,
    detail: &str,
    by: By,
) -> Result<(), StoreError> {
    finish::end_jobs(write, "rejudge = ?1", id)?;
    write.execute(
        "UPDATE rejudges SET state = ?, ended_at_ms = ? WHERE id = ?",
        params![state, by.at_ms, id],
    )?;
    let action = if state == RejudgeState::Applied { Action::ApplyRejudge } else { Action::CancelRejudge };
    write.audit(by, action, &format!("#{id}"), detail)?;
    write.event(EventKind::Rejudge, by.at_ms, About::subject(id.0))?;
    Ok(())
}

impl Store {
    /// Begins to judge again what `filter` means, except for what waits for its first turn anyway. Nothing changes for
    /// contestants before [`Store::rejudge_apply`].
    ///
    /// # Errors
    /// When there is no such submission, or the disk fails.
    pub fn rejudge_start(
        &self,
        filter: &SubmissionFilter,
        reason: &str,
        by: By,
    ) -> Result<RejudgeId, StoreError> {
        let (condition, values) = filter.condition();
        self.write(|write| {
            write.execute(
                "INSERT INTO rejudges (state, reason, started_by, started_at_ms) VALUES ('open', ?, ?, ?)",
                params![reason, by.account, by.at_ms],
            )?;
            let id = RejudgeId(write.last_insert_rowid());
            let sql = format!(
                "INSERT INTO rejudged (rejudge, submission)
                 SELECT {id}, submissions.id FROM submissions
                 LEFT JOIN judgings ON judgings.submission = submissions.id AND judgings.is_current
                 WHERE ({condition}) AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.submission = submissions.id
                     AND task = 'judge' AND rejudge IS NULL AND state <> 'leased')"
            );
            let count = write.execute(&sql, params_from_iter(values))?;
            if count == 0 {
                return Err(StoreError::Missing("submission that was judged"));
            }
            // In the order in which they were handed in, so that it can be watched; fairness is no matter here.
            write.execute(
                "INSERT INTO jobs (task, submission, rejudge, lane, turn, state, queued_at_ms)
                 SELECT 'judge', submission, rejudge, ?2, 0, 'queued', ?3 FROM rejudged WHERE rejudge = ?1
                 ORDER BY submission",
                params![id, Lane::Rejudge.number(), by.at_ms],
            )?;
            write.audit(by, Action::StartRejudge, &format!("#{id} × {count}"), reason)?;
            write.event(EventKind::Rejudge, by.at_ms, About::subject(id.0))?;
            Ok(id)
        })
    }

    /// One rejudge.
    ///
    /// # Errors
    /// When there is none, or the disk fails.
    pub fn rejudge(&self, id: RejudgeId) -> Result<Rejudge, StoreError> {
        self.read(|connection| one(connection, id))
    }

    /// Every rejudge, newest first.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn rejudges(&self) -> Result<Vec<Rejudge>, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached(&format!("SELECT {COLUMNS} FROM rejudges ORDER BY id DESC"))?;
            let rejudges = statement.query_map((), of_row)?;
            Ok(rejudges.collect::<Result<_, _>>()?)
        })
    }

    /// What a rejudge makes of each of its submissions, as far as it is known, or once it was applied what it made of them.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn rejudge_preview(&self, id: RejudgeId) -> Result<Vec<Change>, StoreError> {
        self.read(|connection| changes(connection, id))
    }

    /// Lets the new judgings count, all at once, and gives what changed. A judge error replaces nothing.
    ///
    /// # Errors
    /// When some are still to be judged, it was applied or cancelled before, or the disk fails.
    pub fn rejudge_apply(&self, id: RejudgeId, by: By) -> Result<Vec<Change>, StoreError> {
        self.write(|write| {
            let rejudge = open(write, id)?;
            if rejudge.left > 0 {
                return Err(StoreError::Unfinished(rejudge.left));
            }
            let mut changed = Vec::new();
            for change in changes(write, id)? {
                let Some((verdict, _)) = change.new else { continue };
                if verdict == Verdict::Je {
                    continue;
                }
                let submission = change.submission;
                write
                    .prepare_cached("UPDATE judgings SET is_current = 0 WHERE submission = ? AND is_current")?
                    .execute([submission])?;
                write
                    .prepare_cached("UPDATE judgings SET is_current = 1 WHERE id = ?")?
                    .execute([change.judging])?;
                if change.is_change() {
                    finish::tell(write, EventKind::Rejudged, submission, by.at_ms)?;
                    changed.push(change);
                }
            }
            end(
                write,
                id,
                RejudgeState::Applied,
                &format!("{} verdicts or scores changed", changed.len()),
                by,
            )?;
            Ok(changed)
        })
    }

    /// Ends a rejudge without a trace in any verdict.
    ///
    /// # Errors
    /// When it was applied or cancelled before, or the disk fails.
    pub fn rejudge_cancel(&self, id: RejudgeId, by: By) -> Result<(), StoreError> {
        self.write(|write| {
            open(write, id)?;
            end(write, id, RejudgeState::Cancelled, "", by)
        })
    }
}
