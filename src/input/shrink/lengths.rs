//! The steps that make arrays shorter, all arrays of one size in step.

use super::{FINE_LEN, MAX_VAIN_TRIES, Search};
use crate::input::{Input, Value};

/// When not one of so many chunks can go, length itself is what matters: finer chunks would be tried in vain.
const CHUNKS_THAT_TELL: usize = 32;

impl Search<'_> {
    /// Makes arrays shorter, size by size.
    pub(super) fn shorten(&mut self) {
        for size in 0..self.model.sizes.len() {
            if self.model.arrays_of(size).next().is_none() {
                continue;
            }
            self.cut_end(size, End::Last);
            self.cut_end(size, End::First);
            self.drop_chunks(size);
        }
    }

    /// Halves the way between the shortest length allowed and the current one, cutting at one end.
    fn cut_end(&mut self, size: usize, end: End) {
        let range = self.model.sizes[size].range;
        let (step, min) = (range.step as usize, range.min as usize);
        let mut passes = min;
        if self.attempt_len(size, min, end) {
            return;
        }
        loop {
            let len = self.best.size(self.model, size);
            let middle = passes + (len.saturating_sub(passes)) / step / 2 * step;
            if middle <= passes || middle >= len {
                return;
            }
            if !self.attempt_len(size, middle, end) {
                passes = middle;
            }
        }
    }

    fn attempt_len(&mut self, size: usize, len: usize, end: End) -> bool {
        let gone = self.best.size(self.model, size).saturating_sub(len);
        let from = match end {
            End::First => 0,
            End::Last => len,
        };
        gone > 0 && self.attempt_without(size, from, gone)
    }

    fn drop_chunks(&mut self, size: usize) {
        let range = self.model.sizes[size].range;
        let (step, min) = (range.step as usize, range.min as usize);
        let mut chunk = (self.best.size(self.model, size).saturating_sub(min) / step).div_ceil(2) * step;
        while chunk >= step && !self.stopped {
            let before = self.best.size(self.model, size);
            let chunks = before / chunk;
            let dropped = self.drop_chunks_of(size, chunk);
            if dropped == 0 && before > FINE_LEN && chunks >= CHUNKS_THAT_TELL {
                // One element fewer is still tried at a few places.
                for from in [0, before / 2, before - step] {
                    self.attempt_without(size, from, step);
                }
                return;
            }
            chunk = if chunk == step { 0 } else { (chunk / step).div_ceil(2) * step };
        }
    }

    /// Drops every chunk of this length that can go; how many could.
    fn drop_chunks_of(&mut self, size: usize, chunk: usize) -> usize {
        let (mut from, mut dropped, mut vain) = (0, 0, 0);
        loop {
            let len = self.best.size(self.model, size);
            if len > FINE_LEN && vain >= MAX_VAIN_TRIES || self.stopped {
                return dropped;
            }
            if from + chunk > len {
                // The last chunk may overlap the one before.
                if from < len && len > chunk && self.attempt_without(size, len - chunk, chunk) {
                    dropped += 1;
                }
                return dropped;
            }
            if self.attempt_without(size, from, chunk) {
                (dropped, vain) = (dropped + 1, 0);
            } else {
                (from, vain) = (from + chunk, vain + 1);
            }
        }
    }

    fn attempt_without(&mut self, size: usize, from: usize, len: usize) -> bool {
        if self.best.size(self.model, size) < from + len {
            return false;
        }
        let values = self
            .best
            .values
            .iter()
            .enumerate()
            .map(|(field, value)| match value {
                Value::Array(items) if self.model.arrays_of(size).any(|array| array == field) => {
                    Value::Array([&items[..from], &items[from + len..]].concat())
                }
                other => other.clone(),
            })
            .collect();
        self.attempt(Input { values })
    }
}

/// Which end of an array loses elements.
#[derive(Clone, Copy)]
enum End {
    First,
    Last,
}
