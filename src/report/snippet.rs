//! Mistakes drawn under the lines that they speak of, in the style of rustc. Draws only: which mistakes there are is
//! decided elsewhere.

use crate::diagnostic::{Diagnostic, Label, Severity};
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet, normalize_untrusted_str};
use std::fmt::Write as _;
use std::ops::Range;

/// How many mistakes of one file are drawn; more are only counted.
const MAX_DRAWN: usize = 100;
/// The widest a drawing gets, in columns; longer source lines are cut around the place.
const WIDTH: usize = 110;

/// The mistakes in `text`, in the order of the text, each ending in an empty line. `file` is how the file is called.
pub fn render(file: &str, text: &str, diagnostics: &[Diagnostic], color: bool) -> String {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    sorted.sort_by_key(|it| it.labels.first().map(|label| label.span.start));
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(WIDTH);
    let mut drawn = String::new();
    for diagnostic in sorted.iter().take(MAX_DRAWN) {
        drawn.push_str(&renderer.render(&[group(file, text, diagnostic)]));
        drawn.push_str("\n\n");
    }
    if let Some(rest) = sorted.len().checked_sub(MAX_DRAWN).filter(|rest| *rest > 0) {
        // Writing to a String cannot fail.
        let _ = write!(drawn, "and {rest} more in {}\n\n", normalize_untrusted_str(file));
    }
    drawn
}

fn group<'a>(file: &'a str, text: &'a str, diagnostic: &'a Diagnostic) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str());
    let group = if diagnostic.labels.is_empty() {
        title.element(Origin::path(file))
    } else {
        let annotations = diagnostic.labels.iter().enumerate().map(|(index, Label { span, text: label })| {
            let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(within(text, span));
            if label.is_empty() { annotation } else { annotation.label(label.as_str()) }
        });
        title.element(Snippet::source(text).path(file).annotations(annotations))
    };
    match &diagnostic.help {
        Some(help) => group.element(Level::HELP.message(normalize_untrusted_str(help))),
        None => group,
    }
}

/// The part of a span that can be underlined: on one line, between characters, inside the text.
fn within(text: &str, span: &Range<usize>) -> Range<usize> {
    let start = floor(text, span.start);
    let line_end = text[start..].find('\n').map_or(text.len(), |len| start + len);
    let end = floor(text, span.end).clamp(start, line_end);
    start..end
}

/// The nearest place between two characters, not after `at`.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_drawn_in_the_order_of_the_text() {
        let text = "time = \"1s\"\nmemroy = \"256MiB\"\n";
        let mistakes = [
            Diagnostic::error("unknown key `memroy`")
                .at(12..18, "did you mean `memory`?")
                .help("known: time, memory"),
            Diagnostic::warning("the time is short").at(7..11, ""),
            Diagnostic::error("nothing is right"),
        ];
        insta::assert_snapshot!(render("problem.toml", text, &mistakes, false), @r#"
        error: nothing is right
        --> problem.toml

        warning: the time is short
         --> problem.toml:1:8
          |
        1 | time = "1s"
          |        ^^^^

        error: unknown key `memroy`
         --> problem.toml:2:1
          |
        2 | memroy = "256MiB"
          | ^^^^^^ did you mean `memory`?
          |
          = help: known: time, memory
        "#);
    }

    #[test]
    fn spans_that_miss_the_text_are_drawn_where_they_can_be() {
        let text = "é\nsecond";
        for span in [0..1, 1..2, 0..100, 50..60, 3..3, 2..5, 9..9] {
            let drawn = render("f", text, &[Diagnostic::error("wrong").at(span.clone(), "here")], false);
            assert!(drawn.contains("error: wrong") && drawn.contains("here"), "{span:?}: {drawn}");
        }
        assert!(render("f", "", &[Diagnostic::error("wrong").at(0..0, "here")], true).contains("wrong"));
    }

    #[test]
    fn many_mistakes_are_counted_and_not_drawn() {
        let mistakes = vec![Diagnostic::error("wrong"); MAX_DRAWN + 3];
        assert!(render("f", "", &mistakes, false).ends_with("and 3 more in f\n\n"));
    }
}
