//! Small programs that misbehave on purpose, one for each promise of the sandbox: `touchstone __hostile NAME ARGS`.
//! `doctor` and the tests run them inside; nobody else does, and none does harm outside.
//!
//! A widget that tries what must not be possible says `stopped: …` and exits 0, or says `through: …` and exits 3. One
//! that uses too much of something just does so, until it is stopped.

mod greed;
mod guile;
mod hoard;
mod reach;
mod trace;

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use nix::errno::Errno;

/// What a widget came to: it got through, or what stopped it.
enum Attempt {
    Through(String),
    Stopped(String),
}

use Attempt::{Stopped, Through};

/// A misbehaviour.
struct Widget {
    name: &'static str,
    run: fn(&[String]) -> Attempt,
}

/// Exit status of a widget that got through.
const THROUGH: u8 = 3;

const WIDGETS: &[Widget] = &[
    Widget { name: "read", run: reach::read },
    Widget { name: "write", run: reach::write },
    Widget { name: "link", run: reach::link },
    Widget { name: "environ", run: reach::environ },
    Widget { name: "signal", run: reach::signal },
    Widget { name: "ptrace", run: reach::ptrace },
    Widget { name: "network", run: reach::network },
    Widget { name: "spaces", run: reach::spaces },
    Widget { name: "mount", run: reach::mount },
    Widget { name: "calls", run: reach::calls },
    Widget { name: "watch", run: reach::watch },
    Widget { name: "disk", run: reach::disk },
    Widget { name: "descriptors", run: reach::descriptors },
    Widget { name: "privileges", run: reach::privileges },
    Widget { name: "ipc", run: trace::ipc },
    Widget { name: "foreign", run: reach::foreign },
    Widget { name: "kill-all", run: reach::kill_all },
    Widget { name: "bomb", run: greed::bomb },
    Widget { name: "bomb-sessions", run: greed::bomb_sessions },
    Widget { name: "daemon", run: greed::daemon },
    Widget { name: "orphan-cpu", run: greed::orphan_cpu },
    Widget { name: "ignored-cpu", run: greed::ignored_cpu },
    Widget { name: "threads-cpu", run: greed::threads_cpu },
    Widget { name: "stop", run: greed::stop },
    Widget { name: "sleep", run: greed::sleep },
    Widget { name: "spin", run: greed::spin },
    Widget { name: "work", run: greed::work },
    Widget { name: "memory", run: greed::memory },
    Widget { name: "reserve", run: greed::reserve },
    Widget { name: "children-memory", run: greed::children_memory },
    Widget { name: "files-memory", run: greed::files_memory },
    Widget { name: "stack", run: greed::stack },
    Widget { name: "big-file", run: greed::big_file },
    Widget { name: "fill-disk", run: greed::fill_disk },
    Widget { name: "many-files", run: greed::many_files },
    Widget { name: "deep-folders", run: greed::deep_folders },
    Widget { name: "flood", run: greed::flood },
    Widget { name: "abort", run: greed::abort },
    Widget { name: "deaf", run: guile::deaf },
    Widget { name: "parent", run: guile::parent },
    Widget { name: "timer-storm", run: guile::timer_storm },
    Widget { name: "fault-loop", run: guile::fault_loop },
    Widget { name: "limits", run: guile::limits },
    Widget { name: "others", run: guile::others },
    Widget { name: "modes", run: guile::modes },
    Widget { name: "locks", run: guile::locks },
    Widget { name: "core", run: guile::core },
    Widget { name: "scheduling", run: guile::scheduling },
    Widget { name: "child-memory", run: hoard::child_memory },
    Widget { name: "page-tables", run: hoard::page_tables },
    Widget { name: "huge-pages", run: hoard::huge_pages },
    Widget { name: "pipes", run: hoard::pipes },
    Widget { name: "sockets", run: hoard::sockets },
    Widget { name: "notes", run: hoard::notes },
    Widget { name: "session", run: guile::session },
    Widget { name: "drip", run: guile::drip },
    Widget { name: "sparse", run: hoard::sparse },
    Widget { name: "tmp-memory", run: hoard::tmp_memory },
    Widget { name: "odd-files", run: hoard::odd_files },
    Widget { name: "swap", run: hoard::swap },
    Widget { name: "devices", run: guile::devices },
    Widget { name: "own-binary", run: guile::own_binary },
    Widget { name: "own-input", run: guile::own_input },
    Widget { name: "terminal", run: guile::terminal },
    Widget { name: "services", run: guile::services },
    Widget { name: "set-user", run: guile::set_user },
    Widget { name: "fresh-code", run: guile::fresh_code },
    Widget { name: "fresh-program", run: guile::fresh_program },
    Widget { name: "short-pointers", run: guile::short_pointers },
    Widget { name: "groups", run: guile::groups },
    Widget { name: "leave", run: trace::leave },
    Widget { name: "found", run: trace::found },
    Widget { name: "keep", run: trace::keep },
    Widget { name: "count", run: reach::count },
];

/// Runs the widget that `args` name.
pub fn main(args: &[OsString]) -> ExitCode {
    let args: Vec<String> = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let Some(widget) = WIDGETS.iter().find(|widget| Some(widget.name) == args.first().map(String::as_str))
    else {
        return ExitCode::from(2);
    };
    let (text, status) = match (widget.run)(&args[1..]) {
        Stopped(why) => (format!("stopped: {why}\n"), 0),
        Through(how) => (format!("through: {how}\n"), THROUGH),
    };
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::from(status)
}

/// The result of a system call that should fail.
fn refused(what: &str, result: libc::c_long) -> Attempt {
    if result < 0 { Stopped(format!("{what}: {}", Errno::last().desc())) } else { Through(what.to_owned()) }
}

/// The first that got through, or the last that was stopped.
fn all(attempts: impl IntoIterator<Item = Attempt>) -> Attempt {
    let mut last = Stopped("there was nothing to try".to_owned());
    for attempt in attempts {
        match attempt {
            Through(how) => return Through(how),
            Stopped(why) => last = Stopped(why),
        }
    }
    last
}
