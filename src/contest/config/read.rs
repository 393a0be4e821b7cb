//! From the tables of a `contest.toml` to a [`Config`], every mistake at once. Nothing half-valid leaves this room.

use std::collections::HashSet;

use super::time::{TimeError, parse_duration, parse_instant};
use super::{
    AccountEntry, Config, Feedback, MAX_LANGUAGES, MAX_NAMES, MAX_PROBLEMS, Practice, ProblemEntry,
    UI_LANGUAGES, color, default_color, default_label,
};
use crate::contest::{Best, Rules, Scoring, roster};
use crate::problem::read::{Item, Mistakes, Table};
use crate::problem::{check_slug, is_language_code};

/// What a rejected attempt may cost: a day.
const MAX_PENALTY_MINUTES: i64 = 24 * 60;
/// A team that hands in more often than this is a program.
const MAX_SUBMISSIONS_PER_MINUTE: i64 = 1000;
/// Accounts of a file; longer lists are imported.
const MAX_ACCOUNTS: usize = 1000;
/// The longest label of a problem.
const MAX_LABEL_CHARS: usize = 4;

pub(super) fn config(mut root: Table<'_>, mistakes: &mut Mistakes) -> Config {
    let default = Config::default();
    let names = root.take("name").map(|item| names(&item, mistakes)).unwrap_or(default.names);
    let start_ms = root.take("start").and_then(|item| {
        let text = item.text_or_time("an instant, as in \"2026-12-01T10:00:00+03:00\"", mistakes)?;
        time(&item, &text, parse_instant, mistakes)
    });
    let length = |item: &Item<'_>, mistakes: &mut Mistakes| {
        let text = item.text("a length of time in quotes, as in \"5h\" or \"1h30min\"", mistakes)?;
        time(item, text, parse_duration, mistakes)
    };
    let duration = root.take("duration");
    let duration_ms = duration.as_ref().map(|item| length(item, mistakes));
    let freeze = root.take("freeze");
    let freeze_before_end_ms = freeze.as_ref().and_then(|item| length(item, mistakes));
    // A duration that could not be read is no measure for the freeze.
    let known_ms = duration_ms.unwrap_or(Some(default.duration_ms));
    if let (Some(item), Some(freeze_ms), Some(duration_ms)) = (&freeze, freeze_before_end_ms, known_ms)
        && freeze_ms > duration_ms
    {
        let label = "it counts back from the end";
        let mut mistake = item.mistake("the freeze is longer than the contest", label);
        if let Some(duration) = &duration {
            mistake = mistake.at(duration.span.clone(), "the contest's length");
        }
        mistakes.add(mistake);
    }
    let rules = rules(&mut root, mistakes);
    let problems = problems(&mut root, mistakes);
    let languages = root.take("languages").map(|item| languages(&item, mistakes)).unwrap_or_default();
    let ui_languages = UI_LANGUAGES.map(|code| (code, code));
    let ui_language = root.take("ui_language").and_then(|item| item.choice(&ui_languages, mistakes));
    let per_minute = root
        .take("max_submissions_per_minute")
        .and_then(|item| item.integer_in(1, MAX_SUBMISSIONS_PER_MINUTE, mistakes))
        .and_then(|number| u32::try_from(number).ok());
    let public_board = root.take("public_board").and_then(|item| item.boolean(mistakes));
    let practice = practice(&mut root, mistakes);
    let accounts = accounts(&mut root, mistakes);
    root.finish(mistakes);
    Config {
        names,
        start_ms,
        duration_ms: known_ms.unwrap_or(default.duration_ms),
        freeze_before_end_ms,
        rules,
        problems,
        languages,
        practice,
        ui_language: ui_language.map(str::to_owned),
        max_submissions_per_minute: per_minute.unwrap_or(default.max_submissions_per_minute),
        public_board: public_board.unwrap_or(default.public_board),
        accounts,
    }
}

fn time(
    item: &Item<'_>,
    text: &str,
    parse: impl Fn(&str) -> Result<i64, TimeError>,
    mistakes: &mut Mistakes,
) -> Option<i64> {
    let wrong = |error: TimeError| mistakes.add(item.mistake(error.message, "").help(error.help));
    parse(text).map_err(wrong).ok()
}

