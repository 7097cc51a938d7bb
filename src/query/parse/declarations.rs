//! Finds variables, functions and dictionaries in the tree only, because a text that is being written rarely compiles.
//!
//! ```
//! use skewer::query::declarations::{Declarations, Kind};
//! use skewer::syntax::Source;
//!
//! let declared = Declarations::of(&Source::new("q.cql", "cql() x=R x attacks ("));
//! assert_eq!((declared.all()[0].name.as_str(), declared.all()[0].kind), ("x", Kind::Assignment));
//! ```

use std::collections::HashMap;

use crate::syntax::Source;
use crate::syntax::token::Span;
use crate::syntax::tree::{Node, Rule};

/// The place where a name is declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// The name.
    pub name: String,
    /// Its place.
    pub span: Span,
    /// The whole declaration; only the name for variables.
    pub whole: Span,
    /// What declares it.
    pub kind: Kind,
    /// The part of the text where the name is known; `None` for the whole text.
    pub scope: Option<Span>,
}

/// What declares a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `function`
    Function,
    /// A parameter of a function.
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
    /// Returns a description of the declared name, for when the compiler has none.
    pub fn described(self) -> &'static str {
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

/// The names in a text.
#[derive(Default, Debug)]
pub struct Declarations {
    declarations: Vec<Declaration>,
    /// The indices of the declarations of each name in this list.
    by_name: HashMap<String, Vec<usize>>,
    /// All places of names.
    places: Vec<(String, Span)>,
}

impl Declarations {
    /// Finds the names in a text.
    pub fn of(source: &Source) -> Declarations {
        let mut found = Declarations::default();
        for leaf in source.tree().all(Rule::name) {
            let name = source.slice(leaf.span()).to_owned();
            if let Some((kind, whole, scope)) = declared_by(leaf) {
                let known = found.by_name.entry(name.clone()).or_default();
                known.push(found.declarations.len());
                found.declarations.push(Declaration {
                    name: name.clone(),
                    span: leaf.span(),
                    whole,
                    kind,
                    scope,
                });
            }
            found.places.push((name, leaf.span()));
        }
        found
    }

    /// Returns the declarations, in the order of the text.
    pub fn all(&self) -> &[Declaration] {
        &self.declarations
    }

    /// Returns the name at a place.
    pub fn at(&self, span: Span) -> Option<&str> {
        let place = self.places.binary_search_by_key(&span.start, |(_, place)| place.start);
        place.ok().map(|index| self.places[index].0.as_str())
    }

    /// Returns the declarations of a name.
    fn named(&self, name: &str) -> impl DoubleEndedIterator<Item = &Declaration> {
        let known = self.by_name.get(name).into_iter().flatten();
        known.map(|index| &self.declarations[*index])
    }

    /// Returns whether a name is declared anywhere.
    pub fn declares(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Returns the declaration that a name at a place refers to. In this order: a parameter of the enclosing function, a function or
    /// dictionary, the last loop or `echo` that bound the name, or the first assignment.
    pub fn declaration(&self, name: &str, place: Span) -> Option<&Declaration> {
        let all = || self.named(name);
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

    /// Returns all places where the name means the same as at `place`.
    pub fn same(&self, name: &str, place: Span) -> Vec<Span> {
        let scopes: Vec<Span> = self.named(name).filter_map(|declaration| declaration.scope).collect();
        let scope_of = |place: Span| scopes.iter().find(|scope| scope.contains(place));
        let places = self.places.iter().filter(|(known, _)| known == name);
        let places = places.map(|(_, span)| *span);
        places.filter(|span| scope_of(*span) == scope_of(place)).collect()
    }
}

impl Declaration {
    fn is_known_at(&self, place: Span) -> bool {
        self.scope.is_none_or(|scope| scope.contains(place))
    }
}

/// Returns how the form around a name declares it, if it does, with the whole declaration and the part of the text where the name is known.
fn declared_by(name: Node<'_>) -> Option<(Kind, Span, Option<Span>)> {
    let form = name.parent()?;
    let variable = |kind| Some((kind, name.span(), None));
    match form.rule() {
        Rule::function => Some((Kind::Function, form.span(), None)),
        Rule::parameters => Some((
            Kind::Parameter,
            name.span(),
            form.parent().map(|function| function.span()),
        )),
        Rule::dictionary => variable(Kind::Dictionary),
        Rule::assignment => variable(Kind::Assignment),
        Rule::square_loop | Rule::loop_over | Rule::key_loop => variable(Kind::Loop),
        Rule::piece_loop | Rule::piece_binding => variable(Kind::Piece),
        Rule::positions if form.parent()?.rule() == Rule::echo => variable(Kind::Position),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "cql() function F(man x) {man x y=1} x=R piece z in A {z} square s in K {s} \
                        square all s in k {s} dictionary D echo quiet (p1 q1) {p1} F(x y) u∊A v |= R";

    fn place(text: &str, needle: &str, nth: usize) -> Span {
        let (start, _) = text.match_indices(needle).nth(nth).expect("it is there");
        Span::new(start, start + needle.len())
    }

    fn names(text: &str) -> Declarations {
        Declarations::of(&Source::new("q", text))
    }

    #[test]
    fn each_name_is_declared_where_it_comes_into_being() {
        let names = names(TEXT);
        let found: Vec<_> = names
            .all()
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
        let function = &names.all()[0];
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
        assert_eq!(names("cql( function Fork(man").all().len(), 2);
    }
}
