//! What happens, told at once to every page that may know. Forgets what nobody listens to: a page that was away asks for
//! everything again. Never knows how a thing is shown.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use tokio::sync::broadcast;

/// Who may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Everybody who is logged in.
    Everybody,
    /// A team and the staff.
    Team(i64),
    /// The staff.
    Staff,
}

/// Who listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Listener {
    pub(crate) account: i64,
    pub(crate) is_staff: bool,
    /// The hash of the session's token: a session that ends takes its streams with it.
    pub(crate) session: [u8; 32],
}

impl Audience {
    pub(crate) fn includes(self, listener: Listener) -> bool {
        match self {
            Self::Everybody => true,
            Self::Team(team) => listener.is_staff || listener.account == team,
            Self::Staff => listener.is_staff,
        }
    }
}

/// What happened.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Happening {
    pub(crate) kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) submission: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) test: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tests: Option<usize>,
    /// What is said of it beside the words of the page, as in `A: AC`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) text: String,
    /// Not worth a word to those who did not do it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) quiet: bool,
}

/// A happening as it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) audience: Audience,
    /// JSON.
    pub(crate) text: Arc<str>,
    /// Somebody may have been shut out: whoever listens is looked at again.
    pub(crate) ends_sessions: bool,
}

/// Happenings that a slow page may be behind; more, and it is told to ask for everything.
const BACKLOG: usize = 1024;
/// Streams of one account at once. A browser needs one.
const MAX_STREAMS_OF_ONE: usize = 12;
/// Streams at once over all.
const MAX_STREAMS: usize = 5000;

/// Where happenings are told.
pub(crate) struct Hub {
    sender: broadcast::Sender<Sent>,
    streams: Mutex<HashMap<i64, usize>>,
}

/// A place among the streams; free again when dropped.
pub(crate) struct Seat {
    hub: Arc<Hub>,
    account: i64,
}

impl Default for Hub {
    fn default() -> Self {
        Self { sender: broadcast::channel(BACKLOG).0, streams: Mutex::default() }
    }
}

impl Hub {
    /// How many listen.
    pub(crate) fn streams(&self) -> usize {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }

    /// Tells it; `seq` is the number of the newest event that it says something of.
    pub(crate) fn tell(&self, audience: Audience, happening: &Happening, seq: i64, now_ms: i64) {
        // That nobody listens is no error.
        let text = with_number(happening, seq, now_ms);
        let _ = self.sender.send(Sent { audience, text, ends_sessions: false });
    }

    /// Tells the staff that accounts have changed, and has every listener's session looked at.
    pub(crate) fn accounts_changed(&self, seq: i64, now_ms: i64) {
        let text = with_number(&Happening { kind: "queue", ..Happening::default() }, seq, now_ms);
        let _ = self.sender.send(Sent { audience: Audience::Staff, text, ends_sessions: true });
    }

    /// A seat and what is told from now on; `None` when there are too many already.
    pub(crate) fn listen(self: &Arc<Self>, account: i64) -> Option<(Seat, broadcast::Receiver<Sent>)> {
        let mut streams = self.streams.lock().unwrap_or_else(PoisonError::into_inner);
        if streams.values().sum::<usize>() >= MAX_STREAMS {
            return None;
        }
        let own = streams.entry(account).or_insert(0);
        if *own >= MAX_STREAMS_OF_ONE {
            return None;
        }
        *own += 1;
        Some((Seat { hub: Arc::clone(self), account }, self.sender.subscribe()))
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut streams = self.hub.streams.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = streams.get_mut(&self.account) {
            *own -= 1;
            if *own == 0 {
                streams.remove(&self.account);
            }
        }
    }
}

/// What a stream begins with: the number of the newest event, by which a page knows whether it missed something.
pub(crate) fn hello(seq: i64, now_ms: i64) -> Arc<str> {
    with_number(&Happening { kind: "hello", ..Happening::default() }, seq, now_ms)
}

fn with_number(happening: &Happening, seq: i64, now_ms: i64) -> Arc<str> {
    let mut value = serde_json::to_value(happening).unwrap_or_default();
    if let Some(map) = value.as_object_mut() {
        map.insert("seq".to_owned(), seq.into());
        map.insert("now".to_owned(), now_ms.into());
    }
    value.to_string().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_hears_what_is_for_him() {
        let team = |account| Listener { account, is_staff: false, session: [0; 32] };
        let staff = Listener { account: 1, is_staff: true, session: [0; 32] };
        assert!(Audience::Team(7).includes(team(7)) && !Audience::Team(7).includes(team(8)));
        assert!(Audience::Team(7).includes(staff) && Audience::Staff.includes(staff));
        assert!(!Audience::Staff.includes(team(7)) && Audience::Everybody.includes(team(7)));
    }

    #[test]
    fn seats_are_counted_and_given_back() {
        let hub = Arc::new(Hub::default());
        let seats: Vec<_> = (0..MAX_STREAMS_OF_ONE).map(|_| hub.listen(3).unwrap()).collect();
        assert!(hub.listen(3).is_none() && hub.listen(4).is_some());
        assert_eq!(hub.streams(), MAX_STREAMS_OF_ONE);
        drop(seats);
        assert_eq!(hub.streams(), 0);
        let (_seat, mut receiver) = hub.listen(3).unwrap();
        hub.tell(Audience::Everybody, &Happening { kind: "board", ..Happening::default() }, 6, 9);
        assert_eq!(receiver.try_recv().unwrap().text.as_ref(), r#"{"kind":"board","now":9,"seq":6}"#);
    }
}
