//! What isolation this machine gives, why it gives no more, and what command would make it give more. Looks only;
//! never changes the machine.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::{Choice, Config, Isolation, Sandbox, SandboxError};

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The kernel's release.
    pub kernel: String,
    /// What runs get when nothing else is asked for.
    pub isolation: Isolation,
    /// Why not every wall stands; `None` when all do.
    pub lacking: Option<String>,
    /// How to get more.
    pub hints: Vec<Hint>,
    /// What makes measured times noisy here.
    pub noise: Vec<String>,
}

/// A way to get more, as commands for a shell.
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
    let mut hints = Vec::new();
    if lacking.is_some() {
        hints.extend(for_namespaces(&Facts::of_machine()));
    }
    hints.extend(for_the_rest(&isolation));
    Ok(Machine { kernel: read("/proc/sys/kernel/osrelease"), isolation, lacking, hints, noise: noise() })
}

/// What decides about namespaces.
#[derive(Clone, Debug, Default)]
struct Facts {
    /// Debian's switch, where there is one.
    debian_switch: String,
    /// Ubuntu's rule, where there is one.
    apparmor_rule: String,
    most_user_spaces: String,
    /// Which container this is in.
    container: Option<&'static str>,
    is_wsl: bool,
    is_root: bool,
}

impl Facts {
    fn of_machine() -> Self {
        let containers = [("/.dockerenv", "docker"), ("/run/.containerenv", "podman")];
        Self {
            debian_switch: read("/proc/sys/kernel/unprivileged_userns_clone"),
            apparmor_rule: read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
            most_user_spaces: read("/proc/sys/user/max_user_namespaces"),
            container: containers
                .into_iter()
                .find(|(file, _)| Path::new(file).exists())
                .map(|(_, name)| name),
            is_wsl: read("/proc/version").to_lowercase().contains("microsoft"),
            is_root: nix::unistd::geteuid().is_root(),
        }
    }
}

fn for_namespaces(facts: &Facts) -> Vec<Hint> {
    let hint = |cause: &str, commands: &[&str]| Hint {
        cause: cause.to_owned(),
        commands: commands.iter().map(|command| (*command).to_owned()).collect(),
    };
    let mut hints = Vec::new();
    if facts.debian_switch == "0" && !facts.is_root {
        hints.push(hint(
            "this kernel lets only root make user namespaces (kernel.unprivileged_userns_clone = 0)",
            &[
                "sudo sysctl -w kernel.unprivileged_userns_clone=1",
                "echo kernel.unprivileged_userns_clone=1 | sudo tee /etc/sysctl.d/60-user-namespaces.conf",
            ],
        ));
    }
    if facts.most_user_spaces == "0" {
        hints.push(hint(
            "user namespaces are switched off (user.max_user_namespaces = 0)",
            &[
                "sudo sysctl -w user.max_user_namespaces=15000",
                "echo user.max_user_namespaces=15000 | sudo tee /etc/sysctl.d/60-user-namespaces.conf",
            ],
        ));
    }
    if facts.apparmor_rule == "1" && !facts.is_root {
        hints.push(hint(
            "AppArmor keeps user namespaces from programs without a profile, as Ubuntu does since 23.10",
            &[
                "printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile touchstone %s flags=(unconfined) {\\n  \
                 userns,\\n}\\n' \"$(command -v touchstone)\" | sudo tee /etc/apparmor.d/touchstone",
                "sudo apparmor_parser -r /etc/apparmor.d/touchstone",
            ],
        ));
    }
    match facts.container {
        Some("podman") => hints.push(hint(
            "Podman's own filter keeps namespaces and mounts from programs in the container",
            &["podman run --security-opt seccomp=unconfined --security-opt unmask=ALL …"],
        )),
        Some(_) => hints.push(hint(
            "Docker's own filter keeps namespaces and mounts from programs in the container",
            &["docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined \
               --security-opt systempaths=unconfined …"],
        )),
        None => {}
    }
    if facts.is_wsl {
        hints.push(hint(
            "the first version of the Windows Subsystem for Linux has no namespaces; the second has",
            &["wsl.exe --update", "wsl.exe --set-version \"$WSL_DISTRO_NAME\" 2"],
        ));
    }
    if hints.is_empty() {
        hints.push(hint(
            "nothing known is in the way: the message above says what the kernel refused",
            &["unshare --user --map-root-user --mount --pid --fork true   # does the same, for trying"],
        ));
    }
    hints
}

fn for_the_rest(isolation: &Isolation) -> Vec<Hint> {
    let mut hints = Vec::new();
    if !isolation.landlock {
        hints.push(Hint {
            cause: "this kernel has no Landlock, the second wall around files".to_owned(),
            commands: vec![
                "# needs Linux 5.13 or newer, with `landlock` among the `lsm=` of its command line"
                    .to_owned(),
                "cat /sys/kernel/security/lsm".to_owned(),
            ],
        });
    }
    if isolation.memory == "rlimit" && Path::new("/run/systemd/system").exists() {
        hints.push(Hint {
            cause: "no control group is delegated to this process: memory is watched, not walled".to_owned(),
            commands: vec!["systemd-run --user --scope -p Delegate=yes touchstone …".to_owned()],
        });
    }
    hints
}

/// What makes times noisy, as far as files tell.
fn noise() -> Vec<String> {
    let mut noise = Vec::new();
    let governor = read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    if !governor.is_empty() && governor != "performance" {
        noise.push(format!(
            "the frequency governor is `{governor}`: `sudo cpupower frequency-set -g performance`"
        ));
    }
    if read("/sys/devices/system/cpu/smt/active") == "1" {
        noise.push("two threads share a core (SMT): neighbours slow each other".to_owned());
    }
    let load: f64 = read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    if load > cores as f64 / 2.0 {
        noise.push(format!("other programs keep {load:.1} of {cores} cores busy"));
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
        assert!(causes(&Facts { container: Some("podman"), ..Facts::default() }).contains("Podman"));
        assert!(causes(&Facts { is_wsl: true, ..Facts::default() }).contains("Windows"));
        assert!(causes(&Facts::default()).contains("nothing known"));
        // Root is not bound by the first two.
        assert!(causes(&Facts { is_root: true, ..debian }).contains("nothing known"));
    }
}
