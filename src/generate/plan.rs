//! Which tests a problem gets, in package order, by name and recipe. Makes none of them, so it costs nothing to look.

use std::collections::BTreeSet;

use super::draft::Draft;
use super::edges::{Edge, Rank, edges};
use super::exhaustive::{self, packs};
use super::fill::{Fill, Place, Width};
use super::plateau;
use super::scale::Axes;
use super::subtask::{is_same, narrowed};
use super::{Family, MAX_PACK};
use crate::problem::pattern::matches;
use crate::problem::{InputModel, Problem, Shape};

/// A test that is to be made: its name says how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// As in `edges/n=max/all_min`.
    pub name: String,
    /// The family it belongs to.
    pub family: Family,
    /// The subtask within whose bounds it is made; `None` for the model's own.
    pub(super) narrowed: Option<usize>,
    pub(super) recipe: Recipe,
    rank: Rank,
    pub(super) decade: u32,
}

/// How a test is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Recipe {
    /// The official example at this index.
    Sample(usize),
    /// The case at this index.
    Case(usize),
    /// A pack of all small inputs of some sizes.
    Exhaustive(exhaustive::Pack),
    /// A pack of so many small random inputs.
    SmallRandom { width: Width, members: u32 },
    /// One input, by draft; drawn until the conditions hold, or mended or given up if it is a fixed pattern.
    Single { draft: Draft, is_fixed: bool },
    /// A pack of fixed patterns.
    Patterns(Vec<Draft>),
}

/// A package has at most so many tests, unless hand-made ones alone are more.
pub const MAX_TESTS: usize = 120;
/// The tests made for one subtask are at most so many.
const MAX_SUBTASK_TESTS: usize = 40;

/// How many packs `small_random` has: one for each width, since few values make ties and many make near-ties.
const SMALL_RANDOM_TESTS: u32 = 5;
/// How many inputs each of them holds.
const SMALL_RANDOM_MEMBERS: u32 = 200;
/// How many long rows `plateaus` has.
const LONG_PLATEAUS: u32 = 2;
/// How many tests `max_small_values` has: three widths at two places, for ties and deep recursion at full size.
const MAX_SMALL_VALUES_TESTS: u32 = 6;
/// How many tests `max_random` has, for what is slow and for sums beyond a type.
const MAX_RANDOM_TESTS: u32 = 3;

/// The tests of a problem, in package order: those of its selection, if it has one, and all that are made by hand. The
/// same for every seed.
pub fn plan(problem: &Problem) -> Vec<Planned> {
    let mut all = plan_all(problem);
    if let Some(selection) = &problem.selection {
        let names: BTreeSet<&str> = selection.iter().map(String::as_str).collect();
        all.retain(|planned| planned.family.is_by_hand() || names.contains(planned.name.as_str()));
    }
    all
}

/// The tests that there would be without a selection.
pub fn plan_all(problem: &Problem) -> Vec<Planned> {
    let by_hand = |family: Family, name: &str, recipe| Planned {
        name: format!("{family}/{name}"),
        family,
        narrowed: None,
        recipe,
        rank: Rank::Stays,
        decade: 0,
    };
    let samples = (0..problem.samples.len())
        .map(|index| by_hand(Family::Samples, &(index + 1).to_string(), Recipe::Sample(index)));
    let cases = problem.cases.iter().enumerate();
    let cases = cases.map(|(index, case)| by_hand(Family::Cases, &case.file_name(), Recipe::Case(index)));
    let mut all: Vec<Planned> = samples.chain(cases).collect();
    for (index, subtask) in problem.subtasks.iter().enumerate() {
        let model = narrowed(&problem.model, subtask);
        if !is_same(&model, &problem.model) {
            let prefix = format!("{}/", subtask.name);
            let tests = derived(problem, &model).into_iter().map(|planned| Planned {
                name: format!("{prefix}{}", planned.name),
                narrowed: Some(index),
                ..planned
            });
            all.extend(thin(tests.collect(), MAX_SUBTASK_TESTS));
        }
    }
    all.extend(derived(problem, &problem.model));
    all.retain(|planned| !is_off(problem, &planned.name));
    thin(all, MAX_TESTS)
}

