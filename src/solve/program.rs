//! A program of the workspace as trusted solver: compiled once, run in the sandbox once for each input. Whatever goes
//! wrong is the judge's fault and becomes a message, never an answer.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::{AnswersError, Pool, Runner};
use crate::input::Input;
use crate::lang::{self, CompileFailure, CompileJob, Mode, Program, Table, Toolchains, function};
use crate::limits::{Limits, MemoryLimit, TimeLimit};
use crate::problem::{Function, InputModel, Problem};
use crate::sandbox::{SandboxError, Stdin};

/// A compiled solver with the sandboxes that it runs in.
pub struct TrustedProgram {
    program: Program,
    function: Option<(Function, InputModel)>,
    limits: Limits,
    pool: Pool,
    /// Answers to short inputs by their text: where a model has few inputs, families make the same ones again and again.
    known: Mutex<HashMap<Box<[u8]>, Vec<u8>>>,
}

impl std::fmt::Debug for TrustedProgram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TrustedProgram").field("program", &self.program.language).finish_non_exhaustive()
    }
}

/// A trusted solver may be slow, but not for ever: so many times the problem's limit, and at least [`LEAST_TIME_MS`].
const TIME_FACTOR: f64 = 10.0;
/// See [`TIME_FACTOR`].
const LEAST_TIME_MS: u64 = 10_000;
/// It gets at least this much memory.
const LEAST_MEMORY_BYTES: u64 = 1 << 30;

/// The longest input, and answer, that is kept in mind, and how many are.
const KNOWN_BYTES: usize = 128;
/// See [`KNOWN_BYTES`].
const MOST_KNOWN: usize = 50_000;

/// The solver is trusted, so that nothing has to be kept secret from it.
const NONCE: u64 = 1;

impl TrustedProgram {
    /// Compiles the program at `path` below `root`.
    ///
    /// # Errors
    /// When there is no such program, it does not compile, or the judge can't compile or run anything.
    pub fn compile(
        problem: &Problem,
        root: &Path,
        path: &str,
        runner: &Runner,
    ) -> Result<Self, AnswersError> {
        let failed = |message: String, is_judges| AnswersError::Program {
            program: path.to_owned(),
            message,
            is_judges,
        };
        let source = root.join(path);
        let language = lang::detect(Table::built_in(), &source, None)
            .map_err(|error| failed(error.to_string(), false))?;
        // Opening a pipe would wait for a writer that may never come.
        if !source.is_file() {
            return Err(failed("it is not a regular file".to_owned(), false));
        }
        let text = std::fs::read(&source).map_err(|error| failed(error.to_string(), false))?;
        let mode = problem
            .function
            .as_ref()
            .map_or(Mode::Stdin, |it| function::detect(&language.id, &String::from_utf8_lossy(&text), it));
        let function = match (mode, &problem.function) {
            (Mode::Function, Some(it)) => Some((it.clone(), problem.model.clone())),
            _ => None,
        };
        let pool = Pool::new(runner);
        let mut sandbox = pool.take().map_err(|error| failed(error.to_string(), true))?;
        let job = CompileJob {
            language,
            source: &source,
            mode,
            function: function.as_ref().map(|(function, model)| (function, model)),
            headers: &[],
            cache: &runner.cache,
        };
        let program = lang::compile(&job, &Toolchains::find(&runner.path, &runner.cache), &mut sandbox)
            .map_err(|error| {
                let is_judges = !matches!(error, CompileFailure::Source { .. });
                failed(error.to_string(), is_judges)
            })?;
        pool.give_back(sandbox);
        let limits = Limits {
            time: problem.limits.time.times(TIME_FACTOR).max(time_limit(LEAST_TIME_MS)),
            memory: problem.limits.memory.max(memory_limit(LEAST_MEMORY_BYTES)),
        };
        let limits = program.scaled(&limits);
        Ok(Self { program, function, limits, pool, known: Mutex::default() })
    }

    /// What the program answers to `input`, whose text is `text`.
    ///
    /// # Errors
    /// What happened instead, in words; an empty answer is none.
    pub fn answer(&self, input: &Input, text: &[u8]) -> Result<Vec<u8>, SolveError> {
        if text.len() > KNOWN_BYTES {
            return self.run(input, text);
        }
        if let Some(answer) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Ok(answer.clone());
        }
        let answer = self.run(input, text)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if answer.len() <= KNOWN_BYTES && known.len() < MOST_KNOWN {
            known.insert(text.into(), answer.clone());
        }
        Ok(answer)
    }

    fn run(&self, input: &Input, text: &[u8]) -> Result<Vec<u8>, SolveError> {
        let spec = match &self.function {
            None => self.program.spec(Stdin::Bytes(text.into()), None, &self.limits),
            Some((_, model)) => {
                let calls = vec![function::request(model, input, NONCE)];
                self.program.spec(Stdin::Empty, Some(calls), &self.limits)
            }
        };
        let outcome = self.pool.run(&spec)?;
        if let Some(fault) = lang::faults::of_run(&outcome, &self.limits) {
            return Err(SolveError::Failed(fault));
        }
        let Some((function, _)) = &self.function else {
            return match outcome.stdout.iter().all(u8::is_ascii_whitespace) {
                true => Err(SolveError::Failed("it printed nothing".to_owned())),
                false => Ok(outcome.stdout),
            };
        };
        let line = outcome.calls.first().and_then(|call| call.reply.as_deref());
        let line = line.ok_or_else(|| SolveError::Failed("it gave no answer".to_owned()))?;
        function::reply(line, NONCE, &function.returns)
            .map(String::into_bytes)
            .map_err(|fault| SolveError::Failed(fault.to_string()))
    }
}

/// Why there is no answer to one input.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The solver failed.
    #[error("{0}")]
    Failed(String),
    /// The sandbox failed, or Ctrl-C came.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

fn time_limit(ms: u64) -> TimeLimit {
    TimeLimit::from_ms(ms).unwrap_or(TimeLimit::MAX)
}

fn memory_limit(bytes: u64) -> MemoryLimit {
    MemoryLimit::from_bytes(bytes).unwrap_or(Limits::default().memory)
}
