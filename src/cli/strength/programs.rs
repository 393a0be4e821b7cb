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

/// The language as mutants are built: what reads beside an array is a fault, though it may go well by luck.
pub(super) fn checked(language: &str) -> Result<&'static Language, CliError> {
    let found = Table::checked().language(language);
    found.ok_or_else(|| CliError::Judge(format!("no language `{language}`")))
}

/// Accepted solutions built as mutants are, where that is otherwise than submissions: one that ends under the checks
/// would have no mutant that lives.
pub(super) fn checked_originals(
    workspace: &Workspace,
    problem: &Problem,
    kept: &Kept,
) -> Result<Vec<Entrant>, CliError> {
    let accepted = kept.iter().filter(|(solution, language)| is_accepted(solution) && language.has_checks());
    let of = |(solution, language): &(KeptSolution, &'static Language)| {
        let language = checked(&language.id)?;
        let name = name(workspace, problem, solution);
        Ok(Entrant { name, path: solution.path.clone(), language, is_kept: false })
    };
    accepted.map(of).collect()
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
    let of = |(solution, language): &(KeptSolution, &'static Language)| Entrant {
        name: name(workspace, problem, solution),
        path: solution.path.clone(),
        language,
        is_kept: true,
    };
    kept.iter().filter(|(solution, _)| !is_accepted(solution)).map(of).collect()
}

/// As reports call a solution: its path below those of its problem.
fn name(workspace: &Workspace, problem: &Problem, solution: &KeptSolution) -> String {
    let folder = workspace.solutions_folder(&problem.slug);
    solution.path.strip_prefix(&folder).unwrap_or(&solution.path).display().to_string()
}
