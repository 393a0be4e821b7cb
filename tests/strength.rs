//! Strength as a whole: a small problem with one right program and some wrong ones, what is counted, chosen, refused
//! and hunted.

use serde_json::Value;

use crate::desk::Desk;
use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![mutants_and_wrong_programs_are_told_by_what_kills_them,];

/// Stone Game VIII with short rows of small numbers.
const PROBLEM: &str = "format = 1\ntitle = { en = \"Small\" }\n[limits]\ntime = \"1s\"\nmemory = \"256MiB\"\n[function]\nname = \"stoneGameVIII\"\nreturns = \"int\"\n\
    [size]\nn = { min = 2, max = 5 }\n[[input]]\nname = \"stones\"\ntype = \"array\"\nlen = \"n\"\n\
    item = { type = \"int\", min = -2, max = 2 }\n[answer]\nsolver = \"stone-game-viii\"\n[checker]\nkind = \"tokens\"\n[[sample]]\nstones = [-1, 2, -2]\n\
    [families]\nexhaustive = { budget = 100 }\nsmall_random = { count = 1 }\nmax_small_values = { count = 1 }\n\
    max_random = { count = 1 }\noff = [\"edges/*/period*\", \"edges/*/*_*\", \"edges/n=min*/*\", \"edges/n=max/*ing\"]\n";
const RIGHT: &str = "class Solution:\n    def stoneGameVIII(self, stones: List[int]) -> int:\n        \
    prefix = list(accumulate(stones))\n        lead = prefix.pop()\n        while len(prefix) > 1:\n            \
    lead = max(lead, prefix.pop() - lead)\n        return lead\n";

fn desk(walls: Option<Walls>) -> Desk {
    let desk = walls.map_or_else(Desk::new, Desk::behind);
    desk.write("problems/small/problem.toml", PROBLEM);
    desk.write("solutions/small/accepted/right.py", RIGHT);
    desk.write("solutions/small/wrong_answer/least.py", RIGHT.replace("max(", "min("));
    desk
}

fn numbers(strength: &Value, names: &[&str]) -> Vec<u64> {
    names.iter().map(|name| strength["mutants"][*name].as_u64().unwrap()).collect()
}

fn mutants_and_wrong_programs_are_told_by_what_kills_them(walls: Walls) {
    if !require("python") {
        return;
    }
    let desk = desk(Some(walls));
    let args = ["strength", "small", "--mutants", "8"];
    let (document, status) = desk.json(&args);
    let strength = &document["problems"][0];
    assert_eq!((status, &strength["faults"]), (0, &serde_json::json!([])), "{document:#}");
    let [tried, rejected, not_run, compiled, killed, survived] =
        numbers(strength, &["tried", "rejected", "not_run", "compiled", "killed", "survived"])[..]
    else {
        panic!("{document:#}")
    };
    assert_eq!((tried, rejected + not_run, compiled, killed + survived), (8, 0, 8, 8), "{document:#}");
    assert!(killed >= 5, "{document:#}");
    let kept = &strength["kept"][0];
    assert_eq!(
        (kept["program"].as_str(), kept["standing"].as_str()),
        (Some("wrong_answer/least.py"), Some("killed"))
    );
    let tests = strength["tests"].as_array().unwrap().len();
    let programs = strength["programs"].as_array().unwrap();
    for program in programs {
        let (id, verdicts) = (program["program"].as_str().unwrap(), program["verdicts"].as_array().unwrap());
        assert!(id.starts_with("right.py:") && verdicts.len() == tests, "{program:#}");
        assert_eq!(
            program["standing"] == "killed",
            verdicts.iter().any(|it| !it.is_null() && it != "AC"),
            "{id}"
        );
        let note = program["note"].as_str().unwrap();
        assert!(
            program["standing"] != "survived" || note.contains("small inputs") || note.contains("differs")
        );
    }
    // The same again, from what is known.
    let again = desk.json(&args).0;
    assert_eq!(again["problems"], document["problems"]);
    let page = "matrix.html";
    let said = desk.run(&[&args[..], &["--html", page]].concat());
    assert!(said.status == 0 && said.stdout.contains("kept wrong programs  1 of 1 killed"), "{said:?}");
    let page = std::fs::read_to_string(desk.path(page)).unwrap();
    assert!(page.contains("wrong_answer/least.py") && !page.contains("<script"), "{page}");
    assert!(said.stdout.lines().all(|line| line.chars().count() <= 80), "{}", said.stdout);
}

