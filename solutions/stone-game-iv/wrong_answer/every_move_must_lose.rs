// Fault: asks that all moves lead to lost heaps, where one is enough.
impl Solution {
    pub fn winner_square_game(n: i32) -> bool {
        let n = n as usize;
        let mut won = vec![false; n + 1];
        for heap in 1..=n {
            won[heap] = (1..).take_while(|root| root * root <= heap).all(|root| !won[heap - root * root]);
        }
        won[n]
    }
}
