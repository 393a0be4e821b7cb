//! What a server on a school's network has to stand: forms from elsewhere, text that would be markup, guessed passwords,
//! bodies and addresses that no browser sends.

use serde_json::json;

use crate::toolchain::require;
use crate::web::client::{Answer, Client};
use crate::web::host::{Host, PASSWORD, RIGHT, desk, wait_for};

/// Headers that every reply has.
fn assert_protected(answer: &Answer, what: &str) {
    let policy = answer.header("content-security-policy").unwrap_or_default();
    assert!(policy.contains("default-src 'none'"), "{what}: {policy:?}");
    assert!(!policy.contains("unsafe"), "{what}: {policy:?}");
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "same-origin"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{what}");
    }
    assert!(answer.header("cache-control").is_some(), "{what}");
}

#[test]
fn forms_of_other_sites_sessions_of_others_and_odd_requests_come_to_nothing() {
    let desk = desk("");
    let host = Host::start(&desk);
    let (nobody, red, staff) = (host.client(), host.logged_in("red"), host.logged_in("boss"));
    forms_from_elsewhere(&host, &red, &staff);
    cookies(&host);
    odd_requests(&nobody, &red);
    bodies(&red);
    guesses(&host);
    assert_eq!(red.get("/clarifications").status, 200, "after all that the server serves");
}

fn forms_from_elsewhere(host: &Host, red: &Client, staff: &Client) {
    let own = format!("http://{}", host.address);
    let foreign: [&[(&str, &str)]; 6] = [
        &[],
        &[("Origin", "http://evil.example")],
        &[("Origin", "null")],
        &[("Sec-Fetch-Site", "cross-site"), ("Origin", &own)],
        &[("Sec-Fetch-Site", "same-site")],
        &[("Origin", "http://127.0.0.1:1")],
    ];
    for headers in foreign {
        for (client, path) in [
            (staff, "/staff/contest"),
            (staff, "/staff/accounts/sheet"),
            (staff, "/staff/clarifications"),
            (red, "/logout"),
            (red, "/settings"),
            (red, "/login"),
            (red, "/clarifications"),
            (red, "/problems/A/submit"),
        ] {
            let answer = client.post_with(path, headers, &[("do", "start"), ("text", "hello")]);
            assert_eq!(answer.status, 403, "{path} {headers:?}: {}", answer.text());
            assert_eq!(answer.header("set-cookie"), None, "{path} {headers:?}");
        }
        // A cookie alone opens no door of the programs either, whatever the request says it is.
        let body = json!({ "problem": "A", "file_name": "a.py", "source": "1" }).to_string();
        let headers = [headers, &[("Content-Type", "text/plain")]].concat();
        let answer = red.send(&red.bytes("POST", "/api/submit", &headers, body.as_bytes()));
        assert_eq!(answer.status, 403, "{headers:?}");
    }
    let page = red.get("/problems").text();
    assert!(page.contains("has not begun"), "none of it started the contest: {page}");
}