/// One name, or one for each language.
fn names(item: &Item<'_>, mistakes: &mut Mistakes) -> Vec<(String, String)> {
    const EXPECTED: &str = "the contest's name, or a table of languages, as in { en = \"Spring contest\" }";
    let name = |item: &Item<'_>, mistakes: &mut Mistakes| {
        let text = item.some_text(EXPECTED, mistakes)?;
        roster::check_name(text).map_err(|error| mistakes.add(item.mistake(error, ""))).ok()
    };
    if !item.is_table() {
        return name(item, mistakes).map(|name| ("en".to_owned(), name)).into_iter().collect();
    }
    let mut names: Vec<(String, String)> = Vec::new();
    let Some(table) = item.table("`name`".to_owned(), EXPECTED, mistakes) else { return names };
    for one in table.others().take(MAX_NAMES) {
        if !is_language_code(one.key) {
            let message = format!("`{}` is not the code of a language", one.key);
            let label = "expected two or three lower-case letters, as in `en`, `zh` or `pt-BR`";
            mistakes.add(crate::diagnostic::Diagnostic::error(message).at(one.key_span.clone(), label));
        }
        names.extend(name(&one, mistakes).map(|name| (one.key.to_owned(), name)));
    }
    if table.others().next().is_none() {
        mistakes.add(item.mistake("`name` names no language", format!("expected {EXPECTED}")));
    }
    names
}

fn rules(root: &mut Table<'_>, mistakes: &mut Mistakes) -> Rules {
    let default = Rules::default();
    let scorings = [("icpc", Scoring::Icpc), ("ioi", Scoring::Ioi)];
    let bests = [("subtask", Best::PerSubtask), ("submission", Best::PerSubmission)];
    let scoring = root.take("scoring").and_then(|item| item.choice(&scorings, mistakes));
    let best = root.take("best").and_then(|item| item.choice(&bests, mistakes));
    let penalty =
        root.take("penalty_minutes").and_then(|item| item.integer_in(0, MAX_PENALTY_MINUTES, mistakes));
    let compile_errors = root.take("compile_errors_count").and_then(|item| item.boolean(mistakes));
    Rules {
        scoring: scoring.unwrap_or(default.scoring),
        best: best.unwrap_or(default.best),
        penalty_minutes: penalty
            .and_then(|minutes| u32::try_from(minutes).ok())
            .unwrap_or(default.penalty_minutes),
        compile_errors_count: compile_errors.unwrap_or(default.compile_errors_count),
    }
}

/// `problems = ["…"]`, or `[[problem]]` for those who care about labels and colours.
fn problems(root: &mut Table<'_>, mistakes: &mut Mistakes) -> Vec<ProblemEntry> {
    let (list, tables) = (root.take("problems"), root.take("problem"));
    if let (Some(list), Some(tables)) = (&list, &tables) {
        let message = "the problems are given twice, as `problems` and as `[[problem]]`";
        mistakes.add(tables.mistake(message, "keep one of the two").at(list.key_span.clone(), ""));
    }
    let mut seen = Seen::default();
    let mut entries = Vec::new();
    if let Some(list) = list {
        let expected = "slugs, as in [\"stone-game\", \"stone-game-ii\"]";
        let items = at_most(MAX_PROBLEMS, list.elements(expected, mistakes), "problems", mistakes);
        for item in items {
            let index = entries.len();
            let slug =
                item.text("a problem's slug", mistakes).and_then(|slug| seen.slug(&item, slug, mistakes));
            entries.extend(slug.map(|slug| ProblemEntry {
                slug,
                label: default_label(index),
                color: default_color(index),
            }));
        }
    }
    for mut table in tables.map_or_else(Vec::new, |item| item.tables(MAX_PROBLEMS, mistakes)) {
        let index = entries.len();
        let slug = table.need("slug", "`slug = \"…\"`, the name of its folder in problems/");
        let slug = slug.and_then(|item| seen.slug(&item, item.text("a problem's slug", mistakes)?, mistakes));
        let label = table.take("label");
        let label_text = label.as_ref().and_then(|item| problem_label(item, mistakes));
        let place = label.map_or_else(|| table.span.clone(), |item| item.span);
        let label = label_text.unwrap_or_else(|| default_label(index));
        if !seen.labels.insert(label.to_lowercase()) {
            let message = format!("two problems have the label `{label}`");
            mistakes.add(crate::diagnostic::Diagnostic::error(message).at(place, "the second one"));
        }
        let color = table.take("color").and_then(|item| problem_color(&item, mistakes));
        table.finish(mistakes);
        entries.push(ProblemEntry {
            slug: slug.unwrap_or_default(),
            label,
            color: color.unwrap_or_else(|| default_color(index)),
        });
    }
    entries
}

/// What a problem, a label or a login may not be again.
#[derive(Default)]
struct Seen {
    slugs: HashSet<String>,
    labels: HashSet<String>,
}

impl Seen {
    fn slug(&mut self, item: &Item<'_>, slug: &str, mistakes: &mut Mistakes) -> Option<String> {
        if let Err(error) = check_slug(slug) {
            mistakes.add(item.mistake(error, ""));
            return None;
        }
        if !self.slugs.insert(slug.to_owned()) {
            mistakes.add(item.mistake(format!("the problem `{slug}` is there twice"), "the second time"));
        }
        Some(slug.to_owned())
    }
}

