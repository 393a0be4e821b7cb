//! The white space between two tokens: what of it a checker looks at, and how a message calls it.

use sha2::{Digest as _, Sha256};

use super::rules::Space;

/// White space longer than this is compared by its SHA-256.
const MAX_KEPT_BYTES: usize = 4096;

/// White space as far as it is compared.
#[derive(Clone, Debug, Default)]
pub(super) struct Gap {
    /// How many line feeds.
    pub(super) newlines: u64,
    /// What stands before the first line feed.
    head: Blanks,
    /// What stands behind it; of the last line only where blanks at the ends of lines don't count.
    rest: Blanks,
    /// A carriage return was seen that may belong to a line feed.
    carriage: bool,
}

/// Where white space stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// Before the first token, or all there is.
    Start,
    /// Between two tokens.
    Between,
    /// Behind the last token of both.
    End,
}

/// Bytes that are kept while they are few, and digested when they are many.
#[derive(Clone, Debug, Default)]
struct Blanks {
    kept: Vec<u8>,
    len: u64,
    digest: Option<Box<Sha256>>,
}

impl Gap {
    /// Takes the next piece of white space in.
    pub(super) fn feed(&mut self, piece: &[u8], space: Space) {
        match space {
            Space::Ignored => {}
            Space::Breaks | Space::Lines => self.newlines += memchr::memchr_iter(b'\n', piece).count() as u64,
            Space::Trimmed | Space::Kept | Space::Bytes => {
                for byte in piece {
                    self.feed_byte(*byte, space);
                }
            }
        }
    }

    fn feed_byte(&mut self, byte: u8, space: Space) {
        if std::mem::take(&mut self.carriage) && byte != b'\n' {
            self.blanks().push(b'\r');
        }
        match byte {
            b'\r' if space != Space::Bytes => self.carriage = true,
            b'\n' => {
                self.newlines += 1;
                match space {
                    // Blanks at the end of a line, and on an empty one, are nothing.
                    Space::Trimmed => (self.head, self.rest) = (Blanks::default(), Blanks::default()),
                    _ => self.rest.push(b'\n'),
                }
            }
            _ => self.blanks().push(byte),
        }
    }

    fn blanks(&mut self) -> &mut Blanks {
        if self.newlines == 0 { &mut self.head } else { &mut self.rest }
    }

    /// Whether the two are the same as far as `space` looks.
    pub(super) fn same(&self, other: &Self, space: Space, at: At) -> bool {
        let all = || {
            self.newlines == other.newlines
                && self.head.same(&other.head)
                && self.rest.same(&other.rest)
                && self.carriage == other.carriage
        };
        match (space, at) {
            (Space::Ignored, _)
            | (Space::Breaks, At::Start | At::End)
            | (Space::Lines | Space::Trimmed, At::End) => true,
            (Space::Breaks, At::Between) => (self.newlines > 0) == (other.newlines > 0),
            (Space::Lines, _) => self.newlines == other.newlines,
            // A carriage return at the very end may have lost its line feed.
            (Space::Kept, At::End) => self.head.same(&other.head),
            (Space::Trimmed | Space::Kept | Space::Bytes, _) => all(),
        }
    }

    /// In words, as in `2 line breaks and 3 spaces`.
    pub(super) fn describe(&self, space: Space) -> String {
        let breaks = match self.newlines {
            0 => String::new(),
            1 => "a line break".to_owned(),
            2 => "a line break and an empty line".to_owned(),
            many => format!("a line break and {} empty lines", many - 1),
        };
        if matches!(space, Space::Breaks | Space::Lines) {
            return if breaks.is_empty() { "a space".to_owned() } else { breaks };
        }
        let blanks: Vec<String> =
            [&self.head, &self.rest].iter().filter_map(|blanks| blanks.describe()).collect();
        match (breaks.is_empty(), blanks.is_empty()) {
            (true, true) if self.carriage => "a carriage return".to_owned(),
            (true, true) => "nothing".to_owned(),
            (true, false) => blanks.join(" and "),
            (false, true) => breaks,
            (false, false) => format!("{breaks} with {}", blanks.join(" and ")),
        }
    }

    /// The line breaks before the first token, or the lack of white space, in words.
    pub(super) fn describe_start(&self, space: Space) -> String {
        match self.newlines {
            0 if matches!(space, Space::Breaks | Space::Lines) => "nothing".to_owned(),
            0 => self.describe(space),
            1 => "an empty line".to_owned(),
            many => format!("{many} empty lines"),
        }
    }
}

