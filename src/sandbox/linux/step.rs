//! Every step between a request and the running program has a number and a name, so that an error can say which one
//! failed. Never does a step itself.

/// A step of the zygote or of its child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Step {
    Handshake,
    Message,
    Spaces,
    Root,
    Bind,
    Box,
    Proc,
    Pivot,
    Clone,
    Session,
    Descriptors,
    Limits,
    Folder,
    User,
    Privileges,
    NoNewPrivileges,
    Landlock,
    Seccomp,
    ParentDeath,
    Signals,
    Execute,
}

impl Step {
    const ALL: [Self; 21] = [
        Self::Handshake,
        Self::Message,
        Self::Spaces,
        Self::Root,
        Self::Bind,
        Self::Box,
        Self::Proc,
        Self::Pivot,
        Self::Clone,
        Self::Session,
        Self::Descriptors,
        Self::Limits,
        Self::Folder,
        Self::User,
        Self::Privileges,
        Self::NoNewPrivileges,
        Self::Landlock,
        Self::Seccomp,
        Self::ParentDeath,
        Self::Signals,
        Self::Execute,
    ];

    /// The step with this number.
    pub(crate) fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|step| *step as u8 == number)
    }

    /// What the step does, in words that fit after "failed at".
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Handshake => "setting up the sandbox process",
            Self::Message => "reading the request",
            Self::Spaces => "making namespaces (clone)",
            Self::Root => "making the root (mount)",
            Self::Bind => "showing files and folders in the root (bind mount)",
            Self::Box => "making the work folder (mount)",
            Self::Proc => "mounting /proc",
            Self::Pivot => "entering the root (pivot_root)",
            Self::Clone => "starting a process (clone)",
            Self::Session => "opening a session or a group (setsid, setpgid)",
            Self::Descriptors => "placing the descriptors (dup2)",
            Self::Limits => "setting resource limits (setrlimit)",
            Self::Folder => "entering the work folder (chdir)",
            Self::User => "changing the user (setresuid)",
            Self::Privileges => "dropping privileges (capset)",
            Self::NoNewPrivileges => "refusing new privileges (no_new_privs)",
            Self::Landlock => "bounding file access (Landlock)",
            Self::Seccomp => "filtering system calls (seccomp)",
            Self::ParentDeath => "tying the process to the judge (pdeathsig)",
            Self::Signals => "resetting signals",
            Self::Execute => "executing the program (execve)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_found_by_its_number() {
        for (number, step) in Step::ALL.into_iter().enumerate() {
            assert_eq!(step as usize, number);
            assert_eq!(Step::from_number(step as u8), Some(step));
        }
        assert_eq!(Step::from_number(200), None);
    }
}
