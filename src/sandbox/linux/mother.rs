//! The mother process: this binary again, freshly executed, so that what its children inherit is small and known. It
//! joins the control groups once (joining is slow) and makes zygotes, which inherit them. Never runs a program itself.
#![expect(unsafe_code, reason = "descriptors by number, and fork-like clone")]

use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::ExitCode;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigSet, SigmaskHow, Signal, kill, pthread_sigmask};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::socket::MsgFlags;
use nix::unistd::Pid;

use super::child::FIRST_FREE;
use super::step::Step;
use super::wait::reap;
use super::{socket, zygote};
use crate::sandbox::cgroup::{self, Folder};
use crate::sandbox::folder;
use crate::sandbox::wire::{
    Born, Ending, Estate, FAREWELL, PACKET_BYTES, READY, Refusal, Reply, Setup, Walls,
};

/// Runs the mother on the socket that is descriptor 0, until the judge is gone.
pub fn main() -> ExitCode {
    let Ok((socket, signals)) = set_up() else { return ExitCode::FAILURE };
    if socket::send(socket.as_fd(), READY, &[]).is_err() {
        return ExitCode::FAILURE;
    }
    let (mut estate, mut zygotes) = (Estate::default(), Vec::new());
    let was_told = serve(&socket, &signals, &mut estate, &mut zygotes);
    for zygote in &zygotes {
        let _ = kill(*zygote, Signal::SIGKILL);
    }
    // What a zygote leaves comes to the mother.
    super::wait::Watch { judge: socket.as_fd(), signals: &signals }.sweep(&mut Ending::default(), || {
        crate::sandbox::tree::kill_descendants(nix::unistd::getpid().as_raw());
    });
    // Whatever could write into it is dead by now. The judge might be killed before it gets there itself.
    if !estate.base.is_empty() {
        let _ = folder::remove(Path::new(OsStr::from_bytes(&estate.base)));
    }
    // To leave a group is slow. A judge that lives removes them as soon as nobody is in them any more.
    if !was_told {
        cgroup::leave(&estate.groups.iter().map(Folder::named).collect::<Vec<_>>());
    }
    ExitCode::SUCCESS
}

fn set_up() -> nix::Result<(OwnedFd, SignalFd)> {
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
    Ok((socket, signals))
}

fn duplicate_high(descriptor: BorrowedFd<'_>) -> nix::Result<OwnedFd> {
    let number: RawFd = fcntl(descriptor, FcntlArg::F_DUPFD_CLOEXEC(FIRST_FREE + 5))?;
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

/// Makes zygotes, and hears what there will be to remove, until the judge says farewell, closes its end or says something
/// senseless; whether it said farewell.
fn serve(socket: &OwnedFd, signals: &SignalFd, estate: &mut Estate, zygotes: &mut Vec<Pid>) -> bool {
    let mut buffer = vec![0; PACKET_BYTES];
    loop {
        let mut watched =
            [PollFd::new(socket.as_fd(), PollFlags::POLLIN), PollFd::new(signals.as_fd(), PollFlags::POLLIN)];
        let _ = poll(&mut watched, PollTimeout::NONE);
        let is_spoken_to = watched[0].revents().is_some_and(|events| !events.is_empty());
        let _ = signals.read_signal();
        while let Some((gone, _)) = reap(&mut Ending::default()) {
            zygotes.retain(|zygote| zygote.as_raw() != gone);
        }
        if !is_spoken_to {
            continue;
        }
        let Ok(Some((len, mut descriptors))) =
            socket::receive(socket.as_fd(), &mut buffer, MsgFlags::empty())
        else {
            return false;
        };
        if &buffer[..len] == FAREWELL {
            return true;
        }
        let Some(theirs) = descriptors.pop() else {
            let Some(told) = Estate::decode(&buffer[..len]) else { return false };
            *estate = told;
            continue;
        };
        let Some(setup) = Setup::decode(&buffer[..len]) else { return false };
        let reply = match bear(&setup, &theirs) {
            Ok(pid) => {
                zygotes.push(Pid::from_raw(pid));
                Born { pid }.encode()
            }
            Err(errno) => Reply::Refused(Refusal { step: Step::Spaces as u8, errno: errno as i32 }).encode(),
        };
        if socket::send(socket.as_fd(), &reply, &[]).is_err() {
            return false;
        }
    }
}

/// Spaces that are made once in the life of a zygote.
const SPACES: libc::c_int =
    libc::CLONE_NEWNS | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS | libc::CLONE_NEWCGROUP;

/// Makes a zygote, which gets the mother's memory as it is.
fn bear(setup: &Setup, theirs: &OwnedFd) -> nix::Result<libc::pid_t> {
    let mut flags = libc::SIGCHLD;
    if setup.walls != Walls::Plain {
        flags |= SPACES;
    }
    if setup.walls == Walls::Pooled {
        flags |= libc::CLONE_NEWPID;
    }
    if setup.has_user_space {
        flags |= libc::CLONE_NEWUSER;
    }
    // SAFETY: without CLONE_VM this is fork, in a process with a single thread.
    let pid = Errno::result(unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) })?;
    if pid == 0 {
        zygote::live(setup, theirs);
    }
    libc::pid_t::try_from(pid).map_err(|_| Errno::EOVERFLOW)
}
