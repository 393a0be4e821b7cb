//! Which language a file is in, by its name or by what the user said. Never opens the file.

use std::path::Path;

use crate::lang::table::{Language, Table};

/// Why a file's language is not known. The message says what is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DetectError {
    /// `--language` names none of the table.
    #[error("unknown language `{name}`: expected one of {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// All ids.
        known: String,
    },
    /// The file's name ends like none of the table.
    #[error(
        "`{file}`: the ending {ending} belongs to no known language; say which with --language (one of {known})"
    )]
    Ending {
        /// The file's name.
        file: String,
        /// Its ending, or that there is none.
        ending: String,
        /// All ids.
        known: String,
    },
    /// The ending means different languages to different people.
    #[error("`{file}`: `.C` is C++ to some and C to others; say which with --language cpp or --language c")]
    Ambiguous {
        /// The file's name.
        file: String,
    },
}

/// The language of the file at `path`: the `forced` one, else by the ending of its name.
///
/// # Errors
/// When the language is unknown or the ending says nothing.
pub fn detect<'a>(table: &'a Table, path: &Path, forced: Option<&str>) -> Result<&'a Language, DetectError> {
    if let Some(name) = forced {
        let unknown = || DetectError::Unknown { name: name.to_owned(), known: table.ids() };
        return table.language(name).ok_or_else(unknown);
    }
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let Some(ending) = path.extension().and_then(|ending| ending.to_str()) else {
        return Err(DetectError::Ending { file, ending: "(none)".to_owned(), known: table.ids() });
    };
    if ending == "C" {
        return Err(DetectError::Ambiguous { file });
    }
    let lower = ending.to_lowercase();
    let has = |language: &&Language| language.extensions.contains(&lower);
    table.languages().iter().find(has).ok_or_else(|| DetectError::Ending {
        file,
        ending: format!("`.{ending}`"),
        known: table.ids(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(path: &str, forced: Option<&str>) -> Result<String, String> {
        detect(Table::built_in(), Path::new(path), forced)
            .map(|language| language.id.clone())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn endings_are_known_in_either_letter_case() {
        for (path, language) in [
            ("a b/x.cpp", "cpp"),
            ("x.CC", "cpp"),
            ("./-rf.py", "python"),
            ("Main.java", "java"),
            ("ข้อ 1.py", "python"),
            ("x.tar.rs", "rust"),
            ("x.mjs", "javascript"),
            ("x.c", "c"),
        ] {
            assert_eq!(id(path, None).as_deref(), Ok(language), "{path}");
        }
        assert_eq!(id("x.cpp", Some("rust-checked")).as_deref(), Ok("rust-checked"));
        assert_eq!(id("x", Some("C++")).as_deref(), Ok("cpp"));
    }

    #[test]
    fn what_is_not_known_is_refused_with_the_list() {
        assert!(id("x.C", None).unwrap_err().contains("--language cpp"));
        assert!(id("x.txt", None).unwrap_err().contains("`.txt`"));
        assert!(id("Makefile", None).unwrap_err().contains("python"));
        assert!(id(".py", None).is_err());
        assert!(id("x.cpp", Some("cobol")).unwrap_err().contains("cpp, c, rust"));
    }
}
