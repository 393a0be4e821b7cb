//! Finds toolchains on `PATH`: which tools are there, which are too old, and what to do about it. Each tool is asked
//! once a process and only when a language needs it. Never compiles anything.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::lang::answers::Answers;
use crate::lang::real::{self, Asker};
use crate::lang::table::{Language, Table, Tool, Way};
use crate::lang::version::Version;

/// A tool that is there and new enough, behind whatever shim it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The id in the table.
    pub id: String,
    /// Its version.
    pub version: Version,
    /// The real program.
    pub program: PathBuf,
    /// What its words in braces stand for, as in `{javac}`; more than one argument when an interpreter comes first.
    pub words: Vec<(String, Vec<OsString>)>,
    /// Files and folders outside the system's own that it needs.
    pub readable: Vec<PathBuf>,
}

/// The tools of this machine, found as they are asked for and remembered.
pub struct Toolchains {
    table: &'static Table,
    /// The folders of `PATH`, absolute ones only: the others would depend on where the judge was started.
    folders: Vec<PathBuf>,
    /// What tools said of themselves in earlier processes.
    answers: Option<Answers>,
    found: Vec<OnceLock<Result<Found, String>>>,
}

/// What there is of one language, for `doctor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanguageReport {
    /// The language's id.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The tools with versions and places, or what is missing and how to get it.
    pub toolchain: Result<String, String>,
}

/// Folders that every sandbox shows as they are.
const SYSTEM: [&str; 5] = ["/usr", "/lib", "/lib64", "/bin", "/sbin"];

/// Wrappers that stand for a compiler and need a folder of their own to write to.
const COMPILER_CACHES: [&str; 3] = ["ccache", "sccache", "distcc"];

impl Toolchains {
    /// Tools are looked for in the folders of `path_env`, which is the value of `PATH`. A tool that said its version
    /// to an earlier judge with this cache folder is not asked again, unless it is a shim or has changed.
    pub fn find(path_env: &OsStr, cache: &Path) -> Self {
        Self { answers: Some(Answers::new(cache)), ..Self::ask(path_env) }
    }

    /// The same, but every tool is asked, and nothing is kept.
    pub fn ask(path_env: &OsStr) -> Self {
        let table = Table::built_in();
        let folders = std::env::split_paths(path_env).filter(|folder| folder.is_absolute()).collect();
        Self { table, folders, answers: None, found: table.tools().iter().map(|_| OnceLock::new()).collect() }
    }

    /// The tool with this id.
    ///
    /// # Errors
    /// When it is not there or does not fit: what was looked for, what was found, what to do.
    pub fn tool(&self, id: &str) -> Result<&Found, &str> {
        let Some(index) = self.table.tools().iter().position(|tool| tool.id == id) else {
            return Err("no such tool in the table");
        };
        let found = self.found[index].get_or_init(|| self.look_for(&self.table.tools()[index]));
        found.as_ref().map_err(String::as_str)
    }

