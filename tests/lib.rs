//! The tests of the whole program, linked once.

mod rust_source;
mod sandbox;
mod tidy;
