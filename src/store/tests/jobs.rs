//! Leases, their epochs and ends; order; quarantine; the sweeper.

use super::*;

#[test]
fn a_submission_is_queued_taken_judged() {
    let scene = scene(1);
    let id = scene.submit(0, 2000);
    assert_eq!(scene.state(id), State::Queued);
    let claim = scene.claim(0).unwrap();
    assert_eq!((claim.submission, claim.slug.as_str(), claim.attempt), (id, "a", 1));
    assert_eq!(claim.source, b"int main() {}");
    assert_eq!(scene.state(id), State::Judging);
    assert!(scene.claim(0).is_none(), "nothing is given out twice");
    assert!(scene.store.heartbeat(claim.lease, 5));
    scene.store.finish(claim.lease, &Finish::bare(Verdict::Ac), 3000).unwrap();
    assert_eq!((scene.state(id), scene.verdict(id)), (State::Judged, Some(Verdict::Ac)));
    assert!(!scene.store.heartbeat(claim.lease, 6), "there is nothing left to work at");
    assert_eq!(scene.store.queue().unwrap(), QueueReport::default());
}

#[test]
fn to_finish_twice_is_to_finish_once() {
    let scene = scene(1);
    let id = scene.submit(0, 2000);
    let claim = scene.claim(0).unwrap();
    let first = scene.store.finish(claim.lease, &Finish::bare(Verdict::Wa), 3000).unwrap();
    let again = scene.store.finish(claim.lease, &Finish::bare(Verdict::Ac), 4000).unwrap();
    assert_eq!(first, again);
    assert_eq!((scene.verdict(id), scene.store.judgings(id).unwrap().len()), (Some(Verdict::Wa), 1));
}

#[test]
fn a_lease_that_ran_out_is_refused_and_its_job_is_done_by_others() {
    let scene = scene(1);
    let id = scene.submit(0, 2000);
    let slow = scene.claim(100).unwrap();
    assert_eq!(scene.store.expire(100 + LEASE_MS - 1, 0).unwrap(), 0);
    assert!(scene.store.heartbeat(slow.lease, 200));
    assert_eq!(scene.store.expire(100 + LEASE_MS, 0).unwrap(), 0, "a heartbeat makes it last");
    assert_eq!(scene.store.expire(200 + LEASE_MS, 0).unwrap(), 1);
    assert_eq!(scene.state(id), State::Queued);
    let next = scene.claim(300).unwrap();
    assert_eq!((next.submission, next.attempt), (id, 2));
    assert!(next.lease.epoch > slow.lease.epoch);
    let late = scene.store.finish(slow.lease, &Finish::bare(Verdict::Wa), 3000).unwrap();
    assert_eq!(late, Finished::Stale);
    assert!(!scene.store.heartbeat(slow.lease, 300));
    assert!(!scene.store.release(slow.lease).unwrap() && scene.store.heartbeat(next.lease, 300));
    scene.store.finish(next.lease, &Finish::bare(Verdict::Ac), 3000).unwrap();
    assert_eq!(scene.verdict(id), Some(Verdict::Ac));
}

#[test]
fn three_attempts_and_then_staff_are_asked() {
    let scene = scene(1);
    let id = scene.submit(0, 2000);
    for attempt in 1..=MAX_ATTEMPTS {
        let claim = scene.claim(0).unwrap();
        assert_eq!((claim.attempt, claim.is_last_attempt()), (attempt, attempt == MAX_ATTEMPTS));
        assert!(scene.store.give_back(claim.lease, "the sandbox fell over", 3000).unwrap());
    }
    assert!(scene.claim(0).is_none());
    assert_eq!(scene.state(id), State::Quarantined);
    let [quarantined] = &scene.store.quarantined().unwrap()[..] else { panic!("one is there") };
    assert_eq!((quarantined.submission, quarantined.trouble.as_str()), (id, "the sandbox fell over"));
    assert_eq!(scene.kinds_since(0).last(), Some(&EventKind::Quarantined));
    scene.store.release_quarantined(quarantined.job, scene.admin).unwrap();
    assert!(matches!(
        scene.store.release_quarantined(quarantined.job, scene.admin),
        Err(StoreError::Missing(_))
    ));
    assert_eq!(scene.claim(0).unwrap().attempt, 1);
}

#[test]
fn leases_of_a_process_that_died_are_void() {
    let scene = scene(1);
    let id = scene.submit(0, 2000);
    let before = scene.claim(0).unwrap();
    let scene = scene.reopen();
    assert_eq!(scene.state(id), State::Queued);
    let late = scene.store.finish(before.lease, &Finish::bare(Verdict::Wa), 3000).unwrap();
    assert_eq!(late, Finished::Stale);
    let after = scene.claim(0).unwrap();
    assert!(after.lease.epoch > before.lease.epoch && after.attempt == 1, "{after:?}");
    scene.store.finish(after.lease, &Finish::bare(Verdict::Ac), 3000).unwrap();
    assert_eq!(scene.verdict(id), Some(Verdict::Ac));
}

