//! A control group of the judge's own where systemd governs them all: an ordinary user's processes may not make groups
//! where a session put them, but the user's own systemd moves a process, when asked, into a scope whose groups are the
//! process's to make (`Delegate=`). So the judge asks, once. Fails softly: without such a scope it counts by other means.
//!
//! What `systemd-run --user --scope -p Delegate=yes` does, without starting another program: it takes a few milliseconds
//! where it helps, and a fraction of one where nobody is there to be asked.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use super::bus::{Body, Bus, BusError, Call};
use super::clock::{MS, now_ns};

/// How long the answer may take, and the move that follows it. Both take a few milliseconds.
const PATIENCE_MS: u64 = 1_000;
/// Between two looks at whether the move has happened.
const LOOK: Duration = Duration::from_micros(500);

/// What came of asking, for `doctor`; `None` where there was no need to ask.
static SAID: OnceLock<String> = OnceLock::new();

/// What came of asking systemd for a scope; `None` where nobody asked.
pub(super) fn said() -> Option<String> {
    SAID.get().cloned()
}

/// Has the judge moved into a scope of its own; whether that happened. To be asked once in a process's life.
pub(super) fn enter() -> bool {
    let user = nix::unistd::geteuid();
    // Root makes its groups itself.
    if user.is_root() || !Path::new("/run/systemd/system").exists() {
        return false;
    }
    let folder = PathBuf::from(format!("/run/user/{user}"));
    let pid = std::process::id();
    let unit = format!("touchstone-{pid}.scope");
    let moved = ask_in(&folder, user.as_raw(), &unit, pid).and_then(|()| await_move(&unit));
    let said = match &moved {
        Ok(()) => format!("moved into a scope of its own, `{unit}`, by the user's systemd"),
        Err(why) => format!("asked the user's systemd for a scope of its own, in vain: {why}"),
    };
    SAID.get_or_init(|| said);
    moved.is_ok()
}

/// Asks where a user's systemd listens: at a socket of its own, else on the bus of the user's session.
fn ask_in(folder: &Path, user: u32, unit: &str, pid: u32) -> Result<(), String> {
    let mut unheard = None;
    for (name, is_shared) in [("systemd/private", false), ("bus", true)] {
        let socket = folder.join(name);
        match ask(&socket, is_shared, user, unit, pid) {
            Ok(()) => return Ok(()),
            Err(BusError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error @ (BusError::Io(_) | BusError::Senseless)) => {
                unheard.get_or_insert(format!("`{}`: {error}", socket.display()));
            }
            Err(BusError::Refused(why)) => return Err(why),
        }
    }
    Err(unheard.unwrap_or_else(|| format!("it does not run, for nothing listens in `{}`", folder.display())))
}

/// Asks at one socket, which others may share.
fn ask(socket: &Path, is_shared: bool, user: u32, unit: &str, pid: u32) -> Result<(), BusError> {
    let mut bus = Bus::connect(socket, user, PATIENCE_MS)?;
    if is_shared {
        bus.call(&Call {
            destination: "org.freedesktop.DBus",
            path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus",
            member: "Hello",
            signature: "",
            body: Body::default(),
        })?;
    }
    bus.call(&Call {
        destination: "org.freedesktop.systemd1",
        path: "/org/freedesktop/systemd1",
        interface: "org.freedesktop.systemd1.Manager",
        member: "StartTransientUnit",
        signature: "ssa(sv)a(sa(sv))",
        body: transient(unit, pid),
    })
}

/// The scope that is wanted: of this process, whose groups are its own, and of which nothing stays.
fn transient(unit: &str, pid: u32) -> Body {
    let mut body = Body::default();
    body.text(unit);
    body.text("fail");
    body.array(8, |properties| {
        for (name, text) in
            [("Description", "Touchstone, which runs programs"), ("CollectMode", "inactive-or-failed")]
        {
            properties.align(8);
            properties.text(name);
            properties.signature("s");
            properties.text(text);
        }
        properties.align(8);
        properties.text("Delegate");
        properties.signature("b");
        properties.number(1);
        properties.align(8);
        properties.text("PIDs");
        properties.signature("au");
        properties.array(4, |pids| pids.number(pid));
    });
    // No units besides.
    body.array(8, |_| {});
    body
}

