//! Questions and answers: what one may see, asking, and for staff answering and telling everybody.

use askama::Template;

use crate::store::{AccountId, By, Clarification, ClarificationId, Rate, Reader};
use crate::web::app::Placed;
use crate::web::frame::Page;
use crate::web::pages::problems::placed;
use crate::web::pages::{Scene, row};
use crate::web::reply::{self, Failure, Reply};
use crate::web::time;
use crate::web::words::Words;

/// Clarifications on a page: all that a contest has, unless it has very many.
const PAGE_ROWS: u32 = 200;
/// What a team may ask at most.
const QUESTIONS: Rate = Rate { count: 5, window_ms: 60_000 };

struct Row {
    id: i64,
    time: String,
    instant: String,
    label: Option<String>,
    from: Option<String>,
    broadcast: bool,
    question: Option<String>,
    answer: Option<String>,
    can_answer: bool,
}

struct Choice {
    label: String,
    title: String,
}

#[derive(Template)]
#[template(path = "clarifications.html", config = "src/web/askama.toml")]
struct ListPage {
    page: Page,
    t: &'static Words,
    rows: Vec<Row>,
    may_ask: bool,
    is_staff: bool,
    problems: Vec<Choice>,
}

pub(crate) fn list(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let Scene { app, visitor, settings, .. } = scene;
    let account = visitor.account()?;
    let is_staff = visitor.is_staff();
    let reader = if is_staff { Reader::Staff } else { Reader::Team(account.id) };
    // Before the list is read: what comes in between stays unread.
    let seq = app.store.version();
    let found = app.store.clarifications(reader, None, PAGE_ROWS)?;
    let page = scene.page("clarifications")?;
    if !is_staff {
        app.store.mark_read(account.id, seq)?;
    }
    // Before the start nobody learns of a problem, not even how many there are.
    let problems = if scene.has_begun() || is_staff { app.placed(settings) } else { Vec::new() };
    let names = if is_staff { app.names()? } else { std::collections::BTreeMap::new() };
    let name = |id: AccountId| names.get(&id).cloned();
    let page = ListPage {
        page,
        t: scene.words(),
        rows: found.into_iter().map(|it| shown(scene, &problems, it, &name)).collect(),
        may_ask: is_staff || scene.has_begun(),
        is_staff,
        problems: problems
            .iter()
            .map(|place| Choice {
                label: place.label.clone(),
                title: place.problem.title(visitor.tongue.code()).to_owned(),
            })
            .collect(),
    };
    Ok(reply::page(page.render()?))
}

fn shown(
    scene: &Scene<'_>,
    problems: &[Placed],
    it: Clarification,
    name: &dyn Fn(AccountId) -> Option<String>,
) -> Row {
    let at_ms = it.answered_at_ms.unwrap_or(it.asked_at_ms);
    let time = match scene.settings.schedule {
        Some(schedule) => time::clock(at_ms.saturating_sub(schedule.start_ms)),
        None => time::day(at_ms),
    };
    Row {
        id: it.id.0,
        time,
        instant: time::instant(at_ms),
        label: it.slug.map(|slug| row::place(scene.visitor, problems, &slug).0),
        from: it.account.and_then(name),
        broadcast: it.is_public,
        can_answer: scene.visitor.is_staff() && it.question.is_some(),
        question: it.question,
        answer: it.answer,
    }
}

/// The problem that a form names; none where it is about something else.
fn about(scene: &Scene<'_>) -> Result<Option<String>, Failure> {
    let label = scene.request.field("problem");
    if label.is_empty() {
        return Ok(None);
    }
    let all = scene.app.placed(scene.settings);
    Ok(Some(placed(&all, label)?.problem.grounds.problem.slug.clone()))
}

/// A text of a form that is not empty.
fn text<'a>(scene: &'a Scene<'_>, field: &str) -> Result<&'a str, Failure> {
    let text = scene.request.field(field).trim();
    if text.is_empty() { Err(Failure::Wrong(scene.words().empty_text.to_owned())) } else { Ok(text) }
}

pub(crate) fn ask(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let account = scene.visitor.account()?;
    let slug = about(scene)?;
    let question = text(scene, "text")?;
    scene.app.store.ask(account.id, slug.as_deref(), question, scene.visitor.now_ms, Some(QUESTIONS))?;
    Ok(reply::see("/clarifications?note=asked"))
}

pub(crate) fn tell_all(scene: &Scene<'_>, by: By) -> Result<Reply, Failure> {
    let slug = about(scene)?;
    scene.app.store.announce(slug.as_deref(), text(scene, "text")?, by)?;
    Ok(reply::see("/clarifications?note=done"))
}

pub(crate) fn answer(scene: &Scene<'_>, id: i64, by: By) -> Result<Reply, Failure> {
    let to_all = scene.request.field("to_all") == "yes";
    scene.app.store.answer(ClarificationId(id), text(scene, "answer")?, to_all, by)?;
    Ok(reply::see("/clarifications?note=done"))
}
