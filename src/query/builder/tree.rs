//! Positions of the game and relations between them.

use shakmaty::Color;

use crate::syntax::Diagnostic;
use crate::syntax::token::Sign;

use super::super::node::{Filter, Pos, node};
use super::super::numbers::FindCount;
use super::super::{Bound, Comparison, CondExpr, Effect, Find, Flow, NumExpr, PosExpr, Range};
use super::climb::Level;
use super::{Builder, Built};

impl Builder {
    /// A position that is a word: the word is read.
    pub(super) fn position_word(&self, kind: PosExpr, first: usize) -> Built {
        Ok(Filter::Position(node(kind, self.span_from(first))))
    }

    /// `child`, `child ( n )`: the word is read.
    pub(super) fn child(&mut self, first: usize) -> Built {
        let number = if self.at_sign(Sign::OpenParen) {
            let opened = self.next().span;
            let number = self.number_operand(Level::Sum, "in `child( )`")?;
            self.close(opened, "the number of the child")?;
            Some(number)
        } else {
            None
        };
        self.position_word(PosExpr::Child(number), first)
    }

    /// `position n`: the word is read.
    pub(super) fn numbered_position(&mut self, first: usize) -> Built {
        let number = self.number_operand(Level::Sum, "after `position`")?;
        self.position_word(PosExpr::Numbered(number), first)
    }

    /// `( p q )` after a word that compares positions.
    pub(super) fn two_positions(&mut self, word: &str) -> Built<(Pos, Pos)> {
        let opened = self.open(word)?;
        let mut argument = |place: &str| {
            let filter = self.filter_expected(place)?;
            self.position(filter, place)
        };
        let left = argument(&format!("as first argument of `{word}`"))?;
        let right = argument(&format!("as second argument of `{word}`"))?;
        self.close(opened, "two positions")?;
        Ok((left, right))
    }

    /// `ancestor ( p q )`, `descendant ( p q )`: the word is read.
    pub(super) fn ancestry(&mut self, ancestor_word: bool, first: usize) -> Built {
        let word = if ancestor_word { "ancestor" } else { "descendant" };
        let (left, right) = self.two_positions(word)?;
        let (ancestor, descendant) = if ancestor_word { (left, right) } else { (right, left) };
        let kind = CondExpr::Ancestor { ancestor, descendant };
        Ok(self.condition_node(kind, self.span_from(first)))
    }

    /// `find … f`: the word is read.
    pub(super) fn find(&mut self, first: usize) -> Built {
        let (mut quiet, mut backward, mut count) = (false, false, None);
        loop {
            let start = self.at;
            let more = if self.take_word("quiet") {
                quiet = true;
                continue;
            } else if self.take_sign(Sign::LineBackward) {
                backward = true;
                continue;
            } else if self.take_word("all") {
                Some(FindCount::All)
            } else {
                self.range().map(FindCount::Within)
            };
            match (more, &count) {
                (None, _) => break,
                (Some(FindCount::All), Some(FindCount::All)) => {}
                (Some(more), None) => count = Some(more),
                (Some(_), Some(_)) => {
                    return Err(
                        Diagnostic::new(self.span_from(start), "`find` takes one range or `all`")
                            .label("one stands before"),
                    );
                }
            }
        }
        if let Some(FindCount::Within(Range::Within(least, most))) = &count
            && [least, most].iter().any(|bound| matches!(bound, Bound::Variable(..)))
        {
            self.may_stop();
        }
        let before = self.effects();
        let body = self.away_from_line(|builder| builder.condition_expected("after `find`"))?;
        let effect = self.effect_since(&before);
        if !quiet {
            self.writes_comment();
        }
        let span = self.span_from(first);
        let find = Box::new(Find {
            body,
            backward,
            quiet,
            effect,
            memo: None,
        });
        Ok(match count {
            None => Filter::Position(node(PosExpr::Find(find), span)),
            Some(count) => Filter::Number(node(NumExpr::Find(find, count), span)),
        })
    }

    /// `try`: the word is read. It is `1==find <-- quiet all {btm secondary}`, which no transform changes.
    pub(super) fn white_deviation(&mut self, first: usize) -> Built {
        let span = self.span_from(first);
        let after_white = node(CondExpr::ToMove(Color::Black), span);
        let deviation = node(CondExpr::Secondary, span);
        let find = Find {
            body: node(CondExpr::And(after_white, deviation), span),
            backward: true,
            quiet: true,
            effect: Effect::None,
            memo: None,
        };
        let one = node(NumExpr::Literal(1), span);
        let deviations = node(NumExpr::Find(Box::new(find), FindCount::All), span);
        let is_one = node(NumExpr::Compare(Comparison::Equal, one, deviations), span);
        Ok(Filter::Number(node(NumExpr::Flow(Flow::Fixed(is_one)), span)))
    }
}
