//! From a plan to tests: inputs made, rendered, validated, answered and hashed, in parallel, with the same result at
//! any number of threads. Doubles are dropped here. Writes only what it is told to, through a [`Sink`].

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::maker::{self, COMPARED_SEEDS, Ready};
use super::manifest::{Entry, Manifest, Source, sha256};
use super::{PackageError, Progress, layout};
use crate::check::{Checked, check_bytes};
use crate::generate::{self, Family, Made, Planned};
use crate::input::{Input, render, validate};
use crate::lang;
use crate::problem::Problem;
use crate::sandbox::{SandboxError, interrupt};
use crate::solve::{Answers, SolveError};
use crate::verdict::Verdict;

/// Where the bytes of a package go.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sink<'a> {
    /// Into files of this folder.
    Folder(&'a Path),
    /// Nowhere: only the manifest is wanted.
    Nowhere,
}

/// What a build needs besides the problem.
pub(super) struct Plan<'a> {
    pub(super) problem: &'a Problem,
    pub(super) problem_sha256: String,
    pub(super) seed: u64,
    pub(super) answers: &'a Answers,
    pub(super) source: Source,
    /// The programs that make tests, and what they are in the manifest.
    pub(super) makers: &'a [Ready<'a>],
    pub(super) maker_digests: Vec<(String, String)>,
    pub(super) sink: Sink<'a>,
    pub(super) progress: &'a (dyn Fn(Progress) + Sync),
}

/// A test with its texts, or without them once they are written.
struct Built {
    entry: Entry,
    /// A pack waits for its doubles to be dropped; a single input is written at once.
    pack: Option<Texts>,
}

/// What came of making a test.
type Attempt = Result<Built, PackageError>;

/// The texts of a test's members, one after another.
#[derive(Default)]
struct Texts {
    inputs: Vec<u8>,
    answers: Vec<u8>,
    /// (bytes of the input, bytes of the answer) of each member.
    lengths: Vec<(usize, usize)>,
}

/// Builds the package in `jobs` threads.
///
/// # Errors
/// The error of the first test in package order that has one, whatever the number of threads.
pub(super) fn build(plan: &Plan<'_>, jobs: usize) -> Result<Manifest, PackageError> {
    let planned = generate::plan(plan.problem);
    let by_programs = by_programs(plan);
    let total = planned.len() + by_programs.len();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.max(1))
        .thread_name(|index| format!("generate-{index}"))
        .build()
        .map_err(|error| PackageError::Threads(error.to_string()))?;
    let (done, bytes) = (AtomicUsize::new(0), AtomicU64::new(0));
    let report = |built: &Built| {
        let made: u64 = built.entry.input_bytes.iter().chain(&built.entry.answer_bytes).sum();
        let bytes = bytes.fetch_add(made, Ordering::Relaxed) + made;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        (plan.progress)(Progress { done, total, bytes });
    };
    let (built, made): (Vec<Attempt>, Vec<Attempt>) = pool.install(|| {
        let built = planned.par_iter().with_max_len(1).map(|planned| test(plan, planned).inspect(report));
        let made = by_programs.par_iter().with_max_len(1);
        let made = made.map(|(maker, number)| test_by_program(plan, maker, *number).inspect(report));
        (built.collect(), made.collect())
    });
    let mut tests = Vec::with_capacity(total);
    for built in built.into_iter().chain(made) {
        tests.push(built?);
    }
    let notes = blind_makers(plan, &tests)?;
    let tests = without_doubles(plan.sink, tests)?;
    let has_tests = |name: &str| tests.iter().any(|entry| entry.group.as_deref() == Some(name));
    if let Some(empty) = plan.problem.subtasks.iter().find(|subtask| !has_tests(&subtask.name)) {
        return Err(PackageError::EmptySubtask(empty.name.clone()));
    }
    Ok(Manifest {
        problem: plan.problem.slug.clone(),
        problem_sha256: plan.problem_sha256.clone(),
        seed: plan.seed,
        answers: plan.source.clone(),
        makers: plan.maker_digests.clone(),
        tests,
        notes,
    })
}

fn test(plan: &Plan<'_>, planned: &Planned) -> Result<Built, PackageError> {
    if interrupt::requested() {
        return Err(PackageError::Interrupted);
    }
    let made = generate::make(plan.problem, plan.seed, planned)
        .map_err(|error| PackageError::Generate { test: planned.name.clone(), error })?;
    let texts = texts(plan, &made)?;
    let group = generate::group_of(plan.problem, &made.members);
    let entry = Entry {
        name: made.name,
        family: made.family.name().to_owned(),
        group,
        pack: made.pack,
        input_sha256: String::new(),
        answer_sha256: String::new(),
        input_bytes: Vec::new(),
        answer_bytes: Vec::new(),
    };
    if made.pack || made.members.is_empty() {
        return Ok(Built { entry, pack: Some(texts) });
    }
    Ok(Built { entry: finish(plan.sink, entry, &texts)?, pack: None })
}

