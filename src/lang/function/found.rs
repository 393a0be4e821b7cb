//! Says in one line which function was expected and what a source has instead. Only looks at the source and at the
//! compiler's log; never decides a verdict.

use super::token::{self, Kind, Token};
use super::{Callee, Language};
use crate::problem::{Function, InputModel};

/// How many functions a message names.
const FUNCTIONS_SHOWN: usize = 3;

/// Characters of each that it shows.
const FUNCTION_CHARS: usize = 80;

/// What the drivers call their own lines in a compiler's log.
const DRIVER_NAMES: [&str; 4] =
    ["touchstone-driver:", "TouchstoneMain.java:", "TouchstoneDriver.java:", "touchstone-driver.go:"];

/// Refuses a source that cannot hold the function, since its name or its class stands nowhere in it.
pub(super) fn require(
    language: Language,
    callee: &Callee,
    source: &str,
    tokens: &[Token<'_>],
) -> Result<(), String> {
    let has = |word: &str| tokens.iter().any(|token| token.kind == Kind::Word && token.text == word);
    let is_there = has(&callee.name)
        && match language {
            Language::Java => has("Solution"),
            Language::Python => has("Solution") || is_plain_python(tokens, &callee.name),
            _ => true,
        };
    if is_there { Ok(()) } else { Err(message(language, callee, source, tokens)) }
}

/// Whether `name` is defined or assigned outside of any class.
fn is_plain_python(tokens: &[Token<'_>], name: &str) -> bool {
    tokens.iter().enumerate().any(|(index, token)| {
        let is_defined = index > 0 && tokens[index - 1].is("def") && top_level_def(tokens, index - 1);
        let is_assigned = token.column == 0 && tokens.get(index + 1).is_some_and(|next| next.is("="));
        token.is(name) && (is_defined || is_assigned)
    })
}

fn top_level_def(tokens: &[Token<'_>], def: usize) -> bool {
    let first = if def > 0 && tokens[def - 1].is("async") { def - 1 } else { def };
    tokens[first].column == 0
}

/// The compiler's `log` in words that a submitter can make sense of: without the line that says who included the source,
/// and after a line on the expected signature when errors are in the driver's own lines.
pub fn explain(id: &str, function: &Function, model: &InputModel, source: &str, log: &str) -> String {
    let Some(language) = Language::of(id) else { return log.to_owned() };
    let last_line = source.lines().count();
    let is_ours =
        |line: &&str| line.starts_with("In file included from touchstone-driver:") && line.ends_with(':');
    let log: String = log.split_inclusive('\n').filter(|line| !is_ours(&line.trim_end())).collect();
    if !log.lines().any(|line| is_in_driver(language, line, last_line)) {
        return log;
    }
    let callee = Callee::new(language, id, function, model);
    let tokens = token::cut(source, language.family());
    format!("{}\n{log}", message(language, &callee, source, &tokens))
}

/// Whether a line of a log tells of an error in the driver, which in Rust stands after the `last_line` of the source.
fn is_in_driver(language: Language, line: &str, last_line: usize) -> bool {
    match language {
        Language::C | Language::Cpp | Language::Java => {
            line.contains("error") && DRIVER_NAMES.iter().any(|name| line.contains(name))
        }
        Language::Go => DRIVER_NAMES.iter().any(|name| line.contains(name)),
        Language::Rust => {
            // `  --> name.rs:12:34`
            let mut parts = line.trim_start().strip_prefix("--> ").unwrap_or_default().rsplit(':');
            parts.nth(1).and_then(|at| at.parse::<usize>().ok()).is_some_and(|at| at > last_line)
        }
        Language::Python | Language::JavaScript | Language::TypeScript => false,
    }
}

/// `expected: …; found: …`, on one line.
fn message(language: Language, callee: &Callee, source: &str, tokens: &[Token<'_>]) -> String {
    let found = match language {
        Language::Python => python_declares(callee, source, tokens),
        _ => declares(language, callee, source, tokens),
    };
    format!("expected: {}; found: {found}", language.signature(callee))
}

fn python_declares(callee: &Callee, source: &str, tokens: &[Token<'_>]) -> String {
    let mut classes = Vec::new();
    let mut functions = Vec::new();
    for (index, pair) in tokens.windows(2).enumerate() {
        if pair[0].is("class") && pair[0].column == 0 {
            classes.push(pair[1].text);
        }
        if pair[0].is("def") && pair[0].column <= 8 && tokens.get(index + 2).is_some_and(|next| next.is("("))
        {
            functions.push(index + 1);
        }
    }
    listed(Language::Python, callee, source, tokens, &classes, &functions)
}

fn declares(language: Language, callee: &Callee, source: &str, tokens: &[Token<'_>]) -> String {
    let depth_max = if matches!(language, Language::C | Language::Go) { 0 } else { 1 };
    let mut classes = Vec::new();
    let mut functions = Vec::new();
    for (index, token) in tokens.iter().enumerate().skip(1) {
        let before = &tokens[index - 1];
        if token.kind != Kind::Word || token.depth > depth_max {
            continue;
        }
        if token.depth == 0 && (before.is("class") || before.is("struct")) {
            classes.push(token.text);
        }
        if is_function(language, tokens, index) {
            functions.push(index);
        }
    }
    listed(language, callee, source, tokens, &classes, &functions)
}

/// Whether the word at `index` names a function that is declared there.
fn is_function(language: Language, tokens: &[Token<'_>], index: usize) -> bool {
    const NO_TYPES: [&str; 8] = ["new", "return", "else", "throw", "await", "if", "while", "for"];
    let before = &tokens[index - 1];
    let next_is = |step: usize, text: &str| tokens.get(index + step).is_some_and(|next| next.is(text));
    if !next_is(1, "(") {
        let is_value = next_is(1, "=") && (next_is(2, "function") || next_is(2, "("));
        return language.family() == token::Family::Script && is_value;
    }
    match language {
        Language::Go => before.is("func"),
        Language::Rust => before.is("fn"),
        Language::JavaScript | Language::TypeScript => {
            let has_body = close_of(tokens, index + 1)
                .and_then(|close| tokens.get(close + 1))
                .is_some_and(|after| after.is("{") || after.is(":"));
            before.is("function")
                || (tokens[index].depth == 1 && has_body && !NO_TYPES.contains(&tokens[index].text))
        }
        _ => {
            let is_type = before.kind == Kind::Word && !NO_TYPES.contains(&before.text);
            is_type || [">", "*", "&", "]"].iter().any(|mark| before.is(mark))
        }
    }
}

/// The index of the bracket that closes the one at `open`.
pub(super) fn close_of(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let depth = tokens.get(open)?.depth;
    let closes = |token: &Token<'_>| token.kind == Kind::Mark && matches!(token.text, ")" | "]" | "}");
    let inside = tokens[open + 1..].iter().position(|token| token.depth == depth && closes(token))?;
    Some(open + 1 + inside)
}

/// A function as it is declared, up to its body, on one line; `name` is the index of its name.
fn shown(language: Language, source: &str, tokens: &[Token<'_>], name: usize) -> String {
    // Where the type stands before the name.
    let has_type_before = matches!(language, Language::C | Language::Cpp | Language::Java);
    let ends = |token: &Token<'_>| {
        [";", "{", "}", "public", "private", "protected"].iter().any(|mark| token.is(mark))
    };
    let is_label = |at: usize| tokens[at].is(":") && at > 0 && ends(&tokens[at - 1]);
    let first = match (0..name).rev().find(|&at| ends(&tokens[at]) || is_label(at)) {
        _ if !has_type_before => name,
        Some(before) => before + 1,
        None => 0,
    };
    let open = (name + 1..tokens.len().min(name + 4)).find(|&at| tokens[at].is("("));
    let close = open.and_then(|open| close_of(tokens, open)).unwrap_or(name);
    let starts_body = |at: &usize| [";", "{", "=", ":"].iter().any(|mark| tokens[*at].is(mark));
    let mut last = close;
    if matches!(language, Language::Go | Language::Rust) {
        last = (close + 1..tokens.len()).find(starts_body).map_or(close, |body| body - 1);
    }
    let end = tokens[last].offset + tokens[last].text.len();
    let text = source[tokens[first].offset..end].split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(FUNCTION_CHARS) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

/// Those of the functions that bear the right name, else the class and the first few.
fn listed(
    language: Language,
    callee: &Callee,
    source: &str,
    tokens: &[Token<'_>],
    classes: &[&str],
    functions: &[usize],
) -> String {
    let has_name = |name: &&usize| tokens[**name].is(&callee.name);
    let show = |name: &usize| shown(language, source, tokens, *name);
    let class = classes.iter().find(|&&name| name == "Solution").or_else(|| classes.first());
    let named: Vec<String> = functions.iter().filter(has_name).map(show).collect();
    if !named.is_empty() && class.is_none_or(|&class| class == "Solution") {
        return named.join(", ");
    }
    let more = if functions.len() > FUNCTIONS_SHOWN { ", …" } else { "" };
    let names = functions.iter().take(FUNCTIONS_SHOWN).map(show).collect::<Vec<_>>().join(", ");
    match (class, functions.is_empty()) {
        (Some(class), true) => format!("class {class} without functions"),
        (Some(class), false) => format!("class {class} with {names}{more}"),
        (None, true) => "no function".to_owned(),
        (None, false) => format!("{names}{more}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::lang::function::{drive, explain};
    use crate::problem::{Field, Function, InputModel, IntRange, Returns, Shape};

    fn add() -> (Function, InputModel) {
        let range = IntRange { min: -9, max: 9, step: 1 };
        let field = |name: &str| Field { name: name.to_owned(), shape: Shape::Int(range) };
        let function = Function { name: "addTwo".to_owned(), names: Vec::new(), returns: Returns::Int };
        (function, InputModel { fields: vec![field("a"), field("b")], ..InputModel::default() })
    }

    #[track_caller]
    fn refused(id: &str, source: &str) -> String {
        let (function, model) = add();
        drive(id, &function, &model, source).unwrap_err()
    }

    #[test]
    fn a_source_without_the_function_is_refused_in_one_line() {
        for (id, source, message) in [
            (
                "python",
                "class Solution:\n    def addtwo(self, a,\n b): # addTwo\n        return 'addTwo'",
                "expected: class Solution with def addTwo(self, a: int, b: int) -> int; found: class Solution with addtwo(self, a, b)",
            ),
            (
                "python",
                "class Answer:\n    def addTwo(self, a, b):\n        return a + b",
                "expected: class Solution with def addTwo(self, a: int, b: int) -> int; found: class Answer with addTwo(self, a, b)",
            ),
            (
                "java",
                "class Solution { public int AddTwo(int a, int b) { return Math.abs(a) + b; } }",
                "expected: class Solution with public int addTwo(int a, int b); found: class Solution with int AddTwo(int a, int b)",
            ),
            (
                "cpp",
                "class Solution { int x; public: long long add(int a) { return a; } };",
                "expected: class Solution with public: int addTwo(int a, int b); found: class Solution with long long add(int a)",
            ),
            (
                "rust",
                "impl Solution { pub fn addTwo(a: i32, b: i32) -> i32 { a + b } }",
                "expected: impl Solution with pub fn add_two(a: i32, b: i32) -> i32; found: addTwo(a: i32, b: i32) -> i32",
            ),
            (
                "go",
                "func add(a int, b int) int { return a + b }",
                "expected: func addTwo(a int, b int) int; found: add(a int, b int) int",
            ),
            (
                "javascript",
                "const addtwo = (a, b) => a + b;",
                "expected: function addTwo(a, b); found: addtwo = (a, b)",
            ),
            (
                "typescript",
                "function add(a: number): number { return a }",
                "expected: function addTwo(a: number, b: number): number; found: add(a: number)",
            ),
            (
                "c",
                "int add(int a) { return a; }",
                "expected: int addTwo(int a, int b); found: int add(int a)",
            ),
            ("c", "", "expected: int addTwo(int a, int b); found: no function"),
        ] {
            assert_eq!(refused(id, source), message, "{id}");
        }
        assert!(refused("cobol", "").contains("no function mode for cobol"));
    }

    #[test]
    fn only_errors_in_the_drivers_lines_are_explained() {
        let (function, model) = add();
        let explained = |id: &str, source: &str, log: &str| explain(id, &function, &model, source, log);
        let source = "class Solution {\npublic:\n  string addTwo(int a) { return \"\"; }\n};\n";
        let theirs = "solution.h:2:1: error: expected `;`\n";
        assert_eq!(explained("cpp", source, theirs), theirs);
        let included = format!("In file included from touchstone-driver:2:\n{theirs}");
        assert_eq!(explained("cpp", source, &included), theirs);
        let ours = "touchstone-driver:7:3: error: no match\n";
        assert_eq!(
            explained("cpp", source, ours),
            format!(
                "expected: class Solution with public: int addTwo(int a, int b); found: string addTwo(int a)\n{ours}"
            )
        );
        let rust = "impl Solution { pub fn add_two(a: i32) -> i32 { a } }\n";
        let log = |line: usize| format!("error[E0061]: takes 1 argument\n  --> main.rs:{line}:9\n");
        assert_eq!(explained("rust", rust, &log(1)), log(1));
        assert!(explained("rust", rust, &log(2)).contains("found: add_two(a: i32) -> i32\nerror[E0061]"));
    }
}
