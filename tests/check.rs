//! `check` and `new` as they are typed: what they print, and how they end.

use std::fs;

use crate::desk::Desk;
use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![a_new_problem_verifies_at_once];

fn desk(files: &[(&str, &[u8])]) -> Desk {
    let desk = Desk::new();
    for (path, bytes) in files {
        desk.write(path, bytes);
    }
    desk
}

/// Exit status, standard output, standard error.
fn run(desk: &Desk, args: &[&str]) -> (i32, String, String) {
    let said = desk.run(args);
    (said.status, said.stdout, said.stderr)
}

/// n from 1 to 100, then n integers from 0 to 1000.
const LIST: &str = r#"format = 1
title = { en = "List" }
answer = { program = "solutions/list/accepted/sum.py" }
limits = { time = "1s", memory = "64MiB" }
size.n = { min = 1, max = 100 }

[[input]]
name = "a"
type = "array"
len = "n"
item = { type = "int", min = 0, max = 1000 }
"#;

fn list() -> Desk {
    desk(&[
        ("problems/list/problem.toml", LIST.as_bytes()),
        ("problems/list/statement.en.md", b"Sum them.\n\n<!-- constraints -->\n"),
        ("solutions/list/accepted/sum.py", b"input(); print(sum(map(int, input().split())))\n"),
    ])
}

#[test]
fn a_problem_without_mistakes_is_told_so() {
    let (status, stdout, stderr) = run(&list(), &["check"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert_eq!(stdout, "list: no mistakes; no tests yet: touchstone generate list\n");
}

#[test]
fn every_wrong_input_file_is_refused_with_its_place() {
    let bad: [(&str, &str); 21] = [
        ("2\n7 8", "2:4: expected a newline after the 2 values of `a`"),
        ("2\r\n7 8\r\n", "1:2: expected a newline after `n`"),
        ("2\n7  8\n", "2:3: expected an integer from 0 to 1000 as value 2 of 2 of `a`, found a second space"),
        ("2\n7 8 \n", "2:4: "),
        ("2\n 7 8\n", "2:1: "),
        ("2\n7 8\n\n", "3:1: expected the end of the file, found an empty line"),
        ("2\n7 8\nend\n", "3:1: expected the end of the file, found `end`"),
        ("2\n7\n", "2:2: "),
        ("2\n7 8 9\n", "2:4: "),
        ("2\n7 1001\n", "2:3: "),
        ("101\n7\n", "1:1: expected an integer from 1 to 100 as `n`, found `101`"),
        ("2\n7 08\n", "2:3: "),
        ("2\n7 +8\n", "2:3: "),
        ("2\n7 -0\n", "2:3: "),
        ("2\n7 8.0\n", "2:3: "),
        ("2\n7\t8\n", "2:2: expected a space and then value 2 of 2 of `a`, found a tab"),
        ("\u{feff}2\n7 8\n", "1:1: "),
        ("2\n7\u{a0}8\n", "2:2: "),
        ("2\n7 ８\n", "2:3: "),
        ("2\n7 8\0\n", "2:4: "),
        ("", "1:1: expected an integer from 1 to 100 as `n`, found an empty file"),
    ];
    let desk = list();
    let names: Vec<String> = (0..bad.len()).map(|index| format!("{index}.in")).collect();
    for ((text, _), name) in bad.iter().zip(&names) {
        desk.write(name, text.as_bytes());
    }
    desk.write("good.in", b"2\n7 8\n");
    let mut args = vec!["check", "list", "--input"];
    args.extend(names.iter().map(String::as_str));
    let (status, stdout, _) = run(&desk, &args);
    assert_eq!(status, 1);
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), bad.len(), "{stdout}");
    for ((line, name), (_, place)) in lines.into_iter().zip(&names).zip(bad) {
        assert!(line.starts_with(&format!("{name}:{place}")), "{line}\nshould be at {place}");
    }
    assert_eq!(
        run(&desk, &["check", "list", "--input", "good.in"]),
        (0, "good.in: ok\n".into(), String::new())
    );
}

