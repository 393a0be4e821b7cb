//! Finds, measures and kills the processes below one process, by `/proc`. Never waits for them.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use nix::sys::signal::{Signal, kill, killpg};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::{Pid, getpgid};

/// Most processes that one walk looks at; more than any limit lets live.
const WALK_PROCESSES: usize = 20_000;
/// Parts of a second in the times of `/proc/<pid>/stat`: fixed by the kernel's interface.
const TICK_NS: u64 = 10_000_000;
/// Size of a page, in which `/proc` counts memory.
const PAGE_BYTES: u64 = 4096;

/// What one process has used so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// CPU time of its own threads.
    pub(crate) cpu_ns: u64,
    /// CPU time of its children that it has waited for.
    pub(crate) children_cpu_ns: u64,
    /// Resident size.
    pub(crate) resident_bytes: u64,
}

/// Memory that the kernel takes for the tables of a process's pages, which no resident size shows.
pub(crate) fn table_bytes(pid: i32) -> u64 {
    let status = read(Path::new(&format!("/proc/{pid}/status"))).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmPTE:"));
    let kib = line.and_then(|line| line.split_ascii_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}

/// Every live process below `root`, parents before children; `root` is not among them.
pub(crate) fn descendants(root: i32) -> Vec<i32> {
    let mut found = Vec::new();
    push_children(root, &mut found);
    let mut next = 0;
    while next < found.len() && found.len() < WALK_PROCESSES {
        push_children(found[next], &mut found);
        next += 1;
    }
    found
}

/// The children of `root`.
pub(crate) fn children(root: i32) -> Vec<i32> {
    let mut found = Vec::new();
    push_children(root, &mut found);
    found
}

/// Like [`descendants`], without the first `skipped` generations.
pub(crate) fn below(root: i32, skipped: usize) -> Vec<i32> {
    let mut above = vec![root];
    for _ in 0..skipped {
        above = above.into_iter().flat_map(children).collect();
    }
    above.into_iter().flat_map(descendants).collect()
}

/// A child is listed under the thread that made it.
fn push_children(pid: i32, found: &mut Vec<i32>) {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return };
    for thread in threads.flatten() {
        if let Some(list) = read(&thread.path().join("children")) {
            found.extend(list.split_ascii_whitespace().filter_map(|child| child.parse::<i32>().ok()));
        }
    }
}

/// Sends SIGKILL to every process below `root`. New ones may appear meanwhile: the caller repeats.
///
/// The first generation goes first, since whoever dies with it need not be found. Then whole groups: the kernel does
/// that in one piece, so that no process of a group can be born past it, as they can while a list is gone through.
pub(crate) fn kill_descendants(root: i32) {
    let end = |pid: i32| {
        let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
    };
    children(root).into_iter().for_each(end);
    let group_of = |pid: i32| getpgid(Some(Pid::from_raw(pid))).ok();
    let own = group_of(root);
    let pids = descendants(root);
    // Every program opens a session or, in a space of processes, a group of its own, and none can join the group of the
    // sandbox: it is of another session, or has no number in that space. Only what has not come so far is still in it.
    let mut groups: Vec<Pid> = pids.iter().filter_map(|pid| group_of(*pid)).collect();
    groups.sort_unstable_by_key(|group| group.as_raw());
    groups.dedup();
    for group in groups.into_iter().filter(|group| Some(*group) != own && group.as_raw() > 1) {
        let _ = killpg(group, Signal::SIGKILL);
    }
    pids.into_iter().for_each(end);
}

