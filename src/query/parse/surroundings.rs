//! The filters and transforms that options put before, after and around the body of a query.

use crate::game;
use crate::syntax::token::{Span, Token, TokenKind};
use crate::syntax::{BeyondWords, Diagnostic, Parsed, Source, parse};

use super::builder::{Builder, Built, ask_for_groups, ask_for_last_path};
use super::options::{MatchSides, Options};
use crate::query::ast::facts::{Effects, Reads};
use crate::query::ast::node::{Cond, Filter, node};
use crate::query::ast::{ColumnId, CondExpr, StrExpr};
use crate::query::transform::Group;

impl Builder {
    /// Reads the texts of the options and, between them, the body. Returns the narrowing, the selection, and the body with all that is around
    /// it.
    pub(super) fn surrounded(
        &mut self,
        query: &Source,
        options: &Options,
        read_body: impl FnOnce(&mut Builder) -> Built<Vec<Filter>>,
    ) -> Built<(Vec<Cond>, Vec<Cond>, Cond)> {
        let texts = options
            .texts(query)
            .map(|(start, text)| text_from(start, text, &self.beyond));
        let texts = texts.collect::<Built<Vec<_>>>()?;
        self.asks_for_last_path |= texts.iter().any(|text| ask_for_last_path(&text.tokens));
        self.asks_for_groups |= texts.iter().any(|text| ask_for_groups(&text.tokens));

        let mut texts = texts.into_iter();
        let mut conditions = |count: usize| -> Built<Vec<Cond>> {
            // Each filter is a condition of its own, as databases know more about single comparisons.
            let mut conditions = Vec::new();
            for text in texts.by_ref().take(count) {
                for filter in self.reading(text, Builder::filters_of_option)? {
                    conditions.push(self.block_condition(vec![filter])?);
                }
            }
            Ok(conditions)
        };
        let narrowing = conditions(options.narrowing.len())?;
        let narrowing = narrowing.into_iter().map(in_any_case).collect();
        let selection = conditions(options.selection.len())?;
        let mut filters = Vec::new();
        for text in texts.by_ref().take(options.filters.len()) {
            filters.extend(self.reading(text, Builder::filters_of_option)?);
        }
        let behind: Vec<Parsed> = texts.by_ref().take(options.filters_after.len()).collect();
        let kept: Vec<Parsed> = texts.by_ref().take(options.columns.len()).collect();
        let transforms: Vec<_> = texts.map(|text| transform_of(&text.tokens)).collect::<Built<_>>()?;

        let body = read_body(self)?;
        let span = body.iter().map(Filter::span).reduce(Span::to).unwrap_or_default();
        filters.extend(body);
        // They may use names that the body declares.
        for text in behind {
            filters.extend(self.reading(text, Builder::filters_of_option)?);
        }
        let wanted = match &options.by_player {
            Some(_) => MatchSides::Kept,
            None => options.sides,
        };
        let sides = match wanted {
            MatchSides::NotKept => None,
            MatchSides::KeptIfKnown => self.sides(&filters).ok().flatten(),
            MatchSides::Kept => self.sides(&filters)?,
        };
        self.found.exchanges_colors = sides.is_some();
        let sides = match sides {
            None if wanted == MatchSides::Kept => Some(self.as_written(&filters)?),
            sides => sides,
        };
        let mut columns = Vec::new();
        for text in kept {
            columns.push(self.reading(text, Builder::column)?);
        }
        columns.extend(sides.into_iter().flatten());
        self.found.columns = columns.iter().map(Filter::kind).collect();
        for (id, value) in (0..).map(ColumnId).zip(columns) {
            let span = value.span();
            filters.push(Filter::new(CondExpr::Column(id, value), span));
        }
        let mut whole = self.block(filters, span)?;
        for (group, word) in transforms.into_iter().rev() {
            whole = self.under_transform(group, word, whole)?;
        }
        Ok((narrowing, selection, self.condition(whole)?))
    }

    /// Reads the value in the text of an option.
    fn column(&mut self) -> Built {
        let filters = self.filters_of_option()?;
        let span = filters.iter().map(Filter::span).reduce(Span::to).unwrap_or_default();
        let value = self.block(filters, span)?;
        let facts = value.facts();
        // Files have their own error.
        let does_more = facts.effects.contains(Effects::OTHER) && !facts.reads.contains(Reads::FILES);
        if does_more {
            return Err(Diagnostic::new(span, "a value that is shown does nothing else")
                .label("this sorts, or writes something, too")
                .hint("put what else the query does after it: `-e 'sort ...'`"));
        }
        Ok(value)
    }

    /// Reads the filters in the text of an option, up to its end.
    fn filters_of_option(&mut self) -> Built<Vec<Filter>> {
        let filters = self.filters("in the option")?;
        self.expect_end()?;
        Ok(filters)
    }
}

/// Makes the test of an option ignore case in the text that it searches for.
fn in_any_case(test: Cond) -> Cond {
    match test.kind {
        CondExpr::Substring(text, tag) => {
            let kind = match text.kind {
                StrExpr::Literal(text) => {
                    let is_name = matches!(tag.kind, StrExpr::Player(_) | StrExpr::Players);
                    let part = if is_name {
                        game::part_of_name(&text)
                    } else {
                        game::in_any_case(&text)
                    };
                    CondExpr::SubstringInAnyCase(part, tag)
                }
                kind => CondExpr::Substring(node(kind, text.span), tag),
            };
            node(kind, test.span)
        }
        _ => test,
    }
}

/// Parses the text of an option, which begins at the place `start`.
fn text_from(start: u32, text: &Source, beyond: &BeyondWords) -> Built<Parsed> {
    let shift = |span: &mut Span| {
        span.start = span.start.saturating_add(start);
        span.end = span.end.saturating_add(start);
    };
    match parse(text) {
        Ok(parsed) => {
            let parsed = beyond.named(text, parsed);
            let shifted = parsed.tokens.iter().cloned().map(|mut token| {
                shift(&mut token.span);
                token
            });
            Ok(Parsed {
                tokens: shifted.collect(),
                ..parsed
            })
        }
        Err(mut error) => {
            shift(&mut error.span);
            error.related.iter_mut().for_each(|(span, _)| shift(span));
            Err(error)
        }
    }
}

/// Returns the transform that a text names.
fn transform_of(tokens: &[Token]) -> Built<(Group, Span)> {
    let named = match tokens {
        [word, end] if end.kind == TokenKind::End => match word.kind {
            TokenKind::Word(name) => Group::named(name).map(|group| (group, word.span)),
            _ => None,
        },
        _ => None,
    };
    named.ok_or_else(|| Diagnostic::new(tokens[0].span, "this is not a transform").label("expected `flip` or the like"))
}
