//! The commands around a contest: `serve` with its switches, `login`, `submit`, and what Ctrl-C does to a server.

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use std::time::Duration;

use serde_json::Value;

use touchstone::store::Store;

use crate::desk::{Desk, Said, said};
use crate::toolchain::require;
use crate::web::host::{Host, PASSWORD, RIGHT, WRONG, desk, wait_for, write_problem};

/// Longer than any server that was interrupted should take, however much the machine does besides.
const AT_ONCE: Duration = Duration::from_secs(30);

fn log_in(desk: &Desk, url: &str, login: &str, password: &str) -> Said {
    let mut child = desk
        .command(&["login", "--server", url, "--user", login])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    writeln!(child.stdin.take().unwrap(), "{password}").unwrap();
    said(&child.wait_with_output().unwrap())
}

#[test]
fn a_contest_needs_no_file_and_tells_its_first_password_once() {
    let desk = Desk::new();
    write_problem(&desk, "alpha-xylem", "Zebra Alpha");
    let host = Host::start(&desk);
    let password =
        host.greeting.split("password").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let mut admin = host.client();
    assert_eq!(admin.log_in("admin", &password).status, 303, "{}", host.greeting);
    assert_eq!(admin.get("/staff").status, 200);

    // Another one on the same contest is refused, and so is another one at the same place.
    let second = desk.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.status, 2, "{second:?}");
    let holder = format!("in use by another touchstone (process {})", host.id());
    assert!(second.stderr.contains("contest.db") && second.stderr.contains(&holder), "{second:?}");
    let taken = desk.run(&["serve", "--listen", &host.address.to_string()]);
    assert_eq!(taken.status, 2, "{taken:?}");
    assert!(taken.stderr.contains("listens there already") && taken.stderr.contains("--listen"), "{taken:?}");

    // A copy while it runs, for its owner alone, and never over what is there.
    let copy = desk.path("copy.db");
    let copied = desk.run(&["serve", "--backup", "copy.db"]);
    assert_eq!(copied.status, 0, "{copied:?}");
    assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::metadata(desk.path("contest.db")).unwrap().permissions().mode() & 0o777, 0o600);
    let again = desk.run(&["serve", "--backup", "copy.db"]);
    assert_eq!(again.status, 2, "{again:?}");
    let store = Store::open(&copy, 0).unwrap();
    assert_eq!(store.accounts().unwrap()[0].login, "admin");

    // The second start makes no password, and the first one still holds.
    let (status, took) = host.interrupt();
    assert!(status.success() && took < AT_ONCE, "{status} after {took:?}");
    let host = Host::start(&desk);
    assert!(!host.greeting.contains("password"), "{}", host.greeting);
    assert_eq!(host.client().log_in("admin", &password).status, 303);
}

#[test]
fn init_writes_a_file_that_says_what_holds_anyway() {
    let desk = Desk::new();
    let made = desk.run(&["serve", "--init"]);
    assert_eq!(made.status, 0, "{made:?}");
    let again = desk.run(&["serve", "--init"]);
    assert!(again.status == 2 && again.stderr.contains("nothing was changed"), "{again:?}");
    let wrong = std::fs::read_to_string(desk.path("contest.toml")).unwrap().replace("\"icpc\"", "\"icpp\"");
    desk.write("contest.toml", wrong.replace("duration = \"5h\"", "duration = \"5 hours and more\""));
    write_problem(&desk, "alpha-xylem", "Zebra Alpha");
    let refused = desk.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.status, 2, "{refused:?}");
    assert!(refused.stderr.contains("icpp") && refused.stderr.contains("5 hours and more"), "{refused:?}");
}

#[test]
fn a_program_is_handed_in_from_the_command_line() {
    if !require("python") {
        return;
    }
    let desk = desk("");
    desk.write("right.py", RIGHT);
    desk.write("A.py", WRONG);
    let host = Host::start(&desk);
    let url = format!("http://{}", host.address);

    let early = desk.run(&["submit", "A.py", "--server", &url]);
    assert!(early.status == 2 && early.stderr.contains("touchstone login"), "{early:?}");
    let wrong = log_in(&desk, &url, "red", "wrong");
    assert!(wrong.status == 2 && wrong.stderr.contains("do not belong together"), "{wrong:?}");
    let right = log_in(&desk, &url, "red", PASSWORD);
    assert_eq!(right.status, 0, "{right:?}");
    assert!(right.stdout.contains("Red Pandas") && right.stdout.contains("Night of the Quolls"), "{right:?}");
    let kept = right.stdout.trim().rsplit(' ').next().unwrap();
    assert_eq!(std::fs::metadata(kept).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!std::fs::read_to_string(kept).unwrap().contains(PASSWORD));

    let not_yet = desk.run(&["submit", "A.py"]);
    assert!(not_yet.status == 2 && not_yet.stderr.contains("not begun"), "{not_yet:?}");
    host.logged_in("boss").post("/staff/contest", &[("do", "start")]);
    let accepted = desk.run(&["submit", "right.py", "-p", "alpha-xylem"]);
    assert!(accepted.status == 0 && accepted.stdout.starts_with("AC"), "{accepted:?}");
    // Its name says which problem it is for.
    let rejected = desk.run(&["submit", "A.py", "--format", "json"]);
    let document: Value = serde_json::from_str(&rejected.stdout).unwrap();
    assert_eq!((rejected.status, document["verdict"].as_str()), (1, Some("WA")), "{rejected:?}");
    let nowhere = desk.run(&["submit", "right.py", "-p", "C"]);
    assert!(nowhere.status == 2 && nowhere.stderr.contains("expected one of A, B"), "{nowhere:?}");
    let no_wait = desk.run(&["submit", "A.py", "--no-wait"]);
    assert!(no_wait.status == 0 && no_wait.stdout.contains("submission 3"), "{no_wait:?}");
    drop(host);
    let gone = desk.run(&["submit", "A.py"]);
    assert!(gone.status == 3 && gone.stderr.contains("cannot reach"), "{gone:?}");
}

#[test]
fn ctrl_c_ends_the_server_while_it_judges_and_the_next_start_judges_on() {
    if !require("python") {
        return;
    }
    let desk = desk("");
    let host = Host::start(&desk);
    host.logged_in("boss").post("/staff/contest", &[("do", "start")]);
    let red = host.logged_in("red");
    let slow = "import time\ntime.sleep(0.05)\n";
    for _ in 0..4 {
        assert_eq!(red.submit("A", "python", &format!("{slow}{RIGHT}")).status, 303);
    }
    let mut live = red.live();
    live.until(|event| event["kind"] == "progress");
    let (status, took) = host.interrupt();
    assert!(status.success() && took < AT_ONCE, "{status} after {took:?}");

    let host = Host::start(&desk);
    let red = host.logged_in("red");
    for id in 1..=4 {
        let verdict = wait_for("a verdict", || {
            let status = red.get(&format!("/api/submissions/{id}")).json();
            status["verdict"].as_str().map(ToOwned::to_owned)
        });
        assert_eq!(verdict, "AC");
    }
}
