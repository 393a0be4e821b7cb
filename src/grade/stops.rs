//! Which tests of a submission need not be run, from what is known of those before them in package order.
//!
//! Without subtasks the larger tests after a time limit are skipped: they would only time out too. With subtasks each
//! goes by itself: a time limit ends the rest of one that is all or nothing, and a subtask is skipped once one that it needs
//! is lost. After a judge error nothing is worth running. `--all` runs everything.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::grade::{Job, TestReport};
use crate::score::Rule;
use crate::verdict::Verdict;

/// For each thing that stops tests, the first place in line after which it does.
///
/// Workers share one that hears of rows as they come, so that they don't run what will be skipped. Who tells of the rows
/// has another that hears of them in order, and so skips the same ones at any number of workers.
pub(super) struct Stops<'a> {
    job: &'a Job<'a>,
    /// The rules of the subtasks, and the indices of all that each needs, however indirectly.
    groups: Vec<(Rule, Vec<usize>)>,
    everything: AtomicUsize,
    /// For each subtask, and for tests of none: nothing can be won any more.
    over: Vec<AtomicUsize>,
    /// The same: it is not whole any more.
    lost: Vec<AtomicUsize>,
}

impl<'a> Stops<'a> {
    pub(super) fn new(job: &'a Job<'a>) -> Self {
        let mut groups: Vec<(Rule, Vec<usize>)> = Vec::new();
        for group in job.tests.groups() {
            let deeper: Vec<usize> =
                group.needs.iter().flat_map(|needed| groups[*needed].1.clone()).collect();
            let mut needs: Vec<usize> = group.needs.iter().copied().chain(deeper).collect();
            needs.sort_unstable();
            needs.dedup();
            groups.push((group.rule, needs));
        }
        let never = |_| AtomicUsize::new(usize::MAX);
        let (over, lost) = ((0..=groups.len()).map(never).collect(), (0..=groups.len()).map(never).collect());
        Self { job, groups, everything: AtomicUsize::new(usize::MAX), over, lost }
    }

    /// Hears of the row at a place in line.
    pub(super) fn hear(&self, place: usize, row: &TestReport) {
        let job = self.job;
        let verdict = match row.verdict {
            None | Some(Verdict::Ac) => return,
            Some(Verdict::Je) if job.all => return,
            Some(Verdict::Je) => return first(&self.everything, place),
            Some(verdict) => verdict,
        };
        let stops = job.fail_fast || (verdict == Verdict::Tle && !job.all);
        if self.groups.is_empty() {
            if stops {
                first(&self.everything, place);
            }
            return;
        }
        let group = self.group(row.group.as_deref());
        first(&self.lost[group], place);
        let is_sum = self.groups.get(group).is_some_and(|(rule, _)| *rule == Rule::Sum);
        let wins_nothing = row.marks.is_none_or(|marks| marks.is_zero());
        if stops && !is_sum && wins_nothing {
            first(&self.over[group], place);
        }
    }

    /// Whether the test at a place in line, which is of this subtask, is skipped: why, in words, or nothing to say.
    pub(super) fn skips(&self, place: usize, group: Option<&str>) -> Option<String> {
        let after = |stop: &AtomicUsize| place > stop.load(Ordering::Relaxed);
        if after(&self.everything) {
            return Some(String::new());
        }
        if self.groups.is_empty() || self.job.all {
            return None;
        }
        let index = self.group(group);
        if after(&self.over[index]) {
            return Some(String::new());
        }
        let (_, needs) = self.groups.get(index)?;
        let lost = needs.iter().find(|needed| after(&self.lost[**needed]))?;
        let name = self.job.tests.groups().nth(*lost).map_or("", |group| &group.name);
        Some(format!("not run: its subtask needs `{name}`, which was not passed"))
    }

    /// Tests of no subtask come last.
    fn group(&self, name: Option<&str>) -> usize {
        self.job.tests.group_index(name).unwrap_or(self.groups.len())
    }
}

fn first(stop: &AtomicUsize, place: usize) {
    stop.fetch_min(place, Ordering::Relaxed);
}
