//! Which pieces attack which squares.
//!
//! Pieces attack as in chapter 4 of the language: pawns diagonally forwards, whatever is there; sliders up to and including the first piece
//! of either colour. The side to move, pins and checks do not matter, and no piece attacks its own square.
//!
//! | routine | question | used by |
//! |---|---|---|
//! | [`attackers_among`] | which pieces of one set attack a square of another | `->`, `attacks` |
//! | [`attacked_among`], [`attacked_by_set`] | which squares of a set are attacked by given pieces | `<-`, `attackedby` |
//! | [`attacks_to`] | which pieces attack one square | the two above for a single target; `legal`, `puremate` and related filters |
//! | [`attacked`](fn@attacked) | whether a side attacks a square | `check`, `legal`, the moves of games |
//! | [`aimed_at`] | whether a side would attack a square on an empty board | the moves of games |
//! | [`sliders_aiming_at`] | which sliders would attack a square on an empty board | the two above, `legal` |
//! | [`unobstructed`] | which sliders have a clear view of a square | [`attacked`](fn@attacked), the moves of games |
//!
//! Slower forms, and the form for one piece and one square (`is_attacked`), are in `tests/board/reference`.

use shakmaty::attacks::{self, king_attacks, knight_attacks, pawn_attacks};
use shakmaty::{Bitboard, Color, Role, Square};

use super::approaches::Approaches;
use super::between::between;
use super::fill::{bishop_reach, rook_reach};
use super::pieces::Board;
use super::sliders::{bishop_attacks, rook_attacks};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const FILES_AB: u64 = FILE_A | FILE_A << 1;
const FILES_GH: u64 = FILE_H | FILE_H >> 1;

/// Returns the squares that knights on all squares of a set attack.
///
/// Source: chessprogramming wiki, "Knight Pattern", multiple knight attacks: all leaps by one file share a shift, and so do all leaps by
/// two files.
///
/// ```
/// use skewer::board::{Bitboard, Square, attacked::knight_fill};
///
/// let attacks = knight_fill(Bitboard::from_iter([Square::A1, Square::E5]));
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . 1 . 1 . .
/// . . 1 . . . 1 .
/// . . . . . . . .
/// . . 1 . . . 1 .
/// . 1 . 1 . 1 . .
/// . . 1 . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn knight_fill(set: Bitboard) -> Bitboard {
    let one_file = (set.0 << 1 & !FILE_A) | (set.0 >> 1 & !FILE_H);
    let two_files = (set.0 << 2 & !FILES_AB) | (set.0 >> 2 & !FILES_GH);
    Bitboard(one_file << 16 | one_file >> 16 | two_files << 8 | two_files >> 8)
}

/// Returns the squares that kings on all squares of a set attack.
///
/// Source: chessprogramming wiki, "King Pattern".
///
/// ```
/// use skewer::board::{Bitboard, Square, attacked::king_fill};
///
/// let attacks = king_fill(Bitboard::from_iter([Square::A1, Square::E5]));
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . 1 1 1 . .
/// . . . 1 . 1 . .
/// . . . 1 1 1 . .
/// . . . . . . . .
/// 1 1 . . . . . .
/// . 1 . . . . . .
/// ");
/// ```
#[inline]
pub fn king_fill(set: Bitboard) -> Bitboard {
    let beside = (set.0 << 1 & !FILE_A) | (set.0 >> 1 & !FILE_H);
    let row = set.0 | beside;
    Bitboard(beside | row << 8 | row >> 8)
}

/// Returns the squares that pawns of a colour on all squares of a set attack.
///
/// Source: chessprogramming wiki, "Pawn Attacks (Bitboards)".
///
/// ```
/// use skewer::board::{Bitboard, Color, Square, attacked::pawn_fill};
///
/// let attacks = pawn_fill(Color::White, Bitboard::from_iter([Square::A2, Square::E4]));
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . 1 . 1 . .
/// . . . . . . . .
/// . 1 . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn pawn_fill(color: Color, set: Bitboard) -> Bitboard {
    let beside = (set.0 << 1 & !FILE_A) | (set.0 >> 1 & !FILE_H);
    Bitboard(color.fold_wb(beside << 8, beside >> 8))
}

