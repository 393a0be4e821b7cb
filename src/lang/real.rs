//! Finds the real program behind the name on `PATH`: shims of version managers, links, packages of other languages.
//! A shim costs more than the run it starts, so it is asked once and never used again. Runs tools only to ask them
//! about themselves, never on anything that a user wrote.

use std::ffi::{OsStr, OsString};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::lang::answers::{ANSWER_BYTES, Answers, is_binary};
use crate::lang::find::{Found, is_system};
use crate::lang::table::{Tool, ToolKind};
use crate::lang::version::Version;

/// How long a tool may take to say its version: `POLLS` times `POLL`.
const POLLS: u32 = 10_000;
const POLL: Duration = Duration::from_millis(1);

/// Symbolic links that are followed from one name.
const LINKS: u32 = 16;

/// Entries of a JDK that are searched for links out of it.
const JDK_ENTRIES: usize = 4000;

/// Beginnings of the variables that version managers need to find their own folders. No others are handed on: what a
/// user set for a compiler must not change what the judge finds.
const MANAGERS: [&str; 12] = [
    "PYENV_",
    "RUSTUP_",
    "CARGO_HOME",
    "NVM_",
    "NODENV_",
    "VOLTA_",
    "ASDF_",
    "MISE_",
    "FNM_",
    "JENV_",
    "SDKMAN_",
    "GOENV_",
];

/// The tool behind `program`, a name found on one of `folders`.
///
/// # Errors
/// When it does not answer as such a tool does; the text goes on after the program's name.
pub(in crate::lang) fn resolve(tool: &Tool, program: &Path, ask: &Asker<'_>) -> Result<Found, String> {
    match tool.kind {
        ToolKind::Gnu => gnu(tool, program, ask),
        ToolKind::Python => python(tool, program, ask),
        ToolKind::Jdk => jdk(tool, program, ask),
        ToolKind::Go => go(tool, program, ask),
        ToolKind::Node => node(tool, program, ask),
        ToolKind::Typescript => typescript(tool, program),
        ToolKind::Esbuild => esbuild(tool, program, ask),
        ToolKind::Rustc => rustc(tool, program, ask),
    }
}

/// Asks programs about themselves.
pub(in crate::lang) struct Asker<'a> {
    /// What they get as `PATH`.
    pub(in crate::lang) folders: &'a [PathBuf],
    /// What they said before.
    pub(in crate::lang) answers: Option<&'a Answers>,
}

impl Asker<'_> {
    /// What the program says now; `None` when it fails, says nothing, or takes too long.
    fn now(&self, program: &Path, args: &[&str]) -> Option<String> {
        ask(program, args, self.folders)
    }

    /// What `read` makes of the answer, of an earlier one where there is one. It says besides whether the answer is of
    /// the program itself: another's is not kept.
    fn once<T>(&self, program: &Path, args: &[&str], read: impl Fn(&str) -> Option<(T, bool)>) -> Option<T> {
        let earlier = self.answers.and_then(|answers| answers.look_up(program, args));
        if let Some((value, _)) = earlier.and_then(|answer| read(&answer)) {
            return Some(value);
        }
        let answer = self.now(program, args)?;
        let (value, is_its_own) = read(&answer)?;
        if let (true, Some(answers)) = (is_its_own, self.answers) {
            // A cache that can't be written makes the next call slower, and is told of where programs are kept.
            answers.keep(program, args, &answer).ok();
        }
        Some(value)
    }

    /// The version that the program itself states.
    fn version(&self, program: &Path, args: &[&str]) -> Option<Version> {
        self.once(program, args, |answer| Some((Version::parse(answer)?, true)))
    }
}

const SILENT: &str = "did not say its version";

fn gnu(tool: &Tool, program: &Path, ask: &Asker<'_>) -> Result<Found, String> {
    let version = ask.version(program, &["-dumpfullversion", "-dumpversion"]);
    let version = version.or_else(|| ask.version(program, &["-dumpversion"])).ok_or(SILENT)?;
    let program = past_alternatives(program);
    let target = program.canonicalize().unwrap_or_else(|_| program.clone());
    let readable = match target.parent().and_then(Path::parent) {
        Some(_) if target.starts_with("/nix/store") => vec![PathBuf::from("/nix/store")],
        Some(root) if !is_system(&target) => vec![root.to_owned()],
        _ => Vec::new(),
    };
    Ok(found(tool, version, &program, vec![word(&tool.id, &program)], readable))
}

