//! The pieces of the expected and the actual output around their first difference, for a diff to look at. Streams
//! through both, holds only the pieces, and never decides whether they agree: that is `check`.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::path::Path;

use crate::check::Checker;
use crate::grade::event::Outputs;
use crate::grade::excerpt;

/// Bytes of each output that are kept.
const PIECE_BYTES: usize = 4_096;
/// Bytes before the difference that are looked at for whole lines to show with it.
const BEFORE_BYTES: usize = 400;
/// Lines before the difference that are shown with it.
const BEFORE_LINES: usize = 3;

/// A place in each output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Place {
    expected: u64,
    actual: u64,
}

/// The pieces of the answer (`range` of the file `answer`) and of the output `actual` that are worth showing.
pub(crate) fn outputs(
    checker: &Checker,
    answer: &Path,
    range: &Range<u64>,
    actual: &[u8],
) -> io::Result<Outputs> {
    let length = range.end.saturating_sub(range.start);
    let whole = length <= PIECE_BYTES as u64 && actual.len() <= PIECE_BYTES;
    let place = if whole || *checker == Checker::Unordered {
        Place::default()
    } else {
        first_difference(*checker == Checker::Exact, answer, range, actual)?
    };
    let (expected_from, actual_from) =
        (place.expected.min(length), (place.actual as usize).min(actual.len()));
    let before = excerpt::piece(
        answer,
        range.start + expected_from.saturating_sub(BEFORE_BYTES as u64)..range.start + expected_from,
    )?;
    let actual_before = &actual[actual_from.saturating_sub(BEFORE_BYTES)..actual_from];
    let lines = whole_lines(&before, place.expected as usize)
        .min(whole_lines(actual_before, actual_from))
        .min(BEFORE_LINES);
    let expected_from = expected_from - last_lines_bytes(&before, lines) as u64;
    let actual_from = actual_from - last_lines_bytes(actual_before, lines);
    let first = range.start + expected_from;
    Ok(Outputs {
        expected: excerpt::piece(answer, first..range.end.min(first + PIECE_BYTES as u64))?,
        actual: actual[actual_from..actual.len().min(actual_from + PIECE_BYTES)].to_vec(),
        first_line: line_of(actual, actual_from),
    })
}

/// The number of the line in which the byte at `offset` stands, from 1.
fn line_of(bytes: &[u8], offset: usize) -> u64 {
    1 + memchr::memchr_iter(b'\n', &bytes[..offset]).count() as u64
}

/// How many starts of lines there are in `before`, the last bytes before a place at `offset`; one less than its line
/// breaks unless it begins at the very beginning. The line of the place itself counts as one.
fn whole_lines(before: &[u8], offset: usize) -> usize {
    memchr::memchr_iter(b'\n', before).count() + usize::from(before.len() == offset)
}

/// The length of the last `lines` lines of `before`, the unfinished one included.
fn last_lines_bytes(before: &[u8], lines: usize) -> usize {
    if lines == 0 {
        return 0;
    }
    memchr::memrchr_iter(b'\n', before)
        .nth(lines - 1)
        .map_or(before.len(), |line_break| before.len() - line_break - 1)
}

/// Where the outputs first differ: byte by byte, or token by token so that harmless blanks are passed over.
fn first_difference(exact: bool, answer: &Path, range: &Range<u64>, actual: &[u8]) -> io::Result<Place> {
    if !exact && let Some(place) = first_other_token(&mut open(answer, range)?, &mut Walk::new(actual))? {
        return Ok(place);
    }
    let (mut left, mut right) = (open(answer, range)?, Walk::new(actual));
    loop {
        let place = Place { expected: left.offset, actual: right.offset };
        match (left.next()?, right.next()?) {
            (Some(a), Some(b)) if a == b => {}
            _ => return Ok(place),
        }
    }
}

