//! What is said of a `problem.toml` that is wrong: every file in `tests/mistakes/`, drawn with its source lines.

use std::fs;
use std::path::Path;

#[test]
fn every_mistake_is_drawn_at_its_place() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes");
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    assert!(files.len() >= 12, "the files are there");
    for path in files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        // The repository has no CRLF, so one file gets it here.
        let text = if name == "crlf_and_marks" { text.replace('\n', "\r\n") } else { text };
        let (problem, mistakes) = touchstone::problem::parse("some-problem", &text);
        assert!(problem.is_none(), "{name} is wrong");
        let drawn = touchstone::report::snippet::render("problem.toml", &text, &mistakes, false);
        insta::with_settings!({ snapshot_path => "mistakes", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, drawn);
        });
    }
}
