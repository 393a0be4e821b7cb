//! `measured.toml`: what a whole measurement came to, with the digest of everything that was measured, so that a number
//! is never shown for other tests or other programs than those it is of. Text in, text out; reads no file.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::package::sha256;

/// Raised when what is counted changes its meaning.
const FORMAT: i64 = 1;

const HEADER: &str = "# Written by `touchstone strength`, shown by `touchstone list` as long as `of` is the digest of the tests, the\n\
    # solutions and strength.toml; not to be edited.\n";

/// The numbers of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Mutants that the tests kill.
    pub killed: usize,
    /// Mutants that compile and are not equivalent.
    pub counted: usize,
    /// Kept wrong programs that the tests kill.
    pub kept_killed: usize,
    /// Kept wrong programs.
    pub kept: usize,
}

impl Record {
    /// The file's text; `of` is the [`digest`] of what was measured.
    pub fn to_text(self, of: &str) -> String {
        let mut text = format!("{HEADER}format = {FORMAT}\nof = \"{of}\"\n");
        for (key, number) in self.numbers() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{key} = {number}");
        }
        text
    }

    /// Reads what [`Record::to_text`] writes; `None` when it is of something else than `of`, or not such a text.
    pub fn parse(text: &str, of: &str) -> Option<Self> {
        let table: toml::Table = text.parse().ok()?;
        let number = |key: &str| usize::try_from(table.get(key)?.as_integer()?).ok();
        let is_it = table.get("format")?.as_integer()? == FORMAT && table.get("of")?.as_str()? == of;
        let record = Self {
            killed: number("killed")?,
            counted: number("counted")?,
            kept_killed: number("kept_killed")?,
            kept: number("kept")?,
        };
        let is_sound = record.killed <= record.counted && record.kept_killed <= record.kept;
        (is_it && is_sound).then_some(record)
    }

    fn numbers(self) -> [(&'static str, usize); 4] {
        [
            ("killed", self.killed),
            ("counted", self.counted),
            ("kept_killed", self.kept_killed),
            ("kept", self.kept),
        ]
    }
}

/// The digest of what is measured, each part whole and in a fixed order.
pub fn digest<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    sha256(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_of_what_was_measured_and_of_nothing_else() {
        let record = Record { killed: 71, counted: 73, kept_killed: 9, kept: 9 };
        let of = digest([b"tests".as_slice(), b"programs"]);
        let text = record.to_text(&of);
        assert_eq!(Record::parse(&text, &of), Some(record));
        for other in [digest([b"test".as_slice(), b"sprograms"]), digest([b"tests".as_slice()])] {
            assert_eq!(Record::parse(&text, &other), None);
        }
        for (from, to) in [("71", "74"), ("kept = 9\n", ""), ("format = 1", "format = 2"), ("of =", "of")] {
            assert_eq!(Record::parse(&text.replacen(from, to, 1), &of), None, "{from}");
        }
    }
}
