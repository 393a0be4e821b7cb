//! Reports for people and machines: terminal, JSON, diff, snippets of mistakes. Reads events, decides nothing.

pub mod diff;
pub mod json;
pub mod listing;
pub mod progress;
#[cfg(feature = "web")]
pub mod qr;
pub mod search;
pub mod snippet;
pub mod strength;
pub mod strength_page;
pub mod terminal;
pub mod verification;

pub(crate) mod points;
pub(crate) mod quantity;
pub(crate) mod table;
