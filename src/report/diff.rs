//! Expected against actual output as a diff to look at, bounded in size and time. Decides nothing.

/// The difference between two outputs around their first difference, at most a few lines, `width` columns wide.
pub fn render(expected: &[u8], actual: &[u8], width: usize, color: bool) -> String {
    let _ = (width, color);
    let head =
        |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).escape_debug().to_string();
    format!("- {}\n+ {}\n", head(expected), head(actual))
}