#[test]
fn what_kills_process_after_process_goes_last_and_is_quarantined_in_the_end() {
    let mut scene = scene(1);
    let id = scene.submit(0, 2000);
    for death in 0..leases::MAX_DEATHS {
        let other = scene.submit(0, 2001);
        let is_last = death >= leases::SUSPECT_DEATHS;
        if is_last {
            assert_eq!(scene.judge(Verdict::Ac), other);
        }
        assert_eq!(scene.claim(0).unwrap().submission, id);
        if !is_last {
            assert_eq!(scene.judge(Verdict::Ac), other);
        }
        scene = scene.reopen();
    }
    assert_eq!(scene.state(id), State::Quarantined);
    assert_eq!(scene.store.quarantined().unwrap()[0].trouble, "the server ended while it was judged");
}

#[test]
fn what_is_suspected_is_done_alone_so_that_nobody_else_is_hit() {
    let mut scene = scene(2);
    let ids = [scene.submit(0, 2000), scene.submit(1, 2000)];
    for _ in 0..leases::SUSPECT_DEATHS {
        assert!(scene.claim(0).is_some() && scene.claim(0).is_some());
        scene = scene.reopen();
    }
    // From here on both are suspected; the first goes on killing, the other one is sound.
    let fresh = scene.submit(0, 2001);
    let running = scene.claim(0).unwrap();
    assert_eq!(running.submission, fresh);
    assert!(scene.claim(0).is_none(), "it waits until nothing else is on its way");
    scene.store.finish(running.lease, &Finish::bare(Verdict::Ac), 0).unwrap();
    for _ in leases::SUSPECT_DEATHS..leases::MAX_DEATHS {
        assert_eq!(scene.claim(0).unwrap().submission, ids[0]);
        let late = scene.submit(1, 2002);
        assert!(scene.claim(0).is_none(), "nothing is given out beside it");
        scene = scene.reopen();
        assert_eq!(scene.judge(Verdict::Wa), late);
    }
    assert_eq!(scene.state(ids[0]), State::Quarantined);
    assert_eq!(scene.judge(Verdict::Ac), ids[1]);
    assert!(scene.claim(0).is_none());
}

#[test]
fn to_stop_is_no_attempt() {
    let scene = scene(1);
    scene.submit(0, 2000);
    for _ in 0..2 * MAX_ATTEMPTS {
        let claim = scene.claim(0).unwrap();
        assert_eq!(claim.attempt, 1);
        assert!(scene.store.release(claim.lease).unwrap());
    }
}

#[test]
fn orphans_are_found() {
    let scene = scene(2);
    let (lost, judged, waiting) = (scene.submit(0, 2000), scene.submit(1, 2000), scene.submit(1, 2001));
    assert_eq!(scene.sql(&format!("DELETE FROM jobs WHERE submission = {lost}")), 1);
    scene.judge(Verdict::Ac);
    assert_eq!(scene.store.sweep(0).unwrap(), Swept { orphans: 1 });
    assert_eq!(scene.store.sweep(0).unwrap(), Swept { orphans: 0 });
    let line: Vec<_> = [scene.judge(Verdict::Wa), scene.judge(Verdict::Wa)].into();
    assert!(line.contains(&lost) && line.contains(&waiting) && !line.contains(&judged), "{line:?}");
    // To open it is to look too.
    let lost = scene.submit(0, 2000);
    scene.sql("DELETE FROM jobs");
    let scene = scene.reopen();
    assert_eq!(scene.judge(Verdict::Ac), lost);
}

#[test]
fn the_contest_goes_before_practice_before_rejudges_before_searches() {
    let scene = scene(1);
    let judged = scene.submit_as(0, "a", 1, Kind::Practice);
    scene.judge(Verdict::Wa);
    // The failed one of practice has its smallest input looked for.
    let filter = SubmissionFilter { ids: Some(vec![judged]), ..SubmissionFilter::default() };
    scene.store.rejudge_start(&filter, "", scene.admin).unwrap();
    let kinds = [Kind::Virtual, Kind::Contest, Kind::Practice, Kind::Contest];
    let ids = kinds.map(|kind| scene.submit_as(0, "a", 2, kind));
    let mut line = Vec::new();
    for lowest in [Lane::Contest, Lane::Smallest] {
        while let Some(claim) = scene.store.claim("slot", lowest, 0).unwrap() {
            line.push((claim.submission, claim.task, claim.rejudge.is_some()));
        }
        let only_contest = line.len() == 2;
        assert_eq!(only_contest, lowest == Lane::Contest);
    }
    let first = |id| (id, Task::Judge, false);
    let again = [(judged, Task::Judge, true), (judged, Task::Smallest, false)];
    assert_eq!(line[..4], [first(ids[1]), first(ids[3]), first(ids[0]), first(ids[2])]);
    assert_eq!(line[4..], again);
}

