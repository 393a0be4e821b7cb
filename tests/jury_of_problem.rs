//! Problems whose checker or interactor is a program of their own: generated, graded, verified and searched with it.

use serde_json::json;

use crate::desk::Desk;
use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![
    a_problem_brings_its_own_checker,
    an_interactive_problem_needs_no_answers,
    an_interactor_and_a_checker_may_rule_together
];

const HEAD: &str = "format = 1\ntitle = { en = \"Some\" }\nlimits = { time = \"1s\", memory = \"64MiB\" }\n";

fn problem(desk: &Desk, text: &str) {
    desk.write("problems/some/problem.toml", format!("{HEAD}{text}"));
    desk.write("problems/some/statement.en.md", "Do it.\n");
}

/// Accepts every divisor of the number but 1, in testlib's protocol.
const DIVIDES: &str = "#include \"small.h\"\nint main(int argc, char **argv) {\n\
    long n = number(argv[1]), d = number(argv[2]);\n\
    if (d > 1 && n % d == 0) return 0;\n\
    fprintf(stderr, \"%ld is no divisor\\n\", d);\n    return 1;\n}\n";
const HEADER: &str = "#include <stdio.h>\nstatic long number(const char *name) {\n\
    FILE *file = fopen(name, \"r\");\n    long it = -1;\n    fscanf(file, \"%ld\", &it);\n    return it;\n}\n";

fn a_problem_brings_its_own_checker(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    problem(
        &desk,
        "answer = { program = \"solutions/some/accepted/itself.c\" }\n\
         checker = { kind = \"testlib\", program = \"judge/check.c\" }\n\
         [[input]]\nname = \"n\"\ntype = \"int\"\nmin = 2\nmax = 100\n",
    );
    desk.write("problems/some/judge/check.c", DIVIDES);
    desk.write("problems/some/judge/small.h", HEADER);
    let c =
        |body: &str| format!("#include <stdio.h>\nint main(void) {{ int n; scanf(\"%d\", &n); {body} }}\n");
    let smallest = "for (int d = 2;; d++) if (n % d == 0) { printf(\"%d\\n\", d); return 0; }";
    desk.write("solutions/some/accepted/itself.c", c("printf(\"%d\\n\", n);"));
    desk.write("solutions/some/accepted/smallest.c", c(smallest));
    desk.write("solutions/some/wrong_answer/two.c", c("puts(\"2\");"));
    let (document, status) = desk.json(&["verify"]);
    assert_eq!((status, &document["problems"][0]["faults"]), (0, &json!([])), "{document:#}");
    let two = "solutions/some/wrong_answer/two.c";
    let said = desk.run(&["grade", two, "solutions/some/accepted/smallest.c"]);
    assert!(said.status == 1 && said.stdout.contains("checker testlib:judge/check.c"), "{said:?}");
    assert!(said.stdout.contains("2 is no divisor") && !said.stdout.contains("expected (-)"), "{said:?}");
    // Compared with the answers, another right output is wrong.
    let (document, _) = desk.json(&["grade", "solutions/some/accepted/smallest.c", "--checker", "tokens"]);
    assert_eq!(document["submissions"][0]["verdict"], "WA");
    let (document, status) = desk.json(&["stress", two, "--for", "2s", "--seed", "1"]);
    assert_eq!((status, &document["failure"]["input"]), (1, &json!("3\n")), "{document:#}");
    assert_eq!(document["checker"], "testlib:judge/check.c");
}

/// Guess a number from 1 to 100 in seven tries, in the Kattis protocol, without an answer file's help.
const GUESSING: &str = "import os, sys\n\
    assert os.path.getsize(sys.argv[2]) == 0 and sys.argv[5:] == ['a b']\n\
    def end(status, text):\n    open(sys.argv[3] + 'judgemessage.txt', 'w').write(text)\n    sys.exit(status)\n\
    hidden = int(open(sys.argv[1]).read())\n\
    for turn in range(int(sys.argv[4])):\n    line = sys.stdin.readline()\n    if not line: end(43, 'silence after %d guesses' % turn)\n\
    \x20   guess = int(line)\n\
    \x20   print('found' if guess == hidden else 'less' if hidden < guess else 'more', flush=True)\n\
    \x20   if guess == hidden: end(42, 'found')\n\
    end(43, 'seven wrong guesses')\n";

