//! One run from the judge's side, in the calling thread: drains what the program writes, carries requests and replies,
//! and stops it when a limit is passed. Never starts anything, and never waits for the end of a pipe alone: a
//! grandchild may hold it open for ever.

use std::fs::File;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::OnceLock;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeSpec;
use nix::unistd::Pid;

use super::SandboxError;
use super::calls::Exchange;
use super::capture::{Bounded, Edges, Flow};
use super::cgroup::Want;
use super::clock::{MS, now_ns};
use super::link::Zygote;
use super::linux::signals;
use super::meter::Meter;
use super::outcome::{Call, LimitHit};
use super::spec::RunLimits;
use super::tree;
use super::wire::Reply;

/// Never less between two looks at the processes.
const SHORTEST_LOOK_NS: u64 = MS;
/// Where something is bounded by nothing but looking, the first look comes after this long.
const FIRST_LOOK_NS: u64 = 4 * MS;
/// Where nobody counts what sockets and their like keep in memory: 200 KiB for each descriptor.
const MOST_DESCRIPTORS: u64 = 512;
/// After an alarm, the longest time between two looks: the kernel tells first and kills then, and others may have to wait
/// for a core until it does.
const LONGEST_ALARM_NS: u64 = 128 * MS;
/// A program that is done before this, as most are on small tests, is not watched while it writes: its pipe holds it,
/// and each time the judge wakes up costs both of them.
const QUIET_NS: u64 = MS;
/// How many times its limit a program may be kept waiting for a core, so that even a machine that is lost in work ends
/// every run.
const MOST_WAITED: u64 = 20;
/// The kernel counts a wait once it is over: a program that seems to be late may be in one that it knows nothing of.
const GRACE_NS: u64 = 100 * MS;
/// The sandbox's own part of what is counted is only guessed until a run ends, so this much more is waited for: who is
/// stopped was over the limit.
const OWN_NS: u64 = MS;
/// All calls of a run together get so many times what one gets.
const MANY_CALLS: u64 = 10;
/// How long between two rounds of killing.
const KILL_ROUND_NS: u64 = 2 * MS;
/// How long the zygote may take to report after the first round.
const KILL_PATIENCE_NS: u64 = 5_000 * MS;

/// The judge's ends of a run's pipes.
pub(crate) struct Pipes<'a> {
    /// `None` when the output goes to a partner.
    pub(crate) stdout: Option<File>,
    pub(crate) stderr: File,
    pub(crate) exchange: Option<Exchange<'a>>,
    /// At its end when the partner wants the program to be stopped.
    pub(crate) stop: Option<BorrowedFd<'a>>,
}

/// What supervising a run came to.
pub(crate) struct Watched {
    pub(crate) reply: Reply,
    pub(crate) limit_hit: Option<LimitHit>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) calls: Vec<Call>,
}

struct Supervisor<'a, 'g> {
    zygote: &'a Zygote,
    limits: &'a RunLimits,
    meter: &'a mut Meter<'g>,
    /// For reading pipes: as good for the next run, and too large to be cleared for each.
    buffer: &'a mut [u8],
    stdout_pipe: Option<File>,
    stderr_pipe: Option<File>,
    exchange: Option<Exchange<'a>>,
    stop: Option<BorrowedFd<'a>>,
    stdout: Bounded,
    stderr: Edges,
    began_ns: u64,
    processors: u64,
    next_look_ns: u64,
    look_interval_ns: u64,
    /// How long until the next look that an alarm asks for.
    alarm_interval_ns: Option<u64>,
    /// How long the program is known to have been ready to run without getting a core, and the judge that it talks with.
    waited_ns: u64,
    /// How long this thread had waited for cores when the run began, where calls are made: between them the program waits
    /// for the judge.
    own_waited_before_ns: Option<u64>,
    grace_ns: u64,
    limit_hit: Option<LimitHit>,
    interrupted: bool,
    killed_ns: Option<u64>,
    reply: Option<Reply>,
}

/// Processors that a program may keep busy at once.
fn processors() -> u64 {
    static COUNT: OnceLock<u64> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, |count| count.get() as u64))
}

