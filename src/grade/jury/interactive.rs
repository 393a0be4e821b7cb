//! A submission that talks with an interactor, each in a sandbox of its own. The written rule of who is to blame:
//!
//! 1. the interactor refused, crashed or broke its protocol before the submission ended: its word, or a judge error;
//! 2. the submission did nothing until the time was up, and the interactor, which must see the end of its input when
//!    the submission is then stopped, does not end: it never waited for the submission, a judge error;
//! 3. the submission passed a limit, crashed, or let the time pass in which it was its turn: that;
//! 4. the interactor took too much time of its own, or failed: a judge error;
//! 5. else the interactor's word;
//! 6. where that is that all is well, and a checker is to follow: the checker's word on what the interactor wrote.
//!
//! The time that the submission waits for the interactor is not charged to it.

use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::pump::{self, Bounds, Cut, Seat, Side, Talked};
use super::{AfterTalk, Jury, MAX_PASSES, folder, protocol};
use crate::check;
use crate::grade::fault::{self, Fault};
use crate::grade::ruling::{Ruled, never_judges};
use crate::grade::trial::{Bench, Figures, Stopped, Tried};
use crate::sandbox::{self, Ended, LimitHit, Outcome, Sandbox, SandboxError, Spec, Stdin, Talk};
use crate::verdict::Verdict;

/// How long it may be the interactor's turn, in all.
const INTERACTOR_MS: u64 = 10_000;
/// An interactor that used this share of its turns was at work; one that used less waited too.
const AT_WORK: f64 = 0.5;
/// A submission that used less than this share of its CPU time did nothing but wait.
const IDLE: f64 = 0.25;
/// Beyond what the pump allows, before the sandbox itself ends a run.
const SPARE_MS: u64 = 5_000;

impl Bench<'_> {
    /// Lets the submission talk with the interactor, on one input. A Kattis interactor that accepts may ask for another
    /// pass: a fresh run of both, with what it left in `feedback/nextpass.in` as its input. Times and memory are the
    /// largest of a pass.
    pub(crate) fn talk(&mut self, jury: &Jury, input: &[u8], answer: &[u8]) -> Result<Tried, Stopped> {
        let folder = self.jury_folder()?;
        folder.lay_out(input, answer, b"").map_err(folder::unusable)?;
        self.talk_in_passes(jury, &folder, Test { input, answer })
    }

    fn talk_in_passes(
        &mut self,
        jury: &Jury,
        folder: &super::Folder,
        test: Test<'_>,
    ) -> Result<Tried, Stopped> {
        let mut figures = Figures::default();
        for pass in 1..=MAX_PASSES {
            let (mut tried, next) = self.talk_in(jury, folder, test)?;
            figures = figures.max(tried.figures);
            tried.figures = figures;
            if pass > 1 && tried.verdict != Verdict::Ac {
                tried.message = format!("pass {pass}: {}", tried.message);
            }
            match next.filter(|_| tried.verdict == Verdict::Ac) {
                None => return Ok(tried),
                Some(next) => folder.lay_out_again(&next, b"").map_err(folder::unusable)?,
            }
        }
        Err(jury.fault("asks for more passes than there may be"))
    }

    /// One pass, and the input of the next if there is to be one.
    fn talk_in(
        &mut self,
        jury: &Jury,
        folder: &super::Folder,
        test: Test<'_>,
    ) -> Result<(Tried, Option<Vec<u8>>), Stopped> {
        let (talk, submission) = Talk::new()?;
        let (jury_talk, interactor) = Talk::new()?;
        let mut spec = self.program_spec(Stdin::Talk(Arc::new(talk)));
        let mut jury_spec = jury.spec(folder, Stdin::Talk(Arc::new(jury_talk)));
        let bounds = Bounds {
            submission_ms: spec.limits.wall_ms,
            interactor_ms: INTERACTOR_MS,
            bytes: spec.limits.stdout_bytes,
        };
        spec.limits.wall_ms += INTERACTOR_MS + SPARE_MS;
        jury_spec.limits.wall_ms = spec.limits.wall_ms + SPARE_MS;
        let (mut own, mut other) = self.two_sandboxes()?;
        let _permit = self.one_core();
        let ran =
            run_both(&mut own, &mut other, [&spec, &jury_spec], [submission, interactor], &bounds, jury);
        let (outcome, jury_outcome, talked) = match ran {
            Ok(ran) => ran,
            Err(error) => {
                own.discard();
                other.discard();
                return Err(error.into());
            }
        };
        drop(other);
        self.keep_sandbox(own);
        let fault = fault_of(&outcome, &talked, &self.rules);
        let mut next = None;
        let ruled = jury.ruling(&jury_outcome, folder).and_then(|ruled| {
            next = folder.next_pass().map_err(folder::unusable)?;
            match (&next, ruled.checked.verdict) {
                // Points are those of the last pass.
                (Some(_), Verdict::Ac) => Ok(Ruled { marks: None, ..ruled }),
                (Some(_), _) => Err(jury.fault("asks for another pass of what it refuses")),
                (None, _) => self.marked(jury, ruled),
            }
        });
        let is_idle = is_idle(&outcome, &self.rules);
        if let Some(what) = interactors_fault(is_idle, &talked, &jury_outcome) {
            return Err(jury.fault(&what));
        }
        let ruled = match ruled {
            Err(_) if talked.interactor_hung => Err(jury.fault("took too long and did not end")),
            ruled => ruled,
        };
        let gave_points = ruled.as_ref().is_ok_and(|ruled| ruled.marks.is_some());
        let mut tried = decide(&outcome, fault, &talked, ruled)?;
        if tried.verdict == Verdict::Ac
            && !gave_points
            && let Some(ruled) = self.after_talk(jury, folder, test)?
        {
            tried = Tried::of_ruled(&outcome, ruled);
        }
        if tried.verdict != Verdict::Ac {
            tried.transcript = talked.transcript;
        }
        Ok((tried, next))
    }
}

