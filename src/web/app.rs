//! What all pages share: the database, the problems as they are shown, the boards, the live events, and a clock from
//! outside. Never makes a page.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::contest::Schedule;
use crate::contest::config::Config;
use crate::lang::Language;
use crate::store::{AccountId, Reader, Settings, Store, StoreError};
use crate::web::boards::Boards;
use crate::web::catalogue::Catalogue;
use crate::web::frame::Visitor;
use crate::web::live::Hub;
use crate::web::rate::Rates;
use crate::web::reply::Failure;
use crate::worker::Grounds;

/// Gives the time, in unix milliseconds.
pub type Clock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// Where a submission that is being judged has come to: (test, of how many).
pub(crate) type Progress = (usize, usize);

/// A problem as pages show it.
pub struct ServedProblem {
    /// What it is judged on.
    pub grounds: Arc<Grounds>,
    /// In each language that it is in.
    pub statements: Vec<Statement>,
    /// (input, output) of each sample.
    pub samples: Vec<(String, String)>,
    /// (language id, code to begin with), where the problem is a function.
    pub starters: Vec<(String, String)>,
}

/// A problem's statement in one language.
pub struct Statement {
    /// The language's code.
    pub code: String,
    /// The problem's title in it.
    pub title: String,
    /// Safe markup.
    pub html: String,
}

impl ServedProblem {
    /// The statement in this language, else in English, else the first.
    pub(crate) fn statement(&self, code: &str) -> Option<&Statement> {
        let of = |code: &str| self.statements.iter().find(|statement| statement.code == code);
        of(code).or_else(|| of("en")).or_else(|| self.statements.first())
    }

    /// The title in this language.
    pub(crate) fn title(&self, code: &str) -> &str {
        self.statement(code).map_or(self.grounds.problem.slug.as_str(), |statement| &statement.title)
    }
}

/// The contest's configuration; before one was applied, that of a contest about which nothing was said.
pub(crate) fn config(settings: &Settings) -> &Config {
    static UNSAID: LazyLock<Config> = LazyLock::new(Config::default);
    settings.config.as_ref().unwrap_or(&UNSAID)
}

/// How whoever started the server for himself comes in without a password.
pub struct Entry {
    /// As whom.
    pub account: AccountId,
    /// The hash of the key in the address.
    pub key_hash: [u8; 32],
}

/// A problem in its place in the contest.
#[derive(Clone)]
pub(crate) struct Placed {
    pub(crate) label: String,
    pub(crate) color: Option<String>,
    pub(crate) problem: Arc<ServedProblem>,
}

/// What all pages share.
pub(crate) struct App {
    pub(crate) store: Arc<Store>,
    pub(crate) problems: Arc<Catalogue>,
    /// The languages that may be used, before the contest narrows them.
    pub(crate) languages: Vec<&'static Language>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) rates: Rates,
    pub(crate) boards: Boards,
    pub(crate) slots: usize,
    /// Where teams find the server, for what is printed.
    pub(crate) url: String,
    /// Whether that is a proxy's, which says whose a request is.
    pub(crate) is_behind_proxy: bool,
    /// The name of the cookie with the session's token.
    pub(crate) session_cookie: String,
    pub(crate) entry: Option<Entry>,
    pub(crate) clock: Clock,
    pub(crate) on_trouble: Box<dyn Fn(&str) + Send + Sync>,
    pub(crate) progress: Mutex<BTreeMap<i64, Progress>>,
}

#[cfg(test)]
impl App {
    /// Of a contest without problems, at the beginning of time.
    pub(crate) fn of_store(store: Store) -> Self {
        Self {
            store: Arc::new(store),
            problems: Arc::new(Catalogue::new(BTreeMap::new(), |_| Err(String::new()))),
            languages: Vec::new(),
            hub: Arc::default(),
            rates: Rates::default(),
            boards: Boards::default(),
            slots: 1,
            url: String::new(),
            is_behind_proxy: false,
            session_cookie: String::new(),
            entry: None,
            clock: Arc::new(|| 0),
            on_trouble: Box::new(|_| {}),
            progress: Mutex::default(),
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Missing(_) => Self::Hidden,
            StoreError::TooMany { .. } => Self::TooFast,
            StoreError::Full => Self::Full,
            StoreError::Disk(_)
            | StoreError::Damaged(_)
            | StoreError::File { .. }
            | StoreError::InUse { .. }
            | StoreError::Newer { .. }
            | StoreError::Foreign { .. } => Self::Trouble(error.to_string()),
            error => Self::Wrong(error.to_string()),
        }
    }
}

impl App {
    /// Now.
    pub(crate) fn now_ms(&self) -> i64 {
        (self.clock)()
    }

    /// The host of the address that people know, where it is not the one that requests name.
    pub(crate) fn public_host(&self) -> Option<&str> {
        self.url.split_once("://").map(|(_, host)| host).filter(|_| self.is_behind_proxy)
    }

    /// Says that something went wrong inside, to whoever runs the server.
    pub(crate) fn trouble(&self, text: &str) {
        (self.on_trouble)(text);
    }

    /// The contest's problems that staff have not taken out, in order.
    pub(crate) fn placed(&self, settings: &Settings) -> Vec<Placed> {
        self.all_placed(settings)
            .into_iter()
            .filter(|(_, enabled)| *enabled)
            .map(|(placed, _)| placed)
            .collect()
    }

    /// The contest's problems in order, and whether each is in.
    pub(crate) fn all_placed(&self, settings: &Settings) -> Vec<(Placed, bool)> {
        let placed = settings.problems.iter().filter_map(|setting| {
            let problem = self.problems.problem(&setting.slug)?;
            let color = Some(setting.color.clone()).filter(|color| !color.is_empty());
            Some((Placed { label: setting.label.clone(), color, problem }, setting.is_enabled))
        });
        placed.collect()
    }

    /// The languages of the contest.
    pub(crate) fn languages(&self, settings: &Settings) -> Vec<&'static Language> {
        let wanted = &config(settings).languages;
        let is_in = |language: &&'static Language| wanted.is_empty() || wanted.contains(&language.id);
        self.languages.iter().copied().filter(is_in).collect()
    }

    /// When this visitor's own run through the contest is, if he began one.
    pub(crate) fn virtual_schedule(
        &self,
        visitor: &Visitor,
        schedule: &Schedule,
    ) -> Result<Option<Schedule>, Failure> {
        let Some(account) = &visitor.account else { return Ok(None) };
        Ok(self.store.virtual_start(account.id)?.map(|start_ms| schedule.begun_at(start_ms)))
    }

    /// How many answers this visitor has not seen, or for staff how many questions wait.
    pub(crate) fn unread(&self, visitor: &Visitor) -> Result<u64, Failure> {
        let Some(account) = &visitor.account else { return Ok(0) };
        let reader = if visitor.is_staff() { Reader::Staff } else { Reader::Team(account.id) };
        Ok(self.store.unread(reader)?)
    }

    /// Where a submission that is being judged has come to.
    pub(crate) fn progress_of(&self, submission: i64) -> Option<Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).get(&submission).copied()
    }

    /// The names of all accounts.
    pub(crate) fn names(&self) -> Result<BTreeMap<AccountId, String>, Failure> {
        Ok(self.store.accounts()?.into_iter().map(|account| (account.id, account.name)).collect())
    }
}
