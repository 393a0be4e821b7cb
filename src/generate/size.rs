//! How large a problem's tests can become, from its bounds alone. Makes none.

use super::plan::{Planned, Recipe, plan};
use super::{Family, narrowed};
use crate::problem::model::{Len, Shape};
use crate::problem::{InputModel, IntRange, Problem};

/// Bytes that the inputs of the largest sizes take together at most; the others are small beside them.
pub fn most_bytes(problem: &Problem) -> u64 {
    let planned = plan(problem);
    let edges = planned.iter().filter(|planned| planned.family == Family::Edges);
    let top = edges.map(|planned| planned.decade).max();
    let is_large = |planned: &&Planned| match planned.family {
        Family::MaxRandom | Family::MaxSmallValues => true,
        Family::Edges => Some(planned.decade) == top,
        Family::Plateaus => !matches!(planned.recipe, Recipe::Patterns(_)),
        Family::Samples | Family::Cases | Family::Exhaustive | Family::SmallRandom => false,
    };
    let bytes = |planned: &Planned| match planned.narrowed {
        Some(index) => of_input(&narrowed(&problem.model, &problem.subtasks[index])),
        None => of_input(&problem.model),
    };
    planned.iter().filter(is_large).map(bytes).fold(0, u64::saturating_add)
}

/// The longest text of one input.
fn of_input(model: &InputModel) -> u64 {
    let of = |range: IntRange| range.min.to_string().len().max(range.max.to_string().len()) as u64 + 1;
    let field = |shape: Shape| match shape {
        Shape::Int(range) => of(range),
        Shape::Array { len: Len::Fixed(len), item } => of(item).saturating_mul(u64::from(len)),
        Shape::Array { len: Len::Size(size), item } => {
            of(item).saturating_mul(u64::try_from(model.sizes[size].range.max).unwrap_or_default())
        }
    };
    let fields = model.fields.iter().map(|it| field(it.shape)).fold(0, u64::saturating_add);
    let sizes: u64 = model.sizes.iter().map(|size| of(size.range)).sum();
    fields.saturating_add(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::make;
    use crate::input::render;

    #[test]
    fn no_test_is_larger_and_the_largest_is_not_much_smaller() {
        let text = include_str!("../../problems/stone-game-vi/problem.toml");
        let problem = crate::problem::parse("stone-game-vi", text).0.unwrap();
        let mut largest = 0;
        for planned in plan(&problem).iter().filter(|it| it.name.starts_with("max_random")) {
            let mut text = Vec::new();
            render(&problem.model, &make(&problem, 1, planned).unwrap().members[0], &mut text);
            largest = largest.max(text.len() as u64);
        }
        let bound = of_input(&problem.model);
        assert!(largest <= bound && bound < 2 * largest, "{largest} of {bound}");
        assert!(most_bytes(&problem) >= 3 * bound && most_bytes(&problem) < 120 * bound);
    }
}
