//! Control groups: one group a worker, which its mother process joins once and everything below her inherits. The kernel
//! then counts the work of every process of a run, however it was started, and bounds their memory and number together.
//! Never moves a process between two runs: each such move costs milliseconds.

use std::cell::Cell;
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::SandboxError;
use super::config::Accounting;

/// Names of our groups begin so; the judge's process number and a count follow.
const PREFIX: &str = "touchstone-";

/// The groups of one worker; removed with it, after the mother is gone. Their files stay open: to find one by its name
/// costs more than to read it.
#[derive(Debug)]
pub(crate) struct Groups {
    version: Version,
    folders: Vec<PathBuf>,
    usage: File,
    /// Set back by writing to it, which of version 2 only newer kernels can.
    peak: Option<File>,
    stat: File,
    kills: File,
    limit: File,
    cpu: File,
    processes: Option<(File, File)>,
    /// What was found and set last, so that a run like the one before sets nothing.
    last: Cell<Last>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Last {
    usage_bytes: u64,
    own_bytes: u64,
    limit_bytes: u64,
    processes: u64,
}

/// While the sandbox's own processes use about what they did, it is not looked at more closely.
const SAME_USAGE_BYTES: u64 = 256 << 10;
/// A peak this far below the limit says that nothing was killed for want of memory.
const ROOM_BYTES: u64 = 2 << 20;
/// Up to here a peak is reported as it is, whatever files are in it.
const SMALL_BYTES: u64 = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// Readings before a run, which those after it are compared with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Before {
    cpu_ns: u64,
    /// What the sandbox's own processes use.
    own_bytes: u64,
    /// What all processes may use.
    limit_bytes: u64,
    kills: u64,
}

/// Where a new group can be made, if anywhere.
#[derive(Clone, Debug)]
struct Places {
    version: Version,
    memory: PathBuf,
    cpu: PathBuf,
    processes: Option<PathBuf>,
}

impl Groups {
    /// Makes groups as asked for; `None` when resource limits are to do.
    ///
    /// # Errors
    /// When a version was asked for that this machine does not give.
    pub(crate) fn make(accounting: Accounting) -> Result<Option<Self>, SandboxError> {
        let unavailable = |what, why: &str| SandboxError::Unavailable { what, why: why.to_owned() };
        match accounting {
            Accounting::Rlimit => Ok(None),
            Accounting::Auto => Ok(Self::in_places(two()).or_else(|| Self::in_places(one()))),
            Accounting::Cgroup2 => Self::in_places(two()).map(Some).ok_or_else(|| {
                unavailable(
                    "accounting by control groups, version 2,",
                    "no group with the memory controller is delegated to this process; where systemd is, try \
                     `systemd-run --user --scope -p Delegate=yes touchstone …`",
                )
            }),
            Accounting::Cgroup1 => Self::in_places(one()).map(Some).ok_or_else(|| {
                unavailable(
                    "accounting by control groups, version 1,",
                    "there are none here in which this user may make groups",
                )
            }),
        }
    }

    fn in_places(places: Option<Places>) -> Option<Self> {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let places = places?;
        let name = format!("{PREFIX}{}-{}", std::process::id(), MADE.fetch_add(1, Ordering::Relaxed));
        let make = |parent: &PathBuf| {
            remove_leftovers(parent);
            let group = parent.join(&name);
            match fs::create_dir(&group) {
                Ok(()) => Some(group),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Some(group),
                Err(_) => None,
            }
        };
        let groups = (|| {
            let (memory, cpu) = (make(&places.memory)?, make(&places.cpu)?);
            let processes = places.processes.as_ref().and_then(make);
            let mut folders = vec![memory.clone()];
            folders.extend([Some(cpu.clone()), processes.clone()].into_iter().flatten());
            folders.dedup();
            Self::open(places.version, &memory, &cpu, processes.as_deref(), folders)
        })();
        if groups.is_none() {
            for parent in
                [Some(&places.memory), Some(&places.cpu), places.processes.as_ref()].into_iter().flatten()
            {
                let _ = fs::remove_dir(parent.join(&name));
            }
        }
        groups
    }

