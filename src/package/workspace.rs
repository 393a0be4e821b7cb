//! A workspace: the folder that holds `problems/`, `solutions/` and `generated/`. Finds and reads what people wrote
//! there; never writes.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::read::regular;
use super::selection::parse_selection;
use super::{Expectation, expectation, layout, natural, programs};
use crate::diagnostic::{self, Diagnostic, Severity};
use crate::problem::{Problem, parse};
use crate::verdict::Verdict;

/// The folder that holds `problems/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workspace {
    root: PathBuf,
}

/// There is no workspace where one was looked for.
#[derive(Debug, thiserror::Error)]
#[error(
    "no workspace here: neither `{}` nor a folder above it holds a `problems` folder; \
     go to one, or make a problem with `touchstone new SLUG`",
    from.display()
)]
pub struct WorkspaceError {
    /// Where the search began.
    pub from: PathBuf,
}

/// Why a problem could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no such problem.
    #[error("no problem `{slug}`: `{}` does not exist{hint}", path.display())]
    Unknown {
        /// As it was asked for.
        slug: String,
        /// The file that would declare it.
        path: PathBuf,
        /// What may have been meant; begins with `; ` or is empty.
        hint: String,
    },
    /// A file could not be read.
    #[error("cannot read `{}`: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file has mistakes; `report::snippet` shows them in its text.
    #[error("`{}` has mistakes", path.display())]
    Mistakes {
        /// The `problem.toml`.
        path: PathBuf,
        /// Its text.
        text: String,
        /// All of its mistakes.
        mistakes: Vec<Diagnostic>,
    },
}

/// A solution kept with a problem, and the verdicts it may get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptSolution {
    /// Its path, below the workspace.
    pub path: PathBuf,
    /// Any of these is as expected; never empty.
    pub expected: Vec<Verdict>,
    /// What else is.
    pub expectation: Expectation,
}

/// The folders under `solutions/<slug>/`, and the verdicts each admits.
const FOLDERS: [(&str, &[Verdict]); 5] = [
    ("accepted", &[Verdict::Ac]),
    (PARTIALLY_ACCEPTED, &[Verdict::Wa, Verdict::Tle, Verdict::Rte, Verdict::Mle, Verdict::Ole]),
    ("wrong_answer", &[Verdict::Wa]),
    ("time_limit_exceeded", &[Verdict::Tle]),
    ("run_time_error", &[Verdict::Rte, Verdict::Mle]),
];

/// Solutions that win some points, but not all.
const PARTIALLY_ACCEPTED: &str = "partially_accepted";

/// The comment that says more must stand within this much of the file's beginning.
const EXPECT_WITHIN_BYTES: u64 = 4096;

/// A `problem.toml` is not larger.
const MAX_PROBLEM_BYTES: u64 = 16 << 20;

impl Workspace {
    /// The nearest folder, from `from` upwards, that holds a `problems` folder.
    ///
    /// # Errors
    /// When there is none up to the root.
    pub fn find(from: &Path) -> Result<Self, WorkspaceError> {
        let absolute = std::path::absolute(from).unwrap_or_else(|_| from.to_path_buf());
        absolute
            .ancestors()
            .find(|folder| folder.join(layout::PROBLEMS).is_dir())
            .map(|root| Self { root: root.to_path_buf() })
            .ok_or_else(|| WorkspaceError { from: from.to_path_buf() })
    }

    /// The workspace at `root`, whether or not anything is there yet.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// The folder that holds `problems/`.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The slugs of all problems, in natural order.
    ///
    /// # Errors
    /// When `problems/` can't be listed.
    pub fn problems(&self) -> io::Result<Vec<String>> {
        let mut slugs = Vec::new();
        for entry in fs::read_dir(self.root.join(layout::PROBLEMS))? {
            let path = entry?.path();
            let slug = path.file_name().and_then(|name| name.to_str());
            if let Some(slug) = slug.filter(|slug| is_slug(slug) && layout::problem_file(&path).is_file()) {
                slugs.push(slug.to_owned());
            }
        }
        slugs.sort_by(|a, b| natural(a, b));
        Ok(slugs)
    }

    /// Where the problem's own files lie.
    pub fn problem(&self, slug: &str) -> PathBuf {
        self.root.join(layout::PROBLEMS).join(slug)
    }

    /// Where the problem's kept solutions lie.
    pub fn solutions_folder(&self, slug: &str) -> PathBuf {
        self.root.join(layout::SOLUTIONS).join(slug)
    }

    /// Where the problem's package lies, or will.
    pub fn generated(&self, slug: &str) -> PathBuf {
        self.root.join(layout::GENERATED).join(slug)
    }

    /// Reads a problem, with the text of its `problem.toml`.
    ///
    /// # Errors
    /// When there is no such problem, its file can't be read, or has mistakes.
    pub fn load(&self, slug: &str) -> Result<(Problem, String), LoadError> {
        let path = layout::problem_file(&self.problem(slug));
        if !is_slug(slug) || !path.is_file() {
            return Err(self.unknown(slug, path));
        }
        let text = read_text(&path).map_err(|error| LoadError::File { path: path.clone(), error })?;
        match parse(slug, &text) {
            (Some(mut problem), mistakes) if mistakes.iter().all(|it| it.severity < Severity::Error) => {
                match programs::mistakes(&self.problem(slug), &problem, &text) {
                    mistakes if mistakes.is_empty() => {
                        problem.selection = self.selection(&problem)?;
                        Ok((problem, text))
                    }
                    mistakes => Err(LoadError::Mistakes { path, text, mistakes }),
                }
            }
            (_, mistakes) => Err(LoadError::Mistakes { path, text, mistakes }),
        }
    }

