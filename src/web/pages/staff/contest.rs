//! When the contest runs, what is in it, and what can be taken home.

use askama::Template;

use crate::contest::config::{Config, duration_text, parse_duration, parse_instant};
use crate::contest::{Phase, Schedule, Scoring};
use crate::store::By;
use crate::web::app::{Placed, ServedProblem, config};
use crate::web::catalogue::NotRead;
use crate::web::frame::Page;
use crate::web::pages::Scene;
use crate::web::reply::{self, Failure, Reply};
use crate::web::time;
use crate::web::words::Words;

/// Most minutes that the end is moved by at once.
const MAX_EXTENSION_MINUTES: i64 = 1440;
/// Longest name of a contest.
const MAX_NAME_BYTES: usize = 400;
const MINUTE_MS: i64 = 60_000;

struct Line {
    label: String,
    title: String,
    tests: usize,
    enabled: bool,
}

/// An instant, or words where there is none.
struct When {
    instant: String,
    text: String,
}

#[derive(Template)]
#[template(path = "staff/contest.html", config = "src/web/askama.toml")]
struct ContestPage {
    page: Page,
    t: &'static Words,
    start: When,
    end: When,
    freeze: When,
    scoring: &'static str,
    can_start: bool,
    can_end: bool,
    can_freeze: bool,
    can_thaw: bool,
    name: String,
    start_value: String,
    duration: String,
    freeze_value: String,
    problems: Vec<Line>,
}

pub(crate) fn page(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let Scene { app, visitor, settings, .. } = scene;
    let words = scene.words();
    let schedule = settings.schedule;
    let phase = schedule.map(|schedule| schedule.phase(visitor.now_ms));
    let of_config = config(settings);
    let duration_ms = schedule.map_or(of_config.duration_ms, |schedule| schedule.duration_ms());
    let freeze_before_ms = match schedule {
        Some(schedule) => schedule.freeze_ms.map(|freeze_ms| schedule.end_ms.saturating_sub(freeze_ms)),
        None => of_config.freeze_before_end_ms,
    };
    let day = |at_ms: Option<i64>, none: &str| When {
        instant: at_ms.map(time::instant).unwrap_or_default(),
        text: at_ms.map_or_else(|| none.to_owned(), time::day),
    };
    let problems = app.all_placed(settings).into_iter().map(|(place, enabled)| Line {
        title: place.problem.title(visitor.tongue.code()).to_owned(),
        tests: place.problem.grounds.tests.tests().len(),
        label: place.label,
        enabled,
    });
    let page = ContestPage {
        page: scene.page("staff")?,
        t: words,
        start: day(schedule.map(|schedule| schedule.start_ms), words.not_started),
        end: day(schedule.map(|schedule| schedule.end_ms), "–"),
        freeze: day(schedule.and_then(|schedule| schedule.freeze_ms), words.never),
        scoring: match of_config.rules.scoring {
            Scoring::Icpc => "ICPC",
            Scoring::Ioi => "IOI",
        },
        can_start: phase.is_none_or(|phase| phase == Phase::Before),
        can_end: phase.is_some_and(Phase::is_running),
        can_freeze: phase == Some(Phase::Running),
        can_thaw: phase == Some(Phase::OverFrozen),
        name: of_config.name(visitor.tongue.code()).to_owned(),
        start_value: schedule.map(|schedule| time::instant(schedule.start_ms)).unwrap_or_default(),
        duration: duration_text(duration_ms),
        freeze_value: freeze_before_ms.map(duration_text).unwrap_or_default(),
        problems: problems.collect(),
    };
    Ok(reply::page(page.render()?))
}

pub(crate) fn change(scene: &Scene<'_>, by: By) -> Result<Reply, Failure> {
    let Scene { app, request, visitor, settings } = scene;
    let store = &app.store;
    match request.field("do") {
        "start" => store.start_at(visitor.now_ms, by)?,
        "freeze" => store.freeze(by)?,
        "thaw" => store.thaw(by)?,
        "end" => {
            let schedule = settings.schedule.ok_or(Failure::Hidden)?;
            let end_ms = visitor.now_ms.max(schedule.start_ms.saturating_add(1));
            // A freeze that would have come later never comes.
            let freeze_ms = schedule.freeze_ms.filter(|freeze_ms| *freeze_ms < end_ms);
            store.set_schedule(Schedule { end_ms, freeze_ms, ..schedule }, by)?;
        }
        "extend" => {
            let minutes: i64 = request.field("minutes").parse().unwrap_or(0);
            if !(1..=MAX_EXTENSION_MINUTES).contains(&minutes) {
                return Err(Failure::Wrong(format!(
                    "{}: 1–{MAX_EXTENSION_MINUTES}",
                    scene.words().extend_by
                )));
            }
            store.extend(minutes * MINUTE_MS, by)?;
        }
        "schedule" => reschedule(scene, by)?,
        _ => return Err(Failure::Hidden),
    }
    Ok(reply::see("/staff/contest?note=done"))
}

