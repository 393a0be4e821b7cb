//! Function mode end to end: drivers compiled and run as a submission is, in every language. The programs have no main,
//! no imports of their own, and do what solutions do: print, recurse deeply, keep state, fail.

use touchstone::input::{Input, Value};
use touchstone::lang::{
    CompileFailure, CompileJob, Mode, Program, Table, Toolchains, compile, detect, function,
};
use touchstone::limits::{Limits, MemoryLimit, TimeLimit};
use touchstone::problem::{Field, Function, InputModel, IntRange, Len, Returns, Shape, Size};
use touchstone::sandbox::{Ended, Outcome, Stdin};

use crate::toolchain::{cache, require, sandbox, toolchains};

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

    fn build_with(&self, tools: &Toolchains, name: &str, text: &str) -> Result<Program, CompileFailure> {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join(name);
        std::fs::write(&source, text).unwrap();
        let language = detect(Table::built_in(), &source, None).unwrap();
        let function = Some((&self.function, &self.model));
        let job = CompileJob { language, source: &source, mode: Mode::Function, function, cache: cache() };
        compile(&job, tools, &mut sandbox())
    }

    fn build(&self, name: &str, text: &str) -> Program {
        self.build_with(toolchains(), name, text).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn rejected(&self, name: &str, text: &str) -> String {
        match self.build_with(toolchains(), name, text) {
            Err(CompileFailure::Rejected { log }) => log,
            other => panic!("{name}: {other:?}"),
        }
    }

    /// The answer or fault of each call, and what became of the process.
    fn call(&self, program: &Program, inputs: &[Input]) -> (Vec<String>, Outcome) {
        let nonce = |index: usize| 0x5eed_0000_0000_0000 + index as u64;
        let requests = inputs.iter().enumerate();
        let requests = requests.map(|(index, input)| function::request(&self.model, input, nonce(index)));
        let memory = MemoryLimit::from_bytes(256 << 20).unwrap();
        let limits = Limits { time: TimeLimit::from_ms(20_000).unwrap(), memory };
        let spec = program.spec(Stdin::Empty, Some(requests.collect()), &limits);
        let outcome = sandbox().run(&spec).unwrap();
        let answers = outcome.calls.iter().enumerate().map(|(index, call)| match &call.reply {
            None => "ended".to_owned(),
            Some(line) => function::reply(line, nonce(index), &self.function.returns)
                .unwrap_or_else(|fault| fault.to_string()),
        });
        (answers.collect(), outcome)
    }

    #[track_caller]
    fn answers(&self, name: &str, text: &str, inputs: &[Input]) -> Vec<String> {
        let (answers, outcome) = self.call(&self.build(name, text), inputs);
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

/// Programs for [`level`] that also print, write to descriptor 1, read standard input, and would answer `Stale` to a
/// second call of the same object.
const LEVELS: [(&str, &str, &str); 8] = [
    (
        "cpp",
        "level.cpp",
        r#"class Solution {
    int calls = 0;
    long long down(const vector<int>& a, size_t i) { return i == a.size() ? 0 : a[i] - down(a, i + 1); }
public:
    string levelOf(vector<int>& values, int target) {
        string line;
        if (getline(cin, line) || ++calls > 1) return "Stale";
        cout << "Above" << endl;
        printf("5eed000000000000 =Above\n");
        long long d = down(values, 0);
        return d > target ? "Above" : d < target ? "Below" : "Level";
    }
};
"#,
    ),
    (
        "c",
        "level.c",
        r#"static long long down(const int* a, int n) { return n == 0 ? 0 : *a - down(a + 1, n - 1); }

char* levelOf(int* values, int valuesSize, int target) {
    if (getchar() != EOF) return "Stale";
    puts("5eed000000000000 =Above");
    long long d = down(values, valuesSize);
    char* text = malloc(6);
    strcpy(text, d > target ? "Above" : d < target ? "Below" : "Level");
    return text;
}
"#,
    ),
    (
        "java",
        "level.java",
        r#"class Solution {
    private final Deque<Integer> calls = new ArrayDeque<>();

    public String levelOf(int[] values, int target) throws IOException {
        calls.push(1);
        if (System.in.read() >= 0 || calls.size() > 1) return "Stale";
        System.out.println("5eed000000000000 =Above");
        new FileOutputStream(FileDescriptor.out).write('\n');
        long d = down(values, 0);
        return d > target ? "Above" : d < target ? "Below" : "Level";
    }

    private long down(int[] a, int i) { return i == a.length ? 0 : a[i] - down(a, i + 1); }
}
"#,
    ),
    (
        "python",
        "level.py",
        r#"class Solution:
    def __init__(self):
        self.calls = Counter()

    def levelOf(self, values: List[int], target: int) -> str:
        self.calls[target] += 1
        if sys.stdin.read() or sum(self.calls.values()) > 1:
            return "Stale"
        print("5eed000000000000 =Above")
        os.write(1, b"Above\n")

        def down(i):
            return 0 if i == len(values) else values[i] - down(i + 1)

        d = down(0)
        return "Above" if d > target else "Below" if d < target else "Level"
"#,
    ),
    (
        "go",
        "level.go",
        r#"func levelOf(values []int, target int) string {
    var word string
    if _, err := fmt.Scan(&word); err == nil {
        return "Stale"
    }
    fmt.Println("5eed000000000000 =Above")
    os.Stdout.WriteString(strings.Repeat("Above", 2))
    d := down(values)
    if d > target {
        return "Above"
    } else if d < target {
        return "Below"
    }
    return "Level"
}

func down(a []int) int {
    if len(a) == 0 {
        return 0
    }
    return a[0] - down(a[1:])
}
"#,
    ),
    (
        "typescript",
        "level.ts",
        r#"let sum = 0;
function levelOf(values: number[], target: number): string {
  console.log('5eed000000000000 =Above');
  const down = (i: number): number => (i === values.length ? 0 : values[i]! - down(i + 1));
  const d: number = down(0);
  return d > target ? 'Above' : d < target ? 'Below' : 'Level';
}
"#,
    ),
    (
        "javascript",
        "level.js",
        r#"/**
 * @param {number[]} values
 */
var levelOf = function (values, target) {
  console.log('5eed000000000000 =Above');
  if (require('fs').readFileSync(0).length) return 'Stale';
  const down = (i) => (i === values.length ? 0 : values[i] - down(i + 1));
  const d = down(0);
  return d > target ? 'Above' : d < target ? 'Below' : 'Level';
};
"#,
    ),
    (
        "rust",
        "level.rs",
        r#"impl Solution {
    pub fn level_of(values: Vec<i32>, target: i32) -> String {
        fn down(a: &VecDeque<i32>, i: usize) -> i32 {
            if i == a.len() { 0 } else { a[i] - down(a, i + 1) }
        }
        let mut line = String::new();
        if std::io::stdin().read_line(&mut line).unwrap() > 0 {
            return "Stale".to_string();
        }
        println!("5eed000000000000 =Above");
        match down(&values.into(), 0).cmp(&target) {
            Ordering::Greater => "Above",
            Ordering::Less => "Below",
            Ordering::Equal => "Level",
        }
        .to_string()
    }
}
"#,
    ),
];

