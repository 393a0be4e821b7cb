//! What a set of tests should have shown of its model: bounds, signs, ties, answers. Only counts what it is shown;
//! makes no input.
//!
//! | goal | is reached by an input with |
//! |---|---|
//! | `n=min`, `n=max` | the smallest, the largest size |
//! | `a=min`, `a=max` | a value at that bound |
//! | `a=min@n=max` | the same at the largest size |
//! | `a<0`, `a=0`, `a>0` | a value of that sign, where the bounds allow it |
//! | `a has equal neighbours` | the same value twice in a row |
//! | `a is all equal` | at least two values, all the same |
//! | `returns=Tie`, `returns=Tie@n=max` | that answer, at the largest size where more than one input has it |

use super::{Input, Value};
use crate::problem::{Function, InputModel, Len, Problem, Returns, Shape, Waiver};
use std::cmp::Ordering;

/// Something that the tests of a problem should show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The name that waivers use, as in `stoneValue=max@n=max`.
    pub name: String,
    kind: GoalKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum GoalKind {
    /// A size at its smallest (false) or largest (true).
    Size {
        size: usize,
        largest: bool,
    },
    /// A value at its bound, if given at the largest value of a size.
    Bound {
        field: usize,
        largest: bool,
        at: Option<usize>,
    },
    Sign {
        field: usize,
        sign: Ordering,
    },
    EqualNeighbours {
        field: usize,
    },
    AllEqual {
        field: usize,
    },
    Returns {
        text: String,
        at: Option<usize>,
    },
}

/// Which goals have been reached by the inputs shown so far.
#[derive(Clone, Debug)]
pub struct Coverage {
    model: InputModel,
    goals: Vec<(Goal, bool)>,
    waivers: Vec<Waiver>,
}

/// Every goal of a model and its function, in a fixed order: sizes, fields, answers.
pub fn goals(model: &InputModel, function: Option<&Function>) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (index, size) in model.sizes.iter().enumerate() {
        for largest in both(size.range.min, size.range.max) {
            let name = format!("{}={}", size.name, word(*largest));
            goals.push(Goal { name, kind: GoalKind::Size { size: index, largest: *largest } });
        }
    }
    for field in 0..model.fields.len() {
        field_goals(model, field, &mut goals);
    }
    let texts = match function.map(|function| &function.returns) {
        Some(Returns::Bool) => vec!["true".to_owned(), "false".to_owned()],
        Some(Returns::OneOf(texts)) => texts.clone(),
        _ => Vec::new(),
    };
    for text in &texts {
        let kind = GoalKind::Returns { text: text.clone(), at: None };
        goals.push(Goal { name: format!("returns={text}"), kind });
    }
    for (at, size) in model.sizes.iter().enumerate().filter(|(at, _)| has_choice_at_largest(model, *at)) {
        for text in &texts {
            let kind = GoalKind::Returns { text: text.clone(), at: Some(at) };
            goals.push(Goal { name: format!("returns={text}@{}=max", size.name), kind });
        }
    }
    goals
}

fn field_goals(model: &InputModel, field: usize, goals: &mut Vec<Goal>) {
    let (name, shape) = (&model.fields[field].name, model.fields[field].shape);
    let range = shape.range();
    let size = match shape {
        Shape::Array { len: Len::Size(size), .. } => {
            let range = model.sizes[size].range;
            (range.min < range.max && range.max > 0).then_some(size)
        }
        _ => None,
    };
    for at in [None].into_iter().chain(size.map(Some)) {
        let place = at.map_or(String::new(), |size| format!("@{}=max", model.sizes[size].name));
        for largest in both(range.min, range.max) {
            let kind = GoalKind::Bound { field, largest: *largest, at };
            goals.push(Goal { name: format!("{name}={}{place}", word(*largest)), kind });
        }
    }
    let signs = [
        ("<", Ordering::Less, range.min < 0),
        ("=", Ordering::Equal, range.contains(0)),
        (">", Ordering::Greater, range.max > 0),
    ];
    for (text, sign, _) in signs.into_iter().filter(|(_, _, is_possible)| *is_possible) {
        goals.push(Goal { name: format!("{name}{text}0"), kind: GoalKind::Sign { field, sign } });
    }
    let longest = match shape {
        Shape::Int(_) => 1,
        Shape::Array { len: Len::Fixed(len), .. } => i64::from(len),
        Shape::Array { len: Len::Size(size), .. } => model.sizes[size].range.max,
    };
    if longest >= 2 {
        let kind = GoalKind::EqualNeighbours { field };
        goals.push(Goal { name: format!("{name} has equal neighbours"), kind });
        goals.push(Goal { name: format!("{name} is all equal"), kind: GoalKind::AllEqual { field } });
    }
}

