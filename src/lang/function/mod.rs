//! Function mode: a driver for each language, made from the problem's model, that calls a submission's function and sends
//! its result on a descriptor of its own. Makes sources and reads replies; never compiles or runs anything.
//!
//! A wrong signature is told in one line, by this rule: when the function's name stands nowhere in the source, or the
//! compiler's errors are in the driver's own lines, it is a compile error whose log begins with that line; what only
//! shows at run time (Python, JavaScript) ends the program with that line on standard error before the first call.

mod c;
mod cpp;
mod detect;
mod found;
mod go;
mod java;
mod javascript;
mod python;
mod rust;
mod starter;
pub(crate) mod token;
mod typescript;
pub mod wire;

pub use detect::{Detection, detect, examine};
pub use found::explain;
pub use starter::starter;
pub use wire::{ReplyFault, reply, request};

use crate::problem::{Function, InputModel, IntRange, Returns, Shape};
use token::Family;

/// A file to compile. Of several the first is the program to start and the last is the submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The file's name, without folders.
    pub name: String,
    /// Its contents.
    pub text: String,
}

/// The languages that have a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    C,
    Cpp,
    Java,
    Python,
    Go,
    TypeScript,
    JavaScript,
    Rust,
}

/// The function as one language sees it.
#[derive(Clone, Debug)]
struct Callee {
    name: String,
    params: Vec<Param>,
    returns: Returns,
}

/// One parameter.
#[derive(Clone, Debug)]
struct Param {
    name: String,
    is_array: bool,
    width: Width,
}

/// How wide the integers of a parameter are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    /// They fit 32 bits.
    Int,
    /// They fit 64 bits, and a double without loss.
    Long,
    /// They fit 64 bits.
    Huge,
}

/// The largest integer up to which a double holds each one.
const DOUBLE_MAX: i64 = (1 << 53) - 1;

impl Language {
    fn of(id: &str) -> Option<Self> {
        Some(match id {
            "c" => Self::C,
            "cpp" | "c++" => Self::Cpp,
            "java" => Self::Java,
            "python" | "python3" => Self::Python,
            "go" => Self::Go,
            "typescript" => Self::TypeScript,
            "javascript" => Self::JavaScript,
            "rust" => Self::Rust,
            _ => return None,
        })
    }

    fn family(self) -> Family {
        match self {
            Self::C | Self::Cpp => Family::C,
            Self::Java => Family::Java,
            Self::Python => Family::Python,
            Self::Go => Family::Go,
            Self::TypeScript | Self::JavaScript => Family::Script,
            Self::Rust => Family::Rust,
        }
    }

    /// The function's signature as a message shows it.
    fn signature(self, callee: &Callee) -> String {
        match self {
            Self::C => c::signature(callee),
            Self::Cpp => cpp::signature(callee),
            Self::Java => java::signature(callee),
            Self::Python => python::signature(callee),
            Self::Go => go::signature(callee),
            Self::TypeScript => typescript::signature(callee),
            Self::JavaScript => javascript::signature(callee),
            Self::Rust => rust::signature(callee),
        }
    }
}

impl Width {
    fn of(range: IntRange) -> Self {
        let fits_int = i32::try_from(range.min).is_ok() && i32::try_from(range.max).is_ok();
        let fits_double = range.min >= -DOUBLE_MAX && range.max <= DOUBLE_MAX;
        if fits_int {
            Self::Int
        } else if fits_double {
            Self::Long
        } else {
            Self::Huge
        }
    }
}

impl Callee {
    fn new(language: Language, id: &str, function: &Function, model: &InputModel) -> Self {
        let params = model.fields.iter().map(|field| {
            let (is_array, range) = match field.shape {
                Shape::Int(range) => (false, range),
                Shape::Array { item, .. } => (true, item),
            };
            Param { name: field.name.clone(), is_array, width: Width::of(range) }
        });
        Self {
            name: name_in(language, id, function),
            params: params.collect(),
            returns: function.returns.clone(),
        }
    }

    /// `f(touchstone_0), f(touchstone_1)`: something for each parameter, by its index, joined with commas.
    fn each(&self, mut text: impl FnMut(usize, &Param) -> String) -> String {
        self.params.iter().enumerate().map(|(index, param)| text(index, param)).collect::<Vec<_>>().join(", ")
    }
}

/// The function's name in a language: the one that is given, else the camel-case one, in snake case for Rust.
fn name_in(language: Language, id: &str, function: &Function) -> String {
    match function.names.iter().find(|(of, _)| of == id || Language::of(of) == Some(language)) {
        Some((_, name)) => name.clone(),
        None if language == Language::Rust => snake_case(&function.name),
        None => function.name.clone(),
    }
}

/// `stone_game_iii` for `stoneGameIII`; a word of capitals stays one word.
fn snake_case(camel: &str) -> String {
    let chars: Vec<char> = camel.chars().collect();
    let mut snake = String::with_capacity(camel.len() + 4);
    for (index, &one) in chars.iter().enumerate() {
        let after_small = index > 0 && !chars[index - 1].is_uppercase() && chars[index - 1] != '_';
        let before_small = index > 0 && chars.get(index + 1).is_some_and(|next| next.is_lowercase());
        if one.is_uppercase() && (after_small || before_small) && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(one.to_lowercase());
    }
    snake
}

/// The function's signature in the language `id`, as messages and starter code show it; empty for a language without a driver.
pub fn signature(id: &str, function: &Function, model: &InputModel) -> String {
    Language::of(id)
        .map(|language| language.signature(&Callee::new(language, id, function, model)))
        .unwrap_or_default()
}

