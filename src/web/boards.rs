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
    made: Mutex<Made>,
}

#[derive(Default)]
struct Made {
    /// What the rest was made from.
    key: Option<Key>,
    attempts: Arc<Vec<Attempt>>,
    teams: Arc<Vec<Account>>,
    boards: BTreeMap<u8, Arc<Board>>,
    tables: BTreeMap<(u8, Tongue), Arc<Table>>,
}

/// What a board follows from: what happened, and where the contest is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    version: i64,
    phase: Option<contest::Phase>,
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
    pub(crate) fn board(
        &self,
        app: &App,
        settings: &Settings,
        view: View,
        now_ms: i64,
    ) -> Result<Arc<Board>, Failure> {
        let mut made = self.fresh(app, settings, now_ms)?;
        let placed = app.placed(settings);
        if let View::Team(_) = view {
            return Ok(Arc::new(of(settings, &made.attempts, &made.teams, placed.len(), view, now_ms)));
        }
        if let Some(board) = made.boards.get(&shared(view)) {
            return Ok(Arc::clone(board));
        }
        let board = Arc::new(of(settings, &made.attempts, &made.teams, placed.len(), view, now_ms));
        made.boards.insert(shared(view), Arc::clone(&board));
        Ok(board)
    }

    /// The same as markup.
    pub(crate) fn table(
        &self,
        app: &App,
        settings: &Settings,
        view: View,
        tongue: Tongue,
        now_ms: i64,
    ) -> Result<Arc<Table>, Failure> {
        let view = if view == View::Jury { View::Jury } else { View::Public };
        let key = (shared(view), tongue);
        if let Some(table) = self.fresh(app, settings, now_ms)?.tables.get(&key) {
            return Ok(Arc::clone(table));
        }
        let board = self.board(app, settings, view, now_ms)?;
        let teams = Arc::clone(&self.fresh(app, settings, now_ms)?.teams);
        let html = markup(settings, &app.placed(settings), &board, &names(&teams), tongue)?;
        let table = Arc::new(Table::new(html));
        self.fresh(app, settings, now_ms)?.tables.insert(key, Arc::clone(&table));
        Ok(table)
    }

    /// What was made, emptied first when something has happened since.
    fn fresh(
        &self,
        app: &App,
        settings: &Settings,
        now_ms: i64,
    ) -> Result<std::sync::MutexGuard<'_, Made>, Failure> {
        let phase = settings.schedule.map(|schedule| schedule.phase(now_ms));
        let key = Key { version: app.store.version(), phase };
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if made.key != Some(key) {
            let (attempts, _) = app.store.attempts(Kind::Contest)?;
            let teams = teams(app)?;
            *made = Made {
                key: Some(key),
                attempts: Arc::new(attempts),
                teams: Arc::new(teams),
                ..Made::default()
            };
        }
        Ok(made)
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
