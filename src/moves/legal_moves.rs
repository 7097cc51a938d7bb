//! All legal and pseudolegal moves of a position (chapters 6 and 12), by origin: where each piece may go.
//!
//! Method: the classical one with bitboards. A piece that is pinned to its king may move along that line only; in check a move has to take the checker or to step between; the king may not step onto an attacked square.

use shakmaty::{CastlingSide, attacks};

use crate::board::attacked::{attacked, leapers_to, sliders_aiming_at};
use crate::board::between::between;
use crate::board::{Bitboard, Board, Color, Rank, Role, Square};
use crate::chess::{Arrival, MoveKind, Position, Start, en_passant_square, leaves_king_safe, passing_victim};
use crate::game::Game;

/// What a pawn may become, the strongest first.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Moves with a rule of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecialMove {
    /// Castling, to one side or to either.
    Castle(Option<CastlingSide>),
    /// Taking in passing.
    EnPassant,
}

/// The moves of the side to move.
#[derive(Clone, Debug)]
pub(crate) struct LegalMoves {
    /// The pieces that move.
    pieces: Bitboard,
    legal: [Bitboard; 64],
    pseudolegal: [Bitboard; 64],
    king: Option<Square>,
    /// Where the king arrives by castling to the king's and to the queen's side.
    castles: [Bitboard; 2],
    passing: Option<EnPassantCapture>,
}

/// A pawn that may be taken in passing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnPassantCapture {
    /// Where the taking pawn arrives.
    pub(crate) to: Square,
    /// Where the taken pawn stands.
    pub(crate) captured: Square,
    /// The pawns that may take.
    pub(crate) pseudolegal: Bitboard,
    /// Those of them that leave their king safe.
    pub(crate) legal: Bitboard,
}

impl EnPassantCapture {
    /// The pawns that may take, also those that leave their king in check if that does not matter.
    pub(crate) fn takers(&self, pseudo: bool) -> Bitboard {
        if pseudo { self.pseudolegal } else { self.legal }
    }
}

/// What decides whether a pseudolegal move is legal: checks and pins.
pub(crate) struct Legality {
    /// The king of which this is said.
    pub(crate) king: Option<Square>,
    /// The pieces that give it check.
    pub(crate) checkers: Bitboard,
    /// The pieces that may move along the line to their king only.
    pub(crate) pinned: Bitboard,
    /// The squares where a piece other than the king ends a check: all when there is none.
    pub(crate) evasions: Bitboard,
}

impl Legality {
    /// Those of the pieces of a colour. Few sliders are in line with a king, so they are looked at one by one.
    ///
    /// Source: chessprogramming wiki, "Checks and Pinned Pieces (Bitboards)".
    #[inline]
    pub(crate) fn of(board: &Board, us: Color) -> Legality {
        let (own, them) = (*board.colors.get(us), *board.colors.get(!us));
        let Some(king) = board.pieces(us, Role::King).first() else {
            return Legality {
                king: None,
                checkers: Bitboard::EMPTY,
                pinned: Bitboard::EMPTY,
                evasions: Bitboard::FULL,
            };
        };
        let mut checkers = leapers_to(board, king) & them;
        let mut pinned = Bitboard::EMPTY;
        for slider in sliders_aiming_at(board, king) & them {
            let between = between(king, slider) & board.occupied();
            if between.is_empty() {
                checkers.add(slider);
            } else if !between.more_than_one() {
                pinned |= between & own;
            }
        }
        Legality {
            king: Some(king),
            checkers,
            pinned,
            evasions: evasions(king, checkers),
        }
    }

    /// The squares where a piece other than the king may arrive, as far as the king is concerned.
    #[inline]
    pub(crate) fn allow(&self, from: Square) -> Bitboard {
        match self.king {
            Some(king) if self.pinned.contains(from) => self.evasions & attacks::ray(king, from),
            _ => self.evasions,
        }
    }
}

impl Default for LegalMoves {
    fn default() -> LegalMoves {
        LegalMoves {
            pieces: Bitboard::EMPTY,
            legal: [Bitboard::EMPTY; 64],
            pseudolegal: [Bitboard::EMPTY; 64],
            king: None,
            castles: [Bitboard::EMPTY; 2],
            passing: None,
        }
    }
}

impl LegalMoves {
    /// Finds all moves of a position of a game.
    pub(crate) fn fill(&mut self, game: &Game, at: &Position) {
        self.fill_after(game, at, || game.arrivals(at));
    }

