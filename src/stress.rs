//! Searches for an input on which a solution is wrong, and shrinks it.
