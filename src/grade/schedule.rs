//! Cores as permits: at most as many measured runs at once as there are cores, and a run that is to be measured well
//! has the machine to itself. Never runs anything.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The cores that measured runs share.
#[derive(Debug)]
pub struct Cores {
    total: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    free: usize,
    /// How many wait for all cores; while there are any, no single core is handed out, or they would wait for ever.
    waiting_for_all: usize,
    /// Counts the permits handed out, so that a permit can tell whether another one came after it.
    handed_out: u64,
}

/// The right to run one thing. Gives its cores back when dropped.
#[derive(Debug)]
pub struct Permit<'a> {
    cores: &'a Cores,
    held: usize,
    began_alone: bool,
    number: u64,
}

impl Cores {
    /// `total` cores, at least one.
    pub fn new(total: usize) -> Self {
        let total = total.max(1);
        let state = State { free: total, waiting_for_all: 0, handed_out: 0 };
        Self { total, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Waits for one core.
    pub fn one(&self) -> Permit<'_> {
        let mut state = self.lock();
        while state.free == 0 || state.waiting_for_all > 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.hand_out(&mut state, 1)
    }

    /// Waits until nothing runs, and lets nothing start before the permit is dropped.
    pub fn all(&self) -> Permit<'_> {
        let mut state = self.lock();
        state.waiting_for_all += 1;
        while state.free < self.total {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting_for_all -= 1;
        self.hand_out(&mut state, self.total)
    }

    fn hand_out(&self, state: &mut State, held: usize) -> Permit<'_> {
        let began_alone = state.free == self.total;
        state.free -= held;
        state.handed_out += 1;
        Permit { cores: self, held, began_alone, number: state.handed_out }
    }

    // Counting can't be left half done, so a panic elsewhere does no harm here.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit<'_> {
    /// Whether no other permit was held at any time since this one was handed out.
    pub fn was_alone(&self) -> bool {
        self.began_alone && self.cores.lock().handed_out == self.number
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.cores.lock().free += self.held;
        self.cores.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn never_more_at_once_than_cores_and_alone_means_alone() {
        let (cores, running) = (Cores::new(3), AtomicUsize::new(0));
        thread::scope(|scope| {
            for worker in 0..8 {
                let (cores, running) = (&cores, &running);
                scope.spawn(move || {
                    for round in 0..50 {
                        if (worker + round) % 5 == 0 {
                            let _permit = cores.all();
                            assert_eq!(running.fetch_add(1, Ordering::SeqCst), 0);
                            running.fetch_sub(1, Ordering::SeqCst);
                        } else {
                            let _permit = cores.one();
                            assert!(running.fetch_add(1, Ordering::SeqCst) < 3);
                            thread::yield_now();
                            running.fetch_sub(1, Ordering::SeqCst);
                        }
                    }
                });
            }
        });
        assert_eq!(cores.lock().free, 3);
    }

    #[test]
    fn a_permit_knows_whether_it_had_company() {
        let cores = Cores::new(2);
        let first = cores.one();
        assert!(first.was_alone());
        let second = cores.one();
        assert!(!first.was_alone() && !second.was_alone());
        drop(first);
        assert!(!second.was_alone());
        drop(second);
        assert!(cores.all().was_alone());
        assert!(Cores::new(0).one().was_alone());
    }
}
