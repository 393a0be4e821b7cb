//! Makes a planned test: the inputs it consists of, each of which meets the model.

use super::draft::{Acceptance, Draft};
use super::fill::{Fill, Place, Width};
use super::plan::Recipe;
use super::rng::{Key, Rng};
use super::subtask::narrowed;
use super::{Family, GenerateError, Planned};
use crate::input::Input;
use crate::problem::{InputModel, IntRange, Problem};

/// A test with its inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// As planned.
    pub name: String,
    /// As planned.
    pub family: Family,
    /// One input; in a pack any number; none when the conditions forbid every input of this recipe.
    pub members: Vec<Input>,
    /// Whether the test is a pack.
    pub pack: bool,
}

/// Of a pack, a stdin program is run on so many members only: they are taken from all over it and put first.
pub const FIRST_MEMBERS: usize = 20;

/// Makes the test. The same problem, seed and plan give the same inputs.
///
/// # Errors
/// When a condition can't be evaluated, or accepts too few of the inputs that are drawn.
pub fn make(problem: &Problem, seed: u64, planned: &Planned) -> Result<Made, GenerateError> {
    let subtask = planned.narrowed.and_then(|index| problem.subtasks.get(index));
    let model = &subtask.map_or_else(|| problem.model.clone(), |subtask| narrowed(&problem.model, subtask));
    let key = Key::of_test(&problem.slug, planned.family.name(), &planned.name, seed);
    let (members, pack) = match &planned.recipe {
        Recipe::Sample(index) => (vec![problem.samples[*index].input.clone()], false),
        Recipe::Case(index) => (vec![problem.cases[*index].input.clone()], false),
        Recipe::Exhaustive(pack) => (spread(pack.inputs(model)?), true),
        Recipe::SmallRandom { width, members } => (small_random(model, key, *width, *members)?, true),
        Recipe::Single { draft, is_fixed: true } => {
            (draft.once(model, &mut key.stream(0))?.into_iter().collect(), false)
        }
        Recipe::Single { draft, is_fixed: false } => {
            let mut acceptance = Acceptance::default();
            let input = acceptance.draw(model, &mut key.stream(0), &mut |_| draft.clone())?;
            (vec![input], false)
        }
        Recipe::Patterns(drafts) => {
            let made = drafts
                .iter()
                .zip(0..)
                .map(|(draft, stream)| draft.once(model, &mut key.stream(stream)))
                .collect::<Result<Vec<_>, _>>()?;
            (spread(made.into_iter().flatten().collect()), true)
        }
    };
    Ok(Made { name: planned.name.clone(), family: planned.family, members, pack })
}

fn small_random(
    model: &InputModel,
    key: Key,
    width: Width,
    members: u32,
) -> Result<Vec<Input>, GenerateError> {
    let mut acceptance = Acceptance::default();
    (0..u64::from(members))
        .map(|stream| {
            let mut rng = key.stream(stream);
            acceptance.draw(model, &mut rng, &mut |rng| small_draft(model, rng, width))
        })
        .collect()
}

/// Sizes of a dozen steps mostly, of up to four dozen sometimes.
pub(super) fn small_draft(model: &InputModel, rng: &mut Rng, width: Width) -> Draft {
    let steps = [12, 48][rng.weighted(&[3, 1])];
    let sizes = model.sizes.iter().map(|size| small_size(size.range, steps, rng)).collect();
    let place = [Place::Zero, Place::Low, Place::High, Place::Anywhere][rng.weighted(&[4, 1, 1, 2])];
    let mixes = width == Width::Full && rng.below(2) == 0;
    let fill = if mixes { Fill::Mixture } else { Fill::Window(width, place) };
    Draft { sizes, fills: vec![fill; model.fields.len()] }
}

/// One of the `steps` smallest values of a size.
pub(super) fn small_size(range: IntRange, steps: u64, rng: &mut Rng) -> u32 {
    let last = u128::from(steps.max(1) - 1).min(range.count() - 1);
    let small = IntRange { max: range.nth(last), ..range };
    // The bounds of a size fit a u32.
    rng.pick(small) as u32
}

/// The inputs with some from all over the list first, and the others after them in order.
fn spread(inputs: Vec<Input>) -> Vec<Input> {
    if inputs.len() <= FIRST_MEMBERS {
        return inputs;
    }
    let is_first: Vec<bool> = {
        let mut marks = vec![false; inputs.len()];
        for place in 0..FIRST_MEMBERS {
            marks[(2 * place + 1) * inputs.len() / (2 * FIRST_MEMBERS)] = true;
        }
        marks
    };
    let (mut first, mut rest) = (Vec::with_capacity(inputs.len()), Vec::new());
    for (input, is_first) in inputs.into_iter().zip(is_first) {
        if is_first { first.push(input) } else { rest.push(input) }
    }
    first.append(&mut rest);
    first
}
