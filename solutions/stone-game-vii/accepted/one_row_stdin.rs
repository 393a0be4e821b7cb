// One row of leads and one of sums, for all stretches of one width.
fn stone_game_vii(stones: Vec<i32>) -> i32 {
    let n = stones.len();
    let mut lead = vec![0; n];
    let mut sums = stones.clone();
    for width in 1..n {
        for left in 0..n - width {
            lead[left] = (sums[left + 1] - lead[left + 1]).max(sums[left] - lead[left]);
            sums[left] += stones[left + width];
        }
    }
    lead[0]
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).expect("text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i32>().expect("a number"));
    let n = numbers.next().expect("n") as usize;
    let stones: Vec<i32> = numbers.by_ref().take(n).collect();
    println!("{}", stone_game_vii(stones));
}
