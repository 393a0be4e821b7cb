//! Widgets that are up to tricks: with signals, limits, time, the own binary, what was given to it. Each only
//! tries, and stops by itself somewhere where it is not stopped.
#![expect(unsafe_code, reason = "misbehaving means raw system calls")]

use std::ffi::CString;
use std::fs;
use std::os::unix::fs::OpenOptionsExt as _;
use std::time::Duration;

use nix::errno::Errno;

use super::{Attempt, Stopped, Through, all, refused};

/// Turns a deaf ear to every signal that can be ignored or blocked, and never ends.
pub(super) fn deaf(_: &[String]) -> Attempt {
    // SAFETY: dispositions and masks of this process alone.
    unsafe {
        for signal in 1..=libc::SIGRTMAX() {
            libc::signal(signal, libc::SIG_IGN);
        }
        let mut every = std::mem::zeroed::<libc::sigset_t>();
        libc::sigfillset(&raw mut every);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const every, std::ptr::null_mut());
    }
    super::greed::spin(&[])
}

/// Stops and kills whoever started it.
pub(super) fn parent(_: &[String]) -> Attempt {
    let parent = nix::unistd::getppid().as_raw();
    for signal in [libc::SIGSTOP, libc::SIGTERM, libc::SIGCHLD, libc::SIGKILL] {
        // SAFETY: reaches only what the sandbox lets it.
        unsafe { libc::kill(parent, signal) };
    }
    std::thread::sleep(Duration::from_millis(50));
    // Whoever adopted this process in its parent's place would show that the parent died.
    match nix::unistd::getppid().as_raw() {
        now if now == parent => Stopped("the parent lives".to_owned()),
        now => Through(format!("parent {parent} became {now}")),
    }
}

/// A timer that fires as often as it can.
pub(super) fn timer_storm(_: &[String]) -> Attempt {
    extern "C" fn nothing(_: libc::c_int) {}
    let every = libc::timeval { tv_sec: 0, tv_usec: 1 };
    let timer = libc::itimerval { it_interval: every, it_value: every };
    let handler: extern "C" fn(libc::c_int) = nothing;
    // SAFETY: a handler that does nothing, and a timer of this process.
    unsafe {
        libc::signal(libc::SIGALRM, handler as *const () as libc::sighandler_t);
        libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut());
    }
    super::greed::spin(&[])
}

/// Fails the same way for ever: the handler comes back to the instruction that faults.
pub(super) fn fault_loop(_: &[String]) -> Attempt {
    extern "C" fn again(_: libc::c_int) {}
    let handler: extern "C" fn(libc::c_int) = again;
    // SAFETY: reading a page that may not be read only raises the signal, again and again.
    unsafe {
        libc::signal(libc::SIGSEGV, handler as *const () as libc::sighandler_t);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let page = libc::mmap(std::ptr::null_mut(), 4096, libc::PROT_NONE, flags, -1, 0);
        Through(format!("read {}", page.cast::<u8>().read_volatile()))
    }
}

/// Raises its own limits, and those of its parent.
pub(super) fn limits(_: &[String]) -> Attempt {
    let kinds = [
        ("RLIMIT_CPU", libc::RLIMIT_CPU),
        ("RLIMIT_FSIZE", libc::RLIMIT_FSIZE),
        ("RLIMIT_NOFILE", libc::RLIMIT_NOFILE),
        ("RLIMIT_CORE", libc::RLIMIT_CORE),
        ("RLIMIT_MEMLOCK", libc::RLIMIT_MEMLOCK),
    ];
    let most = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    let parent = nix::unistd::getppid().as_raw();
    all(kinds.into_iter().flat_map(|(name, kind)| {
        // SAFETY: live structures. The parent's limits would only be made wider.
        unsafe {
            [
                refused(name, libc::setrlimit(kind, &raw const most).into()),
                refused("prlimit", libc::prlimit(parent, kind, &raw const most, std::ptr::null_mut()).into()),
            ]
        }
    }))
}

/// Changes how others are run: what they are bounded by, how soon and where they get a processor. Each change is one
/// that does no harm where it is let in.
pub(super) fn others(pids: &[String]) -> Attempt {
    let parent = nix::unistd::getppid().as_raw();
    let pids = pids.iter().filter_map(|pid| pid.parse::<i32>().ok()).chain([parent]);
    let plain = libc::sched_param { sched_priority: 0 };
    let everywhere = [u8::MAX; 128];
    let (most, process_group) = (libc::RLIM_INFINITY, libc::PRIO_PGRP);
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    all(pids.flat_map(|pid| {
        // SAFETY: live structures, and numbers.
        unsafe {
            let affinity =
                libc::syscall(libc::SYS_sched_setaffinity, pid, everywhere.len(), everywhere.as_ptr());
            [
                refused("sched_setaffinity", affinity),
                refused(
                    "prlimit",
                    libc::prlimit(pid, libc::RLIMIT_NOFILE, std::ptr::null(), (&raw const limit).cast_mut())
                        .into(),
                ),
                refused("setpriority", libc::setpriority(libc::PRIO_PROCESS, pid as u32, 19).into()),
                refused("setpriority of a group", libc::setpriority(process_group, 0, 19).into()),
                refused(
                    "sched_setscheduler",
                    libc::sched_setscheduler(pid, libc::SCHED_OTHER, &raw const plain).into(),
                ),
                refused("ioprio_set", libc::syscall(libc::SYS_ioprio_set, 1, pid, 0)),
            ]
        }
    }))
}

