//! Takes what must come next, and reports an error if it does not.

use shakmaty::{Color, KnownOutcome};

use super::builder::{Builder, Built};
use super::cursor::Cursor;
use super::names::Name;
use super::operators::Relation;
use crate::query::ast::variables::Variable;
use crate::query::ast::{Bound, Range};
use crate::syntax::token::{Sign, Span, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form, Parsed};

impl Builder {
    /// Reads other tokens from their start, and then continues at the old place.
    pub(super) fn reading<T>(&mut self, text: Parsed, read: impl FnOnce(&mut Builder) -> T) -> T {
        let outer = std::mem::replace(&mut self.cursor, Cursor::new(text));
        let result = read(self);
        self.cursor = outer;
        result
    }

    /// Takes a string literal that must be next.
    pub(super) fn string_literal(&mut self, place: &str) -> Built<Vec<u8>> {
        self.cursor
            .take_string()
            .ok_or_else(|| self.unexpected(&format!("expected a quoted string {place}")))
    }

    /// Reads the text from the word `path` at `first` to the blank line that ends the path, and skips that line.
    pub(super) fn up_to_blank_line<T>(&mut self, first: usize, read: impl FnOnce(&mut Builder) -> T) -> T {
        let outer = self.cursor.path_ends.len();
        self.cursor.path_ends.extend(self.cursor.forms.path_end(first));
        let result = read(self);
        self.cursor.path_ends.truncate(outer);
        self.cursor.advance(0);
        result
    }

    /// Moves inside the parentheses of a form and returns the span of the opening one.
    pub(super) fn enter(&mut self, form: &Form) -> Built<Span> {
        match form.part(Rule::parens).or_else(|| form.part(Rule::positions)) {
            Some(parens) => {
                self.cursor.at = parens.first;
                Ok(self.cursor.next().span)
            }
            None => Err(self.unexpected("expected `(`")),
        }
    }

    /// Returns an error for a word without its parentheses. The word is read.
    pub(super) fn without_parentheses(&self, word: &str) -> Diagnostic {
        self.unexpected(&format!("expected `(` after `{word}`"))
    }

    /// Takes an opening parenthesis that must be next.
    pub(super) fn open(&mut self, after: &str) -> Built<Span> {
        let span = self.cursor.token().span;
        if self.cursor.take_sign(Sign::OpenParen) {
            Ok(span)
        } else {
            Err(self.without_parentheses(after))
        }
    }

    /// Takes a closing parenthesis that must be next. `list` describes what it closes.
    pub(super) fn close(&mut self, opened: Span, list: &str) -> Built<()> {
        if self.cursor.take_sign(Sign::CloseParen) {
            return Ok(());
        }
        let error = self.unexpected(&format!("expected `)` after {list}"));
        Err(error.related(opened, "opened here"))
    }

    /// Returns an error unless the end of the text is next.
    pub(super) fn expect_end(&self) -> Built<()> {
        if self.cursor.is_end() {
            Ok(())
        } else {
            Err(self.unexpected("expected a filter or the end of the query"))
        }
    }

    /// Adds a fix that replaces the parentheses that begin with a token by braces.
    pub(super) fn braces_instead(&self, error: Diagnostic, open: usize) -> Diagnostic {
        match self.cursor.closing(open) {
            Some(close) => error.fix(
                "Write braces instead of parentheses",
                [(self.cursor.tokens[open].span, "{"), (close.span, "}")],
            ),
            None => error,
        }
    }

    /// Adds a fix that makes the query search variations.
    pub(super) fn with_variations(&self, error: Diagnostic) -> Diagnostic {
        let header = matches!(self.cursor.tokens[0].kind, TokenKind::Word("cql"));
        match self.cursor.closing(1).filter(|_| header) {
            Some(close) if close.span.start == self.cursor.tokens[1].span.end => {
                error.fix("Search variations, too", [(close.span.before(), "variations")])
            }
            Some(close) => error.fix("Search variations, too", [(close.span.before(), " variations")]),
            None => error,
        }
    }

    /// Returns an error at the next token, which says what was expected, and adds advice for known slips.
    pub(super) fn unexpected(&self, expected: &str) -> Diagnostic {
        let token = self.cursor.token();
        if self.turned_arrow == Some(token.span) {
            return Diagnostic::new(token.span, "arrows of both directions in one chain")
                .label("this arrow points the other way")
                .hint("put one of them into parentheses");
        }
        let found = match &token.kind {
            TokenKind::End => "the query ends too early".to_owned(),
            TokenKind::PathEnd => "the blank line ends the path too early".to_owned(),
            TokenKind::LineMessageEnd => "the line ends too early".to_owned(),
            kind => format!("unexpected {}", described(kind)),
        };
        let error = Diagnostic::new(token.span, found).label(expected);
        let error = match self.slip() {
            Some(hint) => error.hint(hint),
            None => error,
        };
        match self.instead() {
            Some(text) => error.change(token.span, text),
            None => error,
        }
    }