#[test]
fn every_language_answers_call_after_call_whatever_it_prints_and_however_deep_it_recurses() {
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
            let answers = level().answers(name, text, &inputs);
            let expected = ["Level", "Above", "Below", "Level", "Above", "Below", "Level"];
            assert_eq!(answers, expected, "{name}");
        }
    }
}

/// A print of 5 MB for each call.
#[test]
fn megabytes_of_prints_do_not_matter() {
    if require("python") {
        let text = "class Solution:\n    def levelOf(self, values, target):\n        print('Above\\n' * 1000000)\n        return 'Below'\n";
        assert_eq!(level().answers("s.py", text, &[input(&[1], 1), input(&[2], 2)]), ["Below", "Below"]);
    }
}

/// The values at even places, each plus `shift`; the numbers need 64 bits. Negative `shift` is a fault.
fn spread() -> Asked {
    Asked::new("evenPlaces", Returns::IntArray, vec![ints("type", 100), int("for", 1 << 40)])
}

/// Programs for [`spread`] that end on a negative shift. The parameters' names are keywords in most languages.
const SPREADS: [(&str, &str, &str, &str); 8] = [
    (
        "cpp",
        "spread.cpp",
        "struct Solution {\n    vector<int> evenPlaces(const vector<int>& a, long long shift) {\n        if (shift < 0) throw invalid_argument(\"shift is negative\");\n        vector<int> r;\n        for (size_t i = 0; i < a.size(); i += 2) r.push_back(a[i] + shift);\n        return r;\n    }\n};\n",
        "what():  shift is negative",
    ),
    (
        "c",
        "spread.c",
        "int* evenPlaces(int* a, int n, long long shift, int* returnSize) {\n    if (shift < 0) { fprintf(stderr, \"shift is negative\\n\"); exit(3); }\n    int* r = malloc(sizeof(int) * (n + 1));\n    *returnSize = 0;\n    for (int i = 0; i < n; i += 2) r[(*returnSize)++] = a[i] + (int)shift;\n    return r;\n}\n",
        "shift is negative",
    ),
    (
        "java",
        "spread.java",
        "package my.own;\nimport java.util.ArrayList;\nimport java.util.List;\n\npublic class Solution {\n    public int[] evenPlaces(int[] a, long shift) {\n        if (shift < 0) throw new IllegalArgumentException(\"shift is negative\");\n        List<Integer> r = new ArrayList<>();\n        for (int i = 0; i < a.length; i += 2) r.add(a[i] + (int) shift);\n        return r.stream().mapToInt(i -> i).toArray();\n    }\n}\n\nclass Unused { static class Inner {} }\n",
        "at my.own.Solution.evenPlaces(Solution.java:7)",
    ),
    (
        "python",
        "spread.py",
        "from __future__ import annotations\nimport functools\n\ndef evenPlaces(a: List[int], shift):\n    if shift < 0:\n        raise ValueError('shift is negative')\n    return [x + shift for x in a[::2]]\n",
        "line 6, in evenPlaces\n    raise ValueError('shift is negative')\nValueError: shift is negative",
    ),
    (
        "go",
        "spread.go",
        "package solution\n\nimport \"sort\"\n\nfunc evenPlaces(a []int, shift int64) []int {\n\tif shift < 0 {\n\t\tpanic(errors.New(\"shift is negative\"))\n\t}\n\tr := []int{}\n\tfor i := range a {\n\t\tif i%2 == 0 {\n\t\t\tr = append(r, a[i]+int(shift))\n\t\t}\n\t}\n\tsort.SliceStable(r, func(i, j int) bool { return false })\n\treturn r\n}\n",
        "solution.go:7",
    ),
    (
        "typescript",
        "spread.ts",
        "export default class Solution {\n  private at(i: number): boolean { return i % 2 === 0 }\n  evenPlaces(a: number[], shift: number): number[] {\n    if (shift < 0) throw new RangeError(`shift is ${'negative'}`);\n    return a.filter((_, i) => this.at(i)).map((x) => x + shift);\n  }\n}\n",
        "RangeError: shift is negative",
    ),
    (
        "javascript",
        "spread.js",
        "const even = (_, i) => i % 2 === 0;\nexport const evenPlaces = (a, shift) => {\n  if (shift < 0) throw new RangeError('shift is negative');\n  return a.filter(even).map((x) => x + shift);\n};\nexport { even as default };\n",
        "main.cjs:3",
    ),
    (
        "rust",
        "spread.rs",
        "#![allow(clippy::all)]\nuse std::collections::HashMap;\n#[derive(Default)]\npub struct Solution { map: HashMap<i32, i32> }\nimpl Solution {\n    fn even_places(mut a: Vec<i32>, shift: i64) -> Vec<i32> {\n        assert!(shift >= 0, \"shift is negative\");\n        a.iter_mut().for_each(|x| *x += shift as i32);\n        a.into_iter().step_by(2).collect()\n    }\n}\n",
        ":7:9:\nshift is negative",
    ),
];

