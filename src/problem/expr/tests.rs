//! What conditions mean, and what is said of those that mean nothing.

use super::*;
use crate::problem::{Field, IntRange, Len, Size};

fn model() -> InputModel {
    let range = IntRange { min: -1000, max: 1000, step: 1 };
    let array =
        |name: &str| Field { name: name.to_owned(), shape: Shape::Array { len: Len::Size(0), item: range } };
    InputModel {
        sizes: vec![Size { name: "n".to_owned(), range: IntRange { min: 0, max: 9, step: 1 } }],
        fields: vec![Field { name: "k".to_owned(), shape: Shape::Int(range) }, array("a"), array("b")],
        wheres: Vec::new(),
    }
}

fn input() -> Input {
    let array = |items: &[i64]| Value::Array(items.to_vec());
    Input { values: vec![Value::Int(7), array(&[1, 2, 2, -5]), array(&[-3, 0, 4, 9])] }
}

fn value(text: &str) -> Result<bool, EvalError> {
    Expr::parse(text, &model()).unwrap_or_else(|error| panic!("{text}: {error}")).holds(&model(), &input())
}

#[test]
fn conditions_mean_what_they_say() {
    let truths = [
        "n == 4 and k == 7",
        "len(a) == n",
        "sum(a) == 0 and sum(b) == 10",
        "min(a) == -5 and max(b) == 9",
        "min(k, n) == 4 and max(k, n, 100) == 100 and min(3) == 3",
        "count(a, 2) == 2 and count(a, 1 + 2) == 0",
        "not distinct(a) and distinct(b)",
        "sorted(b) and not sorted(a)",
        "a[0] == 1 and a[n - 1] == -5 and a[b[1]] == 1",
        "all(i in 0..n: a[i] >= -5)",
        "not all(i in 0..n: a[i] > 0)",
        "any(i in 0..n: b[i] == 0) and not any(i in 0..n: b[i] == 1)",
        "count(i in 0..n: a[i] > 0) == 3",
        "sum(i in 0..n: i * i) == 14",
        "all(i in 0..n: any(j in 0..n: a[i] != a[j]))",
        "sum(i in 0..3: sum(j in 0..i: j)) == 1",
        "all(i in 5..2: false) and not any(i in 5..5: true)",
        "-7 / 2 == -4 and -7 % 2 == 1 and 7 / -2 == -4 and 7 % -2 == -1 and -8 / 2 == -4 and -8 % 2 == 0",
        "1 + 2 * 3 == 7 and (1 + 2) * 3 == 9 and 10 - 2 - 3 == 5 and 2 - -3 == 5",
        "1_000 == 1000 and 3 >= 3 and 3 <= 3 and 3 != 4 and 4 > 3",
        "true or 1 / 0 == 1",
        "not (false and 1 / 0 == 1)",
        "false and false or true",
        "not false and true",
    ];
    for text in truths {
        assert_eq!(value(text), Ok(true), "{text}");
    }
}

#[test]
fn a_value_can_fail_only_in_named_ways() {
    let max = i128::MAX;
    assert_eq!(value(&format!("{max} + 1 > 0")), Err(EvalError::Overflow));
    assert_eq!(value(&format!("(-{max} - 1) / -1 > 0")), Err(EvalError::Overflow));
    assert_eq!(value(&format!("(-{max} - 1) % -1 == 0")), Ok(true));
    assert_eq!(value(&format!("-(-{max} - 1) > 0")), Err(EvalError::Overflow));
    assert_eq!(value(&format!("sum(i in 0..3: {max}) > 0")), Err(EvalError::Overflow));
    assert_eq!(value("1 / 0 == 0"), Err(EvalError::DivisionByZero));
    assert_eq!(value("1 % (n - 4) == 0"), Err(EvalError::DivisionByZero));
    assert_eq!(value("a[4] == 0"), Err(EvalError::Index { index: 4, len: 4 }));
    assert_eq!(value("a[-1] == 0"), Err(EvalError::Index { index: -1, len: 4 }));
    assert_eq!(value("all(i in 0..10_000_000: all(j in 0..10_000_000: i >= 0))"), Err(EvalError::TooLong));
    let empty = Input { values: vec![Value::Int(0), Value::Array(vec![]), Value::Array(vec![])] };
    let least = Expr::parse("min(a) == 0", &model()).unwrap();
    assert_eq!(least.holds(&model(), &empty), Err(EvalError::Empty));
}

