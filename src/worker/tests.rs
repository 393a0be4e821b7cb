//! Slots whose jobs are stubs: nothing is run, and time passes when a test says so.

use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use super::*;
use crate::contest::config::{Config, ProblemEntry};
use crate::store::{
    By, Kind, LEASE_MS, Lane, MAX_ATTEMPTS, NewAccount, NewSubmission, Role, State, Store, Task,
};
use crate::verdict::Verdict;

/// A store with some teams, and slots on it when a test starts them.
struct Scene {
    store: Arc<Store>,
    teams: Vec<AccountId>,
    time_ms: Arc<AtomicU64>,
    /// What somebody set the time of day forward by, or back.
    set_by_ms: Arc<AtomicI64>,
    notices: Arc<Mutex<Vec<Notice>>>,
    _folder: tempfile::TempDir,
}

fn scene() -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("contest.db"), 0).unwrap();
    let account = |login: &str| NewAccount {
        login: login.to_owned(),
        name: login.to_owned(),
        role: Role::Team,
        password_hash: String::new(),
    };
    let teams = store.create_accounts(&["one", "two"].map(account), By::server(0)).unwrap();
    let problem = ProblemEntry { slug: "a".to_owned(), label: "A".to_owned(), color: "#000000".to_owned() };
    // It runs from 10 to 20 seconds.
    let config =
        Config { problems: vec![problem], start_ms: Some(10_000), duration_ms: 10_000, ..Config::default() };
    store.apply_config(&config, By::server(0)).unwrap();
    Scene {
        store: Arc::new(store),
        teams,
        time_ms: Arc::default(),
        set_by_ms: Arc::default(),
        notices: Arc::default(),
        _folder: folder,
    }
}

impl Scene {
    fn submit(&self, team: usize, kind: Kind) -> SubmissionId {
        let new = NewSubmission {
            account: self.teams[team],
            slug: "a",
            language: "cpp",
            mode: None,
            file_name: "a.cpp",
            source: b"",
            at_ms: 0,
            kind,
        };
        self.store.submit(&new, None).unwrap()
    }

    fn start(
        &self,
        slots: usize,
        work: impl Fn(&Claim, &mut dyn FnMut(Progress)) -> Outcome + Send + Sync + 'static,
    ) -> Slots {
        let (now, mono, heard) = (self.time_ms.clone(), self.time_ms.clone(), self.notices.clone());
        let set_by = self.set_by_ms.clone();
        let clock = Clock {
            now_ms: Arc::new(move || {
                now.load(Ordering::SeqCst).cast_signed() + set_by.load(Ordering::SeqCst)
            }),
            mono_ms: Arc::new(move || mono.load(Ordering::SeqCst)),
        };
        let on_notice = Arc::new(move |notice| heard.lock().unwrap().push(notice));
        Slots::start(self.store.clone(), Options { slots, clock, work: Arc::new(work), on_notice }).unwrap()
    }

    fn is_judged(&self, id: SubmissionId) -> bool {
        self.store.submission(id).unwrap().state == State::Judged
    }

    fn verdict(&self, id: SubmissionId) -> Option<Verdict> {
        self.store.submission(id).unwrap().judging.map(|judging| judging.verdict)
    }

    fn heard(&self, notice: &Notice) -> usize {
        self.notices.lock().unwrap().iter().filter(|heard| *heard == notice).count()
    }
}

fn judged(verdict: Verdict) -> Outcome {
    Outcome::Judged(Box::new(Finish::bare(verdict)))
}

fn wait_until(mut is_so: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("it took too long");
}

#[test]
fn everything_that_is_handed_in_is_judged_and_told_of() {
    let scene = scene();
    let before = scene.submit(0, Kind::Contest);
    let slots = scene.start(3, |_, on_progress| {
        on_progress(Progress { done: 1, tests: 2 });
        judged(Verdict::Ac)
    });
    let after: Vec<_> = (0..20).map(|n| scene.submit(n % 2, Kind::Practice)).collect();
    wait_until(|| after.iter().chain([&before]).all(|id| scene.is_judged(*id)));
    slots.stop();
    for id in after.into_iter().chain([before]) {
        let account = scene.store.submission(id).unwrap().account;
        assert_eq!(scene.heard(&Notice::Judged { submission: id, account }), 1);
        assert_eq!(scene.heard(&Notice::Progress { submission: id, account, done: 1, tests: 2 }), 1);
    }
}

