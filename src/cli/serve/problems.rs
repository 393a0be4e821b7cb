//! Problems made ready to be served: their tests generated where they are missing, statements rendered, samples and
//! code to begin with at hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cli::args::SandboxArgs;
use crate::cli::{CliError, Context, grading};
use crate::grade::Judge;
use crate::input;
use crate::lang::function::starter;
use crate::lang::{Language, Table};
use crate::package::Workspace;
use crate::problem::Problem;
use crate::solve::Answers;
use crate::statement;
use crate::web::{ServedProblem, Statement};
use crate::worker::Grounds;

/// By slug.
pub(super) type Problems = BTreeMap<String, Arc<ServedProblem>>;

/// The problems with these names.
///
/// # Errors
/// When one has mistakes, or its tests cannot be made.
pub(super) fn served(
    workspace: &Workspace,
    slugs: &[String],
    stops_at_first_failure: bool,
    judge: &Judge,
    sandbox: &SandboxArgs,
    context: &Context,
) -> Result<Problems, CliError> {
    let problems = grading::problems(workspace, slugs, context)?;
    let mut served = Problems::new();
    for problem in problems {
        let slug = problem.slug.clone();
        let ready = ready(workspace, problem, stops_at_first_failure, judge, sandbox, context)?;
        served.insert(slug, Arc::new(ready));
    }
    Ok(served)
}

/// One problem, read while the contest runs.
///
/// # Errors
/// When it has mistakes, or its tests cannot be made; nothing of it is changed then unless the tests alone could not be.
pub(super) fn again(
    workspace: &Workspace,
    slug: &str,
    stops_at_first_failure: bool,
    judge: &Judge,
    sandbox: &SandboxArgs,
    context: &Context,
) -> Result<ServedProblem, CliError> {
    let problems = grading::problems(workspace, &[slug.to_owned()], context)?;
    let problem = problems.into_iter().next();
    let problem = problem.ok_or_else(|| CliError::Wrong(format!("there is no problem `{slug}` any more")))?;
    ready(workspace, problem, stops_at_first_failure, judge, sandbox, context)
}

fn ready(
    workspace: &Workspace,
    problem: Problem,
    stops_at_first_failure: bool,
    judge: &Judge,
    sandbox: &SandboxArgs,
    context: &Context,
) -> Result<ServedProblem, CliError> {
    // The tests last: what else is wrong is found before they are replaced.
    let jury = grading::jury(workspace, &problem, judge, context)?;
    let statements = statements(workspace, &problem)?;
    let tests = grading::tests(workspace, &problem, context.cores, sandbox, context)?;
    // Without it there is just no smaller input to show.
    let answers = Answers::of(&problem, workspace.root(), &grading::runner(sandbox, context)).ok();
    Ok(ServedProblem {
        starters: starters(&problem),
        samples: samples(&problem, answers.as_ref()),
        statements,
        grounds: Arc::new(Grounds { problem, tests, jury, answers, stops_at_first_failure }),
    })
}

/// Every statement that there is, as safe markup, under the title that `problem.toml` gives it.
fn statements(workspace: &Workspace, problem: &Problem) -> Result<Vec<Statement>, CliError> {
    let folder = workspace.problem(&problem.slug);
    let unreadable = |error: std::io::Error| {
        CliError::Wrong(format!("{}: cannot read its statements: {error}", problem.slug))
    };
    let mut statements = Vec::new();
    for code in statement::languages(&folder).map_err(unreadable)? {
        let statement::Statement { title, html } =
            statement::load(&folder, &code, &problem.model).map_err(unreadable)?;
        let named = problem.titles.iter().find(|(own, _)| *own == code).map(|(_, title)| title.clone());
        let title = named.or(title).unwrap_or_else(|| problem.slug.clone());
        statements.push(Statement { code, title, html });
    }
    Ok(statements)
}

/// Code to begin with in each language that has function mode.
fn starters(problem: &Problem) -> Vec<(String, String)> {
    let Some(function) = &problem.function else { return Vec::new() };
    let code = |language: &Language| {
        let text = starter(language.driver_id(), function, &problem.model)?;
        Some((language.id.clone(), text))
    };
    Table::built_in().languages().iter().filter_map(code).collect()
}

/// Input and output of each sample, as its author gave it or as the solver says.
fn samples(problem: &Problem, answers: Option<&Answers>) -> Vec<(String, String)> {
    let shown = |case: &crate::problem::Case| {
        let mut text = Vec::new();
        input::render(&problem.model, &case.input, &mut text);
        let answer = match &case.answer {
            Some(answer) => answer.clone(),
            None => {
                let answer = answers?.answer(&case.input, &text).ok()?;
                String::from_utf8_lossy(&answer).into_owned()
            }
        };
        Some((String::from_utf8_lossy(&text).trim_end().to_owned(), answer.trim_end().to_owned()))
    };
    problem.samples.iter().filter_map(shown).collect()
}