fn python(tool: &Tool, program: &Path, ask: &Asker<'_>) -> Result<Found, String> {
    const QUESTION: &str = "\
import os, sys
print(os.path.realpath(getattr(sys, '_base_executable', None) or sys.executable))
print('.'.join(map(str, sys.version_info[:3])))
print(sys.base_prefix)
print(':'.join(p for p in sys.path if p.endswith('-packages')))";
    let answer = ask.now(program, &["-I", "-c", QUESTION]).ok_or(SILENT)?;
    let lines: Vec<&str> = answer.lines().collect();
    let [real, version, prefix, packages] = lines[..] else { return Err(SILENT.to_owned()) };
    let version = Version::parse(version).ok_or(SILENT)?;
    let outside = std::iter::once(prefix).chain(packages.split(':')).filter(|path| !path.is_empty());
    let mut readable = Vec::new();
    for path in outside.map(PathBuf::from) {
        let is_covered = is_system(&path) || readable.iter().any(|folder| path.starts_with(folder));
        if !is_covered && path != Path::new("/") {
            readable.push(path);
        }
    }
    let words = vec![word(&tool.id, real), word("python_packages", packages)];
    Ok(found(tool, version, Path::new(real), words, readable))
}

fn jdk(tool: &Tool, program: &Path, ask: &Asker<'_>) -> Result<Found, String> {
    let home_of = |javac: &Path| -> Option<PathBuf> {
        let home = javac.canonicalize().ok()?.parent()?.parent()?.to_owned();
        (is_binary(&home.join("bin/javac")) && is_binary(&home.join("bin/java"))).then_some(home)
    };
    let (home, version) = match home_of(program) {
        Some(home) => {
            let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
            let stated = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="));
            let version = stated.and_then(Version::parse);
            let version = version.or_else(|| ask.version(&home.join("bin/javac"), &["-version"]));
            (home, version.ok_or(SILENT)?)
        }
        None => {
            let settings = ask.now(program, &["-J-XshowSettings:properties", "-version"]).ok_or(SILENT)?;
            let value = |key: &str| settings.lines().find_map(|line| line.trim().strip_prefix(key));
            let home = value("java.home = ").map(PathBuf::from).ok_or(SILENT)?;
            (home, value("java.version = ").and_then(Version::parse).ok_or(SILENT)?)
        }
    };
    let (javac, java) = (home.join("bin/javac"), home.join("bin/java"));
    let mut readable = folders_linked_from(&home);
    if !is_system(&home) {
        readable.push(home);
    }
    Ok(found(tool, version, &javac, vec![word("javac", &javac), word("java", &java)], readable))
}

fn go(tool: &Tool, program: &Path, ask: &Asker<'_>) -> Result<Found, String> {
    let answer = ask.now(program, &["env", "GOROOT", "GOVERSION", "GOTOOLDIR"]).ok_or(SILENT)?;
    let lines: Vec<&str> = answer.lines().collect();
    let [root, version, tools] = lines[..] else { return Err(SILENT.to_owned()) };
    let version = Version::parse(version).ok_or(SILENT)?;
    let (root, tools) = (PathBuf::from(root), PathBuf::from(tools));
    let real = root.join("bin/go");
    if !is_executable(&real) || !is_executable(&tools.join("compile")) || !is_executable(&tools.join("link"))
    {
        return Err(format!("names {} as its home, where no compiler is", root.display()));
    }
    let words = vec![
        word("go", &real),
        word("go_compile", tools.join("compile")),
        word("go_link", tools.join("link")),
    ];
    let readable = if is_system(&root) { Vec::new() } else { vec![root] };
    Ok(found(tool, version, &real, words, readable))
}

fn node(tool: &Tool, program: &Path, ask: &Asker<'_>) -> Result<Found, String> {
    let target = program.canonicalize().map_err(|_| SILENT)?;
    let read = |answer: &str| {
        let (real, version) = answer.trim_end().split_once('\n')?;
        let (real, version) = (Path::new(real).canonicalize().ok()?, Version::parse(version)?);
        let is_itself = real == target;
        Some(((real, version), is_itself))
    };
    let question = ["-p", "process.execPath + '\\n' + process.versions.node"];
    let (real, version) = ask.once(program, &question, read).ok_or(SILENT)?;
    let readable = if is_system(&real) { Vec::new() } else { vec![real.clone()] };
    Ok(found(tool, version, &real, vec![word("node", &real)], readable))
}

