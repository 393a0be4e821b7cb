//! What a run has on the judge's own disk, where its folder lies there and no file system of its own bounds it. Looks only,
//! at a folder whose program may be changing it: follows no link that it sees, opens nothing but folders.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::clock::{MS, now_ns};
use super::spec::{MOST_FILES, RunLimits};
use super::tree;

/// Between two walks through the folder at least this long, and so many times as long as the last one took.
const SHORTEST_PAUSE_NS: u64 = 8 * MS;
const PAUSE_FACTOR: u64 = 20;
/// What was written, and not dropped before the disk had it, may be so many times what may lie there: files that have no
/// name any more are in it alone.
const WRITTEN_FACTOR: u64 = 2;

/// Watches the folder of one run.
#[derive(Debug)]
pub(crate) struct Disk {
    folder: PathBuf,
    /// When its entries last changed before the run; nothing is in it.
    changed: Option<(i64, i64)>,
    most_bytes: u64,
    zygote: i32,
    written_before_bytes: u64,
    next_walk_ns: u64,
}

impl Disk {
    /// Starts to watch an empty folder. It may hold what the file system of a run of its own would, or one file at least.
    pub(crate) fn begin(folder: &Path, zygote: i32, limits: &RunLimits) -> Self {
        Self {
            changed: changed(folder),
            folder: folder.to_owned(),
            most_bytes: limits.memory_bytes.max(limits.file_bytes),
            zygote,
            written_before_bytes: tree::written_bytes(zygote),
            next_walk_ns: 0,
        }
    }

    /// Whether the run has, or has written, more than it may.
    pub(crate) fn is_full(&mut self) -> bool {
        let pids = tree::descendants(self.zygote);
        let written_bytes = pids.into_iter().chain([self.zygote]).map(tree::written_bytes).sum::<u64>();
        if written_bytes.saturating_sub(self.written_before_bytes) > self.most_bytes * WRITTEN_FACTOR {
            return true;
        }
        let now = now_ns();
        if now < self.next_walk_ns {
            return false;
        }
        let was_full = self.was_full();
        let ended_ns = now_ns();
        self.next_walk_ns = ended_ns + (PAUSE_FACTOR * (ended_ns - now)).max(SHORTEST_PAUSE_NS);
        was_full
    }

    /// Whether more lies in the folder than may.
    pub(crate) fn was_full(&self) -> bool {
        let is_untouched = self.changed.is_some() && changed(&self.folder) == self.changed;
        !is_untouched && size_bytes(&self.folder).is_none_or(|bytes| bytes > self.most_bytes)
    }
}

fn changed(folder: &Path) -> Option<(i64, i64)> {
    fs::symlink_metadata(folder).ok().map(|found| (found.ctime(), found.ctime_nsec()))
}

/// What the files below a folder take; `None` when there are too many, or some are kept from being looked at: closed, or
/// under a name too long to be said.
fn size_bytes(folder: &Path) -> Option<u64> {
    let (mut bytes, mut count) = (0, 0);
    let mut waiting = vec![folder.to_owned()];
    // What was there a moment ago may be gone.
    let unless_gone = |error: io::Error| (error.kind() == ErrorKind::NotFound).then_some(());
    while let Some(folder) = waiting.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                unless_gone(error)?;
                continue;
            }
        };
        for entry in entries {
            let entry = entry.ok()?;
            count += 1;
            if count > MOST_FILES {
                return None;
            }
            match entry.metadata() {
                Ok(found) if found.is_dir() => waiting.push(entry.path()),
                // In blocks of 512 bytes whatever the file system; a file with several names is one.
                Ok(found) => bytes += found.blocks() * 512 / found.nlink().max(1),
                Err(error) => unless_gone(error)?,
            }
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_added_up_and_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("a/b")).unwrap();
        fs::write(path("a/b/file"), vec![1; 100_000]).unwrap();
        fs::hard_link(path("a/b/file"), path("again")).unwrap();
        fs::File::create(path("sparse")).unwrap().set_len(1 << 40).unwrap();
        std::os::unix::fs::symlink("/", path("link")).unwrap();
        let bytes = size_bytes(folder.path()).unwrap();
        assert!((100_000..140_000).contains(&bytes), "{bytes}");
        for number in 0..=MOST_FILES {
            fs::write(path(&number.to_string()), "").unwrap();
        }
        assert_eq!(size_bytes(folder.path()), None);
        assert_eq!(size_bytes(&path("nothing")), Some(0));
    }
}
