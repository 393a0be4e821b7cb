//! Operators that change a single token: a comparison, an operation, a number, a word.

use super::{Changes, Operator};
use crate::strength::lexer::{Dialect, Kind};

/// Numbers from here on also become ten times smaller: a table that is too small.
const LARGE: u64 = 1000;

pub(super) fn collect(changes: &mut Changes<'_, '_>) {
    for index in 0..changes.outline.tokens.len() {
        match changes.outline.tokens[index].kind {
            Kind::Sign => sign(changes, index),
            Kind::Number => number(changes, index),
            Kind::Name => name(changes, index),
            Kind::Text => word(changes, index),
        }
    }
}

fn sign(changes: &mut Changes<'_, '_>, index: usize) {
    let outline = changes.outline;
    if outline.is_of_types[index] {
        return;
    }
    let text = outline.text(index);
    let is_binary = outline.is_binary(index);
    let mut to = |operator: Operator, other: &str| changes.replace(operator, index, index, other);
    match text {
        "<" if is_binary => {
            to(Operator::Boundary, "<=");
            to(Operator::Comparison, ">=");
        }
        "<=" => {
            to(Operator::Boundary, "<");
            to(Operator::Comparison, ">");
        }
        ">" if is_binary => {
            to(Operator::Boundary, ">=");
            to(Operator::Comparison, "<=");
        }
        ">=" => {
            to(Operator::Boundary, ">");
            to(Operator::Comparison, "<");
        }
        "==" => to(Operator::Comparison, "!="),
        "!=" => to(Operator::Comparison, "=="),
        "+" if is_binary => to(Operator::Arithmetic, "-"),
        "-" if is_binary => to(Operator::Arithmetic, "+"),
        "*" if is_binary => to(Operator::Arithmetic, "+"),
        "/" if is_binary => to(Operator::Arithmetic, "*"),
        "//" if is_binary => to(Operator::Arithmetic, "*"),
        "%" if is_binary => to(Operator::Arithmetic, "/"),
        "+=" => to(Operator::Arithmetic, "-="),
        "-=" => to(Operator::Arithmetic, "+="),
        "*=" => to(Operator::Arithmetic, "+="),
        "-" => to(Operator::Sign, ""),
        "&&" if is_binary && !outline.is(index - 1, "auto") => to(Operator::Logic, "||"),
        "||" if is_binary => to(Operator::Logic, "&&"),
        "!" if !is_binary => to(Operator::Logic, ""),
        ".." if outline.kind(index + 1) != Some(Kind::Sign) || outline.is_any(index + 1, &["(", "-"]) => {
            to(Operator::Range, "..=");
        }
        "..=" => to(Operator::Range, ".."),
        _ => {}
    }
}

fn number(changes: &mut Changes<'_, '_>, index: usize) {
    let outline = changes.outline;
    let text = outline.text(index);
    // The field of a tuple is no number, and a digit of a larger literal neither.
    if index > 0 && outline.is(index - 1, ".") {
        return;
    }
    let digits: String = text.chars().filter(|c| !"_'".contains(*c)).collect();
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let is_whole = suffix.is_empty() || suffix.starts_with(['i', 'u', 'l', 'L', 'U']);
    let Ok(value) = digits.parse::<u64>() else { return };
    if !is_whole || value > u64::MAX / 2 {
        return;
    }
    let grows = !is_room(changes, index);
    let mut to = |value: u64| changes.replace(Operator::Constant, index, index, format!("{value}{suffix}"));
    if grows {
        to(value + 1);
    }
    if value > 0 {
        to(value - 1);
    }
    if value >= LARGE {
        to(value / 10);
    }
}

/// Whether a number is part of how much room is set aside, where more is no fault: the length of a vector or list, a
/// size in a declaration.
fn is_room(changes: &Changes<'_, '_>, index: usize) -> bool {
    let outline = changes.outline;
    // After a minus, more is less.
    if index > 0 && outline.is(index - 1, "-") {
        return false;
    }
    let Some(open) = outline.around[index] else { return false };
    let Some(before) = open.checked_sub(1) else { return false };
    match outline.dialect {
        Dialect::Python => outline.is(open, "(") && outline.is(before, "*"),
        Dialect::Rust => {
            let semicolon = (open..index).rev().find(|at| outline.is(*at, ";"));
            outline.is(open, "[") && semicolon.is_some()
        }
        Dialect::Cpp => {
            // The end of `vector<int>`, or a name after it.
            let is_list = |at: usize| {
                let open = (0..at).rev().find(|open| outline.is(*open, "<") || outline.is(*open, ";"));
                let mut name = open.unwrap_or(0);
                while name > 1 && outline.is(name, "<") && outline.is(name - 2, "<") {
                    name -= 2;
                }
                outline.is_of_types[at]
                    && name > 0
                    && outline.is_any(name - 1, &["vector", "deque", "valarray"])
            };
            let is_declared =
                |at: usize| is_list(at) || at > 0 && is_list(at - 1) && outline.kind(at) == Some(Kind::Name);
            let is_first = !(open..index).any(|at| outline.around[at] == Some(open) && outline.is(at, ","));
            let is_sized = outline.is_any(before, &["resize", "assign"]) || is_declared(before);
            let is_array = outline.is(open, "[")
                && before > 0
                && (outline.is_of_types[before - 1]
                    || outline.is_any(before - 1, &["int", "long", "char", "bool"]));
            is_first && outline.is(open, "(") && is_sized || is_array
        }
    }
}

fn name(changes: &mut Changes<'_, '_>, index: usize) {
    let outline = changes.outline;
    let is_called =
        outline.is(index + 1, "(") || outline.is(index + 1, "<") && outline.is_of_types[index + 1];
    let mut to = |operator: Operator, other: &str| changes.replace(operator, index, index, other);
    match outline.text(index) {
        "min" if is_called => to(Operator::Extremum, "max"),
        "max" if is_called => to(Operator::Extremum, "min"),
        "min_element" => to(Operator::Extremum, "max_element"),
        "max_element" => to(Operator::Extremum, "min_element"),
        "and" => to(Operator::Logic, "or"),
        "or" => to(Operator::Logic, "and"),
        "not" if !outline.is(index + 1, "in") && (index == 0 || !outline.is(index - 1, "is")) => {
            to(Operator::Logic, "");
        }
        "true" => to(Operator::Flag, "false"),
        "false" => to(Operator::Flag, "true"),
        "True" => to(Operator::Flag, "False"),
        "False" => to(Operator::Flag, "True"),
        _ => {}
    }
}

/// One of the program's words becomes the next of its words.
fn word(changes: &mut Changes<'_, '_>, index: usize) {
    let outline = changes.outline;
    let is_word = |text: &str| {
        let inside = text.trim_matches('"').trim_matches('\'');
        text.starts_with(['"', '\''])
            && inside.len() > 1
            && inside.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let own = outline.text(index);
    if !is_word(own) {
        return;
    }
    let texts = outline.tokens.iter().filter(|token| token.kind == Kind::Text).map(|token| token.text);
    let mut words: Vec<&str> = texts.filter(|text| is_word(text)).collect();
    words.sort_unstable();
    words.dedup();
    let Some(place) = words.iter().position(|word| *word == own) else { return };
    let other = words[(place + 1) % words.len()];
    if other != own {
        changes.replace(Operator::Word, index, index, other);
    }
}
