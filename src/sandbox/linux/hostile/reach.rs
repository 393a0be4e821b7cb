//! Widgets that reach for what is not theirs: files, processes, the network, the kernel. Each only tries.
#![expect(unsafe_code, reason = "misbehaving means raw system calls")]

use std::ffi::OsString;
use std::fs;

use nix::errno::Errno;

use super::{Attempt, Stopped, Through, all, refused};

/// Tries to read files that are the judge's.
pub(super) fn read(paths: &[String]) -> Attempt {
    all(paths.iter().map(|path| match fs::read(path) {
        Ok(bytes) if bytes.is_empty() => Stopped("nothing was in it".to_owned()),
        Ok(_) => Through(format!("read {path}")),
        Err(error) => Stopped(error.to_string()),
    }))
}

/// Tries to make files in folders that are not its own.
pub(super) fn write(folders: &[String]) -> Attempt {
    all(folders.iter().map(|folder| match fs::write(format!("{folder}/touchstone-was-here"), "") {
        Ok(()) => Through(format!("wrote into {folder}")),
        Err(error) => Stopped(error.to_string()),
    }))
}

/// Reads files through links and through `/proc`, in place of by their names.
pub(super) fn link(paths: &[String]) -> Attempt {
    let ways = ["/proc/1/root", "/proc/self/root", "/proc/1/cwd", "/proc/self/cwd/../.."];
    let through = |path: &String| ways.map(|way| format!("{way}{path}"));
    let mut tried: Vec<String> = paths.iter().flat_map(through).collect();
    for (index, path) in paths.iter().enumerate() {
        let name = format!("link-{index}");
        let _ = std::os::unix::fs::symlink(path, &name);
        tried.push(name.clone());
        let hard = format!("hard-{index}");
        let _ = fs::hard_link(path, &hard);
        tried.push(hard);
    }
    read(&tried)
}

/// Looks for somebody else's process in `/proc`, and into it.
pub(super) fn environ(_: &[String]) -> Attempt {
    let Ok(entries) = fs::read_dir("/proc") else { return Stopped("there is no /proc to see".to_owned()) };
    let own = std::process::id().to_string();
    let others = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let others = others.filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()) && *name != own);
    let parts =
        |pid: String| ["environ", "mem", "maps", "cwd/.", "root/."].map(|part| format!("/proc/{pid}/{part}"));
    read(&others.flat_map(parts).collect::<Vec<_>>())
}

/// Signals nobody, but asks whether it could: the processes given, and its parent's group.
pub(super) fn signal(pids: &[String]) -> Attempt {
    let pids = pids.iter().filter_map(|pid| pid.parse::<i32>().ok());
    // SAFETY: signal 0 is never delivered.
    all(pids.map(|pid| refused(&format!("kill({pid}, 0)"), unsafe { libc::kill(pid, 0) }.into())))
}

pub(super) fn ptrace(pids: &[String]) -> Attempt {
    let parent = nix::unistd::getppid().as_raw();
    let pids = pids.iter().filter_map(|pid| pid.parse::<i32>().ok()).chain([parent]);
    let mut byte = 0_u8;
    let local = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
    let remote = libc::iovec { iov_base: std::ptr::without_provenance_mut(0x40_0000), iov_len: 1 };
    all(pids.flat_map(|pid| {
        // SAFETY: attaches to nothing that a sandbox lets it, and reads one byte into a live one.
        unsafe {
            [
                refused("ptrace", libc::syscall(libc::SYS_ptrace, libc::PTRACE_SEIZE, pid, 0, 0)),
                refused(
                    "process_vm_readv",
                    libc::syscall(
                        libc::SYS_process_vm_readv,
                        pid,
                        &raw const local,
                        1,
                        &raw const remote,
                        1,
                        0,
                    ),
                ),
            ]
        }
    }))
}

pub(super) fn network(_: &[String]) -> Attempt {
    let families = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK, libc::AF_PACKET, libc::AF_VSOCK];
    // SAFETY: numbers only.
    all(families.map(|family| refused("socket", unsafe { libc::socket(family, libc::SOCK_DGRAM, 0) }.into())))
}

