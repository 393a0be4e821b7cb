//! Pieces of text and output cut to what can be shown: bounded, valid UTF-8, with everything invisible made visible.
//! Whatever a program wrote may come in here; nothing that a terminal would obey comes out.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Bytes of a failing input that a report holds.
pub(crate) const INPUT_BYTES: usize = 240;
/// Bytes of a pack's failing member that a report holds: small by nature, and of use only when whole.
pub(crate) const MEMBER_BYTES: usize = 2_000;
/// Bytes of a message.
pub(crate) const MESSAGE_BYTES: usize = 400;
/// Bytes and lines of standard error that a report holds.
pub(crate) const STDERR_BYTES: usize = 600;
/// Lines of standard error that a report holds.
pub(crate) const STDERR_LINES: usize = 8;
/// Bytes of the compiler's messages that a report holds.
pub(crate) const COMPILE_LOG_BYTES: usize = 1_600;

/// What stands around the number of bytes that were left out.
const CUT_BEGINS: &str = " … ";
const CUT_ENDS: &str = " bytes left out … ";
/// Room for that number.
const COUNT_COLUMNS: usize = 8;

/// `text` with its middle cut out if it is longer than `limit` bytes; what is left out is counted.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let half = limit.saturating_sub(40) / 2;
    let head = &text[..boundary_before(text, half)];
    let tail = &text[boundary_after(text, text.len() - half)..];
    let left_out = text.len() - head.len() - tail.len();
    [head, CUT_BEGINS, &left_out.to_string(), CUT_ENDS, tail].concat()
}

/// A line of an excerpt in at most `columns` columns: words are cut from its middle, or from both sides of what was left
/// out there before, and what is left out is counted anew.
pub(crate) fn fit(line: &str, columns: usize) -> String {
    if line.width() <= columns {
        return line.to_owned();
    }
    let cut = line.split_once(CUT_BEGINS).and_then(|(head, rest)| {
        let (count, tail) = rest.split_once(CUT_ENDS)?;
        Some((head, count.parse().ok()?, tail))
    });
    let (head, before, tail) = cut.unwrap_or_else(|| {
        let (head, tail) = line.split_at(boundary_before(line, line.len() / 2));
        (head, 0, tail)
    });
    let side = columns.saturating_sub(CUT_BEGINS.width() + COUNT_COLUMNS + CUT_ENDS.width()) / 2;
    let shown_head = first_words(head, side, str::chars);
    let shown_tail = first_words(tail, side, |text| text.chars().rev());
    let left_out: usize = before + head.len() - shown_head + tail.len() - shown_tail;
    let (head, tail) = (&head[..shown_head], &tail[tail.len() - shown_tail..]);
    [head.trim_end(), CUT_BEGINS, &left_out.to_string(), CUT_ENDS, tail.trim_start()].concat()
}

/// How many bytes of `text`, in the order of `chars`, are as many words as fit in so many columns; of a word that is
/// longer than that alone, as much of it as fits.
fn first_words<'a, C: Iterator<Item = char>>(
    text: &'a str,
    columns: usize,
    chars: impl Fn(&'a str) -> C,
) -> usize {
    let (mut width, mut bytes, mut at_word) = (0, 0, None);
    for c in chars(text) {
        width += c.width().unwrap_or(0);
        if width > columns {
            return at_word.unwrap_or(bytes);
        }
        if c == ' ' {
            at_word = Some(bytes);
        }
        bytes += c.len_utf8();
    }
    bytes
}

/// The last place up to `at` where no character is cut in two.
pub(crate) fn boundary_before(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0)
}

/// The first place from `at` on where no character is cut in two.
fn boundary_after(text: &str, at: usize) -> usize {
    (at..text.len()).find(|place| text.is_char_boundary(*place)).unwrap_or(text.len())
}

/// The bytes as text: line breaks stay, every other invisible character and every byte that is no text is escaped.
pub(crate) fn printable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' | '"' | '\'' | '\\' => text.push(c),
                _ if c.is_ascii_control() && c != '\t' && c != '\r' && c != '\0' => {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "\\x{:02x}", c as u32);
                }
                _ => text.extend(c.escape_debug()),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// The last lines of what a program wrote to standard error.
