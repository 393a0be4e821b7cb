//! What was found when a submission was judged: a row for the judging and one for each test, with texts cut to what can be
//! shown, so that no program's output fills the disk.

use rusqlite::{Connection, Row, params};

use crate::grade::excerpt::boundary_before;
use crate::grade::{SubmissionReport, TestReport};
use crate::score::Points;
use crate::store::id::Word;
use crate::store::{JudgingId, RejudgeId, Store, StoreError, SubmissionId, Write};
use crate::verdict::Verdict;

/// Bytes of a compiler's words that are kept.
const MAX_LOG_BYTES: usize = 64 << 10;
/// Bytes of one text of a test that are kept.
const MAX_TEXT_BYTES: usize = 16 << 10;
/// Bytes of all texts of one judging's tests; what comes later has none.
const MAX_TEXTS_BYTES: usize = 256 << 10;
/// Tests of one judging that are kept.
const MAX_TESTS: usize = 10_000;

/// One judging of a submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Judging {
    /// Its row.
    pub id: JudgingId,
    /// Whose it is.
    pub submission: SubmissionId,
    /// The rejudge that it was made for.
    pub rejudge: Option<RejudgeId>,
    /// Whether it is the one that counts.
    pub is_current: bool,
    /// The verdict.
    pub verdict: Verdict,
    /// What it won, where the problem gives points.
    pub score: Option<Points>,
    /// What could be won.
    pub max_score: Option<Points>,
    /// What it won of each subtask, by name.
    pub groups: Vec<(String, Points)>,
    /// How it took its input: `stdin` or `function`.
    pub mode: String,
    /// What the compiler said, or the judge where it failed.
    pub compile_log: String,
    /// The first test that was not accepted.
    pub first_failing_test: Option<String>,
    /// The longest CPU time of its tests.
    pub cpu_ms: Option<f64>,
    /// The largest memory of its tests.
    pub memory_bytes: Option<u64>,
    /// When its verdict was found.
    pub at_ms: i64,
}

/// One test of a judging.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JudgedTest {
    /// The test's name.
    pub name: String,
    /// The subtask, if the problem has any.
    pub group: Option<String>,
    /// `None` when it was skipped.
    pub verdict: Option<Verdict>,
    /// CPU time.
    pub cpu_ms: Option<f64>,
    /// Wall time.
    pub wall_ms: Option<f64>,
    /// Peak memory.
    pub memory_bytes: Option<u64>,
    /// Exit status, when it exited.
    pub exit_code: Option<i32>,
    /// The signal that ended it, by number.
    pub signal: Option<i32>,
    /// What the checker or the judge says.
    pub message: String,
    /// The failing input, shortened.
    pub input: Option<String>,
    /// The answer, shortened.
    pub expected: Option<Vec<u8>>,
    /// The output, shortened.
    pub actual: Option<Vec<u8>>,
    /// The number of the output's line with which the two begin, from 1.
    pub first_line: u64,
    /// The last lines on standard error, escaped.
    pub stderr: String,
    /// What submission and interactor said.
    pub transcript: String,
}

impl From<&TestReport> for JudgedTest {
    fn from(row: &TestReport) -> Self {
        Self {
            name: row.name.clone(),
            group: row.group.clone(),
            verdict: row.verdict,
            cpu_ms: row.cpu_ms,
            wall_ms: row.wall_ms,
            memory_bytes: row.memory_bytes,
            exit_code: row.exit_code,
            signal: row.signal,
            message: row.message.clone(),
            input: row.failing_input.clone(),
            expected: row.outputs.as_ref().map(|outputs| outputs.expected.clone()),
            actual: row.outputs.as_ref().map(|outputs| outputs.actual.clone()),
            first_line: row.outputs.as_ref().map_or(1, |outputs| outputs.first_line),
            stderr: row.stderr.clone(),
            transcript: row.transcript.clone(),
        }
    }
}

