//! `line` (chapter 7, 10).

use crate::syntax::Diagnostic;
use crate::syntax::token::{Sign, Span, TokenKind};
use crate::syntax::tree::Rule;

use super::builder::{Builder, Built};
use crate::query::ast::facts::{Effects, Facts};
use crate::query::ast::node::Filter;
use crate::query::ast::paths::{Item, Line};
use crate::query::ast::program::{Constituent, Program, Repetition};
use crate::query::ast::{NumExpr, PosExpr, Range};

impl Builder {
    /// Reads `line …`. The form, which extends to the first arrow, is next. Its parameters continue after a bound that is a variable.
    pub(super) fn position_line(&mut self) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        let parameters = self.line_parameters()?;
        let head = self.cursor.span_from(first);
        let arrow = match self.cursor.take_rule(&[Rule::line_forward, Rule::line_backward]) {
            Some(Rule::line_forward) => Sign::LineForward,
            Some(_) => Sign::LineBackward,
            None => {
                return Err(self
                    .unexpected("expected `-->` or `<--` after `line` and its parameters")
                    .hint("examples: `line --> check --> not check`, `line --> check*`"));
            }
        };
        let backward = arrow == Sign::LineBackward;
        parameters.check_direction(backward, head)?;
        self.nesting.lines += 1;
        let outer = self.nesting.line_moves.take();
        let items = self.items(arrow);
        self.nesting.line_moves = outer;
        self.nesting.lines -= 1;
        let items = items?;
        let span = self.cursor.span_from(first);
        if !parameters.has(Rule::LASTPOSITION) {
            self.refuse_addition(span)?;
        }
        let mut line = Box::new(Line {
            program: Program::new(items),
            backward,
            range: parameters.range,
            single_color: parameters.has(Rule::SINGLECOLOR),
            primary: match (parameters.has(Rule::PRIMARY), parameters.has(Rule::SECONDARY)) {
                (false, false) => None,
                (primary, _) => Some(primary),
            },
            nest_ban: parameters.has(Rule::NESTBAN),
            first_match: parameters.has(Rule::FIRSTMATCH),
            quiet: parameters.has(Rule::QUIET),
            effects: Effects::all(),
            span,
        });
        line.effects = self.effects(&Facts::of_parts(&line), Effects::STOP | Effects::UNBOUND);
        Ok(if parameters.has(Rule::LASTPOSITION) {
            Filter::new(PosExpr::Line(line), span)
        } else {
            Filter::new(NumExpr::Line(line), span)
        })
    }

    fn line_parameters(&mut self) -> Built<Parameters> {
        const PARAMETERS: [Rule; 7] = [
            Rule::SINGLECOLOR,
            Rule::PRIMARY,
            Rule::SECONDARY,
            Rule::NESTBAN,
            Rule::FIRSTMATCH,
            Rule::LASTPOSITION,
            Rule::QUIET,
        ];
        let mut parameters = Parameters::default();
        while self.parameter("line", &PARAMETERS, &mut parameters)?.is_some() {}
        Ok(parameters)
    }

    /// Reads the range and the next parameter of a `path` or `line`, if they are next. Returns the parameter and its place.
    pub(super) fn parameter(
        &mut self,
        head: &str,
        known: &[Rule],
        read: &mut Parameters,
    ) -> Built<Option<(Rule, Span)>> {
        if read.range.is_none() {
            read.range = self.range();
        }
        let span = self.cursor.token().span;
        let Some((parameter, word)) = self.cursor.take_parameter(known) else {
            return Ok(None);
        };
        if !matches!(parameter, Rule::TITLE | Rule::LASTPOSITION) && read.has(parameter) {
            return Err(Diagnostic::new(span, format!("`{word}` occurs twice in one `{head}`")));
        }
        read.words.push(parameter);
        Ok(Some((parameter, span)))
    }

    /// Reads items with arrows between them, at least one.
    fn items(&mut self, arrow: Sign) -> Built<Vec<Constituent<Item>>> {
        let mut items = vec![self.item(arrow)?];
        while self.cursor.take_sign(arrow) {
            items.push(self.item(arrow)?);
        }
        if self.cursor.at_sign(Sign::LineForward) || self.cursor.at_sign(Sign::LineBackward) {
            return Err(
                Diagnostic::new(self.cursor.token().span, "arrows of both directions in one line")
                    .label("this arrow points the other way"),
            );
        }
        Ok(items)
    }

    fn item(&mut self, arrow: Sign) -> Built<Constituent<Item>> {
        let item = if self.cursor.at_sign(Sign::OpenParen) {
            self.nested(|builder| {
                let opened = builder.cursor.next().span;
                let items = builder.items(arrow)?;
                builder.close(opened, "the group")?;
                Ok(Constituent::Sequence(items))
            })?
        } else {
            self.filter_item(arrow == Sign::LineForward)?
        };
        self.suffixes(item)
    }

    /// Reads an item that is a filter. In a forward line, `move` filters in it refer to the move to the next position.
    fn filter_item(&mut self, forward: bool) -> Built<Constituent<Item>> {
        self.nesting.line_moves = forward.then_some(0);
        let filter = self.filter_expected("after the arrow");
        let moves = self.nesting.line_moves.take();
        let filter = filter?;
        self.refuse_bare_number(&filter, "an item of a line")?;
        Ok(Constituent::Step(Item {
            filter: self.condition(filter)?,
            fixes_next: moves.is_some_and(|moves| moves > 0),
        }))
    }

    /// Reads the repetitions that follow an item.
    fn suffixes(&mut self, item: Constituent<Item>) -> Built<Constituent<Item>> {
        let mut item = item;
        let mut after_plus = false;
        loop {
            let sign = self.cursor.token().clone();
            let plus = matches!(sign.kind, TokenKind::Sign(Sign::Plus | Sign::BracePlus));
            let counted = matches!(sign.kind, TokenKind::Repetition(..));
            let Some(repetition) = self.suffix() else {
                return Ok(item);
            };
            if after_plus && (plus || counted) {
                return Err(Diagnostic::new(sign.span, "this repetition cannot follow `+`")
                    .hint("put parentheses around what the first one repeats"));
            }
            if item.can_stay() {
                return Err(
                    Diagnostic::new(sign.span, "what is repeated can match without any position")
                        .label("this repetition would go on for ever"),
                );
            }
            self.note_repetition(&item, repetition, sign.span);
            item = Constituent::Repeated(Box::new(item), repetition);
            after_plus = plus;
        }
    }

    /// Reads a repetition of an item, if one is next.
    fn suffix(&mut self) -> Option<Repetition> {
        if !self.at_suffix_sign() {
            return self.unmistakable_repetition();
        }
        let star = self.cursor.at_sign(Sign::Star);
        self.cursor.advance(1);
        Some(if star { Repetition::ANY } else { Repetition::SOME })
    }

    /// Returns whether `+` or `*` is next and repeats an item of a line, because no operand follows it.
    pub(super) fn at_suffix_sign(&self) -> bool {
        self.nesting.lines > 0
            && matches!(self.cursor.token().kind, TokenKind::Sign(Sign::Plus | Sign::Star))
            && matches!(
                self.cursor.peek(1).kind,
                TokenKind::End
                    | TokenKind::Repetition(..)
                    | TokenKind::Sign(
                        Sign::CloseBrace
                            | Sign::CloseParen
                            | Sign::LineForward
                            | Sign::LineBackward
                            | Sign::Question
                            | Sign::BraceStar
                            | Sign::BracePlus
                            | Sign::Plus
                            | Sign::Star
                    )
            )
    }

    /// Returns an error for `+` or `*` after a line, where it was meant as a repetition.
    fn refuse_addition(&self, line: Span) -> Built<()> {
        if !self.cursor.at_sign(Sign::Plus) && !self.cursor.at_sign(Sign::Star) {
            return Ok(());
        }
        let sign = self.cursor.token().span;
        let repetition = if self.cursor.at_sign(Sign::Plus) { "{+}" } else { "{*}" };
        Err(Diagnostic::new(sign, "a line cannot be calculated with")
            .label("this would not be a repetition, as a filter follows")
            .related(line, "the line")
            .hint("put the line into braces: `{line --> check+}`, or write `{+}`")
            .change(sign, repetition))
    }

    /// Reads a filter that is evaluated at other positions than the item of a line around it.
    pub(super) fn away_from_line<T>(&mut self, read: impl FnOnce(&mut Builder) -> T) -> T {
        let outer = self.nesting.line_moves.take();
        let result = read(self);
        self.nesting.line_moves = outer;
        result
    }
}

/// The parameters of a `path` or `line`, while they are read.
#[derive(Default)]
pub(super) struct Parameters {
    words: Vec<Rule>,
    pub(super) range: Option<Range>,
}

impl Parameters {
    pub(super) fn has(&self, parameter: Rule) -> bool {
        self.words.contains(&parameter)
    }

    fn check_direction(&self, backward: bool, span: Span) -> Built<()> {
        if self.has(Rule::PRIMARY) && self.has(Rule::SECONDARY) {
            return Err(Diagnostic::new(span, "`primary` excludes `secondary`"));
        }
        let forward_only = [
            (Rule::PRIMARY, "primary"),
            (Rule::SECONDARY, "secondary"),
            (Rule::NESTBAN, "nestban"),
        ];
        match forward_only.into_iter().find(|(word, _)| backward && self.has(*word)) {
            Some((_, word)) => Err(Diagnostic::new(span, format!("`{word}` does not go with `line <--`"))),
            None => Ok(()),
        }
    }
}
