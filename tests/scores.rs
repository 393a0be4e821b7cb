//! Subtasks and their points: of loose tests and of problems, with parts that checkers give, and what kept solutions are
//! expected to get.

use serde_json::{Value, json};

use crate::desk::{Desk, without_measures};
use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![
    points_of_loose_subtasks_add_up,
    a_subtask_ends_by_itself_and_waits_for_those_that_it_needs,
    checkers_give_parts_in_both_protocols,
    kept_solutions_are_held_to_their_points,
    the_least_part_of_a_pack_counts_in_function_mode_too,
];

/// Three subtasks of two sums each; the last sum is 301.
fn sums(desk: &Desk, last: &str) {
    for (name, a, b) in
        [("1-1", 1, 2), ("1-2", 3, 4), ("2-1", 10, 20), ("2-2", 30, 40), ("3-1", 100, 200), ("3-2", 100, 201)]
    {
        desk.write(format!("tests/{name}.in"), format!("{a} {b}\n"));
        desk.write(format!("tests/{name}.ans"), format!("{}\n", a + b));
    }
    desk.write(
        "tests/subtasks.toml",
        format!(
            "[[subtask]]\nname = \"1\"\npoints = 33.33\ntests = [\"1-*\"]\n\
             [[subtask]]\nname = \"2\"\npoints = 33.33\ntests = [\"2-1\", \"2-2\"]\n\
             [[subtask]]\nname = \"3\"\npoints = 33.34\n{last}tests = [\"3-*\"]\n"
        ),
    );
    let c = |what: &str| {
        format!("#include <stdio.h>\nint main(void) {{ int a, b; scanf(\"%d %d\", &a, &b); {what} }}\n")
    };
    desk.write("all.c", c("printf(\"%d\\n\", a + b);"));
    desk.write("first_only.c", c("printf(\"%d\\n\", a < 10 ? a + b : 0);"));
    desk.write("last_wrong.c", c("printf(\"%d\\n\", a + b == 301 ? 0 : a + b);"));
    desk.write("not_first.c", c("if (a < 10) return 1; printf(\"%d\\n\", a + b);"));
    desk.write("broken.c", "int main(void) { return x; }\n");
}

fn points_of_loose_subtasks_add_up(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    sums(&desk, "");
    for (solution, verdict, score) in [
        ("all.c", "AC", json!(100)),
        ("first_only.c", "WA", json!(33.33)),
        ("last_wrong.c", "WA", json!(66.66)),
        ("not_first.c", "RTE", json!(66.67)),
        ("broken.c", "CE", json!(0)),
    ] {
        // What is known from before gives the same points.
        for _ in 0..2 {
            let (document, status) = desk.json(&["grade", solution, "--tests", "tests"]);
            let submission = &document["submissions"][0];
            assert_eq!(
                (&submission["verdict"], &submission["score"]),
                (&json!(verdict), &score),
                "{document:#}"
            );
            assert_eq!((submission["max_score"].clone(), status), (json!(100), i32::from(verdict != "AC")));
        }
    }
    let (document, _) = desk.json(&["grade", "last_wrong.c", "--tests", "tests"]);
    let submission = &document["submissions"][0];
    assert_eq!(submission["tests"][5]["group"], "3");
    assert_eq!(
        submission["groups"][2],
        json!({"name": "3", "score": 0, "points": 33.34, "verdict": "WA", "passed": 1, "tests": 2,
               "first_failing_test": "3-2"})
    );
    let said = desk.run(&["grade", "last_wrong.c", "--tests", "tests"]);
    let shown = without_measures(&said.stdout);
    assert!(shown.contains("WA 66.66/100 last_wrong.c c <time>"), "{shown}");
    let table = "points last_wrong.c\n  subtask points passed verdict first failure\n  \
                 1 33.33 of 33.33 2/2 AC\n  2 33.33 of 33.33 2/2 AC\n  3 0 of 33.34 1/2 WA 3-2\n";
    assert!(shown.contains(table), "{shown}");
    assert!(said.stdout.lines().all(|line| line.chars().count() <= 80), "{}", said.stdout);
    // One test alone says nothing of a subtask, and without subtasks there is no score.
    let (document, _) = desk.json(&["grade", "all.c", "--tests", "tests", "--test", "1-1"]);
    let submission = &document["submissions"][0];
    assert_eq!((&submission["score"], &submission["groups"]), (&Value::Null, &Value::Null));
    std::fs::remove_file(desk.path("tests/subtasks.toml")).unwrap();
    let (document, _) = desk.json(&["grade", "last_wrong.c", "--tests", "tests"]);
    let submission = &document["submissions"][0];
    assert_eq!((&submission["score"], &submission["max_score"]), (&Value::Null, &Value::Null));
}

