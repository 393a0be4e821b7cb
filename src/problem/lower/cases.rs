//! Inputs written by hand: `[[sample]]` and `[[case]]`, built and then held against the model.

use super::super::model::{InputModel, IntRange, Len, Shape};
use super::super::read::{Item, Mistakes, Table};
use super::super::{Case, case_file_name};
use super::value::{Builder, Built};
use crate::diagnostic::Diagnostic;
use crate::input::{Input, Value};
use std::ops::Range;

/// How many cases a problem may have.
const MAX_CASES: usize = 1000;
/// The longest file name that a case may give.
const MAX_FILE_NAME_BYTES: usize = 100;

/// The samples and the cases. Without a whole model their keys cannot be judged, and they are passed over.
pub(super) fn cases(
    root: &mut Table<'_>,
    source: &str,
    model: Option<&InputModel>,
    mistakes: &mut Mistakes,
) -> (Vec<Case>, Vec<Case>) {
    let (samples, cases) = (root.take("sample"), root.take("case"));
    let Some(model) = model else { return Default::default() };
    let mut builder = Builder::new(source);
    let mut read = |item: Option<Item<'_>>, are_named: bool| {
        let tables = item.map_or_else(Vec::new, |item| item.tables(MAX_CASES, mistakes));
        let mut cases = Vec::new();
        let mut names: Vec<(String, Range<usize>)> = Vec::new();
        for (index, table) in tables.into_iter().enumerate() {
            let reader =
                CaseReader { model, builder: &mut builder, mistakes, are_named, missing: Vec::new() };
            cases.extend(reader.case(table, index, &mut names));
        }
        cases
    };
    (read(samples, false), read(cases, true))
}

struct CaseReader<'a, 's> {
    model: &'a InputModel,
    builder: &'a mut Builder<'s>,
    mistakes: &'a mut Mistakes,
    are_named: bool,
    /// Fields without a value, told at the end: the key of one may only be misspelt.
    missing: Vec<(String, Diagnostic)>,
}

impl CaseReader<'_, '_> {
    fn case(
        mut self,
        mut table: Table<'_>,
        index: usize,
        names: &mut Vec<(String, Range<usize>)>,
    ) -> Option<Case> {
        let name = if self.are_named {
            let name = self.name(&mut table, names);
            if let Some(name) = &name {
                table.title = format!("the case `{name}`");
            }
            name
        } else {
            Some((index + 1).to_string())
        };
        let why = table.take("why").and_then(|item| item.some_text("the reason", self.mistakes));
        let answer = if self.are_named { None } else { table.take("answer") };
        let answer = answer.and_then(|item| item.answer(self.mistakes));
        let span = table.span.clone();
        let sizes = self.integers(&mut table);
        let values = self.values(&mut table);
        let others: Vec<_> = table.others().collect();
        for item in others {
            self.unknown(&item, &table.title);
        }
        table.finish_missing(self.mistakes);
        for (_, mistake) in std::mem::take(&mut self.missing) {
            self.mistakes.missing(mistake);
        }
        let input = self.fit(sizes, values?, span)?;
        Some(Case { name: name?, why: why.map(str::to_owned), answer, input })
    }

    fn unknown(&mut self, item: &Item<'_>, title: &str) {
        let model = self.model;
        let known = || {
            let sizes = model.sizes.iter().map(|size| size.name.as_str());
            let own = if self.are_named { ["name", "why"] } else { ["why", "answer"] };
            own.into_iter().chain(sizes).chain(model.fields.iter().map(|field| field.name.as_str()))
        };
        let near = crate::diagnostic::nearest(item.key, known());
        let label = near.map_or(String::new(), |near| format!("did you mean `{near}`?"));
        let help = if item.key == "name" && !self.are_named {
            "samples are named 1, 2, … in their order".to_owned()
        } else if item.key == "answer" {
            "only a sample states its answer; that of a case comes from the solver".to_owned()
        } else {
            format!("known here: {}", known().collect::<Vec<_>>().join(", "))
        };
        let mistake = Diagnostic::error(format!("unknown key `{}` in {title}", item.key));
        self.mistakes.add(mistake.at(item.key_span.clone(), label).help(help));
        self.missing.retain(|(name, _)| Some(name.as_str()) != near);
    }

