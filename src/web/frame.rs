//! What is around every page: who looks, in which language, where the contest is. Gathers values only.

use std::time::Duration;

use crate::contest::Phase;
use crate::store::{Account, Role, Settings};
use crate::web::app::{App, config};
use crate::web::reply::Failure;
use crate::web::request::{Request, THEME_COOKIE, TONGUE_COOKIE};
use crate::web::tongue::Tongue;
use crate::web::words::Words;
use crate::web::{password, route, time};

/// How long a session lasts after it was last used.
pub(crate) const SESSION: Duration = Duration::from_secs(14 * 24 * 3600);

/// Who asks, and how he wants things shown.
pub(crate) struct Visitor {
    pub(crate) account: Option<Account>,
    /// The hash of the session's token.
    pub(crate) session: Option<[u8; 32]>,
    pub(crate) tongue: Tongue,
    pub(crate) theme: &'static str,
    pub(crate) now_ms: i64,
}

impl Visitor {
    /// Finds out.
    pub(crate) fn of(app: &App, request: &Request, settings: &Settings) -> Result<Self, Failure> {
        let now_ms = app.now_ms();
        let chosen = request.cookie(TONGUE_COOKIE).and_then(Tongue::of_code);
        let of_contest = || config(settings).ui_language.as_deref().and_then(Tongue::of_code);
        let accepted = || request.header("accept-language").and_then(Tongue::accepted);
        let theme = match request.cookie(THEME_COOKIE) {
            Some("light") => "light",
            Some("dark") => "dark",
            _ => "auto",
        };
        let token = request.bearer().or_else(|| request.cookie(&app.session_cookie));
        let mut visitor = Self {
            account: None,
            session: None,
            tongue: chosen.or_else(of_contest).or_else(accepted).unwrap_or_default(),
            theme,
            now_ms,
        };
        if let Some(token) = token {
            let hash = password::token_hash(token);
            if let Some((session, account)) = app.store.session(&hash, now_ms)? {
                let lasts_ms = i64::try_from(SESSION.as_millis()).unwrap_or(i64::MAX);
                let until_ms = now_ms.saturating_add(lasts_ms);
                // Whoever only looks is not kept out by a disk that is full.
                if let Err(error) = app.store.touch_session(&hash, &session, now_ms, until_ms) {
                    app.trouble(&format!("cannot note that a session was used: {error}"));
                }
                visitor.session = Some(hash);
                visitor.account = Some(account);
            }
        }
        Ok(visitor)
    }

    /// As the table of routes sees him.
    pub(crate) fn who(&self) -> route::Who {
        match &self.account {
            None => route::Who::Anonymous,
            Some(account) if account.role == Role::Admin => route::Who::Staff,
            Some(_) => route::Who::Team,
        }
    }

    pub(crate) fn is_staff(&self) -> bool {
        self.who() == route::Who::Staff
    }

    pub(crate) fn words(&self) -> &'static Words {
        self.tongue.words()
    }

    /// The account of a route that needs one.
    pub(crate) fn account(&self) -> Result<&Account, Failure> {
        self.account.as_ref().ok_or(Failure::Hidden)
    }
}

/// The countdown.
pub(crate) struct Clock {
    pub(crate) word: &'static str,
    pub(crate) left: String,
    /// The instant at which the page changes.
    pub(crate) until_ms: Option<i64>,
}

/// A line above the page.
pub(crate) struct Note {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

/// Somebody who is logged in.
pub(crate) struct Someone {
    pub(crate) name: String,
    pub(crate) is_staff: bool,
}

/// The frame of a page, as templates see it.
pub(crate) struct Page {
    pub(crate) tongue: Tongue,
    pub(crate) theme: &'static str,
    pub(crate) contest: String,
    pub(crate) who: Option<Someone>,
    pub(crate) section: &'static str,
    pub(crate) path: String,
    pub(crate) stamp: &'static str,
    pub(crate) now_ms: i64,
    pub(crate) seq: i64,
    pub(crate) clock: Clock,
    pub(crate) unread: u64,
    pub(crate) public_board: bool,
    pub(crate) note: Option<Note>,
}

impl Page {
    /// The frame of `section` for `visitor`.
    pub(crate) fn of(
        app: &App,
        request: &Request,
        visitor: &Visitor,
        settings: &Settings,
        section: &'static str,
    ) -> Result<Self, Failure> {
        // Before anything else is read: what happens from here on makes the page look again.
        let seq = app.store.version();
        let words = visitor.words();
        let unread = app.unread(visitor)?;
        let note = match request.query("note") {
            Some("submitted") => Some(words.submitted),
            Some("asked") => Some(words.asked),
            Some("done") => Some(words.done),
            Some("read") => Some(words.was_read),
            _ => None,
        };
        Ok(Self {
            tongue: visitor.tongue,
            theme: visitor.theme,
            contest: config(settings).name(visitor.tongue.code()).to_owned(),
            who: visitor
                .account
                .as_ref()
                .map(|account| Someone { name: account.name.clone(), is_staff: account.role == Role::Admin }),
            section,
            path: request.path.clone(),
            stamp: super::assets::stamp(),
            now_ms: visitor.now_ms,
            seq,
            clock: clock(app, visitor, settings)?,
            unread,
            public_board: config(settings).public_board,
            note: note.map(|text| Note { kind: "good", text: text.to_owned() }),
        })
    }

    pub(crate) fn tongues(&self) -> &'static [Tongue] {
        &Tongue::ALL
    }

    /// The words that scripts need, as JSON.
    pub(crate) fn words(&self) -> String {
        let words = self.tongue.words();
        serde_json::json!({
            "copied": words.copied, "judged": words.judged, "clarification": words.clarification,
            "phase_changed": words.phase_changed, "replace": words.replace,
            "language_differs": words.language_differs,
        })
        .to_string()
    }

    /// Where staff can go.
    pub(crate) fn staff_sections(&self) -> [(&'static str, &'static str); 6] {
        let words = self.tongue.words();
        [
            ("/staff", words.dashboard),
            ("/staff/submissions", words.submissions),
            ("/staff/rejudges", words.rejudges),
            ("/staff/contest", words.contest),
            ("/staff/accounts", words.accounts),
            ("/staff/audit", words.audit),
        ]
    }
}

fn clock(app: &App, visitor: &Visitor, settings: &Settings) -> Result<Clock, Failure> {
    let (words, now_ms) = (visitor.words(), visitor.now_ms);
    let to = |word, until_ms: i64| Clock {
        word,
        left: time::left(until_ms.saturating_sub(now_ms)),
        until_ms: Some(until_ms),
    };
    let silent = |word| Clock { word, left: String::new(), until_ms: None };
    let Some(schedule) = settings.schedule else { return Ok(silent("")) };
    Ok(match schedule.phase(now_ms) {
        Phase::Before => to(words.begins_in, schedule.start_ms),
        Phase::Running | Phase::Frozen => to(words.ends_in, schedule.end_ms),
        Phase::Over | Phase::OverFrozen => match app.virtual_schedule(visitor, &schedule)? {
            Some(own) if own.contains(now_ms) => to(words.virtual_ends_in, own.end_ms),
            _ => silent(words.is_over),
        },
    })
}
