//! The walk through two outputs side by side: over equal stretches at the speed of memory, then token by token, to
//! the first difference. What the difference means to a reader is said by `message`.

use std::io;

use super::Checked;
use super::gap::{At, Gap};
use super::long::{LongPair, compare_long};
use super::message;
use super::rest::{self, Rest};
use super::rules::{Content, Pair, Rules, Space};
use super::scan::{common_prefix, count_tokens, equal_tokens, last_token_end, space_end, token_end};
use super::source::{Place, Source, Token};
use super::visible::Excerpt;

/// The byte order mark of UTF-8, which some editors put before a jury's answer.
pub(super) const MARK: &[u8] = "\u{feff}".as_bytes();

/// How many tokens are compared one by one before an equal stretch is looked for again.
const TOKENS_BETWEEN_STRETCHES: usize = 32;

/// The first difference between two outputs.
#[derive(Debug)]
pub(super) enum Difference {
    /// Two tokens are not the same.
    Token {
        /// Where in the output.
        place: Place,
        /// Counted from 1.
        index: u64,
        expected: Excerpt,
        found: Excerpt,
        /// Where in the tokens they part.
        focus: u64,
        /// What every token must be and the output's isn't.
        wanted: Option<&'static str>,
        rest: Rest,
    },
    /// The output ends too early.
    Missing {
        place: Place,
        /// Tokens before the end.
        before: u64,
        expected: Excerpt,
        rest: Rest,
    },
    /// The output goes on.
    Extra { place: Place, before: u64, found: Excerpt, rest: Rest },
    /// The tokens are the same so far, but white space before this place isn't.
    Gap { place: Place, before: u64, expected: Gap, found: Gap, at: At, rest: Rest },
    /// The answer has a token that this checker can't use.
    Answer { place: Place, token: Option<Excerpt>, wanted: &'static str },
}

/// What was verified.
#[derive(Debug)]
pub(super) struct Verified {
    pub(super) tokens: u64,
    /// Of the output, where lines were compared.
    pub(super) lines: Option<u64>,
    /// The largest error of a number, roughly.
    pub(super) largest_error: f64,
}

/// Compares two streams token by token.
pub(super) fn compare(rules: &Rules, expected: Source<'_>, actual: Source<'_>) -> io::Result<Checked> {
    let mut walk = Walk { rules, expected, actual, tokens: 0, largest_error: 0.0 };
    walk.expected.skip_mark(MARK)?;
    Ok(match walk.run()? {
        Ok(verified) => message::accepted(&verified),
        Err(difference) => message::refused(&difference, rules),
    })
}

struct Walk<'c, 'e, 'a> {
    rules: &'c Rules,
    expected: Source<'e>,
    actual: Source<'a>,
    /// Tokens that were found the same.
    tokens: u64,
    largest_error: f64,
}

type Found = Result<Verified, Box<Difference>>;

