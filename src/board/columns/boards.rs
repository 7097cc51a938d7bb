//! The boards of several positions as columns, and the attacks on them.

use std::iter;

use bitflags::bitflags;
use shakmaty::{Bitboard, ByColor, ByRole, Color, Role};

use crate::board::attacked::{attacked_by_leapers, leapers_that_see};
use crate::board::directions::{Direction, DirectionSet};
use crate::board::fill::{self, bishop_reach, rook_reach};
use crate::board::pieces::Board;
use crate::board::processor::for_this_processor;

use super::column::Column;
use super::lanes::{LANES, Lanes};
use super::lines::reach;

/// The boards of [`LANES`] positions.
///
/// ```
/// use skewer::board::columns::{Boards, Movers};
/// use skewer::board::{Bitboard, Board, Color, Role};
///
/// let boards = Boards::from_iter([
///     "4k3/8/8/8/8/8/8/4R3".parse::<Board>()?,
///     "4k3/8/8/8/4P3/8/8/4R3".parse()?,
/// ]);
/// let kings = boards.pieces(Color::Black, Role::King);
/// let attackers = boards.attackers_among(boards.colors.white, kings, Movers::ALL, &boards.empty());
/// assert_eq!(attackers.any(), 0b01, "the pawn is in the way on the second board");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Boards {
    /// The squares of each role, of both colours.
    pub roles: ByRole<Column>,
    /// The squares of each colour.
    pub colors: ByColor<Column>,
}

/// Takes the first [`LANES`] boards. Lanes without a board have no pieces.
impl FromIterator<Board> for Boards {
    fn from_iter<I: IntoIterator<Item = Board>>(given: I) -> Boards {
        let mut boards = Boards::default();
        let given: Vec<Board> = given.into_iter().take(LANES).collect();
        boards.fill(&given, |board| board, Parts::ALL);
        boards
    }
}

bitflags! {
    /// A set of roles and colours: the columns that make up [`Boards`]. A colour covers only the pieces of the
    /// roles in the set, or all pieces of that colour.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Parts: u16 {
        /// All roles and colours.
        const ALL = 0x1ff;
        /// Both colours, but only the pieces of the roles in the set.
        const COLORS = 0xc0;
        /// All pieces of both colours, which show which squares are occupied.
        const OCCUPIED = 0x1c0;
        /// The kings and pawns of both colours, and no other pieces.
        const KINGS_AND_PAWNS = 0xe1;
    }
}

impl Parts {
    /// Returns the set of one role.
    pub const fn role(role: Role) -> Parts {
        Parts::from_bits_retain(1 << (role as u16 - 1))
    }

    /// Returns the set of all pieces of one colour.
    pub const fn all_of(color: Color) -> Parts {
        Parts::from_bits_retain(Parts::color(color).bits() | 0x100)
    }

    /// Returns the set of one colour, but only for the pieces of the roles in the set.
    pub const fn color(color: Color) -> Parts {
        match color {
            Color::White => Parts::from_bits_retain(0x40),
            Color::Black => Parts::from_bits_retain(0x80),
        }
    }
}

impl Boards {
    /// Fills the lanes with `parts` of the boards of `items`. Other parts, and lanes without an item,
    /// stay unchanged.
    #[inline(always)]
    pub fn fill<T>(&mut self, items: &[T], board: impl Fn(&T) -> &Board, parts: Parts) {
        // One by one, so that each loop knows the offset of its squares in a board.
        let Boards { roles, colors } = self;
        let has = |role| parts.intersects(Parts::role(role));
        roles
            .pawn
            .fill_if(has(Role::Pawn), items, |item| board(item).roles.pawn);
        roles
            .knight
            .fill_if(has(Role::Knight), items, |item| board(item).roles.knight);
        roles
            .bishop
            .fill_if(has(Role::Bishop), items, |item| board(item).roles.bishop);
        roles
            .rook
            .fill_if(has(Role::Rook), items, |item| board(item).roles.rook);
        roles
            .queen
            .fill_if(has(Role::Queen), items, |item| board(item).roles.queen);
        roles
            .king
            .fill_if(has(Role::King), items, |item| board(item).roles.king);
        let has = |color| parts.intersects(Parts::color(color));
        colors
            .white
            .fill_if(has(Color::White), items, |item| board(item).colors.white);
        colors
            .black
            .fill_if(has(Color::Black), items, |item| board(item).colors.black);
    }

    /// Returns the board of one lane.
    #[inline(always)]
    pub fn board(&self, lane: usize) -> Board {
        Board {
            roles: self.roles.as_ref().map(|column| column.lane(lane)),
            colors: self.colors.as_ref().map(|column| column.lane(lane)),
        }
    }

