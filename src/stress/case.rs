//! An input as a `[[case]]` of problem.toml, ready to be pasted: the text is read back as the same input.

use std::fmt::Write as _;

use crate::input::{Input, Value};
use crate::problem::InputModel;

/// A longer run of equal numbers is written as `fill`.
const SHORT_RUN: usize = 12;

/// The `[[case]]` with this name and reason.
pub fn case(model: &InputModel, input: &Input, name: &str, why: &str) -> String {
    let mut text = format!("[[case]]\nname = {}\nwhy = {}\n", quoted(name), quoted(why));
    for (field, value) in model.fields.iter().zip(&input.values) {
        // Writing to a string cannot fail.
        let _ = match value {
            Value::Int(number) => writeln!(text, "{} = {number}", field.name),
            Value::Array(items) => writeln!(text, "{} = {}", field.name, array(items)),
        };
    }
    text
}

fn array(items: &[i64]) -> String {
    let mut parts = Vec::new();
    let mut plain: Vec<i64> = Vec::new();
    for run in items.chunk_by(|left, right| left == right) {
        if run.len() <= SHORT_RUN {
            plain.extend(run);
            continue;
        }
        if !plain.is_empty() {
            parts.push(list(&plain));
            plain.clear();
        }
        parts.push(format!("{{ fill = {}, len = {} }}", run[0], run.len()));
    }
    if parts.is_empty() || !plain.is_empty() {
        parts.push(list(&plain));
    }
    match parts.as_slice() {
        [one] => one.clone(),
        many => format!("{{ concat = [{}] }}", many.join(", ")),
    }
}

fn list(items: &[i64]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    format!("[{}]", items.join(", "))
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(character);
            }
            _ if character.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", character as u32);
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
