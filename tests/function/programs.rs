//! The submissions that function mode is tested with: each is only a function, as people copy it from a practice site.

/// Programs for `level` that also print, write to descriptor 1, read standard input, and would answer `Stale` to a
/// second call of the same object.
pub(super) const LEVELS: [(&str, &str, &str); 8] = [
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

/// Programs for `spread` that end on a negative shift. The parameters' names are keywords in most languages.
pub(super) const SPREADS: [(&str, &str, &str, &str); 8] = [
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
        "RangeError: shift is negative\n    at evenPlaces (solution.js:3:24)\n",
    ),
    (
        "rust",
        "spread.rs",
        "#![allow(clippy::all)]\nuse std::collections::HashMap;\n#[derive(Default)]\npub struct Solution { map: HashMap<i32, i32> }\nimpl Solution {\n    fn even_places(mut a: Vec<i32>, shift: i64) -> Vec<i32> {\n        assert!(shift >= 0, \"shift is negative\");\n        a.iter_mut().for_each(|x| *x += shift as i32);\n        a.into_iter().step_by(2).collect()\n    }\n}\n",
        ":7:9:\nshift is negative",
    ),
];

/// Sources that a driver could easily stumble over: names of its own, mains of their own, other ways to declare.
pub(super) const FORMS: [(&str, &str, &str); 16] = [
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

/// What is recursed on through a cache, in the forms that solutions use.
pub(super) const CACHED: &str = r#"import functools
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
