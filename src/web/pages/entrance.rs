//! Before and around the contest: the start page, logging in and out, waiting, and how pages are shown.

use askama::Template;
use axum::http::StatusCode;

use crate::contest::roster::MAX_LOGIN_BYTES;
use crate::store::{Account, Action, By, Role, Session};
use crate::web::app::config;
use crate::web::frame::{Page, SESSION};
use crate::web::pages::Scene;
use crate::web::password::{self, Token};
use crate::web::rate::Deed;
use crate::web::reply::{self, Failure, Reply};
use crate::web::request::{Request, THEME_COOKIE, TONGUE_COOKIE, cut};
use crate::web::time;
use crate::web::tongue::Tongue;
use crate::web::words::Words;

/// How long a browser keeps how pages are to be shown.
const KEPT_SECONDS: u64 = 365 * 24 * 3600;

/// Where everybody begins.
pub(crate) fn start(scene: &Scene<'_>) -> Reply {
    match scene.visitor.account {
        None => reply::see("/login"),
        Some(_) if scene.visitor.is_staff() => reply::see("/staff"),
        Some(_) => reply::see("/problems"),
    }
}

/// To the login, and back afterwards.
pub(crate) fn to_login(request: &Request) -> Reply {
    let next: String = form_urlencoded::byte_serialize(request.path.as_bytes()).collect();
    reply::see(&format!("/login?next={next}"))
}

#[derive(Template)]
#[template(path = "login.html", config = "src/web/askama.toml")]
struct LoginPage<'a> {
    page: Page,
    t: &'static Words,
    wrong: Option<&'a str>,
    login: &'a str,
    next: &'a str,
}

pub(crate) fn login_page(scene: &Scene<'_>) -> Result<Reply, Failure> {
    login_form(scene, None, "", reply::own_path(scene.request.query("next").unwrap_or("/")))
}

