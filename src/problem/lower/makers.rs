//! `[[program]]`: programs of the problem's own that make inputs.

use super::super::case_file_name;
use super::super::maker::{Maker, NUMBER, SEED, SEED31};
use super::super::read::{Item, Mistakes, Table};
use super::settings::{FAMILIES, inner_path};
use crate::diagnostic::Diagnostic;
use std::ops::Range;

/// How many programs a problem may have.
const MAX_MAKERS: usize = 100;
/// The most tests that one program may make.
const MAX_COUNT: i64 = 1000;
/// The most arguments.
const MAX_ARGS: usize = 100;
/// The longest argument.
const MAX_ARG_BYTES: usize = 1000;
/// The longest name.
const MAX_NAME_BYTES: usize = 32;

pub(super) fn makers(root: &mut Table<'_>, mistakes: &mut Mistakes) -> Vec<Maker> {
    let Some(item) = root.take("program") else { return Vec::new() };
    let mut names: Vec<(String, Range<usize>)> = Vec::new();
    let tables = item.tables(MAX_MAKERS, mistakes);
    tables.into_iter().filter_map(|table| maker(table, &mut names, mistakes)).collect()
}

fn maker(
    mut table: Table<'_>,
    names: &mut Vec<(String, Range<usize>)>,
    mistakes: &mut Mistakes,
) -> Option<Maker> {
    let run = table.need("run", "`run = \"gen.py\"`, a file in the problem's folder");
    let (name, args, count) = (table.take("name"), table.take("args"), table.take("count"));
    table.finish(mistakes);
    let path = run
        .as_ref()
        .and_then(|item| inner_path(item, "a path, as in \"gen.py\"", "the problem's folder", mistakes));
    let name = match &name {
        Some(item) => self::name(item, names, mistakes),
        None => {
            let stem = path.as_deref().map(stem);
            run.as_ref().zip(stem).and_then(|(run, stem)| known(stem, run, names, mistakes))
        }
    };
    let args = args.map_or(Some(Vec::new()), |item| self::args(&item, mistakes));
    let count = count.map_or(Some(1), |item| item.integer_in(1, MAX_COUNT, mistakes));
    Some(Maker { name: name?, run: path?, args: args?, count: u32::try_from(count?).ok()? })
}

/// The file's name without extension, fit for tests' names.
fn stem(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    case_file_name(file.split('.').next().unwrap_or(file))
}

fn name(item: &Item<'_>, names: &mut Vec<(String, Range<usize>)>, mistakes: &mut Mistakes) -> Option<String> {
    let name = item.some_text("the name of its family of tests", mistakes)?;
    known(name.to_owned(), item, names, mistakes)
}

/// The name, if it can be one and no other family has it.
fn known(
    name: String,
    item: &Item<'_>,
    names: &mut Vec<(String, Range<usize>)>,
    mistakes: &mut Mistakes,
) -> Option<String> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    if name.is_empty() || name.len() > MAX_NAME_BYTES || !name.bytes().all(fits) {
        let label = format!("expected 1 to {MAX_NAME_BYTES} lower-case letters, digits, `-` and `_`");
        let mistake = item.mistake(format!("`{}` cannot name a family of tests", name.escape_debug()), label);
        mistakes.add(mistake.help("give it a `name`"));
        return None;
    }
    if FAMILIES.contains(&name.as_str()) {
        let message = format!("`{name}` is a family of tests already");
        mistakes.add(item.mistake(message, "").help("give it another `name`"));
        return None;
    }
    if let Some((_, first)) = names.iter().find(|(other, _)| *other == name) {
        let mistake: Diagnostic =
            item.mistake(format!("two programs make the tests `{name}/…`"), "again here");
        mistakes.add(mistake.at(first.clone(), "first here").help("give each a `name` of its own"));
        return None;
    }
    names.push((name.clone(), item.span.clone()));
    Some(name)
}

fn args(item: &Item<'_>, mistakes: &mut Mistakes) -> Option<Vec<String>> {
    let elements = item.elements("a list of arguments, as in [\"1000\", \"{seed}\"]", mistakes)?;
    if let Some(element) = elements.get(MAX_ARGS) {
        mistakes.add(element.mistake(format!("more than {MAX_ARGS} arguments"), "one too many"));
        return None;
    }
    let mut args = Vec::new();
    for element in elements {
        let arg = element.text("a text: write a number in quotes", mistakes)?;
        if arg.len() > MAX_ARG_BYTES || arg.contains('\0') {
            let label = format!("expected {MAX_ARG_BYTES} bytes at most, without NUL");
            mistakes.add(element.mistake("this cannot be an argument", label));
        }
        if let Some(place) = unknown_place(arg) {
            let message = format!("`{}` stands for nothing", place.escape_debug());
            let help = format!(
                "`{SEED}` stands for 64 hexadecimal digits, `{SEED31}` for a number below 2^31, `{NUMBER}` for the test's number"
            );
            mistakes.add(element.mistake(message, "").help(help));
        }
        args.push(arg.to_owned());
    }
    Some(args)
}

/// A word in braces that is none of those that are known.
fn unknown_place(arg: &str) -> Option<&str> {
    let start = arg.find('{')?;
    let end = start + arg[start..].find('}')? + 1;
    let place = &arg[start..end];
    let is_word = place.len() > 2 && place[1..place.len() - 1].bytes().all(|it| it.is_ascii_alphanumeric());
    match is_word && ![SEED, SEED31, NUMBER].contains(&place) {
        true => Some(place),
        false => unknown_place(&arg[end..]),
    }
}
