//! An endless stream of inputs over the families, small ones first, for searching. Each comes from its number alone.

use super::GenerateError;
use super::draft::{Acceptance, Draft};
use super::fill::{Fill, Pattern, Width};
use super::make::{small_draft, small_size};
use super::rng::{Key, Rng};
use crate::input::Input;
use crate::problem::{InputModel, Problem, Shape};

/// How many steps a size may have, by the number of the input: the search begins with the smallest inputs and never
/// leaves them for good.
const GROWTH: [(u64, u64); 4] = [(200, 3), (1000, 6), (3000, 12), (u64::MAX, 24)];

/// The input at `index` of the stream of `seed`.
///
/// # Errors
/// When a condition can't be evaluated, or accepts too few of the inputs that are drawn.
pub fn sample(problem: &Problem, seed: u64, index: u64) -> Result<Input, GenerateError> {
    let mut rng = Key::of_test(&problem.slug, "sample", "sample", seed).stream(index);
    let model = &problem.model;
    let mut acceptance = Acceptance::default();
    acceptance.draw(model, &mut rng, &mut |rng| draft(model, rng, index))
}

fn draft(model: &InputModel, rng: &mut Rng, index: u64) -> Draft {
    let steps = GROWTH.iter().find(|(until, _)| index < *until).map_or(1, |(_, steps)| *steps);
    // Late in the search one input in sixteen is of any size.
    let is_large = index >= GROWTH[2].0 && rng.below(16) == 0;
    let width = Width::ALL[rng.weighted(&[1, 3, 4, 4, 3])];
    let mut draft = small_draft(model, rng, width);
    draft.sizes = model
        .sizes
        .iter()
        .map(|size| {
            let steps = if is_large { 1 << rng.below(32) } else { steps };
            small_size(size.range, steps, rng)
        })
        .collect();
    if rng.below(5) == 0 {
        let patterns: Vec<Pattern> = Pattern::ALL.into_iter().filter(|it| fits_all(model, *it)).collect();
        let pattern = patterns[rng.below(patterns.len() as u64) as usize];
        draft.fills = vec![Fill::Pattern(pattern); model.fields.len()];
    }
    draft
}

fn fits_all(model: &InputModel, pattern: Pattern) -> bool {
    model.fields.iter().all(|field| match field.shape {
        Shape::Int(range) | Shape::Array { item: range, .. } => pattern.fits(range),
    })
}
