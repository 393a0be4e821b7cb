// The largest sums of both values go to the two players in turns.
fn stone_game_vi(alice_values: Vec<i32>, bob_values: Vec<i32>) -> i32 {
    let mut both: Vec<i32> = alice_values.iter().zip(&bob_values).map(|(a, b)| a + b).collect();
    both.sort_unstable();
    let hers: i32 = both.iter().rev().step_by(2).sum();
    (hers - bob_values.iter().sum::<i32>()).signum()
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).expect("text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i32>().expect("a number"));
    let n = numbers.next().expect("n") as usize;
    let alice_values: Vec<i32> = numbers.by_ref().take(n).collect();
    let bob_values: Vec<i32> = numbers.by_ref().take(n).collect();
    println!("{}", stone_game_vi(alice_values, bob_values));
}
