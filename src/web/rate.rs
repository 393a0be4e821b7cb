//! How often somebody may do something: token buckets, by what and by whom. Counts only; never says what to do about it,
//! and gets its clock from outside.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// What is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Deed {
    /// A login tried from an address. A school may be behind one.
    LoginFrom(IpAddr),
    /// A login tried with a name.
    LoginAs(String),
    /// Any request of an address that has not logged in.
    Request(IpAddr),
}

/// So many at once, and one more each so many milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    pub(crate) burst: u32,
    pub(crate) refill_ms: u32,
}

impl Allowance {
    fn full_ms(self) -> u64 {
        u64::from(self.burst) * u64::from(self.refill_ms)
    }
}

impl Deed {
    fn allowance(&self) -> Allowance {
        match self {
            Self::LoginFrom(_) => Allowance { burst: 120, refill_ms: 500 },
            Self::LoginAs(_) => Allowance { burst: 10, refill_ms: 15_000 },
            Self::Request(_) => Allowance { burst: 600, refill_ms: 10 },
        }
    }
}

/// Buckets kept at once; when there are more, those that are full again are forgotten.
const MAX_BUCKETS: usize = 20_000;

#[derive(Clone, Copy)]
struct Bucket {
    /// What is in it, in milliseconds of filling: exact, however often it is looked at.
    filled_ms: u64,
    at_ms: i64,
}

/// The buckets.
#[derive(Default)]
pub(crate) struct Rates {
    buckets: Mutex<HashMap<Deed, Bucket>>,
}

impl Rates {
    /// Takes a token; `false` when there is none left.
    pub(crate) fn take(&self, deed: Deed, now_ms: i64) -> bool {
        let allowance = deed.allowance();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS {
            buckets.retain(|deed, bucket| {
                let allowance = deed.allowance();
                filled(*bucket, allowance, now_ms).filled_ms < allowance.full_ms()
            });
            if buckets.len() >= MAX_BUCKETS {
                // An attack from very many addresses: better to refuse those that are new than to run out of memory.
                return buckets.get(&deed).is_some();
            }
        }
        let full = Bucket { filled_ms: allowance.full_ms(), at_ms: now_ms };
        let bucket = buckets.entry(deed).or_insert(full);
        *bucket = filled(*bucket, allowance, now_ms);
        let token_ms = u64::from(allowance.refill_ms);
        let is_allowed = bucket.filled_ms >= token_ms;
        if is_allowed {
            bucket.filled_ms -= token_ms;
        }
        is_allowed
    }

    /// Gives everything back: whoever logged in was no guesser.
    pub(crate) fn forgive(&self, deed: &Deed) {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner).remove(deed);
    }
}

fn filled(bucket: Bucket, allowance: Allowance, now_ms: i64) -> Bucket {
    // A clock that was set back gives nothing, and takes nothing.
    let passed = u64::try_from(now_ms.saturating_sub(bucket.at_ms)).unwrap_or(0);
    let filled_ms = bucket.filled_ms.saturating_add(passed).min(allowance.full_ms());
    Bucket { filled_ms, at_ms: now_ms }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_emptied_and_fills_again() {
        let rates = Rates::default();
        let login = |now_ms| rates.take(Deed::LoginAs("a".to_owned()), now_ms);
        assert!((0..10).all(|_| login(0)) && !login(0));
        assert!(!login(14_000) && login(15_000) && !login(15_000));
        // Others are not concerned, and a clock that goes back does no harm.
        assert!(rates.take(Deed::LoginAs("b".to_owned()), 15_000) && !login(10_000));
        rates.forgive(&Deed::LoginAs("a".to_owned()));
        assert!(login(10_000));
    }

    #[test]
    fn memory_is_bounded() {
        let rates = Rates::default();
        for at in 0..MAX_BUCKETS + 10 {
            rates.take(Deed::LoginAs(at.to_string()), 0);
        }
        assert!(rates.buckets.lock().unwrap().len() <= MAX_BUCKETS);
        assert!(!rates.take(Deed::LoginAs("new".to_owned()), 0));
        assert!(rates.take(Deed::LoginAs("new".to_owned()), 1_000_000));
    }
}
