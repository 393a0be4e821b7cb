//! What of the machine a program may see: the system's own programs and libraries, a few harmless files, and what its
//! language needs. No home, no secrets, no other tests, no answers. Decides only; the zygote mounts.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::SandboxError;
use super::linux::landlock::Beneath;
use super::linux::mounts;
use super::spec::Files;
use super::wire::{Access, Entry};

/// Settings that some runtimes will not start without once they see that they are there.
const CRYPTOGRAPHY: [&str; 2] = ["/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf"];
/// Folders of programs and libraries. Where one is a link into another, as `/bin` mostly is, the link is made.
const SYSTEM: [&str; 8] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];
/// Below `/etc`: what toolchains are configured by. A star stands for the rest of the name.
const SETTINGS: [&str; 6] = ["alternatives", "java*", "fpc*", "mono", "ghc*", "node*"];
const LIBRARY_CACHE: &str = "/etc/ld.so.cache";
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
const DEVICE_LINKS: [(&str, &str); 4] = [
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
];

/// Most rules that may stand for one folder, since each costs a little at every start.
const RULES_AROUND: usize = 4096;

/// What a root shows and covers so far, to find out what is seen at a path.
#[derive(Default)]
struct Sight {
    tree: Vec<Entry>,
    /// Paths in the tree, and whether what lies below each is seen.
    known: Vec<(PathBuf, bool)>,
}

impl Sight {
    fn bind(&mut self, path: &Path, access: Access) {
        self.tree.push(Entry::Bind { path: bytes(path), access });
        self.known.push((path.to_owned(), true));
    }

    /// Whether what lies at `path` is seen already: the innermost folder around it decides.
    fn sees(&self, path: &Path) -> bool {
        let around = self.known.iter().filter(|(known, _)| path.starts_with(known));
        around.max_by_key(|(known, _)| known.components().count()).is_some_and(|(_, is_seen)| *is_seen)
    }

    fn cover(&mut self, path: &Path) -> Result<(), SandboxError> {
        if !self.sees(path) {
            return Ok(());
        }
        if self.known.iter().any(|(known, _)| known == path) || mounts::resolved(path).is_some() {
            return Err(cannot_hide(path));
        }
        self.tree.push(Entry::Cover { path: bytes(path) });
        self.known.push((path.to_owned(), false));
        Ok(())
    }
}

/// Everything that the root of a box with these files holds, parents first.
pub(crate) fn tree(files: &Files, hidden: &[PathBuf]) -> Result<Vec<Entry>, SandboxError> {
    let mut sight = Sight::default();
    for path in SYSTEM {
        match fs::symlink_metadata(path) {
            Ok(found) if found.is_symlink() => {
                if let Ok(target) = fs::read_link(path) {
                    sight.tree.push(Entry::Link { path: bytes(path), target: bytes(&target) });
                    sight.known.push((PathBuf::from(path), true));
                }
            }
            Ok(found) if found.is_dir() => sight.bind(Path::new(path), Access::Read),
            _ => {}
        }
    }
    for path in settings() {
        sight.bind(&path, Access::Read);
    }
    small_files(&mut sight.tree);
    let hidden = without_links(hidden);
    for (path, wanted) in by_depth(files, &hidden) {
        match wanted {
            Wanted::Shown(Access::Read) if sight.sees(&path) => {}
            Wanted::Shown(access) => sight.bind(&path, access),
            Wanted::Covered => sight.cover(&path)?,
        }
    }
    Ok(sight.tree)
}

/// What is to become of a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Wanted {
    Shown(Access),
    Covered,
}

/// What is to be shown and covered besides the system. A path shows, or covers, all that lies below it, so the shortest
/// come first.
fn by_depth(files: &Files, hidden: &[PathBuf]) -> Vec<(PathBuf, Wanted)> {
    let (readable, folder) = match files {
        Files::Fresh { readable } => (readable, None),
        Files::Folder { folder, readable } => (readable, Some(folder)),
    };
    let readable = readable.iter().map(|path| (path, Access::Read));
    let mut wanted = Vec::new();
    for (path, access) in readable.chain(folder.map(|folder| (folder, Access::Write))) {
        wanted.push((path.clone(), Wanted::Shown(access)));
        // A link that is seen would lead into a cover.
        let real = path.canonicalize().ok().filter(|real| real != path);
        wanted.extend(
            real.filter(|real| hidden.iter().any(|folder| real.starts_with(folder)))
                .map(|real| (real, Wanted::Shown(access))),
        );
    }
    wanted.extend(hidden.iter().map(|folder| (folder.clone(), Wanted::Covered)));
    wanted.sort_by_key(|(path, wanted)| (path.components().count(), *wanted));
    wanted
}

