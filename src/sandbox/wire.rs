//! The messages between the judge, the mother process and its zygotes: one packet each on a `SOCK_SEQPACKET` pair, descriptors beside the
//! bytes. Both ends are always the same binary, so there is no version. Never does any IO itself.
//!
//! | message | direction | descriptors with it |
//! |---|---|---|
//! | [`READY`] | mother → judge, once | none |
//! | [`Estate`] | judge → mother, each time before it makes what the estate names | none |
//! | [`Setup`] | judge → mother, one for each zygote | the zygote's socket |
//! | [`Born`] | mother → judge, one for each setup | none |
//! | [`FAREWELL`] | judge → mother, last; not from a judge that was killed | none |
//! | [`READY`] | judge → zygote, once its user map is written | none |
//! | [`READY`] or [`Reply::Refused`] | zygote → judge, once, when its walls stand | none |
//! | [`Request`] | judge → zygote | stdin, stdout, stderr; requests and replies if there are calls; a Landlock ruleset if there is one |
//! | [`Reply`] | zygote → judge, one for each request | none |

/// Largest packet; a socket's default send buffer takes it.
pub(crate) const PACKET_BYTES: usize = 160 << 10;

/// One byte that says: go on.
pub(crate) const READY: &[u8] = b"+";

/// One byte that says: the judge removes the groups itself, once nobody is in them.
pub(crate) const FAREWELL: &[u8] = b".";

/// What there is to remove in place of a judge that is killed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Estate {
    /// The folder that holds the work folders.
    pub(crate) base: Vec<u8>,
    /// Each control group, and the group that the mother is to go to from it: nobody may be in one that is removed.
    pub(crate) groups: Vec<(Vec<u8>, Vec<u8>)>,
}

/// How a zygote's walls are to be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setup {
    pub(crate) walls: Walls,
    /// Whom the programs are that it starts.
    pub(crate) kind: Kind,
    /// An existing folder over which the new root is mounted.
    pub(crate) base: Vec<u8>,
    /// What the new root holds, parents before what is in them.
    pub(crate) tree: Vec<Entry>,
    /// Whether the zygote gets a user space of its own.
    pub(crate) has_user_space: bool,
    /// Whether memory is counted by control groups, and not by looking at processes.
    pub(crate) has_groups: bool,
}

/// Which walls a zygote builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Walls {
    /// No spaces of its own.
    Plain,
    /// Spaces made once.
    Pooled,
    /// All but the network space anew for each run.
    Strict,
}

/// Whom a program is, and so what the filter has to refuse it besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A compiler, or a jury's own: writes into a folder of the judge's, and may set modes and locks there.
    Tool,
    /// A program with a folder of its run's alone.
    Program,
    /// The same, as the judge's own user without walls: all that this user owns would be its to change.
    ProgramOfJudge,
}

/// Something in the new root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// The machine's own file or folder at the same path.
    Bind { path: Vec<u8>, access: Access },
    /// A symbolic link.
    Link { path: Vec<u8>, target: Vec<u8> },
    /// A file with these bytes.
    File { path: Vec<u8>, bytes: Vec<u8> },
    /// A copy of the machine's own file.
    Copy { path: Vec<u8> },
    /// An empty folder over one that a bind before it shows. Binds after it may show parts of it again.
    Cover { path: Vec<u8> },
}

/// What may be done below a bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    Read,
    Write,
    /// Reading and writing a device.
    Device,
}

/// A zygote's process number, as the judge sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Born {
    pub(crate) pid: i32,
}

/// One program to run, everything resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) program: Vec<u8>,
    /// With the program's name as the first.
    pub(crate) args: Vec<Vec<u8>>,
    /// `NAME=value`.
    pub(crate) env: Vec<Vec<u8>>,
    /// Where the program starts.
    pub(crate) folder: Vec<u8>,
    /// Resource and value, soft and hard alike.
    pub(crate) rlimits: Vec<(u32, u64)>,
    /// The user and group the program runs as.
    pub(crate) user: Option<u32>,
    /// Whether descriptors 3 and 4 are there.
    pub(crate) has_calls: bool,
    /// Whether a Landlock ruleset is the last descriptor.
    pub(crate) has_ruleset: bool,
    /// Size of the work folder's file system, where the zygote makes it.
    pub(crate) work_bytes: u64,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The program ran and is gone with everything it left.
    Ended(Ending),
    /// The program never ran.
    Refused(Refusal),
}

