//! Runs one command under limits and measures it, within walls that keep it from everything else. Never gives a verdict.
//!
//! # Theory of operation
//!
//! Four kinds of processes, each made by the one before:
//!
//! ```text
//!  judge      this program: threads, much memory, every right of its user
//!    │ exec     `touchstone __zygote`, one a worker; their life ends with a socket, whoever kills the judge
//!  mother     small: joins the control groups once, makes zygotes by fork, holds nothing else
//!    │ clone    new user, mount, network, UTS, IPC and cgroup spaces (and process space, when pooled)
//!  zygote     one for each set of files to be shown, and kind of program: builds the root and the filter, starts programs
//!    │ clone    strict only: new process, mount, IPC and UTS spaces, in the zygote's own memory
//!  init       makes the box and /proc of one run, waits for its program, ends, and takes all that is left with it
//!    │ vfork    descriptors, limits, user, capabilities, Landlock
//!  program    what was asked for; everything it starts dies with the run
//! ```
//!
//! Why so many: what a child inherits of a process is what its memory, time and privileges are measured and bounded by.
//! A program started from the judge itself would be reported with the judge's peak memory; a filter costs 0.1 ms to
//! install and nothing to inherit; a control group costs 6 ms to join and nothing to inherit; a network space costs
//! 0.5 ms. So whatever can be inherited is made once, by a process as small as can be. What a run could dirty is made
//! anew for each run (`Choice::Strict`), or when it was dirtied (`Choice::Default`).
//!
//! **Pipes and sockets.** The judge speaks with the mother and with each zygote over a pair of packet sockets (`wire`):
//! one request with the program's descriptors, one reply when the program and everything it left are gone. The
//! program's standard input is a sealed copy in memory; its output and errors are pipes that the judge drains
//! (`supervise`, in the calling thread); requests and replies of function mode are pipes on descriptors 3 and 4. No end
//! of a pipe is waited for alone: a grandchild may hold it for ever.
//!
//! **Who stops a program.** The judge, from outside, by SIGKILL: limits are looked at when they can first have been
//! passed, so that a run that stays within them is hardly looked at; a group tells by itself that its memory has run out. A zygote only cleans up: under a fork bomb it may
//! not get a processor in time. Control groups bound memory and processes in the kernel; where there are none, the
//! processes are looked at every few milliseconds (`meter`, `tree`). So is a run's folder where it lies on the judge's disk
//! (`disk`).
//!
//! **Where control groups come from.** Root makes them. An ordinary user's judge uses the group that was delegated to it,
//! else asks the user's systemd, over D-Bus (`bus`), to move it into a scope whose groups are its own (`scope`); else looks
//! further up for a group that is open to it (`places`); else does without.
//!
//! **What is left when the judge is killed.** Nothing: the mother is told what folder and what groups the judge is
//! about to make (`wire::Estate`). In the folder are the work folders, what zygotes mount over, and the folder that a
//! jury's programs are lent (`folder`): all that a sandbox has on the disk. When her socket ends she kills what runs and
//! removes the folder; unless the judge has said farewell, she leaves the groups herself, which is slow, and removes them
//! too. A judge that is killed between its farewell and the removal of its groups leaves them empty, and the next one that
//! starts removes them. The rest of a run hangs on her by parent-death signals and by spaces that end with their first
//! process.
//!
//! **Who dies when memory runs out.** The program: it begins with the score that has the kernel choose it first. Where a
//! group counts, a process of it that was killed though the run was far from its limit died for want of the machine's
//! memory, or of a group's around the judge: that is the judge's error.
//!
//! **Whose time is counted.** All of the run's processes, by its group or by looking; the sandbox's own share, which is in
//! the group too, is read from its processes while a run goes on and told by the zygote at its end. A measured run
//! holds a permit for a core, and compilers hold one too (`grade::schedule`), but it is *not pinned* to one. Two judges
//! on one machine would pin to the same core and leave the other idle, and the kernel could not mend that; measured on
//! two busy cores, pinning made runs wait 35 to 70 % longer and gave a single-threaded C++ program no evener CPU times
//! (deviation 23 and 39 % of the mean, 29 and 16 % without). What pinning is good for is runtimes that use idle cores for
//! themselves: a Go program's times deviated by 5 % in place of 10 % and were 7 % shorter. Telling the runtime that it
//! has one processor does the same (`GOMAXPROCS=1`: 6.6 %, as short; Java with its serial collector: 2 % either way), so
//! the table of languages does that. Threads of a program's own may run at once; their times add up.
//!
//! **What each wall is for.**
//!
//! | wall | keeps a program from | without it |
//! |---|---|---|
//! | user space, or another user | every right that the judge has | it is the judge's user, without capabilities |
//! | mount space with a root of its own | files: homes, secrets, tests, answers | Landlock |
//! | process space | seeing, signalling, tracing others | Landlock's scope, the filter |
//! | network space, and a filter of sockets | the network, and services of this machine | the filter, without any socket |
//! | system-call filter | rare and dangerous parts of the kernel | – |
//! | Landlock | files, should the mounts have a hole | the mounts |
//! | no new privileges, no capabilities, locked bits | gaining rights by set-uid programs | – |
//! | control groups | memory and time that no single process shows | looking, `wait4` |
//! | resource limits | large files, core files, many descriptors | – |
//!
//! **Who holds which privilege.** As an ordinary user the judge has none; the zygote has every capability within its
//! user space and none outside, the program none anywhere. As root the zygote stays user 0, since only it may bind
//! what lies in root's home, without capabilities outside of its user space; programs run as users of their own, those
//! that write into a folder of the judge's (compilers) as another one than those that do not.
//!
//! **Errors.** Every step between a request and the running program has a name (`linux::step`), which the error
//! carries. A program's fault is an [`Outcome`]; a [`SandboxError`] is always the judge's.

mod bus;
mod calls;
mod capture;
mod cgroup;
mod clock;
pub mod config;
mod disk;
pub mod error;
mod folder;
pub mod interrupt;
mod link;
mod linux;
mod meter;
pub mod outcome;
mod places;
pub mod probe;
mod root;
mod run;
mod scope;
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

/// What a program behind walls that resolves links calls `path`, where that is not its name outside: `/tmp` and its like
/// are links there.
pub fn resolved_behind_walls(path: &std::path::Path) -> Option<std::path::PathBuf> {
    linux::mounts::resolved(path)
}

/// Removes all that programs left in a folder that was lent to them ([`Sandbox::folder_to_lend`]), following no link.
///
/// # Errors
/// When something of it cannot be removed.
pub fn empty_lent_folder(folder: &std::path::Path) -> std::io::Result<()> {
    folder::empty(folder)
}

/// Removes a folder with all that programs left in it: however deep, though it be closed to its owner, and following no link.
/// No program may be able to make names beside it.
///
/// # Errors
/// When something of it cannot be removed.
pub fn remove_folder(folder: &std::path::Path) -> std::io::Result<()> {
    folder::remove(folder)
}

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
