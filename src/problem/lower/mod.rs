//! From the tables of a `problem.toml` to a [`Problem`], with every mistake found at once. Nothing half-valid leaves
//! this room: one error, and there is no problem.

mod cases;
mod makers;
mod model;
mod rules;
mod settings;
mod subtasks;
mod value;

use super::read::{Mistakes, Table, document};
use super::{Answer, Problem};
use crate::check::Checker;
use crate::diagnostic::{Diagnostic, Severity};
use crate::input::coverage;
pub(crate) use settings::is_keyword;
#[cfg(feature = "web")]
pub(crate) use settings::is_language_code;
pub use subtasks::TestGroups;

/// The longest `problem.toml` that is read, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;
/// The largest seed: what a TOML integer holds.
const MAX_SEED: i64 = i64::MAX;

/// Reads a `problem.toml`. There is a problem when none of the diagnostics is an error.
pub fn parse(slug: &str, text: &str) -> (Option<Problem>, Vec<Diagnostic>) {
    if text.len() > MAX_TEXT_BYTES {
        let message = format!("problem.toml has {} bytes, expected {MAX_TEXT_BYTES} at most", text.len());
        return (None, vec![Diagnostic::error(message)]);
    }
    let (problem, mistakes) = document(text, |root, mistakes| {
        if let Err(mistake) = check_slug(slug) {
            mistakes.add(Diagnostic::error(mistake));
        }
        lower(slug, text, root, mistakes)
    });
    let failed = mistakes.iter().any(|mistake| mistake.severity == Severity::Error);
    (problem.filter(|_| !failed), mistakes)
}

/// Reads a file that groups the tests of these names, as it lies beside loose ones. There are groups when none of the
/// diagnostics is an error.
pub fn parse_test_groups(text: &str, tests: &[&str]) -> (Option<TestGroups>, Vec<Diagnostic>) {
    if text.len() > MAX_TEXT_BYTES {
        let message = format!("the file has {} bytes, expected {MAX_TEXT_BYTES} at most", text.len());
        return (None, vec![Diagnostic::error(message)]);
    }
    let (groups, mistakes) = document(text, |mut root, mistakes| {
        let groups = subtasks::test_groups(&mut root, tests, mistakes);
        root.finish(mistakes);
        groups
    });
    let failed = mistakes.iter().any(|mistake| mistake.severity == Severity::Error);
    ((!failed).then_some(groups), mistakes)
}

/// Whether a text can be a problem's slug.
///
/// # Errors
/// What is wrong with it, in words.
pub fn check_slug(slug: &str) -> Result<(), String> {
    const MAX_SLUG_BYTES: usize = 64;
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let sound = !slug.is_empty()
        && slug.len() <= MAX_SLUG_BYTES
        && slug.chars().all(fits)
        && !slug.starts_with('-')
        && !slug.ends_with('-')
        && !slug.contains("--");
    if sound {
        return Ok(());
    }
    Err(format!(
        "`{slug}` cannot name a problem: expected 1 to {MAX_SLUG_BYTES} lower-case letters and digits, words joined by \
         single `-`, as in `stone-game-iii`"
    ))
}

fn lower(slug: &str, source: &str, mut root: Table<'_>, mistakes: &mut Mistakes) -> Option<Problem> {
    settings::format(&mut root, mistakes);
    let titles = settings::titles(&mut root, mistakes);
    let origin = root.take("source").and_then(|item| item.some_text("a text", mistakes).map(str::to_owned));
    let seed = root.take("seed").and_then(|item| item.integer_in(0, MAX_SEED, mistakes)).unwrap_or(1);
    let limits = settings::limits(&mut root, mistakes);
    let function = settings::function(&mut root, mistakes);
    let (model, is_whole) = model::model(&mut root, source, mistakes);
    let known = is_whole.then_some(&model);
    let (samples, cases) = cases::cases(&mut root, source, known, mistakes);
    let subtasks = subtasks::subtasks(&mut root, known, mistakes);
    let rules::Ruling { checker, jury, is_interactive } = rules::rules(&mut root, mistakes);
    rules::no_function(&mut root, mistakes);
    let answer = settings::answer(&mut root, is_interactive, mistakes);
    let families = settings::families(&mut root, mistakes);
    let makers = makers::makers(&mut root, mistakes);
    // The goals of a function that could not be read are not known.
    let is_readable = function.is_some() || root.take("function").is_none();
    let goals = known.filter(|_| is_readable).map(|model| coverage::goals(model, function.as_ref()));
    let waivers = settings::waivers(&mut root, goals.as_deref(), mistakes);
    root.finish(mistakes);
    Some(Problem {
        slug: slug.to_owned(),
        titles,
        source: origin,
        seed: seed.unsigned_abs(),
        limits: limits.unwrap_or_default(),
        function,
        model,
        samples,
        cases,
        subtasks,
        families: families.unwrap_or_default(),
        makers,
        waivers,
        answer: answer.unwrap_or_else(|| Answer::Solver(String::new())),
        checker: checker.unwrap_or(Checker::Tokens),
        jury,
        selection: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Value;
    use crate::problem::{Len, Returns, Shape};

    #[test]
    fn the_first_problem_is_read_whole() {
        let text = include_str!("../../../problems/stone-game-iii/problem.toml");
        let (problem, mistakes) = parse("stone-game-iii", text);
        assert_eq!(mistakes, []);
        let problem = problem.unwrap();
        assert_eq!(problem.titles[1], ("zh".to_owned(), "石子游戏 III".to_owned()));
        assert_eq!((problem.limits.time.ms(), problem.limits.memory.bytes()), (1000, 256 << 20));
        let function = problem.function.unwrap();
        assert_eq!(function.name, "stoneGameIII");
        assert_eq!(function.returns, Returns::OneOf(["Alice", "Bob", "Tie"].map(str::to_owned).to_vec()));
        assert_eq!(problem.model.sizes[0].range.max, 50_000);
        let Shape::Array { len: Len::Size(0), item } = problem.model.fields[0].shape else {
            panic!("an array of n")
        };
        assert_eq!((item.min, item.max, item.step), (-1000, 1000, 1));
        assert_eq!(problem.answer, Answer::Solver("stone-game-iii".to_owned()));
        assert_eq!(problem.samples[1].name, "2");
        assert_eq!(problem.samples[1].input.values, [Value::Array(vec![1, 2, 3, -9])]);
        let ties = problem.cases.iter().find(|case| case.file_name() == "ties").unwrap();
        let Value::Array(values) = &ties.input.values[0] else { panic!("an array") };
        assert_eq!((values.len(), &values[49_995..]), (50_000, &[0, 1, 2, 3, 6][..]));
    }
}
