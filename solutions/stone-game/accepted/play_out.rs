// The best lead of whoever moves on each stretch, then the game played out along it.
impl Solution {
    pub fn stone_game(piles: Vec<i32>) -> bool {
        let n = piles.len();
        let mut lead = vec![vec![0; n]; n];
        for left in (0..n).rev() {
            lead[left][left] = piles[left];
            for right in left + 1..n {
                let from_left = piles[left] - lead[left + 1][right];
                let from_right = piles[right] - lead[left][right - 1];
                lead[left][right] = from_left.max(from_right);
            }
        }
        let (mut left, mut right) = (0, n - 1);
        let (mut alice, mut bob) = (0, 0);
        for turn in 0..n {
            let taken = if left < right && piles[left] - lead[left + 1][right] < lead[left][right] {
                right -= 1;
                piles[right + 1]
            } else {
                left += 1;
                piles[left - 1]
            };
            if turn % 2 == 0 {
                alice += taken;
            } else {
                bob += taken;
            }
        }
        alice > bob
    }
}
