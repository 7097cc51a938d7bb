//! Warns of texts that seem to mean more, or something else: words in a row that are separate filters (`R -- a1`, `pin R k`, `year
//! 1990-2000`), which older versions of CQL and chess players read differently from CQL 6; and the rest of a FEN after its board.

use std::iter;

use super::warning::{Lint, Warning, warning};
use crate::chess::Start;
use crate::query::ast::node::{Cond, Num};
use crate::query::ast::visit::Child;
use crate::query::ast::{CondExpr, NumExpr};
use crate::query::parse;
use crate::query::parse::{Options, Vocabulary};
use crate::syntax::token::{Sign, Span, Token, TokenKind, closing_bracket};
use crate::syntax::{Diagnostic, Source, line_comments};

pub(super) fn check(
    source: &Source,
    body: &Cond,
    tokens: &[Token],
    vocabulary: Vocabulary,
    warnings: &mut Vec<Warning>,
) {
    let text = Text {
        source,
        tokens,
        vocabulary,
    };
    text.conditions(Child::Condition(body), warnings);
    let found = (0..tokens.len()).filter_map(|at| {
        text.bare_parameters(at)
            .or_else(|| text.loose_dash(at))
            .or_else(|| text.position_without_colon(at))
            .or_else(|| text.pawns_without_sign(at))
            .or_else(|| text.sum_after_parentheses(at))
            .or_else(|| text.union_after_attacks(at))
            .or_else(|| text.sets_after_transform(at))
    });
    warnings.extend(found.map(misread));
    warnings.extend(filters_in_comments(source).map(misread));
}

fn misread(diagnostic: Diagnostic) -> Warning {
    warning(Lint::Misread, diagnostic)
}

/// A text and its tokens.
struct Text<'t> {
    source: &'t Source,
    tokens: &'t [Token],
    vocabulary: Vocabulary,
}

