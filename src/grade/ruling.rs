//! Whether an output is right: the checker's word, or that of the jury's own program. Runs no submission.

use std::fs::File;
use std::io::{Seek as _, SeekFrom};

use crate::check::{self, Checked};
use crate::grade::trial::{Bench, JudgeFault, Stopped, piece, unreadable};
use crate::input::Input;
use crate::package::{Member, PackagedTest};
use crate::score::Marks;
use crate::verdict::Verdict;

/// What is said of one output.
#[derive(Clone, Debug)]
pub(crate) struct Ruled {
    pub(crate) checked: Checked,
    /// What a checker that gives parts gave; `None` when it gives none.
    pub(crate) marks: Option<Marks>,
}

impl Bench<'_> {
    /// Whether `output` is right for this member of a test.
    pub(crate) fn checked(
        &mut self,
        test: &PackagedTest,
        member: &Member,
        output: &[u8],
    ) -> Result<Ruled, Stopped> {
        let range = &member.answer;
        if let Some(jury) = self.jury {
            let input = piece(&test.input, member.input.clone(), "input")?;
            let answer = piece(&test.answer, range.clone(), "answer")?;
            return self.ask_checker(jury, &input, &answer, output);
        }
        let checked = File::open(&test.answer).and_then(|mut file| {
            if range.start > 0 {
                file.seek(SeekFrom::Start(range.start))?;
            }
            check::check_output(self.checker, file, range.end.saturating_sub(range.start), output)
        });
        never_judges(checked.map_err(|error| unreadable("answer", &test.answer, &error))?)
    }

    /// Whether `output` is right for `input`, whose right answer is `answer`.
    pub(crate) fn check_answer(
        &mut self,
        input: &Input,
        answer: &[u8],
        output: &[u8],
    ) -> Result<Ruled, Stopped> {
        match (self.jury, self.model) {
            (Some(jury), Some(model)) => {
                let mut text = Vec::new();
                crate::input::render(model, input, &mut text);
                self.ask_checker(jury, &text, answer, output)
            }
            _ => never_judges(check::check_bytes(self.checker, answer, output)),
        }
    }
}

/// A checker that can't use the answer speaks of the jury, not of the submission.
pub(crate) fn never_judges(checked: Checked) -> Result<Ruled, Stopped> {
    if checked.verdict == Verdict::Je {
        Err(Stopped::Judge(JudgeFault(checked.message)))
    } else {
        Ok(Ruled { checked, marks: None })
    }
}
