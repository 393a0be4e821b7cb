//! What a command knows of the process it runs in: folders, `PATH`, its own binary, and where text goes. Read once at
//! the start, so that no room below has to look at the environment.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use crate::cli::CliError;

/// The process around a command.
#[derive(Clone, Debug)]
pub struct Context {
    /// Where the command was given.
    pub working_folder: PathBuf,
    /// The cache folder; made when something is first put there.
    pub cache: PathBuf,
    /// The folder for what people keep, as logins; `None` for somebody without a home.
    pub config: Option<PathBuf>,
    /// This binary, which the sandbox starts again as its zygote.
    pub launcher: PathBuf,
    /// The file of certificates that `SSL_CERT_FILE` names.
    pub certificates: Option<PathBuf>,
    /// Whether there is a desktop that a browser could open on.
    pub has_display: bool,
    /// The value of `PATH`, where toolchains are looked for.
    pub path: OsString,
    /// Cores this process may use.
    pub cores: usize,
    /// Standard output is a terminal.
    pub stdout_is_terminal: bool,
    /// Standard error is a terminal.
    pub stderr_is_terminal: bool,
    /// `COLUMNS`, else the columns of the terminal; 80 when there is none.
    pub width: usize,
    /// Text on standard output may be coloured.
    pub color: bool,
}

/// Columns when nothing is known, and the most that tables use.
const DEFAULT_WIDTH: usize = 80;

impl Context {
    /// Reads the process.
    ///
    /// # Errors
    /// When the working folder or this binary cannot be named, or there is no place for a cache.
    pub fn of_process() -> Result<Self, CliError> {
        let working_folder = std::env::current_dir().map_err(|error| {
            CliError::Wrong(format!("cannot tell the current folder: {error}; go to another one"))
        })?;
        let launcher = std::env::current_exe()
            .map_err(|error| CliError::Judge(format!("cannot find this program's own file: {error}")))?;
        let stated = std::env::var_os("COLUMNS").and_then(|value| value.to_str()?.parse().ok());
        let columns =
            stated.or_else(|| Some(usize::from(terminal_size::terminal_size_of(io::stdout())?.0.0)));
        Ok(Self {
            cache: match cache_folder(
                std::env::var_os("XDG_CACHE_HOME"),
                std::env::var_os("HOME"),
                nix::unistd::geteuid().is_root(),
            ) {
                Some(folder) => folder,
                None => own_folder(&std::env::temp_dir(), nix::unistd::geteuid().as_raw())?,
            },
            config: config_folder(std::env::var_os("XDG_CONFIG_HOME"), std::env::var_os("HOME")),
            certificates: std::env::var_os("SSL_CERT_FILE")
                .filter(|file| !file.is_empty())
                .map(PathBuf::from),
            has_display: ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some()),
            working_folder,
            launcher,
            path: std::env::var_os("PATH").unwrap_or_default(),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            stdout_is_terminal: io::stdout().is_terminal(),
            stderr_is_terminal: io::stderr().is_terminal(),
            width: columns.filter(|columns| (20..=500).contains(columns)).unwrap_or(DEFAULT_WIDTH),
            color: anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
        })
    }

    /// Standard output: colours only where they are wanted, and a reader that went away is no error.
    pub fn stdout(&self) -> impl Write + use<> {
        UntilClosed { stream: anstream::stdout(), closed: false }
    }

    /// Standard error, in the same way.
    pub fn stderr(&self) -> impl Write + use<> {
        stderr()
    }
}

/// Standard error: colours only where they are wanted, and a reader that went away is no error.
pub(crate) fn stderr() -> impl Write {
    UntilClosed { stream: anstream::stderr(), closed: false }
}

/// `$XDG_CACHE_HOME/touchstone`, else `/var/cache/touchstone` for root, whose home is closed to the users that programs
/// run as, else `~/.cache/touchstone`. Relative values do not count, as the XDG base directory specification says.
fn cache_folder(xdg: Option<OsString>, home: Option<OsString>, is_root: bool) -> Option<PathBuf> {
    let absolute = |value: Option<OsString>| value.map(PathBuf::from).filter(|path| path.is_absolute());
    let of_root = is_root.then(|| PathBuf::from("/var/cache"));
    let parent = absolute(xdg).or(of_root).or_else(|| absolute(home).map(|home| home.join(".cache")));
    parent.map(|parent| parent.join("touchstone"))
}

