// Fault: sums are kept in 16 bits.
fn stone_game_vii(stones: Vec<i32>) -> i32 {
    let n = stones.len();
    let mut lead = vec![0i16; n];
    let mut sums = stones.iter().map(|&stone| stone as i16).collect::<Vec<i16>>();
    for width in 1..n {
        for left in 0..n - width {
            lead[left] = sums[left + 1].wrapping_sub(lead[left + 1]).max(sums[left].wrapping_sub(lead[left]));
            sums[left] = sums[left].wrapping_add(stones[left + width] as i16);
        }
    }
    lead[0] as i32
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).expect("text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i32>().expect("a number"));
    let n = numbers.next().expect("n") as usize;
    let stones: Vec<i32> = numbers.by_ref().take(n).collect();
    println!("{}", stone_game_vii(stones));
}
