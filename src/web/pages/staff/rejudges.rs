//! Judging again: what would change is shown before it is applied, and nobody else sees anything of it until then.

use askama::Template;

use crate::score::Points;
use crate::store::{By, Rejudge, RejudgeId, RejudgeState};
use crate::verdict::Verdict;
use crate::web::frame::Page;
use crate::web::pages::staff::submissions;
use crate::web::pages::{Scene, row};
use crate::web::reply::{self, Failure, Reply};
use crate::web::state::State;
use crate::web::time;
use crate::web::words::Words;

/// Rejudges whose changes are listed; of older ones only how many there were.
const SHOWN: usize = 20;

struct Change {
    submission: i64,
    team: String,
    label: String,
    before: State,
    after: State,
    scores: String,
}

struct Line {
    id: i64,
    what: String,
    time: String,
    instant: String,
    all: u64,
    done: u64,
    changes: Vec<Change>,
    state: &'static str,
    is_open: bool,
    is_ready: bool,
    /// Whether it means anything how many changes there are.
    counts: bool,
}

#[derive(Template)]
#[template(path = "staff/rejudges.html", config = "src/web/askama.toml")]
struct ListPage {
    page: Page,
    t: &'static Words,
    rejudges: Vec<Line>,
}

pub(crate) fn list(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let rejudges = scene.app.store.rejudges()?;
    let lines = rejudges.iter().take(SHOWN).map(|rejudge| line(scene, rejudge)).collect::<Result<_, _>>()?;
    let page = ListPage { page: scene.page("staff")?, t: scene.words(), rejudges: lines };
    Ok(reply::page(page.render()?))
}

fn line(scene: &Scene<'_>, rejudge: &Rejudge) -> Result<Line, Failure> {
    let Scene { app, visitor, settings, .. } = scene;
    let words = scene.words();
    let names = app.names()?;
    let placed = app.placed(settings);
    let is_open = rejudge.state == RejudgeState::Open;
    let preview = match rejudge.state {
        RejudgeState::Cancelled => Vec::new(),
        _ => app.store.rejudge_preview(rejudge.id)?,
    };
    let changes = preview.iter().filter(|change| change.is_change()).map(|change| Change {
        submission: change.submission.0,
        team: names.get(&change.account).cloned().unwrap_or_default(),
        label: row::place(visitor, &placed, &change.slug).0,
        before: side(change.old),
        after: side(change.new),
        scores: scores(change.old, change.new),
    });
    Ok(Line {
        id: rejudge.id.0,
        what: rejudge.reason.clone(),
        time: time::day(rejudge.started_at_ms),
        instant: time::instant(rejudge.started_at_ms),
        all: rejudge.submissions,
        done: rejudge.submissions.saturating_sub(rejudge.left),
        changes: changes.collect(),
        state: match rejudge.state {
            RejudgeState::Open => words.open_state,
            RejudgeState::Applied => words.applied_state,
            RejudgeState::Cancelled => words.cancelled_state,
        },
        is_open,
        is_ready: rejudge.left == 0,
        counts: rejudge.state != RejudgeState::Cancelled,
    })
}

fn side(of: Option<(Verdict, Option<Points>)>) -> State {
    of.map_or(State::Queued, |(verdict, _)| State::Judged(verdict))
}

fn scores(old: Option<(Verdict, Option<Points>)>, new: Option<(Verdict, Option<Points>)>) -> String {
    let score = |side: Option<(Verdict, Option<Points>)>| side.and_then(|(_, score)| score);
    match (score(old), score(new)) {
        (Some(old), Some(new)) if old != new => format!("{old} → {new}"),
        _ => String::new(),
    }
}

pub(crate) fn start(scene: &Scene<'_>, by: By) -> Result<Reply, Failure> {
    let request = scene.request;
    let filter = submissions::filter(scene, |name| request.field(name))?;
    let parts = ["problem", "team", "verdict"].map(|name| request.field(name));
    let chosen: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let reason = if chosen.is_empty() { scene.words().all.to_owned() } else { chosen.join(" · ") };
    scene.app.store.rejudge_start(&filter, &reason, by)?;
    Ok(reply::see("/staff/rejudges"))
}

pub(crate) fn apply(scene: &Scene<'_>, id: i64, by: By) -> Result<Reply, Failure> {
    scene.app.store.rejudge_apply(RejudgeId(id), by)?;
    Ok(reply::see("/staff/rejudges?note=done"))
}

pub(crate) fn cancel(scene: &Scene<'_>, id: i64, by: By) -> Result<Reply, Failure> {
    scene.app.store.rejudge_cancel(RejudgeId(id), by)?;
    Ok(reply::see("/staff/rejudges?note=done"))
}
