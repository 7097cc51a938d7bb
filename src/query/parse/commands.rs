//! Commands in comments, annotation symbols, and other words beyond CQL 6.2 about positions and strings: `eval`, `blunder`, `nag 4`,
//! `timecontrol base`, `replace (s t u)`.

use crate::syntax::Diagnostic;
use crate::syntax::token::TokenKind;

use super::builder::{Builder, Built};
use super::operators::Level;
use crate::query::ast::numbers::TimePart;
use crate::query::ast::{CondExpr, NumExpr, StrExpr};

/// The tag with the time control.
const TIME_CONTROL: &[u8] = b"TimeControl";

impl Builder {
    /// Reads `nag 4`. The word is read.
    pub(super) fn nag(&mut self, first: usize) -> Built {
        let TokenKind::Integer(number) = self.cursor.token().kind else {
            return Err(self.unexpected("expected a number after `nag`"));
        };
        let symbol = u8::try_from(number).ok().filter(|symbol| *symbol > 0).ok_or_else(|| {
            Diagnostic::new(self.cursor.token().span, "no annotation symbol has this number")
                .label("they have the numbers 1 to 255")
                .hint("1 is `!`, 2 is `?`, 3 is `!!`, 4 is `??`, 5 is `!?`, 6 is `?!`")
        })?;
        self.cursor.next();
        self.complete(CondExpr::Symbol(symbol), first)
    }

    /// Reads `timecontrol`, `timecontrol base`, `timecontrol increment`. The first word is read.
    pub(super) fn time_control(&mut self, first: usize) -> Built {
        let part = match &self.cursor.token().kind {
            TokenKind::Name(name) if name == "base" => TimePart::Base,
            TokenKind::Name(name) if name == "increment" => TimePart::Increment,
            _ => return self.complete(StrExpr::Tag(TIME_CONTROL.to_vec()), first),
        };
        self.cursor.next();
        self.complete(NumExpr::TimeControl(part), first)
    }

    /// Reads `replace (s t u)`. The word is read.
    pub(super) fn replace(&mut self, first: usize) -> Built {
        let opened = self.open("replace")?;
        let string = self.typed_operand(Level::Sum, "as first argument of `replace`")?;
        let part = self.typed_operand(Level::Sum, "as second argument of `replace`")?;
        let replacement = self.typed_operand(Level::Sum, "as third argument of `replace`")?;
        self.close(opened, "three strings")?;
        self.complete(StrExpr::Replace(string, part, replacement), first)
    }
}
