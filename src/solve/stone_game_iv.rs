//! Stone Game IV (LeetCode 1510): one heap, a move removes a square number of stones, whoever cannot move loses.

use std::sync::{Mutex, PoisonError};

use super::{Field, Solver};
use crate::input::{Input, Value};

/// `true` when Alice wins.
pub(super) const SOLVER: Solver =
    Solver { name: "stone-game-iv", fields: &[Field::Int], solve, brute, brute_size: 1 };

/// The largest heap that is played out move by move without remembering anything; a larger one is swept.
const LARGEST_PLAYED: i64 = 32;

/// A heap is won when some move leads to a lost one (the P- and N-positions of a subtraction game: Berlekamp, Conway and
/// Guy, *Winning Ways*, chapter 4). Heaps in ascending order, each asking its squares: O(n √n) time, n bytes. A heap's
/// answer is part of those of all larger ones, so what was found is kept for the next input.
fn solve(input: &Input) -> String {
    static IS_WON: Mutex<Vec<bool>> = Mutex::new(Vec::new());
    let heap = usize::try_from(heap(input)).unwrap_or(0);
    // A thread that failed in here left whole answers only.
    let mut is_won = IS_WON.lock().unwrap_or_else(PoisonError::into_inner);
    for stones in is_won.len()..=heap {
        let wins = (1..)
            .map(|root| root * root)
            .take_while(|square| *square <= stones)
            .any(|square| !is_won[stones - square]);
        is_won.push(wins);
    }
    is_won[heap].to_string()
}

/// Small heaps by playing every game. Larger ones the other way round: the smallest heap that nothing has won yet is lost,
/// and it wins every heap that is a square above it.
fn brute(input: &Input) -> String {
    let heap = heap(input);
    let wins = if heap <= LARGEST_PLAYED { wins(heap) } else { !is_lost(heap) };
    wins.to_string()
}

fn wins(stones: i64) -> bool {
    (1..=stones)
        .filter(|taken| (1..=*taken).any(|root| root * root == *taken))
        .any(|taken| !wins(stones - taken))
}

/// Whether the heap is lost: all up to it are swept, each lost one striking out what it wins.
fn is_lost(heap: i64) -> bool {
    let largest = usize::try_from(heap).unwrap_or(0);
    let mut lost = vec![true; largest + 1];
    for smaller in 0..largest {
        if lost[smaller] {
            for won in (1..).map(|root| smaller + root * root).take_while(|won| *won <= largest) {
                lost[won] = false;
            }
        }
    }
    lost[largest]
}

/// The stones in the heap; a negative number is an empty heap, which no statement has.
fn heap(input: &Input) -> i64 {
    match input.values.first() {
        Some(Value::Int(stones)) => (*stones).max(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::agreement;

    #[test]
    fn the_official_examples() {
        let heap = |stones| vec![Value::Int(stones)];
        agreement::on_examples(&SOLVER, [(heap(1), "true"), (heap(2), "false"), (heap(4), "true")]);
    }

    #[test]
    fn solver_and_brute_force_agree_on_every_small_input() {
        for stones in (0..=500).chain([99_999, 100_000]) {
            agreement::on(&SOLVER, Input { values: vec![Value::Int(stones)] });
        }
    }

    #[test]
    fn sweeping_is_what_playing_gives() {
        for stones in 0..=LARGEST_PLAYED {
            assert_eq!(wins(stones), !is_lost(stones), "{stones}");
        }
    }
}
