//! Who learns what, and when: every address of the server, for everybody, before the contest, in it, behind the freeze
//! and after the end.

use std::time::Duration;

use serde_json::{Value, json};

use crate::toolchain::require;
use crate::web::client::{Answer, Client, Stream};
use crate::web::host::{Host, RIGHT, WRONG, desk, wait_for};

/// What only the problems hold: parts of names, titles, statements, samples.
const SECRETS: [&str; 6] = ["xylem", "zebra", "quokka", "stonevalue", "1 0 -1", "data-problem=\"1"];
/// The cell of whoever solved a problem first.
const FIRST: &str = "<td class=\"cell first\">";
/// What is of one team alone: words of its programs.
const SOURCE_MARK: &str = "numbat_of_the_reds";

/// An address, and the status that it has for: nobody and a team before the start; nobody, the team whose submission 1
/// is, another team, and staff while the contest runs.
type Line = (&'static str, &'static str, [u16; 6]);

const ADDRESSES: [Line; 47] = [
    ("GET", "/", [303, 303, 303, 303, 303, 303]),
    ("GET", "/login", [200, 200, 200, 200, 200, 200]),
    ("GET", "/assets/page.js", [200, 200, 200, 200, 200, 200]),
    ("GET", "/assets/none.js", [404, 404, 404, 404, 404, 404]),
    ("GET", "/problems", [303, 403, 303, 200, 200, 200]),
    ("GET", "/problems/A", [303, 403, 303, 200, 200, 200]),
    ("GET", "/problems/Z", [303, 403, 303, 404, 404, 404]),
    // Nobody serves for himself here.
    ("GET", "/enter/none", [404, 404, 404, 404, 404, 404]),
    ("POST", "/problems/A/submit", [303, 403, 303, 422, 422, 422]),
    ("POST", "/problems/Z/submit", [303, 403, 303, 404, 404, 404]),
    ("POST", "/virtual", [303, 403, 303, 404, 404, 404]),
    ("GET", "/submissions", [303, 403, 303, 200, 200, 200]),
    ("GET", "/submissions/1", [303, 403, 303, 200, 404, 200]),
    ("GET", "/submissions/1/source", [303, 403, 303, 200, 404, 200]),
    // What failed is for staff alone until the contest is over.
    ("GET", "/submissions/1/input", [303, 403, 303, 404, 404, 200]),
    ("GET", "/submissions/1/answer", [303, 403, 303, 404, 404, 200]),
    ("GET", "/submissions/99", [303, 403, 303, 404, 404, 404]),
    ("GET", "/board", [403, 403, 200, 200, 200, 200]),
    ("GET", "/board/table", [403, 403, 200, 200, 200, 200]),
    ("GET", "/board?view=jury", [403, 403, 200, 200, 200, 200]),
    ("GET", "/clarifications", [303, 200, 303, 200, 200, 200]),
    ("POST", "/clarifications", [303, 403, 303, 422, 422, 422]),
    ("GET", "/staff", [303, 404, 303, 404, 404, 200]),
    ("GET", "/staff/submissions", [303, 404, 303, 404, 404, 200]),
    ("GET", "/staff/rejudges", [303, 404, 303, 404, 404, 200]),
    ("POST", "/staff/rejudges/9/apply", [303, 404, 303, 404, 404, 404]),
    ("POST", "/staff/rejudges/9/cancel", [303, 404, 303, 404, 404, 404]),
    ("POST", "/staff/quarantine/9", [303, 404, 303, 404, 404, 404]),
    ("POST", "/staff/clarifications", [303, 404, 303, 404, 404, 422]),
    ("POST", "/staff/clarifications/9", [303, 404, 303, 404, 404, 422]),
    ("GET", "/staff/contest", [303, 404, 303, 404, 404, 200]),
    ("POST", "/staff/contest", [303, 404, 303, 404, 404, 404]),
    ("POST", "/staff/problems/Z", [303, 404, 303, 404, 404, 404]),
    ("GET", "/staff/accounts", [303, 404, 303, 404, 404, 200]),
    ("POST", "/staff/accounts", [303, 404, 303, 404, 404, 422]),
    ("POST", "/staff/accounts/1", [303, 404, 303, 404, 404, 404]),
    ("GET", "/staff/audit", [303, 404, 303, 404, 404, 200]),
    ("GET", "/staff/export/results.csv", [303, 404, 303, 404, 404, 200]),
    ("GET", "/staff/export/contest.json", [303, 404, 303, 404, 404, 200]),
    ("GET", "/staff/export/submissions.zip", [303, 404, 303, 404, 404, 200]),
    ("GET", "/staff/export/contest.db", [303, 404, 303, 404, 404, 200]),
    ("GET", "/staff/export/passwords", [303, 404, 303, 404, 404, 404]),
    ("GET", "/api/submissions/1", [403, 403, 403, 200, 404, 200]),
    // Programs have tokens: whoever comes with a cookie is no program.
    ("POST", "/api/login", [422, 403, 422, 403, 403, 403]),
    ("GET", "/nowhere", [404, 404, 404, 404, 404, 404]),
    ("GET", "/staff/nowhere", [404, 404, 404, 404, 404, 404]),
    ("GET", "/assets/../staff", [404, 404, 404, 404, 404, 404]),
];

