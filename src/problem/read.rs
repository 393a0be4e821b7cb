//! Typed reading of a TOML table that keeps places and collects mistakes. Knows TOML, not problems or
//! contests: what a key means is the business of who asks for it.

use crate::diagnostic::{Diagnostic, nearest};
use std::collections::BTreeSet;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// How many mistakes are collected; whoever made more will not read them all.
pub(crate) const MAX_MISTAKES: usize = 1000;

/// Every mistake found so far.
#[derive(Default)]
pub(crate) struct Mistakes {
    /// In the order they were found.
    pub(crate) found: Vec<Diagnostic>,
    /// The text is no TOML in places, so that what seems to be missing may only be unreadable.
    pub(crate) is_broken: bool,
}

impl Mistakes {
    pub(crate) fn add(&mut self, mistake: Diagnostic) {
        if !self.are_enough() {
            self.found.push(mistake);
        }
    }

    /// Whether no more mistakes are collected.
    pub(crate) fn are_enough(&self) -> bool {
        self.found.len() >= MAX_MISTAKES
    }

    /// Something is not there; kept quiet when the text is broken.
    pub(crate) fn missing(&mut self, mistake: Diagnostic) {
        if !self.is_broken {
            self.add(mistake);
        }
    }
}

/// Reads a TOML text, and keeps what is said of lines that are no TOML apart from what is guessed of them.
pub(crate) fn document<T>(
    text: &str,
    read: impl FnOnce(Table<'_>, &mut Mistakes) -> T,
) -> (T, Vec<Diagnostic>) {
    let (document, broken) = DeTable::parse_recoverable(text);
    let mut mistakes = Mistakes { found: Vec::new(), is_broken: !broken.is_empty() };
    let mut syntax: Vec<Diagnostic> =
        broken.iter().take(MAX_MISTAKES).map(|error| syntax_mistake(text, error)).collect();
    let value = read(Table::root(&document), &mut mistakes);
    // What stands on a line that is no TOML was guessed, and mistakes in a guess mean nothing.
    let starts: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
    let line = |mistake: &Diagnostic| {
        mistake.labels.first().map(|label| starts.partition_point(|start| *start < label.span.start))
    };
    let lines: BTreeSet<_> = syntax.iter().filter_map(line).collect();
    mistakes.found.retain(|mistake| line(mistake).is_none_or(|line| !lines.contains(&line)));
    mistakes.found.append(&mut syntax);
    (value, mistakes.found)
}

fn syntax_mistake(text: &str, error: &toml::de::Error) -> Diagnostic {
    let said = error.message().trim_end_matches(", expected nothing");
    let Some(span) = error.span() else { return Diagnostic::error(format!("not valid TOML: {said}")) };
    if said == "duplicate key" {
        let key = text.get(span.clone()).unwrap_or_default();
        return Diagnostic::error(format!("the key `{key}` is given twice")).at(span, "given again here");
    }
    Diagnostic::error(format!("not valid TOML: {said}")).at(span, "")
}

/// A table being read: it remembers which keys it was asked for, and so knows those that mean nothing.
pub(crate) struct Table<'t> {
    /// How messages call it, as in `[limits]`.
    pub(crate) title: String,
    /// Where it stands: its header or its braces.
    pub(crate) span: Range<usize>,
    path: String,
    entries: Vec<Item<'t>>,
    asked: Vec<&'static str>,
    /// Keys that are not there and should be, told at the end: one of them may only be misspelt.
    missing: Vec<(&'static str, Diagnostic)>,
}

/// A key with its value.
#[derive(Clone)]
pub(crate) struct Item<'t> {
    /// The key, or the key of the array that it is an element of.
    pub(crate) key: &'t str,
    /// The place of the key.
    pub(crate) key_span: Range<usize>,
    /// The place of the value.
    pub(crate) span: Range<usize>,
    /// From the root, as in `limits.time`.
    pub(crate) path: String,
    value: &'t DeValue<'t>,
}

impl<'t> Table<'t> {
    /// The whole document.
    pub(crate) fn root(document: &'t Spanned<DeTable<'t>>) -> Self {
        Self::new("the file".to_owned(), String::new(), 0..0, document.get_ref())
    }

