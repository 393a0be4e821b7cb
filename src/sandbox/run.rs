//! A worker's sandbox: holds the zygote and the temporary folder, makes a request of each [`Spec`], and an [`Outcome`]
//! of what came back. Never compares an answer.

use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use nix::fcntl::OFlag;

use super::calls::Exchange;
use super::capture::CHUNK_BYTES;
use super::cgroup::{Folder, Groups, Want};
use super::clock::{MS, now_ns};
use super::config::{Accounting, Choice, Config};
use super::folder::Scratch;
use super::link::{self, Mother, Zygote};
use super::linux::landlock::{self, Version};
use super::linux::rlimits;
use super::linux::step::Step;
use super::meter::{FLOOR_SLACK_BYTES, Meter};
use super::supervise::{self, Pipes, Watched};
use super::user::{Users, most_threads_of_own};
use super::wire::{Ending, Estate, Kind, Reply, Request, Setup, Walls};
use super::{Ended, Files, Isolation, LimitHit, Outcome, SandboxError, Spec, Stdin, root, stdin};

/// The work folder in the box.
const BOXED_WORK: &str = "/box/run/here";
/// The zygote and a first process, which may be of the program's user.
const SANDBOX_PROCESSES: u64 = 2;
/// Zygotes that one sandbox keeps for different sets of files: two programs that take turns, with their checker.
const KEPT_ZYGOTES: usize = 4;

/// Runs programs one after another; each worker thread has its own.
#[derive(Debug)]
pub struct Sandbox {
    /// Dropped before the groups, which are free to go only when she is gone.
    mother: Mother,
    groups: Option<Groups>,
    /// The one used last comes last.
    zygotes: Vec<(Purpose, Zygote)>,
    /// Without walls, the ruleset for the files and the folder of the run before.
    ruleset: Option<(Files, PathBuf, OwnedFd)>,
    walls: Walls,
    has_user_space: bool,
    landlock: Option<Version>,
    scratch: Scratch,
    users: Users,
    /// Folders that no program may see.
    hidden: Vec<PathBuf>,
    /// The user of the run before, and for what.
    chosen: Option<(PathBuf, Files, Option<u32>)>,
    /// For reading what programs write.
    buffer: Vec<u8>,
    isolation: Isolation,
}

/// What a zygote is for: which files are shown, if it has walls, and to whom.
type Purpose = (Option<Files>, Kind);

impl Sandbox {
    /// Makes ready to run programs: builds the walls that `config` asks for.
    ///
    /// # Errors
    /// When this machine does not give what `config` asks for, or something else goes wrong.
    pub fn start(config: &Config) -> Result<Self, SandboxError> {
        let walls = match config.isolation {
            Choice::Strongest | Choice::Strict => Walls::Strict,
            Choice::Default => Walls::Pooled,
            Choice::Plain => Walls::Plain,
        };
        let mut sandbox = Self::unwalled(config)?;
        match sandbox.build(walls) {
            Err(SandboxError::Step { .. } | SandboxError::System { .. })
                if config.isolation == Choice::Strongest =>
            {
                sandbox.build(Walls::Plain)?;
            }
            built => built?,
        }
        Ok(sandbox)
    }

