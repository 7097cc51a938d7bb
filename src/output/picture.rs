//! A board as a drawing in SVG.

use std::fmt::Write as _;

use shakmaty::{Color, File, Piece, Rank, Role};

use super::markup::{escape, escaped};
use crate::board::{Bitboard, Board, Square};
use crate::chess::Position;
use crate::eval::report::Highlights;
use crate::game::{ShapeColor, Shapes};

/// The drawings of the six pieces, one `symbol` each. Fill, stroke and the colour of details come from where they are used.
pub(super) const PIECES: &str = include_str!("pieces.svg");

/// The side of a square.
const SQUARE: i32 = 45;
/// The side of the board.
const BOARD: i32 = 8 * SQUARE;
/// The margin at each side. On the left it has the numbers of the ranks, on the right the side to move.
const SIDE: i32 = 26;
/// The margin above the board.
const TOP: i32 = 14;
/// The height of the letters of the files below the board.
const LETTERS: i32 = 22;
/// The height of a line of the caption.
const LINE: i32 = 19;

/// The width of a picture with its margins.
pub(super) const WIDTH: i32 = BOARD + 2 * SIDE;
/// The height of a picture with its margins and caption.
pub(super) const HEIGHT: i32 = TOP + BOARD + LETTERS + 2 * LINE + 14;

/// The height of a picture with its margins, without a caption.
pub(super) const BARE_HEIGHT: i32 = TOP + BOARD + LETTERS + 4;

/// The number of characters shown of each line of the caption.
const CAPTION: [usize; 2] = [42, 56];

const LIGHT: &str = "#f0e7d6";
const DARK: &str = "#b89c7d";
const FRAME: &str = "#6b5a47";
const INK: &str = "#26221e";
const FAINT: &str = "#6f675e";
/// The colour of the squares of the last move.
const LAST_MOVE: &str = "#e3b23c";
/// The colour of squares and rays that made the match.
const MARK: &str = "#00808a";
/// The colour of moves that made the match.
const MOVE: &str = "#5b4bc4";

/// Returns the colour of squares and arrows that comments draw. It differs from all colours above.
fn drawn_color(color: ShapeColor) -> &'static str {
    match color {
        ShapeColor::Green => "#4f9d1e",
        ShapeColor::Red => "#c8321e",
        ShapeColor::Yellow => "#f0dc00",
        ShapeColor::Blue => "#1e88e5",
    }
}

/// A drawing of a position as SVG, with the squares, lines and moves that made a match highlighted. The command's formats `svg` and `html`
/// have the same boards.
///
/// ```
/// use skewer::{Picture, Query};
///
/// let found = Query::compile("xray (R a k)")?.search(skewer::Games::of_fens(["4k3/4p3/8/8/8/8/8/K3R3 w - - 0 1"])?)?;
/// for game in found {
///     for found in game?.matches() {
///         let picture = Picture::of_fen(found.fen())?.rays(found.rays().iter().copied());
///         let svg = picture.caption("A rook looks through a pawn", "").svg();
///         assert!(svg.starts_with("<svg") && svg.contains("A rook looks through a pawn"));
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    pub(super) board: Board,
    pub(super) turn: Color,
    /// Whether Black's side is at the bottom.
    flipped: bool,
    pub(super) last_move: Option<(Square, Square)>,
    /// The shapes that comments of the game draw.
    shapes: Shapes,
    pub(super) highlights: Highlights,
    caption: [String; 2],
}

/// Begins a document: its size, the pieces, a white background.
pub(super) fn begin_document(width: i32, height: i32, title: &str, out: &mut String) {
    let title = escaped(title);
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, 'Segoe UI', Helvetica, Arial, sans-serif\" \
         text-anchor=\"middle\">\n<title>{title}</title>\n<defs>\n{PIECES}</defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
}

impl Picture {
    /// Creates the drawing of a board, seen by White, with nothing highlighted.
    pub(crate) fn of_board(board: &Board, turn: Color) -> Picture {
        Picture {
            board: *board,
            turn,
            flipped: false,
            last_move: None,
            shapes: Shapes::default(),
            highlights: Highlights::default(),
            caption: Default::default(),
        }
    }

    /// Creates the drawing of a position in a game, with the move that led there and what made a match.
    pub(crate) fn of_match(position: &Position, highlights: &Highlights) -> Picture {
        Picture {
            last_move: position.arrival.squares(),
            highlights: highlights.clone(),
            ..Picture::of_board(&position.board, position.turn)
        }
    }

    /// Turns the board, so that Black sees it.
    #[must_use]
    pub fn flipped(self) -> Picture {
        Picture { flipped: true, ..self }
    }

    /// Marks the squares of the move that led to the position.
    #[must_use]
    pub fn last_move(self, from: Square, to: Square) -> Picture {
        Picture {
            last_move: Some((from, to)),
            ..self
        }
    }

    /// Draws the shapes of comments.
    pub(super) fn shapes(self, shapes: Shapes) -> Picture {
        Picture { shapes, ..self }
    }

    /// Highlights squares.
    #[must_use]
    pub fn squares(mut self, squares: Bitboard) -> Picture {
        self.highlights.squares = squares;
        self
    }