/// The verdicts of all tests, `-` for those that were not run.
fn verdicts(submission: &Value) -> String {
    let tests = submission["tests"].as_array().unwrap();
    let words: Vec<&str> = tests.iter().map(|test| test["verdict"].as_str().unwrap_or("-")).collect();
    words.join(" ")
}

fn a_subtask_ends_by_itself_and_waits_for_those_that_it_needs(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    let loops = "#include <stdio.h>\nint main(void) { int a, b; scanf(\"%d %d\", &a, &b);\n\
                 if (a == LOOPS) for (;;); printf(\"%d\\n\", a + b); }\n";
    desk.write("first_loops.c", loops.replace("LOOPS", "1"));
    desk.write("second_loops.c", loops.replace("LOOPS", "10"));
    let grade = |solution: &str, more: &[&str]| {
        let args = ["grade", solution, "--tests", "tests", "--time-limit", "300ms"];
        desk.json(&[&args, more].concat()).0["submissions"][0].clone()
    };
    for jobs in ["1", "4"] {
        let jobs = ["--jobs", jobs, "--no-cache"];
        sums(&desk, "needs = [\"1\"]\n");
        let submission = grade("first_loops.c", &jobs);
        assert_eq!(
            (verdicts(&submission).as_str(), &submission["score"]),
            ("TLE - AC AC - -", &json!(33.33))
        );
        let message = "not run: its subtask needs `1`, which was not passed";
        assert_eq!(submission["tests"][4]["message"], message);
        assert_eq!(submission["groups"][2]["verdict"], Value::Null);
        let submission = grade("first_loops.c", &[&jobs as &[&str], &["--all"]].concat());
        assert_eq!(
            (verdicts(&submission).as_str(), &submission["score"]),
            ("TLE AC AC AC AC AC", &json!(33.33))
        );
        let submission = grade("not_first.c", &[&jobs as &[&str], &["--fail-fast"]].concat());
        assert_eq!(
            (verdicts(&submission).as_str(), &submission["score"]),
            ("RTE - AC AC - -", &json!(33.33))
        );
        // Each test of a sum counts, so none is left out.
        sums(&desk, "score = \"sum\"\n");
        desk.write(
            "tests/subtasks.toml",
            std::fs::read_to_string(desk.path("tests/subtasks.toml"))
                .unwrap()
                .replace("name = \"2\"", "name = \"2\"\nscore = \"sum\""),
        );
        let submission = grade("second_loops.c", &jobs);
        assert_eq!(
            (verdicts(&submission).as_str(), &submission["score"]),
            ("AC AC TLE AC AC AC", &json!(83.34))
        );
    }
}

