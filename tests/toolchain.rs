//! What the tests of languages share: whether a toolchain is there, and caches to compile into.
//! Never lets a test pass in silence that could not be made.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use touchstone::lang::{Table, Toolchains};

use crate::walls::Walls;

/// The tools of this machine.
pub(crate) fn toolchains() -> &'static Toolchains {
    static TOOLCHAINS: OnceLock<Toolchains> = OnceLock::new();
    TOOLCHAINS.get_or_init(|| Toolchains::ask(&std::env::var_os("PATH").unwrap_or_default()))
}

/// Whether a tool of the table (`g++`, `node`, …) or everything that a language (`java`, `typescript`, …) needs is there.
/// If not, it says so on standard error, for a test to return at once; with `TOUCHSTONE_REQUIRE=all` it fails the test.
pub(crate) fn require(name: &str) -> bool {
    let lack = match Table::built_in().language(name) {
        Some(language) => toolchains().ways(language).err(),
        None => toolchains().tool(name).err().map(str::to_owned),
    };
    if let Some(lack) = &lack {
        lacks(name, lack);
    }
    lack.is_none()
}

/// Says that the machine lacks what a test needs; with `TOUCHSTONE_REQUIRE=all` it fails the test.
pub(crate) fn lacks(name: &str, lack: &str) {
    assert!(!must(), "TOUCHSTONE_REQUIRE=all, but there is no {name}: {lack}");
    skipped(&format!("no {name}: {lack}"));
}

/// Whether a lack is a failure.
pub(crate) fn must() -> bool {
    std::env::var_os("TOUCHSTONE_REQUIRE").is_some_and(|required| required == "all")
}

/// Says what is not tested.
pub(crate) fn skipped(what: &str) {
    say(&format!("SKIPPED: {what}"));
}

/// Says something past the harness, which keeps to itself what a test that passes prints.
pub(crate) fn say(what: &str) {
    writeln!(std::io::stderr(), "{what}").expect("standard error is there");
}

/// A cache for this run of the tests, one for each choice of walls, so that compilers work behind all of them. What Go's
/// library was compiled to is kept for the next run, programs are not.
pub(crate) fn cache(walls: Walls) -> &'static Path {
    static CACHES: [OnceLock<PathBuf>; 3] = [const { OnceLock::new() }; 3];
    CACHES[walls as usize].get_or_init(|| {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache").join(walls.flag());
        match std::fs::remove_dir_all(cache.join("programs")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => panic!("{error}"),
            _ => cache,
        }
    })
}
