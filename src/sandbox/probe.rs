//! What isolation this machine gives, why it gives no more, and what command would make it give more. Looks only;
//! never changes the machine.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::{Choice, Config, Isolation, Sandbox, SandboxError, scope};

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The kernel's release.
    pub kernel: String,
    /// What runs get when nothing else is asked for.
    pub isolation: Isolation,
    /// What came of asking systemd for a control group; `None` where there was no need to ask, or nobody to be asked.
    pub scope: Option<String>,
    /// Why not every wall stands; `None` when all do.
    pub lacking: Option<String>,
    /// How to get more.
    pub hints: Vec<Hint>,
    /// What makes measured times noisy here.
    pub noise: Vec<String>,
}

/// A way to get more, as lines for a shell, none wider than a narrow terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Hint {
    /// What is in the way.
    pub cause: String,
    /// What to run; or what to read, in lines that begin with `#`.
    pub commands: Vec<String>,
}

/// Looks at the machine. `config` says how a sandbox is started; its isolation does not count.
///
/// # Errors
/// When no sandbox of any kind can be started.
pub fn look(config: &Config) -> Result<Machine, SandboxError> {
    let with = |isolation| Sandbox::start(&Config { isolation, ..config.clone() });
    let (sandbox, lacking) = match with(Choice::Strict) {
        Ok(sandbox) => (sandbox, None),
        Err(error) => (with(Choice::Strongest)?, Some(error.to_string())),
    };
    let isolation = sandbox.isolation().clone();
    let (facts, mut hints) = (Facts::of_machine(), Vec::new());
    if lacking.is_some() {
        hints.extend(for_namespaces(&facts));
    }
    if !isolation.landlock {
        hints.push(for_landlock());
    }
    if isolation.memory == "rlimit" {
        hints.push(for_groups(&facts));
    }
    let (kernel, scope) = (read("/proc/sys/kernel/osrelease"), scope::said());
    Ok(Machine { kernel, isolation, scope, lacking, hints, noise: noise() })
}

/// What decides about walls and groups.
#[derive(Clone, Debug, Default)]
struct Facts {
    /// Debian's switch, where there is one.
    debian_switch: String,
    /// Ubuntu's rule, where there is one.
    apparmor_rule: String,
    most_user_spaces: String,
    container: Option<Container>,
    /// Windows' subsystem, and its version.
    wsl: Option<u8>,
    is_root: bool,
    has_systemd: bool,
    /// Whether systemd runs once more for this user, who can ask it for groups.
    has_own_systemd: bool,
    /// Whether the kernel was told to count no memory, as some systems for small machines tell it.
    memory_is_off: bool,
    /// Whether control groups are of the second version, with the memory controller.
    has_groups: bool,
}

/// What a program can be packed into that has kernel and root of its own only by appearance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    Docker,
    Podman,
    Lxc,
    Other,
}

impl Facts {
    fn of_machine() -> Self {
        let version = read("/proc/version");
        let controllers = read("/sys/fs/cgroup/cgroup.controllers");
        Self {
            debian_switch: read("/proc/sys/kernel/unprivileged_userns_clone"),
            apparmor_rule: read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
            most_user_spaces: read("/proc/sys/user/max_user_namespaces"),
            container: container(),
            wsl: match version.as_str() {
                text if text.contains("WSL2") => Some(2),
                text if text.to_lowercase().contains("microsoft") => Some(1),
                _ => None,
            },
            is_root: nix::unistd::geteuid().is_root(),
            has_systemd: Path::new("/run/systemd/system").exists(),
            has_own_systemd: Path::new(&format!("/run/user/{}/systemd/private", nix::unistd::geteuid()))
                .exists(),
            memory_is_off: read("/proc/cgroups")
                .lines()
                .any(|line| line.starts_with("memory") && line.split_ascii_whitespace().last() == Some("0")),
            has_groups: controllers.split_ascii_whitespace().any(|controller| controller == "memory"),
        }
    }
}

fn container() -> Option<Container> {
    // What systemd and its like say of themselves to what they start.
    let said = read("/run/systemd/container");
    let environment = read("/proc/1/environ");
    let word = environment.split('\0').find_map(|entry| entry.strip_prefix("container=")).unwrap_or(&said);
    match word {
        _ if Path::new("/.dockerenv").exists() => Some(Container::Docker),
        _ if Path::new("/run/.containerenv").exists() => Some(Container::Podman),
        "" => None,
        "docker" => Some(Container::Docker),
        "podman" => Some(Container::Podman),
        "lxc" | "lxc-libvirt" => Some(Container::Lxc),
        _ => Some(Container::Other),
    }
}

fn hint(cause: &str, commands: &[&str]) -> Hint {
    Hint { cause: cause.to_owned(), commands: commands.iter().map(|command| (*command).to_owned()).collect() }
}

