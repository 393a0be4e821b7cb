//! A zygote: builds its walls, then starts programs within them one after another, waits for each and leaves nothing of
//! it behind. It serves one request at a time, and ends when its socket does, killing whatever runs.
#![expect(
    unsafe_code,
    reason = "ends the process without the runtime's farewell, and ties its life to the mother's"
)]

use std::ffi::OsStr;
use std::fs;
use std::io::{Read as _, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use nix::errno::Errno;
use nix::mount::{MntFlags, umount2};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::socket::MsgFlags;
use nix::time::ClockId;
use nix::unistd::Pid;

use super::child::{self, Plan, Stack};
use super::fresh::Fresh;
use super::init::{self, Stacks};
use super::landlock::{self, Beneath};
use super::mounts::{self, BOX, PROC};
use super::step::Step;
use super::wait::{Watch, clock_ns};
use super::{seccomp, socket};
use crate::sandbox::tree;
use crate::sandbox::wire::{
    Access, Ending, Entry, PACKET_BYTES, READY, Refusal, Reply, Request, Setup, Walls,
};

/// What the zygote holds for its whole life.
struct Zygote<'a> {
    socket: &'a OwnedFd,
    signals: SignalFd,
    walls: Walls,
    fresh: Option<Fresh>,
    /// Behind walls the ruleset is the zygote's own; without, each request brings one.
    ruleset: Option<OwnedFd>,
    stack: Stack,
    stacks: Stacks,
    own_pid: libc::pid_t,
    score: Option<Score>,
    /// Of a pool: the number that the last process got, for the next to count from.
    last_number: Option<fs::File>,
}

/// How ready the zygote is to die of want of memory: a child begins with what its parent has, and finding its own costs
/// it more than all its limits.
struct Score {
    file: fs::File,
    usual: Vec<u8>,
}

impl Score {
    /// `None` where it can't be changed, or not back.
    fn open() -> Option<Self> {
        let path = Path::new(OsStr::from_bytes(child::SCORE.to_bytes()));
        let mut file = fs::File::options().read(true).write(true).open(path).ok()?;
        let mut usual = Vec::new();
        file.read_to_end(&mut usual).ok()?;
        let score = Self { file, usual };
        (score.raise() && score.lower()).then_some(score)
    }

    fn raise(&self) -> bool {
        self.file.write_at(child::FIRST_TO_DIE, 0).is_ok()
    }

    fn lower(&self) -> bool {
        self.file.write_at(&self.usual, 0).is_ok()
    }
}

type Failure = (Step, Errno);

/// The zygote's whole life; never comes back.
pub(crate) fn live(setup: &Setup, socket: &OwnedFd) -> ! {
    // SAFETY: numbers only. The socket's end is the second tie.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) };
    let mut go = [0];
    if matches!(socket::receive(socket.as_fd(), &mut go, MsgFlags::empty()), Ok(Some(_))) {
        match set_up(setup, socket) {
            Ok(mut zygote) => {
                if socket::send(socket.as_fd(), READY, &[]).is_ok() {
                    zygote.serve();
                }
                zygote.sweep(&mut Ending::default());
            }
            Err((step, errno)) => {
                let refusal = Refusal { step: step as u8, errno: errno as i32 };
                let _ = socket::send(socket.as_fd(), &Reply::Refused(refusal).encode(), &[]);
            }
        }
    }
    // SAFETY: ends this process; what the mother's memory holds is not ours to drop.
    unsafe { libc::_exit(0) }
}

fn set_up<'a>(setup: &Setup, socket: &'a OwnedFd) -> Result<Zygote<'a>, Failure> {
    // Behind the walls it cannot be opened any more.
    let peak = fs::File::options().write(true).open("/proc/self/clear_refs");
    // What starts the program behind strict walls is not this process.
    let score = if setup.walls == Walls::Strict { None } else { Score::open() };
    let mut children = SigSet::empty();
    children.add(Signal::SIGCHLD);
    let signals = SignalFd::with_flags(&children, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)
        .map_err(|errno| (Step::Handshake, errno))?;
    nix::sys::prctl::set_child_subreaper(true).map_err(|errno| (Step::Handshake, errno))?;
    let mut zygote = Zygote {
        socket,
        signals,
        walls: setup.walls,
        fresh: None,
        ruleset: None,
        stack: Stack::new(),
        stacks: Stacks::new(),
        own_pid: nix::unistd::getpid().as_raw(),
        score,
        last_number: None,
    };
    if setup.walls != Walls::Plain {
        zygote.build(setup)?;
    }
    child::drop_bounding_set();
    seccomp::install(setup.walls, setup.kind, setup.has_groups).map_err(|errno| (Step::Seccomp, errno))?;
    grow_thin(peak.ok());
    Ok(zygote)
}

