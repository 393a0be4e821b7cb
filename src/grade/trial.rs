//! One run of a submission: started, measured (again and alone when it came near a limit), and its output compared.
//! Nothing that goes wrong on the judge's side is ever held against the submission.

use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::path::Path;

use crate::check::Checker;
use crate::grade::fault::{self, Fault, Rules};
use crate::grade::judge::{Judge, Lent};
use crate::grade::jury::{Jury, Protocol, Role};
use crate::grade::ruling::Ruled;
use crate::grade::schedule::Permit;
use crate::grade::test_set::TestSet;
use crate::grade::{Job, TestReport, difference, excerpt};
use crate::input::Input;
use crate::lang::Program;
use crate::package::{Member, PackagedTest};
use crate::problem::{Function, InputModel};
use crate::sandbox::{Ended, LimitHit, Outcome, SandboxError, Spec, Stdin};
use crate::score::{Marks, Worth};
use crate::verdict::Verdict;

/// A run that used this share of its time limit is measured again, alone.
const NEAR: f64 = 0.8;

/// The judge could not do its job; the text says what failed.
#[derive(Debug)]
pub(crate) struct JudgeFault(pub(crate) String);

/// A worker's place: the program under test and a sandbox to run it in.
pub(crate) struct Bench<'a> {
    judge: &'a Judge,
    pub(crate) program: &'a Program,
    pub(crate) function: Option<(&'a Function, &'a InputModel)>,
    pub(crate) model: Option<&'a InputModel>,
    pub(crate) checker: &'a Checker,
    /// The jury's own program, which then stands for the checker.
    pub(crate) jury: Option<&'a Jury>,
    pub(crate) rules: Rules<'a>,
    pub(crate) all_members: bool,
    /// Whether one measurement is enough: no verdict of such a bench is told to whoever wrote the program.
    pub(crate) is_hasty: bool,
    tests: &'a TestSet,
    is_scored: bool,
    /// What the test that is being run gives at most, where that is known.
    pub(crate) worth: Option<Worth>,
    sandbox: Option<Lent<'a>>,
    nonces: RandomState,
    nonces_drawn: u64,
}

/// Says whether the output of a run is right.
pub(crate) type Check<'c, 'a> = dyn Fn(&mut Bench<'a>, &[u8]) -> Result<Ruled, Stopped> + 'c;

/// What came of one input.
#[derive(Clone, Debug)]
pub struct Tried {
    /// `AC` or what failed; never `JE`.
    pub verdict: Verdict,
    /// What is wrong; empty when accepted.
    pub message: String,
    /// What a checker that gives parts gave, when that was not all.
    pub marks: Option<Marks>,
    /// What the run or the call used.
    pub figures: Figures,
    /// Exit status, when the program exited.
    pub exit_code: Option<i32>,
    /// The number of the signal that ended it.
    pub signal: Option<i32>,
    /// The last lines on standard error, escaped; empty when accepted.
    pub stderr: String,
    /// The output, or the answer that the function returned; empty when accepted.
    pub answer: Vec<u8>,
    /// What the submission and the interactor said; empty when accepted, or where there is no interactor.
    pub transcript: String,
}

/// What a run, or the costliest of several, used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// CPU time of all its processes.
    pub cpu_ms: f64,
    /// Time on the wall.
    pub wall_ms: f64,
    /// Peak memory.
    pub memory_bytes: u64,
}

impl Figures {
    pub(crate) fn of(outcome: &Outcome) -> Self {
        Self { cpu_ms: outcome.cpu_ms, wall_ms: outcome.wall_ms, memory_bytes: outcome.memory_bytes }
    }

    /// The larger of each.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            cpu_ms: self.cpu_ms.max(other.cpu_ms),
            wall_ms: self.wall_ms.max(other.wall_ms),
            memory_bytes: self.memory_bytes.max(other.memory_bytes),
        }
    }
}

impl Tried {
    pub(crate) fn new(outcome: &Outcome, figures: Figures, verdict: Verdict, message: String) -> Self {
        let (exit_code, signal) = match outcome.ended {
            Ended::Exit(code) => (Some(code), None),
            Ended::Signal(number) => (None, Some(number)),
        };
        let stderr =
            if verdict == Verdict::Ac { String::new() } else { excerpt::last_lines(&outcome.stderr) };
        let message = if verdict == Verdict::Ac { String::new() } else { message };
        let (answer, transcript) = (Vec::new(), String::new());
        Self { verdict, message, marks: None, figures, exit_code, signal, stderr, answer, transcript }
    }

    pub(crate) fn of_fault(outcome: &Outcome, figures: Figures, fault: Fault) -> Self {
        Self::new(outcome, figures, fault.verdict, fault.message)
    }

