// Fault: -1 stands for "not known yet", and leads may be -1: such a lead is worked out at every call.
fn lead(start: usize, values: &[i32], leads: &mut [i32]) -> i32 {
    if start == values.len() {
        return 0;
    }
    if leads[start] == -1 {
        let mut taken = 0;
        let mut best = i32::MIN;
        for end in start..values.len().min(start + 3) {
            taken += values[end];
            best = best.max(taken - lead(end + 1, values, leads));
        }
        leads[start] = best;
    }
    leads[start]
}

impl Solution {
    pub fn stone_game_iii(stone_value: Vec<i32>) -> String {
        let mut leads = vec![-1; stone_value.len()];
        match lead(0, &stone_value, &mut leads).signum() {
            1 => "Alice",
            -1 => "Bob",
            _ => "Tie",
        }
        .to_string()
    }
}
