//! The judge's ends of the mother process and of its zygotes: starts them, sends requests, and is sure of their end.
//! Never decides anything.

use std::fs::File;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd, RawFd};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::MsgFlags;

use super::SandboxError;
use super::linux::socket;
use super::linux::step::Step;
use super::wire::{Born, Estate, FAREWELL, PACKET_BYTES, READY, Refusal, Reply, Request, Setup, Walls};

/// How long a process of ours may take until it is ready, or to end when its socket closes.
const PATIENCE_MS: u16 = 10_000;

/// A running mother.
#[derive(Debug)]
pub(crate) struct Mother {
    socket: OwnedFd,
    child: Child,
}

/// A running zygote.
#[derive(Debug)]
pub(crate) struct Zygote {
    socket: OwnedFd,
    pid: i32,
    walls: Walls,
}

/// What a user space is to know of the users outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UserMap {
    /// The judge's own user alone.
    Own,
    /// Root, and the users of programs.
    RootAnd(Option<(u32, u32)>),
}

impl Mother {
    /// Starts a mother, who makes nothing before she is asked to.
    pub(crate) fn start(launcher: &Path) -> Result<Self, SandboxError> {
        let launch = |cause| SandboxError::Launch { launcher: launcher.to_owned(), cause };
        let (socket, theirs) = socket::pair().map_err(SandboxError::system("make a socket pair"))?;
        let child = Command::new(launcher)
            .arg("__zygote")
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(launch)?;
        let mother = Self { socket, child };
        let mut hello = [0; 16];
        match receive(mother.socket.as_fd(), &mut hello)? {
            Some(len) if &hello[..len] == READY => Ok(mother),
            _ => Err(SandboxError::Lost { what: "it started" }),
        }
    }

    /// The mother's process number.
    pub(crate) fn pid(&self) -> i32 {
        self.child.id().cast_signed()
    }

    /// Tells the mother what to remove if the judge is killed.
    pub(crate) fn entrust(&self, estate: &Estate) -> Result<(), SandboxError> {
        socket::send(self.socket.as_fd(), &estate.encode(), &[])
            .map_err(|_| SandboxError::Lost { what: "it started" })
    }

    /// Makes a zygote and waits until its walls stand.
    pub(crate) fn zygote(&self, setup: &Setup, map: UserMap) -> Result<Zygote, SandboxError> {
        let (socket, theirs) = socket::pair().map_err(SandboxError::system("make a socket pair"))?;
        let lost = || SandboxError::Lost { what: "its walls were built" };
        let bytes = setup.encode();
        if bytes.len() > PACKET_BYTES {
            return Err(SandboxError::TooLarge { bytes: bytes.len(), limit: PACKET_BYTES });
        }
        socket::send(self.socket.as_fd(), &bytes, &[theirs.as_raw_fd()]).map_err(|_| lost())?;
        drop(theirs);
        let mut buffer = [0; 128];
        let len = receive(self.socket.as_fd(), &mut buffer)?.ok_or_else(lost)?;
        let Some(Born { pid }) = Born::decode(&buffer[..len]) else {
            return Err(explain(&buffer[..len]));
        };
        let zygote = Zygote { socket, pid, walls: setup.walls };
        if setup.has_user_space {
            write_map(pid, map)?;
        }
        socket::send(zygote.socket(), READY, &[]).map_err(|_| lost())?;
        match receive(zygote.socket(), &mut buffer)? {
            Some(len) if &buffer[..len] == READY => Ok(zygote),
            Some(len) => Err(explain(&buffer[..len])),
            None => Err(lost()),
        }
    }
}

/// The error that a packet with a refusal stands for.
fn explain(bytes: &[u8]) -> SandboxError {
    match Reply::decode(bytes) {
        Some(Reply::Refused(refusal)) => refused(refusal),
        _ => SandboxError::Lost { what: "its walls were built" },
    }
}

