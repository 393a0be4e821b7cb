//! What each checker means, as one set of options over one tokenizer. Compares single tokens and single stretches of
//! white space; never reads a stream.

use super::number::{Nearness, Reading, Tolerance, is_number, read, rough_error};
use super::{Checker, KattisFlags, Preset};

/// How white space and tokens are compared.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) space: Space,
    pub(super) content: Content,
}

/// Which differences of white space count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Space {
    /// None.
    Ignored,
    /// Whether there is a line break between two tokens.
    Breaks,
    /// How many line breaks there are between two tokens, and before the first.
    Lines,
    /// Every blank but those at the end of a line; line breaks but those at the end.
    Trimmed,
    /// Every blank; line breaks but those at the end. CR before LF is nothing.
    Kept,
    /// Every byte.
    Bytes,
}

/// How two tokens are compared.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// As bytes; with `fold` upper and lower case of ASCII are the same.
    Text { fold: bool },
    /// Numbers of the answer by nearness, everything else as text.
    Numbers { near: Nearness, fold: bool, special: Special },
    /// Canonical signed 64-bit integers only.
    Integers,
    /// `yes` and `no` only, in any case.
    YesNo,
}

/// What `nan` and `inf` are where numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    /// Values: not-a-number is only like itself, an infinity only like that of the same sign.
    Value,
    /// Words like any other.
    Text,
    /// No more allowed than words are.
    Refused,
}

