//! The programs of one problem run on its tests, and what is to be said of it. Prints nothing.

use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tempfile::TempDir;

use super::{Desk, programs, strength_error};
use crate::cli::{CliError, grading};
use crate::grade::TestSet;
use crate::grade::jury::Jury;
use crate::package::{self, layout};
use crate::problem::Problem;
use crate::report::progress::Progress;
use crate::report::snippet;
use crate::report::strength::{Counts, OperatorLine, ProgramLine, Standing, Strength, TestLine};
use crate::solve::Answers;
use crate::strength::{
    self, Agreement, Bench, EQUIVALENT_SHARE, Entrant, Equivalent, Fate, Known, Mutant, Mutants, Operator,
};

/// A problem with its matrix.
pub(super) struct Measured<'p> {
    problem: &'p Problem,
    pub(super) tests: TestSet,
    mutants: Mutants,
    /// Those of the mutants that were tried.
    chosen: Vec<usize>,
    sources: usize,
    /// How many of `entrants` are kept wrong programs.
    kept: usize,
    /// First the kept wrong programs, then the mutants, then accepted solutions built as mutants are.
    pub(super) entrants: Vec<Entrant>,
    pub(super) fates: Vec<Fate>,
    equivalents: Vec<Equivalent>,
    jury: Option<Jury>,
    known: Mutex<Known>,
    cache: std::path::PathBuf,
    /// Holds the mutants' sources.
    _folder: TempDir,
}

/// A folder for as long as it is held. It lies where builds are made, since there the cache clears away what a command
/// left that was killed.
pub(super) fn temporary(desk: &Desk<'_>) -> Result<TempDir, CliError> {
    let place = desk.context.cache.join("strength").join("building");
    let made = std::fs::create_dir_all(&place).and_then(|()| tempfile::tempdir_in(&place));
    made.map_err(|error| {
        CliError::Judge(format!("cannot make a temporary folder in `{}`: {error}", place.display()))
    })
}

impl<'p> Measured<'p> {
    /// Makes the mutants, and runs every program on every test.
    pub(super) fn new(desk: &Desk<'_>, problem: &'p Problem, tests: TestSet) -> Result<Self, CliError> {
        let all = programs::kept(desk.workspace, problem)?;
        let originals = programs::originals(&all)?;
        let mutants = Mutants::of(&originals);
        let equivalents = equivalents(desk, problem, &mutants)?;
        let chosen = mutants.choose(desk.args.mutants);
        let mut sources: Vec<usize> = mutants.all.iter().map(|mutant| mutant.source).collect();
        sources.dedup();
        let folder = temporary(desk)?;
        let mut entrants = programs::wrong(desk.workspace, problem, &all);
        let kept = entrants.len();
        for &index in &chosen {
            let mutant = &mutants.all[index];
            let original = &originals[mutant.source];
            let path = folder.path().join(index.to_string()).join(&original.name);
            write(&path, &mutant.text)?;
            let language = programs::checked(&original.language)?;
            entrants.push(Entrant { name: mutant.id.clone(), path, language, is_kept: false });
        }
        entrants.extend(programs::checked_originals(desk.workspace, problem, &all)?);
        let cache = desk.context.cache.join("strength");
        let mut measured = Self {
            problem,
            tests,
            sources: sources.len(),
            mutants,
            chosen,
            kept,
            entrants,
            fates: Vec::new(),
            equivalents,
            jury: grading::jury(desk.workspace, problem, desk.judge, desk.context)?,
            known: Mutex::new(Known::read(&desk.context.cache, &problem.slug)),
            cache,
            _folder: folder,
        };
        measured.announce(desk)?;
        let progress = Progress::with_time_left(measured.entrants.len(), desk.context.stderr_is_terminal);
        let step = |_, name: &str| progress.step(name);
        let bench = measured.bench(desk);
        let fates = strength::run(&bench, &measured.entrants, &measured.known, &step);
        progress.clear();
        // What was found before a failure is worth keeping.
        measured.save();
        measured.fates = fates.map_err(|error| strength_error(problem, &error))?;
        Ok(measured)
    }

    /// Says on a terminal what it will cost, before it costs that.
    fn announce(&self, desk: &Desk<'_>) -> Result<(), CliError> {
        if !desk.context.stderr_is_terminal {
            return Ok(());
        }
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let new = strength::new_programs(&self.bench(desk), &self.entrants, &known);
        if new > 0 {
            let cost =
                cost(&self.problem.slug, self.entrants.len(), self.tests.tests().len(), new, desk.workers);
            writeln!(desk.context.stderr(), "{cost}")?;
        }
        Ok(())
    }

    pub(super) fn bench<'a>(&'a self, desk: &Desk<'a>) -> Bench<'a> {
        Bench {
            judge: desk.judge,
            problem: self.problem,
            tests: &self.tests,
            jury: self.jury.as_ref(),
            cache: &desk.context.cache,
            mutants_cache: &self.cache,
            workers: desk.workers,
            use_known: !desk.args.no_cache,
        }
    }

