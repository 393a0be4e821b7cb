//! Two judges on one machine, the programs of one of which do whatever could reach what is not their own.

use touchstone::sandbox::Ended;

use super::widget;
use crate::walls::{Walls, behind_all_walls};

behind_all_walls![two_judges_at_once_do_each_other_no_harm,];

/// What a neighbour runs, again and again: whatever could reach what is not its own.
const NEIGHBOURS: [&str; 6] = ["bomb", "kill-all", "bomb-sessions", "parent", "memory", "daemon"];

/// Another judge on the same machine, as the same user: its programs are killed by the hundred, and it clears away what they
/// leave, while programs of this one start and end processes.
fn two_judges_at_once_do_each_other_no_harm(walls: Walls) {
    for (_, means) in walls.means() {
        let mut sandbox = walls.counted_by(means);
        // A user's threads are counted together where there is nothing else to tell them apart by.
        let skipped = if walls.has_spaces() || sandbox.isolation().own_user { "" } else { "bomb" };
        let mut neighbour = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "hostile::neighbours::the_neighbour_apart", "--nocapture"])
            .env("TOUCHSTONE_TEST_NEIGHBOUR", format!("{} {means} {skipped}", walls.flag()))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let spec =
            crate::sandbox::shell("for i in 1 2 3 4 5 6 7 8; do echo $i | cat; (:) & done; wait; exit 9");
        let status = loop {
            let outcome = sandbox.run(&spec).unwrap();
            assert_eq!((outcome.ended, outcome.limit_hit), (Ended::Exit(9), None), "{means}: {outcome:?}");
            assert_eq!(outcome.stdout, b"1\n2\n3\n4\n5\n6\n7\n8\n", "{means}: {outcome:?}");
            if let Some(status) = neighbour.try_wait().unwrap() {
                break status;
            }
        };
        assert!(status.success(), "{means}: {status}");
    }
}

/// Not a test by itself: what [`two_judges_at_once_do_each_other_no_harm`] starts.
#[test]
fn the_neighbour_apart() {
    let Some(asked) = std::env::var_os("TOUCHSTONE_TEST_NEIGHBOUR") else { return };
    let asked = asked.into_string().unwrap();
    let mut words = asked.split_ascii_whitespace();
    let (flag, means, skipped) = (words.next().unwrap(), words.next().unwrap(), words.next());
    let walls = Walls::ALL.into_iter().find(|walls| walls.flag() == flag).unwrap();
    let mut sandbox = walls.counted_by(means);
    for name in NEIGHBOURS.iter().filter(|name| skipped.is_none_or(|skipped| !name.starts_with(skipped))) {
        for _ in 0..3 {
            sandbox.run(&widget(name, &[])).unwrap();
        }
    }
}
