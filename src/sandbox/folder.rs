//! Work folders on the judge's own disk, made for a run and removed after it without following a link, whatever the
//! program left in them. Never touched while a process of the run lives.

use std::fs::{self, DirBuilder, File, Permissions};
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::fcntl::{OFlag, openat, renameat};
use nix::sys::stat::{FchmodatFlags, Mode, fchmodat};
use nix::unistd::{Gid, Uid, UnlinkatFlags, fchown, unlinkat};

use super::SandboxError;
use super::spec::Files;

/// Holds all that one sandbox has on the disk; removed with it, by the mother if the judge is killed.
///
/// | name | what |
/// |---|---|
/// | `walls/` | what zygotes mount their root over, each for itself |
/// | `lent/` | a folder to be lent, see [`Sandbox::folder_to_lend`](super::Sandbox::folder_to_lend) |
/// | `1/`, … | work folders |
#[derive(Debug)]
pub(crate) struct Scratch {
    base: tempfile::TempDir,
    lent: PathBuf,
    made: u64,
    /// A fresh folder that its run left untouched, for the next run of the same user.
    spare: Option<Fresh>,
}

const WALLS: &str = "walls";

/// A folder made for one run.
#[derive(Debug)]
pub(crate) struct Fresh {
    path: PathBuf,
    user: Option<u32>,
    /// When its owner, mode, attributes or entries last changed.
    changed: (i64, i64),
}

/// The folder one run starts in.
#[derive(Debug)]
pub(crate) enum Work {
    /// Made for the run.
    Fresh(Fresh),
    /// The judge's own, lent to the program's user.
    Lent(PathBuf, Option<File>),
    /// In the box, which the zygote makes and takes away.
    Boxed(PathBuf),
}

impl Scratch {
    /// A name that nobody can know before, in the folder for temporary files.
    pub(crate) fn place() -> PathBuf {
        let number = RandomState::new().hash_one(std::process::id());
        std::env::temp_dir().join(format!("touchstone-{number:016x}"))
    }

    /// Makes the folder at that place.
    pub(crate) fn new(place: &Path) -> Result<Self, SandboxError> {
        let (above, name) = (place.parent().unwrap_or(place), place.file_name().unwrap_or_default());
        let base = tempfile::Builder::new()
            .prefix(name)
            .rand_bytes(0)
            .permissions(Permissions::from_mode(0o711))
            .tempdir_in(above)
            .map_err(SandboxError::system("make a temporary folder"))?;
        let lent = (|| {
            fs::create_dir(base.path().join(WALLS))?;
            let lent = base.path().canonicalize()?.join("lent");
            DirBuilder::new().mode(0o700).create(&lent)?;
            Ok::<_, io::Error>(lent)
        })();
        let lent = lent.map_err(SandboxError::system("make a temporary folder"))?;
        Ok(Self { base, lent, made: 0, spare: None })
    }

    /// The folder that holds everything.
    pub(crate) fn path(&self) -> &Path {
        self.base.path()
    }

    /// What a root may be mounted over.
    pub(crate) fn walls(&self) -> PathBuf {
        self.base.path().join(WALLS)
    }

    /// The folder to be lent, by the name that mounts know it by.
    pub(crate) fn to_lend(&self) -> &Path {
        &self.lent
    }

    /// The folder for a run of `user`; `boxed` is where the zygote makes it, if it does.
    pub(crate) fn work(
        &mut self,
        files: &Files,
        user: Option<u32>,
        boxed: Option<&str>,
    ) -> Result<Work, SandboxError> {
        let work = match (files, boxed) {
            (Files::Fresh { .. }, Some(boxed)) => Ok(Work::Boxed(boxed.into())),
            (Files::Fresh { .. }, None) => self.fresh(user).map(Work::Fresh),
            (Files::Folder { folder, .. }, _) => {
                give(folder, user).map(|lent| Work::Lent(folder.clone(), lent))
            }
        };
        work.map_err(SandboxError::system("make the work folder ready"))
    }

    fn fresh(&mut self, user: Option<u32>) -> io::Result<Fresh> {
        if let Some(spare) = self.spare.take() {
            if spare.user == user {
                return Ok(spare);
            }
            fs::remove_dir(&spare.path)?;
        }
        self.made += 1;
        let path = self.base.path().join(self.made.to_string());
        DirBuilder::new().mode(0o700).create(&path)?;
        give(&path, user)?;
        let changed = changed(&path)?;
        Ok(Fresh { path, user, changed })
    }

    /// Removes the folder, or takes it back.
    pub(crate) fn clear(&mut self, work: Work) -> Result<(), SandboxError> {
        let cleared = match work {
            Work::Fresh(fresh) => self.clear_fresh(fresh),
            Work::Lent(_, Some(folder)) => {
                fchown(folder.as_fd(), Some(nix::unistd::geteuid()), Some(nix::unistd::getegid()))
                    .map_err(io::Error::from)
            }
            Work::Lent(_, None) | Work::Boxed(_) => Ok(()),
        };
        cleared.map_err(SandboxError::system("clear the work folder"))
    }