    /// Of a run with a fault of its own.
    pub(crate) fn of_own_fault(outcome: &Outcome, fault: Fault) -> Self {
        Self::of_fault(outcome, Figures::of(outcome), fault)
    }

    /// Of a run that somebody else has ruled on.
    pub(crate) fn of_ruled(outcome: &Outcome, ruled: Ruled) -> Self {
        let Ruled { checked, marks } = ruled;
        let tried = Self::new(outcome, Figures::of(outcome), checked.verdict, checked.message);
        Self { marks: marks.filter(|_| tried.verdict != Verdict::Ac), ..tried }
    }
}

impl<'a> Bench<'a> {
    /// A place to try `program` at. A sandbox is taken when it is first needed.
    pub(crate) fn new(
        job: &Job<'a>,
        program: &'a Program,
        function: Option<(&'a Function, &'a InputModel)>,
        rules: Rules<'a>,
    ) -> Self {
        Self {
            judge: job.judge,
            program,
            function,
            model: job.problem.map(|problem| &problem.model),
            checker: job.checker,
            jury: job.jury,
            rules,
            all_members: job.all,
            is_hasty: false,
            tests: job.tests,
            is_scored: job.problem.is_some_and(|problem| !problem.subtasks.is_empty()),
            worth: None,
            sandbox: None,
            nonces: RandomState::new(),
            nonces_drawn: 0,
        }
    }

    /// Runs one test, whatever it takes, and gives its row.
    pub(crate) fn run(&mut self, test: &PackagedTest) -> Result<TestReport, SandboxError> {
        self.worth = self.tests.worth(test.group.as_deref());
        let tried = match self.function {
            _ if test.pack => self.pack(test),
            Some((function, model)) => self.single_call(test, function, model),
            None => self.single(test),
        };
        match tried {
            Ok(row) => Ok(row),
            Err(Stopped::Interrupted) => Err(SandboxError::Interrupted),
            Err(Stopped::Judge(JudgeFault(message))) => Ok(without_a_run(test, Verdict::Je, &message)),
            Err(Stopped::Unstartable(message)) => Ok(without_a_run(test, Verdict::Rte, &message)),
        }
    }

    fn single(&mut self, test: &PackagedTest) -> Result<TestReport, Stopped> {
        let member = member(test, 0)?;
        let tried = self.on_stdin(test, member)?;
        let figures = tried.figures;
        self.row(test, member, tried, figures)
    }

    fn single_call(
        &mut self,
        test: &PackagedTest,
        function: &Function,
        model: &InputModel,
    ) -> Result<TestReport, Stopped> {
        let member = member(test, 0)?;
        let input = read_input(test, member, model)?;
        let answer = piece(&test.answer, member.answer.clone(), "answer")?;
        let mut calls = self.calls(&[&input], function, model)?;
        let tried = self.called(&mut calls, 0, &input, &answer)?;
        let figures = tried.figures;
        self.row(test, member, tried, figures)
    }

    /// A whole program on one input of a test.
    pub(crate) fn on_stdin(&mut self, test: &PackagedTest, member: &Member) -> Result<Tried, Stopped> {
        let range = &member.input;
        if let Some(jury) = self.jury.filter(|jury| jury.role() == Role::Interactor) {
            let input = piece(&test.input, range.clone(), "input")?;
            let answer = piece(&test.answer, member.answer.clone(), "answer")?;
            return self.talk(jury, &input, &answer);
        }
        if let Some(jury) = self.jury.filter(|jury| jury.choice().protocol == Protocol::Kattis) {
            let input = piece(&test.input, range.clone(), "input")?;
            let answer = piece(&test.answer, member.answer.clone(), "answer")?;
            return self.passes(jury, &input, &answer);
        }
        let stdin = Stdin::File {
            path: test.input.clone(),
            offset: range.start,
            len: range.end.saturating_sub(range.start),
        };
        let check = |bench: &mut Self, output: &[u8]| bench.checked(test, member, output);
        self.whole_program(stdin, &check)
    }

    /// A whole program on one input; `check` says whether its output is right.
    pub(crate) fn whole_program(&mut self, stdin: Stdin, check: &Check<'_, 'a>) -> Result<Tried, Stopped> {
        let spec = self.program.spec(stdin, None, &self.rules.limits);
        let outcome = self.measured(&spec)?;
        let figures = Figures::of(&outcome);
        if let Some(fault) = fault::of_outcome(&outcome, &self.rules) {
            return Ok(Tried::of_fault(&outcome, figures, fault));
        }
        let ruled = check(self, &outcome.stdout)?;
        let mut tried = Tried::of_ruled(&outcome, ruled);
        if tried.verdict != Verdict::Ac {
            tried.answer = outcome.stdout;
        }
        Ok(tried)
    }