impl Text<'_> {
    fn kind(&self, at: usize) -> Option<&TokenKind> {
        self.tokens.get(at).map(|token| &token.kind)
    }

    fn slice(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| self.source.slice(token.span))
    }

    /// Returns whether a token is on the same line as the one before it.
    fn is_on_line(&self, at: usize) -> bool {
        let Some([before, token]) = at.checked_sub(1).and_then(|before| self.tokens.get(before..=at)) else {
            return false;
        };
        let between = Span {
            start: before.span.end,
            end: token.span.start,
        };
        !self.source.slice(between).contains(['\n', '/', ';'])
    }

    /// Returns the number of designators after a token on its line, at most `most`.
    fn designators_behind(&self, at: usize, most: usize) -> usize {
        let designators = (at + 1..=at + most)
            .take_while(|&next| matches!(self.kind(next), Some(TokenKind::Designator(_))) && self.is_on_line(next));
        designators.count()
    }

    /// `pin R k`, `move R`: warns of sets that look like parameters of the word.
    fn bare_parameters(&self, at: usize) -> Option<Diagnostic> {
        let TokenKind::Word(word @ ("pin" | "move")) = self.kind(at)? else {
            return None;
        };
        let parameters: &[&str] = match *word {
            "pin" => &["from", "through", "to"],
            _ => &["from"],
        };
        let count = self.designators_behind(at, parameters.len());
        let names: &[&str] = match count {
            0 => return None,
            2 => &["from", "to"],
            _ => parameters,
        };
        let named: Vec<String> = (1..=count)
            .map(|place| format!("{} {}", names[place - 1], self.slice(at + place)))
            .collect();
        let written = format!("{word} {}", named.join(" "));
        let span = self.tokens[at].span.to(self.tokens[at + count].span);
        Some(
            Diagnostic::new(
                span,
                format!("`{}` is a separate filter, and so is `{word}`", self.slice(at + 1)),
            )
            .label("all of them have to match, wherever they are")
            .hint(format!("the name of a parameter of `{word}` comes first: `{written}`"))
            .change(span, written),
        )
    }

    /// `R -- a1`: warns of a square that is a separate filter, which always matches.
    fn loose_dash(&self, at: usize) -> Option<Diagnostic> {
        let TokenKind::Dash { right_tied: false, .. } = self.kind(at)? else {
            return None;
        };
        let TokenKind::Designator(target) = self.kind(at + 1)? else {
            return None;
        };
        if target.has_contents || !self.is_on_line(at + 1) {
            return None;
        }
        let left = at
            .checked_sub(1)
            .filter(|&left| matches!(self.kind(left), Some(TokenKind::Designator(_))) && self.is_on_line(at));
        let first = left.unwrap_or(at);
        let span = self.tokens[first].span.to(self.tokens[at + 1].span);
        let glued: String = (first..=at + 1).map(|place| self.slice(place)).collect();
        Some(
            Diagnostic::new(span, format!("`{}` is not part of the move", self.slice(at + 1)))
                .label("what does not touch the dash is a separate filter")
                .hint(format!("the sides of a move touch its dash: `{glued}`"))
                .change(span, glued),
        )
    }

    /// `parent(mate)`: warns of a position and a filter that is not evaluated there.
    fn position_without_colon(&self, at: usize) -> Option<Diagnostic> {
        let TokenKind::Word(word @ ("parent" | "currentposition" | "initialposition" | "pathstart")) = self.kind(at)?
        else {
            return None;
        };
        let next = self.touching_parenthesis(at)?;
        Some(
            Diagnostic::new(self.tokens[at].span, format!("`{word}` takes no argument"))
                .label("what is in the parentheses is asked at the current position")
                .hint(format!("`{word}:f` asks for f there"))
                .fix("Put a colon between them", [(next.span.before(), ":")]),
        )
    }

    /// `passedpawns(P)`: warns of a set and a separate filter that look like a call.
    fn pawns_without_sign(&self, at: usize) -> Option<Diagnostic> {
        let TokenKind::Word(word @ ("connectedpawns" | "doubledpawns" | "isolatedpawns" | "passedpawns")) =
            self.kind(at)?
        else {
            return None;
        };
        let close = self.end_of_argument(at)?;
        let (TokenKind::Designator(_), 3) = (self.kind(at + 2)?, close - at) else {
            return None;
        };
        let written = format!("({word} & {})", self.slice(at + 2));
        let span = self.tokens[at].span.to(self.tokens[close].span);
        Some(
            Diagnostic::new(self.tokens[at].span, format!("`{word}` takes no argument"))
                .label("what is in the parentheses is a separate filter")
                .hint(format!("for the pawns that are also in another set write `{written}`"))
                .change(span, written),
        )
    }

    /// `abs(x)-y`: warns that the argument of the word is `(x)-y`.
    fn sum_after_parentheses(&self, at: usize) -> Option<Diagnostic> {
        let TokenKind::Word(word @ ("abs" | "sqrt")) = self.kind(at)? else {
            return None;
        };
        let close = self.end_of_argument(at)?;
        let TokenKind::Sign(Sign::Plus | Sign::Minus | Sign::Star | Sign::Slash | Sign::Percent) =
            self.kind(close + 1)?
        else {
            return None;
        };
        let (call, sign) = (self.tokens[at].span.to(self.tokens[close].span), self.slice(close + 1));
        let written = self.source.slice(call);
        Some(
            Diagnostic::new(call, format!("`{word}` takes all of the sum that follows it"))
                .label(format!("the argument continues with `{sign}`"))
                .hint(format!("put it in parentheses: `({written})`"))
                .change(call, format!("({written})")),
        )
    }

    /// `flipcolor Nf5 kg8`: warns that only the first set is transformed. Where anything else follows on the line, it may be meant.
    fn sets_after_transform(&self, at: usize) -> Option<Diagnostic> {
        let TokenKind::Word(word @ ("flipcolor" | "flip" | "flipvertical" | "fliphorizontal" | "flipdihedral")) =
            self.kind(at)?
        else {
            return None;
        };
        let count = self.designators_behind(at, self.tokens.len());
        let last = at + count;
        let is_end = match self.kind(last + 1) {
            Some(TokenKind::Sign(sign)) if sign.is_closing() => true,
            Some(TokenKind::End) => true,
            _ => !self.is_on_line(last + 1),
        };
        let depends = |place: usize| match self.kind(place) {
            Some(TokenKind::Designator(set)) if *word == "flipcolor" => set.contents != set.contents.color_swapped(),
            Some(TokenKind::Designator(set)) => set.has_contents && set.has_squares,
            _ => false,
        };
        if count < 2 || !is_end || !(at + 1..=last).all(depends) {
            return None;
        }
        let sets = self.tokens[at + 1].span.to(self.tokens[last].span);
        let written = format!("{{{}}}", self.source.slice(sets));
        Some(
            Diagnostic::new(
                self.tokens[at].span.to(self.tokens[at + 1].span),
                format!("`{word}` is about `{}` alone", self.slice(at + 1)),
            )
            .label("what comes after the set is a separate filter")
            .hint(format!("braces keep the sets together: `{word} {written}`"))
            .change(sets, written),
        )
    }

    /// `N attacks k|q`: warns that this means white knights that attack the king, and all black queens.
    fn union_after_attacks(&self, at: usize) -> Option<Diagnostic> {
        let TokenKind::Word(word @ ("attacks" | "attackedby")) = self.kind(at)? else {
            return None;
        };
        let touches = |place: usize| self.tokens.get(place).is_some_and(|token| !token.spaced);
        let is_designator = |place: usize| matches!(self.kind(place), Some(TokenKind::Designator(_)));
        let goes_on = |last: &usize| {
            let is_union = matches!(self.kind(last + 1), Some(TokenKind::Sign(Sign::Union)));
            (is_union && touches(last + 1) && touches(last + 2) && is_designator(last + 2)).then_some(last + 2)
        };
        let first = Some(at + 1).filter(|&first| is_designator(first) && goes_on(&first).is_some());
        let last = iter::successors(first, goes_on).last()?;
        let union = self.tokens[at + 1].span.to(self.tokens[last].span);
        let (one, written) = (self.slice(at + 1), self.source.slice(union));
        let (_, others) = written.split_once(['|', '∪'])?;
        Some(
            Diagnostic::new(union, format!("`{word}` binds more tightly than `|`"))
                .label(format!("it is read as `(… {word} {one})|{others}`"))
                .hint(format!("braces keep a union together: `{{{written}}}`"))
                .change(union, format!("{{{written}}}")),
        )
    }

    /// Returns the closing parenthesis of the argument list that directly follows a word, unless the list is empty.
    fn end_of_argument(&self, at: usize) -> Option<usize> {
        self.touching_parenthesis(at)?;
        closing_bracket(self.tokens, at + 1).filter(|&close| close > at + 2)
    }

    /// Returns the parenthesis that opens directly after a token.
    fn touching_parenthesis(&self, at: usize) -> Option<&Token> {
        let next = self.tokens.get(at + 1)?;
        (next.kind == TokenKind::Sign(Sign::OpenParen) && !next.spaced).then_some(next)
    }

    /// `year 1990-2000`, `0-0`: warns of numbers that say nothing about the position. `fen "… w - -"`: warns of a whole FEN.
    fn conditions(&self, child: Child<'_>, warnings: &mut Vec<Warning>) {
        if let Child::Condition(condition) = &child {
            match &condition.kind {
                CondExpr::HasNumber(number) if is_constant_arithmetic(number) => {
                    warnings.push(misread(self.constant(number.span)));
                }
                CondExpr::Placement(_) => warnings.extend(self.whole_fen(condition.span).map(misread)),
                _ => {}
            }
        }
        child.parts(&mut |part| self.conditions(part, warnings));
    }

    /// `fen "… w KQkq - 0 1"`: warns that only the board is compared.
    fn whole_fen(&self, span: Span) -> Option<Diagnostic> {
        let word = self.tokens.partition_point(|token| token.span.start < span.start);
        let (TokenKind::Word("fen"), TokenKind::String(fen)) = (self.kind(word)?, self.kind(word + 1)?) else {
            return None;
        };
        let is_position = Start::from_fen(fen).is_ok();
        let fen = String::from_utf8_lossy(fen);
        let side = match fen.split_whitespace().nth(1)? {
            "w" => Some("wtm"),
            "b" => Some("btm"),
            _ => None,
        };
        let mut warning = Diagnostic::new(self.tokens[word + 1].span, "`fen` compares the board alone")
            .label("what follows the board is ignored");
        if is_position && self.vocabulary != Vocabulary::Cql62 {
            warning = warning
                .hint("`likeboard` asks for the whole position, with the side to move")
                .change(span, format!("likeboard(\"{fen}\")"));
        }
        let board = fen.split_whitespace().next().unwrap_or_default();
        let alone = self.source.slice(span).replace(&*fen, board);
        Some(match side {
            Some(side) => warning
                .hint(format!("`{side}` asks for the side to move alone"))
                .change(span, format!("{{{alone} {side}}}")),
            None => warning.change(span, alone),
        })
    }

    fn constant(&self, span: Span) -> Diagnostic {
        let text = self.source.slice(span);
        let error = Diagnostic::new(span, format!("`{text}` is a number, the same at each position"))
            .label("a number without a comparison always matches");
        match text {
            "0-0" => return error.hint("castling is written with letters").change(span, "o-o"),
            "0-0-0" => return error.hint("castling is written with letters").change(span, "o-o-o"),
            _ => {}
        }
        let first = self.tokens.partition_point(|token| token.span.start < span.start);
        let quantity = first.checked_sub(1).filter(|&before| {
            let is_side = matches!(self.slice(before), "white" | "black");
            let word = self.slice(if is_side { before.saturating_sub(1) } else { before });
            if is_side {
                word == "elo"
            } else {
                matches!(
                    word,
                    "year" | "elo" | "ply" | "movenumber" | "gamenumber" | "depth" | "positionid"
                )
            }
        });
        let (Some(last), Some((least, most))) = (quantity, text.split_once('-')) else {
            return error.hint("a number is compared: `ply>10`, `1990<=year<=2000`");
        };
        let start = if self.slice(last) == "white" || self.slice(last) == "black" {
            last - 1
        } else {
            last
        };
        let quantity = self.tokens[start].span.to(self.tokens[last].span);
        let range = format!("{}<={}<={}", least.trim(), self.source.slice(quantity), most.trim());
        error
            .hint(format!("a range of numbers is a comparison: `{range}`"))
            .change(quantity.to(span), range)
    }
}

