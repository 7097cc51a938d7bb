//! Generating legal and pseudolegal moves one after another.
//!
//! Whoever tries moves mostly needs only the first few, or those of one piece, or captures. So each move is found only when the one
//! before it was not enough. [`LegalMoves`](super::legal_moves::LegalMoves) has all moves at once, for those who look at them again and again.
//!
//! Source: chessprogramming wiki, "Move Generation", staged move generation.

use shakmaty::{CastlingSide, Piece};

use super::legal_moves::SpecialMove;
use super::legality::{Legality, safe_for_king};
use super::pseudolegal::{
    EnPassantCapture, castle, each_promotion, is_castling_denied, just_passing, passing, pushers, reached_by,
};
use crate::board::attacked::attacks_to;
use crate::board::{Bitboard, Board, Color, Role, Square};
use crate::chess::{Arrival, MoveKind, Position};
use crate::game::Game;

/// Up to so many squares of arrival it is found out first which pieces can go there.
const FEW: usize = 3;

/// Which moves are asked for.
pub(crate) struct Asked {
    /// The safety of the own king is ignored.
    pub(crate) pseudo: bool,
    /// The FEN with which the game begins says who may castle, and whether a pawn may be taken in passing at once.
    pub(crate) heeds_fen: bool,
    /// Only moves of this kind.
    pub(crate) special: Option<SpecialMove>,
    /// Where they begin.
    pub(crate) from: Bitboard,
    /// Where they arrive.
    pub(crate) to: Bitboard,
    /// What they take; any move when it is not said.
    pub(crate) captured: Option<Bitboard>,
}

/// Shows the moves of a position of chess that are asked for, each with the piece that moves: by origin and arrival in the order of the
/// squares, then by what a pawn becomes. Ends when `found` says that it has enough. Moves to the squares of `arrivals` have led to the
/// position.
pub(crate) fn each_move(
    game: &Game,
    at: &Position,
    asked: &Asked,
    arrivals: impl Fn() -> Bitboard,
    found: &mut dyn FnMut(Role, Arrival) -> bool,
) {
    let (board, us) = (&at.board, at.turn);
    let passing = just_passing(at).or_else(|| passing(game, at).filter(|_| asked.heeds_fen));
    let targets = asked.targets(board, us, passing);
    let origins = asked.origins(game, at, passing, targets);
    if origins.is_empty() {
        return;
    }
    let stage = MoveGenerator {
        game,
        at,
        asked,
        legality: Legality::of(board, us),
        passing,
        targets,
    };
    for from in origins {
        let Some(Piece { role, .. }) = board.piece_at(from) else {
            continue;
        };
        let has_enough = if stage.legality.king == Some(from) {
            stage.king(from, &arrivals, found)
        } else {
            stage.piece(role, from, found)
        };
        if has_enough {
            return;
        }
    }
}

impl Asked {
    /// The squares where such moves may arrive.
    fn targets(&self, board: &Board, us: Color, passing: Option<EnPassantCapture>) -> Bitboard {
        let Some(captured) = self.captured else {
            return self.to;
        };
        let passing = passing.filter(|passing| captured.contains(passing.captured));
        let passed = passing.map_or(Bitboard::EMPTY, |passing| passing.to.into());
        self.to & ((captured & *board.colors.get(!us)) | passed)
    }

    /// The pieces that may make such moves, or more.
    fn origins(&self, game: &Game, at: &Position, passing: Option<EnPassantCapture>, targets: Bitboard) -> Bitboard {
        let (board, us) = (&at.board, at.turn);
        let own = *board.colors.get(us) & self.from;
        if targets.is_empty() || own.is_empty() || targets.count() > FEW {
            return if targets.is_empty() { targets } else { own };
        }
        let occupied = board.occupied();
        let mut reaching = passing.map_or(Bitboard::EMPTY, |passing| passing.pseudolegal);
        let may_arrive = |side| self.wants_castling(side) && targets.contains(game.castlers(us, side).arrival(side));
        if CastlingSide::ALL.into_iter().any(may_arrive) {
            reaching |= board.roles.king;
        }
        for to in targets {
            reaching |= attacks_to(board, occupied, to) | pushers(board, us, to);
        }
        own & reaching
    }

