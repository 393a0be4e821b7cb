//! How much a run has used so far: by its control groups, or by looking at its processes. Never stops anything.

use std::collections::HashMap;
use std::os::fd::BorrowedFd;
use std::path::Path;

use nix::poll::PollFlags;

use super::SandboxError;
use super::cgroup::{Before, Groups, Want};
use super::clock::MS;
use super::disk::Disk;
use super::spec::RunLimits;
use super::tree;

/// With more processes than this the closer look is kept for when the limit seems passed.
const CLOSE_LOOK_PROCESSES: usize = 16;

/// The kernel counts resident memory in steps, for each processor: a peak that is no more than this above another may be
/// the same.
pub(crate) const FLOOR_SLACK_BYTES: u64 = 1 << 20;

/// A program takes some memory within this, but not much of a machine's.
const LONGEST_LOOK_NS: u64 = 8 * MS;
/// A disk is slower, and larger.
const LONGEST_LOOK_AT_DISK_NS: u64 = 32 * MS;
/// Descriptors of a process that need no explanation.
const FREE_DESCRIPTORS: u64 = 16;

/// Readings of a run; all but the last only ever grow.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Used {
    /// CPU time of all processes that could be seen.
    pub(crate) cpu_ns: u64,
    /// Peak memory.
    pub(crate) memory_bytes: u64,
    /// For want of whose memory the kernel killed a process.
    pub(crate) want: Want,
    /// Processes at the last look; 0 where the kernel bounds them.
    pub(crate) processes: u64,
    /// Descriptors beyond the few of each process, at the last look; 0 where the kernel counts what is behind them.
    pub(crate) descriptors: u64,
    /// Whether it has more on the judge's disk than a run may have.
    pub(crate) fills_disk: bool,
}

/// Counts one run.
#[derive(Debug)]
pub(crate) struct Meter<'a> {
    count: Count<'a>,
    /// Where nothing else bounds it.
    disk: Option<Disk>,
}

#[derive(Debug)]
enum Count<'a> {
    /// The kernel counts.
    Groups { groups: &'a Groups, before: Before, own: Own, used: Used },
    /// Every process below the zygote is looked at.
    Tree(Tree),
}

/// The sandbox's own share of a run: its processes are in the groups with the program's.
#[derive(Debug)]
pub(crate) struct Own {
    zygote: i32,
    skips_first: bool,
    /// CPU time of the zygote when the run began.
    before_ns: u64,
    /// The first process of the run's spaces, once it was seen.
    first: Option<i32>,
}

impl Own {
    fn so_far_ns(&mut self) -> u64 {
        if self.skips_first && self.first.is_none() {
            self.first = tree::children(self.zygote).first().copied();
        }
        let of_first = self.first.and_then(tree::cpu_ns).unwrap_or(0);
        tree::cpu_ns(self.zygote).unwrap_or(0).saturating_sub(self.before_ns) + of_first
    }
}

/// The processes of a run.
#[derive(Debug)]
pub(crate) struct Tree {
    zygote: i32,
    /// What the zygote's own waiting had added up to at the first look: what it reaped before that is in its reply.
    reaped_before_ns: Option<u64>,
    memory_limit_bytes: u64,
    /// Whether the zygote's own children are first processes of spaces, not programs.
    skips_first: bool,
    /// CPU time of each process when it was last seen: one whose parent never waits for it is counted too.
    seen: HashMap<i32, u64>,
    main: Option<i32>,
    used: Used,
}

impl<'a> Meter<'a> {
    /// Starts to count, and sets the bounds that groups can hold; `zygote` has no child yet. `folder` is the run's, when it
    /// lies on the disk.
    pub(crate) fn begin(
        groups: Option<&'a Groups>,
        zygote: i32,
        skips_first: bool,
        limits: &RunLimits,
        folder: Option<&Path>,
    ) -> Result<Self, SandboxError> {
        Ok(Self {
            count: Count::begin(groups, zygote, skips_first, limits)?,
            disk: folder.map(|folder| Disk::begin(folder, zygote, limits)),
        })
    }

    /// Where something is bounded by nothing but looking, the longest time between two looks.
    pub(crate) fn longest_look_ns(&self) -> Option<u64> {
        match self.count {
            Count::Tree(_) => Some(LONGEST_LOOK_NS),
            Count::Groups { .. } => self.disk.as_ref().map(|_| LONGEST_LOOK_AT_DISK_NS),
        }
    }

    /// What becomes ready when it is time for a look because memory has run out.
    pub(crate) fn alarm(&self) -> Option<(BorrowedFd<'_>, PollFlags)> {
        match &self.count {
            Count::Groups { groups, .. } => groups.alarm(),
            Count::Tree(_) => None,
        }
    }

    /// Makes ready for the next alarm.
    pub(crate) fn hush(&self) {
        if let Count::Groups { groups, .. } = &self.count {
            groups.hush();
        }
    }

    /// Reads everything.
    pub(crate) fn look(&mut self) -> Used {
        let fills_disk = self.disk.as_mut().is_some_and(Disk::is_full);
        Used { fills_disk, ..self.count.look() }
    }

    /// CPU time alone, for a call.
    pub(crate) fn cpu_ns(&mut self) -> u64 {
        self.count.cpu_ns()
    }

    /// The last reading of a run whose processes are gone, now that it is known what the sandbox itself took for it.
    pub(crate) fn finish(&mut self, took_ns: u64) -> Used {
        let fills_disk = self.disk.as_ref().is_some_and(Disk::was_full);
        Used { fills_disk, ..self.count.finish(took_ns) }
    }

    /// The last reading.
    pub(crate) fn used(&self) -> Used {
        self.count.used()
    }
}

