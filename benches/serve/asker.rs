//! Those who ask: one connection each that is kept, as a browser's is.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use crate::host::token;

/// One connection.
pub(crate) struct Asker {
    reader: BufReader<TcpStream>,
    head: String,
}

impl Asker {
    pub(crate) fn new(address: SocketAddr, team: usize) -> Self {
        let stream = TcpStream::connect(address).expect("a connection");
        stream.set_nodelay(true).expect("a socket");
        let head = format!("Host: bench\r\nAuthorization: Bearer {}\r\n", token(team));
        Self { reader: BufReader::new(stream), head }
    }

    /// A connection on which events come from now on, chunk by chunk.
    pub(crate) fn stream(address: SocketAddr, team: usize, path: &str) -> Self {
        let mut asker = Self::new(address, team);
        asker.send("GET", path, "", "");
        assert_eq!(asker.head().0, 200);
        asker
    }

    /// Status and body.
    pub(crate) fn ask(&mut self, method: &str, path: &str, body: &str) -> (u16, String) {
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        self.send(method, path, kind, body);
        let (status, bytes) = self.answer();
        (status, String::from_utf8(bytes).expect("text"))
    }

    /// Status and packed body, as browsers ask.
    pub(crate) fn fetch(&mut self, path: &str) -> (u16, Vec<u8>) {
        self.send("GET", path, "Accept-Encoding: gzip\r\n", "");
        self.answer()
    }

    fn send(&mut self, method: &str, path: &str, more: &str, body: &str) {
        let head = &self.head;
        let text =
            format!("{method} {path} HTTP/1.1\r\n{head}{more}Content-Length: {}\r\n\r\n{body}", body.len());
        self.reader.get_mut().write_all(text.as_bytes()).expect("a request");
    }

    fn answer(&mut self) -> (u16, Vec<u8>) {
        let (status, length) = self.head();
        let mut bytes = Vec::new();
        match length {
            Some(length) => {
                bytes.resize(length, 0);
                self.reader.read_exact(&mut bytes).expect("a body");
            }
            None => {
                while let Some(chunk) = self.chunk() {
                    bytes.extend(chunk);
                }
            }
        }
        (status, bytes)
    }

    fn head(&mut self) -> (u16, Option<usize>) {
        let (mut status, mut length) = (0, None);
        loop {
            let mut line = String::new();
            self.reader.read_line(&mut line).expect("a head");
            let line = line.trim_end();
            if line.is_empty() {
                return (status, length);
            }
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest[..3].parse().expect("a status");
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().ok();
            }
        }
    }

    pub(crate) fn chunk(&mut self) -> Option<Vec<u8>> {
        let mut line = String::new();
        self.reader.read_line(&mut line).ok()?;
        let length = usize::from_str_radix(line.trim(), 16).ok()?;
        let mut bytes = vec![0; length + 2];
        self.reader.read_exact(&mut bytes).ok()?;
        bytes.truncate(length);
        (length > 0).then_some(bytes)
    }
}
