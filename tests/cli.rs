//! The command line as a user meets it: exit statuses, messages that name what is wrong, pipes, odd names.

use std::ffi::OsStr;
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::process::Stdio;

use crate::desk::{Desk, said};
use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![odd_names_odd_locales_and_pipes_change_nothing];

const ECHO: &str = "import sys\nsys.stdout.write(sys.stdin.read())\n";

#[test]
fn help_and_version_are_answers_and_a_wrong_word_is_exit_2() {
    let desk = Desk::new();
    for args in [&["--help"][..], &["--version"], &["grade", "--help"], &["help", "stress"]] {
        let said = desk.run(args);
        assert!(said.status == 0 && said.stderr.is_empty() && !said.stdout.is_empty(), "{args:?} {said:?}");
    }
    for args in
        [&["grad"][..], &["grade"], &["grade", "--jobs", "0", "a.py"], &["list", "--format", "xml"], &[]]
    {
        let said = desk.run(args);
        assert!(said.status == 2 && said.stdout.is_empty() && !said.stderr.is_empty(), "{args:?} {said:?}");
    }
    let said = desk.run(&["grade", "a.py", "--time-limit", "500"]);
    assert!(said.stderr.contains("1s, 0.5s or 500ms") && said.status == 2, "{said:?}");
    let said = desk.run(&["grade", "a.py", "--checker", "token"]);
    assert!(said.stderr.contains("float:EPS") && said.status == 2, "{said:?}");
}

#[test]
fn every_shell_gets_a_completion_script() {
    let desk = Desk::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let said = desk.run(&["completions", shell]);
        assert!(said.status == 0 && said.stdout.contains("no-shrink"), "{shell}");
    }
}

#[test]
fn everything_that_is_wrong_with_the_programs_is_told_at_once() {
    let desk = Desk::new();
    desk.tests(&[("1\n", "1\n")]);
    desk.write("a.xyz", "");
    desk.write("empty/readme.txt", "");
    let said = desk.run(&["grade", "none.py", "a.xyz", "empty", "--tests", "tests"]);
    assert_eq!(said.status, 2);
    for part in ["none.py", "a.xyz", "no program in the folder `empty`"] {
        assert!(said.stderr.contains(part), "{part}: {}", said.stderr);
    }
}

/// Opening one would wait for whoever writes to it.
#[test]
fn a_pipe_in_a_files_place_is_refused_and_never_waited_for() {
    let desk = Desk::new();
    desk.tests(&[("1\n", "1\n")]);
    desk.write("folder/a.txt", "");
    let pipe = |name: &str| nix::unistd::mkfifo(&desk.path(name), nix::sys::stat::Mode::S_IRWXU).unwrap();
    pipe("pipe.py");
    pipe("folder/pipe.py");
    let said = desk.run(&["grade", "pipe.py", "folder", "--tests", "tests"]);
    assert_eq!(said.status, 2);
    for part in ["`pipe.py`: it is not a regular file", "no program in the folder `folder`"] {
        assert!(said.stderr.contains(part), "{part}: {}", said.stderr);
    }
    pipe("tests/2.in");
    desk.write("tests/2.ans", "2\n");
    desk.write("a.py", ECHO);
    let said = desk.run(&["grade", "a.py", "--tests", "tests"]);
    assert!(said.status == 2 && said.stderr.contains("2.in"), "{said:?}");
}

#[test]
fn loose_tests_with_gaps_are_refused_by_name_and_nothing_is_run() {
    let desk = Desk::new();
    desk.write("a.py", ECHO);
    desk.tests(&[("1\n", "1\n")]);
    desk.write("tests/2.in", "2\n");
    desk.write("tests/4.ans", "4\n");
    desk.write("tests/1.out", "1\n");
    let said = desk.run(&["grade", "a.py", "--tests", "tests"]);
    assert!(said.status == 2 && said.stdout.is_empty(), "{said:?}");
    for part in ["2.in", "4.ans", "`1.in` has two answers"] {
        assert!(said.stderr.contains(part), "{part}: {}", said.stderr);
    }
    desk.write("none/README.txt", "nothing here");
    let said = desk.run(&["grade", "a.py", "--tests", "none", "--format", "json"]);
    assert!(said.status == 2 && said.stderr.contains("no tests in `none`"), "{said:?}");
}

#[test]
fn a_problem_is_found_by_its_name_or_by_where_its_solutions_lie() {
    let desk = Desk::with_a_problem();
    desk.write("a.py", ECHO);
    let said = desk.run(&["grade", "a.py", "-p", "stone-game-ii"]);
    assert!(said.status == 2 && said.stderr.contains("stone-game-iii"), "{said:?}");
    let said = desk.run(&["grade", "a.py"]);
    assert!(said.status == 2 && said.stderr.contains("-p PROBLEM"), "{said:?}");
    desk.write("solutions/stone-game-iii/accepted/a.py", ECHO);
    desk.write("solutions/another/accepted/b.py", ECHO);
    let said = desk.run(&["grade", "solutions/stone-game-iii/accepted/a.py", "solutions/another/accepted"]);
    assert!(said.status == 2 && said.stderr.contains("different problems"), "{said:?}");
    let said = Desk::new().run(&["list"]);
    assert!(said.status == 2 && said.stderr.contains("problems"), "{said:?}");
}

