//! `touchstone check`: every mistake in problem.toml, statements and packages at once, with source lines. Runs no
//! program and changes no file.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::args::{Format, ReportArgs};
use crate::cli::{CliError, Context, ExitStatus, grading};
use crate::diagnostic::{Diagnostic, Severity};
use crate::input::{Violation, validate};
use crate::package::Workspace;
use crate::package::inspect::{InspectedFile, Inspection, inspect};
use crate::report::{json, snippet};

/// Show every mistake in problem.toml, statements and packages at once, with source lines
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Problems by name; all when none is given
    #[arg(value_name = "PROBLEM")]
    pub problems: Vec<String>,
    /// Check these files against the problem's input model instead; - is standard input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub input: Vec<PathBuf>,
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// The largest input file that is read, in bytes.
const MAX_INPUT_BYTES: u64 = 1 << 30;

/// Runs the command.
///
/// # Errors
/// When a problem is not there or cannot be read, or with `--input`, when it has mistakes.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let workspace = grading::workspace(context)?;
    if args.input.is_empty() {
        problems(args, &workspace, context)
    } else {
        inputs(args, &workspace, context)
    }
}

fn problems(args: &Args, workspace: &Workspace, context: &Context) -> Result<ExitStatus, CliError> {
    let slugs = if args.problems.is_empty() {
        let listed = workspace.problems();
        listed.map_err(|error| CliError::Wrong(format!("cannot list the problems: {error}")))?
    } else {
        args.problems.clone()
    };
    if slugs.is_empty() {
        return Err(CliError::Wrong(
            "there is no problem here yet: make one with `touchstone new SLUG`".into(),
        ));
    }
    let (mut inspections, mut wrong) = (Vec::new(), Vec::new());
    for slug in &slugs {
        match inspect(workspace, slug) {
            Ok(inspection) => inspections.push(inspection),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    let text = match args.report.format {
        Format::Json => {
            json::document(&document(&inspections)).map_err(|error| CliError::Judge(error.to_string()))?
        }
        Format::Text => inspections.iter().map(|it| drawn(it, workspace, context)).collect(),
    };
    context.stdout().write_all(text.as_bytes())?;
    if !wrong.is_empty() {
        return Err(CliError::Wrong(wrong.join("\n       ")));
    }
    let faulty = inspections.iter().any(Inspection::has_faults);
    Ok(if faulty { ExitStatus::Faults } else { ExitStatus::Success })
}

/// The mistakes of a problem, and one line that sums up.
fn drawn(inspection: &Inspection, workspace: &Workspace, context: &Context) -> String {
    let mut text = String::new();
    for file in &inspection.files {
        let path = shown(workspace, &file.path, context);
        text.push_str(&snippet::render(&path, &file.text, &file.mistakes, context.color));
    }
    let count = |severity| {
        let mistakes = inspection.files.iter().flat_map(|file| &file.mistakes);
        mistakes.filter(|mistake| mistake.severity == severity).count()
    };
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let sum = match (count(Severity::Error), count(Severity::Warning)) {
        (0, 0) => "no mistakes".to_owned(),
        (0, warnings) => plural(warnings, "warning"),
        (errors, 0) => plural(errors, "mistake"),
        (errors, warnings) => format!("{}, {}", plural(errors, "mistake"), plural(warnings, "warning")),
    };
    let notes: String = inspection.notes.iter().map(|note| format!("; {note}")).collect();
    text + &format!("{}: {sum}{notes}\n", inspection.slug)
}

/// A path below the workspace, as it is reached from the working folder.
fn shown(workspace: &Workspace, below: &str, context: &Context) -> String {
    let path = workspace.root().join(below);
    path.strip_prefix(&context.working_folder).unwrap_or(&path).display().to_string()
}

/// What `check --format json` prints.
#[derive(Serialize)]
struct Document<'a> {
    problems: Vec<ProblemDocument<'a>>,
}

#[derive(Serialize)]
struct ProblemDocument<'a> {
    problem: &'a str,
    ok: bool,
    mistakes: Vec<MistakeDocument<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct MistakeDocument<'a> {
    file: &'a str,
    severity: &'static str,
    /// From 1, in characters; null when the mistake is about the whole file.
    line: Option<usize>,
    column: Option<usize>,
    message: &'a str,
    label: &'a str,
    help: Option<&'a str>,
}

