//! Carries bytes between a submission and an interactor, and keeps account: whose turn it is and for how long, who
//! ended first, what was said. Never blocks on one side alone, so full pipes never lock the two; holds little, whatever
//! is written. Decides no verdict.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use crate::sandbox::{Partner, SandboxError};

/// Bytes that wait on their way; while so many do, their writer waits too.
const MAX_WAITING: usize = 64 << 10;
/// Bytes carried at once.
const PIECE: usize = 64 << 10;
/// The longest time between two looks at the clock.
const LOOK_MS: u64 = 50;
/// How long an interactor may take to end once a submission was stopped that let too much time pass. One that waits for
/// the submission sees the end of its input at once; one that is at work, or sleeps, sees nothing.
const PARTING_MS: u64 = 4_000;
/// How long a submission that has closed its output, as all do when they end, may take to end by itself once the
/// interactor has refused it: what it ends with is its own, and the same each time.
const LEAVING_MS: u64 = 2_000;
/// Bytes of what was said that are kept from the start, and as many from the end.
const KEPT_BYTES: usize = 1_500;

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Submission,
    Interactor,
}

/// What ends a talk before both have ended by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Too much time passed while it was this side's turn.
    Waited(Side),
    /// This side wrote too much.
    Flood(Side),
}

/// What a talk came to.
#[derive(Debug)]
pub(super) struct Talked {
    /// Who was the first to end, or to close its output.
    pub(super) first: Side,
    pub(super) cut: Option<Cut>,
    /// Whether the submission was stopped because the interactor had refused it: being killed is no fault of its own then.
    pub(super) was_refused: bool,
    /// Whether the interactor had to be stopped: it did not end when the submission was gone, as one does that waits for
    /// it.
    pub(super) interactor_hung: bool,
    /// Whether the submission has written anything.
    pub(super) submission_spoke: bool,
    /// What was said, in lines: `>` the submission's, `<` the interactor's.
    pub(super) transcript: String,
}

/// Bounds of a talk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// How long it may be the submission's turn, in all.
    pub(super) submission_ms: u64,
    /// How long it may be the interactor's turn, in all.
    pub(super) interactor_ms: u64,
    /// Bytes that either may write.
    pub(super) bytes: u64,
}

/// One side as the pump sees it.
pub(super) struct Seat<'a> {
    pub(super) partner: Partner,
    /// At its end when the side's run is over.
    pub(super) over: &'a OwnedFd,
}

/// One direction.
struct Way {
    from: Option<File>,
    to: Option<File>,
    waiting: Vec<u8>,
    carried: u64,
}

/// Carries until both runs are over. `keep_submission` is asked once the interactor's is: when it says no, the
/// submission is stopped.
pub(super) fn carry(
    submission: Seat<'_>,
    interactor: Seat<'_>,
    bounds: &Bounds,
    now_ms: &dyn Fn() -> u64,
    keep_submission: &dyn Fn() -> bool,
) -> Result<Talked, SandboxError> {
    let way = |from, to| Way { from: Some(from), to: Some(to), waiting: Vec::new(), carried: 0 };
    let (theirs, judges) = (submission.partner, interactor.partner);
    let mut pump = Pump {
        up: way(theirs.from_program, judges.to_program),
        down: way(judges.from_program, theirs.to_program),
        stops: [Some(theirs.stop), Some(judges.stop)],
        over: [Some(submission.over), Some(interactor.over)],
        turn: Side::Submission,
        waited_ms: [0, 0],
        first: None,
        cut: None,
        parting_ms: None,
        leaving_ms: None,
        was_refused: false,
        interactor_hung: false,
        transcript: Transcript::default(),
    };
    let mut last = now_ms();
    while pump.over.iter().any(Option::is_some) {
        pump.round(keep_submission, last)?;
        let now = now_ms();
        pump.waited_ms[pump.turn as usize] += now.saturating_sub(last);
        last = now;
        pump.enforce(bounds, now);
    }
    Ok(Talked {
        first: pump.first.unwrap_or(Side::Submission),
        cut: pump.cut,
        was_refused: pump.was_refused,
        interactor_hung: pump.interactor_hung,
        submission_spoke: pump.up.carried > 0,
        transcript: pump.transcript.text(),
    })
}

