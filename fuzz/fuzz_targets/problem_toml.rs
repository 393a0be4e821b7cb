//! Any text as a `problem.toml`: it is read without a panic, the mistakes stand inside the text and can be drawn, and a
//! problem comes out exactly when none of them is an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone::diagnostic::Severity;
use touchstone::input::{render, validate};
use touchstone::problem::parse;
use touchstone::report::snippet;

fuzz_target!(|text: &str| {
    let (problem, mistakes) = parse("some-problem", text);
    let failed = mistakes.iter().any(|mistake| mistake.severity == Severity::Error);
    assert_eq!(problem.is_none(), failed);
    for label in mistakes.iter().flat_map(|mistake| &mistake.labels) {
        assert!(text.get(label.span.clone()).is_some());
    }
    snippet::render("problem.toml", text, &mistakes, true);
    // Every case is an input of the model, and so the validator must take its text.
    for case in problem.iter().flat_map(|problem| problem.samples.iter().chain(&problem.cases)) {
        let model = &problem.as_ref().expect("a case has a problem").model;
        let mut rendered = Vec::new();
        render(model, &case.input, &mut rendered);
        assert_eq!(validate(model, &rendered).as_ref(), Ok(&case.input));
    }
});
