//! `strength.toml`: mutants that are no faults, each with the reason why. Reads its text; whether a reason holds is
//! found out by `agreement`.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::diagnostic::{Diagnostic, Severity, nearest};
use crate::problem::read::{Mistakes, Table, document};

/// Entries of a file at most.
const MAX_ENTRIES: usize = 1000;
/// A reason has no fewer letters: `equal` explains nothing.
const MIN_REASON: usize = 10;

/// A mutant that its setter takes for equivalent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equivalent {
    /// The mutant's id.
    pub mutant: String,
    /// Why no valid input can tell it from its original.
    pub reason: String,
    /// Where the id stands in the file.
    pub span: Range<usize>,
}

/// The entries of a `strength.toml`; `ids` are those that the problem's mutants have.
///
/// # Errors
/// Every mistake: what is no such file, ids that no mutant has, entries without a reason.
pub fn parse(text: &str, ids: &[&str]) -> Result<Vec<Equivalent>, Vec<Diagnostic>> {
    let (entries, mistakes) = document(text, |root, mistakes| lower(root, ids, mistakes));
    if mistakes.iter().any(|mistake| mistake.severity == Severity::Error) {
        Err(mistakes)
    } else {
        Ok(entries)
    }
}

fn lower(mut root: Table<'_>, ids: &[&str], mistakes: &mut Mistakes) -> Vec<Equivalent> {
    let tables = root.take("equivalent").map(|item| item.tables(MAX_ENTRIES, mistakes)).unwrap_or_default();
    root.finish(mistakes);
    let (mut found, mut first): (Vec<Equivalent>, BTreeMap<String, Range<usize>>) = <_>::default();
    for mut table in tables {
        let mutant = table
            .need("mutant", "the id that `touchstone strength` prints, as in `mutant = \"sum.cpp:3:sign\"`");
        let reason = table.need("reason", "why no valid input can tell the mutant from its original");
        let mutant =
            mutant.and_then(|item| Some((item.some_text("a mutant's id", mistakes)?.to_owned(), item)));
        let reason = reason.and_then(|item| Some((item.some_text("a reason", mistakes)?.to_owned(), item)));
        table.finish(mistakes);
        if let Some((reason, item)) = &reason
            && reason.trim().chars().count() < MIN_REASON
        {
            mistakes.add(
                item.mistake("this reason explains nothing", "say why no valid input tells the two apart"),
            );
        }
        let Some((mutant, item)) = mutant else { continue };
        if !ids.contains(&mutant.as_str()) {
            let near = nearest(&mutant, ids.iter().copied());
            let label = near.map_or_else(String::new, |near| format!("did you mean `{near}`?"));
            let mistake = item.mistake(format!("no mutant has the id `{mutant}`"), label);
            mistakes.add(mistake.help("an id names a line: it changes when the source does"));
        } else if let Some(span) = first.get(&mutant) {
            let mistake = item.mistake(format!("the mutant `{mutant}` is named twice"), "again here");
            mistakes.add(mistake.at(span.clone(), "first here"));
        } else {
            first.insert(mutant.clone(), item.span.clone());
            let reason = reason.map(|(reason, _)| reason).unwrap_or_default();
            found.push(Equivalent { mutant, reason, span: item.span });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: [&str; 2] = ["a.cpp:3:sign", "a.cpp:4:boundary"];

    #[test]
    fn entries_have_an_id_and_a_reason() {
        let text = "[[equivalent]]\nmutant = \"a.cpp:3:sign\"\nreason = \"only zero is negated here\"\n";
        let found = parse(text, &IDS).unwrap();
        assert_eq!((found[0].mutant.as_str(), &text[found[0].span.clone()]), (IDS[0], "\"a.cpp:3:sign\""));
        assert_eq!(parse("", &IDS).unwrap(), []);
    }

    #[test]
    fn every_mistake_has_its_place() {
        let text = "[[equivalent]]\nmutant = \"a.cpp:3:sgn\"\nreason = \"only zero is negated here\"\n\n\
            [[equivalent]]\nmutant = \"a.cpp:3:sign\"\nreason = \"equal\"\nwhy = \"\"\n\n\
            [[equivalent]]\nmutant = \"a.cpp:3:sign\"\n\n[waive]\n";
        let mistakes = parse(text, &IDS).unwrap_err();
        insta::assert_snapshot!(crate::report::snippet::render("strength.toml", text, &mistakes, false));
    }
}
