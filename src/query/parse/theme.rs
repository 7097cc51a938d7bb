//! `theme "NAME"`: another query as a condition, beyond CQL 6.2.
//!
//! Its text is read where it is named, as the body of a function is where it is called. Its declarations are known only inside it, and
//! outer declarations are not known inside. If it is named again, it is the same condition.

use std::mem;

use crate::syntax::token::{Sign, Span, Token, TokenKind};
use crate::syntax::{Diagnostic, Source, parse};

use super::builder::{Builder, Built, ask_for_groups, ask_for_last_path};
use super::prelude_names::PreludeNames;
use super::symbols::Symbols;
use super::theme_lookup::{NamedQuery, NotFound};
use super::themes::Theme;
use crate::query::ast::assignments::Assignment;
use crate::query::ast::facts::{self, Effects, Use};
use crate::query::ast::node::{Cond, Filter, Flow, node};
use crate::query::ast::numbers::Fact;
use crate::query::ast::variables::Variable;
use crate::query::ast::visit::{ChildMut, Children};
use crate::query::ast::{
    Comparison, CondExpr, Header, NamedTheme, NumExpr, PosExpr, SetExpr, StrExpr, TextItem, ThemeDigest, has_header,
};
use crate::query::facts::bindings::may_be_stale;

impl Builder {
    /// Reads `theme "NAME"`. The word is read.
    pub(super) fn theme(&mut self, first: usize) -> Built {
        let place = self.cursor.token().span;
        let name = self.string_literal("with the name of a query after `theme`");
        let name = name.map_err(|error| match self.unquoted_theme(place) {
            Some((name, place)) => error
                .hint(format!("names are written in quotes: `theme \"{name}\"`"))
                .change(place, format!("\"{name}\"")),
            None => error,
        })?;
        let span = self.cursor.span_from(first);
        // An outline does not need the query.
        if self.outline.is_some() {
            return Ok(Filter::new(CondExpr::Constant(true), span));
        }
        let query = self.named_query(&String::from_utf8_lossy(&name), place)?;
        if self.themes.open.contains(&query.name) {
            let chain: Vec<String> = self.themes.open.iter().map(|name| format!("`{name}`")).collect();
            let error = Diagnostic::new(place, "themes refer to each other in a circle");
            return Err(error.label(format!("{} → `{}`", chain.join(" → "), query.name)));
        }
        let theme = match self.themes.read.get(&query.name) {
            Some(read) => read.clone(),
            None => {
                let before = self.limits.expanded_tokens;
                let read = self.read_theme(&query, span).map(|(condition, digest)| Theme {
                    condition,
                    digest,
                    tokens: mem::replace(&mut self.limits.expanded_tokens, before) - before,
                });
                self.themes.read.insert(query.name.clone(), read.clone());
                read
            }
        };
        let theme = theme.map_err(|error| in_theme(&query, place, error))?;
        let Theme {
            mut condition,
            digest,
            tokens,
        } = theme;
        self.count_expanded(tokens, "the themes", place)?;
        self.refuse_what_would_mix(&condition, place)?;
        condition.span = span;
        self.themes.named.insert(digest);
        if self.themes.open.is_empty() {
            let name = query.name.into();
            self.themes.note(span, NamedTheme { name, digest });
        }
        Ok(Filter::Condition(condition))
    }

