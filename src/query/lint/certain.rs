//! Warns of conditions that are certain to match or not to match.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::warning::{Lint, Warning, warning};
use crate::board::{Bitboard, Contents};
use crate::query::ast::moves::Imagined;
use crate::query::ast::node::{Cond, Expression, Flow, Node, Num, Set};
use crate::query::ast::numbers::{Fact, FindCount};
use crate::query::ast::visit::{Child, Children};
use crate::query::ast::{Bound, Comparison, CondExpr, Find, NumExpr, PosExpr, Range, SetExpr, required};
use crate::query::facts::intervals;
use crate::query::facts::intervals::{Interval, decided, fixed, interval};
use crate::syntax::Diagnostic;
use crate::syntax::token::{Designator, Sign, Span, Token, TokenKind};

pub(super) fn check(body: &Cond, tokens: &[Token], warnings: &mut Vec<Warning>) {
    let mut findings = Findings {
        tokens,
        seen: BTreeMap::new(),
        unequal: BTreeSet::new(),
    };
    findings.visit(Child::Condition(body));
    let certain = findings
        .seen
        .into_values()
        .filter(|seen| seen.suspected == seen.looked_at);
    warnings.extend(certain.filter_map(|seen| seen.warning));
}

/// What was found for each text. Transforms and calls make several filters from one text.
struct Findings<'t> {
    tokens: &'t [Token],
    seen: BTreeMap<(Span, Question), Seen>,
    /// The texts of `!=` comparisons: the inner comparison is one by `==`.
    unequal: BTreeSet<Span>,
}

/// The question about a filter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Question {
    Comparison,
    Range,
    Emptiness,
    Value,
    Part,
    Together,
    Removal,
    Unit,
}

#[derive(Default)]
struct Seen {
    looked_at: usize,
    suspected: usize,
    warning: Option<Warning>,
}

impl Findings<'_> {
    /// Records whether a comparison holds. If it is written as `!=`, the opposite is recorded.
    fn compared(&mut self, span: Span, holds: Option<bool>, hints: impl FnOnce(Diagnostic) -> Diagnostic) {
        let found = holds.map(|holds| {
            let holds = holds != self.unequal.contains(&span);
            let message = format!("this comparison {} holds", if holds { "always" } else { "never" });
            let mut found = always(holds, span, message);
            found.diagnostic = hints(found.diagnostic);
            found
        });
        self.note(span, Question::Comparison, found);
    }

    /// Returns whether `not` comes before a filter. If a negated filter has no `not`, it is a comparison by `!=`.
    fn is_after_not(&self, span: Span) -> bool {
        let first = self.tokens.partition_point(|token| token.span.start < span.start);
        let before = first.checked_sub(1).map(|before| &self.tokens[before].kind);
        before == Some(&TokenKind::Word("not"))
    }

    fn note(&mut self, span: Span, question: Question, found: Option<Warning>) {
        let seen = self.seen.entry((span, question)).or_default();
        seen.looked_at += 1;
        if let Some(found) = found {
            seen.suspected += 1;
            seen.warning = Some(found);
        }
    }

    fn visit(&mut self, child: Child<'_>) {
        if let Some(pieces) = taken_away(&child) {
            self.note(pieces.span, Question::Removal, removal_warning(pieces));
        }
        match child {
            Child::Condition(condition) => {
                self.condition(condition);
                condition.kind.children(&mut |part| self.visit(part));
            }
            Child::Number(number) => {
                match &number.kind {
                    NumExpr::Compare(comparison, left, right) => {
                        let holds = decided(*comparison, interval(&left.kind), interval(&right.kind));
                        let tokens = self.tokens;
                        self.compared(number.span, holds, |error| {
                            let error = with_ranges(error, [left, right]);
                            match holds {
                                Some(false) => with_not_find(error, left, right, tokens),
                                _ => error,
                            }
                        });
                        self.note(number.span, Question::Unit, unit_warning(left, right));
                    }
                    NumExpr::Find(_, FindCount::Within(range)) | NumExpr::CountVersions(_, range) => {
                        let found = range_warning(number.span, *range, self.tokens);
                        self.note(number.span, Question::Range, found);
                    }
                    _ => {}
                }
                number.kind.children(&mut |part| self.visit(part));
            }
            other => other.parts(&mut |part| self.visit(part)),
        }
    }

    fn condition(&mut self, condition: &Cond) {
        let span = condition.span;
        match &condition.kind {
            CondExpr::NonEmpty(set) => {
                self.note(span, Question::Emptiness, empty_warning(set, self.tokens));
            }
            CondExpr::HasNumber(number) => self.note(span, Question::Value, value_warning(number)),
            CondExpr::SameSet(left, right) => {
                let holds = are_same(left, right).then_some(true);
                self.compared(span, holds, |error| error.hint("both sides are the same set"));
            }
            CondExpr::Not(inner) if !self.is_after_not(inner.span) => {
                self.unequal.insert(inner.span);
            }
            CondExpr::Subset(left, right) => self.note(span, Question::Part, subset_warning(span, left, right)),
            CondExpr::And(..) | CondExpr::Flow(Flow::Block { .. }) => {
                self.note(span, Question::Together, together_warning(&required(condition)));
            }
            _ => {}
        }
    }
}

