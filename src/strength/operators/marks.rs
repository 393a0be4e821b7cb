//! Operators that change what values mean all over a program: a mark that is a real value, a type that is too narrow.

use super::{Changes, Edit, Operator};
use crate::strength::lexer::{Dialect, Kind};

pub(super) fn collect(changes: &mut Changes<'_, '_>) {
    for index in 0..changes.outline.tokens.len() {
        extreme(changes, index);
        narrow(changes, index);
    }
    narrow_everywhere(changes);
    unknown_is_minus_one(changes);
    match changes.outline.dialect {
        Dialect::Cpp => optional(changes),
        Dialect::Python => none(changes),
        Dialect::Rust => {}
    }
}

/// The largest or smallest value of a type, which stands for "none yet", becomes 0.
fn extreme(changes: &mut Changes<'_, '_>, index: usize) {
    const MACROS: [&str; 6] = ["INT_MAX", "INT_MIN", "LLONG_MAX", "LLONG_MIN", "LONG_MAX", "LONG_MIN"];
    const INTEGERS: [&str; 6] = ["i16", "i32", "i64", "i128", "usize", "u64"];
    let outline = changes.outline;
    match outline.dialect {
        Dialect::Cpp if outline.is_any(index, &MACROS) => changes.replace(Operator::Mark, index, index, "0"),
        Dialect::Cpp if outline.is(index, "numeric_limits") => {
            let close = (index..outline.tokens.len().min(index + 12)).find(|at| outline.is(*at, ")"));
            if let Some(close) = close {
                changes.replace(Operator::Mark, index, close, "0");
            }
        }
        Dialect::Rust
            if outline.is_any(index, &INTEGERS)
                && outline.is(index + 1, "::")
                && outline.is_any(index + 2, &["MAX", "MIN"]) =>
        {
            changes.replace(Operator::Mark, index, index + 2, "0");
        }
        Dialect::Python if outline.is(index, "inf") => {
            let is_negative = index > 0 && outline.is(index - 1, "-");
            let first = if is_negative { index - 1 } else { index };
            changes.replace(Operator::Mark, first, index, "0");
        }
        Dialect::Python
            if outline.is(index, "float")
                && outline.is(index + 1, "(")
                && outline.kind(index + 2) == Some(Kind::Text)
                && outline.is(index + 3, ")") =>
        {
            changes.replace(Operator::Mark, index, index + 3, "0");
        }
        _ => {}
    }
}

/// `-1` that stands for "unknown" becomes 0, where it is set and where it is asked for.
fn unknown_is_minus_one(changes: &mut Changes<'_, '_>) {
    let outline = changes.outline;
    let marks: Vec<usize> = (1..outline.tokens.len().saturating_sub(1))
        .filter(|&at| {
            outline.is(at, "-")
                && outline.is(at + 1, "1")
                && outline.is_any(at - 1, &["==", "!=", ",", "=", "[", "("])
        })
        .collect();
    let is_asked = marks.iter().any(|&at| outline.is_any(at - 1, &["==", "!="]));
    let is_set = marks.iter().any(|&at| outline.is_any(at - 1, &[",", "=", "[", "("]));
    if is_asked && is_set {
        let edit = |&at: &usize| Edit {
            range: outline.tokens[at].start..outline.tokens[at + 1].end(),
            text: "0".to_owned(),
        };
        let edits = marks.iter().map(edit).collect();
        changes.edit(Operator::Mark, marks[0], edits);
    }
}

