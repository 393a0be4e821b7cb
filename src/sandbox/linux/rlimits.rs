//! Which resource limits a run gets. Never sets them: the child does, from the list made here.

use crate::sandbox::spec::RunLimits;

/// Open descriptors of one process.
const DESCRIPTORS: u64 = 256;
/// A program that outlives every other guard gets SIGXCPU this long after its CPU limit.
const CPU_GRACE_S: u64 = 3;
/// Address space is only a backstop against exhausting the machine between two looks at the resident size: it must be
/// so wide that no verdict hangs on it.
const ADDRESS_SPACE_FLOOR_BYTES: u64 = 8 << 30;
/// Too small for a core file, and the number that keeps the kernel from handing a core to a program of the system's,
/// which 0 does not.
const CORE: u64 = 1;
/// Signals that wait and timers, of which all that its user has are counted together.
const SIGNALS: u64 = 1024;
/// Memory that may be locked, and bytes in message queues: none.
const NOTHING: u64 = 0;

/// The list for one run. `calls` is how many requests share the process, `processes` bounds those of the run's user
/// and is left out where that user has others.
pub(crate) fn of(limits: &RunLimits, calls: usize, processes: Option<u64>) -> Vec<(u32, u64)> {
    let cpu_s = limits.cpu_ms.saturating_mul(calls.max(1) as u64).div_ceil(1000) + CPU_GRACE_S;
    let mut list = vec![
        (libc::RLIMIT_CORE, CORE),
        (libc::RLIMIT_CPU, cpu_s),
        (libc::RLIMIT_FSIZE, limits.file_bytes),
        (libc::RLIMIT_NOFILE, DESCRIPTORS),
        (libc::RLIMIT_STACK, libc::RLIM_INFINITY),
        (libc::RLIMIT_SIGPENDING, SIGNALS),
        (libc::RLIMIT_MEMLOCK, NOTHING),
        (libc::RLIMIT_MSGQUEUE, NOTHING),
        (libc::RLIMIT_NICE, NOTHING),
        (libc::RLIMIT_RTPRIO, NOTHING),
    ];
    if limits.bound_address_space {
        let wide = limits.memory_bytes.saturating_mul(4).max(ADDRESS_SPACE_FLOOR_BYTES);
        list.push((libc::RLIMIT_AS, wide));
    }
    if let Some(processes) = processes {
        list.push((libc::RLIMIT_NPROC, processes));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_space_is_bounded_only_when_asked() {
        let limits = RunLimits {
            cpu_ms: 1500,
            wall_ms: 4000,
            memory_bytes: 256 << 20,
            stdout_bytes: 1,
            stderr_kept_bytes: 1,
            file_bytes: 1,
            files_bytes: 1,
            files: 1,
            processes: 10,
            bound_address_space: false,
        };
        let has =
            |limits: &RunLimits| of(limits, 1, None).iter().any(|(resource, _)| *resource == libc::RLIMIT_AS);
        assert!(!has(&limits));
        assert!(has(&RunLimits { bound_address_space: true, ..limits }));
        assert!(of(&limits, 3, Some(7)).contains(&(libc::RLIMIT_CPU, 5 + CPU_GRACE_S)));
    }
}