    fn save(&self) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).save();
    }

    /// What each program is killed by.
    pub(super) fn killers(&self) -> Vec<Vec<usize>> {
        self.fates.iter().map(Fate::killers).collect()
    }

    /// What is to be said of it all.
    pub(super) fn report(&self, desk: &Desk<'_>) -> Result<Strength, CliError> {
        let mut faults = Vec::new();
        let mut programs = Vec::new();
        let mut counts = Counts {
            made: self.mutants.all.len() + self.mutants.doubles,
            doubles: self.mutants.doubles,
            tried: self.chosen.len(),
            ..Counts::default()
        };
        let ran = |fate: &&Fate| matches!(fate, Fate::Ran(_));
        let compiled = self.fates[self.kept..][..self.chosen.len()].iter().filter(ran).count();
        // The share of a few says nothing of the share of all.
        let is_whole = self.chosen.len() >= strength::BUDGET.min(self.mutants.all.len());
        let most_equivalent = if is_whole { compiled / EQUIVALENT_SHARE } else { compiled };
        let mut too_many = 0;
        let runner = grading::runner(&desk.args.sandbox, desk.context);
        let answers = Answers::of(self.problem, desk.workspace.root(), &runner)
            .map_err(|error| CliError::Wrong(error.to_string()))?;
        for (place, &index) in self.chosen.iter().enumerate() {
            let mutant = &self.mutants.all[index];
            let mut line = self.mutant_line(desk, &answers, self.kept + place, mutant, &mut faults)?;
            if line.standing == Standing::Equivalent && counts.equivalent == most_equivalent {
                line.standing = Standing::Survived;
                too_many += 1;
            }
            match line.standing {
                Standing::Rejected => counts.rejected += 1,
                Standing::NotRun => counts.not_run += 1,
                Standing::Killed => counts.killed += 1,
                Standing::Survived => counts.survived += 1,
                Standing::Equivalent => counts.equivalent += 1,
            }
            programs.push(line);
        }
        self.save();
        counts.compiled = counts.killed + counts.survived + counts.equivalent;
        if too_many > 0 {
            faults.push(format!(
                "{} of {} mutants are called equivalent, more than one in {EQUIVALENT_SHARE}: {too_many} of them count as \
                 survivors",
                counts.equivalent + too_many,
                counts.compiled
            ));
        }
        let kept: Vec<ProgramLine> = (0..self.kept).map(|index| self.line(index, Vec::new())).collect();
        for line in
            kept.iter().filter(|line| matches!(line.standing, Standing::Survived | Standing::Rejected))
        {
            faults.push(format!("the kept wrong program `{}` survives", line.program));
        }
        for index in self.kept + self.chosen.len()..self.entrants.len() {
            if let Some(&test) = self.fates[index].killers().first() {
                faults.push(format!(
                    "`{}` fails `{}` when it is built with the checks that mutants are built with: does it read or write \
                     beside an array?",
                    self.entrants[index].name,
                    self.tests.tests()[test].name
                ));
            }
        }
        let denominator = counts.compiled - counts.equivalent;
        let percent = (denominator > 0).then(|| 100.0 * counts.killed as f64 / denominator as f64);
        Ok(Strength {
            problem: self.problem.slug.clone(),
            sources: self.sources,
            mutants: counts,
            killed_percent: percent.map(|percent| (percent * 10.0).round() / 10.0),
            tests: self.test_lines(),
            enough_tests: self.enough(),
            operators: operator_lines(&self.mutants, &self.chosen, &programs),
            kept,
            programs,
            faults,
            selection: None,
            hunt: None,
        })
    }

    fn line(&self, index: usize, diff: Vec<(usize, String, String)>) -> ProgramLine {
        let fate = &self.fates[index];
        let (standing, verdicts, note) = match fate {
            Fate::Ran(row) if fate.is_killed() => (Standing::Killed, row.clone(), String::new()),
            Fate::Ran(row) => (Standing::Survived, row.clone(), String::new()),
            Fate::Rejected => (Standing::Rejected, Vec::new(), String::new()),
            Fate::NotRun(message) => (Standing::NotRun, Vec::new(), message.clone()),
        };
        let first = fate.killers().first().map(|test| self.tests.tests()[*test].name.clone());
        ProgramLine {
            program: self.entrants[index].name.clone(),
            standing,
            first_killer: first,
            verdicts,
            diff,
            note,
        }
    }

    fn mutant_line(
        &self,
        desk: &Desk<'_>,
        answers: &Answers,
        index: usize,
        mutant: &Mutant,
        faults: &mut Vec<String>,
    ) -> Result<ProgramLine, CliError> {
        let mut line = self.line(index, mutant.diff.clone());
        let entry = self.equivalents.iter().find(|entry| entry.mutant == mutant.id);
        if let (Standing::Killed, Some(_), Some(test)) = (line.standing, entry, &line.first_killer) {
            faults.push(format!(
                "strength.toml calls `{}` equivalent, and the test `{test}` kills it: remove the entry",
                mutant.id
            ));
        }
        if line.standing != Standing::Survived {
            return Ok(line);
        }
        // Thousands of inputs: nothing would move for a while.
        let progress = Progress::searching(desk.context.stderr_is_terminal);
        progress.say(&format!("does {} differ on some small input?", mutant.id));
        let found =
            strength::search_difference(&self.bench(desk), &self.entrants[index], answers, &self.known);
        progress.clear();
        match (found.map_err(|error| strength_error(self.problem, &error))?, entry) {
            (Agreement::None { inputs }, Some(entry)) => {
                line.standing = Standing::Equivalent;
                line.note = format!("{} (no difference in {inputs} small inputs)", entry.reason);
            }
            (Agreement::None { inputs }, None) => {
                line.note = format!("no difference in {inputs} small inputs: equivalent?");
            }
            (Agreement::Difference { input, expected, message }, entry) => {
                line.note = format!(
                    "differs on the input {input:?}, where {:?} is right: {message}",
                    expected.trim_end()
                );
                if entry.is_some() {
                    faults.push(format!(
                        "strength.toml calls `{}` equivalent, and it {}: remove the entry",
                        mutant.id, line.note
                    ));
                }
            }
        }
        Ok(line)
    }

    fn test_lines(&self) -> Vec<TestLine> {
        let mut kills = vec![0; self.tests.tests().len()];
        for test in self.killers().into_iter().flatten() {
            kills[test] += 1;
        }
        let tests = self.tests.tests().iter().zip(kills);
        tests
            .map(|(test, kills)| TestLine { name: test.name.clone(), inputs: test.members.len(), kills })
            .collect()
    }

    /// How many tests a cover of all kills takes.
    fn enough(&self) -> usize {
        let candidate = strength::Candidate {
            stays: false,
            family: String::new(),
            decade: 0,
            packed_inputs: 0,
            stdin_runs: 0,
        };
        let candidates = vec![candidate; self.tests.tests().len()];
        let nothing_more = strength::Goal { tests: 0, packed_inputs: 0, stdin_runs: 0 };
        let killers = self.killers();
        if killers.iter().all(Vec::is_empty) {
            return 0;
        }
        strength::choose_tests(&candidates, &killers, nothing_more).len()
    }
}