fn problem_label(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<String> {
    let text = item.text("a label, as in \"A\"", mistakes)?;
    // It is part of addresses and of file names.
    let is_sound =
        (1..=MAX_LABEL_CHARS).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !is_sound {
        let label =
            format!("expected 1 to {MAX_LABEL_CHARS} letters of ASCII and digits, as in \"A\" or \"B2\"");
        mistakes.add(item.mistake(format!("`{}` cannot be this", item.path), label));
    }
    is_sound.then(|| text.to_owned())
}

fn problem_color(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<String> {
    let text = item.text("a colour, as in \"#e6194b\" or \"red\"", mistakes)?;
    let found = color(text);
    if found.is_none() {
        let known: Vec<&str> = super::COLOR_NAMES.iter().map(|(name, _)| *name).collect();
        let mistake =
            item.mistake(format!("`{}` is no colour that is known", item.path), "expected as in \"#e6194b\"");
        mistakes.add(mistake.help(format!("colours with names: {}", known.join(", "))));
    }
    found
}

fn languages(item: &Item<'_>, mistakes: &mut Mistakes) -> Vec<String> {
    let expected = "ids of languages, as in [\"cpp\", \"python\"]";
    let items = item.elements(expected, mistakes);
    let mut languages: Vec<String> = Vec::new();
    for item in at_most(MAX_LANGUAGES, items, "languages", mistakes) {
        let Some(text) = item.some_text("the id of a language, as in \"cpp\"", mistakes) else { continue };
        if languages.iter().any(|known| known == text) {
            mistakes.add(item.mistake(format!("the language `{text}` is there twice"), "the second time"));
        }
        languages.push(text.to_owned());
    }
    languages
}

fn at_most<'t>(
    max: usize,
    items: Option<Vec<Item<'t>>>,
    what: &str,
    mistakes: &mut Mistakes,
) -> Vec<Item<'t>> {
    let mut items = items.unwrap_or_default();
    if let Some(item) = items.get(max) {
        mistakes.add(item.mistake(format!("more than {max} {what}"), "one too many"));
        items.truncate(max);
    }
    items
}

fn practice(root: &mut Table<'_>, mistakes: &mut Mistakes) -> Practice {
    let default = Practice::default();
    let Some(item) = root.take("practice") else { return default };
    let Some(mut table) = item.table("`[practice]`".to_owned(), "a table", mistakes) else { return default };
    let feedbacks =
        [("after-end", Feedback::AfterEnd), ("always", Feedback::Always), ("never", Feedback::Never)];
    let upsolving = table.take("upsolving").and_then(|item| item.boolean(mistakes));
    let virtual_starts = table.take("virtual_starts").and_then(|item| item.boolean(mistakes));
    let feedback = table.take("feedback").and_then(|item| item.choice(&feedbacks, mistakes));
    let smallest = table.take("smallest").and_then(|item| item.boolean(mistakes));
    table.finish(mistakes);
    Practice {
        upsolving: upsolving.unwrap_or(default.upsolving),
        virtual_starts: virtual_starts.unwrap_or(default.virtual_starts),
        feedback: feedback.unwrap_or(default.feedback),
        smallest: smallest.unwrap_or(default.smallest),
    }
}

fn accounts(root: &mut Table<'_>, mistakes: &mut Mistakes) -> Vec<AccountEntry> {
    let Some(item) = root.take("account") else { return Vec::new() };
    let mut logins = HashSet::new();
    let mut accounts = Vec::new();
    for mut table in item.tables(MAX_ACCOUNTS, mistakes) {
        let login = table.need("login", "`login = \"…\"`").and_then(|item| {
            let login = checked(&item, roster::check_login, mistakes)?;
            if !logins.insert(login.clone()) {
                mistakes.add(item.mistake(format!("the login `{login}` is there twice"), "the second time"));
            }
            Some(login)
        });
        let name = table.take("name").and_then(|item| checked(&item, roster::check_name, mistakes));
        let password = table.take("password").and_then(|item| {
            checked(&item, |text| roster::check_password(text).map(|()| text.to_owned()), mistakes)
        });
        let roles = [("team", false), ("admin", true)];
        let is_admin = table.take("role").and_then(|item| item.choice(&roles, mistakes));
        table.finish(mistakes);
        let login = login.unwrap_or_default();
        accounts.push(AccountEntry {
            name: name.unwrap_or_else(|| login.clone()),
            login,
            password,
            is_admin: is_admin.unwrap_or(false),
        });
    }
    accounts
}

fn checked(
    item: &Item<'_>,
    check: impl Fn(&str) -> Result<String, String>,
    mistakes: &mut Mistakes,
) -> Option<String> {
    let text = item.text("a text", mistakes)?;
    check(text).map_err(|error| mistakes.add(item.mistake(error, ""))).ok()
}
