//! A loose folder of tests, as people keep them: `N.in` with `N.ans` or `N.out`, no problem needed. Looks at names and
//! at the first bytes of each file, finds every fault at once, and changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::layout::{ANSWER_EXTENSION, INPUT_EXTENSION, LOOSE_ANSWER_EXTENSION};
use super::read::regular;
use super::{Member, Package, PackagedTest, natural};

/// Why a loose folder can't be graded on. All faults of a folder are found together.
#[derive(Debug, thiserror::Error)]
pub enum LooseFault {
    /// The folder itself can't be listed.
    #[error("cannot read the folder `{}`: {error}", folder.display())]
    Folder {
        /// As it was given.
        folder: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// There is no test at all.
    #[error("no tests in `{}`: expected files named as in `1.in` with `1.ans` or `1.out`{hint}", folder.display())]
    NoTests {
        /// As it was given.
        folder: PathBuf,
        /// What was found instead; begins with `; ` or is empty.
        hint: String,
    },
    /// An input without an answer.
    #[error("`{}` has no answer: expected `{stem}.ans` or `{stem}.out` beside it", input.display())]
    NoAnswer {
        /// The input.
        input: PathBuf,
        /// Its name without `.in`.
        stem: String,
    },
    /// An answer without an input.
    #[error("`{}` has no input: expected `{stem}.in` beside it", answer.display())]
    NoInput {
        /// The answer.
        answer: PathBuf,
        /// Its name without extension.
        stem: String,
    },
    /// Both kinds of answer for one input.
    #[error("`{stem}.in` has two answers, `{stem}.ans` and `{stem}.out`, in `{}`: keep one", folder.display())]
    TwoAnswers {
        /// As it was given.
        folder: PathBuf,
        /// The input's name without `.in`.
        stem: String,
    },
    /// Something that looks like a test by its name and is no readable file.
    #[error("cannot read `{}`: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Two names that differ only where a user can't tell, or a name that is no text.
    #[error("the name of `{}` is not valid UTF-8, so no report could show it: rename the file", path.display())]
    Name {
        /// The file, as well as it can be shown.
        path: PathBuf,
    },
    /// A file that no program would read as its author meant.
    #[error("`{}` is written in {encoding}: save it as UTF-8 without a byte order mark", path.display())]
    Encoding {
        /// The file.
        path: PathBuf,
        /// In words.
        encoding: &'static str,
    },
}

/// The files of one stem.
#[derive(Default)]
struct Files {
    input: Option<PathBuf>,
    ans: Option<PathBuf>,
    out: Option<PathBuf>,
}

/// No more names than this are shown in a hint.
const HINT_NAMES: usize = 5;

/// Finds the tests of a loose folder, in natural order of their names.
///
/// # Errors
/// Every file that is missing, orphaned, doubled, unreadable or in another encoding; or that there is no test at all.
pub fn loose(folder: &Path) -> Result<Package, Vec<LooseFault>> {
    let mut found = Found::default();
    list(folder, &mut found)
        .map_err(|error| vec![LooseFault::Folder { folder: folder.to_path_buf(), error }])?;
    let mut faults = std::mem::take(&mut found.faults);
    let mut stems: Vec<(String, Files)> = std::mem::take(&mut found.stems).into_iter().collect();
    stems.sort_by(|(a, _), (b, _)| natural(a, b));
    if stems.is_empty() && faults.is_empty() {
        let hint = hint(&found);
        faults.push(LooseFault::NoTests { folder: folder.to_path_buf(), hint });
    }
    let mut tests = Vec::with_capacity(stems.len());
    for (stem, files) in stems {
        match (files.input, files.ans, files.out) {
            (Some(input), Some(answer), None) | (Some(input), None, Some(answer)) => {
                match (look(&input), look(&answer)) {
                    (Ok(input_bytes), Ok(answer_bytes)) => tests.push(PackagedTest {
                        name: stem,
                        family: String::new(),
                        group: None,
                        input,
                        answer,
                        members: vec![Member { input: 0..input_bytes, answer: 0..answer_bytes }],
                        pack: false,
                    }),
                    (input, answer) => faults.extend(input.err().into_iter().chain(answer.err())),
                }
            }
            (Some(_), Some(_), Some(_)) => {
                faults.push(LooseFault::TwoAnswers { folder: folder.to_path_buf(), stem });
            }
            (Some(input), None, None) => faults.push(LooseFault::NoAnswer { input, stem }),
            (None, ans, out) => faults.extend(
                ans.into_iter().chain(out).map(|answer| LooseFault::NoInput { answer, stem: stem.clone() }),
            ),
        }
    }
    if faults.is_empty() {
        let notes = notes(folder, &found.folders);
        Ok(Package { problem: None, tests, notes })
    } else {
        Err(faults)
    }
}

/// What a folder holds.
#[derive(Default)]
struct Found {
    stems: BTreeMap<String, Files>,
    others: Vec<String>,
    /// Whether there are files that are passed over for the dot that their names begin with.
    has_hidden: bool,
    folders: Vec<String>,
    faults: Vec<LooseFault>,
}

fn list(folder: &Path, found: &mut Found) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()).map(str::to_owned) else {
            // Only what looks like a test matters; a strange name elsewhere harms nobody.
            if path.extension().is_some_and(is_test_extension) {
                found.faults.push(LooseFault::Name { path });
            }
            continue;
        };
        if name.starts_with('.') {
            found.has_hidden = true;
            continue;
        }
        if path.is_dir() {
            found.folders.push(name);
            continue;
        }
        let slot: fn(&mut Files) -> &mut Option<PathBuf> = match name.rsplit_once('.') {
            Some((_, INPUT_EXTENSION)) => |files| &mut files.input,
            Some((_, ANSWER_EXTENSION)) => |files| &mut files.ans,
            Some((_, LOOSE_ANSWER_EXTENSION)) => |files| &mut files.out,
            _ => {
                found.others.push(name);
                continue;
            }
        };
        let stem = name.rsplit_once('.').map_or("", |(stem, _)| stem).to_owned();
        *slot(found.stems.entry(stem).or_default()) = Some(path);
    }
    found.others.sort_by(|a, b| natural(a, b));
    found.folders.sort_by(|a, b| natural(a, b));
    found.faults.sort_by_key(ToString::to_string);
    Ok(())
}

