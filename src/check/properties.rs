//! Properties that hold for any outputs: the walk in blocks says what a plain reading of the whole texts says, blocks
//! of any size say the same, and what should be symmetric is.

use proptest::prelude::*;

use super::source::{HISTORY_BYTES, Source};
use super::{Checked, Checker, check_bytes, check_sources};
use crate::verdict::Verdict;

const CHECKERS: [&str; 14] = [
    "tokens",
    "lines",
    "exact",
    "float:1e-3",
    "unordered",
    "wcmp",
    "lcmp",
    "fcmp",
    "ncmp",
    "rcmp4",
    "kattis float_tolerance 1e-3",
    "kattis space_change_sensitive",
    "domjudge",
    "dmoj",
];

/// Texts that are often nearly the same: few different tokens, all kinds of white space.
fn text() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "1",
        "2",
        "12",
        "1.0",
        "1.0005",
        "-0",
        "0",
        "nan",
        "a",
        "A",
        "b\0",
        "é",
        "0123456789abcdef",
        "1e-5",
        "99999999999999999999",
    ]);
    let space = prop::sample::select(vec![" ", "\n", "\r\n", "  ", " \n", "\t", "\n\n", "", "\u{b}\r"]);
    prop::collection::vec((space, token), 0..12)
        .prop_flat_map(|parts| (Just(parts), prop::sample::select(vec!["", "\n", " \n\n", "\r\n"])))
        .prop_map(|(parts, end)| {
            parts.iter().map(|(space, token)| format!("{space}{token}")).collect::<String>() + end
        })
}

/// Two texts, the second often the first with a small change.
fn two_texts() -> impl Strategy<Value = (String, String)> {
    let changed =
        (text(), any::<prop::sample::Index>(), prop::sample::select(vec!["", " ", "\n", "1", "x", "\r"]))
            .prop_map(|(text, at, insert)| {
                let mut at = at.index(text.len() + 1);
                while !text.is_char_boundary(at) {
                    at -= 1;
                }
                let changed = format!("{}{insert}{}", &text[..at], &text[at..]);
                (text, changed)
            });
    prop_oneof![changed, (text(), text())]
}

fn in_blocks(checker: &Checker, expected: &str, actual: &str, block: usize, long: usize) -> Checked {
    let (mut left, mut right) = (expected.as_bytes(), actual.as_bytes());
    let source = |reader| Source::with_sizes(reader, HISTORY_BYTES + long + block, long);
    check_sources(checker, source(&mut left), source(&mut right)).unwrap()
}