/// The files that make a program of `source`: its function, and a driver that calls it for each request.
///
/// # Errors
/// A message for the compile log, when it can be seen without compiling that the function isn't there.
pub fn drive(
    id: &str,
    function: &Function,
    model: &InputModel,
    source: &str,
) -> Result<Vec<SourceFile>, String> {
    let Some(language) = Language::of(id) else {
        return Err(format!(
            "there is no function mode for {id}: hand in a program that reads standard input"
        ));
    };
    let callee = Callee::new(language, id, function, model);
    let tokens = token::cut(source, language.family());
    found::require(language, &callee, source, &tokens)?;
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let tokens = token::cut(source, language.family());
    Ok(match language {
        Language::C => c::drive(&callee, source),
        Language::Cpp => cpp::drive(&callee, source, &tokens),
        Language::Java => java::drive(&callee, source, &tokens),
        Language::Python => python::drive(&callee, source, &tokens),
        Language::Go => go::drive(&callee, source, &tokens),
        Language::TypeScript => typescript::drive(&callee, source, &tokens),
        Language::JavaScript => javascript::drive(&callee, source, &tokens),
        Language::Rust => rust::drive(&callee, source, &tokens),
    })
}

/// `template` with each `@key@` replaced by its value.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = template.to_owned();
    for (key, value) in values {
        text = text.replace(&format!("@{key}@"), value);
    }
    text
}

/// `source` with other text in place of some ranges of bytes, which must be in order. Line breaks in them are kept.
fn replaced(source: &str, ranges: &[(usize, usize, &str)]) -> String {
    let mut text = String::with_capacity(source.len());
    let mut at = 0;
    for &(from, to, with) in ranges {
        text.push_str(&source[at..from]);
        text.push_str(with);
        text.extend(source[from..to].chars().filter(|&one| one == '\n'));
        at = to;
    }
    text.push_str(&source[at..]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Field;

    #[test]
    fn names_are_in_the_case_of_each_language() {
        for (camel, snake) in [
            ("stoneGameIII", "stone_game_iii"),
            ("winnerSquareGame", "winner_square_game"),
            ("HTTPServer", "http_server"),
            ("sum2D", "sum2_d"),
            ("already_snake", "already_snake"),
            ("f", "f"),
            ("", ""),
        ] {
            assert_eq!(snake_case(camel), snake);
        }
        let names = vec![("rust".to_owned(), "other".to_owned()), ("python".to_owned(), "named".to_owned())];
        let function = Function { name: "playGame".to_owned(), names, returns: Returns::Bool };
        let name = |id: &str| name_in(Language::of(id).unwrap(), id, &function);
        assert_eq!(
            (name("rust"), name("python3"), name("go")),
            ("other".into(), "named".into(), "playGame".into())
        );
    }

    #[test]
    fn integers_are_as_wide_as_their_bounds_ask() {
        let width = |min: i64, max: i64| Width::of(IntRange { min, max, step: 1 });
        assert_eq!(width(i64::from(i32::MIN), i64::from(i32::MAX)), Width::Int);
        assert_eq!(width(0, i64::from(i32::MAX) + 1), Width::Long);
        assert_eq!(width(-DOUBLE_MAX, DOUBLE_MAX), Width::Long);
        assert_eq!(width(-DOUBLE_MAX - 1, 0), Width::Huge);
        let field =
            |max: i64| Field { name: "x".to_owned(), shape: Shape::Int(IntRange { min: 0, max, step: 1 }) };
        let model =
            InputModel { fields: vec![field(9), field(1 << 40), field(1 << 60)], ..InputModel::default() };
        let function = Function { name: "f".to_owned(), names: Vec::new(), returns: Returns::Long };
        let signatures =
            ["cpp", "c", "java", "go", "rust", "typescript"].map(|id| signature(id, &function, &model));
        assert_eq!(
            signatures,
            [
                "class Solution with public: long long f(int x, long long x, long long x)",
                "long long f(int x, long long x, long long x)",
                "class Solution with public long f(int x, long x, long x)",
                "func f(x int, x int64, x int64) int64",
                "impl Solution with pub fn f(x: i32, x: i64, x: i64) -> i64",
                "function f(x: number, x: number, x: bigint): number",
            ]
        );
    }

    /// The submission is the last file, and what stands in its way goes without moving a line.
    #[test]
    fn a_source_keeps_its_lines() {
        let model = InputModel::default();
        let function = Function { name: "f".to_owned(), names: Vec::new(), returns: Returns::Int };
        let driven = |id: &str, source: &str| {
            let files = drive(id, &function, &model, source).unwrap();
            files.last().unwrap().text.clone()
        };
        let java = driven("java", "// a\npackage p.q; // b\nclass Solution { int f() { return 1; } }\n");
        assert!(java.starts_with("// a\npackage p.q;import java.io.*; "), "{java}");
        assert!(java.ends_with(" // b\nclass Solution { int f() { return 1; } }\n"), "{java}");
        let go = driven("go", "\n\nfunc f() int { return math.MaxInt }\nfunc main() {}\n");
        let expected = "package main; import \"math\"; \n\nfunc f() int { return math.MaxInt }\nfunc touchstoneNotMain() {}\n\nvar _ = math.Abs\n";
        assert_eq!(go, expected);
        let script = driven("javascript", "export\ndefault function f() {}\n;export { f,\n  f as g };\n");
        assert!(script.starts_with("\n function f() {}\n;\n;\n\n;(function"), "{script}");
        let rust = driven("rust", "\u{feff}#![allow(dead_code)]\nfn f() -> i32 { 1 }\nfn main() {}");
        assert!(
            rust.starts_with("#![allow(dead_code)]\nfn f() -> i32 { 1 }\nfn touchstone_not_main() {}\n"),
            "{rust}"
        );
    }
}
