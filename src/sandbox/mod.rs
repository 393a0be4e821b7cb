//! Runs one command under limits and measures it.

pub mod outcome;
pub mod spec;

pub use outcome::{Call, Ended, Isolation, LimitHit, Outcome};
pub use spec::{Files, RunLimits, Spec, Stdin};
