// Fault: the table of counts is indexed by the value itself and is one too small for the largest.
fn stone_game_ix(stones: Vec<i32>) -> bool {
    let mut seen = vec![0; 10_000];
    for stone in &stones {
        seen[*stone as usize] += 1;
    }
    let count = |remainder: usize| (0..10_000).filter(|value| value % 3 == remainder).map(|value| seen[value]).sum::<i32>();
    if count(0) % 2 == 0 {
        count(1) > 0 && count(2) > 0
    } else {
        (count(1) - count(2)).abs() > 2
    }
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).expect("text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i32>().expect("a number"));
    let n = numbers.next().expect("n") as usize;
    let stones: Vec<i32> = numbers.by_ref().take(n).collect();
    println!("{}", stone_game_ix(stones));
}
