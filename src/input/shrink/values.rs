//! The steps that make numbers plainer and leave lengths alone.

use std::ops::Range;

use super::{FINE_LEN, MAX_VAIN_TRIES, Search};
use crate::input::Value;
use crate::problem::IntRange;

impl Search<'_> {
    /// Makes the numbers of every field plainer.
    pub(super) fn simplify(&mut self) {
        for field in 0..self.model.fields.len() {
            match &self.best.values[field] {
                Value::Int(_) => self.simplify_one(field, 0),
                Value::Array(_) => self.simplify_array(field),
            }
        }
    }

    fn simplify_array(&mut self, field: usize) {
        let range = self.range(field);
        let len = self.best.values[field].count();
        for target in targets(range) {
            if self.attempt_fill(field, 0..len, target) {
                break;
            }
        }
        // All values at half their size keep what they are to each other.
        while self.attempt_change(field, |value| {
            if let Value::Array(items) = value {
                items.iter_mut().for_each(|item| *item = range.nearest(*item / 2));
            }
        }) {}
        let mut chunk = len.div_ceil(2);
        while chunk > 1 && !self.stopped {
            self.fill_chunks(field, chunk);
            chunk = chunk.div_ceil(2);
        }
        self.merge_runs(field);
        if len <= FINE_LEN {
            for index in 0..len {
                self.simplify_one(field, index);
            }
        }
    }

    fn fill_chunks(&mut self, field: usize, chunk: usize) {
        let (len, range) = (self.best.values[field].count(), self.range(field));
        let mut vain = 0;
        for from in (0..len).step_by(chunk) {
            if len > FINE_LEN && vain >= MAX_VAIN_TRIES {
                return;
            }
            let to = len.min(from + chunk);
            let filled = targets(range).any(|target| self.attempt_fill(field, from..to, target));
            vain = if filled { 0 } else { vain + 1 };
        }
    }

    fn attempt_fill(&mut self, field: usize, places: Range<usize>, target: i64) -> bool {
        self.attempt_change(field, |value| {
            if let Value::Array(items) = value {
                items[places].fill(target);
            }
        })
    }

    /// Lets a run of equal values take the value of the run before or behind it.
    fn merge_runs(&mut self, field: usize) {
        let mut from = 0;
        let mut vain = 0;
        while let Value::Array(items) = &self.best.values[field]
            && from < items.len()
            && vain < MAX_VAIN_TRIES
        {
            let value = items[from];
            let to =
                items[from..].iter().position(|item| *item != value).map_or(items.len(), |len| from + len);
            let before = from.checked_sub(1).map(|before| items[before]);
            let behind = items.get(to).copied();
            let merged = [before, behind]
                .into_iter()
                .flatten()
                .any(|neighbour| self.attempt_fill(field, from..to, neighbour));
            vain = if merged { 0 } else { vain + 1 };
            from = to;
        }
    }

    /// One number: straight to a target, or as near as it comes by halving the way.
    fn simplify_one(&mut self, field: usize, index: usize) {
        let range = self.range(field);
        for target in targets(range) {
            if self.attempt_set(field, index, target) {
                return;
            }
        }
        let nearest = targets(range).next().map_or(0, |target| place(range, target));
        let mut passes = nearest;
        loop {
            let fails = place(range, self.item(field, index));
            let middle =
                if passes <= fails { passes + (fails - passes) / 2 } else { passes - (passes - fails) / 2 };
            if middle == passes || middle == fails {
                return;
            }
            if !self.attempt_set(field, index, range.nth(middle)) {
                passes = middle;
            }
        }
    }

    fn attempt_set(&mut self, field: usize, index: usize, target: i64) -> bool {
        self.attempt_change(field, |value| match value {
            Value::Int(item) => *item = target,
            Value::Array(items) => items[index] = target,
        })
    }

    fn item(&self, field: usize, index: usize) -> i64 {
        match &self.best.values[field] {
            Value::Int(item) => *item,
            Value::Array(items) => items[index],
        }
    }
}

/// The plainest values of the range: those nearest to 0, 1, the smallest, and -1.
fn targets(range: IntRange) -> impl Iterator<Item = i64> {
    [range.nearest(0), range.nearest(1), range.min, range.nearest(-1)].into_iter()
}

/// How many steps above the smallest value.
fn place(range: IntRange, value: i64) -> u128 {
    (i128::from(value) - i128::from(range.min)) as u128 / u128::from(range.step)
}
