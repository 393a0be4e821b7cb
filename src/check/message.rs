//! What a checker says: what was verified, or where the first difference is, what was expected there, what was found,
//! and what kind of difference it seems to be. One line, bounded, every byte visible; decides no verdict.

use super::Checked;
use super::compare::{Difference, MARK, Verified};
use super::exact::{ByteDifference, Kind};
use super::gap::At;
use super::multiset::Balance;
use super::number::{is_number, rough_error};
use super::rest::Rest;
use super::rules::{Content, Rules};
use super::source::Place;
use super::visible::Excerpt;
use crate::verdict::Verdict;

/// `1 token`, `13 tokens`.
fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

fn wrong(message: String) -> Checked {
    Checked { verdict: Verdict::Wa, message }
}

fn right(message: String) -> Checked {
    Checked { verdict: Verdict::Ac, message }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Of outputs that are the same.
pub(super) fn accepted(verified: &Verified) -> Checked {
    let tokens = count(verified.tokens, "token");
    let lines = verified.lines.map_or_else(String::new, |lines| format!(" on {}", count(lines, "line")));
    let error = match verified.largest_error {
        0.0 => String::new(),
        error => format!(", largest error {error:.1e}"),
    };
    right(format!("{tokens}{lines}{error}"))
}

/// Of outputs that are not.
pub(super) fn refused(difference: &Difference, rules: &Rules) -> Checked {
    match difference {
        Difference::Token { place, index, expected, found, focus, wanted, rest } => {
            let not = wanted.map_or_else(String::new, |wanted| format!(", which is not {wanted}"));
            let mut parts = vec![format!(
                "{place}: expected {}, found {}{not}",
                expected.quote(*focus),
                found.quote(*focus)
            )];
            if expected.len > LONG_BYTES || found.len > LONG_BYTES {
                parts.push(format!("the tokens part at byte {}", focus + 1));
            }
            parts.extend(token_hint(expected, found, *index, rest, rules));
            wrong(parts.join("; "))
        }
        Difference::Missing { place, before, expected, rest } => {
            wrong(missing(*place, *before, expected, rest))
        }
        Difference::Extra { place, before, found, rest } => {
            let found = found.quote(0);
            let message = match (before, rest.known) {
                (0, _) => format!("{place}: expected no output, found {found}"),
                (_, false) => {
                    format!("{place}: extra output {found} after all {} expected", count(*before, "token"))
                }
                _ => format!(
                    "{place}: extra output {found} after all {} expected; found {}",
                    count(*before, "token"),
                    count(before + rest.actual, "token")
                ),
            };
            wrong(message)
        }
        Difference::Gap { before, at, rest, .. } => {
            let message = gap(difference, rules);
            let only_space = rest.known && rest.differing == 0 && *at != At::End;
            wrong(if only_space {
                let all = count(before + rest.expected, "token");
                format!("{message}; all {all} are right, the line structure differs")
            } else {
                message
            })
        }
        Difference::Answer { place, token, wanted } => {
            let found = token.as_ref().map_or_else(|| "nothing".to_owned(), |token| token.quote(0));
            Checked {
                verdict: Verdict::Je,
                message: format!("the jury's answer is wrong at {place}: expected {wanted}, found {found}"),
            }
        }
    }
}

/// Tokens above this length are said to part at a byte.
const LONG_BYTES: u64 = 60;

fn missing(place: Place, before: u64, expected: &Excerpt, rest: &Rest) -> String {
    let expected = expected.quote(0);
    let all = rest.known.then(|| count(before + rest.expected, "token"));
    match (before, all) {
        (0, all) => {
            let all = all.unwrap_or_else(|| "tokens".to_owned());
            format!("the output is empty: expected {all}, the first is {expected}")
        }
        (_, Some(all)) => {
            format!("the output ends after {before} of {all} (line {}): expected {expected} next", place.line)
        }
        (_, None) => format!(
            "the output ends after {} (line {}): expected {expected} next",
            count(before, "token"),
            place.line
        ),
    }
}

/// What the difference seems to be, when the rest of the output tells.
fn token_hint(expected: &Excerpt, found: &Excerpt, index: u64, rest: &Rest, rules: &Rules) -> Option<String> {
    let (before, text) = (index - 1, matches!(rules.content, Content::Text { .. }));
    if index == 1 && found.before == 0 && found.bytes.starts_with(MARK) {
        return Some("the output begins with a byte order mark".to_owned());
    }
    if found.before == 0
        && found.bytes.len() as u64 > expected.len
        && found.bytes.starts_with(&expected.bytes)
    {
        let tail = &found.bytes[expected.bytes.len()..];
        if tail.iter().all(|byte| *byte == 0) {
            return Some("NUL bytes follow the right token".to_owned());
        }
    }
    if let (Content::Numbers { .. }, Some(error)) = (&rules.content, error_of(expected, found)) {
        return Some(format!("the error is {error:.3e}"));
    }
    if !rest.known {
        return None;
    }
    if rest.same_in_any_order {
        return Some("the output has the same tokens in another order".to_owned());
    }
    if !rest.as_many() {
        let (want, got) = (count(before + rest.expected, "token"), before + rest.actual);
        return Some(format!("expected {want} in all, found {got}"));
    }
    let all = before + rest.expected;
    if text && rest.unlike == 0 {
        return Some("only upper and lower case differ".to_owned());
    }
    if text && rest.far == 0 {
        return Some(
            "as numbers they are the same or nearly so: the checker float:1e-6 would accept them".to_owned(),
        );
    }
    (all > 1 && text).then(|| {
        let verb = if rest.differing == 1 { "differs" } else { "differ" };
        format!("{} of {} {verb}", rest.differing, count(all, "token"))
    })
}

/// How far a wrong number is off, when both are numbers and whole.
fn error_of(expected: &Excerpt, found: &Excerpt) -> Option<f64> {
    let number = |excerpt: &Excerpt| excerpt.bytes.len() as u64 == excerpt.len && is_number(&excerpt.bytes);
    if number(expected) && number(found) { rough_error(&expected.bytes, &found.bytes) } else { None }
}

fn gap(difference: &Difference, rules: &Rules) -> String {
    let Difference::Gap { place, before, expected, found, at, .. } = difference else { return String::new() };
    let space = rules.space;
    match at {
        At::Start => format!(
            "white space differs before the first token: expected {}, found {}",
            expected.describe_start(space),
            found.describe_start(space)
        ),
        At::Between => format!(
            "{place}: white space differs before token {}: expected {}, found {}",
            before + 1,
            expected.describe(space),
            found.describe(space)
        ),
        At::End => format!(
            "{place}: white space differs after the last token: expected {}, found {}",
            expected.describe(space),
            found.describe(space)
        ),
    }
}

/// Of outputs that should be the same byte for byte.
pub(super) fn exact(found: &Result<u64, Box<ByteDifference>>) -> Checked {
    let difference = match found {
        Ok(bytes) => return right(count(*bytes, "byte")),
        Err(difference) => difference,
    };
    let ByteDifference { place, offset, expected, found, focus, kind } = &**difference;
    let (expected, shown) = (expected.quote(*focus), found.quote(*focus));
    let at = format!("{place} (byte {})", offset + 1);
    wrong(match kind {
        Kind::Empty => format!("the output is empty: expected {expected}"),
        Kind::NoFinalNewline => format!("{at}: the line break at the end of the output is missing"),
        Kind::Missing => format!("{at}: the output ends here: expected {expected}"),
        Kind::Extra => format!("{at}: extra output after all {} expected: {shown}", count(*offset, "byte")),
        Kind::CarriageReturn => {
            format!("{at}: expected a line feed, found a carriage return and a line feed")
        }
        Kind::Mark => format!("{at}: the output begins with a byte order mark"),
        Kind::Space => format!("{at}: white space differs: expected {expected}, found {shown}"),
        Kind::Other => format!("{at}: expected {expected}, found {shown}"),
    })
}

/// Of outputs whose order doesn't matter.
pub(super) fn unordered(balance: &Balance) -> Checked {
    if balance.same {
        return right(count(balance.actual, "token"));
    }
    if balance.actual == 0 {
        return wrong(format!("the output is empty: expected {}", count(balance.expected, "token")));
    }
    let mut parts = Vec::new();
    if let Some((extra, place)) = &balance.extra {
        parts.push(format!("{place}: {} is one too many", extra.quote(0)));
    }
    if let Some(missing) = &balance.missing {
        parts.push(format!("{} is missing", missing.quote(0)));
    }
    if balance.expected == balance.actual {
        if parts.is_empty() {
            parts.push(format!("as many tokens as expected, {}, but not the same", balance.expected));
        }
    } else {
        parts.push(format!("expected {} in all, found {}", count(balance.expected, "token"), balance.actual));
    }
    wrong(parts.join("; "))
}
