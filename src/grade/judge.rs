//! What all gradings of one process share: the sandboxes, the cores, the toolchains. Never knows a submission.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

use crate::grade::schedule::Cores;
use crate::lang::Toolchains;
use crate::sandbox::{Config, Isolation, Sandbox, SandboxError};

/// Sandboxes are started when they are first needed and used again for whoever comes next.
pub struct Judge {
    config: Config,
    toolchains: Toolchains,
    cores: Cores,
    idle: Mutex<Vec<Sandbox>>,
}

/// A sandbox on loan. It goes back when dropped, unless it failed.
pub struct Lent<'a> {
    judge: &'a Judge,
    sandbox: Option<Sandbox>,
}

impl Judge {
    /// A judge that measures at most `cores` runs at once. Nothing is started yet.
    pub fn new(config: Config, toolchains: Toolchains, cores: usize) -> Self {
        Self { config, toolchains, cores: Cores::new(cores), idle: Mutex::new(Vec::new()) }
    }

    /// The compilers and interpreters of this machine.
    pub fn toolchains(&self) -> &Toolchains {
        &self.toolchains
    }

    /// The cores that measured runs share.
    pub fn cores(&self) -> &Cores {
        &self.cores
    }

    /// A sandbox that nobody else uses meanwhile.
    ///
    /// # Errors
    /// When one has to be started and cannot be.
    pub fn sandbox(&self) -> Result<Lent<'_>, SandboxError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let sandbox = match idle {
            Some(sandbox) => sandbox,
            None => Sandbox::start(&self.config)?,
        };
        Ok(Lent { judge: self, sandbox: Some(sandbox) })
    }

    /// What isolation runs get.
    ///
    /// # Errors
    /// When a sandbox has to be started to know, and cannot be.
    pub fn isolation(&self) -> Result<Isolation, SandboxError> {
        Ok(self.sandbox()?.isolation().clone())
    }
}

impl Lent<'_> {
    /// The sandbox failed and is not to be used again.
    pub fn discard(mut self) {
        self.sandbox = None;
    }
}

/// A sandbox is there until the loan ends.
const LENT: &str = "a sandbox on loan is there until it is given back";

impl Deref for Lent<'_> {
    type Target = Sandbox;

    fn deref(&self) -> &Sandbox {
        self.sandbox.as_ref().expect(LENT)
    }
}

impl DerefMut for Lent<'_> {
    fn deref_mut(&mut self) -> &mut Sandbox {
        self.sandbox.as_mut().expect(LENT)
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        if let Some(sandbox) = self.sandbox.take() {
            self.judge.idle.lock().unwrap_or_else(PoisonError::into_inner).push(sandbox);
        }
    }
}
