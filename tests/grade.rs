//! Grading as a whole, from the command line: every verdict, the report for people and for programs, order, Ctrl-C.

use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::desk::{Desk, without_measures};
use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![
    each_verdict_has_its_name_its_message_and_its_exit_status,
    the_document_is_as_promised,
    the_report_is_the_same_and_its_commands_repeat_the_walls,
    mistakes_are_told_in_the_submitters_file_though_the_cache_lies_below_tmp,
    a_hundred_tests_come_in_natural_order_whatever_the_number_of_workers,
    after_a_time_limit_the_larger_tests_are_skipped_unless_all_are_wanted,
    a_known_verdict_is_used_until_something_changes,
    huge_and_odd_outputs_make_a_small_valid_report,
    a_lost_answer_or_a_missing_tool_is_never_the_submissions_fault,
    a_function_is_graded_on_packs_with_one_row_each,
    state_kept_between_calls_is_told_and_decides_nothing,
    calls_that_all_take_their_time_are_stopped_together,
    ctrl_c_ends_everything_and_leaves_nothing,
];

const SUM: &str = "#include <stdio.h>\nint main(void) { long a, b; scanf(\"%ld %ld\", &a, &b); printf(\"%ld\\n\", a + b); }\n";

/// A C program with this main function, in the file `name`.
fn c(desk: &Desk, name: &str, main: &str) {
    let head = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n";
    desk.write(name, format!("{head}int main(void) {{ {main} }}\n"));
}

/// The only submission of a document.
fn only(document: &Value) -> &Value {
    let submissions = document["submissions"].as_array().unwrap();
    assert_eq!(submissions.len(), 1);
    &submissions[0]
}

fn each_verdict_has_its_name_its_message_and_its_exit_status(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("2 3\n", "5\n")]);
    let programs = [
        ("ac.c", "puts(\"5\");", "AC", "", 0),
        ("wa.c", "puts(\"6\");", "WA", "expected \"5\", found \"6\"", 1),
        ("tle.c", "for (volatile int i = 0;; i++);", "TLE", "used more than 200ms of CPU time", 1),
        ("sleep.c", "sleep(60);", "TLE", "ms of CPU in", 1),
        ("mle.c", "for (;;) { char *p = malloc(1 << 20); memset(p, 1, 1 << 20); }", "MLE", "64MiB", 1),
        (
            "ole.c",
            "for (;;) puts(\"0123456789012345678901234567890123456789012345678901234567890\");",
            "OLE",
            "output",
            1,
        ),
        (
            "exit.c",
            "puts(\"5\"); fputs(\"last words\\n\", stderr); return 3;",
            "RTE",
            "exit status 3: last words",
            1,
        ),
        ("abort.c", "abort();", "RTE", "signal 6 (SIGABRT", 1),
        ("ce.c", "return nothing;", "CE", "", 1),
    ];
    for (name, main, verdict, message, status) in programs {
        c(&desk, name, main);
        let time = if name == "ole.c" { "5s" } else { "200ms" };
        let args = ["grade", name, "--tests", "tests", "--time-limit", time, "--memory-limit", "64MiB"];
        for (_, means) in walls.means() {
            let (document, ended) = desk.json(&[&args[..], &["--accounting", means]].concat());
            let submission = only(&document);
            assert_eq!((submission["verdict"].as_str(), ended), (Some(verdict), status), "{document:#}");
            let said = submission["tests"][0]["message"].as_str().unwrap_or_default();
            assert!(said.contains(message), "{name}: {said}");
            assert_eq!(submission["compile"]["ok"], json!(verdict != "CE"));
        }
    }
    assert!(desk.left_over().is_empty(), "{:?}", desk.left_over());
}

