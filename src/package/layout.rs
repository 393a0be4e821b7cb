//! Where things lie. The only file that joins path names; it never opens one.
//!
//! | path | what | written by |
//! |---|---|---|
//! | `problems/<slug>/problem.toml` | the problem | its setter |
//! | `problems/<slug>/selection.toml` | which derived tests are made | `touchstone strength --select` |
//! | `problems/<slug>/strength.toml` | mutants that are no faults | its setter |
//! | `problems/<slug>/measured.toml` | how strong the tests were found to be, and what was measured | `touchstone strength` |
//! | `problems/<slug>/statement.<language>.md` | its statement, for each language of its title | its setter |
//! | `solutions/<slug>/<folder>/<name>.<ext>` | kept solutions, `<folder>` says the verdict they must get | their authors |
//! | `generated/<slug>/manifest.toml` | seed, tests in order, SHA-256 of every file | `touchstone generate` |
//! | `generated/<slug>/<test>.in`, `<test>.ans` | a test's inputs and answers | `touchstone generate` |
//! | `generated/.<slug>.partial-*` | a package that is being written; nobody reads it | `touchstone generate` |

use std::path::{Path, PathBuf};

/// The folder that makes its parent a workspace.
pub const PROBLEMS: &str = "problems";
/// The folder of kept solutions.
pub const SOLUTIONS: &str = "solutions";
/// The folder that only the program writes.
pub const GENERATED: &str = "generated";
/// Ends the name of an input file.
pub const INPUT_EXTENSION: &str = "in";
/// Ends the name of an answer file.
pub const ANSWER_EXTENSION: &str = "ans";
/// Another ending of an answer file, read in loose folders and never written.
pub const LOOSE_ANSWER_EXTENSION: &str = "out";

/// The file that declares the problem in `folder`.
pub fn problem_file(folder: &Path) -> PathBuf {
    folder.join("problem.toml")
}

/// The file beside it that lists the derived tests that are made.
pub fn selection_file(folder: &Path) -> PathBuf {
    folder.join("selection.toml")
}

/// The file beside it that names mutants which are no faults.
pub fn strength_file(folder: &Path) -> PathBuf {
    folder.join("strength.toml")
}

/// The file beside it that says how strong the tests were found to be.
pub fn measured_file(folder: &Path) -> PathBuf {
    folder.join("measured.toml")
}

/// The statement in `language` of the problem in `folder`.
pub fn statement_file(folder: &Path, language: &str) -> PathBuf {
    folder.join(format!("statement.{language}.md"))
}

/// The language of a statement by its file's name; `None` for other files.
pub fn statement_language(file_name: &str) -> Option<&str> {
    file_name.strip_prefix("statement.")?.strip_suffix(".md")
}

/// The list of tests in the package at `package`.
pub fn manifest_file(package: &Path) -> PathBuf {
    package.join("manifest.toml")
}

/// The input file of the test `name` in the package at `package`.
pub fn input_file(package: &Path, name: &str) -> PathBuf {
    test_file(package, name, INPUT_EXTENSION)
}

/// The answer file of the test `name` in the package at `package`.
pub fn answer_file(package: &Path, name: &str) -> PathBuf {
    test_file(package, name, ANSWER_EXTENSION)
}

/// How the names of folders that hold a half-written package of `slug` begin.
pub fn partial_prefix(slug: &str) -> String {
    format!(".{slug}.partial-")
}

/// Names may hold a `.`, so the extension is added and never exchanged.
fn test_file(package: &Path, name: &str, extension: &str) -> PathBuf {
    let mut path = package.to_path_buf();
    path.extend(name.split('/'));
    path.as_mut_os_string().push(".");
    path.as_mut_os_string().push(extension);
    path
}

/// Whether a test's name may become a path: parts of letters, digits and `_ - + = . ,`, none empty and none beginning
/// with a dot, so that a manifest can never point outside its package.
pub fn is_test_name(name: &str) -> bool {
    name.len() <= MAX_NAME_BYTES
        && name.split('/').all(|part| {
            !part.is_empty()
                && !part.starts_with('.')
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-+=.,".contains(&b))
        })
}

/// No test's name is longer.
pub const MAX_NAME_BYTES: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_leave_the_package_are_refused() {
        for name in ["samples/1", "edges/n=max-1/all_min", "exhaustive/n=1..4", "small/cases/a,b"] {
            assert!(is_test_name(name), "{name}");
        }
        for name in ["", "/etc", "a//b", "../x", "a/../b", "a/.b", "a\\b", "a b", "a\n", "ä"] {
            assert!(!is_test_name(name), "{name}");
        }
    }

    #[test]
    fn a_dot_in_a_name_is_no_extension() {
        let package = Path::new("generated/p");
        assert_eq!(
            input_file(package, "exhaustive/n=1..4"),
            PathBuf::from("generated/p/exhaustive/n=1..4.in")
        );
    }
}