/// Which descriptor of a round of polling woke us.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Zygote,
    Stdout,
    Stderr,
    Requests,
    Replies,
    Alarm,
    Interrupt,
    Stop,
}

/// Follows the run that was just requested to its end.
pub(crate) fn watch(
    zygote: &Zygote,
    limits: &RunLimits,
    meter: &mut Meter<'_>,
    pipes: Pipes<'_>,
    buffer: &mut [u8],
    began_ns: u64,
) -> Result<Watched, SandboxError> {
    let own_waited_before_ns = pipes.exchange.is_some().then(tree::own_waited_ns);
    let mut supervisor = Supervisor {
        zygote,
        limits,
        meter,
        buffer,
        stdout_pipe: pipes.stdout,
        stderr_pipe: Some(pipes.stderr),
        exchange: pipes.exchange,
        stop: pipes.stop,
        stdout: Bounded::new(limits.stdout_bytes),
        stderr: Edges::new(limits.stderr_kept_bytes),
        began_ns,
        processors: processors(),
        next_look_ns: began_ns,
        look_interval_ns: FIRST_LOOK_NS,
        alarm_interval_ns: None,
        waited_ns: 0,
        own_waited_before_ns,
        grace_ns: 0,
        limit_hit: None,
        interrupted: false,
        killed_ns: None,
        reply: None,
    };
    supervisor.plan_look(began_ns, 0);
    while supervisor.reply.is_none() {
        supervisor.round()?;
    }
    supervisor.finish()
}

impl Supervisor<'_, '_> {
    /// Waits for something to happen and deals with it.
    fn round(&mut self) -> Result<(), SandboxError> {
        let now = now_ns();
        self.enforce(now)?;
        let quiet_until_ns = if self.exchange.is_none() { self.began_ns + QUIET_NS } else { 0 };
        let is_quiet = now < quiet_until_ns && self.killed_ns.is_none();
        let mut event_ns = self.next_event_ns();
        if is_quiet {
            event_ns = event_ns.min(quiet_until_ns);
        }
        for source in self.wait(Duration::from_nanos(event_ns.saturating_sub(now)), is_quiet)? {
            self.attend(source)?;
        }
        Ok(())
    }

    /// Which sources are ready, within `timeout`. What the program writes is passed over when `is_quiet`.
    fn wait(&self, timeout: Duration, is_quiet: bool) -> Result<Vec<Source>, SandboxError> {
        let mut watched: Vec<(Source, BorrowedFd<'_>, PollFlags)> = Vec::with_capacity(7);
        // The zygote comes last: what a program wrote is taken in before its end is.
        if let Some(pipe) = self.stdout_pipe.as_ref().filter(|_| !is_quiet) {
            watched.push((Source::Stdout, pipe.as_fd(), PollFlags::POLLIN));
        }
        if let Some(pipe) = self.stderr_pipe.as_ref().filter(|_| !is_quiet) {
            watched.push((Source::Stderr, pipe.as_fd(), PollFlags::POLLIN));
        }
        if let Some(exchange) = &self.exchange {
            if let Some(pipe) = exchange.writer().filter(|_| exchange.is_writing()) {
                watched.push((Source::Requests, pipe.as_fd(), PollFlags::POLLOUT));
            }
            if let Some(pipe) = exchange.reader() {
                watched.push((Source::Replies, pipe.as_fd(), PollFlags::POLLIN));
            }
        }
        if let Some((alarm, event)) = self.meter.alarm().filter(|_| self.killed_ns.is_none()) {
            watched.push((Source::Alarm, alarm, event));
        }
        if let Some(event) = signals::event().filter(|_| !self.interrupted) {
            watched.push((Source::Interrupt, event, PollFlags::POLLIN));
        }
        if let Some(stop) = self.stop.filter(|_| self.killed_ns.is_none()) {
            watched.push((Source::Stop, stop, PollFlags::POLLIN));
        }
        watched.push((Source::Zygote, self.zygote.socket(), PollFlags::POLLIN));
        let mut polled: Vec<_> = watched.iter().map(|(_, fd, events)| PollFd::new(*fd, *events)).collect();
        match ppoll(&mut polled, Some(TimeSpec::from(timeout)), None) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(SandboxError::system("wait for the program")(errno)),
        }
        let is_ready = |fd: &PollFd<'_>| fd.revents().is_some_and(|events| !events.is_empty());
        Ok(watched.iter().zip(&polled).filter(|(_, fd)| is_ready(fd)).map(|(watch, _)| watch.0).collect())
    }