/// `optional<int>` becomes `int`, and `nullopt` 0: what is known to be 0 looks unknown.
fn optional(changes: &mut Changes<'_, '_>) {
    let outline = changes.outline;
    let (mut edits, mut first) = (Vec::new(), None);
    for index in 0..outline.tokens.len() {
        let token = &outline.tokens[index];
        if outline.is(index, "optional") && outline.is(index + 1, "<") && outline.is_of_types[index + 1] {
            let is_std = index > 1 && outline.is(index - 1, "::");
            let start = if is_std { outline.tokens[index - 2].start } else { token.start };
            let (open, word) = (&outline.tokens[index + 1], outline.text(index + 2));
            // Of `optional<int>>` only the first `>` goes.
            let Some(close) = outline.tokens.get(index + 3) else { return };
            let behind = if close.text == ">>" { ">" } else { "" };
            edits.push(Edit { range: start..open.end(), text: String::new() });
            edits.push(Edit { range: close.start..close.end(), text: behind.to_owned() });
            first = first.or((!word.is_empty()).then_some(index));
        } else if outline.is(index, "nullopt") {
            edits.push(Edit { range: token.start..token.end(), text: "0".to_owned() });
        } else if outline.is(index, "*") && !outline.is_binary(index) {
            edits.push(Edit { range: token.start..token.end(), text: String::new() });
        }
    }
    if let Some(first) = first {
        changes.edit(Operator::Mark, first, edits);
    }
}

/// `None` becomes 0, where it is set and where it is asked for.
fn none(changes: &mut Changes<'_, '_>) {
    let outline = changes.outline;
    let (mut edits, mut first, mut is_asked) = (Vec::new(), None, false);
    for index in 1..outline.tokens.len() {
        let token = &outline.tokens[index];
        if !outline.is(index, "None") || outline.is(index - 1, "->") {
            continue;
        }
        first = first.or(Some(index));
        let is_not = outline.is(index - 1, "not") && index > 1 && outline.is(index - 2, "is");
        if is_not || outline.is(index - 1, "is") {
            is_asked = true;
            let from = if is_not { index - 2 } else { index - 1 };
            let text = if is_not { "!= 0" } else { "== 0" };
            edits.push(Edit { range: outline.tokens[from].start..token.end(), text: text.to_owned() });
        } else {
            edits.push(Edit { range: token.start..token.end(), text: "0".to_owned() });
        }
    }
    if let Some(first) = first.filter(|_| is_asked) {
        changes.edit(Operator::Mark, first, edits);
    }
}

/// One integer type becomes a narrower one.
fn narrow(changes: &mut Changes<'_, '_>, index: usize) {
    let outline = changes.outline;
    let before = index.checked_sub(1).map_or("", |before| outline.text(before));
    match (outline.dialect, outline.text(index)) {
        (Dialect::Cpp, "int")
            if !["long", "short", "unsigned"].contains(&before) && !outline.is(index + 1, "main") =>
        {
            changes.replace(Operator::Narrow, index, index, "short");
        }
        (Dialect::Cpp, "int64_t") => changes.replace(Operator::Narrow, index, index, "int"),
        (Dialect::Cpp, "long") if outline.is(index + 1, "long") => {
            changes.replace(Operator::Narrow, index, index + 1, "int");
        }
        (Dialect::Rust, "i64") if before == "as" => {
            changes.replace(Operator::Narrow, index, index, "i32 as i64");
        }
        (Dialect::Rust, "i32") if before == "as" => {
            changes.replace(Operator::Narrow, index, index, "i16 as i32");
        }
        _ => {}
    }
}

/// In Rust types must agree, so all of one are changed.
fn narrow_everywhere(changes: &mut Changes<'_, '_>) {
    let outline = changes.outline;
    if outline.dialect != Dialect::Rust {
        return;
    }
    let wide =
        if outline.tokens.iter().any(|token| token.text == "i64") { ("i64", "i32") } else { ("i32", "i16") };
    let places: Vec<usize> = (0..outline.tokens.len()).filter(|at| outline.is(*at, wide.0)).collect();
    let edit = |&at: &usize| Edit {
        range: outline.tokens[at].start..outline.tokens[at].end(),
        text: wide.1.to_owned(),
    };
    let edits: Vec<Edit> = places.iter().map(edit).collect();
    if let Some(&first) = places.first() {
        changes.edit(Operator::Narrow, first, edits);
    }
}