fn typescript(tool: &Tool, program: &Path) -> Result<Found, String> {
    let package = package_of(program, "typescript").ok_or("is not part of an npm package `typescript`")?;
    let version = package_version(&package).ok_or(SILENT)?;
    let native = npm_binary(&package, "@typescript/typescript", "lib/tsc");
    let library = package.join("lib/typescript.js");
    let (real, words) = match (&native, library.is_file()) {
        (Some(native), _) => (native.clone(), vec![word("tsc", native)]),
        (None, true) => (library.clone(), vec![word("typescript", &library)]),
        (None, false) => return Err("has neither its compiler nor its library beside it".to_owned()),
    };
    let root = real.parent().and_then(Path::parent).unwrap_or(&package).to_owned();
    let readable = if is_system(&root) { Vec::new() } else { vec![root] };
    Ok(found(tool, version, &real, words, readable))
}

fn esbuild(tool: &Tool, program: &Path, ask: &Asker<'_>) -> Result<Found, String> {
    let target = program.canonicalize().map_err(|_| SILENT)?;
    let real = if is_binary(&target) {
        target
    } else {
        let package = package_of(program, "esbuild").ok_or("is not part of an npm package `esbuild`")?;
        npm_binary(&package, "@esbuild/", "bin/esbuild").ok_or("has no program for this machine beside it")?
    };
    let version = ask.version(&real, &["--version"]).ok_or(SILENT)?;
    let readable = if is_system(&real) { Vec::new() } else { vec![real.clone()] };
    Ok(found(tool, version, &real, vec![word("esbuild", &real)], readable))
}

fn rustc(tool: &Tool, program: &Path, ask: &Asker<'_>) -> Result<Found, String> {
    let root = PathBuf::from(ask.now(program, &["--print", "sysroot"]).ok_or(SILENT)?.trim());
    let real = root.join("bin/rustc");
    let real = if is_executable(&real) { real } else { program.canonicalize().map_err(|_| SILENT)? };
    let version = ask.version(&real, &["--version"]).ok_or(SILENT)?;
    let readable = if is_system(&root) { Vec::new() } else { vec![root] };
    Ok(found(tool, version, &real, vec![word("rustc", &real)], readable))
}

fn found(
    tool: &Tool,
    version: Version,
    program: &Path,
    words: Vec<(String, Vec<OsString>)>,
    readable: Vec<PathBuf>,
) -> Found {
    Found { id: tool.id.clone(), version, program: program.to_owned(), words, readable }
}

fn word(name: &str, argument: impl AsRef<OsStr>) -> (String, Vec<OsString>) {
    (name.to_owned(), vec![argument.as_ref().to_owned()])
}

/// Whether this is a file that somebody may execute.
pub(in crate::lang) fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Follows links that keep the program's name, and those that lead through `/etc`, which a sandbox does not show. The
/// name itself counts: the same program is `clang` under one name and `clang++` under another.
fn past_alternatives(program: &Path) -> PathBuf {
    let mut at = program.to_owned();
    let mut good = at.clone();
    for _ in 0..LINKS {
        let Ok(target) = std::fs::read_link(&at) else { break };
        let follows =
            target.starts_with("/etc") || at.starts_with("/etc") || target.file_name() == at.file_name();
        if !follows {
            break;
        }
        at = at.parent().unwrap_or(Path::new("/")).join(target);
        good.clone_from(&at);
    }
    good
}

/// The folders right below `/etc` that links inside a JDK lead to: Debian keeps its configuration there.
fn folders_linked_from(home: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut pending = vec![home.join("lib"), home.join("conf")];
    let mut left = JDK_ENTRIES;
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if left == 0 {
                return folders;
            }
            left -= 1;
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                pending.push(entry.path());
            } else if kind.is_symlink() {
                let target = entry.path().canonicalize().unwrap_or_default();
                let below: PathBuf = target.components().take(3).collect();
                let is_java =
                    below.to_string_lossy().contains("java") || below.to_string_lossy().contains("jdk");
                if target.starts_with("/etc") && is_java && !folders.contains(&below) {
                    folders.push(below);
                }
            }
        }
    }
    folders
}

/// The folder of the npm package `name` that holds the file behind `program`.
fn package_of(program: &Path, name: &str) -> Option<PathBuf> {
    let target = program.canonicalize().ok()?;
    let is_it = |folder: &&Path| folder.ends_with(name) && folder.join("package.json").is_file();
    target.ancestors().skip(1).take(4).find(is_it).map(Path::to_owned)
}

