//! The door between judge slots and the store: all that a slot may do to the contest. Judge hosts on other machines come
//! through the same one.

use std::sync::Arc;

use crate::store::{Claim, Finish, Finished, Lane, Lease, SmallestInput, Store, StoreError};

/// Jobs to be taken, kept and ended.
#[derive(Clone)]
pub struct Queue {
    store: Arc<Store>,
}

impl Queue {
    /// The jobs of this store.
    pub fn new(store: Arc<Store>) -> Self {
        Self { store }
    }

    /// Takes the next job in `lowest` lane or a more urgent one: see [`Store::claim`].
    ///
    /// # Errors
    /// When the disk fails.
    pub fn claim(&self, slot: &str, lowest: Lane, mono_ms: u64) -> Result<Option<Claim>, StoreError> {
        self.store.claim(slot, lowest, mono_ms)
    }

    /// Says that somebody still works at this; whether the lease is good.
    pub fn heartbeat(&self, lease: Lease, mono_ms: u64) -> bool {
        self.store.heartbeat(lease, mono_ms)
    }

    /// Records a verdict: see [`Store::finish`].
    ///
    /// # Errors
    /// When the disk fails; it may be tried again.
    pub fn finish(&self, lease: Lease, finish: &Finish, at_ms: i64) -> Result<Finished, StoreError> {
        self.store.finish(lease, finish, at_ms)
    }

    /// Records a smallest failing input, or that there is none to be had; whether the lease was good.
    ///
    /// # Errors
    /// When the disk fails; it may be tried again.
    pub fn finish_smallest(
        &self,
        lease: Lease,
        found: Option<&SmallestInput>,
        at_ms: i64,
    ) -> Result<bool, StoreError> {
        self.store.finish_smallest(lease, found, at_ms)
    }

    /// Gives a job back that was not done, through nobody's fault; whether the lease was good.
    ///
    /// # Errors
    /// When the disk fails; the lease runs out by itself then.
    pub fn release(&self, lease: Lease) -> Result<bool, StoreError> {
        self.store.release(lease)
    }

    /// Gives a job back because the judge failed; whether the lease was good.
    ///
    /// # Errors
    /// When the disk fails; the lease runs out by itself then.
    pub fn give_back(&self, lease: Lease, trouble: &str, at_ms: i64) -> Result<bool, StoreError> {
        self.store.give_back(lease, trouble, at_ms)
    }
}
