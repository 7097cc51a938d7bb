//! Finds the lanes in which the side to move may give check or mate.

use shakmaty::{Bitboard, Color, File, Rank, Role, attacks};

use super::{Boards, Column, Lanes};
use crate::board::attacked::{king_fill, knight_fill, pawn_fill, sliders_aiming_at};
use crate::board::between::between;
use crate::board::directions::Direction;
use crate::board::fill::{bishop_reach, rook_reach};
use crate::board::pawns::beside;
use crate::board::processor::for_this_processor;
use crate::board::sliders::{bishop_attacks, rook_attacks};

/// Squares where white pieces may arrive and attack the black king, regardless of the safety of their own king.
struct Checks {
    queens: Column,
    rooks: Column,
    bishops: Column,
    knights: Column,
    pawns: Column,
    /// Squares to which the king can go in the current position.
    flights: Column,
    king: Column,
    /// The lanes in which a move of another kind may give check: by opening a line, promoting, castling, or capturing en passant. Also the lanes in
    /// which the king is already in check, or there are several kings.
    others: Lanes,
}

impl Boards {
    /// Returns the lanes in which the side to move may have a move that gives check, and perhaps others. `white_to_move` names the lanes in
    /// which White is to move. A pawn is captured en passant only if it may just have made its double step.
    ///
    /// ```
    /// use skewer::board::Board;
    /// use skewer::board::columns::Boards;
    ///
    /// let boards = Boards::from_iter([
    ///     "6k1/5ppp/8/8/8/8/8/R5K1".parse::<Board>()?,
    ///     "6k1/5ppp/7n/8/8/8/R7/6K1".parse()?,
    ///     "5k2/8/8/8/8/8/8/1N4K1".parse()?,
    /// ]);
    /// assert_eq!(boards.may_check(0b111), 0b011);
    /// # Ok::<(), shakmaty::fen::ParseFenError>(())
    /// ```
    pub fn may_check(&self, white_to_move: Lanes) -> Lanes {
        let checks = self.as_seen(white_to_move).checks_of_white();
        checks.others | checks.are_direct()
    }

