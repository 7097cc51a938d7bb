//! From canonical PGN text to games.

use std::io::{Cursor, Seek};
use std::ops::{ControlFlow, Range};

use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Color, KnownOutcome, Outcome};

use super::batch::Warning;
use super::batch::{Batch, GameText, ODD_MOVE};
use super::move_word::read_move;
use super::moves::{self, MoveError, MoveText};
use super::position::Position;
use super::start::Start;
use super::tree::{Game, Numbering};

/// How much of a game is wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Scope {
    /// The positions of variations, not only those of the main line.
    pub variations: bool,
    /// Comments and annotation symbols.
    pub notes: bool,
}

impl Scope {
    /// Everything, as the output needs it.
    pub const ALL: Scope = Scope {
        variations: true,
        notes: true,
    };
}

/// What became of a request to read a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// The game has been read.
    Read,
    /// The game was not wanted; it has its tags and its result, but no positions.
    Skipped,
    /// There is no further game in the batch.
    End,
}

/// Reads the games of a batch one after the other.
///
/// Buffers are made once for a batch and kept in the [`Game`], so no memory is requested for a game in the end.
pub struct GameReader<'b> {
    batch: &'b Batch,
    reader: Reader<Cursor<&'b [u8]>>,
    next: usize,
    keeps_tag: &'b dyn Fn(&[u8]) -> bool,
    scratch: Scratch,
}

/// Memory that is used while one game is read.
#[derive(Default)]
struct Scratch {
    frames: Vec<Frame>,
    /// A comment that the buffer of the PGN reader could not hold in one piece.
    partial: Vec<u8>,
    numbering: Numbering,
}

