//! What happened, in the order in which it became so: append-only, each with its number, so that a live page that lost
//! its connection goes on where it was. Never says what somebody may see; who shows it decides that.

use rusqlite::{Connection, params};

use crate::store::id::words;
use crate::store::{AccountId, MAX_PAGE, Store, StoreError, SubmissionId, Write};

/// Kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// Something was handed in: `subject` is the submission.
    Submitted,
    /// A submission got its verdict.
    Judged,
    /// A submission's verdict is another one since a rejudge was applied.
    Rejudged,
    /// A submission could not be judged and waits for staff, or does not any more.
    Quarantined,
    /// The smallest failing input of a submission is known, or that there is none.
    Smallest,
    /// A rejudge began, went on or ended: `subject` is the rejudge.
    Rejudge,
    /// The schedule or another setting changed.
    Settings,
    /// A problem was enabled or disabled.
    Problem,
    /// Accounts were made or changed: `account` is the only one, if it was one.
    Account,
    /// A question was asked: `subject` is the clarification.
    Asked,
    /// It was answered: to all where `account` is nobody, else to that team.
    Answered,
    /// A team began its virtual contest.
    VirtualStarted,
}

words!(EventKind {
    Submitted = "submitted",
    Judged = "judged",
    Rejudged = "rejudged",
    Quarantined = "quarantined",
    Smallest = "smallest",
    Rejudge = "rejudge",
    Settings = "settings",
    Problem = "problem",
    Account = "account",
    Asked = "asked",
    Answered = "answered",
    VirtualStarted = "virtual-started",
});

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Event {
    /// Its number; grows, and is never used again.
    pub seq: i64,
    /// When.
    pub at_ms: i64,
    /// What.
    pub kind: EventKind,
    /// The account that it is about.
    pub account: Option<AccountId>,
    /// The row that it is about; of what kind the event's kind says.
    pub subject: Option<i64>,
    /// The problem that it is about.
    pub slug: Option<String>,
}

/// What an event is about.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct About<'a> {
    pub(super) account: Option<AccountId>,
    pub(super) subject: Option<i64>,
    pub(super) slug: Option<&'a str>,
}

impl<'a> About<'a> {
    pub(super) fn submission(id: SubmissionId, account: AccountId, slug: &'a str) -> Self {
        Self { account: Some(account), subject: Some(id.0), slug: Some(slug) }
    }

    pub(super) fn subject(id: i64) -> Self {
        Self { subject: Some(id), ..Self::default() }
    }

    pub(super) fn account(account: AccountId) -> Self {
        Self { account: Some(account), ..Self::default() }
    }
}

impl Write<'_> {
    /// Adds an event to what this transaction does, and gives its number.
    pub(super) fn event(&self, kind: EventKind, at_ms: i64, about: About<'_>) -> Result<i64, StoreError> {
        self.prepare_cached(
            "INSERT INTO events (at_ms, kind, account, subject, slug) VALUES (?, ?, ?, ?, ?)",
        )?
        .execute(params![at_ms, kind, about.account, about.subject, about.slug])?;
        let seq = self.last_insert_rowid();
        self.seq.set(Some(seq));
        Ok(seq)
    }
}

/// The number of the newest event; 0 when nothing has happened.
pub(super) fn newest(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.query_row("SELECT ifnull(max(seq), 0) FROM events", (), |row| row.get(0))?)
}

impl Store {
    /// The events after number `seq`, oldest first, [`MAX_PAGE`] at most.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn events_after(&self, seq: i64, limit: u32) -> Result<Vec<Event>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT seq, at_ms, kind, account, subject, slug FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
            )?;
            let events = statement.query_map(params![seq, limit.min(MAX_PAGE)], |row| {
                Ok(Event {
                    seq: row.get(0)?,
                    at_ms: row.get(1)?,
                    kind: row.get(2)?,
                    account: row.get(3)?,
                    subject: row.get(4)?,
                    slug: row.get(5)?,
                })
            })?;
            Ok(events.collect::<Result<_, _>>()?)
        })
    }
}
