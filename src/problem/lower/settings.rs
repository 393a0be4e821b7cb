//! The parts of a `problem.toml` that say nothing about inputs: titles, limits, function, answer, families, waivers.

use super::super::read::{Item, Mistakes, Table};
use super::super::{Answer, Families, Function, Returns, Waiver};
use super::model::is_identifier;
use crate::diagnostic::{Diagnostic, nearest};
use crate::input::coverage::Goal;
use crate::limits::{Limits, MemoryLimit, TimeLimit};

/// Languages whose function name may be given, by id.
const LANGUAGES: [&str; 10] =
    ["c", "cpp", "csharp", "go", "java", "javascript", "kotlin", "python", "rust", "typescript"];
/// Words that are keywords of a language with a driver, so that no function there can have them as its name.
const KEYWORDS: &str = " abstract alignas alignof and any as assert async auto await bool boolean break byte case \
    catch chan char class const constexpr continue debugger def default defer del delete do double elif else enum \
    except explicit export extends extern false final finally float for friend from func function global go goto \
    if implements import in inline instanceof int interface is lambda let long main map namespace native new nil \
    None nonlocal not null number object operator or package pass private protected public raise range register \
    return select short signed sizeof static string struct super switch template this throw throws transient true \
    True False try type typedef typeof union unsigned using var virtual void volatile while with yield ";
/// The families that make tests, in package order.
pub(super) const FAMILIES: [&str; 9] = [
    "samples",
    "cases",
    "exhaustive",
    "small_random",
    "plateaus",
    "edges",
    "max_small_values",
    "max_random",
    "hunt",
];
/// The most tests that one random family may make.
const MAX_COUNT: i64 = 1000;
/// The most languages, texts, patterns and waivers that may be listed, each by itself.
const MAX_LISTED: usize = 1000;
/// The most inputs that `exhaustive` may hold.
const MAX_BUDGET: i64 = 1_000_000;

pub(super) fn format(root: &mut Table<'_>, mistakes: &mut Mistakes) {
    let Some(item) = root.need("format", "`format = 1` as the first line") else { return };
    if let Some(format) = item.integer(mistakes)
        && format != 1
    {
        let mistake = item.mistake(format!("format {format} is not known"), "expected 1");
        mistakes.add(mistake.help("a newer touchstone may read it"));
    }
}

pub(super) fn titles(root: &mut Table<'_>, mistakes: &mut Mistakes) -> Vec<(String, String)> {
    let like = "`title = { en = \"…\" }`";
    let Some(item) = root.need("title", like) else { return Vec::new() };
    let expected = "a table of languages, as in { en = \"Stone Game\" }";
    let Some(table) = item.table("`title`".to_owned(), expected, mistakes) else { return Vec::new() };
    let mut titles = Vec::new();
    for title in table.others().take(MAX_LISTED) {
        if !is_language_code(title.key) {
            let message = format!("`{}` is not the code of a language", title.key);
            let label = "expected two or three lower-case letters, as in `en`, `zh` or `pt-BR`";
            mistakes.add(Diagnostic::error(message).at(title.key_span.clone(), label));
        }
        if let Some(text) = title.some_text("the problem's title in this language", mistakes) {
            titles.push((title.key.to_owned(), text.to_owned()));
        }
    }
    if table.others().next().is_none() {
        mistakes.add(item.mistake("`title` names no language", format!("expected {expected}")));
    }
    titles
}

