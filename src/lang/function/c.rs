//! The driver for C: our part before the source, then the source, then a short main. An array comes with its length.

use super::{Callee, Param, SourceFile, Width, fill};
use crate::problem::Returns;

const BEFORE: &str = include_str!("driver/before.c");
const AFTER: &str = include_str!("driver/after.c");

fn integer(param: &Param) -> &'static str {
    if param.width == Width::Int { "int" } else { "long long" }
}

pub(super) fn signature(callee: &Callee) -> String {
    let (returns, size) = match callee.returns {
        Returns::Bool => ("bool", None),
        Returns::Int => ("int", None),
        Returns::Long => ("long long", None),
        Returns::Text | Returns::OneOf(_) => ("char*", None),
        Returns::IntArray => ("int*", Some("int* returnSize".to_owned())),
    };
    let params = callee.params.iter().map(|param| match param.is_array {
        true => format!("{type}* {name}, int {name}Size", type = integer(param), name = param.name),
        false => format!("{} {}", integer(param), param.name),
    });
    let params: Vec<String> = params.chain(size).collect();
    format!("{returns} {}({})", callee.name, params.join(", "))
}

pub(super) fn drive(callee: &Callee, source: &str) -> Vec<SourceFile> {
    let mut read = Vec::new();
    let mut arguments = Vec::new();
    let mut free = Vec::new();
    for (index, param) in callee.params.iter().enumerate() {
        let value = format!("touchstone_{index}");
        if param.is_array {
            let of = if param.width == Width::Int { "ints" } else { "longs" };
            read.push(format!("        int {value}_size;"));
            read.push(format!("        {}* {value} = touchstone_{of}(&{value}_size);", integer(param)));
            free.push(format!("        free({value});"));
            arguments.push(value.clone());
            arguments.push(format!("{value}_size"));
        } else {
            read.push(format!("        {0} {value} = ({0})touchstone_integer();", integer(param)));
            arguments.push(value);
        }
    }
    let (kind, types) = match callee.returns {
        Returns::Bool => ("bool", "bool: 1, int: 1"),
        Returns::Int | Returns::Long => {
            ("int", "int: 1, long: 1, long long: 1, short: 1, unsigned: 1, bool: 1")
        }
        Returns::Text | Returns::OneOf(_) => ("text", "char*: 1, const char*: 1"),
        Returns::IntArray => ("ints", "int*: 1, const int*: 1"),
    };
    let mut after_call = "";
    if callee.returns == Returns::IntArray {
        read.push("        int touchstone_size = 0;".to_owned());
        arguments.push("&touchstone_size".to_owned());
        after_call = ", touchstone_size";
    }
    let call = format!("{}({})", callee.name, arguments.join(", "));
    let after = fill(
        AFTER,
        &[
            ("READ", &read.join("\n")),
            ("CALL", &call),
            ("TYPES", types),
            ("KIND", kind),
            ("AFTER_CALL", after_call),
            ("FREE", &free.join("\n")),
        ],
    );
    // A main of the source's own is kept out of the way.
    let include = "#define main touchstone_not_main\n#include \"solution.h\"\n";
    // In a file of its own, so that messages show its lines.
    vec![
        SourceFile { name: "main.c".to_owned(), text: format!("{BEFORE}{include}{after}") },
        SourceFile { name: "solution.h".to_owned(), text: source.to_owned() },
    ]
}
