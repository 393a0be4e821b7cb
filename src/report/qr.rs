//! An address as a QR code for the terminal, for those who have it in front of them on a phone. Makes text only.

use qrcode::{EcLevel, QrCode};

/// Light modules around the code, without which readers do not find it.
const QUIET_MODULES: usize = 2;
/// Longer texts make codes that no terminal has room for.
const MAX_TEXT_BYTES: usize = 300;

/// A code of half blocks, dark on light whatever the terminal's colours are, one line for two rows of modules and a
/// line break after each; empty when it is wider than `columns` or higher than `lines`. Without `is_colorful` it is
/// made for terminals with light text on a dark ground.
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
    let mut drawn = String::new();
    for row in (0..side).step_by(2) {
        if is_colorful {
            // Black on white, as paper is.
            drawn.push_str("\u{1b}[38;5;16;48;5;231m");
        }
        for column in 0..side {
            let (above, below) = (is_dark(row, column), row + 1 < side && is_dark(row + 1, column));
            drawn.push(match (above == is_colorful, below == is_colorful) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        drawn.push_str(if is_colorful { "\u{1b}[0m\n" } else { "\n" });
    }
    drawn
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
        assert!(
            colorful
                .lines()
                .all(|line| line.starts_with("\u{1b}[38;5;16;48;5;231m") && line.ends_with("\u{1b}[0m"))
        );
        let swapped: String = colorful.replace("\u{1b}[38;5;16;48;5;231m", "").replace("\u{1b}[0m", "");
        let inverse = |c| match c {
            '█' => ' ',
            ' ' => '█',
            '▀' => '▄',
            '▄' => '▀',
            _ => c,
        };
        // The last line may have only an upper half.
        let whole = drawn.lines().count() - 1;
        let lines = |text: &str| text.lines().take(whole).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(&swapped.chars().map(inverse).collect::<String>()), lines(&drawn));
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
