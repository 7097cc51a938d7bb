//! Variables, functions and dictionaries, found in tokens alone: a text that is being written rarely compiles.

use crate::syntax::token::{Sign, Span, Token, TokenKind};

/// Where a name comes into being.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Declaration {
    /// The name.
    pub(super) name: String,
    /// Its place.
    pub(super) span: Span,
    /// The whole declaration; of a variable only the name.
    pub(super) whole: Span,
    /// By what.
    pub(super) kind: Kind,
    /// Where the name is known, if not in the whole text.
    pub(super) scope: Option<Span>,
}

/// What declares a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// `function`
    Function,
    /// The parameter of a function.
    Parameter,
    /// `dictionary`
    Dictionary,
    /// `x=…`
    Assignment,
    /// `square x in …`, `x ∊ …`
    Loop,
    /// `piece x …`, `◭x …`
    Piece,
    /// `echo (s t)`
    Position,
}

impl Kind {
    /// What it declares, where the compiler has not said it.
    pub(super) fn described(self) -> &'static str {
        match self {
            Kind::Function => "a function",
            Kind::Parameter => "a parameter",
            Kind::Dictionary => "a dictionary",
            Kind::Assignment => "a variable",
            Kind::Loop => "a loop variable",
            Kind::Piece => "a piece variable",
            Kind::Position => "a position variable",
        }
    }
}

/// The names of a text.
#[derive(Default)]
pub(super) struct Names {
    declarations: Vec<Declaration>,
    /// All places where names stand.
    places: Vec<(String, Span)>,
}

impl Names {
    /// Finds the names among tokens.
    pub(super) fn of(tokens: &[Token]) -> Names {
        let mut names = Names::default();
        let closing = closing_braces(tokens);
        for (index, token) in tokens.iter().enumerate() {
            match &token.kind {
                TokenKind::Name(name) => {
                    names.places.push((name.clone(), token.span));
                    if let Some(kind) = declared_by(tokens, index) {
                        names.declare(token, kind, None, token.span);
                    }
                }
                TokenKind::Word("function") => names.function(tokens, index, &closing),
                TokenKind::Word("echo") => names.echo(tokens, index),
                _ => {}
            }
        }
        names.declarations.sort_by_key(|declaration| declaration.span.start);
        names
    }

    /// The declarations, in the order of the text.
    pub(super) fn declarations(&self) -> &[Declaration] {
        &self.declarations
    }

    /// The name at a place.
    pub(super) fn at(&self, span: Span) -> Option<&str> {
        let place = self.places.binary_search_by_key(&span.start, |(_, place)| place.start);
        place.ok().map(|index| self.places[index].0.as_str())
    }

    /// The declaration that is meant by a name at a place: a parameter of the function around it; a function or dictionary;
    /// the last loop or `echo` that the name was bound by; or else the first assignment.
    pub(super) fn declaration(&self, name: &str, place: Span) -> Option<&Declaration> {
        let all = || self.declarations.iter().filter(|declaration| declaration.name == name);
        let visible = || all().filter(|declaration| declaration.is_known_at(place));
        let local = visible().find(|declaration| declaration.scope.is_some());
        let fixed = || visible().find(|declaration| matches!(declaration.kind, Kind::Function | Kind::Dictionary));
        let bound = || {
            visible().rfind(|declaration| {
                matches!(declaration.kind, Kind::Loop | Kind::Piece | Kind::Position)
                    && declaration.span.start <= place.start
            })
        };
        local.or_else(fixed).or_else(bound).or_else(|| visible().next())
    }

    /// All places where the name at this place stands for the same.
    pub(super) fn same(&self, name: &str, place: Span) -> Vec<Span> {
        let scopes: Vec<Span> = self
            .declarations
            .iter()
            .filter(|declaration| declaration.name == name)
            .filter_map(|declaration| declaration.scope)
            .collect();
        let scope_of = |place: Span| scopes.iter().find(|scope| contains(**scope, place));
        let places = self.places.iter().filter(|(known, _)| known == name);
        let places = places.map(|(_, span)| *span);
        places.filter(|span| scope_of(*span) == scope_of(place)).collect()
    }

    fn declare(&mut self, token: &Token, kind: Kind, scope: Option<Span>, whole: Span) {
        if let TokenKind::Name(name) = &token.kind {
            self.declarations.push(Declaration {
                name: name.clone(),
                span: token.span,
                whole,
                kind,
                scope,
            });
        }
    }

    /// `function F(a b) { … }`: the word is at this index.
    fn function(&mut self, tokens: &[Token], index: usize, closing: &[usize]) {
        let Some(name) = tokens.get(index + 1) else { return };
        let parameters = names_in_parentheses(tokens, index + 2);
        let body = index + 2 + parameters.len() + 2;
        let last = match tokens.get(body).map(|token| &token.kind) {
            Some(TokenKind::Sign(Sign::OpenBrace)) => closing[body],
            // A body of a number alone looks like a repetition.
            Some(TokenKind::Repetition(..)) => body,
            _ => index + 1 + parameters.len(),
        };
        let whole = tokens[index].span.to(tokens.get(last).unwrap_or(name).span);
        self.declare(name, Kind::Function, None, whole);
        for parameter in parameters {
            self.declare(parameter, Kind::Parameter, Some(whole), parameter.span);
        }
    }

    /// `echo (s t)`: the word is at this index.
    fn echo(&mut self, tokens: &[Token], index: usize) {
        let quiet = tokens
            .get(index + 1)
            .is_some_and(|token| token.kind == TokenKind::Word("quiet"));
        for name in names_in_parentheses(tokens, index + 1 + usize::from(quiet)) {
            self.declare(name, Kind::Position, None, name.span);
        }
    }
}

