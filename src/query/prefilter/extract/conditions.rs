//! Extracts what must hold where a condition matches.

use std::cell::OnceCell;
use std::iter;

use shakmaty::CastlingSide;

use super::extractor::{Enclosing, Extractor, Requirement, both, next, nothing};
use crate::board::Board;
use crate::query::algebra::{BoardCond, BoardSet, Pieces, placed, same_board};
use crate::query::ast::node::{Flow, Set};
use crate::query::ast::numbers::{Fact, FindCount, Measure};
use crate::query::ast::variables::Variable;
use crate::query::ast::{
    Bound, Comparison, Cond, CondExpr, Find, Header, Imagined, Node, NumExpr, PosExpr, Range, SetExpr, StrExpr,
};
use crate::query::facts::bindings::Bindings;
use crate::query::facts::purity::Purity;
use crate::query::prefilter::condition::{BoardTest, Event, MOST_CHOICES, Prefilter, all, either, elsewhere};
use crate::syntax::token::Span;

/// A test that takes at most this many instructions per position is as fast as testing its parts.
const QUICK: u32 = 50;

impl Prefilter {
    /// Extracts what holds at all positions where a body matches or does anything but fail. Sort keys of a game without matches are not
    /// seen, unless such games are wanted.
    pub(crate) fn of(body: &Cond, purity: Purity<'_>, header: &Header) -> Prefilter {
        all(prefix(body, purity, !header.matches(0)))
    }
}

/// Collects what holds where a condition matches, up to the first part that is not known to be pure. `drops_keys` says that sort keys need
/// not be recorded if nothing matches.
fn prefix(condition: &Node<CondExpr>, purity: Purity<'_>, drops_keys: bool) -> Vec<Prefilter> {
    let extractor = Extractor {
        purity,
        inside: None,
        names: 0,
    };
    let mut found = Vec::new();
    if let Err(unknown) = extractor.prefix(condition, &mut found) {
        found.extend(extractor.sorted(unknown, drops_keys));
    }
    found
}

/// Returns what must hold of the board if `currentfen` or `fen` equals a text.
fn board_of_fen(string: &StrExpr) -> Vec<BoardCond> {
    let StrExpr::Compare(Comparison::Equal, left, right) = string else {
        return Vec::new();
    };
    match (&left.kind, &right.kind) {
        (StrExpr::CurrentFen | StrExpr::Fen, StrExpr::Literal(fen))
        | (StrExpr::Literal(fen), StrExpr::CurrentFen | StrExpr::Fen) => {
            let pieces = fen.split(|byte| *byte == b' ').next().unwrap_or_default();
            let board = shakmaty::Board::from_ascii_board_fen(pieces);
            board.map_or(Vec::new(), |board| same_board(&Board::from(&board)))
        }
        _ => Vec::new(),
    }
}

fn event(event: Event) -> Requirement {
    Some(Prefilter::Event(event))
}

/// Adds the test of a condition, if it can be tested on many positions at once, to what is already `known` to hold.
fn held(condition: Option<BoardCond>, span: Span, known: Prefilter) -> Prefilter {
    match condition {
        // The prefilter says the same.
        None | Some(BoardCond::Any(BoardSet::Pieces(..)) | BoardCond::Count(BoardSet::Pieces(..), ..)) => known,
        // Most positions are not check, so this would rule out little.
        Some(BoardCond::Not(denied)) if *denied == BoardCond::Check => known,
        Some(condition) => {
            let held = BoardTest::new(condition, Some(span));
            all(vec![known, Prefilter::Holds(held)])
        }
    }
}

/// Adds a necessary test of a condition that cannot itself be tested on many positions at once to what is already `known` to hold.
fn at_least(necessary: Option<BoardCond>, span: Span, known: Prefilter) -> Prefilter {
    match necessary {
        // The prefilter says the same, as in `held`.
        Some(BoardCond::Any(BoardSet::Pieces(..) | BoardSet::Squares(_))) => known,
        Some(necessary) => all(vec![known, Prefilter::Holds(BoardTest::necessary(necessary, span))]),
        None => known,
    }
}

/// The maximum number of aliases that are followed, in one block or in nested blocks.
const MOST_NAMES: u32 = 16;

