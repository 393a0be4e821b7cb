//! `subtasks.toml` beside loose tests: which of them make which subtask, and what it is worth. Reads that one file.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use super::{LoadError, Package};
use crate::diagnostic::Severity;
use crate::problem::parse_test_groups;
use crate::score::Group;

/// The file's name.
const FILE: &str = "subtasks.toml";
/// The file is not larger; the parser refuses less.
const MAX_BYTES: u64 = 16 << 20;
/// No more names than this are shown in a note.
const NOTED_NAMES: usize = 5;

/// Puts the tests of a loose folder into the subtasks that its `subtasks.toml` describes, and gives these; none when
/// there is no such file.
///
/// # Errors
/// When the file cannot be read, or has mistakes.
pub fn group_loose(folder: &Path, package: &mut Package) -> Result<Vec<Group>, LoadError> {
    let path = folder.join(FILE);
    let unreadable = |error| LoadError::File { path: path.clone(), error };
    match fs::metadata(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unreadable(error)),
        // Before it is opened: opening a pipe would wait for a writer that may never come.
        Ok(found) if !found.is_file() => {
            let error = std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is not a regular file");
            return Err(unreadable(error));
        }
        Ok(_) => {}
    }
    let mut text = String::new();
    let read = fs::File::open(&path).and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text));
    read.map_err(unreadable)?;
    let names: Vec<&str> = package.tests.iter().map(|test| test.name.as_str()).collect();
    let (groups, mistakes) = parse_test_groups(&text, &names);
    let Some(found) = groups.filter(|_| mistakes.iter().all(|it| it.severity < Severity::Error)) else {
        return Err(LoadError::Mistakes { path, text, mistakes });
    };
    let mut others: Vec<String> = Vec::new();
    for (test, group) in package.tests.iter_mut().zip(&found.of_test) {
        test.group = group.and_then(|index| found.groups.get(index)).map(|group| group.name.clone());
        if test.group.is_none() {
            others.push(format!("`{}`", test.name));
        }
    }
    if !others.is_empty() {
        let more = others.len().saturating_sub(NOTED_NAMES);
        others.truncate(NOTED_NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        package.notes.push(format!("tests of no subtask, which give no points: {}{more}", others.join(", ")));
    }
    Ok(found.groups)
}
