//! `path` and the filters that refer to a path (chapter 7).

use crate::syntax::Diagnostic;
use crate::syntax::token::{Sign, Span, TokenKind};
use crate::syntax::tree::Rule;

use super::builder::{Builder, Built};
use super::lines::Parameters;
use super::move_filters::{dash_of, is_dash};
use super::operators::Level;
use crate::query::ast::facts::{Effects, Facts};
use crate::query::ast::moves::Dash;
use crate::query::ast::node::{Filter, Set};
use crate::query::ast::paths::{Focus, Path, PathStep};
use crate::query::ast::program::{Constituent, Program, Repetition, UNBOUNDED};
use crate::query::ast::{CondExpr, Num, NumExpr, PosExpr};

type Parts = Vec<Constituent<PathStep>>;

impl Builder {
    /// Reads `path …`. The form is next. Its parameters continue after a bound that is a variable, after a set and after a number.
    pub(super) fn path(&mut self) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        let outer_line = self.nesting.line_moves.take();
        self.nesting.paths += 1;
        let read = self.up_to_blank_line(first, |builder| {
            let parameters = builder.path_parameters()?;
            let parts = builder.constituents("in the path")?;
            Ok((parameters, parts, builder.cursor.span_from(first)))
        });
        self.nesting.paths -= 1;
        self.nesting.line_moves = outer_line;
        let (parameters, parts, span) = read?;
        let lastposition = parameters.words.has(Rule::LASTPOSITION);
        let mut path = Box::new(parameters.path(parts, self, span)?);
        path.effects = self.effects(&Facts::of_parts(&path), Effects::STOP | Effects::UNBOUND);
        Ok(if lastposition {
            Filter::new(PosExpr::Path(path), span)
        } else {
            Filter::new(NumExpr::Path(path), span)
        })
    }

    fn path_parameters(&mut self) -> Built<PathParameters> {
        const PARAMETERS: [Rule; 13] = [
            Rule::FOCUS,
            Rule::MAX,
            Rule::TITLE,
            Rule::SINGLECOLOR,
            Rule::PRIMARY,
            Rule::SECONDARY,
            Rule::VERBOSE,
            Rule::QUIET,
            Rule::KEEPALLBEST,
            Rule::NESTBAN,
            Rule::FIRSTMATCH,
            Rule::LASTPOSITION,
            Rule::PIECEPATH,
        ];
        let mut parameters = PathParameters::default();
        while let Some((parameter, span)) = self.parameter("path", &PARAMETERS, &mut parameters.words)? {
            match parameter {
                Rule::FOCUS => {
                    let capture = self.cursor.take_word("capture");
                    let set = self.pieces_in_focus()?;
                    parameters.focus = Some(Focus::Pieces { set, capture });
                }
                Rule::MAX => {
                    let number = self.filter_expected("after `max`")?;
                    parameters.max = Some(self.typed(number, "after `max`")?);
                }
                Rule::TITLE => {
                    let title = self.string_literal("as the title")?;
                    if title.is_empty() {
                        return Err(Diagnostic::new(span, "the title is empty"));
                    }
                    parameters.title = Some(title);
                }
                Rule::SECONDARY => {
                    return Err(Diagnostic::new(span, "`secondary` is not a parameter of `path`")
                        .hint("as a filter after a move it asks for a variation: `-- secondary`"));
                }
                _ => {}
            }
        }
        Ok(parameters)
    }

    /// Reads the set after `focus`. A move that touches it would be read as a part of it.
    fn pieces_in_focus(&mut self) -> Built<Set> {
        let place = "that holds the pieces in focus";
        let pieces = self.operand(Level::Dash, &format!("a set {place}"))?;
        let is_dash = is_dash(&pieces);
        self.typed(pieces, place).map_err(|error| {
            if is_dash {
                error.hint("put a space between the pieces and the first move: `focus R --`")
            } else {
                error
            }
        })
    }

    /// Reads constituents up to a token that cannot begin one, at least one.
    fn constituents(&mut self, place: &str) -> Built<Parts> {
        let mut parts = Vec::new();
        while self.cursor.begins_filter() {
            let first = self.cursor.at;
            self.nested(|builder| builder.constituent(&mut parts))?;
            self.outline_constituent(first);
        }
        if parts.is_empty() {
            return Err(self.unexpected(&format!("expected a move or a filter {place}")));
        }
        Ok(parts)
    }

    /// Reads a constituent. A move may be followed by more moves.
    fn constituent(&mut self, parts: &mut Parts) -> Built<()> {
        let first = self.cursor.at;
        match self.cursor.token().kind {
            TokenKind::Sign(Sign::OpenParen) => {
                let chain = self.chain()?;
                parts.push(self.repeated(chain)?);
                return Ok(());
            }
            TokenKind::Dash { .. } => return self.moves(None, parts),
            _ => {}
        }
        let operand = self.expression(Level::Arrow)?;
        let tied = matches!(self.cursor.token().kind, TokenKind::Dash { left_tied: true, .. });
        if tied && matches!(operand, Filter::Set(_)) {
            return self.moves(Some(operand), parts);
        }
        let filter = self.climb(operand, first, Level::Or, Level::Dash)?;
        self.refuse_bare_number(&filter, "a constituent of a path")?;
        if is_dash(&filter) {
            return Err(braced_move(filter.span()));
        }
        parts.push(Constituent::Step(PathStep::Test(self.condition(filter)?)));
        Ok(())
    }

    /// Reads `( … )`. The parenthesis is next.
    fn chain(&mut self) -> Built<Constituent<PathStep>> {
        let opened = self.cursor.next().span;
        let parts = self.constituents("in the parentheses")?;
        self.close(opened, "the chain")?;
        Ok(Constituent::Sequence(parts))
    }

    /// Reads a move with its targets. The dash is next. A target that is only a move is the next move of the path.
    fn moves(&mut self, left: Option<Filter>, parts: &mut Parts) -> Built<()> {
        let mut dash = self.bare_dash(left, true)?;
        let mut targets = Vec::new();
        while self.cursor.begins_filter() {
            let first = self.cursor.at;
            let target = self.filter()?;
            self.outline_constituent(first);
            if !is_dash(&target) {
                self.refuse_bare_number(&target, "a target of a move")?;
                targets.push(target);
                continue;
            }
            let in_parentheses = self.cursor.tokens[first].kind == TokenKind::Sign(Sign::OpenParen);
            if self.is_braced(first) {
                return Err(braced_move(target.span()));
            }
            parts.push(self.move_part(dash, std::mem::take(&mut targets))?);
            let (next, target) = dash_of(target, "path")?;
            dash = next;
            if !target.is_missing() {
                targets.push(target.kind);
            }
            if in_parentheses {
                break;
            }
        }
        let part = self.move_part(dash, targets)?;
        parts.push(self.repeated(part)?);
        Ok(())
    }

    fn move_part(&mut self, dash: Dash, targets: Vec<Filter>) -> Built<Constituent<PathStep>> {
        let target = if targets.is_empty() {
            None
        } else {
            Some(self.block_condition(targets)?)
        };
        Ok(Constituent::Step(PathStep::Move(dash, target)))
    }

    /// Returns whether the tokens from `first` to here are one pair of braces, perhaps in parentheses.
    fn is_braced(&self, first: usize) -> bool {
        let mut form = self.cursor.forms.at(first);
        let ends_here = form
            .as_ref()
            .and_then(|form| form.all().last())
            .is_some_and(|last| last.end == self.cursor.at);
        while let Some(group) = form.take_if(|form| form.rule == Rule::parens) {
            form = match group.all() {
                [_, inside, _] => self.cursor.forms.at(inside.first),
                _ => None,
            };
        }
        ends_here && form.is_some_and(|form| form.rule == Rule::braces)
    }

    /// Reads the repetition that follows a part.
    fn repeated(&mut self, part: Constituent<PathStep>) -> Built<Constituent<PathStep>> {
        let span = self.cursor.token().span;
        let Some(repetition) = self.repetition() else {
            return Ok(part);
        };
        if self.repetition().is_some() {
            let second = self.cursor.tokens[self.cursor.at - 1].span;
            return Err(Diagnostic::new(second, "two repetitions after each other")
                .label("only one can follow")
                .related(span, "the first")
                .hint("put parentheses around what the first one repeats"));
        }
        self.note_repetition(&part, repetition, span);
        Ok(Constituent::Repeated(Box::new(part), repetition))
    }

    /// Records the repetition at `span` if it repeats without bound a part that may reduce to a repetition without bound.
    pub(super) fn note_repetition<S>(&mut self, part: &Constituent<S>, repetition: Repetition, span: Span) {
        if repetition.most == UNBOUNDED && part.is_repetition() {
            self.ambiguous.push(span);
        }
    }

    /// Reads a repetition, if one is next.
    fn repetition(&mut self) -> Option<Repetition> {
        let repetition = match self.cursor.token().kind {
            TokenKind::Sign(Sign::RepeatStar) => Repetition::ANY,
            TokenKind::Sign(Sign::RepeatPlus) => Repetition::SOME,
            _ => return self.unmistakable_repetition(),
        };
        self.cursor.advance(1);
        Some(repetition)
    }

    /// Reads `?`, `{*}`, `{+}`, `{2,4}`, if one is next.
    pub(super) fn unmistakable_repetition(&mut self) -> Option<Repetition> {
        let repetition = match self.cursor.token().kind {
            TokenKind::Sign(Sign::Question) => Repetition { least: 0, most: 1 },
            TokenKind::Sign(Sign::BraceStar) => Repetition::ANY,
            TokenKind::Sign(Sign::BracePlus) => Repetition::SOME,
            TokenKind::Repetition(least, most) => Repetition {
                least,
                most: most.min(UNBOUNDED),
            },
            _ => return None,
        };
        self.cursor.advance(1);
        Some(repetition)
    }

    /// Returns an error for a number as a filter of a sequence: it was meant as a range or a repetition.
    pub(super) fn refuse_bare_number(&self, filter: &Filter, place: &str) -> Built<()> {
        let Filter::Number(number) = filter else {
            return Ok(());
        };
        let what = match number.kind {
            NumExpr::Literal(_) => "a number",
            NumExpr::Variable(_) => "a number variable",
            NumExpr::Arithmetic(..) | NumExpr::Negate(_) | NumExpr::PathCountUnfocused => "arithmetic",
            _ => return Ok(()),
        };
        Err(Diagnostic::new(number.span, format!("{what} cannot be {place}"))
            .label("it is neither a range nor a repetition here")
            .hint("a range comes before everything else; a repetition is written in braces: `{3}`")
            .surround(number.span, "{", "}"))
    }

    /// Reads `pathcount`. The word is read.
    pub(super) fn path_count(&mut self, first: usize) -> Built {
        let inside = self.nesting.paths > 0;
        self.complete(NumExpr::PathCount { inside }, first)
    }

    /// Reads `pathlastposition`. The word is read.
    pub(super) fn path_last(&mut self, first: usize) -> Built {
        let inside = self.nesting.paths > 0;
        self.complete(PosExpr::PathLast { inside }, first)
    }

    /// Reads `pathdebug`. The word is read.
    pub(super) fn path_debug(&mut self, first: usize) -> Built {
        let span = self.cursor.span_from(first);
        if self.nesting.paths == 0 {
            return Err(Diagnostic::new(span, "`pathdebug` outside of a path").label("there is nothing to show here"));
        }
        Ok(Filter::new(CondExpr::Constant(true), span))
    }
}