    fn clear_fresh(&mut self, fresh: Fresh) -> io::Result<()> {
        // Most programs write nothing, and making a folder on a disk costs more than looking at it.
        let is_untouched = changed(&fresh.path).is_ok_and(|changed| changed == fresh.changed)
            && fs::read_dir(&fresh.path).is_ok_and(|mut entries| entries.next().is_none());
        if is_untouched {
            self.spare = Some(fresh);
            return Ok(());
        }
        match remove(&fresh.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What a program left may be closed, or deeper than there are descriptors: the folder would not go by itself.
        let entries = fs::read_dir(self.base.path()).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let _ = remove(&path);
        }
    }
}

impl Work {
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Fresh(fresh) => &fresh.path,
            Self::Lent(path, _) | Self::Boxed(path) => path,
        }
    }
}

fn changed(path: &Path) -> io::Result<(i64, i64)> {
    fs::symlink_metadata(path).map(|found| (found.ctime(), found.ctime_nsec()))
}

/// Makes `user` the owner of a folder that is really one.
fn give(folder: &Path, user: Option<u32>) -> io::Result<Option<File>> {
    let Some(user) = user else { return Ok(None) };
    let opened =
        File::options().read(true).custom_flags(libc::O_DIRECTORY | libc::O_NOFOLLOW).open(folder)?;
    fchown(opened.as_fd(), Some(Uid::from_raw(user)), Some(Gid::from_raw(user)))?;
    Ok(Some(opened))
}

/// Removes all that lies in a folder which was lent, whatever it is: from beside that folder, where no program can have
/// taken the names that it needs.
pub(crate) fn empty(lent: &Path) -> io::Result<()> {
    let beside = lent.with_extension("emptied");
    // An earlier clearing may have stopped half way.
    if beside.symlink_metadata().is_ok() {
        remove(&beside)?;
    }
    // By the name that no program can change.
    fs::set_permissions(lent, Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(lent)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::set_permissions(entry.path(), Permissions::from_mode(0o700))?;
            fs::rename(entry.path(), &beside)?;
            remove(&beside)?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Removes a folder with everything in it. Each level's folders are first moved up beside the top one, so that a tree
/// of any depth takes neither a deep stack nor a descriptor for each level.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let parent = File::open(parent)?;
    let stem = name.to_string_lossy().into_owned();
    let mut waiting = vec![stem.clone()];
    let mut moved = 0_u64;
    while let Some(name) = waiting.pop() {
        let flags = OFlag::O_PATH | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let inside = openat(&parent, name.as_str(), flags, Mode::empty())?;
        // By its descriptor: whatever has this name now, the folder that was opened gets the mode.
        let opened = format!("/proc/self/fd/{}", inside.as_raw_fd());
        fs::set_permissions(&opened, Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&opened)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                moved += 1;
                let target = format!("{stem}-{moved}");
                fchmodat(
                    &inside,
                    entry.file_name().as_os_str(),
                    Mode::S_IRWXU,
                    FchmodatFlags::FollowSymlink,
                )?;
                renameat(&inside, entry.file_name().as_os_str(), &parent, target.as_str())?;
                waiting.push(target);
            } else {
                unlinkat(&inside, entry.file_name().as_os_str(), UnlinkatFlags::NoRemoveDir)?;
            }
        }
        match unlinkat(&parent, name.as_str(), UnlinkatFlags::RemoveDir) {
            Ok(()) => {}
            // Reading a folder while it shrinks may pass entries over: once more.
            Err(Errno::ENOTEMPTY) => waiting.push(name),
            Err(errno) => return Err(errno.into()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_left_is_removed_and_links_are_not_followed() {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("keep"), "kept").unwrap();
        let mut scratch = Scratch::new(&Scratch::place()).unwrap();
        let work = scratch.work(&Files::Fresh { readable: Vec::new() }, None, None).unwrap();
        let path = work.path().to_owned();
        std::os::unix::fs::symlink(outside.path(), path.join("link")).unwrap();
        fs::create_dir_all(path.join("a/b/c")).unwrap();
        fs::write(path.join("a/b/file"), "x").unwrap();
        fs::set_permissions(path.join("a/b"), Permissions::from_mode(0o000)).unwrap();
        fs::hard_link(outside.path().join("keep"), path.join("hard")).unwrap();
        nix::unistd::mkfifo(&path.join("fifo"), Mode::S_IRWXU).unwrap();
        scratch.clear(work).unwrap();
        assert!(!path.exists());
        // What it began with.
        assert_eq!(fs::read_dir(scratch.base.path()).unwrap().count(), 2);
        assert_eq!(fs::read_to_string(outside.path().join("keep")).unwrap(), "kept");
    }

    #[test]
    fn a_very_deep_tree_is_removed() {
        let mut scratch = Scratch::new(&Scratch::place()).unwrap();
        let work = scratch.work(&Files::Fresh { readable: Vec::new() }, None, None).unwrap();
        let mut here = File::open(work.path()).unwrap();
        for _ in 0..3000 {
            nix::sys::stat::mkdirat(&here, "d", Mode::S_IRWXU).unwrap();
            let next = nix::fcntl::openat(&here, "d", OFlag::O_DIRECTORY, Mode::empty()).unwrap();
            here = File::from(next);
        }
        let path = work.path().to_owned();
        scratch.clear(work).unwrap();
        assert!(!path.exists());
    }
}