/// What is recorded when a judging is finished.
#[derive(Clone, Debug)]
pub struct Finish {
    /// The verdict.
    pub verdict: Verdict,
    /// What it won.
    pub score: Option<Points>,
    /// What could be won.
    pub max_score: Option<Points>,
    /// What it won of each subtask, by name.
    pub groups: Vec<(String, Points)>,
    /// `stdin` or `function`.
    pub mode: String,
    /// What the compiler said, or the judge where it failed.
    pub compile_log: String,
    /// The first test that was not accepted.
    pub first_failing_test: Option<String>,
    /// Its tests in package order.
    pub tests: Vec<JudgedTest>,
}

impl Finish {
    /// A verdict with nothing beside it.
    pub fn bare(verdict: Verdict) -> Self {
        Self {
            verdict,
            score: None,
            max_score: None,
            groups: Vec::new(),
            mode: String::new(),
            compile_log: String::new(),
            first_failing_test: None,
            tests: Vec::new(),
        }
    }

    /// The judge failed, and `message` says how.
    pub fn judge_error(message: &str) -> Self {
        Self { compile_log: message.to_owned(), ..Self::bare(Verdict::Je) }
    }
}

impl From<&SubmissionReport> for Finish {
    /// A report without a verdict is the judge's failure: something should have been run.
    fn from(report: &SubmissionReport) -> Self {
        Self {
            verdict: report.verdict.unwrap_or(Verdict::Je),
            score: report.score,
            max_score: report.max_score,
            groups: report.groups.iter().map(|group| (group.name.clone(), group.score)).collect(),
            mode: report.mode.clone(),
            compile_log: report.compile.log.clone(),
            first_failing_test: report.first_failing_test.clone(),
            tests: report.tests.iter().map(JudgedTest::from).collect(),
        }
    }
}

pub(super) const COLUMNS: &str = "judgings.id, judgings.submission, judgings.rejudge, judgings.is_current, \
     judgings.verdict, judgings.score_hundredths, judgings.max_hundredths, judgings.groups, judgings.mode, \
     judgings.compile_log, judgings.first_failing_test, judgings.cpu_ms, judgings.memory_bytes, judgings.at_ms";

/// Reads [`COLUMNS`], the first of which is at `first`.
pub(super) fn of_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Judging> {
    let points = |at| Ok::<_, rusqlite::Error>(row.get::<_, Option<u64>>(at)?.map(Points::from_hundredths));
    let groups: String = row.get(first + 7)?;
    Ok(Judging {
        id: row.get(first)?,
        submission: row.get(first + 1)?,
        rejudge: row.get(first + 2)?,
        is_current: row.get(first + 3)?,
        verdict: row.get::<_, Word>(first + 4)?.0,
        score: points(first + 5)?,
        max_score: points(first + 6)?,
        groups: groups_of(&groups),
        mode: row.get(first + 8)?,
        compile_log: row.get(first + 9)?,
        first_failing_test: row.get(first + 10)?,
        cpu_ms: row.get(first + 11)?,
        memory_bytes: row.get(first + 12)?,
        at_ms: row.get(first + 13)?,
    })
}

/// Reads what [`groups_text`] writes.
pub(super) fn groups_of(text: &str) -> Vec<(String, Points)> {
    let groups: Vec<(String, u64)> = serde_json::from_str(text).unwrap_or_default();
    groups.into_iter().map(|(name, hundredths)| (name, Points::from_hundredths(hundredths))).collect()
}

fn groups_text(groups: &[(String, Points)]) -> String {
    let groups: Vec<(&str, u64)> =
        groups.iter().map(|(name, points)| (name.as_str(), points.hundredths())).collect();
    serde_json::to_string(&groups).unwrap_or_else(|_| "[]".to_owned())
}

