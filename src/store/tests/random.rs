//! Long rows of things that happen in any order: whatever they are, what the contest rests on holds after each.

use std::collections::HashMap;

use proptest::prelude::*;

use super::*;
use crate::contest::Attempt;

/// Something that happens.
#[derive(Clone, Debug)]
enum Step {
    Submit(usize),
    Claim,
    Finish(usize, Verdict),
    GiveBack(usize),
    Release(usize),
    /// Time passes, in which the slots of odd epochs say nothing.
    Wait,
    Rejudge,
    Apply(usize),
    Cancel(usize),
    Die,
}

fn step() -> impl Strategy<Value = Step> {
    let verdict = prop::sample::select(vec![Verdict::Ac, Verdict::Wa, Verdict::Je]);
    prop_oneof![
        6 => (0..3_usize).prop_map(Step::Submit),
        6 => Just(Step::Claim),
        6 => (0..4_usize, verdict).prop_map(|(at, verdict)| Step::Finish(at, verdict)),
        1 => (0..4_usize).prop_map(Step::GiveBack),
        1 => (0..4_usize).prop_map(Step::Release),
        1 => Just(Step::Wait),
        1 => Just(Step::Rejudge),
        1 => (0..3_usize).prop_map(Step::Apply),
        1 => (0..3_usize).prop_map(Step::Cancel),
        1 => Just(Step::Die),
    ]
}

/// What is known outside of the store: leases that somebody believes to have, and a board kept by events alone.
struct World {
    scene: Option<Scene>,
    believed: Vec<Lease>,
    rejudges: Vec<RejudgeId>,
    mono_ms: u64,
    kept: HashMap<i64, Attempt>,
    seq: i64,
}

impl World {
    fn scene(&self) -> &Scene {
        self.scene.as_ref().unwrap()
    }

    fn lease(&self, at: usize) -> Option<Lease> {
        let back = self.believed.len().checked_sub(at % 4 + 1)?;
        Some(self.believed[back])
    }

    fn take(&mut self, step: &Step) {
        let scene = self.scene();
        let (store, admin) = (&scene.store, scene.admin);
        let any = SubmissionFilter::default();
        match step {
            Step::Submit(team) => drop(scene.submit(*team, 2000)),
            Step::Claim => {
                let claim = scene.claim(self.mono_ms);
                self.believed.extend(claim.map(|claim| claim.lease));
            }
            Step::Finish(at, verdict) => {
                if let Some(lease) = self.lease(*at) {
                    store.finish(lease, &Finish::bare(*verdict), 0).unwrap();
                }
            }
            Step::GiveBack(at) => drop(self.lease(*at).map(|lease| store.give_back(lease, "", 0).unwrap())),
            Step::Release(at) => drop(self.lease(*at).map(|lease| store.release(lease).unwrap())),
            Step::Wait => {
                let now = self.mono_ms + LEASE_MS - 1;
                for lease in self.believed.iter().filter(|lease| lease.epoch % 2 == 0) {
                    store.heartbeat(*lease, now);
                }
                store.expire(now + 1, 0).unwrap();
                self.mono_ms = now + 1;
            }
            Step::Rejudge => self.rejudges.extend(store.rejudge_start(&any, "", admin).ok()),
            Step::Apply(at) => drop(self.rejudges.get(*at).map(|id| store.rejudge_apply(*id, admin))),
            Step::Cancel(at) => drop(self.rejudges.get(*at).map(|id| store.rejudge_cancel(*id, admin))),
            Step::Die => self.scene = self.scene.take().map(Scene::reopen),
        }
    }

    fn check(&mut self) -> Result<(), TestCaseError> {
        let scene = self.scene();
        let twice = "SELECT count(*) FROM (SELECT 1 FROM judgings WHERE is_current GROUP BY submission HAVING count(*) > 1)";
        prop_assert_eq!(scene.sql(twice), 0);
        let lost = "SELECT count(*) FROM submissions WHERE
            NOT EXISTS (SELECT 1 FROM judgings WHERE submission = submissions.id AND is_current)
            AND NOT EXISTS (SELECT 1 FROM jobs WHERE submission = submissions.id AND task = 'judge' AND rejudge IS NULL)";
        prop_assert_eq!(scene.sql(lost), 0);
        let (changed, seq) = scene.store.attempts_since(Kind::Contest, self.seq).unwrap();
        let (all, newest) = scene.store.attempts(Kind::Contest).unwrap();
        prop_assert_eq!((seq, newest), (scene.store.version(), scene.store.version()));
        self.seq = seq;
        self.kept.extend(changed.into_iter().map(|attempt| (attempt.id, attempt)));
        let all: HashMap<i64, Attempt> = all.into_iter().map(|attempt| (attempt.id, attempt)).collect();
        prop_assert_eq!(&all, &self.kept);
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_submission_ends_with_one_verdict_and_the_board_can_be_kept_by_events(
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let mut world = World {
            scene: Some(scene(3)),
            believed: Vec::new(),
            rejudges: Vec::new(),
            mono_ms: 0,
            kept: HashMap::new(),
            seq: 0,
        };
        for step in &steps {
            world.take(step);
            world.check()?;
        }
        // Staff release what is quarantined, slots do the rest.
        world.take(&Step::Die);
        let scene = world.scene();
        for quarantined in scene.store.quarantined().unwrap() {
            scene.store.release_quarantined(quarantined.job, scene.admin).unwrap();
        }
        while let Some(claim) = scene.claim(0) {
            scene.store.finish(claim.lease, &Finish::bare(Verdict::Ac), 0).unwrap();
        }
        let unjudged = SubmissionFilter { verdict: Some(None), ..SubmissionFilter::default() };
        prop_assert_eq!(scene.store.count_submissions(&unjudged).unwrap(), 0);
        world.check()?;
    }
}
