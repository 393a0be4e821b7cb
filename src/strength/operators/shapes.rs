//! Operators that change a phrase: an index, a range, an arm of a `max`, a condition, a statement.

use super::{Changes, Edit, Operator};
use crate::strength::lexer::{Dialect, Kind};

pub(super) fn collect(changes: &mut Changes<'_, '_>) {
    for index in 0..changes.outline.tokens.len() {
        subscript(changes, index);
        call(changes, index);
        condition(changes, index);
        choice(changes, index);
    }
    for (first, last) in changes.outline.statements() {
        statement(changes, first, last);
        reset(changes, first, last);
    }
}

/// `x[i]` becomes `x[i + 1]` and `x[i - 1]`.
fn subscript(changes: &mut Changes<'_, '_>, open: usize) {
    let outline = changes.outline;
    let Some(close) = outline.partner[open].filter(|_| outline.is(open, "[")) else { return };
    let is_indexed = open > 0
        && (outline.kind(open - 1) == Some(Kind::Name) && outline.is_binary(open)
            || outline.is_any(open - 1, &["]", ")"]));
    let is_declared = open > 1
        && outline.kind(open - 1) == Some(Kind::Name)
        && (outline.kind(open - 2) == Some(Kind::Name) || outline.is_of_types[open - 2])
        && outline.dialect == Dialect::Cpp
        && !outline.is_any(open - 2, &["return", "else"]);
    let inside = open + 1..close;
    let is_slice = inside
        .clone()
        .any(|at| outline.around[at] == Some(open) && outline.is_any(at, &[":", "..", "..=", ",", ";"]));
    if !is_indexed || is_declared || is_slice || inside.is_empty() {
        return;
    }
    changes.insert(Operator::Index, close, " + 1");
    changes.insert(Operator::Index, close, " - 1");
}

/// Calls of `range`, `min`, `max`, `reversed`, `sorted`, `rev`.
fn call(changes: &mut Changes<'_, '_>, name: usize) {
    let outline = changes.outline;
    let mut open = name + 1;
    // The types of `min<int>(…)`.
    if outline.is(open, "<") && outline.is_of_types.get(open) == Some(&true) {
        while open < outline.tokens.len() && !outline.is(open, "(") {
            open += 1;
        }
    }
    if outline.kind(name) != Some(Kind::Name) || !outline.is(open, "(") {
        return;
    }
    let Some(close) = outline.partner[open] else { return };
    let commas = outline.separators(open, ",");
    let is_method = name > 0 && outline.is(name - 1, ".");
    let is_python = outline.dialect == Dialect::Python;
    match outline.text(name) {
        "range" if is_python && close > open + 1 => {
            let stop_end = if commas.len() == 2 { commas[1] } else { close };
            changes.insert(Operator::Range, stop_end, " - 1");
            changes.insert(Operator::Range, stop_end, " + 1");
        }
        "reversed" | "sorted" if is_python && commas.is_empty() => {
            changes.replace(Operator::Order, name, name, "list");
        }
        "rev" if is_method && outline.dialect == Dialect::Rust => {
            changes.replace(Operator::Order, name - 1, close, "");
        }
        "min" | "max" if is_method && commas.is_empty() && close > open + 1 => {
            changes.replace(Operator::Arm, name - 1, close, "");
            let first = start_of_operand(changes, name - 1);
            let other = outline.slice(open + 1, close - 1).to_owned();
            changes.replace(Operator::Arm, first, close, format!("({other})"));
        }
        "min" | "max" if commas.len() == 1 => {
            // The name may have a path before it, as in `std::max`.
            let first =
                if name > 1 && outline.is(name - 1, "::") { start_of_path(changes, name) } else { name };
            let left = outline.slice(open + 1, commas[0] - 1).to_owned();
            let right = outline.slice(commas[0] + 1, close - 1).to_owned();
            changes.replace(Operator::Arm, first, close, format!("({left})"));
            changes.replace(Operator::Arm, first, close, format!("({right})"));
        }
        _ => {}
    }
}

fn start_of_path(changes: &Changes<'_, '_>, name: usize) -> usize {
    let outline = changes.outline;
    let mut first = name;
    while first > 1 && outline.is(first - 1, "::") && outline.kind(first - 2) == Some(Kind::Name) {
        first -= 2;
    }
    first
}

/// The first token of the operand that a `.` follows: names, calls and indices in a chain.
fn start_of_operand(changes: &Changes<'_, '_>, dot: usize) -> usize {
    let outline = changes.outline;
    let mut first = dot;
    loop {
        let Some(before) = first.checked_sub(1) else { return first };
        let is_end = first == dot || outline.is_any(first, &[".", "::", "(", "["]);
        if outline.is_any(before, &[")", "]"]) && is_end {
            match outline.partner[before] {
                Some(open) => first = open,
                None => return first,
            }
        } else if matches!(outline.kind(before), Some(Kind::Name | Kind::Number)) && is_end
            || outline.is_any(before, &[".", "::"])
        {
            first = before;
        } else {
            return first;
        }
        if outline.kind(first) == Some(Kind::Name) && first > 0 && !outline.is_any(first - 1, &[".", "::"]) {
            return first;
        }
    }
}

