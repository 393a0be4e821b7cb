//! Patterns over the names of tests, as in `edges/*/geometric`. Compares texts, knows no tests.

/// Whether a pattern over test names matches: `*` stands for any text without `/`.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let (mut patterns, mut parts) = (pattern.split('/'), name.split('/'));
    loop {
        match (patterns.next(), parts.next()) {
            (None, None) => return true,
            (Some(pattern), Some(part)) if part_matches(pattern, part) => {}
            _ => return false,
        }
    }
}

fn part_matches(pattern: &str, part: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == part };
    let Some(mut part) = part.strip_prefix(head) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let tail = pieces.pop().unwrap_or_default();
    // The leftmost place for each piece leaves the most for the rest.
    for piece in pieces {
        match part.find(piece) {
            Some(at) => part = &part[at + piece.len()..],
            None => return false,
        }
    }
    part.ends_with(tail)
}
