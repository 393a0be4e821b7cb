//! What other judges' checkers were measured to do, as a table that the presets must keep, and what people reported
//! as wrong elsewhere. Three faults of others are not kept: Kattis and DMOJ stop at a NUL, Kattis and DOMjudge read
//! hexadecimal floats, and an error of exactly the tolerance is refused by most.

use super::{Checker, check_bytes};
use crate::verdict::Verdict::{Ac, Je, Wa};

fn checked(checker: &str, expected: &str, actual: &str) -> super::Checked {
    check_bytes(&Checker::parse(checker).unwrap(), expected.as_bytes(), actual.as_bytes())
}

/// Each row: what is done, answer, output, then a letter for each column: `+` accepted, `-` wrong, `!` judge error.
fn table(columns: &[&str], rows: &[(&str, &str, &str, &str)]) {
    for (name, expected, actual, verdicts) in rows {
        assert_eq!(verdicts.len(), columns.len(), "{name}");
        for (column, verdict) in columns.iter().zip(verdicts.chars()) {
            let want = match verdict {
                '+' => Ac,
                '-' => Wa,
                _ => Je,
            };
            let found = checked(column, expected, actual);
            assert_eq!(found.verdict, want, "{name}, {column}: {}", found.message);
        }
    }
}

#[test]
fn tokens_and_white_space_as_other_judges_have_them() {
    let columns = [
        "kattis",
        "domjudge",
        "kattis case_sensitive space_change_sensitive",
        "dmoj",
        "wcmp",
        "lcmp",
        "fcmp",
        "ncmp",
        "tokens",
        "lines",
        "exact",
        "unordered",
    ];
    let answer = "1 2\n3 4\n";
    table(
        &columns,
        &[
            ("identical", answer, answer, "++++++++++++"),
            ("missing final newline", answer, "1 2\n3 4", "++-+++++++-+"),
            ("extra trailing newline", answer, "1 2\n3 4\n\n", "++-+++++++-+"),
            ("trailing space on line", answer, "1 2 \n3 4\n", "++-+++-+++-+"),
            ("leading spaces and newline", answer, "  \n1 2\n3 4\n", "++-++--++--+"),
            ("double space between tokens", answer, "1  2\n3 4\n", "++-+++-++--+"),
            ("tab for space", answer, "1\t2\n3 4\n", "++-+++-++--+"),
            ("newline for space", answer, "1\n2\n3 4\n", "++--+--++--+"),
            ("space for newline", answer, "1 2 3 4\n", "++--+--++--+"),
            ("blank line inserted", answer, "1 2\n\n3 4\n", "++-++--++--+"),
            ("CRLF", answer, "1 2\r\n3 4\r\n", "++-+++++++-+"),
            ("CRLF in the answer", "1 2\r\n3 4\r\n", answer, "++-+++++++-+"),
            ("case differs", "a Yes\n", "a YES\n", "++-----!----"),
            ("extra token", answer, "1 2\n3 4 5\n", "------------"),
            ("extra token on a line of its own", answer, "1 2\n3 4\n5\n", "------------"),
            ("missing token", answer, "1 2\n3\n", "------------"),
            ("empty for empty", "", "", "++++++++++++"),
            ("white space for empty", "", "  \n\n", "++-+++++++-+"),
            ("empty for white space", " \n", "", "++-+++++++-+"),
            ("empty for something", answer, "", "------------"),
            ("something for empty", "", "0\n", "------------"),
            ("leading zero", "1\n", "01\n", "------------"),
            ("plus sign", "1\n", "+1\n", "------------"),
            ("1.0 for 1", "1\n", "1.0\n", "------------"),
            ("minus zero for zero", "0\n", "-0\n", "------------"),
            ("NUL after", "1\n", "1\0\n", "------------"),
            ("NUL and more after", "1\n", "1\0junk\n", "------------"),
            ("other order", "1 2\n", "2 1\n", "-----------+"),
            ("glued together", "1 2 3\n", "12 3\n", "------------"),
        ],
    );
}

