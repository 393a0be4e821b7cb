//! Every language of the table, end to end: compile errors with their lines, deep recursion, a clean environment.

use std::path::Path;

use touchstone::lang::{CompileFailure, CompileJob, Mode, Program, Table, Toolchains, compile, detect};
use touchstone::limits::{Limits, MemoryLimit, TimeLimit};
use touchstone::sandbox::{Ended, LimitHit, Outcome, Stdin};

use crate::toolchain::{cache, require, toolchains};
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![
    every_language_adds_two_numbers,
    where_the_first_choice_is_missing_another_tool_does,
    what_one_compiler_does_not_know_another_one_may,
    a_byte_order_mark_does_no_harm,
    a_compile_error_names_the_submitters_file_and_the_line,
    an_undefined_function_is_a_compile_error_with_and_without_static_linking,
    odd_bytes_in_a_source_are_the_submitters_problem_only,
    deep_recursion_works_in_every_language,
    recursion_without_end_is_told_by_the_runtime,
    java_starts_whatever_class_has_the_main,
    a_jvm_starts_under_a_small_limit_and_outgrows_a_larger_one,
    runtimes_that_reserve_much_run_under_what_they_touch,
    rust_is_optimized_and_can_be_checked_for_overflow,
    every_language_speaks_utf_8,
    a_program_sees_a_short_fixed_environment,
    a_python_traceback_shows_the_submission_only,
    compilers_have_limits,
    the_same_source_is_compiled_once_and_another_is_not_mistaken_for_it,
];

/// Compiles `text` as a file called `name`.
fn build(walls: Walls, name: &str, text: &[u8]) -> Result<Program, CompileFailure> {
    build_as(walls, name, text, None)
}

fn build_as(
    walls: Walls,
    name: &str,
    text: &[u8],
    language: Option<&str>,
) -> Result<Program, CompileFailure> {
    build_with(walls, toolchains(), name, text, language)
}

fn build_with(
    walls: Walls,
    tools: &Toolchains,
    name: &str,
    text: &[u8],
    language: Option<&str>,
) -> Result<Program, CompileFailure> {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join(name);
    std::fs::write(&source, text).unwrap();
    let language = detect(Table::built_in(), Path::new(name), language).unwrap();
    let job = CompileJob {
        language,
        source: &source,
        mode: Mode::Stdin,
        function: None,
        headers: &[],
        cache: cache(walls),
    };
    compile(&job, tools, &mut walls.sandbox())
}

/// The log of a compile error.
fn rejected(walls: Walls, name: &str, text: &[u8]) -> String {
    match build(walls, name, text) {
        Err(CompileFailure::Rejected { log }) => log,
        other => panic!("{name}: {other:?}"),
    }
}

fn run(walls: Walls, program: &Program, input: &str, memory_mib: u64) -> Outcome {
    let time = TimeLimit::from_ms(10_000).unwrap();
    let limits = Limits { time, memory: MemoryLimit::from_bytes(memory_mib << 20).unwrap() };
    let spec = program.spec(Stdin::Bytes(input.as_bytes().into()), None, &limits);
    walls.sandbox().run(&spec).unwrap()
}

