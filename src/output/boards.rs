//! Matching positions drawn with characters.

use std::iter;

use shakmaty::Square;

use super::diagram::Diagram;
use super::facts::{GameFacts, Matched, matched, next_position};
use super::format::{Format, FormatTraits};
use super::lines::heading;
use super::look::Look;
use super::picture;
use super::screen::{Line, LinePart, Moves, Screen, remarks, sort_values, titles, wrapped};
use crate::chess::Position;
use crate::eval::report::{Extras, GameReport, Highlights};
use crate::game::{ShapeColor, Shapes};
use crate::query::SortKey;

/// A drawing of each matching position. It marks the last move, and the squares and lines of sight that the query refers to.
pub(super) struct Boards {
    screen: Screen,
    /// Whether boards have no marks and no text that says what comes next.
    plain: bool,
    titles: Vec<Option<String>>,
}

/// The width of the gap between a board and the text next to it.
const GAP: usize = 3;
/// The width of text, if the screen has none.
const WIDTH: usize = 80;
/// If there are no more columns than this, no text is put next to a board.
const TOO_NARROW: usize = 15;

impl Boards {
    pub(super) fn new(look: &Look, keys: &[SortKey]) -> Boards {
        Boards {
            screen: look.screen,
            plain: look.plain,
            titles: titles(keys),
        }
    }

    /// Draws a position, with text next to the board and the rest of the text below.
    fn draw(
        &self,
        position: &Position,
        (shapes, highlights): (&Shapes, &Highlights),
        text: &[(LinePart, String)],
        out: &mut Vec<u8>,
    ) {
        let diagram = Diagram {
            board: &position.board,
            marks: highlights.squares,
            sights: &highlights.rays,
            shapes,
            last_move: position.arrival.squares().filter(|_| !self.plain),
            drawing: self.screen.drawing,
        };
        let width = self.screen.width.unwrap_or(WIDTH);
        let room = width.saturating_sub(diagram.width() + GAP);
        let is_beside = room >= TOO_NARROW;
        let columns = if is_beside { room } else { width };
        let lines = text
            .iter()
            .flat_map(|(part, text)| wrapped(text, columns).into_iter().map(move |line| (*part, line)));
        let mut lines = lines.map(|(part, text)| self.part(part, &text));
        for drawn in diagram.even_lines() {
            let beside = if is_beside { lines.next() } else { None };
            let beside = beside.map(|text| format!("{:GAP$}{text}", "")).unwrap_or_default();
            out.extend_from_slice(format!("{drawn}{beside}").trim_end().as_bytes());
            out.push(b'\n');
        }
        for line in lines {
            let indent = if is_beside { diagram.width() + GAP } else { 0 };
            out.extend(iter::repeat_n(b' ', indent));
            out.extend_from_slice(line.as_bytes());
            out.push(b'\n');
        }
        out.push(b'\n');
    }

    fn part(&self, part: LinePart, text: &str) -> String {
        let mut line = Line::new(&self.screen);
        line.add(part, text);
        line.into_text()
    }
}

impl Format for Boards {
    fn extras(&self) -> Extras {
        match self.plain {
            true => Extras::REMARKS,
            // The shapes that comments draw are shown.
            false => Extras::COMMENTS | Extras::HIGHLIGHTS,
        }
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::TAGS
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        let values = sort_values(&self.titles, report);
        for Matched {
            position, highlights, ..
        } in matched(game, report)
        {
            let place = format!("{}:{}", game.number(), position.id);
            heading(&self.screen, &place, game, &values, out);
            let moves = Moves::at(game, position);
            let mut text = vec![
                (LinePart::Move, moves.arrival),
                (LinePart::Plain, picture::to_move(position.turn).to_owned()),
            ];
            match next_position(game, position) {
                _ if self.plain => {}
                Some(_) => text.push((LinePart::Plain, format!("next {}", moves.next))),
                None if moves.next.is_empty() => {}
                None => text.push((LinePart::Plain, moves.next)),
            }
            for (title, arrows) in [("sees", &highlights.rays), ("moves", &highlights.moves)] {
                if !arrows.is_empty() {
                    text.push((LinePart::Plain, format!("{title} {}", pairs(position, arrows))));
                }
            }
            let shapes = if self.plain {
                Shapes::default()
            } else {
                game.shapes(position)
            };
            if !shapes.is_empty() {
                text.push((LinePart::Plain, format!("drawn {}", named(&shapes))));
            }
            let remarks = remarks(game, report, position);
            if !remarks.is_empty() {
                text.push((LinePart::Remark, remarks));
            }
            self.draw(position, (&shapes, highlights), &text, out);
        }
    }
}

/// Lists the shapes of comments by their colours: `green e4 a1–b2, red f7`.
fn named(shapes: &Shapes) -> String {
    let of_color = |color: ShapeColor| {
        let squares = shapes.squares.iter().filter(|(drawn, _)| *drawn == color);
        let arrows = shapes.arrows.iter().filter(|(drawn, _)| *drawn == color);
        let squares = squares.map(|(_, square)| format!(" {square}"));
        let arrows = arrows.map(|(_, (from, to))| format!(" {from}–{to}"));
        let all: String = squares.chain(arrows).collect();
        (!all.is_empty()).then(|| format!("{}{all}", color.name()))
    };
    let colors: Vec<_> = ShapeColor::ALL.into_iter().filter_map(of_color).collect();
    colors.join(", ")
}

/// Lists arrows, each with the piece at its beginning: `Ra1–a8`.
fn pairs(position: &Position, arrows: &[(Square, Square)]) -> String {
    let shown = arrows.iter().map(|(from, to)| match position.board.piece_at(*from) {
        Some(piece) if piece.role != shakmaty::Role::Pawn => format!("{}{from}–{to}", piece.role.upper_char()),
        _ => format!("{from}–{to}"),
    });
    shown.collect::<Vec<_>>().join(", ")
}
