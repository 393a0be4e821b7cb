//! `touchstone generate` as a whole: the same bytes always, the manifest as their witness, and never half a package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};
use touchstone::generate;
use touchstone::input::validate;
use touchstone::package::{self, Manifest, Workspace, sha256};
use touchstone::solve::built_in;

behind_all_walls![
    a_program_of_the_workspace_gives_the_answers,
    a_program_is_asked_once_for_each_short_input,
    a_solver_that_fails_is_a_judge_error_and_leaves_no_answer
];

/// Small enough for tests; never to be changed, as golden hashes follow from it.
pub(crate) const GAME: &str = r#"
format = 1
title = { en = "Game" }

[limits]
time = "1s"
memory = "256MiB"

[function]
name = "game"
returns = ["Alice", "Bob", "Tie"]

[size]
n = { min = 1, max = 3000 }

[[input]]
name = "stones"
type = "array"
len = "n"
item = { type = "int", min = -1000, max = 1000 }

[answer]
solver = "stone-game-iii"

[[sample]]
stones = [1, 2, 3, 7]

[[case]]
name = "A tie, at the end"
why = "a last move that changes nothing"
n = 2000
stones = { concat = [{ fill = 0, len = "n - 4" }, [1, 2, 3, 6]] }
"#;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(problems: &[(&str, &str)]) -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(place.path("problems")).unwrap();
        for (slug, text) in problems {
            fs::create_dir(place.path("problems").join(slug)).unwrap();
            fs::write(place.path("problems").join(slug).join("problem.toml"), text).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_touchstone"));
        command
            .arg("generate")
            .args(args)
            .current_dir(self.folder.path())
            .env("NO_COLOR", "1")
            .env("XDG_CACHE_HOME", self.path(".cache"));
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    fn succeeds(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Every file below a folder with its bytes, in order.
fn tree(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push((path.strip_prefix(folder).unwrap().to_path_buf(), fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_same_seed_gives_the_same_bytes_with_any_number_of_jobs() {
    let place = Place::new(&[("game", GAME)]);
    place.succeeds(&["--jobs", "1", "--out", "one"]);
    place.succeeds(&["--jobs", "2", "--out", "two"]);
    place.succeeds(&["game", "--jobs", "7", "--seed", "1"]);
    place.succeeds(&["--seed", "2", "--out", "other"]);
    let one = tree(&place.path("one/game"));
    assert!(one.len() > 100, "{}", one.len());
    assert!(one == tree(&place.path("two/game")), "another number of jobs gives other bytes");
    assert!(one == tree(&place.path("generated/game")), "another folder gives other bytes");
    let other = tree(&place.path("other/game"));
    let names = |tree: &[(PathBuf, Vec<u8>)]| tree.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other), "another seed keeps the names");
    let differs = |name: &str| {
        let bytes = |tree: &[(PathBuf, Vec<u8>)]| {
            tree.iter().find(|(path, _)| path == Path::new(name)).unwrap().1.clone()
        };
        bytes(&one) != bytes(&other)
    };
    assert!(differs("max_random/01.in") && differs("small_random/width=2/01.in"));
    assert!(!differs("edges/n=max/all_min.in") && !differs("exhaustive/n=1..4.in"));
}

/// Published packages follow from these: a change here needs another `FORMAT`.
#[test]
fn golden_hashes_of_three_seeds() {
    let place = Place::new(&[("game", GAME)]);
    let golden = [
        ("1", "0c2991f5b2d95e27fcdb19ae046e11908eb69cc671aec8f2271488c36f90f96e"),
        ("2", "d5f982f71dfedd6cb336b7eaa98f73bba435a4aefcf4e312ec537a6083d6a3fc"),
        ("18446744073709551615", "b5bd1b52edada7fe63918c4d5483effe7dcb481d8c85db68c5dd48857068bd49"),
    ];
    for (seed, hash) in golden {
        place.succeeds(&["--seed", seed]);
        let manifest = fs::read(place.path("generated/game/manifest.toml")).unwrap();
        assert_eq!(sha256(&manifest), hash, "seed {seed}");
    }
}

#[test]
fn files_are_what_the_manifest_says_and_can_be_opened() {
    let place = Place::new(&[("game", GAME)]);
    let text = place.succeeds(&[]);
    assert!(text.contains("game: ") && text.contains(" tests, ") && text.contains("seed 1"), "{text}");
    let folder = place.path("generated/game");
    let manifest = Manifest::parse(&fs::read_to_string(folder.join("manifest.toml")).unwrap()).unwrap();
    for test in &manifest.tests {
        let bytes = |extension: &str| fs::read(folder.join(format!("{}.{extension}", test.name))).unwrap();
        assert_eq!(sha256(&bytes("in")), test.input_sha256, "{}", test.name);
        assert_eq!(sha256(&bytes("ans")), test.answer_sha256, "{}", test.name);
    }
    let package = package::open(&folder).unwrap();
    assert_eq!(package.problem.as_deref(), Some("game"));
    assert_eq!(package.tests.len(), manifest.tests.len());
    let workspace = Workspace::find(&folder).unwrap();
    let (problem, _) = workspace.load("game").unwrap();
    let mut inputs = std::collections::HashSet::new();
    for test in &package.tests {
        let (input, answer) = (fs::read(&test.input).unwrap(), fs::read_to_string(&test.answer).unwrap());
        assert!(test.pack || test.members.len() == 1);
        assert!(test.members.len() <= generate::MAX_PACK);
        for member in &test.members {
            let range = |range: &std::ops::Range<u64>| range.start as usize..range.end as usize;
            let text = &input[range(&member.input)];
            let read =
                validate(&problem.model, text).unwrap_or_else(|error| panic!("{}: {error}", test.name));
            let solved = (built_in("stone-game-iii").unwrap().solve)(&read);
            assert_eq!(answer[range(&member.answer)], format!("{solved}\n"));
            assert!(inputs.insert((test.pack, text.to_vec())), "{} comes twice", test.name);
        }
    }
    fs::remove_file(folder.join("edges/n=max/all_min.in")).unwrap();
    let error = package::open(&folder).unwrap_err().to_string();
    assert!(error.contains("all_min.in"), "{error}");
}

#[test]
fn check_names_what_differs() {
    let place = Place::new(&[("game", GAME)]);
    let manifest = place.path("generated/game/manifest.toml");
    let missing = place.run(&["--check"]);
    assert_eq!(missing.status.code(), Some(2), "{}", stderr(&missing));
    assert!(stderr(&missing).contains("manifest.toml` does not exist"), "{}", stderr(&missing));
    place.succeeds(&["--seed", "5"]);
    assert!(place.succeeds(&["--check"]).contains("as the manifest says"));
    let kept = fs::read_to_string(&manifest).unwrap();
    let check = |expected: &str| {
        let output = place.run(&["--check"]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let text = stdout(&output);
        assert!(text.lines().nth(1).unwrap_or_default().contains(expected), "{expected}: {text}");
    };

    let file = place.path("generated/game/max_random/02.in");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, b"3\n1 2 3\n").unwrap();
    check("max_random/02.in` has other bytes on disk");
    fs::write(&file, bytes).unwrap();

    let (before, after) = kept.split_once("[[test]]\nname = \"cases/a_tie__at_the_end\"").unwrap();
    fs::write(&manifest, format!("{before}{}", &after[after.find("[[test]]").unwrap()..])).unwrap();
    check("the manifest lacks the test `cases/a_tie__at_the_end`");

    let at = kept.find("input_sha256 = \"").unwrap() + "input_sha256 = \"".len();
    let mut edited = kept.clone();
    edited.replace_range(at..at + 4, "0000");
    fs::write(&manifest, edited).unwrap();
    check("samples/1.in` would be made with other bytes");

    fs::write(&manifest, &kept).unwrap();
    let problem = place.path("problems/game/problem.toml");
    fs::write(&problem, GAME.replace("max = 3000", "max = 2999")).unwrap();
    check("another problem.toml");
    // Line ends alone are no difference, nor are tests that are not on disk.
    fs::write(&problem, GAME.replace('\n', "\r\n")).unwrap();
    fs::remove_dir_all(place.path("generated/game/edges")).unwrap();
    place.succeeds(&["--check"]);
    let json: serde_json::Value =
        serde_json::from_str(&place.succeeds(&["--check", "--format", "json"])).unwrap();
    assert_eq!(json["packages"][0]["problem"], "game");
    assert_eq!(json["packages"][0]["seed"], 5);
    assert_eq!(json["packages"][0]["differences"], serde_json::json!([]));
}

#[test]
fn what_is_not_a_package_is_never_replaced() {
    let place = Place::new(&[("game", GAME)]);
    fs::create_dir_all(place.path("out/game")).unwrap();
    fs::write(place.path("out/game/thesis.txt"), "years of work").unwrap();
    let output = place.run(&["--out", "out"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("out/game"), "{}", stderr(&output));
    assert_eq!(tree(&place.path("out")).len(), 1);
}

#[test]
fn a_full_disk_leaves_the_old_package_and_nothing_else() {
    let place = Place::new(&[("game", GAME)]);
    place.succeeds(&["--seed", "1"]);
    let before = tree(&place.path("generated"));
    // A limit on the size of files, with its signal ignored, fails a write as a full disk does.
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" generate --seed 2"])
        .arg(env!("CARGO_BIN_EXE_touchstone"))
        .current_dir(place.folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
    assert!(before == tree(&place.path("generated")), "something was left or lost");
}

#[test]
fn ctrl_c_leaves_the_old_package_and_nothing_else() {
    let place = Place::new(&[("game", GAME)]);
    place.succeeds(&[]);
    // So large that it is still on its way when the signal comes.
    fs::write(place.path("problems/game/problem.toml"), GAME.replace("max = 3000", "max = 2_000_000"))
        .unwrap();
    let before = tree(&place.path("generated"));
    let mut child = place.command(&[]).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let entries = || fs::read_dir(place.path("generated")).unwrap().count();
    let mut looks = 0;
    while entries() < 2 {
        looks += 1;
        assert!(looks < 10_000, "it never began");
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it began");
        std::thread::sleep(Duration::from_millis(5));
    }
    let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("interrupted"), "{}", stderr(&output));
    assert!(before == tree(&place.path("generated")) && entries() == 1, "something was left or lost");
}

#[test]
fn what_a_killed_writer_left_is_cleared_away() {
    let place = Place::new(&[("game", GAME)]);
    let left = place.path("generated/.game.partial-x1Y2z3");
    let lives = place.path("generated/.game.partial-lives");
    for folder in [&left, &lives] {
        fs::create_dir_all(folder.join("edges")).unwrap();
    }
    let lock = fs::File::open(&lives).unwrap();
    lock.lock().unwrap();
    place.succeeds(&[]);
    assert!(!left.exists() && lives.exists());
}

#[test]
fn mistakes_are_told_before_anything_is_written() {
    let place = Place::new(&[("game", GAME), ("worse", "format = 1\ntitel = 3\n")]);
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("titel"), "{}", stderr(&output));
    assert!(!place.path("generated").exists());
    let output = place.run(&["gaem"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean `game`?"), "{}", stderr(&output));
    fs::remove_dir_all(place.path("problems/worse")).unwrap();
    let unfit = GAME.replace("type = \"array\"\nlen = \"n\"\nitem = { type = \"int\",", "type = \"int\"\n#");
    fs::write(place.path("problems/game/problem.toml"), unfit).unwrap();
    assert_eq!(place.run(&[]).status.code(), Some(2));
    let solver = GAME.replace("stone-game-iii", "stone-game-iiii");
    fs::write(place.path("problems/game/problem.toml"), solver).unwrap();
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("did you mean `stone-game-iii`?"), "{}", stderr(&output));
}

#[test]
fn a_sample_whose_stated_answer_is_not_the_solvers_is_refused() {
    let stated = |answer: &str| {
        GAME.replacen("stones = [1, 2, 3, 7]", &format!("stones = [1, 2, 3, 7]\nanswer = {answer}"), 1)
    };
    let place = Place::new(&[("game", &stated("\"Bob\""))]);
    place.succeeds(&[]);
    let before = tree(&place.path("generated"));
    fs::write(place.path("problems/game/problem.toml"), stated("\"Alice\"")).unwrap();
    let output = place.run(&[]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("`samples/1` in problem.toml is `Alice`, but the trusted solver finds `Bob"),
        "{said}"
    );
    assert!(said.contains("4\n1 2 3 7"), "{said}");
    assert_eq!(tree(&place.path("generated")), before);
}

/// A problem whose answers come from a program, small enough to run it for every input.
fn summed(program: &str) -> String {
    let text = GAME[..GAME.find("[[sample]]").unwrap()]
        .replace("max = 3000", "max = 4")
        .replace("solver = \"stone-game-iii\"", &format!("program = \"{program}\""))
        .replace("[function]\nname = \"game\"\nreturns = [\"Alice\", \"Bob\", \"Tie\"]\n", "");
    format!(
        "{text}[families]\nexhaustive = {{ budget = 60 }}\nsmall_random = {{ count = 0 }}\n\
         max_small_values = {{ count = 0 }}\nmax_random = {{ count = 1 }}\noff = [\"edges/*\", \"edges/*/*\"]\n"
    )
}

fn a_program_of_the_workspace_gives_the_answers(walls: Walls) {
    if !require("python3") {
        return;
    }
    let place = Place::new(&[("sum", &summed("solutions/sum/accepted/sum.py"))]);
    fs::create_dir_all(place.path("solutions/sum/accepted")).unwrap();
    let program = place.path("solutions/sum/accepted/sum.py");
    fs::write(&program, "d = open(0).read().split()\nprint(sum(map(int, d[1:])))\n").unwrap();
    place.succeeds(&["--jobs", "2", "--isolation", walls.flag()]);
    let package = package::open(&place.path("generated/sum")).unwrap();
    for test in &package.tests {
        let (input, answer) = (fs::read(&test.input).unwrap(), fs::read_to_string(&test.answer).unwrap());
        for member in &test.members {
            let cut = |range: &std::ops::Range<u64>| range.start as usize..range.end as usize;
            let text = std::str::from_utf8(&input[cut(&member.input)]).unwrap();
            let sum: i64 = text.split_whitespace().skip(1).map(|word| word.parse::<i64>().unwrap()).sum();
            assert_eq!(answer[cut(&member.answer)], format!("{sum}\n"), "{text}");
        }
    }
    place.succeeds(&["--check", "--isolation", walls.flag()]);
    // Another program text is another source of answers.
    fs::write(&program, "d = open(0).read().split()\nprint(sum(map(int, d[1:])) + 0)\n").unwrap();
    let output = place.run(&["--check", "--isolation", walls.flag()]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("another source of answers"), "{}", stdout(&output));
}

/// A program that never answers the same again shows how often it was asked.
fn a_program_is_asked_once_for_each_short_input(walls: Walls) {
    if !require("python3") {
        return;
    }
    let problem = "format = 1\ntitle = { en = \"Few\" }\n[limits]\ntime = \"1s\"\nmemory = \"64MiB\"\n[[input]]\nname = \"n\"\n\
         type = \"int\"\nmin = 1\nmax = 3\n[answer]\nprogram = \"solutions/few/accepted/new.py\"\n[[sample]]\nn = 1\n";
    let place = Place::new(&[("few", problem)]);
    fs::create_dir_all(place.path("solutions/few/accepted")).unwrap();
    let text = "import os\ninput()\nprint(int.from_bytes(os.urandom(8), 'big'))\n";
    fs::write(place.path("solutions/few/accepted/new.py"), text).unwrap();
    place.succeeds(&["--jobs", "1", "--isolation", walls.flag()]);
    let package = package::open(&place.path("generated/few")).unwrap();
    let mut answers = std::collections::BTreeMap::new();
    let mut members = 0;
    for test in &package.tests {
        let (input, answer) = (fs::read(&test.input).unwrap(), fs::read(&test.answer).unwrap());
        for member in &test.members {
            let cut = |range: &std::ops::Range<u64>| range.start as usize..range.end as usize;
            let (text, said) = (input[cut(&member.input)].to_vec(), &answer[cut(&member.answer)]);
            let first = answers.entry(text).or_insert_with(|| said.to_vec());
            assert_eq!(first, said, "{}", test.name);
            members += 1;
        }
    }
    assert!(members > answers.len(), "some input is there twice, or nothing is shown: {members}");
}

fn a_solver_that_fails_is_a_judge_error_and_leaves_no_answer(walls: Walls) {
    if !require("python3") {
        return;
    }
    let place = Place::new(&[("sum", &summed("sum.py"))]);
    for (program, expected) in [
        (
            "import sys\nd = sys.stdin.read().split()\nif d[0] == '3': sys.exit('no three')\nprint(1)\n",
            "no three",
        ),
        ("pass\n", "it printed nothing"),
        ("print(1)\nprint(1 // 0)\n", "exit status 1"),
        ("import os\nprint(1, flush=True)\nos.kill(os.getpid(), 11)\n", "signal 11"),
    ] {
        fs::write(place.path("sum.py"), program).unwrap();
        let output = place.run(&["--isolation", walls.flag()]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(text.contains("the trusted solver failed on the test `exhaustive/n=1..3`"), "{text}");
        assert!(text.contains(expected) && text.contains("input:\n"), "{text}");
        assert_eq!(fs::read_dir(place.path("generated")).unwrap().count(), 0);
    }
    fs::remove_file(place.path("sum.py")).unwrap();
    let output = place.run(&["--isolation", walls.flag()]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("sum.py"), "{}", stderr(&output));
}
