//! Control groups: one group a worker, which its mother process joins once and everything below her inherits. The kernel
//! then counts the work of every process of a run, however it was started, and bounds their memory and number together.
//! Never moves a process between two runs: each such move costs milliseconds.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nix::poll::PollFlags;
use nix::sys::eventfd::{EfdFlags, EventFd};

use super::config::Accounting;
use super::places::{PREFIX, Places, Version, one, remove_leftovers, two};
use super::{SandboxError, scope};

/// The groups of one worker; removed with it, after the mother is gone. Their files stay open: to find one by its name
/// costs more than to read it.
#[derive(Debug)]
pub(crate) struct Groups {
    version: Version,
    folders: Vec<Folder>,
    usage: File,
    /// Takes back what nobody uses any more; `None` before Linux 5.19, with version 2.
    reclaim: Option<File>,
    peak: Peak,
    stat: File,
    kills: File,
    /// Of version 1, which is asked for one; with version 2 `kills` itself says when it has changed.
    alarm: Option<EventFd>,
    limit: File,
    cpu: File,
    processes: Option<(File, File)>,
    /// What was found and set last, so that a run like the one before sets nothing.
    last: Cell<Last>,
}

/// A group, and the one that a process leaves it for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folder {
    pub(crate) group: PathBuf,
    pub(crate) home: PathBuf,
}

impl Folder {
    /// As they go to the mother.
    pub(crate) fn names(&self) -> (Vec<u8>, Vec<u8>) {
        let bytes = |path: &Path| path.as_os_str().as_bytes().to_vec();
        (bytes(&self.group), bytes(&self.home))
    }

    /// As they come from the judge.
    pub(crate) fn named((group, home): &(Vec<u8>, Vec<u8>)) -> Self {
        let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
        Self { group: path(group), home: path(home) }
    }
}

/// The most memory that was in use.
#[derive(Debug)]
enum Peak {
    /// Set back by writing to it before each run.
    Settable(File),
    /// Of the group's whole life: says what a run used if none before it used more.
    Lifelong(File),
    /// Not told.
    Unknown,
}

#[derive(Clone, Copy, Debug, Default)]
struct Last {
    usage_bytes: u64,
    own_bytes: u64,
    /// What could not be taken back when that was tried last.
    stuck_bytes: u64,
    limit_bytes: u64,
    processes: u64,
}

/// While the sandbox's own processes use about what they did, it is not looked at more closely.
const SAME_USAGE_BYTES: u64 = 256 << 10;
/// More than the sandbox's own processes ever use: beyond that it is what runs have left.
const MOST_OWN_BYTES: u64 = 16 << 20;
/// How often it is tried to take back what runs have left, since some of it the kernel lets go in its own time, and how
/// long is waited in between.
const RECLAIM_ROUNDS: u32 = 20;
const RECLAIM_PAUSE: Duration = Duration::from_millis(1);
/// A peak this far below the limit says that nothing was killed for want of the run's own memory.
const ROOM_BYTES: u64 = 2 << 20;
/// Files of few lines, of which the first matter.
const FEW_BYTES: usize = 1024;
/// Up to here a peak is reported as it is, whatever files are in it.
const SMALL_BYTES: u64 = 1 << 20;

/// Whose memory had run out when the kernel killed a process of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Want {
    /// Nobody's: none was killed.
    #[default]
    None,
    /// The run's own limit was reached.
    OfRun,
    /// It was not: the machine's, or that of a group around the judge's.
    OfMachine,
}

/// Readings before a run, which those after it are compared with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Before {
    cpu_ns: u64,
    /// What the sandbox's own processes use.
    own_bytes: u64,
    /// What all processes may use.
    limit_bytes: u64,
    /// The peak, where it cannot be set back.
    peak_bytes: u64,
    kills: u64,
}

