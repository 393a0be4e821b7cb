//! The command line: parses arguments, calls the rooms below, prints, chooses the exit status. Never decides a verdict.
//!
//! | exit | meaning |
//! |---|---|
//! | 0 | as asked |
//! | 1 | a solution was not accepted, or a check found faults |
//! | 2 | the command, a file or a problem is wrong |
//! | 3 | the judge could not do its job |

pub mod args;
pub mod context;

#[cfg(feature = "web")]
mod certificates;
pub mod check;
pub mod completions;
pub mod doctor;
pub mod generate;
pub mod grade;
mod grading;
pub mod init;
pub mod list;
#[cfg(feature = "web")]
pub mod login;
pub mod new;
#[cfg(feature = "web")]
pub mod practice;
mod quote;
#[cfg(feature = "web")]
pub mod serve;
#[cfg(feature = "web")]
mod server;
pub mod strength;
pub mod stress;
#[cfg(feature = "web")]
pub mod submit;
pub mod verify;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

pub use context::Context;

/// Generates tests from one input model, and grades programs on them in a sandbox.
#[derive(Debug, Parser)]
#[command(name = "touchstone", version, max_term_width = 100, arg_required_else_help = true)]
#[command(
    after_help = "Exit status: 0 as asked · 1 not accepted, or faults found · 2 wrong command, file or \
    problem · 3 the judge could not do its job."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Init(init::Args),
    New(new::Args),
    Check(check::Args),
    Generate(generate::Args),
    Grade(Box<grade::Args>),
    Verify(verify::Args),
    Stress(stress::Args),
    Strength(strength::Args),
    List(list::Args),
    #[cfg(feature = "web")]
    Serve(serve::Args),
    #[cfg(feature = "web")]
    Practice(practice::Args),
    #[cfg(feature = "web")]
    Login(login::Args),
    #[cfg(feature = "web")]
    Submit(submit::Args),
    Doctor(doctor::Args),
    Completions(completions::Args),
}

/// How the program ends when nothing stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitStatus {
    /// Everything as asked.
    Success = 0,
    /// A solution was not accepted, or a check found faults.
    Faults = 1,
    /// The command, a file or a problem is wrong.
    Wrong = 2,
    /// The judge could not do its job.
    JudgeFailed = 3,
}

/// What stops a command. The text says which file or argument, where, what was expected and what to do.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The command, a file or a problem is wrong: exit status 2.
    #[error("{0}")]
    Wrong(String),
    /// Mistakes in a file, already drawn with their source lines by `report::snippet`: exit status 2.
    #[error("{0}")]
    Diagnostics(String),
    /// The judge could not do its job: exit status 3.
    #[error("{0}")]
    Judge(String),
    /// Output could not be written, and not because its reader went away: exit status 3.
    #[error("cannot write the output: {0}")]
    Output(#[from] std::io::Error),
}

impl CliError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Wrong(_) | Self::Diagnostics(_) => ExitStatus::Wrong,
            Self::Judge(_) | Self::Output(_) => ExitStatus::JudgeFailed,
        }
    }
}

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    // The sandbox starts this binary again as its zygote: nothing else may happen before it.
    if args.get(1).is_some_and(|first| first == "__zygote") {
        return crate::sandbox::zygote::main();
    }
    // What `doctor` runs inside the sandbox to see it stopped.
    if args.get(1).is_some_and(|first| first == "__hostile") {
        return crate::sandbox::hostile::main(&args[2..]);
    }
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => {
            // A reader that went away is no reason to complain.
            let _ = error.print();
            return ExitCode::from(
                if error.use_stderr() { ExitStatus::Wrong } else { ExitStatus::Success } as u8
            );
        }
    };
    let context = match Context::of_process() {
        Ok(context) => context,
        Err(error) => return fail(&error),
    };
    match run(&cli.command, &context) {
        Ok(status) => ExitCode::from(status as u8),
        Err(error) => fail(&error),
    }
}

fn run(command: &Command, context: &Context) -> Result<ExitStatus, CliError> {
    match command {
        Command::Init(args) => init::run(args, context),
        Command::New(args) => new::run(args, context),
        Command::Check(args) => check::run(args, context),
        Command::Generate(args) => generate::run(args, context),
        Command::Grade(args) => grade::run(args, context),
        Command::Verify(args) => verify::run(args, context),
        Command::Stress(args) => stress::run(args, context),
        Command::Strength(args) => strength::run(args, context),
        Command::List(args) => list::run(args, context),
        #[cfg(feature = "web")]
        Command::Serve(args) => serve::run(args, context),
        #[cfg(feature = "web")]
        Command::Practice(args) => practice::run(args, context),
        #[cfg(feature = "web")]
        Command::Login(args) => login::run(args, context),
        #[cfg(feature = "web")]
        Command::Submit(args) => submit::run(args, context),
        Command::Doctor(args) => doctor::run(args, context),
        Command::Completions(args) => completions::run(args, context, &mut Cli::command()),
    }
}

fn fail(error: &CliError) -> ExitCode {
    let mut stderr = context::stderr();
    let _ = match error {
        CliError::Diagnostics(drawn) => write!(stderr, "{drawn}"),
        _ => writeln!(stderr, "{ERROR}error:{ERROR:#} {error}"),
    };
    ExitCode::from(error.status() as u8)
}

/// How the word `error:` looks on a terminal.
const ERROR: anstyle::Style = anstyle::AnsiColor::Red.on_default().bold();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_command_line_holds_together() {
        Cli::command().debug_assert();
    }
}
