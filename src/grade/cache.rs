//! Verdicts that are known from before, by content: the program, the test, the checker, the limits, the isolation.
//!
//! The law: a verdict reached within some time holds under every time limit that leaves as much; a TLE holds under that
//! limit and lower ones, never under a higher one; a JE is never remembered.
//!
//! ```text
//! <cache>/verdicts/<key>.json   one file for each program under each checker, memory limit and isolation:
//!                               {"<digest of the test>": {"time_limit_ms": …, "row": {…}, "outputs": …}, …}
//! ```
//! A file is replaced whole, by renaming, so readers and a killed writer never meet half of one.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::grade::test_set::{Hash, TestSet};
use crate::grade::{Outputs, TestReport};
use crate::limits::TimeLimit;
use crate::score::Marks;
use crate::verdict::Verdict;

/// Raised when what is remembered changes its meaning.
const FORMAT: &str = "touchstone verdicts 3";
/// Tests that are remembered for one program.
const MAX_ENTRIES: usize = 5_000;
/// Programs that are remembered; beyond it the file that was not written to for longest is forgotten.
const MAX_FILES: usize = 2_000;
/// Bytes of a file that is read at all.
const MAX_FILE_BYTES: u64 = 32 << 20;

/// What is known of one program.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// `None` when nothing is to be remembered.
    file: Option<PathBuf>,
    /// Whether what was known before is used.
    reads: bool,
    entries: BTreeMap<String, Entry>,
    learnt: usize,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entry {
    time_limit_ms: u64,
    row: TestReport,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failing_member: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outputs: Option<Pieces>,
    /// [`TestReport::marks`] as a text, which is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    marks: Option<String>,
}

/// [`Outputs`] as text: bytes as characters of the same number, so that nothing is lost.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Pieces {
    expected: String,
    actual: String,
    first_line: u64,
}

impl Known {
    /// What is known of the program that `parts` describe, each part whole: its digest, checker, limits, isolation.
    /// A file that cannot be read or understood counts as empty. With `reads` false nothing known is used.
    pub(crate) fn of(cache: &Path, parts: &[&[u8]], reads: bool) -> Self {
        let mut hash = Sha256::new();
        for part in [FORMAT.as_bytes()].iter().chain(parts) {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let file = cache.join("verdicts").join(format!("{}.json", hex(&hash.finalize().into())));
        let entries = read(&file).unwrap_or_default();
        Self { file: Some(file), reads, entries, learnt: 0 }
    }

    /// The row of a test as it was found before, if it holds under this time limit.
    pub(crate) fn row(&self, tests: &TestSet, index: usize, limit: TimeLimit) -> Option<TestReport> {
        if !self.reads || self.entries.is_empty() {
            return None;
        }
        let entry = self.entries.get(&hex(tests.digest(index)?))?;
        let test = &tests.tests()[index];
        entry.holds(limit).then(|| TestReport {
            name: test.name.clone(),
            group: test.group.clone(),
            failing_member: entry.failing_member,
            outputs: entry.outputs.as_ref().map(Pieces::bytes),
            marks: entry.marks.as_deref().and_then(Marks::parse),
            ..entry.row.clone()
        })
    }

    /// Remembers a row.
    pub(crate) fn learn(&mut self, tests: &TestSet, index: usize, limit: TimeLimit, row: &TestReport) {
        let (Some(_), Some(verdict), true) = (&self.file, row.verdict, self.entries.len() < MAX_ENTRIES)
        else {
            return;
        };
        let Some(digest) = tests.digest(index).filter(|_| verdict != Verdict::Je) else { return };
        let digest = hex(digest);
        if self.reads && self.entries.get(&digest).is_some_and(|entry| entry.holds(limit)) {
            return;
        }
        let outputs = row.outputs.as_ref().map(Pieces::of);
        let failing_member = row.failing_member;
        let marks = row.marks.map(Marks::to_text);
        let entry = Entry { time_limit_ms: limit.ms(), row: row.clone(), failing_member, outputs, marks };
        self.entries.insert(digest, entry);
        self.learnt += 1;
    }

    /// Writes what was learnt. A cache that cannot be written is no reason to complain: it only saves time.
    pub(crate) fn save(&self) {
        if let Some(file) = self.file.as_ref().filter(|_| self.learnt > 0) {
            let _ = write(file, &self.entries);
        }
    }
}

impl Entry {
    fn holds(&self, limit: TimeLimit) -> bool {
        match self.row.verdict {
            None | Some(Verdict::Je) => false,
            Some(Verdict::Tle) => limit.ms() <= self.time_limit_ms,
            // Under a lower limit than it was measured with, wall time must fit too, or it might have been stopped.
            Some(_) => {
                let fits = |ms: Option<f64>| ms.is_some_and(|ms| ms <= limit.ms() as f64);
                limit.ms() >= self.time_limit_ms || (fits(self.row.cpu_ms) && fits(self.row.wall_ms))
            }
        }
    }
}

impl Pieces {
    fn of(outputs: &Outputs) -> Self {
        let text = |bytes: &[u8]| bytes.iter().map(|byte| char::from(*byte)).collect();
        Self {
            expected: text(&outputs.expected),
            actual: text(&outputs.actual),
            first_line: outputs.first_line,
        }
    }

