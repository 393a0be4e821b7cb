//! Points: what a subtask is worth, what a checker gave, and what comes of it, in exact decimal arithmetic. Knows
//! verdicts, never runs a test, never computes with a float.
//!
//! A subtask's points are rounded once, half up, to two decimals; a total is the sum of what was rounded, so that what
//! people see adds up.

mod decimal;

use serde::Serialize;

use crate::verdict::Verdict;
pub use decimal::{Decimal, Points, PointsError};

/// Subtasks that a problem may have.
pub const MAX_GROUPS: usize = 100;

/// How the tests of a group make its points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// All or nothing; where a checker gives parts, the least part counts.
    #[default]
    Min,
    /// Each test gives its equal part.
    Sum,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Self; 2] = [Self::Min, Self::Sum];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Sum => "sum",
        }
    }
}

/// A group of tests that gives points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The subtask's name.
    pub name: String,
    /// What it is worth.
    pub points: Points,
    /// How its tests make its points.
    pub rule: Rule,
    /// Indices of groups, all before this one, without which it gives no points.
    pub needs: Vec<usize>,
}

/// What a checker gave for one test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Marks {
    /// A part of what the test is worth, from 0 to 1.
    Share(Decimal),
    /// Points as they are.
    Points(Decimal),
}

/// What one test can give at most: these points shared out over so many tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    points: Points,
    tests: u64,
}

/// An error of a float that a checker printed: 10^-9, in parts of a [`Decimal`].
const SLACK: u128 = decimal::ONE / 1_000_000_000;
/// How many parts of a [`Decimal`] are a hundredth.
const HUNDREDTH: u128 = decimal::ONE / 100;

impl Worth {
    /// What one of the `tests` tests of a group is worth.
    pub fn of(group: &Group, tests: usize) -> Self {
        let tests = match group.rule {
            Rule::Min => 1,
            Rule::Sum => (tests as u64).max(1),
        };
        Self { points: group.points, tests }
    }
}

impl std::fmt::Display for Worth {
    /// As in `30`, `2.5` or `100/3`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let hundredths = self.points.hundredths();
        if hundredths.is_multiple_of(self.tests) {
            write!(f, "{}", Points::from_hundredths(hundredths / self.tests))
        } else {
            write!(f, "{}/{}", self.points, self.tests)
        }
    }
}

impl Marks {
    /// Whether this is everything that a test can give; where nothing is known of its worth, any points are.
    pub fn is_full(self, worth: Option<Worth>) -> bool {
        match (self, worth) {
            (Self::Share(share), _) => share.parts >= decimal::ONE,
            (Self::Points(points), Some(worth)) => {
                let (tests, most) = (u128::from(worth.tests), u128::from(worth.points.hundredths()));
                (points.parts + SLACK) * tests >= most * HUNDREDTH
            }
            (Self::Points(points), None) => !points.is_zero(),
        }
    }

    /// Whether this is more than a test can give.
    pub fn is_too_much(self, worth: Option<Worth>) -> bool {
        match (self, worth) {
            (Self::Share(share), _) => share.parts > decimal::ONE,
            (Self::Points(points), Some(worth)) => {
                let (tests, most) = (u128::from(worth.tests), u128::from(worth.points.hundredths()));
                points.parts * tests > most * HUNDREDTH + SLACK * tests
            }
            (Self::Points(_), None) => false,
        }
    }

    /// Whether this is less than another of the same kind; points count as less than shares, since nobody mixes them.
    pub fn is_less_than(self, other: Self) -> bool {
        match (self, other) {
            (Self::Share(one), Self::Share(other)) | (Self::Points(one), Self::Points(other)) => one < other,
            (Self::Points(_), Self::Share(_)) => true,
            (Self::Share(_), Self::Points(_)) => false,
        }
    }

    /// Whether this is nothing.
    pub fn is_zero(self) -> bool {
        match self {
            Self::Share(number) | Self::Points(number) => number.is_zero(),
        }
    }

    /// As in `0.5 of the points` or `12.5 points`.
    pub fn in_words(self) -> String {
        match self {
            Self::Share(share) => format!("{share} of the points"),
            Self::Points(points) => format!("{points} points"),
        }
    }

    /// As one text, for [`Marks::parse`].
    pub fn to_text(self) -> String {
        match self {
            Self::Share(share) => format!("share {share}"),
            Self::Points(points) => format!("points {points}"),
        }
    }

    /// Reads what [`Marks::to_text`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, number) = text.split_once(' ')?;
        let number = Decimal::parse(number)?;
        match kind {
            "share" => Some(Self::Share(number)),
            "points" => Some(Self::Points(number)),
            _ => None,
        }
    }
}

