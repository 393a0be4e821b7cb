//! What staff did, in the transaction in which they did it. Nothing is ever taken out.

use rusqlite::params;

use crate::store::judgings::cut;
use crate::store::{AccountId, By, MAX_PAGE, Store, StoreError, Write};

/// Something that somebody did.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct AuditEntry {
    /// Its row.
    pub id: i64,
    /// When.
    pub at_ms: i64,
    /// Who; nobody where the command line or the server itself acted.
    pub account: Option<AccountId>,
    /// What, in a word or two, as in `extend`.
    pub action: String,
    /// What to, as in `team07` or `submission 12`.
    pub subject: String,
    /// How, in words; may be empty.
    pub detail: String,
}

/// Bytes of a subject or a detail that are kept.
const MAX_TEXT_BYTES: usize = 2000;

impl Write<'_> {
    /// Adds a line to the audit log.
    pub(super) fn audit(&self, by: By, action: &str, subject: &str, detail: &str) -> Result<(), StoreError> {
        let (subject, detail) = (cut(subject, MAX_TEXT_BYTES), cut(detail, MAX_TEXT_BYTES));
        self.prepare_cached(
            "INSERT INTO audit (at_ms, account, action, subject, detail) VALUES (?, ?, ?, ?, ?)",
        )?
        .execute(params![by.at_ms, by.account, action, subject, detail])?;
        Ok(())
    }
}

impl Store {
    /// Adds a line about something that the store does not do itself, as a login of staff or an export.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn audit(&self, by: By, action: &str, subject: &str, detail: &str) -> Result<(), StoreError> {
        self.write(|write| write.audit(by, action, subject, detail))
    }

    /// The newest lines before row `before`, newest first.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn audit_page(&self, before: Option<i64>, limit: u32) -> Result<Vec<AuditEntry>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, at_ms, account, action, subject, detail FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?",
            )?;
            let lines = statement.query_map(params![before.unwrap_or(i64::MAX), limit.min(MAX_PAGE)], |row| {
                Ok(AuditEntry {
                    id: row.get(0)?,
                    at_ms: row.get(1)?,
                    account: row.get(2)?,
                    action: row.get(3)?,
                    subject: row.get(4)?,
                    detail: row.get(5)?,
                })
            })?;
            Ok(lines.collect::<Result<_, _>>()?)
        })
    }
}
