//! Turns a source into a program: by the first way of its language that is able to, once for each content. Names that a
//! submitter chose never reach a compiler or a shell: a build has fixed names in a folder of its own. Never runs the
//! program.

use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::lang::build::{Build, Built, File, words};
use crate::lang::find::{Found, Toolchains};
use crate::lang::function::{self, SourceFile};
use crate::lang::program::{Program, Traits};
use crate::lang::table::{Language, Way};
use crate::lang::{Mode, cache};
use crate::problem::{Function, InputModel};
use crate::sandbox::Sandbox;

/// Bytes of a source.
const SOURCE_BYTES: u64 = 1 << 20;

/// Part of every key: programs compiled by an older judge in another way are not taken for ours.
const FORMAT: &str = "touchstone program 1";

/// One source to compile.
#[derive(Clone, Copy, Debug)]
pub struct CompileJob<'a> {
    /// Its language.
    pub language: &'a Language,
    /// The file.
    pub source: &'a Path,
    /// A whole program, or a function with a driver of ours.
    pub mode: Mode,
    /// The function and its parameters; needed in function mode.
    pub function: Option<(&'a Function, &'a InputModel)>,
    /// Files that the source includes, by name: a jury's headers. Submissions have none.
    pub headers: &'a [(String, Vec<u8>)],
    /// The judge's cache folder.
    pub cache: &'a Path,
}

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum CompileFailure {
    /// The submission is at fault: a compile error.
    #[error("compile error\n{log}")]
    Rejected {
        /// What the compiler said, shortened.
        log: String,
    },
    /// The machine lacks a compiler or an interpreter.
    #[error("{message}")]
    NoToolchain {
        /// What was looked for, what was found, what to do.
        message: String,
    },
    /// The source can't be read: the command is at fault.
    #[error("cannot read `{path}`: {cause}")]
    Source {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// The judge is at fault.
    #[error("cannot compile: {0}")]
    Judge(String),
}

/// Compiles one source, or finds it compiled.
///
/// # Errors
/// See [`CompileFailure`].
pub fn compile(
    job: &CompileJob<'_>,
    toolchains: &Toolchains,
    sandbox: &mut Sandbox,
) -> Result<Program, CompileFailure> {
    let text = read_source(job.source)?;
    let ways = toolchains.ways(job.language);
    let ways = ways.map_err(|message| CompileFailure::NoToolchain { message })?;
    let files = files(job, &text)?;
    let key = key(job, &ways, &files);
    let known = cache::look_up(job.cache, &key).filter(|entry| entry.record.way < ways.len());
    let entry = match known {
        Some(entry) => entry,
        None => {
            Making { job, toolchains, ways: &ways, text: &text, files: &files, key: &key }.run(sandbox)?
        }
    };

    let (way, tools) = &ways[entry.record.way];
    let mut words = words(way, tools);
    words.add("folder", vec![entry.folder.clone().into()]);
    words.add("program", vec![entry.folder.join(&entry.record.program).into()]);
    words.add("main_class", entry.record.main_class.iter().map(Into::into).collect());
    let runs = |tool: &&Found| {
        let is_used = |(word, _): &(String, _)| way.run.iter().any(|part| *part == format!("{{{word}}}"));
        tool.words.iter().any(is_used)
    };
    let mut readable = vec![entry.folder];
    readable.extend(tools.iter().copied().filter(runs).flat_map(|tool| tool.readable.iter().cloned()));
    Ok(Program {
        language: job.language.id.clone(),
        mode: job.mode,
        log: entry.record.log,
        key,
        words,
        run: way.run.clone(),
        env: way.env.clone(),
        readable,
        traits: Traits::of(job.language),
    })
}

/// The source without a byte order mark, which some compilers refuse and no language needs.
fn read_source(path: &Path) -> Result<Vec<u8>, CompileFailure> {
    let error = |cause| CompileFailure::Source { path: path.to_owned(), cause };
    // Opening a pipe would wait for a writer that may never come.
    if !std::fs::metadata(path).map_err(error)?.is_file() {
        return Err(error(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")));
    }
    let file = std::fs::File::open(path).map_err(error)?;
    let mut text = Vec::new();
    file.take(SOURCE_BYTES + 1).read_to_end(&mut text).map_err(error)?;
    let rejected = |log: String| Err(CompileFailure::Rejected { log });
    if text.len() as u64 > SOURCE_BYTES {
        return rejected(format!(
            "the source is larger than {} MiB, which is the limit\n",
            SOURCE_BYTES >> 20
        ));
    }
    if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
        return rejected("the source is in UTF-16: save it as UTF-8\n".to_owned());
    }
    if text.starts_with(b"\xef\xbb\xbf") {
        text.drain(..3);
    }
    Ok(text)
}

/// The files of the build; the first is the main one.
fn files(job: &CompileJob<'_>, text: &[u8]) -> Result<Vec<File>, CompileFailure> {
    match (job.mode, job.function) {
        (Mode::Stdin, _) => {
            let header =
                |(name, text): &(String, Vec<u8>)| File { name: Some(name.clone()), text: text.clone() };
            let main = File { name: None, text: text.to_owned() };
            Ok(std::iter::once(main).chain(job.headers.iter().map(header)).collect())
        }
        (Mode::Function, Some((function, model))) => {
            let source = String::from_utf8_lossy(text);
            let driven = function::drive(job.language.driver_id(), function, model, &source);
            let file = |file: SourceFile| File { name: Some(file.name), text: file.text.into_bytes() };
            driven
                .map(|files| files.into_iter().map(file).collect())
                .map_err(|log| CompileFailure::Rejected { log })
        }
        (Mode::Function, None) => {
            Err(CompileFailure::Judge("function mode was asked for a problem without a function".to_owned()))
        }
    }
}

/// The key of the program that [`compile`] would give, whether or not there is one yet: a hash over everything that
/// makes it what it is.
///
/// # Errors
/// See [`CompileFailure`]; nothing is compiled.
pub fn key_of(job: &CompileJob<'_>, toolchains: &Toolchains) -> Result<String, CompileFailure> {
    let text = read_source(job.source)?;
    let ways = toolchains.ways(job.language);
    let ways = ways.map_err(|message| CompileFailure::NoToolchain { message })?;
    Ok(key(job, &ways, &files(job, &text)?))
}

/// A way to build, and its tools on this machine.
type Ready<'a> = (&'a Way, Vec<&'a Found>);

/// A hash over everything that makes the program what it is: also the ways that stand in for the first, since which of
/// them makes the program is known only when it is made.
fn key(job: &CompileJob<'_>, ways: &[Ready<'_>], files: &[File]) -> String {
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    for part in [FORMAT, &job.language.id, job.mode.name()] {
        add(part.as_bytes());
    }
    for (way, tools) in ways {
        add(format!("{way:?}").as_bytes());
        for tool in tools {
            add(format!("{tool:?}").as_bytes());
        }
    }
    for file in files {
        add(file.name.as_deref().unwrap_or_default().as_bytes());
        add(&file.text);
    }
    hash.finalize().iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").ok();
        hex
    })
}

