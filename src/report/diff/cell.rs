//! One line of one side as it is shown: cut to some columns around what matters, nothing invisible left invisible,
//! the part that differs marked. Measures in columns of a terminal, cuts between characters.

use std::ops::Range;

use anstyle::{Effects, Style};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_width::UnicodeWidthStr as _;

use crate::check::scan::{common_prefix, is_space};
use crate::check::visible::escape;

/// Whether blanks are shown as signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Marks {
    /// They are not.
    None,
    /// A middle dot for a space at the end of the line, an arrow for a tab, a sign for a carriage return.
    Blanks,
}

/// A piece of the line that is shown as one: a character, or an escape.
struct Unit {
    text: String,
    columns: usize,
    bytes: Range<usize>,
    differs: bool,
}

/// A line cut and made visible.
pub(super) struct Cell {
    units: Vec<Unit>,
    cut_before: bool,
    cut_after: bool,
}

/// Whether the whole line can be shown in so many columns.
pub(super) fn fits(line: &[u8], columns: usize, marks: Marks) -> bool {
    // A line of more bytes than this has more columns, whatever they are.
    line.len() <= 8 * columns && {
        let cell = Cell::cut(line, 0, columns, marks);
        !cell.cut_after && cell.width() <= columns
    }
}

/// Both lines, cut around their first difference, with what differs marked.
pub(super) fn pair(left: &[u8], right: &[u8], columns: usize, marks: Marks) -> (Cell, Cell) {
    let focus = common_prefix(left, right);
    let whole = fits(left, columns, marks) && fits(right, columns, marks);
    let from = if whole { 0 } else { window_start(left, focus, columns) };
    let (mut old, mut new) = (Cell::cut(left, from, columns, marks), Cell::cut(right, from, columns, marks));
    let (old_words, new_words) = (old.words(left), new.words(right));
    let slice = |line: &'_ [u8], words: &[Range<usize>]| -> Vec<Vec<u8>> {
        words.iter().map(|word| line[word.clone()].to_vec()).collect()
    };
    for op in capture_diff_slices(Algorithm::Myers, &slice(left, &old_words), &slice(right, &new_words)) {
        if !matches!(op, DiffOp::Equal { .. }) {
            let (old_part, new_part) =
                part(left, &old_words[op.old_range()], right, &new_words[op.new_range()]);
            old.mark(old_part);
            new.mark(new_part);
        }
    }
    (old, new)
}

/// Words longer than this are marked only where they differ.
const LONG_WORD: usize = 24;

/// What is to be marked of words that stand in each other's place: all of them, but of a long one only what is behind
/// the common start and before the common end.
fn part(
    left: &[u8],
    old: &[Range<usize>],
    right: &[u8],
    new: &[Range<usize>],
) -> (Range<usize>, Range<usize>) {
    let span = |words: &[Range<usize>]| match words {
        [first, .., last] => first.start..last.end,
        [one] => one.clone(),
        [] => 0..0,
    };
    let (mut old, mut new) = (span(old), span(new));
    if old.len().min(new.len()) <= LONG_WORD {
        return (old, new);
    }
    let start = common_prefix(&left[old.clone()], &right[new.clone()]);
    (old.start, new.start) = (old.start + start, new.start + start);
    let backwards = left[old.clone()].iter().rev().zip(right[new.clone()].iter().rev());
    let end = backwards.take_while(|(left, right)| left == right).count();
    (old.end, new.end) = (old.end - end, new.end - end);
    (old, new)
}

/// Where to begin so that `focus` stands in the first half of what is shown.
fn window_start(line: &[u8], focus: usize, columns: usize) -> usize {
    let before = columns / 3;
    if focus < columns.saturating_sub(before) {
        return 0;
    }
    let mut from = focus - before;
    // Not inside a character, and rather at a token's start.
    if let Some(space) = line[from..focus].iter().position(|byte| is_space(*byte)) {
        from += space + 1;
    }
    while from < focus && line.get(from).is_some_and(|byte| (*byte as i8) < -0x40) {
        from += 1;
    }
    from
}

