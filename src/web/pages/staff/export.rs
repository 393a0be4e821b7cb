//! What can be taken home: results, everything as JSON, the programs, a copy of the database. No password leaves by any
//! of them but the last, which is the database itself.

use std::io::{Cursor, Write as _};

use crate::contest::csv;
use crate::contest::{Scoring, View};
use crate::store::{Action, By, Export, StoreError, SubmissionId};
use crate::web::app::config;
use crate::web::pages::Scene;
use crate::web::reply::{self, Failure, Reply};

pub(crate) fn file(scene: &Scene<'_>, name: &str, by: By) -> Result<Reply, Failure> {
    let reply = match name {
        "results.csv" => results(scene)?,
        "contest.json" => everything(scene)?,
        "submissions.zip" => programs(scene)?,
        "contest.db" => database(scene)?,
        _ => return Err(Failure::Hidden),
    };
    match scene.app.store.audit(by, Action::Export, name, "") {
        // To take things home is what one does about a full disk.
        Err(StoreError::Full) => {
            scene.app.trouble(&format!("{name} was exported, and the log has no room for it"));
        }
        noted => noted?,
    }
    Ok(reply)
}

/// The board as staff see it.
fn results(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let Scene { app, visitor, settings, .. } = scene;
    let placed = app.placed(settings);
    let board = app.boards.board(app, View::Jury, visitor.now_ms)?;
    let accounts = app.store.accounts()?;
    let icpc = config(settings).rules.scoring == Scoring::Icpc;
    let mut head = vec!["rank", "login", "name"];
    head.extend(if icpc { ["solved", "penalty_minutes"].as_slice() } else { ["points"].as_slice() });
    // Two columns each: what stands together in one, spreadsheets take for a date.
    let of_problems: Vec<String> = placed
        .iter()
        .flat_map(|place| match icpc {
            true => vec![format!("{} minute", place.label), format!("{} tries", place.label)],
            false => vec![place.label.clone()],
        })
        .collect();
    head.extend(of_problems.iter().map(String::as_str));
    let mut table = vec![head.iter().map(ToString::to_string).collect::<Vec<String>>()];
    for row in &board.rows {
        let Some(account) = accounts.iter().find(|account| account.id.0 == row.team) else { continue };
        let mut cells = vec![row.rank.to_string(), account.login.clone(), account.name.clone()];
        if icpc {
            cells.extend([row.solved.to_string(), row.penalty_minutes.to_string()]);
        } else {
            cells.push(row.score.to_string());
        }
        let text = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
        cells.extend(row.cells.iter().flat_map(|cell| match icpc {
            true => {
                vec![text(cell.solved_minute), text(Some(cell.tries().into()).filter(|tries| *tries > 0))]
            }
            false => vec![cell.score.map(|score| score.to_string()).unwrap_or_default()],
        }));
        table.push(cells);
    }
    Ok(reply::file("text/csv; charset=utf-8", "results.csv", csv::write(table)))
}

fn everything(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let Export { version, settings, accounts, submissions, clarifications, rejudges: _, audit } =
        scene.app.store.export()?;
    let accounts: Vec<_> = accounts
        .iter()
        .map(|account| {
            serde_json::json!({
                "id": account.id, "login": account.login, "name": account.name, "role": account.role,
                "is_enabled": account.is_enabled,
            })
        })
        .collect();
    let submissions: Vec<_> = submissions
        .iter()
        .map(|submission| {
            let judging = submission.judging.as_ref();
            serde_json::json!({
                "id": submission.id, "account": submission.account, "problem": submission.slug,
                "language": submission.language, "file_name": submission.file_name, "at_ms": submission.at_ms,
                "kind": submission.kind, "state": submission.state,
                "verdict": judging.map(|judging| judging.verdict.short()),
                "score": judging.and_then(|judging| judging.score),
                "cpu_ms": judging.and_then(|judging| judging.cpu_ms),
                "memory_bytes": judging.and_then(|judging| judging.memory_bytes),
                "first_failing_test": judging.and_then(|judging| judging.first_failing_test.as_deref()),
            })
        })
        .collect();
    let config = settings.config.as_ref();
    let document = serde_json::json!({
        "format": 1, "version": version, "config": config, "schedule": settings.schedule,
        "accounts": accounts, "submissions": submissions, "clarifications": clarifications, "audit": audit,
    });
    Ok(reply::file("application/json", "contest.json", document.to_string()))
}

/// Every program as `<problem>/<login>/<number>-<verdict>-<file>`.
fn programs(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let app = scene.app;
    let export = app.store.export()?;
    let placed = app.placed(scene.settings);
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    let broken =
        |error: &dyn std::fmt::Display| Failure::Trouble(format!("cannot write the archive: {error}"));
    let path = |id: SubmissionId| {
        let found = export.submissions.binary_search_by_key(&id, |submission| submission.id).ok()?;
        let submission = &export.submissions[found];
        let account = export.accounts.iter().find(|account| account.id == submission.account)?;
        let label = placed
            .iter()
            .find(|place| place.problem.grounds.problem.slug == submission.slug)
            .map_or(submission.slug.as_str(), |place| place.label.as_str());
        let verdict = submission.judging.as_ref().map_or("none", |judging| judging.verdict.short());
        let parts = [label, &account.login, &format!("{id}-{verdict}-{}", submission.file_name)];
        Some(parts.map(harmless).join("/"))
    };
    app.store.each_source(|id, source| {
        let Some(path) = path(id) else { return Ok(()) };
        zip.start_file(path, options).map_err(|error| broken(&error))?;
        zip.write_all(&source).map_err(|error| broken(&error))
    })?;
    let bytes = zip.finish().map_err(|error| broken(&error))?.into_inner();
    Ok(reply::file("application/zip", "submissions.zip", bytes))
}

/// A name that is one part of a path on every system.
fn harmless(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|letter| if letter.is_alphanumeric() || "._-+".contains(letter) { letter } else { '_' })
        .collect();
    // Neither a folder's own name nor a hidden file.
    if clean.starts_with('.') || clean.is_empty() { format!("_{clean}") } else { clean }
}

fn database(scene: &Scene<'_>) -> Result<Reply, Failure> {
    let failed = |error: std::io::Error| Failure::Trouble(format!("cannot make a copy: {error}"));
    let folder = tempfile::tempdir().map_err(failed)?;
    let copy = folder.path().join("contest.db");
    scene.app.store.back_up(&copy).map_err(|error: StoreError| Failure::Trouble(error.to_string()))?;
    let bytes = std::fs::read(&copy).map_err(failed)?;
    let name = format!("contest-{}.db", crate::web::time::instant(scene.visitor.now_ms));
    Ok(reply::file("application/vnd.sqlite3", &name, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_an_archive_stay_inside_it() {
        assert_eq!(["..", "a/b", "", "Ж.py", ".bash"].map(harmless), ["_..", "a_b", "_", "Ж.py", "_.bash"]);
    }
}
