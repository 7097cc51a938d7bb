//! `echo`: a position and all others of its game (chapter 5, 9).
//!
//! If the number of evaluations makes no difference, the [plan](crate::query::optimize::memoize) of an `echo` turns it into a join.
//! Tests of the source come first. Then targets are looked up by the values that must be equal to values of the
//! source, and by their place in the game. Tests of the target are evaluated once a game, and only then pairs are tried.
//! Sources and targets are in the order of their ids either way.

use std::ops::Range;

use crate::chess::Position;
use crate::query::ast::echo::{Echo, EchoName, JoinSide, PositionSpan};

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::text;
use crate::eval::interpreter::tree::lookup;
use crate::eval::lineage;
use crate::eval::state::index::Index;
use crate::eval::state::memo::{Answers, EchoMemo};

/// Returns whether a target matches.
pub(crate) fn any<'a>(echo: &'a Echo, context: &mut Context<'a>, at: &'a Position) -> bool {
    evaluated(echo, context, at).matched
}

/// Returns the greatest value over the targets that match.
pub(crate) fn greatest<'a>(echo: &'a Echo, context: &mut Context<'a>, at: &'a Position) -> Option<i32> {
    evaluated(echo, context, at).best
}

/// The result of the targets tried so far.
#[derive(Default)]
struct Found {
    matched: bool,
    best: Option<i32>,
}

fn evaluated<'a>(echo: &'a Echo, context: &mut Context<'a>, at: &'a Position) -> Found {
    let names = [&echo.source, &echo.target];
    if let Some(name) = names.into_iter().find(|name| value(name, context).is_some()) {
        context.stop(
            name.span,
            "a name of an `echo` has a value already",
            "it must be unbound when the `echo` begins",
            at,
        );
        return Found::default();
    }
    let mut pairing = Pairing {
        echo,
        source: at,
        mark: context.comments.mark(),
        commented: context.automatic_comments(echo.quiet),
        found: Found::default(),
    };
    context.variables.positions[echo.source.variable.index()] = Some(at.id);
    context.elsewhere(|context| {
        if context.is_pure(echo.effects) {
            pairing.joined(context);
        } else {
            pairing.exhaustive(context);
        }
    });
    for name in names {
        context.variables.positions[name.variable.index()] = None;
    }
    // As in the reference, a `sort` passes on no comments of an `echo` without a value.
    if !pairing.found.matched || (echo.sorted && echo.value.is_none()) {
        context.comments.cut(pairing.mark);
    }
    pairing.found
}

fn value(name: &EchoName, context: &Context<'_>) -> Option<u32> {
    context.variables.positions[name.variable.index()]
}

/// The evaluation of an `echo` at its source.
struct Pairing<'a> {
    echo: &'a Echo,
    source: &'a Position,
    /// The mark of the comments before those of the `echo`.
    mark: usize,
    /// Whether automatic comments are written.
    commented: bool,
    found: Found,
}

impl<'a> Pairing<'a> {
    /// Evaluates everything at every target.
    fn exhaustive(&mut self, context: &mut Context<'a>) {
        for target in &context.game.positions {
            if context.is_over(self.echo.target.span, target) {
                return;
            }
            if self.is_paired_with(target) {
                context.variables.positions[self.echo.target.variable.index()] = Some(target.id);
                self.try_target(|_| true, context, target);
            }
        }
    }

    /// Evaluates as little as possible. No evaluated part has an effect.
    fn joined(&mut self, context: &mut Context<'a>) {
        if !self.holds(JoinSide::Source, context, self.source) {
            return;
        }
        let ids = self.ids(context);
        if ids.is_empty() {
            return;
        }
        let place = self.echo.plan.memo as usize;
        if context.memos.echoes[place].targets.is_empty() {
            let entry = 1 + if self.echo.plan.equations.is_empty() {
                0
            } else {
                Index::BYTES
            };
            let bytes = context.game.positions.len() * entry;
            if !context.has_room(bytes, self.echo.target.span, self.source) {
                return;
            }
            context.memos.note(bytes);
        }
        let mut memo = std::mem::take(&mut context.memos.echoes[place]);
        memo.targets.resize(context.game.positions.len());
        let EchoMemo { targets, index } = &mut memo;
        if self.echo.plan.equations.is_empty() {
            self.try_all(ids, targets, context);
        } else if let Some(key) = self.source_key(context) {
            let (equations, target) = (&self.echo.plan.equations, &self.echo.target);
            let name = Some(target.variable);
            let index = index.get_or_insert_with(|| lookup::indexed(equations, name, target.span, context));
            self.try_all(index.with(key, ids), targets, context);
        }
        context.memos.echoes[place] = memo;
    }