    /// The names that the problem's `selection.toml` lists; `None` when it has none.
    ///
    /// # Errors
    /// When the file can't be read or has mistakes.
    pub fn selection(&self, problem: &Problem) -> Result<Option<Vec<String>>, LoadError> {
        let path = layout::selection_file(&self.problem(&problem.slug));
        if !path.exists() {
            return Ok(None);
        }
        let text = read_text(&path).map_err(|error| LoadError::File { path: path.clone(), error })?;
        match parse_selection(problem, &text) {
            Ok(names) => Ok(Some(names)),
            Err(mistakes) => Err(LoadError::Mistakes { path, text, mistakes }),
        }
    }

    /// The solutions kept with a problem, in natural order of their paths. Files in other folders are not solutions.
    ///
    /// # Errors
    /// When a folder or a file can't be read; that there are none is no error.
    pub fn solutions(&self, slug: &str) -> io::Result<Vec<KeptSolution>> {
        let mut solutions = Vec::new();
        for (name, verdicts) in FOLDERS {
            let folder = self.solutions_folder(slug).join(name);
            if !folder.is_dir() {
                continue;
            }
            let mut paths = Vec::new();
            for entry in fs::read_dir(&folder)? {
                let path = entry?.path();
                let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
                if !hidden && path.is_file() {
                    paths.push(path);
                }
            }
            paths.sort_by(|a, b| natural(&a.to_string_lossy(), &b.to_string_lossy()));
            for path in paths {
                let (expected, mut expectation) = expectation::parse(&beginning(&path)?);
                expectation.is_partial = name == PARTIALLY_ACCEPTED;
                let expected = expected.unwrap_or_else(|| verdicts.to_vec());
                solutions.push(KeptSolution { path, expected, expectation });
            }
        }
        Ok(solutions)
    }

    /// The problem that a solution under `solutions/<slug>/` of this workspace is for.
    pub fn solution_problem(&self, path: &Path) -> Option<String> {
        let absolute = std::path::absolute(path).ok()?;
        let inside = absolute.strip_prefix(self.root.join(layout::SOLUTIONS)).ok()?;
        let mut parts = inside.components();
        let slug = parts.next()?.as_os_str().to_str()?;
        (parts.next().is_some() && is_slug(slug)).then(|| slug.to_owned())
    }

    fn unknown(&self, slug: &str, path: PathBuf) -> LoadError {
        let known = self.problems().unwrap_or_default();
        let hint = match diagnostic::nearest(slug, known.iter().map(String::as_str)) {
            Some(near) => format!("; did you mean `{near}`?"),
            None if known.is_empty() => "; the workspace has no problem yet".to_owned(),
            None => format!("; there are {}", known.join(", ")),
        };
        LoadError::Unknown { slug: slug.to_owned(), path, hint }
    }
}

/// Lower-case letters, digits and `-`, beginning with a letter or digit: fit for a folder's name anywhere.
pub(super) fn is_slug(text: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=64).contains(&text.len()) && text.bytes().all(fits) && !text.starts_with('-')
}

fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = regular(path)?.take(MAX_PROBLEM_BYTES + 1).read_to_string(&mut text)?;
    if read as u64 > MAX_PROBLEM_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it is larger than {MAX_PROBLEM_BYTES} bytes"),
        ));
    }
    Ok(text)
}

/// The beginning of a solution's text.
fn beginning(path: &Path) -> io::Result<String> {
    let mut start = Vec::new();
    fs::File::open(path)?.take(EXPECT_WITHIN_BYTES).read_to_end(&mut start)?;
    Ok(String::from_utf8_lossy(&start).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let workspace = Workspace::at(folder.path().to_path_buf());
        (folder, workspace)
    }

    #[test]
    fn a_workspace_is_found_from_below() {
        let (folder, _) = workspace(&[("problems/a-2/problem.toml", ""), ("problems/a-10/problem.toml", "")]);
        let below = folder.path().join("problems/a-2");
        let found = Workspace::find(&below).unwrap();
        assert_eq!(found.root(), folder.path());
        assert_eq!(found.problems().unwrap(), ["a-2", "a-10"]);
        let message = found.load("a2").unwrap_err().to_string();
        assert!(message.contains("did you mean `a-2`?"), "{message}");
        assert!(matches!(found.load("../a-2"), Err(LoadError::Unknown { .. })));
        assert!(Workspace::find(Path::new("/")).is_err());
    }

    #[test]
    fn folders_and_comments_say_the_expected_verdict() {
        let (folder, workspace) = workspace(&[
            ("solutions/p/accepted/b.rs", ""),
            ("solutions/p/accepted/.b.rs.swp", ""),
            ("solutions/p/run_time_error/deep.py", "# touchstone: expect MLE\n"),
            ("solutions/p/run_time_error/index.py", ""),
            ("solutions/p/notes.txt", ""),
        ]);
        let found = workspace.solutions("p").unwrap();
        let expected: Vec<&[Verdict]> = found.iter().map(|solution| solution.expected.as_slice()).collect();
        assert_eq!(expected, [&[Verdict::Ac] as &[Verdict], &[Verdict::Mle], &[Verdict::Rte, Verdict::Mle]]);
        assert_eq!(workspace.solution_problem(&found[0].path), Some("p".to_owned()));
        assert_eq!(workspace.solution_problem(&folder.path().join("solutions/p")), None);
        assert_eq!(workspace.solution_problem(Path::new("/tmp/x.py")), None);
        assert_eq!(workspace.solutions("q").unwrap(), []);
    }
}
