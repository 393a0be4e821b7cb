//! Who takes part: imported as people have them, with passwords made where there are none, and the sheet to cut up.

use askama::Template;
use axum::http::StatusCode;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::contest::roster;
use crate::store::{AccountId, By, NewAccount, Role, SubmissionFilter};
use crate::web::frame::Page;
use crate::web::pages::Scene;
use crate::web::password;
use crate::web::reply::{self, Failure, Reply};
use crate::web::words::Words;

struct Line {
    id: i64,
    login: String,
    name: String,
    state: &'static str,
    enabled: bool,
    is_self: bool,
    can_delete: bool,
}

#[derive(Template)]
#[template(path = "staff/accounts.html", config = "src/web/askama.toml")]
struct AccountsPage<'a> {
    page: Page,
    t: &'static Words,
    rows: Vec<Line>,
    mistakes: Vec<String>,
    text: &'a str,
}

/// One team's strip of the printed sheet.
struct Slip {
    name: String,
    login: String,
    password: String,
}

#[derive(Template)]
#[template(path = "staff/sheet.html", config = "src/web/askama.toml")]
struct SheetPage<'a> {
    page: Page,
    t: &'static Words,
    slips: Vec<Slip>,
    url: &'a str,
}

pub(crate) fn list(scene: &Scene<'_>) -> Result<Reply, Failure> {
    shown(scene, Vec::new(), "")
}

fn shown(scene: &Scene<'_>, mistakes: Vec<String>, text: &str) -> Result<Reply, Failure> {
    let own = scene.visitor.account()?.id;
    let words = scene.words();
    let store = &scene.app.store;
    let is_wrong = !mistakes.is_empty();
    let mut rows = Vec::new();
    for account in store.accounts()? {
        let submissions = SubmissionFilter { account: Some(account.id), ..SubmissionFilter::default() };
        let is_self = account.id == own;
        rows.push(Line {
            id: account.id.0,
            state: match (account.role, account.is_enabled) {
                (_, false) => words.disabled,
                (Role::Admin, true) => words.staff,
                (Role::Team, true) => words.enabled,
            },
            enabled: account.is_enabled,
            is_self,
            can_delete: !is_self && store.count_submissions(&submissions)? == 0,
            login: account.login,
            name: account.name,
        });
    }
    let page = AccountsPage { page: scene.page("staff")?, t: words, rows, mistakes, text };
    let mut reply = reply::page(page.render()?);
    if is_wrong {
        *reply.status_mut() = StatusCode::UNPROCESSABLE_ENTITY;
    }
    Ok(reply)
}

pub(crate) fn import(scene: &Scene<'_>, by: By) -> Result<Reply, Failure> {
    let (request, store) = (scene.request, &scene.app.store);
    let at = |mistake: &roster::Mistake| format!("{}: {}", mistake.line, mistake.message);
    let text = match request.upload("file").filter(|upload| !upload.bytes.is_empty()) {
        Some(upload) => match roster::text(&upload.bytes) {
            Ok(text) => text,
            Err(mistake) => return shown(scene, vec![at(&mistake)], ""),
        },
        None => request.field("text").to_owned(),
    };
    let there = store.accounts()?;
    let taken: Vec<&str> = there.iter().map(|account| account.login.as_str()).collect();
    let wanted = match roster::read(&text, &taken) {
        Ok(wanted) => wanted,
        Err(mistakes) => return shown(scene, mistakes.iter().map(at).collect(), &text),
    };
    // Hashing is slow on purpose, and there may be hundreds.
    let made: Result<Vec<(NewAccount, Slip)>, Failure> = wanted.into_par_iter().map(account).collect();
    let (accounts, slips): (Vec<_>, Vec<_>) = made?.into_iter().unzip();
    store.create_accounts(&accounts, by)?;
    slip_page(scene, slips)
}

/// An account to be made, with a password where there is none, and what is printed of it.
fn account(wanted: roster::NewAccount) -> Result<(NewAccount, Slip), Failure> {
    let roster::NewAccount { login, name, password } = wanted;
    let password = match password {
        Some(password) => password,
        None => roster::password(password::random()?),
    };
    let password_hash = password::hash(&password)?;
    let slip = Slip { name: name.clone(), login: login.clone(), password };
    Ok((NewAccount { login, name, role: Role::Team, password_hash }, slip))
}

/// The only time that passwords are shown.
fn slip_page(scene: &Scene<'_>, slips: Vec<Slip>) -> Result<Reply, Failure> {
    let page = SheetPage { page: scene.page("staff")?, t: scene.words(), slips, url: &scene.app.url };
    Ok(reply::page(page.render()?))
}

/// New passwords for every team that can log in.
pub(crate) fn sheet(scene: &Scene<'_>, by: By) -> Result<Reply, Failure> {
    let store = &scene.app.store;
    let mut slips = Vec::new();
    for account in store.accounts()? {
        if account.role == Role::Team && account.is_enabled {
            slips.push(renew(scene, account.id, by)?);
        }
    }
    slip_page(scene, slips)
}

fn renew(scene: &Scene<'_>, id: AccountId, by: By) -> Result<Slip, Failure> {
    let store = &scene.app.store;
    let account = store.account(id)?;
    let password = roster::password(password::random()?);
    store.set_password_hash(id, &password::hash(&password)?, by)?;
    Ok(Slip { name: account.name, login: account.login, password })
}

pub(crate) fn change(scene: &Scene<'_>, id: i64, by: By) -> Result<Reply, Failure> {
    let (store, id) = (&scene.app.store, AccountId(id));
    match scene.request.field("do") {
        "password" => {
            let slip = renew(scene, id, by)?;
            return slip_page(scene, vec![slip]);
        }
        "disable" => store.set_enabled(id, false, by)?,
        "enable" => store.set_enabled(id, true, by)?,
        "delete" => store.delete_account(id, by)?,
        _ => return Err(Failure::Hidden),
    }
    Ok(reply::see("/staff/accounts?note=done"))
}
