//! Reads Rust code as words and signs for the rules of `tidy`: comments and the insides of literals are gone. Knows no
//! rule and no grammar beyond paths and blocks; never touches a file by itself.

use std::ops::Range;
use std::path::PathBuf;

/// A word or a sign of Rust code.
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// A Rust file as tokens: no comments, and every literal as an empty one.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) tokens: Vec<Token>,
}

impl Source {
    pub(crate) fn new(path: PathBuf, text: &str) -> Self {
        Self { path, tokens: tokens(text) }
    }

    /// The top-level module that the file belongs to: `check` for `src/check/mod.rs`.
    pub(crate) fn room(&self) -> &str {
        let mut parts = self.path.iter().skip(1).filter_map(|part| part.to_str());
        parts.next().map_or("", |part| part.strip_suffix(".rs").unwrap_or(part))
    }

    /// How many modules the file's own module lies below the crate's root.
    fn depth(&self) -> usize {
        let below_src = self.path.iter().count() - 1;
        let names_its_folder =
            self.path.file_name().is_some_and(|it| it == "mod.rs" || it == "lib.rs" || it == "main.rs");
        below_src - usize::from(names_its_folder)
    }

    pub(crate) fn is(&self, at: usize, expected: &[&str]) -> bool {
        let found = self.tokens[at..].iter().map(|token| token.text.as_str());
        expected.len() <= self.tokens.len() - at && found.zip(expected).all(|(found, it)| found == *it)
    }

    /// The names that can follow the path ending at `at`: one, or the heads of all members of a group.
    pub(crate) fn heads(&self, at: usize) -> Vec<&Token> {
        let Some(first) = self.tokens.get(at) else { return Vec::new() };
        if first.text != "{" {
            return vec![first];
        }
        let mut heads = Vec::new();
        let mut open = 0;
        for (index, token) in self.tokens.iter().enumerate().skip(at) {
            match token.text.as_str() {
                "{" => open += 1,
                "}" if open == 1 => break,
                "}" => open -= 1,
                _ if open == 1 && matches!(self.tokens[index - 1].text.as_str(), "{" | ",") => {
                    heads.push(token);
                }
                _ => {}
            }
        }
        heads
    }

    /// Top-level modules that the file names, by `crate::` or by climbing to the root with `super::`.
    pub(crate) fn rooms_named(&self) -> Vec<&Token> {
        let mut named = Vec::new();
        let mut inline_modules = Vec::new();
        let mut open = 0;
        for (at, token) in self.tokens.iter().enumerate() {
            match token.text.as_str() {
                "{" => {
                    open += 1;
                    if at >= 2 && self.tokens[at - 2].text == "mod" {
                        inline_modules.push(open);
                    }
                }
                "}" => {
                    inline_modules.retain(|&opened| opened != open);
                    open -= 1;
                }
                "crate" if self.is(at, &["crate", ":", ":"]) => named.extend(self.heads(at + 3)),
                "super" if !self.follows_path(at) => {
                    let climbs =
                        (at..).step_by(3).take_while(|&at| self.is(at, &["super", ":", ":"])).count();
                    if climbs > 0 && climbs >= self.depth() + inline_modules.len() {
                        named.extend(self.heads(at + 3 * climbs));
                    }
                }
                _ => {}
            }
        }
        named
    }

    pub(crate) fn follows_path(&self, at: usize) -> bool {
        at >= 2 && self.is(at - 2, &[":", ":"])
    }

    /// Token ranges of modules that only tests have.
    pub(crate) fn test_modules(&self) -> Vec<Range<usize>> {
        let mark = ["#", "[", "cfg", "(", "test", ")", "]"];
        let starts = (0..self.tokens.len()).filter(|&at| self.is(at, &mark));
        starts.map(|at| at..self.end_of_block(at)).collect()
    }

