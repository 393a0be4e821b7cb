//! What the judge and a driver say to each other: requests on descriptor 3, one line for each on descriptor 4.
//! Turns values into bytes and replies into answers; never runs anything.
//!
//! ```text
//! request   <nonce>\n                  16 hexadecimal digits, another for each call
//!           <value>\n                  a line for each parameter: an integer, or
//!           <length> <value> …\n       an array, its length first
//! reply     <nonce> =<answer>\n        `true`, `-7`, `1 2 3`, or text with \n \r \t \\ \xHH for what is no plain character
//!           <nonce> ?<found>\n         a value of another type was returned; `found` describes it, escaped likewise
//! ```
//!
//! The end of descriptor 3 ends the driver with status 0. Whatever else the program prints goes elsewhere, and a line
//! without the call's nonce never stands for an answer.

use crate::input::{Input, Value};
use crate::problem::{InputModel, Returns};

/// Characters of a returned value that a message shows.
const SHOWN_CHARS: usize = 60;

/// Why a reply is not an answer. Its text is a message for the contestant and fits after "wrong answer: ".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyFault {
    /// The line lacks the nonce of this call.
    #[error(
        "a line came on the judge's own descriptor that the driver did not write: only the function's result counts"
    )]
    Nonce,
    /// Nothing was returned: `null`, `None`, `undefined`, a null pointer.
    #[error("returned {found}, {expected} was expected")]
    Nothing {
        /// As the language calls it.
        found: String,
        /// In words, as in `an integer`.
        expected: String,
    },
    /// A value of another type was returned, or one outside the type's range.
    #[error("returned {found} where {expected} was expected")]
    Type {
        /// The value, shortened.
        found: String,
        /// In words, as in `an integer`.
        expected: String,
    },
}

/// The request for one call. `nonce` must be another for each call and hard to guess.
pub fn request(_model: &InputModel, input: &Input, nonce: u64) -> Vec<u8> {
    let mut bytes = format!("{nonce:016x}\n").into_bytes();
    let mut digits = itoa::Buffer::new();
    for value in &input.values {
        match value {
            Value::Int(value) => bytes.extend_from_slice(digits.format(*value).as_bytes()),
            Value::Array(values) => {
                bytes.reserve(values.len() * 6);
                bytes.extend_from_slice(digits.format(values.len()).as_bytes());
                for value in values {
                    bytes.push(b' ');
                    bytes.extend_from_slice(digits.format(*value).as_bytes());
                }
            }
        }
        bytes.push(b'\n');
    }
    bytes
}

/// The answer's text in a driver's `line` (without its line break) for the call that was given `nonce`.
///
/// # Errors
/// When the line isn't the driver's, or what was returned is not of the type that `returns` asks for.
pub fn reply(line: &[u8], nonce: u64, returns: &Returns) -> Result<String, ReplyFault> {
    let rest = line.strip_prefix(format!("{nonce:016x} ").as_bytes()).ok_or(ReplyFault::Nonce)?;
    let rest = String::from_utf8_lossy(rest);
    if let Some(found) = rest.strip_prefix('?') {
        return Err(mismatch(found, returns));
    }
    let payload = rest.strip_prefix('=').ok_or(ReplyFault::Nonce)?;
    let is_answer = match returns {
        Returns::Bool => matches!(payload, "true" | "false"),
        Returns::Int => is_integer(payload, i64::from(i32::MIN), i64::from(i32::MAX)),
        Returns::Long => is_integer(payload, i64::MIN, i64::MAX),
        Returns::IntArray => {
            payload.is_empty() || payload.split(' ').all(|item| is_integer(item, i64::MIN, i64::MAX))
        }
        Returns::Text => !payload.contains('\\') || unescape(payload).is_some(),
        Returns::OneOf(texts) => texts.iter().any(|text| text == payload),
    };
    match (is_answer, returns) {
        (true, Returns::Text) => Ok(unescape(payload).unwrap_or_else(|| payload.to_owned())),
        (true, _) => Ok(payload.to_owned()),
        (false, Returns::Text | Returns::OneOf(_)) => Err(mismatch(&format!("\"{payload}\""), returns)),
        (false, _) => Err(mismatch(payload, returns)),
    }
}

/// What a function that `returns` this is expected to return, in words with an article.
pub fn expected(returns: &Returns) -> String {
    match returns {
        Returns::Bool => "true or false".to_owned(),
        Returns::Int => "a 32-bit integer".to_owned(),
        Returns::Long => "a 64-bit integer".to_owned(),
        Returns::IntArray => "a list of integers".to_owned(),
        Returns::Text => "text on one line".to_owned(),
        Returns::OneOf(texts) => {
            let texts: Vec<String> = texts.iter().map(|text| format!("\"{text}\"")).collect();
            match texts.split_last() {
                Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
                _ => texts.concat(),
            }
        }
    }
}