struct Pump<'a> {
    /// From the submission to the interactor.
    up: Way,
    /// From the interactor to the submission.
    down: Way,
    /// Dropped to stop a side.
    stops: [Option<OwnedFd>; 2],
    over: [Option<&'a OwnedFd>; 2],
    turn: Side,
    waited_ms: [u64; 2],
    first: Option<Side>,
    cut: Option<Cut>,
    /// Until when the interactor may end by itself after a cut.
    parting_ms: Option<u64>,
    /// Until when a submission that is on its way out may end by itself.
    leaving_ms: Option<u64>,
    was_refused: bool,
    interactor_hung: bool,
    transcript: Transcript,
}

/// What a descriptor that is ready is for.
#[derive(Clone, Copy)]
enum Event {
    Read(Side),
    Write(Side),
    Over(Side),
}

impl Pump<'_> {
    /// Waits for something to happen, and deals with it.
    fn round(&mut self, keep_submission: &dyn Fn() -> bool, now: u64) -> Result<(), SandboxError> {
        for event in self.wait()? {
            match event {
                Event::Read(side) => self.read(side),
                Event::Write(Side::Submission) => self.up.write(),
                Event::Write(Side::Interactor) => self.down.write(),
                Event::Over(side) => {
                    self.over[side as usize] = None;
                    self.ended(side);
                    if side == Side::Interactor && !keep_submission() {
                        self.refuse(now);
                    }
                }
            }
        }
        Ok(())
    }

    fn wait(&self) -> Result<Vec<Event>, SandboxError> {
        let mut watched: Vec<(Event, BorrowedFd<'_>, PollFlags)> = Vec::with_capacity(6);
        for (side, way) in [(Side::Submission, &self.up), (Side::Interactor, &self.down)] {
            if let Some(from) = way.from.as_ref().filter(|_| way.waiting.len() < MAX_WAITING) {
                watched.push((Event::Read(side), from.as_fd(), PollFlags::POLLIN));
            }
            if let Some(to) = way.to.as_ref().filter(|_| !way.waiting.is_empty()) {
                watched.push((Event::Write(side), to.as_fd(), PollFlags::POLLOUT));
            }
            if let Some(over) = self.over[side as usize] {
                watched.push((Event::Over(side), over.as_fd(), PollFlags::POLLIN));
            }
        }
        let mut polled: Vec<PollFd<'_>> =
            watched.iter().map(|(_, fd, flags)| PollFd::new(*fd, *flags)).collect();
        match poll(&mut polled, PollTimeout::try_from(LOOK_MS).unwrap_or(PollTimeout::ZERO)) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(errno) => return Err(SandboxError::system("wait for a talk")(errno)),
        }
        let is_ready = |fd: &PollFd<'_>| fd.revents().is_some_and(|events| !events.is_empty());
        Ok(watched.iter().zip(&polled).filter(|(_, fd)| is_ready(fd)).map(|(watch, _)| watch.0).collect())
    }

    fn read(&mut self, side: Side) {
        let way = match side {
            Side::Submission => &mut self.up,
            Side::Interactor => &mut self.down,
        };
        match way.read() {
            Some(piece) if piece.is_empty() => self.ended(side),
            Some(piece) => {
                self.transcript.add(side, &piece);
                self.turn = other(side);
            }
            None => {}
        }
        // Whoever has ended takes no more turns.
        if self.over[self.turn as usize].is_none() {
            self.turn = other(self.turn);
        }
    }

    fn ended(&mut self, side: Side) {
        self.first.get_or_insert(side);
        self.turn = other(side);
    }

    /// The interactor has ended and wants no more of the submission.
    fn refuse(&mut self, now: u64) {
        if self.up.from.is_none() {
            self.leaving_ms = Some(now + LEAVING_MS);
        } else {
            self.stop_refused();
        }
    }

    fn stop_refused(&mut self) {
        self.leaving_ms = None;
        if self.over[Side::Submission as usize].is_some() {
            self.was_refused = true;
            self.stop(Side::Submission);
        }
    }

    fn enforce(&mut self, bounds: &Bounds, now: u64) {
        // Whoever is refused passes no bound of the talk any more.
        if self.leaving_ms.is_some_and(|until| now >= until) {
            self.stop_refused();
        }
        if self.leaving_ms.is_some() || self.was_refused {
            return;
        }
        if self.cut.is_some() {
            if self.parting_ms.is_some_and(|until| now >= until) {
                self.give_up_interactor();
            }
            return;
        }
        let cut = if self.waited_ms[Side::Submission as usize] > bounds.submission_ms {
            Cut::Waited(Side::Submission)
        } else if self.waited_ms[Side::Interactor as usize] > bounds.interactor_ms {
            Cut::Waited(Side::Interactor)
        } else if self.up.carried > bounds.bytes {
            Cut::Flood(Side::Submission)
        } else if self.down.carried > bounds.bytes {
            Cut::Flood(Side::Interactor)
        } else {
            return;
        };
        self.cut = Some(cut);
        let has_had_its_time = self.over[Side::Submission as usize].is_none();
        self.stop(Side::Submission);
        match cut {
            Cut::Waited(_) if !has_had_its_time => self.parting_ms = Some(now + PARTING_MS),
            Cut::Waited(_) => self.give_up_interactor(),
            Cut::Flood(_) => self.stop(Side::Interactor),
        }
    }

    fn give_up_interactor(&mut self) {
        self.parting_ms = None;
        if self.over[Side::Interactor as usize].is_some() {
            self.interactor_hung = true;
            self.stop(Side::Interactor);
        }
    }

    fn stop(&mut self, side: Side) {
        self.stops[side as usize] = None;
    }
}

