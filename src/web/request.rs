//! A request as pages see it: read whole, within limits, before anybody looks at it. Async only where bytes come from the
//! network; never decides whether the request is allowed.

use std::net::IpAddr;

use axum::body::Body;
use axum::extract::{FromRequest as _, Multipart};
use axum::http::{self, HeaderMap, Uri, header};

use crate::grade::excerpt::boundary_before;
use crate::web::route::Method;

/// Largest body of a form: a source, with what is around it.
pub(crate) const MAX_BODY_BYTES: usize = 2 << 20;
/// Most fields of a form or of a query.
const MAX_FIELDS: usize = 64;

/// The cookie with the language that was chosen.
pub(crate) const TONGUE_COOKIE: &str = "touchstone-language";
/// The cookie with the theme that was chosen.
pub(crate) const THEME_COOKIE: &str = "touchstone-theme";

/// The name of the cookie with the session's token. Browsers keep cookies by host whatever the port: two contests on one
/// machine must not log each other out.
pub(crate) fn session_cookie(port: u16) -> String {
    format!("touchstone-{port}")
}

/// A file of a form.
pub(crate) struct Upload {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// A request, read whole.
pub(crate) struct Request {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) address: IpAddr,
    query: Vec<(String, String)>,
    fields: Vec<(String, String)>,
    uploads: Vec<(String, Upload)>,
    /// What was sent, where it is no form.
    pub(crate) body: Vec<u8>,
}

/// Why a request cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// Neither GET nor POST.
    Method,
    /// Too many bytes, or fields.
    TooLarge,
    /// No form as it says it is.
    Malformed,
}

impl Request {
    /// Reads it.
    pub(crate) async fn read(request: http::Request<Body>, address: IpAddr) -> Result<Self, Unreadable> {
        let method = match *request.method() {
            http::Method::GET | http::Method::HEAD => Method::Get,
            http::Method::POST => Method::Post,
            _ => return Err(Unreadable::Method),
        };
        let mut read = Self {
            method,
            path: request.uri().path().to_owned(),
            headers: request.headers().clone(),
            address,
            query: pairs(request.uri())?,
            fields: Vec::new(),
            uploads: Vec::new(),
            body: Vec::new(),
        };
        if method == Method::Post {
            read.read_body(request).await?;
        }
        Ok(read)
    }

    async fn read_body(&mut self, request: http::Request<Body>) -> Result<(), Unreadable> {
        let kind = self.header(header::CONTENT_TYPE.as_str()).unwrap_or_default().to_ascii_lowercase();
        if self.header("content-length").and_then(|length| length.parse().ok()) > Some(MAX_BODY_BYTES) {
            return Err(Unreadable::TooLarge);
        }
        if kind.starts_with("multipart/form-data") {
            return self.read_parts(request).await;
        }
        let body = axum::body::to_bytes(request.into_body(), MAX_BODY_BYTES).await;
        let body = body.map_err(|_| Unreadable::TooLarge)?;
        if kind.starts_with("application/x-www-form-urlencoded") {
            // Read as a query is, which has the same form.
            let text = std::str::from_utf8(&body).map_err(|_| Unreadable::Malformed)?;
            self.fields = decoded(text)?;
        } else {
            self.body = body.to_vec();
        }
        Ok(())
    }

    async fn read_parts(&mut self, request: http::Request<Body>) -> Result<(), Unreadable> {
        let malformed = |_| Unreadable::Malformed;
        let mut parts = Multipart::from_request(request, &()).await.map_err(|_| Unreadable::Malformed)?;
        let mut left = MAX_BODY_BYTES;
        while let Some(mut part) = parts.next_field().await.map_err(malformed)? {
            if self.fields.len() + self.uploads.len() >= MAX_FIELDS {
                return Err(Unreadable::TooLarge);
            }
            let name = part.name().unwrap_or_default().to_owned();
            let file = part.file_name().map(ToOwned::to_owned);
            let mut bytes = Vec::new();
            while let Some(chunk) = part.chunk().await.map_err(malformed)? {
                left = left.checked_sub(chunk.len()).ok_or(Unreadable::TooLarge)?;
                bytes.extend_from_slice(&chunk);
            }
            match file {
                Some(file) => self.uploads.push((name, Upload { name: file, bytes })),
                None => {
                    let text = String::from_utf8(bytes).map_err(|_| Unreadable::Malformed)?;
                    self.fields.push((name, text));
                }
            }
        }
        Ok(())
    }

    /// A header as text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Whether gzip can be unpacked there.
    pub(crate) fn accepts_gzip(&self) -> bool {
        let accepted = self.header(header::ACCEPT_ENCODING.as_str()).unwrap_or_default();
        accepted.split(',').any(|one| {
            let (name, weight) = one.split_once(';').unwrap_or((one, ""));
            name.trim().eq_ignore_ascii_case("gzip") && !matches!(weight.trim(), "q=0" | "q=0.0")
        })
    }

