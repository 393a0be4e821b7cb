//! What staff see and do. Everything here needs an administrator, which the table of routes has made sure of.

mod accounts;
mod contest;
mod dashboard;
mod export;
mod rejudges;
mod submissions;

use askama::Template;

use crate::store::By;
use crate::web::frame::Page;
use crate::web::pages::{Scene, clarifications};
use crate::web::reply::{self, Failure, Reply};
use crate::web::route::Route;
use crate::web::time;
use crate::web::words::Words;

/// Lines of the audit log on a page.
const AUDIT_ROWS: u32 = 100;

pub(crate) fn shown(scene: &Scene<'_>, route: &Route) -> Result<Reply, Failure> {
    let by = By::account(scene.visitor.account()?.id, scene.visitor.now_ms);
    match route {
        Route::Staff => dashboard::page(scene),
        Route::StaffSubmissions => submissions::list(scene),
        Route::StaffRejudges => rejudges::list(scene),
        Route::StartRejudge => rejudges::start(scene, by),
        Route::ApplyRejudge(id) => rejudges::apply(scene, *id, by),
        Route::CancelRejudge(id) => rejudges::cancel(scene, *id, by),
        Route::ReleaseQuarantine(job) => dashboard::release(scene, *job, by),
        Route::TellAll => clarifications::tell_all(scene, by),
        Route::AnswerClarification(id) => clarifications::answer(scene, *id, by),
        Route::StaffContest => contest::page(scene),
        Route::ChangeContest => contest::change(scene, by),
        Route::ChangeProblem(label) => contest::change_problem(scene, label, by),
        Route::StaffAccounts => accounts::list(scene),
        Route::ImportAccounts => accounts::import(scene, by),
        Route::ChangeAccount(id) => accounts::change(scene, *id, by),
        Route::CredentialSheet => accounts::sheet(scene, by),
        Route::Audit => audit(scene),
        Route::Export(file) => export::file(scene, file, by),
        // The rest is for others, and was shown there.
        _ => Err(Failure::Hidden),
    }
}

struct AuditRow {
    time: String,
    instant: String,
    who: String,
    what: String,
}

#[derive(Template)]
#[template(path = "staff/audit.html", config = "src/web/askama.toml")]
struct AuditPage {
    page: Page,
    t: &'static Words,
    rows: Vec<AuditRow>,
    next: Option<i64>,
}

fn audit(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let entries = scene.app.store.audit_page(scene.request.query_number("before"), AUDIT_ROWS)?;
    let names = scene.app.names()?;
    let next = (entries.len() == AUDIT_ROWS as usize).then(|| entries.last().map(|last| last.id)).flatten();
    let rows = entries.into_iter().map(|entry| AuditRow {
        time: time::day(entry.at_ms),
        instant: time::instant(entry.at_ms),
        who: entry
            .account
            .map_or_else(|| "–".to_owned(), |id| names.get(&id).cloned().unwrap_or_else(|| id.to_string())),
        what: format!("{}: {} {}", entry.action, entry.subject, entry.detail),
    });
    let page = AuditPage { page: scene.page("staff")?, t: scene.words(), rows: rows.collect(), next };
    Ok(reply::page(page.render()?))
}