fn the_document_is_as_promised(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("2 3\n", "5\n"), ("1 1\n", "3\n")]);
    desk.write("sum.c", SUM);
    let (mut document, status) = desk.json(&["grade", "sum.c", "--tests", "tests"]);
    for row in document["submissions"][0]["tests"].as_array_mut().unwrap() {
        for measure in ["cpu_ms", "wall_ms", "memory_bytes"] {
            assert!(row[measure].as_f64().is_some_and(|value| value >= 0.0), "{row}");
            row[measure] = json!("measured");
        }
    }
    assert!(document["isolation"]["memory"].is_string() && document["isolation"]["namespaces"].is_boolean());
    document["isolation"] = json!("told");
    assert_eq!(status, 1);
    assert_eq!(
        document,
        json!({"problem": null, "isolation": "told", "submissions": [{
            "solution": "sum.c", "language": "c", "mode": "stdin", "verdict": "WA", "score": null,
            "compile": {"ok": true, "log": ""}, "first_failing_test": "2",
            "tests": [
                {"name": "1", "group": null, "verdict": "AC", "cpu_ms": "measured", "wall_ms": "measured",
                 "memory_bytes": "measured", "exit_code": 0, "signal": null, "message": ""},
                {"name": "2", "group": null, "verdict": "WA", "cpu_ms": "measured", "wall_ms": "measured",
                 "memory_bytes": "measured", "exit_code": 0, "signal": null, "failing_input": "1 1\n",
                 "message": "line 1, column 1: expected \"3\", found \"2\""},
            ],
        }]})
    );
}

/// The report on a wrong answer, a crash and a compile error; what the compiler says, which differs from version to
/// version, apart.
fn report(desk: &Desk) -> (String, String) {
    desk.tests(&[("2 3\n", "5\n"), ("1 1\n", "3\n")]);
    desk.write("sum.c", SUM);
    c(desk, "zero.c", "fputs(\"dividing\\n\", stderr); abort();");
    c(desk, "wrong name.c", "return nothing;");
    let args = ["grade", "sum.c", "zero.c", "wrong name.c", "--tests", "tests", "--memory-limit", "64MiB"];
    let said = desk.run(&args);
    assert_eq!(said.status, 1);
    assert!(said.stdout.lines().take(6).all(|line| line.chars().count() <= 80), "{}", said.stdout);
    // One line, whatever this machine gives.
    assert!(said.stderr.lines().count() <= 1, "{}", said.stderr);
    let (report, compile_error) = said.stdout.split_once("compile error").unwrap();
    (without_measures(report), compile_error.to_owned())
}

#[test]
fn the_report_reads_well() {
    if !require("c") {
        return;
    }
    let (report, compile_error) = report(&Desk::new());
    insta::assert_snapshot!(report);
    assert!(compile_error.contains("wrong name.c:5") && compile_error.contains("error:"), "{compile_error}");
}

fn the_report_is_the_same_and_its_commands_repeat_the_walls(walls: Walls) {
    if !require("c") {
        return;
    }
    let (unsaid, _) = report(&Desk::new());
    let (said, compile_error) = report(&Desk::behind(walls));
    let flag = format!(" --isolation {}", walls.flag());
    assert_eq!(said.matches(&flag).count(), 2, "{said}");
    // Longer commands stand on a line of their own.
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&said.replace(&flag, "")), words(&unsaid));
    assert!(compile_error.contains("wrong name.c:5") && compile_error.contains("error:"), "{compile_error}");
}

/// The desk lies below `/tmp`, which behind walls is another place than outside.
fn mistakes_are_told_in_the_submitters_file_though_the_cache_lies_below_tmp(walls: Walls) {
    if !require("javascript") {
        return;
    }
    let desk = Desk::with_a_problem_behind(walls);
    desk.write("twice.js", "let a = 1;\nlet a = 2;\n");
    let (document, _) = desk.json(&["grade", "twice.js", "-p", "stone-game-iii", "--mode", "stdin"]);
    let log = only(&document)["compile"]["log"].as_str().unwrap();
    assert!(log.starts_with("twice.js:2\n"), "{log}");
    desk.write("throws.js", "function stoneGameIII(stones) {\n  throw new RangeError('no stones');\n}\n");
    let (document, _) = desk.json(&["grade", "throws.js", "-p", "stone-game-iii", "--test", "samples/1"]);
    let stderr = only(&document)["tests"][0]["stderr"].as_str().unwrap();
    assert_eq!(stderr, "RangeError: no stones\n    at stoneGameIII (solution.js:2:9)");
}

