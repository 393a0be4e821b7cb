//! Programs of a problem's that make inputs: compiled once, run twice for each test and believed only if both runs print
//! the same. What they print is an input only when the validator takes it. Writes nothing.

use std::path::Path;

use super::write::text_sha256;
use crate::generate::rng::Key;
use crate::input::{Input, validate};
use crate::lang::{self, CompileFailure, CompileJob, Mode, Program, Table, Toolchains, headers};
use crate::limits::{Limits, MemoryLimit, TimeLimit};
use crate::problem::{InputModel, Maker};
use crate::sandbox::{SandboxError, Stdin};
use crate::solve::{Pool, Runner};

/// CPU time of one run.
const TIME_MS: u64 = 30_000;
/// Memory of one run.
const MEMORY_BYTES: u64 = 1 << 30;
/// So many seeds are compared to see whether the seed matters.
pub(super) const COMPARED_SEEDS: u32 = 3;

/// Why a program gives no input.
#[derive(Debug, thiserror::Error)]
pub enum MakerError {
    /// It cannot be compiled or started.
    #[error("cannot use the generator `{program}`: {message}")]
    Unusable {
        /// Its path in the problem's folder.
        program: String,
        /// Why.
        message: String,
        /// Whether the judge is at fault.
        is_judges: bool,
    },
    /// It crashed, or passed a limit.
    #[error("the generator `{program}` failed on the test `{test}`, seed {seed}: {message}")]
    Failed {
        /// Its path in the problem's folder.
        program: String,
        /// The test.
        test: String,
        /// As it was given.
        seed: String,
        /// What happened.
        message: String,
    },
    /// It printed something else the second time.
    #[error(
        "the generator `{program}` is not reproducible: the test `{test}` came out otherwise the second time with the \
         same seed {seed}, from line {line} on; let everything random follow from the seed"
    )]
    Unstable {
        /// Its path in the problem's folder.
        program: String,
        /// The test.
        test: String,
        /// As it was given.
        seed: String,
        /// The first line that differs.
        line: usize,
    },
    /// It printed what is no input of the problem.
    #[error(
        "the test `{test}` of the generator `{program}`: input refused by the validator, seed {seed}: {violation}\n\
         input:\n{input}"
    )]
    Refused {
        /// Its path in the problem's folder.
        program: String,
        /// The test.
        test: String,
        /// As it was given.
        seed: String,
        /// What the validator says, with line and column.
        violation: String,
        /// The text, shortened.
        input: String,
    },
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl MakerError {
    /// Whether the judge is at fault, and not the program.
    pub fn is_judges(&self) -> bool {
        matches!(self, Self::Unusable { is_judges: true, .. } | Self::Interrupted)
    }
}

/// A generator that is ready to run.
pub(crate) struct Ready<'p> {
    maker: &'p Maker,
    slug: &'p str,
    program: Program,
    pool: Pool,
    limits: Limits,
}

/// An input that a program made.
pub(crate) struct Made {
    pub(crate) name: String,
    /// The seed as the program got it.
    pub(crate) seed: String,
    pub(crate) text: Vec<u8>,
    pub(crate) input: Input,
}

