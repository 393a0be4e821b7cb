// Fault: with an odd number of zeros a difference of three is taken for too small.
impl Solution {
    pub fn stone_game_ix(stones: Vec<i32>) -> bool {
        let count = |remainder| stones.iter().filter(|stone| **stone % 3 == remainder).count();
        let (zeros, ones, twos) = (count(0), count(1), count(2));
        if zeros % 2 == 0 {
            ones > 0 && twos > 0
        } else {
            ones.abs_diff(twos) > 3
        }
    }
}
