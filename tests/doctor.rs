//! `touchstone doctor`: what it says of this machine, and that its own hostile programs are stopped.

use crate::desk::Desk;

#[test]
fn every_misbehaving_program_is_stopped() {
    let desk = Desk::new();
    let output = desk.command(&["doctor", "--format", "json"]).output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for tried in document["self_test"].as_array().unwrap() {
        assert_eq!(tried["stopped"], true, "{tried}");
    }
    assert_eq!(output.status.code(), Some(0));
    assert!(document["timing"]["alone"]["min_ms"].as_f64().unwrap() > 0.0);
    assert!(document["languages"].as_array().unwrap().iter().any(|language| language["id"] == "cpp"));
}

#[test]
fn people_are_told_the_same_in_words() {
    let desk = Desk::new();
    let output = desk.command(&["doctor"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for word in ["isolation", "self-test", "timing", "languages", "system calls filtered", "Python 3"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    // A word that is too long for a line, as a path may be, stands alone on its own.
    let is_narrow = |line: &&str| line.chars().count() <= 80 || !line.trim().contains(' ');
    assert_eq!(text.lines().find(|line| !is_narrow(line)), None);
}
