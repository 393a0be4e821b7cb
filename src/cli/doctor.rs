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
use crate::sandbox::selftest::{self, Timing, Tried};
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
    timing: Timing,
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
        Format::Text => text(&document, context.width),
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
        hidden: Vec::new(),
    };
    let machine = probe::look(&config)?;
    let mut sandbox = Sandbox::start(&config)?;
    let self_test = selftest::misdeeds(&config, &mut sandbox)?;
    let timing = selftest::timing(&config, &mut sandbox)?;
    let languages = Toolchains::ask(&context.path).report().into_iter().map(toolchain).collect();
    Ok(Document { machine, languages, self_test, timing })
}

fn toolchain(report: LanguageReport) -> Toolchain {
    let LanguageReport { id, name, toolchain } = report;
    let (found, missing) = match toolchain {
        Ok(found) => (Some(found), None),
        Err(missing) => (None, Some(missing)),
    };
    Toolchain { id, name, found, missing }
}

fn text(document: &Document, width: usize) -> String {
    let mut text = String::new();
    isolation(&mut text, &document.machine, width);
    let _ = writeln!(text, "\nself-test: programs that misbehave");
    for Tried { misdeed, stopped, by } in &document.self_test {
        let word = if *stopped { "stopped:" } else { "NOT STOPPED:" };
        put(&mut text, width, &format!("  {misdeed:<NAME$} "), &format!("{word} {by}"));
    }
    timing(&mut text, document, width);
    let _ = writeln!(text, "\nlanguages");
    let longest = document.languages.iter().map(|language| language.name.chars().count()).max().unwrap_or(0);
    for language in &document.languages {
        let state = match (&language.found, &language.missing) {
            (Some(found), _) => found.clone(),
            (None, missing) => format!("missing: {}", missing.as_deref().unwrap_or("unknown")),
        };
        put(&mut text, width, &format!("  {:<longest$}  ", language.name), &state);
    }
    text
}

fn timing(text: &mut String, document: &Document, width: usize) {
    let _ = writeln!(text, "\ntiming");
    let Timing { alone, cores, in_company_ms, stolen_percent } = document.timing;
    let more = |ms: f64, than: f64| if than > 0.0 { (ms / than - 1.0).max(0.0) * 100.0 } else { 0.0 };
    let said = format!(
        "the same work took {:.1} ms at best, {:.1} ms mostly (+{:.0} %), {:.1} ms at worst (+{:.0} %)",
        alone.min_ms,
        alone.median_ms,
        more(alone.median_ms, alone.min_ms),
        alone.max_ms,
        more(alone.max_ms, alone.min_ms),
    );
    put(text, width, "  ", &said);
    if cores > 1 {
        let more = more(in_company_ms, alone.median_ms);
        let said =
            format!("with {cores} at once, one on each core: {in_company_ms:.1} ms mostly (+{more:.0} %)");
        put(text, width, "  ", &said);
    }
    if stolen_percent >= 0.5 {
        let said = format!("meanwhile the host of this machine took {stolen_percent:.0} % of its time away");
        put(text, width, "  ", &said);
    }
    for noise in &document.machine.noise {
        put(text, width, "  ", noise);
    }
}

/// How wide the names of things are.
const NAME: usize = 30;

/// Words after a beginning, in as many lines as they need, each as far in as the first. A word that is too long stays whole.
fn put(text: &mut String, width: usize, begin: &str, words: &str) {
    let indent = begin.chars().count();
    let (mut line, mut len) = (begin.to_owned(), indent);
    for word in words.split(' ') {
        let wanted = word.chars().count();
        if len > indent && len + 1 + wanted > width {
            let _ = writeln!(text, "{line}");
            (line, len) = (" ".repeat(indent), indent);
        }
        if len > indent {
            line.push(' ');
            len += 1;
        }
        line.push_str(word);
        len += wanted;
    }
    let _ = writeln!(text, "{line}");
}

fn isolation(text: &mut String, machine: &Machine, width: usize) {
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
        let _ = writeln!(text, "  {name:<NAME$} {}", if there { "yes" } else { "no" });
    }
    let _ = writeln!(text, "  {:<NAME$} {}", "memory bounded by", walls.memory);
    let _ = writeln!(text, "  {:<NAME$} {}", "CPU time counted by", walls.cpu);
    if let Some(scope) = &machine.scope {
        put(text, width, &format!("  {:<NAME$} ", "control groups"), scope);
    }
    if let Some(lacking) = &machine.lacking {
        put(text, width, "  ", &format!("not every wall can stand: {lacking}"));
        put(text, width, "  ", "so a program's files lie on the disk: they are watched, not walled");
    }
    for hint in &machine.hints {
        let _ = writeln!(text);
        put(text, width, "  ", &format!("{}:", hint.cause));
        for command in &hint.commands {
            let _ = writeln!(text, "    {command}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_between_words_and_kept_in_line() {
        let mut text = String::new();
        put(&mut text, 20, "  name  ", "some words that do not fit a-word-that-is-too-long x");
        assert_eq!(
            text,
            "  name  some words\n        that do not\n        fit\n        a-word-that-is-too-long\n        x\n"
        );
        text.clear();
        put(&mut text, 20, "  name  ", "");
        assert_eq!(text, "  name  \n");
    }
}
