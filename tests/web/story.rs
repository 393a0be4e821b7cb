//! The story of a contest in real browsers, which `tests/story/story.js` tells.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::desk::Desk;
use crate::toolchain::{lacks, require, say};
use crate::web::host::{Host, PASSWORD, RIGHT, WRONG, contest_toml, write_problem};

const RIGHT_C: &str = r#"#include <stdio.h>
int main(void) {
    int n, a[100], d[104] = {0};
    if (scanf("%d", &n) != 1) return 1;
    for (int i = 0; i < n; i++) if (scanf("%d", &a[i]) != 1) return 1;
    for (int i = n - 1; i >= 0; i--) {
        int best = -1000000000, sum = 0;
        for (int j = i; j < i + 3 && j < n; j++) { sum += a[j]; if (sum - d[j + 1] > best) best = sum - d[j + 1]; }
        d[i] = best;
    }
    puts(d[0] > 0 ? "Alice" : d[0] < 0 ? "Bob" : "Tie");
}
"#;

/// What makes the right program hang on three stones.
const SLOW: &str = "volatile unsigned spins = 0;\n    while (n == 3) spins++;\n    for (int i = n - 1";

/// A folder with the packages that the script needs: one of `NODE_PATH`, else what `.ci/run` installs.
fn packages() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "node finds packages by it, so the test does too")]
    let given = std::env::var("NODE_PATH").unwrap_or_default();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/ci-tools/browser/node_modules");
    let mut folders: Vec<PathBuf> = std::env::split_paths(&given).collect();
    folders.push(own);
    folders
        .into_iter()
        .find(|folder| folder.join("playwright-core").is_dir() && folder.join("axe-core").is_dir())
}

#[test]
fn a_contest_is_lived_through_in_browsers() {
    let chromium = Path::new("/usr/bin/chromium");
    let Some(packages) = packages() else {
        return lacks(
            "playwright-core and axe-core",
            "neither NODE_PATH nor target/ci-tools/browser has them",
        );
    };
    if !chromium.is_file() {
        return lacks("chromium", "there is no /usr/bin/chromium");
    }
    if !["node", "cpp", "c", "python"].into_iter().all(require) {
        return;
    }
    let desk = Desk::new();
    for (slug, title) in [("alpha-xylem", "Quokkas"), ("beta-xylem", "Wombats")] {
        write_problem(&desk, slug, title);
        speak_three_languages(&desk, slug, title);
    }
    let names = "name = { en = \"Night of the Quolls\", ru = \"Ночь кволлов\", zh = \"袋鼬之夜\" }";
    desk.write("contest.toml", contest_toml("").replacen("name = \"Night of the Quolls\"", names, 1));
    // Too strict, until somebody notices.
    let (wrong, right) = ("kind = \"exact\"", "kind = \"tokens\"");
    let file = "problems/beta-xylem/problem.toml";
    let text = std::fs::read_to_string(desk.path(file)).unwrap();
    desk.write(file, text.replacen("[[sample]]", &format!("[checker]\n{wrong}\n\n[[sample]]"), 1));
    let padded = RIGHT_C.replacen("? \"Alice\"", "? \"Alice \"", 1);
    let contest = json!({
        "mend": { "file": desk.path(file), "wrong": wrong, "right": right }, "padded_cpp": padded,
        "admin": "boss", "password": PASSWORD, "right_python": RIGHT, "wrong_python": WRONG,
        "slow_c": RIGHT_C.replacen("for (int i = n - 1", SLOW, 1), "right_c": RIGHT_C, "right_cpp": RIGHT_C,
    });
    desk.write("contest.json", contest.to_string());
    let host = Host::start(&desk);
    let mut command = Command::new("node");
    command
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/story/story.js"))
        .args([format!("http://{}", host.address).into(), desk.path("contest.json").into_os_string()])
        // Pictures to look at are made on demand.
        .args(std::env::var_os("TOUCHSTONE_PICTURES"))
        .env("NODE_PATH", packages)
        .env("TMPDIR", desk.path("tmp"));
    let output = command.output().unwrap();
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (said(&output.stdout), said(&output.stderr));
    assert!(output.status.success(), "{stdout}\n{stderr}");
    let last = stdout.lines().last().unwrap_or_default();
    say(&format!("the story in browsers took {}", last.trim()));
}

fn speak_three_languages(desk: &Desk, slug: &str, title: &str) {
    let file = format!("problems/{slug}/problem.toml");
    let text = std::fs::read_to_string(desk.path(&file)).unwrap();
    let titles = [("Quokkas", "Квокки", "短尾矮袋鼠"), ("Wombats", "Вомбаты", "袋熊")];
    let (en, ru, zh) = titles.into_iter().find(|(en, ..)| *en == title).unwrap();
    let all = format!("title = {{ en = \"{en}\", ru = \"{ru}\", zh = \"{zh}\" }}");
    desk.write(&file, text.replacen(&format!("title = {{ en = \"{title}\" }}"), &all, 1));
    for (code, statement) in [
        (
            "en",
            "Alice and Bob take one to three stones of a row in turn, $1 \\le n \\le 3$. Print `Alice`, `Bob` or `Tie`.\n\n## Input\n\nA number $n$, then $n$ values.\n",
        ),
        (
            "ru",
            "Алиса и Боб по очереди берут от одного до трёх камней ряда, $1 \\le n \\le 3$. Выведите `Alice`, `Bob` или `Tie`.\n\n## Ввод\n\nЧисло $n$, затем $n$ значений.\n",
        ),
        (
            "zh",
            "爱丽丝和鲍勃轮流从一排石子中取走一到三个，$1 \\le n \\le 3$。输出 `Alice`、`Bob` 或 `Tie`。\n\n## 输入\n\n一个数 $n$，接着 $n$ 个数。\n",
        ),
    ] {
        desk.write(format!("problems/{slug}/statement.{code}.md"), statement);
    }
}