/// What is known of one test.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The test's name.
    pub name: &'a str,
    /// The name of its group.
    pub group: Option<&'a str>,
    /// `None` when it was not run.
    pub verdict: Option<Verdict>,
    /// What the checker gave; `None` when it gives no parts.
    pub marks: Option<Marks>,
}

/// What came of one group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GroupScore {
    /// The subtask's name.
    pub name: String,
    /// What was won.
    pub score: Points,
    /// What could be won.
    pub points: Points,
    /// That of its first failing test; null when none failed and some were not run.
    pub verdict: Option<Verdict>,
    /// How many of its tests were passed.
    pub passed: usize,
    /// How many tests it has.
    pub tests: usize,
    /// The first of its tests that was not accepted.
    pub first_failing_test: Option<String>,
}

impl GroupScore {
    /// Whether every test was passed.
    fn is_whole(&self) -> bool {
        self.tests > 0 && self.passed == self.tests
    }
}

/// What came of each group, in order.
pub fn of_groups(groups: &[Group], rows: &[Row<'_>]) -> Vec<GroupScore> {
    let mut scores: Vec<GroupScore> = Vec::with_capacity(groups.len());
    // Whether a group and all that it needs were passed.
    let mut is_solved: Vec<bool> = Vec::with_capacity(groups.len());
    for group in groups {
        let own: Vec<&Row<'_>> = rows.iter().filter(|row| row.group == Some(group.name.as_str())).collect();
        let may_score = group.needs.iter().all(|needed| is_solved.get(*needed) == Some(&true));
        let failing = own.iter().find(|row| row.verdict.is_some_and(|verdict| verdict != Verdict::Ac));
        let passed = own.iter().filter(|row| row.verdict == Some(Verdict::Ac)).count();
        let verdict = crate::verdict::of_submission(own.iter().map(|row| row.verdict));
        let score = GroupScore {
            name: group.name.clone(),
            score: if may_score { points(group, &own) } else { Points::ZERO },
            points: group.points,
            verdict: verdict.filter(|verdict| *verdict != Verdict::Ac || passed == own.len()),
            passed,
            tests: own.len(),
            first_failing_test: failing.map(|row| row.name.to_owned()),
        };
        is_solved.push(may_score && score.is_whole());
        scores.push(score);
    }
    scores
}

/// The points that the rows of a group make.
fn points(group: &Group, rows: &[&Row<'_>]) -> Points {
    let Ok(tests) = u128::try_from(rows.len()) else { return Points::ZERO };
    if tests == 0 {
        return Points::ZERO;
    }
    let worth = u128::from(group.points.hundredths());
    // In hundredths, times `decimal::ONE`; what each test gives of the whole group if it were the only one.
    let whole = worth * decimal::ONE;
    let given = |row: &&Row<'_>| match (row.verdict, row.marks) {
        (Some(Verdict::Ac), _) => whole,
        (Some(Verdict::Wa), Some(Marks::Share(share))) => worth * share.parts,
        (Some(Verdict::Wa), Some(Marks::Points(points))) => match group.rule {
            Rule::Min => points.parts * 100,
            Rule::Sum => points.parts * 100 * tests,
        },
        _ => 0,
    };
    let given = rows.iter().map(given).map(|given| given.min(whole));
    let (sum, parts) = match group.rule {
        Rule::Min => (given.min().unwrap_or(0), 1),
        Rule::Sum => (given.sum(), tests),
    };
    // Half up: the whole number next below the value plus one half.
    let unit = parts * decimal::ONE;
    let hundredths = (2 * sum + unit) / (2 * unit);
    Points::from_hundredths(u64::try_from(hundredths).unwrap_or(u64::MAX).min(group.points.hundredths()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Ac, Tle, Wa};

    fn group(name: &str, points: &str, rule: Rule, needs: &[usize]) -> Group {
        Group { name: name.to_owned(), points: Points::parse(points).unwrap(), rule, needs: needs.to_vec() }
    }

    fn row(group: &'static str, verdict: Verdict, marks: &str) -> Row<'static> {
        Row { name: "t", group: Some(group), verdict: Some(verdict), marks: Marks::parse(marks) }
    }

    fn won(groups: &[Group], rows: &[Row<'_>]) -> Vec<String> {
        of_groups(groups, rows).iter().map(|group| group.score.to_string()).collect()
    }

    #[test]
    fn rounded_groups_add_up() {
        let groups = [
            group("1", "33.33", Rule::Min, &[]),
            group("2", "33.33", Rule::Min, &[]),
            group("3", "33.34", Rule::Min, &[]),
        ];
        let rows =
            |last| ["1", "2", "3"].into_iter().flat_map(move |name| [row(name, Ac, ""), row(name, last, "")]);
        let all: Vec<Row<'_>> = rows(Ac).collect();
        assert_eq!(won(&groups, &all), ["33.33", "33.33", "33.34"]);
        let total: Points = of_groups(&groups, &all).iter().map(|group| group.score).sum();
        assert_eq!(total.to_string(), "100");
        assert_eq!(won(&groups, &rows(Wa).collect::<Vec<_>>()), ["0", "0", "0"]);
    }

    #[test]
    fn a_sum_is_rounded_once_and_half_up() {
        let sum = |points, verdicts: &[Verdict]| {
            let rows: Vec<Row<'_>> = verdicts.iter().map(|verdict| row("a", *verdict, "")).collect();
            won(&[group("a", points, Rule::Sum, &[])], &rows).remove(0)
        };
        assert_eq!(sum("100", &[Ac, Wa, Wa]), "33.33");
        assert_eq!(sum("100", &[Ac, Ac, Wa]), "66.67");
        assert_eq!(sum("100", &[Ac, Ac, Ac]), "100");
        // 0.125 and 0.005 lie on the half.
        assert_eq!(sum("0.25", &[Ac, Wa]), "0.13");
        assert_eq!(sum("0.01", &[Ac, Tle]), "0.01");
        assert_eq!(sum("0.01", &[Ac, Wa, Wa]), "0");
    }

    #[test]
    fn parts_are_the_least_of_a_minimum_and_all_of_a_sum() {
        let rows = [row("a", Ac, ""), row("a", Wa, "share 0.5"), row("a", Wa, "share 0.25")];
        assert_eq!(won(&[group("a", "30", Rule::Min, &[])], &rows), ["7.5"]);
        assert_eq!(won(&[group("a", "30", Rule::Sum, &[])], &rows), ["17.5"]);
        let rows = [row("a", Ac, ""), row("a", Wa, "points 2.345")];
        assert_eq!(won(&[group("a", "30", Rule::Min, &[])], &rows), ["2.35"]);
        assert_eq!(won(&[group("a", "30", Rule::Sum, &[])], &rows), ["17.35"]);
        // What was cut short by a limit has no parts.
        assert_eq!(won(&[group("a", "30", Rule::Min, &[])], &[row("a", Tle, "share 0.5")]), ["0"]);
    }

    #[test]
    fn a_group_gives_nothing_without_those_that_it_needs() {
        let groups = [
            group("a", "10", Rule::Min, &[]),
            group("b", "20", Rule::Min, &[0]),
            group("c", "70", Rule::Sum, &[1]),
        ];
        let rows = |first| [row("a", first, ""), row("b", Ac, ""), row("c", Ac, "")];
        assert_eq!(won(&groups, &rows(Ac)), ["10", "20", "70"]);
        assert_eq!(won(&groups, &rows(Wa)), ["0", "0", "0"]);
        assert_eq!(won(&groups, &[row("a", Ac, ""), row("c", Ac, "")]), ["10", "0", "0"]);
    }

    #[test]
    fn what_is_full_or_too_much_depends_on_what_a_test_is_worth() {
        let marks = |text| Marks::parse(text).unwrap();
        let third = Worth::of(&group("a", "100", Rule::Sum, &[]), 3);
        assert_eq!(third.to_string(), "100/3");
        assert!(marks("points 33.333333333333336").is_full(Some(third)));
        assert!(!marks("points 33.333333333333336").is_too_much(Some(third)));
        assert!(
            !marks("points 33.33").is_full(Some(third)) && marks("points 33.34").is_too_much(Some(third))
        );
        let whole = Worth::of(&group("a", "100", Rule::Min, &[]), 3);
        assert!(marks("points 100").is_full(Some(whole)) && !marks("points 34").is_full(Some(whole)));
        assert!(marks("share 1").is_full(None) && !marks("share 0.999999").is_full(None));
        assert!(marks("share 1.000001").is_too_much(None) && marks("points 0").is_zero());
        for text in ["share 0.125", "points 33.333333333333336"] {
            assert_eq!(marks(text).to_text(), text);
        }
        assert_eq!(serde_json::to_string(&marks("share 0.5")).unwrap(), r#"{"share":0.5}"#);
        assert_eq!(serde_json::to_string(&marks("points 12")).unwrap(), r#"{"points":12}"#);
    }
}
