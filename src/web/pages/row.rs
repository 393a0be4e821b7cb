//! A submission as a line of a list, the same for teams and staff.

use crate::report::quantity;
use crate::store::{Judging, Kind, State as Progress, Submission};
use crate::verdict::Verdict;
use crate::web::app::{App, Placed};
use crate::web::frame::Visitor;
use crate::web::pages::Scene;
use crate::web::state::State;
use crate::web::time;

/// A submission as a line.
pub(crate) struct Row {
    pub(crate) id: i64,
    /// Time of the contest for what belongs to it, else the day.
    pub(crate) time: String,
    /// RFC 3339.
    pub(crate) instant: String,
    pub(crate) label: String,
    pub(crate) title: String,
    pub(crate) language: String,
    pub(crate) state: State,
    pub(crate) score: Option<String>,
    /// What it counts for, where that is not the contest.
    pub(crate) kind: Option<&'static str>,
    pub(crate) cpu: String,
    pub(crate) memory: String,
    pub(crate) team: String,
}

/// Where a submission stands.
pub(crate) fn state(app: &App, submission: &Submission, is_staff: bool) -> State {
    match (submission.state, &submission.judging) {
        // Staff see the judge's own failures; to a team they are as if it were not judged yet.
        (_, Some(judging)) if judging.verdict != Verdict::Je || is_staff => State::Judged(judging.verdict),
        (Progress::Judging, _) => {
            let (test, tests) = app.progress_of(submission.id.0).unwrap_or_default();
            State::Running(test, tests)
        }
        _ => State::Queued,
    }
}

/// A submission as a line for this visitor.
pub(crate) fn row(scene: &Scene<'_>, placed: &[Placed], submission: &Submission) -> Row {
    let Scene { app, visitor, settings, .. } = scene;
    let (label, title) = place(visitor, placed, &submission.slug);
    let is_in = |schedule: &crate::contest::Schedule| schedule.contains(submission.at_ms);
    let schedule = settings.schedule.filter(|it| submission.kind == Kind::Contest && is_in(it));
    let time = match schedule {
        Some(schedule) => time::clock(submission.at_ms.saturating_sub(schedule.start_ms)),
        None => time::day(submission.at_ms),
    };
    let words = visitor.words();
    let judging = submission.judging.as_ref();
    Row {
        id: submission.id.0,
        time,
        instant: time::instant(submission.at_ms),
        label,
        title,
        language: language_name(app, &submission.language),
        state: state(app, submission, visitor.is_staff()),
        score: judging.and_then(score),
        kind: match submission.kind {
            Kind::Contest => None,
            Kind::Practice => Some(words.practice),
            Kind::Virtual => Some(words.virtual_kind),
        },
        cpu: judging.and_then(|judging| judging.cpu_ms).map(quantity::time).unwrap_or_default(),
        memory: judging.and_then(|judging| judging.memory_bytes).map(quantity::memory).unwrap_or_default(),
        team: String::new(),
    }
}

/// Label and title of a problem; its slug where it is out of the contest.
pub(crate) fn place(visitor: &Visitor, placed: &[Placed], slug: &str) -> (String, String) {
    match placed.iter().find(|placed| placed.problem.grounds.problem.slug == slug) {
        Some(placed) => (placed.label.clone(), placed.problem.title(visitor.tongue.code()).to_owned()),
        None => ("–".to_owned(), slug.to_owned()),
    }
}

fn score(judging: &Judging) -> Option<String> {
    let score = judging.score?;
    Some(judging.max_score.map_or_else(|| score.to_string(), |most| format!("{score} / {most}")))
}

/// A language as people call it.
pub(crate) fn language_name(app: &App, id: &str) -> String {
    let language = app.languages.iter().find(|language| language.id == id);
    language.map_or_else(|| id.to_owned(), |language| language.name.clone())
}
