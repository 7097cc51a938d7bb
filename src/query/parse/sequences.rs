//! `stays` and `inarow`: lines that have their own words, beyond CQL 6.2.

use crate::syntax::Diagnostic;
use crate::syntax::token::{Sign, Span, TokenKind};

use super::builder::{Builder, Built};
use crate::query::ast::facts::{Effects, Facts};
use crate::query::ast::node::{Filter, Flow, node};
use crate::query::ast::paths::{Item, Line};
use crate::query::ast::program::{Constituent, Program, Repetition};
use crate::query::ast::{CondExpr, NumExpr, PosExpr};

/// The maximum length of these lines. No game is as long.
const LONGEST: u32 = 10_000;

impl Builder {
    /// Reads `stays(N F)`. The word is read. F holds here and at each of the next N positions of this line, or of fewer if the last of them
    /// is mate or stalemate.
    pub(super) fn stays(&mut self, first: usize) -> Built {
        let opened = self.open("stays")?;
        let plies = self.written_count("plies")?;
        let filters = self.away_from_line(|builder| builder.filters("after the number of plies"))?;
        self.close(opened, "what stays")?;
        let body = self.block_condition(filters)?;
        let span = self.cursor.span_from(first);
        let line = |least, most| {
            let item = Item {
                filter: body.clone(),
                fixes_next: false,
            };
            let line = self.line_of(item, Repetition { least, most }, span);
            Box::new(Line {
                primary: Some(true),
                ..line
            })
        };
        let condition = |kind| node(kind, span);
        let whole = condition(CondExpr::HasNumber(node(
            NumExpr::Line(line(plies + 1, plies + 1)),
            span,
        )));
        // After mate or stalemate, the condition can no longer change.
        let ended = condition(CondExpr::Flow(Flow::At {
            position: node(PosExpr::Line(line(1, plies)), span),
            value: condition(CondExpr::Or(condition(CondExpr::Mate), condition(CondExpr::Stalemate))),
        }));
        let later = condition(CondExpr::Or(whole, ended));
        Ok(Filter::new(CondExpr::And(body, later), span))
    }

    /// Reads `inarow(N F)`. The word is read. F holds here and at the next N-1 positions of a line with the same side to move. In F, `move`
    /// refers to the move to the next position of that line.
    pub(super) fn in_a_row(&mut self, first: usize) -> Built {
        let opened = self.open("inarow")?;
        let moves = self.written_count("moves in a row")?;
        let outer = self.nesting.line_moves.replace(0);
        let filters = self.filters("after the number of moves");
        let fixing = std::mem::replace(&mut self.nesting.line_moves, outer);
        let filter = self.block_condition(filters?)?;
        self.close(opened, "what is asked of the moves")?;
        let item = Item {
            filter,
            fixes_next: fixing.is_some_and(|moves| moves > 0),
        };
        let span = self.cursor.span_from(first);
        let exactly = Repetition {
            least: moves,
            most: moves,
        };
        let line = Box::new(Line {
            single_color: true,
            ..self.line_of(item, exactly, span)
        });
        self.complete(CondExpr::HasNumber(node(NumExpr::Line(line), span)), first)
    }

    /// Takes a number literal of `what`, and a comma if people write one.
    fn written_count(&mut self, what: &str) -> Built<u32> {
        let token = self.cursor.token().clone();
        let TokenKind::Integer(number) = token.kind else {
            return Err(self.unexpected(&format!("expected the number of {what}")));
        };
        let count = u32::try_from(number).ok().filter(|count| (1..=LONGEST).contains(count));
        let count = count.ok_or_else(|| {
            Diagnostic::new(token.span, format!("{number} {what} are out of range"))
                .label(format!("expected a number from 1 to {LONGEST}"))
        })?;
        self.cursor.next();
        self.cursor.take_sign(Sign::Comma);
        Ok(count)
    }

    /// Makes the line `line quiet --> F{N}`.
    fn line_of(&self, item: Item, repetition: Repetition, span: Span) -> Line {
        let items = Constituent::Repeated(Box::new(Constituent::Step(item)), repetition);
        let mut line = Line {
            program: Program::new(vec![items]),
            backward: false,
            range: None,
            single_color: false,
            primary: None,
            nest_ban: false,
            first_match: false,
            quiet: true,
            effects: Effects::all(),
            span,
        };
        line.effects = self.effects(&Facts::of_parts(&line), Effects::STOP | Effects::UNBOUND);
        line
    }
}