fn cookies(host: &Host) {
    let mut client = host.client();
    let answer = client.log_in("blue", PASSWORD);
    let cookie = answer.header("set-cookie").unwrap().to_owned();
    // Browsers keep cookies by host whatever the port: that of another contest on this machine is left alone.
    let name = format!("touchstone-{}=", host.address.port());
    for part in [name.as_str(), "Path=/", "SameSite=Lax", "HttpOnly", "Max-Age="] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let token = cookie.split(['=', ';']).nth(1).unwrap();
    assert!(token.len() == 64 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{cookie}");
    // Another login is another session, and ends the one that it was made in.
    let before = client.clone();
    client.log_in("blue", PASSWORD);
    assert_ne!(before.cookie, client.cookie);
    assert_eq!((before.get("/clarifications").status, client.get("/clarifications").status), (303, 200));
    // After logging out the token is worth nothing, whoever kept it.
    let gone = client.post("/logout", &[]);
    assert!(gone.header("set-cookie").unwrap().contains("Max-Age=0"), "{}", gone.whole());
    assert_eq!(client.get("/clarifications").status, 303);
    // One is sent back to pages of this server only.
    for next in ["http://evil.example/", "//evil.example/", "/\\evil.example"] {
        let fields = [("login", "blue"), ("password", PASSWORD), ("next", next)];
        let answer = host.client().post("/login", &fields);
        assert_eq!((answer.status, answer.header("location")), (303, Some("/")), "{next}");
    }
    // Wrong passwords and logins that are not there look the same.
    let wrong = host.client().log_in("blue", "wrong");
    let nobody = host.client().log_in("blub", "wrong");
    assert_eq!(wrong.status, 422);
    let plain = |answer: &Answer| -> String {
        let text = answer.text().replace("blue", "").replace("blub", "");
        text.chars().filter(|letter| !letter.is_ascii_digit()).collect()
    };
    assert_eq!(plain(&wrong), plain(&nobody));
    assert_eq!(wrong.header("set-cookie"), None);
}

#[test]
fn behind_a_proxy_people_are_told_apart_and_their_cookies_go_by_tls_alone() {
    let desk = desk("");
    // A port that is free now.
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let listen = address.to_string();
    let public = "https://club.example";
    let host =
        Host::start_at(desk.command(&["serve", "--listen", &listen, "--behind-proxy", public]), address);
    assert!(host.greeting.contains(public) && !host.greeting.contains("http://"), "{}", host.greeting);
    let log_in = |origin: &str, forwarded: &str| {
        let fields = [("login", "boss"), ("password", PASSWORD), ("next", "/staff")];
        host.client().post_with("/login", &[("Origin", origin), ("X-Forwarded-For", forwarded)], &fields)
    };
    assert_eq!(log_in(&format!("http://{address}"), "10.1.2.3").status, 403, "that is not where pages are");
    let answer = log_in(public, "6.6.6.6, 10.1.2.3");
    let cookie = answer.header("set-cookie").unwrap();
    assert!(answer.status == 303 && cookie.contains("; Secure"), "{}", answer.whole());
    let staff = Client { cookie: cookie.split(';').next().map(ToOwned::to_owned), ..host.client() };
    let log = staff.get("/staff/audit").text();
    assert!(log.contains("10.1.2.3") && !log.contains("6.6.6.6"), "{log}");
    let wrong = desk.run(&["serve", "--behind-proxy", "club.example/contest"]);
    assert!(wrong.status == 2 && wrong.stderr.contains("https://contest.example.org"), "{wrong:?}");
}

fn odd_requests(nobody: &Client, red: &Client) {
    let long = format!("/problems/{}", "a".repeat(5000));
    let fields = format!("/login?{}", "a=1&".repeat(100));
    for path in [
        "/%2e%2e/%2e%2e/etc/passwd",
        "/problems/..%2f..%2fetc%2fpasswd",
        "//",
        "//evil.example/",
        "/submissions/99999999999999999999",
        "/submissions/-1",
        "/submissions/01",
        "/submissions/1e3",
        "/problems/%00",
        "/problems/%FF%FE",
        "/assets/%2e%2e%2fassets.rs",
        "/staff/export/..%2fcontest.db",
        "/STAFF",
        "/submissions?before=abc",
        "/submissions?before=-9223372036854775808",
        "/board?view=%3Cscript%3E",
        "/problems/A?statement=%3Cscript%3E&note=%3Cb%3E",
        &long,
        &fields,
    ] {
        for client in [nobody, red] {
            for method in ["GET", "HEAD", "POST"] {
                let answer = client.send(&client.bytes(method, path, &[], b""));
                assert!((300..500).contains(&answer.status), "{method} {path}: {}", answer.status);
                assert_protected(&answer, &format!("{method} {path}"));
                assert!(!answer.text().contains("<script>") && !answer.text().contains("root:"), "{path}");
            }
        }
    }
    for method in ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"] {
        let answer = red.send(&red.bytes(method, "/problems", &[], b""));
        assert_eq!(answer.status, 405, "{method}");
        assert_protected(&answer, method);
    }
    // HEAD is GET without what it would bring.
    for path in ["/login", "/assets/style.css", "/problems", "/clarifications", "/nowhere", "/live"] {
        let head = red.send(&red.bytes("HEAD", path, &[], b""));
        assert!(head.body.is_empty(), "{path}");
        let expected = if path == "/live" { 200 } else { red.get(path).status };
        assert_eq!(head.status, expected, "{path}");
        assert_protected(&head, path);
    }
    // Cookies that were never made here.
    let name = format!("touchstone-{}", nobody.server.port());
    for cookie in ["=", "=../../x", "=0; touchstone-language=<b>; touchstone-theme=\"x"] {
        let stranger = Client { cookie: Some(format!("{name}{cookie}")), ..nobody.clone() };
        let answer = stranger.get("/login");
        assert!(answer.status == 200 && !answer.text().contains("<b>"), "{cookie}: {}", answer.text());
        assert_eq!(stranger.get("/submissions").status, 303, "{cookie}");
    }
    let mut odd = red.clone();
    odd.cookie.as_mut().unwrap().push_str("; touchstone-language=zh; touchstone-theme=dark");
    let page = odd.get("/clarifications").text();
    assert!(page.contains("lang=\"zh\"") && page.contains("data-theme=\"dark\""), "{page}");
}

