//! Widgets that leave something behind when they end, and those that look for it in a later run.
#![expect(unsafe_code, reason = "misbehaving means raw system calls")]

use std::fs::{self, File};
use std::io::{IoSlice, Write as _};
use std::os::fd::{AsRawFd as _, RawFd};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};

use nix::sys::socket::{ControlMessage, MsgFlags, sendmsg};

use super::{Attempt, Stopped, Through, all, refused};

const KEY: libc::key_t = 0x7057;
const MARKS: [&str; 6] =
    ["mark", "/tmp/mark", "/dev/shm/mark", "/var/tmp/mark", "/box/run/mark", "/box/run/here/mark"];
/// Files that every run sees; the kernel keeps for each how long what is written there may live.
const SEEN: [&str; 5] = ["/proc/self/exe", "/etc/passwd", "/tmp", "/", "."];
const F_GET_RW_HINT: libc::c_int = 1035;
const F_SET_RW_HINT: libc::c_int = 1036;

/// System V shared memory, which would outlive the run, left for the next one to find; see `found`.
pub(super) fn ipc(_: &[String]) -> Attempt {
    // SAFETY: numbers only.
    let id = unsafe { libc::shmget(KEY, 4096, libc::IPC_CREAT | 0o666) };
    refused("shmget", id.into())
}

/// Leaves a mark wherever it can, for `found` to find in a later run.
pub(super) fn leave(_: &[String]) -> Attempt {
    let mut listener = None;
    if let Ok(address) = SocketAddr::from_abstract_name("mark") {
        listener = UnixListener::bind_addr(&address).ok();
    }
    hide(listener.iter().map(|listener| listener.as_raw_fd()).collect());
    for place in SEEN {
        hint(place, F_SET_RW_HINT, 3);
    }
    for place in MARKS {
        let _ = fs::write(place, "mark");
    }
    let _ = ipc(&[]);
    // SAFETY: a live name; the child ends at once.
    unsafe {
        libc::syscall(libc::SYS_mq_open, c"mark".as_ptr(), libc::O_CREAT | libc::O_RDWR, 0o666, 0);
        if libc::fork() == 0 {
            libc::_exit(0);
        }
    }
    Stopped("left marks".to_owned())
}

/// Sends open files to a socket that is itself in that message: nobody can ever receive it, and only the kernel can find
/// out that nobody will.
fn hide(mut files: Vec<RawFd>) {
    let Ok((one, other)) = UnixStream::pair() else { return };
    files.extend([one.as_raw_fd(), other.as_raw_fd()]);
    let rights = [ControlMessage::ScmRights(&files)];
    let _ = sendmsg::<()>(one.as_raw_fd(), &[IoSlice::new(b"x")], &rights, MsgFlags::empty(), None);
}

/// Asks for, or sets, the hint of a file.
fn hint(path: &str, request: libc::c_int, mut value: u64) -> Option<u64> {
    let file = File::open(path).ok()?;
    // SAFETY: a live number.
    let done = unsafe { libc::fcntl(file.as_raw_fd(), request, &raw mut value) };
    (done == 0).then_some(value)
}

/// Looks for what `leave` left.
pub(super) fn found(_: &[String]) -> Attempt {
    let files = MARKS.into_iter().filter(|place| fs::exists(place).unwrap_or(false));
    let hints = SEEN.into_iter().filter(|place| hint(place, F_GET_RW_HINT, 0).is_some_and(|hint| hint != 0));
    let places: Vec<&str> = files.chain(hints).collect();
    if !places.is_empty() {
        return Through(places.join(", "));
    }
    let sockets = fs::read_to_string("/proc/net/unix").unwrap_or_default();
    if sockets.contains("@mark") {
        return Through(sockets);
    }
    // A space of its own begins to count anew.
    if std::process::id() != 2 {
        return Through(format!("number {}", std::process::id()));
    }
    // SAFETY: numbers, and a live name.
    unsafe {
        all([
            refused("shmget", libc::shmget(KEY, 4096, 0).into()),
            refused("mq_open", libc::syscall(libc::SYS_mq_open, c"mark".as_ptr(), libc::O_RDONLY)),
        ])
    }
}

/// Leaves memory behind that is no process's: files in memory, in the box and in a message that nobody can receive, and
/// names that were looked up in vain.
pub(super) fn keep(_: &[String]) -> Attempt {
    const FILES: usize = 100;
    const NAMES: usize = 100_000;
    let piece = vec![1_u8; 1 << 20];
    for made in 0..FILES / 2 {
        let _ = fs::write(format!("/tmp/{made}"), &piece);
    }
    let file = |_| {
        // SAFETY: a live name.
        let number = unsafe { libc::memfd_create(c"x".as_ptr(), 0) };
        // SAFETY: just made.
        (number >= 0).then(|| unsafe { std::os::fd::FromRawFd::from_raw_fd(number) })
    };
    let files: Vec<File> = (0..FILES / 2).filter_map(file).collect();
    for mut file in &files {
        let _ = file.write_all(&piece);
    }
    hide(files.iter().map(File::as_raw_fd).collect());
    for name in 0..NAMES {
        let _ =
            fs::exists(format!("/usr/no-such-name-of-about-a-hundred-letters-that-takes-some-memory-{name}"));
    }
    Stopped("left memory".to_owned())
}
