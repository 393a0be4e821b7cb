// One row of leads and one of sums, for all stretches of one width.
impl Solution {
    pub fn stone_game_vii(stones: Vec<i32>) -> i32 {
        let n = stones.len();
        let mut lead = vec![0; n];
        let mut sums = stones.clone();
        for width in 1..n {
            for left in 0..n - width {
                lead[left] = (sums[left + 1] - lead[left + 1]).max(sums[left] - lead[left]);
                sums[left] += stones[left + width];
            }
        }
        lead[0]
    }
}