fn checkers_give_parts_in_both_protocols(walls: Walls) {
    if !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    for (name, part) in [("1", "0.5"), ("2", "1"), ("3", "0.25")] {
        desk.write(format!("tests/{name}.in"), format!("{part}\n"));
        desk.write(format!("tests/{name}.ans"), "\n");
    }
    desk.write("echo.py", "print(input())\n");
    desk.write(
        "points.py",
        "import sys\nsys.stderr.write('points %s near\\n' % open(sys.argv[2]).read().strip())\nsys.exit(7)\n",
    );
    desk.write(
        "percent.py",
        "import sys\np = int(100 * float(open(sys.argv[2]).read()))\n\
         sys.stderr.write('partially correct (%d) near\\n' % p)\nsys.exit(p)\n",
    );
    let kattis = |file: &str| {
        format!("import sys\nopen(sys.argv[3] + '{file}', 'w').write(sys.stdin.read())\nsys.exit(42)\n")
    };
    desk.write("multiplies.py", kattis("score_multiplier.txt"));
    desk.write("scores.py", kattis("score.txt"));
    let grade = |checker: &str, rule: &str| {
        let text = format!("[[subtask]]\nname = \"a\"\npoints = 3\nscore = \"{rule}\"\ntests = [\"*\"]\n");
        desk.write("tests/subtasks.toml", text);
        desk.json(&["grade", "echo.py", "--tests", "tests", "--checker", checker])
    };
    for (checker, min, sum) in [
        ("testlib:points.py", json!(0.25), json!(1.75)),
        ("testlib:percent.py", json!(0.75), json!(1.75)),
        ("kattis:multiplies.py", json!(0.75), json!(1.75)),
        ("kattis:scores.py", json!(0.25), json!(1.75)),
    ] {
        for (rule, score) in [("min", min), ("sum", sum)] {
            let (document, status) = grade(checker, rule);
            let submission = &document["submissions"][0];
            assert_eq!((&submission["score"], status), (&score, 1), "{checker} {rule}: {document:#}");
            // One point is all of a test's in a sum of three, and a third where it is all or nothing.
            let counts_points = ["kattis:scores.py", "testlib:points.py"].contains(&checker);
            let second = if counts_points && rule == "min" { "WA" } else { "AC" };
            assert_eq!(verdicts(submission), format!("WA {second} WA"), "{checker} {rule}");
        }
    }
    let (document, _) = grade("testlib:points.py", "min");
    let test = &document["submissions"][0]["tests"][0];
    assert_eq!(test["marks"], json!({"points": 0.5}));
    assert_eq!(test["message"], "0.5 points: points 0.5 near");
    // More than there is, and points where there are none, are faults of the jury's.
    desk.write("tests/1.in", "2\n");
    for (checker, expected) in [
        ("testlib:points.py", "gives 2 points, where a test is worth 1"),
        ("kattis:multiplies.py", "gives 2 of the points, more than all"),
        ("kattis:scores.py", "gives 2 points, where a test is worth 1"),
    ] {
        let (document, status) = grade(checker, "sum");
        let submission = &document["submissions"][0];
        assert_eq!((&submission["verdict"], &submission["score"], status), (&json!("JE"), &Value::Null, 3));
        let message = submission["tests"][0]["message"].as_str().unwrap();
        assert!(message.contains(expected), "{message}");
    }
    std::fs::remove_file(desk.path("tests/subtasks.toml")).unwrap();
    for checker in ["testlib:points.py", "kattis:scores.py", "kattis:multiplies.py"] {
        let (document, status) = desk.json(&["grade", "echo.py", "--tests", "tests", "--checker", checker]);
        let message = document["submissions"][0]["tests"][0]["message"].as_str().unwrap();
        assert!(status == 3 && message.contains("without subtasks there are no scores"), "{message}");
    }
}

#[test]
fn mistakes_in_subtasks_beside_tests_are_told_with_their_lines() {
    let desk = Desk::new();
    sums(&desk, "");
    let subtask = |name: &str, points: &str, tests: &str| {
        format!("[[subtask]]\nname = \"{name}\"\npoints = {points}\ntests = {tests}\n")
    };
    let first = subtask("a", "30", "[\"1-*\"]");
    for (text, expected) in [
        (subtask("a", "30", "[]"), "no test belongs to the subtask `a`"),
        (subtask("a", "30", "[\"1-3\"]"), "no test is named `1-3`"),
        (subtask("a", "33.333", "[\"*\"]"), "expected two decimals at most"),
        (subtask("a", "-1", "[\"*\"]"), "expected a number without sign"),
        (subtask("a", "1e2", "[\"*\"]"), "without sign or exponent"),
        (subtask("a", "\"30\"", "[\"*\"]"), "should be a number, as in 30 or 33.33"),
        (format!("{first}{}", subtask("b", "70", "[\"*-1\"]")), "`1-1` belongs to two subtasks, `a` and `b`"),
        (format!("{first}needs = [\"b\"]\n"), "there is no subtask `b` before this one"),
        (format!("{first}score = \"max\"\n"), "expected \"min\" (all or nothing) or \"sum\""),
        (format!("{first}size.n = {{ max = 3 }}\n"), "unknown key `size`"),
        ("points = 3\n".to_owned(), "has no `subtask`"),
        ("[[subtask]\n".to_owned(), "not valid TOML"),
    ] {
        desk.write("tests/subtasks.toml", &text);
        let said = desk.run(&["grade", "all.c", "--tests", "tests"]);
        assert!(said.status == 2 && said.stderr.contains(expected), "{text}: {said:?}");
        assert!(said.stderr.contains("tests/subtasks.toml:") || expected.contains("`subtask`"), "{said:?}");
    }
    if require("c") {
        desk.write("tests/subtasks.toml", &first);
        let said = desk.run(&["grade", "all.c", "--tests", "tests"]);
        let note = "note: tests of no subtask, which give no points: `2-1`, `2-2`, `3-1`, `3-2`";
        assert!(said.status == 0 && said.stderr.contains(note), "{said:?}");
    }
}

