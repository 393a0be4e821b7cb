//! Everything that can be told of a problem without running a program: `problem.toml`, statements, and the package if
//! there is one. Finds mistakes and collects them; writes nothing and prints nothing.

use std::fs;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use super::read::{OpenError, regular};
use super::write::source_sha256;
use super::{Entry, LoadError, Manifest, Workspace, layout, programs, read_manifest, sha256};
use crate::diagnostic::{Diagnostic, Severity, nearest};
use crate::input::validate;
use crate::problem::{Answer, Problem, locate, parse};
use crate::{lang, solve};

/// What was found out about a problem.
#[derive(Debug)]
pub struct Inspection {
    /// The problem's slug.
    pub slug: String,
    /// The problem, when its `problem.toml` has no mistake.
    pub problem: Option<Problem>,
    /// The files with mistakes.
    pub files: Vec<InspectedFile>,
    /// What is no mistake and yet worth a line.
    pub notes: Vec<String>,
}

/// A file with mistakes.
#[derive(Debug)]
pub struct InspectedFile {
    /// Its path below the workspace, with `/` on every system.
    pub path: String,
    /// The text that the mistakes' places are in; empty for files that are not shown.
    pub text: String,
    /// At least one.
    pub mistakes: Vec<Diagnostic>,
}

/// The marker in a statement that stands for the table of the input's bounds.
pub const CONSTRAINTS_MARKER: &str = "<!-- constraints -->";
/// The longest statement, in bytes.
const MAX_STATEMENT_BYTES: u64 = 1 << 20;
/// The longest `problem.toml` that is read; the parser refuses less.
const MAX_PROBLEM_BYTES: u64 = 16 << 20;
/// How much longer than the manifest says a test's file may be for its first fault still to be looked for.
const MAX_EXTRA_BYTES: u64 = 1 << 16;
/// How many faulty tests of a package are told one by one.
const MAX_FAULTY_TESTS: usize = 10;

impl Inspection {
    /// Whether anything is wrong; warnings alone are not.
    pub fn has_faults(&self) -> bool {
        let mut mistakes = self.files.iter().flat_map(|file| &file.mistakes);
        mistakes.any(|mistake| mistake.severity == Severity::Error)
    }
}

/// Looks at every file of a problem.
///
/// # Errors
/// When there is no such problem, or its `problem.toml` cannot be opened.
pub fn inspect(workspace: &Workspace, slug: &str) -> Result<Inspection, LoadError> {
    let folder = workspace.problem(slug);
    let path = layout::problem_file(&folder);
    if !path.is_file() {
        // The workspace knows best what may have been meant.
        workspace.load(slug)?;
    }
    let read = read_limited(&path, MAX_PROBLEM_BYTES);
    let bytes = read.map_err(|error| LoadError::File { path: path.clone(), error })?;
    let mut inspector = Inspector {
        workspace,
        found: Inspection { slug: slug.to_owned(), problem: None, files: Vec::new(), notes: Vec::new() },
    };
    if let Some(text) = inspector.text(&path, bytes) {
        let (problem, mut mistakes) = parse(slug, &text);
        if let Some(problem) = &problem {
            mistakes.extend(inspector.answer_mistake(problem, &text));
            mistakes.extend(programs::mistakes(&folder, problem, &text));
        }
        inspector.add(&path, text.clone(), mistakes);
        if let Some(mut problem) = problem {
            let selection = workspace.selection(&problem);
            let is_readable = selection.is_ok();
            match selection {
                Ok(names) => problem.selection = names,
                Err(LoadError::Mistakes { path, text, mistakes }) => inspector.add(&path, text, mistakes),
                Err(error) => return Err(error),
            }
            inspector.statements(&folder, &problem, &text);
            if is_readable {
                inspector.package(&problem, &text);
            }
            inspector.found.problem = Some(problem);
        }
    }
    Ok(inspector.found)
}

struct Inspector<'a> {
    workspace: &'a Workspace,
    found: Inspection,
}

