//! The problems: the list with one's own marks, and each with its statement and the form to hand in.

use askama::Template;

use crate::contest::config::Feedback;
use crate::contest::{Phase, Scoring, View};
use crate::store::{Kind, SubmissionFilter};
use crate::verdict::Verdict;
use crate::web::app::{Placed, config};
use crate::web::frame::Page;
use crate::web::pages::row::{Row, row};
use crate::web::pages::{Scene, submit};
use crate::web::reply::{self, Failure, Reply};
use crate::web::state::State;
use crate::web::tongue;
use crate::web::words::Words;

/// Own submissions that a problem's page shows.
const OWN_SHOWN: u32 = 10;

struct Line {
    label: String,
    color: Option<String>,
    title: String,
    state: Option<State>,
    wrong: u32,
    score: Option<String>,
    solved_by: u32,
}

#[derive(Template)]
#[template(path = "problems.html", config = "src/web/askama.toml")]
struct ListPage {
    page: Page,
    t: &'static Words,
    rows: Vec<Line>,
    virtual_offer: Option<&'static str>,
}

pub(crate) fn list(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let placed = scene.app.placed(scene.settings);
    let lines = lines(scene, &placed)?;
    let page = ListPage {
        page: scene.page("problems")?,
        t: scene.words(),
        rows: lines,
        virtual_offer: may_start_virtually(scene)?.then_some(scene.words().virtual_offer),
    };
    Ok(reply::page(page.render()?))
}

/// Own marks come from one's own submissions of whatever kind, how many solved it from the board that everybody sees.
fn lines(scene: &Scene<'_>, placed: &[Placed]) -> Result<Vec<Line>, Failure> {
    let Scene { app, visitor, settings, .. } = scene;
    let account = visitor.account()?;
    let view = if visitor.is_staff() { View::Jury } else { View::Public };
    let board = app.boards.board(app, view, visitor.now_ms)?;
    let filter = SubmissionFilter { account: Some(account.id), ..SubmissionFilter::default() };
    let own = app.store.submissions(&filter, crate::store::MAX_PAGE)?;
    let rules = config(settings).rules;
    let line = |(at, place): (usize, &Placed)| {
        let slug = &place.problem.grounds.problem.slug;
        let tries = || own.iter().filter(|submission| submission.slug == *slug);
        let verdicts = || tries().filter_map(|it| it.judging.as_ref().map(|judging| judging.verdict));
        let state = if verdicts().any(|verdict| verdict == Verdict::Ac) {
            Some(State::Judged(Verdict::Ac))
        } else {
            // The newest one says where one stands.
            tries().next().map(|newest| super::row::state(app, newest, visitor.is_staff()))
        };
        let is_counted = |verdict: &Verdict| {
            !matches!(verdict, Verdict::Ac | Verdict::Je)
                && (*verdict != Verdict::Ce || rules.compile_errors_count)
        };
        let best = tries().filter_map(|it| it.judging.as_ref()?.score).max();
        Line {
            label: place.label.clone(),
            color: place.color.clone(),
            title: place.problem.title(visitor.tongue.code()).to_owned(),
            state,
            wrong: u32::try_from(verdicts().filter(is_counted).count()).unwrap_or(u32::MAX),
            score: best.filter(|_| rules.scoring == Scoring::Ioi).map(|score| score.to_string()),
            solved_by: board.columns.get(at).map_or(0, |column| column.solved),
        }
    };
    Ok(placed.iter().enumerate().map(line).collect())
}

/// Whether a run of one's own through the contest may begin now.
fn may_start_virtually(scene: &Scene<'_>) -> Result<bool, Failure> {
    let Scene { app, visitor, settings, .. } = scene;
    let account = visitor.account()?;
    let is_offered = config(settings).practice.virtual_starts && !visitor.is_staff();
    let is_over = settings.schedule.is_some_and(|schedule| schedule.phase(visitor.now_ms) == Phase::Over);
    if !is_offered || !is_over || app.store.virtual_start(account.id)?.is_some() {
        return Ok(false);
    }
    // Whoever took part has seen the problems.
    let took_part = SubmissionFilter {
        account: Some(account.id),
        kind: Some(Kind::Contest),
        ..SubmissionFilter::default()
    };
    Ok(app.store.count_submissions(&took_part)? == 0)
}

pub(crate) fn virtual_start(scene: &Scene<'_>) -> Result<Reply, Failure> {
    if !may_start_virtually(scene)? {
        return Err(Failure::Hidden);
    }
    let account = scene.visitor.account()?;
    scene.app.store.start_virtual(account.id, scene.visitor.now_ms)?;
    Ok(reply::see("/problems"))
}

