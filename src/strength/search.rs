//! The search from input to input. It keeps one input of each kind that it has met: of a size, with a right answer, on
//! which these of some other wrong programs fail, beside an input with another answer; of a kind, the one that takes the
//! program longest for its size. It goes on from kinds that it has seldom gone on from, from inputs that take long beside
//! others of their size, and halfway between two inputs with different answers, down to where the answer changes. (A
//! search for many different inputs instead of a best one: Mouret and Clune, "Illuminating search spaces by mapping
//! elites", 2015.) Pure: it asks nobody, and is told what came of its inputs.

use std::collections::BTreeMap;

use super::moves;
use crate::generate::rng::{Key, Rng};
use crate::generate::{self, Family, GenerateError};
use crate::input::{Input, Value};
use crate::problem::Problem;

/// Inputs asked about at once.
const BATCH: usize = 32;
/// Tries to find so many.
const MAX_TRIES: usize = 20 * BATCH;
/// Numbers in the inputs of one batch at most.
const MAX_BATCH_NUMBERS: usize = 100_000;
/// Kinds that are kept.
const MAX_KINDS: usize = 400;
/// Kinds of which the one that was gone on from least is taken.
const CONTEST: usize = 4;
/// One input in so many is halfway between two.
const PAIR_EVERY: u64 = 3;
/// Inputs that take longest beside others of their size, one of which is gone on from.
const SLOWEST: usize = 6;
/// Pairs of inputs with different answers that are kept, the last ones.
const MAX_PAIRS: usize = 64;
/// Letters of an answer that tell kinds apart.
const ANSWER_LETTERS: usize = 24;
/// What is added to an input's size before its work is divided by it: a start costs something.
const SMALL: f64 = 20.0;
/// Less work than this is none.
const LEAST_WORK: f64 = 1e-4;
/// Samples that the search begins with, near and far down the stream.
const FIRST_SAMPLES: u64 = 20;
const FAR: u64 = 10_000;

/// The search.
pub(super) struct Search<'p> {
    problem: &'p Problem,
    rng: Rng,
    kinds: BTreeMap<Kind, usize>,
    places: Vec<Place>,
    /// By size: how many inputs, and the sum of the logarithms of their work.
    usual: BTreeMap<u32, (f64, f64)>,
    /// Inputs that were not asked about yet, of the beginning.
    fresh: Vec<Input>,
    /// Inputs of the same sizes with different answers.
    pairs: Vec<[(Input, Class); 2]>,
    /// How many pairs there were.
    paired: usize,
    /// Where each input of the last batch comes from.
    from: Vec<Origin>,
}

/// Where an input comes from.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// From the beginning.
    Fresh,
    /// Made from the input at this place.
    Place(usize),
    /// Halfway between the two of this pair.
    Pair(usize),
}

/// An input with what it took.
struct Place {
    kind: Kind,
    input: Input,
    /// Work for its size.
    density: f64,
    /// Work beside others of its size.
    excess: f64,
    /// How often the search went on from here.
    gone_on: u64,
}

/// What tells inputs apart.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    size: u32,
    answer: Class,
    is_beside_another: bool,
    /// A bit for each of the other wrong programs that fails on it.
    failing: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// The sign, and the number of bits.
    Number(i8, u32),
    Word(String),
}

/// What came of an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met<'a> {
    /// The right answer.
    pub(super) answer: &'a str,
    /// Time, or what else is counted.
    pub(super) work: f64,
    /// A bit for each of the other wrong programs that fails on it.
    pub(super) failing: u32,
}

impl<'p> Search<'p> {
    /// Begins from `first`, the problem's samples and cases, its families' edges, and samples of the stream.
    pub(super) fn new(problem: &'p Problem, seed: u64, first: &[Input]) -> Result<Self, GenerateError> {
        let by_hand = problem.samples.iter().chain(&problem.cases).map(|case| &case.input);
        let mut fresh: Vec<Input> = by_hand.chain(first).cloned().collect();
        for index in 0..FIRST_SAMPLES {
            fresh.push(generate::sample(problem, seed, 50 * index)?);
            fresh.push(generate::sample(problem, seed, FAR + index)?);
        }
        for planned in generate::plan(problem).iter().filter(|it| it.family == Family::Edges) {
            let made = generate::make(problem, seed, planned)?;
            fresh
                .extend(made.members.into_iter().filter(|input| numbers(input) <= MAX_BATCH_NUMBERS / BATCH));
        }
        let rng = Key::of_test(&problem.slug, "strength", "hunt", seed).stream(0);
        let (kinds, places, usual, pairs, from) = Default::default();
        Ok(Self { problem, rng, kinds, places, usual, fresh, pairs, paired: 0, from })
    }

    /// The next inputs to ask about; empty when there are none.
    pub(super) fn batch(&mut self) -> Vec<Input> {
        let (mut batch, mut count, mut tries) = (Vec::new(), 0, 0);
        self.from.clear();
        while batch.len() < BATCH && count < MAX_BATCH_NUMBERS && tries < MAX_TRIES {
            tries += 1;
            let Some((input, from)) = self.next() else { continue };
            count += numbers(&input);
            batch.push(input);
            self.from.push(from);
        }
        batch
    }

