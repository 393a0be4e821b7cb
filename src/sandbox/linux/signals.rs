//! SIGINT and SIGTERM of the judge: the first one raises a flag that every supervisor polls, the second one ends the
//! process at once. Never kills a child itself: supervisors and zygotes do.
#![expect(unsafe_code, reason = "installing a signal handler is unsafe by nature")]

use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use nix::sys::eventfd::{EfdFlags, EventFd};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

static REQUESTED: AtomicBool = AtomicBool::new(false);
static EVENT: OnceLock<EventFd> = OnceLock::new();
/// The event's number, for the handler, which must not touch the `OnceLock`.
static EVENT_NUMBER: AtomicI32 = AtomicI32::new(-1);

extern "C" fn on_signal(_: libc::c_int) {
    REQUESTED.store(true, Ordering::SeqCst);
    let one = 1_u64;
    // SAFETY: write is safe in a signal handler; the buffer is eight live bytes. errno is put back since the
    // interrupted code may be about to read it.
    unsafe {
        let errno = *libc::__errno_location();
        libc::write(EVENT_NUMBER.load(Ordering::SeqCst), (&raw const one).cast(), 8);
        *libc::__errno_location() = errno;
    }
}

/// Takes SIGINT and SIGTERM over.
pub(crate) fn install() -> nix::Result<()> {
    if EVENT.get().is_none() {
        let event = EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK)?;
        let event = EVENT.get_or_init(|| event);
        EVENT_NUMBER.store(event.as_fd().as_raw_fd(), Ordering::SeqCst);
    }
    // The second signal finds the default action, so that a judge that hangs can still be ended by hand.
    let flags = SaFlags::SA_RESTART | SaFlags::SA_RESETHAND;
    let action = SigAction::new(SigHandler::Handler(on_signal), flags, SigSet::empty());
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        // SAFETY: the handler only stores to an atomic and writes to a descriptor.
        unsafe { sigaction(signal, &action) }?;
    }
    Ok(())
}

/// Whether a signal has come.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

/// Readable for ever once a signal has come.
pub(crate) fn event() -> Option<BorrowedFd<'static>> {
    EVENT.get().map(|event| event.as_fd())
}