/// Takes the form as a whole, or says everything that is wrong with it.
fn reschedule(scene: &Scene<'_>, by: By) -> Result<(), Failure> {
    let Scene { app, request, visitor, settings } = scene;
    let mut wrong = Vec::new();
    let mut read = |field: &'static str,
                    parse: fn(&str) -> Result<i64, crate::contest::config::TimeError>| {
        let text = request.field(field).trim();
        if text.is_empty() {
            return None;
        }
        parse(text).map_err(|error| wrong.push(error.to_string())).ok()
    };
    let (start_ms, duration_ms) = (read("start", parse_instant), read("duration", parse_duration));
    let freeze_before_end_ms = read("freeze", parse_duration);
    let name = request.field("name").trim();
    if name.is_empty() || name.len() > MAX_NAME_BYTES {
        wrong.push(format!("{}: 1–{MAX_NAME_BYTES}", scene.words().name));
    }
    if !wrong.is_empty() {
        return Err(Failure::Wrong(wrong.join(" · ")));
    }
    let before = config(settings);
    let mut names = before.names.clone();
    let code = visitor.tongue.code();
    match names.iter_mut().find(|(own, _)| own == code) {
        Some((_, own)) => name.clone_into(own),
        // In the only language that there is, or one more.
        None if before.name(code) != name => {
            names.push((code.to_owned(), name.to_owned()));
        }
        None => {}
    }
    let duration_ms = duration_ms.unwrap_or(before.duration_ms);
    let start_ms = start_ms.or(settings.schedule.map(|schedule| schedule.start_ms));
    if let Some(start_ms) = start_ms {
        let is_thawed = settings.schedule.is_some_and(|schedule| schedule.is_thawed);
        let planned = Schedule::planned(start_ms, duration_ms, freeze_before_end_ms);
        let schedule = Schedule { is_thawed, ..planned };
        if Some(schedule) != settings.schedule {
            app.store.set_schedule(schedule, by)?;
        }
    }
    // Without a start it is kept for when there is one.
    let changed = match start_ms {
        None => Config { names, duration_ms, freeze_before_end_ms, ..before.clone() },
        Some(_) => Config { names, ..before.clone() },
    };
    app.store.change_config(&changed, by)?;
    Ok(())
}

pub(crate) fn change_problem(scene: &Scene<'_>, label: &str, by: By) -> Result<Reply, Failure> {
    let all = scene.app.all_placed(scene.settings);
    let found = all.iter().find(|(place, _)| place.label.eq_ignore_ascii_case(label));
    let (place, _) = found.ok_or(Failure::Hidden)?;
    if scene.request.field("do") == "read" {
        return read_again(scene, place, by);
    }
    let is_enabled = scene.request.field("enabled") == "yes";
    scene.app.store.set_problem_enabled(&place.problem.grounds.problem.slug, is_enabled, by)?;
    Ok(reply::see("/staff/contest?note=done"))
}

/// Takes what somebody mended in a problem's files; on to where what it had judged can be judged again.
fn read_again(scene: &Scene<'_>, place: &Placed, by: By) -> Result<Reply, Failure> {
    let (app, words) = (scene.app, scene.words());
    let slug = &place.problem.grounds.problem.slug;
    let tests = |problem: &ServedProblem| problem.grounds.tests.tests().len();
    app.problems.read_again(slug).map_err(|reason| match reason {
        NotRead::Unknown => Failure::Hidden,
        NotRead::Busy => Failure::Wrong(words.is_being_read.to_owned()),
        NotRead::Wrong(mistakes) => Failure::Wrong(format!("{}\n\n{mistakes}", words.not_read)),
    })?;
    let now = app.problems.problem(slug).ok_or(Failure::Hidden)?;
    let detail = format!("{} tests → {}", tests(&place.problem), tests(&now));
    app.store.note_problem_read(slug, &detail, by)?;
    let label: String = form_urlencoded::byte_serialize(place.label.as_bytes()).collect();
    let path = if scene.settings.enabled().any(|problem| problem.slug == *slug) {
        format!("/staff/submissions?problem={label}&note=read")
    } else {
        "/staff/contest?note=done".to_owned()
    };
    Ok(reply::see(&path))
}