    fn open(
        version: Version,
        memory: &Path,
        cpu: &Path,
        processes: Option<&Path>,
        folders: Vec<PathBuf>,
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
            peak: read_and_write(memory.join(peak)).filter(|peak| write(peak, 0).is_ok()),
            stat: read(memory.join("memory.stat"))?,
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
        for group in &self.folders {
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
            last.usage_bytes = usage_bytes;
            last.own_bytes = usage_bytes.saturating_sub(self.file_bytes());
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
        if let Some(peak) = &self.peak {
            let _ = write(peak, 0);
        }
        self.last.set(last);
        let (cpu_ns, kills) = (self.total_cpu_ns(), self.kills());
        Ok(Before { cpu_ns, own_bytes: last.own_bytes, limit_bytes, kills })
    }

    /// CPU time of all processes since then.
    pub(crate) fn cpu_ns(&self, before: &Before) -> u64 {
        self.total_cpu_ns().saturating_sub(before.cpu_ns)
    }

    /// Peak memory since then, without the pages of files that only happen to be in memory; and whether the kernel
    /// killed a process for want of memory.
    pub(crate) fn memory(&self, before: &Before) -> (u64, bool) {
        // A kernel that cannot set its peak back is asked for what is in use now.
        let peak = number(self.peak.as_ref().unwrap_or(&self.usage));
        let may_be_out = self.peak.is_none() || peak + ROOM_BYTES > before.limit_bytes;
        let was_out = may_be_out && self.kills() > before.kills;
        let counted = peak.saturating_sub(before.own_bytes);
        // Small programs are the many, and to tell files apart is what costs most.
        let bytes = if counted > SMALL_BYTES { counted.saturating_sub(self.file_bytes()) } else { counted };
        (bytes, was_out)
    }

    fn file_bytes(&self) -> u64 {
        let stat = text(&self.stat);
        keyed(&stat, "inactive_file") + keyed(&stat, "active_file")
    }

    fn kills(&self) -> u64 {
        keyed(&text(&self.kills), "oom_kill")
    }

    fn total_cpu_ns(&self) -> u64 {
        let text = text(&self.cpu);
        text.trim().parse().unwrap_or_else(|_| keyed(&text, "usage_usec") * 1000)
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        for group in &self.folders {
            // A group is busy for a moment after its last process is gone.
            for _ in 0..100 {
                match fs::remove_dir(group) {
                    Err(error) if error.raw_os_error() == Some(libc::EBUSY) => {
                        std::thread::sleep(std::time::Duration::from_millis(2));
                    }
                    _ => break,
                }
            }
        }
    }
}

/// Removes the groups of judges that were killed before they could. Those in use refuse.
fn remove_leftovers(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        if owner.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Where this process's own groups of version 1 are.
fn one() -> Option<Places> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let memory = place(&own, &mounts, "memory")?;
    // The second version counts time even where it has no controllers.
    let cpu = place(&own, &mounts, "cpuacct").or_else(|| place(&own, &mounts, ""))?;
    let processes = place(&own, &mounts, "pids");
    Some(Places { version: Version::One, memory, cpu, processes })
}

/// Where groups of version 2 with a memory controller can be made. They cannot be made beside processes, so the judge,
/// if it is alone in its group, first moves one down.
fn two() -> Option<Places> {
    static PLACE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let parent = PLACE.get_or_init(|| {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let place = place(&own, &mounts, "")?;
        let controllers = fs::read_to_string(place.join("cgroup.controllers")).ok()?;
        if !controllers.split_ascii_whitespace().any(|controller| controller == "memory") {
            return None;
        }
        let enable = || {
            // The number of processes is worth having, but not at the price of the memory bound.
            let both = fs::write(place.join("cgroup.subtree_control"), "+memory +pids");
            both.or_else(|_| fs::write(place.join("cgroup.subtree_control"), "+memory")).is_ok()
        };
        if !enable() {
            let processes = fs::read_to_string(place.join("cgroup.procs")).ok()?;
            if processes.trim() != std::process::id().to_string() {
                return None;
            }
            let judge = place.join(format!("{PREFIX}{}-judge", std::process::id()));
            fs::create_dir(&judge).ok()?;
            fs::write(judge.join("cgroup.procs"), "0").ok()?;
            enable().then_some(())?;
        }
        Some(place)
    });
    let place = parent.clone()?;
    let has_pids =
        fs::read_to_string(place.join("cgroup.subtree_control")).is_ok_and(|on| on.contains("pids"));
    Some(Places {
        version: Version::Two,
        memory: place.clone(),
        cpu: place.clone(),
        processes: has_pids.then_some(place),
    })
}

/// The folder of the own group of a controller: by what `/proc/self/cgroup` and `/proc/self/mountinfo` say. The second
/// version's has the empty name.
fn place(own: &str, mounts: &str, controller: &str) -> Option<PathBuf> {
    let path = own.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        controllers.split(',').any(|name| name == controller).then_some(path)
    })?;
    mounts.lines().find_map(|line| {
        let (mount, file_system) = line.split_once(" - ")?;
        let mut fields = mount.split(' ').skip(3);
        let (root, point) = (fields.next()?, fields.next()?);
        let mut described = file_system.split(' ');
        let kind = described.next()?;
        let options = described.nth(1)?;
        let fits = match controller {
            "" => kind == "cgroup2",
            _ => kind == "cgroup" && options.split(',').any(|option| option == controller),
        };
        if !fits {
            return None;
        }
        let below = Path::new(path).strip_prefix(root).unwrap_or(Path::new(""));
        Some(Path::new(point).join(below))
    })
}

fn number(file: &File) -> u64 {
    let mut bytes = [0; 32];
    let len = file.read_at(&mut bytes, 0).unwrap_or(0);
    str::from_utf8(&bytes[..len]).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

fn text(file: &File) -> String {
    let mut bytes = vec![0; 8192];
    let len = file.read_at(&mut bytes, 0).unwrap_or(0);
    bytes.truncate(len);
    String::from_utf8_lossy(&bytes).into_owned()
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
    fn places_are_found_below_what_is_mounted() {
        let own = "4:memory:/a/b\n2:cpuacct,cpu:/\n0::/user.slice/x.scope\n";
        let mounts = "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                      31 25 0:27 / /sys/fs/cgroup/cpu rw,nosuid - cgroup cgroup rw,cpu,cpuacct\n\
                      32 25 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let at = |controller| place(own, mounts, controller);
        assert_eq!(at("memory"), Some("/sys/fs/cgroup/memory/a/b".into()));
        assert_eq!(at("cpuacct"), Some("/sys/fs/cgroup/cpu".into()));
        assert_eq!(at(""), Some("/sys/fs/cgroup/unified/user.slice/x.scope".into()));
        assert_eq!(at("pids"), None);
        // In a container the group itself may be what is mounted.
        let mounts = "30 25 0:26 /a/b /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        assert_eq!(place(own, mounts, "memory"), Some("/sys/fs/cgroup/memory/".into()));
    }

    #[test]
    fn lines_of_a_key_and_a_number_are_read() {
        let text = "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n";
        assert_eq!((keyed(text, "oom_kill"), keyed(text, "oom")), (3, 0));
    }
}
