// Fault: what the opponent gets is added instead of taken off.
fn stone_game_viii(stones: Vec<i32>) -> i32 {
    let prefix: Vec<i32> = stones
        .iter()
        .scan(0, |sum, stone| {
            *sum += stone;
            Some(*sum)
        })
        .collect();
    let (last, reachable) = prefix.split_last().expect("at least two stones");
    reachable.iter().skip(1).rev().fold(*last, |lead, sum| lead.max(sum + lead))
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).expect("text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i32>().expect("a number"));
    let n = numbers.next().expect("n") as usize;
    let stones: Vec<i32> = numbers.by_ref().take(n).collect();
    println!("{}", stone_game_viii(stones));
}
