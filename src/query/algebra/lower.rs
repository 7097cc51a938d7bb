//! Lowers conditions and sets of a query to the board algebra, which is evaluated on many positions at once.
//!
//! A condition that it cannot express may still have a necessary condition that it can: a set is empty if a set that contains it is empty.
//! The containing set is built from the same forms with containing parts, where more squares in a part never make fewer in the whole.

use super::arrivals::arrivals;
use super::expression::{BoardCond, BoardNum, BoardSet, Pieces, movers};
use crate::board::{Bitboard, Board, Color, Contents, DirectionSet, Role};
use crate::query::ast::moves::{Move, MoveSource, MoveSquares};
use crate::query::ast::node::Flow;
use crate::query::ast::numbers::{Arithmetic, SetNumber};
use crate::query::ast::sets::{FusedLoop, Line, Pin, PinPart, squares_of_color};
use crate::query::ast::variables::{SetVar, Variable};
use crate::query::ast::versions::Versions;
use crate::query::ast::{Bound, Comparison, Cond, CondExpr, NumExpr, Range, Set, SetExpr};
use crate::query::facts::bindings::Bindings;
use crate::syntax::token::Designator;

/// A function that returns a set that contains the value of a variable, if one is known.
pub(crate) type VariableBounds<'q> = &'q dyn Fn(Variable) -> Option<BoardSet>;

/// The most work of a condition or set, in instructions per position: about as much as evaluating a body.
const MOST_WORK: u32 = 250;

impl BoardCond {
    /// Lowers a condition if that is possible and worthwhile.
    pub(crate) fn of(condition: &CondExpr, bindings: &Bindings) -> Option<BoardCond> {
        Lowering::new(bindings).condition(condition)
    }

    /// Lowers the condition that a set is not empty.
    pub(crate) fn any(set: &SetExpr, bindings: &Bindings) -> Option<BoardCond> {
        Lowering::new(bindings).any(set).map(BoardCond::Any)
    }

    /// Lowers a necessary condition of a condition on a set: that a set that contains it is not empty, or has this many squares. `around`
    /// returns sets that contain the values of variables.
    pub(crate) fn necessary(
        condition: &CondExpr,
        bindings: &Bindings,
        around: VariableBounds<'_>,
    ) -> Option<BoardCond> {
        Lowering::of_more(bindings, around).necessary(condition)
    }

    /// Lowers a whole body, however many filters it has, if all of them can be lowered.
    pub(crate) fn of_body(body: &Cond, bindings: &Bindings) -> Option<BoardCond> {
        let mut filters = Vec::new();
        Lowering::new(bindings).filters(body, &mut filters)?;
        Some(BoardCond::All(filters))
    }
}

impl BoardSet {
    /// Lowers a set to one that contains it. `around` returns sets that contain the values of variables.
    pub(crate) fn containing(set: &SetExpr, bindings: &Bindings, around: VariableBounds<'_>) -> Option<BoardSet> {
        Lowering::of_more(bindings, around).set(set)
    }
}

/// Lowers conditions of a query. Its methods return `None` if the algebra cannot express something.
pub(super) struct Lowering<'q> {
    /// The variables that are aliases.
    bindings: &'q Bindings,
    /// Present if containing sets are enough; it returns them for variables.
    around: Option<VariableBounds<'q>>,
    /// The aliases in scope, each with its value, or with a set that contains it if that is enough.
    named: Vec<(SetVar, BoardSet)>,
    /// The variables of the enclosing loops, the outermost first.
    variables: Vec<SetVar>,
    /// The contents that the squares of their domains may have.
    domains: Vec<Contents>,
}

impl<'q> Lowering<'q> {
    pub(super) fn new(bindings: &'q Bindings) -> Lowering<'q> {
        Lowering {
            bindings,
            around: None,
            named: Vec::new(),
            variables: Vec::new(),
            domains: Vec::new(),
        }
    }

    /// Creates a lowering to sets that contain those of the query.
    pub(super) fn of_more(bindings: &'q Bindings, around: VariableBounds<'q>) -> Lowering<'q> {
        Lowering {
            around: Some(around),
            ..Lowering::new(bindings)
        }
    }