impl Groups {
    /// Makes groups as asked for; `None` when resource limits are to do. `announce` is told before they are made.
    ///
    /// # Errors
    /// When a version was asked for that this machine does not give.
    pub(crate) fn make(
        accounting: Accounting,
        announce: &dyn Fn(&[Folder]) -> Result<(), SandboxError>,
    ) -> Result<Option<Self>, SandboxError> {
        let made_in = |places| Self::in_places(places, announce);
        let unavailable = |what, why: &str| SandboxError::Unavailable { what, why: why.to_owned() };
        match accounting {
            Accounting::Rlimit => Ok(None),
            Accounting::Auto => Ok(made_in(two()).or_else(|| made_in(one()))),
            Accounting::Cgroup2 => made_in(two()).map(Some).ok_or_else(|| {
                let asked = scope::said().map(|said| format!("; it was {said}")).unwrap_or_default();
                unavailable(
                    "accounting by control groups, version 2,",
                    &format!(
                        "no group with the memory controller is delegated to this process{asked}; `touchstone doctor` says \
                         how to get one"
                    ),
                )
            }),
            Accounting::Cgroup1 => made_in(one()).map(Some).ok_or_else(|| {
                unavailable(
                    "accounting by control groups, version 1,",
                    "there are none here in which this user may make groups",
                )
            }),
        }
    }