    /// Returns the lanes in which the side to move may have a move that mates, and perhaps others.
    ///
    /// A mate takes all flights from the king: either the moving piece attacks all those that nothing attacks yet, or it leaves the line of a piece
    /// behind it that attacks one.
    ///
    /// ```
    /// use skewer::board::Board;
    /// use skewer::board::columns::Boards;
    ///
    /// let boards = Boards::from_iter([
    ///     "6k1/5ppp/8/8/8/8/8/R5K1".parse::<Board>()?,
    ///     "6k1/5pp1/7p/8/8/8/8/R5K1".parse()?,
    /// ]);
    /// assert_eq!(boards.may_mate(0b11), 0b01, "the second king has a flight");
    /// # Ok::<(), shakmaty::fen::ParseFenError>(())
    /// ```
    pub fn may_mate(&self, white_to_move: Lanes) -> Lanes {
        let boards = self.as_seen(white_to_move);
        let checks = boards.checks_of_white();
        let mut found = checks.others;
        let mut left = checks.are_direct() & !checks.others;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            found |= Lanes::from(boards.may_take_flights(&checks, lane)) << lane;
        }
        found
    }

    fn checks_of_white(&self) -> Checks {
        for_this_processor!(self.checks_in_vectors())
    }

    #[inline(always)]
    fn checks_in_vectors(&self) -> Checks {
        let us = self.colors.white;
        let of = |lane: usize, role: Role| self.roles.get(role).lane(lane) & us.lane(lane);
        let king = self.pieces(Color::Black, Role::King);
        let empty = self.empty();

        // The squares that the pieces attack.
        let rooks = straight_from(&(us & self.roles.rook), &empty);
        let bishops = aslant_from(&(us & self.roles.bishop), &empty);
        let queens = us & self.roles.queen;
        let queens = straight_from(&queens, &empty) | aslant_from(&queens, &empty);
        let knights = Column::from_lanes(|lane| knight_fill(of(lane, Role::Knight)));
        let pawns = Column::from_lanes(|lane| pawn_fill(Color::White, of(lane, Role::Pawn)));
        let attacked = Column::from_lanes(|lane| {
            let sliders = rooks.lane(lane) | bishops.lane(lane) | queens.lane(lane);
            sliders | knights.lane(lane) | pawns.lane(lane) | king_fill(of(lane, Role::King))
        });

        // The squares from which sliders would attack the king.
        let straight = straight_from(&king, &empty);
        let aslant = aslant_from(&king, &empty);
        let free = |lane: usize| !(us.lane(lane) | king.lane(lane));
        let steps = |lane: usize, pawns: Bitboard| Direction::North.shift(pawns) & empty.lane(lane);
        let arrivals = Column::from_lanes(|lane| {
            let once = steps(lane, of(lane, Role::Pawn));
            let twice = steps(lane, once & Bitboard::from(Rank::Third));
            once | twice | pawns.lane(lane) & self.colors.black.lane(lane)
        });
        let by_pawns = Column::from_lanes(|lane| pawn_fill(Color::Black, king.lane(lane)));

        // A pawn that captures en passant attacks the king, or opens a line together with the captured pawn.
        let passing = Column::from_lanes(|lane| {
            let advanced = of(lane, Role::Pawn) & Bitboard::from(Rank::Fifth);
            let before = Bitboard(empty.lane(lane).0 >> 8 & empty.lane(lane).0 >> 16);
            let taken = beside(advanced) & self.colors.black.lane(lane) & self.roles.pawn.lane(lane) & before;
            let seen = (straight.lane(lane) | aslant.lane(lane)) & (taken | beside(taken) & advanced);
            seen | steps(lane, taken) & by_pawns.lane(lane)
        });
        // The castling rook arrives on the d- or f-file.
        let castling = Column::from_lanes(|lane| {
            let home = Bitboard::from(Rank::First);
            let may_castle = (of(lane, Role::King) & home).any() & (of(lane, Role::Rook) & home).any();
            let attacked = king.lane(lane) & (home | Bitboard::from(File::D) | Bitboard::from(File::F));
            Bitboard(attacked.0 & u64::from(may_castle).wrapping_neg())
        });
        // Sliders behind a piece of their own side.
        let straight_behind = straight_from(&king, &(empty | straight & us)) & !straight;
        let aslant_behind = aslant_from(&king, &(empty | aslant & us)) & !aslant;
        let behind = Column::from_lanes(|lane| {
            let board = self.board(lane);
            let straight = straight_behind.lane(lane) & board.orthogonal_sliders();
            (straight | aslant_behind.lane(lane) & board.diagonal_sliders()) & us.lane(lane)
        });
        let others = Column::from_lanes(|lane| {
            let promoting = of(lane, Role::Pawn) & Bitboard::from(Rank::Seventh);
            let is_check = king.lane(lane) & attacked.lane(lane);
            let more_kings = Bitboard(king.lane(lane).0 & king.lane(lane).0.wrapping_sub(1));
            promoting | passing.lane(lane) | castling.lane(lane) | behind.lane(lane) | is_check | more_kings
        });
        Checks {
            queens: Column::from_lanes(|lane| {
                queens.lane(lane) & (straight.lane(lane) | aslant.lane(lane)) & free(lane)
            }),
            rooks: Column::from_lanes(|lane| rooks.lane(lane) & straight.lane(lane) & free(lane)),
            bishops: Column::from_lanes(|lane| bishops.lane(lane) & aslant.lane(lane) & free(lane)),
            knights: Column::from_lanes(|lane| knights.lane(lane) & knight_fill(king.lane(lane)) & free(lane)),
            pawns: arrivals & by_pawns,
            flights: Column::from_lanes(|lane| {
                let taken = self.colors.black.lane(lane) | of(lane, Role::King) | attacked.lane(lane);
                king_fill(king.lane(lane)) & !taken
            }),
            king,
            others: others.any(),
        }
    }

    /// Returns whether one of the pieces that give check on arrival may take all flights from the king.
    fn may_take_flights(&self, checks: &Checks, lane: usize) -> bool {
        let board = self.board(lane);
        let occupied = board.occupied() & !checks.king.lane(lane);
        let us = board.colors.white;
        let flights = checks.flights.lane(lane);
        let mut queens = checks.queens.lane(lane);
        let mut rooks = checks.rooks.lane(lane);
        let mut bishops = checks.bishops.lane(lane);
        let mut knights = checks.knights.lane(lane);
        let mut pawns = checks.pawns.lane(lane);
        let may_take = flights.into_iter().all(|flight| {
            let straight = rook_attacks(occupied, flight);
            let aslant = bishop_attacks(occupied, flight);
            queens &= straight | aslant;
            rooks &= straight;
            bishops &= aslant;
            knights &= attacks::knight_attacks(flight);
            pawns &= attacks::pawn_attacks(Color::Black, flight);
            (queens | rooks | bishops | knights | pawns).any()
        });
        let opens_line = |flight| {
            let mut sliders = (sliders_aiming_at(&board, flight) & us).into_iter();
            sliders.any(|slider| {
                let between = between(slider, flight) & occupied;
                between.single_square().is_some_and(|only| us.contains(only))
            })
        };
        may_take || flights.into_iter().any(opens_line)
    }
}

