//! Which system calls are refused, as a filter that the zygote installs once and every program inherits.
//!
//! A list of what is refused, not of what is allowed: new libraries make new calls, and an unknown call must neither
//! kill nor be refused for being new. Refused calls fail with an error number; only a foreign architecture kills.
#![expect(unsafe_code, reason = "installing a filter")]

use nix::errno::Errno;

use crate::sandbox::wire::{Kind, Walls};

/// One instruction of the kernel's packet filter.
type Instruction = libc::sock_filter;

#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xC000_003E;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xC000_00B7;
/// Calls of the x32 variant carry this bit.
#[cfg(target_arch = "x86_64")]
const FOREIGN_BIT: u32 = 0x4000_0000;

/// Refused to everybody: as if the kernel did not know them.
const UNKNOWN: &[libc::c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_userfaultfd,
    libc::SYS_memfd_secret,
    libc::SYS_process_madvise,
    // Objects of System V and queues of messages outlive whoever makes them; memory is shared by files and mappings.
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    // Files that all programs see would tell who else runs, and what.
    libc::SYS_inotify_init1,
    CACHESTAT,
    // The whole machine has a fixed number of such requests, and one process may take them all.
    libc::SYS_io_setup,
];

#[cfg(target_arch = "x86_64")]
const UNKNOWN_HERE: &[libc::c_long] = &[libc::SYS_inotify_init];
#[cfg(target_arch = "aarch64")]
const UNKNOWN_HERE: &[libc::c_long] = &[];

/// Refused where memory is counted by looking at processes: files in memory are part of none.
const UNSEEN: &[libc::c_long] = &[libc::SYS_memfd_create];

/// Refused to everybody: not permitted.
const FORBIDDEN: &[libc::c_long] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_kcmp,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_lookup_dcookie,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_name_to_handle_at,
    libc::SYS_nfsservctl,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_perf_event_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    // All that anybody has written would have to reach the disk, and everybody wait for it.
    libc::SYS_sync,
    libc::SYS_syncfs,
    libc::SYS_syslog,
    libc::SYS_unshare,
    libc::SYS_vhangup,
];

#[cfg(target_arch = "x86_64")]
const FORBIDDEN_HERE: &[libc::c_long] =
    &[libc::SYS_ioperm, libc::SYS_iopl, libc::SYS_modify_ldt, libc::SYS__sysctl, libc::SYS_uselib];
#[cfg(target_arch = "aarch64")]
const FORBIDDEN_HERE: &[libc::c_long] = &[];

/// The zygote itself needs these behind walls, where a program has no right to them anyway.
const FORBIDDEN_IN_PLAIN: &[libc::c_long] = &[libc::SYS_mount, libc::SYS_umount2];

/// Change who may do what with a file, or what is known of it. Landlock does not rule these, so to the judge's own user
/// they would be open on all that this user owns, as far as the file system goes.
const CHANGES_OF_FILES: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
];
#[cfg(target_arch = "x86_64")]
const CHANGES_OF_FILES_HERE: &[libc::c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
];
#[cfg(target_arch = "aarch64")]
const CHANGES_OF_FILES_HERE: &[libc::c_long] = &[];
/// Numbers that are the same everywhere, of calls since Linux 6.5 to 6.17.
const CACHESTAT: libc::c_long = 451;
const OPEN_TREE_ATTR: libc::c_long = 467;
const FCHMODAT2: libc::c_long = 452;
const SETXATTRAT: libc::c_long = 463;
const REMOVEXATTRAT: libc::c_long = 466;
const FILE_SETATTR: libc::c_long = 469;
/// The same by `ioctl`: `FS_IOC_SETFLAGS`, for short and long words, and `FS_IOC_FSSETXATTR`.
const CHANGES_BY_IOCTL: [u32; 3] = [0x4008_6602, 0x4004_6602, 0x401C_5820];

/// Requests of `fcntl` for locks, leases and notices. Files that all programs see would carry messages between two that
/// run at once, and a lease keeps everybody else waiting.
const LOCKS: [libc::c_int; 8] = [
    libc::F_GETLK,
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_OFD_GETLK,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
    libc::F_SETLEASE,
    libc::F_NOTIFY,
];