/// Changes modes, owners, times and attributes of its own binary and of the files given, to what they are already
/// where that can be said.
pub(super) fn modes(paths: &[String]) -> Attempt {
    use std::os::unix::fs::MetadataExt as _;
    let own = ["/proc/self/exe".to_owned(), std::env::args().next().unwrap_or_default()];
    all(paths.iter().chain(&own).flat_map(|path| {
        let mode = fs::metadata(path).map_or(0o755, |found| found.mode() & 0o777);
        let name = CString::new(path.as_str()).unwrap_or_default();
        let (at, name, here) = (libc::AT_FDCWD, name.as_ptr(), c"user.mark".as_ptr());
        let opened = fs::File::open(path);
        let opened = opened.as_ref().map_or(-1, std::os::fd::AsRawFd::as_raw_fd);
        // SAFETY: live strings, and numbers.
        unsafe {
            [
                refused("fchmodat", libc::syscall(libc::SYS_fchmodat, at, name, mode)),
                refused("fchmodat2", libc::syscall(452, at, name, mode, 0)),
                refused("fchmod", libc::fchmod(opened, mode).into()),
                refused("chmod", libc::chmod(name, mode).into()),
                refused("chown", libc::chown(name, libc::geteuid(), libc::getegid()).into()),
                refused("utimensat", libc::utimensat(at, name, std::ptr::null(), 0).into()),
                refused("setxattr", libc::setxattr(name, here, here.cast(), 1, 0).into()),
            ]
        }
    }))
}

/// Locks a file that every program may read, for another to see.
pub(super) fn locks(_: &[String]) -> Attempt {
    use std::os::fd::AsRawFd as _;
    let Ok(file) = fs::File::open("/etc/passwd") else { return Stopped("no file".to_owned()) };
    // SAFETY: all zeros are a lock from the start of a file to its end.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = libc::F_RDLCK as libc::c_short;
    let requests = [libc::F_SETLK, libc::F_OFD_SETLK, libc::F_GETLK];
    // SAFETY: a live structure, and numbers.
    unsafe {
        let by_request = requests
            .map(|request| refused("fcntl", libc::fcntl(file.as_raw_fd(), request, &raw mut lock).into()));
        let others = [
            refused("flock", libc::flock(file.as_raw_fd(), libc::LOCK_SH | libc::LOCK_NB).into()),
            refused("lease", libc::fcntl(file.as_raw_fd(), libc::F_SETLEASE, libc::F_RDLCK).into()),
        ];
        all(by_request.into_iter().chain(others))
    }
}

/// Would it leave a core file?
pub(super) fn core(_: &[String]) -> Attempt {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: a live structure.
    unsafe { libc::getrlimit(libc::RLIMIT_CORE, &raw mut limit) };
    if limit.rlim_max > 1 {
        return Through(format!("core files of {} bytes", limit.rlim_max));
    }
    // SAFETY: the child only falls.
    if unsafe { libc::fork() } == 0 {
        std::process::abort();
    }
    // SAFETY: waits for the child.
    unsafe { libc::wait(std::ptr::null_mut()) };
    let entries = fs::read_dir(".").into_iter().flatten().flatten();
    match entries.map(|entry| entry.file_name()).find(|name| name.to_string_lossy().contains("core")) {
        Some(name) => Through(name.to_string_lossy().into_owned()),
        None => Stopped("no core file".to_owned()),
    }
}