/// The tests that programs make, each by its program and its number, in package order.
fn by_programs<'p>(plan: &Plan<'p>) -> Vec<(&'p Ready<'p>, u32)> {
    plan.makers.iter().flat_map(|maker| (1..=maker.count()).map(move |number| (maker, number))).collect()
}

fn test_by_program(plan: &Plan<'_>, maker: &Ready<'_>, number: u32) -> Result<Built, PackageError> {
    if interrupt::requested() {
        return Err(PackageError::Interrupted);
    }
    let maker::Made { name, seed, text, input } = maker.make(number, plan.seed, &plan.problem.model)?;
    let answer = plan.answers.answer(&input, &text).map_err(|error| match error {
        SolveError::Sandbox(SandboxError::Interrupted) => PackageError::Interrupted,
        error => PackageError::Solver {
            test: format!("{name}`, seed `{seed}"),
            input: shown(&text),
            message: error.to_string(),
        },
    })?;
    let mut texts = Texts::default();
    texts.push(&text, &answer, plan.answers);
    let entry = Entry {
        name,
        family: maker.family().to_owned(),
        group: generate::group_of(plan.problem, std::slice::from_ref(&input)),
        pack: false,
        input_sha256: String::new(),
        answer_sha256: String::new(),
        input_bytes: Vec::new(),
        answer_bytes: Vec::new(),
    };
    Ok(Built { entry: finish(plan.sink, entry, &texts)?, pack: None })
}

/// Notes on programs whose seed does not matter: three seeds give the same.
fn blind_makers(plan: &Plan<'_>, tests: &[Built]) -> Result<Vec<String>, PackageError> {
    let mut notes = Vec::new();
    for maker in plan.makers {
        let own = tests.iter().filter(|built| built.entry.family == maker.family());
        let mut seen: Vec<String> = own.map(|built| built.entry.input_sha256.clone()).collect();
        seen.truncate(COMPARED_SEEDS as usize);
        // A seed that is not of the package will do, where there are too few.
        for number in maker.count() + 1..=COMPARED_SEEDS {
            if seen.windows(2).any(|pair| pair[0] != pair[1]) {
                break;
            }
            seen.push(sha256(&maker.make(number, plan.seed, &plan.problem.model)?.text));
        }
        if seen.windows(2).all(|pair| pair[0] == pair[1]) {
            notes.push(format!(
                "{COMPARED_SEEDS} seeds give identical files: does the generator `{}` use its seed?",
                maker.run()
            ));
        }
    }
    Ok(notes)
}

fn texts(plan: &Plan<'_>, made: &Made) -> Result<Texts, PackageError> {
    let mut texts = Texts::default();
    for (index, input) in made.members.iter().enumerate() {
        let start = texts.inputs.len();
        render(&plan.problem.model, input, &mut texts.inputs);
        let text = &texts.inputs[start..];
        valid(plan.problem, made, input, text)?;
        let answer = plan.answers.answer(input, text).map_err(|error| unanswered(made, text, error))?;
        as_stated(plan.problem, made, text, &answer)?;
        if made.pack && index % INTERRUPT_EVERY == 0 && interrupt::requested() {
            return Err(PackageError::Interrupted);
        }
        texts.add_answer(start, &answer, plan.answers);
    }
    Ok(texts)
}

fn unanswered(made: &Made, text: &[u8], error: SolveError) -> PackageError {
    match error {
        SolveError::Sandbox(SandboxError::Interrupted) => PackageError::Interrupted,
        error => {
            PackageError::Solver { test: made.name.clone(), input: shown(text), message: error.to_string() }
        }
    }
}

/// A sample's stated answer comes from the problem's author, not from the solver: the two are held against each other.
fn as_stated(problem: &Problem, made: &Made, input: &[u8], answer: &[u8]) -> Result<(), PackageError> {
    // Where a program says what is right, another right answer may have been stated.
    if made.family != Family::Samples || problem.jury.is_some() {
        return Ok(());
    }
    let sample = problem.samples.iter().find(|sample| made.name == format!("samples/{}", sample.name));
    let Some(stated) = sample.and_then(|sample| sample.answer.as_deref()) else { return Ok(()) };
    match check_bytes(&problem.checker, stated.as_bytes(), answer) {
        Checked { verdict: Verdict::Ac, .. } => Ok(()),
        _ => Err(PackageError::Sample {
            test: made.name.clone(),
            input: shown(input),
            stated: shown(stated.as_bytes()),
            answer: shown(answer),
        }),
    }
}