impl<'p> Ready<'p> {
    /// Compiles the generator, whose problem lies in `folder`.
    ///
    /// # Errors
    /// When it is not there, does not compile, or the judge fails.
    pub(crate) fn compile(
        maker: &'p Maker,
        slug: &'p str,
        folder: &Path,
        runner: &Runner,
    ) -> Result<Self, MakerError> {
        let unusable = |message: String, is_judges| MakerError::Unusable {
            program: maker.run.clone(),
            message,
            is_judges,
        };
        let source = folder.join(&maker.run);
        let language = lang::detect(Table::built_in(), &source, None)
            .map_err(|error| unusable(error.to_string(), false))?;
        let headers = headers::beside(&source).map_err(|error| unusable(error.to_string(), false))?;
        let pool = Pool::new(runner);
        let mut sandbox = pool.take().map_err(|error| unusable(error.to_string(), true))?;
        let job = CompileJob {
            language,
            source: &source,
            mode: Mode::Stdin,
            function: None,
            headers: &headers,
            cache: &runner.cache,
        };
        let compiled = lang::compile(&job, &Toolchains::find(&runner.path, &runner.cache), &mut sandbox);
        let program = compiled.map_err(|failure| match failure {
            CompileFailure::Rejected { log } => unusable(headers::explain(&log), false),
            CompileFailure::Source { .. } => unusable(failure.to_string(), false),
            CompileFailure::NoToolchain { .. } | CompileFailure::Judge(_) => {
                unusable(failure.to_string(), true)
            }
        })?;
        pool.give_back(sandbox);
        let limits = Limits {
            time: TimeLimit::from_ms(TIME_MS).unwrap_or(TimeLimit::MAX),
            memory: MemoryLimit::from_bytes(MEMORY_BYTES).unwrap_or(Limits::default().memory),
        };
        let limits = program.scaled(&limits);
        Ok(Self { maker, slug, program, pool, limits })
    }

    /// Its path in the problem's folder.
    pub(crate) fn run(&self) -> &str {
        &self.maker.run
    }

    /// How many tests it makes.
    pub(crate) fn count(&self) -> u32 {
        self.maker.count
    }

    /// The family of its tests.
    pub(crate) fn family(&self) -> &str {
        &self.maker.name
    }

    /// The test of this number, from 1, made twice from the package's seed.
    ///
    /// # Errors
    /// When the program fails, prints two different texts, or what is no input.
    pub(crate) fn make(&self, number: u32, seed: u64, model: &InputModel) -> Result<Made, MakerError> {
        let name = format!("{}/{number:02}", self.maker.name);
        let key = Key::of_test(self.slug, &self.maker.name, &name, seed).to_hex();
        let (args, seed) = self.maker.arguments(&key, number);
        let text = self.text(&name, &args, &seed)?;
        let again = self.text(&name, &args, &seed)?;
        let program = self.maker.run.clone();
        if text != again {
            let same = text.iter().zip(&again).take_while(|(one, other)| one == other).count();
            let line = 1 + memchr::memchr_iter(b'\n', &text[..same]).count();
            return Err(MakerError::Unstable { program, test: name, seed, line });
        }
        match validate(model, &text) {
            Ok(input) => Ok(Made { name, seed, text, input }),
            Err(violation) => Err(MakerError::Refused {
                program,
                test: name,
                seed,
                violation: violation.to_string(),
                input: super::build::shown(&text),
            }),
        }
    }

    /// What one run prints.
    fn text(&self, test: &str, args: &[String], seed: &str) -> Result<Vec<u8>, MakerError> {
        let mut spec = self.program.spec(Stdin::Empty, None, &self.limits);
        spec.args.extend(args.iter().map(Into::into));
        let outcome = self.pool.run(&spec).map_err(|error| match error {
            SandboxError::Interrupted => MakerError::Interrupted,
            error => MakerError::Unusable {
                program: self.maker.run.clone(),
                message: error.to_string(),
                is_judges: true,
            },
        })?;
        match lang::faults::of_run(&outcome, &self.limits) {
            None => Ok(outcome.stdout),
            Some(message) => Err(MakerError::Failed {
                program: self.maker.run.clone(),
                test: test.to_owned(),
                seed: seed.to_owned(),
                message,
            }),
        }
    }
}

/// The SHA-256 of a generator's source and of the headers that it brings.
///
/// # Errors
/// When one of them cannot be read.
pub(super) fn digest(maker: &Maker, folder: &Path) -> std::io::Result<String> {
    let source = folder.join(&maker.run);
    let mut text = std::fs::read(&source)?;
    for (name, header) in headers::beside(&source)? {
        text.extend_from_slice(b"\n");
        text.extend_from_slice(name.as_bytes());
        text.extend_from_slice(b"\n");
        text.extend_from_slice(&header);
    }
    Ok(text_sha256(&text))
}
