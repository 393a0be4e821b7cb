//! Programs of the jury's that a problem names: what they are for, and in which protocol they speak. Never runs one.

use crate::check::Checker;

/// How a jury's program is called, and what its exit status means. A property of the problem, never guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// testlib's, as Codeforces and Polygon have it.
    Testlib,
    /// The output validators of the Kattis package format.
    Kattis,
}

impl Protocol {
    pub(crate) const ALL: [Self; 2] = [Self::Testlib, Self::Kattis];

    /// As it is asked for.
    pub fn name(self) -> &'static str {
        match self {
            Self::Testlib => "testlib",
            Self::Kattis => "kattis",
        }
    }
}

/// What a jury's program is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Reads an output when the run is over.
    Checker,
    /// Talks with the submission while it runs.
    Interactor,
}

impl Role {
    /// In words; also the table of `problem.toml` that names the program.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checker => "checker",
            Self::Interactor => "interactor",
        }
    }
}

/// A problem's own checker or interactor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JuryProgram {
    /// What it is for.
    pub role: Role,
    /// How it is called.
    pub protocol: Protocol,
    /// Its path in the problem's folder, written with `/`.
    pub program: String,
    /// How many points of a testlib program are all that a test gives; when `None` they are points as they are.
    pub full: Option<u64>,
    /// What a Kattis program gets after its three arguments.
    pub args: Vec<String>,
    /// What rules on the output that an interactor of testlib's writes, once it accepts the talk.
    pub then: Option<AfterTalk>,
}

/// What rules on the output that an interactor writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AfterTalk {
    /// A built-in checker.
    BuiltIn(Checker),
    /// A program.
    Program(Box<JuryProgram>),
}

impl JuryProgram {
    /// The program, and the one that rules after it if there is one.
    pub fn all(&self) -> impl Iterator<Item = &Self> {
        let then = match &self.then {
            Some(AfterTalk::Program(program)) => Some(&**program),
            Some(AfterTalk::BuiltIn(_)) | None => None,
        };
        std::iter::once(self).chain(then)
    }
}

impl std::fmt::Display for JuryProgram {
    /// As in `testlib:check.cpp`, or `testlib:interact.cpp, checker tokens`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.protocol.name(), self.program)?;
        match &self.then {
            Some(AfterTalk::BuiltIn(checker)) => write!(f, ", checker {checker}"),
            Some(AfterTalk::Program(program)) => write!(f, ", checker {program}"),
            None => Ok(()),
        }
    }
}