/// The answer comes before the move.
fn await_move(unit: &str) -> Result<(), String> {
    let until_ns = now_ns() + PATIENCE_MS * MS;
    loop {
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let is_there = |line: &str| line.strip_prefix("0::").is_some_and(|path| path.ends_with(unit));
        if own.lines().any(is_there) {
            return Ok(());
        }
        if now_ns() > until_ns {
            return Err(format!("it promised `{unit}` and did not move this process there"));
        }
        std::thread::sleep(LOOK);
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::os::unix::net::UnixListener;
    use std::thread;

    use super::*;

    /// Somebody who listens where a user's systemd would: takes one connection, whose calls it answers with these bytes,
    /// one after another, and gives what it was told.
    fn listening(socket: &Path, answers: Vec<Vec<u8>>) -> thread::JoinHandle<Vec<u8>> {
        fs::create_dir_all(socket.parent().unwrap()).unwrap();
        let listener = UnixListener::bind(socket).unwrap();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut told = Vec::new();
            let mut hear = |stream: &mut std::os::unix::net::UnixStream, end: &[u8]| {
                let mut byte = [0];
                while !told.ends_with(end) && stream.read(&mut byte).unwrap_or(0) == 1 {
                    told.extend(byte);
                }
            };
            hear(&mut stream, b"\r\n");
            stream.write_all(b"OK 0123456789abcdef0123456789abcdef\r\n").unwrap();
            hear(&mut stream, b"BEGIN\r\n");
            for (answer, end) in answers.iter().zip([&b"Hello\0\0\0"[..], b"\0\0\0\0\0\0\0\0"]) {
                hear(&mut stream, if answers.len() == 1 { b"PIDs\0\x02au\0" } else { end });
                stream.write_all(answer).unwrap();
            }
            // Whoever asked goes when it has heard enough.
            stream.read_to_end(&mut told).ok();
            told
        })
    }

    /// An answer to the call of this number: that it was done, or an error with these words.
    fn answer(serial: u8, error: Option<&str>) -> Vec<u8> {
        let (kind, body) = match error {
            None => (2, Vec::new()),
            Some(words) => {
                let mut body = Body::default();
                body.text(words);
                (3, body.bytes())
            }
        };
        let mut fields = vec![5, 1, b'u', 0, serial, 0, 0, 0];
        if error.is_some() {
            fields.extend([4, 1, b's', 0, 5, 0, 0, 0]);
            fields.extend(b"a.b.C\0\0\0");
            fields.extend([8, 1, b'g', 0, 1, b's', 0]);
        }
        let mut bytes = vec![b'l', kind, 1, 1, u8::try_from(body.len()).unwrap(), 0, 0, 0, 9, 0, 0, 0];
        bytes.extend(u32::try_from(fields.len()).unwrap().to_le_bytes());
        bytes.extend(&fields);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes.extend(body);
        bytes
    }

    fn asked(name: &str, answers: Vec<Vec<u8>>) -> (Result<(), String>, String) {
        let folder = tempfile::tempdir().unwrap();
        let listening = listening(&folder.path().join(name), answers);
        let asked = ask_in(folder.path(), 1000, "touchstone-7.scope", 7);
        (asked, String::from_utf8_lossy(&listening.join().unwrap()).into_owned())
    }

    #[test]
    fn systemd_is_asked_for_a_scope_with_groups_of_its_own() {
        let signal = [&answer(0, None)[..1], &[4], &answer(0, None)[2..]].concat();
        let (done, told) = asked("systemd/private", vec![[signal, answer(1, None)].concat()]);
        assert_eq!(done, Ok(()));
        assert!(told.starts_with("\0AUTH EXTERNAL 31303030\r\nBEGIN\r\nl\u{1}\0\u{1}"), "{told:?}");
        for word in
            ["StartTransientUnit\0", "ssa(sv)a(sa(sv))\0", "touchstone-7.scope\0", "Delegate\0\u{1}b\0"]
        {
            assert!(told.contains(word), "{word:?}: {told:?}");
        }
        assert!(told.contains("PIDs\0\u{2}au\0\0\0\0\u{4}\0\0\0\u{7}\0\0\0"), "{told:?}");
    }

    #[test]
    fn the_bus_of_a_session_is_greeted_first() {
        let (done, told) = asked("bus", vec![answer(1, None), answer(2, None)]);
        assert_eq!(done, Ok(()));
        assert!(told.find("Hello\0").unwrap() < told.find("StartTransientUnit\0").unwrap(), "{told:?}");
    }

    #[test]
    fn what_systemd_refuses_is_told_in_its_words() {
        let (refused, _) = asked("systemd/private", vec![answer(1, Some("no more of these"))]);
        assert_eq!(refused, Err("no more of these (a.b.C)".to_owned()));
    }

    #[test]
    fn whoever_talks_nonsense_or_goes_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let nobody = ask_in(folder.path(), 1000, "x.scope", 7).unwrap_err();
        assert!(nobody.starts_with("it does not run, for nothing listens in"), "{nobody}");
        let endless = [&b"l\x02\x01\x01\xff\xff\xff\xff\x09\0\0\0\xff\xff\xff\xff"[..], b"123"].concat();
        for nonsense in [b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(), endless] {
            let (refused, _) = asked("systemd/private", vec![nonsense]);
            assert!(refused.unwrap_err().ends_with("it does not speak D-Bus"));
        }
    }
}
