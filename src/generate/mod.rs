//! From a problem and a seed to inputs, the same on every machine for ever. Never touches a file, a clock or a thread.
//!
//! [`plan`] says which tests there are, [`make`] makes one of them. What a test holds depends on the problem, the
//! seed and its own name alone, so tests can be made in any order and on any number of threads.
//!
//! | family | what | finds | in the package as |
//! |---|---|---|---|
//! | `samples`, `cases` | made by hand | a misread statement; what a case's `why` says | `samples/1`, `cases/ties` |
//! | `exhaustive` | every input of the smallest sizes over the values of the smallest magnitudes | wrong base cases and rules, greedy choices | packs, `exhaustive/n=1..4` |
//! | `small_random` | small sizes, few neighbouring values | ties and near-ties told wrongly | packs, `small_random/width=2/01` |
//! | `plateaus` | rows of one value but for their ends | memo tables whose mark for "unknown" is a real value | a pack, `plateaus/short`; long rows of such stretches, `plateaus/n=max/01` |
//! | `edges` | sizes at their bounds and powers of two × patterns | tables and types that are too small, loops one off | `edges/n=max/all_min`; small sizes in a pack, `edges/n=3..33` |
//! | `max_small_values` | the largest sizes with few neighbouring values | ties, deep recursion and slow searches at full size | `max_small_values/width=2/01` |
//! | `max_random` | the largest sizes, any values | slow programs, sums beyond a type | `max_random/01` |

mod draft;
mod edges;
mod exhaustive;
mod fill;
mod make;
mod plan;
mod plateau;
pub mod rng;
mod sample;
mod scale;
mod size;
mod subtask;

use std::fmt;

pub use make::{FIRST_MEMBERS, Made, make};
pub use plan::{MAX_TESTS, Planned, plan, plan_all};
pub use sample::sample;
pub use size::most_bytes;
pub use subtask::{group_of, narrowed};

/// The most inputs a pack holds.
pub const MAX_PACK: usize = 2000;

/// A way to make tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// The official examples.
    Samples,
    /// Inputs made by hand.
    Cases,
    /// Every small input: no wrong rule, base case or greedy choice that shows on few numbers gets past them.
    Exhaustive,
    /// Small sizes, few values: ties and near-ties, told apart wrongly.
    SmallRandom,
    /// One value for long, other ones at the ends: memo tables whose mark is a real value.
    Plateaus,
    /// Bounds and patterns: tables and types that are too small, loops that end one off.
    Edges,
    /// Largest sizes, few values: ties of many, deep recursion, searches that a few values mislead.
    MaxSmallValues,
    /// Largest sizes, any values: too much time, sums beyond a type.
    MaxRandom,
}

impl Family {
    /// As it stands in a test's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Cases => "cases",
            Self::Exhaustive => "exhaustive",
            Self::SmallRandom => "small_random",
            Self::Plateaus => "plateaus",
            Self::Edges => "edges",
            Self::MaxSmallValues => "max_small_values",
            Self::MaxRandom => "max_random",
        }
    }
}

impl Family {
    /// Whether people made its tests, which no selection drops.
    pub fn is_by_hand(self) -> bool {
        matches!(self, Self::Samples | Self::Cases)
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why an input can't be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GenerateError {
    /// A condition accepts too few of the inputs that are drawn.
    #[error(
        "the condition `{text}` accepted {accepted} of {draws} random inputs: give it a `repair`, \
         as in `repair = {{ change = \"FIELD\", by = 1 }}`"
    )]
    TooRare {
        /// The condition as it was written.
        text: String,
        /// How many inputs met it.
        accepted: u32,
        /// How many were drawn.
        draws: u32,
    },
    /// A condition has no value for some input.
    #[error("the condition `{text}` cannot be evaluated: {error}")]
    Condition {
        /// The condition as it was written.
        text: String,
        /// What went wrong.
        error: String,
    },
}
