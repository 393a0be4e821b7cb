// Leads of the mover from the back of the row; half of the total and the lead is what Alice gets.
impl Solution {
    pub fn stone_game_ii(piles: Vec<i32>) -> i32 {
        let n = piles.len();
        let mut lead = vec![vec![0; n + 1]; n + 1];
        for i in (0..n).rev() {
            for m in 1..=n {
                let mut taken = 0;
                let mut best = i32::MIN;
                for x in 1..=(2 * m).min(n - i) {
                    taken += piles[i + x - 1];
                    best = best.max(taken - lead[i + x][m.max(x)]);
                }
                lead[i][m] = best;
            }
        }
        (piles.iter().sum::<i32>() + lead[0][1]) / 2
    }
}
