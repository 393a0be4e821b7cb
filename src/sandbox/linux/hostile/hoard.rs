//! Widgets that hoard where it is hard to count: a child's memory and the kernel's, files that are other than they look.
//! Each stops by itself somewhere where it is not stopped.
#![expect(unsafe_code, reason = "misbehaving means raw system calls")]

use std::fs;

use nix::errno::Errno;

use super::{Attempt, Stopped, Through};

/// A child takes all memory and dies of it, while the program itself ends, or sleeps, as if nothing had been.
pub(super) fn child_memory(args: &[String]) -> Attempt {
    // SAFETY: the child only takes memory.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let _ = super::greed::memory(&[]);
    }
    // SAFETY: waits for the child.
    unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
    if args.first().is_some_and(|arg| arg == "sleep") {
        return super::greed::sleep(&[]);
    }
    Stopped("the child is gone".to_owned())
}

/// One byte in every two MiB of address space: the tables of pages grow more than what they tell of.
pub(super) fn page_tables(_: &[String]) -> Attempt {
    const REACH: usize = 1 << 40;
    const STRIDE: usize = 2 << 20;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping, read within its bounds. The page that all of it reads is one that everybody has.
    unsafe {
        let begin = libc::mmap(std::ptr::null_mut(), REACH, protection, flags, -1, 0);
        if begin == libc::MAP_FAILED {
            return Stopped(format!("mmap: {}", Errno::last().desc()));
        }
        libc::madvise(begin, REACH, libc::MADV_NOHUGEPAGE);
        for offset in (0..REACH).step_by(STRIDE) {
            std::hint::black_box(begin.cast::<u8>().add(offset).read_volatile());
        }
    }
    Through("a TiB of tables".to_owned())
}

/// One byte in every two MiB, in pages as large as that: of those that the machine gives to who asks, or of those that it
/// keeps for who asks by name.
pub(super) fn huge_pages(args: &[String]) -> Attempt {
    const REACH: usize = 4 << 30;
    const STRIDE: usize = 2 << 20;
    let is_named = args.first().is_some_and(|arg| arg == "named");
    let kind = if is_named { libc::MAP_HUGETLB } else { libc::MAP_NORESERVE };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | kind;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // One of them is one too many, and what nobody reserved is refused only where it is touched.
    let reach = if is_named { STRIDE } else { REACH };
    // SAFETY: a new mapping, written within its bounds.
    unsafe {
        let begin = libc::mmap(std::ptr::null_mut(), reach, protection, flags, -1, 0);
        let file = libc::memfd_create(c"huge".as_ptr(), libc::MFD_HUGETLB);
        if is_named && file >= 0 {
            return Through("a file in huge pages".to_owned());
        }
        if begin == libc::MAP_FAILED {
            return Stopped(format!("mmap: {}", Errno::last().desc()));
        }
        libc::madvise(begin, reach, libc::MADV_HUGEPAGE);
        for offset in (0..reach).step_by(STRIDE) {
            begin.cast::<u8>().add(offset).write_volatile(1);
        }
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_ascii_whitespace().next()).unwrap_or("unknown");
    Through(format!("{kib} KiB for {} bytes", reach / STRIDE))
}

/// Keeps memory of the kernel's: pipes filled to the brim, as many as there may be.
pub(super) fn pipes(_: &[String]) -> Attempt {
    const MOST: usize = 20_000;
    let piece = [0_u8; 64 << 10];
    let mut ends = [0; 2];
    for made in 0..MOST {
        // SAFETY: a live array, and a live buffer.
        unsafe {
            if libc::pipe2(ends.as_mut_ptr(), libc::O_NONBLOCK) < 0 {
                return Stopped(format!("after {made} pipes: {}", Errno::last().desc()));
            }
            libc::write(ends[1], piece.as_ptr().cast(), piece.len());
        }
    }
    Through(format!("{MOST} pipes"))
}

