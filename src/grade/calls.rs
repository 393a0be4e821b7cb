//! Function mode: several calls of the submission's function in one process, and what came of each. Never compares an
//! answer itself.

use crate::grade::fault::{self, Fault, Rules};
use crate::grade::ruling::Ruled;
use crate::grade::trial::{Bench, Figures, Stopped, Tried};
use crate::input::Input;
use crate::lang::function;
use crate::problem::{Function, InputModel};
use crate::sandbox::{LimitHit, Outcome, Stdin};
use crate::verdict::Verdict;

/// The replies of one process to several calls.
pub(crate) struct Calls<'f> {
    outcome: Outcome,
    wall_limit_ms: u64,
    nonces: Vec<u64>,
    function: &'f Function,
}

impl Calls<'_> {
    /// What the call at `index` returned, as an answer's text. The last call also answers for how the process ended.
    ///
    /// # Errors
    /// What came of it instead.
    fn returned(&self, index: usize, rules: &Rules<'_>) -> Result<String, Box<Tried>> {
        let (outcome, figures) = (&self.outcome, self.figures(index));
        let Some(line) = outcome.calls.get(index).and_then(|call| call.reply.as_deref()) else {
            return Err(Box::new(Tried::of_fault(outcome, figures, unanswered(outcome, figures, rules))));
        };
        if index + 1 == self.nonces.len()
            && let Some(fault) = fault::of_outcome(outcome, rules)
        {
            return Err(Box::new(Tried::of_fault(outcome, figures, fault)));
        }
        function::reply(line, self.nonces[index], &self.function.returns)
            .map_err(|fault| Box::new(Tried::new(outcome, figures, Verdict::Wa, fault.to_string())))
    }

    /// Whether the call at `index` came back.
    pub(crate) fn is_answered(&self, index: usize) -> bool {
        self.outcome.calls.get(index).is_some_and(|call| call.reply.is_some())
    }

    /// Whether the process was stopped for what all calls together took, and not for what one did.
    pub(crate) fn are_overdrawn(&self) -> bool {
        let last = self.outcome.calls.last();
        let is_within = last.is_none_or(|call| call.wall_ms < self.wall_limit_ms());
        self.outcome.limit_hit == Some(LimitHit::Wall) && is_within
    }

    /// How long the process took in all.
    pub(crate) fn wall_ms(&self) -> f64 {
        self.outcome.wall_ms
    }

    /// How long one call may take.
    pub(crate) fn wall_limit_ms(&self) -> f64 {
        self.wall_limit_ms as f64
    }

    /// The call at `index` is the last, as all together took so long.
    pub(crate) fn overdrawn(&self, index: usize, wall_ms: f64) -> Tried {
        let message = format!(
            "the calls of this test together took {:.0} s of wall time, which is too long",
            wall_ms / 1000.0
        );
        let fault = Fault { verdict: Verdict::Tle, message };
        Tried::of_fault(&self.outcome, self.figures(index), fault)
    }

    /// What came of the call at `index`, which returned `text`.
    fn tried(&self, index: usize, ruled: Ruled, text: String) -> Tried {
        let mut tried = Tried::of_ruled(&self.outcome, ruled);
        tried.figures = self.figures(index);
        if tried.verdict != Verdict::Ac {
            tried.answer = text.into_bytes();
        }
        tried
    }

    fn figures(&self, index: usize) -> Figures {
        let outcome = &self.outcome;
        outcome.calls.get(index).map_or_else(
            || Figures::of(outcome),
            |call| Figures { cpu_ms: call.cpu_ms, wall_ms: call.wall_ms, memory_bytes: outcome.memory_bytes },
        )
    }
}

impl Bench<'_> {
    /// Calls the function once for each input, all in one process.
    pub(crate) fn calls<'f>(
        &mut self,
        inputs: &[&Input],
        function: &'f Function,
        model: &InputModel,
    ) -> Result<Calls<'f>, Stopped> {
        let nonces: Vec<u64> = inputs.iter().map(|_| self.nonce()).collect();
        let requests = inputs
            .iter()
            .zip(&nonces)
            .map(|(input, nonce)| function::request(model, input, *nonce))
            .collect();
        let spec = self.program.spec(Stdin::Empty, Some(requests), &self.rules.limits);
        Ok(Calls { outcome: self.measured(&spec)?, wall_limit_ms: spec.limits.wall_ms, nonces, function })
    }

    /// What came of the call at `index`, which was for `input` with the right answer `answer`.
    pub(crate) fn called(
        &mut self,
        calls: &mut Calls<'_>,
        index: usize,
        input: &Input,
        answer: &[u8],
    ) -> Result<Tried, Stopped> {
        match calls.returned(index, &self.rules) {
            Err(_) if calls.are_overdrawn() && !calls.is_answered(index) => {
                Ok(calls.overdrawn(index, calls.wall_ms()))
            }
            Err(tried) => Ok(*tried),
            Ok(text) => {
                let ruled = self.check_answer(input, answer, text.as_bytes())?;
                Ok(calls.tried(index, ruled, text))
            }
        }
    }
}

/// Why a call has no reply.
fn unanswered(outcome: &Outcome, figures: Figures, rules: &Rules<'_>) -> Fault {
    if outcome.limit_hit == Some(LimitHit::Wall) {
        return Fault { verdict: Verdict::Tle, message: fault::slept(figures.cpu_ms, figures.wall_ms) };
    }
    fault::of_outcome(outcome, rules).unwrap_or_else(|| Fault {
        verdict: Verdict::Rte,
        message: "the program ended (exit status 0) before it answered".to_owned(),
    })
}
