// With prefix sums p, the lead from i is max(p[j] - lead[j]) - p[i] over the next three j. O(n) time and space.
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("input is text");
    let mut numbers = text.split_ascii_whitespace().map(|word| word.parse::<i64>().expect("a number"));
    let n = numbers.next().expect("n") as usize;
    let mut sums = vec![0];
    for value in numbers.take(n) {
        sums.push(sums[sums.len() - 1] + value);
    }

    let mut lead = vec![0; n + 1];
    for i in (0..n).rev() {
        let ends = i + 1..=n.min(i + 3);
        lead[i] = ends.map(|j| sums[j] - lead[j]).max().expect("a move is left") - sums[i];
    }

    println!("{}", if lead[0] > 0 { "Alice" } else if lead[0] < 0 { "Bob" } else { "Tie" });
}