/// Gets in front of others: by priority, by real time, by locked memory.
pub(super) fn scheduling(_: &[String]) -> Attempt {
    let first = libc::sched_param { sched_priority: 1 };
    /// The class of real time among those of `ioprio_set`, with its best level.
    const REAL_TIME_IO: libc::c_int = 1 << 13;
    // `struct sched_attr`: its size, the policy of deadlines, and 1, 2 and 2 ms at its end.
    let deadline: [u64; 6] =
        [48 | (libc::SCHED_DEADLINE as u64) << 32, 0, 0, 1_000_000, 2_000_000, 2_000_000];
    // SAFETY: numbers and live structures.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_LOCKED;
        let locked = libc::mmap(std::ptr::null_mut(), 4096, libc::PROT_READ, flags, -1, 0);
        let locked = if locked == libc::MAP_FAILED { -1 } else { 0 };
        all([
            refused("setpriority", libc::setpriority(libc::PRIO_PROCESS, 0, -20).into()),
            refused(
                "sched_setscheduler",
                libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const first).into(),
            ),
            refused("ioprio_set", libc::syscall(libc::SYS_ioprio_set, 1, 0, REAL_TIME_IO)),
            refused(
                "sched_setscheduler in turns",
                libc::sched_setscheduler(0, libc::SCHED_RR | libc::SCHED_RESET_ON_FORK, &raw const first)
                    .into(),
            ),
            refused("sched_setattr", libc::syscall(libc::SYS_sched_setattr, 0, deadline.as_ptr(), 0)),
            refused("mlockall", libc::mlockall(libc::MCL_CURRENT | libc::MCL_FUTURE).into()),
            refused("mlock", libc::mlock((&raw const first).cast(), 1).into()),
            refused("mlock2", libc::syscall(libc::SYS_mlock2, &raw const first, 1, 0)),
            refused("MAP_LOCKED", locked),
        ])
    }
}

/// A program in memory alone.
pub(super) fn fresh_program(_: &[String]) -> Attempt {
    let shell = fs::read("/bin/sh").unwrap_or_default();
    // SAFETY: a live name.
    let number = unsafe { libc::memfd_create(c"x".as_ptr(), 0) };
    if number < 0 {
        return refused("memfd_create", number.into());
    }
    // SAFETY: just made.
    let mut file: fs::File = unsafe { std::os::fd::FromRawFd::from_raw_fd(number) };
    if let Err(error) = std::io::Write::write_all(&mut file, &shell) {
        return Stopped(error.to_string());
    }
    let script = c"echo through: a program in memory; exit 3";
    let args = [c"sh".as_ptr(), c"-c".as_ptr(), script.as_ptr(), std::ptr::null()];
    // SAFETY: lists of live strings, that end with a null.
    refused("fexecve", unsafe { libc::fexecve(number, args.as_ptr(), args[3..].as_ptr()) }.into())
}

/// Opens a session, which may get a share of the cores that is its own.
pub(super) fn session(_: &[String]) -> Attempt {
    // SAFETY: the child only asks about itself; waits for it.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::setsid();
            libc::_exit(libc::c_int::from(libc::getsid(0) == libc::getpid()));
        }
        let mut status = 0;
        libc::waitpid(child, &raw mut status, 0);
        if status == 0 {
            Stopped("it is in the session that it was in".to_owned())
        } else {
            Through("a session".to_owned())
        }
    }
}