impl Inspector<'_> {
    fn add(&mut self, path: &Path, text: String, mistakes: Vec<Diagnostic>) {
        if mistakes.is_empty() {
            return;
        }
        let below = path.strip_prefix(self.workspace.root()).unwrap_or(path);
        let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        let path = parts.join("/");
        match self.found.files.iter_mut().find(|file| file.path == path) {
            Some(file) => {
                file.mistakes.extend(mistakes);
                file.mistakes.sort_by_key(|mistake| mistake.labels.first().map(|label| label.span.start));
            }
            None => self.found.files.push(InspectedFile { path, text, mistakes }),
        }
    }

    /// The bytes as text, or a mistake that names the first line that is none.
    fn text(&mut self, path: &Path, bytes: Vec<u8>) -> Option<String> {
        match String::from_utf8(bytes) {
            Ok(text) => Some(text),
            Err(error) => {
                let valid = error.utf8_error().valid_up_to();
                let line = 1 + memchr::memchr_iter(b'\n', &error.as_bytes()[..valid]).count();
                let mistake = Diagnostic::error(format!("line {line} is not UTF-8"));
                self.add(path, String::new(), vec![mistake.help("save the file as UTF-8")]);
                None
            }
        }
    }

    /// Whether the solver is one of ours and fits, or the program is there.
    fn answer_mistake(&self, problem: &Problem, text: &str) -> Option<Diagnostic> {
        let at = |key: &str, mistake: Diagnostic, label: &str| match locate(text, &["answer", key]) {
            Some(span) => mistake.at(span, label),
            None => mistake,
        };
        match &problem.answer {
            Answer::Solver(name) => match solve::built_in(name) {
                Some(solver) => solver
                    .fits(&problem.model)
                    .err()
                    .map(|expected| at("solver", Diagnostic::error(expected), "")),
                None => {
                    let known: Vec<&str> = solve::ALL.iter().map(|solver| solver.name).collect();
                    let near = nearest(name, known.iter().copied());
                    let label = match near {
                        Some(near) => format!("did you mean `{near}`?"),
                        None if name.contains('/') => "a path belongs to `program = \"…\"`".to_owned(),
                        None => String::new(),
                    };
                    let mistake = Diagnostic::error(format!("no solver `{name}` is built in"));
                    let help = format!("built in: {}; for another problem name a program", known.join(", "));
                    Some(at("solver", mistake, &label).help(help))
                }
            },
            Answer::Program(program) => {
                let path = self.workspace.root().join(program);
                if !path.is_file() {
                    let mistake = Diagnostic::error(format!("the program `{program}` is not there"));
                    return Some(at("program", mistake, "a path below the workspace"));
                }
                let unknown = lang::detect::detect(lang::Table::built_in(), &path, None).err()?;
                Some(at("program", Diagnostic::error(unknown.to_string()), ""))
            }
            Answer::None => None,
        }
    }

    /// A statement for each language of the title, and none for a language without a title.
    fn statements(&mut self, folder: &Path, problem: &Problem, source: &str) {
        let mut missing = Vec::new();
        for (language, _) in &problem.titles {
            let path = layout::statement_file(folder, language);
            match read_limited(&path, MAX_STATEMENT_BYTES) {
                Ok(bytes) => {
                    if let Some(text) = self.text(&path, bytes) {
                        let mistakes = statement_mistakes(&text);
                        self.add(&path, text, mistakes);
                    }
                }
                Err(error) => {
                    let name = layout::statement_file(Path::new(""), language);
                    let mistake = Diagnostic::error(match error.kind() {
                        io::ErrorKind::NotFound => {
                            format!(
                                "`title` names the language `{language}`, but there is no {}",
                                name.display()
                            )
                        }
                        _ => format!("cannot read {}: {error}", name.display()),
                    });
                    missing.push(match locate(source, &["title", language]) {
                        Some(span) => mistake.at(span, ""),
                        None => mistake,
                    });
                }
            }
        }
        let path = layout::problem_file(folder);
        self.add(&path, source.to_owned(), missing);
        for language in statement_languages(folder).unwrap_or_default() {
            if problem.titles.iter().all(|(known, _)| *known != language) {
                let mistake = Diagnostic::warning(format!("a statement in `{language}`, which has no title"));
                let help = format!("add `{language} = \"…\"` to `title` in problem.toml");
                self.add(&layout::statement_file(folder, &language), String::new(), vec![mistake.help(help)]);
            }
        }
    }

    /// The package, as far as it is on disk.
    fn package(&mut self, problem: &Problem, source: &str) {
        let folder = self.workspace.generated(&problem.slug);
        let again = format!("make it again: touchstone generate {}", problem.slug);
        let manifest = match read_manifest(&folder) {
            Ok(manifest) => manifest,
            Err(OpenError::Missing { .. }) => {
                self.found.notes.push(format!("no tests yet: touchstone generate {}", problem.slug));
                return;
            }
            Err(error) => {
                let mistake = Diagnostic::error(error.to_string()).help(again);
                self.add(&layout::manifest_file(&folder), String::new(), vec![mistake]);
                return;
            }
        };
        let path = layout::manifest_file(&folder);
        if manifest.problem_sha256 != source_sha256(source.as_bytes(), problem) {
            let mistake =
                Diagnostic::error("problem.toml or its selection has changed since these tests were made");
            self.add(&path, String::new(), vec![mistake.help(again.clone())]);
        }
        let there = |entry: &&Entry| layout::input_file(&folder, &entry.name).is_file();
        if !manifest.tests.is_empty() && !manifest.tests.iter().any(|entry| there(&entry)) {
            let note =
                format!("only the manifest is here, not its tests: touchstone generate {}", problem.slug);
            self.found.notes.push(note);
            return;
        }
        self.tests(problem, &folder, &manifest, &again);
    }

    fn tests(&mut self, problem: &Problem, folder: &Path, manifest: &Manifest, again: &str) {
        let mut faulty = 0;
        for entry in &manifest.tests {
            let input = layout::input_file(folder, &entry.name);
            let answer = layout::answer_file(folder, &entry.name);
            for (path, expected, model) in
                [(input, &entry.input_sha256, Some(&problem.model)), (answer, &entry.answer_sha256, None)]
            {
                let Some(mut mistake) = test_mistake(&path, expected, entry, model) else { continue };
                faulty += 1;
                if faulty <= MAX_FAULTY_TESTS {
                    mistake.help.get_or_insert_with(|| again.to_owned());
                    self.add(&path, String::new(), vec![mistake]);
                }
            }
        }
        if let Some(rest) = usize::checked_sub(faulty, MAX_FAULTY_TESTS).filter(|rest| *rest > 0) {
            self.found.notes.push(format!("and {rest} more faulty files in the package"));
        }
    }
}

