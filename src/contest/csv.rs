//! Tables as spreadsheets read and write them. Pure text; knows nothing of what the cells mean.
//!
//! What is written is safe to open: no cell can be taken for a formula, whatever a team calls itself.

/// One line of a table; it may go over several lines of text, where a cell in quotes has line breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The line of text on which it begins, from 1.
    pub line: usize,
    /// What its cells hold, without quotes and the white space around them.
    pub cells: Vec<String>,
}

/// A cell whose quotes are not closed begins on this line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenQuote {
    /// The line, from 1.
    pub line: usize,
}

/// The lines of a table whose cells have `delimiter` between them, or of one with a single column. Empty ones are
/// left out. A quote counts at the beginning of a cell; two of them within stand for one.
///
/// # Errors
/// When a cell in quotes does not end.
pub fn read(text: &str, delimiter: Option<char>) -> Result<Vec<Record>, OpenQuote> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut records = Vec::new();
    let mut chars = text.chars().peekable();
    let (mut line, mut begins) = (1, 1);
    let mut cells: Vec<String> = Vec::new();
    while chars.peek().is_some() {
        let cell_line = line;
        let mut cell = String::new();
        while chars.next_if(|c| c.is_whitespace() && !is_line_break(*c) && Some(*c) != delimiter).is_some() {}
        if chars.next_if_eq(&'"').is_some() {
            loop {
                match chars.next() {
                    None => return Err(OpenQuote { line: cell_line }),
                    Some('"') if chars.next_if_eq(&'"').is_none() => break,
                    Some(c) => {
                        line += usize::from(c == '\n');
                        cell.push(c);
                    }
                }
            }
        }
        while let Some(c) = chars.next_if(|c| !is_line_break(*c) && Some(*c) != delimiter) {
            cell.push(c);
        }
        cells.push(bare(cell.trim()).to_owned());
        match chars.next() {
            Some(c) if Some(c) == delimiter => {
                if chars.peek().is_none_or(|c| is_line_break(*c)) {
                    cells.push(String::new());
                } else {
                    continue;
                }
                end_of_line(&mut chars);
            }
            Some('\r') => {
                chars.next_if_eq(&'\n');
            }
            _ => {}
        }
        line += 1;
        let record = Record { line: begins, cells: std::mem::take(&mut cells) };
        begins = line;
        if record.cells.iter().any(|cell| !cell.is_empty()) {
            records.push(record);
        }
    }
    Ok(records)
}

fn is_line_break(c: char) -> bool {
    c == '\n' || c == '\r'
}

fn end_of_line(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    if chars.next() == Some('\r') {
        chars.next_if_eq(&'\n');
    }
}

/// A cell without the mark that [`write`] put before it.
fn bare(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| begins_formula(rest)).unwrap_or(cell)
}

/// A table for spreadsheets: every cell in quotes, lines as RFC 4180 has them, and the mark by which they know UTF-8.
///
/// A cell that would be a formula gets a `'` before it; so does what would begin one if the table were cut at other
/// delimiters than commas, as spreadsheets do in half of the world.
pub fn write<R, C>(rows: impl IntoIterator<Item = R>) -> String
where
    R: IntoIterator<Item = C>,
    C: AsRef<str>,
{
    let mut text = "\u{feff}".to_owned();
    for row in rows {
        for (index, cell) in row.into_iter().enumerate() {
            text.push_str(if index == 0 { "\"" } else { ",\"" });
            text.push_str(&harmless(cell.as_ref()).replace('"', "\"\""));
            text.push('"');
        }
        text.push_str("\r\n");
    }
    text
}

fn harmless(cell: &str) -> String {
    let mut text = String::with_capacity(cell.len() + 1);
    let mut is_start = true;
    for (at, c) in cell.char_indices() {
        if is_start && begins_formula(&cell[at..]) {
            text.push('\'');
        }
        text.push(c);
        is_start = matches!(c, ';' | ',' | '"' | '|') || c.is_whitespace() && (is_start || c != ' ');
    }
    text
}

