//! A board drawn with characters.

use std::fmt::{self, Write};

use anstyle::{Ansi256Color, Style};
use shakmaty::{Bitboard, Color, File, Piece, Rank, Role, Square};

use crate::board::Board;
use crate::board::between::between;
use crate::game::{ShapeColor, Shapes};

/// How pieces are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PieceStyle {
    /// Letters as in a FEN; empty squares are dots.
    #[default]
    Letters,
    /// The chess symbols of Unicode.
    Symbols,
}

/// How boards are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Drawing {
    /// How pieces are shown.
    pub pieces: PieceStyle,
    /// Whether squares are coloured, by ANSI escape sequences with 256 colours. Otherwise brackets enclose marked squares.
    pub color: bool,
    /// Whether Black's side is at the bottom.
    pub flip: bool,
}

/// A board with marked squares, drawn in nine lines: eight ranks and the letters of the files.
///
/// ```
/// use shakmaty::Square;
/// use skewer::chess::Start;
/// use skewer::game::Shapes;
/// use skewer::output::{Diagram, Drawing};
///
/// let start = Start::from_fen(b"4k3/8/8/8/8/8/4P3/4K3 w").unwrap();
/// let diagram = Diagram {
///     board: &start.board,
///     marks: [Square::E2, Square::F2, Square::H1].into_iter().collect(),
///     sights: &[(Square::E1, Square::A5)],
///     shapes: &Shapes::default(),
///     last_move: None,
///     drawing: Drawing::default(),
/// };
/// assert_eq!(diagram.to_string(), "\
/// 8  . . . . k . . .
/// 7  . . . . . . . .
/// 6  . . . . . . . .
/// 5  . . . . . . . .
/// 4  . \\ . . . . . .
/// 3  . . \\ . . . . .
/// 2  . . . \\[P|.]. .
/// 1  . . . . K . .[.]
///    a b c d e f g h
/// ");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Diagram<'b> {
    /// The pieces.
    pub board: &'b Board,
    /// The marked squares.
    pub marks: Bitboard,
    /// Lines of sight, drawn over the empty squares between their ends.
    pub sights: &'b [(Square, Square)],
    /// The shapes that comments of the game draw. They are shown only in colours.
    pub shapes: &'b Shapes,
    /// The squares of the last move (from, to). They are shown only in colours.
    pub last_move: Option<(Square, Square)>,
    /// How to draw it.
    pub drawing: Drawing,
}

/// The colours of squares and pieces in the palette of 256 colours, which every terminal with colours has.
mod palette {
    use anstyle::Ansi256Color;

    pub(super) const LIGHT: Ansi256Color = Ansi256Color(180);
    pub(super) const DARK: Ansi256Color = Ansi256Color(137);
    pub(super) const LIGHT_MARK: Ansi256Color = Ansi256Color(149);
    pub(super) const DARK_MARK: Ansi256Color = Ansi256Color(107);
    pub(super) const LIGHT_MOVE: Ansi256Color = Ansi256Color(222);
    pub(super) const DARK_MOVE: Ansi256Color = Ansi256Color(179);
    pub(super) const SIGHT: Ansi256Color = Ansi256Color(22);
    /// Light squares, dark squares and arrows, for green, red, yellow and blue.
    pub(super) const SHAPES: [[Ansi256Color; 3]; 4] = [
        [Ansi256Color(77), Ansi256Color(35), Ansi256Color(28)],
        [Ansi256Color(210), Ansi256Color(167), Ansi256Color(124)],
        [Ansi256Color(227), Ansi256Color(220), Ansi256Color(226)],
        [Ansi256Color(117), Ansi256Color(74), Ansi256Color(20)],
    ];
    pub(super) const WHITE: Ansi256Color = Ansi256Color(231);
    pub(super) const BLACK: Ansi256Color = Ansi256Color(16);
}