/// What each rule says about whole texts, written as plainly as can be.
fn plainly(checker: &str, expected: &str, actual: &str) -> Option<bool> {
    let is_space = |character: char| character == ' ' || ('\t'..='\r').contains(&character);
    let tokens = |text: &str| -> Vec<String> {
        text.split(is_space).filter(|token| !token.is_empty()).map(str::to_owned).collect()
    };
    let trimmed = |text: &str| -> Vec<String> {
        let mut lines: Vec<String> =
            text.split('\n').map(|line| line.trim_end_matches(is_space).to_owned()).collect();
        while lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    };
    let token_lines =
        |text: &str| -> Vec<Vec<String>> { trimmed(text).iter().map(|line| tokens(line)).collect() };
    Some(match checker {
        "exact" => expected == actual,
        "tokens" | "wcmp" => tokens(expected) == tokens(actual),
        "domjudge" => tokens(&expected.to_ascii_lowercase()) == tokens(&actual.to_ascii_lowercase()),
        "lines" => trimmed(expected) == trimmed(actual),
        "lcmp" => token_lines(expected) == token_lines(actual),
        "dmoj" => {
            let full =
                |text| token_lines(text).into_iter().filter(|line| !line.is_empty()).collect::<Vec<_>>();
            full(expected) == full(actual)
        }
        "unordered" => {
            let sorted = |text| {
                let mut tokens = tokens(text);
                tokens.sort();
                tokens
            };
            sorted(expected) == sorted(actual)
        }
        "kattis space_change_sensitive" => expected.eq_ignore_ascii_case(actual),
        _ => return None,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_walk_says_what_a_plain_reading_says((expected, actual) in two_texts(), index in 0..CHECKERS.len()) {
        let name = CHECKERS[index];
        let found = check_bytes(&Checker::parse(name).unwrap(), expected.as_bytes(), actual.as_bytes());
        if let Some(same) = plainly(name, &expected, &actual) {
            prop_assert_eq!(found.verdict == Verdict::Ac, same, "{}: {:?} {:?}", name, expected, actual);
        }
        prop_assert!(found.message.len() < 1000 && !found.message.contains('\n') && !found.message.is_empty());
    }

    #[test]
    fn blocks_of_any_size_say_the_same(
        (expected, actual) in two_texts(),
        index in 0..CHECKERS.len(),
        block in 1_usize..40,
        long in 45_usize..60,
    ) {
        let checker = Checker::parse(CHECKERS[index]).unwrap();
        let whole = check_bytes(&checker, expected.as_bytes(), actual.as_bytes());
        prop_assert_eq!(in_blocks(&checker, &expected, &actual, block, long), whole);
    }

    #[test]
    fn what_follows_a_long_token_is_not_shown_with_it(gap in "[ \\n]{0,2}", long in 45_usize..56) {
        let output = format!("{gap}{}\n", "9".repeat(56));
        let checker = Checker::parse("tokens").unwrap();
        let whole = check_bytes(&checker, b"", output.as_bytes());
        prop_assert_eq!(in_blocks(&checker, "", &output, 19, long), whole);
    }

    #[test]
    fn long_tokens_are_judged_as_short_ones_are(
        (expected, actual) in two_texts(),
        index in 0..CHECKERS.len(),
        block in 1_usize..40,
        long in 1_usize..20,
    ) {
        let checker = Checker::parse(CHECKERS[index]).unwrap();
        let whole = check_bytes(&checker, expected.as_bytes(), actual.as_bytes());
        // An integer of 64 bits is never as long as a long token really is.
        prop_assume!(CHECKERS[index] != "ncmp" && !CHECKERS[index].starts_with("rcmp") && CHECKERS[index] != "unordered");
        prop_assert_eq!(in_blocks(&checker, &expected, &actual, block, long).verdict, whole.verdict);
    }

    #[test]
    fn every_text_is_like_itself_and_what_compares_text_is_symmetric((expected, actual) in two_texts(), index in 0..CHECKERS.len()) {
        let name = CHECKERS[index];
        let checker = Checker::parse(name).unwrap();
        let verdict = |left: &str, right: &str| check_bytes(&checker, left.as_bytes(), right.as_bytes()).verdict;
        prop_assert_ne!(verdict(&actual, &actual), Verdict::Wa);
        let of_text = !name.contains("float") && !name.starts_with("rcmp") && name != "ncmp" && name != "fcmp";
        if of_text {
            prop_assert_eq!(verdict(&expected, &actual), verdict(&actual, &expected));
        }
    }
}

#[test]
fn a_token_of_many_blocks_is_compared_in_constant_memory() {
    let long = "0123456789".repeat(300_000);
    for (change, verdict) in [(None, Verdict::Ac), (Some(0), Verdict::Wa), (Some(2_999_999), Verdict::Wa)] {
        let mut other = long.clone().into_bytes();
        if let Some(at) = change {
            other[at] = b'x';
        }
        let other = String::from_utf8(other).unwrap();
        for name in ["tokens", "lines", "float:1e-6", "unordered", "exact", "kattis"] {
            let checker = Checker::parse(name).unwrap();
            let found =
                check_bytes(&checker, format!("1 {long} 2\n").as_bytes(), format!("1 {other} 2").as_bytes());
            let same_bytes = name == "exact" && verdict == Verdict::Ac;
            assert_eq!(
                found.verdict,
                if same_bytes { Verdict::Wa } else { verdict },
                "{name}: {}",
                found.message
            );
        }
    }
    // As numbers they are the same.
    let (left, right) = ("1".repeat(100_000), format!("{}.0", "1".repeat(100_000)));
    let near = Checker::parse("float:1e-6").unwrap();
    assert_eq!(check_bytes(&near, left.as_bytes(), right.as_bytes()).verdict, Verdict::Ac);
    let far = format!("2{}", &left[1..]);
    assert_eq!(check_bytes(&near, left.as_bytes(), far.as_bytes()).verdict, Verdict::Wa);
}