/// What a talk is about.
#[derive(Clone, Copy)]
struct Test<'a> {
    input: &'a [u8],
    answer: &'a [u8],
}

impl Bench<'_> {
    /// What the checker that follows an interactor says of the output that it wrote; `None` where none follows.
    fn after_talk(
        &mut self,
        jury: &Jury,
        folder: &super::Folder,
        test: Test<'_>,
    ) -> Result<Option<Ruled>, Stopped> {
        let Some(then) = &jury.then else { return Ok(None) };
        let written = folder.written().map_err(folder::unusable)?;
        let written = written.ok_or_else(|| jury.fault("left no file of output for the checker"))?;
        match then {
            AfterTalk::BuiltIn(checker) => never_judges(check::check_bytes(checker, test.answer, &written)),
            AfterTalk::Program(checker) => self.ask_checker(checker, test.input, test.answer, &written),
        }
        .map(Some)
    }
}

/// Runs both at once and carries between them.
fn run_both(
    own: &mut Sandbox,
    other: &mut Sandbox,
    [spec, jury_spec]: [&Spec; 2],
    [submission, interactor]: [sandbox::Partner; 2],
    bounds: &Bounds,
    jury: &Jury,
) -> Result<(Outcome, Outcome, Talked), SandboxError> {
    let (over, over_end) = over_pipe()?;
    let (jury_over, jury_over_end) = over_pipe()?;
    let jury_ended: Mutex<Option<Ended>> = Mutex::new(None);
    let keep_submission = || {
        let ended = *jury_ended.lock().unwrap_or_else(PoisonError::into_inner);
        ended.is_some_and(|ended| protocol::accepts(jury.choice.protocol, ended))
    };
    thread::scope(|scope| {
        let running = scope.spawn(|| {
            let outcome = own.run(spec);
            drop(over_end);
            outcome
        });
        let jury_running = scope.spawn(|| {
            let outcome = other.run(jury_spec);
            *jury_ended.lock().unwrap_or_else(PoisonError::into_inner) =
                outcome.as_ref().ok().map(|it| it.ended);
            drop(jury_over_end);
            outcome
        });
        let seats =
            (Seat { partner: submission, over: &over }, Seat { partner: interactor, over: &jury_over });
        let talked = pump::carry(seats.0, seats.1, bounds, &sandbox::now_ms, &keep_submission);
        let lost = || SandboxError::Lost { what: "two programs talked" };
        let outcome = running.join().map_err(|_| lost())?;
        let jury_outcome = jury_running.join().map_err(|_| lost())?;
        Ok((outcome?, jury_outcome?, talked?))
    })
}

