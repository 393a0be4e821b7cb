//! Tells live pages what the database says has happened. Reads events in their order; never decides who may see the
//! thing itself: a page that hears of something asks for it, and is answered as anybody.

use std::sync::{Arc, PoisonError, mpsc};
use std::time::Duration;

use crate::contest::View;
use crate::store::{Event, EventKind, SubmissionId};
use crate::verdict::Verdict;
use crate::web::app::App;
use crate::web::live::{Audience, Happening};
use crate::web::reply::Failure;
use crate::worker::Notice;

/// Events read at once.
const BATCH: u32 = 500;
/// How often the phase of the contest is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// Lets the store ring `bell` on every change, and tells until the bell's other end is dropped.
pub(crate) fn run(app: &Arc<App>, bell: &mpsc::Receiver<()>, is_stopped: &(dyn Fn() -> bool + Sync)) {
    let seq = app.store.version();
    let mut herald = Herald { app, seq, board_version: seq, phase: None, board_tag: String::new() };
    herald.phase = herald.now_phase();
    while !is_stopped() {
        match bell.recv_timeout(LOOK) {
            Ok(()) | Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => return,
        }
        // Several rings are one look.
        while bell.try_recv().is_ok() {}
        if let Err(Failure::Trouble(text)) = herald.look() {
            app.trouble(&text);
        }
    }
}

struct Herald<'a> {
    app: &'a Arc<App>,
    /// The last event that was told.
    seq: i64,
    phase: Option<crate::contest::Phase>,
    /// What the store said when the board was made that was told of last. An event can be read before the store says its
    /// number, so this is not [`Self::seq`].
    board_version: i64,
    /// Of the board that everybody saw last.
    board_tag: String,
}

impl Herald<'_> {
    fn now_phase(&self) -> Option<crate::contest::Phase> {
        self.app.store.settings().schedule.map(|schedule| schedule.phase(self.app.now_ms()))
    }

    fn look(&mut self) -> Result<(), Failure> {
        let phase = self.now_phase();
        let is_other_phase = phase != self.phase;
        if is_other_phase {
            self.phase = phase;
            self.tell(Audience::Everybody, Happening { kind: "contest", ..Happening::default() });
        }
        loop {
            let events = self.app.store.events_after(self.seq, BATCH)?;
            if events.is_empty() {
                break;
            }
            for event in events {
                self.seq = event.seq;
                self.announce(&event)?;
            }
        }
        let version = self.app.store.version();
        if is_other_phase || version != self.board_version {
            self.announce_board()?;
            self.board_version = version;
        }
        Ok(())
    }

    fn announce(&self, event: &Event) -> Result<(), Failure> {
        let account = event.account.map(|account| account.0);
        let to_team = || account.map_or(Audience::Staff, Audience::Team);
        let of = |kind| Happening { kind, submission: event.subject, ..Happening::default() };
        match event.kind {
            EventKind::Submitted => self.tell(to_team(), of("submitted")),
            EventKind::Judged | EventKind::Rejudged => {
                if let Some(id) = event.subject {
                    self.app.progress.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
                    let text = self.verdict_text(id)?;
                    // A fault of the judge's is no news for a team; that it is judged again will be.
                    let audience = if text.is_some() { to_team() } else { Audience::Staff };
                    self.tell(audience, Happening { text: text.unwrap_or_default(), ..of("judged") });
                }
            }
            EventKind::Smallest => self.tell(to_team(), Happening { quiet: true, ..of("queue") }),
            EventKind::Quarantined | EventKind::Rejudge | EventKind::Asked => {
                self.tell(Audience::Staff, of("queue"));
            }
            EventKind::Settings | EventKind::Problem => {
                self.tell(Audience::Everybody, of("contest"));
            }
            EventKind::Account => self.app.hub.accounts_changed(self.seq, self.app.now_ms()),
            EventKind::Answered => {
                let audience = account.map_or(Audience::Everybody, Audience::Team);
                self.tell(audience, Happening { kind: "clarification", ..Happening::default() });
            }
            EventKind::VirtualStarted => self.tell(to_team(), of("contest")),
        }
        Ok(())
    }

    /// As in `A: WA`; `None` for a failure of the judge's.
    fn verdict_text(&self, id: i64) -> Result<Option<String>, Failure> {
        let submission = self.app.store.submission(SubmissionId(id))?;
        let Some(judging) = submission.judging.filter(|judging| judging.verdict != Verdict::Je) else {
            return Ok(None);
        };
        let settings = self.app.store.settings();
        let placed = self.app.placed(&settings);
        let label = placed
            .iter()
            .find(|place| place.problem.grounds.problem.slug == submission.slug)
            .map_or("–", |place| place.label.as_str());
        Ok(Some(format!("{label}: {}", judging.verdict.short())))
    }

    /// Only when what everybody sees has changed: that a board behind the freeze changes is nobody's business.
    fn announce_board(&mut self) -> Result<(), Failure> {
        let app = self.app;
        let tongue = crate::web::tongue::Tongue::En;
        let table = app.boards.table(app, View::Public, tongue, app.now_ms())?;
        let is_changed = table.tag != self.board_tag;
        if is_changed {
            table.tag.clone_into(&mut self.board_tag);
        }
        let audience = if is_changed { Audience::Everybody } else { Audience::Staff };
        self.tell(audience, Happening { kind: "board", ..Happening::default() });
        Ok(())
    }

    fn tell(&self, audience: Audience, happening: Happening) {
        self.app.hub.tell(audience, &happening, self.seq, self.app.now_ms());
    }
}

