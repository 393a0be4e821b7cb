//! Subtasks: the model with narrower bounds, and which of them an input belongs to. Makes no values.

use crate::input::Input;
use crate::problem::Subtask;
use crate::problem::model::Shape;
use crate::problem::{InputModel, Problem};

/// The model with the bounds of a subtask.
pub fn narrowed(model: &InputModel, subtask: &Subtask) -> InputModel {
    let mut model = model.clone();
    for (size, range) in model.sizes.iter_mut().zip(&subtask.sizes) {
        size.range = *range;
    }
    for (field, narrow) in model.fields.iter_mut().zip(&subtask.fields) {
        match &mut field.shape {
            Shape::Int(range) | Shape::Array { item: range, .. } => *range = *narrow,
        }
    }
    model
}

/// The name of the first subtask whose bounds hold every input; `None` when none does, or the problem has none.
pub fn group_of(problem: &Problem, inputs: &[Input]) -> Option<String> {
    let holds = |subtask: &&Subtask| {
        let model = narrowed(&problem.model, subtask);
        inputs.iter().all(|input| input.fits(&model).is_ok())
    };
    problem.subtasks.iter().find(holds).map(|subtask| subtask.name.clone())
}

/// Whether two models that differ in their bounds at most have the same bounds.
pub(super) fn is_same(one: &InputModel, other: &InputModel) -> bool {
    one.sizes == other.sizes && one.fields == other.fields
}
