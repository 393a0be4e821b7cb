//! The zygote: a tiny process that starts programs for one worker, waits for them and leaves nothing behind.
//!
//! It is this binary again, freshly executed, so that what its children inherit is small and known: the peak resident
//! size that the kernel reports for a program begins with that of the process it was started from. It serves one
//! request at a time, and ends when its socket does, killing whatever runs.
#![expect(unsafe_code, reason = "descriptors by number, and wait4")]

use std::fs::File;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd, RawFd};
use std::process::ExitCode;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, SigmaskHow, Signal, pthread_sigmask};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::socket::MsgFlags;
use nix::time::{ClockId, clock_gettime};

use super::child::{self, FIRST_FREE, Plan, Stack};
use super::socket;
use super::step::Step;
use crate::sandbox::tree;
use crate::sandbox::wire::{Ending, PACKET_BYTES, Refusal, Reply, Request};

/// How long to wait for killed processes before looking for new ones.
const SWEEP_MS: u16 = 2;

/// What the zygote holds for its whole life.
struct Zygote {
    socket: OwnedFd,
    signals: SignalFd,
    stack: Stack,
    own_pid: libc::pid_t,
}

/// Runs the zygote on the socket that is descriptor 0, until the judge is gone.
pub fn main() -> ExitCode {
    let mut zygote = match set_up() {
        Ok(zygote) => zygote,
        Err(_) => return ExitCode::FAILURE,
    };
    if socket::send(zygote.socket.as_fd(), &[0], &[]).is_err() {
        return ExitCode::FAILURE;
    }
    zygote.serve();
    zygote.sweep(&mut Ending::default());
    ExitCode::SUCCESS
}

fn set_up() -> nix::Result<Zygote> {
    // A shell or a test runner may have left descriptors open.
    // SAFETY: nothing in this process owns a descriptor yet but the first three.
    unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0) };
    let socket = duplicate_high(std::io::stdin().as_fd())?;
    let null = File::options().read(true).write(true).open("/dev/null").map_err(|_| Errno::ENOENT)?;
    let null = duplicate_high(null.as_fd())?;
    for number in 0..FIRST_FREE {
        // SAFETY: replaces the standard descriptors, and numbers that are free.
        let placed = unsafe { libc::dup3(null.as_raw_fd(), number, libc::O_CLOEXEC) };
        Errno::result(placed)?;
    }
    // Ctrl-C reaches the judge, which decides; a session of its own keeps the terminal away.
    let _ = nix::unistd::setsid();
    reset_signals();
    let mut children = SigSet::empty();
    children.add(Signal::SIGCHLD);
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&children), None)?;
    let signals = SignalFd::with_flags(&children, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)?;
    nix::sys::prctl::set_child_subreaper(true)?;
    Ok(Zygote { socket, signals, stack: Stack::new(), own_pid: nix::unistd::getpid().as_raw() })
}

fn duplicate_high(descriptor: BorrowedFd<'_>) -> nix::Result<OwnedFd> {
    let number = fcntl(descriptor, FcntlArg::F_DUPFD_CLOEXEC(FIRST_FREE + 5))?;
    // SAFETY: fcntl has just made it.
    Ok(unsafe { std::os::fd::FromRawFd::from_raw_fd(number) })
}

