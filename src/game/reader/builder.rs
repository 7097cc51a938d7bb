//! Builds a game of the tokens of the PGN reader.

use std::io::Seek;
use std::ops::{ControlFlow, Range};

use pgn_reader::{Nag, RawComment, RawTag, SanPlus, Skip, Visitor};
use shakmaty::san::San;
use shakmaty::{Color, KnownOutcome, Outcome};

use super::super::batch::{Batch, GameText, ODD_MOVE};
use super::super::castling::Rights;
use super::super::move_word::read_move;
use super::super::moves::{self, MoveError, MoveText, Playable};
use super::super::position::Position;
use super::super::rules::Rules;
use super::super::start::Start;
use super::super::tree::Game;
use super::super::variant::Variant;
use super::super::warning::{Warning, WarningKind};
use super::{Reading, Scope, Scratch, reader_at};

/// A variation that is being read: where the line goes on after it.
pub(super) struct Frame {
    /// The index of the position after the move that the variation replaces.
    resume: u32,
    /// How many positions there were before it.
    positions: usize,
}

/// Builds a game from the tokens of the PGN reader.
pub(super) struct Builder<'a, W> {
    batch: &'a Batch,
    text: &'a GameText,
    scope: Scope,
    game: &'a mut Game,
    keeps_tag: &'a dyn Fn(&[u8]) -> bool,
    scratch: &'a mut Scratch,
    wanted: Option<W>,
    /// What is known of the outcome.
    outcome: Reading,
    /// The position reached, by its index in the order of the text.
    current: u32,
    /// Whether the line that is being read has a move yet.
    started: bool,
    /// How many parentheses deep we are in a variation that is passed over; 0 outside.
    ignored: usize,
    /// Whether any variation has been kept.
    branched: bool,
    /// How many moves have been met, read or passed over.
    moves_met: usize,
    lead_in: Option<Range<usize>>,
}

