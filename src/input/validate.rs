//! Text to values, strictly: canonical integers, single spaces, one final newline, nothing else. The first byte that
//! is wrong is named by line and column. The inverse of `render`; it forgives nothing, because solutions in some
//! languages would trip over what it forgave.

use super::render::size_before;
use super::{Input, Value};
use crate::problem::{InputModel, IntRange, Len, Shape, Size};
use std::fmt;

/// Characters of a wrong token that a message shows.
const SHOWN_CHARS: usize = 24;

/// The first thing wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct Violation {
    /// Line of the first wrong character, from 1.
    pub line: usize,
    /// Column of the first wrong character, from 1, in characters.
    pub column: usize,
    /// What should stand there.
    pub expected: String,
    /// What stands there, shortened and escaped.
    pub found: String,
}

/// Reads one input and checks everything the model says about it.
///
/// # Errors
/// The first violation in the order of the text; a broken condition is placed at the first field that it names.
pub fn validate(model: &InputModel, text: &[u8]) -> Result<Input, Violation> {
    let mut reader = Reader { text, at: 0, line: 1, line_start: 0 };
    let mut values = Vec::with_capacity(model.fields.len());
    let mut sizes = vec![0; model.sizes.len()];
    let mut lines = Vec::with_capacity(model.fields.len());
    for (index, field) in model.fields.iter().enumerate() {
        if let Some(size) = size_before(model, index) {
            let Size { name, range } = &model.sizes[size];
            let value = reader.integer(*range, &Place { name, index: None })?;
            reader.newline(&format!("a newline after `{name}`"))?;
            // The bounds of a size fit a u32, so the value does.
            sizes[size] = value as usize;
        }
        lines.push(reader.line);
        values.push(match field.shape {
            Shape::Int(range) => {
                let value = reader.integer(range, &Place { name: &field.name, index: None })?;
                reader.newline(&format!("a newline after `{}`", field.name))?;
                Value::Int(value)
            }
            Shape::Array { len, item } => {
                let len = match len {
                    Len::Size(size) => sizes[size],
                    Len::Fixed(len) => len as usize,
                };
                Value::Array(reader.array(&field.name, len, item)?)
            }
        });
    }
    if reader.at < text.len() {
        return Err(reader.violation("the end of the file".to_owned(), reader.describe()));
    }
    let input = Input { values };
    conditions_hold(model, &input, &lines)?;
    Ok(input)
}

/// A broken condition is placed at the line of the first field that it names, else at the first line.
fn conditions_hold(model: &InputModel, input: &Input, lines: &[usize]) -> Result<(), Violation> {
    for condition in &model.wheres {
        let text = &condition.text;
        let found = match condition.that.holds(model, input) {
            Ok(true) => continue,
            Ok(false) => "an input for which it does not hold".to_owned(),
            Err(error) => format!("an input for which it has no value: {error}"),
        };
        let line = condition.that.first_field().and_then(|field| lines.get(field)).copied().unwrap_or(1);
        return Err(Violation { line, column: 1, expected: format!("`{text}` to hold"), found });
    }
    Ok(())
}

/// Which number is being read, put into words only when it is wrong.
struct Place<'a> {
    name: &'a str,
    /// (index from 0, length) in an array.
    index: Option<(usize, usize)>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => write!(f, "`{}`", self.name),
            Some((index, len)) => write!(f, "value {} of {len} of `{}`", index + 1, self.name),
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
    line_start: usize,
}