fn package_version(package: &Path) -> Option<Version> {
    let text = std::fs::read_to_string(package.join("package.json")).ok()?;
    let json: serde_json::Value = serde_json::from_str(&text).ok()?;
    Version::parse(json.get("version")?.as_str()?)
}

/// npm keeps programs for one kind of machine in packages of their own, inside or beside the package that needs them.
fn npm_binary(package: &Path, prefix: &str, file: &str) -> Option<PathBuf> {
    let machine = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    let join = if prefix.ends_with('/') { "" } else { "-" };
    let name = format!("{prefix}{join}{}-{machine}", std::env::consts::OS);
    let inside = package.join("node_modules").join(&name);
    let beside = package.parent()?.join(&name);
    [inside, beside].into_iter().map(|folder| folder.join(file)).find(|program| is_binary(program))
}

/// Runs `program` to ask it something, with little of the judge's environment and a limit on its time.
fn ask(program: &Path, args: &[&str], folders: &[PathBuf]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).env_clear().stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.envs(std::env::vars_os().filter(|(name, _)| is_managers(name)));
    if let Ok(path) = std::env::join_paths(folders) {
        command.env("PATH", path);
    }
    command
        .env("LC_ALL", "C.UTF-8")
        .env("GOENV", "off")
        .env("GOTOOLCHAIN", "local")
        .env("GO111MODULE", "off");
    let mut child = command.spawn().ok()?;
    let (stdout, stderr) = (child.stdout.take()?, child.stderr.take()?);
    // Both are read at once, on threads of their own, so that a tool which says much on one does not wait for ever.
    let read = |source: Box<dyn std::io::Read + Send>| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            source.take(ANSWER_BYTES).read_to_end(&mut text).map(|_| text).unwrap_or_default()
        })
    };
    let (stdout, stderr) = (read(Box::new(stdout)), read(Box::new(stderr)));
    let mut status = None;
    for _ in 0..POLLS {
        status = child.try_wait().ok()?;
        if status.is_some() {
            break;
        }
        std::thread::sleep(POLL);
    }
    if status.is_none() {
        // A grandchild may hold the pipes open for ever, so the readers are left behind.
        child.kill().and_then(|()| child.wait()).ok();
        return None;
    }
    let (stdout, stderr) = (stdout.join().ok()?, stderr.join().ok()?);
    let answer = if stdout.is_empty() { stderr } else { stdout };
    let answer = String::from_utf8(answer).ok()?;
    (status.is_some_and(|status| status.success()) && !answer.trim().is_empty()).then_some(answer)
}

fn is_managers(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    ["HOME", "USER", "XDG_DATA_HOME", "XDG_CONFIG_HOME"].contains(&&*name)
        || MANAGERS.iter().any(|manager| name.starts_with(manager))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_only_through_etc() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("clang++");
        std::os::unix::fs::symlink("clang", &link).unwrap();
        assert_eq!(past_alternatives(&link), link);
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(&link, elsewhere.path().join("clang++")).unwrap();
        assert_eq!(past_alternatives(&elsewhere.path().join("clang++")), link);
        let alternative = folder.path().join("cc");
        std::os::unix::fs::symlink("/etc/alternatives/nothing-of-this-name", &alternative).unwrap();
        assert_eq!(past_alternatives(&alternative), Path::new("/etc/alternatives/nothing-of-this-name"));
    }

    #[test]
    fn only_what_version_managers_need_is_handed_on() {
        for name in ["HOME", "PYENV_ROOT", "RUSTUP_HOME"] {
            assert!(is_managers(OsStr::new(name)), "{name}");
        }
        for name in
            ["NODE_OPTIONS", "PYTHONPATH", "LD_PRELOAD", "JAVA_TOOL_OPTIONS", "GOFLAGS", "GRADER_SECRET"]
        {
            assert!(!is_managers(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn a_program_that_talks_without_end_is_not_waited_for() {
        let answer = ask(Path::new("/bin/sh"), &["-c", "echo 1.2; echo 3 >&2"], &[]);
        assert_eq!(answer.as_deref(), Some("1.2\n"));
        assert_eq!(ask(Path::new("/bin/sh"), &["-c", "exit 3"], &[]), None);
        assert_eq!(ask(Path::new("/nonexistent"), &[], &[]), None);
    }
}