fn always(holds: bool, span: Span, message: String) -> Warning {
    let lint = if holds { Lint::AlwaysTrue } else { Lint::AlwaysFalse };
    warning(lint, Diagnostic::new(span, message))
}

/// Returns the pieces that a filter imagines away.
fn taken_away<'c>(child: &Child<'c>) -> Option<&'c Set> {
    fn from<E: Expression>(expression: &Node<E>) -> Option<&Set> {
        match expression.kind.as_flow()? {
            Flow::Imagined(Imagined::Without(pieces), _) => Some(pieces),
            _ => None,
        }
    }
    match child {
        Child::Set(set) => from(set),
        Child::Number(number) => from(number),
        Child::String(string) => from(string),
        Child::Condition(condition) => from(condition),
        _ => None,
    }
}

/// Warns of pieces that are imagined away but never there.
fn removal_warning(pieces: &Set) -> Option<Warning> {
    intervals::is_empty(&pieces.kind).then(|| {
        let error = Diagnostic::new(pieces.span, "nothing is taken off the board").label("this set is always empty");
        warning(Lint::Misread, error)
    })
}

/// Warns of an evaluation that is compared with so few centipawns that pawns are meant.
fn unit_warning(left: &Num, right: &Num) -> Option<Warning> {
    let is_evaluation = |number: &Num| matches!(number.kind, NumExpr::Evaluation(_));
    let limit = match (is_evaluation(left), is_evaluation(right)) {
        (true, false) => right,
        (false, true) => left,
        _ => return None,
    };
    let pawns = fixed(limit).filter(|pawns| (2..10).contains(&pawns.abs()))?;
    let error = Diagnostic::new(
        limit.span,
        format!("`eval` is in centipawns: this is {} of a pawn", hundredths(pawns)),
    )
    .change(limit.span, (pawns * 100).to_string());
    Some(warning(Lint::Misread, error))
}

/// Returns a number of hundredths as text, such as `-0.03`.
fn hundredths(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}0.{:02}", number.abs())
}

/// Adds the ranges of the sides of a comparison, as far as they are known.
fn with_ranges(error: Diagnostic, sides: [&Num; 2]) -> Diagnostic {
    sides.into_iter().fold(error, |error, side| {
        let known = interval(&side.kind);
        match &side.kind {
            NumExpr::Literal(_) => error,
            NumExpr::Find(_, FindCount::All) => {
                error.hint("`find all` has no value where nothing is found: `not find f` asks for that")
            }
            _ if known == Interval::ANY || known.least == known.most => error,
            _ if known.most == i64::from(i32::MAX) => error.hint(format!("the number is at least {}", known.least)),
            _ => error.hint(format!("the number is between {} and {}", known.least, known.most)),
        }
    })
}

