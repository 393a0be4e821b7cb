//! One build in one way: writes the sources into a folder of its own, runs the compiler's commands in the sandbox under
//! limits, keeps what came out. Never chooses among compilers and never runs the program.

use std::io;
use std::path::{Path, PathBuf};

use crate::lang::cache::{self, Record};
use crate::lang::compile::{CompileFailure, CompileJob};
use crate::lang::find::Found;
use crate::lang::log::{self, Renamed};
use crate::lang::program::{Words, environment};
use crate::lang::table::{Attempt, Way};
use crate::lang::{Mode, function, go, java};
use crate::sandbox::spec::MOST_FILES;
use crate::sandbox::{Ended, Files, LimitHit, Outcome, RunLimits, Sandbox, Spec, Stdin};

/// What a compiler may use, each of its commands anew.
const CPU_MS: u64 = 30_000;
const WALL_MS: u64 = 50_000;
const MEMORY_BYTES: u64 = 2 << 30;
const FILE_BYTES: u64 = 256 << 20;
/// All its files together: objects, and a program of the largest that it may make.
const FILES_BYTES: u64 = 4 * FILE_BYTES;
/// What it may print.
const STDOUT_BYTES: u64 = 1 << 20;
const LOG_BYTES: usize = 64 << 10;
const PROCESSES: u64 = 256;

/// Java starts a `main` that is neither public nor static from this version on.
const INSTANCE_MAIN: &str = "25";

/// A file of a build.
pub(in crate::lang) struct File {
    /// `None` for a submission by itself, which takes the name that its language gives it.
    pub(in crate::lang) name: Option<String>,
    pub(in crate::lang) text: Vec<u8>,
}

/// A build that has to be made in one way.
pub(in crate::lang) struct Build<'a> {
    pub(in crate::lang) job: &'a CompileJob<'a>,
    /// Which of the ways it is.
    pub(in crate::lang) index: usize,
    pub(in crate::lang) way: &'a Way,
    pub(in crate::lang) tools: &'a [&'a Found],
    pub(in crate::lang) text: &'a [u8],
    pub(in crate::lang) files: &'a [File],
    pub(in crate::lang) key: &'a str,
    /// Goes before what the compiler says of a program that it makes.
    pub(in crate::lang) note: String,
}

/// What came of a build.
pub(in crate::lang) enum Built {
    Made(cache::Entry),
    /// Not by this way; when its compiler is `unable`, perhaps by another.
    Rejected {
        log: String,
        unable: bool,
    },
}

/// How one attempt ended.
enum Attempted {
    Done { said: Vec<u8> },
    Failed { said: Vec<u8>, limit: Option<String> },
}

impl Build<'_> {
    pub(in crate::lang) fn run(&self, sandbox: &mut Sandbox) -> Result<Built, CompileFailure> {
        let mut last = None;
        let mut unable = false;
        for attempt in &self.way.attempts {
            let place = cache::building_place(self.job.cache)
                .map_err(|error| unusable_cache(self.job.cache, &error))?;
            let folder = place.path().canonicalize().map_err(judge("find the folder of the build"))?;
            let names = self.write_sources(attempt, &folder)?;
            match self.attempt(attempt, &folder, &names, sandbox)? {
                Attempted::Done { said } => {
                    let log = format!("{}{}", self.note, self.shown(&said, &folder, &names));
                    return self.keep(attempt, &folder, &names, log).map(Built::Made);
                }
                Attempted::Failed { said, limit } => {
                    let says = |words: &String| memchr::memmem::find(&said, words.as_bytes()).is_some();
                    let again = limit.is_none() && attempt.retry.iter().any(says);
                    unable = limit.is_none() && self.way.unable.iter().any(says);
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
        Ok(Built::Rejected { log, unable })
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
                files_bytes: FILES_BYTES,
                files: MOST_FILES,
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
        let record = Record { program, way: self.index, main_class, log };
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
        LimitHit::Files => {
            format!("limit of all files ({} MiB together, {MOST_FILES} of them)", FILES_BYTES >> 20)
        }
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

/// The words that the tools and their versions give.
pub(in crate::lang) fn words(way: &Way, tools: &[&Found]) -> Words {
    let mut words = Words(tools.iter().flat_map(|tool| tool.words.iter().cloned()).collect());
    let reached = |(from, _): &&(String, String)| {
        let from = crate::lang::version::Version::parse(from);
        from.is_some_and(|from| tools.first().is_some_and(|tool| tool.version.reaches(&from)))
    };
    words.add("std", way.std.iter().find(reached).map(|(_, argument)| argument.into()).into_iter().collect());
    words
}