    fn new(title: String, path: String, span: Range<usize>, table: &'t DeTable<'t>) -> Self {
        let prefix = if path.is_empty() { String::new() } else { format!("{path}.") };
        let mut entries: Vec<_> = table
            .iter()
            .map(|(key, value)| Item {
                key: key.get_ref(),
                key_span: key.span(),
                span: if value.span().is_empty() { key.span() } else { value.span() },
                path: format!("{prefix}{}", key.get_ref()),
                value: value.get_ref(),
            })
            .collect();
        // The parser sorts by name; people mean the order in which they wrote.
        entries.sort_by_key(|item| item.key_span.start);
        Self { title, span, path, entries, asked: Vec::new(), missing: Vec::new() }
    }

    /// The value of a key that may be absent.
    pub(crate) fn take(&mut self, key: &'static str) -> Option<Item<'t>> {
        self.asked.push(key);
        self.entries.iter().find(|item| item.key == key).cloned()
    }

    /// The value of a key that the file itself has named, which no message will list.
    pub(crate) fn take_named(&mut self, key: &str) -> Option<Item<'t>> {
        let at = self.entries.iter().position(|item| item.key == key)?;
        Some(self.entries.remove(at))
    }

    /// The value of a key that must be there.
    pub(crate) fn need(&mut self, key: &'static str, like: &str) -> Option<Item<'t>> {
        let item = self.take(key);
        if item.is_none() {
            let mistake = Diagnostic::error(format!("{} has no `{key}`", self.title));
            let mistake = if self.path.is_empty() { mistake } else { mistake.at(self.span.clone(), "") };
            self.missing.push((key, mistake.help(format!("add {like}"))));
        }
        item
    }

    /// The items whose keys were not asked for, in the order of the file.
    pub(crate) fn others(&self) -> impl Iterator<Item = Item<'t>> + '_ {
        self.entries.iter().filter(|item| !self.asked.contains(&item.key)).cloned()
    }

    /// Every key that was not asked for is a mistake, and so is every needed one that is missing, unless the former
    /// is the latter misspelt.
    pub(crate) fn finish(mut self, mistakes: &mut Mistakes) {
        let others: Vec<_> = self.others().collect();
        for item in others {
            if mistakes.are_enough() {
                return;
            }
            let mistake = Diagnostic::error(format!("unknown key `{}` in {}", item.key, self.title));
            let near = nearest(item.key, self.asked.iter().copied());
            let label = near.map_or(String::new(), |near| format!("did you mean `{near}`?"));
            let mut known: Vec<&str> = self.asked.clone();
            known.sort_unstable();
            known.dedup();
            let help = format!("known here: {}", known.join(", "));
            let mistake = mistake.at(item.key_span, label).help(help);
            if near.is_some() {
                mistakes.add(mistake);
            } else {
                // In a broken text the key may have lost its header.
                mistakes.missing(mistake);
            }
            self.missing.retain(|(key, _)| Some(*key) != near);
        }
        self.finish_missing(mistakes);
    }

    /// Tells what is missing, and leaves the other keys alone: they cannot be told right from wrong.
    pub(crate) fn finish_missing(self, mistakes: &mut Mistakes) {
        for (_, mistake) in self.missing {
            mistakes.missing(mistake);
        }
    }
}

impl<'t> Item<'t> {
    /// The value is of another kind than it should be.
    pub(crate) fn expected(&self, expected: &str, mistakes: &mut Mistakes) {
        let message = format!("`{}` should be {expected}", self.path);
        mistakes.add(self.mistake(message, format!("this is {}", self.found())));
    }

    /// A mistake at the value.
    pub(crate) fn mistake(&self, message: impl Into<String>, label: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(self.span.clone(), label)
    }

    fn found(&self) -> String {
        match self.value {
            DeValue::String(_) => "a text".to_owned(),
            DeValue::Integer(number) => format!("the integer {number}"),
            DeValue::Float(number) => format!("the number {number}"),
            DeValue::Boolean(value) => format!("{value}"),
            DeValue::Datetime(_) => "a date or time".to_owned(),
            DeValue::Array(_) => "an array".to_owned(),
            DeValue::Table(_) => "a table".to_owned(),
        }
    }

    pub(crate) fn is_text(&self) -> bool {
        matches!(self.value, DeValue::String(_))
    }

    /// The value as a text, or a date or time as it would be written in one.
    #[cfg(feature = "web")]
    pub(crate) fn text_or_time(&self, expected: &str, mistakes: &mut Mistakes) -> Option<String> {
        match self.value {
            DeValue::Datetime(value) => Some(value.to_string()),
            _ => self.text(expected, mistakes).map(str::to_owned),
        }
    }

