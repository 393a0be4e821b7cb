//! Two tokens of which one at least is too long to be held: compared in pieces, as text and as numbers at once.

use std::io;

use super::number::{NumberReader, Reading};
use super::scan::common_prefix;
use super::source::Source;
use super::visible::Excerpt;

/// How many bytes behind the first difference are kept for the message.
const SHOWN_BEHIND: usize = 256;

/// What two long tokens have in common.
pub(super) struct LongPair {
    /// Byte for byte the same.
    pub(super) same: bool,
    /// The same but for the case of ASCII letters.
    pub(super) folded: bool,
    pub(super) expected: Reading,
    pub(super) actual: Reading,
    /// How many bytes at the start are the same.
    pub(super) focus: u64,
    pub(super) expected_shown: Excerpt,
    pub(super) actual_shown: Excerpt,
}

/// One of the two: what it may be as a number, and what will be shown of it.
struct Side {
    number: NumberReader,
    len: u64,
    shown: Excerpt,
}

impl Side {
    fn new() -> Self {
        Self {
            number: NumberReader::default(),
            len: 0,
            shown: Excerpt { bytes: Vec::new(), before: 0, len: 0 },
        }
    }

    /// Takes a piece in; `shown` says whether the first difference has been met.
    fn take(&mut self, piece: &[u8], shown: bool) {
        self.number.feed(piece);
        self.len += piece.len() as u64;
        if shown {
            let room = SHOWN_BEHIND.saturating_sub(self.shown.bytes.len()).min(piece.len());
            self.shown.bytes.extend_from_slice(&piece[..room]);
        }
    }

    /// The first difference is at the cursor, and `history` came before it.
    fn meet_difference(&mut self, history: &[u8]) {
        let known = history.len().min(usize::try_from(self.len).unwrap_or(usize::MAX));
        self.shown.bytes.extend_from_slice(&history[history.len() - known..]);
        self.shown.before = self.len - known as u64;
    }
}

/// Compares the tokens at both cursors and moves both just behind them.
pub(super) fn compare_long(expected: &mut Source<'_>, actual: &mut Source<'_>) -> io::Result<LongPair> {
    let (mut left, mut right) = (Side::new(), Side::new());
    let (mut same, mut folded, mut focus) = (true, true, 0);
    loop {
        let want = expected.piece()?;
        let got = actual.piece()?;
        if want.is_empty() && got.is_empty() {
            break;
        }
        let both = want.len().min(got.len());
        let prefix = if same { common_prefix(&want[..both], &got[..both]) } else { 0 };
        if same && prefix > 0 {
            left.take(&want[..prefix], false);
            right.take(&got[..prefix], false);
            expected.consume(prefix);
            actual.consume(prefix);
            continue;
        }
        if same {
            (same, focus) = (false, left.len);
            left.meet_difference(expected.history());
            right.meet_difference(actual.history());
            continue;
        }
        let (mine, yours) = if both == 0 { (want.len(), got.len()) } else { (both, both) };
        folded &= both > 0 && want[..both].eq_ignore_ascii_case(&got[..both]);
        left.take(&want[..mine], true);
        right.take(&got[..yours], true);
        expected.consume(mine);
        actual.consume(yours);
    }
    let finish = |side: Side| (side.number.finish(), Excerpt { len: side.len, ..side.shown });
    let ((expected, expected_shown), (actual, actual_shown)) = (finish(left), finish(right));
    Ok(LongPair { same, folded, expected, actual, focus, expected_shown, actual_shown })
}
