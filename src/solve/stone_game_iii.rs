//! Stone Game III (LeetCode 1406): stones in a row, a move takes 1, 2 or 3 from the front, the higher sum wins.

use super::{Field, Solver, array};
use crate::input::Input;

/// `Alice`, `Bob` or `Tie`.
pub(super) const SOLVER: Solver =
    Solver { name: "stone-game-iii", fields: &[Field::Array], solve, brute, brute_size: 12 };

/// The most stones a move takes.
const MOST: usize = 3;

/// Let `lead(i)` be by how much the player to move outscores the other from stone `i` on. He takes `k` stones and
/// leads by their sum, less what the other then leads by:
/// `lead(i) = max over k = 1..=3 of sum(i..i+k) - lead(i+k)`, and `lead(n) = 0`.
/// This is the minimax recurrence of a zero-sum game with perfect information (backward induction, Zermelo 1913;
/// von Neumann 1928) on the difference of the scores. Only the last three leads are needed: O(n) time, O(1) space.
fn solve(input: &Input) -> String {
    let stones = array(input, 0);
    let mut lead = [0i64; MOST];
    let mut next = [0i64; MOST - 1];
    for &stone in stones.iter().rev() {
        let mut best = stone - lead[0];
        best = best.max(stone + next[0] - lead[1]);
        best = best.max(stone + next[0] + next[1] - lead[2]);
        // Past the end the row goes on with stones worth nothing. A move that takes one there scores what the same
        // move without it scores, so the leads are the same.
        lead = [best, lead[0], lead[1]];
        next = [stone, next[0]];
    }
    winner(lead[0].signum()).to_owned()
}

/// Plays every game to its end, keeping both scores, and lets each player choose the best *result* for himself: a win
/// before a tie before a loss. Nothing is remembered, and no recurrence over differences is used.
fn brute(input: &Input) -> String {
    winner(result(array(input, 0), [0, 0], 0)).to_owned()
}

/// 1 when Alice wins, -1 when Bob does, 0 for a tie; `mover` is 0 for Alice.
fn result(stones: &[i64], scores: [i64; 2], mover: usize) -> i64 {
    if stones.is_empty() {
        return (scores[0] - scores[1]).signum();
    }
    let results = (1..=MOST.min(stones.len())).map(|taken| {
        let mut after = scores;
        after[mover] += stones[..taken].iter().sum::<i64>();
        result(&stones[taken..], after, 1 - mover)
    });
    let best = if mover == 0 { results.max() } else { results.min() };
    best.unwrap_or_default()
}

fn winner(sign: i64) -> &'static str {
    match sign {
        1 => "Alice",
        -1 => "Bob",
        _ => "Tie",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Value;

    fn input(stones: &[i64]) -> Input {
        Input { values: vec![Value::Array(stones.to_vec())] }
    }

    #[test]
    fn the_official_examples() {
        for (stones, answer) in [(&[1, 2, 3, 7], "Bob"), (&[1, 2, 3, -9], "Alice"), (&[1, 2, 3, 6], "Tie")] {
            assert_eq!((solve(&input(stones)).as_str(), brute(&input(stones)).as_str()), (answer, answer));
        }
    }

    /// Every row of up to `longest` stones with values from `values`.
    fn all_agree(longest: u32, values: &[i64]) {
        for length in 1..=longest {
            for index in 0..values.len().pow(length) {
                let digit = |place: u32| values[index / values.len().pow(place) % values.len()];
                let stones: Vec<i64> = (0..length).map(digit).collect();
                assert_eq!(solve(&input(&stones)), brute(&input(&stones)), "{stones:?}");
            }
        }
    }

    #[test]
    fn solver_and_brute_force_agree_on_every_small_input() {
        all_agree(5, &[-3, -2, -1, 0, 1, 2, 3]);
        all_agree(7, &[-2, -1, 0, 1, 3]);
        all_agree(9, &[-1, 0, 1]);
        all_agree(7, &[-1000, 1000, 999]);
    }
}