/// This process's own peak of resident memory.
fn peak_bytes() -> u64 {
    use nix::sys::resource::{UsageWho, getrusage};
    getrusage(UsageWho::RUSAGE_SELF).map_or(0, |usage| usage.max_rss().cast_unsigned() << 10)
}

/// Lets go of the pages of code that only making the walls took, and of the memory of them. For the kernel a program's
/// peak begins with that of the memory it was started from, which is this process's.
fn grow_thin(peak: Option<fs::File>) {
    let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    for line in maps.lines() {
        let mut fields = line.split_ascii_whitespace();
        let (Some(range), Some("r-xp"), Some(name)) = (fields.next(), fields.next(), fields.nth(3)) else {
            continue;
        };
        let bound = |text: &str| usize::from_str_radix(text, 16).ok();
        let Some((Some(begin), Some(end))) = range.split_once('-').map(|(from, to)| (bound(from), bound(to)))
        else {
            continue;
        };
        if name.starts_with('/') {
            let begin = std::ptr::without_provenance_mut(begin);
            // SAFETY: code that was never written to comes back from its file when it is next needed.
            unsafe { libc::madvise(begin, end - begin.addr(), libc::MADV_DONTNEED) };
        }
    }
    if let Some(mut peak) = peak {
        // The peak of resident memory starts anew.
        let _ = peak.write_all(b"5");
    }
}