    fn attend(&mut self, source: Source) -> Result<(), SandboxError> {
        match source {
            Source::Zygote => self.reply = self.zygote.reply()?,
            Source::Stdout => self.read_stdout(),
            Source::Stderr => self.read_stderr(),
            Source::Requests => {
                if let Some(exchange) = &mut self.exchange {
                    exchange.write();
                }
            }
            Source::Replies => self.read_replies(),
            Source::Alarm => {
                self.meter.hush();
                self.alarm_interval_ns = Some(SHORTEST_LOOK_NS);
                self.look(now_ns());
            }
            Source::Stop => self.kill(),
            Source::Interrupt => {
                self.interrupted = true;
                self.kill();
            }
        }
        Ok(())
    }

    fn read_stdout(&mut self) {
        let flow =
            self.stdout_pipe.as_ref().map_or(Flow::Closed, |pipe| self.stdout.read_from(pipe, self.buffer));
        if flow == Flow::Full {
            self.stop(LimitHit::Output);
        }
        if flow != Flow::Open {
            self.stdout_pipe = None;
        }
    }

    fn read_stderr(&mut self) {
        if self.stderr_pipe.as_ref().is_none_or(|pipe| self.stderr.read_from(pipe, self.buffer) != Flow::Open)
        {
            self.stderr_pipe = None;
        }
    }

    fn read_replies(&mut self) {
        let Some(exchange) = &mut self.exchange else { return };
        if exchange.read(self.buffer, now_ns(), || self.meter.cpu_ns()) == Flow::Full {
            self.stop(LimitHit::Output);
        }
    }

    /// When the current call began, or the run: on the clock, and in CPU time.
    fn base_ns(&self) -> (u64, u64) {
        self.exchange
            .as_ref()
            .map_or((self.began_ns, 0), |exchange| (exchange.began_ns(), exchange.began_cpu_ns()))
    }

    fn wall_limit_ns(&self) -> u64 {
        self.limits.wall_ms.saturating_mul(MS)
    }

    fn wall_deadline_ns(&self) -> u64 {
        let limit_ns = self.wall_limit_ns();
        let of_call = self.base_ns().0.saturating_add(limit_ns);
        let of_all = self.began_ns.saturating_add(limit_ns.saturating_mul(MANY_CALLS));
        of_call.min(of_all).saturating_add(self.waited_ns + self.grace_ns)
    }

    /// Time in which others had the cores is not the program's: the deadline moves by it. A program cannot make such time
    /// with threads of its own, as those use up its CPU time. Where calls are made, the judge's own wait counts too. Says
    /// whether the deadline is passed still.
    fn is_overdue(&mut self, now: u64) -> bool {
        let limit_ns = self.wall_limit_ns();
        let own_ns =
            self.own_waited_before_ns.map_or(0, |before| tree::own_waited_ns().saturating_sub(before));
        let waited_ns =
            (tree::waited_ns(self.zygote.pid()) + own_ns).min(limit_ns.saturating_mul(MOST_WAITED));
        // Not for every little more of it, which is in the slack of the limit.
        if waited_ns > self.waited_ns + limit_ns / 64 {
            (self.waited_ns, self.grace_ns) = (waited_ns, 0);
        } else {
            self.grace_ns = GRACE_NS;
        }
        now >= self.wall_deadline_ns()
    }

    fn next_event_ns(&self) -> u64 {
        match self.killed_ns {
            Some(_) => now_ns() + KILL_ROUND_NS,
            None => self.wall_deadline_ns().min(self.next_look_ns),
        }
    }