    /// The value as `true` or `false`.
    #[cfg(feature = "web")]
    pub(crate) fn boolean(&self, mistakes: &mut Mistakes) -> Option<bool> {
        let DeValue::Boolean(value) = self.value else {
            self.expected("true or false", mistakes);
            return None;
        };
        Some(*value)
    }

    /// The value as one of these words.
    #[cfg(feature = "web")]
    pub(crate) fn choice<T: Copy>(&self, words: &[(&str, T)], mistakes: &mut Mistakes) -> Option<T> {
        let known: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        let expected = known.join(" or ");
        let text = self.text(&expected, mistakes)?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value);
        if found.is_none() {
            let near = nearest(text, words.iter().map(|(word, _)| *word));
            let label = near
                .map_or_else(|| format!("expected {expected}"), |near| format!("did you mean \"{near}\"?"));
            let mistake = self.mistake(format!("`{}` cannot be \"{text}\"", self.path), label);
            mistakes.add(if near.is_some() {
                mistake.help(format!("known here: {expected}"))
            } else {
                mistake
            });
        }
        found
    }

    pub(crate) fn is_array(&self) -> bool {
        matches!(self.value, DeValue::Array(_))
    }

    pub(crate) fn is_table(&self) -> bool {
        matches!(self.value, DeValue::Table(_))
    }

    /// The value as text.
    pub(crate) fn text(&self, expected: &str, mistakes: &mut Mistakes) -> Option<&'t str> {
        let DeValue::String(text) = self.value else {
            self.expected(expected, mistakes);
            return None;
        };
        Some(text)
    }

    /// The value as text with something in it.
    pub(crate) fn some_text(&self, expected: &str, mistakes: &mut Mistakes) -> Option<&'t str> {
        let text = self.text(expected, mistakes)?;
        if text.trim().is_empty() {
            mistakes.add(self.mistake(format!("`{}` is empty", self.path), format!("expected {expected}")));
            return None;
        }
        Some(text)
    }

    /// The value as the text of an answer, as a solver would print it: a text, an integer, `true` or `false`, or
    /// integers in a row.
    pub(super) fn answer(&self, mistakes: &mut Mistakes) -> Option<String> {
        match self.value {
            DeValue::Boolean(value) => Some(value.to_string()),
            DeValue::Integer(_) => self.integer(mistakes).map(|number| number.to_string()),
            DeValue::Array(_) => {
                let elements = self.elements("integers", mistakes)?;
                let numbers: Option<Vec<String>> =
                    elements.iter().map(|item| Some(item.integer(mistakes)?.to_string())).collect();
                Some(numbers?.join(" "))
            }
            _ => self
                .some_text("the answer: a text, an integer, true, false or an array of integers", mistakes)
                .map(str::to_owned),
        }
    }

    /// The value as a 64-bit integer; products of powers in quotes, as in `"10^5"`, are integers too.
    pub(crate) fn integer(&self, mistakes: &mut Mistakes) -> Option<i64> {
        let value = match self.value {
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix()).ok(),
            DeValue::String(text) => match powers(text) {
                Ok(value) => value,
                Err(NoNumber) => {
                    self.expected("an integer, as in 1000, 50_000 or \"5*10^4\"", mistakes);
                    return None;
                }
            },
            DeValue::Float(number) => {
                let message = format!("`{}` should be an integer", self.path);
                let mistake = self.mistake(message, format!("this is the number {number}"));
                mistakes.add(mistake.help("without `.` and `e`: write 100_000 or \"10^5\" for 1e5"));
                return None;
            }
            _ => {
                self.expected("an integer", mistakes);
                return None;
            }
        };
        if value.is_none() {
            let message = format!("`{}` does not fit in 64 bits", self.path);
            let label = format!("expected {} to {}", i64::MIN, i64::MAX);
            mistakes.add(self.mistake(message, label));
        }
        value
    }

    /// The value as a number that is not negative, in its decimal digits: no float is ever made of it.
    pub(super) fn decimal(&self, expected: &str, mistakes: &mut Mistakes) -> Option<String> {
        match self.value {
            DeValue::Integer(_) => self.integer(mistakes).map(|number| number.to_string()),
            DeValue::Float(number) => Some(number.as_str().to_owned()),
            _ => {
                self.expected(expected, mistakes);
                None
            }
        }
    }

    /// The value as an integer from `min` to `max`.
    pub(crate) fn integer_in(&self, min: i64, max: i64, mistakes: &mut Mistakes) -> Option<i64> {
        let value = self.integer(mistakes)?;
        if (min..=max).contains(&value) {
            return Some(value);
        }
        let side = if value < min { "small" } else { "large" };
        let message = format!("`{}` is too {side}: {value}", self.path);
        mistakes.add(self.mistake(message, format!("expected {min} to {max}")));
        None
    }

    /// The value as a table that messages call `title`.
    pub(crate) fn table(&self, title: String, expected: &str, mistakes: &mut Mistakes) -> Option<Table<'t>> {
        let DeValue::Table(table) = self.value else {
            self.expected(expected, mistakes);
            return None;
        };
        Some(Table::new(title, self.path.clone(), self.span.clone(), table))
    }

    /// The elements of an array, each under the array's own path.
    pub(crate) fn elements(&self, expected: &str, mistakes: &mut Mistakes) -> Option<Vec<Item<'t>>> {
        let DeValue::Array(array) = self.value else {
            self.expected(expected, mistakes);
            return None;
        };
        let element = |value: &'t Spanned<DeValue<'t>>| Item {
            key: self.key,
            key_span: self.key_span.clone(),
            span: if value.span().is_empty() { self.span.clone() } else { value.span() },
            path: self.path.clone(),
            value: value.get_ref(),
        };
        Some(array.iter().map(element).collect())
    }

    /// The tables of `[[key]]`, at most `max` of them.
    pub(crate) fn tables(&self, max: usize, mistakes: &mut Mistakes) -> Vec<Table<'t>> {
        let expected = format!("tables, each under a line [[{}]]", self.key);
        let mut elements = self.elements(&expected, mistakes).unwrap_or_default();
        if let Some(element) = elements.get(max) {
            mistakes.add(element.mistake(format!("more than {max} times [[{}]]", self.key), "one too many"));
            elements.truncate(max);
        }
        let title = format!("`[[{}]]`", self.key);
        elements.into_iter().filter_map(|element| element.table(title.clone(), "a table", mistakes)).collect()
    }

    /// The place in the source of a part of the text value: exact when the text was written without escapes.
    pub(crate) fn place(&self, source: &str, part: Range<usize>) -> Range<usize> {
        if let DeValue::String(text) = self.value {
            // A line break right after three quotes is not part of the text.
            for quotes in [1, 3, 4, 5] {
                let start = self.span.start + quotes;
                if source.get(start..start + text.len()) == Some(&**text) {
                    return start + part.start..start + part.end;
                }
            }
        }
        self.span.clone()
    }
}