fn mismatch(found: &str, returns: &Returns) -> ReplyFault {
    let expected = expected(returns);
    if matches!(found, "null" | "None" | "undefined" | "NULL") {
        return ReplyFault::Nothing { found: found.to_owned(), expected };
    }
    let mut shown: String = found.chars().take(SHOWN_CHARS).collect();
    if shown.len() < found.len() {
        shown.push('…');
    }
    ReplyFault::Type { found: shown, expected }
}

/// Whether `text` is a canonical integer from `min` to `max`.
fn is_integer(text: &str, min: i64, max: i64) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let canonical =
        digits.bytes().all(|byte| byte.is_ascii_digit()) && !(digits.starts_with('0') && text != "0");
    canonical && text.parse::<i64>().is_ok_and(|value| (min..=max).contains(&value))
}

/// Text without its escapes, or `None` when it holds a line break or an escape that drivers don't write.
fn unescape(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(next) = rest.next() {
        if next != '\\' {
            plain.push(next);
            continue;
        }
        match rest.next()? {
            '\\' => plain.push('\\'),
            't' => plain.push('\t'),
            'x' => {
                let code = u8::try_from(rest.next()?.to_digit(16)? * 16 + rest.next()?.to_digit(16)?).ok()?;
                // A byte above ASCII was no valid UTF-8, and there is no text that it could mean.
                plain.push(code.is_ascii().then_some(char::from(code))?);
            }
            _ => return None,
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONCE: u64 = 0xabc;

    fn answer(line: &str, returns: &Returns) -> Result<String, String> {
        reply(line.as_bytes(), NONCE, returns).map_err(|fault| fault.to_string())
    }

    fn players() -> Returns {
        Returns::OneOf(vec!["Alice".to_owned(), "Bob".to_owned(), "Tie".to_owned()])
    }

    #[test]
    fn a_request_has_the_nonce_then_a_line_for_each_parameter() {
        let input =
            Input { values: vec![Value::Array(vec![1, -2, i64::MIN]), Value::Int(7), Value::Array(vec![])] };
        let bytes = request(&InputModel::default(), &input, NONCE);
        let expected = "0000000000000abc\n3 1 -2 -9223372036854775808\n7\n0\n";
        assert_eq!(String::from_utf8(bytes).unwrap(), expected);
    }

    #[test]
    fn answers_of_each_type_come_through() {
        assert_eq!(answer("0000000000000abc =true", &Returns::Bool).unwrap(), "true");
        assert_eq!(answer("0000000000000abc =-2147483648", &Returns::Int).unwrap(), "-2147483648");
        assert_eq!(
            answer("0000000000000abc =9223372036854775807", &Returns::Long).unwrap(),
            "9223372036854775807"
        );
        assert_eq!(answer("0000000000000abc =3 -1 0", &Returns::IntArray).unwrap(), "3 -1 0");
        assert_eq!(answer("0000000000000abc =", &Returns::IntArray).unwrap(), "");
        assert_eq!(answer("0000000000000abc =Tie", &players()).unwrap(), "Tie");
        assert_eq!(answer("0000000000000abc =é\\\\n\\x01 x ", &Returns::Text).unwrap(), "é\\n\u{1} x ");
    }

    #[test]
    fn only_a_line_with_the_nonce_of_the_call_counts() {
        for line in [
            "",
            "Alice",
            "0000000000000abd =Alice",
            "0000000000000abc",
            "0000000000000abc Alice",
            "abc =Alice",
        ] {
            assert_eq!(reply(line.as_bytes(), NONCE, &players()), Err(ReplyFault::Nonce), "{line}");
        }
        assert_eq!(reply(b"0000000000000abc =\xff", NONCE, &Returns::Text), Ok("\u{fffd}".to_owned()));
    }

    #[test]
    fn what_is_no_answer_is_told_as_it_was_returned() {
        let told = |line: &str, returns: &Returns| answer(line, returns).unwrap_err();
        assert_eq!(
            told("0000000000000abc ?None", &Returns::Int),
            "returned None, a 32-bit integer was expected"
        );
        assert_eq!(
            told("0000000000000abc ?3.5", &Returns::Int),
            "returned 3.5 where a 32-bit integer was expected"
        );
        assert_eq!(
            told("0000000000000abc =2147483648", &Returns::Int),
            "returned 2147483648 where a 32-bit integer was expected"
        );
        assert_eq!(
            told("0000000000000abc =alice", &players()),
            "returned \"alice\" where \"Alice\", \"Bob\" or \"Tie\" was expected"
        );
        assert_eq!(
            told("0000000000000abc =1", &Returns::Bool),
            "returned 1 where true or false was expected"
        );
        assert_eq!(
            told("0000000000000abc =a\\nb", &Returns::Text),
            "returned \"a\\nb\" where text on one line was expected"
        );
        let long = told(&format!("0000000000000abc ?[{}]", "é, ".repeat(5000)), &Returns::Int);
        assert!(long.contains('…') && long.chars().count() < 120, "{long}");
    }

    #[test]
    fn integers_are_canonical() {
        for text in ["-0", "01", "+1", "", "-", "1.0", "9223372036854775808", " 1"] {
            assert!(!is_integer(text, i64::MIN, i64::MAX), "{text}");
        }
    }
}
