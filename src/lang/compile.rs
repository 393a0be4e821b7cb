//! Turns a source into a program: in the sandbox, under limits, once for each content. Names that a submitter chose
//! never reach a compiler or a shell: a build has fixed names in a folder of its own. Never runs the program.

use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::lang::cache::{self, Record};
use crate::lang::find::{Found, Toolchains};
use crate::lang::function::{self, SourceFile};
use crate::lang::log::{self, Renamed};
use crate::lang::program::{Program, Traits, Words, environment};
use crate::lang::table::{Attempt, Language, Way};
use crate::lang::{Mode, go, java};
use crate::problem::{Function, InputModel};
use crate::sandbox::{Ended, Files, LimitHit, Outcome, RunLimits, Sandbox, Spec, Stdin};

/// Bytes of a source.
const SOURCE_BYTES: u64 = 1 << 20;

/// What a compiler may use, each of its commands anew.
const CPU_MS: u64 = 30_000;
const WALL_MS: u64 = 50_000;
const MEMORY_BYTES: u64 = 2 << 30;
const FILE_BYTES: u64 = 256 << 20;
/// What it may print.
const STDOUT_BYTES: u64 = 1 << 20;
const LOG_BYTES: usize = 64 << 10;
const PROCESSES: u64 = 256;

/// Part of every key: programs compiled by an older judge in another way are not taken for ours.
const FORMAT: &str = "touchstone program 1";

/// Java starts a `main` that is neither public nor static from this version on.
const INSTANCE_MAIN: &str = "25";

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
    let way = toolchains.way(job.language);
    let (way, tools) = way.map_err(|message| CompileFailure::NoToolchain { message })?;
    let files = files(job, &text)?;
    let key = key(job, way, &tools, &files);
    let entry = match cache::look_up(job.cache, &key) {
        Some(entry) => entry,
        None => Build { job, way, tools: &tools, text: &text, files: &files, key: &key }.run(sandbox)?,
    };

    let mut words = words(way, &tools);
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

/// A file of a build.
struct File {
    /// `None` for a submission by itself, which takes the name that its language gives it.
    name: Option<String>,
    text: Vec<u8>,
}

/// The key of the program that [`compile`] would give, whether or not there is one yet: a hash over everything that
/// makes it what it is.
///
/// # Errors
/// See [`CompileFailure`]; nothing is compiled.
pub fn key_of(job: &CompileJob<'_>, toolchains: &Toolchains) -> Result<String, CompileFailure> {
    let text = read_source(job.source)?;
    let way = toolchains.way(job.language);
    let (way, tools) = way.map_err(|message| CompileFailure::NoToolchain { message })?;
    Ok(key(job, way, &tools, &files(job, &text)?))
}

/// A hash over everything that makes the program what it is.
fn key(job: &CompileJob<'_>, way: &Way, tools: &[&Found], files: &[File]) -> String {
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    for part in [FORMAT, &job.language.id, job.mode.name(), &format!("{way:?}")] {
        add(part.as_bytes());
    }
    for tool in tools {
        add(format!("{tool:?}").as_bytes());
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

/// The words that the tools and their versions give.
fn words(way: &Way, tools: &[&Found]) -> Words {
    let mut words = Words(tools.iter().flat_map(|tool| tool.words.iter().cloned()).collect());
    let reached = |(from, _): &&(String, String)| {
        let from = crate::lang::version::Version::parse(from);
        from.is_some_and(|from| tools.first().is_some_and(|tool| tool.version.reaches(&from)))
    };
    words.add("std", way.std.iter().find(reached).map(|(_, argument)| argument.into()).into_iter().collect());
    words
}

/// A build that has to be made.
struct Build<'a> {
    job: &'a CompileJob<'a>,
    way: &'a Way,
    tools: &'a [&'a Found],
    text: &'a [u8],
    files: &'a [File],
    key: &'a str,
}

/// How one attempt ended.
enum Attempted {
    Done { said: Vec<u8> },
    Failed { said: Vec<u8>, limit: Option<String> },
}

