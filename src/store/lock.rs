//! One process at a time on one database: a lock on a file beside it, which the system gives back however the process
//! ends. The file stays, since to remove it would let two processes hold two of the same name.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::store::StoreError;

/// The lock, held as long as this lives.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// How much of the holder's number is read.
const MAX_HOLDER_BYTES: u64 = 20;

impl Lock {
    /// Takes the lock of the database at `path`.
    pub(super) fn take(path: &Path) -> Result<Self, StoreError> {
        let beside = beside(path);
        let failed = |cause| StoreError::File { path: beside.clone(), cause };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&beside)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.take(MAX_HOLDER_BYTES).read_to_string(&mut holder);
                let holder = if holder.is_empty() { "unknown".to_owned() } else { holder };
                return Err(StoreError::InUse { path: path.to_path_buf(), holder });
            }
            Err(TryLockError::Error(cause)) => return Err(failed(cause)),
        }
        // Only for the message above, so a disk that is full is no reason to refuse.
        let _ = file.set_len(0);
        let _ = file.rewind();
        let _ = write!(file, "{}", std::process::id());
        Ok(Self { _file: file })
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}
