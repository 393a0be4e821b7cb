//! What the contest is: its configuration as it was applied last, and what staff have changed since. Checks nothing of a
//! configuration; `contest::config` has done that.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError};

use rusqlite::{Connection, OptionalExtension as _, params};
use serde::{Serialize, de::DeserializeOwned};

use crate::contest::Schedule;
use crate::contest::config::Config;
use crate::store::events::About;
use crate::store::{Action, By, EventKind, Store, StoreError, Write};

/// The contest as it is now.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The configuration as it was applied last, without its accounts: passwords are not for this table.
    pub config: Option<Config>,
    /// When it runs, as staff have changed it; `None` until somebody sets a start.
    pub schedule: Option<Schedule>,
    /// Its problems in order.
    pub problems: Vec<ProblemSetting>,
}

/// A problem of the contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemSetting {
    /// What the database knows it by.
    pub slug: String,
    /// What people know it by.
    pub label: String,
    /// Its balloon, as in `#e6194b`.
    pub color: String,
    /// Whether it is part of the contest at present.
    pub is_enabled: bool,
}

impl Settings {
    /// The problems that are part of the contest at present, in order: the columns of the board.
    pub fn enabled(&self) -> impl Iterator<Item = &ProblemSetting> {
        self.problems.iter().filter(|problem| problem.is_enabled)
    }
}

const CONFIG: &str = "config";
/// The configuration as its file said it last, which is what a change of the file is told by.
const FILE: &str = "file";
const SCHEDULE: &str = "schedule";

pub(super) fn load(connection: &Connection) -> Result<Settings, StoreError> {
    let config: Option<Config> = value(connection, CONFIG)?;
    let disabled: HashSet<String> = connection
        .prepare_cached("SELECT slug FROM disabled_problems")?
        .query_map((), |row| row.get(0))?
        .collect::<Result<_, _>>()?;
    let entries = config.iter().flat_map(|config| &config.problems);
    let problems = entries.map(|entry| ProblemSetting {
        slug: entry.slug.clone(),
        label: entry.label.clone(),
        color: entry.color.clone(),
        is_enabled: !disabled.contains(&entry.slug),
    });
    Ok(Settings { problems: problems.collect(), schedule: value(connection, SCHEDULE)?, config })
}

fn value<T: DeserializeOwned>(connection: &Connection, name: &str) -> Result<Option<T>, StoreError> {
    let mut statement = connection.prepare_cached("SELECT value FROM settings WHERE name = ?")?;
    let text: Option<String> = statement.query_row([name], |row| row.get(0)).optional()?;
    let read = |text: String| {
        serde_json::from_str(&text)
            .map_err(|error| StoreError::Damaged(format!("the setting `{name}`: {error}")))
    };
    text.map(read).transpose()
}

fn set(write: &Write<'_>, name: &str, value: &impl Serialize) -> Result<(), StoreError> {
    let text = serde_json::to_string(value).map_err(|error| StoreError::Damaged(error.to_string()))?;
    write.execute(
        "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        params![name, text],
    )?;
    write.changes_settings.set(true);
    Ok(())
}

/// When a configuration says that its contest is.
fn scheduled(config: &Config) -> Option<Schedule> {
    Some(Schedule::planned(config.start_ms?, config.duration_ms, config.freeze_before_end_ms))
}

/// What a file that has changed makes of the schedule; `None` where it says nothing new about it. A contest that staff
/// have begun by the button takes a new length too.
fn rescheduled(last: Option<&Config>, file: &Config, now: Option<Schedule>) -> Option<Schedule> {
    let times = |config: &Config| (config.start_ms, config.duration_ms, config.freeze_before_end_ms);
    if last.map(times) == Some(times(file)) {
        return None;
    }
    match (scheduled(file), last, now) {
        (Some(schedule), ..) => Some(schedule),
        (None, Some(_), Some(now)) => {
            let planned = Schedule::planned(now.start_ms, file.duration_ms, file.freeze_before_end_ms);
            Some(Schedule { is_thawed: now.is_thawed, ..planned })
        }
        _ => None,
    }
}

impl Store {
    /// The contest as it is now, from memory.
    pub fn settings(&self) -> Arc<Settings> {
        self.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes over what the contest's file says: all of it the first time, later what has changed in the file since it was
    /// read last, so that to start the server again undoes nothing that staff have done. Says whether anything changed.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn apply_config(&self, file: &Config, by: By) -> Result<bool, StoreError> {
        let file = Config { accounts: Vec::new(), ..file.clone() };
        self.write(|write| {
            let (last, before): (Option<Config>, Option<Config>) =
                (value(write, FILE)?, value(write, CONFIG)?);
            if last.as_ref() == Some(&file) {
                return Ok(false);
            }
            let config = match (&last, &before) {
                (Some(last), Some(before)) => before.with_changes_of_file(last, &file),
                _ => file.clone(),
            };
            if let Some(schedule) = rescheduled(last.as_ref(), &file, value(write, SCHEDULE)?) {
                set(write, SCHEDULE, &schedule)?;
            }
            set(write, FILE, &file)?;
            set(write, CONFIG, &config)?;
            write.audit(by, Action::ApplyConfiguration, "", "")?;
            write.event(EventKind::Settings, by.at_ms, About::default())?;
            Ok(true)
        })
    }

