//! The judge's end of one zygote: starts it, sends it requests, and is sure of its end. Never decides anything.

use std::fs::File;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd, RawFd};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::MsgFlags;

use super::SandboxError;
use super::linux::socket;
use super::linux::step::Step;
use super::wire::{PACKET_BYTES, Refusal, Reply, Request};

/// How long the zygote may take until it is ready, or to end when its socket closes.
const PATIENCE_MS: u16 = 10_000;

/// A running zygote.
#[derive(Debug)]
pub(crate) struct Link {
    socket: OwnedFd,
    child: Child,
}

impl Link {
    /// Starts a zygote and waits until it is ready.
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
        let mut link = Self { socket, child };
        let mut hello = [0; 16];
        match link.receive(&mut hello, PATIENCE_MS)? {
            Some(1) if hello[0] == 0 => Ok(link),
            Some(len) => Err(match Reply::decode(&hello[..len]) {
                Some(Reply::Refused(refusal)) => refused(refusal),
                _ => SandboxError::Lost { what: "it started" },
            }),
            None => {
                let _ = link.child.kill();
                Err(SandboxError::Lost { what: "it started" })
            }
        }
    }

    /// The zygote's process number.
    pub(crate) fn pid(&self) -> i32 {
        self.child.id().cast_signed()
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

    fn receive(&self, buffer: &mut [u8], patience_ms: u16) -> Result<Option<usize>, SandboxError> {
        let mut watched = [PollFd::new(self.socket(), PollFlags::POLLIN)];
        poll(&mut watched, PollTimeout::from(patience_ms))
            .map_err(SandboxError::system("wait for the sandbox"))?;
        match socket::receive(self.socket(), buffer, MsgFlags::MSG_DONTWAIT) {
            Ok(Some((len, _))) => Ok(Some(len)),
            Ok(None) | Err(_) => Ok(None),
        }
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

impl Drop for Link {
    fn drop(&mut self) {
        // The zygote ends when its socket does; closing ours first lets it clean up.
        if let Ok((closed, _)) = socket::pair() {
            self.socket = closed;
        }
        let gone = nix::sys::wait::WaitPidFlag::WNOHANG;
        let pid = nix::unistd::Pid::from_raw(self.pid());
        for _ in 0..PATIENCE_MS {
            match nix::sys::wait::waitpid(pid, Some(gone)) {
                Ok(nix::sys::wait::WaitStatus::StillAlive) => {}
                _ => return,
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
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