impl<'q> Extractor<'q, '_> {
    /// Collects what holds where a condition matches, up to the first part that is not known to be pure, which is returned as an error.
    pub(super) fn prefix(
        &self,
        condition: &'q Node<CondExpr>,
        prefilters: &mut Vec<Prefilter>,
    ) -> Result<(), &'q Node<CondExpr>> {
        match &condition.kind {
            CondExpr::Flow(Flow::Block { tests, value }) => self.prefix_of_block(tests, value, prefilters),
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

    fn prefix_of_block(
        &self,
        tests: &'q [Cond],
        value: &'q Node<CondExpr>,
        prefilters: &mut Vec<Prefilter>,
    ) -> Result<(), &'q Node<CondExpr>> {
        for (index, test) in tests.iter().enumerate() {
            self.prefix(test, prefilters)?;
            if let Some((variable, set)) = self.named(test) {
                let rest = &tests[index + 1..];
                return self.with_name(variable, set, |extractor| {
                    extractor.prefix_of_block(rest, value, prefilters)
                });
            }
        }
        self.prefix(value, prefilters)
    }

    /// Returns what must hold for a sort key of a game to be recorded, if keys do not matter in games without a match.
    fn sorted(&self, condition: &'q Node<CondExpr>, drops_keys: bool) -> Requirement {
        let CondExpr::HasNumber(number) = &condition.kind else {
            return None;
        };
        // The value of a comparison or a `sort` is the value of its left side.
        let unsorted = |number: &'q NumExpr| match without_groups(number) {
            NumExpr::Sort(_, value) if drops_keys => Some(without_groups(&value.kind)),
            _ => None,
        };
        match without_groups(&number.kind) {
            NumExpr::Compare(comparison, left, right) => self.compared(*comparison, unsorted(&left.kind)?, &right.kind),
            sorted => self.number(unsorted(sorted)?),
        }
    }

    /// Returns what holds where one of several alternatives matches or does anything but fail: the front of one of them.
    fn fronts(&self, condition: &'q Node<CondExpr>) -> Requirement {
        let front = |choice: &'q Node<CondExpr>| {
            let mut found = Vec::new();
            // An impure part only ends the front: another alternative may match.
            let _ = self.prefix(choice, &mut found);
            all(found)
        };
        match &condition.kind {
            CondExpr::Versions(versions) => Some(either(versions.copies.iter().map(|copy| front(copy)).collect())),
            CondExpr::Or(left, right) => {
                let choices = CondExpr::alternatives([left, right]).into_iter();
                Some(either(choices.map(|choice| front(choice)).collect()))
            }
            CondExpr::HasNumber(number) => match &number.kind {
                // A path that fails has no effect, whatever it does where it matches.
                NumExpr::Path(path) if self.purity.inside_path(path) => Some(self.path(path)),
                NumExpr::Path(path) if !matches!(path.range, Some(Range::Within(..))) => self.first_move(path),
                NumExpr::Line(line) if self.purity.inside_line(line) => Some(self.items(line)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns what holds where a condition matches.
    pub(super) fn condition(&self, condition: &'q Node<CondExpr>) -> Requirement {
        match &condition.kind {
            CondExpr::Constant(true) => Some(Prefilter::Open),
            CondExpr::Constant(false) => Some(Prefilter::Either(Vec::new())),
            CondExpr::ToMove(color) => Some(Prefilter::ToMove(*color)),
            CondExpr::Initial => Some(Prefilter::Initial),
            CondExpr::Terminal => Some(Prefilter::Terminal),
            CondExpr::NonEmpty(set) => Some(self.exactly(condition, self.set(&set.kind)?)),
            CondExpr::Placement(designators) => {
                Some(all(placed(designators).into_iter().map(Prefilter::of_board).collect()))
            }
            CondExpr::AllFused(fused) => {
                let domain = self.set(&fused.domain.kind)?;
                Some(self.exactly(condition, nothing(domain)))
            }
            CondExpr::HasNumber(number) => Some(self.exactly(condition, self.number(&number.kind)?)),
            CondExpr::Not(denied) => {
                let known = self.condition(denied)?;
                Some(self.exactly(condition, nothing(known)))
            }
            CondExpr::And(left, right) => self.each(CondExpr::conjuncts([left, right])).map(all),
            CondExpr::Or(left, right) => self.each(CondExpr::alternatives([left, right])).map(either),
            CondExpr::SameSet(left, right) | CondExpr::Subset(left, right) => {
                let known = both(self.set(&left.kind), self.set(&right.kind))?;
                Some(self.exactly(condition, nothing(known)))
            }
            CondExpr::Move(fitting) => {
                let is_pure = self.pure(|purity| purity.condition(&condition.kind));
                Some(self.exactly(condition, both(is_pure, Some(self.move_of(fitting)))?))
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
                let known = self.one_of(&versions.copies, |extractor, copy| extractor.condition(copy))?;
                // Sets that have names around the copies are the same in both, so they are not mirrored.
                if versions.exchange_colors && self.inside.is_none() {
                    return Some(known.asked_as_seen(condition.span));
                }
                // A few copies that are expensive to test are tested one by one, after their cheaper parts.
                match self.exactly(condition, Prefilter::Open) {
                    Prefilter::Holds(held) if held.work > QUICK && versions.copies.len() <= MOST_CHOICES => Some(known),
                    Prefilter::Open => Some(known),
                    exact => Some(all(vec![elsewhere(known), exact])),
                }
            }
            CondExpr::HasString(string) => both(
                self.pure(|purity| purity.condition(&condition.kind)),
                Some(all(board_of_fen(&string.kind)
                    .into_iter()
                    .map(Prefilter::of_board)
                    .collect())),
            ),
            CondExpr::HasPosition(position) => self.position(&position.kind),
            CondExpr::Flow(Flow::Imagined(Imagined::Pass, asked)) => {
                let after = self.condition(asked).unwrap_or(Prefilter::Open);
                both(
                    self.pure(|purity| purity.condition(&condition.kind)),
                    Some(after.before_pass()),
                )
            }
            CondExpr::Flow(form) => self.flow(form, |extractor, value| extractor.condition(value)),
            _ => self.pure(|purity| purity.condition(&condition.kind)),
        }
    }

    /// Returns what holds where each of these conditions matches, one by one.
    fn each(&self, conditions: Vec<&'q Cond>) -> Option<Vec<Prefilter>> {
        conditions
            .into_iter()
            .map(|condition| self.condition(condition))
            .collect()
    }

    /// Returns an open prefilter if a part is pure.
    pub(super) fn pure(&self, is_pure: impl FnOnce(Purity<'q>) -> bool) -> Requirement {
        is_pure(self.purity).then_some(Prefilter::Open)
    }

    /// Returns the bindings of the query.
    pub(super) fn bindings(&self) -> &'q Bindings {
        self.purity.bindings
    }

    /// Returns the variable and the set if a condition only introduces an alias, unless there are too many already.
    fn named(&self, condition: &'q Node<CondExpr>) -> Option<(Variable, &'q Set)> {
        let (variable, set) = self.bindings().named(condition)?;
        (self.names < MOST_NAMES).then_some((Variable::Set(variable), set))
    }

    /// Reads the rest of a block in which a set has a name.
    fn with_name<T>(&self, variable: Variable, set: &'q Set, read: impl FnOnce(&Extractor<'q, '_>) -> T) -> T {
        let names = self.names + 1;
        self.with(variable, set, |extractor| read(&Extractor { names, ..*extractor }))
    }

    /// Reads the inside of a loop or block in which a variable holds squares of a set.
    pub(super) fn with<T>(&self, variable: Variable, set: &'q Set, read: impl FnOnce(&Extractor<'q, '_>) -> T) -> T {
        let inside = Enclosing {
            variable,
            set,
            cover: OnceCell::new(),
            squares: OnceCell::new(),
            around: self.inside,
        };
        read(&Extractor {
            inside: Some(&inside),
            ..*self
        })
    }

    /// Returns the loop or block that gives a variable its value, and the extractor for that value.
    fn inside(&self, variable: Variable) -> Option<(&Enclosing<'q, '_>, Self)> {
        let mut around = iter::successors(self.inside, |inside| inside.around);
        let inside = around.find(|inside| inside.variable == variable)?;
        let inside_of = Extractor {
            inside: inside.around,
            ..*self
        };
        Some((inside, inside_of))
    }

    /// Returns whether a loop already tests what a condition requires of a set. Either the set is itself a loop and tests its domain, or an
    /// enclosing loop was narrowed to squares for which the condition can hold.
    fn is_asked_by_loops(&self, condition: &Node<CondExpr>) -> bool {
        let CondExpr::NonEmpty(set) = &condition.kind else {
            return false;
        };
        let is_asked_by = |mut domain: &'q Set| {
            while let SetExpr::FusedLoop(fused) = &domain.kind {
                if fused.kept.span == condition.span {
                    return true;
                }
                domain = &fused.domain;
            }
            false
        };
        let mut loops = iter::successors(self.inside, |inside| inside.around);
        matches!(set.kind, SetExpr::Each(_)) || loops.any(|inside| is_asked_by(inside.set))
    }

    /// Returns the pieces that may be on the squares of a variable. This is computed once for each variable, as in the next method.
    pub(super) fn cover_of(&self, variable: Variable) -> Option<Pieces> {
        let (inside, extractor) = self.inside(variable)?;
        *inside.cover.get_or_init(|| extractor.cover(&inside.set.kind))
    }

    /// Returns a set that contains the squares of a variable, for many positions at once.
    fn around(&self, variable: Variable) -> Option<BoardSet> {
        let (inside, extractor) = self.inside(variable)?;
        let containing = || {
            BoardSet::containing(&inside.set.kind, self.bindings(), &|variable| {
                extractor.around(variable)
            })
        };
        inside.squares.get_or_init(containing).clone()
    }

    /// Returns the extractor for expressions evaluated at another position, where the squares of loops have other contents.
    pub(super) fn away(&self) -> Self {
        Extractor {
            inside: None,
            names: 0,
            ..*self
        }
    }

    /// Adds a condition without effects to what is already `known` to hold: the condition itself if it can be tested on many positions at
    /// once and rules out more, or else a necessary condition.
    fn exactly(&self, condition: &Node<CondExpr>, known: Prefilter) -> Prefilter {
        match BoardCond::of(&condition.kind, self.bindings()) {
            None if self.is_asked_by_loops(condition) => known,
            None => {
                let necessary =
                    BoardCond::necessary(&condition.kind, self.bindings(), &|variable| self.around(variable));
                at_least(necessary, condition.span, known)
            }
            exact => held(exact, condition.span, known),
        }
    }

    /// Returns what holds where a loop without effects finds something: its domain has squares, and its body holds for one of them. `None`
    /// if the variable may already have a value, which ends the run.
    pub(super) fn looped(&self, variable: Variable, domain: &'q Set, body: &'q Node<CondExpr>) -> Requirement {
        let known = self.set(&domain.kind)?;
        self.with(variable, domain, |extractor| {
            let known = match BoardCond::any(&domain.kind, self.bindings()) {
                None => at_least(extractor.around(variable).map(BoardCond::Any), domain.span, known),
                any => held(any, domain.span, known),
            };
            let of_body = extractor.condition(body).unwrap_or(Prefilter::Open);
            self.bindings().is_of_loops(variable).then(|| all(vec![known, of_body]))
        })
    }

    /// Returns what holds where one of these copies does.
    pub(super) fn one_of<K>(
        &self,
        copies: &'q [Box<Node<K>>],
        read: impl Fn(&Self, &'q Node<K>) -> Requirement,
    ) -> Requirement {
        let prefilters = copies.iter().map(|copy| read(self, copy));
        prefilters.collect::<Option<Vec<Prefilter>>>().map(either)
    }

    /// Returns what holds where a form passes on the value of its part.
    pub(super) fn flow<K>(
        &self,
        form: &'q Flow<Box<Node<K>>>,
        read: impl Fn(&Extractor<'q, '_>, &'q Node<K>) -> Requirement,
    ) -> Requirement {
        match form {
            Flow::Group(value) | Flow::Fixed(value) | Flow::Traced(_, value) => read(self, value),
            Flow::Block { tests, value }
            | Flow::Call {
                arguments: tests,
                body: value,
            } => self.block(tests, &|extractor: &Extractor<'q, '_>| read(extractor, value)),
            Flow::If { test, yes, no } => {
                let yes = both(self.condition(test), read(self, yes));
                Some(either(vec![yes?, read(self, no)?]))
            }
            Flow::At { position, value } => {
                both(self.position(&position.kind), read(&self.away(), value).map(elsewhere))
            }
            Flow::Dash(dash, value) => both(self.next_move(dash), read(&self.away(), value).map(next)),
            Flow::Previous(dash, value) => both(self.away().last_move(dash), read(self, value)),
            _ => None,
        }
    }

    /// Returns what holds where the tests do, and then what `read` returns.
    fn block(&self, tests: &'q [Cond], read: &dyn Fn(&Extractor<'q, '_>) -> Requirement) -> Requirement {
        let mut found = Vec::new();
        for (index, test) in tests.iter().enumerate() {
            found.push(self.condition(test)?);
            if let Some((variable, set)) = self.named(test) {
                let rest = &tests[index + 1..];
                found.push(self.with_name(variable, set, |extractor| extractor.block(rest, read))?);
                return Some(all(found));
            }
        }
        found.push(read(self)?);
        Some(all(found))
    }

    /// Returns what holds where a number has a value.
    fn number(&self, number: &'q NumExpr) -> Requirement {
        match number {
            NumExpr::Literal(_) | NumExpr::Fact(Fact::Ply | Fact::MoveNumber | Fact::PositionId | Fact::SideToMove) => {
                Some(Prefilter::Open)
            }
            NumExpr::Evaluation(_) | NumExpr::Measure(Measure::EvalDepth) => event(Event::Evaluation),
            NumExpr::Measure(Measure::Clock | Measure::Elapsed) => event(Event::Clock),
            NumExpr::TimeControl(_) => Some(Prefilter::Open),
            NumExpr::Endgame { most_men, .. } => Some(Prefilter::of_board(BoardCond::count(Pieces::ALL, 0, *most_men))),
            NumExpr::Compare(comparison, left, right) => self.compared(*comparison, &left.kind, &right.kind),
            NumExpr::Count(set) => self.set(&set.kind).map(nothing),
            NumExpr::Negate(number) | NumExpr::Abs(number) => self.number(&number.kind),
            NumExpr::Arithmetic(_, left, right) => both(self.number(&left.kind), self.number(&right.kind)),
            NumExpr::Find(find, count) if self.purity.number(number) => {
                let least = match count {
                    FindCount::All => 1,
                    FindCount::Within(Range::Within(Bound::Number(least), Bound::Number(most))) => *least.min(most),
                    FindCount::Within(_) => 0,
                };
                Some(self.found(find, least.into()))
            }
            NumExpr::Line(line) if self.purity.number(number) => Some(self.items(line)),
            NumExpr::Path(path) if self.purity.number(number) => Some(self.path(path)),
            NumExpr::Flow(form) => self.flow(form, |extractor, value| extractor.number(&value.kind)),
            _ => self.pure(|purity| purity.number(number)),
        }
    }

    /// Returns what holds where a position has a value.
    fn position(&self, position: &'q PosExpr) -> Requirement {
        match position {
            PosExpr::Find(find) if self.purity.position(position) => Some(self.found(find, 1)),
            PosExpr::Flow(form) => self.flow(form, |extractor, value| extractor.position(&value.kind)),
            _ => self.pure(|purity| purity.position(position)),
        }
    }

    /// Returns what holds where a `find` without effects finds at least this many positions.
    fn found(&self, find: &'q Find, least: i64) -> Prefilter {
        if least < 1 {
            return Prefilter::Open;
        }
        let known = self.away().condition(&find.body).map_or(Prefilter::Open, elsewhere);
        let often = BoardCond::of(&find.body.kind, self.bindings()).map(|condition| {
            let held = BoardTest::new(condition, Some(find.body.span));
            Prefilter::Often(held, u32::try_from(least).unwrap_or(u32::MAX))
        });
        all(often.into_iter().chain([known]).collect())
    }

    /// Returns what holds where a comparison of two numbers holds.
    fn compared(&self, comparison: Comparison, left: &'q NumExpr, right: &'q NumExpr) -> Requirement {
        // Each side is read once, however deeply comparisons nest.
        let number = without_groups(left);
        let asks_more = match number {
            NumExpr::Count(_) | NumExpr::Fact(_) => true,
            NumExpr::CountLookahead(_) | NumExpr::Find(_, FindCount::All) => self.purity.number(number),
            _ => false,
        };
        let (true, NumExpr::Literal(limit)) = (asks_more, right) else {
            return both(self.number(left), self.number(right));
        };
        let (least, most) = comparison.range(i64::from(*limit));
        if most < 0 && !matches!(number, NumExpr::Fact(Fact::SideToMove)) {
            return self.number(number).map(|_| Prefilter::Either(Vec::new()));
        }
        match number {
            NumExpr::Count(set) => self.counted(&set.kind, least, most),
            NumExpr::CountLookahead(moves) if least > 0 => Some(self.tried(moves)),
            NumExpr::Find(find, _) => Some(self.found(find, least.max(1))),
            NumExpr::Fact(Fact::Ply) => Some(plies(least, most)),
            // If Black begins, there is only one ply with the first move number.
            NumExpr::Fact(Fact::MoveNumber) => Some(plies(
                least.saturating_sub(1).saturating_mul(2).saturating_sub(1),
                most.saturating_sub(1).saturating_mul(2).saturating_add(1),
            )),
            other => self.number(other),
        }
    }
}

/// Returns a number without parentheses and the like.
fn without_groups(mut number: &NumExpr) -> &NumExpr {
    while let NumExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) = number {
        number = &value.kind;
    }
    number
}

/// Returns what holds where the number of plies before the position is in a range.
fn plies(least: i64, most: i64) -> Prefilter {
    let limit = |plies: i64| u32::try_from(plies.max(0)).unwrap_or(u32::MAX);
    match (limit(least), limit(most)) {
        _ if most < 0 => Prefilter::Either(Vec::new()),
        (0, u32::MAX) => Prefilter::Open,
        (least, most) => Prefilter::Plies(least, most),
    }
}
