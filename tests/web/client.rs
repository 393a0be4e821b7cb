//! A browser without a screen: asks over a plain connection, keeps cookies, and reads streams of events. Sends what it is
//! told to, also what no browser would; never follows a redirection by itself.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long one waits for an answer before the test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The first header of this name, in small letters.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Everything that came, for looking whether something is in it.
    pub(crate) fn whole(&self) -> String {
        let head: String = self.headers.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
        format!("{head}\n{}", self.text())
    }
}

/// Somebody who asks.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    pub(crate) server: SocketAddr,
    pub(crate) cookie: Option<String>,
}

impl Client {
    pub(crate) fn new(server: SocketAddr) -> Self {
        Self { server, cookie: None }
    }

    /// Sends bytes as they are and reads the answer to the end.
    pub(crate) fn send(&self, bytes: &[u8]) -> Answer {
        self.try_send(bytes).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(bytes)))
    }

    /// The same; an error where the server went away.
    pub(crate) fn try_send(&self, bytes: &[u8]) -> std::io::Result<Answer> {
        let mut stream = TcpStream::connect(self.server)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        // A server that has seen enough answers before it was told everything.
        let _ = stream.write_all(bytes);
        let mut reader = BufReader::new(stream);
        let (status, headers) = head(&mut reader)?;
        let is = |name: &str, value: &str| headers.iter().any(|(own, its)| own == name && its == value);
        let mut body = Vec::new();
        if is("transfer-encoding", "chunked") {
            while let Some(chunk) = chunk(&mut reader)? {
                body.extend(chunk);
            }
        } else {
            reader.read_to_end(&mut body)?;
        }
        Ok(Answer { status, headers, body })
    }

    /// A request with these headers besides those that every browser sends.
    pub(crate) fn bytes(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.server);
        if let Some(cookie) = &self.cookie {
            write!(text, "Cookie: {cookie}\r\n").unwrap();
        }
        for (name, value) in headers {
            write!(text, "{name}: {value}\r\n").unwrap();
        }
        if method == "POST" {
            write!(text, "Content-Length: {}\r\n", body.len()).unwrap();
        }
        text.push_str("\r\n");
        [text.as_bytes(), body].concat()
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send(&self.bytes("GET", path, &[], b""))
    }

    /// A form of one of the server's own pages.
    pub(crate) fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let origin = format!("http://{}", self.server);
        self.post_with(path, &[("Origin", &origin)], fields)
    }

    /// A form, with these headers.
    pub(crate) fn post_with(&self, path: &str, headers: &[(&str, &str)], fields: &[(&str, &str)]) -> Answer {
        let body = fields.iter().map(|(name, value)| format!("{name}={}", escaped(value)));
        let body = body.collect::<Vec<_>>().join("&");
        let headers = [headers, &[("Content-Type", "application/x-www-form-urlencoded")]].concat();
        self.send(&self.bytes("POST", path, &headers, body.as_bytes()))
    }

    /// A program hands in at this problem.
    pub(crate) fn submit(&self, label: &str, language: &str, source: &str) -> Answer {
        self.post(&format!("/problems/{label}/submit"), &[("language", language), ("code", source)])
    }

    /// JSON of a program that has a token.
    pub(crate) fn api(&self, path: &str, token: Option<&str>, value: &Value) -> Answer {
        let mut headers = vec![("Content-Type".to_owned(), "application/json".to_owned())];
        headers.extend(token.map(|token| ("Authorization".to_owned(), format!("Bearer {token}"))));
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let without_cookie = Self { cookie: None, ..self.clone() };
        without_cookie.send(&without_cookie.bytes("POST", path, &headers, value.to_string().as_bytes()))
    }

    /// Logs in, and keeps the cookie.
    pub(crate) fn log_in(&mut self, login: &str, password: &str) -> Answer {
        let answer = self.post("/login", &[("login", login), ("password", password), ("next", "/")]);
        let cookie = answer.header("set-cookie").and_then(|cookie| cookie.split(';').next());
        self.cookie = cookie.map(ToOwned::to_owned);
        answer
    }

    /// Opens the stream of events; the answer's head has been read.
    pub(crate) fn live(&self) -> Stream {
        let mut stream = TcpStream::connect(self.server).unwrap();
        stream.write_all(&self.bytes("GET", "/live", &[], b"")).unwrap();
        let mut reader = BufReader::new(stream);
        let (status, _) = head(&mut reader).unwrap();
        assert_eq!(status, 200, "the stream of events");
        Stream { reader, text: String::new() }
    }
}

/// A stream of events.
pub(crate) struct Stream {
    reader: BufReader<TcpStream>,
    text: String,
}

impl Stream {
    /// The next event; `None` when there is none within `patience` or the stream has ended.
    pub(crate) fn next(&mut self, patience: Duration) -> Option<Value> {
        #[expect(clippy::disallowed_methods, reason = "a test waits for so long and no longer")]
        let end = Instant::now() + patience;
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let data: String = event.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
                self.text = rest.to_owned();
                if data.is_empty() {
                    continue;
                }
                return Some(serde_json::from_str(&data).unwrap());
            }
            #[expect(clippy::disallowed_methods, reason = "a test waits for so long and no longer")]
            let left = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())?;
            self.reader.get_ref().set_read_timeout(Some(left)).unwrap();
            let chunk = chunk(&mut self.reader).ok().flatten()?;
            self.text.push_str(&String::from_utf8(chunk).unwrap());
        }
    }

    /// Whether the server ends the stream within [`PATIENCE`].
    pub(crate) fn ends(&mut self) -> bool {
        self.reader.get_ref().set_read_timeout(Some(PATIENCE)).unwrap();
        loop {
            match chunk(&mut self.reader) {
                Ok(Some(_)) => {}
                Ok(None) => return true,
                Err(error) => return error.kind() == std::io::ErrorKind::UnexpectedEof,
            }
        }
    }

    /// Everything that comes until one that `is_last`.
    pub(crate) fn until(&mut self, is_last: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut events = Vec::new();
        loop {
            let Some(event) = self.next(PATIENCE) else {
                panic!("what was waited for did not come: {events:#?}")
            };
            let is_done = is_last(&event);
            events.push(event);
            if is_done {
                return events;
            }
        }
    }
}

fn head(reader: &mut BufReader<TcpStream>) -> std::io::Result<(u16, Vec<(String, String)>)> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok());
    let cut_off = || std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "no answer");
    let status = status.ok_or_else(cut_off)?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(cut_off());
        }
        let Some((name, value)) = line.trim_end().split_once(':') else { return Ok((status, headers)) };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
}

/// The next chunk; `None` after the last.
fn chunk(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let bad = |_| std::io::Error::new(std::io::ErrorKind::UnexpectedEof, "cut off");
    let length = usize::from_str_radix(line.trim(), 16).map_err(bad)?;
    let mut bytes = vec![0; length + 2];
    reader.read_exact(&mut bytes)?;
    bytes.truncate(length);
    Ok((length > 0).then_some(bytes))
}

/// As a form's value is written.
pub(crate) fn escaped(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