#[test]
fn mistakes_are_named_with_their_column() {
    let mistakes = [
        ("", "column 1: expected a number, a name or `(`, found the end"),
        ("sum(a) % 2", "column 1: expected a condition, found an integer"),
        ("sum(a) = 2", "column 8: expected a comparison, found `=`"),
        ("a", "column 1: expected a condition, found an array"),
        ("a > 3", "column 1: expected an integer before `>`, found the array `a`"),
        ("n > 3 && k > 3", "column 7: `&&` means nothing here"),
        ("!(n > 3)", "column 1: `!` means nothing here"),
        ("n ^ 2 > 3", "column 3: `^` means nothing here"),
        ("0 < n < 5", "column 7: comparisons cannot be chained"),
        ("m > 3", "column 1: unknown name `m`"),
        ("lenn(a) > 3", "column 1: unknown function `lenn`"),
        ("len(n) > 3", "column 5: expected an array in `len`, found an integer"),
        ("k[0] > 3", "column 1: expected an array before `[`, found an integer"),
        ("a[0 > 3", "column 3: expected an integer as index, found a condition"),
        ("a[0 == 3", "column 3: expected an integer as index, found a condition"),
        ("a[0", "column 4: expected `]` after the index, found the end"),
        ("(n > 3", "column 7: expected `)` to close the parenthesis, found the end"),
        ("n > 3 k", "column 7: expected an operator or the end, found `k`"),
        ("not n", "column 5: expected a condition after `not`, found an integer"),
        ("n and true", "column 1: expected a condition before `and`, found an integer"),
        ("1 + (n > 3) > 2", "column 5: expected an integer after `+`, found a condition"),
        ("all(a)", "column 1: `all` needs a variable and its range"),
        ("all(i in 0..n, a[i] > 0)", "column 14: expected `:` after the range, found `,`"),
        ("all(k in 0..n: true)", "column 5: `k` is already the name of something"),
        ("len(i in 0..n: i) > 0", "column 1: `len` takes no range"),
        ("count(a) > 0", "column 8: expected `,` and then the value to count, found `)`"),
        ("i > 0 and all(i in 0..n: true)", "column 1: unknown name `i`"),
        ("n > 999999999999999999999999999999999999999999", "column 5: the number does not fit in 128 bits"),
        ("n > 3 é", "column 7: `é` means nothing here"),
    ];
    for (text, message) in mistakes {
        let error = Expr::parse(text, &model()).expect_err(text);
        assert_eq!(error.to_string(), message, "{text}");
    }
    let deep = format!("{}true{}", "(".repeat(100), ")".repeat(100));
    assert!(Expr::parse(&deep, &model()).unwrap_err().message.contains("nested"));
    let long = "n ".repeat(MAX_TEXT_BYTES);
    assert!(Expr::parse(&long, &model()).unwrap_err().message.contains("2000 at most"));
}

#[test]
fn what_to_do_is_said_with_it() {
    let help = |text: &str| Expr::parse(text, &model()).unwrap_err().help.unwrap_or_default();
    assert_eq!(help("sum(a) = 2"), "write `==`");
    assert_eq!(help("lenn(a) > 3"), "did you mean `len`?");
    assert_eq!(help("a == 3"), "take one value, `a[0]`, or `len(a)`, `sum(a)`");
    assert_eq!(help("all(i in 0..n: a[ii] > 0)"), "did you mean `i`?");
}

#[test]
fn numbers_read_named_integers() {
    let number = Number::parse("n - 2 * k", &["n", "k"]).unwrap();
    assert_eq!(number.evaluate(&[10, 3]), Ok(4));
    assert_eq!(Number::parse("n - m", &["n"]).unwrap_err().span, 4..5);
}

#[test]
fn the_first_field_named_is_known() {
    let first = |text: &str| Expr::parse(text, &model()).unwrap().first_field();
    assert_eq!(first("n > 0 and sum(b) > sum(a)"), Some(2));
    assert_eq!(first("n > 0"), None);
}
