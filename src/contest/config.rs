//! What a `contest.toml` says: read with every mistake at once, each with its place. Reads text, never a file; whether
//! the problems and languages it names are there is the caller's business.

mod read;
mod time;

use serde::{Deserialize, Serialize};

use super::Rules;
use crate::diagnostic::{Diagnostic, Severity, nearest};
use crate::problem::{locate, read::document};
pub use time::{MAX_DURATION_MS, TimeError, duration_text, parse_duration, parse_instant};

/// The longest `contest.toml` that is read, in bytes.
pub const MAX_TEXT_BYTES: usize = 1 << 20;
/// The most problems of a contest.
pub const MAX_PROBLEMS: usize = 100;
/// The most languages that may be listed.
const MAX_LANGUAGES: usize = 100;
/// The most languages that a contest has a name in.
const MAX_NAMES: usize = 100;
/// The languages of the pages, by code.
pub const UI_LANGUAGES: [&str; 3] = ["en", "zh", "ru"];
/// A commented `contest.toml` that says what holds without it.
pub const TEMPLATE: &str = include_str!("config/template.toml");

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
    /// `None` to make one. It is never written: what keeps a contest's settings keeps hashes only.
    #[serde(default, skip_serializing)]
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

/// Reads a `contest.toml`. There is a contest when none of the diagnostics is an error.
pub fn parse(text: &str) -> (Option<Config>, Vec<Diagnostic>) {
    if text.len() > MAX_TEXT_BYTES {
        let message = format!("contest.toml has {} bytes, expected {MAX_TEXT_BYTES} at most", text.len());
        return (None, vec![Diagnostic::error(message)]);
    }
    let (config, mistakes) = document(text, read::config);
    let has_failed = mistakes.iter().any(|mistake| mistake.severity == Severity::Error);
    ((!has_failed).then_some(config), mistakes)
}

impl Config {
    /// What holds when the file said `last` when it was read last and says `file` now, and staff have made `self` of it
    /// since: the file where it has changed, else what staff made of it.
    pub fn with_changes_of_file(&self, last: &Self, file: &Self) -> Self {
        macro_rules! merged {
            ($($field:ident),*) => {
                Self {
                    $($field: Clone::clone(if last.$field == file.$field { &self.$field } else { &file.$field })),*
                }
            };
        }
        merged!(
            names,
            start_ms,
            duration_ms,
            freeze_before_end_ms,
            rules,
            problems,
            languages,
            practice,
            ui_language,
            max_submissions_per_minute,
            public_board,
            accounts
        )
    }

    /// Its name in a language, else in English, else in the first language it has.
    pub fn name(&self, language: &str) -> &str {
        let of = |code: &str| self.names.iter().find(|(known, _)| known == code);
        of(language).or_else(|| of("en")).or(self.names.first()).map_or("", |(_, name)| name)
    }

    /// Mistakes in what it names: problems and languages that are not there. `text` is the file that it was read from.
    pub fn check_names(&self, text: &str, problems: &[&str], languages: &[&str]) -> Vec<Diagnostic> {
        let mistake = |what: &str, name: &str, known: &[&str], place: Option<std::ops::Range<usize>>| {
            let near = nearest(name, known.iter().copied());
            let label = near.map_or_else(String::new, |near| format!("did you mean `{near}`?"));
            let mistake = Diagnostic::error(format!("there is no {what} `{name}`"));
            let mistake = place.into_iter().fold(mistake, |mistake, place| mistake.at(place, label.clone()));
            mistake.help(format!("known here: {}", known.join(", ")))
        };
        let mut mistakes = Vec::new();
        for (index, entry) in self.problems.iter().enumerate() {
            if !problems.contains(&entry.slug.as_str()) {
                let index = index.to_string();
                let place = locate(text, &["problems", &index])
                    .or_else(|| locate(text, &["problem", &index, "slug"]));
                mistakes.push(mistake("problem", &entry.slug, problems, place));
            }
        }
        for (index, language) in self.languages.iter().enumerate() {
            if !languages.contains(&language.as_str()) {
                let place = locate(text, &["languages", &index.to_string()]);
                mistakes.push(mistake("language", language, languages, place));
            }
        }
        mistakes
    }

    /// The problems of the contest: those it names, or all of `known` with their labels and colours.
    pub fn problems_of(&self, known: &[&str]) -> Vec<ProblemEntry> {
        if !self.problems.is_empty() {
            return self.problems.clone();
        }
        let entry = |(index, slug): (usize, &&str)| ProblemEntry {
            slug: (*slug).to_owned(),
            label: default_label(index),
            color: default_color(index),
        };
        known.iter().take(MAX_PROBLEMS).enumerate().map(entry).collect()
    }
}

/// The label of a problem that has none: `A` … `Z`, `AA`, …
pub fn default_label(index: usize) -> String {
    const LETTERS: usize = 26;
    let letter = |index: usize| char::from(b'A' + (index % LETTERS) as u8);
    let last = letter(index);
    match index / LETTERS {
        0 => last.to_string(),
        rest => default_label(rest - 1) + &last.to_string(),
    }
}

/// Colours that are told apart well, also by those who see fewer of them, in the order in which problems get them.
const COLORS: [&str; 15] = [
    "#d62728", "#1f77b4", "#2ca02c", "#ffbf00", "#9467bd", "#ff7f0e", "#17becf", "#e377c2", "#8c564b",
    "#bcbd22", "#111111", "#f5f5f5", "#7f7f7f", "#0b3d91", "#98df8a",
];

/// The colour of a problem that has none.
pub fn default_color(index: usize) -> String {
    COLORS[index % COLORS.len()].to_owned()
}

/// Colours that may be called by their names, as balloons are sold.
const COLOR_NAMES: [(&str, &str); 14] = [
    ("black", "#111111"),
    ("blue", "#1f77b4"),
    ("brown", "#8c564b"),
    ("cyan", "#17becf"),
    ("gold", "#d4af37"),
    ("gray", "#7f7f7f"),
    ("green", "#2ca02c"),
    ("navy", "#0b3d91"),
    ("orange", "#ff7f0e"),
    ("pink", "#e377c2"),
    ("purple", "#9467bd"),
    ("red", "#d62728"),
    ("white", "#f5f5f5"),
    ("yellow", "#ffbf00"),
];

/// A colour as six hexadecimal digits after `#`, of that, of three digits, or of a name.
fn color(text: &str) -> Option<String> {
    let lower = text.trim().to_ascii_lowercase();
    if let Some((_, color)) = COLOR_NAMES.iter().find(|(name, _)| *name == lower) {
        return Some((*color).to_owned());
    }
    let digits = lower.strip_prefix('#').filter(|it| it.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    match digits.len() {
        3 => Some(digits.chars().fold("#".to_owned(), |color, digit| color + &digit.to_string().repeat(2))),
        6 => Some(lower),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