fn other(side: Side) -> Side {
    match side {
        Side::Submission => Side::Interactor,
        Side::Interactor => Side::Submission,
    }
}

impl Way {
    /// What came, nothing at the end; `None` when nothing was there after all.
    fn read(&mut self) -> Option<Vec<u8>> {
        let from = self.from.as_mut()?;
        let mut piece = vec![0; PIECE];
        match from.read(&mut piece) {
            Ok(0) => {
                self.from = None;
                self.close_if_done();
                Some(Vec::new())
            }
            Ok(len) => {
                piece.truncate(len);
                self.carried += len as u64;
                // A reader that is gone hears nothing, and its partner is not told: it may still have to end well.
                if self.to.is_some() {
                    self.waiting.extend_from_slice(&piece);
                    self.write();
                }
                Some(piece)
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                None
            }
            Err(_) => {
                self.from = None;
                self.close_if_done();
                Some(Vec::new())
            }
        }
    }

    fn write(&mut self) {
        let Some(to) = &mut self.to else { return };
        match to.write(&self.waiting) {
            Ok(len) => {
                self.waiting.drain(..len);
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {}
            Err(_) => {
                self.to = None;
                self.waiting.clear();
            }
        }
        self.close_if_done();
    }

    /// The reader sees the end once it has got everything.
    fn close_if_done(&mut self) {
        if self.from.is_none() && self.waiting.is_empty() {
            self.to = None;
        }
    }
}

/// The start and the end of what was said.
#[derive(Debug, Default)]
struct Transcript {
    head: Vec<(Side, Vec<u8>)>,
    head_bytes: usize,
    tail: Vec<(Side, Vec<u8>)>,
    tail_bytes: usize,
    left_out: u64,
    /// The tail begins in the middle of a line.
    cuts_a_line: bool,
}

impl Transcript {
    fn add(&mut self, side: Side, piece: &[u8]) {
        let room = (KEPT_BYTES - self.head_bytes).min(piece.len());
        let (first, rest) = piece.split_at(room);
        self.head_bytes += first.len();
        push(&mut self.head, side, first);
        self.tail_bytes += rest.len();
        push(&mut self.tail, side, rest);
        while self.tail_bytes > KEPT_BYTES {
            let surplus = self.tail_bytes - KEPT_BYTES;
            let gone = self.tail[0].1.len().min(surplus);
            let last = self.tail[0].1.drain(..gone).next_back();
            self.cuts_a_line = !self.tail[0].1.is_empty() && last != Some(b'\n');
            if self.tail[0].1.is_empty() {
                self.tail.remove(0);
            }
            self.tail_bytes -= gone;
            self.left_out += gone as u64;
        }
    }