/// A byte now and then, for ever.
pub(super) fn drip(_: &[String]) -> Attempt {
    loop {
        if std::io::Write::write_all(&mut std::io::stdout(), b".").is_err() {
            return Stopped("nobody reads".to_owned());
        }
        let _ = std::io::Write::flush(&mut std::io::stdout());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Makes the devices of the machine's disks and memory.
pub(super) fn devices(_: &[String]) -> Attempt {
    let made = [(libc::S_IFBLK, 8, 0), (libc::S_IFCHR, 1, 1), (libc::S_IFCHR, 5, 0)];
    all(made.into_iter().enumerate().map(|(index, (kind, major, minor))| {
        let name = CString::new(format!("device-{index}")).unwrap_or_default();
        // SAFETY: a live name.
        refused(
            "mknod",
            unsafe { libc::mknod(name.as_ptr(), kind | 0o666, libc::makedev(major, minor)) }.into(),
        )
    }))
}

/// Changes the file that it was started from.
pub(super) fn own_binary(_: &[String]) -> Attempt {
    let named = std::env::args().next().unwrap_or_default();
    let ways = ["/proc/self/exe".to_owned(), named.clone()];
    let opened = ways.iter().map(|path| match fs::OpenOptions::new().write(true).open(path) {
        Ok(_) => Through(format!("opened {path}")),
        Err(error) => Stopped(error.to_string()),
    });
    let removed = match fs::remove_file(&named) {
        Ok(()) => Through(format!("removed {named}")),
        Err(error) => Stopped(error.to_string()),
    };
    // SAFETY: a live name.
    let cut = refused("truncate", unsafe {
        let name = CString::new(named).unwrap_or_default();
        libc::truncate(name.as_ptr(), 0).into()
    });
    all(opened.chain([removed, cut]))
}

/// Writes into what it was given to read from.
pub(super) fn own_input(_: &[String]) -> Attempt {
    let ways = ["/proc/self/fd/0", "/dev/stdin"];
    let opened = ways.map(|path| {
        let written = fs::OpenOptions::new().write(true).open(path);
        match written.and_then(|mut input| std::io::Write::write_all(&mut input, b"x")) {
            Ok(()) => Through(format!("wrote to {path}")),
            Err(error) => Stopped(error.to_string()),
        }
    });
    // SAFETY: a live byte, and numbers.
    let written = unsafe {
        [
            refused("write", libc::write(0, b"x".as_ptr().cast(), 1) as libc::c_long),
            refused("ftruncate", libc::ftruncate(0, 0).into()),
        ]
    };
    all(opened.into_iter().chain(written))
}

/// The judge's terminal, to type into it.
pub(super) fn terminal(_: &[String]) -> Attempt {
    let opened = fs::OpenOptions::new().read(true).write(true).custom_flags(libc::O_NOCTTY).open("/dev/tty");
    let typed = [0, 1, 2].map(|descriptor| {
        // SAFETY: a live byte.
        refused("TIOCSTI", unsafe { libc::ioctl(descriptor, libc::TIOCSTI, b"x".as_ptr()) }.into())
    });
    let opened = match opened {
        Ok(_) => Through("opened /dev/tty".to_owned()),
        Err(error) => Stopped(error.to_string()),
    };
    all(typed.into_iter().chain([opened]))
}

/// Speaks with a service of the machine that listens at these places.
pub(super) fn services(places: &[String]) -> Attempt {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::{SocketAddr, UnixDatagram, UnixStream};
    all(places.iter().flat_map(|place| {
        let by_name = UnixStream::connect(place).map(drop);
        let by_packet = UnixDatagram::unbound().and_then(|socket| socket.send_to(b"x", place)).map(drop);
        let abstractly = SocketAddr::from_abstract_name(place.trim_start_matches('/'))
            .and_then(|address| UnixStream::connect_addr(&address))
            .map(drop);
        [by_name, by_packet, abstractly].map(|spoken| match spoken {
            Ok(()) => Through(format!("spoke with {place}")),
            Err(error) => Stopped(error.to_string()),
        })
    }))
}

/// A program of the system's that gains rights when it is started.
pub(super) fn set_user(_: &[String]) -> Attempt {
    // SAFETY: numbers only.
    if unsafe { libc::prctl(libc::PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) } != 1 {
        return Through("new privileges can be had".to_owned());
    }
    // With input at its end, and as nobody, these refuse by themselves if nothing else does.
    let tried =
        ["/usr/bin/su", "/usr/bin/mount", "/usr/bin/newgrp"].map(|program| match std::process::Command::new(
            program,
        )
        .arg("-c")
        .arg("id -u")
        .output()
        {
            Ok(output) if output.stdout.starts_with(b"0\n") => Through(program.to_owned()),
            Ok(_) => Stopped(format!("{program} gained nothing")),
            Err(error) => Stopped(error.to_string()),
        });
    all(tried)
}

/// Code that is made while the program runs, as runtimes make it.
pub(super) fn fresh_code(_: &[String]) -> Attempt {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a new page that holds a whole function: `mov eax, 42; ret`.
    unsafe {
        const CODE: [u8; 6] = [0xB8, 42, 0, 0, 0, 0xC3];
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        let page = libc::mmap(std::ptr::null_mut(), 4096, protection, flags, -1, 0);
        if page == libc::MAP_FAILED {
            return Stopped(format!("mmap: {}", Errno::last().desc()));
        }
        std::ptr::copy_nonoverlapping(CODE.as_ptr(), page.cast(), CODE.len());
        let function: extern "C" fn() -> i32 = std::mem::transmute(page);
        if function() != 42 {
            return Stopped("the code did something else".to_owned());
        }
    }
    Through("ran code made on the spot".to_owned())
}

/// A call with the number that the variant with short pointers gives it.
pub(super) fn short_pointers(_: &[String]) -> Attempt {
    /// `getpid` of x32.
    const NUMBER: libc::c_long = 0x4000_0000 + 39;
    // SAFETY: a call without arguments.
    refused("x32", unsafe { libc::syscall(NUMBER) })
}

/// Gets out of its control groups, or into the kernel's settings.
pub(super) fn groups(_: &[String]) -> Attempt {
    let mut places =
        vec!["/sys/fs/cgroup/cgroup.procs".to_owned(), "/proc/sys/kernel/core_pattern".to_owned()];
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    for line in own.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controller, path) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        places.push(format!("/sys/fs/cgroup/{controller}{path}/cgroup.procs"));
        places.push(format!("/sys/fs/cgroup/{controller}{path}/memory.limit_in_bytes"));
        places.push(format!("/sys/fs/cgroup{path}/memory.max"));
    }
    all(places.into_iter().map(|place| match fs::OpenOptions::new().write(true).open(&place) {
        Ok(_) => Through(format!("opened {place}")),
        Err(error) => Stopped(error.to_string()),
    }))
}