/// How a program ended, as `wait4` tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ending {
    /// The status word of the main process.
    pub(crate) status: i32,
    /// User and system time of every process that was waited for.
    pub(crate) cpu_ns: u64,
    /// Largest resident size of any process that was waited for.
    pub(crate) maxrss_bytes: u64,
    /// When the main process was gone, on the monotonic clock.
    pub(crate) ended_ns: u64,
    /// CPU time that the sandbox itself took for this run: not the program's.
    pub(crate) own_cpu_ns: u64,
    /// The peak of the process that started the program, with which the kernel lets the program's begin.
    pub(crate) floor_bytes: u64,
}

/// A step that failed, and the system's error number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// Number of the step, see `linux::step`.
    pub(crate) step: u8,
    pub(crate) errno: i32,
}

impl Estate {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(512);
        put_bytes(&mut out, &self.base);
        put_u64(&mut out, self.groups.len() as u64);
        for (group, home) in &self.groups {
            put_bytes(&mut out, group);
            put_bytes(&mut out, home);
        }
        out
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader { bytes };
        let (base, len) = (from.bytes()?, from.u64()?);
        let groups = (0..len).map(|_| Some((from.bytes()?, from.bytes()?))).collect::<Option<Vec<_>>>()?;
        from.bytes.is_empty().then_some(Self { base, groups })
    }
}

impl Setup {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(4096);
        put_u64(&mut out, self.walls as u64);
        put_u64(&mut out, self.kind as u64);
        put_bytes(&mut out, &self.base);
        put_u64(&mut out, u64::from(self.has_user_space));
        put_u64(&mut out, u64::from(self.has_groups));
        put_u64(&mut out, self.tree.len() as u64);
        for entry in &self.tree {
            let (kind, path, bytes): (u64, _, &[u8]) = match entry {
                Entry::Bind { path, access } => (*access as u64, path, b""),
                Entry::Link { path, target } => (3, path, target),
                Entry::File { path, bytes } => (4, path, bytes),
                Entry::Copy { path } => (5, path, b""),
                Entry::Cover { path } => (6, path, b""),
            };
            put_u64(&mut out, kind);
            put_bytes(&mut out, path);
            put_bytes(&mut out, bytes);
        }
        out
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader { bytes };
        let walls = match from.u64()? {
            0 => Walls::Plain,
            1 => Walls::Pooled,
            2 => Walls::Strict,
            _ => return None,
        };
        let kind = match from.u64()? {
            0 => Kind::Tool,
            1 => Kind::Program,
            2 => Kind::ProgramOfJudge,
            _ => return None,
        };
        let (base, has_user_space, has_groups) = (from.bytes()?, from.u64()? != 0, from.u64()? != 0);
        let len = from.u64()?;
        let mut entry = || {
            let (kind, path, bytes) = (from.u64()?, from.bytes()?, from.bytes()?);
            Some(match kind {
                0 => Entry::Bind { path, access: Access::Read },
                1 => Entry::Bind { path, access: Access::Write },
                2 => Entry::Bind { path, access: Access::Device },
                3 => Entry::Link { path, target: bytes },
                4 => Entry::File { path, bytes },
                5 => Entry::Copy { path },
                6 => Entry::Cover { path },
                _ => return None,
            })
        };
        let tree = (0..len).map(|_| entry()).collect::<Option<Vec<_>>>()?;
        from.bytes.is_empty().then_some(Self { walls, kind, base, tree, has_user_space, has_groups })
    }
}

impl Born {
    pub(crate) fn encode(self) -> Vec<u8> {
        self.pid.to_le_bytes().to_vec()
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        Some(Self { pid: i32::from_le_bytes(bytes.try_into().ok()?) })
    }
}

impl Request {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(1024);
        put_bytes(&mut out, &self.program);
        put_list(&mut out, &self.args);
        put_list(&mut out, &self.env);
        put_bytes(&mut out, &self.folder);
        put_u64(&mut out, self.rlimits.len() as u64);
        for (resource, value) in &self.rlimits {
            put_u64(&mut out, u64::from(*resource));
            put_u64(&mut out, *value);
        }
        put_u64(&mut out, self.user.map_or(u64::MAX, u64::from));
        put_u64(&mut out, u64::from(self.has_calls));
        put_u64(&mut out, u64::from(self.has_ruleset));
        put_u64(&mut out, self.work_bytes);
        out
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader { bytes };
        let request = Self {
            program: from.bytes()?,
            args: from.list()?,
            env: from.list()?,
            folder: from.bytes()?,
            rlimits: {
                let len = from.u64()?;
                (0..len)
                    .map(|_| Some((u32::try_from(from.u64()?).ok()?, from.u64()?)))
                    .collect::<Option<Vec<_>>>()?
            },
            user: match from.u64()? {
                u64::MAX => None,
                user => Some(u32::try_from(user).ok()?),
            },
            has_calls: from.u64()? != 0,
            has_ruleset: from.u64()? != 0,
            work_bytes: from.u64()?,
        };
        from.bytes.is_empty().then_some(request)
    }
}

