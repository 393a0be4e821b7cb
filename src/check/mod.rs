//! Whether an output is right, given the expected one: streaming, in constant memory. Never runs a program.

/// A built-in way to compare outputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Checker {
    /// Tokens separated by any white space must be the same.
    Tokens,
    /// Lines must be the same, but for white space at their ends and empty lines at the end.
    Lines,
    /// Bytes must be the same.
    Exact,
    /// Tokens, numbers among them within this absolute or relative error.
    Float {
        /// The tolerance as it was written, as in `1e-6`.
        eps: String,
    },
    /// The same tokens in any order.
    Unordered,
}
