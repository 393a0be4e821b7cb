//! Compiled programs on disk, by the hash of everything that made them. Entries are whole or absent, and two judges may
//! share one cache. Never trusts what a build left behind: only plain files are taken over, as copies of the judge's own.
//!
//! ```text
//! <cache>/programs/<key>/program.json   what is known of the program: written last, so its presence means "whole"
//! <cache>/programs/<key>/…              the files that run
//! <cache>/building/<random>/            one build at work, or what a killed judge left of one
//! ```

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

/// Programs that are kept; when there are more, the longest unused go.
const PROGRAMS: usize = 1000;
const PROGRAMS_AFTER_PRUNING: usize = 750;

/// A build that is older was left by a judge that is gone.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// Files of one program, and how deep they may lie.
const FILES: usize = 1_000;
const DEPTH: usize = 64;

const RECORD: &str = "program.json";

/// A compiled program in the cache.
#[derive(Debug)]
pub(in crate::lang) struct Entry {
    pub(in crate::lang) folder: PathBuf,
    pub(in crate::lang) record: Record,
}

/// What is known of a compiled program besides its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::lang) struct Record {
    /// The file or folder that runs.
    pub(in crate::lang) program: String,
    /// Which of the ways that this machine has made it.
    pub(in crate::lang) way: usize,
    /// The class to start, in Java.
    pub(in crate::lang) main_class: Option<String>,
    /// What the compiler said.
    pub(in crate::lang) log: String,
}

/// The program with this key, if it is there; it counts as used now.
pub(in crate::lang) fn look_up(cache: &Path, key: &str) -> Option<Entry> {
    let folder = cache.join("programs").join(key);
    let text = fs::read(folder.join(RECORD)).ok()?;
    let record: Record = serde_json::from_slice(&text).ok()?;
    // One that somebody took the rights from is made anew, else it would fail for ever.
    let program = fs::metadata(folder.join(&record.program)).ok()?;
    let may_start = program.is_dir() || has_mode(&program, FILE_MODE);
    if !may_start || !is_readable(&folder, KEPT_DEPTH) {
        return None;
    }
    touch(&folder);
    Some(Entry { folder, record })
}

/// Modes of what is kept: readable and executable to everybody, files writable to nobody.
const FOLDER_MODE: u32 = 0o755;
const FILE_MODE: u32 = 0o555;
/// How deep what is kept may lie below the folder of its program.
const KEPT_DEPTH: usize = DEPTH + 2;
/// The record is data.
const RECORD_MODE: u32 = 0o444;

/// Whether everybody may still read what was kept, with all that lies in it.
fn is_readable(kept: &Path, depth: usize) -> bool {
    let Ok(found) = fs::symlink_metadata(kept) else { return false };
    if !found.is_dir() {
        return has_mode(&found, RECORD_MODE);
    }
    let (true, Some(depth)) = (has_mode(&found, FOLDER_MODE), depth.checked_sub(1)) else { return false };
    fs::read_dir(kept).is_ok_and(|mut entries| {
        entries.all(|entry| entry.is_ok_and(|entry| is_readable(&entry.path(), depth)))
    })
}

/// Whether everything that `mode` allows is allowed.
fn has_mode(kept: &Metadata, mode: u32) -> bool {
    kept.permissions().mode() & mode == mode
}

/// A folder for one build, which is removed when it goes out of use, however deep a compiler has made it.
#[derive(Debug)]
pub(in crate::lang) struct Place(PathBuf);