/// The families that follow from the model.
fn derived(problem: &Problem, model: &InputModel) -> Vec<Planned> {
    let families = &problem.families;
    let largest = Axes::of(model).largest();
    let planned = |family: Family, name: String, recipe| Planned {
        name: format!("{family}/{name}"),
        family,
        narrowed: None,
        recipe,
        rank: Rank::Stays,
        decade: 0,
    };
    let mut all = Vec::new();
    for pack in packs(model, families.exhaustive_budget) {
        all.push(planned(Family::Exhaustive, pack.label.clone(), Recipe::Exhaustive(pack)));
    }
    let count = families.small_random_count.unwrap_or(SMALL_RANDOM_TESTS);
    for (width, number) in shared(count, Width::ALL.len()) {
        let width = Width::ALL[width];
        let name = format!("width={}/{number:02}", width.name());
        let recipe = Recipe::SmallRandom { width, members: SMALL_RANDOM_MEMBERS };
        all.push(planned(Family::SmallRandom, name, recipe));
    }
    if model.fields.iter().any(|field| matches!(field.shape, Shape::Array { .. })) {
        let recipe = Recipe::Patterns(plateau::short_rows(model));
        all.push(planned(Family::Plateaus, "short".to_owned(), recipe));
        for number in 1..=LONG_PLATEAUS {
            // A condition may leave hardly any such row.
            let draft = at_largest(model, &largest.values, Fill::Stretches);
            let recipe = Recipe::Single { draft, is_fixed: true };
            let label = if model.sizes.is_empty() { "long" } else { largest.label.as_str() };
            all.push(planned(Family::Plateaus, format!("{label}/{number:02}"), recipe));
        }
    }
    all.extend(edge_tests(problem, model));
    if !model.sizes.is_empty() {
        let count = families.max_small_values_count.unwrap_or(MAX_SMALL_VALUES_TESTS);
        for (width, number) in shared(count, SMALL_WIDTHS.len()) {
            let width = Width::Few(SMALL_WIDTHS[width]);
            let place = PLACES[(number as usize - 1) % PLACES.len()];
            let name = format!("width={}/{number:02}", width.name());
            let draft = at_largest(model, &largest.values, Fill::Window(width, place));
            let recipe = Recipe::Single { draft, is_fixed: false };
            all.push(planned(Family::MaxSmallValues, name, recipe));
        }
    }
    for number in 1..=families.max_random_count.unwrap_or(MAX_RANDOM_TESTS) {
        let draft = at_largest(model, &largest.values, Fill::Window(Width::Full, Place::Zero));
        let recipe = Recipe::Single { draft, is_fixed: false };
        all.push(planned(Family::MaxRandom, format!("{number:02}"), recipe));
    }
    all
}

/// The widths of `max_small_values`: one value would be an edge.
const SMALL_WIDTHS: [u32; 3] = [2, 3, 10];
/// Where the windows of its tests lie, in turn.
const PLACES: [Place; 4] = [Place::Zero, Place::Low, Place::High, Place::Anywhere];

/// `count` tests shared out over `kinds`, kinds in order: (kind, number from 1).
fn shared(count: u32, kinds: usize) -> impl Iterator<Item = (usize, u32)> {
    let kinds = kinds as u32;
    (0..kinds).flat_map(move |kind| {
        let share = count / kinds + u32::from(kind < count % kinds);
        (1..=share).map(move |number| (kind as usize, number))
    })
}

fn at_largest(model: &InputModel, largest: &[i64], fill: Fill) -> Draft {
    let sizes = if model.sizes.is_empty() { &[] } else { largest };
    Draft {
        // The bounds of a size fit a u32.
        sizes: sizes.iter().map(|size| *size as u32).collect(),
        fills: vec![fill; model.fields.len()],
    }
}

fn edge_tests(problem: &Problem, model: &InputModel) -> Vec<Planned> {
    let edges = edges(model);
    let has_arrays = model.fields.iter().any(|field| matches!(field.shape, Shape::Array { .. }));
    let single = |edge: Edge| Planned {
        name: edge.name,
        family: Family::Edges,
        narrowed: None,
        recipe: Recipe::Single { draft: edge.draft, is_fixed: true },
        rank: edge.rank,
        decade: edge.decade,
    };
    let (label, packed) = edges.packed;
    let drafts: Vec<Draft> =
        packed.into_iter().filter(|edge| !is_off(problem, &edge.name)).map(|edge| edge.draft).collect();
    let chunks: Vec<&[Draft]> = drafts.chunks(MAX_PACK).collect();
    let is_one = chunks.len() == 1;
    // Without an array an edge is its scale, and a pack's name could be that of an edge.
    let label = if has_arrays { label } else { format!("{label}/packed") };
    let packs = chunks.into_iter().zip(1..).map(|(drafts, number)| Planned {
        name: if is_one { format!("edges/{label}") } else { format!("edges/{label}/{number}") },
        family: Family::Edges,
        narrowed: None,
        recipe: Recipe::Patterns(drafts.to_vec()),
        rank: Rank::Stays,
        decade: 1,
    });
    let (smallest, larger) = (edges.smallest.into_iter(), edges.larger.into_iter());
    smallest.map(single).chain(packs).chain(larger.map(single)).collect()
}