/// The folders by the names that mounts and rules go by. One that is not there yet hides nothing yet.
fn without_links(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> =
        folders.iter().filter_map(|folder| folder.canonicalize().ok()).filter(|path| path.is_dir()).collect();
    found.sort();
    found.dedup();
    found
}

fn cannot_hide(folder: &Path) -> SandboxError {
    SandboxError::Unavailable {
        what: "hiding tests and answers from programs",
        why: format!(
            "programs need to see the folder they are in; move what is in `{}` elsewhere, as below a home",
            folder.display()
        ),
    }
}

/// Files and devices of which each program sees the same.
fn small_files(tree: &mut Vec<Entry>) {
    if Path::new(LIBRARY_CACHE).exists() {
        tree.push(Entry::Copy { path: bytes(LIBRARY_CACHE) });
    }
    let user = "root:x:0:0::/:/bin/sh\nprogram:x:65534:65534::/box/run/here:/bin/sh\n";
    tree.push(Entry::File { path: bytes("/etc/passwd"), bytes: user.into() });
    tree.push(Entry::File { path: bytes("/etc/group"), bytes: b"root:x:0:\nprogram:x:65534:\n".to_vec() });
    let devices = DEVICES.into_iter().filter(|path| Path::new(path).exists());
    tree.extend(devices.map(|path| Entry::Bind { path: bytes(path), access: Access::Device }));
    let links = DEVICE_LINKS.into_iter();
    tree.extend(links.map(|(path, target)| Entry::Link { path: bytes(path), target: bytes(target) }));
}

/// What a program without walls may touch, as rules for Landlock. `work` holds its folder. A rule holds for all that lies
/// below its folder, and none can take that back: around what is hidden the rules are for what lies beside it.
pub(crate) fn rules(
    files: &Files,
    work: &Path,
    hidden: &[PathBuf],
) -> Result<Vec<(PathBuf, Beneath)>, SandboxError> {
    let (readable, folder) = match files {
        Files::Fresh { readable } => (readable, None),
        Files::Folder { folder, readable } => (readable, Some(folder)),
    };
    let read = SYSTEM
        .into_iter()
        .chain([LIBRARY_CACHE, "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/localtime", "/proc"])
        .chain(CRYPTOGRAPHY)
        .chain(["/sys/devices/system/cpu", "/dev/fd"])
        .map(PathBuf::from)
        .chain(settings())
        .chain(readable.iter().cloned());
    let hidden = without_links(hidden);
    let mut rules = Vec::new();
    for path in read {
        let mut around = Vec::new();
        beside(path, &hidden, &mut around)?;
        rules.extend(around.into_iter().map(|path| (path, Beneath::Read)));
    }
    let write = DEVICES
        .into_iter()
        .map(PathBuf::from)
        .chain([work.to_owned()])
        .chain(folder.cloned())
        .map(|path| (path, Beneath::Write));
    rules.extend(write);
    Ok(rules)
}

/// What together shows all that lies in `path` but the hidden folders.
fn beside(path: PathBuf, hidden: &[PathBuf], rules: &mut Vec<PathBuf>) -> Result<(), SandboxError> {
    let real = path.canonicalize().ok();
    let within = real.as_ref().and_then(|real| hidden.iter().find(|folder| folder.starts_with(real)));
    let (Some(real), Some(folder)) = (real, within) else {
        rules.push(path);
        return Ok(());
    };
    if real == *folder || rules.len() >= RULES_AROUND {
        return Err(cannot_hide(folder));
    }
    for entry in fs::read_dir(&real).into_iter().flatten().flatten() {
        let inside = entry.path();
        // What a link leads to has a rule of its own, or none.
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if !is_link && !hidden.contains(&inside) {
            beside(inside, hidden, rules)?;
        }
        if rules.len() > RULES_AROUND {
            return Err(cannot_hide(folder));
        }
    }
    Ok(())
}

