//! How the contest's machine is: queue, judge slots, what was given up, disk, clock.

use askama::Template;

use crate::report::quantity;
use crate::store::{By, JobId, Reader, Role};
use crate::web::frame::Page;
use crate::web::pages::{Scene, row};
use crate::web::reply::{self, Failure, Reply};
use crate::web::time;
use crate::web::words::Words;

/// With less than this, staff should make room.
const LOW_DISK_BYTES: u64 = 1 << 30;
/// A first verdict that has been waited for so long wants a look.
const LONG_WAIT_MS: i64 = 60_000;

struct Tile {
    name: &'static str,
    value: String,
    /// Where the value is an instant: in RFC 3339.
    instant: String,
    below: String,
    alarm: bool,
}

struct Job {
    submission: i64,
    /// The number of the job, where it is to be released.
    job: i64,
    team: String,
    label: String,
    state: String,
}

#[derive(Template)]
#[template(path = "staff/dashboard.html", config = "src/web/askama.toml")]
struct DashboardPage {
    page: Page,
    t: &'static Words,
    tiles: Vec<Tile>,
    running: Vec<Job>,
    quarantined: Vec<Job>,
}

pub(crate) fn page(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let Scene { app, visitor, settings, .. } = scene;
    let (queue, quarantined) = (app.store.queue()?, app.store.quarantined()?);
    let names = app.names()?;
    let placed = app.placed(settings);
    let name = |id| names.get(&id).cloned().unwrap_or_default();
    let mut running = Vec::with_capacity(queue.taken.len());
    for (slot, id) in &queue.taken {
        let submission = app.store.submission(*id)?;
        let state = match app.progress_of(id.0) {
            Some((test, tests)) => format!("{slot} · {test}/{tests}"),
            None => slot.clone(),
        };
        running.push(Job {
            submission: id.0,
            job: 0,
            team: name(submission.account),
            label: row::place(visitor, &placed, &submission.slug).0,
            state,
        });
    }
    let quarantined: Vec<Job> = quarantined
        .into_iter()
        .map(|it| Job {
            submission: it.submission.0,
            job: it.job.0,
            team: name(it.account),
            label: row::place(visitor, &placed, &it.slug).0,
            state: it.trouble,
        })
        .collect();
    let page = DashboardPage {
        page: scene.page("staff")?,
        t: scene.words(),
        tiles: tiles(scene, &queue, quarantined.len())?,
        running,
        quarantined,
    };
    Ok(reply::page(page.render()?))
}

fn tiles(
    scene: &Scene<'_>,
    queue: &crate::store::QueueReport,
    quarantined: usize,
) -> Result<Vec<Tile>, Failure> {
    let Scene { app, visitor, .. } = scene;
    let words = scene.words();
    let tile = |name, value: String, below: String, alarm| {
        let instant = String::new();
        Tile { name, value, instant, below, alarm }
    };
    let waits_ms = queue.oldest_queued_at_ms.map(|since_ms| visitor.now_ms.saturating_sub(since_ms));
    let teams = app.store.accounts()?.iter().filter(|account| account.role == Role::Team).count();
    let unanswered = app.store.unread(Reader::Staff)?;
    let mut tiles = vec![
        tile(
            words.queue,
            queue.queued.iter().sum::<u64>().to_string(),
            waits_ms.map_or_else(String::new, |ms| format!("{}: {}", words.waiting_longest, time::clock(ms))),
            waits_ms.is_some_and(|ms| ms > LONG_WAIT_MS),
        ),
        tile(words.slots, format!("{} / {}", queue.taken.len(), app.slots), String::new(), app.slots == 0),
        tile(words.quarantine, quarantined.to_string(), String::new(), quarantined > 0),
        tile(words.unanswered, unanswered.to_string(), String::new(), unanswered > 0),
        tile(words.teams, teams.to_string(), String::new(), false),
        tile(words.streams, app.hub.streams().to_string(), String::new(), false),
        Tile {
            instant: time::instant(visitor.now_ms),
            ..tile(words.server_clock, time::day(visitor.now_ms), String::new(), false)
        },
    ];
    if let Some(free_bytes) = free_bytes(app.store.path()) {
        let size = format!("contest.db: {}", quantity::memory(app.store.size_bytes()));
        tiles.push(tile(words.disk, room(free_bytes), size, free_bytes < LOW_DISK_BYTES));
    }
    Ok(tiles)
}

/// As in `59.0 GiB`.
fn room(bytes: u64) -> String {
    let tenths = bytes.saturating_mul(10) >> 30;
    if tenths >= 10 { format!("{}.{} GiB", tenths / 10, tenths % 10) } else { quantity::memory(bytes) }
}

/// What this process may still write where the database lies.
fn free_bytes(path: &std::path::Path) -> Option<u64> {
    let found = nix::sys::statvfs::statvfs(path).ok()?;
    Some(found.blocks_available().saturating_mul(found.fragment_size()))
}

pub(crate) fn release(scene: &Scene<'_>, job: i64, by: By) -> Result<Reply, Failure> {
    scene.app.store.release_quarantined(JobId(job), by)?;
    Ok(reply::see("/staff?note=done"))
}
