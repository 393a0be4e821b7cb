//! Programs of a problem's own that make inputs: called with their seed, run twice, validated, and known by the manifest.

use serde_json::json;

use crate::desk::Desk;
use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![
    a_program_makes_tests_from_its_seed,
    what_a_program_does_wrong_is_told_and_nothing_is_written,
    a_search_asks_programs_too_and_blames_the_right_one,
];

/// The sum of n numbers, with as few derived tests as can be.
fn problem(desk: &Desk, programs: &str) {
    desk.write(
        "problems/sum/problem.toml",
        format!(
            "format = 1\ntitle = {{ en = \"Sum\" }}\nlimits = {{ time = \"1s\", memory = \"64MiB\" }}\n\
             answer = {{ program = \"solutions/sum/accepted/sum.py\" }}\nsize.n = {{ min = 1, max = 6 }}\n\
             families = {{ exhaustive = {{ budget = 0 }}, small_random = {{ count = 0 }},\n\
             max_small_values = {{ count = 0 }}, max_random = {{ count = 1 }}, off = [\"edges/*\", \"edges/*/*\"] }}\n\
             [[input]]\nname = \"a\"\ntype = \"array\"\nlen = \"n\"\nitem = {{ type = \"int\", min = 1, max = 9 }}\n\
             {programs}"
        ),
    );
    desk.write("problems/sum/statement.en.md", "Sum them.\n");
    desk.write("solutions/sum/accepted/sum.py", "input()\nprint(sum(map(int, input().split())))\n");
}

/// So many numbers as the first argument says, from the seed that is the second.
const RIGHT: &str = "import random, sys\nassert len(sys.argv[2]) == 64\nrandom.seed(int(sys.argv[2], 16))\n\
    n = int(sys.argv[1])\nprint(n)\nprint(*[random.randint(1, 9) for _ in range(n)])\n";

fn a_program_makes_tests_from_its_seed(walls: Walls) {
    if !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    problem(
        &desk,
        "[[program]]\nrun = \"gen.py\"\nargs = [\"6\"]\ncount = 3\n\
         [[program]]\nrun = \"gen.py\"\nname = \"five\"\nargs = [\"5\", \"{seed}\"]\n",
    );
    desk.write("problems/sum/gen.py", RIGHT);
    let said = desk.run(&["generate", "--jobs", "1"]);
    assert!(said.status == 0 && said.stderr.is_empty(), "{said:?}");
    let input = |name: &str| std::fs::read_to_string(desk.path(format!("generated/sum/{name}.in"))).unwrap();
    let first = [input("gen/01"), input("gen/02"), input("gen/03"), input("five/01")];
    assert!(first[0] != first[1] && first[3].starts_with("5\n"), "{first:?}");
    let manifest = std::fs::read_to_string(desk.path("generated/sum/manifest.toml")).unwrap();
    assert!(
        manifest.contains("[[maker]]\nrun = \"gen.py\"\nsha256 = ") && manifest.contains("family = \"five\"")
    );
    assert_eq!(manifest.matches("[[maker]]").count(), 1);
    let said = desk.run(&["generate", "--check", "--jobs", "4"]);
    assert!(said.status == 0 && said.stdout.contains("as the manifest says"), "{said:?}");
    let (document, status) = desk.json(&["grade", "solutions/sum/accepted/sum.py"]);
    let tests = document["submissions"][0]["tests"].as_array().unwrap();
    assert_eq!((status, &tests.last().unwrap()["name"]), (0, &json!("five/01")), "{document:#}");
    // Another seed gives other inputs of the same names, another text of the program another package.
    let said = desk.run(&["generate", "--seed", "2"]);
    assert!(said.status == 0 && input("gen/01") != first[0], "{said:?}");
    desk.write("problems/sum/gen.py", RIGHT.replace("randint(1, 9)", "randint(1, 8)"));
    let said = desk.run(&["generate", "--check"]);
    assert!(said.status == 1 && said.stdout.contains("made by other [[program]]s"), "{said:?}");
    let said = desk.run(&["grade", "solutions/sum/accepted/sum.py"]);
    assert!(said.stderr.contains("generating the tests of sum"), "{said:?}");
}