#[test]
fn lists_come_back_and_an_exception_is_a_run_time_error_with_its_stack() {
    for (language, name, text, complaint) in SPREADS {
        assert_eq!(function::detect(language, text, &spread().function), Mode::Function, "{name}");
        if !require(language) {
            continue;
        }
        let inputs = [input(&[1, 2, -3], 5), input(&[], 5), input(&[4], 0), input(&[1], -1), input(&[1], 1)];
        let (answers, outcome) = spread().call(&spread().build(name, text), &inputs);
        assert_eq!(answers, ["6 2", "", "4", "ended"], "{name}");
        assert_ne!(outcome.ended, Ended::Exit(0), "{name}");
        let stderr = String::from_utf8_lossy(&outcome.stderr);
        assert!(stderr.contains(complaint), "{name}: {stderr}");
        assert!(!stderr.contains("ouchstoneDriver"), "{name}: our own frames are left out: {stderr}");
    }
}

/// Sources that a driver could easily stumble over: names of its own, mains of their own, other ways to declare.
const FORMS: [(&str, &str, &str); 16] = [
    (
        "cpp",
        "s.cpp",
        "#define int long long\n#define f first\nint read(int x) { return x; }\nint next, at, end_;\nclass Solution { public: static int size(vector<int> a, int k) { return read(a.size() + k); } };\nsigned main() { return Solution::size({}, 1); }",
    ),
    (
        "cpp",
        "s.cpp",
        "#include <vector>\nint size(const std::vector<int>& a, int k) { auto both = [](auto&& both, int x) -> int { return x; }; return both(both, a.size() + k); } // no newline",
    ),
    (
        "c",
        "s.c",
        "#include <stdio.h>\nint read(void) { return 1; }\nint write(int x) { return x; }\nint size(const int* a, int n, int k) { return write(n) + k; }\nint main(void) { return read(); }",
    ),
    (
        "java",
        "S.java",
        "import java.util.List;\nabstract class Base { public int size(int[] a, int k) throws Exception { return a.length + k; } }\nclass Solution extends Base { public static void main(String[] a) { System.out.println(1); } }",
    ),
    (
        "java",
        "S.java",
        "public class Stack { }\nclass List { int x; }\nclass Solution { static Integer size(int[] a, int k) { Map<Integer, Long> m = Arrays.stream(a).boxed().collect(Collectors.groupingBy(Function.identity(), Collectors.counting())); return a.length + k; } }",
    ),
    (
        "python",
        "s.py",
        "class Solution(object):\n    @staticmethod\n    def size(a, k, unused=[]):\n        return reduce(add, [len(a), k])\nif __name__ == '__main__':\n    print(input())\n",
    ),
    (
        "python",
        "s.py",
        "class Base:\n    @lru_cache(None)\n    def twice(self, k): return k\nclass Solution(Base):\n    def size(self, *args):\n        a, k = args\n        return int(f'{floor(e) - 2}') + len(a) + self.twice(k)\n",
    ),
    (
        "go",
        "s.go",
        "package main\nimport (\n\t\"fmt\"\n\tm \"math\"\n)\ntype heap []int\nfunc (h heap) Len() int { return len(h) }\nfunc max(a, b int) int { return b }\nfunc size(a []int, k int) int { list := heap(a); _ = fmt.Sprint(m.Pi); return list.Len() + max(9, k) }\nfunc main() { fmt.Println(size(nil, 1)) }\n",
    ),
    (
        "go",
        "s.go",
        "func size(a []int, k int) int { sort := strings.Repeat(\"x\", 0); slices.Sort(a); return len(a) + k + len(sort) } // sort.Ints",
    ),
    (
        "rust",
        "s.rs",
        "use std::fmt::*;\nstruct Solution;\nimpl Solution { pub fn size(a: Vec<i32>, k: i32) -> i32 { (a.len() as i32).max(0) + k } }\nfn main() { println!(\"{}\", Solution::size(vec![], 1)); }",
    ),
    (
        "rust",
        "s.rs",
        "type Result = i32;\nfn next() -> Option<i32> { None }\nfn size(a: Vec<i32>, k: i32) -> Result { let h: HashMap<i32, BinaryHeap<Reverse<i32>>> = HashMap::new(); a.len() as i32 + k + h.len() as i32 }",
    ),
    (
        "javascript",
        "s.js",
        "'use strict';\nconst process = { exit: 1 }, line = 2, fs = 3;\nlet size = (a, k) => a.length + k\nmodule.exports = { size }",
    ),
    ("javascript", "s.js", "class Solution { size(a, k) { return BigInt(a.length + k) } }"),
    (
        "javascript",
        "s.mjs",
        "export { size as default };\nasync function later() {}\nfunction size(a, k) { return a.length + k }",
    ),
    (
        "typescript",
        "s.ts",
        "export type N = number;\nexport default function size(a: N[], k: N): N { return a.length + k! }\nexport = size;",
    ),
    (
        "typescript",
        "s.ts",
        "const size = function (this: any, a: Array<number>, k?: number) { return a.length + (k ?? 0) } as any;\nexport {};",
    ),
];

