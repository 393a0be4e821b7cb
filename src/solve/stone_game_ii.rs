//! Stone Game II (LeetCode 1140): a move takes the first X piles, X at most 2M, and then M becomes max(M, X).

use super::{Field, Solver, array};
use crate::input::Input;

/// The most stones that Alice can get.
pub(super) const SOLVER: Solver =
    Solver { name: "stone-game-ii", fields: &[Field::Array], solve, brute, brute_size: 14 };

/// `most(i, M)` is the most that the player to move gets of the piles from `i` on. Whatever he leaves goes to a player who
/// also takes the most he can, so `most(i, M) = rest(i) - min over X of most(i + X, max(M, X))`, where `rest` sums the
/// piles from `i` on (backward induction on a game of constant sum; the recurrence of LeetCode's own editorial).
/// An `M` of half the row or more allows every move. O(n³) time, O(n²) space.
fn solve(input: &Input) -> String {
    let piles = array(input, 0);
    let largest = piles.len().div_ceil(2).max(1);
    let mut most = vec![vec![0i64; largest + 1]; piles.len() + 1];
    let mut rest = 0;
    for i in (0..piles.len()).rev() {
        rest += piles[i];
        for m in 1..=largest {
            let moves = 1..=(2 * m).min(piles.len() - i);
            let left = moves.map(|x| most[i + x][m.max(x).min(largest)]).min();
            most[i][m] = rest - left.unwrap_or(0);
        }
    }
    most[0][1].to_string()
}

/// Plays every game to its end, keeping both totals; each player maximises his own.
fn brute(input: &Input) -> String {
    totals(array(input, 0), 1)[0].to_string()
}

/// The totals of the player to move and of the other one.
fn totals(piles: &[i64], m: usize) -> [i64; 2] {
    let moves = (1..=(2 * m).min(piles.len())).map(|x| {
        let [others, own] = totals(&piles[x..], m.max(x));
        [own + piles[..x].iter().sum::<i64>(), others]
    });
    moves.max_by_key(|totals| totals[0]).unwrap_or([0, 0])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Value;
    use crate::solve::agreement;

    #[test]
    fn the_official_examples() {
        let row = |piles: &[i64]| vec![Value::Array(piles.to_vec())];
        let examples = [(row(&[2, 7, 9, 4, 4]), "10"), (row(&[1, 2, 3, 4, 5, 100]), "104")];
        agreement::on_examples(&SOLVER, examples);
    }

    #[test]
    fn solver_and_brute_force_agree_on_every_small_input() {
        agreement::on_every_array(&SOLVER, 0..=9, &[1, 2, 3]);
        agreement::on_every_array(&SOLVER, 1..=10, &[1, 10_000]);
        agreement::on_every_array(&SOLVER, 1..=6, &[1, 2, 4, 5, 9]);
    }
}
