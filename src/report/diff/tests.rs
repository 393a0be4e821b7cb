//! The diff as people see it: snapshots of its forms, and bounds that hold for any output.

//! What a drawn diff shows, and how little of two huge outputs it draws.

use super::render;

fn plain(expected: &str, actual: &str, width: usize) -> String {
    render(expected.as_bytes(), actual.as_bytes(), width, false)
}

#[test]
fn short_lines_stand_side_by_side() {
    insta::assert_snapshot!(plain("Alice\n", "Bob\n", 80));
    insta::assert_snapshot!(plain("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n9\n5\n6\n7\n8\n", 60));
    insta::assert_snapshot!(plain("1\n2\n3\n", "1\n3\n", 60));
    insta::assert_snapshot!(plain("1\n2\n3\n", "", 60));
    insta::assert_snapshot!(plain("1\n", "1\n2\n3\n", 60));
}

#[test]
fn long_lines_stand_one_above_the_other_cut_around_the_difference() {
    let line = |changed: usize| -> String {
        (0..200).map(|at| if at == changed { "777 ".to_owned() } else { format!("{at} ") }).collect()
    };
    insta::assert_snapshot!(plain(
        &format!("3\n{}\nend\n", line(999)),
        &format!("3\n{}\nend\n", line(120)),
        70
    ));
    insta::assert_snapshot!(plain(&line(999), &line(2), 50));
    let token = "0123456789".repeat(50);
    insta::assert_snapshot!(plain(&token, &format!("{}xy{}", &token[..333], &token[334..]), 60));
}

#[test]
fn harmless_white_space_is_passed_over_unless_it_is_all_there_is() {
    insta::assert_snapshot!(plain("1 2 \r\n3\r\n4\r\n", "1 2\n3\n5\n", 60));
    insta::assert_snapshot!(plain("1 1 2\n\n3\n", "1\n1\n2\n\n3\n", 60));
    insta::assert_snapshot!(plain("1 2\n3\n", "1 2 \n3", 60));
    insta::assert_snapshot!(plain("1 2\n3\n", "1\t2\r\n3\r\n", 60));
}

#[test]
fn junk_and_wide_characters_keep_their_columns() {
    let shown = render(b"ok 1\n", b"\x1b[2Jok\0\xff 1\n", 60, false);
    insta::assert_snapshot!(shown);
    insta::assert_snapshot!(plain("石子游戏 1\nb\n", "石子棋戏 1\nb\n", 60));
}

#[test]
fn colours_mark_what_differs() {
    let shown = render(b"1 2 3\n", b"1 5 3\n", 60, true);
    assert!(shown.contains("\u{1b}[1m\u{1b}[4m\u{1b}[31m5"), "{shown:?}");
    let uncoloured = render(b"1 2 3\n", b"1 5 3\n", 60, false);
    let mut stripped = String::new();
    let mut parts = shown.split('\u{1b}');
    stripped.extend(parts.next());
    for part in parts {
        stripped.push_str(part.split_once('m').unwrap().1);
    }
    assert_eq!(stripped, uncoloured);
}

#[test]
fn whatever_the_outputs_are_the_diff_stays_small() {
    let flood = vec![b'x'; 1 << 20];
    let mut other = flood.clone();
    other[900_000] = b'y';
    let lines = "7 8 9\n".repeat(100_000);
    let mut changed = lines.clone().into_bytes();
    changed[333_333] = b'5';
    let junk: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    let long_lines = format!("{}\n", "12 ".repeat(500)).repeat(100);
    let outputs: [(&[u8], &[u8]); 7] = [
        (&flood, &other),
        (lines.as_bytes(), &changed),
        (&junk, &flood),
        (&flood, &junk),
        (lines.as_bytes(), b""),
        (long_lines.as_bytes(), lines.as_bytes()),
        (b"", &junk),
    ];
    for (expected, actual) in outputs {
        for width in [1, 40, 80, 120, 1000] {
            let text = render(expected, actual, width, false);
            assert!(text.len() <= 4096 && text.lines().count() <= 14, "{} bytes:\n{text}", text.len());
            let columns = width.clamp(40, 120);
            for line in text.lines() {
                assert!(unicode_width::UnicodeWidthStr::width(line) <= columns, "{line:?}");
            }
            assert!(!text.chars().any(|character| character.is_control() && character != '\n'));
        }
    }
    assert_eq!(render(&flood, &flood, 80, true), "");
}
