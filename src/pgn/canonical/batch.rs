//! Batches of whole games, which the splitter hands to the readers.

use std::{ops::Range, sync::Arc};

#[cfg(feature = "database")]
use super::tags::movetext;
#[cfg(feature = "database")]
use super::tokens::{Token, Tokens};
use crate::game::{Rules, Warning, WarningKind};
use crate::limits::Watch;

/// Consecutive games of one source, as canonical PGN.
///
/// `text` holds the games one after the other, each followed by an empty line: tag pairs one per line, an empty line,
/// movetext that a PGN tokeniser reads without loss, exactly one terminator as the last word. What canonical PGN cannot say is
/// said with four control bytes that stand for nothing else in it:
///
/// * a comment that begins with [`ODD_MOVE`](super::ODD_MOVE) is not a comment: the rest of it is a word of the movetext that has to be read as a
///   move although it is not in SAN (`e2-e4`, `0-0`, `ed`, `Nf9`); after the word, each after another [`ODD_MOVE`](super::ODD_MOVE), may stand what it means
///   in SAN or nearly so, the likeliest first (`♘f3` is `Nf3`), or nothing if it cannot be a move (`xyz`),
///   or `?` if the letters of the game are not English;
/// * a comment that begins with [`ODD_NAG`](super::ODD_NAG) is not a comment either: the rest of it is the number of an annotation symbol that is
///   greater than 255;
/// * [`INNER_QUOTE`](crate::game::INNER_QUOTE) and [`BACKSLASH`](crate::game::BACKSLASH) in a tag value stand for the bytes that tokenisers would take as its end or an escape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The source, as messages name it.
    pub source: Arc<str>,
    /// By which rules it was cut into games and is to be read.
    pub rules: Rules,
    /// The games.
    pub text: Vec<u8>,
    /// The movetext of games of `text` once more, without comments and move numbers, for readers that want neither: comments may
    /// be most of a text, and numbers are a third of the words of most games. Each is followed by an empty line. The tags of these games are plain:
    /// lines `[Name "value"]` without a quote or a backslash in the value.
    pub stripped: Vec<u8>,
    /// Where the games are in `text`, in order.
    pub games: Vec<GameText>,
    /// What was wrong with the text, in order.
    pub warnings: Vec<Warning>,
    /// Which lines of the source the games come from that were not canonical as they stood, in order. The lines of other games are
    /// those of the source.
    pub line_marks: Vec<LineMark>,
    /// The games are rows of a table, so all of a game is on its line.
    pub of_rows: bool,
    /// Whether someone still wants the games.
    pub watch: Watch,
}

/// One game of a [`Batch`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameText {
    /// Its place in the text of the batch, from the first tag to the terminator.
    pub range: Range<usize>,
    /// Its place in the stripped movetext of the batch; empty if it is not there.
    pub stripped: Range<usize>,
    /// Its number, from 1, counted over all sources.
    pub number: u64,
    /// The line of the source where it begins, or its row, from 1.
    pub line: u64,
}

/// A place in the text of a [`Batch`] from which on it comes from another line of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineMark {
    /// The place.
    pub at: usize,
    /// The line of the source, from 1.
    pub line: u64,
}

impl Batch {
    /// Whether there is nothing in the batch, neither a game nor a warning.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty() && self.warnings.is_empty()
    }

    /// The line of the source from which a place in the text of a game comes. This many lines of the game's text end above the place.
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

    /// Adds a warning about a line of the source, and about the game with this number.
    pub(crate) fn warn(&mut self, kind: WarningKind, line: u64, game: u64, message: &str) {
        self.warnings
            .push(Warning::new(kind, &self.source, line, game, message));
    }

    /// Whether a warning says already why the row with the number of a game has no position or is not a game.
    pub(crate) fn has_told_of_row(&self, game: u64) -> bool {
        let tells = |warning: &Warning| {
            matches!(warning.kind, WarningKind::BadPosition | WarningKind::BadGame) && warning.game == game
        };
        self.of_rows && self.warnings.iter().any(tells)
    }

    /// A warning about a game on a line of the source.
    pub(crate) fn warning(&self, game: &GameText, kind: WarningKind, line: u64, message: String) -> Warning {
        Warning::new(kind, &self.source, line, game.number, message)
    }

    /// How many bytes of a game are moves and symbols, without tags and comments: positions and all that is known of them take a multiple of that.
    #[cfg(feature = "database")]
    pub(crate) fn words_of(&self, game: &GameText) -> usize {
        let movetext = movetext(self.text.get(game.range.clone()).unwrap_or_default());
        let comments = Tokens::of(movetext).filter(|(token, _)| matches!(token, Token::Comment(_)));
        movetext.len() - comments.map(|(_, place)| place.len()).sum::<usize>()
    }

    /// Adds the game whose text is that of the batch from `start` on, with its stripped movetext from `stripped` on.
    pub(crate) fn push_game(&mut self, start: usize, stripped: usize, number: u64, line: u64) {
        self.games.push(GameText {
            range: start..self.text.len(),
            stripped: stripped..self.stripped.len(),
            number,
            line,
        });
        self.text.extend_from_slice(b"\n\n");
    }

    /// A batch of one game with a canonical text, the first one of its source.
    pub(crate) fn of_game(text: Vec<u8>, rules: Rules, watch: Watch) -> Batch {
        let mut batch = Batch {
            text,
            rules,
            watch,
            ..Batch::default()
        };
        batch.push_game(0, 0, 1, 1);
        batch
    }

    /// The games' texts, in order.
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
