//! What staff did, in the transaction in which they did it. Nothing is ever taken out.

use rusqlite::params;

use crate::store::id::words;
use crate::store::judgings::cut;
use crate::store::{AccountId, By, MAX_PAGE, Store, StoreError, Write};

/// What staff, or the command line for them, can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Somebody of the staff logged in.
    LogIn,
    /// Results or everything were exported.
    Export,
    /// What the contest's file says was taken over.
    ApplyConfiguration,
    /// The contest's configuration was changed on its page.
    ChangeConfiguration,
    /// The schedule was set.
    SetSchedule,
    /// The start was set.
    SetStart,
    /// The end was moved.
    Extend,
    /// The board was frozen.
    Freeze,
    /// What the freeze hid was shown.
    Thaw,
    /// A problem was read again from its files.
    ReadProblem,
    /// A problem was taken into the contest.
    EnableProblem,
    /// A problem was taken out of the contest.
    DisableProblem,
    /// Accounts were made.
    CreateAccounts,
    /// An account may log in again.
    EnableAccount,
    /// An account may not log in any more.
    DisableAccount,
    /// The name that people see was changed.
    RenameAccount,
    /// An account got another password.
    SetPassword,
    /// An account was deleted.
    DeleteAccount,
    /// A question was answered to whom asked it.
    Answer,
    /// A question was answered to everybody.
    AnswerToAll,
    /// Everybody was told something.
    Announce,
    /// Submissions are judged again, for a look at what would change.
    StartRejudge,
    /// The verdicts of a rejudge were applied.
    ApplyRejudge,
    /// A rejudge was given up.
    CancelRejudge,
    /// A submission that was given up goes to the queue again.
    Release,
}

words!(Action {
    LogIn = "log in",
    Export = "export",
    ApplyConfiguration = "apply configuration",
    ChangeConfiguration = "change configuration",
    SetSchedule = "set schedule",
    SetStart = "set start",
    Extend = "extend",
    Freeze = "freeze",
    Thaw = "thaw",
    ReadProblem = "read problem again",
    EnableProblem = "enable problem",
    DisableProblem = "disable problem",
    CreateAccounts = "create accounts",
    EnableAccount = "enable account",
    DisableAccount = "disable account",
    RenameAccount = "rename account",
    SetPassword = "set password",
    DeleteAccount = "delete account",
    Answer = "answer",
    AnswerToAll = "answer to all",
    Announce = "announce",
    StartRejudge = "start rejudge",
    ApplyRejudge = "apply rejudge",
    CancelRejudge = "cancel rejudge",
    Release = "release from quarantine",
});

impl serde::Serialize for Action {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

/// Something that somebody did.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct AuditEntry {
    /// Its row.
    pub id: i64,
    /// When.
    pub at_ms: i64,
    /// Who; nobody where the command line or the server itself acted.
    pub account: Option<AccountId>,
    /// What.
    pub action: Action,
    /// What to, in no language: a login, a problem, a number as in `#12`; empty for the contest itself.
    pub subject: String,
    /// How, in the words of whoever did it; may be empty.
    pub detail: String,
}

/// Bytes of a subject or a detail that are kept.
const MAX_TEXT_BYTES: usize = 2000;

impl Write<'_> {
    /// Adds a line to the audit log.
    pub(super) fn audit(
        &self,
        by: By,
        action: Action,
        subject: &str,
        detail: &str,
    ) -> Result<(), StoreError> {
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
    pub fn audit(&self, by: By, action: Action, subject: &str, detail: &str) -> Result<(), StoreError> {
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