/// Stores a judging with its tests.
pub(super) fn insert(
    write: &Write<'_>,
    submission: SubmissionId,
    rejudge: Option<RejudgeId>,
    epoch: i64,
    is_current: bool,
    finish: &Finish,
    at_ms: i64,
) -> Result<JudgingId, StoreError> {
    let cpu_ms = finish.tests.iter().filter_map(|test| test.cpu_ms).reduce(f64::max);
    let memory_bytes = finish.tests.iter().filter_map(|test| test.memory_bytes).max();
    write
        .prepare_cached(
            "INSERT INTO judgings (submission, rejudge, epoch, is_current, verdict, score_hundredths, max_hundredths,
                 groups, mode, compile_log, first_failing_test, cpu_ms, memory_bytes, at_ms)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            submission,
            rejudge,
            epoch,
            is_current,
            Word(finish.verdict),
            finish.score.map(Points::hundredths),
            finish.max_score.map(Points::hundredths),
            groups_text(&finish.groups),
            finish.mode,
            cut(&finish.compile_log, MAX_LOG_BYTES),
            finish.first_failing_test,
            cpu_ms,
            memory_bytes,
            at_ms,
        ])?;
    let judging = JudgingId(write.last_insert_rowid());
    let mut room = MAX_TEXTS_BYTES;
    let mut insert = write.prepare_cached(
        "INSERT INTO judged_tests (judging, place, name, subtask, verdict, cpu_ms, wall_ms, memory_bytes, exit_code,
             signal, message, input, expected, actual, first_line, stderr, transcript)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    for (place, test) in finish.tests.iter().take(MAX_TESTS).enumerate() {
        insert.execute(params![
            judging,
            place,
            test.name,
            test.group,
            test.verdict.map(Word),
            test.cpu_ms,
            test.wall_ms,
            test.memory_bytes,
            test.exit_code,
            test.signal,
            kept(&test.message, &mut room),
            test.input.as_ref().map(|text| kept(text, &mut room)),
            test.expected.as_ref().map(|bytes| kept_bytes(bytes, &mut room)),
            test.actual.as_ref().map(|bytes| kept_bytes(bytes, &mut room)),
            test.first_line,
            kept(&test.stderr, &mut room),
            kept(&test.transcript, &mut room),
        ])?;
    }
    Ok(judging)
}

/// As much of a text as fits, whole characters only.
pub(super) fn cut(text: &str, most: usize) -> &str {
    &text[..boundary_before(text, most)]
}

/// As much of a text as is kept, taken from what room there is.
fn kept<'t>(text: &'t str, room: &mut usize) -> &'t str {
    let text = cut(text, MAX_TEXT_BYTES.min(*room));
    *room -= text.len();
    text
}

fn kept_bytes<'t>(bytes: &'t [u8], room: &mut usize) -> &'t [u8] {
    let bytes = &bytes[..bytes.len().min(MAX_TEXT_BYTES).min(*room)];
    *room -= bytes.len();
    bytes
}

pub(super) fn tests(connection: &Connection, judging: JudgingId) -> Result<Vec<JudgedTest>, StoreError> {
    let mut statement = connection.prepare_cached(
        "SELECT name, subtask, verdict, cpu_ms, wall_ms, memory_bytes, exit_code, signal, message, input, expected,
             actual, first_line, stderr, transcript
         FROM judged_tests WHERE judging = ? ORDER BY place",
    )?;
    let tests = statement.query_map([judging], |row| {
        Ok(JudgedTest {
            name: row.get(0)?,
            group: row.get(1)?,
            verdict: row.get::<_, Option<Word>>(2)?.map(|word| word.0),
            cpu_ms: row.get(3)?,
            wall_ms: row.get(4)?,
            memory_bytes: row.get(5)?,
            exit_code: row.get(6)?,
            signal: row.get(7)?,
            message: row.get(8)?,
            input: row.get(9)?,
            expected: row.get(10)?,
            actual: row.get(11)?,
            first_line: row.get(12)?,
            stderr: row.get(13)?,
            transcript: row.get(14)?,
        })
    })?;
    Ok(tests.collect::<Result<_, _>>()?)
}

impl Store {
    /// Every judging of a submission, oldest first.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn judgings(&self, submission: SubmissionId) -> Result<Vec<Judging>, StoreError> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached(&format!(
                "SELECT {COLUMNS} FROM judgings WHERE submission = ? ORDER BY id"
            ))?;
            let judgings = statement.query_map([submission], |row| of_row(row, 0))?;
            Ok(judgings.collect::<Result<_, _>>()?)
        })
    }

    /// The tests of a judging, in package order.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn judged_tests(&self, judging: JudgingId) -> Result<Vec<JudgedTest>, StoreError> {
        self.read(|connection| tests(connection, judging))
    }
}
