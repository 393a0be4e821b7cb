// Leads on all stretches of one width at a time, each from two that are one shorter.
fn stone_game(piles: Vec<i32>) -> bool {
    let mut lead = piles.clone();
    for width in 1..piles.len() {
        for left in 0..piles.len() - width {
            lead[left] = (piles[left] - lead[left + 1]).max(piles[left + width] - lead[left]);
        }
    }
    lead[0] > 0
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).expect("text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i32>().expect("a number"));
    let n = numbers.next().expect("n") as usize;
    let piles: Vec<i32> = numbers.by_ref().take(n).collect();
    println!("{}", stone_game(piles));
}