/// `en`, `zh`, `yue`, `pt-BR`, `zh-Hant`.
pub(crate) fn is_language_code(code: &str) -> bool {
    let (language, region) = code.split_once('-').map_or((code, None), |(code, region)| (code, Some(region)));
    (2..=3).contains(&language.len())
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && region.is_none_or(|region| {
            (2..=4).contains(&region.len()) && region.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
}

pub(super) fn limits(root: &mut Table<'_>, mistakes: &mut Mistakes) -> Option<Limits> {
    let like = "`[limits]` with `time = \"1s\"` and `memory = \"256MiB\"`";
    let item = root.need("limits", like)?;
    let mut table = item.table("`[limits]`".to_owned(), "a table", mistakes)?;
    let time = table.need("time", "`time = \"1s\"`");
    let memory = table.need("memory", "`memory = \"256MiB\"`");
    let time =
        time.and_then(|item| limit(&item, "a text like \"1s\" or \"500ms\"", TimeLimit::parse, mistakes));
    let memory = memory.and_then(|item| limit(&item, "a text like \"256MiB\"", MemoryLimit::parse, mistakes));
    table.finish(mistakes);
    Some(Limits { time: time?, memory: memory? })
}

fn limit<T, E: std::fmt::Display>(
    item: &Item<'_>,
    expected: &str,
    parse: impl Fn(&str) -> Result<T, E>,
    mistakes: &mut Mistakes,
) -> Option<T> {
    let text = item.text(expected, mistakes)?;
    parse(text).map_err(|error| mistakes.add(item.mistake(error.to_string(), ""))).ok()
}

pub(super) fn function(root: &mut Table<'_>, mistakes: &mut Mistakes) -> Option<Function> {
    let item = root.take("function")?;
    let mut table = item.table("`[function]`".to_owned(), "a table", mistakes)?;
    let name = table.need("name", "`name = \"…\"`, in camel case");
    let returns = table.need("returns", "`returns = \"int\"`");
    let name = name.and_then(|item| function_name(&item, mistakes));
    let returns = returns.and_then(|item| self::returns(&item, mistakes));
    let names = table.take("names").map_or_else(Vec::new, |item| function_names(&item, mistakes));
    table.finish(mistakes);
    Some(Function { name: name?, names, returns: returns? })
}

/// Whether a name means something else in one of the languages with a driver.
pub(crate) fn is_keyword(name: &str) -> bool {
    KEYWORDS.split(' ').any(|word| word == name)
}

fn function_name(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<String> {
    let name = item.text("a name", mistakes)?;
    if !is_identifier(name) {
        let label = "expected a letter, then letters, digits and `_`";
        mistakes.add(item.mistake(format!("`{name}` cannot name a function"), label));
        return None;
    }
    if is_keyword(name) {
        let message = format!("`{name}` means something else in one of the languages");
        mistakes.add(item.mistake(message, "choose another name"));
        return None;
    }
    Some(name.to_owned())
}

fn function_names(item: &Item<'_>, mistakes: &mut Mistakes) -> Vec<(String, String)> {
    let table = item.table("`[function.names]`".to_owned(), "a table of languages", mistakes);
    let mut names = Vec::new();
    for item in table.iter().flat_map(Table::others).take(MAX_LISTED) {
        if !LANGUAGES.contains(&item.key) {
            let near = nearest(item.key, LANGUAGES);
            let label = near.map_or(String::new(), |near| format!("did you mean `{near}`?"));
            let mistake = Diagnostic::error(format!("`{}` is not the id of a language", item.key));
            let help = format!("known: {}", LANGUAGES.join(", "));
            mistakes.add(mistake.at(item.key_span.clone(), label).help(help));
        }
        if let Some(name) = function_name(&item, mistakes) {
            names.push((item.key.to_owned(), name));
        }
    }
    names
}

fn returns(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<Returns> {
    const EXPECTED: &str = "\"bool\", \"int\", \"long\", \"string\", \"int[]\", or a list of texts";
    if item.is_array() {
        return one_of(item, mistakes);
    }
    let text = item.text(EXPECTED, mistakes)?;
    let types = ["bool", "int", "long", "string", "int[]"];
    Some(match text {
        "bool" => Returns::Bool,
        "int" => Returns::Int,
        "long" => Returns::Long,
        "string" => Returns::Text,
        "int[]" => Returns::IntArray,
        _ => {
            let near = nearest(text, types);
            let label =
                near.map_or(format!("expected {EXPECTED}"), |near| format!("did you mean \"{near}\"?"));
            let mistake = item.mistake(format!("`{text}` is not a type that a function can return"), label);
            mistakes.add(mistake.help(format!("expected {EXPECTED}")));
            return None;
        }
    })
}

fn one_of(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<Returns> {
    let elements = item.elements("a list of texts", mistakes)?;
    let mut texts: Vec<String> = Vec::new();
    for element in elements.iter().take(MAX_LISTED) {
        let Some(text) = element.some_text("a text that the function may return", mistakes) else { continue };
        if text.contains(['\n', '\r']) {
            mistakes.add(element.mistake("a returned text cannot have a line break", ""));
        } else if texts.iter().any(|other| other == text) {
            mistakes.add(element.mistake(format!("`{text}` is listed twice"), ""));
        }
        texts.push(text.to_owned());
    }
    if elements.is_empty() || elements.len() > MAX_LISTED {
        let message = format!("`function.returns` lists {} texts", elements.len());
        mistakes.add(item.mistake(message, format!("expected 1 to {MAX_LISTED}")));
    }
    Some(Returns::OneOf(texts))
}

/// Where answers come from. With an interactor they may come from nowhere.
pub(super) fn answer(root: &mut Table<'_>, is_interactive: bool, mistakes: &mut Mistakes) -> Option<Answer> {
    let like = "`[answer]` with `solver = \"…\"` (built in) or `program = \"solutions/…\"`";
    if is_interactive && root.take("answer").is_none() {
        return Some(Answer::None);
    }
    let item = root.need("answer", like)?;
    let mut table = item.table("`[answer]`".to_owned(), "a table", mistakes)?;
    let (solver, program) = (table.take("solver"), table.take("program"));
    table.finish(mistakes);
    match (solver, program) {
        (Some(solver), Some(program)) => {
            let mistake =
                program.mistake("`[answer]` names both a solver and a program", "and here a program");
            mistakes.add(mistake.at(solver.span, "here a solver").help("keep one of them"));
            None
        }
        (Some(solver), None) => {
            Some(Answer::Solver(solver.some_text("the name of a built-in solver", mistakes)?.to_owned()))
        }
        (None, Some(program)) => program_path(&program, mistakes).map(Answer::Program),
        (None, None) => {
            let mistake = item.mistake("`[answer]` names neither a solver nor a program", "");
            mistakes.missing(mistake.help(format!("add {like}")));
            None
        }
    }
}

fn program_path(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<String> {
    let expected = "a path, as in \"solutions/my-problem/accepted/reference.cpp\"";
    inner_path(item, expected, "the workspace", mistakes)
}

/// A path that stays inside of `place`, written with `/` on every system.
pub(super) fn inner_path(
    item: &Item<'_>,
    expected: &str,
    place: &str,
    mistakes: &mut Mistakes,
) -> Option<String> {
    let path = item.some_text(expected, mistakes)?;
    let inside = !path.starts_with('/')
        && !path.contains(['\\', '\0', ':'])
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    if !inside {
        let label = format!("expected a path relative to {place}, with `/` and without `..`");
        mistakes.add(item.mistake(format!("`{}` does not stay inside {place}", path.escape_debug()), label));
        return None;
    }
    Some(path.to_owned())
}

pub(super) fn families(root: &mut Table<'_>, mistakes: &mut Mistakes) -> Option<Families> {
    let item = root.take("families")?;
    let mut table = item.table("`[families]`".to_owned(), "a table", mistakes)?;
    let mut families = Families {
        exhaustive_budget: number_in(&mut table, "exhaustive", "budget", MAX_BUDGET, mistakes),
        small_random_count: number_in(&mut table, "small_random", "count", MAX_COUNT, mistakes),
        max_small_values_count: number_in(&mut table, "max_small_values", "count", MAX_COUNT, mistakes),
        max_random_count: number_in(&mut table, "max_random", "count", MAX_COUNT, mistakes),
        off: Vec::new(),
    };
    if let Some(off) = table.take("off") {
        let patterns = off.elements("a list of patterns, as in [\"edges/*/geometric\"]", mistakes)?;
        for pattern in patterns.into_iter().take(MAX_LISTED) {
            families.off.extend(off_pattern(&pattern, mistakes));
        }
    }
    table.finish(mistakes);
    Some(families)
}

fn number_in(
    table: &mut Table<'_>,
    family: &'static str,
    key: &'static str,
    max: i64,
    mistakes: &mut Mistakes,
) -> Option<u32> {
    let item = table.take(family)?;
    let mut family = item.table(format!("`families.{family}`"), &format!("{{ {key} = … }}"), mistakes)?;
    let number = family.take(key).and_then(|item| item.integer_in(0, max, mistakes));
    if item.key == "small_random"
        && let Some(sizes) = family.take("sizes")
        && let Some(text) = sizes.text("\"log\"", mistakes)
        && text != "log"
    {
        mistakes.add(sizes.mistake(format!("sizes cannot be drawn by `{text}`"), "expected \"log\""));
    }
    family.finish(mistakes);
    number.and_then(|number| u32::try_from(number).ok())
}

fn off_pattern(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<String> {
    let pattern = item.some_text("a pattern over test names", mistakes)?;
    let family = pattern.split('/').next().unwrap_or_default();
    if !family.contains('*') && !FAMILIES.contains(&family) {
        let near = nearest(family, FAMILIES);
        let label = near.map_or(String::new(), |near| format!("did you mean `{near}`?"));
        let mistake = item.mistake(format!("`{family}` is not a family of tests"), label);
        mistakes.add(mistake.help(format!("test names begin with one of: {}", FAMILIES.join(", "))));
        return None;
    }
    Some(pattern.to_owned())
}

/// The waivers; each must be for one of the goals, when those are known.
pub(super) fn waivers(root: &mut Table<'_>, goals: Option<&[Goal]>, mistakes: &mut Mistakes) -> Vec<Waiver> {
    let Some(item) = root.take("waive") else { return Vec::new() };
    let mut waivers: Vec<Waiver> = Vec::new();
    for mut table in item.tables(MAX_LISTED, mistakes) {
        let goal = table.need("goal", "`goal = \"returns=false\"`, as `verify` prints it");
        let why = table.need("why", "`why = \"…\"`: what keeps it from being reached");
        let goal_text = goal.as_ref().and_then(|goal| goal.some_text("the name of a goal", mistakes));
        let why = why.and_then(|why| why.some_text("the reason", mistakes));
        table.finish(mistakes);
        if let (Some(item), Some(goal), Some(why)) = (goal, goal_text, why) {
            if waivers.iter().any(|other| other.goal == goal) {
                mistakes.add(item.mistake(format!("`{goal}` is waived twice"), ""));
            } else if let Some(goals) = goals.filter(|goals| goals.iter().all(|known| known.name != goal)) {
                let near = nearest(goal, goals.iter().map(|goal| goal.name.as_str()));
                let label = near.map_or(String::new(), |near| format!("did you mean `{near}`?"));
                let mistake = item.mistake(format!("there is no goal `{goal}` to waive"), label);
                let names: Vec<&str> = goals.iter().map(|goal| goal.name.as_str()).collect();
                mistakes.add(mistake.help(format!("goals: {}", names.join(", "))));
            }
            waivers.push(Waiver { goal: goal.to_owned(), why: why.to_owned() });
        }
    }
    waivers
}
