//! What was handed in: one's own list, and each submission with what came of it. Whose it is decides who sees it.

use askama::Template;

use crate::report::quantity;
use crate::store::{JudgedTest, SmallestInput, Submission, SubmissionFilter, SubmissionId};
use crate::verdict::Verdict;
use crate::web::app::{Placed, config};
use crate::web::frame::Page;
use crate::web::pages::Scene;
use crate::web::pages::problems::shows_failures;
use crate::web::pages::row::{Row, row};
use crate::web::reply::{self, Failure, Reply};
use crate::web::state::State;
use crate::web::words::Words;

/// Submissions on one page.
pub(crate) const PAGE_ROWS: u32 = 50;
/// Largest file that is sent as a failing test's input or answer.
const MAX_FILE_BYTES: u64 = 64 << 20;

#[derive(Template)]
#[template(path = "submissions.html", config = "src/web/askama.toml")]
struct ListPage {
    page: Page,
    t: &'static Words,
    rows: Vec<Row>,
    next: Option<i64>,
}

pub(crate) fn list(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let Scene { app, request, visitor, settings } = scene;
    let filter = SubmissionFilter {
        account: Some(visitor.account()?.id),
        before: request.query_number("before").map(SubmissionId),
        ..SubmissionFilter::default()
    };
    let found = app.store.submissions(&filter, PAGE_ROWS)?;
    let placed = app.placed(settings);
    let page = ListPage {
        page: scene.page("submissions")?,
        t: scene.words(),
        rows: found.iter().map(|submission| row(scene, &placed, submission)).collect(),
        next: next(&found),
    };
    Ok(reply::page(page.render()?))
}

/// Where the next page begins; `None` when this is the last.
pub(crate) fn next(found: &[Submission]) -> Option<i64> {
    (found.len() == PAGE_ROWS as usize).then(|| found.last().map(|last| last.id.0)).flatten()
}

/// The submission, if this visitor may see it: his own, or any for staff. Others' are as if they were not.
pub(crate) fn visible(scene: &Scene<'_>, id: i64) -> Result<Submission, Failure> {
    let submission = scene.app.store.submission(SubmissionId(id))?;
    let is_own = submission.account == scene.visitor.account()?.id;
    if is_own || scene.visitor.is_staff() { Ok(submission) } else { Err(Failure::Hidden) }
}

struct Group {
    name: String,
    state: State,
    score: String,
    points: String,
}

struct Test {
    name: String,
    state: State,
    cpu: String,
    memory: String,
    message: String,
}

struct Failing {
    test: String,
    message: String,
    smallest: Option<SmallestInput>,
    is_searched: bool,
    input: Option<String>,
    diff: Option<Vec<DiffLine>>,
    stderr: String,
    download: bool,
}

struct DiffLine {
    kind: &'static str,
    sign: &'static str,
    text: String,
}

#[derive(Template)]
#[template(path = "submission.html", config = "src/web/askama.toml")]
struct SubmissionPage {
    page: Page,
    t: &'static Words,
    row: Row,
    team: Option<String>,
    groups: Vec<Group>,
    compile_log: String,
    failing: Option<Failing>,
    tests: Vec<Test>,
    shows_messages: bool,
    source: String,
}

pub(crate) fn one(scene: &Scene<'_>, id: i64) -> Result<Reply, Failure> {
    let Scene { app, visitor, settings, .. } = scene;
    let submission = visible(scene, id)?;
    let placed = app.placed(settings);
    let source = app.store.source(submission.id)?;
    let judging = submission.judging.as_ref().filter(|it| it.verdict != Verdict::Je || visitor.is_staff());
    let tests = match judging {
        Some(judging) => app.store.judged_tests(judging.id)?,
        None => Vec::new(),
    };
    let may_see_why = visitor.is_staff() || shows_failures(scene, submission.kind);
    let team = match visitor.is_staff() {
        true => Some(app.store.account(submission.account)?.name),
        false => None,
    };
    let page = SubmissionPage {
        page: scene.page("submissions")?,
        t: scene.words(),
        row: row(scene, &placed, &submission),
        team,
        groups: judging
            .map(|judging| groups(&judging.groups, &tests, &placed, &submission))
            .unwrap_or_default(),
        // What the compiler says is of one's own source; what the judge says is for staff.
        compile_log: judging.map(|judging| judging.compile_log.clone()).unwrap_or_default(),
        failing: if may_see_why { failing(scene, &submission, &tests)? } else { None },
        tests: tests.iter().enumerate().map(|(place, test)| shown(place, test, may_see_why)).collect(),
        shows_messages: may_see_why && tests.iter().any(|test| !test.message.is_empty()),
        source: String::from_utf8_lossy(&source).into_owned(),
    };
    Ok(reply::page(page.render()?))
}