#[test]
fn a_small_set_keeps_every_kill_and_is_what_generate_makes() {
    if !require("python") {
        return;
    }
    let desk = desk(None);
    let args = ["strength", "small", "--mutants", "8"];
    let before = desk.json(&args).0;
    let selecting = [&args[..], &["--select"]].concat();
    let (after, status) = desk.json(&selecting);
    assert_eq!(status, 0, "{after:#}");
    let file = "problems/small/selection.toml";
    let text = std::fs::read_to_string(desk.path(file)).unwrap();
    let (before, after) = (&before["problems"][0], &after["problems"][0]);
    assert_eq!(before["mutants"]["killed"], after["mutants"]["killed"], "{after:#}");
    let count = |strength: &Value| strength["tests"].as_array().unwrap().len();
    assert_eq!(count(after) as u64, after["selection"]["tests"].as_u64().unwrap());
    assert!(count(after) <= count(before));
    // The choice does not depend on what was chosen before.
    assert_eq!(desk.run(&selecting).status, 0);
    assert_eq!(std::fs::read_to_string(desk.path(file)).unwrap(), text);
    assert_eq!(desk.run(&["generate", "small", "--check"]).status, 0);
    // A name that there is no test of, in every command that loads the problem.
    desk.write(file, text.replace("tests = [", "tests = [\n    \"max_random/1\","));
    for command in [["check", "small"], ["generate", "small"], ["strength", "small"]] {
        let said = desk.run(&command);
        assert!(said.status == 2 || command[0] == "check" && said.status == 1, "{said:?}");
        let told = format!("{}{}", said.stdout, said.stderr);
        assert!(
            told.contains("problems/small/selection.toml:5:5") && told.contains("max_random/01"),
            "{told}"
        );
    }
    // Fewer tests are another package: the old one is no longer whole.
    desk.write(file, "format = 1\ntests = []\n");
    let listed = desk.run(&["generate", "small", "--check"]);
    assert!(listed.status == 1 && listed.stdout.contains("not made any more"), "{listed:?}");
}

#[test]
fn what_is_called_equivalent_must_be_so() {
    if !require("python") {
        return;
    }
    let desk = desk(None);
    let file = "problems/small/strength.toml";
    desk.write(
        file,
        "[[equivalent]]\nmutant = \"right.py:6:extremun\"\nreason = \"min and max are the same\"\n",
    );
    let said = desk.run(&["strength", "small", "--mutants", "30"]);
    assert_eq!(said.status, 2, "{said:?}");
    assert!(said.stderr.contains("problems/small/strength.toml:2:10"), "{}", said.stderr);
    assert!(said.stderr.contains("did you mean `right.py:6:extremum`?"), "{}", said.stderr);
    desk.write(
        file,
        "[[equivalent]]\nmutant = \"right.py:6:extremum\"\nreason = \"min and max are the same\"\n",
    );
    let said = desk.run(&["strength", "small", "--mutants", "30"]);
    assert_eq!(said.status, 1, "{said:?}");
    assert!(said.stdout.contains("kills it: remove the entry"), "{}", said.stdout);
    // A survivor on whose tests nothing depends: with samples alone most mutants survive, and differ.
    desk.write("problems/small/selection.toml", "format = 1\ntests = []\n");
    desk.write(
        file,
        "[[equivalent]]\nmutant = \"right.py:6:arm\"\nreason = \"the other arm is never the larger\"\n",
    );
    let (document, status) = desk.json(&["strength", "small", "--mutants", "30"]);
    let faults = document["problems"][0]["faults"].to_string();
    assert!(
        status == 1 && faults.contains("right.py:6:arm") && faults.contains("remove the entry"),
        "{faults}"
    );
    // A hunt finds what the samples lack, as a case that the problem takes.
    let (document, _) = desk.json(&["strength", "small", "--mutants", "6", "--hunt", "6s"]);
    let hunt = &document["problems"][0]["hunt"];
    let caught = hunt["caught"].as_array().unwrap();
    assert!(!caught.is_empty(), "{document:#}");
    let case = caught[0]["case"].as_str().unwrap();
    desk.write("problems/small/problem.toml", format!("{PROBLEM}\n{case}"));
    assert_eq!(desk.run(&["generate", "small"]).status, 0, "{case}");
    let (document, _) = desk.json(&["strength", "small", "--mutants", "6"]);
    let program = caught[0]["program"].as_str().unwrap();
    let programs = document["problems"][0]["programs"].as_array().unwrap();
    let now = programs.iter().find(|line| line["program"] == program).unwrap();
    assert_eq!(now["standing"], "killed", "{now:#}");
}

/// On piles of one or two stones much of this may as well be otherwise.
const ANY_PILE: &str = "class Solution:\n    def stoneGame(self, piles: List[int]) -> bool:\n        \
    return piles[0] > 0 or piles[1] > 0\n";