/// `$XDG_CONFIG_HOME/touchstone`, else `~/.config/touchstone`.
fn config_folder(xdg: Option<OsString>, home: Option<OsString>) -> Option<PathBuf> {
    let absolute = |value: Option<OsString>| value.map(PathBuf::from).filter(|path| path.is_absolute());
    let parent = absolute(xdg).or_else(|| absolute(home).map(|home| home.join(".config")));
    parent.map(|parent| parent.join("touchstone"))
}

/// The cache of a user without a home, among everybody's temporary files: whatever stands there already may be another
/// user's, who would then say what is compiled and which verdicts are known.
fn own_folder(temporary: &Path, user: u32) -> Result<PathBuf, CliError> {
    let folder = temporary.join(format!("touchstone-{user}"));
    let made = std::fs::DirBuilder::new().mode(0o700).create(&folder);
    let is_own = match std::fs::symlink_metadata(&folder) {
        Ok(found) => found.is_dir() && found.uid() == user && found.mode() & 0o022 == 0,
        Err(_) => made.is_ok(),
    };
    if is_own {
        return Ok(folder);
    }
    let cause = match made {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => error.to_string(),
        _ => "it is not a folder that only you can write to".to_owned(),
    };
    Err(CliError::Wrong(format!(
        "no place for a cache: neither HOME nor XDG_CACHE_HOME is set, and `{}` cannot be used: {cause}; set one of the two",
        folder.display()
    )))
}

/// Writes until the reader has gone, then takes everything without a word.
struct UntilClosed<S> {
    stream: S,
    closed: bool,
}

impl<S: Write> UntilClosed<S> {
    fn quiet<T>(&mut self, result: io::Result<T>, when_closed: T) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(when_closed)
            }
            other => other,
        }
    }
}

impl<S: Write> Write for UntilClosed<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(bytes.len());
        }
        let result = self.stream.write(bytes);
        self.quiet(result, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        let result = self.stream.flush();
        self.quiet(result, ())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_cache_is_found_as_xdg_says() {
        let folder = |xdg: Option<&str>, home: Option<&str>, is_root| {
            cache_folder(xdg.map(Into::into), home.map(Into::into), is_root)
        };
        let path = |path: &str| Some(PathBuf::from(path));
        assert_eq!(folder(Some("/x"), Some("/h"), false), path("/x/touchstone"));
        assert_eq!(folder(None, Some("/h"), true), path("/var/cache/touchstone"));
        assert_eq!(folder(None, Some("/h"), false), path("/h/.cache/touchstone"));
        assert_eq!(folder(Some("relative"), Some("/h"), false), path("/h/.cache/touchstone"));
        assert_eq!(folder(Some(""), None, false), None);
    }

    #[test]
    fn a_cache_among_temporary_files_is_ones_own_or_none() {
        let temporary = tempfile::tempdir().unwrap();
        let user = nix::unistd::geteuid().as_raw();
        let folder = temporary.path().join(format!("touchstone-{user}"));
        for _ in 0..2 {
            assert_eq!(own_folder(temporary.path(), user).unwrap(), folder);
        }
        let set_mode =
            |mode| std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(std::fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        set_mode(0o777);
        assert!(own_folder(temporary.path(), user).unwrap_err().to_string().contains("XDG_CACHE_HOME"));
        set_mode(0o700);
        let moved = temporary.path().join("elsewhere");
        std::fs::rename(&folder, &moved).unwrap();
        std::os::unix::fs::symlink(&moved, &folder).unwrap();
        assert!(own_folder(temporary.path(), user).is_err());
        assert!(own_folder(&temporary.path().join("none"), user).is_err());
    }

    #[test]
    fn a_reader_that_went_away_is_no_error() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
        }
        let mut stream = UntilClosed { stream: Closed, closed: false };
        assert!(stream.write_all(b"text").is_ok() && stream.flush().is_ok() && stream.closed);
    }
}