/// Returns the pieces of both colours that attack a square.
///
/// A super-piece on the square attacks like every kind of piece. Each piece of a kind that it meets in this way attacks back, where pawns are
/// those of the other colour. `occupied` is the set of squares where sliders stop: all pieces, or fewer to look through the others.
///
/// Source: chessprogramming wiki, "Square Attacked By", by all pieces.
///
/// ```
/// use skewer::board::{Board, Square, attacked::attacks_to};
///
/// let board: Board = "4r3/8/3n4/3P4/4Q1b1/8/4R3/7B".parse()?;
/// // The bishop on g4 does not move along ranks, and the pawn attacks c6 and e6.
/// let attackers = attacks_to(&board, board.occupied(), Square::E4);
/// assert_eq!(format!("{attackers:?}"), "\
/// . . . . 1 . . .
/// . . . . . . . .
/// . . . 1 . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . 1 . . .
/// . . . . . . . 1
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attacks_to(board: &Board, occupied: Bitboard, square: Square) -> Bitboard {
    leapers_to(board, square)
        | (bishop_attacks(occupied, square) & board.diagonal_sliders())
        | (rook_attacks(occupied, square) & board.orthogonal_sliders())
}

/// Returns the pawns, knights and kings that attack a square.
#[inline]
pub fn leapers_to(board: &Board, square: Square) -> Bitboard {
    let roles = &board.roles;
    let pawns = (pawn_attacks(Color::White, square) & board.colors.black)
        | (pawn_attacks(Color::Black, square) & board.colors.white);
    (pawns & roles.pawn) | (knight_attacks(square) & roles.knight) | (king_attacks(square) & roles.king)
}

/// Returns the squares that the piece on a square attacks; no squares if there is no piece.
///
/// ```
/// use skewer::board::{Bitboard, Board, Square, attacked::attacks_from};
///
/// let board: Board = "8/8/2p5/8/4B3/5P2/8/8".parse()?;
/// let attacks = attacks_from(&board, Square::E4);
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . . . . . 1
/// . . 1 . . . 1 .
/// . . . 1 . 1 . .
/// . . . . . . . .
/// . . . 1 . 1 . .
/// . . 1 . . . . .
/// . 1 . . . . . .
/// ");
/// assert_eq!(attacks_from(&board, Square::A1), Bitboard::EMPTY);
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attacks_from(board: &Board, square: Square) -> Bitboard {
    board.piece_at(square).map_or(Bitboard::EMPTY, |piece| {
        attacks::attacks(square, piece, board.occupied())
    })
}

/// Returns whether one of `attackers`, which all have the colour `by`, attacks a square, when sliders stop at `occupied`.
///
/// The attackers are passed separately from the board, so that a captured piece can be left out. Few sliders are on the lines of a
/// square, so they are checked one by one. Usually there is none.
///
/// Source: chessprogramming wiki, "Square Attacked By", any attack by side.
///
/// ```
/// use skewer::board::{Board, Color, Square, attacked::attacked};
///
/// let board: Board = "4k3/8/8/8/8/8/4R3/4K3".parse()?;
/// let (white, black, occupied) = (board.colors.white, board.colors.black, board.occupied());
/// assert!(attacked(&board, white, Color::White, occupied, Square::E8));
/// assert!(!attacked(&board, white, Color::White, occupied | Square::E5, Square::E8));
/// assert!(!attacked(&board, black, Color::Black, occupied, Square::E1));
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attacked(board: &Board, attackers: Bitboard, by: Color, occupied: Bitboard, square: Square) -> bool {
    let approaches = Approaches::of(square);
    let steppers = steppers_on(approaches, board, by);
    let sliders = sliders_aiming_at(board, square);
    (steppers & attackers).any() || unobstructed(sliders & attackers, square, occupied).any()
}

