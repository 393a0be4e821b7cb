//! How much a run has used so far, by looking at its processes. Never stops anything.

use std::collections::HashMap;

use super::tree;

/// With more processes than this the closer look is kept for when the limit seems passed.
const CLOSE_LOOK_PROCESSES: usize = 16;

/// Two readings of the same run; both only ever grow.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Used {
    /// CPU time of all processes that could be seen.
    pub(crate) cpu_ns: u64,
    /// Peak memory.
    pub(crate) memory_bytes: u64,
    /// Processes at the last look.
    pub(crate) processes: u64,
}

/// Looks at every process below the zygote.
#[derive(Debug)]
pub(crate) struct Meter {
    zygote: i32,
    /// What the zygote's own waiting had added up to before this run.
    reaped_before_ns: u64,
    memory_limit_bytes: u64,
    /// Whether the zygote's own children are first processes of spaces, not programs.
    skips_first: bool,
    /// CPU time of each process when it was last seen: one whose parent never waits for it is counted too.
    seen: HashMap<i32, u64>,
    main: Option<i32>,
    used: Used,
}

impl Meter {
    /// Starts to count; `zygote` has no child yet.
    pub(crate) fn new(zygote: i32, skips_first: bool, memory_limit_bytes: u64) -> Self {
        Self {
            zygote,
            reaped_before_ns: tree::usage(zygote).map_or(0, |usage| usage.children_cpu_ns),
            memory_limit_bytes,
            skips_first,
            seen: HashMap::new(),
            main: None,
            used: Used::default(),
        }
    }

    /// Looks at all processes.
    pub(crate) fn look(&mut self) -> Used {
        let pids = tree::below(self.zygote, usize::from(self.skips_first));
        self.main = self.main.or(pids.first().copied());
        let reaped_ns = tree::usage(self.zygote).map_or(0, |usage| usage.children_cpu_ns);
        let mut waited_ns = reaped_ns.saturating_sub(self.reaped_before_ns);
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
            largest = usage.resident_bytes.max(largest);
            sum += usage.resident_bytes;
        }
        // Two ways to count, each blind to something: waited-for time misses children nobody waits for, the last sight
        // of each process misses what it did afterwards.
        let ever_seen_ns = self.seen.values().sum::<u64>();
        self.used.cpu_ns = self.used.cpu_ns.max(live_ns + waited_ns).max(ever_seen_ns);
        self.used.memory_bytes = self.used.memory_bytes.max(largest);
        self.used.processes = pids.len() as u64;
        let few = pids.len() <= CLOSE_LOOK_PROCESSES;
        if sum > self.used.memory_bytes && (sum > self.memory_limit_bytes || (few && sum > 2 * largest)) {
            self.look_closely(&pids);
        }
        self.used
    }

    /// Processes share pages: a sum of resident sizes counts those twice, so it only says that a closer look is due.
    fn look_closely(&mut self, pids: &[i32]) {
        let sum = pids.iter().filter_map(|pid| tree::proportional_bytes(*pid)).sum();
        self.used.memory_bytes = self.used.memory_bytes.max(sum);
    }

    /// CPU time alone, for a call: the main process's is read, the others' are as they were last seen.
    pub(crate) fn cpu_ns(&mut self) -> u64 {
        let Some(main) = self.main else { return self.look().cpu_ns };
        let Some(now_ns) = tree::cpu_ns(main) else { return self.used.cpu_ns };
        let seen = self.seen.entry(main).or_default();
        let grown = now_ns.saturating_sub(*seen);
        *seen = now_ns.max(*seen);
        self.used.cpu_ns += grown;
        self.used.cpu_ns
    }

    /// The last reading.
    pub(crate) fn used(&self) -> Used {
        self.used
    }
}
