//! Tests on disk: what the program writes under `generated/`, and loose folders of `N.in` with `N.ans`. Knows where
//! things lie in a workspace; never runs a submission and never decides what a test contains (that is `generate`).

mod build;
mod compare;
mod expectation;
pub mod inspect;
pub mod layout;
mod loose;
mod loose_groups;
mod maker;
mod manifest;
mod order;
mod programs;
mod read;
mod selection;
mod shipped;
mod workspace;
mod write;

use std::ops::Range;
use std::path::PathBuf;

pub use compare::{Difference, verify_against_manifest};
pub use expectation::Expectation;
pub use loose::{LooseFault, loose};
pub use loose_groups::group_loose;
pub use maker::MakerError;
pub(crate) use maker::Ready;
pub use manifest::{Entry, FORMAT, Manifest, ManifestError, Source, sha256};
pub use order::natural;
pub(crate) use read::text_of_regular;
pub use read::{OpenError, open, read_manifest};
pub use selection::selection_text;
pub use shipped::{Unpacked, unpack};
pub use workspace::{KeptSolution, LoadError, Workspace, WorkspaceError};
pub(crate) use write::makers;
pub use write::{Options, PackageError, Progress, ensure, generate, is_current, manifest_of};

/// Tests that can be graded on, in package order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The problem's slug; `None` for a loose folder.
    pub problem: Option<String>,
    /// The tests, in the order in which they are run and reported.
    pub tests: Vec<PackagedTest>,
    /// What the user should know though nothing is wrong, as in a sub-folder that was passed over. One sentence each.
    pub notes: Vec<String>,
}

/// One test: a single input with its answer, or a pack of many small ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackagedTest {
    /// As in `edges/n=max/all_min`; for loose files the stem.
    pub name: String,
    /// How it was made; empty for loose files.
    pub family: String,
    /// The subtask it belongs to.
    pub group: Option<String>,
    /// The file that holds the input, or the inputs of a pack one after another.
    pub input: PathBuf,
    /// The file that holds the answers in the same way.
    pub answer: PathBuf,
    /// Where in the files each input and its answer lie; exactly one unless `pack`.
    pub members: Vec<Member>,
    /// Whether the test is a pack, even if of one member.
    pub pack: bool,
}

/// One input of a test, with its answer, as byte ranges of the test's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Bytes of the input file.
    pub input: Range<u64>,
    /// Bytes of the answer file.
    pub answer: Range<u64>,
}
