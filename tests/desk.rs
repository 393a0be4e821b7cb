//! A folder of one's own to run the program in, as a user would: files written there, its own cache, its own temporary
//! folder, nothing of the caller's environment but `PATH`.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::walls::Walls;

/// The folder; gone with the value.
pub(crate) struct Desk {
    folder: tempfile::TempDir,
    walls: Option<Walls>,
}

/// The commands that run programs, and so take `--isolation`.
const RUNNING: [&str; 5] = ["grade", "stress", "strength", "verify", "generate"];

/// What a command printed and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) status: i32,
}

impl Desk {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        // As people's folders are: open to the users that programs run as.
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::create_dir(folder.path().join("tmp")).unwrap();
        Self { folder, walls: None }
    }

    /// One where every command that runs programs is told these walls.
    pub(crate) fn behind(walls: Walls) -> Self {
        Self { walls: Some(walls), ..Self::new() }
    }

    /// A workspace that has the problem Stone Game III, without its solutions and tests.
    pub(crate) fn with_a_problem() -> Self {
        Self::new().having_a_problem()
    }

    /// The same behind these walls.
    pub(crate) fn with_a_problem_behind(walls: Walls) -> Self {
        Self::behind(walls).having_a_problem()
    }

    fn having_a_problem(self) -> Self {
        let desk = self;
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems/stone-game-iii");
        for entry in std::fs::read_dir(own).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let text = std::fs::read(entry.path()).unwrap();
            desk.write(format!("problems/stone-game-iii/{name}"), &text);
        }
        desk
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file, with the folders above it.
    pub(crate) fn write(&self, name: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Writes loose tests `1`, `2`, … with their answers.
    pub(crate) fn tests(&self, tests: &[(&str, &str)]) {
        for (index, (input, answer)) in tests.iter().enumerate() {
            self.write(format!("tests/{}.in", index + 1), input);
            self.write(format!("tests/{}.ans", index + 1), answer);
        }
    }

    pub(crate) fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_touchstone"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.folder.path())
            .env("XDG_CACHE_HOME", self.path(".cache"))
            .env("TMPDIR", self.path("tmp"))
            .stdin(Stdio::null());
        let runs = args.first().is_some_and(|name| RUNNING.iter().any(|running| name.as_ref() == *running));
        if let Some(walls) = self.walls.filter(|_| runs) {
            command.args(["--isolation", walls.flag()]);
        }
        command
    }

    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Said {
        said(&self.command(args).output().unwrap())
    }

    /// Runs with `--format json`; the document, and how it ended.
    pub(crate) fn json(&self, args: &[&str]) -> (Value, i32) {
        let said = self.run(&[args, &["--format", "json"]].concat());
        let document: Result<Value, _> = serde_json::from_str(&said.stdout);
        let document = document.unwrap_or_else(|error| panic!("{error}: {said:?}"));
        // What was asked for is what the runs got, wherever the report tells.
        if let (Some(walls), Some(spaces)) = (self.walls, document["isolation"]["namespaces"].as_bool()) {
            assert_eq!(spaces, walls.has_spaces(), "{document:#}");
        }
        (document, said.status)
    }

    /// What is left in the temporary folder.
    pub(crate) fn left_over(&self) -> Vec<PathBuf> {
        std::fs::read_dir(self.path("tmp")).unwrap().map(|entry| entry.unwrap().path()).collect()
    }
}

pub(crate) fn said(output: &Output) -> Said {
    Said {
        stdout: String::from_utf8(output.stdout.clone()).unwrap(),
        stderr: String::from_utf8(output.stderr.clone()).unwrap(),
        status: output.status.code().unwrap_or(-1),
    }
}

/// Times and amounts of memory as `<time>` and `<memory>`, and every run of blanks as two, so that a table is the same
/// on each machine.
pub(crate) fn without_measures(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
        let mut shown: Vec<String> = Vec::new();
        for word in words {
            let number = shown.last().is_some_and(|last| last.parse::<f64>().is_ok());
            match word {
                "ms" | "s" if number => *shown.last_mut().unwrap() = "<time>".to_owned(),
                "KiB" | "MiB" if number => *shown.last_mut().unwrap() = "<memory>".to_owned(),
                _ => shown.push(word.to_owned()),
            }
        }
        let indent = line.len() - line.trim_start_matches(' ').len();
        lines.push(format!("{}{}", " ".repeat(indent), shown.join(" ")));
    }
    lines.join("\n")
}
