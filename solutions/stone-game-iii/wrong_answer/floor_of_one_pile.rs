// Fault: the best lead starts at the least value of one pile, but three piles of debt make a lead far below that.
impl Solution {
    pub fn stone_game_iii(stone_value: Vec<i32>) -> String {
        let n = stone_value.len();
        let mut lead = vec![0; n + 3];
        for i in (0..n).rev() {
            let (mut best, mut taken) = (-1000, 0);
            for k in 0..3.min(n - i) {
                taken += stone_value[i + k];
                best = best.max(taken - lead[i + k + 1]);
            }
            lead[i] = best;
        }
        match lead[0].signum() {
            1 => "Alice".to_string(),
            0 => "Tie".to_string(),
            _ => "Bob".to_string(),
        }
    }
}