/// Smallest and largest, once when they are the same.
fn both(min: i64, max: i64) -> &'static [bool] {
    if min == max { &[false] } else { &[false, true] }
}

fn word(largest: bool) -> &'static str {
    if largest { "max" } else { "min" }
}

/// Whether more than one input has the largest value of the size: some other size or some number can vary there.
fn has_choice_at_largest(model: &InputModel, at: usize) -> bool {
    let other_size =
        model.sizes.iter().enumerate().any(|(index, size)| index != at && size.range.count() > 1);
    let number = model.fields.iter().any(|field| {
        let has_values = match field.shape {
            Shape::Array { len: Len::Size(size), .. } => model.sizes[size].range.max > 0,
            Shape::Int(_) | Shape::Array { .. } => true,
        };
        has_values && field.shape.range().count() > 1
    });
    other_size || number
}

impl Coverage {
    /// Nothing shown yet.
    pub fn new(problem: &Problem) -> Self {
        let goals = goals(&problem.model, problem.function.as_ref());
        Self {
            model: problem.model.clone(),
            goals: goals.into_iter().map(|goal| (goal, false)).collect(),
            waivers: problem.waivers.clone(),
        }
    }

    /// Takes an input of the model, and its answer, into account.
    pub fn observe(&mut self, input: &Input, answer: &str) {
        let at_largest = |size: usize| {
            usize::try_from(self.model.sizes[size].range.max)
                .is_ok_and(|max| input.size(&self.model, size) == max)
        };
        let seen: Vec<Seen> = input.values.iter().map(Seen::of).collect();
        for (goal, reached) in self.goals.iter_mut().filter(|(_, reached)| !reached) {
            *reached = match &goal.kind {
                GoalKind::Size { size, largest: true } => at_largest(*size),
                GoalKind::Size { size, largest: false } => {
                    let min = self.model.sizes[*size].range.min;
                    usize::try_from(min).is_ok_and(|min| input.size(&self.model, *size) == min)
                }
                GoalKind::Bound { field, largest, at } => {
                    let range = self.model.fields[*field].shape.range();
                    let ends = seen[*field].ends;
                    at.is_none_or(at_largest)
                        && ends.is_some_and(
                            |(min, max)| if *largest { max == range.max } else { min == range.min },
                        )
                }
                GoalKind::Sign { field, sign } => seen[*field].signs[(*sign as i8 + 1) as usize],
                GoalKind::EqualNeighbours { field } => seen[*field].equal_neighbours,
                GoalKind::AllEqual { field } => seen[*field].all_equal,
                GoalKind::Returns { text, at } => answer.trim() == text.trim() && at.is_none_or(at_largest),
            };
        }
    }

    /// The goals that no input has reached and no waiver excuses.
    pub fn missing(&self) -> Vec<Goal> {
        let open = |goal: &Goal| !self.waivers.iter().any(|waiver| waiver.goal == goal.name);
        self.unreached().filter(|goal| open(goal)).cloned().collect()
    }

    /// The waivers whose goal was reached all the same: they are wrong, or no longer needed.
    pub fn needless_waivers(&self) -> Vec<&Waiver> {
        let reached = |name: &str| self.goals.iter().any(|(goal, reached)| *reached && goal.name == name);
        self.waivers.iter().filter(|waiver| reached(&waiver.goal)).collect()
    }

    /// How many goals there are, and how many of them were reached.
    pub fn reached(&self) -> (usize, usize) {
        (self.goals.len(), self.goals.len() - self.unreached().count())
    }

    fn unreached(&self) -> impl Iterator<Item = &Goal> {
        self.goals.iter().filter(|(_, reached)| !reached).map(|(goal, _)| goal)
    }
}

