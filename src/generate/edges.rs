//! The family `edges`: sizes at and beside their bounds and the powers of two, crossed with patterns of values.
//! Small sizes lie together in a pack, except the very smallest; every other edge is a test of its own. Tables that are
//! too small, types that are too narrow and loops that end one off fail at such sizes and on such values.

use super::draft::Draft;
use super::fill::{Fill, Pattern, Place, Width};
use super::scale::{Axes, Scale};
use crate::problem::{InputModel, IntRange, Shape};

/// One edge: a scale with a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// As in `edges/n=max/all_min`; in a pack the name it would have alone.
    pub(super) name: String,
    pub(super) draft: Draft,
    /// How gladly it is kept when there are too many tests.
    pub(super) rank: Rank,
    /// How many decimal digits its size has: its decade.
    pub(super) decade: u32,
}

/// How gladly a test is kept when there are too many; lower stays longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// Never dropped.
    Stays,
    /// Two arrays with different patterns at the largest size.
    Crossed,
    /// An edge at the smallest sizes.
    Smallest,
    /// An edge at a power of two.
    Power,
    /// An edge beside a power of two.
    BesidePower,
    /// Every other pattern at the size below the largest, and patterns crossed elsewhere.
    Spare,
}

/// Edges that are tests of their own, and those that share a pack.
pub(super) struct Edges {
    pub(super) smallest: Vec<Edge>,
    /// The label of the pack, and its edges.
    pub(super) packed: (String, Vec<Edge>),
    pub(super) larger: Vec<Edge>,
}

/// Every edge of the model, in package order.
pub(super) fn edges(model: &InputModel) -> Edges {
    let axes = Axes::of(model);
    let scales = axes.scales();
    let arrangements = arrangements(model, &axes);
    let largest = axes.largest();
    let mut edges = Edges { smallest: Vec::new(), packed: (String::new(), Vec::new()), larger: Vec::new() };
    let mut small_scales = Vec::new();
    for (index, scale) in scales.iter().enumerate() {
        let edge = |arrangement: &Arrangement, rank| Edge {
            name: [scale.label.as_str(), arrangement.label.as_str()]
                .into_iter()
                .filter(|part| !part.is_empty())
                .fold("edges".to_owned(), |name, part| format!("{name}/{part}")),
            draft: draft(model, &axes, scale, arrangement),
            rank,
            decade: decade(scale),
        };
        let all = |plain: Rank, crossed: Rank| {
            arrangements.iter().map(move |it| edge(it, if it.is_crossed { crossed } else { plain }))
        };
        if *scale == largest {
            edges.larger.extend(all(Rank::Stays, Rank::Crossed));
        } else if index < SMALLEST_SCALES {
            edges.smallest.extend(all(Rank::Smallest, Rank::Spare));
        } else if scale.is_small() {
            edges.packed.1.extend(all(Rank::Stays, Rank::Stays));
            small_scales.push(scale);
        } else if index + 2 >= scales.len() {
            edges.larger.extend(all(Rank::Spare, Rank::Spare));
        } else {
            // In between one pattern for each size, in turn, so that a power and its neighbours get different ones.
            let plain: Vec<&Arrangement> = arrangements.iter().filter(|it| !it.is_crossed).collect();
            let rank = if is_power(scale) { Rank::Power } else { Rank::BesidePower };
            edges.larger.extend(plain.get(index % plain.len().max(1)).map(|it| edge(it, rank)));
        }
    }
    edges.packed.0 = span(&axes, &small_scales);
    edges
}

/// The first scales are tests of their own, so that the smallest inputs can be named.
const SMALLEST_SCALES: usize = 2;

/// How the fields are filled, with the name of it.
struct Arrangement {
    label: String,
    /// One for each field; integers that are axes take the scale's value instead.
    fills: Vec<Fill>,
    is_crossed: bool,
}

/// The patterns for all arrays alike; with two arrays also some crossed; with integers beside arrays also each
/// integer at its ends.
fn arrangements(model: &InputModel, axes: &Axes) -> Vec<Arrangement> {
    let arrays: Vec<(usize, IntRange)> = model
        .fields
        .iter()
        .enumerate()
        .filter_map(|(index, field)| match field.shape {
            Shape::Array { item, .. } => Some((index, item)),
            Shape::Int(_) => None,
        })
        .collect();
    if arrays.is_empty() {
        let fills = vec![Fill::Pattern(Pattern::Random); model.fields.len()];
        return vec![Arrangement { label: String::new(), fills, is_crossed: false }];
    }
    let alike = |pattern| vec![Fill::Pattern(pattern); model.fields.len()];
    let fits = |pattern: &Pattern| arrays.iter().any(|(_, item)| pattern.fits(*item));
    let mut all: Vec<Arrangement> = Pattern::ALL
        .into_iter()
        .filter(fits)
        .map(|pattern| Arrangement {
            label: pattern.name().to_owned(),
            fills: alike(pattern),
            is_crossed: false,
        })
        .collect();
    if let [(first, _), (second, _)] = arrays[..] {
        for one in Pattern::CROSSED {
            for other in Pattern::CROSSED.into_iter().filter(|other| *other != one) {
                let mut fills = alike(Pattern::Random);
                (fills[first], fills[second]) = (Fill::Pattern(one), Fill::Pattern(other));
                let label = format!("{},{}", one.name(), other.name());
                all.push(Arrangement { label, fills, is_crossed: true });
            }
        }
    }
    if !axes.are_ints {
        for (index, field) in model.fields.iter().enumerate() {
            let Shape::Int(range) = field.shape else { continue };
            for (end, value) in [("min", range.min), ("max", range.max)] {
                let mut fills = vec![Fill::Window(Width::Full, Place::Zero); model.fields.len()];
                fills[index] = Fill::Exactly(value);
                let label = format!("{}={end}", field.name.to_lowercase());
                all.push(Arrangement { label, fills, is_crossed: false });
            }
        }
    }
    all
}

