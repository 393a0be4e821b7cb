// Fault: the loop over widths ends one too early, so the whole row is never looked at.
fn stone_game(piles: Vec<i32>) -> bool {
    let mut lead = piles.clone();
    for width in 1..piles.len() - 1 {
        for left in 0..piles.len() - width {
            lead[left] = (piles[left] - lead[left + 1]).max(piles[left + width] - lead[left]);
        }
    }
    lead[0] > lead[1]
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).expect("text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i32>().expect("a number"));
    let n = numbers.next().expect("n") as usize;
    let piles: Vec<i32> = numbers.by_ref().take(n).collect();
    println!("{}", stone_game(piles));
}
