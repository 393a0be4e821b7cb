//! Packets with descriptors over a `SOCK_SEQPACKET` pair. Never blocks longer than its caller polls for.
#![expect(
    unsafe_code,
    reason = "descriptors that arrive in a message must be taken into ownership by number"
)]

use std::io::{IoSlice, IoSliceMut};
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};

use nix::errno::Errno;
use nix::sys::socket::{
    AddressFamily, ControlMessage, ControlMessageOwned, MsgFlags, SockFlag, SockType, recvmsg, sendmsg,
    socketpair,
};

/// Most descriptors in one packet.
pub(crate) const PACKET_DESCRIPTORS: usize = 8;

/// A connected pair; both ends close on exec.
pub(crate) fn pair() -> nix::Result<(OwnedFd, OwnedFd)> {
    socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC)
}

/// Has the kernel look for sockets that only hold each other, as two do that lie in messages to each other. They outlive
/// whoever made them, with every file and all memory in such messages, until any socket is closed.
pub(crate) fn collect_garbage() {
    drop(pair());
}

/// Sends one packet.
pub(crate) fn send(socket: BorrowedFd<'_>, bytes: &[u8], descriptors: &[RawFd]) -> nix::Result<()> {
    let rights = [ControlMessage::ScmRights(descriptors)];
    let control = if descriptors.is_empty() { &rights[..0] } else { &rights[..] };
    let flags = MsgFlags::MSG_NOSIGNAL;
    let sent = sendmsg::<()>(socket.as_raw_fd(), &[IoSlice::new(bytes)], control, flags, None)?;
    if sent == bytes.len() { Ok(()) } else { Err(Errno::EMSGSIZE) }
}

/// Receives one packet into `buffer`; `None` when the other end is gone.
pub(crate) fn receive(
    socket: BorrowedFd<'_>,
    buffer: &mut [u8],
    flags: MsgFlags,
) -> nix::Result<Option<(usize, Vec<OwnedFd>)>> {
    let mut control = nix::cmsg_space!([RawFd; PACKET_DESCRIPTORS]);
    let mut parts = [IoSliceMut::new(buffer)];
    let flags = flags | MsgFlags::MSG_CMSG_CLOEXEC;
    let message = recvmsg::<()>(socket.as_raw_fd(), &mut parts, Some(&mut control), flags)?;
    let mut descriptors = Vec::new();
    for part in message.cmsgs()? {
        if let ControlMessageOwned::ScmRights(numbers) = part {
            // SAFETY: the kernel has just installed these descriptors for this message; nobody else knows of them.
            descriptors.extend(numbers.into_iter().map(|number| unsafe { OwnedFd::from_raw_fd(number) }));
        }
    }
    if message.bytes == 0 && descriptors.is_empty() {
        return Ok(None);
    }
    Ok(Some((message.bytes, descriptors)))
}
