//! Runs a submission on a package and says what happened as events, from which the report is made. Never prints.

pub mod event;

pub use event::{CompileReport, Event, Outputs, SubmissionReport, TestReport};
