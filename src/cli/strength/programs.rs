//! The programs that strength is measured with: accepted solutions, of which mutants are made, and kept wrong ones.
//! Reads sources, runs nothing.

use crate::cli::CliError;
use crate::lang::{self, Language, Table};
use crate::package::{KeptSolution, Workspace};
use crate::problem::Problem;
use crate::strength::{Entrant, Original};
use crate::verdict::Verdict;

/// An accepted solution is not larger; mutants of it would only cost time.
const MAX_SOURCE_BYTES: u64 = 1 << 20;

/// Kept solutions with their languages.
pub(super) type Kept = Vec<(KeptSolution, &'static Language)>;

/// All that are kept with a problem.
pub(super) fn kept(workspace: &Workspace, problem: &Problem) -> Result<Kept, CliError> {
    let solutions = workspace.solutions(&problem.slug).map_err(|error| {
        CliError::Wrong(format!("cannot read the solutions of {}: {error}", problem.slug))
    })?;
    let mut kept = Vec::new();
    for solution in solutions {
        match lang::detect(Table::built_in(), &solution.path, None) {
            Ok(language) => kept.push((solution, language)),
            Err(error) => return Err(CliError::Wrong(error.to_string())),
        }
    }
    Ok(kept)
}

fn is_accepted(solution: &KeptSolution) -> bool {
    solution.expected.contains(&Verdict::Ac)
}

/// The accepted solutions, but for those too large to be worth mutants.
pub(super) fn originals(kept: &Kept) -> Result<Vec<Original>, CliError> {
    let mut originals = Vec::new();
    for (solution, language) in kept.iter().filter(|(solution, _)| is_accepted(solution)) {
        let wrong = |error: std::io::Error| {
            CliError::Wrong(format!("cannot read `{}`: {error}", solution.path.display()))
        };
        if std::fs::metadata(&solution.path).map_err(wrong)?.len() > MAX_SOURCE_BYTES {
            continue;
        }
        let bytes = std::fs::read(&solution.path).map_err(wrong)?;
        let name = solution.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        originals.push(Original { name, language: language.id.to_string(), text });
    }
    Ok(originals)
}

/// The kept wrong programs.
pub(super) fn wrong(workspace: &Workspace, problem: &Problem, kept: &Kept) -> Vec<Entrant> {
    let folder = workspace.solutions_folder(&problem.slug);
    let of = |(solution, language): &(KeptSolution, &'static Language)| Entrant {
        name: solution.path.strip_prefix(&folder).unwrap_or(&solution.path).display().to_string(),
        path: solution.path.clone(),
        language,
    };
    kept.iter().filter(|(solution, _)| !is_accepted(solution)).map(of).collect()
}
