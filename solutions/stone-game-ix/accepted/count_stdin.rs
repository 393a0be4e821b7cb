// Counts each remainder and compares.
fn stone_game_ix(stones: Vec<i32>) -> bool {
    let count = |remainder| stones.iter().filter(|stone| **stone % 3 == remainder).count();
    let (zeros, ones, twos) = (count(0), count(1), count(2));
    if zeros % 2 == 0 {
        ones > 0 && twos > 0
    } else {
        ones.abs_diff(twos) > 2
    }
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).expect("text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i32>().expect("a number"));
    let n = numbers.next().expect("n") as usize;
    let stones: Vec<i32> = numbers.by_ref().take(n).collect();
    println!("{}", stone_game_ix(stones));
}
