//! From a request to a page: who asks, whether he may, then what is shown. What fails becomes a page that says so.

mod board;
mod clarifications;
mod entrance;
mod problems;
mod row;
mod staff;
mod submissions;
mod submit;

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};

use crate::store::Settings;
use crate::web::app::{App, config};
use crate::web::assets;
use crate::web::frame::{Page, Visitor};
use crate::web::live::Listener;
use crate::web::rate::Deed;
use crate::web::reply::{self, Failure, Reply};
use crate::web::request::Request;
use crate::web::route::{Admission, Method, Route};
use crate::web::words::Words;

/// What is sent back.
pub(crate) enum Answer {
    /// All of it.
    Reply(Reply),
    /// Live events from now on.
    Stream(Listener),
}

/// What a page is made from.
pub(crate) struct Scene<'a> {
    pub(crate) app: &'a App,
    pub(crate) request: &'a Request,
    pub(crate) visitor: &'a Visitor,
    pub(crate) settings: &'a Settings,
}

impl Scene<'_> {
    /// The frame of a page of this section.
    pub(crate) fn page(&self, section: &'static str) -> Result<Page, Failure> {
        Page::of(self.app, self.request, self.visitor, self.settings, section)
    }

    pub(crate) fn words(&self) -> &'static Words {
        self.visitor.words()
    }

    /// Whether the contest has begun.
    pub(crate) fn has_begun(&self) -> bool {
        has_begun(self.settings, self.visitor.now_ms)
    }
}

/// Answers a request.
pub(crate) fn answer(app: &App, request: &Request) -> Answer {
    let settings = app.store.settings();
    let visitor = match Visitor::of(app, request, &settings) {
        Ok(visitor) => visitor,
        Err(failure) => return Answer::Reply(bare(&failure)),
    };
    let scene = Scene { app, request, visitor: &visitor, settings: &settings };
    let route = Route::of(request.method, &request.path);
    let is_api = route.as_ref().is_some_and(Route::is_api);
    match admitted(&scene, route) {
        Ok(answer) => answer,
        Err(failure) if is_api => Answer::Reply(for_programs(&scene, &failure)),
        Err(failure) => Answer::Reply(for_people(&scene, &failure).unwrap_or_else(|_| bare(&failure))),
    }
}

fn has_begun(settings: &Settings, now_ms: i64) -> bool {
    settings.schedule.is_some_and(|schedule| schedule.phase(now_ms).has_started())
}

fn admitted(scene: &Scene<'_>, route: Option<Route>) -> Result<Answer, Failure> {
    let Scene { app, request, visitor, settings } = scene;
    if visitor.account.is_none() {
        let deed = Deed::Request(request.address);
        if !app.rates.take(deed, visitor.now_ms) {
            return Err(Failure::TooFast);
        }
    }
    let route = route.ok_or(Failure::Hidden)?;
    // A cookie goes wherever a browser goes, so what changes something has to come from a page of ours; a token does not.
    let is_trusted = match route.is_api() {
        true => request.method == Method::Get || request.cookie(&app.session_cookie).is_none(),
        false => request.method == Method::Get || request.is_from_here(app.public_host()),
    };
    if !is_trusted {
        return Err(Failure::Refused(scene.words().foreign_form.to_owned()));
    }
    match route.needs().admit(visitor.who(), scene.has_begun(), config(settings).public_board) {
        Admission::Granted => shown(scene, &route),
        Admission::Hidden => Err(Failure::Hidden),
        Admission::LogIn if route.is_api() => Err(Failure::Refused("log in first".to_owned())),
        Admission::LogIn => Ok(Answer::Reply(entrance::to_login(request))),
        Admission::NotYet if route.is_api() => Err(Failure::Refused(scene.words().not_begun.to_owned())),
        Admission::NotYet => entrance::waiting(scene).map(Answer::Reply),
    }
}

