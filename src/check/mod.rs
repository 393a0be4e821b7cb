//! Whether an output is right, given the expected one: streaming, in constant memory. Never runs a program.
//!
//! One tokenizer ([`source`]) cuts both streams; what a checker means is a set of options over it ([`rules`]). The walk
//! ([`compare`]) passes over equal stretches as fast as memory can be compared, then goes token by token.

mod compare;
#[cfg(test)]
mod conformance;
mod exact;
mod gap;
mod long;
mod message;
pub(crate) mod multiset;
mod number;
#[cfg(test)]
mod properties;
mod rest;
mod rules;
pub(crate) mod scan;
mod source;
pub mod visible;

use std::fmt;
use std::io::{self, BufRead, BufReader};

use crate::verdict::Verdict;
pub use number::Tolerance;
use rules::Rules;
use source::Source;

/// Of an expected output on the disk, so much is read at once.
const READ_BYTES: usize = 8 << 10;

/// A built-in way to compare outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checker {
    /// Tokens separated by any white space must be the same.
    Tokens,
    /// Lines must be the same, but for white space at their ends and empty lines at the end.
    Lines,
    /// Bytes must be the same.
    Exact,
    /// Tokens, numbers among them within this absolute or relative error.
    Float {
        /// The tolerance, as in `1e-6`.
        eps: Tolerance,
    },
    /// The same tokens in any order.
    Unordered,
    /// What another judge's standard checker does, its known faults mended.
    Preset(Preset),
}

/// The standard checkers of other judges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preset {
    /// testlib's `wcmp`: the same tokens.
    Wcmp,
    /// testlib's `lcmp`: the same tokens in the same lines, empty lines inside included.
    Lcmp,
    /// testlib's `fcmp`: the same lines, every blank included.
    Fcmp,
    /// testlib's `ncmp`: the same signed 64-bit integers, in canonical form.
    Ncmp,
    /// testlib's `rcmp4`, `rcmp6`, `rcmp9`: numbers within an absolute or relative error of 10 to the minus this.
    Rcmp(u8),
    /// testlib's `yesno`: one word, `yes` or `no` in any case.
    YesNo,
    /// The default output validator of the Kattis package format.
    Kattis(KattisFlags),
    /// DOMjudge's default compare program, which takes the same flags.
    Domjudge(KattisFlags),
    /// DMOJ's `standard`: tokens and line breaks, empty lines passed over.
    Dmoj,
}

/// The flags of the Kattis default output validator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KattisFlags {
    /// Upper and lower case differ.
    pub case_sensitive: bool,
    /// White space must be the same byte for byte.
    pub space_change_sensitive: bool,
    /// The largest absolute error.
    pub float_absolute_tolerance: Option<Tolerance>,
    /// The largest relative error.
    pub float_relative_tolerance: Option<Tolerance>,
}

/// Why the name of a checker could not be read. Its text says what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckerError {
    /// No checker has this name.
    #[error(
        "`{0}` is not a checker: expected tokens, lines, exact, float:EPS, unordered, or another judge's wcmp, lcmp, fcmp, ncmp, rcmp4, rcmp6, rcmp9, yesno, kattis, domjudge, dmoj"
    )]
    Unknown(String),
    /// A tolerance that is no number, or a senseless one.
    #[error("`{0}` is not a tolerance: expected a decimal number above 0 and below 1, as in float:1e-6")]
    Tolerance(String),
    /// A flag that the default validator doesn't have.
    #[error(
        "`{0}` is not a flag of the default validator: expected case_sensitive, space_change_sensitive, float_tolerance E, float_absolute_tolerance E or float_relative_tolerance E"
    )]
    Flag(String),
}

/// What a checker says of one output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// `AC` or `WA`; `JE` when the expected answer itself is not what the checker needs.
    pub verdict: Verdict,
    /// What was verified, or where the first difference is, what was expected and what was found.
    pub message: String,
}

impl Checker {
    /// Reads `tokens`, `lines`, `exact`, `float:1e-6`, `unordered`, and the names of other judges' checkers; `kattis`
    /// and `domjudge` take their flags after a space, as in `kattis case_sensitive float_tolerance 1e-6`.
    ///
    /// # Errors
    /// When no checker has this name, or its tolerance or a flag makes no sense.
    pub fn parse(text: &str) -> Result<Self, CheckerError> {
        let text = text.trim();
        if let Some(eps) = text.strip_prefix("float:") {
            return Ok(Self::Float { eps: tolerance(eps)? });
        }
        let mut words = text.split_ascii_whitespace();
        let name = words.next().unwrap_or_default();
        let preset = match name {
            "kattis" => Preset::Kattis(KattisFlags::parse(&mut words)?),
            "domjudge" => Preset::Domjudge(KattisFlags::parse(&mut words)?),
            "wcmp" => Preset::Wcmp,
            "lcmp" => Preset::Lcmp,
            "fcmp" => Preset::Fcmp,
            "ncmp" => Preset::Ncmp,
            "yesno" => Preset::YesNo,
            "dmoj" => Preset::Dmoj,
            "rcmp4" => Preset::Rcmp(4),
            "rcmp6" => Preset::Rcmp(6),
            "rcmp9" => Preset::Rcmp(9),
            _ => {
                return match text {
                    "tokens" => Ok(Self::Tokens),
                    "lines" => Ok(Self::Lines),
                    "exact" => Ok(Self::Exact),
                    "unordered" => Ok(Self::Unordered),
                    _ => Err(CheckerError::Unknown(text.to_owned())),
                };
            }
        };
        if words.next().is_some() {
            Err(CheckerError::Unknown(text.to_owned()))
        } else {
            Ok(Self::Preset(preset))
        }
    }
}