/// How many members of a pack are made between two looks for Ctrl-C.
const INTERRUPT_EVERY: usize = 16;

/// Every input goes through the validator before it is written: what it refuses is a fault of this program.
fn valid(problem: &Problem, made: &Made, input: &Input, text: &[u8]) -> Result<(), PackageError> {
    let violation = match validate(&problem.model, text) {
        Ok(read) if read == *input => return Ok(()),
        Ok(_) => "it is read back as another input".to_owned(),
        Err(violation) => violation.to_string(),
    };
    Err(PackageError::Invalid { test: made.name.clone(), input: shown(text), violation })
}

/// So much of an input stands in a message.
const SHOWN_CHARS: usize = 200;

/// The beginning of what a program printed, fit to be shown.
pub(super) fn shown(text: &[u8]) -> String {
    // No character takes more than four bytes.
    let is_cut = text.len() > 4 * SHOWN_CHARS;
    let text = lang::readable(&text[..text.len().min(4 * SHOWN_CHARS)]);
    match text.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None if is_cut => format!("{text} …"),
        None => text,
    }
}

/// Hashes the texts, and writes them if they are to be written.
fn finish(sink: Sink<'_>, entry: Entry, texts: &Texts) -> Result<Entry, PackageError> {
    if let Sink::Folder(folder) = sink {
        write(&layout::input_file(folder, &entry.name), &texts.inputs)?;
        write(&layout::answer_file(folder, &entry.name), &texts.answers)?;
    }
    Ok(Entry {
        input_sha256: sha256(&texts.inputs),
        answer_sha256: sha256(&texts.answers),
        input_bytes: texts.lengths.iter().map(|(input, _)| *input as u64).collect(),
        answer_bytes: texts.lengths.iter().map(|(_, answer)| *answer as u64).collect(),
        ..entry
    })
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), PackageError> {
    let error = |error| PackageError::Write { path: path.to_path_buf(), error };
    match std::fs::write(path, bytes) {
        Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => {
            let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
            std::fs::create_dir_all(folder).map_err(error)?;
            std::fs::write(path, bytes).map_err(error)
        }
        other => other.map_err(error),
    }
}

/// Drops a single input that an earlier single input equals, and a member that an earlier member equals. A single
/// input that also lies in a pack stays: of a pack only the first members may be run. Empty tests are dropped.
fn without_doubles(sink: Sink<'_>, built: Vec<Built>) -> Result<Vec<Entry>, PackageError> {
    let mut singles = HashSet::new();
    let mut members: HashSet<Vec<u8>> = HashSet::new();
    let mut tests = Vec::with_capacity(built.len());
    for Built { entry, pack } in built {
        let Some(texts) = pack else {
            if singles.insert(entry.input_sha256.clone()) {
                tests.push(entry);
            } else if let Sink::Folder(folder) = sink {
                for path in
                    [layout::input_file(folder, &entry.name), layout::answer_file(folder, &entry.name)]
                {
                    std::fs::remove_file(&path).map_err(|error| PackageError::Write { path, error })?;
                }
            }
            continue;
        };
        let texts = texts.filtered(|input| members.insert(input.to_vec()));
        if !texts.lengths.is_empty() {
            tests.push(finish(sink, entry, &texts)?);
        }
    }
    Ok(tests)
}

impl Texts {
    fn push(&mut self, input: &[u8], answer: &[u8], source: &Answers) {
        let start = self.inputs.len();
        self.inputs.extend_from_slice(input);
        self.add_answer(start, answer, source);
    }

    /// The answer to the input that begins at `start`; it ends with a line break, unless there are no answers at all.
    fn add_answer(&mut self, start: usize, answer: &[u8], source: &Answers) {
        let answer_start = self.answers.len();
        self.answers.extend_from_slice(answer);
        if answer.last() != Some(&b'\n') && !matches!(source, Answers::None) {
            self.answers.push(b'\n');
        }
        self.lengths.push((self.inputs.len() - start, self.answers.len() - answer_start));
    }

    /// The members whose input `keeps` accepts.
    fn filtered(&self, mut keeps: impl FnMut(&[u8]) -> bool) -> Self {
        let mut kept = Self::default();
        let (mut input_at, mut answer_at) = (0, 0);
        for &(input, answer) in &self.lengths {
            let text = &self.inputs[input_at..input_at + input];
            if keeps(text) {
                kept.inputs.extend_from_slice(text);
                kept.answers.extend_from_slice(&self.answers[answer_at..answer_at + answer]);
                kept.lengths.push((input, answer));
            }
            (input_at, answer_at) = (input_at + input, answer_at + answer);
        }
        kept
    }
}
