//! White space, tokens and equal stretches in bytes, eight at a time. Knows no rules and keeps no state.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;
const LOW: u64 = 0x7f * ONES;

/// How many bytes are compared at once before the place of a difference is looked for.
const STRETCH: usize = 4096;

/// Space, tab, line feed, vertical tab, form feed, carriage return. A NUL is no white space.
#[inline]
pub(crate) fn is_space(byte: u8) -> bool {
    byte == b' ' || byte.wrapping_sub(b'\t') < 5
}

/// The high bit of each byte of `word` that is white space; exact for every byte, since no sum carries.
#[inline]
fn spaces(word: u64) -> u64 {
    let low = word & LOW;
    let control = (low + (0x80 - 9) * ONES) & !(low + (0x80 - 14) * ONES) & !word;
    let other = word ^ (0x20 * ONES);
    let blank = !(((other & LOW) + LOW) | other);
    (control | blank) & HIGH
}

#[inline]
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk::<8>().map(|chunk| u64::from_le_bytes(*chunk))
}

/// Where the first white space is, or the length when there is none.
pub(crate) fn token_end(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(word) = word(bytes, at) {
        let found = spaces(word);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().position(|byte| is_space(*byte)).unwrap_or(bytes.len() - at)
}

/// Where the white space at the start ends.
#[inline]
pub(crate) fn space_end(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| !is_space(*byte)).unwrap_or(bytes.len())
}

/// How many bytes at the start are the same in both.
pub(crate) fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    let len = left.len().min(right.len());
    let mut at = 0;
    // Small steps first: after a difference the next one is often near.
    let mut stretch = 64;
    while at + stretch <= len && left[at..at + stretch] == right[at..at + stretch] {
        at += stretch;
        stretch = (stretch * 4).min(STRETCH);
    }
    while let (Some(a), Some(b)) = (word(left, at), word(right, at)) {
        if a != b {
            return at + (a ^ b).trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    while at < len && left[at] == right[at] {
        at += 1;
    }
    at
}

/// The last place, at most `bytes.len()`, where a token has just ended: white space follows it. 0 when there is none.
pub(super) fn last_token_end(bytes: &[u8]) -> usize {
    // The token that the end may have cut, then the white space before it.
    let token = bytes.iter().rposition(|byte| is_space(*byte)).map_or(0, |space| space + 1);
    bytes[..token].iter().rposition(|byte| !is_space(*byte)).map_or(0, |last| last + 1)
}

/// How many tokens begin in `bytes`, white space being thought before it.
pub(super) fn count_tokens(bytes: &[u8]) -> u64 {
    let Some(first) = bytes.first() else { return 0 };
    let mut count = u64::from(!is_space(*first));
    // At most 255 at a time, so that a byte can hold the sum: compilers turn this into vector code.
    for (before, here) in bytes.chunks(255).zip(bytes[1..].chunks(255)) {
        let sum = before.iter().zip(here).fold(0_u8, |sum, (before, here)| {
            sum.wrapping_add(u8::from(is_space(*before) & !is_space(*here)))
        });
        count += u64::from(sum);
    }
    count
}

/// Passes over tokens that are the same in both, whatever white space is between them. Gives how far it came in each,
/// always just after a token (or at the start), and how many tokens it passed. Stops before anything doubtful: a
/// difference, or a token that comes near the end of what is there.
pub(crate) fn equal_tokens(left: &[u8], right: &[u8]) -> (usize, usize, u64) {
    let (mut a, mut b, mut count) = (0, 0, 0);
    loop {
        let (mut x, mut y) = (a, b);
        while x < left.len() && is_space(left[x]) {
            x += 1;
        }
        while y < right.len() && is_space(right[y]) {
            y += 1;
        }
        loop {
            let (Some(here), Some(there)) = (word(left, x), word(right, y)) else { return (a, b, count) };
            let found = spaces(here);
            let differ = here ^ there;
            if found == 0 {
                if differ != 0 {
                    return (a, b, count);
                }
                (x, y) = (x + 8, y + 8);
                continue;
            }
            let ends = found.trailing_zeros() as usize / 8;
            let token = (1_u64 << (8 * ends)) - 1;
            if differ & token != 0 || !is_space((there >> (8 * ends)) as u8) {
                return (a, b, count);
            }
            (a, b, count) = (x + ends, y + ends, count + 1);
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_found_in_every_byte_of_a_word() {
        for byte in 0..=255_u8 {
            for at in 0..8 {
                for around in [b'a', 0xff, 0x80, 0] {
                    let mut bytes = [around; 8];
                    bytes[at] = byte;
                    let mask = spaces(u64::from_le_bytes(bytes));
                    assert_eq!(mask, if is_space(byte) { 0x80 << (8 * at) } else { 0 }, "{byte} at {at}");
                }
            }
        }
    }

    #[test]
    fn tokens_are_counted_across_the_seams() {
        for len in [0, 1, 2, 254, 255, 256, 257, 511, 1000] {
            for period in 1..7 {
                let bytes: Vec<u8> = (0..len).map(|at| if at % period == 0 { b' ' } else { b'x' }).collect();
                let expected = bytes.split(|byte| is_space(*byte)).filter(|token| !token.is_empty()).count();
                assert_eq!(count_tokens(&bytes), expected as u64, "{len} {period}");
            }
        }
    }

    #[test]
    fn a_stretch_ends_at_the_first_difference() {
        let left = vec![b'x'; 20_000];
        for at in [0, 1, 7, 8, 63, 64, 65, 319, 4096, 12_345, 19_999] {
            let mut right = left.clone();
            right[at] = b'y';
            assert_eq!(common_prefix(&left, &right), at);
            assert_eq!(common_prefix(&left, &left[..at]), at);
        }
    }

    #[test]
    fn the_last_token_that_surely_ended_is_found() {
        for (bytes, end) in [("", 0), ("a", 0), ("a ", 1), ("a b", 1), ("a b ", 3), ("  ", 0), (" ab  c", 3)]
        {
            assert_eq!(last_token_end(bytes.as_bytes()), end, "{bytes:?}");
        }
    }

    #[test]
    fn equal_tokens_stop_just_after_a_token() {
        let left = b"12 345 6789012345\n7 and more of it here";
        let right = b"12\t345\n\n6789012345 7 and less of it here";
        let (a, b, count) = equal_tokens(left, right);
        assert_eq!((&left[..a], &right[..b], count), (&left[..23], &right[..24], 5));
        assert_eq!(equal_tokens(b"ab cdefghijkl", b"a b cdefghijkl"), (0, 0, 0));
    }
}
