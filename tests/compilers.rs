//! Sources that attack the compiler, or whoever starts what it made: each is a compile error with a short reason, or a fault
//! of the program's own, and never the judge's.

use std::fmt::Write as _;

use serde_json::Value;

use crate::desk::Desk;
use crate::toolchain::require;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![
    a_source_without_measure_is_a_compile_error,
    what_is_no_source_is_a_compile_error_or_nothing,
    nothing_but_the_source_can_be_included,
    a_program_that_cannot_be_started_is_the_submissions_fault,
    options_in_a_source_change_nothing_but_its_own_program,
];

/// How long a log may be, whatever the compiler said.
const MOST_LOG_BYTES: usize = 4_000;

/// The verdict on a source, its log, and the message of its first test.
fn verdict(desk: &Desk, name: &str, text: &str) -> (String, String, String) {
    desk.write(name, text);
    let mut command = desk.command(&["grade", name, "--tests", "tests", "--format", "json"]);
    // A shim of a toolchain's, as rustup's, looks for it there.
    let output = command.env("HOME", std::env::var_os("HOME").unwrap_or_default()).output().unwrap();
    let document: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{name}: {output:?}"));
    let submission = &document["submissions"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let log = text(&submission["compile"]["log"]);
    assert!(log.len() <= MOST_LOG_BYTES, "{name}: {} bytes: {log}", log.len());
    (text(&submission["verdict"]), log, text(&submission["tests"][0]["message"]))
}

fn desk(walls: Walls) -> Desk {
    let desk = Desk::behind(walls);
    desk.tests(&[("1\n", "1\n")]);
    desk
}

/// Each of these lines doubles what the one before stands for.
fn doublings(count: u32) -> String {
    (0..count).fold("#define X0 @;\n".to_owned(), |mut text, level| {
        writeln!(text, "#define X{} X{level} X{level}", level + 1).unwrap();
        text
    })
}

fn a_source_without_measure_is_a_compile_error(walls: Walls) {
    let desk = desk(walls);
    // C and C++ that end at a limit of the compiler's own, or at one of ours that does not take long to pass.
    let sources = [
        ("includes_itself.cpp", "#include __FILE__\n#include __FILE__\nint main() {}\n".to_owned(), ""),
        (
            "templates.cpp",
            "template<int n> struct A { static constexpr int v = A<n + 1>::v; };\nint main() { return A<0>::v; }\n"
                .to_owned(),
            "",
        ),
        ("computes.cpp", "constexpr int f() { for (;;); }\nstatic_assert(f());\nint main() {}\n".to_owned(), ""),
        (
            "arrows.cpp",
            "template<class T> struct P { P<P<T>> operator->(); };\nint main() { P<int> p; p->x; }\n".to_owned(),
            "",
        ),
        ("many_errors.cpp", doublings(14) + "int main() { X14 }\n", ""),
        (
            "data.c",
            "int data[500000000] = {1};\nint main(void) { return data[7]; }\n".to_owned(),
            "the compiler passed its limit of a file's size (256 MiB)",
        ),
        (
            "fill.c",
            "__asm__(\".data\\n.fill 4000000000, 8, 1\");\nint main(void) { return 0; }\n".to_owned(),
            "the compiler passed its limit of a file's size (256 MiB)",
        ),
        (
            "repeats.c",
            "__asm__(\".rept 1000000000\\n.quad 1\\n.endr\");\nint main(void) { return 0; }\n".to_owned(),
            "the compiler passed its memory limit (2048 MiB)",
        ),
        ("zero.c", "#include \"/dev/zero\"\nint main(void) { return 0; }\n".to_owned(), "the compiler passed its"),
    ];
    for (name, text, begins) in sources {
        if !require(if name.ends_with(".c") { "c" } else { "cpp" }) {
            continue;
        }
        let (verdict, log, _) = verdict(&desk, name, &text);
        assert!(
            verdict == "CE" && log.starts_with(begins) && !log.trim().is_empty(),
            "{name}: {verdict}: {log}"
        );
    }
    if require("java") {
        let classes: String = (0..1100).map(|number| format!("class C{number} {{}}\n")).collect();
        let main = "public class Main { public static void main(String[] a) {} }\n";
        let (verdict, log, _) = verdict(&desk, "Main.java", &(main.to_owned() + &classes));
        assert_eq!((verdict.as_str(), log.trim()), ("CE", "the build left too many files"));
    }
    assert!(desk.left_over().is_empty(), "{:?}", desk.left_over());
}

#[test]
fn no_language_computes_without_end_while_it_compiles() {
    // What bounds them is the same behind all walls, and they start slowly.
    Walls::Plain.test(|walls| {
        let desk = desk(walls);
        let doubled = |begin: &str, line: fn(u32) -> String, end: &str| {
            (0..40).fold(begin.to_owned(), |text, level| text + &line(level)) + end
        };
        let sources = [
            (
                "rust",
                "macros.rs",
                "macro_rules! m { ($($t:tt)*) => { m!(x $($t)*) } }\nfn main() { m!() }\n".to_owned(),
                "recursion limit",
            ),
            (
                "rust",
                "types.rs",
                "struct S<T>(T);\nfn f<T>(t: T) { f(S(t)) }\nfn main() { f(1) }\n".to_owned(),
                "recursion limit",
            ),
            ("rust", "constant.rs", "const N: u32 = loop {};\nfn main() { print!(\"{N}\") }\n".to_owned(), ""),
            (
                "java",
                "Main.java",
                doubled(
                    "public class Main {\n  static final String S0 = \"text\";\n",
                    |level| format!("  static final String S{} = S{level} + S{level};\n", level + 1),
                    "  public static void main(String[] a) { System.out.println(S40); }\n}\n",
                ),
                "",
            ),
            (
                "java",
                "Main.java",
                "@interface A { int value() default 1; }\n@A(@A) public class Main {\n  \
                 public static void main(String[] a) {}\n}\n"
                    .to_owned(),
                "annotation",
            ),
            ("go", "shift.go", "package main\nconst n = 1 << 1000000\nfunc main() { print(n) }\n".to_owned(), ""),
            (
                "go",
                "data.go",
                "package main\nvar a = [1 << 40]int{1}\nfunc main() { print(a[7]) }\n".to_owned(),
                "too large",
            ),
            (
                "typescript",
                "types.ts",
                "type R<N extends number, T extends 0[] = []> = T['length'] extends N ? T : R<N, [0, ...T]>;\n\
                 const x: R<100000> = [];\nconsole.log(x);\n"
                    .to_owned(),
                "",
            ),
        ];
        for (language, name, text, says) in sources {
            if !require(language) {
                continue;
            }
            let (verdict, log, message) = verdict(&desk, name, &text);
            // What only takes the types away computes none.
            let is_right = verdict == "CE" || (language == "typescript" && verdict == "WA");
            assert!(is_right && log.contains(says), "{name}: {verdict}: {log}{message}");
            assert!(verdict != "CE" || !log.trim().is_empty(), "{name}");
        }
        assert!(desk.left_over().is_empty(), "{:?}", desk.left_over());
    });
}

fn what_is_no_source_is_a_compile_error_or_nothing(walls: Walls) {
    if !require("c") {
        return;
    }
    let desk = desk(walls);
    let (garbage, log, _) = verdict(&desk, "garbage.c", "\u{7f}ELF\0\0\u{1}\u{2}\u{fffd}\0(((({{{{\0\"\n");
    assert!(garbage == "CE" && !log.trim().is_empty(), "{garbage}: {log}");
    // A compiler's input is empty, and nobody waits for more.
    let (nothing, log, _) =
        verdict(&desk, "input.c", "#include \"/dev/stdin\"\nint main(void) { return 0; }\n");
    assert!(nothing == "WA" || nothing == "CE", "{nothing}: {log}");
}

fn nothing_but_the_source_can_be_included(walls: Walls) {
    let desk = desk(walls);
    let isolation = desk.json(&["doctor"]).0["machine"]["isolation"].clone();
    if !walls.has_spaces() && isolation["landlock"] != true {
        return;
    }
    let answer = desk.path("tests/1.ans").canonicalize().unwrap();
    for secret in ["/etc/shadow", "/dev/tty", "/proc/1/environ", answer.to_str().unwrap()] {
        let sources = [
            ("cpp", "include.cpp", format!("#include \"{secret}\"\nint main() {{}}\n")),
            (
                "c",
                "incbin.c",
                format!("__asm__(\".incbin \\\"{secret}\\\"\");\nint main(void) {{ return 0; }}\n"),
            ),
            ("rust", "str.rs", format!("fn main() {{ print!(\"{{}}\", include_str!(\"{secret}\")); }}\n")),
            (
                "rust",
                "bytes.rs",
                format!("fn main() {{ print!(\"{{:?}}\", include_bytes!(\"{secret}\")); }}\n"),
            ),
            ("rust", "path.rs", format!("#[path = \"{secret}\"] mod secret;\nfn main() {{}}\n")),
            (
                "go",
                "embed.go",
                format!(
                    "package main\nimport _ \"embed\"\n//go:embed {secret}\nvar s string\nfunc main() {{ print(s) }}\n"
                ),
            ),
            (
                "go",
                "cgo.go",
                format!(
                    "package main\n// #cgo LDFLAGS: -L/\n// #include \"{secret}\"\nimport \"C\"\nfunc main() {{}}\n"
                ),
            ),
        ];
        for (language, name, text) in sources {
            // What is not shown is not there for any of them: the rest try one.
            let is_tried = secret == answer.to_str().unwrap() || language.starts_with('c');
            if !is_tried || !require(language) {
                continue;
            }
            let (verdict, log, _) = verdict(&desk, name, &text);
            assert!(verdict == "CE" && !log.trim().is_empty(), "{name} of {secret}: {verdict}: {log}");
        }
    }
}

fn a_program_that_cannot_be_started_is_the_submissions_fault(walls: Walls) {
    let desk = desk(walls);
    if require("c") {
        // An interpreter that is none.
        let source = "__asm__(\".section .interp,\\\"a\\\"\\n.string \\\"/proc/self/fd/0\\\"\\n.text\");\n\
                      int main(void) { return 0; }\n";
        let (verdict, log, message) = verdict(&desk, "interpreter.c", source);
        let is_told = message.starts_with("the compiled program cannot be started:");
        assert!(verdict == "RTE" && is_told, "{verdict}: {log}{message}");
    }
    if require("rust") {
        for kind in ["dylib", "proc-macro"] {
            let source = format!("#![crate_type = \"{kind}\"]\npub fn f() {{}}\n");
            let (verdict, log, _) = verdict(&desk, "library.rs", &source);
            assert!(
                verdict == "CE" && log.ends_with("the compiler made no program of it\n"),
                "{verdict}: {log}"
            );
        }
    }
}

fn options_in_a_source_change_nothing_but_its_own_program(walls: Walls) {
    let desk = desk(walls);
    if require("cpp") {
        let source = "#pragma GCC optimize(\"O3,-fplugin=/tmp/evil.so\")\n#pragma GCC target(\"@/etc/shadow\")\n\
                      #pragma comment(linker, \"/evil\")\n#include <cstdio>\nint main() { puts(\"1\"); }\n";
        let (verdict, log, message) = verdict(&desk, "pragmas.cpp", source);
        assert!(verdict == "AC" || verdict == "CE", "{verdict}: {log}{message}");
    }
    if require("go") {
        let source = "package main\nimport _ \"unsafe\"\n//go:linkname exit runtime.exit\nfunc exit(int32)\n\
                      func main() { exit(0) }\n";
        let (verdict, log, message) = verdict(&desk, "linkname.go", source);
        assert!(verdict == "CE" || verdict == "WA", "{verdict}: {log}{message}");
    }
}