/// A file of `/proc`, which has no size to be known before, in as few calls as can be.
fn read(path: &Path) -> Option<String> {
    const CHUNK_BYTES: usize = 4096;
    let mut file = fs::File::open(path).ok()?;
    let (mut bytes, mut len) = (vec![0; CHUNK_BYTES], 0);
    loop {
        match file.read(&mut bytes[len..]).ok()? {
            0 => break,
            got => len += got,
        }
        if len == bytes.len() {
            bytes.resize(2 * len, 0);
        } else if bytes[len - 1] == b'\n' {
            break;
        }
    }
    bytes.truncate(len);
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// CPU time of one process with all its threads, to the nanosecond.
pub(crate) fn cpu_ns(pid: i32) -> Option<u64> {
    /// `CPUCLOCK_SCHED`, the clock of time really run, in the kernel's way to number clocks of processes.
    const TIME_RUN: libc::clockid_t = 2;
    let time = clock_gettime(ClockId::from_raw((!pid << 3) | TIME_RUN)).ok()?;
    Some(time.tv_sec().cast_unsigned() * 1_000_000_000 + time.tv_nsec().cast_unsigned())
}

/// How long some thread below `root` has been ready to run without getting a core: the longest of all threads, so that
/// many of them do not add up to more than passed on the clock. 0 where the kernel does not say.
pub(crate) fn waited_ns(root: i32) -> u64 {
    let threads =
        descendants(root).into_iter().flat_map(|pid| fs::read_dir(format!("/proc/{pid}/task")).ok());
    let waited = |thread: fs::DirEntry| waited_of(&thread.path().join("schedstat"));
    threads.flatten().flatten().filter_map(waited).max().unwrap_or(0)
}

/// How long the calling thread has been ready to run without getting a core. 0 where the kernel does not say.
pub(crate) fn own_waited_ns() -> u64 {
    waited_of(Path::new("/proc/thread-self/schedstat")).unwrap_or(0)
}

/// Time on a core, time ready to run, times that it ran: scheduler statistics of the kernel's documentation.
fn waited_of(schedstat: &Path) -> Option<u64> {
    read(schedstat)?.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// What `pid` has used, or `None` when it is gone.
pub(crate) fn usage(pid: i32) -> Option<Usage> {
    let stat = read(Path::new(&format!("/proc/{pid}/stat")))?;
    // The name may hold anything, brackets and blanks included; what follows its last bracket may not.
    let fields: Vec<&str> = stat.get(stat.rfind(')')? + 2..)?.split_ascii_whitespace().collect();
    let number = |index: usize| fields.get(index).and_then(|field| field.parse::<u64>().ok());
    Some(Usage {
        cpu_ns: cpu_ns(pid).unwrap_or(0),
        children_cpu_ns: (number(13)? + number(14)?) * TICK_NS,
        resident_bytes: number(21)? * PAGE_BYTES,
    })
}

/// Descriptors that `pid` has open. 0 before Linux 6.2, which is the first to say.
pub(crate) fn descriptors(pid: i32) -> u64 {
    fs::metadata(format!("/proc/{pid}/fd")).map_or(0, |found| found.len())
}

/// What `pid`, and those that it waited for, wrote to disks and did not take back again. 0 where that is not told.
pub(crate) fn written_bytes(pid: i32) -> u64 {
    let text = read(Path::new(&format!("/proc/{pid}/io"))).unwrap_or_default();
    let after = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.trim().parse::<u64>().ok());
    let cancelled = after("cancelled_write_bytes:").unwrap_or(0);
    after("write_bytes:").unwrap_or(0).saturating_sub(cancelled)
}

/// Resident memory of `pid` with shared pages divided among their users. Slow: it walks the page tables.
pub(crate) fn proportional_bytes(pid: i32) -> Option<u64> {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kib: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::clock::{MS, now_ns};

    /// More threads that compute than there are cores: some of them must wait.
    #[test]
    fn a_thread_knows_how_long_it_waited_for_a_core() {
        let threads = 4 * std::thread::available_parallelism().map_or(1, usize::from);
        let computing_ns = 100 * MS;
        let computed = move || {
            let (began_ns, before_ns) = (now_ns(), own_waited_ns());
            while now_ns() - began_ns < computing_ns {
                std::hint::spin_loop();
            }
            own_waited_ns() - before_ns
        };
        let threads: Vec<_> = (0..threads).map(|_| std::thread::spawn(computed)).collect();
        let waited_ns: u64 = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
        assert!(waited_ns > computing_ns / 2, "{waited_ns} ns");
    }

    #[test]
    fn this_process_is_found_below_its_parent() {
        let own = std::process::id().cast_signed();
        let parent = nix::unistd::getppid().as_raw();
        if parent != 0 {
            assert!(descendants(parent).contains(&own));
        }
        let usage = usage(own).unwrap();
        assert!(usage.resident_bytes > 100_000, "{usage:?}");
        assert!(usage.cpu_ns > 0, "{usage:?}");
    }

    #[test]
    fn nothing_is_found_below_what_does_not_exist() {
        assert_eq!(descendants(i32::MAX), Vec::<i32>::new());
        assert!(usage(i32::MAX).is_none());
    }
}