/// Returns whether a number is arithmetic with literals only.
fn is_constant_arithmetic(number: &Num) -> bool {
    matches!(number.kind, NumExpr::Arithmetic(..)) && is_constant(number)
}

/// Returns whether a number consists only of literals.
fn is_constant(number: &Num) -> bool {
    match &number.kind {
        NumExpr::Literal(_) => true,
        NumExpr::Arithmetic(_, left, right) => is_constant(left) && is_constant(right),
        _ => false,
    }
}

/// `mate; check`: warns of filters after a `;` that touches the filter before it, because this is a comment.
fn filters_in_comments(source: &Source) -> impl Iterator<Item = Diagnostic> {
    let options = Options {
        filters_only: true,
        ..Options::default()
    };
    line_comments(source).into_iter().filter_map(move |comment| {
        let text = source.slice(comment);
        let filters = text.strip_prefix(';')?.trim();
        let before = source.text()[..comment.start as usize].chars().next_back()?;
        let is_glued = !before.is_whitespace() && !filters.is_empty();
        let means_something = || parse::compiles(&Source::new("comment", filters), &options);
        (is_glued && means_something()).then(|| {
            let sign = Span::new(comment.start as usize, comment.start as usize + 1);
            Diagnostic::new(comment, "this is a comment")
                .label("`;` begins a comment; it does not separate filters")
                .hint("filters in a row need no sign between them")
                .change(sign, " ")
        })
    })
}
