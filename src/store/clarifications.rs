//! Questions and answers. A team sees its own questions and what is public, and of a public question never who asked.

use rusqlite::{OptionalExtension as _, Row, params};

use crate::store::events::About;
use crate::store::{AccountId, Action, By, ClarificationId, EventKind, MAX_PAGE, Rate, Store, StoreError};

/// The longest question or answer.
const MAX_TEXT_BYTES: usize = 4 << 10;

/// Who reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// Everything.
    Staff,
    /// What this team may see.
    Team(AccountId),
}

/// A question with its answer, or an announcement, which has no question.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Clarification {
    /// Its row.
    pub id: ClarificationId,
    /// Who asked; nobody for an announcement, and for another team's question that a team reads.
    pub account: Option<AccountId>,
    /// The problem; none where it is of all or of something else.
    pub slug: Option<String>,
    /// The question.
    pub question: Option<String>,
    /// When it was asked.
    pub asked_at_ms: i64,
    /// The answer, or the announcement.
    pub answer: Option<String>,
    /// When it was given.
    pub answered_at_ms: Option<i64>,
    /// Whether everybody may see it.
    pub is_public: bool,
    /// Whether the reader has not seen this answer yet. For staff: whether there is none yet.
    pub is_unread: bool,
}

fn of_row(row: &Row<'_>) -> rusqlite::Result<Clarification> {
    Ok(Clarification {
        id: row.get(0)?,
        account: row.get(1)?,
        slug: row.get(2)?,
        question: row.get(3)?,
        asked_at_ms: row.get(4)?,
        answer: row.get(5)?,
        answered_at_ms: row.get(6)?,
        is_public: row.get(7)?,
        is_unread: row.get(8)?,
    })
}

/// What a team, whose number is `?1`, may see.
const VISIBLE: &str = "(account = ?1 OR (is_public AND answer IS NOT NULL))";
/// Whether that team has not seen its answer yet.
const UNREAD: &str = "(answer_seq IS NOT NULL AND answer_seq > ifnull((SELECT seq FROM clarifications_read WHERE account = ?1), 0))";

fn check_length(what: &'static str, text: &str) -> Result<(), StoreError> {
    match text.len() {
        found if found > MAX_TEXT_BYTES => Err(StoreError::TooLong { what, found, most: MAX_TEXT_BYTES }),
        _ => Ok(()),
    }
}

impl Store {
    /// Asks staff. `rate` is what this account may ask at most.
    ///
    /// # Errors
    /// When it is too long or comes too soon, or the disk fails.
    pub fn ask(
        &self,
        account: AccountId,
        slug: Option<&str>,
        question: &str,
        at_ms: i64,
        rate: Option<Rate>,
    ) -> Result<ClarificationId, StoreError> {
        check_length("question", question)?;
        self.write(|write| {
            if let Some(Rate { count, window_ms }) = rate {
                let since_ms = at_ms.saturating_sub(window_ms);
                let oldest: Option<i64> = write
                    .query_row(
                        "SELECT asked_at_ms FROM clarifications WHERE account = ? AND asked_at_ms > ?
                         ORDER BY asked_at_ms DESC LIMIT 1 OFFSET ?",
                        params![account, since_ms, count.saturating_sub(1)],
                        |row| row.get(0),
                    )
                    .optional()?;
                if let Some(oldest_ms) = oldest {
                    return Err(StoreError::TooMany { wait_ms: oldest_ms.saturating_sub(since_ms) });
                }
            }
            write.execute(
                "INSERT INTO clarifications (account, slug, question, asked_at_ms, is_public) VALUES (?, ?, ?, ?, 0)",
                params![account, slug, question, at_ms],
            )?;
            let id = ClarificationId(write.last_insert_rowid());
            write.event(EventKind::Asked, at_ms, About { account: Some(account), subject: Some(id.0), slug })?;
            Ok(id)
        })
    }