fn what_a_program_does_wrong_is_told_and_nothing_is_written(walls: Walls) {
    if !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    problem(&desk, "[[program]]\nrun = \"gen.py\"\nargs = [\"6\", \"{number}\"]\ncount = 4\n");
    let written = || desk.path("generated/sum").exists();
    let line = "n = int(sys.argv[2])\n";
    for (body, status, expected) in [
        // No number at all when n is 0, and a blank at the end of some.
        (
            format!("import sys\n{line}print(4 - n)\nprint(*[1] * (4 - n))\n"),
            2,
            "input refused by the validator, seed 4: line 1, column 1: expected an integer from 1 to 6 as `n`, found `0`",
        ),
        (
            format!("import sys\n{line}print(n)\nprint(*[1] * n, end=' \\n' if n == 2 else '\\n')\n"),
            2,
            "input refused by the validator, seed 2: line 2, column 4",
        ),
        // Two runs in half a million draw the same.
        (
            "import os\nprint(6)\nprint(*[1 + byte % 9 for byte in os.urandom(6)])\n".to_owned(),
            2,
            "is not reproducible",
        ),
        (
            "import sys\nsys.exit('no seed')\n".to_owned(),
            2,
            "it ended with exit status 1; its standard error ends with:\nno seed",
        ),
        ("print(2\n".to_owned(), 2, "cannot use the generator `gen.py`"),
    ] {
        desk.write("problems/sum/gen.py", &body);
        let said = desk.run(&["generate"]);
        assert!(said.status == status && said.stderr.contains(expected), "{body}: {said:?}");
        assert!(!written(), "{body}");
    }
    // The trusted solver fails on an input: the seed and the input are told.
    desk.write("problems/sum/gen.py", format!("import sys\n{line}print(n)\nprint(*[1] * n)\n"));
    let sum = "n = int(input())\nif n == 3: raise SystemExit(1)\nprint(sum(map(int, input().split())))\n";
    desk.write("solutions/sum/accepted/sum.py", sum);
    let said = desk.run(&["generate"]);
    let told = "the trusted solver failed on the test `gen/03`, seed `3`: it ended with exit status 1";
    assert!(
        said.status == 3 && said.stderr.contains(told) && said.stderr.contains("input:\n3\n1 1 1"),
        "{said:?}"
    );
    assert!(!written());
    // Three seeds that give the same are no mistake, but worth a word.
    problem(&desk, "[[program]]\nrun = \"gen.py\"\nargs = [\"6\"]\n");
    desk.write("problems/sum/gen.py", RIGHT.replace("int(sys.argv[2], 16)", "sys.argv[0]"));
    let said = desk.run(&["generate"]);
    let told = "note: sum: 3 seeds give identical files: does the generator `gen.py` use its seed?";
    assert!(said.status == 0 && said.stderr.contains(told), "{said:?}");
}

fn a_search_asks_programs_too_and_blames_the_right_one(walls: Walls) {
    if !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    problem(&desk, "[[program]]\nrun = \"gen.py\"\nargs = [\"{seed31}\"]\n");
    // One input that the model's own families draw once in half a million.
    desk.write("problems/sum/gen.py", "print(6)\nprint(3, 1, 4, 1, 5, 9)\n");
    let wrong = "input()\na = list(map(int, input().split()))\nprint(sum(a) + (a == [3, 1, 4, 1, 5, 9]))\n";
    desk.write("solutions/sum/wrong_answer/pi.py", wrong);
    let args = ["stress", "solutions/sum/wrong_answer/pi.py", "--for", "2s", "--seed", "1"];
    let (document, status) = desk.json(&args);
    assert_eq!((status, &document["failure"]["input"]), (1, &json!("6\n3 1 4 1 5 9\n")), "{document:#}");
    // What the program does wrong is not held against the solution.
    desk.write("problems/sum/gen.py", "print(0)\nprint()\n");
    let said = desk.run(&args);
    assert!(said.status == 2 && said.stderr.contains("input refused by the validator, seed "), "{said:?}");
}

