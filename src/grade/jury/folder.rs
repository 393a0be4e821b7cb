//! The folder that a jury's program starts in: the test's files under fixed names, and a place for its feedback. It is
//! the one that the worker's sandbox lends, laid out anew for each run. What the program leaves there is never executed or followed.
//!
//! | name | what |
//! |---|---|
//! | `input`, `answer` | the test |
//! | `output` | the submission's output; for an interactor, what it may write itself |
//! | `feedback/` | what a Kattis validator writes |

use std::fs::{self, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use nix::fcntl::{OFlag, openat};
use nix::sys::stat::Mode;

use crate::grade::excerpt;
use crate::grade::jury::protocol::ScoreFiles;
use crate::grade::trial::{Bench, JudgeFault, Stopped};
use crate::lang::program::FILE_BYTES;
use crate::sandbox;

/// Bytes of a message that are read.
const SAID_BYTES: u64 = 4_000;

/// What a validator leaves in `feedback` as the input of another pass.
const NEXT_PASS: &str = "nextpass.in";

/// Bytes of it.
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
        sandbox::empty_lent_folder(&self.path)?;
        self.write("input", input, 0o644)?;
        self.write("answer", answer, 0o644)?;
        // The program may run as another user than the judge.
        self.write("output", output, 0o666)?;
        fs::create_dir(self.feedback())?;
        fs::set_permissions(self.feedback(), Permissions::from_mode(0o777))
    }

    /// Puts the input and the output of another pass in the place of those before; what the validator wrote stays.
    pub(super) fn lay_out_again(&self, input: &[u8], output: &[u8]) -> io::Result<()> {
        self.write("input", input, 0o644)?;
        self.write("output", output, 0o666)
    }

    /// Writes a file that is a new one, whatever had its name: a link would lead the judge's pen out of the folder.
    fn write(&self, name: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = File::options().write(true).create_new(true).open(&path)?;
        file.write_all(bytes)?;
        file.set_permissions(Permissions::from_mode(mode))
    }

    /// Opens what lies in the folder, or in `feedback` there. Neither may be a link, and nothing waits for a pipe's other
    /// end; `None` when it is no file.
    fn open(&self, is_feedback: bool, name: &str) -> Option<File> {
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        let mut folder = File::open(&self.path).ok()?;
        if is_feedback {
            folder = openat(&folder, "feedback", flags | OFlag::O_DIRECTORY, Mode::empty()).ok()?.into();
        }
        let file = File::from(openat(&folder, name, flags, Mode::empty()).ok()?);
        file.metadata().is_ok_and(|found| found.is_file()).then_some(file)
    }

    /// Takes away what a Kattis validator left as the input of another pass.
    pub(super) fn next_pass(&self) -> io::Result<Option<Vec<u8>>> {
        let Some(file) = self.open(true, NEXT_PASS) else { return Ok(None) };
        // It was opened by way of no link.
        fs::remove_file(self.feedback().join(NEXT_PASS))?;
        first_bytes(file, NEXT_PASS_BYTES).map(Some)
    }

    /// What an interactor left for a checker; `None` when that is no file.
    pub(super) fn written(&self) -> io::Result<Option<Vec<u8>>> {
        self.open(false, "output").map(|file| first_bytes(file, WRITTEN_BYTES)).transpose()
    }

    /// The numbers that a Kattis validator left.
    pub(super) fn scores(&self) -> ScoreFiles {
        let number = |name| self.feedback_file(name).map(|text| excerpt::printable(&text));
        ScoreFiles { score: number("score.txt"), multiplier: number("score_multiplier.txt") }
    }

    /// What a validator left in a file; nothing when that is no file.
    fn feedback_file(&self, name: &str) -> Option<Vec<u8>> {
        self.open(true, name).map(|file| first_bytes(file, SAID_BYTES).unwrap_or_default())
    }

    /// A Kattis validator's words: to the judges, else to the team, else what it wrote to standard error.
    pub(super) fn said(&self, stderr: &[u8]) -> Vec<u8> {
        let file = |name| self.feedback_file(name).filter(|text| !text.trim_ascii().is_empty());
        file("judgemessage.txt").or_else(|| file("teammessage.txt")).unwrap_or_else(|| stderr.to_vec())
    }
}

fn first_bytes(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
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

    #[test]
    fn links_lead_the_judge_nowhere() {
        let place = tempfile::tempdir().unwrap();
        let (lent, outside) = (place.path().join("lent"), place.path().join("outside"));
        fs::create_dir(&lent).unwrap();
        fs::create_dir(&outside).unwrap();
        for name in ["kept", "judgemessage.txt", NEXT_PASS] {
            fs::write(outside.join(name), "secret").unwrap();
        }
        let folder = Folder { path: lent };
        let is_kept = || fs::read(outside.join("kept")).unwrap() == b"secret";
        folder.lay_out(b"1\n", b"2\n", b"3\n").unwrap();
        fs::remove_dir(folder.feedback()).unwrap();
        std::os::unix::fs::symlink(&outside, folder.path().join("feedback")).unwrap();
        for path in [folder.input(), folder.output()] {
            fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink(outside.join("kept"), &path).unwrap();
        }
        assert_eq!(folder.said(b"stderr"), b"stderr");
        assert_eq!(folder.written().unwrap(), None);
        assert_eq!(folder.next_pass().unwrap(), None);
        folder.lay_out_again(b"4\n", b"5\n").unwrap();
        assert!(is_kept() && outside.join(NEXT_PASS).exists());
        assert_eq!(fs::read(folder.input()).unwrap(), b"4\n");
        folder.lay_out(b"6\n", b"7\n", b"8\n").unwrap();
        assert!(is_kept() && folder.feedback().read_dir().unwrap().next().is_none());
    }

    #[test]
    fn whatever_was_left_is_cleared_away() {
        let place = tempfile::tempdir().unwrap();
        let lent = place.path().join("lent");
        fs::create_dir(&lent).unwrap();
        let folder = Folder { path: lent };
        folder.lay_out(b"", b"", b"").unwrap();
        // Names that clearing away could stumble over, and folders that nobody may look into.
        fs::write(folder.path().join("feedback-1"), "").unwrap();
        fs::create_dir_all(folder.feedback().join("a/b")).unwrap();
        fs::create_dir(folder.path().join("input-1")).unwrap();
        fs::remove_file(folder.input()).unwrap();
        fs::create_dir(folder.input()).unwrap();
        for closed in [folder.feedback().join("a"), folder.feedback(), folder.path().to_owned()] {
            fs::set_permissions(closed, Permissions::from_mode(0o000)).unwrap();
        }
        folder.lay_out(b"1\n", b"", b"").unwrap();
        assert_eq!(fs::read(folder.input()).unwrap(), b"1\n");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
