//! The child side of a run: between `clone` and `execve`, in memory shared with the zygote, which waits meanwhile.
//!
//! Nothing here may allocate, lock, panic or return: only raw system calls on data that [`Plan::new`] made ready.
#![expect(unsafe_code, reason = "the child runs on a borrowed address space and speaks raw system calls")]

use std::cell::Cell;
use std::ffi::{CStr, CString};
use std::os::fd::{IntoRawFd as _, OwnedFd, RawFd};
use std::ptr;

use nix::errno::Errno;

use super::landlock;
use super::step::Step;
use crate::sandbox::wire::{Refusal, Request};

/// Descriptors 0 to 4 of the program; the zygote keeps numbers below this one occupied, so that what arrives lies
/// above and can be moved down without treading on itself.
pub(crate) const FIRST_FREE: RawFd = 5;

/// Where a process says how ready it is to die when memory runs out.
pub(crate) const SCORE: &CStr = c"/proc/self/oom_score_adj";
/// Whoever must die of want of memory, let it be the program.
pub(crate) const FIRST_TO_DIE: &[u8] = b"1000";

/// Everything the child needs, laid out before it exists.
pub(crate) struct Plan {
    program: CString,
    folder: CString,
    argv: Vec<*const libc::c_char>,
    envp: Vec<*const libc::c_char>,
    /// Own the strings that `argv` and `envp` point to.
    _strings: Vec<CString>,
    rlimits: Vec<(u32, libc::rlimit)>,
    descriptors: Vec<RawFd>,
    are_closed: Cell<bool>,
    user: Option<u32>,
    ruleset: Option<RawFd>,
    /// The process whose death ends the child's.
    pub(crate) parent: libc::pid_t,
    /// Whether the child needs a session to have a group of processes that nobody else can be in.
    pub(crate) needs_session: bool,
    /// Whether the child has come with the score of those that are killed first for want of memory.
    pub(crate) has_score: bool,
    /// Set by the child when a step fails.
    failed: Cell<Option<Refusal>>,
}

impl Plan {
    /// Lays everything out; `None` when a string holds a NUL byte.
    pub(crate) fn new(request: Request, descriptors: Vec<OwnedFd>, ruleset: Option<RawFd>) -> Option<Self> {
        let args = request.args.into_iter().map(CString::new).collect::<Result<Vec<_>, _>>().ok()?;
        let env = request.env.into_iter().map(CString::new).collect::<Result<Vec<_>, _>>().ok()?;
        let pointers =
            |list: &[CString]| list.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect::<Vec<_>>();
        Some(Self {
            program: CString::new(request.program).ok()?,
            folder: CString::new(request.folder).ok()?,
            argv: pointers(&args),
            envp: pointers(&env),
            _strings: args.into_iter().chain(env).collect(),
            rlimits: request
                .rlimits
                .into_iter()
                .map(|(resource, value)| (resource, bounded(value)))
                .collect(),
            descriptors: descriptors.into_iter().map(OwnedFd::into_raw_fd).collect(),
            are_closed: Cell::new(false),
            user: request.user,
            ruleset,
            parent: 0,
            needs_session: true,
            has_score: false,
            failed: Cell::new(None),
        })
    }

    /// Closes the program's descriptors in the process that started it, once: the pipes must end when the program
    /// ends them, not when the sandbox does.
    pub(crate) fn close_descriptors(&self) {
        if !self.are_closed.replace(true) {
            for descriptor in &self.descriptors {
                // SAFETY: the plan was given them for good.
                unsafe { libc::close(*descriptor) };
            }
        }
    }

    /// The step that failed, if the child got no further.
    pub(crate) fn failed(&self) -> Option<Refusal> {
        self.failed.get()
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        self.close_descriptors();
    }
}

fn bounded(value: u64) -> libc::rlimit {
    libc::rlimit { rlim_cur: value, rlim_max: value }
}

/// Starts a child that executes `plan`'s program, and returns when it has, or has failed to.
pub(crate) fn start(plan: &Plan, stack: &mut Stack) -> nix::Result<libc::pid_t> {
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    let argument: *const Plan = plan;
    // SAFETY: CLONE_VFORK keeps this process still while the child uses its memory, `stack` and `plan` included, and
    // `enter` keeps to the rules of this module.
    let pid = unsafe { libc::clone(enter, stack.top(), flags, argument.cast_mut().cast()) };
    Errno::result(pid)
}

/// Where a child's frames live until it executes: a handful.
pub(crate) struct Stack(Vec<u128>);

impl Stack {
    const BYTES: usize = 64 << 10;

    pub(crate) fn new() -> Self {
        Self(vec![0; Self::BYTES / size_of::<u128>()])
    }

    pub(crate) fn top(&mut self) -> *mut libc::c_void {
        self.0.as_mut_ptr_range().end.cast()
    }
}

/// The child's whole life; `plan` points to a live [`Plan`].
extern "C" fn enter(plan: *mut libc::c_void) -> libc::c_int {
    // SAFETY: only `start` refers to this function, and hands it a plan that outlives the call.
    let plan = unsafe { &*plan.cast::<Plan>() };
    // SAFETY: as `start` promises, this is a fresh process whose parent waits.
    let (step, errno) = unsafe { steps(plan) };
    plan.failed.set(Some(Refusal { step: step as u8, errno }));
    // SAFETY: ends this process and nothing else; no destructor of the parent's runs.
    unsafe { libc::_exit(127) }
}

