//! Power failures: a server that is killed at any moment, again and again, while three teams hand in. What was answered
//! as taken is there afterwards, has its verdict once, and the board is what follows from it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::toolchain::require;
use crate::web::client::Client;
use crate::web::host::{Host, RIGHT, WRONG, desk, wait_for};

/// How often it is killed.
const LIVES: usize = 20;
/// What each team hands in, at most, in one of its lives.
const IN_ONE_LIFE: usize = 2;
const TEAMS: [&str; 3] = ["red", "blue", "late"];

/// Random numbers below a bound.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        // Knuth's MMIX.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[test]
fn what_was_taken_is_judged_once_however_often_the_server_is_killed() {
    if !require("python") {
        return;
    }
    let seed = u64::from_le_bytes(touchstone::web::random().unwrap());
    let mut dice = Dice(seed);
    let desk = desk("max_submissions_per_minute = 1000");
    let taken = Mutex::new(BTreeSet::new());
    let mut host = Host::start(&desk);
    host.logged_in("boss").post("/staff/contest", &[("do", "start")]);
    // Sessions outlive the server.
    let mut teams = TEAMS.map(|team| host.logged_in(team));
    for life in 0..LIVES {
        let end = Duration::from_millis(dice.below(1200));
        thread::scope(|scope| {
            for (at, team) in teams.iter().enumerate() {
                let (taken, start) = (&taken, life * TEAMS.len() * IN_ONE_LIFE + at);
                scope.spawn(move || {
                    for number in 0..IN_ONE_LIFE {
                        let Some(id) = hand_in(team, start + number * TEAMS.len()) else { return };
                        assert!(taken.lock().unwrap().insert(id), "submission {id} was taken twice");
                    }
                });
            }
            thread::sleep(end);
            host.kill();
        });
        host = Host::start(&desk);
        for team in &mut teams {
            team.server = host.address;
        }
    }
    let taken = taken.into_inner().unwrap();
    assert!(taken.len() > LIVES, "hardly anything was handed in: {taken:?} (seed {seed})");
    let staff = host.logged_in("boss");
    let document = wait_for("every verdict", || {
        release(&staff);
        let document = staff.get("/staff/export/contest.json").json();
        let all = document["submissions"].as_array().unwrap();
        all.iter().all(|one| one["state"] == "judged" && one["verdict"].is_string()).then_some(document)
    });
    let all = document["submissions"].as_array().unwrap();
    let ids: BTreeSet<i64> = all.iter().map(|one| one["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), all.len());
    assert!(ids.is_superset(&taken), "lost: {:?} (seed {seed})", taken.difference(&ids));
    for one in all {
        let expected = if one["file_name"] == "right.py" { "AC" } else { "WA" };
        assert_eq!(one["verdict"], expected, "{one} (seed {seed})");
    }
    let table = staff.get("/staff/export/results.csv").text();
    assert_eq!(rows(&table), recomputed(&document), "{table} (seed {seed})");
    let (status, _) = host.interrupt();
    assert!(status.success());
}

/// A submission that was being judged at each of several deaths is given up, as one that may have caused them: staff, who
/// see it, let it be judged again.
fn release(staff: &Client) {
    let page = staff.get("/staff").text();
    for part in page.split("action=\"/staff/quarantine/").skip(1) {
        let job = part.split('"').next().unwrap();
        assert_eq!(staff.post(&format!("/staff/quarantine/{job}"), &[]).status, 303);
    }
}

/// Hands something in; its number, unless the server went away before it answered.
fn hand_in(team: &Client, number: usize) -> Option<i64> {
    let (name, source) = match number % 4 {
        0 => ("right.py", RIGHT.to_owned()),
        1 => ("wrong.py", WRONG.to_owned()),
        // Of these nobody knows a verdict yet.
        _ => ("wrong.py", format!("{WRONG}# {number}\n")),
    };
    let problem = if number % 5 < 3 { "A" } else { "B" };
    let body = json!({ "problem": problem, "file_name": name, "source": source }).to_string();
    let token = team.cookie.as_deref().unwrap().split_once('=').unwrap().1;
    let authorization = format!("Bearer {token}");
    let headers = [("Content-Type", "application/json"), ("Authorization", authorization.as_str())];
    let without_cookie = Client { cookie: None, ..team.clone() };
    let bytes = without_cookie.bytes("POST", "/api/submit", &headers, body.as_bytes());
    let answer = without_cookie.try_send(&bytes).ok()?;
    // Cut off in the middle it says nothing.
    let value: Value = serde_json::from_slice(&answer.body).ok()?;
    assert_eq!(answer.status, 201, "{value}");
    value["submission"].as_i64()
}

/// By login: problems solved, penalty, and each cell as `tries/minute`.
type Rows = BTreeMap<String, (u64, u64, Vec<String>)>;

fn rows(csv: &str) -> Rows {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').map(|cell| cell.trim_matches('"')).collect();
        let number = |at: usize| cells[at].parse().unwrap();
        (cells[1].to_owned(), (number(3), number(4), cells[5..].iter().map(ToString::to_string).collect()))
    };
    csv.trim_start_matches('\u{feff}').lines().skip(1).map(row).collect()
}

/// The same from every submission, by the rules as they are told to people.
fn recomputed(document: &Value) -> Rows {
    let start_ms = document["schedule"]["start_ms"].as_i64().unwrap();
    let mut all: Vec<&Value> = document["submissions"].as_array().unwrap().iter().collect();
    all.sort_by_key(|one| (one["at_ms"].as_i64(), one["id"].as_i64()));
    let teams = document["accounts"].as_array().unwrap().iter().filter(|account| account["role"] == "team");
    let row = |team: &Value| {
        let (mut solved, mut penalty, mut cells) = (0, 0, Vec::new());
        for slug in ["alpha-xylem", "beta-xylem"] {
            let own: Vec<&&Value> = all
                .iter()
                .filter(|one| {
                    one["account"] == team["id"] && one["problem"] == slug && one["kind"] == "contest"
                })
                .collect();
            let first = own.iter().position(|one| one["verdict"] == "AC");
            cells.extend(match first {
                Some(wrong) => {
                    let minute = (own[wrong]["at_ms"].as_i64().unwrap() - start_ms).unsigned_abs() / 60_000;
                    solved += 1;
                    penalty += minute + 20 * u64::try_from(wrong).unwrap();
                    [minute.to_string(), (wrong + 1).to_string()]
                }
                None if own.is_empty() => [String::new(), String::new()],
                None => [String::new(), own.len().to_string()],
            });
        }
        (team["login"].as_str().unwrap().to_owned(), (solved, penalty, cells))
    };
    teams.map(row).collect()
}
