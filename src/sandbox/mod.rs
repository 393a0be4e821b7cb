//! Runs one command under limits and measures it.

mod calls;
mod capture;
mod cgroup;
mod clock;
pub mod config;
pub mod error;
mod folder;
pub mod interrupt;
mod link;
mod linux;
mod meter;
pub mod outcome;
pub mod probe;
mod root;
mod run;
pub mod selftest;
pub mod spec;
mod stdin;
mod supervise;
mod talk;
mod tree;
mod user;
mod wire;

pub use config::{Accounting, Choice, Config};
pub use error::SandboxError;
pub use outcome::{Call, Ended, Isolation, LimitHit, Outcome};
pub use run::Sandbox;
pub use spec::{Files, RunLimits, Spec, Stdin};
pub use talk::{Partner, Talk};

/// Milliseconds on the monotonic clock, since some fixed moment.
pub fn now_ms() -> u64 {
    clock::now_ns() / clock::MS
}

/// The other side, which `touchstone __zygote` enters first thing.
pub mod zygote {
    pub use super::linux::mother::main;
}

/// Programs that misbehave, which `touchstone __hostile` enters.
pub mod hostile {
    pub use super::linux::hostile::main;
}