/// The sum of n numbers: for 30 points up to ten of them, for the rest all.
const SUBTASKS: &str = "format = 1\ntitle = { en = \"Sum\" }\nlimits = { time = \"1s\", memory = \"64MiB\" }\n\
    answer = { program = \"solutions/sum/accepted/sum.c\" }\nsize.n = { min = 1, max = 40 }\n\
    families = { exhaustive = { budget = 0 }, small_random = { count = 0 } }\n\
    [[input]]\nname = \"a\"\ntype = \"array\"\nlen = \"n\"\nitem = { type = \"int\", min = 0, max = 9 }\n\
    [[subtask]]\nname = \"small\"\npoints = 30\nsize.n = { max = 10 }\n\
    [[subtask]]\nname = \"all\"\npoints = 70\nneeds = [\"small\"]\n";

fn kept_solutions_are_held_to_their_points(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.write("problems/sum/problem.toml", SUBTASKS);
    desk.write("problems/sum/statement.en.md", "Sum them.\n");
    let c = |comment: &str, what: &str| {
        format!(
            "// {comment}\n#include <stdio.h>\nint main(void) {{ int n, s = 0, x; scanf(\"%d\", &n);\n\
             for (int i = 0; i < n; i++) {{ scanf(\"%d\", &x); s += x; }} {what} printf(\"%d\\n\", s); }}\n"
        )
    };
    let solutions = "solutions/sum";
    desk.write(format!("{solutions}/accepted/sum.c"), c("", ""));
    let crash = "if (n > 10) __builtin_trap();";
    let says = "touchstone: expect RTE score=30 small=AC all=RTE";
    desk.write(format!("{solutions}/partially_accepted/small.c"), c(says, crash));
    desk.write(format!("{solutions}/partially_accepted/other.c"), c("", crash));
    // All of the large ones right, and one of the small: nothing is won.
    let zero = "touchstone: expect score=0 small=WA";
    desk.write(format!("{solutions}/wrong_answer/one.c"), c(zero, "if (n == 1) s++;"));
    let (document, status) = desk.json(&["verify"]);
    let problem = &document["problems"][0];
    assert_eq!((status, &problem["faults"]), (0, &json!([])), "{document:#}");
    let row = |problem: &Value, name: &str| {
        let rows = problem["solutions"].as_array().unwrap();
        rows.iter().find(|row| row["solution"].as_str().unwrap().ends_with(name)).unwrap().clone()
    };
    let small = row(problem, "small.c");
    assert_eq!(
        (&small["score"], &small["expected_score"], &small["max_score"]),
        (&json!(30), &json!(30), &json!(100))
    );
    let (document, _) = desk.json(&["grade", "solutions/sum/partially_accepted/small.c"]);
    let submission = &document["submissions"][0];
    assert_eq!((&submission["verdict"], &submission["score"]), (&json!("RTE"), &json!(30)));
    let groups: Vec<&Value> =
        submission["tests"].as_array().unwrap().iter().map(|test| &test["group"]).collect();
    assert!(groups.contains(&&json!("small")) && groups.contains(&&json!("all")), "{groups:?}");
    let said = desk.run(&["verify"]);
    assert!(said.stdout.contains("30/100") && said.stdout.contains("partial"), "{}", said.stdout);
    assert!(said.stdout.lines().all(|line| line.chars().count() <= 80), "{}", said.stdout);

    let wrong = [
        (
            "partially_accepted",
            "",
            "",
            "expected WA or TLE or RTE or MLE or OLE, got AC; score 100 of 100, expected some",
        ),
        ("wrong_answer", "touchstone: expect score=30", "if (n == 1) s++;", "score 0 of 100, expected 30"),
        (
            "wrong_answer",
            "touchstone: expect small=TLE",
            "if (n == 1) s++;",
            "subtask `small`: WA, expected TLE",
        ),
        (
            "wrong_answer",
            "touchstone: expect all=TLE",
            "if (n == 1) s++;",
            "subtask `all`: skipped, expected TLE",
        ),
        ("accepted", "touchstone: expect large=AC", "", "there is no such subtask"),
        ("accepted", "touchstone: expect all=OK", "", "cannot read `all=OK`"),
    ];
    for (number, (folder, comment, what, _)) in wrong.iter().enumerate() {
        desk.write(format!("{solutions}/{folder}/new{number}.c"), c(comment, what));
    }
    let said = desk.run(&["verify"]);
    assert_eq!(said.status, 1);
    for (number, (_, comment, _, expected)) in wrong.iter().enumerate() {
        let name = format!("new{number}.c: ");
        let told = said.stdout.lines().find(|line| line.contains(&name));
        assert!(told.is_some_and(|line| line.contains(expected)), "{comment}: {}", said.stdout);
    }
    // A subtask that can have no test of its own is refused.
    let same = "[[subtask]]\nname = \"again\"\npoints = 1\nsize.n = { max = 10 }\n";
    desk.write("problems/sum/problem.toml", format!("{SUBTASKS}{same}"));
    let said = desk.run(&["generate"]);
    assert!(said.status == 2 && said.stderr.contains("no test belongs to the subtask `again`"), "{said:?}");
    // And one that could be won without the smaller inputs is warned of.
    desk.write("problems/sum/problem.toml", SUBTASKS.replace("needs = [\"small\"]\n", ""));
    let said = desk.run(&["check"]);
    let warning = "`all` can be won without the smaller inputs of `small`";
    assert!(said.stdout.contains(warning) && said.stdout.contains("add `needs = [\"small\"]`"), "{said:?}");
}

