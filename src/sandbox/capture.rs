//! Takes in what a program writes, within bounds, however much it writes. Never judges it.

use std::fs::File;
use std::io::{self, Read as _};

/// Read at once; twice a pipe's usual size.
pub(crate) const CHUNK_BYTES: usize = 128 << 10;

/// Where a read left off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// Nothing more for now.
    Open,
    /// Every writer is gone.
    Closed,
    /// More came than may be kept.
    Full,
}

/// The first bytes of a stream, up to a limit; one byte more is too much.
#[derive(Debug)]
pub(crate) struct Bounded {
    bytes: Vec<u8>,
    limit: u64,
}

impl Bounded {
    pub(crate) fn new(limit: u64) -> Self {
        Self { bytes: Vec::new(), limit }
    }

    /// Reads what is there.
    pub(crate) fn read_from(&mut self, pipe: &File, buffer: &mut [u8]) -> Flow {
        drain(pipe, buffer, |chunk| {
            let room = usize::try_from(self.limit - self.bytes.len() as u64).unwrap_or(usize::MAX);
            self.bytes.extend_from_slice(&chunk[..chunk.len().min(room)]);
            chunk.len() <= room
        })
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// The first half and the last half of a stream; the middle is dropped, with a mark in its place.
#[derive(Debug)]
pub(crate) struct Edges {
    head: Vec<u8>,
    tail: Vec<u8>,
    half: usize,
    dropped: u64,
}

impl Edges {
    pub(crate) fn new(kept_bytes: usize) -> Self {
        Self { head: Vec::new(), tail: Vec::new(), half: kept_bytes / 2, dropped: 0 }
    }

    /// Reads what is there; never full.
    pub(crate) fn read_from(&mut self, pipe: &File, buffer: &mut [u8]) -> Flow {
        drain(pipe, buffer, |chunk| {
            self.take(chunk);
            true
        })
    }

    fn take(&mut self, chunk: &[u8]) {
        let room = self.half - self.head.len();
        let (head, rest) = chunk.split_at(chunk.len().min(room));
        self.head.extend_from_slice(head);
        self.tail.extend_from_slice(rest);
        // Cutting only now and then keeps the cost of a flood proportional to its length.
        if self.tail.len() > 2 * self.half.max(CHUNK_BYTES) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        let surplus = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..surplus);
        self.dropped += surplus as u64;
    }

    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        self.cut();
        let mut bytes = self.head;
        if self.dropped > 0 {
            bytes.extend_from_slice(format!("\n[… {} bytes left out …]\n", self.dropped).as_bytes());
        }
        bytes.extend_from_slice(&self.tail);
        bytes
    }
}

/// Hands every chunk that is there to `take`, which says whether it may go on.
pub(crate) fn drain(mut pipe: &File, buffer: &mut [u8], mut take: impl FnMut(&[u8]) -> bool) -> Flow {
    loop {
        match pipe.read(buffer) {
            Ok(0) => return Flow::Closed,
            Ok(len) => {
                if !take(&buffer[..len]) {
                    return Flow::Full;
                }
                if len < buffer.len() {
                    return Flow::Open;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Flow::Open,
            Err(_) => return Flow::Closed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(kept: usize, chunks: &[&[u8]]) -> Vec<u8> {
        let mut edges = Edges::new(kept);
        for chunk in chunks {
            edges.take(chunk);
        }
        edges.into_bytes()
    }

    #[test]
    fn what_fits_is_kept_whole() {
        assert_eq!(edges(10, &[b"abc", b"defgh", b"ij"]), b"abcdefghij");
        assert_eq!(edges(0, &[]), b"");
    }

    #[test]
    fn the_middle_of_a_flood_is_dropped() {
        let text = String::from_utf8(edges(10, &[b"abcdefgh", b"ijklmnop"])).unwrap();
        assert_eq!(text, "abcde\n[… 6 bytes left out …]\nlmnop");
        let flood = vec![b'x'; 3 << 20];
        assert!(edges(1000, &[&flood, b"end"]).ends_with(b"xend"));
    }

    #[test]
    fn one_byte_above_the_limit_is_too_much() {
        let (read, write) = nix::unistd::pipe().unwrap();
        let mut bounded = Bounded::new(3);
        io::Write::write_all(&mut File::from(write), b"abcd").unwrap();
        assert_eq!(bounded.read_from(&File::from(read), &mut [0; 100]), Flow::Full);
        assert_eq!(bounded.into_bytes(), b"abc");
    }
}