    /// Returns the text that the advice for slips suggests instead of the next token.
    fn instead(&self) -> Option<String> {
        let before = self
            .cursor
            .at
            .checked_sub(1)
            .map(|index| &self.cursor.tokens[index].kind);
        let text = match (&self.cursor.token().kind, before) {
            (TokenKind::Sign(Sign::Comma), Some(TokenKind::Designator(_))) => return None,
            (TokenKind::Sign(Sign::Comma), _) => " ",
            (TokenKind::Sign(Sign::Assign), _) => "==",
            (TokenKind::Sign(Sign::LineForward), _) if self.nesting.paths > 0 => "-- >",
            (TokenKind::Sign(Sign::Left), _) => "< -",
            (TokenKind::Dash { capture: true, .. }, _) => "[ x ]",
            (TokenKind::Dash { .. }, _) => "- -",
            (TokenKind::Sign(Sign::Element), _) => " in ",
            (TokenKind::Sign(Sign::Match), _) => "~ ~",
            (TokenKind::Repetition(least, most), _) if least == most => return Some(format!("{{ {least} }}")),
            (TokenKind::Result(KnownOutcome::Decisive { winner: Color::White }), _) => "1 - 0",
            (TokenKind::Result(KnownOutcome::Decisive { winner: Color::Black }), _) => "0 - 1",
            _ => return None,
        };
        Some(text.to_owned())
    }

    /// Returns advice for slips that show in the next token and the one before it.
    fn slip(&self) -> Option<&'static str> {
        let before = self
            .cursor
            .at
            .checked_sub(1)
            .map(|index| &self.cursor.tokens[index].kind);
        match (&self.cursor.token().kind, before) {
            (TokenKind::Sign(Sign::Comma), Some(TokenKind::Designator(_))) => {
                Some("several squares or pieces are put into brackets: `[a1,h8]`, `[Ra1,Q]`")
            }
            (TokenKind::Sign(Sign::Comma), _) => {
                Some("filters and arguments are separated by white space, not by commas")
            }
            (TokenKind::Sign(Sign::Assign), Some(TokenKind::Designator(_))) => {
                Some("piece designators such as `n`, `a` or `e4` cannot be names; to compare, write `==`")
            }
            (TokenKind::Sign(Sign::Assign), _) => Some("`=` assigns to a variable; to compare, write `==`"),
            (TokenKind::Sign(Sign::Colon), _) => {
                Some("`p:f` asks for f in the position p: what comes before `:` has to be a position")
            }
            (TokenKind::Sign(Sign::Union | Sign::Intersect), _) => {
                Some("`&` and `|` join sets; a move whose target is a set is put into braces: `{--(to)} & S`")
            }
            (TokenKind::Sign(Sign::LineForward), _) if self.nesting.paths > 0 => {
                Some("`-->` belongs to `line`; to compare a path or a move with a number, write `-- > 1`")
            }
            (TokenKind::Sign(Sign::LineForward), _) => Some(
                "`-->` joins the items of a `line`, each of them one filter: `line --> {f g} --> h`; \
                 `find f` looks at all later positions without it",
            ),
            (TokenKind::Sign(Sign::LineBackward), _) => {
                Some("`<--` joins the items of a `line`, each of them one filter, and belongs to `find`: `find <-- f`")
            }
            (TokenKind::Sign(Sign::Plus), _) => {
                Some("`+` adds numbers or joins strings; the size of a set S is `#S`, the union of sets is `S|T`")
            }
            (TokenKind::Sign(Sign::RepeatPlus | Sign::RepeatStar | Sign::BracePlus | Sign::BraceStar), _) => Some(
                "in a path `+` and `*` repeat a move or a chain: `(check --)+`; arithmetic is written in braces: `{ply+1}`",
            ),
            (TokenKind::Sign(Sign::Question), _) => {
                Some("`?` follows a move or a chain of a path, or an item of a line: `(check --)?`")
            }
            (TokenKind::Sign(Sign::Left), _) => {
                Some("`<-` is the attack arrow; to compare with a negative number, write `< -1`")
            }
            (TokenKind::Dash { capture: true, .. }, _) => {
                Some("`[x]` is the capture sign; an index by the variable x is written `[ x ]`")
            }
            (TokenKind::Dash { .. }, _) => Some("`--` is a move; to subtract a negative number, write `- -1`"),
            (TokenKind::Sign(Sign::Element), _) => Some(
                "`∊` begins a loop over the squares of a set, `s∊A f`; to ask whether a set is part of another, write `in`",
            ),
            (TokenKind::Sign(Sign::Match), _) => {
                Some("`~~` matches a regular expression; for a double complement, write `~ ~S`")
            }
            (TokenKind::Repetition(..), _) => {
                Some("`{5}` is a repetition of a path or line; a block that holds a number is written `{ 5 }`")
            }
            (TokenKind::Result(_), _) => Some("`1-0` is a game result; a subtraction is written with spaces: `1 - 0`"),
            (TokenKind::Sign(sign), _) if Relation::of(*sign).is_some() => Some(
                "a comparison needs a value on its left, and a condition has none; one that is assigned is written `x=(a==b)`",
            ),
            (TokenKind::Word("else"), _) => {
                Some("an `if` takes exactly one filter before `else`; put several into braces: `{ f g }`")
            }
            _ => None,
        }
    }

    /// Reads a range, if one is next (1.5.4). A number is a bound only if no operator follows it.
    pub(super) fn range(&mut self) -> Option<Range> {
        if self.cursor.take_word("count") {
            return Some(Range::Any);
        }
        let least = self.bound()?;
        let most = self.bound().unwrap_or(least);
        Some(Range::Within(least, most))
    }

    /// Reads a number or a number variable, if one is next and no operator follows it.
    pub(super) fn bound(&mut self) -> Option<Bound> {
        let (bound, length) = match (&self.cursor.token().kind, &self.cursor.peek(1).kind) {
            (TokenKind::Integer(number), _) => (Bound::Number(*number), 1),
            (TokenKind::Sign(Sign::Minus), TokenKind::Integer(number)) => (Bound::Number(-*number), 2),
            (TokenKind::Name(name), _) => match self.symbols.names.get(name) {
                Some(Name::Variable(Variable::Number(variable))) => {
                    (Bound::Variable(variable, self.cursor.token().span), 1)
                }
                _ => return None,
            },
            _ => return None,
        };
        let follows = &self.cursor.peek(length).kind;
        let blocked = matches!(
            follows,
            TokenKind::Sign(sign) if !matches!(
                sign,
                Sign::OpenParen
                    | Sign::CloseParen
                    | Sign::OpenBrace
                    | Sign::CloseBrace
                    | Sign::LineForward
                    | Sign::LineBackward
            )
        );
        if blocked {
            return None;
        }
        self.cursor.advance(length);
        Some(bound)
    }
}