/// A pipe whose end, when it is dropped, is seen at its start.
fn over_pipe() -> Result<(OwnedFd, OwnedFd), SandboxError> {
    nix::unistd::pipe2(nix::fcntl::OFlag::O_CLOEXEC).map_err(SandboxError::system("make a pipe"))
}

/// What the submission did wrong by itself.
fn fault_of(outcome: &Outcome, talked: &Talked, rules: &fault::Rules<'_>) -> Option<Fault> {
    let tle = |message: String| Some(Fault { verdict: Verdict::Tle, message });
    match talked.cut {
        Some(Cut::Flood(Side::Submission)) => {
            Some(Fault { verdict: Verdict::Ole, message: fault::flooded() })
        }
        Some(Cut::Waited(_)) if outcome.limit_hit == Some(LimitHit::Cpu) => fault::of_outcome(outcome, rules),
        Some(Cut::Waited(_)) => {
            let waited = fault::slept(outcome.cpu_ms, outcome.wall_ms);
            // Who computes does not wait for an answer.
            if !is_idle(outcome, rules) || talked.interactor_hung {
                return tle(waited);
            }
            let hint = if talked.submission_spoke {
                "the interactor waits too, for more: is each line ended, and the output flushed?"
            } else {
                "the interactor waits too, and has heard nothing: was the output flushed?"
            };
            tle(format!("{waited}; {hint}"))
        }
        // Whoever was drowned before it could answer has no fault of its own.
        Some(Cut::Flood(Side::Interactor)) => None,
        None if talked.was_refused && was_killed(outcome) => None,
        None => fault::of_outcome(outcome, rules),
    }
}

/// Whether it was killed though it passed no limit.
fn was_killed(outcome: &Outcome) -> bool {
    outcome.limit_hit.is_none() && outcome.ended == Ended::Signal(libc::SIGKILL)
}

fn is_idle(outcome: &Outcome, rules: &fault::Rules<'_>) -> bool {
    outcome.cpu_ms < IDLE * rules.limits.time.ms() as f64
}

/// What the interactor did wrong that makes whatever became of the submission its fault, in words that go on after its
/// name.
fn interactors_fault(submission_is_idle: bool, talked: &Talked, jury_outcome: &Outcome) -> Option<String> {
    let cpu_ms = jury_outcome.cpu_ms;
    match talked.cut? {
        Cut::Flood(Side::Interactor) => Some("wrote too much".to_owned()),
        Cut::Waited(Side::Interactor) if cpu_ms >= AT_WORK * INTERACTOR_MS as f64 => {
            Some(format!("took {:.1} s of CPU time", cpu_ms / 1000.0))
        }
        Cut::Waited(_) if talked.interactor_hung && submission_is_idle => Some(format!(
            "did not wait for the submission and did not end when that was stopped: it used {:.1} s of CPU in {:.1} s of \
             wall time while the submission waited",
            cpu_ms / 1000.0,
            jury_outcome.wall_ms / 1000.0
        )),
        _ => None,
    }
}

/// Who is to blame, by the rest of the rule above.
fn decide(
    outcome: &Outcome,
    fault: Option<Fault>,
    talked: &Talked,
    ruled: Result<Ruled, Stopped>,
) -> Result<Tried, Stopped> {
    let said = |ruled: Ruled| Tried::of_ruled(outcome, ruled);
    let interactor_ended_first = talked.first == Side::Interactor && talked.cut.is_none();
    match (ruled, fault) {
        (Ok(ruled), _) if interactor_ended_first && ruled.checked.verdict != Verdict::Ac => Ok(said(ruled)),
        (Err(stopped), _) if interactor_ended_first => Err(stopped),
        (_, Some(fault)) => Ok(Tried::of_own_fault(outcome, fault)),
        (ruled, None) => ruled.map(said),
    }
}
