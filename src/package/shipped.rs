//! The problems that come with Touchstone, out of the binary: problem files, statements, kept solutions, and the
//! manifests by which their tests are known to be the same. Writes new files only, each whole or not at all.

use std::fs::Permissions;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::{layout, read::regular};

/// Every file with its path in a workspace, sorted by path.
const FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// What keeps generated tests, which anybody can make again, out of a repository.
const IGNORED: (&str, &[u8]) = (".gitignore", b"/generated/**/*.in\n/generated/**/*.ans\n");

/// What unpacking came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unpacked {
    /// Problems that are there now.
    pub problems: usize,
    /// Their kept solutions.
    pub solutions: usize,
    /// Files that were written.
    pub written: usize,
    /// Files that stood there already with another text, and were left alone; relative to the workspace.
    pub kept: Vec<PathBuf>,
}

/// Writes the problems into the workspace `root`, which is made if it is not there. What stands there already is never
/// changed.
///
/// # Errors
/// When a folder or file can't be read or written, with its path.
pub fn unpack(root: &Path) -> Result<Unpacked, (PathBuf, io::Error)> {
    let mut unpacked = Unpacked::default();
    for (name, text) in FILES.iter().chain([&IGNORED]) {
        let path = root.join(name);
        let folder = path.parent().unwrap_or(root);
        let is_problem = name.starts_with(layout::PROBLEMS) && path == layout::problem_file(folder);
        unpacked.problems += usize::from(is_problem);
        unpacked.solutions += usize::from(Path::new(name).starts_with(layout::SOLUTIONS));
        match write_new(&path, text).map_err(|error| (path, error))? {
            Found::Nothing => unpacked.written += 1,
            Found::Same => {}
            Found::Another => unpacked.kept.push(name.into()),
        }
    }
    Ok(unpacked)
}

/// What stood in a file's place.
enum Found {
    Nothing,
    Same,
    Another,
}

fn write_new(path: &Path, text: &[u8]) -> io::Result<Found> {
    if path.symlink_metadata().is_ok() {
        return found(path, text);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    // As any program would make it: what is then taken away is up to the user's mask.
    let mut file = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
    file.write_all(text)?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(Found::Nothing),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => found(path, text),
        Err(error) => Err(error.error),
    }
}

fn found(path: &Path, text: &[u8]) -> io::Result<Found> {
    use io::Read as _;
    let mut there = Vec::new();
    // One byte more than expected tells a longer text.
    match regular(path) {
        Ok(file) => file.take(text.len() as u64 + 1).read_to_end(&mut there)?,
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Ok(Found::Another),
        Err(error) => return Err(error),
    };
    Ok(if there == text { Found::Same } else { Found::Another })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::Workspace;

    #[test]
    fn the_nine_problems_are_there_and_nothing_of_the_users_is_changed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("new/workspace");
        let first = unpack(&root).unwrap();
        assert_eq!((first.problems, first.kept.len()), (9, 0));
        assert_eq!(first.written, FILES.len() + 1);
        let workspace = Workspace::at(root.clone());
        assert_eq!(workspace.problems().unwrap().len(), 9);
        let solutions = workspace.solutions("stone-game-iii").unwrap();
        assert!(solutions.len() > 20 && solutions.len() < first.solutions);
        std::fs::write(&solutions[0].path, "mine\n").unwrap();
        std::fs::remove_file(&solutions[1].path).unwrap();
        let again = unpack(&root).unwrap();
        assert_eq!(again.written, 1);
        assert_eq!(again.kept, [solutions[0].path.strip_prefix(&root).unwrap()]);
        assert_eq!(std::fs::read(&solutions[0].path).unwrap(), b"mine\n");
    }
}
