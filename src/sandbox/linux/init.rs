//! The first process of a strict run's own spaces: makes its mounts, starts the program as its child (a program that
//! were first itself would get signals wrong), waits for it, and takes everything left with it when it ends.
//!
//! It runs in the zygote's memory while the zygote waits for its end, so nothing here may allocate, lock or panic.
#![expect(unsafe_code, reason = "clone into new spaces on a borrowed address space")]

use std::cell::Cell;
use std::os::fd::BorrowedFd;

use nix::errno::Errno;
use nix::sys::signalfd::SignalFd;
use nix::time::ClockId;

use super::child::{self, Plan, Stack};
use super::fresh::Fresh;
use super::step::Step;
use super::wait::{Watch, clock_ns, reap_only};
use crate::sandbox::wire::{Ending, Refusal, Reply};

/// Spaces that each run gets anew. That of IPC is a second lock: the filter lets nobody make what would be in it.
const SPACES: libc::c_int = libc::CLONE_NEWPID | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS | libc::CLONE_NEWNS;

struct Init<'a> {
    watch: Watch<'a>,
    fresh: &'a Fresh,
    /// `None` only tries whether the mounts can be made.
    plan: Option<&'a Plan>,
    stack: Cell<Option<&'a mut Stack>>,
    outcome: Cell<Option<Reply>>,
}

/// Stacks for the first process and the program's.
pub(crate) struct Stacks {
    init: Stack,
    child: Stack,
}

impl Stacks {
    pub(crate) fn new() -> Self {
        Self { init: Stack::new(), child: Stack::new() }
    }
}

/// Runs one program in spaces of its own, to the end of everything in them.
pub(crate) fn run(
    judge: BorrowedFd<'_>,
    signals: &SignalFd,
    fresh: &Fresh,
    plan: Option<&Plan>,
    stacks: &mut Stacks,
) -> Reply {
    let init = Init {
        watch: Watch { judge, signals },
        fresh,
        plan,
        stack: Cell::new(Some(&mut stacks.child)),
        outcome: Cell::new(None),
    };
    // One table of descriptors: what the new process closes must not stay open in this one.
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_FILES | libc::SIGCHLD | SPACES;
    let argument: *const Init<'_> = &raw const init;
    // SAFETY: CLONE_VFORK keeps this process still until the new one has ended, for it never executes anything; all
    // that it uses lives here meanwhile.
    let pid = unsafe { libc::clone(enter, stacks.init.top(), flags, argument.cast_mut().cast()) };
    if pid < 0 {
        return Reply::Refused(Refusal { step: Step::Clone as u8, errno: Errno::last_raw() });
    }
    let mut all = Ending::default();
    // Comes back when every process of the space is gone.
    reap_only(pid, &mut all);
    init.outcome.get().unwrap_or_else(|| {
        // Killed from outside, and the program with it.
        let ended_ns = clock_ns(ClockId::CLOCK_MONOTONIC);
        Reply::Ended(Ending { status: libc::SIGKILL, ended_ns, ..all })
    })
}

extern "C" fn enter(init: *mut libc::c_void) -> libc::c_int {
    // SAFETY: `run` hands over a structure that outlives this process.
    let init = unsafe { &*init.cast::<Init<'_>>() };
    let reply = match life(init) {
        Ok(reply) => reply,
        Err((step, errno)) => Some(Reply::Refused(Refusal { step: step as u8, errno })),
    };
    init.outcome.set(reply);
    // SAFETY: ends this process alone, and with it its spaces.
    unsafe { libc::_exit(0) }
}

/// `None` when the judge went away.
fn life(init: &Init<'_>) -> Result<Option<Reply>, (Step, libc::c_int)> {
    // SAFETY: numbers only.
    if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) } < 0 {
        return Err((Step::ParentDeath, Errno::last_raw()));
    }
    // SAFETY: this process is alone in its new mount space.
    unsafe { init.fresh.make() }?;
    let mut ending = Ending::default();
    let (Some(plan), Some(stack)) = (init.plan, init.stack.take()) else {
        return Ok(Some(Reply::Ended(ending)));
    };
    let main = child::start(plan, stack).map_err(|errno| (Step::Clone, errno as i32))?;
    plan.close_descriptors();
    if init.watch.until_gone(main, &mut ending).is_none() {
        return Ok(None);
    }
    ending.own_cpu_ns = clock_ns(ClockId::CLOCK_PROCESS_CPUTIME_ID);
    Ok(Some(plan.failed().map_or(Reply::Ended(ending), Reply::Refused)))
}