/// Half of the points for who is off by one, counted from 0 to 100.
const OFF_BY_ONE: &str = "import sys\n\
    answer, output = int(open(sys.argv[3]).read()), int(open(sys.argv[2]).read())\n\
    if answer == output: sys.exit(0)\n\
    sys.stderr.write('points %d off\\n' % (50 if abs(answer - output) == 1 else 0))\n\
    sys.exit(7)\n";

fn the_least_part_of_a_pack_counts_in_function_mode_too(walls: Walls) {
    if !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.write(
        "problems/twice/problem.toml",
        "format = 1\ntitle = { en = \"Twice\" }\nlimits = { time = \"1s\", memory = \"256MiB\" }\n\
         answer = { program = \"solutions/twice/accepted/twice.py\" }\n\
         checker = { kind = \"testlib\", program = \"check.py\", full = 100 }\n\
         families = { exhaustive = { budget = 20 }, small_random = { count = 0 }, off = [\"edges/*\"] }\n\
         function = { name = \"twice\", returns = \"int\" }\n\
         [[input]]\nname = \"n\"\ntype = \"int\"\nmin = 1\nmax = 20\n\
         [[subtask]]\nname = \"all\"\npoints = 30\n",
    );
    desk.write("problems/twice/statement.en.md", "Double it.\n");
    desk.write("problems/twice/check.py", OFF_BY_ONE);
    let twice =
        |what: &str| format!("class Solution:\n    def twice(self, n: int) -> int:\n        return {what}\n");
    desk.write("solutions/twice/accepted/twice.py", twice("2 * n"));
    for (name, what, score) in [
        ("odd.py", "2 * n + n % 2", 15),
        ("one.py", "2 * n + n % 2 + 9 * (n == 7)", 0),
        ("right.py", "n + n", 30),
    ] {
        desk.write(name, twice(what));
        let (document, _) = desk.json(&["grade", name, "-p", "twice", "--no-shrink"]);
        let submission = &document["submissions"][0];
        assert_eq!(submission["score"], json!(score), "{name}: {document:#}");
        assert_eq!(submission["verdict"], if score == 30 { "AC" } else { "WA" });
    }
}
