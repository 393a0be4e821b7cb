//! Whether a package is still what its manifest says: made again in memory and compared, and the files on disk read
//! through. Writes nothing.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::manifest::{Entry, Manifest, hex};
use super::write::manifest_of;
use super::{Options, PackageError, Progress, Workspace, layout, read_manifest};
use crate::problem::Problem;

/// One way in which a package is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The manifest is of another seed than was asked for.
    Seed {
        /// The manifest's.
        manifest: u64,
        /// As asked.
        asked: u64,
    },
    /// `problem.toml` is not the one that the package was made from.
    Problem,
    /// A program that makes tests has changed.
    Makers,
    /// The answers come from elsewhere.
    Answers,
    /// A test is made that the manifest lacks.
    Lacks(String),
    /// The manifest names a test that is not made any more.
    Extra(String),
    /// The same tests in another order; the first that stands elsewhere.
    Order(String),
    /// A test's entry differs in something else than its files.
    Entry(String),
    /// A file would be made with other bytes.
    Made {
        /// The file.
        file: PathBuf,
        /// SHA-256 in the manifest.
        manifest: String,
        /// SHA-256 of what is made.
        made: String,
    },
    /// A file on disk has other bytes than the manifest says.
    OnDisk {
        /// The file.
        file: PathBuf,
        /// SHA-256 in the manifest.
        manifest: String,
        /// SHA-256 of the file.
        found: String,
    },
    /// A file on disk can't be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        error: String,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seed { manifest, asked } => {
                write!(f, "the manifest is of seed {manifest}, and {asked} was asked for")
            }
            Self::Problem => f.write_str("the manifest was made from another problem.toml or selection.toml"),
            Self::Makers => f.write_str("the manifest was made by other [[program]]s"),
            Self::Answers => f.write_str("the manifest names another source of answers"),
            Self::Lacks(test) => write!(f, "the manifest lacks the test `{test}`"),
            Self::Extra(test) => {
                write!(f, "the manifest names the test `{test}`, which is not made any more")
            }
            Self::Order(test) => write!(f, "the manifest has the test `{test}` at another place"),
            Self::Entry(test) => write!(f, "the manifest describes the test `{test}` otherwise"),
            Self::Made { file, manifest, made } => write!(
                f,
                "`{}` would be made with other bytes: SHA-256 {made}, the manifest says {manifest}",
                file.display()
            ),
            Self::OnDisk { file, manifest, found } => write!(
                f,
                "`{}` has other bytes on disk: SHA-256 {found}, the manifest says {manifest}",
                file.display()
            ),
            Self::Unreadable { file, error } => write!(f, "cannot read `{}`: {error}", file.display()),
        }
    }
}

/// Makes the problem's package again in memory and compares it with its manifest, then compares the files that are on
/// disk; those that are not there are no difference, as only manifests are kept in version control. In package order;
/// empty when all is well.
///
/// # Errors
/// When there is no manifest, or the package can't be made.
pub fn verify_against_manifest(
    workspace: &Workspace,
    problem: &Problem,
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Vec<Difference>, PackageError> {
    let folder = workspace.generated(&problem.slug);
    let kept = read_manifest(&folder)?;
    let mut differences = Vec::new();
    if kept.seed != options.seed {
        differences.push(Difference::Seed { manifest: kept.seed, asked: options.seed });
        return Ok(differences);
    }
    let made = manifest_of(workspace, problem, options, progress)?;
    if made.problem_sha256 != kept.problem_sha256 {
        differences.push(Difference::Problem);
    }
    if made.makers != kept.makers {
        differences.push(Difference::Makers);
    }
    if made.answers != kept.answers {
        differences.push(Difference::Answers);
    }
    compare(&folder, &kept, &made, &mut differences);
    for entry in &kept.tests {
        on_disk(layout::input_file(&folder, &entry.name), &entry.input_sha256, &mut differences);
        on_disk(layout::answer_file(&folder, &entry.name), &entry.answer_sha256, &mut differences);
    }
    Ok(differences)
}

fn compare(folder: &Path, kept: &Manifest, made: &Manifest, differences: &mut Vec<Difference>) {
    let find = |manifest: &Manifest, name: &str| manifest.tests.iter().position(|test| test.name == name);
    let mut last = None;
    for test in &made.tests {
        let Some(place) = find(kept, &test.name) else {
            differences.push(Difference::Lacks(test.name.clone()));
            continue;
        };
        entries(folder, &kept.tests[place], test, differences);
        if last.is_some_and(|last| place < last) {
            differences.push(Difference::Order(test.name.clone()));
        }
        last = Some(place);
    }
    let extra = kept.tests.iter().filter(|test| find(made, &test.name).is_none());
    differences.extend(extra.map(|test| Difference::Extra(test.name.clone())));
}

fn entries(folder: &Path, kept: &Entry, made: &Entry, differences: &mut Vec<Difference>) {
    let before = differences.len();
    let files = [
        (layout::input_file(folder, &kept.name), &kept.input_sha256, &made.input_sha256),
        (layout::answer_file(folder, &kept.name), &kept.answer_sha256, &made.answer_sha256),
    ];
    for (file, manifest, made) in files {
        if manifest != made {
            let (manifest, made) = (manifest.clone(), made.clone());
            differences.push(Difference::Made { file, manifest, made });
        }
    }
    if differences.len() == before && kept != made {
        differences.push(Difference::Entry(kept.name.clone()));
    }
}

fn on_disk(file: PathBuf, manifest: &str, differences: &mut Vec<Difference>) {
    match file_sha256(&file) {
        Ok(found) if found == manifest => {}
        Ok(found) => {
            differences.push(Difference::OnDisk { file, manifest: manifest.to_owned(), found });
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => {
            differences.push(Difference::Unreadable { file, error: error.to_string() });
        }
    }
}

/// Bytes read at once.
const CHUNK_BYTES: usize = 1 << 16;

fn file_sha256(path: &Path) -> io::Result<String> {
    let (mut file, mut hash, mut chunk) = (File::open(path)?, Sha256::new(), vec![0; CHUNK_BYTES]);
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(hex(&hash.finalize())),
            Ok(read) => hash.update(&chunk[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