fn a_hundred_tests_come_in_natural_order_whatever_the_number_of_workers(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    let numbers: Vec<String> = (1..=100).map(|number| format!("{number}\n")).collect();
    let tests: Vec<(&str, &str)> = numbers.iter().map(|text| (text.as_str(), text.as_str())).collect();
    desk.tests(&tests);
    c(&desk, "seven.c", "int n; scanf(\"%d\", &n); printf(\"%d\\n\", n % 7 == 0 && n > 20 ? 0 : n);");
    let mut seen = Vec::new();
    for jobs in ["1", "8"] {
        let (document, _) =
            desk.json(&["grade", "seven.c", "--tests", "tests", "--jobs", jobs, "--no-cache"]);
        let rows = only(&document)["tests"].as_array().unwrap();
        let names: Vec<String> = rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect();
        assert_eq!(names, (1..=100).map(|number| number.to_string()).collect::<Vec<_>>());
        assert_eq!(only(&document)["first_failing_test"], "21");
        seen.push(rows.iter().map(|row| row["verdict"].clone()).collect::<Vec<_>>());
    }
    assert_eq!(seen[0], seen[1]);
    let (document, _) = desk.json(&["grade", "seven.c", "--tests", "tests", "--fail-fast", "--jobs", "8"]);
    let rows = only(&document)["tests"].as_array().unwrap();
    assert!(rows[..20].iter().all(|row| row["verdict"] == "AC") && rows[20]["verdict"] == "WA");
    assert!(rows[21..].iter().all(|row| row["verdict"].is_null()), "what comes after is skipped");
    let (document, status) = desk.json(&["grade", "seven.c", "--tests", "tests", "--test", "50"]);
    assert_eq!((only(&document)["tests"].as_array().unwrap().len(), status), (1, 0));
    let said = desk.run(&["grade", "seven.c", "--tests", "tests", "--test", "500"]);
    assert!(said.status == 2 && said.stderr.contains("did you mean"), "{said:?}");
}

fn after_a_time_limit_the_larger_tests_are_skipped_unless_all_are_wanted(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("1\n", "1\n"), ("2\n", "2\n"), ("3\n", "3\n")]);
    c(&desk, "two.c", "int n; scanf(\"%d\", &n); while (n == 2); printf(\"%d\\n\", n);");
    let verdicts = |more: &[&str]| -> Vec<Value> {
        let args = ["grade", "two.c", "--tests", "tests", "--time-limit", "100ms"];
        let (document, status) = desk.json(&[&args, more].concat());
        assert_eq!((only(&document)["verdict"].as_str(), status), (Some("TLE"), 1));
        only(&document)["tests"].as_array().unwrap().iter().map(|row| row["verdict"].clone()).collect()
    };
    assert_eq!(verdicts(&[]), [json!("AC"), json!("TLE"), json!(null)]);
    assert_eq!(verdicts(&["--all"]), [json!("AC"), json!("TLE"), json!("AC")]);
}

fn a_known_verdict_is_used_until_something_changes(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("2 3\n", "5\n")]);
    desk.write("sum.c", SUM);
    let grade = |more: &[&str]| {
        desk.run(&[&["grade", "sum.c", "--tests", "tests", "--format", "json"], more].concat())
    };
    // Measured times differ from run to run, so the same text means that nothing was run.
    let runs: Vec<String> = (0..3).map(|_| grade(&[]).stdout).collect();
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[1], runs[2]);
    desk.write("tests/1.ans", "6\n");
    assert_eq!(grade(&[]).status, 1);
    desk.write("tests/1.ans", "5\n");
    assert_eq!((grade(&[]).status, grade(&["--checker", "exact"]).status), (0, 0));
    // What cannot be understood is as if it were not there.
    for entry in std::fs::read_dir(desk.path(".cache/touchstone/verdicts")).unwrap() {
        std::fs::write(entry.unwrap().path(), "{]").unwrap();
    }
    assert_eq!(grade(&[]).status, 0);
}

