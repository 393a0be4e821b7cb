//! `touchstone new`: a problem that verifies at once. Writes new files only, and takes them back when it cannot write
//! all of them.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::cli::{CliError, Context, ExitStatus};
use crate::package::{Workspace, layout};
use crate::problem::{check_slug, parse};

/// Make a problem that verifies at once: problem.toml, a statement, two solutions
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The problem's name and folder: lower-case letters, digits and -
    pub slug: String,
}

/// The texts of a new problem; `SLUG`, `TITLE` and `FUNCTION` in them stand for what their names say.
const PROBLEM: &str = include_str!("new/problem.toml");
const STATEMENT: &str = include_str!("new/statement.en.md");
const SOLUTIONS: [(&str, &str); 2] = [
    ("accepted/reference.cpp", include_str!("new/reference.cpp")),
    ("wrong_answer/starts_at_zero.py", include_str!("new/starts_at_zero.py")),
];

/// Runs the command.
///
/// # Errors
/// When the name is not a slug, is taken, or the files cannot be written.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let slug = &args.slug;
    check_slug(slug).map_err(CliError::Wrong)?;
    // Where there is no workspace yet, the first problem makes one.
    let workspace = Workspace::find(&context.working_folder)
        .unwrap_or_else(|_| Workspace::at(context.working_folder.clone()));
    let folders = [workspace.problem(slug), workspace.solutions_folder(slug), workspace.generated(slug)];
    if let Some(taken) = folders.iter().find(|folder| folder.symlink_metadata().is_ok()) {
        let taken = shown(taken, context);
        return Err(CliError::Wrong(format!("`{taken}` exists already: choose another name, or remove it")));
    }
    let files = files(&workspace, slug);
    write_all(&files, &folders[..2]).map_err(|(path, error)| {
        CliError::Wrong(format!("cannot write `{}`: {error}; nothing was made", shown(&path, context)))
    })?;
    let mut text = format!("made the problem {slug}:\n");
    for (path, _) in &files {
        let _ = writeln!(text, "  {}", shown(path, context));
    }
    let _ = writeln!(text, "next: touchstone verify {slug}");
    context.stdout().write_all(text.as_bytes())?;
    Ok(ExitStatus::Success)
}

/// The files of a new problem. Its `problem.toml` comes last: a folder without one is no problem yet.
fn files(workspace: &Workspace, slug: &str) -> Vec<(PathBuf, String)> {
    let function = function_name(slug);
    let fill =
        |text: &str| text.replace("SLUG", slug).replace("TITLE", &title(slug)).replace("FUNCTION", &function);
    let folder = workspace.problem(slug);
    let solutions = SOLUTIONS.iter().map(|(below, text)| {
        let path = below.split('/').fold(workspace.solutions_folder(slug), |path, part| path.join(part));
        (path, fill(text))
    });
    let statement = (layout::statement_file(&folder, "en"), fill(STATEMENT));
    let problem = (layout::problem_file(&folder), fill(PROBLEM));
    solutions.chain([statement, problem]).collect()
}

/// `two-sum` is called `Two Sum`.
fn title(slug: &str) -> String {
    slug.split('-').map(capitalized).collect::<Vec<_>>().join(" ")
}

/// `two-sum` is the function `twoSum`, unless that means something else somewhere.
fn function_name(slug: &str) -> String {
    let mut words = slug.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    let name = first + &words.map(capitalized).collect::<String>();
    let text = PROBLEM.replace("SLUG", slug).replace("TITLE", "T").replace("FUNCTION", &name);
    if parse(slug, &text).0.is_some() { name } else { "solve".to_owned() }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// Writes every file or none. The folders are made here and by nobody else, so that they can be taken back.
fn write_all(files: &[(PathBuf, String)], folders: &[PathBuf]) -> Result<(), (PathBuf, io::Error)> {
    let mut made = Vec::new();
    let written = make_folders(folders, &mut made).and_then(|()| {
        files.iter().try_for_each(|(path, text)| write_new(path, text).map_err(|error| (path.clone(), error)))
    });
    if written.is_err() {
        for folder in made {
            // What cannot be taken back stands beside the file that the error names.
            let _ = fs::remove_dir_all(folder);
        }
    }
    written
}

fn make_folders(folders: &[PathBuf], made: &mut Vec<PathBuf>) -> Result<(), (PathBuf, io::Error)> {
    for folder in folders {
        let parents = folder.parent().map_or(Ok(()), fs::create_dir_all);
        parents.and_then(|()| fs::create_dir(folder)).map_err(|error| (folder.clone(), error))?;
        made.push(folder.clone());
    }
    Ok(())
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::OpenOptions::new().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
}

fn shown(path: &Path, context: &Context) -> String {
    path.strip_prefix(&context.working_folder).unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slug_gives_a_problem_without_mistakes() {
        for (slug, function) in
            [("two-sum", "twoSum"), ("3-sum", "solve"), ("class", "solve"), ("a", "a"), ("x-1-y", "x1Y")]
        {
            assert_eq!(function_name(slug), function);
            let workspace = Workspace::at(PathBuf::new());
            let files = files(&workspace, slug);
            let (problem, mistakes) = parse(slug, &files.last().unwrap().1);
            assert!(problem.is_some(), "{slug}: {mistakes:?}");
            assert!(files.iter().all(|(_, text)| !text.contains("FUNCTION") && !text.contains("SLUG")));
        }
        assert_eq!(title("two-sum"), "Two Sum");
    }
}
