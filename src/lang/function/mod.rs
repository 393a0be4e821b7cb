//! Function mode: a driver for each language, made from the problem's model, that calls a submission's function and sends
//! its result on a descriptor of its own. Makes sources and reads replies; never compiles or runs anything.

pub mod wire;

pub use wire::{ReplyFault, reply, request};

use super::Mode;
use crate::problem::{Function, InputModel};

/// A file to compile. Of several the first is the program to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The file's name, without folders.
    pub name: String,
    /// Its contents.
    pub text: String,
}

/// Whether a source is a whole program or only the function that `function` asks for.
pub fn detect(_language: &str, _source: &str, _function: &Function) -> Mode {
    Mode::Stdin
}

/// The files that make a program of `source`: its function, and a driver that calls it for each request.
///
/// # Errors
/// A message for the compile log, when it can be seen without compiling that the function isn't there.
pub fn drive(
    language: &str,
    _function: &Function,
    _model: &InputModel,
    _source: &str,
) -> Result<Vec<SourceFile>, String> {
    Err(format!("function mode is not there yet for {language}"))
}
