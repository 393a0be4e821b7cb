//! Mutants of a problem's accepted solutions: named, told apart by text, and chosen within a budget, the same ones on
//! every machine. Pure; nothing is compiled here.

use std::collections::{BTreeMap, HashSet};

use super::lexer::Dialect;
use super::operators::{Mutation, Operator, mutations};
use super::outline::Outline;
use crate::generate::rng::Key;

/// What the choice of mutants follows from, for every problem.
const SEED: u64 = 1;

/// A source with a single small change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// `FILE:LINE:OPERATOR`, with `#2` for the second of the same operator on the line.
    pub id: String,
    /// Index of the source that it is made from.
    pub source: usize,
    /// The line that is changed first, from 1.
    pub line: usize,
    /// The kind of change.
    pub operator: Operator,
    /// The whole program.
    pub text: String,
    /// Whether its language is interpreted.
    is_slow: bool,
    /// Lines that are changed: (number, before, after).
    pub diff: Vec<(usize, String, String)>,
}

/// A program that mutants are made from.
#[derive(Clone, Debug)]
pub struct Original {
    /// The file's name, unique among the sources.
    pub name: String,
    /// The language's id in the table.
    pub language: String,
    /// Its text.
    pub text: String,
}

/// What the operators give for some sources.
#[derive(Clone, Debug, Default)]
pub struct Mutants {
    /// Every mutant, by source, then operator, then place.
    pub all: Vec<Mutant>,
    /// Changes that gave the text of the source itself or of an earlier mutant of it.
    pub doubles: usize,
}

impl Mutants {
    /// Every mutant of these sources; those in other languages than the operators know have none.
    pub fn of(sources: &[Original]) -> Self {
        let mut found = Self::default();
        for (index, source) in sources.iter().enumerate() {
            if let Some(dialect) = Dialect::of(&source.language) {
                found.add(index, source, dialect);
            }
        }
        found
    }

    fn add(&mut self, index: usize, source: &Original, dialect: Dialect) {
        let outline = Outline::new(&source.text, dialect);
        let mut texts: HashSet<String> = HashSet::from([plain(&source.text)]);
        let mut named: BTreeMap<String, usize> = BTreeMap::new();
        for mutation in mutations(&outline) {
            let text = mutation.apply(&source.text);
            // Counted before doubles are dropped, so that a name does not depend on what else is the same.
            let name = format!("{}:{}:{}", source.name, mutation.line, mutation.operator.name());
            let times = named.entry(name.clone()).and_modify(|times| *times += 1).or_insert(1);
            if !texts.insert(plain(&text)) {
                self.doubles += 1;
                continue;
            }
            let id = if *times == 1 { name } else { format!("{name}#{times}") };
            let Mutation { operator, line, .. } = mutation;
            let diff = diff(&source.text, &text);
            let is_slow = dialect == Dialect::Python;
            self.all.push(Mutant { id, source: index, line, operator, text, is_slow, diff });
        }
    }

    /// At most `budget` of them, each source and each operator in turn, in a fixed order that knows no problem. A source
    /// in Python has every other turn, since its runs take as long as those of many others. The indices are sorted. With
    /// a larger budget the same ones are chosen, and others.
    pub fn choose(&self, budget: usize) -> Vec<usize> {
        let mut queues: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for index in 0..self.all.len() {
            queues.entry(self.all[index].source).or_default().push(index);
        }
        let mut queues: Vec<(bool, std::vec::IntoIter<usize>)> = queues
            .into_values()
            .map(|queue| {
                let is_slow = queue.first().is_some_and(|index| self.all[*index].is_slow);
                (is_slow, self.mixed(&queue).into_iter())
            })
            .collect();
        let mut chosen = Vec::new();
        for turn in 0.. {
            for (is_slow, queue) in &mut queues {
                if chosen.len() < budget && !(*is_slow && turn % 2 == 1) {
                    chosen.extend(queue.next());
                }
            }
            if chosen.len() == budget || queues.iter().all(|(_, queue)| queue.len() == 0) {
                break;
            }
        }
        chosen.sort_unstable();
        chosen
    }

