//! Opens a package that was written before: its manifest, and whether its files are there in the sizes it names.
//! Reads no test's bytes and writes nothing.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{Entry, Manifest, ManifestError, Member, Package, PackagedTest, layout};

/// Why a package can't be used. Making it again mends each of these.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no package.
    #[error("no tests were generated yet: `{}` does not exist", manifest.display())]
    Missing {
        /// The manifest's path.
        manifest: PathBuf,
    },
    /// The manifest can't be read.
    #[error("cannot read `{}`: {error}", manifest.display())]
    File {
        /// The manifest's path.
        manifest: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The manifest says nothing that can be used.
    #[error("cannot use `{}`: {error}", manifest.display())]
    Manifest {
        /// The manifest's path.
        manifest: PathBuf,
        /// What is wrong with it.
        error: ManifestError,
    },
    /// The manifest names a file that is not there, or not whole. So it is on a fresh clone, which has manifests only.
    #[error("`{}` is not there or not as long as its manifest says", file.display())]
    Incomplete {
        /// The first such file.
        file: PathBuf,
    },
    /// It names no test.
    #[error("`{}` names no test", manifest.display())]
    Empty {
        /// The manifest's path.
        manifest: PathBuf,
    },
}

/// A manifest is not larger.
const MAX_MANIFEST_BYTES: u64 = 64 << 20;

/// Opens the package in `folder`, as in `generated/stone-game-iii`.
///
/// # Errors
/// When there is none or a part of it is missing. That the files hold what they should is not looked at; see
/// `verify_against_manifest`.
pub fn open(folder: &Path) -> Result<Package, OpenError> {
    let manifest = read_manifest(folder)?;
    if manifest.tests.is_empty() {
        return Err(OpenError::Empty { manifest: layout::manifest_file(folder) });
    }
    let tests = manifest.tests.iter().map(|entry| test(folder, entry)).collect::<Result<_, _>>()?;
    Ok(Package { problem: Some(manifest.problem), tests, notes: Vec::new() })
}

/// Reads the manifest of the package in `folder`.
///
/// # Errors
/// When there is none, or it can't be used.
pub fn read_manifest(folder: &Path) -> Result<Manifest, OpenError> {
    let path = layout::manifest_file(folder);
    let mut text = String::new();
    let read = regular(&path).and_then(|file| file.take(MAX_MANIFEST_BYTES).read_to_string(&mut text));
    match read {
        Ok(_) => Manifest::parse(&text).map_err(|error| OpenError::Manifest { manifest: path, error }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(OpenError::Missing { manifest: path }),
        Err(error) => Err(OpenError::File { manifest: path, error }),
    }
}

/// Opens a file, if it is one: opening a pipe would wait for a writer that may never come.
///
/// # Errors
/// When it is not there, can't be opened, or is a folder, a pipe or a device.
pub(super) fn regular(path: &Path) -> io::Result<fs::File> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    fs::File::open(path)
}

/// The text of a file, if it is one.
///
/// # Errors
/// When it is not there, can't be read, is no text, or is a folder, a pipe or a device.
pub(crate) fn text_of_regular(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    regular(path)?.read_to_string(&mut text)?;
    Ok(text)
}

fn test(folder: &Path, entry: &Entry) -> Result<PackagedTest, OpenError> {
    let input = layout::input_file(folder, &entry.name);
    let answer = layout::answer_file(folder, &entry.name);
    let members = members(entry);
    let last = members.last().map_or((0, 0), |member| (member.input.end, member.answer.end));
    for (file, bytes) in [(&input, last.0), (&answer, last.1)] {
        let whole = fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() == bytes);
        if !whole {
            return Err(OpenError::Incomplete { file: file.clone() });
        }
    }
    Ok(PackagedTest {
        name: entry.name.clone(),
        family: entry.family.clone(),
        group: entry.group.clone(),
        input,
        answer,
        members,
        pack: entry.pack,
    })
}

/// Lengths become ranges. Lengths are below 2^32 and members below a million, so nothing overflows.
fn members(entry: &Entry) -> Vec<Member> {
    let (mut input, mut answer) = (0, 0);
    let ends = entry.input_bytes.iter().zip(&entry.answer_bytes);
    ends.map(|(input_bytes, answer_bytes)| {
        let member = Member { input: input..input + input_bytes, answer: answer..answer + answer_bytes };
        (input, answer) = (member.input.end, member.answer.end);
        member
    })
    .collect()
}
