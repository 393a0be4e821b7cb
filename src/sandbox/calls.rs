//! Requests and replies in lock step: the next request goes out when the line for the one before has come. Never reads
//! meaning into either.

use std::fs::File;
use std::io::{self, Write as _};

use super::capture::{self, Flow};
use super::clock::MS;
use super::outcome::Call;

/// The state of the conversation.
#[derive(Debug)]
pub(crate) struct Exchange<'a> {
    requests: &'a [Vec<u8>],
    /// Dropped after the last request, so that the program sees the end.
    writer: Option<File>,
    reader: Option<File>,
    /// How much of the current request is written.
    written: usize,
    /// What came: the lines that were taken, as far as `taken`, then what holds no end of a line, as far as `searched`. A
    /// program may write much in one line or in many, so nothing of it is searched, or moved, again and again.
    pending: Vec<u8>,
    taken: usize,
    searched: usize,
    received_bytes: u64,
    limit_bytes: u64,
    done: Vec<Call>,
    /// When the current call began, on the clock and in CPU time.
    began_ns: u64,
    began_cpu_ns: u64,
}

impl<'a> Exchange<'a> {
    pub(crate) fn new(
        requests: &'a [Vec<u8>],
        writer: File,
        reader: File,
        limit_bytes: u64,
        now_ns: u64,
    ) -> Self {
        let mut exchange = Self {
            requests,
            writer: Some(writer),
            reader: Some(reader),
            written: 0,
            pending: Vec::new(),
            taken: 0,
            searched: 0,
            received_bytes: 0,
            limit_bytes,
            done: Vec::with_capacity(requests.len()),
            began_ns: now_ns,
            began_cpu_ns: 0,
        };
        exchange.write();
        exchange
    }

    /// The pipe to poll for room, while a request is not wholly written.
    pub(crate) fn writer(&self) -> Option<&File> {
        self.writer.as_ref()
    }

    /// The pipe to poll for replies.
    pub(crate) fn reader(&self) -> Option<&File> {
        self.reader.as_ref()
    }

    /// When the current call began; after the last reply, when that came.
    pub(crate) fn began_ns(&self) -> u64 {
        self.began_ns
    }

    /// CPU time when the current call began.
    pub(crate) fn began_cpu_ns(&self) -> u64 {
        self.began_cpu_ns
    }

    /// Writes what the pipe takes of the current request.
    pub(crate) fn write(&mut self) {
        let Some(request) = self.requests.get(self.done.len()) else {
            self.writer = None;
            return;
        };
        while let Some(writer) = &mut self.writer {
            match writer.write(&request[self.written..]) {
                Ok(len) => self.written += len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // The program closed its end: it will answer no more, and ends in its own way or by a limit.
                Err(_) => self.writer = None,
            }
            if self.written == request.len() {
                return;
            }
        }
    }

    /// Whether there is something left to write now.
    pub(crate) fn is_writing(&self) -> bool {
        self.writer.is_some()
            && self.requests.get(self.done.len()).is_some_and(|request| self.written < request.len())
    }

    /// Reads replies; `now_ns` and `cpu_ns` tell the time when a line was complete.
    pub(crate) fn read(&mut self, buffer: &mut [u8], now_ns: u64, mut cpu_ns: impl FnMut() -> u64) -> Flow {
        let Some(reader) = self.reader.take() else { return Flow::Closed };
        let room = self.limit_bytes.saturating_sub(self.received_bytes);
        let (pending, mut came) = (&mut self.pending, 0);
        let flow = capture::drain(&reader, buffer, |chunk| {
            came += chunk.len() as u64;
            pending.extend_from_slice(chunk);
            came <= room
        });
        self.received_bytes += came;
        if flow == Flow::Full {
            return flow;
        }
        match flow {
            Flow::Open => self.reader = Some(reader),
            // Nothing can be answered any more: a program that waits for a request sees that there will be none.
            _ => self.writer = None,
        }
        while self.done.len() < self.requests.len()
            && self.written == self.requests[self.done.len()].len()
            && let Some(reply) = self.next_line()
        {
            let cpu_ns = cpu_ns();
            self.finish(Some(reply), now_ns, cpu_ns);
            self.written = 0;
            self.write();
        }
        flow
    }

    /// Takes the next line, without its end.
    fn next_line(&mut self) -> Option<Vec<u8>> {
        let Some(length) = memchr::memchr(b'\n', &self.pending[self.searched..]) else {
            self.searched = self.pending.len();
            return None;
        };
        let end = self.searched + length;
        let line = self.pending[self.taken..end].to_vec();
        (self.taken, self.searched) = (end + 1, end + 1);
        // What is moved is no more than what is let go of.
        if self.taken > self.pending.len() / 2 {
            self.pending.drain(..self.taken);
            (self.taken, self.searched) = (0, 0);
        }
        Some(line)
    }

