//! How a sandbox is to be set up: which walls, and by what means memory and CPU time are counted. Never looks at the
//! machine.

use std::path::PathBuf;

/// What a [`Sandbox`](super::Sandbox) needs to know to start.
#[derive(Clone, Debug)]
pub struct Config {
    /// The touchstone binary, which is started again as the zygote.
    pub launcher: PathBuf,
    /// The walls.
    pub isolation: Choice,
    /// The means of counting.
    pub accounting: Accounting,
    /// Folders that no program may see, though they lie below what programs see: tests and their answers. What a run
    /// itself needs of them is shown nevertheless.
    pub hidden: Vec<PathBuf>,
}

/// Which walls stand between a program and the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// Strict where this machine can, else plain: [`Sandbox::isolation`](super::Sandbox::isolation) tells which.
    Strongest,
    /// Everything but the network space is made fresh for each run.
    Strict,
    /// One set of spaces for many runs; what a run dirtied is made fresh.
    Default,
    /// No spaces of its own: limits, a system-call filter and Landlock where the machine has them.
    Plain,
}

/// By what memory and CPU time are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Accounting {
    /// The best that this machine gives.
    Auto,
    /// Control groups, version 2.
    Cgroup2,
    /// Control groups, version 1 or hybrid.
    Cgroup1,
    /// Resource limits, `wait4` and looking at the processes every few milliseconds.
    Rlimit,
}