#[test]
fn all_ways_to_declare_the_function_work() {
    let size = Asked::new("size", Returns::Int, vec![ints("a", 9), int("k", 9)]);
    for (language, name, text) in FORMS {
        if require(language) {
            assert_eq!(size.answers(name, text, &[input(&[1, 2], 5), input(&[], -9)]), ["7", "-9"], "{text}");
        }
    }
}

#[test]
fn what_was_returned_in_place_of_an_answer_is_told() {
    let count = Asked::new("count", Returns::Int, vec![ints("a", 9), int("k", 9)]);
    let inputs = [input(&[1], 1), input(&[1], 2), input(&[1], 3)];
    let python =
        "class Solution:\n    def count(self, a, k):\n        return {1: None, 2: 3.5, 3: 5000000000}[k]\n";
    let javascript = "function count(a, k) { return [, undefined, 3.5, '7'][k] }\n";
    let java = "class Solution { Integer count(int[] a, int k) { return k == 1 ? null : k; } }\n";
    if require("python") {
        let told = count.answers("s.py", python, &inputs);
        assert_eq!(told[0], "returned None, a 32-bit integer was expected");
        assert_eq!(told[1], "returned 3.5 where a 32-bit integer was expected");
        assert_eq!(told[2], "returned 5000000000 where a 32-bit integer was expected");
    }
    if require("javascript") {
        let told = count.answers("s.js", javascript, &inputs);
        assert_eq!(told[0], "returned undefined, a 32-bit integer was expected");
        assert_eq!(told[1], "returned 3.5 where a 32-bit integer was expected");
        assert_eq!(told[2], "returned \"7\" where a 32-bit integer was expected");
    }
    if require("java") {
        let told = count.answers("s.java", java, &inputs);
        assert_eq!(told, ["returned null, a 32-bit integer was expected", "2", "3"]);
    }
    let say = Asked::new("say", Returns::Text, vec![ints("a", 9), int("k", 9)]);
    if require("c") {
        let text = "char* say(int* a, int n, int k) { return k == 1 ? NULL : k == 2 ? \"a\\nb\" : \" tab\\t\\\\ \"; }";
        let told = say.answers("s.c", text, &inputs);
        assert_eq!(told[0], "returned NULL, text on one line was expected");
        assert_eq!(told[1], "returned \"a\\nb\" where text on one line was expected");
        assert_eq!(told[2], " tab\t\\ ");
    }
}