impl<'a, W: FnOnce(&Game) -> bool> Builder<'a, W> {
    pub(super) fn new(
        batch: &'a Batch,
        text: &'a GameText,
        scope: Scope,
        game: &'a mut Game,
        keeps_tag: &'a dyn Fn(&[u8]) -> bool,
        scratch: &'a mut Scratch,
        wanted: W,
    ) -> Builder<'a, W> {
        scratch.frames.clear();
        scratch.partial.clear();
        Builder {
            batch,
            text,
            scope,
            game,
            keeps_tag,
            scratch,
            wanted: Some(wanted),
            outcome: Reading::Skipped,
            current: 0,
            started: false,
            ignored: 0,
            branched: false,
            moves_met: 0,
            lead_in: None,
        }
    }

    /// The text of the game, with its tags.
    fn bytes(&self) -> &'a [u8] {
        self.batch.text.get(self.text.range.clone()).unwrap_or_default()
    }

    /// Warns of something on a line.
    pub(super) fn warn(&mut self, kind: WarningKind, line: u64, message: String) {
        let source = self.batch.source.clone();
        self.game.warnings.push(Warning {
            kind,
            source,
            line,
            game: self.text.number,
            message,
        });
    }

    /// Finds out what is played from which start position. Breaks if that cannot be known.
    fn set_start(&mut self) -> ControlFlow<()> {
        let rules = self.batch.rules;
        if rules == Rules::Full
            && let Some(name) = self.game.tags.raw(b"Variant")
            && Variant::of_name(name).is_none()
        {
            let name = String::from_utf8_lossy(name).into_owned();
            let line = self.line_of_tag(b"Variant");
            let message = format!("the variant `{name}` is unknown: the game is left out");
            return self.give_up(WarningKind::UnknownVariant, line, message);
        }
        let Some(fen) = self.game.tags.raw(b"FEN") else {
            return ControlFlow::Continue(());
        };
        let start = match rules {
            Rules::Full if is_no_position(fen) => return ControlFlow::Continue(()),
            Rules::Full => Start::from_fen(fen),
            Rules::Cql => Start::from_fen_of_cql(fen),
        };
        match (start, rules) {
            (Ok(start), _) => self.game.start = Some(start),
            (Err(error), Rules::Full) => {
                let wrong = String::from_utf8_lossy(fen.get(error.range).unwrap_or_default()).into_owned();
                let place = if wrong.is_empty() {
                    wrong
                } else {
                    format!(" (`{wrong}`)")
                };
                let message = format!(
                    "the FEN tag is no position: {}{place}: the game is left out",
                    error.fault
                );
                return self.give_up(WarningKind::BadStart, self.line_of_tag(b"FEN"), message);
            }
            (Err(_), Rules::Cql) => self.warn(
                WarningKind::BadStart,
                self.line_of_tag(b"FEN"),
                "invalid FEN tag; the standard start position is used".to_owned(),
            ),
        }
        ControlFlow::Continue(())
    }

    /// Leaves a game out.
    fn give_up(&mut self, kind: WarningKind, line: u64, message: String) -> ControlFlow<()> {
        self.warn(kind, line, message);
        self.outcome = Reading::Unreadable;
        ControlFlow::Break(())
    }

    /// The line of the file on which a tag stands.
    fn line_of_tag(&self, name: &[u8]) -> u64 {
        let is_it = |line: &[u8]| {
            line.strip_prefix(b"[")
                .and_then(|line| line.strip_prefix(name))
                .is_some_and(|rest| rest.starts_with(b" "))
        };
        let above = self
            .bytes()
            .split(|byte| *byte == b'\n')
            .take_while(|line| !is_it(line))
            .count();
        self.batch.line_below(self.text, above)
    }

    /// Plays one move of the text.
    #[inline]
    fn play(&mut self, text: Result<MoveText, MoveError>, word: impl FnOnce() -> String) -> ControlFlow<()> {
        self.moves_met += 1;
        if self.ignored > 0 {
            return ControlFlow::Continue(());
        }
        let Some(here) = self.game.positions.get(self.current as usize) else {
            return ControlFlow::Continue(());
        };
        let start = self.game.start.as_ref();
        let played = text.and_then(|text| self.with_right(here, text, moves::resolve(here, start, text)?));
        let played = match played {
            Ok(played) => played,
            Err(error) => return self.refuse(error, &word()),
        };
        let index = self.game.positions.len() as u32;
        let mut next = Position {
            board: here.board,
            turn: !here.turn,
            arrival: played.arrival,
            id: index,
            parent: self.current,
            last: index,
            ply: here.ply.saturating_add(1),
            depth: 0,
            choice: 0,
        };
        moves::play(&mut next.board, here.turn, &played);
        self.game.positions.push(next);
        self.current = index;
        self.started = true;
        if let Some(stored) = self.lead_in.take() {
            self.game.notes.set_lead_in(index, stored);
        }
        ControlFlow::Continue(())
    }

    /// A move, unless it is castling and the right is missing. CQL asks for no right, but a king takes no rook.
    #[inline]
    fn with_right(&self, here: &Position, text: MoveText, played: Playable) -> Result<Playable, MoveError> {
        let Some(rook) = played.rook else {
            return Ok(played);
        };
        if self.batch.rules == Rules::Cql {
            let takes = matches!(text, MoveText::San(San::Normal { to, .. }) if to == rook);
            return if takes { Err(MoveError::Illegal) } else { Ok(played) };
        }
        let is_in = |rights: Rights| rights.0.contains(rook);
        let at_start = self.game.start.as_ref().map_or(Rights::USUAL, |start| start.rights);
        if is_in(self.game.rights(here)) {
            Ok(played)
        } else if is_in(at_start) {
            Err(MoveError::RightLost)
        } else {
            Err(MoveError::RightNotGiven)
        }
    }

    /// Deals with a move that cannot be played: a variation that begins with it is dropped, otherwise the game ends.
    fn refuse(&mut self, error: MoveError, word: &str) -> ControlFlow<()> {
        let line = line_of_move(self.batch, self.text, self.moves_met);
        if !self.started
            && let Some(frame) = self.scratch.frames.pop()
        {
            self.warn(
                WarningKind::WrongVariation,
                line,
                format!("{error} `{word}`: its variation is left out"),
            );
            self.leave(&frame);
            self.ignored = 1;
            return ControlFlow::Continue(());
        }
        self.warn(
            WarningKind::WrongMove,
            line,
            format!("{error} `{word}`: the rest of the game is left out"),
        );
        if self.scope.notes {
            let shown = match word {
                castling if castling.starts_with("O-O") => castling.to_owned(),
                other => other.replace(['x', ':', '-'], ""),
            };
            self.game
                .notes
                .set_comment(self.current, format!("Error reading move: {shown}").as_bytes());
        }
        ControlFlow::Break(())
    }

    /// Goes back to the line that a variation branched off from.
    fn leave(&mut self, frame: &Frame) {
        self.current = frame.resume;
        self.started = true;
        self.lead_in = None;
        if self.scope.variations {
            self.branched |= self.game.positions.len() > frame.positions;
        } else {
            self.game.positions.truncate(frame.positions);
            self.game.notes.truncate(frame.positions);
        }
    }

    /// Records a comment.
    fn note_comment(&mut self, comment: &[u8]) {
        if !self.scope.notes || self.ignored > 0 {
            return;
        }
        if self.started || self.scratch.frames.is_empty() {
            self.game.notes.set_comment(self.current, comment);
        } else {
            self.lead_in = Some(self.game.notes.store(comment));
        }
    }

    /// Takes a comment or the move in an unusual spelling that it stands for.
    fn take_comment(&mut self, comment: &[u8]) -> ControlFlow<()> {
        match comment.split_first() {
            Some((&ODD_MOVE, word)) => self.play(read_move(word).ok_or(MoveError::Unreadable), || {
                String::from_utf8_lossy(word).into_owned()
            }),
            _ => {
                self.note_comment(comment);
                ControlFlow::Continue(())
            }
        }
    }

    /// Closes open variations and gives the positions their ids.
    pub(super) fn finish(mut self) -> Reading {
        if self.outcome != Reading::Read {
            return self.outcome;
        }
        while let Some(frame) = self.scratch.frames.pop() {
            self.leave(&frame);
        }
        if self.branched {
            let _complete = self.scratch.numbering.apply(self.game);
        } else {
            let last = self.game.positions.last().map_or(0, |position| position.id);
            for position in &mut self.game.positions {
                position.last = last;
            }
        }
        Reading::Read
    }
}