/// Ignored signals are inherited through execve, and the judge, its parent or the runtime may have ignored some.
fn reset_signals() {
    for signal in 1..=libc::SIGRTMAX() {
        // SAFETY: the default action needs no handler; KILL and STOP refuse, which is as good.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
}

impl Zygote {
    /// Serves requests until the judge closes its end or says something senseless.
    fn serve(&mut self) {
        let mut buffer = vec![0; PACKET_BYTES];
        loop {
            let (len, descriptors) =
                match socket::receive(self.socket.as_fd(), &mut buffer, MsgFlags::empty()) {
                    Ok(Some(packet)) => packet,
                    Err(Errno::EINTR) => continue,
                    Ok(None) | Err(_) => return,
                };
            let Some(reply) = self.answer(&buffer[..len], descriptors) else { return };
            if socket::send(self.socket.as_fd(), &reply.encode(), &[]).is_err() {
                return;
            }
        }
    }

    /// Runs one request to its end; `None` when the judge went away meanwhile.
    fn answer(&mut self, bytes: &[u8], descriptors: Vec<OwnedFd>) -> Option<Reply> {
        let refused = |step: Step, errno: Errno| {
            Some(Reply::Refused(Refusal { step: step as u8, errno: errno as i32 }))
        };
        let began_ns = clock_ns(ClockId::CLOCK_PROCESS_CPUTIME_ID);
        let Some(request) = Request::decode(bytes) else { return refused(Step::Message, Errno::EBADMSG) };
        let wanted = if request.has_calls { 5 } else { 3 };
        if descriptors.len() != wanted {
            return refused(Step::Message, Errno::EBADF);
        }
        let numbers: Vec<RawFd> = descriptors.iter().map(|descriptor| descriptor.as_raw_fd()).collect();
        let Some(mut plan) = Plan::new(request, numbers) else {
            return refused(Step::Message, Errno::EINVAL);
        };
        plan.parent = self.own_pid;
        let main = match child::start(&plan, &mut self.stack) {
            Ok(main) => main,
            Err(errno) => return refused(Step::Clone, errno),
        };
        // The pipes must end when the program does, not when the zygote does.
        drop(descriptors);
        let mut ending = Ending::default();
        let stayed = self.wait_for(main, &mut ending);
        self.sweep(&mut ending);
        stayed?;
        ending.own_cpu_ns = clock_ns(ClockId::CLOCK_PROCESS_CPUTIME_ID).saturating_sub(began_ns);
        Some(plan.failed().map_or(Reply::Ended(ending), Reply::Refused))
    }

    /// Waits until `main` is gone, reaping others that die meanwhile. `None` when the judge goes away first.
    fn wait_for(&self, main: libc::pid_t, ending: &mut Ending) -> Option<()> {
        loop {
            while let Some((pid, status)) = reap(ending) {
                if pid == main {
                    ending.status = status;
                    ending.ended_ns = clock_ns(ClockId::CLOCK_MONOTONIC);
                    return Some(());
                }
            }
            let mut watched = [
                PollFd::new(self.socket.as_fd(), PollFlags::POLLIN),
                PollFd::new(self.signals.as_fd(), PollFlags::POLLIN),
            ];
            let _ = poll(&mut watched, PollTimeout::NONE);
            // The judge says nothing during a run: anything on the socket is its end.
            if watched[0].revents().is_some_and(|events| !events.is_empty()) {
                return None;
            }
            let _ = self.signals.read_signal();
        }
    }

    /// Kills and reaps every process that is left, until there is none.
    fn sweep(&self, ending: &mut Ending) {
        loop {
            while reap(ending).is_some() {}
            if Errno::last() == Errno::ECHILD {
                return;
            }
            tree::kill_descendants(self.own_pid);
            let mut watched = [PollFd::new(self.signals.as_fd(), PollFlags::POLLIN)];
            let _ = poll(&mut watched, PollTimeout::from(SWEEP_MS));
            let _ = self.signals.read_signal();
        }
    }
}

/// Reaps one dead child and adds what it used. `None` with errno 0 when none is dead, ECHILD when there is none at all.
fn reap(ending: &mut Ending) -> Option<(libc::pid_t, i32)> {
    let mut status = 0;
    Errno::clear();
    // SAFETY: plain data, for which all zeroes is a value.
    let mut used = unsafe { std::mem::zeroed::<libc::rusage>() };
    // SAFETY: both pointers are to live locals.
    let pid = unsafe { libc::wait4(-1, &raw mut status, libc::WNOHANG | libc::__WALL, &raw mut used) };
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

fn clock_ns(clock: ClockId) -> u64 {
    clock_gettime(clock)
        .map(|time| time.tv_sec().cast_unsigned() * 1_000_000_000 + time.tv_nsec().cast_unsigned())
        .unwrap_or(0)
}