#[test]
fn a_job_that_breaks_its_slot_is_quarantined_and_the_slot_goes_on() {
    let scene = scene();
    let poison = scene.submit(0, Kind::Contest);
    let tries = Arc::new(AtomicUsize::new(0));
    let counted = tries.clone();
    let slots = scene.start(1, move |claim, _| {
        if claim.submission == poison {
            counted.fetch_add(1, Ordering::SeqCst);
            panic!("a poisoned job");
        }
        judged(Verdict::Wa)
    });
    let sound = scene.submit(1, Kind::Contest);
    wait_until(|| scene.is_judged(sound) && scene.store.queue().unwrap().quarantined == 1);
    assert_eq!(tries.load(Ordering::SeqCst), MAX_ATTEMPTS as usize);
    assert_eq!(scene.store.quarantined().unwrap()[0].trouble, "a judge slot failed: a poisoned job");
    slots.stop();
}

#[test]
fn a_failure_of_the_judge_is_tried_again_and_stands_in_the_end() {
    let scene = scene();
    let id = scene.submit(0, Kind::Contest);
    let (lucky, tries) = (scene.submit(1, Kind::Contest), Arc::new(AtomicUsize::new(0)));
    let counted = tries.clone();
    let slots = scene.start(1, move |claim, _| {
        if claim.submission == lucky && claim.attempt == 2 {
            return judged(Verdict::Ac);
        }
        counted.fetch_add(1, Ordering::SeqCst);
        Outcome::Failed(Box::new(Finish::judge_error("the sandbox fell over")))
    });
    wait_until(|| scene.is_judged(id) && scene.is_judged(lucky));
    slots.stop();
    assert_eq!((scene.verdict(id), scene.verdict(lucky)), (Some(Verdict::Je), Some(Verdict::Ac)));
    assert_eq!(tries.load(Ordering::SeqCst), MAX_ATTEMPTS as usize + 1);
    let judging = scene.store.submission(id).unwrap().judging.unwrap();
    assert_eq!(judging.compile_log, "the sandbox fell over");
}

#[test]
fn a_slot_that_hangs_loses_its_job_to_another() {
    let scene = scene();
    let id = scene.submit(0, Kind::Contest);
    let (release, held) = mpsc::channel::<()>();
    let held = Mutex::new(held);
    let slots = scene.start(2, move |claim, _| {
        if claim.attempt == 1 {
            let _ = held.lock().unwrap().recv();
            return judged(Verdict::Wa);
        }
        judged(Verdict::Ac)
    });
    wait_until(|| slots.report().iter().any(|slot| slot.submission == Some(id)));
    scene.time_ms.store(keeper::SILENT_MS - 1, Ordering::SeqCst);
    // It is still heard of, so for another lease it keeps its job.
    std::thread::sleep(Duration::from_millis(LEASE_MS / 10 + 300));
    assert!(!scene.is_judged(id));
    scene.time_ms.store(keeper::SILENT_MS + LEASE_MS, Ordering::SeqCst);
    wait_until(|| scene.is_judged(id));
    release.send(()).unwrap();
    slots.stop();
    assert_eq!(scene.verdict(id), Some(Verdict::Ac));
    assert_eq!(scene.store.judgings(id).unwrap().len(), 1);
}

#[test]
fn setting_the_time_of_day_takes_no_job_from_its_slot() {
    const YEAR_MS: i64 = 365 * 24 * 3_600_000;
    for set_by_ms in [YEAR_MS, -YEAR_MS] {
        let scene = scene();
        let id = scene.submit(0, Kind::Contest);
        let (release, held) = mpsc::channel::<()>();
        let held = Mutex::new(held);
        let slots = scene.start(2, move |claim, _| {
            assert_eq!(claim.attempt, 1);
            let _ = held.lock().unwrap().recv();
            judged(Verdict::Wa)
        });
        wait_until(|| slots.report().iter().any(|slot| slot.submission == Some(id)));
        scene.set_by_ms.store(set_by_ms, Ordering::SeqCst);
        // Long enough for the keeper to look at leases several times.
        std::thread::sleep(Duration::from_millis(LEASE_MS / 10 + 300));
        assert!(!scene.is_judged(id));
        release.send(()).unwrap();
        wait_until(|| scene.is_judged(id));
        slots.stop();
        assert_eq!(scene.verdict(id), Some(Verdict::Wa));
        assert_eq!(scene.store.judgings(id).unwrap().len(), 1);
    }
}

