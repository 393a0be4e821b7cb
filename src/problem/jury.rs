//! Programs of the jury's that a problem names: what they are for, and in which protocol they speak. Never runs one.

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
}

impl std::fmt::Display for JuryProgram {
    /// As in `testlib:check.cpp`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.protocol.name(), self.program)
    }
}
