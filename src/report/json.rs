//! The report of `grade` as one JSON document, always valid UTF-8. A contract: keys are added, never changed.

use serde::Serialize;

use crate::grade::SubmissionReport;
use crate::sandbox::Isolation;

/// What `grade --format json` prints.
#[derive(Debug, Serialize)]
pub struct GradeDocument<'a> {
    /// The problem's slug; null for loose tests.
    pub problem: Option<&'a str>,
    /// In the order in which they were given.
    pub submissions: Vec<&'a SubmissionReport>,
    /// What isolation the runs had; null when nothing could be run.
    pub isolation: Option<&'a Isolation>,
}

/// A document as text, with a line break at its end.
///
/// # Errors
/// When a value has no form in JSON, which would be a mistake of this program's.
pub fn document(value: &impl Serialize) -> serde_json::Result<String> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(text)
}
