//! `manifest.toml`: what a package is made of, in order, with the SHA-256 of every file. The text is stable: the same
//! package gives the same bytes everywhere, and nothing in it tells a time or a machine. Reads and writes text only.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::layout;

/// The version of the package's layout and of every rule by which a seed becomes bytes. When a rule changes, this
/// changes, so that the same version, problem and seed give the same bytes for ever.
pub const FORMAT: u32 = 1;

/// A package on disk, without its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// The slug.
    pub problem: String,
    /// SHA-256 of the `problem.toml` it was made from, line ends taken as `\n`, and of the names of its selection, if it
    /// has one.
    pub problem_sha256: String,
    /// What everything random in it follows from.
    pub seed: u64,
    /// Where the answers came from.
    pub answers: Source,
    /// The programs that made tests, each with the SHA-256 of its source and headers.
    pub makers: Vec<(String, String)>,
    /// The tests, in package order.
    pub tests: Vec<Entry>,
    /// What the user should know of it, of one that was just made; never written.
    pub notes: Vec<String>,
}

/// Where the answers of a package came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A solver built into this program.
    Solver(String),
    /// A program of the workspace.
    Program {
        /// Its path below the workspace.
        path: String,
        /// SHA-256 of its source.
        sha256: String,
    },
    /// Nowhere: they are empty, for an interactor that needs none.
    None,
}

/// One test of the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// As in `edges/n=max/all_min`.
    pub name: String,
    /// How it was made.
    pub family: String,
    /// The subtask it belongs to.
    pub group: Option<String>,
    /// Whether it is a pack.
    pub pack: bool,
    /// SHA-256 of the input file.
    pub input_sha256: String,
    /// SHA-256 of the answer file.
    pub answer_sha256: String,
    /// The length in bytes of each member's input; one unless `pack`.
    pub input_bytes: Vec<u64>,
    /// The length in bytes of each member's answer.
    pub answer_bytes: Vec<u64>,
}

/// Why a manifest can't be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// It is not the TOML that this program writes.
    #[error("it is not a manifest: {0}")]
    Malformed(String),
    /// Another version wrote it.
    #[error("it has format {found}, and this program reads format {FORMAT}")]
    Format {
        /// The version it names.
        found: i64,
    },
}

/// The text that `touchstone generate` puts on top.
const HEADER: &str = "# Written by `touchstone generate`; not to be edited. The same problem and the same seed give the\n\
    # same bytes everywhere: `touchstone generate --check` makes them again and compares.\n";

/// The tables of programs that made tests.
const MAKERS: &str = "maker";
/// What stands for the source of answers where there are none.
const NO_ANSWERS: &str = "none";

/// A manifest names no more tests, and a pack no more members. The generator stays far below; a hand-made file must
/// not make the reader allocate without end.
const MAX_TESTS: usize = 100_000;
/// See [`MAX_TESTS`].
const MAX_MEMBERS: usize = 1_000_000;

/// The SHA-256 of `bytes`, in 64 lower-case hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Lower-case hexadecimal digits, two a byte.
pub(super) fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

impl Manifest {
    /// How many inputs the tests hold together.
    pub fn inputs(&self) -> usize {
        self.tests.iter().map(|test| test.input_bytes.len()).sum()
    }

    /// How many bytes the tests' files hold together.
    pub fn bytes(&self) -> u64 {
        self.tests.iter().flat_map(|test| test.input_bytes.iter().chain(&test.answer_bytes)).sum()
    }

