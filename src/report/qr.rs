//! An address as a QR code for the terminal, for those who have it in front of them on a phone. Makes text only.

use qrcode::{EcLevel, QrCode};

/// Light modules around the code, without which readers do not find it.
const QUIET_MODULES: usize = 2;
/// Longer texts make codes that no terminal has room for.
const MAX_TEXT_BYTES: usize = 300;

/// A code of half blocks, one line for two rows of modules and a line break after each; empty when it is wider than
/// `columns` or higher than `lines`. With `is_colorful` it is dark on light whatever the terminal's colours are; without,
/// it is made for terminals with light text on a dark ground.
pub fn qr(text: &str, columns: usize, lines: usize, is_colorful: bool) -> String {
    if text.len() > MAX_TEXT_BYTES {
        return String::new();
    }
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::L) else { return String::new() };
    let width = code.width();
    let side = width + 2 * QUIET_MODULES;
    if side > columns || side.div_ceil(2) > lines {
        return String::new();
    }
    let modules = code.to_colors();
    let is_dark = |row: usize, column: usize| {
        let (row, column) = (row.wrapping_sub(QUIET_MODULES), column.wrapping_sub(QUIET_MODULES));
        row < width && column < width && modules[row * width + column] == qrcode::Color::Dark
    };
    let pair = |row: usize, column: usize| (is_dark(row, column), row + 1 < side && is_dark(row + 1, column));
    let mut drawn = String::new();
    for row in (0..side).step_by(2) {
        let pairs = (0..side).map(|column| pair(row, column));
        if is_colorful {
            draw_on_paper(pairs, &mut drawn);
        } else {
            drawn.extend(pairs.map(light_block));
        }
        drawn.push('\n');
    }
    drawn
}

/// Light where modules are light.
fn light_block(pair: (bool, bool)) -> char {
    match pair {
        (false, false) => '█',
        (false, true) => '▀',
        (true, false) => '▄',
        (true, true) => ' ',
    }
}

/// Black on white, as paper is. A cell of one colour is ground alone: fonts leave gaps between blocks, and readers take
/// those in a dark area for light modules. Of the two half blocks the lower one leaves no gap between lines.
fn draw_on_paper(pairs: impl Iterator<Item = (bool, bool)>, drawn: &mut String) {
    let mut before = None;
    for pair in pairs {
        let (style, letter) = match pair {
            (false, false) => ("48;5;231", ' '),
            (true, true) => ("48;5;16", ' '),
            (true, false) => ("38;5;231;48;5;16", '▄'),
            (false, true) => ("38;5;16;48;5;231", '▄'),
        };
        if before != Some(pair) {
            drawn.push_str("\u{1b}[");
            drawn.push_str(style);
            drawn.push('m');
        }
        before = Some(pair);
        drawn.push(letter);
    }
    drawn.push_str("\u{1b}[0m");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The corner of any code, light on dark: a ring, a gap and a square, with the quiet zone around.
    #[test]
    fn a_code_is_drawn_with_half_blocks() {
        let drawn = qr("http://192.168.1.7:8080/", 80, 24, false);
        let rows: Vec<Vec<char>> = drawn.lines().map(|line| line.chars().collect()).collect();
        assert!(
            rows.iter().all(|row| row.len() == rows[0].len() && (25..=33).contains(&row.len())),
            "{drawn}"
        );
        assert_eq!(rows.len(), rows[0].len().div_ceil(2));
        let corner: Vec<String> = rows[..5].iter().map(|row| row[..9].iter().collect()).collect();
        assert_eq!(corner, ["█████████", "██ ▄▄▄▄▄ ", "██ █   █ ", "██ █▄▄▄█ ", "██▄▄▄▄▄▄▄"], "{drawn}");
        let colorful = qr("http://192.168.1.7:8080/", 80, 24, true);
        let (mut style, mut letters) = (String::new(), String::new());
        for part in colorful.split_inclusive(['m', '\n']).flat_map(|part| part.split('\u{1b}')) {
            match part.strip_prefix('[').and_then(|code| code.strip_suffix('m')) {
                Some(code) => style = code.to_owned(),
                None => letters.extend(part.chars().map(|letter| match (letter, style.as_str()) {
                    (' ', "48;5;231") => '█',
                    (' ', "48;5;16") => ' ',
                    ('▄', "38;5;231;48;5;16") => '▄',
                    ('▄', "38;5;16;48;5;231") => '▀',
                    ('\n', "0") => '\n',
                    odd => panic!("{odd:?}"),
                })),
            }
        }
        assert_eq!(letters, drawn);
    }

    #[test]
    fn there_is_none_where_there_is_no_room() {
        let side = qr("http://a/", 80, 40, false).lines().next().unwrap().chars().count();
        assert!(!qr("http://a/", side, side.div_ceil(2), false).is_empty());
        assert_eq!(qr("http://a/", side - 1, 40, false), "");
        assert_eq!(qr("http://a/", 80, side.div_ceil(2) - 1, true), "");
        assert_eq!(qr(&"a".repeat(301), 1000, 1000, false), "");
        assert!(!qr(&"a".repeat(300), 1000, 1000, false).is_empty());
    }
}