    /// A sandbox without a zygote.
    fn unwalled(config: &Config) -> Result<Self, SandboxError> {
        // She comes first: all is entrusted to her before it is made, in case the judge is killed.
        let mut mother = Mother::start(&config.launcher)?;
        let place = Scratch::place();
        let entrust = |mother: &Mother, groups: &[Folder]| {
            mother.entrust(&Estate {
                base: place.as_os_str().as_bytes().to_vec(),
                groups: groups.iter().map(Folder::names).collect(),
            })
        };
        entrust(&mother, &[])?;
        let mut groups = Groups::make(config.accounting, &|groups| entrust(&mother, groups))?;
        let scratch = Scratch::new(&place)?;
        match groups.as_ref().map_or(Ok(()), |groups| groups.join(mother.pid())) {
            Err(_) if config.accounting == Accounting::Auto => {
                // She may be in some of them already. The folder is to be hers who comes after.
                mother.entrust(&Estate::default())?;
                mother = Mother::start(&config.launcher)?;
                groups = None;
                entrust(&mother, &[])?;
            }
            joined => joined?,
        }
        let users = Users::of_machine(mother.pid());
        let landlock = Version::of_kernel();
        let isolation = Isolation {
            namespaces: false,
            seccomp: true,
            landlock: landlock.is_some(),
            network_blocked: true,
            own_user: users.can_change(),
            memory: groups.as_ref().map_or("rlimit", Groups::name).to_owned(),
            cpu: groups.as_ref().map_or("wait4", Groups::name).to_owned(),
        };
        Ok(Self {
            mother,
            groups,
            zygotes: Vec::new(),
            ruleset: None,
            walls: Walls::Plain,
            has_user_space: false,
            landlock,
            scratch,
            users,
            hidden: config.hidden.clone(),
            chosen: None,
            buffer: vec![0; CHUNK_BYTES],
            isolation,
        })
    }

    /// Makes the first zygote, which shows whether this machine gives these walls.
    fn build(&mut self, walls: Walls) -> Result<(), SandboxError> {
        self.walls = walls;
        self.has_user_space = walls != Walls::Plain;
        let nothing = self.purpose(&Files::Fresh { readable: Vec::new() }, None);
        let mut made = self.make_zygote(&nothing);
        if made.is_err() && self.has_user_space && self.users.can_change() {
            // Root needs no user space to make the others.
            self.has_user_space = false;
            made = self.make_zygote(&nothing);
        }
        self.zygotes.push((nothing, made?));
        if walls == Walls::Plain && self.landlock.is_some() {
            // Whether what is hidden can be hidden is better known now than at the first run.
            root::rules(&Files::Fresh { readable: Vec::new() }, self.scratch.path(), &self.hidden)?;
        }
        self.isolation.namespaces = walls != Walls::Plain;
        Ok(())
    }

    /// The walls that stand around the programs that this sandbox runs.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// An empty folder to be lent to programs by [`Files::Folder`], whose files are the caller's to lay out and clear away.
    /// It lives as long as the sandbox, and goes with it, though the judge be killed.
    pub fn folder_to_lend(&self) -> &Path {
        self.scratch.to_lend()
    }

    /// Runs one program to its end, within its limits. Nothing of it is left afterwards.
    ///
    /// # Errors
    /// When the judge could not do its part, or was interrupted; never for what the program does.
    pub fn run(&mut self, spec: &Spec) -> Result<Outcome, SandboxError> {
        if super::interrupt::requested() {
            return Err(SandboxError::Interrupted);
        }
        let user = self.user_for(spec);
        let purpose = self.purpose(&spec.files, user);
        let zygote = self.take_zygote(&purpose)?;
        self.isolation.own_user &= user.is_some() || !self.users.can_change();
        let boxed = (self.walls != Walls::Plain).then_some(BOXED_WORK);
        let work = self.scratch.work(&spec.files, user, boxed)?;
        let ruleset = self.ruleset_for(&spec.files, work.path())?;
        let place = Place { user, folder: work.path(), ruleset, groups: self.groups.as_ref() };
        let outcome = run_on(&zygote, spec, &place, &mut self.buffer);
        let cleared = self.scratch.clear(work);
        // A zygote that went astray is not used again: dropping it ends it.
        if outcome.is_ok() {
            self.zygotes.push((purpose, zygote));
        }
        let outcome = outcome?;
        cleared?;
        Ok(outcome)
    }

    /// The user that a run has. What decides about it lies on the disk, so it is asked once for the same files.
    fn user_for(&mut self, spec: &Spec) -> Option<u32> {
        if let Some((program, files, user)) = &self.chosen
            && *program == spec.program
            && *files == spec.files
        {
            return *user;
        }
        let user = self.users.choose(spec, self.walls);
        self.chosen = Some((spec.program.clone(), spec.files.clone(), user));
        user
    }