    /// Stops what passed a limit.
    fn enforce(&mut self, now: u64) -> Result<(), SandboxError> {
        if let Some(killed_ns) = self.killed_ns {
            if now > killed_ns + KILL_PATIENCE_NS {
                return Err(SandboxError::Lost { what: "a program was to be killed" });
            }
            self.kill();
            return Ok(());
        }
        let wall_is_over = now >= self.wall_deadline_ns();
        if wall_is_over || now >= self.next_look_ns {
            self.look(now);
        }
        if wall_is_over && self.killed_ns.is_none() && self.is_overdue(now) {
            self.stop(LimitHit::Wall);
        }
        Ok(())
    }

    fn look(&mut self, now: u64) {
        let used = self.meter.look();
        let cpu_limit_ns = self.limits.cpu_ms.saturating_mul(MS);
        let cpu_ns = used.cpu_ns.saturating_sub(self.base_ns().1);
        if used.memory_bytes > self.limits.memory_bytes || used.want == Want::OfRun {
            self.stop(LimitHit::Memory);
        } else if cpu_ns >= cpu_limit_ns + OWN_NS {
            self.stop(LimitHit::Cpu);
        } else if used.fills_disk {
            self.stop(LimitHit::Files);
        } else if used.processes > self.limits.processes || used.descriptors > MOST_DESCRIPTORS {
            // No limit of the problem's: the report shows the signal.
            self.kill();
        } else if used.want == Want::OfMachine {
            // Nothing that comes of this run can be its own fault any more.
            self.kill();
        }
        self.plan_look(now, cpu_ns);
    }

    /// When to look next, after `cpu_ns` of the limit are used.
    fn plan_look(&mut self, now: u64, cpu_ns: u64) {
        // No sooner can the rest of the limit be used up.
        let rest_ns = self.limits.cpu_ms.saturating_mul(MS).saturating_sub(cpu_ns);
        let mut after_ns = (rest_ns / self.processors).max(SHORTEST_LOOK_NS);
        if let Some(longest_ns) = self.meter.longest_look_ns() {
            after_ns = after_ns.min(self.look_interval_ns);
            self.look_interval_ns = (self.look_interval_ns * 3 / 2).min(longest_ns);
        }
        if let Some(interval_ns) = self.alarm_interval_ns {
            after_ns = after_ns.min(interval_ns);
            self.alarm_interval_ns = (interval_ns < LONGEST_ALARM_NS).then_some(2 * interval_ns);
        }
        self.next_look_ns = now.saturating_add(after_ns);
    }

    /// Notes the first limit that was passed, and kills.
    fn stop(&mut self, hit: LimitHit) {
        self.limit_hit.get_or_insert(hit);
        self.kill();
    }

    /// One round of killing, from outside: the zygote may get no processor under a fork bomb.
    fn kill(&mut self) {
        self.killed_ns.get_or_insert_with(now_ns);
        tree::kill_descendants(self.zygote.pid());
        // Without walls, on an older kernel, a program of the judge's own user may have stopped it.
        let _ = kill(Pid::from_raw(self.zygote.pid()), Signal::SIGCONT);
    }

    /// Takes in what is left in the pipes; every writer is dead, so this ends.
    fn finish(mut self) -> Result<Watched, SandboxError> {
        if self.interrupted {
            return Err(SandboxError::Interrupted);
        }
        self.read_stdout();
        self.read_stderr();
        self.read_replies();
        let reply = self.reply.ok_or(SandboxError::Lost { what: "a program ran" })?;
        if let Reply::Ended(ending) = reply {
            let used = self.meter.finish(ending.own_cpu_ns);
            // A run that came to a limit before has its verdict.
            if used.want == Want::OfMachine && self.limit_hit.is_none() {
                return Err(SandboxError::OutOfMemory);
            }
            if used.fills_disk {
                self.limit_hit.get_or_insert(LimitHit::Files);
            }
        }
        let (ended_ns, cpu_ns) = match reply {
            Reply::Ended(ending) => (ending.ended_ns, ending.cpu_ns.max(self.meter.used().cpu_ns)),
            Reply::Refused(_) => (now_ns(), 0),
        };
        Ok(Watched {
            reply,
            limit_hit: self.limit_hit,
            stdout: self.stdout.into_bytes(),
            stderr: self.stderr.into_bytes(),
            calls: self.exchange.map_or_else(Vec::new, |exchange| exchange.into_calls(ended_ns, cpu_ns)),
        })
    }
}
