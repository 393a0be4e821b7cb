//! What is known of each language and each tool, read from `languages.toml`. Holds words only: never looks for a
//! program and never starts one.

use std::sync::OnceLock;

use serde::Deserialize;

/// Every language and every tool that is known.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    #[serde(rename = "tool")]
    tools: Vec<Tool>,
    #[serde(rename = "language")]
    languages: Vec<Language>,
}

/// A compiler or an interpreter.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The name that ways of building use.
    pub id: String,
    /// How the real program and its version are found.
    pub kind: ToolKind,
    /// Names to look for on `PATH`, in order.
    pub programs: Vec<String>,
    /// The oldest version that works.
    pub minimum: String,
    /// The first version that does not work, if there is one.
    pub below: Option<String>,
    /// What to type where it is missing.
    pub install: String,
}

/// How a tool is asked for its real program, its version and its folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToolKind {
    /// g++, gcc, clang and those that speak like them.
    Gnu,
    /// CPython.
    Python,
    /// A JDK, found by its `javac`.
    Jdk,
    /// Go.
    Go,
    /// Node.
    Node,
    /// TypeScript's package, found by its `tsc`.
    Typescript,
    /// esbuild.
    Esbuild,
    /// rustc, most often behind rustup.
    Rustc,
}

/// A language: what its files are called, how they are built and how the programs are run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// The name in options and reports, as in `cpp`.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Other names that `--language` takes.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The language whose drivers it shares; itself when absent.
    driver: Option<String>,
    /// Endings of its files, without the dot, in lower case; the first is the usual one.
    pub extensions: Vec<String>,
    /// Limits of a problem times this are the limits of this language.
    pub time_factor: f64,
    /// What the runtime needs for itself, on top of the memory limit.
    pub memory_allowance_mib: u64,
    /// Processes and threads at once.
    pub processes: u64,
    /// Whether address space may be bounded where nothing better bounds memory.
    pub bound_address_space: bool,
    /// The same for its compiler.
    pub compiler_bound_address_space: bool,
    /// What standard error says when the runtime itself gave up for lack of memory.
    #[serde(default)]
    pub out_of_memory: Vec<String>,
    /// The stack that the command line asks for, where it does.
    pub stack: Option<StackShare>,
    /// Arguments, put behind `{std}`, by which a program ends where it would read or write beside an array.
    #[serde(default)]
    checks: Vec<String>,
    /// Tools and commands, best first.
    #[serde(rename = "way")]
    pub ways: Vec<Way>,
}

/// A stack as a share of the memory limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StackShare {
    /// Of the memory limit.
    pub percent: u64,
    /// At least this.
    pub min_mib: u64,
    /// At most this.
    pub max_mib: u64,
}

impl StackShare {
    /// The stack under a memory limit of `memory_mib`, in MiB.
    pub fn mib(self, memory_mib: u64) -> u64 {
        (memory_mib * self.percent / 100).clamp(self.min_mib, self.max_mib)
    }
}

/// One way to build a language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Way {
    /// The tools that must be there, by id.
    pub tools: Vec<String>,
    /// What its compiler says where it does not know a part of the language that another one may know: then the next way
    /// is tried. A plain mistake has none of these words, so it costs no second compiler.
    #[serde(default)]
    pub unable: Vec<String>,
    /// (version of the first tool, argument): the first whose version is reached is `{std}`.
    #[serde(default)]
    pub std: Vec<(String, String)>,
    /// Tried in order.
    #[serde(rename = "attempt")]
    pub attempts: Vec<Attempt>,
    /// How the program is started.
    pub run: Vec<String>,
    /// Variables besides the fixed ones, as `NAME=value`.
    #[serde(default)]
    pub env: Vec<String>,
}

/// The commands of one attempt to build.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    /// The name that the program's text gets in the folder of the build.
    pub source: String,
    /// Commands, run in order until one fails.
    pub steps: Vec<Vec<String>>,
    /// Files and folders to keep; the first is what runs.
    pub output: Vec<String>,
    /// The next attempt is made when this one failed and said one of these.
    #[serde(default)]
    pub retry: Vec<String>,
}

