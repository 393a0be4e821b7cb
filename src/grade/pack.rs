//! A test of many small inputs: as many calls of one process in function mode, one process for each in stdin mode.
//! One row comes of it; its verdict is that of the first input that fails.

use crate::grade::TestReport;
use crate::grade::trial::{Bench, Figures, JudgeFault, Stopped, Tried, member, of_model, piece};
use crate::input::Input;
use crate::package::PackagedTest;
use crate::problem::{Function, InputModel};
use crate::verdict::Verdict;

/// How many members of a pack are run in a process of their own, as those of a whole program are, unless all are asked
/// for. The package puts those first that find the most faults.
const MEMBERS_ALONE: usize = 20;

/// What is known of a pack so far.
struct Progress {
    /// The largest over the members that passed, wholly or in part.
    figures: Figures,
    /// The member that failed, with what came of it.
    failed: Option<(usize, Tried)>,
    /// The first that did not pass; another one when a checker gave a part of the points for that one.
    first_failed: Option<usize>,
    /// Of the last one that passed: how the process ended.
    passed: Option<Tried>,
    /// Said with whatever verdict comes of it.
    remark: Option<String>,
}

impl Bench<'_> {
    pub(crate) fn pack(&mut self, test: &PackagedTest) -> Result<TestReport, Stopped> {
        // A pack without members would be nobody's fault but the judge's.
        member(test, 0)?;
        let (progress, count) = match self.function {
            Some((function, model)) => (self.pack_of_calls(test, function, model)?, test.members.len()),
            None => {
                let count = self.members_alone().min(test.members.len());
                (self.pack_on_stdin(test, count)?, count)
            }
        };
        let Progress { mut figures, failed, passed, remark, .. } = progress;
        let Some((index, mut tried)) = failed.or(passed.map(|passed| (0, passed))) else {
            return Err(Stopped::Judge(JudgeFault(format!("nothing was run of `{}`", test.name))));
        };
        figures = figures.max(tried.figures);
        if tried.verdict != Verdict::Ac {
            tried.message = format!("input {} of {count}: {}", index + 1, tried.message);
        }
        if let Some(remark) = remark {
            tried.message =
                if tried.message.is_empty() { remark } else { format!("{}; {remark}", tried.message) };
        }
        self.row(test, member(test, index)?, tried, figures)
    }

    fn members_alone(&self) -> usize {
        if self.all_members { usize::MAX } else { MEMBERS_ALONE }
    }

    fn pack_on_stdin(&mut self, test: &PackagedTest, count: usize) -> Result<Progress, Stopped> {
        let mut progress = Progress::new();
        for (index, member) in test.members.iter().enumerate().take(count) {
            let tried = self.on_stdin(test, member)?;
            if !progress.add(index, tried) {
                break;
            }
        }
        Ok(progress)
    }

    fn pack_of_calls(
        &mut self,
        test: &PackagedTest,
        function: &Function,
        model: &InputModel,
    ) -> Result<Progress, Stopped> {
        let (inputs, answers) = read_members(test, model)?;
        let all: Vec<&Input> = inputs.iter().collect();
        let mut calls = self.calls(&all, function, model)?;
        let mut progress = Progress::new();
        for (index, answer) in answers.iter().enumerate() {
            let tried = self.called(&mut calls, index, &inputs[index], answer)?;
            if !progress.add(index, tried) {
                break;
            }
        }
        drop(calls);
        let Some(index) = progress.first_failed else { return Ok(progress) };
        let is_late = progress.failed.as_ref().is_some_and(|(_, tried)| tried.verdict == Verdict::Tle);
        if inputs.len() == 1 || self.is_hasty && is_late {
            return Ok(progress);
        }
        (progress.failed, progress.first_failed) = (None, None);
        // A fault that comes only after other calls is the fault of what those left behind. LeetCode's own judge may or may
        // not notice; here such a program is judged by calls that know nothing of each other.
        for (index, answer) in answers.iter().enumerate().skip(index).take(self.members_alone()) {
            let mut call = self.calls(&[&inputs[index]], function, model)?;
            let tried = self.called(&mut call, 0, &inputs[index], answer)?;
            if !progress.add(index, tried) {
                break;
            }
        }
        if progress.first_failed != Some(index) {
            progress.remark = Some(format!(
                "state kept between calls: input {} of {} fails after the others and passes in a new process{}",
                index + 1,
                inputs.len(),
                if index.saturating_add(self.members_alone()) < inputs.len() {
                    format!(
                        "; it and the next {} count in a process each, with --all every one",
                        MEMBERS_ALONE - 1
                    )
                } else {
                    String::new()
                }
            ));
        }
        Ok(progress)
    }
}

impl Progress {
    fn new() -> Self {
        Self { figures: Figures::default(), failed: None, first_failed: None, passed: None, remark: None }
    }

    /// Adds one member; `false` when it failed and the rest need not be run. After one that gave a part of the points
    /// others may give less: the least counts.
    fn add(&mut self, index: usize, tried: Tried) -> bool {
        let gives_a_part = tried.marks.is_some_and(|marks| !marks.is_zero());
        if tried.verdict == Verdict::Ac || gives_a_part {
            self.figures = self.figures.max(tried.figures);
        }
        if tried.verdict == Verdict::Ac {
            self.passed = Some(tried);
            return true;
        }
        self.first_failed.get_or_insert(index);
        let is_least = self.failed.as_ref().is_none_or(|(_, least)| {
            least.marks.is_some_and(|least| tried.marks.is_none_or(|marks| marks.is_less_than(least)))
        });
        if is_least {
            self.failed = Some((index, tried));
        }
        gives_a_part
    }
}

/// The members' inputs as values, and their answers.
fn read_members(test: &PackagedTest, model: &InputModel) -> Result<(Vec<Input>, Vec<Vec<u8>>), Stopped> {
    let (mut inputs, mut answers) = (Vec::new(), Vec::new());
    let end = |of: fn(&crate::package::Member) -> u64| test.members.iter().map(of).max().unwrap_or(0);
    let input_bytes = piece(&test.input, 0..end(|member| member.input.end), "input")?;
    let answer_bytes = piece(&test.answer, 0..end(|member| member.answer.end), "answer")?;
    for member in &test.members {
        let part = |bytes: &[u8], range: &std::ops::Range<u64>| -> Vec<u8> {
            bytes.get(range.start as usize..range.end as usize).unwrap_or_default().to_vec()
        };
        inputs.push(of_model(test, model, &part(&input_bytes, &member.input))?);
        answers.push(part(&answer_bytes, &member.answer));
    }
    Ok((inputs, answers))
}
