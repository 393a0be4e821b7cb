//! A copy of the database while it is in use: everything as of one instant, in one file that needs nothing beside it.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::store::{Store, StoreError, connect, schema};

impl Store {
    /// Copies the database to a new file that only its owner can read. Others read and write meanwhile.
    ///
    /// # Errors
    /// When there is such a file, or the disk fails; nothing is left behind then.
    pub fn back_up(&self, to: &Path) -> Result<(), StoreError> {
        copy(&connect(&self.path)?, to)
    }
}

/// The same for a database at `path` that another process may have open.
///
/// # Errors
/// When there is no contest's database at `path`, there is such a file as `to`, or the disk fails.
pub fn back_up_file(path: &Path, to: &Path) -> Result<(), StoreError> {
    if let Err(cause) = fs::metadata(path) {
        return Err(StoreError::File { path: path.to_path_buf(), cause });
    }
    let connection = connect(path)?;
    schema::check_ours(&connection, path)?;
    copy(&connection, to)
}

fn copy(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    let private = || {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).mode(0o600);
        options
    };
    // The name is taken first, so that nothing that is there is lost, and the copy comes under it only when it is whole.
    private().open(to).map_err(|cause| match cause.kind() {
        ErrorKind::AlreadyExists => StoreError::Exists { path: to.to_path_buf() },
        _ => StoreError::File { path: to.to_path_buf(), cause },
    })?;
    let partial = beside(to);
    let _ = fs::remove_file(&partial);
    let copied = (|| {
        let failed = |cause| StoreError::File { path: partial.clone(), cause };
        let file = private().open(&partial).map_err(failed)?;
        let name =
            partial.to_str().ok_or_else(|| failed(std::io::Error::from(ErrorKind::InvalidFilename)))?;
        // SQLite takes an empty file as none, and keeps its rights.
        connection.execute("VACUUM INTO ?", [name])?;
        file.sync_all().map_err(failed)?;
        fs::rename(&partial, to).map_err(failed)?;
        let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)
    })();
    if copied.is_err() {
        let _ = fs::remove_file(&partial);
        let _ = fs::remove_file(to);
    }
    copied
}

fn beside(to: &Path) -> PathBuf {
    let mut name = to.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}
