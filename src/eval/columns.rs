//! Evaluates the board algebra on sixteen positions at once.

use std::array;
use std::ops::RangeInclusive;

use smallvec::SmallVec;

use crate::board::columns::{Boards, Column, LANES, Lanes, Movers, are_in_line, beyond, shifted};
use crate::board::processor::for_this_processor;
use crate::board::stretches::Stretches;
use crate::board::{Bitboard, Contents, Direction, DirectionSet, material, pawns};
use crate::query::Comparison;
use crate::query::algebra::{BoardCond, BoardNum, BoardSet, Lines, Pieces};
use crate::query::ast::sets::PawnSet;
use crate::query::ast::versions::Formation;

/// Returns the `asked` lanes in which `condition` holds. `white_to_move` names the lanes in which White is to move.
pub(crate) fn holding(condition: &BoardCond, boards: &Boards, white_to_move: Lanes, asked: Lanes) -> Lanes {
    let mut columns = Columns {
        boards,
        empty: None,
        white_to_move,
        asked,
        domains: SmallVec::new(),
    };
    columns.condition(condition) & asked
}

/// Returns the stretches in which the condition that `cover` covers may hold.
pub(crate) fn perhaps(cover: &BoardCond, stretches: &Stretches) -> Lanes {
    Columns {
        boards: &stretches.boards,
        empty: Some(&stretches.empty),
        white_to_move: 0,
        asked: Lanes::MAX,
        domains: SmallVec::new(),
    }
    .condition(cover)
}

/// Returns those of `squares` that have one of `contents`.
fn standing(contents: Contents, squares: Bitboard, boards: &Boards) -> Column {
    let found = with_contents(contents, boards);
    if squares == Bitboard::FULL {
        found
    } else {
        found & Column::same(squares)
    }
}

/// Returns the lanes in which one of `squares` has one of `contents`.
fn some_standing(contents: Contents, squares: Bitboard, boards: &Boards) -> Lanes {
    match OneKind::of(contents, boards) {
        Some(pieces) => Column::lanes_where(|lane| (pieces.on(lane) & squares).any()),
        None => standing(contents, squares, boards).any(),
    }
}

/// Returns the lanes in which each of `squares` has one of `contents`.
fn all_standing(contents: Contents, squares: Bitboard, boards: &Boards) -> Lanes {
    match OneKind::of(contents, boards) {
        Some(pieces) => Column::lanes_where(|lane| (squares & !pieces.on(lane)).is_empty()),
        None => Column::same(squares).is_within(&standing(contents, Bitboard::FULL, boards)),
    }
}

/// Returns the lanes in which a piece of `from` is in line with a piece of `to`, whether or not there are pieces between them.
#[inline(never)]
fn in_line(from: Pieces, to: Pieces, lines: Lines, boards: &Boards) -> Lanes {
    let Lines { straight, diagonal } = lines;
    let kinds = OneKind::of(from.contents, boards).zip(OneKind::of(to.contents, boards));
    if let Some((some, others)) = kinds {
        let some = |lane| some.on(lane) & from.squares;
        let others = |lane| others.on(lane) & to.squares;
        return are_in_line(some, others, straight, diagonal);
    }
    let some = standing(from.contents, from.squares, boards);
    let others = standing(to.contents, to.squares, boards);
    are_in_line(|lane| some.lane(lane), |lane| others.lane(lane), straight, diagonal)
}

/// Pieces of one kind. Most questions are about these, so no column is made of them first.
struct OneKind<'b> {
    color: &'b Column,
    role: &'b Column,
}

