//! What a run has on the judge's own disk, where its folder lies there and no file system of its own bounds it: a folder that
//! was lent, behind all walls, and without walls any. Looks only, at a folder whose program may be changing it: follows no
//! link that it sees, opens nothing but folders.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::clock::{MS, now_ns};
use super::spec::RunLimits;
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
    /// When the entries of an empty folder last changed before the run.
    changed: Option<(i64, i64)>,
    most: Size,
    most_written_bytes: u64,
    zygote: i32,
    written_before_bytes: u64,
    next_walk_ns: u64,
}

impl Disk {
    /// Starts to watch a folder, which may hold so much more than is in it.
    pub(crate) fn begin(folder: &Path, zygote: i32, limits: &RunLimits) -> Self {
        let changed = changed(folder);
        let before = size(folder, u64::MAX).unwrap_or_default();
        Self {
            changed: changed.filter(|_| before.files == 0),
            folder: folder.to_owned(),
            most: Size {
                bytes: before.bytes.saturating_add(limits.files_bytes),
                files: before.files.saturating_add(limits.files),
            },
            most_written_bytes: limits.files_bytes.saturating_mul(WRITTEN_FACTOR),
            zygote,
            written_before_bytes: tree::written_bytes(zygote),
            next_walk_ns: 0,
        }
    }

    /// Whether the run has, or has written, more than it may.
    pub(crate) fn is_full(&mut self) -> bool {
        let pids = tree::descendants(self.zygote);
        let written_bytes = pids.into_iter().chain([self.zygote]).map(tree::written_bytes).sum::<u64>();
        if written_bytes.saturating_sub(self.written_before_bytes) > self.most_written_bytes {
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
        !is_untouched && size(&self.folder, self.most.files).is_none_or(|size| size.bytes > self.most.bytes)
    }
}

fn changed(folder: &Path) -> Option<(i64, i64)> {
    fs::symlink_metadata(folder).ok().map(|found| (found.ctime(), found.ctime_nsec()))
}

/// What lies below a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Size {
    bytes: u64,
    files: u64,
}

/// What the files below a folder take; `None` when there are more than `most_files`, or some are kept from being looked at:
/// closed, or under a name too long to be said.
fn size(folder: &Path, most_files: u64) -> Option<Size> {
    let mut size = Size::default();
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
            let entry = match entry {
                Ok(entry) => entry,
                // The folder itself, while it was read.
                Err(error) => {
                    unless_gone(error)?;
                    break;
                }
            };
            size.files += 1;
            if size.files > most_files {
                return None;
            }
            match entry.metadata() {
                Ok(found) if found.is_dir() => waiting.push(entry.path()),
                // In blocks of 512 bytes whatever the file system; a file with several names is one.
                Ok(found) => size.bytes += found.blocks() * 512 / found.nlink().max(1),
                Err(error) => unless_gone(error)?,
            }
        }
    }
    Some(size)
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
        let found = size(folder.path(), 6).unwrap();
        assert!((100_000..140_000).contains(&found.bytes), "{found:?}");
        assert_eq!((found.files, size(folder.path(), 5)), (6, None));
        assert_eq!(size(&path("nothing"), 0), Some(Size::default()));
    }

    #[test]
    fn what_was_there_before_is_not_the_runs() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("input"), vec![1; 100_000]).unwrap();
        let limits = RunLimits { files_bytes: 50_000, files: 2, ..crate::sandbox::selftest::LIMITS };
        let disk = Disk::begin(folder.path(), 0, &limits);
        assert!(!disk.was_full());
        fs::write(path("output"), vec![1; 60_000]).unwrap();
        assert!(disk.was_full(), "too much");
        fs::write(path("output"), "").unwrap();
        fs::write(path("one more"), "").unwrap();
        assert!(!disk.was_full());
        fs::write(path("too many"), "").unwrap();
        assert!(disk.was_full(), "too many");
    }
}
