//! Expected against actual output as a diff to look at: a few lines around the first difference, side by side when
//! they are short, one above the other when they are long. Bounded in size and work whatever the outputs are: only
//! the first difference is looked for in them, and `similar` is given no more than a window. Decides nothing.

mod cell;
mod focus;

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use cell::{Cell, Marks};
use focus::{Focus, Sight, View};

/// Rows of the diff, its head and foot not counted.
const MAX_ROWS: usize = 10;
/// Lines shown before the first difference.
const CONTEXT_BEFORE: usize = 2;
/// Equal lines shown after a difference.
const CONTEXT_AFTER: usize = 2;
/// The narrowest and the widest a diff gets, in columns.
const WIDTHS: (usize, usize) = (40, 120);

const EXPECTED: Style = AnsiColor::Green.on_default();
const FOUND: Style = AnsiColor::Red.on_default();
const DIM: Style = Style::new().dimmed();

/// One row: a line of each side, or of one.
struct Row {
    left: Option<usize>,
    right: Option<usize>,
    same: bool,
}

/// The difference between two outputs around their first difference: at most a dozen lines of at most `width` columns
/// (never under 40, never over 120), about 4 kB without colours. Empty when the two are the same byte for byte.
pub fn render(expected: &[u8], actual: &[u8], width: usize, color: bool) -> String {
    if expected == actual {
        return String::new();
    }
    let width = width.clamp(WIDTHS.0, WIDTHS.1);
    let Focus { sight, left, right } = focus::find(expected, actual);
    let rows = rows(sight, &left, &right);
    let page = Page { sight, left: &left, right: &right, rows: &rows, width, color };
    let mut text = String::new();
    if page.fits_side_by_side() {
        page.side_by_side(&mut text);
    } else {
        page.inline(&mut text);
    }
    page.foot(&mut text);
    text
}

/// The rows to show: the diff of the two windows, cut to what is worth seeing.
fn rows(sight: Sight, left: &View<'_>, right: &View<'_>) -> Vec<Row> {
    let keys = |view: &View<'_>| -> Vec<u128> { view.lines.iter().map(|line| sight.key(line)).collect() };
    let mut rows = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &keys(left), &keys(right)) {
        let same = matches!(op, DiffOp::Equal { .. });
        let (mut old, mut new) = (op.old_range(), op.new_range());
        loop {
            let row = Row { left: old.next(), right: new.next(), same };
            if row.left.is_none() && row.right.is_none() {
                break;
            }
            rows.push(row);
        }
    }
    let first = rows.iter().position(|row| !row.same).unwrap_or(0);
    rows.drain(..first.saturating_sub(CONTEXT_BEFORE));
    rows.truncate(MAX_ROWS);
    let last = rows.iter().rposition(|row| !row.same).unwrap_or(0);
    rows.truncate(last + 1 + CONTEXT_AFTER);
    rows
}

struct Page<'a> {
    sight: Sight,
    left: &'a View<'a>,
    right: &'a View<'a>,
    rows: &'a [Row],
    width: usize,
    color: bool,
}

