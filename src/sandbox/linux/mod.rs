//! Everything that needs the Linux kernel's own interfaces. The only place with `unsafe`, and never with policy: what
//! to run, and what an ending means, is decided by the rooms above.
//!
//! `zygote`, `child` and `step` run in the zygote process; the rest is called from the judge.

pub(crate) mod child;
pub(crate) mod rlimits;
pub(crate) mod signals;
pub(crate) mod socket;
pub(crate) mod step;
pub(crate) mod zygote;
