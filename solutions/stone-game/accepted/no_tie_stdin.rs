// Keeping to the even places or to the odd ones Alice gets at least half, and an odd total rules out a tie.
fn stone_game(piles: &[i32]) -> bool {
    piles.iter().sum::<i32>() % 2 == 1
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).expect("text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i32>().expect("a number"));
    let n = numbers.next().expect("n") as usize;
    let piles: Vec<i32> = numbers.by_ref().take(n).collect();
    println!("{}", stone_game(&piles));
}
