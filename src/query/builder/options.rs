//! What options put in front of the body of a query and around it.

use std::rc::Rc;

use crate::syntax::token::{Span, Token, TokenKind};
use crate::syntax::{Diagnostic, Source, tokens};

use super::super::Options;
use super::super::node::{Cond, Filter};
use super::super::transform::Group;
use super::{Builder, Built, ask_for_groups, ask_for_last_path};

/// What stands in front of the body and around it.
pub(super) struct Surroundings {
    selection: Vec<Cond>,
    filters: Vec<Filter>,
    /// Outermost first.
    transforms: Vec<(Group, Span)>,
}

impl Builder {
    /// Reads the texts of the options.
    pub(super) fn surroundings(&mut self, query: &Source, options: &Options) -> Built<Surroundings> {
        let texts = options.texts(query).map(|(start, text)| tokens_from(start, text));
        let texts = texts.collect::<Built<Vec<_>>>()?;
        self.asks_for_last_path |= texts.iter().any(|tokens| ask_for_last_path(tokens));
        self.asks_for_groups |= texts.iter().any(|tokens| ask_for_groups(tokens));
        texts.iter().for_each(|tokens| self.prelude.add(tokens));
        let mut texts = texts.into_iter();
        let mut selection = Vec::new();
        for tokens in texts.by_ref().take(options.selection.len()) {
            let filters = self.reading(tokens, Builder::filters_of_option)?;
            selection.push(self.block_condition(filters)?);
        }
        let mut filters = Vec::new();
        for tokens in texts.by_ref().take(options.filters.len()) {
            filters.extend(self.reading(tokens, Builder::filters_of_option)?);
        }
        let transforms = texts.map(|tokens| transform_of(&tokens)).collect::<Built<_>>()?;
        Ok(Surroundings {
            selection,
            filters,
            transforms,
        })
    }

    /// What games are selected by, and the whole body.
    pub(super) fn surrounded(&mut self, around: Surroundings, body: Vec<Filter>) -> Built<(Vec<Cond>, Cond)> {
        let span = body.iter().map(Filter::span).reduce(Span::to).unwrap_or_default();
        let mut filters = around.filters;
        filters.extend(body);
        let mut whole = self.block(filters, span)?;
        for (group, word) in around.transforms.into_iter().rev() {
            whole = self.under_transform(group, word, whole)?;
        }
        Ok((around.selection, self.condition(whole)?))
    }

    /// The filters of a text of its own, of which nothing is read.
    fn filters_of_option(&mut self) -> Built<Vec<Filter>> {
        let filters = self.filters("in the option")?;
        self.expect_end()?;
        Ok(filters)
    }
}

/// The tokens of a text that begins at the place `start`.
fn tokens_from(start: u32, text: &Source) -> Built<Rc<[Token]>> {
    let shift = |span: &mut Span| {
        span.start = span.start.saturating_add(start);
        span.end = span.end.saturating_add(start);
    };
    match tokens(text) {
        Ok(mut tokens) => {
            tokens.iter_mut().for_each(|token| shift(&mut token.span));
            Ok(tokens.into())
        }
        Err(mut error) => {
            shift(&mut error.span);
            error.related.iter_mut().for_each(|(span, _)| shift(span));
            Err(error)
        }
    }
}

/// The transform that a text names.
fn transform_of(tokens: &[Token]) -> Built<(Group, Span)> {
    let named = match tokens {
        [word, end] if end.kind == TokenKind::End => match word.kind {
            TokenKind::Word(name) => Group::named(name).map(|group| (group, word.span)),
            _ => None,
        },
        _ => None,
    };
    named.ok_or_else(|| Diagnostic::new(tokens[0].span, "this is no transform").label("expected `flip` or the like"))
}