    /// The file's text.
    pub fn to_text(&self) -> String {
        let mut text = String::from(HEADER);
        let mut line = |key: &str, value: &str| {
            let _ = writeln!(text, "{key} = {value}");
        };
        line("format", &FORMAT.to_string());
        line("problem", &quoted(&self.problem));
        line("problem_sha256", &quoted(&self.problem_sha256));
        // A TOML integer has 63 bits, a seed 64.
        line("seed", &quoted(&self.seed.to_string()));
        match &self.answers {
            Source::Solver(name) => line("solver", &quoted(name)),
            Source::Program { path, sha256 } => {
                line("program", &quoted(path));
                line("program_sha256", &quoted(sha256));
            }
            Source::None => line("answers", &quoted(NO_ANSWERS)),
        }
        for (run, sha256) in &self.makers {
            let _ = write!(text, "\n[[{MAKERS}]]\nrun = {}\nsha256 = {}\n", quoted(run), quoted(sha256));
        }
        for test in &self.tests {
            text.push_str("\n[[test]]\n");
            let mut line = |key: &str, value: &str| {
                let _ = writeln!(text, "{key} = {value}");
            };
            line("name", &quoted(&test.name));
            line("family", &quoted(&test.family));
            if let Some(group) = &test.group {
                line("group", &quoted(group));
            }
            line("input_sha256", &quoted(&test.input_sha256));
            line("answer_sha256", &quoted(&test.answer_sha256));
            if test.pack {
                line("members", &test.input_bytes.len().to_string());
                line("input_bytes", &quoted(&runs(&test.input_bytes)));
                line("answer_bytes", &quoted(&runs(&test.answer_bytes)));
            } else {
                line("input_bytes", &test.input_bytes.iter().sum::<u64>().to_string());
                line("answer_bytes", &test.answer_bytes.iter().sum::<u64>().to_string());
            }
        }
        text
    }

    /// Reads what [`Manifest::to_text`] writes.
    ///
    /// # Errors
    /// When the text is anything else; never by panic, since the file may have been edited or cut short.
    pub fn parse(text: &str) -> Result<Self, ManifestError> {
        let table: toml::Table =
            text.parse().map_err(|error: toml::de::Error| malformed(error.message().to_owned()))?;
        let format = table.get("format").and_then(toml::Value::as_integer);
        match format {
            Some(found) if found == i64::from(FORMAT) => {}
            Some(found) => return Err(ManifestError::Format { found }),
            None => return Err(malformed("it names no format")),
        }
        let has_none = string(&table, "answers").is_ok_and(|answers| answers == NO_ANSWERS);
        let answers = match (string(&table, "solver"), string(&table, "program")) {
            (Ok(name), Err(_)) => Source::Solver(name),
            (Err(_), Ok(path)) => Source::Program { path, sha256: string(&table, "program_sha256")? },
            (Err(_), Err(_)) if has_none => Source::None,
            _ => return Err(malformed("it must name either a solver or a program")),
        };
        let no_tests = Vec::new();
        let tests = match table.get("test") {
            Some(toml::Value::Array(tests)) => tests,
            None => &no_tests,
            Some(_) => return Err(malformed("`test` is no list of tables")),
        };
        if tests.len() > MAX_TESTS {
            return Err(malformed("it names too many tests"));
        }
        Ok(Self {
            problem: string(&table, "problem")?,
            problem_sha256: string(&table, "problem_sha256")?,
            seed: string(&table, "seed")?.parse().map_err(|_| malformed("`seed` is no number"))?,
            answers,
            makers: makers(&table)?,
            notes: Vec::new(),
            tests: tests.iter().map(entry).collect::<Result<_, _>>()?,
        })
    }
}

fn makers(table: &toml::Table) -> Result<Vec<(String, String)>, ManifestError> {
    let Some(toml::Value::Array(makers)) = table.get(MAKERS) else { return Ok(Vec::new()) };
    let maker = |maker: &toml::Value| {
        let maker = maker.as_table().ok_or_else(|| malformed(format!("`{MAKERS}` is no list of tables")))?;
        Ok((string(maker, "run")?, string(maker, "sha256")?))
    };
    makers.iter().take(MAX_TESTS).map(maker).collect()
}

fn malformed(text: impl Into<String>) -> ManifestError {
    ManifestError::Malformed(text.into())
}

