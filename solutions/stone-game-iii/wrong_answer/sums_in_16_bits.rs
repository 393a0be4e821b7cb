// Fault: the rest of the row is summed in 16 bits, which a few dozen large values overflow.
impl Solution {
    pub fn stone_game_iii(stone_value: Vec<i32>) -> String {
        let n = stone_value.len();
        let mut rest = 0i16;
        let mut total = vec![0i16; n + 1];
        for i in (0..n).rev() {
            rest = rest.wrapping_add(stone_value[i] as i16);
            let least = total[i + 1..=(i + 3).min(n)].iter().min().copied().unwrap_or(0);
            total[i] = rest.wrapping_sub(least);
        }
        let bob = rest.wrapping_sub(total[0]);
        match total[0].cmp(&bob) {
            std::cmp::Ordering::Greater => "Alice".to_string(),
            std::cmp::Ordering::Less => "Bob".to_string(),
            std::cmp::Ordering::Equal => "Tie".to_string(),
        }
    }
}