impl Blanks {
    fn push(&mut self, byte: u8) {
        self.len += 1;
        if let Some(digest) = &mut self.digest {
            digest.update([byte]);
            return;
        }
        self.kept.push(byte);
        if self.kept.len() > MAX_KEPT_BYTES {
            let digest = Sha256::new().chain_update(std::mem::take(&mut self.kept));
            self.digest = Some(Box::new(digest));
        }
    }

    fn same(&self, other: &Self) -> bool {
        let digest = |blanks: &Self| blanks.digest.as_ref().map(|digest| digest.as_ref().clone().finalize());
        self.len == other.len && self.kept == other.kept && digest(self) == digest(other)
    }

    /// `None` when there are none besides line feeds.
    fn describe(&self) -> Option<String> {
        let blanks: Vec<u8> = self.kept.iter().copied().filter(|byte| *byte != b'\n').collect();
        let one_kind = blanks.first().filter(|first| blanks.iter().all(|byte| byte == *first));
        match (one_kind, blanks.len()) {
            _ if self.digest.is_some() => Some(format!("{} bytes of white space", self.len)),
            (_, 0) => None,
            (Some(b' '), 1) => Some("a space".to_owned()),
            (Some(b' '), many) => Some(format!("{many} spaces")),
            (Some(b'\t'), 1) => Some("a tab".to_owned()),
            (Some(b'\t'), many) => Some(format!("{many} tabs")),
            (Some(b'\r'), 1) => Some("a carriage return".to_owned()),
            _ => Some(format!("\"{}\"", super::visible::escape(&blanks[..blanks.len().min(20)]))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gap(text: &str, space: Space) -> Gap {
        let mut gap = Gap::default();
        // Pieces of one byte: what is seen must not depend on them.
        for byte in text.as_bytes() {
            gap.feed(&[*byte], space);
        }
        gap
    }

    #[test]
    fn each_rule_looks_at_its_own_part() {
        let same = |left: &str, right: &str, space, at| gap(left, space).same(&gap(right, space), space, at);
        assert!(same(" ", "\t\n", Space::Ignored, At::Between));
        assert!(
            same("\n", " \n\n", Space::Breaks, At::Between) && !same("\n", " ", Space::Breaks, At::Between)
        );
        assert!(
            same("\n", " \n\t", Space::Lines, At::Between) && !same("\n", "\n\n", Space::Lines, At::Between)
        );
        assert!(
            same("\n", " \r\n", Space::Trimmed, At::Between)
                && !same("\n", "\n ", Space::Trimmed, At::Between)
        );
        assert!(!same(" ", "  ", Space::Trimmed, At::Between) && same("", " \n\n", Space::Trimmed, At::End));
        assert!(same("\n", "\r\n", Space::Kept, At::Between) && !same("\n", " \n", Space::Kept, At::Between));
        assert!(!same("\n", " \n", Space::Kept, At::End) && same("", "\n \n", Space::Kept, At::End));
        assert!(!same("\n", "\r\n", Space::Bytes, At::Between) && !same("", "\n", Space::Bytes, At::End));
    }

    #[test]
    fn much_white_space_is_compared_without_being_kept() {
        let long = " ".repeat(3 * MAX_KEPT_BYTES);
        let other = format!("{}\t", &long[1..]);
        assert!(gap(&long, Space::Kept).same(&gap(&long, Space::Kept), Space::Kept, At::Between));
        assert!(!gap(&long, Space::Kept).same(&gap(&other, Space::Kept), Space::Kept, At::Between));
        assert!(gap(&long, Space::Kept).head.kept.is_empty());
    }

    #[test]
    fn white_space_has_words() {
        let words = |text| gap(text, Space::Kept).describe(Space::Kept);
        assert_eq!(words(" "), "a space");
        assert_eq!(words("   "), "3 spaces");
        assert_eq!(words("\t"), "a tab");
        assert_eq!(words("\n"), "a line break");
        assert_eq!(words("\n\n\n"), "a line break and 2 empty lines");
        assert_eq!(words(" \n"), "a line break with a space");
        assert_eq!(words(" \t"), r#"" \t""#);
        assert_eq!(words(""), "nothing");
    }
}