/// How an output's token compares with the answer's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Pair {
    /// The same.
    Same,
    /// Near enough: the smaller of absolute and relative error, roughly.
    Near(f64),
    /// Not the same.
    Differs,
    /// The output's token is not what every token must be.
    BadOutput(&'static str),
    /// The answer's token is not: the judge's own fault.
    BadAnswer(&'static str),
}

impl Rules {
    /// The rules of a checker that compares token by token; `None` for those that don't.
    pub(super) fn of(checker: &Checker) -> Option<Self> {
        let text = |space| Self { space, content: Content::Text { fold: false } };
        Some(match checker {
            Checker::Exact | Checker::Unordered => return None,
            Checker::Tokens => text(Space::Ignored),
            Checker::Lines => text(Space::Trimmed),
            Checker::Float { eps } => {
                let near = Nearness::new(Some(eps), Some(eps));
                let content = Content::Numbers { near, fold: false, special: Special::Value };
                Self { space: Space::Ignored, content }
            }
            Checker::Preset(preset) => match preset {
                Preset::Wcmp => text(Space::Ignored),
                Preset::Lcmp => text(Space::Lines),
                Preset::Fcmp => text(Space::Kept),
                Preset::Dmoj => text(Space::Breaks),
                Preset::Ncmp => Self { space: Space::Ignored, content: Content::Integers },
                Preset::YesNo => Self { space: Space::Ignored, content: Content::YesNo },
                Preset::Rcmp(digits) => {
                    // testlib adds 1e-15 to the tolerance.
                    let slack = "0".repeat(14_usize.saturating_sub(usize::from(*digits)));
                    let eps = Tolerance::parse(&format!("1.{slack}1e-{digits}"));
                    let near = Nearness::new(eps.as_ref(), eps.as_ref());
                    let content = Content::Numbers { near, fold: false, special: Special::Refused };
                    Self { space: Space::Ignored, content }
                }
                Preset::Kattis(flags) => Self::kattis(flags, Special::Text),
                Preset::Domjudge(flags) => Self::kattis(flags, Special::Value),
            },
        })
    }

    fn kattis(flags: &KattisFlags, special: Special) -> Self {
        let space = if flags.space_change_sensitive { Space::Bytes } else { Space::Ignored };
        let fold = !flags.case_sensitive;
        let (absolute, relative) = (&flags.float_absolute_tolerance, &flags.float_relative_tolerance);
        let content = if absolute.is_none() && relative.is_none() {
            Content::Text { fold }
        } else {
            Content::Numbers { near: Nearness::new(absolute.as_ref(), relative.as_ref()), fold, special }
        };
        Self { space, content }
    }

    /// Whether equal bytes are right whatever they are, so that they need no look.
    pub(super) fn equal_is_right(&self) -> bool {
        match &self.content {
            Content::Text { .. } => true,
            Content::Numbers { special, .. } => *special != Special::Refused,
            Content::Integers | Content::YesNo => false,
        }
    }

    /// Whether equal tokens are right whatever white space is between them.
    pub(super) fn ignores_space(&self) -> bool {
        self.space == Space::Ignored && self.equal_is_right()
    }

    /// Compares two tokens that are in memory.
    pub(super) fn compare(&self, expected: &[u8], actual: &[u8]) -> Pair {
        let same_if = |same: bool| if same { Pair::Same } else { Pair::Differs };
        match &self.content {
            Content::Text { fold } => same_if(equal(expected, actual, *fold)),
            Content::Integers => {
                if !is_integer(expected) {
                    Pair::BadAnswer("a 64-bit integer without plus sign or leading zeros")
                } else if !is_integer(actual) {
                    Pair::BadOutput("a 64-bit integer without plus sign or leading zeros")
                } else {
                    same_if(expected == actual)
                }
            }
            Content::YesNo => {
                let known =
                    |token: &[u8]| token.eq_ignore_ascii_case(b"yes") || token.eq_ignore_ascii_case(b"no");
                if !known(expected) {
                    Pair::BadAnswer("yes or no")
                } else if !known(actual) {
                    Pair::BadOutput("yes or no")
                } else {
                    same_if(expected.eq_ignore_ascii_case(actual))
                }
            }
            Content::Numbers { near, fold, special } => {
                if expected == actual && *special != Special::Refused {
                    return Pair::Same;
                }
                match (is_number(expected), is_number(actual)) {
                    (true, true) if expected == actual => Pair::Same,
                    (true, true) if near.holds(expected, actual) => {
                        Pair::Near(rough_error(expected, actual).unwrap_or(0.0))
                    }
                    (true, true) => Pair::Differs,
                    (true, false) => Pair::BadOutput("a number"),
                    (false, _) => compare_words(&read(expected), &read(actual), *special)
                        .unwrap_or_else(|| same_if(equal(expected, actual, *fold))),
                }
            }
        }
    }

    /// Compares two tokens too long to be in memory: what they were read as, and whether their texts are the same.
    pub(super) fn compare_long(
        &self,
        expected: &Reading,
        actual: &Reading,
        same: bool,
        folded: bool,
    ) -> Pair {
        let same_if = |same: bool| if same { Pair::Same } else { Pair::Differs };
        match &self.content {
            Content::Text { fold } => same_if(if *fold { folded } else { same }),
            // No integer of 64 bits and no yes is that long; which side is to blame is known to the caller.
            Content::Integers => Pair::BadOutput("a 64-bit integer without plus sign or leading zeros"),
            Content::YesNo => Pair::BadOutput("yes or no"),
            Content::Numbers { near, fold, special } => match (expected, actual) {
                (Reading::Number(_), Reading::Number(_)) if same => Pair::Same,
                (Reading::Number(want), Reading::Number(got)) => {
                    if near.holds_exactly(want, got) {
                        Pair::Near(0.0)
                    } else {
                        Pair::Differs
                    }
                }
                (Reading::Number(_), _) => Pair::BadOutput("a number"),
                _ => compare_words(expected, actual, *special)
                    .unwrap_or_else(|| same_if(if *fold { folded } else { same })),
            },
        }
    }
}

/// Compares where the answer's token is no number; `None` when the texts decide.
fn compare_words(expected: &Reading, actual: &Reading, special: Special) -> Option<Pair> {
    match special {
        Special::Refused => Some(Pair::BadAnswer("a number")),
        Special::Text => None,
        Special::Value => match (expected, actual) {
            (Reading::Nan, Reading::Nan) => Some(Pair::Same),
            (Reading::Infinite { negative: want }, Reading::Infinite { negative: got }) => {
                Some(if want == got { Pair::Same } else { Pair::Differs })
            }
            _ => None,
        },
    }
}

fn equal(left: &[u8], right: &[u8], fold: bool) -> bool {
    if fold { left.eq_ignore_ascii_case(right) } else { left == right }
}

/// `0|-?[1-9][0-9]*` within 64 bits.
fn is_integer(token: &[u8]) -> bool {
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    let canonical = match digits {
        [b'0'] => digits.len() == token.len(),
        [b'1'..=b'9', ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    canonical && std::str::from_utf8(token).is_ok_and(|text| text.parse::<i64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_canonical_and_of_64_bits() {
        for token in ["0", "-1", "9223372036854775807", "-9223372036854775808", "10"] {
            assert!(is_integer(token.as_bytes()), "{token}");
        }
        for token in ["", "-", "-0", "+1", "01", "1.0", "9223372036854775808", "1e5", "١"] {
            assert!(!is_integer(token.as_bytes()), "{token}");
        }
    }
}