    /// What a run with these files, as this user or the judge's own, needs a zygote for.
    fn purpose(&self, files: &Files, user: Option<u32>) -> Purpose {
        let is_plain = self.walls == Walls::Plain;
        let kind = match files {
            Files::Folder { .. } => Kind::Tool,
            Files::Fresh { .. } if is_plain && user.is_none() => Kind::ProgramOfJudge,
            Files::Fresh { .. } => Kind::Program,
        };
        ((!is_plain).then(|| files.clone()), kind)
    }

    /// A zygote for this.
    fn take_zygote(&mut self, purpose: &Purpose) -> Result<Zygote, SandboxError> {
        if let Some(index) = self.zygotes.iter().rposition(|(kept, _)| kept == purpose) {
            return Ok(self.zygotes.remove(index).1);
        }
        if self.zygotes.len() >= KEPT_ZYGOTES {
            self.zygotes.remove(0);
        }
        self.make_zygote(purpose)
    }

    fn make_zygote(&self, (files, kind): &Purpose) -> Result<Zygote, SandboxError> {
        let setup = Setup {
            walls: self.walls,
            kind: *kind,
            base: self.scratch.walls().into_os_string().into_vec(),
            tree: files.as_ref().map_or_else(|| Ok(Vec::new()), |files| root::tree(files, &self.hidden))?,
            has_user_space: self.has_user_space,
            has_groups: self.groups.is_some(),
        };
        self.mother.zygote(&setup, self.users.map())
    }

    /// The Landlock rules for a run without walls; behind walls the zygote has its own.
    fn ruleset_for(&mut self, files: &Files, work: &Path) -> Result<Option<RawFd>, SandboxError> {
        let Some(version) = self.landlock.filter(|_| self.walls == Walls::Plain) else { return Ok(None) };
        let ruleset = match self.ruleset.take() {
            Some((kept, folder, ruleset)) if kept == *files && folder == work => ruleset,
            _ => {
                let rules = root::rules(files, work, &self.hidden)?;
                landlock::ruleset(version, rules.iter().map(|(path, beneath)| (path.as_path(), *beneath)))
                    .map_err(SandboxError::system("make a Landlock ruleset"))?
            }
        };
        let number = ruleset.as_raw_fd();
        self.ruleset = Some((files.clone(), work.to_owned(), ruleset));
        Ok(Some(number))
    }
}

/// Where and as whom a run happens.
struct Place<'a> {
    user: Option<u32>,
    folder: &'a Path,
    ruleset: Option<RawFd>,
    groups: Option<&'a Groups>,
}

fn run_on(
    zygote: &Zygote,
    spec: &Spec,
    place: &Place<'_>,
    buffer: &mut [u8],
) -> Result<Outcome, SandboxError> {
    let Place { user, folder, ruleset, groups } = *place;
    let (stdin, stdout, stdout_end) = streams(spec, user)?;
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
    descriptors.extend(ruleset);
    let is_strict = zygote.walls() == Walls::Strict;
    let is_on_disk = zygote.walls() == Walls::Plain || matches!(spec.files, Files::Folder { .. });
    let mut meter =
        Meter::begin(groups, zygote.pid(), is_strict, &spec.limits, is_on_disk.then_some(folder))?;
    let request = Request { has_ruleset: ruleset.is_some(), ..request(spec, user, folder, zygote.walls()) };
    zygote.request(&request, &descriptors)?;
    // Only the program may hold the other ends, or the pipes would never end.
    drop((stdin, stdout_end, stderr_end, call_ends));
    let stop = if let Stdin::Talk(talk) = &spec.stdin { Some(talk.stop()) } else { None };
    let pipes = Pipes { stdout, stderr, exchange, stop };
    let watched = supervise::watch(zygote, &spec.limits, &mut meter, pipes, buffer, began_ns)?;
    match watched.reply {
        Reply::Ended(ending) => Ok(outcome(spec, &meter, watched, ending, began_ns)),
        Reply::Refused(refusal) if refusal.step == Step::Execute as u8 => Err(SandboxError::Execute {
            program: spec.program.clone(),
            cause: std::io::Error::from_raw_os_error(refusal.errno),
        }),
        Reply::Refused(refusal) => Err(link::refused(refusal)),
    }
}

