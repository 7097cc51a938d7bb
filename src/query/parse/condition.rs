//! Filters as conditions (1.4.2): what makes them match, and which are refused because their value is lost.

use crate::syntax::Diagnostic;
use crate::syntax::token::{Span, TokenKind};

use super::builder::{Builder, Built};
use crate::query::ast::hhdb::{StudyCond, StudyNumber, StudyText};
use crate::query::ast::node::{Cond, Filter, Flow, node};
use crate::query::ast::numbers::{Fact, SetNumber};
use crate::query::ast::{CondExpr, NumExpr, PosExpr, SetExpr, StrExpr};
use crate::query::transform::Group;

impl Builder {
    /// Makes a condition of a filter.
    ///
    /// A form that passes on the value of a part passes on the condition, too: `{f v}` matches if `v` does.
    pub(super) fn condition(&self, filter: Filter) -> Built<Cond> {
        let span = filter.span();
        let kind = match filter {
            Filter::Condition(condition) => return Ok(condition),
            Filter::Set(set) => match set.kind {
                SetExpr::Flow(flow) => CondExpr::Flow(self.flow_condition(flow, Filter::Set)?),
                SetExpr::Versions(versions) => {
                    CondExpr::Versions(versions.map(|copy| self.condition(Filter::Set(copy)))?)
                }
                SetExpr::Common(..) => return Err(self.lost(span, "the common squares of two positions")),
                _ => CondExpr::NonEmpty(set),
            },
            Filter::Number(number) => match number.kind {
                NumExpr::Flow(flow) => CondExpr::Flow(self.flow_condition(flow, Filter::Number)?),
                NumExpr::Versions(versions) => {
                    CondExpr::Versions(versions.map(|copy| self.condition(Filter::Number(copy)))?)
                }
                NumExpr::Study(StudyNumber::Award(award)) => CondExpr::Study(StudyCond::Award(award)),
                ref kind => match lost_number(kind) {
                    Some(what) => return Err(self.lost(span, what)),
                    None => CondExpr::HasNumber(number),
                },
            },
            Filter::String(string) => match string.kind {
                StrExpr::Flow(flow) => CondExpr::Flow(self.flow_condition(flow, Filter::String)?),
                ref kind => match lost_string(kind) {
                    Some(what) => return Err(self.lost(span, what)),
                    None => CondExpr::HasString(string),
                },
            },
            Filter::Position(position) => match position.kind {
                PosExpr::Flow(flow) => CondExpr::Flow(self.flow_condition(flow, Filter::Position)?),
                PosExpr::Variable(_) => return Err(self.lost(span, "a position variable")),
                PosExpr::CommonAncestor(..) => return Err(self.lost(span, "`lca`")),
                _ => CondExpr::HasPosition(position),
            },
        };
        Ok(node(kind, span))
    }

    fn flow_condition<N>(&self, flow: Flow<N>, filter: fn(N) -> Filter) -> Built<Flow<Cond>> {
        let ask = |value: N| self.condition(filter(value));
        Ok(match flow {
            Flow::Group(value) => Flow::Group(ask(value)?),
            Flow::Block { tests, value } => Flow::Block {
                tests,
                value: ask(value)?,
            },
            Flow::If { test, yes, no } => Flow::If {
                test,
                yes: ask(yes)?,
                no: ask(no)?,
            },
            Flow::At { position, value } => Flow::At {
                position,
                value: ask(value)?,
            },
            Flow::Call { arguments, body } => Flow::Call {
                arguments,
                body: ask(body)?,
            },
            Flow::Entry { dictionary, key } => Flow::Entry { dictionary, key },
            Flow::Fixed(value) => Flow::Fixed(ask(value)?),
            Flow::Dash(dash, target) => Flow::Dash(dash, ask(target)?),
            Flow::Previous(dash, target) => Flow::Previous(dash, ask(target)?),
            Flow::Lookahead(tried, target) => Flow::Lookahead(tried, ask(target)?),
            Flow::Imagined(imagined, value) => Flow::Imagined(imagined, ask(value)?),
            Flow::Traced(part, value) => Flow::Traced(part, ask(value)?),
        })
    }

    fn lost(&self, span: Span, what: &str) -> Diagnostic {
        let error = Diagnostic::new(span, format!("{what} is used as a condition; its value is lost"))
            .label("it says nothing about the position");
        let number = self
            .cursor
            .tokens
            .iter()
            .find(|token| token.span == span)
            .map(|token| &token.kind);
        match (number, self.argument_before(span)) {
            (Some(TokenKind::Integer(number)), None) if self.is_alone(span) => {
                let of_year = (1400..=2100).contains(number).then(|| format!("year=={number}"));
                let of_rating = (1000..=3000).contains(number).then(|| format!("elo>={number}"));
                let others = [format!("movenumber=={number}"), format!("gamenumber=={number}")];
                let meant: Vec<String> = of_year.into_iter().chain(of_rating).chain(others).collect();
                let error = error.hint(format!("a number is compared: `{}`", meant.join("`, `")));
                meant.into_iter().fold(error, |error, text| error.change(span, text))
            }
            (_, Some(hint)) => error.hint(hint),
            (_, None) => error
                .hint("compare it with something, or leave it out")
                .fix("Leave it out", [(span, "")]),
        }
    }