/// Requests of `fcntl` for how long what is written to a file is likely to live. Nobody needs them, and the kernel keeps
/// the answer with a file that can only be read, for whoever asks later.
const HINTS: [libc::c_int; 4] = [F_GET_RW_HINT, F_SET_RW_HINT, F_GET_FILE_RW_HINT, F_SET_FILE_RW_HINT];
const F_GET_RW_HINT: libc::c_int = 1035;
const F_SET_RW_HINT: libc::c_int = 1036;
const F_GET_FILE_RW_HINT: libc::c_int = 1037;
const F_SET_FILE_RW_HINT: libc::c_int = 1038;

/// Wait until what was written is on the disk. Nothing of a run outlives it, and a file that can only be read is enough to
/// have the disk write out all that it has, again and again, while everybody else waits: answered as if it were done.
const TO_THE_DISK: &[libc::c_long] = &[libc::SYS_fsync, libc::SYS_fdatasync, SYNC_FILE_RANGE];
#[cfg(target_arch = "x86_64")]
const SYNC_FILE_RANGE: libc::c_long = libc::SYS_sync_file_range;
#[cfg(target_arch = "aarch64")]
const SYNC_FILE_RANGE: libc::c_long = 84;

/// Has other programs kept off the core's other thread.
const PR_SCHED_CORE: u32 = 62;

/// Calls whose first argument is a process. A program needs them, if at all, for itself, which is 0; others of its user
/// are the judge and, without walls, all that this user runs.
const FOR_ITSELF: &[libc::c_long] = &[
    libc::SYS_prlimit64,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
];
/// The same, where the first argument says what the second is: a process, that is.
const FOR_ITSELF_AS_PROCESS: [(libc::c_long, u32); 2] =
    [(libc::SYS_setpriority, libc::PRIO_PROCESS), (libc::SYS_ioprio_set, 1)];

/// Flags of `clone` that ask for a new space.
const NEW_SPACES: u32 = (libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP) as u32;

/// Terminal tricks: putting characters into the judge's own terminal.
const TERMINAL_TRICKS: [u32; 2] = [0x5412, 0x541C];

/// Installs the filter on this thread for good.
pub(crate) fn install(walls: Walls, kind: Kind, has_groups: bool) -> nix::Result<()> {
    let mut filter = filter(walls, kind, has_groups);
    let len = u16::try_from(filter.len()).map_err(|_| Errno::E2BIG)?;
    let program = libc::sock_fprog { len, filter: filter.as_mut_ptr() };
    // SAFETY: `program` describes `filter`, which lives across the call; the kernel copies it.
    let result = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            // Without this a program would run with slower speculation than outside.
            libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW,
            &raw const program,
        )
    };
    Errno::result(result).map(drop)
}

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// Where `struct seccomp_data` keeps the call's number, the architecture, and the low half of an argument.
const NUMBER_AT: u32 = 0;
const ARCHITECTURE_AT: u32 = 4;
const fn argument_at(index: u32) -> u32 {
    16 + 8 * index
}

const ALLOW: Instruction = step(RETURN, libc::SECCOMP_RET_ALLOW);
const KILL: Instruction = step(RETURN, libc::SECCOMP_RET_KILL_PROCESS);
/// The call is not made, and returns 0.
const DONE: Instruction = step(RETURN, libc::SECCOMP_RET_ERRNO);

const fn step(code: u16, k: u32) -> Instruction {
    Instruction { code, jt: 0, jf: 0, k }
}

/// Goes on with the next instruction if the test holds, else skips `skip` of them.
const fn test(code: u16, k: u32, skip: u8) -> Instruction {
    Instruction { code, jt: 0, jf: skip, k }
}

fn fail(errno: Errno) -> Instruction {
    step(RETURN, libc::SECCOMP_RET_ERRNO | errno as u32)
}

