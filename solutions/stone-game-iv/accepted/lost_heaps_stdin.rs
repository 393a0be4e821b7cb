// Only lost heaps are kept, as a set of flags that each of them spreads upwards.
fn winner_square_game(n: i32) -> bool {
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

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).expect("text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i32>().expect("a number"));
    let n = numbers.next().expect("n");
    println!("{}", winner_square_game(n));
}
