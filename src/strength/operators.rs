//! The mutation operators: every small change that they make to a program. Which operators there are is fixed here and
//! knows no problem. Pure text; whether a mutant compiles or differs is found out elsewhere.

mod marks;
mod shapes;
mod signs;

use super::outline::Outline;

/// A kind of fault, as people make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `<` for `<=` and the other way round, and so for `>`: a bound that is one off.
    Boundary,
    /// A comparison turned round.
    Comparison,
    /// Another operation of arithmetic.
    Arithmetic,
    /// A minus sign dropped.
    Sign,
    /// A number that is one more or one less, or ten times too small.
    Constant,
    /// An index that is one off.
    Index,
    /// A range that ends one off.
    Range,
    /// `min` for `max` and the other way round.
    Extremum,
    /// One arm of a `min` or `max` dropped.
    Arm,
    /// `and` for `or`, a negation dropped.
    Logic,
    /// A condition that is always true, or never.
    Branch,
    /// `true` for `false` and the other way round.
    Flag,
    /// Another of the program's own words.
    Word,
    /// A mark such as "unknown" or "infinite" that is a real value: 0.
    Mark,
    /// A narrower type of integers.
    Narrow,
    /// An order dropped: forwards instead of backwards, unsorted instead of sorted.
    Order,
    /// A variable that is not set anew in each turn of a loop.
    Reset,
    /// A statement dropped.
    Statement,
}

impl Operator {
    /// All operators, in the order of reports.
    pub const ALL: [Self; 18] = [
        Self::Boundary,
        Self::Comparison,
        Self::Arithmetic,
        Self::Sign,
        Self::Constant,
        Self::Index,
        Self::Range,
        Self::Extremum,
        Self::Arm,
        Self::Logic,
        Self::Branch,
        Self::Flag,
        Self::Word,
        Self::Mark,
        Self::Narrow,
        Self::Order,
        Self::Reset,
        Self::Statement,
    ];

    /// As it stands in a mutant's id.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boundary => "boundary",
            Self::Comparison => "comparison",
            Self::Arithmetic => "arithmetic",
            Self::Sign => "sign",
            Self::Constant => "constant",
            Self::Index => "index",
            Self::Range => "range",
            Self::Extremum => "extremum",
            Self::Arm => "arm",
            Self::Logic => "logic",
            Self::Branch => "branch",
            Self::Flag => "flag",
            Self::Word => "word",
            Self::Mark => "mark",
            Self::Narrow => "narrow",
            Self::Order => "order",
            Self::Reset => "reset",
            Self::Statement => "statement",
        }
    }

    /// What the operator does, for people.
    pub fn what(self) -> &'static str {
        match self {
            Self::Boundary => "`<` for `<=`, `>` for `>=`, and back",
            Self::Comparison => "a comparison turned round",
            Self::Arithmetic => "another operation of arithmetic",
            Self::Sign => "a minus sign dropped",
            Self::Constant => "a number one off, or ten times too small",
            Self::Index => "an index one off",
            Self::Range => "a range that ends one off",
            Self::Extremum => "`min` for `max`, and back",
            Self::Arm => "an arm of a `min` or `max` dropped",
            Self::Logic => "`and` for `or`, a negation dropped",
            Self::Branch => "a condition always true, or never",
            Self::Flag => "`true` for `false`, and back",
            Self::Word => "another of its own words",
            Self::Mark => "a mark, as for \"unknown\", that is a real value",
            Self::Narrow => "a narrower type of integers",
            Self::Order => "an order dropped",
            Self::Reset => "a variable not set anew in a loop",
            Self::Statement => "a statement dropped",
        }
    }
}

/// A piece of the source to be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    /// Bytes of the source.
    pub(crate) range: std::ops::Range<usize>,
    pub(crate) text: String,
}

/// A small change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mutation {
    pub(crate) operator: Operator,
    /// The line of the first edit.
    pub(crate) line: usize,
    /// In the order of the source; none touches another.
    pub(crate) edits: Vec<Edit>,
}

impl Mutation {
    /// The source with the change made.
    pub(crate) fn apply(&self, source: &str) -> String {
        let mut text = String::with_capacity(source.len() + 16);
        let mut at = 0;
        for edit in &self.edits {
            text.push_str(&source[at..edit.range.start]);
            text.push_str(&edit.text);
            at = edit.range.end;
        }
        text.push_str(&source[at..]);
        text
    }
}

/// Collects changes to one source.
pub(crate) struct Changes<'o, 's> {
    pub(crate) outline: &'o Outline<'s>,
    found: Vec<Mutation>,
}

impl Changes<'_, '_> {
    /// A change that puts `text` for the tokens from `first` to `last`.
    pub(crate) fn replace(&mut self, operator: Operator, first: usize, last: usize, text: impl Into<String>) {
        let range = self.outline.tokens[first].start..self.outline.tokens[last].end();
        self.edit(operator, first, vec![Edit { range, text: text.into() }]);
    }

    /// A change that puts `text` before the token.
    pub(crate) fn insert(&mut self, operator: Operator, before: usize, text: impl Into<String>) {
        let start = self.outline.tokens[before].start;
        self.edit(operator, before, vec![Edit { range: start..start, text: text.into() }]);
    }

    /// A change of several pieces, the first at the token `at`.
    pub(crate) fn edit(&mut self, operator: Operator, at: usize, edits: Vec<Edit>) {
        let line = self.outline.tokens[at].line;
        if !edits.is_empty() && !self.outline.is_silent(line) {
            self.found.push(Mutation { operator, line, edits });
        }
    }
}

/// Every change that the operators make to a source, in the order of operators.
pub(crate) fn mutations(outline: &Outline<'_>) -> Vec<Mutation> {
    let mut changes = Changes { outline, found: Vec::new() };
    signs::collect(&mut changes);
    shapes::collect(&mut changes);
    marks::collect(&mut changes);
    let mut found = changes.found;
    // Stable: within an operator the order of the source.
    found.sort_by_key(|mutation| (mutation.operator, mutation.edits[0].range.start));
    found
}

#[cfg(test)]
mod tests;