/// The whole filter: the call's number stays loaded from test to test.
fn filter(walls: Walls, kind: Kind, has_groups: bool) -> Vec<Instruction> {
    let mut filter = vec![
        step(LOAD, ARCHITECTURE_AT),
        Instruction { code: EQUAL, jt: 1, jf: 0, k: ARCHITECTURE },
        KILL,
        step(LOAD, NUMBER_AT),
    ];
    #[cfg(target_arch = "x86_64")]
    filter.extend([test(ANY_BIT, FOREIGN_BIT, 1), KILL]);
    let mut refuse = |calls: &[libc::c_long], errno| {
        for call in calls {
            filter.extend([test(EQUAL, *call as u32, 1), fail(errno)]);
        }
    };
    refuse(UNKNOWN, Errno::ENOSYS);
    refuse(UNKNOWN_HERE, Errno::ENOSYS);
    if !has_groups {
        refuse(UNSEEN, Errno::ENOSYS);
    }
    refuse(FORBIDDEN, Errno::EPERM);
    refuse(FORBIDDEN_HERE, Errno::EPERM);
    if walls == Walls::Plain {
        refuse(FORBIDDEN_IN_PLAIN, Errno::EPERM);
    }
    if kind != Kind::Tool {
        refuse(&[libc::SYS_flock], Errno::ENOLCK);
    }
    if kind == Kind::ProgramOfJudge {
        refuse(CHANGES_OF_FILES, Errno::EPERM);
        refuse(CHANGES_OF_FILES_HERE, Errno::EPERM);
    }
    // Without walls the services that listen in the file system, such as the user's own service manager, would do
    // anything for a program of that user. Behind them a name would be a message: the network space outlives the run, and
    // sockets that only hold each other outlive whoever made them. What needs no name, `socketpair`, is left.
    if walls == Walls::Plain || kind != Kind::Tool {
        refuse(&[libc::SYS_socket], Errno::EAFNOSUPPORT);
        refuse(&[libc::SYS_bind], Errno::EPERM);
    }
    if walls != Walls::Plain {
        // Some schedulers give each session an equal share of the cores: a run that opened many would leave its neighbours
        // next to nothing. Without walls each program has to open its own.
        filter.extend([test(EQUAL, libc::SYS_setsid as u32, 1), DONE]);
    }
    for call in TO_THE_DISK {
        filter.extend([test(EQUAL, *call as u32, 1), DONE]);
    }
    when(&mut filter, libc::SYS_msync, 2, &[test(ANY_BIT, libc::MS_SYNC as u32, 1), DONE]);
    when(&mut filter, libc::SYS_prctl, 0, &[test(EQUAL, PR_SCHED_CORE, 1), fail(Errno::EINVAL)]);
    for call in [libc::SYS_socket, libc::SYS_socketpair] {
        when(&mut filter, call, 0, &only(libc::AF_UNIX as u32, Errno::EAFNOSUPPORT));
    }
    if !has_groups {
        // What lies in it would be seen by nobody, and some systems let it grow to megabytes.
        let larger = libc::SO_SNDBUF as u32;
        when(&mut filter, libc::SYS_setsockopt, 2, &[test(EQUAL, larger, 1), fail(Errno::EPERM)]);
    }
    // Pages that the machine keeps for who asks by name are counted by no group and are part of nobody's resident size.
    let huge = libc::MAP_HUGETLB as u32;
    when(&mut filter, libc::SYS_mmap, 3, &[test(ANY_BIT, huge, 1), fail(Errno::ENOMEM)]);
    when(&mut filter, libc::SYS_memfd_create, 1, &[test(ANY_BIT, libc::MFD_HUGETLB, 1), fail(Errno::ENOMEM)]);
    when_about_others(&mut filter);
    // Programs and libraries that others run would have to be read from the disk again.
    let forgetting = libc::POSIX_FADV_DONTNEED as u32;
    when(&mut filter, libc::SYS_fadvise64, 3, &[test(EQUAL, forgetting, 1), fail(Errno::EPERM)]);
    // Behind walls the zygote makes spaces of its own; without the right to them a program only gets a user space.
    let spaces = if walls == Walls::Plain { NEW_SPACES } else { libc::CLONE_NEWUSER as u32 };
    when(&mut filter, libc::SYS_clone, 0, &[test(ANY_BIT, spaces, 1), fail(Errno::EPERM)]);
    let not_to_judge: &[u32] = if kind == Kind::ProgramOfJudge { &CHANGES_BY_IOCTL } else { &[] };
    let requests = TERMINAL_TRICKS.iter().chain(not_to_judge);
    let requests: Vec<_> =
        requests.flat_map(|request| [test(EQUAL, *request, 1), fail(Errno::EPERM)]).collect();
    when(&mut filter, libc::SYS_ioctl, 1, &requests);
    let locks: &[libc::c_int] = if kind == Kind::Tool { &[] } else { &LOCKS };
    let locks = locks.iter().map(|lock| [test(EQUAL, *lock as u32, 1), fail(Errno::ENOLCK)]);
    let hints = HINTS.iter().map(|hint| [test(EQUAL, *hint as u32, 1), fail(Errno::EINVAL)]);
    when(&mut filter, libc::SYS_fcntl, 1, &locks.chain(hints).flatten().collect::<Vec<_>>());
    if walls == Walls::Plain {
        // Everybody at once would be the judge too.
        when(&mut filter, libc::SYS_kill, 0, &[test(EQUAL, u32::MAX, 1), fail(Errno::EPERM)]);
    }
    filter.push(ALLOW);
    filter
}

