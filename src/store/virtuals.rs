//! When teams began the contest for themselves, once each.

use rusqlite::{OptionalExtension as _, params};

use crate::store::events::About;
use crate::store::{AccountId, EventKind, Store, StoreError};

impl Store {
    /// Begins a team's own contest, unless it has: then that one goes on. Gives its start.
    ///
    /// # Errors
    /// When there is no such account, or the disk fails.
    pub fn start_virtual(&self, account: AccountId, at_ms: i64) -> Result<i64, StoreError> {
        self.write(|write| {
            let made = write.execute(
                "INSERT INTO virtual_starts (account, start_ms) SELECT id, ?2 FROM accounts WHERE id = ?1
                 ON CONFLICT DO NOTHING",
                params![account, at_ms],
            )?;
            if made == 1 {
                write.event(EventKind::VirtualStarted, at_ms, About::account(account))?;
            }
            let sql = "SELECT start_ms FROM virtual_starts WHERE account = ?";
            let start_ms = write.query_row(sql, [account], |row| row.get(0)).optional()?;
            start_ms.ok_or(StoreError::Missing("account"))
        })
    }

    /// When a team began its own contest.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn virtual_start(&self, account: AccountId) -> Result<Option<i64>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT start_ms FROM virtual_starts WHERE account = ?";
            Ok(connection.prepare_cached(sql)?.query_row([account], |row| row.get(0)).optional()?)
        })
    }

    /// Every team's own contest, and when it began.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn virtual_starts(&self) -> Result<Vec<(AccountId, i64)>, StoreError> {
        self.read(|connection| {
            let sql = "SELECT account, start_ms FROM virtual_starts ORDER BY start_ms, account";
            let mut statement = connection.prepare_cached(sql)?;
            let starts = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(starts.collect::<Result<_, _>>()?)
        })
    }
}