impl Page<'_> {
    /// Columns of the line numbers.
    fn number_width(&self) -> usize {
        let last = |view: &View<'_>| view.first_number + view.lines.len() as u64;
        last(self.left).max(last(self.right)).to_string().len().max(4)
    }

    /// Columns of the text of one side: numbers on both sides, two blanks, a mark between.
    fn half(&self) -> usize {
        (self.width - 2 * self.number_width() - 9) / 2
    }

    fn marks(&self) -> Marks {
        if self.sight == Sight::Tokens { Marks::None } else { Marks::Blanks }
    }

    fn fits_side_by_side(&self) -> bool {
        let half = self.half();
        let fits = |view: &View<'_>, index: Option<usize>| {
            index.is_none_or(|index| cell::fits(view.lines[index], half, self.marks()))
        };
        self.rows.iter().all(|row| fits(self.left, row.left) && fits(self.right, row.right))
    }

    /// The cells of a row, cut around their difference when they are long.
    fn cells(&self, row: &Row, columns: usize) -> (Option<Cell>, Option<Cell>) {
        let left = row.left.map(|index| self.left.lines[index]);
        let right = row.right.map(|index| self.right.lines[index]);
        if row.same {
            // Blanks that don't matter are shown as they are, without a mark.
            return (
                left.map(|line| Cell::plain(line, columns, Marks::None)),
                right.map(|line| Cell::plain(line, columns, Marks::None)),
            );
        }
        match (left, right) {
            (Some(left), Some(right)) => {
                let (left, right) = cell::pair(left, right, columns, self.marks());
                (Some(left), Some(right))
            }
            (left, right) => (
                left.map(|line| Cell::plain(line, columns, self.marks())),
                right.map(|line| Cell::plain(line, columns, self.marks())),
            ),
        }
    }

    fn side_by_side(&self, text: &mut String) {
        let (numbers, half) = (self.number_width(), self.half());
        let head = |style, word| self.styled(style, word);
        let indent = numbers + 3;
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            text,
            "{:indent$}{}{:pad$}   {:gap$}{}",
            "",
            head(EXPECTED.bold(), "expected"),
            "",
            "",
            head(FOUND.bold(), "found"),
            pad = half - "expected".len(),
            gap = numbers + 3,
        );
        for row in self.rows {
            let (left, right) = self.cells(row, half);
            let mark = match (row.same, row.left, row.right) {
                (true, ..) => self.styled(DIM, "│"),
                (_, Some(_), Some(_)) => "≠".to_owned(),
                (_, Some(_), None) => "<".to_owned(),
                (_, None, _) => ">".to_owned(),
            };
            let left_number = self.number(self.left, row.left, numbers);
            let right_number = self.number(self.right, row.right, numbers);
            let left = self.side(left.as_ref(), row.same, EXPECTED, half);
            let right = self.side(right.as_ref(), row.same, FOUND, half);
            let line = format!(" {left_number}  {left} {mark} {right_number}  {right}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }

    /// One side's text, padded to `columns`.
    fn side(&self, cell: Option<&Cell>, same: bool, style: Style, columns: usize) -> String {
        let Some(cell) = cell else { return " ".repeat(columns) };
        let shown = if same { cell.text() } else { cell.styled(style, self.color) };
        format!("{shown}{}", " ".repeat(columns - cell.width().min(columns)))
    }

    fn inline(&self, text: &mut String) {
        let numbers = self.number_width();
        let columns = self.width - numbers - 5;
        let _ = writeln!(
            text,
            "{} {}",
            self.styled(EXPECTED.bold(), "- expected"),
            self.styled(FOUND.bold(), "+ found")
        );
        // An inline row with two sides takes two lines, and a third under them when there are no colours.
        let mut lines_left = MAX_ROWS;
        for row in self.rows {
            let (left, right) = self.cells(row, columns);
            let points = if self.color { None } else { right.as_ref().and_then(Cell::points) };
            let points = if row.left.is_some() && !row.same { points } else { None };
            let height =
                if row.same { 1 } else { usize::from(left.is_some()) + usize::from(right.is_some()) };
            let height = height + usize::from(points.is_some());
            if height > lines_left {
                break;
            }
            lines_left -= height;
            let mut line = |sign: &str, view: &View<'_>, index, shown: String| {
                let line = format!("{sign} {}  {shown}", self.number(view, index, numbers));
                let _ = writeln!(text, "{}", line.trim_end());
            };
            if row.same {
                line(" ", self.right, row.right, right.map_or_else(String::new, |cell| cell.text()));
                continue;
            }
            if let Some(cell) = left {
                line(&self.styled(EXPECTED, "-"), self.left, row.left, cell.styled(EXPECTED, self.color));
            }
            if let Some(cell) = right {
                line(&self.styled(FOUND, "+"), self.right, row.right, cell.styled(FOUND, self.color));
            }
            if let Some(points) = points {
                let _ = writeln!(text, "{:indent$}{points}", "", indent = numbers + 4);
            }
        }
    }

    /// What is not shown of both.
    fn foot(&self, text: &mut String) {
        let rest = |view: &View<'_>, shown: Option<usize>| {
            (view.lines.len() - shown.map_or(0, |last| last + 1)) as u64 + view.lines_behind
        };
        let last = |side: fn(&Row) -> Option<usize>| self.rows.iter().rev().find_map(side);
        let (left, right) = (rest(self.left, last(|row| row.left)), rest(self.right, last(|row| row.right)));
        let lines = |count: u64| format!("{count} more line{}", if count == 1 { "" } else { "s" });
        let note = match (left, right) {
            (0, 0) => String::new(),
            (left, right) if left == right => format!("… {}", lines(left)),
            (left, 0) => format!("… {} expected", lines(left)),
            (0, right) => format!("… {} found", lines(right)),
            (left, right) => format!("… {} expected, {right} found", lines(left)),
        };
        let no_break = match (self.sight, self.left.ends_in_break, self.right.ends_in_break) {
            (Sight::Bytes, true, false) => "the output has no line break at its end",
            (Sight::Bytes, false, true) => "the answer has no line break at its end",
            _ => "",
        };
        for note in [note.as_str(), no_break].into_iter().filter(|note| !note.is_empty()) {
            let _ = writeln!(text, "{:indent$}{}", "", self.styled(DIM, note), indent = 3);
        }
    }

    fn number(&self, view: &View<'_>, index: Option<usize>, columns: usize) -> String {
        match index {
            Some(index) => self.styled(DIM, &format!("{:>columns$}", view.first_number + index as u64)),
            None => " ".repeat(columns),
        }
    }

    fn styled(&self, style: Style, text: &str) -> String {
        if self.color { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests;