/// Tells the kernel which users exist in the zygote's user space: the same numbers inside as outside.
fn write_map(pid: i32, map: UserMap) -> Result<(), SandboxError> {
    let write = |name: &str, text: &str| {
        std::fs::write(format!("/proc/{pid}/{name}"), text)
            .map_err(SandboxError::system("map users into the namespace"))
    };
    let lines = |own: u32| match map {
        UserMap::Own | UserMap::RootAnd(None) => format!("{own} {own} 1\n"),
        UserMap::RootAnd(Some((run, folder))) if run == folder => format!("0 0 1\n{run} {run} 1\n"),
        UserMap::RootAnd(Some((run, folder))) => format!("0 0 1\n{run} {run} 1\n{folder} {folder} 1\n"),
    };
    if map == UserMap::Own {
        write("setgroups", "deny")?;
    }
    write("gid_map", &lines(nix::unistd::getegid().as_raw()))?;
    write("uid_map", &lines(nix::unistd::geteuid().as_raw()))
}

impl Zygote {
    /// The zygote's process number.
    pub(crate) fn pid(&self) -> i32 {
        self.pid
    }

    /// Which walls it has built.
    pub(crate) fn walls(&self) -> Walls {
        self.walls
    }

    /// Readable when there is a reply, or when the zygote is gone.
    pub(crate) fn socket(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// Sends one request with its descriptors.
    pub(crate) fn request(&self, request: &Request, descriptors: &[RawFd]) -> Result<(), SandboxError> {
        let bytes = request.encode();
        if bytes.len() > PACKET_BYTES {
            return Err(SandboxError::TooLarge { bytes: bytes.len(), limit: PACKET_BYTES });
        }
        socket::send(self.socket(), &bytes, descriptors)
            .map_err(|_| SandboxError::Lost { what: "a program was to start" })
    }

    /// Takes the reply that the socket has ready; `None` when there is none yet.
    pub(crate) fn reply(&self) -> Result<Option<Reply>, SandboxError> {
        let mut buffer = [0; 128];
        let lost = SandboxError::Lost { what: "a program ran" };
        match socket::receive(self.socket(), &mut buffer, MsgFlags::MSG_DONTWAIT) {
            Ok(Some((len, _))) => Reply::decode(&buffer[..len]).map(Some).ok_or(lost),
            Err(Errno::EAGAIN | Errno::EINTR) => Ok(None),
            Ok(None) | Err(_) => Err(lost),
        }
    }
}

/// The next packet; `None` when the other end is gone or takes too long.
fn receive(socket: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<Option<usize>, SandboxError> {
    let mut watched = [PollFd::new(socket, PollFlags::POLLIN)];
    loop {
        match poll(&mut watched, PollTimeout::from(PATIENCE_MS)) {
            Err(Errno::EINTR) => {}
            Err(errno) => return Err(SandboxError::system("wait for the sandbox")(errno)),
            Ok(_) => break,
        }
    }
    match socket::receive(socket, buffer, MsgFlags::MSG_DONTWAIT) {
        Ok(Some((len, _))) => Ok(Some(len)),
        Ok(None) | Err(_) => Ok(None),
    }
}

/// The error that a refusal stands for.
pub(crate) fn refused(refusal: Refusal) -> SandboxError {
    let cause = std::io::Error::from_raw_os_error(refusal.errno);
    match Step::from_number(refusal.step) {
        Some(step) => SandboxError::Step { step: step.name(), cause },
        None => SandboxError::Lost { what: "a step failed" },
    }
}

impl Drop for Mother {
    fn drop(&mut self) {
        let _ = socket::send(self.socket.as_fd(), FAREWELL, &[]);
        // The mother ends when its socket does, with everything below it; it has its own way to clean up.
        let _ = nix::sys::socket::shutdown(self.socket.as_raw_fd(), nix::sys::socket::Shutdown::Both);
        for _ in 0..PATIENCE_MS {
            match self.child.try_wait() {
                Ok(None) => std::thread::sleep(std::time::Duration::from_millis(1)),
                Ok(Some(_)) | Err(_) => return,
            }
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The judge's end of a pipe never blocks it.
pub(crate) fn nonblocking(end: OwnedFd) -> Result<File, SandboxError> {
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    fcntl(end.as_fd(), FcntlArg::F_SETFL(OFlag::O_NONBLOCK))
        .map_err(SandboxError::system("make a pipe non-blocking"))?;
    Ok(File::from(end))
}
