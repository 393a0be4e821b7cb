//! Tells a whole program from a source that is only the function. Looks at the tokens, never at comments or texts.
//!
//! The rule: what can run as a program and read its input is graded as one. So a source with a main that reads and a
//! `class Solution` is a stdin program, and a source that would do nothing when started is a function. So is one whose
//! main only tries the function out, as people keep it beside what they hand in: it names nothing that reads. A script
//! without the function is a program if it reads, however it is started.

use super::token::{self, Family, Kind, Token};
use super::{Language, name_in};
use crate::lang::Mode;
use crate::problem::Function;

/// The mode of a source, and what there is to say of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detection {
    /// The mode.
    pub mode: Mode,
    /// When the source could be taken either way: why it is taken so, and how to have it the other way.
    pub note: Option<&'static str>,
}

const BOTH: &str = "has a main program and the function: graded as a program that reads standard input; `--mode function` grades the function";
const TRIAL: &str = "has the function, and a main program that never reads its input: graded as the function; `--mode stdin` grades the program";
const NEITHER: &str =
    "has neither a main program nor the function: graded as a program that reads standard input";

/// Whether a source is a whole program or only the function that `function` asks for.
pub fn detect(id: &str, source: &str, function: &Function) -> Mode {
    examine(id, source, function).mode
}

/// As [`detect`], with a note when the source could be taken either way.
pub fn examine(id: &str, source: &str, function: &Function) -> Detection {
    let Some(language) = Language::of(id) else { return Detection { mode: Mode::Stdin, note: None } };
    let tokens = token::cut(source, language.family());
    let name = name_in(language, id, function);
    let has_function = declares(language, &tokens, &name);
    let runs = runs(language, &tokens, &name);
    // A compiled language needs a main to be a program at all; a script that does nothing by itself is no program.
    let is_script = matches!(language.family(), Family::Python | Family::Script);
    let declares_anything = tokens.iter().any(|token| {
        token.depth == 0
            && ["class", "def", "function", "const", "var", "let"].iter().any(|word| token.is(word))
    });
    match (runs, has_function) {
        (true, true) if !reads(language, &tokens) => Detection { mode: Mode::Function, note: Some(TRIAL) },
        (true, true) => Detection { mode: Mode::Stdin, note: Some(BOTH) },
        (true, false) => Detection { mode: Mode::Stdin, note: None },
        (false, true) => Detection { mode: Mode::Function, note: None },
        (false, false) if is_script && reads_input(language, &tokens) => {
            Detection { mode: Mode::Stdin, note: None }
        }
        (false, false) if !is_script || declares_anything => Detection { mode: Mode::Function, note: None },
        (false, false) => Detection { mode: Mode::Stdin, note: Some(NEITHER) },
    }
}

