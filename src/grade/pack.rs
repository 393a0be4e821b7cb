//! A test of many small inputs: as many calls of one process in function mode, one process for each in stdin mode.
//! One row comes of it; its verdict is that of the first input that fails.

use crate::grade::TestReport;
use crate::grade::trial::{Bench, Figures, JudgeFault, Stopped, Tried, member, of_model, piece};
use crate::input::Input;
use crate::package::PackagedTest;
use crate::problem::{Function, InputModel};
use crate::verdict::Verdict;

/// How many members of a pack a whole program is run on, unless all are asked for. The package puts those first that
/// find the most faults.
const STDIN_MEMBERS: usize = 20;
/// All calls of a pack together, in however many processes, may take so many times what one may take on the wall: a
/// program that needs a new process for each call and takes its time in it would hold the judge for hours.
const MOST_TIMES_ONE: f64 = 60.0;

/// What is known of a pack so far.
struct Progress {
    /// The largest over the members that passed, wholly or in part.
    figures: Figures,
    /// The member that failed, with what came of it.
    failed: Option<(usize, Tried)>,
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
                let count =
                    if self.all_members { test.members.len() } else { STDIN_MEMBERS.min(test.members.len()) };
                (self.pack_on_stdin(test, count)?, count)
            }
        };
        let Progress { mut figures, failed, passed, remark } = progress;
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
        let (mut progress, mut spent_ms, mut next) = (Progress::new(), 0.0, 0);
        // A fault that comes only after other calls is the fault of what those left behind. LeetCode's own judge may or may
        // not notice; here a call that fails is made again in a new process, and those after it go on in one more.
        while next < all.len() {
            let first = next;
            let mut calls = self.calls(&all[first..], function, model)?;
            spent_ms += calls.wall_ms();
            let failed = loop {
                let tried = self.called(&mut calls, next - first, &inputs[next], &answers[next])?;
                if tried.verdict != Verdict::Ac {
                    break tried;
                }
                progress.add(next, tried);
                next += 1;
                if next == all.len() {
                    return Ok(progress);
                }
            };
            let is_late = failed.verdict == Verdict::Tle && (self.is_hasty || calls.are_overdrawn());
            let had_company = next > first && !is_late;
            let tried = if spent_ms > calls.wall_limit_ms() * MOST_TIMES_ONE {
                calls.overdrawn(next - first, spent_ms)
            } else if had_company {
                let mut alone = self.calls(&all[next..=next], function, model)?;
                spent_ms += alone.wall_ms();
                self.called(&mut alone, 0, &inputs[next], &answers[next])?
            } else {
                failed
            };
            if had_company && tried.verdict == Verdict::Ac {
                progress.remark.get_or_insert_with(|| state_kept(next, all.len()));
            }
            if !progress.add(next, tried) {
                break;
            }
            next += 1;
        }
        Ok(progress)
    }
}

fn state_kept(index: usize, count: usize) -> String {
    format!(
        "state kept between calls: input {} of {count} fails after the others and passes in a new process",
        index + 1
    )
}

impl Progress {
    fn new() -> Self {
        Self { figures: Figures::default(), failed: None, passed: None, remark: None }
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
