//! Version numbers of tools, as far as they are compared: numbers between dots. Nothing after the numbers counts.

use std::fmt;

/// As in `12.2.0`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(Vec<u32>);

impl Version {
    /// Reads the first version number in `text`, as in `go1.27.3`, `v20.20.2` or `rustc 1.95.0 (2026-01-02)`.
    pub fn parse(text: &str) -> Option<Self> {
        let begin = text.find(|c: char| c.is_ascii_digit())?;
        let rest = &text[begin..];
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let numbers: Option<Vec<u32>> =
            rest[..end].trim_end_matches('.').split('.').map(|n| n.parse().ok()).collect();
        numbers.map(Self)
    }

    /// Whether this version is `other` or newer; `12` counts as `12.0`.
    pub fn reaches(&self, other: &Self) -> bool {
        let width = self.0.len().max(other.0.len());
        let padded = |version: &Self| -> Vec<u32> {
            let zeros = std::iter::repeat_n(0, width - version.0.len());
            version.0.iter().copied().chain(zeros).collect()
        };
        padded(self) >= padded(other)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(u32::to_string).collect();
        f.pad(&numbers.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_out_of_what_tools_print() {
        for (text, version) in [
            ("12.2.0\n", "12.2.0"),
            ("go1.27.3", "1.27.3"),
            ("v20.20.2", "20.20.2"),
            ("rustc 1.95.0-nightly (abc 2026-01-02)", "1.95.0"),
            ("17.0.15+6-Debian", "17.0.15"),
            ("7", "7"),
        ] {
            assert_eq!(Version::parse(text).map(|v| v.to_string()).as_deref(), Some(version), "{text}");
        }
        assert_eq!(Version::parse("none"), None);
        assert_eq!(Version::parse("99999999999"), None);
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        let reaches = |a: &str, b: &str| Version::parse(a).unwrap().reaches(&Version::parse(b).unwrap());
        assert!(reaches("3.11", "3.8") && reaches("12", "12.0.0") && reaches("1.21.0", "1.21"));
        assert!(!reaches("3.8", "3.11") && !reaches("6.9", "7"));
    }
}
