//! What must hold where a condition matches.

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

/// What takes no more instructions than this for a position is as quick to ask as any part of it.
const QUICK: u32 = 50;

impl Prefilter {
    /// What the positions have in common where a body matches or does anything but fail. Of a game without a match nobody sees by what
    /// it would be sorted, unless such games are wanted.
    pub(crate) fn of(body: &Cond, purity: Purity<'_>, header: &Header) -> Prefilter {
        all(prefix(body, purity, !header.matches(0)))
    }
}

/// Collects what holds where a condition matches, up to the first part that is not known to be without effects. If `drops_keys`,
/// it may be that what the game is sorted by is not noted where nothing matches.
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

/// What holds of the board where `currentfen` or `fen` is the same as a text.
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

/// What holds where a condition does, if that is `known` and this is the condition for many positions at once.
fn held(condition: Option<BoardCond>, span: Span, known: Prefilter) -> Prefilter {
    match condition {
        // The prefilter says as much.
        None | Some(BoardCond::Any(BoardSet::Pieces(..)) | BoardCond::Count(BoardSet::Pieces(..), ..)) => known,
        // Most positions are none.
        Some(BoardCond::Not(denied)) if *denied == BoardCond::Check => known,
        Some(condition) => {
            let held = BoardTest::new(condition, Some(span));
            all(vec![known, Prefilter::Holds(held)])
        }
    }
}

/// What holds where a condition does that cannot be asked of many positions at once: what is `known` of it, and what is `necessary` for it.
fn at_least(necessary: Option<BoardCond>, span: Span, known: Prefilter) -> Prefilter {
    match necessary {
        // As of a part that can be asked of many positions, the prefilter says as much.
        Some(BoardCond::Any(BoardSet::Pieces(..) | BoardSet::Squares(_))) => known,
        Some(necessary) => all(vec![known, Prefilter::Holds(BoardTest::necessary(necessary, span))]),
        None => known,
    }
}

/// This many names are looked behind, in one block or blocks inside of each other.
const MOST_NAMES: u32 = 16;