impl<'b> Diagram<'b> {
    /// Creates the diagram of a board with marked squares and nothing else.
    pub(crate) fn of_board(board: &'b Board, marks: Bitboard, drawing: Drawing) -> Diagram<'b> {
        Diagram {
            board,
            marks,
            sights: &[],
            shapes: Shapes::NONE,
            last_move: None,
            drawing,
        }
    }
}

impl Diagram<'_> {
    /// Returns the largest width of a line, in columns.
    pub(super) fn width(&self) -> usize {
        if self.drawing.color { 26 } else { 19 }
    }

    /// Returns the lines of the drawing, padded with spaces to the same width.
    pub(super) fn even_lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.to_string().lines().map(str::to_owned).collect();
        let last = lines.len().saturating_sub(1);
        for (index, line) in lines.iter_mut().enumerate() {
            // Not every character of a coloured line is visible. Lines of squares have the full width.
            let columns = match self.drawing.color && index < last {
                true => self.width(),
                false => line.chars().count(),
            };
            line.extend(std::iter::repeat_n(' ', self.width().saturating_sub(columns)));
        }
        lines
    }
}

impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in self.seen_from_below(Rank::ALL).into_iter().rev() {
            let squares = self
                .seen_from_below(File::ALL)
                .map(|file| Square::from_coords(file, rank));
            write!(f, "{} ", rank.char())?;
            if self.drawing.color {
                self.draw_in_colors(&squares, f)?;
            } else {
                self.draw_plain(&squares, f)?;
            }
            f.write_char('\n')?;
        }
        f.write_str(if self.drawing.color { " " } else { "  " })?;
        for file in self.seen_from_below(File::ALL) {
            // A coloured square has a space on both sides.
            write!(f, "{}{}", if self.drawing.color { "  " } else { " " }, file.char())?;
        }
        f.write_char('\n')
    }
}

