//! The scoreboard: frozen when due, with one's own row live, and as ghosts beside one's own run through the contest.

use askama::Template;
use axum::http::{HeaderValue, Response, StatusCode, header};

use crate::contest::View;
use crate::web::boards::{self, Table};
use crate::web::frame::Page;
use crate::web::pages::Scene;
use crate::web::reply::{self, Failure, Reply};
use crate::web::request::Request;
use crate::web::words::Words;

#[derive(Template)]
#[template(path = "board.html", config = "src/web/askama.toml")]
struct BoardPage<'a> {
    page: Page,
    t: &'static Words,
    frozen: bool,
    ghosts: bool,
    board_url: &'a str,
    own_team: String,
    own: String,
    table: &'a str,
}

/// What one sees unless one asks for the staff's.
fn view(scene: &Scene<'_>) -> View {
    if scene.visitor.is_staff() && scene.request.query("view") != Some("public") {
        View::Jury
    } else {
        View::Public
    }
}

pub(crate) fn page(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let Scene { app, visitor, .. } = scene;
    let view = view(scene);
    if let Some(html) = ghosts(scene)? {
        return shown(scene, &html, String::new(), true);
    }
    let table = app.boards.table(app, view, visitor.tongue, visitor.now_ms)?;
    shown(scene, &table.html, own_row(scene)?, false)
}

fn shown(scene: &Scene<'_>, table: &str, own: String, ghosts: bool) -> Result<Reply, Failure> {
    let Scene { visitor, settings, .. } = scene;
    let is_frozen = settings.schedule.is_some_and(|schedule| schedule.is_frozen(visitor.now_ms));
    let team = visitor.account.as_ref().map(|account| account.id.0.to_string()).unwrap_or_default();
    // Without scripts too one finds oneself.
    let marked = match team.as_str() {
        "" => table.to_owned(),
        team => {
            let plain = format!("<tr data-team=\"{team}\">");
            table.replacen(&plain, &format!("<tr class=\"own\" data-team=\"{team}\">"), 1)
        }
    };
    let url = if view(scene) == View::Public && visitor.is_staff() {
        "/board/table?view=public"
    } else {
        "/board/table"
    };
    let page = BoardPage {
        page: scene.page("board")?,
        t: scene.words(),
        frozen: is_frozen,
        ghosts,
        board_url: url,
        own_team: team,
        own,
        table: &marked,
    };
    Ok(reply::page(page.render()?))
}

/// While the board is frozen, a team's own row as it really is.
fn own_row(scene: &Scene<'_>) -> Result<String, Failure> {
    let Scene { app, visitor, settings, .. } = scene;
    let is_frozen = settings.schedule.is_some_and(|schedule| schedule.is_frozen(visitor.now_ms));
    let Some(account) = visitor.account.as_ref().filter(|_| is_frozen && !visitor.is_staff()) else {
        return Ok(String::new());
    };
    let board = app.boards.board(app, View::Team(account.id.0), visitor.now_ms)?;
    let mut own = (*board).clone();
    own.rows.retain(|row| row.team == account.id.0);
    let names = [(account.id.0, account.name.clone())].into();
    boards::markup(settings, &app.placed(settings), &own, &names, visitor.tongue)
}

/// The board of one's own run, while it lasts.
fn ghosts(scene: &Scene<'_>) -> Result<Option<String>, Failure> {
    let Scene { app, visitor, settings, .. } = scene;
    let Some((schedule, account)) = settings.schedule.zip(visitor.account.as_ref()) else { return Ok(None) };
    let Some(own) = app.virtual_schedule(visitor, &schedule)?.filter(|own| own.contains(visitor.now_ms))
    else {
        return Ok(None);
    };
    let (board, names) = boards::with_ghosts(app, settings, &own, account, visitor.now_ms)?;
    boards::markup(settings, &app.placed(settings), &board, &names, visitor.tongue).map(Some)
}

/// The table as it was packed once for everybody, for those who can unpack it.
fn packed(request: &Request, table: &Table) -> Option<Reply> {
    if !request.accepts_gzip() {
        return None;
    }
    let mut reply = reply::of(StatusCode::OK, "text/html; charset=utf-8", table.packed()?);
    reply.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Some(reply)
}

/// The table alone, for a page that has it already.
pub(crate) fn table(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let Scene { app, request, visitor, .. } = scene;
    if let Some(html) = ghosts(scene)? {
        return Ok(reply::page(html));
    }
    let table = app.boards.table(app, view(scene), visitor.tongue, visitor.now_ms)?;
    // Weak, since the same table goes out packed and not.
    let tag = HeaderValue::from_str(&format!("W/{}", table.tag)).unwrap_or(HeaderValue::from_static("\"\""));
    let is_known = request
        .header("if-none-match")
        .is_some_and(|known| known.split(',').any(|one| one.trim().trim_start_matches("W/") == table.tag));
    let mut reply = match is_known {
        true => {
            let mut reply = Response::new(axum::body::Body::empty());
            *reply.status_mut() = StatusCode::NOT_MODIFIED;
            reply
        }
        false => packed(request, &table).unwrap_or_else(|| reply::page(table.html.to_string())),
    };
    reply.headers_mut().insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    reply.headers_mut().insert(header::ETAG, tag);
    reply.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(reply)
}
