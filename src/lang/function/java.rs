//! The driver for Java: a class beside the source, which gets its imports on its first line. The program's main class is
//! always `TouchstoneMain`, whatever package the source is in.

use super::found::close_of;
use super::token::{Kind, Token};
use super::{Callee, Param, SourceFile, Width, fill, replaced};
use crate::problem::Returns;

const DRIVER: &str = include_str!("driver/Driver.java");

/// What the solution may use without importing it. Its own imports and classes come before these.
const IMPORTS: &str = "import java.io.*; import java.math.*; import java.text.*; import java.util.*; \
    import java.util.concurrent.*; import java.util.concurrent.atomic.*; import java.util.function.*; \
    import java.util.regex.*; import java.util.stream.*; ";

const KEEP_BOOL: &str =
    "private void keep(Boolean value) { reply.append(value == null ? \"?null\" : \"=\" + value); }";
const KEEP_INT: &str = "private void keep(long value) { reply.append('=').append(value); }

    private void keep(Number value) { reply.append(value == null ? \"?null\" : value instanceof Float || value instanceof Double ? \"?\" + value : \"=\" + value); }";
const KEEP_TEXT: &str = "private void keep(String text) {
        if (text == null) {
            reply.append(\"?null\");
            return;
        }
        reply.append('=');
        for (char one : text.toCharArray()) {
            if (one == '\\\\') reply.append(\"\\\\\\\\\");
            else if (one == '\\n') reply.append(\"\\\\n\");
            else if (one == '\\r') reply.append(\"\\\\r\");
            else if (one == '\\t') reply.append(\"\\\\t\");
            else if (one < 0x20 || one == 0x7f) reply.append(String.format(\"\\\\x%02x\", (int) one));
            else reply.append(one);
        }
    }";
const KEEP_INTS: &str = "private void keep(int[] values) {
        reply.append(values == null ? \"?null\" : \"=\");
        for (int i = 0; values != null && i < values.length; i++) reply.append(i > 0 ? \" \" : \"\").append(values[i]);
    }

    private void keep(long[] values) {
        reply.append(values == null ? \"?null\" : \"=\");
        for (int i = 0; values != null && i < values.length; i++) reply.append(i > 0 ? \" \" : \"\").append(values[i]);
    }

    private void keep(List<? extends Number> values) {
        reply.append(values == null ? \"?null\" : \"=\");
        for (int i = 0; values != null && i < values.size(); i++) reply.append(i > 0 ? \" \" : \"\").append(values.get(i));
    }";

fn integer(param: &Param) -> &'static str {
    if param.width == Width::Int { "int" } else { "long" }
}

pub(super) fn signature(callee: &Callee) -> String {
    let returns = match callee.returns {
        Returns::Bool => "boolean",
        Returns::Int => "int",
        Returns::Long => "long",
        Returns::Text | Returns::OneOf(_) => "String",
        Returns::IntArray => "int[]",
    };
    let params = callee.each(|_, param| {
        format!("{}{} {}", integer(param), if param.is_array { "[]" } else { "" }, param.name)
    });
    format!("class Solution with public {returns} {}({params})", callee.name)
}

pub(super) fn drive(callee: &Callee, source: &str, tokens: &[Token<'_>]) -> Vec<SourceFile> {
    let package = package(tokens);
    let mut files = Vec::new();
    if let Some((name, _)) = &package {
        // A class without a package can see public classes only, so the driver goes where the solution is.
        let text = format!(
            "public final class TouchstoneMain {{\n    public static void main(String[] args) throws Exception {{ {name}.TouchstoneDriver.main(args); }}\n}}\n"
        );
        files.push(SourceFile { name: "TouchstoneMain.java".to_owned(), text });
    }
    let driver = if package.is_some() { "TouchstoneDriver" } else { "TouchstoneMain" };
    let declared = package.as_ref().map(|(name, _)| format!("package {name};")).unwrap_or_default();
    let keep = match callee.returns {
        Returns::Bool => KEEP_BOOL,
        Returns::Int | Returns::Long => KEEP_INT,
        Returns::Text | Returns::OneOf(_) => KEEP_TEXT,
        Returns::IntArray => KEEP_INTS,
    };
    let values =
        [("PACKAGE", declared.as_str()), ("DRIVER", driver), ("CALL", &call(callee)), ("KEEP", keep)];
    files.push(SourceFile { name: format!("{driver}.java"), text: fill(DRIVER, &values) });

    let at = package.map_or(0, |(_, end)| end);
    let text = replaced(source, &[(at, at, IMPORTS)]);
    files.push(SourceFile { name: format!("{}.java", public_class(tokens)), text });
    files
}

fn call(callee: &Callee) -> String {
    let mut lines: Vec<String> = Vec::new();
    for (index, param) in callee.params.iter().enumerate() {
        let type_ = integer(param);
        lines.push(match (param.is_array, param.width) {
            (true, _) => format!("        {type_}[] value{index} = {type_}s();"),
            (false, Width::Int) => format!("        int value{index} = (int) integer();"),
            (false, _) => format!("        long value{index} = integer();"),
        });
    }
    let arguments = callee.each(|index, _| format!("value{index}"));
    lines.push(format!("        keep(new Solution().{}({arguments}));", callee.name));
    lines.join("\n")
}

/// The source's package and where its statement ends.
fn package(tokens: &[Token<'_>]) -> Option<(String, usize)> {
    let start = tokens.iter().position(|token| token.is("package") && token.depth == 0)?;
    // Only annotations may stand before it.
    let before_ok = tokens[..start].iter().all(|token| !token.is("class") && !token.is("import"));
    let end = tokens[start..].iter().position(|token| token.is(";"))? + start;
    let name: String = tokens[start + 1..end].iter().map(|token| token.text).collect();
    (before_ok && !name.is_empty()).then(|| (name, tokens[end].offset + 1))
}

/// The name of the public top-level class, which its file has to bear.
fn public_class<'a>(tokens: &[Token<'a>]) -> &'a str {
    let mut at = 0;
    let mut is_public = false;
    while let Some(token) = tokens.get(at) {
        if token.is("{") || token.is("(") {
            is_public = false;
            at = close_of(tokens, at).unwrap_or(tokens.len());
        } else if token.is(";") {
            is_public = false;
        } else if token.is("public") {
            is_public = true;
        } else if is_public
            && ["class", "interface", "enum", "record"].iter().any(|word| token.is(word))
            && let Some(name) = tokens.get(at + 1).filter(|name| name.kind == Kind::Word)
        {
            return name.text;
        }
        at += 1;
    }
    "Solution"
}
