//! What is behind the first difference, in constant memory: enough to say that only the order differs, only the case,
//! only white space. For hints; no verdict comes from here.

use std::io;

use super::multiset::token_hash;
use super::number::{is_number, rough_error};
use super::source::{Source, Token};

/// Numbers nearer than this are worth a hint that a tolerance would accept them.
const HINT_ERROR: f64 = 1e-6;

/// What the rest of both streams is like, the differing tokens included.
#[derive(Clone, Debug, Default)]
pub(super) struct Rest {
    /// Whether the rest could be read: a very long token stops the look.
    pub(super) known: bool,
    /// Tokens of the answer.
    pub(super) expected: u64,
    /// Tokens of the output.
    pub(super) actual: u64,
    /// Pairs of tokens that are not the same text.
    pub(super) differing: u64,
    /// Pairs that differ in more than the case of ASCII letters.
    pub(super) unlike: u64,
    /// Pairs that are not the same number either, nor near.
    pub(super) far: u64,
    /// The same tokens, counted, in any order.
    pub(super) same_in_any_order: bool,
}

impl Rest {
    pub(super) fn unknown() -> Self {
        Self::default()
    }

    /// Whether both have as many tokens.
    pub(super) fn as_many(&self) -> bool {
        self.known && self.expected == self.actual
    }
}

/// Reads both streams to their ends; both stand at a token, or at the end.
pub(super) fn read(expected: &mut Source<'_>, actual: &mut Source<'_>) -> io::Result<Rest> {
    let mut rest = Rest::default();
    let (mut want_sum, mut got_sum) = (0_u128, 0_u128);
    loop {
        let (want, got) = (expected.token()?, actual.token()?);
        match (want, got) {
            (Token::None, Token::None) => break,
            (Token::Long, _) | (_, Token::Long) => return Ok(Rest::unknown()),
            _ => {}
        }
        let left = if let Token::Whole(len) = want { &expected.available()[..len] } else { &[] };
        let right = if let Token::Whole(len) = got { &actual.available()[..len] } else { &[] };
        if !left.is_empty() {
            rest.expected += 1;
            want_sum = want_sum.wrapping_add(token_hash(left));
        }
        if !right.is_empty() {
            rest.actual += 1;
            got_sum = got_sum.wrapping_add(token_hash(right));
        }
        if left != right {
            rest.differing += 1;
            rest.unlike += u64::from(!left.eq_ignore_ascii_case(right));
            // Once one pair is far, the hint is lost and no more numbers need be read.
            rest.far += u64::from(rest.far > 0 || !near(left, right));
        }
        let (left, right) = (left.len(), right.len());
        expected.consume(left);
        actual.consume(right);
        expected.skip_space(&mut |_| {})?;
        actual.skip_space(&mut |_| {})?;
    }
    rest.known = true;
    rest.same_in_any_order = rest.expected == rest.actual && want_sum == got_sum;
    Ok(rest)
}

fn near(left: &[u8], right: &[u8]) -> bool {
    is_number(left) && is_number(right) && rough_error(left, right).is_some_and(|error| error <= HINT_ERROR)
}