fn huge_and_odd_outputs_make_a_small_valid_report(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    let answer: String = (1..=200_000).map(|line| format!("{line}\n")).collect();
    desk.tests(&[("200000\n", &answer.replacen("\n123457\n", "\n7\n", 1))]);
    c(&desk, "count.c", "for (int i = 1; i <= 200000; i++) printf(\"%d\\n\", i);");
    let said = desk.run(&["grade", "count.c", "--tests", "tests", "--checker", "lines", "--format", "json"]);
    assert!(said.stdout.len() < 4096 && said.stdout.contains("line 123457"), "{}", said.stdout);
    let said = desk.run(&["grade", "count.c", "--tests", "tests", "--checker", "lines"]);
    assert!(said.stdout.len() < 4096 && said.stdout.contains("123457"), "{}", said.stdout);
    c(
        &desk,
        "junk.c",
        "for (int i = 0; i < 100000; i++) { putchar(i % 256); fputc(i * 7 % 256, stderr); } return 1;",
    );
    let (document, _) = desk.json(&["grade", "junk.c", "--tests", "tests"]);
    assert_eq!(only(&document)["verdict"], "RTE");
    let text = document.to_string();
    assert!(text.len() < 8192, "{} bytes", text.len());
    let said = desk.run(&["grade", "junk.c", "--tests", "tests"]);
    assert!(!said.stdout.bytes().any(|byte| byte < 0x20 && byte != b'\n'), "{:?}", said.stdout);
}

fn a_lost_answer_or_a_missing_tool_is_never_the_submissions_fault(walls: Walls) {
    if !require("python") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("1\n", "1\n")]);
    desk.write("a.py", "print(1)\n");
    desk.write("b.go", "package main\nfunc main() {}\n");
    // This can be opened, and not read.
    std::fs::remove_file(desk.path("tests/1.ans")).unwrap();
    std::os::unix::fs::symlink("/proc/self/mem", desk.path("tests/1.ans")).unwrap();
    let said = desk.run(&["grade", "a.py", "--tests", "tests"]);
    assert!(matches!(said.status, 2 | 3), "{said:?}");
    assert!(!said.stdout.contains("WA"), "{said:?}");
    std::fs::remove_file(desk.path("tests/1.ans")).unwrap();
    desk.write("tests/1.ans", "1\n");
    let mut command = desk.command(&["grade", "a.py", "b.go", "--tests", "tests", "--format", "json"]);
    let python = std::process::Command::new("sh").args(["-c", "command -v python3"]).output().unwrap();
    let python = String::from_utf8(python.stdout).unwrap();
    let folder = std::path::Path::new(python.trim()).parent().unwrap();
    std::fs::create_dir(desk.path("bin")).unwrap();
    std::os::unix::fs::symlink(folder.join("python3"), desk.path("bin/python3")).unwrap();
    let output = command.env("PATH", format!("{}:/nowhere", desk.path("bin").display())).output().unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let go = &document["submissions"][1];
    assert!(go["verdict"].is_null() && go["compile"]["log"].as_str().unwrap().contains("go"), "{document:#}");
    assert_eq!(output.status.code(), Some(2));
}

/// Grades a function on packs of Stone Game III; `body` is that of `stoneGameIII`.
fn on_packs(desk: &Desk, fields: &str, body: &str, more: &[&str]) -> (Value, i32) {
    desk.write(
        "a.cpp",
        format!(
            "class Solution {{\n{fields}\npublic:\n string stoneGameIII(vector<int>& v) {{\n{body}\n}}\n}};\n"
        ),
    );
    desk.json(&[&["grade", "a.cpp", "-p", "stone-game-iii", "--no-cache"], more].concat())
}