impl Reader<'_> {
    fn array(&mut self, name: &str, len: usize, range: IntRange) -> Result<Vec<i64>, Violation> {
        // A value takes two bytes at least, so a lying size cannot make this allocate more than the text is worth.
        let mut items = Vec::with_capacity(len.min(self.text.len() - self.at));
        for index in 0..len {
            let place = Place { name, index: Some((index, len)) };
            if index > 0 {
                if self.peek() != Some(b' ') {
                    let found = match self.peek() {
                        Some(b'\n') => format!("the end of the line after {}", values(index)),
                        _ => self.describe(),
                    };
                    return Err(self.violation(format!("a space and then {place}"), found));
                }
                self.at += 1;
            }
            let item = match self.plain_integer(range) {
                Some(item) => item,
                None => self.integer(range, &place)?,
            };
            items.push(item);
        }
        self.newline(&match len {
            0 => format!("an empty line, since `{name}` has no values"),
            _ => format!("a newline after the {} of `{name}`", values(len)),
        })?;
        Ok(items)
    }

    /// What [`Self::integer`] reads, where it is short and a space or a newline follows, as nearly every number is. `None`
    /// says nothing of what is there.
    #[inline]
    fn plain_integer(&mut self, range: IntRange) -> Option<i64> {
        let text = self.text.get(self.at..)?;
        let (text, is_negative) = match text {
            [b'-', digits @ ..] => (digits, true),
            digits => (digits, false),
        };
        let mut value = 0_i64;
        for (len, byte) in text.iter().enumerate().take(PLAIN_DIGITS + 1) {
            let digit = byte.wrapping_sub(b'0');
            if digit < 10 {
                value = 10 * value + i64::from(digit);
                continue;
            }
            let is_canonical = match text[0] {
                b'0' => len == 1 && !is_negative,
                _ => len > 0,
            };
            let value = if is_negative { -value } else { value };
            if !is_canonical || !matches!(byte, b' ' | b'\n') || !range.contains(value) {
                return None;
            }
            self.at += len + usize::from(is_negative);
            return Some(value);
        }
        None
    }

    /// One canonical integer within its range; stops before the byte after it.
    fn integer(&mut self, range: IntRange, place: &Place<'_>) -> Result<i64, Violation> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        let digits = start + usize::from(negative);
        let mut value = Some(0_i64);
        let mut at = digits;
        while let Some(digit @ b'0'..=b'9') = self.text.get(at) {
            let digit = i64::from(digit - b'0');
            let ten = value.and_then(|value| value.checked_mul(10));
            // Negative numbers are built downwards, so that the smallest one fits.
            value =
                ten.and_then(|ten| if negative { ten.checked_sub(digit) } else { ten.checked_add(digit) });
            at += 1;
        }
        let ends =
            self.text.get(at).is_none_or(|next| ends_token(*next) || self.text[at..].starts_with(NBSP));
        let zero_first = self.text.get(digits) == Some(&b'0');
        let canonical = at > digits && ends && !(zero_first && (negative || at > digits + 1));
        match value {
            Some(value) if canonical && range.contains(value) => {
                self.at = at;
                Ok(value)
            }
            _ => Err(self.violation(format!("{} as {place}", RangeText(range)), self.describe())),
        }
    }

    fn newline(&mut self, expected: &str) -> Result<(), Violation> {
        match self.peek() {
            Some(b'\n') => {
                self.at += 1;
                self.line += 1;
                self.line_start = self.at;
                Ok(())
            }
            None if self.at > self.line_start => {
                let found = "the end of the file: the final newline is missing".to_owned();
                Err(self.violation(expected.to_owned(), found))
            }
            Some(b' ') => {
                let rest = &self.text[self.at..];
                let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
                let found = match rest.get(blanks) {
                    Some(b'\n' | b'\r') | None => "a space at the end of the line".to_owned(),
                    Some(_) => format!("a space and one value more, {}", describe(rest, blanks)),
                };
                Err(self.violation(expected.to_owned(), found))
            }
            _ => Err(self.violation(expected.to_owned(), self.describe())),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn violation(&self, expected: String, found: String) -> Violation {
        // Everything on the line before this byte has been accepted, so it is ASCII, and bytes are characters.
        Violation { line: self.line, column: self.at - self.line_start + 1, expected, found }
    }

    fn describe(&self) -> String {
        describe(self.text, self.at)
    }
}

/// So many digits are never beyond 64 bits, nor is one more.
const PLAIN_DIGITS: usize = 17;

const BOM: &[u8] = "\u{feff}".as_bytes();
const NBSP: &[u8] = "\u{a0}".as_bytes();

fn ends_token(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte.is_ascii_control()
}

fn values(count: usize) -> String {
    if count == 1 { "1 value".to_owned() } else { format!("{count} values") }
}

/// What stands at a place of the text, in words: the invisible by its name, the rest as a shortened token.
fn describe(text: &[u8], at: usize) -> String {
    let rest = &text[at..];
    let name = match rest {
        [] if text.is_empty() => "an empty file",
        [] => "the end of the file",
        [b'\n', ..] if at > 0 && text[at - 1] == b'\n' || at == 0 => "an empty line",
        [b'\n', ..] => "the end of the line",
        [b'\r', b'\n', ..] => "a carriage return before the newline (CRLF)",
        [b'\r', ..] => "a carriage return (CR)",
        [b'\t', ..] => "a tab",
        [0, ..] => "a NUL byte",
        [b' ', ..] if at > 0 && text[at - 1] == b' ' => "a second space",
        [b' ', ..] => "a space",
        _ if rest.starts_with(BOM) => "a byte order mark (U+FEFF)",
        _ if rest.starts_with(NBSP) => "a no-break space (U+00A0)",
        [byte, ..] if byte.is_ascii_control() => return format!("a control character (byte {byte:#04x})"),
        _ => return describe_token(rest),
    };
    name.to_owned()
}

fn describe_token(rest: &[u8]) -> String {
    let end = rest.iter().position(|byte| ends_token(*byte)).unwrap_or(rest.len());
    let token = &rest[..end];
    // Four bytes a character is the most there can be; one more character tells whether something was cut.
    let head = String::from_utf8_lossy(&token[..token.len().min(4 * (SHOWN_CHARS + 1))]);
    let shown: String = head.chars().take(SHOWN_CHARS).flat_map(char::escape_debug).collect();
    let cut = if shown.len() < token.len() && head.chars().count() > SHOWN_CHARS {
        format!("…` ({} bytes)", token.len())
    } else {
        "`".to_owned()
    };
    let digits = token.strip_prefix(b"-").unwrap_or(token);
    let remark = match token {
        [b'+', ..] => ", with a plus sign",
        b"-0" => ", a zero with a sign",
        _ if digits.len() > 1 && digits[0] == b'0' && digits.iter().all(u8::is_ascii_digit) => {
            ", with a leading zero"
        }
        _ if head.chars().any(|c| ('\u{ff10}'..='\u{ff19}').contains(&c)) => ", with a full-width digit",
        _ if std::str::from_utf8(token).is_err() => ", which is not UTF-8",
        _ => "",
    };
    format!("`{shown}{cut}{remark}")
}

/// The values of a range in words.
struct RangeText(IntRange);

impl fmt::Display for RangeText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IntRange { min, max, step } = self.0;
        match step {
            _ if min == max => write!(f, "the integer {min}"),
            1 => write!(f, "an integer from {min} to {max}"),
            _ => write!(f, "an integer from {min} to {max} in steps of {step}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Field;

    /// n from 1 to 9, then n integers from 0 to 1000.
    fn model() -> InputModel {
        let range = |min, max| IntRange { min, max, step: 1 };
        InputModel {
            sizes: vec![Size { name: "n".into(), range: range(1, 9) }],
            fields: vec![Field {
                name: "a".into(),
                shape: Shape::Array { len: Len::Size(0), item: range(0, 1000) },
            }],
            wheres: Vec::new(),
        }
    }

    #[test]
    fn a_right_text_is_read() {
        let input = validate(&model(), b"3\n1 0 1000\n").unwrap();
        assert_eq!(input.values, [Value::Array(vec![1, 0, 1000])]);
    }

    #[test]
    fn every_wrong_text_is_refused_at_its_first_wrong_character() {
        let bad: [(&[u8], usize, usize, &str); 30] = [
            (b"", 1, 1, "an empty file"),
            ("\u{feff}3\n1 2 3\n".as_bytes(), 1, 1, "a byte order mark (U+FEFF)"),
            (b"3\r\n1 2 3\r\n", 1, 2, "a carriage return before the newline (CRLF)"),
            (b"3\r1 2 3\r", 1, 2, "a carriage return (CR)"),
            (b"3\n1  2 3\n", 2, 3, "a second space"),
            (b"3\n1 2 3\n\n", 3, 1, "an empty line"),
            (b"3\n1.5 2 3\n", 2, 1, "`1.5`"),
            ("3\n1 \u{ff12} 3\n".as_bytes(), 2, 3, "`\u{ff12}`, with a full-width digit"),
            ("3\n1 2\u{ff12} 3\n".as_bytes(), 2, 3, "`2\u{ff12}`, with a full-width digit"),
            (b"3\n1 99999999999999999999 3\n", 2, 3, "`99999999999999999999`"),
            (b"3\n1 2 3\nyes\n", 3, 1, "`yes`"),
            (b"3\n1 2 3\n4", 3, 1, "`4`"),
            (b" 3\n1 2 3\n", 1, 1, "a space"),
            (b"3\n 1 2 3\n", 2, 1, "a space"),
            (b"3\n1 02 3\n", 2, 3, "`02`, with a leading zero"),
            (b"3\n1 -0 3\n", 2, 3, "`-0`, a zero with a sign"),
            (b"3\n1 -01 3\n", 2, 3, "`-01`, with a leading zero"),
            (b"3\n1 - 3\n", 2, 3, "`-`"),
            ("3\n1\u{a0}2 3\n".as_bytes(), 2, 2, "a no-break space (U+00A0)"),
            (b"3\n1 2 3", 2, 6, "the end of the file: the final newline is missing"),
            (b"3\n1 2\x003\n", 2, 4, "a NUL byte"),
            (b"3\n1 2 1001\n", 2, 5, "`1001`"),
            (b"3\n1 +2 3\n", 2, 3, "`+2`, with a plus sign"),
            (b"3\n1\t2 3\n", 2, 2, "a tab"),
            (b"3\n1 2\n", 2, 4, "the end of the line after 2 values"),
            (b"3\n1 2 3 4\n", 2, 6, "a space and one value more, `4`"),
            (b"3\n1 2 3 \n", 2, 6, "a space at the end of the line"),
            (b"3\n1 2 \xff\xfe\n", 2, 5, "`\u{fffd}\u{fffd}`, which is not UTF-8"),
            (b"3", 1, 2, "the end of the file: the final newline is missing"),
            (b"3\n", 2, 1, "the end of the file"),
        ];
        for (text, line, column, found) in bad {
            let shown = String::from_utf8_lossy(text);
            let violation = validate(&model(), text).expect_err(&shown);
            assert_eq!((violation.line, violation.column), (line, column), "{shown:?}: {violation}");
            assert_eq!(violation.found, found, "{shown:?}: {violation}");
        }
    }

    #[test]
    fn messages_say_which_value_and_shorten_what_is_long() {
        let message = |text: &str| validate(&model(), text.as_bytes()).unwrap_err().to_string();
        assert_eq!(
            message("3\n1 2 1001\n"),
            "line 2, column 5: expected an integer from 0 to 1000 as value 3 of 3 of `a`, found `1001`"
        );
        assert_eq!(message("12\n"), "line 1, column 1: expected an integer from 1 to 9 as `n`, found `12`");
        assert_eq!(
            message("2\n5\n"),
            "line 2, column 2: expected a space and then value 2 of 2 of `a`, found the end of the line after 1 value"
        );
        let long = message(&format!("1\n{}\n", "7".repeat(1000)));
        assert!(long.ends_with("found `777777777777777777777777…` (1000 bytes)"), "{long}");
    }

    #[test]
    fn a_broken_condition_is_placed_at_the_field_that_it_names() {
        let mut model = model();
        let text = "sum(a) % 2 == 1".to_owned();
        let that = crate::problem::expr::Expr::parse(&text, &model).unwrap();
        model.wheres.push(crate::problem::Where { that, text, repair: None });
        assert!(validate(&model, b"2\n1 2\n").is_ok());
        let violation = validate(&model, b"2\n1 3\n").unwrap_err();
        assert_eq!(
            violation.to_string(),
            "line 2, column 1: expected `sum(a) % 2 == 1` to hold, found an input for which it does not hold"
        );
    }

    #[test]
    fn all_of_i64_is_read_and_nothing_beyond() {
        let range = IntRange { min: i64::MIN, max: i64::MAX, step: 1 };
        let field = Field { name: "x".into(), shape: Shape::Int(range) };
        let model = InputModel { fields: vec![field], ..InputModel::default() };
        for value in [i64::MIN, i64::MAX, -1, 0] {
            assert_eq!(
                validate(&model, format!("{value}\n").as_bytes()).unwrap().values,
                [Value::Int(value)]
            );
        }
        assert!(validate(&model, b"9223372036854775808\n").is_err());
        assert!(validate(&model, b"-9223372036854775809\n").is_err());
    }
}