fn for_namespaces(facts: &Facts) -> Vec<Hint> {
    let mut hints = Vec::new();
    if facts.debian_switch == "0" && !facts.is_root {
        hints.push(hint(
            "Debian: this kernel lets only root make user namespaces (kernel.unprivileged_userns_clone = 0)",
            &[
                "echo kernel.unprivileged_userns_clone=1 |",
                "  sudo tee /etc/sysctl.d/60-user-namespaces.conf",
                "sudo sysctl --system",
            ],
        ));
    }
    if facts.most_user_spaces == "0" {
        hints.push(hint(
            "user namespaces are switched off (user.max_user_namespaces = 0)",
            &[
                "echo user.max_user_namespaces=15000 |",
                "  sudo tee /etc/sysctl.d/60-user-namespaces.conf",
                "sudo sysctl --system",
            ],
        ));
    }
    if facts.apparmor_rule == "1" && !facts.is_root {
        hints.push(hint(
            "Ubuntu since 23.10: AppArmor keeps user namespaces from programs that have no profile",
            &[
                "printf '%s\\n' 'abi <abi/4.0>,' 'include <tunables/global>' \\",
                "  \"profile touchstone $(command -v touchstone) flags=(unconfined) {\" \\",
                "  '  userns,' '}' | sudo tee /etc/apparmor.d/touchstone",
                "sudo apparmor_parser -r /etc/apparmor.d/touchstone",
            ],
        ));
    }
    hints.extend(facts.container.map(|container| match container {
        Container::Docker => hint(
            "Docker's own filter keeps namespaces and mounts from programs in the container",
            &[
                "docker run --security-opt seccomp=unconfined \\",
                "  --security-opt apparmor=unconfined \\",
                "  --security-opt systempaths=unconfined …",
            ],
        ),
        Container::Podman => hint(
            "Podman's own filter keeps namespaces and mounts from programs in the container",
            &[
                "podman run --security-opt seccomp=unconfined \\",
                "  --security-opt label=disable --security-opt unmask=ALL …",
            ],
        ),
        Container::Lxc => hint(
            "LXC keeps namespaces and mounts from programs in the container",
            &[
                "lxc config set NAME security.nesting true   # with LXD or Incus",
                "pct set NUMBER --features nesting=1         # with Proxmox",
            ],
        ),
        Container::Other => hint(
            "this is a container, which may keep namespaces and mounts from programs in it",
            &["# let whoever started it allow user namespaces, mounts and pivot_root"],
        ),
    }));
    if facts.wsl == Some(1) {
        hints.push(hint(
            "the first version of the Windows Subsystem for Linux has no namespaces; the second has",
            &["wsl.exe --update", "wsl.exe --set-version \"$WSL_DISTRO_NAME\" 2"],
        ));
    }
    if hints.is_empty() {
        hints.push(hint(
            "nothing known is in the way: the message above says what the kernel refused",
            &["unshare --user --map-root-user --mount --pid --fork true   # to try by hand"],
        ));
    }
    hints
}

fn for_landlock() -> Hint {
    hint(
        "this kernel has no Landlock, the second wall around files",
        &["cat /sys/kernel/security/lsm   # should name it, on Linux 5.13 or newer"],
    )
}

/// Why memory is only watched, and what would have it walled.
fn for_groups(facts: &Facts) -> Hint {
    if facts.memory_is_off {
        return hint(
            "the kernel counts no group's memory (a Raspberry Pi, say): memory is watched, not walled",
            &["sudo sed -i 's/$/ cgroup_enable=memory/' /boot/firmware/cmdline.txt", "sudo reboot"],
        );
    }
    match facts.container {
        Some(Container::Docker) => {
            return hint(
                "Docker shows control groups read-only: memory is watched, not walled",
                &[
                    "docker run --cgroupns=private --privileged …   # or, with other risks:",
                    "docker run --cgroupns=host -v /sys/fs/cgroup:/sys/fs/cgroup:rw …",
                ],
            );
        }
        Some(Container::Podman) => {
            return hint(
                "Podman shows control groups read-only: memory is watched, not walled",
                &["podman run --cgroupns=private --security-opt unmask=/sys/fs/cgroup …"],
            );
        }
        _ => {}
    }
    if facts.wsl == Some(2) && !facts.has_systemd {
        return hint(
            "nothing delegates control groups here: memory is watched, not walled; systemd would",
            &[
                "printf '[boot]\\nsystemd=true\\n' | sudo tee -a /etc/wsl.conf",
                "wsl.exe --shutdown   # and open it again",
            ],
        );
    }
    if facts.has_systemd && !facts.has_groups {
        return hint(
            "systemd uses the first version of control groups: memory is watched, not walled",
            &[
                "# with `systemd.unified_cgroup_hierarchy=1` on the kernel's command line it",
                "# uses the second",
            ],
        );
    }
    if facts.has_systemd && facts.is_root {
        return hint(
            "no control group is delegated to this process: memory is watched, not walled",
            &["systemd-run --scope -p Delegate=yes touchstone …"],
        );
    }
    if facts.has_systemd && facts.has_own_systemd {
        return hint(
            "this user's systemd hands no control of memory on: memory is watched, not walled",
            &[
                "sudo mkdir -p /etc/systemd/system/user@.service.d",
                "printf '[Service]\\nDelegate=pids memory\\n' |",
                "  sudo tee /etc/systemd/system/user@.service.d/delegate.conf",
                "sudo systemctl daemon-reload   # and log in again",
            ],
        );
    }
    if facts.has_systemd {
        return hint(
            "no systemd of this user's runs, which would give a control group: memory is watched, not walled",
            &["sudo loginctl enable-linger \"$USER\"   # or log in, not by `su` or `sudo`"],
        );
    }
    hint(
        "no control group is delegated to this process: memory is watched, not walled",
        &[
            "sudo mkdir /sys/fs/cgroup/touchstone",
            "echo '+memory +pids' | sudo tee /sys/fs/cgroup/cgroup.subtree_control",
            "sudo chown -R \"$USER\" /sys/fs/cgroup/touchstone",
            "echo $$ | sudo tee /sys/fs/cgroup/touchstone/cgroup.procs",
        ],
    )
}

