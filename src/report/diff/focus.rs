//! Where two outputs first differ in a way worth seeing, and the lines around that place. Tokens are looked at first,
//! then lines without the blanks at their ends, then bytes, so that harmless white space never hides the real fault.

use crate::check::multiset::token_hash;
use crate::check::scan::{common_prefix, equal_tokens, is_space, space_end, token_end};

/// Lines that the diff may look at, on each side.
const WINDOW_LINES: usize = 24;
/// A line longer than this is compared by all its bytes, however it is looked at.
const MAX_SPLIT_BYTES: usize = 64 << 10;

/// How closely two outputs have to be looked at to see that they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// Their tokens differ.
    Tokens,
    /// Only their lines do.
    Lines,
    /// Only white space that a person can't see does.
    Bytes,
}

/// A first difference, and the lines around it on both sides.
pub(super) struct Focus<'a> {
    pub(super) sight: Sight,
    pub(super) left: View<'a>,
    pub(super) right: View<'a>,
}

/// Some lines of one output.
pub(super) struct View<'a> {
    /// Without their line feeds.
    pub(super) lines: Vec<&'a [u8]>,
    /// The number of the first, from 1.
    pub(super) first_number: u64,
    /// How many lines there are behind the last.
    pub(super) lines_behind: u64,
    /// Whether the output ends with a line feed.
    pub(super) ends_in_break: bool,
}

impl Sight {
    /// The same for lines that look the same.
    pub(super) fn key(self, line: &[u8]) -> u128 {
        match self {
            Self::Tokens if line.len() <= MAX_SPLIT_BYTES => line
                .split(|byte| is_space(*byte))
                .filter(|token| !token.is_empty())
                .fold(0, |key: u128, token| key.rotate_left(1).wrapping_add(token_hash(token))),
            Self::Tokens | Self::Lines => token_hash(trim_end(line)),
            Self::Bytes => token_hash(line),
        }
    }
}

/// Finds the first difference worth seeing.
pub(super) fn find<'a>(expected: &'a [u8], actual: &'a [u8]) -> Focus<'a> {
    let (sight, left, right) = if let Some((left, right)) = first_token(expected, actual) {
        (Sight::Tokens, left, right)
    } else if let Some((left, right)) = first_line(expected, actual) {
        (Sight::Lines, left, right)
    } else {
        let at = common_prefix(expected, actual);
        (Sight::Bytes, at, at)
    };
    Focus { sight, left: View::around(expected, left), right: View::around(actual, right) }
}

/// Where the first tokens that differ begin; the ends count as tokens too.
fn first_token(left: &[u8], right: &[u8]) -> Option<(usize, usize)> {
    let (mut a, mut b) = (0, 0);
    loop {
        let (x, y, _) = equal_tokens(&left[a..], &right[b..]);
        (a, b) = (a + x, b + y);
        (a, b) = (a + space_end(&left[a..]), b + space_end(&right[b..]));
        let (ends, over) = (token_end(&left[a..]), token_end(&right[b..]));
        if ends == 0 && over == 0 {
            return None;
        }
        if left[a..a + ends] != right[b..b + over] {
            return Some((a, b));
        }
        (a, b) = (a + ends, b + over);
    }
}

/// Where the first lines begin that differ in more than the blanks at their ends.
fn first_line(left: &[u8], right: &[u8]) -> Option<(usize, usize)> {
    let (mut a, mut b) = (0, 0);
    while a < left.len() || b < right.len() {
        let (line, next) = (line_at(left, a), line_at(right, b));
        if trim_end(line) != trim_end(next) {
            return Some((a, b));
        }
        (a, b) = ((a + line.len() + 1).min(left.len()), (b + next.len() + 1).min(right.len()));
    }
    None
}

fn line_at(bytes: &[u8], from: usize) -> &[u8] {
    let rest = &bytes[from..];
    &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())]
}

pub(super) fn trim_end(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1);
    &line[..end]
}

impl<'a> View<'a> {
    /// The line that holds `at`, a few before it and some behind it.
    fn around(bytes: &'a [u8], at: usize) -> Self {
        let mut start = at;
        for _ in 0..=super::CONTEXT_BEFORE {
            start = memchr::memrchr(b'\n', &bytes[..start]).unwrap_or(0);
        }
        if start > 0 {
            start += 1;
        }
        let first_number = memchr::memchr_iter(b'\n', &bytes[..start]).count() as u64 + 1;
        let mut lines = Vec::new();
        let mut from = start;
        while from < bytes.len() && lines.len() < WINDOW_LINES {
            let line = line_at(bytes, from);
            lines.push(line);
            from = (from + line.len() + 1).min(bytes.len());
        }
        let behind = &bytes[from..];
        let lines_behind = memchr::memchr_iter(b'\n', behind).count() as u64
            + u64::from(behind.last().is_some_and(|last| *last != b'\n'));
        Self { lines, first_number, lines_behind, ends_in_break: bytes.ends_with(b"\n") }
    }
}