/// Returns whether a piece of a side would attack a square on an empty board. If not, it does not attack the square however other pieces move.
///
/// ```
/// use skewer::board::{Board, Color, Square, attacked::aimed_at};
///
/// let board: Board = "4k3/4p3/8/8/8/8/8/4R1K1".parse()?;
/// assert!(aimed_at(&board, Color::White, Square::E8));
/// assert!(!aimed_at(&board, Color::White, Square::D8));
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline(always)]
pub fn aimed_at(board: &Board, by: Color, square: Square) -> bool {
    let aiming = steppers_on(Approaches::of(square), board, by) | sliders_aiming_at(board, square);
    aiming.intersects(*board.colors.get(by))
}

/// Returns the pieces of both colours that are on their approach: knights, kings and the pawns of `by`. May include pawns of the other colour.
#[inline(always)]
fn steppers_on(approaches: &Approaches, board: &Board, by: Color) -> Bitboard {
    let roles = &board.roles;
    (approaches.by(Role::Knight) & roles.knight)
        | (approaches.by(Role::King) & roles.king)
        | (approaches.by_pawns(by) & roles.pawn)
}

/// Returns the sliders of both colours that would attack a square on an empty board.
///
/// ```
/// use skewer::board::{Board, Square, attacked::sliders_aiming_at};
///
/// let board: Board = "4k3/4p3/8/8/8/8/8/4R1KB".parse()?;
/// assert_eq!(sliders_aiming_at(&board, Square::E8), Square::E1.into());
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline(always)]
pub fn sliders_aiming_at(board: &Board, square: Square) -> Bitboard {
    let approaches = Approaches::of(square);
    (approaches.by(Role::Rook) & board.orthogonal_sliders()) | (approaches.by(Role::Bishop) & board.diagonal_sliders())
}

/// Returns those of `sliders` with no piece of `occupied` between them and a square. All must be able to reach the square on an empty board.
///
/// Source: chessprogramming wiki, "Square Attacked By", legality test by the in-between set.
///
/// ```
/// use skewer::board::{Bitboard, Square, attacked::unobstructed};
///
/// let rooks = Bitboard::from_iter([Square::A4, Square::E1]);
/// assert_eq!(unobstructed(rooks, Square::E4, rooks | Square::C4), Square::E1.into());
/// ```
#[inline]
pub fn unobstructed(sliders: Bitboard, square: Square, occupied: Bitboard) -> Bitboard {
    let mut left = sliders;
    let mut seeing = Bitboard::EMPTY;
    while let Some(slider) = left.pop_front() {
        if (between(square, slider) & occupied).is_empty() {
            seeing.add(slider);
        }
    }
    seeing
}

/// Returns the squares of a set whose piece attacks a square of another set: `S -> T`.
///
/// For one target, uses the super-piece; for one piece, its attacks; for several, fills from the targets. See
/// `docs/board-variants.md`.
///
/// ```
/// use skewer::board::{Bitboard, Board, Square, attacked::attackers_among};
///
/// let board: Board = "4k3/8/5n2/8/3p4/8/1B6/R3K2R".parse()?;
/// let targets = Bitboard::from_iter([Square::D4, Square::E4, Square::H7]);
/// assert_eq!(attackers_among(&board, board.colors.black, targets), Square::F6.into());
/// assert_eq!(attackers_among(&board, board.roles.rook, targets), Square::H1.into());
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attackers_among(board: &Board, candidates: Bitboard, targets: Bitboard) -> Bitboard {
    let occupied = board.occupied();
    let pieces = candidates & occupied;
    if pieces.is_empty() || targets.is_empty() {
        return Bitboard::EMPTY;
    }
    if let Some(target) = targets.single_square() {
        return pieces & attacks_to(board, occupied, target);
    }
    if let Some(attacker) = pieces.single_square() {
        return keep_if(pieces, attacks_from(board, attacker).intersects(targets));
    }
    let bishops = pieces & board.diagonal_sliders();
    let rooks = pieces & board.orthogonal_sliders();
    let bishops = match bishops.single_square() {
        _ if bishops.is_empty() => bishops,
        Some(bishop) => keep_if(bishops, bishop_attacks(occupied, bishop).intersects(targets)),
        None => bishops & bishop_reach(targets, !occupied),
    };
    let rooks = match rooks.single_square() {
        _ if rooks.is_empty() => rooks,
        Some(rook) => keep_if(rooks, rook_attacks(occupied, rook).intersects(targets)),
        None => rooks & rook_reach(targets, !occupied),
    };
    leapers_that_see(board, pieces, targets) | bishops | rooks
}

