//! The driver for Go: a file beside the source, which gets its package and the imports it lacks on its first line.

use super::token::{Kind, Token};
use super::{Callee, Param, SourceFile, Width, fill, replaced};
use crate::problem::Returns;

const DRIVER: &str = include_str!("driver/driver.go");

/// Packages that a solution may use without importing them: path and one exported name, which makes each import used.
const PACKAGES: [(&str, &str); 20] = [
    ("bufio", "NewReader"),
    ("bytes", "Equal"),
    ("cmp", "Less[int]"),
    ("container/heap", "Init"),
    ("container/list", "New"),
    ("container/ring", "New"),
    ("errors", "New"),
    ("fmt", "Sprint"),
    ("maps", "Keys[map[int]int]"),
    ("math", "Abs"),
    ("math/big", "NewInt"),
    ("math/bits", "Len"),
    ("math/rand", "Int"),
    ("os", "Exit"),
    ("slices", "Sort[[]int]"),
    ("sort", "Ints"),
    ("strconv", "Itoa"),
    ("strings", "Fields"),
    ("time", "Now"),
    ("unicode", "IsDigit"),
];

const KEEP_BOOL: &str = "func (driver *touchstoneDriver) keep(value bool) {
\tdriver.reply = touchstoneStrconv.AppendBool(append(driver.reply, '='), value)
}";
const KEEP_TEXT: &str = "func (driver *touchstoneDriver) keep(text string) {
\tdriver.reply = append(driver.reply, '=')
\tfor i := 0; i < len(text); i++ {
\t\tone := text[i]
\t\tswitch {
\t\tcase one == '\\\\':
\t\t\tdriver.reply = append(driver.reply, `\\\\`...)
\t\tcase one == '\\n':
\t\t\tdriver.reply = append(driver.reply, `\\n`...)
\t\tcase one == '\\r':
\t\t\tdriver.reply = append(driver.reply, `\\r`...)
\t\tcase one == '\\t':
\t\t\tdriver.reply = append(driver.reply, `\\t`...)
\t\tcase one < 0x20 || one == 0x7f:
\t\t\tdriver.reply = append(driver.reply, '\\\\', 'x', \"0123456789abcdef\"[one>>4], \"0123456789abcdef\"[one&15])
\t\tdefault:
\t\t\tdriver.reply = append(driver.reply, one)
\t\t}
\t}
}";

fn integer(param: &Param) -> &'static str {
    if param.width == Width::Int { "int" } else { "int64" }
}

pub(super) fn signature(callee: &Callee) -> String {
    let params = callee.each(|_, param| {
        format!("{} {}{}", param.name, if param.is_array { "[]" } else { "" }, integer(param))
    });
    format!("func {}({params}) {}", callee.name, result(&callee.returns))
}

fn result(returns: &Returns) -> &'static str {
    match returns {
        Returns::Bool => "bool",
        Returns::Int => "int",
        Returns::Long => "int64",
        Returns::Text | Returns::OneOf(_) => "string",
        Returns::IntArray => "[]int",
    }
}