/// The folders and files below `/etc` that are shown.
fn settings() -> Vec<PathBuf> {
    let wanted = |name: &str| {
        SETTINGS.into_iter().any(|pattern| match pattern.strip_suffix('*') {
            Some(stem) => name.starts_with(stem),
            None => name == pattern,
        })
    };
    let Ok(entries) = fs::read_dir("/etc") else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_str().is_some_and(wanted))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

fn bytes(path: impl AsRef<Path>) -> Vec<u8> {
    path.as_ref().as_os_str().as_bytes().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn binds(files: &Files) -> Vec<(String, Access)> {
        let binds = tree(files, &[]).unwrap().into_iter().filter_map(|entry| match entry {
            Entry::Bind { path, access } => Some((String::from_utf8(path).unwrap(), access)),
            _ => None,
        });
        binds.collect()
    }

    #[test]
    fn what_is_shown_already_is_not_shown_twice() {
        let readable = vec!["/opt/tool/bin".into(), "/usr/bin/python3".into(), "/opt/tool".into()];
        let binds = binds(&Files::Folder { folder: "/opt/tool/work".into(), readable });
        assert!(binds.contains(&("/usr".to_owned(), Access::Read)));
        assert!(binds.contains(&("/opt/tool".to_owned(), Access::Read)));
        assert!(binds.contains(&("/opt/tool/work".to_owned(), Access::Write)));
        assert!(!binds.iter().any(|(path, _)| path == "/opt/tool/bin" || path == "/usr/bin/python3"));
    }

    #[test]
    fn what_is_hidden_is_covered_and_what_is_needed_of_it_is_not() {
        let hidden = ["/usr/lib".into(), "/".into(), "/nonexistent".into()];
        let needed = PathBuf::from("/usr/lib/needed");
        let tree = tree(&Files::Fresh { readable: vec![needed.clone()] }, &hidden).unwrap();
        let at = |wanted: Entry| tree.iter().position(|entry| *entry == wanted);
        let around = at(Entry::Bind { path: bytes("/usr"), access: Access::Read }).unwrap();
        let cover = at(Entry::Cover { path: bytes("/usr/lib") }).unwrap();
        let inside = at(Entry::Bind { path: bytes(needed), access: Access::Read }).unwrap();
        assert!(around < cover && cover < inside);
        // What nothing shows need not be covered.
        let covers = tree.iter().filter(|entry| matches!(entry, Entry::Cover { .. }));
        assert_eq!(covers.count(), 1);
    }

    #[test]
    fn no_rule_is_for_a_folder_around_a_hidden_one() {
        let fresh = Files::Fresh { readable: Vec::new() };
        let hidden = PathBuf::from("/usr/share");
        let rules = rules(&fresh, Path::new("/tmp"), std::slice::from_ref(&hidden)).unwrap();
        assert!(rules.contains(&("/usr/bin".into(), Beneath::Read)));
        assert!(rules.iter().all(|(path, _)| !hidden.starts_with(path) && !path.starts_with(&hidden)));
    }

    #[test]
    fn what_programs_cannot_do_without_is_not_hidden_in_silence() {
        let fresh = Files::Fresh { readable: Vec::new() };
        let hidden = [PathBuf::from("/usr")];
        assert!(matches!(tree(&fresh, &hidden), Err(SandboxError::Unavailable { .. })));
        assert!(matches!(rules(&fresh, Path::new("/tmp"), &hidden), Err(SandboxError::Unavailable { .. })));
    }

    #[test]
    fn no_home_and_no_secret_is_shown() {
        let binds = binds(&Files::Fresh { readable: Vec::new() });
        for path in ["/", "/etc", "/home", "/root", "/etc/shadow", "/proc", "/sys", "/dev"] {
            assert!(!binds.iter().any(|(shown, _)| shown == path), "{path}");
        }
    }
}