    fn in_places(
        places: Option<Places>,
        announce: &dyn Fn(&[Folder]) -> Result<(), SandboxError>,
    ) -> Option<Self> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        /// Judges in two spaces of processes may have the same number and the same place for groups.
        const TRIES: usize = 64;
        let places = places?;
        let mut parents = vec![&places.memory, &places.cpu];
        parents.extend(&places.processes);
        parents.sort();
        parents.dedup();
        parents.iter().for_each(|parent| remove_leftovers(parent));
        for _ in 0..TRIES {
            let name = format!("{PREFIX}{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
            let folder = |parent: &&PathBuf| Folder {
                group: parent.join(&name),
                home: places.home.as_ref().unwrap_or(parent).clone(),
            };
            announce(&parents.iter().map(folder).collect::<Vec<_>>()).ok()?;
            let made: Vec<_> =
                parents.iter().map(|parent| fs::create_dir(parent.join(&name)).map(|()| *parent)).collect();
            let is_taken = |made: &Result<_, std::io::Error>| {
                made.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::AlreadyExists)
            };
            let taken = made.iter().any(is_taken);
            let parents: Vec<&PathBuf> = made.into_iter().flatten().collect();
            let folders = parents.iter().map(folder).collect();
            let groups = if taken { None } else { Self::made(&places, &name, &parents, folders) };
            if groups.is_some() {
                return groups;
            }
            for parent in parents {
                let _ = fs::remove_dir(parent.join(&name));
            }
            if !taken {
                return None;
            }
        }
        None
    }

    /// The groups of this name in those of the places where they could be made. That of processes may be missing.
    fn made(places: &Places, name: &str, parents: &[&PathBuf], folders: Vec<Folder>) -> Option<Self> {
        let group = |parent: &PathBuf| parents.contains(&parent).then(|| parent.join(name));
        let (memory, cpu) = (group(&places.memory)?, group(&places.cpu)?);
        let processes = places.processes.as_ref().and_then(group);
        Self::open(places.version, &memory, &cpu, processes.as_deref(), folders)
    }

    fn open(
        version: Version,
        memory: &Path,
        cpu: &Path,
        processes: Option<&Path>,
        folders: Vec<Folder>,
    ) -> Option<Self> {
        let read = |path: PathBuf| File::open(path).ok();
        let read_and_write = |path: PathBuf| File::options().read(true).write(true).open(path).ok();
        // Nothing of a run may go to the disk instead.
        let (no_swap, value) = match version {
            Version::One => ("memory.swappiness", "0"),
            Version::Two => ("memory.swap.max", "0"),
        };
        let _ = fs::write(memory.join(no_swap), value);
        let [usage, peak, kills, limit] = match version {
            Version::One => [
                "memory.usage_in_bytes",
                "memory.max_usage_in_bytes",
                "memory.oom_control",
                "memory.limit_in_bytes",
            ],
            Version::Two => ["memory.current", "memory.peak", "memory.events", "memory.max"],
        };
        Some(Self {
            version,
            folders,
            usage: read(memory.join(usage))?,
            reclaim: {
                // Version 1 takes no number, and empties the group of all that can go.
                let name = if version == Version::One { "memory.force_empty" } else { "memory.reclaim" };
                File::options().write(true).open(memory.join(name)).ok()
            },
            peak: match (read_and_write(memory.join(peak)), read(memory.join(peak))) {
                (Some(peak), _) if write(&peak, 0).is_ok() => Peak::Settable(peak),
                (_, Some(peak)) => Peak::Lifelong(peak),
                (_, None) => Peak::Unknown,
            },
            stat: read(memory.join("memory.stat"))?,
            alarm: if version == Version::One { alarm(memory) } else { None },
            kills: read(memory.join(kills))?,
            limit: read_and_write(memory.join(limit))?,
            cpu: read(cpu.join("cpuacct.usage")).or_else(|| read(cpu.join("cpu.stat")))?,
            processes: processes.and_then(|group| {
                Some((read(group.join("pids.current"))?, read_and_write(group.join("pids.max"))?))
            }),
            last: Cell::default(),
        })
    }

    /// What reports call it.
    pub(crate) fn name(&self) -> &'static str {
        match self.version {
            Version::One => "cgroup-v1",
            Version::Two => "cgroup-v2",
        }
    }

    /// Puts a process into the groups, which its children inherit.
    pub(crate) fn join(&self, pid: i32) -> Result<(), SandboxError> {
        for Folder { group, .. } in &self.folders {
            fs::write(group.join("cgroup.procs"), pid.to_string())
                .map_err(SandboxError::system("join a control group"))?;
        }
        Ok(())
    }

    /// Sets the bounds of the next run and takes the readings that it begins with.
    pub(crate) fn begin(&self, memory_limit_bytes: u64, processes: u64) -> Result<Before, SandboxError> {
        let mut last = self.last.get();
        let usage_bytes = number(&self.usage);
        if usage_bytes.abs_diff(last.usage_bytes) > SAME_USAGE_BYTES || last.limit_bytes == 0 {
            last.own_bytes = usage_bytes.saturating_sub(self.file_bytes());
            if last.own_bytes > last.stuck_bytes + MOST_OWN_BYTES {
                last.own_bytes = self.take_back(last.stuck_bytes + MOST_OWN_BYTES);
                last.stuck_bytes = last.own_bytes.saturating_sub(MOST_OWN_BYTES);
            }
            last.usage_bytes = number(&self.usage);
        }
        // The sandbox's own processes live in the group as well.
        let limit_bytes = memory_limit_bytes + last.own_bytes;
        if limit_bytes != last.limit_bytes {
            write(&self.limit, limit_bytes)
                .map_err(SandboxError::system("bound the memory of a control group"))?;
            last.limit_bytes = limit_bytes;
        }
        if let Some((current, most)) = &self.processes {
            let wanted = number(current) + processes;
            if wanted != last.processes {
                write(most, wanted)
                    .map_err(SandboxError::system("bound the processes of a control group"))?;
                last.processes = wanted;
            }
        }
        let peak_bytes = match &self.peak {
            Peak::Settable(peak) => {
                let _ = write(peak, 0);
                0
            }
            Peak::Lifelong(peak) => number(peak),
            Peak::Unknown => 0,
        };
        self.last.set(last);
        self.hush();
        let (cpu_ns, kills) = (self.total_cpu_ns(), self.kills());
        Ok(Before { cpu_ns, own_bytes: last.own_bytes, limit_bytes, peak_bytes, kills })
    }

    /// Has the kernel let go of what runs have left: names that were looked up, say, which stay until there is need of
    /// memory. It would raise the bound of the next run, and be taken from what that used. Gives what is still there,
    /// once that is no more than `enough_bytes` or nothing helps.
    fn take_back(&self, enough_bytes: u64) -> u64 {
        let mut own_bytes = 0;
        for _ in 0..RECLAIM_ROUNDS {
            let usage_bytes = number(&self.usage);
            own_bytes = usage_bytes.saturating_sub(self.file_bytes());
            if own_bytes <= enough_bytes {
                break;
            }
            if let Some(reclaim) = &self.reclaim {
                // Fails when it got less than was asked for.
                let _ = write(reclaim, own_bytes - enough_bytes / 2);
            }
            std::thread::sleep(RECLAIM_PAUSE);
        }
        own_bytes
    }

    /// What becomes ready when memory has run out, here or around, and by which event: perhaps a moment before the kernel
    /// kills somebody for it. `None` where it is not told.
    pub(crate) fn alarm(&self) -> Option<(BorrowedFd<'_>, PollFlags)> {
        match self.version {
            Version::One => self.alarm.as_ref().map(|alarm| (alarm.as_fd(), PollFlags::POLLIN)),
            Version::Two => Some((self.kills.as_fd(), PollFlags::POLLPRI)),
        }
    }

    /// Makes ready for the next alarm; reading the number of kills does it with version 2.
    pub(crate) fn hush(&self) {
        if let Some(alarm) = &self.alarm {
            let _ = alarm.read();
        }
    }

    /// CPU time of all processes since then.
    pub(crate) fn cpu_ns(&self, before: &Before) -> u64 {
        self.total_cpu_ns().saturating_sub(before.cpu_ns)
    }

    /// Peak memory since then, without the pages of files that only happen to be in memory; and for want of whose memory
    /// the kernel killed a process.
    pub(crate) fn memory(&self, before: &Before) -> (u64, Want) {
        let (peak, is_of_this_run) = match &self.peak {
            Peak::Settable(peak) => (number(peak), true),
            Peak::Lifelong(peak) => match number(peak) {
                peak if peak > before.peak_bytes => (peak, true),
                _ => (number(&self.usage), false),
            },
            Peak::Unknown => (number(&self.usage), false),
        };
        let want = match self.kills() > before.kills {
            false => Want::None,
            true if !is_of_this_run || peak + ROOM_BYTES > before.limit_bytes => Want::OfRun,
            true => Want::OfMachine,
        };
        let counted = peak.saturating_sub(before.own_bytes);
        // Small programs are the many, and to tell files apart is what costs most.
        let bytes = if counted > SMALL_BYTES { counted.saturating_sub(self.file_bytes()) } else { counted };
        (bytes, want)
    }

    fn file_bytes(&self) -> u64 {
        /// Some sixty lines.
        const STAT_BYTES: usize = 8192;
        with_text::<STAT_BYTES, _>(&self.stat, |stat| {
            keyed(stat, "inactive_file") + keyed(stat, "active_file")
        })
    }

    fn kills(&self) -> u64 {
        with_text::<FEW_BYTES, _>(&self.kills, |text| keyed(text, "oom_kill"))
    }

    fn total_cpu_ns(&self) -> u64 {
        with_text::<FEW_BYTES, _>(&self.cpu, |text| {
            text.trim().parse().unwrap_or_else(|_| keyed(text, "usage_usec") * 1000)
        })
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        self.folders.iter().for_each(|folder| remove(&folder.group));
    }
}

