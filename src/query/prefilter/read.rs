//! What must hold where a query matches, read off its expressions.

use std::iter;

use shakmaty::{CastlingSide, Role};

use super::silent::Silence;
use super::{Event, Held, Lines, MOST_AHEAD, MOST_CHOICES, Pieces, Prefilter, QUICK, all, either, geometry};
use crate::board::{Bitboard, Contents};
use crate::query::columns::{CondColumn, Placed, SetColumn, placed};
use crate::query::locals::Locals;
use crate::query::moves::Promotion;
use crate::query::node::{Flow, Set};
use crate::query::numbers::{Fact, FindCount, Measure};
use crate::query::paths::{self, Focus, Item, PathStep};
use crate::query::sets::{Line, squares_of_color};
use crate::query::variables::Variable;
use crate::query::{Bound, Comparison, CondExpr, Dash, Effect, Find, Node, NumExpr, PosExpr, Range, SetExpr};
use crate::syntax::token::{Designator, Span};

/// What pieces of a query say of the position; nothing for those that are not known to be without effects.
type Known = Option<Prefilter>;

/// Collects what holds where a condition matches, up to the first part that is not known to be without effects. If `drops_keys`,
/// it may be that what the game is sorted by is not noted where nothing matches.
pub(super) fn prefix(condition: &Node<CondExpr>, silence: Silence<'_>, drops_keys: bool) -> Vec<Prefilter> {
    let reader = Reader {
        locals: silence.locals,
        silence,
        inside: None,
    };
    let mut found = Vec::new();
    if let Err(unknown) = reader.prefix(condition, &mut found) {
        found.extend(reader.sorted(unknown, drops_keys));
    }
    found
}

fn both(left: Known, right: Known) -> Known {
    Some(all(vec![left?, right?]))
}

fn event(event: Event) -> Known {
    Some(Prefilter::Event(event))
}

/// Whether a set consists of pieces that attack a few pieces, or of squares on rays to them.
fn aims_at_few(set: &SetColumn) -> bool {
    match set {
        SetColumn::Attackers(_, targets, _) => targets.are_few(),
        SetColumn::Line { sets, .. } => matches!(&sets[..], [_, .., last] if last.are_few()),
        SetColumn::Union(sets) => sets.iter().all(aims_at_few),
        _ => false,
    }
}

/// What holds where a condition does, if that is `known` and this is the condition for many positions at once.
fn held(condition: Option<CondColumn>, span: Span, known: Prefilter) -> Prefilter {
    match condition {
        // The prefilter says as much.
        None | Some(CondColumn::Any(SetColumn::Pieces(..)) | CondColumn::Count(SetColumn::Pieces(..), ..)) => known,
        // Most positions are none.
        Some(CondColumn::Not(denied)) if *denied == CondColumn::Check => known,
        Some(CondColumn::Any(set) | CondColumn::Count(set, ..)) if known.leaves_few() && aims_at_few(&set) => known,
        Some(condition) => {
            let held = Held::new(condition, span);
            all(vec![known.without_reach(), Prefilter::Holds(held)])
        }
    }
}

/// What holds here if something holds at another position.
fn elsewhere(prefilter: Prefilter) -> Prefilter {
    if prefilter.is_open() {
        Prefilter::Open
    } else {
        Prefilter::Elsewhere(Box::new(prefilter))
    }
}

/// What holds here if something holds at the next position.
fn next(prefilter: Prefilter) -> Prefilter {
    match prefilter {
        Prefilter::Open => Prefilter::Open,
        prefilter => Prefilter::Ahead(1, Box::new(prefilter)),
    }
}

/// Leaves out what is known, where nothing follows from it.
fn nothing(_: Prefilter) -> Prefilter {
    Prefilter::Open
}

/// Reads off expressions what holds where they match.
#[derive(Clone, Copy)]
struct Reader<'q, 'i> {
    /// The variables that only name a set.
    locals: &'q Locals,
    /// What is without effects.
    silence: Silence<'q>,
    /// The loop that is being read.
    inside: Option<&'i Inside<'q, 'i>>,
}