    /// Whether tests give points here, so that a checker may give a part of them.
    pub(crate) fn has_scores(&self) -> bool {
        self.tests.has_scores() || self.is_scored
    }

    /// Hard to guess for a submission, as the keys of the standard library's hash maps are.
    pub(crate) fn nonce(&mut self) -> u64 {
        self.nonces_drawn += 1;
        self.nonces.hash_one(self.nonces_drawn)
    }

    /// The program on this standard input, under the limits in force.
    pub(crate) fn program_spec(&self, stdin: Stdin) -> Spec {
        self.program.spec(stdin, None, &self.rules.limits)
    }

    /// The worker's own sandbox, which stays.
    pub(crate) fn own_sandbox(&mut self) -> Result<&Lent<'a>, Stopped> {
        let own = self.take_sandbox()?;
        Ok(self.sandbox.insert(own))
    }

    /// The worker's own sandbox, to be kept again or discarded.
    fn take_sandbox(&mut self) -> Result<Lent<'a>, Stopped> {
        match self.sandbox.take() {
            Some(sandbox) => Ok(sandbox),
            None => Ok(self.judge.sandbox()?),
        }
    }

    /// The worker's own sandbox, and another for whoever talks with the submission.
    pub(crate) fn two_sandboxes(&mut self) -> Result<(Lent<'a>, Lent<'a>), Stopped> {
        Ok((self.take_sandbox()?, self.judge.sandbox()?))
    }

    pub(crate) fn keep_sandbox(&mut self, sandbox: Lent<'a>) {
        self.sandbox = Some(sandbox);
    }

    /// A core to measure on.
    pub(crate) fn one_core(&self) -> Permit<'a> {
        self.judge.cores().one()
    }

    /// Runs with a core for itself, and once more with the machine for itself when the first time came near a limit
    /// in company: what another run costs its neighbour must never decide. The smaller figure counts.
    pub(crate) fn measured(&mut self, spec: &Spec) -> Result<Outcome, Stopped> {
        let cores = self.judge.cores();
        let permit = cores.one();
        let first = self.sandbox_run(spec)?;
        let is_final = self.is_hasty || permit.was_alone() || !is_near(&first, spec);
        drop(permit);
        if is_final {
            return Ok(first);
        }
        let _permit = cores.all();
        let second = self.sandbox_run(spec)?;
        Ok(if time_needed(&second) <= time_needed(&first) { second } else { first })
    }

    pub(crate) fn sandbox_run(&mut self, spec: &Spec) -> Result<Outcome, Stopped> {
        let mut sandbox = self.take_sandbox()?;
        match sandbox.run(spec) {
            Ok(outcome) => {
                self.sandbox = Some(sandbox);
                Ok(outcome)
            }
            Err(error) => {
                // Whatever state it is in, a fresh one is cheap.
                sandbox.discard();
                match error {
                    SandboxError::Execute { program, cause } if self.is_unstartable(&program) => {
                        Err(Stopped::Unstartable(format!("the compiled program cannot be started: {cause}")))
                    }
                    error => Err(error.into()),
                }
            }
        }
    }

    /// Whether it can only be the submission's own doing that `program` did not start: a source may have the linker ask for
    /// an interpreter that there is none of, say.
    fn is_unstartable(&self, program: &Path) -> bool {
        use nix::sys::statvfs::{FsFlags, statvfs};
        self.program.made(program)
            && statvfs(program).is_ok_and(|found| !found.flags().contains(FsFlags::ST_NOEXEC))
    }

    /// The row of a test of which `tried`, on `member`, says the verdict.
    pub(crate) fn row(
        &self,
        test: &PackagedTest,
        member: &Member,
        tried: Tried,
        figures: Figures,
    ) -> Result<TestReport, Stopped> {
        let mut row = TestReport {
            name: test.name.clone(),
            group: test.group.clone(),
            verdict: Some(tried.verdict),
            cpu_ms: Some(rounded(figures.cpu_ms)),
            wall_ms: Some(rounded(figures.wall_ms)),
            memory_bytes: Some(figures.memory_bytes),
            exit_code: tried.exit_code,
            signal: tried.signal,
            marks: tried.marks,
            message: excerpt::shorten(&tried.message, excerpt::MESSAGE_BYTES),
            failing_input: None,
            failing_member: None,
            outputs: None,
            stderr: tried.stderr,
            transcript: tried.transcript,
        };
        if tried.verdict != Verdict::Ac {
            let limit = if test.pack { excerpt::MEMBER_BYTES } else { excerpt::INPUT_BYTES };
            let input = excerpt::of_file(&test.input, &member.input, limit);
            row.failing_member = test.members.iter().position(|known| known == member);
            row.failing_input = Some(input.map_err(|error| unreadable("input", &test.input, &error))?);
        }
        // What another program compares by is not known here, and a diff would mislead.
        if tried.verdict == Verdict::Wa && self.jury.is_none() {
            let outputs = difference::outputs(self.checker, &test.answer, &member.answer, &tried.answer);
            row.outputs = Some(outputs.map_err(|error| unreadable("answer", &test.answer, &error))?);
        }
        Ok(row)
    }
}