/// Tells what judge slots say while they judge.
pub(crate) fn notice(app: &App, notice: &Notice) {
    match notice {
        Notice::Progress { submission, account, done, tests } => {
            let mut progress = app.progress.lock().unwrap_or_else(PoisonError::into_inner);
            progress.insert(submission.0, (*done, *tests));
            drop(progress);
            let happening = Happening {
                kind: "progress",
                submission: Some(submission.0),
                test: Some(*done),
                tests: Some(*tests),
                ..Happening::default()
            };
            app.hub.tell(Audience::Team(account.0), &happening, app.store.version(), app.now_ms());
        }
        // The database says so too, by an event, which is not lost.
        Notice::Judged { .. } => {}
        Notice::Queue => {
            let happening = Happening { kind: "queue", ..Happening::default() };
            app.hub.tell(Audience::Staff, &happening, app.store.version(), app.now_ms());
        }
        Notice::Trouble(text) => app.trouble(text),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::Instant;

    use tokio::sync::broadcast::error::TryRecvError;

    use super::*;
    use crate::store::{By, NewAccount, Role, Store};

    /// However close together things happen, whoever looks at the board whenever he is told to has the last one in the end.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test gives up in the end")]
    fn the_last_board_is_always_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let app = Arc::new(App::of_store(Store::open(&folder.path().join("contest.db"), 0).unwrap()));
        let (ring, bell) = mpsc::channel();
        app.store.listen(move |_| {
            let _ = ring.send(());
        });
        let (_seat, mut told) = app.hub.listen(1).unwrap();
        let tag =
            || app.boards.table(&app, View::Public, crate::web::tongue::Tongue::En, 0).unwrap().tag.clone();
        let is_over = AtomicBool::new(false);
        let mut known = String::new();
        thread::scope(|scope| {
            let (app, is_over) = (&app, &is_over);
            scope.spawn(move || run(app, &bell, &|| is_over.load(Ordering::Relaxed)));
            for round in 0..30 {
                thread::scope(|writers| {
                    for writer in ["a", "b"] {
                        let login = format!("{writer}{round}");
                        writers.spawn(move || {
                            let name = login.clone();
                            let account =
                                NewAccount { login, name, role: Role::Team, password_hash: String::new() };
                            app.store.create_accounts(&[account], By::server(0)).unwrap();
                        });
                    }
                });
                let (last, begun) = (tag(), Instant::now());
                while known != last && begun.elapsed() < Duration::from_secs(5) {
                    match told.try_recv() {
                        Ok(sent) if sent.text.contains("\"board\"") => known = tag(),
                        Ok(_) => {}
                        Err(TryRecvError::Lagged(_)) => known = tag(),
                        Err(_) => thread::sleep(Duration::from_millis(1)),
                    }
                }
                if known != last {
                    break;
                }
            }
            is_over.store(true, Ordering::Relaxed);
        });
        assert_eq!(known, tag());
    }
}
