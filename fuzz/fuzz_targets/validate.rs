//! Any bytes as an input of a model with every shape there is: what is taken is exactly what would be rendered, and what
//! is refused is refused at a place inside the text.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use touchstone::input::{render, validate};
use touchstone::problem::{InputModel, parse};

const PROBLEM: &str = r#"
format = 1
title = { en = "Every shape" }
limits = { time = "1s", memory = "64MiB" }
size = { n = { min = 0, max = 6, step = 2 }, m = { min = 1, max = 1000 } }
input = [
    { name = "k", type = "int", min = -9_223_372_036_854_775_808, max = 9_223_372_036_854_775_807 },
    { name = "a", type = "array", len = "n", item = { type = "int", min = -10, max = 11, step = 3 } },
    { name = "b", type = "array", len = "n", item = { type = "int", min = 0, max = 1 } },
    { name = "pair", type = "array", len = 2, item = { type = "int", min = 1, max = 1000 } },
    { name = "c", type = "array", len = "m", item = { type = "int", min = -5, max = -5 } },
]
where = [
    { that = "n == 0 or sum(a) % 2 == k % 2" },
    { that = "all(i in 0..n: a[i] * k < 1_000_000_000_000) and pair[0] <= pair[1]" },
]
answer = { solver = "none" }
"#;

fuzz_target!(|bytes: &[u8]| {
    static MODEL: OnceLock<InputModel> = OnceLock::new();
    let model = MODEL.get_or_init(|| parse("every-shape", PROBLEM).0.expect("the problem is right").model);
    match validate(model, bytes) {
        Ok(input) => {
            let mut rendered = Vec::new();
            render(model, &input, &mut rendered);
            assert_eq!(rendered, bytes);
        }
        Err(violation) => {
            let line = bytes.split(|byte| *byte == b'\n').nth(violation.line - 1).expect("a line of the text");
            assert!((1..=line.len() + 1).contains(&violation.column));
        }
    }
});
