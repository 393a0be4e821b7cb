//! In what a kept solution did otherwise than it should have. Judges nothing anew.

use crate::grade::SubmissionReport;
use crate::package::KeptSolution;
use crate::score::Points;
use crate::verdict::Verdict;

/// What is otherwise, in words; empty when all is as expected.
pub(super) fn find(kept: &KeptSolution, report: &SubmissionReport) -> Vec<String> {
    let mut found = kept.expectation.faults.clone();
    if !report.verdict.is_some_and(|verdict| kept.expected.contains(&verdict)) {
        let row = report.tests.iter().find(|row| report.first_failing_test.as_ref() == Some(&row.name));
        let message = row.map_or(report.compile.log.as_str(), |row| row.message.as_str());
        let got = report.verdict.map_or("no verdict", Verdict::short);
        let message = if message.is_empty() { String::new() } else { format!(": {message}") };
        found.push(format!("expected {}, got {got}{message}", any_of(&kept.expected)));
    }
    found.extend(of_score(kept, report));
    for (name, expected) in &kept.expectation.groups {
        found.extend(of_group(name, expected, report));
    }
    found
}

fn of_score(kept: &KeptSolution, report: &SubmissionReport) -> Option<String> {
    let expectation = &kept.expectation;
    if expectation.score.is_none() && !expectation.is_partial {
        return None;
    }
    let (Some(score), Some(most)) = (report.score, report.max_score) else {
        return Some(match report.max_score {
            Some(_) => "no score".to_owned(),
            None => "points are expected, and the problem has no [[subtask]]".to_owned(),
        });
    };
    match expectation.score {
        Some(expected) if expected != score => Some(format!("score {score} of {most}, expected {expected}")),
        None if score == Points::ZERO || score == most => {
            Some(format!("score {score} of {most}, expected some points, but not all"))
        }
        _ => None,
    }
}

fn of_group(name: &str, expected: &[Verdict], report: &SubmissionReport) -> Option<String> {
    let Some(group) = report.groups.iter().find(|group| group.name == name) else {
        let is_run = report.max_score.is_none() || !report.groups.is_empty();
        return is_run.then(|| format!("a verdict of `{name}` is expected, and there is no such subtask"));
    };
    let got = group.verdict.map_or("skipped", Verdict::short);
    let is_expected = group.verdict.is_some_and(|verdict| expected.contains(&verdict));
    (!is_expected).then(|| format!("subtask `{name}`: {got}, expected {}", any_of(expected)))
}

fn any_of(verdicts: &[Verdict]) -> String {
    let words: Vec<&str> = verdicts.iter().map(|verdict| verdict.short()).collect();
    words.join(" or ")
}