impl Declaration {
    fn is_known_at(&self, place: Span) -> bool {
        self.scope.is_none_or(|scope| contains(scope, place))
    }
}

fn contains(scope: Span, place: Span) -> bool {
    scope.start <= place.start && place.end <= scope.end
}

/// What declares the name at this index, if anything around it does.
fn declared_by(tokens: &[Token], index: usize) -> Option<Kind> {
    let sign_after = match tokens.get(index + 1)?.kind {
        TokenKind::Sign(sign) => Some(sign),
        _ => None,
    };
    let before = |distance: usize| Some(&tokens.get(index.checked_sub(distance)?)?.kind);
    let loop_word = match before(1) {
        Some(TokenKind::Word("all")) => before(2),
        word => word,
    };
    match (loop_word, sign_after) {
        (Some(TokenKind::PieceMark | TokenKind::Word("piece")), _) => Some(Kind::Piece),
        (Some(TokenKind::Word("square" | "string")), _) => Some(Kind::Loop),
        (_, Some(Sign::Element)) => Some(Kind::Loop),
        (Some(TokenKind::Word("dictionary")), _) => Some(Kind::Dictionary),
        (_, Some(sign)) if sign.is_assignment() => Some(Kind::Assignment),
        _ => None,
    }
}

/// The names between parentheses that open at this index.
fn names_in_parentheses(tokens: &[Token], index: usize) -> &[Token] {
    let Some((open, inside)) = tokens.get(index..).and_then(<[Token]>::split_first) else {
        return &[];
    };
    if open.kind != TokenKind::Sign(Sign::OpenParen) {
        return &[];
    }
    let is_name = |token: &Token| matches!(token.kind, TokenKind::Name(_));
    let count = inside.iter().take_while(|token| is_name(token)).count();
    &inside[..count]
}

/// For each opening brace the index of the one that closes it, or of the last token if nothing does; for others 0.
fn closing_braces(tokens: &[Token]) -> Vec<usize> {
    let mut closing = vec![0; tokens.len()];
    let mut open = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Sign(Sign::OpenBrace) => open.push(index),
            TokenKind::Sign(Sign::CloseBrace) => {
                if let Some(opened) = open.pop() {
                    closing[opened] = index;
                }
            }
            _ => {}
        }
    }
    for opened in open {
        closing[opened] = tokens.len() - 1;
    }
    closing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Source, scan};

    const TEXT: &str = "cql() function F(man x) {man x y=1} x=R piece z in A {z} square s in K {s} \
                        square all s in k {s} dictionary D echo quiet (p1 q1) {p1} F(x y) u∊A v |= R";

    fn place(text: &str, needle: &str, nth: usize) -> Span {
        let (start, _) = text.match_indices(needle).nth(nth).expect("it is there");
        Span::new(start, start + needle.len())
    }

    fn names(text: &str) -> Names {
        Names::of(&scan(&Source::new("q", text)).0)
    }

    #[test]
    fn each_name_is_declared_where_it_comes_into_being() {
        let names = names(TEXT);
        let found: Vec<_> = names
            .declarations()
            .iter()
            .map(|declaration| (declaration.name.as_str(), declaration.kind))
            .collect();
        let expected = [
            ("F", Kind::Function),
            ("man", Kind::Parameter),
            ("x", Kind::Parameter),
            ("y", Kind::Assignment),
            ("x", Kind::Assignment),
            ("z", Kind::Piece),
            ("s", Kind::Loop),
            ("s", Kind::Loop),
            ("D", Kind::Dictionary),
            ("p1", Kind::Position),
            ("q1", Kind::Position),
            ("u", Kind::Loop),
            ("v", Kind::Assignment),
        ];
        assert_eq!(found, expected);
        let function = &names.declarations()[0];
        assert_eq!(&TEXT[function.whole.range()], "function F(man x) {man x y=1}");
    }

    #[test]
    fn parameters_hide_variables_in_their_function_only() {
        let text = "cql() x=1 function F(x) {x>2} F(x)";
        let names = names(text);
        let start = |nth| names.declaration("x", place(text, "x", nth)).map(|found| found.span);
        assert_eq!(start(2), Some(place(text, "x", 1)), "in the body");
        assert_eq!(start(3), Some(place(text, "x", 0)), "in the call");
        assert_eq!(
            names.same("x", place(text, "x", 0)),
            [place(text, "x", 0), place(text, "x", 3)]
        );
        assert_eq!(
            names.same("x", place(text, "x", 2)),
            [place(text, "x", 1), place(text, "x", 2)]
        );
    }

    #[test]
    fn a_name_in_a_loop_is_that_of_the_last_loop() {
        let text = "cql() square s in K {s} square s in k {s}";
        let names = names(text);
        let used = place(text, "{s}", 1);
        let used = Span {
            start: used.start + 1,
            end: used.end - 1,
        };
        let found = names.declaration("s", used).expect("it is declared");
        assert_eq!(
            found.span,
            Span {
                start: place(text, "square s", 1).start + 7,
                end: place(text, "square s", 1).end
            }
        );
    }

    #[test]
    fn unfinished_texts_have_names_too() {
        for text in [
            "function",
            "function F",
            "function F(",
            "function F(x {",
            "echo (",
            "square s",
            "x=",
            "piece",
            "echo quiet",
        ] {
            names(text);
        }
        assert_eq!(names("cql( function Fork(man").declarations().len(), 2);
    }
}
