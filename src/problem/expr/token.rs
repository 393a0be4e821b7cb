//! The words of the language. Knows no grammar.

use super::ExprError;
use std::ops::Range;

/// A word with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind<'t>,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'t> {
    Number(i128),
    /// A name or a keyword.
    Name(&'t str),
    /// An operator or a bracket.
    Sign(&'static str),
    End,
}

impl Token<'_> {
    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The token as messages show it.
    pub(super) fn shown(&self) -> String {
        match self.kind {
            TokenKind::Number(value) => format!("`{value}`"),
            TokenKind::Name(name) => format!("`{name}`"),
            TokenKind::Sign(sign) => format!("`{sign}`"),
            TokenKind::End => "the end".to_owned(),
        }
    }
}

/// Longer signs first, so that `<=` is not `<` and then `=`.
const SIGNS: [&str; 21] = [
    "..", "<=", ">=", "==", "!=", "&&", "||", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",",
    ":", "=",
];

/// Cuts the text into tokens; the last one is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, ExprError> {
    let mut tokens = Vec::new();
    let mut start = 0;
    while let Some(first) = text[start..].chars().next() {
        let rest = &text[start..];
        let (kind, len) = if first.is_whitespace() {
            start += first.len_utf8();
            continue;
        } else if first.is_ascii_digit() {
            let len = rest.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(rest.len());
            (TokenKind::Number(number(&rest[..len], start)?), len)
        } else if first.is_ascii_alphabetic() || first == '_' {
            let len = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            (TokenKind::Name(&rest[..len]), len)
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            (TokenKind::Sign(sign), sign.len())
        } else {
            let message = format!("`{}` means nothing here", first.escape_debug());
            let help = match first {
                '!' => Some("write `not` for `!`"),
                '^' => Some("there are no powers: multiply, or write the number out"),
                _ => None,
            };
            let span = start..start + first.len_utf8();
            return Err(ExprError { span, message, help: help.map(str::to_owned) });
        };
        tokens.push(Token { kind, start, end: start + len });
        start += len;
    }
    tokens.push(Token { kind: TokenKind::End, start: text.len(), end: text.len() });
    Ok(tokens)
}

fn number(text: &str, start: usize) -> Result<i128, ExprError> {
    let digits: String = text.chars().filter(|c| *c != '_').collect();
    digits.parse().map_err(|_| ExprError {
        span: start..start + text.len(),
        message: "the number does not fit in 128 bits".to_owned(),
        help: None,
    })
}