#[test]
fn who_hands_in_a_heap_waits_behind_who_hands_in_one() {
    let scene = scene(3);
    let team = |id: SubmissionId| {
        let account = scene.store.submission(id).unwrap().account;
        scene.teams.iter().position(|team| *team == account).unwrap()
    };
    let line = |count: usize| (0..count).map(|_| team(scene.judge(Verdict::Ac))).collect::<Vec<_>>();
    for n in 0..5 {
        scene.submit(0, n);
    }
    scene.submit(1, 10);
    scene.submit(2, 11);
    scene.submit(1, 12);
    assert_eq!(line(4), [0, 1, 2, 0]);
    // Who comes now comes before the rest of the heap; nobody is repaid for having been away.
    scene.submit(2, 13);
    assert_eq!(line(5), [1, 2, 0, 0, 0]);
    for n in 0..3 {
        scene.submit(2, 20 + n);
    }
    scene.submit(0, 30);
    // Team 0 was served last, so that it has to wait for one of the others.
    assert_eq!(line(4), [2, 2, 0, 2]);
}

#[test]
fn nothing_is_given_out_twice_however_many_ask() {
    let scene = scene(4);
    let ids: Vec<_> = (0..80).map(|n| scene.submit(n % 4, 2000)).collect();
    let taken = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for slot in 0..8 {
            let (scene, taken) = (&scene, &taken);
            scope.spawn(move || {
                while let Some(claim) = scene.store.claim(&slot.to_string(), Lane::Smallest, 0).unwrap() {
                    let finish = Finish::bare(Verdict::Ac);
                    scene.store.finish(claim.lease, &finish, 0).unwrap();
                    taken.lock().unwrap().push(claim.submission);
                }
            });
        }
    });
    let mut taken = taken.into_inner().unwrap();
    taken.sort();
    assert_eq!(taken, ids);
}

#[test]
fn a_search_that_comes_to_nothing_bothers_nobody() {
    let scene = scene(1);
    let id = scene.submit(0, 2000);
    scene.judge(Verdict::Wa);
    assert!(scene.claim(0).is_none(), "in the contest nobody looks by themselves");
    assert!(scene.store.request_smallest(id, 0).unwrap());
    for _ in 0..MAX_ATTEMPTS {
        let claim = scene.claim(0).unwrap();
        assert_eq!(claim.task, Task::Smallest);
        scene.store.give_back(claim.lease, "it fell over", 0).unwrap();
    }
    let judging = scene.store.submission(id).unwrap().judging.unwrap().id;
    assert_eq!(scene.store.smallest(judging).unwrap(), Some(None));
    assert_eq!(scene.store.queue().unwrap(), QueueReport::default());
    let accepted = scene.submit(0, 2000);
    scene.judge(Verdict::Ac);
    assert!(!scene.store.request_smallest(accepted, 0).unwrap(), "it fails on nothing");
}

#[test]
fn what_a_program_wrote_is_cut_before_it_fills_the_disk() {
    let scene = scene(1);
    let id = scene.submit(0, 2000);
    let claim = scene.claim(0).unwrap();
    let test = JudgedTest {
        name: "1".to_owned(),
        verdict: Some(Verdict::Wa),
        message: "é".repeat(50_000),
        actual: Some(vec![b'x'; 1 << 20]),
        stderr: "e".repeat(1 << 20),
        cpu_ms: Some(1.5),
        memory_bytes: Some(7),
        ..JudgedTest::default()
    };
    let finish =
        Finish { tests: vec![test; 50], compile_log: "l".repeat(1 << 20), ..Finish::bare(Verdict::Wa) };
    scene.store.finish(claim.lease, &finish, 3000).unwrap();
    let judging = scene.store.submission(id).unwrap().judging.unwrap();
    assert_eq!((judging.cpu_ms, judging.memory_bytes), (Some(1.5), Some(7)));
    assert!(judging.compile_log.len() < 100_000);
    let tests = scene.store.judged_tests(judging.id).unwrap();
    assert_eq!(tests.len(), 50);
    let kept =
        |test: &JudgedTest| test.message.len() + test.stderr.len() + test.actual.as_ref().unwrap().len();
    assert!(tests.iter().map(kept).sum::<usize>() <= 256 << 10 && kept(&tests[0]) > 10_000);
    assert!(tests[0].message.chars().all(|c| c == 'é'));
}

#[test]
fn of_a_rejudge_that_fails_its_author_hears_nothing() {
    let scene = scene(1);
    let id = scene.submit(0, 2000);
    scene.judge(Verdict::Ac);
    let before = scene.store.version();
    let rejudge = scene.store.rejudge_start(&SubmissionFilter::default(), "", scene.admin).unwrap();
    for _ in 0..MAX_ATTEMPTS {
        scene.store.give_back(scene.claim(0).unwrap().lease, "it fell over", 0).unwrap();
    }
    let quarantined = &scene.store.quarantined().unwrap()[0];
    assert_eq!((quarantined.submission, quarantined.rejudge), (id, Some(rejudge)));
    scene.store.release_quarantined(quarantined.job, scene.admin).unwrap();
    assert_eq!(scene.kinds_since(before), [EventKind::Rejudge; 3]);
    assert_eq!(scene.state(id), State::Judged);
    let events = scene.store.events_after(before, 10).unwrap();
    assert!(events.iter().all(|event| event.account.is_none()), "{events:?}");
}
