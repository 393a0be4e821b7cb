//! What tools said of themselves, kept between calls of the judge: starting `clang++` or `node` for its version costs
//! as much as twenty runs of a small program. Only programs that the machine runs directly are kept, by the identity of
//! their file, so that one which is replaced is asked again. A shim's answer depends on files and variables that only
//! the shim knows: never kept.
//!
//! ```text
//! <cache>/tools/<hash of the file's identity and the question>   what the program answered
//! ```

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

/// Part of every name: what an older judge kept in another way is not taken for ours.
const FORMAT: &str = "touchstone answer 1";

/// What a tool may say about itself.
pub(in crate::lang) const ANSWER_BYTES: u64 = 64 << 10;

/// The answers in one cache folder.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Answers {
    folder: PathBuf,
}

impl Answers {
    pub(in crate::lang) fn new(cache: &Path) -> Self {
        Self { folder: cache.join("tools") }
    }

    /// What this very file answered to `args` before.
    pub(in crate::lang) fn look_up(&self, program: &Path, args: &[&str]) -> Option<String> {
        let mut answer = String::new();
        let file = File::open(self.folder.join(name(program, args)?)).ok()?;
        file.take(ANSWER_BYTES).read_to_string(&mut answer).ok()?;
        Some(answer)
    }

    /// Keeps an answer; of a program that is not [run directly](is_binary) nothing is kept.
    ///
    /// # Errors
    /// When it can't be written. It is asked for again then.
    pub(in crate::lang) fn keep(&self, program: &Path, args: &[&str], answer: &str) -> io::Result<()> {
        let Some(name) = name(program, args) else { return Ok(()) };
        fs::create_dir_all(&self.folder)?;
        let mut whole = tempfile::NamedTempFile::new_in(&self.folder)?;
        whole.write_all(answer.as_bytes())?;
        whole.persist(self.folder.join(name))?;
        Ok(())
    }
}

/// A name for what the file behind `program` answers to `args`, or none when it is a shim. The path counts as well as
/// the file: the same program is `clang` under one name and `clang++` under another.
fn name(program: &Path, args: &[&str]) -> Option<String> {
    let target = program.canonicalize().ok()?;
    if !is_binary(&target) {
        return None;
    }
    let file = fs::metadata(&target).ok()?;
    let identity = (file.dev(), file.ino(), file.len());
    let changed = (file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec());
    let whole = format!("{:?}", (FORMAT, program, &target, identity, changed, args));
    Some(Sha256::digest(whole).iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").ok();
        hex
    }))
}

/// Whether this is an executable that the machine runs without an interpreter.
pub(in crate::lang) fn is_binary(path: &Path) -> bool {
    let mut head = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == *b"\x7fELF"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_kept_until_the_file_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let answers = Answers::new(&folder.path().join("cache"));
        let program = folder.path().join("tool");
        fs::write(&program, b"\x7fELF of version 1").unwrap();
        assert_eq!(answers.look_up(&program, &["--version"]), None);
        answers.keep(&program, &["--version"], "1.0").unwrap();
        assert_eq!(answers.look_up(&program, &["--version"]).as_deref(), Some("1.0"));
        assert_eq!(answers.look_up(&program, &["--help"]), None, "another question");
        let other_name = folder.path().join("tool++");
        std::os::unix::fs::symlink(&program, &other_name).unwrap();
        assert_eq!(answers.look_up(&other_name, &["--version"]), None, "another name");

        let newer = folder.path().join("newer");
        fs::write(&newer, b"\x7fELF of version 2").unwrap();
        fs::rename(newer, &program).unwrap();
        assert_eq!(answers.look_up(&program, &["--version"]), None, "another file of the same size");
    }

    #[test]
    fn a_shims_answer_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let answers = Answers::new(folder.path());
        let shim = folder.path().join("python3");
        fs::write(&shim, "#!/bin/sh\nexec python3.11 \"$@\"\n").unwrap();
        answers.keep(&shim, &["--version"], "3.11").unwrap();
        assert_eq!(answers.look_up(&shim, &["--version"]), None);
    }
}
