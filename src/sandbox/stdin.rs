//! What a program's standard input reads: a sealed copy in memory, so that `/proc/self/fd/0` leads nowhere, nothing
//! can be written back, and a program that never reads blocks nobody. Never a pipe.

use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

use nix::fcntl::{FcntlArg, SealFlag, fcntl};
use nix::sys::memfd::{MFdFlags, memfd_create};

use super::SandboxError;
use super::spec::Stdin;

/// Copied at once where the kernel cannot do it by itself.
const CHUNK_BYTES: usize = 256 << 10;

/// Opens it at its first byte.
pub(crate) fn open(stdin: &Stdin) -> Result<OwnedFd, SandboxError> {
    match stdin {
        // Not `/dev/null`: whoever has it open may change its times, for a later run to see.
        Stdin::Empty => sealed(|_| Ok(())).map_err(SandboxError::system("make an empty input")),
        Stdin::Bytes(bytes) => {
            sealed(|memory| memory.write_all(bytes)).map_err(SandboxError::system("copy the input"))
        }
        Stdin::File { path, offset, len } => {
            let input = |cause| SandboxError::Input { path: path.clone(), cause };
            let file = regular(path).map_err(input)?;
            sealed(|memory| copy(&file, *offset, *len, memory)).map_err(input)
        }
        // Its ends are the talk's own.
        Stdin::Talk(_) => Err(SandboxError::Lost { what: "a talk was to begin" }),
    }
}

/// Opens a file for reading; what is no regular file, such as a pipe, is refused, and nothing waits for its other end.
fn regular(path: &Path) -> io::Result<File> {
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
    }
    Ok(file)
}

/// A file in memory with what `fill` writes, open for reading only and never to change again.
fn sealed(fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<OwnedFd> {
    let memory = memfd_create("stdin", MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING)?;
    let mut memory = File::from(memory);
    fill(&mut memory)?;
    let seals =
        SealFlag::F_SEAL_WRITE | SealFlag::F_SEAL_GROW | SealFlag::F_SEAL_SHRINK | SealFlag::F_SEAL_SEAL;
    fcntl(memory.as_fd(), FcntlArg::F_ADD_SEALS(seals))?;
    // Opened anew for reading, it can be mapped shared in spite of the seal, and starts at its first byte.
    Ok(File::open(format!("/proc/self/fd/{}", memory.as_raw_fd()))?.into())
}

fn copy(from: &File, offset: u64, len: u64, to: &mut File) -> io::Result<()> {
    let (mut offset, end) = (offset, offset + len);
    let mut chunk = vec![0; CHUNK_BYTES.min(usize::try_from(len).unwrap_or(CHUNK_BYTES))];
    while offset < end {
        let wanted = chunk.len().min(usize::try_from(end - offset).unwrap_or(CHUNK_BYTES));
        let got = from.read_at(&mut chunk[..wanted], offset)?;
        if got == 0 {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it is shorter than it should be"));
        }
        to.write_all(&chunk[..got])?;
        offset += got as u64;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    fn read(stdin: &Stdin) -> Vec<u8> {
        let mut bytes = Vec::new();
        File::from(open(stdin).unwrap()).read_to_end(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn exactly_the_bytes_that_were_named_are_read() {
        assert_eq!(read(&Stdin::Empty), b"");
        assert_eq!(read(&Stdin::Bytes(b"a\r\n\0\xff"[..].into())), b"a\r\n\0\xff");
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(b"0123456789").unwrap();
        let path = file.path().to_owned();
        assert_eq!(read(&Stdin::File { path: path.clone(), offset: 3, len: 4 }), b"3456");
        assert_eq!(read(&Stdin::File { path: path.clone(), offset: 10, len: 0 }), b"");
        let beyond = open(&Stdin::File { path, offset: 8, len: 3 });
        assert!(matches!(beyond, Err(SandboxError::Input { .. })));
    }

    #[test]
    fn a_pipe_with_nobody_at_its_other_end_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("1.in");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
        for path in [pipe, "/dev/zero".into(), folder.path().to_owned()] {
            let error = open(&Stdin::File { path, offset: 0, len: 1 }).unwrap_err().to_string();
            assert!(error.contains("it is not a regular file"), "{error}");
        }
    }

    #[test]
    fn nobody_can_write_into_an_input() {
        let stdin = open(&Stdin::Bytes(b"abc"[..].into())).unwrap();
        let path = format!("/proc/self/fd/{}", stdin.as_raw_fd());
        let written = File::options().write(true).open(path).and_then(|mut file| file.write_all(b"x"));
        assert!(written.is_err());
    }
}