impl Place {
    pub(in crate::lang) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// Makes a folder for one build.
pub(in crate::lang) fn building_place(cache: &Path) -> io::Result<Place> {
    let folder = cache.join("building");
    fs::create_dir_all(&folder)?;
    Ok(Place(tempfile::Builder::new().prefix("build-").tempdir_in(folder)?.keep()))
}

/// Takes `outputs` of the build in `place` into the cache. When another judge was faster, its entry is as good.
pub(in crate::lang) fn keep(
    cache: &Path,
    key: &str,
    place: &Path,
    outputs: &[String],
    record: Record,
) -> io::Result<Entry> {
    let whole = building_place(cache)?;
    let mut left = FILES;
    for output in outputs {
        copy(&place.join(output), &whole.path().join(output), DEPTH, &mut left)?;
    }
    fs::write(whole.path().join(RECORD), serde_json::to_vec(&record)?)?;
    fs::set_permissions(whole.path().join(RECORD), Permissions::from_mode(RECORD_MODE))?;
    fs::set_permissions(whole.path(), Permissions::from_mode(FOLDER_MODE))?;
    let programs = cache.join("programs");
    fs::create_dir_all(&programs)?;
    let folder = programs.join(key);
    if look_up(cache, key).is_none() {
        // Something that is no whole entry may lie there since a disk was full.
        remove(&folder);
        match fs::rename(whole.path(), &folder) {
            Ok(()) => {}
            Err(_) if look_up(cache, key).is_some() => {}
            Err(error) => return Err(error),
        }
    }
    prune(cache);
    Ok(Entry { folder, record })
}

/// Whether what [`keep`] failed at is the build's own doing, and not the disk's.
pub(in crate::lang) fn is_of_the_build(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Other && error.raw_os_error().is_none()
}

/// Copies a plain file, or a folder of plain files, readable and executable to everybody and writable to nobody.
fn copy(from: &Path, to: &Path, depth: usize, left: &mut usize) -> io::Result<()> {
    let too_many = || io::Error::other("the build left too many files");
    *left = left.checked_sub(1).ok_or_else(too_many)?;
    // A link could lead anywhere, and a pipe would be read for ever.
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(from)?;
    let kind = file.metadata()?;
    if kind.is_dir() {
        let depth = depth.checked_sub(1).ok_or_else(too_many)?;
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()), depth, left)?;
        }
        return fs::set_permissions(to, Permissions::from_mode(FOLDER_MODE));
    }
    if !kind.is_file() {
        return Err(io::Error::other("the build left something that is no file"));
    }
    let mut copied = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
    io::copy(&mut &file, &mut copied)?;
    copied.set_permissions(Permissions::from_mode(FILE_MODE))
}

/// Marks an entry as used, so that it is the last to go. A cache that can't be written to is still good to read.
fn touch(folder: &Path) {
    use nix::sys::stat::{UtimensatFlags, utimensat};
    use nix::sys::time::TimeSpec;
    let now = TimeSpec::UTIME_NOW;
    utimensat(nix::fcntl::AT_FDCWD, folder, &now, &now, UtimensatFlags::NoFollowSymlink).ok();
}

/// Removes what was not used for the longest time, and what killed judges left. Errors are no matter: the next will do.
fn prune(cache: &Path) {
    let mut programs = by_age(&cache.join("programs"));
    if programs.len() > PROGRAMS {
        programs.truncate(programs.len() - PROGRAMS_AFTER_PRUNING);
        programs.iter().for_each(|(_, folder)| remove(folder));
    }
    let builds = by_age(&cache.join("building"));
    let Some((newest, _)) = builds.last().cloned() else { return };
    for (changed, folder) in builds {
        if newest.duration_since(changed).is_ok_and(|age| age > ABANDONED) {
            remove(&folder);
        }
    }
}

fn by_age(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let dated = entries.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())));
    let mut dated: Vec<_> = dated.collect();
    dated.sort();
    dated
}

/// Errors are no matter: what is left is tried again when its time has come.
fn remove(folder: &Path) {
    crate::sandbox::remove_folder(folder).ok();
}