fn an_interactive_problem_needs_no_answers(walls: Walls) {
    if !require("c") || !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    problem(
        &desk,
        "interactor = { kind = \"kattis\", program = \"interact.py\", args = [\"7\", \"a b\"] }\n\
         [[input]]\nname = \"hidden\"\ntype = \"int\"\nmin = 1\nmax = 100\n",
    );
    desk.write("problems/some/interact.py", GUESSING);
    let search = |lo: u32| {
        format!(
            "#include <stdio.h>\n#include <string.h>\nint main(void) {{ int lo = {lo}, hi = 100; char said[9];\n\
             for (;;) {{ int mid = (lo + hi) / 2; printf(\"%d\\n\", mid); fflush(stdout);\n\
             if (scanf(\"%8s\", said) != 1) return 0; if (!strcmp(said, \"found\")) return 0;\n\
             if (*said == 'l') hi = mid - 1; else lo = mid + 1; }} }}\n"
        )
    };
    desk.write("solutions/some/accepted/search.c", search(1));
    desk.write("solutions/some/wrong_answer/forgets_one.c", search(3));
    let (document, status) = desk.json(&["verify"]);
    assert_eq!((status, &document["problems"][0]["faults"]), (0, &json!([])), "{document:#}");
    let manifest = std::fs::read_to_string(desk.path("generated/some/manifest.toml")).unwrap();
    assert!(manifest.contains("answers = \"none\"\n"), "{manifest}");
    let said = desk.run(&["generate", "--check"]);
    assert_eq!(said.status, 0, "{said:?}");
    let wrong = "solutions/some/wrong_answer/forgets_one.c";
    let said = desk.run(&["grade", wrong]);
    assert!(said.status == 1 && said.stdout.contains(" · interactor kattis:interact.py\n"), "{said:?}");
    assert!(said.stdout.contains("seven wrong guesses") && said.stdout.contains("> 51"), "{said:?}");
    let (document, status) = desk.json(&["stress", wrong, "--for", "2s", "--seed", "1"]);
    assert_eq!((status, &document["failure"]["input"]), (1, &json!("1\n")), "{document:#}");
    assert!(document["failure"]["transcript"].as_str().unwrap().contains("< less"), "{document:#}");
    for (args, expected) in [
        (&["grade", wrong, "--checker", "tokens"] as &[&str], "`--checker` makes no sense"),
        (&["stress", wrong, "--against", wrong], "`--against` makes no sense"),
    ] {
        let said = desk.run(args);
        assert!(said.status == 2 && said.stderr.contains(expected), "{said:?}");
    }
}

/// Says the hidden number plus what it is asked; what it heard last is the output.
const ADDS: &str = "import sys\n\
    hidden = int(open(sys.argv[1]).read())\n\
    asked = sys.stdin.readline()\n\
    print(hidden + int(asked), flush=True)\n\
    open(sys.argv[2], 'w').write(sys.stdin.readline())\n";

fn an_interactor_and_a_checker_may_rule_together(walls: Walls) {
    if !require("python3") {
        return;
    }
    let desk = Desk::behind(walls);
    let with = |checker: &str| {
        problem(
            &desk,
            &format!(
                "answer = {{ program = \"problems/some/answer.py\" }}\n{checker}\n\
                 interactor = {{ kind = \"testlib\", program = \"interact.py\" }}\n\
                 [[input]]\nname = \"hidden\"\ntype = \"int\"\nmin = 1\nmax = 4\n"
            ),
        );
    };
    desk.write("problems/some/answer.py", "print(input())\n");
    desk.write("problems/some/interact.py", ADDS);
    desk.write(
        "problems/some/check.py",
        "import sys\nsys.exit(open(sys.argv[2]).read().split() != open(sys.argv[3]).read().split())\n",
    );
    desk.write("solutions/some/accepted/asks.py", "print(5, flush=True)\nprint(int(input()) - 5)\n");
    desk.write("solutions/some/wrong_answer/forgets.py", "print(5, flush=True)\nprint(int(input()))\n");
    let wrong = "solutions/some/wrong_answer/forgets.py";
    for (checker, shown) in [
        ("", "interactor testlib:interact.py"),
        ("checker = { kind = \"tokens\" }", "interactor testlib:interact.py, checker tokens"),
        (
            "checker = { kind = \"testlib\", program = \"check.py\" }",
            "interactor testlib:interact.py, checker testlib:check.py",
        ),
    ] {
        with(checker);
        let said = desk.run(&["grade", wrong]);
        // The interactor alone accepts whatever it hears.
        let status = i32::from(!checker.is_empty());
        assert!(
            said.status == status && said.stdout.contains(&format!(" · {shown}\n")),
            "{checker}: {said:?}"
        );
        if status == 1 {
            let (document, status) = desk.json(&["verify"]);
            assert_eq!((status, &document["problems"][0]["faults"]), (0, &json!([])), "{document:#}");
        }
    }
    with("checker = { kind = \"testlib\", program = \"chek.py\" }");
    let said = desk.run(&["check"]);
    assert!(said.status == 1 && said.stdout.contains("the checker `chek.py` is not there"), "{said:?}");
}

#[test]
fn a_program_that_is_not_there_is_told_with_its_line() {
    let desk = Desk::new();
    let answer = "answer = { program = \"solutions/some/accepted/a.c\" }\n";
    desk.write("solutions/some/accepted/a.c", "int main(void) { return 0; }\n");
    let input = "[[input]]\nname = \"n\"\ntype = \"int\"\nmin = 2\nmax = 100\n";
    desk.write("problems/some/check.cpp", "int main() {}\n");
    desk.write("problems/some/check.what", "?\n");
    for (program, expected) in [
        ("chek.cpp", "the checker `chek.cpp` is not there"),
        ("judge/validate.py", "expected a file in the problem's folder"),
        ("check.what", "check.what"),
    ] {
        let checker = format!("checker = {{ kind = \"kattis\", program = \"{program}\" }}\n");
        problem(&desk, &format!("{answer}{checker}{input}"));
        for command in [&["check"] as &[&str], &["grade", "solutions/some/accepted/a.c"], &["verify"]] {
            let said = desk.run(command);
            let text = format!("{}{}", said.stdout, said.stderr);
            assert!(text.contains(expected) && text.contains("problem.toml:5:"), "{command:?}: {text}");
            assert_eq!(said.status, if command == ["check"] { 1 } else { 2 });
        }
    }
    let said = desk.run(&["check"]);
    assert!(!said.stdout.contains("did you mean"), "{}", said.stdout);
}