impl KattisFlags {
    fn parse(words: &mut dyn Iterator<Item = &str>) -> Result<Self, CheckerError> {
        let mut flags = Self::default();
        while let Some(word) = words.next() {
            match word {
                "case_sensitive" => flags.case_sensitive = true,
                "space_change_sensitive" => flags.space_change_sensitive = true,
                "float_tolerance" | "float_absolute_tolerance" | "float_relative_tolerance" => {
                    let eps = tolerance(words.next().unwrap_or_default())?;
                    if word != "float_relative_tolerance" {
                        flags.float_absolute_tolerance = Some(eps.clone());
                    }
                    if word != "float_absolute_tolerance" {
                        flags.float_relative_tolerance = Some(eps);
                    }
                }
                other => return Err(CheckerError::Flag(other.to_owned())),
            }
        }
        Ok(flags)
    }
}

fn tolerance(text: &str) -> Result<Tolerance, CheckerError> {
    Tolerance::parse(text).ok_or_else(|| CheckerError::Tolerance(text.to_owned()))
}

/// Compares an output with the expected one.
///
/// # Errors
/// When either can't be read.
pub fn check(checker: &Checker, expected: &mut dyn BufRead, actual: &mut dyn BufRead) -> io::Result<Checked> {
    check_sources(checker, Source::new(expected), Source::new(actual))
}

fn check_sources(checker: &Checker, expected: Source<'_>, actual: Source<'_>) -> io::Result<Checked> {
    match Rules::of(checker) {
        Some(rules) => compare::compare(&rules, expected, actual),
        None if *checker == Checker::Exact => Ok(message::exact(&exact::compare(expected, actual)?)),
        None => {
            let mut expected = expected;
            expected.skip_mark(compare::MARK)?;
            Ok(message::unordered(&multiset::weigh(expected, actual)?))
        }
    }
}

/// Compares an output in memory with the first `len` bytes that `expected` gives, which takes no more memory than they do.
///
/// # Errors
/// When the expected one can't be read.
pub fn check_output(
    checker: &Checker,
    expected: impl io::Read,
    len: u64,
    mut actual: &[u8],
) -> io::Result<Checked> {
    let (left, right) = (usize::try_from(len).unwrap_or(usize::MAX), actual.len());
    let mut expected = BufReader::with_capacity(left.clamp(1, READ_BYTES), expected.take(len));
    check_sources(checker, Source::with_len(&mut expected, left), Source::with_len(&mut actual, right))
}

/// Compares an output in memory with the expected one.
pub fn check_bytes(checker: &Checker, mut expected: &[u8], mut actual: &[u8]) -> Checked {
    // Reading memory cannot fail; should it, it would be the judge's fault.
    let (left, right) = (expected.len(), actual.len());
    check_sources(checker, Source::with_len(&mut expected, left), Source::with_len(&mut actual, right))
        .unwrap_or_else(|error| Checked { verdict: Verdict::Je, message: error.to_string() })
}

impl fmt::Display for Checker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tokens => f.write_str("tokens"),
            Self::Lines => f.write_str("lines"),
            Self::Exact => f.write_str("exact"),
            Self::Float { eps } => write!(f, "float:{eps}"),
            Self::Unordered => f.write_str("unordered"),
            Self::Preset(preset) => preset.fmt(f),
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wcmp => f.write_str("wcmp"),
            Self::Lcmp => f.write_str("lcmp"),
            Self::Fcmp => f.write_str("fcmp"),
            Self::Ncmp => f.write_str("ncmp"),
            Self::Rcmp(digits) => write!(f, "rcmp{digits}"),
            Self::YesNo => f.write_str("yesno"),
            Self::Kattis(flags) => write!(f, "kattis{flags}"),
            Self::Domjudge(flags) => write!(f, "domjudge{flags}"),
            Self::Dmoj => f.write_str("dmoj"),
        }
    }
}

impl fmt::Display for KattisFlags {
    /// Each flag with a space before it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.case_sensitive {
            f.write_str(" case_sensitive")?;
        }
        if self.space_change_sensitive {
            f.write_str(" space_change_sensitive")?;
        }
        if let Some(eps) = &self.float_absolute_tolerance {
            write!(f, " float_absolute_tolerance {eps}")?;
        }
        if let Some(eps) = &self.float_relative_tolerance {
            write!(f, " float_relative_tolerance {eps}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_as_they_are_printed() {
        for name in [
            "tokens",
            "lines",
            "exact",
            "float:1e-6",
            "unordered",
            "wcmp",
            "lcmp",
            "fcmp",
            "ncmp",
            "rcmp9",
            "yesno",
            "kattis",
            "kattis case_sensitive space_change_sensitive",
            "domjudge float_absolute_tolerance 1e-6 float_relative_tolerance 1e-4",
            "dmoj",
        ] {
            assert_eq!(Checker::parse(name).map(|checker| checker.to_string()), Ok(name.to_owned()));
        }
        for name in [
            "",
            "token",
            "float",
            "float:",
            "float:0",
            "float:1",
            "float:-1e-6",
            "float:0x1",
            "kattis foo",
            "wcmp 1",
        ] {
            assert!(Checker::parse(name).is_err(), "{name}");
        }
    }
}
