// Leads on all stretches of one width at a time, each from two that are one shorter.
impl Solution {
    pub fn stone_game(piles: Vec<i32>) -> bool {
        let mut lead = piles.clone();
        for width in 1..piles.len() {
            for left in 0..piles.len() - width {
                lead[left] = (piles[left] - lead[left + 1]).max(piles[left + width] - lead[left]);
            }
        }
        lead[0] > 0
    }
}