    /// A value of the query.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        found(&self.query, name)
    }

    /// A number of the query.
    pub(crate) fn query_number(&self, name: &str) -> Option<i64> {
        self.query(name)?.parse().ok()
    }

    /// A field of the form; empty when it is not there.
    pub(crate) fn field(&self, name: &str) -> &str {
        found(&self.fields, name).unwrap_or_default()
    }

    /// A file of the form that has a name or content.
    pub(crate) fn upload(&self, name: &str) -> Option<&Upload> {
        let upload = self.uploads.iter().find(|(key, _)| key == name).map(|(_, upload)| upload)?;
        (!upload.name.is_empty() || !upload.bytes.is_empty()).then_some(upload)
    }

    /// A cookie.
    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        let all = self.headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        all.flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
    }

    /// Who asked the proxy that asks us: the last address that it says, since those before it are whatever was sent to it.
    pub(crate) fn forwarded_for(headers: &HeaderMap) -> Option<IpAddr> {
        let last = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        let address = last.rsplit(',').next()?.trim();
        let bare = address.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(address);
        bare.parse().ok().map(|address: IpAddr| address.to_canonical())
    }

    /// The token of a program that asks instead of a browser.
    pub(crate) fn bearer(&self) -> Option<&str> {
        self.header(header::AUTHORIZATION.as_str())?.strip_prefix("Bearer ")
    }

    /// Whether a page of this server sent it, and no other: a browser says where a request comes from, either by
    /// `Sec-Fetch-Site` or, on plain HTTP, where it leaves that out, by `Origin`. One that says neither is refused.
    /// `public_host` is the one that pages are at, where a proxy may name another one.
    pub(crate) fn is_from_here(&self, public_host: Option<&str>) -> bool {
        if let Some(site) = self.header("sec-fetch-site") {
            return site == "same-origin" || site == "none";
        }
        let origin = self.header(header::ORIGIN.as_str());
        let host = public_host.or(self.header(header::HOST.as_str()));
        let origin = origin.and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
        matches!((origin, host), (Some(origin), Some(host)) if origin.eq_ignore_ascii_case(host))
    }
}

/// As much of a text as fits, whole characters only.
pub(crate) fn cut(text: &str, most_bytes: usize) -> &str {
    &text[..boundary_before(text, most_bytes)]
}

fn found<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

fn pairs(uri: &Uri) -> Result<Vec<(String, String)>, Unreadable> {
    uri.query().map_or(Ok(Vec::new()), decoded)
}

/// `application/x-www-form-urlencoded`.
fn decoded(text: &str) -> Result<Vec<(String, String)>, Unreadable> {
    if text.split('&').count() > MAX_FIELDS {
        return Err(Unreadable::TooLarge);
    }
    Ok(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(headers: &[(&'static str, &str)]) -> Request {
        Request {
            method: Method::Post,
            path: "/".to_owned(),
            headers: headers
                .iter()
                .map(|(name, value)| (http::HeaderName::from_static(name), value.parse().unwrap()))
                .collect(),
            address: IpAddr::from([127, 0, 0, 1]),
            query: Vec::new(),
            fields: Vec::new(),
            uploads: Vec::new(),
            body: Vec::new(),
        }
    }

    #[test]
    fn only_pages_of_this_server_may_send_forms() {
        let here = |headers: &[(&'static str, &str)]| request(headers).is_from_here(None);
        assert!(here(&[("sec-fetch-site", "same-origin")]));
        assert!(!here(&[("sec-fetch-site", "cross-site"), ("origin", "http://a"), ("host", "a")]));
        assert!(!here(&[("sec-fetch-site", "same-site")]));
        assert!(here(&[("origin", "http://10.0.0.2:8000"), ("host", "10.0.0.2:8000")]));
        for origin in
            ["http://evil.example", "null", "http://10.0.0.2:8001", "http://10.0.0.2:8000.evil.example"]
        {
            assert!(!here(&[("origin", origin), ("host", "10.0.0.2:8000")]), "{origin}");
        }
        assert!(!here(&[("host", "a")]) && !here(&[]));
        let behind = |origin| {
            request(&[("origin", origin), ("host", "127.0.0.1:8000")]).is_from_here(Some("club.example"))
        };
        assert!(behind("https://club.example") && !behind("http://127.0.0.1:8000"));
    }

    #[test]
    fn only_who_asks_for_it_gets_gzip() {
        let accepts = |value: &str| request(&[("accept-encoding", value)]).accepts_gzip();
        assert!(accepts("gzip, deflate, br") && accepts("br;q=1, GZIP;q=0.5"));
        assert!(!accepts("br") && !accepts("gzip;q=0, br") && !request(&[]).accepts_gzip());
    }

    #[test]
    fn a_proxy_says_whose_a_request_is_and_nobody_else() {
        let asked = |value: &str| Request::forwarded_for(&request(&[("x-forwarded-for", value)]).headers);
        assert_eq!(asked("10.9.9.9, 10.0.0.7"), Some(IpAddr::from([10, 0, 0, 7])));
        assert_eq!(asked("[::1]"), Some("::1".parse().unwrap()));
        assert_eq!((asked("10.0.0.7, unknown"), asked("")), (None, None));
    }

    #[test]
    fn cookies_and_tokens_are_found_whatever_stands_beside_them() {
        let asked = request(&[
            ("cookie", "a=1; touchstone-8001=other; touchstone-8000=token ;b"),
            ("authorization", "Bearer abc"),
        ]);
        assert_eq!(asked.cookie(&session_cookie(8000)), Some("token"));
        assert_eq!((asked.cookie("b"), asked.bearer()), (None, Some("abc")));
    }

    #[test]
    fn forms_are_decoded_within_limits() {
        assert_eq!(
            decoded("a=1+2&b=%D1%8F&c").unwrap(),
            [("a", "1 2"), ("b", "я"), ("c", "")].map(|(key, value)| (key.to_owned(), value.to_owned()))
        );
        assert_eq!(decoded(&"a&".repeat(100)), Err(Unreadable::TooLarge));
    }
}