impl<'b> OneKind<'b> {
    /// Returns the kind if `contents` names only one kind of piece.
    #[inline(always)]
    fn of(contents: Contents, boards: &'b Boards) -> Option<OneKind<'b>> {
        let (color, role) = contents.only_kind()?;
        Some(OneKind {
            color: boards.colors.get(color),
            role: boards.roles.get(role),
        })
    }

    /// Returns the squares of the pieces in a lane.
    #[inline(always)]
    fn on(&self, lane: usize) -> Bitboard {
        self.color.lane(lane) & self.role.lane(lane)
    }
}

/// Returns the squares with one of `contents`.
#[inline(always)]
fn with_contents(contents: Contents, boards: &Boards) -> Column {
    if let Some((color, role)) = contents.only_kind() {
        return boards.pieces(color, role);
    }
    several_kinds(contents, boards)
}

#[inline(never)]
fn several_kinds(contents: Contents, boards: &Boards) -> Column {
    for_this_processor!(several_kinds_in_vectors(contents, boards))
}

#[inline(always)]
fn several_kinds_in_vectors(contents: Contents, boards: &Boards) -> Column {
    let white = contents & Contents::WHITE;
    let black = (contents & Contents::BLACK).color_swapped();
    let pieces = match (white.is_empty(), black.is_empty()) {
        (false, true) => of_kinds(white, &boards.colors.white, boards),
        (true, false) => of_kinds(black, &boards.colors.black, boards),
        (true, true) => Column::default(),
        (false, false) if white == black => of_kinds(white, &boards.occupied(), boards),
        (false, false) => of_kinds(white, &boards.colors.white, boards) | of_kinds(black, &boards.colors.black, boards),
    };
    if contents.intersects(Contents::EMPTY) {
        pieces | !boards.occupied()
    } else {
        pieces
    }
}

/// Returns those of `pieces`, which have one colour, that are of one of `kinds`, which are named as white pieces.
#[inline(always)]
fn of_kinds(kinds: Contents, pieces: &Column, boards: &Boards) -> Column {
    match kinds {
        Contents::WHITE => *pieces,
        kinds => Column::from_lanes(|lane| pieces.lane(lane) & kinds.of_any_color(&boards.board(lane))),
    }
}

/// Returns the squares that many steps away in a direction. Negative steps go backwards.
fn walked(set: Column, direction: Direction, steps: &RangeInclusive<i32>) -> Column {
    let (least, most) = (*steps.start(), *steps.end());
    let mut found = Column::default();
    for (direction, least, most) in [
        (direction, least.max(0), most),
        (direction.opposite(), (-most).max(1), -least),
    ] {
        let mut reached = set;
        for step in 0..=most {
            if step > 0 {
                reached = shifted(&reached, direction);
            }
            if step >= least {
                found = found | reached;
            }
        }
    }
    found
}

/// One number for each lane.
type Numbers = [i32; LANES];

/// Counts the squares in each lane.
fn counts(set: &Column) -> Numbers {
    for_this_processor!(array::from_fn(|lane| set.lane(lane).count() as i32))
}

/// Returns the lanes in which the comparison holds. Each comparison has a loop of its own, without branches.
fn compared(comparison: Comparison, left: &Numbers, right: &Numbers) -> Lanes {
    match comparison {
        Comparison::Equal => Column::lanes_where(|lane| left[lane] == right[lane]),
        Comparison::Less => Column::lanes_where(|lane| left[lane] < right[lane]),
        Comparison::LessEqual => Column::lanes_where(|lane| left[lane] <= right[lane]),
        Comparison::Greater => Column::lanes_where(|lane| left[lane] > right[lane]),
        Comparison::GreaterEqual => Column::lanes_where(|lane| left[lane] >= right[lane]),
    }
}

struct Columns<'b> {
    boards: &'b Boards,
    /// The empty squares, if they cannot be computed from the boards.
    empty: Option<&'b Column>,
    white_to_move: Lanes,
    /// The lanes whose answers are needed.
    asked: Lanes,
    /// The domains of the enclosing loops, the outermost first.
    domains: SmallVec<[Column; 1]>,
}

