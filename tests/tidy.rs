//! Keeps the rules of the house by reading the source tree: which room may name what, how files begin, how long they
//! are, what the README says of them. Reads text only; it never runs the program under test.
//!
//! Comments and the insides of strings don't count where a rule is about code: see `rust_source`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::rust_source::Source;

/// Pure rooms: values and functions only.
const CORE: [&str; 9] =
    ["check", "contest", "diagnostic", "generate", "input", "limits", "problem", "score", "verdict"];
/// Rooms that touch the disk and processes.
const ADAPTERS: [&str; 11] = [
    "grade",
    "lang",
    "package",
    "report",
    "sandbox",
    "solve",
    "statement",
    "store",
    "strength",
    "stress",
    "worker",
];
/// Rooms that parse arguments and print.
const DOORS: [&str; 2] = ["cli", "web"];

/// Modules of `std` that a core room never names.
const OUTSIDE_OF_CORE: [&str; 5] = ["env", "fs", "net", "process", "time"];
/// Crates whose whole purpose is outside of the core.
const CRATES_OUTSIDE_OF_CORE: [&str; 9] =
    ["anstream", "clap", "indicatif", "landlock", "libc", "nix", "rusqlite", "seccompiler", "tempfile"];
const PRINTING: [&str; 5] = ["dbg", "eprint", "eprintln", "print", "println"];
const BANNED_NAMES: [&str; 8] = ["common", "helper", "helpers", "imp", "manager", "misc", "util", "utils"];

/// "About 500 lines": from here on a file is named, and somewhat later refused.
const LONG_FILE_LINES: usize = 500;
const TOO_LONG_FILE_LINES: usize = 600;
/// A file of whole-program tests is a list of cases and may be longer.
const TOO_LONG_TEST_FILE_LINES: usize = 800;
/// The same for functions, whose tables and exhaustive matches may be somewhat longer than 70 lines.
const TOO_LONG_FUNCTION_LINES: usize = 100;

/// Kinds of text that people write, and that every rule about text holds for.
const TEXT: [&str; 13] =
    ["c", "cpp", "css", "go", "java", "js", "json", "md", "py", "rs", "sh", "toml", "ts"];
const TEXT_FOLDERS: [&str; 8] = [".ci", "benches", "docs", "fuzz", "problems", "solutions", "src", "tests"];
/// Folders that programs write, wherever they stand.
const WRITTEN_BY_PROGRAMS: [&str; 5] = ["artifacts", "corpus", "coverage", "snapshots", "target"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below `folder`, sorted, with its path relative to the root of the repository.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(folder) = open.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.expect("an entry of a folder").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_file() {
                found.push(path.strip_prefix(root()).expect("below the root").to_path_buf());
            } else if path.is_dir() && !WRITTEN_BY_PROGRAMS.contains(&name) {
                open.push(path);
            }
        }
    }
    found.sort();
    found
}

fn text(path: &Path) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read(path: &Path) -> Source {
    Source::new(path.to_path_buf(), &text(path))
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().and_then(|it| it.to_str()).is_some_and(|it| extensions.contains(&it))
}

fn rust_files(folder: &str) -> Vec<PathBuf> {
    files(folder).into_iter().filter(|path| has_extension(path, &["rs"])).collect()
}

/// Collects breaches and fails with all of them at once.
#[derive(Default)]
struct Breaches(String);

impl Breaches {
    fn add(&mut self, path: &Path, line: usize, what: impl std::fmt::Display) {
        writeln!(self.0, "  {}:{line}: {what}", path.display()).expect("a String takes everything");
    }

    #[track_caller]
    fn none(self, rule: &str) {
        assert!(self.0.is_empty(), "{rule}\n{}", self.0);
    }
}

#[test]
fn every_room_stands_on_one_storey() {
    let storeys: BTreeSet<&str> = CORE.into_iter().chain(ADAPTERS).chain(DOORS).collect();
    assert_eq!(
        storeys,
        rooms().iter().map(String::as_str).collect(),
        "storeys in tests/tidy.rs and rooms in src/"
    );
}

/// The top-level modules, by name.
fn rooms() -> BTreeSet<String> {
    let sources = files("src").into_iter().filter(|path| has_extension(path, &["rs"]));
    sources
        .map(|path| Source::new(path, "").room().to_owned())
        .filter(|room| room != "lib" && room != "main")
        .collect()
}

#[test]
fn the_core_is_pure() {
    let mut breaches = Breaches::default();
    for source in rust_files("src").iter().map(|path| read(path)) {
        if !CORE.contains(&source.room()) {
            continue;
        }
        for (at, token) in source.tokens.iter().enumerate() {
            if source.is(at, &["std", ":", ":"]) {
                for head in source.heads(at + 3) {
                    if OUTSIDE_OF_CORE.contains(&head.text.as_str()) {
                        breaches.add(&source.path, head.line, format_args!("names std::{}", head.text));
                    }
                }
            }
            let name = token.text.as_str();
            if CRATES_OUTSIDE_OF_CORE.contains(&name)
                && source.is(at + 1, &[":", ":"])
                && !source.follows_path(at)
            {
                breaches.add(&source.path, token.line, format_args!("names the crate {name}"));
            }
        }
    }
    breaches.none("the core touches no file, process, network, clock or environment");
}

