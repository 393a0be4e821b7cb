//! Stone Game VI (LeetCode 1686): a move takes any stone, each player has values of his own, the higher sum wins.

use super::{Field, Solver, array};
use crate::input::Input;

/// 1 when Alice wins, -1 when Bob does, 0 for a draw.
pub(super) const SOLVER: Solver =
    Solver { name: "stone-game-vi", fields: &[Field::Array, Field::Array], solve, brute, brute_size: 16 };

/// Alice's lead is the sum of `a + b` over her stones, less the sum of all `b`. So both players fight over the same
/// numbers `a + b`, and each takes the largest that is left (an exchange argument; LeetCode's editorial has the same).
/// Stones of equal `a + b` may go either way. O(n log n) time.
fn solve(input: &Input) -> String {
    let (alice, bob) = (array(input, 0), array(input, 1));
    let mut both: Vec<i64> = alice.iter().zip(bob).map(|(a, b)| a + b).collect();
    both.sort_unstable_by_key(|sum| std::cmp::Reverse(*sum));
    let hers: i64 = both.iter().step_by(2).sum();
    let lead = hers - bob.iter().sum::<i64>();
    lead.signum().to_string()
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