/// Right, in whatever state: the difference of both players' totals, from the end.
const RIGHT: &str = "vector<int> best(v.size() + 3, 0); for (int i = v.size() - 1; i >= 0; i--) { int sum = 0; best[i] = -2e9;
    for (int k = 0; k < 3 && i + k < (int)v.size(); k++) { sum += v[i + k]; best[i] = max(best[i], sum - best[i + k + 1]); } }
    string answer = best[0] > 0 ? \"Alice\" : best[0] < 0 ? \"Bob\" : \"Tie\";";

fn a_function_is_graded_on_packs_with_one_row_each(walls: Walls) {
    if !require("cpp") {
        return;
    }
    let desk = Desk::with_a_problem_behind(walls);
    let (document, status) = on_packs(&desk, "", &format!("{RIGHT} return answer;"), &[]);
    assert_eq!((only(&document)["verdict"].as_str(), status), (Some("AC"), 0), "{document:#}");
    assert_eq!(only(&document)["mode"], "function");
    let rows = only(&document)["tests"].as_array().unwrap().len();
    // Wrong on one small input only, and what it prints is no answer.
    let wrong = format!(
        "{RIGHT} cout << \"Tie\\n\"; if (v == vector<int>{{1, -1, 1}}) return \"Tie\"; return answer;"
    );
    let (document, status) = on_packs(&desk, "", &wrong, &[]);
    let submission = only(&document);
    assert_eq!((submission["verdict"].as_str(), status), (Some("WA"), 1), "{document:#}");
    assert_eq!(submission["tests"].as_array().unwrap().len(), rows);
    let row = |submission: &Value| -> Value {
        let name = &submission["first_failing_test"];
        submission["tests"].as_array().unwrap().iter().find(|row| row["name"] == *name).unwrap().clone()
    };
    assert_eq!(row(submission)["failing_input"], "3\n1 -1 1\n");
    // Without end on that input: the other calls have their own time.
    let slow = format!("{RIGHT} while (v == vector<int>{{1, -1, 1}}); return answer;");
    let (document, _) = on_packs(&desk, "", &slow, &["--time-limit", "200ms"]);
    assert_eq!(only(&document)["verdict"], "TLE");
    assert_eq!(row(only(&document))["failing_input"], "3\n1 -1 1\n");
    let crash = format!("{RIGHT} if (v == vector<int>{{1, -1, 1}}) abort(); return answer;");
    let (document, _) = on_packs(&desk, "", &crash, &[]);
    assert_eq!((&only(&document)["verdict"], &row(only(&document))["signal"]), (&json!("RTE"), &json!(6)));
}

/// It is there to be copied, so no line of it is cut to the terminal's width, as those of a test's input are.
#[test]
fn the_smallest_failing_input_is_shown_whole() {
    if !require("c") {
        return;
    }
    let desk = Desk::with_a_problem();
    desk.write(
        "a.c",
        "#include <stdio.h>\nint f[50004], v[50000];\nint main(void) {\n int n, least = 0; scanf(\"%d\", &n);\n for (int i = 0; i \
         < n; i++) { scanf(\"%d\", v + i); least += v[i] == -1000; }\n for (int i = n - 1; i >= 0; i--) {\n  int best = \
         -2000000000, sum = 0;\n  for (int k = 0; k < 3 && i + k < n; k++) { sum += v[i + k]; if (sum - f[i + k + 1] > best) \
         best = sum - f[i + k + 1]; }\n  f[i] = best;\n }\n puts(least >= 40 ? \"Nobody\" : f[0] > 0 ? \"Alice\" : f[0] < 0 ? \
         \"Bob\" : \"Tie\");\n}\n",
    );
    let said = desk.run(&["grade", "a.c", "-p", "stone-game-iii", "--test", "edges/n=64/all_min"]);
    let whole = format!("    40\n    {}\n", ["-1000"; 40].join(" "));
    assert!(said.stdout.contains(&whole), "{}", said.stdout);
    let input = said.stdout.lines().find(|line| line.contains("bytes left out")).unwrap();
    assert!(input.chars().count() <= 80, "{input}");
}

