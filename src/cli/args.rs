//! Arguments that several commands share, as types. Parses only; opens no file.

use clap::ValueEnum;

use crate::limits::{MemoryLimit, TimeLimit};

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON document on standard output, nothing else.
    Json,
}

/// The form of the report.
#[derive(Clone, Debug, clap::Args)]
pub struct ReportArgs {
    /// How to write the report
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: Format,
}

/// How much isolation is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum IsolationChoice {
    /// Everything but the network space fresh for each run
    Strict,
    /// One set of walls for many runs, and what a run dirtied fresh
    Default,
    /// Limits only, no walls: for programs that you trust
    Plain,
}

/// What counts CPU time and memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AccountingChoice {
    /// The best that this machine gives
    #[default]
    Auto,
    /// Control groups, version 2
    Cgroup2,
    /// Control groups, version 1
    Cgroup1,
    /// Resource limits and wait4
    Rlimit,
}

/// How runs are walled off and measured.
#[derive(Clone, Debug, clap::Args)]
pub struct SandboxArgs {
    /// How far a program is walled off; the strongest walls that this machine gives when this is not said
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Sandbox")]
    pub isolation: Option<IsolationChoice>,
    /// What counts time and memory
    #[arg(long, value_enum, default_value_t, value_name = "HOW", help_heading = "Sandbox")]
    pub accounting: AccountingChoice,
}

/// The limits of a run.
#[derive(Clone, Debug, clap::Args)]
pub struct LimitArgs {
    /// CPU time of one run, as in 1s, 0.5s or 500ms, taken as it is for every language
    #[arg(long, value_name = "TIME", value_parser = TimeLimit::parse, help_heading = "Limits")]
    pub time_limit: Option<TimeLimit>,
    /// Memory of one run, as in 256MiB
    #[arg(long, value_name = "MEMORY", value_parser = MemoryLimit::parse, help_heading = "Limits")]
    pub memory_limit: Option<MemoryLimit>,
}

/// How a submission reads its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ModeChoice {
    /// A whole program: reads standard input, writes standard output
    Stdin,
    /// Only the function or class that the problem asks for
    Function,
}

/// What a submission is, where it does not say so itself.
#[derive(Clone, Debug, clap::Args)]
pub struct ProgramArgs {
    /// Language by its id (cpp, java, python …), instead of by the file's name
    #[arg(long, value_name = "LANGUAGE", help_heading = "Program")]
    pub language: Option<String>,
    /// How the program gets its input, instead of by its text
    #[arg(long, value_enum, value_name = "MODE", help_heading = "Program")]
    pub mode: Option<ModeChoice>,
}

/// How many at once.
#[derive(Clone, Debug, clap::Args)]
pub struct JobsArgs {
    /// Workers at once [default: one a core]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
}

impl JobsArgs {
    /// The number of workers, at least 1.
    pub fn count(&self, cores: usize) -> usize {
        self.jobs.map_or(cores.max(1), usize::from)
    }
}
