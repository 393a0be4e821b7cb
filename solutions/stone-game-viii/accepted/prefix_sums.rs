// A fold over prefix sums from the back.
impl Solution {
    pub fn stone_game_viii(stones: Vec<i32>) -> i32 {
        let prefix: Vec<i32> = stones
            .iter()
            .scan(0, |sum, stone| {
                *sum += stone;
                Some(*sum)
            })
            .collect();
        let (last, reachable) = prefix.split_last().expect("at least two stones");
        reachable.iter().skip(1).rev().fold(*last, |lead, sum| lead.max(sum - lead))
    }
}