    /// The index after the block, or the statement without one, that begins at `at`.
    pub(crate) fn end_of_block(&self, at: usize) -> usize {
        let mut open = 0;
        for (index, token) in self.tokens.iter().enumerate().skip(at) {
            match token.text.as_str() {
                "{" => open += 1,
                "}" if open <= 1 => return index + 1,
                "}" => open -= 1,
                ";" if open == 0 => return index + 1,
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// The tokens of the attribute that `at` stands in, to its closing bracket.
    pub(crate) fn attribute(&self, at: usize) -> &[Token] {
        let rest = self.tokens.get(at..).unwrap_or_default();
        let end = rest.iter().position(|token| token.text == "]").unwrap_or(rest.len());
        &rest[..end]
    }
}

/// Splits Rust code into words and single signs. Comments vanish; strings, characters and lifetimes leave a `"`.
fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line = 1;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'/' if bytes[at..].starts_with(b"//") => {
                at += bytes[at..].iter().take_while(|&&byte| byte != b'\n').count();
            }
            b'/' if bytes[at..].starts_with(b"/*") => at = end_of_comment(bytes, at),
            b'"' => at = end_of_string(bytes, at),
            b'\'' => at = end_of_quote(text, at),
            byte if is_word(byte) => {
                at += bytes[at..].iter().take_while(|&&byte| is_word(byte)).count();
                match (&text[start..at], bytes.get(at)) {
                    ("r" | "br" | "cr", Some(b'"' | b'#')) => at = end_of_raw(bytes, at),
                    ("b" | "c", Some(b'"')) => at = end_of_string(bytes, at),
                    ("b", Some(b'\'')) => at = end_of_quote(text, at),
                    _ => {}
                }
            }
            _ => at += 1,
        }
        let found = &text[start..at];
        let is_comment = found.starts_with("//") || found.starts_with("/*");
        if !is_comment && !found.trim().is_empty() {
            let is_literal = found.len() > 1 && (found.contains('"') || found.contains('\''));
            tokens.push(Token { text: if is_literal { "\"".into() } else { found.into() }, line });
        }
        line += found.matches('\n').count();
    }
    tokens
}

fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

fn end_of_comment(bytes: &[u8], mut at: usize) -> usize {
    let mut open = 0;
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            open += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            open -= 1;
            at += 2;
            if open == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    bytes.len()
}

fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The end of a raw string whose `#`s or quote stand at `at`; a raw name such as `r#type` ends at its `#`.
fn end_of_raw(bytes: &[u8], at: usize) -> usize {
    let hashes = bytes[at..].iter().take_while(|&&byte| byte == b'#').count();
    if bytes.get(at + hashes) != Some(&b'"') {
        return at + hashes;
    }
    let mut close = vec![b'"'];
    close.resize(hashes + 1, b'#');
    let body = at + hashes + 1;
    let found = bytes[body..].windows(close.len()).position(|window| window == close);
    found.map_or(bytes.len(), |found| body + found + close.len())
}

/// The end of a character such as `'"'`, or of a lifetime's quote.
fn end_of_quote(text: &str, start: usize) -> usize {
    let mut rest = text[start..].char_indices().skip(1);
    let closes = |at: usize| text[start + at..].starts_with('\'');
    match (rest.next(), rest.next()) {
        (Some((_, '\\')), Some((after, escaped))) => {
            let body = &text[start + after + escaped.len_utf8()..];
            body.find('\'').map_or(text.len(), |found| start + after + escaped.len_utf8() + found + 1)
        }
        (Some(_), Some((after, _))) if closes(after) => start + after + 1,
        _ => start + 1,
    }
}

#[test]
fn the_reader_of_code_sees_through_comments_and_strings() {
    let read = |text: &str| tokens(text).into_iter().map(|it| it.text).collect::<Vec<_>>().join(" ");
    assert_eq!(read("a /* b /* c */ \" */ d // e \"\nf"), "a d f");
    assert_eq!(
        read(r##"x("unsafe \" y", r#"z " unsafe"#, b"\\", '"', '\'', 'a')"##),
        "x ( \" , \" , \" , \" , \" , \" )"
    );
    assert_eq!(
        read("fn f<'a>(x: &'a str) -> r#type { '\\u{41}' }"),
        "fn f < ' a > ( x : & ' a str ) - > r# type { \" }"
    );
    let lines: Vec<usize> = tokens("a\n\"b\nc\"\nd").iter().map(|it| it.line).collect();
    assert_eq!(lines, [1, 2, 4]);
}

#[test]
fn the_reader_of_paths_sees_groups_and_climbing() {
    let named = |path: &str, code: &str| {
        let source = Source::new(path.into(), code);
        source.rooms_named().iter().map(|it| it.text.clone()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(named("src/check/mod.rs", "use crate::{lang::{find, real}, cli as door};"), "lang cli");
    assert_eq!(
        named("src/check/mod.rs", "use super::lang; mod tests { use super::x; use super::super::cli; }"),
        "lang cli"
    );
    assert_eq!(named("src/check/float.rs", "use super::number; use super::super::cli::args;"), "cli");
}
