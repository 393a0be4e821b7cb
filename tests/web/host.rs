//! A contest that is really served: the program started in a folder of its own, its address and first password read from
//! what it prints. Ends with the value.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::desk::Desk;
use crate::web::client::Client;

/// How long a server may take to start or to end, on a machine that does much besides.
const PATIENCE: Duration = Duration::from_secs(120);

/// A small problem that this machine judges in no time. What is in it is in nothing else that a server says.
pub(crate) fn write_problem(desk: &Desk, slug: &str, title: &str) {
    let text = format!(
        r#"format = 1
title = {{ en = "{title}" }}

[limits]
time = "1s"
memory = "256MiB"

[size]
n = {{ min = 1, max = 3 }}

[[input]]
name = "stoneValue"
type = "array"
len = "n"
item = {{ type = "int", min = -1, max = 1 }}

[answer]
solver = "stone-game-iii"

[[sample]]
stoneValue = [1, 0, -1]

[[sample]]
stoneValue = [-1]
"#
    );
    desk.write(format!("problems/{slug}/problem.toml"), text);
    let statement = format!("Play the quokka game of {slug}.\n");
    desk.write(format!("problems/{slug}/statement.en.md"), statement);
}

/// Right and wrong programs for it.
pub(crate) const RIGHT: &str = "input()\na = list(map(int, input().split()))\nn = len(a)\nd = [0] * (n + 1)\nfor i in range(n - 1, -1, -1):\n    d[i] = max(sum(a[i:j]) - d[j] for j in range(i + 1, min(i + 3, n) + 1))\nprint('Alice' if d[0] > 0 else 'Bob' if d[0] < 0 else 'Tie')\n";
pub(crate) const WRONG: &str = "print('Alice')\n";

/// Accounts of the tests, all with the same password.
pub(crate) const PASSWORD: &str = "wombat-wombat-7";

/// A contest with two problems, an administrator and three teams.
pub(crate) fn contest_toml(more: &str) -> String {
    let mut text = format!("name = \"Night of the Quolls\"\n{more}\n");
    for (login, name, is_admin) in [
        ("boss", "Boss", true),
        ("red", "Red Pandas", false),
        ("blue", "Blue Tits", false),
        ("late", "Latecomers", false),
    ] {
        let admin = if is_admin { "role = \"admin\"\n" } else { "" };
        write!(
            text,
            "\n[[account]]\nlogin = \"{login}\"\nname = \"{name}\"\npassword = \"{PASSWORD}\"\n{admin}"
        )
        .unwrap();
    }
    text
}

/// A desk with that contest.
pub(crate) fn desk(more: &str) -> Desk {
    let desk = Desk::new();
    write_problem(&desk, "alpha-xylem", "Zebra Alpha");
    write_problem(&desk, "beta-xylem", "Zebra Beta");
    desk.write("contest.toml", contest_toml(more));
    desk
}

/// A running server.
pub(crate) struct Host {
    child: Child,
    pub(crate) address: SocketAddr,
    /// What it printed before it served.
    pub(crate) greeting: String,
}

impl Host {
    pub(crate) fn start(desk: &Desk) -> Self {
        Self::start_by(desk.command(&["serve", "--listen", "127.0.0.1:0"]))
    }

    pub(crate) fn start_by(command: Command) -> Self {
        Self::start_known(command, None)
    }

    /// One that prints another address than the one where it listens.
    pub(crate) fn start_at(command: Command, address: SocketAddr) -> Self {
        Self::start_known(command, Some(address))
    }

    fn start_known(mut command: Command, mut address: Option<SocketAddr>) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut greeting = String::new();
        for line in lines.by_ref() {
            let line = line.unwrap();
            if let Some((_, url)) = line.split_once("http://") {
                address = address.or(url.trim().parse().ok());
            }
            greeting.push_str(&line);
            greeting.push('\n');
            // The last line of the greeting.
            if line.contains("Ctrl-C") {
                break;
            }
        }
        let Some(address) = address else {
            let mut trouble = String::new();
            child.stderr.take().unwrap().read_to_string(&mut trouble).unwrap();
            panic!("the server did not start: {greeting}\n{trouble}");
        };
        // What it says from now on must not fill a pipe that nobody reads.
        let mut stderr = child.stderr.take().unwrap();
        thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::stderr()));
        thread::spawn(move || lines.for_each(drop));
        Self { child, address, greeting }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    /// Somebody of the tests' accounts.
    pub(crate) fn logged_in(&self, login: &str) -> Client {
        let mut client = self.client();
        let answer = client.log_in(login, PASSWORD);
        assert_eq!(answer.status, 303, "{}", answer.text());
        client
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    fn signal(&self, signal: Signal) {
        kill(Pid::from_raw(i32::try_from(self.child.id()).unwrap()), signal).unwrap();
    }

    /// Ends it as Ctrl-C does; how long that took.
    #[expect(clippy::disallowed_methods, reason = "a test waits for so long and no longer")]
    pub(crate) fn interrupt(mut self) -> (ExitStatus, Duration) {
        let begun = Instant::now();
        self.signal(Signal::SIGINT);
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return (status, begun.elapsed());
            }
            assert!(begun.elapsed() < PATIENCE, "Ctrl-C did not end the server");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Ends it as a loss of power does.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until `look` finds something.
#[expect(clippy::disallowed_methods, reason = "a test waits for so long and no longer")]
pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "{what} did not happen in {PATIENCE:?}");
        thread::sleep(Duration::from_millis(20));
    }
}