fn state_kept_between_calls_is_told_and_decides_nothing(walls: Walls) {
    if !require("cpp") {
        return;
    }
    let desk = Desk::with_a_problem_behind(walls);
    let kept = format!("{RIGHT} return ++calls > 3 ? \"Alice\" : answer;");
    let args = ["--test", "exhaustive/n=1..4"];
    let (document, status) = on_packs(&desk, "inline static int calls = 0;", &kept, &args);
    assert_eq!((only(&document)["verdict"].as_str(), status), (Some("AC"), 0), "{document:#}");
    let message = only(&document)["tests"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("state kept between calls: input 4 of "), "{message}");
    // A fault that shows without company is still one.
    let wrong =
        format!("{RIGHT} if (v.size() == 4) return \"Nobody\"; return ++calls > 3 ? \"Alice\" : answer;");
    let (document, _) = on_packs(&desk, "inline static int calls = 0;", &wrong, &args);
    assert_eq!(only(&document)["verdict"], "WA");
    let message = only(&document)["tests"][0]["message"].as_str().unwrap();
    assert!(message.contains("Nobody") && message.contains("state kept between calls"), "{message}");
    // Ending the process does not keep the later calls from being judged.
    let flees = format!(
        "if (calls++) exit(1); {RIGHT} if (v.size() == 2 && v[0] == 1) return \"Nobody\"; return answer;"
    );
    let (document, _) = on_packs(&desk, "inline static int calls = 0;", &flees, &args);
    assert_eq!(only(&document)["verdict"], "WA", "{document:#}");
}

/// Each call keeps within its limit, but a submission must not hold the judge for as many times as there are calls.
fn calls_that_all_take_their_time_are_stopped_together(walls: Walls) {
    if !require("cpp") {
        return;
    }
    let desk = Desk::with_a_problem_behind(walls);
    let sleepy = format!("this_thread::sleep_for(chrono::milliseconds(900)); {RIGHT} return answer;");
    let args = ["--test", "exhaustive/n=1..4", "--time-limit", "100ms"];
    let (document, _) = on_packs(&desk, "", &sleepy, &args);
    let test = &only(&document)["tests"][0];
    assert_eq!(test["verdict"], "TLE", "{document:#}");
    assert!(test["message"].as_str().unwrap().contains("the calls of this test together took"), "{test:#}");
}

fn ctrl_c_ends_everything_and_leaves_nothing(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("1\n", "1\n"), ("2\n", "2\n"), ("3\n", "3\n"), ("4\n", "4\n")]);
    c(&desk, "loop.c", "for (volatile int i = 0;; i++);");
    let mut child = desk
        .command(&["grade", "loop.c", "--tests", "tests", "--time-limit", "60s", "--jobs", "4"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let cache = desk.path(".cache");
    let wait_until = |what: &str, done: &mut dyn FnMut() -> bool| {
        for _ in 0..3000 {
            if done() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("{what} took more than a minute");
    };
    wait_until("starting", &mut || running_from(&cache) > 0);
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).unwrap();
    let mut status = None;
    wait_until("ending", &mut || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    assert_eq!(status.unwrap().code(), Some(3));
    assert_eq!(running_from(&cache), 0);
    assert!(desk.left_over().is_empty(), "{:?}", desk.left_over());
}

/// How many processes run a program that lies below `folder`.
fn running_from(folder: &std::path::Path) -> usize {
    let runs = |entry: std::fs::DirEntry| std::fs::read_link(entry.path().join("exe"));
    let processes = std::fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| runs(entry).ok());
    // Behind walls the folder lies elsewhere, under its own name.
    let folder = folder.to_string_lossy();
    processes.filter(|program| program.to_string_lossy().contains(&*folder)).count()
}
