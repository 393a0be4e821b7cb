// From the back of the row: the best lead of whoever moves, with only the last three leads kept. O(n) time, O(1) space.
impl Solution {
    pub fn stone_game_iii(stone_value: Vec<i32>) -> String {
        let mut leads = [0; 3];
        let mut taken = [0; 3];
        for (behind, &value) in stone_value.iter().rev().enumerate() {
            taken = [value, value + taken[0], value + taken[1]];
            let moves = (behind + 1).min(3);
            let best = (0..moves).map(|more| taken[more] - leads[more]).max().unwrap_or(0);
            leads = [best, leads[0], leads[1]];
        }
        match leads[0].signum() {
            1 => "Alice",
            -1 => "Bob",
            _ => "Tie",
        }
        .to_string()
    }
}
