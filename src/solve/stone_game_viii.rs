//! Stone Game VIII (LeetCode 1872): a move takes two or more stones from the left, scores their sum and puts it back as one
//! stone; Alice wants a large difference, Bob a small one.

use super::{Field, Solver, array};
use crate::input::Input;

/// The difference of the scores.
pub(super) const SOLVER: Solver =
    Solver { name: "stone-game-viii", fields: &[Field::Array], solve, brute, brute_size: 16 };

/// However the stones to the left were merged, a move that reaches stone `i` scores the prefix sum up to it. Let `lead(i)`
/// be the mover's lead when he may reach stone `i` or any later one: he stops at `i` and the other moves on, or he goes
/// further: `lead(i) = max(prefix(i) - lead(i + 1), lead(i + 1))`, and the last stone gives the sum of all. The answer is
/// `lead(1)` (a game on prefixes; the recurrence of LeetCode's editorial). The prefix sum is kept by taking stones off
/// the total again: O(n) time, O(1) space.
fn solve(input: &Input) -> String {
    let stones = array(input, 0);
    if stones.len() < 2 {
        return "0".to_owned();
    }
    let mut prefix: i64 = stones.iter().sum();
    let mut lead = prefix;
    for stone in stones[2..].iter().rev() {
        prefix -= stone;
        lead = lead.max(prefix - lead);
    }
    lead.to_string()
}

/// Plays every game to its end with the stones themselves: takes them off, adds them up, puts the sum back.
fn brute(input: &Input) -> String {
    difference(array(input, 0), 0, true).to_string()
}

fn difference(stones: &[i64], so_far: i64, is_alice: bool) -> i64 {
    let ends = (2..=stones.len()).map(|taken| {
        let merged: i64 = stones[..taken].iter().sum();
        let mut row = vec![merged];
        row.extend(&stones[taken..]);
        difference(&row, if is_alice { so_far + merged } else { so_far - merged }, !is_alice)
    });
    let end = if is_alice { ends.max() } else { ends.min() };
    end.unwrap_or(so_far)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Value;
    use crate::solve::agreement;

    #[test]
    fn the_official_examples() {
        let row = |stones: &[i64]| vec![Value::Array(stones.to_vec())];
        let examples = [
            (row(&[-1, 2, -3, 4, -5]), "5"),
            (row(&[7, -6, 5, 10, 5, -2, -6]), "13"),
            (row(&[-10, -12]), "-22"),
        ];
        agreement::on_examples(&SOLVER, examples);
    }

    #[test]
    fn solver_and_brute_force_agree_on_every_small_input() {
        agreement::on_every_array(&SOLVER, 0..=5, &[-3, -2, -1, 0, 1, 2, 3]);
        agreement::on_every_array(&SOLVER, 1..=8, &[-1, 0, 1]);
        agreement::on_every_array(&SOLVER, 1..=6, &[-10_000, 10_000, 9_999, -1]);
    }
}
