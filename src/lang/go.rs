//! What Go's own compiler and linker need in place of the `go` command: where the compiled packages of the standard
//! library are. They are compiled once, by the `go` command, into the judge's cache. Only names of packages ever come
//! from a submission here; its code is compiled elsewhere, in the sandbox.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::lang::find::Found;

/// Packages that one submission may import.
const IMPORTS: usize = 256;

/// The compiled packages for one submission.
pub(in crate::lang) struct Packages {
    /// The text of the compiler's and the linker's `-importcfg` file.
    pub(in crate::lang) config: String,
    /// The folder that the files in it lie in.
    pub(in crate::lang) folder: PathBuf,
}

/// Finds the standard packages that `sources` import, and all that those need, compiling what was never needed before.
///
/// # Errors
/// When the `go` command fails: a fault of the machine, not of the submission.
pub(in crate::lang) fn packages(go: &Found, cache: &Path, sources: &[&str]) -> Result<Packages, String> {
    let folder = cache.join("go").join(go.version.to_string());
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
    // Every program needs the runtime, one without imports too.
    let mut imports = BTreeSet::from(["runtime".to_owned()]);
    imports.extend(sources.iter().flat_map(|source| imports_of(source)));
    const FORM: &str = "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}";
    let mut command = Command::new(&go.program);
    command.args(["list", "-e", "-export", "-deps", "-f", FORM, "--"]).args(imports).current_dir(&folder);
    command
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", &folder)
        .env("GOCACHE", &folder);
    let settings = [
        ("GOENV", "off"),
        ("GO111MODULE", "off"),
        ("GOTOOLCHAIN", "local"),
        ("GOPROXY", "off"),
        ("CGO_ENABLED", "0"),
        ("GOTELEMETRY", "off"),
    ];
    command.envs(settings).env("GOPATH", folder.join("path")).stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("cannot run {}: {error}", go.program.display()))?;
    let config = String::from_utf8_lossy(&output.stdout);
    let config: String =
        config.lines().filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect();
    if config.is_empty() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} cannot compile its own library: {}", go.program.display(), said.trim()));
    }
    Ok(Packages { config, folder })
}

/// The packages that a Go source imports, as far as they can be of the standard library. What stands after the import
/// declarations is never looked at.
fn imports_of(source: &str) -> BTreeSet<String> {
    let mut imports = BTreeSet::new();
    let mut tokens = Tokens { rest: source };
    if tokens.next() != Some("package") {
        return imports;
    }
    tokens.next();
    while let Some(token) = tokens.next() {
        match token {
            ";" => {}
            "import" => {
                let mut is_group = false;
                for token in tokens.by_ref() {
                    match token {
                        "(" => is_group = true,
                        ")" => break,
                        _ => {}
                    }
                    if let Some(path) = token.strip_prefix(['"', '`']) {
                        let path = path.trim_end_matches(['"', '`']);
                        if is_standard(path) && imports.len() < IMPORTS {
                            imports.insert(path.to_owned());
                        }
                        if !is_group {
                            break;
                        }
                    }
                }
            }
            _ => break,
        }
    }
    imports
}

/// A path of the standard library has no dot in its first part; anything else is not handed to the `go` command.
fn is_standard(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'_' | b'.' | b'-');
    let first = path.split('/').next().unwrap_or_default();
    path.bytes().all(is_plain)
        && first.starts_with(|c: char| c.is_ascii_lowercase())
        && !first.contains('.')
        && !path.contains("..")
        && !matches!(path, "unsafe" | "main" | "all" | "std" | "cmd")
        && !path.starts_with("cmd/")
}

/// Words, signs and strings of Go source, strings with their quotes; comments are left out.
struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            self.rest = self.rest.trim_start();
            let first = self.rest.chars().next()?;
            if self.rest.starts_with("//") {
                self.rest = &self.rest[self.rest.find('\n').unwrap_or(self.rest.len())..];
                continue;
            }
            if self.rest.starts_with("/*") {
                self.rest = &self.rest[self.rest[2..].find("*/").map_or(self.rest.len(), |end| end + 4)..];
                continue;
            }
            let end = match first {
                '"' | '`' => self.rest[1..].find(first).map_or(self.rest.len(), |end| end + 2),
                _ => {
                    let is_part = |c: char| c.is_alphanumeric() || c == '_';
                    self.rest.find(|c: char| !is_part(c)).unwrap_or(self.rest.len()).max(first.len_utf8())
                }
            };
            let (token, rest) = self.rest.split_at(end);
            self.rest = rest;
            return Some(token);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_read_in_all_their_forms() {
        for (source, imports) in [
            ("package main\nimport \"fmt\"\nfunc main() { import_ := \"os\" }", "fmt"),
            (
                "package main; import \"fmt\"; import (\n. \"os\" // \"io\"\n _ `sort`; m \"math/rand\")\nvar x",
                "fmt math/rand os sort",
            ),
            ("// import \"x\"\n/* package y */ package main\nimport(\"bufio\";\"unsafe\")", "bufio"),
            ("package main\nimport \"github.com/x/y\"\nimport \"-x\"\nimport \"../a\"\nimport \"C\"", ""),
            ("package main\nfunc main() {}\nimport \"late\"", ""),
            ("import \"fmt\"", ""),
            ("package main\nimport \"fm", "fm"),
            ("", ""),
        ] {
            let found: Vec<String> = imports_of(source).into_iter().collect();
            assert_eq!(found.join(" "), imports, "{source}");
        }
    }
}