    /// Finds all moves of a position, which moves to the squares of `arrivals` have led to.
    pub(crate) fn fill_after(&mut self, game: &Game, at: &Position, arrivals: impl Fn() -> Bitboard) {
        if let Some(moves) = game.moves_by_variant(at) {
            return self.fill_with(moves, at);
        }
        let board = &at.board;
        let us = at.turn;
        let own = *board.colors.get(us);
        let enemy_king = board.pieces(!us, Role::King);
        let duties = Legality::of(board, us);
        self.pieces = own;
        self.king = duties.king;
        for from in own {
            let reached = reached(board, us, from);
            let legal = if duties.king == Some(from) {
                safe_for_king(board, us, from, reached)
            } else {
                reached & duties.allow(from)
            };
            self.pseudolegal[from.to_usize()] = reached;
            self.legal[from.to_usize()] = legal & !enemy_king;
        }
        self.pass(just_passing(at));
        self.castles = [Bitboard::EMPTY; 2];
        if let Some(king) = duties.king
            && duties.checkers.is_empty()
        {
            self.castles = CastlingSide::ALL.map(|side| castle(game, at, side, &arrivals));
            for to in self.castles {
                self.legal[king.to_usize()] |= to;
                self.pseudolegal[king.to_usize()] |= to;
            }
        }
    }

    /// Adds the pawn that may be taken in passing, if there is one.
    fn pass(&mut self, passing: Option<EnPassantCapture>) {
        self.passing = passing;
        let Some(passing) = passing else { return };
        for from in passing.pseudolegal {
            self.pseudolegal[from.to_usize()].add(passing.to);
        }
        for from in passing.legal {
            self.legal[from.to_usize()].add(passing.to);
        }
    }

    /// Takes the moves of a variant with rules of its own, where nothing is pseudolegal that is not legal.
    fn fill_with(&mut self, moves: impl Iterator<Item = Arrival>, at: &Position) {
        *self = LegalMoves {
            king: at.board.pieces(at.turn, Role::King).first(),
            ..LegalMoves::default()
        };
        for step in moves {
            self.pieces.add(step.from);
            self.legal[step.from.to_usize()].add(step.to);
            match (step.kind, step.captured) {
                (MoveKind::Castle(side), _) => self.castles[usize::from(!side.is_king_side())].add(step.to),
                (MoveKind::EnPassant, Some(captured)) => {
                    let others = self.passing.map_or(Bitboard::EMPTY, |passing| passing.legal);
                    let takers = others | Bitboard::from(step.from);
                    self.passing = Some(EnPassantCapture {
                        to: step.to,
                        captured,
                        pseudolegal: takers,
                        legal: takers,
                    });
                }
                _ => {}
            }
        }
        self.pseudolegal = self.legal;
    }

    /// The origins among `origins` with the squares where their pieces may arrive, only by a special move if one is named.
    pub(crate) fn of(
        &self,
        pseudo: bool,
        origins: Bitboard,
        special: Option<SpecialMove>,
    ) -> impl Iterator<Item = (Square, Bitboard)> + '_ {
        (self.pieces & origins).into_iter().map(move |from| {
            let arrivals = match special {
                None if pseudo => self.pseudolegal[from.to_usize()],
                None => self.legal[from.to_usize()],
                Some(SpecialMove::Castle(side)) => self.castling(from, side),
                Some(SpecialMove::EnPassant) => self.taking_in_passing(pseudo, from),
            };
            (from, arrivals)
        })
    }

    fn castling(&self, from: Square, side: Option<CastlingSide>) -> Bitboard {
        if self.king != Some(from) {
            return Bitboard::EMPTY;
        }
        let [king_side, queen_side] = self.castles;
        match side {
            Some(CastlingSide::KingSide) => king_side,
            Some(CastlingSide::QueenSide) => queen_side,
            None => king_side | queen_side,
        }
    }

    fn taking_in_passing(&self, pseudo: bool, from: Square) -> Bitboard {
        match self.passing {
            Some(passing) if passing.takers(pseudo).contains(from) => passing.to.into(),
            _ => Bitboard::EMPTY,
        }
    }

    /// The square of the pawn that may be taken in passing.
    pub(crate) fn captured_in_passing(&self) -> Option<Square> {
        self.passing.map(|passing| passing.captured)
    }
}

/// Where a piece may go without regard to his king, castling and taking in passing left out.
pub(crate) fn reached(board: &Board, us: Color, from: Square) -> Bitboard {
    board
        .piece_at(from)
        .map_or(Bitboard::EMPTY, |piece| reached_by(board, us, piece.role, from))
}

