//! Waiting for programs: until the main one is gone, reaping others that die meanwhile, watching for the judge's end.
//! Nothing here allocates: it runs in memory that other processes share.
#![expect(unsafe_code, reason = "wait4")]

use std::os::fd::{AsFd as _, BorrowedFd};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signalfd::SignalFd;
use nix::time::{ClockId, clock_gettime};

use crate::sandbox::wire::Ending;

/// What a process that waits looks at.
pub(crate) struct Watch<'a> {
    /// Says nothing during a run: whatever happens on it is the judge's end.
    pub(crate) judge: BorrowedFd<'a>,
    /// Readable when a child has died.
    pub(crate) signals: &'a SignalFd,
}

impl Watch<'_> {
    /// Waits until `main` is gone and notes how. `None` when the judge goes away first.
    pub(crate) fn until_gone(&self, main: libc::pid_t, ending: &mut Ending) -> Option<()> {
        loop {
            while let Some((pid, status)) = reap(ending) {
                if pid == main {
                    ending.status = status;
                    ending.ended_ns = clock_ns(ClockId::CLOCK_MONOTONIC);
                    return Some(());
                }
            }
            let mut watched = [
                PollFd::new(self.judge, PollFlags::POLLIN),
                PollFd::new(self.signals.as_fd(), PollFlags::POLLIN),
            ];
            let _ = poll(&mut watched, PollTimeout::NONE);
            if watched[0].revents().is_some_and(|events| !events.is_empty()) {
                return None;
            }
            let _ = self.signals.read_signal();
        }
    }

    /// Kills, by `kill`, and reaps whatever is left, until there is nothing.
    pub(crate) fn sweep(&self, ending: &mut Ending, kill: impl Fn()) {
        /// How long to wait for killed processes before looking for new ones.
        const ROUND_MS: u16 = 2;
        loop {
            while reap(ending).is_some() {}
            if Errno::last() == Errno::ECHILD {
                return;
            }
            kill();
            let mut watched = [PollFd::new(self.signals.as_fd(), PollFlags::POLLIN)];
            let _ = poll(&mut watched, PollTimeout::from(ROUND_MS));
            let _ = self.signals.read_signal();
        }
    }
}

/// Reaps one dead child and adds what it used. `None` with errno 0 when none is dead, ECHILD when there is none at all.
pub(crate) fn reap(ending: &mut Ending) -> Option<(libc::pid_t, i32)> {
    wait4(-1, libc::WNOHANG, ending)
}

/// Waits for this child alone.
pub(crate) fn reap_only(pid: libc::pid_t, ending: &mut Ending) -> Option<i32> {
    loop {
        match wait4(pid, 0, ending) {
            Some((_, status)) => return Some(status),
            None if Errno::last() == Errno::EINTR => {}
            None => return None,
        }
    }
}

fn wait4(pid: libc::pid_t, flags: libc::c_int, ending: &mut Ending) -> Option<(libc::pid_t, i32)> {
    let mut status = 0;
    Errno::clear();
    // SAFETY: plain data, for which all zeroes is a value.
    let mut used = unsafe { std::mem::zeroed::<libc::rusage>() };
    // SAFETY: both pointers are to live locals.
    let pid = unsafe { libc::wait4(pid, &raw mut status, flags | libc::__WALL, &raw mut used) };
    if pid <= 0 {
        return None;
    }
    ending.cpu_ns += time_ns(used.ru_utime) + time_ns(used.ru_stime);
    ending.maxrss_bytes = ending.maxrss_bytes.max(used.ru_maxrss.cast_unsigned() << 10);
    Some((pid, status))
}

fn time_ns(time: libc::timeval) -> u64 {
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_usec.cast_unsigned() * 1000
}

/// A clock's reading.
pub(crate) fn clock_ns(clock: ClockId) -> u64 {
    clock_gettime(clock)
        .map(|time| time.tv_sec().cast_unsigned() * 1_000_000_000 + time.tv_nsec().cast_unsigned())
        .unwrap_or(0)
}
