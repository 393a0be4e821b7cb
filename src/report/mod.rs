//! Reports for people and machines: terminal, JSON, diff, snippets of mistakes. Reads events, decides nothing.

pub mod diff;
pub mod snippet;