fn is_test_extension(extension: &std::ffi::OsStr) -> bool {
    [INPUT_EXTENSION, ANSWER_EXTENSION, LOOSE_ANSWER_EXTENSION].iter().any(|known| extension == *known)
}

/// The file's size, when it can be read and begins like a text.
fn look(path: &Path) -> Result<u64, LooseFault> {
    let fault = |error| LooseFault::File { path: path.to_path_buf(), error };
    let mut file = regular(path).map_err(fault)?;
    let bytes = file.metadata().map_err(fault)?.len();
    let mut first = [0; 3];
    let mut filled = 0;
    while filled < first.len() {
        match file.read(&mut first[filled..]).map_err(fault)? {
            0 => break,
            read => filled += read,
        }
    }
    let encoding = match &first[..filled] {
        [0xEF, 0xBB, 0xBF] => "UTF-8 with a byte order mark",
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => "UTF-16",
        _ => return Ok(bytes),
    };
    Err(LooseFault::Encoding { path: path.to_path_buf(), encoding })
}

/// What was found where no test was, and what to do about it.
fn hint(found: &Found) -> String {
    let (others, folders) = (&found.others, &found.folders);
    let known = |name: &String| {
        let name = name.to_ascii_lowercase();
        ["in", "out", "ans"].iter().any(|word| name.contains(word))
    };
    let shown = |names: &[&String]| {
        let list =
            names.iter().take(HINT_NAMES).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        if names.len() > HINT_NAMES { format!("{list} and {} more", names.len() - HINT_NAMES) } else { list }
    };
    let tests: Vec<&String> = others.iter().filter(|name| known(name)).collect();
    let parts: Vec<&String> = folders.iter().collect();
    if !tests.is_empty() {
        format!("; found {}: rename them", shown(&tests))
    } else if !parts.is_empty() {
        format!("; found the folders {}: sub-folders are not searched, so name one of them", shown(&parts))
    } else if !others.is_empty() {
        format!("; found only {}", shown(&others.iter().collect::<Vec<_>>()))
    } else if found.has_hidden {
        "; found only hidden files, whose names begin with a dot".to_owned()
    } else {
        "; the folder is empty".to_owned()
    }
}

fn notes(folder: &Path, folders: &[String]) -> Vec<String> {
    folders
        .iter()
        .map(|name| format!("the sub-folder `{name}` of `{}` is not searched for tests", folder.display()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        folder
    }

    #[test]
    fn tests_come_in_natural_order_with_either_answer() {
        let folder = folder(&[
            ("10.in", b"1\n"),
            ("10.out", b""),
            ("2.in", b"22\n"),
            ("2.ans", b"4\n"),
            ("README.md", b"."),
            ("a.b.in", b""),
            ("a.b.ans", b""),
        ]);
        fs::create_dir(folder.path().join("more")).unwrap();
        let package = loose(folder.path()).unwrap();
        let names: Vec<&str> = package.tests.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["2", "10", "a.b"]);
        assert_eq!(package.tests[0].members, [Member { input: 0..3, answer: 0..2 }]);
        assert_eq!(package.notes.len(), 1, "{:?}", package.notes);
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let folder = folder(&[
            ("1.in", b"\xEF\xBB\xBF1\n"),
            ("1.ans", b"\xFF\xFE1\0"),
            ("2.in", b""),
            ("3.out", b""),
            ("4.in", b""),
            ("4.out", b""),
            ("4.ans", b""),
        ]);
        fs::create_dir(folder.path().join("5.in")).unwrap();
        let text: Vec<String> = loose(folder.path()).unwrap_err().iter().map(ToString::to_string).collect();
        assert_eq!(text.len(), 5, "{text:?}");
        for part in
            ["1.in` is written in UTF-8 with", "1.ans` is written in UTF-16", "2.in` has no", "3.out` has no"]
        {
            assert!(text.iter().any(|line| line.contains(part)), "{part}: {text:?}");
        }
        assert!(text.iter().any(|line| line.contains("`4.in` has two answers")), "{text:?}");
    }

    #[test]
    fn an_empty_set_says_what_was_found_and_what_is_expected() {
        for (files, expected) in [
            (&[] as &[(&str, &[u8])], "the folder is empty"),
            (&[(".1.in", b""), (".1.ans", b"")], "found only hidden files"),
            (&[("README.txt", b"")], "found only `README.txt`"),
            (&[("input1.txt", b""), ("output1.txt", b"")], "found `input1.txt`, `output1.txt`: rename them"),
            (&[("1.IN", b""), ("1.OUT", b"")], "found `1.IN`, `1.OUT`: rename them"),
            (&[("in.1", b""), ("out.1", b"")], "found `in.1`, `out.1`: rename them"),
        ] {
            let folder = folder(files);
            let faults = loose(folder.path()).unwrap_err();
            let text = faults[0].to_string();
            assert!(faults.len() == 1 && text.contains(expected) && text.contains("`1.in`"), "{text}");
        }
    }
}
