//! What can go wrong with a contest's database, in words that say what to do. Never hides a failure of the disk.

use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Why the store did not do what was asked. Nothing of it was done: every call is one transaction.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has the database open.
    #[error("`{}` is in use by another touchstone (process {holder}): stop that one first", path.display())]
    InUse {
        /// The database.
        path: PathBuf,
        /// Its process, as far as it said.
        holder: String,
    },
    /// A later version of this program has written it.
    #[error(
        "`{}` was written by a newer touchstone (its form is {found}, this one knows up to {known}): use that one",
        path.display()
    )]
    Newer {
        /// The database.
        path: PathBuf,
        /// Its form.
        found: i64,
        /// The newest that is known here.
        known: i64,
    },
    /// It is a database of something else.
    #[error("`{}` is no database of a contest: give another file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A file or folder cannot be used.
    #[error("cannot use `{}`: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// There is something where a new file was to go.
    #[error("`{}` is there already: give the name of a new file", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// No room is left.
    #[error("the disk is full: nothing was stored; make room, then try again")]
    Full,
    /// The disk failed, or the database is damaged.
    #[error("the database cannot be read or written: {0}; nothing was stored")]
    Disk(rusqlite::Error),
    /// There is no such thing, or no more.
    #[error("there is no such {0}")]
    Missing(&'static str),
    /// Names that others have.
    #[error("already taken: {}", .0.join(", "))]
    Taken(Vec<String>),
    /// Something is longer than may be.
    #[error("the {what} has {found} bytes, more than the {most} that are taken")]
    TooLong {
        /// What it is.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The most.
        most: usize,
    },
    /// Too much in too short a time.
    #[error("too many in too short a time: wait {} s", .wait_ms.div_euclid(1000) + 1)]
    TooMany {
        /// How long to wait.
        wait_ms: i64,
    },
    /// An account that has handed something in is kept.
    #[error("the account has submissions or questions: disable it instead of deleting it")]
    HasHistory,
    /// Without anybody to run it a contest cannot be got back.
    #[error("this is the last administrator that can log in: make another one first")]
    LastAdmin,
    /// A rejudge cannot be applied yet.
    #[error("{0} submissions of this rejudge are still to be judged: wait, or release what is quarantined")]
    Unfinished(u64),
    /// A rejudge has been applied or cancelled before.
    #[error("this rejudge was applied or cancelled before")]
    Ended,
    /// The contest has no start yet.
    #[error("the contest has no start yet: set one first")]
    NoSchedule,
    /// A schedule that makes no sense.
    #[error("a contest has to end after it starts, and to be frozen, if at all, in between")]
    BadSchedule,
    /// Something that was stored is not what this program stores.
    #[error("the database holds something that makes no sense: {0}")]
    Damaged(String),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            _ => Self::Disk(error),
        }
    }
}

impl StoreError {
    /// Whether it is a clash with something that is unique.
    pub(super) fn is_clash(error: &rusqlite::Error) -> bool {
        error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
    }
}