impl Zygote<'_> {
    /// Builds the walls; the machine's own files are out of sight afterwards.
    fn build(&mut self, setup: &Setup) -> Result<(), Failure> {
        if setup.has_user_space {
            // Nothing in here may ask for a user space, in which it would have every capability.
            fs::write("/proc/sys/user/max_user_namespaces", "0").map_err(|_| (Step::Spaces, Errno::EPERM))?;
        }
        let name = c"judge";
        // SAFETY: a live string and its length. A name that stays is no harm.
        unsafe { libc::sethostname(name.as_ptr(), name.count_bytes()) };
        let late = mounts::enter(setup)?;
        let mut fresh = Fresh::new(&late, true);
        fresh.of_size(0);
        self.ruleset = ruleset(setup);
        let mut made = self.try_out(&fresh);
        if matches!(made, Err((Step::Proc, _))) {
            // Where something hides parts of /proc, as in containers, no new one may be mounted: then there is none.
            umount2(PROC, MntFlags::MNT_DETACH).map_err(|errno| (Step::Proc, errno))?;
            fresh.has_proc = false;
            made = self.try_out(&fresh);
        }
        made?;
        // A pool has one for all its runs.
        fresh.has_proc &= self.walls == Walls::Strict;
        self.fresh = Some(fresh);
        if self.walls == Walls::Pooled {
            self.last_number = fs::File::options().write(true).open("/proc/sys/kernel/ns_last_pid").ok();
        }
        Ok(())
    }

    /// Makes the mounts of a run without a program.
    fn try_out(&mut self, fresh: &Fresh) -> Result<(), Failure> {
        let at_step = |(step, errno)| (step, Errno::from_raw(errno));
        if self.walls == Walls::Pooled {
            fresh.remove();
            // SAFETY: this process is alone in its mount space.
            return unsafe { fresh.make() }.map_err(at_step);
        }
        match init::run(self.socket.as_fd(), &self.signals, fresh, None, &mut self.stacks) {
            Reply::Ended(_) => Ok(()),
            Reply::Refused(refusal) => {
                Err(at_step((Step::from_number(refusal.step).unwrap_or(Step::Spaces), refusal.errno)))
            }
        }
    }

    /// Serves requests until the judge closes its end or says something senseless.
    fn serve(&mut self) {
        let mut buffer = vec![0; PACKET_BYTES];
        loop {
            let (len, descriptors) =
                match socket::receive(self.socket.as_fd(), &mut buffer, MsgFlags::empty()) {
                    Ok(Some(packet)) => packet,
                    Err(Errno::EINTR) => continue,
                    Ok(None) | Err(_) => return,
                };
            let Some(reply) = self.answer(&buffer[..len], descriptors) else { return };
            if socket::send(self.socket.as_fd(), &reply.encode(), &[]).is_err() {
                return;
            }
        }
    }

    /// Runs one request to its end; `None` when the judge went away meanwhile.
    fn answer(&mut self, bytes: &[u8], mut descriptors: Vec<OwnedFd>) -> Option<Reply> {
        let refused = |step: Step, errno: Errno| {
            Some(Reply::Refused(Refusal { step: step as u8, errno: errno as i32 }))
        };
        let began_ns = clock_ns(ClockId::CLOCK_PROCESS_CPUTIME_ID);
        let Some(request) = Request::decode(bytes) else { return refused(Step::Message, Errno::EBADMSG) };
        let theirs = if request.has_ruleset { descriptors.pop() } else { None };
        if descriptors.len() != if request.has_calls { 5 } else { 3 } {
            return refused(Step::Message, Errno::EBADF);
        }
        if let Some(fresh) = &mut self.fresh {
            fresh.of_size(request.work_bytes);
        }
        let ruleset = theirs.as_ref().or(self.ruleset.as_ref()).map(|ruleset| ruleset.as_raw_fd());
        let Some(mut plan) = Plan::new(request, descriptors, ruleset) else {
            return refused(Step::Message, Errno::EINVAL);
        };
        let mut reply = match self.walls {
            Walls::Strict => {
                let fresh = self.fresh.as_ref()?;
                plan.parent = 1;
                plan.needs_session = false;
                init::run(self.socket.as_fd(), &self.signals, fresh, Some(&plan), &mut self.stacks)
            }
            Walls::Plain | Walls::Pooled => {
                plan.parent = self.own_pid;
                plan.needs_session = self.walls == Walls::Plain;
                self.run_here(&mut plan)?
            }
        };
        socket::collect_garbage();
        if let Reply::Ended(ending) = &mut reply {
            ending.floor_bytes = peak_bytes();
            ending.own_cpu_ns += clock_ns(ClockId::CLOCK_PROCESS_CPUTIME_ID).saturating_sub(began_ns);
        }
        Some(reply)
    }

    /// Runs a program as a child of the zygote's own.
    fn run_here(&mut self, plan: &mut Plan) -> Option<Reply> {
        let refused = |step: Step, errno: i32| Some(Reply::Refused(Refusal { step: step as u8, errno }));
        if let Some(Err((step, errno))) = self.fresh.as_mut().map(Fresh::renew) {
            return refused(step, errno);
        }
        if let Some(last_number) = &self.last_number {
            // The program is process 2, as in a space of its own, or it would see how many the runs before it made.
            let _ = last_number.write_at(b"1", 0);
        }
        plan.has_score = self.score.as_ref().is_some_and(Score::raise);
        let started = child::start(plan, &mut self.stack);
        self.score.as_ref().map(Score::lower);
        let main = match started {
            Ok(main) => main,
            Err(errno) => return refused(Step::Clone, errno as i32),
        };
        if self.walls == Walls::Plain {
            // Programs of the judge's own user must not look into this memory; the child opened it a crack.
            let _ = nix::sys::prctl::set_dumpable(false);
        }
        plan.close_descriptors();
        let mut ending = Ending::default();
        let watch = Watch { judge: self.socket.as_fd(), signals: &self.signals };
        let stayed = watch.until_gone(main, &mut ending);
        self.sweep(&mut ending);
        if let Some(fresh) = &mut self.fresh {
            fresh.settle();
        }
        stayed?;
        Some(plan.failed().map_or(Reply::Ended(ending), Reply::Refused))
    }

    /// Kills and reaps whatever is left of a run.
    fn sweep(&self, ending: &mut Ending) {
        let watch = Watch { judge: self.socket.as_fd(), signals: &self.signals };
        watch.sweep(ending, || match self.walls {
            Walls::Plain => tree::kill_descendants(self.own_pid),
            // As the first process of its space it reaches everybody in it, and nobody else.
            Walls::Pooled => drop(kill(Pid::from_raw(-1), Signal::SIGKILL)),
            Walls::Strict => {}
        });
    }
}

/// The second wall: of all that the root shows, only the box and the devices may be written to.
fn ruleset(setup: &Setup) -> Option<OwnedFd> {
    let version = landlock::Version::of_kernel()?;
    let shown = setup.tree.iter().filter_map(|entry| match entry {
        Entry::Bind { path, access: Access::Read } => Some((path, Beneath::Read)),
        Entry::Bind { path, .. } => Some((path, Beneath::Write)),
        Entry::File { path, .. } | Entry::Copy { path } => Some((path, Beneath::Read)),
        Entry::Link { .. } | Entry::Cover { .. } => None,
    });
    let path_of = |bytes: &Vec<u8>| Path::new(OsStr::from_bytes(bytes)).to_owned();
    let shown: Vec<_> = shown.map(|(path, beneath)| (path_of(path), beneath)).collect();
    // The box is a new file system in each run: a rule has to name the folder that it is mounted in.
    let (around, around_proc) = (Path::new(BOX).parent()?, Path::new(PROC).parent()?);
    let rules = shown.iter().map(|(path, beneath)| (path.as_path(), *beneath));
    let own = [(around, Beneath::Write), (around_proc, Beneath::Read)];
    landlock::ruleset(version, rules.chain(own)).ok()
}