/// The condition of an `if` or `while` is always true, or never; of a `while` only never.
fn condition(changes: &mut Changes<'_, '_>, word: usize) {
    let outline = changes.outline;
    let is_while = outline.is(word, "while");
    if !is_while && !outline.is_any(word, &["if", "elif"]) {
        return;
    }
    let Some((first, last)) = condition_of(changes, word) else { return };
    if (first..=last).any(|at| outline.is_any(at, &["let", "true", "True", "false", "False"])) {
        return;
    }
    let (always, never) = constants(outline.dialect);
    if !is_while {
        changes.replace(Operator::Branch, first, last, always);
    }
    changes.replace(Operator::Branch, first, last, never);
}

fn constants(dialect: Dialect) -> (&'static str, &'static str) {
    if dialect == Dialect::Python { ("True", "False") } else { ("true", "false") }
}

/// The first and last token of the condition after an `if`, `elif` or `while`.
fn condition_of(changes: &Changes<'_, '_>, word: usize) -> Option<(usize, usize)> {
    let outline = changes.outline;
    let first = word + 1;
    let last = match outline.dialect {
        Dialect::Cpp => {
            let close = outline.partner.get(first).copied().flatten().filter(|_| outline.is(first, "("))?;
            return (close > first + 1).then_some((first + 1, close - 1));
        }
        Dialect::Rust => (first..outline.tokens.len())
            .find(|&at| outline.around[at] == outline.around[word] && outline.is_any(at, &["{", "=>"]))?,
        // A statement's condition ends at `:`, one within an expression at `else` or where its brackets end.
        Dialect::Python => (first..outline.tokens.len()).find(|&at| {
            outline.around[at] == outline.around[word] && outline.is_any(at, &[":", "else", "for", "if"])
                || Some(word) > outline.partner[at] && outline.is_any(at, &["]", ")", "}"])
        })?,
    };
    (last > first).then_some((first, last - 1))
}

/// The condition of `c ? a : b` is always true, or never.
fn choice(changes: &mut Changes<'_, '_>, mark: usize) {
    let outline = changes.outline;
    if outline.dialect != Dialect::Cpp || !outline.is(mark, "?") {
        return;
    }
    const STOPS: [&str; 13] = ["=", "+=", "-=", "*=", ";", ",", "return", "<<", "?", ":", "{", "}", "("];
    let before = (0..mark).rev().find(|&at| {
        Some(at) == outline.around[mark]
            || outline.around[at] == outline.around[mark]
                && outline.is_any(at, &STOPS)
                && !outline.is(at, "(")
    });
    let first = before.map_or(0, |at| at + 1);
    if first < mark {
        changes.replace(Operator::Branch, first, mark - 1, "true");
        changes.replace(Operator::Branch, first, mark - 1, "false");
    }
}

/// Whether the statement sets something that there is already, or calls something for its effect.
fn is_droppable(changes: &Changes<'_, '_>, first: usize, last: usize) -> bool {
    const SETS: [&str; 8] = ["=", "+=", "-=", "*=", "/=", "%=", "|=", "^="];
    let outline = changes.outline;
    if outline.is_any(first, &["break", "continue"]) {
        return last <= first + 1;
    }
    if outline.is_any(first, &["++", "--", "*"]) {
        return true;
    }
    let is_name = outline.kind(first) == Some(Kind::Name);
    let is_set_up = outline.is_any(
        first,
        &[
            "return", "if", "for", "while", "else", "elif", "def", "class", "let", "auto", "print", "from",
            "import",
        ],
    );
    let follows =
        SETS.contains(&outline.text(first + 1)) || outline.is_any(first + 1, &["[", ".", "(", "++", "--"]);
    // In Python the first time that a name is set makes it.
    let is_made = outline.dialect == Dialect::Python
        && outline.is(first + 1, "=")
        && !outline.tokens[..first].iter().any(|token| token.text == outline.text(first));
    let is_main = outline.dialect == Dialect::Python && outline.is(first, "main");
    is_name && !is_set_up && follows && !is_made && !is_main
}

fn statement(changes: &mut Changes<'_, '_>, first: usize, last: usize) {
    if !is_droppable(changes, first, last) {
        return;
    }
    let text = if changes.outline.dialect == Dialect::Python { "pass" } else { ";" };
    changes.replace(Operator::Statement, first, last, text);
}

/// `int best = 0;` in a loop keeps what it had.
fn reset(changes: &mut Changes<'_, '_>, first: usize, last: usize) {
    let outline = changes.outline;
    if !outline.is_in_loop(first) {
        return;
    }
    let is_literal = |at: usize, end: usize| {
        at == end && outline.kind(at).is_some_and(|kind| kind != Kind::Sign)
            || at + 1 == end && outline.is(at, "-")
    };
    match outline.dialect {
        Dialect::Cpp => {
            let is_declared = outline.kind(first) == Some(Kind::Name)
                && outline.kind(first + 1) == Some(Kind::Name)
                && outline.is(first + 2, "=")
                && !outline.is_any(first, &["return", "const", "auto", "static"]);
            if is_declared && last > first + 3 {
                changes.insert(Operator::Reset, first, "static ");
            }
        }
        Dialect::Python => {
            if outline.kind(first) == Some(Kind::Name)
                && outline.is(first + 1, "=")
                && last > first + 1
                && is_literal(first + 2, last)
            {
                let name = outline.text(first);
                let value = outline.slice(first + 2, last).to_owned();
                let range = outline.tokens[first + 2].start..outline.tokens[last].end();
                let text = format!("locals().get('{name}', {value})");
                changes.edit(Operator::Reset, first, vec![Edit { range, text }]);
            }
        }
        // A `let` makes a new variable; one that is set again is dropped by the operator for statements.
        Dialect::Rust => {}
    }
}