    /// Whether a move fits as far as its squares say.
    pub(crate) fn admits(&self, arrival: &Arrival) -> bool {
        let takes = |squares: Bitboard| arrival.captured.is_some_and(|captured| squares.contains(captured));
        self.to.contains(arrival.to) && self.captured.is_none_or(takes)
    }

    /// Whether castling to a side is asked for.
    fn wants_castling(&self, side: CastlingSide) -> bool {
        match self.special {
            _ if self.captured.is_some() => false,
            None | Some(SpecialMove::Castle(None)) => true,
            Some(SpecialMove::Castle(Some(asked))) => asked == side,
            Some(SpecialMove::EnPassant) => false,
        }
    }
}

/// What is known of a position before the first move.
struct MoveGenerator<'g> {
    game: &'g Game,
    at: &'g Position,
    asked: &'g Asked,
    legality: Legality,
    passing: Option<EnPassantCapture>,
    targets: Bitboard,
}

impl MoveGenerator<'_> {
    /// Shows the moves of a piece other than the king; whether there is enough.
    fn piece(&self, role: Role, from: Square, found: &mut dyn FnMut(Role, Arrival) -> bool) -> bool {
        let allowed = if self.asked.pseudo {
            Bitboard::FULL
        } else {
            self.legality.allow(from)
        };
        let mut squares = self.steps(role, from) & allowed;
        // Else somebody stands on the square that was passed over, as only a FEN can have it.
        let passing = self.passing.filter(|_| role == Role::Pawn);
        if let Some(passing) = passing
            && !matches!(self.asked.special, Some(SpecialMove::Castle(_)))
            && passing.takers(self.asked.pseudo).contains(from)
        {
            squares |= self.targets & Bitboard::from(passing.to);
        }
        let mut has_enough = false;
        for to in squares {
            let plain = self.plain(from, to);
            let mut show = |arrival: Arrival| has_enough = has_enough || found(role, arrival);
            match passing {
                Some(passing) if passing.to == to && from.file() != to.file() => show(Arrival {
                    kind: MoveKind::EnPassant,
                    captured: Some(passing.captured),
                    ..plain
                }),
                _ if role == Role::Pawn => each_promotion(self.at.turn, plain, &mut show),
                _ => show(plain),
            }
            if has_enough {
                return true;
            }
        }
        false
    }

    /// Shows the moves of the king; whether there is enough.
    fn king(
        &self,
        from: Square,
        arrivals: &impl Fn() -> Bitboard,
        found: &mut dyn FnMut(Role, Arrival) -> bool,
    ) -> bool {
        let (board, us) = (&self.at.board, self.at.turn);
        let mut steps = self.steps(Role::King, from);
        if !self.asked.pseudo {
            steps = safe_for_king(board, us, from, steps);
        }
        let castles = CastlingSide::ALL.map(|side| {
            let is_denied = || self.asked.heeds_fen && is_castling_denied(self.game, us, side);
            if !self.asked.wants_castling(side) || self.legality.checkers.any() || is_denied() {
                return Bitboard::EMPTY;
            }
            castle(self.game, self.at, side, arrivals) & self.targets
        });
        for to in castles.into_iter().fold(steps, |squares, castle| squares | castle) {
            let plain = self.plain(from, to);
            for side in CastlingSide::ALL {
                let castling = Arrival {
                    kind: MoveKind::Castle(side),
                    captured: None,
                    ..plain
                };
                let castles = castles[usize::from(!side.is_king_side())];
                if castles.contains(to) && found(Role::King, castling) {
                    return true;
                }
            }
            if steps.contains(to) && found(Role::King, plain) {
                return true;
            }
        }
        false
    }

    /// Where a piece may go by a move of no special kind, whatever becomes of its king.
    #[inline]
    fn steps(&self, role: Role, from: Square) -> Bitboard {
        let (board, us) = (&self.at.board, self.at.turn);
        if self.asked.special.is_some() {
            return Bitboard::EMPTY;
        }
        let mut steps = reached_by(board, us, role, from);
        if !self.asked.pseudo {
            steps &= !board.pieces(!us, Role::King);
        }
        steps & self.targets
    }

    fn plain(&self, from: Square, to: Square) -> Arrival {
        let them = *self.at.board.colors.get(!self.at.turn);
        Arrival {
            kind: MoveKind::Normal,
            from,
            to,
            promotion: None,
            captured: them.contains(to).then_some(to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::legal_moves::LegalMoves;
    use crate::pgn::{GameReader, Reading, Scope, sample};

    /// The moves that are asked for, up to a number.
    fn shown(game: &Game, at: &Position, asked: &Asked, most: usize) -> Vec<(Role, Arrival)> {
        let mut moves = Vec::new();
        each_move(game, at, asked, || game.arrivals(at), &mut |role, arrival| {
            moves.push((role, arrival));
            moves.len() == most
        });
        moves
    }

    /// Compares the moves of all positions with the table of them, and those of parts of the squares with all; returns how many there were.
    fn compare(mut reader: GameReader<'_>) -> usize {
        let mut random = fastrand::Rng::with_seed(3);
        let specials = [
            None,
            Some(SpecialMove::EnPassant),
            Some(SpecialMove::Castle(None)),
            Some(SpecialMove::Castle(Some(CastlingSide::QueenSide))),
        ];
        let mut game = Game::default();
        let mut count = 0;
        while reader.read(Scope::ALL, &mut game, |_| true) != Reading::End {
            for at in game.positions.iter().step_by(7) {
                let mut table = LegalMoves::default();
                table.fill(&game, at);
                let asks = [false, true].into_iter().flat_map(|pseudo| {
                    specials.map(|special| [false, true].map(|heeds_fen| (pseudo, special, heeds_fen)))
                });
                for (pseudo, special, heeds_fen) in asks.flatten() {
                    let every = Asked {
                        pseudo,
                        heeds_fen,
                        special,
                        from: Bitboard::FULL,
                        to: Bitboard::FULL,
                        captured: None,
                    };
                    let all = shown(&game, at, &every, usize::MAX);
                    let mut squares: Vec<_> = all.iter().map(|(_, arrival)| (arrival.from, arrival.to)).collect();
                    squares.dedup();
                    let expected: Vec<_> = table
                        .of(pseudo, Bitboard::FULL, special)
                        .flat_map(|(from, arrivals)| arrivals.into_iter().map(move |to| (from, to)))
                        .collect();
                    assert!(heeds_fen || squares == expected, "{:?} {pseudo} {special:?}", at.board);
                    count += all.len();
                    let mut some = || Bitboard(random.u64(..) & random.u64(..) & random.u64(..) & random.u64(..));
                    for captured in [None, Some(some()), Some(Bitboard::FULL)] {
                        for to in [some(), Bitboard::FULL] {
                            let asked = Asked {
                                from: !some(),
                                to,
                                captured,
                                ..every
                            };
                            let fits = |(_, arrival): &(Role, Arrival)| {
                                asked.from.contains(arrival.from)
                                    && to.contains(arrival.to)
                                    && captured
                                        .is_none_or(|wanted| arrival.captured.is_some_and(|it| wanted.contains(it)))
                            };
                            let mut found = shown(&game, at, &asked, usize::MAX);
                            // An enemy on the square that was passed over, in an odd FEN.
                            found.retain(fits);
                            let fitting: Vec<_> = all.iter().copied().filter(fits).collect();
                            assert_eq!(found, fitting, "{:?}", at.board);
                            assert_eq!(shown(&game, at, &asked, 1).len(), fitting.len().min(1));
                        }
                    }
                }
            }
        }
        count
    }

    #[test]
    fn moves_are_those_of_the_table_in_games() {
        for (name, _) in sample::GOLDEN {
            assert!(compare(GameReader::new(&sample::golden(name))) > 100, "{name}");
        }
    }

    /// Any number of kings, pawns on all ranks, pins and checks of all kinds, pawns that may be taken in passing.
    #[test]
    fn moves_are_those_of_the_table_on_random_boards() {
        let mut random = fastrand::Rng::with_seed(17);
        let mut games = String::new();
        for _ in 0..300 {
            let mut board = shakmaty::Board::empty();
            for piece in "KkRrPpQqNnBbPp".chars().cycle().take(random.usize(2..36)) {
                let piece = shakmaty::Piece::from_char(piece).expect("a letter");
                let square = Square::new(random.u32(0..64));
                if random.u8(0..8) > 0 {
                    board.set_piece_at(square, piece);
                }
            }
            let passed = if random.bool() { "e6" } else { "-" };
            games += &format!("[FEN \"{board} w KQkq {passed} 0 1\"]\n[SetUp \"1\"]\n\n*\n\n");
        }
        assert!(compare(GameReader::new(&sample::batch(&games))) > 5_000);
    }
}
