//! From an input on which something fails to the smallest one near it, by changes to its values: the text is never
//! cut. Knows nothing of what fails; it asks the caller, and never more often than the caller allows.
//!
//! An input is smaller than another by, in this order: how many numbers its arrays hold, the sum of their magnitudes,
//! how many are negative, the text. Every step goes to a smaller input of the model on which it still fails, so the
//! result is the same on every machine. Steps, from coarse to fine, until none helps:
//!
//! - arrays of one size lose their ends, then chunks: a half, a quarter, … one element, in step with each other;
//! - values become the ones nearest to 0, 1, the smallest and -1: all at once, by chunks, one by one, at last by
//!   halving the way;
//! - a run of equal values takes the value of a smaller neighbour;
//! - neighbours change places.
//!
//! An input that a step leaves outside the conditions of the model is mended, or the step is not taken.

mod lengths;
mod mend;
mod order;
mod values;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::{Input, Value};
use crate::problem::{InputModel, IntRange, Shape};
use order::Rank;

/// Arrays up to this length are tried element by element; longer ones only as far as that promises anything.
const FINE_LEN: usize = 64;
/// Tries in a row that may be in vain at one width of chunks, where an array is longer than [`FINE_LEN`].
const MAX_VAIN_TRIES: usize = 40;
/// Rounds through all steps.
const MAX_ROUNDS: usize = 100;

/// What the caller found out about an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// It still fails.
    Fails,
    /// It does not.
    Passes,
    /// Time is up, or the judge is at fault: what was found so far stands.
    Stop,
}

/// A shrunk input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shrunk {
    /// The smallest input that was found to fail.
    pub input: Input,
    /// How many inputs the caller was asked about.
    pub probes: usize,
    /// No step makes it smaller; `false` when the limit or the caller ended the search.
    pub is_minimal: bool,
}

/// Looks for a smaller input than `input`, which fails, asking `probe` at most `limit` times.
pub fn shrink(
    model: &InputModel,
    input: Input,
    probe: &mut dyn FnMut(&Input) -> Probe,
    limit: usize,
) -> Shrunk {
    let rank = Rank::of(&input);
    let mut search = Search { model, best: input, rank, probe, tried: HashSet::new(), limit, stopped: false };
    let mut is_settled = false;
    for _ in 0..MAX_ROUNDS {
        let before = search.best.clone();
        search.shorten();
        search.simplify();
        search.sort();
        if search.best == before {
            is_settled = true;
            break;
        }
        if search.stopped {
            break;
        }
    }
    let probes = search.tried.len();
    Shrunk { is_minimal: is_settled && !search.stopped, probes, input: search.best }
}

/// Whether `input` is in the model, after its broken conditions were mended where that is possible.
pub(crate) fn mended(model: &InputModel, input: &mut Input) -> bool {
    mend::mend(model, input)
}

struct Search<'a> {
    model: &'a InputModel,
    /// The smallest input known to fail.
    best: Input,
    rank: Rank,
    probe: &'a mut dyn FnMut(&Input) -> Probe,
    /// Hashes of what the caller was asked about.
    tried: HashSet<u64>,
    limit: usize,
    stopped: bool,
}

impl Search<'_> {
    /// Takes `candidate` if it is in the model, or can be mended, is smaller, and still fails.
    fn attempt(&mut self, mut candidate: Input) -> bool {
        if self.stopped || candidate == self.best || !mend::mend(self.model, &mut candidate) {
            return false;
        }
        let rank = Rank::of(&candidate);
        if !rank.is_smaller(&candidate, &self.rank, &self.best, self.model) {
            return false;
        }
        let mut hasher = DefaultHasher::new();
        candidate.hash(&mut hasher);
        let hash = hasher.finish();
        if self.tried.contains(&hash) {
            return false;
        }
        if self.tried.len() >= self.limit {
            self.stopped = true;
            return false;
        }
        self.tried.insert(hash);
        match (self.probe)(&candidate) {
            Probe::Fails => {
                (self.best, self.rank) = (candidate, rank);
                true
            }
            Probe::Passes => false,
            Probe::Stop => {
                self.stopped = true;
                false
            }
        }
    }

    /// Tries the best input with `change` made to one field.
    fn attempt_change(&mut self, field: usize, change: impl FnOnce(&mut Value)) -> bool {
        let mut candidate = self.best.clone();
        change(&mut candidate.values[field]);
        self.attempt(candidate)
    }

    /// The bounds of the numbers of a field.
    fn range(&self, field: usize) -> IntRange {
        match self.model.fields[field].shape {
            Shape::Int(range) | Shape::Array { item: range, .. } => range,
        }
    }
}

#[cfg(test)]
mod tests;