impl Walk<'_, '_, '_> {
    fn run(&mut self) -> io::Result<Found> {
        loop {
            self.pass_equal();
            for _ in 0..TOKENS_BETWEEN_STRETCHES {
                if let Some(found) = self.step()? {
                    return Ok(found);
                }
            }
        }
    }

    /// Passes over what is the same as far as both blocks go, always to just behind a token.
    fn pass_equal(&mut self) {
        if !self.rules.equal_is_right() {
            return;
        }
        let (left, right) = (self.expected.available(), self.actual.available());
        let prefix = common_prefix(left, right);
        let same = last_token_end(&left[..prefix]);
        self.tokens += count_tokens(&left[..same]);
        self.expected.consume(same);
        self.actual.consume(same);
        if self.rules.ignores_space() {
            let (left, right, tokens) = equal_tokens(self.expected.available(), self.actual.available());
            self.tokens += tokens;
            self.expected.consume(left);
            self.actual.consume(right);
        }
    }

    /// One stretch of white space and one token; both streams stand just behind a token, or at their start.
    fn step(&mut self) -> io::Result<Option<Found>> {
        if self.pass_same_gap() {
            let (wanted, found) = (self.expected.token()?, self.actual.token()?);
            return self.pair(wanted, found);
        }
        let (want, got) = self.gaps()?;
        let (wanted, found) = (self.expected.token()?, self.actual.token()?);
        let at = match (self.tokens, wanted, found) {
            (_, Token::None, Token::None) => At::End,
            (0, ..) => At::Start,
            _ => At::Between,
        };
        match (wanted, found) {
            (Token::None, Token::None) => self.end(want, got),
            (_, Token::None) => {
                let expected = self.excerpt_of_expected(wanted);
                let (place, before) = (self.actual.place(), self.tokens);
                let rest = rest::read(&mut self.expected, &mut self.actual)?;
                Ok(Some(Err(Box::new(Difference::Missing { place, before, expected, rest }))))
            }
            (Token::None, _) => {
                if matches!(self.rules.content, Content::YesNo) && self.tokens == 0 {
                    return self.bad_answer(None, "yes or no");
                }
                let (place, before, found) =
                    (self.actual.place(), self.tokens, self.excerpt_of_actual(found));
                let rest = rest::read(&mut self.expected, &mut self.actual)?;
                Ok(Some(Err(Box::new(Difference::Extra { place, before, found, rest }))))
            }
            _ if !want.same(&got, self.rules.space, at) => {
                // A token that is wrong too is the better thing to tell.
                if let (Token::Whole(left), Token::Whole(right)) = (wanted, found) {
                    let (left, right) =
                        (&self.expected.available()[..left], &self.actual.available()[..right]);
                    if !matches!(self.rules.compare(left, right), Pair::Same | Pair::Near(_)) {
                        return self.pair(wanted, found);
                    }
                }
                self.gap(want, got, at)
            }
            _ => self.pair(wanted, found),
        }
    }

    /// Passes over white space that is the same at a glance, with a token behind it on both sides.
    fn pass_same_gap(&mut self) -> bool {
        let (left, right) = (self.expected.available(), self.actual.available());
        let (a, b) = (space_end(left), space_end(right));
        if a == left.len() || b == right.len() {
            return false;
        }
        let same = same_at_a_glance(&left[..a], &right[..b], self.rules.space);
        if same {
            self.expected.consume(a);
            self.actual.consume(b);
        }
        same
    }

    fn gaps(&mut self) -> io::Result<(Gap, Gap)> {
        let (mut want, mut got) = (Gap::default(), Gap::default());
        let space = self.rules.space;
        self.expected.skip_space(&mut |piece| want.feed(piece, space))?;
        self.actual.skip_space(&mut |piece| got.feed(piece, space))?;
        Ok((want, got))
    }

    fn end(&mut self, want: Gap, got: Gap) -> io::Result<Option<Found>> {
        let rules = self.rules;
        if matches!(rules.content, Content::YesNo) && self.tokens == 0 {
            return self.bad_answer(None, "yes or no");
        }
        // Without any token, white space is nothing, unless every byte counts.
        let nothing = self.tokens == 0 && rules.space != Space::Bytes;
        if !nothing && !want.same(&got, rules.space, At::End) {
            return self.gap(want, got, At::End);
        }
        let counts_lines = !matches!(rules.space, Space::Ignored | Space::Bytes) && self.tokens > 0;
        let lines = counts_lines.then(|| self.actual.place().line - got.newlines);
        Ok(Some(Ok(Verified { tokens: self.tokens, lines, largest_error: self.largest_error })))
    }

    fn gap(&mut self, expected: Gap, found: Gap, at: At) -> io::Result<Option<Found>> {
        let (place, before) = (self.actual.place(), self.tokens);
        let rest = rest::read(&mut self.expected, &mut self.actual)?;
        Ok(Some(Err(Box::new(Difference::Gap { place, before, expected, found, at, rest }))))
    }

    fn pair(&mut self, wanted: Token, found: Token) -> io::Result<Option<Found>> {
        let (Token::Whole(left), Token::Whole(right)) = (wanted, found) else { return self.long_pair() };
        let (want, got) = (&self.expected.available()[..left], &self.actual.available()[..right]);
        let pair = self.rules.compare(want, got);
        let wanted = match pair {
            Pair::Same | Pair::Near(_) => {
                self.expected.consume(left);
                self.actual.consume(right);
                self.pass(pair);
                return Ok(None);
            }
            Pair::BadAnswer(wanted) => return self.bad_answer(Some(Excerpt::around(want, 0)), wanted),
            Pair::BadOutput(wanted) => Some(wanted),
            Pair::Differs => None,
        };
        let focus = common_prefix(want, got);
        let (expected, found) = (Excerpt::around(want, focus), Excerpt::around(got, focus));
        let (place, index, focus) = (self.actual.place(), self.tokens + 1, focus as u64);
        let rest = rest::read(&mut self.expected, &mut self.actual)?;
        Ok(Some(Err(Box::new(Difference::Token { place, index, expected, found, focus, wanted, rest }))))
    }

    fn long_pair(&mut self) -> io::Result<Option<Found>> {
        let (place, answer_place) = (self.actual.place(), self.expected.place());
        let long: LongPair = compare_long(&mut self.expected, &mut self.actual)?;
        let pair = self.rules.compare_long(&long.expected, &long.actual, long.same, long.folded);
        let wanted = match pair {
            Pair::Same | Pair::Near(_) => {
                self.pass(pair);
                return Ok(None);
            }
            Pair::BadAnswer(wanted) => {
                let token = Some(long.expected_shown);
                return Ok(Some(Err(Box::new(Difference::Answer { place: answer_place, token, wanted }))));
            }
            Pair::BadOutput(wanted) => Some(wanted),
            Pair::Differs => None,
        };
        let (index, expected, found, focus) =
            (self.tokens + 1, long.expected_shown, long.actual_shown, long.focus);
        let rest = Rest::unknown();
        Ok(Some(Err(Box::new(Difference::Token { place, index, expected, found, focus, wanted, rest }))))
    }

    fn pass(&mut self, pair: Pair) {
        self.tokens += 1;
        if let Pair::Near(error) = pair {
            self.largest_error = self.largest_error.max(error);
        }
    }

    fn bad_answer(&mut self, token: Option<Excerpt>, wanted: &'static str) -> io::Result<Option<Found>> {
        let place = self.expected.place();
        Ok(Some(Err(Box::new(Difference::Answer { place, token, wanted }))))
    }

    fn excerpt_of_expected(&self, token: Token) -> Excerpt {
        excerpt(&self.expected, token)
    }

    fn excerpt_of_actual(&self, token: Token) -> Excerpt {
        excerpt(&self.actual, token)
    }
}

/// Whether white space is the same for a reason that is quickly seen; `false` when it takes a closer look.
fn same_at_a_glance(left: &[u8], right: &[u8], space: Space) -> bool {
    if left == right {
        return true;
    }
    match space {
        Space::Bytes => false,
        Space::Trimmed => {
            // How many lines end, and what stands at the start of the last.
            let lines = |gap: &[u8]| {
                let (last, count) = (memchr::memrchr(b'\n', gap)?, memchr::memchr_iter(b'\n', gap).count());
                Some((count, last + 1))
            };
            match (lines(left), lines(right)) {
                (Some((ends, from)), Some((others, other))) => {
                    ends == others && left[from..] == right[other..]
                }
                _ => false,
            }
        }
        _ => matches!((left, right), (b"\n", b"\r\n") | (b"\r\n", b"\n")),
    }
}

/// The start of the token at the cursor.
fn excerpt(source: &Source<'_>, token: Token) -> Excerpt {
    match token {
        Token::Whole(len) => Excerpt::around(&source.available()[..len], 0),
        // What is in memory may go on behind the token's end.
        Token::Long => Excerpt::around(&source.available()[..token_end(source.available())], 0),
        Token::None => Excerpt::around(&[], 0),
    }
}
