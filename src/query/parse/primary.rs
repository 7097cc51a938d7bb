//! Connects the grammar and the typed query: how to build each form of `grammar/cql.pest`, in its order. For words that open no form, see
//! [`word_table`](super::word_table).

use crate::board::Bitboard;
use crate::syntax::Form;
use crate::syntax::token::{Sign, TokenKind};
use crate::syntax::tree::Rule;

use super::builder::{Builder, Built};
use super::word_table::{Meaning, meaning};
use crate::query::ast::node::{Expression, Filter};
use crate::query::ast::{NumExpr, SetExpr, StrExpr};

impl Builder {
    /// Reads a filter without operators around it.
    pub(super) fn primary(&mut self) -> Built {
        match self.cursor.form() {
            Some(form) => self.form(&form),
            None => self.token(),
        }
    }

    /// Reads the form that is next.
    fn form(&mut self, form: &Form) -> Built {
        match form.rule {
            // Sets and pieces (chapter 3)
            Rule::direction => self.direction(form),
            Rule::square_loop | Rule::piece_loop | Rule::loop_over => self.loop_of(form),
            Rule::piece_binding => self.piece_binding(form),
            Rule::between => self.between(form),
            Rule::makesquare => self.make_square(form),

            // Numbers (3.10)
            Rule::extreme => self.extreme(form),

            // Rays, attacks and pins (4.2 to 4.4)
            Rule::xray => self.xray(form),
            Rule::ray => self.ray(form),

            // Transforms (4.6)
            Rule::transform => self.transform(form),

            // Control, variables and functions (1.6, 8.4 to 8.7)
            Rule::equality => self.equality(form),
            Rule::while_test => self.while_loop(form),
            // In the prelude, a parameter may have been replaced by all squares here.
            Rule::assignment if self.cursor.at_sign(Sign::Dot) => self.token(),
            Rule::assignment => self.assignment(form),
            Rule::function => self.function_definition(form),
            Rule::bound_test => self.bound_test(form),
            Rule::unbind => self.unbind(form),
            Rule::assert_variations => self.assert_variations(form),

            // Positions and the game tree (chapter 5)
            Rule::child => self.child(form),
            Rule::relation => self.between_positions(form),
            Rule::find => self.find(),
            Rule::fen => self.fen(form),

            // Games and tags (2.1, 2.4)
            Rule::tag_test => self.tag_test(form),
            Rule::tag => self.tag(form),
            Rule::rating => self.rating(form),
            Rule::result_test => self.result_test(form),

            // Text and output (2.5 to 2.7)
            Rule::set_tag => self.set_tag(form),
            Rule::message => self.message(form),
            Rule::line_message => self.line_message(),
            Rule::sort => self.sort(form),

            // Paths and lines (chapter 7)
            Rule::path => self.path(),
            Rule::line => self.position_line(),

            // Relations between positions (5.9, 5.10, 2.10)
            Rule::echo => self.echo(form),
            Rule::similar => self.similar_position(form),

            // Strings and patterns (8.8, 8.11)
            Rule::index_of => self.index_of(form),
            Rule::key_loop => self.string_loop(form),

            // Dictionaries and state (8.5, 8.10, 8.12)
            Rule::persistent => self.persistent(form),
            Rule::atomic => self.atomic(form),
            Rule::dictionary => self.dictionary(),
            Rule::write_file => self.write_file(form),

            // Studies (2.11)
            Rule::study => self.study(form),

            // Brackets (1.6)
            Rule::parens => self.parentheses(),
            Rule::braces => self.braces(),

            // Single tokens, parts of the forms above, and forms that begin no filter.
            _ => self.token(),
        }
    }

    /// Reads a token that is next and does not begin a form, or begins one that a blank line ends too early.
    fn token(&mut self) -> Built {
        let first = self.cursor.at;
        match self.cursor.token().kind.clone() {
            TokenKind::Dash { .. } => self.dash(None, first),
            TokenKind::Designator(designator) => Ok(self.single(SetExpr::Designator(designator))),
            TokenKind::Integer(number) => Ok(self.single(NumExpr::Literal(number))),
            TokenKind::String(bytes) => Ok(self.single(StrExpr::Literal(bytes))),
            TokenKind::LineMessage => self.line_message(),
            TokenKind::PieceMark => Err(self.no_symbol_loop()),
            TokenKind::Group(number) => Ok(self.single(StrExpr::Group(number))),
            TokenKind::GroupIndex(number) => Ok(self.single(NumExpr::GroupStart(number))),
            TokenKind::Name(_) => self.named(),
            TokenKind::Sign(sign) => match sign {
                Sign::Dot => Ok(self.single(SetExpr::Constant(Bitboard::FULL))),
                Sign::EmptySet => Ok(self.single(SetExpr::Constant(Bitboard::EMPTY))),
                Sign::Tilde => self.complement(),
                Sign::Hash => self.size(),
                Sign::Minus => self.minus(),
                Sign::OpenBrace => self.braces(),
                Sign::OpenParen => self.parentheses(),
                Sign::ForAll => Err(self.no_symbol_loop()),
                _ => Err(self.unexpected("expected a filter")),
            },
            TokenKind::Word(word) => {
                self.cursor.next();
                match meaning(word, self.cursor.span_from(first)) {
                    Some(Meaning::Filter(filter)) => Ok(filter),
                    Some(Meaning::Rule(rule)) => rule(self, first),
                    None => Err(self.incomplete(word).unwrap_or_else(|| self.no_rule(word, first))),
                }
            }
            TokenKind::Result(_)
            | TokenKind::Repetition(..)
            | TokenKind::File { .. }
            | TokenKind::PathEnd
            | TokenKind::LineMessageEnd
            | TokenKind::End => Err(self.unexpected("expected a filter")),
        }
    }

    /// Makes a filter of the next token alone.
    fn single(&mut self, kind: impl Expression) -> Filter {
        Filter::new(kind, self.cursor.next().span)
    }
}
