//! The driver for C++: our part before the source, where its macros don't reach, then the source, then a short main.

use super::token::Token;
use super::{Callee, Param, SourceFile, Width, fill};
use crate::problem::Returns;

const BEFORE: &str = include_str!("driver/before.cpp");
const AFTER: &str = include_str!("driver/after.cpp");

fn integer(param: &Param) -> &'static str {
    if param.width == Width::Int { "int" } else { "long long" }
}

pub(super) fn signature(callee: &Callee) -> String {
    let returns = match callee.returns {
        Returns::Bool => "bool",
        Returns::Int => "int",
        Returns::Long => "long long",
        Returns::Text | Returns::OneOf(_) => "string",
        Returns::IntArray => "vector<int>",
    };
    let params = callee.each(|_, param| match param.is_array {
        true => format!("vector<{}>& {}", integer(param), param.name),
        false => format!("{} {}", integer(param), param.name),
    });
    format!("class Solution with public: {returns} {}({params})", callee.name)
}

pub(super) fn drive(callee: &Callee, source: &str, tokens: &[Token<'_>]) -> Vec<SourceFile> {
    let read = callee.params.iter().enumerate().map(|(index, param)| {
        let read = if param.is_array { "array" } else { "integer" };
        format!("        auto touchstone_{index} = touchstone::{read}<{}>();", integer(param))
    });
    let read: Vec<String> = read.collect();
    let keep = match callee.returns {
        Returns::Bool => "keep_bool",
        Returns::Int | Returns::Long => "keep_int",
        Returns::Text | Returns::OneOf(_) => "keep_text",
        Returns::IntArray => "keep_ints",
    };
    let arguments = callee.each(|index, _| format!("touchstone_{index}"));
    let name = &callee.name;
    // A plain function is taken too.
    let call = if tokens.iter().any(|token| token.is("Solution")) {
        format!(
            "            auto touchstone_solution = touchstone::fresh<Solution>();\n            \
             touchstone::{keep}(touchstone_solution->{name}({arguments}));"
        )
    } else {
        format!("            touchstone::{keep}({name}({arguments}));")
    };
    let after = fill(AFTER, &[("READ", &read.join("\n")), ("CALL", &call)]);
    // A main of the source's own is kept out of the way.
    let include = "#define main touchstone_not_main\n#include \"solution.h\"\n";
    // In a file of its own, so that messages show its lines.
    vec![
        SourceFile { name: "main.cpp".to_owned(), text: format!("{BEFORE}{include}{after}") },
        SourceFile { name: "solution.h".to_owned(), text: source.to_owned() },
    ]
}
