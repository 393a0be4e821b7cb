//! Every submission, by problem, team and verdict; what is chosen can be judged again.

use askama::Template;

use crate::store::{AccountId, SubmissionFilter, SubmissionId};
use crate::verdict::Verdict;
use crate::web::frame::Page;
use crate::web::pages::Scene;
use crate::web::pages::problems::placed;
use crate::web::pages::row::{Row, row};
use crate::web::pages::submissions::{PAGE_ROWS, next};
use crate::web::reply::{self, Failure, Reply};
use crate::web::words::Words;

struct Choice {
    label: String,
    title: String,
}

struct Team {
    id: String,
    name: String,
}

#[derive(Template)]
#[template(path = "staff/submissions.html", config = "src/web/askama.toml")]
struct ListPage<'a> {
    page: Page,
    t: &'static Words,
    rows: Vec<Row>,
    next: Option<i64>,
    query: String,
    problems: Vec<Choice>,
    teams: Vec<Team>,
    verdicts: Vec<&'static str>,
    chosen_problem: &'a str,
    chosen_team: &'a str,
    chosen_verdict: &'a str,
}

/// What is chosen, by query or by form.
pub(crate) fn filter<'a>(
    scene: &Scene<'_>,
    value: impl Fn(&'static str) -> &'a str,
) -> Result<SubmissionFilter, Failure> {
    let label = value("problem");
    let slug = match label {
        "" => None,
        label => {
            let all = scene.app.placed(scene.settings);
            Some(placed(&all, label)?.problem.grounds.problem.slug.clone())
        }
    };
    let account = match value("team") {
        "" => None,
        id => Some(AccountId(id.parse().map_err(|_| Failure::Hidden)?)),
    };
    let verdict = match value("verdict") {
        "" => None,
        word => {
            let known = Verdict::ALL.into_iter().find(|verdict| verdict.short() == word);
            Some(Some(known.ok_or(Failure::Hidden)?))
        }
    };
    Ok(SubmissionFilter { slug, account, verdict, ..SubmissionFilter::default() })
}

pub(crate) fn list(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let Scene { app, request, visitor, settings } = scene;
    let value = |name: &'static str| request.query(name).unwrap_or_default();
    let filter = SubmissionFilter {
        before: request.query_number("before").map(SubmissionId),
        ..filter(scene, value)?
    };
    let found = app.store.submissions(&filter, PAGE_ROWS)?;
    let placed = app.placed(settings);
    let names = app.names()?;
    let line = |submission| {
        let row = row(scene, &placed, submission);
        Row { team: names.get(&submission.account).cloned().unwrap_or_default(), ..row }
    };
    let query = ["problem", "team", "verdict"]
        .map(|name| {
            let value: String = form_urlencoded::byte_serialize(value(name).as_bytes()).collect();
            format!("{name}={value}")
        })
        .join("&");
    let page = ListPage {
        page: scene.page("staff")?,
        t: scene.words(),
        rows: found.iter().map(line).collect(),
        next: next(&found),
        query,
        problems: placed
            .iter()
            .map(|place| Choice {
                label: place.label.clone(),
                title: place.problem.title(visitor.tongue.code()).to_owned(),
            })
            .collect(),
        teams: names.iter().map(|(id, name)| Team { id: id.to_string(), name: name.clone() }).collect(),
        verdicts: Verdict::ALL.map(Verdict::short).to_vec(),
        chosen_problem: value("problem"),
        chosen_team: value("team"),
        chosen_verdict: value("verdict"),
    };
    Ok(reply::page(page.render()?))
}
