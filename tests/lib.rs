//! The tests of the whole program, linked once.

mod check;
mod cli;
mod compilers;
mod contents;
#[cfg(feature = "web")]
mod deaths;
mod desk;
mod doctor;
mod families;
mod function;
mod generate;
mod grade;
mod hostile;
mod jury;
mod jury_of_problem;
mod languages;
mod leaks;
mod makers;
mod mistakes;
mod rust_source;
mod sandbox;
mod scores;
#[cfg(feature = "web")]
mod slots;
mod strength;
mod stress;
mod tidy;
mod toolchain;
mod tricks;
mod verify;
mod walls;
#[cfg(feature = "web")]
mod web;
