//! The contest in the browser. Parses requests and makes pages; never judges, and has no rule of a contest of its own.
//!
//! ```text
//!  browser ──▶ server (async: reads, streams) ──▶ pages (one thread a request: who, may he, what) ──▶ store
//!                 ▲                                                                                    │ rings
//!                 └────────────── hub ◀── herald (events → live pages) ◀──────────────────────────────┘
//!  worker: judge slots take jobs from the store and finish them there; what they are at goes to the hub as notices
//! ```
//!
//! | What holds | by |
//! |---|---|
//! | who may go where, when | one table: `route`; what is not in it is refused |
//! | nothing of others | `pages::submissions::visible`, and boards made for their viewer by `contest` |
//! | what is answered as taken is on disk | `store::submit` has committed before the answer is made |
//! | forms of other sites do nothing | `request::is_from_here`; the cookie is `SameSite` besides |
//! | text never becomes markup | templates escape; the policy in `reply` forbids what is inline |

mod app;
mod assets;
mod boards;
mod catalogue;
mod frame;
mod herald;
mod live;
mod pages;
mod password;
mod rate;
mod reply;
mod request;
mod route;
mod server;
mod state;
mod time;
mod tongue;
mod words;

use std::io;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, mpsc};
use std::thread;

pub use app::{Clock, Entry, ServedProblem, Statement};
pub use catalogue::Catalogue;
pub use password::hash as password_hash;
pub use password::{NoRandomness, Token, random};

use crate::lang::Language;
use crate::store::Store;
use crate::worker::{OnNotice, Slots};
use app::App;

/// What is served.
pub struct Served {
    /// The contest's database.
    pub store: Arc<Store>,
    /// Every problem of the contest.
    pub problems: Arc<Catalogue>,
    /// The languages that this machine can judge.
    pub languages: Vec<&'static Language>,
    /// Where teams find the server, for what is printed.
    pub url: String,
    /// Whether that is another server's address, which hands requests on and says in `X-Forwarded-For` whose they are.
    pub is_behind_proxy: bool,
    /// The way in without a password, where somebody serves for himself.
    pub entry: Option<Entry>,
    /// The time.
    pub clock: Clock,
    /// How many judge slots there are.
    pub slots: usize,
    /// Hears of what goes wrong inside.
    pub on_trouble: Box<dyn Fn(&str) + Send + Sync>,
}

/// Serves on `listener` until `is_stopped` says so. `start_slots` starts the judge slots, which tell what they are at by
/// the function that they are given; they are stopped last.
///
/// # Errors
/// When the system refuses what a server needs.
pub fn serve(
    served: Served,
    listener: TcpListener,
    start_slots: impl FnOnce(Arc<OnNotice>) -> io::Result<Slots>,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> io::Result<()> {
    let Served { store, problems, languages, url, is_behind_proxy, entry, clock, slots, on_trouble } = served;
    let session_cookie = request::session_cookie(listener.local_addr()?.port());
    let app = Arc::new(App {
        store: Arc::clone(&store),
        problems,
        languages,
        hub: Arc::default(),
        rates: rate::Rates::default(),
        boards: boards::Boards::default(),
        slots,
        url,
        is_behind_proxy,
        session_cookie,
        entry,
        clock,
        on_trouble,
        progress: Mutex::default(),
    });
    let (ring, bell) = mpsc::channel();
    store.listen(move |_| {
        // That the herald has gone is the end of the server.
        let _ = ring.send(());
    });
    let of_slots = Arc::clone(&app);
    let slots = start_slots(Arc::new(move |notice| herald::notice(&of_slots, &notice)))?;
    let done = thread::scope(|scope| {
        let herald = Arc::clone(&app);
        scope.spawn(move || herald::run(&herald, &bell, is_stopped));
        server::run(&app, listener, is_stopped)
    });
    slots.stop();
    done
}
