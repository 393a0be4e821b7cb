// Only lost heaps are kept, as a set of flags that each of them spreads upwards.
impl Solution {
    pub fn winner_square_game(n: i32) -> bool {
        let n = n as usize;
        let mut is_won = vec![false; n + 1];
        for heap in 0..=n {
            if !is_won[heap] {
                for root in (1..).take_while(|root| heap + root * root <= n) {
                    is_won[heap + root * root] = true;
                }
            }
        }
        is_won[n]
    }
}
