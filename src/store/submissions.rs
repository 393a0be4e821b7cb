//! What was handed in. A submission, its source and its job are one transaction, so that whoever hears "accepted for
//! judging" is judged. Never says what somebody may see; who shows it decides that.

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Row, params, params_from_iter};

use crate::lang::Mode;
use crate::store::events::About;
use crate::store::id::{Word, words};
use crate::store::judgings::{self, Judging};
use crate::store::{
    AccountId, EventKind, Lane, MAX_PAGE, Store, StoreError, SubmissionId, Task, Write, jobs,
};
use crate::verdict::Verdict;

/// The longest source that is taken.
pub const MAX_SOURCE_BYTES: usize = 1 << 20;
/// The longest file name that is kept.
const MAX_NAME_BYTES: usize = 200;

/// What a submission counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The contest.
    Contest,
    /// Nothing.
    Practice,
    /// The contest that its team runs for itself.
    Virtual,
}

words!(Kind { Contest = "contest", Practice = "practice", Virtual = "virtual", });

/// At most `count` in `window_ms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How many.
    pub count: u32,
    /// In how long.
    pub window_ms: i64,
}

/// Something that is handed in.
#[derive(Clone, Debug)]
pub struct NewSubmission<'a> {
    /// By whom.
    pub account: AccountId,
    /// The problem.
    pub slug: &'a str,
    /// The language's id.
    pub language: &'a str,
    /// How it takes its input; found out from its text when `None`.
    pub mode: Option<Mode>,
    /// The file's name as its author had it; data, never a path.
    pub file_name: &'a str,
    /// Its text.
    pub source: &'a [u8],
    /// When.
    pub at_ms: i64,
    /// What it counts for.
    pub kind: Kind,
}

/// How far a submission has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Waits for its turn.
    Queued,
    /// Is being judged.
    Judging,
    /// Could not be judged and waits for staff.
    Quarantined,
    /// Has its verdict.
    Judged,
}

/// A submission as lists show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Submission {
    /// Its row.
    pub id: SubmissionId,
    /// Whose it is.
    pub account: AccountId,
    /// The problem.
    pub slug: String,
    /// The language's id.
    pub language: String,
    /// How it takes its input, where its author said so.
    pub mode: Option<Mode>,
    /// The file's name as its author had it.
    pub file_name: String,
    /// The length of its text.
    pub source_bytes: u64,
    /// When it was handed in.
    pub at_ms: i64,
    /// What it counts for.
    pub kind: Kind,
    /// How far it has come.
    pub state: State,
    /// The judging that counts.
    pub judging: Option<Judging>,
}

/// Which submissions are meant. Everything that is given has to hold.
#[derive(Clone, Debug, Default)]
pub struct SubmissionFilter {
    /// Only these.
    pub ids: Option<Vec<SubmissionId>>,
    /// Only of this account.
    pub account: Option<AccountId>,
    /// Only at this problem.
    pub slug: Option<String>,
    /// Only in this language.
    pub language: Option<String>,
    /// Only of this kind.
    pub kind: Option<Kind>,
    /// Only with this verdict; with `Some(None)` only without any.
    pub verdict: Option<Option<Verdict>>,
    /// Only those before this one.
    pub before: Option<SubmissionId>,
}

impl SubmissionFilter {
    /// The condition, after `WHERE`, on `submissions` and `judgings`, and its values.
    pub(super) fn condition(&self) -> (String, Vec<Value>) {
        let (mut parts, mut values) = (vec!["1".to_owned()], Vec::<Value>::new());
        let mut add = |part: &str, value: Value| {
            parts.push(part.to_owned());
            values.push(value);
        };
        if let Some(account) = self.account {
            add("submissions.account = ?", account.0.into());
        }
        if let Some(slug) = &self.slug {
            add("submissions.slug = ?", slug.clone().into());
        }
        if let Some(language) = &self.language {
            add("submissions.language = ?", language.clone().into());
        }
        if let Some(kind) = self.kind {
            add("submissions.kind = ?", kind.word().to_owned().into());
        }
        if let Some(Some(verdict)) = self.verdict {
            add("judgings.verdict = ?", verdict.short().to_owned().into());
        }
        if let Some(before) = self.before {
            add("submissions.id < ?", before.0.into());
        }
        if let Some(ids) = &self.ids {
            // Numbers only, so that there may be as many as there are.
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            parts.push(format!("submissions.id IN ({})", ids.join(", ")));
        }
        if self.verdict == Some(None) {
            parts.push("judgings.id IS NULL".to_owned());
        }
        (parts.join(" AND "), values)
    }
}

