// Fault: sums are kept in floats of 32 bits, which round above 2^24: a tie of large sums comes out as a lead.
impl Solution {
    pub fn stone_game_iii(stone_value: Vec<i32>) -> String {
        let n = stone_value.len();
        let mut total = 0.0_f32;
        let mut best = vec![0.0_f32; n + 3];
        for from in (0..n).rev() {
            total += stone_value[from] as f32;
            best[from] = total - best[from + 1].min(best[from + 2]).min(best[from + 3]);
        }
        let rest = total - best[0];
        let winner = if best[0] > rest {
            "Alice"
        } else if best[0] < rest {
            "Bob"
        } else {
            "Tie"
        };
        winner.to_string()
    }
}
