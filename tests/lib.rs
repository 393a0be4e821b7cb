//! The tests of the whole program, linked once.

mod cli;
mod contents;
mod desk;
mod grade;
mod languages;
mod generate;
mod mistakes;
mod rust_source;
mod sandbox;
mod tidy;
mod toolchain;