/// What is wrong with a file of a package, first of all against the model, when it is an input.
fn test_mistake(
    path: &Path,
    expected: &str,
    entry: &Entry,
    model: Option<&crate::problem::InputModel>,
) -> Option<Diagnostic> {
    let lengths = if model.is_some() { &entry.input_bytes } else { &entry.answer_bytes };
    let whole: u64 = lengths.iter().sum();
    let bytes = match read_limited(path, whole.saturating_add(MAX_EXTRA_BYTES)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Some(Diagnostic::error("the manifest names this file, but it is not there"));
        }
        Err(error) => return Some(Diagnostic::error(format!("cannot read it: {error}"))),
    };
    let mut start = 0;
    for (index, length) in lengths.iter().enumerate() {
        // The last member takes what is too much, and a file that is too short has fewer bytes for its last members.
        let is_last = index + 1 == lengths.len();
        let end = match usize::try_from(*length) {
            Ok(length) if !is_last => bytes.len().min(start + length),
            _ => bytes.len(),
        };
        let part: Range<usize> = start..end;
        start = end;
        if let Some(Err(violation)) = model.map(|model| validate(model, &bytes[part])) {
            let which = if entry.pack { format!("input {} of the pack: ", index + 1) } else { String::new() };
            return Some(Diagnostic::error(format!("{which}{violation}")));
        }
    }
    (sha256(&bytes) != *expected).then(|| Diagnostic::error("the file has changed since it was made"))
}

/// The languages of all statements in the folder, sorted.
///
/// # Errors
/// When the folder cannot be read.
pub(crate) fn statement_languages(folder: &Path) -> io::Result<Vec<String>> {
    let mut languages = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        languages.extend(name.to_str().and_then(layout::statement_language).map(str::to_owned));
    }
    languages.sort();
    Ok(languages)
}

fn statement_mistakes(text: &str) -> Vec<Diagnostic> {
    let mut mistakes = Vec::new();
    if text.trim().is_empty() {
        mistakes.push(Diagnostic::error("the statement is empty"));
    }
    let mut first: Option<Range<usize>> = None;
    let mut at = 0;
    while let Some(start) = text[at..].find("<!--").map(|found| at + found) {
        let Some(end) = text[start..].find("-->").map(|found| start + found + 3) else {
            mistakes.push(
                Diagnostic::error("a comment without an end").at(start..start + 4, "expected `-->` after it"),
            );
            break;
        };
        let (span, comment) = (start..end, &text[start..end]);
        if comment == CONSTRAINTS_MARKER {
            if let Some(first) = &first {
                let mistake = Diagnostic::warning("the table of constraints would stand here twice");
                mistakes.push(mistake.at(span.clone(), "again here").at(first.clone(), "first here"));
            }
            first.get_or_insert(span);
        } else if nearest(comment, [CONSTRAINTS_MARKER]).is_some() {
            let mistake = Diagnostic::warning(
                "this comment is no marker, and the table of constraints will not stand here",
            );
            mistakes.push(mistake.at(span, format!("did you mean `{CONSTRAINTS_MARKER}`?")));
        }
        at = end;
    }
    mistakes
}

/// The bytes of a file that has at most `max` of them.
fn read_limited(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = regular(path)?.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    if read as u64 > max {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {max} bytes")));
    }
    Ok(bytes)
}