/// A loop that is being read: its variable stands for some squares of the domain, or all of them.
struct Inside<'q, 'i> {
    variable: Variable,
    domain: &'q Set,
    /// The loop around it.
    around: Option<&'i Inside<'q, 'i>>,
}

impl<'q> Reader<'q, '_> {
    /// Collects what holds where a condition matches, up to the first part that is not known to be without effects, which is given
    /// back.
    fn prefix(&self, condition: &'q Node<CondExpr>, prefilters: &mut Vec<Prefilter>) -> Result<(), &'q Node<CondExpr>> {
        match &condition.kind {
            CondExpr::Flow(Flow::Block { tests, value }) => {
                tests.iter().try_for_each(|test| self.prefix(test, prefilters))?;
                self.prefix(value, prefilters)
            }
            CondExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.prefix(value, prefilters),
            CondExpr::And(left, right) => {
                self.prefix(left, prefilters)?;
                self.prefix(right, prefilters)
            }
            _ => {
                let Some(prefilter) = self.condition(condition) else {
                    prefilters.extend(self.fronts(condition));
                    return Err(condition);
                };
                prefilters.push(prefilter);
                Ok(())
            }
        }
    }

    /// What holds of a game where what it is sorted by is noted, if nothing comes of that where there is no match.
    fn sorted(&self, condition: &'q Node<CondExpr>, drops_keys: bool) -> Known {
        let CondExpr::HasNumber(number) = &condition.kind else {
            return None;
        };
        // What is compared or noted has the value of its left side.
        let unsorted = |number: &'q NumExpr| match without_groups(number) {
            NumExpr::Sort(_, value) if drops_keys => Some(without_groups(&value.kind)),
            _ => None,
        };
        match without_groups(&number.kind) {
            NumExpr::Compare(comparison, left, right) => self.compared(*comparison, unsorted(&left.kind)?, &right.kind),
            sorted => self.number(unsorted(sorted)?),
        }
    }

    /// What holds where one of several choices matches or does anything but fail: the front of one of them.
    fn fronts(&self, condition: &'q Node<CondExpr>) -> Known {
        let front = |choice: &'q Node<CondExpr>| {
            let mut found = Vec::new();
            // What stops it is not looked at: another choice may match.
            let _ = self.prefix(choice, &mut found);
            all(found)
        };
        match &condition.kind {
            CondExpr::Versions(versions) => Some(either(versions.copies.iter().map(|copy| front(copy)).collect())),
            CondExpr::Or(..) => Some(either(alternatives(condition).into_iter().map(front).collect())),
            CondExpr::HasNumber(number) => match &number.kind {
                // One that fails leaves nothing behind, whatever it does where it matches.
                NumExpr::Path(path) if self.silence.inside_path(path) => Some(self.path(path)),
                NumExpr::Path(path) if !matches!(path.range, Some(Range::Within(..))) => self.first_move(path),
                NumExpr::Line(line) if self.silence.inside_line(line) => Some(self.items(line)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What holds where a condition matches.
    fn condition(&self, condition: &'q Node<CondExpr>) -> Known {
        match &condition.kind {
            CondExpr::Constant(true) => Some(Prefilter::Open),
            CondExpr::Constant(false) => Some(Prefilter::Either(Vec::new())),
            CondExpr::ToMove(color) => Some(Prefilter::ToMove(*color)),
            CondExpr::Initial => Some(Prefilter::Initial),
            CondExpr::Terminal => Some(Prefilter::Terminal),
            CondExpr::NonEmpty(set) => Some(self.exactly(condition, self.set(&set.kind)?)),
            CondExpr::Placement(designators) => {
                let found = placed(designators).into_iter().map(|placed| match placed {
                    Placed::On(contents, squares) if squares.count() > 1 => Prefilter::Placed(contents, squares),
                    Placed::On(contents, squares) => Prefilter::Count(Pieces { contents, squares }, 1, u32::MAX),
                    Placed::Somewhere(designator) => standing(&designator),
                });
                Some(all(found.collect()))
            }
            CondExpr::AllTogether(together) => {
                let domain = self.set(&together.domain.kind)?;
                Some(self.exactly(condition, nothing(domain)))
            }
            CondExpr::HasNumber(number) => Some(self.exactly(condition, self.number(&number.kind)?)),
            CondExpr::Not(denied) => {
                let known = self.condition(denied)?;
                Some(self.exactly(condition, nothing(known)))
            }
            CondExpr::And(left, right) => both(self.condition(left), self.condition(right)),
            CondExpr::Or(left, right) => Some(either(vec![self.condition(left)?, self.condition(right)?])),
            CondExpr::SameSet(left, right) | CondExpr::Subset(left, right) => {
                let known = both(self.set(&left.kind), self.set(&right.kind))?;
                Some(self.exactly(condition, nothing(known)))
            }
            CondExpr::Check => event(Event::Check),
            CondExpr::Mate => event(Event::Mate),
            CondExpr::Stalemate => event(Event::Stalemate),
            CondExpr::Castled(Some(side)) => event(Event::Castling(*side)),
            CondExpr::Castled(None) => Some(Prefilter::Either(
                CastlingSide::ALL
                    .map(|side| Prefilter::Event(Event::Castling(side)))
                    .to_vec(),
            )),
            CondExpr::EnPassant => event(Event::EnPassant),
            CondExpr::NullMove => event(Event::NullMove),
            CondExpr::Symbol(_) => event(Event::Symbol),
            CondExpr::Judged(_) => Some(either(vec![
                Prefilter::Event(Event::Symbol),
                Prefilter::Event(Event::Evaluation),
            ])),
            CondExpr::Versions(versions) => {
                let known = self.one_of(&versions.copies, |reader, copy| reader.condition(copy))?;
                // A few copies that are long to ask for are asked for one by one, with the quicker questions first.
                match self.exactly(condition, Prefilter::Open) {
                    Prefilter::Holds(held) if held.work > QUICK && versions.copies.len() <= MOST_CHOICES => Some(known),
                    Prefilter::Open => Some(known),
                    exact => Some(all(vec![elsewhere(known), exact])),
                }
            }
            CondExpr::HasPosition(position) => self.position(&position.kind),
            CondExpr::Flow(form) => self.flow(form, |reader, value| reader.condition(value)),
            _ => self.silent(|silence| silence.condition(&condition.kind)),
        }
    }

    /// Nothing is known of a part, unless that it is silent.
    fn silent(&self, is_silent: impl FnOnce(Silence<'q>) -> bool) -> Known {
        is_silent(self.silence).then_some(Prefilter::Open)
    }

    /// The reader of what is evaluated at another position, where the squares of loops have other contents.
    fn away(&self) -> Self {
        Reader { inside: None, ..*self }
    }

    /// What holds where a condition does, if that is `known` so far and nothing of it has an effect: the condition itself, where it
    /// can be asked of many positions at once and what is known would leave many of them.
    fn exactly(&self, condition: &Node<CondExpr>, known: Prefilter) -> Prefilter {
        held(CondColumn::of(&condition.kind, self.locals), condition.span, known)
    }

    /// What holds where a loop without effects finds something: there are squares that it goes round, and what its body says of one of
    /// them. Nothing is known where its variable may have a value already, which ends the run.
    fn looped(&self, variable: Variable, domain: &'q Set, body: &'q Node<CondExpr>) -> Known {
        let known = self.set(&domain.kind)?;
        let any = CondColumn::any(&domain.kind, self.locals);
        let inside = Inside {
            variable,
            domain,
            around: self.inside,
        };
        let reader = Reader {
            inside: Some(&inside),
            ..*self
        };
        let of_body = reader.condition(body).unwrap_or(Prefilter::Open);
        let is_known = self.locals.is_of_loops(variable);
        is_known.then(|| all(vec![held(any, domain.span, known), of_body]))
    }

    /// What holds where one of some copies does.
    fn one_of<K>(&self, copies: &'q [Box<Node<K>>], read: impl Fn(&Self, &'q Node<K>) -> Known) -> Known {
        let prefilters = copies.iter().map(|copy| read(self, copy));
        prefilters.collect::<Option<Vec<Prefilter>>>().map(either)
    }

    /// What holds where a form has the value that its part has.
    fn flow<K>(&self, form: &'q Flow<Box<Node<K>>>, read: impl Fn(&Self, &'q Node<K>) -> Known) -> Known {
        match form {
            Flow::Group(value) | Flow::Fixed(value) => read(self, value),
            Flow::Block { tests, value }
            | Flow::Call {
                arguments: tests,
                body: value,
            } => {
                let tests = tests.iter().map(|test| self.condition(test));
                let prefilters = tests.chain([read(self, value)]);
                prefilters.collect::<Option<Vec<Prefilter>>>().map(all)
            }
            Flow::If { test, yes, no } => {
                let yes = both(self.condition(test), read(self, yes));
                Some(either(vec![yes?, read(self, no)?]))
            }
            Flow::At { position, value } => {
                both(self.position(&position.kind), read(&self.away(), value).map(elsewhere))
            }
            Flow::Dash(dash, value) => {
                let after = read(&self.away(), value)?;
                let ahead = next(after.clone());
                Some(all(vec![self.next_move(dash)?, ahead, elsewhere(after)]))
            }
            Flow::Previous(dash, value) => both(self.away().last_move(dash), read(self, value)),
            _ => None,
        }
    }

    /// What holds where a number has a value.
    fn number(&self, number: &'q NumExpr) -> Known {
        match number {
            NumExpr::Literal(_) | NumExpr::Fact(Fact::Ply | Fact::MoveNumber | Fact::PositionId | Fact::SideToMove) => {
                Some(Prefilter::Open)
            }
            NumExpr::Evaluation(_) | NumExpr::Measure(Measure::EvalDepth) => event(Event::Evaluation),
            NumExpr::Measure(Measure::Clock | Measure::Elapsed) => event(Event::Clock),
            NumExpr::TimeControl(_) => Some(Prefilter::Open),
            NumExpr::Endgame { most_men, .. } => Some(Prefilter::Count(Pieces::ALL, 0, *most_men)),
            NumExpr::Compare(comparison, left, right) => self.compared(*comparison, &left.kind, &right.kind),
            NumExpr::Count(set) => self.set(&set.kind).map(nothing),
            NumExpr::Negate(number) | NumExpr::Abs(number) => self.number(&number.kind),
            NumExpr::Arithmetic(_, left, right) => both(self.number(&left.kind), self.number(&right.kind)),
            NumExpr::Find(find, count) if self.silence.number(number) => {
                let least = match count {
                    FindCount::All => 1,
                    FindCount::Within(Range::Within(Bound::Number(least), Bound::Number(most))) => *least.min(most),
                    FindCount::Within(_) => 0,
                };
                Some(self.found(find, least.into()))
            }
            NumExpr::Line(line) if self.silence.line(line) => Some(self.items(line)),
            NumExpr::Path(path) if self.silence.path(path) => Some(self.path(path)),
            NumExpr::Flow(form) => self.flow(form, |reader, value| reader.number(&value.kind)),
            _ => self.silent(|silence| silence.number(number)),
        }
    }

    /// What holds where there is a position.
    fn position(&self, position: &'q PosExpr) -> Known {
        match position {
            PosExpr::Find(find) if self.silence.position(position) => Some(self.found(find, 1)),
            PosExpr::Flow(form) => self.flow(form, |reader, value| reader.position(&value.kind)),
            _ => self.silent(|silence| silence.position(position)),
        }
    }

    /// What holds where a `find` without effects finds so many positions.
    fn found(&self, find: &'q Find, least: i64) -> Prefilter {
        if least < 1 {
            return Prefilter::Open;
        }
        let known = self.away().condition(&find.body).map_or(Prefilter::Open, elsewhere);
        let often = CondColumn::of(&find.body.kind, self.locals).map(|condition| {
            let held = Held::new(condition, find.body.span);
            Prefilter::Often(held, u32::try_from(least).unwrap_or(u32::MAX))
        });
        all(often.into_iter().chain([known]).collect())
    }

    /// What holds where a path begins.
    fn path(&self, path: &'q paths::Path) -> Prefilter {
        let first = path.program.first_step().and_then(|step| match (step, &path.focus) {
            (PathStep::Test(filter), _) => self.condition(filter),
            (PathStep::Move(..), Some(Focus::Pieces { set, .. })) => self.set(&set.kind),
            (PathStep::Move(..), _) => self.first_move(path),
        });
        all(first.into_iter().chain(self.focused_moves(path)).collect())
    }

    /// What holds where a path begins whose first move is made here, before it does anything else.
    fn first_move(&self, path: &'q paths::Path) -> Known {
        let (Some(PathStep::Move(dash, target)), None | Some(Focus::SideToMove)) =
            (path.program.first_step(), &path.focus)
        else {
            return None;
        };
        let mut found: Vec<Prefilter> = vec![self.next_move(dash)?];
        // The target, and the tests before another move.
        let later = path.program.leading_steps().skip(1);
        let tests = later.map_while(|step| match step {
            PathStep::Test(filter) => Some(filter),
            PathStep::Move(..) => None,
        });
        let mut ahead = Vec::new();
        let away = self.away();
        // What stops it is not looked at: the path may begin.
        let _ = target
            .iter()
            .chain(tests)
            .try_for_each(|test| away.prefix(test, &mut ahead));
        found.push(next(all(ahead)));
        Some(all(found))
    }

    /// What holds where a path begins that takes moves of some pieces alone: its first move is made here.
    fn focused_moves(&self, path: &'q paths::Path) -> Known {
        let least = path.program.least_advances();
        match &path.focus {
            Some(Focus::Pieces { set, capture: false }) if least > 0 => {
                let Pieces { contents, .. } = self.cover(&set.kind)?;
                let stay = !contents.intersects(Contents::PAWNS | Contents::EMPTY);
                stay.then_some(Prefilter::Moves(contents, least))
            }
            _ => None,
        }
    }

    /// What holds where a line begins: its items are evaluated one after the other, the first one here.
    fn items(&self, line: &'q paths::Line) -> Prefilter {
        let away = self.away();
        let item = |item: &'q Item| match item.fixes_next {
            true => Prefilter::Open,
            false => away.condition(&item.filter).unwrap_or(Prefilter::Open),
        };
        let Some(first) = line.program.first_step().map(item) else {
            return Prefilter::Open;
        };
        if line.backward || line.single_color || line.primary == Some(false) {
            return first;
        }
        let later = line.program.leading_steps().map(item).enumerate().skip(1);
        let ahead = later
            .take(MOST_AHEAD)
            .filter(|(_, prefilter)| !prefilter.is_open())
            .map(|(moves, prefilter)| Prefilter::Ahead(moves, Box::new(prefilter)));
        all([first].into_iter().chain(ahead).collect())
    }

    /// What holds where two numbers compare as asked.
    fn compared(&self, comparison: Comparison, left: &'q NumExpr, right: &'q NumExpr) -> Known {
        let prefilter = self.number(left)?;
        let of_right = self.number(right)?;
        if let NumExpr::Line(_) | NumExpr::Path(_) = left {
            return Some(prefilter);
        }
        let left = without_groups(left);
        let (NumExpr::Count(_) | NumExpr::Fact(_) | NumExpr::Find(_, FindCount::All), NumExpr::Literal(limit)) =
            (left, right)
        else {
            return Some(all(vec![prefilter, of_right]));
        };
        let (least, most) = comparison.range(i64::from(*limit));
        if most < 0 && !matches!(left, NumExpr::Fact(Fact::SideToMove)) {
            return Some(Prefilter::Either(Vec::new()));
        }
        match left {
            NumExpr::Count(set) => self.counted(&set.kind, least, most),
            NumExpr::Find(find, _) => Some(self.found(find, least.max(1))),
            NumExpr::Fact(Fact::Ply) => Some(plies(least, most)),
            // Where Black begins there is one move of the first number, not two.
            NumExpr::Fact(Fact::MoveNumber) => Some(plies(
                least.saturating_sub(1).saturating_mul(2).saturating_sub(1),
                most.saturating_sub(1).saturating_mul(2).saturating_add(1),
            )),
            _ => Some(Prefilter::Open),
        }
    }

    /// What holds where a set has from `least` to `most` squares.
    fn counted(&self, set: &'q SetExpr, least: i64, most: i64) -> Known {
        let prefilter = self.set(set)?;
        let least = u32::try_from(least.max(0)).unwrap_or(u32::MAX);
        let mut prefilters = Vec::new();
        if let SetExpr::Designator(designator) = set {
            let most = u32::try_from(most).unwrap_or(u32::MAX);
            prefilters.push(Prefilter::Count(designator.into(), least, most));
        } else if least > 0 {
            prefilters.push(prefilter);
            prefilters.extend(self.cover(set).map(|pieces| pieces.standing(least)));
            if let SetExpr::Attackers { attackers, targets } = set {
                prefilters.extend(self.reach(attackers, targets, least));
            }
        }
        Some(all(prefilters))
    }

    /// Pieces on whose squares all squares of a set are.
    fn cover(&self, set: &'q SetExpr) -> Option<Pieces> {
        match set {
            SetExpr::Designator(designator) => Some(designator.into()),
            SetExpr::Variable(variable) => self.cover(&self.domain(Variable::Set(*variable))?.kind),
            SetExpr::Piece(variable) => self.cover(&self.domain(Variable::Piece(*variable))?.kind),
            SetExpr::Squares(squares) => self.cover(&squares.domain.kind),
            SetExpr::Pieces(pieces) => self.cover(&pieces.domain.kind),
            SetExpr::PromotedPieces => {
                let promoted = Contents::QUEENS | Contents::ROOKS | Contents::BISHOPS | Contents::KNIGHTS;
                Some(promoted.into())
            }
            SetExpr::Together(together) => self.cover(&together.domain.kind),
            SetExpr::Constant(squares) => Some(Pieces {
                contents: Contents::ANY,
                squares: *squares,
            }),
            SetExpr::Pawns(_) => Some(Contents::PAWNS.into()),
            SetExpr::Intersection(..) => {
                let covers = operands(set).into_iter().filter_map(|set| self.cover(set));
                covers.reduce(Pieces::and)
            }
            SetExpr::SquareColor { light, set } => Some(self.cover(&set.kind)?.on(squares_of_color(*light))),
            SetExpr::Attackers { attackers, .. } => self.cover(&attackers.kind),
            SetExpr::Attacked { targets, .. } => self.cover(&targets.kind),
            SetExpr::Union(left, right) => Some(self.cover(&left.kind)?.or(self.cover(&right.kind)?)),
            SetExpr::Versions(versions) => {
                let covers = versions.copies.iter().map(|copy| self.cover(&copy.kind));
                covers.reduce(|left, right| Some(left?.or(right?))).flatten()
            }
            SetExpr::Flow(Flow::Group(set) | Flow::Fixed(set) | Flow::Block { value: set, .. }) => {
                self.cover(&set.kind)
            }
            _ => None,
        }
    }

    /// What holds of the pieces on whose squares a set is, where it has a square.
    fn covered(&self, set: &'q SetExpr) -> Prefilter {
        self.cover(set).map_or(Prefilter::Open, |pieces| pieces.standing(1))
    }

    /// The squares that the variable of a loop that is being read stands for.
    fn domain(&self, variable: Variable) -> Option<&'q Set> {
        let loops = iter::successors(self.inside, |inside| inside.around);
        let mut domains = loops.filter(|inside| inside.variable == variable);
        domains.next().map(|inside| inside.domain)
    }

    /// What holds where a set has a square.
    fn set(&self, set: &'q SetExpr) -> Known {
        match set {
            SetExpr::Designator(designator) => Some(standing(designator)),
            SetExpr::Variable(variable) if self.locals.has(*variable) => Some(Prefilter::Open),
            SetExpr::Together(together) => {
                let domain = self.set(&together.domain.kind)?;
                let inside = Inside {
                    variable: Variable::Set(together.variable),
                    domain: &together.domain,
                    around: self.inside,
                };
                let reader = Reader {
                    inside: Some(&inside),
                    ..*self
                };
                // What is kept of the domain has no effect, even if nothing is known of it.
                let kept = reader.set(&together.kept.kind).unwrap_or(Prefilter::Open);
                Some(all(vec![domain, kept]))
            }
            SetExpr::Squares(squares) if squares.effect == Effect::None || self.silence.set(set) => {
                self.looped(Variable::Set(squares.variable), &squares.domain, &squares.body)
            }
            SetExpr::Pieces(pieces) if pieces.effect == Effect::None || self.silence.set(set) => {
                self.looped(Variable::Piece(pieces.variable), &pieces.domain, &pieces.body)
            }
            SetExpr::PromotedPieces => {
                let promotion = becomes(|_| true);
                Some(all(vec![promotion, self.covered(set)]))
            }
            SetExpr::Constant(_) | SetExpr::Pawns(_) | SetExpr::From | SetExpr::To => Some(Prefilter::Open),
            SetExpr::Complement(set) => self.set(&set.kind).map(nothing),
            SetExpr::Intersection(..) => {
                let sets = operands(set).into_iter().map(|set| self.set(set));
                let mut prefilters = sets.collect::<Option<Vec<Prefilter>>>()?;
                prefilters.push(self.covered(set));
                Some(all(prefilters))
            }
            SetExpr::Attackers {
                attackers: from,
                targets: to,
            }
            | SetExpr::Attacked {
                attackers: from,
                targets: to,
            } => {
                let prefilter = both(self.set(&from.kind), self.set(&to.kind))?;
                let reach = self.reach(from, to, 1).unwrap_or(Prefilter::Open);
                Some(all(vec![prefilter, reach]))
            }
            SetExpr::Union(left, right) => Some(either(vec![self.set(&left.kind)?, self.set(&right.kind)?])),
            SetExpr::Line(line) => {
                let sets = line.sets.iter().map(|set| self.set(&set.kind));
                let mut prefilters = sets.collect::<Option<Vec<Prefilter>>>()?;
                prefilters.extend(self.line(line));
                Some(all(prefilters))
            }
            SetExpr::Intersections([left, right]) => both(self.set(&left.set.kind), self.set(&right.set.kind)),
            SetExpr::Pin(pin) => {
                let sets = [&pin.from, &pin.through, &pin.to].into_iter().flatten();
                let mut prefilters = sets
                    .map(|set| self.set(&set.kind))
                    .collect::<Option<Vec<Prefilter>>>()?;
                if let (Some(from), Some(to)) = (&pin.from, &pin.to) {
                    prefilters.extend(self.sliding(from, to));
                }
                Some(all(prefilters))
            }
            SetExpr::Direction { set: moved, .. } => {
                both(self.set(&moved.kind), self.silent(|silence| silence.set(set)))
            }
            SetExpr::SquareColor { set: colored, .. } => both(self.set(&colored.kind), Some(self.covered(set))),
            SetExpr::Versions(versions) => self.one_of(&versions.copies, |reader, copy| reader.set(&copy.kind)),
            SetExpr::Flow(form) => self.flow(form, |reader, value| reader.set(&value.kind)),
            _ => self.silent(|silence| silence.set(set)),
        }
    }

    /// What holds where so many pieces attack others.
    fn reach(&self, from: &'q Set, to: &'q Set, least: u32) -> Known {
        Some(geometry::reach(self.cover(&from.kind)?, self.cover(&to.kind)?, least))
    }

    /// What holds where sliders attack something through others.
    fn sliding(&self, from: &'q Set, to: &'q Set) -> Known {
        let from = self.cover(&from.kind).filter(|pieces| pieces.are_sliders())?;
        Some(geometry::in_line(from, self.cover(&to.kind)?, Lines::of_sliders(from)))
    }

    /// What holds where sets are on one ray.
    fn line(&self, line: &'q Line) -> Known {
        let [first, .., last] = &line.sets[..] else {
            return None;
        };
        let mut first = self.cover(&first.kind)?;
        let mut lines = Lines::of_directions(line.directions);
        if line.slider_first {
            let sliding = Lines::of_sliders(first);
            lines.straight &= sliding.straight;
            lines.diagonal &= sliding.diagonal;
            first.contents = first.contents & lines.sliders();
        }
        Some(geometry::in_line(first, self.cover(&last.kind)?, lines))
    }

    /// What holds where a move that is played from here fits: what stands there before and after.
    fn next_move(&self, dash: &'q Dash) -> Known {
        let mut found = vec![self.dash(dash)?];
        for set in [&dash.left, &dash.right].into_iter().flatten() {
            found.push(self.set(&set.kind)?);
        }
        let movers = self.side(&dash.left);
        if dash.capture {
            found.push(Prefilter::Capture(movers));
        }
        let may_be_any =
            |contents: Contents| Contents::WHITE.is_within(contents) || Contents::BLACK.is_within(contents);
        if let Some(Pieces { contents, .. }) = movers
            && !contents.intersects(Contents::EMPTY)
            && !may_be_any(contents)
        {
            found.push(Prefilter::Moves(contents, 1));
        }
        found.extend(self.arrived(dash).map(next));
        Some(all(found))
    }

    /// What holds where the move fits that led here: what stood there before, and what stands here.
    fn last_move(&self, dash: &'q Dash) -> Known {
        let mut found = vec![self.dash(dash)?];
        for set in [&dash.left, &dash.right].into_iter().flatten() {
            found.push(elsewhere(self.set(&set.kind)?));
        }
        found.extend(self.arrived(dash));
        Some(all(found))
    }

    /// What holds behind a move that fits: a piece that could move stands where it could go.
    fn arrived(&self, dash: &'q Dash) -> Known {
        let Pieces { contents, .. } = self.side(&dash.left)?;
        let Pieces { squares, .. } = self.side(&dash.right)?;
        // A pawn that promotes becomes another piece, and one that captures in passing arrives elsewhere.
        let becomes_another = contents.intersects(Contents::PAWNS) && squares.intersects(Bitboard::BACKRANKS);
        let passes = contents.intersects(Contents::PAWNS) && dash.capture;
        let is_known = !contents.intersects(Contents::EMPTY) && !becomes_another && !passes;
        is_known.then(|| Pieces { contents, squares }.standing(1))
    }

    /// Pieces on whose squares a side of a dash is.
    fn side(&self, side: &'q Option<Set>) -> Option<Pieces> {
        self.cover(&side.as_ref()?.kind)
    }

    /// What holds where a move fits that is played from here or led here.
    fn dash(&self, dash: &'q Dash) -> Known {
        let mut pieces = [&dash.left, &dash.right].into_iter().flatten();
        pieces.try_for_each(|set| self.set(&set.kind).map(|_| ()))?;
        match &dash.promotion {
            None => Some(Prefilter::Open),
            Some(Promotion::Any) => Some(becomes(|_| true)),
            Some(Promotion::To(pieces)) => Some(becomes(|role| pieces.contents.have(role))),
            Some(Promotion::Letters(_)) => None,
        }
    }
}