fn request(spec: &Spec, user: Option<u32>, folder: &Path, walls: Walls) -> Request {
    let bytes = |text: &OsStr| text.as_bytes().to_vec();
    let calls = spec.calls.as_ref().map_or(1, Vec::len);
    // Counted are a user's processes in one user space: a user or a space of the run's own has no others but ours.
    let processes = if user.is_some() || walls != Walls::Plain {
        Some(spec.limits.processes + SANDBOX_PROCESSES)
    } else {
        most_threads_of_own(spec.limits.processes)
    };
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
        has_ruleset: false,
        work_bytes: spec.limits.memory_bytes,
    }
}

fn outcome(spec: &Spec, meter: &Meter<'_>, watched: Watched, ending: Ending, began_ns: u64) -> Outcome {
    let status = ExitStatus::from_raw(ending.status);
    let ended = match (status.code(), status.signal()) {
        (Some(code), _) => Ended::Exit(code),
        (None, signal) => Ended::Signal(signal.unwrap_or(libc::SIGKILL)),
    };
    let used = meter.used();
    let cpu_ns = ending.cpu_ns.max(used.cpu_ns);
    // What is no more than the peak that it began with says nothing of the program.
    let is_its_own = ending.maxrss_bytes > ending.floor_bytes + FLOOR_SLACK_BYTES;
    let maxrss_bytes = if is_its_own { ending.maxrss_bytes } else { 0 };
    let mut memory_bytes = maxrss_bytes.max(used.memory_bytes);
    let late_hit = || match ended {
        _ if used.want == Want::OfRun || memory_bytes > spec.limits.memory_bytes => Some(LimitHit::Memory),
        Ended::Signal(libc::SIGXFSZ) => Some(LimitHit::File),
        // Who sends it to itself, with time to spare, has ended by a signal.
        _ if (spec.calls.is_none() || ended == Ended::Signal(libc::SIGXCPU))
            && cpu_ns > spec.limits.cpu_ms * MS =>
        {
            Some(LimitHit::Cpu)
        }
        _ => None,
    };
    let late_hit = late_hit();
    if memory_bytes == 0 {
        // Nothing closer is known.
        memory_bytes = ending.maxrss_bytes.min(spec.limits.memory_bytes);
    }
    Outcome {
        ended,
        limit_hit: watched.limit_hit.or(late_hit),
        cpu_ms: cpu_ns as f64 / MS as f64,
        wall_ms: ending.ended_ns.saturating_sub(began_ns) as f64 / MS as f64,
        memory_bytes,
        stdout: watched.stdout,
        stderr: watched.stderr,
        calls: watched.calls,
    }
}

/// The program's standard input, the judge's end of its standard output if it has one, and the program's.
fn streams(spec: &Spec, user: Option<u32>) -> Result<(OwnedFd, Option<File>, OwnedFd), SandboxError> {
    let Stdin::Talk(talk) = &spec.stdin else {
        let (stdout, stdout_end) = pipe(user)?;
        return Ok((stdin::open(&spec.stdin)?, Some(stdout), stdout_end));
    };
    let ends = talk.take().ok_or(SandboxError::Lost { what: "a talk was to begin anew" })?;
    for end in [&ends.stdin, &ends.stdout] {
        give(end, user)?;
    }
    Ok((ends.stdin, None, ends.stdout))
}

/// A pipe that the program writes: the judge's end, then the program's, which it may also open anew by name.
fn pipe(user: Option<u32>) -> Result<(File, OwnedFd), SandboxError> {
    let (reader, writer) = raw_pipe()?;
    give(&writer, user)?;
    Ok((link::nonblocking(reader)?, writer))
}

fn give(end: &OwnedFd, user: Option<u32>) -> Result<(), SandboxError> {
    let Some(user) = user else { return Ok(()) };
    nix::unistd::fchown(end.as_fd(), Some(user.into()), None)
        .map_err(SandboxError::system("give a pipe to the program's user"))
}

fn raw_pipe() -> Result<(OwnedFd, OwnedFd), SandboxError> {
    nix::unistd::pipe2(OFlag::O_CLOEXEC).map_err(SandboxError::system("make a pipe"))
}