    /// Reads an expression exactly, because more squares in it may mean fewer in the whole.
    fn exactly<T>(&mut self, read: impl FnOnce(&mut Lowering<'q>) -> Option<T>) -> Option<T> {
        match self.around {
            None => read(self),
            Some(_) => read(&mut Lowering::new(self.bindings)),
        }
    }

    /// Lowers a condition on a set to a necessary condition on a set that contains it.
    pub(super) fn necessary(&mut self, condition: &CondExpr) -> Option<BoardCond> {
        match condition {
            CondExpr::NonEmpty(set) => match &set.kind {
                SetExpr::Move(fitting) => self.possible(fitting),
                set => self.any(set).map(BoardCond::Any),
            },
            CondExpr::Move(fitting) => self.possible(fitting),
            CondExpr::HasNumber(number) => match self.comparison(&number.kind)? {
                BoardCond::Count(set, least @ 1.., _) => Some(BoardCond::Count(set, least, u32::MAX)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Lowers the filters of a body one by one, if each of them can be lowered and none takes too much work.
    pub(super) fn filters(&mut self, body: &Cond, found: &mut Vec<BoardCond>) -> Option<()> {
        match &body.kind {
            CondExpr::Flow(flow) if let Some((tests, value)) = flow.as_block() => self.in_block(|reader| {
                for test in tests {
                    match reader.bindings.named(test) {
                        Some((variable, set)) => reader.name(variable, set)?,
                        None => reader.filters(test, found)?,
                    }
                }
                reader.filters(value, found)
            }),
            CondExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.filters(value, found),
            CondExpr::And(left, right) => {
                self.filters(left, found)?;
                self.filters(right, found)
            }
            other => {
                found.push(self.condition(other)?);
                Some(())
            }
        }
    }

    /// Lowers a condition unless it takes too much work. Its parts are checked, too, because some forms use a part more than once.
    pub(super) fn condition(&mut self, condition: &CondExpr) -> Option<BoardCond> {
        let found = self.condition_of_any_work(condition)?;
        (found.work() <= MOST_WORK).then_some(found)
    }

    fn condition_of_any_work(&mut self, condition: &CondExpr) -> Option<BoardCond> {
        match condition {
            CondExpr::NonEmpty(set) => self.any(&set.kind).map(BoardCond::Any),
            // Keeping the value of a column always succeeds.
            CondExpr::Constant(true) | CondExpr::Column(..) => Some(BoardCond::All(Vec::new())),
            CondExpr::Constant(false) => Some(BoardCond::OneOf(Vec::new())),
            CondExpr::ToMove(color) => Some(BoardCond::ToMove(*color)),
            CondExpr::Check => Some(BoardCond::Check),
            CondExpr::Placement(designators) => Some(BoardCond::All(placed(designators))),
            CondExpr::HasNumber(number) => self.comparison(&number.kind),
            CondExpr::Not(condition) => self
                .condition(&condition.kind)
                .map(|held| BoardCond::Not(Box::new(held))),
            CondExpr::And(left, right) => self.all(CondExpr::conjuncts([left, right])).map(BoardCond::All),
            CondExpr::Or(left, right) => self.all(CondExpr::alternatives([left, right])).map(BoardCond::OneOf),
            CondExpr::SameSet(left, right) => Some(BoardCond::Same(self.set(&left.kind)?, self.set(&right.kind)?)),
            CondExpr::Subset(left, right) => Some(BoardCond::Subset(self.set(&left.kind)?, self.set(&right.kind)?)),
            CondExpr::AllFused(fused) => {
                let (domain, kept) = self.fused(fused, Self::set)?;
                let kept = BoardSet::Kept {
                    domain: Box::new(domain.clone()),
                    kept: Box::new(kept),
                };
                // The loop keeps nothing else, so this says that both sets are equal.
                Some(BoardCond::Subset(domain, kept))
            }
            CondExpr::Versions(versions) => self.versions(versions),
            CondExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.condition(&value.kind),
            CondExpr::Flow(flow) if let Some((tests, value)) = flow.as_block() => self.in_block(|reader| {
                let mut found = reader.all(tests)?;
                found.push(reader.condition(&value.kind)?);
                Some(BoardCond::All(found))
            }),
            CondExpr::Flow(Flow::If { test, yes, no }) => {
                let test = self.condition(&test.kind)?;
                let (yes, no) = (self.condition(&yes.kind)?, self.condition(&no.kind)?);
                Some(BoardCond::OneOf(vec![
                    BoardCond::All(vec![test.clone(), yes]),
                    BoardCond::All(vec![BoardCond::Not(Box::new(test)), no]),
                ]))
            }
            _ => None,
        }
    }

    /// Reads the inside of a block. Its aliases end with it.
    fn in_block<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let outside = self.named.len();
        let found = read(self);
        self.named.truncate(outside);
        found
    }

    /// Adds an alias for the rest of the block.
    fn name(&mut self, variable: SetVar, set: &Set) -> Option<()> {
        let set = self.set(&set.kind)?;
        self.named.push((variable, set));
        Some(())
    }

    /// Lowers several conditions, unless they take too much work in total. Conditions that only introduce an alias are left out.
    fn all<'c>(&mut self, conditions: impl IntoIterator<Item = &'c Cond>) -> Option<Vec<BoardCond>> {
        let mut found = Vec::new();
        let mut work = 0;
        for condition in conditions {
            if let Some((variable, set)) = self.bindings.named(condition) {
                self.name(variable, set)?;
                continue;
            }
            let condition = self.condition(&condition.kind)?;
            work += condition.work();
            if work > MOST_WORK {
                return None;
            }
            found.push(condition);
        }
        Some(found)
    }

    /// Lowers the copies of a transform. If they are the same formation at many places, it becomes one formation.
    fn versions(&mut self, versions: &Versions<Cond>) -> Option<BoardCond> {
        match &versions.guard {
            Some(guard)
                if guard.complete
                    && let Some(formation) = &guard.formation =>
            {
                Some(BoardCond::Formation(guard.contents.clone(), formation.clone()))
            }
            _ => self.all(&versions.copies).map(BoardCond::OneOf),
        }
    }

    /// Lowers a comparison of numbers.
    fn comparison(&mut self, number: &NumExpr) -> Option<BoardCond> {
        match number {
            NumExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.comparison(&value.kind),
            NumExpr::Compare(comparison, left, right) => {
                if let (NumExpr::Count(set), NumExpr::Literal(limit)) = (&left.kind, &right.kind) {
                    let set = self.set(&set.kind)?;
                    return Some(counted(set, *comparison, *limit));
                }
                let (left, right) = (self.number(&left.kind)?, self.number(&right.kind)?);
                Some(BoardCond::Compare(*comparison, left, right))
            }
            _ => None,
        }
    }

    /// Lowers a number that has a value at every position.
    fn number(&mut self, number: &NumExpr) -> Option<BoardNum> {
        match number {
            NumExpr::Literal(number) => Some(BoardNum::Literal(*number)),
            NumExpr::Count(set) => Some(BoardNum::Count(self.set(&set.kind)?)),
            NumExpr::OfSet(SetNumber::Power, set) => Some(BoardNum::Power(self.set(&set.kind)?)),
            NumExpr::Arithmetic(
                operator @ (Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply),
                left,
                right,
            ) => {
                let (left, right) = (self.number(&left.kind)?, self.number(&right.kind)?);
                Some(BoardNum::Arithmetic(*operator, Box::new(left), Box::new(right)))
            }
            NumExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.number(&value.kind),
            _ => None,
        }
    }

    /// Lowers a set to one that is empty at the same positions, unless it takes too much work.
    pub(super) fn any(&mut self, set: &SetExpr) -> Option<BoardSet> {
        let found = match set {
            // If a piece is pinned, there is a square that it is pinned to.
            SetExpr::Pin(pin) => self.pin(pin, false)?,
            SetExpr::FusedLoop(fused) => match self.exactly(|reader| reader.kept(fused, Self::any)) {
                None if self.around.is_some() => self.around_kept(fused)?,
                kept => kept?,
            },
            SetExpr::Flow(Flow::Group(set)) => self.any(&set.kind)?,
            set => self.set(set)?,
        };
        (found.work() <= MOST_WORK).then_some(found)
    }

    /// Lowers a set unless it takes too much work.
    pub(super) fn set(&mut self, set: &SetExpr) -> Option<BoardSet> {
        let found = self.set_of_any_work(set)?;
        (found.work() <= MOST_WORK).then_some(found)
    }

    fn set_of_any_work(&mut self, set: &SetExpr) -> Option<BoardSet> {
        match set {
            SetExpr::Designator(designator) => Some(pieces(designator)),
            SetExpr::Constant(squares) => Some(BoardSet::Squares(*squares)),
            SetExpr::Variable(variable) => {
                let named = self.named.iter().rfind(|(name, _)| name == variable);
                if let Some((_, set)) = named {
                    return Some(set.clone());
                }
                match self.variables.iter().rposition(|looped| looped == variable) {
                    Some(index) => Some(BoardSet::Domain(index)),
                    None => self.around?(Variable::Set(*variable)),
                }
            }
            SetExpr::Complement(set) => {
                let set = self.exactly(|reader| reader.boxed(set))?;
                Some(BoardSet::Complement(set))
            }
            SetExpr::Intersection(left, right) => match (self.set(&left.kind), self.set(&right.kind)) {
                (Some(left), Some(right)) => Some(BoardSet::intersection(left, right)),
                (left, right) if self.around.is_some() => left.or(right),
                _ => None,
            },
            SetExpr::Union(left, right) => Some(BoardSet::Union(vec![self.set(&left.kind)?, self.set(&right.kind)?])),
            SetExpr::Attackers { attackers, targets } => {
                let (attackers, targets) = (self.boxed(attackers)?, self.boxed(targets)?);
                let movers = movers(attackers.contents(&self.domains));
                Some(BoardSet::Attackers(attackers, targets, movers))
            }
            SetExpr::Attacked { attackers, targets } => {
                let (attackers, targets) = (self.boxed(attackers)?, self.boxed(targets)?);
                let movers = movers(attackers.contents(&self.domains));
                Some(BoardSet::Attacked(targets, attackers, movers))
            }
            SetExpr::Line(line) => self.line(line),
            SetExpr::Pin(pin) => match pin.value {
                PinPart::From => self.pin(pin, true),
                PinPart::To => self.pin(pin, false),
                PinPart::Through => None,
            },
            SetExpr::Direction {
                directions,
                range: None,
                set,
            } => Some(BoardSet::Beyond(*directions, self.boxed(set)?)),
            SetExpr::Direction {
                directions,
                range: Some(Range::Within(Bound::Number(least), Bound::Number(most))),
                set,
                // Other numbers are an error when they are evaluated.
            } if -7 <= *least && least <= most && *most <= 7 => {
                Some(BoardSet::Steps(*directions, *least..=*most, self.boxed(set)?))
            }
            SetExpr::SquareColor { light, set } => {
                let color = squares_of_color(*light);
                Some(BoardSet::intersection(BoardSet::Squares(color), self.set(&set.kind)?))
            }
            SetExpr::Pawns(structure) => Some(BoardSet::Pawns(*structure)),
            SetExpr::FusedLoop(fused) => match self.exactly(|reader| reader.kept(fused, Self::set)) {
                None if self.around.is_some() => self.around_kept(fused),
                kept => kept,
            },
            SetExpr::Versions(versions) if versions.copies.len() <= MOST_WORK as usize => {
                let copies = versions.copies.iter().map(|copy| self.set(&copy.kind));
                copies.collect::<Option<Vec<BoardSet>>>().map(BoardSet::Union)
            }
            SetExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.set(&value.kind),
            SetExpr::Flow(flow) if let Some((tests, value)) = flow.as_block() => self.in_block(|reader| {
                if reader.around.is_some() {
                    for (variable, set) in tests.iter().filter_map(|test| reader.bindings.named(test)) {
                        // If the value cannot be lowered, neither can the alias.
                        let _ = reader.name(variable, set);
                    }
                    return reader.set(&value.kind);
                }
                let tests = reader.all(tests)?;
                Some(BoardSet::Where(tests, reader.boxed(value)?))
            }),
            SetExpr::Flow(Flow::If { yes, no, .. }) if self.around.is_some() => {
                Some(BoardSet::Union(vec![self.set(&yes.kind)?, self.set(&no.kind)?]))
            }
            SetExpr::Flow(Flow::If { test, yes, no }) => {
                let test = self.condition(&test.kind)?;
                let (yes, no) = (self.boxed(yes)?, self.boxed(no)?);
                Some(BoardSet::Union(vec![
                    BoardSet::Where(vec![test.clone()], yes),
                    BoardSet::Where(vec![BoardCond::Not(Box::new(test))], no),
                ]))
            }
            _ if self.around.is_some() => self.containing(set),
            _ => None,
        }
    }

    /// Returns a set that contains one that cannot be lowered exactly.
    fn containing(&mut self, set: &SetExpr) -> Option<BoardSet> {
        match set {
            SetExpr::Piece(variable) => self.around?(Variable::Piece(*variable)),
            SetExpr::Legal(legal) => self.arrivals(legal.left.as_ref(), legal.right.as_ref()),
            SetExpr::Lookahead(tried) if tried.value == MoveSquares::To => {
                self.arrivals(tried.from.as_ref(), tried.to.as_ref())
            }
            SetExpr::Each(each) => self.set(&each.domain.kind),
            _ => None,
        }
    }

    fn boxed(&mut self, set: &Set) -> Option<Box<BoardSet>> {
        self.set(&set.kind).map(Box::new)
    }

    /// Lowers sets on one ray, without directions in which no piece of the first set moves.
    fn line(&mut self, line: &Line) -> Option<BoardSet> {
        let sets = line.sets.iter().map(|set| self.set(&set.kind));
        let sets = sets.collect::<Option<Vec<BoardSet>>>()?;
        if line.slider_first {
            return self.sliding(line.directions, line.value_first, sets);
        }
        Some(BoardSet::Line {
            directions: line.directions,
            slider_first: false,
            value_first: line.value_first,
            sets,
        })
    }

    /// Returns sets on one ray along which the piece on the first square moves.
    fn sliding(&self, directions: DirectionSet, value_first: bool, sets: Vec<BoardSet>) -> Option<BoardSet> {
        let first = sets.first()?.contents(&self.domains);
        let ways = movers(first);
        let moving = |is_asked: bool, kind| if is_asked { kind } else { DirectionSet::EMPTY };
        let straight = moving(ways.straight, DirectionSet::ORTHOGONAL);
        let directions = directions & (straight | moving(ways.diagonal, DirectionSet::DIAGONAL));
        // If all its pieces move along the ray, this need not be tested.
        let others = |kind, movers: Contents| directions.intersects(kind) && !first.is_within(movers);
        let slider_first = others(DirectionSet::ORTHOGONAL, Contents::ORTHOGONAL_SLIDERS)
            || others(DirectionSet::DIAGONAL, Contents::DIAGONAL_SLIDERS);
        Some(BoardSet::Line {
            directions,
            slider_first,
            value_first,
            sets,
        })
    }

    /// Lowers the pinning sliders of a pin, or the squares that pieces are pinned to: lines from sliders of one colour through a piece of
    /// the other colour to squares without pieces of the sliders' colour.
    fn pin(&mut self, pin: &Pin, value_first: bool) -> Option<BoardSet> {
        let from = self.part(pin.from.as_ref(), Contents::ANY)?;
        let through = self.part(pin.through.as_ref(), Contents::ANY)?;
        let to = self.part(pin.to.as_ref(), Contents::KINGS)?;
        let mut lines = Vec::new();
        for color in Color::ALL {
            let (own, other) = (Contents::of_color(color), Contents::of_color(!color));
            let sets = [
                from.with(own, &self.domains),
                through.with(other, &self.domains),
                to.with(other | Contents::EMPTY, &self.domains),
            ];
            if let Some(sets) = sets.into_iter().collect() {
                lines.push(self.sliding(DirectionSet::ALL, value_first, sets)?);
            }
        }
        Some(BoardSet::Union(lines))
    }

    /// Lowers a part of a pin; all squares with these contents if it is not given.
    fn part(&mut self, set: Option<&Set>, usual: Contents) -> Option<BoardSet> {
        match set {
            Some(set) => self.set(&set.kind),
            None if usual == Contents::ANY => Some(BoardSet::Squares(Bitboard::FULL)),
            None => Some(BoardSet::Pieces(usual, Bitboard::FULL)),
        }
    }

    /// Lowers the squares of its domain that a loop keeps.
    fn kept(
        &mut self,
        fused: &FusedLoop,
        read: impl FnOnce(&mut Self, &SetExpr) -> Option<BoardSet>,
    ) -> Option<BoardSet> {
        let (domain, kept) = self.fused(fused, read)?;
        Some(BoardSet::Kept {
            domain: Box::new(domain),
            kept: Box::new(kept),
        })
    }

    /// Lowers a necessary condition of a `move` filter that asks for legal moves: squares where such moves arrive.
    fn possible(&mut self, fitting: &Move) -> Option<BoardCond> {
        let is_asked = matches!(fitting.source, MoveSource::Legal | MoveSource::Pseudolegal);
        let arrivals = is_asked.then(|| self.arrivals(fitting.from.as_ref(), fitting.to.as_ref()))?;
        arrivals.map(BoardCond::Any)
    }

    /// Returns squares that contain the arrival squares of moves, or `None` if they may arrive anywhere, which would rule out little.
    fn arrivals(&mut self, from: Option<&Set>, to: Option<&Set>) -> Option<BoardSet> {
        let to = self.set(&to?.kind)?;
        let from = from.and_then(|from| self.set(&from.kind));
        let from = from.unwrap_or(BoardSet::Pieces(Contents::PIECES, Bitboard::FULL));
        Some(arrivals(&from, &to))
    }

    /// Returns squares that contain those that a loop keeps: the squares of the domain that the body keeps if the variable holds the whole
    /// domain.
    fn around_kept(&mut self, fused: &FusedLoop) -> Option<BoardSet> {
        let domain = self.set(&fused.domain.kind)?;
        self.named.push((fused.variable, domain.clone()));
        let kept = self.set(&fused.kept.kind);
        self.named.pop();
        Some(match kept {
            Some(kept) => BoardSet::intersection(domain, kept),
            None => domain,
        })
    }

    /// Lowers the domain of a loop, and the squares that the loop keeps.
    fn fused(
        &mut self,
        fused: &FusedLoop,
        read: impl FnOnce(&mut Self, &SetExpr) -> Option<BoardSet>,
    ) -> Option<(BoardSet, BoardSet)> {
        let domain = self.set(&fused.domain.kind)?;
        self.domains.push(domain.contents(&self.domains));
        self.variables.push(fused.variable);
        let kept = read(self, &fused.kept.kind);
        self.variables.pop();
        self.domains.pop();
        Some((domain, kept?))
    }
}

/// Returns conditions that require each of these designators to be non-empty. Single squares with the same contents are tested together.
pub(crate) fn placed(designators: &[Designator]) -> Vec<BoardCond> {
    let (singles, others): (Vec<&Designator>, Vec<&Designator>) = designators
        .iter()
        .partition(|designator| designator.has_contents && designator.squares.count() == 1);
    let mut on: Vec<Pieces> = Vec::new();
    for single in singles.into_iter().map(Pieces::from) {
        match on.iter_mut().find(|pieces| pieces.contents == single.contents) {
            Some(pieces) => pieces.squares |= single.squares,
            None => on.push(single),
        }
    }
    let each = on.into_iter().map(all_standing);
    let somewhere = others
        .into_iter()
        .map(|designator| BoardCond::Any(self::pieces(designator)));
    each.chain(somewhere).collect()
}

/// Returns a condition that requires these contents on all of these squares, of which there is at least one.
fn all_standing(pieces: Pieces) -> BoardCond {
    match pieces.squares.count() {
        1 => BoardCond::count(pieces, 1, u32::MAX),
        _ => {
            let there = BoardSet::Pieces(pieces.contents, Bitboard::FULL);
            BoardCond::Subset(BoardSet::Squares(pieces.squares), there)
        }
    }
}

/// Returns conditions that require the same contents as on `board` on all squares.
pub(crate) fn same_board(board: &Board) -> Vec<BoardCond> {
    let kinds = Color::ALL
        .into_iter()
        .flat_map(|color| Role::ALL.map(|role| (color, role)));
    let of_kinds = kinds.map(|(color, role)| Pieces {
        contents: Contents::of(color, role),
        squares: board.pieces(color, role),
    });
    let free = Pieces {
        contents: Contents::EMPTY,
        squares: !board.occupied(),
    };
    let all = of_kinds.chain([free]).filter(|pieces| pieces.squares.any());
    all.map(all_standing).collect()
}

/// Lowers a designator.
fn pieces(designator: &Designator) -> BoardSet {
    if designator.has_contents {
        BoardSet::Pieces(designator.contents, designator.squares)
    } else {
        BoardSet::Squares(designator.squares)
    }
}

/// Returns a condition that compares the number of squares of a set with a limit.
fn counted(set: BoardSet, comparison: Comparison, limit: i32) -> BoardCond {
    let (least, most) = comparison.range(i64::from(limit));
    let bound = |number: i64| u32::try_from(number.clamp(0, i64::from(u32::MAX))).unwrap_or(u32::MAX);
    match most < 0 {
        true => BoardCond::OneOf(Vec::new()),
        false => BoardCond::Count(set, bound(least), bound(most)),
    }
}