/// Returns a description of a token for messages.
fn described(kind: &TokenKind) -> String {
    match kind {
        TokenKind::PieceMark => "piece mark".to_owned(),
        TokenKind::LineMessage => "`///`".to_owned(),
        TokenKind::Result(_) => "game result".to_owned(),
        TokenKind::Integer(number) => format!("number `{number}`"),
        TokenKind::Repetition(..) => "repetition".to_owned(),
        TokenKind::Word(word) => format!("`{word}`"),
        TokenKind::Name(name) => format!("name `{name}`"),
        TokenKind::String(_) => "string".to_owned(),
        TokenKind::Group(_) | TokenKind::GroupIndex(_) => "regular expression group".to_owned(),
        TokenKind::Designator(_) => "piece designator".to_owned(),
        TokenKind::Dash { capture: false, .. } => "move sign".to_owned(),
        TokenKind::Dash { capture: true, .. } => "capture sign".to_owned(),
        TokenKind::Sign(sign) => format!("`{}`", sign.ascii()),
        TokenKind::File { .. } => "file name".to_owned(),
        TokenKind::PathEnd => "blank line".to_owned(),
        TokenKind::LineMessageEnd => "end of line".to_owned(),
        TokenKind::End => "end of the query".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::parse::Options;
    use crate::syntax::{Source, parse, signs_with_spellings};

    #[test]
    fn a_bound_stands_before_the_same_tokens_as_in_the_grammar() {
        let signs = signs_with_spellings().flat_map(|(ascii, unicode)| [Some(ascii), unicode]);
        let others = [
            "--", "――", "[x]", "×", "[RQ]", "♖", "{2,3}", "(R)", "{R}", "[R x]", "\"a\"", "quiet", "⊢", "2", "1-0",
            "/// 1",
        ];
        let mut compared = 0;
        for after in signs.flatten().chain(others) {
            let source = Source::new("q", format!("find 1 {after} x"));
            let Ok(parsed) = parse(&source) else { continue };
            let mut builder = Builder::new(parsed, &source, &Options::default());
            builder.cursor.next();
            let in_grammar = source.tree().all(Rule::range).next().is_some();
            assert_eq!(builder.range().is_some(), in_grammar, "{}", source.text());
            compared += 1;
        }
        assert!(compared > 60, "{compared}");
    }
}