    /// Returns the boards as the side to move sees them: in lanes where Black is to move, ranks are reversed and colours swapped.
    pub fn as_seen(&self, white_to_move: Lanes) -> Boards {
        let mut seen = Boards::default();
        for_this_processor!(seen.fill_as_seen_in_vectors(self, white_to_move));
        seen
    }

    #[inline(always)]
    fn fill_as_seen_in_vectors(&mut self, boards: &Boards, white_to_move: Lanes) {
        let is_white = Column::full(white_to_move);
        for (column, other) in iter::zip(self.roles.iter_mut(), boards.roles.iter()) {
            column.fill_as_seen(other, other, &is_white);
        }
        let ByColor { white, black } = &boards.colors;
        self.colors.white.fill_as_seen(white, black, &is_white);
        self.colors.black.fill_as_seen(black, white, &is_white);
    }

    /// Returns the result of `squares` for each board. The function should use neither branches nor tables.
    #[inline(always)]
    pub fn map(&self, squares: impl Fn(&Board) -> Bitboard) -> Column {
        Column::in_vectors(|lane| squares(&self.board(lane)))
    }

    /// Returns all occupied squares.
    #[inline]
    pub fn occupied(&self) -> Column {
        self.colors.white | self.colors.black
    }

    /// Returns all empty squares.
    #[inline]
    pub fn empty(&self) -> Column {
        !self.occupied()
    }

