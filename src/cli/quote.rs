//! Words as a shell reads them back, for commands that are printed to be repeated. Runs nothing.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;

/// `word` as one word of a POSIX shell's command line; with the `$'…'` of newer shells where a byte is no text.
pub(crate) fn word(word: &OsStr) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./=:,+@%^".contains(byte);
    let bytes = word.as_bytes();
    if !bytes.is_empty() && bytes.iter().all(plain) {
        return word.to_string_lossy().into_owned();
    }
    match word.to_str() {
        Some(text) if !text.chars().any(is_unseen) => format!("'{}'", text.replace('\'', r"'\''")),
        _ => {
            let mut text = String::from("$'");
            for byte in bytes {
                if plain(byte) || *byte == b' ' {
                    text.push(char::from(*byte));
                } else {
                    // Writing to a string cannot fail.
                    let _ = write!(text, "\\x{byte:02x}");
                }
            }
            text + "'"
        }
    }
}

/// Whether a character would be lost or turn others round where it is printed.
fn is_unseen(c: char) -> bool {
    c.is_control() || (!matches!(c, '\'' | '"' | '\\') && c.escape_debug().len() > 1)
}

/// A path as a word that no program takes for an option.
pub(crate) fn path(path: &std::path::Path) -> String {
    if path.as_os_str().as_bytes().starts_with(b"-") {
        return word(std::path::Path::new(".").join(path).as_os_str());
    }
    word(path.as_os_str())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_shell_reads_the_word_back() {
        assert!(word(OsStr::new("\u{202e}abc")).is_ascii());
        let names: [&[u8]; 9] = [
            "\u{202e}'abc\\".as_bytes(),
            b"plain",
            b"two words",
            b"it's $HOME; `x`",
            "石子".as_bytes(),
            b"\xff\n",
            b"",
            b"edges/n=max/all_min",
            b"a\\b",
        ];
        for name in names {
            let name = OsStr::from_bytes(name);
            let script = format!("printf %s {}", word(name));
            let output = std::process::Command::new("bash").args(["-c", &script]).output().unwrap();
            assert_eq!(OsStr::from_bytes(&output.stdout), name, "{script}");
        }
        assert_eq!(path(Path::new("-rf.py")), "./-rf.py");
    }
}
