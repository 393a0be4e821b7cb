//! Which programs are meant by the paths that were given: files, or folders of them. Opens no file.

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::CliError;
use crate::lang::{self, Language, Table};
use crate::package::natural;

/// A program's file and language.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// As it was given, or below the folder that was given.
    pub(crate) path: PathBuf,
    pub(crate) language: &'static Language,
}

/// How deep below a folder that was given programs are looked for.
const MAX_DEPTH: usize = 4;
/// How many programs one command takes.
const MAX_SOURCES: usize = 10_000;

/// The programs that `paths` mean, in the order given, those of a folder in natural order. A file that is named is
/// always a program; in a folder, files of unknown kinds are passed over.
///
/// # Errors
/// When a path is not there, or is of no known language: all of them are named.
pub(crate) fn find(paths: &[PathBuf], forced: Option<&str>) -> Result<Vec<Source>, CliError> {
    let (mut sources, mut faults) = (Vec::new(), Vec::new());
    let table = Table::built_in();
    for path in paths {
        match fs::metadata(path) {
            Err(error) => faults.push(format!("cannot read `{}`: {error}", path.display())),
            Ok(data) if data.is_dir() => {
                let before = sources.len();
                if let Err(error) = in_folder(path, forced, MAX_DEPTH, &mut sources) {
                    faults.push(format!("cannot read the folder `{}`: {error}", path.display()));
                } else if sources.len() == before {
                    faults.push(format!(
                        "no program in the folder `{}`: expected files ending as in .cpp or .py",
                        path.display()
                    ));
                }
            }
            Ok(data) if !data.is_file() => {
                faults.push(format!("cannot read `{}`: it is not a regular file", path.display()));
            }
            Ok(_) => match lang::detect(table, path, forced) {
                Ok(language) => sources.push(Source { path: path.clone(), language }),
                Err(error) => faults.push(error.to_string()),
            },
        }
    }
    if sources.len() > MAX_SOURCES {
        faults.push(format!(
            "{} programs were given; at most {MAX_SOURCES} can be graded at once",
            sources.len()
        ));
    }
    if faults.is_empty() { Ok(sources) } else { Err(CliError::Wrong(faults.join("\n       "))) }
}

fn in_folder(
    folder: &Path,
    forced: Option<&str>,
    depth: usize,
    sources: &mut Vec<Source>,
) -> std::io::Result<()> {
    let mut entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by(|a, b| natural(&a.file_name().to_string_lossy(), &b.file_name().to_string_lossy()));
    for entry in entries {
        let path = entry.path();
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if is_hidden || sources.len() > MAX_SOURCES {
            continue;
        }
        if path.is_dir() {
            if depth > 1 {
                in_folder(&path, forced, depth - 1, sources)?;
            }
        } else if path.is_file()
            && let Ok(language) = lang::detect(Table::built_in(), &path, forced)
        {
            sources.push(Source { path, language });
        }
    }
    Ok(())
}
