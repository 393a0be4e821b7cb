//! The files that pages need beside their markup: all of them in the binary, none from elsewhere.

use std::sync::LazyLock;

use axum::http::{HeaderValue, StatusCode, header};
use sha2::{Digest as _, Sha256};

use crate::web::reply::{self, Reply};

const ASSETS: [(&str, &str, &str); 4] = [
    ("style.css", "text/css; charset=utf-8", include_str!("assets/style.css")),
    ("page.js", "text/javascript; charset=utf-8", include_str!("assets/page.js")),
    ("live.js", "text/javascript; charset=utf-8", include_str!("assets/live.js")),
    ("icon.svg", "image/svg+xml", include_str!("assets/icon.svg")),
];

/// Digits of the stamp.
const STAMP_DIGITS: usize = 12;

/// What changes when one of the files does, so that browsers can keep them until then.
pub(crate) fn stamp() -> &'static str {
    static STAMP: LazyLock<String> = LazyLock::new(|| {
        let mut hash = Sha256::new();
        for (_, _, text) in ASSETS {
            hash.update(text);
        }
        let digest = hash.finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()[..STAMP_DIGITS].to_owned()
    });
    &STAMP
}

/// The file of this name.
pub(crate) fn of(name: &str) -> Option<Reply> {
    let (_, kind, text) = ASSETS.into_iter().find(|(own, ..)| *own == name)?;
    let mut reply = reply::of(StatusCode::OK, kind, text);
    // The shared worker is asked for without a stamp, so it may not be kept for long.
    let kept = if name == "live.js" { "max-age=60" } else { "public, max-age=31536000, immutable" };
    reply.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    Some(reply)
}
