//! Checkers and interactors that are programs of the jury's: compiled once, run in the sandbox with limits of their own.
//! What one of them does wrong is the judge's error and never held against a submission.
//!
//! | protocol | role | arguments | standard input |
//! |---|---|---|---|
//! | testlib | checker | `input output answer` | empty |
//! | testlib | interactor | `input output answer`, it may write `output` | what the submission writes |
//! | Kattis | checker | `input answer feedback/` | the submission's output |
//! | Kattis | interactor | `input answer feedback/` | what the submission writes |
//!
//! Both start in a folder that holds these files and nothing else.

mod folder;
mod interactive;
mod protocol;
mod pump;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::check::{Checked, Checker};
use crate::grade::excerpt;
use crate::grade::fault;
use crate::grade::ruling::Ruled;
use crate::grade::trial::{Bench, Figures, JudgeFault, Stopped, Tried};
use crate::grade::{GradeError, Judge};
use crate::lang::{self, CompileFailure, CompileJob, Mode, Program, Table, headers};
use crate::limits::{Limits, MemoryLimit, TimeLimit};
pub use crate::problem::{JuryProgram, Protocol, Role};
use crate::sandbox::{Files, Outcome, Spec, Stdin, interrupt};
use crate::score::Marks;
use crate::verdict::Verdict;
use folder::Folder;
use protocol::ScoreFiles;

/// CPU time of one run of a jury's program.
const TIME_MS: u64 = 15_000;
/// Memory of one run of a jury's program.
const MEMORY_BYTES: u64 = 1 << 30;
/// What one run may leave in its folder besides what it finds there: together, and how many files and folders.
const FILES_BYTES: u64 = 256 << 20;
const FILES: u64 = 1024;

/// Passes of one submission on one test.
const MAX_PASSES: u32 = 32;

/// A jury's program as it is asked for, as in `testlib:check.cpp`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// How it is called and what its exit status means.
    pub protocol: Protocol,
    /// Its source.
    pub source: PathBuf,
    /// How many points of a testlib program are all that a test gives; when `None` they are points as they are.
    pub full: Option<u64>,
    /// What a Kattis program gets after its three arguments.
    pub args: Vec<String>,
}

impl Choice {
    /// Reads `testlib:FILE` and `kattis:FILE`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (protocol, source) = text.split_once(':')?;
        let protocol = Protocol::ALL.into_iter().find(|known| known.name() == protocol)?;
        (!source.is_empty()).then(|| Self { protocol, source: source.into(), full: None, args: Vec::new() })
    }

    /// The program that a problem names, whose own files lie in `folder`.
    pub fn of_problem(jury: &JuryProgram, folder: &Path) -> Self {
        let (source, args) = (folder.join(&jury.program), jury.args.clone());
        Self { protocol: jury.protocol, source, full: jury.full, args }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.protocol.name(), self.source.display())
    }
}

/// A jury's program, ready to run.
#[derive(Debug)]
pub struct Jury {
    choice: Choice,
    role: Role,
    program: Program,
    limits: Limits,
    then: Option<AfterTalk>,
}

/// What rules on the output that an interactor writes, once it accepts the talk.
#[derive(Debug)]
pub enum AfterTalk {
    /// A built-in checker.
    BuiltIn(Checker),
    /// A program.
    Program(Box<Jury>),
}

impl Jury {
    /// Compiles the program of `choice`, or finds it compiled.
    ///
    /// # Errors
    /// When it is not there, of no known language, does not compile, or the judge fails.
    pub fn compile(choice: Choice, role: Role, judge: &Judge, cache: &Path) -> Result<Self, GradeError> {
        let refused =
            |log: String| GradeError::Jury { program: choice.source.clone(), role: role.name(), log };
        // A file that is not there is no matter of its name.
        std::fs::metadata(&choice.source)
            .map_err(|cause| GradeError::Source { path: choice.source.clone(), cause })?;
        let language = lang::detect(Table::built_in(), &choice.source, None)
            .map_err(|error| refused(error.to_string()))?;
        let headers = headers::beside(&choice.source)
            .map_err(|cause| GradeError::Source { path: choice.source.clone(), cause })?;
        let mut sandbox = judge.sandbox().map_err(|error| GradeError::Judge(error.to_string()))?;
        let job = CompileJob {
            language,
            source: &choice.source,
            mode: Mode::Stdin,
            function: None,
            headers: &headers,
            cache,
        };
        let program =
            lang::compile(&job, judge.toolchains(), &mut sandbox).map_err(|failure| match failure {
                CompileFailure::Rejected { log } => refused(headers::explain(&log)),
                CompileFailure::NoToolchain { message } => GradeError::NoToolchain(message),
                CompileFailure::Source { path, cause } => GradeError::Source { path, cause },
                CompileFailure::Judge(_) if interrupt::requested() => GradeError::Interrupted,
                CompileFailure::Judge(message) => GradeError::Judge(message),
            })?;
        let limits = Limits {
            time: TimeLimit::from_ms(TIME_MS).unwrap_or(TimeLimit::MAX),
            memory: MemoryLimit::from_bytes(MEMORY_BYTES).unwrap_or(Limits::default().memory),
        };
        Ok(Self { choice, role, program, limits, then: None })
    }

