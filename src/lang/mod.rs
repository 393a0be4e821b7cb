//! The table of languages: finding toolchains, compiling, and how a program is started. Only this room knows compilers.

mod answers;
mod build;
mod cache;
pub mod compile;
pub mod detect;
pub(crate) mod faults;
pub mod find;
pub mod function;
mod go;
pub(crate) mod headers;
mod java;
mod log;
pub mod program;
mod real;
pub mod table;
pub mod version;

pub use compile::{CompileFailure, CompileJob, compile, key_of};
pub use detect::{DetectError, detect};
pub use find::{Found, LanguageReport, Toolchains};
pub(crate) use log::readable;
pub use program::Program;
pub use table::{Language, Table};

/// How a submission takes its input and gives its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A whole program: reads standard input, writes standard output.
    Stdin,
    /// Only a function or a `class Solution`: a driver of ours calls it.
    Function,
}

impl Mode {
    /// `stdin` or `function`, as in `--mode` and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stdin => "stdin",
            Self::Function => "function",
        }
    }
}