    /// Makes this the contest's configuration, whatever its file says; it stands until the file itself changes in the
    /// same respect. The schedule stays as it is.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn change_config(&self, config: &Config, by: By) -> Result<(), StoreError> {
        let config = Config { accounts: Vec::new(), ..config.clone() };
        self.write(|write| {
            let before: Option<Config> = value(write, CONFIG)?;
            if before.as_ref() == Some(&config) {
                return Ok(());
            }
            set(write, CONFIG, &config)?;
            let names = |config: &Config| {
                config.names.iter().map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(" / ")
            };
            let before = before.as_ref().map(names).unwrap_or_default();
            write.audit(by, Action::ChangeConfiguration, "", &format!("{before} → {}", names(&config)))?;
            write.event(EventKind::Settings, by.at_ms, About::default())?;
            Ok(())
        })
    }

    /// Notes that a problem was read again from its files, so that every page asks for it anew.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn note_problem_read(&self, slug: &str, detail: &str, by: By) -> Result<(), StoreError> {
        self.write(|write| {
            write.audit(by, Action::ReadProblem, slug, detail)?;
            write.event(EventKind::Problem, by.at_ms, About { slug: Some(slug), ..About::default() })?;
            Ok(())
        })
    }

    /// Sets when the contest runs.
    ///
    /// # Errors
    /// When it would end before it starts or be frozen outside of it, or the disk fails.
    pub fn set_schedule(&self, schedule: Schedule, by: By) -> Result<(), StoreError> {
        self.reschedule(Action::SetSchedule, by, |_| Ok(schedule))
    }

    /// Lets the contest start at `start_ms`, as long and with as long a freeze as its configuration says.
    ///
    /// # Errors
    /// When there is no configuration yet, or the disk fails.
    pub fn start_at(&self, start_ms: i64, by: By) -> Result<(), StoreError> {
        let settings = self.settings();
        let config = settings.config.as_ref().ok_or(StoreError::NoSchedule)?;
        let config = Config { start_ms: Some(start_ms), ..config.clone() };
        self.reschedule(Action::SetStart, by, |_| scheduled(&config).ok_or(StoreError::NoSchedule))
    }

    /// Moves the end by `by_ms`, and with it the freeze unless it has begun.
    ///
    /// # Errors
    /// When there is no schedule yet, the end would come before the start, or the disk fails.
    pub fn extend(&self, by_ms: i64, by: By) -> Result<(), StoreError> {
        self.reschedule(Action::Extend, by, |before| {
            let Schedule { start_ms, end_ms, freeze_ms, is_thawed } = before.ok_or(StoreError::NoSchedule)?;
            let end_ms = end_ms.saturating_add(by_ms);
            let moved = |freeze_ms: i64| {
                if freeze_ms <= by.at_ms { freeze_ms } else { freeze_ms.saturating_add(by_ms).max(start_ms) }
            };
            Ok(Schedule { start_ms, end_ms, freeze_ms: freeze_ms.map(moved), is_thawed })
        })
    }

    /// Hides what is handed in from now on, whatever was planned.
    ///
    /// # Errors
    /// When the contest is not running, or the disk fails.
    pub fn freeze(&self, by: By) -> Result<(), StoreError> {
        self.reschedule(Action::Freeze, by, |before| {
            let before = before.ok_or(StoreError::NoSchedule)?;
            Ok(Schedule { freeze_ms: Some(by.at_ms), is_thawed: false, ..before })
        })
    }

    /// Shows what the freeze hid.
    ///
    /// # Errors
    /// When there is no schedule yet, or the disk fails.
    pub fn thaw(&self, by: By) -> Result<(), StoreError> {
        self.reschedule(Action::Thaw, by, |before| {
            Ok(Schedule { is_thawed: true, ..before.ok_or(StoreError::NoSchedule)? })
        })
    }

    /// Takes a problem into the contest or out of it.
    ///
    /// # Errors
    /// When the contest has no such problem, or the disk fails.
    pub fn set_problem_enabled(&self, slug: &str, is_enabled: bool, by: By) -> Result<(), StoreError> {
        if !self.settings().problems.iter().any(|problem| problem.slug == slug) {
            return Err(StoreError::Missing("problem of this contest"));
        }
        self.write(|write| {
            let sql = match is_enabled {
                true => "DELETE FROM disabled_problems WHERE slug = ?",
                false => "INSERT INTO disabled_problems (slug) VALUES (?) ON CONFLICT DO NOTHING",
            };
            write.execute(sql, [slug])?;
            write.changes_settings.set(true);
            write.audit(
                by,
                if is_enabled { Action::EnableProblem } else { Action::DisableProblem },
                slug,
                "",
            )?;
            write.event(EventKind::Problem, by.at_ms, About { slug: Some(slug), ..About::default() })?;
            Ok(())
        })
    }

    fn reschedule(
        &self,
        action: Action,
        by: By,
        work: impl FnOnce(Option<Schedule>) -> Result<Schedule, StoreError>,
    ) -> Result<(), StoreError> {
        self.write(|write| {
            let before: Option<Schedule> = value(write, SCHEDULE)?;
            let schedule = work(before)?;
            let Schedule { start_ms, end_ms, freeze_ms, .. } = schedule;
            if start_ms >= end_ms
                || freeze_ms.is_some_and(|freeze_ms| !(start_ms..=end_ms).contains(&freeze_ms))
            {
                return Err(StoreError::BadSchedule);
            }
            set(write, SCHEDULE, &schedule)?;
            let text = |schedule: &Schedule| serde_json::to_string(schedule).unwrap_or_default();
            let before = before.as_ref().map(text).unwrap_or_default();
            write.audit(by, action, "", &format!("{before} → {}", text(&schedule)))?;
            write.event(EventKind::Settings, by.at_ms, About::default())?;
            Ok(())
        })
    }
}
