//! The forms of conditions, numbers and sets that are evaluated on many positions at once.

use std::ops::RangeInclusive;

use crate::board::columns::{Movers, Parts};
use crate::board::{Bitboard, Color, Contents, DirectionSet, Role};
use crate::query::ast::Comparison;
use crate::query::ast::numbers::Arithmetic;
use crate::query::ast::sets::PawnSet;
use crate::query::ast::versions::Formation;
use crate::syntax::token::Designator;

/// A condition on the pieces of a position and the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BoardCond {
    /// The set is not empty.
    Any(BoardSet),
    /// The set has at least and at most this many squares.
    Count(BoardSet, u32, u32),
    /// The two sets are equal.
    Same(BoardSet, BoardSet),
    /// All squares of the first set are in the second.
    Subset(BoardSet, BoardSet),
    /// The condition does not hold.
    Not(Box<BoardCond>),
    /// All conditions hold.
    All(Vec<BoardCond>),
    /// One of the conditions holds.
    OneOf(Vec<BoardCond>),
    /// A piece of the first kind is on a line with one of the second, whatever is between them.
    InLine(Pieces, Pieces, Lines),
    /// Pieces are arranged like this somewhere on the board, with these contents piece by piece.
    Formation(Vec<Contents>, Formation),
    /// The two numbers compare like this.
    Compare(Comparison, BoardNum, BoardNum),
    /// This side is to move.
    ToMove(Color),
    /// The side to move is in check.
    Check,
    /// The condition holds on the board as the side to move sees it: if Black is to move, colours are exchanged and ranks mirrored.
    AsSeen(Box<BoardCond>),
}

/// The approximate number of instructions that it takes to mirror a board.
pub(crate) const MIRRORING: u32 = 12;

/// Squares with certain contents. These may include empty squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pieces {
    /// The contents.
    pub contents: Contents,
    /// The squares that may have them.
    pub squares: Bitboard,
}

/// Kinds of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Lines {
    /// Ranks and files.
    pub straight: bool,
    /// Diagonals of both directions.
    pub diagonal: bool,
}

/// A number that depends on the pieces of a position, in wrapping 32-bit arithmetic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BoardNum {
    /// A constant.
    Literal(i32),
    /// The number of squares of a set.
    Count(BoardSet),
    /// The value of the material on a set.
    Power(BoardSet),
    /// A sum, a difference or a product.
    Arithmetic(Arithmetic, Box<BoardNum>, Box<BoardNum>),
}

/// A set of squares that depends on the pieces of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum BoardSet {
    /// The squares with these contents, among certain squares.
    Pieces(Contents, Bitboard),
    /// The same squares in every position.
    Squares(Bitboard),
    /// The variable of a loop, by its index from the outermost loop. It holds the whole domain.
    Domain(usize),
    /// All other squares.
    Complement(Box<BoardSet>),
    /// Squares in both sets.
    Intersection(Box<BoardSet>, Box<BoardSet>),
    /// The squares in any of the sets.
    Union(Vec<BoardSet>),
    /// The squares of the first set whose pieces attack a square of the second, and how the pieces of the first set can move.
    Attackers(Box<BoardSet>, Box<BoardSet>, Movers),
    /// The squares of the first set that a piece on the second attacks, and how the pieces of the second set can move.
    Attacked(Box<BoardSet>, Box<BoardSet>, Movers),
    /// Rays on which all of these sets lie, in order. The value is their squares in the first or the last set.
    Line {
        /// The directions of the ray.
        directions: DirectionSet,
        /// Whether the piece on the first square must move along the ray.
        slider_first: bool,
        /// Whether the value is the squares of the first set, not of the last.
        value_first: bool,
        sets: Vec<BoardSet>,
    },
    /// All squares in certain directions.
    Beyond(DirectionSet, Box<BoardSet>),
    /// The squares this many steps away in certain directions, −7 to 7.
    Steps(DirectionSet, RangeInclusive<i32>, Box<BoardSet>),
    /// The set if all conditions hold; empty otherwise.
    Where(Vec<BoardCond>, Box<BoardSet>),
    /// The pawns of a structure.
    Pawns(PawnSet),
    /// The squares of a domain that a loop keeps.
    Kept {
        domain: Box<BoardSet>,
        /// The kept squares.
        kept: Box<BoardSet>,
    },
}

