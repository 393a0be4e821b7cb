// Fault: remainders are counted in 8 bits.
impl Solution {
    pub fn stone_game_ix(stones: Vec<i32>) -> bool {
        let mut count = [0u8; 3];
        for stone in stones {
            let rest = (stone % 3) as usize;
            count[rest] = count[rest].wrapping_add(1);
        }
        if count[0] % 2 == 0 {
            count[1] > 0 && count[2] > 0
        } else {
            (count[1] as i32 - count[2] as i32).abs() > 2
        }
    }
}
