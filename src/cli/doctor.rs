//! `touchstone doctor`: what isolation, toolchains and timing this machine gives, and how to get more. Changes nothing.

use std::fmt::Write as _;
use std::io::Write as _;

use serde::Serialize;

use crate::cli::args::{Format, ReportArgs};
use crate::cli::{CliError, Context, ExitStatus};
use crate::lang::Toolchains;
use crate::lang::find::LanguageReport;
use crate::report::json;
use crate::sandbox::probe::{self, Machine};
use crate::sandbox::selftest::{self, Spread, Tried};
use crate::sandbox::{Accounting, Choice, Config, Sandbox, SandboxError};

/// Say what isolation, toolchains and timing this machine gives, and how to get more
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// What `doctor --format json` prints.
#[derive(Serialize)]
struct Document {
    machine: Machine,
    languages: Vec<Toolchain>,
    self_test: Vec<Tried>,
    spread: Spread,
}

#[derive(Serialize)]
struct Toolchain {
    id: String,
    name: String,
    /// The tools with versions and places; null when something is missing.
    found: Option<String>,
    /// What is missing and how to get it.
    missing: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// When no sandbox can be started, or the output cannot be written.
pub fn run(args: &Args, context: &Context) -> Result<ExitStatus, CliError> {
    let document = look(context).map_err(|error| CliError::Judge(error.to_string()))?;
    let text = match args.report.format {
        Format::Json => json::document(&document).map_err(|error| CliError::Judge(error.to_string()))?,
        Format::Text => text(&document),
    };
    context.stdout().write_all(text.as_bytes())?;
    let is_sound = document.self_test.iter().all(|tried| tried.stopped);
    Ok(if is_sound { ExitStatus::Success } else { ExitStatus::Faults })
}

fn look(context: &Context) -> Result<Document, SandboxError> {
    let config = Config {
        launcher: context.launcher.clone(),
        isolation: Choice::Strongest,
        accounting: Accounting::Auto,
    };
    let machine = probe::look(&config)?;
    let mut sandbox = Sandbox::start(&config)?;
    let self_test = selftest::misdeeds(&config, &mut sandbox)?;
    let spread = selftest::spread(&config, &mut sandbox)?;
    let languages = Toolchains::find(&context.path).report().into_iter().map(toolchain).collect();
    Ok(Document { machine, languages, self_test, spread })
}

fn toolchain(report: LanguageReport) -> Toolchain {
    let LanguageReport { id, name, toolchain } = report;
    let (found, missing) = match toolchain {
        Ok(found) => (Some(found), None),
        Err(missing) => (None, Some(missing)),
    };
    Toolchain { id, name, found, missing }
}

fn text(document: &Document) -> String {
    let mut text = String::new();
    isolation(&mut text, &document.machine);
    let _ = writeln!(text, "\nself-test: programs that misbehave");
    for tried in &document.self_test {
        let word = if tried.stopped { "stopped by" } else { "NOT STOPPED:" };
        let _ = writeln!(text, "  {:<32} {word} {}", tried.misdeed, tried.by);
    }
    let _ = writeln!(text, "\ntiming");
    let Spread { min_ms, median_ms, max_ms } = document.spread;
    let percent = if min_ms > 0.0 { (max_ms / min_ms - 1.0) * 100.0 } else { 0.0 };
    let _ = writeln!(
        text,
        "  the same work took {min_ms:.1} ms at best, {median_ms:.1} ms mostly, {max_ms:.1} ms at worst (+{percent:.0} %)"
    );
    for noise in &document.machine.noise {
        let _ = writeln!(text, "  {noise}");
    }
    let _ = writeln!(text, "\nlanguages");
    let width = document.languages.iter().map(|language| language.name.chars().count()).max().unwrap_or(0);
    for language in &document.languages {
        let state = match (&language.found, &language.missing) {
            (Some(found), _) => found.clone(),
            (None, missing) => format!("missing: {}", missing.as_deref().unwrap_or("unknown")),
        };
        let _ = writeln!(text, "  {:<width$}  {state}", language.name);
    }
    text
}

fn isolation(text: &mut String, machine: &Machine) {
    let _ = writeln!(text, "isolation (Linux {})", machine.kernel);
    let walls = &machine.isolation;
    let rows = [
        ("namespaces of its own", walls.namespaces),
        ("system calls filtered", walls.seccomp),
        ("files bounded by Landlock", walls.landlock),
        ("network blocked", walls.network_blocked),
        ("user of its own", walls.own_user),
    ];
    for (name, there) in rows {
        let _ = writeln!(text, "  {name:<32} {}", if there { "yes" } else { "no" });
    }
    let _ = writeln!(text, "  {:<32} {}", "memory bounded by", walls.memory);
    let _ = writeln!(text, "  {:<32} {}", "CPU time counted by", walls.cpu);
    if let Some(lacking) = &machine.lacking {
        let _ = writeln!(text, "  not every wall can stand: {lacking}");
    }
    for hint in &machine.hints {
        let _ = writeln!(text, "\n  {}:", hint.cause);
        for command in &hint.commands {
            let _ = writeln!(text, "    {command}");
        }
    }
}
