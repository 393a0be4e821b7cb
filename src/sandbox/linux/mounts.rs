//! Builds the root that programs see: a small read-only tree of binds and links, entered by `pivot_root`, with the
//! machine's own root gone from it. Runs once in the life of a zygote, in its own mount space.
#![expect(unsafe_code, reason = "mount_setattr has no wrapper")]

use std::ffi::OsStr;
use std::fs;
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use nix::errno::Errno;
use nix::mount::{MntFlags, MsFlags, mount, umount2};

use super::step::Step;
use crate::sandbox::wire::{Access, Entry, Setup};

/// The file system that a run may write to, made fresh for it; work folder, `/tmp` and `/dev/shm` are folders in it.
pub(crate) const BOX: &str = "/box/run";
/// Where the process file system is mounted, and a folder around it that a Landlock rule can name: what is mounted anew
/// for each run has no rule of its own. `/proc` is a link to it.
pub(crate) const PROC: &str = "/own/proc";
/// Links to folders of the box, and where those links lie. What is to be bound below one of them is bound anew for
/// each run, since the box is.
pub(crate) const SCRATCH: [(&str, &str); 3] =
    [("/tmp", "/box/run/tmp"), ("/var/tmp", "/box/run/tmp"), ("/dev/shm", "/box/run/shm")];
/// Where such binds wait.
pub(crate) const WAITING: &str = "/waiting";
/// The root holds folders and links and few small files.
const ROOT_OPTIONS: &str = "mode=0755,size=4m,nr_inodes=8k";

/// A bind that each run makes anew in its box.
pub(crate) struct Late {
    pub(crate) source: PathBuf,
    pub(crate) target: PathBuf,
    pub(crate) is_folder: bool,
}

type Failure = (Step, Errno);

/// Builds the root and enters it.
pub(crate) fn enter(setup: &Setup) -> Result<Vec<Late>, Failure> {
    let base = Path::new(OsStr::from_bytes(&setup.base));
    let at = |step| move |errno| (step, errno);
    let none: Option<&str> = None;
    // Nothing that is mounted here may show outside.
    mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none).map_err(at(Step::Root))?;
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some("root"), base, Some("tmpfs"), flags, Some(ROOT_OPTIONS)).map_err(at(Step::Root))?;
    for folder in [BOX, WAITING, PROC, "/dev", "/etc", "/var"] {
        fs::create_dir_all(below(base, folder)).map_err(|error| (Step::Root, errno(&error)))?;
    }
    for (link, target) in SCRATCH.into_iter().chain([("/proc", PROC)]) {
        symlink(target, below(base, link)).map_err(|error| (Step::Root, errno(&error)))?;
    }
    let mut late = Vec::new();
    for entry in &setup.tree {
        place(base, entry, &mut late).map_err(at(Step::Bind))?;
    }
    // Only now, for what a run needs of a covered folder lies in the cover.
    for entry in &setup.tree {
        if let Entry::Cover { path } = entry {
            let cover = below(base, OsStr::from_bytes(path));
            set_attributes(&cover, RDONLY | NOSUID | NODEV, false).map_err(at(Step::Bind))?;
        }
    }
    // A new one may only be mounted where another is seen already: that one is mounted over.
    bind(Path::new("/proc"), &below(base, PROC), Access::Read).map_err(at(Step::Proc))?;
    nix::unistd::chdir(base).map_err(at(Step::Pivot))?;
    nix::unistd::pivot_root(".", ".").map_err(at(Step::Pivot))?;
    umount2(".", MntFlags::MNT_DETACH).map_err(at(Step::Pivot))?;
    nix::unistd::chdir("/").map_err(at(Step::Pivot))?;
    set_attributes(Path::new("/"), RDONLY | NOSUID | NODEV, false).map_err(at(Step::Root))?;
    Ok(late)
}

/// Where in the box a path below one of the links leads.
pub(crate) fn resolved(path: &Path) -> Option<PathBuf> {
    SCRATCH.iter().find_map(|(link, target)| Some(Path::new(target).join(path.strip_prefix(link).ok()?)))
}

fn place(base: &Path, entry: &Entry, late: &mut Vec<Late>) -> nix::Result<()> {
    let io = |error: std::io::Error| errno(&error);
    let path_of = |bytes: &Vec<u8>| PathBuf::from(OsStr::from_bytes(bytes));
    match entry {
        Entry::Bind { path, access } => {
            let path = path_of(path);
            let is_folder = fs::metadata(&path).map_err(io)?.is_dir();
            let target = match resolved(&path) {
                Some(target) => {
                    let source = Path::new(WAITING).join(late.len().to_string());
                    late.push(Late { source: source.clone(), target, is_folder });
                    below(base, source)
                }
                None => below(base, &path),
            };
            make_target(&target, is_folder).map_err(io)?;
            bind(&path, &target, *access)
        }
        Entry::Link { path, target } => {
            let path = below(base, path_of(path));
            make_parent(&path).and_then(|()| symlink(path_of(target), path)).map_err(io)
        }
        Entry::File { path, bytes } => {
            let path = below(base, path_of(path));
            make_parent(&path).and_then(|()| fs::write(path, bytes)).map_err(io)
        }
        Entry::Copy { path } => {
            let path = path_of(path);
            let target = below(base, &path);
            make_parent(&target).and_then(|()| fs::copy(path, target)).map(drop).map_err(io)
        }
        Entry::Cover { path } => {
            let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
            mount(Some("cover"), &below(base, path_of(path)), Some("tmpfs"), flags, Some(ROOT_OPTIONS))
        }
    }
}

/// `path` as it lies in the new root.
fn below(base: &Path, path: impl AsRef<Path>) -> PathBuf {
    let inside = path.as_ref().components().filter(|part| matches!(part, Component::Normal(_)));
    base.join(inside.collect::<PathBuf>())
}

fn make_parent(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

fn make_target(target: &Path, is_folder: bool) -> std::io::Result<()> {
    if is_folder {
        fs::create_dir_all(target)
    } else {
        make_parent(target)?;
        fs::File::create(target).map(drop)
    }
}

fn bind(source: &Path, target: &Path, access: Access) -> nix::Result<()> {
    let none: Option<&str> = None;
    mount(Some(source), target, none, MsFlags::MS_BIND | MsFlags::MS_REC, none)?;
    let attributes = match access {
        Access::Read => RDONLY | NOSUID | NODEV,
        Access::Write => NOSUID | NODEV,
        // A device can be written to though its node cannot be changed.
        Access::Device => RDONLY | NOSUID | NOEXEC,
    };
    set_attributes(target, attributes, true)
}

const RDONLY: u64 = 1;
const NOSUID: u64 = 2;
const NODEV: u64 = 4;
const NOEXEC: u64 = 8;

/// The kernel's `struct mount_attr`.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_space: u64,
}

/// Adds attributes to a mount, and to those below it.
fn set_attributes(target: &Path, set: u64, recursive: bool) -> nix::Result<()> {
    let opened = fs::File::open(target).map_err(|error| errno(&error))?;
    let attributes = Attributes { set, ..Attributes::default() };
    let flags = libc::AT_EMPTY_PATH | if recursive { libc::AT_RECURSIVE } else { 0 };
    // SAFETY: path and structure live across the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            opened.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const attributes,
            size_of::<Attributes>(),
        )
    };
    Errno::result(result).map(drop)
}

fn errno(error: &std::io::Error) -> Errno {
    error.raw_os_error().map_or(Errno::EINVAL, Errno::from_raw)
}