    /// An input to ask about; `None` when there was none this time.
    fn next(&mut self) -> Option<(Input, Origin)> {
        if let Some(input) = self.fresh.pop() {
            return Some((input, Origin::Fresh));
        }
        let model = &self.problem.model;
        if !self.pairs.is_empty() && self.rng.below(PAIR_EVERY) == 0 {
            let at = self.rng.below(self.pairs.len() as u64) as usize;
            let [one, other] = &self.pairs[at];
            match moves::between(model, &one.0, &other.0) {
                Some(input) => return Some((input, Origin::Pair(at))),
                // The bound was reached; its two sides are places of the search by now.
                None => drop(self.pairs.swap_remove(at)),
            }
        }
        if self.places.is_empty() {
            return None;
        }
        let from = self.place();
        self.places[from].gone_on += 1;
        moves::near(model, &self.places[from].input, &mut self.rng).map(|input| (input, Origin::Place(from)))
    }

    /// Where to go on from.
    fn place(&mut self) -> usize {
        let any = |rng: &mut Rng, of: usize| rng.below(of as u64) as usize;
        match self.rng.below(4) {
            0 => any(&mut self.rng, self.places.len()),
            1 => {
                let mut order: Vec<usize> = (0..self.places.len()).collect();
                order.sort_by(|left, right| self.places[*right].excess.total_cmp(&self.places[*left].excess));
                order[any(&mut self.rng, SLOWEST.min(order.len()))]
            }
            _ => {
                let mut best = any(&mut self.rng, self.places.len());
                for _ in 1..CONTEST {
                    let other = any(&mut self.rng, self.places.len());
                    if self.places[other].gone_on < self.places[best].gone_on {
                        best = other;
                    }
                }
                best
            }
        }
    }

    /// What came of the inputs of the last batch, or of the first of them.
    pub(super) fn learn(&mut self, batch: Vec<Input>, met: &[Met<'_>]) {
        let from = std::mem::take(&mut self.from);
        for ((input, met), from) in batch.into_iter().zip(met).zip(from) {
            let size = (numbers(&input) + 1).ilog2();
            let work = met.work.max(LEAST_WORK);
            let (count, logarithms) = self.usual.entry(size).or_default();
            *count += 1.0;
            *logarithms += work.ln();
            let excess = work / (*logarithms / *count).exp();
            let answer = Class::of(met.answer);
            let is_beside_another = self.compare(&input, &answer, from);
            let kind = Kind { size, answer, is_beside_another, failing: met.failing };
            let density = work / (numbers(&input) as f64 + SMALL);
            self.keep(Place { kind, input, density, excess, gone_on: 0 });
        }
        while self.places.len() > MAX_KINDS {
            let most = (0..self.places.len()).max_by_key(|&at| self.places[at].gone_on).unwrap_or_default();
            let gone = self.places.swap_remove(most);
            self.kinds.remove(&gone.kind);
            if let Some(moved) = self.places.get(most) {
                self.kinds.insert(moved.kind.clone(), most);
            }
        }
    }

    /// Whether an input has another answer than what it was made from. If so, both are kept as a pair; an input that is
    /// halfway between two takes the place of the one whose answer it has.
    fn compare(&mut self, input: &Input, answer: &Class, from: Origin) -> bool {
        match from {
            Origin::Fresh => false,
            Origin::Place(parent) => {
                let parent = &self.places[parent];
                if !parent.kind.answer.is_another(answer) {
                    return false;
                }
                let pair =
                    [(parent.input.clone(), parent.kind.answer.clone()), (input.clone(), answer.clone())];
                if self.pairs.len() < MAX_PAIRS {
                    self.pairs.push(pair);
                } else {
                    self.pairs[self.paired % MAX_PAIRS] = pair;
                }
                self.paired += 1;
                true
            }
            Origin::Pair(at) => {
                // It may have been replaced since by a pair of other inputs; that only costs it its end.
                if let Some([one, other]) = self.pairs.get_mut(at) {
                    let end = if other.1.is_another(answer) { one } else { other };
                    *end = (input.clone(), answer.clone());
                }
                true
            }
        }
    }

    /// Keeps an input if it is the first of its kind, or takes more than the one that was.
    fn keep(&mut self, place: Place) {
        match self.kinds.get(&place.kind) {
            // Of equals the later one, so that the search drifts.
            Some(&at) if self.places[at].density <= place.density => {
                let gone_on = self.places[at].gone_on;
                self.places[at] = Place { gone_on, ..place };
            }
            Some(_) => {}
            None => {
                self.kinds.insert(place.kind.clone(), self.places.len());
                self.places.push(place);
            }
        }
    }
}

impl Class {
    fn of(answer: &str) -> Self {
        let answer = answer.trim();
        match answer.parse::<i128>() {
            Ok(number) => {
                let bits = i128::BITS - number.unsigned_abs().leading_zeros();
                Self::Number(i8::try_from(number.signum()).unwrap_or_default(), bits)
            }
            Err(_) => Self::Word(answer.chars().take(ANSWER_LETTERS).collect()),
        }
    }