fn first_other_token<A: BufRead, B: BufRead>(
    left: &mut Walk<A>,
    right: &mut Walk<B>,
) -> io::Result<Option<Place>> {
    loop {
        let (mut a, mut b) = (left.after_blanks()?, right.after_blanks()?);
        let back = |walk_offset: u64, byte: Option<u8>| walk_offset - u64::from(byte.is_some());
        let place = Place { expected: back(left.offset, a), actual: back(right.offset, b) };
        if a.is_none() && b.is_none() {
            return Ok(None);
        }
        let in_token = |byte: Option<u8>| byte.filter(|byte| !byte.is_ascii_whitespace());
        while let Some(byte) = in_token(a) {
            if in_token(b) != Some(byte) {
                return Ok(Some(place));
            }
            (a, b) = (left.next()?, right.next()?);
        }
        if in_token(b).is_some() {
            return Ok(Some(place));
        }
    }
}

fn open(answer: &Path, range: &Range<u64>) -> io::Result<Walk<BufReader<io::Take<File>>>> {
    let mut file = File::open(answer)?;
    file.seek(SeekFrom::Start(range.start))?;
    Ok(Walk::new(BufReader::with_capacity(1 << 16, file.take(range.end.saturating_sub(range.start)))))
}

/// Bytes one by one, counted.
struct Walk<R> {
    reader: R,
    offset: u64,
}

impl<R: BufRead> Walk<R> {
    fn new(reader: R) -> Self {
        Self { reader, offset: 0 }
    }

    fn next(&mut self) -> io::Result<Option<u8>> {
        let byte = self.reader.fill_buf()?.first().copied();
        if byte.is_some() {
            self.reader.consume(1);
            self.offset += 1;
        }
        Ok(byte)
    }

    fn after_blanks(&mut self) -> io::Result<Option<u8>> {
        loop {
            match self.next()? {
                Some(byte) if byte.is_ascii_whitespace() => {}
                other => return Ok(other),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(checker: &Checker, expected: &str, actual: &str) -> Outputs {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.ans");
        std::fs::write(&path, format!("<<{expected}>>")).unwrap();
        outputs(checker, &path, &(2..2 + expected.len() as u64), actual.as_bytes()).unwrap()
    }

    #[test]
    fn small_outputs_are_whole() {
        let found = pieces(&Checker::Tokens, "1\n2\n", "1\n3\n");
        assert_eq!((found.expected.as_slice(), found.actual.as_slice()), (&b"1\n2\n"[..], &b"1\n3\n"[..]));
        assert_eq!(found.first_line, 1);
    }

    #[test]
    fn large_outputs_are_cut_around_the_difference() {
        let expected: String = (1..=100_000).map(|line| format!("{line}\n")).collect();
        // Blanks that the checker passes over come first, and must not be taken for the difference.
        let actual = expected.replacen("17\n", "17  \n", 1).replacen("70000\n", "7\n", 1);
        let found = pieces(&Checker::Tokens, &expected, &actual);
        assert!(found.expected.starts_with(b"69998\n69999\n70000\n"), "{:?}", &found.expected[..40]);
        assert!(found.actual.starts_with(b"69998\n69999\n7\n70001\n"));
        assert_eq!((found.expected.len(), found.first_line), (PIECE_BYTES, 69_998));
        assert!(pieces(&Checker::Exact, &expected, &actual).actual.starts_with(b"15\n16\n17  \n"));
    }

    #[test]
    fn an_output_that_ends_early_or_never_breaks_a_line_is_cut_too() {
        let expected = "1 ".repeat(50_000);
        let found = pieces(&Checker::Tokens, &expected, &expected[..90_000]);
        assert!(found.actual.is_empty() && found.expected.starts_with(b"1 1 1"));
        let long = "x".repeat(100_000);
        let found = pieces(&Checker::Tokens, &long, &format!("{long}y"));
        assert_eq!(found.expected.len(), PIECE_BYTES);
        assert_eq!(pieces(&Checker::Lines, &expected, &expected.replace("1 1 1", "1\n1 1")).first_line, 1);
    }
}
