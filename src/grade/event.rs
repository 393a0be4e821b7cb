//! The only interface between grading and whoever shows it: the terminal, JSON, a store or a live page.

use crate::score::{GroupScore, Marks, Points};
use crate::verdict::Verdict;

/// Something that happened while one submission was graded. A stream is one `Compiling`, one `Compiled`, then for each
/// test in package order as it becomes known a `Finished` or `Skipped`, then one `Done`.
#[derive(Clone, Debug)]
pub enum Event {
    /// The compiler starts, or a cached program is looked up.
    Compiling {
        /// The submission's path as it was given.
        solution: String,
        /// The language's id.
        language: String,
    },
    /// The compiler is done.
    Compiled {
        /// Whether there is a program to run.
        ok: bool,
        /// How many tests will be run.
        tests: usize,
    },
    /// A test's verdict is known.
    Finished(TestReport),
    /// A test is not run.
    Skipped(TestReport),
    /// Everything is known.
    Done(Box<SubmissionReport>),
}

/// One row of the report: a test, or a pack as one.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct TestReport {
    /// The test's name.
    pub name: String,
    /// The subtask, if the problem has any.
    pub group: Option<String>,
    /// `None` when it was skipped.
    pub verdict: Option<Verdict>,
    /// CPU time; for a pack the largest over its members.
    pub cpu_ms: Option<f64>,
    /// Wall time; for a pack the largest over its members.
    pub wall_ms: Option<f64>,
    /// Peak memory.
    pub memory_bytes: Option<u64>,
    /// Exit status of the program, when it exited.
    pub exit_code: Option<i32>,
    /// The signal that ended it, by number.
    pub signal: Option<i32>,
    /// What a checker that gives parts gave, when that was not all.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub marks: Option<Marks>,
    /// What the checker or the judge says; empty when there is nothing to say.
    pub message: String,
    /// The single small input of a pack's failing member, or the failing test's input, shortened for showing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing_input: Option<String>,
    /// The index of that input among the test's members; 0 unless it is a pack.
    #[serde(skip)]
    pub failing_member: Option<usize>,
    /// Expected and actual output of the failure, shortened, for the diff.
    #[serde(skip)]
    pub outputs: Option<Outputs>,
    /// The last lines the program wrote to standard error, escaped and shortened; empty when it wrote none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// What the submission (`>`) and the interactor (`<`) said, shortened; empty where there is no interactor.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub transcript: String,
}

/// What was expected and what came, both shortened to what can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outputs {
    /// The answer.
    pub expected: Vec<u8>,
    /// The output.
    pub actual: Vec<u8>,
    /// The number of the output's line with which `actual` begins, from 1; more than 1 when what came before was cut.
    pub first_line: u64,
}

/// Everything known of one submission.
#[derive(Clone, Debug, serde::Serialize)]
pub struct SubmissionReport {
    /// The path as it was given.
    pub solution: String,
    /// The language's id, as in `cpp`.
    pub language: String,
    /// `stdin` or `function`.
    pub mode: String,
    /// `None` only when nothing was run at all.
    pub verdict: Option<Verdict>,
    /// Points, when the problem gives any and all of it was judged.
    pub score: Option<Points>,
    /// What all subtasks together are worth, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_score: Option<Points>,
    /// What came of each subtask; none when there are none, or no program to run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupScore>,
    /// What the compiler said.
    pub compile: CompileReport,
    /// The first test in package order whose verdict is not `AC`.
    pub first_failing_test: Option<String>,
    /// A row for each test, in package order.
    pub tests: Vec<TestReport>,
}

/// What the compiler said.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct CompileReport {
    /// Whether there is a program to run.
    pub ok: bool,
    /// Errors and warnings, shortened but useful.
    pub log: String,
}
