//! Opening a database: whose it is, of which version, after which death.

use super::*;

#[test]
fn a_second_process_is_refused_by_name() {
    let scene = scene(1);
    let refused = Store::open(scene.store.path(), 0).err().expect("it is in use").to_string();
    let own = std::process::id();
    assert!(refused.contains(&format!("is in use by another touchstone (process {own})")), "{refused}");
    scene.submit(0, 2000);
    scene.reopen();
}

#[test]
fn what_is_no_contest_is_refused_and_left_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(
        &text,
        "not a database, but long enough to have been one in its first hundred bytes\n".repeat(9),
    )
    .unwrap();
    let other = folder.path().join("other.db");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    for path in [text, other] {
        let before = std::fs::read(&path).unwrap();
        let error = Store::open(&path, 0).err().expect("it is something else");
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
    let nowhere = folder.path().join("no/contest.db");
    assert!(matches!(Store::open(&nowhere, 0), Err(StoreError::File { .. })));
}

#[test]
fn a_newer_form_is_refused() {
    let scene = scene(1);
    scene.store.writer().connection.pragma_update(None, "user_version", 99).unwrap();
    let path = scene.store.path().to_path_buf();
    drop(scene.store);
    let error = Store::open(&path, 0).err().expect("it is newer");
    assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
}

#[test]
fn every_older_form_is_brought_to_the_newest() {
    for version in 0..=schema::STEPS.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("contest.db");
        let mut connection = Connection::open(&path).unwrap();
        schema::migrate(&mut connection, &path, &schema::STEPS[..version]).unwrap();
        drop(connection);
        let store = open(&path, 0);
        let find = |name: &str| {
            let writer = store.writer();
            writer.connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap()
        };
        assert_eq!(find("user_version"), i64::try_from(schema::STEPS.len()).unwrap());
        store.create_accounts(&[new_account("admin", Role::Admin)], By::server(0)).unwrap();
    }
}

#[test]
fn steps_are_taken_once_in_order_and_all_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("any.db");
    let mut connection = Connection::open(&path).unwrap();
    let steps = [
        "CREATE TABLE t (x); INSERT INTO t VALUES (1)",
        "ALTER TABLE t ADD COLUMN y; UPDATE t SET y = 2 * x",
    ];
    schema::migrate(&mut connection, &path, &steps[..1]).unwrap();
    schema::migrate(&mut connection, &path, &steps).unwrap();
    schema::migrate(&mut connection, &path, &steps).unwrap();
    let row = |connection: &Connection| {
        connection
            .query_row("SELECT count(*), sum(y) FROM t", (), |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
            })
            .unwrap()
    };
    assert_eq!(row(&connection), (1, 2));
    let broken = [steps[0], steps[1], "DELETE FROM t", "THIS IS NOT SQL"];
    assert!(schema::migrate(&mut connection, &path, &broken).is_err());
    assert_eq!(row(&connection), (1, 2));
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
    assert_eq!(version, 2);
}

#[test]
fn only_its_owner_can_read_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let scene = scene(1);
    for entry in std::fs::read_dir(scene.folder.path()).unwrap() {
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", entry.path().display());
    }
}

#[test]
fn what_is_known_outlives_the_process() {
    let scene = scene(2);
    scene.submit(0, 2000);
    scene.judge(Verdict::Ac);
    scene.store.set_problem_enabled("b", false, scene.admin).unwrap();
    let (version, schedule) = (scene.store.version(), scene.store.settings().schedule);
    let scene = scene.reopen();
    assert_eq!(scene.store.version(), version);
    assert_eq!(scene.store.settings().schedule, schedule);
    assert_eq!(scene.store.settings().enabled().count(), 1);
    assert_eq!(scene.store.accounts().unwrap().len(), 3);
}

#[test]
fn what_is_answered_waits_for_the_disk() {
    let scene = scene(1);
    let path = scene.store.path().to_path_buf();
    drop(scene.store);
    // As it is opened for use, and not as these tests do.
    let store = Store::open(&path, 0).unwrap();
    let find = |name: &str| {
        store
            .writer()
            .connection
            .pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0))
            .unwrap()
    };
    assert_eq!(find("synchronous"), 2.into());
    assert_eq!(find("journal_mode"), "wal".to_owned().into());
    assert_eq!(find("foreign_keys"), 1.into());
}
