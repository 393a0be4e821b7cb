//! Puts the problems that come with Touchstone into the binary, for `touchstone init`: a table of their files' names and
//! bytes. Reads the source tree only.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What is put in: whole trees, and of packages only what cannot be made again from these.
const TREES: [&str; 3] = ["problems", "solutions", "generated"];
const OF_PACKAGES: &str = "manifest.toml";

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut files = Vec::new();
    for tree in TREES {
        println!("cargo::rerun-if-changed={tree}");
        collect(&root.join(tree), &mut files)?;
    }
    files.retain(|file| !file.starts_with(root.join("generated")) || file.ends_with(OF_PACKAGES));
    files.sort();
    let mut table = String::from("[\n");
    for file in &files {
        let name = file.strip_prefix(&root).map_err(io::Error::other)?;
        // Writing to a string cannot fail.
        let _ = writeln!(table, "    ({name:?}, include_bytes!({file:?})),");
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var_os("OUT_DIR").unwrap_or_default()).join("shipped.rs"), table)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    // A tree that is missing has nothing in it: packages are made later.
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry?.path();
        let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if path.is_dir() {
            collect(&path, files)?;
        } else if !is_hidden {
            files.push(path);
        }
    }
    Ok(())
}
