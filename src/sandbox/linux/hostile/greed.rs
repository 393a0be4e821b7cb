//! Widgets that use too much: processes, time, memory, files, output. Each stops by itself somewhere, in case that
//! nothing stops it.
#![expect(unsafe_code, reason = "misbehaving means raw system calls")]

use std::fs;
use std::io::{self, Write as _};
use std::time::Duration;

use nix::errno::Errno;

use super::{Attempt, Stopped, Through, refused};

/// Most processes that the fork bomb makes: a widget must not be a danger where nothing stops it.
const BOMB_PROCESSES: usize = 3000;
/// Most bytes that greedy widgets take.
const GREED_BYTES: usize = 4 << 30;

/// Makes processes until no more come, and says how many there were.
pub(super) fn bomb(_: &[String]) -> Attempt {
    for made in 0..BOMB_PROCESSES {
        // SAFETY: the child only sleeps.
        match unsafe { libc::fork() } {
            0 => loop {
                std::thread::sleep(Duration::from_secs(60));
            },
            pid if pid < 0 => return Stopped(format!("after {made} processes")),
            _ => {}
        }
    }
    Through(format!("{BOMB_PROCESSES} processes"))
}

/// The same with a session for each process, so that no group holds them together.
pub(super) fn bomb_sessions(_: &[String]) -> Attempt {
    for made in 0..BOMB_PROCESSES {
        // SAFETY: the child opens a session and only sleeps.
        match unsafe { libc::fork() } {
            0 => loop {
                // SAFETY: no arguments.
                unsafe { libc::setsid() };
                std::thread::sleep(Duration::from_secs(60));
            },
            pid if pid < 0 => return Stopped(format!("after {made} processes")),
            _ => {}
        }
    }
    Through(format!("{BOMB_PROCESSES} processes"))
}

/// Leaves a grandchild in a session of its own that holds every pipe.
pub(super) fn daemon(_: &[String]) -> Attempt {
    // SAFETY: the children only sleep or end.
    unsafe {
        if libc::fork() == 0 {
            libc::setsid();
            if libc::fork() == 0 {
                std::thread::sleep(Duration::from_secs(60));
            }
            libc::_exit(0);
        }
    }
    std::thread::sleep(Duration::from_millis(20));
    Stopped("left a process behind".to_owned())
}

/// A grandchild burns time while the program sleeps.
pub(super) fn orphan_cpu(_: &[String]) -> Attempt {
    // SAFETY: the children only burn or end.
    unsafe {
        if libc::fork() == 0 {
            libc::setsid();
            if libc::fork() == 0 {
                burn();
            }
            libc::_exit(0);
        }
    }
    sleep(&[])
}

/// A child that nobody waits for burns time, over and over.
pub(super) fn ignored_cpu(_: &[String]) -> Attempt {
    // SAFETY: the child only burns time for a while.
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_IGN);
        if libc::fork() == 0 {
            burn();
        }
    }
    sleep(&[])
}

pub(super) fn threads_cpu(_: &[String]) -> Attempt {
    for _ in 0..3 {
        std::thread::spawn(burn);
    }
    burn()
}