fn entry(value: &toml::Value) -> Result<Entry, ManifestError> {
    let table = value.as_table().ok_or_else(|| malformed("`test` is no list of tables"))?;
    let name = string(table, "name")?;
    if !layout::is_test_name(&name) {
        return Err(malformed(format!("`{name}` is not a test's name")));
    }
    let pack = table.contains_key("members");
    let lengths = |key: &str| match table.get(key) {
        Some(toml::Value::Integer(bytes)) if !pack => u64::try_from(*bytes).ok().map(|bytes| vec![bytes]),
        Some(toml::Value::String(text)) if pack => parse_runs(text),
        _ => None,
    };
    let bytes = |key: &str| lengths(key).ok_or_else(|| malformed(format!("`{key}` of `{name}` is wrong")));
    let (input_bytes, answer_bytes) = (bytes("input_bytes")?, bytes("answer_bytes")?);
    if input_bytes.len() != answer_bytes.len() || input_bytes.is_empty() {
        return Err(malformed(format!("`{name}` has not as many answers as inputs")));
    }
    Ok(Entry {
        family: string(table, "family")?,
        group: table.contains_key("group").then(|| string(table, "group")).transpose()?,
        input_sha256: string(table, "input_sha256")?,
        answer_sha256: string(table, "answer_sha256")?,
        pack,
        input_bytes,
        answer_bytes,
        name,
    })
}

fn string(table: &toml::Table, key: &str) -> Result<String, ManifestError> {
    let value = table.get(key).and_then(toml::Value::as_str);
    value.map(str::to_owned).ok_or_else(|| malformed(format!("`{key}` is missing or no text")))
}

/// A TOML string. What is written here are names of our own, but a problem's program may have any path.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

/// `[6, 6, 6, 4]` as `6*3 4`: members of a pack are often as long as their neighbours.
fn runs(lengths: &[u64]) -> String {
    let mut text = String::new();
    for run in lengths.chunk_by(|a, b| a == b) {
        let space = if text.is_empty() { "" } else { " " };
        let _ = match run.len() {
            1 => write!(text, "{space}{}", run[0]),
            times => write!(text, "{space}{}*{times}", run[0]),
        };
    }
    text
}

fn parse_runs(text: &str) -> Option<Vec<u64>> {
    let mut lengths = Vec::new();
    for run in text.split(' ') {
        let (length, times) = run.split_once('*').unwrap_or((run, "1"));
        let (length, times): (u32, usize) = (length.parse().ok()?, times.parse().ok()?);
        if times > MAX_MEMBERS - lengths.len().min(MAX_MEMBERS) {
            return None;
        }
        lengths.resize(lengths.len() + times, u64::from(length));
    }
    Some(lengths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let test = |name: &str, lengths: &[u64], pack: bool| Entry {
            name: name.to_owned(),
            family: "cases".to_owned(),
            group: pack.then(|| "small".to_owned()),
            pack,
            input_sha256: sha256(b"in"),
            answer_sha256: sha256(b"ans"),
            input_bytes: lengths.to_vec(),
            answer_bytes: lengths.to_vec(),
        };
        Manifest {
            problem: "p".to_owned(),
            problem_sha256: sha256(b""),
            seed: u64::MAX,
            answers: Source::Program { path: "odd \"name\"\n.py".to_owned(), sha256: sha256(b"x") },
            makers: vec![("gen.py".to_owned(), sha256(b"gen"))],
            notes: Vec::new(),
            tests: vec![test("cases/a", &[9], false), test("exhaustive/n=1..4", &[6, 6, 6, 4, 6], true)],
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let text = manifest().to_text();
        assert!(text.contains("input_bytes = \"6*3 4 6\""), "{text}");
        assert_eq!(Manifest::parse(&text), Ok(manifest()));
        let unanswered = Manifest { answers: Source::None, ..manifest() };
        assert_eq!(Manifest::parse(&unanswered.to_text()), Ok(unanswered));
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn an_edited_manifest_is_refused() {
        let text = manifest().to_text();
        for (from, to, expected) in [
            ("format = 1", "format = 2", "format 2"),
            ("cases/a", "../../etc/passwd", "not a test's name"),
            ("6*3 4 6", "6*9999999999 4 6", "`input_bytes` of"),
            ("6*3 4 6", "6*3 4", "as many answers"),
            ("seed = ", "seed = 1 #", "`seed`"),
            ("[[test]]", "[[test", "not a manifest"),
        ] {
            let edited = text.replacen(from, to, 1);
            assert_ne!(edited, text, "{from}");
            let message = Manifest::parse(&edited).unwrap_err().to_string();
            assert!(message.contains(expected), "{expected}: {message}");
        }
    }
}