    /// The first way to build `language` whose tools are all there, with the tools; behind it the ways that stand in
    /// where its compiler is [unable](Way::unable), the tools of these being there too.
    ///
    /// # Errors
    /// When there is none: the message names every tool that would do, and how to get it.
    pub fn ways<'a>(&'a self, language: &'a Language) -> Result<Vec<(&'a Way, Vec<&'a Found>)>, String> {
        let mut lacks = Vec::new();
        let mut ways: Vec<(&Way, Vec<&Found>)> = Vec::new();
        for way in &language.ways {
            if ways.last().is_some_and(|(last, _)| last.unable.is_empty()) {
                break;
            }
            let tools: Vec<Result<&Found, &str>> = way.tools.iter().map(|id| self.tool(id)).collect();
            let missing: Vec<&str> = tools.iter().filter_map(|tool| tool.as_ref().err().copied()).collect();
            if missing.is_empty() {
                ways.push((way, tools.into_iter().flatten().collect()));
                continue;
            }
            let lack = missing.join("; and ");
            if !lacks.contains(&lack) {
                lacks.push(lack);
            }
        }
        if !ways.is_empty() {
            return Ok(ways);
        }
        let lacks = lacks.join("\n  or ");
        Err(format!("{} cannot be compiled or run on this machine: {lacks}", language.name))
    }

    /// What there is of every language.
    pub fn report(&self) -> Vec<LanguageReport> {
        let describe = |tools: Vec<&Found>| {
            let tools: Vec<String> = tools
                .iter()
                .map(|tool| format!("{} {} ({})", tool.id, tool.version, tool.program.display()))
                .collect();
            tools.join(", ")
        };
        let chain = |ways: Vec<(&Way, Vec<&Found>)>| {
            let ways: Vec<String> = ways.into_iter().map(|(_, tools)| describe(tools)).collect();
            ways.join("; for what that is unable to compile, ")
        };
        let row = |language: &Language| LanguageReport {
            id: language.id.clone(),
            name: language.name.clone(),
            toolchain: self.ways(language).map(chain),
        };
        self.table.languages().iter().map(row).collect()
    }

    fn look_for(&self, tool: &Tool) -> Result<Found, String> {
        let minimum = Version::parse(&tool.minimum);
        let below = tool.below.as_deref().and_then(Version::parse);
        let asker = Asker { folders: &self.folders, answers: self.answers.as_ref() };
        let mut refused = Vec::new();
        for program in tool.programs.iter().flat_map(|name| self.all_on_path(name)) {
            let found = match real::resolve(tool, &program, &asker) {
                Ok(found) => found,
                Err(reason) => {
                    refused.push(format!("{} {reason}", program.display()));
                    continue;
                }
            };
            let too_old = minimum.as_ref().is_some_and(|minimum| !found.version.reaches(minimum));
            let too_new = below.as_ref().is_some_and(|below| found.version.reaches(below));
            if !too_old && !too_new {
                return Ok(found);
            }
            refused.push(format!("{} is version {}", program.display(), found.version));
        }
        let wanted = match &tool.below {
            Some(below) => format!("{} {} or newer and older than {below}", tool.programs[0], tool.minimum),
            None => format!("{} {} or newer", tool.programs[0], tool.minimum),
        };
        let found = match refused.is_empty() {
            true => format!("nothing named {} is on PATH", tool.programs.join(" or ")),
            false => refused.join(", "),
        };
        Err(format!("{wanted} is needed: {found}; get it by {}", tool.install))
    }

    /// Every program of this name on `PATH`, in order; the same file once.
    fn all_on_path(&self, name: &str) -> Vec<PathBuf> {
        let mut seen = Vec::new();
        let mut programs = Vec::new();
        for folder in &self.folders {
            let program = folder.join(name);
            let Ok(target) = program.canonicalize() else { continue };
            let is_cache = COMPILER_CACHES.iter().any(|cache| target.ends_with(cache));
            if !is_cache && real::is_executable(&target) && !seen.contains(&target) {
                seen.push(target);
                programs.push(program);
            }
        }
        programs
    }
}

/// Whether every sandbox shows this path by itself.
pub(in crate::lang) fn is_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn script(folder: &Path, name: &str, text: &str) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn nothing_on_path_is_said_with_what_to_do() {
        let toolchains = Toolchains::ask(OsStr::new("/nonexistent"));
        let message = toolchains.ways(Table::built_in().language("cpp").unwrap()).map(|_| ()).unwrap_err();
        assert!(message.contains("g++ 10 or newer is needed: nothing named g++ is on PATH"), "{message}");
        assert!(message.contains("apt install g++") && message.contains("\n  or clang++"), "{message}");
        assert!(toolchains.report().iter().all(|language| language.toolchain.is_err()));
    }

    #[test]
    fn an_old_tool_is_passed_over_for_a_newer_one_further_on() {
        let (old, new) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let old_program = script(old.path(), "g++", "echo 4.8.5");
        let only_old = Toolchains::ask(old.path().as_os_str());
        let message = only_old.tool("g++").unwrap_err();
        assert!(message.contains(&format!("{} is version 4.8.5", old_program.display())), "{message}");

        let new_program = script(new.path(), "g++", "echo 13.1.0");
        let both = std::env::join_paths([old.path(), new.path()]).unwrap();
        let toolchains = Toolchains::ask(&both);
        let found = toolchains.tool("g++").unwrap();
        assert_eq!((found.version.to_string().as_str(), &found.program), ("13.1.0", &new_program));
    }

    #[test]
    fn a_tool_that_says_nothing_or_never_ends_is_no_tool() {
        let folder = tempfile::tempdir().unwrap();
        script(folder.path(), "g++", "exit 1");
        let toolchains = Toolchains::ask(folder.path().as_os_str());
        assert!(toolchains.tool("g++").unwrap_err().contains("did not say its version"));
    }

    #[test]
    fn relative_folders_of_path_are_not_searched() {
        let toolchains = Toolchains::ask(OsStr::new("bin:.:"));
        assert!(toolchains.folders.is_empty());
    }
}
