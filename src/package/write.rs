//! Writes packages whole or not at all: everything goes into a folder beside the package, which takes its place in
//! one step when it is complete. Whatever stops it, the old package stays and nothing half-written is left.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::build::{Plan, Sink, build, write};
use super::maker::{self, MakerError, Ready};
use super::manifest::{Manifest, Source, sha256};
use super::read::regular;
use super::{OpenError, Package, Workspace, layout, open, read_manifest};
use crate::generate::GenerateError;
use crate::problem::{Answer, Problem};
use crate::solve::{Answers, AnswersError, Runner};

/// How a package is generated.
#[derive(Clone, Debug)]
pub struct Options {
    /// What everything random follows from.
    pub seed: u64,
    /// Threads.
    pub jobs: usize,
    /// The folder that takes the package as `<out>/<slug>`; the workspace's `generated` when `None`.
    pub out: Option<PathBuf>,
    /// How a program that gives the answers is compiled and run.
    pub runner: Runner,
}

/// How far generating has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Tests made so far.
    pub done: usize,
    /// Tests in all.
    pub total: usize,
    /// Bytes made so far.
    pub bytes: u64,
}

/// Why a package was not generated.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// The inputs can't be made as the problem wants them.
    #[error("cannot make the test `{test}`: {error}")]
    Generate {
        /// The test's name.
        test: String,
        /// Why.
        error: GenerateError,
    },
    /// The trusted answers can't be had at all.
    #[error(transparent)]
    Answers(#[from] AnswersError),
    /// The trusted solver failed on an input: the judge is at fault, and no answer file is written.
    #[error("the trusted solver failed on the test `{test}`: {message}\ninput:\n{input}")]
    Solver {
        /// The test's name.
        test: String,
        /// The input, shortened.
        input: String,
        /// What happened.
        message: String,
    },
    /// The trusted solver and the problem's author disagree on a sample: one of the two is wrong.
    #[error(
        "the answer of the sample `{test}` in problem.toml is `{stated}`, but the trusted solver finds `{answer}`\ninput:\n{input}"
    )]
    Sample {
        /// The test's name.
        test: String,
        /// The input, shortened.
        input: String,
        /// What problem.toml says, shortened.
        stated: String,
        /// What the solver says, shortened.
        answer: String,
    },
    /// A program that makes tests failed, or made what is no test.
    #[error(transparent)]
    Maker(#[from] MakerError),
    /// No test belongs to a subtask, which so could not be won.
    #[error(
        "no test belongs to the subtask `{0}`: each of its inputs is one of an earlier subtask, or no family makes \
         any; widen its bounds, or add a [[case]]"
    )]
    EmptySubtask(String),
    /// The generator made what the validator refuses: a fault of this program.
    #[error("internal error: the test `{test}` was made against its own model: {violation}\ninput:\n{input}")]
    Invalid {
        /// The test's name.
        test: String,
        /// The input, shortened.
        input: String,
        /// What the validator said.
        violation: String,
    },
    /// A file or folder can't be written.
    #[error("cannot write `{}`: {error}; the tests that were there before are unchanged", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file can't be read.
    #[error("cannot read `{}`: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Something stands where the package belongs.
    #[error("`{}` is not a package that `touchstone generate` wrote: remove it, or choose another --out", path.display())]
    Foreign {
        /// The path.
        path: PathBuf,
    },
    /// The package that was just written can't be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// Ctrl-C.
    #[error("interrupted; the tests that were there before are unchanged")]
    Interrupted,
}

impl PackageError {
    /// Whether the judge could not do its job, and not a file or the problem is wrong.
    pub fn is_judges(&self) -> bool {
        match self {
            Self::Solver { .. } | Self::Invalid { .. } | Self::Threads(_) | Self::Interrupted => true,
            Self::Answers(error) => error.is_judges(),
            Self::Maker(error) => error.is_judges(),
            Self::Generate { .. }
            | Self::Sample { .. }
            | Self::EmptySubtask(_)
            | Self::Write { .. }
            | Self::Read { .. }
            | Self::Foreign { .. }
            | Self::Open(_) => false,
        }
    }
}

