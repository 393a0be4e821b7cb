//! The shape of the database, and how an older one is brought to it. `user_version` says how many of the steps it has
//! seen; what is missing is one transaction. A step that was released is never changed: another one is added.

use std::path::Path;

use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use crate::store::StoreError;

/// Each brings the shape before it to the next.
pub(super) const STEPS: [&str; 1] = [include_str!("schema/1.sql")];

/// Says that a file is a database of ours: "TSJ1".
const APPLICATION_ID: i64 = 0x5453_4a31;

/// Refuses what is no database of ours, before anything is changed in it.
///
/// # Errors
/// When it is not ours, or cannot be read.
pub(super) fn check_ours(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let ours = || -> rusqlite::Result<bool> {
        let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))?;
        Ok(number(connection, "application_id")? == APPLICATION_ID || tables == 0)
    };
    match ours() {
        Ok(true) => Ok(()),
        Ok(false) => Err(StoreError::Foreign { path: path.to_path_buf() }),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            Err(StoreError::Foreign { path: path.to_path_buf() })
        }
        Err(error) => Err(error.into()),
    }
}

fn number(connection: &Connection, pragma: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, pragma, |row| row.get(0))
}

/// Brings the database to the newest shape that `steps` lead to.
///
/// # Errors
/// When it is of a newer version, or cannot be written.
pub(super) fn migrate(connection: &mut Connection, path: &Path, steps: &[&str]) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = number(&transaction, "user_version")?;
    let known = i64::try_from(steps.len()).unwrap_or(i64::MAX);
    if found > known || found < 0 {
        return Err(StoreError::Newer { path: path.to_path_buf(), found, known });
    }
    for step in steps.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", known)?;
    transaction.commit()?;
    Ok(())
}