impl Build<'_> {
    fn run(&self, sandbox: &mut Sandbox) -> Result<cache::Entry, CompileFailure> {
        let mut last = None;
        for attempt in &self.way.attempts {
            let place = cache::building_place(self.job.cache)
                .map_err(|error| unusable_cache(self.job.cache, &error))?;
            let folder = place.path().canonicalize().map_err(judge("find the folder of the build"))?;
            let names = self.write_sources(attempt, &folder)?;
            match self.attempt(attempt, &folder, &names, sandbox)? {
                Attempted::Done { said } => {
                    let log = self.shown(&said, &folder, &names);
                    return self.keep(attempt, &folder, &names, log);
                }
                Attempted::Failed { said, limit } => {
                    let words = attempt.retry.iter();
                    let again = limit.is_none()
                        && words
                            .map(|words| memchr::memmem::find(&said, words.as_bytes()))
                            .any(|at| at.is_some());
                    let log = self.shown(&said, &folder, &names);
                    let log = limit.map_or(log.clone(), |limit| format!("{limit}\n{log}"));
                    last = Some(log);
                    if !again {
                        break;
                    }
                }
            }
        }
        let log = last.unwrap_or_default();
        let log = if log.trim().is_empty() { "the compiler failed without a word\n".to_owned() } else { log };
        Err(CompileFailure::Rejected { log })
    }

    /// Writes the files of the build; gives their names, the main one first.
    fn write_sources(&self, attempt: &Attempt, folder: &Path) -> Result<Vec<String>, CompileFailure> {
        let mut names = Vec::new();
        for (index, file) in self.files.iter().enumerate() {
            let is_java = attempt.source.ends_with(".java");
            let name = match &file.name {
                Some(name) if index > 0 || is_java => name.clone(),
                None if is_java => java::file_name(&String::from_utf8_lossy(&file.text)),
                _ => attempt.source.clone(),
            };
            cache::write_source(folder, &name, &file.text).map_err(judge("write the source"))?;
            names.push(name);
        }
        Ok(names)
    }

    fn attempt(
        &self,
        attempt: &Attempt,
        folder: &Path,
        names: &[String],
        sandbox: &mut Sandbox,
    ) -> Result<Attempted, CompileFailure> {
        let ending = Path::new(&names[0]).extension();
        let sources = names.iter().filter(|name| Path::new(name).extension() == ending);
        let mut words = words(self.way, self.tools);
        words.add("sources", sources.map(Into::into).collect());
        let mut readable: Vec<PathBuf> = self.tools.iter().flat_map(|tool| tool.readable.clone()).collect();
        if let Some(go) = self.tools.iter().find(|tool| tool.id == "go") {
            let texts: Vec<_> = self.files.iter().map(|file| String::from_utf8_lossy(&file.text)).collect();
            let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
            let packages = go::packages(go, self.job.cache, &texts).map_err(CompileFailure::Judge)?;
            cache::write_source(folder, "imports.cfg", packages.config.as_bytes())
                .map_err(judge("write the list of packages"))?;
            readable.push(packages.folder);
        }
        let mut said = Vec::new();
        for step in &attempt.steps {
            let command: Vec<_> = step.iter().flat_map(|argument| words.expand(argument)).collect();
            let spec = self.spec(command, folder, &readable);
            let outcome = sandbox.run(&spec).map_err(|error| CompileFailure::Judge(error.to_string()))?;
            said.extend_from_slice(&outcome.stderr);
            said.extend_from_slice(&outcome.stdout);
            if outcome.limit_hit.is_some() || outcome.ended != Ended::Exit(0) {
                let limit = passed_limit(&outcome, &said).or_else(|| silent_end(&outcome, &said));
                return Ok(Attempted::Failed { said, limit });
            }
        }
        Ok(Attempted::Done { said })
    }

    fn spec(&self, command: Vec<std::ffi::OsString>, folder: &Path, readable: &[PathBuf]) -> Spec {
        let mut command = command.into_iter();
        let mut env = environment();
        // What a killed compiler leaves there goes away with the folder.
        env.push(("TMPDIR".into(), folder.into()));
        Spec {
            program: command.next().unwrap_or_default().into(),
            args: command.collect(),
            env,
            files: Files::Folder { folder: folder.to_owned(), readable: readable.to_vec() },
            stdin: Stdin::Empty,
            calls: None,
            limits: RunLimits {
                cpu_ms: CPU_MS,
                wall_ms: WALL_MS,
                memory_bytes: MEMORY_BYTES,
                stdout_bytes: STDOUT_BYTES,
                stderr_kept_bytes: LOG_BYTES,
                file_bytes: FILE_BYTES,
                processes: PROCESSES,
                bound_address_space: self.job.language.compiler_bound_address_space,
            },
        }
    }

    fn keep(
        &self,
        attempt: &Attempt,
        folder: &Path,
        names: &[String],
        log: String,
    ) -> Result<cache::Entry, CompileFailure> {
        let program = attempt.output[0].clone();
        // As with a Rust source that says it is a library.
        if std::fs::symlink_metadata(folder.join(&program)).is_err() {
            let log = format!("{log}the compiler made no program of it\n");
            return Err(CompileFailure::Rejected { log });
        }
        let mut main_class = None;
        if let (true, Some(driver)) = (attempt.source.ends_with(".java"), &self.files[0].name) {
            main_class = driver.strip_suffix(".java").map(str::to_owned);
        } else if attempt.source.ends_with(".java") {
            let source = String::from_utf8_lossy(&self.files[0].text);
            let newest = crate::lang::version::Version::parse(INSTANCE_MAIN);
            let instance = newest.is_some_and(|newest| self.tools[0].version.reaches(&newest));
            main_class = java::main_class(&folder.join(&program), &source, instance);
            if main_class.is_none() {
                let log = format!("{log}no class has a `public static void main(String[])`\n");
                return Err(CompileFailure::Rejected { log });
            }
        }
        // A driver's other files may be read by the program at run time.
        let mut outputs = attempt.output.clone();
        outputs.extend(names.iter().skip(1).filter(|name| !attempt.output.contains(name)).cloned());
        let record = Record { program, main_class, log };
        cache::keep(self.job.cache, self.key, folder, &outputs, record).map_err(|cause| {
            if cache::is_of_the_build(&cause) {
                CompileFailure::Rejected { log: format!("{cause}\n") }
            } else {
                judge("keep the program")(cause)
            }
        })
    }

    /// The log in the submitter's words. A driver's files first get their own names back, by which it can be told whose
    /// lines an error is in.
    fn shown(&self, said: &[u8], folder: &Path, names: &[String]) -> String {
        let given = self.files.iter().map(|file| file.name.as_deref());
        let renamed = names.iter().zip(given).filter_map(|(built, given)| {
            given.filter(|given| given != built).map(|submitted| Renamed { built, submitted })
        });
        let log = log::shorten(said, folder, &renamed.collect::<Vec<_>>());
        let submitted = log::shown_name(self.job.source);
        match (self.job.function, self.files.last().and_then(|file| file.name.as_deref())) {
            (Some((function, model)), Some(solution)) if self.job.mode == Mode::Function => {
                let source = String::from_utf8_lossy(self.text);
                let log = function::explain(self.job.language.driver_id(), function, model, &source, &log);
                log::rename(&log, solution, &submitted)
            }
            _ => log::rename(&log, &names[0], &submitted),
        }
    }
}

