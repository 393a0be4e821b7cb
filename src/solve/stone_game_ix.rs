//! Stone Game IX (LeetCode 2029): a move removes any stone; whoever makes the sum of all removed values divisible by 3
//! loses, and when no stone is left Bob wins.

use super::{Field, Solver, array};
use crate::input::Input;

/// `true` when Alice wins.
pub(super) const SOLVER: Solver =
    Solver { name: "stone-game-ix", fields: &[Field::Array], solve, brute, brute_size: 14 };

/// Only remainders by 3 matter. A stone of remainder 0 passes the turn and nothing else; of the others the order is forced
/// once Alice has begun: 1, 1, 2, 1, 2, … or 2, 2, 1, 2, 1, …, and whoever first lacks the stone he needs loses, unless
/// the stones run out. So with an even number of zeros Alice wins exactly when both other remainders are there, and with
/// an odd number, which turns the roles over, exactly when they differ by more than two (LeetCode's editorial counts the
/// same two sequences). O(n) time, O(1) space.
fn solve(input: &Input) -> String {
    let mut count = [0i64; 3];
    for value in array(input, 0) {
        count[value.rem_euclid(3) as usize] += 1;
    }
    let [zeros, ones, twos] = count;
    let alice_wins = if zeros % 2 == 0 { ones > 0 && twos > 0 } else { (ones - twos).abs() > 2 };
    alice_wins.to_string()
}

/// Plays every game to its end, stone by stone, with the values as they are. Which stones are gone is a set of bits, and a
/// set that was played before is looked up.
fn brute(input: &Input) -> String {
    let stones = array(input, 0);
    let mut known = std::collections::HashMap::new();
    alice_wins(stones, 0, &mut known).to_string()
}

fn alice_wins(stones: &[i64], gone: u64, known: &mut std::collections::HashMap<u64, bool>) -> bool {
    if let Some(wins) = known.get(&gone) {
        return *wins;
    }
    let left: Vec<usize> = (0..stones.len()).filter(|stone| gone >> stone & 1 == 0).collect();
    let removed: i64 =
        (0..stones.len()).filter(|stone| gone >> stone & 1 == 1).map(|stone| stones[stone]).sum();
    let is_alice = (stones.len() - left.len()).is_multiple_of(2);
    // With no stone left Bob wins, whoever's turn it is.
    let mut mover_wins = left.is_empty() && !is_alice;
    for stone in left.iter().copied() {
        let loses_at_once = (removed + stones[stone]) % 3 == 0;
        mover_wins |= !loses_at_once && alice_wins(stones, gone | 1 << stone, known) == is_alice;
    }
    let wins = mover_wins == is_alice;
    known.insert(gone, wins);
    wins
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Value;
    use crate::solve::agreement;

    #[test]
    fn the_official_examples() {
        let row = |stones: &[i64]| vec![Value::Array(stones.to_vec())];
        let examples = [(row(&[2, 1]), "true"), (row(&[2]), "false"), (row(&[5, 1, 2, 4, 3]), "false")];
        agreement::on_examples(&SOLVER, examples);
    }

    #[test]
    fn solver_and_brute_force_agree_on_every_small_input() {
        agreement::on_every_array(&SOLVER, 0..=7, &[1, 2, 3]);
        agreement::on_every_array(&SOLVER, 1..=5, &[1, 2, 3, 4, 5, 6]);
        agreement::on_every_array(&SOLVER, 1..=5, &[9_998, 9_999, 10_000]);
        for (ones, twos) in (0..=6).flat_map(|ones| (0..=6).map(move |twos| (ones, twos))) {
            for zeros in 0..=2 {
                let row = [vec![1; ones], vec![2; twos], vec![3; zeros]].concat();
                agreement::on(&SOLVER, Input { values: vec![Value::Array(row)] });
            }
        }
    }
}
