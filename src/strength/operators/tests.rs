//! Every change to three small programs, as text: what the operators do and do not touch.

use std::fmt::Write as _;

use super::*;
use crate::strength::lexer::Dialect;

/// Each mutation on a line: its operator, its line, and the line as it becomes.
fn shown(source: &str, dialect: Dialect) -> String {
    let outline = Outline::new(source, dialect);
    let mut text = String::new();
    for mutation in mutations(&outline) {
        let mutant = mutation.apply(source);
        let changed = source.lines().zip(mutant.lines()).filter(|(old, new)| old != new);
        let lines: Vec<&str> = changed.map(|(_, new)| new.trim()).collect();
        writeln!(text, "{:10} {:2} {}", mutation.operator.name(), mutation.line, lines.join(" ⏎ ")).unwrap();
    }
    text
}

#[test]
fn changes_to_a_program_in_cpp() {
    let source = "#include <vector> // 1 < 2\nclass Solution {\n    vector<optional<int>> known;\n    int lead(int from) {\n        \
        if (known[from] && from != -1) return *known[from];\n        int best = INT_MIN;\n        \
        for (int next = from + 1; next <= min<int>(from + 3, n); ++next) {\n            int taken = 0;\n            \
        taken += piles[next - 1];\n            best = max(best, taken - lead(next));\n            if (!best) break;\n        }\n        \
        known.assign(n + 1, nullopt);\n        return best > 0 ? \"Alice\" : \"Bob\";\n    }\n};\n";
    insta::assert_snapshot!(shown(source, Dialect::Cpp));
}

#[test]
fn changes_to_a_program_in_python() {
    let source = "import sys  # a < b\nsys.setrecursionlimit(10_000)\ndef f(piles):\n    n = len(piles)\n    known = [None] * (n + 1)\n    \
        for i in reversed(range(1, n)):\n        best = -inf\n        best = 0\n        if i % 2 == 0 and not known[i]:\n            \
        continue\n        if known[i] is not None:\n            best = max(best, -piles[i + 1])\n        known[i] = best\n    \
        return \"Yes\" if known[0] > 1000 else \"No\"\n";
    insta::assert_snapshot!(shown(source, Dialect::Python));
}

#[test]
fn changes_to_a_program_in_rust() {
    let source = "use std::io::Read;\nimpl Solution {\n    pub fn f(piles: Vec<i32>) -> i32 {\n        let n = piles.len();\n        \
        let mut lead = vec![0i64; n + 1];\n        for i in (0..n).rev() {\n            let mut best = i64::MIN;\n            \
        for j in i + 1..=n.min(i + 3) {\n                best = best.max(piles[j - 1] as i64 - lead[j]);\n            }\n            \
        if best < 0 && !flag { lead[i] = best; } else { lead.x.0 = 1; }\n        }\n        lead[0] as i32\n    }\n}\n";
    insta::assert_snapshot!(shown(source, Dialect::Rust));
}

#[test]
fn every_operator_has_a_name_of_its_own() {
    let mut names: Vec<&str> = Operator::ALL.iter().map(|operator| operator.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Operator::ALL.len());
    assert!(Operator::ALL.is_sorted());
}