fn document(inspections: &[Inspection]) -> Document<'_> {
    let problems = inspections.iter().map(|inspection| ProblemDocument {
        problem: &inspection.slug,
        ok: !inspection.has_faults(),
        mistakes: inspection
            .files
            .iter()
            .flat_map(|file| file.mistakes.iter().map(|mistake| mistake_document(file, mistake)))
            .collect(),
        notes: &inspection.notes,
    });
    Document { problems: problems.collect() }
}

fn mistake_document<'a>(file: &'a InspectedFile, mistake: &'a Diagnostic) -> MistakeDocument<'a> {
    let label = mistake.labels.first();
    let place = label.map(|label| {
        let before = file.text.get(..label.span.start).unwrap_or(&file.text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    });
    MistakeDocument {
        file: &file.path,
        severity: match mistake.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        line: place.map(|(line, _)| line),
        column: place.map(|(_, column)| column),
        message: &mistake.message,
        label: label.map_or("", |label| &label.text),
        help: mistake.help.as_deref(),
    }
}

/// What `check --input --format json` prints.
#[derive(Serialize)]
struct InputsDocument<'a> {
    problem: &'a str,
    inputs: Vec<InputDocument>,
}

#[derive(Serialize)]
struct InputDocument {
    file: String,
    ok: bool,
    /// From 1; null when the file is right.
    line: Option<usize>,
    column: Option<usize>,
    expected: Option<String>,
    found: Option<String>,
}

fn inputs(args: &Args, workspace: &Workspace, context: &Context) -> Result<ExitStatus, CliError> {
    if args.problems.len() != 1 {
        let message = "name the one problem whose inputs they are: touchstone check PROBLEM --input FILE…";
        return Err(CliError::Wrong(message.to_owned()));
    }
    let problem = grading::problems(workspace, &args.problems, context)?.remove(0);
    let mut checked: Vec<(String, Option<Violation>)> = Vec::new();
    for file in &args.input {
        let bytes = read(&context.working_folder, file)
            .map_err(|error| CliError::Wrong(format!("cannot read `{}`: {error}", file.display())))?;
        checked.push((file.display().to_string(), validate(&problem.model, &bytes).err()));
    }
    let faulty = checked.iter().any(|(_, violation)| violation.is_some());
    let text = match args.report.format {
        Format::Text => {
            checked.iter().map(|(file, violation)| input_line(file, violation.as_ref())).collect()
        }
        Format::Json => {
            let inputs = checked.into_iter().map(|(file, violation)| InputDocument {
                file,
                ok: violation.is_none(),
                line: violation.as_ref().map(|it| it.line),
                column: violation.as_ref().map(|it| it.column),
                expected: violation.as_ref().map(|it| it.expected.clone()),
                found: violation.map(|it| it.found),
            });
            json::document(&InputsDocument { problem: &problem.slug, inputs: inputs.collect() })
                .map_err(|error| CliError::Judge(error.to_string()))?
        }
    };
    context.stdout().write_all(text.as_bytes())?;
    Ok(if faulty { ExitStatus::Faults } else { ExitStatus::Success })
}

/// In the form that editors jump to.
fn input_line(file: &str, violation: Option<&Violation>) -> String {
    match violation {
        None => format!("{file}: ok\n"),
        Some(Violation { line, column, expected, found }) => {
            format!("{file}:{line}:{column}: expected {expected}, found {found}\n")
        }
    }
}

fn read(working_folder: &Path, file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = MAX_INPUT_BYTES + 1;
    let read = if file == Path::new("-") {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)?
    } else {
        fs::File::open(working_folder.join(file))?.take(limit).read_to_end(&mut bytes)?
    };
    if read as u64 > MAX_INPUT_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it is larger than {MAX_INPUT_BYTES} bytes"),
        ));
    }
    Ok(bytes)
}
