//! The driver for JavaScript: a function after the source, called at once, which leaves the source's lines as they are.

use super::found::close_of;
use super::token::{Kind, Token};
use super::{Callee, SourceFile, Width, fill, replaced};
use crate::problem::Returns;

const DRIVER: &str = include_str!("driver/driver.js");

pub(super) fn signature(callee: &Callee) -> String {
    format!("function {}({})", callee.name, callee.each(|_, param| param.name.clone()))
}

pub(super) fn drive(callee: &Callee, source: &str, tokens: &[Token<'_>]) -> Vec<SourceFile> {
    let text = driven(callee, &signature(callee), "solution.js", source, tokens);
    vec![SourceFile { name: "main.cjs".to_owned(), text }]
}

/// The source and its driver. `signature` is for the message when the function isn't there, `file` for stacks.
pub(super) fn driven(
    callee: &Callee,
    signature: &str,
    file: &str,
    source: &str,
    tokens: &[Token<'_>],
) -> String {
    let read = callee.params.iter().enumerate().map(|(index, param)| {
        let of = if param.width == Width::Huge { "BigInt" } else { "Number" };
        let value = if param.is_array { format!("list(line(), {of})") } else { format!("{of}(line())") };
        format!("    const value{index} = {value};")
    });
    let read: Vec<String> = read.collect();
    let kind = match callee.returns {
        Returns::Bool => "bool",
        Returns::Int | Returns::Long => "int",
        Returns::Text | Returns::OneOf(_) => "text",
        Returns::IntArray => "ints",
    };
    let arguments = callee.each(|index, _| format!("value{index}"));
    let name = &callee.name;
    let (function, call) = if is_class(callee, tokens) {
        (format!("Solution.prototype.{name}"), format!("new Solution().{name}({arguments})"))
    } else {
        (name.clone(), format!("{name}({arguments})"))
    };
    let values = [
        ("FUNCTION", function.as_str()),
        ("SIGNATURE", signature),
        ("NAME", name),
        ("KIND", kind),
        ("READ", &read.join("\n")),
        ("CALL", &call),
        ("LAST_LINE", &source.lines().count().to_string()),
        ("FILE", file),
    ];
    without_exports(source, tokens) + &fill(DRIVER, &values)
}

/// Whether the function is a method of `class Solution`.
fn is_class(callee: &Callee, tokens: &[Token<'_>]) -> bool {
    let declares_class = tokens.windows(2).any(|pair| pair[0].is("class") && pair[1].is("Solution"));
    let declares_function = tokens.windows(2).any(|pair| {
        let word = ["function", "var", "let", "const"].iter().any(|word| pair[0].is(word));
        word && pair[0].depth == 0 && pair[1].is(&callee.name)
    });
    declares_class && !declares_function
}

/// The source without `export`, which a script can't have: the words go, the declarations stay.
fn without_exports(source: &str, tokens: &[Token<'_>]) -> String {
    let mut gone: Vec<(usize, usize, &str)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if !token.is("export") || token.depth > 0 || (index > 0 && tokens[index - 1].is(".")) {
            continue;
        }
        let after = |step: usize| tokens.get(index + step);
        let end_of = |at: usize| tokens.get(at).map_or(source.len(), |last| last.offset + last.text.len());
        let end = match after(1) {
            // `export { f, g as default }`
            Some(next) if next.is("{") => end_of(close_of(tokens, index + 1).unwrap_or(tokens.len())),
            // `export default function …`, or `export default f`, which stays as an expression.
            Some(next) if next.is("default") => end_of(index + 1),
            // TypeScript's `export = f`
            Some(next) if next.is("=") => end_of(index + 1),
            Some(next) if next.kind == Kind::Word => end_of(index),
            _ => continue,
        };
        gone.push((token.offset, end, ""));
    }
    replaced(source, &gone)
}
