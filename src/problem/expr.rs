//! The language of `where`: small, total, in `i128`, with overflow an error. Evaluates values, never runs programs.

/// A parsed condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr;