    /// Returns the name of a query that is written without quotes at a place, such as `greek-gift`, and its whole span.
    pub(super) fn unquoted_theme(&self, place: Span) -> Option<(String, Span)> {
        let tokens = &self.cursor.tokens;
        let first = tokens.partition_point(|token| token.span.start < place.start);
        let word = |index: usize| match &tokens.get(index)?.kind {
            TokenKind::Name(name) => Some(name.as_str()),
            TokenKind::Word(word) => Some(*word),
            _ => None,
        };
        let is_joined = |index: usize| tokens.get(index).is_some_and(|token| !token.spaced);
        let is_hyphen = |index: usize| {
            let kind = tokens.get(index).map(|token| &token.kind);
            is_joined(index) && is_joined(index + 1) && kind == Some(&TokenKind::Sign(Sign::Minus))
        };
        let mut name = word(first)?.to_owned();
        let mut last = first;
        while let Some(next) = word(last + 2).filter(|_| is_hyphen(last + 1)) {
            name = format!("{name}-{next}");
            last += 2;
        }
        let lookup = self.themes.lookup.as_ref()?;
        lookup.find(&name, None).ok()?;
        Some((name, tokens[first].span.to(tokens[last].span)))
    }

    /// Returns the query with this name.
    fn named_query(&self, name: &str, place: Span) -> Built<NamedQuery> {
        let found = match &self.themes.lookup {
            Some(lookup) => lookup.find(name, self.themes.open.last().map(String::as_str)),
            None => Err(NotFound {
                reason: "queries cannot be looked up here".to_owned(),
                ..NotFound::default()
            }),
        };
        found.map_err(|NotFound { reason, near }| {
            let error = Diagnostic::new(place, format!("there is no theme `{name}`")).label(reason);
            let error = match near.as_slice() {
                [] => error,
                names => {
                    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                    error.hint(format!("did you mean {}?", names.join(" or ")))
                }
            };
            near.iter()
                .fold(error, |error, name| error.change(place, format!("\"{name}\"")))
        })
    }

    /// Reads a query as a condition and returns it with the digest of its text. Everything in the condition has the span of the name.
    /// Errors have spans in the text of the query.
    fn read_theme(&mut self, query: &NamedQuery, place: Span) -> Built<(Cond, ThemeDigest)> {
        let tokens = parse(&query.source)?.tokens;
        if let Some(error) = tokens.iter().find_map(|token| self.refused_in_theme(token)) {
            return Err(error);
        }
        self.count_expanded(tokens.len(), "the themes", place)?;
        self.themes.open.push(query.name.clone());
        let outer = mem::take(&mut self.themes.named);
        let mut read = self.in_scope_of(&query.source, Some(place));
        if read.is_err() {
            read = self.in_scope_of(&query.source, None).and(read);
        }
        self.themes.open.pop();
        let digest = self.themes.digest(&query.source);
        self.themes.named = outer;
        Ok((read?, digest))
    }

    /// Reads the text of a theme in its own scope. If a place is given, all of the text gets this span.
    fn in_scope_of(&mut self, source: &Source, place: Option<Span>) -> Built<Cond> {
        let options = self.themes.options();
        let beyond = options.beyond_words(source);
        let text = beyond.named(source, parse(source)?);
        let text = match place {
            Some(place) => text.moved_to(place),
            None => text,
        };
        let inner = Symbols {
            counts: self.symbols.counts.clone(),
            prelude: PreludeNames::new(source, &options),
            ..Symbols::default()
        };
        let outer_symbols = mem::replace(&mut self.symbols, inner);
        let outer_beyond = mem::replace(&mut self.beyond, beyond);
        let outer_nesting = mem::take(&mut self.nesting);
        let outer_keys = mem::take(&mut self.found.sort_keys);
        let outer_sorts = mem::take(&mut self.found.sort_words);
        let outer_path = mem::replace(&mut self.asks_for_last_path, ask_for_last_path(&text.tokens));
        let outer_groups = mem::replace(&mut self.asks_for_groups, ask_for_groups(&text.tokens));
        let (ambiguous, asked) = (self.ambiguous.len(), self.found.asked.len());
        let before = self.symbols.counts.clone();

        let read = self.reading(text, |builder| {
            builder.nested(|builder| builder.theme_body(has_header(source.text())))
        });
        let asks_for_names = self.found.asked.len() > asked;
        let is_own = |variable: &Variable| !before.has(*variable);
        let read = read.map(|body| {
            let assigned: Vec<Variable> = body.facts.variables(Use::ASSIGNED).filter(is_own).collect();
            let stale = if asks_for_names { assigned } else { may_be_stale(&body) };
            anew(body, &stale)
        });

        self.themes.asks_for_last_path |= self.asks_for_last_path;
        self.ambiguous.truncate(ambiguous);
        self.asks_for_groups = outer_groups;
        self.asks_for_last_path = outer_path;
        self.found.sort_words = outer_sorts;
        self.found.sort_keys = outer_keys;
        self.nesting = outer_nesting;
        self.beyond = outer_beyond;
        let inner = mem::replace(&mut self.symbols, outer_symbols);
        self.symbols.counts = inner.counts;
        read
    }

