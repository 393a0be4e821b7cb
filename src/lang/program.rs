//! A program that is ready to run, and how each run of it is set up: its command, its environment, its limits. Never
//! runs it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::lang::Mode;
use crate::lang::table::{Language, StackShare};
use crate::limits::{Limits, MemoryLimit};
use crate::sandbox::spec::MOST_FILES;
use crate::sandbox::{Files, RunLimits, Spec, Stdin};

/// A run may take this many times its CPU time on the wall, and `WALL_SLACK_MS` more: for waiting on a loaded machine,
/// and for starting. A program that sleeps ends there.
const WALL_FACTOR: u64 = 2;
const WALL_SLACK_MS: u64 = 1000;

/// Standard output of a run.
pub(crate) const STDOUT_BYTES: u64 = 64 << 20;

/// Standard error that is kept for the report.
const STDERR_KEPT_BYTES: usize = 64 << 10;

/// The largest file a run may write.
pub(crate) const FILE_BYTES: u64 = 64 << 20;

/// The environment of every run and every compiler: nothing of the judge's own reaches them.
pub(in crate::lang) const ENVIRONMENT: [(&str, &str); 4] =
    [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", "/tmp"), ("LANG", "C.UTF-8"), ("LC_ALL", "C.UTF-8")];

/// A compiled program, or a checked source of an interpreted one.
#[derive(Clone, Debug)]
pub struct Program {
    /// The language's id.
    pub language: String,
    /// How it takes its input.
    pub mode: Mode,
    /// What the compiler said, shortened; most often nothing.
    pub log: String,
    /// A hash over source, mode, commands and tool versions: two programs with the same key behave the same.
    pub key: String,
    pub(in crate::lang) words: Words,
    pub(in crate::lang) run: Vec<String>,
    pub(in crate::lang) env: Vec<String>,
    pub(in crate::lang) readable: Vec<PathBuf>,
    pub(in crate::lang) traits: Traits,
}

/// What the table says of a language's programs at run time.
#[derive(Clone, Debug)]
pub(in crate::lang) struct Traits {
    time_factor: f64,
    memory_allowance_bytes: u64,
    processes: u64,
    bound_address_space: bool,
    stack: Option<StackShare>,
    out_of_memory: Vec<String>,
}

impl Traits {
    pub(in crate::lang) fn of(language: &Language) -> Self {
        Self {
            time_factor: language.time_factor,
            memory_allowance_bytes: language.memory_allowance_mib << 20,
            processes: language.processes,
            bound_address_space: language.bound_address_space,
            stack: language.stack,
            out_of_memory: language.out_of_memory.clone(),
        }
    }
}

impl Program {
    /// Whether the compiler made what lies at `path`, so that what is in it is the submission's own doing.
    pub fn made(&self, path: &Path) -> bool {
        self.readable.first().is_some_and(|folder| path.starts_with(folder))
    }

    /// The limits of a problem, which are for the reference languages, as this language gets them. Limits that
    /// somebody gave for this very run, as with `--time-limit`, are meant literally and don't go through here.
    pub fn scaled(&self, limits: &Limits) -> Limits {
        Limits { time: limits.time.times(self.traits.time_factor), memory: limits.memory }
    }

    /// One run under exactly these limits: `limits.time` of CPU time, twice that and a second on the wall, and
    /// `limits.memory` besides what the language's runtime needs for itself.
    pub fn spec(&self, stdin: Stdin, calls: Option<Vec<Vec<u8>>>, limits: &Limits) -> Spec {
        let words = self.words.with_memory(limits.memory, self.traits.stack);
        let mut command = self.run.iter().flat_map(|argument| words.expand(argument));
        let program = PathBuf::from(command.next().unwrap_or_default());
        let args = command.collect();
        let mut env = environment();
        env.push(("TMPDIR".into(), "/tmp".into()));
        env.extend(self.env.iter().filter_map(|variable| {
            let (name, value) = variable.split_once('=')?;
            Some((name.into(), words.fill(value).into()))
        }));
        let memory_bytes = limits.memory.bytes() + self.traits.memory_allowance_bytes;
        let limits = RunLimits {
            cpu_ms: limits.time.ms(),
            wall_ms: limits.time.ms() * WALL_FACTOR + WALL_SLACK_MS,
            memory_bytes,
            stdout_bytes: STDOUT_BYTES,
            stderr_kept_bytes: STDERR_KEPT_BYTES,
            file_bytes: FILE_BYTES,
            // What a file system of its own would hold, or one file at least.
            files_bytes: memory_bytes.max(FILE_BYTES),
            files: MOST_FILES,
            processes: self.traits.processes,
            bound_address_space: self.traits.bound_address_space,
        };
        let files = Files::Fresh { readable: self.readable.clone() };
        Spec { program, args, env, files, stdin, calls, limits }
    }

    /// Whether a failed run says on standard error that its runtime gave up for lack of memory, which is then `MLE`
    /// and no `RTE`: Java, Node and Go watch their own limit, and C++ throws when memory is refused.
    pub fn ran_out_of_memory(&self, stderr: &[u8]) -> bool {
        let says = |words: &String| memchr::memmem::find(stderr, words.as_bytes()).is_some();
        self.traits.out_of_memory.iter().any(says)
    }
}

pub(in crate::lang) fn environment() -> Vec<(OsString, OsString)> {
    ENVIRONMENT.map(|(name, value)| (name.into(), value.into())).to_vec()
}

/// What the words in braces of the table stand for. Braces around anything else are left alone.
#[derive(Clone, Debug, Default)]
pub(in crate::lang) struct Words(pub(in crate::lang) Vec<(String, Vec<OsString>)>);

impl Words {
    pub(in crate::lang) fn add(&mut self, name: &str, arguments: Vec<OsString>) {
        self.0.push((name.to_owned(), arguments));
    }

    /// The arguments that one argument of the table stands for: a word by itself may be several or none.
    pub(in crate::lang) fn expand(&self, argument: &str) -> Vec<OsString> {
        let inner = argument.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let whole = inner.and_then(|name| self.0.iter().find(|(word, _)| word == name));
        match whole {
            Some((_, arguments)) => arguments.clone(),
            None => vec![self.fill(argument).into()],
        }
    }

    /// `text` with every known word in it replaced.
    pub(in crate::lang) fn fill(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, arguments)| {
            let joined: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
            text.replace(&format!("{{{name}}}"), &joined.join(" "))
        })
    }

    fn with_memory(&self, memory: MemoryLimit, stack: Option<StackShare>) -> Self {
        let memory_mib = memory.bytes().div_ceil(1 << 20);
        let stack_mib = stack.map_or(0, |share| share.mib(memory_mib));
        let numbers = [
            ("memory_mib", memory_mib),
            ("most_mib", (memory_mib * 9 / 10).max(1)),
            ("stack_mib", stack_mib),
            ("stack_kib", stack_mib << 10),
        ];
        let mut words = self.clone();
        for (name, number) in numbers {
            words.add(name, vec![number.to_string().into()]);
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::table::Table;
    use crate::limits::TimeLimit;

    fn program(id: &str) -> Program {
        let language = Table::built_in().language(id).unwrap();
        let mut words = Words::default();
        for (name, value) in [
            ("java", "/jdk/bin/java"),
            ("program", "/c/k/classes"),
            ("main_class", "a.B"),
            ("folder", "/c/k"),
        ] {
            words.add(name, vec![value.into()]);
        }
        Program {
            language: id.to_owned(),
            mode: Mode::Stdin,
            log: String::new(),
            key: String::new(),
            words,
            run: language.ways[0].run.clone(),
            env: language.ways[0].env.clone(),
            readable: vec!["/c/k".into()],
            traits: Traits::of(language),
        }
    }

    fn limits(ms: u64, mib: u64) -> Limits {
        Limits { time: TimeLimit::from_ms(ms).unwrap(), memory: MemoryLimit::from_bytes(mib << 20).unwrap() }
    }

    #[test]
    fn a_jvm_gets_its_heap_its_stack_and_room_for_itself() {
        let spec = program("java").spec(Stdin::Empty, None, &limits(1000, 256));
        assert_eq!(spec.program, PathBuf::from("/jdk/bin/java"));
        for argument in ["-Xmx256m", "-Xss192m", "/c/k/classes", "a.B"] {
            assert!(spec.args.contains(&argument.into()), "{argument}: {:?}", spec.args);
        }
        assert_eq!(spec.limits.memory_bytes, (256 + 64) << 20);
        assert_eq!((spec.limits.cpu_ms, spec.limits.wall_ms), (1000, 3000));
        assert!(!spec.limits.bound_address_space);
        let small = program("java").spec(Stdin::Empty, None, &limits(1000, 16));
        assert!(small.args.contains(&"-Xss64m".into()) && small.args.contains(&"-Xmx16m".into()));
    }

    #[test]
    fn the_environment_is_a_short_fixed_list() {
        let names = |id: &str| -> Vec<String> {
            let spec = program(id).spec(Stdin::Empty, None, &limits(1000, 100));
            spec.env.iter().map(|(name, value)| format!("{}={}", name.display(), value.display())).collect()
        };
        let fixed = [
            "PATH=/usr/local/bin:/usr/bin:/bin",
            "HOME=/tmp",
            "LANG=C.UTF-8",
            "LC_ALL=C.UTF-8",
            "TMPDIR=/tmp",
        ];
        assert_eq!(names("cpp"), fixed);
        assert_eq!(names("go")[5..], ["GOMAXPROCS=1", "GOMEMLIMIT=90MiB", "GOTRACEBACK=single"]);
    }

    #[test]
    fn factors_change_the_time_and_only_the_time() {
        assert_eq!(program("cpp").scaled(&limits(1000, 256)), limits(1000, 256));
        assert_eq!(program("python").scaled(&limits(1000, 256)), limits(4000, 256));
    }

    #[test]
    fn braces_that_are_no_words_stay() {
        let mut words = Words::default();
        words.add("tsc", vec!["node".into(), "tsc.js".into()]);
        words.add("none", vec![]);
        assert_eq!(words.expand("{tsc}"), [OsString::from("node"), "tsc.js".into()]);
        assert_eq!(words.expand("{none}"), Vec::<OsString>::new());
        assert_eq!(words.expand("const x = { y: `${z}` }"), [OsString::from("const x = { y: `${z}` }")]);
        assert_eq!(words.expand("{unknown}"), [OsString::from("{unknown}")]);
    }

    #[test]
    fn a_runtime_that_gave_up_for_memory_is_recognized() {
        let java = program("java");
        assert!(
            java.ran_out_of_memory(
                b"Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space"
            )
        );
        assert!(!java.ran_out_of_memory(b"java.lang.ArrayIndexOutOfBoundsException"));
    }
}