#[test]
fn a_violation_is_told_as_json_too() {
    let desk = list();
    desk.write("bad.in", b"1\n1 2\n");
    let (status, stdout, _) = run(&desk, &["check", "list", "--input", "bad.in", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let input = &json["inputs"][0];
    assert_eq!(status, 1);
    assert_eq!((&input["line"], &input["column"], &input["ok"]), (&2.into(), &2.into(), &false.into()));
}

#[test]
fn mistakes_of_all_problems_and_files_are_told_at_once() {
    let desk = list();
    desk.write("problems/list/statement.en.md", b"One comment\n<!-- constraint -->\nand one <!-- open\n");
    desk.write("problems/list/statement.ru.md", b"\n");
    desk.write("problems/other/problem.toml", LIST.replace("len = \"n\"", "len = \"m\"").as_bytes());
    desk.write("problems/third/problem.toml", b"format = 1\ntitle = { en = \"\xff\" }\n");
    let fourth = LIST.replace("en = \"List\"", "en = \"List\", zh = \"List\"").replace("program", "solver");
    desk.write("problems/fourth/problem.toml", fourth.as_bytes());
    let (status, stdout, stderr) = run(&desk, &["check"]);
    assert_eq!((status, stderr.as_str()), (1, ""));
    insta::assert_snapshot!(stdout);
    let (status, stdout, _) = run(&desk, &["check", "fourth", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(status, 1);
    assert_eq!(json["problems"][0]["mistakes"][2]["line"], 3);
    assert_eq!(json["problems"][0]["mistakes"][0]["file"], "problems/fourth/problem.toml");
}

#[test]
fn a_package_that_was_touched_is_told() {
    let desk = Desk::with_a_problem();
    let (status, _, stderr) = run(&desk, &["generate", "stone-game-iii"]);
    assert_eq!(status, 0, "{stderr}");
    let well = (0, "stone-game-iii: no mistakes\n".to_owned(), String::new());
    assert_eq!(run(&desk, &["check"]), well);
    desk.write("generated/stone-game-iii/samples/1.in", b"4\n1 2 3 2000\n");
    desk.write("generated/stone-game-iii/samples/2.in", b"4\n1 2 3 7\n");
    fs::remove_file(desk.path("generated/stone-game-iii/samples/3.ans")).unwrap();
    let (status, stdout, _) = run(&desk, &["check"]);
    assert_eq!(status, 1);
    for part in [
        "line 2, column 7: expected an integer from -1000 to 1000 as value 4 of 4 of `stoneValue`, found `2000`",
        "the file has changed since it was made",
        "the manifest names this file, but it is not there",
        "--> generated/stone-game-iii/samples/3.ans",
        "make it again: touchstone generate stone-game-iii",
        "stone-game-iii: 3 mistakes",
    ] {
        assert!(stdout.contains(part), "{part}\n{stdout}");
    }
}

#[test]
fn wrong_commands_end_with_2() {
    let desk = list();
    for (args, part) in [
        (&["check", "lits"][..], "did you mean `list`?"),
        (&["check", "--input", "x.in"], "name the one problem"),
        (&["check", "list", "--input", "x.in"], "cannot read `x.in`"),
        (&["new", "list"], "exists already"),
        (&["new", "Two Words"], "cannot name a problem"),
        (&["new", "../outside"], "cannot name a problem"),
        (&["new", ""], "cannot name a problem"),
    ] {
        let (status, stdout, stderr) = run(&desk, args);
        assert_eq!((status, stdout.as_str()), (2, ""), "{args:?}");
        assert!(stderr.contains(part), "{args:?}: {stderr}");
    }
}

#[test]
fn a_new_problem_has_no_mistakes() {
    let desk = Desk::new();
    let (status, stdout, stderr) = run(&desk, &["new", "largest-sum"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("problems/largest-sum/problem.toml"), "{stdout}");
    assert_eq!(run(&desk, &["check", "largest-sum"]).0, 0);
}

fn a_new_problem_verifies_at_once(walls: Walls) {
    // The solver of a new problem is a C++ program, its wrong solution a Python one.
    if require("cpp") && require("python") {
        let desk = Desk::behind(walls);
        assert_eq!(run(&desk, &["new", "largest-sum"]).0, 0);
        let (status, stdout, stderr) = run(&desk, &["verify", "largest-sum"]);
        assert_eq!(status, 0, "{stdout}{stderr}");
    }
}