/// Has a group of version 1 tell when its memory runs out.
fn alarm(memory: &Path) -> Option<EventFd> {
    let alarm = EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK).ok()?;
    let control = File::open(memory.join("memory.oom_control")).ok()?;
    let asked = format!("{} {}", alarm.as_fd().as_raw_fd(), control.as_raw_fd());
    fs::write(memory.join("cgroup.event_control"), asked).ok()?;
    Some(alarm)
}

/// Removes a group, which is busy for a moment after its last process is gone.
fn remove(group: &Path) {
    for _ in 0..100 {
        match fs::remove_dir(group) {
            Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {
                std::thread::sleep(Duration::from_millis(2));
            }
            _ => break,
        }
    }
}

/// Takes this process out of its groups and removes them, in place of a judge that was killed.
pub(crate) fn leave(folders: &[Folder]) {
    for Folder { group, home } in folders {
        let _ = fs::write(home.join("cgroup.procs"), "0");
        remove(group);
    }
}

fn number(file: &File) -> u64 {
    let mut bytes = [0; 32];
    let len = file.read_at(&mut bytes, 0).unwrap_or(0);
    str::from_utf8(&bytes[..len]).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// Hands over the first `BYTES` of a file. Several are read for each run, so nothing is allocated for them.
fn with_text<const BYTES: usize, T>(file: &File, read: impl FnOnce(&str) -> T) -> T {
    let mut bytes = [0; BYTES];
    let len = file.read_at(&mut bytes, 0).unwrap_or(0);
    // Cut within the last line at worst: these files hold letters and digits.
    read(str::from_utf8(&bytes[..len]).unwrap_or_default())
}

fn write(file: &File, number: u64) -> std::io::Result<()> {
    file.write_at(number.to_string().as_bytes(), 0).map(drop)
}

/// The number after `key` in lines of a key and a number.
fn keyed(text: &str, key: &str) -> u64 {
    let line = |line: &str| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse().ok();
    text.lines().find_map(line).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_key_and_a_number_are_read() {
        let text = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n";
        assert_eq!((keyed(text, "oom_kill"), keyed(text, "oom")), (3, 0));
    }
}
