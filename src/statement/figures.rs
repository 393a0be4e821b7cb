//! Figures of a statement: files in the problem's folder, as addresses that hold their bytes. Never follows a name
//! out of the folder.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

/// The largest figure, in bytes.
const MAX_FIGURE_BYTES: usize = 2 << 20;
/// Kinds of figures by the endings of their names. A drawing shown as an image runs no scripts and loads nothing.
const KINDS: [(&str, &str); 6] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("svg", "image/svg+xml"),
];

/// The figure `name` as a `data:` address; `None` when it is not a figure below `folder`.
pub(super) fn data_address(folder: &Path, name: &str) -> Option<String> {
    let path = Path::new(name);
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let (_, kind) = KINDS.iter().find(|(known, _)| *known == extension)?;
    if !is_below {
        return None;
    }
    // A link may lead out of the folder.
    let (folder, file) = (folder.canonicalize().ok()?, folder.join(path).canonicalize().ok()?);
    if !file.starts_with(&folder) {
        return None;
    }
    let bytes = read_at_most(&file, MAX_FIGURE_BYTES).ok()?;
    Some(format!("data:{kind};base64,{}", base64(&bytes)))
}

/// A file's bytes, unless there are more than `max_bytes` or it is no file.
pub(super) fn read_at_most(path: &Path, max_bytes: usize) -> io::Result<Vec<u8>> {
    // Before it is opened: opening a pipe would wait for a writer that may never come.
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    let file = File::open(path)?;
    let mut bytes = Vec::new();
    file.take(max_bytes as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > max_bytes {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("expected {max_bytes} bytes at most"),
        ));
    }
    Ok(bytes)
}

/// RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits =
            chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let is_there = digit <= chunk.len();
            let value = (bits >> (18 - 6 * digit)) as usize & 63;
            text.push(if is_there { char::from(DIGITS[value]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_base_64() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xff, 0xef, 0xbe]), "/+++");
    }

    #[test]
    fn figures_are_below_the_folder() {
        let outside = tempfile::tempdir().unwrap();
        let folder = outside.path().join("problem");
        std::fs::create_dir_all(folder.join("figures")).unwrap();
        std::fs::write(folder.join("figures/a.PNG"), "foo").unwrap();
        std::fs::write(folder.join("answers.txt"), "foo").unwrap();
        std::fs::write(outside.path().join("b.png"), "secret").unwrap();
        std::fs::write(folder.join("large.png"), vec![0; MAX_FIGURE_BYTES + 1]).unwrap();
        std::os::unix::fs::symlink("../b.png", folder.join("link.png")).unwrap();
        std::fs::create_dir(folder.join("folder.png")).unwrap();
        // Whoever opens it waits for a writer.
        nix::unistd::mkfifo(&folder.join("pipe.png"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        let address = |name: &str| data_address(&folder, name);
        assert_eq!(address("figures/a.PNG").as_deref(), Some("data:image/png;base64,Zm9v"));
        let absolute = outside.path().join("b.png");
        for name in [
            "../b.png",
            "link.png",
            "answers.txt",
            "large.png",
            "folder.png",
            "pipe.png",
            "",
            "none.png",
            absolute.to_str().unwrap(),
        ] {
            assert_eq!(address(name), None, "{name}");
        }
    }
}
