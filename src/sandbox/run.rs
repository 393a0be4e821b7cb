//! A worker's sandbox: holds the zygote and the temporary folder, makes a request of each [`Spec`], and an [`Outcome`]
//! of what came back. Never compares an answer.

use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::ExitStatus;

use nix::fcntl::OFlag;

use super::calls::Exchange;
use super::clock::{MS, now_ns};
use super::config::Config;
use super::folder::Scratch;
use super::link::{self, Link};
use super::linux::rlimits;
use super::linux::step::Step;
use super::meter::Meter;
use super::supervise::{self, Pipes, Watched};
use super::user::Users;
use super::wire::{Ending, Reply, Request};
use super::{Ended, Isolation, LimitHit, Outcome, SandboxError, Spec, stdin};

/// Runs programs one after another; each worker thread has its own.
#[derive(Debug)]
pub struct Sandbox {
    config: Config,
    link: Option<Link>,
    scratch: Scratch,
    users: Users,
    isolation: Isolation,
}

impl Sandbox {
    /// Makes ready to run programs: starts the zygote.
    ///
    /// # Errors
    /// When the zygote does not start, or what `config` asks for cannot be had here.
    pub fn start(config: &Config) -> Result<Self, SandboxError> {
        let link = Link::start(&config.launcher)?;
        let users = Users::of_machine(link.pid());
        let isolation = Isolation {
            namespaces: false,
            seccomp: false,
            landlock: false,
            network_blocked: false,
            own_user: users.can_change(),
            memory: "rlimit".to_owned(),
            cpu: "wait4".to_owned(),
        };
        Ok(Self { config: config.clone(), link: Some(link), scratch: Scratch::new()?, users, isolation })
    }

    /// The walls that stand around the programs that this sandbox runs.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Runs one program to its end, within its limits. Nothing of it is left afterwards.
    ///
    /// # Errors
    /// When the judge could not do its part, or was interrupted; never for what the program does.
    pub fn run(&mut self, spec: &Spec) -> Result<Outcome, SandboxError> {
        if super::interrupt::requested() {
            return Err(SandboxError::Interrupted);
        }
        let link = match self.link.take() {
            Some(link) => link,
            None => Link::start(&self.config.launcher)?,
        };
        let user = self.users.choose(spec);
        self.isolation.own_user &= user.is_some() || !self.users.can_change();
        let work = self.scratch.work(&spec.files, user)?;
        let outcome = run_on(&link, spec, user, work.path());
        let cleared = work.clear();
        // A zygote that went astray is not used again.
        if outcome.is_ok() {
            self.link = Some(link);
        }
        let outcome = outcome?;
        cleared?;
        Ok(outcome)
    }
}

fn run_on(link: &Link, spec: &Spec, user: Option<u32>, folder: &Path) -> Result<Outcome, SandboxError> {
    let stdin = stdin::open(&spec.stdin)?;
    let (stdout, stdout_end) = pipe(user)?;
    let (stderr, stderr_end) = pipe(user)?;
    let mut descriptors = vec![stdin.as_raw_fd(), stdout_end.as_raw_fd(), stderr_end.as_raw_fd()];
    let mut call_ends = None;
    let mut exchange = None;
    let began_ns = now_ns();
    if let Some(requests) = &spec.calls {
        let (request_end, writer) = raw_pipe()?;
        let (reader, reply_end) = raw_pipe()?;
        descriptors.extend([request_end.as_raw_fd(), reply_end.as_raw_fd()]);
        call_ends = Some((request_end, reply_end));
        let (writer, reader) = (link::nonblocking(writer)?, link::nonblocking(reader)?);
        exchange = Some(Exchange::new(requests, writer, reader, spec.limits.stdout_bytes, began_ns));
    }
    let mut meter = Meter::new(link.pid(), spec.limits.memory_bytes);
    link.request(&request(spec, user, folder), &descriptors)?;
    // Only the program may hold the other ends, or the pipes would never end.
    drop((stdin, stdout_end, stderr_end, call_ends));
    let pipes = Pipes { stdout, stderr, exchange };
    let watched = supervise::watch(link, &spec.limits, &mut meter, pipes, began_ns)?;
    match watched.reply {
        Reply::Ended(ending) => Ok(outcome(spec, &meter, watched, ending, began_ns)),
        Reply::Refused(refusal) if refusal.step == Step::Execute as u8 => Err(SandboxError::Execute {
            program: spec.program.clone(),
            cause: std::io::Error::from_raw_os_error(refusal.errno),
        }),
        Reply::Refused(refusal) => Err(link::refused(refusal)),
    }
}

fn request(spec: &Spec, user: Option<u32>, folder: &Path) -> Request {
    let bytes = |text: &OsStr| text.as_bytes().to_vec();
    let calls = spec.calls.as_ref().map_or(1, Vec::len);
    // A user of the run's own has no other processes that a limit would count.
    let processes = user.map(|_| spec.limits.processes);
    Request {
        program: bytes(spec.program.as_os_str()),
        args: std::iter::once(bytes(spec.program.as_os_str()))
            .chain(spec.args.iter().map(|arg| bytes(arg)))
            .collect(),
        env: spec
            .env
            .iter()
            .map(|(name, value)| [bytes(name), b"=".to_vec(), bytes(value)].concat())
            .collect(),
        folder: bytes(folder.as_os_str()),
        rlimits: rlimits::of(&spec.limits, calls, processes),
        user,
        has_calls: spec.calls.is_some(),
        work_bytes: 0,
    }
}

fn outcome(spec: &Spec, meter: &Meter, watched: Watched, ending: Ending, began_ns: u64) -> Outcome {
    let status = ExitStatus::from_raw(ending.status);
    let ended = match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exit(code),
        (None, signal) => Ended::Signal(signal.unwrap_or(libc::SIGKILL)),
    };
    let cpu_ns = ending.cpu_ns.max(meter.used().cpu_ns);
    let memory_bytes = ending.maxrss_bytes.max(meter.used().memory_bytes);
    let late_hit = || match ended {
        _ if memory_bytes > spec.limits.memory_bytes => Some(LimitHit::Memory),
        Ended::Signal(libc::SIGXFSZ) => Some(LimitHit::Output),
        Ended::Signal(libc::SIGXCPU) => Some(LimitHit::Cpu),
        _ if spec.calls.is_none() && cpu_ns > spec.limits.cpu_ms * MS => Some(LimitHit::Cpu),
        _ => None,
    };
    Outcome {
        ended,
        limit_hit: watched.limit_hit.or_else(late_hit),
        cpu_ms: cpu_ns as f64 / MS as f64,
        wall_ms: ending.ended_ns.saturating_sub(began_ns) as f64 / MS as f64,
        memory_bytes,
        stdout: watched.stdout,
        stderr: watched.stderr,
        calls: watched.calls,
    }
}

/// A pipe that the program writes: the judge's end, then the program's, which it may also open anew by name.
fn pipe(user: Option<u32>) -> Result<(File, OwnedFd), SandboxError> {
    let (reader, writer) = raw_pipe()?;
    if user.is_some() {
        nix::unistd::fchown(writer.as_fd(), user.map(Into::into), None)
            .map_err(SandboxError::system("give a pipe to the program's user"))?;
    }
    Ok((link::nonblocking(reader)?, writer))
}

fn raw_pipe() -> Result<(OwnedFd, OwnedFd), SandboxError> {
    nix::unistd::pipe2(OFlag::O_CLOEXEC).map_err(SandboxError::system("make a pipe"))
}
