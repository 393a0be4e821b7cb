//! What staff change of a contest, and what the board's attempts follow from.

use super::*;
use crate::contest::Schedule;

#[test]
fn to_start_the_server_again_undoes_nothing() {
    let scene = scene(1);
    let end_ms = || scene.store.settings().schedule.unwrap().end_ms;
    let planned = end_ms();
    scene.store.extend(600_000, By::server(2000)).unwrap();
    assert_eq!(end_ms(), planned + 600_000);
    assert!(!scene.store.apply_config(&config(&["a", "b"]), scene.admin).unwrap());
    assert!(scene.store.apply_config(&config(&["a"]), scene.admin).unwrap());
    assert_eq!(end_ms(), planned + 600_000, "the file says nothing new about time");
    let longer = Config { duration_ms: 7 * 3_600_000, ..config(&["a"]) };
    scene.store.apply_config(&longer, scene.admin).unwrap();
    assert_eq!(end_ms(), 1000 + 7 * 3_600_000);
}

#[test]
fn what_staff_changed_stands_until_the_file_changes_in_the_same_respect() {
    let scene = scene(1);
    let named = |name: &str| vec![("en".to_owned(), name.to_owned())];
    let now = || scene.store.settings().config.clone().unwrap();
    let by_staff = Config { names: named("Autumn cup"), duration_ms: 3_600_000, ..now() };
    scene.store.change_config(&by_staff, scene.admin).unwrap();
    assert!(!scene.store.apply_config(&config(&["a", "b"]), scene.admin).unwrap(), "it says what it said");
    assert_eq!(now(), by_staff);
    let limited = Config { max_submissions_per_minute: 3, ..config(&["a", "b"]) };
    assert!(scene.store.apply_config(&limited, scene.admin).unwrap());
    assert_eq!(now(), Config { max_submissions_per_minute: 3, ..by_staff });
    let renamed = Config { names: named("Winter cup"), ..limited };
    assert!(scene.store.apply_config(&renamed, scene.admin).unwrap());
    assert_eq!((now().names, now().duration_ms), (named("Winter cup"), 3_600_000));
    let log = scene.store.audit_page(None, 10).unwrap();
    let is_told =
        |it: &AuditEntry| it.action == Action::ChangeConfiguration && it.detail.ends_with("Autumn cup");
    assert!(log.iter().any(is_told), "{log:?}");
}

#[test]
fn a_contest_that_was_begun_by_the_button_takes_a_new_length_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("contest.db"), 0);
    let by = By::server(0);
    let file = Config { start_ms: None, ..config(&["a"]) };
    store.apply_config(&file, by).unwrap();
    store.start_at(5000, by).unwrap();
    store.extend(60_000, by).unwrap();
    let length_ms = || store.settings().schedule.unwrap().duration_ms();
    let file = Config { public_board: false, ..file };
    store.apply_config(&file, by).unwrap();
    assert_eq!(length_ms(), file.duration_ms + 60_000, "the file says nothing new about time");
    store.apply_config(&Config { duration_ms: 7_200_000, ..file }, by).unwrap();
    assert_eq!(length_ms(), 7_200_000);
    assert_eq!(store.settings().schedule.unwrap().start_ms, 5000);
}

#[test]
fn passwords_of_a_configuration_are_not_kept() {
    let scene = scene(1);
    let account = crate::contest::config::AccountEntry {
        login: "admin".to_owned(),
        name: "A".to_owned(),
        password: Some("open sesame".to_owned()),
        is_admin: true,
    };
    scene.store.apply_config(&Config { accounts: vec![account], ..config(&["a"]) }, scene.admin).unwrap();
    assert_eq!(scene.sql("SELECT count(*) FROM settings WHERE value LIKE '%sesame%'"), 0);
    assert_eq!(
        scene.sql("SELECT count(*) FROM settings WHERE value LIKE '%problems%'"),
        2,
        "as it is, and as its file said it"
    );
}

#[test]
fn the_freeze_moves_with_the_end_until_it_has_begun() {
    let scene = scene(1);
    let set = |start_ms, end_ms, freeze_ms| {
        let schedule = Schedule { start_ms, end_ms, freeze_ms, is_thawed: false };
        scene.store.set_schedule(schedule, scene.admin)
    };
    let now = || scene.store.settings().schedule.unwrap();
    set(0, 1000, Some(800)).unwrap();
    scene.store.extend(100, By::server(700)).unwrap();
    assert_eq!((now().end_ms, now().freeze_ms), (1100, Some(900)));
    scene.store.extend(100, By::server(950)).unwrap();
    assert_eq!((now().end_ms, now().freeze_ms), (1200, Some(900)));
    scene.store.freeze(By::server(500)).unwrap();
    assert_eq!(now().freeze_ms, Some(500));
    scene.store.thaw(By::server(1300)).unwrap();
    assert!(now().is_thawed);
    for wrong in [(10, 10, None), (0, 10, Some(11)), (5, 10, Some(4))] {
        assert!(matches!(set(wrong.0, wrong.1, wrong.2), Err(StoreError::BadSchedule)), "{wrong:?}");
    }
    assert!(matches!(scene.store.extend(-2000, By::server(0)), Err(StoreError::BadSchedule)));
    scene.store.start_at(5000, scene.admin).unwrap();
    assert_eq!((now().start_ms, now().end_ms), (5000, 5000 + Config::default().duration_ms));
}

#[test]
fn whoever_listens_hears_of_every_change_in_order() {
    let scene = scene(1);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ears = heard.clone();
    let before = scene.store.version();
    scene.store.listen(move |seq| ears.lock().unwrap().push(seq));
    scene.submit(0, 2000);
    scene.judge(Verdict::Ac);
    scene.store.thaw(scene.admin).unwrap();
    assert_eq!(*heard.lock().unwrap(), [before + 1, before + 2, before + 3]);
    assert_eq!(scene.store.version(), before + 3);
    assert_eq!(scene.kinds_since(before), [EventKind::Submitted, EventKind::Judged, EventKind::Settings]);
}

#[test]
fn attempts_follow_the_problems_that_are_in_the_contest() {
    let scene = scene(1);
    let ids = ["b", "a", "gone"].map(|slug| scene.submit_as(0, slug, 2000, Kind::Contest));
    scene.submit_as(0, "a", 2000, Kind::Practice);
    let places = |kind| {
        let (attempts, _) = scene.store.attempts(kind).unwrap();
        attempts.into_iter().map(|attempt| (attempt.id, attempt.problem)).collect::<Vec<_>>()
    };
    assert_eq!(places(Kind::Contest), [(ids[0].0, 1), (ids[1].0, 0)]);
    assert_eq!(places(Kind::Practice).len(), 1);
    scene.store.set_problem_enabled("a", false, scene.admin).unwrap();
    assert_eq!(places(Kind::Contest), [(ids[0].0, 0)]);
    assert!(scene.store.set_problem_enabled("gone", true, scene.admin).is_err());
}