/// Returns the set if the condition holds, otherwise no squares.
#[inline]
fn keep_if(set: Bitboard, condition: bool) -> Bitboard {
    if condition { set } else { Bitboard::EMPTY }
}

/// Returns the pawns, knights and kings of a set that attack a target.
#[inline]
pub(super) fn leapers_that_see(board: &Board, pieces: Bitboard, targets: Bitboard) -> Bitboard {
    let roles = &board.roles;
    let pawns = (pawn_fill(Color::Black, targets) & board.colors.white)
        | (pawn_fill(Color::White, targets) & board.colors.black);
    pieces & ((pawns & roles.pawn) | (knight_fill(targets) & roles.knight) | (king_fill(targets) & roles.king))
}

/// Up to this many sliders, lookups cost less than fills in all directions. See `docs/board-variants.md`.
const FEW_SLIDERS: usize = 8;

/// Returns all squares attacked by the pieces on the squares of a set.
///
/// ```
/// use skewer::board::{Board, Square, attacked::attacked_by_set};
///
/// let board: Board = "4k3/8/8/3p4/8/8/6P1/1N5R".parse()?;
/// let attacked = attacked_by_set(&board, board.colors.white | Square::D5);
/// assert_eq!(format!("{attacked:?}"), "\
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// . . 1 . 1 . . 1
/// 1 . 1 . . 1 . 1
/// . . . 1 . . . 1
/// . 1 1 1 1 1 1 .
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attacked_by_set(board: &Board, attackers: Bitboard) -> Bitboard {
    let occupied = board.occupied();
    let pieces = attackers & occupied;
    if pieces.is_empty() {
        return Bitboard::EMPTY;
    }
    if let Some(attacker) = pieces.single_square() {
        return attacks_from(board, attacker);
    }
    let bishops = pieces & board.diagonal_sliders();
    let rooks = pieces & board.orthogonal_sliders();
    let sliders = if bishops.count() + rooks.count() <= FEW_SLIDERS {
        union_of_attacks(bishops, |square| bishop_attacks(occupied, square))
            | union_of_attacks(rooks, |square| rook_attacks(occupied, square))
    } else {
        bishop_reach(bishops, !occupied) | rook_reach(rooks, !occupied)
    };
    attacked_by_leapers(board, pieces) | sliders
}

/// Returns the squares attacked by the pawns, knights and kings of a set.
#[inline]
pub(super) fn attacked_by_leapers(board: &Board, pieces: Bitboard) -> Bitboard {
    let pawns = pieces & board.roles.pawn;
    pawn_fill(Color::White, pawns & board.colors.white)
        | pawn_fill(Color::Black, pawns & board.colors.black)
        | knight_fill(pieces & board.roles.knight)
        | king_fill(pieces & board.roles.king)
}

#[inline]
fn union_of_attacks(members: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> Bitboard {
    members
        .into_iter()
        .fold(Bitboard::EMPTY, |union, square| union | attacks(square))
}

/// Returns the squares of a set that are attacked by a piece of another set: `S <- T`.
///
/// ```
/// use skewer::board::{Board, Square, attacked::attacked_among};
///
/// let board: Board = "4k3/8/8/3p4/8/8/6P1/1N5R".parse()?;
/// let squares = board.roles.king | Square::H8 | Square::H2;
/// assert_eq!(attacked_among(&board, squares, board.roles.rook), squares & !board.roles.king);
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attacked_among(board: &Board, squares: Bitboard, attackers: Bitboard) -> Bitboard {
    match squares.single_square() {
        Some(square) => keep_if(
            squares,
            attacks_to(board, board.occupied(), square).intersects(attackers),
        ),
        None if squares.is_empty() => squares,
        None => squares & attacked_by_set(board, attackers),
    }
}
