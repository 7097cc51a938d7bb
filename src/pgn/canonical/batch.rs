//! Batches of whole games, which the splitter hands to the readers.

use std::{ops::Range, sync::Arc};

use super::tags::movetext;
use super::tokens::{Token, Tokens};
use crate::game::{Rules, Warning, WarningKind};
use crate::limits::InterruptHandle;

/// Consecutive games of one source, as canonical PGN.
///
/// `text` holds the games one after another, each followed by an empty line. A game has tag pairs, one per line, an empty line, and movetext that
/// a PGN tokeniser reads without loss, with exactly one terminator as the last word. Four control bytes, which occur nowhere else, express what
/// canonical PGN cannot say:
///
/// * A comment that begins with [`ODD_MOVE`](super::ODD_MOVE) is not a comment. The rest of it is a word of the movetext that must be read as a
///   move although it is not SAN (`e2-e4`, `0-0`, `ed`, `Nf9`). Its possible meanings in SAN or nearly SAN may follow, the likeliest first and each
///   after another [`ODD_MOVE`](super::ODD_MOVE) (`♘f3` is `Nf3`). A single empty meaning says that it cannot be a move (`xyz`), and `?` says that
///   the piece letters of the game are not English.
/// * A comment that begins with [`ODD_NAG`](super::ODD_NAG) is not a comment either. The rest of it is the number of an annotation symbol that is
///   greater than 255.
/// * [`INNER_QUOTE`](crate::game::INNER_QUOTE) and [`BACKSLASH`](crate::game::BACKSLASH) in a tag value replace the bytes that tokenisers would
///   take as its end or as an escape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The name of the source in messages.
    pub source: Arc<str>,
    /// The rules by which it was cut into games and is to be read.
    pub rules: Rules,
    /// The games.
    pub text: Vec<u8>,
    /// The movetext of games of `text` without comments and move numbers, for readers that want neither. Comments may be most of a text, and numbers
    /// are a third of the words of most games. Each movetext is followed by an empty line. The tags of these games are plain: lines `[Name "value"]`
    /// without a quote or a backslash in the value.
    pub stripped: Vec<u8>,
    /// Where the games are in `text`, in order.
    pub games: Vec<GameText>,
    /// The warnings about the text, in order.
    pub warnings: Vec<Warning>,
    /// The source lines of games that were rewritten, in order. Other games have the lines of the source.
    pub line_marks: Vec<LineMark>,
    /// Whether the games are rows of a table, so that each is on one line.
    pub of_rows: bool,
    /// Tells whether the games are still wanted.
    pub watch: InterruptHandle,
}

/// One game of a [`Batch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    /// Its place in the text of the batch, from the first tag to the terminator.
    pub range: Range<usize>,
    /// Its place in the stripped movetext of the batch, empty if it has none.
    pub stripped: Range<usize>,
    /// Its number, from 1, counted over all sources.
    pub number: u64,
    /// The line of the source where it begins, or its row, from 1.
    pub line: u64,
}

/// A place in the text of a [`Batch`] at which another line of the source begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMark {
    /// The place.
    pub at: usize,
    /// The line of the source, from 1.
    pub line: u64,
}

impl Batch {
    /// Returns whether the batch has neither games nor warnings.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty() && self.warnings.is_empty()
    }

    /// Returns the line of the source from which a place in a game comes. `lines_above` lines of the game's text end above the place.
    pub(crate) fn line_of(&self, game: &GameText, at: usize, lines_above: usize) -> u64 {
        if self.of_rows {
            return game.line;
        }
        let marks = self.line_marks.partition_point(|mark| mark.at <= at);
        let mark = marks.checked_sub(1).and_then(|last| self.line_marks.get(last));
        match mark.filter(|mark| mark.at >= game.range.start) {
            Some(mark) => mark.line,
            None => game.line.saturating_add(lines_above as u64),
        }
    }

    /// Adds a warning about a line of the source and the game with this number.
    pub(crate) fn warn(&mut self, kind: WarningKind, line: u64, game: u64, message: &str) {
        self.warnings
            .push(Warning::new(kind, &self.source, line, game, message));
    }

    /// Returns whether a warning already says why the row with this game number has no position or is not a game.
    pub(crate) fn has_told_of_row(&self, game: u64) -> bool {
        let tells = |warning: &Warning| {
            matches!(warning.kind, WarningKind::BadPosition | WarningKind::BadGame) && warning.game == game
        };
        self.of_rows && self.warnings.iter().any(tells)
    }

    /// Returns a warning about a game on a line of the source.
    pub(crate) fn warning(&self, game: &GameText, kind: WarningKind, line: u64, message: String) -> Warning {
        Warning::new(kind, &self.source, line, game.number, message)
    }

    /// Returns how many bytes of a game are moves and symbols, without tags and comments. The positions take a multiple of that.
    pub(crate) fn words_of(&self, game: &GameText) -> usize {
        let movetext = movetext(self.text.get(game.range.clone()).unwrap_or_default());
        let comments = Tokens::of(movetext).filter(|(token, _)| matches!(token, Token::Comment(_)));
        movetext.len() - comments.map(|(_, place)| place.len()).sum::<usize>()
    }

    /// Adds the game that begins at `start` in the text, and at `stripped` in the stripped movetext.
    pub(crate) fn push_game(&mut self, start: usize, stripped: usize, number: u64, line: u64) {
        self.games.push(GameText {
            range: start..self.text.len(),
            stripped: stripped..self.stripped.len(),
            number,
            line,
        });
        self.text.extend_from_slice(b"\n\n");
    }

    /// Creates a batch of one game with canonical text, the first one of its source.
    pub(crate) fn of_game(text: Vec<u8>, rules: Rules, watch: InterruptHandle) -> Batch {
        let mut batch = Batch {
            text,
            rules,
            watch,
            ..Batch::default()
        };
        batch.push_game(0, 0, 1, 1);
        batch
    }

    /// Returns the texts of the games, in order.
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        self.games.iter().filter_map(|game| self.text.get(game.range.clone()))
    }

    /// Empties the batch and keeps its buffers.
    pub(crate) fn reset(&mut self, source: &Arc<str>, rules: Rules) {
        self.source = Arc::clone(source);
        self.rules = rules;
        self.text.clear();
        self.stripped.clear();
        self.games.clear();
        self.warnings.clear();
        self.line_marks.clear();
        self.of_rows = false;
    }
}