/// Proposes `not find f` for `find all f == 0` and the like.
fn with_not_find(error: Diagnostic, left: &Num, right: &Num, tokens: &[Token]) -> Diagnostic {
    let (NumExpr::Find(_, FindCount::All), NumExpr::Literal(0)) = (&left.kind, &right.kind) else {
        return error;
    };
    let Some([find, all]) = within(tokens, left.span).first_chunk() else {
        return error;
    };
    let rest = Span {
        start: left.span.end,
        end: right.span.end,
    };
    error.fix(
        "Change to `not find`",
        [(find.span.to(all.span), "not find"), (rest, "")],
    )
}

/// Returns the tokens in a span.
fn within(tokens: &[Token], span: Span) -> &[Token] {
    let first = tokens.partition_point(|token| token.span.start < span.start);
    let end = tokens.partition_point(|token| token.span.end <= span.end);
    &tokens[first..end.max(first)]
}

/// Warns of a range that contains no number.
fn range_warning(span: Span, range: Range, tokens: &[Token]) -> Option<Warning> {
    let Range::Within(Bound::Number(least), Bound::Number(most)) = range else {
        return None;
    };
    (least > most).then(|| {
        let mut found = always(false, span, format!("no number is between {least} and {most}"));
        found.diagnostic = found.diagnostic.hint("the smaller bound of a range comes first");
        let bounds = within(tokens, span).windows(2).find_map(|pair| match pair {
            [left, right] if left.kind == TokenKind::Integer(least) && right.kind == TokenKind::Integer(most) => {
                Some(left.span.to(right.span))
            }
            _ => None,
        });
        if let Some(bounds) = bounds {
            found.diagnostic = found.diagnostic.change(bounds, format!("{most} {least}"));
        }
        found
    })
}

/// Warns of a set that is always empty, except `[]`, which says so openly.
fn empty_warning(set: &Set, tokens: &[Token]) -> Option<Warning> {
    if let SetExpr::Designator(designator) = &set.kind
        && !designator.has_contents
        && within(tokens, set.span)
            .first()
            .is_some_and(|square| square.span == set.span)
    {
        let mut found = always(true, set.span, "squares alone are never an empty set".to_owned());
        found.diagnostic = found
            .diagnostic
            .hint("pieces on squares are `[Aa]e4`, `Pe4`; a move to them is `--e4`")
            .fix("Ask for pieces there", [(set.span.before(), "[Aa]")])
            .fix("Ask for a move there", [(set.span.before(), "--")]);
        return Some(found);
    }
    if matches!(set.kind, SetExpr::Constant(_)) || !intervals::is_empty(&set.kind) {
        return None;
    }
    let mut found = always(false, set.span, "this set is always empty".to_owned());
    if let SetExpr::Intersection(left, right) = &set.kind {
        found.diagnostic = found
            .diagnostic
            .hint("`&` is what both sets have in common; `|` is all of both");
        let between = Span {
            start: left.span.end,
            end: right.span.start.max(left.span.end),
        };
        if let [sign] = within(tokens, between)
            && sign.kind == TokenKind::Sign(Sign::Intersect)
        {
            found.diagnostic = found.diagnostic.change(sign.span, "|");
        }
    }
    Some(found)
}

/// Warns of a number that always has a value and is used as a condition.
fn value_warning(number: &Num) -> Option<Warning> {
    let counts = matches!(number.kind, NumExpr::Count(_) | NumExpr::Fact(_)) && interval(&number.kind).always;
    counts.then(|| {
        let mut found = always(
            true,
            number.span,
            "a number that is not compared always matches".to_owned(),
        );
        if let NumExpr::Count(_) = number.kind {
            let sign = Span {
                end: number.span.start + 1,
                ..number.span
            };
            found.diagnostic = found
                .diagnostic
                .hint("a set matches where it is not empty: leave out the `#`")
                .fix("Leave out the `#`", [(sign, "")]);
        }
        found
    })
}

fn are_same(left: &Set, right: &Set) -> bool {
    let (left, right) = (intervals::designator(&left.kind), intervals::designator(&right.kind));
    left.zip(right)
        .is_some_and(|(left, right)| left.contents == right.contents && left.squares == right.squares)
}