/// Returns the squares that rooks on the squares of a set attack.
fn straight_from(set: &Column, empty: &Column) -> Column {
    Column::in_vectors(|lane| rook_reach(set.lane(lane), empty.lane(lane)))
}

/// Returns the squares that bishops on the squares of a set attack.
fn aslant_from(set: &Column, empty: &Column) -> Column {
    Column::in_vectors(|lane| bishop_reach(set.lane(lane), empty.lane(lane)))
}

impl Checks {
    /// Returns the lanes in which a piece may arrive on a square from which it attacks the king.
    fn are_direct(&self) -> Lanes {
        Column::lanes_where(|lane| {
            let pieces = self.queens.lane(lane) | self.rooks.lane(lane) | self.bishops.lane(lane);
            (pieces | self.knights.lane(lane) | self.pawns.lane(lane)).any()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    /// The first board of each pair has a check or mate that is not given by the arriving piece alone. The second board lacks what makes it possible.
    const BOARDS: [(&str, [&str; 2]); 7] = [
        (
            "a line to flights",
            ["7k/8/8/6N1/8/3B4/8/K5R1", "7k/8/8/6N1/8/3B4/R7/K7"],
        ),
        (
            "a line to the king",
            ["7k/6N1/8/8/2B5/3B4/1B6/K7", "7k/6N1/8/8/2B5/3B4/8/K7"],
        ),
        ("a promotion", ["6k1/4Pppp/8/8/8/8/8/K7", "6k1/5ppp/4P3/8/8/8/8/K7"]),
        (
            "castling",
            ["3k4/2p1p3/8/1B6/8/7B/P7/RK6", "3k4/2p1p3/8/1B6/8/7B/P7/1K6"],
        ),
        ("a pawn in passing", ["8/4k3/8/3pP3/8/8/8/K7", "8/3nk3/8/3pP3/8/8/8/K7"]),
        (
            "two pawns in the way",
            ["8/8/8/R2pP2k/8/8/8/K7", "8/8/3n4/R2pP2k/8/8/8/K7"],
        ),
        ("a check that is there", ["4k3/8/8/8/4R3/8/8/K7", "4k3/8/8/8/R7/8/8/K7"]),
    ];

    #[test]
    fn mates_that_are_not_given_by_an_arrival_alone_are_possible() {
        for (way, boards) in BOARDS {
            let boards = Boards::from_iter(boards.map(|board| board.parse::<Board>().expect("a board")));
            assert_eq!(boards.may_mate(0b11), 0b01, "{way} of White");
            assert_eq!(boards.as_seen(0).may_mate(0), 0b01, "{way} of Black");
        }
    }
}