    fn finish(&mut self, reply: Option<Vec<u8>>, now_ns: u64, cpu_ns: u64) {
        let ms = |from: u64, to: u64| to.saturating_sub(from) as f64 / MS as f64;
        self.done.push(Call {
            reply,
            cpu_ms: ms(self.began_cpu_ns, cpu_ns),
            wall_ms: ms(self.began_ns, now_ns),
        });
        self.began_ns = now_ns;
        self.began_cpu_ns = cpu_ns;
    }

    /// The calls that were answered, and the one that never was.
    pub(crate) fn into_calls(mut self, now_ns: u64, cpu_ns: u64) -> Vec<Call> {
        if self.done.len() < self.requests.len() {
            self.finish(None, now_ns, cpu_ns);
        }
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_waits_for_the_reply_before_it() {
        let (request_end, writer) = nix::unistd::pipe().unwrap();
        let (reader, reply_end) = nix::unistd::pipe2(nix::fcntl::OFlag::O_NONBLOCK).unwrap();
        let requests = [b"one\n".to_vec(), b"two\n".to_vec()];
        let mut exchange = Exchange::new(&requests, writer.into(), reader.into(), 100, 0);
        let (mut program_in, mut program_out) = (File::from(request_end), File::from(reply_end));
        let mut read = || {
            let mut buffer = [0; 100];
            let len = io::Read::read(&mut program_in, &mut buffer).unwrap();
            buffer[..len].to_vec()
        };
        assert_eq!(read(), b"one\n");
        program_out.write_all(b"1").unwrap();
        assert_eq!(exchange.read(&mut [0; 100], MS, || 5), Flow::Open);
        program_out.write_all(b"!\n").unwrap();
        assert_eq!(exchange.read(&mut [0; 100], 2 * MS, || 3 * MS), Flow::Open);
        assert_eq!(read(), b"two\n");
        drop(program_out);
        assert_eq!(exchange.read(&mut [0; 100], 3 * MS, || 3 * MS), Flow::Closed);
        assert_eq!(read(), b"", "who can answer no more sees the end of the requests");
        let calls = exchange.into_calls(10 * MS, 4 * MS);
        assert_eq!(calls.len(), 2);
        assert_eq!(calls[0].reply.as_deref(), Some(&b"1!"[..]));
        assert_eq!((calls[0].cpu_ms, calls[0].wall_ms), (3.0, 2.0));
        assert_eq!(calls[1].reply, None);
        assert_eq!((calls[1].cpu_ms, calls[1].wall_ms), (1.0, 8.0));
    }

    #[test]
    fn lines_are_taken_as_they_end_and_nothing_is_searched_twice() {
        let (_request_end, writer) = nix::unistd::pipe().unwrap();
        let (reader, reply_end) = nix::unistd::pipe2(nix::fcntl::OFlag::O_NONBLOCK).unwrap();
        let requests: Vec<Vec<u8>> = (0..4).map(|_| b"one\n".to_vec()).collect();
        let mut exchange = Exchange::new(&requests, writer.into(), reader.into(), 100, 0);
        let mut program = File::from(reply_end);
        for (came, done, searched, kept) in
            [("ab", 0, 2, 2), ("cd", 0, 4, 4), ("e\n\nfg", 2, 3, 2), ("h\ni\nj\nk", 4, 0, 3)]
        {
            program.write_all(came.as_bytes()).unwrap();
            assert_eq!(exchange.read(&mut [0; 100], 0, || 0), Flow::Open);
            let found = (exchange.done.len(), exchange.searched, exchange.pending.len() - exchange.taken);
            assert_eq!(found, (done, searched, kept), "{came:?}");
        }
        let replies: Vec<_> = exchange.into_calls(0, 0).into_iter().filter_map(|call| call.reply).collect();
        assert_eq!(replies, [&b"abcde"[..], b"", b"fgh", b"i"]);
    }

    #[test]
    fn too_many_bytes_of_replies_are_too_much() {
        let (_request_end, writer) = nix::unistd::pipe().unwrap();
        let (reader, reply_end) = nix::unistd::pipe2(nix::fcntl::OFlag::O_NONBLOCK).unwrap();
        let requests = [b"one\n".to_vec()];
        let mut exchange = Exchange::new(&requests, writer.into(), reader.into(), 4, 0);
        File::from(reply_end).write_all(b"12345\n").unwrap();
        assert_eq!(exchange.read(&mut [0; 100], 1, || 1), Flow::Full);
    }
}