#[test]
fn numbers_as_other_judges_have_them() {
    let columns = ["kattis float_tolerance 1e-6", "domjudge float_tolerance 1e-6", "rcmp6", "float:1e-6"];
    table(
        &columns,
        &[
            ("absolute error 5e-7 at 1", "1.0", "1.0000005", "++++"),
            ("error 2e-6 at 1", "1.0", "1.000002", "----"),
            ("error of exactly 1e-6", "1.0", "1.000001", "++++"),
            ("relative error 5e-7 at 1e9", "1000000000", "1000000500", "++++"),
            ("5e-7 for 0", "0", "0.0000005", "++++"),
            ("1e0 for 1", "1", "1e0", "++++"),
            (".5 for 0.5", "0.5", ".5", "++++"),
            ("5. for 5", "5", "5.", "++++"),
            ("hexadecimal", "1", "0x1", "----"),
            ("nan for nan", "nan", "nan", "++!+"),
            ("NaN for nan", "nan", "-NaN", "-+!+"),
            ("nan for a number", "1", "nan", "----"),
            ("inf for inf", "inf", "inf", "++!+"),
            ("Infinity for inf", "inf", "Infinity", "-+!+"),
            ("inf for -inf", "-inf", "inf", "--!-"),
            ("a huge number for inf", "inf", "1e999", "--!-"),
            ("ABC for abc", "abc", "ABC", "++!-"),
            ("3.0 0.5 for 3 0.5", "3 0.5", "3.0 0.5", "++++"),
            ("decimal comma", "1.5", "1,5", "----"),
            ("1e400 for 1e400", "1e400", "1e400", "++++"),
            ("1d0", "1", "1d0", "----"),
            ("minus zero", "0.000000 7", "-0.000000 7.000000", "++++"),
            ("glued together", "1.0 2.0", "1.02.0", "----"),
        ],
    );
    table(
        &["kattis float_relative_tolerance 1e-6", "kattis float_absolute_tolerance 1e-6"],
        &[
            ("0.0 for 0", "0", "0.0", "++"),
            ("5e-7 for 0", "0", "5e-7", "-+"),
            ("relative error 5e-7 at 1e9", "1e9", "1000000500", "+-"),
        ],
    );
}

#[test]
fn yes_and_no() {
    table(
        &["yesno"],
        &[
            ("case", "YES\n", "yes", "+"),
            ("other", "YES\n", "No", "-"),
            ("no word", "YES\n", "Y", "-"),
            ("two words", "YES\n", "yes yes", "-"),
            ("nothing", "YES\n", "", "-"),
            ("bad answer", "maybe\n", "yes", "!"),
            ("no answer", "\n", "yes", "!"),
        ],
    );
    table(
        &["ncmp", "rcmp9"],
        &[
            ("bad answer", "1.5.1", "1", "!!"),
            ("bad answer and the same output", "x", "x", "!!"),
            ("too large", "1", "9223372036854775808", "--"),
        ],
    );
}

#[test]
fn only_jury_answers_may_begin_with_a_mark() {
    table(
        &["tokens", "lines", "float:1e-6", "unordered", "exact"],
        &[
            ("mark in the answer", "\u{feff}7 8\n", "7 8\n", "++++-"),
            ("mark in the output", "7 8\n", "\u{feff}7 8\n", "-----"),
        ],
    );
}

