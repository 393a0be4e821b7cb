//! Checkers and interactors that are programs: their protocols, who is to blame, and what is said.

use serde_json::Value;

use crate::desk::Desk;
use crate::sandbox::{marked, wait_until};
use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![
    exit_statuses_mean_what_their_protocol_says,
    a_checker_that_crashes_is_the_judges_error_and_sees_only_its_files,
    what_a_program_of_the_jurys_leaves_is_bounded,
    an_interactor_talks_with_a_submission_and_the_right_side_is_blamed,
    a_submission_that_waits_is_not_blamed_for_an_interactor_that_hangs,
    a_validator_may_ask_for_another_pass,
    an_interactor_may_ask_for_another_pass,
    all_tests_are_run_after_a_judge_error_when_all_are_asked_for,
    nothing_of_the_jurys_outlives_a_judge_that_is_killed,
    a_checker_rules_on_what_an_interactor_of_testlibs_wrote,
];

/// The verdict and the message of the first test.
fn first(document: &Value) -> (&str, &str) {
    let test = &document["submissions"][0]["tests"][0];
    (test["verdict"].as_str().unwrap_or_default(), test["message"].as_str().unwrap_or_default())
}

/// Ends with the status that the submission printed, in both protocols.
const ENDS_AS_TOLD: &str = "import sys\n\
    at = 2 if sys.argv[1].endswith('input') and sys.argv[2].endswith('output') else None\n\
    text = open(sys.argv[2]).read() if at else sys.stdin.read()\n\
    open('kept', 'w').write('x')\n\
    sys.stderr.write('words of the checker\\n')\n\
    sys.exit(int(text))\n";

fn exit_statuses_mean_what_their_protocol_says(walls: Walls) {
    if !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.write("check.py", ENDS_AS_TOLD);
    desk.write("echo.py", "print(input())\n");
    let table = [
        (0, "AC", "JE"),
        (1, "WA", "JE"),
        (2, "WA", "JE"),
        (3, "JE", "JE"),
        (4, "WA", "JE"),
        (7, "JE", "JE"),
        (8, "WA", "JE"),
        (42, "JE", "AC"),
        (43, "JE", "WA"),
        (99, "JE", "JE"),
    ];
    for (status, testlib, kattis) in table {
        desk.write("tests/1.in", format!("{status}\n"));
        desk.write("tests/1.ans", "\n");
        for (protocol, verdict) in [("testlib", testlib), ("kattis", kattis)] {
            let checker = format!("{protocol}:check.py");
            let (document, ended) =
                desk.json(&["grade", "echo.py", "--tests", "tests", "--checker", &checker]);
            assert_eq!(first(&document).0, verdict, "{protocol} {status}: {document:#}");
            assert_eq!(
                ended,
                match verdict {
                    "AC" => 0,
                    "WA" => 1,
                    _ => 3,
                }
            );
            let is_told = verdict == "AC" || first(&document).1.contains("words of the checker");
            assert!(is_told, "{protocol} {status}: {document:#}");
        }
    }
    assert!(desk.left_over().is_empty(), "{:?}", desk.left_over());
}

