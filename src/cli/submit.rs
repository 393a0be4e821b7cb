//! `touchstone submit`: hands a program in at a contest's server and waits for its verdict.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::cli::args::{Format, ReportArgs};
use crate::cli::server::{self, Server};
use crate::cli::{CliError, Context, ExitStatus};
use crate::package::Workspace;
use crate::report::progress::Progress;
use crate::report::{json, quantity};
use crate::sandbox::interrupt;
use crate::store::MAX_SOURCE_BYTES;
use crate::verdict::Verdict;

/// Hand a program in at a contest, and wait for its verdict
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The program
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The contest's server, as in http://10.0.0.7:8000 [default: the one of the last login]
    #[arg(long, value_name = "URL")]
    pub server: Option<String>,
    /// The problem, by its label or its name [default: by where the file lies, else by what it is called]
    #[arg(long, short, value_name = "PROBLEM")]
    pub problem: Option<String>,
    /// Language by its id, instead of by the file's name
    #[arg(long, value_name = "LANGUAGE")]
    pub language: Option<String>,
    /// Don't wait for the verdict
    #[arg(long)]
    pub no_wait: bool,
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// How often it is asked what has become of it.
const LOOK: Duration = Duration::from_millis(400);

/// What the server says of a submission.
#[derive(Debug, serde::Deserialize, serde::Serialize)]
struct Status {
    submission: i64,
    problem: String,
    language: String,
    verdict: Option<String>,
    score: Option<serde_json::Value>,
    test: Option<usize>,
    tests: Option<usize>,
    cpu_ms: Option<f64>,
    memory_bytes: Option<u64>,
    compile_log: String,
}

/// Runs the command.
///
/// # Errors
/// When the file cannot be read, nobody is logged in, or the server refuses or is not there.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let server = server::known(args.server.as_deref(), context)?;
    let source = source(&args.file)?;
    let problem = match &args.problem {
        Some(problem) => problem.clone(),
        None => problem_of(&args.file, context)?,
    };
    let body = serde_json::json!({
        "problem": problem,
        "language": args.language.as_deref().unwrap_or_default(),
        "file_name": args.file.file_name().unwrap_or_default().to_string_lossy(),
        "source": source,
    });
    let taken = server.post("/api/submit", &body)?;
    let id = taken["submission"].as_i64().ok_or_else(|| server.odd("no number of a submission"))?;
    if args.no_wait {
        return said(args, context, &taken, &format!("submission {id} was taken"));
    }
    interrupt::install().map_err(|error| CliError::Judge(format!("cannot catch Ctrl-C: {error}")))?;
    let status = wait(&server, id, context)?;
    let text = text(&status);
    let value = serde_json::to_value(&status).map_err(|error| CliError::Judge(error.to_string()))?;
    said(args, context, &value, text.trim_end())?;
    Ok(match status.verdict.as_deref() {
        Some(word) if word == Verdict::Ac.short() => ExitStatus::Success,
        Some(word) if word == Verdict::Je.short() => ExitStatus::JudgeFailed,
        _ => ExitStatus::Faults,
    })
}

fn said(
    args: &Args,
    context: &Context,
    value: &serde_json::Value,
    text: &str,
) -> Result<ExitStatus, CliError> {
    let text = match args.report.format {
        Format::Json => json::document(value).map_err(|error| CliError::Judge(error.to_string()))?,
        Format::Text => format!("{text}\n"),
    };
    context.stdout().write_all(text.as_bytes())?;
    Ok(ExitStatus::Success)
}

fn wait(server: &Server, id: i64, context: &Context) -> Result<Status, CliError> {
    let progress = Progress::searching(context.stderr_is_terminal);
    loop {
        if interrupt::requested() {
            progress.clear();
            return Err(CliError::Judge(format!(
                "interrupted; submission {id} is in the server's hands and will be judged"
            )));
        }
        let status: Status = serde_json::from_value(server.get(&format!("/api/submissions/{id}"))?)
            .map_err(|error| server.odd(&error.to_string()))?;
        if status.verdict.is_some() {
            progress.clear();
            return Ok(status);
        }
        progress.say(&match (status.test, status.tests) {
            (Some(test), Some(tests)) if tests > 0 => format!("submission {id}: test {test} of {tests}"),
            (Some(_), _) => format!("submission {id} is being judged"),
            _ => format!("submission {id} waits for its turn"),
        });
        thread::sleep(LOOK);
    }
}

fn text(status: &Status) -> String {
    let verdict = status.verdict.as_deref().unwrap_or_default();
    let long = Verdict::ALL.into_iter().find(|it| it.short() == verdict).map_or("", Verdict::long);
    let mut parts = vec![format!("{verdict}  {long}"), format!("problem {}", status.problem)];
    if let Some(score) = &status.score {
        parts.push(format!("score {}", score.as_str().map_or_else(|| score.to_string(), ToOwned::to_owned)));
    }
    parts.extend(status.cpu_ms.map(quantity::time));
    parts.extend(status.memory_bytes.map(quantity::memory));
    let mut text = parts.join(" · ");
    if !status.compile_log.is_empty() {
        text.push_str("\n\n");
        text.push_str(&status.compile_log);
    }
    text
}

fn source(file: &Path) -> Result<String, CliError> {
    let unreadable =
        |error: std::io::Error| CliError::Wrong(format!("cannot read `{}`: {error}", file.display()));
    let found = std::fs::metadata(file).map_err(unreadable)?;
    if !found.is_file() {
        return Err(CliError::Wrong(format!("`{}` is no file: give a program", file.display())));
    }
    if found.len() > MAX_SOURCE_BYTES as u64 {
        return Err(CliError::Wrong(format!(
            "`{}` has {}, more than the {} that a server takes",
            file.display(),
            quantity::memory(found.len()),
            quantity::memory(MAX_SOURCE_BYTES as u64)
        )));
    }
    let bytes = std::fs::read(file).map_err(unreadable)?;
    String::from_utf8(bytes)
        .map_err(|_| CliError::Wrong(format!("`{}` is no text in UTF-8: save it so", file.display())))
}

/// `solutions/<slug>/…` says the problem; else `A.cpp` is for problem A.
fn problem_of(file: &Path, context: &Context) -> Result<String, CliError> {
    let absolute = context.working_folder.join(file);
    let by_place = Workspace::find(&absolute).ok().and_then(|there| there.solution_problem(&absolute));
    let by_name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    by_place
        .or(by_name)
        .ok_or_else(|| CliError::Wrong("which problem is it for? give `-p PROBLEM`".to_owned()))
}
