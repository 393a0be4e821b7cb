//! The header files that lie beside a program of a problem's and that it includes, testlib.h above all. Reads them,
//! changes nothing.

use std::fs;
use std::io;
use std::path::Path;

/// How many headers one program may bring.
const MAX_HEADERS: usize = 16;
/// Bytes of one header; testlib.h has a quarter of a million.
const MAX_HEADER_BYTES: u64 = 4 << 20;

/// A header's name and text.
pub(crate) type Header = (String, Vec<u8>);

/// The headers that `source`, or one of them, includes by a plain name and that lie beside it.
pub(crate) fn beside(source: &Path) -> io::Result<Vec<Header>> {
    let folder = source.parent().unwrap_or(Path::new(""));
    let mut found: Vec<Header> = Vec::new();
    let mut waiting = included(&fs::read(source)?);
    while let Some(name) = waiting.pop() {
        let path = folder.join(&name);
        let is_header =
            fs::metadata(&path).is_ok_and(|data| data.is_file() && data.len() <= MAX_HEADER_BYTES);
        if !is_header || found.len() >= MAX_HEADERS || found.iter().any(|(known, _)| *known == name) {
            continue;
        }
        let text = fs::read(&path)?;
        waiting.extend(included(&text));
        found.push((name, text));
    }
    found.sort();
    Ok(found)
}

/// Names in lines like `#include "testlib.h"`, without folders.
fn included(text: &[u8]) -> Vec<String> {
    let name = |line: &[u8]| {
        let rest = line.trim_ascii().strip_prefix(b"#")?.trim_ascii_start().strip_prefix(b"include")?;
        let rest = rest.trim_ascii_start();
        let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"<"))?;
        let end = rest.iter().position(|byte| matches!(byte, b'"' | b'>'))?;
        let name = std::str::from_utf8(&rest[..end]).ok()?;
        let is_header = [".h", ".hpp", ".hh", ".hxx"].iter().any(|ending| name.ends_with(ending));
        (is_header && !name.contains('/') && !name.starts_with('.')).then(|| name.to_owned())
    };
    text.split(|byte| *byte == b'\n').filter_map(name).collect()
}

/// The compiler's words, with what to do when it is testlib.h that is missing.
pub(crate) fn explain(log: &str) -> String {
    if !log.contains("testlib.h") {
        return log.to_owned();
    }
    format!(
        "{log}\ntestlib.h does not come with Touchstone: put it into the folder of the program that includes it\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_included_and_lies_beside_is_brought() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write(
            "check.cpp",
            "#include <vector>\n # include \"testlib.h\"\r\n#include \"../secret.h\"\n#include \"no.h\"\n",
        );
        write("testlib.h", "#include \"more.h\"\n#include \"testlib.h\"\n");
        write("more.h", "int x;\n");
        write("other.h", "\n");
        let names: Vec<String> =
            beside(&folder.path().join("check.cpp")).unwrap().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["more.h", "testlib.h"]);
    }
}
