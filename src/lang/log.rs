//! Makes what a compiler said fit to be shown: readable whatever bytes it holds, in the submitter's own file names, and
//! short, with the first errors kept. Never decides whether the build failed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What is kept of a log.
const LINES: usize = 60;
const BYTES: usize = 4096;
const LINE_CHARS: usize = 240;

/// Where the first error stands further down than `EARLY`, all but the `BEFORE` lines before it give way to it.
const EARLY: usize = 30;
const BEFORE: usize = 8;

/// A name that the build used, and what the submitter calls that file.
pub(in crate::lang) struct Renamed<'a> {
    pub(in crate::lang) built: &'a str,
    pub(in crate::lang) submitted: &'a str,
}

/// The log to show for what was said in a build in `folder`.
pub(in crate::lang) fn shorten(said: &[u8], folder: &Path, names: &[Renamed<'_>]) -> String {
    let mut text = readable(said);
    // The longer name first: it holds the other.
    for folder in crate::sandbox::resolved_behind_walls(folder).iter().map(PathBuf::as_path).chain([folder]) {
        let folder = folder.to_string_lossy();
        text = text.replace(&format!("{folder}/"), "").replace(&*folder, ".");
    }
    for name in names {
        text = rename(&text, name.built, name.submitted);
    }
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let begin = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
    let lines = &lines[begin.min(end)..end];
    let is_error = |line: &&str| {
        ["error:", "error[", "error TS", "Error:", "ERROR"].iter().any(|word| line.contains(word))
    };
    let first = lines.iter().position(is_error).filter(|at| *at > EARLY);
    let from = first.map_or(0, |at| at - BEFORE);
    let mut kept = String::new();
    if from > 0 {
        kept = format!("… {from} lines before the first error\n");
    }
    let mut count = 0;
    for line in &lines[from..] {
        let line = cut(line);
        if count == LINES || kept.len() + line.len() > BYTES {
            break;
        }
        kept += &line;
        kept.push('\n');
        count += 1;
    }
    match lines.len() - from - count {
        0 => {}
        1 => kept += "… 1 more line\n",
        more => kept = format!("{kept}… {more} more lines\n"),
    }
    kept
}

/// The submitter's name of a file, as messages show it.
pub(in crate::lang) fn shown_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    cut(&readable(std::os::unix::ffi::OsStrExt::as_bytes(name)).replace(['\n', '\t'], " "))
}

/// Bytes as text: what is no UTF-8 and no printable sign is escaped, colours are taken away.
pub(crate) fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        for byte in chunk.invalid() {
            write!(text, "\\x{byte:02x}").ok();
        }
    }
    let mut clean = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\u{1b}' if chars.peek() == Some(&'[') => {
                // A terminal sequence ends with its first letter.
                chars.by_ref().skip(1).find(|c| c.is_ascii_alphabetic() || *c == '\n');
            }
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\t' => clean.push(c),
            c if c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}') =>
            {
                clean.extend(c.escape_unicode());
            }
            c => clean.push(c),
        }
    }
    clean
}

/// Replaces `from` where it is a whole file name, not a part of a longer one.
pub(in crate::lang) fn rename(text: &str, from: &str, to: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '/');
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, found) = rest.split_at(at);
        let after = &found[from.len()..];
        let stem = before.strip_suffix("./").unwrap_or(before);
        let is_whole = !stem.ends_with(is_part) && !after.starts_with(is_part);
        renamed += if is_whole { stem } else { before };
        renamed += if is_whole { to } else { from };
        rest = after;
    }
    renamed + rest
}

/// At most `LINE_CHARS` characters of a line.
fn cut(line: &str) -> String {
    match line.char_indices().nth(LINE_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(said: &str) -> String {
        shorten(said.as_bytes(), Path::new("/nowhere"), &[])
    }

    #[test]
    fn odd_bytes_are_shown_and_colours_are_not() {
        let said = b"caf\xe9 \xe2\x80\x98x\xe2\x80\x99\x1b[31m red\x1b[0m \x00\x07\r\n\xe2\x80\xae";
        assert_eq!(readable(said), "caf\\xe9 ‘x’ red \\u{0}\\u{7}\n\\u{202e}");
        let torn = shorten(&[0xff; 10_000], Path::new("/nowhere"), &[]);
        assert!(torn.len() < BYTES && torn.starts_with("\\xff\\xff"));
    }

    #[test]
    fn empty_lines_around_what_was_said_are_left_out() {
        assert_eq!(
            plain("\n\nMain.java:1: error: x\n\n  1 error\n\n"),
            "Main.java:1: error: x\n\n  1 error\n"
        );
        assert_eq!(plain("\n\n"), "");
    }

    #[test]
    fn the_submitters_names_stand_in_place_of_ours() {
        let names = [Renamed { built: "main.cpp", submitted: "A - sum of two.cpp" }];
        let said =
            b"/tmp/x/main.cpp:1:2: error: y\nIn ./main.cpp: domain.cpp my/main.cpp main.cpp.o main.cpps";
        let shown = "A - sum of two.cpp:1:2: error: y\nIn A - sum of two.cpp: domain.cpp my/main.cpp \
                     A - sum of two.cpp.o main.cpps\n";
        assert_eq!(shorten(said, Path::new("/tmp/x"), &names), shown);
    }

    #[test]
    fn the_first_errors_are_kept_and_the_rest_is_counted() {
        let many: String = (0..100).map(|n| format!("a.c:{n}: error: bad\n")).collect();
        let shown = plain(&many);
        assert!(shown.starts_with("a.c:0: error") && shown.ends_with("… 40 more lines\n"), "{shown}");
        assert_eq!(shown.lines().count(), LINES + 1);

        let late = format!("{}a.c:9: error: here\n", "note\n".repeat(200));
        let shown = plain(&late);
        assert!(shown.starts_with("… 192 lines before") && shown.contains("here"), "{shown}");

        let one_more = "x\n".repeat(LINES + 1);
        assert!(plain(&one_more).ends_with("… 1 more line\n"));
        assert_eq!(plain("\n\nwarning\n\n \n"), "warning\n");
        assert_eq!(plain(""), "");
    }

    #[test]
    fn a_line_without_end_is_cut_between_characters() {
        let shown = plain(&"ж".repeat(9000));
        assert_eq!(shown, format!("{}…\n", "ж".repeat(LINE_CHARS)));
    }
}
