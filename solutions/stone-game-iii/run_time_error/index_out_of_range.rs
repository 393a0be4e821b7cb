// Fault: always looks three piles ahead, past the end of a short row.
impl Solution {
    pub fn stone_game_iii(stone_value: Vec<i32>) -> String {
        let n = stone_value.len();
        let mut lead = vec![0; n + 3];
        for i in (0..n).rev() {
            let one = stone_value[i];
            let two = one + stone_value[i + 1];
            let three = two + stone_value[i + 2];
            lead[i] = (one - lead[i + 1]).max(two - lead[i + 2]).max(three - lead[i + 3]);
        }
        match lead[0] {
            0 => "Tie".into(),
            x if x > 0 => "Alice".into(),
            _ => "Bob".into(),
        }
    }
}
