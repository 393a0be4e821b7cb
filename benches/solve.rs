//! The solver of Stone Game III at its largest size, against reading that input. Prints ratios of medians, measured in
//! turns in this very run; judges nothing.

#![expect(clippy::print_stdout, reason = "a bench prints what it measured")]

use std::hint::black_box;
use std::time::Instant;

use touchstone::generate::{make, plan};
use touchstone::input::{render, validate};
use touchstone::problem::parse;
use touchstone::solve::built_in;

/// Rounds, each of which measures every contestant once.
const ROUNDS: usize = 301;

fn main() {
    let text = include_str!("../problems/stone-game-iii/problem.toml");
    let problem = parse("stone-game-iii", text).0.expect("the problem is right");
    let solver = built_in("stone-game-iii").expect("the solver is built in");
    let plan = plan(&problem);
    let largest = plan.iter().find(|planned| planned.name == "max_random/01").expect("a test");
    let input = &make(&problem, 1, largest).expect("an input").members[0];
    let mut bytes = Vec::new();
    render(&problem.model, input, &mut bytes);
    let mut times: [Vec<f64>; 3] = Default::default();
    for _ in 0..ROUNDS {
        let measured = [
            timed(|| drop(black_box((solver.solve)(black_box(input))))),
            timed(|| drop(black_box(validate(&problem.model, black_box(&bytes))))),
            timed(|| drop(black_box(split(black_box(&bytes))))),
        ];
        for (times, time) in times.iter_mut().zip(measured) {
            times.push(time);
        }
    }
    let [solved, validated, parsed] = times.map(median);
    println!("solve: stone-game-iii at n = 50,000, medians of {ROUNDS} rounds");
    println!("  solver                     {solved:8.1} us");
    println!(
        "  our validator              {validated:8.1} us   the solver takes {:.2} x as long (goal: below 1)",
        solved / validated
    );
    println!(
        "  split and parse in std     {parsed:8.1} us   the solver takes {:.2} x as long",
        solved / parsed
    );
}

/// As most programs read their input.
fn split(bytes: &[u8]) -> Vec<i64> {
    let text = std::str::from_utf8(bytes).expect("text");
    text.split_ascii_whitespace().map(|word| word.parse().expect("a number")).collect()
}

fn timed(work: impl FnOnce()) -> f64 {
    #[expect(clippy::disallowed_methods, reason = "a bench reads a clock")]
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64() * 1e6
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