fn a_checker_that_crashes_is_the_judges_error_and_sees_only_its_files(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("5\n", "5\n"), ("6\n", "6\n")]);
    desk.write(
        "echo.c",
        "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", n); }\n",
    );
    desk.write("crash.c", "int main(void) { __builtin_trap(); }\n");
    let (document, ended) =
        desk.json(&["grade", "echo.c", "--tests", "tests", "--checker", "testlib:crash.c"]);
    let (verdict, message) = first(&document);
    assert_eq!((verdict, ended), ("JE", 3));
    assert!(message.contains("checker `crash.c` crashed with signal"), "{message}");
    desk.write("hangs.c", "int main(void) { for (volatile int i = 0;; i++); }\n");
    let (document, ended) =
        desk.json(&["grade", "echo.c", "--tests", "tests", "--test", "1", "--checker", "testlib:hangs.c"]);
    let (verdict, message) = first(&document);
    assert_eq!((verdict, ended), ("JE", 3));
    assert!(message.contains("checker `hangs.c` took too much CPU time"), "{message}");
    let missing = desk.run(&["grade", "echo.c", "--tests", "tests", "--checker", "testlib:none.cpp"]);
    assert!(missing.status == 2 && missing.stderr.contains("cannot read `none.cpp`"), "{missing:?}");
    let nameless = desk.run(&["grade", "echo.c", "--tests", "tests", "--checker", "testlib:none"]);
    assert!(nameless.status == 2 && nameless.stderr.contains("cannot read `none`"), "{nameless:?}");
    let unnamed = desk.run(&["grade", "echo.c", "--tests", "tests", "--checker", "testlib:"]);
    assert!(unnamed.status == 2 && unnamed.stderr.contains("testlib:FILE or kattis:FILE"), "{unnamed:?}");
    desk.write("header.c", "#include \"small.h\"\nint main(void) { return ANSWER; }\n");
    desk.write("small.h", "#define ANSWER 0\n");
    let (document, _) = desk.json(&["grade", "echo.c", "--tests", "tests", "--checker", "testlib:header.c"]);
    assert_eq!(first(&document).0, "AC", "{document:#}");
    desk.write("lacks.cpp", "#include \"testlib.h\"\nint main() {}\n");
    let lacks = desk.run(&["grade", "echo.c", "--tests", "tests", "--checker", "testlib:lacks.cpp"]);
    assert!(lacks.status == 2 && lacks.stderr.contains("testlib.h does not come with"), "{lacks:?}");
}

/// A jury's program that fills the disk is the judge's error, and what it made is neither much nor slow to clear away.
fn what_a_program_of_the_jurys_leaves_is_bounded(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("5\n", "5\n")]);
    desk.write("echo.c", "#include <stdio.h>\nint main(void) { puts(\"5\"); }\n");
    let program = |made: &str| {
        format!(
            "#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\nstatic char piece[1 << 20];\n\
             int main(int argc, char **argv) {{ for (int i = 0; i < 60000; i++) {{ char name[20]; sprintf(name, \"f%d\", i);\n\
             int f = open(name, O_CREAT | O_WRONLY, 0600); if (f < 0) return 3; {made} close(f); }} return STATUS; }}\n"
        )
    };
    let programs = [
        ("many.c", program(""), "wrote too many files"),
        (
            "much.c",
            program("for (int k = 0; k < 60; k++) if (write(f, piece, sizeof piece) < 0) return 3;"),
            "too large",
        ),
    ];
    for (name, text, message) in programs {
        for (flag, choice, status) in [("--checker", "testlib", "0"), ("--interactor", "kattis", "42")] {
            desk.write(name, text.replace("STATUS", status));
            let choice = format!("{choice}:{name}");
            let (document, ended) = desk.json(&["grade", "echo.c", "--tests", "tests", flag, &choice]);
            let (verdict, said) = first(&document);
            assert_eq!((verdict, ended), ("JE", 3), "{choice}: {document:#}");
            assert!(said.contains(message), "{choice}: {said}");
        }
    }
    assert!(desk.left_over().is_empty(), "{:?}", desk.left_over());
}

/// Guess a number from 1 to 100 in seven tries, in the Kattis protocol.
const GUESSING: &str = "import sys\n\
    def end(status, text):\n    open(sys.argv[3] + 'judgemessage.txt', 'w').write(text)\n    sys.exit(status)\n\
    hidden = int(open(sys.argv[1]).read())\n\
    for turn in range(7):\n    line = sys.stdin.readline()\n    if not line: end(43, 'silence after %d guesses' % turn)\n\
    \x20   guess = int(line)\n    if not 1 <= guess <= 100: end(43, 'guess %d is no guess' % guess)\n\
    \x20   print('found' if guess == hidden else 'less' if hidden < guess else 'more', flush=True)\n\
    \x20   if guess == hidden: end(42, 'found')\n\
    end(43, 'seven wrong guesses')\n";