#[test]
fn only_so_many_mutants_leave_the_count_as_equivalent() {
    if !require("python") {
        return;
    }
    let desk = Desk::new();
    desk.write("problems/always/problem.toml", ALWAYS);
    desk.write("solutions/always/accepted/any_pile.py", ANY_PILE);
    desk.write("solutions/always/accepted/true.py", says("True"));
    let (document, _) = desk.json(&["strength", "always"]);
    let programs = document["problems"][0]["programs"].as_array().unwrap();
    let equal: Vec<&str> = programs
        .iter()
        .filter(|line| line["note"].as_str().unwrap().contains("equivalent?"))
        .map(|line| line["program"].as_str().unwrap())
        .collect();
    let entry = |id: &&str| {
        format!(
            "[[equivalent]]\nmutant = \"{id}\"\nreason = \"lets equals through, which changes nothing\"\n\n"
        )
    };
    desk.write("problems/always/strength.toml", equal.iter().map(entry).collect::<String>());
    let (document, status) = desk.json(&["strength", "always"]);
    let strength = &document["problems"][0];
    let [compiled, killed, equivalent, survived] =
        numbers(strength, &["compiled", "killed", "equivalent", "survived"])[..]
    else {
        panic!("{strength:#}")
    };
    assert!(compiled >= 10 && equal.len() as u64 > compiled / 10, "{strength:#}");
    assert_eq!((equivalent, killed + survived), (compiled / 10, compiled - compiled / 10), "{strength:#}");
    let fault = format!(
        "{} of {compiled} mutants are called equivalent, more than one in 10: {}",
        equal.len(),
        equal.len() as u64 - equivalent
    );
    assert!(strength["faults"][0].as_str().unwrap().starts_with(&fault), "{strength:#}");
    assert_eq!(status, 1);
    // Of a few mutants, as a quick check takes, any number may be.
    let (document, status) = desk.json(&["strength", "always", "--mutants", "4"]);
    let strength = &document["problems"][0];
    assert_eq!((status, numbers(strength, &["tried", "survived"])), (0, vec![4, 0]), "{document:#}");
    assert!(numbers(strength, &["equivalent"])[0] > 0, "{document:#}");
}

/// The answer is always true, so few mutants are all there are.
const ALWAYS: &str = "format = 1\ntitle = { en = \"Always\" }\n[limits]\ntime = \"1s\"\nmemory = \"256MiB\"\n[function]\nname = \"stoneGame\"\nreturns = \"bool\"\n\
    [size]\nn = { min = 2, max = 2 }\n[[input]]\nname = \"piles\"\ntype = \"array\"\nlen = \"n\"\n\
    item = { type = \"int\", min = 1, max = 2 }\n[[where]]\nthat = \"sum(piles) % 2 == 1\"\n[answer]\nsolver = \"stone-game\"\n\
    [checker]\nkind = \"tokens\"\n[[sample]]\npiles = [2, 1]\n[families]\noff = [\"edges/*\"]\n\
    small_random = { count = 0 }\nmax_small_values = { count = 0 }\nmax_random = { count = 0 }\n";

fn says(answer: &str) -> String {
    format!("class Solution:\n    def stoneGame(self, piles: List[int]) -> bool:\n        return {answer}\n")
}

#[test]
fn the_list_shows_the_strength_of_what_is_there_now_and_no_other() {
    if !require("python") {
        return;
    }
    let desk = Desk::new();
    let solution = "solutions/always/accepted/true.py";
    let says = |answer: &str| {
        format!(
            "class Solution:\n    def stoneGame(self, piles: List[int]) -> bool:\n        return {answer}\n"
        )
    };
    desk.write("problems/always/problem.toml", ALWAYS);
    desk.write(solution, says("True"));
    desk.write("solutions/always/wrong_answer/false.py", says("False"));
    let listed = || desk.json(&["list"]).0["problems"][0]["strength"].clone();
    let numbers = serde_json::json!({
        "killed": 3, "counted": 3, "killed_percent": 100.0, "kept_killed": 1, "kept": 1
    });
    assert_eq!(desk.run(&["strength", "always", "--mutants", "1"]).status, 0);
    assert!(listed().is_null(), "a part of the mutants is no measurement");
    assert_eq!(desk.run(&["strength", "always"]).status, 0);
    assert_eq!(listed(), numbers);
    let said = desk.run(&["list"]);
    assert!(said.stdout.contains(" 3/3 ") && !said.stdout.contains("not measured"), "{said:?}");
    // Whatever the number follows from: a right program, a wrong one, the tests, what is called equivalent.
    let problem = ALWAYS.replace("max = 2 }\n[[where", "max = 3 }\n[[where");
    for (file, other, before) in [
        (solution, says("True  # surely"), says("True")),
        ("solutions/always/wrong_answer/never.py", says("not piles"), String::new()),
        ("problems/always/problem.toml", problem, ALWAYS.to_owned()),
        ("problems/always/strength.toml", "# none\n".to_owned(), String::new()),
    ] {
        desk.write(file, other);
        assert!(listed().is_null(), "{file}");
        let said = desk.run(&["list"]);
        assert!(said.stdout.contains("not measured; `touchstone strength always`"), "{said:?}");
        if before.is_empty() {
            std::fs::remove_file(desk.path(file)).unwrap();
        } else {
            desk.write(file, before);
        }
        assert_eq!(listed(), numbers, "{file}");
    }
}
