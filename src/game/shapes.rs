//! Coloured squares and arrows that comments draw on the board.
//!
//! ```text
//! 12. Nf3 { [%csl Ge5,Rf7] [%cal Gf3e5,Re5f7] }
//! ```

use super::embedded_commands::commands;
use super::tree::Game;
use crate::board::Square;
use crate::chess::Position;

/// The colours of shapes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ShapeColor {
    /// `G`
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
}

/// Coloured squares and arrows.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Shapes {
    /// The squares of `[%csl …]`.
    pub squares: Vec<(ShapeColor, Square)>,
    /// The arrows of `[%cal …]`, by origin and destination.
    pub arrows: Vec<(ShapeColor, (Square, Square))>,
}

/// The most squares, and the most arrows, that are drawn.
const MOST: usize = 64;

impl ShapeColor {
    /// All colours.
    pub const ALL: [ShapeColor; 4] = [ShapeColor::Green, ShapeColor::Red, ShapeColor::Yellow, ShapeColor::Blue];

    /// Returns its letter in comments.
    pub fn letter(self) -> char {
        match self {
            ShapeColor::Green => 'G',
            ShapeColor::Red => 'R',
            ShapeColor::Yellow => 'Y',
            ShapeColor::Blue => 'B',
        }
    }

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            ShapeColor::Green => "green",
            ShapeColor::Red => "red",
            ShapeColor::Yellow => "yellow",
            ShapeColor::Blue => "blue",
        }
    }
}

impl Shapes {
    /// No shapes.
    pub(crate) const NONE: &'static Shapes = &Shapes {
        squares: Vec::new(),
        arrows: Vec::new(),
    };

    /// Returns whether there are no shapes.
    pub fn is_empty(&self) -> bool {
        self.squares.is_empty() && self.arrows.is_empty()
    }

    /// Adds the shapes of a comment. A shape written in another way counts as missing.
    fn read(&mut self, comment: &[u8]) {
        for (name, value) in commands(comment) {
            let shapes = value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
            match name {
                b"csl" => shapes
                    .filter_map(square)
                    .for_each(|shape| add(&mut self.squares, shape)),
                b"cal" => shapes.filter_map(arrow).for_each(|shape| add(&mut self.arrows, shape)),
                _ => {}
            }
        }
    }
}

/// Adds a new shape, if there is room.
fn add<T: PartialEq>(shapes: &mut Vec<T>, shape: T) {
    if shapes.len() < MOST && !shapes.contains(&shape) {
        shapes.push(shape);
    }
}

/// Reads the colour at the start of a shape, and returns it with the rest.
fn colored(shape: &[u8]) -> Option<(ShapeColor, &[u8])> {
    let (letter, rest) = shape.split_first()?;
    let color = ShapeColor::ALL
        .into_iter()
        .find(|color| color.letter() == char::from(*letter))?;
    Some((color, rest))
}

/// Reads a square: `Ra4`.
fn square(shape: &[u8]) -> Option<(ShapeColor, Square)> {
    let (color, name) = colored(shape)?;
    Some((color, Square::from_ascii(name).ok()?))
}

/// Reads an arrow: `Ga1b2`.
fn arrow(shape: &[u8]) -> Option<(ShapeColor, (Square, Square))> {
    let (color, names) = colored(shape)?;
    let (from, to) = names.split_at_checked(2)?;
    let ends = (Square::from_ascii(from).ok()?, Square::from_ascii(to).ok()?);
    (ends.0 != ends.1).then_some((color, ends))
}

impl Game {
    /// Returns the shapes of the comments on a position, if the game was read with comments.
    pub fn shapes(&self, position: &Position) -> Shapes {
        let mut shapes = Shapes::default();
        for comment in self.notes.comments(position.id) {
            shapes.read(comment);
        }
        shapes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::sample::game;

    /// Returns the shapes of a comment, such as `Ga1`, with squares before arrows.
    fn read(comment: &str) -> String {
        let mut shapes = Shapes::default();
        shapes.read(comment.as_bytes());
        let squares = shapes
            .squares
            .iter()
            .map(|(color, square)| format!("{}{square}", color.letter()));
        let arrows = shapes
            .arrows
            .iter()
            .map(|(color, (from, to))| format!("{}{from}{to}", color.letter()));
        squares.chain(arrows).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn squares_and_arrows_have_colors() {
        for (comment, expected) in [
            (
                "[%csl Ra4,Gb5] look [%cal Ga1b2, Yc3d4 ,Bh8a1]",
                "Ra4 Gb5 Ga1b2 Yc3d4 Bh8a1",
            ),
            ("[%cal Ga1b2][%csl Ga1]", "Ga1 Ga1b2"),
            ("[%csl Ga1,Ga1,Ra1] [%csl Ga1]", "Ga1 Ra1"),
        ] {
            assert_eq!(read(comment), expected, "{comment}");
        }
    }

    #[test]
    fn what_is_written_otherwise_is_not_drawn() {
        for comment in [
            "[%csl a4]",
            "[%csl Xa4]",
            "[%csl ra4]",
            "[%csl Ri4]",
            "[%csl Ra4b5]",
            "[%cal Ga1]",
            "[%cal Ga1a1]",
            "[%cal Ga1b]",
            "[%cal G\u{e4}1b2]",
            "[%csl ]",
            "[%csl Ra4",
            "csl Ra4",
        ] {
            assert_eq!(read(comment), "", "{comment}");
        }
    }

    #[test]
    fn no_comment_draws_without_end() {
        let squares = Square::ALL.map(|square| format!("G{square},R{square}")).join(",");
        let mut shapes = Shapes::default();
        shapes.read(format!("[%csl {squares}]").as_bytes());
        assert_eq!(shapes.squares.len(), MOST);
    }

    #[test]
    fn shapes_belong_to_the_position_of_their_comment() {
        let game = game("{[%csl Ge4]} 1. e4 {[%cal Re7e5]} {[%csl Yd5]} (1. d4 {[%csl Bd4]}) 1... e5 *\n");
        let drawn: Vec<_> = game
            .positions
            .iter()
            .map(|position| game.shapes(position))
            .map(|shapes| (shapes.squares.len(), shapes.arrows.len()))
            .collect();
        assert_eq!(drawn, [(1, 0), (1, 1), (0, 0), (1, 0)]);
    }
}
