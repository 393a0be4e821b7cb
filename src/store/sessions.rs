//! Who is logged in. Tokens are stored hashed, so that whoever reads the database can be nobody with it.

use rusqlite::{OptionalExtension as _, params};

use crate::store::{Account, AccountId, Store, StoreError, accounts};

/// A login.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Whose it is.
    pub account: AccountId,
    /// When they logged in.
    pub created_at_ms: i64,
    /// When they were last seen, to a minute or so.
    pub seen_at_ms: i64,
    /// From when on it is void.
    pub expires_at_ms: i64,
}

/// A hash of a token.
type TokenHash = [u8; 32];

/// How old "last seen" gets before it is written again: not every look at a page is worth a write.
const SEEN_EVERY_MS: i64 = 60_000;

impl Store {
    /// Begins a session; with `is_only` all others of the account end.
    ///
    /// # Errors
    /// When the account is gone, or the disk fails.
    pub fn create_session(
        &self,
        token_hash: &TokenHash,
        session: &Session,
        is_only: bool,
    ) -> Result<(), StoreError> {
        self.write(|write| {
            if is_only {
                write.execute("DELETE FROM sessions WHERE account = ?", [session.account])?;
            }
            let Session { account, created_at_ms, seen_at_ms, expires_at_ms } = session;
            let made = write.execute(
                "INSERT INTO sessions (token_hash, account, created_at_ms, seen_at_ms, expires_at_ms)
                 SELECT ?1, id, ?3, ?4, ?5 FROM accounts WHERE id = ?2 AND is_enabled",
                params![token_hash.as_slice(), account, created_at_ms, seen_at_ms, expires_at_ms],
            )?;
            if made == 0 { Err(StoreError::Missing("account that may log in")) } else { Ok(()) }
        })
    }

    /// The session of a token and whose it is, if it is good: neither over nor of an account that may not log in.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn session(
        &self,
        token_hash: &TokenHash,
        now_ms: i64,
    ) -> Result<Option<(Session, Account)>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT sessions.created_at_ms, seen_at_ms, expires_at_ms, {} FROM sessions
                 JOIN accounts ON accounts.id = sessions.account
                 WHERE token_hash = ? AND expires_at_ms > ? AND is_enabled",
                accounts::COLUMNS
            ))?;
            let found = statement.query_row(params![token_hash.as_slice(), now_ms], |row| {
                let account = accounts::of_row(row, 3)?;
                let session = Session {
                    account: account.id,
                    created_at_ms: row.get(0)?,
                    seen_at_ms: row.get(1)?,
                    expires_at_ms: row.get(2)?,
                };
                Ok((session, account))
            });
            Ok(found.optional()?)
        })
    }

    /// Notes that a session is in use and lets it last until `expires_at_ms`; does nothing if that was noted within the
    /// last minute.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn touch_session(
        &self,
        token_hash: &TokenHash,
        session: &Session,
        now_ms: i64,
        expires_at_ms: i64,
    ) -> Result<(), StoreError> {
        if (session.seen_at_ms..session.seen_at_ms + SEEN_EVERY_MS).contains(&now_ms) {
            return Ok(());
        }
        self.write(|write| {
            write.execute(
                "UPDATE sessions SET seen_at_ms = ?, expires_at_ms = ? WHERE token_hash = ?",
                params![now_ms, expires_at_ms, token_hash.as_slice()],
            )?;
            Ok(())
        })
    }

    /// Ends one session, if it is there.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn delete_session(&self, token_hash: &TokenHash) -> Result<(), StoreError> {
        self.write(|write| {
            write.execute("DELETE FROM sessions WHERE token_hash = ?", [token_hash.as_slice()])?;
            Ok(())
        })
    }

    /// Ends every session of an account, and says how many there were.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn delete_sessions_of(&self, account: AccountId) -> Result<usize, StoreError> {
        self.write(|write| Ok(write.execute("DELETE FROM sessions WHERE account = ?", [account])?))
    }

    /// Forgets sessions that are over, and says how many.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn sweep_sessions(&self, now_ms: i64) -> Result<usize, StoreError> {
        self.write(|write| Ok(write.execute("DELETE FROM sessions WHERE expires_at_ms <= ?", [now_ms])?))
    }
}