impl Cell {
    /// The line as it is, nothing marked.
    pub(super) fn plain(line: &[u8], columns: usize, marks: Marks) -> Self {
        Self::cut(line, 0, columns, marks)
    }

    fn cut(line: &[u8], from: usize, columns: usize, marks: Marks) -> Self {
        let from = from.min(line.len());
        let cut_before = from > 0;
        // The dots take a column each.
        let mut room = columns - usize::from(cut_before);
        let mut units = Vec::new();
        let mut cut_after = false;
        let content_end = super::focus::trim_end(line).len();
        let mut at = from;
        while at < line.len() {
            let len = character_len(&line[at..]);
            let text = show(&line[at..at + len], at >= content_end, marks);
            let width = text.width();
            let is_last = at + len == line.len();
            if width + usize::from(!is_last) > room {
                cut_after = true;
                break;
            }
            room -= width;
            units.push(Unit { text, columns: width, bytes: at..at + len, differs: false });
            at += len;
        }
        Self { units, cut_before, cut_after }
    }

    /// Words and single blanks, as ranges of the line; the cut ends are words too.
    fn words(&self, line: &[u8]) -> Vec<Range<usize>> {
        let mut words: Vec<Range<usize>> = Vec::new();
        for unit in &self.units {
            let blank = is_space(line[unit.bytes.start]);
            match words.last_mut() {
                Some(last) if !blank && !is_space(line[last.start]) => last.end = unit.bytes.end,
                _ => words.push(unit.bytes.clone()),
            }
        }
        words
    }

    fn mark(&mut self, part: Range<usize>) {
        for unit in &mut self.units {
            unit.differs |= part.contains(&unit.bytes.start);
        }
    }

    pub(super) fn width(&self) -> usize {
        let dots = usize::from(self.cut_before) + usize::from(self.cut_after);
        self.units.iter().map(|unit| unit.columns).sum::<usize>() + dots
    }

    pub(super) fn text(&self) -> String {
        self.styled(Style::new(), false)
    }

    /// With `style`, and what differs standing out.
    pub(super) fn styled(&self, style: Style, color: bool) -> String {
        let mut text = String::new();
        if self.cut_before {
            text.push('…');
        }
        let strong = style.effects(Effects::BOLD | Effects::UNDERLINE);
        for run in self.units.chunk_by(|left, right| left.differs == right.differs) {
            let run_text: String = run.iter().map(|unit| unit.text.as_str()).collect();
            let style = if run[0].differs { strong } else { style };
            if color {
                text.push_str(&style.render().to_string());
                text.push_str(&run_text);
                text.push_str(&style.render_reset().to_string());
            } else {
                text.push_str(&run_text);
            }
        }
        if self.cut_after {
            text.push('…');
        }
        text
    }

    /// A line of `^` under what differs; `None` when nothing does.
    pub(super) fn points(&self) -> Option<String> {
        let signs: String = self
            .units
            .iter()
            .flat_map(|unit| std::iter::repeat_n(if unit.differs { '^' } else { ' ' }, unit.columns))
            .collect();
        let signs = format!("{}{}", if self.cut_before { " " } else { "" }, signs.trim_end());
        signs.contains('^').then_some(signs)
    }
}

/// How many bytes the first character has; a byte that is part of none stands alone.
fn character_len(bytes: &[u8]) -> usize {
    let head = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    valid.chars().next().map_or(1, char::len_utf8)
}

fn show(bytes: &[u8], at_end: bool, marks: Marks) -> String {
    match (bytes, marks) {
        (b" ", Marks::Blanks) if at_end => "·".to_owned(),
        (b"\t", Marks::Blanks) => "→".to_owned(),
        (b"\r", Marks::Blanks) => "␍".to_owned(),
        // A carriage return at the end of a line is nothing, as elsewhere.
        (b"\r", Marks::None) if at_end => String::new(),
        (b"\t", Marks::None) => " ".to_owned(),
        _ => escape(bytes),
    }
}
