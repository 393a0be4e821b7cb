//! What is sent back: pages, files, redirections and failures, each with the headers that keep browsers honest. Never
//! decides what is shown.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};

use crate::web::password::NoRandomness;

/// Why a request has no page. What it means to a person is said where pages are made.
#[derive(Debug)]
pub(crate) enum Failure {
    /// There is no such thing, or not for this visitor.
    Hidden,
    /// Not allowed, and why in words.
    Refused(String),
    /// What was sent makes no sense, and why in words.
    Wrong(String),
    /// Too often.
    TooFast,
    /// The disk has no room for it.
    Full,
    /// The server's own fault.
    Trouble(String),
}

impl From<NoRandomness> for Failure {
    fn from(error: NoRandomness) -> Self {
        Self::Trouble(error.to_string())
    }
}

impl From<askama::Error> for Failure {
    fn from(error: askama::Error) -> Self {
        Self::Trouble(error.to_string())
    }
}

/// What is sent back.
pub(crate) type Reply = Response<Body>;

/// Nothing from elsewhere, nothing inline, no frames: a text that slipped through as markup still could not act.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Puts the headers that every reply has.
pub(crate) fn with_protection(mut reply: Reply) -> Reply {
    let headers = reply.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // What one sees may be for him alone, and not for long.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    reply
}

/// A reply of this kind.
pub(crate) fn of(status: StatusCode, kind: &'static str, body: impl Into<Body>) -> Reply {
    let mut reply = Response::new(body.into());
    *reply.status_mut() = status;
    reply.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    reply
}

/// A page.
pub(crate) fn page(html: String) -> Reply {
    of(StatusCode::OK, "text/html; charset=utf-8", html)
}

/// JSON for programs.
pub(crate) fn json(status: StatusCode, value: &serde_json::Value) -> Reply {
    of(status, "application/json", value.to_string())
}

/// Go there instead, by GET.
pub(crate) fn see(path: &str) -> Reply {
    let mut reply = Response::new(Body::empty());
    *reply.status_mut() = StatusCode::SEE_OTHER;
    let place = HeaderValue::from_str(path).unwrap_or(HeaderValue::from_static("/"));
    reply.headers_mut().insert(header::LOCATION, place);
    reply
}

/// A file to be kept; its name is made of harmless letters.
pub(crate) fn file(kind: &'static str, name: &str, bytes: impl Into<Body>) -> Reply {
    let name: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || "._-".contains(letter) { letter } else { '_' })
        .collect();
    let mut reply = of(StatusCode::OK, kind, bytes);
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        reply.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    reply
}

/// Sets a cookie for so many seconds, with `attributes` besides those that all have; 0 takes it away.
pub(crate) fn set_cookie(reply: &mut Reply, name: &str, value: &str, seconds: u64, attributes: &str) {
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; SameSite=Lax{attributes}");
    if let Ok(value) = HeaderValue::from_str(&text) {
        reply.headers_mut().append(header::SET_COOKIE, value);
    }
}

/// A place of this server to go back to, and no other: what a form sends is not to be trusted.
pub(crate) fn own_path(text: &str) -> &str {
    let is_own = text.starts_with('/')
        && !text.starts_with("//")
        && !text.bytes().any(|byte| byte == b'\\' || byte.is_ascii_control());
    if is_own { text } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_never_sent_elsewhere() {
        for path in
            ["//evil.example", "http://evil.example", "/\\evil.example", "", "/a\nb", "javascript:alert(1)"]
        {
            assert_eq!(own_path(path), "/", "{path:?}");
        }
        assert_eq!(own_path("/problems/A?x=1"), "/problems/A?x=1");
    }

    #[test]
    fn a_files_name_cannot_break_its_header() {
        let reply = file("text/plain", "a\"\r\nb: c/../d.txt", "x");
        assert_eq!(
            reply.headers()[header::CONTENT_DISPOSITION],
            "attachment; filename=\"a___b__c_.._d.txt\""
        );
    }
}
