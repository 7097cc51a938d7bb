//! Setups of a position that are as close to it as is wanted.

use crate::board::{Bitboard, Board, Color, Contents, File, Role, Square};

use super::{Count, Place, Setup, Zone};

/// How much of a position is kept. Each keeps less than the one before, but for the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(
    feature = "service",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "lowercase")
)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
pub enum Width {
    /// All squares, and who is to move
    #[default]
    Exact,
    /// All squares, whoever is to move
    Pieces,
    /// The squares of the pawns, and how many pieces of each kind there are
    Pawns,
    /// How many pawns are on each file, and how many pieces of each kind there are
    Files,
    /// How many pieces of each kind there are
    Material,
    /// The squares of the pawns, whatever pieces there are
    Structure,
}

impl Setup {
    /// Makes a setup from a position, which keeps as much of it as `width` says. The position itself always fits.
    ///
    /// ```
    /// use skewer::chess::Start;
    /// use skewer::setup::{Setup, Width};
    /// use skewer::syntax::format::Spelling;
    ///
    /// let start = Start::from_fen(b"8/5k2/8/8/4P3/4K3/8/1r5R w").unwrap();
    /// let query = |width| Setup::of_position(&start.board, start.turn, width).query(Spelling::AsWritten);
    /// assert_eq!(query(Width::Structure), "Pe4 P == 1 not p");
    /// assert_eq!(query(Width::Pawns), "Pe4 R == 1 P == 1 r == 1 not [QBNqbnp]");
    /// assert_eq!(query(Width::Material), "R == 1 P == 1 r == 1 not [QBNqbnp]");
    /// ```
    pub fn of_position(board: &Board, turn: Color, width: Width) -> Setup {
        let mut setup = Setup::default();
        let pawns = Color::ALL.map(|color| (Contents::of(color, Role::Pawn), board.pieces(color, Role::Pawn)));
        match width {
            Width::Exact | Width::Pieces => {
                setup.squares = Square::ALL.map(|square| (square, content(board, square))).into();
                setup.side = (width == Width::Exact).then_some(turn);
            }
            Width::Pawns | Width::Structure => {
                for (pawn, squares) in pawns {
                    setup.squares.extend(squares.into_iter().map(|square| (square, pawn)));
                }
            }
            Width::Files => {
                for (pawn, squares) in pawns {
                    for file in File::ALL.map(Bitboard::from_file) {
                        // The number of all pawns implies that there are no more.
                        setup
                            .anywhere
                            .extend(count(pawn, file, (squares & file).count() as u32, None));
                    }
                }
            }
            Width::Material => {}
        }
        match width {
            Width::Exact | Width::Pieces => {}
            Width::Pawns | Width::Files | Width::Material => setup.material = material(board, |_| true),
            Width::Structure => setup.material = material(board, |role| role == Role::Pawn),
        }
        setup
    }
}

/// Returns the contents of a square.
fn content(board: &Board, square: Square) -> Contents {
    board
        .piece_at(square)
        .map_or(Contents::EMPTY, |piece| Contents::of(piece.color, piece.role))
}

/// Returns the number of pieces of each role. One king for each side is not mentioned.
fn material(board: &Board, is_asked: impl Fn(Role) -> bool) -> Vec<Count> {
    let mut counts = Vec::new();
    let mut missing = Contents(0);
    for color in Color::ALL {
        for role in Role::ALL.into_iter().rev().filter(|role| is_asked(*role)) {
            let kind = Contents::of(color, role);
            match board.pieces(color, role).count() as u32 {
                1 if role == Role::King => {}
                0 => missing = missing | kind,
                number => counts.extend(count(kind, Bitboard::FULL, number, Some(number))),
            }
        }
    }
    if !missing.is_empty() {
        counts.push(Count {
            place: Place {
                pieces: missing,
                zone: Zone::BOARD,
            },
            least: 0,
            most: Some(0),
        });
    }
    counts
}

/// Returns a requirement of at least this many of a kind, unless this is zero.
fn count(kind: Contents, squares: Bitboard, least: u32, most: Option<u32>) -> Option<Count> {
    let place = Place {
        pieces: kind,
        zone: Zone::Squares(squares),
    };
    (least > 0).then_some(Count { place, least, most })
}