fn an_interactor_talks_with_a_submission_and_the_right_side_is_blamed(walls: Walls) {
    if !require("c") || !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("77\n", "77\n")]);
    desk.write("interact.py", GUESSING);
    let c = |main: &str| format!("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n{main}\n");
    let search = "int main(void) { int lo = 1, hi = 100; char said[9]; for (;;) { int mid = (lo + hi) / 2;\
                  printf(\"%d\\n\", mid); FLUSH; if (scanf(\"%8s\", said) != 1) return 1;\
                  if (!strcmp(said, \"found\")) return 0; if (*said == 'l') hi = mid - 1; else lo = mid + 1; } }";
    let programs = [
        ("right.c", search.replace("FLUSH", "fflush(stdout)"), "AC", ""),
        ("silent.c", search.replace("FLUSH", "(void)0"), "TLE", "was the output flushed?"),
        (
            "outside.c",
            "int main(void) { puts(\"0\"); fflush(stdout); for (;;) puts(\"1\"); }".to_owned(),
            "WA",
            "guess 0 is no guess",
        ),
        (
            "loops.c",
            "int main(void) { puts(\"0\"); fflush(stdout); for (;;); }".to_owned(),
            "WA",
            "guess 0 is no guess",
        ),
        (
            "leaves.c",
            "int main(void) { puts(\"50\"); return 0; }".to_owned(),
            "WA",
            "silence after 1 guesses",
        ),
        (
            "crashes.c",
            "int main(void) { puts(\"50\"); fflush(stdout); abort(); }".to_owned(),
            "RTE",
            "signal 6",
        ),
        // The interactor has spoken long before these end; one that has to be stopped then was not killed by a fault of
        // its own, and one that crashes on its way out does so each time.
        (
            "lingers.c",
            "#include <unistd.h>\nint main(void) { puts(\"50\"); fclose(stdout); usleep(300000); return 0; }"
                .to_owned(),
            "WA",
            "silence after 1 guesses",
        ),
        (
            "stays.c",
            "#include <unistd.h>\nint main(void) { puts(\"50\"); fclose(stdout); sleep(60); return 0; }"
                .to_owned(),
            "WA",
            "silence after 1 guesses",
        ),
        (
            "falls.c",
            "#include <unistd.h>\nint main(void) { puts(\"50\"); fclose(stdout); usleep(300000); abort(); }"
                .to_owned(),
            "RTE",
            "signal 6",
        ),
        ("floods.c", "int main(void) { for (;;) puts(\"50\"); }".to_owned(), "WA", "seven wrong guesses"),
        ("thinks.c", "int main(void) { for (volatile int i = 0;; i++); }".to_owned(), "TLE", ""),
    ];
    for (name, text, verdict, message) in programs {
        desk.write(name, c(&text));
        let args = [
            "grade",
            name,
            "--tests",
            "tests",
            "--time-limit",
            "500ms",
            "--interactor",
            "kattis:interact.py",
        ];
        let (document, _) = desk.json(&args);
        let (found, said) = first(&document);
        assert_eq!(found, verdict, "{name}: {document:#}");
        assert!(said.contains(message), "{name}: {said}");
        let transcript = document["submissions"][0]["tests"][0]["transcript"].as_str().unwrap_or_default();
        assert_eq!(
            transcript.contains("> 0\n"),
            name == "outside.c" || name == "loops.c",
            "{name}: {transcript}"
        );
    }
    desk.write("breaks.py", "import sys\nsys.exit(1)\n");
    let args = ["grade", "right.c", "--tests", "tests", "--interactor", "kattis:breaks.py"];
    let (document, ended) = desk.json(&args);
    assert_eq!((first(&document).0, ended), ("JE", 3), "{document:#}");
    assert!(desk.left_over().is_empty(), "{:?}", desk.left_over());
}