fn bodies(red: &Client) {
    let origin = format!("http://{}", red.server);
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let post = |path: &str, headers: &[(&str, &str)], body: &[u8]| {
        red.send(&red.bytes("POST", path, &[&[("Origin", origin.as_str())], headers].concat(), body))
    };
    let large = [b"text=".as_slice(), &vec![b'a'; 2 << 20]].concat();
    for path in ["/clarifications", "/api/login", "/nowhere"] {
        let answer = post(path, &[form], &large);
        assert_eq!(answer.status, 413, "{path}: {}", answer.text());
        assert_protected(&answer, path);
    }
    // The same where its length is not told first.
    let mut chunks = red.bytes(
        "GET",
        "/clarifications",
        &[("Origin", &origin), form, ("Transfer-Encoding", "chunked")],
        b"",
    );
    chunks.splice(..3, *b"POST");
    for _ in 0..40 {
        chunks.extend(format!("10000\r\n{}\r\n", "a".repeat(0x1_0000)).bytes());
    }
    chunks.extend(*b"0\r\n\r\n");
    assert_eq!(red.send(&chunks).status, 413);
    let parts = ("Content-Type", "multipart/form-data; boundary=x");
    for (header, body, expected) in [
        (form, b"text=%FF%FE&a=b".as_slice(), 403),
        (form, b"\xff\xfe=1", 400),
        (parts, b"no parts at all", 400),
        (parts, b"--x\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\n\xff\xfe\r\n--x--\r\n", 400),
        (("Content-Type", "multipart/form-data"), b"", 400),
    ] {
        let answer = post("/clarifications", &[header], body);
        assert_eq!(answer.status, expected, "{header:?}: {}", answer.text());
        assert_protected(&answer, "a malformed form");
    }
    let many = "a=1&".repeat(100);
    assert_eq!(post("/clarifications", &[form], many.as_bytes()).status, 413);
    for body in ["", "{", "[]", "{\"login\": 1}", "{\"login\": \"red\"}"] {
        let without = Client { cookie: None, ..red.clone() };
        let bytes =
            without.bytes("POST", "/api/login", &[("Content-Type", "application/json")], body.as_bytes());
        let answer = without.send(&bytes);
        assert_eq!(answer.status, 422, "{body}: {}", answer.text());
        assert!(answer.json()["message"].as_str().unwrap().contains("expected"), "{body}");
    }
}

fn guesses(host: &Host) {
    let mut tries = 0;
    let answer = wait_for("an end of guessing", || {
        tries += 1;
        assert!(tries < 40, "passwords can be guessed without end");
        Some(host.client().log_in("late", "guess")).filter(|answer| answer.text().contains("Too many tries"))
    });
    assert!(tries > 5, "a typing mistake or two is no guessing");
    assert_eq!(answer.header("set-cookie"), None);
    // Not even the right one helps, by neither door, and no other account suffers.
    let right = host.client().log_in("late", PASSWORD);
    assert!(right.header("set-cookie").is_none() && right.text().contains("Too many tries"));
    let by_program = host.client().api("/api/login", None, &json!({ "login": "late", "password": PASSWORD }));
    assert_eq!(by_program.status, 429);
    assert_eq!(host.client().log_in("red", PASSWORD).status, 303);
}

const SCRIPT: &str = "<script>alert(1)</script>";
const MARKUP: &str = "\"><img src=x onerror=alert(1)>'&amp;";
const TURNED: &str = "abc\u{202e}def";