impl Table {
    /// The table that this program was built with.
    ///
    /// # Panics
    /// Never, as the tests read the same table.
    pub fn built_in() -> &'static Self {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| {
            toml::from_str(include_str!("languages.toml")).expect("the built-in table is valid")
        })
    }

    /// The same where programs are built with the checks of their languages: what would only be luck ends a program
    /// then. For programs that are to be found out; submissions are never built so.
    ///
    /// # Panics
    /// Never, as [`Table::built_in`].
    pub fn checked() -> &'static Self {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(|| {
            let mut table: Self =
                toml::from_str(include_str!("languages.toml")).expect("the built-in table is valid");
            for language in &mut table.languages {
                let attempts = language.ways.iter_mut().flat_map(|way| &mut way.attempts);
                for step in attempts.flat_map(|attempt| &mut attempt.steps) {
                    let place = step.iter().position(|argument| argument == "{std}").map(|at| at + 1);
                    if let Some(place) = place {
                        step.splice(place..place, language.checks.iter().cloned());
                    }
                }
            }
            table
        })
    }

    /// Every language, in the order in which they are shown.
    pub fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// Every tool.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The language with this id, or with this as another name; letter case does not matter.
    pub fn language(&self, name: &str) -> Option<&Language> {
        let is = |candidate: &String| candidate.eq_ignore_ascii_case(name);
        self.languages.iter().find(|language| is(&language.id) || language.aliases.iter().any(is))
    }

    /// The ids of all languages, for messages.
    pub fn ids(&self) -> String {
        let ids: Vec<&str> = self.languages.iter().map(|language| language.id.as_str()).collect();
        ids.join(", ")
    }
}

impl Language {
    /// Whether [`Table::checked`] builds it otherwise.
    pub fn has_checks(&self) -> bool {
        !self.checks.is_empty()
    }

    /// All that a verdict follows from, as a text: how programs are built and run where the first of the tools are, and
    /// within what. Neither names nor what stands in on other machines.
    pub fn of_verdicts(&self) -> String {
        let usual = self.ways.first();
        let usual = usual.map(|way| (&way.tools, &way.std, &way.attempts, &way.run, &way.env));
        let bounds = (self.time_factor, self.memory_allowance_mib, self.processes, self.bound_address_space);
        format!("{:?}", (self.driver_id(), bounds, &self.out_of_memory, self.stack, &self.checks, usual))
    }

    /// The id of the language whose drivers it shares in function mode.
    pub fn driver_id(&self) -> &str {
        self.driver.as_deref().unwrap_or(&self.id)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_way_names_tools_that_exist() {
        let table = Table::built_in();
        let tools: HashSet<&str> = table.tools().iter().map(|tool| tool.id.as_str()).collect();
        assert_eq!(tools.len(), table.tools().len(), "two tools share an id");
        for language in table.languages() {
            assert!(!language.ways.is_empty(), "{}", language.id);
            assert!(table.language(language.driver_id()).is_some(), "{}", language.id);
            for way in &language.ways {
                for tool in &way.tools {
                    assert!(tools.contains(tool.as_str()), "{}: {tool}", language.id);
                }
                for attempt in &way.attempts {
                    let takes_std = |step: &Vec<String>| step.iter().any(|argument| argument == "{std}");
                    assert!(
                        language.checks.is_empty() || attempt.steps.iter().all(takes_std),
                        "{}: checks",
                        language.id
                    );
                    assert!(!attempt.output.is_empty() && !attempt.steps.is_empty(), "{}", language.id);
                }
                assert!(way.attempts.last().is_some_and(|last| last.retry.is_empty()), "{}", language.id);
            }
        }
    }

    #[test]
    fn verdicts_follow_from_limits_and_commands_and_from_no_name() {
        let text = include_str!("languages.toml");
        let of_cpp = |from: &str, to: &str| {
            let changed = text.replacen(from, to, 1);
            assert!(from.is_empty() || changed != text, "{from}");
            let table: Table = toml::from_str(&changed).unwrap();
            table.language("cpp").unwrap().of_verdicts()
        };
        let now = of_cpp("", "");
        assert!(now.contains("g++") && !now.contains("clang++"), "{now}");
        for (from, to, is_other) in [
            ("name = \"C++\"", "name = \"Cpp\"", false),
            ("\"sorry, unimplemented:\", ", "", false),
            (
                "name = \"C\"\nextensions = [\"c\"]\ntime_factor = 1.0",
                "name = \"C\"\nextensions = [\"c\"]\ntime_factor = 2.0",
                false,
            ),
            ("\"-O2\", \"-pipe\"", "\"-O1\", \"-pipe\"", true),
            ("out_of_memory = [\"std::bad_alloc\"]", "out_of_memory = []", true),
        ] {
            assert_eq!(of_cpp(from, to) != now, is_other, "{from}");
        }
    }

    #[test]
    fn no_two_languages_share_a_name_or_an_extension() {
        let table = Table::built_in();
        let mut names = HashSet::new();
        let mut extensions = HashSet::new();
        for language in table.languages() {
            for name in std::iter::once(&language.id).chain(&language.aliases) {
                assert!(names.insert(name.clone()), "{name}");
            }
            for extension in &language.extensions {
                assert!(extensions.insert(extension.clone()), "{extension}");
                assert_eq!(extension, &extension.to_lowercase());
            }
        }
        assert_eq!(table.language("Python3").map(|language| language.id.as_str()), Some("python"));
    }

    #[test]
    fn a_stack_stays_within_its_bounds() {
        let share = StackShare { percent: 50, min_mib: 32, max_mib: 1000 };
        assert_eq!((share.mib(1), share.mib(256), share.mib(1 << 20)), (32, 128, 1000));
    }
}
