//! Where a problem's expected answers come from: a built-in solver or a program of the workspace. A failure is the
//! judge's, and never becomes an answer.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::program::{SolveError, TrustedProgram};
use super::{ALL, Solver, built_in};
use crate::diagnostic;
use crate::input::Input;
use crate::problem::{Answer, Problem};
use crate::sandbox::{Accounting, Choice};

/// How a program is compiled and run.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The touchstone binary, which the sandbox starts again.
    pub launcher: PathBuf,
    /// The value of `PATH`, where toolchains are looked for.
    pub path: OsString,
    /// Where compiled programs are kept.
    pub cache: PathBuf,
    /// The walls.
    pub isolation: Choice,
    /// The means of counting.
    pub accounting: Accounting,
}

/// A source of trusted answers.
#[derive(Debug)]
pub enum Answers {
    /// Compiled into this program.
    BuiltIn(&'static Solver),
    /// Run once for each input.
    Program(Box<TrustedProgram>),
    /// There are none: each is empty, for an interactor that needs none.
    None,
}

/// Why no answers can be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnswersError {
    /// No solver has this name.
    #[error("there is no solver `{name}`{hint}")]
    Unknown {
        /// As `[answer]` names it.
        name: String,
        /// What there is; begins with `; `.
        hint: String,
    },
    /// The solver reads other inputs.
    #[error("{0}")]
    Unfit(String),
    /// The program can't be compiled or started.
    #[error("cannot use `{program}` for the answers: {message}")]
    Program {
        /// Its path below the workspace.
        program: String,
        /// Why.
        message: String,
        /// Whether the judge is at fault and not the program.
        is_judges: bool,
    },
}

impl AnswersError {
    /// Whether the judge is at fault, and not the problem.
    pub fn is_judges(&self) -> bool {
        matches!(self, Self::Program { is_judges: true, .. })
    }
}

impl Answers {
    /// The source that `[answer]` of the problem names.
    ///
    /// # Errors
    /// When there is no such source, or it doesn't fit the problem.
    pub fn of(problem: &Problem, root: &Path, runner: &Runner) -> Result<Self, AnswersError> {
        match &problem.answer {
            Answer::Solver(name) => {
                let solver = built_in(name).ok_or_else(|| unknown(name))?;
                solver.fits(&problem.model).map_err(AnswersError::Unfit)?;
                Ok(Self::BuiltIn(solver))
            }
            Answer::Program(path) => {
                TrustedProgram::compile(problem, root, path, runner).map(Box::new).map(Self::Program)
            }
            Answer::None => Ok(Self::None),
        }
    }

    /// The answer to `input`, whose text is `text`.
    ///
    /// # Errors
    /// What happened to the solver.
    pub fn answer(&self, input: &Input, text: &[u8]) -> Result<Vec<u8>, SolveError> {
        match self {
            Self::BuiltIn(solver) => Ok((solver.solve)(input).into_bytes()),
            Self::Program(program) => program.answer(input, text),
            Self::None => Ok(Vec::new()),
        }
    }
}

fn unknown(name: &str) -> AnswersError {
    let names = ALL.iter().map(|solver| solver.name);
    let hint = match diagnostic::nearest(name, names.clone()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!("; there are {}", names.collect::<Vec<_>>().join(", ")),
    };
    AnswersError::Unknown { name: name.to_owned(), hint }
}