    /// Returns whether the query is only one word, apart from its header.
    pub(super) fn is_alone(&self, span: Span) -> bool {
        let tokens = &self.cursor.tokens;
        let place = tokens.partition_point(|token| token.span.start < span.start);
        let is_behind_header = |before: usize| {
            let is_headed = tokens.first().is_some_and(|first| first.kind == TokenKind::Word("cql"));
            is_headed
                && self
                    .cursor
                    .closing(1)
                    .is_some_and(|close| close.span == tokens[before].span)
        };
        let is_first = place.checked_sub(1).is_none_or(is_behind_header);
        let is_last = tokens.get(place + 1).is_none_or(|next| next.kind == TokenKind::End);
        is_first && is_last && self.symbols.expanding.is_empty()
    }

    /// Returns advice for a literal that seems to belong to the filter before it, as in older versions of CQL.
    fn argument_before(&self, literal: Span) -> Option<&'static str> {
        use TokenKind::{String, Word};
        let place = self.cursor.tokens.iter().position(|token| token.span == literal)?;
        let before = |steps: usize| place.checked_sub(steps).map(|place| &self.cursor.tokens[place].kind);
        match (before(1)?, before(2)) {
            (Word("ply" | "depth" | "movenumber" | "positionid"), _) => {
                Some("a number is compared: `ply==10`, `10<=ply<=20`")
            }
            (Word("child"), _) => Some("a child by its number has parentheses: `child(1)`"),
            (Word("find"), _) => {
                Some("an operator cannot follow a range: put the filter after it into braces, `find 2 {f}`")
            }
            (Word("year"), _) => Some("a range is a comparison: `1950<=year<=1960`"),
            (Word("elo"), _) | (Word("white" | "black"), Some(Word("elo"))) => {
                Some("a range is a comparison: `2500<=elo<=2600`")
            }
            (Word("gamenumber"), _) => {
                Some("a range is a comparison: `10<=gamenumber<=20`; in the header it has no signs")
            }
            (Word(word), _) if *word == "find" || Group::named(word).is_some() => {
                Some("a number is not a range if a sign follows it; put the filter into braces, as in `flip 2 {~A}`")
            }
            (String(_), Some(Word("tag"))) => Some("to search in a tag, write `\"Y\" in tag \"X\"`"),
            _ => None,
        }
    }
}

/// Returns the description of a number that always or never has a value, so that using it as a condition is a mistake.
fn lost_number(kind: &NumExpr) -> Option<&'static str> {
    Some(match kind {
        NumExpr::Literal(_) => "a number",
        NumExpr::Variable(_) => "a number variable",
        NumExpr::Abs(_) => "`abs`",
        NumExpr::Sqrt(_) => "`sqrt`",
        NumExpr::Max(_) => "`max`",
        NumExpr::Min(_) => "`min`",
        NumExpr::OfSet(SetNumber::Type, _) => "`type`",
        NumExpr::Color(_) => "`white` or `black`",
        NumExpr::Fact(Fact::SideToMove) => "`sidetomove`",
        NumExpr::Fact(Fact::PositionId) => "`positionid`",
        NumExpr::Fact(Fact::LastGameNumber) => "`lastgamenumber`",
        NumExpr::Fact(Fact::HalfmoveClock) => "`halfmoveclock`",
        NumExpr::Length(_) => "the length of a string",
        NumExpr::PathCount { inside: true } => "`pathcount` inside a path",
        NumExpr::Entries(_) => "the size of a dictionary",
        NumExpr::Distance(..) => "`distance`",
        _ => return None,
    })
}

/// Returns the same for a string.
fn lost_string(kind: &StrExpr) -> Option<&'static str> {
    Some(match kind {
        StrExpr::Literal(_) => "a string",
        StrExpr::Variable(_) => "a string variable",
        StrExpr::Concat(..) => "a joined string",
        StrExpr::Max(_) => "`max`",
        StrExpr::Min(_) => "`min`",
        StrExpr::PieceName { .. } => "`typename` or `piecename`",
        StrExpr::Text(_) => "`str`",
        StrExpr::Fen => "`fen`",
        StrExpr::CurrentFen => "`currentfen`",
        StrExpr::ZobristKey => "`zobristkey`",
        StrExpr::Replace(..) => "`replace`",
        StrExpr::ReadFile(_) => "`readfile`",
        StrExpr::CurrentTransform(_) => "`currenttransform`",
        StrExpr::Uppercase(_) => "`uppercase`",
        StrExpr::Lowercase(_) => "`lowercase`",
        StrExpr::Players => "`player`",
        StrExpr::Study(StudyText::Composer | StudyText::Search) => "`hhdb composer` or `hhdb search`",
        _ => return None,
    })
}
