//! Runs programs that misbehave and says what stopped each, and the same work many times to see how much times differ.
//! For `doctor`: never part of judging.

use serde::Serialize;

use super::{Config, Ended, Files, LimitHit, Outcome, RunLimits, Sandbox, SandboxError, Spec, Stdin};

/// One misbehaviour and what became of it.
#[derive(Clone, Debug, Serialize)]
pub struct Tried {
    /// What the program does.
    pub misdeed: String,
    /// Whether it was stopped.
    pub stopped: bool,
    /// By what; or what it got.
    pub by: String,
}

/// CPU times of the same work.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Spread {
    /// The shortest.
    pub min_ms: f64,
    /// The middle one.
    pub median_ms: f64,
    /// The longest.
    pub max_ms: f64,
}

/// What is tried, with the widget that does it.
const MISDEEDS: [(&str, &str); 12] = [
    ("reads the judge's own files", "read"),
    ("writes outside of its folder", "write"),
    ("looks into other processes", "environ"),
    ("signals the judge", "signal"),
    ("traces the judge", "ptrace"),
    ("opens a socket", "network"),
    ("makes namespaces of its own", "spaces"),
    ("calls rare parts of the kernel", "calls"),
    ("makes processes without end", "bomb"),
    ("takes memory without end", "memory"),
    ("prints without end", "flood"),
    ("sleeps for ever", "sleep"),
];
const WORK_RUNS: usize = 21;

const LIMITS: RunLimits = RunLimits {
    cpu_ms: 2000,
    wall_ms: 4000,
    memory_bytes: 256 << 20,
    stdout_bytes: 1 << 20,
    stderr_kept_bytes: 4096,
    file_bytes: 64 << 20,
    processes: 64,
    bound_address_space: true,
};

fn widget(config: &Config, name: &str, args: Vec<String>) -> Spec {
    let words = ["__hostile".to_owned(), name.to_owned()];
    Spec {
        program: config.launcher.clone(),
        args: words.into_iter().chain(args).map(Into::into).collect(),
        env: Vec::new(),
        files: Files::Fresh { readable: vec![config.launcher.clone()] },
        stdin: Stdin::Empty,
        calls: None,
        limits: LIMITS,
    }
}

/// Tries every misdeed.
///
/// # Errors
/// When the sandbox fails, not when a program gets through.
pub fn misdeeds(config: &Config, sandbox: &mut Sandbox) -> Result<Vec<Tried>, SandboxError> {
    let secret = tempfile::NamedTempFile::new().map_err(SandboxError::system("make a temporary file"))?;
    let own = |name: &str| match name {
        "read" => vec![secret.path().display().to_string(), "/etc/shadow".to_owned()],
        "write" => ["/", "/usr", "/etc", "/var"].map(str::to_owned).to_vec(),
        "signal" | "ptrace" => vec![std::process::id().to_string()],
        _ => Vec::new(),
    };
    std::io::Write::write_all(&mut secret.as_file(), b"secret")
        .map_err(SandboxError::system("write a temporary file"))?;
    MISDEEDS
        .iter()
        .map(|(misdeed, name)| {
            let mut spec = widget(config, name, own(name));
            if *name == "sleep" {
                spec.limits.wall_ms = 300;
            }
            Ok(judge(misdeed, &sandbox.run(&spec)?))
        })
        .collect()
}

fn judge(misdeed: &str, outcome: &Outcome) -> Tried {
    let said = String::from_utf8_lossy(&outcome.stdout[..outcome.stdout.len().min(200)]).trim().to_owned();
    let (stopped, by) = match (outcome.limit_hit, outcome.ended) {
        (Some(LimitHit::Cpu), _) => (true, "the limit of CPU time".to_owned()),
        (Some(LimitHit::Wall), _) => (true, "the limit of time on the wall".to_owned()),
        (Some(LimitHit::Memory), _) => (true, "the memory limit".to_owned()),
        (Some(LimitHit::Output), _) => (true, "the output limit".to_owned()),
        (None, Ended::Signal(signal)) => (true, format!("signal {signal}")),
        (None, Ended::Exit(0)) => (true, said.trim_start_matches("stopped: ").to_owned()),
        (None, Ended::Exit(_)) => (false, said.trim_start_matches("through: ").to_owned()),
    };
    Tried { misdeed: misdeed.to_owned(), stopped, by }
}

/// Does the same work over and over.
///
/// # Errors
/// When the sandbox fails.
pub fn spread(config: &Config, sandbox: &mut Sandbox) -> Result<Spread, SandboxError> {
    let mut times = Vec::with_capacity(WORK_RUNS);
    for _ in 0..WORK_RUNS {
        times.push(sandbox.run(&widget(config, "work", Vec::new()))?.cpu_ms);
    }
    times.sort_by(f64::total_cmp);
    let at = |index: usize| times.get(index).copied().unwrap_or(0.0);
    Ok(Spread { min_ms: at(0), median_ms: at(WORK_RUNS / 2), max_ms: at(WORK_RUNS - 1) })
}
