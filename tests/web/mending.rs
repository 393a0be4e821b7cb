//! A problem that was wrong, mended while the contest runs: read again, judged again, looked at, applied, and heard of.

use crate::toolchain::require;
use crate::web::host::{Host, RIGHT, desk, wait_for};

/// Right, if one does not look at the space at the end.
fn padded() -> String {
    RIGHT.replace("'Tie')", "'Tie', end=' \\n')")
}

#[test]
fn a_problem_is_mended_while_the_contest_runs() {
    if !require("python") {
        return;
    }
    let desk = desk("");
    let file = "problems/alpha-xylem/problem.toml";
    let text = std::fs::read_to_string(desk.path(file)).unwrap();
    let with_checker =
        |kind: &str| text.replacen("[[sample]]", &format!("[checker]\nkind = {kind}\n\n[[sample]]"), 1);
    desk.write(file, with_checker("\"exact\""));
    let host = Host::start(&desk);
    let boss = host.logged_in("boss");
    boss.post("/staff/contest", &[("do", "start")]);
    let red = host.logged_in("red");
    assert_eq!(red.submit("A", "python", &padded()).status, 303);
    let verdict = || red.get("/api/submissions/1").json()["verdict"].as_str().map(ToOwned::to_owned);
    assert_eq!(wait_for("a verdict", verdict).as_str(), "WA");

    // With mistakes in its files nothing changes, and staff see which.
    let read_again = || boss.post("/staff/problems/A", &[("do", "read")]);
    desk.write(file, with_checker("3"));
    let refused = read_again();
    assert_eq!(refused.status, 422);
    assert!(
        refused.text().contains("kind = 3") && refused.text().contains("still served"),
        "{}",
        refused.text()
    );
    assert_eq!(red.get("/problems/A").status, 200);

    desk.write(file, with_checker("\"tokens\""));
    desk.write("problems/alpha-xylem/statement.en.md", "Spaces at the end do not matter.\n");
    let mended = read_again();
    assert_eq!(
        mended.header("location"),
        Some("/staff/submissions?problem=A&note=read"),
        "{}",
        mended.whole()
    );
    assert!(red.get("/problems/A").text().contains("Spaces at the end"));
    assert!(boss.get("/staff/audit").text().contains("read the problem again"));
    assert_eq!(verdict().as_deref(), Some("WA"), "nothing was judged again by itself");

    let mut live = red.live();
    assert_eq!(boss.post("/staff/rejudges", &[("problem", "A")]).status, 303);
    let preview = wait_for("the preview", || {
        let page = boss.get("/staff/rejudges").text();
        page.contains("<b>1 / 1</b>").then_some(page)
    });
    assert!(preview.contains(">WA<") && preview.contains(">AC<"), "{preview}");
    assert_eq!(verdict().as_deref(), Some("WA"), "a preview changes nothing");
    assert_eq!(boss.post("/staff/rejudges/1/apply", &[]).status, 303);
    let heard = live.until(|event| event["kind"] == "judged");
    assert_eq!(heard.last().unwrap()["text"], "A: AC", "{heard:?}");
    assert_eq!(verdict().as_deref(), Some("AC"));
    assert!(red.get("/board/table").text().contains("class=\"cell first\""));
}