/// A test as a line. Its name tells what is in it, so it is a number as long as tests are secret.
fn shown(place: usize, test: &JudgedTest, is_open: bool) -> Test {
    Test {
        name: if is_open { test.name.clone() } else { (place + 1).to_string() },
        state: test.verdict.map_or(State::Skipped, State::Judged),
        cpu: test.cpu_ms.map(quantity::time).unwrap_or_default(),
        memory: test.memory_bytes.map(quantity::memory).unwrap_or_default(),
        message: if is_open { test.message.clone() } else { String::new() },
    }
}

fn groups(
    scores: &[(String, crate::score::Points)],
    tests: &[JudgedTest],
    placed: &[Placed],
    submission: &Submission,
) -> Vec<Group> {
    let place = placed.iter().find(|place| place.problem.grounds.problem.slug == submission.slug);
    let worth = |name: &str| {
        let problem = &place?.problem.grounds.problem;
        problem.subtasks.iter().find(|subtask| subtask.name == name).map(|subtask| subtask.points)
    };
    let group = |(name, score): &(String, crate::score::Points)| {
        let own = tests.iter().filter(|test| test.group.as_deref() == Some(name));
        let verdict = crate::verdict::of_submission(own.map(|test| test.verdict));
        Group {
            name: name.clone(),
            state: verdict.map_or(State::Skipped, State::Judged),
            score: score.to_string(),
            points: worth(name).map(|points| points.to_string()).unwrap_or_default(),
        }
    };
    scores.iter().map(group).collect()
}

/// The first failing test with all that is known of it.
fn failing(
    scene: &Scene<'_>,
    submission: &Submission,
    tests: &[JudgedTest],
) -> Result<Option<Failing>, Failure> {
    let failed = tests.iter().find(|test| test.verdict.is_some_and(|verdict| verdict != Verdict::Ac));
    let (Some(test), Some(judging)) = (failed, &submission.judging) else { return Ok(None) };
    let diff = test.expected.as_ref().zip(test.actual.as_ref());
    let packaged = packaged(scene, submission, &test.name);
    let mut is_searched = false;
    let store = &scene.app.store;
    let smallest = match store.smallest(judging.id)? {
        Some(known) => known,
        // Of the contest's own submissions it is looked for when somebody wants to learn from them.
        None if config(scene.settings).practice.smallest => {
            is_searched = store.request_smallest(submission.id, scene.visitor.now_ms)?;
            None
        }
        None => None,
    };
    Ok(Some(Failing {
        test: test.name.clone(),
        message: test.message.clone(),
        is_searched,
        smallest,
        input: test.input.clone(),
        diff: diff.map(|(expected, actual)| lines(expected, actual)),
        stderr: test.stderr.clone(),
        download: packaged.is_some(),
    }))
}

/// A line diff of the two.
fn lines(expected: &[u8], actual: &[u8]) -> Vec<DiffLine> {
    let (expected, actual) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(actual));
    let diff = similar::TextDiff::from_lines(expected.as_ref(), actual.as_ref());
    let line = |change: similar::Change<&str>| {
        let (kind, sign) = match change.tag() {
            similar::ChangeTag::Equal => ("same", " "),
            similar::ChangeTag::Delete => ("expected", "−"),
            similar::ChangeTag::Insert => ("found", "+"),
        };
        DiffLine { kind, sign, text: change.value().trim_end_matches(['\r', '\n']).to_owned() }
    };
    diff.iter_all_changes().map(line).collect()
}

/// A test of the package that is one input.
fn packaged(scene: &Scene<'_>, submission: &Submission, name: &str) -> Option<crate::package::PackagedTest> {
    let problem = scene.app.problems.problem(&submission.slug)?;
    problem.grounds.tests.tests().iter().find(|test| test.name == name && !test.pack).cloned()
}

pub(crate) fn source(scene: &Scene<'_>, id: i64) -> Result<Reply, Failure> {
    let submission = visible(scene, id)?;
    let source = scene.app.store.source(submission.id)?;
    Ok(reply::file("text/plain; charset=utf-8", &submission.file_name, source))
}

/// Which of a test's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    Input,
    Answer,
}

/// The failing test's input or answer, where it may be seen.
pub(crate) fn file(scene: &Scene<'_>, id: i64, which: Which) -> Result<Reply, Failure> {
    let submission = visible(scene, id)?;
    if !scene.visitor.is_staff() && !shows_failures(scene, submission.kind) {
        return Err(Failure::Hidden);
    }
    let name = submission.judging.as_ref().and_then(|judging| judging.first_failing_test.clone());
    let test = name.as_deref().and_then(|name| packaged(scene, &submission, name)).ok_or(Failure::Hidden)?;
    let (path, ending) = match which {
        Which::Input => (&test.input, "in"),
        Which::Answer => (&test.answer, "ans"),
    };
    let unreadable = |error: std::io::Error| Failure::Trouble(format!("{}: {error}", path.display()));
    if std::fs::metadata(path).map_err(unreadable)?.len() > MAX_FILE_BYTES {
        return Err(Failure::Wrong(scene.words().too_large.to_owned()));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    let file = format!("{}-{}.{ending}", submission.slug, test.name);
    Ok(reply::file("text/plain; charset=utf-8", &file, bytes))
}