pub(super) fn drive(callee: &Callee, source: &str, tokens: &[Token<'_>]) -> Vec<SourceFile> {
    let keep_int = format!(
        "func (driver *touchstoneDriver) keep(value {}) {{\n\tdriver.reply = touchstoneStrconv.AppendInt(append(driver.reply, '='), int64(value), 10)\n}}",
        result(&callee.returns)
    );
    let keep_ints = "func (driver *touchstoneDriver) keep(values []int) {\n\tdriver.reply = append(driver.reply, '=')\n\tfor i, value := range values {\n\t\tif i > 0 {\n\t\t\tdriver.reply = append(driver.reply, ' ')\n\t\t}\n\t\tdriver.reply = touchstoneStrconv.AppendInt(driver.reply, int64(value), 10)\n\t}\n}";
    let keep = match callee.returns {
        Returns::Bool => KEEP_BOOL,
        Returns::Int | Returns::Long => keep_int.as_str(),
        Returns::Text | Returns::OneOf(_) => KEEP_TEXT,
        Returns::IntArray => keep_ints,
    };
    let read: Vec<String> = callee.params.iter().enumerate().map(read_line).collect();
    let arguments = callee.each(|index, _| format!("value{index}"));
    let values =
        [("KEEP", keep), ("READ", &read.join("\n")), ("NAME", &callee.name), ("ARGUMENTS", &arguments)];
    vec![
        SourceFile { name: "main.go".to_owned(), text: fill(DRIVER, &values) },
        SourceFile { name: "solution.go".to_owned(), text: solution(source, tokens) },
    ]
}

fn read_line((index, param): (usize, &Param)) -> String {
    match (param.is_array, param.width) {
        (true, Width::Int) => format!("\t\tvalue{index} := driver.ints()"),
        (true, _) => format!("\t\tvalue{index} := driver.longs()"),
        (false, _) => format!("\t\tvalue{index} := {}(driver.integer())", integer(param)),
    }
}

/// The source in package main, with the imports it lacks. Its lines keep their numbers.
fn solution(source: &str, tokens: &[Token<'_>]) -> String {
    let clause = tokens.windows(2).find(|pair| pair[0].is("package") && pair[0].depth == 0);
    let missing: Vec<&(&str, &str)> =
        PACKAGES.iter().filter(|(path, _)| uses(tokens, path) && !imports(tokens, path)).collect();
    let imports: String = missing.iter().map(|(path, _)| format!(" import \"{path}\";")).collect();
    let mut changes: Vec<(usize, usize, String)> = Vec::new();
    match clause {
        Some(pair) => {
            changes.push((pair[1].offset, pair[1].offset + pair[1].text.len(), format!("main;{imports}")));
        }
        None => changes.push((0, 0, format!("package main;{imports} "))),
    }
    // A main of the source's own is kept out of the way.
    for pair in
        tokens.windows(2).filter(|pair| pair[0].is("func") && pair[1].is("main") && pair[0].depth == 0)
    {
        changes.push((pair[1].offset, pair[1].offset + pair[1].text.len(), "touchstoneNotMain".to_owned()));
    }
    let changes: Vec<(usize, usize, &str)> =
        changes.iter().map(|(from, to, with)| (*from, *to, with.as_str())).collect();
    let mut text = replaced(source, &changes);
    text.push('\n');
    for (path, name) in missing {
        text.extend(["var _ = ", package_name(path), ".", name, "\n"]);
    }
    text
}

fn package_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether the package's name stands before a dot, and nothing of that name is declared outside of functions.
fn uses(tokens: &[Token<'_>], path: &str) -> bool {
    let name = package_name(path);
    let is_selected = tokens.iter().enumerate().any(|(index, token)| {
        let after_dot = index > 0 && tokens[index - 1].is(".");
        token.is(name) && !after_dot && tokens.get(index + 1).is_some_and(|next| next.is("."))
    });
    let is_declared = tokens.windows(2).any(|pair| {
        let declares = ["type", "func", "var", "const"].iter().any(|word| pair[0].is(word));
        declares && pair[0].depth == 0 && pair[1].is(name)
    });
    is_selected && !is_declared
}

/// Whether the source imports a package of that name, be it this one or another.
fn imports(tokens: &[Token<'_>], path: &str) -> bool {
    let name = package_name(path);
    let mut in_import = false;
    for (index, token) in tokens.iter().enumerate() {
        if token.depth == 0 && token.starts_line && token.kind == Kind::Word {
            in_import = token.is("import");
        }
        if !in_import {
            continue;
        }
        let written = token.text.trim_matches(|one| one == '"' || one == '`');
        let has_other_name =
            index > 0 && tokens[index - 1].kind == Kind::Word && !tokens[index - 1].is("import");
        let is_this = token.kind == Kind::Text && package_name(written) == name && !has_other_name;
        // As in `import heap "example/other"`.
        let is_alias = token.is(name) && tokens.get(index + 1).is_some_and(|next| next.kind == Kind::Text);
        if is_this || is_alias {
            return true;
        }
    }
    false
}