    fn try_all(&mut self, ids: impl Iterator<Item = u32>, targets: &mut Answers, context: &mut Context<'a>) {
        // Without a value and comments, the first match is enough.
        let one_is_enough = self.echo.value.is_none() && !self.commented;
        for id in ids {
            let Some(target) = context.position(id) else { continue };
            if context.is_over(self.echo.target.span, target) {
                return;
            }
            if !self.is_paired_with(target) {
                continue;
            }
            context.variables.positions[self.echo.target.variable.index()] = Some(id);
            let possible = targets.get(id).unwrap_or_else(|| {
                let holds = self.holds(JoinSide::Target, context, target);
                targets.set(id, holds);
                holds
            });
            if possible {
                self.try_target(|subject| subject == JoinSide::Pair, context, target);
            }
            if one_is_enough && self.found.matched {
                return;
            }
        }
    }

    fn is_paired_with(&self, target: &Position) -> bool {
        self.echo.with_itself || target.id != self.source.id
    }

    /// Returns whether all tests of one subject match.
    fn holds(&self, subject: JoinSide, context: &mut Context<'a>, at: &'a Position) -> bool {
        let mut tests = self.echo.tests.iter().filter(|test| test.subject == subject);
        tests.all(|test| test.condition.eval(context, at))
    }

    /// Evaluates the tests that are still open for a target, and the value.
    fn try_target(&mut self, open: impl Fn(JoinSide) -> bool, context: &mut Context<'a>, target: &'a Position) {
        let mark = context.comments.mark();
        // The comments on the best target are kept without those on the others.
        let outer = context.comments.begin_apart();
        self.try_apart(open, mark, context, target);
        context.comments.end_apart(outer);
    }

    fn try_apart(
        &mut self,
        open: impl Fn(JoinSide) -> bool,
        mark: usize,
        context: &mut Context<'a>,
        target: &'a Position,
    ) {
        let mut tests = self.echo.tests.iter().filter(|test| open(test.subject));
        let matched = tests.all(|test| test.condition.eval(context, target));
        let value = match &self.echo.value {
            Some(number) if matched => number.eval(context, target),
            _ => None,
        };
        if !matched || value.is_none() && self.echo.value.is_some() {
            // In a conjunction of filters, comments are dropped when one filter fails.
            if self.echo.tests.len() + usize::from(self.echo.value.is_some()) > 1 {
                context.comments.cut(mark);
            }
            return;
        }
        if self.commented {
            self.comment_on(target, context);
        }
        let better = value > self.found.best;
        if self.echo.sorted && self.echo.value.is_some() {
            let comments = context.comments.split_off(mark);
            if better {
                context.comments.cut(self.mark);
                context.comments.extend(comments);
            }
        }
        if better {
            self.found.best = value;
        }
        self.found.matched = true;
    }

    /// Writes the automatic comments on a pair.
    fn comment_on(&self, target: &'a Position, context: &mut Context<'a>) {
        let source = self.source;
        if let Some(ancestor) = lineage::common_ancestor(source, target, context.game)
            && ancestor.id != source.id
            && ancestor.id != target.id
        {
            context.comments.add(ancestor.id, b"LCA".to_vec());
        }
        context.comments.add(source.id, self.echo.source.name.clone());
        context.comments.add(target.id, self.echo.target.name.clone());
        let mut arrow = b"-->".to_vec();
        text::write_position(source, context, &mut arrow);
        context.comments.add(target.id, arrow);
        let mut arrow = b"<--".to_vec();
        text::write_position(target, context, &mut arrow);
        context.comments.add(source.id, arrow);
    }

    /// Returns the ids among which targets must lie.
    fn ids(&self, context: &Context<'_>) -> Range<u32> {
        let source = self.source;
        let all = 0..context.game.positions.len() as u32;
        self.echo.plan.spans.iter().fold(all, |ids, span| {
            let span = match span {
                PositionSpan::Before => 0..source.id,
                PositionSpan::NotAfter => 0..source.id + 1,
                PositionSpan::After => source.id + 1..ids.end,
                PositionSpan::NotBefore => source.id..ids.end,
                PositionSpan::Descendants => source.id + 1..source.last + 1,
                PositionSpan::DescendantsOrSame => source.id..source.last + 1,
            };
            ids.start.max(span.start)..ids.end.min(span.end)
        })
    }

    /// Returns the hash of the source's values that the target must share.
    fn source_key(&self, context: &mut Context<'a>) -> Option<u64> {
        let equations = &self.echo.plan.equations;
        lookup::key(equations.iter().map(|equation| &equation.source), context, self.source)
    }
}
