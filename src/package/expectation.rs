//! What a kept solution is expected to get: the verdict by its folder, the rest by a comment near its top. Reads text.
//!
//! ```text
//! touchstone: expect MLE                           this verdict, of those that the folder admits
//! touchstone: expect score=30 small=AC large=TLE|WA     points, and verdicts of subtasks
//! ```

use crate::score::Points;
use crate::verdict::Verdict;

/// What is expected besides the verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// So many points.
    pub score: Option<Points>,
    /// Some points, but not all.
    pub is_partial: bool,
    /// Of subtasks, by name, any of these verdicts.
    pub groups: Vec<(String, Vec<Verdict>)>,
    /// What was not understood, in words.
    pub faults: Vec<String>,
}

/// What begins such a comment.
const EXPECT: &str = "touchstone: expect ";
/// More are not read.
const MAX_COMMENTS: usize = 100;

/// What the comments in the beginning of a source say: any of these verdicts, if they name some, and the rest.
pub(super) fn parse(text: &str) -> (Option<Vec<Verdict>>, Expectation) {
    let (mut expected, mut expectation) = (None, Expectation::default());
    for comment in text.split(EXPECT).skip(1).take(MAX_COMMENTS) {
        let line = comment.lines().next().unwrap_or_default();
        let mut words = line.split([' ', '\t', ',']).filter(|word| !word.is_empty()).peekable();
        let mut says_something = false;
        if let Some(verdicts) = words.peek().and_then(|word| verdicts(word)) {
            expected = Some(verdicts);
            says_something = true;
            words.next();
        }
        // What has no `=` is the beginning of other words, or the end of the comment.
        for (name, value) in words.map_while(|word| word.split_once('=')) {
            says_something = true;
            let value = ended(value);
            match (Points::parse(value), verdicts(value)) {
                (Ok(score), _) if name == "score" => expectation.score = Some(score),
                (_, Some(verdicts)) => expectation.groups.push((name.to_owned(), verdicts)),
                _ => expectation.faults.push(format!(
                    "cannot read `{name}={value}` after `touchstone: expect`: expected `score=30`, or the verdict of a \
                     subtask as in `small=AC`"
                )),
            }
        }
        if !says_something {
            let word = line.split_whitespace().next().unwrap_or_default();
            expectation.faults.push(format!(
                "cannot read `{word}` after `touchstone: expect`: expected a verdict, as in `MLE`, or `score=30`"
            ));
        }
    }
    (expected, expectation)
}

/// `TLE`, or several as in `TLE|WA`, with what may end a sentence or a comment.
fn verdicts(word: &str) -> Option<Vec<Verdict>> {
    let verdict = |word: &str| Verdict::ALL.into_iter().find(|verdict| verdict.short() == word);
    ended(word).split('|').map(verdict).collect()
}

/// The word without what ends a sentence or a comment.
fn ended(word: &str) -> &str {
    word.trim_end_matches(['.', ';', ':', '*', '/', ')', '-', '>'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Ac, Mle, Tle, Wa};

    #[test]
    fn comments_say_what_is_expected() {
        let (verdicts, rest) = parse("# Fault: keeps it all. touchstone: expect MLE (a list)\n");
        assert_eq!((verdicts, rest), (Some(vec![Mle]), Expectation::default()));
        let text =
            "/* touchstone: expect TLE|WA, score=33.5 small=AC */\n// touchstone: expect large=TLE|WA.\n";
        let (verdicts, rest) = parse(text);
        assert_eq!(verdicts, Some(vec![Tle, Wa]));
        assert_eq!(rest.score, Some(Points::from_hundredths(3350)));
        let groups = [("small".to_owned(), vec![Ac]), ("large".to_owned(), vec![Tle, Wa])];
        assert_eq!((rest.groups.as_slice(), rest.faults.len()), (&groups[..], 0));
        // A subtask may be called so.
        assert_eq!(parse("touchstone: expect score=WA").1.groups, [("score".to_owned(), vec![Wa])]);
        assert_eq!(parse("int main() {}\n"), (None, Expectation::default()));
    }

    #[test]
    fn what_cannot_be_read_is_told() {
        for text in ["mle", "score", "score=much", "small=OK", "MLE small=ok", "score=33.333", ""] {
            let (_, rest) = parse(&format!("// touchstone: expect {text}\n"));
            assert_eq!(rest.faults.len(), 1, "{text}: {rest:?}");
        }
    }
}
