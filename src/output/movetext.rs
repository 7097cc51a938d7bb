//! The moves of matching games, with those highlighted that lead to a match.

use super::facts::{GameFacts, matching_positions, next_position};
use super::format::{Format, FormatTraits};
use super::lines::heading;
use super::screen::{Line, LinePart, Screen, in_one_line, sort_values, titles};
use crate::chess::Position;
use crate::eval::report::{Extras, GameReport};
use crate::query::SortKey;

/// The moves of each matching game. Without colours, brackets enclose a move that leads to a match.
pub(super) struct Movetext {
    screen: Screen,
    titles: Vec<Option<String>>,
}

/// The width of lines, if the screen has none.
const WIDTH: usize = 80;

impl Movetext {
    pub(super) fn new(screen: Screen, keys: &[SortKey]) -> Movetext {
        Movetext {
            screen,
            titles: titles(keys),
        }
    }

    /// Writes moves in lines. Those marked `true` lead to a match.
    fn write(&self, words: &[(String, bool)], out: &mut Vec<u8>) {
        let screen = Screen {
            width: Some(self.screen.width.unwrap_or(WIDTH)),
            ..self.screen
        };
        let mut line = Line::new(&screen);
        let mut is_first = true;
        for (word, is_match) in words {
            let word = match *is_match && !self.screen.drawing.color {
                true => format!("[{word}]"),
                false => word.clone(),
            };
            // Moves and their numbers are ASCII.
            if !is_first && word.len() + 1 > line.room() {
                std::mem::replace(&mut line, Line::new(&screen)).end(out);
                is_first = true;
            }
            if !is_first {
                line.add(LinePart::Plain, " ");
            }
            line.add(if *is_match { LinePart::Move } else { LinePart::Plain }, &word);
            is_first = false;
        }
        line.end(out);
    }
}

/// Returns the moves from a position to the end of its line. The first one has a number.
fn words(game: &dyn GameFacts, first: &Position, report: &GameReport) -> Vec<(String, bool)> {
    let line = std::iter::successors(Some(first), |position| next_position(game, position));
    let words = line.enumerate().filter_map(|(index, position)| {
        let mut word = Vec::new();
        // Black's moves follow White's without a number.
        if index == 0 || position.turn.is_black() {
            game.write_move(position, &mut word);
        } else {
            game.write_san(position, &mut word);
        }
        let is_match = report.positions.contains(&position.id);
        (!word.is_empty()).then(|| (in_one_line(&word), is_match))
    });
    words.collect()
}

impl Format for Movetext {
    fn extras(&self) -> Extras {
        Extras::REMARKS
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::BY_GAME | FormatTraits::TAGS
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        let Some(start) = game.positions().first().filter(|_| report.matched) else {
            return;
        };
        let values = sort_values(&self.titles, report);
        heading(&self.screen, &game.number().to_string(), game, &values, out);
        let mut moves: Vec<_> = next_position(game, start).map_or_else(Vec::new, |first| words(game, first, report));
        if let Some(result) = game.tag(b"Result") {
            moves.push((in_one_line(&result), false));
        }
        self.write(&moves, out);
        let mut written = Vec::new();
        for position in matching_positions(game, report).filter(|position| position.depth > 0) {
            let first = beginning(game, position);
            if !written.contains(&first.id) {
                written.push(first.id);
                self.write(&words(game, first, report), out);
            }
        }
        out.push(b'\n');
    }
}

/// Returns the first position of the variation that a position is in.
fn beginning<'g>(game: &'g dyn GameFacts, position: &'g Position) -> &'g Position {
    let mut first = position;
    while first.choice == 0 {
        match game.positions().get(first.parent as usize) {
            Some(parent) if parent.id < first.id => first = parent,
            _ => break,
        }
    }
    first
}
