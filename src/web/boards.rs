//! Boards as they are shown, made once for each change and then handed out. A board's bytes follow from what its viewers
//! may know and from nothing else, its tag as well.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use askama::Template;
use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use crate::contest::{self, Attempt, Board, Cell, Schedule, Scoring, View};
use crate::package::natural;
use crate::store::{Account, Kind, Role, Settings};
use crate::web::app::{App, Placed, config};
use crate::web::reply::Failure;
use crate::web::tongue::Tongue;
use crate::web::words::Words;

/// A board as markup.
pub(crate) struct Table {
    pub(crate) html: Arc<str>,
    /// Follows from the markup.
    pub(crate) tag: String,
    packed: OnceLock<Bytes>,
}

impl Table {
    fn new(html: String) -> Self {
        Self { tag: tag(&html), html: html.into(), packed: OnceLock::new() }
    }

    /// The markup by gzip, packed once for all browsers; `None` if that fails.
    pub(crate) fn packed(&self) -> Option<Bytes> {
        if let Some(packed) = self.packed.get() {
            return Some(packed.clone());
        }
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(self.html.as_bytes()).ok()?;
        let packed = Bytes::from(packer.finish().ok()?);
        Some(self.packed.get_or_init(|| packed).clone())
    }
}

/// Boards that were made.
#[derive(Default)]
pub(crate) struct Boards {
    // Held while a board is made: who waits wants the same board, and none is kept for a state that it does not show.
    made: Mutex<Option<Made>>,
}

/// What follows from one state of the contest.
struct Made {
    version: i64,
    phase: Option<contest::Phase>,
    settings: Arc<Settings>,
    attempts: Vec<Attempt>,
    teams: Vec<Account>,
    boards: BTreeMap<u8, Arc<Board>>,
    tables: BTreeMap<(u8, Tongue), Arc<Table>>,
}

/// Views that all of their viewers share.
fn shared(view: View) -> u8 {
    match view {
        View::Jury => 0,
        View::Public | View::Team(_) => 1,
    }
}

impl Boards {
    /// The board that `view` sees; a team's own row is live in it.
    pub(crate) fn board(&self, app: &App, view: View, now_ms: i64) -> Result<Arc<Board>, Failure> {
        self.with(app, now_ms, |made| Ok(made.board(app, view, now_ms)))
    }

    /// The same as markup.
    pub(crate) fn table(
        &self,
        app: &App,
        view: View,
        tongue: Tongue,
        now_ms: i64,
    ) -> Result<Arc<Table>, Failure> {
        let view = if view == View::Jury { View::Jury } else { View::Public };
        self.with(app, now_ms, |made| made.table(app, view, tongue, now_ms))
    }

    /// Gives `take` what was made of the contest as it is now.
    fn with<T>(
        &self,
        app: &App,
        now_ms: i64,
        take: impl FnOnce(&mut Made) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut held = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        // Asked first: what is read after it is as new or newer.
        let version = app.store.version();
        let settings = app.store.settings();
        let phase = settings.schedule.map(|schedule| schedule.phase(now_ms));
        match &mut *held {
            Some(made) if (made.version, made.phase) == (version, phase) => take(made),
            held => take(held.insert(Made {
                version,
                phase,
                settings,
                attempts: app.store.attempts(Kind::Contest)?.0,
                teams: teams(app)?,
                boards: BTreeMap::new(),
                tables: BTreeMap::new(),
            })),
        }
    }
}

impl Made {
    fn board(&mut self, app: &App, view: View, now_ms: i64) -> Arc<Board> {
        let kept = self.boards.get(&shared(view)).filter(|_| !matches!(view, View::Team(_)));
        if let Some(board) = kept {
            return Arc::clone(board);
        }
        let problems = app.placed(&self.settings).len();
        let board = Arc::new(of(&self.settings, &self.attempts, &self.teams, problems, view, now_ms));
        if !matches!(view, View::Team(_)) {
            self.boards.insert(shared(view), Arc::clone(&board));
        }
        board
    }

    fn table(&mut self, app: &App, view: View, tongue: Tongue, now_ms: i64) -> Result<Arc<Table>, Failure> {
        let key = (shared(view), tongue);
        if let Some(table) = self.tables.get(&key) {
            return Ok(Arc::clone(table));
        }
        let board = self.board(app, view, now_ms);
        let placed = app.placed(&self.settings);
        let html = markup(&self.settings, &placed, &board, &names(&self.teams), tongue)?;
        let table = Arc::new(Table::new(html));
        self.tables.insert(key, Arc::clone(&table));
        Ok(table)
    }
}

/// The teams that are shown, by name, which is how equal ones stand.
fn teams(app: &App) -> Result<Vec<Account>, Failure> {
    let is_shown = |account: &Account| account.role == Role::Team && account.is_enabled;
    let shown = app.store.accounts()?.into_iter().filter(is_shown);
    let mut teams: Vec<(String, Account)> = shown.map(|team| (team.name.to_lowercase(), team)).collect();
    // Team 9 stands before team 10.
    teams.sort_by(|(name, team), (other_name, other)| natural(name, other_name).then(team.id.cmp(&other.id)));
    Ok(teams.into_iter().map(|(_, team)| team).collect())
}

/// The names of teams.
pub(crate) fn names(teams: &[Account]) -> BTreeMap<i64, String> {
    teams.iter().map(|team| (team.id.0, team.name.clone())).collect()
}

fn of(
    settings: &Settings,
    attempts: &[Attempt],
    teams: &[Account],
    problems: usize,
    view: View,
    now_ms: i64,
) -> Board {
    let teams: Vec<i64> = teams.iter().map(|team| team.id.0).collect();
    let never = Schedule { start_ms: i64::MAX, end_ms: i64::MAX, freeze_ms: None, is_thawed: false };
    let schedule = settings.schedule.unwrap_or(never);
    contest::board(&config(settings).rules, &schedule, &teams, problems, attempts, view, now_ms)
}

