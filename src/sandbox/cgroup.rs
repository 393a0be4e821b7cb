//! Control groups: one group a worker, which its mother process joins once and everything below her inherits. The kernel
//! then counts the work of every process of a run, however it was started, and bounds their memory and number together.
//! Never moves a process between two runs: each such move costs milliseconds.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::SandboxError;
use super::config::Accounting;

/// Names of our groups begin so; the judge's process number and a count follow.
const PREFIX: &str = "touchstone-";

/// The groups of one worker; removed with it, after the mother is gone.
#[derive(Debug)]
pub(crate) struct Groups {
    version: Version,
    memory: PathBuf,
    cpu: PathBuf,
    processes: Option<PathBuf>,
    /// Open for the life of the group where the kernel lets a peak be reset by the one who reads it.
    peak: Option<fs::File>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// Readings before a run, which those after it are compared with.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Before {
    cpu_ns: u64,
    memory_bytes: u64,
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
        let (memory, cpu) = (make(&places.memory)?, make(&places.cpu)?);
        let processes = places.processes.as_ref().and_then(make);
        let mut groups = Self { version: places.version, memory, cpu, processes, peak: None };
        // Without this file nothing would be bounded: dropping the groups removes them.
        if !groups.memory.join(groups.limit_file()).exists() {
            return None;
        }
        match groups.version {
            Version::One => drop(fs::write(groups.memory.join("memory.swappiness"), "0")),
            Version::Two => {
                drop(fs::write(groups.memory.join("memory.swap.max"), "0"));
                groups.peak =
                    fs::File::options().read(true).write(true).open(groups.memory.join("memory.peak")).ok();
            }
        }
        Some(groups)
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
        for group in self.all() {
            fs::write(group.join("cgroup.procs"), pid.to_string())
                .map_err(SandboxError::system("join a control group"))?;
        }
        Ok(())
    }

    /// Each group once.
    fn all(&self) -> Vec<&PathBuf> {
        let mut all = vec![&self.memory];
        for group in [Some(&self.cpu), self.processes.as_ref()].into_iter().flatten() {
            if !all.contains(&group) {
                all.push(group);
            }
        }
        all
    }

    fn limit_file(&self) -> &'static str {
        match self.version {
            Version::One => "memory.limit_in_bytes",
            Version::Two => "memory.max",
        }
    }

    /// Sets the bounds of the next run and takes the readings that it begins with.
    pub(crate) fn begin(&self, memory_limit_bytes: u64, processes: u64) -> Result<Before, SandboxError> {
        // The sandbox's own processes live in the group as well.
        let memory_bytes = self.usage_bytes().saturating_sub(self.file_bytes());
        let limit = (memory_limit_bytes + memory_bytes).to_string();
        fs::write(self.memory.join(self.limit_file()), limit)
            .map_err(SandboxError::system("bound the memory of a control group"))?;
        if let Some(group) = &self.processes {
            let now = number(&group.join("pids.current"));
            fs::write(group.join("pids.max"), (now + processes).to_string())
                .map_err(SandboxError::system("bound the processes of a control group"))?;
        }
        match (self.version, &self.peak) {
            (Version::One, _) => drop(fs::write(self.memory.join("memory.max_usage_in_bytes"), "0")),
            (Version::Two, Some(peak)) => drop((&*peak).write_all(b"reset\n")),
            (Version::Two, None) => {}
        }
        Ok(Before { cpu_ns: self.total_cpu_ns(), memory_bytes, kills: self.kills() })
    }

    /// CPU time of all processes since then.
    pub(crate) fn cpu_ns(&self, before: &Before) -> u64 {
        self.total_cpu_ns().saturating_sub(before.cpu_ns)
    }

    /// Peak memory since then, without the pages of files that only happen to be in memory.
    pub(crate) fn memory_bytes(&self, before: &Before) -> u64 {
        let peak = match (self.version, &self.peak) {
            (Version::One, _) => number(&self.memory.join("memory.max_usage_in_bytes")),
            (Version::Two, Some(peak)) => number_again(peak).unwrap_or_else(|| self.usage_bytes()),
            (Version::Two, None) => self.usage_bytes(),
        };
        peak.saturating_sub(before.memory_bytes).saturating_sub(self.file_bytes())
    }

    /// Whether the kernel killed a process for want of memory since then.
    pub(crate) fn was_out_of_memory(&self, before: &Before) -> bool {
        self.kills() > before.kills
    }

    fn usage_bytes(&self) -> u64 {
        number(&self.memory.join(match self.version {
            Version::One => "memory.usage_in_bytes",
            Version::Two => "memory.current",
        }))
    }

    fn file_bytes(&self) -> u64 {
        let stat = fs::read_to_string(self.memory.join("memory.stat")).unwrap_or_default();
        keyed(&stat, "inactive_file") + keyed(&stat, "active_file")
    }

    fn kills(&self) -> u64 {
        let file = match self.version {
            Version::One => "memory.oom_control",
            Version::Two => "memory.events",
        };
        keyed(&fs::read_to_string(self.memory.join(file)).unwrap_or_default(), "oom_kill")
    }

    fn total_cpu_ns(&self) -> u64 {
        let whole = self.cpu.join("cpuacct.usage");
        match fs::read_to_string(whole) {
            Ok(text) => text.trim().parse().unwrap_or(0),
            Err(_) => {
                let stat = fs::read_to_string(self.cpu.join("cpu.stat")).unwrap_or_default();
                keyed(&stat, "usage_usec") * 1000
            }
        }
    }
}

impl Drop for Groups {
    fn drop(&mut self) {
        for group in self.all() {
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

fn number(path: &Path) -> u64 {
    fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
}

/// The number in a file that stays open.
fn number_again(mut file: &fs::File) -> Option<u64> {
    let mut text = String::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
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