/// Lets the calls that change how a process is run through for the caller itself alone.
fn when_about_others(filter: &mut Vec<Instruction>) {
    for call in FOR_ITSELF {
        when(filter, *call, 0, &only(0, Errno::EPERM));
    }
    for (call, process) in FOR_ITSELF_AS_PROCESS {
        let [is_process, refused] = only(process, Errno::EPERM);
        let [is_itself, too] = only(0, Errno::EPERM);
        when(filter, call, 0, &[is_process, refused, step(LOAD, argument_at(1)), is_itself, too]);
    }
}

/// Tests that let one value pass.
fn only(value: u32, errno: Errno) -> [Instruction; 2] {
    [Instruction { code: EQUAL, jt: 1, jf: 0, k: value }, fail(errno)]
}

/// For `call`, loads an argument, applies `tests`, and allows what passes them.
fn when(filter: &mut Vec<Instruction>, call: libc::c_long, argument: u32, tests: &[Instruction]) {
    let skip = u8::try_from(tests.len() + 2).unwrap_or(u8::MAX);
    filter.extend([test(EQUAL, call as u32, skip), step(LOAD, argument_at(argument))]);
    filter.extend_from_slice(tests);
    filter.push(ALLOW);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter answers, by going through it as the kernel would.
    fn answer(walls: Walls, architecture: u32, number: libc::c_long, arguments: [u32; 2]) -> u32 {
        answer_to(Kind::Program, walls, architecture, number, arguments)
    }

    fn answer_to(
        kind: Kind,
        walls: Walls,
        architecture: u32,
        number: libc::c_long,
        arguments: [u32; 2],
    ) -> u32 {
        let filter = filter(walls, kind, walls != Walls::Pooled);
        let (mut at, mut loaded) = (0, 0);
        loop {
            let now = filter[at];
            at += 1;
            match now.code {
                LOAD => {
                    loaded = match now.k {
                        NUMBER_AT => number as u32,
                        ARCHITECTURE_AT => architecture,
                        offset => arguments[(offset as usize - 16) / 8],
                    };
                }
                EQUAL => at += usize::from(if loaded == now.k { now.jt } else { now.jf }),
                ANY_BIT => at += usize::from(if loaded & now.k != 0 { now.jt } else { now.jf }),
                _ => return now.k,
            }
        }
    }

    fn errno(errno: Errno) -> u32 {
        libc::SECCOMP_RET_ERRNO | errno as u32
    }

    #[test]
    fn calls_get_the_answers_that_were_decided() {
        let allow = libc::SECCOMP_RET_ALLOW;
        for walls in [Walls::Plain, Walls::Pooled, Walls::Strict] {
            let of = |number, first, second| answer(walls, ARCHITECTURE, number, [first, second]);
            assert_eq!(of(libc::SYS_read, 0, 0), allow);
            assert_eq!(of(libc::SYS_io_uring_setup, 0, 0), errno(Errno::ENOSYS));
            assert_eq!(of(libc::SYS_ptrace, 0, 0), errno(Errno::EPERM));
            assert_eq!(of(libc::SYS_socket, libc::AF_INET as u32, 0), errno(Errno::EAFNOSUPPORT));
            assert_eq!(of(libc::SYS_socketpair, libc::AF_UNIX as u32, 0), allow);
            assert_eq!(of(libc::SYS_clone, libc::CLONE_VM as u32, 0), allow);
            assert_eq!(of(libc::SYS_clone, libc::CLONE_NEWUSER as u32, 0), errno(Errno::EPERM));
            assert_eq!(of(libc::SYS_ioctl, 0, 0x5412), errno(Errno::EPERM));
            assert_eq!(of(libc::SYS_ioctl, 0, 0x5413), allow);
            assert_eq!(of(100_000, 0, 0), allow);
            assert_eq!(of(libc::SYS_fsync, 0, 0), libc::SECCOMP_RET_ERRNO);
            assert_eq!(of(libc::SYS_fcntl, 0, F_SET_RW_HINT as u32), errno(Errno::EINVAL));
            for call in FOR_ITSELF {
                assert_eq!((of(*call, 0, 7), of(*call, 7, 0)), (allow, errno(Errno::EPERM)), "call {call}");
            }
            let setpriority = |which, who| of(libc::SYS_setpriority, which, who);
            assert_eq!(setpriority(libc::PRIO_PROCESS, 0), allow);
            assert_eq!(setpriority(libc::PRIO_PROCESS, 7), errno(Errno::EPERM));
            assert_eq!(setpriority(libc::PRIO_USER, 0), errno(Errno::EPERM));
        }
        let kill_all = |walls| answer(walls, ARCHITECTURE, libc::SYS_kill, [u32::MAX, 9]);
        assert_eq!((kill_all(Walls::Plain), kill_all(Walls::Strict)), (errno(Errno::EPERM), allow));
        let socket = |walls| answer(walls, ARCHITECTURE, libc::SYS_socket, [libc::AF_UNIX as u32, 0]);
        assert_eq!([Walls::Plain, Walls::Strict].map(socket), [errno(Errno::EAFNOSUPPORT); 2]);
        let of_tool = [libc::AF_UNIX as u32, 0];
        let of_tool = answer_to(Kind::Tool, Walls::Strict, ARCHITECTURE, libc::SYS_socket, of_tool);
        assert_eq!(of_tool, allow);
        let memory = |walls| answer(walls, ARCHITECTURE, libc::SYS_memfd_create, [0, 0]);
        let huge = answer(Walls::Strict, ARCHITECTURE, libc::SYS_memfd_create, [0, libc::MFD_HUGETLB]);
        assert_eq!(huge, errno(Errno::ENOMEM));
        // The pooled filter here is one for a machine without groups.
        assert_eq!((memory(Walls::Strict), memory(Walls::Pooled)), (allow, errno(Errno::ENOSYS)));
        let session = |walls| answer(walls, ARCHITECTURE, libc::SYS_setsid, [0, 0]);
        assert_eq!((session(Walls::Plain), session(Walls::Strict)), (allow, libc::SECCOMP_RET_ERRNO));
        let mount = |walls| answer(walls, ARCHITECTURE, libc::SYS_mount, [0, 0]);
        assert_eq!((mount(Walls::Plain), mount(Walls::Strict)), (errno(Errno::EPERM), allow));
    }

    #[test]
    fn what_a_program_is_decides_about_modes_and_locks() {
        let of = |kind, number, second| answer_to(kind, Walls::Plain, ARCHITECTURE, number, [0, second]);
        let (allow, refused, unlocked) = (libc::SECCOMP_RET_ALLOW, errno(Errno::EPERM), errno(Errno::ENOLCK));
        for call in CHANGES_OF_FILES.iter().chain(CHANGES_OF_FILES_HERE) {
            let answers = [Kind::Tool, Kind::Program, Kind::ProgramOfJudge].map(|kind| of(kind, *call, 0));
            assert_eq!(answers, [allow, allow, refused], "call {call}");
        }
        for request in CHANGES_BY_IOCTL {
            let answers = [Kind::Tool, Kind::ProgramOfJudge].map(|kind| of(kind, libc::SYS_ioctl, request));
            assert_eq!(answers, [allow, refused], "{request:x}");
        }
        for kind in [Kind::Program, Kind::ProgramOfJudge] {
            assert_eq!(of(kind, libc::SYS_flock, 0), unlocked);
            assert_eq!(of(kind, libc::SYS_fcntl, libc::F_SETLK as u32), unlocked);
            assert_eq!(of(kind, libc::SYS_fcntl, libc::F_GETFD as u32), allow);
        }
        assert_eq!(of(Kind::Tool, libc::SYS_flock, 0), allow);
        assert_eq!(of(Kind::Tool, libc::SYS_fcntl, libc::F_SETLK as u32), allow);
    }

    #[test]
    fn foreign_architectures_are_killed() {
        let kill = libc::SECCOMP_RET_KILL_PROCESS;
        assert_eq!(answer(Walls::Strict, 0x4000_0003, libc::SYS_read, [0, 0]), kill);
        #[cfg(target_arch = "x86_64")]
        assert_eq!(answer(Walls::Strict, ARCHITECTURE, 0x4000_0000, [0, 0]), kill);
    }
}