impl Diagram<'_> {
    /// Returns files from the left, or ranks from the bottom, as they are seen.
    fn seen_from_below<T>(&self, mut all: [T; 8]) -> [T; 8] {
        if self.drawing.flip {
            all.reverse();
        }
        all
    }

    /// Draws a rank without colours: `[` and `]` enclose marked squares, and `|` separates two of them.
    fn draw_plain(&self, squares: &[Square; 8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_marked = false;
        for square in squares {
            let was_marked = std::mem::replace(&mut is_marked, self.marks.contains(*square));
            f.write_char(match (was_marked, is_marked) {
                (false, false) => ' ',
                (false, true) => '[',
                (true, false) => ']',
                (true, true) => '|',
            })?;
            f.write_char(self.piece(*square))?;
        }
        if is_marked { f.write_char(']') } else { Ok(()) }
    }

    fn draw_in_colors(&self, squares: &[Square; 8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in squares {
            let style = self.style(*square);
            let sight = self.sight(*square).or_else(|| Some(self.arrow(*square)?.1));
            match (self.board.piece_at(*square), sight) {
                (Some(_), _) => write!(f, "{style} {} {style:#}", self.piece(*square))?,
                (None, Some(sight)) => {
                    let side = if sight == '─' || sight == '-' { sight } else { ' ' };
                    write!(f, "{style}{side}{sight}{side}{style:#}")?;
                }
                (None, None) => write!(f, "{style}   {style:#}")?,
            }
        }
        Ok(())
    }

    /// Returns the colours of a square and of the piece on it.
    fn style(&self, square: Square) -> Style {
        let is_of_move = self.last_move.is_some_and(|(from, to)| square == from || square == to);
        let drawn = self.shapes.squares.iter().find(|(_, drawn)| *drawn == square);
        let ground = match drawn {
            _ if self.marks.contains(square) => [palette::LIGHT_MARK, palette::DARK_MARK],
            Some((color, _)) => {
                let [light, dark, _] = of_shapes(*color);
                [light, dark]
            }
            None if is_of_move => [palette::LIGHT_MOVE, palette::DARK_MOVE],
            None => [palette::LIGHT, palette::DARK],
        };
        let ground = ground[usize::from(!square.is_light())];
        let piece = match self.board.piece_at(square) {
            None => match (self.sight(square), self.arrow(square)) {
                (None, Some((color, _))) => of_shapes(color)[2],
                _ => palette::SIGHT,
            },
            Some(Piece {
                color: Color::White, ..
            }) => palette::WHITE,
            Some(_) => palette::BLACK,
        };
        let color = |color: Ansi256Color| Some(color.into());
        Style::new().bg_color(color(ground)).fg_color(color(piece))
    }

    /// Returns the character for the content of a square. On coloured squares all pieces have the filled shape, drawn in their colour.
    fn piece(&self, square: Square) -> char {
        match (self.board.piece_at(square), self.drawing.pieces) {
            (None, pieces) => self.sight(square).unwrap_or(match pieces {
                PieceStyle::Letters => '.',
                PieceStyle::Symbols => '·',
            }),
            (Some(piece), PieceStyle::Letters) => piece.char(),
            (Some(Piece { role, .. }), PieceStyle::Symbols) if self.drawing.color => symbol(Piece {
                color: Color::Black,
                role,
            }),
            (Some(piece), PieceStyle::Symbols) => symbol(piece),
        }
    }

    /// Returns the character for the lines of sight over a square.
    fn sight(&self, square: Square) -> Option<char> {
        self.line_over(self.sights.iter().copied(), square)
    }

    /// Returns the character for the arrows of comments over a square, and the colour of the first.
    fn arrow(&self, square: Square) -> Option<(ShapeColor, char)> {
        let arrows = || {
            let all = self.shapes.arrows.iter();
            all.filter(|(_, (from, to))| between(*from, *to).contains(square))
        };
        let (color, _) = arrows().next()?;
        let character = self.line_over(arrows().map(|(_, arrow)| *arrow), square)?;
        Some((*color, character))
    }

    /// Returns the character for those lines that cross a square, or `None` if there are none.
    fn line_over(&self, lines: impl Iterator<Item = (Square, Square)>, square: Square) -> Option<char> {
        let over = lines.filter(|(from, to)| between(*from, *to).contains(square));
        let directions = over.map(|(from, to)| Direction::of(from, to));
        let direction = directions.reduce(|one, other| if one == other { one } else { Direction::Several })?;
        Some(match (direction, self.drawing.pieces) {
            (Direction::Rank, PieceStyle::Letters) => '-',
            (Direction::Rank, PieceStyle::Symbols) => '─',
            (Direction::File, PieceStyle::Letters) => '|',
            (Direction::File, PieceStyle::Symbols) => '│',
            (Direction::Diagonal, PieceStyle::Letters) => '/',
            (Direction::Diagonal, PieceStyle::Symbols) => '╱',
            (Direction::AntiDiagonal, PieceStyle::Letters) => '\\',
            (Direction::AntiDiagonal, PieceStyle::Symbols) => '╲',
            (Direction::Several, PieceStyle::Letters) => '*',
            (Direction::Several, PieceStyle::Symbols) => '┼',
        })
    }
}

/// Returns the colours of light squares, dark squares and arrows that comments draw in a colour.
fn of_shapes(color: ShapeColor) -> [Ansi256Color; 3] {
    palette::SHAPES[color as usize]
}

/// The direction of a line of sight.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Rank,
    File,
    Diagonal,
    AntiDiagonal,
    /// Several lines cross.
    Several,
}

impl Direction {
    fn of(from: Square, to: Square) -> Direction {
        let goes_right = from.file() < to.file();
        let goes_up = from.rank() < to.rank();
        if from.rank() == to.rank() {
            Direction::Rank
        } else if from.file() == to.file() {
            Direction::File
        } else if goes_right == goes_up {
            Direction::Diagonal
        } else {
            Direction::AntiDiagonal
        }
    }
}

