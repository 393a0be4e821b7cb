//! Judging again: what may be seen before it counts, what it leaves alone.

use super::*;

fn every() -> SubmissionFilter {
    SubmissionFilter::default()
}

#[test]
fn a_rejudge_changes_nothing_until_it_is_applied() {
    let scene = scene(2);
    let ids = [scene.submit(0, 2000), scene.submit(1, 2001)];
    for _ in 0..2 {
        scene.judge(Verdict::Wa);
    }
    let rejudge = scene.store.rejudge_start(&every(), "new tests", scene.admin).unwrap();
    assert!(matches!(scene.store.rejudge_apply(rejudge, scene.admin), Err(StoreError::Unfinished(2))));
    assert_eq!(scene.judge(Verdict::Ac), ids[0]);
    assert_eq!(scene.judge(Verdict::Wa), ids[1]);
    assert_eq!(scene.verdict(ids[0]), Some(Verdict::Wa));
    let preview = scene.store.rejudge_preview(rejudge).unwrap();
    assert_eq!(preview[0].old, Some((Verdict::Wa, None)));
    assert_eq!(preview[0].new, Some((Verdict::Ac, None)));
    assert_eq!(preview.iter().map(Change::is_change).collect::<Vec<_>>(), [true, false]);
    let seq = scene.store.version();
    let changed = scene.store.rejudge_apply(rejudge, scene.admin).unwrap();
    assert_eq!(changed.iter().map(|change| change.submission).collect::<Vec<_>>(), [ids[0]]);
    assert_eq!(scene.kinds_since(seq), [EventKind::Rejudged, EventKind::Rejudge]);
    assert_eq!([scene.verdict(ids[0]), scene.verdict(ids[1])], [Some(Verdict::Ac), Some(Verdict::Wa)]);
    assert_eq!(scene.store.rejudge(rejudge).unwrap().state, RejudgeState::Applied);
    assert_eq!(
        scene.store.rejudge_preview(rejudge).unwrap(),
        preview,
        "what it made of them can be looked at later"
    );
    assert!(matches!(scene.store.rejudge_apply(rejudge, scene.admin), Err(StoreError::Ended)));
    assert!(matches!(scene.store.rejudge_cancel(rejudge, scene.admin), Err(StoreError::Ended)));
    let judgings = scene.store.judgings(ids[0]).unwrap();
    assert_eq!(judgings.iter().map(|judging| judging.is_current).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn what_comes_in_meanwhile_is_judged_as_always() {
    let scene = scene(2);
    scene.submit(0, 2000);
    scene.judge(Verdict::Wa);
    let waiting = scene.submit(0, 2001);
    let rejudge = scene.store.rejudge_start(&every(), "", scene.admin).unwrap();
    assert_eq!(
        scene.store.rejudge(rejudge).unwrap().submissions,
        1,
        "what waits for its turn is not judged twice"
    );
    let new = scene.submit(1, 2002);
    let line = [scene.judge(Verdict::Ac), scene.judge(Verdict::Ac)];
    assert!(line.contains(&waiting) && line.contains(&new));
    scene.judge(Verdict::Tle);
    let meanwhile = scene.submit(1, 2003);
    scene.store.rejudge_apply(rejudge, scene.admin).unwrap();
    assert_eq!((scene.verdict(waiting), scene.verdict(new)), (Some(Verdict::Ac), Some(Verdict::Ac)));
    assert_eq!(scene.state(meanwhile), State::Queued);
    assert_eq!(scene.judge(Verdict::Ac), meanwhile);
}

#[test]
fn a_cancelled_rejudge_leaves_no_trace_and_its_slots_are_told() {
    let scene = scene(2);
    let ids = [scene.submit(0, 2000), scene.submit(1, 2001)];
    for _ in 0..2 {
        scene.judge(Verdict::Ac);
    }
    let rejudge = scene.store.rejudge_start(&every(), "", scene.admin).unwrap();
    scene.judge(Verdict::Wa);
    let on_its_way = scene.claim(0).unwrap();
    assert!(scene.store.heartbeat(on_its_way.lease, 1));
    scene.store.rejudge_cancel(rejudge, scene.admin).unwrap();
    assert!(!scene.store.heartbeat(on_its_way.lease, 1));
    let late = scene.store.finish(on_its_way.lease, &Finish::bare(Verdict::Wa), 0).unwrap();
    assert_eq!(late, Finished::Stale);
    assert_eq!(ids.map(|id| scene.verdict(id)), [Some(Verdict::Ac); 2]);
    assert_eq!(scene.store.queue().unwrap(), QueueReport::default());
}

#[test]
fn a_judge_error_replaces_no_verdict() {
    let scene = scene(1);
    let id = scene.submit(0, 2000);
    scene.judge(Verdict::Ac);
    let rejudge = scene.store.rejudge_start(&every(), "", scene.admin).unwrap();
    scene.judge(Verdict::Je);
    assert!(scene.store.rejudge_apply(rejudge, scene.admin).unwrap().is_empty());
    assert_eq!(scene.verdict(id), Some(Verdict::Ac));
}

#[test]
fn a_first_judging_that_ends_after_a_rejudge_was_applied_does_not_undo_it() {
    let scene = scene(1);
    let id = scene.submit(0, 2000);
    let slow = scene.claim(0).unwrap();
    let rejudge = scene.store.rejudge_start(&every(), "the tests are new", scene.admin).unwrap();
    scene.judge(Verdict::Ac);
    scene.store.rejudge_apply(rejudge, scene.admin).unwrap();
    let finished = scene.store.finish(slow.lease, &Finish::bare(Verdict::Wa), 0).unwrap();
    assert!(matches!(finished, Finished::Recorded { is_current: false, .. }), "{finished:?}");
    assert_eq!(scene.verdict(id), Some(Verdict::Ac));
}

#[test]
fn of_two_rejudges_the_one_that_is_applied_last_counts() {
    let scene = scene(1);
    let id = scene.submit(0, 2000);
    scene.judge(Verdict::Wa);
    let rejudges = [(); 2].map(|()| scene.store.rejudge_start(&every(), "", scene.admin).unwrap());
    scene.judge(Verdict::Ac);
    scene.judge(Verdict::Tle);
    scene.store.rejudge_apply(rejudges[1], scene.admin).unwrap();
    assert_eq!(scene.verdict(id), Some(Verdict::Tle));
    assert_eq!(scene.store.rejudge_preview(rejudges[0]).unwrap()[0].old, Some((Verdict::Tle, None)));
    scene.store.rejudge_apply(rejudges[0], scene.admin).unwrap();
    assert_eq!(scene.verdict(id), Some(Verdict::Ac));
    assert_eq!(scene.store.rejudges().unwrap().len(), 2);
}

#[test]
fn only_what_was_asked_for_is_judged_again() {
    let scene = scene(2);
    let ids =
        [(0, "a"), (0, "b"), (1, "a")].map(|(team, slug)| scene.submit_as(team, slug, 2000, Kind::Contest));
    for _ in 0..3 {
        scene.judge(Verdict::Wa);
    }
    let about = |filter: &SubmissionFilter| {
        let id = scene.store.rejudge_start(filter, "", scene.admin).unwrap();
        let changes = scene.store.rejudge_preview(id).unwrap();
        changes.into_iter().map(|change| change.submission).collect::<Vec<_>>()
    };
    assert_eq!(about(&SubmissionFilter { slug: Some("a".to_owned()), ..every() }), [ids[0], ids[2]]);
    assert_eq!(about(&SubmissionFilter { account: Some(scene.teams[0]), ..every() }), [ids[0], ids[1]]);
    assert_eq!(about(&SubmissionFilter { ids: Some(vec![ids[1]]), ..every() }), [ids[1]]);
    let none = SubmissionFilter { verdict: Some(Some(Verdict::Ac)), ..every() };
    assert!(matches!(scene.store.rejudge_start(&none, "", scene.admin), Err(StoreError::Missing(_))));
}