impl<'a> Count<'a> {
    fn begin(
        groups: Option<&'a Groups>,
        zygote: i32,
        skips_first: bool,
        limits: &RunLimits,
    ) -> Result<Self, SandboxError> {
        Ok(match groups {
            Some(groups) => {
                let processes = limits.processes + u64::from(skips_first);
                let before = groups.begin(limits.memory_bytes, processes)?;
                let own =
                    Own { zygote, skips_first, before_ns: tree::cpu_ns(zygote).unwrap_or(0), first: None };
                Self::Groups { groups, before, own, used: Used::default() }
            }
            None => Self::Tree(Tree {
                zygote,
                reaped_before_ns: None,
                memory_limit_bytes: limits.memory_bytes,
                skips_first,
                seen: HashMap::new(),
                main: None,
                used: Used::default(),
            }),
        })
    }

    fn look(&mut self) -> Used {
        match self {
            Self::Groups { groups, before, own, used } => {
                // Its own share is read first: what it does in between may count as the program's, never the reverse.
                let own_ns = own.so_far_ns();
                used.cpu_ns = groups.cpu_ns(before).saturating_sub(own_ns).max(used.cpu_ns);
                let (memory_bytes, want) = groups.memory(before);
                used.memory_bytes = memory_bytes.max(used.memory_bytes);
                used.want = want;
                *used
            }
            Self::Tree(tree) => tree.look(),
        }
    }

    fn cpu_ns(&mut self) -> u64 {
        match self {
            Self::Groups { groups, before, own, used } => {
                // Its own share is read first: what it does in between may count as the program's, never the reverse.
                let own_ns = own.so_far_ns();
                used.cpu_ns = groups.cpu_ns(before).saturating_sub(own_ns).max(used.cpu_ns);
                used.cpu_ns
            }
            Self::Tree(tree) => tree.cpu_ns(),
        }
    }

    fn finish(&mut self, took_ns: u64) -> Used {
        match self {
            Self::Groups { groups, before, used, .. } => {
                used.cpu_ns = groups.cpu_ns(before).saturating_sub(took_ns);
                let (memory_bytes, want) = groups.memory(before);
                used.memory_bytes = memory_bytes.max(used.memory_bytes);
                used.want = want;
                *used
            }
            Self::Tree(tree) => tree.used,
        }
    }

    fn used(&self) -> Used {
        match self {
            Self::Groups { used, .. } => *used,
            Self::Tree(tree) => tree.used,
        }
    }
}

impl Tree {
    /// Looks at all processes.
    fn look(&mut self) -> Used {
        let pids = tree::below(self.zygote, usize::from(self.skips_first));
        self.main = self.main.or(pids.first().copied());
        let of_zygote = tree::usage(self.zygote).unwrap_or_default();
        let reaped_ns = of_zygote.children_cpu_ns;
        // What has not executed its program yet is still in the zygote's memory.
        let floor_bytes = of_zygote.resident_bytes + FLOOR_SLACK_BYTES;
        let mut waited_ns = reaped_ns.saturating_sub(*self.reaped_before_ns.get_or_insert(reaped_ns));
        if self.skips_first {
            let firsts = tree::children(self.zygote);
            waited_ns +=
                firsts.into_iter().filter_map(tree::usage).map(|usage| usage.children_cpu_ns).sum::<u64>();
        }
        let (mut live_ns, mut largest, mut sum) = (0, 0, 0);
        for pid in &pids {
            let Some(usage) = tree::usage(*pid) else { continue };
            live_ns += usage.cpu_ns;
            waited_ns += usage.children_cpu_ns;
            let seen = self.seen.entry(*pid).or_default();
            *seen = usage.cpu_ns.max(*seen);
            let bytes = usage.resident_bytes + tree::table_bytes(*pid);
            if bytes > floor_bytes {
                largest = bytes.max(largest);
            }
            sum += bytes;
        }
        // Two ways to count, each blind to something: waited-for time misses children nobody waits for, the last sight
        // of each process misses what it did afterwards.
        let ever_seen_ns = self.seen.values().sum::<u64>();
        self.used.cpu_ns = self.used.cpu_ns.max(live_ns + waited_ns).max(ever_seen_ns);
        self.used.memory_bytes = self.used.memory_bytes.max(largest);
        self.used.processes = pids.len() as u64;
        let beyond = |pid: &i32| tree::descriptors(*pid).saturating_sub(FREE_DESCRIPTORS);
        self.used.descriptors = pids.iter().map(beyond).sum();
        let few = pids.len() <= CLOSE_LOOK_PROCESSES;
        if sum > self.used.memory_bytes && (sum > self.memory_limit_bytes || (few && sum > 2 * largest)) {
            self.look_closely(&pids);
        }
        self.used
    }

    /// Processes share pages: a sum of resident sizes counts those twice, so it only says that a closer look is due.
    fn look_closely(&mut self, pids: &[i32]) {
        // A process can keep others of its user from looking closely: its pages are taken for its own then.
        let resident = |pid| tree::usage(pid).map(|usage| usage.resident_bytes);
        let bytes =
            |pid| Some(tree::proportional_bytes(pid).or_else(|| resident(pid))? + tree::table_bytes(pid));
        let sum = pids.iter().filter_map(|pid| bytes(*pid)).sum();
        self.used.memory_bytes = self.used.memory_bytes.max(sum);
    }

    /// The main process's time is read, the others' are as they were last seen.
    fn cpu_ns(&mut self) -> u64 {
        let Some(main) = self.main else { return self.look().cpu_ns };
        let Some(now_ns) = tree::cpu_ns(main) else { return self.used.cpu_ns };
        let seen = self.seen.entry(main).or_default();
        let grown = now_ns.saturating_sub(*seen);
        *seen = now_ns.max(*seen);
        self.used.cpu_ns += grown;
        self.used.cpu_ns
    }
}
