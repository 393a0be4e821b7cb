//! Bytes as text that a person can read on one line: nothing invisible stays invisible, and nothing gets too long.
//! The text is for eyes only; it is never read back.

use std::fmt::Write as _;

/// The most characters of a token that a message shows.
const SHOWN_CHARS: usize = 60;
/// How many characters before the place of a difference are shown when a token is shortened.
const BEFORE_FOCUS: usize = 24;

/// A part of a text around a place of interest, enough for a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// The part itself.
    pub(super) bytes: Vec<u8>,
    /// How many bytes stand before it.
    pub(super) before: u64,
    /// How many bytes the whole has.
    pub(super) len: u64,
}

impl Excerpt {
    /// The part of `whole` that a message would show when `focus` is of interest.
    pub(super) fn around(whole: &[u8], focus: usize) -> Self {
        // A character has at most four bytes.
        let from = if whole.len() > 4 * SHOWN_CHARS { focus.saturating_sub(4 * BEFORE_FOCUS) } else { 0 };
        let to = whole.len().min(from + 8 * SHOWN_CHARS);
        Self { bytes: whole[from..to].to_vec(), before: from as u64, len: whole.len() as u64 }
    }

    /// In quotes, with `…` for what is left out; `focus` counts from the start of the whole.
    pub(super) fn quote(&self, focus: u64) -> String {
        // A part may begin inside a character; that character is left out.
        let torn = if self.before > 0 {
            self.bytes.iter().take_while(|byte| (**byte as i8) < -0x40).count().min(3)
        } else {
            0
        };
        let units = units(&self.bytes[torn..]);
        let before = self.before + torn as u64;
        let focus = focus.saturating_sub(before);
        let focus = units.iter().position(|unit| unit.end as u64 > focus).unwrap_or(units.len());
        let all = before == 0 && units.len() <= SHOWN_CHARS && self.bytes.len() as u64 == self.len;
        let from = if all || focus < SHOWN_CHARS - 8 { 0 } else { focus - BEFORE_FOCUS.min(focus) };
        let shown = &units[from..units.len().min(from + SHOWN_CHARS)];
        let cut_before = before > 0 || from > 0;
        let cut_after = shown.last().map_or(0, |unit| unit.end) as u64 + before < self.len;
        let text: String = shown.iter().map(|unit| unit.text.as_str()).collect();
        let dots = |cut: bool| if cut { "…" } else { "" };
        let size = if cut_before || cut_after { format!(" ({} bytes)", self.len) } else { String::new() };
        format!("\"{}{text}{}\"{size}", dots(cut_before), dots(cut_after))
    }
}

/// One character, or one byte that is part of none.
struct Unit {
    text: String,
    end: usize,
}

fn units(bytes: &[u8]) -> Vec<Unit> {
    let mut units = Vec::new();
    let mut end = 0;
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            end += character.len_utf8();
            units.push(Unit { text: escape_char(character, true), end });
        }
        for byte in chunk.invalid() {
            end += 1;
            units.push(Unit { text: format!("\\x{byte:02X}"), end });
        }
    }
    units
}

/// The bytes as one line of text: line breaks, control and invisible characters escaped as in `\n` or `\u{200b}`, and
/// bytes that are no UTF-8 as in `\xFF`. Backslashes stay as they are: the text is for reading, not for parsing.
pub fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            text.push_str(&escape_char(character, false));
        }
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}

fn escape_char(character: char, quoted: bool) -> String {
    match character {
        '"' if quoted => "\\\"".to_owned(),
        '\'' | '"' | '\\' => character.to_string(),
        '\0' => "\\0".to_owned(),
        ' '..='~' => character.to_string(),
        // The standard library knows which characters can be seen; marks that join to the one before can't by themselves.
        _ => character.escape_debug().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quote(bytes: &[u8], focus: usize) -> String {
        Excerpt::around(bytes, focus).quote(focus as u64)
    }

    #[test]
    fn what_cannot_be_seen_is_escaped() {
        assert_eq!(quote(b"7\0", 0), r#""7\0""#);
        assert_eq!(quote(b"a\x1b[31m\r\n\t\x7f", 0), r#""a\u{1b}[31m\r\n\t\u{7f}""#);
        assert_eq!(quote(b"caf\xe9\xff", 0), r#""caf\xE9\xFF""#);
        assert_eq!(quote("né\u{200b}\u{feff}\u{a0}石".as_bytes(), 0), "\"né\\u{200b}\\u{feff}\\u{a0}石\"");
        assert_eq!(quote(br#"say "it's""#, 0), r#""say \"it's\"""#);
        assert_eq!(escape(b"a\\b \"\n\xff"), "a\\b \"\\n\\xFF");
    }

    #[test]
    fn long_tokens_are_shortened_around_the_difference_on_character_boundaries() {
        let exact = "x".repeat(60);
        assert_eq!(quote(exact.as_bytes(), 59), format!("\"{exact}\""));
        let long = "é".repeat(100_000);
        assert_eq!(quote(long.as_bytes(), 0), format!("\"{}…\" (200000 bytes)", "é".repeat(60)));
        for focus in [5_000, 5_001, 199_998] {
            let shown = quote(long.as_bytes(), focus);
            assert!(shown.starts_with("\"…é") && !shown.contains("\\x"), "{shown}");
            assert!(shown.chars().count() < 120, "{shown}");
        }
        let mut marked = vec![b'0'; 1000];
        marked[700] = b'1';
        assert!(quote(&marked, 700).contains('1'), "{}", quote(&marked, 700));
    }
}
