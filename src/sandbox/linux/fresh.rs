//! What is made fresh for each run behind walls: the box, the binds in it, and `/proc`. Runs in memory shared with the
//! zygote when the walls are strict: nothing here may allocate but what takes `&mut self`, or makes it.
#![expect(unsafe_code, reason = "raw mounts from a process that may not allocate")]

use std::ffi::{CString, OsStr};
use std::fs::File;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::ptr;
use std::sync::OnceLock;

use nix::sys::stat::fstat;

use super::mounts::{BOX, Late, PROC};
use super::step::Step;
use crate::sandbox::spec::MOST_FILES;

/// Everything prepared.
pub(crate) struct Fresh {
    place: CString,
    proc: CString,
    options: CString,
    folders: [(CString, libc::mode_t); 3],
    late: Vec<Prepared>,
    /// The box's folders, and when they last changed, if they can be trusted to tell.
    marks: Option<([OwnedFd; 4], Marks)>,
    /// Whether each run has a `/proc` of its own.
    pub(crate) has_proc: bool,
}

/// When the box and the folders in it changed, to the nanosecond.
type Marks = [(i64, i64); 4];

struct Prepared {
    source: CString,
    parents: Vec<CString>,
    target: CString,
    is_folder: bool,
}

fn text(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}

impl Fresh {
    pub(crate) fn new(late: &[Late], has_proc: bool) -> Self {
        let inside = |name: &str| text(&Path::new(BOX).join(name));
        let prepare = |late: &Late| Prepared {
            source: text(&late.source),
            parents: {
                let above = late.target.ancestors().skip(1).take_while(|path| path.starts_with(BOX));
                let mut parents: Vec<CString> = above.map(text).collect();
                parents.reverse();
                parents
            },
            target: text(&late.target),
            is_folder: late.is_folder,
        };
        Self {
            place: text(Path::new(BOX)),
            proc: text(Path::new(PROC)),
            options: CString::default(),
            folders: [(inside("here"), 0o777), (inside("tmp"), 0o1777), (inside("shm"), 0o1777)],
            late: late.iter().map(prepare).collect(),
            marks: None,
            has_proc,
        }
    }

    /// The box of the next run holds this much.
    pub(crate) fn of_size(&mut self, bytes: u64) {
        let text = format!("mode=0755,size={},nr_inodes={MOST_FILES}", bytes.max(1 << 20));
        let options = CString::new(text).unwrap_or_default();
        if options != self.options {
            self.options = options;
            self.marks = None;
        }
    }

    /// Makes box and `/proc`; gives the step that failed.
    ///
    /// # Safety
    /// The caller is alone in its mount space, or the only one there that mounts.
    pub(crate) unsafe fn make(&self) -> Result<(), (Step, libc::c_int)> {
        // SAFETY: every pointer is to a string that `self` owns.
        unsafe {
            // Without times of access, which would tell the next run that a folder was looked into.
            let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOATIME;
            let place = self.place.as_ptr();
            check(Step::Box, mount(c"box", place, c"tmpfs".as_ptr(), flags, self.options.as_ptr()))?;
            libc::umask(0);
            for (folder, mode) in &self.folders {
                check(Step::Box, libc::mkdir(folder.as_ptr(), *mode))?;
            }
            for late in &self.late {
                for parent in &late.parents {
                    libc::mkdir(parent.as_ptr(), 0o755);
                }
                if late.is_folder {
                    libc::mkdir(late.target.as_ptr(), 0o755);
                } else {
                    libc::close(libc::open(late.target.as_ptr(), libc::O_CREAT | libc::O_CLOEXEC, 0o644));
                }
                let flags = libc::MS_BIND | libc::MS_REC;
                check(
                    Step::Bind,
                    mount(&late.source, late.target.as_ptr(), ptr::null(), flags, ptr::null()),
                )?;
            }
            if self.has_proc {
                let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
                let options = c"hidepid=2".as_ptr();
                check(Step::Proc, mount(c"proc", self.proc.as_ptr(), c"proc".as_ptr(), flags, options))?;
            }
        }
        Ok(())
    }

    /// Makes a new box in a mount space that outlives runs, unless there is one that the last run left untouched.
    pub(crate) fn renew(&mut self) -> Result<(), (Step, libc::c_int)> {
        if self.marks.is_some() {
            return Ok(());
        }
        self.remove();
        // SAFETY: the zygote is the only one in its mount space that may mount.
        unsafe { self.make() }?;
        self.marks = self.open().and_then(|folders| look(&folders).map(|marks| (folders, marks)));
        Ok(())
    }

    /// Takes the box away if the run that has ended touched it: what lies in it is memory, and must not be held against the
    /// sandbox when the next run is measured.
    pub(crate) fn settle(&mut self) {
        if self.marks.as_ref().is_none_or(|(folders, marks)| look(folders) != Some(*marks)) {
            // An open folder would keep the old box.
            self.marks = None;
            self.remove();
        }
    }

    /// Opens the box's folders: to find them by name costs more than to look at them.
    fn open(&self) -> Option<[OwnedFd; 4]> {
        // What is bound into the box has folders around it that these do not tell of.
        if !self.late.is_empty() || !has_fine_times() {
            return None;
        }
        let open = |path: &CString| {
            let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_NOFOLLOW;
            let mut options = File::options();
            let opened = options.read(true).custom_flags(flags).open(OsStr::from_bytes(path.as_bytes()));
            opened.ok().map(OwnedFd::from)
        };
        let [work, tmp, shm] = &self.folders;
        Some([open(&self.place)?, open(&work.0)?, open(&tmp.0)?, open(&shm.0)?])
    }

    /// Takes the box of the run before away, in a mount space that outlives runs.
    pub(crate) fn remove(&self) {
        // SAFETY: a path that `self` owns.
        unsafe { libc::umount2(self.place.as_ptr(), libc::MNT_DETACH) };
    }
}

fn look(folders: &[OwnedFd; 4]) -> Option<Marks> {
    let changed = |folder: &OwnedFd| {
        let found = fstat(folder.as_fd()).ok()?;
        Some((found.st_ctime, found.st_ctime_nsec))
    };
    let [place, work, tmp, shm] = folders;
    Some([changed(place)?, changed(work)?, changed(tmp)?, changed(shm)?])
}

/// Whether a change always shows in a file's times once they were read, as since Linux 6.13; before, two changes within
/// milliseconds got the same time.
fn has_fine_times() -> bool {
    static FINE: OnceLock<bool> = OnceLock::new();
    *FINE.get_or_init(|| {
        let release =
            nix::sys::utsname::uname().ok().map(|name| name.release().to_string_lossy().into_owned());
        let release = release.unwrap_or_default();
        let mut numbers =
            release.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse::<u32>().unwrap_or(0));
        (numbers.next(), numbers.next()) >= (Some(6), Some(13))
    })
}

/// # Safety
/// Every pointer is null or to a string with its NUL.
unsafe fn mount(
    source: &std::ffi::CStr,
    target: *const libc::c_char,
    kind: *const libc::c_char,
    flags: libc::c_ulong,
    options: *const libc::c_char,
) -> libc::c_int {
    // SAFETY: the contract above.
    unsafe { libc::mount(source.as_ptr(), target, kind, flags, options.cast()) }
}

fn check(step: Step, result: libc::c_int) -> Result<(), (Step, libc::c_int)> {
    if result < 0 {
        // SAFETY: errno of this thread.
        return Err((step, unsafe { *libc::__errno_location() }));
    }
    Ok(())
}
