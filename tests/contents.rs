//! What the repository ships besides the program is whole: README's map, problems with their statements, solutions with
//! their faults named. Reads files and parses problems; runs nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use touchstone::problem::Problem;

/// What a statement holds where the constraint table goes.
const CONSTRAINTS: &str = "<!-- constraints -->";

/// The folders of solutions, as in the Kattis package format.
const FOLDERS: [&str; 4] = ["accepted", "run_time_error", "time_limit_exceeded", "wrong_answer"];

/// Every shipped problem has accepted solutions in these, by extension, as a function and as a program.
const BOTH_FORMS: [&str; 6] = ["cpp", "go", "java", "py", "rs", "ts"];

/// Every shipped problem has at least so many wrong solutions.
const FEWEST_WRONG: usize = 8;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8").to_owned()
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|it| it.to_str()).unwrap_or_default()
}

/// Every problem that is shipped, by slug.
fn problems() -> BTreeMap<String, Problem> {
    let folders = entries(&root().join("problems")).into_iter().filter(|path| path.is_dir());
    folders
        .map(|folder| {
            let slug = name(&folder);
            let (problem, mistakes) = touchstone::problem::parse(&slug, &text(&folder.join("problem.toml")));
            assert!(mistakes.is_empty(), "{slug}: {mistakes:?}");
            (slug, problem.expect("a problem without mistakes"))
        })
        .collect()
}

#[test]
fn the_map_in_the_readme_names_every_room_and_no_other() {
    let readme = text(&root().join("README.md"));
    let (_, map) =
        readme.split_once("<!-- map of src -->\n```\nsrc/\n").expect("README.md has a map of src/");
    let (map, _) = map.split_once("```").expect("the map ends");
    let stem = |name: &str| name.trim_end_matches('/').trim_end_matches(".rs").to_owned();
    let drawn: BTreeSet<String> =
        map.lines().filter_map(|line| line.split_whitespace().next()).map(stem).collect();
    let rooms: BTreeSet<String> = entries(&root().join("src"))
        .iter()
        .map(|path| stem(&name(path)))
        .filter(|room| room != "lib" && room != "main")
        .collect();
    assert_eq!(drawn, rooms, "the map in README.md, and src/");
}

#[test]
fn every_problem_has_a_statement_in_each_of_its_languages() {
    for (slug, problem) in problems() {
        let folder = root().join("problems").join(&slug);
        let titled: BTreeSet<String> =
            problem.titles.iter().map(|(code, _)| format!("statement.{code}.md")).collect();
        let written: BTreeSet<String> =
            entries(&folder).iter().map(|path| name(path)).filter(|name| name.ends_with(".md")).collect();
        assert_eq!(titled, written, "{slug}: titles in problem.toml, and statements");
        for (code, title) in &problem.titles {
            let statement = text(&folder.join(format!("statement.{code}.md")));
            assert!(statement.starts_with(&format!("# {title}\n")), "{slug}: {code} begins with its title");
            assert_eq!(
                statement.matches(CONSTRAINTS).count(),
                1,
                "{slug}: {code} has a place for constraints"
            );
        }
    }
}

#[test]
fn samples_stand_in_the_statements_as_they_are_typed() {
    for (slug, problem) in problems() {
        assert!(!problem.samples.is_empty(), "{slug} has samples");
        for (code, _) in &problem.titles {
            let statement = text(&root().join("problems").join(&slug).join(format!("statement.{code}.md")));
            for sample in &problem.samples {
                let mut bytes = Vec::new();
                touchstone::input::render(&problem.model, &sample.input, &mut bytes);
                let typed = String::from_utf8(bytes).expect("inputs are text");
                let lines: Vec<String> = typed.lines().map(|line| format!("`{line}`")).collect();
                let cell = format!("| {} |", lines.join("<br>"));
                assert!(statement.contains(&cell), "{slug}: {code} shows sample {}: {cell}", sample.name);
            }
        }
    }
}

/// The comment lines of a program, however its language writes them.
fn comments(text: &str) -> usize {
    text.lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with("//") || line.starts_with('#') && !line.starts_with("#include"))
        .count()
}

#[test]
fn every_wrong_solution_says_its_fault_in_its_only_comment() {
    for (slug, problem) in problems() {
        let folder = root().join("solutions").join(&slug);
        let folders: Vec<String> = entries(&folder).iter().map(|path| name(path)).collect();
        assert!(folders.iter().all(|it| FOLDERS.contains(&it.as_str())), "{slug}: {folders:?}");
        let wrong: Vec<PathBuf> = FOLDERS[1..]
            .iter()
            .map(|name| folder.join(name))
            .filter(|folder| folder.is_dir())
            .flat_map(|folder| entries(&folder))
            .collect();
        assert!(wrong.len() >= FEWEST_WRONG, "{slug}: {} wrong solutions", wrong.len());
        for path in wrong {
            let text = text(&path);
            let first = text.lines().next().unwrap_or_default();
            let says_it = first.starts_with("// Fault: ") || first.starts_with("# Fault: ");
            assert!(says_it && comments(&text) == 1, "{} says its fault in one comment", path.display());
        }
        let accepted = entries(&folder.join("accepted"));
        for extension in BOTH_FORMS {
            let of_language: Vec<&PathBuf> =
                accepted.iter().filter(|it| self::extension(it) == extension).collect();
            let programs = of_language.iter().filter(|path| name(path).contains("_stdin.")).count();
            let functions = of_language.len() - programs;
            assert!(functions > 0, "{slug}: an accepted .{extension} as a function");
            assert!(programs > 0, "{slug}: an accepted .{extension} as a program");
        }
        assert!(problem.function.is_some(), "{slug} is a function as well");
    }
}

#[test]
fn the_table_of_languages_knows_every_kept_solution() {
    let table: toml::Table = text(&root().join("src/lang/languages.toml")).parse().expect("TOML");
    let languages = table["language"].as_array().expect("[[language]]");
    let known: BTreeSet<&str> = languages
        .iter()
        .flat_map(|language| language["extensions"].as_array().expect("extensions"))
        .filter_map(toml::Value::as_str)
        .collect();
    for slug in problems().keys() {
        for folder in entries(&root().join("solutions").join(slug)) {
            for path in entries(&folder) {
                assert!(known.contains(extension(&path)), "{} has no language", path.display());
            }
        }
    }
}