#[test]
fn the_problems_are_listed() {
    let desk = Desk::with_a_problem();
    assert_eq!(
        desk.run(&["list"]).stdout,
        "problem         title              limits  tests  strength  solutions\n\
         stone-game-iii  Stone Game III  1s 256MiB      —         —          0\n\n\
         — under strength: not measured; `touchstone strength stone-game-iii` measures it\n"
    );
    let wide = said(&desk.command(&["list"]).env("COLUMNS", "100").output().unwrap());
    assert!(wide.stdout.contains("0  stoneGameIII\n"), "{wide:?}");
    let document = desk.json(&["list"]).0;
    let problem = &document["problems"][0];
    assert!(problem["memory_limit_bytes"] == 256 << 20 && problem["strength"].is_null(), "{document:#}");
    desk.write("problems/broken/problem.toml", "[limits]\ntime = 1\n");
    let said = desk.run(&["list"]);
    assert_eq!(said.status, 2, "{said:?}");
    assert!(
        said.stdout.contains("Stone Game III") && said.stderr.contains("broken/problem.toml"),
        "{said:?}"
    );
    assert!(said.stdout.contains("\nbroken          (has mistakes)"), "{said:?}");
}

#[test]
fn a_mistake_in_a_problem_is_shown_with_its_line() {
    let desk = Desk::with_a_problem();
    desk.write("problems/stone-game-iii/problem.toml", "format = 1\ntitel = \"x\"\n");
    let said = desk.run(&["list"]);
    assert!(said.status == 2 && said.stderr.contains("problems/stone-game-iii/problem.toml:2"), "{said:?}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let desk = Desk::new();
    let mut child =
        desk.command(&["completions", "bash"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert!(child.wait().unwrap().success() && complaint.is_empty(), "{complaint}");
}

fn odd_names_odd_locales_and_pipes_change_nothing(walls: Walls) {
    if !require("python") {
        return;
    }
    let desk = Desk::behind(walls);
    desk.tests(&[("1\n", "1\n")]);
    let names: [&[u8]; 4] =
        [b"it's $HOME; `x` & co/%d.py", "部分背包/ข้อ 1.py".as_bytes(), b"\xff\xfe.py", b"-rf.py"];
    for name in names {
        let name = OsStr::from_bytes(name);
        desk.write(name, ECHO);
        let path = std::path::Path::new(".").join(name);
        let args = [OsStr::new("grade"), path.as_os_str(), OsStr::new("--tests"), OsStr::new("tests")];
        for locale in ["C", "tr_TR.UTF-8"] {
            let said = said(&desk.command(&args).env("LC_ALL", locale).output().unwrap());
            assert!(said.status == 0 && said.stdout.contains("1/1"), "{name:?} {said:?}");
            assert!(!said.stdout.contains('\x1b'), "no colours in a pipe: {said:?}");
        }
    }
    let args = ["grade", "./-rf.py", "--tests", "tests"];
    let always = said(&desk.command(&args).env("CLICOLOR_FORCE", "1").output().unwrap());
    assert!(always.stdout.contains('\x1b'), "{always:?}");
    let never = said(&desk.command(&args).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output().unwrap());
    assert!(!never.stdout.contains('\x1b'), "{never:?}");
}

/// `cargo install` alone is enough to practise.
#[test]
fn a_workspace_comes_out_of_the_binary_and_is_what_this_repository_holds() {
    let desk = Desk::new();
    let said = desk.run(&["init", "stone games"]);
    assert!(said.status == 0 && said.stdout.contains("9 problems with "), "{said:?}");
    assert!(said.stdout.ends_with("next: cd 'stone games' && touchstone list\n"), "{}", said.stdout);
    let mut list = desk.command(&["list", "--format", "json"]);
    let listed = list.current_dir(desk.path("stone games")).output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    assert_eq!(document["problems"].as_array().unwrap().len(), 9);
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    // Nothing was generated here yet, and yet it is known what will be.
    let manifest = std::fs::read_to_string(own.join("generated/stone-game/manifest.toml")).unwrap();
    let tests = manifest.matches("[[test]]").count();
    assert_eq!(document["problems"][0]["tests"], tests, "{document:#}");
    for file in ["problems/stone-game-iv/statement.ru.md", "generated/stone-game/manifest.toml"] {
        let unpacked = std::fs::read(desk.path("stone games").join(file)).unwrap();
        assert_eq!(unpacked, std::fs::read(own.join(file)).unwrap(), "{file}");
    }
    desk.write("stone games/problems/stone-game/problem.toml", "mine\n");
    let said = desk.run(&["init", "stone games"]);
    assert!(said.stderr.contains("`problems/stone-game/problem.toml` is another one"), "{said:?}");
    assert!(said.status == 0 && said.stdout.contains("; 0 files written"), "{said:?}");
}