    /// The mutants of one source, one of each operator in turn.
    fn mixed(&self, queue: &[usize]) -> Vec<usize> {
        let mut by_operator: BTreeMap<Operator, Vec<usize>> = BTreeMap::new();
        for &index in queue {
            by_operator.entry(self.all[index].operator).or_default().push(index);
        }
        let mut kinds: Vec<std::vec::IntoIter<usize>> = Vec::new();
        for (operator, mut indices) in by_operator {
            // Of lines near each other not all are taken first.
            Key::of_test("strength", "mutants", operator.name(), SEED).stream(0).shuffle(&mut indices);
            kinds.push(indices.into_iter());
        }
        let mut mixed = Vec::with_capacity(queue.len());
        while mixed.len() < queue.len() {
            mixed.extend(kinds.iter_mut().filter_map(Iterator::next));
        }
        mixed
    }
}

/// A text without what no compiler looks at: blanks at line ends, and doubled blanks.
fn plain(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let indent = line.len() - line.trim_start().len();
        format!("{}{}", &line[..indent], line.split_whitespace().collect::<Vec<_>>().join(" "))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The lines that differ. Changes keep the number of lines, but for a dropped statement of several lines.
fn diff(before: &str, after: &str) -> Vec<(usize, String, String)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    if old.len() != new.len() {
        let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
        let text = |lines: &[&str]| lines.get(start).map_or(String::new(), |line| (*line).to_owned());
        return vec![(start + 1, text(&old), text(&new))];
    }
    let lines = old.iter().zip(&new).zip(1..);
    lines
        .filter(|((old, new), _)| old != new)
        .map(|((old, new), number)| (number, (*old).to_owned(), (*new).to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutants() -> Mutants {
        let of = |name: &str, language: &str, text: &str| Original {
            name: name.to_owned(),
            language: language.to_owned(),
            text: text.to_owned(),
        };
        Mutants::of(&[
            of("a.cpp", "cpp", "int f(int a) {\n    int b = a + 1;\n    return max(a, a < b ? 2 : 3);\n}\n"),
            of("b.py", "python", "def f(a):\n    return max(a + 1, 2) if a < 3 else min(a, 4)\n"),
            of("c.go", "go", "func f(a int) int { return a + 1 }\n"),
        ])
    }

    #[test]
    fn ids_are_unique_and_name_the_line_and_the_operator() {
        let mutants = mutants();
        let mut ids: Vec<&str> = mutants.all.iter().map(|mutant| mutant.id.as_str()).collect();
        assert!(ids.contains(&"a.cpp:2:arithmetic") && ids.contains(&"a.cpp:3:constant#2"), "{ids:?}");
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        // `max(a, a < b …)` without its first arm, and other pairs, are told apart by text alone.
        let arithmetic = mutants.all.iter().find(|mutant| mutant.id == "a.cpp:2:arithmetic").unwrap();
        assert_eq!(arithmetic.diff, [(2, "    int b = a + 1;".to_owned(), "    int b = a - 1;".to_owned())]);
        assert!(mutants.all.iter().all(|mutant| mutant.source < 2), "Go has no operators");
    }

    #[test]
    fn a_larger_budget_only_adds_and_every_source_has_its_turn() {
        let mutants = mutants();
        let few = mutants.choose(7);
        let more = mutants.choose(12);
        assert_eq!((few.len(), more.len()), (7, 12));
        assert!(few.iter().all(|index| more.contains(index)));
        let slow = few.iter().filter(|index| mutants.all[**index].is_slow).count();
        assert!((2..=3).contains(&slow), "{few:?}");
        assert_eq!(mutants.choose(usize::MAX).len(), mutants.all.len());
        let operators: Vec<Operator> = few.iter().map(|index| mutants.all[*index].operator).collect();
        assert!(operators.windows(2).any(|pair| pair[0] != pair[1]));
    }
}