impl Reply {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(48);
        match self {
            Self::Ended(ending) => {
                put_u64(&mut out, 0);
                put_u64(&mut out, u64::from(ending.status.cast_unsigned()));
                put_u64(&mut out, ending.cpu_ns);
                put_u64(&mut out, ending.maxrss_bytes);
                put_u64(&mut out, ending.ended_ns);
                put_u64(&mut out, ending.own_cpu_ns);
                put_u64(&mut out, ending.floor_bytes);
            }
            Self::Refused(refusal) => {
                put_u64(&mut out, 1);
                put_u64(&mut out, u64::from(refusal.step));
                put_u64(&mut out, u64::from(refusal.errno.cast_unsigned()));
            }
        }
        out
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader { bytes };
        let reply = match from.u64()? {
            0 => Self::Ended(Ending {
                status: from.i32()?,
                cpu_ns: from.u64()?,
                maxrss_bytes: from.u64()?,
                ended_ns: from.u64()?,
                own_cpu_ns: from.u64()?,
                floor_bytes: from.u64()?,
            }),
            1 => Self::Refused(Refusal { step: u8::try_from(from.u64()?).ok()?, errno: from.i32()? }),
            _ => return None,
        };
        from.bytes.is_empty().then_some(reply)
    }
}

fn put_u64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(&value.to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_u64(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn put_list(out: &mut Vec<u8>, list: &[Vec<u8>]) {
    put_u64(out, list.len() as u64);
    for bytes in list {
        put_bytes(out, bytes);
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn u64(&mut self) -> Option<u64> {
        let (value, rest) = self.bytes.split_first_chunk::<8>()?;
        self.bytes = rest;
        Some(u64::from_le_bytes(*value))
    }

    fn i32(&mut self) -> Option<i32> {
        Some(u32::try_from(self.u64()?).ok()?.cast_signed())
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let len = usize::try_from(self.u64()?).ok()?;
        let (bytes, rest) = self.bytes.split_at_checked(len)?;
        self.bytes = rest;
        Some(bytes.to_vec())
    }

    fn list(&mut self) -> Option<Vec<Vec<u8>>> {
        let len = self.u64()?;
        (0..len).map(|_| self.bytes()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        let request = Request {
            program: b"/bin/true".to_vec(),
            args: vec![b"true".to_vec(), b"".to_vec()],
            env: vec![b"A=b=c".to_vec()],
            folder: b"/".to_vec(),
            rlimits: vec![(3, u64::MAX), (7, 64)],
            user: Some(0),
            has_calls: true,
            has_ruleset: false,
            work_bytes: 5,
        };
        assert_eq!(Request::decode(&request.encode()), Some(request));
        let ending = Ending {
            status: -5,
            cpu_ns: 1,
            maxrss_bytes: u64::MAX,
            ended_ns: 3,
            own_cpu_ns: 4,
            floor_bytes: 5,
        };
        for reply in [Reply::Ended(ending), Reply::Refused(Refusal { step: 7, errno: -2 })] {
            assert_eq!(Reply::decode(&reply.encode()), Some(reply));
        }
    }

    #[test]
    fn setups_are_decoded() {
        let bind = |access| Entry::Bind { path: b"/usr".to_vec(), access };
        let setup = Setup {
            walls: Walls::Strict,
            kind: Kind::ProgramOfJudge,
            base: b"/tmp/x".to_vec(),
            tree: vec![
                bind(Access::Read),
                bind(Access::Write),
                bind(Access::Device),
                Entry::Link { path: b"/bin".to_vec(), target: b"usr/bin".to_vec() },
                Entry::File { path: b"/etc/passwd".to_vec(), bytes: b"x".to_vec() },
                Entry::Copy { path: b"/etc/ld.so.cache".to_vec() },
                Entry::Cover { path: b"/usr/local/work".to_vec() },
            ],
            has_user_space: true,
            has_groups: false,
        };
        assert_eq!(Setup::decode(&setup.encode()), Some(setup));
        assert_eq!(Born::decode(&Born { pid: -7 }.encode()), Some(Born { pid: -7 }));
    }

    #[test]
    fn cut_messages_are_refused() {
        let whole = Request { program: b"x".to_vec(), ..Request::default() }.encode();
        for len in 0..whole.len() {
            assert_eq!(Request::decode(&whole[..len]), None, "{len}");
        }
        assert_eq!(Request::decode(&[whole, vec![0]].concat()), None);
        assert_eq!(Reply::decode(&[9; 48]), None);
    }
}