/// Whether the problem turns a test off by its name.
fn is_off(problem: &Problem, name: &str) -> bool {
    problem.families.off.iter().any(|pattern| matches(pattern, name))
}

/// Drops tests until few enough are left, by a fixed rule: the spare ones first, the larger of equals first. One test
/// of each family, every pattern at the largest size, and one test of each decade of sizes stay.
fn thin(mut all: Vec<Planned>, most: usize) -> Vec<Planned> {
    let mut decades = BTreeSet::new();
    let mut keeps: Vec<bool> = all
        .iter()
        .map(|planned| {
            planned.rank == Rank::Stays || (planned.rank != Rank::Spare && decades.insert(planned.decade))
        })
        .collect();
    let mut order: Vec<usize> = (0..all.len()).filter(|index| !keeps[*index]).collect();
    order.sort_by_key(|index| (all[*index].rank, *index));
    let room = most.saturating_sub(keeps.iter().filter(|keep| **keep).count());
    for index in order.into_iter().take(room) {
        keeps[index] = true;
    }
    let mut keeps = keeps.into_iter();
    all.retain(|_| keeps.next().unwrap_or(true));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stone_game_iii() -> Problem {
        let text = include_str!("../../problems/stone-game-iii/problem.toml");
        crate::problem::parse("stone-game-iii", text).0.unwrap()
    }

    fn names(planned: &[Planned]) -> Vec<&str> {
        planned.iter().map(|planned| planned.name.as_str()).collect()
    }

    #[test]
    fn the_edges_that_users_ask_for_can_be_found_by_name() {
        let planned = plan(&stone_game_iii());
        let names = names(&planned);
        for name in [
            "samples/1",
            "cases/ties",
            "exhaustive/n=1..4",
            "small_random/width=2/01",
            "plateaus/short",
            "plateaus/n=max/02",
            "edges/n=min/all_min",
            "edges/n=min+1/alternating",
            "edges/n=max/all_min",
            "edges/n=max/all_max",
            "edges/n=max-1/all_zero",
            "max_small_values/width=2/01",
            "max_random/01",
        ] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
        assert!(names.len() <= MAX_TESTS, "{}", names.len());
        let mut families: Vec<Family> = planned.iter().map(|planned| planned.family).collect();
        families.dedup();
        assert!(families.is_sorted() && families.len() == 8, "{families:?}");
    }

    #[test]
    fn names_are_unique_whatever_their_case() {
        let names = plan(&stone_game_iii()).into_iter().map(|planned| planned.name.to_lowercase());
        let mut names: Vec<String> = names.collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn families_are_changed_as_the_problem_says() {
        let mut problem = stone_game_iii();
        problem.families.off = vec!["edges/*/geometric".to_owned(), "exhaustive/*".to_owned()];
        problem.families.small_random_count = Some(7);
        problem.families.max_random_count = Some(0);
        let all = plan(&problem);
        let names = names(&all);
        assert!(!names.iter().any(|name| name.ends_with("geometric") || name.starts_with("exhaustive")));
        assert!(names.contains(&"small_random/width=2/02") && !names.contains(&"small_random/width=3/02"));
        assert!(!names.contains(&"max_random/01"));
    }

    #[test]
    fn a_star_stops_at_a_slash() {
        for (pattern, name, expected) in [
            ("edges/*/geometric", "edges/n=max/geometric", true),
            ("edges/*/geometric", "edges/n=max/x/geometric", false),
            ("edges/*", "edges/n=max/geometric", false),
            ("*/n=max*/a*l*n", "edges/n=max-1/all_min", true),
            ("*/n=max*/a*lx*n", "edges/n=max-1/all_min", false),
            ("samples/1", "samples/1", true),
            ("samples/1", "samples/10", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn too_many_tests_are_thinned_by_rank_and_every_decade_stays() {
        let all = plan(&stone_game_iii());
        let few = thin(all.clone(), 60);
        let kept = names(&few);
        assert!(few.len() < all.len());
        for pattern in ["all_min", "random", "halves"] {
            assert!(kept.contains(&format!("edges/n=max/{pattern}").as_str()), "{pattern}");
        }
        for decade in 0..=4 {
            assert!(few.iter().any(|planned| planned.family == Family::Edges && planned.decade == decade));
        }
        assert!(!kept.contains(&"edges/n=max-1/halves"), "{kept:?}");
    }
}
