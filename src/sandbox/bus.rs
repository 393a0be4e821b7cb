//! As much of D-Bus as it takes to ask one question: the first handshake, one call, its answer. Knows nothing of who
//! answers. The protocol is that of the D-Bus specification, 0.38; everything is little-endian.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::clock::{MS, now_ns};

/// The largest answer that is read.
const ANSWER_BYTES: usize = 64 << 10;
/// The longest line of the handshake.
const LINE_BYTES: usize = 256;

/// Codes of the fields of a message's header.
mod field {
    pub(super) const PATH: u8 = 1;
    pub(super) const INTERFACE: u8 = 2;
    pub(super) const MEMBER: u8 = 3;
    pub(super) const ERROR_NAME: u8 = 4;
    pub(super) const REPLY_SERIAL: u8 = 5;
    pub(super) const DESTINATION: u8 = 6;
    pub(super) const SIGNATURE: u8 = 8;
}

const CALL: u8 = 1;
const RETURN: u8 = 2;
const ERROR: u8 = 3;

/// A connection to whoever listens at a socket.
#[derive(Debug)]
pub(super) struct Bus {
    stream: UnixStream,
    /// On the monotonic clock: when there is no more waiting.
    until_ns: u64,
    serial: u32,
}

/// A method, and what it is called with.
pub(super) struct Call<'a> {
    pub(super) destination: &'a str,
    pub(super) path: &'a str,
    pub(super) interface: &'a str,
    pub(super) member: &'a str,
    pub(super) signature: &'a str,
    pub(super) body: Body,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum BusError {
    /// Nobody is there, or not for long enough.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The answer is an error.
    #[error("{0}")]
    Refused(String),
    /// The answer is none.
    #[error("it does not speak D-Bus")]
    Senseless,
}

impl Bus {
    /// Connects as user `uid`, and gives up after `patience_ms`.
    pub(super) fn connect(socket: &Path, uid: u32, patience_ms: u64) -> Result<Self, BusError> {
        let stream = UnixStream::connect(socket)?;
        let mut bus = Self { stream, until_ns: now_ns() + patience_ms * MS, serial: 0 };
        let digits: String = uid.to_string().bytes().map(|digit| format!("{digit:02x}")).collect();
        bus.send(format!("\0AUTH EXTERNAL {digits}\r\n").as_bytes())?;
        let line = bus.line()?;
        if !line.starts_with(b"OK ") {
            return Err(BusError::Refused(String::from_utf8_lossy(&line).trim().to_owned()));
        }
        bus.send(b"BEGIN\r\n")?;
        Ok(bus)
    }

    /// Calls, and waits for the answer that is to this call.
    pub(super) fn call(&mut self, call: &Call<'_>) -> Result<(), BusError> {
        self.serial += 1;
        let message = message(call, self.serial);
        self.send(&message)?;
        loop {
            let answer = self.message()?;
            if answer.reply_serial != Some(self.serial) {
                continue;
            }
            return match answer.kind {
                RETURN => Ok(()),
                ERROR => Err(BusError::Refused(answer.error)),
                _ => Err(BusError::Senseless),
            };
        }
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        self.stream.write_all(bytes)
    }

    fn line(&mut self) -> Result<Vec<u8>, BusError> {
        let mut line = Vec::new();
        while !line.ends_with(b"\r\n") {
            if line.len() >= LINE_BYTES {
                return Err(BusError::Senseless);
            }
            let mut byte = [0];
            self.fill(&mut byte)?;
            line.extend(byte);
        }
        Ok(line)
    }

    fn message(&mut self) -> Result<Answer, BusError> {
        let mut head = [0; 16];
        self.fill(&mut head)?;
        let number = |at: usize| {
            let bytes = [head[at], head[at + 1], head[at + 2], head[at + 3]];
            usize::try_from(u32::from_le_bytes(bytes)).unwrap_or(usize::MAX)
        };
        let (body, fields) = (number(4), number(12));
        if head[0] != b'l' || body > ANSWER_BYTES || fields > ANSWER_BYTES {
            return Err(BusError::Senseless);
        }
        let mut rest = vec![0; fields.next_multiple_of(8) + body];
        self.fill(&mut rest)?;
        Answer::of(head[1], &rest[..fields], &rest[fields.next_multiple_of(8)..]).ok_or(BusError::Senseless)
    }

