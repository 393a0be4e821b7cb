//! What a problem *is*: its model, limits, cases and names, valid by construction. Reads text, never a file.
//!
//! [`parse`] turns the text of a `problem.toml` into a [`Problem`], or into every mistake in it at once.

mod constraints;
pub mod expr;
mod jury;
mod lower;
mod maker;
pub mod model;
pub(crate) mod pattern;
#[cfg(test)]
mod properties;
pub(crate) mod read;

use crate::limits::Limits;
use crate::score::{Group, Points, Rule};
pub use constraints::constraints;
pub use jury::{AfterTalk, JuryProgram, Protocol, Role};
pub(crate) use lower::is_keyword;
#[cfg(feature = "web")]
pub(crate) use lower::is_language_code;
pub use lower::{TestGroups, check_slug, parse, parse_test_groups};
pub use maker::Maker;
pub use model::{Field, InputModel, IntRange, Len, Repair, Shape, Size, Where};
pub use read::locate;

/// A problem as its setter declared it. Every name in it is resolved and every bound makes sense.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The folder's name: lower-case letters, digits and `-`.
    pub slug: String,
    /// (language code, title) in the order of the file; at least one.
    pub titles: Vec<(String, String)>,
    /// Where the problem comes from, in words.
    pub source: Option<String>,
    /// The seed that `generate` uses when none is given.
    pub seed: u64,
    /// Limits of one run for the reference languages.
    pub limits: Limits,
    /// The function that a submission without its own input and output supplies.
    pub function: Option<Function>,
    /// What an input looks like.
    pub model: InputModel,
    /// Official examples: the first tests of the package, shown in the statement.
    pub samples: Vec<Case>,
    /// Inputs made by hand.
    pub cases: Vec<Case>,
    /// Groups of tests that give points, in order; none for a problem that is solved or not.
    pub subtasks: Vec<Subtask>,
    /// How the derived families are changed.
    pub families: Families,
    /// Programs that make more tests.
    pub makers: Vec<Maker>,
    /// Bounds that no input can reach, each with its reason.
    pub waivers: Vec<Waiver>,
    /// Where the expected answers come from.
    pub answer: Answer,
    /// How outputs are compared, where no program of the jury's rules.
    pub checker: crate::check::Checker,
    /// The program that rules instead.
    pub jury: Option<JuryProgram>,
    /// The names of the derived tests that are made, from the `selection.toml` beside the file; all when `None`.
    pub selection: Option<Vec<String>>,
}

impl Problem {
    /// Whether submissions talk with an interactor.
    pub fn is_interactive(&self) -> bool {
        self.jury.as_ref().is_some_and(|jury| jury.role == Role::Interactor)
    }

    /// What outputs are judged by, as in `tokens`, `testlib:check.cpp` or `interactor kattis:interact.py`.
    pub fn judged_by(&self) -> String {
        match &self.jury {
            None => self.checker.to_string(),
            Some(jury) if jury.role == Role::Interactor => format!("interactor {jury}"),
            Some(jury) => jury.to_string(),
        }
    }
}

/// The function form of a problem, as in `class Solution`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name in camel case, as C++, Java, Python, Go, TypeScript, JavaScript and C use it.
    pub name: String,
    /// Names that differ: (language id, name). Rust's is derived in snake case when not given.
    pub names: Vec<(String, String)>,
    /// What the function returns.
    pub returns: Returns,
}

/// The type of a function's result, and so of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returns {
    /// `true` or `false` in the answer's text.
    Bool,
    /// An integer of the given width.
    Int,
    /// A 64-bit integer.
    Long,
    /// Any text without a line break.
    Text,
    /// One of these texts.
    OneOf(Vec<String>),
    /// Integers, written on one line with single spaces.
    IntArray,
}

/// One input made by hand, with the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// As the setter wrote it.
    pub name: String,
    /// Which fault it is there for.
    pub why: Option<String>,
    /// What the author of a sample says is right; the solver is held against it.
    pub answer: Option<String>,
    /// The input itself, already in the model and within its bounds.
    pub input: crate::input::Input,
}

impl Case {
    /// The name as part of a test's name and so of a file's.
    pub fn file_name(&self) -> String {
        case_file_name(&self.name)
    }
}

/// Lower case, with `_` for whatever is not a letter or digit of ASCII.
fn case_file_name(name: &str) -> String {
    let fits = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    name.chars().map(fits).collect()
}

/// A group of inputs that give points together: the model with narrower bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subtask {
    /// The group's name; lower-case letters, digits, `-` and `_`.
    pub name: String,
    /// What solving it is worth.
    pub points: Points,
    /// How its tests make its points.
    pub rule: Rule,
    /// The bounds of each size of the model, narrowed or as they were.
    pub sizes: Vec<IntRange>,
    /// The bounds of each field's numbers, narrowed or as they were.
    pub fields: Vec<IntRange>,
    /// Indices of the subtasks, all before this one, without which it gives no points.
    pub needs: Vec<usize>,
}

impl Problem {
    /// The subtasks as groups of tests.
    pub fn groups(&self) -> Vec<Group> {
        let group = |subtask: &Subtask| Group {
            name: subtask.name.clone(),
            points: subtask.points,
            rule: subtask.rule,
            needs: subtask.needs.clone(),
        };
        self.subtasks.iter().map(group).collect()
    }
}

/// Changes to the derived families; everything is on by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Families {
    /// How many tests `small_random` makes; `None` for its own default.
    pub small_random_count: Option<u32>,
    /// How many tests `max_small_values` makes.
    pub max_small_values_count: Option<u32>,
    /// How many tests `max_random` makes.
    pub max_random_count: Option<u32>,
    /// How many inputs `exhaustive` may hold.
    pub exhaustive_budget: Option<u32>,
    /// Patterns over test names, `*` standing for any text without `/`; matching tests are not made.
    pub off: Vec<String>,
}

/// A bound that the coverage check would ask for and that cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiver {
    /// The goal's name as the coverage check prints it, as in `returns=false`.
    pub goal: String,
    /// Why it cannot be reached.
    pub why: String,
}

/// Where expected answers come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A solver built into this program, by name.
    Solver(String),
    /// A program, by its path relative to the workspace, in any language of the table.
    Program(String),
    /// Nowhere: the problem's interactor needs none, and finds an empty answer.
    None,
}