    /// Returns the squares of the pieces of one role and colour.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Column {
        *self.roles.get(role) & *self.colors.get(color)
    }

    /// Returns the squares of a set whose piece attacks a square of another set, like
    /// [`attackers_among`](crate::board::attacked::attackers_among). Only pieces that move like `movers` count. Sliders pass over `empty`
    /// squares.
    pub fn attackers_among(&self, candidates: Column, targets: Column, movers: Movers, empty: &Column) -> Column {
        for_this_processor!(self.attackers_among_in_vectors(candidates, targets, movers, empty))
    }

    #[inline(always)]
    fn attackers_among_in_vectors(
        &self,
        candidates: Column,
        targets: Column,
        movers: Movers,
        empty: &Column,
    ) -> Column {
        let mut seeing = Column::default();
        if candidates.is_empty() || targets.is_empty() {
            return seeing;
        }
        if movers.leapers {
            seeing = Column::from_lanes(|lane| leapers_that_see(&self.board(lane), Bitboard::FULL, targets.lane(lane)));
        }
        // If the next two closures are not inlined, each lane is a call, and no vectors are made.
        if movers.diagonal {
            seeing = Column::from_lanes(
                #[inline(always)]
                |lane| {
                    let board = self.board(lane);
                    seeing.lane(lane) | board.diagonal_sliders() & bishop_reach(targets.lane(lane), empty.lane(lane))
                },
            );
        }
        if movers.straight {
            seeing = Column::from_lanes(
                #[inline(always)]
                |lane| {
                    let board = self.board(lane);
                    seeing.lane(lane) | board.orthogonal_sliders() & rook_reach(targets.lane(lane), empty.lane(lane))
                },
            );
        }
        candidates & seeing
    }

    /// Returns all squares attacked by the pieces on the squares of a set, like [`attacked_by_set`](crate::board::attacked::attacked_by_set). Only
    /// pieces that move like `movers` count. Sliders pass over `empty` squares.
    pub fn attacked_by_set(&self, attackers: Column, movers: Movers, empty: &Column) -> Column {
        for_this_processor!(self.attacked_by_set_in_vectors(attackers, movers, empty))
    }

    #[inline(always)]
    fn attacked_by_set_in_vectors(&self, attackers: Column, movers: Movers, empty: &Column) -> Column {
        let mut attacked = Column::default();
        if attackers.is_empty() {
            return attacked;
        }
        if movers.leapers {
            attacked = Column::from_lanes(|lane| attacked_by_leapers(&self.board(lane), attackers.lane(lane)));
        }
        if movers.diagonal {
            attacked = Column::from_lanes(|lane| {
                let board = self.board(lane);
                let bishops = attackers.lane(lane) & board.diagonal_sliders();
                attacked.lane(lane) | bishop_reach(bishops, empty.lane(lane))
            });
        }
        if movers.straight {
            attacked = Column::from_lanes(|lane| {
                let board = self.board(lane);
                let rooks = attackers.lane(lane) & board.orthogonal_sliders();
                attacked.lane(lane) | rook_reach(rooks, empty.lane(lane))
            });
        }
        attacked
    }

    /// Returns the lanes in which the king of the side to move is attacked. `white_to_move` names the lanes in which White is to move. If
    /// there are several kings, the first counts, as in single positions.
    pub fn in_check(&self, white_to_move: Lanes) -> Lanes {
        for_this_processor!(self.in_check_in_vectors(white_to_move))
    }

    #[inline(always)]
    fn in_check_in_vectors(&self, white_to_move: Lanes) -> Lanes {
        let whites = Column::full(white_to_move);
        let of_turn = |lane: usize, white: &Column, black: &Column| {
            let whites = whites.lane(lane);
            white.lane(lane) & whites | black.lane(lane) & !whites
        };
        let kings = Column::from_lanes(|lane| {
            let kings = of_turn(lane, &self.colors.white, &self.colors.black) & self.roles.king.lane(lane);
            Bitboard(kings.0 & kings.0.wrapping_neg())
        });
        let others = Column::from_lanes(|lane| of_turn(lane, &self.colors.black, &self.colors.white));
        let attackers = self.attackers_among_in_vectors(others, kings, Movers::ALL, &self.empty());
        Column::lanes_where(|lane| attackers.lane(lane).any())
    }

    /// Returns the sliders that move in a direction.
    #[inline(always)]
    fn sliders(&self, direction: Direction) -> Column {
        Column::from_lanes(|lane| self.board(lane).sliders(direction))
    }

    /// Returns the squares of the last set where a line through all sets on one ray ends, like [`ray`](crate::board::lines::ray); with
    /// `sliders_first`, like [`xray`](crate::board::lines::xray), where the first piece must be a slider that moves along the ray. The
    /// squares between the sets must be `empty`.
    pub fn seen_last(&self, directions: DirectionSet, sliders_first: bool, sets: &[Column], empty: &Column) -> Column {
        self.along_rays(
            directions,
            sliders_first,
            sets,
            #[inline(always)]
            |start, blockers, last, direction| *last & xray_attacks(start, empty, blockers, direction),
        )
    }

    /// Returns the squares of the first set where a line through all sets on one ray begins, like
    /// [`ray_origins`](crate::board::lines::ray_origins) or [`xray_origins`](crate::board::lines::xray_origins).
    pub fn seen_first(&self, directions: DirectionSet, sliders_first: bool, sets: &[Column], empty: &Column) -> Column {
        self.along_rays(
            directions,
            sliders_first,
            sets,
            #[inline(always)]
            |start, blockers, last, direction| {
                start & xray_attacks(*last, empty, blockers.iter().rev(), direction.opposite())
            },
        )
    }

    /// Returns the union over all directions of the results of `seen`, which gets the squares where a line may begin, the sets in the middle, the
    /// last set and the direction.
    #[inline(always)]
    fn along_rays(
        &self,
        directions: DirectionSet,
        sliders_first: bool,
        sets: &[Column],
        seen: impl Fn(Column, &[Column], &Column, Direction) -> Column,
    ) -> Column {
        for_this_processor!(self.along_rays_in_vectors(directions, sliders_first, sets, seen))
    }

    #[inline(always)]
    fn along_rays_in_vectors(
        &self,
        directions: DirectionSet,
        sliders_first: bool,
        sets: &[Column],
        seen: impl Fn(Column, &[Column], &Column, Direction) -> Column,
    ) -> Column {
        if sets.iter().any(Column::is_empty) {
            return Column::default();
        }
        let mut found = Column::default();
        match sets {
            [] => {}
            [only] => {
                for direction in directions.iter() {
                    found = found | self.starts(*only, direction, sliders_first);
                }
            }
            [first, blockers @ .., last] => {
                let [firsts, lasts] = [first, last].map(|set| set.joined(LANES));
                // In most directions, none of the last squares is beyond any of the first ones.
                let has_ends = |direction: &Direction| !fill::beyond(firsts, *direction).is_disjoint(lasts);
                for direction in directions.iter().filter(has_ends) {
                    let start = self.starts(*first, direction, sliders_first);
                    if !start.is_empty() {
                        found = found | seen(start, blockers, last, direction);
                    }
                }
            }
        }
        found
    }

    #[inline(always)]
    fn starts(&self, first: Column, direction: Direction, sliders_only: bool) -> Column {
        if sliders_only {
            first & self.sliders(direction)
        } else {
            first
        }
    }
}

/// A set of ways to move. A queen has two of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Movers {
    /// Pawns, knights and kings.
    pub leapers: bool,
    /// Bishops and queens.
    pub diagonal: bool,
    /// Rooks and queens.
    pub straight: bool,
}

impl Movers {
    /// All pieces.
    pub const ALL: Movers = Movers {
        leapers: true,
        diagonal: true,
        straight: true,
    };
}

/// Returns the squares that sliders see in a direction through one blocker of each set, like [`xray_attacks`](crate::board::xray::xray_attacks).
#[inline(always)]
fn xray_attacks<'c>(
    sliders: Column,
    empty: &Column,
    blockers: impl IntoIterator<Item = &'c Column>,
    direction: Direction,
) -> Column {
    let mut front = sliders;
    for set in blockers {
        front = *set & reach(&front, empty, direction);
        if front.is_empty() {
            return front;
        }
    }
    reach(&front, empty, direction)
}