    fn fill(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        let mut filled = 0;
        while filled < bytes.len() {
            self.stream.set_read_timeout(Some(self.left()?))?;
            match self.stream.read(&mut bytes[filled..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(len) => filled += len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(too_late()),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn left(&self) -> io::Result<Duration> {
        match self.until_ns.saturating_sub(now_ns()) {
            0 => Err(too_late()),
            left => Ok(Duration::from_nanos(left)),
        }
    }
}

fn too_late() -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, "it gave no answer in time")
}

/// What of an answer matters.
struct Answer {
    kind: u8,
    reply_serial: Option<u32>,
    /// In words, if it is an error.
    error: String,
}

impl Answer {
    fn of(kind: u8, fields: &[u8], body: &[u8]) -> Option<Self> {
        let mut from = Reader { bytes: fields, at: 0 };
        let (mut reply_serial, mut name, mut begins_with_text) = (None, String::new(), false);
        while from.at < fields.len() {
            from.align(8);
            let code = from.byte()?;
            match (code, from.signature()?.as_slice()) {
                (field::REPLY_SERIAL, b"u") => reply_serial = Some(from.number()?),
                (field::SIGNATURE, b"g") => begins_with_text = from.signature()?.starts_with(b"s"),
                (_, b"g") => drop(from.signature()?),
                (_, b"u") => drop(from.number()?),
                (code, b"s" | b"o") => {
                    let text = from.text()?;
                    if code == field::ERROR_NAME {
                        name = text;
                    }
                }
                _ => return None,
            }
        }
        let said = if begins_with_text { Reader { bytes: body, at: 0 }.text() } else { None };
        let error = said.map_or_else(|| name.clone(), |said| format!("{said} ({name})"));
        Some(Self { kind, reply_serial, error })
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn align(&mut self, to: usize) {
        self.at = self.at.next_multiple_of(to);
    }

    fn take(&mut self, len: usize) -> Option<&[u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(len)?)?;
        self.at += len;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn number(&mut self) -> Option<u32> {
        self.align(4);
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let len = usize::try_from(self.number()?).ok()?;
        let text = String::from_utf8_lossy(self.take(len)?).into_owned();
        self.take(1)?;
        Some(text)
    }

    fn signature(&mut self) -> Option<Vec<u8>> {
        let len = usize::from(self.byte()?);
        let signature = self.take(len)?.to_vec();
        self.take(1)?;
        Some(signature)
    }
}

/// Arguments of a call, one after another, each where its kind has to begin.
#[derive(Debug, Default)]
pub(super) struct Body(Vec<u8>);

impl Body {
    #[cfg(test)]
    pub(super) fn bytes(self) -> Vec<u8> {
        self.0
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(u32::try_from(text.len()).unwrap_or(u32::MAX));
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(0);
    }

    pub(super) fn number(&mut self, number: u32) {
        self.align(4);
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    /// What kind of value follows, where it may be any.
    pub(super) fn signature(&mut self, signature: &str) {
        self.0.push(u8::try_from(signature.len()).unwrap_or(u8::MAX));
        self.0.extend_from_slice(signature.as_bytes());
        self.0.push(0);
    }

    /// Values of which each begins at a multiple of `align` bytes; `fill` adds them.
    pub(super) fn array(&mut self, align: usize, fill: impl FnOnce(&mut Self)) {
        self.number(0);
        let len_at = self.0.len() - 4;
        self.align(align);
        let begin = self.0.len();
        fill(self);
        let len = u32::try_from(self.0.len() - begin).unwrap_or(u32::MAX);
        self.0[len_at..len_at + 4].copy_from_slice(&len.to_le_bytes());
    }

    /// Begins a value that is put together of others.
    pub(super) fn align(&mut self, to: usize) {
        self.0.resize(self.0.len().next_multiple_of(to), 0);
    }
}

fn message(call: &Call<'_>, serial: u32) -> Vec<u8> {
    let body_len = u32::try_from(call.body.0.len()).unwrap_or(u32::MAX);
    let mut head = Body(vec![b'l', CALL, 0, 1]);
    head.number(body_len);
    head.number(serial);
    head.array(8, |head| {
        let texts = [
            (field::PATH, "o", call.path),
            (field::INTERFACE, "s", call.interface),
            (field::MEMBER, "s", call.member),
            (field::DESTINATION, "s", call.destination),
        ];
        for (code, kind, text) in texts {
            head.align(8);
            head.0.push(code);
            head.signature(kind);
            head.text(text);
        }
        if !call.signature.is_empty() {
            head.align(8);
            head.0.push(field::SIGNATURE);
            head.signature("g");
            head.signature(call.signature);
        }
    });
    head.align(8);
    head.0.extend_from_slice(&call.body.0);
    head.0
}
