//! Files as people write them, with their mistakes.

use proptest::prelude::*;

use super::*;

/// `message @ the text it points at`, each mistake with its place.
fn mistakes(text: &str) -> Vec<String> {
    let (config, mistakes) = parse(text);
    assert_eq!(config.is_none(), !mistakes.is_empty(), "{text}");
    let line = |mistake: &Diagnostic| {
        let place = mistake.labels.first().map_or("", |label| &text[label.span.clone()]);
        format!("{} @ {place}", mistake.message)
    };
    mistakes.iter().map(line).collect()
}

fn read(text: &str) -> Config {
    let (config, mistakes) = parse(text);
    config.unwrap_or_else(|| panic!("{text}: {mistakes:?}"))
}

#[test]
fn the_template_says_what_holds_without_it() {
    assert_eq!(read(TEMPLATE), Config::default());
    assert_eq!(read(""), Config::default());
    // Its examples are right, too.
    let lines = TEMPLATE.lines().map(|line| match line.strip_prefix('#') {
        Some(example) if !example.starts_with(' ') => example,
        _ => line,
    });
    let config = read(&lines.collect::<Vec<_>>().join("\n"));
    assert_eq!(config.start_ms, Some(1_796_108_400_000));
    assert_eq!(config.freeze_before_end_ms, Some(3_600_000));
    assert_eq!(config.problems.len(), 2);
    assert_eq!(config.accounts[0].name, "The Owls");
    assert!(config.check_names("", &["stone-game", "stone-game-ii"], &["cpp", "java", "python"]).is_empty());
}

#[test]
fn every_key_is_read() {
    let config = read(
        r##"
        name = { zh = "练习赛", en = "Practice" }
        start = 2026-12-01T10:00:00+03:00
        duration = "1h30min"
        freeze = "1h30min"
        scoring = "ioi"
        best = "submission"
        penalty_minutes = 10
        compile_errors_count = true
        languages = ["cpp", "rust"]
        ui_language = "ru"
        max_submissions_per_minute = 3
        public_board = false
        practice = { upsolving = false, virtual_starts = false, feedback = "never", smallest = false }
        problem = [{ slug = "b", label = "X1", color = "RED" }, { slug = "a" }, { slug = "c", color = "#0aF" }]
        account = [{ login = "Ada", password = "secret-1", role = "admin" }, { login = "bob", name = "Bob B." }]
        "##,
    );
    assert_eq!((config.name("zh"), config.name("ru")), ("练习赛", "Practice"));
    assert_eq!((config.start_ms, config.duration_ms), (Some(1_796_108_400_000), 5_400_000));
    assert_eq!(config.freeze_before_end_ms, Some(5_400_000));
    let rules = super::super::Rules {
        scoring: super::super::Scoring::Ioi,
        best: super::super::Best::PerSubmission,
        penalty_minutes: 10,
        compile_errors_count: true,
    };
    assert_eq!(config.rules, rules);
    assert_eq!(config.languages, ["cpp", "rust"]);
    assert_eq!((config.ui_language.as_deref(), config.max_submissions_per_minute), (Some("ru"), 3));
    assert!(!config.public_board);
    let never =
        Practice { upsolving: false, virtual_starts: false, feedback: Feedback::Never, smallest: false };
    assert_eq!(config.practice, never);
    let problems: Vec<String> =
        config.problems.iter().map(|it| format!("{} {} {}", it.slug, it.label, it.color)).collect();
    assert_eq!(problems, ["b X1 #d62728", "a B #1f77b4", "c C #00aaff"]);
    let account = |login: &str, name: &str, password: Option<&str>, is_admin| AccountEntry {
        login: login.to_owned(),
        name: name.to_owned(),
        password: password.map(str::to_owned),
        is_admin,
    };
    assert_eq!(
        config.accounts,
        [account("ada", "ada", Some("secret-1"), true), account("bob", "Bob B.", None, false)]
    );
    // As the store keeps it: without passwords.
    let json = serde_json::to_string(&config).unwrap();
    assert!(!json.contains("secret-1"), "{json}");
    let mut bare = config;
    bare.accounts[0].password = None;
    assert_eq!(serde_json::from_str::<Config>(&json).unwrap(), bare);
}

#[test]
fn every_mistake_is_told_at_once_with_its_place() {
    let text = r##"
name = { en = "", english = "x" }
start = "2026-12-01 10:00"
duration = 5
freeze = "1 hour"
scoring = "iio"
best = "subtasks"
penalty_minutes = -1
compile_errors_count = "no"
problems = ["stone-game", "Stone", "stone-game"]
languages = ["cpp", "cpp", 3]
ui_language = "fr"
max_submissions_per_minute = 0
public_bord = true
[practice]
feedback = "allways"
[[account]]
name = "x"
[[account]]
login = "a b"
password = "short"
"##;
    assert_eq!(
        mistakes(text),
        [
            "`name.en` is empty @ \"\"",
            "`english` is not the code of a language @ english",
            "`2026-12-01 10:00` is not an instant: it does not say where this is the time @ \"2026-12-01 10:00\"",
            "`duration` should be a length of time in quotes, as in \"5h\" or \"1h30min\" @ 5",
            "`1 hour` is not a length of time: expected a unit out of d, h, min and s after each number @ \"1 hour\"",
            "`scoring` cannot be \"iio\" @ \"iio\"",
            "`best` cannot be \"subtasks\" @ \"subtasks\"",
            "`penalty_minutes` is too small: -1 @ -1",
            "`compile_errors_count` should be true or false @ \"no\"",
            "`Stone` cannot name a problem: expected 1 to 64 lower-case letters and digits, words joined by single `-`, \
             as in `stone-game-iii` @ \"Stone\"",
            "the problem `stone-game` is there twice @ \"stone-game\"",
            "the language `cpp` is there twice @ \"cpp\"",
            "`languages` should be the id of a language, as in \"cpp\" @ 3",
            "`ui_language` cannot be \"fr\" @ \"fr\"",
            "`max_submissions_per_minute` is too small: 0 @ 0",
            "`practice.feedback` cannot be \"allways\" @ \"allways\"",
            "`[[account]]` has no `login` @ [[account]]",
            "`a b` cannot be a login: expected 1 to 32 of the letters a to z, digits, `.`, `_` and `-`, the first a \
             letter or a digit @ \"a b\"",
            "the password is too short: expected 6 characters at least @ \"short\"",
            "unknown key `public_bord` in the file @ public_bord",
        ]
    );
}

