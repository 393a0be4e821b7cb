//! The store's rules, on databases in temporary folders. Nothing is judged here: verdicts are made up.

mod backups;
mod disk;
mod jobs;
mod opening;
mod people;
mod random;
mod rejudges;
mod schedule;

use tempfile::TempDir;

use super::*;
use crate::contest::config::{Config, ProblemEntry};
use crate::verdict::Verdict;

/// A store in a folder of its own, with an administrator and some teams.
struct Scene {
    store: Store,
    teams: Vec<AccountId>,
    admin: By,
    folder: TempDir,
}

fn new_account(login: &str, role: Role) -> NewAccount {
    NewAccount { login: login.to_owned(), name: login.to_uppercase(), role, password_hash: "#".to_owned() }
}

fn config(slugs: &[&str]) -> Config {
    let entry = |slug: &&str| ProblemEntry {
        slug: (*slug).to_owned(),
        label: slug.to_uppercase(),
        color: "#ffffff".to_owned(),
    };
    Config { problems: slugs.iter().map(entry).collect(), start_ms: Some(1000), ..Config::default() }
}

/// Opens a store that does not wait for the disk: what is tried here does not depend on it.
fn open(path: &Path, at_ms: i64) -> Store {
    let store = Store::open(path, at_ms).unwrap();
    store.writer().connection.pragma_update(None, "synchronous", "OFF").unwrap();
    store
}

/// A scene with as many teams, at two problems, `a` and `b`.
fn scene(teams: usize) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&folder.path().join("contest.db"), 0);
    let admin = store.create_accounts(&[new_account("admin", Role::Admin)], By::server(0)).unwrap()[0];
    let admin = By::account(admin, 1);
    let accounts: Vec<NewAccount> =
        (0..teams).map(|team| new_account(&format!("team{team:02}"), Role::Team)).collect();
    let teams = store.create_accounts(&accounts, admin).unwrap();
    store.apply_config(&config(&["a", "b"]), admin).unwrap();
    Scene { store, teams, admin, folder }
}

impl Scene {
    fn submit_as(&self, team: usize, slug: &str, at_ms: i64, kind: Kind) -> SubmissionId {
        let new = NewSubmission {
            account: self.teams[team],
            slug,
            language: "cpp",
            mode: None,
            file_name: "a.cpp",
            source: b"int main() {}",
            at_ms,
            kind,
        };
        self.store.submit(&new, None).unwrap()
    }

    fn submit(&self, team: usize, at_ms: i64) -> SubmissionId {
        self.submit_as(team, "a", at_ms, Kind::Contest)
    }

    fn claim(&self, mono_ms: u64) -> Option<Claim> {
        self.store.claim("slot 1", Lane::Smallest, mono_ms).unwrap()
    }

    /// Breaks or looks at the database by hand.
    fn sql(&self, sql: &str) -> i64 {
        self.store
            .write(|write| {
                let mut statement = write.prepare(sql)?;
                Ok(match statement.column_count() {
                    0 => i64::try_from(statement.execute(())?).unwrap(),
                    _ => statement.query_row((), |row| row.get(0))?,
                })
            })
            .unwrap()
    }

    fn kinds_since(&self, seq: i64) -> Vec<EventKind> {
        self.store.events_after(seq, MAX_PAGE).unwrap().into_iter().map(|event| event.kind).collect()
    }

    /// Judges the next submission in line.
    fn judge(&self, verdict: Verdict) -> SubmissionId {
        let claim = self.claim(0).expect("something is in line");
        let finished = self.store.finish(claim.lease, &Finish::bare(verdict), 5000).unwrap();
        assert!(matches!(finished, Finished::Recorded { .. }), "{finished:?}");
        claim.submission
    }

    fn verdict(&self, id: SubmissionId) -> Option<Verdict> {
        self.store.submission(id).unwrap().judging.map(|judging| judging.verdict)
    }

    fn state(&self, id: SubmissionId) -> State {
        self.store.submission(id).unwrap().state
    }

    /// The same database in a new process, as far as the store can tell.
    fn reopen(self) -> Self {
        let Self { store, teams, admin, folder } = self;
        let path = store.path().to_path_buf();
        drop(store);
        Self { store: open(&path, 9000), teams, admin, folder }
    }
}