    /// Draws lines of sight, each from the piece that looks to the square it looks at.
    #[must_use]
    pub fn rays(mut self, rays: impl IntoIterator<Item = (Square, Square)>) -> Picture {
        self.highlights.rays = rays.into_iter().collect();
        self
    }

    /// Draws moves as pairs of squares (from, to).
    #[must_use]
    pub fn moves(mut self, moves: impl IntoIterator<Item = (Square, Square)>) -> Picture {
        self.highlights.moves = moves.into_iter().collect();
        self
    }

    /// Writes two lines below the board, of which the first is emphasised.
    #[must_use]
    pub fn caption(self, first: impl Into<String>, second: impl Into<String>) -> Picture {
        Picture {
            caption: [first.into(), second.into()],
            ..self
        }
    }

    /// Writes below the board which side is to move.
    pub(crate) fn caption_of_turn(self) -> Picture {
        let turn = to_move(self.turn);
        self.caption(turn, "")
    }

    /// Returns the drawing as an SVG document.
    pub fn svg(&self) -> String {
        let mut out = String::new();
        begin_document(WIDTH, HEIGHT, "Chess position", &mut out);
        self.write(&mut out);
        out.push_str("\n</svg>\n");
        out
    }

    /// Appends the drawing as one element in one line.
    pub(super) fn write(&self, out: &mut String) {
        out.push_str("<g>");
        self.write_label(out);
        let _ = write!(out, "<g transform=\"translate({SIDE} {TOP})\">");
        write_squares(out);
        self.write_marks(out);
        self.write_pieces(Color::White, out);
        self.write_pieces(Color::Black, out);
        write_frame(out);
        self.write_coordinates(out);
        self.write_turn(out);
        self.write_caption(out);
        out.push_str("</g></g>");
    }

    /// Appends the drawing without its caption, seen by White, for documents that define the [`empty_board`].
    pub(super) fn write_on_empty_board(&self, out: &mut String) {
        let _ = write!(out, "<g transform=\"translate({SIDE} {TOP})\">");
        self.write_label(out);
        out.push_str("<use href=\"#skewer-board\"/>");
        self.write_marks(out);
        self.write_pieces(Color::White, out);
        self.write_pieces(Color::Black, out);
        self.write_turn(out);
        out.push_str("</g>");
    }

    /// Appends a title that says in words what the picture shows.
    fn write_label(&self, out: &mut String) {
        out.push_str("<title>");
        for line in self.caption.iter().filter(|line| !line.is_empty()) {
            escape(line, out);
            out.push_str(". ");
        }
        out.push_str(to_move(self.turn));
        out.push_str(".</title>");
    }