fn subset_warning(span: Span, left: &Set, right: &Set) -> Option<Warning> {
    let (part, whole) = (intervals::designator(&left.kind)?, intervals::designator(&right.kind)?);
    let within = part.contents.0 & !whole.contents.0 == 0 && part.squares & whole.squares == part.squares;
    within.then(|| always(true, span, "the left set is always part of the right one".to_owned()))
}

/// Warns of two filters that must both match and exclude each other.
fn together_warning(parts: &[&Cond]) -> Option<Warning> {
    let mut known = Known::default();
    parts.iter().find_map(|part| {
        let other = known.excluded_by(part)?;
        let error = Diagnostic::new(part.span, "this cannot match where the filters before it do")
            .label("excluded")
            .related(other, "by this");
        let error = match &part.kind {
            CondExpr::Not(denied) => with_search_beside(error, denied),
            _ => error,
        };
        Some(warning(Lint::NeverMatches, error))
    })
}

/// A quantity that has one value at each position.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Quantity {
    Fact(Fact),
    /// The number of squares of a designator.
    Count(Contents, Bitboard),
}

/// What filters say about the position where they match.
#[derive(Default)]
struct Known {
    /// Whether White is to move, and whether there is check, mate or stalemate, if it is known.
    states: [Option<(bool, Span)>; 4],
    numbers: HashMap<Quantity, (Interval, Span)>,
    /// The contents of squares, in the order of the text, without those that follow from earlier ones.
    squares: HashMap<Bitboard, Vec<(Contents, Span)>>,
}

const CHECK: usize = 0;
const MATE: usize = 1;
const STALEMATE: usize = 2;
const WHITE_TO_MOVE: usize = 3;

impl Known {
    /// Returns the text of an earlier filter that excludes this one. If there is none, records what this one says.
    fn excluded_by(&mut self, part: &Cond) -> Option<Span> {
        let span = part.span;
        match &part.kind {
            CondExpr::ToMove(color) => self.state(WHITE_TO_MOVE, color.is_white(), span),
            CondExpr::Check => self.state(CHECK, true, span),
            CondExpr::Mate => self.state(MATE, true, span).or_else(|| self.state(CHECK, true, span)),
            CondExpr::Stalemate => self
                .state(STALEMATE, true, span)
                .or_else(|| self.state(CHECK, false, span)),
            CondExpr::Not(inner) => self.excludes(inner, span),
            CondExpr::NonEmpty(set) => match &set.kind {
                SetExpr::Legal(moves) if !moves.pseudo => self.mover_moves(span),
                SetExpr::Lookahead(moves) if !moves.pseudo => self.mover_moves(span),
                SetExpr::Flow(Flow::Imagined(Imagined::Pass, _)) => self.state(CHECK, false, span),
                kind => {
                    let pieces = intervals::designator(kind)?;
                    self.number(count(&pieces), Interval::satisfying(Comparison::GreaterEqual, 1), span)
                        .or_else(|| self.standing(&pieces, span))
                }
            },
            CondExpr::HasNumber(number) => match &number.kind {
                NumExpr::Flow(Flow::Imagined(Imagined::Pass, _)) => self.state(CHECK, false, span),
                number => self.compared(number, span),
            },
            CondExpr::Flow(Flow::Imagined(Imagined::Pass, _)) => self.state(CHECK, false, span),
            _ => None,
        }
    }

    /// Returns the text of an earlier filter that requires what `not` denies here. If there is none, records that this does not match.
    fn excludes(&mut self, denied: &Cond, span: Span) -> Option<Span> {
        match &denied.kind {
            CondExpr::Check => self.state(CHECK, false, span),
            CondExpr::Mate => self.state(MATE, false, span),
            CondExpr::Stalemate => self.state(STALEMATE, false, span),
            CondExpr::NonEmpty(set) => {
                let pieces = intervals::designator(&set.kind)?;
                self.number(count(&pieces), Interval::satisfying(Comparison::LessEqual, 0), span)
            }
            // A search begins at this position.
            _ => self.excludes(&search(denied)?.body, span),
        }
    }

