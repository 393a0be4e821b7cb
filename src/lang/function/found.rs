//! Says in one line which function was expected and what a source has instead. Only looks at the source and at the
//! compiler's log; never decides a verdict.

use super::token::{self, Kind, Token};
use super::{Callee, Language};
use crate::problem::{Function, InputModel};

/// How many functions a message names.
const FUNCTIONS_SHOWN: usize = 3;

/// Characters of each that it shows.
const FUNCTION_CHARS: usize = 80;

/// What the drivers call their own lines in a compiler's log.
const DRIVER_NAMES: [&str; 4] =
    ["touchstone-driver:", "TouchstoneMain.java:", "TouchstoneDriver.java:", "touchstone-driver.go:"];

/// Refuses a source that cannot hold the function, since its name or its class stands nowhere in it.
pub(super) fn require(
    language: Language,
    callee: &Callee,
    source: &str,
    tokens: &[Token<'_>],
) -> Result<(), String> {
    let has = |word: &str| tokens.iter().any(|token| token.kind == Kind::Word && token.text == word);
    let is_there = has(&callee.name)
        && match language {
            Language::Java => has("Solution"),
            Language::Python => has("Solution") || is_plain_python(tokens, &callee.name),
            _ => true,
        };
    if is_there { Ok(()) } else { Err(message(language, callee, source, tokens)) }
}

/// Whether `name` is defined or assigned outside of any class.
fn is_plain_python(tokens: &[Token<'_>], name: &str) -> bool {
    tokens.iter().enumerate().any(|(index, token)| {
        let is_defined = index > 0 && tokens[index - 1].is("def") && top_level_def(tokens, index - 1);
        let is_assigned = token.column == 0 && tokens.get(index + 1).is_some_and(|next| next.is("="));
        token.is(name) && (is_defined || is_assigned)
    })
}

fn top_level_def(tokens: &[Token<'_>], def: usize) -> bool {
    let first = if def > 0 && tokens[def - 1].is("async") { def - 1 } else { def };
    tokens[first].column == 0
}

/// The compiler's `log`, after a line on the expected signature when the errors are in the driver's own lines, where
/// nobody could make sense of them.
pub fn explain(id: &str, function: &Function, model: &InputModel, source: &str, log: &str) -> String {
    let Some(language) = Language::of(id) else { return log.to_owned() };
    let last_line = source.lines().count();
    if !log.lines().any(|line| is_in_driver(language, line, last_line)) {
        return log.to_owned();
    }
    let callee = Callee::new(language, id, function, model);
    let tokens = token::cut(source, language.family());
    format!("{}\n{log}", message(language, &callee, source, &tokens))
}

/// Whether a line of a log tells of an error in the driver, which in Rust stands after the `last_line` of the source.
fn is_in_driver(language: Language, line: &str, last_line: usize) -> bool {
    match language {
        Language::C | Language::Cpp | Language::Java => {
            line.contains("error") && DRIVER_NAMES.iter().any(|name| line.contains(name))
        }
        Language::Go => DRIVER_NAMES.iter().any(|name| line.contains(name)),
        Language::Rust => {
            // `  --> name.rs:12:34`
            let mut parts = line.trim_start().strip_prefix("--> ").unwrap_or_default().rsplit(':');
            parts.nth(1).and_then(|at| at.parse::<usize>().ok()).is_some_and(|at| at > last_line)
        }
        Language::Python | Language::JavaScript | Language::TypeScript => false,
    }
}

/// `expected: …; found: …`, on one line.
fn message(language: Language, callee: &Callee, source: &str, tokens: &[Token<'_>]) -> String {
    let found = match language {
        Language::Python => python_declares(source, tokens),
        _ => declares(language, source, tokens),
    };
    format!("expected: {}; found: {found}", language.signature(callee))
}

fn python_declares(source: &str, tokens: &[Token<'_>]) -> String {
    let mut classes = Vec::new();
    let mut functions = Vec::new();
    for (index, pair) in tokens.windows(2).enumerate() {
        if pair[0].is("class") && pair[0].column == 0 {
            classes.push(pair[1].text);
        }
        if pair[0].is("def") && pair[0].column <= 8 && tokens.get(index + 2).is_some_and(|next| next.is("("))
        {
            functions.push(shown(source, tokens, index + 1));
        }
    }
    listed(&classes, &functions)
}

fn declares(language: Language, source: &str, tokens: &[Token<'_>]) -> String {
    let depth_max = if matches!(language, Language::C | Language::Go) { 0 } else { 1 };
    let mut classes = Vec::new();
    let mut functions = Vec::new();
    for (index, token) in tokens.iter().enumerate().skip(1) {
        let before = &tokens[index - 1];
        if token.kind != Kind::Word || token.depth > depth_max {
            continue;
        }
        if token.depth == 0 && (before.is("class") || before.is("struct")) {
            classes.push(token.text);
        }
        if is_function(language, tokens, index) {
            functions.push(shown(source, tokens, index));
        }
    }
    listed(&classes, &functions)
}

/// Whether the word at `index` names a function that is declared there.
fn is_function(language: Language, tokens: &[Token<'_>], index: usize) -> bool {
    const NO_TYPES: [&str; 8] = ["new", "return", "else", "throw", "await", "if", "while", "for"];
    let before = &tokens[index - 1];
    let next_is = |step: usize, text: &str| tokens.get(index + step).is_some_and(|next| next.is(text));
    if !next_is(1, "(") {
        let is_value = next_is(1, "=") && (next_is(2, "function") || next_is(2, "("));
        return language.family() == token::Family::Script && is_value;
    }
    match language {
        Language::Go => before.is("func"),
        Language::Rust => before.is("fn"),
        Language::JavaScript | Language::TypeScript => {
            let has_body = close_of(tokens, index + 1)
                .and_then(|close| tokens.get(close + 1))
                .is_some_and(|after| after.is("{") || after.is(":"));
            before.is("function")
                || (tokens[index].depth == 1 && has_body && !NO_TYPES.contains(&tokens[index].text))
        }
        _ => {
            let is_type = before.kind == Kind::Word && !NO_TYPES.contains(&before.text);
            is_type || [">", "*", "&", "]"].iter().any(|mark| before.is(mark))
        }
    }
}

/// The index of the bracket that closes the one at `open`.
pub(super) fn close_of(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let depth = tokens.get(open)?.depth;
    let closes = |token: &Token<'_>| token.kind == Kind::Mark && matches!(token.text, ")" | "]" | "}");
    let inside = tokens[open + 1..].iter().position(|token| token.depth == depth && closes(token))?;
    Some(open + 1 + inside)
}

/// A function's name and parameters as they are written, on one line.
fn shown(source: &str, tokens: &[Token<'_>], name: usize) -> String {
    let open = (name + 1..tokens.len().min(name + 4)).find(|&at| tokens[at].is("("));
    let end = match open.and_then(|open| close_of(tokens, open)) {
        Some(close) => tokens[close].offset + 1,
        None => tokens[name].offset + tokens[name].text.len(),
    };
    let text = source[tokens[name].offset..end].split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(FUNCTION_CHARS) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

fn listed(classes: &[&str], functions: &[String]) -> String {
    let class = classes.iter().find(|&&name| name == "Solution").or_else(|| classes.first());
    let more = if functions.len() > FUNCTIONS_SHOWN { ", …" } else { "" };
    let names = functions.iter().take(FUNCTIONS_SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match (class, functions.is_empty()) {
        (Some(class), true) => format!("class {class} without functions"),
        (Some(class), false) => format!("class {class} with {names}{more}"),
        (None, true) => "no function".to_owned(),
        (None, false) => format!("{names}{more}"),
    }
}