/// Compiles and runs; the output.
fn output(walls: Walls, name: &str, text: &[u8], input: &str, memory_mib: u64) -> String {
    let program = build(walls, name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let outcome = run(walls, &program, input, memory_mib);
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    assert_eq!(outcome.ended, Ended::Exit(0), "{name}: {:?} {stderr}", outcome.limit_hit);
    String::from_utf8(outcome.stdout).unwrap()
}

/// (language, file, a program that adds two numbers)
const SUMS: [(&str, &str, &str); 9] = [
    (
        "cpp",
        "a b.cpp",
        "#include <bits/stdc++.h>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }",
    ),
    (
        "c",
        "s.c",
        "#include <stdio.h>\n#include <math.h>\nint main(void) { double a, b; scanf(\"%lf %lf\", &a, &b); printf(\"%.0f\\n\", pow(a, 1) + b); }",
    ),
    (
        "rust",
        "s.rs",
        "use std::io::*; fn main() { let s = read_to_string(stdin()).unwrap(); println!(\"{}\", s.split_whitespace().map(|x| x.parse::<i64>().unwrap()).sum::<i64>()) }",
    ),
    (
        "go",
        "s.go",
        "package main\nimport (\n\"bufio\"\n\"fmt\"\n\"os\"\n)\nfunc main() { var a, b int; fmt.Fscan(bufio.NewReader(os.Stdin), &a, &b); fmt.Println(a + b) }",
    ),
    (
        "java",
        "s.java",
        "import java.util.*;\npublic class Sum { public static void main(String[] a) { Scanner s = new Scanner(System.in); System.out.println(s.nextLong() + s.nextLong()); } }",
    ),
    ("python", "-rf.py", "print(sum(map(int, input().split())))\nexit(0)\n"),
    (
        "javascript",
        "s.js",
        "const [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number);\nconsole.log(a + b);",
    ),
    (
        "javascript",
        "s.mjs",
        "import fs from 'fs';\nconst t = await Promise.resolve(fs.readFileSync(0, 'utf8'));\nconsole.log(t.split(' ').map(Number).reduce((a, b) => a + b));",
    ),
    (
        "typescript",
        "s.ts",
        "import * as fs from 'fs';\nenum Two { A, B }\nconst [a, b]: number[] = fs.readFileSync(0, 'utf8').split(' ').map(Number);\nconst wrong: string = 1;\nconsole.log(a + b + Two.A);",
    ),
];

fn every_language_adds_two_numbers(walls: Walls) {
    for (language, name, text) in SUMS {
        if require(language) {
            assert_eq!(output(walls, name, text.as_bytes(), "2 3\n", 256), "5\n", "{name}");
        }
    }
}

fn where_the_first_choice_is_missing_another_tool_does(walls: Walls) {
    for (language, tools) in
        [("cpp", &["clang++"][..]), ("c", &["clang"]), ("typescript", &["esbuild", "node"])]
    {
        if !tools.iter().all(|tool| require(tool)) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        for tool in tools {
            let program = &toolchains().tool(tool).unwrap().program;
            std::os::unix::fs::symlink(program, folder.path().join(tool)).unwrap();
        }
        let found = Toolchains::ask(folder.path().as_os_str());
        let (_, name, text) = SUMS.into_iter().find(|(of, ..)| *of == language).unwrap();
        let program = build_with(walls, &found, name, text.as_bytes(), None)
            .unwrap_or_else(|error| panic!("{language} by {tools:?}: {error}"));
        assert_eq!(run(walls, &program, "2 3\n", 256).stdout, b"5\n", "{language} by {tools:?}");
        let failure = build_with(walls, &found, name, b"{{{ no program", None).unwrap_err();
        assert!(matches!(failure, CompileFailure::Rejected { .. }), "{failure}");
    }
}

/// Valid for clang++, which many a judge compiles with; g++ says "sorry, unimplemented" to the array in the closure.
const FOR_CLANG: &str = "#include <cstdio>\nint main() { int n = 3; int rows[n][n]; rows[2][1] = 7; auto at = [&](int i, int k) { return rows[i][k]; }; printf(\"%d\\n\", at(2, 1)); }";

fn what_one_compiler_does_not_know_another_one_may(walls: Walls) {
    if !require("g++") || !require("clang++") {
        return;
    }
    let program = build(walls, "closure.cpp", FOR_CLANG.as_bytes()).unwrap();
    assert_eq!(run(walls, &program, "", 256).stdout, b"7\n");
    assert!(program.log.starts_with("made by clang++"), "{}", program.log);
    let again = build(walls, "closure.cpp", FOR_CLANG.as_bytes()).unwrap();
    assert_eq!((again.key, again.log), (program.key, program.log), "compiled once");

    let neither = FOR_CLANG.replace("at(2, 1)", "at(missing, 1)");
    let log = rejected(walls, "neither.cpp", neither.as_bytes());
    let (first, second) = log.split_once("does not compile it either:").unwrap_or_else(|| panic!("{log}"));
    assert!(first.contains("sorry, unimplemented") && second.contains("missing"), "{log}");

    for marks in ["{[0] = 0, [1 ... 9] = 7}", "{[0 ... 9] = 7}"] {
        let source = format!(
            "#include <cstdio>\nint marks[10] = {marks};\nint main() {{ printf(\"%d\\n\", marks[9]); }}"
        );
        let program = build(walls, "marks.cpp", source.as_bytes()).unwrap();
        assert_eq!(run(walls, &program, "", 256).stdout, b"7\n", "{marks}");
    }

    let mistake = rejected(walls, "mistake.cpp", b"int main() { return missing; }");
    assert!(!mistake.contains("clang++"), "a mistake needs no second compiler: {mistake}");

    let folder = tempfile::tempdir().unwrap();
    let program = &toolchains().tool("g++").unwrap().program;
    std::os::unix::fs::symlink(program, folder.path().join("g++")).unwrap();
    let alone = Toolchains::ask(folder.path().as_os_str());
    match build_with(walls, &alone, "closure.cpp", FOR_CLANG.as_bytes(), None) {
        Err(CompileFailure::Rejected { log }) => {
            assert!(log.contains("does not know this; another may: clang++ 10 or newer"), "{log}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_missing_toolchain_is_no_compile_error() {
    let walls = Walls::Plain;
    let none = Toolchains::ask(std::ffi::OsStr::new("/nonexistent"));
    for (_, name, text) in SUMS {
        match build_with(walls, &none, name, text.as_bytes(), None) {
            Err(CompileFailure::NoToolchain { message }) => {
                assert!(message.contains("get it by"), "{message}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

fn a_byte_order_mark_does_no_harm(walls: Walls) {
    for (language, name, text) in SUMS {
        if require(language) {
            assert_eq!(
                output(walls, name, &[b"\xef\xbb\xbf", text.as_bytes()].concat(), "2 3\n", 256),
                "5\n",
                "{name}"
            );
        }
    }
    assert!(rejected(walls, "x.cpp", b"\xff\xfei\x00n\x00t\x00").contains("UTF-16"));
}

fn a_compile_error_names_the_submitters_file_and_the_line(walls: Walls) {
    for (language, name, text, expected) in [
        ("cpp", "Prob A.cpp", "\nint main() {\n  return missing;\n}", "Prob A.cpp:3:"),
        ("c", "x.c", "\nint main(void) { return missing; }", "x.c:2:"),
        ("rust", "x.rs", "fn main() {\n    let x: i32 = \"five\";\n}", "x.rs:2:"),
        ("go", "x.go", "package main\n\nimport \"os\"\n\nfunc main() {\n}", "x.go:3:"),
        (
            "go",
            "y.go",
            "package main\nimport \"github.com/none/such\"\nfunc main() {}",
            "github.com/none/such",
        ),
        (
            "java",
            "x.java",
            "public class Bad {\n  public static void main(String[] a) { int x = \"five\"; }\n}",
            "x.java:2:",
        ),
        ("java", "y.java", "public class Bad { void run() {} }", "no class has a `public static void main"),
        ("python", "колонка.py", "x = 1\nif x\n    pass\n", "\"колонка.py\", line 2"),
        ("python", "p.py", "print 'two'\n", "SyntaxError"),
        ("python", "q.py", "\tx = 1\n", "IndentationError"),
        ("javascript", "x.js", "let a = 1;\nlet a = 2;", "x.js:2"),
        ("typescript", "x.ts", "const a: number = 1;\nfunction f(x: number { }", "x.ts(2,"),
    ] {
        if require(language) {
            let log = rejected(walls, name, text.as_bytes());
            assert!(log.contains(expected), "{name}: {log}");
            assert!(!log.contains("building"), "a path of the judge's: {log}");
            assert!(!log.contains("Traceback"), "the compiler's own insides: {log}");
        }
    }
}

fn an_undefined_function_is_a_compile_error_with_and_without_static_linking(walls: Walls) {
    if require("cpp") {
        let log = rejected(walls, "x.cpp", b"int helper(int);\nint main() { return helper(1); }");
        assert!(log.contains("helper"), "{log}");
    }
}

fn odd_bytes_in_a_source_are_the_submitters_problem_only(walls: Walls) {
    if require("cpp") {
        let log = rejected(walls, "x.cpp", b"int caf\xe9 = \xe2\x80\x9cx\xe2\x80\x9d;\nint main() {}");
        assert!(log.contains("x.cpp:1:"), "{log}");
        assert_eq!(
            output(walls, "y.cpp", b"// caf\xe9\n#include <cstdio>\nint main() { puts(\"1\"); }", "", 256),
            "1\n"
        );
    }
    if require("python") {
        assert!(rejected(walls, "x.py", b"# caf\xe9\nprint(1)\n").contains("SyntaxError"));
        assert!(rejected(walls, "x.py", b"print(1)\0\n").contains("null bytes"));
    }
}

fn deep_recursion_works_in_every_language(walls: Walls) {
    let depth = |language: &str| if language == "cpp" || language == "rust" { 100_000 } else { 50_000 };
    for (language, name, text) in [
        (
            "cpp",
            "d.cpp",
            "#include <cstdio>\n#include <functional>\nint main() { int n; scanf(\"%d\", &n); std::function<int(int)> f = [&](int i) { volatile char pad[200]; pad[0] = 1; return i == n ? 0 : f(i + 1) + pad[0]; }; printf(\"%d\\n\", f(0)); }",
        ),
        (
            "rust",
            "d.rs",
            "fn f(i: u64, n: u64) -> u64 { let pad = std::hint::black_box([1u64; 20]); if i == n { 0 } else { f(i + 1, n) + pad[0] } }\nfn main() { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); println!(\"{}\", f(0, s.trim().parse().unwrap())) }",
        ),
        (
            "go",
            "d.go",
            "package main\nimport \"fmt\"\nfunc f(i, n int) int { if i == n { return 0 }; return f(i+1, n) + 1 }\nfunc main() { var n int; fmt.Scan(&n); fmt.Println(f(0, n)) }",
        ),
        (
            "java",
            "d.java",
            "class Deep { static int n; static int f(int i) { return i == n ? 0 : f(i + 1) + 1; } public static void main(String[] a) { n = new java.util.Scanner(System.in).nextInt(); System.out.println(f(0)); } }",
        ),
        (
            "python",
            "d.py",
            "import sys\nsys.setrecursionlimit(300000)\ndef f(i, n):\n    return 0 if i == n else f(i + 1, n) + 1\nprint(f(0, int(input())))",
        ),
        (
            "python",
            "t.py",
            "import sys, threading\ndef f(i, n):\n    return 0 if i == n else f(i + 1, n) + 1\ndef main():\n    print(f(0, int(input())))\nsys.setrecursionlimit(1 << 20)\nthreading.stack_size(256 << 20)\nt = threading.Thread(target=main)\nt.start()\nt.join()",
        ),
        (
            "javascript",
            "d.js",
            "const n = Number(require('fs').readFileSync(0, 'utf8'));\nfunction f(i) { return i === n ? 0 : f(i + 1) + 1; }\nconsole.log(f(0));",
        ),
        (
            "typescript",
            "d.ts",
            "const n: number = Number(require('fs').readFileSync(0, 'utf8'));\nfunction f(i: number): number { return i === n ? 0 : f(i + 1) + 1; }\nconsole.log(f(0));",
        ),
    ] {
        if require(language) {
            let n = depth(language).to_string();
            assert_eq!(output(walls, name, text.as_bytes(), &n, 256).trim(), n, "{name}");
        }
    }
}

fn recursion_without_end_is_told_by_the_runtime(walls: Walls) {
    for (language, name, text, word) in [
        ("python", "e.py", "def f(i):\n    return f(i + 1) + 1\nf(0)\n", "RecursionError"),
        ("javascript", "e.js", "function f(i) { return f(i + 1) + 1; }\nf(0);", "RangeError"),
    ] {
        if require(language) {
            let outcome = run(walls, &build(walls, name, text.as_bytes()).unwrap(), "", 256);
            let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
            assert!(matches!(outcome.ended, Ended::Exit(status) if status != 0), "{name}: {outcome:?}");
            assert!(said.contains(word), "{name}: {said}");
            assert_eq!(outcome.limit_hit, None, "{name}: {} bytes", outcome.memory_bytes);
        }
    }
    // A JVM needs four times the stack to unwind it, so the memory limit may well come first.
    if require("java") {
        let text = b"class E { static int f(int i) { return f(i + 1) + 1; } public static void main(String[] a) { f(0); } }";
        let outcome = run(walls, &build(walls, "e.java", text).unwrap(), "", 256);
        let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
        let is_told = outcome.ended == Ended::Exit(1) && said.contains("StackOverflowError");
        assert!(is_told || outcome.limit_hit == Some(LimitHit::Memory), "{outcome:?}");
    }
}

fn java_starts_whatever_class_has_the_main(walls: Walls) {
    if !require("java") {
        return;
    }
    let print = "System.out.println(7);";
    for text in [
        format!(
            "// it's public class Wrong {{}}\npublic class Right {{ static public final void main(final String... a) {{ {print} }} }}"
        ),
        format!("class Helper {{ }} class Entry {{ public static void main(String[] a) {{ {print} }} }}"),
        format!(
            "package a.b;\npublic class Packed {{ static class Inner {{ void go() {{ {print} }} }} public static void main(String[] a) {{ new Inner().go(); }} }}"
        ),
        format!("interface I {{ static void main(String[] a) {{ {print} }} }}"),
        format!("public enum Größe {{ A; public static void main(String[] a) {{ {print} }} }}"),
        format!("record R(int x) {{ public static void main(String[] a) {{ {print} }} }}"),
    ] {
        assert_eq!(output(walls, "whatever it is.java", text.as_bytes(), "", 256), "7\n", "{text}");
    }
}

fn a_jvm_starts_under_a_small_limit_and_outgrows_a_larger_one(walls: Walls) {
    if !require("java") {
        return;
    }
    let (_, name, sum) = SUMS.into_iter().find(|(language, ..)| *language == "java").unwrap();
    assert_eq!(output(walls, name, sum.as_bytes(), "2 3", 64), "5\n");
    let hungry = b"import java.util.*; class H { public static void main(String[] a) { List<int[]> l = new ArrayList<>(); for (int i = 0; i < 900; i++) { l.add(new int[1 << 18]); } System.out.println(l.size()); } }";
    let program = build(walls, "h.java", hungry).unwrap();
    let outcome = run(walls, &program, "", 256);
    assert!(program.ran_out_of_memory(&outcome.stderr) || outcome.limit_hit.is_some(), "{outcome:?}");
    assert_ne!(outcome.ended, Ended::Exit(0));
}

fn runtimes_that_reserve_much_run_under_what_they_touch(walls: Walls) {
    for (language, memory_mib) in [("go", 64), ("javascript", 128), ("typescript", 128)] {
        if require(language) {
            let (_, name, text) = SUMS.into_iter().find(|(of, ..)| *of == language).unwrap();
            assert_eq!(output(walls, name, text.as_bytes(), "2 3", memory_mib), "5\n", "{language}");
        }
    }
}

fn rust_is_optimized_and_can_be_checked_for_overflow(walls: Walls) {
    if !require("rust") {
        return;
    }
    let text = b"fn main() { let mut x = std::hint::black_box(3u32); for _ in 0..40 { x *= 3; } println!(\"{x}\"); }";
    let wrapped = (0..40).fold(3_u32, |x, _| x.wrapping_mul(3));
    assert_eq!(output(walls, "w.rs", text, "", 256), format!("{wrapped}\n"));
    let outcome = run(walls, &build_as(walls, "w.rs", text, Some("rust-checked")).unwrap(), "", 256);
    assert_eq!(outcome.ended, Ended::Exit(101));
    assert!(String::from_utf8_lossy(&outcome.stderr).contains("attempt to multiply with overflow"));
}

fn every_language_speaks_utf_8(walls: Walls) {
    for (language, name, text) in [
        ("python", "r.py", "print(input()[::-1])"),
        (
            "java",
            "r.java",
            "class R { public static void main(String[] a) { System.out.println(new StringBuilder(new java.util.Scanner(System.in).nextLine()).reverse()); } }",
        ),
        (
            "javascript",
            "r.js",
            "console.log([...require('fs').readFileSync(0, 'utf8').trim()].reverse().join(''))",
        ),
    ] {
        if require(language) {
            assert_eq!(output(walls, name, text.as_bytes(), "Żółw жук\n", 256), "куж włóŻ\n", "{name}");
        }
    }
}

fn a_program_sees_a_short_fixed_environment(walls: Walls) {
    if require("python") {
        let text = b"import os, sys\nprint(*sorted(os.environ))\nprint(sys.argv, __name__, __file__[-8:], sys.flags.hash_randomization)";
        let seen = output(walls, "e.py", text, "", 256);
        let expected = "HOME LANG LC_ALL PATH PYTHONHASHSEED TMPDIR\n['main.py'] __main__ /main.py 0\n";
        assert_eq!(seen, expected);
    }
    if require("java") {
        let text =
            b"class F { public static void main(String[] a) { System.out.printf(\"%.2f%n\", 10.0 / 3); } }";
        assert_eq!(output(walls, "f.java", text, "", 256), "3.33\n");
    }
}

fn a_python_traceback_shows_the_submission_only(walls: Walls) {
    if require("python") {
        let outcome =
            run(walls, &build(walls, "e.py", b"def f():\n    return 1 // 0\nf()\n").unwrap(), "", 256);
        let said = String::from_utf8_lossy(&outcome.stderr).into_owned();
        assert!(said.contains("File \"main.py\", line 2, in f\n    return 1 // 0"), "{said}");
        assert!(said.contains("ZeroDivisionError") && !said.contains("<string>"), "{said}");
        assert_eq!(outcome.ended, Ended::Exit(1));
    }
}

fn compilers_have_limits(walls: Walls) {
    if !require("cpp") {
        return;
    }
    for (name, text, expected) in [
        ("device.cpp", "#include \"/dev/zero\"\nint main() {}", "the compiler passed its"),
        (
            "huge.cpp",
            "long long fill[150000000] = {1};\nint main() { return (int)fill[5]; }",
            "the compiler passed its limit of a file's size (256 MiB)",
        ),
    ] {
        let log = rejected(walls, name, text.as_bytes());
        assert!(log.starts_with(expected), "{name}: {log}");
    }
    let log = rejected(walls, "long.cpp", &vec![b' '; (1 << 20) + 1]);
    assert!(log.contains("larger than 1 MiB"), "{log}");
}

fn the_same_source_is_compiled_once_and_another_is_not_mistaken_for_it(walls: Walls) {
    if !require("cpp") {
        return;
    }
    let text = |n: u32| format!("#include <cstdio>\nint main() {{ puts(\"{n}\"); }}");
    let first = build(walls, "same.cpp", text(1).as_bytes()).unwrap();
    assert_eq!(build(walls, "other name.cpp", text(1).as_bytes()).unwrap().key, first.key);
    assert_ne!(build(walls, "same.cpp", text(2).as_bytes()).unwrap().key, first.key);
    assert_eq!(output(walls, "same.cpp", text(2).as_bytes(), "", 256), "2\n");
    rejected(walls, "same.cpp", b"int main() { return missing; }");
    assert_eq!(output(walls, "same.cpp", text(1).as_bytes(), "", 256), "1\n");
}