    /// Appends the last move, the shapes of comments, squares, rays and moves. All are below the pieces.
    fn write_marks(&self, out: &mut String) {
        for square in self.last_move.into_iter().flat_map(|(from, to)| [from, to]) {
            let (x, y) = self.corner(square);
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{LAST_MOVE}\" \
                 fill-opacity=\".55\"/>"
            );
        }
        for (color, square) in &self.shapes.squares {
            let (x, y) = self.corner(*square);
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{}\" fill-opacity=\".6\"/>",
                drawn_color(*color)
            );
        }
        for (color, arrow) in &self.shapes.arrows {
            self.write_arrow(*arrow, drawn_color(*color), out);
        }
        for square in self.highlights.squares {
            let (x, y) = self.corner(square);
            let _ = write!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"5\" fill=\"{MARK}\" fill-opacity=\".22\" \
                 stroke=\"{MARK}\" stroke-width=\"3\"/>",
                x + 2,
                y + 2,
                side = SQUARE - 4
            );
        }
        for ray in &self.highlights.rays {
            self.write_arrow(*ray, MARK, out);
        }
        for step in &self.highlights.moves {
            self.write_arrow(*step, MOVE, out);
        }
    }

    /// Appends an arrow between the centres of two squares. Its tip does not reach below a piece that it points at.
    fn write_arrow(&self, (from, to): (Square, Square), color: &str, out: &mut String) {
        const HEAD: f64 = 15.0;
        const HALF_HEAD: f64 = 8.5;
        let middle = |square| {
            let (x, y) = self.corner(square);
            (
                f64::from(x) + f64::from(SQUARE) / 2.0,
                f64::from(y) + f64::from(SQUARE) / 2.0,
            )
        };
        let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
        let length = (x2 - x1).hypot(y2 - y1);
        if length == 0.0 {
            return;
        }
        let short_of = if self.board.occupied().contains(to) { 13.0 } else { 4.0 };
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        let along = |distance: f64, aside: f64| (x1 + dx * distance - dy * aside, y1 + dy * distance + dx * aside);
        let tip = along(length - short_of, 0.0);
        let neck = along(length - short_of - HEAD, 0.0);
        let (left, right) = (
            along(length - short_of - HEAD, HALF_HEAD),
            along(length - short_of - HEAD, -HALF_HEAD),
        );
        let _ = write!(
            out,
            "<g opacity=\".8\"><path d=\"M{x1:.1} {y1:.1}L{:.1} {:.1}\" stroke=\"{color}\" stroke-width=\"6\"/>\
             <path d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"{color}\"/></g>",
            neck.0, neck.1, tip.0, tip.1, left.0, left.1, right.0, right.1
        );
    }

    /// Returns the upper left corner of a square.
    fn corner(&self, square: Square) -> (i32, i32) {
        let seen = if self.flipped { square.rotate_180() } else { square };
        corner(seen)
    }

    fn write_coordinates(&self, out: &mut String) {
        let _ = write!(out, "<g font-size=\"12\" fill=\"{FAINT}\">");
        for file in File::ALL {
            let x = self.corner(Square::from_coords(file, Rank::First)).0 + SQUARE / 2;
            let _ = write!(out, "<text x=\"{x}\" y=\"{}\">{}</text>", BOARD + 16, file.char());
        }
        for rank in Rank::ALL {
            let y = self.corner(Square::from_coords(File::A, rank)).1 + SQUARE / 2 + 4;
            let _ = write!(out, "<text x=\"{}\" y=\"{y}\">{}</text>", -SIDE / 2, rank.char());
        }
        out.push_str("</g>");
    }

    fn write_pieces(&self, color: Color, out: &mut String) {
        let (fill, stroke, detail) =
            color.fold_wb(("#fffdf8", "#33302c", "#33302c"), ("#4a443e", "#1c1917", "#f3ece0"));
        let _ = write!(
            out,
            "<g fill=\"{fill}\" stroke=\"{stroke}\" color=\"{detail}\" stroke-width=\"4\" stroke-linejoin=\"round\" \
             stroke-linecap=\"round\">"
        );
        for square in *self.board.colors.get(color) {
            if let Some(Piece { role, .. }) = self.board.piece_at(square) {
                let (x, y) = self.corner(square);
                let _ = write!(
                    out,
                    "<use href=\"#skewer-{}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>",
                    letter(role)
                );
            }
        }
        out.push_str("</g>");
    }

    /// Appends a disc next to the first rank of the side to move.
    fn write_turn(&self, out: &mut String) {
        let fill = self.turn.fold_wb("#fffdf8", "#33302c");
        let is_below = self.turn.is_white() != self.flipped;
        let y = if is_below { BOARD - SQUARE / 2 } else { SQUARE / 2 };
        let _ = write!(
            out,
            "<circle cx=\"{}\" cy=\"{y}\" r=\"6\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.5\"/>",
            BOARD + SIDE / 2
        );
    }

    fn write_caption(&self, out: &mut String) {
        let styles = [(15, 600, INK), (13, 400, FAINT)];
        let mut y = BOARD + LETTERS + LINE;
        for ((line, most), (size, weight, color)) in self.caption.iter().zip(CAPTION).zip(styles) {
            let _ = write!(
                out,
                "<text x=\"{}\" y=\"{y}\" font-size=\"{size}\" font-weight=\"{weight}\" fill=\"{color}\">{}</text>",
                BOARD / 2,
                escaped(&shortened(line, most))
            );
            y += LINE;
        }
    }
}

/// Returns in words which side is to move.
pub(super) fn to_move(turn: Color) -> &'static str {
    turn.fold_wb("White to move", "Black to move")
}

/// Returns the letter of a piece in the name of its symbol.
fn letter(role: Role) -> char {
    role.char()
}

/// Returns the upper left corner of a square when White's side is at the bottom.
fn corner(square: Square) -> (i32, i32) {
    let file = i32::from(u8::from(square.file()));
    let rank = i32::from(u8::from(square.rank()));
    (file * SQUARE, (7 - rank) * SQUARE)
}

/// Returns a definition of the empty board with its margins, seen by White.
pub(super) fn empty_board() -> String {
    let picture = Picture::of_board(&Board::default(), Color::White);
    let mut board = "<g id=\"skewer-board\">".to_owned();
    write_squares(&mut board);
    write_frame(&mut board);
    picture.write_coordinates(&mut board);
    board.push_str("</g>\n");
    board
}

fn write_frame(out: &mut String) {
    let _ = write!(
        out,
        "<rect x=\"-1\" y=\"-1\" width=\"{side}\" height=\"{side}\" fill=\"none\" stroke=\"{FRAME}\" \
         stroke-width=\"2\"/>",
        side = BOARD + 2
    );
}

fn write_squares(out: &mut String) {
    let dark = dark_squares();
    let _ = write!(
        out,
        "<path fill=\"{LIGHT}\" d=\"M0 0H{BOARD}V{BOARD}H0Z\"/><path fill=\"{DARK}\" d=\"{dark}\"/>"
    );
}

/// Returns the dark squares as one path, on a board with a side of 360.
pub(super) fn dark_squares() -> String {
    let dark = Square::ALL.into_iter().filter(|square| square.is_dark());
    dark.fold(String::new(), |mut path, square| {
        let (x, y) = corner(square);
        let _ = write!(path, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
        path
    })
}

/// Returns at most `most` characters of a text, with an ellipsis if it was cut.
fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most - 1).collect();
    format!("{}…", kept.trim_end())
}