/// Where a submission's current judging and its own job are found.
const FROM: &str = "submissions
    LEFT JOIN judgings ON judgings.submission = submissions.id AND judgings.is_current
    LEFT JOIN jobs ON jobs.submission = submissions.id AND jobs.task = 'judge' AND jobs.rejudge IS NULL";

const COLUMNS: &str =
    "submissions.id, submissions.account, submissions.slug, submissions.language, submissions.mode,
    submissions.file_name, submissions.source_bytes, submissions.at_ms, submissions.kind, jobs.state";
/// How many columns those are.
const COLUMN_COUNT: usize = 10;

fn of_row(row: &Row<'_>) -> rusqlite::Result<Submission> {
    let judging = match row.get::<_, Option<i64>>(COLUMN_COUNT)? {
        Some(_) => Some(judgings::of_row(row, COLUMN_COUNT)?),
        None => None,
    };
    let job: Option<String> = row.get(9)?;
    let mode: Option<String> = row.get(4)?;
    Ok(Submission {
        id: row.get(0)?,
        account: row.get(1)?,
        slug: row.get(2)?,
        language: row.get(3)?,
        mode: mode.as_deref().and_then(mode_of),
        file_name: row.get(5)?,
        source_bytes: row.get(6)?,
        at_ms: row.get(7)?,
        kind: row.get(8)?,
        state: match (&judging, job.as_deref()) {
            (Some(_), _) => State::Judged,
            (None, Some("leased")) => State::Judging,
            (None, Some("quarantined")) => State::Quarantined,
            (None, _) => State::Queued,
        },
        judging,
    })
}

/// Reads a mode's name.
pub(super) fn mode_of(name: &str) -> Option<Mode> {
    [Mode::Stdin, Mode::Function].into_iter().find(|mode| mode.name() == name)
}

/// The submissions that `filter` means, newest first.
pub(super) fn list(
    connection: &Connection,
    filter: &SubmissionFilter,
    limit: u32,
) -> Result<Vec<Submission>, StoreError> {
    let (condition, mut values) = filter.condition();
    values.push(i64::from(limit).into());
    let mut statement = connection.prepare_cached(&format!(
        "SELECT {COLUMNS}, {} FROM {FROM} WHERE {condition} ORDER BY submissions.id DESC LIMIT ?",
        judgings::COLUMNS
    ))?;
    let found = statement.query_map(params_from_iter(values), of_row)?;
    Ok(found.collect::<Result<_, _>>()?)
}