/// The parameters of a path, while they are read.
#[derive(Default)]
struct PathParameters {
    words: Parameters,
    focus: Option<Focus>,
    max: Option<Num>,
    title: Option<Vec<u8>>,
}

impl PathParameters {
    fn path(self, parts: Parts, builder: &Builder, span: Span) -> Built<Path> {
        let has = |parameter| self.words.has(parameter);
        let conflicts = [
            (
                has(Rule::PIECEPATH) && !has(Rule::FOCUS) && !has(Rule::SINGLECOLOR),
                "`piecepath` needs `focus` or `singlecolor`",
            ),
            (
                has(Rule::FOCUS) && has(Rule::SINGLECOLOR),
                "`focus` excludes `singlecolor`",
            ),
            (has(Rule::FOCUS) && has(Rule::PRIMARY), "`focus` excludes `primary`"),
            (
                has(Rule::SINGLECOLOR) && has(Rule::PRIMARY),
                "`singlecolor` excludes `primary`",
            ),
        ];
        if let Some((_, message)) = conflicts.into_iter().find(|(conflict, _)| *conflict) {
            let error = Diagnostic::new(span, message).label("parameters of this `path`");
            return Err(if has(Rule::PRIMARY) {
                error.hint("repeat `(-- pathstart:depth==depth)` instead of `primary`")
            } else {
                error
            });
        }
        let focus = if has(Rule::SINGLECOLOR) {
            Some(Focus::SideToMove)
        } else {
            None
        };
        Ok(Path {
            program: Program::new(parts),
            range: self.words.range,
            primary: has(Rule::PRIMARY),
            first_match: has(Rule::FIRSTMATCH),
            keep_all_best: has(Rule::KEEPALLBEST),
            nest_ban: has(Rule::NESTBAN),
            verbose: has(Rule::VERBOSE),
            quiet: has(Rule::QUIET),
            piece_path: has(Rule::PIECEPATH),
            focus: focus.or(self.focus),
            max: self.max,
            title: self.title,
            atomic: builder.symbols.atomic.clone(),
            any: false,
            effects: Effects::all(),
            span,
        })
    }
}

fn braced_move(span: Span) -> Diagnostic {
    let open = Span {
        end: span.start + 1,
        ..span
    };
    let close = Span {
        start: span.end.saturating_sub(1),
        ..span
    };
    Diagnostic::new(span, "a move in braces is neither a step of the path nor a filter")
        .label("braces around a single move mean nothing")
        .hint("to make the move a step of the path, leave the braces out or write parentheses")
        .hint("to ask whether it is played next, write `{R-- true}`")
        .fix("Leave the braces out", [(open, ""), (close, "")])
        .fix("Ask whether it is played next", [(close.before(), " true")])
}
