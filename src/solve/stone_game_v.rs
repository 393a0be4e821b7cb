//! Stone Game V (LeetCode 1563): Alice cuts the row in two, the part with the larger sum is thrown away, she scores the
//! sum of the other and goes on with it; of equal parts she keeps the one she likes.

use super::{Field, Solver, array};
use crate::input::Input;

/// The largest score.
pub(super) const SOLVER: Solver =
    Solver { name: "stone-game-v", fields: &[Field::Array], solve, brute, brute_size: 12 };

/// For a stretch `i..=j`, the cuts whose left part is not the larger one are a prefix of all cuts, and those whose right
/// part is not the larger one a suffix, since no value is negative. So the best score of the stretch is the larger of a
/// prefix maximum and a suffix maximum of what keeping a part is worth:
/// `left[i][j]`, the best of `sum(i..=k) + score(i..=k)` over `k` from `i` to `j`, and
/// `right[i][j]`, the best of `sum(k..=j) + score(k..=j)` over `k` from `i` to `j`.
/// The ends of prefix and suffix only move forward while `j` grows, which makes all of it O(n²) time (the two-pointer
/// refinement of the cubic interval recurrence in LeetCode's editorial). Of `left` only the row in turn is needed, and
/// no score after its stretch: n²/2 numbers are kept.
///
/// A row with a negative value has no such order and is solved by the cubic recurrence; the statement has none.
fn solve(input: &Input) -> String {
    let values = array(input, 0);
    let n = values.len();
    if values.iter().any(|value| *value < 0) {
        return cubic(values).to_string();
    }
    let sums = prefix_sums(values);
    let mut right = Triangle::of(n);
    let mut left = vec![0; n];
    let mut score = 0;
    for i in (0..n).rev() {
        score = 0;
        left[i] = values[i];
        let (row, below) = right.row_and_below(i);
        row[0] = values[i];
        // The left part is i..cut. `keeps_left` is past the last cut at which it may be kept, `keeps_right` the first
        // cut at which the right part may.
        let (mut keeps_left, mut keeps_right) = (i + 1, i + 1);
        for j in i + 1..n {
            let left_less_right = |cut: usize| 2 * sums[cut] - sums[i] - sums[j + 1];
            while keeps_left <= j && left_less_right(keeps_left) <= 0 {
                keeps_left += 1;
            }
            while keeps_right <= j && left_less_right(keeps_right) < 0 {
                keeps_right += 1;
            }
            score = 0;
            if keeps_left > i + 1 {
                score = score.max(left[keeps_left - 2]);
            }
            if keeps_right <= j {
                score = score.max(below.at(keeps_right, j));
            }
            let whole = sums[j + 1] - sums[i] + score;
            left[j] = whole.max(left[j - 1]);
            row[j - i] = whole.max(below.at(i + 1, j));
        }
    }
    score.to_string()
}

/// A value for each stretch `i..=j` of a row, the rows of larger `i` first: those are done when row `i` is in turn.
struct Triangle {
    values: Vec<i64>,
    n: usize,
}

/// The rows of a triangle that are done.
struct Below<'a> {
    values: &'a [i64],
    n: usize,
}

impl Triangle {
    fn of(n: usize) -> Self {
        Self { values: vec![0; n * (n + 1) / 2], n }
    }

    fn row_and_below(&mut self, i: usize) -> (&mut [i64], Below<'_>) {
        let len = self.n - i;
        let (below, rest) = self.values.split_at_mut(len * (len - 1) / 2);
        (&mut rest[..len], Below { values: below, n: self.n })
    }
}

impl Below<'_> {
    #[inline]
    fn at(&self, i: usize, j: usize) -> i64 {
        let len = self.n - i;
        self.values[len * (len - 1) / 2 + j - i]
    }
}

fn prefix_sums(values: &[i64]) -> Vec<i64> {
    let mut sums = vec![0];
    for value in values {
        sums.push(sums[sums.len() - 1] + value);
    }
    sums
}

/// Every cut of every stretch, shortest stretches first.
fn cubic(values: &[i64]) -> i64 {
    let n = values.len();
    let sums = prefix_sums(values);
    // score[i][j] is of the stretch i..j, the end left out.
    let mut score = vec![vec![0; n + 1]; n + 1];
    for width in 2..=n {
        for i in 0..=n - width {
            let j = i + width;
            let cuts = (i + 1..j).map(|cut| {
                let (left, right) = (sums[cut] - sums[i], sums[j] - sums[cut]);
                let (keep_left, keep_right) = (left + score[i][cut], right + score[cut][j]);
                match left.cmp(&right) {
                    std::cmp::Ordering::Less => keep_left,
                    std::cmp::Ordering::Greater => keep_right,
                    std::cmp::Ordering::Equal => keep_left.max(keep_right),
                }
            });
            score[i][j] = cuts.max().unwrap_or(0);
        }
    }
    score[0][n]
}

/// Tries every way to cut, as the statement tells it.
fn brute(input: &Input) -> String {
    best(array(input, 0)).to_string()
}

fn best(values: &[i64]) -> i64 {
    let cuts = (1..values.len()).map(|cut| {
        let (left, right) = values.split_at(cut);
        let sum = |part: &[i64]| part.iter().sum::<i64>();
        let mut kept = vec![left, right];
        // Bob throws away a part with the larger sum; he has a choice only when Alice has it instead.
        let smaller = sum(left).min(sum(right));
        kept.retain(|part| sum(part) == smaller);
        kept.into_iter().map(|part| sum(part) + best(part)).max().unwrap_or(0)
    });
    cuts.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Value;
    use crate::solve::agreement;

    #[test]
    fn the_official_examples() {
        let row = |values: &[i64]| vec![Value::Array(values.to_vec())];
        let examples = [(row(&[6, 2, 3, 4, 5, 5]), "18"), (row(&[7; 7]), "28"), (row(&[4]), "0")];
        agreement::on_examples(&SOLVER, examples);
    }

    #[test]
    fn solver_and_brute_force_agree_on_every_small_input() {
        agreement::on_every_array(&SOLVER, 0..=8, &[1, 2, 3]);
        agreement::on_every_array(&SOLVER, 1..=7, &[0, 1, 2, 5]);
        agreement::on_every_array(&SOLVER, 1..=10, &[1, 2]);
        agreement::on_every_array(&SOLVER, 1..=6, &[1, 1_000_000, 999_999, 500_000]);
        agreement::on_every_array(&SOLVER, 1..=6, &[-2, -1, 0, 3]);
    }

    #[test]
    fn quadratic_and_cubic_agree_on_long_rows() {
        // A row without order, by the multiplicative generator of Lehmer.
        let mut state = 12_345i64;
        for (length, largest) in [(60, 9), (150, 1_000_000), (200, 3)] {
            let row: Vec<i64> = (0..length)
                .map(|_| {
                    state = state * 48_271 % 2_147_483_647;
                    1 + state % largest
                })
                .collect();
            let quadratic = solve(&Input { values: vec![Value::Array(row.clone())] });
            assert_eq!(quadratic, cubic(&row).to_string());
        }
    }
}
