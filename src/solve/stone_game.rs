//! Stone Game (LeetCode 877): piles in a row, a move takes a whole pile from either end, the larger total wins.

use super::{Field, Solver, array};
use crate::input::Input;

/// `true` when Alice wins.
pub(super) const SOLVER: Solver =
    Solver { name: "stone-game", fields: &[Field::Array], solve, brute, brute_size: 16 };

/// Colour the piles black and white in turn. When their number is even, the two ends have different colours, and after
/// any move of Alice's both ends have the colour that she left alone: she can take all piles of one colour. An odd total
/// cannot be split in two equal halves, so one colour holds more than half and Alice wins by taking it
/// (the strategy-stealing pairing of Winkler's *Mathematical Puzzles*, "Coins in a Row").
///
/// Rows that break either condition are played out by [`lead`]; the statement has none.
fn solve(input: &Input) -> String {
    let piles = array(input, 0);
    let alice_wins = if piles.len().is_multiple_of(2) && piles.iter().sum::<i64>() % 2 != 0 {
        true
    } else {
        lead(piles) > 0
    };
    alice_wins.to_string()
}

/// By how much the first player can outscore the second: for a stretch of the row the better of
/// `left - lead(rest)` and `right - lead(rest)`, shortest stretches first. O(n²) time, O(n) space.
fn lead(piles: &[i64]) -> i64 {
    let mut leads = piles.to_vec();
    for width in 1..piles.len() {
        for left in 0..piles.len() - width {
            leads[left] = (piles[left] - leads[left + 1]).max(piles[left + width] - leads[left]);
        }
    }
    leads.first().copied().unwrap_or(0)
}

/// Plays every game to its end, keeping both totals.
fn brute(input: &Input) -> String {
    (outcome(array(input, 0), [0, 0], 0) > 0).to_string()
}

/// 1 when Alice ends with more, -1 with less, 0 with the same; each player chooses the best of these for himself.
fn outcome(piles: &[i64], totals: [i64; 2], mover: usize) -> i64 {
    let [first, .., last] = piles else {
        let mut totals = totals;
        totals[mover] += piles.first().copied().unwrap_or(0);
        return (totals[0] - totals[1]).signum();
    };
    let take = |pile: i64, rest: &[i64]| {
        let mut after = totals;
        after[mover] += pile;
        outcome(rest, after, 1 - mover)
    };
    let outcomes = [take(*first, &piles[1..]), take(*last, &piles[..piles.len() - 1])];
    if mover == 0 { outcomes[0].max(outcomes[1]) } else { outcomes[0].min(outcomes[1]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Value;
    use crate::solve::agreement;

    #[test]
    fn the_official_examples() {
        let row = |piles: &[i64]| vec![Value::Array(piles.to_vec())];
        agreement::on_examples(&SOLVER, [(row(&[5, 3, 4, 5]), "true"), (row(&[3, 7, 2, 3]), "true")]);
    }

    #[test]
    fn solver_and_brute_force_agree_on_every_small_input() {
        agreement::on_every_array(&SOLVER, 0..=8, &[1, 2, 3]);
        agreement::on_every_array(&SOLVER, 1..=5, &[1, 2, 3, 4, 5, 6, 7]);
        agreement::on_every_array(&SOLVER, 1..=7, &[0, 1, 500, 499]);
    }

    #[test]
    fn the_shortcut_is_what_playing_gives() {
        for row in (1..=4).flat_map(|half| agreement::rows(2 * half, &[1, 2, 4, 7])) {
            if row.iter().sum::<i64>() % 2 != 0 {
                assert!(lead(&row) > 0, "{row:?}");
            }
        }
    }
}
