//! Programs that take memory, wherever it is hard to see: it is counted, and gone after them.

use touchstone::sandbox::{Ended, LimitHit, Spec, Stdin};

use super::{Fate, check, is_clean_after, meets, widget};
use crate::walls::{Walls, behind_all_walls, behind_spaces};

behind_all_walls![
    input_that_nobody_reads_and_pages_of_files_are_no_memory_of_the_runs,
    memory_is_counted_wherever_it_is_taken,
    tables_of_pages_are_counted,
    huge_pages_are_counted_as_they_are,
    memory_that_a_run_leaves_is_gone_before_the_next,
];
behind_spaces![files_in_memory_are_bounded];

fn input_that_nobody_reads_and_pages_of_files_are_no_memory_of_the_runs(walls: Walls) {
    let large: std::sync::Arc<[u8]> = vec![b'1'; 100 << 20].into();
    // Half as much memory as there is input, read or not.
    for script in ["echo 5", "cat > /dev/null; echo 5", "exec < /dev/null; echo 5"] {
        let mut spec = crate::sandbox::shell(script);
        spec.stdin = Stdin::Bytes(large.clone());
        spec.limits.memory_bytes = 50 << 20;
        for mut sandbox in walls.sandboxes() {
            let outcome = sandbox.run(&spec).unwrap();
            assert_eq!((outcome.ended, outcome.limit_hit), (Ended::Exit(0), None), "{script}: {outcome:?}");
            assert_eq!(outcome.stdout, b"5\n");
        }
    }
}

fn memory_is_counted_wherever_it_is_taken(walls: Walls) {
    check(walls, "memory", &[], Fate::Hit(LimitHit::Memory));
    check(walls, "children-memory", &["90"], Fate::Hit(LimitHit::Memory));
    check(walls, "children-memory", &["90", "closed"], Fate::Hit(LimitHit::Memory));
    check(walls, "stack", &[], Fate::Hit(LimitHit::Memory));
    check(walls, "reserve", &[], Fate::Allowed);
    check(walls, "child-memory", &[], Fate::Hit(LimitHit::Memory));
    check(walls, "child-memory", &["sleep"], Fate::Hit(LimitHit::Memory));
    check(walls, "page-tables", &[], Fate::Bounded);
    check(walls, "pipes", &[], Fate::Refused);
    check(walls, "sockets", &[], Fate::Bounded);
    check(walls, "notes", &[], Fate::Bounded);
    for mut sandbox in walls.sandboxes() {
        let mut spec = widget("files-memory", &[]);
        spec.limits.file_bytes = 8 << 30;
        let outcome = sandbox.run(&spec).unwrap();
        // Who cannot count it gives none.
        let fate =
            if sandbox.isolation().memory == "rlimit" { Fate::Refused } else { Fate::Hit(LimitHit::Memory) };
        assert!(meets(fate, &outcome), "{outcome:?}");
        is_clean_after(&mut sandbox, "files-memory");
        let outcome = sandbox.run(&Spec { args: widget("fresh-program", &[]).args, ..spec }).unwrap();
        let fate = if sandbox.isolation().memory == "rlimit" { Fate::Refused } else { Fate::Allowed };
        assert!(meets(fate, &outcome), "{outcome:?}");
    }
}

/// As a language has it whose runtime reserves more than it uses.
fn tables_of_pages_are_counted(walls: Walls) {
    for mut sandbox in walls.sandboxes() {
        let mut spec = widget("page-tables", &[]);
        spec.limits.bound_address_space = false;
        let outcome = sandbox.run(&spec).unwrap();
        assert!(meets(Fate::Hit(LimitHit::Memory), &outcome), "{outcome:?}");
        is_clean_after(&mut sandbox, "page-tables");
    }
}

/// Where the machine gives huge pages to who asks, a touched byte takes two MiB; where it has none left, a page. What the
/// machine keeps for those who ask by name is nobody's: no group counts it.
fn huge_pages_are_counted_as_they_are(walls: Walls) {
    check(walls, "huge-pages", &["named"], Fate::Refused);
    for mut sandbox in walls.sandboxes() {
        let spec = widget("huge-pages", &[]);
        let outcome = sandbox.run(&spec).unwrap();
        if !meets(Fate::Hit(LimitHit::Memory), &outcome) {
            let said = String::from_utf8(outcome.stdout.clone()).unwrap();
            let words = said.strip_prefix("through: ").and_then(|said| said.split_once(" KiB"));
            let took_bytes = words.and_then(|(kib, _)| kib.parse::<u64>().ok()).expect(&said) << 10;
            assert!(took_bytes <= spec.limits.memory_bytes, "{walls:?}: {outcome:?}");
            assert!(outcome.memory_bytes >= took_bytes / 10 * 9, "{walls:?}: {outcome:?}");
        }
        is_clean_after(&mut sandbox, "huge-pages");
    }
}

/// Nor is it taken from what that run used, or added to what it may use.
fn memory_that_a_run_leaves_is_gone_before_the_next(walls: Walls) {
    for mut sandbox in walls.sandboxes() {
        sandbox.run(&widget("keep", &[])).unwrap();
        // Less than the limit together with what was left.
        let spec = widget("children-memory", &["80"]);
        let outcome = sandbox.run(&spec).unwrap();
        assert!(meets(Fate::Hit(LimitHit::Memory), &outcome), "{walls:?}: {outcome:?}");
    }
}

fn files_in_memory_are_bounded(walls: Walls) {
    check(walls, "tmp-memory", &[], Fate::Bounded);
}
