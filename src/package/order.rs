//! Natural order of names: `2` before `10`. Compares texts, knows nothing of files.

use std::cmp::Ordering;

/// Compares runs of digits by their value and everything else byte by byte; leading zeros decide only when nothing
/// else does, so the order is total and two different names are never equal.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    loop {
        let (digits_left, digits_right) = (digits(left), digits(right));
        if digits_left > 0 && digits_right > 0 {
            let order = by_value(&left[..digits_left], &right[..digits_right]);
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (&left[digits_left..], &right[digits_right..]);
            continue;
        }
        match (left.split_first(), right.split_first()) {
            (Some((x, rest_left)), Some((y, rest_right))) if x == y => {
                (left, right) = (rest_left, rest_right);
            }
            (Some((x, _)), Some((y, _))) => return x.cmp(y),
            (None, None) => return a.cmp(b),
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
        }
    }
}

/// How many digits `text` begins with.
fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Compares two runs of digits of any length as numbers.
fn by_value(a: &[u8], b: &[u8]) -> Ordering {
    let significant = |run: &[u8]| run.iter().skip_while(|byte| **byte == b'0').copied().collect::<Vec<_>>();
    let (a, b) = (significant(a), significant(b));
    a.len().cmp(&b.len()).then_with(|| a.cmp(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names =
            ["10", "9", "01", "1", "2", "a10b", "a2b", "a2", "a", "b", "1a", "99999999999999999999999", "08"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            ["01", "1", "1a", "2", "08", "9", "10", "99999999999999999999999", "a", "a2", "a2b", "a10b", "b"]
        );
    }
}
