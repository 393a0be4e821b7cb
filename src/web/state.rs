//! What became of a submission or a test, as a badge shows it: by letters and a sign, and by colour only besides.

use askama::Template;

use crate::verdict::Verdict;
use crate::web::words::Words;

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Waits.
    Queued,
    /// Is being judged: the test, of how many.
    Running(usize, usize),
    /// Was not run.
    Skipped,
    /// Judged.
    Judged(Verdict),
}

#[derive(Template)]
#[template(path = "verdict.html", config = "src/web/askama.toml")]
struct Badge {
    class: &'static str,
    sign: &'static str,
    letters: &'static str,
    words: &'static str,
    running: String,
}

impl State {
    /// The badge, as markup.
    pub(crate) fn badge(self, words: &Words) -> String {
        let running = match self {
            Self::Running(test, tests) if tests > 0 => format!("{test}/{tests}"),
            _ => String::new(),
        };
        let badge = Badge {
            class: self.class(),
            sign: self.sign(),
            letters: self.letters(),
            words: self.words(words),
            running,
        };
        // It holds nothing that could fail.
        badge.render().unwrap_or_default()
    }

    fn class(self) -> &'static str {
        match self {
            Self::Skipped => "dim",
            Self::Judged(Verdict::Ac) => "good",
            Self::Queued | Self::Running(..) | Self::Judged(Verdict::Je) => "wait",
            Self::Judged(_) => "bad",
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Self::Skipped => "·",
            Self::Judged(Verdict::Ac) => "✓",
            Self::Judged(Verdict::Je) => "!",
            Self::Judged(_) => "✗",
            Self::Queued | Self::Running(..) => "…",
        }
    }

    fn letters(self) -> &'static str {
        match self {
            Self::Skipped => "–",
            Self::Queued | Self::Running(..) => "?",
            Self::Judged(verdict) => verdict.short(),
        }
    }

    /// In words.
    pub(crate) fn words(self, words: &Words) -> &'static str {
        match self {
            Self::Queued => words.in_queue,
            Self::Running(..) => words.running,
            Self::Skipped => words.skipped,
            Self::Judged(verdict) => words.of_verdict(verdict),
        }
    }

    /// Whether nothing more will come of it.
    pub(crate) fn is_final(self) -> bool {
        matches!(self, Self::Judged(_))
    }

    /// Whether it was accepted.
    pub(crate) fn is_accepted(self) -> bool {
        self == Self::Judged(Verdict::Ac)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::words::{EN, RU};

    #[test]
    fn a_badge_says_by_letters_what_it_says_by_colour() {
        let badge = State::Judged(Verdict::Wa).badge(&EN);
        assert_eq!(
            badge.trim(),
            "<span class=\"verdict bad\"><span aria-hidden=\"true\">✗</span> <abbr title=\"Wrong answer\">WA</abbr></span>"
        );
        assert!(State::Running(3, 60).badge(&RU).contains("<small>3/60</small>"));
        // A fault of the judge's is none of the team's.
        assert!(State::Judged(Verdict::Je).badge(&EN).contains("verdict wait"));
    }
}