    /// The same interactor, of whose output something else is to rule.
    #[must_use]
    pub fn followed_by(self, then: AfterTalk) -> Self {
        Self { then: Some(then), ..self }
    }

    /// What the program is for.
    pub fn role(&self) -> Role {
        self.role
    }

    /// As it was asked for, as in `testlib:check.cpp`.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// Two programs with the same key rule alike.
    pub(crate) fn key(&self) -> String {
        let Choice { protocol, full, args, .. } = &self.choice;
        let then = match &self.then {
            Some(AfterTalk::BuiltIn(checker)) => checker.to_string(),
            Some(AfterTalk::Program(program)) => program.key(),
            None => String::new(),
        };
        format!("{} {} {full:?} {args:?} {} {then}", self.role.name(), protocol.name(), self.program.key)
    }

    /// One run in `folder`.
    fn spec(&self, folder: &Folder, stdin: Stdin) -> Spec {
        let mut spec = self.program.spec(stdin, None, &self.limits);
        let arguments = match self.choice.protocol {
            Protocol::Testlib => [folder.input(), folder.output(), folder.answer()],
            Protocol::Kattis => [folder.input(), folder.answer(), folder.feedback()],
        };
        spec.args.extend(arguments.map(OsString::from));
        spec.args.extend(self.choice.args.iter().map(OsString::from));
        let readable = match spec.files {
            Files::Fresh { readable } | Files::Folder { readable, .. } => readable,
        };
        spec.files = Files::Folder { folder: folder.path().to_owned(), readable };
        (spec.limits.files_bytes, spec.limits.files) = (FILES_BYTES, FILES);
        spec.env.retain(|(name, _)| name != "TMPDIR");
        spec.env.push(("TMPDIR".into(), folder.path().into()));
        spec
    }

    /// What the run of the program says of the submission.
    fn ruling(&self, outcome: &Outcome, folder: &Folder) -> Result<Ruled, Stopped> {
        let said = match self.choice.protocol {
            Protocol::Testlib => outcome.stderr.clone(),
            Protocol::Kattis => folder.said(&outcome.stderr),
        };
        let said = excerpt::printable(said.trim_ascii());
        let Choice { protocol, full, .. } = self.choice;
        let files = match protocol {
            Protocol::Testlib => ScoreFiles::default(),
            Protocol::Kattis => folder.scores(),
        };
        protocol::ruling(protocol, outcome, &said, full, &files).map_err(|what| {
            let said = if said.is_empty() { String::new() } else { format!(": {said}") };
            self.fault(&format!("{what}{said}"))
        })
    }

    /// The judge error for what the program did wrong, in words that go on after its name.
    fn fault(&self, what: &str) -> Stopped {
        let name = self.choice.source.file_name().unwrap_or_default().to_string_lossy();
        let text = format!("the {} `{name}` {what}", self.role.name());
        Stopped::Judge(JudgeFault(excerpt::shorten(&text, excerpt::MESSAGE_BYTES)))
    }
}

