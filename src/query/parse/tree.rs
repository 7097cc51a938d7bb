//! Positions of the game, and relations between them.

use shakmaty::Color;

use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form};

use super::builder::{Builder, Built};
use super::operators::Level;
use crate::query::ast::facts::Effects;
use crate::query::ast::node::{Filter, Pos, node};
use crate::query::ast::numbers::FindCount;
use crate::query::ast::{Comparison, CondExpr, Find, Flow, NumExpr, PosExpr};

impl Builder {
    /// Reads `child(n)`. The form is next.
    pub(super) fn child(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let opened = self.enter(form)?;
        let number = self.typed_operand(Level::Sum, "in `child( )`")?;
        self.close(opened, "the number of the child")?;
        self.complete(PosExpr::Child(Some(number)), first)
    }

    /// Reads `position n`. The word is read.
    pub(super) fn numbered_position(&mut self, first: usize) -> Built {
        let number = self.typed_operand(Level::Sum, "after `position`")?;
        self.complete(PosExpr::Numbered(number), first)
    }

    /// Reads `lca(p q)`, `distance(p q)`, `ancestor(p q)`, `descendant(p q)`. The form is next.
    pub(super) fn between_positions(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let word = form.all().first().map_or("", |word| self.cursor.word_of(*word));
        let (left, right) = self.two_positions(form, word)?;
        match word {
            "lca" => self.complete(PosExpr::CommonAncestor(left, right), first),
            "distance" => self.complete(NumExpr::Distance(left, right), first),
            _ => {
                let (ancestor, descendant) = if word == "ancestor" {
                    (left, right)
                } else {
                    (right, left)
                };
                self.complete(CondExpr::Ancestor { ancestor, descendant }, first)
            }
        }
    }

    fn two_positions(&mut self, form: &Form, word: &str) -> Built<(Pos, Pos)> {
        let opened = self.enter(form)?;
        let mut argument = |place: &str| {
            let filter = self.filter_expected(place)?;
            self.typed(filter, place)
        };
        let left = argument(&format!("as first argument of `{word}`"))?;
        let right = argument(&format!("as second argument of `{word}`"))?;
        self.close(opened, "two positions")?;
        Ok((left, right))
    }

    /// Reads `find … f`. The form is next. Its parameters continue after a bound that is a variable.
    pub(super) fn find(&mut self) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        let (mut quiet, mut backward, mut count) = (false, false, None);
        loop {
            let start = self.cursor.at;
            let more = match self.cursor.take_rule(&[Rule::QUIET, Rule::ALL, Rule::line_backward]) {
                Some(Rule::QUIET) => {
                    quiet = true;
                    continue;
                }
                Some(Rule::line_backward) => {
                    backward = true;
                    continue;
                }
                Some(_) => Some(FindCount::All),
                None => self.range().map(FindCount::Within),
            };
            match (more, &count) {
                (None, _) => break,
                (Some(FindCount::All), Some(FindCount::All)) => {}
                (Some(more), None) => count = Some(more),
                (Some(_), Some(_)) => {
                    return Err(
                        Diagnostic::new(self.cursor.span_from(start), "`find` takes one range or `all`")
                            .label("there is one before"),
                    );
                }
            }
        }
        let body = self.away_from_line(|builder| builder.condition_expected("after `find`"))?;
        let span = self.cursor.span_from(first);
        let find = Box::new(Find {
            backward,
            quiet,
            effects: self.effects(&body.facts, Effects::empty()),
            effects_if_bound: self.effects(&body.facts, Effects::UNBOUND),
            body,
            memo: None,
            lookup: None,
        });
        Ok(match count {
            None => Filter::new(PosExpr::Find(find), span),
            Some(count) => Filter::new(NumExpr::Find(find, count), span),
        })
    }

    /// Reads `try`: `1==find <-- quiet all {btm secondary}`, which no transform changes. The word is read.
    pub(super) fn white_deviation(&mut self, first: usize) -> Built {
        let span = self.cursor.span_from(first);
        let after_white = node(CondExpr::ToMove(Color::Black), span);
        let deviation = node(CondExpr::Secondary, span);
        let find = Find {
            body: node(CondExpr::And(after_white, deviation), span),
            backward: true,
            quiet: true,
            effects: Effects::empty(),
            effects_if_bound: Effects::empty(),
            memo: None,
            lookup: None,
        };
        let one = node(NumExpr::Literal(1), span);
        let deviations = node(NumExpr::Find(Box::new(find), FindCount::All), span);
        let is_one = node(NumExpr::Compare(Comparison::Equal, one, deviations), span);
        Ok(Filter::new(NumExpr::Flow(Flow::Fixed(is_one)), span))
    }
}