pub(super) fn spaces(_: &[String]) -> Attempt {
    let flags = [libc::CLONE_NEWUSER, libc::CLONE_NEWNS, libc::CLONE_NEWNET, libc::CLONE_NEWPID];
    let unshared = flags.map(|flag| {
        // SAFETY: numbers only.
        refused("unshare", unsafe { libc::syscall(libc::SYS_unshare, flag) })
    });
    // SAFETY: a fork by another name; a child, if there is one, ends at once.
    let cloned = unsafe {
        let pid = libc::syscall(libc::SYS_clone, libc::CLONE_NEWUSER | libc::SIGCHLD, 0, 0, 0, 0);
        if pid == 0 {
            libc::_exit(0);
        }
        refused("clone", pid)
    };
    all(unshared.into_iter().chain([cloned]))
}

pub(super) fn mount(_: &[String]) -> Attempt {
    let (kind, here, root) = (c"tmpfs".as_ptr(), c".".as_ptr(), c"/".as_ptr());
    // SAFETY: every pointer is to a string that lives for ever.
    unsafe {
        let remount = libc::MS_REMOUNT | libc::MS_BIND;
        all([
            refused("mount", libc::mount(kind, here, kind, 0, std::ptr::null()).into()),
            refused("remount", libc::mount(kind, root, kind, remount, std::ptr::null()).into()),
            refused("umount", libc::umount2(c"/box/run".as_ptr(), libc::MNT_DETACH).into()),
            refused("pivot_root", libc::syscall(libc::SYS_pivot_root, here, here)),
            refused("chroot", libc::chroot(here).into()),
            refused("open_tree", libc::syscall(libc::SYS_open_tree, libc::AT_FDCWD, here, 1)),
            refused("fsopen", libc::syscall(libc::SYS_fsopen, kind, 0)),
        ])
    }
}

/// Calls that only make the kernel's surface larger.
pub(super) fn calls(_: &[String]) -> Attempt {
    let numbers = [
        ("io_uring_setup", libc::SYS_io_uring_setup),
        ("bpf", libc::SYS_bpf),
        ("userfaultfd", libc::SYS_userfaultfd),
        ("perf_event_open", libc::SYS_perf_event_open),
        ("keyctl", libc::SYS_keyctl),
        ("add_key", libc::SYS_add_key),
        ("kexec_load", libc::SYS_kexec_load),
        ("open_by_handle_at", libc::SYS_open_by_handle_at),
        ("pidfd_getfd", libc::SYS_pidfd_getfd),
        ("swapon", libc::SYS_swapon),
        ("clone3", libc::SYS_clone3),
        ("kcmp", libc::SYS_kcmp),
        ("process_madvise", libc::SYS_process_madvise),
        ("quotactl", libc::SYS_quotactl),
        ("settimeofday", libc::SYS_settimeofday),
        ("acct", libc::SYS_acct),
        ("syslog", libc::SYS_syslog),
        ("init_module", libc::SYS_init_module),
        ("io_setup", libc::SYS_io_setup),
        ("cachestat", 451),
        ("open_tree_attr", 467),
        ("setns", libc::SYS_setns),
    ];
    let refusals = [Errno::EPERM, Errno::ENOSYS, Errno::EACCES];
    all(numbers.map(|(name, number)| {
        // SAFETY: null and zero arguments name nothing; a call that is let in complains of them.
        let result = unsafe { libc::syscall(number, 0, 0, 0, 0, 0) };
        match Errno::last() {
            errno if result < 0 && refusals.contains(&errno) => Stopped(format!("{name}: {}", errno.desc())),
            _ => Through(name.to_owned()),
        }
    }))
}

/// Watches who uses what every program sees.
pub(super) fn watch(_: &[String]) -> Attempt {
    // SAFETY: numbers, and a name with its NUL.
    let watched = unsafe {
        let watcher = libc::inotify_init1(libc::IN_NONBLOCK);
        libc::inotify_add_watch(watcher, c"/usr/bin".as_ptr(), libc::IN_ALL_EVENTS)
    };
    refused("/usr/bin is watched", watched.into())
}

