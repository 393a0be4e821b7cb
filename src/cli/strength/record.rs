//! The record of the last whole measurement of a problem: written when there is a new one, and read only as long as
//! tests, solutions and operators are those that it is of. Measures nothing.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::Desk;
use super::programs::{kept, originals};
use crate::cli::CliError;
use crate::package::{self, Workspace, layout, read_manifest, sha256};
use crate::problem::Problem;
use crate::report::strength::Strength;
use crate::strength::{self, Mutants, Record};

/// A file of a problem is not larger, or no record is kept; nor are there more.
const MAX_FILE_BYTES: u64 = 16 << 20;
const MAX_FILES: usize = 1000;

/// The numbers of the last whole measurement; `None` when there was none, or something that it depends on has changed.
pub(crate) fn current(workspace: &Workspace, problem: &Problem) -> Option<Record> {
    let path = layout::measured_file(&workspace.problem(&problem.slug));
    let text = package::text_of_regular(&path).ok()?;
    Record::parse(&text, &measured(workspace, problem)?)
}

/// Writes what was measured, if that was everything: all the mutants there are by default, all of them run.
pub(super) fn keep(desk: &Desk<'_>, problem: &Problem, found: &Strength) -> Result<(), CliError> {
    let not_run = found.not_run();
    if desk.args.mutants != strength::BUDGET || not_run > 0 {
        return Ok(());
    }
    let (kept_killed, kept) = found.kept_killed();
    let counts = found.mutants;
    let record =
        Record { killed: counts.killed, counted: counts.compiled - counts.equivalent, kept_killed, kept };
    if current(desk.workspace, problem) == Some(record) {
        return Ok(());
    }
    let Some(of) = measured(desk.workspace, problem) else { return Ok(()) };
    let path = layout::measured_file(&desk.workspace.problem(&problem.slug));
    if let Err(error) = write(&path, &record.to_text(&of)) {
        // The number was found all the same.
        writeln!(desk.context.stderr(), "note: cannot write `{}`: {error}", desk.shown(&path))?;
    }
    Ok(())
}

/// Puts a new file in the place of whatever is there: a pipe would wait for a reader, a link lead elsewhere.
fn write(file: &Path, text: &str) -> io::Result<()> {
    let mut temporary = tempfile::Builder::new()
        .permissions(fs::Permissions::from_mode(0o666))
        .tempfile_in(file.parent().unwrap_or(file))?;
    temporary.write_all(text.as_bytes())?;
    temporary.persist(file)?;
    Ok(())
}

/// The digest of all that the numbers follow from: the package, the problem's own files, kept solutions, the languages
/// they are in, and the mutants that operators make of them.
fn measured(workspace: &Workspace, problem: &Problem) -> Option<String> {
    let manifest = read_manifest(&workspace.generated(&problem.slug)).ok()?;
    if !package::is_current(workspace, problem, &manifest).ok()? {
        return None;
    }
    let mut parts = vec![manifest.to_text()];
    let folder = workspace.problem(&problem.slug);
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    for file in files.iter().filter(|file| !is_only_shown(&folder, file)) {
        parts.push(named(&folder, file)?);
    }
    let kept = kept(workspace, problem).ok()?;
    let solutions = workspace.solutions_folder(&problem.slug);
    for (solution, language) in &kept {
        parts.push(named(&solutions, &solution.path)?);
        parts.push(format!("{:?} {}", solution.expected, language.of_verdicts()));
    }
    let mutants = Mutants::of(&originals(&kept).ok()?);
    for index in mutants.choose(strength::BUDGET) {
        parts.push(mutants.all[index].id.clone());
        parts.push(mutants.all[index].text.clone());
    }
    Some(strength::digest(parts.iter().map(String::as_bytes)))
}

/// What no verdict depends on: statements, and the record itself.
fn is_only_shown(folder: &Path, file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    file == layout::measured_file(folder) || layout::statement_language(name).is_some()
}

/// A file's path below `folder`, and the digest of what it holds.
fn named(folder: &Path, file: &Path) -> Option<String> {
    let small = fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() <= MAX_FILE_BYTES);
    let bytes = small.then(|| fs::read(file).ok())??;
    Some(format!("{} {}", file.strip_prefix(folder).unwrap_or(file).display(), sha256(&bytes)))
}

/// The files below `folder`; `None` when there are too many, or they can't be listed.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Option<()> {
    for entry in fs::read_dir(folder).ok()? {
        let path = entry.ok()?.path();
        if path.is_dir() && !path.is_symlink() {
            collect(&path, files)?;
        } else if files.len() == MAX_FILES {
            return None;
        } else {
            files.push(path);
        }
    }
    Some(())
}