    /// Whether between the two there is a bound that programs have to find.
    fn is_another(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(sign, _), Self::Number(another, _)) => sign != another,
            _ => self != other,
        }
    }
}

fn numbers(input: &Input) -> usize {
    input.values.iter().map(Value::count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve;

    const PROBLEM: &str = "format = 1\ntitle = { en = \"Three\" }\n[limits]\ntime = \"1s\"\nmemory = \"256MiB\"\n\
        [size]\nn = { min = 1, max = 300 }\n[[input]]\nname = \"stones\"\ntype = \"array\"\nlen = \"n\"\n\
        item = { type = \"int\", min = -1000, max = 1000 }\n[answer]\nsolver = \"stone-game-iii\"\n\
        [checker]\nkind = \"tokens\"\n[[sample]]\nstones = [1, 2, 3, 7]\n";

    /// What a program does with an input and its right answer: whether it fails, and what it has to do.
    type Program = dyn Fn(&[i64], &str) -> (bool, f64);

    fn stones(input: &Input) -> &[i64] {
        let Value::Array(stones) = &input.values[0] else { unreachable!("an array") };
        stones
    }

    /// After how many inputs the search finds one on which the program fails.
    fn found_by_the_search(problem: &Problem, program: &Program, most: usize) -> Option<usize> {
        let solver = solve::built_in("stone-game-iii").unwrap();
        let mut search = Search::new(problem, 1, &[]).unwrap();
        let mut asked = 0;
        while asked < most {
            let batch = search.batch();
            let answers: Vec<String> = batch.iter().map(solver.solve).collect();
            let came: Vec<(bool, f64)> =
                batch.iter().zip(&answers).map(|(input, answer)| program(stones(input), answer)).collect();
            asked += batch.len();
            if came.iter().any(|(fails, _)| *fails) {
                return Some(asked);
            }
            let met: Vec<Met<'_>> = answers
                .iter()
                .zip(&came)
                .map(|(answer, (_, work))| Met { answer, work: *work, failing: 0 })
                .collect();
            search.learn(batch, &met);
        }
        None
    }

    /// The same for the streams that searches go through without learning, near and far, and the tests of the families.
    fn found_by_chance(problem: &Problem, program: &Program, most: u64) -> bool {
        let solver = solve::built_in("stone-game-iii").unwrap();
        let fails = |input: &Input| program(stones(input), &(solver.solve)(input)).0;
        let planned = generate::plan(problem);
        planned.iter().any(|it| generate::make(problem, 1, it).unwrap().members.iter().any(fails))
            || (0..most).any(|at| fails(&generate::sample(problem, 1, at).unwrap()))
    }

    #[test]
    fn a_rare_fault_is_found_where_chance_does_not_find_it() {
        let problem = crate::problem::parse("three", PROBLEM).0.unwrap();
        // Ties are rare among many stones of which none is light.
        let program = |stones: &[i64], answer: &str| {
            let different: std::collections::BTreeSet<i64> = stones.iter().copied().collect();
            let is_rare =
                stones.len() >= 40 && different.len() >= 10 && stones.iter().all(|it| it.abs() >= 20);
            (answer == "Tie" && is_rare, stones.len() as f64)
        };
        let found = found_by_the_search(&problem, &program, 2_000);
        assert!(found.is_some());
        assert!(!found_by_chance(&problem, &program, 12_000));
    }

    /// The best lead from each stone on, with a table where [`MARK`] stands for "unknown": how many calls that takes.
    fn calls(stones: &[i64], from: usize, known: &mut [i64], made: &mut u64) -> i64 {
        if from >= stones.len() {
            return 0;
        }
        if known[from] != MARK || *made > MOST_CALLS {
            return known[from];
        }
        *made += 1;
        let (mut sum, mut best) = (0, i64::MIN);
        for taken in 0..3.min(stones.len() - from) {
            sum += stones[from + taken];
            best = best.max(sum - calls(stones, from + taken + 1, known, made));
        }
        known[from] = best;
        best
    }

    /// One that no family has in mind: it knows -1 and the like.
    const MARK: i64 = 10;
    /// What a time limit allows.
    const MOST_CALLS: u64 = 1_000_000;

    #[test]
    fn a_table_whose_mark_is_a_real_value_is_driven_to_explode() {
        let problem = crate::problem::parse("three", PROBLEM).0.unwrap();
        let program = |stones: &[i64], _: &str| {
            let mut made = 0;
            calls(stones, 0, &mut vec![MARK; stones.len()], &mut made);
            (made > MOST_CALLS, made as f64)
        };
        let found = found_by_the_search(&problem, &program, 2_000);
        assert!(found.is_some());
        assert!(!found_by_chance(&problem, &program, 24_000));
    }
}
