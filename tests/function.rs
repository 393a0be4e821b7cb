//! Function mode end to end: drivers compiled and run as a submission is, in every language. The programs have no main,
//! no imports of their own, and do what solutions do: print, recurse deeply, keep state, fail.

mod programs;

use programs::{CACHED, FORMS, LEVELS, SPREADS};
use touchstone::input::{Input, Value};
use touchstone::lang::{
    CompileFailure, CompileJob, Mode, Program, Table, Toolchains, compile, detect, function,
};
use touchstone::limits::{Limits, MemoryLimit, TimeLimit};
use touchstone::problem::{Field, Function, InputModel, IntRange, Len, Returns, Shape, Size};
use touchstone::sandbox::{Ended, Outcome, Stdin};

use crate::toolchain::{cache, require, skipped, toolchains};
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![
    every_language_answers_call_after_call_whatever_it_prints_and_however_deep_it_recurses,
    megabytes_of_prints_do_not_matter,
    lists_come_back_and_an_exception_is_a_run_time_error_with_its_stack,
    a_solution_that_breaks_what_tells_of_faults_ends_all_the_same,
    all_ways_to_declare_the_function_work,
    what_was_returned_in_place_of_an_answer_is_told,
    any_number_is_a_truth_value_where_the_language_says_so,
    a_wrong_signature_is_a_compile_error_that_begins_with_the_right_one,
    mistakes_in_the_source_are_told_with_its_own_name_and_lines,
    caches_recurse_as_deep_as_there_are_values_on_every_python,
];

/// A function and its parameters.
struct Asked {
    function: Function,
    model: InputModel,
}

impl Asked {
    fn new(name: &str, returns: Returns, fields: Vec<Field>) -> Self {
        let sizes = vec![Size { name: "n".to_owned(), range: IntRange { min: 0, max: 100_000, step: 1 } }];
        let function = Function { name: name.to_owned(), names: Vec::new(), returns };
        Self { function, model: InputModel { sizes, fields, ..InputModel::default() } }
    }

    fn build_with(
        &self,
        walls: Walls,
        tools: &Toolchains,
        name: &str,
        text: &str,
    ) -> Result<Program, CompileFailure> {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join(name);
        std::fs::write(&source, text).unwrap();
        let language = detect(Table::built_in(), &source, None).unwrap();
        let function = Some((&self.function, &self.model));
        let job = CompileJob {
            language,
            source: &source,
            mode: Mode::Function,
            function,
            headers: &[],
            cache: cache(walls),
        };
        compile(&job, tools, &mut walls.sandbox())
    }