/// The same for a piece that is known.
#[inline]
pub(crate) fn reached_by(board: &Board, us: Color, role: Role, from: Square) -> Bitboard {
    if role == Role::Pawn {
        let takes = attacks::pawn_attacks(us, from) & *board.colors.get(!us);
        return takes | pushes(us, from, board.occupied());
    }
    attacks::attacks(from, role.of(us), board.occupied()) & !*board.colors.get(us)
}

/// Shows a pawn's move, once for each piece that it may become if it promotes.
pub(crate) fn each_promotion(us: Color, plain: Arrival, found: &mut dyn FnMut(Arrival)) {
    if plain.to.rank() != us.fold_wb(Rank::Eighth, Rank::First) {
        return found(plain);
    }
    for role in PROMOTIONS {
        found(Arrival {
            promotion: Some(role),
            ..plain
        });
    }
}

/// The squares straight ahead of a pawn that it may go to.
fn pushes(us: Color, from: Square, occupied: Bitboard) -> Bitboard {
    let ahead = |squares: Bitboard| us.fold_wb(Bitboard(squares.0 << 8), Bitboard(squares.0 >> 8)) & !occupied;
    let single = ahead(from.into());
    let double = if from.rank() == us.fold_wb(Rank::Second, Rank::Seventh) {
        ahead(single)
    } else {
        Bitboard::EMPTY
    };
    single | double
}

/// The squares where a piece other than the king ends a check: all when there is none.
fn evasions(king: Square, checkers: Bitboard) -> Bitboard {
    match checkers.single_square() {
        Some(checker) => between(king, checker) | Bitboard::from(checker),
        None if checkers.is_empty() => Bitboard::FULL,
        None => Bitboard::EMPTY,
    }
}

/// The squares among those that the king reaches where nothing attacks it.
pub(crate) fn safe_for_king(board: &Board, us: Color, king: Square, reached: Bitboard) -> Bitboard {
    let them = *board.colors.get(!us);
    let occupied = board.occupied() & !Bitboard::from(king);
    reached
        .into_iter()
        .filter(|to| !attacked(board, them, !us, occupied, *to))
        .collect()
}

/// The pawn that has just made a double step, if some pawn stands beside it.
pub(crate) fn just_passing(at: &Position) -> Option<EnPassantCapture> {
    passing_over(at, en_passant_square(at, None)?, at.arrival.to)
}

/// The same, also in the position with which the game begins if its FEN says so.
pub(crate) fn passing(game: &Game, at: &Position) -> Option<EnPassantCapture> {
    let at_start = game.en_passant_at_start();
    let to = en_passant_square(at, at_start)?;
    passing_over(at, to, passing_victim(at, at_start, to)?)
}

/// The pawn on the square `captured`, which has passed over another square, if some pawn may take it there.
fn passing_over(at: &Position, to: Square, captured: Square) -> Option<EnPassantCapture> {
    let board = &at.board;
    let us = at.turn;
    let pseudolegal = attacks::pawn_attacks(!us, to) & board.pieces(us, Role::Pawn);
    let legal = pseudolegal
        .into_iter()
        .filter(|from| leaves_king_safe(board, us, *from, to, Some(captured)))
        .collect();
    pseudolegal.any().then_some(EnPassantCapture {
        to,
        captured,
        pseudolegal,
        legal,
    })
}

/// Whether the FEN with which a game begins does not let a side castle to a side.
pub(crate) fn is_castling_denied(game: &Game, us: Color, side: CastlingSide) -> bool {
    let rook = game.castlers(us, side).rook;
    let start = game.start.as_ref();
    start.is_some_and(|start| !start.rights.0.contains(rook))
}

/// Where the king arrives by castling to a side, if it may: king and rook where they castle from and no earlier arrival there,
/// nothing in their way, no attack on the king's. What a FEN says of the right does not count, except in Chess960.
pub(crate) fn castle(game: &Game, at: &Position, side: CastlingSide, arrivals: &impl Fn() -> Bitboard) -> Bitboard {
    let us = at.turn;
    let pieces = game.castlers(us, side);
    let Some(to) = pieces.can_castle(&at.board, us, side) else {
        return Bitboard::EMPTY;
    };
    let in_chess960 = game.start.as_ref().is_some_and(Start::is_chess960);
    let arrivals = arrivals();
    if (in_chess960 && is_castling_denied(game, us, side))
        || arrivals.contains(pieces.king)
        || arrivals.contains(pieces.rook)
    {
        return Bitboard::EMPTY;
    }
    to.into()
}