/// Not greedy at all: always the same work, by whose times a machine's noise is seen.
pub(super) fn work(_: &[String]) -> Attempt {
    let mut state = 1_u64;
    for _ in 0..20_000_000 {
        state = std::hint::black_box(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
    }
    Through(state.to_string())
}

fn burn() -> ! {
    loop {
        std::hint::spin_loop();
    }
}

/// Stops itself: it will never end.
pub(super) fn stop(_: &[String]) -> Attempt {
    // SAFETY: signals this process alone.
    unsafe { libc::raise(libc::SIGSTOP) };
    Through("went on".to_owned())
}

pub(super) fn sleep(_: &[String]) -> Attempt {
    std::thread::sleep(Duration::from_secs(60));
    Through("slept for a minute".to_owned())
}

pub(super) fn spin(_: &[String]) -> Attempt {
    burn()
}

/// Takes memory piece by piece and writes to all of it.
pub(super) fn memory(_: &[String]) -> Attempt {
    const PIECE: usize = 1 << 20;
    let mut kept = Vec::new();
    while kept.len() * PIECE < GREED_BYTES {
        kept.push(vec![1_u8; PIECE]);
    }
    Through(format!("{} MiB", kept.len()))
}

/// Reserves far more than any limit and touches next to nothing of it, as runtimes do.
pub(super) fn reserve(_: &[String]) -> Attempt {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping, of which one byte is written.
    unsafe {
        let begin = libc::mmap(std::ptr::null_mut(), GREED_BYTES, protection, flags, -1, 0);
        if begin == libc::MAP_FAILED {
            return Stopped(format!("mmap: {}", Errno::last().desc()));
        }
        begin.cast::<u8>().write(1);
    }
    Through("reserved".to_owned())
}

/// Four children with the given number of MiB each, all at once.
pub(super) fn children_memory(args: &[String]) -> Attempt {
    let mib = args.first().and_then(|arg| arg.parse::<usize>().ok()).unwrap_or(100);
    if args.get(1).is_some_and(|arg| arg == "closed") {
        // Others of the same user may not look into it then.
        let _ = nix::sys::prctl::set_dumpable(false);
    }
    for _ in 0..4 {
        // SAFETY: the child only fills memory and sleeps.
        if unsafe { libc::fork() } == 0 {
            let kept = vec![1_u8; mib << 20];
            std::thread::sleep(Duration::from_secs(60));
            drop(kept);
        }
    }
    sleep(&[])
}

/// Memory that belongs to no process: files in memory.
pub(super) fn files_memory(_: &[String]) -> Attempt {
    let piece = vec![1_u8; 1 << 20];
    // SAFETY: a live name.
    let number = unsafe { libc::memfd_create(c"x".as_ptr(), 0) };
    if number < 0 {
        return refused("memfd_create", number.into());
    }
    // SAFETY: just made.
    let mut file: fs::File = unsafe { std::os::fd::FromRawFd::from_raw_fd(number) };
    for written in 0..GREED_BYTES >> 20 {
        if let Err(error) = file.write_all(&piece) {
            return Stopped(format!("after {written} MiB: {error}"));
        }
    }
    Through("4 GiB in a file in memory".to_owned())
}

/// Recursion without end.
pub(super) fn stack(_: &[String]) -> Attempt {
    #[expect(unconditional_recursion, reason = "that is the point")]
    fn deeper(depth: u64) -> u64 {
        let page = std::hint::black_box([depth; 512]);
        deeper(depth + 1).wrapping_add(page[7])
    }
    Through(deeper(0).to_string())
}

pub(super) fn big_file(args: &[String]) -> Attempt {
    if args.first().is_some_and(|arg| arg == "deaf") {
        // SAFETY: a disposition of this process alone.
        unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    }
    let piece = vec![1_u8; 1 << 20];
    let mut file = match fs::File::create("big") {
        Ok(file) => file,
        Err(error) => return Stopped(error.to_string()),
    };
    for written in 0..GREED_BYTES >> 20 {
        if let Err(error) = file.write_all(&piece) {
            return Stopped(format!("after {written} MiB: {error}"));
        }
    }
    Through("4 GiB".to_owned())
}

/// Files of a MiB each, which fill a disk if they are enough; with `nameless`, in no folder.
pub(super) fn fill_disk(args: &[String]) -> Attempt {
    let is_nameless = args.first().is_some_and(|arg| arg == "nameless");
    let piece = vec![1_u8; 1 << 20];
    let mut kept = Vec::new();
    for made in 0..GREED_BYTES >> 20 {
        let name = made.to_string();
        let written = fs::File::create(&name).and_then(|mut file| {
            if is_nameless {
                fs::remove_file(&name)?;
            }
            file.write_all(&piece)?;
            Ok(file)
        });
        match written {
            Ok(file) if is_nameless && kept.len() < 100 => kept.push(file),
            Ok(_) => {}
            Err(error) => return Stopped(format!("after {made} MiB: {error}")),
        }
    }
    Through("4 GiB".to_owned())
}

pub(super) fn many_files(_: &[String]) -> Attempt {
    for made in 0..100_000 {
        if let Err(error) = fs::write(format!("file-{made}"), "") {
            return Stopped(format!("after {made} files: {error}"));
        }
    }
    Through("100,000 files".to_owned())
}

/// A tree so deep that whoever removes it by recursion, or opens each of its levels, falls. Landlock walks all the way up
/// for each new folder, so it gets slow with the square of the depth.
pub(super) fn deep_folders(_: &[String]) -> Attempt {
    for made in 0..4000 {
        if let Err(error) = fs::create_dir("d").and_then(|()| std::env::set_current_dir("d")) {
            return Stopped(format!("after {made} folders: {error}"));
        }
    }
    Through("4,000 folders deep".to_owned())
}

pub(super) fn flood(_: &[String]) -> Attempt {
    let piece = vec![b'x'; 1 << 20];
    while io::stdout().write_all(&piece).is_ok() {}
    Stopped("the pipe was closed".to_owned())
}

pub(super) fn abort(_: &[String]) -> Attempt {
    std::process::abort()
}
