//! The programs that a problem names in its own folder: whether they are there and of a known language. Runs none.

use std::fs;
use std::ops::Range;
use std::path::Path;

use crate::diagnostic::{Diagnostic, nearest};
use crate::lang;
use crate::problem::{JuryProgram, Problem, locate};

/// What is wrong with the programs that `problem`, whose file has this text, names in its `folder`.
pub(super) fn mistakes(folder: &Path, problem: &Problem, text: &str) -> Vec<Diagnostic> {
    let jury = problem.jury.iter().flat_map(JuryProgram::all).filter_map(|jury| {
        let place = locate(text, &[jury.role.name(), "program"]);
        mistake(folder, jury.role.name(), &jury.program, place)
    });
    let makers = problem.makers.iter().enumerate().filter_map(|(index, maker)| {
        let place = locate(text, &["program", &index.to_string(), "run"]);
        mistake(folder, "generator", &maker.run, place)
    });
    jury.chain(makers).collect()
}

fn mistake(folder: &Path, role: &str, program: &str, place: Option<Range<usize>>) -> Option<Diagnostic> {
    let at = |mistake: Diagnostic, label: String| match place {
        Some(span) => mistake.at(span, label),
        None => mistake,
    };
    let path = folder.join(program);
    if !path.is_file() {
        let what = if path.exists() { "is no file" } else { "is not there" };
        let names = names(folder);
        let label = match nearest(program, names.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "expected a file in the problem's folder".to_owned(),
        };
        return Some(at(Diagnostic::error(format!("the {role} `{program}` {what}")), label));
    }
    let unknown = lang::detect(lang::Table::built_in(), &path, None).err()?;
    Some(at(Diagnostic::error(unknown.to_string()), String::new()))
}

/// What lies in the folder, for a hint.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}