/// Generates the problem's package. `progress` is called after each test, from any thread.
///
/// # Errors
/// When an input, an answer or a file can't be made; what was there before is then unchanged.
pub fn generate(
    workspace: &Workspace,
    problem: &Problem,
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Manifest, PackageError> {
    let answers = Answers::of(problem, workspace.root(), &options.runner)?;
    let makers = makers(workspace, problem, &options.runner)?;
    let target = match &options.out {
        Some(out) => out.join(&problem.slug),
        None => workspace.generated(&problem.slug),
    };
    is_ours(&target)?;
    let partial = Partial::beside(&target, &problem.slug)?;
    let plan = Plan {
        problem,
        problem_sha256: problem_sha256(workspace, problem)?,
        seed: options.seed,
        answers: &answers,
        source: source(workspace, problem)?,
        makers: &makers,
        maker_digests: maker_digests(workspace, problem)?,
        sink: Sink::Folder(partial.path()),
        progress,
    };
    let manifest = build(&plan, options.jobs)?;
    write(&layout::manifest_file(partial.path()), manifest.to_text().as_bytes())?;
    partial.replace(&target)?;
    Ok(manifest)
}

/// The manifest that generating would give; nothing is written.
///
/// # Errors
/// As [`generate`], but for writing.
pub fn manifest_of(
    workspace: &Workspace,
    problem: &Problem,
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<Manifest, PackageError> {
    let plan = Plan {
        problem,
        problem_sha256: problem_sha256(workspace, problem)?,
        seed: options.seed,
        answers: &Answers::of(problem, workspace.root(), &options.runner)?,
        source: source(workspace, problem)?,
        makers: &makers(workspace, problem, &options.runner)?,
        maker_digests: maker_digests(workspace, problem)?,
        sink: Sink::Nowhere,
        progress,
    };
    build(&plan, options.jobs)
}

/// Opens the problem's package, and generates it first when it is not there, not whole, or made from another
/// `problem.toml` or solver. A package that is there keeps its seed; `options.seed` is for a new one. Second: whether
/// it was generated.
///
/// # Errors
/// As [`generate`].
pub fn ensure(
    workspace: &Workspace,
    problem: &Problem,
    options: &Options,
    progress: &(dyn Fn(Progress) + Sync),
) -> Result<(Package, bool), PackageError> {
    let folder = workspace.generated(&problem.slug);
    let mut options = options.clone();
    options.out = None;
    if let Ok(manifest) = read_manifest(&folder) {
        options.seed = manifest.seed;
        if let (true, Ok(package)) = (is_current(workspace, problem, &manifest)?, open(&folder)) {
            return Ok((package, false));
        }
    }
    let manifest = generate(workspace, problem, &options, progress)?;
    let mut package = open(&folder)?;
    package.notes.extend(manifest.notes);
    Ok((package, true))
}

/// Whether the problem, its programs and its answers are those that the manifest was made from.
///
/// # Errors
/// When one of their files can't be read.
pub fn is_current(
    workspace: &Workspace,
    problem: &Problem,
    manifest: &Manifest,
) -> Result<bool, PackageError> {
    Ok(manifest.problem_sha256 == problem_sha256(workspace, problem)?
        && manifest.answers == source(workspace, problem)?
        && manifest.makers == maker_digests(workspace, problem)?)
}

/// The programs that make tests, compiled.
///
/// # Errors
/// When one of them cannot be used, or the judge fails.
pub(crate) fn makers<'p>(
    workspace: &Workspace,
    problem: &'p Problem,
    runner: &Runner,
) -> Result<Vec<Ready<'p>>, MakerError> {
    let folder = workspace.problem(&problem.slug);
    let ready = |maker| Ready::compile(maker, &problem.slug, &folder, runner);
    problem.makers.iter().map(ready).collect()
}

/// Their paths with their digests, each program once.
fn maker_digests(workspace: &Workspace, problem: &Problem) -> Result<Vec<(String, String)>, PackageError> {
    let folder = workspace.problem(&problem.slug);
    let mut digests: Vec<(String, String)> = Vec::new();
    for maker in &problem.makers {
        if digests.iter().all(|(run, _)| *run != maker.run) {
            let unreadable = |error| PackageError::Read { path: folder.join(&maker.run), error };
            digests.push((maker.run.clone(), maker::digest(maker, &folder).map_err(unreadable)?));
        }
    }
    Ok(digests)
}

/// Line ends are taken as `\n`, since some checkouts change them.
fn problem_sha256(workspace: &Workspace, problem: &Problem) -> Result<String, PackageError> {
    let path = layout::problem_file(&workspace.problem(&problem.slug));
    let text = fs::read(&path).map_err(|error| PackageError::Read { path, error })?;
    Ok(source_sha256(&text, problem))
}

