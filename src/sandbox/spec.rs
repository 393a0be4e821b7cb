//! What to run: a command, what it reads, where it may write, and its limits.

use std::ffi::OsString;
use std::path::PathBuf;

use super::talk::Talk;

/// Most files and folders that a program may have at once, and a compiler.
pub const MOST_FILES: u64 = 16 << 10;

/// One run, with every path resolved.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Absolute path of the program.
    pub program: PathBuf,
    /// Arguments after the program's name.
    pub args: Vec<OsString>,
    /// The whole environment; nothing of the judge's own reaches the program.
    pub env: Vec<(OsString, OsString)>,
    /// What the program finds in its folder, read-only to it where the isolation can promise that.
    pub files: Files,
    /// What standard input reads.
    pub stdin: Stdin,
    /// Requests sent one by one on descriptor 3, each answered by one line on descriptor 4, as function mode needs.
    /// `None` leaves both descriptors closed. A request is sent when the line for the one before has come, and the
    /// time limits then hold for each request by itself.
    pub calls: Option<Vec<Vec<u8>>>,
    /// What the run may use.
    pub limits: RunLimits,
}

/// The folder a program starts in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Files {
    /// An empty folder, fresh for this run and gone after it. `readable` are the paths outside the system's own that
    /// the program needs (its executable or compiled classes, its toolchain).
    Fresh {
        /// Files or folders it may read and execute.
        readable: Vec<PathBuf>,
    },
    /// A folder of the judge's that the program may write into, as a compiler does. It stays.
    Folder {
        /// The folder, which is also where the program starts.
        folder: PathBuf,
        /// Files or folders besides it that may be read and executed.
        readable: Vec<PathBuf>,
    },
}

/// What standard input reads.
#[derive(Clone, Debug)]
pub enum Stdin {
    /// Nothing: end of file at once.
    Empty,
    /// These bytes.
    Bytes(std::sync::Arc<[u8]>),
    /// The bytes of this file from `offset`, `len` of them.
    File {
        /// An absolute path.
        path: PathBuf,
        /// Where the bytes begin.
        offset: u64,
        /// How many there are.
        len: u64,
    },
    /// What a partner writes, as in an interactive problem; standard output then goes to the partner too, and the
    /// outcome has none of it.
    Talk(std::sync::Arc<Talk>),
}

/// What one run may use. Every number is a hard bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunLimits {
    /// CPU time of all its processes together, or of one call.
    pub cpu_ms: u64,
    /// Time on the wall, of the run or of one call.
    pub wall_ms: u64,
    /// Peak memory of all its processes together.
    pub memory_bytes: u64,
    /// Bytes on standard output; also bytes of all answers in function mode.
    pub stdout_bytes: u64,
    /// Bytes of standard error that are kept: the first half and the last half. The rest is read and dropped.
    pub stderr_kept_bytes: usize,
    /// Size of the largest file the program may write.
    pub file_bytes: u64,
    /// Bytes of all its files together: of what lies in its folder, and of what was not there before. A run without a folder
    /// of the judge's whose files are in memory has `memory_bytes` for them.
    pub files_bytes: u64,
    /// How many files and folders may be in that folder.
    pub files: u64,
    /// Processes and threads at once.
    pub processes: u64,
    /// Whether address space may be bounded too, where nothing better bounds memory. Never for programs that reserve
    /// much more than they touch (Java, Go, Node).
    pub bound_address_space: bool,
}