pub(crate) fn last_lines(bytes: &[u8]) -> String {
    let bytes = bytes.trim_ascii_end();
    // Escaping makes one byte into four at most; no more than this can be of use.
    let tail = &bytes[bytes.len().saturating_sub(4 * STDERR_BYTES)..];
    let text = printable(tail);
    let lines: Vec<&str> = text.lines().collect();
    let text = lines[lines.len().saturating_sub(STDERR_LINES)..].join("\n");
    match text.len() {
        length if length <= STDERR_BYTES => text,
        length => format!("…{}", &text[boundary_after(&text, length - STDERR_BYTES)..]),
    }
}

/// The bytes of `range` of a file, made printable, cut to `limit` bytes without reading what is cut.
pub(crate) fn of_file(path: &Path, range: &Range<u64>, limit: usize) -> io::Result<String> {
    let length = range.end.saturating_sub(range.start);
    if length <= limit as u64 {
        return Ok(shorten(&printable(&piece(path, range.clone())?), 2 * limit));
    }
    let half = limit as u64 / 2;
    let head = printable(&piece(path, range.start..range.start + half)?);
    let tail = printable(&piece(path, range.end - half..range.end)?);
    // The cut may have split a character in two; its halves were escaped and would mislead.
    let (head, tail) =
        (without_cut_word(&head), tail.split_once([' ', '\n']).map_or(&*tail, |(_, rest)| rest));
    let left_out = length - 2 * half;
    Ok(shorten(&[head, CUT_BEGINS, &left_out.to_string(), CUT_ENDS, tail].concat(), 2 * limit))
}

fn without_cut_word(text: &str) -> &str {
    text.rfind([' ', '\n']).map_or(text, |end| &text[..end])
}

/// The bytes of `range` of a file, or as many of them as there are.
pub(crate) fn piece(path: &Path, range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    if range.start > 0 {
        file.seek(SeekFrom::Start(range.start))?;
    }
    let mut bytes = Vec::new();
    file.take(range.end.saturating_sub(range.start)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        let text = printable(b"a\x1b[2J\xff\x00\r\t\"ok\"\n\xe2\x80\xae\xd0\xb4");
        assert_eq!(text, "a\\x1b[2J\\xff\\0\\r\\t\"ok\"\n\\u{202e}д");
    }

    #[test]
    fn cutting_keeps_both_ends_and_whole_characters() {
        let text = "д".repeat(1000);
        let short = shorten(&text, 101);
        assert!(short.len() <= 101 && short.starts_with('д') && short.ends_with('д'), "{short}");
        assert!(short.contains("bytes left out"));
        assert_eq!(shorten("short", 10), "short");
    }

    #[test]
    fn a_line_fits_its_columns_and_counts_what_is_left_out() {
        let whole = "1 ".repeat(99) + "1";
        let fitted = fit(&whole, 76);
        assert_eq!(fitted.len() - 2 * "…".len() + 2, fitted.width());
        assert!(fitted.width() <= 76 && fitted.width() > 60, "{fitted}");
        let sum: usize = fitted.split(' ').map(|word| usize::from(word == "1")).sum();
        assert!(
            fitted.contains(&format!(" … {} bytes left out … ", whole.len() - (2 * sum - 2))),
            "{fitted}"
        );
        let again = fit(&shorten(&whole, 150), 76);
        assert!(again.width() <= 76 && again.matches("left out").count() == 1, "{again}");
        let word = fit(&"石".repeat(200), 60);
        assert!(word.width() <= 60 && word.starts_with('石') && word.ends_with('石'), "{word}");
        assert_eq!(fit("1 2 3", 76), "1 2 3");
        assert!(fit(&whole, 0).contains("199 bytes left out"));
    }

    #[test]
    fn the_last_lines_are_kept() {
        let log: String = (0..100).map(|line| format!("line {line}\n")).collect();
        let kept = last_lines(log.as_bytes());
        assert!(kept.starts_with("line 92\n") && kept.ends_with("line 99"), "{kept}");
        assert!(last_lines(&[b'x'; 100_000]).len() <= STDERR_BYTES + 3);
        assert_eq!(last_lines(b"\n\n"), "");
    }

    #[test]
    fn a_piece_of_a_file_is_shown_without_reading_it_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.in");
        let numbers: String = (0..10_000).map(|number| format!("{number} ")).collect();
        std::fs::write(&path, &numbers).unwrap();
        let shown = of_file(&path, &(0..numbers.len() as u64), 100).unwrap();
        assert!(shown.starts_with("0 1 2") && shown.trim_end().ends_with("9998 9999"), "{shown}");
        assert!(shown.len() < 200);
        assert_eq!(of_file(&path, &(2..7), 100).unwrap(), "1 2 3");
        assert!(of_file(&path.join("none"), &(0..1), 100).is_err());
    }
}
