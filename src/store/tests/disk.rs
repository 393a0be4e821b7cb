//! A disk that is full, as SQLite says it when a database may have no more pages.

use super::*;

impl Store {
    /// Lets the database have so many more pages.
    pub(crate) fn leave_pages(&self, more: i64) {
        let writer = self.writer();
        let count = |name: &str| {
            writer.connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap()
        };
        let most = count("page_count") + more;
        writer.connection.pragma_update_and_check(None, "max_page_count", most, |_| Ok(())).unwrap();
    }
}

impl Scene {
    fn try_submit(&self, source: &[u8]) -> Result<SubmissionId, StoreError> {
        let new = NewSubmission {
            account: self.teams[0],
            slug: "a",
            language: "cpp",
            mode: None,
            file_name: "a.cpp",
            source,
            at_ms: 2000,
            kind: Kind::Contest,
        };
        self.store.submit(&new, None)
    }

    fn rows(&self) -> Vec<i64> {
        let tables = ["submissions", "sources", "jobs", "judgings", "judged_tests", "events", "turns"];
        tables.iter().map(|table| self.sql(&format!("SELECT count(*) FROM {table}"))).collect()
    }
}

#[test]
fn a_full_disk_is_told_and_leaves_nothing_half_written() {
    let scene = scene(1);
    let first = scene.submit(0, 2000);
    let claim = scene.claim(0).unwrap();
    scene.store.leave_pages(0);
    let (before, version) = (scene.rows(), scene.store.version());
    let error = scene.try_submit(&vec![b'x'; 500_000]).unwrap_err();
    assert!(matches!(error, StoreError::Full), "{error:?}");
    assert!(error.to_string().starts_with("the disk is full"));
    let tests = vec![JudgedTest { message: "m".repeat(9000), ..JudgedTest::default() }; 20];
    let large = Finish { tests, ..Finish::bare(Verdict::Wa) };
    assert!(matches!(scene.store.finish(claim.lease, &large, 0), Err(StoreError::Full)));
    assert_eq!((scene.rows(), scene.store.version()), (before, version));
    // What is there can be read, the lease is good still, and when there is room again everything goes on.
    assert_eq!((scene.state(first), scene.store.heartbeat(claim.lease, 1)), (State::Judging, true));
    scene.store.leave_pages(1000);
    assert!(matches!(
        scene.store.finish(claim.lease, &large, 0),
        Ok(Finished::Recorded { is_current: true, .. })
    ));
    let second = scene.try_submit(&vec![b'x'; 500_000]).unwrap();
    assert_eq!(scene.judge(Verdict::Ac), second);
}

#[test]
fn many_small_things_fill_it_in_whole_transactions() {
    let scene = scene(1);
    scene.store.leave_pages(12);
    let mut accepted = Vec::new();
    let error = loop {
        match scene.try_submit(b"int main() {}") {
            Ok(id) => accepted.push(id),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StoreError::Full) && !accepted.is_empty(), "{error:?}");
    let rows = scene.rows();
    assert!(rows[..3].iter().all(|count| usize::try_from(*count).unwrap() == accepted.len()), "{rows:?}");
    scene.store.leave_pages(1000);
    for _ in &accepted {
        scene.judge(Verdict::Ac);
    }
    assert!(accepted.iter().all(|id| scene.verdict(*id) == Some(Verdict::Ac)));
}