impl<W: FnOnce(&Game) -> bool> Visitor for Builder<'_, W> {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        let name = name.trim_ascii();
        if matches!(name, b"FEN" | b"Result" | b"Variant") || (self.keeps_tag)(name) {
            self.game.tags.push(name, value.as_bytes());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        self.game.result = terminator(self.bytes()).unwrap_or_else(|| self.game.tags.result());
        self.set_start()?;
        if self.wanted.take().is_some_and(|wanted| !wanted(self.game)) {
            return ControlFlow::Break(());
        }
        self.outcome = Reading::Read;
        let initial = self.game.initial_position();
        self.game.positions.push(initial);
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), san_plus: SanPlus) -> ControlFlow<()> {
        let san = san_plus.san;
        self.play(Ok(MoveText::San(san)), || san.to_string())
    }

    fn nag(&mut self, (): &mut (), nag: Nag) -> ControlFlow<()> {
        if self.scope.notes && self.started && self.ignored == 0 && nag.0 != 0 {
            self.game.notes.add_nag(self.current, nag.0);
        }
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        self.scratch.partial.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        if self.scratch.partial.is_empty() {
            return self.take_comment(comment.as_bytes());
        }
        let mut whole = std::mem::take(&mut self.scratch.partial);
        whole.extend_from_slice(comment.as_bytes());
        let flow = self.take_comment(&whole);
        whole.clear();
        self.scratch.partial = whole;
        flow
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        if self.ignored > 0 || !self.started {
            // There is no move that it could replace.
            self.ignored += 1;
        } else if let Some(here) = self.game.positions.get(self.current as usize) {
            let positions = self.game.positions.len();
            self.scratch.frames.push(Frame {
                resume: self.current,
                positions,
            });
            self.current = here.parent;
            self.started = false;
        }
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, (): &mut ()) -> ControlFlow<()> {
        if self.ignored > 0 {
            self.ignored -= 1;
        } else if let Some(frame) = self.scratch.frames.pop() {
            self.leave(&frame);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (): ()) {}
}

/// Whether a FEN tag says that it does not say anything.
fn is_no_position(fen: &[u8]) -> bool {
    matches!(fen.trim_ascii(), b"" | b"-")
}

/// The result at the end of the text of a game.
fn terminator(text: &[u8]) -> Option<Outcome> {
    let text = text.trim_ascii_end();
    let decisive = |winner| Outcome::Known(KnownOutcome::Decisive { winner });
    let results = [
        (&b"1-0"[..], decisive(Color::White)),
        (b"0-1", decisive(Color::Black)),
        (b"1/2-1/2", Outcome::Known(KnownOutcome::Draw)),
        (b"*", Outcome::Unknown),
    ];
    results
        .into_iter()
        .find(|(word, _)| text.ends_with(word))
        .map(|(_, outcome)| outcome)
}

/// The line of the file on which the move number `count` of a game stands, all moves of the text counted from 1.
fn line_of_move(batch: &Batch, text: &GameText, count: usize) -> u64 {
    let mut reader = reader_at(batch, text.range.start);
    let _stopped = reader.read_game(&mut MoveFinder { left: count });
    let end = reader
        .stream_position()
        .ok()
        .and_then(|end| usize::try_from(end).ok())
        .unwrap_or(text.range.end);
    let before = batch.text.get(text.range.start..end).unwrap_or_default();
    batch.line_below(text, memchr::memchr_iter(b'\n', before).count())
}

/// Stops the PGN reader behind a certain move.
struct MoveFinder {
    left: usize,
}

impl MoveFinder {
    fn count(&mut self) -> ControlFlow<()> {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

impl Visitor for MoveFinder {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, (): &mut (), _: SanPlus) -> ControlFlow<()> {
        self.count()
    }

    fn partial_comment(&mut self, (): &mut (), _: RawComment<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn comment(&mut self, (): &mut (), comment: RawComment<'_>) -> ControlFlow<()> {
        match comment.as_bytes() {
            [ODD_MOVE, ..] => self.count(),
            _ => ControlFlow::Continue(()),
        }
    }

    fn begin_variation(&mut self, (): &mut ()) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(false))
    }

    fn end_game(&mut self, (): ()) {}
}
