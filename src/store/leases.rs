//! Who works at what, and until when. A lease lives in memory and runs out by the monotonic clock; the database holds its
//! epoch, a number that is never given twice, not by a later process either. So a process that dies takes all its leases
//! with it, and whoever finishes late is told so.

use std::cell::Cell;
use std::collections::BTreeMap;

use rusqlite::Connection;

use crate::store::{JobId, Lease, Store, StoreError, queue};

/// A lease runs out if nothing is heard of its slot for so long.
pub const LEASE_MS: u64 = 15_000;
/// How often a job is tried before staff are asked.
pub const MAX_ATTEMPTS: u32 = 3;
/// How often whole processes may end under a job, among others that are no more to blame, before it is suspected: then it
/// goes behind all others of its lane and is done alone, so that no other one is hit.
pub(super) const SUSPECT_DEATHS: u32 = 3;
/// How often in all before staff are asked: the last three times it was alone.
pub(super) const MAX_DEATHS: u32 = 6;

/// Epochs of one process; no process hands out as many.
const EPOCHS_OF_A_PROCESS: i64 = 1 << 32;

struct Held {
    epoch: i64,
    until_mono_ms: u64,
}

/// The leases of this process.
pub(super) struct Leases {
    held: BTreeMap<JobId, Held>,
    next_epoch: Cell<i64>,
}

/// What becomes of a lease once the transaction is on disk.
pub(super) enum Change {
    /// It is given out.
    Take { lease: Lease, until_mono_ms: u64 },
    /// It is over.
    End(Lease),
}

impl Leases {
    /// None yet; its epochs are after all that any process before has given out.
    pub(super) fn of_new_process(connection: &mut Connection) -> Result<Self, StoreError> {
        let openings: i64 = connection.query_row(
            "UPDATE life SET openings = openings + 1 RETURNING openings",
            (),
            |row| row.get(0),
        )?;
        Ok(Self {
            held: BTreeMap::new(),
            next_epoch: Cell::new(openings.saturating_mul(EPOCHS_OF_A_PROCESS)),
        })
    }

    /// A number that nobody has had.
    pub(super) fn new_epoch(&self) -> i64 {
        let epoch = self.next_epoch.get();
        self.next_epoch.set(epoch + 1);
        epoch
    }

    pub(super) fn apply(&mut self, changes: Vec<Change>) {
        for change in changes {
            match change {
                Change::Take { lease, until_mono_ms } => {
                    self.held.insert(lease.job, Held { epoch: lease.epoch, until_mono_ms });
                }
                // Of a lease that ran out another one may have come.
                Change::End(lease) => {
                    if self.held.get(&lease.job).is_some_and(|held| held.epoch == lease.epoch) {
                        self.held.remove(&lease.job);
                    }
                }
            }
        }
    }

    fn overdue(&self, mono_ms: u64) -> Vec<Lease> {
        let overdue = self.held.iter().filter(|(_, held)| held.until_mono_ms <= mono_ms);
        overdue.map(|(job, held)| Lease { job: *job, epoch: held.epoch }).collect()
    }
}

impl Store {
    /// Says that somebody still works at this. Whether that is so: a lease that ran out, or whose job is gone, is not
    /// worth working for.
    pub fn heartbeat(&self, lease: Lease, mono_ms: u64) -> bool {
        let mut writer = self.writer();
        match writer.leases.held.get_mut(&lease.job) {
            Some(held) if held.epoch == lease.epoch => {
                held.until_mono_ms = mono_ms.saturating_add(LEASE_MS);
                true
            }
            _ => false,
        }
    }

    /// Takes back leases that have run out: their jobs are queued again, or quarantined after [`MAX_ATTEMPTS`]. Says how
    /// many there were.
    ///
    /// # Errors
    /// When the disk fails; they are still overdue then.
    pub fn expire(&self, mono_ms: u64, at_ms: i64) -> Result<usize, StoreError> {
        let overdue = self.writer().leases.overdue(mono_ms);
        if overdue.is_empty() {
            return Ok(0);
        }
        self.write(|write| {
            // A heartbeat may have come in between.
            let overdue = write.leases.overdue(mono_ms);
            for lease in &overdue {
                queue::take_back(write, *lease, "its judge slot fell silent", at_ms)?;
            }
            Ok(overdue.len())
        })
    }
}
