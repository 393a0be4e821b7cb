//! The driver for Rust: a module after the source, which sees its private items and leaves its lines as they are.

use super::token::{Kind, Token};
use super::{Callee, Param, SourceFile, Width, fill, replaced, snake_case};
use crate::problem::Returns;

const DRIVER: &str = include_str!("driver/driver.rs.txt");

const KEEP_BOOL: &str = "    impl Keep for bool {
        fn keep(self, reply: &mut String) {
            reply.push_str(if self { \"=true\" } else { \"=false\" });
        }
    }";
const KEEP_TEXT: &str = "    impl Keep for &str {
        fn keep(self, reply: &mut String) {
            reply.push('=');
            for one in self.chars() {
                match one {
                    '\\\\' => reply.push_str(\"\\\\\\\\\"),
                    '\\n' => reply.push_str(\"\\\\n\"),
                    '\\r' => reply.push_str(\"\\\\r\"),
                    '\\t' => reply.push_str(\"\\\\t\"),
                    '\\0'..='\\x1f' | '\\x7f' => reply.push_str(&::std::format!(\"\\\\x{:02x}\", one as u32)),
                    _ => reply.push(one),
                }
            }
        }
    }

    impl Keep for String {
        fn keep(self, reply: &mut String) {
            self.as_str().keep(reply);
        }
    }";

fn integer(param: &Param) -> &'static str {
    if param.width == Width::Int { "i32" } else { "i64" }
}

fn type_of(param: &Param) -> String {
    if param.is_array { format!("Vec<{}>", integer(param)) } else { integer(param).to_owned() }
}

fn result(returns: &Returns) -> &'static str {
    match returns {
        Returns::Bool => "bool",
        Returns::Int => "i32",
        Returns::Long => "i64",
        Returns::Text | Returns::OneOf(_) => "String",
        Returns::IntArray => "Vec<i32>",
    }
}

pub(super) fn signature(callee: &Callee) -> String {
    let params = callee.each(|_, param| format!("{}: {}", snake_case(&param.name), type_of(param)));
    format!("impl Solution with pub fn {}({params}) -> {}", callee.name, result(&callee.returns))
}

pub(super) fn drive(callee: &Callee, source: &str, tokens: &[Token<'_>]) -> Vec<SourceFile> {
    let keep_int = |types: &[&str]| {
        let impls = types.iter().map(|type_| {
            format!("    impl Keep for {type_} {{\n        fn keep(self, reply: &mut String) {{\n            reply.push('=');\n            reply.push_str(&self.to_string());\n        }}\n    }}")
        });
        impls.collect::<Vec<_>>().join("\n\n")
    };
    let keep = match callee.returns {
        Returns::Bool => KEEP_BOOL.to_owned(),
        Returns::Int => keep_int(&["i32"]),
        Returns::Long => keep_int(&["i64"]),
        Returns::Text | Returns::OneOf(_) => KEEP_TEXT.to_owned(),
        Returns::IntArray => "    impl<T: ::std::string::ToString> Keep for Vec<T> {\n        fn keep(self, reply: &mut String) {\n            let texts: Vec<String> = self.iter().map(|value| value.to_string()).collect();\n            reply.push('=');\n            reply.push_str(&texts.join(\" \"));\n        }\n    }".to_owned(),
    };
    let read = callee.params.iter().enumerate().map(|(index, param)| {
        let type_ = integer(param);
        if param.is_array {
            format!("                let value{index} = self.array(|value| value as {type_});")
        } else {
            format!("                let value{index} = self.integer() as {type_};")
        }
    });
    let read: Vec<String> = read.collect();
    let has = |word: &str| tokens.iter().any(|token| token.is(word));
    // A plain function is taken too.
    let callee_path =
        if has("Solution") { format!("Solution::{}", callee.name) } else { callee.name.clone() };
    let arguments = callee.each(|index, _| format!("value{index}"));
    let values = [
        ("KEEP", keep.as_str()),
        ("READ", &read.join("\n")),
        ("CALLEE", &callee_path),
        ("ARGUMENTS", &arguments),
    ];
    let mut text = without_main(source, tokens);
    text.push('\n');
    if has("Solution") && !defines_solution(tokens) {
        text.push_str("#[allow(dead_code)]\nstruct Solution;\n");
    }
    // A source that imports whole modules could see a name twice.
    if !has_glob(tokens) {
        text.push_str("#[allow(unused_imports)]\nuse ::std::{cell::*, cmp::*, collections::*, rc::*};\n");
    }
    text.push_str(&fill(DRIVER, &values));
    vec![SourceFile { name: "main.rs".to_owned(), text }]
}

/// The source with its own main, if it has one, kept out of the way.
fn without_main(source: &str, tokens: &[Token<'_>]) -> String {
    let mains: Vec<(usize, usize, &str)> = tokens
        .windows(2)
        .filter(|pair| pair[0].is("fn") && pair[1].is("main") && pair[0].depth == 0)
        .map(|pair| (pair[1].offset, pair[1].offset + pair[1].text.len(), "touchstone_not_main"))
        .collect();
    replaced(source, &mains)
}

fn defines_solution(tokens: &[Token<'_>]) -> bool {
    tokens
        .windows(2)
        .any(|pair| ["struct", "enum", "type"].iter().any(|word| pair[0].is(word)) && pair[1].is("Solution"))
}

fn has_glob(tokens: &[Token<'_>]) -> bool {
    let mut in_use = false;
    tokens.windows(2).any(|pair| {
        in_use = (in_use || (pair[0].kind == Kind::Word && pair[0].text == "use")) && !pair[0].is(";");
        in_use && pair[0].is(":") && pair[1].is("*")
    })
}