    /// Records that the side to move has a legal move.
    fn mover_moves(&mut self, span: Span) -> Option<Span> {
        let ends = [MATE, STALEMATE].map(|end| self.state(end, false, span));
        ends.into_iter().flatten().next()
    }

    fn state(&mut self, state: usize, holds: bool, span: Span) -> Option<Span> {
        match self.states[state] {
            Some((other, place)) if other != holds => Some(place),
            _ => {
                self.states[state] = Some((holds, span));
                None
            }
        }
    }

    fn number(&mut self, quantity: Quantity, values: Interval, span: Span) -> Option<Span> {
        match self.numbers.entry(quantity) {
            Entry::Occupied(mut entry) => {
                let (known, place) = entry.get_mut();
                if known.and(values).is_empty() {
                    return Some(*place);
                }
                *known = known.and(values);
            }
            Entry::Vacant(entry) => drop(entry.insert((values, span))),
        }
        None
    }

    /// Records the contents of a single square, which cannot have two different ones.
    fn standing(&mut self, pieces: &Designator, span: Span) -> Option<Span> {
        if pieces.squares.count() != 1 {
            return None;
        }
        let known = self.squares.entry(pieces.squares).or_default();
        let excluding = known.iter().find(|(contents, _)| contents.0 & pieces.contents.0 == 0);
        let other = excluding.map(|(_, place)| *place);
        if known.iter().all(|(contents, _)| contents.0 & !pieces.contents.0 != 0) {
            known.push((pieces.contents, span));
        }
        other
    }

    /// Records a comparison or a chain of comparisons.
    fn compared(&mut self, number: &NumExpr, span: Span) -> Option<Span> {
        let NumExpr::Compare(comparison, left, right) = number else {
            return None;
        };
        if let NumExpr::Compare(_, first, _) = &right.kind {
            return self
                .relation(*comparison, left, first, span)
                .or_else(|| self.compared(&right.kind, span));
        }
        self.relation(*comparison, left, right, span)
    }

    fn relation(&mut self, comparison: Comparison, left: &Num, right: &Num, span: Span) -> Option<Span> {
        if let (Some(quantity), Some(limit)) = (quantity(&left.kind), fixed(right)) {
            return self.number(quantity, Interval::satisfying(comparison, limit), span);
        }
        let (Some(limit), Some(quantity)) = (fixed(left), quantity(&right.kind)) else {
            return None;
        };
        self.number(quantity, Interval::satisfying(comparison.mirrored(), limit), span)
    }
}

/// Returns the search of a condition `find f`.
fn search(condition: &Cond) -> Option<&Find> {
    let CondExpr::HasPosition(position) = &condition.kind else {
        return None;
    };
    match &position.kind {
        PosExpr::Find(find) => Some(find),
        _ => None,
    }
}

/// If a search that finds nothing is required, proposes to begin it beside the current position.
fn with_search_beside(error: Diagnostic, denied: &Cond) -> Diagnostic {
    let Some(find) = search(denied) else {
        return error;
    };
    let beside = if find.backward { "parent:" } else { "child:" };
    let start = Span {
        end: denied.span.start,
        ..denied.span
    };
    error
        .hint(format!(
            "`find` begins at this position, `{beside}find` at the one beside it"
        ))
        .fix("Begin beside this position", [(start, beside)])
}

fn count(pieces: &Designator) -> Quantity {
    Quantity::Count(pieces.contents, pieces.squares)
}

/// Returns the quantity that a number is, if it has one value at each position.
fn quantity(number: &NumExpr) -> Option<Quantity> {
    match number {
        NumExpr::Fact(fact) => Some(Quantity::Fact(*fact)),
        NumExpr::Count(set) => intervals::designator(&set.kind).map(|pieces| count(&pieces)),
        NumExpr::Flow(Flow::Group(number) | Flow::Fixed(number)) => quantity(&number.kind),
        _ => None,
    }
}
