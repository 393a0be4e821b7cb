//! Numbers as outputs write them. Never a hexadecimal one, never by the machine's own parsing rules.

use std::fmt;

/// How far a number may be off, above 0 and below 1, kept as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tolerance {
    text: String,
}

impl Tolerance {
    /// Reads a decimal number above 0 and below 1.
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
        let value: f64 = if plain { text.parse().ok()? } else { return None };
        (value > 0.0 && value < 1.0).then(|| Self { text: text.to_owned() })
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
