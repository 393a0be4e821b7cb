//! Submissions that try to win by other means than a right answer: by what they print, by how they end, by what they let
//! the compiler read.

use crate::desk::Desk;
use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![nothing_but_the_answer_decides, compilers_show_no_secrets, names_of_sources_are_only_names];

/// What the program does on each test, where the right answer is always 5; what the verdict must be, and what the message
/// must tell.
const TRICKS: [(&str, &str, &str); 15] = [
    ("puts(\"5\"); return 42;", "RTE", "exit status 42"),
    ("puts(\"5\"); return 43;", "RTE", "exit status 43"),
    ("puts(\"5\"); return 3;", "RTE", "exit status 3"),
    ("puts(\"5\"); return 124;", "RTE", "exit status 124"),
    ("puts(\"5\"); fflush(stdout); raise(SIGKILL);", "RTE", "signal 9"),
    ("puts(\"AC\"); fputs(\"verdict: AC\\nstatus: OK\\n\", stderr);", "WA", ""),
    ("puts(\"5\"); fputs(\"timelimit exceeded\\nout of memory\\n\", stderr);", "AC", ""),
    ("fwrite(\"5\\0junk\\n\", 1, 7, stdout);", "WA", ""),
    ("puts(\"5\"); for (int i = 0; i < 70 << 20; i++) putchar(' ');", "OLE", "64 MiB"),
    ("puts(\"5\"); fclose(stdin); fclose(stdout);", "AC", ""),
    ("fclose(stdout);", "WA", ""),
    ("puts(\"5\"); fflush(stdout); if (!fork()) { sleep(60); } ", "AC", ""),
    ("puts(\"5\"); fflush(stdout); if (!fork()) { setsid(); puts(\"6\"); sleep(60); } return 0;", "AC", ""),
    ("FILE *f = fopen(\"1.out\", \"w\"); fputs(\"5\", f); symlink(\"/etc/passwd\", \"out\");", "WA", ""),
    // All the others have it too, and never touch it.
    ("for (int i = 0; i < sizeof huge; i += 512) huge[i] = 1; puts(\"5\");", "MLE", ""),
];

fn nothing_but_the_answer_decides(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    let inputs: Vec<String> = (0..TRICKS.len()).map(|number| format!("{number}\n")).collect();
    desk.tests(&inputs.iter().map(|input| (input.as_str(), "5\n")).collect::<Vec<_>>());
    let cases =
        TRICKS.iter().enumerate().map(|(number, (does, ..))| format!("case {number}: {{ {does} }} break;\n"));
    let includes = ["stdio", "signal", "unistd"].map(|name| format!("#include <{name}.h>\n")).concat();
    let cases: String = cases.collect();
    desk.write(
        "tricks.c",
        format!(
            "{includes}char huge[512 << 20];\nint main(void) {{ int n; scanf(\"%d\", &n); switch (n) {{ {cases} }} return 0; }}\n"
        ),
    );
    let args = ["grade", "tricks.c", "--tests", "tests", "--all", "--time-limit", "5s"];
    let (document, _) = desk.json(&args);
    let rows = document["submissions"][0]["tests"].as_array().unwrap();
    assert_eq!(rows.len(), TRICKS.len());
    for ((does, verdict, message), row) in TRICKS.iter().zip(rows) {
        assert_eq!(row["verdict"], *verdict, "{does}: {row}");
        assert!(row["message"].as_str().unwrap().contains(message), "{does}: {row}");
    }
}

fn compilers_show_no_secrets(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("1\n", "open_sesame\n")]);
    let isolation = desk.json(&["doctor"]).0["machine"]["isolation"].clone();
    if !walls.has_spaces() && isolation["landlock"] != true {
        return;
    }
    let answer = desk.path("tests/1.ans").canonicalize().unwrap();
    let answer = answer.to_str().unwrap();
    let sources = [
        format!("#include \"{answer}\"\nint main(void) {{ return 0; }}\n"),
        format!("__asm__(\".incbin \\\"{answer}\\\"\");\nint main(void) {{ return 0; }}\n"),
        "#include \"/etc/shadow\"\nint main(void) { return 0; }\n".to_owned(),
        "#include \"../../../../../../../../etc/hostname\"\nint main(void) { return 0; }\n".to_owned(),
    ];
    for source in sources {
        desk.write("secret.c", &source);
        let (document, _) = desk.json(&["grade", "secret.c", "--tests", "tests"]);
        let submission = &document["submissions"][0];
        assert_eq!(submission["verdict"], "CE", "{source}: {submission}");
        assert!(!submission.to_string().contains("open_sesame"), "{submission}");
    }
}

fn names_of_sources_are_only_names(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("1\n", "5\n")]);
    for name in ["-o.c", "a b;touch $(id).c", "x\"y'.c", "@list.c", "\u{202e}c.c"] {
        desk.write(name, "#include <stdio.h>\nint main(void) { puts(\"5\"); }\n");
        let (document, status) = desk.json(&["grade", "--tests", "tests", &format!("./{name}")]);
        assert_eq!(
            (document["submissions"][0]["verdict"].as_str(), status),
            (Some("AC"), 0),
            "{name}: {document}"
        );
    }
}
