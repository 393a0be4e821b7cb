//! The folder that a jury's program starts in: the test's files under fixed names, and a place for its feedback. It is
//! the one that the worker's sandbox lends, laid out anew for each run. What the program leaves there is never executed or followed.
//!
//! | name | what |
//! |---|---|
//! | `input`, `answer` | the test |
//! | `output` | the submission's output; for an interactor, what it may write itself |
//! | `feedback/` | what a Kattis validator writes |

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::grade::excerpt;
use crate::grade::jury::protocol::ScoreFiles;
use crate::grade::trial::{Bench, JudgeFault, Stopped};
use crate::lang::program::FILE_BYTES;

/// Bytes of a message that are read.
const SAID_BYTES: u64 = 4_000;

/// Bytes of the input of another pass.
const NEXT_PASS_BYTES: u64 = 64 << 20;

/// Bytes that an interactor may leave for a checker: no file of a run's can be larger.
const WRITTEN_BYTES: u64 = FILE_BYTES;

/// A folder for the jury's program; there as long as its sandbox is.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn input(&self) -> PathBuf {
        self.path.join("input")
    }

    pub(super) fn answer(&self) -> PathBuf {
        self.path.join("answer")
    }

    pub(super) fn output(&self) -> PathBuf {
        self.path.join("output")
    }

    /// With a slash at its end, as the Kattis format asks.
    pub(super) fn feedback(&self) -> PathBuf {
        self.path.join("feedback/")
    }

    /// Writes the files of one run and clears away what the run before left.
    pub(super) fn lay_out(&self, input: &[u8], answer: &[u8], output: &[u8]) -> io::Result<()> {
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        let write = |path: &Path, bytes: &[u8], mode| {
            fs::write(path, bytes)?;
            fs::set_permissions(path, Permissions::from_mode(mode))
        };
        write(&self.input(), input, 0o644)?;
        write(&self.answer(), answer, 0o644)?;
        // The program may run as another user than the judge.
        write(&self.output(), output, 0o666)?;
        fs::create_dir(self.feedback())?;
        fs::set_permissions(self.feedback(), Permissions::from_mode(0o777))
    }

    /// Puts the input and the output of another pass in the place of those before; what the validator wrote stays.
    pub(super) fn lay_out_again(&self, input: &[u8], output: &[u8]) -> io::Result<()> {
        fs::write(self.input(), input)?;
        fs::write(self.output(), output)
    }

    /// Takes away what a Kattis validator left as the input of another pass.
    pub(super) fn next_pass(&self) -> io::Result<Option<Vec<u8>>> {
        let path = self.feedback().join("nextpass.in");
        if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) {
            return Ok(None);
        }
        let input = excerpt::piece(&path, 0..NEXT_PASS_BYTES)?;
        fs::remove_file(&path)?;
        Ok(Some(input))
    }

    /// What an interactor left for a checker; `None` when that is no file.
    pub(super) fn written(&self) -> io::Result<Option<Vec<u8>>> {
        let is_file = fs::symlink_metadata(self.output()).is_ok_and(|found| found.is_file());
        is_file.then(|| excerpt::piece(&self.output(), 0..WRITTEN_BYTES)).transpose()
    }

    /// The numbers that a Kattis validator left.
    pub(super) fn scores(&self) -> ScoreFiles {
        let number = |name| self.feedback_file(name).map(|text| excerpt::printable(&text));
        ScoreFiles { score: number("score.txt"), multiplier: number("score_multiplier.txt") }
    }

    /// What a validator left in a file; nothing when that is no file. A link or a pipe there is not opened.
    fn feedback_file(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.feedback().join(name);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
        is_file.then(|| excerpt::piece(&path, 0..SAID_BYTES).unwrap_or_default())
    }

    /// A Kattis validator's words: to the judges, else to the team, else what it wrote to standard error.
    pub(super) fn said(&self, stderr: &[u8]) -> Vec<u8> {
        let file = |name| self.feedback_file(name).filter(|text| !text.trim_ascii().is_empty());
        file("judgemessage.txt").or_else(|| file("teammessage.txt")).unwrap_or_else(|| stderr.to_vec())
    }
}

pub(super) fn unusable(error: io::Error) -> Stopped {
    Stopped::Judge(JudgeFault(format!(
        "cannot lay out the files of the jury's program in `{}`: {error}; TMPDIR names another folder for them",
        std::env::temp_dir().display()
    )))
}

impl Bench<'_> {
    /// The folder of the worker's sandbox.
    pub(super) fn jury_folder(&mut self) -> Result<Folder, Stopped> {
        Ok(Folder { path: self.own_sandbox()?.folder_to_lend().to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_run_finds_its_own_files_only() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder { path: place.path().to_owned() };
        folder.lay_out(b"1\n", b"2\n", b"3\n").unwrap();
        fs::write(folder.feedback().join("judgemessage.txt"), "first\n").unwrap();
        fs::create_dir(folder.path().join("left")).unwrap();
        assert_eq!(folder.said(b"stderr"), b"first\n");
        folder.lay_out(b"4\n", b"5\n", b"6\n").unwrap();
        assert_eq!(folder.said(b"stderr"), b"stderr");
        assert_eq!(fs::read(folder.input()).unwrap(), b"4\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
        assert!(folder.feedback().to_str().unwrap().ends_with('/'));
    }
}
