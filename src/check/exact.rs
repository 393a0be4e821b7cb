//! The comparison of bytes: equal or not, at the speed of memory, and what kind of difference it is.

use std::io;

use super::scan::common_prefix;
use super::source::{Place, Source};
use super::visible::Excerpt;

/// How many bytes behind a difference a message may show.
const SHOWN_BEHIND: usize = 256;

/// The first byte that is not the same.
#[derive(Debug)]
pub(super) struct ByteDifference {
    /// In the output.
    pub(super) place: Place,
    /// How many bytes are the same before it.
    pub(super) offset: u64,
    /// Around the difference; empty behind it where that side ends.
    pub(super) expected: Excerpt,
    pub(super) found: Excerpt,
    /// Where in the excerpts the difference is.
    pub(super) focus: u64,
    pub(super) kind: Kind,
}

/// What kind of difference it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The output has nothing at all.
    Empty,
    /// The output lacks only the last line break.
    NoFinalNewline,
    /// The output has CR before LF where the answer has not.
    CarriageReturn,
    /// The output begins with a byte order mark.
    Mark,
    /// The output ends too early.
    Missing,
    /// The output has more behind the answer's end.
    Extra,
    /// White space on one side at least.
    Space,
    /// Anything else.
    Other,
}

/// Compares both streams byte for byte: the number of bytes when they are the same.
pub(super) fn compare(
    mut expected: Source<'_>,
    mut actual: Source<'_>,
) -> io::Result<Result<u64, Box<ByteDifference>>> {
    loop {
        let (ended, over) = (expected.at_end()?, actual.at_end()?);
        if ended && over {
            return Ok(Ok(actual.offset()));
        }
        let (left, right) = (expected.available(), actual.available());
        let same = common_prefix(left, right);
        let differs = same < left.len().min(right.len()) || ended || over;
        expected.consume(same);
        actual.consume(same);
        if differs {
            return Ok(Err(Box::new(describe(expected, actual)?)));
        }
    }
}

fn describe(mut expected: Source<'_>, mut actual: Source<'_>) -> io::Result<ByteDifference> {
    // Enough of both for the message.
    while expected.available().len() < SHOWN_BEHIND && expected.fill()? {}
    while actual.available().len() < SHOWN_BEHIND && actual.fill()? {}
    let (place, offset) = (actual.place(), actual.offset());
    let (want, got) = (expected.available(), actual.available());
    let kind = match (want, got) {
        ([..], []) if offset == 0 => Kind::Empty,
        ([b'\n'], []) => Kind::NoFinalNewline,
        ([..], []) => Kind::Missing,
        ([], [..]) => Kind::Extra,
        ([b'\n', ..], [b'\r', b'\n', ..]) => Kind::CarriageReturn,
        (_, got) if offset == 0 && got.starts_with(super::compare::MARK) => Kind::Mark,
        ([want, ..], [got, ..]) if want.is_ascii_whitespace() || got.is_ascii_whitespace() => Kind::Space,
        _ => Kind::Other,
    };
    let (expected, focus) = around(&expected);
    let (found, _) = around(&actual);
    Ok(ByteDifference { place, offset, expected, found, focus, kind })
}

/// From the start of the line, as far as it is still there, to a little behind the cursor.
fn around(source: &Source<'_>) -> (Excerpt, u64) {
    let history = source.history();
    let line = memchr::memrchr(b'\n', history).map_or(history, |at| &history[at + 1..]);
    let behind = &source.available()[..source.available().len().min(SHOWN_BEHIND)];
    let to = memchr::memchr(b'\n', behind).map_or(behind.len(), |at| at + 1);
    let bytes = [line, &behind[..to]].concat();
    let len = bytes.len() as u64;
    (Excerpt { bytes, before: 0, len }, line.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_difference_are_told_apart() {
        let kind = |expected: &str, actual: &str| {
            let (mut left, mut right) = (expected.as_bytes(), actual.as_bytes());
            compare(Source::new(&mut left), Source::new(&mut right)).unwrap().map_err(|found| found.kind)
        };
        assert_eq!(kind("a\n", "a\n"), Ok(2));
        assert_eq!(kind("", ""), Ok(0));
        assert_eq!(kind("a\n", ""), Err(Kind::Empty));
        assert_eq!(kind("a\n", "a"), Err(Kind::NoFinalNewline));
        assert_eq!(kind("a\n", "a\r\n"), Err(Kind::CarriageReturn));
        assert_eq!(kind("a\nb\n", "a\n"), Err(Kind::Missing));
        assert_eq!(kind("a\n", "a\n\n"), Err(Kind::Extra));
        assert_eq!(kind("a b\n", "a\tb\n"), Err(Kind::Space));
        assert_eq!(kind("a", "\u{feff}a"), Err(Kind::Mark));
        assert_eq!(kind("ab", "ac"), Err(Kind::Other));
    }
}