fn unusable_cache(cache: &Path, error: &io::Error) -> CompileFailure {
    // The kind alone: some errors end with a path of their own.
    CompileFailure::Judge(format!(
        "cannot make a folder for the build in `{}`: {}; set XDG_CACHE_HOME or HOME to a folder that can be written",
        cache.display(),
        error.kind()
    ))
}

fn judge(what: &'static str) -> impl FnOnce(io::Error) -> CompileFailure {
    move |cause| CompileFailure::Judge(format!("cannot {what}: {cause}"))
}

/// The limit that a compiler passed, in words. One of its children may have met the limit in its place, which then
/// only shows in what was said.
fn passed_limit(outcome: &Outcome, said: &[u8]) -> Option<String> {
    const OUTPUT: [&str; 3] = ["File size limit exceeded", "File too large", "signal terminated program as"];
    const MEMORY: [&str; 6] = [
        "out of memory",
        "virtual memory exhausted",
        "Cannot allocate memory",
        "std::bad_alloc",
        "java.lang.OutOfMemoryError",
        "Killed signal terminated program",
    ];
    let says =
        |words: &[&str]| words.iter().any(|word| memchr::memmem::find(said, word.as_bytes()).is_some());
    let hit = match outcome.limit_hit {
        Some(hit) => hit,
        None if says(&OUTPUT) => LimitHit::File,
        None if says(&MEMORY) => LimitHit::Memory,
        None => return None,
    };
    let limit = match hit {
        LimitHit::Cpu => format!("time limit ({} s)", CPU_MS / 1000),
        LimitHit::Wall => format!("time limit ({} s on the wall)", WALL_MS / 1000),
        LimitHit::Memory => format!("memory limit ({} MiB)", MEMORY_BYTES >> 20),
        LimitHit::Output => format!("output limit ({} MiB)", STDOUT_BYTES >> 20),
        LimitHit::File => format!("limit of a file's size ({} MiB)", FILE_BYTES >> 20),
    };
    Some(format!("the compiler passed its {limit}"))
}

/// How a compiler ended that failed and said nothing.
fn silent_end(outcome: &Outcome, said: &[u8]) -> Option<String> {
    if !said.trim_ascii().is_empty() {
        return None;
    }
    Some(match outcome.ended {
        Ended::Exit(status) => format!("the compiler ended with exit status {status} and without a word"),
        Ended::Signal(signal) => format!("the compiler was ended by signal {signal}"),
    })
}
