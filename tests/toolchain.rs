//! What the tests of languages share: whether a toolchain is there, and one cache and one sandbox to compile and run in.
//! Never lets a test pass in silence that could not be made.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use touchstone::lang::{Table, Toolchains};
use touchstone::sandbox::{Accounting, Choice, Config, Sandbox};

/// The tools of this machine.
pub(crate) fn toolchains() -> &'static Toolchains {
    static TOOLCHAINS: OnceLock<Toolchains> = OnceLock::new();
    TOOLCHAINS.get_or_init(|| Toolchains::find(&std::env::var_os("PATH").unwrap_or_default()))
}

/// Whether a tool of the table (`g++`, `node`, …) or everything that a language (`java`, `typescript`, …) needs is there.
/// If not, it says so on standard error, for a test to return at once; with `TOUCHSTONE_REQUIRE=all` it fails the test.
pub(crate) fn require(name: &str) -> bool {
    let lack = match Table::built_in().language(name) {
        Some(language) => toolchains().way(language).err(),
        None => toolchains().tool(name).err().map(str::to_owned),
    };
    let Some(lack) = lack else { return true };
    let must = std::env::var_os("TOUCHSTONE_REQUIRE").is_some_and(|required| required == "all");
    assert!(!must, "TOUCHSTONE_REQUIRE=all, but {lack}");
    writeln!(std::io::stderr(), "SKIPPED: no {name}: {lack}").expect("standard error is there");
    false
}

/// A cache for this run of the tests. What Go's library was compiled to is kept for the next run, programs are not.
pub(crate) fn cache() -> &'static Path {
    static CACHE: OnceLock<PathBuf> = OnceLock::new();
    CACHE.get_or_init(|| {
        let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
        match std::fs::remove_dir_all(cache.join("programs")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => panic!("{error}"),
            _ => cache,
        }
    })
}

/// A sandbox with the walls that the program takes by itself, or as many as the machine gives.
pub(crate) fn sandbox() -> Sandbox {
    start(Choice::Strongest)
}

/// A sandbox of the plain kind, which every machine gives.
pub(crate) fn plain_sandbox() -> Sandbox {
    start(Choice::Plain)
}

fn start(isolation: Choice) -> Sandbox {
    let launcher = PathBuf::from(env!("CARGO_BIN_EXE_touchstone"));
    Sandbox::start(&Config { launcher, isolation, accounting: Accounting::Auto }).expect("the sandbox starts")
}
