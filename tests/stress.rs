//! Searching for a failing input from the command line: what is found, what is printed, who is blamed.

use crate::desk::Desk;
use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![
    the_smallest_failing_input_is_printed_and_ready_to_be_kept,
    a_right_program_passes_and_the_seed_is_told,
    another_program_may_stand_for_the_solver_and_its_crash_is_the_judges,
];

/// A right program in C, with `mistake` in the place where the result is told.
fn program(told: &str) -> String {
    format!(
        "#include <stdio.h>\nint main(void) {{\n  int n; scanf(\"%d\", &n);\n  static int a[50001], f[50004];\n\
         for (int i = 0; i < n; i++) scanf(\"%d\", a + i);\n\
         for (int i = n - 1; i >= 0; i--) {{\n    int best = -1000000000, sum = 0;\n\
         for (int k = 0; k < 3 && i + k < n; k++) {{ sum += a[i + k]; if (sum - f[i + k + 1] > best) best = sum - f[i + k + 1]; }}\n\
         f[i] = best;\n  }}\n  {told}\n}}\n"
    )
}

const RIGHT: &str = "puts(f[0] > 0 ? \"Alice\" : f[0] < 0 ? \"Bob\" : \"Tie\");";

fn the_smallest_failing_input_is_printed_and_ready_to_be_kept(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::with_a_problem_behind(walls);
    desk.write("no_tie.c", program("puts(f[0] > 0 ? \"Alice\" : \"Bob\");"));
    let args = ["stress", "no_tie.c", "-p", "stone-game-iii", "--for", "20s", "--seed", "42"];
    let (document, status) = desk.json(&args);
    assert_eq!((document["verdict"].as_str(), status), (Some("WA"), 1), "{document:#}");
    let failure = &document["failure"];
    assert_eq!(failure["input"], "1\n0\n", "{document:#}");
    assert_eq!((&failure["expected"], &failure["is_minimal"]), (&"Tie".into(), &true.into()));
    assert_eq!(failure["actual"], "Bob\n");
    // The case goes into the file as it is.
    let file = "problems/stone-game-iii/problem.toml";
    let text = std::fs::read_to_string(desk.path(file)).unwrap();
    desk.write(file, format!("{text}\n{}", failure["case"].as_str().unwrap()));
    let checked = desk.run(&["check", "stone-game-iii"]);
    assert_eq!(checked.status, 0, "{checked:?}");
    let said = desk.run(&args);
    assert_eq!(said.status, 1);
    assert!(said.stdout.contains("[[case]]\n    name = \"no tie seed 42\"\n"), "{}", said.stdout);
    assert!(said.stdout.contains("-p stone-game-iii --seed 42"), "{}", said.stdout);
}

fn a_right_program_passes_and_the_seed_is_told(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::with_a_problem_behind(walls);
    desk.write("right.c", program(RIGHT));
    let (document, status) = desk.json(&["stress", "right.c", "-p", "stone-game-iii", "--for", "1s"]);
    assert_eq!((document["verdict"].as_str(), status), (Some("AC"), 0), "{document:#}");
    assert!(document["failure"].is_null() && document["inputs"].as_u64().unwrap() > 0);
    assert!(document["seed"].is_u64());
}

fn another_program_may_stand_for_the_solver_and_its_crash_is_the_judges(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::with_a_problem_behind(walls);
    desk.write("right.c", program(RIGHT));
    desk.write(
        "crashes.c",
        program("if (n > 1) __builtin_trap(); puts(f[0] > 0 ? \"Alice\" : f[0] < 0 ? \"Bob\" : \"Tie\");"),
    );
    desk.write("kind.c", program("puts(\"Alice\");"));
    let said = desk.run(&[
        "stress",
        "right.c",
        "-p",
        "stone-game-iii",
        "--against",
        "crashes.c",
        "--for",
        "5s",
        "--seed",
        "1",
    ]);
    assert_eq!(said.status, 3, "{said:?}");
    assert!(said.stderr.contains("no answer to this input: signal"), "{}", said.stderr);
    let (document, status) = desk.json(&[
        "stress",
        "right.c",
        "-p",
        "stone-game-iii",
        "--against",
        "kind.c",
        "--for",
        "5s",
        "--seed",
        "1",
    ]);
    assert_eq!((document["failure"]["expected"].as_str(), status), (Some("Alice\n"), 1), "{document:#}");
    assert_eq!(document["against"], "kind.c");
}
