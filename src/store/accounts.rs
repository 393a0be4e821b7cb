//! Who may come in: teams and administrators. Holds hashes of passwords as they are given; never sees a password.

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use crate::store::events::About;
use crate::store::id::words;
use crate::store::{AccountId, Action, By, EventKind, Store, StoreError, Write};

/// What an account may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Staff: everything.
    Admin,
    /// Takes part.
    Team,
}

words!(Role { Admin = "admin", Team = "team", });

/// An account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its row.
    pub id: AccountId,
    /// The name to log in by; the same in capital letters is the same.
    pub login: String,
    /// The name that people see.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// The password's hash, with its salt and parameters.
    pub password_hash: String,
    /// Whether it can log in.
    pub is_enabled: bool,
    /// When it was made.
    pub created_at_ms: i64,
}

/// An account to be made.
#[derive(Clone, Debug)]
pub struct NewAccount {
    /// The name to log in by.
    pub login: String,
    /// The name that people see.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// The password's hash, with its salt and parameters.
    pub password_hash: String,
}

/// Columns in the order in which [`of_row`] reads them.
pub(super) const COLUMNS: &str = "accounts.id, accounts.login, accounts.name, accounts.role, accounts.password_hash, accounts.is_enabled, \
     accounts.created_at_ms";

/// Reads [`COLUMNS`], the first of which is at `first`.
pub(super) fn of_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Account> {
    Ok(Account {
        id: row.get(first)?,
        login: row.get(first + 1)?,
        name: row.get(first + 2)?,
        role: row.get(first + 3)?,
        password_hash: row.get(first + 4)?,
        is_enabled: row.get(first + 5)?,
        created_at_ms: row.get(first + 6)?,
    })
}

pub(super) fn all(connection: &Connection) -> Result<Vec<Account>, StoreError> {
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM accounts ORDER BY id"))?;
    let accounts = statement.query_map((), |row| of_row(row, 0))?;
    Ok(accounts.collect::<Result<_, _>>()?)
}

fn one(connection: &Connection, id: AccountId) -> Result<Account, StoreError> {
    let mut statement = connection.prepare_cached(&format!("SELECT {COLUMNS} FROM accounts WHERE id = ?"))?;
    statement.query_row([id], |row| of_row(row, 0)).optional()?.ok_or(StoreError::Missing("account"))
}

impl Store {
    /// Makes all of these accounts, or none when a login is taken or stands here twice: then all such are named.
    ///
    /// # Errors
    /// See above; or the disk fails.
    pub fn create_accounts(&self, accounts: &[NewAccount], by: By) -> Result<Vec<AccountId>, StoreError> {
        self.write(|write| {
            let (mut ids, mut taken) = (Vec::with_capacity(accounts.len()), Vec::new());
            let mut insert = write.prepare_cached(
                "INSERT INTO accounts (login, name, role, password_hash, is_enabled, created_at_ms)
                 VALUES (?, ?, ?, ?, 1, ?) ON CONFLICT (login) DO NOTHING",
            )?;
            for account in accounts {
                let NewAccount { login, name, role, password_hash } = account;
                match insert.execute(params![login, name, role, password_hash, by.at_ms])? {
                    0 => taken.push(login.clone()),
                    _ => ids.push(AccountId(write.last_insert_rowid())),
                }
            }
            if !taken.is_empty() {
                return Err(StoreError::Taken(taken));
            }
            let subject = match accounts {
                [only] => only.login.clone(),
                _ => format!("× {}", accounts.len()),
            };
            write.audit(by, Action::CreateAccounts, &subject, "")?;
            let about = match ids.as_slice() {
                [only] => About::account(*only),
                _ => About::default(),
            };
            write.event(EventKind::Account, by.at_ms, about)?;
            Ok(ids)
        })
    }

