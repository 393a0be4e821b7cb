//! `selection.toml`: which of a problem's derived tests are made. Reads and writes its text; which tests are worth
//! keeping is decided elsewhere (`strength`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::diagnostic::{Diagnostic, Severity, nearest};
use crate::generate::plan_all;
use crate::problem::Problem;
use crate::problem::read::{Mistakes, Table, document};

/// The version of the file.
const FORMAT: i64 = 1;

/// What stands on top.
const HEADER: &str = "# Written by `touchstone strength --select`: the tests that do the killing. Tests that are not listed are not made;\n\
    # samples and cases always are. Another seed keeps the same names. Delete the file to have every derived test again.\n";

/// The text of a selection of these names.
pub fn selection_text(names: &[String]) -> String {
    let mut text = format!("{HEADER}format = {FORMAT}\ntests = [\n");
    for name in names {
        // Writing to a string cannot fail, and names hold nothing that has to be escaped.
        let _ = writeln!(text, "    \"{name}\",");
    }
    text.push_str("]\n");
    text
}

/// The names that a `selection.toml` lists, or every mistake in it.
///
/// # Errors
/// The mistakes: what is no such file, and names that no derived test of `problem` has.
pub(super) fn parse_selection(problem: &Problem, text: &str) -> Result<Vec<String>, Vec<Diagnostic>> {
    let (names, mistakes) = document(text, |root, mistakes| lower(problem, root, mistakes));
    match names.filter(|_| mistakes.iter().all(|mistake| mistake.severity < Severity::Error)) {
        Some(names) => Ok(names),
        None => Err(mistakes),
    }
}

fn lower(problem: &Problem, mut root: Table<'_>, mistakes: &mut Mistakes) -> Option<Vec<String>> {
    if let Some(format) = root.need("format", "`format = 1`") {
        format.integer_in(FORMAT, FORMAT, mistakes);
    }
    let expected = "an array of names of tests";
    let items = root.need("tests", "`tests = [\"max_random/01\"]`");
    let items = items.and_then(|item| item.elements(expected, mistakes));
    root.finish(mistakes);
    let planned = plan_all(problem);
    let derived: Vec<&str> =
        planned.iter().filter(|it| !it.family.is_by_hand()).map(|it| it.name.as_str()).collect();
    let mut named = BTreeMap::new();
    for item in items? {
        let Some(name) = item.some_text("the name of a test", mistakes) else { continue };
        if !derived.contains(&name) {
            let near = nearest(name, derived.iter().copied());
            let label = near.map_or_else(String::new, |near| format!("did you mean `{near}`?"));
            let mistake = item.mistake(format!("no derived test is named `{name}`"), label);
            mistakes.add(mistake.help("choose again: touchstone strength --select, or delete the line"));
        } else if named.insert(name.to_owned(), ()).is_some() {
            mistakes.add(item.mistake(format!("the test `{name}` is listed twice"), "again here"));
        }
    }
    // In the order of the package, whatever that of the file.
    Some(derived.into_iter().filter(|name| named.contains_key(*name)).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem() -> Problem {
        let text = include_str!("../../problems/stone-game-iii/problem.toml");
        crate::problem::parse("stone-game-iii", text).0.unwrap()
    }

    #[test]
    fn a_selection_is_read_back_in_the_order_of_the_package() {
        let names = ["edges/n=max/all_min", "max_random/01"].map(str::to_owned);
        let text = selection_text(&names);
        assert_eq!(parse_selection(&problem(), &text).unwrap(), names);
        let turned = "format = 1\ntests = [\"max_random/01\", \"edges/n=max/all_min\"]";
        assert_eq!(parse_selection(&problem(), turned).unwrap(), names);
    }

    #[test]
    fn every_mistake_has_its_place() {
        let text = "format = 2\ntest = []\ntests = [\"edges/n=max/all_mn\", \"samples/1\", 3, \"max_random/01\", \"max_random/01\"]\n";
        let mistakes = parse_selection(&problem(), text).unwrap_err();
        let drawn = crate::report::snippet::render("selection.toml", text, &mistakes, false);
        insta::assert_snapshot!(drawn);
    }
}