impl Store {
    /// Takes a submission for judging: with its source, its job and its event. When this returns it is on disk.
    /// `rate` is what its account may hand in at most, of whatever kind.
    ///
    /// # Errors
    /// When it is too long or comes too soon, there is no such account, or the disk fails.
    pub fn submit(&self, new: &NewSubmission<'_>, rate: Option<Rate>) -> Result<SubmissionId, StoreError> {
        for (what, found, most) in [
            ("source", new.source.len(), MAX_SOURCE_BYTES),
            ("name of the file", new.file_name.len(), MAX_NAME_BYTES),
        ] {
            if found > most {
                return Err(StoreError::TooLong { what, found, most });
            }
        }
        self.write(|write| {
            if let Some(rate) = rate {
                keep_to(write, new, rate)?;
            }
            let NewSubmission { account, slug, language, mode, file_name, source, at_ms, kind } = new;
            let inserted = write
                .prepare_cached(
                    "INSERT INTO submissions (account, slug, language, mode, file_name, source_bytes, at_ms, kind)
                     SELECT id, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM accounts WHERE id = ?1",
                )?
                .execute(params![account, slug, language, mode.map(Mode::name), file_name, source.len(), at_ms, kind])?;
            if inserted == 0 {
                return Err(StoreError::Missing("account"));
            }
            let id = SubmissionId(write.last_insert_rowid());
            write.prepare_cached("INSERT INTO sources (submission, source) VALUES (?, ?)")?.execute(params![id, source])?;
            jobs::enqueue(write, id, *account, Task::Judge, Lane::of(*kind), *at_ms)?;
            write.event(EventKind::Submitted, *at_ms, About::submission(id, *account, slug))?;
            Ok(id)
        })
    }

    /// One submission.
    ///
    /// # Errors
    /// When there is none, or the disk fails.
    pub fn submission(&self, id: SubmissionId) -> Result<Submission, StoreError> {
        let filter = SubmissionFilter { ids: Some(vec![id]), ..SubmissionFilter::default() };
        let found = self.read(|connection| list(connection, &filter, 1))?;
        found.into_iter().next().ok_or(StoreError::Missing("submission"))
    }

    /// Its text.
    ///
    /// # Errors
    /// When there is no such submission, or the disk fails.
    pub fn source(&self, id: SubmissionId) -> Result<Vec<u8>, StoreError> {
        self.read(|connection| source(connection, id))
    }

    /// The newest submissions that `filter` means, newest first, [`MAX_PAGE`] at most. The next page is before the last
    /// one of this.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn submissions(&self, filter: &SubmissionFilter, limit: u32) -> Result<Vec<Submission>, StoreError> {
        self.read(|connection| list(connection, filter, limit.min(MAX_PAGE)))
    }

    /// How many submissions `filter` means.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn count_submissions(&self, filter: &SubmissionFilter) -> Result<u64, StoreError> {
        let (condition, values) = filter.condition();
        self.read(|connection| {
            let sql = format!("SELECT count(*) FROM {FROM} WHERE {condition}");
            Ok(connection.prepare_cached(&sql)?.query_row(params_from_iter(values), |row| row.get(0))?)
        })
    }
}

pub(super) fn source(connection: &Connection, id: SubmissionId) -> Result<Vec<u8>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT source FROM sources WHERE submission = ?")?;
    statement.query_row([id], |row| row.get(0)).optional()?.ok_or(StoreError::Missing("submission"))
}

/// Refuses what comes too soon after others of the same account.
fn keep_to(write: &Write<'_>, new: &NewSubmission<'_>, rate: Rate) -> Result<(), StoreError> {
    let since_ms = new.at_ms.saturating_sub(rate.window_ms);
    // The oldest of those that count: when it leaves the window there is room again.
    let oldest: Option<i64> = write
        .prepare_cached(
            "SELECT at_ms FROM submissions WHERE account = ? AND at_ms > ? AND at_ms <= ?
             ORDER BY at_ms DESC LIMIT 1 OFFSET ?",
        )?
        .query_row(params![new.account, since_ms, new.at_ms, rate.count.saturating_sub(1)], |row| row.get(0))
        .optional()?;
    match oldest {
        Some(oldest_ms) => Err(StoreError::TooMany { wait_ms: oldest_ms.saturating_sub(since_ms) }),
        None => Ok(()),
    }
}

/// The verdict of a submission that counts now.
pub(super) fn current_verdict(write: &Write<'_>, id: SubmissionId) -> Result<Option<Verdict>, StoreError> {
    let mut statement =
        write.prepare_cached("SELECT verdict FROM judgings WHERE submission = ? AND is_current")?;
    Ok(statement.query_row([id], |row| row.get::<_, Word>(0)).optional()?.map(|word| word.0))
}
