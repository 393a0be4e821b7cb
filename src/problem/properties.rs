//! What holds for every text, however wrong: it is read without a panic, and every mistake stands inside the text.

use super::expr::{Expr, Number};
use super::parse;
use crate::diagnostic::Severity;
use proptest::prelude::*;

const RIGHT: &str = include_str!("../../problems/stone-game-iii/problem.toml");
const WRONG: [&str; 4] = [
    include_str!("../../tests/mistakes/cases.toml"),
    include_str!("../../tests/mistakes/conditions.toml"),
    include_str!("../../tests/mistakes/names.toml"),
    include_str!("../../tests/mistakes/settings.toml"),
];

fn holds(text: &str) -> Result<(), TestCaseError> {
    let (problem, mistakes) = parse("some-problem", text);
    let failed = mistakes.iter().any(|mistake| mistake.severity == Severity::Error);
    prop_assert_eq!(problem.is_none(), failed, "a problem, or an error that says why not");
    for label in mistakes.iter().flat_map(|mistake| &mistake.labels) {
        prop_assert!(text.get(label.span.clone()).is_some(), "{:?} outside of {:?}", label, text);
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,200}") {
        holds(&text)?;
    }

    #[test]
    fn any_soup_of_toml_is_read(parts in proptest::collection::vec(
        prop::sample::select(vec![
            "[", "]", "[[", "]]", "{", "}", "=", ",", ".", "\n", " ", "\"", "'''", "#", "1", "-9", "1e5", "true",
            "\"10^5\"", "format", "title", "en", "size", "n", "input", "name", "type", "\"array\"", "\"int\"", "len",
            "item", "min", "max", "step", "where", "that", "case", "fill", "concat", "repeat", "range", "times", "é",
        ]),
        0..80,
    )) {
        holds(&parts.concat())?;
    }

    #[test]
    fn any_change_of_a_real_problem_is_read(
        which in 0..5_usize,
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0..12_usize, "\\PC{0,3}"), 1..5),
    ) {
        let mut text: Vec<char> = WRONG.get(which).unwrap_or(&RIGHT).chars().collect();
        for (at, len, new) in cuts {
            let at = at.index(text.len() + 1);
            let end = (at + len).min(text.len());
            text.splice(at..end, new.chars());
        }
        holds(&text.into_iter().collect::<String>())?;
    }

    #[test]
    fn any_condition_is_read(text in "[ a-z0-9()+*/%<>=!.,:-]{0,60}|\\PC{0,60}") {
        let (problem, _) = parse("some-problem", RIGHT);
        let model = problem.expect("the problem is right").model;
        if let Err(error) = Expr::parse(&text, &model) {
            prop_assert!(text.get(error.span.clone()).is_some(), "{} in {:?}", error, text);
        }
        if let Ok(number) = Number::parse(&text, &["n"]) {
            let _ = number.evaluate(&[i128::MAX]);
        }
    }
}
