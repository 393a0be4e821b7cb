//! Copies that are made while everything goes on.

use std::sync::atomic::AtomicBool;

use super::*;

/// Every row of every table, as text.
fn dump(path: &Path) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    let sound: String = connection.query_row("PRAGMA integrity_check", (), |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    assert!(!connection.prepare("PRAGMA foreign_key_check").unwrap().exists(()).unwrap());
    let names = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    let names: Vec<String> = connection
        .prepare(names)
        .unwrap()
        .query_map((), |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let mut rows = Vec::new();
    for name in names {
        let mut statement = connection.prepare(&format!("SELECT * FROM {name}")).unwrap();
        let columns = statement.column_count();
        let row_text = |row: &rusqlite::Row<'_>| {
            let values: Vec<rusqlite::types::Value> = (0..columns).map(|at| row.get(at).unwrap()).collect();
            Ok(format!("{name}: {values:?}"))
        };
        rows.extend(statement.query_map((), row_text).unwrap().map(Result::unwrap));
    }
    rows
}

#[test]
fn a_copy_is_of_one_instant_and_in_the_end_equal() {
    let scene = scene(3);
    let is_over = AtomicBool::new(false);
    let copy = |n: i32| scene.folder.path().join(format!("backup{n}.db"));
    std::thread::scope(|scope| {
        for team in 0..3 {
            let (scene, is_over) = (&scene, &is_over);
            scope.spawn(move || {
                while !is_over.load(Ordering::Relaxed) {
                    scene.submit(team, 2000);
                    if let Some(claim) = scene.claim(0) {
                        scene.store.finish(claim.lease, &Finish::bare(Verdict::Ac), 1).unwrap();
                    }
                }
            });
        }
        for n in 0..5 {
            scene.store.back_up(&copy(n)).unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
    });
    for n in 0..5 {
        let rows = dump(&copy(n));
        // A submission, its source, its event and its job or verdict are there together or not at all.
        let count = |table: &str| rows.iter().filter(|row| row.starts_with(&format!("{table}: "))).count();
        assert_eq!(count("sources"), count("submissions"));
        assert_eq!(count("jobs") + count("judgings"), count("submissions"));
        let copied = open(&copy(n), 0);
        let seq = copied.version();
        assert_eq!(
            copied.events_after(0, MAX_PAGE).unwrap(),
            scene
                .store
                .events_after(0, MAX_PAGE)
                .unwrap()
                .into_iter()
                .filter(|event| event.seq <= seq)
                .collect::<Vec<_>>()
        );
    }
    scene.store.back_up(&copy(5)).unwrap();
    back_up_file(scene.store.path(), &copy(6)).unwrap();
    let source = dump(scene.store.path());
    assert!(source.len() > 20 && dump(&copy(5)) == source && dump(&copy(6)) == source);
}

#[test]
fn a_copy_overwrites_nothing_and_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt as _;
    let scene = scene(1);
    let to = scene.folder.path().join("backup.db");
    scene.store.back_up(&to).unwrap();
    assert_eq!(std::fs::metadata(&to).unwrap().permissions().mode() & 0o777, 0o600);
    let before = std::fs::read(&to).unwrap();
    assert!(matches!(scene.store.back_up(&to), Err(StoreError::Exists { .. })));
    assert!(matches!(back_up_file(scene.store.path(), &to), Err(StoreError::Exists { .. })));
    assert_eq!(std::fs::read(&to).unwrap(), before);
    let nowhere = scene.folder.path().join("no/backup.db");
    assert!(matches!(scene.store.back_up(&nowhere), Err(StoreError::File { .. })));
    assert!(back_up_file(&scene.folder.path().join("absent.db"), &nowhere).is_err());
    let text = scene.folder.path().join("text");
    std::fs::write(&text, "text".repeat(500)).unwrap();
    let target = scene.folder.path().join("target.db");
    assert!(matches!(back_up_file(&text, &target), Err(StoreError::Foreign { .. })));
    assert!(!target.exists());
}

#[test]
fn a_copy_can_be_used_instead() {
    let scene = scene(1);
    let (judged, waiting) = (scene.submit(0, 2000), scene.submit(0, 2001));
    scene.judge(Verdict::Ac);
    let on_its_way = scene.claim(0).unwrap();
    let to = scene.folder.path().join("backup.db");
    scene.store.back_up(&to).unwrap();
    let Scene { store, teams, admin, folder } = scene;
    drop(store);
    let scene = Scene { store: open(&to, 0), teams, admin, folder };
    assert_eq!(scene.verdict(judged), Some(Verdict::Ac));
    assert_eq!(scene.store.finish(on_its_way.lease, &Finish::bare(Verdict::Wa), 0).unwrap(), Finished::Stale);
    assert_eq!(scene.judge(Verdict::Ac), waiting);
}