struct Tab {
    code: String,
    name: String,
    chosen: bool,
}

struct LanguageChoice {
    id: String,
    name: String,
    extensions: String,
}

struct Starter {
    language: String,
    code: String,
}

struct Sample<'a> {
    input: &'a str,
    output: &'a str,
}

struct Other {
    label: String,
    title: String,
}

#[derive(Template)]
#[template(path = "problem.html", config = "src/web/askama.toml")]
struct ProblemPage<'a> {
    page: Page,
    t: &'static Words,
    label: &'a str,
    title: &'a str,
    others: Vec<Other>,
    time_limit: String,
    memory_limit: String,
    statement_code: Option<&'a str>,
    statement: &'a str,
    statements: Vec<Tab>,
    samples: Vec<Sample<'a>>,
    may_submit: bool,
    practice: bool,
    draft_key: String,
    languages: Vec<LanguageChoice>,
    chosen_language: String,
    starters: Vec<Starter>,
    own: Vec<Row>,
}

/// The problem with this label, in capital letters or not.
pub(crate) fn placed<'a>(placed: &'a [Placed], label: &str) -> Result<&'a Placed, Failure> {
    placed.iter().find(|placed| placed.label.eq_ignore_ascii_case(label)).ok_or(Failure::Hidden)
}

pub(crate) fn one(scene: &Scene<'_>, label: &str) -> Result<Reply, Failure> {
    let Scene { app, request, visitor, settings } = scene;
    let all = app.placed(settings);
    let place = placed(&all, label)?;
    let problem = &place.problem;
    let wanted = request.query("statement").unwrap_or(visitor.tongue.code());
    let statement = problem.statement(wanted);
    let tab = |it: &crate::web::app::Statement| Tab {
        code: it.code.clone(),
        name: tongue::own_name(&it.code).to_owned(),
        chosen: statement.is_some_and(|chosen| chosen.code == it.code),
    };
    let languages = app.languages(settings);
    let choice = |language: &&'static crate::lang::Language| LanguageChoice {
        id: language.id.clone(),
        name: language.name.clone(),
        extensions: language.extensions.join(" "),
    };
    let kind = submit::kind(scene)?;
    let slug = &problem.grounds.problem.slug;
    let filter = SubmissionFilter {
        account: Some(visitor.account()?.id),
        slug: Some(slug.clone()),
        ..SubmissionFilter::default()
    };
    let own = app.store.submissions(&filter, OWN_SHOWN)?;
    let limits = &problem.grounds.problem.limits;
    let page = ProblemPage {
        page: scene.page("problems")?,
        t: scene.words(),
        label: &place.label,
        title: statement.map_or(slug.as_str(), |statement| &statement.title),
        others: all
            .iter()
            .map(|other| Other {
                label: other.label.clone(),
                title: other.problem.title(visitor.tongue.code()).to_owned(),
            })
            .collect(),
        time_limit: limits.time.to_string(),
        memory_limit: limits.memory.to_string(),
        statement_code: statement.map(|statement| statement.code.as_str()),
        statement: statement.map_or("", |statement| &statement.html),
        statements: problem.statements.iter().map(tab).collect(),
        samples: problem.samples.iter().map(|(input, output)| Sample { input, output }).collect(),
        may_submit: kind.is_some(),
        practice: kind == Some(Kind::Practice),
        draft_key: format!("{}/{slug}", visitor.account()?.id),
        languages: languages.iter().map(choice).collect(),
        chosen_language: own.first().map(|newest| newest.language.clone()).unwrap_or_default(),
        starters: problem
            .starters
            .iter()
            .filter(|(id, _)| languages.iter().any(|language| language.id == *id))
            .map(|(language, code)| Starter { language: language.clone(), code: code.clone() })
            .collect(),
        own: own.iter().map(|submission| row(scene, &all, submission)).collect(),
    };
    Ok(reply::page(page.render()?))
}

/// Whether contestants may see why a submission failed.
pub(crate) fn shows_failures(scene: &Scene<'_>, kind: Kind) -> bool {
    let Scene { visitor, settings, .. } = scene;
    let phase = settings.schedule.map(|schedule| schedule.phase(visitor.now_ms));
    match config(settings).practice.feedback {
        Feedback::Always => true,
        Feedback::Never => false,
        // Somebody may still be in the contest, or in his own run through it.
        Feedback::AfterEnd => phase == Some(Phase::Over) && kind != Kind::Virtual,
    }
}