    /// Answers a question, to all or only to who asked. An answer may be given again; the last one stands, and what was
    /// public stays so.
    ///
    /// # Errors
    /// When there is no such question, the answer is too long, or the disk fails.
    pub fn answer(&self, id: ClarificationId, answer: &str, to_all: bool, by: By) -> Result<(), StoreError> {
        check_length("answer", answer)?;
        self.write(|write| {
            let found: Option<(Option<AccountId>, bool)> = write
                .query_row("SELECT account, is_public FROM clarifications WHERE id = ?", [id], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .optional()?;
            let (account, was_public) = found.ok_or(StoreError::Missing("question"))?;
            let is_public = to_all || was_public;
            let about = About { account: account.filter(|_| !is_public), ..About::subject(id.0) };
            let seq = write.event(EventKind::Answered, by.at_ms, about)?;
            write.execute(
                "UPDATE clarifications SET answer = ?, answered_by = ?, answered_at_ms = ?, is_public = ?,
                     answer_seq = ? WHERE id = ?",
                params![answer, by.account, by.at_ms, is_public, seq, id],
            )?;
            let action = if is_public { Action::AnswerToAll } else { Action::Answer };
            write.audit(by, action, &format!("#{id}"), answer)
        })
    }

    /// Tells everybody something.
    ///
    /// # Errors
    /// When it is too long, or the disk fails.
    pub fn announce(&self, slug: Option<&str>, text: &str, by: By) -> Result<ClarificationId, StoreError> {
        check_length("announcement", text)?;
        self.write(|write| {
            write.execute(
                "INSERT INTO clarifications (slug, asked_at_ms, answer, answered_by, answered_at_ms, is_public)
                 VALUES (?1, ?2, ?3, ?4, ?2, 1)",
                params![slug, by.at_ms, text, by.account],
            )?;
            let id = ClarificationId(write.last_insert_rowid());
            let seq = write.event(EventKind::Answered, by.at_ms, About::subject(id.0))?;
            write.execute("UPDATE clarifications SET answer_seq = ? WHERE id = ?", params![seq, id])?;
            write.audit(by, Action::Announce, &format!("#{id}"), text)?;
            Ok(id)
        })
    }

    /// The newest clarifications before `before` that the reader may see, newest first, [`MAX_PAGE`] at most.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn clarifications(
        &self,
        reader: Reader,
        before: Option<ClarificationId>,
        limit: u32,
    ) -> Result<Vec<Clarification>, StoreError> {
        let (before, limit) = (before.map_or(i64::MAX, |id| id.0), limit.min(MAX_PAGE));
        let sql = match reader {
            Reader::Staff => "SELECT id, account, slug, question, asked_at_ms, answer, answered_at_ms, is_public,
                    answer IS NULL FROM clarifications WHERE id < ?2 AND ?1 = ?1 ORDER BY id DESC LIMIT ?3"
                .to_owned(),
            Reader::Team(_) => format!(
                "SELECT id, iif(account = ?1, account, NULL), slug, question, asked_at_ms, answer, answered_at_ms,
                    is_public, {UNREAD} FROM clarifications WHERE id < ?2 AND {VISIBLE} ORDER BY id DESC LIMIT ?3"
            ),
        };
        let account = match reader {
            Reader::Staff => 0,
            Reader::Team(account) => account.0,
        };
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let found = statement.query_map(params![account, before, limit], of_row)?;
            Ok(found.collect::<Result<_, _>>()?)
        })
    }

    /// How many answers a team has not seen; for staff, how many questions have no answer.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn unread(&self, reader: Reader) -> Result<u64, StoreError> {
        self.read(|connection| match reader {
            Reader::Staff => {
                let sql = "SELECT count(*) FROM clarifications WHERE answer IS NULL";
                Ok(connection.prepare_cached(sql)?.query_row((), |row| row.get(0))?)
            }
            Reader::Team(account) => {
                let sql = format!("SELECT count(*) FROM clarifications WHERE {VISIBLE} AND {UNREAD}");
                Ok(connection.prepare_cached(&sql)?.query_row([account], |row| row.get(0))?)
            }
        })
    }

    /// Notes that a team has seen every answer up to event `seq`, as of [`Store::version`] when its page was made.
    ///
    /// # Errors
    /// When there is no such account, or the disk fails.
    pub fn mark_read(&self, account: AccountId, seq: i64) -> Result<(), StoreError> {
        if self.unread(Reader::Team(account))? == 0 {
            return Ok(());
        }
        self.write(|write| {
            write.execute(
                "INSERT INTO clarifications_read (account, seq) VALUES (?, ?)
                 ON CONFLICT (account) DO UPDATE SET seq = max(seq, excluded.seq)",
                params![account, seq],
            )?;
            Ok(())
        })
    }
}
