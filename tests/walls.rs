//! Every choice of walls, for tests to run behind: what holds behind one has to hold behind all. Never lets a choice that
//! this machine lacks pass in silence.

use std::path::PathBuf;
use std::sync::OnceLock;

use touchstone::sandbox::{Accounting, Choice, Config, Sandbox, SandboxError};

use crate::toolchain::{lacks, must, skipped};

/// A choice of walls, as `--isolation` takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walls {
    Strict,
    Default,
    Plain,
}

/// Makes of each function that takes walls a test for each choice, as in `grade::the_report_reads_well::strict`.
macro_rules! behind_all_walls {
    ($($test:ident),* $(,)?) => {
        $(crate::walls::behind!($test: strict Strict, default Default, plain Plain);)*
    };
}
pub(crate) use behind_all_walls;

/// The same for what only spaces of their own promise.
macro_rules! behind_spaces {
    ($($test:ident),* $(,)?) => {
        $(crate::walls::behind!($test: strict Strict, default Default);)*
    };
}
pub(crate) use behind_spaces;

macro_rules! behind {
    ($test:ident: $($name:ident $walls:ident),*) => {
        mod $test {
            $(
                #[test]
                fn $name() {
                    crate::walls::Walls::$walls.test(super::$test);
                }
            )*
        }
    };
}
pub(crate) use behind;

/// A means of counting, and what `--accounting` calls it.
pub(crate) type Means = (Accounting, &'static str);

const MEANS: [Means; 3] =
    [(Accounting::Rlimit, "rlimit"), (Accounting::Cgroup1, "cgroup1"), (Accounting::Cgroup2, "cgroup2")];

impl Walls {
    pub(crate) const ALL: [Self; 3] = [Self::Strict, Self::Default, Self::Plain];

    /// What `--isolation` takes.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Default => "default",
            Self::Plain => "plain",
        }
    }

    fn choice(self) -> Choice {
        match self {
            Self::Strict => Choice::Strict,
            Self::Default => Choice::Default,
            Self::Plain => Choice::Plain,
        }
    }

    /// Whether programs are to be in spaces of their own.
    pub(crate) fn has_spaces(self) -> bool {
        self != Self::Plain
    }

    /// Runs the test behind these walls. Where the machine lacks them it says so once and does nothing, unless
    /// `TOUCHSTONE_REQUIRE=all`; plain ones no machine lacks.
    pub(crate) fn test(self, test: fn(Self)) {
        static LACKS: [OnceLock<Option<String>>; 3] = [const { OnceLock::new() }; 3];
        let mut is_first = false;
        let lack = LACKS[self as usize].get_or_init(|| {
            is_first = true;
            match self.start(Accounting::Auto) {
                Ok(sandbox) => {
                    let spaces = sandbox.isolation().namespaces;
                    assert_eq!(spaces, self.has_spaces(), "what was started has {self:?} walls");
                    None
                }
                Err(error) if self == Self::Plain => panic!("the plain sandbox does not start: {error}"),
                Err(error) => Some(error.to_string()),
            }
        });
        match lack {
            None => test(self),
            Some(lack) if is_first || must() => lacks(&format!("{} isolation", self.flag()), lack),
            Some(_) => {}
        }
    }

    fn start(self, accounting: Accounting) -> Result<Sandbox, SandboxError> {
        let launcher = PathBuf::from(env!("CARGO_BIN_EXE_touchstone"));
        Sandbox::start(&Config { launcher, isolation: self.choice(), accounting, hidden: Vec::new() })
    }

    /// A sandbox with these walls that hides these folders.
    pub(crate) fn hiding(self, hidden: Vec<PathBuf>) -> Result<Sandbox, SandboxError> {
        let launcher = PathBuf::from(env!("CARGO_BIN_EXE_touchstone"));
        Sandbox::start(&Config { launcher, isolation: self.choice(), accounting: Accounting::Auto, hidden })
    }

    /// A sandbox with these walls.
    pub(crate) fn sandbox(self) -> Sandbox {
        self.start(Accounting::Auto).expect("a test behind these walls is only run where there are any")
    }

    /// A sandbox with these walls and the means of counting that `--accounting` calls so.
    pub(crate) fn counted_by(self, name: &str) -> Sandbox {
        let means = MEANS.into_iter().find(|means| means.1 == name).expect("it is one of them");
        self.start(means.0).expect("it started before")
    }

    /// A sandbox with these walls for each means of counting that this machine gives. No machine gives both versions of
    /// control groups, so a lack is said, once, and is never a failure.
    pub(crate) fn sandboxes(self) -> Vec<Sandbox> {
        self.means()
            .into_iter()
            .map(|(accounting, _)| self.start(accounting).expect("it started before"))
            .collect()
    }

    /// The means of counting that this machine gives behind these walls; resource limits it always does.
    pub(crate) fn means(self) -> Vec<Means> {
        static GIVEN: [OnceLock<Vec<Means>>; 3] = [const { OnceLock::new() }; 3];
        let given = |means: &Means| match self.start(means.0) {
            Ok(_) => true,
            Err(error) if means.0 == Accounting::Rlimit => panic!("behind {} walls: {error}", self.flag()),
            Err(error) => {
                skipped(&format!("{} accounting behind {} walls: {error}", means.1, self.flag()));
                false
            }
        };
        let means = GIVEN[self as usize].get_or_init(|| MEANS.into_iter().filter(given).collect()).clone();
        // Where a machine is made for the sake of one means, as in `.ci/emulated`.
        if let Some(required) = std::env::var_os("TOUCHSTONE_REQUIRE_ACCOUNTING") {
            assert!(
                means.iter().any(|(_, name)| *name == required),
                "no {required:?} behind {} walls",
                self.flag()
            );
        }
        means
    }
}
