//! What became of programs before, by content: a letter or two for each test, so that a matrix that was made once is
//! there in seconds and only new tests are run. A file that can't be read or understood counts as empty.
//!
//! ```text
//! <cache>/strength/<slug>.json   {"format": …, "programs": {"<key>": {"rejected": false, "tests": {"<digest>": "WA"}}}}
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::matrix::Fate;
use crate::grade::jury::Jury;
use crate::grade::{Job, TestSet};
use crate::package::sha256;
use crate::verdict::Verdict;

/// Raised when what is remembered changes its meaning.
const FORMAT: &str = "touchstone strength 1";
/// Programs of one problem that are remembered besides those of the last matrix.
const MAX_PROGRAMS: usize = 3000;
/// Bytes of a file that is read at all.
const MAX_FILE_BYTES: u64 = 64 << 20;
/// Hexadecimal digits of a test's digest that are kept.
const DIGEST_DIGITS: usize = 16;

/// What is known of a problem's programs.
#[derive(Debug, Default)]
pub struct Known {
    file: PathBuf,
    document: Document,
    /// Programs that were asked about or learnt since it was read.
    used: BTreeSet<String>,
    changed: bool,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Document {
    format: String,
    programs: BTreeMap<String, Remembered>,
    /// Searches that found no difference: what they were asked, and how many inputs they went through.
    #[serde(default)]
    agreed: BTreeMap<String, usize>,
}

/// What is known of one program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Remembered {
    #[serde(default)]
    rejected: bool,
    #[serde(default)]
    tests: BTreeMap<String, String>,
}

impl Known {
    /// What the cache folder has of this problem.
    pub fn read(cache: &Path, slug: &str) -> Self {
        let file = cache.join("strength").join(format!("{slug}.json"));
        let document = read(&file).filter(|document| document.format == FORMAT).unwrap_or_default();
        Self { file, document, used: BTreeSet::new(), changed: false }
    }

    /// What a program is known by: its own key, and all else that a verdict depends on besides the test.
    pub(super) fn key(job: &Job<'_>, program: &str) -> String {
        let isolation = job.judge.isolation().ok();
        let isolation = isolation.and_then(|isolation| serde_json::to_string(&isolation).ok());
        // What a checker's points mean depends on what the tests are worth.
        let by_jury = |jury: &Jury| format!("{} {:?}", jury.key(), job.tests.groups().collect::<Vec<_>>());
        let parts = [
            FORMAT,
            program,
            &job.jury.map_or_else(|| job.checker.to_string(), by_jury),
            &job.limits.memory.bytes().to_string(),
            &job.limits.time.ms().to_string(),
            &isolation.unwrap_or_default(),
        ];
        sha256(parts.join("\0").as_bytes())
    }

    pub(super) fn of(&self, key: &str) -> Option<Remembered> {
        self.document.programs.get(key).cloned()
    }

    pub(super) fn keep(&mut self, key: &str) {
        self.used.insert(key.to_owned());
    }

    /// Adds to what was known of a program; tests that are not in the package now stay known.
    pub(super) fn learn(&mut self, key: &str, remembered: Remembered) {
        self.keep(key);
        self.changed = true;
        let entry = self.document.programs.entry(key.to_owned()).or_default();
        entry.rejected = remembered.rejected;
        entry.tests.extend(remembered.tests);
    }

    /// How many inputs a search went through without a difference, by what it was asked.
    pub(super) fn agreed(&self, asked: &str) -> Option<usize> {
        self.document.agreed.get(asked).copied()
    }

    pub(super) fn learn_agreed(&mut self, asked: String, inputs: usize) {
        self.changed = true;
        self.document.agreed.insert(asked, inputs);
    }

    /// Writes what was learnt. That it cannot be written is no reason to complain: it only saves time.
    pub fn save(&mut self) {
        if !self.changed {
            return;
        }
        FORMAT.clone_into(&mut self.document.format);
        let mut spare = self.document.programs.len().saturating_sub(MAX_PROGRAMS + self.used.len());
        let used = &self.used;
        self.document.programs.retain(|key, _| {
            let goes = spare > 0 && !used.contains(key);
            spare -= usize::from(goes);
            !goes
        });
        if write(&self.file, &self.document).is_ok() {
            self.changed = false;
        }
    }
}

impl Remembered {
    pub(super) fn rejected() -> Self {
        Self { rejected: true, tests: BTreeMap::new() }
    }

    pub(super) fn of(tests: &TestSet, row: &[Option<Verdict>]) -> Self {
        let known = row.iter().enumerate().filter_map(|(index, verdict)| {
            Some((digest(tests, index)?, verdict.as_ref()?.short().to_owned()))
        });
        Self { rejected: false, tests: known.collect() }
    }

    pub(super) fn verdict(&self, tests: &TestSet, index: usize) -> Option<Verdict> {
        let short = self.tests.get(&digest(tests, index)?)?;
        Verdict::ALL.into_iter().find(|verdict| verdict.short() == short)
    }

    /// The whole row, if nothing of it has to be run.
    pub(super) fn fate(&self, tests: &TestSet) -> Option<Fate> {
        if self.rejected {
            return Some(Fate::Rejected);
        }
        let mut row = vec![None; tests.tests().len()];
        for (index, place) in row.iter_mut().enumerate() {
            let verdict = self.verdict(tests, index)?;
            *place = Some(verdict);
            if verdict == Verdict::Tle {
                break;
            }
        }
        Some(Fate::Ran(row))
    }
}

fn digest(tests: &TestSet, index: usize) -> Option<String> {
    let digest = tests.digest(index)?;
    let mut text = sha256(&[&digest[..], tests.tests()[index].name.as_bytes()].concat());
    text.truncate(DIGEST_DIGITS);
    Some(text)
}

/// What a search for a difference was asked: the program, the problem's model and answers, the inputs.
pub(super) fn question(program: &str, parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in [FORMAT, program].iter().chain(parts) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    sha256(&hash.finalize())
}

fn read(file: &Path) -> Option<Document> {
    if fs::metadata(file).ok()?.len() > MAX_FILE_BYTES {
        return None;
    }
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

fn write(file: &Path, document: &Document) -> io::Result<()> {
    let Some(folder) = file.parent() else { return Ok(()) };
    fs::create_dir_all(folder)?;
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(&serde_json::to_vec(document)?)?;
    temporary.persist(file)?;
    Ok(())
}