    fn build(&self, walls: Walls, name: &str, text: &str) -> Program {
        self.build_with(walls, toolchains(), name, text).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn rejected(&self, walls: Walls, name: &str, text: &str) -> String {
        match self.build_with(walls, toolchains(), name, text) {
            Err(CompileFailure::Rejected { log }) => log,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// The answer or fault of each call, and what became of the process.
    fn call(&self, walls: Walls, program: &Program, inputs: &[Input]) -> (Vec<String>, Outcome) {
        let nonce = |index: usize| 0x5eed_0000_0000_0000 + index as u64;
        let requests = inputs.iter().enumerate();
        let requests = requests.map(|(index, input)| function::request(&self.model, input, nonce(index)));
        let memory = MemoryLimit::from_bytes(256 << 20).unwrap();
        let limits = Limits { time: TimeLimit::from_ms(20_000).unwrap(), memory };
        let spec = program.spec(Stdin::Empty, Some(requests.collect()), &limits);
        let outcome = walls.sandbox().run(&spec).unwrap();
        let answers = outcome.calls.iter().enumerate().map(|(index, call)| match &call.reply {
            None => "ended".to_owned(),
            Some(line) => function::reply(line, nonce(index), &self.function.returns)
                .unwrap_or_else(|fault| fault.to_string()),
        });
        (answers.collect(), outcome)
    }

    #[track_caller]
    fn answers(&self, walls: Walls, name: &str, text: &str, inputs: &[Input]) -> Vec<String> {
        let (answers, outcome) = self.call(walls, &self.build(walls, name, text), inputs);
        let stderr = String::from_utf8_lossy(&outcome.stderr);
        assert_eq!(outcome.ended, Ended::Exit(0), "{name}: {:?} {answers:?} {stderr}", outcome.limit_hit);
        answers
    }
}

fn ints(name: &str, max: i64) -> Field {
    let item = IntRange { min: -max, max, step: 1 };
    Field { name: name.to_owned(), shape: Shape::Array { len: Len::Size(0), item } }
}

fn int(name: &str, max: i64) -> Field {
    Field { name: name.to_owned(), shape: Shape::Int(IntRange { min: -max, max, step: 1 }) }
}

fn input(values: &[i64], one: i64) -> Input {
    Input { values: vec![Value::Array(values.to_vec()), Value::Int(one)] }
}

/// How the alternating sum of `values`, taken by a recursion as deep as there are values, stands to `target`.
fn level() -> Asked {
    let returns = Returns::OneOf(["Above", "Below", "Level"].map(str::to_owned).to_vec());
    Asked::new("levelOf", returns, vec![ints("values", 1000), int("target", 1000)])
}

fn every_language_answers_call_after_call_whatever_it_prints_and_however_deep_it_recurses(walls: Walls) {
    let ones = vec![1; 50_000];
    let down: Vec<i64> = (0..100_000).map(|index| if index % 2 == 0 { 7 } else { 6 }).collect();
    let inputs = [
        input(&[1], 1),
        input(&[1], 0),
        input(&[-1000, 1000], 0),
        input(&ones, 0),
        input(&down, -1000),
        input(&[], 1),
        input(&[3, 1], 2),
    ];
    for (language, name, text) in LEVELS {
        assert_eq!(function::detect(language, text, &level().function), Mode::Function, "{name}");
        if require(language) {
            let answers = level().answers(walls, name, text, &inputs);
            let expected = ["Level", "Above", "Below", "Level", "Above", "Below", "Level"];
            assert_eq!(answers, expected, "{name}");
        }
    }
}

/// What stands in the editor before anybody wrote anything compiles, runs and is wrong at most.
#[test]
fn starters_compile_as_they_are() {
    let walls = Walls::Plain;
    for language in ["c", "cpp", "go", "java", "javascript", "python", "rust", "typescript"] {
        for (asked, nothing) in [(level(), "returned \"\""), (spread(), "")] {
            let extension = &Table::built_in().language(language).unwrap().extensions[0];
            let text = function::starter(language, &asked.function, &asked.model).unwrap();
            if require(language) {
                let name = format!("starter.{extension}");
                let answers = asked.answers(walls, &name, &text, &[input(&[1], 1)]);
                assert!(answers[0].contains(nothing), "{language}: {answers:?}\n{text}");
            }
        }
    }
}

/// A print of 5 MB for each call.
fn megabytes_of_prints_do_not_matter(walls: Walls) {
    if require("python") {
        let text = "class Solution:\n    def levelOf(self, values, target):\n        print('Above\\n' * 1000000)\n        return 'Below'\n";
        assert_eq!(
            level().answers(walls, "s.py", text, &[input(&[1], 1), input(&[2], 2)]),
            ["Below", "Below"]
        );
    }
}

/// The values at even places, each plus `shift`; the numbers need 64 bits. Negative `shift` is a fault.
fn spread() -> Asked {
    Asked::new("evenPlaces", Returns::IntArray, vec![ints("type", 100), int("for", 1 << 40)])
}

fn lists_come_back_and_an_exception_is_a_run_time_error_with_its_stack(walls: Walls) {
    for (language, name, text, complaint) in SPREADS {
        assert_eq!(function::detect(language, text, &spread().function), Mode::Function, "{name}");
        if !require(language) {
            continue;
        }
        let inputs = [input(&[1, 2, -3], 5), input(&[], 5), input(&[4], 0), input(&[1], -1), input(&[1], 1)];
        let (answers, outcome) = spread().call(walls, &spread().build(walls, name, text), &inputs);
        assert_eq!(answers, ["6 2", "", "4", "ended"], "{name}");
        assert_ne!(outcome.ended, Ended::Exit(0), "{name}");
        let stderr = String::from_utf8_lossy(&outcome.stderr);
        assert!(stderr.contains(complaint), "{name}: {stderr}");
        assert!(!stderr.contains("ouchstoneDriver"), "{name}: our own frames are left out: {stderr}");
    }
}

/// Each breaks what its driver needs to tell of the fault that comes next.
const BREAKERS: [(&str, &str, &str); 5] = [
    (
        "python",
        "open.py",
        "import builtins\nbuiltins.open = None\nclass Solution:\n    def count(self, a, k):\n        raise ValueError(a)\n",
    ),
    (
        "python",
        "none.py",
        "import sys\nclass Solution:\n    def count(self, a, k):\n        sys.stderr = sys.stdout = sys.modules = None\n        raise SystemExit('no')\n",
    ),
    (
        "java",
        "count.java",
        "class Solution {\n    static { System.setErr(null); System.setOut(null); new Thread(() -> { for (;;) try { Thread.sleep(9); } catch (Exception e) {} }).start(); }\n    public int count(int[] a, int k) { throw new IllegalStateException(); }\n}\n",
    ),
    (
        "javascript",
        "throws.js",
        "process.on('uncaughtException', () => {});\nsetInterval(() => {}, 1000);\nvar count = function (a, k) { require('fs').writeSync = () => { throw 1; }; throw new Error(); };\n",
    ),
    (
        "javascript",
        "closed.js",
        "var count = function (a, k) { const fs = require('fs'); fs.closeSync(4); fs.openSync('/dev/null', 'w'); return 1; };\n",
    ),
];

fn a_solution_that_breaks_what_tells_of_faults_ends_all_the_same(walls: Walls) {
    let count = Asked::new("count", Returns::Int, vec![ints("a", 9), int("k", 9)]);
    for (language, name, text) in BREAKERS {
        if !require(language) {
            continue;
        }
        let (answers, outcome) = count.call(walls, &count.build(walls, name, text), &[input(&[1], 1)]);
        assert_eq!((answers, outcome.limit_hit), (vec!["ended".to_owned()], None), "{name}");
        assert!(matches!(outcome.ended, Ended::Exit(_)), "{name}: {:?}", outcome.ended);
    }
}

fn all_ways_to_declare_the_function_work(walls: Walls) {
    let size = Asked::new("size", Returns::Int, vec![ints("a", 9), int("k", 9)]);
    for (language, name, text) in FORMS {
        if require(language) {
            assert_eq!(
                size.answers(walls, name, text, &[input(&[1, 2], 5), input(&[], -9)]),
                ["7", "-9"],
                "{text}"
            );
        }
    }
}

fn what_was_returned_in_place_of_an_answer_is_told(walls: Walls) {
    let count = Asked::new("count", Returns::Int, vec![ints("a", 9), int("k", 9)]);
    let inputs = [input(&[1], 1), input(&[1], 2), input(&[1], 3)];
    let python =
        "class Solution:\n    def count(self, a, k):\n        return {1: None, 2: 3.5, 3: 5000000000}[k]\n";
    let javascript = "function count(a, k) { return [, undefined, 3.5, '7'][k] }\n";
    let java = "class Solution { Integer count(int[] a, int k) { return k == 1 ? null : k; } }\n";
    if require("python") {
        let told = count.answers(walls, "s.py", python, &inputs);
        assert_eq!(told[0], "returned None, a 32-bit integer was expected");
        assert_eq!(told[1], "returned 3.5 where a 32-bit integer was expected");
        assert_eq!(told[2], "returned 5000000000 where a 32-bit integer was expected");
    }
    if require("javascript") {
        let told = count.answers(walls, "s.js", javascript, &inputs);
        assert_eq!(told[0], "returned undefined, a 32-bit integer was expected");
        assert_eq!(told[1], "returned 3.5 where a 32-bit integer was expected");
        assert_eq!(told[2], "returned \"7\" where a 32-bit integer was expected");
    }
    if require("java") {
        let told = count.answers(walls, "s.java", java, &inputs);
        assert_eq!(told, ["returned null, a 32-bit integer was expected", "2", "3"]);
    }
    let say = Asked::new("say", Returns::Text, vec![ints("a", 9), int("k", 9)]);
    if require("c") {
        let text = "char* say(int* a, int n, int k) { return k == 1 ? NULL : k == 2 ? \"a\\nb\" : \" tab\\t\\\\ \"; }";
        let told = say.answers(walls, "s.c", text, &inputs);
        assert_eq!(told[0], "returned NULL, text on one line was expected");
        assert_eq!(told[1], "returned \"a\\nb\" where text on one line was expected");
        assert_eq!(told[2], " tab\t\\ ");
    }
}

fn any_number_is_a_truth_value_where_the_language_says_so(walls: Walls) {
    let both = Asked::new("both", Returns::Bool, vec![ints("a", 9), int("k", 9)]);
    let python = "class Solution:\n    def both(self, a, k):\n        return None if k < 0 else a[0] and k\n";
    let javascript = "var both = function (a, k) { return k < 0 ? undefined : a[0] && k }\n";
    let inputs = [input(&[2], 3), input(&[0], 3), input(&[2], 0), input(&[1], -1)];
    for (language, name, text) in [("python", "s.py", python), ("javascript", "s.js", javascript)] {
        if require(language) {
            let told = both.answers(walls, name, text, &inputs);
            assert_eq!(told[..3], ["true", "false", "false"], "{language}");
            assert!(told[3].ends_with("true or false was expected"), "{language}: {}", told[3]);
        }
    }
}

fn a_wrong_signature_is_a_compile_error_that_begins_with_the_right_one(walls: Walls) {
    let is_even = Asked::new("isEven", Returns::Bool, vec![ints("a", 9), int("k", 9)]);
    for (language, name, text, first) in [
        (
            "cpp",
            "s.cpp",
            "class Solution {\npublic:\n    string isEven(vector<int>& a, int k) { return \"\"; }\n};\n",
            "expected: class Solution with public: bool isEven(vector<int>& a, int k); found: string isEven(vector<int>& a, int k)",
        ),
        (
            "java",
            "s.java",
            "class Solution {\n    public String isEven(int[] a, int k) { return \"\"; }\n}\n",
            "expected: class Solution with public boolean isEven(int[] a, int k); found: String isEven(int[] a, int k)",
        ),
        (
            "go",
            "s.go",
            "func isEven(a []int) bool { return true }\n",
            "expected: func isEven(a []int, k int) bool; found: isEven(a []int) bool",
        ),
        (
            "rust",
            "s.rs",
            "impl Solution {\n    pub fn is_even(a: Vec<i64>, k: i32) -> bool { true }\n}\n",
            "expected: impl Solution with pub fn is_even(a: Vec<i32>, k: i32) -> bool; found: is_even(a: Vec<i64>, k: i32) -> bool",
        ),
        (
            "c",
            "s.c",
            "char* isEven(int* a, int n, int k) { return \"\"; }\n",
            "expected: bool isEven(int* a, int aSize, int k); found: char* isEven(int* a, int n, int k)",
        ),
    ] {
        if require(language) {
            let log = is_even.rejected(walls, name, text);
            assert_eq!(log.lines().next(), Some(first), "{name}: {log}");
            assert!(log.lines().count() > 1, "{name}: the compiler's own words follow");
        }
    }
    // These only show when the program starts.
    for (language, name, text, line) in [
        (
            "python",
            "s.py",
            "class Solution:\n    def isEven(self, a):\n        return True\n",
            "expected: class Solution with def isEven(self, a: List[int], k: int) -> bool; found: isEven(self, a)\n",
        ),
        (
            "javascript",
            "s.js",
            "function test() { return isEven }\n",
            "expected: function isEven(a, k); found: undefined isEven\n",
        ),
    ] {
        if require(language) {
            let (answers, outcome) =
                is_even.call(walls, &is_even.build(walls, name, text), &[input(&[1], 1)]);
            assert_eq!((answers, outcome.ended), (vec!["ended".to_owned()], Ended::Exit(1)));
            assert_eq!(String::from_utf8_lossy(&outcome.stderr), line);
        }
    }
}

fn mistakes_in_the_source_are_told_with_its_own_name_and_lines(walls: Walls) {
    for (language, name, text, place) in [
        (
            "cpp",
            "my file.cpp",
            "class Solution { public:\n  string levelOf(vector<int>& a, int t) { return x; }\n};\n",
            "my file.cpp:2:",
        ),
        ("c", "mine.c", "char* levelOf(int* a, int n, int t) {\n  return x;\n}\n", "mine.c:2:"),
        (
            "java",
            "Mine.java",
            "class Solution {\n  String levelOf(int[] a, int t) { return x; }\n}\n",
            "Mine.java:2:",
        ),
        (
            "python",
            "mine.py",
            "class Solution:\n  def levelOf(self, a, t):\n    return )\n",
            "\"mine.py\", line 3",
        ),
        ("go", "mine.go", "func levelOf(a []int, t int) string {\n  return x\n}\n", "mine.go:2:"),
        (
            "typescript",
            "mine.ts",
            "function levelOf(a: number[], t: number): string {\n  return );\n}\n",
            "mine.ts(2,",
        ),
        ("javascript", "mine.js", "function levelOf(a, t) {\n  return );\n}\n", "mine.js:2"),
        (
            "rust",
            "mine.rs",
            "impl Solution {\n  pub fn level_of(a: Vec<i32>, t: i32) -> String { x }\n}\n",
            "mine.rs:2:",
        ),
    ] {
        if require(language) {
            let log = level().rejected(walls, name, text);
            assert!(log.contains(place), "{name}: {log}");
            assert!(!log.contains("expected: "), "{name}: {log}");
        }
    }
}

fn caches_recurse_as_deep_as_there_are_values_on_every_python(walls: Walls) {
    let home = std::env::var_os("HOME").unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    for version in ["3.10", "3.11", "3.12", "3.13"] {
        let Some(python) = python(version, &home, &path) else {
            // Which of them a machine has is its own affair, even where every toolchain is required.
            skipped(&format!("no CPython {version}"));
            continue;
        };
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(python, folder.path().join("python3")).unwrap();
        let tools = Toolchains::ask(folder.path().as_os_str());
        let program = level().build_with(walls, &tools, "cached.py", CACHED).unwrap();
        let ones = vec![1; 50_000];
        let (answers, outcome) =
            level().call(walls, &program, &[input(&[5], 5), input(&ones, 0), input(&ones, -1)]);
        let stderr = String::from_utf8_lossy(&outcome.stderr);
        assert_eq!(answers, ["Level", "Level", "Above"], "{version}: {:?} {stderr}", outcome.limit_hit);
    }
}

/// `python3.12` on PATH, or where pyenv keeps it.
fn python(version: &str, home: &std::ffi::OsStr, path: &std::ffi::OsStr) -> Option<std::path::PathBuf> {
    let name = format!("python{version}");
    let kept = std::path::Path::new(home).join(".pyenv/versions");
    let kept = std::fs::read_dir(kept).into_iter().flatten().flatten().map(|entry| entry.path().join("bin"));
    let is_shim = |folder: &std::path::PathBuf| folder.ends_with("shims");
    let folders = kept.chain(std::env::split_paths(path).filter(|folder| !is_shim(folder)));
    folders.map(|folder| folder.join(&name)).find(|program| program.is_file())
}
