//! One side of a comparison: a stream read in blocks, cut into tokens and white space, with the place in the text.
//! Holds one block whatever the size of the stream, and never decides what a difference means.

use std::io::{self, BufRead};

use super::scan::{is_space, space_end, token_end};

/// How much of each stream is in memory at once.
const BLOCK_BYTES: usize = 256 << 10;
/// A longer token is compared in pieces and never held whole.
const LONG_TOKEN_BYTES: usize = 64 << 10;
/// What stays readable before the cursor, so that a message can show what came before a difference.
pub(super) const HISTORY_BYTES: usize = 64;

/// A stream, and where in it the comparison stands.
pub(super) struct Source<'r> {
    reader: &'r mut dyn BufRead,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Line and column are known up to here; they are counted only when a block goes or a message needs them.
    counted: usize,
    ended: bool,
    long: usize,
    newlines: u64,
    column: u64,
    offset: u64,
}

/// A place in a text, both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: u64,
    pub(super) column: u64,
}

/// The token at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// It is in memory and has this length.
    Whole(usize),
    /// It is longer than [`LONG_TOKEN_BYTES`].
    Long,
    /// The stream is at its end.
    None,
}

impl<'r> Source<'r> {
    pub(super) fn new(reader: &'r mut dyn BufRead) -> Self {
        Self::over(reader, BLOCK_BYTES, LONG_TOKEN_BYTES)
    }

    /// A stream known to have `len` bytes, for which a smaller block will do.
    pub(super) fn with_len(reader: &'r mut dyn BufRead, len: usize) -> Self {
        Self::over(reader, BLOCK_BYTES.min(len.saturating_add(1)), LONG_TOKEN_BYTES)
    }

    /// Blocks of `block` bytes, which is more than `long` and the history together.
    #[cfg(test)]
    pub(super) fn with_sizes(reader: &'r mut dyn BufRead, block: usize, long: usize) -> Self {
        assert!(block > long + HISTORY_BYTES, "a block of {block} bytes cannot hold a token of {long}");
        Self::over(reader, block, long)
    }

    fn over(reader: &'r mut dyn BufRead, block: usize, long: usize) -> Self {
        Self {
            reader,
            buffer: vec![0; block],
            start: 0,
            end: 0,
            counted: 0,
            ended: false,
            long,
            newlines: 0,
            column: 0,
            offset: 0,
        }
    }

    /// What has been read and not yet consumed.
    pub(super) fn available(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// At most [`HISTORY_BYTES`] that were consumed last.
    pub(super) fn history(&self) -> &[u8] {
        &self.buffer[self.start.saturating_sub(HISTORY_BYTES)..self.start]
    }

    pub(super) fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        debug_assert!(self.start <= self.end, "nothing is consumed that was not read");
    }

    /// How many bytes were consumed.
    pub(super) fn offset(&self) -> u64 {
        self.offset + self.start as u64
    }

    /// Where the cursor is.
    pub(super) fn place(&mut self) -> Place {
        self.count();
        Place { line: self.newlines + 1, column: self.column + 1 }
    }

    /// Reads more behind what is available; `false` at the end of the stream, or when the block is full.
    pub(super) fn fill(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        self.count();
        let gone = self.start.saturating_sub(HISTORY_BYTES);
        if gone > 0 {
            self.buffer.copy_within(gone..self.end, 0);
            self.offset += gone as u64;
            self.start -= gone;
            self.counted -= gone;
            self.end -= gone;
        }
        if self.end == self.buffer.len() {
            return Ok(false);
        }
        loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => {
                    self.ended = true;
                    return Ok(false);
                }
                Ok(bytes) => {
                    self.end += bytes;
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether the stream is at its end.
    pub(super) fn at_end(&mut self) -> io::Result<bool> {
        Ok(self.start == self.end && !self.fill()?)
    }

    /// Passes over `mark` if the stream goes on with it.
    pub(super) fn skip_mark(&mut self, mark: &[u8]) -> io::Result<bool> {
        while self.available().len() < mark.len() && self.fill()? {}
        let found = self.available().starts_with(mark);
        if found {
            self.consume(mark.len());
            // A mark is no text: columns begin behind it.
            self.counted = self.start;
        }
        Ok(found)
    }

    /// Passes over white space, giving it to `see` in pieces.
    pub(super) fn skip_space(&mut self, see: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        loop {
            let space = space_end(self.available());
            see(&self.buffer[self.start..self.start + space]);
            self.consume(space);
            if self.start < self.end || !self.fill()? {
                return Ok(());
            }
        }
    }

    /// The token at the cursor, which stands on no white space.
    pub(super) fn token(&mut self) -> io::Result<Token> {
        let mut seen = 0;
        loop {
            let available = self.available();
            seen += token_end(&available[seen..]);
            if seen > self.long {
                return Ok(Token::Long);
            }
            if seen < available.len() || !self.fill()? {
                return Ok(if seen == 0 { Token::None } else { Token::Whole(seen) });
            }
        }
    }

    /// A piece of the token at the cursor; empty when the token is over.
    pub(super) fn piece(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            self.fill()?;
        }
        let available = self.available();
        if available.first().is_none_or(|byte| is_space(*byte)) {
            return Ok(&[]);
        }
        Ok(&available[..token_end(available)])
    }

    fn count(&mut self) {
        let passed = &self.buffer[self.counted..self.start];
        let newlines = memchr::memchr_iter(b'\n', passed).count() as u64;
        let last_line = memchr::memrchr(b'\n', passed).map_or(passed, |at| &passed[at + 1..]);
        if newlines > 0 {
            self.column = 0;
        }
        self.newlines += newlines;
        // Characters, not bytes: every byte counts that doesn't go on with a character of UTF-8.
        self.column += last_line.iter().filter(|byte| (**byte as i8) >= -0x40).count() as u64;
        self.counted = self.start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_lines_and_columns_do_not_depend_on_the_blocks() {
        let text = "é1  22\n\n333 Ünï\t\r\nlast".as_bytes();
        let read = |block: usize, long: usize| {
            let mut reader = text;
            let mut source = Source::with_sizes(&mut reader, block, long);
            let mut seen = Vec::new();
            loop {
                source.skip_space(&mut |_| {}).unwrap();
                let place = source.place();
                let mut token = Vec::new();
                match source.token().unwrap() {
                    Token::None => return seen,
                    Token::Whole(len) => {
                        token.extend_from_slice(&source.available()[..len]);
                        source.consume(len);
                    }
                    Token::Long => loop {
                        let piece = source.piece().unwrap().to_vec();
                        if piece.is_empty() {
                            break;
                        }
                        source.consume(piece.len());
                        token.extend(piece);
                    },
                }
                seen.push((place.line, place.column, String::from_utf8(token).unwrap()));
            }
        };
        let expected = read(BLOCK_BYTES, LONG_TOKEN_BYTES);
        let places: Vec<_> = expected.iter().map(|(line, column, _)| (*line, *column)).collect();
        assert_eq!(places, [(1, 1), (1, 5), (3, 1), (3, 5), (4, 1)]);
        for long in 1..6 {
            for extra in 1..9 {
                assert_eq!(read(HISTORY_BYTES + long + extra, long), expected, "{long} {extra}");
            }
        }
    }
}