fn shown(scene: &Scene<'_>, route: &Route) -> Result<Answer, Failure> {
    let reply = match route {
        Route::Live => {
            let account = scene.visitor.account()?.id.0;
            let session = scene.visitor.session.ok_or(Failure::Hidden)?;
            return Ok(Answer::Stream(Listener { account, is_staff: scene.visitor.is_staff(), session }));
        }
        Route::Asset(name) => assets::of(name).ok_or(Failure::Hidden)?,
        Route::Start => entrance::start(scene),
        Route::Enter(key) => entrance::enter(scene, key)?,
        Route::LoginPage => entrance::login_page(scene)?,
        Route::Login => entrance::login(scene)?,
        Route::Logout => entrance::logout(scene)?,
        Route::Settings => entrance::settings(scene),
        Route::Problems => problems::list(scene)?,
        Route::Problem(label) => problems::one(scene, label)?,
        Route::VirtualStart => problems::virtual_start(scene)?,
        Route::Submit(label) => submit::by_form(scene, label)?,
        Route::Submissions => submissions::list(scene)?,
        Route::Submission(id) => submissions::one(scene, *id)?,
        Route::SubmissionSource(id) => submissions::source(scene, *id)?,
        Route::SubmissionInput(id) => submissions::file(scene, *id, submissions::Which::Input)?,
        Route::SubmissionAnswer(id) => submissions::file(scene, *id, submissions::Which::Answer)?,
        Route::Board => board::page(scene)?,
        Route::BoardTable => board::table(scene)?,
        Route::Clarifications => clarifications::list(scene)?,
        Route::Ask => clarifications::ask(scene)?,
        Route::ApiLogin => entrance::api_login(scene)?,
        Route::ApiSubmit => submit::by_program(scene)?,
        Route::ApiSubmission(id) => submit::status(scene, *id)?,
        route => staff::shown(scene, route)?,
    };
    Ok(Answer::Reply(reply))
}

#[derive(Template)]
#[template(path = "error.html", config = "src/web/askama.toml")]
struct ErrorPage<'a> {
    page: Page,
    t: &'static Words,
    heading: &'a str,
    text: &'a str,
}

/// Status, heading and text of a failure.
fn said(words: &'static Words, failure: &Failure) -> (StatusCode, &'static str, String) {
    match failure {
        Failure::Hidden => (StatusCode::NOT_FOUND, words.not_found, words.not_found_text.to_owned()),
        Failure::Refused(text) => (StatusCode::FORBIDDEN, words.forbidden, text.clone()),
        Failure::Wrong(text) => (StatusCode::UNPROCESSABLE_ENTITY, words.not_done, text.clone()),
        Failure::TooFast => (StatusCode::TOO_MANY_REQUESTS, words.too_fast, words.too_fast_text.to_owned()),
        Failure::Full => (StatusCode::INSUFFICIENT_STORAGE, words.disk_full, words.disk_full_text.to_owned()),
        // What the system said is for the log, not for whoever asked.
        Failure::Trouble(_) => {
            (StatusCode::INTERNAL_SERVER_ERROR, words.trouble, words.trouble_text.to_owned())
        }
    }
}

fn for_people(scene: &Scene<'_>, failure: &Failure) -> Result<Reply, Failure> {
    log(scene.app, failure);
    let (status, heading, text) = said(scene.words(), failure);
    let page = ErrorPage { page: scene.page("")?, t: scene.words(), heading, text: &text };
    let mut reply = reply::page(page.render()?);
    *reply.status_mut() = status;
    if status == StatusCode::TOO_MANY_REQUESTS {
        reply.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("15"));
    }
    Ok(reply)
}

fn for_programs(scene: &Scene<'_>, failure: &Failure) -> Reply {
    log(scene.app, failure);
    let (status, heading, text) = said(scene.words(), failure);
    reply::json(status, &serde_json::json!({ "error": heading, "message": text }))
}

/// Where not even a frame can be made.
fn bare(failure: &Failure) -> Reply {
    let (status, heading, _) = said(&crate::web::words::EN, failure);
    reply::of(status, "text/plain; charset=utf-8", heading)
}

fn log(app: &App, failure: &Failure) {
    match failure {
        Failure::Trouble(text) => app.trouble(text),
        Failure::Full => app.trouble("the disk is full: what people send is refused until there is room"),
        _ => {}
    }
}
