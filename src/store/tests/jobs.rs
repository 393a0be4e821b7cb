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
