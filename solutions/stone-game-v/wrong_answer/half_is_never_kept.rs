// Fault: the left part at the cut is never kept, even if it is exactly half.
impl Solution {
    pub fn stone_game_v(stone_value: Vec<i32>) -> i32 {
        let n = stone_value.len();
        let mut prefix = vec![0];
        for value in &stone_value {
            prefix.push(prefix[prefix.len() - 1] + value);
        }
        let mut left = vec![vec![0; n]; n];
        let mut right = vec![vec![0; n]; n];
        let mut score = 0;
        for i in (0..n).rev() {
            left[i][i] = stone_value[i];
            right[i][i] = stone_value[i];
            score = 0;
            let mut cut = i;
            for j in i + 1..n {
                let total = prefix[j + 1] - prefix[i];
                while 2 * (prefix[cut + 1] - prefix[i]) < total {
                    cut += 1;
                }
                score = if cut < j { right[cut + 1][j] } else { 0 };
                if cut > i {
                    score = score.max(left[i][cut - 1]);
                }
                        left[i][j] = left[i][j - 1].max(total + score);
                right[i][j] = right[i + 1][j].max(total + score);
            }
        }
        score
    }
}
