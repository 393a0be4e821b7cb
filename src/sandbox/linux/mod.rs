//! Everything that needs the Linux kernel's own interfaces. The only place with `unsafe`, and never with policy: what
//! to run, and what an ending means, is decided by the rooms above.
//!
//! `mother`, `zygote`, `init` and `child` are processes, each made by the one before; `mounts`, `fresh`, `seccomp`,
//! `landlock` and `wait` are what they do. The rest is called from the judge.

pub(crate) mod child;
pub(crate) mod fresh;
pub(crate) mod hostile;
pub(crate) mod init;
pub(crate) mod landlock;
pub(crate) mod mother;
pub(crate) mod mounts;
pub(crate) mod rlimits;
pub(crate) mod seccomp;
pub(crate) mod signals;
pub(crate) mod socket;
pub(crate) mod step;
pub(crate) mod wait;
pub(crate) mod zygote;