    fn bytes(&self) -> Outputs {
        let bytes = |text: &str| text.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
        Outputs { expected: bytes(&self.expected), actual: bytes(&self.actual), first_line: self.first_line }
    }
}

fn hex(hash: &Hash) -> String {
    use std::fmt::Write as _;
    hash.iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn read(file: &Path) -> Option<BTreeMap<String, Entry>> {
    if fs::metadata(file).ok()?.len() > MAX_FILE_BYTES {
        return None;
    }
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

fn write(file: &Path, entries: &BTreeMap<String, Entry>) -> io::Result<()> {
    let Some(folder) = file.parent() else { return Ok(()) };
    fs::create_dir_all(folder)?;
    if !file.exists() {
        forget_old(folder)?;
    }
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(&serde_json::to_vec(entries)?)?;
    temporary.persist(file)?;
    Ok(())
}

/// Makes room when there are too many files.
fn forget_old(folder: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        files.push((entry.metadata()?.modified()?, entry.path()));
    }
    if files.len() < MAX_FILES {
        return Ok(());
    }
    files.sort();
    // A tenth at once, so that not every new program has to look again.
    for (_, path) in files.iter().take(MAX_FILES / 10) {
        fs::remove_file(path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::{Member, Package, PackagedTest};

    fn set(folder: &Path) -> TestSet {
        for (name, text) in [("1.in", "1\n"), ("1.ans", "2\n")] {
            fs::write(folder.join(name), text).unwrap();
        }
        let test = PackagedTest {
            name: "one".to_owned(),
            family: String::new(),
            group: None,
            input: folder.join("1.in"),
            answer: folder.join("1.ans"),
            members: vec![Member { input: 0..2, answer: 0..2 }],
            pack: false,
        };
        TestSet::new(Package { problem: None, tests: vec![test], notes: Vec::new() })
    }

    fn row(verdict: Verdict, cpu_ms: f64) -> TestReport {
        let outputs = Outputs { expected: b"\xff\n".to_vec(), actual: b"2\n".to_vec(), first_line: 1 };
        TestReport {
            name: "one".to_owned(),
            verdict: Some(verdict),
            cpu_ms: Some(cpu_ms),
            wall_ms: Some(cpu_ms),
            outputs: (verdict == Verdict::Wa).then_some(outputs),
            marks: (verdict == Verdict::Wa).then(|| Marks::parse("share 0.30000000000000004").unwrap()),
            ..TestReport::default()
        }
    }

    /// Whether a verdict found under `found_ms` is used again under `asked_ms`.
    fn is_used(verdict: Verdict, cpu_ms: f64, found_ms: u64, asked_ms: u64) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let (tests, cache) = (set(folder.path()), folder.path().join("cache"));
        let limit = |ms| TimeLimit::from_ms(ms).unwrap();
        let mut known = Known::of(&cache, &[b"program"], true);
        known.learn(&tests, 0, limit(found_ms), &row(verdict, cpu_ms));
        known.save();
        assert!(Known::of(&cache, &[b"another program"], true).row(&tests, 0, limit(asked_ms)).is_none());
        assert!(Known::of(&cache, &[b"program"], false).row(&tests, 0, limit(asked_ms)).is_none());
        Known::of(&cache, &[b"program"], true).row(&tests, 0, limit(asked_ms)).is_some()
    }

    #[test]
    fn the_law_is_kept() {
        assert!(is_used(Verdict::Ac, 300.0, 1000, 1000));
        assert!(is_used(Verdict::Ac, 300.0, 1000, 5000));
        assert!(is_used(Verdict::Ac, 300.0, 1000, 301));
        assert!(!is_used(Verdict::Ac, 300.0, 1000, 299));
        assert!(is_used(Verdict::Tle, 1000.0, 1000, 1000));
        assert!(is_used(Verdict::Tle, 1000.0, 1000, 500));
        assert!(!is_used(Verdict::Tle, 1000.0, 1000, 1001));
        assert!(!is_used(Verdict::Je, 1.0, 1000, 1000));
    }

    #[test]
    fn a_failure_comes_back_whole_and_a_changed_test_or_a_broken_file_is_unknown() {
        let folder = tempfile::tempdir().unwrap();
        let (tests, cache) = (set(folder.path()), folder.path().join("cache"));
        let limit = TimeLimit::from_ms(1000).unwrap();
        let mut known = Known::of(&cache, &[b"p"], true);
        known.learn(&tests, 0, limit, &row(Verdict::Wa, 1.0));
        known.save();
        let found = Known::of(&cache, &[b"p"], true).row(&tests, 0, limit).unwrap();
        assert_eq!(found.outputs, row(Verdict::Wa, 1.0).outputs);
        assert_eq!(found.marks, row(Verdict::Wa, 1.0).marks);
        let changed = set(folder.path());
        fs::write(folder.path().join("1.ans"), "3\n").unwrap();
        assert!(Known::of(&cache, &[b"p"], true).row(&changed, 0, limit).is_none());
        fs::write(known.file.unwrap(), "{").unwrap();
        assert!(Known::of(&cache, &[b"p"], true).row(&tests, 0, limit).is_none());
    }
}
