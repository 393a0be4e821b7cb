//! What happened to a run: how it ended, what it used and what it wrote. No verdict is given here.

/// One finished run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How the main process ended.
    pub ended: Ended,
    /// The limit that was passed, if one was; the first one noticed.
    pub limit_hit: Option<LimitHit>,
    /// CPU time, user and system, of all processes that could be counted.
    pub cpu_ms: f64,
    /// From just before the start until the main process was gone.
    pub wall_ms: f64,
    /// Peak memory of the processes, as well as this machine can tell.
    pub memory_bytes: u64,
    /// Standard output, at most the limit.
    pub stdout: Vec<u8>,
    /// The kept part of standard error.
    pub stderr: Vec<u8>,
    /// In order, the calls that were answered, and the last that was not.
    pub calls: Vec<Call>,
}

/// How the main process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It called exit, or returned from main.
    Exit(i32),
    /// A signal ended it, the judge's own SIGKILL included (then `limit_hit` says why).
    Signal(i32),
}

/// Which limit a run passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitHit {
    /// CPU time.
    Cpu,
    /// Wall time, with CPU time to spare: it slept, or waited for what never came.
    Wall,
    /// Memory.
    Memory,
    /// Standard output.
    Output,
    /// The size of a file, one in memory (`memfd_create`) included.
    File,
    /// The size of all files together, or how many there are, where nothing but looking bounds it.
    Files,
}

/// One request and what came back for it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The line that answered, without its line break; `None` when the program ended or was stopped first.
    pub reply: Option<Vec<u8>>,
    /// CPU time between the request and the reply; the first call bears the start of the program.
    pub cpu_ms: f64,
    /// Time on the wall between the request and the reply.
    pub wall_ms: f64,
}

/// What isolation a run really had: reported, never assumed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Isolation {
    /// Own user, mount, process, network, IPC and host-name spaces.
    pub namespaces: bool,
    /// System calls are filtered.
    pub seccomp: bool,
    /// File access is bounded by Landlock.
    pub landlock: bool,
    /// The program cannot reach any network.
    pub network_blocked: bool,
    /// Runs under another user than the judge.
    pub own_user: bool,
    /// What bounds and measures memory: `cgroup-v2`, `cgroup-v1` or `rlimit`.
    pub memory: String,
    /// What counts CPU time: `cgroup-v2`, `cgroup-v1` or `wait4`.
    pub cpu: String,
}