fn a_submission_that_waits_is_not_blamed_for_an_interactor_that_hangs(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("77\n", "77\n")]);
    desk.write(
        "waits.c",
        "#include <stdio.h>\nint main(void) { int n; while (scanf(\"%d\", &n) == 1) { printf(\"%d\\n\", n); fflush(stdout); } }\n",
    );
    let interactors = [
        ("computes.c", "int main(void) { for (volatile int i = 0;; i++); }\n"),
        ("sleeps.c", "#include <unistd.h>\nint main(void) { sleep(1000); }\n"),
        ("floods.c", "#include <stdio.h>\nint main(void) { for (;;) puts(\"1\"); }\n"),
    ];
    for (name, text) in interactors {
        desk.write(name, text);
        let interactor = format!("kattis:{name}");
        let args =
            ["grade", "waits.c", "--tests", "tests", "--time-limit", "300ms", "--interactor", &interactor];
        let (document, ended) = desk.json(&args);
        let (verdict, message) = first(&document);
        assert_eq!((verdict, ended), ("JE", 3), "{name}: {document:#}");
        assert!(message.contains(&format!("the interactor `{name}` ")), "{message}");
    }
    assert!(desk.left_over().is_empty(), "{:?}", desk.left_over());
}

fn a_validator_may_ask_for_another_pass(walls: Walls) {
    if !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("3\n", "0\n")]);
    desk.write(
        "validate.py",
        "import sys\n\
         left = int(sys.stdin.read())\n\
         was = int(open(sys.argv[1]).read())\n\
         if left >= 0 and was - left not in (0, 1): sys.exit(1)\n\
         with open(sys.argv[3] + 'judgemessage.txt', 'a') as said: said.write('left %d\\n' % left)\n\
         if left < 0: sys.exit(43)\n\
         if left > 0: open(sys.argv[3] + 'nextpass.in', 'w').write('%d\\n' % left)\n\
         sys.exit(42)\n",
    );
    desk.write("counts_down.py", "print(int(input()) - 1)\n");
    desk.write("jumps.py", "n = int(input())\nprint(n - 1 if n > 2 else -7)\n");
    desk.write("stays.py", "print(input())\n");
    for (name, verdict, message) in [
        ("counts_down.py", "AC", ""),
        ("jumps.py", "WA", "pass 2: left 2"),
        ("stays.py", "JE", "more passes than there may be"),
    ] {
        let (document, _) =
            desk.json(&["grade", name, "--tests", "tests", "--checker", "kattis:validate.py"]);
        let (found, said) = first(&document);
        assert!(found == verdict && said.contains(message), "{name}: {document:#}");
    }
}

/// Says a number, and wants the one below it; then the same with that one, until there is none.
const COUNTS_DOWN: &str = "import sys\n\
    number = int(open(sys.argv[1]).read())\n\
    with open(sys.argv[3] + 'judgemessage.txt', 'a') as said: said.write('number %d\\n' % number)\n\
    print(number, flush=True)\n\
    line = sys.stdin.readline()\n\
    if line.strip() != str(number - 1): sys.exit(43)\n\
    if number > 1: open(sys.argv[3] + 'nextpass.in', 'w').write('%d\\n' % (number - 1))\n\
    sys.exit(42)\n";

fn an_interactor_may_ask_for_another_pass(walls: Walls) {
    if !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("3\n", "0\n")]);
    desk.write("interact.py", COUNTS_DOWN);
    desk.write("right.py", "print(int(input()) - 1)\n");
    desk.write("wrong.py", "n = int(input())\nprint(n - 1 if n > 2 else n)\n");
    desk.write("crashes.py", "n = int(input())\nprint(n - 1 if n > 1 else 1 // 0)\n");
    for (name, verdict, message) in [
        ("right.py", "AC", ""),
        ("wrong.py", "WA", "pass 2: number 3\nnumber 2"),
        ("crashes.py", "RTE", "pass 3: "),
    ] {
        let (document, _) =
            desk.json(&["grade", name, "--tests", "tests", "--interactor", "kattis:interact.py"]);
        let (found, said) = first(&document);
        assert!(found == verdict && said.contains(message), "{name}: {document:#}");
        let transcript = document["submissions"][0]["tests"][0]["transcript"].as_str().unwrap_or_default();
        if name == "wrong.py" {
            assert_eq!(transcript, "< 2\n> 2\n");
        }
    }
    let endless = COUNTS_DOWN.replace("if number > 1: ", "");
    desk.write("interact.py", endless);
    let (document, ended) =
        desk.json(&["grade", "right.py", "--tests", "tests", "--interactor", "kattis:interact.py"]);
    let (verdict, message) = first(&document);
    assert!(verdict == "JE" && ended == 3 && message.contains("more passes than there may be"), "{message}");
}

