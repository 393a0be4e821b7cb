//! Sandboxes for programs of a problem's own: one for each thread that asks at the same time, used again. Knows no
//! program.

use std::sync::{Mutex, PoisonError};

use super::Runner;
use crate::sandbox::{Config, Outcome, Sandbox, SandboxError, Spec};

/// Sandboxes that are started when they are first needed.
pub(crate) struct Pool {
    config: Config,
    idle: Mutex<Vec<Sandbox>>,
}

impl Pool {
    /// A pool as `runner` wants its sandboxes. Nothing is started yet.
    pub(crate) fn new(runner: &Runner) -> Self {
        let config = Config {
            launcher: runner.launcher.clone(),
            isolation: runner.isolation,
            accounting: runner.accounting,
            // These programs are the problem's own.
            hidden: Vec::new(),
        };
        Self { config, idle: Mutex::new(Vec::new()) }
    }

    /// Runs once.
    ///
    /// # Errors
    /// When a sandbox cannot be started or fails; it is not used again then.
    pub(crate) fn run(&self, spec: &Spec) -> Result<Outcome, SandboxError> {
        let mut sandbox = self.take()?;
        let outcome = sandbox.run(spec)?;
        self.give_back(sandbox);
        Ok(outcome)
    }

    /// A sandbox for whoever needs it longer, to be given back.
    ///
    /// # Errors
    /// When one has to be started and cannot be.
    pub(crate) fn take(&self) -> Result<Sandbox, SandboxError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(sandbox) => Ok(sandbox),
            None => Sandbox::start(&self.config),
        }
    }

    pub(crate) fn give_back(&self, sandbox: Sandbox) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(sandbox);
    }
}