/// Whether `class Solution` or the function itself is declared.
fn declares(language: Language, tokens: &[Token<'_>], name: &str) -> bool {
    let pairs = |first: &str, second: &str| {
        tokens.windows(2).any(|pair| pair[0].is(first) && pair[1].kind == Kind::Word && pair[1].is(second))
    };
    match language {
        Language::C => pairs_before_bracket(tokens, name),
        Language::Cpp => {
            pairs("class", "Solution") || pairs("struct", "Solution") || pairs_before_bracket(tokens, name)
        }
        Language::Java => pairs("class", "Solution"),
        Language::Python => {
            pairs("class", "Solution") || tokens.windows(2).any(|pair| pair[0].is("def") && pair[1].is(name))
        }
        Language::Go => pairs("func", name),
        Language::Rust => pairs("impl", "Solution") || pairs("fn", name),
        Language::TypeScript | Language::JavaScript => {
            pairs("class", "Solution")
                || ["function", "var", "let", "const"].iter().any(|word| pairs(word, name))
        }
    }
}

/// Whether the name stands outside of any bracket, before one.
fn pairs_before_bracket(tokens: &[Token<'_>], name: &str) -> bool {
    tokens.windows(2).any(|pair| pair[0].is(name) && pair[0].depth == 0 && pair[1].is("("))
}

/// Whether the source does something when it is started.
fn runs(language: Language, tokens: &[Token<'_>], name: &str) -> bool {
    match language {
        Language::C | Language::Cpp => pairs_before_bracket(tokens, "main"),
        Language::Java => tokens.windows(3).any(|three| {
            three[0].is("void") && three[1].is("main") && three[2].is("(") && three[1].depth <= 1
        }),
        Language::Go => follows(tokens, "func", "main"),
        Language::Rust => follows(tokens, "fn", "main"),
        Language::Python => python_runs(tokens),
        Language::TypeScript | Language::JavaScript => script_runs(tokens, name),
    }
}

/// Whether the source anywhere names something that reads standard input or a file: each of the usual ways has a word
/// that cannot be left out. A word too many here costs nothing: the source is then a program, as it says.
fn reads(language: Language, tokens: &[Token<'_>]) -> bool {
    let words: &[&str] = match language {
        Language::C | Language::Cpp => &[
            "stdin",
            "scanf",
            "fscanf",
            "vscanf",
            "getchar",
            "getchar_unlocked",
            "getc",
            "getc_unlocked",
            "fgetc",
            "gets",
            "fgets",
            "getline",
            "fread",
            "fread_unlocked",
            "read",
            "readv",
            "pread",
            "mmap",
            "open",
            "fopen",
            "freopen",
            "cin",
            "wcin",
            "istream",
            "istream_iterator",
            "istreambuf_iterator",
            "ifstream",
            "fstream",
            "syscall",
            "asm",
            "__asm__",
        ],
        Language::Java => &[
            "in",
            "Scanner",
            "BufferedReader",
            "InputStreamReader",
            "InputStream",
            "DataInputStream",
            "FileInputStream",
            "StreamTokenizer",
            "FileDescriptor",
            "Files",
            "FileReader",
            "console",
        ],
        Language::Python => &["input", "raw_input", "stdin", "open", "fdopen", "read", "fileinput"],
        Language::Go => &[
            "Stdin",
            "Scan",
            "Scanf",
            "Scanln",
            "Fscan",
            "Fscanf",
            "Fscanln",
            "NewReader",
            "NewReaderSize",
            "NewScanner",
            "ReadFile",
            "ReadAll",
            "Open",
            "NewFile",
            "Read",
            "syscall",
        ],
        Language::Rust => &["stdin", "Stdin", "File", "fs", "read", "read_to_string", "libc", "asm"],
        Language::TypeScript | Language::JavaScript => &[
            "stdin",
            "readFileSync",
            "readSync",
            "readFile",
            "createInterface",
            "createReadStream",
            "readline",
            "fs",
            "prompt",
            "process",
            "require",
            "import",
            "Deno",
            "Bun",
        ],
    };
    tokens.iter().enumerate().any(|(index, token)| {
        token.kind == Kind::Word
            && words.contains(&token.text)
            && !(language == Language::Python && opens_a_named_file(tokens, index))
    })
}

/// The same, but for words that only might: a module that is loaded need not be one that reads.
fn reads_input(language: Language, tokens: &[Token<'_>]) -> bool {
    let only_might = |token: &&Token<'_>| ["process", "require", "import"].contains(&token.text);
    let rest: Vec<Token<'_>> = tokens.iter().filter(|token| !only_might(token)).copied().collect();
    reads(language, &rest)
}

/// Whether a file is opened that cannot be standard input: solutions from LeetCode write their own figures so.
fn opens_a_named_file(tokens: &[Token<'_>], index: usize) -> bool {
    tokens[index].is("open")
        && tokens.get(index + 1).is_some_and(|next| next.is("("))
        && tokens.get(index + 2).is_some_and(|name| {
            name.kind == Kind::Text && !name.text.contains("stdin") && !name.text.contains("/fd/")
        })
}

/// Whether `second` follows `first` outside of any bracket.
fn follows(tokens: &[Token<'_>], first: &str, second: &str) -> bool {
    tokens.windows(2).any(|pair| pair[0].is(first) && pair[1].is(second) && pair[0].depth == 0)
}

/// A main guard, or a statement outside of functions and classes that reads, prints, starts a thread, or calls the
/// solution or, as a statement of its own, something that is declared here.
///
/// `sys.setrecursionlimit(…)` and the like are none: they stand above many a `class Solution`.
fn python_runs(tokens: &[Token<'_>]) -> bool {
    let declared: Vec<&str> = tokens
        .windows(2)
        .filter(|pair| pair[0].column == 0 && (pair[0].is("def") || pair[0].is("class")))
        .map(|pair| pair[1].text)
        .collect();
    let mut in_definition = false;
    for (index, token) in tokens.iter().enumerate() {
        if token.starts_line && token.depth == 0 && token.column == 0 {
            in_definition =
                ["def", "class", "async", "@", "import", "from"].iter().any(|word| token.is(word));
        }
        if in_definition || token.kind != Kind::Word {
            continue;
        }
        let is_call = tokens.get(index + 1).is_some_and(|next| next.is("("));
        let acts = ["input", "print", "main", "solve", "Solution", "open", "Thread"].contains(&token.text)
            && !opens_a_named_file(tokens, index);
        let is_own = token.starts_line && declared.contains(&token.text);
        if matches!(token.text, "__name__" | "stdin") || (is_call && (acts || is_own)) {
            return true;
        }
    }
    false
}

/// Reading standard input or printing outside of the declared functions, a function called at once, a call of the
/// solution or of a main, or a statement that only calls something that is declared here.
fn script_runs(tokens: &[Token<'_>], name: &str) -> bool {
    let declared: Vec<&str> = tokens
        .windows(2)
        .filter(|pair| {
            pair[0].depth == 0
                && ["function", "const", "let", "var"].iter().any(|word| pair[0].is(word))
                && pair[1].kind == Kind::Word
        })
        .map(|pair| pair[1].text)
        .collect();
    let mut starts_statement = true;
    // The depth at which a declared function's or class's body is open.
    let mut body: Option<u32> = None;
    let mut in_declaration = false;
    for (index, token) in tokens.iter().enumerate() {
        if let Some(depth) = body {
            if token.depth == depth && token.is("}") {
                body = None;
                in_declaration = false;
                starts_statement = true;
            }
            continue;
        }
        if token.depth == 0 && starts_statement {
            let declares =
                ["function", "class", "var", "let", "const", "export", "async", "interface", "type"];
            in_declaration = declares.iter().any(|word| token.is(word));
            let is_called_at_once = token.is("(") || token.is("!");
            if is_called_at_once {
                return true;
            }
        }
        starts_statement = token.depth == 0 && (token.is(";") || token.is("}"));
        if in_declaration && token.is("{") {
            body = Some(token.depth);
            continue;
        }
        if token.kind != Kind::Word {
            continue;
        }
        let is_call = tokens.get(index + 1).is_some_and(|next| next.is("("));
        let is_declared = index > 0 && tokens[index - 1].is("function");
        let reads = ["stdin", "readFileSync", "createInterface", "readline", "console"].contains(&token.text);
        let calls =
            is_call && !is_declared && (["main", "solve"].contains(&token.text) || token.text == name);
        let starts = token.depth == 0 && begins_statement(tokens, index);
        let is_own = is_call && declared.contains(&token.text) || token.is("new");
        if reads || calls || (starts && is_own) {
            return true;
        }
    }
    false
}

/// Whether a statement may begin at `index`: after the end of another, or on a new line after what can be one.
fn begins_statement(tokens: &[Token<'_>], index: usize) -> bool {
    let Some(before) = index.checked_sub(1).map(|before| &tokens[before]) else { return true };
    let ends = |marks: &[&str]| marks.iter().any(|mark| before.is(mark));
    ends(&[";", "}"]) || tokens[index].starts_line && (before.kind != Kind::Mark || ends(&[")", "]"]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Returns;

    fn examined(id: &str, source: &str) -> Detection {
        let function = Function { name: "playGame".to_owned(), names: Vec::new(), returns: Returns::Int };
        examine(id, source, &function)
    }

    #[test]
    fn what_does_nothing_by_itself_is_a_function() {
        for (id, source) in [
            ("cpp", "// int main()\nclass Solution { public: int playGame(int n) { return remain(n); } };"),
            ("cpp", "class Solution { const char* s = \"int main() {}\"; };"),
            ("c", "/* main() */ int playGame(int n) { return n; }"),
            ("java", "class Solution { int main; int playGame(int n) { return n; } }"),
            ("java", "package a.b; public class Solution { String s = \"void main(\"; }"),
            (
                "python",
                "import sys\nsys.setrecursionlimit(10**6)\nclass Solution:\n    def playGame(self, n):\n        print(n, input())\n        sys.stdin.read()\n",
            ),
            ("python", "\"\"\"print(main())\"\"\"\ndef playGame(n):\n    return n\nINF = float('inf')\n"),
            ("python", "class Answer:\n    def playGame(self, n):\n        return n\n"),
            (
                "python",
                "import atexit\nclass Solution:\n    def playGame(self, n):\n        return n\n\
                 atexit.register(lambda: open(\"display_runtime.txt\", \"w\").write(\"0\"))\n",
            ),
            ("python", "class Solver:\n    def play(self, n):\n        return n\n"),
            ("go", "func playGame(n int) int { return n } // func main()"),
            ("rust", "impl Solution { pub fn play_game(n: i32) -> i32 { fn main_part() {} n } }"),
            ("javascript", "var playGame = function (n) { console.log(n); process.stdin; return n; };"),
            (
                "javascript",
                "let best = 0;\nconst playGame = (n) => { require('fs').readFileSync(0); return n }\nmodule.exports = playGame;",
            ),
            (
                "typescript",
                "type A = { x: number };\nexport function playGame(n: number): number { console.log(n); return n; }",
            ),
            ("typescript", "class Solution { playGame(n: number) { console.log(`${n}`); return n; } }"),
            (
                "typescript",
                "const half = (n: number) => n / 2;\nconst playGame = (n: number) =>\n    half(n);",
            ),
            ("javascript", "const { Queue } = require('queue');\nvar play = function (n) { return n; };"),
        ] {
            assert_eq!(
                examined(id, source),
                Detection { mode: Mode::Function, note: None },
                "{id}: {source}"
            );
        }
    }

    #[test]
    fn what_runs_is_a_program() {
        for (id, source) in [
            ("cpp", "#include <iostream>\nint main(int argc, char** argv) { return 0; }"),
            ("cpp", "using ll = long long; signed main() {}"),
            ("c", "int main(void) { return 0; }"),
            ("java", "public class A { public static void main(String[] a) {} }"),
            ("java", "void main() { }"),
            ("python", "n = int(input())\nprint(n)"),
            ("python", "import sys\ndata = sys.stdin.read()\n"),
            ("python", "def main():\n    print(input())\nmain()"),
            ("python", "def run():\n    print(input())\nrun()"),
            (
                "python",
                "import sys, threading\ndef go():\n    print(sys.stdin.read())\n\
                 threading.stack_size(1 << 26)\nthreading.Thread(target=go).start()",
            ),
            (
                "python",
                "class App:\n    def work(self):\n        print(open(0).read())\napp = App()\napp.work()",
            ),
            (
                "javascript",
                "class App { work() { console.log(require('fs').readFileSync(0)) } }\nnew App().work()",
            ),
            ("go", "package main\nfunc main() {}"),
            ("rust", "fn main() {}"),
            (
                "javascript",
                "const lines = require('fs').readFileSync(0, 'utf8').split('\\n')\nconsole.log(lines.length)",
            ),
            ("javascript", "(() => { const x = 1; work(x) })()"),
            (
                "typescript",
                "import * as readline from 'readline';\nconst rl = readline.createInterface({ input: process.stdin });\nrl.on('line', (l: string) => { console.log(l) })",
            ),
        ] {
            assert_eq!(examined(id, source), Detection { mode: Mode::Stdin, note: None }, "{id}: {source}");
        }
    }

    #[test]
    fn a_program_that_also_has_the_function_is_a_program_and_says_so() {
        for (id, source) in [
            ("cpp", "class Solution {}; int main() { int n; std::cin >> n; }"),
            ("c", "int playGame(int n) { return n; } int main() { int n; scanf(\"%d\", &n); }"),
            ("java", "class Solution { public static void main(String... a) { new Scanner(System.in); } }"),
            ("python", "class Solution:\n    pass\nif __name__ == '__main__':\n    print(int(input()))"),
            (
                "python",
                "import sys\nclass Solution:\n    def playGame(self, n):\n        return n\nprint(Solution().playGame(int(sys.stdin.read())))",
            ),
            (
                "python",
                "import sys, threading\nclass Solution:\n    def playGame(self, n):\n        return n\ndef go():\n    \
                 print(Solution().playGame(int(input())))\nthread = threading.Thread(target=go)\nthread.start()",
            ),
            (
                "python",
                "def playGame(n, a):\n    return n\ndef run():\n    print(playGame(int(input()), 1))\nrun()",
            ),
            ("go", "package main\nfunc playGame(n int) int { return n }\nfunc main() { fmt.Scan(&n) }"),
            ("rust", "struct Solution; impl Solution {} fn main() { std::io::stdin(); }"),
            (
                "javascript",
                "function playGame(n, a) { return n }\nfunction run() { playGame(+require('fs').readFileSync(0)) }\nrun()",
            ),
            (
                "javascript",
                "function playGame(n) { return n }\nconsole.log(playGame(+require('fs').readFileSync(0)))",
            ),
            (
                "typescript",
                "const playGame = (n: number) => { return n };\nprocess.stdin.on('data', playGame);",
            ),
        ] {
            assert_eq!(
                examined(id, source),
                Detection { mode: Mode::Stdin, note: Some(BOTH) },
                "{id}: {source}"
            );
        }
        assert_eq!(examined("python", "x = 1"), Detection { mode: Mode::Stdin, note: Some(NEITHER) });
    }

    #[test]
    fn a_main_that_only_tries_the_function_out_leaves_it_a_function_and_says_so() {
        for (id, source) in [
            (
                "cpp",
                "#include <iostream>\nclass Solution {}; int main() { std::cout << Solution().playGame(3); }",
            ),
            ("c", "int playGame(int n) { return n; } int main() { printf(\"%d stdin\", playGame(3)); }"),
            ("java", "class Solution { public static void main(String... a) { System.out.println(1); } }"),
            ("python", "class Solution:\n    pass\nif __name__ == '__main__':\n    print(1)"),
            (
                "python",
                "class Solution:\n    def playGame(self, n):\n        return n\nprint(Solution().playGame(3))",
            ),
            (
                "go",
                "package main\nfunc playGame(n int) int { return n }\nfunc main() { println(playGame(3)) }",
            ),
            ("rust", "struct Solution; impl Solution {} fn main() { println!(\"{}\", 1); }"),
            ("javascript", "function playGame(n) { return n }\nconsole.log(playGame(3))"),
            ("typescript", "const playGame = (n: number) => { return n };\nplayGame(3);"),
        ] {
            assert_eq!(
                examined(id, source),
                Detection { mode: Mode::Function, note: Some(TRIAL) },
                "{id}: {source}"
            );
        }
    }
}
