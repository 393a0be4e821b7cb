//! Any two outputs under any checker: no crash, a bounded message of one line, and an output is never wrong against
//! itself; the walk in blocks and the plain reading of tokens agree.

#![no_main]

use libfuzzer_sys::fuzz_target;
use touchstone::check::{Checker, check_bytes};
use touchstone::report::diff;
use touchstone::verdict::Verdict;

const CHECKERS: [&str; 16] = [
    "tokens",
    "lines",
    "exact",
    "float:1e-6",
    "unordered",
    "wcmp",
    "lcmp",
    "fcmp",
    "ncmp",
    "rcmp6",
    "yesno",
    "kattis",
    "kattis case_sensitive space_change_sensitive",
    "kattis float_tolerance 1e-6",
    "domjudge float_tolerance 1e-6",
    "dmoj",
];

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn tokens(bytes: &[u8]) -> Vec<&[u8]> {
    // The answer's byte order mark is nothing.
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    bytes.split(is_space).filter(|token| !token.is_empty()).collect()
}

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let name = CHECKERS[usize::from(choice) % CHECKERS.len()];
    let Ok(checker) = Checker::parse(name) else { panic!("{name} is a checker") };
    // The first byte 0xFE parts the answer from the output.
    let at = rest.iter().position(|byte| *byte == 0xfe).unwrap_or(rest.len());
    let (expected, actual) = (&rest[..at], rest.get(at + 1..).unwrap_or_default());
    let checked = check_bytes(&checker, expected, actual);
    assert!(checked.message.len() < 4096 && !checked.message.contains('\n') && !checked.message.is_empty());
    let marked = actual.starts_with("\u{feff}".as_bytes());
    if !marked && matches!(name, "tokens" | "wcmp") {
        assert_eq!(checked.verdict == Verdict::Ac, tokens(expected) == tokens(actual));
    }
    if !marked {
        assert_ne!(check_bytes(&checker, actual, actual).verdict, Verdict::Wa, "{name}");
    }
    let drawn = diff::render(expected, actual, usize::from(choice), choice % 2 == 0);
    assert!(drawn.len() < 16 << 10 && drawn.lines().count() <= 16);
});
