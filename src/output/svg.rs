//! Matching positions as drawings.

use std::io::{self, BufRead, Write};

use super::caption::{event_and_year, known_tag, players};
use super::facts::{GameFacts, Matched, matched};
use super::format::{Format, FormatTraits, Waiting};
use super::look::Look;
use super::picture::{self, Picture};
use super::text::written;
use crate::chess::Position;
use crate::eval::report::{Extras, GameReport};
use crate::limits::Interrupt;

/// One SVG document with a board for each matching position, in rows.
pub(super) struct Svg {
    /// Whether boards have no marks.
    plain: bool,
}

impl Svg {
    pub(super) fn new(look: &Look) -> Svg {
        Svg { plain: look.plain }
    }
}

impl Format for Svg {
    fn extras(&self) -> Extras {
        match self.plain {
            true => Extras::empty(),
            // The shapes that comments draw are shown.
            false => Extras::COMMENTS | Extras::HIGHLIGHTS,
        }
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::TAGS | FormatTraits::ASSEMBLED
    }

    /// Appends a line for each drawing.
    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        for Matched {
            position, highlights, ..
        } in matched(game, report)
        {
            let [players, facts] = caption(game, position);
            let picture = match self.plain {
                true => Picture::of_board(&position.board, position.turn),
                false => Picture::of_match(position, highlights).shapes(game.shapes(position)),
            };
            let mut line = String::new();
            picture.caption(players, facts).write(&mut line);
            line.push('\n');
            out.extend_from_slice(line.as_bytes());
        }
    }

    /// Lays the drawings out in rows.
    fn assemble(&self, drawings: &mut dyn Waiting, out: &mut dyn Write, interrupt: &Interrupt) -> io::Result<()> {
        let count = drawings.count_lines(interrupt)?;
        let columns = columns(count);
        let rows = count.div_ceil(columns).max(1);
        let (width, height) = (extent(columns, picture::WIDTH), extent(rows, picture::HEIGHT));
        let mut frame = String::new();
        picture::begin_document(width, height, "Chess positions", &mut frame);
        out.write_all(frame.as_bytes())?;
        for (index, line) in BufRead::lines(drawings).enumerate() {
            if interrupt.cuts_off() {
                break;
            }
            let (x, y) = (
                extent(index % columns, picture::WIDTH),
                extent(index / columns, picture::HEIGHT),
            );
            writeln!(out, "<g transform=\"translate({x} {y})\">{}</g>", line?)?;
        }
        out.write_all(b"</svg>\n")
    }
}

/// Returns the number of drawings in a row. A few make a square; with many, each is still large enough to see.
fn columns(count: usize) -> usize {
    (1..4).find(|columns| columns * columns >= count).unwrap_or(4)
}

/// Returns the length of this many drawings in a row.
fn extent(count: usize, each: i32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX).saturating_mul(each)
}

/// Returns two lines: the players; then event, year, last move and result, as far as they are known.
fn caption(game: &dyn GameFacts, position: &Position) -> [String; 2] {
    let facts = [
        event_and_year(game),
        written(|out| game.write_move(position, out)),
        known_tag(game, b"Result").unwrap_or_default(),
    ];
    let known: Vec<_> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
    let players = players(game, " – ").unwrap_or_else(|| "? – ?".to_owned());
    [players, known.join(" · ")]
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::*;
    use crate::board::{Board, Color, Square};

    #[test]
    fn a_position_alone_is_a_document() {
        let board = Board::from(&shakmaty::Board::default());
        let picture = Picture::of_board(&board, Color::Black).squares(Square::E4.into());
        let text = picture.svg();
        let document = Document::parse(&text).expect("the drawing is XML");
        let pieces = document.descendants().filter(|node| node.tag_name().name() == "use");
        let squares: Vec<_> = pieces
            .map(|node| ["href", "x", "y"].map(|name| node.attribute(name).expect("pieces have a place")))
            .collect();
        assert_eq!(squares.len(), 32);
        assert!(squares.contains(&["#skewer-k", "180", "315"]), "the king on e1");
        assert!(squares.contains(&["#skewer-r", "0", "0"]), "the rook on a8");
        assert!(text.contains("Black to move"));
        let flipped = picture.flipped().svg();
        assert!(
            flipped.contains("href=\"#skewer-k\" x=\"135\" y=\"0\""),
            "the white king on e1, seen by Black"
        );
    }

    #[test]
    fn few_drawings_make_a_square() {
        assert_eq!([0, 1, 2, 4, 5, 9, 10, 5000].map(columns), [1, 1, 2, 2, 3, 3, 4, 4]);
    }
}