#[test]
fn a_wrong_signature_is_a_compile_error_that_begins_with_the_right_one() {
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
            let log = is_even.rejected(name, text);
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
            let (answers, outcome) = is_even.call(&is_even.build(name, text), &[input(&[1], 1)]);
            assert_eq!((answers, outcome.ended), (vec!["ended".to_owned()], Ended::Exit(1)));
            assert_eq!(String::from_utf8_lossy(&outcome.stderr), line);
        }
    }
}

#[test]
fn mistakes_in_the_source_are_told_with_its_own_name_and_lines() {
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
            let log = level().rejected(name, text);
            assert!(log.contains(place), "{name}: {log}");
            assert!(!log.contains("expected: "), "{name}: {log}");
        }
    }
}

/// What is recursed on through a cache, in the forms that solutions use.
const CACHED: &str = r#"import functools
from functools import cache, lru_cache

class Solution:
    @lru_cache
    def sign(self, k): return -1 if k < 0 else 1

    @functools.lru_cache(maxsize=None)
    def step(self, i, down=1): return 0 if i == 0 else self.step(i - down) + 1

    def levelOf(self, values: List[int], target: int) -> str:
        @cache
        def one(i):
            return 0 if i == len(values) else values[i] - one(i + 1)

        @lru_cache(None)
        def two(i, sign):
            return 0 if i == len(values) else sign * values[i] + two(i + 1, -sign)

        @lru_cache(maxsize=10 ** 6)
        def three(i):
            return 0 if i == len(values) else values[i] - three(i + 1)

        d = one(0)
        assert d == two(0, 1) == two(0, sign=1) == three(0) and self.step(len(values)) == len(values)
        assert self.sign(-3) == -1 == self.sign(k=-3)
        assert one.__name__ == 'one' and three.cache_info().currsize == len(values) + 1
        three.cache_clear()
        assert three.cache_info() == (0, 0, 10 ** 6, 0)
        keyed = lru_cache(2, typed=True)(lambda *a, **k: (a, k))
        assert keyed(1) == ((1,), {}) and keyed(1.0, x=2) == ((1.0,), {'x': 2}) and keyed(1) == ((1,), {})
        assert (keyed.cache_info().hits, keyed.cache_info().currsize) == (1, 2)
        return "Above" if d > target else "Below" if d < target else "Level"
"#;

#[test]
fn caches_recurse_as_deep_as_there_are_values_on_every_python() {
    let home = std::env::var_os("HOME").unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    for version in ["3.10", "3.11", "3.12", "3.13"] {
        let Some(python) = python(version, &home, &path) else {
            // Which of them a machine has is its own affair, even where every toolchain is required.
            use std::io::Write as _;
            writeln!(std::io::stderr(), "SKIPPED: no CPython {version}").unwrap();
            continue;
        };
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(python, folder.path().join("python3")).unwrap();
        let tools = Toolchains::find(folder.path().as_os_str());
        let program = level().build_with(&tools, "cached.py", CACHED).unwrap();
        let ones = vec![1; 50_000];
        let (answers, outcome) = level().call(&program, &[input(&[5], 5), input(&ones, 0), input(&ones, -1)]);
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