/// Goes from step to step; comes back only with the one that failed.
///
/// # Safety
/// The caller is a fresh process whose parent waits until it has executed or ended (`CLONE_VFORK`).
unsafe fn steps(plan: &Plan) -> (Step, libc::c_int) {
    macro_rules! attempt {
        ($step:expr, $call:expr) => {
            if $call < 0 {
                return ($step, *libc::__errno_location());
            }
        };
    }
    // SAFETY: each call takes numbers or pointers into `plan`, which outlives this process's use of it.
    unsafe {
        // A session costs the scheduler a group of its own. In a space of processes there is no other group to join.
        attempt!(Step::Session, if plan.needs_session { libc::setsid() } else { libc::setpgid(0, 0) });
        libc::prctl(libc::PR_SET_DUMPABLE, 1, 0, 0, 0);
        if !plan.has_score {
            let score = libc::open(SCORE.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
            if score >= 0 {
                libc::write(score, FIRST_TO_DIE.as_ptr().cast(), FIRST_TO_DIE.len());
            }
        }
        for (target, source) in (0..).zip(&plan.descriptors) {
            attempt!(Step::Descriptors, libc::dup2(*source, target));
        }
        // Everything else already closes on exec; this is the second lock. Kernels before 5.11 lack it.
        libc::syscall(libc::SYS_close_range, FIRST_FREE, u32::MAX, libc::CLOSE_RANGE_CLOEXEC);
        for (resource, limit) in &plan.rlimits {
            if libc::setrlimit(*resource, limit) < 0 {
                attempt!(Step::Limits, lower(*resource, limit));
            }
        }
        libc::umask(0o022);
        attempt!(Step::Privileges, lock_root_out());
        if let Some(user) = plan.user {
            attempt!(Step::User, libc::syscall(libc::SYS_setgroups, 0, ptr::null::<libc::gid_t>()));
            attempt!(Step::User, libc::syscall(libc::SYS_setresgid, user, user, user));
            attempt!(Step::User, libc::syscall(libc::SYS_setresuid, user, user, user));
        }
        attempt!(Step::Folder, libc::chdir(plan.folder.as_ptr()));
        attempt!(Step::Privileges, drop_capabilities());
        attempt!(Step::NoNewPrivileges, libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
        if let Some(ruleset) = plan.ruleset {
            attempt!(Step::Landlock, landlock::restrict_self(ruleset));
        }
        // After the change of user, which clears it.
        attempt!(Step::ParentDeath, libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0));
        if libc::getppid() != plan.parent {
            return (Step::ParentDeath, libc::ESRCH);
        }
        let mut none = std::mem::zeroed::<libc::sigset_t>();
        libc::sigemptyset(&raw mut none);
        attempt!(Step::Signals, libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut()));
        libc::execve(plan.program.as_ptr(), plan.argv.as_ptr(), plan.envp.as_ptr());
        (Step::Execute, *libc::__errno_location())
    }
}

/// A limit above the hard one that is in force: takes that one.
///
/// # Safety
/// None beyond raw system calls.
unsafe fn lower(resource: u32, wanted: &libc::rlimit) -> libc::c_int {
    // SAFETY: both structures live on this stack.
    unsafe {
        let mut now = std::mem::zeroed::<libc::rlimit>();
        if libc::getrlimit(resource, &raw mut now) < 0 {
            return -1;
        }
        let value = wanted.rlim_cur.min(now.rlim_max);
        let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
        libc::setrlimit(resource, &raw const limit)
    }
}

/// `SECBIT_NOROOT`, `SECBIT_NO_SETUID_FIXUP`, `SECBIT_NO_CAP_AMBIENT_RAISE`, each with its lock, and the lock of
/// `SECBIT_KEEP_CAPS`.
const SECURE_BITS: libc::c_ulong = 0b1110_1111;

/// Takes from user 0 what makes it special. Without `CAP_SETPCAP` there is nothing to take.
///
/// # Safety
/// None beyond raw system calls.
unsafe fn lock_root_out() -> libc::c_int {
    // SAFETY: numbers only.
    unsafe {
        if libc::prctl(libc::PR_SET_SECUREBITS, SECURE_BITS, 0, 0, 0) < 0 {
            return if *libc::__errno_location() == libc::EPERM { 0 } else { -1 };
        }
        0
    }
}

/// Takes every capability out of what programs could ever get back. Done once by the zygote, whose own it leaves.
pub(crate) fn drop_bounding_set() {
    /// Capabilities that exist are fewer than this.
    const CAPABILITIES: libc::c_ulong = 64;
    for capability in 0..CAPABILITIES {
        // SAFETY: numbers only.
        if unsafe { libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) } < 0 {
            break;
        }
    }
}

/// Empties the permitted, effective and inheritable sets.
///
/// # Safety
/// None beyond raw system calls.
unsafe fn drop_capabilities() -> libc::c_int {
    /// `_LINUX_CAPABILITY_VERSION_3`.
    const VERSION: u32 = 0x2008_0522;
    let header = [VERSION, 0];
    let sets = [0_u32; 6];
    // SAFETY: the kernel reads a header of two words and two structures of three.
    unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), sets.as_ptr()) as libc::c_int }
}