#[test]
fn a_contest_makes_sense_as_a_whole() {
    let freeze = "duration = \"1h\"\nfreeze = \"61min\"";
    assert_eq!(mistakes(freeze), ["the freeze is longer than the contest @ \"61min\""]);
    assert_eq!(mistakes("freeze = \"5h1s\""), ["the freeze is longer than the contest @ \"5h1s\""]);
    assert!(mistakes("duration = \"x\"\nfreeze = \"100h\"")[0].contains("not a length of time"));
    let twice = "problems = [\"a\"]\n[[problem]]\nslug = \"b\"";
    assert!(mistakes(twice)[0].starts_with("the problems are given twice"), "{:?}", mistakes(twice));
    let labels =
        "problem = [{ slug = \"a\", label = \"B\" }, { slug = \"b\" }, { slug = \"c\", label = \"é\" }]";
    assert_eq!(
        mistakes(labels),
        ["two problems have the label `B` @ { slug = \"b\" }", "`problem.label` cannot be this @ \"é\""]
    );
    assert_eq!(
        mistakes("problem = [{ slug = \"a\", color = \"reddish\" }]"),
        ["`problem.color` is no colour that is known @ \"reddish\""]
    );
    assert_eq!(parse(&"#".repeat(MAX_TEXT_BYTES + 1)).1.len(), 1);
    assert!(mistakes("start = 10:00:00")[0].contains("expected a date"));
}

#[test]
fn names_that_are_not_there_are_told_with_the_nearest() {
    let told = |text: &str| {
        let mistakes = read(text).check_names(text, &["stone-game", "stone-game-ii"], &["cpp", "python"]);
        let line = |mistake: Diagnostic| {
            let label = &mistake.labels[0];
            format!("{} @ {}: {}", mistake.message, &text[label.span.clone()], label.text)
        };
        mistakes.into_iter().map(line).collect::<Vec<_>>()
    };
    assert_eq!(
        told("problems = [\"stone-game\", \"stone-gam\"]\nlanguages = [\"cp\"]"),
        [
            "there is no problem `stone-gam` @ \"stone-gam\": did you mean `stone-game`?",
            "there is no language `cp` @ \"cp\": did you mean `cpp`?"
        ]
    );
    assert_eq!(told("problem = [{ slug = \"x\" }]"), ["there is no problem `x` @ \"x\": "]);
}

#[test]
fn problems_have_labels_and_colours_of_their_own() {
    let labels = [0, 1, 25, 26, 51, 52, 701, 702].map(default_label);
    assert_eq!(labels, ["A", "B", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    let all: std::collections::HashSet<String> = (0..COLORS.len()).map(default_color).collect();
    assert_eq!(all.len(), COLORS.len());
    assert!(all.iter().all(|it| color(it).as_ref() == Some(it)), "{all:?}");
    assert_eq!(default_color(COLORS.len()), default_color(0));
    let entries = Config::default().problems_of(&["x", "y"]);
    assert_eq!((entries[1].slug.as_str(), entries[1].label.as_str()), ("y", "B"));
}

fn value() -> impl Strategy<Value = String> {
    let words: &[&str] = &[
        "\"5h\"",
        "\"ioi\"",
        "true",
        "1",
        "-1",
        "1.5",
        "[]",
        "{}",
        "[1]",
        "{ en = \"x\" }",
        "\"a\"",
        "[\"a\", \"a\"]",
        "2026-12-01",
        "2026-12-01T10:00:00Z",
        "10:00:00",
        "[{}]",
        "[{ slug = \"a\" }]",
        "[{ login = \"a\" }]",
        "\"\"",
        "[[[]]]",
        "9223372036854775808",
        "'''\n'''",
        "{ slug = [] }",
        "\"\\u202e\"",
    ];
    prop_oneof![prop::sample::select(words).prop_map(str::to_owned), "\\PC{0,12}"]
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_with_places_inside_it(
        lines in prop::collection::vec((prop::sample::select(&[
            "name", "start", "duration", "freeze", "scoring", "best", "penalty_minutes", "compile_errors_count",
            "problems", "problem", "languages", "ui_language", "max_submissions_per_minute", "public_board",
            "practice", "account", "practice.feedback", "name.ru", "x",
        ][..]), value()), 0..8),
        noise in "\\PC{0,20}",
    ) {
        let mut text: String = lines.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        text += &noise;
        let (config, mistakes) = parse(&text);
        prop_assert!(config.is_some() != mistakes.iter().any(|it| it.severity == Severity::Error));
        for label in mistakes.iter().flat_map(|mistake| &mistake.labels) {
            prop_assert!(text.get(label.span.clone()).is_some(), "{:?}", label);
        }
        if let Some(config) = config {
            prop_assert!(config.duration_ms > 0 && !config.names.is_empty());
            prop_assert!(config.check_names(&text, &[], &[]).len() == config.problems.len() + config.languages.len());
        }
    }
}
