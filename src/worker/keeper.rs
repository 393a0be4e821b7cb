//! Looks after leases: says that slots are alive, takes back what others let go, and finds what has been forgotten.

use std::time::Duration;

use crate::store::LEASE_MS;
use crate::worker::Notice;
use crate::worker::slots::Shared;

/// How often it looks. A lease outlives some looks that come late.
const EVERY: Duration = Duration::from_millis(LEASE_MS / 10);
/// The same while the last jobs end.
const WHILE_STOPPING: Duration = Duration::from_millis(50);
/// How often it looks for what has been forgotten.
const SWEEP_MS: u64 = 60_000;
/// A slot that has told nothing for so long hangs, though every phase of grading has a limit of its own: longer than the
/// longest run that may be allowed.
pub(super) const SILENT_MS: u64 = 3 * 3_600_000;

pub(super) fn run(shared: &Shared) {
    let clock = shared.options.clock.clone();
    let mut swept_mono_ms = (clock.mono_ms)();
    // To the end, so that the last jobs keep their leases.
    while !shared.is_stopping() || !shared.busy().is_empty() {
        let mono_ms = (clock.mono_ms)();
        for busy in shared.busy() {
            if mono_ms.saturating_sub(busy.heard_mono_ms) < SILENT_MS {
                shared.store.heartbeat(busy.lease, mono_ms);
            }
        }
        let trouble = match shared.store.expire(mono_ms, (clock.now_ms)()) {
            Ok(0) => None,
            Ok(count) => Some(format!("{count} judge slots fell silent; their jobs are tried again")),
            Err(error) => Some(format!("cannot take a job back: {error}")),
        };
        tell(shared, trouble);
        if mono_ms.saturating_sub(swept_mono_ms) >= SWEEP_MS {
            swept_mono_ms = mono_ms;
            let trouble = match shared.store.sweep((clock.now_ms)()) {
                Ok(swept) if swept.orphans == 0 => None,
                Ok(swept) => Some(format!("{} submissions had no job and have one now", swept.orphans)),
                Err(error) => Some(format!("cannot look for lost submissions: {error}")),
            };
            tell(shared, trouble);
        }
        if shared.is_stopping() {
            std::thread::sleep(WHILE_STOPPING);
        } else {
            shared.rest(EVERY);
        }
    }
}

fn tell(shared: &Shared, trouble: Option<String>) {
    if let Some(trouble) = trouble {
        shared.tell(Notice::Trouble(trouble));
    }
}