    /// A line that was cut is shown with an ellipsis: nobody is to read what neither side said.
    fn text(&self) -> String {
        if self.left_out == 0 {
            let mut whole = self.head.clone();
            for (side, piece) in &self.tail {
                push(&mut whole, *side, piece);
            }
            return lines(&whole);
        }
        let mut text = lines(&self.head);
        if self.head.last().is_some_and(|(_, piece)| !piece.ends_with(b"\n")) {
            text.truncate(text.trim_end().len());
            text += "…\n";
        }
        text += &["… ", &self.left_out.to_string(), " bytes left out …\n"].concat();
        let tail = lines(&self.tail);
        let (sign, rest) = tail.split_at(SIGN_BYTES.min(tail.len()));
        text + sign + if self.cuts_a_line { "…" } else { "" } + rest
    }
}

fn push(pieces: &mut Vec<(Side, Vec<u8>)>, side: Side, piece: &[u8]) {
    match pieces.last_mut() {
        _ if piece.is_empty() => {}
        Some((last, bytes)) if *last == side => bytes.extend_from_slice(piece),
        _ => pieces.push((side, piece.to_vec())),
    }
}

/// The length of `> `, which says whose line it is.
const SIGN_BYTES: usize = 2;

fn lines(pieces: &[(Side, Vec<u8>)]) -> String {
    let mut text = String::new();
    for (side, bytes) in pieces {
        let sign = if *side == Side::Submission { "> " } else { "< " };
        for line in crate::grade::excerpt::printable(bytes).lines() {
            text += &[sign, line, "\n"].concat();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_and_the_end_of_a_long_talk_are_kept() {
        let mut transcript = Transcript::default();
        for turn in 0..10_000 {
            transcript.add(Side::Submission, format!("{turn}\n").as_bytes());
            transcript.add(Side::Interactor, b"higher\n");
        }
        let text = transcript.text();
        assert!(text.starts_with("> 0\n< higher\n> 1\n"), "{text}");
        assert!(text.ends_with("> 9999\n< higher\n"), "{text}");
        assert!(text.len() < 4 * KEPT_BYTES && text.contains("bytes left out"));
    }

    #[test]
    fn no_line_is_shown_that_nobody_said() {
        for piece_bytes in [1, 2, 4, 5, 7, 4096] {
            for total in [KEPT_BYTES / 2, KEPT_BYTES + 1, 2 * KEPT_BYTES, 9 * KEPT_BYTES, 9 * KEPT_BYTES + 1]
            {
                let flood: Vec<u8> = b"50\n".iter().copied().cycle().take(total).collect();
                let mut transcript = Transcript::default();
                for piece in flood.chunks(piece_bytes) {
                    transcript.add(Side::Submission, piece);
                }
                let text = transcript.text();
                // The flood itself may stop in the middle of a line.
                let lines: Vec<&str> = text.lines().collect();
                for line in &lines[..lines.len() - 1] {
                    assert!(*line == "> 50" || line.contains('…'), "{total} by {piece_bytes}: {line}");
                }
            }
        }
    }
}