impl BoardCond {
    /// Makes a condition that there are from `least` to `most` of `pieces`.
    pub(crate) fn count(pieces: Pieces, least: u32, most: u32) -> BoardCond {
        let set = BoardSet::Pieces(pieces.contents, pieces.squares);
        match (least, most) {
            (1, u32::MAX) => BoardCond::Any(set),
            (least, most) => BoardCond::Count(set, least, most),
        }
    }

    /// Returns the pieces and the limits if the condition only counts pieces.
    pub(crate) fn counted(&self) -> Option<(Pieces, u32, u32)> {
        let (set, least, most) = match self {
            BoardCond::Any(set) => (set, 1, u32::MAX),
            BoardCond::Count(set, least, most) => (set, *least, *most),
            _ => return None,
        };
        match set {
            BoardSet::Pieces(contents, squares) => Some((
                Pieces {
                    contents: *contents,
                    squares: *squares,
                },
                least,
                most,
            )),
            _ => None,
        }
    }

    /// Returns the approximate number of instructions per position.
    pub(crate) fn work(&self) -> u32 {
        match self {
            BoardCond::Any(set) => 2 + set.work(),
            BoardCond::Count(set, ..) => 6 + set.work(),
            BoardCond::Same(left, right) | BoardCond::Subset(left, right) => 3 + left.work() + right.work(),
            BoardCond::Not(condition) => 1 + condition.work(),
            BoardCond::All(conditions) | BoardCond::OneOf(conditions) => {
                1 + conditions.iter().map(BoardCond::work).sum::<u32>()
            }
            BoardCond::InLine(from, to, lines) => {
                3 + from.work() + to.work() + 6 * u32::from(lines.straight) + 11 * u32::from(lines.diagonal)
            }
            BoardCond::Formation(contents, _) => 2 + 2 * contents.len() as u32,
            BoardCond::Compare(_, left, right) => 4 + left.work() + right.work(),
            BoardCond::ToMove(_) => 1,
            BoardCond::Check => 60,
            BoardCond::AsSeen(condition) => MIRRORING + condition.work(),
        }
    }

    /// Returns the parts of boards that it needs.
    pub(crate) fn parts(&self) -> Parts {
        match self {
            BoardCond::Any(set) | BoardCond::Count(set, ..) => set.parts(),
            BoardCond::Same(left, right) | BoardCond::Subset(left, right) => left.parts() | right.parts(),
            BoardCond::Not(condition) => condition.parts(),
            BoardCond::All(conditions) | BoardCond::OneOf(conditions) => {
                conditions.iter().map(BoardCond::parts).collect()
            }
            BoardCond::InLine(from, to, _) => parts_of(from.contents) | parts_of(to.contents),
            BoardCond::Formation(contents, _) => contents.iter().copied().map(parts_of).collect(),
            BoardCond::Compare(_, left, right) => left.parts() | right.parts(),
            BoardCond::ToMove(_) => Parts::default(),
            BoardCond::Check => Parts::ALL,
            BoardCond::AsSeen(condition) => condition.parts() | Parts::COLORS,
        }
    }
}

impl BoardNum {
    /// Returns the approximate number of instructions per position.
    pub(super) fn work(&self) -> u32 {
        match self {
            BoardNum::Literal(_) => 0,
            BoardNum::Count(set) => 3 + set.work(),
            BoardNum::Power(set) => 20 + set.work(),
            BoardNum::Arithmetic(_, left, right) => 1 + left.work() + right.work(),
        }
    }

    /// Returns the parts of boards that it needs.
    pub(super) fn parts(&self) -> Parts {
        match self {
            BoardNum::Literal(_) => Parts::default(),
            BoardNum::Count(set) => set.parts(),
            BoardNum::Power(_) => Parts::ALL,
            BoardNum::Arithmetic(_, left, right) => left.parts() | right.parts(),
        }
    }
}