/// The conditions of a chain of `or`, each of which is read once, however long the chain is.
fn alternatives(condition: &Node<CondExpr>) -> Vec<&Node<CondExpr>> {
    let mut found = Vec::new();
    let mut left = vec![condition];
    while let Some(condition) = left.pop() {
        match &condition.kind {
            CondExpr::Or(first, second) => left.extend([&**second, &**first]),
            _ => found.push(condition),
        }
    }
    found
}

/// The sets of a chain of `&`, each of which is read once, however long the chain is.
fn operands(set: &SetExpr) -> Vec<&SetExpr> {
    let mut found = Vec::new();
    let mut left = vec![set];
    while let Some(set) = left.pop() {
        match set {
            SetExpr::Intersection(first, second) => left.extend([&second.kind, &first.kind]),
            _ => found.push(set),
        }
    }
    found
}

/// A number without what only groups it.
fn without_groups(mut number: &NumExpr) -> &NumExpr {
    while let NumExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) = number {
        number = &value.kind;
    }
    number
}

/// What holds where from so many to so many plies come before.
fn plies(least: i64, most: i64) -> Prefilter {
    let limit = |plies: i64| u32::try_from(plies.max(0)).unwrap_or(u32::MAX);
    match (limit(least), limit(most)) {
        _ if most < 0 => Prefilter::Either(Vec::new()),
        (0, u32::MAX) => Prefilter::Open,
        (least, most) => Prefilter::Plies(least, most),
    }
}

/// What holds where a designator is not empty.
fn standing(designator: &Designator) -> Prefilter {
    Pieces::from(designator).standing(1)
}

fn becomes(asked: impl Fn(Role) -> bool) -> Prefilter {
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    let asked = roles.into_iter().filter(|role| asked(*role));
    Prefilter::Either(
        asked
            .map(|role| elsewhere(Prefilter::Event(Event::Promotion(role))))
            .collect(),
    )
}