/// What a package is made from besides the answers: `problem.toml`, and the names that a selection lists.
pub(super) fn source_sha256(text: &[u8], problem: &Problem) -> String {
    match &problem.selection {
        None => text_sha256(text),
        Some(names) => text_sha256(&[text, b"\0", names.join("\n").as_bytes()].concat()),
    }
}

pub(super) fn text_sha256(text: &[u8]) -> String {
    sha256(&text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)).fold(
        Vec::with_capacity(text.len() + 1),
        |mut whole, line| {
            whole.extend_from_slice(line);
            whole.push(b'\n');
            whole
        },
    ))
}

fn source(workspace: &Workspace, problem: &Problem) -> Result<Source, PackageError> {
    match &problem.answer {
        Answer::Solver(name) => Ok(Source::Solver(name.clone())),
        Answer::Program(path) => {
            let file = workspace.root().join(path);
            let mut text = Vec::new();
            let read = regular(&file).and_then(|mut file| file.read_to_end(&mut text));
            read.map_err(|error| PackageError::Read { path: file, error })?;
            Ok(Source::Program { path: path.clone(), sha256: text_sha256(&text) })
        }
        Answer::None => Ok(Source::None),
    }
}

/// A folder is replaced only if it holds a manifest or nothing.
fn is_ours(target: &Path) -> Result<(), PackageError> {
    let ours = match fs::read_dir(target) {
        Ok(mut entries) => entries.next().is_none() || layout::manifest_file(target).is_file(),
        Err(error) => error.kind() == io::ErrorKind::NotFound && !target.is_symlink(),
    };
    if ours { Ok(()) } else { Err(PackageError::Foreign { path: target.to_path_buf() }) }
}

/// A package on its way. Dropped before it is complete, it leaves nothing.
struct Partial {
    folder: TempDir,
    /// A lock on the folder says that its writer lives; the system takes it back whatever ends the writer.
    _lock: Option<File>,
}

impl Partial {
    fn beside(target: &Path, slug: &str) -> Result<Self, PackageError> {
        let error = |path: &Path| {
            let path = path.to_path_buf();
            |error| PackageError::Write { path, error }
        };
        let parent = target.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(error(parent))?;
        let prefix = layout::partial_prefix(slug);
        remove_abandoned(parent, &prefix);
        let folder = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent);
        // What made the folder tells of a path in the error too.
        let folder = folder.map_err(|cause| error(parent)(cause.kind().into()))?;
        readable_by_all(folder.path()).map_err(error(folder.path()))?;
        Ok(Self { _lock: locked(folder.path()), folder })
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Takes the place of `target`; what was there goes.
    fn replace(self, target: &Path) -> Result<(), PackageError> {
        let error = |error| PackageError::Write { path: target.to_path_buf(), error };
        if !target.exists() {
            fs::rename(self.path(), target).map_err(error)?;
        } else if exchange(self.path(), target).is_err() {
            // A file system that cannot exchange two folders gets two steps.
            let mut old = self.path().to_path_buf();
            old.as_mut_os_string().push(".old");
            fs::rename(target, &old).map_err(error)?;
            if let Err(failed) = fs::rename(self.path(), target) {
                fs::rename(&old, target).map_err(error)?;
                return Err(error(failed));
            }
            fs::remove_dir_all(&old).map_err(error)?;
        }
        // What lies at the temporary path now is the old package, or nothing. The new one is in place either way.
        let _ = self.folder.close();
        Ok(())
    }
}

fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use nix::fcntl::{AT_FDCWD, RenameFlags, renameat2};
    renameat2(AT_FDCWD, one, AT_FDCWD, other, RenameFlags::RENAME_EXCHANGE).map_err(io::Error::from)
}

/// Temporary folders are private; a package is not.
fn readable_by_all(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

/// A file system without locks is no reason to stop.
fn locked(folder: &Path) -> Option<File> {
    let file = File::open(folder).ok()?;
    file.try_lock().ok().map(|()| file)
}

/// Removes what writers left that were killed outright. Those that live hold a lock.
fn remove_abandoned(parent: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with(prefix) && locked(&path).is_some() {
            let _ = fs::remove_dir_all(&path);
        }
    }
}