/// What compiling a program and running it on sixty tests takes on one core, as measured on the problems of this
/// project on a slow one: C++ with all of its headers 2.5 s, Rust 1.5 s, Python less than 1 s.
const PROGRAM_MS: usize = 2000;

/// The cost in a sentence.
fn cost(slug: &str, programs: usize, tests: usize, new: usize, workers: usize) -> String {
    let seconds = (new * PROGRAM_MS).div_ceil(1000 * workers.max(1));
    let time = if seconds < 90 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) };
    format!("{slug}: {programs} programs on {tests} tests, {new} of them new: about {time}")
}

fn equivalents(desk: &Desk<'_>, problem: &Problem, mutants: &Mutants) -> Result<Vec<Equivalent>, CliError> {
    let path = layout::strength_file(&desk.workspace.problem(&problem.slug));
    let text = match package::text_of_regular(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(CliError::Wrong(format!("cannot read `{}`: {error}", path.display()))),
    };
    let ids: Vec<&str> = mutants.all.iter().map(|mutant| mutant.id.as_str()).collect();
    strength::parse_equivalents(&text, &ids).map_err(|mistakes| {
        CliError::Diagnostics(snippet::render(&desk.shown(&path), &text, &mistakes, desk.context.color))
    })
}

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|error| CliError::Judge(format!("cannot write `{}`: {error}", path.display())))
}

fn operator_lines(mutants: &Mutants, chosen: &[usize], programs: &[ProgramLine]) -> Vec<OperatorLine> {
    let mut lines = Vec::new();
    for operator in Operator::ALL {
        let of_it = chosen.iter().zip(programs).filter(|(index, line)| {
            mutants.all[**index].operator == operator
                && !matches!(line.standing, Standing::Rejected | Standing::NotRun)
        });
        let standings: Vec<Standing> = of_it.map(|(_, line)| line.standing).collect();
        let count = |standing| standings.iter().filter(|it| **it == standing).count();
        if !standings.is_empty() {
            lines.push(OperatorLine {
                operator: operator.name().to_owned(),
                what: operator.what().to_owned(),
                mutants: standings.len(),
                killed: count(Standing::Killed),
                equivalent: count(Standing::Equivalent),
            });
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::cost;

    #[test]
    fn the_cost_is_a_line_that_fits_a_terminal() {
        let line = cost("stone-game-viii", 101, 60, 101, 2);
        assert_eq!(line, "stone-game-viii: 101 programs on 60 tests, 101 of them new: about 2 min");
        assert!(line.len() < 80);
        assert!(cost("a", 4, 3, 1, 2).ends_with("about 1 s"));
        assert!(cost("a", 90, 60, 90, 0).ends_with("about 3 min"));
    }
}