/// What one value shows, found in one pass.
struct Seen {
    ends: Option<(i64, i64)>,
    /// Whether there is a value below, at, above 0.
    signs: [bool; 3],
    equal_neighbours: bool,
    all_equal: bool,
}

impl Seen {
    fn of(value: &Value) -> Self {
        let items = match value {
            Value::Int(value) => std::slice::from_ref(value),
            Value::Array(items) => items,
        };
        let mut seen = Self {
            ends: items.first().map(|first| (*first, *first)),
            signs: [false; 3],
            equal_neighbours: false,
            all_equal: items.len() >= 2,
        };
        let mut before = None;
        for item in items {
            seen.ends = seen.ends.map(|(min, max)| (min.min(*item), max.max(*item)));
            seen.signs[(item.signum() + 1) as usize] = true;
            let same = before == Some(*item);
            seen.equal_neighbours |= same;
            seen.all_equal &= same || before.is_none();
            before = Some(*item);
        }
        seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOML: &str = r#"
        format = 1
        title = { en = "t" }
        limits = { time = "1s", memory = "64MiB" }
        function = { name = "f", returns = "bool" }
        size.n = { min = 1, max = 3 }
        input = [
            { name = "k", type = "int", min = 5, max = 5 },
            { name = "a", type = "array", len = "n", item = { type = "int", min = -1, max = 2 } },
        ]
        answer = { solver = "s" }
        waive = [{ goal = "returns=false@n=max", why = "…" }]
    "#;

    fn coverage() -> Coverage {
        let (problem, mistakes) = crate::problem::parse("p", TOML);
        Coverage::new(&problem.unwrap_or_else(|| panic!("{mistakes:?}")))
    }

    fn missing(coverage: &Coverage) -> Vec<String> {
        coverage.missing().into_iter().map(|goal| goal.name).collect()
    }

    fn observe(coverage: &mut Coverage, items: &[i64], answer: &str) {
        coverage.observe(&Input { values: vec![Value::Int(5), Value::Array(items.to_vec())] }, answer);
    }

    #[test]
    fn every_goal_has_a_name_and_is_missing_at_first() {
        let names = [
            "n=min",
            "n=max",
            "k=min",
            "k>0",
            "a=min",
            "a=max",
            "a=min@n=max",
            "a=max@n=max",
            "a<0",
            "a=0",
            "a>0",
            "a has equal neighbours",
            "a is all equal",
            "returns=true",
            "returns=false",
            "returns=true@n=max",
        ];
        assert_eq!(missing(&coverage()), names);
        assert_eq!(coverage().reached(), (names.len() + 1, 0));
    }

    #[test]
    fn goals_are_reached_by_what_shows_them_and_by_nothing_else() {
        let mut coverage = coverage();
        observe(&mut coverage, &[2], "true\n");
        let left = missing(&coverage);
        for reached in ["n=min", "k=min", "k>0", "a=max", "a>0", "returns=true"] {
            assert!(!left.iter().any(|name| name == reached), "{reached}");
        }
        // One value is no tie.
        assert!(left.contains(&"a is all equal".to_owned()));
        observe(&mut coverage, &[-1, 0, 0], "true");
        observe(&mut coverage, &[1, 1], "false");
        assert_eq!(missing(&coverage), ["a=max@n=max"]);
        observe(&mut coverage, &[2, 0, 0], "no");
        assert_eq!(missing(&coverage), [] as [&str; 0]);
        assert_eq!(coverage.reached(), (17, 16));
    }

    #[test]
    fn a_waiver_of_what_is_reached_is_told() {
        let mut coverage = coverage();
        assert!(coverage.needless_waivers().is_empty());
        observe(&mut coverage, &[1, 1, 1], "false");
        assert_eq!(coverage.needless_waivers()[0].goal, "returns=false@n=max");
    }

    #[test]
    fn a_size_with_one_input_asks_for_one_answer_only() {
        let toml = TOML.replace("min = -1, max = 2", "min = 2, max = 2").replace("waive = ", "# ");
        let (problem, mistakes) = crate::problem::parse("p", &toml);
        let problem = problem.unwrap_or_else(|| panic!("{mistakes:?}"));
        let names = goals(&problem.model, problem.function.as_ref());
        assert!(names.iter().all(|goal| !goal.name.contains("returns=true@")));
    }
}