impl Bench<'_> {
    /// Runs the jury's checker on one output.
    pub(crate) fn ask_checker(
        &mut self,
        jury: &Jury,
        input: &[u8],
        answer: &[u8],
        output: &[u8],
    ) -> Result<Ruled, Stopped> {
        let folder = self.jury_folder()?;
        let ruled = folder.lay_out(input, answer, output).map_err(folder::unusable);
        ruled.and_then(|()| self.ruled(jury, &folder, output)).and_then(|ruled| {
            match folder.next_pass().map_err(folder::unusable)? {
                None => self.marked(jury, ruled),
                Some(_) => Err(jury.fault("asks for another pass of what has only one")),
            }
        })
    }

    /// The checker's word on an output that is laid out already.
    fn ruled(&mut self, jury: &Jury, folder: &Folder, output: &[u8]) -> Result<Ruled, Stopped> {
        let stdin = match jury.choice.protocol {
            Protocol::Testlib => Stdin::Empty,
            Protocol::Kattis => Stdin::Bytes(output.into()),
        };
        let outcome = self.sandbox_run(&jury.spec(folder, stdin))?;
        jury.ruling(&outcome, folder)
    }

    /// What a part of the points means for the test: less than all of them is not accepted.
    pub(super) fn marked(&self, jury: &Jury, ruled: Ruled) -> Result<Ruled, Stopped> {
        let Some(marks) = ruled.marks else { return Ok(ruled) };
        if !self.has_scores() {
            return Err(jury.fault("gives points, and without subtasks there are no scores"));
        }
        if marks.is_too_much(self.worth) {
            let most = match (marks, self.worth) {
                (Marks::Points(_), Some(worth)) => format!("where a test is worth {worth}"),
                _ => "more than all".to_owned(),
            };
            return Err(jury.fault(&format!("gives {}, {most}", marks.in_words())));
        }
        if marks.is_full(self.worth) {
            return Ok(ruled);
        }
        let Checked { message, .. } = ruled.checked;
        let part = if marks.is_zero() { "no points".to_owned() } else { marks.in_words() };
        let message = if message.is_empty() { part } else { format!("{part}: {message}") };
        Ok(Ruled { checked: Checked { verdict: Verdict::Wa, message }, marks: Some(marks) })
    }

    /// A whole program that a Kattis validator rules on, which may ask for another pass: what it leaves in
    /// `feedback/nextpass.in` is then the input of a fresh run of the submission, and of the validator's on that one. Times
    /// and memory are the largest of a pass.
    pub(crate) fn passes(&mut self, jury: &Jury, input: &[u8], answer: &[u8]) -> Result<Tried, Stopped> {
        let folder = self.jury_folder()?;
        self.passes_in(jury, &folder, input, answer)
    }

    fn passes_in(
        &mut self,
        jury: &Jury,
        folder: &Folder,
        input: &[u8],
        answer: &[u8],
    ) -> Result<Tried, Stopped> {
        let (mut stdin, mut figures) = (input.to_vec(), Figures::default());
        for pass in 1..=MAX_PASSES {
            let spec = self.program_spec(Stdin::Bytes(stdin.clone().into()));
            let outcome = self.measured(&spec)?;
            figures = figures.max(Figures::of(&outcome));
            let of_pass = |mut tried: Tried| {
                tried.figures = figures;
                if pass > 1 && tried.verdict != Verdict::Ac {
                    tried.message = format!("pass {pass}: {}", tried.message);
                }
                tried
            };
            if let Some(fault) = fault::of_outcome(&outcome, &self.rules) {
                return Ok(of_pass(Tried::of_own_fault(&outcome, fault)));
            }
            let laid_out = match pass {
                1 => folder.lay_out(input, answer, &outcome.stdout),
                _ => folder.lay_out_again(&stdin, &outcome.stdout),
            };
            laid_out.map_err(folder::unusable)?;
            let ruled = self.ruled(jury, folder, &outcome.stdout)?;
            match folder.next_pass().map_err(folder::unusable)? {
                None => {
                    let mut tried = Tried::of_ruled(&outcome, self.marked(jury, ruled)?);
                    if tried.verdict != Verdict::Ac {
                        tried.answer = outcome.stdout;
                    }
                    return Ok(of_pass(tried));
                }
                Some(_) if ruled.checked.verdict != Verdict::Ac => {
                    return Err(jury.fault("asks for another pass of an output that it refuses"));
                }
                Some(next) => stdin = next,
            }
        }
        Err(jury.fault("asks for more passes than there may be"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_asked_for_by_its_protocol_and_file() {
        let choice = Choice::parse("testlib:a folder/check:1.cpp").unwrap();
        assert_eq!(
            (choice.protocol, choice.source.to_str()),
            (Protocol::Testlib, Some("a folder/check:1.cpp"))
        );
        assert_eq!(choice.to_string(), "testlib:a folder/check:1.cpp");
        for text in ["kattis", "kattis:", "float:1e-6", "Testlib:x", ""] {
            assert_eq!(Choice::parse(text), None, "{text}");
        }
    }
}
