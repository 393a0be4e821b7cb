//! The tests that submissions are graded on: a package, with the digest of each test's bytes, found once for all
//! submissions. Reads test files, never writes any.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::OnceLock;

use sha2::{Digest as _, Sha256};

use crate::package::{Package, PackagedTest};
use crate::score::{Group, Worth};

/// SHA-256 of something.
pub(crate) type Hash = [u8; 32];

/// Bytes read at once while hashing.
const CHUNK_BYTES: usize = 1 << 16;

/// A package's tests, ready to be graded on.
#[derive(Debug)]
pub struct TestSet {
    package: Package,
    digests: Vec<OnceLock<Option<Hash>>>,
    /// The subtasks, and how many tests each has.
    groups: Vec<(Group, usize)>,
}

impl TestSet {
    /// The tests of `package`.
    pub fn new(package: Package) -> Self {
        Self::with_groups(package, Vec::new())
    }

    /// The tests of `package`, which give points by these subtasks.
    pub fn with_groups(mut package: Package, groups: Vec<Group>) -> Self {
        for test in &mut package.tests {
            // The sandbox runs elsewhere, so paths are made absolute; where even that fails the run will say why.
            for path in [&mut test.input, &mut test.answer] {
                *path = std::path::absolute(&*path).unwrap_or_else(|_| path.clone());
            }
        }
        let digests = package.tests.iter().map(|_| OnceLock::new()).collect();
        let tests = |group: &Group| {
            package.tests.iter().filter(|test| test.group.as_ref() == Some(&group.name)).count()
        };
        let groups =
            groups.into_iter().map(|group| (tests(&group), group)).map(|(tests, group)| (group, tests));
        Self { digests, groups: groups.collect(), package }
    }

    /// The subtasks; none where nothing gives points.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.groups.iter().map(|(group, _)| group)
    }

    /// Whether there are subtasks.
    pub fn has_scores(&self) -> bool {
        !self.groups.is_empty()
    }

    /// The place of a subtask among them.
    pub(crate) fn group_index(&self, name: Option<&str>) -> Option<usize> {
        self.groups.iter().position(|(group, _)| Some(group.name.as_str()) == name)
    }

    /// What a test of this subtask gives at most.
    pub(crate) fn worth(&self, name: Option<&str>) -> Option<Worth> {
        let (group, tests) = &self.groups[self.group_index(name)?];
        Some(Worth::of(group, *tests))
    }

    /// The package.
    pub fn package(&self) -> &Package {
        &self.package
    }

    /// The tests in package order.
    pub fn tests(&self) -> &[PackagedTest] {
        &self.package.tests
    }

    /// The digest of everything that a verdict on this test depends on besides the submission: both files, and how they
    /// are divided into members. `None` when a file can't be read; the run will say which.
    pub(crate) fn digest(&self, index: usize) -> Option<&Hash> {
        self.digests[index].get_or_init(|| digest(&self.package.tests[index]).ok()).as_ref()
    }
}

fn digest(test: &PackagedTest) -> io::Result<Hash> {
    let mut hash = Sha256::new();
    hash.update(of_file(&test.input)?);
    hash.update(of_file(&test.answer)?);
    hash.update([u8::from(test.pack)]);
    for member in &test.members {
        for number in [member.input.start, member.input.end, member.answer.start, member.answer.end] {
            hash.update(number.to_le_bytes());
        }
    }
    Ok(hash.finalize().into())
}

fn of_file(path: &Path) -> io::Result<Hash> {
    let (mut file, mut hash) = (File::open(path)?, Sha256::new());
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(hash.finalize().into()),
            length => hash.update(&chunk[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::Member;

    #[test]
    fn a_digest_changes_with_the_answer_and_is_none_without_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let set = || {
            let file = |name: &str| folder.path().join(name);
            let member = Member { input: 0..2, answer: 0..2 };
            let test = PackagedTest {
                name: "1".to_owned(),
                family: String::new(),
                group: None,
                input: file("1.in"),
                answer: file("1.ans"),
                members: vec![member],
                pack: false,
            };
            TestSet::new(Package { problem: None, tests: vec![test], notes: Vec::new() })
        };
        std::fs::write(folder.path().join("1.in"), "1\n").unwrap();
        assert_eq!(set().digest(0), None);
        std::fs::write(folder.path().join("1.ans"), "1\n").unwrap();
        let first = *set().digest(0).unwrap();
        assert_eq!(set().digest(0), Some(&first));
        std::fs::write(folder.path().join("1.ans"), "2\n").unwrap();
        assert_ne!(set().digest(0), Some(&first));
    }
}
