//! Plays the moves of a game, and warns about those that cannot be played.

use std::ops::ControlFlow;

use shakmaty::san::San;
use shakmaty::{Bitboard, CastlingSide, Position as _, Role};

use super::Builder;
use crate::board::Board;
use crate::chess::{Arrival, Castlers, MoveKind, PlayableMove, Position, Rights, after_step, make_move};
use crate::game::{Rules, WarningKind, shown};
use crate::moves::{MoveError, MoveText, Step, play_variant_move, resolve};
use crate::pgn::read::source_text::MovePlace;

/// Returns a word that cannot be read, without the number that precedes it.
fn without_number(word: &str) -> &str {
    let word = word.rsplit(' ').next().unwrap_or(word);
    let behind = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let bare = behind.trim_start_matches(['.', '…']);
    let is_number = bare.len() < behind.len() || bare.starts_with(char::is_alphabetic);
    let is_word = bare.starts_with(|sign: char| !sign.is_ascii_digit());
    if is_number && is_word { bare } else { word }
}

/// The most warnings about variations in a game.
const MOST_WARNINGS: usize = 1000;

impl Builder<'_> {
    /// Plays one move of the text by the rules of the game's variant.
    pub(crate) fn play_by_variant(
        &mut self,
        text: Result<MoveText, MoveError>,
        word: impl FnOnce() -> String,
    ) -> ControlFlow<()> {
        let place = self.current as usize;
        let Some(before) = self.game.by_variant.get(place) else {
            return ControlFlow::Continue(());
        };
        let (after, arrival) = match text.and_then(|text| play_variant_move(before, text)) {
            Ok(played) => played,
            Err(error) => return self.refuse(error, &word()),
        };
        let (board, turn) = (Board::from(after.board()), after.turn());
        self.game.by_variant.push(after);
        if let Some(here) = self.game.positions.get(place) {
            let next = Position {
                turn,
                ..self.next(here, board, arrival)
            };
            self.push(next);
        }
        ControlFlow::Continue(())
    }

    /// Plays one move of the text.
    #[inline(always)]
    pub(crate) fn play(
        &mut self,
        mut text: Result<MoveText, MoveError>,
        word: impl FnOnce() -> String,
    ) -> ControlFlow<()> {
        self.moves_met += 1;
        if self.careful {
            text = self.unless_doubted(text);
            if self.ignored > 0 {
                return ControlFlow::Continue(());
            }
            if self.game.has_own_rules() {
                return self.play_by_variant(text, word);
            }
        }
        let Some(here) = self.game.positions.get(self.current as usize) else {
            return ControlFlow::Continue(());
        };
        let Some(step) = text.ok().and_then(|text| Step::of(text, here)) else {
            return self.play_unusual(text, word);
        };
        // Each branch continues by itself, so that neither has to pass its result through memory (a measured gain).
        let played = match step.role() {
            Role::Pawn => {
                let played = step.of_pawn(here, self.game.start.as_ref());
                played
                    .map(|played| self.after(here, &played))
                    .map(|next| self.push(next))
            }
            role => {
                let played = step.of_piece(here, role);
                played
                    .map(|played| self.after(here, &played))
                    .map(|next| self.push(next))
            }
        };
        match played {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => self.refuse(error, &word()),
        }
    }

    /// Returns the position after the move of a single piece from `here`, the current position.
    #[inline(always)]
    fn after(&self, here: &Position, played: &PlayableMove) -> Position {
        self.next(here, after_step(&here.board, here.turn, played), played.arrival)
    }

    /// Plays a move that may be castling, a null move or in an unusual spelling.
    // Few moves of a game come here.
    #[inline(never)]
    fn play_unusual(&mut self, text: Result<MoveText, MoveError>, word: impl FnOnce() -> String) -> ControlFlow<()> {
        let Some(here) = self.game.positions.get(self.current as usize) else {
            return ControlFlow::Continue(());
        };
        let start = self.game.start.as_ref();
        let played = match text.and_then(|text| resolve(here, start, text)) {
            Ok(played) => played,
            Err(error) => return self.refuse(error, &word()),
        };
        if let MoveKind::Castle(side) = played.arrival.kind
            && let Some(error) = self.missing_right(here, side, text)
        {
            return self.refuse(error, &word());
        }
        let mut board = here.board;
        make_move(&mut board, here.turn, start, &played);
        let next = self.next(here, board, played.arrival);
        self.push(next);
        ControlFlow::Continue(())
    }

    /// Returns the move, or the error if its number says that it must not be played.
    #[cold]
    pub(crate) fn unless_doubted(&mut self, text: Result<MoveText, MoveError>) -> Result<MoveText, MoveError> {
        if self.scratch.doubts.get(self.doubts_met) != Some(&self.moves_met) {
            return text;
        }
        self.doubts_met += 1;
        Err(MoveError::OutOfTurn)
    }

    /// Returns the position after a move from `here`, the current position.
    #[inline(always)]
    fn next(&self, here: &Position, board: Board, arrival: Arrival) -> Position {
        let index = self.game.positions.len() as u32;
        Position {
            board,
            turn: !here.turn,
            arrival,
            id: index,
            parent: self.current,
            last: index,
            ply: here.ply.saturating_add(1),
            depth: 0,
            choice: 0,
        }
    }

    /// Continues to the next position.
    #[inline(always)]
    fn push(&mut self, next: Position) {
        self.current = next.id;
        self.started = true;
        self.game.positions.push(next);
        if self.careful {
            self.behind = None;
            for before in self.scratch.lead_in.drain(..) {
                self.game.notes.add_lead_in(self.current, before);
            }
        }
    }

    /// Returns why a move cannot castle to a side. CQL requires no castling right, but there a king cannot take his rook.
    fn missing_right(
        &self,
        here: &Position,
        side: CastlingSide,
        text: Result<MoveText, MoveError>,
    ) -> Option<MoveError> {
        let Castlers { king, rook } = self.game.castlers(here.turn, side);
        if self.batch.rules == Rules::Cql {
            let takes = matches!(text, Ok(MoveText::San(San::Normal { to, .. })) if to == rook);
            return takes.then_some(MoveError::Illegal);
        }
        let at_start = self.game.start.as_ref().map_or(Rights::USUAL, |start| start.rights);
        if !at_start.0.contains(rook) {
            Some(MoveError::RightNotGiven)
        } else {
            let has_stayed = self.game.touched(here).is_disjoint(Bitboard::from(king) | rook);
            (!has_stayed).then_some(MoveError::RightLost)
        }
    }

    /// Deals with a move that cannot be played, which ends its line.
    #[cold]
    pub(crate) fn refuse(&mut self, error: MoveError, word: &str) -> ControlFlow<()> {
        let (batch, moves) = (self.batch, self.moves_met);
        let MovePlace { numbered, mut start } = self.walk().go_to_move(&batch.text, moves);
        let short = shown(without_number(word).as_bytes());
        let mut named = self.numbered(&short);
        let number = batch.text.get(numbered..start).unwrap_or_default();
        let number: String = String::from_utf8_lossy(number).split_whitespace().collect();
        if error == MoveError::OutOfTurn {
            let gap = if number.ends_with(|last: char| last.is_ascii_digit()) {
                " "
            } else {
                ""
            };
            named = format!("{}{gap}{short}", shown(number.as_bytes()));
        }
        if error == MoveError::OutOfTurn || self.game.rules == Rules::Full {
            // The warning shows the number in front as it is written, too.
            start = numbered;
        }
        let lines = self.walk().lines();
        let line = batch.line_of(self.text, start, lines);
        if self.batch.rules == Rules::Cql {
            return self.refuse_as_cql(error, word, line);
        }
        if self.scratch.frames.is_empty() {
            let message = format!("{error} `{named}`: the rest of the game is not searched");
            self.warn(WarningKind::WrongMove, line, message);
            self.keep_rest(start);
            return ControlFlow::Break(());
        }
        let message = format!("{error} `{named}`: the rest of the variation is not searched");
        self.warn_of_variation(line, message);
        self.keep_rest(start);
        self.scratch.lead_in.clear();
        self.ignored = 1;
        self.broken = true;
        ControlFlow::Continue(())
    }

    /// Warns about a move in a variation. After too many of these warnings there is a last one.
    fn warn_of_variation(&mut self, line: u64, message: String) {
        let message = match self.game.warnings.len() {
            ..MOST_WARNINGS => message,
            MOST_WARNINGS => format!("{message}; further variations like that in this game are not reported"),
            _ => return,
        };
        self.warn(WarningKind::WrongVariation, line, message);
    }

    /// Drops a variation that begins with a wrong move. Otherwise ends the game, with a comment in place of the move.
    fn refuse_as_cql(&mut self, error: MoveError, word: &str, line: u64) -> ControlFlow<()> {
        if !self.started
            && let Some(frame) = self.scratch.frames.pop()
        {
            let message = format!("{error} `{}`: its variation is left out", shown(word.as_bytes()));
            self.warn_of_variation(line, message);
            self.leave(&frame);
            self.ignored = 1;
            return ControlFlow::Continue(());
        }
        let message = format!("{error} `{}`: the rest of the game is left out", shown(word.as_bytes()));
        self.warn(WarningKind::WrongMove, line, message);
        if self.scope.notes {
            let word = match word {
                castling if castling.starts_with("O-O") => castling.to_owned(),
                other => other.replace(['x', ':', '-'], ""),
            };
            self.game
                .notes
                .add_comment(self.current, format!("Error reading move: {word}").as_bytes());
        }
        ControlFlow::Break(())
    }

    /// Returns a word with the number of the move: `12...Nf6`.
    pub(crate) fn numbered(&self, word: &str) -> String {
        let Some(here) = self.game.positions.get(self.current as usize) else {
            return word.to_owned();
        };
        let dots = here.turn.fold_wb(".", "...");
        format!("{}{dots}{word}", self.game.written_move_number(here))
    }
}
