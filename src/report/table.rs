//! Tables that fit a terminal: aligned columns, cut where they must be. Knows nothing of what it shows.

use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Between two columns.
const GAP: usize = 2;
/// No column is cut to less.
const MIN_WIDTH: usize = 10;

/// A column's title and manners.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) title: &'static str,
    /// Whether cells stand at its right edge, as numbers do.
    pub(crate) right: bool,
    /// Whether cells may be cut, keeping their end, when the table is too wide.
    pub(crate) cut: bool,
}

/// A text with its look.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell {
    pub(crate) text: String,
    pub(crate) style: Style,
}

impl Cell {
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), style: Style::new() }
    }

    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }
}

/// The table as lines, `width` columns wide at most as far as cutting helps. A column whose cells are all empty is
/// left out.
pub(crate) fn render(columns: &[Column], rows: &[Vec<Cell>], width: usize) -> String {
    let used: Vec<usize> =
        (0..columns.len()).filter(|&at| rows.iter().any(|row| !row[at].text.is_empty())).collect();
    let mut widths: Vec<usize> = used
        .iter()
        .map(|&at| {
            rows.iter().map(|row| row[at].text.width()).chain([columns[at].title.width()]).max().unwrap_or(0)
        })
        .collect();
    fit(&mut widths, &used, columns, width);
    let bold = Style::new().bold();
    let title: Vec<Cell> = columns.iter().map(|column| Cell::styled(column.title, bold)).collect();
    let mut text = String::new();
    for row in std::iter::once(&title).chain(rows) {
        let mut line = String::new();
        for (&at, &width) in used.iter().zip(&widths) {
            let Cell { text, style } = &row[at];
            let shown = keep_end(text, width);
            let blanks = " ".repeat(width - shown.width());
            let (before, after) =
                if columns[at].right { (blanks.as_str(), "") } else { ("", blanks.as_str()) };
            if !line.is_empty() {
                line.push_str(&" ".repeat(GAP));
            }
            // Writing to a string cannot fail.
            let _ = write!(line, "{before}{style}{shown}{style:#}{after}");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Narrows the widest of the columns that may be cut until everything fits or nothing can be cut any more.
fn fit(widths: &mut [usize], used: &[usize], columns: &[Column], width: usize) {
    loop {
        let total = widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1);
        let widest = (0..widths.len())
            .filter(|&at| {
                columns[used[at]].cut && widths[at] > MIN_WIDTH.max(columns[used[at]].title.width())
            })
            .max_by_key(|&at| widths[at]);
        match widest {
            Some(at) if total > width => widths[at] -= 1,
            _ => return,
        }
    }
}

/// The text itself if it fits into `width` columns, else as much of its end as fits after `…`.
pub(crate) fn keep_end(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut left = width.saturating_sub(1);
    let mut start = text.len();
    for (at, c) in text.char_indices().rev() {
        let wide = c.width().unwrap_or(0);
        if wide > left {
            break;
        }
        left -= wide;
        start = at;
    }
    format!("…{}", &text[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 3] = [
        Column { title: "name", right: false, cut: true },
        Column { title: "empty", right: false, cut: false },
        Column { title: "ms", right: true, cut: false },
    ];

    fn row(name: &str, ms: &str) -> Vec<Cell> {
        vec![Cell::plain(name), Cell::default(), Cell::plain(ms)]
    }

    fn shown(rows: &[Vec<Cell>], width: usize) -> String {
        anstream::adapter::strip_str(&render(&COLUMNS, rows, width)).to_string()
    }

    #[test]
    fn columns_are_aligned_and_empty_ones_left_out() {
        let rows = [row("a", "1"), row("石子游戏", "1000")];
        assert_eq!(shown(&rows, 80), "name        ms\na            1\n石子游戏  1000\n");
    }

    #[test]
    fn what_is_too_wide_keeps_its_end() {
        let rows = [row("a/very/long/path/to/a/solution.cpp", "1")];
        assert_eq!(shown(&rows, 20), "name              ms\n…/a/solution.cpp   1\n");
        assert_eq!(keep_end("石子游戏", 4), "…戏");
    }
}