fn draft(model: &InputModel, axes: &Axes, scale: &Scale, arrangement: &Arrangement) -> Draft {
    if !axes.are_ints {
        // The bounds of a size fit a u32.
        let sizes = scale.values.iter().map(|value| *value as u32).collect();
        return Draft { sizes, fills: arrangement.fills.clone() };
    }
    let mut values = scale.values.iter();
    let fill = |(shape, fill): (&Shape, &Fill)| match shape {
        Shape::Int(_) => values.next().map_or(*fill, |value| Fill::Exactly(*value)),
        Shape::Array { .. } => *fill,
    };
    let shapes = model.fields.iter().map(|field| &field.shape);
    Draft { sizes: Vec::new(), fills: shapes.zip(&arrangement.fills).map(fill).collect() }
}

/// As in `n=3..33`.
fn span(axes: &Axes, small: &[&Scale]) -> String {
    match (axes.ranges.as_slice(), small) {
        ([(name, _)], [only]) => format!("{}={}", name.to_lowercase(), only.values[0]),
        ([(name, _)], [first, .., last]) => {
            format!("{}={}..{}", name.to_lowercase(), first.values[0], last.values[0])
        }
        _ => "small".to_owned(),
    }
}

fn decade(scale: &Scale) -> u32 {
    scale.values.iter().map(|value| value.unsigned_abs()).max().and_then(u64::checked_ilog10).unwrap_or(0)
}

fn is_power(scale: &Scale) -> bool {
    scale.values.iter().any(|value| value.unsigned_abs().is_power_of_two())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Field, Len, Size};

    pub(super) fn model(arrays: usize, ints: usize, n_max: i64) -> InputModel {
        let item = IntRange { min: -1000, max: 1000, step: 1 };
        let size = Size { name: "n".to_owned(), range: IntRange { min: 1, max: n_max, step: 1 } };
        let array =
            |index| Field { name: format!("a{index}"), shape: Shape::Array { len: Len::Size(0), item } };
        let int = |index| Field {
            name: format!("k{index}"),
            shape: Shape::Int(IntRange { min: 1, max: 100_000, step: 1 }),
        };
        InputModel {
            sizes: if arrays > 0 { vec![size] } else { Vec::new() },
            fields: (0..ints).map(int).chain((0..arrays).map(array)).collect(),
            wheres: Vec::new(),
        }
    }

    fn names(edges: &[Edge]) -> Vec<&str> {
        edges.iter().map(|edge| edge.name.as_str()).collect()
    }

    #[test]
    fn one_array_has_every_pattern_at_the_largest_and_the_smallest_size() {
        let edges = edges(&model(1, 0, 50_000));
        for pattern in Pattern::ALL {
            let name = |size: &str| format!("edges/n={size}/{}", pattern.name());
            assert!(names(&edges.larger).contains(&name("max").as_str()), "{pattern:?}");
            assert!(names(&edges.larger).contains(&name("max-1").as_str()), "{pattern:?}");
            assert!(names(&edges.smallest).contains(&name("min").as_str()), "{pattern:?}");
            assert!(names(&edges.smallest).contains(&name("min+1").as_str()), "{pattern:?}");
        }
        assert_eq!(edges.packed.0, "n=3..33");
        assert!(names(&edges.packed.1).contains(&"edges/n=16/geometric"));
        let decades: Vec<u32> = edges.larger.iter().map(|edge| edge.decade).collect();
        for decade in 1..=4 {
            assert!(decades.contains(&decade), "{decade}");
        }
    }

    #[test]
    fn two_arrays_are_crossed_and_an_integer_beside_an_array_goes_to_its_ends() {
        let two = edges(&model(2, 0, 100));
        assert!(names(&two.larger).contains(&"edges/n=max/all_min,all_max"));
        assert!(names(&two.larger).contains(&"edges/n=max/all_max"));
        let with_int = edges(&model(1, 1, 100));
        assert!(names(&with_int.larger).contains(&"edges/n=max/k0=min"));
    }

    #[test]
    fn a_lone_integer_is_its_own_scale() {
        let edges = edges(&model(0, 1, 0));
        assert_eq!(names(&edges.smallest), ["edges/k0=min", "edges/k0=min+1"]);
        let larger = names(&edges.larger);
        assert!(larger.contains(&"edges/k0=65537") && larger.contains(&"edges/k0=max"), "{larger:?}");
        assert_eq!(edges.larger.last().unwrap().draft.fills, [Fill::Exactly(100_000)]);
    }
}