/// Whether a spreadsheet would take a cell with this text for something to compute.
fn begins_formula(text: &str) -> bool {
    const STARTS: [char; 10] = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
    text.starts_with(STARTS) || text.trim_start().starts_with(STARTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cells(text: &str, delimiter: Option<char>) -> Vec<(usize, Vec<String>)> {
        read(text, delimiter).unwrap().into_iter().map(|record| (record.line, record.cells)).collect()
    }

    fn expected(records: &[(usize, &[&str])]) -> Vec<(usize, Vec<String>)> {
        let owned = |cells: &[&str]| cells.iter().map(|cell| (*cell).to_owned()).collect();
        records.iter().map(|(line, cells)| (*line, owned(cells))).collect()
    }

    #[test]
    fn tables_are_read_as_spreadsheets_write_them() {
        for (text, records) in [
            ("", &[][..]),
            ("\u{feff}a,b\r\n1,2\r\n", &[(1, &["a", "b"][..]), (2, &["1", "2"])][..]),
            ("a , \" b, \"\"c\"\"\" ,\n\n,\n,x", &[(1, &["a", "b, \"c\"", ""]), (4, &["", "x"])]),
            ("\"two\nlines\",1\n3,4", &[(1, &["two\nlines", "1"]), (3, &["3", "4"])]),
            ("a\rb\r\rc", &[(1, &["a"]), (2, &["b"]), (4, &["c"])]),
            ("5\" disk,it's", &[(1, &["5\" disk", "it's"])]),
            ("'=1,'x,\"'-\"", &[(1, &["=1", "'x", "-"])]),
        ] {
            assert_eq!(cells(text, Some(',')), expected(records), "{text:?}");
        }
        assert_eq!(cells("Ada, Bob\n\"C\"\n", None), expected(&[(1, &["Ada, Bob"]), (2, &["C"])]));
        assert_eq!(cells("a\t\tb", Some('\t')), expected(&[(1, &["a", "", "b"])]));
        assert_eq!(read("a\nb,\"c\nd", Some(',')), Err(OpenQuote { line: 2 }));
    }

    #[test]
    fn no_cell_is_a_formula() {
        for (cell, written) in [
            ("=1+1", "'=1+1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("+7 900", "'+7 900"),
            ("-5", "'-5"),
            ("\t=1", "'\t'=1"),
            ("  =1", "' ' '=1"),
            ("\r=1", "'\r'=1"),
            ("＝1", "'＝1"),
            ("a;=1", "a;'=1"),
            ("a,\n=1", "a,'\n'=1"),
            ("a\"=1", "a\"'=1"),
            ("1 - 2 = -1", "1 - 2 = -1"),
            ("Ну и ну - 石子", "Ну и ну - 石子"),
            ("it's", "it's"),
        ] {
            let quoted = format!("\u{feff}\"{}\"\r\n", written.replace('"', "\"\""));
            assert_eq!(write([[cell]]), quoted, "{cell:?}");
        }
    }

    proptest! {
        /// Whichever delimiter a spreadsheet cuts at, no piece begins a formula.
        #[test]
        fn no_piece_begins_a_formula(cells in prop::collection::vec("[-=+@;,\"' \\t\\r\\na＝]{0,8}", 1..4)) {
            let text = write([&cells]);
            for delimiter in [',', ';', '\t', '|'] {
                for piece in text.trim_start_matches('\u{feff}').split(['\n', '\r', '"', delimiter]) {
                    let piece = piece.trim_start();
                    prop_assert!(!piece.starts_with(['=', '+', '-', '@', '＝']), "{text:?} {piece:?}");
                }
            }
        }

        #[test]
        fn what_is_written_is_read_again(rows in prop::collection::vec(prop::collection::vec("[a-c石=+\"' ]{1,6}", 2), 1..5)) {
            let rows: Vec<Vec<String>> = rows
                .into_iter()
                .map(|row| row.into_iter().map(|cell| format!("x{}", cell.replace("\"", "\"x").trim_end())).collect())
                .collect();
            let read: Vec<Vec<String>> =
                read(&write(&rows), Some(',')).unwrap().into_iter().map(|record| record.cells).collect();
            prop_assert_eq!(read, rows);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "\\PC*|[\",;\\r\\n a]*") {
            for delimiter in [None, Some(','), Some('\t')] {
                let lines = text.lines().count() + text.matches('\r').count();
                match read(&text, delimiter) {
                    Ok(records) => prop_assert!(records.iter().all(|record| record.line <= lines.max(1))),
                    Err(open) => prop_assert!(open.line <= lines),
                }
            }
        }
    }
}
