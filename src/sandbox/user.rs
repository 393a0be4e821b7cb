//! Which user a program runs as when the judge is root: one without rights, and one of its own for each worker, so that
//! neighbours cannot signal each other. Never changes the judge's own user.

use std::fs;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::Path;

use super::link::UserMap;
use super::spec::{Files, Spec};
use super::wire::Walls;

/// First of the numbers used: those that systems set aside for users made up as needed.
const FIRST_USER: u32 = 61_184;
/// How many pairs of users are used in turn.
const PAIRS: u32 = 2_048;
/// How many pairs are tried before one is shared.
const TRIES: usize = 256;
/// Where those numbers do not exist, as in a container with few users.
const NOBODY: u32 = 65_534;

/// How many threads a user may start elsewhere, while a run goes on that shares the count, before the run gets fewer.
const OTHERS: u64 = 256;

/// The most threads that this process's user may have while a program of theirs runs that may have `processes`: limits
/// count a user's threads wherever they are. `None` for root, whom no such limit binds.
pub(crate) fn most_threads_of_own(processes: u64) -> Option<u64> {
    let own = nix::unistd::geteuid();
    if own.is_root() {
        return None;
    }
    let threads = |entry: fs::DirEntry| {
        if entry.metadata().ok()?.uid() != own.as_raw() {
            return None;
        }
        let status = fs::read_to_string(entry.path().join("status")).ok()?;
        status.lines().find_map(|line| line.strip_prefix("Threads:"))?.trim().parse::<u64>().ok()
    };
    let now: u64 = fs::read_dir("/proc").ok()?.flatten().filter_map(threads).sum();
    Some(now + processes + OTHERS)
}

/// The users of one sandbox.
#[derive(Debug)]
pub(crate) struct Users {
    /// For programs, and for those that write into a folder of the judge's; `None` when the judge is not root.
    pair: Option<(u32, u32)>,
    /// The name that says that they are taken, for as long as this lives.
    _claim: Option<UnixListener>,
}

impl Users {
    /// Users that no other sandbox has at this time, of this judge or another: whoever runs as the same user could kill
    /// what the other runs. The search begins at a place that depends on the sandbox's own process.
    pub(crate) fn of_machine(mother: i32) -> Self {
        if !nix::unistd::geteuid().is_root() {
            return Self { pair: None, _claim: None };
        }
        let first = mother.unsigned_abs() % PAIRS;
        let slots = (0..PAIRS).map(|step| (first + step) % PAIRS);
        let claimed = slots.take(TRIES).find_map(|slot| Some((slot, claim(slot)?)));
        // Somebody who takes every name can make sandboxes share a user, but not stop the judge.
        let (slot, claim) = claimed.map_or((first, None), |(slot, claim)| (slot, Some(claim)));
        let pair = (FIRST_USER + 2 * slot, FIRST_USER + 2 * slot + 1);
        let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
        Self {
            pair: [pair, (NOBODY, NOBODY)]
                .into_iter()
                .find(|(run, folder)| is_mapped(&map, *run) && is_mapped(&map, *folder)),
            _claim: claim,
        }
    }

    /// What a user space for these users must map.
    pub(crate) fn map(&self) -> UserMap {
        if nix::unistd::geteuid().is_root() { UserMap::RootAnd(self.pair) } else { UserMap::Own }
    }

    /// Whether programs can run as another user than the judge.
    pub(crate) fn can_change(&self) -> bool {
        self.pair.is_some()
    }

    /// The user for one run: `None` keeps the judge's, because it has no other, or because another could not read
    /// what the program needs (a toolchain in root's home, say).
    pub(crate) fn choose(&self, spec: &Spec, walls: Walls) -> Option<u32> {
        let (run, for_folder) = self.pair?;
        let (readable, user, folder) = match &spec.files {
            Files::Fresh { readable } => (readable, run, None),
            Files::Folder { folder, readable } => (readable, for_folder, Some(folder)),
        };
        // Behind walls the folders above what is shown are the zygote's own.
        let is_open = match walls {
            Walls::Plain => is_reachable,
            Walls::Pooled | Walls::Strict => is_readable,
        };
        let reachable = is_open(&spec.program)
            && readable.iter().all(|path| is_open(path))
            && folder.is_none_or(|folder| walls != Walls::Plain || folder.parent().is_none_or(is_reachable));
        reachable.then_some(user)
    }
}

/// Takes a pair of users by a name that only one process of a network can have, and that ends with it.
fn claim(slot: u32) -> Option<UnixListener> {
    let name = SocketAddr::from_abstract_name(format!("touchstone-users-{slot}")).ok()?;
    UnixListener::bind_addr(&name).ok()
}

const READ: u32 = 0o004;
const SEARCH: u32 = 0o001;

/// Whether everybody may read what lies at `path`.
fn is_readable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| {
        let wanted = if found.is_dir() { READ | SEARCH } else { READ };
        found.mode() & wanted == wanted
    })
}

/// Whether everybody may read it, and pass through every folder above it.
fn is_reachable(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let may_pass = |above: &Path| fs::metadata(above).is_ok_and(|found| found.mode() & SEARCH == SEARCH);
    is_readable(&path) && path.ancestors().skip(1).all(may_pass)
}

/// Whether `user` exists in a map as `/proc/self/uid_map` shows it.
fn is_mapped(map: &str, user: u32) -> bool {
    map.lines().any(|line| {
        let numbers: Vec<u64> = line.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
        matches!(numbers[..], [inside, _, len] if (inside..inside + len).contains(&u64::from(user)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_are_read() {
        assert!(is_mapped("         0          0 4294967295\n", 61_184));
        assert!(!is_mapped("0 1000 1\n", 61_184));
        assert!(is_mapped("0 1000 1\n1 100000 65536\n", 65_534));
        assert!(!is_mapped("", 0));
    }

    #[test]
    fn sandboxes_that_live_together_never_share_a_user() {
        if !nix::unistd::geteuid().is_root() {
            assert!(!Users::of_machine(7).can_change());
            return;
        }
        // The same process number, as two judges may have whose numbers are 2048 apart.
        let all: Vec<Users> = (0..20).map(|_| Users::of_machine(7)).collect();
        let mut pairs: Vec<_> = all.iter().map(|users| users.pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        // Where few users exist all are the same one.
        assert!(pairs.len() == 20 || pairs == [Some((NOBODY, NOBODY))] || pairs == [None], "{pairs:?}");
    }

    #[test]
    fn a_closed_folder_above_closes_what_is_below() {
        use std::os::unix::fs::PermissionsExt as _;
        assert!(is_reachable(Path::new("/usr/bin")));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
        assert!(!is_reachable(&file));
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        assert!(is_reachable(&file));
        assert!(!is_reachable(&folder.path().join("missing")));
    }
}