#[test]
fn a_slot_is_kept_for_the_contest_while_it_runs() {
    let scene = scene();
    scene.time_ms.store(15_000, Ordering::SeqCst);
    let (release, held) = mpsc::channel::<()>();
    let held = Mutex::new(held);
    let slots = scene.start(2, move |claim, _| {
        if claim.kind == Kind::Practice {
            let _ = held.lock().unwrap().recv();
        }
        judged(Verdict::Ac)
    });
    let practice = [scene.submit(0, Kind::Practice), scene.submit(1, Kind::Practice)];
    wait_until(|| slots.report()[1].submission.is_some());
    let contest = scene.submit(0, Kind::Contest);
    wait_until(|| scene.is_judged(contest));
    assert!(practice.iter().all(|id| !scene.is_judged(*id)));
    drop(release);
    wait_until(|| practice.iter().all(|id| scene.is_judged(*id)));
    slots.stop();
}

#[test]
fn what_is_interrupted_is_given_back_untouched() {
    let scene = scene();
    let id = scene.submit(0, Kind::Contest);
    let slots = scene.start(1, |_, _| Outcome::Interrupted);
    wait_until(|| scene.notices.lock().unwrap().len() >= 2);
    slots.stop();
    assert_eq!(scene.store.submission(id).unwrap().state, State::Queued);
    let claim = scene.store.claim("another", Lane::Smallest, 0).unwrap().unwrap();
    assert_eq!((claim.submission, claim.attempt), (id, 1));
}

#[test]
fn a_smallest_input_is_looked_for_in_practice_and_in_the_contest_on_demand() {
    let scene = scene();
    let slots = scene.start(1, |claim, _| match claim.task {
        Task::Judge => judged(Verdict::Wa),
        Task::Smallest => Outcome::Smallest(Some(SmallestInput {
            input: "1\n0\n".to_owned(),
            expected: None,
            actual: "1".to_owned(),
            is_partial: false,
        })),
    });
    let (contest, practice) = (scene.submit(0, Kind::Contest), scene.submit(1, Kind::Practice));
    let smallest = |id| {
        let judging = scene.store.submission(id).unwrap().judging;
        judging.and_then(|judging| scene.store.smallest(judging.id).unwrap())
    };
    wait_until(|| scene.is_judged(contest) && smallest(practice).is_some());
    assert_eq!(smallest(practice).unwrap().unwrap().input, "1\n0\n");
    assert_eq!(smallest(contest), None);
    assert!(scene.store.request_smallest(contest, 0).unwrap());
    wait_until(|| smallest(contest).is_some());
    assert!(!scene.store.request_smallest(contest, 0).unwrap(), "it is known");
    slots.stop();
}

#[test]
fn a_verdict_waits_until_the_disk_has_room() {
    let scene = scene();
    let id = scene.submit(0, Kind::Contest);
    let (store, tries) = (scene.store.clone(), Arc::new(AtomicUsize::new(0)));
    let counted = tries.clone();
    let slots = scene.start(1, move |_, _| {
        counted.fetch_add(1, Ordering::SeqCst);
        store.leave_pages(0);
        let message = "m".repeat(9000);
        let tests = vec![crate::store::JudgedTest { message, ..Default::default() }; 20];
        Outcome::Judged(Box::new(Finish { tests, ..Finish::bare(Verdict::Ac) }))
    });
    let is_told =
        |notice: &Notice| matches!(notice, Notice::Trouble(text) if text.contains("the disk is full"));
    wait_until(|| scene.notices.lock().unwrap().iter().any(is_told));
    assert!(!scene.is_judged(id));
    scene.store.leave_pages(1000);
    wait_until(|| scene.is_judged(id));
    slots.stop();
    assert_eq!((scene.verdict(id), tries.load(Ordering::SeqCst)), (Some(Verdict::Ac), 1));
}