/// A program that has to be made, by the first way that is able to.
struct Making<'a> {
    job: &'a CompileJob<'a>,
    toolchains: &'a Toolchains,
    ways: &'a [Ready<'a>],
    text: &'a [u8],
    files: &'a [File],
    key: &'a str,
}

impl Making<'_> {
    fn run(&self, sandbox: &mut Sandbox) -> Result<cache::Entry, CompileFailure> {
        let mut before = String::new();
        for (index, (way, tools)) in self.ways.iter().enumerate() {
            let Making { job, text, files, key, .. } = *self;
            let compiler =
                tools.first().map_or_else(String::new, |tool| format!("{} {}", tool.id, tool.version));
            // What the one before said is in the log of an error; of a program, that it was not the first that made it.
            let note = match before.is_empty() {
                true => String::new(),
                false => format!("made by {compiler}, since the first compiler is unable to\n"),
            };
            let build = Build { job, index, way, tools, text, files, key, note };
            match build.run(sandbox)? {
                Built::Made(entry) => return Ok(entry),
                Built::Rejected { log, unable } => {
                    if index > 0 {
                        before = format!("{before}\n{compiler} does not compile it either:\n");
                    }
                    before += &log;
                    if !unable {
                        break;
                    }
                    if index + 1 == self.ways.len() {
                        before += &self.advice(&compiler);
                    }
                }
            }
        }
        Err(CompileFailure::Rejected { log: before })
    }

    /// What else to try where no compiler of this machine is left that may know what the last one does not.
    fn advice(&self, compiler: &str) -> String {
        let is_ready = |way: &&Way| self.ways.iter().any(|(ready, _)| std::ptr::eq(*ready, *way));
        let rest = self.job.language.ways.iter().filter(|way| !is_ready(way));
        let lacks = rest.flat_map(|way| &way.tools).filter_map(|id| self.toolchains.tool(id).err());
        let lacks: Vec<&str> = lacks.collect();
        match lacks.is_empty() {
            true => String::new(),
            false => format!("{compiler} does not know this; another may: {}\n", lacks.join("; or ")),
        }
    }
}
