//! Stone Game VII (LeetCode 1690): a move removes an end of the row and scores what remains; Alice wants a large
//! difference, Bob a small one.

use super::{Field, Solver, array};
use crate::input::Input;

/// The difference of the scores.
pub(super) const SOLVER: Solver =
    Solver { name: "stone-game-vii", fields: &[Field::Array], solve, brute, brute_size: 16 };

/// For a stretch of the row let `lead` be the mover's score less the other's. He removes an end and scores the sum of the
/// rest, then the other leads in it: `lead = max(rest - lead(rest))` over the two ends (backward induction on an interval,
/// as LeetCode's editorial has it). Stretches of one width follow from those one shorter, so one row of leads, one of
/// sums, O(n²) time and O(n) space.
fn solve(input: &Input) -> String {
    let stones = array(input, 0);
    let mut leads = vec![0i64; stones.len()];
    // sums[left] is of the stretch that begins there and is one shorter than the width in turn.
    let mut sums = stones.to_vec();
    for width in 1..stones.len() {
        for left in 0..stones.len() - width {
            let (without_last, without_first) = (sums[left], sums[left + 1]);
            leads[left] = (without_first - leads[left + 1]).max(without_last - leads[left]);
            sums[left] += stones[left + width];
        }
    }
    leads.first().copied().unwrap_or(0).to_string()
}

/// Plays every game to its end, keeping both scores: Alice picks the largest difference at the end, Bob the smallest.
fn brute(input: &Input) -> String {
    difference(array(input, 0), 0, true).to_string()
}

fn difference(stones: &[i64], so_far: i64, is_alice: bool) -> i64 {
    if stones.is_empty() {
        return so_far;
    }
    let rests = [&stones[1..], &stones[..stones.len() - 1]];
    let ends = rests.map(|rest| {
        let gained: i64 = rest.iter().sum();
        difference(rest, if is_alice { so_far + gained } else { so_far - gained }, !is_alice)
    });
    if is_alice { ends[0].max(ends[1]) } else { ends[0].min(ends[1]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Value;
    use crate::solve::agreement;

    #[test]
    fn the_official_examples() {
        let row = |stones: &[i64]| vec![Value::Array(stones.to_vec())];
        let examples = [(row(&[5, 3, 1, 4, 2]), "6"), (row(&[7, 90, 5, 1, 100, 10, 10, 2]), "122")];
        agreement::on_examples(&SOLVER, examples);
    }

    #[test]
    fn solver_and_brute_force_agree_on_every_small_input() {
        agreement::on_every_array(&SOLVER, 0..=7, &[1, 2, 3, 4]);
        agreement::on_every_array(&SOLVER, 1..=10, &[1, 2]);
        agreement::on_every_array(&SOLVER, 1..=6, &[1, 999, 1000, 500]);
        agreement::on_every_array(&SOLVER, 1..=6, &[-2, 0, 1, 3]);
    }
}
