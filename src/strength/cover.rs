//! Choosing few tests that kill as much as many: greedy set cover. Pure and deterministic; knows neither programs nor
//! files.
//!
//! First comes what must stay: samples and cases. Then, until every program that can be killed is, the test that kills
//! the most of those left (Chvátal, "A greedy heuristic for the set-covering problem", 1979), the first in package order
//! of equals. Then one test of each family and decade that has none. Last, as long as the goal has room, packs and then
//! single tests that kill what only few tests kill: a second test against each program, a third …, since a program
//! written by somebody else is near to some mutant but never the same.

use std::collections::BTreeSet;

/// What is asked of a small set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// Tests in all.
    pub tests: usize,
    /// Inputs in packs.
    pub packed_inputs: usize,
    /// Runs of a program that reads its standard input.
    pub stdin_runs: usize,
}

/// What small sets are to be.
pub const GOAL: Goal = Goal { tests: 60, packed_inputs: 5000, stdin_runs: 150 };

/// Packs are taken as long as no more than this share of the runs, in a hundred, goes to what is taken: the rest is for
/// large tests.
const SHARE_OF_PACKS: usize = 80;

/// How many tests against each program the room that is left is used for.
const MOST_KILLS: usize = 40;

/// A test as the choice sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Whether it stays in any case.
    pub stays: bool,
    /// Its family.
    pub family: String,
    /// Digits of the number of numbers that it holds, less one.
    pub decade: u32,
    /// Inputs, if it is a pack.
    pub packed_inputs: usize,
    /// Runs of a program that reads its standard input.
    pub stdin_runs: usize,
}

/// The chosen tests, in package order, of `candidates`; `killers` has for each program the tests that kill it.
pub fn choose(candidates: &[Candidate], killers: &[Vec<usize>], goal: Goal) -> Vec<usize> {
    let mut choice =
        Choice { candidates, killers, taken: candidates.iter().map(|candidate| candidate.stays).collect() };
    while let Some(test) = choice.best(1, &|_| true) {
        choice.taken[test] = true;
    }
    choice.take_one_of_each(|candidate| candidate.family.clone());
    choice.take_one_of_each(|candidate| candidate.decade);
    let of_packs = Goal { stdin_runs: goal.stdin_runs * SHARE_OF_PACKS / 100, ..goal };
    choice.fill(of_packs, &|candidate| candidate.packed_inputs > 0);
    choice.fill(goal, &|candidate| candidate.packed_inputs == 0);
    (0..candidates.len()).filter(|&test| choice.taken[test]).collect()
}

struct Choice<'a> {
    candidates: &'a [Candidate],
    killers: &'a [Vec<usize>],
    taken: Vec<bool>,
}

impl Choice<'_> {
    /// Takes those of the tests that `is_meant` means for which the goal has room.
    fn fill(&mut self, goal: Goal, is_meant: &dyn Fn(&Candidate) -> bool) {
        for kills in 2..=MOST_KILLS {
            let with_room = |test: usize, choice: &Self| {
                is_meant(&choice.candidates[test]) && choice.has_room(test, goal)
            };
            while let Some(test) = self.best(kills, &|test| with_room(test, self)) {
                self.taken[test] = true;
            }
        }
    }

    /// The test of those that may be taken that kills the most programs which fewer than `kills` of the taken tests
    /// kill; the first of equals.
    fn best(&self, kills: usize, may_be: &dyn Fn(usize) -> bool) -> Option<usize> {
        let mut gains = vec![0_usize; self.candidates.len()];
        for killers in self.killers {
            let taken = killers.iter().filter(|test| self.taken[**test]).count();
            if taken < kills {
                for &test in killers.iter().filter(|test| !self.taken[**test]) {
                    gains[test] += 1;
                }
            }
        }
        let tests = (0..gains.len()).filter(|&test| gains[test] > 0 && may_be(test));
        tests.max_by_key(|&test| (gains[test], std::cmp::Reverse(test)))
    }

    fn has_room(&self, test: usize, goal: Goal) -> bool {
        let taken = || self.candidates.iter().zip(&self.taken).filter(|(_, taken)| **taken).map(|(it, _)| it);
        let candidate = &self.candidates[test];
        taken().count() < goal.tests
            && taken().map(|it| it.packed_inputs).sum::<usize>() + candidate.packed_inputs
                <= goal.packed_inputs
            && taken().map(|it| it.stdin_runs).sum::<usize>() + candidate.stdin_runs <= goal.stdin_runs
    }

    /// Of each kind that no taken test is of, the test that kills the most.
    fn take_one_of_each<K: Ord>(&mut self, kind: impl Fn(&Candidate) -> K) {
        let mut kinds: BTreeSet<K> = self.candidates.iter().map(&kind).collect();
        let taken = self.candidates.iter().zip(&self.taken).filter(|(_, taken)| **taken);
        for (candidate, _) in taken {
            kinds.remove(&kind(candidate));
        }
        for missing in kinds {
            let gain = |test: usize| self.killers.iter().filter(|killers| killers.contains(&test)).count();
            let of_kind = (0..self.candidates.len()).filter(|&test| kind(&self.candidates[test]) == missing);
            if let Some(test) = of_kind.max_by_key(|&test| (gain(test), std::cmp::Reverse(test))) {
                self.taken[test] = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(family: &str, decade: u32) -> Candidate {
        let stays = family == "samples";
        Candidate { stays, family: family.to_owned(), decade, packed_inputs: 0, stdin_runs: 1 }
    }

    const SMALL: Goal = Goal { tests: 3, packed_inputs: 100, stdin_runs: 10 };

    #[test]
    fn every_kill_stays_and_the_first_of_equals_is_taken() {
        let candidates: Vec<Candidate> = (0..5).map(|_| candidate("edges", 0)).collect();
        let killers = [vec![1, 2], vec![1, 2, 3], vec![4], vec![]];
        assert_eq!(choose(&candidates, &killers, Goal { tests: 0, ..SMALL }), [1, 4]);
        // Room for one more: the next that kills something a second time.
        assert_eq!(choose(&candidates, &killers, SMALL), [1, 2, 4]);
    }

    #[test]
    fn samples_families_and_decades_stay_though_they_kill_nothing() {
        let candidates = [
            candidate("samples", 0),
            candidate("edges", 0),
            candidate("edges", 3),
            candidate("max_random", 3),
            candidate("max_random", 4),
        ];
        let killers = [vec![1]];
        assert_eq!(choose(&candidates, &killers, Goal { tests: 0, ..SMALL }), [0, 1, 3, 4]);
    }

    #[test]
    fn a_pack_that_the_goal_has_no_room_for_is_only_taken_for_a_kill() {
        let mut candidates: Vec<Candidate> = (0..3).map(|_| candidate("small_random", 0)).collect();
        candidates[1].packed_inputs = 101;
        candidates[2].packed_inputs = 50;
        candidates[2].stdin_runs = 10;
        let killers = [vec![0, 1, 2]];
        assert_eq!(choose(&candidates, &killers, SMALL), [0]);
        assert_eq!(choose(&candidates, &[vec![1], vec![2]], SMALL), [1, 2]);
    }
}
