//! Landlock rulesets: which parts of the file system a program may touch, whatever the mounts say. A second wall behind
//! the namespaces, the main one where there are none. Never applied to the judge.
#![expect(unsafe_code, reason = "the three Landlock calls have no wrapper")]

use std::fs::{File, OpenOptions};
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use nix::errno::Errno;

/// What Landlock of this kernel can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(u32);

/// The kernel's `struct landlock_ruleset_attr`, as of version 6.
#[repr(C)]
#[derive(Default)]
struct RulesetAttributes {
    file_access: u64,
    network_access: u64,
    scopes: u64,
}

/// The kernel's `struct landlock_path_beneath_attr`.
#[repr(C, packed)]
struct PathAttributes {
    allowed: u64,
    parent: RawFd,
}

mod access {
    pub(super) const EXECUTE: u64 = 1 << 0;
    pub(super) const WRITE_FILE: u64 = 1 << 1;
    pub(super) const READ_FILE: u64 = 1 << 2;
    pub(super) const READ_FOLDER: u64 = 1 << 3;
    pub(super) const REFER: u64 = 1 << 13;
    pub(super) const TRUNCATE: u64 = 1 << 14;
    pub(super) const IOCTL_DEVICE: u64 = 1 << 15;
    /// Reading, and executing what was read.
    pub(super) const READ: u64 = EXECUTE | READ_FILE | READ_FOLDER;
    /// Of those, what makes sense for a file that is no folder.
    pub(super) const OF_FILES: u64 = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEVICE;
    /// Making devices of either kind is never allowed.
    const MAKE_CHARACTER_DEVICE: u64 = 1 << 6;
    const MAKE_BLOCK_DEVICE: u64 = 1 << 11;
    /// Everything up to the version that knows `REFER`.
    const FIRST_ALL: u64 = (1 << 13) - 1;

    pub(super) fn all(version: u32) -> u64 {
        FIRST_ALL
            | if version >= 2 { REFER } else { 0 }
            | if version >= 3 { TRUNCATE } else { 0 }
            | if version >= 5 { IOCTL_DEVICE } else { 0 }
    }

    pub(super) fn write(version: u32) -> u64 {
        all(version) & !(MAKE_CHARACTER_DEVICE | MAKE_BLOCK_DEVICE | IOCTL_DEVICE)
    }
}

/// No binding and no connecting by TCP.
const TCP: u64 = 0b11;
/// No abstract sockets and no signals to anything outside.
const SCOPES: u64 = 0b11;

/// What may be done below a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beneath {
    Read,
    Write,
}

impl Version {
    /// What this kernel has, if anything.
    pub(crate) fn of_kernel() -> Option<Self> {
        /// Asks for the version and makes nothing.
        const VERSION: libc::c_uint = 1;
        // SAFETY: with this flag the kernel reads no memory.
        let version = unsafe {
            libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0, VERSION)
        };
        u32::try_from(version).ok().filter(|version| *version > 0).map(Self)
    }

    /// Whether signals stay among the programs of one run.
    pub(crate) fn scopes_signals(self) -> bool {
        self.0 >= 6
    }
}

/// A ruleset that allows only what `rules` name. Paths that do not exist allow nothing, which is right.
pub(crate) fn ruleset<'a>(
    version: Version,
    rules: impl IntoIterator<Item = (&'a Path, Beneath)>,
) -> nix::Result<OwnedFd> {
    let attributes = RulesetAttributes {
        file_access: access::all(version.0),
        network_access: if version.0 >= 4 { TCP } else { 0 },
        scopes: if version.scopes_signals() { SCOPES } else { 0 },
    };
    // Older kernels know a shorter structure, and refuse a longer one unless the rest is zero.
    // SAFETY: the structure lives across the call; the kernel makes a descriptor that nobody else knows.
    let ruleset = unsafe {
        let size = size_of::<RulesetAttributes>();
        let made =
            libc::syscall(libc::SYS_landlock_create_ruleset, &raw const attributes, size, 0 as libc::c_uint);
        OwnedFd::from_raw_fd(Errno::result(made)? as RawFd)
    };
    for (path, beneath) in rules {
        let Ok(opened) = OpenOptions::new().read(true).custom_flags(libc::O_PATH).open(path) else {
            continue;
        };
        add(&ruleset, &opened, version, beneath)?;
    }
    Ok(ruleset)
}

fn add(ruleset: &OwnedFd, opened: &File, version: Version, beneath: Beneath) -> nix::Result<()> {
    /// `LANDLOCK_RULE_PATH_BENEATH`.
    const PATH_BENEATH: libc::c_uint = 1;
    let wanted = match beneath {
        Beneath::Read => access::READ,
        Beneath::Write => access::write(version.0),
    };
    let is_folder = opened.metadata().is_ok_and(|found| found.is_dir());
    let allowed = if is_folder { wanted } else { wanted & access::OF_FILES };
    let attributes = PathAttributes { allowed, parent: opened.as_raw_fd() };
    // SAFETY: the structure lives across the call.
    let added = unsafe {
        libc::syscall(
            libc::SYS_landlock_add_rule,
            ruleset.as_raw_fd(),
            PATH_BENEATH,
            &raw const attributes,
            0 as libc::c_uint,
        )
    };
    Errno::result(added).map(drop)
}

/// Applies a ruleset to the calling thread for good. Made for the child: neither allocates nor returns errors other
/// than by `errno`.
///
/// # Safety
/// The calling thread must be one that may be bounded: not the judge's.
pub(crate) unsafe fn restrict_self(ruleset: RawFd) -> libc::c_long {
    // SAFETY: numbers only.
    unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset, 0 as libc::c_uint) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ruleset_can_be_made_where_the_kernel_has_landlock() {
        let Some(version) = Version::of_kernel() else { return };
        let rules = [
            (Path::new("/usr"), Beneath::Read),
            (Path::new("/dev/null"), Beneath::Write),
            (Path::new("/nonexistent"), Beneath::Read),
        ];
        assert!(ruleset(version, rules).is_ok());
    }
}