fn all_tests_are_run_after_a_judge_error_when_all_are_asked_for(walls: Walls) {
    if !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("1\n", "1\n"), ("2\n", "2\n"), ("3\n", "3\n")]);
    desk.write("echo.py", "print(input())\n");
    desk.write(
        "check.py",
        "import sys\nsys.exit({'1': 0, '2': 9, '3': 1}[open(sys.argv[2]).read().strip()])\n",
    );
    let verdicts = |more: &[&str]| {
        let args = ["grade", "echo.py", "--tests", "tests", "--checker", "testlib:check.py"];
        let (document, ended) = desk.json(&[&args, more].concat());
        let tests = document["submissions"][0]["tests"].as_array().unwrap().clone();
        let words: Vec<String> =
            tests.iter().map(|test| test["verdict"].as_str().unwrap_or("-").to_owned()).collect();
        (words.join(" "), document["submissions"][0]["verdict"].clone(), ended)
    };
    assert_eq!(verdicts(&[]), ("AC JE -".to_owned(), "JE".into(), 3));
    assert_eq!(verdicts(&["--all"]), ("AC JE WA".to_owned(), "JE".into(), 3));
}

fn nothing_of_the_jurys_outlives_a_judge_that_is_killed(walls: Walls) {
    if !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("1\n", "1\n")]);
    desk.write("echo.py", "print(input())\n");
    for (protocol, role) in [("testlib", "--checker"), ("kattis", "--checker"), ("kattis", "--interactor")] {
        let mark = format!("473{}{}{}", walls as u8, protocol.len(), role.len());
        desk.write(
            "jury.py",
            format!("import os\nopen('kept', 'w').write('x')\nos.execvp('sleep', ['sleep', '{mark}'])\n"),
        );
        let program = format!("{protocol}:jury.py");
        let mut judge =
            desk.command(&["grade", "echo.py", "--tests", "tests", role, &program]).spawn().unwrap();
        wait_until(|| marked(&mark) == 1);
        assert!(!desk.left_over().is_empty());
        judge.kill().unwrap();
        judge.wait().unwrap();
        wait_until(|| marked(&mark) == 0);
        wait_until(|| desk.left_over().is_empty());
    }
}

/// Guess a number in testlib's protocol: however many guesses it takes, their number is what is written.
const COUNTING: &str = "import sys\n\
    def end(status, text):\n    sys.stderr.write(text)\n    sys.exit(status)\n\
    hidden = int(open(sys.argv[1]).read())\n\
    guesses = 0\n\
    while True:\n    line = sys.stdin.readline()\n    if not line: end(1, 'silence after %d guesses' % guesses)\n\
    \x20   guesses += 1\n    guess = int(line)\n\
    \x20   if not 1 <= guess <= 100: end(2, 'guess %d is no guess' % guess)\n\
    \x20   if guess == hidden: open(sys.argv[2], 'w').write('%d\\n' % guesses)\n\
    \x20   print('found' if guess == hidden else 'less' if hidden < guess else 'more', flush=True)\n\
    \x20   if guess == hidden: end(0, 'found')\n";