impl<'b> GameReader<'b> {
    /// A reader that begins with the first game of a batch.
    pub fn new(batch: &'b Batch) -> GameReader<'b> {
        GameReader::at(batch, 0)
    }

    /// A reader that begins with the game of this index in the batch.
    pub fn at(batch: &'b Batch, index: usize) -> GameReader<'b> {
        let reader = reader_at(batch, 0);
        GameReader {
            batch,
            reader,
            next: index,
            keeps_tag: &|_| true,
            scratch: Scratch::default(),
        }
    }

    /// A reader that keeps only those tags of which `keeps_tag` says so, by their names, beside `FEN` and `Result`.
    #[must_use]
    pub fn keeping_tags(self, keeps_tag: &'b dyn Fn(&[u8]) -> bool) -> GameReader<'b> {
        GameReader { keeps_tag, ..self }
    }

    /// Reads the next game into `game`.
    ///
    /// `wanted` is asked when the game has its number, tags, start and result, but no positions yet; if it declines,
    /// the moves are passed over.
    pub fn read(&mut self, scope: Scope, game: &mut Game, wanted: impl FnOnce(&Game) -> bool) -> Reading {
        let Some(text) = self.batch.games.get(self.next) else {
            return Reading::End;
        };
        self.next += 1;
        let begin = text.range.start as u64;
        let in_place =
            self.reader.has_more().is_ok() && self.reader.stream_position().is_ok_and(|place| place == begin);
        if !in_place {
            self.reader = reader_at(self.batch, text.range.start);
        }
        game.clear();
        game.number = text.number;
        let mut builder = Builder::new(self.batch, text, scope, game, self.keeps_tag, &mut self.scratch, wanted);
        if self.reader.read_game(&mut builder).is_err() {
            builder.warn(text.line, "cannot be read to its end".to_owned());
        }
        builder.finish()
    }
}

/// A PGN reader that begins at a place of the text, with room for any line of tags.
fn reader_at(batch: &Batch, start: usize) -> Reader<Cursor<&[u8]>> {
    let mut cursor = Cursor::new(&*batch.text);
    cursor.set_position(start as u64);
    Reader::build(cursor)
        .set_supported_tag_line_length(batch.longest_tag_line)
        .finish()
}

/// A variation that is being read: where the line goes on after it.
struct Frame {
    /// The index of the position after the move that the variation replaces.
    resume: u32,
    /// How many positions there were before it.
    positions: usize,
}

/// Builds a game from the tokens of the PGN reader.
struct Builder<'a, W> {
    batch: &'a Batch,
    text: &'a GameText,
    scope: Scope,
    game: &'a mut Game,
    keeps_tag: &'a dyn Fn(&[u8]) -> bool,
    scratch: &'a mut Scratch,
    wanted: Option<W>,
    skipped: bool,
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
    fn new(
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
            skipped: true,
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

    fn warn(&mut self, line: u64, message: String) {
        let source = self.batch.source.clone();
        self.game.warnings.push(Warning {
            source,
            line,
            game: self.text.number,
            message,
        });
    }

    /// Takes the start position from the FEN tag, if that is a possible one.
    fn set_start(&mut self) {
        let Some(fen) = self.game.tags.raw(b"FEN") else {
            return;
        };
        self.game.start = Start::from_fen(fen).ok();
        if self.game.start.is_none() {
            let above = self
                .bytes()
                .split(|byte| *byte == b'\n')
                .take_while(|line| !line.starts_with(b"[FEN"))
                .count();
            self.warn(
                self.batch.line_below(self.text, above),
                "invalid FEN tag; the standard start position is used".to_owned(),
            );
        }
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
        let passed = self.game.start.as_ref().and_then(|start| start.en_passant);
        let played = match text.and_then(|text| moves::resolve(here, passed, text)) {
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

    /// Deals with a move that cannot be played: a variation that begins with it is dropped, otherwise the game ends.
    fn refuse(&mut self, error: MoveError, word: &str) -> ControlFlow<()> {
        let line = line_of_move(self.batch, self.text, self.moves_met);
        if !self.started
            && let Some(frame) = self.scratch.frames.pop()
        {
            self.warn(line, format!("{error} `{word}`: its variation is left out"));
            self.leave(&frame);
            self.ignored = 1;
            return ControlFlow::Continue(());
        }
        self.warn(line, format!("{error} `{word}`: the rest of the game is left out"));
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
    fn finish(mut self) -> Reading {
        if self.skipped {
            return Reading::Skipped;
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
        if matches!(name, b"FEN" | b"Result") || (self.keeps_tag)(name) {
            self.game.tags.push(name, value.as_bytes());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<()> {
        self.set_start();
        self.game.result = terminator(self.bytes()).unwrap_or_else(|| self.game.tags.result());
        if self.wanted.take().is_some_and(|wanted| !wanted(self.game)) {
            return ControlFlow::Break(());
        }
        self.skipped = false;
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

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    /// All games of a text, read completely.
    fn read_all(pgn: &str, scope: Scope) -> Vec<Game> {
        let batch = sample::batch(pgn);
        let mut reader = GameReader::new(&batch);
        let mut games = Vec::new();
        loop {
            let mut game = Game::default();
            if reader.read(scope, &mut game, |_| true) == Reading::End {
                return games;
            }
            games.push(game);
        }
    }

    fn only(pgn: &str) -> Game {
        read_all(pgn, Scope::ALL).pop().expect("one game")
    }

    #[test]
    fn an_unplayable_move_ends_the_game_but_not_its_result() {
        let game = only("[White \"A\"]\n\n1. e4 e5\n2. Bb5 {fine} Nxg3 3. Nf3\n4. Nc3 0-1\n");
        assert_eq!(game.positions.len(), 4);
        assert_eq!(game.notes.comment(3), Some(&b"Error reading move: Ng3"[..]));
        assert_eq!(game.result.to_string(), "0-1");
        let warning = &game.warnings[0];
        assert_eq!((warning.line, warning.game), (4, 1));
        assert_eq!(warning.message, "illegal move `Nxg3`: the rest of the game is left out");
    }

    #[test]
    fn unreadable_and_ambiguous_moves_are_told_apart() {
        let message = |pgn| only(pgn).warnings[0].message.clone();
        assert!(message("1. Nf9 *\n").starts_with("unreadable move `Nf9`"));
        assert!(
            message("[FEN \"4k3/8/8/8/8/8/8/R3K2R w\"]\n\n1. O-O Kd8 2. Rd1+ *\n").starts_with("ambiguous move `Rd1`")
        );
    }

    #[test]
    fn an_unplayable_move_in_a_variation_ends_the_main_line_in_every_scope() {
        let pgn = "1. e4 e5 (1... c5 2. Ke5) 2. Nf3 *\n";
        assert_eq!(only(pgn).positions.len(), 4);
        let line = read_all(pgn, Scope::default()).remove(0);
        assert_eq!((line.positions.len(), line.positions[2].last), (3, 2));
    }

    #[test]
    fn variations_without_a_playable_move_are_dropped() {
        let game =
            only("[White \"A\"]\n\n(1. c4) 1. e4 () e5 (1... Ke4 (2. c3) 2. d4) {kept} (1... c5 {x}) 2. Nf3 *\n");
        assert_eq!(game.positions.len(), 5);
        assert_eq!(game.positions.iter().map(|position| position.choice).max(), Some(1));
        assert_eq!(game.notes.comment(2), Some(&b"kept"[..]));
        assert_eq!(game.notes.comment(4), Some(&b"x"[..]));
        assert_eq!(game.warnings.len(), 1);
    }

    #[test]
    fn comments_belong_where_the_reference_puts_them() {
        let game =
            only("[White \"A\"]\n\n{intro} 1. e4 {a} {b} (1. d4) {c} e5 ({lead} {in} 1... c5 {}) 2. Nf3 $1 $0 $2 *\n");
        let comment = |id| game.notes.comment(id).map(String::from_utf8_lossy);
        assert_eq!(comment(0).as_deref(), Some("intro"));
        assert_eq!(comment(1).as_deref(), Some("c"));
        assert_eq!((comment(2), comment(4).as_deref()), (None, Some("")));
        assert_eq!(game.notes.lead_in(4), Some(&b"in"[..]));
        assert_eq!(game.notes.nags(3), [1, 2]);
    }

    #[test]
    fn games_that_are_not_wanted_are_passed_over() {
        let batch = sample::golden("mainline.pgn");
        let mut all = Vec::new();
        let mut reader = GameReader::new(&batch);
        let mut game = Game::default();
        while reader.read(Scope::ALL, &mut game, |_| true) != Reading::End {
            all.push((game.number, game.positions.len()));
        }
        assert_eq!(all.len(), batch.games.len());
        let mut some = Vec::new();
        let mut reader = GameReader::new(&batch);
        loop {
            match reader.read(Scope::ALL, &mut game, |game| game.number % 3 == 0) {
                Reading::End => break,
                Reading::Skipped => assert!(game.positions.is_empty()),
                Reading::Read => some.push((game.number, game.positions.len())),
            }
        }
        all.retain(|(number, _)| number % 3 == 0);
        assert_eq!(some, all);
        let mut reader = GameReader::at(&batch, 8);
        assert_eq!(reader.read(Scope::ALL, &mut game, |_| true), Reading::Read);
        assert_eq!((game.number, game.positions.len()), all[2]);
    }

    #[test]
    fn tags_and_comments_have_any_length() {
        let long = "word ".repeat(20_000);
        let pgn = format!("[Event \"{long}\"]\n[Site \"x\"]\n\n1. e4 {{{long}}} e5 *\n\n[Event \"next\"]\n\n1. d4 *\n");
        let games = read_all(&pgn, Scope::ALL);
        assert_eq!(games[0].tags.event(), long.as_bytes());
        assert_eq!(games[0].notes.comment(1), Some(long.trim_end().as_bytes()));
        assert_eq!((games[0].positions.len(), games[0].warnings.len()), (3, 0));
        assert_eq!((games[1].tags.event(), games[1].positions.len()), (&b"next"[..], 2));
    }

    #[test]
    fn the_result_is_known_before_the_moves_are_read() {
        let batch = sample::batch("[Result \"1-0\"]\n\n1. e4 1/2-1/2\n\n[Result \"0-1\"]\n\n1. e4\n");
        let mut reader = GameReader::new(&batch);
        let mut results = Vec::new();
        let mut game = Game::default();
        while reader.read(Scope::ALL, &mut game, |game| {
            results.push(game.result.to_string());
            false
        }) != Reading::End
        {}
        assert_eq!(results, ["1/2-1/2", "0-1"]);
    }

    #[test]
    fn an_invalid_start_position_is_replaced() {
        let game = only("[White \"A\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n");
        assert!(game.start.is_none());
        assert_eq!(game.positions.len(), 2);
        assert_eq!(game.warnings[0].line, 2);
    }

    #[test]
    fn en_passant_needs_a_double_step_or_the_fen_field() {
        let with = |field: &str| format!("[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - {field} 0 1\"]\n\n1. exd6 *\n");
        assert_eq!(only(&with("d6")).positions.len(), 2);
        assert_eq!(only(&with("-")).positions.len(), 1);
        assert_eq!(only("1. e4 a6 2. e5 d5 3. exd6 *\n").positions.len(), 6);
        assert_eq!(only("1. e4 d6 2. e5 d5 3. exd6 *\n").positions.len(), 5);
        assert_eq!(only("1. e4 a6 2. e5 d5 3. -- a5 4. exd6 *\n").positions.len(), 7);
    }
}
