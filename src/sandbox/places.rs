//! Where control groups can be made, by what this process's own group and its mounts say. Moves the judge one group down,
//! or has systemd move it, where there is no other way; never moves anybody else's process.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::{scope, tree};

/// Names of our groups begin so; the judge's process number and a count follow.
pub(super) const PREFIX: &str = "touchstone-";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

/// Where a new group can be made, for each controller.
#[derive(Clone, Debug)]
pub(super) struct Places {
    pub(super) version: Version,
    pub(super) memory: PathBuf,
    pub(super) cpu: PathBuf,
    pub(super) processes: Option<PathBuf>,
    /// Where a process goes that leaves such a group; `None`: to the group around it.
    pub(super) home: Option<PathBuf>,
}

/// Removes the groups of judges that were killed before they could. Those in use refuse.
pub(super) fn remove_leftovers(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        if owner.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Where this process's own groups of version 1 are.
pub(super) fn one() -> Option<Places> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let at = |controller| place(&own, &mounts, controller).map(|(_, place)| place);
    let memory = at("memory")?;
    // The second version counts time even where it has no controllers.
    let cpu = at("cpuacct").or_else(|| at(""))?;
    Some(Places { version: Version::One, memory, cpu, processes: at("pids"), home: None })
}

/// Where groups of version 2 with a memory controller can be made.
pub(super) fn two() -> Option<Places> {
    /// The group that ours are made in, and the judge's own.
    static PLACE: OnceLock<Option<(PathBuf, PathBuf)>> = OnceLock::new();
    let (parent, home) = PLACE.get_or_init(parent_of_two).clone()?;
    let has_pids = controllers(&parent, "cgroup.subtree_control").iter().any(|name| name == "pids");
    Some(Places {
        version: Version::Two,
        memory: parent.clone(),
        cpu: parent.clone(),
        processes: has_pids.then_some(parent),
        home: Some(home),
    })
}

/// Groups with controllers cannot be made beside processes. So either the judge, if it and its children are alone in
/// their group, moves with them one down, once systemd has given them one if need be; or ours are made beside its group,
/// further up, where a group hands its controllers on and this user may make others: as root, or in a desktop's session.
fn parent_of_two() -> Option<(PathBuf, PathBuf)> {
    let (mount, mut own) = own_of_two()?;
    if let Some(found) = within(&own) {
        return Some(found);
    }
    // Where memory is counted by groups of the first version, those of the second are no use.
    if has_memory(&mount, "cgroup.controllers") && scope::enter() {
        own = own_of_two()?.1;
        if let Some(found) = within(&own) {
            return Some(found);
        }
    }
    let above = own.ancestors().skip(1).take_while(|above| above.starts_with(&mount));
    above.into_iter().find(|above| is_open(above)).map(|above| (above.to_owned(), own.clone()))
}

/// Where groups of version 2 are mounted, and this process's.
fn own_of_two() -> Option<(PathBuf, PathBuf)> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    place(&own, &mounts, "")
}

/// The judge's own group as the one that ours are made in, and where the judge is then.
fn within(own: &Path) -> Option<(PathBuf, PathBuf)> {
    if !has_memory(own, "cgroup.controllers") {
        return None;
    }
    if hand_on(own) {
        return Some((own.to_owned(), own.to_owned()));
    }
    move_down(own).map(|judge| (own.to_owned(), judge))
}

/// Makes a group hand memory, and the number of processes if possible, on to those in it.
fn hand_on(group: &Path) -> bool {
    let enable = |what: &str| fs::write(group.join("cgroup.subtree_control"), what).is_ok();
    // The number of processes is worth having, but not at the price of the memory bound.
    enable("+memory +pids") || enable("+memory")
}

/// The judge's new group, if nobody else is in its old one.
fn move_down(own: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(own.join("cgroup.procs")).ok()?;
    let inside: Vec<i32> = text.lines().filter_map(|pid| pid.parse().ok()).collect();
    let pid = std::process::id().cast_signed();
    let below = tree::descendants(pid);
    if !inside.iter().all(|inside| *inside == pid || below.contains(inside)) {
        return None;
    }
    let judge = own.join(format!("{PREFIX}{pid}-judge"));
    fs::create_dir(&judge).ok()?;
    for pid in &inside {
        // One that ended meanwhile is in nobody's way.
        let _ = fs::write(judge.join("cgroup.procs"), pid.to_string());
    }
    if hand_on(own) {
        return Some(judge);
    }
    // Back, so that nothing has changed.
    for pid in &inside {
        let _ = fs::write(own.join("cgroup.procs"), pid.to_string());
    }
    let _ = fs::remove_dir(&judge);
    None
}

/// Whether this user may make groups with the memory controller in this one, and move its own processes there.
fn is_open(group: &Path) -> bool {
    let try_out = group.join(format!("{PREFIX}{}-try", std::process::id()));
    has_memory(group, "cgroup.subtree_control")
        && fs::File::options().write(true).open(group.join("cgroup.procs")).is_ok()
        && fs::create_dir(&try_out).and_then(|()| fs::remove_dir(&try_out)).is_ok()
}

fn has_memory(group: &Path, file: &str) -> bool {
    controllers(group, file).iter().any(|name| name == "memory")
}

fn controllers(group: &Path, file: &str) -> Vec<String> {
    let text = fs::read_to_string(group.join(file)).unwrap_or_default();
    text.split_ascii_whitespace().map(str::to_owned).collect()
}

/// Where a controller's groups are mounted, and the folder of the own group: by what `/proc/self/cgroup` and
/// `/proc/self/mountinfo` say. The second version's has the empty name.
fn place(own: &str, mounts: &str, controller: &str) -> Option<(PathBuf, PathBuf)> {
    let path = own.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        controllers.split(',').any(|name| name == controller).then_some(path)
    })?;
    mounts.lines().find_map(|line| {
        let (mount, file_system) = line.split_once(" - ")?;
        let mut fields = mount.split(' ').skip(3);
        let (root, point) = (fields.next()?, fields.next()?);
        let mut described = file_system.split(' ');
        let kind = described.next()?;
        let options = described.nth(1)?;
        let fits = match controller {
            "" => kind == "cgroup2",
            _ => kind == "cgroup" && options.split(',').any(|option| option == controller),
        };
        if !fits {
            return None;
        }
        let below = Path::new(path).strip_prefix(root).unwrap_or(Path::new(""));
        Some((PathBuf::from(point), Path::new(point).join(below)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_below_what_is_mounted() {
        let own = "4:memory:/a/b\n2:cpuacct,cpu:/\n0::/user.slice/x.scope\n";
        let mounts = "30 25 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                      31 25 0:27 / /sys/fs/cgroup/cpu rw,nosuid - cgroup cgroup rw,cpu,cpuacct\n\
                      32 25 0:28 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let at = |controller| place(own, mounts, controller).map(|(_, place)| place);
        assert_eq!(at("memory"), Some("/sys/fs/cgroup/memory/a/b".into()));
        assert_eq!(at("cpuacct"), Some("/sys/fs/cgroup/cpu".into()));
        assert_eq!(at(""), Some("/sys/fs/cgroup/unified/user.slice/x.scope".into()));
        assert_eq!(at("pids"), None);
        // In a container the group itself may be what is mounted.
        let mounts = "30 25 0:26 /a/b /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        let found = place(own, mounts, "memory");
        assert_eq!(found, Some(("/sys/fs/cgroup/memory".into(), "/sys/fs/cgroup/memory/".into())));
    }
}
