//! What of the machine a program may see: the system's own programs and libraries, a few harmless files, and what its
//! language needs. No home, no secrets, no other tests, no answers. Decides only; the zygote mounts.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::linux::landlock::Beneath;
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

/// Everything that the root of a box with these files holds, parents first.
pub(crate) fn tree(files: &Files) -> Vec<Entry> {
    let mut tree = Vec::new();
    let mut covered = Vec::new();
    for path in SYSTEM {
        match fs::symlink_metadata(path) {
            Ok(found) if found.is_symlink() => {
                if let Ok(target) = fs::read_link(path) {
                    tree.push(Entry::Link { path: bytes(path), target: bytes(&target) });
                    covered.push(PathBuf::from(path));
                }
            }
            Ok(found) if found.is_dir() => {
                tree.push(Entry::Bind { path: bytes(path), access: Access::Read });
                covered.push(PathBuf::from(path));
            }
            _ => {}
        }
    }
    for path in settings() {
        tree.push(Entry::Bind { path: bytes(&path), access: Access::Read });
        covered.push(path);
    }
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
    let (readable, folder) = match files {
        Files::Fresh { readable } => (readable, None),
        Files::Folder { folder, readable } => (readable, Some(folder)),
    };
    // A path shows all that lies below it, so the shortest come first and cover the others.
    let mut wanted: Vec<(&PathBuf, Access)> = readable.iter().map(|path| (path, Access::Read)).collect();
    wanted.extend(folder.map(|folder| (folder, Access::Write)));
    wanted.sort_by_key(|(path, _)| path.components().count());
    for (path, access) in wanted {
        if access == Access::Read && covered.iter().any(|above| path.starts_with(above)) {
            continue;
        }
        tree.push(Entry::Bind { path: bytes(path), access });
        covered.push(path.clone());
    }
    tree
}

/// What a program without walls may touch, as rules for Landlock. `work` holds its folder.
pub(crate) fn rules(files: &Files, work: &Path) -> Vec<(PathBuf, Beneath)> {
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
        .chain(readable.iter().cloned())
        .map(|path| (path, Beneath::Read));
    let write = DEVICES
        .into_iter()
        .map(PathBuf::from)
        .chain([work.to_owned()])
        .chain(folder.cloned())
        .map(|path| (path, Beneath::Write));
    read.chain(write).collect()
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
        let binds = tree(files).into_iter().filter_map(|entry| match entry {
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
    fn no_home_and_no_secret_is_shown() {
        let binds = binds(&Files::Fresh { readable: Vec::new() });
        for path in ["/", "/etc", "/home", "/root", "/etc/shadow", "/proc", "/sys", "/dev"] {
            assert!(!binds.iter().any(|(shown, _)| shown == path), "{path}");
        }
    }
}
