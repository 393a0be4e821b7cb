//! The tests of the whole program, linked once.

mod contents;
mod languages;
mod generate;
mod mistakes;
mod rust_source;
mod sandbox;
mod tidy;
mod toolchain;