/// The place of the value under a path of keys, as in `["answer", "solver"]` or `["program", "0", "run"]`, for mistakes that are found later.
pub fn locate(text: &str, path: &[&str]) -> Option<Range<usize>> {
    let (document, _) = DeTable::parse_recoverable(text);
    let (first, rest) = path.split_first()?;
    let mut found = document.get_ref().get(*first)?;
    for key in rest {
        found = match found.get_ref() {
            DeValue::Table(table) => table.get(*key)?,
            DeValue::Array(array) => array.get(key.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(found.span())
}

/// The text is not a product of powers of integers.
pub(crate) struct NoNumber;

/// `10^5`, `5*10^4`, `-10^9`, `100_000`; `Ok(None)` when the value does not fit.
pub(crate) fn powers(text: &str) -> Result<Option<i64>, NoNumber> {
    let (negative, text) = text.trim().strip_prefix('-').map_or((false, text.trim()), |rest| (true, rest));
    let mut product = Some(1_i64);
    for factor in text.split('*') {
        let (base, exponent) = factor.split_once('^').unwrap_or((factor, "1"));
        let (base, exponent) = (digits(base)?, digits(exponent)?);
        let power = base
            .zip(exponent.and_then(|exponent| u32::try_from(exponent).ok()))
            .and_then(|(base, exponent)| base.checked_pow(exponent));
        product = product.zip(power).and_then(|(product, power)| product.checked_mul(power));
    }
    Ok(product.map(|product| if negative { -product } else { product }))
}

fn digits(text: &str) -> Result<Option<i64>, NoNumber> {
    let text: String = text.trim().chars().filter(|c| *c != '_').collect();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NoNumber);
    }
    Ok(text.parse().ok())
}
