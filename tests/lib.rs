//! The tests of the whole program, linked once.

mod sandbox;
