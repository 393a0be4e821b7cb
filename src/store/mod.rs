//! The contest on disk: one SQLite file, the only room that speaks SQL. Never judges, never serves, never reads a clock:
//! every instant is given, in unix milliseconds, and so is the monotonic time that leases run out by.
//!
//! ```text
//!  submit ──one transaction──▶ submission + job + event
//!  claim ──▶ lease (epoch, runs out) ──heartbeat──▶ … ──finish──one transaction──▶ judging + tests + event − job
//!               │ slot or process died                        └ a lease that is no more: refused
//!               └──▶ queued again, at most three times, then quarantined, where staff see it
//! ```
//!
//! | What holds | by |
//! |---|---|
//! | one writer, readers beside it | WAL; a mutex around the one connection that writes |
//! | what was answered is on disk | `synchronous=FULL` |
//! | one current judging of a submission at most | a unique index |
//! | a submission without a verdict has a job | the same transaction; [`Store::sweep`] for what else may happen |
//! | one process | a lock on a file beside the database |
//! | whoever watches misses nothing | an event in the same transaction, numbered without gaps that matter |

mod accounts;
mod attempts;
mod audit;
mod backup;
mod clarifications;
mod error;
mod events;
mod export;
mod finish;
mod id;
mod jobs;
mod judgings;
mod leases;
mod lock;
mod queue;
mod rejudge;
mod schema;
mod sessions;
mod settings;
mod submissions;
mod virtuals;

#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

pub use crate::stress::smallest::SmallestInput;
pub use accounts::{Account, NewAccount, Role};
pub use audit::{Action, AuditEntry};
pub use backup::back_up_file;
pub use clarifications::{Clarification, Reader};
pub use error::StoreError;
pub use events::{Event, EventKind};
pub use export::Export;
pub use finish::Finished;
pub use id::{AccountId, ClarificationId, JobId, JudgingId, RejudgeId, SubmissionId};
pub use jobs::{Claim, Lane, Lease, Task};
pub use judgings::{Finish, JudgedTest, Judging};
pub use leases::{LEASE_MS, MAX_ATTEMPTS};
pub use queue::{Quarantined, QueueReport, Swept};
pub use rejudge::{Change, Rejudge, RejudgeState};
pub use sessions::Session;
pub use settings::{ProblemSetting, Settings};
pub use submissions::{Kind, MAX_SOURCE_BYTES, NewSubmission, Rate, State, Submission, SubmissionFilter};

use leases::Leases;
use lock::Lock;

/// How long a connection waits for another one, as while a backup ends.
const BUSY: Duration = Duration::from_secs(10);
/// Readers that are kept open while nobody reads.
const MAX_IDLE_READERS: usize = 8;
/// Statements that a connection keeps prepared.
const MAX_STATEMENTS: usize = 128;
/// The log beside the database is cut to this after it has been carried over.
const MAX_LOG_BYTES: i64 = 64 << 20;
/// Rows of a page at most, whatever is asked for.
pub const MAX_PAGE: u32 = 1000;

/// Who does something, and when. Goes into the audit log where staff do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct By {
    /// Nobody where the command line or the server itself acts.
    pub account: Option<AccountId>,
    /// Unix milliseconds.
    pub at_ms: i64,
}

impl By {
    /// An account's doing.
    pub fn account(account: AccountId, at_ms: i64) -> Self {
        Self { account: Some(account), at_ms }
    }

    /// The server's own doing.
    pub fn server(at_ms: i64) -> Self {
        Self { account: None, at_ms }
    }
}

/// Hears the number of the newest event after each change. Called on the thread that made the change: must be quick.
type Listener = Box<dyn Fn(i64) + Send + Sync>;

/// A contest's database. Calls block on the disk; each is one transaction.
pub struct Store {
    path: PathBuf,
    writer: Mutex<Writer>,
    readers: Mutex<Vec<Connection>>,
    settings: RwLock<Arc<Settings>>,
    version: AtomicI64,
    listeners: RwLock<Vec<Listener>>,
    // Last, so that it is given back when everything is closed.
    _lock: Lock,
}

struct Writer {
    connection: Connection,
    leases: Leases,
}

/// A transaction that writes.
struct Write<'a> {
    transaction: Transaction<'a>,
    leases: &'a Leases,
    /// The newest event that it made.
    seq: Cell<Option<i64>>,
    /// What becomes of leases when it is committed.
    lease_changes: RefCell<Vec<leases::Change>>,
    changes_settings: Cell<bool>,
}

impl std::ops::Deref for Write<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.transaction
    }
}