    fn name(&mut self, table: &mut Table<'_>, names: &mut Vec<(String, Range<usize>)>) -> Option<String> {
        let item = table.need("name", "`name = \"…\"`, which becomes the test's name")?;
        let name = item.some_text("the case's name", self.mistakes)?;
        let file_name = case_file_name(name);
        if !file_name.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
            let message = format!("the name `{name}` leaves nothing for a file's name");
            self.mistakes.add(item.mistake(message, "expected at least one of a-z and 0-9"));
        } else if file_name.len() > MAX_FILE_NAME_BYTES {
            let message = format!("the name is longer than {MAX_FILE_NAME_BYTES} bytes");
            self.mistakes.add(item.mistake(message, "put the story into `why`"));
        } else if let Some((_, first)) = names.iter().find(|(other, _)| *other == file_name) {
            let message = format!("two cases would both be the test `cases/{file_name}`");
            self.mistakes
                .add(item.mistake(message, "named again here").at(first.clone(), "first named here"));
        }
        names.push((file_name, item.span.clone()));
        Some(name.to_owned())
    }

    /// Reads the sizes, and lends their values, and those of integers, to expressions.
    fn integers(&mut self, table: &mut Table<'_>) -> Vec<Option<(i64, Range<usize>)>> {
        self.builder.names.clear();
        let model = self.model;
        let mut sizes = Vec::with_capacity(model.sizes.len());
        for size in &model.sizes {
            let item = table.take_named(&size.name);
            let value = item.and_then(|item| Some((self.builder.number(&item, self.mistakes)?, item.span)));
            sizes.push(value);
        }
        for (size, value) in model.sizes.iter().zip(&sizes) {
            let value = value.as_ref().map(|(value, _)| (size.name.clone(), i128::from(*value)));
            self.builder.names.extend(value);
        }
        sizes
    }

    fn values(&mut self, table: &mut Table<'_>) -> Option<Vec<Built>> {
        let model = self.model;
        let mut values: Vec<Option<Built>> = Vec::new();
        values.resize_with(model.fields.len(), || None);
        // Integers first, since arrays may use them whatever the order of the fields.
        let (integers, arrays): (Vec<usize>, Vec<usize>) =
            (0..model.fields.len()).partition(|index| matches!(model.fields[*index].shape, Shape::Int(_)));
        for index in integers {
            let name = &model.fields[index].name;
            let Some(item) = self.needed(table, name) else { continue };
            if let Some(value) = self.builder.number(&item, self.mistakes) {
                self.builder.names.push((name.clone(), value.into()));
                values[index] = Some(Built::one(value, item.span));
            }
        }
        for index in arrays {
            let Some(item) = self.needed(table, &model.fields[index].name) else { continue };
            values[index] = self.builder.array(&item, self.mistakes);
        }
        values.into_iter().collect()
    }

    fn needed<'t>(&mut self, table: &mut Table<'t>, name: &str) -> Option<Item<'t>> {
        let item = table.take_named(name);
        if item.is_none() {
            let message = format!("{} gives no value for `{name}`", table.title);
            self.missing.push((name.to_owned(), Diagnostic::error(message).at(table.span.clone(), "")));
        }
        item
    }

    /// Holds the values against the model; gives the input when nothing is wrong with it.
    fn fit(
        &mut self,
        sizes: Vec<Option<(i64, Range<usize>)>>,
        values: Vec<Built>,
        span: Range<usize>,
    ) -> Option<Input> {
        let before = self.mistakes.found.len();
        for (index, given) in sizes.into_iter().enumerate() {
            self.size_fits(index, given, &values);
        }
        for (index, built) in values.iter().enumerate() {
            let range = match self.model.fields[index].shape {
                Shape::Int(range) => range,
                Shape::Array { len, item } => {
                    if let Len::Fixed(len) = len {
                        self.fixed_length(index, built, len as usize);
                    }
                    item
                }
            };
            self.field_fits(index, built, range);
        }
        if self.mistakes.found.len() > before {
            return None;
        }
        let value = |(field, built): (&super::super::Field, Built)| match field.shape {
            Shape::Int(_) => Value::Int(built.values.first().copied().unwrap_or_default()),
            Shape::Array { .. } => Value::Array(built.values),
        };
        let input = Input { values: self.model.fields.iter().zip(values).map(value).collect() };
        self.conditions_hold(&input, span).then_some(input)
    }

    fn size_fits(&mut self, size: usize, given: Option<(i64, Range<usize>)>, values: &[Built]) {
        let model = self.model;
        let name = &model.sizes[size].name;
        let mut expected = given.map(|(value, span)| (value, span, format!("`{name}` is given here")));
        for field in model.arrays_of(size) {
            let built = &values[field];
            let (len, array) = (built.values.len() as i64, &model.fields[field].name);
            let span = built.whole();
            match &expected {
                None => expected = Some((len, span, format!("`{array}` has {len}"))),
                Some((value, first, label)) if *value != len => {
                    let message = format!("`{array}` has {len} values, but `{name}` is {value}");
                    let mistake = Diagnostic::error(message).at(span, format!("{len} values"));
                    self.mistakes.add(mistake.at(first.clone(), label.clone()));
                    return;
                }
                Some(_) => {}
            }
        }
        let Some((value, span, _)) = expected else { return };
        let range = model.sizes[size].range;
        if !range.contains(value) {
            let message = format!("the size `{name}` is {value}, outside its bounds");
            self.mistakes.add(Diagnostic::error(message).at(span, format!("expected {range}")));
        }
    }

    fn fixed_length(&mut self, field: usize, built: &Built, len: usize) {
        if built.values.len() != len {
            let name = &self.model.fields[field].name;
            let message = format!("`{name}` has {} values, expected always {len}", built.values.len());
            self.mistakes.add(Diagnostic::error(message).at(built.whole(), format!("expected {len}")));
        }
    }

    fn field_fits(&mut self, field: usize, built: &Built, range: IntRange) {
        let Some(index) = built.values.iter().position(|value| !range.contains(*value)) else { return };
        let (name, value) = (&self.model.fields[field].name, built.values[index]);
        let which = match self.model.fields[field].shape {
            Shape::Int(_) => format!("`{name}`"),
            Shape::Array { .. } => format!("`{name}[{index}]`"),
        };
        let message = format!("{which} is {value}, outside its bounds");
        self.mistakes.add(Diagnostic::error(message).at(built.place(index), format!("expected {range}")));
    }

    fn conditions_hold(&mut self, input: &Input, span: Range<usize>) -> bool {
        let mut all = true;
        for condition in &self.model.wheres {
            let text = &condition.text;
            let message = match condition.that.holds(self.model, input) {
                Ok(true) => continue,
                Ok(false) => format!("the condition `{text}` does not hold here"),
                Err(error) => format!("the condition `{text}` has no value here: {error}"),
            };
            self.mistakes.add(Diagnostic::error(message).at(span.clone(), "for this input"));
            all = false;
        }
        all
    }
}
