//! Runs programs that misbehave and says what stopped each, and the same work many times to see how much times differ.
//! For `doctor`: never part of judging.

use serde::Serialize;

use super::clock::{MS, now_ns};
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

/// How even times are on this machine.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Timing {
    /// One run at a time.
    pub alone: Spread,
    /// How many cores worked at once afterwards.
    pub cores: usize,
    /// The middle one of the slowest of them.
    pub in_company_ms: f64,
    /// How much of all cores the host of a virtual machine took meanwhile.
    pub stolen_percent: f64,
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
/// Runs of each worker where all work at once, and most workers: enough to see what company costs.
const COMPANY_RUNS: usize = 9;
const MOST_COMPANY: usize = 64;
/// The unit of `/proc/stat`, fixed by the kernel's interface.
const TICK_MS: f64 = 10.0;

pub(crate) const LIMITS: RunLimits = RunLimits {
    cpu_ms: 2000,
    wall_ms: 4000,
    memory_bytes: 256 << 20,
    stdout_bytes: 1 << 20,
    stderr_kept_bytes: 4096,
    file_bytes: 64 << 20,
    files_bytes: 256 << 20,
    files: 1024,
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
        (Some(LimitHit::Cpu), _) => (true, "limit of CPU time".to_owned()),
        (Some(LimitHit::Wall), _) => (true, "limit of time on the wall".to_owned()),
        (Some(LimitHit::Memory), _) => (true, "memory limit".to_owned()),
        (Some(LimitHit::Output), _) => (true, "output limit".to_owned()),
        (Some(LimitHit::File), _) => (true, "limit of a file's size".to_owned()),
        (Some(LimitHit::Files), _) => (true, "limit of all files' size and number".to_owned()),
        (None, Ended::Signal(signal)) => (true, format!("signal {signal}")),
        (None, Ended::Exit(0)) => (true, said.trim_start_matches("stopped: ").to_owned()),
        (None, Ended::Exit(_)) => (false, said.trim_start_matches("through: ").to_owned()),
    };
    Tried { misdeed: misdeed.to_owned(), stopped, by }
}

/// Does the same work over and over: alone, and then on every core at once, as with many jobs.
///
/// # Errors
/// When the sandbox fails.
pub fn timing(config: &Config, sandbox: &mut Sandbox) -> Result<Timing, SandboxError> {
    let stolen_before = stolen_ticks();
    let began_ns = now_ns();
    let alone = spread(config, sandbox, WORK_RUNS)?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MOST_COMPANY);
    let mut sandboxes = (0..cores).map(|_| Sandbox::start(config)).collect::<Result<Vec<_>, _>>()?;
    let spreads = std::thread::scope(|scope| {
        let start = |sandbox| scope.spawn(move || spread(config, sandbox, COMPANY_RUNS));
        let threads: Vec<_> = sandboxes.iter_mut().map(start).collect();
        let lost = |_| Err(SandboxError::Lost { what: "times were measured" });
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(lost)).collect::<Result<Vec<_>, _>>()
    })?;
    let in_company_ms = spreads.iter().map(|spread| spread.median_ms).fold(0.0, f64::max);
    let took_ms = (now_ns() - began_ns) as f64 / MS as f64;
    let stolen_ms = (stolen_ticks() - stolen_before) as f64 * TICK_MS;
    Ok(Timing { alone, cores, in_company_ms, stolen_percent: 100.0 * stolen_ms / (took_ms * cores as f64) })
}

/// CPU times of so many runs.
fn spread(config: &Config, sandbox: &mut Sandbox, runs: usize) -> Result<Spread, SandboxError> {
    let mut times = Vec::with_capacity(runs);
    for _ in 0..runs {
        times.push(sandbox.run(&widget(config, "work", Vec::new()))?.cpu_ms);
    }
    times.sort_by(f64::total_cmp);
    let at = |index: usize| times.get(index).copied().unwrap_or(0.0);
    Ok(Spread { min_ms: at(0), median_ms: at(runs / 2), max_ms: at(runs - 1) })
}

/// What a host has taken from this machine since it started, of all cores together.
fn stolen_ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let line = stat.lines().next().unwrap_or_default();
    line.split_ascii_whitespace().nth(8).and_then(|ticks| ticks.parse().ok()).unwrap_or(0)
}