/// The same with sockets, as many and as large as they come.
pub(super) fn sockets(_: &[String]) -> Attempt {
    const MOST_BYTES: usize = 256 << 20;
    let (piece, large) = ([0_u8; 64 << 10], 64 << 20);
    let (mut ends, mut held_bytes) = ([0; 2], 0);
    while held_bytes < MOST_BYTES {
        // SAFETY: a live array, a live number and its size, and a live buffer.
        unsafe {
            let kind = libc::SOCK_STREAM | libc::SOCK_NONBLOCK;
            if libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) < 0 {
                let why = Errno::last().desc();
                return Stopped(format!("with {} MiB in sockets: {why}", held_bytes >> 20));
            }
            for end in ends {
                let size = size_of::<libc::c_int>() as libc::socklen_t;
                libc::setsockopt(end, libc::SOL_SOCKET, libc::SO_SNDBUF, (&raw const large).cast(), size);
                while let Ok(written) = usize::try_from(libc::write(end, piece.as_ptr().cast(), piece.len()))
                {
                    held_bytes += written;
                }
            }
        }
    }
    Through(format!("{} MiB in sockets", held_bytes >> 20))
}

/// And with lists of what to wait for, each of all that can be waited for, and with timers.
pub(super) fn notes(_: &[String]) -> Attempt {
    const MOST: usize = 100_000;
    let mut event = libc::epoll_event { events: 0, u64: 0 };
    let mut made = Vec::new();
    // SAFETY: numbers, and live structures.
    unsafe {
        loop {
            let watched = libc::eventfd(0, 0);
            let waiting = libc::epoll_create1(0);
            if waiting < 0 || made.len() > MOST {
                break;
            }
            made.push(watched);
            for watched in &made {
                libc::epoll_ctl(waiting, libc::EPOLL_CTL_ADD, *watched, &raw mut event);
            }
        }
        let mut timer: libc::timer_t = std::ptr::null_mut();
        let made_timer =
            |_: &usize| libc::timer_create(libc::CLOCK_MONOTONIC, std::ptr::null_mut(), &raw mut timer) == 0;
        let timers = (0..MOST).take_while(made_timer).count();
        if timers == MOST || made.len() > MOST {
            return Through(format!("{} lists, {timers} timers", made.len()));
        }
        Stopped(format!("after {} lists and {timers} timers: {}", made.len(), Errno::last().desc()))
    }
}

/// A file that claims to be huge.
pub(super) fn sparse(_: &[String]) -> Attempt {
    let made = fs::File::create("sparse").and_then(|file| file.set_len(10 << 40));
    match made {
        Ok(()) => Through("10 TiB".to_owned()),
        Err(error) => Stopped(error.to_string()),
    }
}

/// Fills the folders for temporary files, which are memory.
pub(super) fn tmp_memory(_: &[String]) -> Attempt {
    let piece = vec![1_u8; 1 << 20];
    for made in 0..4096 {
        let folder = ["/tmp", "/dev/shm", "."][made % 3];
        if let Err(error) = fs::write(format!("{folder}/{made}"), &piece) {
            return Stopped(format!("after {made} MiB: {error}"));
        }
    }
    Through("4 GiB".to_owned())
}

/// Names as long as they come, hard links, pipes: whoever clears up must manage them.
pub(super) fn odd_files(_: &[String]) -> Attempt {
    let long = "x".repeat(255);
    let _ = fs::write(&long, "");
    for index in 0..200 {
        let _ = fs::hard_link(&long, format!("link-{index}"));
    }
    let _ = nix::unistd::mkfifo("pipe", nix::sys::stat::Mode::S_IRWXU);
    let _ = std::os::unix::net::UnixListener::bind("socket");
    let _ = std::os::unix::fs::symlink("/", "root");
    let _ = fs::create_dir("closed").and_then(|()| fs::write("closed/file", ""));
    let closed: fs::Permissions = std::os::unix::fs::PermissionsExt::from_mode(0o0);
    let _ = fs::set_permissions("closed", closed);
    Stopped("made odd files".to_owned())
}

/// Has one name be a folder and a link out of it by turns: whoever looks around in here meanwhile meets both.
pub(super) fn swap(_: &[String]) -> Attempt {
    const SWAPS: u32 = 10_000;
    let made = fs::create_dir("inside").and_then(|()| std::os::unix::fs::symlink("/", "out"));
    if let Err(error) = made {
        return Stopped(error.to_string());
    }
    for _ in 0..SWAPS {
        for [from, to] in [["inside", "kept"], ["out", "inside"], ["inside", "out"], ["kept", "inside"]] {
            let _ = fs::rename(from, to);
        }
    }
    Stopped(format!("{SWAPS} swaps"))
}