    /// Every account, in the order in which they were made.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        self.read(all)
    }

    /// One account.
    ///
    /// # Errors
    /// When there is none, or the disk fails.
    pub fn account(&self, id: AccountId) -> Result<Account, StoreError> {
        self.read(|connection| one(connection, id))
    }

    /// The account of this login, in capital letters or not.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn account_by_login(&self, login: &str) -> Result<Option<Account>, StoreError> {
        self.read(|connection| {
            let mut statement =
                connection.prepare_cached(&format!("SELECT {COLUMNS} FROM accounts WHERE login = ?"))?;
            Ok(statement.query_row([login], |row| of_row(row, 0)).optional()?)
        })
    }

    /// Sets the password's hash, and ends every session of the account.
    ///
    /// # Errors
    /// When there is no such account, or the disk fails.
    pub fn set_password_hash(&self, id: AccountId, hash: &str, by: By) -> Result<(), StoreError> {
        self.change(id, Action::SetPassword, by, |write, _| {
            write.execute("UPDATE accounts SET password_hash = ? WHERE id = ?", params![hash, id])?;
            write.execute("DELETE FROM sessions WHERE account = ?", [id])?;
            Ok(String::new())
        })
    }

    /// Lets the account log in, or not any more: then its sessions end.
    ///
    /// # Errors
    /// When there is no such account, it is the last administrator's, or the disk fails.
    pub fn set_enabled(&self, id: AccountId, is_enabled: bool, by: By) -> Result<(), StoreError> {
        let action = if is_enabled { Action::EnableAccount } else { Action::DisableAccount };
        self.change(id, action, by, |write, account| {
            write.execute("UPDATE accounts SET is_enabled = ? WHERE id = ?", params![is_enabled, id])?;
            if !is_enabled {
                keep_an_admin(write, account)?;
                write.execute("DELETE FROM sessions WHERE account = ?", [id])?;
            }
            Ok(String::new())
        })
    }

    /// Changes the name that people see.
    ///
    /// # Errors
    /// When there is no such account, or the disk fails.
    pub fn rename(&self, id: AccountId, name: &str, by: By) -> Result<(), StoreError> {
        self.change(id, Action::RenameAccount, by, |write, account| {
            write.execute("UPDATE accounts SET name = ? WHERE id = ?", params![name, id])?;
            Ok(format!("{} → {name}", account.name))
        })
    }

    /// Deletes an account that has handed in and asked nothing.
    ///
    /// # Errors
    /// When it has, there is no such account, it is the last administrator's, or the disk fails.
    pub fn delete_account(&self, id: AccountId, by: By) -> Result<(), StoreError> {
        self.change(id, Action::DeleteAccount, by, |write, account| {
            match write.execute("DELETE FROM accounts WHERE id = ?", [id]) {
                Ok(_) => {}
                Err(error) if StoreError::is_clash(&error) => return Err(StoreError::HasHistory),
                Err(error) => return Err(error.into()),
            }
            keep_an_admin(write, account)?;
            Ok(String::new())
        })
    }

    /// Changes one account; `work` says how, in words.
    fn change(
        &self,
        id: AccountId,
        action: Action,
        by: By,
        work: impl FnOnce(&Write<'_>, &Account) -> Result<String, StoreError>,
    ) -> Result<(), StoreError> {
        self.write(|write| {
            let account = one(write, id)?;
            let detail = work(write, &account)?;
            write.audit(by, action, &account.login, &detail)?;
            write.event(EventKind::Account, by.at_ms, About::account(id))?;
            Ok(())
        })
    }
}

/// Refuses a change of `account` that leaves nobody who could undo it.
fn keep_an_admin(write: &Write<'_>, account: &Account) -> Result<(), StoreError> {
    let left = "SELECT EXISTS (SELECT 1 FROM accounts WHERE role = 'admin' AND is_enabled)";
    let is_left: bool = write.query_row(left, (), |row| row.get(0))?;
    if account.role == Role::Admin && !is_left { Err(StoreError::LastAdmin) } else { Ok(()) }
}