/// Returns the Unicode chess symbol.
fn symbol(piece: Piece) -> char {
    let [white, black] = match piece.role {
        Role::King => ['♔', '♚'],
        Role::Queen => ['♕', '♛'],
        Role::Rook => ['♖', '♜'],
        Role::Bishop => ['♗', '♝'],
        Role::Knight => ['♘', '♞'],
        Role::Pawn => ['♙', '♟'],
    };
    piece.color.fold_wb(white, black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Start;

    fn drawn(marks: &[Square], drawing: Drawing) -> String {
        let start = Start::from_fen(b"r3k2r/8/8/8/8/8/P7/R3K2R w").expect("it is a position");
        Diagram::of_board(&start.board, marks.iter().copied().collect(), drawing).to_string()
    }

    #[test]
    fn symbols_show_both_colors() {
        let symbols = Drawing {
            pieces: PieceStyle::Symbols,
            ..Drawing::default()
        };
        let lines = drawn(&[Square::A1, Square::B1], symbols);
        assert!(lines.starts_with("8  ♜ · · · ♚ · · ♜\n"), "{lines}");
        assert!(
            lines.ends_with("2  ♙ · · · · · · ·\n1 [♖|·]· · ♔ · · ♖\n   a b c d e f g h\n"),
            "{lines}"
        );
    }

    #[test]
    fn black_may_be_below() {
        let flipped = Drawing {
            flip: true,
            ..Drawing::default()
        };
        let lines = drawn(&[Square::H8], flipped);
        assert!(lines.starts_with("1  R . . K . . . R\n2  . . . . . . . P\n"), "{lines}");
        assert!(lines.ends_with("8 [r]. . k . . . r\n   h g f e d c b a\n"), "{lines}");
    }

    /// Returns the colours of each square and its content, from the first rank on.
    fn styles(diagram: &Diagram<'_>) -> Vec<Style> {
        Square::ALL.into_iter().map(|square| diagram.style(square)).collect()
    }

    #[test]
    fn what_comments_draw_has_its_own_colors() {
        let start = Start::from_fen(b"4k3/8/8/8/8/8/8/4K3 w").expect("it is a position");
        let shapes = Shapes {
            squares: vec![(ShapeColor::Red, Square::A1), (ShapeColor::Blue, Square::E8)],
            arrows: vec![(ShapeColor::Yellow, (Square::E1, Square::E8))],
        };
        let colored = Drawing {
            color: true,
            ..Drawing::default()
        };
        let diagram = |shapes, marks| Diagram {
            shapes,
            ..Diagram::of_board(&start.board, marks, colored)
        };
        let plain = styles(&diagram(Shapes::NONE, Bitboard::EMPTY));
        let drawn = styles(&diagram(&shapes, Bitboard::EMPTY));
        let changed: Vec<_> = Square::ALL
            .into_iter()
            .filter(|square| plain[usize::from(*square)] != drawn[usize::from(*square)])
            .collect();
        use Square::{A1, E2, E3, E4, E5, E6, E7, E8};
        assert_eq!(changed, [A1, E2, E3, E4, E5, E6, E7, E8]);
        let marks = |square: Square| diagram(&shapes, square.into()).style(square);
        assert_ne!(
            marks(A1),
            drawn[usize::from(A1)],
            "what the query marks is seen all the same"
        );
        let uncolored = Diagram {
            drawing: Drawing::default(),
            ..diagram(&shapes, Bitboard::EMPTY)
        };
        let without = Diagram {
            shapes: Shapes::NONE,
            ..uncolored
        };
        assert_eq!(uncolored.to_string(), without.to_string());
    }

    #[test]
    fn colors_take_the_place_of_brackets_and_dots() {
        let colored = Drawing {
            pieces: PieceStyle::Symbols,
            color: true,
            flip: false,
        };
        let lines = drawn(&[Square::A1], colored);
        let last_rank = lines.lines().nth(7).expect("eight ranks");
        assert!(
            last_rank.starts_with("1 \u{1b}[38;5;231m\u{1b}[48;5;107m ♜ \u{1b}[0m"),
            "{last_rank:?}"
        );
        assert!(!lines.contains(['·', '♖']), "{lines}");
        assert_eq!(lines.lines().last(), Some("   a  b  c  d  e  f  g  h"));
    }
}