/// At most seven guesses. To be asked of a talk that was refused would be the judge's error.
const AT_MOST_SEVEN: &str = "import sys\n\
    kattis = sys.argv[3].endswith('/')\n\
    text = sys.stdin.read() if kattis else open(sys.argv[2]).read()\n\
    if not text or int(open(sys.argv[1]).read()) != 77: sys.exit(99)\n\
    good = int(text) <= 7\n\
    if not good and kattis: open(sys.argv[3] + 'judgemessage.txt', 'w').write('%d guesses' % int(text))\n\
    if not good: sys.stderr.write('%d guesses' % int(text))\n\
    sys.exit((42 if good else 43) if kattis else not good)\n";

fn a_checker_rules_on_what_an_interactor_of_testlibs_wrote(walls: Walls) {
    if !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    // The right answer is the number of guesses that a search by halves takes.
    desk.tests(&[("77\n", "7\n")]);
    desk.write("interact.py", COUNTING);
    desk.write("check.py", AT_MOST_SEVEN);
    let search = |end: &str| {
        format!(
            "lo, hi = 1, 100\nwhile True:\n    mid = (lo + hi) // 2\n    print(mid, flush=True)\n    said = input()\n\
             \x20   if said == 'found': break\n    if said == 'less': hi = mid - 1\n    else: lo = mid + 1\n{end}\n"
        )
    };
    desk.write("halves.py", search(""));
    desk.write("crashes.py", search("raise SystemExit(5)"));
    desk.write(
        "counts.py",
        "n = 1\nwhile True:\n    print(n, flush=True)\n    if input() == 'found': break\n    n += 1\n",
    );
    desk.write("leaves.py", "print(1)\n");
    desk.write("outside.py", "print(101, flush=True)\ninput()\n");
    let grade = |name: &str, checker: &str| {
        let args =
            ["grade", name, "--tests", "tests", "--interactor", "testlib:interact.py", "--checker", checker];
        let (document, _) = desk.json(&args);
        let (verdict, message) = first(&document);
        let transcript = document["submissions"][0]["tests"][0]["transcript"].as_str().unwrap_or_default();
        assert_eq!(transcript.is_empty(), verdict == "AC" || verdict == "JE", "{document:#}");
        (verdict.to_owned(), message.to_owned())
    };
    let programs = [
        ("halves.py", "AC", ""),
        ("counts.py", "WA", "77 guesses"),
        ("leaves.py", "WA", "silence after 1 guesses"),
        ("outside.py", "WA", "guess 101 is no guess"),
        ("crashes.py", "RTE", "exit status 5"),
    ];
    for (name, verdict, message) in programs {
        for checker in ["testlib:check.py", "kattis:check.py"] {
            let (found, said) = grade(name, checker);
            assert!(found == verdict && said.contains(message), "{name}, {checker}: {found}: {said}");
        }
    }
    assert_eq!(grade("halves.py", "tokens").0, "AC");
    let (verdict, message) = grade("counts.py", "tokens");
    assert!(verdict == "WA" && message.contains("77"), "{verdict}: {message}");
    // A checker that fails is the judge's error, and so is an interactor that takes the output away.
    desk.write("check.py", "import sys\nsys.exit(99)\n");
    let (verdict, message) = grade("halves.py", "testlib:check.py");
    assert!(verdict == "JE" && message.contains("checker `check.py` ended with exit status 99"), "{message}");
    desk.write(
        "interact.py",
        COUNTING
            .replace("import sys\n", "import sys, os\nos.remove(sys.argv[2])\n")
            .replace("'w'", "'w') if 0 else open('x', 'w'"),
    );
    let (verdict, message) = grade("halves.py", "tokens");
    assert!(verdict == "JE" && message.contains("left no file of output for the checker"), "{message}");
    let args = [
        "grade",
        "halves.py",
        "--tests",
        "tests",
        "--interactor",
        "kattis:interact.py",
        "--checker",
        "tokens",
    ];
    let said = desk.run(&args);
    assert!(said.status == 2 && said.stderr.contains("`--checker` makes no sense beside it"), "{said:?}");
    assert!(desk.left_over().is_empty(), "{:?}", desk.left_over());
}
