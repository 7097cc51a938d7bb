//! Matching positions as drawings.

use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Seek, Write};

use shakmaty::Color;
use tempfile::SpooledTempFile;

use super::row::text;
use super::svg_board::{self, Diagram};
use super::{Format, GameFacts, TagName, matched};
use crate::board::{Board, Square};
use crate::eval::report::{Extras, GameReport, Highlights};
use crate::game::{MoveKind, Position};

/// One SVG document with a board for each matching position, in rows.
pub(super) struct Svg;

impl Format for Svg {
    fn extras(&self) -> Extras {
        Extras {
            highlights: true,
            ..Extras::default()
        }
    }

    fn is_bound(&self) -> bool {
        true
    }

    /// A line for each drawing.
    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        for (position, highlights) in matched(game, report) {
            let mut line = String::new();
            let diagram = Diagram {
                board: &position.board,
                turn: position.turn,
                last_move: last_move(position),
                highlights,
                caption: caption(game, position),
            };
            diagram.write(&mut line);
            line.push('\n');
            out.extend_from_slice(line.as_bytes());
        }
    }

    /// Lays the drawings out.
    fn bind(&self, mut drawings: SpooledTempFile, out: &mut dyn Write) -> io::Result<()> {
        drawings.rewind()?;
        let count = BufReader::new(&mut drawings).lines().count();
        let columns = columns(count);
        let rows = count.div_ceil(columns).max(1);
        let (width, height) = (extent(columns, svg_board::WIDTH), extent(rows, svg_board::HEIGHT));
        let mut frame = String::new();
        svg_board::begin_document(width, height, "Chess positions", &mut frame);
        out.write_all(frame.as_bytes())?;
        drawings.rewind()?;
        for (index, line) in BufReader::new(drawings).lines().enumerate() {
            let (x, y) = (
                extent(index % columns, svg_board::WIDTH),
                extent(index / columns, svg_board::HEIGHT),
            );
            writeln!(out, "<g transform=\"translate({x} {y})\">{}</g>", line?)?;
        }
        out.write_all(b"</svg>\n")
    }
}

/// A position alone as an SVG document.
pub fn board_drawing(board: &Board, turn: Color) -> String {
    let diagram = Diagram {
        board,
        turn,
        last_move: None,
        highlights: &Highlights::default(),
        caption: [svg_board::to_move(turn).to_owned(), String::new()],
    };
    let mut out = String::new();
    svg_board::begin_document(svg_board::WIDTH, svg_board::HEIGHT, "Chess position", &mut out);
    diagram.write(&mut out);
    out.push_str("\n</svg>\n");
    out
}

/// How many drawings stand in a row: so that few make a square, and many still can be made out.
fn columns(count: usize) -> usize {
    (1..4).find(|columns| columns * columns >= count).unwrap_or(4)
}

/// The length of so many drawings in a row.
fn extent(count: usize, each: i32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX).saturating_mul(each)
}

/// From where to where the move went that led to a position.
pub(super) fn last_move(position: &Position) -> Option<(Square, Square)> {
    match position.arrival.kind {
        MoveKind::None | MoveKind::Null => None,
        MoveKind::Normal | MoveKind::Castle(_) | MoveKind::EnPassant => {
            Some((position.arrival.from, position.arrival.to))
        }
    }
}

/// The players; then event, year, last move and result as far as they are known.
fn caption(game: &dyn GameFacts, position: &Position) -> [String; 2] {
    let tag = |name| {
        game.tag(name)
            .map(text)
            .filter(|value| !value.is_empty() && value != "?")
    };
    let player = |name| tag(name).map_or_else(|| "?".to_owned(), |name| name.into_owned());
    let players = format!("{} – {}", player(TagName::White), player(TagName::Black));
    let mut arrival = Vec::new();
    game.write_move(position, &mut arrival);
    let date = tag(TagName::Date).filter(|date| !date.starts_with('?'));
    let mut place: String = tag(TagName::Event).map_or_else(String::new, |event| event.into_owned());
    if let Some(date) = date {
        // Writing to a string cannot fail.
        let _ = write!(place, " {}", date.split('.').next().unwrap_or_default());
    }
    let facts = [
        place.trim().to_owned(),
        String::from_utf8_lossy(&arrival).into_owned(),
        tag(TagName::Result).map_or_else(String::new, |result| result.into_owned()),
    ];
    let known: Vec<_> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    [players, known.join(" · ")]
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::*;

    #[test]
    fn a_position_alone_is_a_document() {
        let text = board_drawing(&Board::from(&shakmaty::Board::default()), Color::Black);
        let document = Document::parse(&text).expect("the drawing is XML");
        let men = document.descendants().filter(|node| node.tag_name().name() == "use");
        let squares: Vec<_> = men
            .map(|node| ["href", "x", "y"].map(|name| node.attribute(name).expect("men have a place")))
            .collect();
        assert_eq!(squares.len(), 32);
        assert!(squares.contains(&["#skewer-k", "180", "315"]), "the king on e1");
        assert!(squares.contains(&["#skewer-r", "0", "0"]), "the rook on a8");
        assert!(text.contains("Black to move"));
    }

    #[test]
    fn few_drawings_make_a_square() {
        assert_eq!([0, 1, 2, 4, 5, 9, 10, 5000].map(columns), [1, 1, 2, 2, 3, 3, 4, 4]);
    }
}
