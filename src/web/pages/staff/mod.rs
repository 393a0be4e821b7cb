//! What staff see and do. Everything here needs an administrator, which the table of routes has made sure of.

mod accounts;
mod contest;
mod dashboard;
mod export;
mod rejudges;
mod submissions;

use askama::Template;

use crate::contest::Schedule;
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
    action: &'static str,
    subject: String,
    detail: String,
}

#[derive(Template)]
#[template(path = "staff/audit.html", config = "src/web/askama.toml")]
struct AuditPage {
    page: Page,
    t: &'static Words,
    rows: Vec<AuditRow>,
    next: Option<i64>,
}

/// A detail as people read it: of two schedules what differs.
fn told(words: &Words, detail: &str) -> String {
    let Some((before, after)) = detail.split_once(" → ") else { return detail.to_owned() };
    let Ok(after) = serde_json::from_str::<Schedule>(after) else { return detail.to_owned() };
    let before: Option<Schedule> = serde_json::from_str(before).ok();
    let instants = |of: &Schedule| [Some(of.start_ms), Some(of.end_ms), of.freeze_ms];
    let day = |at_ms: Option<i64>| at_ms.map_or_else(|| "–".to_owned(), time::day);
    let was = before.as_ref().map_or([None; 3], instants);
    let changes = [words.start, words.end, words.freeze].into_iter().zip(was).zip(instants(&after));
    let changed = changes.filter(|((_, was), is)| was != is);
    let mut lines: Vec<String> =
        changed.map(|((name, was), is)| format!("{name} {} → {}", day(was), day(is))).collect();
    if before.is_some_and(|before| before.is_thawed != after.is_thawed) {
        lines.push(if after.is_thawed { words.thaw } else { words.freeze }.to_owned());
    }
    lines.join(" · ")
}

fn audit(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let entries = scene.app.store.audit_page(scene.request.query_number("before"), AUDIT_ROWS)?;
    let (names, words) = (scene.app.names()?, scene.words());
    let next = (entries.len() == AUDIT_ROWS as usize).then(|| entries.last().map(|last| last.id)).flatten();
    let rows = entries.into_iter().map(|entry| AuditRow {
        time: time::day(entry.at_ms),
        instant: time::instant(entry.at_ms),
        who: entry
            .account
            .map_or_else(|| "–".to_owned(), |id| names.get(&id).cloned().unwrap_or_else(|| id.to_string())),
        action: words.of_action(entry.action),
        subject: entry.subject,
        detail: told(words, &entry.detail),
    });
    let page = AuditPage { page: scene.page("staff")?, t: scene.words(), rows: rows.collect(), next };
    Ok(reply::page(page.render()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::words::EN;

    #[test]
    fn of_a_schedule_the_log_tells_what_changed() {
        let schedule = Schedule { start_ms: 0, end_ms: 60_000, freeze_ms: None, is_thawed: false };
        let text = |schedule: &Schedule| serde_json::to_string(schedule).unwrap();
        let longer = Schedule { end_ms: 120_000, is_thawed: true, ..schedule };
        assert_eq!(
            told(&EN, &format!("{} → {}", text(&schedule), text(&longer))),
            "End 1970-01-01 00:01:00 UTC → 1970-01-01 00:02:00 UTC · Unfreeze"
        );
        assert!(told(&EN, &format!(" → {}", text(&schedule))).starts_with("Start – → 1970-01-01"));
        assert_eq!(told(&EN, "3 tests → 4"), "3 tests → 4");
    }
}