impl BoardSet {
    /// Returns the intersection of two sets. Operands with less work come first, because often no squares are left after them. Sets of
    /// pieces and of fixed squares are merged into one.
    pub(super) fn intersection(left: BoardSet, right: BoardSet) -> BoardSet {
        let (mut parts, mut others) = (vec![right, left], Vec::new());
        let (mut contents, mut squares) = (Contents::ANY, Bitboard::FULL);
        while let Some(part) = parts.pop() {
            match part {
                BoardSet::Intersection(left, right) => parts.extend([*right, *left]),
                BoardSet::Squares(some) => squares &= some,
                BoardSet::Pieces(kinds, some) => {
                    contents = contents & kinds;
                    squares &= some;
                }
                other => others.push(other),
            }
        }
        others.sort_by_key(BoardSet::work);
        let first = match (contents, squares) {
            (Contents::ANY, Bitboard::FULL) => None,
            (Contents::ANY, squares) => Some(BoardSet::Squares(squares)),
            (contents, squares) => Some(BoardSet::Pieces(contents, squares)),
        };
        let all = first.into_iter().chain(others);
        let both = |left, right| BoardSet::Intersection(Box::new(left), Box::new(right));
        all.reduce(both).unwrap_or(BoardSet::Squares(Bitboard::FULL))
    }

    /// Returns the squares that have these contents, or `None` if there cannot be any. `domains` has the contents of the domains of loops.
    pub(super) fn with(&self, contents: Contents, domains: &[Contents]) -> Option<BoardSet> {
        let found = self.contents(domains);
        match found.is_within(contents) {
            true => Some(self.clone()),
            false if !found.intersects(contents) => None,
            false => Some(BoardSet::intersection(
                self.clone(),
                BoardSet::Pieces(contents, Bitboard::FULL),
            )),
        }
    }

    /// Returns the parts of boards that it needs.
    pub(super) fn parts(&self) -> Parts {
        let roles = |roles: &[Role]| roles.iter().copied().map(Parts::role).collect::<Parts>();
        let movers = |movers: &Movers| {
            let of = |is_asked: bool, kinds: &[Role]| if is_asked { roles(kinds) } else { Parts::default() };
            of(movers.leapers, &[Role::Pawn, Role::Knight, Role::King])
                | of(movers.diagonal, &[Role::Bishop, Role::Queen])
                | of(movers.straight, &[Role::Rook, Role::Queen])
                | Parts::OCCUPIED
        };
        match self {
            BoardSet::Pieces(contents, _) => parts_of(*contents),
            BoardSet::Squares(_) | BoardSet::Domain(_) => Parts::default(),
            BoardSet::Complement(set) | BoardSet::Beyond(_, set) | BoardSet::Steps(_, _, set) => set.parts(),
            BoardSet::Where(conditions, set) => {
                conditions.iter().map(BoardCond::parts).collect::<Parts>() | set.parts()
            }
            BoardSet::Intersection(left, right) => left.parts() | right.parts(),
            BoardSet::Union(sets) => sets.iter().map(BoardSet::parts).collect(),
            BoardSet::Attackers(of, with, ways) | BoardSet::Attacked(of, with, ways) => {
                of.parts() | with.parts() | movers(ways)
            }
            BoardSet::Line { slider_first, sets, .. } => {
                let sets: Parts = sets.iter().map(BoardSet::parts).collect();
                let sliders = if *slider_first {
                    roles(&[Role::Queen, Role::Rook, Role::Bishop])
                } else {
                    Parts::default()
                };
                sets | sliders | Parts::OCCUPIED
            }
            BoardSet::Pawns(_) => Parts::role(Role::Pawn) | Parts::COLORS,
            BoardSet::Kept { domain, kept } => domain.parts() | kept.parts(),
        }
    }

    /// Returns all contents that its squares may have. `domains` has the contents of the domains of loops.
    pub(super) fn contents(&self, domains: &[Contents]) -> Contents {
        match self {
            BoardSet::Pieces(contents, _) => *contents,
            BoardSet::Squares(_) | BoardSet::Complement(_) | BoardSet::Beyond(..) | BoardSet::Steps(..) => {
                Contents::ANY
            }
            BoardSet::Where(_, set) => set.contents(domains),
            BoardSet::Domain(index) => domains.get(*index).copied().unwrap_or(Contents::ANY),
            BoardSet::Intersection(left, right) => left.contents(domains) & right.contents(domains),
            BoardSet::Union(sets) => sets.iter().fold(Contents(0), |all, set| all | set.contents(domains)),
            BoardSet::Attackers(of, ..) | BoardSet::Attacked(of, ..) => of.contents(domains),
            BoardSet::Line { value_first, sets, .. } => {
                let value = if *value_first { sets.first() } else { sets.last() };
                value.map_or(Contents::ANY, |set| set.contents(domains))
            }
            BoardSet::Pawns(_) => Contents::PAWNS,
            BoardSet::Kept { domain, .. } => domain.contents(domains),
        }
    }

