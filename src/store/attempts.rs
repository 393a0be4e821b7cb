//! Submissions as the board wants them: all at once, or those that have changed since an event. Never ranks.

use std::collections::HashMap;

use rusqlite::{Row, params};

use crate::contest::Attempt;
use crate::score::Points;
use crate::store::id::Word;
use crate::store::judgings::groups_of;
use crate::store::{Kind, Settings, Store, StoreError};

const COLUMNS: &str =
    "submissions.id, submissions.account, submissions.slug, submissions.at_ms, judgings.verdict,
    judgings.score_hundredths, judgings.groups";

/// An attempt with its problem's name, which has yet to become a place.
fn of_row(row: &Row<'_>) -> rusqlite::Result<(String, Attempt)> {
    let groups: Option<String> = row.get(6)?;
    let attempt = Attempt {
        id: row.get(0)?,
        team: row.get(1)?,
        problem: 0,
        at_ms: row.get(3)?,
        verdict: row.get::<_, Option<Word>>(4)?.map(|word| word.0),
        score: row.get::<_, Option<u64>>(5)?.map(Points::from_hundredths),
        groups: groups.map(|text| groups_of(&text)).unwrap_or_default(),
    };
    Ok((row.get(2)?, attempt))
}

/// Places of problems among those that are enabled. Attempts at others are left out.
fn placed(
    settings: &Settings,
    rows: impl Iterator<Item = rusqlite::Result<(String, Attempt)>>,
) -> Result<Vec<Attempt>, StoreError> {
    let places: HashMap<&str, usize> =
        settings.enabled().enumerate().map(|(place, problem)| (problem.slug.as_str(), place)).collect();
    let mut attempts = Vec::new();
    for row in rows {
        let (slug, attempt) = row?;
        if let Some(problem) = places.get(slug.as_str()) {
            attempts.push(Attempt { problem: *problem, ..attempt });
        }
    }
    Ok(attempts)
}

impl Store {
    /// Every attempt of this kind at an enabled problem of the contest, in the order in which they were handed in, and
    /// the number of the newest event that they show. `problem` is the place in [`Settings::enabled`].
    ///
    /// # Errors
    /// When the disk fails.
    pub fn attempts(&self, kind: Kind) -> Result<(Vec<Attempt>, i64), StoreError> {
        let settings = self.settings();
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM submissions
                 LEFT JOIN judgings ON judgings.submission = submissions.id AND judgings.is_current
                 WHERE submissions.kind = ? ORDER BY submissions.at_ms, submissions.id"
            ))?;
            let attempts = placed(&settings, statement.query_map([kind], of_row)?)?;
            Ok((attempts, super::events::newest(connection)?))
        })
    }

    /// The attempts of this kind that came or changed after event `seq`, as they are now, and the number of the newest
    /// event that they show. Whoever keeps a board replaces those of the same id. When a problem was enabled or disabled
    /// in between, everything has to be asked for again.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn attempts_since(&self, kind: Kind, seq: i64) -> Result<(Vec<Attempt>, i64), StoreError> {
        let settings = self.settings();
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM submissions
                 LEFT JOIN judgings ON judgings.submission = submissions.id AND judgings.is_current
                 WHERE submissions.kind = ?1 AND submissions.id IN (
                     SELECT subject FROM events WHERE seq > ?2 AND kind IN ('submitted', 'judged', 'rejudged'))
                 ORDER BY submissions.at_ms, submissions.id"
            ))?;
            let attempts = placed(&settings, statement.query_map(params![kind, seq], of_row)?)?;
            Ok((attempts, super::events::newest(connection)?))
        })
    }
}