/// What a generator, a solver or a second opinion says of itself, and what it prints, reaches a terminal only as text.
#[test]
fn programs_of_a_problem_have_no_say_on_the_terminal() {
    if !require("python3") {
        return;
    }
    let desk = Desk::new();
    problem(&desk, "[[program]]\nrun = \"gen.py\"\n");
    const ORDERS: &str = "\\x1b[2J\\x1b]52;c;AAAA\\x07 evil\\r\\n\\u202e";
    let fails = format!("import sys\nsys.stderr.write('{ORDERS}')\nsys.exit(7)\n");
    let prints = format!("print('3\\n1 {ORDERS} 2')\n");
    let ask = |args: &[&str], says: &str| {
        // Where colours are asked for, nothing takes escape sequences away again.
        let output = desk.command(args).env("CLICOLOR_FORCE", "1").output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(text.contains(says) && text.contains("evil"), "{text}");
        let plain = text.replace("\x1b[0m", "").replace("\x1b[1m", "").replace("\x1b[31m", "");
        let obeyed = plain.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
        assert_eq!(obeyed, None, "{text:?}");
    };
    desk.write("problems/sum/gen.py", &fails);
    ask(&["generate"], "the generator `gen.py` failed");
    desk.write("problems/sum/gen.py", &prints);
    ask(&["generate"], "refused by the validator");
    desk.write("problems/sum/gen.py", "print('3\\n1 2 3')\n");
    let right = "solutions/sum/accepted/sum.py";
    std::fs::copy(desk.path(right), desk.path("right.py")).unwrap();
    desk.write("against.py", &fails);
    ask(&["stress", "right.py", "-p", "sum", "--against", "against.py", "--for", "5s"], "exit status 7");
    desk.write(right, &fails);
    ask(&["generate"], "the trusted solver failed");
}

/// Whoever opens a pipe waits for a writer that never comes.
#[test]
fn pipes_among_a_problems_files_are_told_and_not_waited_for() {
    let desk = Desk::new();
    problem(&desk, "");
    let pipe = |name: &str| {
        let _ = std::fs::remove_file(desk.path(name));
        nix::unistd::mkfifo(&desk.path(name), nix::sys::stat::Mode::S_IRWXU).unwrap();
    };
    for (name, args) in [
        ("problems/sum/statement.en.md", &["check"][..]),
        ("problems/sum/selection.toml", &["check"]),
        ("problems/sum/selection.toml", &["generate"]),
        ("problems/sum/strength.toml", &["strength", "sum"]),
    ] {
        pipe(name);
        let said = desk.run(args);
        let text = [&*said.stdout, &*said.stderr].concat();
        assert!(said.status != 0 && text.contains("regular file"), "{name}, {args:?}: {said:?}");
    }
    for name in ["selection.toml", "strength.toml"] {
        std::fs::remove_file(desk.path(format!("problems/sum/{name}"))).unwrap();
    }
    // The record of a measurement is written as well as read.
    if require("python3") {
        let measured = "problems/sum/measured.toml";
        pipe(measured);
        let said = desk.run(&["strength", "sum"]);
        assert!(said.status == 0 && !said.stderr.contains("cannot"), "{said:?}");
        assert!(desk.path(measured).metadata().unwrap().is_file());
    }
    pipe("solutions/sum/accepted/sum.py");
    let said = desk.run(&["generate"]);
    assert!(said.status != 0 && said.stderr.contains("sum.py"), "{said:?}");
}

#[test]
fn a_generator_that_is_not_there_is_told_with_its_line() {
    let desk = Desk::new();
    problem(&desk, "[[program]]\nrun = \"gen.py\"\n[[program]]\nname = \"b\"\nrun = \"gne.py\"\n");
    desk.write("problems/sum/gen.py", RIGHT);
    let said = desk.run(&["check"]);
    assert!(said.status == 1 && said.stdout.contains("the generator `gne.py` is not there"), "{said:?}");
    assert!(
        said.stdout.contains("did you mean `gen.py`?") && said.stdout.contains("problem.toml:17:7"),
        "{said:?}"
    );
}