impl Store {
    /// Opens the contest's database at `path`, or makes it, for this process alone. Leases of an earlier process are
    /// void, and what has neither verdict nor job gets one.
    ///
    /// # Errors
    /// When another process has it, it is not ours, is of a newer version, or the disk fails.
    pub fn open(path: &Path, at_ms: i64) -> Result<Self, StoreError> {
        let failed = |cause| StoreError::File { path: path.to_path_buf(), cause };
        // Made by us first, so that nobody else can read the hashes in it; the log beside it gets the same rights.
        let made = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path);
        let is_new = made.and_then(|file| file.metadata()).map_err(failed)?.len() == 0;
        let path = path.canonicalize().map_err(failed)?;
        let lock = Lock::take(&path)?;
        let mut connection = connect(&path)?;
        schema::check_ours(&connection, &path)?;
        prepare_file(&connection)?;
        schema::migrate(&mut connection, &path, &schema::STEPS)?;
        if is_new && let Some(folder) = path.parent() {
            // The name too has to outlive a loss of power.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        let leases = Leases::of_new_process(&mut connection)?;
        let store = Self {
            path,
            writer: Mutex::new(Writer { connection, leases }),
            readers: Mutex::new(Vec::new()),
            settings: RwLock::default(),
            version: AtomicI64::new(0),
            listeners: RwLock::default(),
            _lock: lock,
        };
        store.read(|connection| {
            store.version.store(events::newest(connection)?, Ordering::Release);
            store.hold_settings(settings::load(connection)?);
            Ok(())
        })?;
        store.void_leases(at_ms)?;
        store.sweep(at_ms)?;
        Ok(store)
    }

    /// Where it lies, in full.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the newest event: it grows with every change that anybody can see.
    pub fn version(&self) -> i64 {
        self.version.load(Ordering::Acquire)
    }

    /// Lets `listener` hear the number of the newest event after each change, on the thread that made it.
    pub fn listen(&self, listener: impl Fn(i64) + Send + Sync + 'static) {
        self.listeners.write().unwrap_or_else(PoisonError::into_inner).push(Box::new(listener));
    }

    /// Bytes of the database and of its log on disk.
    pub fn size_bytes(&self) -> u64 {
        let mut log = self.path.as_os_str().to_owned();
        log.push("-wal");
        let of = |path: &Path| std::fs::metadata(path).map_or(0, |file| file.len());
        of(&self.path) + of(Path::new(&log))
    }

    /// One transaction that reads: everything in it is of one instant.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let idle = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let connection = match idle {
            Some(connection) => connection,
            None => {
                let connection = connect(&self.path)?;
                connection.pragma_update(None, "query_only", true)?;
                connection
            }
        };
        let transaction = connection.unchecked_transaction()?;
        let found = work(&transaction);
        drop(transaction);
        // One that failed is not used again.
        if found.is_ok() {
            let mut idle = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() < MAX_IDLE_READERS {
                idle.push(connection);
            }
        }
        found
    }

    /// One transaction that writes; nothing of it stays when `work` fails.
    fn write<T>(&self, work: impl FnOnce(&Write<'_>) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut writer = self.writer();
        let Written { done, seq, lease_changes, settings } = writer.transact(work)?;
        writer.leases.apply(lease_changes);
        if let Some(settings) = settings {
            self.hold_settings(settings);
        }
        if let Some(seq) = seq {
            self.version.store(seq, Ordering::Release);
        }
        drop(writer);
        if let Some(seq) = seq {
            for listener in self.listeners.read().unwrap_or_else(PoisonError::into_inner).iter() {
                listener(seq);
            }
        }
        Ok(done)
    }

    // A transaction that a panic cut short has been rolled back, and leases change only after one.
    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hold_settings(&self, settings: Settings) {
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(settings);
    }
}

/// What a transaction that is on disk leaves to be done in memory.
struct Written<T> {
    done: T,
    seq: Option<i64>,
    lease_changes: Vec<leases::Change>,
    settings: Option<Settings>,
}

impl Writer {
    fn transact<T>(
        &mut self,
        work: impl FnOnce(&Write<'_>) -> Result<T, StoreError>,
    ) -> Result<Written<T>, StoreError> {
        let write = Write {
            transaction: self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?,
            leases: &self.leases,
            seq: Cell::new(None),
            lease_changes: RefCell::default(),
            changes_settings: Cell::new(false),
        };
        let done = work(&write)?;
        let settings = if write.changes_settings.get() { Some(settings::load(&write)?) } else { None };
        let (seq, lease_changes) = (write.seq.get(), write.lease_changes.take());
        write.transaction.commit()?;
        Ok(Written { done, seq, lease_changes, settings })
    }
}

/// A connection to a database that is there.
fn connect(path: &Path) -> Result<Connection, StoreError> {
    prepared(path).map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => StoreError::Foreign { path: path.to_path_buf() },
        _ => error.into(),
    })
}

fn prepared(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_PRIVATE_CACHE,
    )?;
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(MAX_STATEMENTS);
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    Ok(connection)
}

/// Sets what belongs to the file and not to a connection.
fn prepare_file(connection: &Connection) -> Result<(), StoreError> {
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update_and_check(None, "journal_size_limit", MAX_LOG_BYTES, |_| Ok(()))?;
    Ok(())
}