/// A team's own run through the contest among the original results, as ghosts.
pub(crate) fn with_ghosts(
    app: &App,
    settings: &Settings,
    own: &Schedule,
    team: &Account,
    now_ms: i64,
) -> Result<(Board, BTreeMap<i64, String>), Failure> {
    let placed = app.placed(settings);
    let original = settings.schedule.unwrap_or(*own);
    let (of_contest, _) = app.store.attempts(Kind::Contest)?;
    let mut attempts = contest::replayed(&of_contest, &original, own.start_ms);
    attempts.retain(|attempt| attempt.team != team.id.0);
    let (own_attempts, _) = app.store.attempts(Kind::Virtual)?;
    attempts.extend(own_attempts.into_iter().filter(|attempt| attempt.team == team.id.0));
    let teams = teams(app)?;
    let rows: Vec<i64> = teams.iter().map(|team| team.id.0).collect();
    let rules = &config(settings).rules;
    let board = contest::board(rules, own, &rows, placed.len(), &attempts, View::Jury, now_ms);
    Ok((board, names(&teams)))
}

struct HeadCell<'a> {
    label: &'a str,
    title: &'a str,
}

struct TableRow<'a> {
    team: i64,
    name: &'a str,
    rank: u32,
    solved: u32,
    penalty: u64,
    score: String,
    cells: Vec<TableCell>,
}

struct TableCell {
    class: &'static str,
    main: String,
    below: String,
}

#[derive(Template)]
#[template(path = "board_table.html", config = "src/web/askama.toml")]
struct TableMarkup<'a> {
    t: &'static Words,
    icpc: bool,
    problems: Vec<HeadCell<'a>>,
    rows: Vec<TableRow<'a>>,
}

/// A board as markup.
pub(crate) fn markup(
    settings: &Settings,
    placed: &[Placed],
    board: &Board,
    names: &BTreeMap<i64, String>,
    tongue: Tongue,
) -> Result<String, Failure> {
    let icpc = config(settings).rules.scoring == Scoring::Icpc;
    let row = |row: &contest::Row| {
        Some(TableRow {
            team: row.team,
            name: names.get(&row.team)?,
            rank: row.rank,
            solved: row.solved,
            penalty: row.penalty_minutes,
            score: row.score.to_string(),
            cells: row.cells.iter().map(|cell| table_cell(cell, icpc)).collect(),
        })
    };
    let table = TableMarkup {
        t: tongue.words(),
        icpc,
        problems: placed
            .iter()
            .map(|place| HeadCell { label: &place.label, title: place.problem.title(tongue.code()) })
            .collect(),
        rows: board.rows.iter().filter_map(row).collect(),
    };
    Ok(table.render()?)
}

/// A cell by letters: `+` solved, `+2` after two wrong tries, `−2` two wrong tries, `?` pending.
fn table_cell(cell: &Cell, icpc: bool) -> TableCell {
    let tries = |sign: &str, count: u32| if count > 0 { format!("{sign}{count}") } else { sign.to_owned() };
    if !icpc && let Some(score) = cell.score {
        let class = match (cell.pending > 0, cell.solved_minute) {
            (true, _) => "pending",
            (false, Some(_)) => "solved",
            (false, None) => "wrong",
        };
        let below = if cell.pending > 0 { tries("?", cell.pending) } else { String::new() };
        return TableCell { class, main: score.to_string(), below };
    }
    match cell.solved_minute {
        Some(minute) => TableCell {
            class: if cell.is_first { "first" } else { "solved" },
            main: format!("{}{}", tries("+", cell.wrong), if cell.is_first { "★" } else { "" }),
            below: format!("{}:{:02}", minute / 60, minute % 60),
        },
        None if cell.pending > 0 => TableCell {
            class: "pending",
            main: tries("?", cell.pending),
            below: if cell.wrong > 0 { tries("−", cell.wrong) } else { String::new() },
        },
        None if cell.wrong > 0 => {
            TableCell { class: "wrong", main: tries("−", cell.wrong), below: String::new() }
        }
        None => TableCell { class: "", main: String::new(), below: String::new() },
    }
}

fn tag(html: &str) -> String {
    let digest = Sha256::digest(html.as_bytes());
    let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::*;
    use crate::store::{By, NewAccount, Store};

    /// However the askers and the changes fall together, nobody is left with a board of before the last change.
    #[test]
    fn the_board_kept_is_that_of_the_last_change() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::of_store(Store::open(&folder.path().join("contest.db"), 0).unwrap());
        let rows = || {
            let table = app.boards.table(&app, View::Public, Tongue::En, 0).unwrap();
            table.html.matches("<tr data-team=").count()
        };
        let create = |numbers: RangeInclusive<usize>| {
            let account = |number| NewAccount {
                login: format!("team{number}"),
                name: format!("Team {number}"),
                role: Role::Team,
                password_hash: String::new(),
            };
            app.store.create_accounts(&numbers.map(account).collect::<Vec<_>>(), By::server(0)).unwrap();
        };
        // So many at first that to make a board takes as long as to change something.
        create(1..=300);
        let is_over = AtomicBool::new(false);
        let seen: Vec<usize> = thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        rows();
                    }
                });
            }
            let seen = (301..=360).step_by(2).map(|number| {
                // The second falls into the making of a board after the first.
                create(number..=number);
                create(number + 1..=number + 1);
                rows()
            });
            let seen = seen.collect();
            is_over.store(true, Ordering::Relaxed);
            seen
        });
        assert_eq!(seen, (302..=360).step_by(2).collect::<Vec<_>>());
    }
}