impl<'q> Extractor<'q, '_> {
    /// Collects what holds where a condition matches, up to the first part that is not known to be without effects, which is given
    /// back.
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

    /// What holds of a game where what it is sorted by is noted, if nothing comes of that where there is no match.
    fn sorted(&self, condition: &'q Node<CondExpr>, drops_keys: bool) -> Requirement {
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
    fn fronts(&self, condition: &'q Node<CondExpr>) -> Requirement {
        let front = |choice: &'q Node<CondExpr>| {
            let mut found = Vec::new();
            // What stops it is not looked at: another choice may match.
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
                // One that fails leaves nothing behind, whatever it does where it matches.
                NumExpr::Path(path) if self.purity.inside_path(path) => Some(self.path(path)),
                NumExpr::Path(path) if !matches!(path.range, Some(Range::Within(..))) => self.first_move(path),
                NumExpr::Line(line) if self.purity.inside_line(line) => Some(self.items(line)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What holds where a condition matches.
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
                // Sets that are named around the copies are the same in both, and not mirrored.
                if versions.exchange_colors && self.inside.is_none() {
                    return Some(known.asked_as_seen(condition.span));
                }
                // A few copies that are long to ask for are asked for one by one, with the quicker questions first.
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

    /// What holds where each of some conditions does.
    fn each(&self, conditions: Vec<&'q Cond>) -> Option<Vec<Prefilter>> {
        conditions
            .into_iter()
            .map(|condition| self.condition(condition))
            .collect()
    }

    /// Requires nothing if a part is pure.
    pub(super) fn pure(&self, is_pure: impl FnOnce(Purity<'q>) -> bool) -> Requirement {
        is_pure(self.purity).then_some(Prefilter::Open)
    }

    /// The variables of which nobody reads a value from before.
    pub(super) fn bindings(&self) -> &'q Bindings {
        self.purity.bindings
    }

    /// The name of a set and the set, if a condition does nothing but name it for the rest of a block, and not too many have names.
    fn named(&self, condition: &'q Node<CondExpr>) -> Option<(Variable, &'q Set)> {
        let (variable, set) = self.bindings().named(condition)?;
        (self.names < MOST_NAMES).then_some((Variable::Set(variable), set))
    }

    /// What is extracted from the rest of a block in which a set has a name.
    fn with_name<T>(&self, variable: Variable, set: &'q Set, read: impl FnOnce(&Extractor<'q, '_>) -> T) -> T {
        let names = self.names + 1;
        self.with(variable, set, |extractor| read(&Extractor { names, ..*extractor }))
    }

    /// What is extracted from the inside where a variable stands for squares of a set.
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

    /// What has given a variable its value, and the extractor of that value.
    fn inside(&self, variable: Variable) -> Option<(&Enclosing<'q, '_>, Self)> {
        let mut around = iter::successors(self.inside, |inside| inside.around);
        let inside = around.find(|inside| inside.variable == variable)?;
        let inside_of = Extractor {
            inside: inside.around,
            ..*self
        };
        Some((inside, inside_of))
    }

    /// Whether what a condition takes of a set is asked by a loop: by itself, of what it goes round, or by one of those that are being read,
    /// which goes round only squares for which the condition can hold.
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
        matches!(set.kind, SetExpr::Squares(_) | SetExpr::Pieces(_)) || loops.any(|inside| is_asked_by(inside.set))
    }

    /// On which pieces the squares of a variable are. This and the next are found once, however often the variable is read.
    pub(super) fn cover_of(&self, variable: Variable) -> Option<Pieces> {
        let (inside, extractor) = self.inside(variable)?;
        *inside.cover.get_or_init(|| extractor.cover(&inside.set.kind))
    }

    /// What contains the squares of a variable, for many positions at once.
    fn around(&self, variable: Variable) -> Option<BoardSet> {
        let (inside, extractor) = self.inside(variable)?;
        let containing = || {
            BoardSet::containing(&inside.set.kind, self.bindings(), &|variable| {
                extractor.around(variable)
            })
        };
        inside.squares.get_or_init(containing).clone()
    }

    /// The extractor of what is evaluated at another position, where the squares of loops have other contents.
    pub(super) fn away(&self) -> Self {
        Extractor {
            inside: None,
            names: 0,
            ..*self
        }
    }

    /// What holds where a condition does, if that is `known` so far and nothing of it has an effect: the condition itself, where it
    /// can be asked of many positions at once and what is known would leave many of them; else what it takes.
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

    /// What holds where a loop without effects finds something: there are squares that it goes round, and what its body says of one of
    /// them. Nothing is known where its variable may have a value already, which ends the run.
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

    /// What holds where one of some copies does.
    pub(super) fn one_of<K>(
        &self,
        copies: &'q [Box<Node<K>>],
        read: impl Fn(&Self, &'q Node<K>) -> Requirement,
    ) -> Requirement {
        let prefilters = copies.iter().map(|copy| read(self, copy));
        prefilters.collect::<Option<Vec<Prefilter>>>().map(either)
    }

    /// What holds where a form has the value that its part has.
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

    /// What holds where tests do and then something that is read.
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

    /// What holds where a number has a value.
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

    /// What holds where there is a position.
    fn position(&self, position: &'q PosExpr) -> Requirement {
        match position {
            PosExpr::Find(find) if self.purity.position(position) => Some(self.found(find, 1)),
            PosExpr::Flow(form) => self.flow(form, |extractor, value| extractor.position(&value.kind)),
            _ => self.pure(|purity| purity.position(position)),
        }
    }

    /// What holds where a `find` without effects finds this many positions.
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

    /// What holds where two numbers compare as asked.
    fn compared(&self, comparison: Comparison, left: &'q NumExpr, right: &'q NumExpr) -> Requirement {
        // Each side is read once, however deep comparisons stand in each other.
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
            // Where Black begins there is one move of the first number, not two.
            NumExpr::Fact(Fact::MoveNumber) => Some(plies(
                least.saturating_sub(1).saturating_mul(2).saturating_sub(1),
                most.saturating_sub(1).saturating_mul(2).saturating_add(1),
            )),
            other => self.number(other),
        }
    }
}

/// A number without what only groups it.
fn without_groups(mut number: &NumExpr) -> &NumExpr {
    while let NumExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) = number {
        number = &value.kind;
    }
    number
}

/// What holds where the plies that come before are in a range.
fn plies(least: i64, most: i64) -> Prefilter {
    let limit = |plies: i64| u32::try_from(plies.max(0)).unwrap_or(u32::MAX);
    match (limit(least), limit(most)) {
        _ if most < 0 => Prefilter::Either(Vec::new()),
        (0, u32::MAX) => Prefilter::Open,
        (least, most) => Prefilter::Plies(least, most),
    }
}