/// Has the disk busy, for everybody to wait for: writes out all that was written, and forgets what was read. What would
/// wait for one file alone is not made at all, whatever its descriptor.
pub(super) fn disk(_: &[String]) -> Attempt {
    use std::os::fd::AsRawFd as _;
    let Ok(file) = fs::File::open("/usr/bin/env") else { return Stopped("no file".to_owned()) };
    let number = libc::c_long::from(file.as_raw_fd());
    // SAFETY: numbers only.
    let results = unsafe {
        [
            refused("sync", libc::syscall(libc::SYS_sync)),
            refused("syncfs", libc::syscall(libc::SYS_syncfs, number)),
            refused("fadvise", libc::syscall(libc::SYS_fadvise64, number, 0, 0, libc::POSIX_FADV_DONTNEED)),
            unmade("fsync", libc::syscall(libc::SYS_fsync, -1)),
            unmade("fdatasync", libc::syscall(libc::SYS_fdatasync, -1)),
            unmade("msync", libc::syscall(libc::SYS_msync, 0, 0, libc::MS_SYNC | libc::MS_ASYNC)),
        ]
    };
    all(results)
}

/// The result of a system call that must fail if it is made.
fn unmade(what: &str, result: libc::c_long) -> Attempt {
    if result == 0 { Stopped(format!("{what} is not made")) } else { Through(what.to_owned()) }
}

/// Every descriptor beyond the first three, the one that reads the list apart.
pub(super) fn descriptors(_: &[String]) -> Attempt {
    // SAFETY: asks about numbers.
    let open = |number: &i32| unsafe { libc::fcntl(*number, libc::F_GETFD) } >= 0;
    match (3..4096).filter(open).collect::<Vec<_>>() {
        open if open.is_empty() => Stopped("none is open".to_owned()),
        open => Through(format!("open: {open:?}")),
    }
}

pub(super) fn privileges(_: &[String]) -> Attempt {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let held = status.lines().find(|line| {
        let set =
            ["CapInh:", "CapPrm:", "CapEff:", "CapAmb:"].iter().find_map(|name| line.strip_prefix(name));
        set.is_some_and(|set| set.trim().bytes().any(|digit| digit != b'0'))
    });
    // SAFETY: numbers only.
    unsafe {
        all([
            refused("setuid(0)", libc::syscall(libc::SYS_setresuid, 0, 0, 0)),
            refused("setpriority", libc::setpriority(libc::PRIO_PROCESS, 0, -20).into()),
            refused("sethostname", libc::sethostname(c"x".as_ptr(), 1).into()),
            refused("reboot", libc::syscall(libc::SYS_reboot, 0, 0, 0, 0)),
            held.map_or(Stopped("no capabilities".to_owned()), |line| Through(line.to_owned())),
        ])
    }
}

/// A call as a 32-bit program makes it.
pub(super) fn foreign(_: &[String]) -> Attempt {
    #[cfg(target_arch = "x86_64")]
    {
        let result: i32;
        // SAFETY: number 20 is getpid, without arguments; what the kernel may spoil is said.
        unsafe {
            std::arch::asm!(
                "int 0x80",
                inlateout("eax") 20 => result,
                out("r8") _, out("r9") _, out("r10") _, out("r11") _,
            );
        }
        if result > 0 {
            return Through("int 0x80".to_owned());
        }
    }
    Stopped("the call was refused".to_owned())
}

pub(super) fn kill_all(_: &[String]) -> Attempt {
    // SAFETY: reaches only what the sandbox lets it.
    let result = unsafe { libc::kill(-1, libc::SIGKILL) };
    // Behind walls there is somebody to kill only if others of this run live.
    refused("kill(-1)", result.into())
}

/// Processes that can be seen, and the own number.
pub(super) fn count(_: &[String]) -> Attempt {
    let Ok(entries) = fs::read_dir("/proc") else { return Stopped("there is no /proc to see".to_owned()) };
    let is_number = |name: &OsString| name.to_string_lossy().bytes().all(|byte| byte.is_ascii_digit());
    let seen = entries.flatten().filter(|entry| is_number(&entry.file_name())).count();
    Stopped(format!("{seen} processes, own number {}", std::process::id()))
}