fn login_form(scene: &Scene<'_>, wrong: Option<&str>, login: &str, next: &str) -> Result<Reply, Failure> {
    let page = LoginPage { page: scene.page("login")?, t: scene.words(), wrong, login, next };
    let mut reply = reply::page(page.render()?);
    if wrong.is_some() {
        *reply.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    Ok(reply)
}

/// What came of a try to log in.
enum Tried {
    In(Account),
    Wrong,
    TooOften,
}

/// Looks whether login and password belong together, as slowly when there is no such account.
fn try_to_log_in(scene: &Scene<'_>, login: &str, password: &str) -> Result<Tried, Failure> {
    let Scene { app, request, visitor, .. } = scene;
    let by_login = Deed::LoginAs(login.to_lowercase());
    for deed in [Deed::LoginFrom(request.address), by_login.clone()] {
        if !app.rates.take(deed, visitor.now_ms) {
            return Ok(Tried::TooOften);
        }
    }
    let account = app.store.account_by_login(login)?;
    let hash = account.as_ref().map(|account| account.password_hash.as_str());
    let is_right = password::is_right(password, hash);
    match account {
        Some(account) if is_right && account.is_enabled => {
            app.rates.forgive(&by_login);
            Ok(Tried::In(account))
        }
        _ => Ok(Tried::Wrong),
    }
}

/// Begins a session.
fn begin(scene: &Scene<'_>, account: &Account) -> Result<Token, Failure> {
    let now_ms = scene.visitor.now_ms;
    let token = Token::new()?;
    let lasts_ms = i64::try_from(SESSION.as_millis()).unwrap_or(i64::MAX);
    let session = Session {
        account: account.id,
        created_at_ms: now_ms,
        seen_at_ms: now_ms,
        expires_at_ms: now_ms.saturating_add(lasts_ms),
    };
    scene.app.store.create_session(&token.hash(), &session, false)?;
    if account.role == Role::Admin {
        let from = scene.request.address.to_string();
        scene.app.store.audit(By::account(account.id, now_ms), Action::LogIn, &account.login, &from)?;
    }
    Ok(token)
}

/// Where people come by TLS the token never goes without it.
fn set_session(scene: &Scene<'_>, reply: &mut Reply, token: &str, seconds: u64) {
    let is_by_tls = scene.app.is_behind_proxy && scene.app.url.starts_with("https://");
    let attributes = if is_by_tls { "; HttpOnly; Secure" } else { "; HttpOnly" };
    reply::set_cookie(reply, &scene.app.session_cookie, token, seconds, attributes);
}

pub(crate) fn login(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let request = scene.request;
    let (login, next) = (request.field("login").trim(), reply::own_path(request.field("next")));
    let login = cut(login, MAX_LOGIN_BYTES);
    match try_to_log_in(scene, login, request.field("password"))? {
        Tried::TooOften => login_form(scene, Some(scene.words().too_many_logins), login, next),
        Tried::Wrong => login_form(scene, Some(scene.words().wrong_login), login, next),
        Tried::In(account) => {
            // A session that was there is another one's, or should be of no use any more.
            if let Some(old) = &scene.visitor.session {
                scene.app.store.delete_session(old)?;
            }
            let token = begin(scene, &account)?;
            let mut reply = reply::see(next);
            set_session(scene, &mut reply, token.text(), SESSION.as_secs());
            Ok(reply)
        }
    }
}

/// In with the key of whoever started the server for himself.
pub(crate) fn enter(scene: &Scene<'_>, key: &str) -> Result<Reply, Failure> {
    let entry = scene.app.entry.as_ref().filter(|entry| entry.key_hash == password::token_hash(key));
    let account = scene.app.store.account(entry.ok_or(Failure::Hidden)?.account)?;
    let token = begin(scene, &account)?;
    let mut reply = reply::see("/");
    set_session(scene, &mut reply, token.text(), SESSION.as_secs());
    Ok(reply)
}

pub(crate) fn api_login(scene: &Scene<'_>) -> Result<Reply, Failure> {
    #[derive(serde::Deserialize)]
    struct Asked {
        login: String,
        password: String,
    }
    let asked: Asked = serde_json::from_slice(&scene.request.body)
        .map_err(|error| Failure::Wrong(format!("expected {{\"login\": …, \"password\": …}}: {error}")))?;
    match try_to_log_in(scene, asked.login.trim(), &asked.password)? {
        Tried::TooOften => Err(Failure::TooFast),
        Tried::Wrong => Err(Failure::Refused(scene.words().wrong_login.to_owned())),
        Tried::In(account) => {
            let token = begin(scene, &account)?;
            let contest = config(scene.settings).name(scene.visitor.tongue.code());
            let body = serde_json::json!({ "token": token.text(), "name": account.name, "contest": contest });
            Ok(reply::json(StatusCode::OK, &body))
        }
    }
}

pub(crate) fn logout(scene: &Scene<'_>) -> Result<Reply, Failure> {
    if let Some(session) = &scene.visitor.session {
        scene.app.store.delete_session(session)?;
    }
    let mut reply = reply::see("/login");
    set_session(scene, &mut reply, "", 0);
    Ok(reply)
}

/// Language and theme; they are the browser's, not the account's.
pub(crate) fn settings(scene: &Scene<'_>) -> Reply {
    let request = scene.request;
    let mut reply = reply::see(reply::own_path(request.field("back")));
    if let Some(tongue) = Tongue::of_code(request.field("tongue")) {
        reply::set_cookie(&mut reply, TONGUE_COOKIE, tongue.code(), KEPT_SECONDS, "");
    }
    let theme = request.field("theme");
    if ["auto", "light", "dark"].contains(&theme) {
        reply::set_cookie(&mut reply, THEME_COOKIE, theme, KEPT_SECONDS, "");
    }
    reply
}

#[derive(Template)]
#[template(path = "waiting.html", config = "src/web/askama.toml")]
struct WaitingPage {
    page: Page,
    t: &'static Words,
    duration: String,
}

/// Instead of whatever is behind the start.
pub(crate) fn waiting(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let length_ms = match scene.settings.schedule {
        Some(schedule) => schedule.duration_ms(),
        None => config(scene.settings).duration_ms,
    };
    let page =
        WaitingPage { page: scene.page("waiting")?, t: scene.words(), duration: time::clock(length_ms) };
    let mut reply = reply::page(page.render()?);
    *reply.status_mut() = StatusCode::FORBIDDEN;
    Ok(reply)
}
