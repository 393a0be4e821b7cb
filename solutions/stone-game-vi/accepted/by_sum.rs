// The largest sums of both values go to the two players in turns.
impl Solution {
    pub fn stone_game_vi(alice_values: Vec<i32>, bob_values: Vec<i32>) -> i32 {
        let mut both: Vec<i32> = alice_values.iter().zip(&bob_values).map(|(a, b)| a + b).collect();
        both.sort_unstable();
        let hers: i32 = both.iter().rev().step_by(2).sum();
        (hers - bob_values.iter().sum::<i32>()).signum()
    }
}