// Each form has a function of its own that is not inlined. In a single function, each call would reserve the stack space of the largest form.
impl Columns<'_> {
    fn condition(&mut self, condition: &BoardCond) -> Lanes {
        match condition {
            BoardCond::Any(set) => self.any(set),
            BoardCond::Count(set, least, most) => self.count_within(set, *least, *most),
            BoardCond::Same(left, right) => self.same(left, right),
            BoardCond::Subset(left, right) => self.subset(left, right),
            BoardCond::Not(condition) => self.not(condition),
            BoardCond::All(conditions) => self.all(conditions),
            BoardCond::OneOf(conditions) => self.one_of(conditions),
            BoardCond::InLine(from, to, lines) => in_line(*from, *to, *lines, self.boards),
            BoardCond::Formation(contents, formation) => self.formation(contents, formation),
            BoardCond::Compare(comparison, left, right) => self.compare(*comparison, left, right),
            BoardCond::ToMove(color) => color.fold_wb(self.white_to_move, !self.white_to_move),
            BoardCond::Check => self.check(),
            BoardCond::AsSeen(condition) => self.as_seen(condition),
        }
    }

    #[inline(never)]
    fn any(&mut self, set: &BoardSet) -> Lanes {
        match set {
            BoardSet::Pieces(contents, squares) => some_standing(*contents, *squares, self.boards),
            set => self.set(set).any(),
        }
    }

    #[inline(never)]
    fn count_within(&mut self, set: &BoardSet, least: u32, most: u32) -> Lanes {
        self.set(set).count_within(least, most)
    }

    #[inline(never)]
    fn same(&mut self, left: &BoardSet, right: &BoardSet) -> Lanes {
        self.set(left).equals(&self.set(right))
    }

    #[inline(never)]
    fn subset(&mut self, left: &BoardSet, right: &BoardSet) -> Lanes {
        match (left, right) {
            (BoardSet::Squares(squares), BoardSet::Pieces(contents, Bitboard::FULL)) => {
                all_standing(*contents, *squares, self.boards)
            }
            (left, right) => self.set(left).is_within(&self.set(right)),
        }
    }

    #[inline(never)]
    fn check(&mut self) -> Lanes {
        self.boards.in_check(self.white_to_move)
    }

    #[inline(never)]
    fn as_seen(&mut self, condition: &BoardCond) -> Lanes {
        holding(
            condition,
            &self.boards.as_seen(self.white_to_move),
            Lanes::MAX,
            self.asked,
        )
    }

    #[inline(never)]
    fn not(&mut self, condition: &BoardCond) -> Lanes {
        !self.condition(condition)
    }

    #[inline(never)]
    fn all(&mut self, conditions: &[BoardCond]) -> Lanes {
        let mut lanes = Lanes::MAX;
        for condition in conditions {
            lanes &= self.condition(condition);
            if lanes & self.asked == 0 {
                return 0;
            }
        }
        lanes
    }

    #[inline(never)]
    fn one_of(&mut self, conditions: &[BoardCond]) -> Lanes {
        let mut lanes = 0;
        for condition in conditions {
            lanes |= self.condition(condition);
            if lanes | !self.asked == Lanes::MAX {
                break;
            }
        }
        lanes
    }

    #[inline(never)]
    fn formation(&mut self, contents: &[Contents], formation: &Formation) -> Lanes {
        self.anchors(contents, formation).any()
    }

    #[inline(never)]
    fn compare(&mut self, comparison: Comparison, left: &BoardNum, right: &BoardNum) -> Lanes {
        compared(comparison, &self.number(left), &self.number(right))
    }

    fn empty(&self) -> Column {
        self.empty.copied().unwrap_or_else(|| self.boards.empty())
    }

    fn number(&mut self, number: &BoardNum) -> Numbers {
        match number {
            BoardNum::Literal(number) => [*number; LANES],
            BoardNum::Count(set) => counts(&self.set(set)),
            BoardNum::Power(set) => {
                let set = self.set(set);
                let kinds = material(&self.boards.roles);
                kinds.into_iter().fold([0; LANES], |sum, (value, kind)| {
                    let counts = counts(&(set & kind));
                    array::from_fn(|lane| sum[lane] + value * counts[lane])
                })
            }
            BoardNum::Arithmetic(operator, left, right) => {
                let (left, right) = (self.number(left), self.number(right));
                array::from_fn(|lane| operator.apply(left[lane], right[lane]).unwrap_or(0))
            }
        }
    }

    fn set(&mut self, set: &BoardSet) -> Column {
        match set {
            BoardSet::Pieces(contents, squares) => standing(*contents, *squares, self.boards),
            BoardSet::Squares(squares) => Column::same(*squares),
            BoardSet::Domain(index) => self.domains.get(*index).copied().unwrap_or_default(),
            BoardSet::Complement(set) => self.complement(set),
            BoardSet::Intersection(left, right) => self.intersection(left, right),
            BoardSet::Union(sets) => self.union(sets),
            BoardSet::Attackers(attackers, targets, movers) => self.attackers(attackers, targets, *movers),
            BoardSet::Attacked(targets, attackers, movers) => self.attacked(targets, attackers, *movers),
            BoardSet::Line {
                directions,
                slider_first,
                value_first,
                sets,
            } => self.line(*directions, *slider_first, *value_first, sets),
            BoardSet::Beyond(directions, set) => self.beyond(*directions, set),
            BoardSet::Steps(directions, steps, set) => self.steps(*directions, steps, set),
            BoardSet::Where(conditions, set) => self.where_all(conditions, set),
            BoardSet::Pawns(structure) => self.pawns(*structure),
            BoardSet::Kept { domain, kept } => self.kept(domain, kept),
        }
    }

    #[inline(never)]
    fn complement(&mut self, set: &BoardSet) -> Column {
        !self.set(set)
    }

    #[inline(never)]
    fn intersection(&mut self, left: &BoardSet, right: &BoardSet) -> Column {
        let left = self.set(left);
        // The right set takes more work.
        if left.is_empty() {
            return left;
        }
        left & self.set(right)
    }

    #[inline(never)]
    fn union(&mut self, sets: &[BoardSet]) -> Column {
        sets.iter().fold(Column::default(), |all, set| all | self.set(set))
    }

    #[inline(never)]
    fn attackers(&mut self, attackers: &BoardSet, targets: &BoardSet, movers: Movers) -> Column {
        let (attackers, targets) = (self.set(attackers), self.set(targets));
        self.boards.attackers_among(attackers, targets, movers, &self.empty())
    }

    #[inline(never)]
    fn attacked(&mut self, targets: &BoardSet, attackers: &BoardSet, movers: Movers) -> Column {
        let targets = self.set(targets);
        if targets.is_empty() {
            return targets;
        }
        let attackers = self.set(attackers);
        targets & self.boards.attacked_by_set(attackers, movers, &self.empty())
    }

    #[inline(never)]
    fn line(&mut self, directions: DirectionSet, slider_first: bool, value_first: bool, sets: &[BoardSet]) -> Column {
        // Each column is written directly to its place: `collect` would copy them all once more.
        let mut columns = SmallVec::<[Column; 4]>::new();
        sets.iter().for_each(|set| columns.push(self.set(set)));
        if value_first {
            self.boards
                .seen_first(directions, slider_first, &columns, &self.empty())
        } else {
            self.boards.seen_last(directions, slider_first, &columns, &self.empty())
        }
    }

    #[inline(never)]
    fn beyond(&mut self, directions: DirectionSet, set: &BoardSet) -> Column {
        let set = self.set(set);
        // Usually there is only one direction, and nothing to join.
        let found = directions.iter().map(|direction| beyond(&set, direction));
        found.reduce(|all, found| all | found).unwrap_or_default()
    }

    #[inline(never)]
    fn steps(&mut self, directions: DirectionSet, steps: &RangeInclusive<i32>, set: &BoardSet) -> Column {
        let set = self.set(set);
        let on = |all, direction| all | walked(set, direction, steps);
        directions.iter().fold(Column::default(), on)
    }

    #[inline(never)]
    fn where_all(&mut self, conditions: &[BoardCond], set: &BoardSet) -> Column {
        match self.all(conditions) {
            0 => Column::default(),
            Lanes::MAX => self.set(set),
            lanes => self.set(set) & Column::full(lanes),
        }
    }

    #[inline(never)]
    fn pawns(&mut self, structure: PawnSet) -> Column {
        match structure {
            PawnSet::Passed => self.boards.map(pawns::passed),
            PawnSet::Isolated => self.boards.map(pawns::isolated),
            PawnSet::Doubled => self.boards.map(pawns::doubled),
            PawnSet::Connected => self.boards.map(pawns::connected),
        }
    }

    #[inline(never)]
    fn kept(&mut self, domain: &BoardSet, kept: &BoardSet) -> Column {
        let domain = self.set(domain);
        self.domains.push(domain);
        let kept = self.set(kept);
        self.domains.pop();
        kept
    }

    /// Returns the squares where the first piece of a formation is.
    fn anchors(&self, contents: &[Contents], formation: &Formation) -> Column {
        let pieces = contents.iter().zip(&formation.offsets);
        pieces.fold(Column::same(formation.anchors), |anchors, (contents, offset)| {
            anchors & with_contents(*contents, self.boards).moved(offset.saturating_neg())
        })
    }
}
