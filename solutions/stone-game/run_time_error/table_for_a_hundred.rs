// Fault: the table has room for a hundred piles.
impl Solution {
    pub fn stone_game(piles: Vec<i32>) -> bool {
        let mut lead = [0; 100];
        for (i, &pile) in piles.iter().enumerate() {
            lead[i] = pile;
        }
        for width in 1..piles.len() {
            for left in 0..piles.len() - width {
                lead[left] = (piles[left] - lead[left + 1]).max(piles[left + width] - lead[left]);
            }
        }
        lead[0] > 0
    }
}
