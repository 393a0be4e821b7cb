//! The command that repeats one test of one submission, to be copied from the report. Says nothing that is not needed.

use std::ffi::OsStr;
use std::path::Path;

use clap::ValueEnum as _;

use crate::cli::grade::Args;
use crate::cli::quote;

/// The command for `test` of `solution` on the problem `slug` or the loose files of `args`.
pub(crate) fn command(args: &Args, solution: &Path, slug: Option<&str>, test: &str) -> String {
    let mut words = vec!["touchstone".to_owned(), "grade".to_owned(), quote::path(solution)];
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    if let Some(folder) = &args.tests {
        option("--tests", quote::path(folder));
    } else if let Some(slug) = slug {
        option("-p", quote::word(OsStr::new(slug)));
    }
    let name = quote::word(OsStr::new(test));
    // A name may look like an option.
    if test.starts_with('-') {
        words.push(format!("--test={name}"));
    } else {
        words.extend(["--test".to_owned(), name]);
    }
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    if let Some(limit) = args.limits.time_limit {
        option("--time-limit", limit.to_string());
    }
    if let Some(limit) = args.limits.memory_limit {
        option("--memory-limit", limit.to_string());
    }
    if let Some(checker) = &args.checker {
        option("--checker", quote::word(OsStr::new(&checker.to_string())));
    }
    if let Some(interactor) = &args.interactor {
        option("--interactor", quote::word(OsStr::new(&interactor.to_string())));
    }
    if let Some(language) = &args.program.language {
        option("--language", quote::word(OsStr::new(language)));
    }
    if let Some(mode) = args.program.mode.and_then(|mode| mode.to_possible_value()) {
        option("--mode", mode.get_name().to_owned());
    }
    if let Some(isolation) = args.sandbox.isolation
        && let Some(isolation) = isolation.to_possible_value()
    {
        option("--isolation", isolation.get_name().to_owned());
    }
    words.join(" ")
}