fn ask(client: &Client, method: &str, path: &str) -> Answer {
    match method {
        "GET" => client.get(path),
        _ => client.post(path, &[]),
    }
}

/// An answer without what names the request itself or the moment.
fn bare(answer: &Answer, path: &str) -> String {
    let escaped = path.replace('/', "%2F");
    let text = answer.whole().replace(path, "").replace(&escaped, "");
    text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

fn assert_nothing_of_problems(answer: &Answer, what: &str) {
    let text = answer.whole().to_lowercase();
    for secret in SECRETS {
        assert!(!text.contains(secret), "{what} tells of {secret:?}: {text}");
    }
    assert_eq!(answer.header("etag"), None, "{what}");
}

/// Everything that staff do to the contest's course.
fn order(staff: &Client, what: &str) {
    let answer = staff.post("/staff/contest", &[("do", what)]);
    assert_eq!(answer.status, 303, "{what}: {}", answer.text());
}

fn verdict(client: &Client, id: i64) -> Option<String> {
    client.get(&format!("/api/submissions/{id}")).json()["verdict"].as_str().map(ToOwned::to_owned)
}

fn judged(client: &Client, id: i64) -> String {
    wait_for("a verdict", || verdict(client, id))
}

/// Everybody of the test.
struct Cast {
    nobody: Client,
    red: Client,
    blue: Client,
    staff: Client,
}

#[test]
fn nobody_learns_what_is_not_for_him_from_before_the_start_to_after_the_end() {
    if !require("python") {
        return;
    }
    let desk = desk("");
    let host = Host::start(&desk);
    let cast = Cast {
        nobody: host.client(),
        red: host.logged_in("red"),
        blue: host.logged_in("blue"),
        staff: host.logged_in("boss"),
    };
    before_the_start(&cast);
    order(&cast.staff, "start");
    while_it_runs(&cast);
    behind_the_freeze(&cast);
    after_the_end(&cast);
}

fn before_the_start(cast: &Cast) {
    let Cast { nobody, red, staff, .. } = cast;
    let mut live = red.live();
    for (method, path, expected) in ADDRESSES {
        for (client, who, expected) in [(nobody, "nobody", expected[0]), (red, "a team", expected[1])] {
            let what = format!("before the start, {who}: {method} {path}");
            let answer = ask(client, method, path);
            assert_eq!(answer.status, expected, "{what}: {}", answer.text());
            assert_nothing_of_problems(&answer, &what);
            let head = client.send(&client.bytes("HEAD", path, &[], b""));
            assert_nothing_of_problems(&head, &format!("{what}, by HEAD"));
        }
    }
    // What is there and what is not look the same, so that nobody counts the problems.
    for (there, not) in [("/problems/A", "/problems/Z"), ("/problems/A/submit", "/problems/Z/submit")] {
        let method = if there.ends_with("submit") { "POST" } else { "GET" };
        let (one, other) = (ask(red, method, there), ask(red, method, not));
        assert_eq!(bare(&one, there), bare(&other, not), "{there}");
    }
    let token = token_of(red);
    let problem = |name: &str| json!({ "problem": name, "file_name": "a.py", "source": "1" });
    let one = red.api("/api/submit", Some(&token), &problem("alpha-xylem"));
    let other = red.api("/api/submit", Some(&token), &problem("nothing"));
    assert_eq!((one.status, one.text()), (403, other.text()));
    assert!(!red.get("/clarifications").text().contains("<select name=\"problem\""));

    // What staff prepare is heard of, but not what it is about.
    let off = staff.post("/staff/problems/A", &[("enabled", "no")]);
    let on = staff.post("/staff/problems/A", &[("enabled", "yes")]);
    assert_eq!((off.status, on.status), (303, 303));
    let told = staff.post("/staff/clarifications", &[("problem", "A"), ("text", "Bring your own pen.")]);
    assert_eq!(told.status, 303);
    let heard = live.until(|event| event["kind"] == "clarification");
    for event in &heard {
        let keys: Vec<&str> = event.as_object().unwrap().keys().map(String::as_str).collect();
        assert!(keys.iter().all(|key| ["kind", "now", "seq", "quiet"].contains(key)), "{event}");
    }
    let page = red.get("/clarifications");
    assert!(page.text().contains("Bring your own pen."));
    assert_nothing_of_problems(&page, "the clarifications before the start");
}

fn token_of(client: &Client) -> String {
    client.cookie.as_deref().unwrap().split_once('=').unwrap().1.to_owned()
}

fn while_it_runs(cast: &Cast) {
    let Cast { nobody, red, blue, staff } = cast;
    let (mut of_blue, mut of_red) = (blue.live(), red.live());
    let answer = red.submit("A", "python", &format!("# {SOURCE_MARK}\n{WRONG}"));
    assert_eq!((answer.status, answer.header("location")), (303, Some("/problems/A?note=submitted")));
    assert_eq!(judged(red, 1), "WA");
    for (method, path, expected) in ADDRESSES {
        let of = [(nobody, "nobody"), (red, "its team"), (blue, "another team"), (staff, "staff")];
        for ((client, who), expected) in of.into_iter().zip(&expected[2..]) {
            let what = format!("in the contest, {who}: {method} {path}");
            let answer = ask(client, method, path);
            assert_eq!(answer.status, *expected, "{what}: {}", answer.text());
            let is_others = who == "nobody" || who == "another team";
            assert!(!(is_others && answer.text().contains(SOURCE_MARK)), "{what}");
        }
    }
    // Others' submissions are as if they were not.
    let (others, none) = (blue.get("/submissions/1"), blue.get("/submissions/99"));
    assert_eq!(bare(&others, "/submissions/1"), bare(&none, "/submissions/99"));
    // The team sees how it stands, but not on what it failed.
    let page = red.get("/submissions/1").text();
    assert!(page.contains(SOURCE_MARK) && page.contains(">WA<"), "{page}");
    assert!(!page.contains("exhaustive") && !page.contains("samples/"), "{page}");

    // A question is between the team and the staff until it is answered to all.
    red.post("/clarifications", &[("problem", "A"), ("text", "May n be an echidna?")]);
    assert!(red.get("/clarifications").text().contains("echidna"));
    assert!(!blue.get("/clarifications").text().contains("echidna"));
    let staffs = staff.get("/clarifications").text();
    let id = staffs.split("/staff/clarifications/").nth(1).unwrap().split('"').next().unwrap();
    let answered = staff.post(&format!("/staff/clarifications/{id}"), &[("answer", "Only to you: bilby.")]);
    assert_eq!(answered.status, 303, "{}", answered.text());
    assert!(red.get("/clarifications").text().contains("bilby"));
    assert!(!blue.get("/clarifications").text().contains("bilby"));

    // The streams said so too, each to its own team.
    let own = of_red.until(|event| event["kind"] == "clarification");
    assert!(own.iter().any(|event| event["kind"] == "judged" && event["text"] == "A: WA"), "{own:#?}");
    let others = rest(&mut of_blue);
    assert!(!others.is_empty());
    assert!(others.iter().all(|event| event.get("submission").is_none()), "{others:#?}");
    assert!(others.iter().all(|event| event["kind"] != "clarification"), "{others:#?}");
}

/// What a stream still holds.
fn rest(stream: &mut Stream) -> Vec<Value> {
    std::iter::from_fn(|| stream.next(Duration::from_secs(1))).collect()
}

fn behind_the_freeze(cast: &Cast) {
    let Cast { nobody, red, blue, staff } = cast;
    order(staff, "freeze");
    let untried = red.get("/board/table").text();
    let mut live = red.live();
    let first = blue.submit("B", "python", RIGHT);
    assert_eq!(first.status, 303, "{}", first.text());
    assert_eq!(judged(blue, 2), "AC");
    let pending = wait_for("the attempt on the board", || {
        Some(nobody.get("/board/table")).filter(|board| board.text() != untried)
    });
    assert!(pending.text().contains("pending") && !pending.text().contains("0:0"), "{}", pending.text());
    // The same bytes and the same tag whatever comes of the next attempts: only that there are more.
    for (source, expected) in [("this is no program(", ["CE", "RTE"]), (RIGHT, ["AC", "AC"])] {
        blue.submit("B", "python", source);
        let id = if expected[0] == "AC" { 4 } else { 3 };
        let found = judged(blue, id);
        assert!(expected.contains(&found.as_str()), "{found}");
    }
    let cells = |board: &Answer| board.text().matches("cell pending").count();
    let board = nobody.get("/board/table");
    assert_eq!(cells(&board), cells(&pending), "only the number of attempts has changed");
    assert!(board.text().contains("?3"), "{}", board.text());
    assert_eq!(board.text(), red.get("/board/table").text());
    // Asking for the staff's board does not help.
    assert_eq!(red.get("/board/table?view=jury").text(), board.text());
    assert!(!red.get("/board?view=jury").text().contains(FIRST));
    // Nor does the list of problems tell how many solved B; staff see it.
    let solved = |client: &Client| client.get("/problems").text().matches("<td class=\"num\">1</td>").count();
    assert_eq!((solved(red), solved(blue), solved(staff)), (0, 0, 1));
    // Its own row is live for the team, beside the table that everybody sees.
    let own = blue.get("/board").text();
    assert!(own.contains("id=\"own\"") && own.contains(FIRST), "{own}");
    assert!(!red.get("/board").text().contains(FIRST));
    // The stream tells others that the board moved, and nothing else. Events are told a moment after the answer that they
    // come from: the freeze itself may still be among them.
    for event in rest(&mut live) {
        assert!(["hello", "contest", "board"].contains(&event["kind"].as_str().unwrap()), "{event}");
        assert!(event.get("submission").is_none() && event.get("text").is_none(), "{event}");
    }
}

fn after_the_end(cast: &Cast) {
    let Cast { nobody, red, blue, staff } = cast;
    order(staff, "end");
    // Still frozen: nothing more is told, also not of what failed.
    let still = nobody.get("/board/table").text();
    assert!(still.contains("?3") && !still.contains(FIRST), "{still}");
    assert_eq!(red.get("/submissions/1/input").status, 404);
    order(staff, "thaw");
    let open = nobody.get("/board/table").text();
    assert!(open.contains(FIRST) && !open.contains("?3"), "{open}");
    let page = red.get("/submissions/1").text();
    assert!(page.contains("First failing test") && page.contains("/submissions/1/input"), "{page}");
    assert_eq!(red.get("/submissions/1/input").status, 200);
    // Others' are others' after the end too.
    for path in ["/submissions/1", "/submissions/1/source", "/submissions/1/input", "/api/submissions/1"] {
        assert_eq!(blue.get(path).status, 404, "{path}");
    }
    // What is handed in now is practice, and moves no board.
    assert_eq!(red.submit("A", "python", RIGHT).status, 303);
    assert_eq!(judged(red, 5), "AC");
    assert_eq!(nobody.get("/board/table").text(), open);
}
