//! What a `contest.toml` says: read with every mistake at once, each with its place. Reads text, never a file; whether
//! the problems and languages it names are there is the caller's business.

use serde::{Deserialize, Serialize};

use super::Rules;

/// A contest as it was set up. What staff change later (its instants, which problems are open) is kept elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Config {
    /// (language code, name) in the order of the file; at least one.
    pub names: Vec<(String, String)>,
    /// When it begins, in unix milliseconds; `None` when staff start it.
    pub start_ms: Option<i64>,
    /// How long it is.
    pub duration_ms: i64,
    /// How long before the end verdicts begin to be hidden.
    pub freeze_before_end_ms: Option<i64>,
    /// How it is scored.
    pub rules: Rules,
    /// Its problems in order; empty for all that are there.
    pub problems: Vec<ProblemEntry>,
    /// Ids of the languages that may be used; empty for all that this machine has.
    pub languages: Vec<String>,
    /// What there is besides the contest itself.
    pub practice: Practice,
    /// The code of the language of the pages; `None` for that of the browser.
    pub ui_language: Option<String>,
    /// How many submissions a team may make in a minute.
    pub max_submissions_per_minute: u32,
    /// Whether people who are not logged in see the board.
    pub public_board: bool,
    /// Accounts to make when they are not there yet.
    pub accounts: Vec<AccountEntry>,
}

/// A problem of a contest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProblemEntry {
    /// The problem's name on disk.
    pub slug: String,
    /// What people call it, as in `A`.
    pub label: String,
    /// The colour of its balloon, as in `#e6194b`.
    pub color: String,
}

/// What there is after the contest, or instead of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Practice {
    /// Whether submissions are taken after the end, apart from the board.
    pub upsolving: bool,
    /// Whether a team may run through the contest again at a time of its own.
    pub virtual_starts: bool,
    /// When contestants may see the test that their submission failed.
    pub feedback: Feedback,
    /// Whether the smallest failing input is looked for and shown with it.
    pub smallest: bool,
}

/// When contestants may see failing tests: input, expected and actual output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Feedback {
    /// Never.
    Never,
    /// From the end of the contest on, when nothing is hidden by a freeze any more.
    AfterEnd,
    /// At once: this is no competition.
    Always,
}

/// An account that the file asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountEntry {
    /// What is typed to log in.
    pub login: String,
    /// What others see.
    pub name: String,
    /// `None` to make one.
    pub password: Option<String>,
    /// Whether it is of the staff.
    pub is_admin: bool,
}

impl Default for Practice {
    fn default() -> Self {
        Self { upsolving: true, virtual_starts: true, feedback: Feedback::AfterEnd, smallest: true }
    }
}

impl Default for Config {
    /// Five hours without a freeze, begun by staff, with every problem and language there is.
    fn default() -> Self {
        Self {
            names: vec![("en".to_owned(), "Practice contest".to_owned())],
            start_ms: None,
            duration_ms: 5 * 3_600_000,
            freeze_before_end_ms: None,
            rules: Rules::default(),
            problems: Vec::new(),
            languages: Vec::new(),
            practice: Practice::default(),
            ui_language: None,
            max_submissions_per_minute: 10,
            public_board: true,
            accounts: Vec::new(),
        }
    }
}