    /// Reads the whole text as a condition that says nothing and changes nothing.
    fn theme_body(&mut self, has_header: bool) -> Built<Cond> {
        let header = if has_header { self.header()? } else { Header::default() };
        let span = self.cursor.span_from(0);
        let mut filters: Vec<Filter> = header_tests(&header, span).into_iter().map(Filter::Condition).collect();
        filters.extend(self.filters("in the theme")?);
        self.expect_end()?;
        let mut body = self.block_condition(filters)?;
        silence(ChildMut::Condition(&mut body))?;
        facts::refresh(ChildMut::Condition(&mut body));
        Ok(body)
    }

    /// Returns an error for a token that cannot be a part of a theme.
    fn refused_in_theme(&self, token: &Token) -> Option<Diagnostic> {
        let reason = match &token.kind {
            TokenKind::File { input: true, .. } => "it names the games that are searched",
            TokenKind::File { .. } => "it names the file for what is found",
            TokenKind::Word("matchcount") => "it counts the matches of whole games",
            TokenKind::Word("persistent") => "a persistent variable keeps its value from game to game",
            TokenKind::Word("dictionary") => "a dictionary keeps its entries from position to position",
            TokenKind::Word("isbound" | "isunbound") => "it asks what is left from earlier positions",
            TokenKind::Word("settag") => "it changes the tags of games",
            TokenKind::Word("readfile" | "similarposition") => "it reads a file",
            TokenKind::Word("writefile") => "it writes a file",
            TokenKind::Word("variations") if !self.variations => {
                return Some(
                    Diagnostic::new(token.span, "it searches variations, which this query does not")
                        .hint("search variations, too: `cql(variations) …` or `--variations`"),
                );
            }
            _ => return None,
        };
        Some(Diagnostic::new(token.span, reason).label("not in a theme"))
    }

    /// Returns an error for a theme that would change results that the outer text reads: the last path that matched, or the groups of the
    /// last regular expression.
    fn refuse_what_would_mix(&self, theme: &Cond, place: Span) -> Built<()> {
        let effects = theme.facts.effects;
        let what = if self.asks_for_last_path && effects.contains(Effects::LAST_PATH) {
            "for the last path that matched, and the theme has a path"
        } else if self.asks_for_groups && effects.contains(Effects::GROUPS) {
            "for groups of a regular expression, and the theme has groups"
        } else {
            return Ok(());
        };
        Err(Diagnostic::new(place, "this theme would get mixed up with the query")
            .label(format!("the query asks {what}")))
    }
}

/// Makes an error in the text of a theme an error of the text that names it.
fn in_theme(query: &NamedQuery, place: Span, error: Diagnostic) -> Diagnostic {
    let message = match error.elsewhere {
        // The error is in a theme of the theme, which its message names.
        Some(_) => error.message.clone(),
        None => format!("`{}` cannot be a theme: {}", query.source.name(), error.message),
    };
    Diagnostic::new(place, message).label("asked for here").in_another_text(
        query.source.name(),
        query.source.bytes(),
        error,
    )
}

