//! Stone Game VI (LeetCode 1686): a move takes any stone, each player has values of his own, the higher sum wins.

use super::{Field, Solver, array};
use crate::input::Input;

/// 1 when Alice wins, -1 when Bob does, 0 for a draw.
pub(super) const SOLVER: Solver =
    Solver { name: "stone-game-vi", fields: &[Field::Array, Field::Array], solve, brute, brute_size: 16 };

/// Alice's lead is the sum of `a + b` over her stones, less the sum of all `b`. So both players fight over the same
/// numbers `a + b`, and each takes the largest that is left (an exchange argument; LeetCode's editorial has the same).
/// Stones of equal `a + b` may go either way. O(n log n) time, and O(n) where the numbers lie as close together as the
/// statement has them.
fn solve(input: &Input) -> String {
    let (alice, bob) = (array(input, 0), array(input, 1));
    let both: Vec<i64> = alice.iter().zip(bob).map(|(a, b)| a + b).collect();
    let lead = every_second(both) - bob.iter().sum::<i64>();
    lead.signum().to_string()
}

/// The sum of the largest number, the third largest and so on.
fn every_second(mut numbers: Vec<i64>) -> i64 {
    let (Some(&least), Some(&most)) = (numbers.iter().min(), numbers.iter().max()) else { return 0 };
    if most.abs_diff(least) > numbers.len() as u64 {
        numbers.sort_unstable_by_key(|number| std::cmp::Reverse(*number));
        return numbers.iter().step_by(2).sum();
    }
    let mut counts = vec![0_i64; (most - least) as usize + 1];
    for number in numbers {
        counts[(number - least) as usize] += 1;
    }
    let (mut sum, mut before) = (0, 0);
    for (above_least, count) in counts.into_iter().enumerate().rev() {
        // Of the places from 0, those from `before` on that are even.
        sum += (least + above_least as i64) * ((before + count + 1) / 2 - (before + 1) / 2);
        before += count;
    }
    sum
}

/// Plays every game to its end, stone by stone. Which stones are gone is a set of bits.
fn brute(input: &Input) -> String {
    let game = Game { values: [array(input, 0), array(input, 1)] };
    game.result(0, [0, 0], 0).to_string()
}

struct Game<'a> {
    values: [&'a [i64]; 2],
}

impl Game<'_> {
    /// The sign of Alice's lead in the end, when each player chooses the best sign for himself.
    fn result(&self, gone: u64, totals: [i64; 2], mover: usize) -> i64 {
        let stones = self.values[0].len();
        let results = (0..stones).filter(|stone| gone >> stone & 1 == 0).map(|stone| {
            let mut after = totals;
            after[mover] += self.values[mover][stone];
            self.result(gone | 1 << stone, after, 1 - mover)
        });
        let result = if mover == 0 { results.max() } else { results.min() };
        result.unwrap_or_else(|| (totals[0] - totals[1]).signum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Value;
    use crate::solve::agreement;

    fn rows(alice: &[i64], bob: &[i64]) -> Vec<Value> {
        vec![Value::Array(alice.to_vec()), Value::Array(bob.to_vec())]
    }

    #[test]
    fn the_official_examples() {
        let examples = [
            (rows(&[1, 3], &[2, 1]), "1"),
            (rows(&[1, 2], &[3, 1]), "0"),
            (rows(&[2, 4, 3], &[1, 6, 7]), "-1"),
        ];
        agreement::on_examples(&SOLVER, examples);
    }

    fn on_every_pair(length: u32, values: &[i64]) {
        for alice in agreement::rows(length, values) {
            for bob in agreement::rows(length, values) {
                agreement::on(&SOLVER, Input { values: rows(&alice, &bob) });
            }
        }
    }

    #[test]
    fn solver_and_brute_force_agree_on_every_small_input() {
        on_every_pair(1, &[1, 2, 3, 4, 5, 100]);
        on_every_pair(2, &[1, 2, 3, 4, 100]);
        on_every_pair(3, &[1, 2, 3, 4]);
        on_every_pair(4, &[1, 2, 3]);
        on_every_pair(5, &[1, 2]);
        on_every_pair(3, &[-1, 0, 1]);
    }
}