#[test]
fn messages_say_where_what_was_expected_and_what_was_found() {
    let says = |checker, expected, actual, message: &str| {
        assert_eq!(checked(checker, expected, actual).message, message);
    };
    says("tokens", "1 2\n3\n", "1 2 3", "3 tokens");
    says("lines", "1 2\n3\n", "1 2\n3 \n\n", "3 tokens on 2 lines");
    says("exact", "1 2\n", "1 2\n", "4 bytes");
    says("float:1e-6", "1 x 2\n", "1.0000005 x 2", "3 tokens, largest error 5.0e-7");
    says(
        "tokens",
        "7\n8\n",
        "7\n 9\n",
        "line 2, column 2: expected \"8\", found \"9\"; 1 of 2 tokens differs",
    );
    says(
        "tokens",
        "Alice",
        "alice\n",
        "line 1, column 1: expected \"Alice\", found \"alice\"; only upper and lower case differ",
    );
    says(
        "tokens",
        "1 2 3",
        "3 1 2",
        "line 1, column 1: expected \"1\", found \"3\"; the output has the same tokens in another order",
    );
    says(
        "tokens",
        "1 2 3",
        "1 5",
        "line 1, column 3: expected \"2\", found \"5\"; expected 3 tokens in all, found 2",
    );
    says(
        "tokens",
        "Tie",
        "Tie\0",
        "line 1, column 1: expected \"Tie\", found \"Tie\\0\"; NUL bytes follow the right token",
    );
    says(
        "tokens",
        "0.0 7",
        "-0.000000 7.000000",
        "line 1, column 1: expected \"0.0\", found \"-0.000000\"; as numbers they are the same or nearly so: the checker float:1e-6 would accept them",
    );
    says("tokens", "1 2 3\n", "1 2\n", "the output ends after 2 of 3 tokens (line 2): expected \"3\" next");
    says("tokens", "Alice\n", " \n", "the output is empty: expected 1 token, the first is \"Alice\"");
    says(
        "tokens",
        "1 2\n",
        "1 2\n3 4\n",
        "line 2, column 1: extra output \"3\" after all 2 tokens expected; found 4 tokens",
    );
    says("tokens", "", "x", "line 1, column 1: expected no output, found \"x\"");
    says(
        "tokens",
        "7",
        "\u{feff}7",
        "line 1, column 1: expected \"7\", found \"\\u{feff}7\"; the output begins with a byte order mark",
    );
    says(
        "lines",
        "1 1 2\n\n2 4\n",
        "1\n1\n2\n\n2 4\n",
        "line 2, column 1: white space differs before token 2: expected a space, found a line break; all 5 tokens are right, the line structure differs",
    );
    says(
        "lines",
        "1 1 2\n\n2 4\n",
        "\n1 1 2\n\n2 4\n",
        "white space differs before the first token: expected nothing, found an empty line; all 5 tokens are right, the line structure differs",
    );
    says(
        "lines",
        "1 1 2\n\n2 4\n",
        "1 1 2\n2 4\n",
        "line 2, column 1: white space differs before token 4: expected a line break and an empty line, found a line break; all 5 tokens are right, the line structure differs",
    );
    says(
        "exact",
        "a\nb\n",
        "a\nb",
        "line 2, column 2 (byte 4): the line break at the end of the output is missing",
    );
    says(
        "exact",
        "a b\n",
        "a  b\n",
        "line 1, column 3 (byte 3): white space differs: expected \"a b\\n\", found \"a  b\\n\"",
    );
    says(
        "float:1e-6",
        "1 2.5",
        "1 2.51",
        "line 1, column 3: expected \"2.5\", found \"2.51\"; the error is 4.000e-3",
    );
    says(
        "float:1e-6",
        "1 2.5",
        "1 nan",
        "line 1, column 3: expected \"2.5\", found \"nan\", which is not a number",
    );
    says(
        "ncmp",
        "x",
        "1",
        "the jury's answer is wrong at line 1, column 1: expected a 64-bit integer without plus sign or leading zeros, found \"x\"",
    );
    says("unordered", "1 2 2", "2 1 3", "line 1, column 5: \"3\" is one too many; \"2\" is missing");
    says("unordered", "1 2", "2", "\"1\" is missing; expected 2 tokens in all, found 1");
}

#[test]
fn a_line_far_down_is_named_and_the_message_stays_short() {
    let expected = "7\n".repeat(200_000);
    let actual: String = (1..=200_000).map(|line| if line == 123_457 { "123457\n" } else { "7\n" }).collect();
    for checker in ["tokens", "lines"] {
        let message = checked(checker, &expected, &actual).message;
        assert!(message.starts_with("line 123457, column 1: expected \"7\", found \"123457\""), "{message}");
        assert!(message.ends_with("1 of 200000 tokens differs"), "{message}");
    }
    let long = "ab".repeat(1_000_000);
    let message = checked("tokens", &long, &long.replacen("ba", "bb", 1)).message;
    assert!(message.len() < 400 && message.contains("the tokens part at byte 3"), "{message}");
}
