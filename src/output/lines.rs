//! Matching positions as lines for chess players.

use unicode_width::UnicodeWidthStr;

use super::facts::{GameFacts, matching_positions};
use super::format::{Format, FormatTraits};
use super::screen::{Caption, Line, LinePart, Moves, Screen, remarks, sort_values, titles};
use crate::chess::Position;
use crate::eval::report::{Extras, GameReport};
use crate::query::SortKey;

/// A line for each matching position: its place, the players, event and year, the move that led there and the next one, and the query's
/// remarks. Several positions of a game are listed below a line for the game.
pub(super) struct Lines {
    screen: Screen,
    titles: Vec<Option<String>>,
}

/// The usual width of the numbers of a game and a position.
const PLACE: usize = 9;
/// The width of the gap between two columns.
const GAP: usize = 2;
/// The largest width of the description of a game.
const WIDEST_CAPTION: usize = 60;
/// The indentation of lines below the line of their game.
const INDENT: usize = 3;

impl Lines {
    pub(super) fn new(screen: Screen, keys: &[SortKey]) -> Lines {
        Lines {
            screen,
            titles: titles(keys),
        }
    }

    /// Returns the width of the moves that follow a game, and the width of the game.
    fn columns(&self) -> (usize, usize) {
        let Some(width) = self.screen.width else {
            return (16, usize::MAX);
        };
        let moves = if width < 70 { 14 } else { 17 };
        let caption = width.saturating_sub(PLACE + 2 * GAP + moves).min(WIDEST_CAPTION);
        (moves, caption)
    }

    /// Returns a line for the only match of a game, if everything fits in.
    fn line(&self, game: &dyn GameFacts, position: &Position, remarks: &str) -> Option<Line<'_>> {
        let (moves_width, caption_width) = self.columns();
        let mut line = Line::new(&self.screen);
        line.add(LinePart::Number, &place(game, position));
        line.pad(PLACE);
        line.add(LinePart::Plain, "  ");
        let begin = PLACE + GAP;
        let (players, when) = Caption::of(game).fitted(caption_width);
        line.add(LinePart::Players, &players);
        line.add(LinePart::Plain, &when);
        match self.screen.width {
            Some(_) => line.pad(begin + caption_width + GAP),
            None => line.add(LinePart::Plain, "  "),
        }
        Moves::at(game, position).add_to(&mut line);
        if remarks.is_empty() {
            return Some(line);
        }
        if self.screen.width.is_some() {
            line.pad(begin + caption_width + GAP + moves_width);
        }
        let needed = remarks.width() + GAP;
        (needed <= line.room()).then(|| {
            line.add_apart(LinePart::Remark, remarks);
            line
        })
    }
}

/// Returns the numbers of a game and a position as the format `ids` has them.
fn place(game: &dyn GameFacts, position: &Position) -> String {
    format!("{}:{}", game.number(), position.id)
}

/// Appends the line for a game whose positions follow in lines of their own.
pub(super) fn heading(screen: &Screen, place: &str, game: &dyn GameFacts, remarks: &str, out: &mut Vec<u8>) {
    let mut line = Line::new(screen);
    line.add(LinePart::Number, place);
    line.add(LinePart::Plain, "  ");
    let (players, when) = Caption::of(game).fitted(line.room());
    line.add(LinePart::Players, &players);
    line.add(LinePart::Plain, &when);
    line.add_apart(LinePart::Remark, remarks);
    line.end(out);
}

impl Format for Lines {
    fn extras(&self) -> Extras {
        Extras::REMARKS
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::BY_GAME | FormatTraits::TAGS
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        let values = sort_values(&self.titles, report);
        let mut positions = matching_positions(game, report).peekable();
        let Some(first) = positions.next() else {
            return;
        };
        if positions.peek().is_none() {
            let said = [remarks(game, report, first), values.clone()];
            let said: Vec<_> = said.into_iter().filter(|text| !text.is_empty()).collect();
            if let Some(line) = self.line(game, first, &said.join("; ")) {
                line.end(out);
                return;
            }
        }
        heading(&self.screen, &game.number().to_string(), game, &values, out);
        let (moves_width, _) = self.columns();
        for position in std::iter::once(first).chain(positions) {
            let mut line = Line::new(&self.screen);
            line.pad(INDENT);
            line.add(LinePart::Number, &place(game, position));
            line.pad(INDENT + PLACE);
            line.add(LinePart::Plain, "  ");
            let moves = Moves::at(game, position);
            moves.add_to(&mut line);
            let remarks = remarks(game, report, position);
            if !remarks.is_empty() {
                line.pad(INDENT + PLACE + GAP + moves_width);
                line.add_apart(LinePart::Remark, &remarks);
            }
            line.end(out);
        }
    }
}