    /// Returns the approximate number of instructions per position.
    pub(super) fn work(&self) -> u32 {
        let of_movers = |movers: &Movers| {
            let of = |is_asked: bool, work: u32| if is_asked { work } else { 0 };
            of(movers.leapers, 9) + of(movers.diagonal, 18) + of(movers.straight, 18)
        };
        match self {
            BoardSet::Squares(_) | BoardSet::Domain(_) => 0,
            BoardSet::Pieces(contents, squares) => Pieces {
                contents: *contents,
                squares: *squares,
            }
            .work(),
            BoardSet::Complement(set) => 1 + set.work(),
            BoardSet::Intersection(left, right) => 1 + left.work() + right.work(),
            BoardSet::Union(sets) => sets.iter().map(|set| 1 + set.work()).sum(),
            BoardSet::Attackers(of, with, movers) | BoardSet::Attacked(of, with, movers) => {
                of.work() + with.work() + of_movers(movers)
            }
            BoardSet::Line { directions, sets, .. } => {
                // Few lines reach a third set.
                let a_direction = 6 + 2 * (sets.len() as u32).saturating_sub(2);
                sets.iter().map(BoardSet::work).sum::<u32>() + a_direction * directions.len() as u32
            }
            BoardSet::Beyond(directions, set) => set.work() + 6 * directions.len() as u32,
            BoardSet::Steps(directions, steps, set) => {
                let furthest = steps.start().unsigned_abs().max(steps.end().unsigned_abs());
                set.work() + (1 + furthest) * directions.len() as u32
            }
            BoardSet::Where(conditions, set) => 1 + conditions.iter().map(BoardCond::work).sum::<u32>() + set.work(),
            BoardSet::Pawns(_) => 15,
            BoardSet::Kept { domain, kept } => domain.work() + kept.work(),
        }
    }
}

/// Returns the parts of boards that are needed to find the squares with certain contents.
pub(crate) fn parts_of(contents: Contents) -> Parts {
    let of_colors = Color::ALL.into_iter().map(|color| {
        let all = Contents::of_color(color);
        let roles: Parts = contents.roles(color).map(Parts::role).collect();
        match contents & all {
            kinds if kinds.is_empty() => Parts::default(),
            kinds if kinds == all => Parts::all_of(color),
            _ => roles | Parts::color(color),
        }
    });
    let of_pieces: Parts = of_colors.collect();
    if contents.intersects(Contents::EMPTY) {
        of_pieces | Parts::OCCUPIED
    } else {
        of_pieces
    }
}

/// Returns how pieces with these contents move.
pub(crate) fn movers(contents: Contents) -> Movers {
    Movers {
        leapers: contents.intersects(Contents::LEAPERS),
        diagonal: contents.intersects(Contents::DIAGONAL_SLIDERS),
        straight: contents.intersects(Contents::ORTHOGONAL_SLIDERS),
    }
}

/// Returns whether all these contents are sliders.
pub(crate) fn are_sliders(contents: Contents) -> bool {
    contents.is_within(Contents::ORTHOGONAL_SLIDERS | Contents::DIAGONAL_SLIDERS)
}

impl Pieces {
    /// Returns the approximate number of instructions that it takes to find them.
    fn work(self) -> u32 {
        if self.contents.is_one_kind() { 1 } else { 3 }
    }
}

impl From<&Designator> for Pieces {
    fn from(designator: &Designator) -> Pieces {
        Pieces {
            contents: designator.contents,
            squares: designator.squares,
        }
    }
}

impl From<Contents> for Pieces {
    fn from(contents: Contents) -> Pieces {
        Pieces {
            contents,
            squares: Bitboard::FULL,
        }
    }
}
