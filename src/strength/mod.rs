//! How strong a problem's tests are, as a number: which kept wrong programs and which mutants of accepted ones they
//! kill. Runs programs through `grade` and never prints; what a number means is said in docs/strength.md.
//!
//! ```text
//! accepted solutions ──lexer, outline, operators──▶ mutants ──choose──▶ budget
//! kept wrong programs + mutants, tests ──matrix──▶ fates ──report──▶ killed / all compiled
//!                                                        ──cover──▶ selection.toml
//! survivors ──agreement──▶ equivalent?     ──hunt──▶ [[case]]
//! ```
//! Operators, their seed and the budget are fixed here and know no problem: what they find is not what somebody has put
//! in to be found.

mod agreement;
mod cover;
mod equivalent;
mod hunt;
mod known;
mod lexer;
mod matrix;
mod moves;
mod mutant;
mod operators;
mod outline;
mod record;
mod search;

pub use agreement::{Agreement, search as search_difference};
pub use cover::{Candidate, GOAL, Goal, choose as choose_tests};
pub use equivalent::{Equivalent, parse as parse_equivalents};
pub use hunt::{Chase, Failing, Hunted, hunt};
pub use known::Known;
pub use matrix::{Bench, Entrant, Fate, new_programs, run};
pub use mutant::{Mutant, Mutants, Original};
pub use operators::Operator;
pub use record::{Record, digest};

/// Mutants of a problem that are tried when nobody says otherwise.
pub const BUDGET: usize = 80;

/// At most one mutant in so many leaves the count as equivalent.
pub const EQUIVALENT_SHARE: usize = 10;

/// Why there is no number.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StrengthError {
    /// The judge failed.
    #[error("cannot judge `{program}`: {message}")]
    Judge {
        /// The program that it was about.
        program: String,
        /// What happened.
        message: String,
    },
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
}