#[test]
fn arrows_only_go_down() {
    let mut breaches = Breaches::default();
    for source in rust_files("src").iter().map(|path| read(path)) {
        let room = source.room();
        let above: Vec<&str> = if CORE.contains(&room) {
            ADAPTERS.into_iter().chain(DOORS).collect()
        } else if ADAPTERS.contains(&room) {
            DOORS.to_vec()
        } else {
            continue;
        };
        for token in source.rooms_named() {
            if above.contains(&token.text.as_str()) {
                breaches.add(
                    &source.path,
                    token.line,
                    format_args!("{room} uses {}, which is above it", token.text),
                );
            }
        }
    }
    breaches.none("doors use adapters, adapters use the core, and nothing uses what is above it");
}

#[test]
fn unsafe_stays_in_its_room_and_printing_in_two() {
    let mut breaches = Breaches::default();
    for source in rust_files("src").iter().map(|path| read(path)) {
        let tests = source.test_modules();
        for (at, token) in source.tokens.iter().enumerate() {
            let name = token.text.as_str();
            if name == "unsafe" && !source.path.starts_with("src/sandbox/linux") {
                breaches.add(&source.path, token.line, "unsafe is only for src/sandbox/linux/");
            }
            let prints = PRINTING.contains(&name) && source.is(at + 1, &["!"]);
            let in_tests = tests.iter().any(|range| range.contains(&at));
            if prints && !in_tests && !["cli", "report"].contains(&source.room()) {
                breaches.add(&source.path, token.line, format_args!("{name}! is only for cli and report"));
            }
        }
    }
    breaches.none("unsafe code and printing have their rooms");
}

#[test]
fn lints_are_expected_with_a_reason_and_no_test_is_ignored() {
    let mut breaches = Breaches::default();
    for path in ["src", "tests", "benches"].iter().flat_map(|folder| rust_files(folder)) {
        let source = read(&path);
        for (at, token) in source.tokens.iter().enumerate().filter(|(_, token)| token.text == "#") {
            let name = at + 1 + usize::from(source.is(at + 1, &["!"])) + 1;
            if source.is(name, &["allow", "("]) {
                breaches.add(&path, token.line, "use #[expect(…, reason = \"…\")] instead of #[allow]");
            }
            if source.is(name, &["ignore"]) {
                breaches.add(&path, token.line, "an ignored test keeps nothing");
            }
            let block = source.attribute(name);
            if source.is(name, &["expect", "("]) && !block.iter().any(|it| it.text == "reason") {
                breaches.add(&path, token.line, "#[expect] wants a reason");
            }
        }
    }
    breaches.none("lints are silenced with a reason, and tests run");
}

#[test]
#[expect(clippy::print_stderr, reason = "long files are named before they are refused")]
fn files_begin_with_their_purpose_and_are_short() {
    let mut breaches = Breaches::default();
    for path in ["src", "tests", "benches"].iter().flat_map(|folder| rust_files(folder)) {
        let text = text(&path);
        if !text.starts_with("//! ") {
            breaches.add(&path, 1, "a module begins with `//!`: its purpose, and what it must never do");
        }
        let lines = text.lines().count();
        let limit = if path.starts_with("tests") { TOO_LONG_TEST_FILE_LINES } else { TOO_LONG_FILE_LINES };
        if lines > limit {
            breaches.add(&path, lines, format_args!("{lines} lines: split it by roles"));
        } else if lines > LONG_FILE_LINES {
            eprintln!("{}: {lines} lines, more than {LONG_FILE_LINES}", path.display());
        }
        let name = path.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
        let folder =
            path.parent().and_then(|it| it.file_name()).and_then(|it| it.to_str()).unwrap_or_default();
        if BANNED_NAMES.contains(&name) || BANNED_NAMES.contains(&folder) {
            breaches.add(&path, 1, "a shared thing gets the name of the thing");
        }
        let source = Source::new(path, &text);
        for (at, token) in source.tokens.iter().enumerate().filter(|(_, token)| token.text == "fn") {
            let last = &source.tokens[source.end_of_block(at) - 1];
            let lines = last.line - token.line + 1;
            // A test may be one long table.
            let is_test = at >= 4 && source.is(at - 4, &["#", "[", "test", "]"]);
            if last.text == "}" && !is_test && lines > TOO_LONG_FUNCTION_LINES {
                breaches.add(&source.path, token.line, format_args!("a function of {lines} lines"));
            }
        }
    }
    breaches.none("files and functions are short and say what they are for");
}

#[test]
fn text_is_clean() {
    // In two halves, so that this file does not hold what it looks for.
    let machines = [["/wo", "rk/"], ["/ro", "ot/"], ["/ho", "me/"]].map(|halves| halves.concat());
    let at_root =
        fs::read_dir(root()).expect("the repository").flatten().map(|entry| entry.file_name().into());
    let mut paths: Vec<PathBuf> = at_root.filter(|path: &PathBuf| root().join(path).is_file()).collect();
    paths.extend(TEXT_FOLDERS.iter().flat_map(|folder| files(folder)));
    let mut breaches = Breaches::default();
    for path in paths.iter().filter(|path| has_extension(path, &TEXT)) {
        let text = text(path);
        for (index, line) in text.split('\n').enumerate() {
            if line.trim_end() != line {
                breaches.add(path, index + 1, "white space at the end of the line");
            }
            if let Some(found) = machines.iter().find(|it| line.contains(it.as_str())) {
                breaches.add(path, index + 1, format_args!("a path of one machine: {found}"));
            }
        }
        if !text.is_empty() && (!text.ends_with('\n') || text.ends_with("\n\n")) {
            breaches.add(path, text.lines().count(), "a file ends with one line break");
        }
    }
    breaches.none("text has no stray white space and speaks of no machine");
}