/// Returns the conditions of a header on games.
fn header_tests(header: &Header, span: Span) -> Vec<Cond> {
    let number = |comparison, bound: i32| {
        let fact = node(NumExpr::Fact(Fact::GameNumber), span);
        let comparison = NumExpr::Compare(comparison, fact, node(NumExpr::Literal(bound), span));
        node(CondExpr::HasNumber(node(comparison, span)), span)
    };
    let games = header.games.map(|(first, last)| {
        [
            number(Comparison::GreaterEqual, first),
            number(Comparison::LessEqual, last),
        ]
    });
    let results = header
        .results
        .iter()
        .map(|result| node(CondExpr::Result(*result), span));
    let results = results.reduce(|left, right| node(CondExpr::Or(left, right), span));
    results.into_iter().chain(games.into_iter().flatten()).collect()
}

/// Makes a body find these variables without values, wherever and however often it is evaluated.
fn anew(body: Cond, stale: &[Variable]) -> Cond {
    if stale.is_empty() {
        return body;
    }
    let span = body.span;
    let unbind = |variable: &Variable| node(CondExpr::Assign(Assignment::Unbind(*variable)), span);
    let tests = stale.iter().map(unbind).collect();
    node(CondExpr::Flow(Flow::Block { tests, value: body }), span)
}

/// Removes messages and comments from an expression, and replaces `sort` by its value.
fn silence(child: ChildMut<'_>) -> Built<()> {
    let mut result = Ok(());
    let mut parts = |part: ChildMut<'_>| {
        if result.is_ok() {
            result = silence(part);
        }
    };
    match child {
        ChildMut::Condition(condition) => {
            match &mut condition.kind {
                CondExpr::Message { items, .. } | CondExpr::Comment(items) => {
                    if items.iter().any(assigns) {
                        return Err(Diagnostic::new(condition.span, "a message gives a variable a value")
                            .label("messages and comments do not count in a theme"));
                    }
                    condition.kind = CondExpr::Constant(true);
                }
                CondExpr::RemoveComment => condition.kind = CondExpr::Constant(true),
                CondExpr::Echo(echo) => echo.quiet = true,
                CondExpr::Move(parameters) => parameters.comment = None,
                _ => {}
            }
            condition.kind.children_mut(&mut parts);
        }
        ChildMut::Set(set) => {
            if let SetExpr::Move(parameters) = &mut set.kind {
                parameters.comment = None;
            }
            set.kind.children_mut(&mut parts);
        }
        ChildMut::Number(number) => {
            while let NumExpr::Sort(_, value) = &mut number.kind {
                let value = mem::replace(&mut value.kind, NumExpr::Literal(0));
                number.kind = value;
            }
            match &mut number.kind {
                NumExpr::SortSet(_, set) => number.kind = NumExpr::Count(set.clone()),
                NumExpr::Find(find, _) => find.quiet = true,
                NumExpr::Echo(echo) => echo.quiet = true,
                NumExpr::ConsecutiveMoves(run) => run.quiet = true,
                NumExpr::Path(path) => path.silence(),
                NumExpr::Line(line) => line.quiet = true,
                NumExpr::CountMoveLegal(parameters) => parameters.comment = None,
                _ => {}
            }
            number.kind.children_mut(&mut parts);
        }
        ChildMut::String(string) => {
            while let StrExpr::Sort(_, value) = &mut string.kind {
                let value = mem::replace(&mut value.kind, StrExpr::Fen);
                string.kind = value;
            }
            string.kind.children_mut(&mut parts);
        }
        ChildMut::Position(position) => {
            match &mut position.kind {
                PosExpr::Find(find) => find.quiet = true,
                PosExpr::Path(path) => path.silence(),
                PosExpr::Line(line) => line.quiet = true,
                _ => {}
            }
            position.kind.children_mut(&mut parts);
        }
        other => other.parts(&mut parts),
    }
    result
}

/// Returns whether an item of a text assigns a variable.
fn assigns(item: &TextItem) -> bool {
    matches!(item, TextItem::Filter(filter) if filter.facts().effects.contains(Effects::ASSIGN))
}
