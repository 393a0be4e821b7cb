//! The driver for TypeScript: that of JavaScript, since types are taken away and not checked.

use super::javascript;
use super::token::Token;
use super::{Callee, Param, SourceFile, Width};
use crate::problem::Returns;

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
    let text = javascript::driven(callee, &signature(callee), "solution.ts", source, tokens);
    vec![SourceFile { name: "main.cts".to_owned(), text }]
}
