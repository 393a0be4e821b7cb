//! The driver for TypeScript: that of JavaScript after the source, with types where the compiler wants them, so that a
//! wrong parameter is a compile error.

use super::javascript::{body, without_exports};
use super::token::Token;
use super::{Callee, Param, SourceFile, Width, fill};
use crate::problem::Returns;

const DRIVER: &str = include_str!("driver/driver.ts");

/// What TypeScript needs to know of the shared part, which is written without types.
const TYPES: [(&str, &str); 8] = [
    ("function line()", "function line(): any"),
    ("let got;", "let got: any;"),
    ("} catch (error) {", "} catch (error: any) {"),
    ("function list(text, of)", "function list(text: any, of: any): any"),
    ("function escaped(text)", "function escaped(text: string): string"),
    ("function (one) {\n      const plain =", "function (one: string) {\n      const plain: any ="),
    ("function other(value)", "function other(value: any): string"),
    ("let text;", "let text: any;"),
];

fn type_of(param: &Param) -> String {
    let item = if param.width == Width::Huge { "bigint" } else { "number" };
    if param.is_array { format!("{item}[]") } else { item.to_owned() }
}

pub(super) fn signature(callee: &Callee) -> String {
    let returns = match callee.returns {
        Returns::Bool => "boolean",
        Returns::Int | Returns::Long => "number",
        Returns::Text | Returns::OneOf(_) => "string",
        Returns::IntArray => "number[]",
    };
    let params = callee.each(|_, param| format!("{}: {}", param.name, type_of(param)));
    format!("function {}({params}): {returns}", callee.name)
}

pub(super) fn drive(callee: &Callee, source: &str, tokens: &[Token<'_>]) -> Vec<SourceFile> {
    let mut body =
        body(callee, tokens, |index, value| format!("{value} as {}", type_of(&callee.params[index])));
    for (untyped, typed) in TYPES {
        body = body.replace(untyped, typed);
    }
    body = body
        .replace("function integer(value)", "function integer(value: any): string | null")
        .replace("function answer(value)", "function answer(value: any): string")
        .replace("let reply =", "let reply: any =")
        .replace("Array.from(value, integer)", "Array.from(value as any, integer)")
        .replace("[null];", "[null] as any[];");
    let driver = fill(DRIVER, &[("BODY", &body)]);
    let source = without_exports(source, tokens);
    vec![SourceFile { name: "solution.ts".to_owned(), text: format!("{source}{driver}") }]
}
