//! A progress bar on standard error while grading, on a terminal only. Writes nothing else, and nothing anywhere else.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::grade::Event;

/// Tests done, of all there are.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    /// Steps of one submission.
    tests: u64,
}

/// How often the bar moves by itself, so that a long test is seen to be alive.
const TICK: Duration = Duration::from_millis(150);

impl Progress {
    /// A bar over `submissions` times `tests`; invisible unless `on_terminal`.
    pub fn new(submissions: usize, tests: usize, on_terminal: bool) -> Self {
        let target = if on_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(submissions as u64 * tests as u64), target);
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        if on_terminal {
            bar.enable_steady_tick(TICK);
        }
        Self { bar, tests: tests as u64 }
    }

    /// A bar that also says how long it will take at the pace so far: for work of many minutes.
    pub fn with_time_left(steps: usize, on_terminal: bool) -> Self {
        let progress = Self::new(steps, 1, on_terminal);
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len}, {eta} left  {wide_msg}");
        progress.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        progress
    }

    /// A line without a bar, for work of unknown length.
    pub fn searching(on_terminal: bool) -> Self {
        let progress = Self::new(0, 0, on_terminal);
        let style = ProgressStyle::with_template("{spinner} {wide_msg}");
        progress.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        progress
    }

    /// Shows what happens.
    pub fn observe(&self, event: &Event) {
        match event {
            Event::Compiling { solution, .. } => self.bar.set_message(format!("compiling {solution}")),
            Event::Compiled { ok: false, .. } => self.bar.inc(self.tests),
            Event::Compiled { .. } | Event::Done(_) => {}
            Event::Finished(row) | Event::Skipped(row) => {
                self.bar.set_message(row.name.clone());
                self.bar.inc(1);
            }
        }
    }

    /// One submission is done with.
    pub fn step(&self, what: &str) {
        self.bar.set_message(what.to_owned());
        self.bar.inc(self.tests);
    }

    /// Says what is done beside the tests.
    pub fn say(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
