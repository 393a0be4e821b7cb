//! Handing in, from a form or from a program. What is answered as taken is on disk.

use axum::http::StatusCode;

use crate::contest::Phase;
use crate::lang::Language;
use crate::store::{Kind, NewSubmission, Rate, SubmissionId};
use crate::web::app::{Placed, config};
use crate::web::pages::Scene;
use crate::web::pages::problems::placed;
use crate::web::pages::row;
use crate::web::reply::{self, Failure, Reply};
use crate::web::request::cut;
use crate::web::state::State;

/// Bytes of a file's name that are kept.
const MAX_NAME_BYTES: usize = 120;
/// The window in which submissions are counted.
const MINUTE_MS: i64 = 60_000;

/// What a submission of this visitor would count for now; `None` when none is taken.
pub(crate) fn kind(scene: &Scene<'_>) -> Result<Option<Kind>, Failure> {
    let Scene { app, visitor, settings, .. } = scene;
    // What staff try is nobody's result.
    if visitor.is_staff() {
        return Ok(Some(Kind::Practice));
    }
    let Some(schedule) = settings.schedule else { return Ok(None) };
    let practice = &config(settings).practice;
    Ok(match schedule.phase(visitor.now_ms) {
        Phase::Before => None,
        Phase::Running | Phase::Frozen => Some(Kind::Contest),
        Phase::Over | Phase::OverFrozen => match app.virtual_schedule(visitor, &schedule)? {
            Some(own) if own.contains(visitor.now_ms) => Some(Kind::Virtual),
            _ if practice.upsolving => Some(Kind::Practice),
            _ => None,
        },
    })
}

/// What is handed in.
struct Handed<'a> {
    language: &'a str,
    file_name: &'a str,
    source: &'a [u8],
}

pub(crate) fn by_form(scene: &Scene<'_>, label: &str) -> Result<Reply, Failure> {
    let request = scene.request;
    let all = scene.app.placed(scene.settings);
    let place = placed(&all, label)?;
    let handed = match request.upload("file").filter(|upload| !upload.bytes.is_empty()) {
        Some(upload) => {
            Handed { language: request.field("language"), file_name: &upload.name, source: &upload.bytes }
        }
        None => Handed {
            language: request.field("language"),
            file_name: "",
            source: request.field("code").as_bytes(),
        },
    };
    take(scene, place, &handed)?;
    Ok(reply::see(&format!("/problems/{}?note=submitted", place.label)))
}

/// Takes it; its number when it is on disk.
fn take(scene: &Scene<'_>, place: &Placed, handed: &Handed<'_>) -> Result<SubmissionId, Failure> {
    let Scene { app, visitor, settings, .. } = scene;
    let words = scene.words();
    let account = visitor.account()?;
    let kind = kind(scene)?.ok_or_else(|| Failure::Refused(words.cannot_submit.to_owned()))?;
    if handed.source.iter().all(u8::is_ascii_whitespace) {
        return Err(Failure::Wrong(words.empty_source.to_owned()));
    }
    let language =
        language(scene, handed).ok_or_else(|| Failure::Wrong(words.unknown_language.to_owned()))?;
    let name = handed.file_name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = cut(name, MAX_NAME_BYTES);
    let usual = format!("solution.{}", language.extensions.first().map_or("txt", String::as_str));
    let new = NewSubmission {
        account: account.id,
        slug: &place.problem.grounds.problem.slug,
        language: &language.id,
        mode: None,
        file_name: if name.is_empty() { &usual } else { name },
        source: handed.source,
        at_ms: visitor.now_ms,
        kind,
    };
    let rate = Rate { count: config(settings).max_submissions_per_minute, window_ms: MINUTE_MS };
    Ok(app.store.submit(&new, Some(rate).filter(|_| !visitor.is_staff()))?)
}

/// The language that was chosen, else that of the file's name; only those of the contest.
fn language(scene: &Scene<'_>, handed: &Handed<'_>) -> Option<&'static Language> {
    let languages = scene.app.languages(scene.settings);
    if !handed.language.is_empty() {
        let wanted = handed.language.to_lowercase();
        return languages.into_iter().find(|it| it.id == wanted || it.aliases.contains(&wanted));
    }
    let extension = handed.file_name.rsplit_once('.')?.1.to_lowercase();
    languages.into_iter().find(|language| language.extensions.contains(&extension))
}

pub(crate) fn by_program(scene: &Scene<'_>) -> Result<Reply, Failure> {
    #[derive(serde::Deserialize)]
    struct Asked {
        problem: String,
        #[serde(default)]
        language: String,
        file_name: String,
        source: String,
    }
    let asked: Asked = serde_json::from_slice(&scene.request.body).map_err(|error| {
        Failure::Wrong(format!("expected {{\"problem\": …, \"file_name\": …, \"source\": …}}: {error}"))
    })?;
    let all = scene.app.placed(scene.settings);
    let by_slug = all.iter().find(|place| place.problem.grounds.problem.slug == asked.problem);
    let place = match by_slug {
        Some(place) => place,
        None => placed(&all, &asked.problem).map_err(|_| {
            let labels: Vec<&str> = all.iter().map(|place| place.label.as_str()).collect();
            Failure::Wrong(format!(
                "there is no problem `{}` in this contest: expected one of {}",
                asked.problem,
                labels.join(", ")
            ))
        })?,
    };
    let handed =
        Handed { language: &asked.language, file_name: &asked.file_name, source: asked.source.as_bytes() };
    let id = take(scene, place, &handed)?;
    Ok(reply::json(StatusCode::CREATED, &serde_json::json!({ "submission": id.0, "problem": place.label })))
}

/// Where a submission of one's own stands, for programs.
pub(crate) fn status(scene: &Scene<'_>, id: i64) -> Result<Reply, Failure> {
    let submission = super::submissions::visible(scene, id)?;
    let all = scene.app.placed(scene.settings);
    let row = row::row(scene, &all, &submission);
    let (test, tests) = match row.state {
        State::Running(test, tests) => (Some(test), Some(tests)),
        _ => (None, None),
    };
    let verdict = match row.state {
        State::Judged(verdict) => Some(verdict.short()),
        _ => None,
    };
    let judging = submission.judging.as_ref();
    let body = serde_json::json!({
        "submission": id,
        "problem": row.label,
        "language": submission.language,
        "verdict": verdict,
        "score": judging.and_then(|judging| judging.score),
        "test": test,
        "tests": tests,
        "cpu_ms": judging.and_then(|judging| judging.cpu_ms),
        "memory_bytes": judging.and_then(|judging| judging.memory_bytes),
        "compile_log": judging.map(|judging| judging.compile_log.as_str()).unwrap_or_default(),
    });
    Ok(reply::json(StatusCode::OK, &body))
}