/// What makes times noisy, as far as files tell.
fn noise() -> Vec<String> {
    let mut noise = Vec::new();
    let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if !governor.is_empty() && governor != "performance" {
        noise.push(format!(
            "the frequency governor is `{governor}`: `sudo cpupower frequency-set -g performance` makes times even"
        ));
    }
    let boost = [
        ("/sys/devices/system/cpu/cpufreq/boost", "1"),
        ("/sys/devices/system/cpu/intel_pstate/no_turbo", "0"),
    ];
    if boost.iter().any(|(path, on)| read(path) == *on) {
        noise.push("the processor is faster while it is cool and few cores work (boost, turbo)".to_owned());
    }
    if read("/sys/devices/system/cpu/smt/active") == "1" {
        noise.push(
            "two threads share a core (SMT): neighbours slow each other; see the times in company".to_owned(),
        );
    }
    let load: f64 = read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if load > cores as f64 / 2.0 {
        noise.push(format!("other programs kept {load:.1} of {cores} cores busy in the last minute"));
    }
    if read("/proc/cpuinfo").lines().any(|line| line.starts_with("flags") && line.contains(" hypervisor")) {
        noise.push("this is a virtual machine: its host may take time away unseen".to_owned());
    }
    noise
}

/// A small file's text; empty when it is not there.
fn read(path: &str) -> String {
    fs::read_to_string(path).map(|text| text.trim().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn causes(facts: &Facts) -> String {
        for_namespaces(facts).iter().map(|hint| hint.cause.clone()).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn each_obstacle_has_its_own_hint() {
        let debian = Facts { debian_switch: "0".to_owned(), ..Facts::default() };
        assert!(causes(&debian).contains("unprivileged_userns_clone"));
        let ubuntu = Facts { apparmor_rule: "1".to_owned(), ..Facts::default() };
        assert!(causes(&ubuntu).contains("AppArmor"));
        assert!(causes(&Facts { container: Some(Container::Podman), ..Facts::default() }).contains("Podman"));
        assert!(causes(&Facts { wsl: Some(1), ..Facts::default() }).contains("Windows"));
        assert!(causes(&Facts::default()).contains("nothing known"));
        // Root is not bound by the first two.
        assert!(causes(&Facts { is_root: true, ..debian }).contains("nothing known"));
    }

    fn every_combination() -> Vec<Facts> {
        let containers = [
            None,
            Some(Container::Docker),
            Some(Container::Podman),
            Some(Container::Lxc),
            Some(Container::Other),
        ];
        let mut all = Vec::new();
        for container in containers {
            for wsl in [None, Some(1), Some(2)] {
                for bits in 0..64 {
                    let bit = |index: u32| bits >> index & 1 == 1;
                    let switch = if bit(0) { "0" } else { "1" }.to_owned();
                    all.push(Facts {
                        debian_switch: switch.clone(),
                        apparmor_rule: if bit(0) { "1" } else { "0" }.to_owned(),
                        most_user_spaces: switch,
                        container,
                        wsl,
                        is_root: bit(4),
                        has_systemd: bit(1),
                        has_own_systemd: bit(5),
                        memory_is_off: bit(2),
                        has_groups: bit(3),
                    });
                }
            }
        }
        all
    }

    #[test]
    fn every_machine_is_told_something_that_fits_a_narrow_terminal() {
        for facts in every_combination() {
            let hints: Vec<Hint> = for_namespaces(&facts).into_iter().chain([for_groups(&facts)]).collect();
            for line in hints.iter().flat_map(|hint| &hint.commands) {
                assert!(line.chars().count() <= 76, "{line}");
            }
        }
    }

    #[test]
    fn what_is_to_be_typed_is_what_a_shell_takes() {
        let lines =
            for_namespaces(&Facts { apparmor_rule: "1".to_owned(), ..Facts::default() })[0].commands.clone();
        // All but the writing itself, which needs root.
        let script = lines[..3].join("\n").replace("sudo tee /etc/apparmor.d/touchstone", "cat");
        let script = script.replace("$(command -v touchstone)", "/usr/bin/touchstone");
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        assert_eq!(
            String::from_utf8(output.stdout).unwrap(),
            "abi <abi/4.0>,\ninclude <tunables/global>\nprofile touchstone /usr/bin/touchstone \
             flags=(unconfined) {\n  userns,\n}\n"
        );
    }
}