/// Why a test could not be finished.
#[derive(Debug)]
pub(crate) enum Stopped {
    Interrupted,
    Judge(JudgeFault),
    /// The submission's program is none that the system can start.
    Unstartable(String),
}

impl From<SandboxError> for Stopped {
    fn from(error: SandboxError) -> Self {
        match error {
            SandboxError::Interrupted => Self::Interrupted,
            other => Self::Judge(JudgeFault(other.to_string())),
        }
    }
}

pub(crate) fn unreadable(what: &str, path: &Path, error: &io::Error) -> Stopped {
    Stopped::Judge(JudgeFault(format!("cannot read the {what} `{}`: {error}", path.display())))
}

pub(crate) fn piece(path: &Path, range: std::ops::Range<u64>, what: &str) -> Result<Vec<u8>, Stopped> {
    excerpt::piece(path, range).map_err(|error| unreadable(what, path, &error))
}

/// The input of a test as values.
pub(crate) fn read_input(test: &PackagedTest, member: &Member, model: &InputModel) -> Result<Input, Stopped> {
    let text = piece(&test.input, member.input.clone(), "input")?;
    of_model(test, model, &text)
}

pub(crate) fn of_model(test: &PackagedTest, model: &InputModel, text: &[u8]) -> Result<Input, Stopped> {
    crate::input::validate(model, text).map_err(|violation| {
        let path = test.input.display();
        Stopped::Judge(JudgeFault(format!(
            "`{path}` is no input of this problem: {violation}; generate it again"
        )))
    })
}

pub(crate) fn member(test: &PackagedTest, index: usize) -> Result<&Member, Stopped> {
    test.members
        .get(index)
        .ok_or_else(|| Stopped::Judge(JudgeFault(format!("the package says of no input in `{}`", test.name))))
}

fn without_a_run(test: &PackagedTest, verdict: Verdict, message: &str) -> TestReport {
    TestReport {
        name: test.name.clone(),
        group: test.group.clone(),
        verdict: Some(verdict),
        message: excerpt::shorten(message, excerpt::MESSAGE_BYTES),
        ..TestReport::default()
    }
}

fn is_near(outcome: &Outcome, spec: &Spec) -> bool {
    let near = |used: f64, limit: u64| used >= NEAR * limit as f64;
    let (cpu_limit, wall_limit) = (spec.limits.cpu_ms, spec.limits.wall_ms);
    let by_the_clock = matches!(outcome.limit_hit, Some(LimitHit::Cpu | LimitHit::Wall));
    by_the_clock
        || if spec.calls.is_some() {
            outcome.calls.iter().any(|call| near(call.cpu_ms, cpu_limit) || near(call.wall_ms, wall_limit))
        } else {
            near(outcome.cpu_ms, cpu_limit) || near(outcome.wall_ms, wall_limit)
        }
}

/// Orders outcomes of the same run: one that kept within the time before one that did not, then by CPU time.
fn time_needed(outcome: &Outcome) -> (bool, f64) {
    (matches!(outcome.limit_hit, Some(LimitHit::Cpu | LimitHit::Wall)), outcome.cpu_ms)
}

/// To a tenth of a millisecond: more digits would only be noise.
fn rounded(ms: f64) -> f64 {
    (ms * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(limit_hit: Option<LimitHit>, cpu_ms: f64, wall_ms: f64) -> Outcome {
        Outcome {
            ended: Ended::Signal(9),
            limit_hit,
            cpu_ms,
            wall_ms,
            memory_bytes: 0,
            stdout: Vec::new(),
            stderr: Vec::new(),
            calls: Vec::new(),
        }
    }

    #[test]
    fn the_run_that_kept_within_the_time_counts() {
        let late = outcome(Some(LimitHit::Cpu), 900.0, 1000.0);
        let slower_but_within = outcome(None, 990.0, 1000.0);
        assert!(time_needed(&slower_but_within) < time_needed(&late));
        assert!(time_needed(&outcome(None, 10.0, 10.0)) < time_needed(&slower_but_within));
    }
}