/// Writes a file that a build reads.
pub(in crate::lang) fn write_source(folder: &Path, name: &str, text: &[u8]) -> io::Result<()> {
    let path = folder.join(name);
    fs::write(&path, text)?;
    File::open(&path)?.set_permissions(Permissions::from_mode(0o644))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn record(log: &str) -> Record {
        Record { program: "main".to_owned(), way: 0, main_class: None, log: log.to_owned() }
    }

    fn outputs() -> Vec<String> {
        vec!["main".to_owned(), "classes".to_owned()]
    }

    fn built(cache: &Path) -> Place {
        let place = building_place(cache).unwrap();
        fs::write(place.path().join("main"), "program").unwrap();
        fs::create_dir(place.path().join("classes")).unwrap();
        fs::write(place.path().join("classes/A.class"), "class").unwrap();
        fs::write(place.path().join("main.cpp"), "source").unwrap();
        place
    }

    #[test]
    fn what_was_kept_is_found_again_and_nothing_else_is_kept() {
        let cache = tempfile::tempdir().unwrap();
        assert!(look_up(cache.path(), "key").is_none());
        let place = built(cache.path());
        let kept = keep(cache.path(), "key", place.path(), &outputs(), record("said")).unwrap();
        let found = look_up(cache.path(), "key").unwrap();
        assert_eq!((&found.record, &found.folder), (&record("said"), &kept.folder));
        assert_eq!(fs::read(found.folder.join("classes/A.class")).unwrap(), b"class");
        assert!(!found.folder.join("main.cpp").exists());
        let mode = fs::metadata(found.folder.join("main")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o555);
        drop(place);
        assert_eq!(fs::read_dir(cache.path().join("building")).unwrap().count(), 0);
    }

    #[test]
    fn the_second_of_two_judges_takes_the_firsts_entry() {
        let cache = tempfile::tempdir().unwrap();
        for log in ["first", "second"] {
            let place = built(cache.path());
            keep(cache.path(), "key", place.path(), &outputs(), record(log)).unwrap();
        }
        assert_eq!(look_up(cache.path(), "key").unwrap().record.log, "first");
    }

    #[test]
    fn half_an_entry_is_none_and_is_replaced() {
        let cache = tempfile::tempdir().unwrap();
        let half = cache.path().join("programs/key");
        fs::create_dir_all(&half).unwrap();
        fs::write(half.join(RECORD), serde_json::to_vec(&record("half")).unwrap()).unwrap();
        assert!(look_up(cache.path(), "key").is_none());
        let place = built(cache.path());
        keep(cache.path(), "key", place.path(), &outputs(), record("whole")).unwrap();
        assert_eq!(look_up(cache.path(), "key").unwrap().record.log, "whole");
    }

    #[test]
    fn a_program_whose_rights_were_taken_is_made_anew() {
        let cache = tempfile::tempdir().unwrap();
        for closed in ["main", "program.json", "classes/A.class", "classes", "."] {
            let place = built(cache.path());
            let kept = keep(cache.path(), "key", place.path(), &outputs(), record(closed)).unwrap();
            assert_eq!(look_up(cache.path(), "key").unwrap().record.log, closed);
            fs::set_permissions(kept.folder.join(closed), Permissions::from_mode(0o0)).unwrap();
            assert!(look_up(cache.path(), "key").is_none(), "{closed}");
        }
        // The last one closed the whole folder, and the next build has to get past that.
        let place = built(cache.path());
        keep(cache.path(), "key", place.path(), &outputs(), record("again")).unwrap();
        assert_eq!(look_up(cache.path(), "key").unwrap().record.log, "again");
    }

    #[test]
    fn links_and_pipes_of_a_build_are_not_taken_over() {
        let cache = tempfile::tempdir().unwrap();
        for make in [(|at: &Path| symlink("/etc/passwd", at).unwrap()) as fn(&Path), |at| {
            nix::unistd::mkfifo(at, nix::sys::stat::Mode::S_IRUSR).unwrap();
        }] {
            let place = building_place(cache.path()).unwrap();
            make(&place.path().join("main"));
            let kept = keep(cache.path(), "key", place.path(), &["main".to_owned()], record(""));
            assert!(kept.is_err());
            assert!(look_up(cache.path(), "key").is_none());
        }
    }

    #[test]
    fn the_longest_unused_go_first() {
        let cache = tempfile::tempdir().unwrap();
        let programs = cache.path().join("programs");
        for n in 0..=PROGRAMS {
            let folder = programs.join(format!("{n:04}"));
            fs::create_dir_all(&folder).unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(n as u64);
            File::open(&folder).unwrap().set_modified(time).unwrap();
        }
        touch(&programs.join("0000"));
        prune(cache.path());
        assert_eq!(fs::read_dir(&programs).unwrap().count(), PROGRAMS_AFTER_PRUNING);
        assert!(programs.join("0000").exists() && !programs.join("0001").exists());
    }
}
