//! The bounds of an input in the words of a statement, from the model, so that nothing is said twice. Writes Markdown;
//! where it goes is the caller's business.

use super::{InputModel, IntRange, Len, Shape};
use std::fmt::Write as _;

/// One line for each size, field and condition, as in ``- `1 ≤ n ≤ 50000` ``.
pub fn constraints(model: &InputModel) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    for size in &model.sizes {
        let _ = writeln!(text, "- {}", bounds(&size.name, size.range));
    }
    for field in &model.fields {
        let _ = match field.shape {
            Shape::Int(range) => writeln!(text, "- {}", bounds(&field.name, range)),
            Shape::Array { len, item } => {
                let len = match len {
                    Len::Size(size) => model.sizes[size].name.clone(),
                    Len::Fixed(len) => len.to_string(),
                };
                let items = bounds(&format!("{}[i]", field.name), item);
                writeln!(text, "- `{}` has `{len}` values; {items}", field.name)
            }
        };
    }
    for condition in &model.wheres {
        let _ = writeln!(text, "- `{}`", condition.text);
    }
    text
}

fn bounds(name: &str, range: IntRange) -> String {
    let IntRange { min, max, step } = range;
    match step {
        _ if min == max => format!("`{name} = {min}`"),
        1 => format!("`{min} ≤ {name} ≤ {max}`"),
        _ => format!("`{min} ≤ {name} ≤ {max}` in steps of {step}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_model_has_its_line() {
        let toml = r#"
            format = 1
            title = { en = "t" }
            limits = { time = "1s", memory = "64MiB" }
            size.n = { min = 2, max = 500, step = 2 }
            input = [
                { name = "k", type = "int", min = 3, max = 3 },
                { name = "piles", type = "array", len = "n", item = { type = "int", min = -1, max = 500 } },
                { name = "pair", type = "array", len = 2, item = { type = "int", min = 0, max = 1 } },
            ]
            where = [{ that = "sum(piles) % 2 == 1" }]
            answer = { solver = "s" }
        "#;
        let model = crate::problem::parse("p", toml).0.expect("the problem is right").model;
        assert_eq!(
            constraints(&model),
            "- `2 ≤ n ≤ 500` in steps of 2\n\
             - `k = 3`\n\
             - `piles` has `n` values; `-1 ≤ piles[i] ≤ 500`\n\
             - `pair` has `2` values; `0 ≤ pair[i] ≤ 1`\n\
             - `sum(piles) % 2 == 1`\n"
        );
    }
}