#[test]
fn what_people_write_is_never_markup_and_what_they_send_is_counted() {
    if !require("python") {
        return;
    }
    let desk = desk("max_submissions_per_minute = 3");
    let host = Host::start(&desk);
    let (red, staff) = (host.logged_in("red"), host.logged_in("boss"));
    // Names from a list that somebody typed.
    let list = format!(
        "login,name,password\nscript,{SCRIPT},{PASSWORD}\nmarkup,\"{}\",{PASSWORD}\n",
        MARKUP.replace('"', "\"\"")
    );
    let made = staff.post("/staff/accounts", &[("text", &list)]);
    assert_eq!(made.status, 200, "{}", made.text());
    assert_harmless(&made, "the sheet of credentials");
    // A name that would turn around what stands beside it is refused.
    let turned = staff.post("/staff/accounts", &[("text", &format!("{TURNED}\n"))]);
    assert_eq!(turned.status, 422, "{}", turned.text());
    staff.post("/staff/contest", &[("do", "start")]);

    let evil = host.logged_in("script");
    for text in [SCRIPT, MARKUP, TURNED] {
        assert_eq!(evil.post("/clarifications", &[("text", text)]).status, 303);
        assert_eq!(staff.post("/staff/clarifications", &[("text", text)]).status, 303);
        // A program whose text, name and output are markup.
        let source = format!("# {text}\nprint({text:?})\n");
        let origin = format!("http://{}", host.address);
        let name = text.replace('"', "%22");
        let body = format!(
            "--x\r\nContent-Disposition: form-data; name=\"language\"\r\n\r\npython\r\n--x\r\n\
             Content-Disposition: form-data; name=\"file\"; filename=\"{name}.py\"\r\n\r\n{source}\r\n--x--\r\n"
        );
        let headers = [("Origin", origin.as_str()), ("Content-Type", "multipart/form-data; boundary=x")];
        let answer = evil.send(&evil.bytes("POST", "/problems/A/submit", &headers, body.as_bytes()));
        assert_eq!(answer.status, 303, "{}", answer.text());
    }
    for id in 1..=3 {
        wait_for("a verdict", || {
            evil.get(&format!("/api/submissions/{id}")).json()["verdict"].as_str().map(|_| ())
        });
    }
    // Three in a minute are allowed; the next is not taken, and says so.
    let fourth = evil.submit("A", "python", RIGHT);
    assert!([422, 429].contains(&fourth.status), "{}", fourth.status);
    assert_eq!(evil.get("/submissions/4").status, 404);
    assert_eq!(red.submit("A", "python", RIGHT).status, 303, "others may");
    let large = "a".repeat((1 << 20) + 1);
    assert_eq!(red.submit("A", "python", &large).status, 422);
    for _ in 0..2 {
        evil.post("/clarifications", &[("text", "again")]);
    }
    assert!([422, 429].contains(&evil.post("/clarifications", &[("text", "again")]).status));

    staff.post("/staff/contest", &[("do", "end")]);
    for (client, who) in [(&evil, "its team"), (&red, "another team"), (&staff, "staff")] {
        for path in [
            "/problems",
            "/problems/A",
            "/submissions",
            "/submissions/1",
            "/submissions/2",
            "/submissions/3",
            "/board",
            "/board/table",
            "/clarifications",
            "/staff",
            "/staff/submissions",
            "/staff/accounts",
            "/staff/audit",
            "/staff/contest",
            "/staff/rejudges",
        ] {
            let answer = client.get(path);
            assert_harmless(&answer, &format!("{who}: {path}"));
            assert_protected(&answer, path);
        }
    }
    let source = evil.get("/submissions/1/source");
    let kept = source.header("content-disposition").unwrap();
    assert!(kept.starts_with("attachment; filename=\"") && !kept.contains('<'), "{kept}");
    assert!(source.header("content-type").unwrap().starts_with("text/plain"));
    // A table for a spreadsheet computes nothing.
    let csv = staff.get("/staff/export/results.csv").text();
    assert!(csv.contains("Red Pandas") && csv.contains("script>alert"), "{csv}");
    // An account that is shut out is out at once, with what it has open.
    let page = staff.get("/staff/accounts").text();
    let row = page.split("<code>markup</code>").nth(1).unwrap();
    let id = row.split("/staff/accounts/").nth(1).unwrap().split('"').next().unwrap();
    let markup = host.logged_in("markup");
    assert_eq!(markup.get("/problems").status, 200);
    let mut stream = markup.live();
    staff.post(&format!("/staff/accounts/{id}"), &[("do", "disable")]);
    assert!(stream.ends(), "the stream of an account that is shut out goes on");
    assert_eq!(markup.get("/problems").status, 303);
    assert_eq!(host.client().log_in("markup", PASSWORD).status, 422);
}

/// What was written is there as text, or not at all.
fn assert_harmless(answer: &Answer, what: &str) {
    let text = answer.text();
    assert!(answer.status < 500, "{what}");
    assert!(!text.contains("<script>alert") && !text.contains("<img src=x"), "{what}: {text}");
    assert!(!text.contains("onerror=alert(1)>"), "{what}: {text}");
}
