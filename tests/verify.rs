//! Verifying as a whole: a problem whose solutions are where they belong, and one of each thing that can be wrong.

use serde_json::{Value, json};

use crate::desk::Desk;
use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![solutions_goals_and_answers_are_verified,];

/// Right for Stone Game III: best difference from the end on, three piles back.
const RIGHT: &str = "#include <stdio.h>\nint v[50003];\nint main(void) { int n; scanf(\"%d\", &n); for (int i = 0; i < n; i++) scanf(\"%d\", v + i);\n\
    int a = 0, b = 0, c = 0; for (int i = n - 1; i >= 0; i--) { int d = v[i] - a, e = d; int s = v[i];\n\
    if (i + 1 < n) { s += v[i + 1]; if (s - b > e) e = s - b; } if (i + 2 < n) { s += v[i + 2]; if (s - c > e) e = s - c; }\n\
    c = b; b = a; a = e; } puts(a > 0 ? \"Alice\" : a < 0 ? \"Bob\" : \"Tie\"); }\n";
const ALICE: &str = "#include <stdio.h>\nint main(void) { puts(\"Alice\"); }\n";
const CRASH: &str = "#include <stdlib.h>\nint main(void) { abort(); }\n";

fn row<'a>(problem: &'a Value, name: &str) -> &'a Value {
    let rows = problem["solutions"].as_array().unwrap();
    rows.iter().find(|row| row["solution"].as_str().unwrap().ends_with(name)).unwrap()
}

fn solutions_goals_and_answers_are_verified(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = Desk::with_a_problem_behind(walls);
    let solutions = "solutions/stone-game-iii";
    desk.write(format!("{solutions}/accepted/right.c"), RIGHT);
    desk.write(format!("{solutions}/wrong_answer/alice.c"), ALICE);
    desk.write(format!("{solutions}/run_time_error/crash.c"), CRASH);
    let (document, status) = desk.json(&["verify"]);
    let problem = &document["problems"][0];
    assert_eq!((status, &problem["faults"]), (0, &json!([])), "{document:#}");
    assert_eq!(problem["goals"], problem["goals_reached"]);
    assert!(problem["brute_forced"].as_u64().unwrap() > 1_000 && problem["inputs"].as_u64().unwrap() > 3_000);
    assert_eq!(row(problem, "crash.c")["expected"], json!(["RTE", "MLE"]));
    let said = desk.run(&["verify", "stone-game-iii"]);
    assert!(said.status == 0 && said.stdout.ends_with("1 problem verified\n"), "{said:?}");
    assert!(said.stdout.contains("accepted/right.c") && !said.stdout.contains("fault"), "{said:?}");

    // A solution in the wrong folder, a package that was tampered with.
    desk.write(format!("{solutions}/accepted/alice.c"), ALICE);
    let sample = "generated/stone-game-iii/samples/1.ans";
    assert_eq!(std::fs::read_to_string(desk.path(sample)).unwrap(), "Bob\n");
    desk.write(sample, "Tie\n");
    let (document, status) = desk.json(&["verify"]);
    let problem = &document["problems"][0];
    assert_eq!(status, 1);
    assert_eq!(row(problem, "accepted/alice.c")["as_expected"], false);
    assert_eq!(row(problem, "accepted/right.c")["verdict"], "WA");
    let faults = problem["faults"].to_string();
    assert!(faults.contains("samples/1") && faults.contains("brute force says"), "{faults}");
    let said = desk.run(&["verify"]);
    assert!(said.stdout.contains("fault solutions/stone-game-iii/accepted/alice.c"), "{}", said.stdout);
    assert!(said.stdout.ends_with("1 of 1 problem with faults\n") && said.status == 1, "{}", said.stdout);
    assert_eq!(desk.run(&["verify", "stone-game-x"]).status, 2);
}
